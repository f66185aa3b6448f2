/*
 * history.js - who changed which setting when.
 */
import { get } from '../../api.js';
import { money, t } from '../../i18n.js';
import { el } from '../../ui.js';
import { loadPlaces } from './place.js';

/*
 * Amounts as they were read then, the newest first: before another currency they were in that one,
 * and before the upgrade in whole units.
 */
function historyWords(house, { currencies }) {
	const digits = new Map(currencies.map((c) => [c.code, c.digits]));
	let coin = house;
	const sum = (value) => (value === null ? '' : money(Number(value), coin));
	return (h) => {
		if (h.change === 'currency_units') {
			const text = t('unitsChanged', coin.currency);
			coin = { ...coin, currencyDigits: 0 };
			return { change: text, from: '', to: '' };
		}
		if (h.change === 'currency')
			coin = { currency: h.from, currencyDigits: digits.get(h.from) ?? 2 };
		const from = h.from ?? '';
		const to = h.to ?? '';
		if (!/^deposit_.*per_person$/.test(h.change)) return { change: h.change, from, to };
		return { change: h.change, from: sum(h.from), to: sum(h.to) };
	};
}

const changeLine = (desk, h, { change, from, to }) =>
	el(
		'li',
		{},
		el('b', {}, desk.when(h.at)),
		` ${h.name ?? h.actor} · ${change} `,
		el('span', { class: 'soft-text' }, from || to ? `${from} → ${to}` : ''),
	);

export async function history({ desk, house, query }) {
	const [{ history }, places] = await Promise.all([
		get('/api/desk/history', { query }),
		loadPlaces(),
	]);
	const words = historyWords(house, places);
	return el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('history')),
		el(
			'ol',
			{ class: 'history' },
			history.map((h) => changeLine(desk, h, words(h))),
		),
	);
}
