/*
 * providers.test.mjs - do the local providers behave as the real ones?  Asked by the providers' own SDKs, which read every answer.
 */
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { PORTONE_HOOK } from './hooks.mjs';
import { needs } from './judge.mjs';
import * as portone from './portone.mjs';
import { openProviders } from './server.mjs';
import * as stripe from './stripe.mjs';
import * as toss from './toss.mjs';

globalThis.crypto ??= webcrypto; /* node 18, Debian 12's, has it elsewhere */
const Stripe = needs('stripe');
const { PortOneClient, Webhook } = needs('@portone/server-sdk');
const standard = needs('standardwebhooks');

let pay;
let shop; /* PortOne's client */
let till; /* Stripe's client */
let mailbox; /* where events go */

before(async () => {
	pay = await openProviders();
	shop = PortOneClient({ secret: portone.SECRET, baseUrl: pay.url, storeId: portone.STORE });
	till = new Stripe(stripe.SECRET, { host: '127.0.0.1', port: pay.port, protocol: 'http', apiVersion: stripe.VERSION, maxNetworkRetries: 0, telemetry: false });
	mailbox = await openMailbox();
});
after(async () => {
	await pay.close();
	await mailbox.close();
});
beforeEach(() => {
	pay.world.reset();
	mailbox.letters.length = 0;
});

