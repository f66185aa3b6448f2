/*
 * search.js - finds a reservation by a name, a number or a code.
 */
import { post } from '../../api.js';
import { ask } from '../../dialogs.js';
import { field } from '../../forms.js';
import { shortDay, slotWhen, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { el } from '../../ui.js';
import { drawFound } from '../evening/row.js';
import { open } from './open.js';

const LETTERS_MIN = 2;

function drawAnswer(desk, { reservations, mistypedCode }, close) {
	if (!reservations.length)
		return [el('li', {}, t(mistypedCode ? 'mistypedCode' : 'nothingFound'))];
	return reservations.map((r) =>
		drawFound(desk, r, slotWhen(r.slotDate, r.slotTime, shortDay), () => close(r)),
	);
}

export async function search(desk) {
	const found = el('ul', { class: 'found', 'aria-live': 'polite' });
	const input = el('input', {
		type: 'search',
		maxLength: LENGTHS.search,
		placeholder: t('searchHint'),
		autocomplete: 'off',
	});
	let turn = 0;
	async function look(close) {
		const mine = ++turn;
		const q = input.value.trim();
		if ([...q].length < LETTERS_MIN) return found.replaceChildren();
		const answer = await post('/api/desk/search', { q }, { query: desk.query() }).catch(() => null);
		if (mine !== turn || !answer) return undefined;
		return found.replaceChildren(...drawAnswer(desk, answer, close));
	}
	const r = await ask(
		'search-title',
		(close) => {
			input.addEventListener('input', () => look(close));
			return [
				el('h2', { id: 'search-title' }, t('search')),
				field('s-q', t('searchHint'), input),
				found,
			];
		},
		{ className: 'wide' },
	);
	if (!r) return;
	if (r.slotDate !== desk.day?.date) desk.goTo(r.slotDate);
	await open(desk, r);
}
