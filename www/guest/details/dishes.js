/*
 * dishes.js - the menu to order from ahead: how many of each dish.
 */
import { money, own, t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { itemsOnOffer, portions } from './order.js';

function drawDish(dish, house, draft, changed) {
	const name = own(dish.name, dish.nameEn);
	const row = (how) =>
		el(
			'li',
			{},
			el('span', { class: 'dish' }, name),
			el('span', { class: 'price' }, money(dish.price, house)),
			how,
		);
	if (dish.soldOut) return row(el('span', { class: 'soft-text' }, t('soldOut')));
	const number = el('output', {}, String(portions(draft, dish.menuId)));
	const step = (sign, by, label) =>
		button(sign, () => change(by), { class: 'round', 'aria-label': t(label, name) });
	const less = step('−', -1, 'fewer');
	const change = (by) => {
		const n = portions(draft, dish.menuId, by);
		draft.items = { ...draft.items, [dish.menuId]: n };
		number.textContent = String(n);
		less.disabled = n === 0;
		changed();
	};
	less.disabled = !draft.items[dish.menuId];
	return row(el('span', { class: 'stepper' }, less, number, step('+', 1, 'more')));
}

/* The list, with a place above it for what is wrong; changed(): another number of portions. */
export function makeDishes(house, draft, changed) {
	const wrong = el('p', { class: 'wrong', role: 'alert' });
	draft.items = itemsOnOffer(draft, house.menu);
	const say = (sentence) => {
		wrong.textContent = sentence;
	};
	const dish = (d) =>
		drawDish(d, house, draft, () => {
			say('');
			changed();
		});
	const node = el(
		'div',
		{ class: 'dishes', hidden: true },
		wrong,
		el('ul', {}, (house.menu ?? []).map(dish)),
	);
	const askForOne = () => {
		say(t('needDish'));
		node.querySelector('.round:enabled')?.focus({ preventScroll: true });
		wrong.scrollIntoView({ block: 'center' });
	};
	return { node, say, askForOne };
}
