/*
 * floor.js - where the tables stand: boxes to be dragged, or moved with the arrow keys.
 */
import { t } from '../../i18n.js';
import { el } from '../../ui.js';

const STEPS = { ArrowLeft: [-2, 0], ArrowRight: [2, 0], ArrowUp: [0, -2], ArrowDown: [0, 2] };

const within = (n) => Math.max(0, Math.min(100, Math.round(n)));

/* Follows the pointer while it is held, and the arrow keys. */
function movable(spot, floor, place, put) {
	spot.addEventListener('pointerdown', (event) => spot.setPointerCapture(event.pointerId));
	spot.addEventListener('pointermove', (event) => {
		if (!spot.hasPointerCapture(event.pointerId)) return;
		const area = floor.getBoundingClientRect();
		const x = (event.clientX - area.left) / area.width;
		const y = (event.clientY - area.top) / area.height;
		put(100 * x, 100 * y);
	});
	spot.addEventListener('keydown', (event) => {
		const step = STEPS[event.key];
		if (!step) return;
		event.preventDefault();
		const { x, y } = place();
		put(x + step[0], y + step[1]);
	});
}

/* shown: where each table stands on the screen; moved(): one of them was put elsewhere. */
function drawSpot(table, at, floor, shown, moved) {
	const spot = el(
		'button',
		{ type: 'button', class: 'spot now-card' },
		el('b', {}, table.name),
		' ',
		el('span', {}, t('seatsOf', table.seatsMax)),
	);
	const put = (x, y) => {
		const place = { x: within(x), y: within(y) };
		shown.set(table.name, place);
		spot.style.setProperty('left', `${place.x}%`);
		spot.style.setProperty('top', `${place.y}%`);
	};
	const move = (x, y) => {
		put(x, y);
		moved();
	};
	put(at.x, at.y);
	movable(spot, floor, () => shown.get(table.name), move);
	return spot;
}

/**
 * places: where each of them stands, by its name.  Those that were never placed stand in rows, and
 * get a place of their own with the first one that is moved.
 */
export function drawSpots(floor, tables, places) {
	const named = tables.filter((table) => table.name);
	const shown = new Map();
	const moved = () => {
		for (const [name, place] of shown) places.set(name, place);
		floor.dispatchEvent(new Event('input', { bubbles: true }));
	};
	const placeOf = (table, i) =>
		places.get(table.name) ?? { x: 10 + (i % 4) * 25, y: 15 + Math.floor(i / 4) * 25 };
	floor.replaceChildren(
		...named.map((table, i) => drawSpot(table, placeOf(table, i), floor, shown, moved)),
	);
}
