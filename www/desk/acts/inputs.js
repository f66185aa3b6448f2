/*
 * inputs.js - what the dialogs of the desk ask for: a day, a time, a size, a name, a telephone,
 * tables.
 */
import { addDays, clockTime, minutesOf } from '../../dates.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { spotOf } from '../evening/lanes.js';
import { active, minuteOfEvening, sittingAt } from '../evening/state.js';

const AHEAD_DAYS = 730;
const LARGEST = 12;
const SIZES = Array.from({ length: LARGEST }, (_, i) => i + 1);

/** A day from today on: the one on the screen unless that is over. */
export function dayInput(desk, id) {
	const { today } = desk.clock();
	return el('input', {
		id,
		type: 'date',
		value: desk.day.date < today ? today : desk.day.date,
		min: today,
		max: addDays(today, AHEAD_DAYS),
		required: true,
	});
}

/** A time as a clock shows it: of an evening's night the box knows which is meant. */
export const timeInput = (id, value = '18:00') =>
	el('input', { id, type: 'time', required: true, step: '300', value: clockTime(value) });

export const partyInput = (id, value = 2) =>
	el('input', {
		id,
		type: 'number',
		min: '1',
		max: '1000',
		value: String(value),
		inputMode: 'numeric',
		required: true,
	});

/** A button for each size; tap(n). */
export const sizeButtons = (tap, kind) =>
	el(
		'div',
		{ class: 'sizes' },
		SIZES.map((n) => button(String(n), () => tap(n), { class: kind, 'data-size': String(n) })),
	);

export const nameInput = (id, more = {}) =>
	el('input', { id, 'data-limit': LENGTHS.name, autocomplete: 'off', ...more });

/* Without a country it is one of the house's: its own is the example. */
export const phoneInput = (desk, id, more = {}) =>
	el('input', {
		id,
		placeholder: desk.day?.house.phoneExample ? t('example', desk.day.house.phoneExample) : '',
		type: 'tel',
		inputMode: 'tel',
		autocomplete: 'off',
		maxLength: LENGTHS.phone,
		...more,
	});

export const noteInput = (id, value = '', most = LENGTHS.note) =>
	el('textarea', { id, 'data-limit': most, rows: 2, value: value ?? '' });

export const tick = (input, label) => el('label', { class: 'tick' }, input, ` ${label}`);

const tableChip = (table, chosen) =>
	el(
		'label',
		{ class: 'chip' },
		el('input', {
			type: 'checkbox',
			value: String(table.tableId),
			checked: chosen.includes(table.tableId),
		}),
		el('span', {}, `${table.name} (${table.seatsMax})`, el('small', {})),
	);

/* Who has each table then, of the day on the screen; of several the first. */
function takers(desk, { date, minute, minutes, self }) {
	if (date !== desk.day.date) return new Map();
	const { ms } = desk.clock();
	const there = desk.day.reservations.filter((r) => {
		const spot = spotOf(r, ms);
		const meets = spot.minute < minute + minutes && minute < spot.minute + spot.minutes;
		return r.reservationId !== self && active(r) && meets;
	});
	return new Map(there.reverse().flatMap((r) => r.tables.map((id) => [id, r])));
}

/**
 * Tables as toggles; none pressed is "whichever fit".  wish() is what a request says of them;
 * mark({ date, minute, minutes, self }) names who has them then, but for self.
 */
export function tablePicker(desk, chosen = []) {
	if (!desk.day?.tables.length) {
		return { node: null, wish: () => ({}), choose: () => {}, mark: () => {} };
	}
	const node = el(
		'fieldset',
		{ class: 'tables' },
		el('legend', {}, t('chooseTables')),
		el(
			'div',
			{ class: 'chips wrap' },
			desk.day.tables.map((table) => tableChip(table, chosen)),
		),
		el('p', { class: 'hint' }, t('anyTable')),
	);
	const wish = () => {
		const pressed = [...node.querySelectorAll('input:checked')];
		const tables = pressed.map((input) => ({ tableId: Number(input.value) }));
		return tables.length ? { tables } : {};
	};
	const choose = (list) => {
		for (const input of node.querySelectorAll('input')) {
			input.checked = list.some(({ tableId }) => tableId === Number(input.value));
		}
	};
	const mark = (when) => {
		const taken = takers(desk, when);
		for (const chip of node.querySelectorAll('.chip')) {
			const r = taken.get(Number(chip.querySelector('input').value));
			chip.classList.toggle('taken', Boolean(r));
			chip.querySelector('small').textContent = r ? `${clockTime(r.slotTime)} ${r.guestName}` : '';
		}
	};
	return { node, wish, choose, mark };
}

/** The same for a party that sits down now. */
export function tablesNow(desk, chosen) {
	const tables = tablePicker(desk, chosen);
	if (!tables.node) return tables;
	const { today, time } = desk.clock();
	const minute = minuteOfEvening(desk.day, desk.clock()) ?? minutesOf(time);
	tables.mark({ date: today, minute, minutes: sittingAt(desk.day, minute) });
	return tables;
}
