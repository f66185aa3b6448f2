/*
 * sentences.js - the acts of a history as sentences: of the house, and of a reservation.
 *
 * Pure: no screen, no network.  say: { t, money, moment, day }, the words of the language in use;
 * money(n, coin) writes an amount, moment(iso) an instant at the restaurant, day(date) a day.
 */
import { addDays, clockTime, timeOf } from '../../dates.js';
import { CHOICES, MEALS } from '../owner.js';

/** Who did it: by name, or in a word. */
export const whoOf = ({ kind, name }, { t }) =>
	name && !['GUEST', 'ACCOUNT', 'FORGOTTEN', 'SYSTEM'].includes(kind)
		? name
		: t(`hist.who.${kind}`);

/* Chronological: an act comes newest first, as the whole history does. */
const inOrder = ({ changes }) => [...changes].reverse();

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/*
 * Earlier versions wrote a list anew whenever it was saved: what was taken away and put back in one
 * act is one change, or none where it came back as it was.
 */
const keyOf = ({ what, from, to }) => {
	const { weekday, day, opens } = to ?? from ?? {};
	return opens ? `${what} ${weekday ?? day} ${opens}` : null;
};
function paired(changes) {
	const rows = [];
	for (const c of changes) {
		const key = !c.from !== !c.to && keyOf(c);
		const other = key && rows.find((r) => !r.from !== !r.to && keyOf(r) === key);
		if (other && !other.from !== !c.from) {
			Object.assign(other, { from: other.from ?? c.from, to: other.to ?? c.to });
		} else rows.push({ ...c });
	}
	return rows.filter(({ what, from, to }) => !from || what === 'dish' || !same(from, to));
}

/* Both sides of a change, or the one that there is. */
function arrow(from, to, { t }) {
	if (from === '') return to;
	return t('hist.arrow', from, to === '' ? t('hist.nothing') : to);
}

/* ---- values ---- */

const MONEY = ['depositPerPerson', 'depositLargePerPerson'];
const IN_MINUTES = ['holdSeconds', 'proveSeconds'];

/* A setting as its owner knows it. */
function settingText(what, value, { t, money, moment, country }, coin) {
	if (value === null || value === undefined) return '';
	if (MONEY.includes(what)) return money(value, coin);
	if (CHOICES[what]) return t(`choice.${CHOICES[what][value]}`);
	if (IN_MINUTES.includes(what)) return t('hist.minutes', Math.round((value / 60) * 10) / 10);
	if (what === 'opensAtMinute') return timeOf(value);
	if (what === 'firstWeekday') return t('days')[value];
	if (what === 'language') return t(`speaks.${value}`);
	if (what === 'country') return country(value);
	if (what === 'pausedUntil') return moment(value);
	return String(value);
}

/* The label of a setting: a rule has one, everything else is named by the history. */
function settingName(what, { t }) {
	const own = t(`hist.setting.${what}`);
	if (own !== `hist.setting.${what}`) return own;
	const rule = t(`rules.${what}.label`);
	return rule === `rules.${what}.label` ? what : rule;
}

/* "17:30–01:00, last seating 23:30, deposit 20,000" */
function serviceText(service, say, coin) {
	if (!service) return '';
	const { t } = say;
	const hours = service.opens && `${service.opens}–${clockTime(service.closes)}`;
	const kind = service.closed ? t('hist.closed') : service.asWeek && t('hist.asUsual');
	const last = service.lastSeating && t('hist.last', clockTime(service.lastSeating));
	const rules = Object.keys(service)
		.filter((name) => t(`hist.own.${name}`) !== `hist.own.${name}`)
		.map((name) => t(`hist.own.${name}`, settingText(name, service[name], say, coin)));
	const note = service.note && t('hist.quoted', service.note);
	return [hours || kind, last, ...rules, note].filter(Boolean).join(', ');
}

const serviceName = ({ label = '' }, { t }) =>
	MEALS.includes(label) ? t(`meals.${label}`) : label;

