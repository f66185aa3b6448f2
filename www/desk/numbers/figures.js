/*
 * figures.js - questions of the owner's numbers: spans, what changed since, plots.
 *
 * Pure: no screen, no network, no language.  report: the answer of GET /api/desk/reports.
 */
import { addDays, asDate, weekdayOf } from '../../dates.js';

/* ---- spans ---- */

/** The spans that are one tap away, in days: whole weeks, so that each has as many Saturdays. */
export const SPANS = { weeks: 28, months: 91, year: 364 };

/** Those days up to that one. */
export const spanTo = (last, days) => ({ from: addDays(last, 1 - days), to: last });

export const daysOf = ({ from, to }) => Math.round((asDate(to) - asDate(from)) / 864e5) + 1;

/** As many days before it. */
export const before = (span) => spanTo(addDays(span.from, -1), daysOf(span));

/** The name of a span that ends on that day, or null. */
export const nameOf = (span, last) =>
	span.to === last
		? (Object.keys(SPANS).find((name) => SPANS[name] === daysOf(span)) ?? null)
		: null;

const PIECE_DAYS = 31;

/** A long time is read in pieces: each answer comes soon, and the owner sees how far it is. */
export function pieces({ from, to }) {
	const spans = [];
	for (let day = from; day <= to; day = addDays(day, PIECE_DAYS)) {
		const last = addDays(day, PIECE_DAYS - 1);
		spans.push({ from: day, to: last < to ? last : to });
	}
	return spans.length ? spans : [{ from, to }];
}

/* ---- reports ---- */

const sumOf = (a, b) => Object.fromEntries(Object.keys(a).map((key) => [key, a[key] + b[key]]));

/* Rows of two lists with the same key are one, their counts added. */
function merged(a, b, keyOf) {
	const found = new Map();
	for (const row of [...a, ...b]) {
		const one = found.get(keyOf(row));
		if (one) for (const key of ['parties', 'covers']) if (key in row) one[key] += row[key];
		if (!one) found.set(keyOf(row), { ...row });
	}
	return [...found.values()];
}

/** Two reports on two times as one on both; every number is a count, so they add up. */
export function joined(a, b) {
	if (!a) return b;
	return {
		...b,
		days: [...a.days, ...b.days],
		hours: merged(a.hours, b.hours, (h) => `${h.weekday} ${h.hour}`),
		begun: a.begun + b.begun,
		sources: merged(a.sources, b.sources, (s) => s.source),
		leads: merged(a.leads, b.leads, (l) => l.days),
		guests: sumOf(a.guests, b.guests),
		money: sumOf(a.money, b.money),
	};
}

const shareOf = (n, all) => (all ? (100 * n) / all : null);

/** All days of a report together; a rate is in percent, null of nothing. */
export function sumsOf({ days, begun, money }) {
	const sum = (key) => days.reduce((n, d) => n + d[key], 0);
	const parties = sum('parties');
	const noShows = sum('noShows');
	const cancelled = sum('cancelled');
	const expected = begun + noShows;
	const booked = parties + noShows + cancelled;
	return {
		covers: sum('covers'),
		parties,
		noShows,
		cancelled,
		expected,
		booked,
		noShowRate: shareOf(noShows, expected),
		cancelRate: shareOf(cancelled, booked),
		kept: money.kept,
		dueBack: money.dueBack,
	};
}

/**
 * What became of a number: 'more' or 'less' by how many percent, 'same', 'none' where it was
 * nothing before.
 */
export function changeOf(now, was) {
	if (now === was) return { word: 'same', percent: 0 };
	if (!was) return { word: 'none', percent: 0 };
	const percent = Math.round((100 * Math.abs(now - was)) / was);
	if (!percent) return { word: 'same', percent };
	return { word: now > was ? 'more' : 'less', percent };
}

/** Can the time before be compared with?  Not one that the book does not know in whole. */
export const isKnown = (report, span) => Boolean(report.firstDate) && report.firstDate <= span.from;

/* ---- bars ---- */

const DAYS_MAX = 35; /* up to here a bar is a day */
const WEEKS_MAX = 400; /* and up to here seven days */

/** How much a bar is: 'day', 'week' or 'month'. */
export function barUnit(days) {
	if (days <= DAYS_MAX) return 'day';
	return days <= WEEKS_MAX ? 'week' : 'month';
}

