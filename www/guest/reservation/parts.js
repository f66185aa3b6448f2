/*
 * parts.js - the parts that the screens of a reservation are made of; they only draw.
 */
import { clockTime, isNight } from '../../dates.js';
import { longDay, money, own, slotWhen, t } from '../../i18n.js';
import { tagLine } from '../../tags.js';
import { el, recall, telLink } from '../../ui.js';
import { tableUntil } from '../bookable.js';
import { mapLink } from '../choose/info.js';
import { drawPolicy } from '../policy.js';

const row = (name, ...value) => el('div', {}, el('dt', {}, name), el('dd', {}, ...value));

/* "Tuesday 17 November 18:00, 2 guests" */
export const slotText = ({ slotDate, slotTime, partySize }) =>
	`${slotWhen(slotDate, slotTime)}, ${t('people', partySize)}`;

/* Date, time and party in large letters. */
export const drawSlot = ({ slotDate, slotTime, partySize }) =>
	el(
		'div',
		{ class: 'face' },
		el('p', { class: 'd' }, longDay(slotDate), isNight(slotTime) && ` ${t('atNight')}`),
		el('p', { class: 'h' }, clockTime(slotTime)),
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

export const drawDue = (amount, of) =>
	el('p', { class: 'total' }, el('span', {}, t('due')), el('b', {}, money(amount, of)));

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

/* The book keeps a dish under its name in the house's language; the menu knows the other one, as
 * long as it is on it. */
function dishText(item, menu) {
	const nameEn = menu?.find((dish) => dish.menuId === item.menuId)?.nameEn;
	return `${own(item.name, nameEn)} × ${item.quantity}`;
}

/* "19:00–21:00", where the house says how long a table is a party's. */
function until(r, { policies }) {
	const end = tableUntil(policies, r.slotTime, r.sittingMinutes);
	return end && `${clockTime(r.slotTime)}\u2060–\u2060${end}`;
}

export function drawFacts(r, house) {
	const items = r.menuItems ?? [];
	return el(
		'dl',
		{ class: 'facts' },
		nameOf(r) && row(t('guest'), nameOf(r)),
		house && until(r, house) && row(t('yours'), until(r, house)),
		house && drawPlace(house),
		r.tags?.length > 0 && row(t('known'), tagLine(r.tags)),
		r.requestMessage && row(t('request'), r.requestMessage),
		items.length > 0 &&
			row(t('ordered'), ...items.map((i) => el('span', {}, dishText(i, house?.menu)))),
		r.paidAmount > 0 && row(t('paid'), money(r.paidAmount, r)),
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
		r.dueBackAmount ? t('owed', money(r.dueBackAmount, r)) : '',
	);
