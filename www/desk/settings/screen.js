/*
 * screen.js - the owner's settings, section by section, each saved by itself.
 */
import { get, put } from '../../api.js';
import { field } from '../../forms.js';
import { money, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el, focusOn } from '../../ui.js';
import { hoursSection, pauseSection, specialCard } from './hours.js';
import { mailSections } from './mail.js';
import { openingsSection } from './openings.js';
import { loadPlaces, placeSection } from './place.js';
import { amountInput, filled, lines, listEditor, rulesSection, section, text } from './section.js';
import { boxSection, staffSection } from './staff.js';
import { tablesSection } from './tables.js';

const PRICE_MAX = 1000000000; /* of the smallest unit */
const RULES = ['times', 'booking', 'deposit', 'refund', 'waitlist', 'privacy'];

const FACTS = [
	{ name: 'name', max: LENGTHS.house, required: true },
	{ name: 'nameEn', max: LENGTHS.house, other: true },
	{ name: 'phone', max: LENGTHS.housePhone },
	{ name: 'address', max: LENGTHS.address },
	{ name: 'addressEn', max: LENGTHS.address, other: true },
	{ name: 'paymentText', max: LENGTHS.paymentText, make: lines },
];

const newTab = (href, label, kind) =>
	el('a', { class: kind, href, target: '_blank', rel: 'noopener' }, label);

/* "Name in English" in a Korean house, "Name in Korean" in the others. */
const inOther = (name, house) => t(name, t(`otherOf.${house.language}`));

function factsSection(desk, house, query) {
	const inputs = FACTS.map(({ name, max, required = false, make = text }) =>
		make(house[name], max, { name, required }),
	);
	const read = () => Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()]));
	return section(desk, {
		title: t('facts'),
		children: inputs.map((input, i) =>
			field(null, FACTS[i].other ? inOther(input.name, house) : t(input.name), input),
		),
		save: () => put('/api/desk/settings', read(), { query }),
	});
}

/* ---- the menu ---- */

function dishRow(house, dish = {}) {
	const name = text(dish.name, LENGTHS.dish, { required: true });
	const nameEn = text(dish.nameEn, LENGTHS.dish);
	const about = lines(dish.description, LENGTHS.description);
	const aboutEn = lines(dish.descriptionEn, LENGTHS.description);
	const price = amountInput(dish.price ?? 0, PRICE_MAX, house.currencyDigits);
	const out = el('input', { type: 'checkbox', checked: Boolean(dish.soldOut) });
	const read = () =>
		filled({
			menuId: dish.menuId,
			name: name.value.trim(),
			nameEn: nameEn.value.trim(),
			description: about.value.trim(),
			descriptionEn: aboutEn.value.trim(),
			price: price.amount(),
			soldOut: out.checked ? 1 : 0,
		});
	const nodes = [
		field(null, t('name'), name),
		field(null, inOther('nameEn', house), nameEn),
		field(null, t('priceIn', house.currency), price, { className: 'narrow-field' }),
		field(null, t('about'), about),
		field(null, inOther('aboutEn', house), aboutEn),
		el('label', { class: 'tick' }, out, ` ${t('soldOut')}`),
	];
	return { nodes, read };
}

function menuSection(desk, house, query) {
	const menu = listEditor(house.menu, (dish) => dishRow(house, dish), t('addDish'));
	return section(desk, {
		title: t('menu'),
		about: t('menuText'),
		children: menu.nodes,
		save: () => put('/api/desk/menu', { menu: menu.read() }, { query }),
	});
}

/* ---- what is only shown ---- */

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

/* Who changed which setting when; asked for when it is opened. */
function historySection(desk, { house, places }, query) {
	const list = el('ol', { class: 'history' });
	async function load(event) {
		if (!event.target.open) return;
		const none = { history: [] };
		const { history } = await get('/api/desk/history', { query }).catch(() => none);
		const words = historyWords(house, places);
		list.replaceChildren(...history.map((h) => changeLine(desk, h, words(h))));
	}
	return el('details', { class: 'card', ontoggle: load }, el('summary', {}, t('history')), list);
}

const cardSection = (query) =>
	el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('tableCard')),
		el('p', { class: 'hint' }, t('tableCardText')),
		newTab(`/desk/card.html?restaurant=${query.restaurantId}`, t('print'), 'button soft'),
	);

/* ---- the page ---- */

/* Where everything is: a page of twenty cards is found by their names. */
function contents(page) {
	const jump = (card) => {
		const head = card.querySelector('h2, summary');
		const go = () => {
			if (card.tagName === 'DETAILS') card.open = true;
			card.scrollIntoView({ block: 'start' });
			focusOn(head);
		};
		return button(head.textContent, go, { class: 'soft small' });
	};
	const cards = [...page.querySelectorAll(':scope > .card')];
	return el('nav', { class: 'contents', 'aria-label': t('contents') }, cards.map(jump));
}

async function load(desk, query, again) {
	const [data, house] = await Promise.all([
		get('/api/desk/house', { query }),
		get(`/api/restaurants/${query.restaurantId}`),
	]);
	const [mail, { messages }, box, places] = await Promise.all([
		get('/api/desk/mail').catch(() => null),
		get('/api/desk/messages', { query }),
		get('/api/desk/box'),
		loadPlaces(),
	]);
	return [
		pauseSection(desk, data, house, query),
		hoursSection(desk, data, house, query),
		specialCard(desk, data, house, query),
		openingsSection(desk, data, house, query),
		factsSection(desk, house, query),
		placeSection(desk, house, places, { query, again }),
		...RULES.map((group) => rulesSection(desk, group, data.settings, query, house)),
		tablesSection(desk, data, query),
		menuSection(desk, house, query),
		staffSection(desk, data),
		cardSection(query),
		...mailSections(desk, { data, house, mail, messages, query }),
		boxSection(desk, box),
		historySection(desk, { house, places }, query),
	];
}

export function settings(root, desk) {
	const query = desk.query();
	const asGuest = newTab(`/?restaurant=${desk.restaurantId}`, t('asGuest'));
	const top = el('div', {}, el('h1', {}, t('house')), el('p', {}, asGuest));
	const page = el('div', { class: 'house-page' }, top);
	root.replaceChildren(page);
	load(desk, query, () => settings(root, desk)).then(
		(sections) => {
			page.append(...sections);
			top.append(contents(page));
		},
		(error) => page.append(el('p', { class: 'card wrong' }, desk.sentence(error))),
	);
	return { still: true };
}
