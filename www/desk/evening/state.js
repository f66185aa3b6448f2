/*
 * state.js - questions about a reservation, a table and an evening.
 *
 * Pure: no screen, no network, no language.  What depends on the moment is given it in ms.
 */
import { minutesOf, timeOf } from '../../dates.js';

const LATE_MIN = 15; /* this many minutes after its time a party that has not come is late */
const SOON_MIN = 30; /* a table that is booked so soon is said to be booked, not free */
const DRAG_MIN = 15; /* a block that is dragged moves by this many minutes */
const LAST_MINUTE = 30 * 60 - 1; /* of an evening, which may last past midnight */

/* ---- one reservation ---- */

/** Does it hold seats? */
export const active = (r) => stands(r) || r.status === 'REFUND_PENDING';

/** Are these guests expected? */
export const coming = (r) => ['CONFIRMED', 'PREPAY_CONFIRM'].includes(r.status);

/** Does it hold its seats for guests who may still come? */
export const stands = (r) => r.status === 'TEMPORARY' || coming(r);

/** Money can come for a reservation that is over. */
export const isOver = (r) => ['EXPIRED', 'CANCELED'].includes(r.status);

/** Can more money be taken for it, beside the payment it waits for? */
export function mayPayAgain(r) {
	if (r.changeDue > 0) return true;
	return r.totalAmount > 0 && (isOver(r) || (coming(r) && r.paidAmount > 0));
}

/** Whole minutes from now until then; negative when it has passed. */
export const minutesTo = (iso, ms) => Math.floor((Date.parse(iso) - ms) / 60000);

export const hasBegun = (r, ms) => Date.parse(r.startsAt) <= ms;

/** Do they say that they are at the door?  Staff still tap *Arrived*. */
export const saysHere = (r) => coming(r) && r.visitStatus === 'PENDING' && r.here === true;

/** Late and over time are no states of the book: they are what the clock makes of one. */
export const isLate = (r, ms) =>
	coming(r) &&
	r.visitStatus === 'PENDING' &&
	!saysHere(r) &&
	minutesTo(r.startsAt, ms) <= -(LATE_MIN + (r.lateMinutes ?? 0));

export const isHere = (r) => coming(r) && ['SEATED', 'ARRIVED'].includes(r.visitStatus);

/** They have come, and stand there until they are seated. */
export const isWaiting = (r) => coming(r) && r.visitStatus === 'ARRIVED';

/** For so many minutes. */
export const waitedFor = (r, ms) =>
	Math.max(0, Math.floor((ms - Date.parse(r.arrivedAt ?? r.hereAt ?? ms)) / 60000)) || 0;

/** Minutes that a seated party has stayed beyond its time, or 0. */
export const overBy = (r, ms) =>
	coming(r) && r.visitStatus === 'SEATED' ? Math.max(0, -minutesTo(r.endsAt, ms)) : 0;

/** The word that a badge shows: of the visit once it has begun, else of the reservation. */
export function stageOf(r) {
	if (coming(r) && r.visitStatus !== 'PENDING') return { group: 'v', word: r.visitStatus };
	return { group: 's', word: r.status };
}

/** The classes of a row or block: its states, and what the clock makes of them. */
export function classesOf(r, ms) {
	const derived = [isLate(r, ms) && 'late', overBy(r, ms) && 'over'].filter(Boolean);
	return [r.status.toLowerCase(), r.visitStatus.toLowerCase(), ...derived].join(' ');
}

/** What came in, what is due, what goes back: amounts by their word, those that are not zero. */
export function amountsOf(r) {
	if (!r.totalAmount && !r.changeDue) return [];
	const due = stands(r) ? r.totalAmount - r.paidAmount : 0;
	return [
		['paid', r.paidAmount],
		['dueBack', r.dueBackAmount],
		['due', due],
		['changeWaits', r.changeDue],
	].filter(([, amount]) => amount > 0);
}

/* ---- a table ---- */

/** "3 + 4"; '' where it has no table. */
export function tableNames({ tables }, day) {
	const nameOf = (id) => day?.tables.find((table) => table.tableId === id)?.name ?? id;
	return tables.map(nameOf).join(' + ');
}

const isNow = (r, ms) =>
	r.visitStatus === 'SEATED' || (hasBegun(r, ms) && ms < Date.parse(r.endsAt));

const expected = (r) => stands(r) && ['PENDING', 'ARRIVED'].includes(r.visitStatus);

/** The parties on the floor: those whose time it is, and those who are here. */
export const onTheFloor = (rows, ms) =>
	rows.filter((r) => active(r) && (isNow(r, ms) || isHere(r)));

/**
 * Who has this table now, and who comes next: one who is seated before one who stands there, and
 * that one before who is only due.  The next one may be due already, or stand there, while others
 * still sit.
 */
