/*
 * bookable.js - what can be booked: pure questions about a restaurant's days, months and slots.
 *
 * house: the answer of GET /api/restaurants/{id}; days are "YYYY-MM-DD" of the restaurant.
 */
import { addDays, asDate, clockTime, minutesOf, timeOf, weekdayOf } from '../dates.js';

const FEW_SEATS = 6;
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const TURNS = { PageUp: -1, PageDown: 1 };

/* ---- a reservation ---- */

/* The states in which seats are kept for a guest. */
export const ACTIVE = ['TEMPORARY', 'CONFIRMED', 'PREPAY_CONFIRM'];
export const isActive = (status) => ACTIVE.includes(status);

/* ---- opening hours ---- */

/* The services that pages have words for, and the one without a name. */
export const MEALS = ['breakfast', 'brunch', 'lunch', 'dinner', 'other'];

/* What the restaurant says of a special day, or ''. */
export const noteOf = (house, day) =>
	(house.specialDays ?? []).find((s) => s.day === day && s.note)?.note ?? '';

/* The spans a day is open; a special day replaces its weekday, unless it is as its week. */
export function spansOf(house, day) {
	const special = (house.specialDays ?? []).filter((s) => s.day === day && !s.asWeek);
	const usual = (house.hours ?? []).filter((h) => h.weekday === weekdayOf(day));
	return (special.length ? special : usual).filter((r) => r.opens && r.closes);
}

const closingText = (closes) => (closes === '24:00' ? closes : clockTime(closes));
export const spanText = (spans) =>
	spans.map((s) => `${s.opens}\u2060–\u2060${closingText(s.closes)}`).join(', ');

/* Is it ever open? */
export const hasHours = (house) =>
	[...(house.hours ?? []), ...(house.specialDays ?? [])].some((h) => h.opens && h.closes);

/* The last day that can be booked, or of which it is known when it can. */
export const lastDay = (house) => house.lastDate ?? addDays(house.today, house.policies.windowDays);

/* The special days that come next, at most this many. */
export const specialSoon = (house, most) =>
	[...new Set((house.specialDays ?? []).map((s) => s.day))]
		.filter((day) => day >= house.today)
		.sort()
		.slice(0, most);

/* Why nothing at all can be booked here just now, as the name of a text, or null. */
export function shutWord(house) {
	if (!hasHours(house)) return 'noHours';
	return house.paused ? 'paused' : null;
}

/* Why no guest can book this time, whatever its seats, as the name of a text; null if they can. */
export function whyVain(house, date, time, clock) {
	if (minutesTo(date, time, clock) <= 0) return 'timeOver';
	if (shutWord(house)) return shutWord(house);
	if (!spansOf(house, date).length) return 'dayShut';
	return date > lastDay(house) ? 'dayFar' : null;
}

/* ---- months ---- */

export const monthOf = (day) => day.slice(0, 7);

export function shiftMonth(month, by) {
	const date = asDate(`${month}-01`);
	date.setUTCMonth(date.getUTCMonth() + by);
	return date.toISOString().slice(0, 7);
}

/* The first month that begins not before `first` and not after `last`. */
export function clampMonth(month, first, last) {
	if (month < first) return first;
	return month > last ? last : month;
}

/* The first day of the week in which a day lies; first: 1 is Monday, 7 is Sunday. */
export const weekStart = (day, first) => addDays(day, -((weekdayOf(day) - first + 7) % 7));

const sevenFrom = (day) => Array.from({ length: 7 }, (_, i) => addDays(day, i));

/*
 * A month as rows of seven days from the first of the week on, null where the day is another
 * month's.  Weeks that were over before today are left out.
 */
export function weeksOf(month, today, first = 7) {
	const weeks = [];
	for (let day = weekStart(`${month}-01`, first); monthOf(day) <= month; day = addDays(day, 7))
		if (addDays(day, 6) >= today) weeks.push(sevenFrom(day));
	return weeks.map((week) => week.map((day) => (monthOf(day) === month ? day : null)));
}

