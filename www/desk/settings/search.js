/*
 * search.js - the field above the menu: what the owner types, and the cards and fields that say it.
 */
import { lang, t } from '../../i18n.js';
import { announce, el } from '../../ui.js';
import { entriesOf, find } from './find.js';

const CODES = ['ko', 'en'];

/* What can be found: in the language of the page, and in the others. */
async function loadEntries(menu) {
	const codes = [lang(), ...CODES.filter((code) => code !== lang())];
	const words = await Promise.all(codes.map((code) => import(`../words/${code}.js`)));
	return words.map((module) => entriesOf(module.words, { menu }));
}

function drawHit({ card, field, title, label }, go) {
	const href = field === undefined ? `#house/${card}` : `#house/${card}/${field}`;
	return el(
		'li',
		{},
		el(
			'a',
			{ href, onclick: () => go(href) },
			el('b', {}, label),
			field !== undefined && el('span', { class: 'soft-text' }, ` ${title}`),
		),
	);
}

/** show(hash): goes to a card that is the address already. */
export function searchBox(menu, show) {
	const input = el('input', {
		type: 'search',
		id: 'settings-search',
		autocomplete: 'off',
		placeholder: t('settings.search'),
		'aria-label': t('settings.search'),
	});
	const hits = el('ul', { class: 'hits', 'aria-label': t('settings.found') });
	const none = el('p', { class: 'hint', hidden: true }, t('nothingFound'));
	let entries = null;
	function clear() {
		input.value = '';
		look();
	}
	function go(href) {
		if (location.hash === href) show(href);
		setTimeout(clear); /* after the link was followed */
	}
	async function look() {
		const typed = input.value.trim();
		entries ??= loadEntries(menu).catch(() => []);
		const [mine = [], other] = await entries;
		if (typed !== input.value.trim()) return;
		const found = find(mine, typed, other);
		hits.replaceChildren(...found.map((hit) => drawHit(hit, go)));
		none.hidden = !typed || found.length > 0;
		box.classList.toggle('searching', Boolean(typed));
		if (typed) announce(t('settings.hits', found.length));
	}
	input.addEventListener('input', look);
	input.addEventListener('keydown', (event) => {
		if (event.key === 'Escape') clear();
		if (event.key === 'Enter') hits.querySelector('a')?.click();
	});
	const box = el('div', { class: 'settings-search', role: 'search' }, input, none, hits);
	return box;
}
