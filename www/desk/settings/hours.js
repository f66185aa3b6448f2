/*
 * hours.js - when the house is open: its week.
 */
import { put } from '../../api.js';
import { t } from '../../i18n.js';
import { section } from './section.js';
import { servicesEditor } from './services.js';

/** The services of a week; before the house has rules there is nothing that differs from them. */
export const weekEditor = (hours, { firstWeekday = 1, ...how } = {}) =>
	servicesEditor(hours, { ...how, weekly: true, firstWeekday });

export function hours({ desk, data, house, query }) {
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
		read: () => ({ hours: week.read() }),
		save: (values) => put('/api/desk/hours', values, { query }),
	});
}
