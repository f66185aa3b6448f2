/*
 * plots.js - bars, shares and the hours of the week, each with its numbers in a table.
 */
import { t } from '../../i18n.js';
import { el } from '../../ui.js';
import { roundTop } from './figures.js';

export const drawFact = ([name, value]) =>
	el('div', {}, el('dt', {}, name), el('dd', {}, String(value)));

/* A heading, what is shown, and in words what it means. */
export const drawCard = (title, content, meaning) =>
	el(
		'section',
		{ class: 'card' },
		el('h2', {}, title),
		...[content].flat().filter(Boolean),
		meaning && el('p', { class: 'hint' }, meaning),
	);

/* ---- bars ---- */

function drawBar({ count, closed, mark, under = '' }, top) {
	const fill = el('i', {});
	fill.style.height = `${(100 * count) / top}%`;
	return el(
		'div',
		{ class: closed ? 'bar-of closed' : 'bar-of' },
		el('div', { class: 'rise' }, fill),
		el('span', {}, mark),
		under && el('b', {}, under),
	);
}

/* An axis from 0 to a round number, with a line in the middle. */
const drawScale = (top) =>
	el(
		'div',
		{ class: 'scale' },
		[top, top / 2, 0].map((n) => el('span', {}, String(n))),
	);

const nameOf = ({ name, closed }) => (closed ? `${name} (${t('closedDay')})` : name);

const drawTable = (rows) =>
	el(
		'details',
		{},
		el('summary', {}, t('asTable')),
		el(
			'table',
			{ class: 'figures' },
			el(
				'tbody',
				{},
				rows.map((row) =>
					el('tr', {}, el('th', { scope: 'row' }, nameOf(row)), el('td', {}, String(row.count))),
				),
			),
		),
	);

/**
 * Bars, each with a mark below it, and a table that says the same to those who do not see them.
 * rows: name, count, mark; under: a second mark that may be wide; closed: a gap.
 */
export function drawBars(title, rows, meaning) {
	if (!rows.length) return drawCard(title, el('p', { class: 'empty' }, t('noNumbers')));
	const top = roundTop(rows.map((row) => row.count));
	const dated = rows.some((row) => row.under);
	const columns = el(
		'div',
		{ class: dated ? 'columns-of dated' : 'columns-of' },
		...rows.map((row) => drawBar(row, top)),
	);
	columns.style.setProperty('--bars', rows.length);
	const plot = el(
		'div',
		{ class: 'plot', role: 'img', 'aria-label': t('plotOf', title) },
		drawScale(top),
		columns,
	);
	const region = { class: 'plot-scroll', tabIndex: 0, role: 'region', 'aria-label': title };
	return drawCard(title, [el('div', region, plot), drawTable(rows)], meaning);
}

/* ---- shares ---- */

function drawShare({ name, parties, share }) {
	const fill = el('i', {});
	fill.style.width = `${share}%`;
	return el(
		'tr',
		{},
		el('th', { scope: 'row' }, name),
		el('td', { class: 'track-of', 'aria-hidden': 'true' }, fill),
		el('td', {}, String(parties)),
		el('td', {}, t('percent', share)),
	);
}

/** Parties by kind, as a table with a bar in each row.  rows: name, parties, share. */
export function drawShares(title, rows, meaning) {
	if (!rows.length) return drawCard(title, el('p', { class: 'empty' }, t('noNumbers')));
	const head = (text, more) => el('th', { scope: 'col', ...more }, el('span', {}, text));
	const table = el(
		'table',
		{ class: 'shares' },
		el('caption', { class: 'unseen' }, title),
		el(
			'thead',
			{ class: 'unseen' },
			el(
				'tr',
				{},
				head(t('kind')),
				el('td', { 'aria-hidden': 'true' }),
				head(t('parties')),
				head(t('portion')),
			),
		),
		el('tbody', {}, rows.map(drawShare)),
	);
	return drawCard(title, table, meaning);
}

/* ---- the week ---- */

/* An average as people say it: 12, 3, 0.4; nothing where no guest came. */
function averageText(n) {
	if (!n) return '';
	return n >= 1 ? String(Math.round(n)) : n.toFixed(1);
}

function drawCell(cell) {
	if (!cell) return el('td', { class: 'shut' }, '–');
	return el('td', { class: `level-${cell.level}` }, averageText(cell.average));
}

/** The hours of the week as a table, the darker the more guests.  weekdays: { name, long }. */
export function drawWeek(title, week, { weekdays, hourText, busiest }, meaning) {
	if (!week.length) return drawCard(title, el('p', { class: 'empty' }, t('noNumbers')));
	const head = ({ name, long }) => el('th', { scope: 'col', abbr: long }, name);
	const row = ({ hour, cells }) =>
		el('tr', {}, el('th', { scope: 'row' }, hourText(hour)), ...cells.map(drawCell));
	const table = el(
		'table',
		{ class: 'heat' },
		el('caption', { class: 'unseen' }, title),
		el('thead', {}, el('tr', {}, el('td', {}), weekdays.map(head))),
		el('tbody', {}, week.map(row)),
	);
	const region = { class: 'plot-scroll', tabIndex: 0, role: 'region', 'aria-label': title };
	return drawCard(title, [busiest && el('p', {}, busiest), el('div', region, table)], meaning);
}
