/*
 * countdown.js - the time that is left of a hold: its clock and its bar tick once a second, and are
 * said aloud.
 */
import { serverNow } from '../../api.js';
import { countdown } from '../../dates.js';
import { t } from '../../i18n.js';
import { announce } from '../../ui.js';
import { heldUntil, secondsLeft, shareLeft } from './states.js';

const WARN_S = 60;
const SAY_EVERY_S = 120;

/* screen: whose reservation, root and house are looked at anew at each tick; over(): the hold has
 * run out. */
export class Countdown {
	constructor(screen, over) {
		Object.assign(this, { screen, over, warned: false });
	}

	stop() {
		clearTimeout(this.timer);
	}

	tick() {
		this.stop();
		const until = heldUntil(this.screen.r);
		if (this.screen.stopped || !until) return;
		const left = secondsLeft(until, serverNow());
		this.draw(left);
		this.warn(left);
		if (left <= 0) this.over();
		else this.timer = setTimeout(() => this.tick(), 1000 - (serverNow() % 1000) + 20);
	}

	draw(left) {
		const { root, ctx } = this.screen;
		const clock = root.querySelector('.clock');
		if (!clock) return;
		const share = shareLeft(left, ctx.house?.policies.holdSeconds);
		clock.textContent = countdown(left);
		clock.parentElement.classList.toggle('soon', left <= WARN_S);
		clock.parentElement.querySelector('i')?.style.setProperty('--done', share);
	}

	warn(left) {
		if (left <= WARN_S && !this.warned) {
			this.warned = true;
			const warning = this.screen.root.querySelector('.warning');
			if (warning) warning.hidden = false;
			announce(t('minuteLeft'), true);
		} else if (left > WARN_S && left % SAY_EVERY_S === 0) announce(t('minutesLeft', left / 60));
	}
}
