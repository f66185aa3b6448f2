/*
 * numbers.js - the owner's numbers: guests by day and hour, who did not come, money, and every list
 * as a file.
 */
import { get, post } from '../api.js';
import { addDays, clockTime } from '../dates.js';
import { confirmDialog, field } from '../forms.js';
import { money, shortDay, t } from '../i18n.js';
import { button, el } from '../ui.js';
import { joined, pieces, sumsOf } from './owner.js';

const SHOWN_DAYS = 30;
const LISTS = ['reservations', 'guests', 'payments'];

/* ---- bars ---- */

const SVG = 'http://www.w3.org/2000/svg';
const STEP = 28; /* from one bar to the next */
const FOOT = 130; /* where the bars stand */
const TALL = 104;

function svg(tag, props, ...children) {
	const node = document.createElementNS(SVG, tag);
	for (const [name, value] of Object.entries(props)) node.setAttribute(name, value);
	node.append(...children);
	return node;
}

function drawBar({ count, mark }, i, most) {
	const height = (TALL * count) / most;
	const middle = i * STEP + 14;
	const label = (y, text, kind = {}) =>
		svg('text', { x: middle, y, 'text-anchor': 'middle', ...kind }, text);
	return [
		svg('rect', {
			x: i * STEP + 4,
			y: FOOT - height,
			width: 20,
			height: Math.max(height, 1),
			rx: 4,
		}),
		label(FOOT - 6 - height, count ? String(count) : ''),
		label(148, mark, { class: 'axis' }),
	];
}

function drawChart(title, rows) {
	const most = Math.max(1, ...rows.map((row) => row.count));
	return svg(
		'svg',
		{
			viewBox: `0 0 ${Math.max(rows.length * STEP, 200)} 160`,
			class: 'bars',
			preserveAspectRatio: 'xMinYMid',
			role: 'img',
			'aria-label': title,
		},
		...rows.flatMap((row, i) => drawBar(row, i, most)),
	);
}

const tableRow = ({ name, count }) =>
	el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, String(count)));

