/*
 * screen.js - the first screen: party, day, time.
 *
 * The house may not be known yet when it is drawn; update() fills in the rest.
 */
import { get } from '../../api.js';
import { clockTime, dayAt, isDay } from '../../dates.js';
import { longDay, monthName, t } from '../../i18n.js';
import { announce, button, el, unseen } from '../../ui.js';
import {
	beforehand,
	clampMonth,
	firstOpen,
	firstSoon,
	fitsParty,
	fittingParty,
	inTime,
	lastDay,
	monthOf,
	otherOpen,
	shiftMonth,
} from '../bookable.js';
import { Calendar } from './calendar.js';
import { drawInfo, drawShut, whyShut } from './info.js';
import { alternativesTo, drawNoTime, drawTimes, momentText } from './times.js';

const CHIPS_MAX = 30;
const MONTHS_AHEAD = 2; /* as many more are looked through for the first open day */
const UNKNOWN_HOUSE = { partyMin: 1, partyMax: 12 };
const deviceDay = () => dayAt(Date.now());

function partyChip(n, checked, onchange) {
	return el(
		'label',
		{ class: 'chip' },
		el('input', { type: 'radio', name: 'party', value: String(n), checked, onchange }),
		el('span', {}, unseen(t('people', n)), el('span', { 'aria-hidden': 'true' }, String(n))),
	);
}

class Chooser {
	constructor(root, ctx) {
		const asked = Number(ctx.params.get('party'));
		const date = ctx.params.get('date');
		this.ctx = ctx;
		this.party = Number.isInteger(asked) && asked > 0 ? asked : 2;
		this.date = isDay(date) ? date : null;
		this.month = monthOf(this.date ?? ctx.house?.today ?? deviceDay());
		this.states = new Map(); /* of the days, by date */
		this.slots = null;
		this.shut = false; /* the day is a day off */
		this.far = false; /* no rule says when it opens */
		this.opensAt = null; /* when it opens, where it has not yet */
		this.said = ''; /* what the restaurant says of the day */
		this.none = ''; /* why no day could be chosen */
		this.turn = 0; /* the number of the newest question */
		this.calendar = new Calendar({
			pick: (day) => this.pick(day),
			turn: (by) => this.turnMonth(by).catch((error) => this.showTrouble(error)),
		});
		this.build(root);
	}

	build(root) {
		this.chips = el('div', { class: 'chips' });
		this.over = el('p', { class: 'hint' });
		this.times = el('div', { class: 'slots', 'aria-busy': 'true' });
		this.dayTitle = el('p', { class: 'day-title' });
		this.note = el('p', { class: 'day-note', hidden: true });
		this.trouble = el('div', { class: 'notice', hidden: true });
		this.paused = el('div', { class: 'notice quiet', hidden: true });
		this.soon = el('p', { class: 'notice soon', hidden: true });
		this.info = el('aside', { class: 'info', 'aria-label': t('where') });
		const timeTitle = el('h2', { class: 'q', id: 'time-title' }, t('time'));
		const hours = [timeTitle, this.dayTitle, this.note, this.soon, this.trouble, this.times];
		this.questions = [
			el('fieldset', { class: 'party-size' }, el('legend', {}, t('party')), this.chips, this.over),
			el(
				'div',
				{ class: 'when' },
				this.calendar.node,
				el('div', { class: 'hours-of-day' }, ...hours),
			),
		];
		const card = { class: 'card choose', 'aria-label': t('choose') };
		root.replaceChildren(
			el(
				'div',
				{ class: 'columns beside' },
				el('section', card, this.paused, ...this.questions),
				this.info,
			),
		);
	}

	/* ---- drawing ---- */

	drawParty() {
		const { house } = this.ctx;
		const policies = house?.policies ?? UNKNOWN_HOUSE;
		const last = Math.min(policies.partyMax, CHIPS_MAX);
		this.party = fittingParty(this.party, policies, CHIPS_MAX);
		const chips = [];
		for (let n = policies.partyMin; n <= last; n++)
			chips.push(partyChip(n, n === this.party, () => this.changeParty(n)));
		this.chips.replaceChildren(...chips);
		this.over.textContent = house?.phone ? t('largeParty', last) : '\u00a0';
		const checked = this.chips.querySelector('input:checked')?.parentElement;
		if (checked)
			this.chips.scrollLeft = Math.max(0, checked.offsetLeft - this.chips.clientWidth / 2);
	}