/* The week from Monday on in which a day lies, or the next one where it is a Sunday. */
export const weekFrom = (day) => sevenFrom(addDays(weekStart(day, 7), 1));

/* The day that a key leads to from another, or null. */
export function dayByKey(from, key) {
	if (STEPS[key]) return addDays(from, STEPS[key]);
	if (!TURNS[key]) return null;
	const day = from.slice(8) > '28' ? '28' : from.slice(8);
	return `${shiftMonth(monthOf(from), TURNS[key])}-${day}`;
}

/* ---- days ---- */

const isOpen = ({ state }) => state === 'open' || state === 'few';

/* The first of these days that has room. */
export const firstOpen = (days) => days.find(isOpen);

/* The first of these days that has not opened yet. */
export const firstSoon = (days) => days.find(({ state }) => state === 'notYet');

/* Another day with room: the next one, or the last before a day that is too far away. */
export function otherOpen(days, date, last) {
	const open = days.filter(isOpen);
	return open.find((d) => d.date > date) ?? (date > last ? open.at(-1) : undefined);
}

/* What a day of the month looks like; `known` is what the API said of it. */
export function dayState(known, day, today) {
	return known?.state ?? (today && day < today ? 'past' : 'unknown');
}

/* A day that cannot be chosen. */
export const isDead = (state) => ['past', 'far', 'closed'].includes(state);

/* ---- slots ---- */

/* The three free times nearest to one that is not. */
export function nearest(time, slots) {
	const gap = (s) => Math.abs(minutesOf(s.slotTime) - minutesOf(time));
	return slots
		.filter((s) => s.available)
		.sort((a, b) => gap(a) - gap(b))
		.slice(0, 3);
}

/* Minutes from now to a time of a date.  clock: { today, minutes } at the restaurant. */
function minutesTo(date, time, clock) {
	const midnight = (asDate(date) - asDate(clock.today)) / 60000;
	return midnight + minutesOf(time) - clock.minutes;
}

/* The slots of a day that do not come too soon, for the house or for their service. */
export const inTime = (slots, date, clock, leadMinutes) =>
	slots.filter((s) => minutesTo(date, s.slotTime, clock) >= (s.leadMinutes ?? leadMinutes));

/* Until when a table is theirs, as a clock shows it; '' where the house does not say. */
export const tableUntil = (policies, slotTime, sittingMinutes) =>
	policies.tellsEnd && sittingMinutes ? timeOf((minutesOf(slotTime) + sittingMinutes) % 1440) : '';

/* By meal, in the order of the day: [label, slots] pairs. */
export function byMeal(slots) {
	const groups = new Map();
	for (const slot of slots) {
		const label = slot.label || 'other';
		groups.set(label, [...(groups.get(label) ?? []), slot]);
	}
	return [...groups];
}

/* How full a slot is for a party: 'full', 'few' or ''. */
export function fullness(slot, party) {
	if (!slot.available) return 'full';
	return slot.remaining <= Math.max(FEW_SEATS, party + 1) ? 'few' : '';
}

/* The slots of a day that has not opened: those with room can be chosen beforehand. */
export const beforehand = (slots, party) =>
	slots.map((slot) => ({
		...slot,
		available: slot.remaining >= party && fitsParty(slot, party),
	}));

/* Does its service take a party of this size? */
export const fitsParty = ({ partyMin = 1, partyMax = Infinity }, party) =>
	party >= partyMin && party <= partyMax;

/* Why a day has no time to choose, as the name of a text.  left: its times to come; full: those of
 * them that no block closes. */
export function whyNoTime(house, date, { shut, left, far, full = left }) {
	if (far || date > lastDay(house)) return 'dayFar';
	if (shut) return 'dayShut';
	if (left && !full) return 'dayBlocked';
	return left ? 'dayFull' : 'dayOver';
}

/* A party that the restaurant takes. */
export const fittingParty = (party, { partyMin, partyMax }, most) =>
	Math.max(partyMin, Math.min(party, partyMax, most));

export const takesParty = (party, { partyMin, partyMax }) =>
	Number.isInteger(party) && party >= partyMin && party <= partyMax;
