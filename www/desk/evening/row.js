/*
 * row.js - one party on the screen: who they are, how they stand, and what comes next for them.
 */
import { clockTime, countdown } from '../../dates.js';
import { money, own, t } from '../../i18n.js';
import { tagLine } from '../../tags.js';
import { button, el, telLink } from '../../ui.js';
import { confirmPayment, open } from '../acts/open.js';
import { act } from '../acts/send.js';
import { labelLine } from '../guests/labels.js';
import {
	besideOf,
	classesOf,
	coming,
	isLate,
	isWaiting,
	minutesTo,
	overBy,
	paidWord,
	saysHere,
	stageOf,
	stands,
	tableNames,
	waitedFor,
} from './state.js';

/** "awaiting payment 6:56", of a hold that ends then. */
export const holdLeft = (expiresAt, ms) =>
	t('holdLeft', countdown(Math.floor((Date.parse(expiresAt) - ms) / 1000)));

/* How it stands.  A party that is simply expected has no badge: the row says it. */
function badge(desk, r, ms) {
	const shown = (kind, text, more) => el('span', { class: `badge ${kind}`, ...more }, text);
	if (r.status === 'TEMPORARY') {
		return shown('temporary', holdLeft(r.holdExpiresAt, ms), { 'data-hold': r.holdExpiresAt });
	}
	const over = overBy(r, ms);
	if (over) return shown('over', t('over', over));
	if (isLate(r, ms)) return shown('late', t('lateBy', -minutesTo(r.startsAt, ms)));
	if (saysHere(r)) return shown('arrived', t('saysHere'));
	if (isWaiting(r)) return shown('arrived', t('waits', waitedFor(r, ms)));
	if (coming(r) && r.visitStatus === 'PENDING') return null;
	if (coming(r) && r.visitStatus === 'SEATED')
		return shown('seated', t('until', desk.at(r.endsAt)), { title: t('v.SEATED') });
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

/* The one or two things that come next for this party. */
function nextActs(desk, r, ms) {
	const tap = (label, word, kind) =>
		button(label, () => act(desk, r, word), { class: kind, 'data-act': word });
	if (r.status === 'TEMPORARY') {
		const pay = button(t('confirm'), () => confirmPayment(desk, r), {
			class: 'primary',
			'data-act': 'confirm',
		});
		return [callLink(r, false), pay];
	}
	if (!coming(r)) return r.undo ? tap(t('undo'), 'undo', 'soft') : null;
	if (r.visitStatus === 'SEATED') return tap(t('leave'), 'leave', 'primary');
	if (r.visitStatus === 'ARRIVED') return tap(t('seat'), 'seat', 'primary');
	const arrive = tap(t('arrive'), 'arrive', 'primary');
	if (isLate(r, ms)) return [callLink(r, true), tap(t('noShow'), 'no-show', 'soft'), arrive];
	return [callLink(r, false), arrive, tap(t('seat'), 'seat', 'soft')];
}

/** Their buttons; a single one needs no line of its own. */
export function drawActs(desk, r, ms) {
	const acts = [nextActs(desk, r, ms)].flat().filter(Boolean);
	return el('div', { class: acts.length === 1 ? 'acts one' : 'acts' }, acts);
}

/** The part of a row or card that opens the reservation: size, name, a line of facts. */
export function whoButton(desk, r, facts, said, onclick = () => open(desk, r)) {
	return el(
		'button',
		{ type: 'button', class: 'who', onclick },
		el('span', { class: 'size' }, String(r.partySize)),
		el(
			'span',
			{ class: 'name' },
			el('b', {}, r.guestName),
			labelLine(r.guestTags),
			tagLine(r.tags),
			el('span', {}, facts),
			said && el('em', {}, said),
		),
	);
}

/* Paid, or still due; of money nothing is said where there is none. */
function paidText(r, shown) {
	if (!r.totalAmount) return '';
	if (r.paidAmount) return t(paidWord(r), shown(r.paidAmount));
	return stands(r) && t('due', shown(r.totalAmount));
}

/* What the guest says on the day. */
function toldOf(r) {
	if (!coming(r) || r.visitStatus !== 'PENDING') return '';
	return !saysHere(r) && r.lateMinutes > 0 && t('saysLate', r.lateMinutes);
}

/** Whom they sit beside, on purpose. */
export function sharesText(desk, r) {
	const names = besideOf(r, desk.day?.reservations ?? []).map((o) => o.guestName);
	return names.length > 0 && t('sharesWith', names.join(', '));
}

/** The line below the name: table, money, how often they came, where the booking is from. */
export function factsOf(desk, r) {
	const shown = (amount) => money(amount, r);
	const table = tableNames(r, desk.day);
	return [
		table && t('tableOf', table),
		sharesText(desk, r),
		r.overbook && t('overbooked', r.overbook),
		paidText(r, shown),
		r.dueBackAmount > 0 && t('dueBack', shown(r.dueBackAmount)),
		r.noShows > 0 && t('noShows', r.noShows),
		r.phone && r.visits > 0 && t('visits', r.visits),
		r.blocked && t('blockedGuest'),
		['WALK_IN', 'WAITLIST'].includes(r.source) && t(`source.${r.source}`),
		r.coming && t('saidComing'),
		toldOf(r),
		r.changeOf && t('changeTo', r.changeParty, r.changeOfCode),
		r.changeDue > 0 && t('changeWaits', shown(r.changeDue)),
	]
		.filter(Boolean)
		.join(' · ');
}

/** What somebody has said about it: the guest, the staff; and the dishes. */
export function saidOf(r) {
	const dishes = own(r.dishes, r.dishesOther);
	return [r.requestMessage, r.note, r.guestNote, dishes].filter(Boolean).join(' · ');
}

/* Behind the time, where a row does not stand below it. */
function timedFacts(desk, r, time) {
	const facts = factsOf(desk, r);
	if (!time) return facts || '\u00a0';
	return [el('strong', { class: 'booked' }, time), facts && ` · ${facts}`];
}

/** timed: it stands apart from its time, so it says when it was booked for. */
export function drawRow(desk, r, ms, timed = false) {
	return el(
		'li',
		{ class: `row ${classesOf(r, ms)}`, 'data-id': String(r.reservationId) },
		whoButton(desk, r, timedFacts(desk, r, timed && clockTime(r.slotTime)), saidOf(r)),
		badge(desk, r, ms),
		drawActs(desk, r, ms),
	);
}

/** A party that was searched for: who they are, when, how it stands; take() opens it. */
export function drawFound(desk, r, when, take) {
	const { group, word } = stageOf(r);
	return el(
		'li',
		{ class: 'row' },
		whoButton(desk, r, timedFacts(desk, r, when), saidOf(r), take),
		el('span', { class: `badge ${word.toLowerCase()}` }, t(`${group}.${word}`)),
	);
}