	drawMonth() {
		const { month, date, states } = this;
		const { house } = this.ctx;
		this.calendar.draw({ house, month, date, states, today: house?.today ?? deviceDay() });
	}

	drawTimes() {
		const { date, party, none } = this;
		const { house } = this.ctx;
		if (!date || !this.slots) {
			this.times.replaceChildren(...(none ? [el('p', { class: 'empty' }, none)] : []));
			return;
		}
		const rows = inTime(this.slots, date, this.ctx.clock(), house.policies.leadMinutes);
		const onpick = (slot) => this.pickTime(slot, rows);
		this.dayTitle.textContent = longDay(date);
		const free = rows.some((s) => s.available);
		this.note.hidden = !this.said;
		this.note.textContent = this.said;
		this.soon.hidden = !this.opensAt;
		this.soon.textContent = this.opensAt ? t('opensDay', momentText(this.opensAt, house)) : '';
		this.times.replaceChildren(
			...(free ? drawTimes(rows, { date, party, onpick }) : [this.drawNoTime(rows, onpick)]),
		);
	}

	drawNoTime(rows, onpick) {
		const { date, party, shut, far, states } = this;
		const { house } = this.ctx;
		return drawNoTime(rows, {
			house,
			date,
			party,
			shut,
			far,
			onpick,
			other: otherOpen([...states.values()], date, lastDay(house)),
			go: (day) => this.pick(day),
			more: states.size > 0 && !this.calendar.next.disabled && (() => this.turnAndPick()),
		});
	}

	showTrouble(error) {
		const sentence = this.ctx.sentence(error);
		this.trouble.hidden = false;
		this.trouble.replaceChildren(
			el('p', {}, sentence),
			button(t('retry'), () => this.load(), { class: 'soft' }),
		);
		announce(sentence, true);
	}

	/* ---- what the guest does ---- */

	keepInUrl() {
		const { party, date } = this;
		this.ctx.go({ party, ...(date ? { date } : {}) }, { replace: true, quiet: true });
	}

	changeParty(n) {
		this.party = n;
		this.keepInUrl();
		this.load();
	}

	async turnMonth(by) {
		this.month = shiftMonth(this.month, by);
		this.states = new Map();
		this.drawMonth();
		await this.loadDays();
	}

	async turnAndPick() {
		await this.turnMonth(1);
		const first = firstOpen([...this.states.values()]);
		if (first) await this.pick(first.date);
	}

	async pick(day) {
		this.date = day;
		this.keepInUrl();
		this.drawMonth();
		await this.loadTimes();
		const free = this.slots?.filter((s) => s.available).length ?? 0;
		const opens = this.opensAt && t('opensDay', momentText(this.opensAt, this.ctx.house));
		announce([t('timesOf', longDay(day), free), opens].filter(Boolean).join('. '));
	}

	whyFull(slot) {
		const time = clockTime(slot.slotTime);
		if (slot.blocked) return t('unfit');
		if (!fitsParty(slot, this.party)) return t('partyAt', time, slot.partyMin, slot.partyMax);
		return t('fullAlready', time);
	}

	async pickTime(slot, rows) {
		const { party, date, ctx } = this;
		const time = slot.slotTime;
		if (slot.available) {
			ctx.go({ party, date, time });
			return undefined;
		}
		const full = await import('./full.js').catch(() => null);
		if (!full) return announce(t('lostPage'), true);
		const wish = await full.offerAlternatives({
			time,
			party,
			alternatives: alternativesTo(time, rows, date),
			title: this.whyFull(slot),
			waitlist: ctx.house.policies.waitlist && !slot.blocked,
		});
		if (wish === 'wait') await ctx.wait({ party, date, time });
		else if (wish?.time) ctx.go({ party, ...wish });
		else if (wish === 'days') this.calendar.focus();
		return undefined;
	}

