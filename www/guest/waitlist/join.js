/*
 * join.js - asks who waits for a full time, and puts them on the waitlist.
 */
import { post } from '../../api.js';
import { ask } from '../../dialogs.js';
import { field, form } from '../../forms.js';
import { t } from '../../i18n.js';
import { button, el, freshKey, keep, recall, submit } from '../../ui.js';
import { contactOf } from '../details/order.js';
import { emailInput, nameInput, phoneInput } from '../inputs.js';
import { change, Left } from '../line/job.js';
import { keepWait } from '../mine.js';
import { slotText } from '../reservation/parts.js';

class JoinForm {
	constructor(ctx, { date, time, party }, close) {
		Object.assign(this, { ctx, date, time, party, close });
		this.slot = { slotDate: date, slotTime: time, partySize: party };
		this.known = recall('guest', {}) ?? {};
		this.key = freshKey();
		this.name = nameInput({ value: this.known.name ?? '' });
		this.phone = phoneInput(ctx.house, { value: this.known.phone ?? '' });
		this.email = emailInput({ value: this.known.email ?? '' });
		this.node = this.draw();
	}

	/* No mail is promised where none is sent. */
	draw() {
		const { mails } = this.ctx.house;
		return form({
			content: [
				el('h2', { id: 'join-title' }, t('waitTitleOf', this.time)),
				el('p', {}, slotText(this.slot)),
				el('p', { class: 'hint' }, t('waitAbout'), mails && ` ${t('waitMail')}`),
				field('w-name', t('name'), this.name),
				field('w-phone', t('phone'), this.phone),
				mails && field('w-email', t('email'), this.email, { optional: true }),
			].filter(Boolean),
			submit: t('waitJoin'),
			others: [button(t('close'), () => this.close(undefined), { class: 'plain' })],
			send: () => this.send(),
			explain: (error) => (error instanceof Left ? '' : this.ctx.sentence(error)),
		});
	}

	async send() {
		const { name, phone, email } = this;
		const guest = contactOf({ name: name.value, phone: phone.value, email: email.value });
		try {
			await this.join(guest);
		} catch (error) {
			if (error.code === 'PROVE_FIRST') await this.prove(error.body.accessToken, guest);
			throw error;
		}
	}

	async join(guest) {
		const { ctx, slot, key, known, date, time, party } = this;
		const body = { restaurantId: ctx.restaurantId, ...slot, guest };
		const who = { token: known.token };
		const w = await change(
			(signal) => post('/api/waitlist', body, { key, signal, who }),
			ctx.house?.phone,
		);
		if (w.accessToken) keep('guest', { ...guest, id: known.id, token: w.accessToken });
		keepWait({ id: w.waitlistId, date, time, party, token: w.accessToken ?? known.token });
		this.close(w.waitlistId);
	}

	/* Freed seats are kept from others for those who wait, so the house may want to know that they
	 * exist: a code, and once more. */
	async prove(token, guest) {
		const { codeForm } = await import('../prove.js');
		const { known, node } = this;
		known.token = token;
		keep('guest', { ...guest, id: known.id, token });
		const code = codeForm(this.ctx, {
			done() {
				code.node.remove();
				node.hidden = false;
				submit(node);
			},
		});
		node.hidden = true;
		node.after(code.node);
		await code.ask();
	}
}

/* Resolves to the number of the entry, or to undefined where the guest does not want it. */
export const joinWaitlist = (ctx, wish) =>
	ask('join-title', (close) => [new JoinForm(ctx, wish, close).node]);