async function openMailbox() {
	const letters = [];
	const server = createServer(async (req, res) => {
		const parts = [];
		for await (const part of req) parts.push(part);
		letters.push({ headers: req.headers, body: Buffer.concat(parts).toString() });
		res.end('{}');
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { letters, url: `http://127.0.0.1:${server.address().port}/events`, close: () => new Promise((resolve) => server.close(resolve)) };
}

const control = (method, path, body) => pay.ask(method, `/control/${path}`, body);
const fault = (body) => control('POST', 'faults', body);
const money = (id = '') => control('GET', `money?id=${id}`);
const said = (redirect) => Object.fromEntries(new URL(redirect).searchParams);
/* No answer of the local server was wrong, and no request either but those that a test meant. */
async function nothingWrong(...meant) {
	const { calls } = await control('GET', 'calls');
	assert.deepEqual(calls.flatMap((c) => c.wrong.map((w) => `${c.call}: ${w}`)).filter((w) => !meant.some((m) => w.includes(m))), []);
}

/* ---- PortOne ---- */

let turn = 0;
const key = (name = 'key') => `${name}-${String(++turn).padStart(16, '0')}`;
async function say(url, method, headers, body) {
	const answer = await fetch(pay.url + url, { method, headers, body });
	return { status: answer.status, ...(await answer.json()) };
}
const portoneSays = (url, body, idempotency = key()) => say(url, 'POST', { authorization: `PortOne ${portone.SECRET}`, 'content-type': 'application/json', 'idempotency-key': idempotency }, JSON.stringify(body));
async function portoneWindow(wish = {}) {
	return said((await control('POST', 'guest', { provider: 'portone', do: 'pay', paymentId: 'R1', storeId: portone.STORE, channelKey: portone.CHANNEL, orderName: 'deposit', totalAmount: 20000, currency: 'KRW', redirectUrl: 'http://jari/pay', customData: { code: 'K7' }, ...wish })).redirect);
}
const confirm = (token, more = {}, idempotency = key()) => portoneSays('/payments/R1/confirm', { paymentToken: token, totalAmount: 20000, currency: 'KRW', ...more }, idempotency);

test('portone_charges_when_the_shop_confirms_and_only_then', async () => {
	const { paymentToken, txId } = await portoneWindow();
	assert.equal((await shop.payment.getPayment({ paymentId: 'R1' })).status, 'READY');
	assert.equal((await money('R1')).charged, 0);
	assert.equal((await confirm(paymentToken, { txId })).status, 200);
	const paid = await shop.payment.getPayment({ paymentId: 'R1' });
	assert.deepEqual([paid.status, paid.amount.paid, paid.currency], ['PAID', 20000, 'KRW']);
	assert.deepEqual((await money('R1')).payments[0].about, { code: 'K7' });
	assert.equal((await confirm(paymentToken)).type, 'ALREADY_PAID');
	assert.equal((await money('R1')).charges, 1);
	await nothingWrong();
});

test('portone_refuses_another_amount_or_currency_before_money_moves', async () => {
	const { paymentToken } = await portoneWindow({ totalAmount: 1 });
	assert.equal((await confirm(paymentToken)).type, 'INFORMATION_MISMATCH');
	assert.equal((await confirm(paymentToken, { totalAmount: 1, currency: 'USD' })).type, 'INFORMATION_MISMATCH');
	assert.equal((await confirm('payment-token-of-nobody')).type, 'INVALID_PAYMENT_TOKEN');
	assert.equal((await money()).charged, 0);
});

test('portone_takes_another_card_under_the_same_payment_after_a_refusal', async () => {
	assert.equal((await portoneWindow({ card: 'closed' })).code, 'FAILURE_TYPE_PG');
	assert.equal((await portoneWindow({ card: 'declined' })).pgCode, 'REJECT_CARD_COMPANY');
	const { paymentToken: bad } = await portoneWindow({ card: 'refused' });
	assert.equal((await confirm(bad)).type, 'PG_PROVIDER');
	assert.equal((await shop.payment.getPayment({ paymentId: 'R1' })).status, 'FAILED');
	const { paymentToken } = await portoneWindow();
	assert.equal((await confirm(paymentToken)).status, 200);
	assert.equal((await money('R1')).most, 1);
	await nothingWrong();
});

test('portone_gives_back_only_while_the_shop_knows_what_is_left', async () => {
	await confirm((await portoneWindow()).paymentToken);
	const { cancellation } = await shop.payment.cancelPayment({ paymentId: 'R1', amount: 5000, currentCancellableAmount: 20000, reason: 'the guest cancels' });
	assert.deepEqual([cancellation.status, cancellation.totalAmount], ['SUCCEEDED', 5000]);
	await assert.rejects(shop.payment.cancelPayment({ paymentId: 'R1', amount: 5000, currentCancellableAmount: 20000, reason: 'again' }), (e) => e.data.type === 'CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN');
	await shop.payment.cancelPayment({ paymentId: 'R1', currentCancellableAmount: 15000, reason: 'the rest' });
	await assert.rejects(shop.payment.cancelPayment({ paymentId: 'R1', amount: 1, currentCancellableAmount: 0, reason: 'more' }), (e) => e.data.type === 'PAYMENT_ALREADY_CANCELLED');
	const gone = await shop.payment.getPayment({ paymentId: 'R1' });
	assert.deepEqual([gone.status, gone.amount.cancelled, gone.cancellations.length], ['CANCELLED', 20000, 2]);
	assert.equal((await money('R1')).kept, 0);
	await nothingWrong('no Idempotency-Key');
});

test('portone_keeps_a_card_charges_it_and_forgets_it', async () => {
	const { billingKey: no, billingIssueToken } = said((await control('POST', 'guest', { provider: 'portone', do: 'key', storeId: portone.STORE, channelKey: portone.CHANNEL, billingKeyMethod: 'CARD', issueId: 'R1-CARD', redirectUrl: 'http://jari/pay' })).redirect);
	assert.equal(no, 'NEEDS_CONFIRMATION');
	const { billingKey } = await shop.payment.billingKey.confirmBillingKey({ billingIssueToken });
	assert.equal((await shop.payment.billingKey.getBillingKeyInfo({ billingKey })).status, 'ISSUED');
	const { payment } = await shop.payment.payWithBillingKey({ paymentId: 'R1-CHARGE', billingKey, orderName: 'no-show', amount: { total: 30000 }, currency: 'KRW' });
	assert.ok(payment.paidAt);
	await shop.payment.billingKey.deleteBillingKey({ billingKey, reason: 'over' });
	await assert.rejects(shop.payment.payWithBillingKey({ paymentId: 'R1-AGAIN', billingKey, orderName: 'x', amount: { total: 1 }, currency: 'KRW' }), (e) => e.data.type === 'BILLING_KEY_NOT_FOUND');
	assert.deepEqual((await control('GET', 'effects')).effects.map((e) => e.what), ['KEY', 'CHARGE', 'KEY-GONE']);
	await nothingWrong('no Idempotency-Key');
});

test('portone_lists_what_was_paid', async () => {
	for (const paymentId of ['R1', 'R2', 'R3']) await portoneWindow({ paymentId });
	const { items } = await shop.payment.getAllPaymentsByCursor({ size: 2 });
	assert.deepEqual(items.map((i) => i.payment.id), ['R1', 'R2']);
	const rest = await shop.payment.getAllPaymentsByCursor({ size: 2, cursor: items[1].cursor });
	assert.deepEqual(rest.items.map((i) => i.payment.id), ['R3']);
	await nothingWrong();
});

/* ---- Toss ---- */

const tossHeaders = { authorization: `Basic ${Buffer.from(`${toss.SECRET}:`).toString('base64')}`, 'content-type': 'application/json' };
const tossSays = (url, body, idempotency = key()) => say(url, body ? 'POST' : 'GET', { ...tossHeaders, 'idempotency-key': idempotency }, body && JSON.stringify(body));
async function tossWindow(wish = {}) {
	return said((await control('POST', 'guest', { provider: 'toss', do: 'pay', orderId: 'order-R1', orderName: 'deposit', amount: 20000, successUrl: 'http://jari/pay', failUrl: 'http://jari/fail', ...wish })).redirect);
}

test('toss_charges_when_the_shop_confirms_in_time', async () => {
	const { paymentKey, orderId, amount } = await tossWindow();
	assert.equal((await tossSays(`/v1/payments/${paymentKey}`)).status, 'IN_PROGRESS');
	assert.equal((await tossSays('/v1/payments/confirm', { paymentKey, orderId, amount: 1 })).code, 'INVALID_REQUEST');
	const done = await tossSays('/v1/payments/confirm', { paymentKey, orderId, amount: Number(amount) });
	assert.deepEqual([done.status, done.totalAmount, done.balanceAmount], ['DONE', 20000, 20000]);
	assert.equal((await tossSays('/v1/payments/confirm', { paymentKey, orderId, amount: Number(amount) })).code, 'ALREADY_PROCESSED_PAYMENT');
	assert.equal((await tossSays('/v1/payments/orders/order-R1')).status, 'DONE');
	const late = await tossWindow({ orderId: 'order-R2' });
	await control('POST', 'clock', { shift_s: 601 });
	assert.equal((await tossSays('/v1/payments/confirm', { paymentKey: late.paymentKey, orderId: 'order-R2', amount: 20000 })).code, 'NOT_FOUND_PAYMENT_SESSION');
	assert.equal((await money()).charges, 1);
	await nothingWrong();
});

test('toss_gives_back_in_parts_and_once_for_each_key', async () => {
	const { paymentKey } = await tossWindow();
	await tossSays('/v1/payments/confirm', { paymentKey, orderId: 'order-R1', amount: 20000 });
	const same = key();
	for (let i = 0; i < 2; i++) assert.equal((await tossSays(`/v1/payments/${paymentKey}/cancel`, { cancelReason: 'the guest cancels', cancelAmount: 5000 }, same)).balanceAmount, 15000);
	assert.equal((await tossSays(`/v1/payments/${paymentKey}/cancel`, { cancelReason: 'too much', cancelAmount: 20000 })).code, 'NOT_CANCELABLE_AMOUNT');
	assert.deepEqual([(await money()).returned, (await money()).returns], [5000, 1]);
	const day = (n) => new Date(Date.now() + 9 * 3600_000 + n * 864e5).toISOString().slice(0, 19);
	const { 0: paid, 1: back } = await tossSays(`/v1/transactions?startDate=${day(-1)}&endDate=${day(1)}`);
	assert.deepEqual([paid.amount, back.amount], [20000, -5000]);
	await nothingWrong();
});

test('toss_keeps_a_card_charges_it_and_forgets_it', async () => {
	const { authKey, customerKey } = said((await control('POST', 'guest', { provider: 'toss', do: 'key', customerKey: 'guest-of-R1', successUrl: 'http://jari/pay', failUrl: 'http://jari/fail' })).redirect);
	const { billingKey } = await tossSays('/v1/billing/authorizations/issue', { authKey, customerKey });
	assert.equal((await tossSays(`/v1/billing/${billingKey}`, { customerKey, amount: 30000, orderId: 'order-charge', orderName: 'no-show' })).status, 'DONE');
	assert.equal((await say(`/v1/billing/${billingKey}`, 'DELETE', tossHeaders)).status, 200);
	assert.equal((await tossSays(`/v1/billing/${billingKey}`, { customerKey, amount: 30000, orderId: 'order-more', orderName: 'x' })).code, 'NOT_FOUND_BILLING');
	await nothingWrong();
});

/* ---- Stripe ---- */

const session = (more = {}, options = {}) => till.checkout.sessions.create({
	mode: 'payment', success_url: 'http://jari/pay?s={CHECKOUT_SESSION_ID}', cancel_url: 'http://jari/pay?closed=1', client_reference_id: 'R1', adaptive_pricing: { enabled: false }, allowed_payment_method_types: ['card'],
	line_items: [{ price_data: { currency: 'eur', unit_amount: 2000, product_data: { name: 'deposit' } }, quantity: 1 }], payment_intent_data: { capture_method: 'manual', metadata: { code: 'K7' } }, ...more,
}, options);
const stripeWindow = (id, card) => control('POST', 'guest', { session: id, card });
const full = (id) => till.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });

