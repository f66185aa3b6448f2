/*
 * days.js - questions about special days, and the calendar that they are chosen in.
 *
 * Pure: no screen, no network, no language.
 */
import { addDays, clockTime, weekdayOf } from '../../dates.js';

/** The services of a day: its own where it is a special day, else those of its week. */
export function servicesOf({ specialDays = [], hours }, day) {
	const special = specialDays.filter((s) => s.day === day && s.opens);
	const from = special.length ? special : hours.filter((h) => h.weekday === weekdayOf(day));
	return from.map(({ day: _, weekday, note, asWeek, ...service }) => service);
}

/** closedDay, ownHours or asWeek: what the rows of a special day say. */
export function specialKind([first]) {
	if (first.opens) return 'ownHours';
	return first.asWeek ? 'asWeek' : 'closedDay';
}

/* A row in letters, whoever wrote it. */
const lettersOf = (row) =>
	JSON.stringify(
		Object.entries(row)
			.filter(([, value]) => value || value === 0)
			.sort(),
	);
const alike = (rows, others) =>
	rows.length === others.length && rows.every((row, i) => lettersOf(row) === lettersOf(others[i]));

/** Special days one after the other that are the same: { from, to, rows }. */
export function rangesOf(specialDays = []) {
	const ranges = [];
	const days = [...new Set(specialDays.map((s) => s.day))].sort();
	for (const day of days) {
		const rows = specialDays.filter((s) => s.day === day).map(({ day: _, ...row }) => row);
		const last = ranges.at(-1);
		const same = last && alike(last.rows, rows);
		if (same && addDays(last.to, 1) === day) last.to = day;
		else ranges.push({ from: day, to: day, rows });
	}
	return ranges;
}

/** Does the book say the same of each of these days? */
export function isOneKind(specialDays, { from, to }) {
	const inside = rangesOf(specialDays).filter((r) => r.to >= from && r.from <= to);
	return !inside.length || (inside[0].from <= from && inside[0].to >= to);
}

/** The rows of the book after this was saved. */
export function rowsAfter(known, { from, to, services, closed, asWeek = false, ...rest }) {
	const others = known.filter((s) => s.day < from || s.day > to);
	const rows = services ?? (closed || asWeek ? [{}] : []);
	const days = [];
	for (let day = from; day <= to && rows.length; day = addDays(day, 1)) days.push(day);
	const made = days.flatMap((day) => rows.map((row) => ({ day, asWeek, ...row, ...rest })));
	return [...others, ...made].sort((a, b) => a.day.localeCompare(b.day));
}

/** What is sent to have that range again as it was. */
export function wishOfRange({ from, to, rows }) {
	const [{ note, asWeek, depositPerPerson }] = rows;
	const said = note ? { from, to, note } : { from, to };
	const kind = specialKind(rows);
	if (kind === 'closedDay') return { ...said, closed: true };
	if (kind === 'asWeek')
		return { ...said, asWeek, ...(depositPerPerson === undefined ? {} : { depositPerPerson }) };
	return { ...said, services: rows.map(({ note: _, asWeek: __, ...service }) => service) };
}

/** open, shut, or other: what a day is to the house. */
export function dayState({ specialDays = [], hours }, day) {
	const special = specialDays.filter((s) => s.day === day);
	if (special.length) return special.some((s) => s.opens || s.asWeek) ? 'other' : 'shut';
	return hours.some((h) => h.weekday === weekdayOf(day)) ? 'open' : 'shut';
}

/** "11:30–14:00, 17:00–02:00"; '' for a day that is closed. */
export const hoursShown = (spans) =>
	spans
		.filter((s) => s.opens)
		.map((s) => `${s.opens}–${clockTime(s.closes)}`)
		.join(', ');

/**
 * The days of a month ("2026-11"), and how many cells are empty before its first; firstWeekday: 1
 * is Monday.
 */
export function monthOf(month, firstWeekday = 7) {
	const first = `${month}-01`;
	const days = [];
	for (let day = first; day.startsWith(month); day = addDays(day, 1)) days.push(day);
	return { lead: (weekdayOf(first) - firstWeekday + 7) % 7, days };
}
