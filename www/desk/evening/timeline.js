/*
 * timeline.js - tables over minutes.
 *
 * A block is moved by hand: along its lane it gets another time at its own table, on another lane
 * another table, and by its end another length.  Or by taps: one on the block, one where it is to
 * lie; or by the arrow keys and Enter.  A second tap on it opens the reservation.
 */
import { clockTime, minutesOf, timeOf } from '../../dates.js';
import { t } from '../../i18n.js';
import { hasAllergy, tagText } from '../../tags.js';
import { announce, button, el } from '../../ui.js';
import { open } from '../acts/open.js';
import { change } from '../acts/send.js';
import { closureText } from './closures.js';
import { draggable } from './drag.js';
import {
	blocksOf,
	classesOf,
	closuresOf,
	draggedTo,
	hoursOf,
	lanesOf,
	lengthOf,
	placeOf,
	spanOf,
	stands,
	steppedTo,
	stretchedTo,
	tableNames,
	tappedTo,
	wishOf,
} from './state.js';

const LANE_PX = 8; /* a hand that drags along a lane is not steadier */
const TIP_PX = 110; /* so far from the edge it can be read */
const NOW_AT = 0.25; /* of what is seen: here now is when the timeline is shown first */

const percent = (minutes, { from, to }) => `${(100 * minutes) / (to - from)}%`;
const clockAt = (minute) => clockTime(timeOf(minute));

/* Puts it at that minute, and makes it that many minutes wide. */
function place(node, span, minute, minutes) {
	node.style.setProperty('left', percent(minute - span.from, span));
	if (minutes) node.style.setProperty('width', percent(minutes, span));
	return node;
}

/* "20:15–21:45 · Table 4" */
function placeText(desk, r, { minute, tableId, minutes }) {
	const own = !tableId || r.tables.includes(tableId);
	const tables = own ? r.tables : [tableId];
	const names = tableNames({ tables }, desk.day);
	const times = `${clockAt(minute)}–${clockAt(minute + minutes)}`;
	return names ? `${times} · ${t('tableOf', names)}` : times;
}

/* ---- by hand ---- */

/* Where it would lie is said beside the hand that holds it. */
function makeTip() {
	const node = el('p', { class: 'drag-tip', role: 'status', hidden: true });
	return {
		node,
		say(text, { x, y }) {
			node.textContent = text;
			node.hidden = false;
			const left = Math.min(Math.max(x, TIP_PX), innerWidth - TIP_PX);
			node.style.setProperty('left', `${left}px`);
			node.style.setProperty('top', `${y}px`);
		},
		hide() {
			node.hidden = true;
		},
	};
}

/* The lane below the hand, when it has left its own. */
const laneUnder = ({ dy, under }) =>
	Number((Math.abs(dy) > LANE_PX && under?.closest('[data-table]')?.dataset.table) || 0);

function makeDraggable(desk, r, node, edge, { span, tip, settled }) {
	const share = ({ dx }) => dx / node.parentElement.clientWidth;
	const moved = (how) => draggedTo(r, { share: share(how), span, tableId: laneUnder(how) });
	const stretched = (how) => stretchedTo(r, { share: share(how), span });
	const send = (target) => {
		const wish = wishOf(r, target);
		if (wish) change(desk, r, wish);
	};
	const lies = () => {
		tip.hide();
		node.style.removeProperty('transform');
		place(node, span, minutesOf(r.slotTime), lengthOf(r));
		settled();
	};
	draggable(node, {
		move(how) {
			node.style.setProperty('transform', `translate(${how.dx}px, ${how.dy}px)`);
			tip.say(placeText(desk, r, moved(how)), how);
		},
		drop: (how) => send(moved(how)),
		settled: lies,
	});
	/* The end is touched before the block that it is part of. */
	draggable(node, {
		grip: edge,
		move(how) {
			const target = stretched(how);
			node.style.setProperty('width', percent(target.minutes, span));
			tip.say(placeText(desk, r, target), how);
		},
		drop: (how) => send(stretched(how)),
		settled: lies,
	});
}

/* ---- by taps and keys ---- */

/**
 * What is being moved by taps or keys, for as long as the timeline is shown; drawn(): it has
 * changed.
 */
export function makeMoving(desk, drawn) {
	let id = 0;
	let target = null;
	const party = () => desk.day.reservations.find((r) => r.reservationId === id && stands(r));
	const end = () => {
		id = 0;
		drawn();
	};
	return {
		get target() {
			return target;
		},
		party: () => (id ? party() : undefined),
		begin(r) {
			id = r.reservationId;
			target = placeOf(r);
			drawn();
			announce(t('movingHint'));
		},
		end,
		/* Shows where it would lie; put() sends it there. */
		aim(place) {
			target = place;
			announce(placeText(desk, party(), place));
			drawn();
		},
		put(place = target) {
			const r = party();
			const wish = r && wishOf(r, place);
			end();
			if (wish) change(desk, r, wish);
			return Boolean(wish);
		},
	};
}

/* A first tap picks it up, a second one opens it. */
function onTap(desk, r, moving) {
	if (!stands(r)) return open(desk, r);
	if (moving.party() !== r) return moving.begin(r);
	if (!moving.put()) open(desk, r);
	return undefined;
}

function onKey(desk, r, moving, event) {
	if (moving.party() !== r) return;
	if (event.key === 'Escape') moving.end();
	else if (event.key.startsWith('Arrow')) {
		const { tables } = desk.day;
		moving.aim(steppedTo(moving.target, event.key, event.shiftKey, tables));
	} else return;
	event.preventDefault();
}

