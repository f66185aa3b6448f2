/*
 * screen.js - the owner's numbers: three large figures with what has changed since, bars by date,
 * the hours of the week, where parties come from, money, and every list as a file.
 */
import { get, post } from '../../api.js';
import { addDays, asDate, clockTime, timeOf, weekdayOf } from '../../dates.js';
import { confirmDialog, field } from '../../forms.js';
import { lang, money, monthName, shortDay, t, weekdayName } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { secondsText, weekdaysFrom } from '../owner.js';
import {
	barsOf,
	before,
	busiest,
	changeOf,
	daysOf,
	guestRows,
	halfWithin,
	isKnown,
	joined,
	marksOf,
	nameOf,
	pieces,
	SPANS,
	sharesOf,
	spanTo,
	sumsOf,
	weekOf,
} from './figures.js';
import { drawBars, drawCard, drawFact, drawShares, drawWeek } from './plots.js';

const LISTS = ['reservations', 'guests', 'payments'];
const OWED_SHOWN = 3;
const MONDAY = '2026-01-05';

const number = (n) => n.toLocaleString(lang());

/* "3.1 %", "12 %"; a dash of nothing. */
function percent(n) {
	if (n === null) return '–';
	const digits = n > 0 && n < 10 ? 1 : 0;
	const exact = { minimumFractionDigits: digits, maximumFractionDigits: digits };
	return t('percent', n.toLocaleString(lang(), exact));
}

/* ---- the three large figures ---- */

const drawFigure = ({ name, value, change, meaning, kind = '' }) =>
	el(
		'div',
		{ class: `figure ${kind}`.trim() },
		el('dt', {}, name),
		el('dd', { class: 'large' }, value),
		change && el('dd', { class: 'change' }, change),
		el('dd', { class: 'hint' }, meaning),
	);

/* What a count has become, in words; than: "the 4 weeks before". */
function changeText(now, was, than) {
	const { word, percent: by } = changeOf(now, was);
	const sign = { more: '▲ ', less: '▼ ' }[word] ?? '';
	return sign + t(`change.${word}`, than, by);
}

const wasText = (value, than) => t('wasBefore', value, than);

function guestFigure(sums, was, than) {
	return {
		name: t('coversAll'),
		value: number(sums.covers),
		change: was && changeText(sums.covers, was.covers, than),
		meaning: t('coversMeaning', number(sums.parties)),
	};
}

function noShowFigure(sums, was, than) {
	return {
		name: t('noShowRate'),
		value: percent(sums.noShowRate),
		change: was && wasText(percent(was.noShowRate), than),
		meaning: t('noShowMeaning', sums.noShows, sums.expected),
	};
}

/* Money that has to go back, or what was kept; in a house without money the cancellations. */
function moneyFigure(sums, was, than, shown) {
	if (sums.dueBack) {
		return {
			name: t('moneyDue'),
			value: shown(sums.dueBack),
			change: was && wasText(shown(was.dueBack), than),
			meaning: t('dueMeaning'),
			kind: 'due',
		};
	}
	if (sums.kept || was?.kept) {
		return {
			name: t('moneyKept'),
			value: shown(sums.kept),
			change: was && changeText(sums.kept, was.kept, than),
			meaning: t('keptMeaning'),
		};
	}
	return {
		name: t('cancelRate'),
		value: percent(sums.cancelRate),
		change: was && wasText(percent(was.cancelRate), than),
		meaning: t('cancelMeaning', sums.cancelled, sums.booked),
	};
}

/* earlier: the report on the time before, or null where the book knows it in part only. */
function drawFigures({ report, earlier, than }) {
	const sums = sumsOf(report);
	const was = earlier && sumsOf(earlier);
	const shown = (n) => money(n, report);
	const figures = [
		guestFigure(sums, was, than),
		noShowFigure(sums, was, than),
		moneyFigure(sums, was, than, shown),
	];
	const { firstDate } = report;
	const alone = !earlier && (firstDate ? t('noBefore', shortDay(firstDate)) : t('noNumbers'));
	return el(
		'section',
		{ class: 'card' },
		el('h2', { class: 'unseen' }, t('atGlance')),
		el('dl', { class: 'at-glance' }, figures.map(drawFigure)),
		alone && el('p', { class: 'hint' }, alone),
	);
}

/* ---- plots ---- */

const spanName = ({ from, to }) =>
	from === to ? shortDay(from) : `${shortDay(from)} – ${shortDay(to)}`;
const monthShort = (date) =>
	monthName(date.slice(0, 7))
		.replace(/[\d\s년,]+$|^\d+년\s*/g, '')
		.slice(0, 3);

