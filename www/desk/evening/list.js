/*
 * list.js - the evening by time: on top who stands there and waits for a table, who is late, who is
 * on the waitlist; then who is to come or here, and who is gone.
 */

import { post } from '../../api.js';
import { clockTime, isNight } from '../../dates.js';
import { confirmDialog } from '../../forms.js';
import { t } from '../../i18n.js';
import { announce, button, el, telLink } from '../../ui.js';
import { drawRow } from './row.js';
import { listOf } from './state.js';

/* ---- the waitlist ---- */

/* full: what is said where there are no seats. */
async function send(desk, said, call, full) {
	try {
		await call();
		desk.say(said);
		announce(said);
	} catch (error) {
		const text = (error.code === 'SLOT_FULL' && full) || desk.sentence(error);
		desk.say(text);
		announce(text, true);
	}
	await desk.refresh();
}

/* All who wait for one time leave the list; asked first, because it cannot be taken back. */
async function clearTime(desk, slotTime, count) {
	const title = t('clearWaitAsk', clockTime(slotTime), count);
	const sure = await confirmDialog(title, t('clearWaitText'), t('clearWait'), { careful: true });
	if (!sure) return;
	const slot = { slotDate: desk.day.date, slotTime };
	await send(desk, `${clockTime(slotTime)} · ${t('didClear')}`, () =>
		post('/api/desk/waitlist/clear', slot, { query: desk.query() }),
	);
}

/* A button for each time for which two or more wait: one alone has a button of their own. */
function clearButtons(desk, list) {
	const counts = new Map();
	for (const w of list) counts.set(w.slotTime, (counts.get(w.slotTime) ?? 0) + 1);
	const many = [...counts].filter(([, count]) => count > 1);
	if (!many.length) return null;
	return el(
		'div',
		{ class: 'acts clear-waits' },
		many.map(([time, count]) =>
			button(t('clearWaitOf', clockTime(time), count), () => clearTime(desk, time, count), {
				class: 'plain danger',
				'data-act': 'clear',
				'data-time': time,
			}),
		),
	);
}

function waiterActs(desk, w) {
	const tap = (label, did, word, kind) => {
		const call = () => post(`/api/desk/waitlist/${w.waitlistId}/${word}`, {});
		const full = t('offerFull', clockTime(w.slotTime), w.partySize);
		return button(label, () => send(desk, `${w.guestName} · ${did}`, call, full), {
			class: kind,
			'data-act': word,
		});
	};
	return [
		w.phone && el('a', { class: 'button soft', href: telLink(w.phone) }, t('call')),
		w.status !== 'OFFERED' && tap(t('offer'), t('didOffer'), 'offer', 'primary'),
		tap(t('removeWait'), t('didRemove'), 'remove', 'soft'),
	];
}

function drawWaiter(desk, w) {
	const offered = w.status === 'OFFERED';
	const state = offered ? t('offeredUntil', desk.at(w.offerExpiresAt)) : t('rank', w.rank);
	return el(
		'li',
		{ class: `row waiter${offered ? ' offered' : ''}`, 'data-id': `w${w.waitlistId}` },
		el(
			'div',
			{ class: 'who' },
			el('span', { class: 'size' }, String(w.partySize)),
			el(
				'span',
				{ class: 'name' },
				el('b', {}, `${clockTime(w.slotTime)} ${w.guestName}`),
				el('span', {}, state),
			),
		),
		el('div', { class: 'acts' }, waiterActs(desk, w)),
	);
}

/* The box below the late ones; null where no guest waits. */
function waitBox(desk) {
	const list = desk.day.waitlist ?? [];
	if (!list.length) return null;
	return el(
		'section',
		{ class: 'wait-box', 'aria-labelledby': 'wait-head' },
		el('h2', { id: 'wait-head' }, `${t('waiting')} ${list.length}`),
		el(
			'ul',
			{},
			list.map((w) => drawWaiter(desk, w)),
		),
		clearButtons(desk, list),
	);
}

/* ---- the list ---- */

const mayOpenHouse = (desk) => desk.may('GET /api/desk/house');

const newTab = (href, text) => el('a', { href, target: '_blank', rel: 'noopener' }, text);

/* Where no guest has booked yet, this is what an owner tells people. */
function drawShare(desk) {
	const query = `?restaurant=${desk.restaurantId}`;
	const page = `${location.origin}/${desk.restaurantId === desk.first ? '' : query}`;
	return el(
		'p',
		{ class: 'share' },
		t('share'),
		' ',
		newTab(page, page),
		' · ',
		newTab(`/desk/card.html${query}`, t('tableCard')),
	);
}

/*
 * A clock that may be wrong; messages that could not be sent, or not yet: then the server's own
 * words say what to mend.
 */
function drawTrouble(desk) {
	const { messagesFailed, messagesWaiting, messagesAnswer, clockDoubted, now } = desk.day;
	const messages = messagesFailed || messagesWaiting;
	if (!messages && !clockDoubted) return null;
	return el(
		'div',
		{ class: 'failed', role: 'status' },
		clockDoubted ? el('p', { 'data-notice': 'clock' }, t('clockDoubted', desk.when(now))) : null,
		messagesFailed ? el('p', {}, t('failed', messagesFailed)) : null,
		messagesWaiting ? el('p', {}, t('stuck', messagesWaiting, messagesAnswer ?? '')) : null,
		messages && mayOpenHouse(desk) ? el('a', { href: '#house/sent' }, t('seeMessages')) : null,
	);
}

/* timed: its rows say for when they were booked. */
function drawGroup(desk, { kind, label, head, rows, timed }, ms) {
	return el(
		'section',
		{ class: kind, 'aria-label': label },
		el('h2', {}, head),
		el(
			'ul',
			{},
			rows.map((r) => drawRow(desk, r, ms, timed)),
		),
	);
}

/* Those who have come and wait for their table, and those who are late: a box each. */
function drawApart(desk, kind, label, rows, ms) {
	if (!rows.length) return null;
	const head = [label, ' ', el('span', { class: 'n' }, String(rows.length))];
	return drawGroup(desk, { kind, label, head, rows, timed: true }, ms);
}

function drawGone(desk, rows, ms) {
	if (!rows.length) return null;
	const states = ['COMPLETED', 'NO_SHOW', 'CANCELED'].map((word) => t(`s.${word}`));
	const head = `${states.join(' · ')} ${rows.length}`;
	return drawGroup(desk, { kind: 'gone', head, rows, timed: true }, ms);
}

function drawTime(desk, { time, parties, people }, ms) {
	const night = isNight(time) && [' ', el('small', {}, t('afterMidnight'))];
	const head = [clockTime(time), ...(night || []), ' ', el('span', {}, t('people', people))];
	return drawGroup(desk, { kind: 'slot', label: time, head, rows: parties }, ms);
}

export function drawList(desk, ms) {
	const { reservations, slots } = desk.day;
	if (!reservations.length) {
		return [
			drawTrouble(desk),
			waitBox(desk),
			el('p', { class: 'empty' }, t(slots.length ? 'empty' : 'closed')),
			mayOpenHouse(desk) && drawShare(desk),
		];
	}
	const { waiting, late, times, gone } = listOf(reservations, ms);
	return [
		drawTrouble(desk),
		drawApart(desk, 'here-box', t('atTheDoor'), waiting, ms),
		drawApart(desk, 'late-box', t('late'), late, ms),
		waitBox(desk),
		...times.map((group) => drawTime(desk, group, ms)),
		drawGone(desk, gone, ms),
	];
}
