/*
 * screen.js - the owner's settings: a menu that stays, and one card at a time beside it.
 */
import { get } from '../../api.js';
import { lang, t } from '../../i18n.js';
import { el, focusOn } from '../../ui.js';
import { headingOf, menuFor, placeOf } from './cards.js';
import { guardPage, mayLeave } from './leaving.js';
import { searchBox } from './search.js';
import { rulesSection } from './section.js';

/* What draws a card: given { desk, query, data, house, again }, the node, or a promise of it. */
const ruleCards = ['times', 'booking', 'waitlist', 'privacy'];
const DRAW = {
	facts: async (of) => (await import('./facts.js')).facts(of),
	card: async (of) => (await import('./facts.js')).card(of),
	place: async (of) => (await import('./place.js')).place(of),
	hours: async (of) => (await import('./hours.js')).hours(of),
	special: async (of) => (await import('./special.js')).special(of),
	openings: async (of) => (await import('./openings.js')).openings(of),
	pause: async (of) => (await import('./pause.js')).pause(of),
	deposit: async (of) => (await import('./money.js')).deposit(of),
	refund: async (of) => (await import('./money.js')).refund(of),
	payments: async (of) => (await import('./payments.js')).payments(of),
	paid: async (of) => (await import('./payments.js')).paid(of),
	tables: async (of) => (await import('./tables.js')).tables(of),
	menu: async (of) => (await import('./menu.js')).menu(of),
	messages: async (of) => (await import('./messages.js')).messages(of),
	mail: async (of) => (await import('./mail.js')).mail(of),
	sent: async (of) => (await import('./mail.js')).sent(of),
	staff: async (of) => (await import('./staff.js')).staff(of),
	box: async (of) => (await import('./box.js')).box(of),
	history: async (of) => (await import('./history.js')).history(of),
	...Object.fromEntries(ruleCards.map((group) => [group, (of) => rulesSection(of, group)])),
};

/* ---- the menu ---- */

const cardLink = (card) =>
	el('a', { href: `#house/${card}`, 'data-card': card }, t(headingOf(card)));

/* A group of one card is that card; the cards of the others stand below it. */
function drawGroup({ group, cards }) {
	const name = t(`settings.group.${group}`);
	const head = el('a', { href: `#house/${cards[0]}`, class: 'group' }, name);
	if (cards.length === 1) {
		head.dataset.card = cards[0];
		return el('li', { 'data-group': group }, head);
	}
	const items = cards.map((card) => el('li', {}, cardLink(card)));
	return el('li', { 'data-group': group }, head, el('ul', {}, items));
}

function drawMenu(menu, search) {
	return el(
		'nav',
		{ class: 'house-menu', 'aria-label': t('contents') },
		search,
		el('ul', { class: 'groups' }, menu.map(drawGroup)),
	);
}

/* ---- the frame ---- */

const asGuest = (desk) =>
	el(
		'a',
		{ href: `/?restaurant=${desk.restaurantId}`, target: '_blank', rel: 'noopener' },
		t('asGuest'),
	);

/* Shows a field that was searched for, and gives it the focus. */
function point(card, name) {
	const input = card.querySelector(`[name="${name}"], [data-field="${name}"]`);
	if (!input) return false;
	input.closest('details')?.setAttribute('open', '');
	const whole = input.closest('.field') ?? input;
	whole.classList.add('pointed');
	input.addEventListener('blur', () => whole.classList.remove('pointed'), { once: true });
	whole.scrollIntoView({ block: 'center' });
	if (input.tabIndex < 0) input.tabIndex = -1; /* a heading */
	input.focus({ preventScroll: true });
	return true;
}

/* One card as it is now in the book, or the reason why it cannot be shown. */
async function draw(name, of) {
	const { desk, query } = of;
	try {
		const [data, house] = await Promise.all([
			get('/api/desk/house', { query }),
			get(`/api/restaurants/${query.restaurantId}`),
		]);
		return await DRAW[name]({ ...of, data, house });
	} catch (error) {
		return el('p', { class: 'card wrong' }, desk.sentence(error));
	}
}

/* The link of the card that is shown, and the group that it is in. */
function markCurrent(page, name) {
	for (const link of page.querySelectorAll('[data-card]')) {
		const here = link.dataset.card === name;
		if (here) link.setAttribute('aria-current', 'page');
		else link.removeAttribute('aria-current');
		const group = link.closest('[data-group]');
		if (here) group.parentElement.querySelector('.here')?.classList.remove('here');
		if (here) group.classList.add('here');
	}
}

/* Settings without a card are the menu; where there is room, its first card stands beside it. */
function makeFrame(root, desk) {
	const menu = menuFor(desk.may);
	const query = desk.query();
	const place = el('div', { class: 'house-place' });
	const search = searchBox(menu, (hash) => open(placeOf(hash, menu)));
	const head = el('h1', {}, t('house'));
	const page = el(
		'div',
		{ class: 'house-page framed' },
		el('div', { class: 'house-head' }, head, asGuest(desk)),
		drawMenu(menu, search),
		place,
	);
	const back = el('a', { class: 'back', href: '#house' }, `‹ ${t('settings.all')}`);
	let card = null;
	let turn = 0;
	async function open({ card: asked, field }, { focus = true } = {}) {
		const name = asked ?? menu[0].cards[0];
		const mine = ++turn;
		const again = () => open({ card: asked });
		const next = await draw(name, { desk, query, again });
		if (mine !== turn) return;
		card = next;
		next.addEventListener('givenup', again);
		page.classList.toggle('at-menu', !asked);
		markCurrent(page, name);
		place.replaceChildren(back, next);
		if (asked) document.title = `${t(headingOf(name))} · ${t('house')}`;
		if (!focus || (field && point(next, field))) return;
		scrollTo(0, 0);
		focusOn(asked ? next.querySelector('h2') : head);
	}
	const leave = async () => {
		const may = await mayLeave(card);
		if (may) card = null;
		return may;
	};
	root.replaceChildren(page);
	return { page, open, leave, card: () => card, of: `${lang()} ${desk.restaurantId}` };
}

let frame = null; /* the one that was shown last */
guardPage(() => frame?.card());

/** The settings, at the card of the address. */
export function settings(root, desk) {
	const old = frame?.page.isConnected && frame.of === `${lang()} ${desk.restaurantId}`;
	if (!old) frame = makeFrame(root, desk);
	frame.open(placeOf(location.hash), { focus: old });
	return { still: true, unsaved: () => frame.card()?.unsaved?.(), mayLeave: frame.leave };
}