	/* ---- asking ---- */

	async loadDays() {
		const { month, party, ctx } = this;
		const { restaurantId } = ctx;
		const query = { restaurantId, month, partySize: party };
		const answer = await get('/api/reservations/days', { query });
		if (month !== this.month) return;
		this.states = new Map(answer.days.map((d) => [d.date, d]));
		this.drawMonth();
		/* Now we know where else there is room. */
		const idle = this.times.getAttribute('aria-busy') === 'false';
		if (idle && this.times.querySelector('.empty')) this.drawTimes();
	}

	async loadTimes() {
		const mine = ++this.turn;
		const { restaurantId } = this.ctx;
		const query = { restaurantId, slotDate: this.date, partySize: this.party };
		this.times.setAttribute('aria-busy', 'true');
		try {
			const answer = await get('/api/reservations/slots', { query });
			if (mine !== this.turn) return;
			this.opensAt = answer.opensAt ?? null;
			this.slots = answer.opensAt ? beforehand(answer.slots, this.party) : answer.slots;
			this.shut = answer.closed;
			this.said = answer.note ?? '';
			this.far = answer.tooFar;
			this.trouble.hidden = true;
			this.drawTimes();
		} catch (error) {
			if (mine === this.turn) this.showTrouble(error);
		}
		if (mine === this.turn) this.times.setAttribute('aria-busy', 'false');
	}

	/* Everything that depends on the party; picks the first open day when none is chosen. */
	async load() {
		if (!this.ctx.house || whyShut(this.ctx.house)) return;
		this.none = '';
		this.trouble.hidden = true;
		try {
			const days = this.loadDays();
			await (this.date ? Promise.all([days, this.loadTimes()]) : days);
			if (!this.date) await this.findDay();
		} catch (error) {
			this.showTrouble(error);
		}
	}

	/* Looks for the first open day, some months ahead. */
	async findDay() {
		for (let turned = 0; !this.date; turned++) {
			const first = firstOpen([...this.states.values()]);
			if (first) {
				this.date = first.date;
				this.drawMonth();
				await this.loadTimes();
				return;
			}
			if (this.calendar.next.disabled || turned === MONTHS_AHEAD) {
				await (this.ctx.house.nextOpening ? this.pickSoon() : this.sayNone(turned));
				return;
			}
			await this.turnMonth(1);
		}
	}

	/* Nothing is free, but something opens: the first of those days. */
	async pickSoon() {
		const { from } = this.ctx.house.nextOpening;
		this.month = monthOf(from);
		await this.loadDays();
		this.date = firstSoon([...this.states.values()])?.date ?? from;
		this.drawMonth();
		await this.loadTimes();
	}

	/* Every month was looked through in vain: back to where we began, with a word about it. */
	async sayNone(turned) {
		this.none = t('noDay', monthName(this.month), this.party);
		if (turned) await this.turnMonth(-turned);
		this.times.setAttribute('aria-busy', 'false');
		this.drawTimes();
	}

	/* A day that is over is forgotten; the month is one with days that can be booked. */
	keepInReach() {
		const { house } = this.ctx;
		if (this.date && this.date < house.today) this.date = null;
		this.month = clampMonth(this.month, monthOf(house.today), monthOf(lastDay(house)));
	}

	/* Draws everything anew; resolves when what was asked for is drawn too. */
	update() {
		const { house } = this.ctx;
		const why = house && whyShut(house);
		this.paused.hidden = !why;
		this.paused.replaceChildren(...(why ? drawShut(house).filter(Boolean) : []));
		for (const question of this.questions) question.hidden = Boolean(why);
		this.drawParty();
		if (house) this.keepInReach();
		this.drawMonth();
		if (house) {
			this.info.replaceChildren(...drawInfo(house));
			this.info.hidden = !this.info.childElementCount;
		}
		return this.load();
	}
}

/* Draws the screen into root.  ctx: { house, restaurantId, params, go, wait, clock, sentence }. */
export function choose(root, ctx) {
	const chooser = new Chooser(root, ctx);
	chooser.update();
	return { update: () => chooser.update(), title: t('choose') };
}
