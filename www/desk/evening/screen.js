/*
 * screen.js - the evening: the day and what can be added to it on top, and below it the list, the
 * tables as they are now, or the timeline.
 */
import { addDays, clockTime } from '../../dates.js';
import { longDay, shortDay, t } from '../../i18n.js';
import { $, button, el } from '../../ui.js';
import { later } from '../acts/send.js';
import { drawMenu, shortly } from '../menu.js';
import { noMoreButton } from './closures.js';
import { makeDayNote, noteButtons } from './daynote.js';
import { drawList } from './list.js';
import { makeOpening } from './opening.js';
import { holdLeft } from './row.js';
import { slotsAhead, totalsOf } from './state.js';

/* ---- the top ---- */

/* The day, and the ways to others; today: the way back, where it is another. */
function drawDays(desk, heading, dayInput, today) {
	const step = (sign, days, label) =>
		button(sign, () => desk.goTo(addDays(desk.date, days)), {
			class: 'round',
			'aria-label': label,
		});
	return el(
		'div',
		{ class: 'days' },
		step('‹', -1, t('prevDay')),
		heading,
		step('›', 1, t('nextDay')),
		dayInput,
		today,
	);
}

const DIALOGS = {
	walkIn: (desk) =>
		later(
			desk,
			() => import('../acts/walkin.js'),
			(m) => m.walkIn(desk),
		),
	phone: (desk) =>
		later(
			desk,
			() => import('../acts/phone.js'),
			(m) => m.phoneBooking(desk),
		),
	door: (desk) =>
		later(
			desk,
			() => import('../door/panel.js'),
			(m) => m.toggle(desk),
		),
	wait: (desk) =>
		later(
			desk,
			() => import('../acts/wait.js'),
			(m) => m.addWaiter(desk),
		),
	block: (desk) =>
		later(
			desk,
			() => import('../acts/block.js'),
			(m) => m.blockTime(desk),
		),
	search: (desk) =>
		later(
			desk,
			() => import('../acts/search.js'),
			(m) => m.search(desk),
		),
	print: (desk) =>
		later(
			desk,
			() => import('./sheet.js'),
			(m) => m.printSheet(desk),
		),
	save: (desk) =>
		later(
			desk,
			() => import('./saved.js'),
			(m) => m.saveEvening(desk),
		),
	pace: (desk, slot) =>
		later(
			desk,
			() => import('../acts/wait.js'),
			(m) => m.pace(desk, slot),
		),
};

/* What is done most stands there, everything else is folded.  A tap while the day is on its way
 * opens the dialog when the day has come. */
function drawNew(desk, tonight) {
	const add = (id, label, dialog, kind = 'soft') =>
		button(label, () => desk.withDay(() => dialog(desk)), { class: kind, id });
	return el(
		'div',
		{ class: 'new' },
		add('walk-in', t('walkIn'), DIALOGS.walkIn, 'primary'),
		add('phone-booking', shortly(t('phoneBooking'), '\u260e\ufe0e'), DIALOGS.phone),
		add('door', t('door'), DIALOGS.door),
		add('search', t('search'), DIALOGS.search),
		drawMenu(
			t('more'),
			add('add-waiter', t('addWait'), DIALOGS.wait, 'plain'),
			add('block', t('blockTime'), DIALOGS.block, 'plain'),
			...noteButtons(desk),
			tonight,
			button(t('print'), () => DIALOGS.print(desk), { class: 'plain print' }),
			add('save', t('saveFile'), DIALOGS.save, 'plain'),
		),
	);
}

const drawTotal = (kind, name, value) =>
	el('div', { class: kind }, el('dt', {}, name), el('dd', {}, String(value)));

function drawTotals(desk) {
	const { reservations, house, line, date } = desk.day;
	const { covers, toCome, here } = totalsOf(reservations);
	const today = date === desk.clock().today;
	return [
		drawTotal(undefined, t('coversToday'), covers),
		drawTotal(undefined, t('toCome'), toCome),
		...(today ? [drawTotal(undefined, t('present'), `${here} / ${house.seats}`)] : []),
		...(line ? [drawTotal('rush', '\u00a0', t('line', line))] : []),
	];
}

/* What is left at one time: what guests can book, and what staff can where that is more. */
function drawSlot(desk, slot) {
	const { slotTime, online, staff, waiting } = slot;
	const left =
		staff.seats > online.seats ? t('guestsYou', online.seats, staff.seats) : online.seats;
	const parts = [String(left), waiting > 0 && t('waitShort', waiting)].filter(Boolean);
	return el(
		'li',
		{ class: online.seats ? '' : 'none' },
		el(
			'button',
			{ type: 'button', onclick: () => DIALOGS.pace(desk, slot) },
			el('b', {}, clockTime(slotTime)),
			' ',
			el('span', {}, parts.join(' · ')),
		),
	);
}

