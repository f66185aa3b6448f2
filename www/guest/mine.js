/*
 * mine.js - what this device keeps of its guest: reservations, places on the waitlist, a booking
 * under way, a form.
 */
import { keep, recall } from '../ui.js';

const MINE_MAX = 30;
const WAITS_MAX = 10;
const JOB_MAX_MS = 15 * 60 * 1000;

/* The reservations made here, newest first: id, userId, manage token, and enough to show a line
 * offline. */
export const mine = () => recall('mine', []);

export function keepReservation(r, who) {
	const known = mine().find((m) => m.id === r.reservationId);
	const entry = {
		id: r.reservationId,
		restaurantId: r.restaurantId,
		code: r.reservationCode,
		date: r.slotDate,
		time: r.slotTime,
		party: r.partySize,
		status: r.status,
		userId: r.userId,
		manage: r.manageToken ?? who?.manage ?? known?.manage,
		token: who?.token ?? known?.token,
	};
	const others = mine().filter((m) => m.id !== entry.id);
	keep('mine', [entry, ...others].sort((a, b) => b.id - a.id).slice(0, MINE_MAX));
	return entry;
}

/* How to ask for one of them. */
export const whoFor = (entry) =>
	entry?.manage ? { manage: entry.manage } : { token: entry?.token ?? recall('guest')?.token };

/* What this device waits for: id, date, time, party, token. */
export const waits = () => recall('waits', []);
const otherWaits = (id) => waits().filter((w) => w.id !== id);
export const keepWait = (w) => keep('waits', [w, ...otherWaits(w.id)].slice(0, WAITS_MAX));
export const forgetWait = (id) => keep('waits', otherWaits(id));

/* A booking that a reload interrupted and that may still be carried on. */
export function pendingJob() {
	const job = recall('job');
	if (job && Date.now() - job.since < JOB_MAX_MS) return job;
	if (job) keep('job', null);
	return null;
}

/* The form is done with; the guest's name and number stay for the next time. */
export const clearDraft = () => keep('draft', null);

/* Everything that this device knows of its guest, but not the language. */
export function forgetGuest() {
	for (const name of ['mine', 'guest', 'draft', 'job', 'waits']) keep(name, null);
}
