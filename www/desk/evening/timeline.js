/*
 * timeline.js - tables over minutes.
 *
 * A block is moved by hand: along its lane it gets another time at its own table, on another lane
 * another table, and by its end another length.  Or by taps: one on the block, one where it is to
 * lie; or by the arrow keys and Enter.  A second tap on it opens the reservation.
 */
import { clockTime, timeOf } from '../../dates.js';
import { t } from '../../i18n.js';
import { hasAllergy, tagText } from '../../tags.js';
import { announce, button, el } from '../../ui.js';
import { open } from '../acts/open.js';
import { change } from '../acts/send.js';
import { closureText } from './closures.js';
import { draggable } from './drag.js';
import {
	blocksOf,
	draggedTo,
	hoursOf,
	lanesOf,
	placeOf,
	sits,
	spanOf,
	steppedTo,
	stretchedTo,
	tappedTo,
	wishOf,
} from './lanes.js';
import {
	besideOf,
	classesOf,
	closuresOf,
	minuteOfEvening,
	overBy,
	stands,
	tableNames,
} from './state.js';

const DRAWN_MIN = 5; /* a block is never narrower */
const NEAR_MIN = 28; /* of two times of day in the head one is read */
const DAY_MIN = 24 * 60;
const LANE_PX = 8; /* a hand that drags along a lane is not steadier */
const TIP_PX = 110; /* so far from the edge it can be read */
const NOW_AT = 0.25; /* of what is seen: here now is when the timeline is shown first */

const percent = (minutes, { from, to }) => `${(100 * minutes) / (to - from)}%`;
const clockAt = (minute) => clockTime(timeOf(minute < 0 ? minute + DAY_MIN : minute));

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
	const end = clockAt(minute + minutes);
	const times = sits(r) ? t('until', end) : `${clockAt(minute)}–${end}`;
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

function makeDraggable(desk, { r, minute, minutes }, node, edge, { span, tip, settled, ms }) {
	const share = ({ dx }) => dx / node.parentElement.clientWidth;
	const moved = (how) => draggedTo(r, { share: share(how), span, tableId: laneUnder(how) });
	const over = overBy(r, ms);
	const stretched = (how) => stretchedTo(r, { share: share(how), span, over });
	const send = (target) => {
		const wish = wishOf(r, target);
		if (wish) change(desk, r, wish);
	};
	const lies = () => {
		tip.hide();
		node.style.removeProperty('transform');
		place(node, span, minute, minutes);
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
			const end = target.minute + target.minutes;
			node.style.setProperty('width', percent(Math.max(DRAWN_MIN, end - minute), span));
			tip.say(placeText(desk, r, target), how);
		},
		drop: (how) => send(stretched(how)),
		settled: lies,
	});
}

/* ---- by taps and keys ---- */

/* What is being moved by taps or keys, for as long as the timeline is shown; drawn(): it has
 * changed. */
function makeMoving(desk, drawn) {
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
		const longer = event.shiftKey || sits(r);
		moving.aim(steppedTo(moving.target, event.key, longer, desk.day.tables));
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

/* What is being moved, what can be tapped, and the ways out: above the lanes, so that none of them
 * moves away from below the finger. */
function drawMoving(desk, moving) {
	const r = moving.party();
	if (!r) return null;
	const { target } = moving;
	const openIt = () => {
		moving.end();
		open(desk, r);
	};
	const longer = (key) => () => moving.aim(steppedTo(target, key, true, []));
	const differs = wishOf(r, target);
	const bar = el(
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
				: button(t('openIt'), openIt, { class: 'soft' }),
			button(t('close'), moving.end, { class: 'plain' }),
		),
	);
	return el('div', { class: 'moving-place' }, bar);
}

/* ---- the lanes ---- */

/* What is unusual about where they sit: it stands in the block, and who or why in its title. */
function markOf(desk, r) {
	const beside = besideOf(r, desk.day.reservations).length > 0;
	if (beside || r.sharedTables?.length) return t('shared');
	return r.overbook ? t('beyond') : '';
}

/* From when to when: as it is booked, and of those who sit or have left as it was. */
function timesOf(desk, { r, minute, minutes }, ms) {
	const end = sits(r) ? desk.at(r.endsAt) : clockAt(minute + minutes);
	const over = overBy(r, ms);
	return [`${clockAt(minute)}–${end}`, over && t('over', over)].filter(Boolean).join(' · ');
}

function titleOf(desk, r, times) {
	const names = besideOf(r, desk.day.reservations).map((o) => o.guestName);
	return [
		times,
		r.guestName,
		tagText(r.tags),
		names.length && t('sharesWith', names.join(', ')),
		r.overbook && t('overbooked', r.overbook),
	]
		.filter(Boolean)
		.join(' · ');
}

