/*
 * waiting.js - everything that is written goes through the line; this follows it to its end.
 *
 * A job is what the guest asked for, kept on the device from before it is sent until it is answered:
 * { key, guest, request, ticket, since, tries }.  Whatever happens in between (a reload, a lost
 * network, a busy box) the same job is carried on: with its ticket if it has one, else by sending the
 * same request with the same Idempotency-Key, which books once however often it arrives.
 */
import { call, get, post } from '../api.js';
import { t } from '../i18n.js';
import { announce, between, button, el, keep, nap, recall, sleep } from '../ui.js';

const JOB_MAX_MS = 15 * 60 * 1000;
const KIND_TRIES = 10; /* after so many fruitless tries we say that it takes long */
const NEAR = 3; /* so near the front we look more often */
const SAY_EVERY_MS = 8000;

/* The guest went away; booked: it had been written already, and this is it. */
export class Left extends Error {
	constructor(sure, booked = null) {
		super('left');
		Object.assign(this, { sure, booked });
	}
}

/* How long until the next look.  The 60 s after which a ticket is given up are far away. */
export function pollDelay(position) {
	return position <= NEAR ? between(900, 1600) : between(2000, 4000);
}

/* An honest range from one number; after the time is over we say that we do not know. */
export function etaText(etaSeconds, waitedMs, longestMs) {
	if (waitedMs > longestMs && waitedMs > 8000) return t('etaUnknown');
	const low = Math.max(1, Math.round(etaSeconds * 0.7));
	const high = Math.max(low + 4, Math.round(etaSeconds * 1.6));
	return high > 100
		? t('etaMin', Math.max(1, Math.floor(low / 60)), Math.ceil(high / 60) + (high <= 120 ? 1 : 0))
		: t('eta', low, high);
}

/* The share of the way that lies behind us: by people, or by time where nobody moves. */
export function progressOf(view, first, waitedMs) {
	const ahead = Math.max(0, view.position - 1);
	const people = first > 1 ? 1 - ahead / first : 0;
	const seconds = waitedMs / 1000;
	return Math.min(
		0.96,
		Math.max(people * 0.9, (0.9 * seconds) / (seconds + Math.max(3, view.etaSeconds * 2))),
	);
}

/* The calm window.  It appears at the first word of a wait and goes with the answer. */
class Room {
	constructor(phone, onleave) {
		this.begun = Date.now();
		this.best = 0;
		this.first = 0;
		this.longest = 0;
		this.saidAt = 0;
		this.phone = phone;
		this.onleave = onleave;
	}

	open() {
		if (this.dialog) return;
		this.number = el('p', { class: 'ahead' });
		this.crowd = el('p', { class: 'crowd' });
		this.eta = el('p', { class: 'eta' });
		this.fill = el('i');
		this.bar = el(
			'div',
			{
				class: 'bar',
				role: 'progressbar',
				'aria-label': t('progress'),
				'aria-valuemin': '0',
				'aria-valuemax': '100',
				'aria-valuenow': '0',
			},
			this.fill,
		);
		this.trouble = el('p', { class: 'trouble', role: 'status' });
		this.long = el('p', { class: 'long', hidden: true });
		this.title = el('h2', { id: 'wait-title', tabIndex: -1 }, t('waitTitle'));
		this.hint = el('p', { class: 'hint' }, t('waitKeep'));
		/* A place in the line is not lost by one key: it asks once. */
		const leave = button(
			t('leave'),
			() => {
				if (this.placed && !this.sure) {
					this.sure = true;
					this.word(true);
					announce(t('leaveAsk'), true);
					return;
				}
				leave.disabled = true;
				this.onleave();
			},
			{ class: 'plain' },
		);
		this.leave = leave;
		const named = { class: 'waiting', 'aria-labelledby': 'wait-title', closedby: 'none' };
		this.dialog = el(
			'dialog',
			named,
			el('div', { class: 'lamp', 'aria-hidden': 'true' }),
			this.title,
			this.number,
			this.bar,
			this.eta,
			this.crowd,
			this.trouble,
			this.long,
			this.hint,
			el('div', { class: 'actions' }, leave),
		);
		document.body.append(this.dialog);
		this.stayOpen();
		this.dialog.showModal();
		this.title.focus(); /* a second Enter must not fall on the button */
		this.number.textContent = t('resuming');
		this.beat = setInterval(() => this.draw(0), 1000); /* the bar lives between two looks */
	}