function drawByDate(report) {
	const { unit, bars } = barsOf(report);
	const marks = marksOf({ unit, bars }, report.firstWeekday);
	const under = (bar, i) => {
		if (!marks[i]) return '';
		return unit === 'day' ? String(Number(bar.from.slice(8))) : monthShort(bar.to);
	};
	const rows = bars.map((bar, i) => ({
		...bar,
		name: spanName(bar),
		mark: unit === 'day' ? weekdayName(bar.from, 'narrow') : '',
		under: under(bar, i),
	}));
	return drawBars(t(`byUnit.${unit}`), rows, t('byDateMeaning'));
}

function drawByHour(report) {
	const order = weekdaysFrom(report.firstWeekday);
	const week = weekOf(report, order);
	const nameIn = (width) => (w) => weekdayName(addDays(MONDAY, w - 1), width);
	const hourText = (hour) => clockTime(timeOf(hour * 60));
	const best = busiest(week, order);
	return drawWeek(
		t('byHour'),
		week,
		{
			weekdays: order.map((w) => ({ name: nameIn('short')(w), long: nameIn('long')(w) })),
			hourText,
			busiest: best && t('busiest', nameIn('long')(best.weekday), hourText(best.hour)),
		},
		t('byHourMeaning'),
	);
}

const drawSources = ({ sources }) =>
	drawShares(
		t('bySource'),
		sharesOf(sources).map((row) => ({ ...row, name: t(`source.${row.source}`) })),
		t('bySourceMeaning'),
	);

function drawLeads({ leads }) {
	const named = leads.map((row, i) => ({
		...row,
		name: t('leadOf', (leads[i - 1]?.days ?? -1) + 1, row.days ?? 0),
	}));
	const half = halfWithin(leads);
	const meaning = half === null ? t('leadMeaning') : `${t('leadHalf', half)} ${t('leadMeaning')}`;
	return drawShares(t('byLead'), sharesOf(named), meaning);
}

const drawGuests = (report) =>
	drawShares(
		t('guestKinds'),
		sharesOf(guestRows(report)).map((row) => ({ ...row, name: t(`guestKind.${row.word}`) })),
		t('guestKindsMeaning'),
	);

function drawRates(report) {
	const sums = sumsOf(report);
	const rate = (name, value, meaning) =>
		el('div', {}, el('dt', {}, name), el('dd', {}, value), el('dd', { class: 'hint' }, meaning));
	return drawCard(
		t('rates'),
		el(
			'dl',
			{ class: 'totals rates' },
			rate(
				t('noShowRate'),
				percent(sums.noShowRate),
				t('noShowMeaning', sums.noShows, sums.expected),
			),
			rate(
				t('cancelRate'),
				percent(sums.cancelRate),
				t('cancelMeaning', sums.cancelled, sums.booked),
			),
		),
	);
}

function drawMoney(report) {
	const shown = (n) => money(n, report);
	const facts = [
		[t('moneyIn'), shown(report.money.in)],
		[t('moneyKept'), shown(report.money.kept)],
		[t('moneyReturned'), shown(report.money.returned)],
		[t('moneyDue'), shown(report.money.dueBack)],
	];
	return drawCard(
		t('moneyTitle'),
		el('dl', { class: 'totals' }, facts.map(drawFact)),
		t('moneyMeaning', report.currency),
	);
}

/* owed: the card with what has to go back. */
function drawReport({ report, owed, ...rest }) {
	return [
		drawFigures({ report, ...rest }),
		owed,
		drawByDate(report),
		drawByHour(report),
		el(
			'div',
			{ class: 'pairs' },
			drawSources(report),
			drawGuests(report),
			drawLeads(report),
			drawRates(report),
		),
		drawMoney(report),
	];
}

/* ---- beside the report ---- */

/* One payment that has to go back; given(): it went. */
function drawDue(due, given) {
	const about = [due.reservationCode, shortDay(due.slotDate), due.phone]
		.filter(Boolean)
		.join(' · ');
	const sum = money(due.amount, due);
	const sure = () => confirmDialog(t('sureGiven', due.guestName, sum), [], t('givenBack'));
	return el(
		'li',
		{ class: 'owed-row' },
		el('b', {}, `${due.guestName} · ${sum}`),
		el('span', { class: 'soft-text' }, about),
		button(t('givenBack'), async () => (await sure()) && given(due), { class: 'soft' }),
	);
}

/* Those at the head of a list, and the others behind a tap. */
function drawOwed(due, given) {
	const list = (some) =>
		el(
			'ul',
			{},
			some.map((one) => drawDue(one, given)),
		);
	const others = due.slice(OWED_SHOWN);
	return [
		el('h2', {}, t('owedTitle', due.length)),
		list(due.slice(0, OWED_SHOWN)),
		...(others.length
			? [el('details', {}, el('summary', {}, t('owedMore', others.length)), list(others))]
			: []),
	];
}

/* What has to go back, whenever the visit was, until it went; changed(): something did. */
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
		card.replaceChildren(...drawOwed(due, given));
	}
	return { card, load };
}

