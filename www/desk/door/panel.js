/*
 * panel.js - the door list beside the evening: who waits, in order, and what is done with them.
 */
import { get, patch, post } from '../../api.js';
import { ask } from '../../dialogs.js';
import { actions, askForm, field } from '../../forms.js';
import { lang, t } from '../../i18n.js';
import { announce, button, el, freshKey, telLink } from '../../ui.js';
import { nameInput, partyInput, phoneInput, sizeButtons, tablesNow } from '../acts/inputs.js';
import { explain, once, send } from '../acts/send.js';
import { withSheet } from '../desk.js';
import { phoneText } from '../evening/state.js';
import { d, sayings } from './say.js';
import { actsOf, needsVoice, notesOf, waitOf } from './tell.js';

const LABELS = { 'no-show': 'noShow' };

const nameOf = (party) =>
	[d('party', party.partySize), party.guestName].filter(Boolean).join(' · ');

/* ---- acts ---- */

/* What the box says of the party now; another tablet may have been faster. */
async function act(panel, party, word) {
	try {
		await post(`/api/desk/door/${party.doorId}/${word}`, { version: party.version });
	} catch (error) {
		await explain(panel.desk, error);
	}
	await panel.look();
}

/* Out of the list and to a table, as every walk-in; taken back, they have their old place. */
async function seat(panel, party, wish) {
	const { desk } = panel;
	const path = `/api/desk/door/${party.doorId}/seat`;
	const whole = { version: party.version, ...wish };
	const back = () => () => act(panel, { ...party, version: party.version + 1 }, 'undo');
	const again = (more) => seat(panel, party, { ...wish, ...more });
	await send(desk, 'walkIn', () => once(desk, path, whole), back, {
		again,
		acts: { share: true, overbook: true },
		now: true,
	});
	await panel.look();
}

/* Which table, where there are any; none pressed is whichever fits. */
async function askTable(panel, party) {
	const tables = tablesNow(panel.desk);
	if (!tables.node) return seat(panel, party, {});
	const wish = await ask('door-seat', (close) => [
		el('h2', { id: 'door-seat' }, d('seatTitle', d('party', party.partySize))),
		tables.node,
		actions(
			button(d('seat'), () => close(tables.wish()), { class: 'primary', 'data-act': 'seat' }),
		),
	]);
	if (wish) await seat(panel, party, wish);
}

/* They are more than they said, or leave a number after all. */
async function change(panel, party) {
	const size = partyInput(null, party.partySize);
	const name = nameInput(null, { value: party.guestName ?? '' });
	const phone = phoneInput(panel.desk, null, { value: party.phone ?? '' });
	const wish = () => ({
		version: party.version,
		partySize: Number(size.value),
		...(name.value.trim() ? { guestName: name.value.trim() } : {}),
		...(phone.value.trim() ? { phone: phone.value.trim() } : {}),
	});
	await askForm(nameOf(party), {
		content: [
			field('door-size', t('partySize'), size),
			field('door-name', t('name'), name),
			field('door-phone', t('phone'), phone),
		],
		submit: d('saveChange'),
		send: () => patch(`/api/desk/door/${party.doorId}`, wish()),
		explain: panel.desk.sentence,
	});
	await panel.look();
}

/* Their own page, for the camera of their phone. */
function showPage(party) {
	const src = `/api/desk/door/${party.doorId}/qr.svg`;
	return ask('door-qr', () => [
		el('h2', { id: 'door-qr' }, d('qr')),
		el('p', { class: 'hint' }, d('qrAbout')),
		el('img', { class: 'door-qr', src, alt: d('qr') }),
	]);
}

/* ---- one party ---- */

function drawActs(panel, party) {
	const label = (word) => {
		if (word === 'call' && party.status === 'CALLED') return d('callAgain');
		return d(LABELS[word] ?? word);
	};
	const dialogs = { seat: askTable, change };
	const run = (word) => dialogs[word]?.(panel, party) ?? act(panel, party, word);
	const tap = (word, i) =>
		button(label(word), () => run(word), {
			class: i === 0 && party.place ? 'primary' : 'soft',
			'data-act': word,
		});
	return el(
		'div',
		{ class: 'acts' },
		actsOf(party).map(tap),
		party.place > 0 && button(d('qr'), () => showPage(party), { class: 'soft', 'data-act': 'qr' }),
	);
}

function drawParty(panel, party) {
	const { desk } = panel;
	const wait = waitOf(party);
	const notes = notesOf(party, panel.list.now, desk.at).map((words) => d(...words));
	return el(
		'li',
		{
			class: `door-row ${needsVoice(party) ? 'voice' : party.status.toLowerCase()}`,
			'data-id': `door-${party.doorId}`,
		},
		el('b', { class: 'door-place', 'aria-hidden': 'true' }, String(party.place)),
		el(
			'div',
			{ class: 'door-who' },
			el('b', {}, nameOf(party)),
			party.phone && el('a', { href: telLink(party.phone) }, phoneText(party.phone)),
			el('small', {}, notes.join(' · ')),
		),
		el(
			'div',
			{ class: 'door-wait' },
			wait && [el('small', {}, d('wait')), el('b', {}, d(...wait))],
		),
		drawActs(panel, party),
	);
}