	/* Escape must not cost anybody their place.  A browser lets a page refuse once or twice and then
	 * closes the window all the same: it opens again. */
	stayOpen() {
		const refuse = (event) => {
			event.preventDefault();
			this.leave.focus();
		};
		this.dialog.addEventListener('cancel', refuse);
		this.dialog.addEventListener('keydown', (event) => event.key === 'Escape' && refuse(event));
		this.dialog.addEventListener('close', () => this.dialog.isConnected && this.dialog.showModal());
	}

	/* Until a ticket came there is no place in the line, so none is promised. */
	word(placed, lost) {
		this.placed = placed;
		this.dialog.classList.toggle('unsent', !placed);
		this.title.textContent = t(placed ? 'waitTitle' : lost ? 'unsentTitle' : 'trying');
		this.hint.textContent = placed
			? t(this.sure ? 'leaveAsk' : 'waitKeep')
			: lost
				? t('unsentKeep')
				: '';
		this.leave.textContent = t(!placed ? 'giveUp' : this.sure ? 'leaveYes' : 'leave');
	}

	show(view, tries) {
		const waited = Date.now() - this.begun;
		const ahead = Math.max(0, view.position - 1);
		this.open();
		this.word(true);
		this.first = Math.max(this.first, ahead + 1);
		this.longest = Math.max(this.longest, view.etaSeconds * 2000);
		this.view = view;
		const eta = etaText(view.etaSeconds, waited, this.longest);
		this.number.textContent = ahead ? t('ahead', ahead) : t('waitNext');
		this.crowd.textContent = t('waitingHere', view.waitingCount);
		this.eta.textContent = eta;
		this.trouble.textContent = '';
		this.draw(tries);
		if (Date.now() - this.saidAt > SAY_EVERY_MS) {
			this.saidAt = Date.now();
			announce(ahead ? t('said', ahead, eta) : t('waitNext'));
		}
	}

	draw(tries) {
		if (this.view)
			this.best = Math.max(this.best, progressOf(this.view, this.first, Date.now() - this.begun));
		this.fill.style.setProperty('--done', this.best);
		this.bar.setAttribute('aria-valuenow', String(Math.round(this.best * 100)));
		if (tries >= KIND_TRIES && this.long.hidden) {
			this.long.hidden = false;
			this.long.replaceChildren(
				t(this.placed ? 'waitLong' : 'tryLong'),
				...(this.phone
					? [
							' ',
							el('a', { href: `tel:${this.phone.replace(/[^0-9+]/g, '')}` }, t('call', this.phone)),
						]
					: []),
			);
		}
	}

	/* No answer, or "later": why, and when we ask again. */
	stumble(error, seconds, tries, placed) {
		this.open();
		this.word(placed, error.code === 'LOST');
		const why =
			error.code === 'LOST'
				? t('lost')
				: error.code === 'TIMEOUT'
					? t('timeout')
					: error.code === 'RATE_LIMITED'
						? t('busy')
						: error.message || t('busy');
		this.trouble.textContent = `${why} ${t('again', Math.max(1, Math.round(seconds)))}`;
		if (this.number.textContent === t('resuming')) this.number.textContent = '';
		this.draw(tries);
	}

	close() {
		clearInterval(this.beat);
		this.dialog?.close();
		this.dialog?.remove();
	}
}