export function tableAt(rows, tableId, ms) {
	const list = rows
		.filter((r) => active(r) && r.tables.includes(tableId))
		.sort((a, b) => a.startsAt.localeCompare(b.startsAt));
	const here =
		list.find((r) => r.visitStatus === 'SEATED') ??
		list.find(isWaiting) ??
		list.find((r) => isNow(r, ms));
	const comes = (r) => r !== here && expected(r) && ms < Date.parse(r.endsAt);
	return { here, next: list.find(comes) };
}

/** Who else sits where r does, on purpose. */
export const besideOf = (r, rows) =>
	r.visitStatus !== 'SEATED' || !coming(r)
		? []
		: rows.filter(
				(o) =>
					o.reservationId !== r.reservationId &&
					coming(o) &&
					o.visitStatus === 'SEATED' &&
					o.tables.some((id) => r.tables.includes(id)),
			);

/** free, soon, over, arrived, taken, late or due. */
export function tableState(here, ms, next) {
	if (!here) return next && minutesTo(next.startsAt, ms) <= SOON_MIN ? 'soon' : 'free';
	if (overBy(here, ms)) return 'over';
	if (isWaiting(here)) return 'arrived';
	if (isHere(here)) return 'taken';
	return isLate(here, ms) ? 'late' : 'due';
}

const URGENCY = ['over', 'arrived', 'late', 'due', 'taken', 'soon', 'free'];

/**
 * Tables with what is theirs now: { table, here, next, state }.  Those that need something come
 * first, and of those that are booked soon the next one.
 */
export function tablesNow(tables, rows, ms) {
	const all = tables.map((table) => {
		const at = tableAt(rows, table.tableId, ms);
		return { table, ...at, state: tableState(at.here, ms, at.next) };
	});
	const rank = ({ state }) => URGENCY.indexOf(state);
	const comes = ({ state, next }) => (state === 'soon' ? minutesTo(next.startsAt, ms) : 0);
	return all.sort((a, b) => rank(a) - rank(b) || comes(a) - comes(b));
}

/* ---- an evening ---- */

const people = (rows) => rows.reduce((n, r) => n + r.partySize, 0);

export const totalsOf = (rows) => ({
	covers: people(rows.filter((r) => active(r) || r.status === 'COMPLETED')),
	toCome: people(rows.filter((r) => active(r) && r.visitStatus === 'PENDING')),
	here: people(rows.filter(isHere)),
});

/**
 * The list by time.  Apart from it stand those who have come and are not seated, who came first
 * before the others; those who are late; and those who are gone.
 */
export function listOf(rows, ms) {
	const isAtTheDoor = (r) => isWaiting(r) || saysHere(r);
	const waiting = rows.filter(isAtTheDoor);
	const late = rows.filter((r) => isLate(r, ms));
	const others = rows.filter((r) => active(r) && !isLate(r, ms) && !isAtTheDoor(r));
	const times = [...new Set(others.map((r) => r.slotTime))].sort();
	return {
		waiting: waiting.sort((a, b) => waitedFor(b, ms) - waitedFor(a, ms)),
		late,
		times: times.map((time) => {
			const parties = others.filter((r) => r.slotTime === time);
			return { time, parties, people: people(parties) };
		}),
		gone: rows.filter((r) => !active(r)),
	};
}

/** The times of a day that are not over yet. */
export function slotsAhead(day, { today, time }) {
	if (day.date < today) return [];
	if (day.date > today) return day.slots;
	const now = minutesOf(time);
	return day.slots.filter((s) => minutesOf(s.slotTime) + day.house.slotMinutes > now);
}

/** The first time of that day that is still to come; the last one when all are over. */
export function nextTime(day, { today, time }) {
	const slots = day.slots.map((s) => s.slotTime);
	return slots.find((slot) => day.date > today || slot > time) ?? slots.at(-1);
}

/** The first time to come without a seat, which guests wait for; the last one when none is full. */
export function fullTime(day, { today, time }) {
	const ahead = (s) => day.date > today || s.slotTime > time;
	const full = day.slots.find((s) => !s.remaining && ahead(s));
	return (full ?? day.slots.at(-1))?.slotTime;
}

/* ---- what is blocked ---- */

const WEEK_MIN = 7 * 24 * 60;
const minuteAt = (local) => Date.parse(`${local}:00Z`) / 60000;

/**
 * The blocks that touch the times of this day, each with from and to in minutes of the day: below 0
 * is the day before, from 1440 on the night and the day after.
 */