/* ---- the house ---- */

function tellSettings(changes, say, coin) {
	/* Another currency keeps the numbers that people read: that says enough. */
	const told = changes.some(({ what }) => what === 'currency')
		? changes.filter(({ what }) => !MONEY.includes(what))
		: changes;
	return told.map(({ what, from, to }) => {
		if (what === 'currencyUnits') return say.t('unitsChanged', coin.currency);
		const text = (value) => settingText(what, value, say, coin);
		return say.t('hist.is', settingName(what, say), arrow(text(from), text(to), say));
	});
}

/* Weekdays of which the same is said are one line: "Tue, Wed, Thu dinner: …". */
function tellHours(changes, say, coin) {
	const lines = new Map();
	for (const { from, to } of changes) {
		const name = serviceName(to ?? from, say);
		const renamed = from && to && serviceName(from, say) !== name;
		const was = [renamed && serviceName(from, say), serviceText(from, say, coin)];
		const is = [renamed && name, serviceText(to, say, coin)];
		const text = arrow(was.filter(Boolean).join(' '), is.filter(Boolean).join(' '), say);
		const key = `${renamed ? '' : name}\n${text}`;
		lines.set(key, [...(lines.get(key) ?? []), (to ?? from).weekday]);
	}
	return [...lines].map(([key, days]) => {
		const [name, text] = key.split('\n');
		const listed = days.map((day) => say.t('days')[day]).join(', ');
		return say.t('hist.is', [listed, name].filter(Boolean).join(' '), text);
	});
}

/* Days in a row of which the same is said are one line. */
function tellSpecialDays(changes, say, coin) {
	const lines = [];
	for (const { from, to } of changes) {
		const { day } = to ?? from;
		const said = (s) =>
			s && [serviceName(s, say), serviceText(s, say, coin)].filter(Boolean).join(' ');
		const text = arrow(said(from) ?? '', said(to) ?? '', say);
		const before = lines.find((line) => line.text === text && addDays(line.last, 1) === day);
		if (before) before.last = day;
		else lines.push({ first: day, last: day, text });
	}
	return lines.map(({ first, last, text }) => {
		const days = first === last ? say.day(first) : `${say.day(first)} – ${say.day(last)}`;
		return say.t('hist.is', days, text);
	});
}

const openingText = (o, { t, day, moment }) =>
	o ? t('hist.opens', `${day(o.from)} – ${day(o.to)}`, moment(o.opensAt)) : '';

const tableText = (table, { t }) =>
	[t('seatsOf', table.seatsMax), table.openTo !== 'ONLINE' && t(`openTo.${table.openTo}`)]
		.filter(Boolean)
		.join(', ');

/* One table, or null where it only stands elsewhere. */
function tellTable({ from, to }, say) {
	const { t } = say;
	if (!from) return t('hist.tableAdded', to.name, tableText(to, say));
	if (!to) return t('hist.tableGone', from.name);
	const parts = [
		from.name !== to.name && t('hist.tableNamed', from.name, to.name),
		tableText(from, say) !== tableText(to, say) &&
			t('hist.is', t('tableOf', to.name), arrow(tableText(from, say), tableText(to, say), say)),
	].filter(Boolean);
	if (parts.length) return parts.join(' · ');
	return from.seatsMin !== to.seatsMin
		? t('hist.is', t('tableOf', to.name), t('hist.changed'))
		: null;
}

function tellJoin({ from, to, about }, say) {
	const { t } = say;
	const names = about.tables.join(' + ');
	if (!from) return t('hist.joined', names, t('seatsOf', to.seatsMax));
	if (!to) return t('hist.notJoined', names);
	return t('hist.is', names, arrow(t('seatsOf', from.seatsMax), t('seatsOf', to.seatsMax), say));
}

function tellTables(changes, say) {
	const lines = changes.map((c) => (c.what === 'join' ? tellJoin(c, say) : tellTable(c, say)));
	return [...lines.filter(Boolean), lines.includes(null) && say.t('hist.floor')].filter(Boolean);
}

