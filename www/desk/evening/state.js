/*
 * state.js - questions about a reservation, a table and an evening.
 *
 * Pure: no screen, no network, no language.  What depends on the moment is given it in ms.
 */
import { minutesOf, timeOf } from '../../dates.js';

const LATE_MIN = 15; /* this many minutes after its time a party that has not come is late */
const SOON_MIN = 30; /* a table that is booked so soon is said to be booked, not free */

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

/** How many minutes its stay is long, as booked. */
export const lengthOf = (r) => Math.round((Date.parse(r.endsAt) - Date.parse(r.startsAt)) / 60000);

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

/** What paidAmount is of it: all that came in, or what is left of it after what goes back. */
export const paidWord = (r) => (stands(r) && !r.dueBackAmount ? 'paid' : 'kept');

/** What came in, what is due, what goes back: amounts by their word, those that are not zero. */
export function amountsOf(r) {
	if (!r.totalAmount && !r.changeDue) return [];
	const due = stands(r) ? r.totalAmount - r.paidAmount : 0;
	return [
		[paidWord(r), r.paidAmount],
		['dueBack', r.dueBackAmount],
		['due', due],
		['changeWaits', r.changeDue],
	].filter(([, amount]) => amount > 0);
}

/** A number as it is said aloud: 010-2000-0001; those of other countries stay as they are. */
export const phoneText = (phone) =>
	phone?.replace(/^(02|0\d\d)(\d{3,4})(\d{4})$/, '$1-$2-$3') ?? '';

/* ---- a table ---- */

/** "3 + 4"; '' where it has no table, or had one that is gone since. */
export function tableNames({ tables }, day) {
	const nameOf = (id) => (day ? day.tables.find((o) => o.tableId === id)?.name : id);
	return tables.map(nameOf).filter(Boolean).join(' + ');
}

const isNow = (r, ms) =>
	r.visitStatus === 'SEATED' || (hasBegun(r, ms) && ms < Date.parse(r.endsAt));

const expected = (r) => stands(r) && ['PENDING', 'ARRIVED'].includes(r.visitStatus);

/** The parties on the floor: those whose time it is, and those who are here. */
export const onTheFloor = (rows, ms) =>
	rows.filter((r) => active(r) && (isNow(r, ms) || isHere(r)));

/** Those of them who have no table: no card of a table has them. */
export const withoutTable = (rows, ms) => onTheFloor(rows, ms).filter((r) => !r.tables.length);

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

/* What the box calls who gave no name, in the language of the tablet that seated them. */
const NAMELESS = ['Walk-in', '워크인'];

/** A walk-in without a name has this one, on whichever tablet. */
export const named = (r, word) =>
	r.source === 'WALK_IN' && NAMELESS.includes(r.guestName) ? { ...r, guestName: word } : r;

/** How long a party stays that comes at that minute of the day: as those of the time before. */
export function sittingAt({ slots, house }, minute) {
	const before = slots.filter((s) => minutesOf(s.slotTime) <= minute).at(-1) ?? slots[0];
	return before?.sittingMinutes ?? house.slotMinutes;
}

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

/** The clock's time at which those who come last that day have gone: until then a block lasts. */
export function eveningEnd(day) {
	const last = day.slots.at(-1);
	if (!last) return '00:00';
	const minute = minutesOf(last.slotTime);
	return timeOf((minute + sittingAt(day, minute)) % 1440);
}

/** Of a block that begins when the evening is over that end would be the next day's: it lasts until
 * midnight. */
export function blockEnd(end, from) {
	const pastMidnight = end < '06:00' && from >= '06:00';
	return pastMidnight || end > from ? end : '00:00';
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