/* Bars with their numbers; the table below them says the same to those who do not see them. */
export function bars(title, rows) {
	const region = { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': title };
	return el(
		'section',
		{ class: 'card' },
		el('h2', {}, title),
		rows.length
			? el('div', region, drawChart(title, rows))
			: el('p', { class: 'empty' }, t('noNumbers')),
		el(
			'details',
			{},
			el('summary', {}, t('asTable')),
			el('table', { class: 'figures' }, el('tbody', {}, rows.map(tableRow))),
		),
	);
}

/* ---- the parts of the page ---- */

export const drawFact = ([name, value]) =>
	el('div', {}, el('dt', {}, name), el('dd', {}, String(value)));

function factsOf(report) {
	const shown = (n) => money(n, report);
	const sums = sumsOf(report);
	return [
		[t('coversAll'), sums.covers],
		[t('fill'), sums.filled === null ? '–' : `${sums.filled} %`],
		[t('parties'), sums.parties],
		[t('s.NO_SHOW'), sums.noShows],
		[t('s.CANCELED'), sums.cancelled],
		[t('lead'), t('hoursAhead', report.leadHours)],
		[t('moneyIn'), shown(report.money.in)],
		[t('moneyKept'), shown(report.money.kept)],
		[t('moneyReturned'), shown(report.money.returned)],
		[t('moneyDue'), shown(report.money.dueBack)],
		[t('rush'), t('rushText', report.rush.tickets, report.rush.waitMs95)],
	];
}

function drawReport(report) {
	const byDay = report.days.map(({ date, covers }) => ({
		name: shortDay(date),
		count: covers,
		mark: date.slice(8),
	}));
	const byHour = report.hours.map(({ hour, covers }) => ({
		name: clockTime(`${hour}:00`),
		count: covers,
		mark: clockTime(`${hour}:00`).slice(0, 2),
	}));
	return [
		el(
			'section',
			{ class: 'card' },
			el('h2', {}, t('inAll')),
			el('dl', { class: 'totals' }, factsOf(report).map(drawFact)),
		),
		bars(t('byDay'), byDay),
		bars(t('byHour'), byHour),
	];
}

const drawProgress = (span, done, of) =>
	el(
		'p',
		{ class: 'card', role: 'status' },
		t('reading', shortDay(span.from)),
		el('progress', { max: of, value: done, 'aria-label': t('numbers') }),
	);

const listLink = (list, query) =>
	el(
		'a',
		{
			class: 'button soft',
			href: `/api/desk/export/${list}.csv?${new URLSearchParams(query)}`,
			download: `${list}.csv`,
		},
		t(`lists.${list}`),
	);

/* One payment that has to go back; given(): it went. */
function drawDue(due, given) {
	const about = `${due.reservationCode} · ${shortDay(due.slotDate)} · ${due.phone ?? ''}`;
	const sum = money(due.amount, due);
	const sure = () => confirmDialog(t('sureGiven', due.guestName, sum), [], t('givenBack'));
	return el(
		'div',
		{ class: 'edit-row' },
		el(
			'span',
			{ class: 'spans' },
			el('b', {}, `${due.guestName} · ${sum}`),
			el('span', { class: 'soft-text' }, about),
		),
		button(t('givenBack'), async () => (await sure()) && given(due), { class: 'soft' }),
	);
}

/* ---- the page ---- */

/* What has to go back stands on top until it went; changed(): something did. */
function makeOwed(desk, changed) {
	const card = el('section', { class: 'card', hidden: true });
	/* As much as was shown: if more is due by now, nothing is written and the list shows it. */
	async function given({ paymentId, amount }) {
		try {
			await post('/api/desk/refunds', { paymentId, amount }, { query: desk.query() });
		} catch (error) {
			desk.say(desk.sentence(error));
		}
		await Promise.all([load(), changed()]);
	}
	async function load() {
		const none = { due: [] };
		const { due } = await get('/api/desk/refunds', { query: desk.query() }).catch(() => none);
		card.hidden = !due.length;
		card.replaceChildren(el('h2', {}, t('moneyDue')), ...due.map((one) => drawDue(one, given)));
	}
	return { card, load };
}

export function numbers(root, desk) {
	const { today } = desk.clock();
	const dateInput = (id, value) => el('input', { type: 'date', id, value, onchange: load });
	const from = dateInput('n-from', addDays(today, 1 - SHOWN_DAYS));
	const to = dateInput('n-to', today);
	const body = el('div', { class: 'stack' });
	const lists = el('p', { class: 'actions' });
	const owed = makeOwed(desk, load);
	let turn = 0;

	/* null: other dates were chosen meanwhile. */
	async function read(mine) {
		const spans = pieces(from.value, to.value);
		let all = null;
		for (const [i, span] of spans.entries()) {
			if (mine !== turn) return null;
			if (i) body.replaceChildren(drawProgress(span, i, spans.length));
			const query = { ...desk.query(), ...span };
			all = joined(all, await get('/api/desk/reports', { query }));
		}
		return mine === turn ? all : null;
	}

	async function load() {
		const mine = ++turn;
		const query = { ...desk.query(), from: from.value, to: to.value };
		lists.replaceChildren(...LISTS.map((list) => listLink(list, query)));
		try {
			const report = await read(mine);
			if (report) body.replaceChildren(...drawReport(report));
		} catch (error) {
			const text = desk.sentence(error);
			body.replaceChildren(el('p', { class: 'card wrong', role: 'alert' }, text));
		}
	}

	root.replaceChildren(
		el(
			'div',
			{ class: 'house-page' },
			el('h1', {}, t('numbers')),
			el(
				'div',
				{ class: 'edit-row' },
				field(null, t('from'), from),
				field(null, t('to'), to),
				lists,
			),
			owed.card,
			body,
		),
	);
	load();
	owed.load();
	return { still: true };
}
