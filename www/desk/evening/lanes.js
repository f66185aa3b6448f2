/*
 * lanes.js - where a party lies on the timeline, and where it is put by a hand, a tap or a key.
 *
 * Pure: no screen, no network, no language.  Minutes are those of the day, and go on beyond
 * midnight.
 */
import { minutesOf, timeOf } from '../../dates.js';
import { active, coming, lengthOf, overBy } from './state.js';

const DRAG_MIN = 15; /* a block that is dragged moves by this many minutes */
const DAY_MIN = 24 * 60;
const LAST_MINUTE = 30 * 60 - 1; /* of an evening, which may last past midnight */
const SHORTEST_MIN = 5; /* so long is a block that can be read */
const FORGOTTEN_MIN = 6 * 60; /* so long beyond its time nobody sits: *Left* was not tapped */

/* ---- where a party lies ---- */

const endOf = ({ minute, minutes }) => minute + minutes;

/** Those that have a block: everybody but who never came. */
export const blocksOf = (rows) => rows.filter((r) => active(r) || r.status === 'COMPLETED');

/** Are they at their table? */
export const sits = (r) => coming(r) && r.visitStatus === 'SEATED';

/* So many minutes after the time for which it is booked; before it: fewer than 0. */
const minutesIn = (r, ms) => Math.floor((ms - Date.parse(r.startsAt)) / 60000);

/**
 * From when to when its block goes: as it is booked, until they sit or have left, and then as it
 * was: they came early or late, stay over their time, or left.
 */
export function spotOf(r, ms) {
	const booked = lengthOf(r);
	const been = r.seatedAt && (sits(r) || r.status === 'COMPLETED');
	const from = been ? minutesIn(r, Date.parse(r.seatedAt)) : 0;
	const left = been && r.leftAt ? minutesIn(r, Date.parse(r.leftAt)) : booked;
	const to = Math.min(sits(r) ? booked + overBy(r, ms) : left, booked + FORGOTTEN_MIN);
	return { minute: minutesOf(r.slotTime) + from, minutes: Math.max(SHORTEST_MIN, to - from) };
}

/**
 * Each party with its spot and its row: parties that lie at one time lie below each other, since
 * they sit together, or one has not left when the next one comes.
 */
export function stack(parties, ms) {
	const free = []; /* from which minute on, row by row */
	return parties
		.map((r) => ({ r, ...spotOf(r, ms) }))
		.sort((a, b) => a.minute - b.minute || a.r.reservationId - b.r.reservationId)
		.map((spot) => {
			const found = free.findIndex((minute) => minute <= spot.minute);
			const row = found < 0 ? free.length : found;
			free[row] = spot.minute + spot.minutes;
			return { ...spot, row };
		});
}

/**
 * A lane for each table, and one for those without, where there are any: { name, tableId, spots,
 * rows }.  Without any table there is that one at least.
 */
export function lanesOf(tables, parties, ms) {
	const lane = (which, more) => {
		const spots = stack(parties.filter(which), ms);
		const rows = 1 + Math.max(0, ...spots.map(({ row }) => row));
		return { ...more, spots, rows };
	};
	const lanes = tables.map(({ name, tableId }) =>
		lane((r) => r.tables.includes(tableId), { name, tableId }),
	);
	const ids = tables.map(({ tableId }) => tableId); /* a table may be gone since */
	const loose = lane((r) => !r.tables.some((id) => ids.includes(id)), {});
	return loose.spots.length || !tables.length ? [...lanes, loose] : lanes;
}

/**
 * From the full hour before the first time until the last party leaves, in minutes of the day that
 * may go on beyond midnight; null on a day without times.
 */
export function spanOf(slots, parties, slotMinutes, ms) {
	const spots = parties.map((r) => spotOf(r, ms));
	const times = slots.map((s) => minutesOf(s.slotTime));
	const begins = [...times, ...spots.map((s) => s.minute)];
	if (!begins.length) return null;
	const ends = [...times.map((minute) => minute + slotMinutes), ...spots.map(endOf)];
	return { from: Math.floor(Math.min(...begins) / 60) * 60, to: Math.max(...ends) };
}

export const hoursOf = ({ from, to }) =>
	Array.from({ length: Math.ceil((to - from) / 60) }, (_, i) => from + i * 60);

/* ---- moving a block ---- */

const quarters = (minutes) => Math.round(minutes / DRAG_MIN) * DRAG_MIN;
const within = (minute) => Math.min(LAST_MINUTE, Math.max(0, minute));

/* Who sits came when they came: they are moved to another table, and not to another time. */
const timeFor = (r, minute) => (sits(r) ? minutesOf(r.slotTime) : within(minute));

/** What is booked: the minute, the table (0: none), and how many minutes long. */
export const placeOf = (r) => ({
	minute: minutesOf(r.slotTime),
	tableId: r.tables[0] ?? 0,
	minutes: lengthOf(r),
});

/** What the box is asked for, so that it lies there instead; null: it lies there. */
export function wishOf(r, { minute, tableId, minutes }) {
	const is = placeOf(r);
	const moved = minute !== is.minute;
	const elsewhere = tableId > 0 && !r.tables.includes(tableId);
	const longer = minutes !== is.minutes;
	if (!moved && !elsewhere && !longer) return null;
	const tables = (elsewhere ? [tableId] : r.tables).map((id) => ({ tableId: id }));
	return {
		...(moved ? { slotTime: timeOf(minute) } : {}),
		...((moved || elsewhere) && tables.length ? { tables } : {}),
		...(longer ? { sittingMinutes: minutes } : {}),
	};
}

/**
 * Where it is put that was dragged by so much of the span (1: all of it), to the lane of that table
 * or within its own (0).
 */
export function draggedTo(r, { share, span, tableId }) {
	const is = placeOf(r);
	const minute = is.minute + quarters(share * (span.to - span.from));
	return { ...is, minute: timeFor(r, minute), tableId: tableId || is.tableId };
}

/** The same of its end, which was dragged by so much; over: so long it has stayed beyond it. */
export function stretchedTo(r, { share, span, over = 0 }) {
	const is = placeOf(r);
	const minutes = is.minutes + quarters(over + share * (span.to - span.from));
	return { ...is, minutes: Math.min(DAY_MIN, Math.max(DRAG_MIN, minutes)) };
}

/**
 * Where it is put by a tap on a lane at that share of the span.  A tap above or below the block
 * means the table alone; elsewhere the quarter of an hour is meant as well.
 */
export function tappedTo(r, { share, span, tableId }) {
	const is = placeOf(r);
	const at = span.from + share * (span.to - span.from);
	const beside = at < is.minute || at >= is.minute + is.minutes;
	const minute = beside ? Math.floor(at / DRAG_MIN) * DRAG_MIN : is.minute;
	return { ...is, minute: timeFor(r, minute), tableId: tableId || is.tableId };
}

/**
 * Where it is put by an arrow key, from that place; longer: its end is meant, as it is of those who
 * sit.
 */
export function steppedTo(place, key, longer, tables) {
	const step = { ArrowLeft: -DRAG_MIN, ArrowRight: DRAG_MIN }[key] ?? 0;
	const down = { ArrowUp: -1, ArrowDown: 1 }[key] ?? 0;
	if (longer && step) return { ...place, minutes: Math.max(DRAG_MIN, place.minutes + step) };
	const ids = tables.map((table) => table.tableId);
	const lane = ids.indexOf(place.tableId) + down;
	const tableId = ids[Math.min(ids.length - 1, Math.max(0, lane))] ?? 0;
	return { ...place, minute: within(place.minute + step), tableId: down ? tableId : place.tableId };
}