test('stripe_holds_at_the_page_and_charges_when_captured', async () => {
	const s = await session();
	assert.deepEqual([s.status, s.payment_intent, s.payment_status], ['open', null, 'unpaid']);
	assert.equal((await stripeWindow(s.id)).redirect, `http://jari/pay?s=${s.id}`);
	const held = await full(s.id);
	assert.deepEqual([held.status, held.payment_status, held.payment_intent.status, held.payment_intent.amount_capturable], ['complete', 'unpaid', 'requires_capture', 2000]);
	assert.ok(held.payment_intent.latest_charge.payment_method_details.card.capture_before > held.created);
	assert.deepEqual([(await money('R1')).held, (await money('R1')).charged], [2000, 0]);
	const done = await till.paymentIntents.capture(held.payment_intent.id);
	assert.deepEqual([done.status, done.amount_received], ['succeeded', 2000]);
	await assert.rejects(till.paymentIntents.capture(done.id), (e) => e.code === 'payment_intent_unexpected_state');
	assert.deepEqual([(await money('R1')).held, (await money('R1')).charged, (await money('R1')).charges], [0, 2000, 1]);
	await nothingWrong();
});

test('stripe_lets_go_of_what_is_cancelled_or_never_captured', async () => {
	const one = await session();
	await stripeWindow(one.id);
	const { payment_intent: first } = await full(one.id);
	assert.equal((await till.paymentIntents.cancel(first.id, { cancellation_reason: 'abandoned' })).status, 'canceled');
	const two = await session({ client_reference_id: 'R2' });
	await stripeWindow(two.id);
	await control('POST', 'clock', { shift_s: 7 * 86400 + 1 });
	assert.equal((await full(two.id)).payment_intent.status, 'canceled');
	assert.deepEqual([(await money()).held, (await money()).charged], [0, 0]);
	await nothingWrong();
});

