/*
 * now.js - the house as it is now: the floor, a card for each party that has no table, and one for
 * each table.  Tables that need something come first, and those that are free last.
 */
import { clockTime } from '../../dates.js';
import { t } from '../../i18n.js';
import { hasAllergy } from '../../tags.js';
import { el } from '../../ui.js';
import { open } from '../acts/open.js';
import { later } from '../acts/send.js';
import { closureText } from './closures.js';
import { drawActs, whoButton } from './row.js';
import {
	besideOf,
	closedAt,
	hasBegun,
	isWaiting,
	minuteOfEvening,
	minutesTo,
	onTheFloor,
	overBy,
	tableState,
	tablesNow,
	waitedFor,
	withoutTable,
} from './state.js';

/* "waits 7 min", "7 min over", or "until 20:30 · 12 min left". */
function timeLeft(desk, r, ms) {
	if (isWaiting(r)) return t('waits', waitedFor(r, ms));
	const over = overBy(r, ms);
	if (over) return t('over', over);
	const left = Math.max(0, minutesTo(r.endsAt, ms));
	const times = [t('until', desk.at(r.endsAt)), t('minutesLeft', left)];
	return [...times, r.overbook && t('overbooked', r.overbook)].filter(Boolean).join(' · ');
}

/* How free a table is at which no party sits. */
function freeText(desk, { next, state }, ms) {
	if (!next) return t('free');
	if (state === 'soon') return t('bookedIn', Math.max(0, minutesTo(next.startsAt, ms)));
	return t('freeUntil', desk.at(next.startsAt));
}

/* The same on a box of the floor, where there is room for a word. */
function freeSign(desk, { next, state }, ms) {
	if (!next) return t('free');
	if (state === 'soon') return t('inMinutes', Math.max(0, minutesTo(next.startsAt, ms)));
	return t('until', desk.at(next.startsAt));
}

/* Who comes next; who stands there already says so. */
function drawNext(next, ms) {
	const text = t('next', clockTime(next.slotTime), next.guestName, next.partySize);
	const stands = isWaiting(next) && t('waits', waitedFor(next, ms));
	const due = hasBegun(next, ms) ? 'next due' : 'next';
	return el('p', { class: due }, [text, stands].filter(Boolean).join(' · '));
}

const seatAt = (desk, tableId) =>
	later(
		desk,
		() => import('../acts/walkin.js'),
		(m) => m.walkIn(desk, [tableId]),
	);

/* Who is there, and what comes next for them; at a table that is shared each of them. */
function drawHere(desk, here, ms) {
	const all = [here, ...besideOf(here, desk.day.reservations)];
	return all.flatMap((r) => [whoButton(desk, r, timeLeft(desk, r, ms)), drawActs(desk, r, ms)]);
}

/* One table as it is now: who sits there, until when, who comes next. */
function drawCard(desk, { title, about, closure, ...at }, ms) {
	const { here, next, state } = at;
	return el(
		'section',
		{ class: `now-card ${state}` },
		el('h2', {}, title, ' ', el('span', {}, about)),
		here ? drawHere(desk, here, ms) : el('p', { class: 'none' }, freeText(desk, at, ms)),
		closure && el('p', { class: 'closed-tables' }, closureText(closure, desk.day)),
		next && drawNext(next, ms),
	);
}

const nameOf = (r) => `${hasAllergy(r.tags) ? '\u26a0\ufe0e ' : ''}${r.partySize} ${r.guestName}`;

function drawSpot(desk, at, ms) {
	const { table, here, state } = at;
	const spot = el(
		'button',
		{
			type: 'button',
			class: `spot now-card ${state}`,
			title: here ? nameOf(here) : freeText(desk, at, ms),
			onclick: () => (here ? open(desk, here) : seatAt(desk, table.tableId)),
		},
		el('b', {}, table.name),
		' ',
		el('span', {}, here ? nameOf(here) : freeSign(desk, at, ms)),
	);
	spot.style.setProperty('--x', String(table.x / 100));
	spot.style.setProperty('--y', String(table.y / 100));
	spot.style.setProperty('--seats', String(Math.min(table.seatsMax, 10)));
	return spot;
}

/* The floor, once its tables have been put somewhere: coloured boxes, nothing else. */
function drawFloor(desk, all, ms) {
	const placed = all.filter(({ table }) => table.x !== undefined);
	if (!placed.length) return null;
	return el(
		'div',
		{ class: 'floor live', role: 'group', 'aria-label': t('floor') },
		placed.map((at) => drawSpot(desk, at, ms)),
	);
}

function closureNow(desk, tableId) {
	const minute = minuteOfEvening(desk.day, desk.clock());
	return minute === null ? undefined : closedAt(desk.day, tableId, minute);
}

function tableCard(desk, at, ms) {
	const { name, seatsMax, tableId } = at.table;
	const about = t('seatsOf', seatsMax);
	return drawCard(
		desk,
		{ ...at, title: t('tableOf', name), about, closure: closureNow(desk, tableId) },
		ms,
	);
}

function partyCard(desk, r, ms) {
	const about = t('people', r.partySize);
	return drawCard(
		desk,
		{ title: clockTime(r.slotTime), about, here: r, state: tableState(r, ms) },
		ms,
	);
}

function drawNow(desk, ms) {
	const { tables, reservations } = desk.day;
	if (tables.length) {
		const all = tablesNow(tables, reservations, ms);
		const loose = withoutTable(reservations, ms).map((r) => partyCard(desk, r, ms));
		const cards = [...loose, ...all.map((at) => tableCard(desk, at, ms))];
		return [drawFloor(desk, all, ms), el('div', { class: 'cards' }, cards)];
	}
	const parties = onTheFloor(reservations, ms);
	return [
		el(
			'div',
			{ class: 'cards' },
			parties.map((r) => partyCard(desk, r, ms)),
		),
		!parties.length && el('p', { class: 'empty' }, t('free')),
	];
}

export const view = (desk) => ({ draw: (ms) => drawNow(desk, ms) });
