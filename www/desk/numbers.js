/*
 * numbers.js - the owner's numbers: covers by day and hour, what did not come, money, and every list as a file.
 */
import { get, post } from '../api.js';
import { addDays } from '../dates.js';
import { money, shortDay, t } from '../i18n.js';
import { ask, button, el } from '../ui.js';

const SVG = 'http://www.w3.org/2000/svg';

function svg(tag, props, ...children) {
	const node = document.createElementNS(SVG, tag);
	for (const [name, value] of Object.entries(props)) node.setAttribute(name, value);
	node.append(...children);
	return node;
}

/* Bars with their numbers; the table below them says the same to whoever does not see them. */
function bars(title, rows) {
	const most = Math.max(1, ...rows.map(([, n]) => n));
	const wide = Math.max(rows.length * 28, 200);
	const chart = svg('svg', {
		viewBox: `0 0 ${wide} 160`,
		class: 'bars',
		preserveAspectRatio: 'xMinYMid',
		role: 'img',
		'aria-label': title,
	});
	rows.forEach(([, n], i) => {
		const height = (104 * n) / most;
		chart.append(
			svg('rect', {
				x: i * 28 + 4,
				y: 130 - height,
				width: 20,
				height: Math.max(height, 1),
				rx: 4,
			}),
			svg('text', { x: i * 28 + 14, y: 124 - height, 'text-anchor': 'middle' }, n ? String(n) : ''),
			svg('text', { x: i * 28 + 14, y: 148, 'text-anchor': 'middle', class: 'axis' }, rows[i][2]),
		);
	});
	return el(
		'section',
		{ class: 'card' },
		el('h2', {}, title),
		rows.length
			? el('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': title }, chart)
			: el('p', { class: 'empty' }, t('noNumbers')),
		el(
			'details',
			{},
			el('summary', {}, t('asTable')),
			el(
				'table',
				{ class: 'hours' },
				el(
					'tbody',
					{},
					rows.map(([name, n]) =>
						el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, String(n))),
					),
				),
			),
		),
	);
}

/* A long time is read in pieces: each answer comes soon, and the owner sees how far it is. */
const PIECE_DAYS = 31;

function pieces(from, to) {
	const spans = [];
	for (let day = from; day <= to; day = addDays(day, PIECE_DAYS)) {
		const last = addDays(day, PIECE_DAYS - 1);
		spans.push({ from: day, to: last < to ? last : to });
	}
	return spans.length ? spans : [{ from, to }];
}

/* Two reports on two times as one on both. */
function joined(a, b) {
	if (!a) return b;
	const hours = new Map(a.hours.map((h) => [h.hour, h.covers]));
	for (const h of b.hours) hours.set(h.hour, (hours.get(h.hour) ?? 0) + h.covers);
	const led = a.leadParties + b.leadParties;
	const lead = (a.leadHours * a.leadParties + b.leadHours * b.leadParties) / Math.max(1, led);
	return {
		days: [...a.days, ...b.days],
		hours: [...hours].sort().map(([hour, covers]) => ({ hour, covers })),
		money: Object.fromEntries(
			Object.keys(a.money).map((key) => [key, a.money[key] + b.money[key]]),
		),
		leadHours: Math.round(lead),
		leadParties: led,
		seatsOffered: a.seatsOffered + b.seatsOffered,
		rush: b.rush,
	};
}

