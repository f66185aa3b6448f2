/*
 * menu.js - the dishes: in their order, with what they cost and what is sold out.
 */
import { get, put } from '../../api.js';
import { field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { el } from '../../ui.js';
import { inOther, languageSwitch, otherField } from './language.js';
import { amountInput, filled, lines, listEditor, saveNumbered, section, text } from './section.js';

const PRICE_MAX = 1000000000; /* of the smallest unit */

/* A dish that is new has no price yet: one that was forgotten is asked for, and not 0. */
function priceInput(dish, house) {
	const input = amountInput(dish.price ?? 0, PRICE_MAX, house.currencyDigits, {
		'data-field': 'price',
	});
	if (dish.price === undefined) input.value = '';
	return input;
}

function dishRow(house, dish = {}) {
	let { menuId } = dish;
	const name = text(dish.name, LENGTHS.dish, { required: true });
	const nameEn = text(dish.nameEn, LENGTHS.dish);
	const about = lines(dish.description, LENGTHS.description, { rows: 2, 'data-field': 'about' });
	const aboutEn = lines(dish.descriptionEn, LENGTHS.description, { rows: 2 });
	const price = priceInput(dish, house);
	const out = el('input', {
		type: 'checkbox',
		checked: Boolean(dish.soldOut),
		'data-field': 'soldOut',
	});
	const read = () =>
		filled({
			menuId,
			name: name.value.trim(),
			nameEn: nameEn.value.trim(),
			description: about.value.trim(),
			descriptionEn: aboutEn.value.trim(),
			price: price.amount(),
			soldOut: out.checked ? 1 : 0,
		});
	const fields = el(
		'div',
		{ class: 'dish-fields' },
		field(null, t('name'), name),
		otherField(field(null, inOther('nameEn', house), nameEn)),
		field(null, t('priceIn', house.currency), price, { className: 'of-price' }),
		el('label', { class: 'tick' }, out, ` ${t('soldOut')}`),
		field(null, t('about'), about, { className: 'whole' }),
		otherField(field(null, inOther('aboutEn', house), aboutEn, { className: 'whole' })),
	);
	const learn = (id) => {
		menuId = id;
	};
	return { nodes: [fields], read, learn, className: 'dish-row' };
}

export function menu({ desk, house, query }) {
	const also = languageSwitch(
		house,
		house.menu.some((dish) => dish.nameEn || dish.descriptionEn),
	);
	const dishes = listEditor(house.menu, (dish) => dishRow(house, dish), t('addDish'));
	/* The book keeps their order; a dish of another name there is somebody else's. */
	async function numbersOf(sent) {
		const { menu: kept } = await get(`/api/restaurants/${query.restaurantId}`);
		return sent.map(({ name }, i) => (kept[i]?.name === name ? kept[i].menuId : undefined));
	}
	const card = section(desk, {
		title: t('menu'),
		about: t('menuText'),
		children: [also.node, ...dishes.nodes],
		read: () => ({ menu: dishes.read() }),
		save: (values) =>
			saveNumbered({
				values,
				name: 'menu',
				key: 'menuId',
				rows: dishes.rows(),
				send: () => put('/api/desk/menu', values, { query }),
				numbersOf,
			}),
	});
	return also.attach(card);
}
