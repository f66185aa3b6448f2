/*
 * app.js - the guests' page: the house, its hours and menu, and which times of a day are free.
 */
import { get } from './api.js';

const TEXTS = {
	ko: {
		skip: '예약 가능한 시간으로 건너뛰기', retry: '다시 시도', times: '예약 가능한 시간', soon: '가까운 날짜',
		date: '날짜', party: '인원', fewer: '한 명 적게', more: '한 명 많게', hours: '영업시간', menu: '메뉴',
		lunch: '점심', dinner: '저녁', other: '시간', closed: '휴무', today: '오늘', loading: '불러오는 중…',
		left: (n) => `${n}석 남음`, full: '마감', low: (n) => `${n}석 남음`,
		free: (day, party, n) => `${day}, ${party}명: 예약 가능한 시간 ${n}개`,
		none: (day, party) => `${day}에는 ${party}명 자리가 남아 있지 않습니다. 다른 날을 골라 주세요.`,
		shut: (day) => `${day}은 쉬는 날입니다. 다른 날을 골라 주세요.`,
		range: (min, max) => `인원은 ${min}명부터 ${max}명까지 고를 수 있습니다.`, noDate: '날짜를 골라 주세요.',
		lost: '연결이 끊겼습니다. 인터넷 연결을 확인하고 다시 시도해 주세요.',
		broken: '지금은 불러올 수 없습니다. 잠시 후 다시 시도해 주세요.',
	},
	en: {
		skip: 'Skip to the free times', retry: 'Try again', times: 'Free times', soon: 'Next days',
		date: 'Date', party: 'Guests', fewer: 'One guest fewer', more: 'One guest more', hours: 'Opening hours', menu: 'Menu',
		lunch: 'Lunch', dinner: 'Dinner', other: 'Times', closed: 'Closed', today: 'Today', loading: 'Loading…',
		left: (n) => `${n} seats left`, full: 'Not available', low: (n) => (n === 1 ? 'Last seat' : `Last ${n} seats`),
		free: (day, party, n) => `${day}, party of ${party}: ${n} ${n === 1 ? 'time' : 'times'} free`,
		none: (day, party) => `No table for ${party} is left on ${day}. Please choose another day.`,
		shut: (day) => `The restaurant is closed on ${day}. Please choose another day.`,
		range: (min, max) => `A party here is ${min} to ${max} guests.`, noDate: 'Please choose a date.',
		lost: 'The connection was lost. Please check it and try again.',
		broken: 'This cannot be loaded just now. Please try again in a moment.',
	},
};
const STRIP_DAYS = 14;
const restaurantId = Number(new URLSearchParams(location.search).get('restaurant')) || 1;

const $ = (id) => document.getElementById(id);
let lang = keep() ?? ((navigator.language || 'ko').startsWith('ko') ? 'ko' : 'en');
let house = null; /* the last answer about the restaurant */
let table = null; /* the last answer about a day's times */
let turn = 0; /* the number of the newest question */
let retry = null; /* what the retry button repeats */

const t = () => TEXTS[lang];
const own = (ko, en) => (lang === 'en' && en ? en : ko);

/* The language chosen last time, after storing a new one if given; storage may be forbidden. */
function keep(next) {
	try {
		if (next) localStorage.setItem('jari.lang', next);
		return Object.keys(TEXTS).find((name) => name === localStorage.getItem('jari.lang')) ?? null;
	} catch { return null; }
}

/* An element with its text or children; null children are left out. */
function el(tag, props, ...children) {
	const node = Object.assign(document.createElement(tag), props);
	node.append(...children.filter((c) => c !== null));
	return node;
}

/* Days are plain "YYYY-MM-DD" of the restaurant; UTC keeps the visitor's own zone out of it. */
const asDate = (day) => new Date(`${day}T00:00:00Z`);
const addDays = (day, n) => new Date(asDate(day).getTime() + n * 864e5).toISOString().slice(0, 10);
const weekdayOf = (day) => asDate(day).getUTCDay() || 7;
const format = (day, how) => new Intl.DateTimeFormat(lang, { timeZone: 'UTC', ...how }).format(asDate(day));
const longDay = (day) => format(day, { month: 'long', day: 'numeric', weekday: 'long' });
const money = (n) => new Intl.NumberFormat(lang, { style: 'currency', currency: house.currency || 'KRW', maximumFractionDigits: 0 }).format(n);

