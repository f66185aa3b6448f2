/*
 * section.js - a card of the settings: its inputs, the button that saves them, and how that went;
 * and the owner's rules as such cards.
 */
import { put } from '../../api.js';
import { actions, field, form } from '../../forms.js';
import { money, shortDay, slotWhen, t } from '../../i18n.js';
import { announce, button, el } from '../../ui.js';
import { amountOf, CHOICES, GROUPS, hundredthOf, SEEN, shownAs, typedOf } from '../owner.js';

export const text = (value, most, more = {}) =>
	el('input', { value: value ?? '', 'data-limit': most, autocomplete: 'off', ...more });

/** In lines: Enter begins another. */
export const lines = (value, most, more = {}) =>
	el('textarea', { value: value ?? '', 'data-limit': most, rows: 2, ...more });

export const time = (value) => el('input', { type: 'time', value, required: true });

export const select = (words, chosen, labelOf, more = {}) =>
	el(
		'select',
		more,
		words.map((word) => el('option', { value: word, selected: word === chosen }, labelOf(word))),
	);

/** A number; what is refused hears which ones are taken. */
export function number(value, min, max, more = {}) {
	const input = el('input', {
		type: 'number',
		value: String(value),
		min: String(min),
		max: String(max),
		inputMode: more.step && more.step !== '1' ? 'decimal' : 'numeric',
		required: true,
		oninvalid: () => input.setCustomValidity(t('range', min, max)),
		oninput: () => input.setCustomValidity(''),
		...more,
	});
	return input;
}

/** An amount with the digits of the house's currency; input.amount(): in its smallest unit. */
export function amountInput(value, max, digits, more = {}) {
	const typed = (n) => typedOf(n, digits);
	const input = number(typed(value), 0, typed(max), { step: typed(1), ...more });
	input.amount = () => amountOf(input.value, digits);
	return input;
}

/** What was filled in. */
export const filled = (object) =>
	Object.fromEntries(
		Object.entries(object).filter(
			([, value]) => value !== '' && value !== null && value !== undefined,
		),
	);

/* Who was promised what the house would not take any more, and what that is. */
function drawTorn(rows) {
	const one = (r) =>
		[
			slotWhen(r.slotDate, r.slotTime, shortDay),
			r.guestName,
			t('people', r.partySize),
			r.phone,
			t(`torn.${r.contradicts}`),
		]
			.filter(Boolean)
			.join(' · ');
	return el(
		'ul',
		{ class: 'torn' },
		rows.map((r) => el('li', {}, one(r))),
	);
}

/*
 * The sentence of a refusal, with what it needs to be understood: which values are taken, how many
 * reservations are in the way.
 */
function refusal(desk, card, error) {
	const { field: name, upcoming } = error.body ?? {};
	if (name) card.querySelector(`[name="${name}"], [data-field="${name}"]`)?.focus();
	return [desk.sentence(error), t('taken')[name], upcoming && t('inTheWay', upcoming)]
		.filter(Boolean)
		.join(' ');
}

/**
 * A card with a button that saves it.  save() gives the answer, or throws; label and kind: of the
 * button.
 */
export function section(desk, { title, about, children, save, label = t('save'), kind }) {
	const result = el('p', { class: 'result', role: 'status' });
	async function send() {
		result.textContent = '';
		result.classList.remove('bad');
		try {
			const torn = (await save())?.contradicted ?? [];
			result.textContent = torn.length ? t('contradicted', torn.length) : t('saved');
			card.querySelector('.torn')?.remove();
			if (torn.length) card.append(drawTorn(torn));
			announce(result.textContent);
		} catch (error) {
			result.classList.add('bad');
			result.textContent = refusal(desk, card, error);
		}
	}
	const card = form({
		class: 'card',
		content: [el('h2', {}, title), about && el('p', { class: 'hint' }, about), ...children],
		submit: label,
		kind,
		others: [result],
		send,
	});
	return card;
}

/** A list whose rows can be added, removed and moved up; make(value): a row's nodes and read(). */
export function listEditor(rows, make, addLabel) {
	const list = el('div', {});
	function add(value) {
		const { nodes, read } = make(value);
		const row = el(
			'div',
			{ class: 'edit-row' },
			...nodes,
			button('↑', () => row.previousElementSibling?.before(row), {
				class: 'round',
				'aria-label': t('up'),
			}),
			button('×', () => row.remove(), { class: 'round', 'aria-label': t('removeIt') }),
		);
		row.read = read;
		list.append(row);
	}
	function addNew() {
		add();
		list.lastElementChild.querySelector('input').focus();
	}
	for (const value of rows) add(value);
	return {
		nodes: [list, actions(button(addLabel, addNew, { class: 'soft' }))],
		read: () => [...list.children].map((row) => row.read()),
	};
}

/* ---- rules ---- */

/** An input with the label of a rule, and its sentence below. */
export const ruleField = (name, input) =>
	field(null, t(`rules.${name}.label`), input, { hint: t(`rules.${name}.help`) });

/* read(): its value for the box. */
function inputOf(setting, digits) {
	const { name } = setting;
	const words = CHOICES[name];
	if (words) {
		const input = select(words, words[setting.value], (word) => t(`choice.${word}`), { name });
		return { input, read: () => words.indexOf(input.value) };
	}
	const { value, min, max, step, kept } = shownAs(setting, digits);
	const input = number(value, min, max, { name, step: String(step) });
	return { input, read: () => kept(input.value) };
}

/* What guests will read with the values that are in the fields now, before anything is saved. */
function drawSeen(group, read, house) {
	const said = el('span', {});
	const tell = () => {
		const parts = SEEN[group](read(), (n) => money(n, house), hundredthOf(house.currencyDigits));
		said.textContent = t(`groups.${group}.seen`, parts);
	};
	tell();
	return { node: el('p', { class: 'told' }, el('b', {}, t('guestsRead')), ' ', said), tell };
}

/** The fields of a card, and their values. */
export function ruleFields(group, settings, house = {}) {
	const rows = GROUPS[group].map((name) => {
		const setting = settings.find((s) => s.name === name);
		const { input, read } = inputOf(setting, house.currencyDigits);
		return { name, read, node: ruleField(name, input) };
	});
	const read = () => Object.fromEntries(rows.map((row) => [row.name, row.read()]));
	const seen = SEEN[group] && drawSeen(group, read, house);
	const fields = el(
		'div',
		{ class: 'rules', oninput: seen?.tell },
		rows.map((row) => row.node),
	);
	return { node: el('div', {}, fields, seen?.node), read };
}

export function rulesSection(desk, group, settings, query, house) {
	const rules = ruleFields(group, settings, house);
	return section(desk, {
		title: t(`groups.${group}.title`),
		about: t(`groups.${group}.about`),
		children: [rules.node],
		save: () => put('/api/desk/settings', rules.read(), { query }),
	});
}
