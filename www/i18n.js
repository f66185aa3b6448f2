/*
 * i18n.js - the visitor's language: texts by name, days, times and money.
 */
import { serverNow } from './api.js';
import { keep, recall } from './ui.js';

let texts = { ko: {}, en: {} };
let current = recall('lang');

if (!texts[current]) current = (navigator.languages?.[0] ?? navigator.language ?? 'ko').startsWith('ko') ? 'ko' : 'en';
document.documentElement.lang = current;

/* A page brings its own words: { ko, en }. */
export function useWords(words) {
	texts = words;
}

export const lang = () => current;
export function setLang(next) {
	current = texts[next] ? next : 'ko';
	keep('lang', current);
	document.documentElement.lang = current;
}

/* A text by its name ("s.EXPIRED" reaches into a group), with its arguments put in. */
export function t(name, ...args) {
	const text = name.split('.').reduce((from, part) => from?.[part], texts[current]);
	return typeof text === 'function' ? text(...args) : text ?? name;
}

/* The restaurant's own words: English where it gave any. */
export const own = (korean, english) => (current === 'en' && english ? english : korean) ?? '';

/* Days are plain "YYYY-MM-DD" of the restaurant; UTC keeps the visitor's own zone out of it. */
export const asDate = (day) => new Date(`${day}T00:00:00Z`);
export const isDay = (text) => /^20\d\d-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(asDate(text).getTime()) && asDate(text).toISOString().startsWith(text);
export const isTime = (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text ?? '');
export const addDays = (day, n) => new Date(asDate(day).getTime() + n * 864e5).toISOString().slice(0, 10);
export const weekdayOf = (day) => asDate(day).getUTCDay() || 7;
const format = (day, how) => new Intl.DateTimeFormat(current === 'ko' ? 'ko-KR' : 'en-GB', { timeZone: 'UTC', ...how }).format(asDate(day));
/* With its year where that is not this one. */
export const longDay = (day) => format(day, { month: 'long', day: 'numeric', weekday: 'long', ...(Number(day.slice(0, 4)) === new Date(serverNow()).getUTCFullYear() ? {} : { year: 'numeric' }) }).replace(',', '');
export const shortDay = (day) => (current === 'ko' ? `${format(day, { month: 'long', day: 'numeric' })} (${format(day, { weekday: 'short' })})` : format(day, { month: 'short', day: 'numeric', weekday: 'short' }).replace(',', ''));
export const monthName = (month) => format(`${month}-01`, { year: 'numeric', month: 'long' });
export const weekdayName = (day, width) => format(day, { weekday: width });

/* A currency that the browser does not know is written behind the number: a price must not break a page. */
export function money(n, currency = 'KRW') {
	if (currency === 'KRW') return current === 'ko' ? `${n.toLocaleString('ko-KR')}원` : `₩${n.toLocaleString('en-GB')}`;
	try {
		return new Intl.NumberFormat(current, { style: 'currency', currency, maximumFractionDigits: 0 }).format(n);
	} catch {
		return `${n.toLocaleString(current)} ${currency}`;
	}
}

/* What a party pays ahead, by the restaurant's policies or by what the owner is typing. */
export const depositOf = (p, party) => party * (party >= p.depositLargeFrom ? p.depositLargePerPerson : p.depositPerPerson);

/* Minutes of a day as "HH:MM", and back. */
export const minutesOf = (time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
export const timeOf = (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
