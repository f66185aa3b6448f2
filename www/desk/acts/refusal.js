/*
 * refusal.js - a place that cannot be had: why, by name, and what can be done instead, a tap each.
 */
import { post } from '../../api.js';
import { ask } from '../../dialogs.js';
import { askForm, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { couldOverbook, sentencesOf, swapOf } from './reasons.js';
import { explain, swap } from './send.js';

/** May this login let parties in beyond the seats? */
export const mayOverbook = (desk) => ['OWNER', 'MANAGER'].includes(desk.me.userType);

/** Asks why; undefined: they do not want to. */
export function askReason() {
	const reason = el('input', {
		'data-limit': LENGTHS.overbook,
		autocomplete: 'off',
		required: true,
	});
	return askForm(t('overbook'), {
		content: [el('p', { class: 'hint' }, t('overbookText')), field(null, t('overbookWhy'), reason)],
		submit: t('overbookYes'),
		send: () => reason.value.trim(),
	});
}

/* They have left: then their table is free. */
async function haveLeft(desk, takenBy) {
	for (const { reservationId, version } of takenBy) {
		const path = `/api/desk/reservations/${reservationId}/leave`;
		desk.learn(await post(path, { version }));
	}
}

async function leaveAndGo(desk, takenBy, again) {
	try {
		await haveLeft(desk, takenBy);
	} catch (error) {
		await explain(desk, error);
		return;
	}
	await again({});
}

async function overbook(again) {
	const reason = await askReason();
	if (reason) await again({ overbook: reason });
}

/* What helps, in the order in which it is tried. */
function waysOf(desk, { r, again, acts }, body, way) {
	const { takenBy = [] } = body;
	const other = acts.swap && swapOf(r, body, desk.day?.reservations ?? []);
	const beyond = acts.overbook && mayOverbook(desk) && couldOverbook(body);
	return [
		takenBy.length > 0 && way(t('haveLeft'), () => leaveAndGo(desk, takenBy, again), 'primary'),
		other && way(t('swapWith', other.guestName), () => swap(desk, r, other)),
		takenBy.length > 0 && acts.share && way(t('shareTable'), () => again({ share: true })),
		beyond && way(t('overbook'), () => overbook(again)),
	];
}

/* The tables that are free then, each a tap. */
function drawFree({ freeTables = [] }, again, way) {
	const tap = ({ tableName, seats, tables }) =>
		way(t('seatsAt', tableName, seats), () => again({ tables }));
	if (!freeTables.length) return [];
	return [
		el('p', { class: 'hint' }, t('freeTables')),
		el('div', { class: 'actions many' }, freeTables.map(tap)),
	];
}

/**
 * Shows why not.  how: r is the party, if there is one already; again(more) asks once more, with
 * something else; acts: which ways there are, of share, swap, overbook.
 */
export async function refused(desk, error, how) {
	const sentences = sentencesOf(error.body, desk.at);
	const go = await ask('why-title', (close) => {
		const way = (label, then, kind = 'soft') => button(label, () => close(then), { class: kind });
		return [
			el('h2', { id: 'why-title' }, desk.sentence(error)),
			el(
				'ul',
				{ class: 'reasons' },
				sentences.map((words) => el('li', {}, t(...words))),
			),
			el('div', { class: 'actions many' }, waysOf(desk, how, error.body, way)),
			...drawFree(error.body, how.again, way),
		];
	});
	if (go) await go();
}