/* A tap beside the blocks puts there what is being moved; on a lane's name: at its own time. */
function onLaneTap(moving, span, tableId, event) {
	const r = moving.party();
	if (!r || event.target.closest('.block')) return;
	const track = event.currentTarget.querySelector('.track').getBoundingClientRect();
	const share = (event.clientX - track.left) / track.width;
	const is = placeOf(r);
	const named = { ...is, tableId: tableId || is.tableId };
	moving.put(share < 0 ? named : tappedTo(r, { share, span, tableId }));
}

/* What is being moved, what can be tapped, and the ways out. */
function drawMoving(desk, moving) {
	const r = moving.party();
	if (!r) return null;
	const { target } = moving;
	const longer = (key) => () => moving.aim(steppedTo(target, key, true, []));
	const differs = wishOf(r, target);
	return el(
		'div',
		{ class: 'moving', role: 'group', 'aria-label': t('move') },
		el(
			'p',
			{},
			el('b', {}, `${r.guestName} ${r.partySize}`),
			` ${placeText(desk, r, target)} · `,
			el('span', { class: 'soft-text' }, t('movingHint')),
		),
		el(
			'div',
			{ class: 'acts' },
			button(t('shorter'), longer('ArrowLeft'), { class: 'soft' }),
			button(t('longer'), longer('ArrowRight'), { class: 'soft' }),
			differs
				? button(t('save'), () => moving.put(), { class: 'primary' })
				: button(t('openIt'), () => open(desk, r), { class: 'soft' }),
			button(t('close'), moving.end, { class: 'plain' }),
		),
	);
}

/* ---- the lanes ---- */

function drawBlock(desk, r, ms, how) {
	const { span, moving } = how;
	const sign = hasAllergy(r.tags) ? '\u26a0\ufe0e ' : '';
	const times = `${clockTime(r.slotTime)}–${desk.at(r.endsAt)}`;
	const picked = moving.party() === r;
	const edge = el('i', { class: 'edge' });
	const node = el(
		'button',
		{
			type: 'button',
			class: `block ${classesOf(r, ms)}${picked ? ' picked' : ''}`,
			title: `${times} ${r.guestName} ${tagText(r.tags)}`.trim(),
			'data-id': String(r.reservationId),
			'aria-pressed': stands(r) ? String(picked) : undefined,
			onclick: () => onTap(desk, r, moving),
			onkeydown: (event) => onKey(desk, r, moving, event),
		},
		el('b', {}, `${sign}${r.guestName} ${r.partySize}`),
		' ',
		el('span', {}, times),
		stands(r) && edge,
	);
	if (stands(r)) makeDraggable(desk, r, node, edge, how);
	return place(node, span, minutesOf(r.slotTime), lengthOf(r));
}

/* Where the keys would put it. */
function drawGhost(moving, tableId, span) {
	const r = moving.party();
	if (!r || !wishOf(r, moving.target) || moving.target.tableId !== (tableId ?? 0)) return null;
	return place(el('i', { class: 'ghost' }), span, moving.target.minute, moving.target.minutes);
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

const drawLane = ({ kind = 'lane', name = '', tableId, onclick }, children) =>
	el(
		'div',
		{ class: kind, 'data-table': tableId, onclick },
		el('span', { class: 'lane-name' }, name),
		el('div', { class: 'track' }, children),
	);

function drawLanes(desk, ms, how) {
	const { tables, reservations } = desk.day;
	const { span, moving } = how;
	const lanes = lanesOf(tables, blocksOf(reservations));
	const nameOf = (lane, i) => lane.name ?? (i || tables.length ? '' : t('noTable'));
	return lanes.map((lane, i) =>
		drawLane(
			{
				name: nameOf(lane, i),
				tableId: lane.tableId,
				onclick: (event) => onLaneTap(moving, span, lane.tableId, event),
			},
			[
				...drawClosures(desk, lane.tableId, span),
				...lane.rows.map((r) => drawBlock(desk, r, ms, how)),
				drawGhost(moving, lane.tableId, span),
				drawNowLine(desk, span),
			],
		),
	);
}

/** settled(): a block that was in the air lies again; moving: what makeMoving() gave. */
export function drawTimeline(desk, ms, settled, moving) {
	const { slots, house, reservations } = desk.day;
	const span = spanOf(slots, blocksOf(reservations), house.slotMinutes);
	if (!span) return [el('p', { class: 'empty' }, t('closed'))];
	const tip = makeTip();
	const name = t('timeline');
	const head = drawLane(
		{ kind: 'lane head' },
		hoursOf(span).map((hour) => drawHour(hour, span)),
	);
	const lanes = el(
		'div',
		{ class: moving.party() ? 'lanes aiming' : 'lanes' },
		head,
		drawLanes(desk, ms, { span, tip, settled, moving }),
	);
	lanes.style.setProperty('--hours', String((span.to - span.from) / 60));
	return [
		drawMoving(desk, moving),
		el('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': name }, lanes),
		tip.node,
	];
}

/** Where it was scrolled to; undefined: it has not been shown yet. */
export const scrolledTo = (body) => body.querySelector('.scroll')?.scrollLeft;

/** Scrolls to there again; the first time to now. */
export function scrollAgain(body, before) {
	const node = body.querySelector('.scroll');
	const now = node?.querySelector('.now-line');
	if (!node || (before === undefined && !now)) return;
	node.scrollLeft = before ?? now.offsetLeft - NOW_AT * node.clientWidth;
}