test('stripe_ends_a_session_by_its_own_clock', async () => {
	const now = Math.floor(Date.now() / 1000);
	await assert.rejects(session({ expires_at: now + 60 }), (e) => e.param === 'expires_at');
	const s = await session({ expires_at: now + 1860 });
	await control('POST', 'clock', { shift_s: 1900 });
	assert.equal((await full(s.id)).status, 'expired');
	await assert.rejects(session({ expires_at: now + 1860 }), (e) => e.param === 'expires_at');
});

test('stripe_gives_back_in_parts_and_never_more_than_there_is', async () => {
	const s = await session();
	await stripeWindow(s.id);
	const { payment_intent: i } = await full(s.id);
	await assert.rejects(till.refunds.create({ payment_intent: i.id, amount: 1 }), (e) => e.code === 'charge_not_captured');
	await till.paymentIntents.capture(i.id);
	const same = { idempotencyKey: key() };
	for (let n = 0; n < 2; n++) assert.equal((await till.refunds.create({ payment_intent: i.id, amount: 500 }, same)).status, 'succeeded');
	await assert.rejects(till.refunds.create({ payment_intent: i.id, amount: 1501 }), (e) => e.type === 'StripeInvalidRequestError');
	await control('POST', 'console', { provider: 'stripe', id: 'R1', do: 'refund' });
	await assert.rejects(till.refunds.create({ payment_intent: i.id, amount: 1 }), (e) => e.code === 'charge_already_refunded');
	assert.deepEqual((await till.refunds.list({ payment_intent: i.id })).data.map((r) => r.amount), [1500, 500]);
	assert.deepEqual([(await money('R1')).returned, (await money('R1')).kept], [2000, 0]);
	await nothingWrong();
});

