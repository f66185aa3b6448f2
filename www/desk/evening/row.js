/*
 * row.js - one party on the screen: who they are, how they stand, and what comes next for them.
 */
import { countdown } from '../../dates.js';
import { money, t } from '../../i18n.js';
import { tagLine } from '../../tags.js';
import { button, el, telLink } from '../../ui.js';
import { confirmPayment, open } from '../acts/open.js';
import { act } from '../acts/send.js';
import {
	classesOf,
	coming,
	isLate,
	minutesTo,
	overBy,
	stageOf,
	stands,
	tableNames,
} from './state.js';

/** "awaiting payment 6:56", of a hold that ends then. */
export const holdLeft = (expiresAt, ms) =>
	t('holdLeft', countdown(Math.floor((Date.parse(expiresAt) - ms) / 1000)));

function badge(r, ms) {
	const shown = (kind, text, more) => el('span', { class: `badge ${kind}`, ...more }, text);
	if (r.status === 'TEMPORARY') {
		return shown('temporary', holdLeft(r.holdExpiresAt, ms), { 'data-hold': r.holdExpiresAt });
	}
	const over = overBy(r, ms);
	if (over) return shown('over', t('over', over));
	if (isLate(r, ms)) return shown('late', t('lateBy', -minutesTo(r.startsAt, ms)));
	const { group, word } = stageOf(r);
	return shown(word.toLowerCase(), t(`${group}.${word}`));
}

/* A telephone, or the word where it is what staff do next. */
function callLink(r, late) {
	if (!r.phone) return null;
	return el(
		'a',
		{ class: late ? 'button soft' : 'button soft tel', href: telLink(r.phone) },
		late ? t('call') : el('span', { 'aria-hidden': 'true' }, '\u260e\ufe0e'),
		el('span', { class: 'unseen' }, late ? ` ${r.guestName}` : `${t('call')} ${r.guestName}`),
	);
}

/** The one or two things that come next for this party. */
export function nextActs(desk, r, ms) {
	const tap = (label, word, kind) =>
		button(label, () => act(desk, r, word), { class: kind, 'data-act': word });
	if (r.status === 'TEMPORARY') {
		return button(t('confirm'), () => confirmPayment(desk, r), {
			class: 'primary',
			'data-act': 'confirm',
		});
	}
	if (!coming(r)) return r.undo ? tap(t('undo'), 'undo', 'soft') : null;
	if (r.visitStatus === 'SEATED') return tap(t('leave'), 'leave', 'primary');
	if (r.visitStatus === 'ARRIVED') return tap(t('seat'), 'seat', 'primary');
	const arrive = tap(t('arrive'), 'arrive', 'primary');
	if (isLate(r, ms)) return [callLink(r, true), tap(t('noShow'), 'no-show', 'soft'), arrive];
	return [callLink(r, false), arrive, tap(t('seat'), 'seat', 'soft')];
}

/** The part of a row or card that opens the reservation: size, name, a line of facts. */
export function whoButton(desk, r, facts, said) {
	return el(
		'button',
		{ type: 'button', class: 'who', onclick: () => open(desk, r) },
		el('span', { class: 'size' }, String(r.partySize)),
		el(
			'span',
			{ class: 'name' },
			el('b', {}, r.guestName),
			tagLine(r.tags),
			el('span', {}, facts),
			said && el('em', {}, said),
		),
	);
}

/* Paid, or still due; of money nothing is said where there is none. */
function paidText(r, shown) {
	if (!r.totalAmount) return '';
	if (r.paidAmount) return t('paid', shown(r.paidAmount));
	return stands(r) && t('due', shown(r.totalAmount));
}

function factsOf(desk, r) {
	const shown = (amount) => money(amount, r);
	const table = tableNames(r, desk.day);
	return [
		table && t('tableOf', table),
		paidText(r, shown),
		r.dueBackAmount > 0 && t('dueBack', shown(r.dueBackAmount)),
		r.noShows > 0 && t('noShows', r.noShows),
		r.visits > 0 && t('visits', r.visits),
		r.blocked && t('blockedGuest'),
		r.source !== 'WEB' && t(`source.${r.source}`),
		r.coming && t('saidComing'),
		r.changeOf && t('changeTo', r.changeParty, r.changeOfCode),
		r.changeDue > 0 && t('changeWaits', shown(r.changeDue)),
	]
		.filter(Boolean)
		.join(' · ');
}

export function drawRow(desk, r, ms) {
	const said = [r.requestMessage, r.note, r.guestNote, r.dishes].filter(Boolean).join(' · ');
	return el(
		'li',
		{ class: `row ${classesOf(r, ms)}`, 'data-id': String(r.reservationId) },
		whoButton(desk, r, factsOf(desk, r) || '\u00a0', said),
		badge(r, ms),
		el('div', { class: 'acts' }, nextActs(desk, r, ms)),
	);
}
