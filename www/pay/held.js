/*
 * held.js - the part of a reservation that is about paying online: the button while it is held, and
 * how the payment stands afterwards.  It comes only where there is something of that.
 */
import { callButton } from '../guest/choose/info.js';
import { money } from '../i18n.js';
import { el } from '../ui.js';
import { p, sayings } from './say.js';

/* The way to the payment page.  Behind the # stands who comes, which no server is sent. */
function payHref({ r, who }, go) {
	const query = new URLSearchParams({
		restaurant: r.restaurantId,
		reservation: r.reservationId,
	});
	const hash = [go && 'go', who?.manage].filter(Boolean).join('.');
	return `/pay?${query}${hash && `#${hash}`}`;
}

/* A card is left, and nothing is paid. */
const keepsCard = ({ r }, due) => r.guaranteeAmount > 0 && !due;

const aboutWay = (s, due) =>
	keepsCard(s, due) ? p('keepAbout', money(s.r.guaranteeAmount, s.r)) : p('payAbout');

/* "Pay 20,000 won", or a card to leave, with its terms on the next page. */
function drawWay(s, due) {
	const { r } = s;
	const keeps = keepsCard(s, due);
	const label = keeps ? p('keepCard') : p('paySum', money(due, r));
	return el(
		'div',
		{ class: 'actions' },
		el('a', { class: 'button primary', id: 'pay', href: payHref(s, !keeps) }, label),
	);
}

const drawTest = ({ ctx }) => ctx.house?.payments?.test && el('p', { class: 'testing' }, p('test'));

/* What else can be done: call, or pay in the words of the house. */
const drawOther = ({ ctx }) =>
	ctx.house.paymentText &&
	el(
		'details',
		{},
		el('summary', {}, p('payOr')),
		el('p', { class: 'pay-text' }, ctx.house.paymentText),
		callButton(ctx.house),
	);

const WORDED = ['CHECKING', 'DECLINED', 'NOTHING_CHARGED', 'REFUND_ON_ITS_WAY', 'REFUNDED'];
const LISTED = ['CHECKING', 'PAID', 'REFUND_ON_ITS_WAY', 'REFUNDED'];

/* How it stands, in a sentence; nothing where the reservation itself says it. */
function standing(r) {
	if (!r.payment) return '';
	const { state, purpose, amount, refundAmount } = r.payment;
	if (purpose === 'CARD' && state === 'PAID') return p('at.KEPT');
	return WORDED.includes(state) ? p(`at.${state}`, money(refundAmount || amount, r)) : '';
}

const notice = (text) => text && el('p', { class: 'notice', role: 'status' }, text);

/** Fills the place of a hold: due, what is to be paid for it. */
export async function fillHeld(place, s, due) {
	await sayings();
	const { payment } = s.r;
	const asked = payment?.state === 'CHECKING';
	place.replaceChildren(
		...[
			drawTest(s),
			notice(standing(s.r)),
			!asked && drawWay(s, due),
			!asked && el('p', { class: 'hint' }, `${aboutWay(s, due)} ${p('paySafe')}`),
			!asked && drawOther(s),
		].filter(Boolean),
	);
}

/** Fills the place of a form: a card will be asked for, and may be charged so much at most. */
export async function fillAsked(place, most) {
	await sayings();
	place.replaceChildren(el('p', { class: 'notice' }, `${p('keepNeeded')} ${p('keepAbout', most)}`));
}

/** Fills the place of what was paid, or came back. */
export async function fillStanding(place, s) {
	await sayings();
	const text = standing(s.r);
	place.replaceChildren(...(text ? [notice(text)] : []));
}

/** The word beside a reservation in a list, or ''. */
export async function shortWord({ state, purpose }) {
	await sayings();
	if (purpose === 'CARD' && state === 'PAID') return p('short.KEPT');
	return LISTED.includes(state) ? p(`short.${state}`) : '';
}
