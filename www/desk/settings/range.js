/*
 * range.js - the calendar in which a range of days is tapped.
 */
import { addDays } from '../../dates.js';
import { monthName, shortDay, t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { weekdaysFrom } from '../owner.js';
import { dayState, monthOf } from './days.js';

function dayCell(house, day, { from, to, choose }) {
	const state = dayState(house, day);
	return el(
		'button',
		{
			type: 'button',
			class: `date ${state}`,
			disabled: day < house.today,
			'aria-pressed': String(day >= from && day <= to),
			'data-day': day,
			onclick: () => choose(day),
		},
		String(Number(day.slice(8))),
		el('span', { class: 'unseen' }, `, ${shortDay(day)}, ${t(`day.${state}`)}`),
	);
}

function monthGrid(house, month, how) {
	const first = house.firstWeekday ?? 7;
	const { lead, days } = monthOf(month, first);
	return el(
		'div',
		{ class: 'dates', role: 'group', 'aria-label': monthName(month) },
		el('b', {}, monthName(month)),
		...weekdaysFrom(first).map((d) => el('i', { 'aria-hidden': 'true' }, t('days')[d])),
		...Array.from({ length: lead }, () => el('span', {})),
		...days.map((day) => dayCell(house, day, how)),
	);
}

/**
 * Two months of days: a tap begins a range, the next one ends it.  from, to: inputs that say the
 * same; mayBegin(): may another range be begun? changed(begins): the range is another.
 */
export function rangeGrid(house, { from, to }, { mayBegin, changed }) {
	const grid = el('div', { class: 'months' });
	let month = house.today.slice(0, 7);
	let begun = false; /* the next tap ends the range */
	const turn = (days) => {
		month = addDays(`${month}-15`, days).slice(0, 7);
		draw();
	};
	async function choose(day) {
		const ends = begun && day > from.value;
		if (!ends && !(await mayBegin())) return;
		if (!ends) from.value = day;
		to.value = day;
		begun = !ends;
		draw();
		changed(!ends);
		grid.querySelector(`[data-day="${day}"]`)?.focus();
	}
	function draw() {
		const next = addDays(`${month}-01`, 32).slice(0, 7);
		const how = { from: from.value, to: to.value, choose };
		grid.replaceChildren(
			el(
				'div',
				{ class: 'turn' },
				button('‹', () => turn(-30), { class: 'round', 'aria-label': t('prevMonth') }),
				button('›', () => turn(30), { class: 'round', 'aria-label': t('nextMonth') }),
			),
			monthGrid(house, month, how),
			monthGrid(house, next, how),
		);
	}
	draw();
	return { grid, draw };
}
