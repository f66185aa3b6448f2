/*
 * hours.js - when the house is open: its week, the days that differ from it, and a pause.
 */
import { put, serverNow } from '../../api.js';
import { addDays } from '../../dates.js';
import { field } from '../../forms.js';
import { monthName, shortDay, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { dayState, endOfDay, hoursShown, mealOf, monthOf } from '../owner.js';
import { filled, section, select, text, time } from './section.js';

/* ---- the week ---- */

/* The end of the day is no time of a clock: it is kept as 24:00 and shown as 23:59. */
const shownEnd = (closes) => (closes === '24:00' ? '23:59' : closes);
const keptEnd = (closes) => (closes === '23:59' ? '24:00' : closes);

function spanRow(weekday, { opens, closes }, remove) {
	const from = time(opens);
	const to = time(shownEnd(closes));
	const row = el(
		'div',
		{ class: 'span' },
		field(null, t('opens'), from),
		field(null, t('closes'), to),
		button('×', () => remove(row), {
			class: 'round',
			'aria-label': `${t('days')[weekday]} ${t('removeIt')}`,
		}),
	);
	row.read = () => ({
		weekday,
		opens: from.value,
		closes: keptEnd(to.value),
		label: mealOf(from.value, to.value),
	});
	return row;
}

function weekdayRow(weekday, hours) {
	const spans = el('div', { class: 'spans' });
	const shut = el('span', { class: 'soft-text shut-day' }, t('closedDay'));
	const look = () => {
		shut.hidden = spans.children.length > 0;
	};
	const remove = (row) => {
		row.remove();
		look();
	};
	const add = (span = { opens: '17:00', closes: '22:00' }) => {
		spans.append(spanRow(weekday, span, remove));
		look();
	};
	for (const span of hours) add(span);
	const node = el(
		'div',
		{ class: 'edit-row' },
		el('span', { class: 'day-of' }, t('days')[weekday]),
		shut,
		spans,
		button('+', () => add(), {
			class: 'round',
			'aria-label': `${t('days')[weekday]} ${t('addSpan')}`,
		}),
	);
	return { node, read: () => [...spans.children].map((row) => row.read()) };
}

export function weekEditor(hours) {
	const days = [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
		weekdayRow(
			weekday,
			hours.filter((h) => h.weekday === weekday),
		),
	);
	return { nodes: days.map((d) => d.node), read: () => days.flatMap((d) => d.read()) };
}

export function hoursSection(desk, house, query) {
	const week = weekEditor(house.hours);
	return section(desk, {
		title: t('hours'),
		about: t('hoursText'),
		children: week.nodes,
		save: () => put('/api/desk/hours', { hours: week.read() }, { query }),
	});
}

/* ---- special days ---- */

function dayCell(house, day, { chosen, choose }) {
	const state = dayState(house, day);
	return el(
		'button',
		{
			type: 'button',
			class: `date ${state}`,
			disabled: day < house.today,
			'aria-pressed': String(day === chosen),
			onclick: () => choose(day),
		},
		String(Number(day.slice(8))),
		el('span', { class: 'unseen' }, `, ${shortDay(day)}, ${t(`day.${state}`)}`),
	);
}

function monthGrid(house, month, how) {
	const { lead, days } = monthOf(month);
	return el(
		'div',
		{ class: 'dates', role: 'group', 'aria-label': monthName(month) },
		el('b', {}, monthName(month)),
		...Array.from({ length: lead }, () => el('span', {})),
		...days.map((day) => dayCell(house, day, how)),
	);
}

/* Two months of days to choose from: open, closed, or other than their week. */
function dayGrid(house, day) {
	const grid = el('div', { class: 'months' });
	function choose(chosen) {
		day.value = chosen;
		draw();
		grid.querySelector('[aria-pressed=true]')?.focus();
	}
	function draw() {
		const month = house.today.slice(0, 7);
		const next = addDays(`${month}-01`, 32).slice(0, 7);
		const how = { chosen: day.value, choose };
		grid.replaceChildren(monthGrid(house, month, how), monthGrid(house, next, how));
	}
	day.addEventListener('change', draw);
	draw();
	return { grid, draw };
}

function specialLine(day, hours, note) {
	return el('li', {}, el('b', {}, shortDay(day)), ` ${hours} ${note ?? ''}`);
}

function knownDays({ specialDays = [] }) {
	const days = [...new Set(specialDays.map((s) => s.day))];
	return el(
		'ul',
		{ class: 'special' },
		days.map((day) => {
			const spans = specialDays.filter((s) => s.day === day);
			return specialLine(day, hoursShown(spans) || t('closedDay'), spans[0].note);
		}),
	);
}

export function specialSection(desk, house, query) {
	const day = el('input', {
		type: 'date',
		required: true,
		value: addDays(house.today, 1),
		min: house.today,
	});
	const { grid, draw } = dayGrid(house, day);
	const kind = select(['closedDay', 'hours', 'asUsual'], 'closedDay', t);
	const from = time('17:00');
	const to = time('22:00');
	const note = text('', LENGTHS.dayNote);
	const span = el(
		'div',
		{ class: 'span', hidden: true },
		field(null, t('opens'), from),
		field(null, t('closes'), to),
	);
	const known = knownDays(house);
	const hasHours = () => kind.value === 'hours';
	kind.addEventListener('change', () => {
		span.hidden = !hasHours();
	});

	/* The day as it is from now on; none where it is as usual again. */
	function rowsNow() {
		if (kind.value === 'asUsual') return [];
		return [{ day: day.value, ...(hasHours() ? { opens: from.value, closes: to.value } : {}) }];
	}
	async function save() {
		const label = mealOf(from.value, to.value);
		const answer = await put(
			'/api/desk/special-days',
			filled({
				day: day.value,
				closed: kind.value === 'closedDay' ? 1 : 0,
				note: note.value.trim(),
				hours: hasHours() ? [{ opens: from.value, closes: to.value, label }] : [],
			}),
			{ query },
		);
		const others = (house.specialDays ?? []).filter((s) => s.day !== day.value);
		house.specialDays = [...others, ...rowsNow()];
		draw();
		known.append(specialLine(day.value, hoursShown(rowsNow()) || t(kind.value), note.value));
		return answer;
	}
	return section(desk, {
		title: t('special'),
		about: t('specialText'),
		children: [
			known,
			grid,
			el(
				'div',
				{ class: 'edit-row' },
				field(null, t('date'), day),
				field(null, t('specialKind'), kind),
				span,
				field(null, t('dayNote'), note),
			),
		],
		save,
	});
}

/* ---- a pause ---- */

export function pauseSection(desk, data, house, query) {
	const state = el('p', { role: 'status' });
	const day = el('input', { type: 'date', value: house.today, min: house.today });
	const iso = (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
	async function pauseUntil(moment) {
		try {
			await put('/api/desk/settings', { pausedUntil: moment }, { query });
			draw(moment);
		} catch (error) {
			state.textContent = desk.sentence(error);
		}
	}
	const untilEndOf = (date) => pauseUntil(iso(endOfDay(date, house.timezone)));
	const resume = button(t('resume'), () => pauseUntil(''), { class: 'primary' });
	function draw(moment) {
		resume.hidden = !moment;
		state.textContent = moment ? t('pausedUntil', desk.when(moment)) : t('takesBookings');
	}
	draw(data.pausedUntil);
	const soft = { class: 'soft' };
	return el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('pause')),
		state,
		el(
			'div',
			{ class: 'edit-row last' },
			button(t('pauseHour'), () => pauseUntil(iso(serverNow() + 3600e3)), soft),
			button(t('pauseTonight'), () => untilEndOf(house.today), soft),
			field(null, t('pauseUntil'), day, { className: 'narrow-day' }),
			button(t('pauseUntilGo'), () => untilEndOf(day.value), soft),
			resume,
		),
	);
}