test('stripe_keeps_a_card_charges_it_and_forgets_it', async () => {
	const s = await till.checkout.sessions.create({ mode: 'setup', currency: 'eur', customer_creation: 'always', success_url: 'http://jari/pay?s={CHECKOUT_SESSION_ID}', client_reference_id: 'R1-CARD' });
	await stripeWindow(s.id);
	const { setup_intent: card, customer } = await till.checkout.sessions.retrieve(s.id, { expand: ['setup_intent.payment_method'] });
	assert.deepEqual([card.status, card.payment_method.card.last4], ['succeeded', '4242']);
	const charged = await till.paymentIntents.create({ amount: 3000, currency: 'eur', customer, payment_method: card.payment_method.id, off_session: true, confirm: true, metadata: { paymentId: 'R1-CHARGE' } });
	assert.equal(charged.status, 'succeeded');
	assert.equal((await money('R1-CHARGE')).charged, 3000);
	await till.paymentMethods.detach(card.payment_method.id);
	await assert.rejects(till.paymentIntents.create({ amount: 1, currency: 'eur', customer, payment_method: card.payment_method.id, off_session: true, confirm: true }), (e) => e.param === 'customer');
	await nothingWrong();
});

test('stripe_knows_how_many_digits_a_currency_has', async () => {
	const line = (currency, unit_amount) => ({ line_items: [{ price_data: { currency, unit_amount, product_data: { name: 'deposit' } }, quantity: 1 }] });
	assert.equal((await session(line('krw', 20000))).amount_total, 20000);
	await assert.rejects(session(line('kwd', 1001)), (e) => e.type === 'StripeInvalidRequestError');
	assert.equal((await session(line('kwd', 1010))).amount_total, 1010);
});

/* ---- what the three have in common ---- */

test('the_same_key_gets_the_same_answer_and_no_second_charge', async () => {
	const { paymentToken } = await portoneWindow();
	const same = key();
	const one = await confirm(paymentToken, {}, same);
	assert.deepEqual(await confirm(paymentToken, {}, same), one);
	assert.equal((await control('GET', 'calls?call=confirm')).replayed, 1);
	assert.equal((await confirm(paymentToken, { totalAmount: 5 }, same)).status, 422);
	assert.equal((await money()).charges, 1);
	const s = { idempotencyKey: key() };
	const first = await session({}, s);
	assert.equal((await session({}, s)).id, first.id);
	await assert.rejects(session({ client_reference_id: 'R2' }, s), (e) => e.type === 'StripeIdempotencyError');
});

test('a_second_request_meets_the_first_at_work', async () => {
	const { paymentToken } = await portoneWindow();
	await fault({ provider: 'portone', call: 'confirm', fault: 'late', ms: 300 });
	const same = key();
	const [one, two] = await Promise.all([confirm(paymentToken, {}, same), new Promise((resolve) => setTimeout(() => resolve(confirm(paymentToken, {}, same)), 100))]);
	assert.deepEqual([one.status, two.type], [200, 'IDEMPOTENCY_OUTSTANDING_REQUEST']);
	assert.equal((await money()).charges, 1);
});

test('it_fails_as_it_is_told_to_and_remembers_what_it_did', async () => {
	const done = [];
	for (const [n, f] of [{ fault: 'lost' }, { fault: 'cut' }, { fault: 'dropped' }, { fault: '502' }, { fault: '502', after: true }, { fault: 'html' }, { fault: '429' }, { fault: '409' }, { fault: 'delay', ms: 20 }].entries()) {
		const paymentId = `R${n}`;
		const { paymentToken } = await portoneWindow({ paymentId });
		await fault({ provider: 'portone', call: 'confirm', ...f });
		const answer = await portoneSays(`/payments/${paymentId}/confirm`, { paymentToken, totalAmount: 20000, currency: 'KRW' }).then((a) => a.status, () => 'nothing');
		done.push([f.fault, answer, (await money(paymentId)).charges]);
	}
	assert.deepEqual(done, [['lost', 'nothing', 1], ['cut', 'nothing', 1], ['dropped', 'nothing', 0], ['502', 502, 0], ['502', 502, 1], ['html', 'nothing', 0], ['429', 429, 0], ['409', 409, 0], ['delay', 200, 1]]);
});

