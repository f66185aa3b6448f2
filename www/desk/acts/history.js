/*
 * history.js - what was done with a reservation, and which messages were sent about it.
 */
import { get } from '../../api.js';
import { ask } from '../../dialogs.js';
import { t } from '../../i18n.js';
import { el } from '../../ui.js';
import { reservationHistory } from '../history/list.js';
import { explain } from './send.js';

/* ---- messages, one a line ---- */

const BADGES = { SENT: 'confirmed', FAILED: 'over' };

function drawLine(desk, m) {
	const about = [desk.when(m.createdAt), m.guestName, m.answer].filter(Boolean).join(' · ');
	return el(
		'li',
		{ class: `message ${m.status.toLowerCase()}` },
		el('b', {}, t(`event.${m.event}`)),
		` ${t(`channel.${m.channel}`)} · `,
		el('span', { class: `badge ${BADGES[m.status] ?? 'temporary'}` }, t(`sent.${m.status}`)),
		el('span', { class: 'soft-text' }, ` ${about}`),
	);
}

export const messageLines = (desk, messages) =>
	el(
		'ul',
		{ class: 'messages' },
		messages.map((m) => drawLine(desk, m)),
	);

/* ---- what was done ---- */

function drawMessages(desk, messages) {
	if (!messages?.length) return [];
	return [el('h3', {}, t('messages')), messageLines(desk, messages)];
}

export async function history(desk, r) {
	try {
		const answer = await get(`/api/desk/reservations/${r.reservationId}/history`);
		const messages = drawMessages(desk, answer.messages);
		await ask(
			'hist-title',
			() => [
				el('h2', { id: 'hist-title' }, `${r.guestName} · ${t('history')}`),
				...reservationHistory(desk, answer.history),
				...messages,
			],
			{ className: 'wide' },
		);
	} catch (error) {
		await explain(desk, error);
	}
}