/* The spans a day is open; a special day replaces its weekday. */
function spansOf(day) {
	const special = (house.specialDays ?? []).filter((s) => s.day === day);
	const rows = special.length ? special : (house.hours ?? []).filter((h) => h.weekday === weekdayOf(day));
	return rows.filter((r) => r.opens && r.closes);
}

const spanText = (spans) => spans.map((s) => `${s.opens}\u2060–\u2060${s.closes}`).join(', ') || t().closed;

function showHouse() {
	const p = house.policies;
	document.title = `${own(house.name, house.nameEn)} · 자리`;
	$('name').textContent = own(house.name, house.nameEn);
	$('address').textContent = own(house.address, house.addressEn) ?? '';
	const phone = house.phone ?? '';
	Object.assign($('phone'), { hidden: !phone, textContent: phone, href: `tel:${phone.replace(/[^0-9+]/g, '')}` });
	Object.assign($('date'), { min: house.today, max: addDays(house.today, p.windowDays) });
	Object.assign($('party'), { min: p.partyMin, max: p.partyMax });
	showDays();
	showHours();
	showMenu();
}

function showDays() {
	const last = Math.min(STRIP_DAYS, house.policies.windowDays + 1);
	$('days').replaceChildren(...Array.from({ length: last }, (_, i) => {
		const day = addDays(house.today, i);
		const shut = spansOf(day).length === 0;
		const chip = el('button', { type: 'button', className: shut ? 'day shut' : 'day' },
			el('span', {}, i === 0 ? t().today : format(day, { weekday: 'short' })),
			el('b', {}, String(asDate(day).getUTCDate())),
			el('span', {}, shut ? t().closed : format(day, { month: 'short' })));
		chip.dataset.day = day;
		chip.setAttribute('aria-label', shut ? `${longDay(day)}, ${t().closed}` : longDay(day));
		chip.setAttribute('aria-pressed', String(day === $('date').value));
		return chip;
	}));
}

function showHours() {
	const monday = addDays(house.today, 1 - weekdayOf(house.today));
	$('hours').replaceChildren(...Array.from({ length: 7 }, (_, i) => {
		const day = addDays(monday, i);
		const spans = (house.hours ?? []).filter((h) => h.weekday === i + 1);
		return el('tr', { className: day === house.today ? 'now' : '' },
			el('th', { scope: 'row' }, format(day, { weekday: 'long' })),
			el('td', { className: spans.length ? '' : 'shut' }, spanText(spans)));
	}));
	const days = [...new Set((house.specialDays ?? []).map((s) => s.day))].filter((d) => d >= house.today).sort().slice(0, 6);
	$('special').replaceChildren(...days.map((day) => {
		const note = house.specialDays.find((s) => s.day === day && s.note)?.note;
		return el('li', {}, el('b', {}, format(day, { month: 'short', day: 'numeric', weekday: 'short' })), ` ${spanText(spansOf(day))}`,
			note ? el('span', {}, ` · ${note}`) : null);
	}));
}

function showMenu() {
	$('menu').replaceChildren(...(house.menu ?? []).map((dish) => el('li', {},
		el('span', { className: 'dish' }, own(dish.name, dish.nameEn)),
		el('span', { className: 'price' }, money(dish.price)),
		dish.description ? el('span', { className: 'about' }, dish.description) : null)));
}

function showSlots(answer = table) {
	table = answer;
	const { slotDate, partySize, slots = [] } = table;
	const day = longDay(slotDate);
	const free = slots.filter((s) => s.available).length;
	$('said').textContent = table.closed ? t().shut(day) : free ? t().free(day, partySize, free) : t().none(day, partySize);
	const groups = new Map();
	for (const slot of table.closed ? [] : slots) {
		const label = slot.label || 'other';
		groups.set(label, [...(groups.get(label) ?? []), slot]);
	}
	$('slots').replaceChildren(...[...groups].flatMap(([label, rows]) => [
		el('h3', {}, typeof t()[label] === 'string' ? t()[label] : label),
		el('ul', { className: 'slots' }, ...rows.map(showSlot)),
	]));
}

