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

/** Special days one after the other that are the same: { from, to, rows }. */
export function rangesOf(specialDays = []) {
	const ranges = [];
	const days = [...new Set(specialDays.map((s) => s.day))].sort();
	for (const day of days) {
		const rows = specialDays.filter((s) => s.day === day).map(({ day: _, ...row }) => row);
		const last = ranges.at(-1);
		const same = last && JSON.stringify(last.rows) === JSON.stringify(rows);
		if (same && addDays(last.to, 1) === day) last.to = day;
		else ranges.push({ from: day, to: day, rows });
	}
	return ranges;
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
