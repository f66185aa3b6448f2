/*
 * owner.js - questions of the owner's pages: days and hours of the house, its rules, its numbers.
 *
 * Pure: no screen, no network, no language.
 */
import { addDays, asDate, dayAt, secondAt, timeOf, weekdayOf } from '../dates.js';
import { depositOf } from '../terms.js';

/* ---- days and hours ---- */

/** How guests find these hours: those that are both meals have no name of their own. */
export function mealOf(opens, closes) {
	if (opens < '16:00' && closes > '18:00') return '';
	if (opens < '10:00') return 'breakfast';
	return opens < '16:00' ? 'lunch' : 'dinner';
}

/** open, shut, or other: what a day is to the house. */
export function dayState({ specialDays = [], hours }, day) {
	const special = specialDays.filter((s) => s.day === day);
	if (special.length) return special.some((s) => s.opens) ? 'other' : 'shut';
	return hours.some((h) => h.weekday === weekdayOf(day)) ? 'open' : 'shut';
}

/** "11:30–14:00, 17:00–22:00"; '' for a day that is closed. */
export const hoursShown = (spans) =>
	spans
		.filter((s) => s.opens)
		.map((s) => `${s.opens}–${s.closes}`)
		.join(', ');

/**
 * The days of a month ("2026-11"), and how many cells are empty before its first: weeks begin on
 * Sunday.
 */
export function monthOf(month) {
	const first = `${month}-01`;
	const days = [];
	for (let day = first; day.startsWith(month); day = addDays(day, 1)) days.push(day);
	return { lead: asDate(first).getUTCDay(), days };
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
	],
	booking: [
		'partyMin',
		'partyMax',
		'leadMinutes',
		'windowDays',
		'upcomingPerGuest',
		'holdsPerGuest',
		'callingCode',
	],
	deposit: ['depositPerPerson', 'depositLargeFrom', 'depositLargePerPerson', 'holdSeconds'],
	refund: [
		'refundDayBeforePct',
		'refundSameDayPct',
		'refundCutoffMinutes',
		'refundLatePct',
		'refundLargeFrom',
		'refundLateLargePct',
	],
	waitlist: ['waitlistPerGuest', 'waitlistOfferMinutes', 'waitlistKeepMinutes', 'waitlistSkip'],
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

/** A number as the owner sees it, in its unit; kept(typed): as the box has it. */
export function shownAs({ name, value, min, max }) {
	const unit = IN_MINUTES.includes(name) ? 60 : 1;
	const shown = unit === 1 ? value : Math.max(1, Math.round(value / unit));
	return {
		value: shown,
		min: Math.ceil(min / unit),
		max: Math.floor(max / unit),
		/* Minutes that nobody touched are the seconds they were. */
		kept: (typed) => (typed === String(shown) ? value : Number(typed) * unit),
	};
}

const EVENING = 18 * 60;
const after = (minutes) => timeOf((EVENING + minutes) % 1440);

/**
 * What the sentence "guests see" is made of, from the values that are in the fields now; sum(n)
 * writes an amount.
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
	deposit: (v, sum) => ({
		free: !depositOf(v, 2) && !depositOf(v, v.depositLargeFrom),
		two: sum(depositOf(v, 2)),
		largeFrom: v.depositLargeFrom,
		large: sum(depositOf(v, v.depositLargeFrom)),
		minutes: Math.round(v.holdSeconds / 60),
	}),
	refund: (v, sum) => ({
		paid: sum(10000),
		before: sum(100 * v.refundDayBeforePct),
		sameDay: sum(100 * v.refundSameDayPct),
		minutes: v.refundCutoffMinutes,
		late: sum(100 * v.refundLatePct),
		largeFrom: v.refundLargeFrom,
		lateLarge: sum(100 * v.refundLateLargePct),
	}),
};

/* ---- numbers ---- */

const PIECE_DAYS = 31;

/** A long time is read in pieces: each answer comes soon, and the owner sees how far it is. */
export function pieces(from, to) {
	const spans = [];
	for (let day = from; day <= to; day = addDays(day, PIECE_DAYS)) {
		const last = addDays(day, PIECE_DAYS - 1);
		spans.push({ from: day, to: last < to ? last : to });
	}
	return spans.length ? spans : [{ from, to }];
}

const sumOf = (a, b) => Object.fromEntries(Object.keys(a).map((key) => [key, a[key] + b[key]]));

/** Two reports on two times as one on both. */
export function joined(a, b) {
	if (!a) return b;
	const hours = new Map(a.hours.map((h) => [h.hour, h.covers]));
	for (const h of b.hours) hours.set(h.hour, (hours.get(h.hour) ?? 0) + h.covers);
	const leadParties = a.leadParties + b.leadParties;
	const lead = a.leadHours * a.leadParties + b.leadHours * b.leadParties;
	return {
		days: [...a.days, ...b.days],
		hours: [...hours].sort().map(([hour, covers]) => ({ hour, covers })),
		money: sumOf(a.money, b.money),
		leadHours: Math.round(lead / Math.max(1, leadParties)),
		leadParties,
		seatsOffered: a.seatsOffered + b.seatsOffered,
		rush: b.rush,
	};
}

/** All days of a report together; filled: the share of the seats, null where none was offered. */
export function sumsOf({ days, seatsOffered }) {
	const sum = (key) => days.reduce((n, d) => n + d[key], 0);
	const covers = sum('covers');
	return {
		covers,
		parties: sum('parties'),
		noShows: sum('noShows'),
		cancelled: sum('cancelled'),
		filled: seatsOffered ? Math.round((100 * covers) / seatsOffered) : null,
	};
}
