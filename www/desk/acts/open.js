/*
 * open.js - everything about one reservation, and everything that can be done with it.
 *
 * It can be read without a connection; what is done with it is asked from the box.
 */
import { clockTime } from '../../dates.js';
import { ask } from '../../dialogs.js';
import { longDay, money, own, t } from '../../i18n.js';
import { tagLine } from '../../tags.js';
import { button, el, telLink } from '../../ui.js';
import {
	active,
	amountsOf,
	coming,
	hasBegun,
	isOver,
	mayPayAgain,
	phoneText,
	stands,
	tableNames,
} from '../evening/state.js';
import { labelLine } from '../guests/labels.js';
import { act, later } from './send.js';

const change = () => import('./change.js');

const place = () => import('./place.js');

const DIALOGS = {
	place: (desk, r) => later(desk, place, (m) => m.place(desk, r)),
	stay: (desk, r) => later(desk, place, (m) => m.stay(desk, r)),
	edit: (desk, r) => later(desk, change, (m) => m.edit(desk, r)),
	cancel: (desk, r) => later(desk, change, (m) => m.cancel(desk, r)),
	guest: (desk, r) =>
		later(
			desk,
			() => import('../guests/person.js'),
			(m) => m.person(desk, r.guestId),
		),
	note: (desk, r) =>
		later(
			desk,
			() => import('./guest.js'),
			(m) => m.note(desk, r),
		),
	history: (desk, r) =>
		later(
			desk,
			() => import('./history.js'),
			(m) => m.history(desk, r),
		),
};

export const confirmPayment = (desk, r) =>
	later(
		desk,
		() => import('./payment.js'),
		(m) => m.confirmPayment(desk, r),
	);

function moneyText(desk, r) {
	const shown = (amount) => money(amount, r);
	return amountsOf(r)
		.map(([word, amount]) => t(word, shown(amount)))
		.join(' · ');
}

/* A walk-in without a number is nobody who could have come before. */
function visitsText(r) {
	const visits = r.visits ? t('visits', r.visits) : t('first');
	return [t(`source.${r.source}`), r.phone && visits, r.noShows && t('noShows', r.noShows)]
		.filter(Boolean)
		.join(' · ');
}

function drawFacts(desk, r) {
	const facts = [
		[t('known'), tagLine(r.tags)],
		[t('date'), longDay(r.slotDate)],
		[t('code'), r.reservationCode],
		[t('phone'), r.phone && el('a', { href: telLink(r.phone) }, phoneText(r.phone))],
		[t('table'), tableNames(r, desk.day)],
		[t('request'), r.requestMessage],
		[t('note'), r.note],
		[t('guestNote'), r.guestNote],
		[t('dishes'), own(r.dishes, r.dishesOther)],
		[t('money'), moneyText(desk, r)],
		[t('guestSo'), visitsText(r)],
	].filter(([, value]) => value);
	return el(
		'dl',
		{ class: 'facts' },
		facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
	);
}

/* Payments online, where there is something of them. */
function drawOnline(desk, r, close) {
	if (!r.payment && !desk.day?.house.payments) return null;
	const place = el('div', {});
	import('../pay/one.js').then(({ fillOne }) => fillOne(place, desk, r, close));
	return place;
}

/* Closes the dialog with what is to be done then. */
function drawActs(desk, r, close) {
	const begun = hasBegun(r, desk.clock().ms) && coming(r);
	const then = (label, next, kind = 'soft') => button(label, () => close(next), { class: kind });
	const tap = (label, word) => then(label, () => act(desk, r, word));
	const dialog = (label, next, kind) => then(label, () => next(desk, r), kind);
	const late = isOver(r) || r.changeDue;
	return el(
		'div',
		{ class: 'actions many' },
		stands(r) && !r.changeOf && dialog(t('edit'), DIALOGS.edit),
		stands(r) && !r.changeOf && desk.day?.tables.length > 0 && dialog(t('table'), DIALOGS.place),
		stands(r) && !r.changeOf && dialog(t('stay'), DIALOGS.stay),
		dialog(t('note'), DIALOGS.note),
		!r.changeOf && dialog(t('guest'), DIALOGS.guest),
		dialog(t('history'), DIALOGS.history),
		begun && r.visitStatus === 'PENDING' && tap(t('noShow'), 'no-show'),
		begun && tap(t('complete'), 'complete'),
		mayPayAgain(r) && dialog(t(late ? 'confirm' : 'paidAgain'), confirmPayment),
		r.undo && tap(t('undo'), 'undo'),
		active(r) && dialog(t('cancel'), DIALOGS.cancel, 'danger solid'),
	);
}

export async function open(desk, r) {
	const then = await ask(
		'one-title',
		(close) => [
			el(
				'h2',
				{ id: 'one-title' },
				`${clockTime(r.slotTime)} ${r.guestName} · ${t('people', r.partySize)}`,
			),
			labelLine(r.guestTags),
			drawFacts(desk, r),
			drawOnline(desk, r, close),
			drawActs(desk, r, close),
		],
		{ className: 'wide' },
	);
	if (then) await then();
}
