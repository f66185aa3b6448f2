/*
 * now.js - the house as it is now: the floor, and a card for each table, or for each party where
 * there are no tables.
 */
import { clockTime } from '../../dates.js';
import { t } from '../../i18n.js';
import { hasAllergy } from '../../tags.js';
import { el } from '../../ui.js';
import { open } from '../acts/open.js';
import { later } from '../acts/send.js';
import { closureText } from './closures.js';
import { nextActs, whoButton } from './row.js';
import {
	closedAt,
	minuteOfEvening,
	minutesTo,
	onTheFloor,
	overBy,
	tableAt,
	tableState,
} from './state.js';

/* "7 min over", or "until 20:30 · 12 min left". */
function timeLeft(desk, r, ms) {
	const over = overBy(r, ms);
	if (over) return t('over', over);
	const left = Math.max(0, minutesTo(r.endsAt, ms));
	return `${t('until', desk.at(r.endsAt))} · ${t('minutesLeft', left)}`;
}

/* One table as it is now: who sits there, until when, who comes next. */
function drawCard(desk, { title, about, here, next, closure }, ms) {
	return el(
		'section',
		{ class: `now-card ${tableState(here, ms)}` },
		el('h2', {}, title, ' ', el('span', {}, about)),
		here ? whoButton(desk, here, timeLeft(desk, here, ms)) : el('p', { class: 'none' }, t('free')),
		here && el('div', { class: 'acts' }, nextActs(desk, here, ms)),
		closure && el('p', { class: 'closed-tables' }, closureText(closure, desk.day)),
		next &&
			el(
				'p',
				{ class: 'next' },
				t('next', clockTime(next.slotTime), next.guestName, next.partySize),
			),
	);
}

const seatAt = (desk, tableId) =>
	later(
		desk,
		() => import('../acts/walkin.js'),
		(m) => m.walkIn(desk, [tableId]),
	);

/* On a box of the floor there is room for a sign, not for a sentence. */
const nameOf = (r) => `${hasAllergy(r.tags) ? '\u26a0\ufe0e ' : ''}${r.guestName} ${r.partySize}`;

function drawSpot(desk, table, ms) {
	const { here } = tableAt(desk.day.reservations, table.tableId, ms);
	const spot = el(
		'button',
		{
			type: 'button',
			class: `spot now-card ${tableState(here, ms)}`,
			onclick: () => (here ? open(desk, here) : seatAt(desk, table.tableId)),
		},
		el('b', {}, table.name),
		' ',
		el('span', {}, here ? nameOf(here) : t('free')),
	);
	spot.style.setProperty('left', `${table.x}%`);
	spot.style.setProperty('top', `${table.y}%`);
	return spot;
}

/* The floor, once its tables have been put somewhere: coloured boxes, nothing else. */
function drawFloor(desk, ms) {
	const placed = desk.day.tables.filter((table) => table.x !== undefined);
	if (!placed.length) return null;
	return el(
		'div',
		{ class: 'floor', role: 'group', 'aria-label': t('floor') },
		placed.map((table) => drawSpot(desk, table, ms)),
	);
}

function closureNow(desk, tableId) {
	const minute = minuteOfEvening(desk.day, desk.clock());
	return minute === null ? undefined : closedAt(desk.day, tableId, minute);
}

function tableCard(desk, table, ms) {
	return drawCard(
		desk,
		{
			title: t('tableOf', table.name),
			about: t('seatsOf', table.seatsMax),
			...tableAt(desk.day.reservations, table.tableId, ms),
			closure: closureNow(desk, table.tableId),
		},
		ms,
	);
}

const partyCard = (desk, r, ms) =>
	drawCard(desk, { title: clockTime(r.slotTime), about: t('people', r.partySize), here: r }, ms);

export function drawNow(desk, ms) {
	const { tables, reservations } = desk.day;
	if (tables.length) {
		const cards = tables.map((table) => tableCard(desk, table, ms));
		return [drawFloor(desk, ms), el('div', { class: 'cards' }, cards)];
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
