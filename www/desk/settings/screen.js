/*
 * screen.js - the owner's settings, section by section, each saved by itself.
 */
import { get, put } from '../../api.js';
import { field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el, focusOn } from '../../ui.js';
import { hoursSection, pauseSection, specialSection } from './hours.js';
import { mailSections } from './mail.js';
import { filled, lines, listEditor, number, rulesSection, section, text } from './section.js';
import { boxSection, staffSection } from './staff.js';
import { tablesSection } from './tables.js';

const PRICE_MAX = 10000000;
const RULES = ['times', 'booking', 'deposit', 'refund', 'waitlist', 'privacy'];

const FACTS = [
	{ name: 'name', max: LENGTHS.house, required: true },
	{ name: 'nameEn', max: LENGTHS.house },
	{ name: 'phone', max: LENGTHS.housePhone },
	{ name: 'address', max: LENGTHS.address },
	{ name: 'addressEn', max: LENGTHS.address },
	{ name: 'paymentText', max: LENGTHS.paymentText, make: lines },
	{ name: 'timezone', max: 60, required: true },
	{ name: 'currency', max: 3, required: true },
];

const newTab = (href, label, kind) =>
	el('a', { class: kind, href, target: '_blank', rel: 'noopener' }, label);

function factsSection(desk, house, query) {
	const inputs = FACTS.map(({ name, max, required = false, make = text }) =>
		make(house[name], max, { name, required }),
	);
	const read = () => Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()]));
	return section(desk, {
		title: t('facts'),
		children: inputs.map((input) => field(null, t(input.name), input)),
		save: () => put('/api/desk/settings', read(), { query }),
	});
}

/* ---- the menu ---- */

function dishRow(dish = {}) {
	const name = text(dish.name, LENGTHS.dish, { required: true });
	const nameEn = text(dish.nameEn, LENGTHS.dish);
	const about = lines(dish.description, LENGTHS.description);
	const aboutEn = lines(dish.descriptionEn, LENGTHS.description);
	const price = number(dish.price ?? 10000, 0, PRICE_MAX);
	const out = el('input', { type: 'checkbox', checked: Boolean(dish.soldOut) });
	const read = () =>
		filled({
			menuId: dish.menuId,
			name: name.value.trim(),
			nameEn: nameEn.value.trim(),
			description: about.value.trim(),
			descriptionEn: aboutEn.value.trim(),
			price: Number(price.value),
			soldOut: out.checked ? 1 : 0,
		});
	const nodes = [
		field(null, t('name'), name),
		field(null, t('nameEn'), nameEn),
		field(null, t('price'), price, { className: 'narrow-field' }),
		field(null, t('about'), about),
		field(null, t('aboutEn'), aboutEn),
		el('label', { class: 'tick' }, out, ` ${t('soldOut')}`),
	];
	return { nodes, read };
}

function menuSection(desk, house, query) {
	const menu = listEditor(house.menu, dishRow, t('addDish'));
	return section(desk, {
		title: t('menu'),
		about: t('menuText'),
		children: menu.nodes,
		save: () => put('/api/desk/menu', { menu: menu.read() }, { query }),
	});
}

/* ---- what is only shown ---- */

const changeLine = (desk, h) =>
	el(
		'li',
		{},
		el('b', {}, desk.when(h.at)),
		` ${h.name ?? h.actor} · ${h.change} `,
		el('span', { class: 'soft-text' }, `${h.from ?? ''} → ${h.to ?? ''}`),
	);

/* Who changed which setting when; asked for when it is opened. */
function historySection(desk, query) {
	const list = el('ol', { class: 'history' });
	async function load(event) {
		if (!event.target.open) return;
		const none = { history: [] };
		const { history } = await get('/api/desk/history', { query }).catch(() => none);
		list.replaceChildren(...history.map((h) => changeLine(desk, h)));
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

async function load(desk, query) {
	const [data, house] = await Promise.all([
		get('/api/desk/house', { query }),
		get(`/api/restaurants/${query.restaurantId}`),
	]);
	const [mail, { messages }, box] = await Promise.all([
		get('/api/desk/mail').catch(() => null),
		get('/api/desk/messages', { query }),
		get('/api/desk/box'),
	]);
	return [
		pauseSection(desk, data, house, query),
		hoursSection(desk, house, query),
		specialSection(desk, house, query),
		factsSection(desk, house, query),
		...RULES.map((group) => rulesSection(desk, group, data.settings, query, house.currency)),
		tablesSection(desk, data, query),
		menuSection(desk, house, query),
		staffSection(desk, data),
		cardSection(query),
		...mailSections(desk, { data, mail, messages, query }),
		boxSection(desk, box),
		historySection(desk, query),
	];
}

export function settings(root, desk) {
	const query = desk.query();
	const asGuest = newTab(`/?restaurant=${desk.restaurantId}`, t('asGuest'));
	const top = el('div', {}, el('h1', {}, t('house')), el('p', {}, asGuest));
	const page = el('div', { class: 'house-page' }, top);
	root.replaceChildren(page);
	load(desk, query).then(
		(sections) => {
			page.append(...sections);
			top.append(contents(page));
		},
		(error) => page.append(el('p', { class: 'card wrong' }, desk.sentence(error))),
	);
	return { still: true };
}
