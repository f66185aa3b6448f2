/*
 * opening.js - waits with a guest for the moment at which their day opens.
 *
 * The countdown is the restaurant's: serverNow() knows how far this device's clock is off.  A page
 * that is looked at asks once a minute whether the moment is still the same, and nothing in the
 * last ten seconds; at the moment it asks nothing, so that a thousand pages make no rush of their
 * own.  No page presses by itself.
 */
import { get, serverNow } from '../../api.js';
import { countdown } from '../../dates.js';
import { t } from '../../i18n.js';
import { announce, el } from '../../ui.js';
import { momentText } from '../choose/times.js';
import { mayAsk } from '../line/pace.js';

const SECOND = 1000;
const SAID_MINUTES = [30, 10, 5, 1];

/* The time that is left: "2 days 3:26:56". */
function leftText(leftMs) {
	const seconds = Math.max(0, Math.ceil(leftMs / 1000));
	const days = Math.floor(seconds / 86400);
	const rest = countdown(seconds % 86400);
	return days ? `${t('opensDays', days)} ${rest}` : rest;
}

/* What is said aloud when this much is left, or null. */
function saidAt(leftMs) {
	const seconds = Math.ceil(leftMs / 1000);
	if (seconds === 10) return t('opensSeconds');
	const minutes = seconds / 60;
	return SAID_MINUTES.includes(minutes) ? t('opensLeft', minutes) : null;
}

export class OpeningWatch {
	/* wish: { party, date, opensAt }; changed(): the button is to be drawn anew. */
	constructor(ctx, { party, date, opensAt }, changed) {
		Object.assign(this, { ctx, party, date, changed });
		this.asked = Date.now();
		this.clock = el('div', { class: 'clock', role: 'timer', 'aria-live': 'off' });
		this.when = el('p', { class: 'hint' });
		this.node = this.draw();
		this.look = () => this.tick();
		document.addEventListener('visibilitychange', this.look);
		this.correct(opensAt);
	}

	draw() {
		const { restaurantId } = this.ctx;
		const query = new URLSearchParams({ restaurantId, slotDate: this.date });
		return el(
			'section',
			{ class: 'card opening', 'aria-labelledby': 'opens-title' },
			el('h2', { id: 'opens-title' }, t('opensIn')),
			this.clock,
			this.when,
			el('p', { class: 'hint' }, t('opensKept'), ' ', t('opensOnce')),
			el(
				'a',
				{ class: 'button soft', href: `/api/reservations/opening.ics?${query}`, download: '' },
				t('opensCalendar'),
			),
		);
	}

	get leftMs() {
		return Date.parse(this.opensAt) - serverNow();
	}

	get label() {
		return t('opensButton', momentText(this.opensAt, this.ctx.house));
	}

	/* The moment, said anew: the owner moved it, or this device's clock was wrong. */
	correct(opensAt) {
		this.opensAt = opensAt;
		this.closed = this.leftMs > 0;
		this.when.textContent = t('opensAt', momentText(opensAt, this.ctx.house));
		this.node.hidden = !this.closed;
		this.tick();
	}

	stop() {
		clearTimeout(this.timer);
		document.removeEventListener('visibilitychange', this.look);
		this.stopped = true;
	}

	tick() {
		clearTimeout(this.timer);
		if (this.stopped || !this.closed) return;
		const left = this.leftMs;
		this.clock.textContent = leftText(left);
		if (left <= 0) {
			this.open();
			return;
		}
		const aloud = saidAt(left);
		if (aloud && aloud !== this.said) announce(aloud);
		this.said = aloud;
		if (document.visibilityState !== 'hidden' && mayAsk(left, Date.now() - this.asked)) this.ask();
		this.timer = setTimeout(() => this.tick(), left % SECOND || SECOND);
	}

	open() {
		this.closed = false;
		this.node.hidden = true;
		this.changed();
		announce(t('openNow'), true);
	}

	/* Is the moment still the same?  The answer also says what time it is. */
	async ask() {
		this.asked = Date.now();
		const { restaurantId } = this.ctx;
		const query = { restaurantId, slotDate: this.date, partySize: this.party };
		const answer = await get('/api/reservations/slots', { query }).catch(() => null);
		if (!answer || this.stopped || !this.closed) return;
		if (answer.opensAt) {
			this.correct(answer.opensAt);
			this.changed();
		} else if (!answer.tooFar) this.open();
	}
}