function tellDish({ from, to }, { t, money }, coin) {
	if (!from) return t('hist.dishAdded', to.name, money(to.price, coin));
	if (!to) return t('hist.dishGone', from.name);
	const parts = [
		from.name !== to.name && t('hist.dishNamed', from.name, to.name),
		from.price !== to.price &&
			t('hist.is', to.name, t('hist.arrow', money(from.price, coin), money(to.price, coin))),
		from.soldOut !== to.soldOut && t(to.soldOut ? 'hist.soldOut' : 'hist.backAgain', to.name),
	].filter(Boolean);
	return parts.length ? parts.join(' · ') : t('hist.dishText', to.name);
}

/* "Table 2 · Nothing new at all · Sat 28 Nov 18:00 – 20:00 · every week · a film team" */
function blockText({ from, to, tables, weekly, online, reason }, { t, day }) {
	const [first, last] = [from.slice(0, 10), to.slice(0, 10)];
	const end = first === last ? to.slice(11) : `${day(last)} ${to.slice(11)}`;
	return [
		tables.length ? t('tableOf', tables.join(' + ')) : t('wholeHouse'),
		t(online ? 'nothingOnline' : 'nothingAtAll'),
		`${day(first)} ${from.slice(11)} – ${end}`,
		weekly && t('weekly'),
		reason,
	]
		.filter(Boolean)
		.join(' · ');
}

function mailText(mail, { t }) {
	if (!mail) return '';
	const server = mail.way === 'SMTP' && `${mail.host}:${mail.port}`;
	return [t(`way.${mail.way}`), server].filter(Boolean).join(' ');
}

function tellMail({ what, from, to }, say) {
	if (what === 'mailPassword') return say.t('hist.mailPassword');
	const [was, is] = [mailText(from, say), mailText(to, say)];
	return say.t('hist.is', say.t('mail'), was === is ? say.t('hist.changed') : arrow(was, is, say));
}

function tellStaff({ what, from, to, about }, { t }) {
	const name = about?.name ?? t('hist.someone');
	if (what === 'staffAdded') return t('hist.staffAdded', name, t(`role.${to ?? 'STAFF'}`));
	if (what === 'staffRole') return t('hist.staffRole', name, t(`role.${from}`), t(`role.${to}`));
	return t(`hist.${what}`, name);
}

function tellGuest({ what, about }, { t }) {
	const name = about?.forgotten ? null : about?.name;
	return t(`hist.${what}`, name ?? t('hist.who.FORGOTTEN'));
}

const one = (tell) => (changes, say, coin) => changes.map((c) => tell(c, say, coin));

const HOUSE = {
	settings: tellSettings,
	hours: tellHours,
	specialDays: tellSpecialDays,
	openings: one(({ from, to }, say) => arrow(openingText(from, say), openingText(to, say), say)),
	tables: tellTables,
	menu: one(tellDish),
	blocks: one(({ what, about }, say) => say.t(`hist.${what}`, blockText(about, say))),
	mail: one(tellMail),
	slots: one(({ from, to, about }, { t, day }) =>
		t('hist.slot', `${day(about.slotDate)} ${clockTime(about.slotTime)}`, from, to),
	),
	refund: one(({ to, about }, { t, money }, coin) => {
		const sum = money(to, { ...coin, currency: about.currency });
		return t('hist.refund', sum, about.name ?? t('hist.who.FORGOTTEN'), about.code);
	}),
	staff: one(tellStaff),
	guest: one(tellGuest),
	dayNote: one(({ to }, { t, day }) => t('hist.dayNote', day(to))),
};

/** An act of the house: { title, lines }; no lines where there is nothing to tell. */
export function tellHouse(act, say) {
	const tell = HOUSE[act.act];
	const changes = paired(inOrder(act));
	return {
		title: say.t(`hist.act.${act.act}`),
		lines: tell ? [...new Set(tell(changes, say, act))] : [],
	};
}

