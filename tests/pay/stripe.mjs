/*
 * stripe.mjs - Stripe Checkout with manual capture: the guest authorises at a page of Stripe's, and the shop's server captures.
 */
import { timingSafeEqual } from 'node:crypto';
import { blank } from './judge.mjs';
import { Refusal, secret } from './world.mjs';

export const SECRET = 'sk_test_jari';
export const VERSION = '2026-09-30.endive';
export const HOOK = 'whsec_amFyaS1zdHJpcGUtd2ViaG9vay1zZWNyZXQ';
const HOLD_S = 7 * 86400;
const THREE_DIGITS = ['bhd', 'jod', 'kwd', 'omr', 'tnd'];

const same = (a, b) => Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b));
export function authorised(headers) {
	const said = headers.authorization ?? '';
	return same(said, `Bearer ${SECRET}`) || same(said, `Basic ${Buffer.from(`${SECRET}:`).toString('base64')}`);
}

const TYPE = { 401: 'invalid_request_error', 402: 'card_error', 404: 'invalid_request_error', 429: 'invalid_request_error' };
const CODE = { 402: 'card_declined', 404: 'resource_missing', 409: 'idempotency_key_in_use', 429: 'rate_limit' };
export function words(status, code, more = {}) {
	const word = code ?? CODE[status];
	const type = word === 'idempotency_key_in_use' ? 'idempotency_error' : (TYPE[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'));
	return { error: { type, ...(word ? { code: word } : {}), message: `The request did not succeed (${word ?? status}).`, ...more } };
}
const refuse = (status, code, more) => { throw new Refusal(status, words(status, code, more)); };
const bad = (param, message) => refuse(400, 'parameter_invalid_integer', { param, message });
export const unauthorised = () => new Refusal(401, words(401, undefined, { message: 'Invalid API Key provided.' }));
export const unknown = () => new Refusal(404, words(404, undefined, { message: 'Unrecognized request URL.' }));
export const keyReused = () => new Refusal(400, { error: { type: 'idempotency_error', message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.' } });
export const keyPattern = /^.{1,255}$/;

/* ---- resources ---- */

/* What this server knows of a resource and tells nobody: a symbol is in no answer. */
const OWN = Symbol('own');

function keep(world, type, prefix, given, own = {}) {
	const r = blank(`stripe ${type}`, { id: secret(prefix), created: world.now_s(), ...given });
	r[OWN] = own;
	world.stripe.set(r.id, r);
	return r;
}

function find(world, id, object) {
	const r = world.stripe.get(id);
	if (!r || (object && r.object !== object) || r[OWN].gone) refuse(404, 'resource_missing', { param: 'id', message: `No such ${object}: '${id}'` });
	return settle(world, r);
}

const all = (world, object) => [...world.stripe.values()].filter((r) => r.object === object && !r[OWN].gone).map((r) => settle(world, r)).reverse();

/* What runs out by the clock: a session that nobody used, an authorisation that nobody captured. */
function settle(world, r) {
	if (r.object === 'checkout.session' && r.status === 'open' && world.now_s() >= r.expires_at) end(world, r);
	if (r.object === 'payment_intent' && r.status === 'requires_capture' && world.now_s() >= r.created + HOLD_S) release(world, r, 'automatic', 'clock');
	return r;
}

function end(world, s) {
	Object.assign(s, { status: 'expired', url: null });
	tell(world, 'checkout.session.expired', s);
}

/* What tests compare by: client_reference_id of the session it came from, or else its own id. */
const nameOf = (world, r) => world.stripe.get(r[OWN].of)?.client_reference_id ?? r.client_reference_id ?? r.metadata?.paymentId ?? r.id;

const bare = (r) => structuredClone(r);

function tell(world, type, r) {
	const body = blank('stripe Events:EventBase', { id: secret('evt_'), object: 'event', api_version: VERSION, created: world.now_s(), data: { object: bare(r) }, livemode: false, pending_webhooks: 1, request: { id: null, idempotency_key: null }, type });
	world.event('stripe', type, nameOf(world, r), body);
}

/* expand[]=payment_intent.latest_charge: what is named becomes what it names. */
function expand(world, value, paths) {
	for (const path of paths) {
		const [head, ...rest] = path.split('.');
		if (head === 'data' && Array.isArray(value.data)) value.data = value.data.map((v) => expand(world, v, [rest.join('.')]));
		else if (typeof value[head] === 'string' && world.stripe.has(value[head])) value[head] = expand(world, bare(find(world, value[head])), rest.length ? [rest.join('.')] : []);
		else if (value[head] && typeof value[head] === 'object' && rest.length) value[head] = expand(world, value[head], [rest.join('.')]);
	}
	return { ...value };
}

/* As it is told; more and currency are what a fault puts in. */
function view(c, r) {
	const { more = 0, currency } = c.twist ?? {};
	const out = expand(c.world, bare(r), [c.body?.expand ?? c.query?.expand ?? []].flat());
	twistInto(out, more, currency);
	if (out.payment_intent && typeof out.payment_intent === 'object') twistInto(out.payment_intent, more, currency);
	return out;
}

function twistInto(out, more, currency) {
	for (const k of ['amount', 'amount_total', 'amount_subtotal', 'amount_capturable', 'amount_received']) if (more && out[k]) out[k] += more;
	if (currency) out.currency = currency.toLowerCase();
}

/* ---- sessions ---- */

const number = (text) => (text === undefined ? undefined : Number(text));

/* Stripe takes whole units of three-digit currencies in steps of ten. */
function checkAmount(amount, currency, param) {
	if (!Number.isSafeInteger(amount) || amount < 1) bad(param, 'must be a positive integer');
	if (!/^[a-z]{3}$/.test(currency ?? '')) bad('currency', 'must be a lowercase three-letter code');
	if (THREE_DIGITS.includes(currency) && amount % 10) bad(param, 'three-decimal currencies end in 0');
}

function sessionAmount(body, { more = 0, currency }) {
	const items = Object.values(body.line_items ?? {});
	if (items.length !== 1) bad('line_items', 'one line is played here');
	const price = items[0].price_data ?? {};
	if (!price.product_data?.name) bad('line_items[0][price_data][product_data][name]', 'is missing');
	const amount = Number(price.unit_amount) * Number(items[0].quantity ?? 1);
	checkAmount(amount, price.currency, 'line_items[0][price_data][unit_amount]');
	return { amount: amount + more, currency: currency?.toLowerCase() ?? price.currency };
}

function sessionCreate(c) {
	const { world, body } = c;
	const expires = number(body.expires_at) ?? world.now_s() + 86400;
	if (expires < world.now_s() + 1800 || expires > world.now_s() + 86400) refuse(400, 'parameter_invalid_integer', { param: 'expires_at', message: 'expires_at must be between 30 minutes and 24 hours from now.' });
	if (!['payment', 'setup'].includes(body.mode)) bad('mode', 'payment or setup');
	if (!body.success_url) bad('success_url', 'is missing');
	const pays = body.mode === 'payment';
	const { amount, currency } = pays ? sessionAmount(body, c.twist) : { amount: null, currency: body.currency ?? null };
	if (!pays && !currency && !body.allowed_payment_method_types) bad('currency', 'a session that sets up a card without allowed_payment_method_types needs it');
	const s = keep(world, 'Checkout/Sessions:Session', 'cs_test_', {
		object: 'checkout.session', mode: body.mode, status: 'open', payment_status: pays ? 'unpaid' : 'no_payment_required', amount_total: amount, amount_subtotal: amount, currency, expires_at: expires, url: '', success_url: body.success_url, cancel_url: body.cancel_url ?? null, client_reference_id: body.client_reference_id ?? null,
		metadata: body.metadata ?? {}, locale: body.locale ?? null, submit_type: body.submit_type ?? null, payment_method_types: ['card'], allowed_payment_method_types: body.allowed_payment_method_types ?? null, adaptive_pricing: { enabled: body.adaptive_pricing?.enabled === 'true' }, automatic_tax: { enabled: false, liability: null, provider: null, status: null }, ui_mode: 'hosted_page', customer_creation: body.customer_creation ?? (pays ? 'if_required' : null), customer: body.customer ?? null,
	});
	s[OWN] = { capture: body.payment_intent_data?.capture_method ?? 'automatic_async', metadata: (pays ? body.payment_intent_data : body.setup_intent_data)?.metadata ?? {} };
	s.url = `${c.base}/window/stripe?session=${s.id}`;
	return told(c, s);
}

function sessionExpire(c) {
	const s = find(c.world, c.path, 'checkout.session');
	if (s.status !== 'open') refuse(400, 'resource_missing', { message: `This Session is ${s.status}.` });
	end(c.world, s);
	return view(c, s);
}

/* ---- intents ---- */

const moved = (world, i, what, by, hold = 0) => world.effect('stripe', nameOf(world, i), what, { amount: i.amount, hold, currency: i.currency, by, about: i.metadata });

function chargeOf(world, i, card) {
	const charge = keep(world, 'Charges:Charge', 'ch_', { object: 'charge', amount: i.amount, currency: i.currency, status: 'succeeded', paid: true, captured: false, payment_intent: i.id, metadata: i.metadata, billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
		payment_method_details: { type: 'card', card: { amount_authorized: i.amount, authorization_code: null, brand: 'visa', checks: null, country: 'US', electronic_commerce_indicator: null, exp_month: 12, exp_year: 2034, funding: 'credit', network_transaction_id: null, transaction_link_id: null, installments: null, last4: '4242', mandate: null, network: 'visa', regulated_status: 'unregulated', three_d_secure: null, wallet: null, capture_before: world.now_s() + HOLD_S } } });
	charge[OWN].of = i[OWN].of;
	i.latest_charge = charge.id;
	i[OWN].card = card;
}

function take(world, i, { more = 0, currency } = {}, by = 'call') {
	let hold = i.amount_capturable;
	if (currency) {
		moved(world, i, 'RELEASE', by, hold);
		hold = 0;
		i.currency = currency.toLowerCase();
	}
	i.amount += more;
	const charge = world.stripe.get(i.latest_charge);
	Object.assign(charge, { captured: true, amount_captured: i.amount, amount: i.amount, currency: i.currency });
	Object.assign(i, { status: 'succeeded', amount_capturable: 0, amount_received: i.amount });
	moved(world, i, 'CHARGE', by, hold);
	tell(world, 'charge.captured', charge);
	tell(world, 'payment_intent.succeeded', i);
}

function release(world, i, reason, by = 'call') {
	if (i.status === 'requires_capture') moved(world, i, 'RELEASE', by, i.amount);
	Object.assign(i, { status: 'canceled', canceled_at: world.now_s(), cancellation_reason: reason ?? null, amount_capturable: 0 });
	tell(world, 'payment_intent.canceled', i);
}

function capture(c) {
	const i = find(c.world, c.path, 'payment_intent');
	if (i.status !== 'requires_capture') refuse(400, 'payment_intent_unexpected_state', { payment_intent: bare(i) });
	const wish = number(c.body.amount_to_capture) ?? i.amount_capturable;
	if (wish !== i.amount_capturable) bad('amount_to_capture', 'the whole amount is captured here');
	if (i[OWN].card === 'refused') {
		release(c.world, i, 'automatic');
		refuse(402, 'card_declined', { payment_intent: bare(i), decline_code: 'generic_decline', message: 'Your card was declined.' });
	}
	take(c.world, i, c.twist);
	return told(c, i);
}

/* What a fault put in is in the resource already. */
const told = (c, r) => view({ ...c, twist: {} }, r);

function intentCancel(c) {
	const i = find(c.world, c.path, 'payment_intent');
	if (!['requires_capture', 'requires_payment_method', 'requires_confirmation', 'requires_action'].includes(i.status)) refuse(400, 'payment_intent_unexpected_state', { payment_intent: bare(i) });
	release(c.world, i, c.body.cancellation_reason);
	return view(c, i);
}

/* A card on file is charged: off_session and confirmed at once. */
function intentCreate(c) {
	const { world, body } = c;
	checkAmount(Number(body.amount), body.currency, 'amount');
	const method = find(world, body.payment_method, 'payment_method');
	if (body.off_session !== 'true' || body.confirm !== 'true') bad('off_session', 'only a card on file is charged without a session');
	if (method.customer !== (body.customer ?? null)) bad('customer', 'the card belongs to another customer');
	const i = intent(world, { amount: Number(body.amount), currency: body.currency, metadata: body.metadata ?? {}, payment_method: method.id, customer: method.customer, capture_method: 'automatic_async' });
	if (method[OWN].card === 'refused-later') {
		i.status = 'requires_payment_method';
		refuse(402, 'card_declined', { payment_intent: bare(i), decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' });
	}
	chargeOf(world, i, 'ok');
	take(world, i, c.twist);
	return told(c, i);
}

function intent(world, given) {
	return keep(world, 'PaymentIntents:PaymentIntent', 'pi_', { object: 'payment_intent', status: 'requires_payment_method', confirmation_method: 'automatic', payment_method_types: ['card'], ...given });
}

/* ---- refunds ---- */

const left = (charge) => charge.amount_captured - charge.amount_refunded;

function giveBack(world, charge, amount, { by = 'call', reason, metadata } = {}) {
	const now = amount ?? left(charge);
	charge.amount_refunded += now;
	charge.refunded = left(charge) === 0;
	const r = keep(world, 'Refunds:Refund', 're_', { object: 'refund', amount: now, currency: charge.currency, charge: charge.id, payment_intent: charge.payment_intent, reason: reason ?? null, status: 'succeeded', metadata: metadata ?? {} });
	r[OWN].of = charge[OWN].of;
	world.effect('stripe', nameOf(world, charge), 'RETURN', { amount: now, currency: charge.currency, by });
	tell(world, 'charge.refunded', charge);
	return r;
}

function refundCreate(c) {
	const { world, body } = c;
	const i = body.payment_intent ? find(world, body.payment_intent, 'payment_intent') : null;
	const charge = i ? world.stripe.get(i.latest_charge) : find(world, body.charge, 'charge');
	if (!charge?.captured) refuse(400, 'charge_not_captured', { message: 'This PaymentIntent does not have a successful charge to refund.' });
	if (left(charge) === 0) refuse(400, 'charge_already_refunded', { message: `Charge ${charge.id} has already been refunded.` });
	const wish = number(body.amount);
	if (wish !== undefined && (wish > left(charge) || wish < 1)) refuse(400, undefined, { param: 'amount', message: 'Refund amount is greater than unrefunded amount on charge.' });
	return view(c, giveBack(world, charge, wish, { reason: body.reason, metadata: body.metadata }));
}

/* ---- lists, cards, the rest ---- */

function list(object, filter = () => true) {
	return (c) => {
		const q = c.query;
		let rows = all(c.world, object).filter((r) => filter(r, q));
		const since = number(q.created?.gte);
		const until = number(q.created?.lte);
		rows = rows.filter((r) => (since === undefined || r.created >= since) && (until === undefined || r.created <= until));
		if (q.starting_after) rows = rows.slice(rows.findIndex((r) => r.id === q.starting_after) + 1);
		const limit = Number(q.limit ?? 10);
		const paths = [q.expand ?? []].flat();
		return expand(c.world, { object: 'list', url: c.address, has_more: rows.length > limit, data: rows.slice(0, limit).map(bare) }, paths);
	};
}

const get = (object) => (c) => view(c, find(c.world, c.path, object));

export function keyGone(world, id, by) {
	const m = find(world, id, 'payment_method');
	if (!m.customer) refuse(400, undefined, { message: 'The payment method is not attached to a customer.' });
	m.customer = null;
	world.effect('stripe', nameOf(world, m), 'KEY-GONE', { by });
	return bare(m);
}

function setupCancel(c) {
	const s = find(c.world, c.path, 'setup_intent');
	if (s.status === 'succeeded') refuse(400, 'setup_intent_unexpected_state', {});
	Object.assign(s, { status: 'canceled', cancellation_reason: c.body.cancellation_reason ?? null });
	return view(c, s);
}

function customerDelete(c) {
	const r = find(c.world, c.path, 'customer');
	r[OWN].gone = true;
	for (const m of all(c.world, 'payment_method')) if (m.customer === r.id) keyGone(c.world, m.id, 'call');
	return { id: r.id, object: 'customer', deleted: true };
}

function account(c) {
	return blank('stripe Accounts:Account', { id: 'acct_jari', object: 'account', charges_enabled: true, payouts_enabled: true, details_submitted: true, country: 'DE', default_currency: 'eur', type: 'standard' });
}

/* ---- the guest ---- */

function authorise(world, s, card) {
	const i = intent(world, { amount: s.amount_total, currency: s.currency, metadata: s[OWN].metadata, capture_method: s[OWN].capture });
	i[OWN].of = s.id;
	chargeOf(world, i, card);
	Object.assign(s, { payment_intent: i.id, status: 'complete', url: null });
	if (s[OWN].capture === 'manual') {
		Object.assign(i, { status: 'requires_capture', amount_capturable: i.amount });
		moved(world, i, 'HOLD', 'guest');
		tell(world, 'payment_intent.amount_capturable_updated', i);
	} else {
		s.payment_status = 'paid';
		take(world, i, {}, 'guest');
	}
	tell(world, 'checkout.session.completed', s);
}

function remember(world, s, card) {
	const customer = s.customer ?? (s.customer_creation ? keep(world, 'Customers:Customer', 'cus_', { object: 'customer' }).id : null);
	const m = keep(world, 'PaymentMethods:PaymentMethod', 'pm_', { object: 'payment_method', type: 'card', customer, billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
		card: { brand: 'visa', checks: null, country: 'US', display_brand: 'visa', exp_month: 12, exp_year: 2034, funding: 'credit', generated_from: null, last4: '4242', networks: null, regulated_status: 'unregulated', three_d_secure_usage: null, wallet: null } }, { card, of: s.id });
	const setup = keep(world, 'SetupIntents:SetupIntent', 'seti_', { object: 'setup_intent', status: 'succeeded', payment_method: m.id, customer, metadata: s[OWN].metadata, usage: 'off_session', payment_method_types: ['card'] }, { of: s.id });
	Object.assign(s, { setup_intent: setup.id, status: 'complete', url: null, customer });
	world.effect('stripe', nameOf(world, s), 'KEY', { by: 'guest' });
	tell(world, 'checkout.session.completed', s);
}

/* A refused card may be tried again at the same page, so the session stays open; closing it leads to cancel_url. */
export function redirect(world, { session, card = 'ok' }) {
	const s = find(world, session, 'checkout.session');
	if (s.status !== 'open') return { to: s.cancel_url ?? s.success_url, query: {} };
	if (card === 'closed' || card === 'declined') return { to: s.cancel_url ?? s.success_url, query: {} };
	if (s.mode === 'setup') remember(world, s, card);
	else authorise(world, s, card);
	return { to: s.success_url.replaceAll('{CHECKOUT_SESSION_ID}', s.id), query: {} };
}

export const openSession = (world, id) => settle(world, world.stripe.get(id) ?? { status: 'missing' });

export function console_(world, { id, do: act, amount, key }) {
	if (act === 'key-delete') return keyGone(world, key, 'console');
	const charge = all(world, 'charge').find((r) => r.captured && (r.id === id || r.payment_intent === id || nameOf(world, r) === id)) ?? find(world, id, 'charge');
	if (act === 'refund') return bare(giveBack(world, charge, amount, { by: 'console' }));
	charge.disputed = true;
	return tell(world, 'charge.dispute.created', charge);
}

/* ---- the table ---- */

export const mayAlso = () => [];
export function rules(call, body, headers) {
	const wrong = [];
	const version = headers['stripe-version'] ?? '';
	if (!/^\d{4}-\d{2}-\d{2}\.endive$/.test(version)) wrong.push(`Stripe-Version is "${version}"`);
	if (call === 'session-create' && body.adaptive_pricing?.enabled !== 'false' && body.mode === 'payment') wrong.push('adaptive pricing is on: a guest may pay in another currency');
	if (call === 'session-create' && body.mode === 'payment' && body.payment_intent_data?.capture_method !== 'manual') wrong.push('not captured by hand');
	if (call === 'refund-create' && body.amount === undefined) wrong.push('refund without an amount');
	return wrong;
}

const idOf = ({ world, path }) => (world.stripe.has(path) ? nameOf(world, world.stripe.get(path)) : path);
const F = 'form ';
const P = (name, more) => ({ method: 'POST', money: true, form: true, ...more, path: new RegExp(`^/v1/${name}$`) });
const G = (name, more) => ({ method: 'GET', id: idOf, ...more, path: new RegExp(`^/v1/${name}$`) });
const ID = '([^/]+)';

export const routes = [
	{ call: 'session-create', ...P('checkout/sessions'), id: ({ body }) => body?.client_reference_id ?? '', request: `${F}Checkout/Sessions:Checkout.SessionCreateParams`, run: sessionCreate },
	{ call: 'session-list', ...G('checkout/sessions'), run: list('checkout.session', (r, q) => (!q.payment_intent || r.payment_intent === q.payment_intent) && (!q.status || r.status === q.status)) },
	{ call: 'session-get', ...G(`checkout/sessions/${ID}`), run: get('checkout.session') },
	{ call: 'session-expire', ...P(`checkout/sessions/${ID}/expire`), id: idOf, run: sessionExpire },
	{ call: 'intent-create', ...P('payment_intents'), id: ({ body }) => body?.metadata?.paymentId ?? '', request: `${F}PaymentIntents:PaymentIntentCreateParams`, run: intentCreate },
	{ call: 'intent-list', ...G('payment_intents'), run: list('payment_intent', (r, q) => !q.customer || r.customer === q.customer) },
	{ call: 'intent-get', ...G(`payment_intents/${ID}`), run: get('payment_intent') },
	{ call: 'intent-capture', ...P(`payment_intents/${ID}/capture`), id: idOf, request: `${F}PaymentIntents:PaymentIntentCaptureParams`, run: capture },
	{ call: 'intent-cancel', ...P(`payment_intents/${ID}/cancel`), id: idOf, request: `${F}PaymentIntents:PaymentIntentCancelParams`, run: intentCancel },
	{ call: 'refund-create', ...P('refunds'), id: ({ world, body }) => idOf({ world, path: body?.payment_intent ?? body?.charge ?? '' }), request: `${F}Refunds:RefundCreateParams`, run: refundCreate },
	{ call: 'refund-list', ...G('refunds'), run: list('refund', (r, q) => (!q.payment_intent || r.payment_intent === q.payment_intent) && (!q.charge || r.charge === q.charge)) },
	{ call: 'refund-get', ...G(`refunds/${ID}`), run: get('refund') },
	{ call: 'setup-get', ...G(`setup_intents/${ID}`), run: get('setup_intent') },
	{ call: 'setup-cancel', ...P(`setup_intents/${ID}/cancel`), id: idOf, run: setupCancel },
	{ call: 'method-get', ...G(`payment_methods/${ID}`), run: get('payment_method') },
	{ call: 'method-detach', ...P(`payment_methods/${ID}/detach`), id: idOf, run: ({ world, path }) => keyGone(world, path, 'call') },
	{ call: 'customer-create', ...P('customers'), request: `${F}Customers:CustomerCreateParams`, run: (c) => view(c, keep(c.world, 'Customers:Customer', 'cus_', { object: 'customer', metadata: c.body.metadata ?? {} })) },
	{ call: 'customer-delete', ...P(`customers/${ID}`), method: 'DELETE', money: false, id: idOf, run: customerDelete },
	{ call: 'charge-get', ...G(`charges/${ID}`), run: get('charge') },
	{ call: 'account-get', ...G('account'), id: () => '', run: account },
];
