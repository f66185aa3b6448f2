/*
 * calendar.js - the month of the first screen: a grid of days that the arrow keys move through.
 */
import { addDays, weekdayOf } from '../../dates.js';
import { longDay, monthName, t, weekdayName } from '../../i18n.js';
import { button, el, unseen } from '../../ui.js';
import { dayByKey, dayState, isDead, lastDay, monthOf, weekStart, weeksOf } from '../bookable.js';
import { momentText } from './times.js';

const MARKED = ['few', 'full', 'closed', 'notYet'];

/* A long day around its number: "Tuesday ", "17", " November". */
function splitDay(day) {
	const text = longDay(day);
	const number = String(Number(day.slice(8)));
	const found = text.match(new RegExp(`(^|\\s)${number}(?=일|\\s)`));
	if (!found) return [`${text} `, number, ''];
	const at = found.index + found[1].length;
	return [text.slice(0, at), number, text.slice(at + number.length)];
}

function markOf(state) {
	if (MARKED.includes(state)) return t(`mark.${state}`);
	return state === 'open' ? '•' : '';
}

/* One day: its number, a mark, and the whole of it for those who do not see where it stands. */
function drawDay(day, state, { chosen, today, pick, opens }) {
	const [before, number, after] = splitDay(day);
	const dead = isDead(state);
	const cell = el(
		'button',
		{
			type: 'button',
			class: `month-day ${state}`,
			'data-date': day,
			tabIndex: chosen ? 0 : -1,
			onclick: () => !dead && pick(day),
			'aria-pressed': String(chosen),
			'aria-disabled': dead ? 'true' : undefined,
		},
		unseen(before),
		el('span', { class: 'num' }, number),
		unseen(state === 'unknown' ? after : `${after}, ${t(`state.${state}`, opens)}`),
		el('span', { class: 'mark', 'aria-hidden': 'true' }, markOf(state)),
	);
	if (day === today) cell.setAttribute('aria-current', 'date');
	return cell;
}

function drawWeekday(day) {
	const side = { 6: 'sat', 7: 'sun' }[weekdayOf(day)] ?? '';
	return el(
		'th',
		{ scope: 'col', class: side, abbr: weekdayName(day, 'long') },
		weekdayName(day, 'short'),
	);
}

/*
 * The grid and its two buttons.  pick(day): a day was chosen; turn(by): another month was asked
 * for, and is drawn when the promise is kept.
 */
export class Calendar {
	constructor({ pick, turn }) {
		this.pick = pick;
		this.turn = turn;
		this.title = el('h3', { id: 'month-title', 'aria-live': 'polite' });
		this.weekdays = el('tr');
		this.weeks = el('tbody');
		this.soon = el('p', { class: 'hint', hidden: true });
		this.prev = this.arrow('‹', -1, 'prevMonth');
		this.next = this.arrow('›', 1, 'nextMonth');
		this.node = el(
			'div',
			{ class: 'calendar' },
			el('h2', { class: 'q' }, t('day')),
			el('div', { class: 'month-bar' }, this.prev, this.title, this.next),
			el(
				'table',
				{
					class: 'month-grid',
					role: 'grid',
					'aria-labelledby': 'month-title',
					onkeydown: (event) => this.moveByKey(event),
				},
				el('thead', {}, this.weekdays),
				this.weeks,
			),
			this.soon,
		);
	}

	arrow(sign, by, name) {
		return button(sign, () => this.turn(by), { class: 'round', 'aria-label': t(name) });
	}

	/* states: what the API said of each day, by date; today: the device's where the house is
	 * unknown. */
	draw({ house, month, date, states, today }) {
		this.month = month;
		const held = this.weeks.contains(document.activeElement)
			? document.activeElement.dataset.date
			: null;
		const first = house?.firstWeekday;
		const start = weekStart(`${month}-01`, first ?? 7);
		const cell = (day) =>
			day &&
			drawDay(day, dayState(states.get(day), day, house?.today), {
				chosen: day === date,
				today: house?.today,
				pick: this.pick,
				opens: momentText(states.get(day)?.opensAt, house),
			});
		this.title.textContent = monthName(month);
		this.weekdays.replaceChildren(
			...Array.from({ length: 7 }, (_, i) => drawWeekday(addDays(start, i))),
		);
		this.weeks.replaceChildren(
			...weeksOf(month, today, first).map((week) =>
				el(
					'tr',
					{},
					week.map((day) => el('td', {}, cell(day))),
				),
			),
		);
		this.reach(held);
		this.drawSoon([...states.values()], house);
		this.prev.disabled = house ? month <= monthOf(house.today) : true;
		this.next.disabled = house ? month >= monthOf(lastDay(house)) : true;
	}

	/* When the next of the month's days opens. */
	drawSoon(days, house) {
		const moments = days.map((d) => d.opensAt).filter(Boolean);
		const opens = momentText(moments.sort()[0], house);
		this.soon.hidden = !opens;
		this.soon.textContent = opens ? t('opensMonth', opens) : '';
	}

	/* One day of the grid is reached by the tab key; the one that had the focus has it again. */
	reach(held) {
		const { weeks } = this;
		const way =
			weeks.querySelector('[tabindex="0"]') ??
			weeks.querySelector('.open, .few, .notYet') ??
			weeks.querySelector('.month-day');
		if (way) way.tabIndex = 0;
		if (held) this.day(held)?.focus();
	}

	day(date) {
		return this.weeks.querySelector(`[data-date="${date}"]`);
	}

	focus() {
		this.weeks.querySelector('[tabindex="0"]')?.focus();
	}

	async moveByKey(event) {
		const from = event.target.closest('[data-date]')?.dataset.date;
		const to = from && dayByKey(from, event.key);
		if (!to) return;
		event.preventDefault();
		const by = Math.sign(monthOf(to).localeCompare(this.month));
		if (by) {
			if ((by < 0 ? this.prev : this.next).disabled) return;
			await this.turn(by);
		}
		for (const day of this.weeks.querySelectorAll('[data-date]'))
			day.tabIndex = day.dataset.date === to ? 0 : -1;
		this.day(to)?.focus();
	}
}
