/*
 * menu.js - a button that folds out more buttons, and folds them in again when one was pressed,
 * when the focus goes elsewhere, and with Escape; and what is a sign where there is no room for
 * words.
 */
import { el } from '../ui.js';

/** On a telephone there is room for the sign; what is heard are the words. */
export const shortly = (words, sign) => [
	el('span', { class: 'long' }, words),
	el('span', { class: 'short', 'aria-hidden': 'true' }, sign),
];

/** label: of the button; items: what it folds out. */
export function drawMenu(label, ...items) {
	const summary = el('summary', { class: 'soft' }, label);
	const list = el('div', { class: 'menu-list' }, items);
	const node = el('details', { class: 'menu' }, summary, list);
	const fold = () => {
		node.open = false;
	};
	const onPressElsewhere = ({ target }) => node.contains(target) || fold();
	node.addEventListener('toggle', () => {
		const how = node.open ? 'addEventListener' : 'removeEventListener';
		document[how]('pointerdown', onPressElsewhere);
	});
	node.addEventListener('keydown', ({ key }) => {
		if (key !== 'Escape' || !node.open) return;
		fold();
		summary.focus();
	});
	node.addEventListener('focusout', ({ relatedTarget: to }) => {
		if (to && !node.contains(to)) fold();
	});
	list.addEventListener('click', ({ target }) => target.closest('button, a') && fold());
	return node;
}
