/*
 * send.js - tells the box what staff did, and shows what came of it, with the way back.
 */

import { get, patch, post } from '../../api.js';
import { clockTime } from '../../dates.js';
import { t } from '../../i18n.js';
import { announce, freshKey } from '../../ui.js';
import { tableNames } from '../evening/state.js';

/* The acts after which somebody walks to a table; true: it may be another time, too. */
const SAYS_WHERE = { walkIn: false, seat: false, swap: false, change: true };

/* The staff member who changed it last. */
async function whoChanged(id) {
	const answer = await get(`/api/desk/reservations/${id}/history`).catch(() => null);
	return answer?.history.find(({ by }) => by.name)?.by.name;
}

/* Another of the staff was faster: who, unless it was the same person on another screen. */
async function explainStale(desk, { reservation, changedBy }) {
	const id = Number(changedBy?.split(':')[1]);
	const mine = id && id === desk.me.userId;
	const who = mine ? null : await whoChanged(reservation.reservationId);
	desk.say(who ? t('staleBy', who) : t('staleElsewhere'));
}

/** What went wrong, in words that help: who was faster, which times fit. */
export async function explain(desk, error) {
	if (error.body?.reservation) desk.learn(error.body.reservation);
	if (error.code === 'STALE' && error.body.reservation) return explainStale(desk, error.body);
	const times = error.body?.alternatives?.map((a) => clockTime(a.slotTime)).join(', ');
	const text = [desk.sentence(error), times && t('fits', times)].filter(Boolean).join(' ');
	announce(text, true);
	return desk.say(text);
}

/**
 * Sends it and shows what came of it: call() gives the reservation as it is now, back(r) the way
 * back if there is one; how: what can be done where there is no place (refusal.js).  True if it was
 * done.
 */
export async function send(desk, word, call, back, how) {
	if (!desk.connected) return false;
	try {
		const r = await call();
		desk.learn(r);
		announce(t(`did.${word}`));
		const said = [r.guestName, ...whereOf(desk, r, word), t(`did.${word}`)];
		desk.say(said.filter(Boolean).join(' · '), back(r));
		return true;
	} catch (error) {
		if (how && error.body?.reasons) {
			await later(
				desk,
				() => import('./refusal.js'),
				(m) => m.refused(desk, error, how),
			);
		} else await explain(desk, error);
		return false;
	}
}

/* Where they are led to, and when they come. */
function whereOf(desk, r, word) {
	const table = word in SAYS_WHERE && tableNames(r, desk.day);
	return [SAYS_WHERE[word] && clockTime(r.slotTime), table && t('tableOf', table)];
}

const undoOf = (desk) => (r) => r.undo && (() => undo(desk, r));

/* A swap is taken back for both. */
async function undo(desk, r) {
	await act(desk, r, 'undo');
	if (r.undo === 'swap') await desk.refresh();
}

/** One act of the desk: arrive, seat, leave, complete, no-show, confirm, cancel, note, undo. */
export function act(desk, r, word, more = {}) {
	const path = `/api/desk/reservations/${r.reservationId}/${word}`;
	const call = () => post(path, { version: r.version, ...more });
	const again = (other) => act(desk, r, word, { ...more, ...other });
	const back = word === 'undo';
	const acts = { share: !back, swap: !back, back };
	const how = (back || word === 'seat') && { r, again, acts };
	return send(desk, word, call, back ? () => undefined : undoOf(desk), how);
}

/** Another time, size or table, a longer or a shorter stay. */
export function change(desk, r, wish) {
	const path = `/api/desk/reservations/${r.reservationId}`;
	const call = () => patch(path, { version: r.version, ...wish });
	const again = (other) => change(desk, r, { ...wish, ...other });
	const acts = { share: r.visitStatus === 'SEATED', swap: true, overbook: true };
	return send(desk, 'change', call, undoOf(desk), { r, again, acts });
}

/** Two parties change tables, in one step with one way back. */
export async function swap(desk, r, other) {
	const path = `/api/desk/reservations/${r.reservationId}/swap`;
	const both = { version: r.version, with: other.reservationId, withVersion: other.version };
	const again = (more) => (Object.keys(more).length ? change(desk, r, more) : swap(desk, r, other));
	const how = { r, again, acts: {} };
	const done = await send(desk, 'swap', () => post(path, both), undoOf(desk), how);
	if (done) await desk.refresh();
}

/** The way back for a party that was put in by mistake: it is taken out again. */
export const takeOut = (desk, r) => () =>
	act(desk, r, 'cancel', { refundAll: 1, reason: t('undo') });

/*
 * A request whose answer was lost is the same one when it is sent again within a minute: it has the
 * same key, and no guest is seated twice.
 */
const unanswered = new Map();
const SAME_MS = 60000;

/** Makes a new reservation, once. */
export async function once(desk, path, body) {
	const wish = path + JSON.stringify(body);
	const before = unanswered.get(wish);
	const key = before && Date.now() - before.at < SAME_MS ? before.key : freshKey();
	unanswered.set(wish, { key, at: Date.now() });
	try {
		const r = await post(path, body, { query: desk.query(), key });
		unanswered.delete(wish);
		return r;
	} catch (error) {
		if (!error.passing) unanswered.delete(wish);
		throw error;
	}
}

/*
 * A dialog that cannot do anything without the box is asked from it at the first tap: a screen that
 * only shows the evening need not load it.
 */
let loading = false;

/** load() gives the module, act(module) opens the dialog; of two quick taps one counts. */
export async function later(desk, load, act) {
	if (loading) return;
	loading = true;
	const module = await load().catch(() => null);
	loading = false;
	if (module) await act(module);
	else desk.say(t('lost'));
}
