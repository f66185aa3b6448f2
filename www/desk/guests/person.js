/*
 * person.js - one guest: who they are, what they had here, and what staff can do about it.
 */
import { get, post } from '../../api.js';
import { ask } from '../../dialogs.js';
import { actions, confirmDialog } from '../../forms.js';
import { longDay, shortDay, slotWhen, t } from '../../i18n.js';
import { button, el, telLink } from '../../ui.js';
import { open } from '../acts/open.js';
import { explain } from '../acts/send.js';
import { phoneText } from '../evening/state.js';
import { edit, findOther, mergeInto, separate } from './edit.js';
import { labelLine } from './labels.js';

function drawFacts(guest) {
	const { phone, email, note, lastVisit, nextDate, nextTime } = guest;
	const counts = [
		t('visits', guest.visits),
		t('noShows', guest.noShows),
		t('cancelledTimes', guest.cancelled),
	];
	const facts = [
		[t('phone'), phone && el('a', { href: telLink(phone) }, phoneText(phone))],
		[t('email'), email && el('a', { href: `mailto:${email}` }, email)],
		[t('note'), note],
		[t('guestSo'), counts.join(' · ')],
		[t('lastTime'), lastVisit && longDay(lastVisit)],
		[t('nextTime'), nextDate && slotWhen(nextDate, nextTime)],
		[t('blocked'), guest.blocked && t('blockedGuest')],
	].filter(([, value]) => value);
	return el(
		'dl',
		{ class: 'facts' },
		facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
	);
}

function drawReservations(guest, close) {
	const line = (r) =>
		[
			slotWhen(r.slotDate, r.slotTime, shortDay),
			t('people', r.partySize),
			t(`s.${r.status}`),
			r.guestName === guest.name ? '' : r.guestName,
		]
			.filter(Boolean)
			.join(' · ');
	const rows = guest.reservations.map((r) =>
		el(
			'li',
			{},
			button(line(r), () => close({ open: r }), { class: 'plain' }),
		),
	);
	return rows.length ? [el('h3', {}, t('theirBookings')), el('ul', { class: 'found' }, rows)] : [];
}

/* Who was merged into them, with the way back. */
function drawMerges(desk, guest, close) {
	const row = (m) =>
		el(
			'li',
			{ class: 'edit-row' },
			el(
				'span',
				{},
				t('mergedFrom', phoneText(m.phone) || t('noNumber'), m.by ?? '', desk.moment(m.at)),
			),
			button(t('separate'), () => close({ separate: m.mergeId }), { class: 'soft small' }),
		);
	if (!guest.merges.length) return [];
	return [el('h3', {}, t('mergedWith')), el('ul', { class: 'merges' }, guest.merges.map(row))];
}

function drawActs(desk, guest, close) {
	const then = (label, wish, kind = 'soft') => button(label, () => close(wish), { class: kind });
	return el(
		'div',
		{ class: 'actions many' },
		then(t('correct'), { act: 'edit' }),
		!guest.hasLogin && then(t('samePerson'), { act: 'merge' }),
		guest.phone &&
			desk.may('POST /api/desk/guests/{id}/erase') &&
			then(t('erase'), { act: 'erase' }, 'plain danger'),
	);
}

const show = (desk, guest) =>
	ask(
		'person-title',
		(close) =>
			[
				el('h2', { id: 'person-title' }, guest.name),
				labelLine(guest.tags),
				drawFacts(guest),
				...drawReservations(guest, close),
				...drawMerges(desk, guest, close),
				drawActs(desk, guest, close),
				actions(button(t('close'), () => close(), { class: 'plain' })),
			].filter(Boolean),
		{ className: 'wide' },
	);

async function erase(desk, guest) {
	const sure = await confirmDialog(`${guest.name} · ${t('erase')}`, t('sureErase'), t('erase'), {
		no: t('keepIt'),
		kind: 'danger solid',
	});
	if (!sure) return null;
	await post(`/api/desk/guests/${guest.guestId}/erase`, {});
	desk.refresh();
	return { gone: true };
}

async function merge(desk, guest) {
	const other = await findOther(desk, guest);
	return other && mergeInto(desk, guest, other);
}

/* What they become by it: a guest, { gone }, or nothing where it was not done. */
function carryOut(desk, guest, wish) {
	if (wish.separate) return separate(desk, guest, wish.separate);
	if (wish.act === 'merge') return merge(desk, guest);
	if (wish.act === 'erase') return erase(desk, guest);
	return edit(desk, guest);
}

/** Shows a guest until the dialog is closed; true: something about them was changed. */
export async function person(desk, guestId) {
	let id = guestId;
	let changed = false;
	for (;;) {
		try {
			const guest = await get(`/api/desk/guests/${id}`, { query: desk.query() });
			const wish = await show(desk, guest);
			if (!wish) return changed;
			if (wish.open) {
				await openBooking(desk, wish.open);
				return changed;
			}
			const next = await carryOut(desk, guest, wish);
			changed ||= Boolean(next);
			if (next?.gone) return true;
			id = next?.guestId ?? id;
		} catch (error) {
			await explain(desk, error);
			return changed;
		}
	}
}

async function openBooking(desk, r) {
	if (r.slotDate !== desk.day?.date) desk.goTo(r.slotDate);
	await open(desk, r);
}