/* ---- a reservation ---- */

const VISITS = { ARRIVED: 'arrive', SEATED: 'seat', LEFT: 'leave', PENDING: 'undo' };

/* From when to when it was moved; the day is said where it is another. */
function tellTime({ from, to }, who, { t, day }) {
	const both = from.date !== to.date;
	const text = ({ date, time }) => (both ? `${day(date)} ${clockTime(time)}` : clockTime(time));
	return t('hist.moved', who, text(from), text(to));
}

function tellPlace(from, to, who, { t }) {
	if (from && to) return t('hist.table', who, from, to);
	return to ? t('hist.tableNew', who, to) : from && t('hist.tableOff', who, from);
}

const OF_RESERVATION = {
	party: ({ from, to }, who, { t }) => t('hist.party', who, from, to),
	time: ({ about }, who, say) => tellTime(about, who, say),
	table: ({ about }, who, say) => tellPlace(about.from.table, about.to.table, who, say),
	tables: ({ about }, who, say) =>
		tellPlace(about.from.join(' + '), about.to.join(' + '), who, say),
	sitting: ({ from, to }, who, { t }) => t('hist.sitting', who, from, to),
	overbooked: (_, who, { t }) => t('hist.overbooked', who),
	note: (_, who, { t }) => t('hist.note', who),
	name: (_, who, { t }) => t('hist.name', who),
	guest: (_, who, { t }) => t('hist.otherGuest', who),
	changeAsked: (_, who, { t }) => t('hist.changeAsked', who),
	coming: (_, who, { t }) => t('hist.coming', who),
	door: ({ to }, _, { t }) => t('hist.door', ...to.split(' ').map(Number)),
};

/* Words of what was done with it that say all; a change is told by what it changed. */
function tellDone(word, who, { t }) {
	const text = t(`hist.did.${word}`, who);
	return text === `hist.did.${word}` ? null : text;
}

const tellMoney = ({ what, to, about }, who, { t, money }, coin) =>
	t(`hist.${what}Of`, who, money(to, { ...coin, currency: about.currency }));

function tellChanges(changes, who, say, coin) {
	const whole = changes.some(({ what }) => what === 'tables');
	return changes.map((c) => {
		if (c.what === 'paid' || c.what === 'refund') return tellMoney(c, who, say, coin);
		if (whole && c.what === 'table') return null;
		return OF_RESERVATION[c.what]?.(c, who, say);
	});
}

/* What follows where nobody said it in a word: by its states. */
function tellStates(changes, who, say) {
	return changes.map(({ what, to }) => {
		if (what === 'status') return tellDone(to, who, say);
		return what === 'visit' ? tellDone(VISITS[to], who, say) : null;
	});
}

/** An act on a reservation as sentences; coin: what the house counts in. */
export function tellReservation(act, say, coin) {
	const who = whoOf(act.by, say);
	const changes = inOrder(act);
	const find = (what) => changes.find((c) => c.what === what);
	const made = find('created');
	if (made) {
		const door = find('door');
		const how = say.t(`hist.made.${made.about?.source ?? 'WEB'}`, who);
		return [how, door && OF_RESERVATION.door(door, who, say)].filter(Boolean);
	}
	const word = find('act')?.to;
	const done = word && tellDone(word, who, say);
	const said = tellChanges(changes, who, say, coin);
	const lines = [done, ...said, ...(word ? [] : tellStates(changes, who, say))].filter(Boolean);
	return lines.length || !word ? [...new Set(lines)] : [say.t('hist.changedIt', who)];
}

/** How acts are dated: those of one day below one another. */
export function byDay(acts, dayOf) {
	const days = [];
	for (const act of acts) {
		const day = dayOf(act.at);
		if (days.at(-1)?.day !== day) days.push({ day, acts: [] });
		days.at(-1).acts.push(act);
	}
	return days;
}
