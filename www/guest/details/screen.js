/*
 * screen.js - the second screen: who comes, what is due, under which policy.
 */
import { get } from '../../api.js';
import { clockTime } from '../../dates.js';
import { field, markWrong } from '../../forms.js';
import { longDay, money, slotWhen, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { tagPicker } from '../../tags.js';
import { depositOf, policyOf, refundRules } from '../../terms.js';
import { announce, button, el, freshKey, keep, recall } from '../../ui.js';
import { fitsParty, inTime, shutWord, tableUntil, whyVain } from '../bookable.js';
import { offerAlternatives } from '../choose/full.js';
import { callButton, whyShut } from '../choose/info.js';
import { alternativesTo, drawOffers, farText, waitButton } from '../choose/times.js';
import { callingCode, emailInput, nameInput, phoneInput } from '../inputs.js';
import { drawPolicy, untilText } from '../policy.js';
import { makeDishes } from './dishes.js';
import { OpeningWatch } from './opening.js';
import {
	askedOf,
	beginDraft,
	contactOf,
	dishesOf,
	faultsOf,
	guaranteeOf,
	isDue,
	onOffer,
	requestOf,
	totalOf,
} from './order.js';

/* The fields of the API and ours. */
const OURS = { name: 'name', phone: 'phone', email: 'email', requestMessage: 'request' };

/* Why this time cannot be booked, as a sentence, or null. */
function vainSentence(house, date, time, clock) {
	const word = whyVain(house, date, time, clock);
	if (word === 'dayFar') return farText(house, date);
	if (word && word === shutWord(house)) return whyShut(house);
	return word && t(word, longDay(date));
}

/* Such a time has no form, only the way to the others. */
function drawVain(root, ctx, { party, date, time }, why) {
	const { house, go } = ctx;
	const heading = el('h2', {}, slotWhen(date, time));
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
		this.until = el('p', { class: 'hint' });
		this.draft = beginDraft(recall('guest', {}), recall('draft', {}));
		if (!onOffer(house.menu).length) this.draft.type = 'deposit'; /* nothing to order ahead */
		this.guarantee = guaranteeOf(house, this.party);
		this.deposit = askedOf(this.draft, this.slot) ?? this.depositOf(house.policies);
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
		this.tags = tagPicker(this.draft.tags, (tags) => {
			this.draft.tags = tags;
			this.save();
		});
		this.rules = el('div', {}, el('h3', { id: 'policy' }, t('refund')), this.drawPolicy());
		this.cardAsked = this.drawCardAsked();
		this.least = el('p', { class: 'hint' });
		this.columns = el('div', { class: 'columns' }, this.drawWho(), this.drawPay());
		this.form = this.drawForm();
		root.replaceChildren(this.form);
		this.drawTotal();
		this.checkSlot();
	}

	get slot() {
		const { ctx, party, date, time } = this;
		return {
			restaurantId: ctx.restaurantId,
			slotDate: date,
			slotTime: time,
			partySize: party,
		};
	}

	/* A card that is left takes its place. */
	depositOf(policies) {
		return this.guarantee ? 0 : depositOf(policies, this.party);
	}

	get total() {
		return totalOf(this.draft, this.ctx.house.menu, this.deposit, this.guarantee);
	}

	/* What is paid ahead at the least where a deposit, or a card, is asked for. */
	get atLeast() {
		return money(Math.max(this.deposit, this.guarantee), this.ctx.house);
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
			phone: phoneInput(this.ctx.house, begun('phone')),
			email: emailInput(begun('email')),
			request: el('textarea', {
				...begun('request'),
				'data-limit': LENGTHS.request,
				rows: 2,
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
				el(
					'div',
					{},
					el('h2', {}, slotWhen(date, time)),
					el('p', {}, t('people', party)),
					this.until,
				),
				otherTime,
			),
			this.notice,
			this.columns,
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
			this.field('phone', callingCode(this.ctx.house)),
			this.field('email'),
			this.tags.node,
			this.field('request'),
			el('p', { class: 'hint' }, t('privacy')),
		);
	}

	/* Where nothing is due there is no word about money. */
	drawPay() {
		const { deposit, guarantee, party } = this;
		const { house } = this.ctx;
		const { menu } = house;
		const orders = onOffer(menu).length > 0;
		if (deposit === 0 && !orders && !guarantee) return null;
		const plain = deposit
			? [
					`${t('deposit')} ${money(deposit, house)}`,
					t('depositAbout', money(deposit / party, house)),
				]
			: [t('tableOnly'), guarantee ? '' : t('noneAbout')];
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
					orders && this.choice('preorder', t('preorder'), t('preorderAbout')),
				),
			),
			this.cardAsked,
			this.dishes.node,
			this.least,
			this.rules,
		);
	}

	/* What leaving a card means, before anything is held; its words come with their script. */
	drawCardAsked() {
		const place = el('div', { class: 'payment' });
		const most = money(this.guarantee, this.ctx.house);
		if (this.guarantee) import('../../pay/held.js').then((held) => held.fillAsked(place, most));
		return place;
	}

	/* The box knows better than the policies of the house: of this service, and of this guest. */
	setDeposit(amount) {
		if (amount === this.deposit) return;
		this.deposit = amount;
		const [, before] = this.columns.children;
		before?.remove();
		const pay = this.drawPay();
		if (pay) this.columns.append(pay);
		this.drawTotal();
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
		this.amount.textContent = money(this.total, this.ctx.house);
		this.dishes.node.hidden = this.draft.type !== 'preorder';
		this.least.hidden = this.draft.type !== 'preorder' || !(this.deposit || this.guarantee);
		this.least.textContent = this.least.hidden ? '' : t('preorderLeast', this.atLeast);
		this.due = due || this.guarantee > 0;
		this.cardAsked.hidden = this.draft.type !== 'deposit';
		this.labelSubmit();
		this.rules.hidden = !due;
		this.sum.hidden = !due;
		this.terms.replaceChildren(...(due ? this.drawTerms() : []));
		if (aloud) this.bill.textContent = `${t('total')} ${this.amount.textContent}`;
	}

	/* Before its day opens the button says when, and comes alive at that moment. */
	labelSubmit() {
		const closed = this.watch?.closed;
		this.submit.disabled = Boolean(closed);
		this.submit.textContent = closed ? this.watch.label : t(this.due ? 'hold' : 'book');
	}

	/* The day opens at that moment: everything can be filled in beforehand. */
	waitFor(opensAt) {
		if (this.watch) this.watch.correct(opensAt);
		else {
			const { ctx, party, date } = this;
			this.watch = new OpeningWatch(ctx, { party, date, opensAt }, () => this.labelSubmit());
			this.form.querySelector('.chosen').after(this.watch.node);
		}
		this.labelSubmit();
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
		const { phoneExample } = this.ctx.house;
		for (const [name, word, over] of faults)
			markWrong(this.inputs[name], t(word, over ?? phoneExample));
		if (faults.length) {
			this.inputs[faults[0][0]].focus();
			return false;
		}
		const { menu } = this.ctx.house;
		const nothing = this.draft.type === 'preorder' && dishesOf(this.draft, menu) === 0;
		if (nothing) this.dishes.askForOne();
		return !nothing;
	}

	async press(event) {
		event.preventDefault();
		if (this.submit.disabled || !this.check()) return;
		const { ctx, draft } = this;
		this.say('');
		this.submit.disabled = true;
		this.submit.textContent = t('sending');
		announce(t('sending'));
		await ctx.book({
			key: freshKey(),
			guest: contactOf(draft),
			request: requestOf(draft, this.slot, this.total),
		});
		this.drawTotal();
	}

	/* A shared link may name a time that is gone: say so before the form is filled in, and what is
	 * near. */
	async checkSlot() {
		const { ctx, party, date, time } = this;
		const query = { restaurantId: ctx.restaurantId, slotDate: date, partySize: party };
		const answer = await get('/api/reservations/slots', { query }).catch(() => null);
		const slot = answer?.slots.find((s) => s.slotTime === time);
		if (slot) this.tellEnd(slot);
		if (slot && askedOf(this.draft, this.slot) === undefined)
			this.setDeposit(this.depositOf({ ...ctx.house.policies, ...slot })); /* of its service */
		if (!answer || slot?.available || !this.form.isConnected) return;
		if (answer.opensAt && slot?.remaining >= party) {
			this.waitFor(answer.opensAt);
			return;
		}
		const offers = alternativesTo(time, answer.slots, date);
		this.submit.hidden = !slot; /* a time that is not offered at all */
		this.say(this.whyGone(answer, slot, offers), this.drawWays(slot, offers));
	}

	/* Until when the table is theirs. */
	tellEnd({ sittingMinutes }) {
		const end = tableUntil(this.ctx.house.policies, this.time, sittingMinutes);
		this.until.textContent = end ? t('tableUntil', end) : '';
	}

	isTooSoon(slot) {
		const { house, clock } = this.ctx;
		const { leadMinutes } = { ...house.policies, ...slot };
		return !inTime([slot], this.date, clock(), leadMinutes).length;
	}

	whyGone(answer, slot, offers) {
		if (answer.closed) return t('dayShut', longDay(this.date));
		if (answer.tooFar) return farText(this.ctx.house, this.date);
		const { party } = this;
		const time = clockTime(this.time);
		if (!slot || slot.blocked || this.isTooSoon(slot)) return t('unfit');
		if (!fitsParty(slot, party)) return t('partyAt', time, slot.partyMin, slot.partyMax);
		return offers.length ? t('fullText', time, party) : t('fullNone', time);
	}

	/* The ways on from a time that is gone: other times, its waitlist, other days. */
	drawWays(slot, offers) {
		const { ctx, party, date, time } = this;
		const waitable = slot && !slot.blocked && ctx.house.policies.waitlist;
		return el(
			'div',
			{},
			drawOffers(offers, party, (wish) => ctx.go({ party, ...wish }, { replace: true })),
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
		else if (error.code === 'TIME_BLOCKED') await this.offer(error.body, t('unfit'));
		else if (error.code === 'NOT_YET') {
			this.waitFor(error.body.opensAt);
			this.say(t('tooEarly'));
		} else if (at) {
			markWrong(this.inputs[at], error.message);
			this.inputs[at].focus();
		} else if (error.code === 'AMOUNT_CHANGED') {
			await this.learnAmount(error.body.amountDue);
		} else if (error.code === 'NO_SUCH_MENU') {
			await ctx.reload();
			ctx.notice(ctx.sentence(error)); /* beside the dishes that there are now */
		} else {
			const slotIsWrong = error.body?.field?.startsWith('slot');
			this.say(ctx.sentence(error), slotIsWrong ? this.otherDay() : null);
		}
	}

	/* Prices have changed, or a deposit is asked of this guest and not of others. */
	async learnAmount(amount) {
		const { ctx, draft } = this;
		await ctx.reload();
		const ahead = draft.type === 'preorder';
		const covered = ahead && amount <= dishesOf(draft, ctx.house.menu);
		draft.asked = { ...this.slot, amount: covered ? 0 : amount }; /* beside the dishes */
		this.save();
		if (covered) return ctx.notice(t('amountChanged'));
		this.setDeposit(amount);
		const asked = amount ? t('depositAsked', money(amount, ctx.house)) : t('depositGone');
		const ofAll = depositOf(ctx.house.policies, this.party) === amount;
		this.say(ofAll ? t('amountChanged') : asked);
	}

	async offer({ alternatives = [], waitlist }, title) {
		const { ctx, party, date, time } = this;
		const wish = await offerAlternatives({ time, party, alternatives, waitlist, title });
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
		stop: () => screen.watch?.stop(),
		title: t('details'),
		heading: screen.form.querySelector('h2'),
	};
}
