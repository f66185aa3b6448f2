/*
 * order.js - rows that are put in order: dragged by the mouse or a finger, or moved by buttons.
 */
import { t } from '../../i18n.js';
import { announce, button, el } from '../../ui.js';

const EDGE_PX = 72; /* this near to the edge of the window a drag scrolls it */
const SCROLL_PX = 14;

const middleOf = (node) => {
	const { top, height } = node.getBoundingClientRect();
	return top + height / 2;
};

/* The card looks whether something is another now. */
const tell = (row) => row.dispatchEvent(new Event('change', { bubbles: true }));

function scrollAt(y) {
	if (y < EDGE_PX) scrollBy(0, -SCROLL_PX);
	else if (y > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
}

/* The neighbour moves, not the row: one that leaves the page for a moment loses the pointer. */
function follow(row, y) {
	const above = row.previousElementSibling;
	const below = row.nextElementSibling;
	if (above && y < middleOf(above)) row.after(above);
	else if (below && y > middleOf(below)) row.before(below);
	scrollAt(y);
}

/** What a row is dragged by; for the keyboard there are the buttons. */
export function grip(row) {
	const node = el('span', { class: 'grip', 'aria-hidden': 'true' }, '⠿');
	const drop = () => {
		if (!row.classList.contains('dragged')) return;
		row.classList.remove('dragged');
		tell(row);
	};
	node.addEventListener('pointerdown', (event) => {
		if (event.button) return;
		event.preventDefault();
		node.setPointerCapture(event.pointerId);
		row.classList.add('dragged');
	});
	node.addEventListener('pointermove', (event) => {
		if (node.hasPointerCapture(event.pointerId)) follow(row, event.clientY);
	});
	node.addEventListener('pointerup', drop);
	node.addEventListener('pointercancel', drop);
	return node;
}

/* Says where the row is now, and keeps the focus on the button. */
function moved(row, pressed) {
	const rows = [...row.parentElement.children];
	announce(t('settings.placed', rows.indexOf(row) + 1, rows.length));
	pressed.focus();
	tell(row);
}

/** Up and down, one place at a time. */
export function moveButtons(row) {
	const up = button('↑', () => {
		row.previousElementSibling?.before(row);
		moved(row, up);
	});
	const down = button('↓', () => {
		row.nextElementSibling?.after(row);
		moved(row, down);
	});
	for (const [node, word] of [
		[up, 'up'],
		[down, 'settings.down'],
	]) {
		node.className = 'round';
		node.setAttribute('aria-label', t(word));
	}
	return [up, down];
}
