/*
 * change.js - asks for another day, time or party size, by the calendar that booking has.
 */
import { get } from '../../api.js';
import { clockTime } from '../../dates.js';
import { ask } from '../../dialogs.js';
import { actions, field } from '../../forms.js';
import { longDay, t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { monthOf, shiftMonth } from '../bookable.js';
import { Calendar } from '../choose/calendar.js';
import { slotText } from './parts.js';
import { changeTexts, openFor } from './states.js';

function partySelect(r, { partyMin, partyMax }) {
	const option = (n) =>
		el('option', { value: String(n), selected: n === r.partySize }, t('people', n));
	const sizes = Array.from({ length: partyMax - partyMin + 1 }, (_, i) => partyMin + i);
	return el('select', {}, sizes.map(option));
}

const timeChip = (time, chosen, onchange) =>
	el(
		'label',
		{ class: 'chip' },
		el('input', {
			type: 'radio',
			name: 'change-time',
			value: time,
			checked: time === chosen,
			required: true,
			onchange,
		}),
		el('span', {}, clockTime(time)),
	);

class ChangeForm {
	constructor(r, house, close) {
		const { policies, today } = house;
		Object.assign(this, { r, house, policies });
		this.day = r.slotDate < today ? today : r.slotDate;
		this.time = r.slotTime;
		this.month = monthOf(this.day);
		this.states = new Map(); /* of the days of the month, by date */
		this.turned = 0; /* the number of the newest question about times */
		this.party = partySelect(r, policies);
		this.calendar = new Calendar({
			pick: (day) => this.pick(day),
			turn: (by) => this.turnMonth(by),
		});
		this.times = el('div', { class: 'chips wrap' });
		this.dayName = el('span', { class: 'soft-text' });
		this.said = el('p', { class: 'hint', role: 'status' });
		this.terms = el('p', { class: 'notice', id: 'change-terms', hidden: true });
		this.submit = el('button', { type: 'submit', class: 'primary' }, t('changeYes'));
		this.node = this.draw(close);
		this.party.addEventListener('change', () => this.load());
		this.load();
	}

	draw(close) {
		const onsubmit = (event) => {
			event.preventDefault();
			close(this.wish);
		};
		return el(
			'form',
			{ method: 'dialog', class: 'change-form', onsubmit },
			el('h2', { id: 'change-title' }, t('change')),
			el('p', {}, slotText(this.r)),
			field('change-party', t('changeParty'), this.party),
			this.calendar.node,
			el(
				'fieldset',
				{ class: 'change-times' },
				el('legend', {}, t('changeTime'), ' ', this.dayName),
				this.times,
				this.said,
			),
			this.terms,
			actions(
				button(t('close'), () => close(undefined), { class: 'soft' }),
				this.submit,
			),
		);
	}

	get wish() {
		return { slotDate: this.day, slotTime: this.time, partySize: Number(this.party.value) };
	}

	drawMonth() {
		const { house, month, day: date, states } = this;
		this.calendar.draw({ house, month, date, states, today: house.today });
	}

	/* What it does to the money, before it is done. */
	drawTerms() {
		const texts = changeTexts(this.r, Number(this.party.value), this.policies);
		this.terms.textContent = texts.map((text) => t(...text)).join(' ');
		this.terms.hidden = !texts.length;
	}

	pick(day) {
		this.day = day;
		this.drawMonth();
		return this.loadTimes();
	}

	async turnMonth(by) {
		this.month = shiftMonth(this.month, by);
		this.states = new Map();
		this.drawMonth();
		await this.loadDays();
	}

	/* A question that depends on the party, and may fail: then what is there stays. */
	async ask(what, query) {
		const { restaurantId } = this.r;
		const asked = { restaurantId, partySize: this.party.value, ...query };
		return get(`/api/reservations/${what}`, { query: asked }).catch(() => null);
	}

	async loadDays() {
		const { month } = this;
		const answer = await this.ask('days', { month });
		if (month !== this.month || !answer) return;
		this.states = new Map(answer.days.map((d) => [d.date, d]));
		this.drawMonth();
	}

	async loadTimes() {
		const mine = ++this.turned;
		const answer = await this.ask('slots', { slotDate: this.day });
		if (mine !== this.turned) return;
		const free = openFor(this.r, this.day, answer?.slots ?? []).map((slot) => slot.slotTime);
		const onchange = (event) => {
			this.time = event.target.value;
		};
		if (!free.includes(this.time))
			this.time = free.includes(this.r.slotTime) ? this.r.slotTime : '';
		this.dayName.textContent = longDay(this.day);
		this.times.replaceChildren(...free.map((time) => timeChip(time, this.time, onchange)));
		this.submit.disabled = !free.length;
		this.said.textContent = free.length ? '' : t('changeNone');
	}

	load() {
		this.drawTerms();
		this.drawMonth();
		return Promise.all([this.loadDays(), this.loadTimes()]);
	}
}

/* Resolves to { slotDate, slotTime, partySize }, or to undefined where the guest leaves it as it
 * is. */
export const askToChange = (r, house) =>
	ask('change-title', (close) => [new ChangeForm(r, house, close).node]);
