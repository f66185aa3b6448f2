/*
 * screen.js - one reservation: shows its state and follows it.
 */
import { call, get, serverNow } from '../../api.js';
import { own, t } from '../../i18n.js';
import { announce, between, button, el, focusOn } from '../../ui.js';
import { change, Left } from '../line/job.js';
import { keepReservation } from '../mine.js';
import { drawBody, REFILLED } from './bodies.js';
import { askToCancel } from './cancel.js';
import { askToChange } from './change.js';
import { Countdown } from './countdown.js';
import { drawnAs, isComingBack, isMoving, titleOf } from './states.js';

const AFTER_HOLD_MS = 600; /* the book says how a hold ended, not we */
const REFUND_LOOKS = 20; /* this often a refund is asked after */
const NOT_OURS = ['NO_SUCH_RESERVATION', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'];

class ReservationScreen {
	constructor(root, { id, who, ctx, first, note }) {
		Object.assign(this, { root, id, who, ctx, r: first, note });
		this.drawn = null; /* the state that is on the screen */
		this.stopped = false;
		this.refundLooks = 0;
		this.sign = el('p', {
			class: 'sign',
			role: 'status',
			hidden: true,
		}); /* what is shown may be old */
		this.wake = () => this.look();
		this.countdown = new Countdown(this, () => this.lookIn(AFTER_HOLD_MS));
	}

	start() {
		document.addEventListener('visibilitychange', this.wake);
		for (const name of ['online', 'offline']) addEventListener(name, this.wake);
		if (this.r) {
			keepReservation(this.r, this.who);
			this.draw();
		} else
			this.root.replaceChildren(
				el('section', { class: 'card narrow' }, el('h2', {}, t('loading'))),
			);
		this.look();
	}

	stop() {
		this.stopped = true;
		this.countdown.stop();
		clearTimeout(this.poll);
		document.removeEventListener('visibilitychange', this.wake);
		for (const name of ['online', 'offline']) removeEventListener(name, this.wake);
	}

	/* ---- asking ---- */

	get path() {
		return `/api/reservations/${this.id}`;
	}

	async refresh() {
		const { who, ctx } = this;
		const answer = await get(this.id ? this.path : '/api/reservations/managed', { who });
		if (this.stopped) return;
		this.r = { ...this.r, ...answer };
		this.id = this.r.reservationId;
		await ctx.visit(this.r.restaurantId);
		keepReservation(this.r, who);
		ctx.showBadge();
	}

	/* Held: often, because the desk may confirm any second.  Anything else: when the page is looked
	 * at. */
	plan(failed) {
		clearTimeout(this.poll);
		const moving = isMoving(this.r) || (isComingBack(this.r) && this.refundLooks++ < REFUND_LOOKS);
		if (!this.stopped && (moving || failed)) this.lookIn(between(2500, 3500));
	}

	lookIn(ms) {
		clearTimeout(this.poll);
		this.poll = setTimeout(this.wake, ms);
	}

	async look() {
		if (this.stopped || document.visibilityState === 'hidden') return this.plan(false);
		try {
			await this.refresh();
			if (this.stopped) return undefined;
			this.sign.hidden = true;
			this.draw();
			return this.plan(false);
		} catch (error) {
			if (this.stopped) return undefined;
			if (!this.r || !error.passing) this.drawTrouble(error);
			else this.showSign(t(error.code === 'LOST' ? 'noNetwork' : 'offline'));
			return this.plan(error.passing);
		}
	}

	/* The next drawing is a new one, even of the same state. */
	redraw() {
		this.drawn = this.drawn && '';
	}

	lookAgain() {
		this.redraw();
		return this.look();
	}

	/* ---- drawing ---- */

	/* Said once, not at every look. */
	showSign(sentence) {
		if (this.sign.hidden || this.sign.textContent !== sentence) this.sign.textContent = sentence;
		this.sign.hidden = false;
	}

	drawTrouble(error) {
		const { ctx } = this;
		const lost = NOT_OURS.includes(error.code);
		const way = lost
			? button(t('home'), () => ctx.go({}), { class: 'primary' })
			: button(t('retry'), this.wake, { class: 'soft' });
		this.root.replaceChildren(
			el(
				'section',
				{ class: 'card narrow my-list' },
				el('h2', {}, lost ? t('mine') : t('loading')),
				el('p', {}, lost ? t('noManage') : ctx.sentence(error)),
				el('div', { class: 'actions' }, way),
			),
		);
		this.drawn = null;
	}

	/* The same state, but more is known of it: only what says something new is replaced, so nothing
	 * jumps. */
	refill() {
		for (const [part, make] of Object.entries(REFILLED)) {
			const old = this.root.querySelector(part);
			const now = old && make(this);
			if (old && !old.isEqualNode(now)) old.replaceWith(now);
		}
	}

	draw() {
		const { r, ctx, note } = this;
		const state = drawnAs(r, serverNow());
		if (state === this.drawn) {
			this.refill();
			return;
		}
		const changed = this.drawn !== null;
		this.drawn = state;
		const title = el('h2', { class: 'state' }, t(titleOf(r)));
		this.root.replaceChildren(
			el(
				'article',
				{ class: `card narrow reservation ${r.status.toLowerCase()}` },
				this.sign,
				note && el('p', { class: 'notice' }, note),
				el('div', { class: 'seal', 'aria-hidden': 'true' }),
				title,
				...drawBody(this),
			),
		);
		const house = ctx.house ? own(ctx.house.name, ctx.house.nameEn) : t('brand');
		document.title = `${t(`s.${r.status}`)} · ${house}`;
		if (changed) this.tell(title);
		this.countdown.tick();
	}

	/* Another state than before: the guest's eyes and ears are led to it. */
	tell(title) {
		this.note = null;
		focusOn(title);
		scrollTo({ top: 0 });
		announce(t(`s.${this.r.status}`), true);
	}

	/* ---- what the guest does ---- */

	/* Sends something through the line.  Resolves to { answer }, { error }, or {} where the guest
	 * left it. */
	async write(method, what, body) {
		const { who, ctx } = this;
		const send = (signal) => call(method, `${this.path}/${what}`, { body, who, signal });
		try {
			return { answer: await change(send, ctx.house?.phone) };
		} catch (error) {
			return error instanceof Left ? {} : { error };
		}
	}

	/* The same, and then the state that it led to; a failure is shown with it. */
	async writeAndLook(...what) {
		const { error } = await this.write(...what);
		if (error) this.note = this.ctx.sentence(error);
		await this.lookAgain();
	}

	take() {
		return this.writeAndLook('POST', 'take', {});
	}

	withdraw() {
		return this.writeAndLook('DELETE', 'change');
	}

	async come() {
		const { answer, error } = await this.write('POST', 'coming', {});
		if (error) this.note = this.ctx.sentence(error);
		this.r = { ...this.r, ...answer };
		this.redraw();
		this.draw();
	}

	/* On the day: 'late' with minutes, or 'here'. */
	async sayToday(what, body) {
		const { answer, error } = await this.write('POST', what, body);
		if (error) this.note = this.ctx.sentence(error);
		this.r = { ...this.r, ...answer };
		this.redraw();
		this.draw();
	}

	/* why: it is asked once more. */
	async cancel(why = '') {
		await this.refresh().catch(() => {}); /* the answer to the cancelling says what goes wrong */
		this.draw();
		const told = this.r.refundIfCancelledNow; /* what they read; it may be less when they press */
		const reason = await askToCancel(this.r, why);
		if (reason === undefined) return undefined;
		announce(t('canceling'));
		const { answer, error } = await this.write('POST', 'cancel', {
			...(reason && { reason }),
			...(told && { refund: told }),
		});
		if (!answer && !error) return undefined;
		/* The time for what they were told is over: they are asked again, with what goes back now. */
		if (error?.code === 'AMOUNT_CHANGED') return this.cancel(this.ctx.sentence(error));
		/* One that is cancelled already is no failure. */
		if (error && error.code !== 'BAD_MOVE') this.sayFailure(error);
		return this.lookAgain();
	}

	sayFailure(error) {
		this.note = this.ctx.sentence(error);
		announce(this.note, true);
	}

	/* Another time or another size, in one step: what is held now is given back only if the new one
	 * is there. */
	async alter() {
		const wish = await askToChange(this.r, this.ctx.house);
		if (!wish) return;
		announce(t('changing'));
		const { answer, error } = await this.write('POST', 'change', wish);
		if (!answer && !error) return;
		if (error) this.sayFailure(error);
		else this.note = t(answer.pendingChange ? 'changeAsked' : 'changed');
		await this.lookAgain();
	}
}

/*
 * Draws the reservation and follows it.  id: its number, or none where `who` is the holder of its
 * manage link; first: what is known of it already; note: a sentence to show with it; ctx: { house,
 * go, again(reservation), rebook(reservation), visit, showBadge, clock, sentence }.
 */
export function reservation(root, { id, who, ctx, first = null, note = null }) {
	const screen = new ReservationScreen(root, { id, who, ctx, first, note });
	screen.start();
	return { title: t('mine'), stop: () => screen.stop() };
}