function drawEnded(panel, party) {
	const { status, endedAt, byGuest, passed } = party;
	const said = [
		d(`did.${status}`, panel.desk.at(endedAt)),
		byGuest && d('did.byGuest'),
		passed > 0 && d('passed', passed),
	];
	return el(
		'li',
		{ class: 'door-row ended', 'data-id': `door-${party.doorId}` },
		el(
			'div',
			{ class: 'door-who' },
			el('b', {}, nameOf(party)),
			el('small', {}, said.filter(Boolean).join(' · ')),
		),
		drawActs(panel, party),
	);
}

/* ---- joining ---- */

/* The same tap sent again, because its answer was lost, is the same party. */
async function join(panel, wish) {
	const { desk } = panel;
	panel.key ??= freshKey();
	try {
		const party = await post('/api/desk/door', wish, { query: desk.query(), key: panel.key });
		panel.key = null;
		const wait = waitOf(party);
		const text = [d('party', party.partySize), wait && d(...wait)].filter(Boolean).join(' · ');
		announce(text);
		desk.say(text);
	} catch (error) {
		if (!error.passing) panel.key = null;
		await explain(desk, error);
	}
	await panel.look();
}

/* The size, and one tap; with a name or a number a button of its own. */
function drawJoin(panel) {
	const name = nameInput(null);
	const phone = phoneInput(panel.desk, null);
	const party = partyInput(null);
	const more = el('details', {});
	const add = button(d('add'), whole, { class: 'primary', 'data-act': 'join' });
	const inputs = [party, name, phone];
	async function whole() {
		if (!inputs.every((input) => input.reportValidity())) return;
		const wish = { partySize: Number(party.value) };
		if (name.value.trim()) wish.guestName = name.value.trim();
		if (phone.value.trim()) wish.phone = phone.value.trim();
		await join(panel, wish);
		more.open = false;
		name.value = '';
		phone.value = '';
	}
	panel.fill = ({ partySize, guestName = '', phone: number = '' }) => {
		party.value = String(partySize);
		name.value = guestName;
		phone.value = number;
		more.open = true;
		add.focus();
	};
	const tap = (n) => {
		party.value = String(n);
		if (!more.open) join(panel, { partySize: n });
	};
	more.append(
		el('summary', {}, d('joinMore')),
		el(
			'div',
			{ class: 'grid-fields' },
			field('join-party', t('partySize'), party),
			field('join-name', t('name'), name),
			field('join-phone', t('phone'), phone),
		),
		actions(add),
	);
	return el('div', { class: 'door-join' }, el('p', {}, d('join')), sizeButtons(tap, 'soft'), more);
}

/* ---- all of it ---- */

/* Drawn anew, it must not throw a keyboard out. */
function redraw(panel) {
	const held = document.activeElement?.closest?.('.door-row')?.dataset.id;
	const word = document.activeElement?.dataset?.act;
	const { parties, ended } = panel.list;
	panel.rows.replaceChildren(...parties.map((party) => drawParty(panel, party)));
	panel.empty.hidden = parties.length > 0;
	panel.ended.replaceChildren(...ended.map((party) => drawEnded(panel, party)));
	panel.past.hidden = !ended.length;
	const row = held && panel.node.querySelector(`[data-id="${held}"]`);
	const same = row && word && row.querySelector(`[data-act="${word}"]`);
	(same || row?.querySelector('button'))?.focus({ preventScroll: true });
}

/* In another language it is made anew. */
async function look(panel) {
	const { desk } = panel;
	if (panel.lang !== lang()) {
		fold(desk);
		await toggle(desk);
		return;
	}
	const list = await get('/api/desk/door', { query: desk.query() }).catch(() => null);
	if (!list) return;
	panel.list = list;
	redraw(panel);
}

function make(desk) {
	const panel = { desk, lang: lang(), list: null, key: null };
	panel.rows = el('ol', { class: 'door-list' });
	panel.empty = el('p', { class: 'hint' }, d('empty'));
	panel.ended = el('ul', { class: 'door-list' });
	panel.past = el('details', { hidden: true }, el('summary', {}, d('ended')), panel.ended);
	const sign = el('span', { 'aria-hidden': 'true' }, '\u00d7');
	const shut = button([sign], () => close(desk), {
		class: 'round cross',
		'aria-label': d('close'),
	});
	panel.node = el(
		'section',
		{ class: 'card door-panel', 'aria-labelledby': 'door-title' },
		el('h2', { id: 'door-title', tabIndex: -1 }, d('title')),
		shut,
		drawJoin(panel),
		panel.empty,
		panel.rows,
		panel.past,
	);
	panel.look = () => look(panel);
	return panel;
}

function fold(desk) {
	desk.door.node.remove();
	desk.door = null;
}

function close(desk) {
	fold(desk);
	document.getElementById('door')?.focus();
}

/** Opens it above the evening, or closes it. */
export async function toggle(desk) {
	if (desk.door) {
		close(desk);
		return;
	}
	await withSheet('/desk/door/door.css', sayings());
	const panel = make(desk);
	desk.door = panel;
	document.querySelector('.evening')?.before(panel.node); /* else it comes with the evening */
	await panel.look();
	panel.node.querySelector('h2').focus();
}

/** Opens it, with who did not fit filled in: another tap puts them on the list. */
export async function offerJoin(desk, wish) {
	if (!desk.door) await toggle(desk);
	desk.door?.fill(wish);
}
