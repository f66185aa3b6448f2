/*
 * screen.js - one payment: begins it, leaves for the provider, and follows what comes of it.
 */
import { call, get } from '../api.js';
import { change, Left } from '../guest/line/job.js';
import { mine, whoFor } from '../guest/mine.js';
import { Countdown } from '../guest/reservation/countdown.js';
import { lang } from '../i18n.js';
import { announce, focusOn, nap } from '../ui.js';
import { drawScreen, nameOf } from './draw.js';
import { depart, prepare } from './providers.js';
import { p } from './say.js';
import { backAddress, isClosed, isLong, isMoving, lookAfter, returned, screenOf } from './state.js';
import { tellTrial } from './trial.js';

const AFTER_HOLD_MS = 800; /* the box says how a hold ended, not we */
const AWAY = 'PAYMENTS_AWAY';
const SESSION_LOOKS = 30; /* so long a provider that makes the window first may take */

export class PayScreen {
	constructor(root, ctx) {
		const came = returned(ctx.query);
		const [first, ...rest] = location.hash.slice(1).split('.');
		Object.assign(this, { root, ctx, came: came?.back ?? null, key: came?.paymentId ?? null });
		this.reservationId = Number(ctx.query.get('reservation')) || 0;
		this.trial = ctx.query.get('try') === '1';
		this.going = first === 'go';
		this.manage = (this.going ? rest : [first, ...rest]).join('.') || null;
		this.intent = null; /* what a provider is asked for, once it is begun */
		this.payment = null; /* how it stands */
		this.note = null; /* what just went wrong */
		this.busy = false; /* on the way to the provider */
		this.looks = 0;
		this.drawn = null;
		this.countdown = new Countdown(this, () => setTimeout(() => this.look(), AFTER_HOLD_MS));
	}

	/* For the countdown: whose hold it is. */
	get r() {
		const until = this.payment?.reservation?.holdExpiresAt ?? this.intent?.holdExpiresAt;
		const held = screenOf(this.payment ?? { state: 'READY' });
		return ['ready', 'declined'].includes(held)
			? { status: 'TEMPORARY', holdExpiresAt: until }
			: { status: '' };
	}

	/* Who asks: the holder of a manage token, or this device's guest; null on a strange device. */
	get who() {
		const id = this.reservationId || this.payment?.reservation?.reservationId;
		const known = mine().find((m) => m.id === id);
		if (this.manage) return { manage: this.manage };
		return known ? whoFor(known) : null;
	}

	/* Where the reservation is looked at, or null where this device has no key to it. */
	get home() {
		const id = this.reservationId || this.payment?.reservation?.reservationId;
		if (this.trial || this.payment?.purpose === 'TRY') return '/desk/#house/payments';
		if (mine().some((m) => m.id === id))
			return `/?reservation=${id}&restaurant=${this.ctx.restaurantId}`;
		return this.manage ? `/r#${this.manage}` : null;
	}

	start() {
		this.draw();
		if (this.key) this.comeBack();
		else if (this.reservationId || this.trial) this.begin();
	}

	/* ---- going ---- */

	/* The address without what was meant once: a reload asks again how it stands. */
	settle(paymentId) {
		const restaurant = String(this.ctx.restaurantId);
		const next = this.key
			? { restaurant, payment: paymentId }
			: { restaurant, ...(this.trial ? { try: '1' } : { reservation: this.reservationId }) };
		const hash = this.manage ? `#${this.manage}` : '';
		history.replaceState(null, '', `/pay?${new URLSearchParams(next)}${hash}`);
	}

	/* What writes goes through the line, and may have to wait there; not for a cashier who is away,
	 * who may come back in an hour. */
	send(path, options) {
		const { phone } = this.ctx.house ?? {};
		const ask = (signal) =>
			call('POST', path, { ...options, signal }).catch((error) => {
				throw error.code === AWAY ? Object.assign(new Error(''), { code: AWAY }) : error;
			});
		return change(ask, phone);
	}

	beginCall() {
		const { who, ctx } = this;
		const body = { lang: lang() };
		if (this.trial) {
			const query = { restaurantId: ctx.restaurantId };
			return this.send('/api/desk/payments/try', { body, query });
		}
		const id = this.reservationId || this.payment.reservation.reservationId;
		return this.send(`/api/reservations/${id}/payments`, { body, who: who ?? undefined });
	}

