/*
 * times.js - the times of a day as buttons, and what is offered where one is full.
 */
import { clockAt, clockTime, dayAt, isNight } from '../../dates.js';
import { longDay, shortDay, slotWhen, t } from '../../i18n.js';
import { button, el, unseen } from '../../ui.js';
import { byMeal, fullness, lastDay, MEALS, nearest, whyNoTime } from '../bookable.js';

/* "Sun 1 Nov 10:00" at the restaurant; '' where there is none. */
export function momentText(opensAt, house) {
	const at = Date.parse(opensAt ?? '');
	if (!at || !house) return '';
	return `${shortDay(dayAt(at, house.timezone))} ${clockAt(at, house.timezone)}`;
}

/* A day that no rule opens, in a sentence; where days open at moments of their own no last day is
 * named. */
export const farText = (house, date) =>
	t('dayFar', longDay(date), house.nextOpening ? '' : longDay(lastDay(house)));

function timeButton(date, { slotTime, remaining }, look, onclick) {
	/* How many are left is said where they are few: the others are nobody's business. */
	const left = look === 'full' ? t('full') : t('left', remaining);
	return el(
		'li',
		{},
		el(
			'button',
			{ type: 'button', class: `time ${look}`.trim(), 'data-time': slotTime, onclick },
			unseen(`${isNight(slotTime) ? slotWhen(date, slotTime) : longDay(date)}, `),
			el('b', {}, clockTime(slotTime)),
			look && ' ',
			look && el('span', {}, left),
		),
	);
}

/* Times to choose from for a party, as one tap each. */
export function drawOffers(offers, party, onpick) {
	const isFew = (remaining) => fullness({ available: true, remaining }, party) === 'few';
	const offer = ({ slotDate: date, slotTime: time, remaining }) =>
		el(
			'li',
			{},
			el(
				'button',
				{ type: 'button', class: 'time', onclick: () => onpick({ date, time }) },
				unseen(`${isNight(time) ? slotWhen(date, time) : longDay(date)}, `),
				el('b', {}, clockTime(time)),
				isFew(remaining) && ' ',
				isFew(remaining) && el('span', {}, t('left', remaining)),
			),
		);
	return el('ul', { class: 'times' }, offers.map(offer));
}

/* The button that leads to the waitlist of a time. */
export const waitButton = (time, onclick) =>
	button(t('waitFor', clockTime(time)), onclick, { class: 'soft wait' });

/* The free times nearest to one that is not, as the dialog takes them. */
export const alternativesTo = (time, slots, date) =>
	nearest(time, slots).map((s) => ({ ...s, slotDate: date }));

/* The name of a service: a meal in the guest's language, else as the owner wrote it. */
const mealName = (label) => (MEALS.includes(label) ? t(label) : label);

/* The times of a day by service, those after midnight apart.  rows: its slots; onpick(slot): one of
 * them was pressed. */
export function drawTimes(rows, { date, party, onpick }) {
	const row = (slot) => timeButton(date, slot, fullness(slot, party), () => onpick(slot));
	const list = (slots) => el('ul', { class: 'times' }, slots.map(row));
	return byMeal(rows).flatMap(([label, slots]) => {
		const evening = slots.filter((s) => !isNight(s.slotTime));
		const night = slots.filter((s) => isNight(s.slotTime));
		return [
			el('h3', {}, mealName(label)),
			evening.length > 0 && list(evening),
			night.length > 0 && el('h4', { class: 'night' }, t('afterMidnight', shortDay(date))),
			night.length > 0 && list(night),
		].filter(Boolean);
	});
}

/*
 * A day without a free time: why, its waitlist, and where else to look.  other: the day to look at
 * instead; more(): looks through the next month, where there is one.
 */
export function drawNoTime(rows, { house, date, party, shut, far, other, onpick, go, more }) {
	const full = rows.filter((slot) => !slot.blocked);
	const word = whyNoTime(house, date, { shut, far, left: rows.length, full: full.length });
	const waitable = full.length > 0 && !far && house.policies.waitlist;
	const row = (slot) => timeButton(date, slot, fullness(slot, party), () => onpick(slot));
	const elsewhere = other
		? button(t('nextFree', shortDay(other.date)), () => go(other.date), { class: 'soft' })
		: more && button(t('nextMonth'), more, { class: 'soft' });
	return el(
		'div',
		{ class: 'empty' },
		el('p', {}, word === 'dayFar' ? farText(house, date) : t(word, longDay(date), party)),
		waitable &&
			el(
				'div',
				{ class: 'place' },
				el('p', { class: 'hint' }, t('waitOffer')),
				el('ul', { class: 'times' }, full.map(row)),
			),
		elsewhere,
	);
}
