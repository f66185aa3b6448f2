/*
 * dates.js - an instant as the day and the time of a restaurant's clock.
 *
 * How a locale writes a short date changes from one release of a browser to the next, so no locale
 * is trusted with "2026-11-17": the parts are asked for by name, and put together here.
 */
const clocks = new Map(); /* by zone: making one is dear, and the desk looks every second */

const makeClock = (timeZone) =>
	new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
	});

/* A zone that is younger than the browser: the device's own will do, and for most guests it is the
 * same. */
function clockOf(zone) {
	if (clocks.has(zone)) return clocks.get(zone);
	let clock;
	try {
		clock = makeClock(zone);
	} catch {
		clock = makeClock();
	}
	clocks.set(zone, clock);
	return clock;
}

/* The parts by name: year with four digits, everything else with two. */
function partsAt(instant, zone) {
	const parts = clockOf(zone).formatToParts(new Date(instant));
	return Object.fromEntries(parts.map(({ type, value }) => [type, value.padStart(2, '0')]));
}

/* "2026-11-17".  Without a zone it is the device's own. */
export function dayAt(instant, zone) {
	const { year, month, day } = partsAt(instant, zone);
	return `${year}-${month}-${day}`;
}

/* "18:00" */
export function clockAt(instant, zone) {
	const { hour, minute } = partsAt(instant, zone);
	return `${hour}:${minute}`;
}

/* "18:00:05" */
export function secondAt(instant, zone) {
	const { hour, minute, second } = partsAt(instant, zone);
	return `${hour}:${minute}:${second}`;
}

/* Seconds that are left: "6:56", and with hours "3:26:56". */
export function countdown(seconds) {
	const left = Math.max(0, seconds);
	const hours = Math.floor(left / 3600);
	const minutes = Math.floor(left / 60) % 60;
	const parts = hours ? [hours, minutes, left % 60] : [minutes, left % 60];
	return parts.map((n, i) => (i ? String(n).padStart(2, '0') : n)).join(':');
}

/* Days are plain "YYYY-MM-DD" of the restaurant; UTC keeps the visitor's own zone out of it. */
export const asDate = (day) => new Date(`${day}T00:00:00Z`);
export const isDay = (text) =>
	/^20\d\d-\d\d-\d\d$/.test(text ?? '') &&
	!Number.isNaN(asDate(text).getTime()) &&
	asDate(text).toISOString().startsWith(text);
/* A time of an evening: its clock goes on past midnight, 24:30 is half past. */
export const isTime = (text) => /^[0-2]\d:[0-5]\d$/.test(text ?? '');
export const addDays = (day, n) =>
	new Date(asDate(day).getTime() + n * 864e5).toISOString().slice(0, 10);
export const weekdayOf = (day) => asDate(day).getUTCDay() || 7;

/* Is it a time after midnight, of the evening before? */
export const isNight = (time) => time >= '24:00';
/* As a clock shows it: 00:30 for 24:30. */
export const clockTime = (time) => (isNight(time) ? timeOf(minutesOf(time) - 1440) : time);

/*
 * Which evening it is, and which time of it: the clock's own, or after midnight still the one that
 * is known to last.  evening: { today, todayUntil }, or null where none is known.
 */
export function eveningAt(clock, evening, ms) {
	const lasts = evening?.todayUntil && ms < Date.parse(evening.todayUntil);
	if (!lasts || addDays(evening.today, 1) !== clock.today) return clock;
	return { today: evening.today, time: timeOf(minutesOf(clock.time) + 1440) };
}

/* Minutes of a day as "HH:MM", and back. */
export const minutesOf = (time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
export const timeOf = (minutes) =>
	`${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
