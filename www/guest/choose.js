/*
 * choose.js - the first screen: party, day, time.
 */
import { get } from '../api.js';
import { addDays, asDate, dayAt, isDay, minutesOf, weekdayOf } from '../dates.js';
import { longDay, money, monthName, own, shortDay, t, weekdayName } from '../i18n.js';
import { announce, ask, button, el } from '../ui.js';

const CHIPS_MAX = 30;
const FEW_SEATS = 6;
const MONTHS_AHEAD = 2; /* so many more are looked through for the first open day */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const monthOf = (day) => day.slice(0, 7);
const deviceDay = () => dayAt(Date.now());
const bookable = (state) => state === 'open' || state === 'few';

function shiftMonth(month, by) {
	const date = asDate(`${month}-01`);
	date.setUTCMonth(date.getUTCMonth() + by);
	return date.toISOString().slice(0, 7);
}

/* The spans a day is open; a special day replaces its weekday. */
export function spansOf(house, day) {
	const special = (house.specialDays ?? []).filter((s) => s.day === day);
	const rows = special.length
		? special
		: (house.hours ?? []).filter((h) => h.weekday === weekdayOf(day));
	return rows.filter((r) => r.opens && r.closes);
}
export const spanText = (spans) =>
	spans.map((s) => `${s.opens}\u2060–\u2060${s.closes}`).join(', ');

/* Is it ever open? */
export const hasHours = (house) =>
	[...(house.hours ?? []), ...(house.specialDays ?? [])].some((h) => h.opens && h.closes);

/* Why nothing at all can be booked here just now, or null. */
export function whyShut(house) {
	const why = !hasHours(house) ? t('noHours') : house.paused ? t('paused') : null;
	return why && house.phone ? `${why} ${t('pleaseCall')}` : why;
}

export const callButton = (house, kind = 'soft') =>
	house?.phone
		? el(
				'a',
				{ class: `button ${kind}`, href: `tel:${house.phone.replace(/[^0-9+]/g, '')}` },
				t('call', house.phone),
			)
		: null;

/* Where it is, on the map that people there use. */
export function mapLink(house) {
	const address = own(house.address, house.addressEn);
	const find =
		house.timezone === 'Asia/Seoul'
			? 'https://map.naver.com/p/search/'
			: 'https://www.openstreetmap.org/search?query=';
	return {
		href: find + encodeURIComponent(house.timezone === 'Asia/Seoul' ? house.address : address),
		text: address,
	};
}

/* The last day that can be booked today. */
export const lastDay = (house) => addDays(house.today, house.policies.windowDays);

/* The three free times nearest to one that is not. */
export function nearest(time, slots) {
	const gap = (s) => Math.abs(minutesOf(s.slotTime) - minutesOf(time));
	return slots
		.filter((s) => s.available)
		.sort((a, b) => gap(a) - gap(b))
		.slice(0, 3);
}

/* What a button says to those who do not see where it stands: its visible words are part of its name, so nobody is told
 * one thing and shown another. */
const unseen = (text) => el('span', { class: 'unseen' }, text);

/* A long day around its number: "Tuesday ", "17", " November". */
function splitDay(day) {
	const text = longDay(day);
	const number = String(Number(day.slice(8)));
	const found = text.match(new RegExp(`(^|\\s)${number}(?=일|\\s)`));
	if (!found) return [`${text} `, number, ''];
	const at = found.index + found[1].length;
	return [text.slice(0, at), number, text.slice(at + number.length)];
}

/* Times to choose from, as one tap each. */
export const drawOffers = (offers, onpick) =>
	el(
		'ul',
		{ class: 'times' },
		offers.map((a) =>
			el(
				'li',
				{},
				el(
					'button',
					{
						type: 'button',
						class: 'time',
						onclick: () => onpick({ date: a.slotDate, time: a.slotTime }),
					},
					unseen(`${longDay(a.slotDate)}, `),
					el('b', {}, a.slotTime),
					' ',
					el('span', {}, t('left', a.remaining)),
				),
			),
		),
	);