export function numbers(root, desk) {
	const { today } = desk.clock();
	const from = el('input', { type: 'date', id: 'n-from', value: addDays(today, -29) });
	const to = el('input', { type: 'date', id: 'n-to', value: today });
	const body = el('div', { class: 'stack' });
	const lists = el('p', { class: 'actions' });
	const owed = el('section', { class: 'card', hidden: true });
	let turn = 0;

	/* null: other dates were chosen meanwhile. */
	async function read(mine) {
		const spans = pieces(from.value, to.value);
		let all = null;
		for (const [i, span] of spans.entries()) {
			if (mine !== turn) return null;
			if (i)
				body.replaceChildren(
					el(
						'p',
						{ class: 'card', role: 'status' },
						t('reading', shortDay(span.from)),
						el('progress', { max: spans.length, value: i, 'aria-label': t('numbers') }),
					),
				);
			all = joined(all, await get('/api/desk/reports', { query: { ...desk.query(), ...span } }));
		}
		return mine === turn ? all : null;
	}

	async function load() {
		const mine = ++turn;
		const query = { ...desk.query(), from: from.value, to: to.value };
		lists.replaceChildren(
			...['reservations', 'guests', 'payments'].map((list) =>
				el(
					'a',
					{
						class: 'button soft',
						href: `/api/desk/export/${list}.csv?${new URLSearchParams(query)}`,
						download: `${list}.csv`,
					},
					t(`lists.${list}`),
				),
			),
		);
		try {
			const r = await read(mine);
			if (!r) return;
			const sum = (key) => r.days.reduce((n, d) => n + d[key], 0);
			const shown = (n) => money(n, desk.day?.house.currency ?? 'KRW');
			const facts = [
				[t('coversAll'), sum('covers')],
				[
					t('fill'),
					r.seatsOffered ? `${Math.round((100 * sum('covers')) / r.seatsOffered)} %` : '–',
				],
				[t('parties'), sum('parties')],
				[t('s.NO_SHOW'), sum('noShows')],
				[t('s.CANCELED'), sum('cancelled')],
				[t('lead'), t('hoursAhead', r.leadHours)],
				[t('moneyIn'), shown(r.money.in)],
				[t('moneyKept'), shown(r.money.kept)],
				[t('moneyReturned'), shown(r.money.returned)],
				[t('moneyDue'), shown(r.money.dueBack)],
				[t('rush'), t('rushText', r.rush.tickets, r.rush.waitMs95)],
			];
			body.replaceChildren(
				el(
					'section',
					{ class: 'card' },
					el('h2', {}, t('inAll')),
					el(
						'dl',
						{ class: 'totals' },
						facts.map(([name, value]) =>
							el('div', {}, el('dt', {}, name), el('dd', {}, String(value))),
						),
					),
				),
				bars(
					t('byDay'),
					r.days.map((d) => [shortDay(d.date), d.covers, d.date.slice(8)]),
				),
				bars(
					t('byHour'),
					r.hours.map((h) => [`${h.hour}:00`, h.covers, h.hour]),
				),
			);
		} catch (error) {
			body.replaceChildren(el('p', { class: 'card wrong', role: 'alert' }, desk.sentence(error)));
		}
	}

	/* As much as was shown: if more is due by now, nothing is written and the list shows it. */
	const givenBack = ({ paymentId, amount }) =>
		post('/api/desk/refunds', { paymentId, amount }, { query: desk.query() })
			.catch((error) => desk.say(desk.sentence(error)))
			.then(() => Promise.all([loadDue(), load()]));

	const sureGiven = (d) =>
		ask('given-title', (close) => [
			el(
				'h2',
				{ id: 'given-title' },
				t('sureGiven', d.guestName, money(d.amount, desk.day?.house.currency ?? 'KRW')),
			),
			el(
				'div',
				{ class: 'actions' },
				button(t('givenBack'), () => close(true), { class: 'primary' }),
				button(t('close'), () => close(false), { class: 'plain' }),
			),
		]);

	/* What has to go back stands on top until it went. */
	async function loadDue() {
		const { due } = await get('/api/desk/refunds', { query: desk.query() }).catch(() => ({
			due: [],
		}));
		owed.hidden = !due.length;
		owed.replaceChildren(
			el('h2', {}, t('moneyDue')),
			...due.map((d) =>
				el(
					'div',
					{ class: 'line' },
					el(
						'span',
						{ class: 'spans' },
						el('b', {}, `${d.guestName} · ${money(d.amount, desk.day?.house.currency ?? 'KRW')}`),
						el(
							'span',
							{ class: 'soft-text' },
							`${d.reservationCode} · ${shortDay(d.slotDate)} · ${d.phone ?? ''}`,
						),
					),
					button(t('givenBack'), async () => (await sureGiven(d)) && givenBack(d), {
						class: 'soft',
					}),
				),
			),
		);
	}

	for (const input of [from, to]) input.addEventListener('change', load);
	root.replaceChildren(
		el(
			'div',
			{ class: 'house-page' },
			el('h1', {}, t('numbers')),
			el(
				'div',
				{ class: 'line' },
				el('div', { class: 'field' }, el('label', { for: 'n-from' }, t('from')), from),
				el('div', { class: 'field' }, el('label', { for: 'n-to' }, t('to')), to),
				lists,
			),
			owed,
			body,
		),
	);
	load();
	loadDue();
	return { still: true };
}