/* One request of a job, until it has an answer that is not "later". */
async function settle(job, send, room, leaving, save) {
	for (;;) {
		let delay;
		try {
			const answer = job.ticket
				? await get(`/api/tickets/${job.ticket}`, { signal: leaving.signal })
				: await send(leaving.signal);
			job.waited = Boolean(job.ticket);
			job.ticket = null;
			return answer;
		} catch (error) {
			if (leaving.signal.aborted) throw leaving.signal.reason;
			if (error.code === 'WAITING') {
				job.ticket = error.body.ticket;
				room.show(error.body, ++job.tries);
				delay = pollDelay(error.body.position);
			} else if (job.ticket && (error.code === 'NO_SUCH_TICKET' || error.code === 'ABANDONED')) {
				job.ticket = null; /* the line was rebuilt, or we slept: the same request, the same key */
				delay = 0;
				job.tries++;
			} else if (error.passing) {
				delay =
					Math.max(error.retryAfter * 1000, Math.min(15000, 1000 * 1.6 ** Math.min(job.tries, 6))) +
					between(0, 700);
				room.stumble(error, delay / 1000, ++job.tries, Boolean(job.ticket));
			} else {
				job.ticket = null;
				throw error;
			}
			save?.(job);
		}
		await nap(delay, leaving.signal);
		if (leaving.signal.aborted) throw leaving.signal.reason;
	}
}

/* Runs work(room, leaving) with the window ready and the way out open. */
async function withRoom(job, phone, work) {
	const leaving = new AbortController();
	const room = new Room(phone, async () => {
		let end = new Left(Boolean(job.ticket));
		if (job.ticket) {
			try {
				const answer = await call('DELETE', `/api/tickets/${job.ticket}`);
				if (answer.reservationId) end = new Left(true, answer); /* too late: it had been written */
			} catch (error) {
				end = new Left(error.status === 410 || error.status === 409);
			}
		}
		leaving.abort(end);
	});
	try {
		return await work(room, leaving);
	} finally {
		room.close();
	}
}

export const pendingJob = () => {
	const job = recall('job');
	if (job && Date.now() - job.since < JOB_MAX_MS) return job;
	if (job) keep('job', null);
	return null;
};

const sameGuest = (a, b) =>
	a && b && a.name === b.name && a.phone === b.phone && (a.email ?? '') === (b.email ?? '');

/*
 * Sends the booking: with this device's login if it is the same guest's, else with who the guest is.  A newcomer
 * is written together with the booking, by one ticket: their place in the line is the booking's own.
 */
function send(job, signal) {
	const known = recall('guest');
	const login = known?.token && sameGuest(known, job.guest) ? { token: known.token } : null;
	return post('/api/reservations', login ? job.request : { ...job.request, guest: job.guest }, {
		who: login,
		key: job.key,
		signal,
	});
}

/* The answer to a ticket sets no cookie, so a guest who waited asks for theirs when the rush is over:
 * the cookie still knows them when Safari has emptied its storage. */
async function keepCookie(token) {
	await sleep(between(1000, 5000));
	await post('/api/cookie', undefined, { who: { token } }).catch(() => {});
}

/* The booking and the login it goes with; a newcomer's came with the answer. */
function welcome(job, reservation) {
	if (reservation.accessToken && job.waited) keepCookie(reservation.accessToken);
	if (reservation.accessToken)
		keep('guest', { ...job.guest, id: reservation.userId, token: reservation.accessToken });
	return { reservation, who: { token: reservation.accessToken ?? recall('guest')?.token } };
}

/*
 * Books, or carries on with a booking that a reload interrupted.  Returns { reservation, who }; throws
 * the ApiError that ended it, or Left.
 */
export function book(job, phone) {
	job.since ??= Date.now();
	job.tries ??= 0;
	keep('job', job);
	return withRoom(job, phone, async (room, leaving) => {
		if (job.ticket) room.open();
		let fresh = true;
		try {
			for (;;) {
				try {
					return welcome(
						job,
						await settle(
							job,
							(signal) => send(job, signal),
							room,
							leaving,
							(j) => keep('job', j),
						),
					);
				} catch (error) {
					if (error.code === 'UNAUTHORIZED' && fresh) {
						fresh = false; /* the login ended: introduce ourselves again */
						keep('guest', { ...job.guest });
						continue;
					}
					if (error instanceof Left && error.booked) return welcome(job, error.booked);
					throw error;
				}
			}
		} finally {
			keep('job', null);
		}
	});
}

/* Any other change that goes through the line: send() posts it; resolves to its answer. */
export function change(send, phone) {
	const job = { ticket: null, tries: 0 };
	return withRoom(job, phone, (room, leaving) => settle(job, send, room, leaving));
}
