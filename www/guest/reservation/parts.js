/*
 * parts.js - the parts that the screens of a reservation are made of; they only draw.
 */
import { longDay, money, own, t } from '../../i18n.js';
import { el, recall, telLink } from '../../ui.js';
import { mapLink } from '../choose/info.js';
import { drawPolicy } from '../policy.js';

const row = (name, ...value) => el('div', {}, el('dt', {}, name), el('dd', {}, ...value));

/* "Tuesday 17 November 18:00, 2 guests" */
export const slotText = ({ slotDate, slotTime, partySize }) =>
	`${longDay(slotDate)} ${slotTime}, ${t('people', partySize)}`;

/* Date, time and party in large letters. */
export const drawSlot = ({ slotDate, slotTime, partySize }) =>
	el(
		'div',
		{ class: 'face' },
		el('p', { class: 'd' }, longDay(slotDate)),
		el('p', { class: 'h' }, slotTime),
		el('p', { class: 'p' }, t('people', partySize)),
	);

/* The slot as the face of a paper ticket; the code below the tear line. */
export const drawTicket = (r, ...below) =>
	el(
		'div',
		{ class: 'slip' },
		drawSlot(r),
		el('div', { class: 'tear', 'aria-hidden': 'true' }),
		el('div', { class: 'code' }, el('span', {}, t('code')), el('b', {}, r.reservationCode)),
		...below,
	);

/* A countdown; the screen sets its clock and its bar. */
export const drawCountdown = (label) =>
	el(
		'div',
		{ class: 'countdown' },
		el('span', {}, label),
		el('b', { class: 'clock', role: 'timer' }, ''),
		el('div', { class: 'bar' }, el('i')),
	);

/* Shown when the last minute has begun. */
export const drawWarning = (warned) =>
	el('p', { class: 'warning', hidden: !warned }, t('minuteLeft'));

export const drawDue = (amount, currency) =>
	el('p', { class: 'total' }, el('span', {}, t('due')), el('b', {}, money(amount, currency)));

/* The answer to a booking does not name the guest; this device knows who they are. */
function nameOf(r) {
	const guest = recall('guest');
	return r.guestName ?? (guest && guest.id === r.userId ? guest.name : null);
}

/* Name, map and telephone of the restaurant. */
function drawPlace(house) {
	const map = house.address && mapLink(house);
	return row(
		t('at'),
		el('span', {}, own(house.name, house.nameEn)),
		map && el('a', { href: map.href, rel: 'noreferrer' }, map.text),
		house.phone && el('a', { href: telLink(house.phone) }, house.phone),
	);
}

/* The book keeps a dish under its Korean name; the menu knows the other one, as long as it is on
 * it. */
function dishText(item, menu) {
	const nameEn = menu?.find((dish) => dish.menuId === item.menuId)?.nameEn;
	return `${own(item.name, nameEn)} × ${item.quantity}`;
}

export function drawFacts(r, house) {
	const items = r.menuItems ?? [];
	return el(
		'dl',
		{ class: 'facts' },
		nameOf(r) && row(t('guest'), nameOf(r)),
		house && drawPlace(house),
		r.requestMessage && row(t('request'), r.requestMessage),
		items.length > 0 &&
			row(t('ordered'), ...items.map((i) => el('span', {}, dishText(i, house?.menu)))),
		r.paidAmount > 0 && row(t('paid'), money(r.paidAmount, r.currency)),
	);
}

/* The refund rules, where there is money that they are about. */
export function drawTerms(r, house, clock) {
	if (!r.refundPolicy || !(r.totalAmount > 0) || !house)
		return el('section', { class: 'terms', hidden: true });
	return el(
		'section',
		{ class: 'terms' },
		el('h3', {}, t('refund')),
		drawPolicy(r.refundPolicy, r.slotDate, r.slotTime, clock()),
	);
}

/* Money that came twice or too late, or that a smaller party gets back, until it went. */
export const drawOwed = (r) =>
	el(
		'p',
		{ class: 'notice owed', hidden: !r.dueBackAmount },
		r.dueBackAmount ? t('owed', money(r.dueBackAmount, r.currency)) : '',
	);
