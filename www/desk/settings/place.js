/*
 * place.js - where a house is, and what follows from it: country, time zone, currency, calling
 * code, first day of the week, language.  The country proposes, the owner sees and changes.
 */
import { get, put } from '../../api.js';
import { confirmDialog, field } from '../../forms.js';
import { lang, money, t, weekdayName } from '../../i18n.js';
import { el } from '../../ui.js';
import { number, section, select } from './section.js';
import { only } from './unsaved.js';

const CALLING_MAX = 999;
const MONDAY = '2026-11-16';
const LABELS = { language: 'houseLanguage' }; /* the others have their own name */

/** The countries and currencies to choose from. */
export const loadPlaces = () => get('/api/desk/countries');

/* Every zone that the browser knows, those of the countries, and the one that there is. */
function zonesOf({ countries }, chosen) {
	const known = Intl.supportedValuesOf?.('timeZone') ?? [];
	return [...new Set([...known, ...countries.map((c) => c.timezone), chosen])]
		.filter(Boolean)
		.sort();
}

/* "EUR – Euro"; a browser without names shows the code. */
function currencyName(code) {
	const names = Intl.DisplayNames && new Intl.DisplayNames(lang(), { type: 'currency' });
	const name = names?.of(code) ?? code;
	return name === code ? code : `${code} – ${name}`;
}

/** The country whose people have this clock; else the one of the browser's language, else none. */
export function guessCountry({ countries }, zone, language = navigator.language ?? '') {
	const region = language.split('-')[1]?.toUpperCase();
	const there = countries.filter((c) => c.timezone === zone);
	return (there.find((c) => c.code === region) ?? there[0])?.code ?? '';
}

const weekdayOf = (day) =>
	weekdayName(`${MONDAY.slice(0, 8)}${Number(MONDAY.slice(8)) + Number(day) - 1}`, 'long');

function inputsOf(places, now) {
	const { countries, currencies } = places;
	const names = new Map(countries.map((c) => [c.code, c.name]));
	const byName = [...names].sort((a, b) => a[1].localeCompare(b[1], lang())).map(([code]) => code);
	const codes = [...new Set([...currencies.map((c) => c.code), now.currency])].sort();
	return {
		country: select(['', ...byName], now.country ?? '', (c) => names.get(c) ?? t('chooseOne'), {
			name: 'country',
			autocomplete: 'country',
		}),
		timezone: select(zonesOf(places, now.timezone), now.timezone, (z) => z, {
			name: 'timezone',
		}),
		currency: select(codes, now.currency, currencyName, { name: 'currency' }),
		callingCode: number(now.callingCode, 1, CALLING_MAX, { name: 'callingCode' }),
		firstWeekday: select(['1', '2', '3', '4', '5', '6', '7'], String(now.firstWeekday), weekdayOf, {
			name: 'firstWeekday',
		}),
		language: select(['ko', 'en'], now.language, (code) => t(`speaks.${code}`), {
			name: 'language',
		}),
	};
}

/**
 * Six fields; another country fills in the other five.  changed(): something is another now.
 * read(): as the settings have it; digits(): of the currency that is chosen.
 */
export function placeFields(places, now, changed = () => {}) {
	const inputs = inputsOf(places, now);
	const digits = () => places.currencies.find((c) => c.code === inputs.currency.value)?.digits ?? 2;
	function propose() {
		const usual = places.countries.find((c) => c.code === inputs.country.value);
		if (!usual) return;
		for (const [name, input] of Object.entries(inputs)) {
			if (name !== 'country') input.value = String(usual[name]);
		}
		changed();
	}
	inputs.country.addEventListener('change', propose);
	const rest = Object.entries(inputs).filter(([name]) => name !== 'country');
	const node = el(
		'div',
		{ onchange: changed },
		field(null, t('country'), inputs.country, { hint: t('countryText') }),
		el(
			'div',
			{ class: 'rules' },
			rest.map(([name, input]) =>
				field(null, t(LABELS[name] ?? name), input, { hint: t('placeHelp')[name] }),
			),
		),
	);
	const read = () => ({
		country: inputs.country.value,
		timezone: inputs.timezone.value,
		currency: inputs.currency.value,
		callingCode: Number(inputs.callingCode.value),
		firstWeekday: Number(inputs.firstWeekday.value),
		language: inputs.language.value,
	});
	const phone = () =>
		places.countries.find((c) => c.code === inputs.country.value)?.phoneExample ?? '';
	return { node, read, digits, phone };
}

/* The numbers stay: the owner reads so before, with one of them. */
const sureOfCurrency = (house, currency, currencyDigits) => {
	const example = house.menu?.[0]?.price || house.policies.depositPerPerson || 0;
	const same = Math.round((example * 10 ** currencyDigits) / 10 ** house.currencyDigits);
	const text = example
		? t('currencyKeeps', money(example, house), money(same, { currency, currencyDigits }))
		: t('currencyNone');
	return confirmDialog(t('currencySure', house.currency, currency), text, t('currencyDo'));
};

/** The card of the settings; again(): draws it anew, whose amounts are others now. */
export async function place({ desk, house, query, again }) {
	const places = await loadPlaces();
	const fields = placeFields(places, house);
	async function save(now, names) {
		const other = now.currency !== house.currency;
		if (other && !(await sureOfCurrency(house, now.currency, fields.digits()))) {
			throw Object.assign(new Error(t('notSaved')), { code: 'NOT_SAVED' });
		}
		const answer = await put('/api/desk/settings', only(names, now), { query });
		if (other || now.language !== house.language) setTimeout(again);
		return answer;
	}
	return section(desk, {
		title: t('place'),
		about: t('placeText'),
		children: [fields.node],
		read: fields.read,
		nameOf: (name) => t(LABELS[name] ?? name),
		save,
	});
}
