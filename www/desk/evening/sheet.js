/*
 * sheet.js - the evening on paper, for when the box is down: it is put on the page when it is
 * printed, by the button or by the browser, and stays away from the screen.
 */
import { clockTime, isNight } from '../../dates.js';
import { longDay, money, t } from '../../i18n.js';
import { tagLine } from '../../tags.js';
import { el } from '../../ui.js';
import { withSheet } from '../desk.js';
import { labelLine } from '../guests/labels.js';
import { closureText } from './closures.js';
import { dishName } from './daynote.js';
import { sharesText } from './row.js';
import { isTicked, runOf } from './runs.js';
import { amountsOf, closuresOf, phoneText, stageOf, tableNames } from './state.js';

export const LOOK = '/desk/evening/sheet.css';

const line = (text, more) => text && el('p', more ?? {}, text);

/* How it stands, and since when: "Seated 18:52 · until 20:30", "Left 18:52–20:10". */
function stageText(desk, r) {
	const { group, word } = stageOf(r);
	if (!isTicked(r)) return r.status === 'TEMPORARY' ? t(`${group}.${word}`) : '';
	const since = { ARRIVED: r.arrivedAt, SEATED: r.seatedAt }[word];
	const stay = r.leftAt && [r.seatedAt ?? r.startsAt, r.leftAt].map(desk.at).join('–');
	const times = word === 'COMPLETED' ? stay : since && desk.at(since);
	const end = word === 'SEATED' && ` · ${t('until', desk.at(r.endsAt))}`;
	return [t(`${group}.${word}`), times && ` ${times}`, end].filter(Boolean).join('');
}

/* Everything that is said of a party, what can harm it first. */
function drawNotes(desk, r) {
	return [
		tagLine(r.tags),
		labelLine(r.guestTags),
		line(stageText(desk, r)),
		line(sharesText(desk, r) || (r.sharedTables?.length > 0 && t('shared'))),
		line(r.overbook && t('overbooked', r.overbook)),
		line(r.requestMessage),
		line(r.note),
		line(r.guestNote),
		line(r.dishes, { class: 'dishes-of' }),
		...amountsOf(r).map(([word, amount]) => line(t(word, money(amount, r)))),
	].filter(Boolean);
}

const phoneOf = ({ phone }) => line(phoneText(phone), { class: 'phone' });

const timeCell = (time) =>
	el(
		'th',
		{ scope: 'row' },
		clockTime(time),
		isNight(time) && el('small', {}, ` ${t('afterMidnight')}`),
	);

const tick = (ticked = false) =>
	el('td', { class: ticked ? 'tick-box done' : 'tick-box' }, el('i'));

const drawParty = (desk, r) =>
	el(
		'tr',
		{},
		tick(isTicked(r)),
		timeCell(r.slotTime),
		el('td', { class: 'n' }, String(r.partySize)),
		el('td', {}, el('b', {}, r.guestName), phoneOf(r)),
		el('td', {}, tableNames(r, desk.day)),
		el('td', {}, ...drawNotes(desk, r)),
	);

const drawBlank = () =>
	el('tr', { class: 'blank' }, tick(), ...Array.from({ length: 5 }, () => el('td')));

const head = (...names) =>
	el('thead', {}, el('tr', {}, ...names.map((name) => el('th', { scope: 'col' }, name))));

function drawParties(desk, { parties, blank }) {
	return el(
		'table',
		{ class: 'run' },
		head('\u2713', t('time'), t('partySize'), t('name'), t('table'), t('note')),
		el(
			'tbody',
			{},
			parties.map((r) => drawParty(desk, r)),
			Array.from({ length: blank }, drawBlank),
		),
	);
}

const drawWaiter = (w) =>
	el(
		'tr',
		{},
		tick(),
		timeCell(w.slotTime),
		el('td', { class: 'n' }, String(w.partySize)),
		el('td', {}, el('b', {}, w.guestName), phoneOf(w)),
		el('td'),
		el('td', {}, t('rank', w.rank)),
	);

const drawWaits = (waits) =>
	waits.length > 0 && [
		el('h2', {}, t('waiting')),
		el('table', { class: 'run' }, el('tbody', {}, waits.map(drawWaiter))),
	];

/* When it was made; where nothing was heard from the box since, also as of when it is. */
function madeAt(desk, word) {
	const { today, time } = desk.clock();
	const made = t(word, longDay(today), clockTime(time));
	return desk.connected ? made : `${made} · ${t('upTo', desk.at(desk.asOf))}`;
}

/** The sheet of the day that is on the screen; word: how it was made, of its texts. */
export function drawSheet(desk, word = 'printedAt') {
	const { day } = desk;
	const run = runOf(day);
	return el(
		'section',
		{ class: 'sheet' },
		el(
			'header',
			{},
			el('h1', {}, longDay(day.date)),
			el('p', {}, desk.houseName),
			el('p', {}, madeAt(desk, word)),
		),
		line(run.parties.length ? t('sheetSum', run.parties.length, run.guests) : t('empty')),
		line(day.note),
		line(day.dayNote?.note),
		line(day.dishesOff?.length > 0 && t('dish.off', day.dishesOff.map(dishName).join(', '))),
		...closuresOf(day).map((closure) => line(closureText(closure, day))),
		drawParties(desk, run),
		...(drawWaits(run.waits) || []),
	);
}

let shown = null; /* the desk whose evening is on the screen */

function put() {
	take();
	if (!shown?.day || !document.querySelector('.evening')) return;
	document.body.append(drawSheet(shown));
	document.body.classList.add('with-sheet');
}

function take() {
	document.querySelector('.sheet')?.remove();
	document.body.classList.remove('with-sheet');
}

/** From now on whatever prints the page prints the sheet of this desk's evening. */
export function keepSheet(desk) {
	if (!shown) {
		addEventListener('beforeprint', put);
		addEventListener('afterprint', take);
	}
	shown = desk;
	return withSheet(LOOK);
}

export async function printSheet(desk) {
	await keepSheet(desk);
	put();
	print();
}