function showSlot(slot) {
	const low = slot.available && slot.remaining * 4 <= slot.capacity;
	const meter = el('i', { className: 'meter' });
	meter.style.setProperty('--free', slot.available && slot.capacity ? Math.min(1, slot.remaining / slot.capacity) : 0);
	meter.setAttribute('aria-hidden', 'true');
	return el('li', { className: slot.available ? (low ? 'low' : '') : 'gone' }, el('b', {}, slot.slotTime),
		el('span', {}, slot.available ? (low ? t().low : t().left)(slot.remaining) : t().full), meter);
}

function trouble(error, again) {
	retry = error.passing === false ? null : again;
	$('trouble-text').textContent = error.code === 'LOST' ? t().lost : error.message || t().broken;
	$('trouble').hidden = false;
	$('retry').hidden = retry === null;
	clear('');
}

/* Only the newest question may answer.  True when this one did. */
async function ask(again, path, query, show) {
	const mine = ++turn;
	$('slots').setAttribute('aria-busy', 'true');
	const answer = await get(path, { query, lang }).catch((error) => error);
	if (mine !== turn) return false;
	$('slots').setAttribute('aria-busy', 'false');
	$('trouble').hidden = true;
	const failed = answer instanceof Error;
	(failed ? trouble : show)(answer, again);
	return !failed;
}

function loadSlots() {
	const { partyMin, partyMax } = house.policies;
	const party = $('party').valueAsNumber;
	for (const chip of $('days').children) chip.setAttribute('aria-pressed', String(chip.dataset.day === $('date').value));
	$('fewer').disabled = party <= partyMin;
	$('more').disabled = party >= partyMax;
	if (!(Number.isInteger(party) && party >= partyMin && party <= partyMax)) return clear(t().range(partyMin, partyMax));
	if (!$('date').value) return clear(t().noDate);
	return ask(loadSlots, '/api/reservations/slots', { restaurantId, slotDate: $('date').value, partySize: party }, showSlots);
}

/* The list makes room for a sentence; an answer still under way is not wanted any more. */
function clear(sentence) {
	turn++;
	table = null;
	$('said').textContent = sentence;
	$('slots').replaceChildren();
	$('slots').setAttribute('aria-busy', 'false');
}

async function loadHouse() {
	if (!house) $('said').textContent = t().loading;
	const answered = await ask(loadHouse, `/api/restaurants/${restaurantId}`, null, (answer) => {
		house = answer;
		const soon = Array.from({ length: STRIP_DAYS }, (_, i) => addDays(house.today, i));
		if (!($('date').value >= house.today)) $('date').value = soon.find((day) => spansOf(day).length) ?? house.today;
		showHouse();
	});
	if (answered) await loadSlots();
}

function speak(next) {
	lang = next;
	document.documentElement.lang = lang;
	for (const node of document.querySelectorAll('[data-t]')) node.textContent = t()[node.dataset.t];
	for (const node of document.querySelectorAll('[data-t-label]')) node.setAttribute('aria-label', t()[node.dataset.tLabel]);
	for (const b of document.querySelectorAll('[data-lang]')) b.setAttribute('aria-pressed', String(b.dataset.lang === lang));
	if (house) showHouse();
	if (table) showSlots();
}

function step(by) {
	$('party').value = Math.min(house.policies.partyMax, Math.max(house.policies.partyMin, ($('party').valueAsNumber || 0) + by));
	loadSlots();
}

document.querySelector('.langs').addEventListener('click', (e) => {
	if (!e.target.dataset.lang) return;
	keep(e.target.dataset.lang);
	speak(e.target.dataset.lang);
	if (!$('trouble').hidden && retry) retry();
});
$('days').addEventListener('click', (e) => {
	$('date').value = e.target.closest('[data-day]')?.dataset.day ?? $('date').value;
	if (house) loadSlots();
});
for (const id of ['date', 'party']) $(id).addEventListener('change', () => house && loadSlots());
for (const [id, by] of [['fewer', -1], ['more', 1]]) $(id).addEventListener('click', () => house && step(by));
$('ask').addEventListener('submit', (e) => e.preventDefault());
$('retry').addEventListener('click', () => retry?.());
/* Seats move, and midnight passes, while the page lies in the background. */
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && loadHouse());

speak(lang);
loadHouse();
