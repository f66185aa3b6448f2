/*
 * booking.js - a booking from the first word to the last, whichever screen began it.
 */
import { get } from '../api.js';
import { t } from '../i18n.js';
import { announce, freshKey, keepsAnything, recall } from '../ui.js';
import { isActive } from './bookable.js';
import { contactOf, repeatOf } from './details/order.js';
import { book, Left } from './line/job.js';
import { clearDraft, keepReservation } from './mine.js';
import { rebookDay } from './reservation/states.js';

/* Where nothing is kept the next reload would lose it, so its own link becomes the address. */
function showMade(ctx, reservation) {
	const { reservationId, manageToken } = reservation;
	if (keepsAnything() || !manageToken)
		ctx.go({ reservation: reservationId }, { first: reservation });
	else location.assign(`/r#${manageToken}`);
}

/* The guest's reservation at that time; the door answers a very quick second try without naming
 * it. */
async function existing(error, { slotDate, slotTime }) {
	if (error.body.reservationId) return error.body.reservationId;
	const who = { token: recall('guest')?.token };
	const answer = await get('/api/reservations/my', { who }).catch(() => null);
	const same = (r) => r.slotDate === slotDate && r.slotTime === slotTime && isActive(r.status);
	return answer?.reservations.find(same)?.reservationId;
}

/* What a booking ended in, when it is not a reservation; it belongs to the form it came from, also
 * after a reload or from another screen. */
async function refuse(ctx, error, { request }) {
	const id = error.code === 'DUPLICATE' && (await existing(error, request));
	if (id) {
		const note = `${t('takenTitle')}. ${t('takenText')}`;
		ctx.go({ reservation: id }, { note });
		return;
	}
	const { partySize: party, slotDate: date, slotTime: time } = request;
	const form = await ctx.formAt({ party, date, time });
	if (error instanceof Left) {
		const sentence = t(error.sure ? 'leftLine' : 'leftUnsure');
		announce(sentence, true);
		form?.say?.(sentence);
	} else await form?.refused?.(error);
}

/* Books; job: see line/job.js. */
export async function attempt(ctx, job) {
	try {
		const { reservation, who } = await book(job, ctx.house?.phone);
		clearDraft();
		keepReservation(reservation, who);
		showMade(ctx, reservation);
	} catch (error) {
		await refuse(ctx, error, job);
	}
	ctx.showBadge();
}

/* The same party and time on the next day that it can be. */
export const rebook = (ctx, r) =>
	ctx.go({
		party: r.partySize,
		date: rebookDay(r.slotDate, ctx.house.today),
		time: r.slotTime,
	});

/* The same time once more, with everything as it was: one tap. */
export function again(ctx, r) {
	const guest = recall('guest');
	if (!guest?.name || r.userId !== guest.id) return rebook(ctx, r);
	return attempt(ctx, { key: freshKey(), guest: contactOf(guest), request: repeatOf(r) });
}
