/*
 * i18n.js - the visitor's language: texts by name, days, times and money.
 *
 * The words of a page are in files of their own, one for each language, and only the one in use is
 * loaded.
 */
import { serverNow } from './api.js';
import { asDate, clockTime, isNight } from './dates.js';
import { keep, recall } from './ui.js';

/* A new language is its name here, a file of words for each page and a button in its index.html. */
const LANGUAGES = { ko: 'ko-KR', en: 'en-GB' };

let current = recall('lang');
let load = null; /* the page's own: a module with the words of a language */
let texts = {};

/* The language that the house speaks first: index.html is sent with it. */
let houseLang = document.documentElement.dataset.speaks ?? null;

/* What the visitor chose, else the first of the browser's languages that there are words for, else
 * that of the house. */
if (!LANGUAGES[current]) {
	const wanted = navigator.languages ?? [navigator.language ?? ''];
	const codes = wanted.map((w) => w.slice(0, 2).toLowerCase());
	current = codes.find((code) => LANGUAGES[code]) ?? houseLang ?? 'en';
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

/* Which language the words of a house are in; a Korean one had them alone once. */
export const houseSpeaks = (code) => {
	houseLang = code;
};

/* The restaurant's own words: those in the other language where that is the visitor's. */
export const own = (first, other) =>
	(current !== (houseLang ?? 'ko') && other ? other : first) ?? '';

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
/* Half past midnight is 12:30 at night in Korean. */
function nightTime(time) {
	const [hour, minute] = clockTime(time).split(':');
	return current === 'ko' ? `${Number(hour) || 12}:${minute}` : `${hour}:${minute}`;
}
/* A slot in words; after midnight with the name of its evening.  dayText: how a day is written. */
export const slotWhen = (day, time, dayText = longDay) =>
	isNight(time) ? t('nightOf', dayText(day), nightTime(time)) : `${dayText(day)} ${time}`;
export const monthName = (month) => format(`${month}-01`, { year: 'numeric', month: 'long' });
export const weekdayName = (day, width) => format(day, { weekday: width });

/**
 * An amount, in the smallest unit of its currency, as people read it; of: what has currency and
 * currencyDigits, a restaurant or a reservation.  A currency that the browser does not know is
 * written behind the number: a price must not break a page.
 */
export function money(n, { currency, currencyDigits = 0 }) {
	const amount = n / 10 ** currencyDigits;
	const digits = {
		minimumFractionDigits: currencyDigits,
		maximumFractionDigits: currencyDigits,
	};
	if (currency === 'KRW' && current === 'ko') return `${amount.toLocaleString('ko-KR')}원`;
	try {
		return new Intl.NumberFormat(current, {
			style: 'currency',
			currency,
			currencyDisplay: 'narrowSymbol',
			...digits,
		}).format(amount);
	} catch {
		return `${amount.toLocaleString(current, digits)} ${currency}`;
	}
}