export function closuresOf({ date, slots, house, blocks = [] }) {
	const times = slots.map((s) => minutesOf(s.slotTime));
	const first = times.length ? Math.min(...times) : 0;
	const end = times.length ? Math.max(...times) + house.slotMinutes : WEEK_MIN / 7;
	const midnight = minuteAt(`${date}T00:00`);
	return blocks.flatMap((block) => {
		const from = minuteAt(block.from) - midnight;
		const to = minuteAt(block.to) - midnight;
		const weeks = block.weekly && to <= first ? Math.floor((first - to) / WEEK_MIN) + 1 : 0;
		const moved = { ...block, from: from + weeks * WEEK_MIN, to: to + weeks * WEEK_MIN };
		return moved.from < end && moved.to > first ? [moved] : [];
	});
}

/** The minute of this evening that it is now, past 1440 after midnight; null: another evening. */
export function minuteOfEvening(day, { today, time }) {
	if (day.date !== (day.today ?? today)) return null;
	return minutesOf(time) + (today > day.date ? WEEK_MIN / 7 : 0);
}

/** Is the house closed to guests online now, for what is left of this evening's times? */
export function isShut(day, clock) {
	const now = minuteOfEvening(day, clock);
	const last = day.slots.at(-1);
	return closuresOf(day).some(
		(c) => !c.tables.length && c.from <= now && (!last || c.to > minutesOf(last.slotTime)),
	);
}

/** Is this table, or the house, blocked at that moment of the day? */
export const closedAt = (day, tableId, minute) =>
	closuresOf(day).find(
		(c) =>
			(c.tables.length ? c.tables.includes(tableId) : !c.online) &&
			c.from <= minute &&
			minute < c.to,
	);

/* ---- the timeline ---- */

/** Those that have a block: everybody but who never came. */
export const blocksOf = (rows) => rows.filter((r) => active(r) || r.status === 'COMPLETED');

const overlap = (a, b) => a.startsAt < b.endsAt && b.startsAt < a.endsAt;

/**
 * A lane for each table, and as many as it takes for those without one, each where it covers no
 * other.  Without any table there is one such lane at least.
 */
export function lanesOf(tables, rows) {
	const lanes = tables.map(({ name, tableId }) => ({
		name,
		tableId,
		rows: rows.filter((r) => r.tables.includes(tableId)),
	}));
	const loose = tables.length ? [] : [{ rows: [] }];
	for (const r of rows.filter((o) => !o.tables.length)) {
		const lane = loose.find((l) => !l.rows.some((o) => overlap(o, r)));
		if (lane) lane.rows.push(r);
		else loose.push({ rows: [r] });
	}
	return [...lanes, ...loose];
}

/** How many minutes its block is long. */
export const lengthOf = (r) => Math.round((Date.parse(r.endsAt) - Date.parse(r.startsAt)) / 60000);

/**
 * From the full hour before the first time until the last party leaves, in minutes of the day that
 * may go on beyond midnight; null on a day without times.
 */
export function spanOf(slots, rows, slotMinutes) {
	const times = [...slots, ...rows].map((o) => minutesOf(o.slotTime));
	if (!times.length) return null;
	const ends = rows.map((r) => minutesOf(r.slotTime) + lengthOf(r));
	const from = Math.floor(Math.min(...times) / 60) * 60;
	const to = Math.max(Math.max(...times) + slotMinutes, ...ends);
	return { from, to };
}

export const hoursOf = ({ from, to }) =>
	Array.from({ length: Math.ceil((to - from) / 60) }, (_, i) => from + i * 60);

/* ---- moving a block ---- */

const quarters = (minutes) => Math.round(minutes / DRAG_MIN) * DRAG_MIN;
const within = (minute) => Math.min(LAST_MINUTE, Math.max(0, minute));

/** Where a block lies: the minute, the table (0: none), and how many minutes it is long. */
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
	return { ...is, minute: within(minute), tableId: tableId || is.tableId };
}

/** The same of its end, which was dragged by so much. */
export function stretchedTo(r, { share, span }) {
	const is = placeOf(r);
	const minutes = is.minutes + quarters(share * (span.to - span.from));
	return { ...is, minutes: Math.min(WEEK_MIN / 7, Math.max(DRAG_MIN, minutes)) };
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
	return { ...is, minute: within(minute), tableId: tableId || is.tableId };
}

/** Where it is put by an arrow key, from that place; longer: its end is meant. */
export function steppedTo(place, key, longer, tables) {
	const step = { ArrowLeft: -DRAG_MIN, ArrowRight: DRAG_MIN }[key] ?? 0;
	const down = { ArrowUp: -1, ArrowDown: 1 }[key] ?? 0;
	if (longer && step) return { ...place, minutes: Math.max(DRAG_MIN, place.minutes + step) };
	const ids = tables.map((table) => table.tableId);
	const lane = ids.indexOf(place.tableId) + down;
	const tableId = ids[Math.min(ids.length - 1, Math.max(0, lane))] ?? 0;
	return { ...place, minute: within(place.minute + step), tableId: down ? tableId : place.tableId };
}
