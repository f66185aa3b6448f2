/*
 * change.js - asks for another day, time or party size.
 */
import { get } from '../../api.js';
import { clockTime } from '../../dates.js';
import { ask } from '../../dialogs.js';
import { actions, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { lastDay } from '../bookable.js';
import { slotText } from './parts.js';
import { changeTexts, openFor } from './states.js';

function partySelect(r, { partyMin, partyMax }) {
	const option = (n) =>
		el('option', { value: String(n), selected: n === r.partySize }, t('people', n));
	const sizes = Array.from({ length: partyMax - partyMin + 1 }, (_, i) => partyMin + i);
	return el('select', {}, sizes.map(option));
}

class ChangeForm {
	constructor(r, house, close) {
		const { policies, today } = house;
		Object.assign(this, { r, policies });
		this.party = partySelect(r, policies);
		this.day = el('input', {
			type: 'date',
			value: r.slotDate,
			min: today,
			max: lastDay(house),
			required: true,
		});
		this.time = el('select', { required: true });
		this.said = el('p', { class: 'hint', role: 'status' });
		this.terms = el('p', { class: 'notice', id: 'change-terms', hidden: true });
		this.submit = el('button', { type: 'submit', class: 'primary' }, t('changeYes'));
		this.node = this.draw(close);
		for (const input of [this.party, this.day])
			input.addEventListener('change', () => this.loadTimes());
		this.loadTimes();
	}

	draw(close) {
		const onsubmit = (event) => {
			event.preventDefault();
			close(this.wish);
		};
		return el(
			'form',
			{ method: 'dialog', onsubmit },
			el('h2', { id: 'change-title' }, t('change')),
			el('p', {}, slotText(this.r)),
			field('change-party', t('changeParty'), this.party),
			field('change-day', t('changeDay'), this.day),
			field('change-time', t('changeTime'), this.time),
			this.said,
			this.terms,
			actions(
				button(t('close'), () => close(undefined), { class: 'soft' }),
				this.submit,
			),
		);
	}

	get wish() {
		const { day, time, party } = this;
		return { slotDate: day.value, slotTime: time.value, partySize: Number(party.value) };
	}

	/* What it does to the money, before it is done. */
	drawTerms() {
		const texts = changeTexts(this.r, Number(this.party.value), this.policies);
		this.terms.textContent = texts.map((text) => t(...text)).join(' ');
		this.terms.hidden = !texts.length;
	}

	async askTimes() {
		const { slotDate, partySize } = this.wish;
		if (!slotDate) return [];
		const query = { restaurantId: this.r.restaurantId, slotDate, partySize };
		const answer = await get('/api/reservations/slots', { query }).catch(() => null);
		return answer?.slots ?? [];
	}

	async loadTimes() {
		const { day, party, time, r } = this;
		this.drawTerms();
		const asked = `${day.value} ${party.value}`;
		const slots = await this.askTimes();
		if (asked !== `${day.value} ${party.value}`) return;
		const free = openFor(r, day.value, slots);
		const before = time.value || r.slotTime;
		const option = ({ slotTime }) =>
			el('option', { value: slotTime, selected: slotTime === before }, clockTime(slotTime));
		time.replaceChildren(...free.map(option));
		this.submit.disabled = !free.length;
		this.said.textContent = free.length ? '' : t('changeNone');
	}
}

/* Resolves to { slotDate, slotTime, partySize }, or to undefined where the guest leaves it as it
 * is. */
export const askToChange = (r, house) =>
	ask('change-title', (close) => [new ChangeForm(r, house, close).node]);
