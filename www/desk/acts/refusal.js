/*
 * refusal.js - a place that cannot be had: why, by name, and what can be done instead, a tap each.
 */
import { post } from '../../api.js';
import { minutesOf, timeOf } from '../../dates.js';
import { ask } from '../../dialogs.js';
import { askForm, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { couldOverbook, minutesLeft, SHORTEST_MIN, sentencesOf, swapOf } from './reasons.js';
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

/* Where there is room for a while only: until then they may sit, if they like. */
const roomUntil = (desk, { sittingMinutes }) =>
	sittingMinutes && timeOf((minutesOf(desk.clock().time) + sittingMinutes) % 1440);

/* They thought about it for a while: the end stays, and the minutes are fewer. */
function stayTo(desk, until) {
	const sittingMinutes = minutesLeft(desk.clock().time, until);
	return sittingMinutes >= SHORTEST_MIN ? { sittingMinutes } : {};
}

/* What the box says of these asks for another time, and who stands at the door has none. */
const NO_ROOM = ['SLOT_FULL', 'TIME_BLOCKED'];

function titleOf(desk, error, { now }, until) {
	if (until) return t('shortStay', until);
	return now && NO_ROOM.includes(error.code) ? t('noRoomNow') : desk.sentence(error);
}

/* What helps, in the order in which it is tried. */
function waysOf(desk, { r, again, acts, wait }, body, until, way) {
	const { takenBy = [] } = body;
	const other = acts.swap && swapOf(r, body, desk.day);
	const beyond = acts.overbook && mayOverbook(desk) && couldOverbook(body);
	return [
		until && way(t('seatUntil', until), () => again(stayTo(desk, until)), 'primary'),
		takenBy.length > 0 && way(t('haveLeft'), () => leaveAndGo(desk, takenBy, again), 'primary'),
		other && way(t('swapWith', other.guestName), () => swap(desk, r, other)),
		takenBy.length > 0 && acts.share && way(t('shareTable'), () => again({ share: true })),
		wait && way(t('door'), wait),
		beyond && way(t('overbook'), () => overbook(again)),
	];
}

/* The tables that are free then, each a tap; after an undo, for those who have its table now. */
function drawFree({ freeTables = [] }, { again, acts }, way) {
	const tap = ({ tableName, seats, tables }) => {
		const label = t('seatsAt', tableName, seats);
		return acts.back ? el('span', {}, label) : way(label, () => again({ tables }));
	};
	if (!freeTables.length) return [];
	return [
		el('p', { class: 'hint' }, t('freeTables')),
		el('div', { class: 'actions many' }, freeTables.map(tap)),
	];
}

/**
 * Shows why not.  how: r is the party, if there is one already; again(more) asks once more, with
 * something else; acts: which ways there are, of share, swap, overbook; back: it was an undo;
 * now: they are at the door; wait(): opens the door list for them.
 */
export async function refused(desk, error, how) {
	const sentences = sentencesOf(error.body, desk.at);
	const until = roomUntil(desk, error.body);
	const go = await ask('why-title', (close) => {
		const way = (label, then, kind = 'soft') => button(label, () => close(then), { class: kind });
		return [
			el('h2', { id: 'why-title' }, titleOf(desk, error, how, until)),
			...(until ? [el('p', {}, t('shortStayText'))] : []),
			el(
				'ul',
				{ class: 'reasons' },
				sentences.map((words) => el('li', {}, t(...words))),
			),
			el('div', { class: 'actions many' }, waysOf(desk, how, error.body, until, way)),
			...drawFree(error.body, how, way),
		];
	});
	if (go) await go();
}
