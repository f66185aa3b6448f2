/*
 * services.js - the rows of an hours editor: services with days, times and rules of their own.
 */
import { clockTime } from '../../dates.js';
import { actions, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { later } from '../acts/send.js';
import { MEALS, mealOf, OWN_RULES, sameEveryDay, sameServices, weekdaysFrom } from '../owner.js';
import { filled, text } from './section.js';

let rows = 0;

/* ---- what differs from the house ---- */

const ownOf = (service) =>
	Object.fromEntries(OWN_RULES.map((name) => [name, service[name]]).filter(([, n]) => n >= 0));

/* The rules of its own, folded; their fields come when they are unfolded. */
function ownRules(service, how) {
	const summary = el('summary', { 'data-field': 'ownRules' });
	let read = () => ownOf(service);
	const count = () => {
		const own = Object.values(read()).filter((n) => n >= 0).length;
		summary.textContent = own ? t('ownRulesOf', own) : t('ownRules');
	};
	const node = el('details', { class: 'own-rules', oninput: count }, summary);
	const unfold = ({ ruleInputs }) => {
		const inputs = ruleInputs(service, how);
		read = inputs.read;
		node.append(inputs.node);
	};
	const load = () => later(how.desk, () => import('./ownrules.js'), unfold);
	node.addEventListener('toggle', load, { once: true });
	count();
	return { node, read: () => read() };
}

/* ---- a row ---- */

function dayTicks(chosen, firstWeekday) {
	const inputs = weekdaysFrom(firstWeekday).map((weekday) => ({
		weekday,
		input: el('input', { type: 'checkbox', checked: chosen.includes(weekday) }),
	}));
	const all = () => {
		for (const { input } of inputs) input.checked = true;
	};
	return {
		node: el(
			'div',
			{ class: 'chips wrap day-of', role: 'group', 'aria-label': t('onDays') },
			inputs.map(({ weekday, input }) =>
				el('label', { class: 'chip' }, input, el('span', {}, t('days')[weekday])),
			),
			button(t('everyDay'), all, { class: 'plain small' }),
		),
		read: () => inputs.filter(({ input }) => input.checked).map(({ weekday }) => weekday),
	};
}

/* Its name: a meal's word is translated, every other is the owner's own.  Empty is by the hour. */
function nameInput(label, meal) {
	const list = `meals-${rows}`;
	const shown = MEALS.includes(label) ? t(`meals.${label}`) : (label ?? '');
	const input = text(shown === t(`meals.${meal()}`) ? '' : shown, LENGTHS.service, { list });
	const hint = () => {
		input.placeholder = meal() ? t(`meals.${meal()}`) : t('allDay');
	};
	const read = () => {
		const typed = input.value.trim();
		return MEALS.find((word) => t(`meals.${word}`) === typed) ?? (typed || meal());
	};
	const options = el(
		'datalist',
		{ id: list },
		MEALS.map((word) => el('option', { value: t(`meals.${word}`) })),
	);
	hint();
	return { input, options, hint, read };
}

const clockInput = (value, required = true) =>
	el('input', { type: 'time', value: value ? clockTime(value) : '', required });

function serviceRow(service, how) {
	rows++;
	const from = clockInput(service.opens);
	const to = clockInput(service.closes);
	const last = clockInput(service.lastSeating, false);
	last.dataset.field = 'lastSeating';
	const name = nameInput(service.label, () => mealOf(from.value, to.value));
	const days = how.weekly ? dayTicks(service.weekdays, how.firstWeekday) : null;
	const own = how.settings ? ownRules(service, how) : null;
	const night = el('p', { class: 'hint' });
	const look = () => {
		night.textContent = to.value && to.value <= from.value ? t('nightHours', to.value) : '';
		name.hint();
	};
	const row = el(
		'div',
		{ class: 'service', oninput: look },
		days?.node,
		el(
			'div',
			{ class: 'span' },
			field(null, t('serviceName'), name.input),
			field(null, t('opens'), from),
			field(null, t('closes'), to),
			field(null, t('lastSeating'), last, { optional: true }),
			button('×', () => row.remove(), { class: 'round', 'aria-label': t('removeIt') }),
		),
		name.options,
		night,
		own?.node,
	);
	look();
	row.read = () => {
		const one = filled({
			opens: from.value,
			closes: to.value,
			lastSeating: last.value,
			label: name.read(),
			...own?.read(),
		});
		return days ? days.read().map((weekday) => ({ weekday, ...one })) : [one];
	};
	return row;
}

/* Fills the week from its Monday; there as long as that would change something. */
function sameButton(list, read, fill) {
	const same = button(
		'',
		() => {
			fill(sameEveryDay(read()).rows);
			list.dispatchEvent(new Event('change', { bubbles: true }));
			list.querySelector('input').focus();
		},
		{ class: 'plain' },
	);
	const look = () => {
		const week = sameEveryDay(read());
		same.hidden = !week;
		if (week) same.textContent = t('settings.sameAs', t('days')[week.from]);
	};
	for (const event of ['input', 'change', 'click']) list.addEventListener(event, look);
	look();
	return same;
}

/** weekly: they have weekdays; settings, digits: the house's rules, for those that differ. */
export function servicesEditor(services, how) {
	const list = el('div', { class: 'services' });
	const add = (service) => list.append(serviceRow(service, how));
	const addNew = () => {
		add({ opens: '17:00', closes: '22:00', weekdays: [] });
		list.lastElementChild.querySelector('input').focus();
	};
	const fill = (from) => {
		list.replaceChildren();
		for (const service of how.weekly ? sameServices(from) : from) add(service);
	};
	fill(services);
	const read = () => [...list.children].flatMap((row) => row.read());
	const same = how.weekly && sameButton(list, read, fill);
	return {
		nodes: [list, actions(button(t('addService'), addNew, { class: 'soft' }), same)],
		fill,
		read,
	};
}
