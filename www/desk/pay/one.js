/*
 * one.js - what is about payments online in the dialog of one reservation: how it stands, a link to
 * pay by, the charge of a card on file.
 */
import { post } from '../../api.js';
import { askForm, field } from '../../forms.js';
import { money } from '../../i18n.js';
import { announce, button, el } from '../../ui.js';
import { amountInput } from '../settings/section.js';
import { p, sayings } from './say.js';

/* It waits for its money, and there is a way to be told. */
const mayLink = (r) =>
	r.status === 'TEMPORARY' &&
	(r.totalAmount > 0 || r.guaranteeAmount > 0) &&
	Boolean(r.phone || r.email);

/* A card on file that may be charged now, by this login: from the slot on, for the hours agreed. */
const mayCharge = (desk, { payment, startsAt }) =>
	desk.may('POST /api/desk/reservations/{id}/charge') &&
	payment?.purpose === 'CARD' &&
	payment.state === 'PAID' &&
	payment.chargeMost > 0 &&
	Date.parse(startsAt) <= desk.clock().ms &&
	Date.parse(payment.chargeUntil) > desk.clock().ms;

/* How it stands: "Paid online · 20,000 won · refund on its way". */
function standing(desk, r) {
	const { payment } = r;
	if (payment.purpose === 'CARD' && payment.chargeUntil)
		return p('cardUntil', money(payment.chargeMost, r), desk.moment(payment.chargeUntil));
	const words = payment.words && p('said', payment.words);
	return [p(`states.${payment.state}`), money(payment.amount, r), words]
		.filter(Boolean)
		.join(' · ');
}

async function sendLink(desk, r, undo) {
	const path = `/api/desk/reservations/${r.reservationId}/pay-link`;
	try {
		const { holdExpiresAt } = await post(path, { version: r.version });
		const text = p('linkSent', holdExpiresAt && desk.moment(holdExpiresAt));
		announce(text);
		desk.say(text, undo);
		desk.refresh();
	} catch (error) {
		desk.say(desk.sentence(error), undo);
	}
}

/** After a booking by telephone that is to be paid: its guest gets the link. */
export async function linkAfter(desk, r, undo) {
	await sayings();
	await sendLink(desk, r, undo);
}

/* Asked by a person, at most what the guest agreed to. */
async function charge(desk, r) {
	const { chargeMost, chargeUntil } = r.payment;
	const digits = r.currencyDigits ?? 0;
	const amount = amountInput(chargeMost, chargeMost, digits);
	const done = await askForm(p('charge'), {
		content: [
			el('p', {}, p('chargeText', money(chargeMost, r), desk.moment(chargeUntil))),
			field(null, p('chargeAmount'), amount),
		],
		submit: p('chargeYes'),
		kind: 'danger solid',
		send: async () => {
			const body = { amount: amount.amount(), most: chargeMost };
			await post(`/api/desk/reservations/${r.reservationId}/charge`, body);
			return true;
		},
		explain: desk.sentence,
	});
	if (!done) return;
	desk.say(p('charged'));
	desk.refresh();
}

/** Fills the place in the dialog; close(next): closes it with what is to be done then. */
export async function fillOne(place, desk, r, close) {
	await sayings();
	const title = p(r.payment?.purpose === 'CARD' ? 'card' : 'online');
	const acts = [
		mayLink(r) && button(p('link'), () => close(() => sendLink(desk, r)), { class: 'soft' }),
		mayCharge(desk, r) &&
			button(p('charge'), () => close(() => charge(desk, r)), { class: 'danger solid' }),
	].filter(Boolean);
	place.replaceChildren(
		...[
			r.payment &&
				el(
					'dl',
					{ class: 'facts' },
					el('div', {}, el('dt', {}, title), el('dd', {}, standing(desk, r))),
				),
			acts.length > 0 && el('div', { class: 'actions many' }, acts),
		].filter(Boolean),
	);
}
