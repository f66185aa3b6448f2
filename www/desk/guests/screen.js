/*
 * screen.js - the guests of the house: who was or is here last on top; found by name or number.
 */
import { post } from '../../api.js';
import { field } from '../../forms.js';
import { shortDay, slotWhen, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { announce, button, el } from '../../ui.js';
import { phoneText } from '../evening/state.js';
import { labelLine, labelName } from './labels.js';
import { person } from './person.js';
import { freshOf, queryOf } from './state.js';

const TURNS_MAX = 8; /* a page may be empty: so often the next is asked for by itself */
const TYPED_MS = 250;
const OFTEN = 10; /* tags in use that are offered beside the known ones */

/** How often they came, and when: one line of facts. */
export function guestFacts(guest) {
	const { visits, noShows, cancelled, lastVisit, nextDate, nextTime } = guest;
	return [
		phoneText(guest.phone),
		visits ? t('visits', visits) : t('neverCame'),
		noShows > 0 && t('noShows', noShows),
		cancelled > 0 && t('cancelledTimes', cancelled),
		lastVisit && t('lastVisit', shortDay(lastVisit)),
		nextDate && t('nextVisit', slotWhen(nextDate, nextTime, shortDay)),
		guest.blocked && t('blockedGuest'),
	]
		.filter(Boolean)
		.join(' · ');
}

function drawGuest(guest, open) {
	return el(
		'li',
		{ class: 'row guest', 'data-guest': String(guest.guestId) },
		el(
			'button',
			{ type: 'button', class: 'who', onclick: () => open(guest) },
			el(
				'span',
				{ class: 'name' },
				el('b', {}, guest.name),
				labelLine(guest.tags),
				el('span', {}, guestFacts(guest)),
				guest.note && el('em', {}, guest.note),
			),
		),
	);
}

/* All, those who did not come, the blocked, and every tag that is in use. */
function drawFilters(tags, chosen, choose) {
	const option = (value, label) =>
		el(
			'label',
			{ class: 'chip' },
			el('input', {
				type: 'radio',
				name: 'guest-filter',
				value,
				checked: value === chosen,
				onchange: () => choose(value),
			}),
			el('span', {}, label),
		);
	const often = tags.slice(0, OFTEN);
	return [
		option('', t('allGuests')),
		option('noShows', t('s.NO_SHOW')),
		option('blocked', t('blockedGuests')),
		...often.map(({ tag, guests }) => option(`tag:${tag}`, `${labelName(tag)} (${guests})`)),
	];
}

function makeParts(load) {
	const input = el('input', {
		type: 'search',
		maxLength: LENGTHS.search,
		autocomplete: 'off',
		oninput: load,
	});
	return {
		input,
		list: el('ul', { class: 'guest-list' }),
		chips: el('div', { class: 'chips wrap' }),
		said: el('p', { class: 'hint', role: 'status' }),
		more: button('', () => {}, { class: 'soft', hidden: true }),
	};
}

/* What a search answers until there is somebody to show; stale(): something else is asked for. */
async function readPage(desk, ask, after, shown, stale) {
	let mark = after;
	for (let turn = 0; turn < TURNS_MAX; turn++) {
		const answer = await post('/api/desk/guests', ask(mark), { query: desk.query() });
		if (stale()) return null;
		const fresh = freshOf(shown, answer.guests);
		if (fresh.length || !answer.after) return { ...answer, guests: fresh };
		mark = answer.after;
	}
	return { guests: [], after: mark, tags: [] };
}

function drawPage(root, parts) {
	root.replaceChildren(
		el(
			'div',
			{ class: 'guests-page' },
			el('h1', {}, t('guests')),
			field('g-q', t('guestSearch'), parts.input),
			el(
				'fieldset',
				{ class: 'filters' },
				el('legend', { class: 'unseen' }, t('show')),
				parts.chips,
			),
			parts.said,
			parts.list,
			parts.more,
		),
	);
}

export function guests(root, desk) {
	let turn = 0;
	let shown = [];
	let after = null;
	let filter = '';
	let typed = 0;
	const parts = makeParts(() => {
		clearTimeout(typed);
		typed = setTimeout(again, TYPED_MS);
	});

	async function open(guest) {
		if (await person(desk, guest.guestId)) await again();
		root.querySelector(`[data-guest="${guest.guestId}"] button`)?.focus();
	}

	function draw(answer, first) {
		after = answer.after;
		shown = first ? answer.guests : [...shown, ...answer.guests];
		const rows = answer.guests.map((guest) => drawGuest(guest, open));
		if (first) parts.list.replaceChildren(...rows);
		else parts.list.append(...rows);
		parts.more.hidden = !after;
		parts.more.textContent = moreText(answer);
		parts.said.textContent = shown.length ? '' : t(after ? 'nobodySoFar' : 'nobodyFound');
		if (first && answer.tags.length + shown.length)
			parts.chips.replaceChildren(...drawFilters(answer.tags, filter, choose));
	}

	const moreText = (answer) =>
		answer.guests.length || !after
			? t('moreGuests')
			: t('searchBack', shortDay(after.slice(0, 10)));

	async function load(first) {
		const mine = ++turn;
		const ask = (mark) => queryOf(parts.input.value, filter, mark);
		try {
			const before = first ? [] : shown;
			const answer = await readPage(desk, ask, first ? null : after, before, () => mine !== turn);
			if (answer) draw(answer, first);
		} catch (error) {
			parts.said.textContent = desk.sentence(error);
			announce(parts.said.textContent, true);
		}
	}
	const again = () => load(true);
	function choose(value) {
		filter = value;
		return again();
	}
	parts.more.addEventListener('click', () => load(false));

	drawPage(root, parts);
	again();
	return { still: true };
}
