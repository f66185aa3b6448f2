/*
 * window.js - the calm window of a wait.  It appears at the first word of it and goes with the
 * answer.
 */
import { t } from '../../i18n.js';
import { announce, button, el, telLink } from '../../ui.js';
import { etaOf, progressOf } from './pace.js';

const KIND_TRIES = 10; /* after as many fruitless tries we say that it takes long */
const SAY_EVERY_MS = 8000;
const BAR = {
	class: 'bar',
	role: 'progressbar',
	'aria-valuemin': '0',
	'aria-valuemax': '100',
	'aria-valuenow': '0',
};

/* Why no answer came. */
function reasonOf({ code, message }) {
	if (code === 'LOST') return t('lost');
	if (code === 'TIMEOUT') return t('timeout');
	return code === 'RATE_LIMITED' ? t('busy') : message || t('busy');
}

export class WaitingWindow {
	/* phone: the restaurant's, for those in a hurry; onleave(): the guest gives the place up. */
	constructor(phone, onleave) {
		this.begun = Date.now();
		this.best = 0;
		this.first = 0;
		this.longest = 0;
		this.saidAt = 0;
		this.phone = phone;
		this.onleave = onleave;
	}

	build() {
		this.number = el('p', { class: 'ahead' });
		this.crowd = el('p', { class: 'crowd' });
		this.eta = el('p', { class: 'eta' });
		this.fill = el('i');
		this.bar = el('div', { ...BAR, 'aria-label': t('progress') }, this.fill);
		this.trouble = el('p', { class: 'trouble', role: 'status' });
		this.long = el('p', { class: 'long', hidden: true });
		this.title = el('h2', { id: 'wait-title', tabIndex: -1 }, t('waitTitle'));
		this.hint = el('p', { class: 'hint' }, t('waitKeep'));
		this.leave = button(t('leave'), () => this.askToLeave(), { class: 'plain' });
		this.dialog = el(
			'dialog',
			{ class: 'waiting', 'aria-labelledby': 'wait-title', closedby: 'none' },
			el('div', { class: 'lamp', 'aria-hidden': 'true' }),
			this.title,
			this.number,
			this.bar,
			this.eta,
			this.crowd,
			this.trouble,
			this.long,
			this.hint,
			el('div', { class: 'actions' }, this.leave),
		);
	}

	open() {
		if (this.dialog) return;
		this.build();
		document.body.append(this.dialog);
		this.stayOpen();
		this.dialog.showModal();
		this.title.focus(); /* a second Enter must not fall on the button */
		this.number.textContent = t('resuming');
		this.beat = setInterval(() => this.draw(0), 1000); /* the bar lives between two looks */
	}

	/* A place in the line is not lost by one key: it asks once. */
	askToLeave() {
		if (this.placed && !this.sure) {
			this.sure = true;
			this.word(true);
			announce(t('leaveAsk'), true);
			return;
		}
		this.leave.disabled = true;
		this.onleave();
	}

	/* Escape must not cost guests their place.  A browser lets a page refuse once or twice and then
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
		if (placed) {
			this.title.textContent = t('waitTitle');
			this.hint.textContent = t(this.sure ? 'leaveAsk' : 'waitKeep');
			this.leave.textContent = t(this.sure ? 'leaveYes' : 'leave');
		} else {
			this.title.textContent = t(lost ? 'unsentTitle' : 'trying');
			this.hint.textContent = lost ? t('unsentKeep') : '';
			this.leave.textContent = t('giveUp');
		}
	}

	/* Where in the line the ticket is now. */
	show(view, tries) {
		const ahead = Math.max(0, view.position - 1);
		this.open();
		this.word(true);
		this.first = Math.max(this.first, ahead + 1);
		this.longest = Math.max(this.longest, view.etaSeconds * 2000);
		this.view = view;
		const { name, from, to } = etaOf(view.etaSeconds, Date.now() - this.begun, this.longest);
		const eta = t(name, from, to);
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
		const waited = Date.now() - this.begun;
		if (this.view) this.best = Math.max(this.best, progressOf(this.view, this.first, waited));
		this.fill.style.setProperty('--done', this.best);
		this.bar.setAttribute('aria-valuenow', String(Math.round(this.best * 100)));
		if (tries >= KIND_TRIES && this.long.hidden) this.sayLong();
	}

	sayLong() {
		const { phone } = this;
		const call = phone && el('a', { href: telLink(phone) }, t('call', phone));
		this.long.hidden = false;
		this.long.replaceChildren(
			t(this.placed ? 'waitLong' : 'tryLong'),
			...(call ? [' ', call] : []),
		);
	}

	/* No answer, or "later": why, and when we ask again. */
	stumble(error, seconds, tries, placed) {
		this.open();
		this.word(placed, error.code === 'LOST');
		this.trouble.textContent = `${reasonOf(error)} ${t('again', Math.max(1, Math.round(seconds)))}`;
		if (this.number.textContent === t('resuming')) this.number.textContent = '';
		this.draw(tries);
	}

	close() {
		clearInterval(this.beat);
		this.dialog?.close();
		this.dialog?.remove();
	}
}
