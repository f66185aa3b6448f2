/*
 * dishes.js - which dishes are sold out: one tap each, which counts at once.
 */
import { get, post } from '../../api.js';
import { ask } from '../../dialogs.js';
import { t } from '../../i18n.js';
import { announce, el } from '../../ui.js';
import { dishName } from '../evening/daynote.js';

/* Tells the box; undo says the opposite.  draw(dish): the button of the dish, where it is shown. */
async function setOut(desk, dish, out, draw) {
	try {
		await post(`/api/desk/menu/${dish.menuId}/sold-out`, { soldOut: out });
		dish.soldOut = out;
		draw(dish);
		const said = t(out ? 'dish.out' : 'dish.back', dishName(dish));
		announce(said);
		desk.say(said, () => setOut(desk, dish, !out, draw));
	} catch (error) {
		announce(desk.sentence(error), true);
		desk.say(desk.sentence(error));
	}
	await desk.refresh();
}

function dishButton(desk, dish) {
	const mark = el('span', { class: 'badge over' }, t('soldOut'));
	const draw = () => {
		node.setAttribute('aria-pressed', String(dish.soldOut));
		mark.hidden = !dish.soldOut;
	};
	const node = el(
		'button',
		{
			type: 'button',
			class: 'dish soft',
			'data-menu': dish.menuId,
			onclick: () => setOut(desk, dish, !dish.soldOut, draw),
		},
		el('span', {}, dishName(dish)),
		mark,
	);
	draw();
	return node;
}

export async function dishes(desk) {
	const { menu } = await get(`/api/restaurants/${desk.restaurantId}`).catch((error) => {
		desk.say(desk.sentence(error));
		return { menu: null };
	});
	if (!menu) return;
	await ask('dishes-title', () => [
		el('h2', { id: 'dishes-title' }, t('dish.title')),
		el('p', { class: 'hint' }, t(menu.length ? 'dish.about' : 'dish.none')),
		el(
			'div',
			{ class: 'dishes' },
			menu.map((dish) => dishButton(desk, dish)),
		),
	]);
}
