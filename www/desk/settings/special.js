/*
 * special.js - days that differ from their week: closed, with services of their own, or as usual
 * with a note or a deposit.
 */
import { put } from '../../api.js';
import { addDays } from '../../dates.js';
import { field } from '../../forms.js';
import { money, monthName, shortDay, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { amountOf, typedOf, weekdaysFrom } from '../owner.js';
import { dayState, hoursShown, monthOf, rangesOf, servicesOf, specialKind } from './days.js';
import { filled, number, section, select, text } from './section.js';
import { servicesEditor } from './services.js';

const KINDS = ['closedDay', 'ownHours', 'asWeek', 'asUsual'];
const DEPOSIT_MAX = 1000000000; /* of the smallest unit */

/* ---- the calendar ---- */

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

/*
 * Two months of days: a tap begins a range, the next one ends it.  from, to: inputs that say the
 * same; changed(): the range is another.
 */
function rangeGrid(house, from, to, changed) {
	const grid = el('div', { class: 'months' });
	let month = house.today.slice(0, 7);
	let begun = false; /* the next tap ends the range */
	const turn = (days) => {
		month = addDays(`${month}-15`, days).slice(0, 7);
		draw();
	};
	function choose(day) {
		const ends = begun && day > from.value;
		if (!ends) from.value = day;
		to.value = day;
		begun = !ends;
		draw();
		changed();
		grid.querySelector(`[data-day="${day}"]`)?.focus();
	}
	function draw() {
		const next = addDays(`${month}-01`, 32).slice(0, 7);
		const how = { from: from.value, to: to.value, choose };
		grid.replaceChildren(
			button('‹', () => turn(-30), { class: 'round', 'aria-label': t('prevMonth') }),
			monthGrid(house, month, how),
			monthGrid(house, next, how),
			button('›', () => turn(30), { class: 'round', 'aria-label': t('nextMonth') }),
		);
	}
	draw();
	return { grid, draw };
}

/* ---- what is set ---- */

const rangeText = ({ from, to }) =>
	from === to ? shortDay(from) : `${shortDay(from)} – ${shortDay(to)}`;

function aboutText(house, { rows }) {
	const [first] = rows;
	const deposit = first.depositPerPerson;
	return [
		hoursShown(rows) || t(specialKind(rows)),
		first.note,
		deposit !== undefined && t('depositEach', money(deposit, house)),
	]
		.filter(Boolean)
		.join(' · ');
}

function drawKnown(house, remove) {
	const line = (range) =>
		el(
			'li',
			{},
			el('b', {}, rangeText(range)),
			` ${aboutText(house, range)} `,
			button(t('removeIt'), () => remove(range), {
				class: 'plain small',
				'aria-label': `${rangeText(range)} ${t('removeIt')}`,
			}),
		);
	return rangesOf(house.specialDays).map(line);
}

/* ---- the form ---- */

const dateInput = (house, name) =>
	el('input', {
		name,
		type: 'date',
		required: true,
		value: addDays(house.today, 1),
		min: house.today,
	});

function makeInputs(desk, house, settings) {
	const digits = house.currencyDigits;
	const usual = settings.find((s) => s.name === 'depositPerPerson')?.value ?? 0;
	return {
		from: dateInput(house, 'from'),
		to: dateInput(house, 'to'),
		kind: select(KINDS, 'closedDay', t),
		note: text('', LENGTHS.dayNote, { name: 'note' }),
		deposit: number('', 0, typedOf(DEPOSIT_MAX, digits), {
			'data-field': 'depositPerPerson',
			required: false,
			step: typedOf(1, digits),
			placeholder: typedOf(usual, digits),
		}),
		services: servicesEditor([], { desk, settings, digits }),
	};
}

/* What is sent of a form. */
function wishOf({ from, to, kind, note, deposit, services }, digits) {
	const open = kind.value === 'ownHours' || kind.value === 'asWeek';
	return filled({
		from: from.value,
		to: to.value,
		...(kind.value === 'closedDay' ? { closed: true } : {}),
		...(kind.value === 'asWeek' ? { asWeek: true } : {}),
		...(kind.value === 'ownHours' ? { services: services.read() } : {}),
		note: kind.value === 'asUsual' ? '' : note.value.trim(),
		...(open && deposit.value !== '' ? { depositPerPerson: amountOf(deposit.value, digits) } : {}),
	});
}

/* The rows of the book after that was saved. */
function rowsAfter(known, { from, to, services, closed, asWeek = false, ...rest }) {
	const others = known.filter((s) => s.day < from || s.day > to);
	const rows = services ?? (closed || asWeek ? [{}] : []);
	const days = [];
	for (let day = from; day <= to && rows.length; day = addDays(day, 1)) days.push(day);
	const made = days.flatMap((day) => rows.map((row) => ({ day, asWeek, ...row, ...rest })));
	return [...others, ...made].sort((a, b) => a.day.localeCompare(b.day));
}

/* The form as the first day of its range is now: nothing of another day stays in it. */
function showDay(house, inputs, draw) {
	const { from, kind, note, deposit, services } = inputs;
	const rows = house.specialDays.filter((s) => s.day === from.value);
	kind.value = rows.length ? specialKind(rows) : 'closedDay';
	note.value = rows[0]?.note ?? '';
	const each = rows[0]?.depositPerPerson;
	deposit.value = each === undefined ? '' : typedOf(each, house.currencyDigits);
	services.fill(servicesOf(house, from.value));
	draw();
}

/** data: the answer of GET /api/desk/house; house: that of the restaurant. */
export function special({ desk, data, house, query }) {
	house.specialDays = data.specialDays ?? [];
	const inputs = makeInputs(desk, house, data.settings);
	const { from, to, kind, note, deposit, services } = inputs;
	const known = el('ul', { class: 'special' });
	const own = el('div', {}, ...services.nodes);
	const more = [field(null, t('dayNote'), note), field(null, t('dayDeposit'), deposit)];
	const { grid, draw } = rangeGrid(house, from, to, () => showDay(house, inputs, look));
	let touched = false; /* something was typed that is not saved */
	function look() {
		touched = false;
		own.hidden = kind.value !== 'ownHours';
		more[0].hidden = kind.value === 'asUsual';
		more[1].hidden = !['ownHours', 'asWeek'].includes(kind.value);
	}
	function drawAll() {
		known.replaceChildren(...drawKnown(house, remove));
		draw();
		look();
	}
	async function send(wish) {
		const answer = await put('/api/desk/special-days', wish, { query });
		house.specialDays = rowsAfter(house.specialDays, wish);
		drawAll();
		return answer;
	}
	const remove = (range) =>
		send({ from: range.from, to: range.to }).catch((error) => desk.say(desk.sentence(error)));
	kind.addEventListener('change', () => {
		look();
		touched = true;
	});
	from.addEventListener('change', () => {
		if (to.value < from.value) to.value = from.value;
		showDay(house, inputs, drawAll);
	});
	to.addEventListener('change', () => {
		const was = touched;
		drawAll();
		touched = was;
	});
	showDay(house, inputs, drawAll);
	const card = section(desk, {
		title: t('special'),
		about: t('specialText'),
		children: [
			known,
			grid,
			el(
				'div',
				{ class: 'edit-row' },
				field(null, t('fromDay'), from),
				field(null, t('toDay'), to),
				field(null, t('specialKind'), kind),
				...more,
			),
			own,
		],
		save: () => send(wishOf(inputs, house.currencyDigits)),
	});
	card.addEventListener('input', (event) => {
		touched ||= ![from, to].includes(event.target);
	});
	card.unsaved = () => (touched ? t('settings.unsaved', t('special'), 0) : '');
	return card;
}