test('it_charges_or_tells_a_wrong_amount_when_told_to', async () => {
	await fault({ provider: 'portone', call: 'confirm', fault: 'amount' });
	await confirm((await portoneWindow()).paymentToken);
	assert.equal((await money('R1')).charged, 20001);
	await fault({ provider: 'portone', call: 'get', fault: 'currency' });
	assert.equal((await shop.payment.getPayment({ paymentId: 'R1' })).currency, 'USD');
	assert.equal((await shop.payment.getPayment({ paymentId: 'R1' })).currency, 'KRW');
});

test('a_request_that_the_sdk_would_not_make_is_wrong', async () => {
	const { paymentToken } = await portoneWindow();
	await portoneSays('/payments/R1/confirm', { paymentToken, totalAmount: '20000', currency: 'KRW', amount: 20000 });
	await tossSays('/v1/payments/confirm', { paymentKey: 'x', orderId: 'R 1', amount: 1.5 });
	await say('/v1/refunds', 'POST', { authorization: `Bearer ${stripe.SECRET}`, 'content-type': 'application/x-www-form-urlencoded' }, 'payment_intent=pi_1&amount=1.5&whatever=1');
	await say('/v1/nowhere', 'POST', { authorization: `Bearer ${stripe.SECRET}` }, '');
	const wrong = (await control('GET', 'calls')).calls.map((c) => c.wrong.join('; '));
	assert.match(wrong[0], /totalAmount: must be number/);
	assert.match(wrong[0], /\(amount\)/);
	assert.match(wrong[1], /orderId.*amount: must be integer/);
	assert.match(wrong[2], /amount: must match pattern.*no Idempotency-Key.*Stripe-Version/);
	assert.match(wrong[3], /no such address/);
});

test('a_wrong_key_is_refused', async () => {
	await assert.rejects(PortOneClient({ secret: 'another', baseUrl: pay.url }).payment.getPayment({ paymentId: 'R1' }), (e) => e.data.type === 'UNAUTHORIZED');
	await assert.rejects(new Stripe('sk_live_jari', { host: '127.0.0.1', port: pay.port, protocol: 'http', maxNetworkRetries: 0 }).refunds.list(), (e) => e.type === 'StripeAuthenticationError');
	assert.equal((await say('/v1/payments/x', 'GET', { authorization: 'Basic live_sk_jari' })).code, 'UNAUTHORIZED_KEY');
});

/* ---- events ---- */

const hooks = (more = {}) => control('POST', 'hooks', { send: 'now', portone: mailbox.url, toss: mailbox.url, stripe: mailbox.url, ...more });
async function letters(n) {
	for (const until = Date.now() + 5000; mailbox.letters.length < n && Date.now() < until; ) await new Promise((resolve) => setTimeout(resolve, 5));
	return mailbox.letters;
}

test('the_sdks_believe_the_events_that_are_made_here', async () => {
	await hooks();
	await confirm((await portoneWindow()).paymentToken);
	const [ready, paid] = await letters(2);
	assert.equal((await Webhook.verify(PORTONE_HOOK, ready.body, ready.headers)).type, 'Transaction.Ready');
	assert.equal(new standard.Webhook(PORTONE_HOOK).verify(paid.body, paid.headers).data.paymentId, 'R1');
	mailbox.letters.length = 0;
	await stripeWindow((await session()).id);
	const events = (await letters(2)).map((l) => till.webhooks.constructEvent(l.body, l.headers['stripe-signature'], stripe.HOOK));
	assert.deepEqual(events.map((e) => e.type), ['payment_intent.amount_capturable_updated', 'checkout.session.completed']);
	assert.equal(events[1].data.object.client_reference_id, 'R1');
});

