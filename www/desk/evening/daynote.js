/*
 * daynote.js - what the team is told on top of a day, on all tablets and on paper: its note, and
 * the dishes that are sold out.
 */
import { own, t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { later } from '../acts/send.js';

export const NOTE_DIALOGS = {
	note: (desk) =>
		later(
			desk,
			() => import('../acts/daynote.js'),
			(m) => m.dayNote(desk),
		),
	dishes: (desk) =>
		later(
			desk,
			() => import('../acts/dishes.js'),
			(m) => m.dishes(desk),
		),
};

/** A dish in the language on the screen. */
export const dishName = ({ name, nameEn }) => own(name, nameEn);

function drawNote(desk, { note, by, at }) {
	return el(
		'button',
		{
			type: 'button',
			class: 'shift-note',
			'data-notice': 'note',
			onclick: () => NOTE_DIALOGS.note(desk),
		},
		el('span', { class: 'said' }, note),
		el('small', {}, t('shift.by', by ?? '–', desk.moment(at))),
	);
}

function drawDishes(desk, dishes) {
	const names = dishes.map(dishName).join(', ');
	return button(t('dish.off', names), () => NOTE_DIALOGS.dishes(desk), {
		class: 'dishes-off',
		'data-notice': 'dishes',
	});
}

/** What stands below the heading of the day. */
export function makeDayNote(desk) {
	const node = el('div', { class: 'team' });
	return {
		node,
		draw() {
			const { dayNote, dishesOff = [] } = desk.day;
			const parts = [
				dayNote?.note && drawNote(desk, dayNote),
				dishesOff.length > 0 && drawDishes(desk, dishesOff),
			].filter(Boolean);
			node.hidden = !parts.length;
			node.replaceChildren(...parts);
		},
		clear: () => node.replaceChildren(),
	};
}

/** Buttons for the menu of what can be added to a day. */
export const noteButtons = (desk) =>
	['note', 'dishes'].map((name) =>
		button(
			t(name === 'note' ? 'shift.add' : 'dish.title'),
			() => desk.withDay(() => NOTE_DIALOGS[name](desk)),
			{ class: 'plain', id: `team-${name}` },
		),
	);
