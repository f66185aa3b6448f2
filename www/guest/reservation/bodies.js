/*
 * bodies.js - a reservation in each of its states: held and to be paid, offered, waiting for a
 * code, confirmed, ended.
 *
 * s: the screen, { r, who, ctx, warned } and what can be done on it: take(), withdraw(), come(),
 * sayToday(), cancel(), alter(), look().  Each body is a list of nodes; what is not there is left
 * out.
 */
import { clockAt } from '../../dates.js';
import { actions } from '../../forms.js';
import { money, t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { callButton } from '../choose/info.js';
import { drawCalendar, drawManage, drawQr } from './keepsake.js';
import {
	drawCountdown,
	drawDue,
	drawFacts,
	drawOwed,
	drawTerms,
	drawTicket,
	drawWarning,
	slotText,
} from './parts.js';
import { endedText, isToCome, stateOf } from './states.js';
import { drawToday } from './today.js';

const facts = ({ r, ctx }) => drawFacts(r, ctx.house);
const terms = ({ r, ctx }) => drawTerms(r, ctx.house, ctx.clock);

const cancelButton = (s, label = t('cancel')) =>
	s.r.cancellable !== false && button(label, () => s.cancel(), { class: 'plain danger' });

const changeButton = (s) =>
	s.r.changeable !== false &&
	s.ctx.house &&
	button(t('change'), () => s.alter(), { class: 'soft' });

const rebookButton = ({ r, ctx }, kind) =>
	button(t('rebook'), () => ctx.rebook(r), { class: kind });

/* What is said and done about a payment online comes with its script and its words. */
function fillLater(fill) {
	const place = el('div', { class: 'payment' });
	import('../../pay/held.js').then((held) => fill(held, place));
	return place;
}
const drawOnline = (s, due) => fillLater((held, place) => held.fillHeld(place, s, due));
const drawPayment = (s) => s.r.payment && fillLater((held, place) => held.fillStanding(place, s));

/* In the restaurant's own words where it has any. */
const drawByHand = (house) => [
	house?.paymentText
		? el('p', { class: 'pay-text' }, house.paymentText)
		: el('p', {}, t('payAt', house?.phone)),
	callButton(house),
];

/* How to pay. */
function drawPay(s) {
	const { r, ctx } = s;
	const { house } = ctx;
	const ends = clockAt(r.holdExpiresAt, house?.timezone ?? 'Asia/Seoul');
	return el(
		'section',
		{ class: 'pay', 'aria-labelledby': 'pay-title' },
		el('h3', { id: 'pay-title' }, t('payTitle')),
		r.amountDue > 0 && drawDue(r.amountDue, r),
		house?.payments ? drawOnline(s, r.amountDue) : drawByHand(house),
		el('p', { class: 'hint' }, `${t('holdEnds', ends)} ${t('payFollow')}`),
	);
}

const drawHeld = (s) => [
	drawTicket(s.r, drawCountdown(t('holdLeft')), drawWarning(s.warned)),
	drawPay(s),
	facts(s),
	terms(s),
	el('div', { class: 'keepsake' }, drawQr(s.r, s.who), drawManage(s.r, s.who)),
	actions(changeButton(s), cancelButton(s)),
];

/* A button that works once; the screen is drawn anew by what it does. */
function once(label, act, props) {
	const node = button(
		label,
		() => {
			node.disabled = true;
			act();
		},
		props,
	);
	return node;
}

/* Seats from the waitlist: theirs if they take them in time. */
function drawOffered(s) {
	const { r } = s;
	const due = r.amountDue && money(r.amountDue, r);
	return [
		drawTicket(r, drawCountdown(t('takeLeft')), drawWarning(s.warned)),
		el('p', { class: 'lead' }, due ? t('takeDue', due) : t('takeAbout')),
		actions(
			once(t('take'), () => s.take(), { class: 'primary', id: 'take' }),
			button(t('takeNo'), () => s.cancel(), { class: 'plain danger' }),
		),
		facts(s),
	];
}

/* The booking waits for the code that proves who they are. */
function drawUnproven(s) {
	const place = el('div', { class: 'prove-place' });
	import('../prove.js').then(({ codeForm }) => {
		const code = codeForm(s.ctx, { done: () => s.lookAgain() });
		place.replaceChildren(code.node);
		code.ask();
	});
	return [
		drawTicket(s.r, drawCountdown(t('proveLeft'))),
		el('p', { class: 'lead' }, t('proveNeed')),
		place,
		facts(s),
		actions(cancelButton(s)),
	];
}

/* A change that costs more: what is held for it, and for how long.  The reservation stands as it
 * is. */
function drawPending(s) {
	const { house } = s.ctx;
	const pending = s.r.pendingChange;
	if (!pending) return null;
	return el(
		'section',
		{ class: 'pay pending', 'aria-labelledby': 'pending-title' },
		el('h3', { id: 'pending-title' }, t('changePending')),
		el('p', {}, slotText(pending)),
		drawCountdown(t('holdLeft')),
		drawDue(pending.amountDue, s.r),
		house?.payments
			? drawOnline(s, pending.amountDue)
			: el('p', { class: 'pay-text' }, house?.paymentText ?? t('payAt', house?.phone)),
		el('p', { class: 'hint' }, `${t('changeStands')} ${t('payFollow')}`),
		actions(once(t('changeBack'), () => s.withdraw(), { class: 'plain danger', id: 'withdraw' })),
	);
}

/* Asked before the day: are you coming?  A page with a button; opening it says nothing yet. */
function drawQuestion(s) {
	const asked = new URLSearchParams(location.search).get('ask');
	if (!asked || !isToCome(s.r)) return null;
	if (s.r.coming) return el('p', { class: 'notice' }, t('comingThanks'));
	return el(
		'section',
		{ class: 'notice question', 'aria-labelledby': 'ask-title' },
		el('h3', { id: 'ask-title' }, t('comingAsk')),
		actions(
			once(t('comingYes'), () => s.come(), { class: 'primary', id: 'coming' }),
			button(t('comingNo'), () => s.cancel(), { class: 'soft', id: 'not-coming' }),
		),
	);
}

function drawSound(s) {
	const { r, who } = s;
	const over = r.status === 'COMPLETED';
	const printIt = button(t('print'), () => print(), { class: 'soft' });
	return [
		drawToday(s) ?? drawQuestion(s),
		drawOwed(r),
		drawPayment(s),
		el('p', { class: 'lead' }, over ? '' : t('confirmedText')),
		drawPending(s),
		drawTicket(r, drawQr(r, who), actions(drawCalendar(r, who), printIt)),
		facts(s),
		terms(s),
		drawManage(r, who),
		over ? actions(rebookButton(s, 'primary')) : actions(changeButton(s), cancelButton(s)),
	];
}

function drawEnded(s) {
	const { r, ctx } = s;
	const expired = r.status === 'EXPIRED';
	const { name, sums = [] } = endedText(r) ?? {};
	const text = name ? t(name, ...sums.map((n) => money(n, r))) : '';
	return [
		el('p', { class: 'lead' }, text),
		drawPayment(s),
		!r.payment && drawOwed(r),
		actions(
			expired && button(t('tryAgain'), () => ctx.again(r), { class: 'primary' }),
			rebookButton(s, expired ? 'soft' : 'primary'),
		),
		drawTicket(r),
		facts(s),
	];
}

const BODIES = {
	held: drawHeld,
	offered: drawOffered,
	unproven: drawUnproven,
	sound: drawSound,
	ended: drawEnded,
};

/* Everything below the heading. */
export const drawBody = (s) => BODIES[stateOf(s.r)](s).filter(Boolean);

/* The parts that say more when more is known of the same state, by their selector. */
export const REFILLED = { '.facts': facts, '.terms': terms, '.owed': ({ r }) => drawOwed(r) };