test('the_sdks_refuse_the_events_that_are_spoilt_here', async () => {
	await hooks({ send: 'hold' });
	await portoneWindow();
	await stripeWindow((await session()).id);
	for (const bad of ['signature', 'secret', 'old', 'future', 'body', 'unsigned']) {
		mailbox.letters.length = 0;
		await control('POST', 'hooks/send', { bad });
		const [p, s] = await letters(3);
		await assert.rejects(Webhook.verify(PORTONE_HOOK, p.body, p.headers), `portone: ${bad}`);
		if (bad !== 'future') assert.throws(() => till.webhooks.constructEvent(s.body, s.headers['stripe-signature'] ?? '', stripe.HOOK), `stripe: ${bad}`);
	}
});

test('events_come_twice_at_once_and_in_another_order', async () => {
	await hooks({ send: 'hold' });
	await confirm((await portoneWindow()).paymentToken);
	const sent = await control('POST', 'hooks/send', { order: 'reversed', times: 3 });
	assert.deepEqual([sent.sent, sent.answered], [6, 6]);
	assert.deepEqual((await letters(6)).map((l) => JSON.parse(l.body).type), [...Array(3).fill('Transaction.Paid'), ...Array(3).fill('Transaction.Ready')]);
	mailbox.letters.length = 0;
	assert.equal((await control('POST', 'hooks/send', { type: 'Transaction.Paid', times: 10, at_once: true })).sent, 10);
	await hooks();
	mailbox.letters.length = 0;
	await fault({ provider: 'portone', call: 'cancel', fault: 'twice' });
	await portoneSays('/payments/R1/cancel', { reason: 'x', amount: 1, currentCancellableAmount: 20000 });
	assert.equal((await letters(2)).length, 2);
});

/* ---- the windows ---- */

/* What a browser would do with a page's button: the form's answer is a redirect. */
async function press(address, card) {
	const html = await (await fetch(address)).text();
	const wish = /name="wish" value="([^"]*)"/.exec(html)[1].replace(/&#(\d+);/g, (_, n) => String.fromCharCode(n));
	const answer = await fetch(`${pay.url}/window/go`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ wish, card }) });
	return answer.headers.get('location');
}

/* Runs a provider's script in the place of a page; resolves to where it goes, rejects as its promise does. */
async function script(path, act) {
	const text = await (await fetch(pay.url + path)).text();
	const window = {};
	return new Promise((resolve, reject) => {
		new Function('window', 'fetch', 'location', text)(window, fetch, { assign: resolve });
		act(window).catch(reject);
	});
}

test('the_scripts_lead_to_a_window_and_back', async () => {
	const wish = { storeId: portone.STORE, channelKey: portone.CHANNEL, paymentId: 'R1', orderName: 'a "deposit"', totalAmount: 20000, currency: 'KRW', payMethod: 'CARD', redirectUrl: 'http://jari/pay', forceRedirect: true };
	const address = await script('/v2/browser-sdk.js', (w) => w.PortOne.requestPayment(wish));
	const back = said(await press(address, 'ok'));
	assert.equal((await confirm(back.paymentToken)).status, 200);
	await assert.rejects(script('/v2/browser-sdk.js', (w) => w.PortOne.requestPayment(wish)), (e) => e.code === 'ALREADY_PAID');
	await assert.rejects(script('/v2/browser-sdk.js', (w) => w.PortOne.requestPayment({ ...wish, paymentId: 'R2', storeId: 'another' })), (e) => e.code === 'CHANNEL_NOT_FOUND');
	const order = { method: 'CARD', amount: { currency: 'KRW', value: 20000 }, orderId: 'order-R1', orderName: 'deposit', successUrl: 'http://jari/pay', failUrl: 'http://jari/fail', windowTarget: 'self' };
	const open = (key, o) => script('/v2/standard', (w) => w.TossPayments(key).payment({ customerKey: w.TossPayments.ANONYMOUS }).requestPayment(o));
	assert.equal(said(await press(await open(toss.CLIENT, order), 'ok')).amount, '20000');
	assert.equal(said(await press(await open(toss.CLIENT, order), 'closed')).code, 'PAY_PROCESS_CANCELED');
	await assert.rejects(open('another', order), (e) => e.code === 'INVALID_CLIENT_KEY');
	const s = await session();
	assert.match(await press(s.url, 'declined'), /declined=1/);
	assert.equal(await press(s.url, 'ok'), `http://jari/pay?s=${s.id}`);
	assert.match(await (await fetch(`${pay.url}/window/stripe?session=${s.id}`)).text(), /This session is over \(complete\)/);
});
