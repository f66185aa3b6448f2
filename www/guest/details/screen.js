/*
 * screen.js - the second screen: who comes, what is due, under which policy.
 */
import { get } from '../../api.js';
import { field, markWrong } from '../../forms.js';
import { longDay, money, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { depositEach, depositOf, policyOf, refundRules } from '../../terms.js';
import { announce, button, el, freshKey, keep, recall } from '../../ui.js';
import { lastDay, shutWord, whyVain } from '../bookable.js';
import { callButton, whyShut } from '../choose/info.js';
import { alternativesTo, drawOffers, offerAlternatives, waitButton } from '../choose/times.js';
import { emailInput, nameInput, phoneInput } from '../inputs.js';
import { drawPolicy, untilText } from '../policy.js';
import { makeDishes } from './dishes.js';
import { beginDraft, contactOf, faultsOf, isDue, requestOf, totalOf } from './order.js';

/* The fields of the API and ours. */
const OURS = { name: 'name', phone: 'phone', email: 'email', requestMessage: 'request' };

/* Why this time cannot be booked, as a sentence, or null. */
function vainSentence(house, date, time, clock) {
	const word = whyVain(house, date, time, clock);
	if (word === 'dayFar') return t(word, longDay(date), longDay(lastDay(house)));
	if (word && word === shutWord(house)) return whyShut(house);
	return word && t(word, longDay(date));
}

/* Such a time has no form, only the way to the others. */
function drawVain(root, ctx, { party, date, time }, why) {
	const { house, go } = ctx;
	const heading = el('h2', {}, `${longDay(date)} ${time}`);
	const otherDay = () => go({ party, ...(date > house.today ? { date } : {}) });
	const way = shutWord(house)
		? callButton(house)
		: button(t('otherDay'), otherDay, { class: 'primary' });
	root.replaceChildren(
		el(
			'section',
			{ class: 'card narrow vain' },
			heading,
			el('p', {}, why),
			el('div', { class: 'actions' }, way),
		),
	);
	return { title: t('choose'), heading };
}

class Details {
	constructor(root, ctx, slot) {
		const { house } = ctx;
		Object.assign(this, { ctx, ...slot });
		this.deposit = depositOf(house.policies, this.party);
		this.draft = beginDraft(recall('guest', {}), recall('draft', {}));
		this.amount = el('b', { class: 'amount' });
		this.bill = el('span', { class: 'unseen', role: 'status' });
		this.submit = el('button', { type: 'submit', class: 'primary' });
		this.notice = el('div', { class: 'notice', role: 'alert', hidden: true });
		this.terms = el('p', { class: 'hint short-terms' });
		this.sum = el('div', { class: 'sum' }, el('span', {}, t('due')), this.amount);
		this.dishes = makeDishes(house, this.draft, () => {
			this.save();
			this.drawTotal(true);
		});
		this.inputs = this.makeInputs();
		this.count = el('span', { class: 'count', id: 'request-count' });
		this.rules = el('div', {}, el('h3', { id: 'policy' }, t('refund')), this.drawPolicy());
		this.form = this.drawForm();
		root.replaceChildren(this.form);
		this.countLetters();
		this.drawTotal();
		this.checkSlot();
	}

	get total() {
		return totalOf(this.draft, this.ctx.house.menu, this.deposit);
	}

	save() {
		keep('draft', this.draft);
	}

	/* ---- drawing ---- */

	slotTerms() {
		const { ctx, party, date, time } = this;
		return [policyOf(ctx.house.policies, party), date, time, ctx.clock()];
	}

	drawPolicy() {
		return drawPolicy(...this.slotTerms());
	}

	makeInputs() {
		const begun = (name) => ({ name, value: this.draft[name] });
		const inputs = {
			name: nameInput(begun('name')),
			phone: phoneInput(begun('phone')),
			email: emailInput(begun('email')),
			request: el('input', {
				...begun('request'),
				maxLength: LENGTHS.request,
				placeholder: t('requestHint'),
				autocomplete: 'off',
			}),
		};
		for (const one of Object.values(inputs)) one.addEventListener('input', () => this.typed(one));
		return inputs;
	}

	typed(input) {
		this.draft[input.name] = input.value;
		this.save();
		markWrong(input, '');
		this.countLetters();
	}

	countLetters() {
		this.count.textContent = t('letters', [...this.draft.request].length);
	}

	field(name, beside) {
		const input = this.inputs[name];
		const optional = !input.required;
		return field(`f-${name}`, t(name), input, { wrong: true, optional, beside });
	}

	drawForm() {
		const { ctx, party, date, time } = this;
		const otherTime = button(t('otherTime'), () => ctx.go({ party, date }), { class: 'plain' });
		return el(
			'form',
			{ class: 'details', novalidate: '', onsubmit: (event) => this.press(event) },
			el(
				'section',
				{ class: 'card chosen', 'aria-label': t('yourTable') },
				el('div', {}, el('h2', {}, `${longDay(date)} ${time}`), el('p', {}, t('people', party))),
				otherTime,
			),
			this.notice,
			el('div', { class: 'columns' }, this.drawWho(), this.drawPay()),
			this.terms,
			el('div', { class: 'dock' }, this.sum, this.submit, this.bill),
		);
	}

	drawWho() {
		return el(
			'section',
			{ class: 'card', 'aria-labelledby': 'who-title' },
			el('h2', { id: 'who-title' }, t('details')),
			this.field('name'),
			this.field('phone'),
			this.field('email'),
			this.field('request', this.count),
			el('p', { class: 'hint' }, t('privacy')),
		);
	}

	/* Where nothing is due there is no word about money. */
	drawPay() {
		const { deposit, party } = this;
		const { menu, currency, policies } = this.ctx.house;
		if (deposit === 0 && !menu?.length) return null;
		const plain = deposit
			? [
					`${t('deposit')} ${money(deposit, currency)}`,
					t('depositAbout', money(depositEach(policies, party), currency)),
				]
			: [t('tableOnly'), t('noneAbout')];
		return el(
			'section',
			{ class: 'card', 'aria-labelledby': 'pay-title' },
			el(
				'fieldset',
				{},
				el('legend', { id: 'pay-title' }, t(deposit ? 'payHow' : 'orderHow')),
				el(
					'div',
					{ class: 'choices' },
					this.choice('deposit', ...plain),
					menu?.length > 0 && this.choice('preorder', t('preorder'), t('preorderAbout')),
				),
			),
			this.dishes.node,
			this.rules,
		);
	}

	choice(type, title, about) {
		const { draft } = this;
		const onchange = () => {
			draft.type = type;
			this.save();
			this.say('');
			this.dishes.say('');
			this.drawTotal(true);
		};
		return el(
			'label',
			{ class: 'choice' },
			el('input', {
				type: 'radio',
				name: 'type',
				value: type,
				checked: draft.type === type,
				onchange,
			}),
			el('span', { class: 'body' }, el('b', {}, title), el('span', {}, about)),
		);
	}

	drawTotal(aloud = false) {
		const due = isDue(this.draft, this.total);
		this.amount.textContent = money(this.total, this.ctx.house.currency);
		this.dishes.node.hidden = this.draft.type !== 'preorder';
		this.submit.textContent = t(due ? 'hold' : 'book');
		this.rules.hidden = !due;
		this.sum.hidden = !due;
		this.terms.replaceChildren(...(due ? this.drawTerms() : []));
		if (aloud) this.bill.textContent = `${t('total')} ${this.amount.textContent}`;
	}

	drawTerms() {
		const rule = refundRules(...this.slotTerms()).find((row) => row.now);
		const onclick = (event) => {
			event.preventDefault();
			this.form.querySelector('#policy').scrollIntoView({ block: 'center' });
		};
		return [
			el('a', { href: '#policy', onclick }, t('refundShort', untilText(rule), rule.pct)),
			' · ',
			t('holdNote', this.ctx.house.policies.holdSeconds),
		];
	}

	say(sentence, more = null) {
		this.notice.hidden = !sentence;
		this.notice.replaceChildren(el('p', {}, sentence), ...(more ? [more] : []));
		if (sentence) this.notice.scrollIntoView({ block: 'nearest' });
	}

	/* ---- sending ---- */

	check() {
		const faults = faultsOf(this.draft);
		for (const [name, word] of faults) markWrong(this.inputs[name], t(word));
		if (faults.length) {
			this.inputs[faults[0][0]].focus();
			return false;
		}
		const nothing = this.draft.type === 'preorder' && this.total === 0;
		if (nothing) this.dishes.askForOne();
		return !nothing;
	}

	async press(event) {
		event.preventDefault();
		if (this.submit.disabled || !this.check()) return;
		const { ctx, party, date, time, draft } = this;
		const slot = {
			restaurantId: ctx.restaurantId,
			slotDate: date,
			slotTime: time,
			partySize: party,
		};
		this.say('');
		this.submit.disabled = true;
		this.submit.textContent = t('sending');
		announce(t('sending'));
		await ctx.book({
			key: freshKey(),
			guest: contactOf(draft),
			request: requestOf(draft, slot, this.total),
		});
		this.submit.disabled = false;
		this.drawTotal();
	}

	/* A shared link may name a time that is gone: say so before the form is filled in, and what is
	 * near. */
	async checkSlot() {
		const { ctx, party, date, time } = this;
		const query = { restaurantId: ctx.restaurantId, slotDate: date, partySize: party };
		const answer = await get('/api/reservations/slots', { query }).catch(() => null);
		const slot = answer?.slots.find((s) => s.slotTime === time);
		if (!answer || slot?.available || !this.form.isConnected) return;
		const offers = alternativesTo(time, answer.slots, date);
		this.submit.hidden = !slot; /* a time that is not offered at all */
		this.say(this.whyGone(answer, slot, offers), this.drawWays(slot, offers));
	}

	whyGone(answer, slot, offers) {
		if (answer.closed) return t('dayShut', longDay(this.date));
		if (!slot || slot.remaining >= this.party) return t('unfit');
		return offers.length ? t('fullText', this.time, this.party) : t('fullNone', this.time);
	}

	/* The ways on from a time that is gone: other times, its waitlist, other days. */
	drawWays(slot, offers) {
		const { ctx, party, date, time } = this;
		const waitable = slot && ctx.house.policies.waitlist;
		return el(
			'div',
			{},
			drawOffers(offers, (wish) => ctx.go({ party, ...wish }, { replace: true })),
			waitable && waitButton(time, () => ctx.wait({ party, date, time })),
			this.otherDay(),
		);
	}

	otherDay() {
		const { ctx, party, date } = this;
		return button(t('otherDay'), () => ctx.go({ party, date }), { class: 'soft' });
	}

	/* ---- what the booking ended in, when it is not a reservation ---- */

	async refused(error) {
		const { ctx } = this;
		const at = OURS[error.body?.field];
		if (error.code === 'SLOT_FULL') await this.offer(error.body);
		else if (at) {
			markWrong(this.inputs[at], error.message);
			this.inputs[at].focus();
		} else if (error.code === 'AMOUNT_CHANGED') {
			await ctx.reload();
			ctx.notice(t('amountChanged'));
		} else {
			const slotIsWrong = error.body?.field?.startsWith('slot');
			this.say(ctx.sentence(error), slotIsWrong ? this.otherDay() : null);
		}
	}

	async offer({ alternatives = [], waitlist }) {
		const { ctx, party, date, time } = this;
		const wish = await offerAlternatives({ time, party, alternatives, waitlist });
		if (wish === 'wait') await ctx.wait({ party, date, time });
		else if (wish === 'days') ctx.go({ party, date });
		else if (wish) ctx.go({ party, ...wish }, { replace: true });
	}
}

/* ctx: { house, restaurantId, params, clock, go, book, wait, reload, notice, sentence }. */
export function details(root, ctx) {
	const { params } = ctx;
	const slot = {
		party: Number(params.get('party')),
		date: params.get('date'),
		time: params.get('time'),
	};
	const vain = vainSentence(ctx.house, slot.date, slot.time, ctx.clock());
	if (vain) return drawVain(root, ctx, slot, vain);
	const screen = new Details(root, ctx, slot);
	return {
		refused: (error) => screen.refused(error),
		say: (sentence) => screen.say(sentence),
		title: t('details'),
		heading: screen.form.querySelector('h2'),
	};
}