function groupOf(unit, i, date) {
	if (unit === 'month') return date.slice(0, 7);
	return unit === 'week' ? Math.floor(i / 7) : i;
}

/** The days of a report as bars: from, to, count, and closed where the house was on all of them. */
export function barsOf({ days }) {
	const unit = barUnit(days.length);
	const bars = [];
	let last = null;
	for (const [i, day] of days.entries()) {
		const group = groupOf(unit, i, day.date);
		if (group !== last) bars.push({ from: day.date, to: day.date, count: 0, closed: true });
		last = group;
		const bar = bars.at(-1);
		bar.to = day.date;
		bar.count += day.covers;
		bar.closed = bar.closed && !day.open && !day.covers;
	}
	return { unit, bars };
}

/** Which bars have a date below them: the first of each week, or of each month. */
export function marksOf({ unit, bars }, firstWeekday) {
	if (unit === 'day') return bars.map((bar) => weekdayOf(bar.from) === firstWeekday);
	return bars.map((bar, i) => i > 0 && bar.to.slice(0, 7) !== bars[i - 1].to.slice(0, 7));
}

/** The end of an axis that begins with 0: a round number not below the largest of these. */
export function roundTop(counts) {
	const most = Math.max(1, ...counts);
	const power = 10 ** Math.floor(Math.log10(most));
	return [1, 2, 4, 5, 10].map((n) => n * power).find((n) => n >= most && n > 1) ?? 2;
}

/* ---- the week ---- */

const LEVELS = 5;

/**
 * The hours of the week at which guests come: hours[] from the first to the last, and for each the
 * guests of each of `weekdays` on average over the days that the house was open, with a level from
 * 0 to 5; null where it never was.
 */
export function weekOf({ days, hours }, weekdays) {
	const openDays = weekdays.map(
		(w) => days.filter((d) => weekdayOf(d.date) === w && (d.open || d.parties)).length,
	);
	const all = hours.map((h) => h.hour);
	if (!all.length) return [];
	const first = Math.min(...all);
	const count = Math.max(...all) - first + 1;
	const average = (hour, i) => {
		const covers = hours.find((h) => h.hour === hour && h.weekday === weekdays[i])?.covers ?? 0;
		return openDays[i] ? covers / openDays[i] : null;
	};
	const rows = Array.from({ length: count }, (_, n) => ({
		hour: first + n,
		cells: weekdays.map((_, i) => average(first + n, i)),
	}));
	const most = Math.max(...rows.flatMap((row) => row.cells.map(Number)));
	const levelOf = (n) => (n ? Math.max(1, Math.ceil((LEVELS * n) / most)) : 0);
	return rows.map(({ hour, cells }) => ({
		hour,
		cells: cells.map((n) => (n === null ? null : { average: n, level: levelOf(n) })),
	}));
}

/** The busiest hour of the week: { weekday, hour }, or null. */
export function busiest(week, weekdays) {
	const cells = week.flatMap(({ hour, cells }) =>
		cells.map((cell, i) => ({ hour, weekday: weekdays[i], average: cell?.average ?? 0 })),
	);
	const best = cells.reduce((a, b) => (b.average > a.average ? b : a), { average: 0 });
	return best.average ? best : null;
}

/* ---- shares ---- */

/** Rows with their share of all parties in percent; those without any are left out. */
export function sharesOf(rows) {
	const all = rows.reduce((n, row) => n + row.parties, 0);
	return rows
		.filter((row) => row.parties > 0)
		.map((row) => ({ ...row, share: Math.round(shareOf(row.parties, all)) }));
}

/** New guests, regulars, and those without a number, as rows of sharesOf. */
export const guestRows = ({ guests }) =>
	['first', 'again', 'unknown'].map((word) => ({ word, parties: guests[word] }));

/**
 * Half of those who book do so at most this many days ahead; null where they are none, or longer
 * ahead than the list says.
 */
export function halfWithin(leads) {
	const all = leads.reduce((n, lead) => n + lead.parties, 0);
	let sum = 0;
	for (const { days, parties } of leads) {
		sum += parties;
		if (all && 2 * sum >= all) return days ?? null;
	}
	return null;
}