/* The day, what can be added to it, its sums and its seats. */
function makeTop(desk) {
	const dayInput = el('input', {
		type: 'date',
		'aria-label': t('date'),
		onchange: () => dayInput.value && desk.goTo(dayInput.value),
	});
	const heading = el('h1', { class: 'day-name' });
	const today = button(t('today'), () => desk.goTo(desk.clock().today), { class: 'soft small' });
	const opening = makeOpening(desk);
	const note = el('p', { class: 'hint day-note' });
	const team = makeDayNote(desk);
	const totals = el('dl', { class: 'totals' });
	const tonight = el('span', { class: 'tonight' });
	const strip = el('ul', { class: 'strip', 'aria-label': t('freeSeats') });
	function name(date) {
		dayInput.value = date;
		heading.textContent = shortDay(date);
		heading.setAttribute('aria-label', longDay(date));
		today.hidden = date === desk.clock().today;
	}
	return {
		nodes: [
			el(
				'div',
				{ class: 'tools' },
				drawDays(desk, heading, dayInput, today),
				drawNew(desk, tonight),
			),
			el('div', { class: 'notices' }, note, opening.node, team.node),
			el('div', { class: 'overview' }, totals, strip),
		],
		draw() {
			const slots = slotsAhead(desk.day, desk.clock());
			name(desk.day.date);
			note.textContent = desk.day.note ?? '';
			note.hidden = !desk.day.note;
			totals.replaceChildren(...drawTotals(desk));
			tonight.replaceChildren(...[noMoreButton(desk)].filter(Boolean));
			opening.draw();
			team.draw();
			$('door').textContent = [t('door'), desk.day.door?.waiting].filter(Boolean).join(' ');
			desk.door?.look();
			strip.hidden = !slots.length;
			strip.replaceChildren(...slots.map((slot) => drawSlot(desk, slot)));
		},
		tick: () => opening.tick(),
		/* A day that has not come. */
		clear() {
			name(desk.date);
			for (const part of [note, totals, strip, tonight]) part.replaceChildren();
			team.clear();
		},
	};
}

/* ---- the focus ---- */

/* Where the focus is, in words that survive drawing anew. */
function focusIn(body) {
	const node = document.activeElement;
	const id = body.contains(node) && node.closest('[data-id]')?.dataset.id;
	return id ? { id, act: node.dataset.act } : null;
}

/* A list that is drawn anew must not throw a keyboard out. */
function focusAgain(body, held) {
	const row = held && body.querySelector(`[data-id="${held.id}"]`);
	if (!row) return;
	const same = held.act && row.querySelector(`[data-act="${held.act}"]`);
	const part = same ?? row.querySelector(held.act ? '.acts button' : '.who');
	const node = part ?? row;
	node.focus({ preventScroll: true });
}

/* ---- all of it ---- */

/*
 * What each view is drawn by: view(desk, views) gives { draw(ms) } and, where it needs them,
 * scrolled() and scrollAgain().  Only the list comes with the first screen.
 */
const VIEWS = {
	list: async () => ({ view: (desk) => ({ draw: (ms) => drawList(desk, ms) }) }),
	now: () => import('./now.js'),
	timeline: () => import('./timeline.js'),
};

/* The paper and the other views are for when the box is down, too: so they are here before that. */
const REST_MS = 1500;
const fetchRest = (desk) =>
	setTimeout(() => {
		const paper = import('./sheet.js').then((m) => m.keepSheet(desk));
		Promise.allSettled([paper, import('./saved.js'), VIEWS.now(), VIEWS.timeline()]);
	}, REST_MS);

/** Fetches what that view needs; then draw(root, desk) shows it. */
export async function evening(tab) {
	const { view } = await VIEWS[tab]();
	return (root, desk) => showEvening(root, desk, tab, view);
}

function showEvening(root, desk, tab, view) {
	const top = makeTop(desk);
	const body = el('div', { class: `evening ${tab}` });
	let missed = false; /* the evening changed while a block was in the air */
	let drawnMinute = 0;
	const shown = view(desk, { body, update: () => update(), settled });

	function update() {
		if (!desk.day) return;
		missed = Boolean(body.querySelector('.held'));
		if (missed) return;
		const held = focusIn(body);
		const scrolled = shown.scrolled?.();
		top.draw();
		body.replaceChildren(...shown.draw(desk.clock().ms).filter(Boolean));
		shown.scrollAgain?.(scrolled);
		focusAgain(body, held);
	}

	/* What changed while a block was in the air is drawn when it lies again. */
	function settled() {
		if (missed) setTimeout(update);
		missed = false;
	}

	/* Minutes pass without anything being changed. */
	function tick() {
		if (!desk.day) return;
		const { ms } = desk.clock();
		top.tick();
		for (const node of body.querySelectorAll('[data-hold]')) {
			node.textContent = holdLeft(node.dataset.hold, ms);
		}
		const minute = Math.floor(ms / 60000);
		if (minute !== drawnMinute && drawnMinute && !document.querySelector('dialog[open]')) update();
		drawnMinute = minute;
	}

	/* There is no evening to show, and this is why.  It is asked for again all the same. */
	function trouble(text) {
		top.clear();
		if (body.textContent === text) return;
		body.replaceChildren(el('p', { class: 'empty', role: 'alert' }, text));
	}

	root.replaceChildren(...top.nodes, ...(desk.door ? [desk.door.node] : []), body);
	fetchRest(desk);
	update();
	return { update, tick, trouble };
}
