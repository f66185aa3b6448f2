/*
 * owner.js - questions of the owner's pages: days and hours of the house, its rules, its openings.
 *
 * Pure: no screen, no network, no language.
 */
import { addDays, asDate, dayAt, secondAt, timeOf } from '../dates.js';
import { depositOf } from '../terms.js';

/* ---- days and hours ---- */

/** How guests find these hours: those that are both meals have no name of their own. */
export function mealOf(opens, closes) {
	if (opens < '16:00' && (closes > '18:00' || closes <= opens)) return '';
	if (opens < '10:00') return 'breakfast';
	return opens < '16:00' ? 'lunch' : 'dinner';
}

/** The meals that pages have words for; every other name of a service is the owner's. */
export const MEALS = ['breakfast', 'brunch', 'lunch', 'dinner'];

/** What a service may have of its own, in the order of its form. */
export const OWN_RULES = [
	'slotMinutes',
	'reservationLimit',
	'sittingMinutes',
	'sittingLargeMinutes',
	'partyMin',
	'partyMax',
	'leadMinutes',
	'depositPerPerson',
	'depositLargePerPerson',
];

/** The seven weekdays from one on; 1 is Monday. */
export const weekdaysFrom = (first) =>
	Array.from({ length: 7 }, (_, i) => ((first - 1 + i) % 7) + 1);

/** Services that differ by their weekday alone are one, with several weekdays. */
export function sameServices(rows) {
	const found = new Map();
	for (const { weekday, ...service } of rows) {
		const key = JSON.stringify(Object.entries(service).sort());
		const one = found.get(key) ?? { ...service, weekdays: [] };
		one.weekdays.push(weekday);
		found.set(key, one);
	}
	return [...found.values()];
}

/**
 * A week in which every day is as its Monday, or as the first day from there that is open; from:
 * that day.  Null where there is none, or every day is so already.
 */
export function sameEveryDay(rows) {
	const from = [1, 2, 3, 4, 5, 6, 7].find((day) => rows.some((row) => row.weekday === day));
	if (!from) return null;
	const model = rows.filter((row) => row.weekday === from);
	const week = [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
		model.map((row) => ({ ...row, weekday })),
	);
	const spelt = (list) => list.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
	const same = JSON.stringify(spelt(rows)) === JSON.stringify(spelt(week));
	return same ? null : { from, rows: week };
}

/** The midnight that ends that day at the restaurant, in ms. */
export function endOfDay(day, zone) {
	const utc = asDate(addDays(day, 1)).getTime();
	const there = Date.parse(`${dayAt(utc, zone)}T${secondAt(utc, zone)}Z`);
	return utc - (there - utc);
}

/* ---- rules ---- */

/*
 * A rule is a setting of core/settings.h.  Its label and its sentence are among the words of the
 * desk, its range comes from the box.
 */

/**
 * The cards in the order of the page.  What an engineer tunes (waitMs, userLockMs, rateLimitPerSec)
 * is in no card: it stays out of the owner's way.
 */
export const GROUPS = {
	times: [
		'slotMinutes',
		'reservationLimit',
		'seats',
		'sittingMinutes',
		'sittingLargeFrom',
		'sittingLargeMinutes',
		'bufferMinutes',
		'staffSeats',
		'staffSeatsHours',
	],
	booking: [
		'partyMin',
		'partyMax',
		'leadMinutes',
		'windowDays',
		'upcomingPerGuest',
		'holdsPerGuest',
	],
	deposit: [
		'depositFrom',
		'depositNoShows',
		'depositPerPerson',
		'depositLargeFrom',
		'depositLargePerPerson',
		'holdSeconds',
	],
	refund: [
		'refundDayBeforePct',
		'refundSameDayPct',
		'refundCutoffMinutes',
		'refundLatePct',
		'refundLargeFrom',
		'refundLateLargePct',
	],
	waitlist: [
		'waitlistPerGuest',
		'waitlistOfferMinutes',
		'waitlistKeepMinutes',
		'waitlistSkip',
		'doorCallMinutes',
	],
	privacy: ['retentionMonths'],
	messages: [
		'mailGuests',
		'smsGuests',
		'tellOwner',
		'daySheetHour',
		'remindDayHours',
		'remindMinutes',
		'quietFrom',
		'quietTo',
		'proveContact',
		'proveSeconds',
	],
};

/* Whom the sentence about deposits names: two guests, or the first that are asked, and a large
 * party. */
const fewest = (v) => Math.max(2, v.depositFrom);
const many = (v) => Math.max(fewest(v), v.depositLargeFrom);

