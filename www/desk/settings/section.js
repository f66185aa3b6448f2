/*
 * section.js - a card of the settings: its inputs, the button that saves them, and how that went;
 * and the owner's rules as such cards.
 */
import { put } from '../../api.js';
import { actions, field, form } from '../../forms.js';
import { money, shortDay, slotWhen, t } from '../../i18n.js';
import { announce, button, el } from '../../ui.js';
import { amountOf, CHOICES, GROUPS, hundredthOf, SEEN, shownAs, typedOf } from '../owner.js';
import { grip, moveButtons } from './order.js';
import { changedNames, fewOf, numbered, only } from './unsaved.js';

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
		oninvalid: () => {
			const fraction = input.validity.stepMismatch && (String(more.step ?? 1).split('.')[1] ?? '');
			const why = fraction === false ? t('range', min, max) : t('decimals', fraction.length);
			input.setCustomValidity(why);
		},
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

/* What is not saved in a sentence, or '' where everything is. */
function unsavedText(names, nameOf) {
	if (!names.length) return '';
	const { shown, more } = fewOf(names.map(nameOf));
	return t('settings.unsaved', shown.join(', '), more);
}

/*
 * The bar of a card that knows what has changed: it appears with the first change, says what is not
 * saved, and stays in sight until it is.  read(): the card's values; nameOf(name): what one of them
 * is called.  Gives changed(), and take(values): these are saved.
 */
function followChanges(card, { read, nameOf, result, drop }) {
	const bar = card.lastElementChild;
	const said = el('span', { class: 'unsaved' });
	let before = read();
	const changed = () => changedNames(before, read());
	function look() {
		card.unsavedNow = unsavedText(changed(), nameOf);
		said.textContent = card.unsavedNow;
		bar.classList.toggle('changed', Boolean(card.unsavedNow));
		if (card.unsavedNow && !result.classList.contains('bad')) result.textContent = '';
	}
	const take = (values) => {
		before = values;
		look();
	};
	/* After the listeners of the inputs, which may change others. */
	const later = () => setTimeout(look);
	for (const event of ['input', 'change', 'click']) card.addEventListener(event, later);
	bar.classList.add('save-bar');
	bar.prepend(said);
	bar.querySelector('[type=submit]').after(drop);
	card.unsaved = () => {
		look();
		return card.unsavedNow;
	};
	return { changed, take };
}

/**
 * A card with a button that saves it.  save(values, names) gives the answer, or throws; label and
 * kind: of the button.
 *
 * read(): the card's values, for a card that follows what has changed in it; save() then gets them,
 * and the names of those that are others, and without a change it is not called.  nameOf(name):
 * what a value is called.  Such a card has unsaved(), a sentence or '', and saveNow(), true if it
 * is saved.
 */
export function section(desk, how) {
	const { title, about, children, read, save, nameOf = t, label = t('save'), kind } = how;
	const result = el('p', { class: 'result', role: 'status' });
	let follow = null;
	function tell(answer) {
		const torn = answer?.contradicted ?? [];
		result.textContent = torn.length ? t('contradicted', torn.length) : t('saved');
		card.querySelector('.torn')?.remove();
		if (torn.length) card.lastElementChild.before(drawTorn(torn));
		announce(result.textContent);
	}
	async function send() {
		result.textContent = '';
		result.classList.remove('bad');
		const values = read?.();
		const names = follow?.changed() ?? [];
		if (follow && !names.length) {
			result.textContent = t('settings.nothing');
			return true;
		}
		try {
			const answer = await save(values, names);
			follow?.take(values);
			tell(answer);
			return true;
		} catch (error) {
			result.classList.add('bad');
			result.textContent = refusal(desk, card, error);
			return false;
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
	/* From the tap on nothing is unsaved, although the card is drawn anew a moment later. */
	function giveUp() {
		follow.take(read());
		card.dispatchEvent(new Event('givenup'));
	}
	const drop = button(t('settings.undo'), giveUp, { class: 'plain' });
	if (read) follow = followChanges(card, { read, nameOf, result, drop });
	card.shows = follow?.take; /* other values of the book stand in the card now */
	card.saveNow = async () => card.reportValidity() && send();
	return card;
}

/**
 * A list whose rows can be added and removed, and where the order counts be dragged or moved.
 * make(value): a row's nodes, read(), and one more class of it.
 */
export function listEditor(rows, make, addLabel, { ordered = true } = {}) {
	const list = el('div', { class: 'edit-list' });
	function add(value) {
		const { nodes, read, learn, className = '' } = make(value);
		const row = el('div', { class: `edit-row ${className}`.trim() }, ...nodes);
		const remove = button('×', () => row.remove(), {
			class: 'round',
			'aria-label': t('removeIt'),
		});
		row.append(el('div', { class: 'row-tools' }, ordered && moveButtons(row), remove));
		if (ordered) row.prepend(grip(row));
		row.read = read;
		row.learn = learn;
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
		rows: () => [...list.children],
	};
}

/**
 * Saves a list whose rows the book knows by a number, and reads the numbers of those that are new:
 * without them the next save would take these away and put others of the same name in their place.
 *
 * rows: as they were sent in values[name]; numbersOf(): theirs in the book now, in that order.
 */
export async function saveNumbered({ values, name, key, rows, send, numbersOf }) {
	const sent = values[name];
	const answer = await send();
	if (sent.every((row) => row[key] !== undefined)) return answer;
	const numbers = await numbersOf(sent).catch(() => []); /* it is saved all the same */
	values[name] = numbered(sent, key, numbers);
	for (const [i, row] of rows.entries()) row.learn(values[name][i][key]);
	return answer;
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
		const parts = SEEN[group](
			read(),
			(n) => money(n, house),
			hundredthOf(house.currencyDigits),
			house,
		);
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

/** What a rule is called; the names of the other settings are words of their own. */
export const ruleName = (name) =>
	Object.values(GROUPS).flat().includes(name) ? t(`rules.${name}.label`) : t(name);

/**
 * A card of rules.  below: more of it under them; read(): the values of that; follow(values) is
 * told what stands in the fields, at once and after each key.
 */
export function rulesSection(of, group, { below = [], read: more, follow } = {}) {
	const { desk, data, house, query } = of;
	const rules = ruleFields(group, data.settings, house);
	const read = () => ({ ...rules.read(), ...more?.() });
	const card = section(desk, {
		title: t(`groups.${group}.title`),
		about: t(`groups.${group}.about`),
		children: [rules.node, ...below],
		read,
		nameOf: ruleName,
		/* Only what has changed: what another owner sets meanwhile stays as it is. */
		save: (values, names) => put('/api/desk/settings', only(names, values), { query }),
	});
	const tell = () => follow?.(read());
	card.addEventListener('input', tell);
	tell();
	return card;
}