	async begin() {
		const { going } = this;
		this.tell('going');
		this.going = false;
		this.busy = true;
		this.note = null;
		this.settle();
		this.draw();
		try {
			this.intent = await this.beginCall();
			await this.waitForWindow();
			this.payment = null;
			if (going && this.intent.purpose !== 'CARD') return await this.leave();
			prepare(this.intent).catch(() => {}); /* leave() says so if it does not come */
		} catch (error) {
			this.fail(error);
		}
		this.busy = false;
		return this.draw();
	}

	/* A provider that makes the window before the guest can go there. */
	async waitForWindow() {
		const { intent } = this;
		for (let i = 0; i < SESSION_LOOKS && intent.provider === 'stripe'; i++) {
			if (intent.page?.sessionUrl) return;
			await nap(lookAfter(i));
			Object.assign(intent, await get(`/api/payments/${intent.paymentId}`));
		}
		if (intent.provider === 'stripe' && !intent.page?.sessionUrl)
			throw Object.assign(new Error(''), { code: AWAY });
	}

	fail(error) {
		if (error.code === 'PAYMENT_NOT_DUE' && this.home) {
			location.replace(this.home);
			return;
		}
		const away = error.code === AWAY;
		const text = error instanceof Left ? p('notOpened') : this.ctx.sentence(error);
		this.note = { title: away ? 'away' : null, text: away ? null : text };
		this.tell(away ? 'away' : 'stopped');
		announce(away ? p('awayText') : text, true);
	}

	/* The owner's card beside this window says it too. */
	tell(word) {
		if (this.trial) tellTrial(this.ctx.restaurantId, word);
	}

	/* To the window; where it does not open, the page is there still. */
	async leave() {
		const { intent, ctx } = this;
		this.busy = true;
		this.note = null;
		this.tell('going');
		this.draw();
		try {
			const address = backAddress(location.origin, ctx.restaurantId, intent.paymentId);
			const said = await depart(intent, { address, lang: lang() });
			if (!said) return; /* the browser is on its way */
			this.key = intent.paymentId;
			this.came = said;
			this.comeBack();
		} catch {
			this.busy = false;
			this.note = { text: p('notOpened') };
			this.tell('notOpened');
			announce(this.note.text, true);
			this.draw();
		}
	}

	/* ---- coming back ---- */

	/* What the provider said goes to the box; until it has arrived it stays in the address, so that
	 * a reload says it again. */
	async comeBack() {
		const { key, came } = this;
		this.busy = false;
		for (let tries = 0; came; tries++) {
			try {
				this.payment = await this.send(`/api/payments/${key}/back`, { body: came });
				break;
			} catch (error) {
				if (!error.passing) break; /* the box knows it already, or never did: it will say */
				this.note = { text: this.ctx.sentence(error) };
				this.draw();
				await nap(lookAfter(tries));
			}
		}
		this.note = null;
		this.closed = isClosed(came);
		this.settle(key);
		this.look();
	}

	async look() {
		clearTimeout(this.timer);
		const key = this.key ?? this.intent?.paymentId;
		if (!key || this.busy) return;
		try {
			this.payment = await get(`/api/payments/${key}`);
			this.note = null;
		} catch (error) {
			const gone = error.code === 'PAYMENT_UNKNOWN';
			this.note = { title: gone ? 'nowhere' : null, text: gone ? null : this.ctx.sentence(error) };
			if (gone) this.key = null;
			this.draw();
			if (gone) return;
		}
		this.looks++;
		this.draw();
		this.follow();
	}

	follow() {
		const { payment, home } = this;
		const done = payment && screenOf(payment) === 'paid' && payment.purpose !== 'TRY';
		if (done && home) location.replace(home);
		else if (!payment || this.note || isMoving(payment))
			this.timer = setTimeout(() => this.look(), lookAfter(this.looks));
	}

	/* Another card, in the same hold. */
	again() {
		this.reservationId ||= this.payment?.reservation?.reservationId ?? 0;
		this.trial ||= this.payment?.purpose === 'TRY';
		this.going = true;
		this.key = null;
		this.looks = 0;
		this.begin();
	}

	/* ---- drawing ---- */

	get long() {
		return isLong(this.looks);
	}

	draw() {
		const name = nameOf(this);
		const { payment, intent, note, long, ctx } = this;
		const stands = payment && { ...payment, serverTime: '' };
		const shown = JSON.stringify([name, lang(), stands, intent, note, long, ctx.house]);
		if (shown === this.shown) return; /* what is the same keeps the focus */
		const heading = drawScreen(this, name);
		if (this.drawn && this.drawn !== name) {
			focusOn(heading);
			announce(heading.textContent);
		}
		Object.assign(this, { shown, drawn: name });
		this.countdown.tick();
	}
}
