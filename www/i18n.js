/*
 * i18n.js - the visitor's language: texts by name, days, times and money.
 *
 * The words of a page are in files of their own, one for each language, and only the one in use is
 * loaded.
 */
import { serverNow } from './api.js';
import { asDate } from './dates.js';
import { keep, recall } from './ui.js';

/* A new language is its name here, a file of words for each page and a button in its index.html. */
const LANGUAGES = { ko: 'ko-KR', en: 'en-GB' };

let current = recall('lang');
let load = null; /* the page's own: a module with the words of a language */
let texts = {};

/* The browser's own where there are words for it. */
if (!LANGUAGES[current]) {
	const wanted = navigator.languages?.[0] ?? navigator.language ?? 'ko';
	current = Object.keys(LANGUAGES).find((code) => wanted.startsWith(code)) ?? 'en';
}
document.documentElement.lang = current;

export const lang = () => current;

/* A page says where its words are, and has them when the promise is kept. */
export async function useWords(from) {
	load = from;
	({ words: texts } = await load(current));
}

/* Changes the language; it stays as it is where the words do not come. */
export async function setLang(next) {
	const { words } = await load(next);
	texts = words;
	current = next;
	keep('lang', current);
	document.documentElement.lang = current;
}

/* A text by its name ("s.EXPIRED" reaches into a group), with its arguments put in. */
export function t(name, ...args) {
	const text = name.split('.').reduce((from, part) => from?.[part], texts);
	return typeof text === 'function' ? text(...args) : (text ?? name);
}

/* The restaurant's own words: English where it gave any. */
export const own = (korean, english) => (current === 'en' && english ? english : korean) ?? '';

const format = (day, how) =>
	new Intl.DateTimeFormat(LANGUAGES[current], { timeZone: 'UTC', ...how }).format(asDate(day));
/* With its year where that is not this one. */
export const longDay = (day) =>
	format(day, {
		month: 'long',
		day: 'numeric',
		weekday: 'long',
		...(Number(day.slice(0, 4)) === new Date(serverNow()).getUTCFullYear()
			? {}
			: { year: 'numeric' }),
	}).replace(',', '');
export const shortDay = (day) =>
	current === 'ko'
		? `${format(day, { month: 'long', day: 'numeric' })} (${format(day, { weekday: 'short' })})`
		: format(day, { month: 'short', day: 'numeric', weekday: 'short' }).replace(',', '');
export const monthName = (month) => format(`${month}-01`, { year: 'numeric', month: 'long' });
export const weekdayName = (day, width) => format(day, { weekday: width });

/* A currency that the browser does not know is written behind the number: a price must not break a
 * page. */
export function money(n, currency = 'KRW') {
	if (currency === 'KRW')
		return current === 'ko' ? `${n.toLocaleString('ko-KR')}원` : `₩${n.toLocaleString('en-GB')}`;
	try {
		return new Intl.NumberFormat(current, {
			style: 'currency',
			currency,
			maximumFractionDigits: 0,
		}).format(n);
	} catch {
		return `${n.toLocaleString(current)} ${currency}`;
	}
}