function drawBlock(desk, spot, how) {
	const { r, row } = spot;
	const { span, moving, ms } = how;
	const sign = hasAllergy(r.tags) ? '\u26a0\ufe0e ' : '';
	const times = timesOf(desk, spot, ms);
	const mark = markOf(desk, r);
	const picked = moving.party() === r;
	const edge = el('i', { class: 'edge' });
	const node = el(
		'button',
		{
			type: 'button',
			class: `block ${classesOf(r, ms)}${picked ? ' picked' : ''}${mark && ' marked'}`,
			title: titleOf(desk, r, times),
			'data-id': String(r.reservationId),
			'aria-pressed': stands(r) ? String(picked) : undefined,
			onclick: () => onTap(desk, r, moving),
			onkeydown: (event) => onKey(desk, r, moving, event),
		},
		el('b', {}, `${sign}${r.guestName} ${r.partySize}`),
		' ',
		el('span', {}, [times, mark].filter(Boolean).join(' · ')),
		stands(r) && edge,
	);
	if (stands(r)) makeDraggable(desk, spot, node, edge, how);
	node.style.setProperty('--row', String(row));
	return place(node, span, spot.minute, spot.minutes);
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

/* The hours, but for one that the sign of now would lie on. */
const drawHours = (span, now) =>
	hoursOf(span)
		.filter((hour) => now === null || Math.abs(hour - now) > NEAR_MIN)
		.map((hour) =>
			place(el('span', { class: 'hour' }, timeOf((hour + DAY_MIN) % DAY_MIN)), span, hour),
		);

/* The minute that it is on this evening, if that is within the span. */
function minuteNow(desk, span) {
	const now = minuteOfEvening(desk.day, desk.clock());
	return now !== null && now >= span.from && now <= span.to ? now : null;
}

/* The line lies above the blocks and below what is written on them (desk.css). */
const drawNowLine = (now, span) =>
	now === null ? null : place(el('i', { class: 'now-line' }), span, now);

const drawNowSign = (now, span) =>
	now === null ? null : place(el('b', { class: 'now-sign' }, clockAt(now)), span, now);

function drawLane({ kind = 'lane', name = '', tableId, onclick, rows = 1 }, children) {
	const node = el(
		'div',
		{ class: kind, 'data-table': tableId, onclick },
		el('span', { class: 'lane-name' }, name),
		el('div', { class: 'track' }, children),
	);
	node.style.setProperty('--rows', String(rows));
	return node;
}

function drawLanes(desk, how) {
	const { tables, reservations } = desk.day;
	const { span, moving, now, ms } = how;
	const nameOf = (lane) => lane.name ?? t('noTable');
	return lanesOf(tables, blocksOf(reservations), ms).map((lane) =>
		drawLane(
			{
				name: nameOf(lane),
				tableId: lane.tableId,
				rows: lane.rows,
				onclick: (event) => onLaneTap(moving, span, lane.tableId, event),
			},
			[
				...drawClosures(desk, lane.tableId, span),
				...lane.spots.map((spot) => drawBlock(desk, spot, how)),
				drawGhost(moving, lane.tableId, span),
				drawNowLine(now, span),
			],
		),
	);
}

/* settled(): a block that was in the air lies again. */
function drawTimeline(desk, ms, settled, moving) {
	const { slots, house, reservations } = desk.day;
	const span = spanOf(slots, blocksOf(reservations), house.slotMinutes, ms);
	if (!span) return [el('p', { class: 'empty' }, t('closed'))];
	const tip = makeTip();
	const now = minuteNow(desk, span);
	const name = t('timeline');
	const head = drawLane({ kind: 'lane head' }, [...drawHours(span, now), drawNowSign(now, span)]);
	const lanes = el(
		'div',
		{ class: moving.party() ? 'lanes aiming' : 'lanes' },
		head,
		drawLanes(desk, { span, tip, settled, moving, now, ms }),
	);
	lanes.style.setProperty('--hours', String((span.to - span.from) / 60));
	return [
		drawMoving(desk, moving),
		el('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': name }, lanes),
		tip.node,
	];
}

/* Scrolls to where it was; the first time to now. */
function scrollAgain(body, before) {
	const node = body.querySelector('.scroll');
	const now = node?.querySelector('.now-line');
	if (!node || (before === undefined && !now)) return;
	node.scrollLeft = before ?? now.offsetLeft - NOW_AT * node.clientWidth;
}

export function view(desk, { body, update, settled }) {
	const moving = makeMoving(desk, update);
	return {
		draw: (ms) => drawTimeline(desk, ms, settled, moving),
		scrolled: () => body.querySelector('.scroll')?.scrollLeft,
		scrollAgain: (before) => scrollAgain(body, before),
	};
}
