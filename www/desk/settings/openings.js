/*
 * openings.js - when days open for guests: each day at a time of day, or a season in one moment.
 */
import { put } from '../../api.js';
import { addDays, minutesOf, timeOf } from '../../dates.js';
import { field } from '../../forms.js';
import { t } from '../../i18n.js';
import { el } from '../../ui.js';
import { listEditor, section, time } from './section.js';

const DAYS_MAX = 730;
const MONTH = 30;

const dayInput = (value, house, name) =>
	el('input', { type: 'date', value, name, required: true, max: addDays(house.today, DAYS_MAX) });

/* Three fields with what they mean in a sentence. */
function openingRow(house, opening) {
	const { from, to, opensAt } = opening ?? {
		from: addDays(house.today, MONTH),
		to: addDays(house.today, 2 * MONTH),
		opensAt: `${addDays(house.today, 1)}T10:00`,
	};
	const first = dayInput(from, house, 'from');
	const last = dayInput(to, house, 'to');
	const moment = el('input', {
		type: 'datetime-local',
		value: opensAt,
		name: 'opensAt',
		required: true,
	});
	const nodes = [
		field(null, t('openingFrom'), first),
		field(null, t('openingTo'), last),
		field(null, t('openingAt'), moment),
	];
	const read = () => ({
		from: first.value,
		to: last.value,
		opensAt: moment.value.slice(0, 16),
	});
	return { nodes, read };
}

/* The second request of a card: where it fails after the first was kept, that is said. */
async function partOf(name, answer, send) {
	try {
		await send();
	} catch (error) {
		if (answer) error.message = t('settings.partFailed', name, error.message);
		throw error;
	}
	return answer;
}

export function openings({ desk, data, house, query }) {
	const setting = data.settings.find((s) => s.name === 'opensAtMinute');
	const windowDays = data.settings.find((s) => s.name === 'windowDays').value;
	const daily = time(timeOf(setting.value));
	daily.name = setting.name;
	const list = listEditor(data.openings, (row) => openingRow(house, row), t('addOpening'), {
		ordered: false,
	});
	const names = { openings: t('openingMoments'), opensAtMinute: t('openingDaily') };
	/* Two requests, the list first: what is wrong is most likely there. */
	async function save({ openings, opensAtMinute }, changed) {
		const answer = changed.includes('openings')
			? await put('/api/desk/openings', { openings }, { query })
			: null;
		if (!changed.includes('opensAtMinute')) return answer;
		return partOf(names.opensAtMinute, answer, () =>
			put('/api/desk/settings', { opensAtMinute }, { query }),
		);
	}
	return section(desk, {
		title: t('openings'),
		about: t('openingsText'),
		children: [
			field(null, t('openingDaily'), daily, { hint: t('openingDailyText', windowDays) }),
			el('h3', {}, t('openingMoments')),
			el('p', { class: 'hint' }, t('openingMomentsText')),
			...list.nodes,
			el('p', {}, el('a', { href: '#opening' }, t('openingPage'))),
		],
		read: () => ({ openings: list.read(), opensAtMinute: minutesOf(daily.value) }),
		nameOf: (name) => names[name],
		save,
	});
}
