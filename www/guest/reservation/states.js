/*
 * states.js - which state a reservation is in and what follows from it: pure questions.
 *
 * r: the answer of GET /api/reservations/{id}; a text is named, not written, so no language is
 * needed.
 */
import { addDays } from '../../dates.js';
import { depositOf } from '../../terms.js';
import { isActive } from '../bookable.js';

const SOUND = ['CONFIRMED', 'PREPAY_CONFIRM', 'COMPLETED'];
const HOLD_S = 420; /* where the house is not known */

/* Is it confirmed, or was it? */
export const isSound = (r) => SOUND.includes(r.status);

/* May its guest be asked whether they come? */
export const isToCome = (r) => isSound(r) && r.status !== 'COMPLETED';

const LATE_FROM_MIN = 120; /* so long before its time a guest may say that they will be late ... */
const LATE_UNTIL_MIN = 30; /* ... and so long after it */
const HERE_FROM_MIN = 30;

/* What its guest may say on the day: { late, here }, as the box takes it at that moment. */
export function mayTell(r, ms) {
	const expected = isToCome(r) && (r.visitStatus ?? 'PENDING') === 'PENDING';
	const minutes = (Date.parse(r.startsAt) - ms) / 60000;
	return {
		late: expected && minutes <= LATE_FROM_MIN && minutes >= -LATE_UNTIL_MIN,
		here: expected && minutes <= HERE_FROM_MIN && Date.parse(r.endsAt) >= ms,
	};
}

/* What the screen is about: 'offered', 'unproven', 'held', 'sound' or 'ended'. */
export function stateOf(r) {
	if (r.offered) return 'offered';
	if (r.unproven) return 'unproven';
	if (r.status === 'TEMPORARY') return 'held';
	return isSound(r) ? 'sound' : 'ended';
}

/* Its heading, as the name of a text. */
export function titleOf(r) {
	if (r.offered) return 's.OFFERED';
	return r.unproven ? 's.UNPROVEN' : `s.${r.status}`;
}

/* What the drawing depends on: another one of these is another screen. */
export function drawnAs(r, ms = 0) {
	const { late, here } = mayTell(r, ms);
	const told = [late, here, late || here ? [r.lateMinutes, r.here] : ''];
	const money = [r.pendingChange?.holdExpiresAt, r.payment?.state, r.payment?.refundAmount];
	return [stateOf(r), r.status, ...money, ...told].join(' ');
}

/* May it change any second, by itself or by the desk? */
export const isMoving = (r) =>
	r?.status === 'TEMPORARY' || Boolean(r?.pendingChange) || r?.payment?.state === 'CHECKING';

/* Is money on its way back, which may take a second or days? */
export const isComingBack = (r) => r?.payment?.state === 'REFUND_ON_ITS_WAY';

/* Until when something is held for it. */
export const heldUntil = (r) =>
	r.status === 'TEMPORARY' ? r.holdExpiresAt : r.pendingChange?.holdExpiresAt;

/* Seconds that are left.  The clock is good to half a second: never a second more than the hold
 * has. */
export const secondsLeft = (until, nowMs) => Math.ceil((Date.parse(until) - nowMs - 500) / 1000);

/* The share of a hold that is left. */
export const shareLeft = (seconds, holdSeconds) =>
	Math.max(0, Math.min(1, seconds / (holdSeconds || HOLD_S)));

/* The day to book again: the same one if it is still to come, else the same weekday from tomorrow
 * on. */
export function rebookDay(date, today) {
	let day = date;
	while (day < today) day = addDays(day, 7);
	return day === today && day !== date ? addDays(day, 7) : day;
}

/* What an ended one says: the name of a text and the sum in it, or null. */
export function endedText(r) {
	if (r.status === 'EXPIRED') return { name: 'expiredText' };
	if (r.refundAmount && !r.dueBackAmount) return { name: 'refundDone', sums: [r.refundAmount] };
	if (r.status !== 'CANCELED') return null;
	if (r.paidAmount > 0 && !r.dueBackAmount) return { name: 'canceledKept', sums: [r.paidAmount] };
	return { name: r.cancelledByRestaurant ? 'canceledByHouse' : 'canceledText' };
}

/* What cancelling it now does to the money. */
export function cancelText(r) {
	const { paidAmount: paid, refundIfCancelledNow: back } = r;
	if (!paid) return { name: r.totalAmount ? 'nothingPaid' : 'cancelFree' };
	return back ? { name: 'refundNow', sums: [back, paid] } : { name: 'refundNothing', sums: [paid] };
}

/* What another party size does to the money: [name, percent] pairs of texts. */
export function changeTexts(r, party, policies) {
	const pct = r.refundPercentNow;
	const deposit = r.reservationType === 'RESERVATION_DEPOSIT' && isSound(r);
	const paid = r.paidAmount > 0;
	return [
		deposit && party > r.partySize && depositOf(policies, party) > 0 && ['changeMore'],
		deposit && party < r.partySize && paid && ['changeFewer', pct],
		paid && pct < 100 && ['changeCap', pct],
	].filter(Boolean);
}

/* The times that it can be moved to: what it has itself does not stand in the way. */
export const openFor = (r, day, slots) =>
	slots.filter((s) => s.available || (day === r.slotDate && s.slotTime === r.slotTime));

/* A reason from a choice and a sentence. */
export const joinReason = (chosen, more, most) =>
	[chosen, more.trim()].filter(Boolean).join(' · ').slice(0, most);

/* Those of a device: what comes, the next first, and the rest, the newest first. */
export function sortMine(entries, today) {
	const coming = entries
		.filter((m) => isActive(m.status) && m.date >= today)
		.sort((a, b) => (a.date + a.time).localeCompare(b.date + b.time));
	return { coming, rest: entries.filter((m) => !coming.includes(m)) };
}
