/*
 * timeline.js - tables over minutes.  A block that is dragged along its lane gets another time at
 * its own table, to another lane another table.
 */
import { clockTime, minutesOf, timeOf } from '../../dates.js';
import { t } from '../../i18n.js';
import { hasAllergy, tagText } from '../../tags.js';
import { button, el } from '../../ui.js';
import { open } from '../acts/open.js';
import { change } from '../acts/send.js';
import { closureText } from './closures.js';
import {
	blocksOf,
	classesOf,
	closuresOf,
	dropOf,
	hoursOf,
	lanesOf,
	lengthOf,
	spanOf,
	stands,
} from './state.js';

/* ---- dragging ----
 *
 * By a mouse at once, by a finger when it has rested there, because a finger that moves on scrolls
 * the page.
 */

const DRAG_PX = 8; /* less is a tap */
const LIFT_MS = 300; /* a finger that rests this long picks the thing up */

/* What lies below the pointer when the thing itself is taken away. */
function whatIsUnder(node, { clientX, clientY }) {
	node.style.setProperty('pointer-events', 'none');
	const under = document.elementFromPoint(clientX, clientY);
	node.style.removeProperty('pointer-events');
	return under;
}

/*
 * Calls drop({ dx, dy, under }) when it was put elsewhere, and settled() when it lies again.  It is
 * .held from the first touch on, and must not be drawn anew meanwhile, and .lifted when it moves.
 */
function draggable(node, drop, settled) {
	let from = null; /* where the pointer went down */
	let dragged = false; /* it has moved: what follows is no tap */
	let timer = 0;
	const lift = () => node.classList.add('lifted');
	const lifted = () => node.classList.contains('lifted');
	const way = (event) => ({ dx: event.clientX - from.x, dy: event.clientY - from.y });

	function putBack() {
		clearTimeout(timer);
		from = null;
		node.style.removeProperty('transform');
		node.classList.remove('held', 'lifted');
		settled();
	}

	node.addEventListener('pointerdown', (event) => {
		if (event.button || !event.isPrimary) return;
		from = { x: event.clientX, y: event.clientY };
		dragged = false;
		node.classList.add('held');
		if (event.pointerType === 'touch') timer = setTimeout(lift, LIFT_MS);
		else {
			node.setPointerCapture(event.pointerId);
			lift();
		}
	});
	node.addEventListener('pointermove', (event) => {
		if (!from) return;
		const { dx, dy } = way(event);
		const far = Math.hypot(dx, dy) > DRAG_PX;
		if (far && !lifted()) return putBack(); /* a finger that scrolls */
		dragged ||= far;
		if (dragged) node.style.setProperty('transform', `translate(${dx}px, ${dy}px)`);
	});
	node.addEventListener('pointerup', (event) => {
		if (!from) return;
		const how = { ...way(event), under: whatIsUnder(node, event) };
		putBack();
		if (dragged) drop(how);
	});
	node.addEventListener('pointercancel', putBack);
	/* From here on the finger is ours: the page neither scrolls nor opens a menu. */
	const ours = (event) => lifted() && event.preventDefault();
	node.addEventListener('touchmove', ours, { passive: false });
	node.addEventListener('contextmenu', ours);
	node.addEventListener(
		'click',
		(event) => {
			if (dragged) event.stopImmediatePropagation();
			dragged = false;
		},
		true,
	);
}

/* ---- the lanes ---- */

const LANE_PX = 8; /* a hand that drags along a lane is not steadier */

const percent = (minutes, { from, to }) => `${(100 * minutes) / (to - from)}%`;

/* Puts it at that minute, and makes it that many minutes wide. */
function place(node, span, minute, minutes) {
	node.style.setProperty('left', percent(minute - span.from, span));
	if (minutes) node.style.setProperty('width', percent(minutes, span));
	return node;
}

function drop(desk, r, node, span, { dx, dy, under }) {
	const lane = Math.abs(dy) > LANE_PX ? under?.closest('[data-table]') : null;
	const share = dx / node.parentElement.clientWidth;
	const wish = dropOf(r, { share, span, tableId: Number(lane?.dataset.table) || 0 });
	if (wish) change(desk, r, wish);
}

function drawBlock(desk, r, span, ms, settled) {
	const sign = hasAllergy(r.tags) ? '\u26a0\ufe0e ' : '';
	const node = button(`${sign}${r.guestName} ${r.partySize}`, () => open(desk, r), {
		class: `block ${classesOf(r, ms)}`,
		title: `${clockTime(r.slotTime)}–${desk.at(r.endsAt)} ${r.guestName} ${tagText(r.tags)}`.trim(),
	});
	if (stands(r)) draggable(node, (how) => drop(desk, r, node, span, how), settled);
	return place(node, span, minutesOf(r.slotTime), lengthOf(r));
}

/* A time at which nothing new is taken there: below the parties, and not in the way of a hand. */
function drawClosures(desk, tableId, span) {
	const meant = (c) => !c.tables.length || c.tables.includes(tableId);
	return closuresOf(desk.day)
		.filter(meant)
		.map((c) => {
			const from = Math.max(c.from, span.from);
			const kind = c.online ? 'closure online' : 'closure';
			const node = el('i', { class: kind, title: closureText(c, desk.day) });
			return place(node, span, from, Math.min(c.to, span.to) - from);
		});
}

const drawHour = (hour, span) =>
	place(el('span', { class: 'hour' }, timeOf(hour % 1440)), span, hour);

function drawNowLine(desk, span) {
	const { today, time } = desk.clock();
	const now = minutesOf(time);
	if (desk.day.date !== today || now < span.from || now > span.to) return null;
	return place(el('i', { class: 'now-line' }), span, now);
}

const drawLane = ({ kind = 'lane', name = '', tableId }, children) =>
	el(
		'div',
		{ class: kind, 'data-table': tableId },
		el('span', { class: 'lane-name' }, name),
		el('div', { class: 'track' }, children),
	);

/** settled(): a block that was in the air lies again. */
export function drawTimeline(desk, ms, settled) {
	const { tables, slots, house, reservations } = desk.day;
	const rows = blocksOf(reservations);
	const span = spanOf(slots, rows, house.slotMinutes);
	if (!span) return [el('p', { class: 'empty' }, t('closed'))];
	const lanes = lanesOf(tables, rows);
	const nameOf = (lane, i) => lane.name ?? (i || tables.length ? '' : t('noTable'));
	const head = drawLane(
		{ kind: 'lane head' },
		hoursOf(span).map((hour) => drawHour(hour, span)),
	);
	return [
		el(
			'div',
			{ class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('timeline') },
			el(
				'div',
				{ class: 'lanes' },
				head,
				lanes.map((lane, i) =>
					drawLane({ name: nameOf(lane, i), tableId: lane.tableId }, [
						...drawClosures(desk, lane.tableId, span),
						...lane.rows.map((r) => drawBlock(desk, r, span, ms, settled)),
						drawNowLine(desk, span),
					]),
				),
			),
		),
	];
}
