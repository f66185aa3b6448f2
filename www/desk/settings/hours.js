/*
 * hours.js - when the house is open: its week, and a pause.
 */
import { put, serverNow } from '../../api.js';
import { actions, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { later } from '../acts/send.js';
import { noMore, pauseUntil } from '../evening/closures.js';
import { endOfDay } from '../owner.js';
import { section } from './section.js';
import { servicesEditor } from './services.js';

/* ---- the week ---- */

/** The services of a week; before the house has rules there is nothing that differs from them. */
export const weekEditor = (hours, { firstWeekday = 1, ...how } = {}) =>
	servicesEditor(hours, { ...how, weekly: true, firstWeekday });

export function hoursSection(desk, data, house, query) {
	const week = weekEditor(house.hours, {
		desk,
		settings: data.settings,
		digits: house.currencyDigits,
		firstWeekday: house.firstWeekday,
	});
	return section(desk, {
		title: t('hours'),
		about: t('hoursText'),
		children: week.nodes,
		save: () => put('/api/desk/hours', { hours: week.read() }, { query }),
	});
}

/* ---- special days ---- */

/** The calendar and its form come when they are asked for: few evenings differ from their week. */
export function specialCard(desk, data, house, query) {
	const open = () =>
		later(
			desk,
			() => import('./special.js'),
			({ specialSection }) => {
				const section = specialSection(desk, data, house, query);
				card.replaceWith(section);
				section.querySelector('button').focus();
			},
		);
	const known = new Set(data.specialDays.map((s) => s.day)).size;
	const card = el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('special')),
		el('p', { class: 'hint' }, t('specialText')),
		actions(button(t('setDays', known), open, { class: 'soft' })),
	);
	return card;
}

/* ---- a pause ---- */

export function pauseSection(desk, data, house, query) {
	const state = el('p', { role: 'status' });
	const day = el('input', { type: 'date', value: house.today, min: house.today });
	const iso = (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
	async function until(moment) {
		if (await pauseUntil(desk, moment)) draw(moment);
	}
	const untilEndOf = (date) => until(iso(endOfDay(date, house.timezone)));
	const resume = button(t('resume'), () => until(''), { class: 'primary' });
	function draw(moment) {
		resume.hidden = !moment;
		state.textContent = moment ? t('pausedUntil', desk.moment(moment)) : t('takesBookings');
	}
	draw(data.pausedUntil);
	const soft = { class: 'soft' };
	return el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('pause')),
		state,
		el(
			'div',
			{ class: 'edit-row last' },
			button(t('pauseHour'), () => until(iso(serverNow() + 3600e3)), soft),
			button(t('noMore'), () => noMore(desk), soft),
			field(null, t('pauseUntil'), day, { className: 'narrow-day' }),
			button(t('pauseUntilGo'), () => untilEndOf(day.value), soft),
			resume,
		),
	);
}
