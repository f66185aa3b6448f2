/*
 * special.js - days that differ from their week: closed, with services of their own, or as usual
 * with a note or a deposit.
 */
import { put } from '../../api.js';
import { addDays } from '../../dates.js';
import { field } from '../../forms.js';
import { money, shortDay, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { amountOf, typedOf } from '../owner.js';
import {
	hoursShown,
	isOneKind,
	rangesOf,
	rowsAfter,
	servicesOf,
	specialKind,
	wishOfRange,
} from './days.js';
import { mayLeave } from './leaving.js';
import { rangeGrid } from './range.js';
import { filled, number, section, select, text } from './section.js';
import { servicesEditor } from './services.js';

const KINDS = ['asUsual', 'closedDay', 'ownHours', 'asWeek'];
const DEPOSIT_MAX = 1000000000; /* of the smallest unit */

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
		kind: select(KINDS, 'asUsual', t),
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

/* The same without its days. */
function aboutOf(inputs, digits) {
	const { from, to, ...about } = wishOf(inputs, digits);
	return about;
}

/* The form as the first day of its range is now: nothing of another day stays in it. */
function fillForm(house, { from, kind, note, deposit, services }) {
	const rows = house.specialDays.filter((s) => s.day === from.value);
	kind.value = rows.length ? specialKind(rows) : 'asUsual';
	note.value = rows[0]?.note ?? '';
	const each = rows[0]?.depositPerPerson;
	deposit.value = each === undefined ? '' : typedOf(each, house.currencyDigits);
	services.fill(servicesOf(house, from.value));
}

/*
 * The form with what it has of its own: own, the services; look(), which shows what its kind needs.
 */
function makeForm(inputs) {
	const { from, to, kind, note, deposit, services } = inputs;
	const own = el('div', {}, ...services.nodes);
	const more = [field(null, t('dayNote'), note), field(null, t('dayDeposit'), deposit)];
	function look() {
		own.hidden = kind.value !== 'ownHours';
		more[0].hidden = kind.value === 'asUsual';
		more[1].hidden = !['ownHours', 'asWeek'].includes(kind.value);
	}
	kind.addEventListener('change', look);
	const row = el(
		'div',
		{ class: 'edit-row' },
		field(null, t('fromDay'), from),
		field(null, t('toDay'), to),
		field(null, t('specialKind'), kind),
		...more,
	);
	return { nodes: [row, own], look };
}

/*
 * The days that are chosen: what the form says of them is saved by the card's bar, and is asked
 * about before other days take its place.
 */
function followRange(house, inputs, form) {
	const { from, to } = inputs;
	const digits = house.currencyDigits;
	const now = () => ({ from: from.value, to: to.value });
	let said = null; /* what the form would say of the first day as it is in the book */
	let range = now();
	const choice = {
		card: null,
		read: () => ({ days: { about: aboutOf(inputs, digits), alike: true } }),
		name: () => rangeText(now()),
		wish: () => wishOf(inputs, digits),
		/* The book has these days as the form says. */
		saved() {
			said = aboutOf(inputs, digits);
		},
		/* Another range; begins: with another first day, so with what the book has of that. */
		turn(begins) {
			if (begins) fillForm(house, inputs);
			if (begins) choice.saved();
			form.look();
			range = now();
			const alike = isOneKind(house.specialDays, range);
			choice.card?.shows({ days: { about: said, alike } });
		},
		/* The book has changed below the form; typed: words stand in it that are not saved. */
		changedBelow(typed, other) {
			if (!typed) return choice.turn(true);
			if (other.from <= range.from && range.from <= other.to) said = null;
			return choice.turn(false);
		},
		mayBegin: () => mayLeave(choice.card),
		/* Both inputs as they were, until it is said what becomes of the words. */
		async typedFrom() {
			const day = from.value;
			from.value = range.from;
			to.value = range.to;
			if (!day || !(await mayLeave(choice.card))) return;
			from.value = day;
			if (to.value < day) to.value = day;
			choice.turn(true);
		},
	};
	return choice;
}

/** data: the answer of GET /api/desk/house; house: that of the restaurant. */
export function special({ desk, data, house, query }) {
	house.specialDays = data.specialDays ?? [];
	const inputs = makeInputs(desk, house, data.settings);
	const { from, to } = inputs;
	const form = makeForm(inputs);
	const choice = followRange(house, inputs, form);
	const { grid, draw } = rangeGrid(house, inputs, {
		mayBegin: choice.mayBegin,
		changed: choice.turn,
	});
	const known = el('ul', { class: 'special' });
	function drawAll() {
		known.replaceChildren(...drawKnown(house, remove));
		draw();
	}
	async function send(wish) {
		const answer = await put('/api/desk/special-days', wish, { query });
		house.specialDays = rowsAfter(house.specialDays, wish);
		return answer;
	}
	/* A line of the list is an act of its own: done at once, with a way back. */
	async function act(wish, text, undo) {
		const typed = Boolean(card.unsaved());
		try {
			await send(wish);
			choice.changedBelow(typed, wish);
			drawAll();
			desk.say(text, undo);
		} catch (error) {
			desk.say(desk.sentence(error));
		}
	}
	const remove = (range) =>
		act({ from: range.from, to: range.to }, t('settings.removed', rangeText(range)), () =>
			act(wishOfRange(range), t('settings.back', rangeText(range))),
		);
	from.addEventListener('change', () => choice.typedFrom().then(draw));
	to.addEventListener('change', () => {
		choice.turn(false);
		draw();
	});
	const card = section(desk, {
		title: t('special'),
		about: t('specialText'),
		children: [known, grid, ...form.nodes],
		read: choice.read,
		nameOf: choice.name,
		async save() {
			const answer = await send(choice.wish());
			choice.saved();
			drawAll();
			return answer;
		},
	});
	choice.card = card;
	choice.turn(true);
	drawAll();
	return card;
}
