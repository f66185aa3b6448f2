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
import { isTicked, runOf } from './runs.js';
import { amountsOf, closuresOf, stageOf, tableNames } from './state.js';

const line = (text, more) => text && el('p', more ?? {}, text);

/* Everything that is said of a party, what can harm it first. */
function drawNotes(r) {
	const { group, word } = stageOf(r);
	return [
		tagLine(r.tags),
		labelLine(r.guestTags),
		line(isTicked(r) || r.status === 'TEMPORARY' ? t(`${group}.${word}`) : ''),
		line(r.requestMessage),
		line(r.note),
		line(r.guestNote),
		line(r.dishes, { class: 'dishes-of' }),
		...amountsOf(r).map(([word, amount]) => line(t(word, money(amount, r)))),
	].filter(Boolean);
}

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
		el('td', {}, el('b', {}, r.guestName), line(r.phone)),
		el('td', {}, tableNames(r, desk.day)),
		el('td', {}, ...drawNotes(r)),
	);

const drawBlank = () =>
	el('tr', { class: 'blank' }, tick(), ...Array.from({ length: 5 }, () => el('td')));

const head = (...names) =>
	el('thead', {}, el('tr', {}, el('td'), ...names.map((name) => el('th', { scope: 'col' }, name))));

function drawParties(desk, { parties, blank }) {
	return el(
		'table',
		{ class: 'run' },
		head(t('time'), t('partySize'), t('name'), t('table'), t('note')),
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
		el('td', {}, el('b', {}, w.guestName), line(w.phone)),
		el('td'),
		el('td', {}, t('rank', w.rank)),
	);

const drawWaits = (waits) =>
	waits.length > 0 && [
		el('h2', {}, t('waiting')),
		el('table', { class: 'run' }, el('tbody', {}, waits.map(drawWaiter))),
	];

/** The sheet of the day that is on the screen. */
export function drawSheet(desk) {
	const { day } = desk;
	const run = runOf(day);
	const { today, time } = desk.clock();
	return el(
		'section',
		{ class: 'sheet' },
		el(
			'header',
			{},
			el('h1', {}, longDay(day.date)),
			el('p', {}, day.house.name),
			el('p', {}, t('printedAt', longDay(today), clockTime(time))),
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
	return withSheet('/desk/evening/sheet.css');
}

export async function printSheet(desk) {
	await keepSheet(desk);
	put();
	print();
}
