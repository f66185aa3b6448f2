/*
 * screen.js - a place on the waitlist: one's rank, and the way out; when seats come free it leads
 * to them.
 */
import { call, get } from '../../api.js';
import { confirmDialog } from '../../forms.js';
import { t } from '../../i18n.js';
import { announce, between, button, el, focusOn, recall } from '../../ui.js';
import { change, Left } from '../line/job.js';
import { forgetWait, keepReservation, waits } from '../mine.js';
import { drawSlot } from '../reservation/parts.js';

/* What has become of it, as the name of a text. */
function headingOf(w) {
	if (w.status === 'WAITING') return 'waitOn';
	return w.removed ? 'w.REMOVED' : `w.${w.status}`;
}

class WaitScreen {
	constructor(root, ctx, id) {
		const kept = waits().find((w) => w.id === id);
		Object.assign(this, { ctx, id });
		this.who = { token: kept?.token ?? recall('guest')?.token };
		this.stopped = false;
		this.shown = '';
		this.heading = el('h2', {}, t('waitOn'));
		this.rank = el('p', { class: 'rank', role: 'status' });
		this.about = el('p', { class: 'hint' });
		this.actions = el('div', { class: 'actions' });
		this.face = el('div', { class: 'slip' });
		root.replaceChildren(
			el(
				'article',
				{ class: 'card narrow waits' },
				this.heading,
				this.face,
				this.rank,
				this.about,
				this.actions,
			),
		);
		this.look();
	}

	stop() {
		this.stopped = true;
		clearTimeout(this.timer);
	}

	draw(w) {
		const now = `${w.status} ${w.rank}`;
		if (this.shown === now) return;
		this.shown = now;
		const waiting = w.status === 'WAITING';
		const home = () => this.ctx.go({ party: w.partySize, date: w.slotDate });
		this.heading.textContent = t(headingOf(w));
		this.face.replaceChildren(drawSlot(w));
		this.rank.replaceChildren(
			...(waiting ? [el('b', {}, String(w.rank)), ' ', t('waitRank')] : []),
		);
		this.about.textContent = waiting ? t('waitFollow') : '';
		this.actions.replaceChildren(
			waiting
				? button(t('waitLeave'), () => this.leave(), { class: 'plain danger' })
				: button(t('home'), home, { class: 'primary' }),
		);
	}

	/* The entry is not there any more, or not for us. */
	drawTrouble(error) {
		const { ctx } = this;
		forgetWait(this.id);
		this.rank.textContent = ctx.sentence(error);
		this.actions.replaceChildren(button(t('home'), () => ctx.go({}), { class: 'primary' }));
	}

	/* Seats have come free: from here on it is a reservation like every other. */
	async follow({ manageToken, reservationId }) {
		const who = { manage: manageToken };
		keepReservation(await get(`/api/reservations/${reservationId}`, { who }), who);
		forgetWait(this.id);
		announce(t('w.OFFERED'), true);
		this.ctx.go({ reservation: reservationId }, { replace: true });
	}

	/* Asks once; true where there is nothing to ask for any more. */
	async lookOnce() {
		const w = await get(`/api/waitlist/${this.id}`, { who: this.who });
		if (this.stopped) return true;
		if (['OFFERED', 'BOOKED'].includes(w.status) && w.manageToken) {
			await this.follow(w);
			return true;
		}
		if (w.status !== 'WAITING') forgetWait(this.id);
		this.draw(w);
		return false;
	}

	async look() {
		if (this.stopped) return;
		try {
			if (await this.lookOnce()) return;
		} catch (error) {
			if (!this.stopped && !error.passing) {
				this.drawTrouble(error);
				return;
			}
		}
		this.timer = setTimeout(() => this.look(), between(3000, 5000));
	}

	async leave() {
		const { ctx, id, who } = this;
		const options = { careful: true };
		if (!(await confirmDialog(t('waitLeaveAsk'), null, t('waitLeave'), options))) return;
		const send = (signal) => call('DELETE', `/api/waitlist/${id}`, { who, signal });
		try {
			await change(send, ctx.house?.phone);
		} catch (error) {
			if (!(error instanceof Left)) announce(ctx.sentence(error), true);
		}
		clearTimeout(this.timer);
		await this.look();
		focusOn(this.heading);
	}
}

export function waitView(root, ctx, id) {
	const screen = new WaitScreen(root, ctx, id);
	return { stop: () => screen.stop(), title: t('waitOn'), heading: screen.heading };
}
