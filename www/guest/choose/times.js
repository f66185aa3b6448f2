/*
 * times.js - the times of a day as buttons, and what is offered where one is full.
 */
import { longDay, shortDay, t } from '../../i18n.js';
import { ask, button, el, unseen } from '../../ui.js';
import { byMeal, fullness, lastDay, nearest, whyNoTime } from '../bookable.js';

function timeButton(date, { slotTime, remaining }, look, onclick) {
	const left = look === 'full' ? t('full') : t('left', remaining);
	return el(
		'li',
		{},
		el(
			'button',
			{ type: 'button', class: `time ${look}`.trim(), 'data-time': slotTime, onclick },
			unseen(`${longDay(date)}, `),
			el('b', {}, slotTime),
			' ',
			look ? el('span', {}, left) : unseen(left),
		),
	);
}

/* Times to choose from, as one tap each. */
export function drawOffers(offers, onpick) {
	const offer = ({ slotDate: date, slotTime: time, remaining }) =>
		el(
			'li',
			{},
			el(
				'button',
				{ type: 'button', class: 'time', onclick: () => onpick({ date, time }) },
				unseen(`${longDay(date)}, `),
				el('b', {}, time),
				' ',
				el('span', {}, t('left', remaining)),
			),
		);
	return el('ul', { class: 'times' }, offers.map(offer));
}

/* The button that leads to the waitlist of a time. */
export const waitButton = (time, onclick) =>
	button(t('waitFor', time), onclick, { class: 'soft wait' });

/*
 * A time that is full: the nearest that are not, as one tap each.  Resolves to { date, time },
 * 'days', 'wait' or undefined.
 */
export function offerAlternatives({ time, party, alternatives, title, waitlist = false }) {
	return ask('full-title', (close) => [
		el('h2', { id: 'full-title' }, title ?? t('fullTitle')),
		el('p', {}, alternatives.length ? t('fullText', time, party) : t('fullNone', time)),
		drawOffers(alternatives, close),
		...(waitlist
			? [el('p', { class: 'hint' }, t('waitOffer')), waitButton(time, () => close('wait'))]
			: []),
		el(
			'div',
			{ class: 'actions' },
			button(t('otherDay'), () => close('days'), { class: 'plain' }),
			button(t('close'), () => close(), { class: 'plain' }),
		),
	]);
}

/* The free times nearest to one that is not, as the dialog takes them. */
export const alternativesTo = (time, slots, date) =>
	nearest(time, slots).map((s) => ({ ...s, slotDate: date }));

/* The times of a day by meal.  rows: its slots; onpick(slot): one of them was pressed. */
export function drawTimes(rows, { date, party, onpick }) {
	const row = (slot) => timeButton(date, slot, fullness(slot, party), () => onpick(slot));
	return byMeal(rows).flatMap(([label, slots]) => [
		el('h3', {}, t(label)),
		el('ul', { class: 'times' }, slots.map(row)),
	]);
}

function sentenceFor(house, date, party, word) {
	if (word === 'dayFar') return t(word, longDay(date), longDay(lastDay(house)));
	return t(word, longDay(date), party);
}

/*
 * A day without a free time: why, its waitlist, and where else to look.  other: the day to look at
 * instead; more(): looks through the next month, where there is one.
 */
export function drawNoTime(rows, { house, date, party, shut, other, onpick, go, more }) {
	const word = whyNoTime(house, date, { shut, left: rows.length });
	const waitable = rows.length > 0 && house.policies.waitlist;
	const row = (slot) => timeButton(date, slot, fullness(slot, party), () => onpick(slot));
	const elsewhere = other
		? button(t('nextFree', shortDay(other.date)), () => go(other.date), { class: 'soft' })
		: more && button(t('nextMonth'), more, { class: 'soft' });
	return el(
		'div',
		{ class: 'empty' },
		el('p', {}, sentenceFor(house, date, party, word)),
		waitable &&
			el(
				'div',
				{ class: 'place' },
				el('p', { class: 'hint' }, t('waitOffer')),
				el('ul', { class: 'times' }, rows.map(row)),
			),
		elsewhere,
	);
}