/** The largest party that guests can book a table for; joins name their tables. */
export function largestOnline(tables, sets) {
	const online = tables.filter((table) => table.openTo === 'ONLINE');
	const names = new Set(online.map((table) => table.name));
	const joined = sets.filter((set) => set.tables.every(({ name }) => names.has(name)));
	return Math.max(0, ...[...online, ...joined].map((one) => one.seatsMax));
}

/** Does a service, or a day to come, ask for a deposit of its own?  house: as guests know it. */
export const hasOwnDeposits = ({ hours = [], specialDays = [] } = {}) =>
	[...hours, ...specialDays].some((s) => s.depositPerPerson > 0 || s.depositLargePerPerson > 0);

const ON_OFF = ['off', 'on'];

/** The words of a rule's choices, from 0 on. */
export const CHOICES = {
	waitlistSkip: ON_OFF,
	mailGuests: ON_OFF,
	smsGuests: ON_OFF,
	proveContact: ON_OFF,
	tellOwner: ['off', 'each', 'hourly'],
};

/** Kept in seconds, shown in minutes. */
const IN_MINUTES = ['holdSeconds', 'proveSeconds'];

/** An amount as it stands in a field: "19.50" for 1950 with two digits; and back. */
export const typedOf = (amount, digits) => (amount / 10 ** digits).toFixed(digits);
export const amountOf = (typed, digits) => Math.round(Number(typed) * 10 ** digits);

/** A hundredth of an amount that refunds are explained with: of 10,000 won, of 20 euros. */
export const hundredthOf = (digits) => (digits ? 2 * 10 ** (digits - 1) : 100);

/**
 * A number as the owner sees it, in its unit; kept(typed): as the box has it.  digits: of the
 * house's currency.
 */
export function shownAs({ name, value, min, max, money }, digits = 0) {
	if (money) {
		return {
			value: typedOf(value, digits),
			min,
			max: max / 10 ** digits,
			step: typedOf(1, digits),
			kept: (typed) => amountOf(typed, digits),
		};
	}
	const unit = IN_MINUTES.includes(name) ? 60 : 1;
	const shown = unit === 1 ? value : Math.max(1, Math.round(value / unit));
	return {
		value: shown,
		min: Math.ceil(min / unit),
		max: Math.floor(max / unit),
		step: 1,
		/* Minutes that the owner did not touch are the seconds they were. */
		kept: (typed) => (typed === String(shown) ? value : Number(typed) * unit),
	};
}

const EVENING = 18 * 60;
const after = (minutes) => timeOf((EVENING + minutes) % 1440);

/**
 * What the sentence "guests see" is made of, from the values that are in the fields now; sum(n)
 * writes an amount, example is a hundredth of one (of 10,000 won, or of 20 euros).
 */
export const SEEN = {
	times: (v) => {
		const stay = v.sittingMinutes || v.slotMinutes;
		return {
			times: [0, 1, 2].map((i) => after(i * v.slotMinutes)).join(', '),
			until: after(stay),
			largeFrom: v.sittingLargeMinutes ? v.sittingLargeFrom : 0,
			untilLarge: after(v.sittingLargeMinutes || stay),
		};
	},
	booking: (v) => ({
		least: v.partyMin,
		most: v.partyMax,
		days: v.windowDays,
		minutes: v.leadMinutes,
	}),
	deposit: (v, sum, _, house) => ({
		own: hasOwnDeposits(house),
		free: !depositOf(v, fewest(v)) && !depositOf(v, many(v)),
		few: fewest(v),
		two: sum(depositOf(v, fewest(v))),
		largeFrom: many(v),
		large: sum(depositOf(v, many(v))),
		minutes: Math.round(v.holdSeconds / 60),
	}),
	refund: (v, sum, example) => ({
		paid: sum(100 * example),
		before: sum(example * v.refundDayBeforePct),
		sameDay: sum(example * v.refundSameDayPct),
		minutes: v.refundCutoffMinutes,
		late: sum(example * v.refundLatePct),
		largeFrom: v.refundLargeFrom,
		lateLarge: sum(example * v.refundLateLargePct),
	}),
};

/* ---- openings ---- */

const BARS_MAX = 40;

/** Requests of each second as bars, several seconds in one where there are many. */
export function arrivalBars(arrivals) {
	const each = Math.max(1, Math.ceil(arrivals.length / BARS_MAX));
	const starts = arrivals.map((_, i) => i).filter((i) => i % each === 0);
	return starts.map((from) => ({
		name: each === 1 ? `${from} s` : `${from}–${from + each - 1} s`,
		mark: String(from),
		count: arrivals.slice(from, from + each).reduce((a, b) => a + b, 0),
	}));
}

/** Milliseconds as seconds, with as many digits as mean something. */
export const secondsText = (ms) =>
	ms < 10000 ? (ms / 1000).toFixed(1) : String(Math.round(ms / 1000));
