/*
 * pause.js - online bookings stop for every day, until a moment.
 */
import { serverNow } from '../../api.js';
import { field } from '../../forms.js';
import { t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { noMore, pauseUntil } from '../evening/closures.js';
import { endOfDay } from '../owner.js';

export function pause({ desk, data, house }) {
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