/* A time that is full: the nearest that are not, as one tap each.  Resolves to { date, time }, 'days', 'wait' or undefined. */
export function offerAlternatives({ time, party, alternatives, title, waitlist = false }) {
	return ask('full-title', (close) => [
		el('h2', { id: 'full-title' }, title ?? t('fullTitle')),
		el('p', {}, alternatives.length ? t('fullText', time, party) : t('fullNone', time)),
		drawOffers(alternatives, close),
		...(waitlist
			? [
					el('p', { class: 'hint' }, t('waitOffer')),
					button(t('waitFor', time), () => close('wait'), { class: 'soft wait' }),
				]
			: []),
		el(
			'div',
			{ class: 'actions' },
			button(t('otherDay'), () => close('days'), { class: 'plain' }),
			button(t('close'), () => close(), { class: 'plain' }),
		),
	]);
}

/*
 * Draws the screen into root.  ctx: { house, restaurantId, params, go }.  The house may not be known
 * yet; the screen draws what it can and update() fills in the rest.
 */
export function choose(root, ctx) {
	const { restaurantId } = ctx;
	const asked = Number(ctx.params.get('party'));
	let party = Number.isInteger(asked) && asked > 0 ? asked : 2;
	let date = isDay(ctx.params.get('date')) ? ctx.params.get('date') : null;
	let month = monthOf(date ?? ctx.house?.today ?? deviceDay());
	let states = new Map(); /* of the days, by date */
	let slots = null;
	let shut = false; /* the day is a day off */
	let none = ''; /* why no day could be chosen */
	let turn = 0; /* the number of the newest question */

	const chips = el('div', { class: 'chips' });
	const over = el('p', { class: 'hint' });
	const monthTitle = el('h3', { id: 'month-title', 'aria-live': 'polite' });
	const weekdays = el('tr');
	const weeks = el('tbody');
	const prev = button('‹', () => turnMonth(-1), { class: 'round', 'aria-label': t('prevMonth') });
	const next = button('›', () => turnMonth(1), { class: 'round', 'aria-label': t('nextMonth') });
	const times = el('div', { class: 'slots', 'aria-busy': 'true' });
	const dayTitle = el('p', { class: 'day-title' });
	const trouble = el('div', { class: 'notice', hidden: true });
	const paused = el('div', { class: 'notice', hidden: true });
	const grid = el(
		'table',
		{ class: 'month', role: 'grid', 'aria-labelledby': 'month-title', onkeydown: moveByKey },
		el('thead', {}, weekdays),
		weeks,
	);
	const info = el('aside', { class: 'info', 'aria-label': t('where') });
	const questions = [
		el('fieldset', { class: 'party' }, el('legend', {}, t('party')), chips, over),
		el(
			'div',
			{ class: 'when' },
			el(
				'div',
				{ class: 'calendar' },
				el('h2', { class: 'q' }, t('day')),
				el('div', { class: 'month-bar' }, prev, monthTitle, next),
				grid,
			),
			el(
				'div',
				{ class: 'hours-of-day' },
				el('h2', { class: 'q', id: 'time-title' }, t('time')),
				dayTitle,
				trouble,
				times,
			),
		),
	];

	root.replaceChildren(
		el(
			'div',
			{ class: 'columns beside' },
			el('section', { class: 'card choose', 'aria-label': t('choose') }, paused, ...questions),
			info,
		),
	);

	function keepInUrl() {
		ctx.go({ party, ...(date ? { date } : {}) }, { replace: true, quiet: true });
	}

	function drawParty() {
		const { partyMin, partyMax } = ctx.house?.policies ?? { partyMin: 1, partyMax: 12 };
		const last = Math.min(partyMax, CHIPS_MAX);
		party = Math.max(partyMin, Math.min(party, last));
		chips.replaceChildren(
			...Array.from({ length: last - partyMin + 1 }, (_, i) => {
				const n = partyMin + i;
				const radio = el('input', {
					type: 'radio',
					name: 'party',
					value: String(n),
					checked: n === party,
					onchange: () => {
						party = n;
						keepInUrl();
						load();
					},
				});
				return el(
					'label',
					{ class: 'chip' },
					radio,
					el(
						'span',
						{},
						el('span', { class: 'unseen' }, t('people', n)),
						el('span', { 'aria-hidden': 'true' }, String(n)),
					),
				);
			}),
		);
		over.textContent = ctx.house?.phone ? t('largeParty', last) : '\u00a0';
		const checked = chips.querySelector('input:checked')?.parentElement;
		if (checked) chips.scrollLeft = Math.max(0, checked.offsetLeft - chips.clientWidth / 2);
	}

	function drawDay(day) {
		const state =
			states.get(day)?.state ?? (ctx.house && day < ctx.house.today ? 'past' : 'unknown');
		const dead = state === 'past' || state === 'far' || state === 'closed';
		const [before, number, after] = splitDay(day);
		const cell = el(
			'button',
			{
				type: 'button',
				class: `day ${state}`,
				'data-date': day,
				tabIndex: day === date ? 0 : -1,
				onclick: () => !dead && pick(day),
				'aria-pressed': String(day === date),
				'aria-disabled': dead ? 'true' : undefined,
			},
			unseen(before),
			el('span', { class: 'num' }, number),
			unseen(state === 'unknown' ? after : `${after}, ${t(`state.${state}`)}`),
			el(
				'span',
				{ class: 'mark', 'aria-hidden': 'true' },
				['few', 'full', 'closed'].includes(state)
					? t(`mark.${state}`)
					: state === 'open'
						? '•'
						: '',
			),
		);
		if (day === ctx.house?.today) cell.setAttribute('aria-current', 'date');
		return cell;
	}

	function drawMonth() {
		const first = `${month}-01`;
		const lead = asDate(first).getUTCDay();
		const length = asDate(addDays(`${shiftMonth(month, 1)}-01`, -1)).getUTCDate();
		const sunday = addDays(first, -lead);
		const held = weeks.contains(document.activeElement)
			? document.activeElement.dataset.date
			: null;
		monthTitle.textContent = monthName(month);
		weekdays.replaceChildren(
			...Array.from({ length: 7 }, (_, i) =>
				el(
					'th',
					{
						scope: 'col',
						class: i === 0 ? 'sun' : i === 6 ? 'sat' : '',
						abbr: weekdayName(addDays(sunday, i), 'long'),
					},
					weekdayName(addDays(sunday, i), 'short'),
				),
			),
		);
		const today = ctx.house?.today ?? deviceDay();
		const rows = Array.from({ length: Math.ceil((lead + length) / 7) }, (_, w) =>
			addDays(sunday, w * 7),
		).filter((start) => addDays(start, 6) >= today); /* weeks that are over are left out */
		weeks.replaceChildren(
			...rows.map((start) =>
				el(
					'tr',
					{},
					Array.from({ length: 7 }, (_, i) => {
						const day = addDays(start, i);
						return el('td', {}, monthOf(day) === month ? drawDay(day) : null);
					}),
				),
			),
		);
		const reach =
			weeks.querySelector('[tabindex="0"]') ??
			weeks.querySelector('.open, .few') ??
			weeks.querySelector('.day');
		if (reach) reach.tabIndex = 0;
		if (held) weeks.querySelector(`[data-date="${held}"]`)?.focus();
		prev.disabled = ctx.house ? month <= monthOf(ctx.house.today) : true;
		next.disabled = ctx.house ? month >= monthOf(lastDay(ctx.house)) : true;
	}

	async function moveByKey(event) {
		const from = event.target.closest('[data-date]')?.dataset.date;
		const by = STEPS[event.key];
		if (!from || (!by && event.key !== 'PageUp' && event.key !== 'PageDown')) return;
		event.preventDefault();
		const turning = event.key === 'PageUp' ? -1 : event.key === 'PageDown' ? 1 : 0;
		const to = turning
			? `${shiftMonth(month, turning)}-${from.slice(8) > '28' ? '28' : from.slice(8)}`
			: addDays(from, by);
		if (monthOf(to) !== month) {
			if ((monthOf(to) < month ? prev : next).disabled) return;
			await turnMonth(monthOf(to) < month ? -1 : 1);
		}
		for (const day of weeks.querySelectorAll('[data-date]'))
			day.tabIndex = day.dataset.date === to ? 0 : -1;
		weeks.querySelector(`[data-date="${to}"]`)?.focus();
	}

	function drawTimes() {
		if (!date || !slots)
			return times.replaceChildren(...(none ? [el('p', { class: 'empty' }, none)] : []));
		const now = ctx.clock();
		const midnight =
			(asDate(date) - asDate(now.today)) / 60000; /* of that day, in minutes after today's */
		const rows = slots.filter(
			(s) => midnight + minutesOf(s.slotTime) >= now.minutes + ctx.house.policies.leadMinutes,
		);
		const free = rows.filter((s) => s.available);
		dayTitle.textContent = longDay(date);
		if (!free.length) return drawNothing(rows);
		const groups = new Map();
		for (const slot of rows)
			groups.set(slot.label || 'other', [...(groups.get(slot.label || 'other') ?? []), slot]);
		return times.replaceChildren(
			...[...groups].flatMap(([label, list]) => [
				el('h3', {}, t(label)),
				el(
					'ul',
					{ class: 'times' },
					list.map((slot) => el('li', {}, drawTime(slot, rows))),
				),
			]),
		);
	}

	function drawTime(slot, rows) {
		const few = slot.available && slot.remaining <= Math.max(FEW_SEATS, party + 1);
		return el(
			'button',
			{
				type: 'button',
				class: `time${slot.available ? (few ? ' few' : '') : ' full'}`,
				'data-time': slot.slotTime,
				onclick: () =>
					slot.available ? ctx.go({ party, date, time: slot.slotTime }) : showFull(slot, rows),
			},
			unseen(`${longDay(date)}, `),
			el('b', {}, slot.slotTime),
			' ',
			slot.available
				? few
					? el('span', {}, t('left', slot.remaining))
					: unseen(t('left', slot.remaining))
				: el('span', {}, t('full')),
		);
	}

	async function showFull(slot, rows) {
		const wish = await offerAlternatives({
			time: slot.slotTime,
			party,
			alternatives: nearest(slot.slotTime, rows).map((s) => ({ ...s, slotDate: date })),
			title: t('fullAlready', slot.slotTime),
			waitlist: ctx.house.policies.waitlist,
		});
		if (wish === 'wait') await ctx.wait({ party, date, time: slot.slotTime });
		else if (wish?.time) ctx.go({ party, date: wish.date, time: wish.time });
		else if (wish === 'days') weeks.querySelector('[tabindex="0"]')?.focus();
	}

	function whyNothing(rows) {
		if (date > lastDay(ctx.house)) return t('dayFar', longDay(date), longDay(lastDay(ctx.house)));
		if (shut) return t('dayShut', longDay(date));
		return rows.length ? t('dayFull', longDay(date), party) : t('dayOver', longDay(date));
	}

	/* No time is free: why, and the next day that has one, or the last before a day that is too far away. */
	function drawNothing(rows) {
		const free = [...states.values()].filter((d) => bookable(d.state));
		const other =
			free.find((d) => d.date > date) ?? (date > lastDay(ctx.house) ? free.at(-1) : null);
		times.replaceChildren(
			el(
				'div',
				{ class: 'empty' },
				el('p', {}, whyNothing(rows)),
				rows.length && ctx.house.policies.waitlist
					? el(
							'div',
							{ class: 'place' },
							el('p', { class: 'hint' }, t('waitOffer')),
							el(
								'ul',
								{ class: 'times' },
								rows.map((s) => el('li', {}, drawTime(s, rows))),
							),
						)
					: null,
				other
					? button(t('nextFree', shortDay(other.date)), () => pick(other.date), { class: 'soft' })
					: states.size && !next.disabled
						? button(t('nextMonth'), () => turnMonth(1, true), { class: 'soft' })
						: null,
			),
		);
	}

	function drawInfo() {
		const { house } = ctx;
		if (!house) return;
		const sunday = addDays(house.today, -asDate(house.today).getUTCDay());
		const week = Array.from({ length: 7 }, (_, i) => addDays(sunday, i + 1));
		const soon = [...new Set((house.specialDays ?? []).map((s) => s.day))]
			.filter((d) => d >= house.today)
			.sort()
			.slice(0, 5);
		info.replaceChildren(
			...[
				hasHours(house) &&
					el(
						'section',
						{ class: 'card' },
						el('h2', {}, t('hours')),
						el(
							'table',
							{ class: 'hours' },
							el(
								'tbody',
								{},
								week.map((day) => {
									const spans = house.hours.filter((h) => h.weekday === weekdayOf(day));
									return el(
										'tr',
										{ class: weekdayOf(day) === weekdayOf(house.today) ? 'now' : '' },
										el('th', { scope: 'row' }, weekdayName(day, 'long')),
										el(
											'td',
											{},
											spans.length
												? spans.map((s) => el('span', {}, spanText([s])))
												: t('mark.closed'),
										),
									);
								}),
							),
						),
						soon.length
							? el(
									'ul',
									{ class: 'special' },
									soon.map((day) =>
										el(
											'li',
											{},
											el('b', {}, shortDay(day)),
											` ${spanText(spansOf(house, day)) || t('mark.closed')}`,
										),
									),
								)
							: null,
					),
				house.menu?.length &&
					el(
						'section',
						{ class: 'card' },
						el('h2', {}, t('menu')),
						el(
							'ul',
							{ class: 'menu' },
							house.menu.map((dish) =>
								el(
									'li',
									{},
									el('span', { class: 'dish' }, own(dish.name, dish.nameEn)),
									el('span', { class: 'price' }, money(dish.price, house.currency)),
									dish.description
										? el(
												'span',
												{ class: 'about', lang: dish.descriptionEn ? undefined : 'ko' },
												own(dish.description, dish.descriptionEn),
											)
										: null,
								),
							),
						),
					),
			].filter(Boolean),
		);
		info.hidden = !info.childElementCount;
	}

	function showTrouble(error) {
		trouble.hidden = false;
		trouble.replaceChildren(
			el('p', {}, ctx.sentence(error)),
			button(t('retry'), () => load(), { class: 'soft' }),
		);
		announce(ctx.sentence(error), true);
	}

	async function turnMonth(by, andPick = false) {
		month = shiftMonth(month, by);
		states = new Map();
		drawMonth();
		await loadDays();
		if (andPick) {
			const first = [...states.values()].find((d) => bookable(d.state));
			if (first) await pick(first.date);
		}
	}

	async function pick(day) {
		date = day;
		keepInUrl();
		drawMonth();
		await loadTimes();
		const free = slots?.filter((s) => s.available).length ?? 0;
		announce(t('timesOf', longDay(day), free));
	}

	async function loadDays() {
		const asked = month;
		const answer = await get('/api/reservations/days', {
			query: { restaurantId, month, partySize: party },
		});
		if (asked !== month) return;
		states = new Map(answer.days.map((d) => [d.date, d]));
		drawMonth();
		if (times.querySelector('.empty') && times.getAttribute('aria-busy') === 'false')
			drawTimes(); /* now we know where else there is room */
	}

	async function loadTimes() {
		const mine = ++turn;
		times.setAttribute('aria-busy', 'true');
		try {
			const answer = await get('/api/reservations/slots', {
				query: { restaurantId, slotDate: date, partySize: party },
			});
			if (mine !== turn) return;
			slots = answer.slots;
			shut = answer.closed;
			trouble.hidden = true;
			drawTimes();
		} catch (error) {
			if (mine === turn) showTrouble(error);
		}
		if (mine === turn) times.setAttribute('aria-busy', 'false');
	}

	/* A day that is over is forgotten; the month is one with days that can be booked. */
	function keepInReach() {
		const { today } = ctx.house;
		const last = monthOf(lastDay(ctx.house));
		if (date && date < today) date = null;
		month = month < monthOf(today) ? monthOf(today) : month > last ? last : month;
	}

	/* Everything that depends on the party; picks the first open day when none is chosen. */
	async function load() {
		if (!ctx.house || whyShut(ctx.house)) return;
		none = '';
		try {
			const days = loadDays();
			if (date) await Promise.all([days, loadTimes()]);
			else await days;
			for (let turned = 0; !date; turned++) {
				const first = [...states.values()].find((d) => bookable(d.state));
				if (first) {
					date = first.date;
					drawMonth();
					await loadTimes();
				} else if (next.disabled || turned === MONTHS_AHEAD) {
					await sayNone(turned);
					break;
				} else await turnMonth(1);
			}
			trouble.hidden = true;
		} catch (error) {
			showTrouble(error);
		}
	}

	/* Every month was looked through in vain: back to where we began, with a word about it. */
	async function sayNone(turned) {
		none = t('noDay', monthName(month), party);
		if (turned) await turnMonth(-turned);
		times.setAttribute('aria-busy', 'false');
		drawTimes();
	}

	function update() {
		const why = ctx.house && whyShut(ctx.house);
		paused.hidden = !why;
		paused.replaceChildren(
			...(why ? [el('p', {}, why), callButton(ctx.house)].filter(Boolean) : []),
		);
		for (const question of questions) question.hidden = Boolean(why);
		drawParty();
		if (ctx.house) keepInReach();
		drawMonth();
		drawInfo();
		load();
	}

	update();
	return { update, title: t('choose') };
}
