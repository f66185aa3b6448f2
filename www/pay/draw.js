/*
 * draw.js - the screen of a payment; it only draws.
 */
import { callButton } from '../guest/choose/info.js';
import { drawCountdown, drawSlot, drawWarning } from '../guest/reservation/parts.js';
import { money, t } from '../i18n.js';
import { button, el } from '../ui.js';
import { p } from './say.js';
import { screenOf } from './state.js';

const link = (href, label, kind = 'soft') =>
	href && el('a', { class: `button ${kind}`, href }, label);

const home = (s, kind) => link(s.home, p(s.trial || isTrial(s) ? 'tryBack' : 'back'), kind);
const isTrial = ({ payment }) => payment?.purpose === 'TRY';
const sumOf = (of) => (of?.amount ? money(of.amount, of) : '');
const backOf = (of) => money(of.refundAmount || of.amount, of);

/* A card is asked for, and nothing is charged. */
const isCard = (s) => (s.intent ?? s.payment)?.purpose === 'CARD';

/* What will be charged to a card at most, and when; before it is left, and in the house's words. */
function drawTerms({ intent }) {
	const most = money(intent.mostAmount ?? intent.amount, intent);
	return el(
		'section',
		{ class: 'terms' },
		el('h3', {}, p('keepTerms')),
		el('p', {}, p('keepAbout', most)),
		intent.chargeHours && el('p', {}, p('keepHours', intent.chargeHours)),
		intent.terms && el('p', {}, intent.terms),
	);
}

const drawSum = (of) =>
	el('p', { class: 'total' }, el('span', {}, p('sum')), el('b', {}, sumOf(of)));

/* The slot, with what is left of its hold. */
function drawSlip(s) {
	const { reservation } = s.payment ?? {};
	const slot = reservation ?? s.intent?.reservation;
	const counted = s.r.holdExpiresAt && [drawCountdown(t('holdLeft')), drawWarning(false)];
	if (!slot?.slotDate && !counted) return null;
	return el('div', { class: 'slip' }, slot?.slotDate && drawSlot(slot), ...(counted || []));
}

const payButton = (s, label) => button(label, () => s.leave(), { class: 'primary', id: 'pay' });
const againButton = (s, label) =>
	s.who || isTrial(s) ? button(label, () => s.again(), { class: 'primary', id: 'again' }) : null;

/* What stands on each screen: heading, text, and what can be done. */
const SCREENS = {
	loading: () => ({ title: p('preparing'), asking: true }),
	going: () => ({ title: p('going'), text: p('paySafe'), asking: true }),
	away: (s) => ({
		title: p('away'),
		text: p('awayText'),
		acts: [againButton(s, t('retry')), callButton(s.ctx.house), home(s, 'plain')],
	}),
	trouble: (s) => ({ title: p('pay'), acts: [againButton(s, t('retry')), home(s, 'plain')] }),
	nowhere: (s) => ({ title: p('nowhere'), text: p('nowhereText'), acts: [home(s)] }),
	begun(s) {
		const card = isCard(s);
		return {
			title: card ? p('keepCard') : p('ready'),
			text: card ? '' : p('readyText'),
			parts: card ? [drawTerms(s)] : [drawSum(s.intent)],
			acts: [payButton(s, card ? p('keepAgree') : p('paySum', sumOf(s.intent))), home(s, 'plain')],
			safe: true,
		};
	},
	ready: (s) => ({
		title: p('closed'),
		text: p(s.who || isTrial(s) ? 'closedText' : 'otherBrowser'),
		parts: [drawSum(s.payment)],
		acts: [againButton(s, p('again')), home(s, 'plain')],
	}),
	checking: (s) => ({
		title: p('checking'),
		text: p(s.long ? 'checkingLong' : 'checkingText'),
		acts: s.long ? [home(s)] : [],
		asking: true,
	}),
	paid(s) {
		if (isTrial(s)) return { title: p('tryTitle'), text: p('tryPaid'), asking: true };
		return {
			title: p(isCard(s) ? 'kept' : 'paid'),
			text: p('paidText'),
			parts: [drawCode(s)],
			acts: [link(s.home, p('toReservation'), 'primary')],
		};
	},
	nothing(s) {
		if (isTrial(s)) return { title: p('tryTitle'), text: p('tryFailed'), acts: [home(s)] };
		return {
			title: p('nothing'),
			text: p('nothingText'),
			acts: [link('/', t('rebook'), 'primary'), home(s, 'plain')],
		};
	},
	refundComing: (s) => ({
		title: p(isTrial(s) ? 'tryTitle' : 'refundComing'),
		text: p('refundComingText', backOf(s.payment)),
		acts: [home(s)],
	}),
	refunded: (s) => ({
		title: p(isTrial(s) ? 'tryTitle' : 'refunded'),
		text: isTrial(s) ? p('tryRefunded') : p('refundedText', backOf(s.payment)),
		acts: [home(s)],
	}),
	declined(s) {
		const { payment, closed } = s;
		const may = payment.retry !== false;
		const text = closed ? 'closedText' : 'declinedText';
		return {
			title: p(closed ? 'closed' : 'declined'),
			text: p(may ? text : 'declinedLast'),
			parts: [!closed && drawWords(payment), may && !s.who && el('p', {}, p('otherBrowser'))],
			acts: [may && againButton(s, p(closed ? 'again' : 'otherCard')), home(s, 'plain')],
		};
	},
};

/* Without the name that it has for programs: "REJECT_CARD: the card was refused". */
const drawWords = ({ words }) =>
	words && el('p', { class: 'notice' }, p('theirWords', words.replace(/^[A-Za-z_]+: /, '')));

/* In a browser that knows nothing of the reservation its code is what can be kept. */
const drawCode = ({ payment: { reservation } }) =>
	el(
		'div',
		{ class: 'code' },
		el('span', {}, t('code')),
		el('b', {}, reservation?.reservationCode ?? ''),
	);

/* Where the slot is shown, with what is left of its hold as long as that counts. */
const SLIPS = ['begun', 'ready', 'declined', 'going', 'checking'];

/** Which screen it is. */
export function nameOf(s) {
	if (s.note?.title) return s.note.title;
	if (s.busy) return s.intent ? 'going' : 'loading';
	if (s.payment) return screenOf(s.payment);
	if (s.intent) return 'begun';
	if (s.note) return 'trouble';
	if (s.key) return 'checking';
	return s.reservationId || s.trial ? 'loading' : 'nowhere';
}

/** Draws it; gives its heading. */
export function drawScreen(s, name) {
	const { title, text, parts = [], acts = [], asking, safe } = SCREENS[name](s);
	const heading = el('h2', { class: 'state' }, title);
	const testing = s.ctx.house?.payments?.test;
	s.root.replaceChildren(
		el(
			'article',
			{ class: `card narrow reservation paying ${name}`, 'data-screen': name },
			testing && el('p', { class: 'testing' }, p('test')),
			el('div', { class: `seal ${asking ? 'asking' : ''}`, 'aria-hidden': 'true' }),
			heading,
			el('p', { class: 'lead' }, text ?? ''),
			s.note?.text && el('p', { class: 'notice', role: 'alert' }, s.note.text),
			SLIPS.includes(name) && drawSlip(s),
			...parts,
			acts.some(Boolean) && el('div', { class: 'actions' }, acts),
			safe && el('p', { class: 'hint' }, p('paySafe')),
		),
	);
	return heading;
}