/* The newest opening of the book that is over. */
function makeOpening(desk) {
	const card = el('section', { class: 'card', hidden: true });
	async function load() {
		const none = { results: [] };
		const { results } = await get('/api/desk/opening', { query: desk.query() }).catch(() => none);
		const [last] = results;
		card.hidden = !last;
		if (!last) return;
		const facts = [
			[t('openingWatched'), number(last.watching)],
			[t('openingBooked'), number(last.booked)],
			[t('openingRefused'), number(last.refused)],
			[t('openingSoldOut'), last.soldOutMs ? t('openingAfter', secondsText(last.soldOutMs)) : '–'],
		];
		card.replaceChildren(
			el('h2', {}, t('lastOpening', desk.moment(last.opensAt))),
			el('dl', { class: 'totals' }, facts.map(drawFact)),
			el('a', { class: 'next-opening', href: '#opening' }, t('openingPage')),
		);
	}
	return { card, load };
}

const drawProgress = (done, of) =>
	el(
		'p',
		{ class: 'card', role: 'status' },
		t('reading'),
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

/* ---- which days ---- */

/* Chips for whole weeks up to today, and two dates for any other time; changed(span). */
function makeChooser(today, changed) {
	const dateInput = (id) => el('input', { type: 'date', id, onchange: () => chosen() });
	const from = dateInput('n-from');
	const to = dateInput('n-to');
	const chip = (name) =>
		button(t(`span.${name}`), () => set(spanTo(today, SPANS[name])), {
			class: 'pick',
			'data-span': name,
		});
	const chips = el(
		'div',
		{ class: 'picks', role: 'group', 'aria-label': t('spanOf') },
		Object.keys(SPANS).map(chip),
	);
	function mark() {
		const name = nameOf(read(), today);
		for (const node of chips.children) {
			node.setAttribute('aria-pressed', String(node.dataset.span === name));
		}
	}
	const read = () => ({ from: from.value, to: to.value });
	function chosen() {
		mark();
		if (from.value && to.value) changed(read());
	}
	function set(span) {
		from.value = span.from;
		to.value = span.to;
		chosen();
	}
	const node = el(
		'div',
		{ class: 'choose-span' },
		chips,
		el('div', { class: 'edit-row' }, field(null, t('from'), from), field(null, t('to'), to)),
	);
	return { node, set };
}

const thanOf = (span, today) => {
	const name = nameOf(span, today);
	return name ? t(`spanBefore.${name}`) : t('daysBefore', daysOf(span));
};

/* ---- the page ---- */

class NumbersScreen {
	constructor(root, desk) {
		const { today } = desk.clock();
		this.desk = desk;
		this.today = today;
		this.turn = 0; /* the number of the newest question */
		this.body = el('div', { class: 'stack' });
		this.lists = el('p', { class: 'actions' });
		this.owed = makeOwed(desk, () => this.load());
		this.opening = makeOpening(desk);
		this.printed = el('p', { class: 'printed-span' });
		const chooser = makeChooser(today, (span) => this.load(span));
		root.replaceChildren(
			el(
				'div',
				{ class: 'house-page numbers' },
				el('h1', {}, t('numbers')),
				this.printed,
				chooser.node,
				this.body,
				this.opening.card,
				el('section', { class: 'card files' }, el('h2', {}, t('asFiles')), this.lists),
			),
		);
		chooser.set(spanTo(today, SPANS.weeks));
		this.owed.load();
		this.opening.load();
	}

	/* The parts of some spans as one report each; null: other dates were chosen meanwhile. */
	async read(spans, mine) {
		const parts = spans.map(pieces);
		const of = parts.flat().length;
		const reports = [];
		let done = 0;
		for (const part of parts) {
			let all = null;
			for (const piece of part) {
				if (done) this.body.replaceChildren(drawProgress(done, of));
				const query = { ...this.desk.query(), ...piece };
				all = joined(all, await get('/api/desk/reports', { query }));
				if (mine !== this.turn) return null;
				done++;
			}
			reports.push(all);
		}
		return reports;
	}

	drawLists(span) {
		const query = { ...this.desk.query(), ...span };
		this.printed.textContent = spanName(span);
		this.lists.replaceChildren(...LISTS.map((list) => listLink(list, query)));
	}

	async load(span = this.span) {
		const mine = ++this.turn;
		const earlier = before(span);
		this.span = span;
		this.drawLists(span);
		try {
			const reports = await this.read([span, earlier], mine);
			if (!reports) return;
			const [report, was] = reports;
			this.body.replaceChildren(
				...drawReport({
					report,
					owed: this.owed.card,
					earlier: isKnown(report, earlier) ? was : null,
					than: thanOf(span, this.today),
				}),
			);
		} catch (error) {
			if (mine !== this.turn) return;
			const text = this.desk.sentence(error);
			this.body.replaceChildren(el('p', { class: 'card wrong', role: 'alert' }, text));
		}
	}
}

export function numbers(root, desk) {
	new NumbersScreen(root, desk);
	return { still: true };
}
