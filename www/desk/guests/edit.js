/*
 * edit.js - staff correct who a guest is, say that two guests are one person, or take that back.
 */
import { get, patch, post } from '../../api.js';
import { clockTime } from '../../dates.js';
import { ask } from '../../dialogs.js';
import { actions, askForm, confirmDialog, field } from '../../forms.js';
import { shortDay, slotWhen, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { announce, button, el } from '../../ui.js';
import { nameInput, noteInput, phoneInput, tick } from '../acts/inputs.js';
import { phoneText } from '../evening/state.js';
import { LABELS, labelName } from './labels.js';
import { changesOf, joinLabels, LABELS_MAX, labelsOf, pairsOf, wayBack } from './state.js';

const pathOf = (guest) => `/api/desk/guests/${guest.guestId}`;
const save = (desk, guest, changes) => patch(pathOf(guest), changes, { query: desk.query() });

/* It is done, with the way back; everything that shows guests is read again. */
function tell(desk, guest, word, undo) {
	desk.refresh();
	announce(t(word));
	desk.say(`${guest.name} · ${t(word)}`, undo);
	return guest;
}

async function tryTo(desk, what) {
	try {
		await what();
		desk.refresh();
		desk.say(t('did.undo'));
	} catch (error) {
		desk.say(desk.sentence(error));
	}
}

/* ---- correcting ---- */

const tagChip = (label, chosen) =>
	el(
		'label',
		{ class: 'chip' },
		el('input', { type: 'checkbox', value: label, checked: chosen.includes(label) }),
		el('span', {}, labelName(label)),
	);

/* Known tags as taps, words of the house's own as they are typed. */
function labelPicker(chosen) {
	const own = el('input', {
		value: chosen.filter((label) => !LABELS.includes(label)).join(', '),
		autocomplete: 'off',
	});
	const chips = LABELS.map((label) => tagChip(label, chosen));
	const node = el(
		'fieldset',
		{},
		el('legend', {}, t('labels')),
		el('div', { class: 'chips wrap' }, chips),
		field('g-labels', t('ownLabels'), own, {
			hint: t('ownLabelsHint', LENGTHS.guestTag, LABELS_MAX),
		}),
	);
	const ticked = () => [...node.querySelectorAll('input:checked')].map((input) => input.value);
	return { node, read: () => joinLabels(ticked(), labelsOf(own.value)) };
}

function makeInputs(desk, guest) {
	return {
		name: nameInput('g-name', { value: guest.name, required: true }),
		phone: phoneInput(desk, 'g-phone', { value: guest.phone ?? '', disabled: guest.hasLogin }),
		email: el('input', {
			type: 'email',
			value: guest.email ?? '',
			maxLength: LENGTHS.email,
			autocomplete: 'off',
		}),
		note: noteInput('g-note', guest.note, LENGTHS.guestNote),
		labels: labelPicker(guest.tags),
		blocked: el('input', { type: 'checkbox', checked: guest.blocked }),
	};
}

function read(guest, { name, phone, email, note, labels, blocked }) {
	return {
		name: name.value.trim(),
		phone: phone.value.trim() || (guest.phone ?? ''),
		email: email.value.trim(),
		note: note.value.trim(),
		tags: labels.read(),
		blocked: blocked.checked,
	};
}

const askEdit = (desk, guest, inputs) =>
	askForm(t('correctGuest'), {
		className: 'wide',
		content: [
			field(null, t('name'), inputs.name),
			field(null, t('phone'), inputs.phone, {
				hint: guest.hasLogin ? t('phoneOfLogin') : undefined,
			}),
			field('g-email', t('email'), inputs.email, { optional: true }),
			inputs.labels.node,
			field(null, t('guestNote'), inputs.note, { optional: true }),
			tick(inputs.blocked, t('block')),
			el('p', { class: 'hint' }, t('correctText')),
		],
		submit: t('save'),
		explain: desk.sentence,
		async send() {
			const changes = changesOf(guest, read(guest, inputs));
			if (!Object.keys(changes).length) return { guest };
			try {
				const now = await save(desk, guest, { ...changes, version: guest.version });
				return { guest: now, changes };
			} catch (error) {
				if (error.code === 'GUEST_EXISTS') return { other: error.body.guest, changes };
				throw error;
			}
		},
	});

/** A dialog with everything that the house knows of them; resolves to the guest as they are now. */
export async function edit(desk, guest) {
	const answer = await askEdit(desk, guest, makeInputs(desk, guest));
	if (!answer) return null;
	if (answer.other) return numberTaken(desk, guest, answer);
	if (!answer.changes) return null;
	const back = wayBack(guest, answer.changes);
	const undo = back && (() => tryTo(desk, () => save(desk, answer.guest, back)));
	return tell(desk, answer.guest, 'didCorrect', undo);
}

/* The number is another guest's.  What else was typed is saved, then they become one. */
async function numberTaken(desk, guest, { other, changes }) {
	const { phone, ...rest } = changes;
	if (!(await confirmMerge(guest, other, t('numberIsOf', phone, other.name)))) return null;
	const now = Object.keys(rest).length ? await save(desk, guest, rest) : guest;
	return doMerge(desk, now, other);
}

/* ---- two who are one ---- */

const countsOf = (guest) =>
	[guest.name, phoneText(guest.phone), t('visits', guest.visits), t('noShows', guest.noShows)]
		.filter(Boolean)
		.join(' · ');

const confirmMerge = (guest, other, why) =>
	confirmDialog(
		t('samePersonAsk'),
		[
			why,
			el('ul', { class: 'pair' }, el('li', {}, countsOf(guest)), el('li', {}, countsOf(other))),
			t('mergeText', other.name),
		].filter(Boolean),
		t('mergeThem'),
	);

/* What both have at one time, so that staff know what to cancel or move. */
function showMeeting(desk, { reservations, waits }) {
	const one = (r) => `${r.guestName} (${t('people', r.partySize)})`;
	const pair = ([a, b]) => `${shortDay(a.slotDate)} ${clockTime(a.slotTime)}: ${one(a)}, ${one(b)}`;
	const lines = [
		...pairsOf(reservations).map(pair),
		...waits.map((w) => `${slotWhen(w.slotDate, w.slotTime, shortDay)}: ${t('waiting')}`),
	];
	return ask('meet-title', (close) => [
		el('h2', { id: 'meet-title' }, t('theyMeet')),
		el('p', {}, t('theyMeetText')),
		el(
			'ul',
			{ class: 'found' },
			lines.map((line) => el('li', {}, line)),
		),
		actions(button(t('close'), () => close(), { class: 'primary' })),
	]);
}

/* Why two could not become one, or be separated. */
async function refuse(desk, error) {
	if (error.code === 'GUESTS_MEET') await showMeeting(desk, error.body);
	else if (error.code === 'TOO_LONG') desk.say(t('notesTooLong'));
	else desk.say(desk.sentence(error));
	return null;
}

async function doMerge(desk, guest, other) {
	try {
		const query = desk.query();
		const now = await post(`${pathOf(guest)}/merge`, { into: other.guestId }, { query });
		const { merges } = await get(pathOf(now), { query });
		const mergeId = merges[0]?.mergeId;
		const undo = () =>
			tryTo(desk, () => post(`${pathOf(now)}/unmerge`, { mergeId }, { query: desk.query() }));
		return tell(desk, now, 'didMerge', mergeId && undo);
	} catch (error) {
		return refuse(desk, error);
	}
}

/** They are the same person as another guest, once staff have said yes. */
export async function mergeInto(desk, guest, other) {
	return (await confirmMerge(guest, other)) ? doMerge(desk, guest, other) : null;
}

/** What a merge moved goes back. */
export async function separate(desk, guest, mergeId) {
	const sure = await confirmDialog(t('separateAsk'), t('separateText'), t('separate'));
	if (!sure) return null;
	try {
		const now = await post(`${pathOf(guest)}/unmerge`, { mergeId }, { query: desk.query() });
		return tell(desk, now, 'didSeparate');
	} catch (error) {
		return refuse(desk, error);
	}
}

/** Another guest, found by name or number. */
export function findOther(desk, guest) {
	const found = el('ul', { class: 'found', 'aria-live': 'polite' });
	const input = el('input', { type: 'search', maxLength: LENGTHS.search, autocomplete: 'off' });
	let turn = 0;
	async function look(close) {
		const mine = ++turn;
		const q = input.value.trim();
		if (!q) return found.replaceChildren();
		const answer = await post('/api/desk/guests', { q }, { query: desk.query() }).catch(() => null);
		if (mine !== turn || !answer) return undefined;
		const others = answer.guests.filter((g) => g.guestId !== guest.guestId && !g.hasLogin);
		const row = (g) =>
			el(
				'li',
				{},
				button(countsOf(g), () => close(g), { class: 'plain' }),
			);
		return found.replaceChildren(
			...(others.length ? others.slice(0, 10).map(row) : [el('li', {}, t('nobodyFound'))]),
		);
	}
	return ask(
		'other-title',
		(close) => {
			input.addEventListener('input', () => look(close));
			return [
				el('h2', { id: 'other-title' }, t('whoElse', guest.name)),
				field('g-other', t('guestSearch'), input),
				found,
				actions(button(t('close'), () => close(), { class: 'plain' })),
			];
		},
		{ className: 'wide' },
	);
}
