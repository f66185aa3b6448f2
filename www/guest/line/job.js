/*
 * job.js - everything that is written goes through the line; this follows it to its end.
 *
 * A job is what the guest asked for, kept on the device from before it is sent until it is
 * answered: { key, guest, request, ticket, since, tries }.  Whatever happens in between (a reload,
 * a lost network, a busy box) the same job is carried on: with its ticket if it has one, else by
 * sending the same request with the same Idempotency-Key, which books once however often it
 * arrives.
 */
import { call, get, post } from '../../api.js';
import { between, keep, nap, recall, sleep } from '../../ui.js';
import { pollDelay, retryDelay } from './pace.js';
import { WaitingWindow } from './window.js';

/* The guest went away; booked: it had been written already, and this is it. */
export class Left extends Error {
	constructor(sure, booked = null) {
		super('left');
		Object.assign(this, { sure, booked });
	}
}

/* What to do after a failure: how long to wait before the same job is tried again.  Throws what
 * ended it. */
function afterFailure(job, error, screen) {
	if (error.code === 'WAITING') {
		job.ticket = error.body.ticket;
		screen.show(error.body, ++job.tries);
		return pollDelay(error.body.position, Math.random());
	}
	if (job.ticket && (error.code === 'NO_SUCH_TICKET' || error.code === 'ABANDONED')) {
		job.ticket = null; /* the line was rebuilt, or we slept: the same request, the same key */
		job.tries++;
		return 0;
	}
	if (error.passing) {
		const delay = retryDelay(job.tries, error.retryAfter, Math.random());
		screen.stumble(error, delay / 1000, ++job.tries, Boolean(job.ticket));
		return delay;
	}
	job.ticket = null;
	throw error;
}

/* One request of a job, until it has an answer that is not "later". */
async function settle(job, send, screen, { signal }, save) {
	for (;;) {
		let delay;
		try {
			const answer = await (job.ticket
				? get(`/api/tickets/${job.ticket}`, { signal })
				: send(signal));
			job.waited = Boolean(job.ticket);
			job.ticket = null;
			return answer;
		} catch (error) {
			if (signal.aborted) throw signal.reason;
			delay = afterFailure(job, error, screen);
			save?.(job);
		}
		await nap(delay, signal);
		if (signal.aborted) throw signal.reason;
	}
}

/* The guest leaves: what became of it.  A ticket is given back; it may have been too late for
 * that. */
async function leave(job) {
	if (!job.ticket) return new Left(false);
	try {
		const answer = await call('DELETE', `/api/tickets/${job.ticket}`);
		return answer.reservationId ? new Left(true, answer) : new Left(true);
	} catch (error) {
		return new Left(error.status === 410 || error.status === 409);
	}
}

/* Runs work(screen, leaving) with the window ready and the way out open. */
async function withWindow(job, phone, work) {
	const leaving = new AbortController();
	const screen = new WaitingWindow(phone, async () => leaving.abort(await leave(job)));
	try {
		return await work(screen, leaving);
	} finally {
		screen.close();
	}
}

const sameGuest = (a, b) =>
	a && b && a.name === b.name && a.phone === b.phone && (a.email ?? '') === (b.email ?? '');

/*
 * Sends the booking: with this device's login if it is the same guest's, else with who the guest
 * is. A newcomer is written together with the booking, by one ticket: their place in the line is
 * the booking's own.
 */
function send(job, signal) {
	const known = recall('guest');
	const who = known?.token && sameGuest(known, job.guest) ? { token: known.token } : null;
	const body = who ? job.request : { ...job.request, guest: job.guest };
	return post('/api/reservations', body, { who, key: job.key, signal });
}

/* The answer to a ticket sets no cookie, so a guest who waited asks for theirs when the rush is
 * over: the cookie still knows them when Safari has emptied its storage. */
async function keepCookie(token) {
	await sleep(between(1000, 5000));
	await post('/api/cookie', undefined, { who: { token } }).catch(() => {});
}

/* The booking and the login it goes with; a newcomer's came with the answer. */
function welcome(job, reservation) {
	const { accessToken, userId } = reservation;
	if (accessToken && job.waited) keepCookie(accessToken);
	if (accessToken) keep('guest', { ...job.guest, id: userId, token: accessToken });
	return { reservation, who: { token: accessToken ?? recall('guest')?.token } };
}

/* Settles a booking; a login that has ended is forgotten, and we introduce ourselves again. */
async function settleBooking(job, screen, leaving) {
	const settled = () =>
		settle(
			job,
			(signal) => send(job, signal),
			screen,
			leaving,
			(j) => keep('job', j),
		);
	try {
		return await settled();
	} catch (error) {
		if (error.code !== 'UNAUTHORIZED') throw error;
		keep('guest', { ...job.guest });
		return settled();
	}
}

/*
 * Books, or carries on with a booking that a reload interrupted.  Returns { reservation, who };
 * throws the ApiError that ended it, or Left.
 */
export function book(job, phone) {
	job.since ??= Date.now();
	job.tries ??= 0;
	keep('job', job);
	return withWindow(job, phone, async (screen, leaving) => {
		if (job.ticket) screen.open();
		try {
			return welcome(job, await settleBooking(job, screen, leaving));
		} catch (error) {
			if (error instanceof Left && error.booked) return welcome(job, error.booked);
			throw error;
		} finally {
			keep('job', null);
		}
	});
}

/* Any other change that goes through the line: send() posts it; resolves to its answer. */
export function change(send, phone) {
	const job = { ticket: null, tries: 0 };
	return withWindow(job, phone, (screen, leaving) => settle(job, send, screen, leaving));
}
