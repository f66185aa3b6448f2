/*
 * portone.mjs - PortOne V2 with manual approval: the guest authorises in a window, and the shop's server confirms.
 *
 * A payment may be tried many times under one paymentId, each try with a token of its own, and succeeds once.
 */
import { timingSafeEqual } from 'node:crypto';
import { Refusal, secret } from './world.mjs';

export const SECRET = 'portone-secret-of-the-tests';
export const STORE = 'store-jari';
export const CHANNEL = 'channel-key-jari';
const CHANNEL_ROW = { type: 'TEST', id: 'channel-id-jari', key: CHANNEL, name: 'jari', pgProvider: 'TOSSPAYMENTS', pgMerchantId: 'tosstest' };

export function authorised(headers) {
	const said = Buffer.from(headers.authorization ?? '');
	const right = Buffer.from(`PortOne ${SECRET}`);
	return said.length === right.length && timingSafeEqual(said, right);
}

const TEXT = {
	ALREADY_PAID: [409, '이미 결제된 건입니다.'],
	BILLING_KEY_ALREADY_DELETED: [409, '이미 삭제된 빌링키입니다.'],
	BILLING_KEY_ALREADY_ISSUED: [409, '이미 발급된 빌링키입니다.'],
	BILLING_KEY_NOT_FOUND: [404, '빌링키가 존재하지 않습니다.'],
	CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN: [409, '취소 가능 잔액이 다릅니다.'],
	CANCEL_AMOUNT_EXCEEDS_CANCELLABLE_AMOUNT: [409, '취소 금액이 취소 가능 금액을 초과합니다.'],
	FORBIDDEN: [403, '권한이 없습니다.'],
	IDEMPOTENCY_OUTSTANDING_REQUEST: [409, '같은 멱등 키의 요청을 처리하고 있습니다.'],
	INFORMATION_MISMATCH: [409, '요청 정보가 결제 건과 일치하지 않습니다.'],
	INVALID_PAYMENT_TOKEN: [400, '유효하지 않은 결제 토큰입니다.'],
	INVALID_REQUEST: [400, '요청이 올바르지 않습니다.'],
	PAYMENT_ALREADY_CANCELLED: [409, '이미 취소된 결제입니다.'],
	PAYMENT_NOT_FOUND: [404, '결제 건이 존재하지 않습니다.'],
	PAYMENT_NOT_PAID: [409, '결제가 완료되지 않았습니다.'],
	PG_PROVIDER: [502, 'PG사에서 오류를 전달했습니다.'],
	UNAUTHORIZED: [401, '인증 정보가 올바르지 않습니다.'],
};

/* What it says in this case; a fault may ask for a status alone. */
export function words(status, type) {
	const word = type ?? { 400: 'INVALID_REQUEST', 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'PAYMENT_NOT_FOUND', 409: 'IDEMPOTENCY_OUTSTANDING_REQUEST', 429: 'TOO_MANY_REQUESTS', 502: 'PG_PROVIDER' }[status] ?? 'INTERNAL_SERVER_ERROR';
	const pg = word === 'PG_PROVIDER' ? { pgCode: 'REJECT_CARD_COMPANY', pgMessage: '카드사에서 승인을 거절했습니다.' } : {};
	return { type: word, message: TEXT[word]?.[1] ?? '잠시 뒤에 다시 시도해 주세요.', ...pg };
}
const refuse = (type) => { throw new Refusal(TEXT[type][0], words(0, type)); };
export const unauthorised = () => new Refusal(401, words(401));
export const unknown = () => new Refusal(404, words(404, 'INVALID_REQUEST'));
export const keyReused = () => new Refusal(422, { type: 'IDEMPOTENCY_KEY_ALREADY_USED', message: '다른 요청에 쓰인 멱등 키입니다.' });
export const keyPattern = /^[A-Za-z0-9_-]{16,256}$/;

/* ---- payments ---- */

const paidOf = (p) => p.cancellations.reduce((n, c) => n - c.totalAmount, p.charged);

function find(world, id) {
	return world.portone.payments.get(id) ?? refuse('PAYMENT_NOT_FOUND');
}

/* As GET tells it; more and currency are what a fault puts in. */
function view(p, { more = 0, currency } = {}) {
	const cancelled = p.charged - paidOf(p);
	const out = {
		status: p.status, id: p.id, transactionId: p.tx, merchantId: 'merchant-jari', storeId: STORE, channel: CHANNEL_ROW, version: 'V2',
		requestedAt: p.at, updatedAt: p.changed, statusChangedAt: p.changed, orderName: p.orderName,
		amount: { total: p.amount + more, taxFree: 0, vat: Math.floor(p.amount / 11), supply: p.amount - Math.floor(p.amount / 11), discount: 0, paid: p.charged ? paidOf(p) + more : 0, cancelled, cancelledTaxFree: 0 },
		currency: currency ?? p.currency, customer: {}, ...(p.customData ? { customData: p.customData } : {}), ...(p.billingKey ? { billingKey: p.billingKey } : {}),
	};
	const card = { type: 'PaymentMethodCard', card: { brand: 'VISA', type: 'CREDIT', issuer: 'SHINHAN', name: '신한카드', number: '433012******1234' } };
	if (p.status === 'READY') return out;
	if (p.status === 'FAILED') return { ...out, failedAt: p.changed, failure: { reason: p.words, pgCode: 'REJECT_CARD_COMPANY', pgMessage: p.words } };
	const paid = { ...out, method: card, paidAt: p.paidAt, pgTxId: p.pgTxId, receiptUrl: 'https://receipt.example/jari' };
	if (p.status === 'PAID') return { ...paid, disputes: p.disputes };
	return { ...paid, cancelledAt: p.changed, cancellations: p.cancellations };
}

function change(world, p, status) {
	p.status = status;
	p.changed = world.stamp();
}

function tell(world, p, type, more = {}) {
	world.event('portone', `Transaction.${type}`, p.id, { type: `Transaction.${type}`, timestamp: world.stamp(), data: { storeId: STORE, paymentId: p.id, transactionId: p.tx, ...more } });
}

/* Money comes in; more and currency are what a fault puts in. */
function charge(world, p, { more = 0, currency } = {}) {
	p.amount += more;
	p.currency = currency ?? p.currency;
	p.charged = p.amount;
	p.pgTxId = secret('pgtx');
	change(world, p, 'PAID');
	p.paidAt = p.changed;
	world.effect('portone', p.id, 'CHARGE', { amount: p.charged, currency: p.currency, about: about(p.customData) });
	tell(world, p, 'Paid');
}

function about(text) {
	try {
		return JSON.parse(text);
	} catch {
		return text ?? null;
	}
}

function fail(world, p, why) {
	p.words = why;
	change(world, p, 'FAILED');
	tell(world, p, 'Failed');
}

function confirm({ world, id, body, twist }) {
	const p = find(world, id);
	if (p.charged) refuse('ALREADY_PAID');
	const tried = p.tries.get(body.paymentToken);
	if (!tried) refuse('INVALID_PAYMENT_TOKEN');
	if ((body.txId ?? tried.tx) !== tried.tx || (body.totalAmount ?? tried.amount) !== tried.amount || (body.currency ?? tried.currency) !== tried.currency || (body.storeId ?? STORE) !== STORE || body.isTest === false) refuse('INFORMATION_MISMATCH');
	Object.assign(p, { tx: tried.tx, amount: tried.amount, currency: tried.currency });
	if (tried.card === 'refused') {
		p.tries.delete(body.paymentToken);
		fail(world, p, '카드사에서 승인을 거절했습니다.');
		refuse('PG_PROVIDER');
	}
	charge(world, p, twist);
	return { pgTxId: p.pgTxId, paidAt: p.paidAt };
}

/* Money goes back, whoever asked; amount: all that is left where there is none. */
export function giveBack(world, p, amount, { reason = '', by = 'call' } = {}) {
	const left = paidOf(p);
	const now = amount ?? left;
	const row = { status: 'SUCCEEDED', id: secret('cancellation-'), pgCancellationId: secret('pgc'), totalAmount: now, taxFreeAmount: 0, vatAmount: Math.floor(now / 11), reason, cancelledAt: world.stamp(), requestedAt: world.stamp(), trigger: by === 'console' ? 'CONSOLE' : 'API' };
	p.cancellations.push(row);
	change(world, p, now === left ? 'CANCELLED' : 'PARTIAL_CANCELLED');
	world.effect('portone', p.id, 'RETURN', { amount: now, currency: p.currency, by });
	tell(world, p, now === left ? 'Cancelled' : 'PartialCancelled', { cancellationId: row.id });
	return row;
}

function cancel({ world, id, body }) {
	const p = find(world, id);
	if (!p.charged) refuse('PAYMENT_NOT_PAID');
	const left = paidOf(p);
	if (left === 0) refuse('PAYMENT_ALREADY_CANCELLED');
	if ((body.currentCancellableAmount ?? left) !== left) refuse('CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN');
	if ((body.amount ?? left) > left) refuse('CANCEL_AMOUNT_EXCEEDS_CANCELLABLE_AMOUNT');
	if ((body.amount ?? left) <= 0) refuse('INVALID_REQUEST');
	return { cancellation: giveBack(world, p, body.amount, { reason: body.reason }) };
}

function list({ world, query }) {
	const wish = JSON.parse(query.requestBody ?? '{}');
	const from = Date.parse(wish.from ?? 0);
	const until = Date.parse(wish.until ?? world.stamp());
	const all = [...world.portone.payments.values()].filter((p) => Date.parse(p.at) >= from && Date.parse(p.at) <= until);
	const start = wish.cursor ? all.findIndex((p) => p.id === wish.cursor) + 1 : 0;
	return { items: all.slice(start, start + (wish.size ?? 10)).map((p) => ({ payment: view(p), cursor: p.id })) };
}

function preRegister({ world, id, body }) {
	const p = world.portone.payments.get(id);
	if (p?.charged) refuse('ALREADY_PAID');
	if (!p) world.portone.payments.set(id, { ...begun(world, id, body), registered: body.totalAmount ?? null });
	else p.registered = body.totalAmount ?? null;
	return {};
}

/* ---- cards on file ---- */

function keyConfirm({ world, body }) {
	const issue = world.portone.issues.get(body.billingIssueToken) ?? refuse('BILLING_KEY_NOT_FOUND');
	if (issue.key) refuse('BILLING_KEY_ALREADY_ISSUED');
	if (issue.card === 'refused') refuse('PG_PROVIDER');
	issue.key = secret('billing-key-');
	world.portone.keys.set(issue.key, { key: issue.key, at: world.stamp(), issueId: issue.issueId, card: issue.card });
	world.effect('portone', issue.issueId, 'KEY');
	world.event('portone', 'BillingKey.Issued', issue.issueId, { type: 'BillingKey.Issued', timestamp: world.stamp(), data: { billingKey: issue.key, storeId: STORE } });
	return { billingKey: issue.key };
}

function keyGet({ world, id }) {
	const k = world.portone.keys.get(id) ?? refuse('BILLING_KEY_NOT_FOUND');
	return { status: k.gone ? 'DELETED' : 'ISSUED', billingKey: k.key, merchantId: 'merchant-jari', storeId: STORE, channels: [CHANNEL_ROW], customer: {}, issueId: k.issueId, requestedAt: k.at, issuedAt: k.at, ...(k.gone ? { deletedAt: k.gone } : {}),
		methods: [{ type: 'BillingKeyPaymentMethodCard', card: { brand: 'VISA', issuer: 'SHINHAN', name: '신한카드', number: '433012******1234' } }] };
}

export function keyGone(world, id, by) {
	const k = world.portone.keys.get(id) ?? refuse('BILLING_KEY_NOT_FOUND');
	if (k.gone) refuse('BILLING_KEY_ALREADY_DELETED');
	k.gone = world.stamp();
	world.effect('portone', k.issueId, 'KEY-GONE', { by });
	world.event('portone', 'BillingKey.Deleted', k.issueId, { type: 'BillingKey.Deleted', timestamp: world.stamp(), data: { billingKey: k.key, storeId: STORE } });
	return { deletedAt: k.gone };
}

function keyCharge({ world, id, body, twist }) {
	const k = world.portone.keys.get(body.billingKey);
	if (!k || k.gone) refuse('BILLING_KEY_NOT_FOUND');
	if (world.portone.payments.get(id)?.charged) refuse('ALREADY_PAID');
	const p = { ...begun(world, id, { totalAmount: body.amount.total, currency: body.currency, orderName: body.orderName, customData: body.customData }), billingKey: k.key };
	world.portone.payments.set(id, p);
	if (k.card === 'refused-later') {
		fail(world, p, '카드 한도를 초과했습니다.');
		refuse('PG_PROVIDER');
	}
	charge(world, p, twist);
	return { payment: { pgTxId: p.pgTxId, paidAt: p.paidAt } };
}

/* ---- the guest ---- */

function begun(world, id, { totalAmount, currency, orderName, customData }) {
	const at = world.stamp();
	return { id, at, changed: at, status: 'READY', tx: secret('tx-'), amount: totalAmount ?? 0, currency: bare(currency ?? 'KRW'), orderName: orderName ?? '', customData: typeof customData === 'string' ? customData : customData && JSON.stringify(customData), charged: 0, cancellations: [], disputes: [], tries: new Map() };
}

const bare = (currency) => currency.replace(/^CURRENCY_/, '');
const LEAST = ['storeId', 'channelKey', 'paymentId', 'orderName', 'totalAmount', 'currency'];

/* What rejects the SDK's promise before a window opens; null: nothing. */
export function beforeWindow(world, w) {
	const missing = (w.do === 'key' ? ['storeId', 'channelKey', 'billingKeyMethod'] : LEAST).find((k) => w[k] === undefined || w[k] === '');
	if (missing) return { code: 'INVALID_REQUEST', message: `${missing} is missing` };
	if (w.storeId !== STORE || w.channelKey !== CHANNEL) return { code: 'CHANNEL_NOT_FOUND', message: '채널을 찾을 수 없습니다.' };
	if (w.do === 'key') return null;
	const p = world.portone.payments.get(w.paymentId);
	if (p?.charged) return { code: 'ALREADY_PAID', message: TEXT.ALREADY_PAID[1] };
	if (p?.registered && p.registered !== w.totalAmount) return { code: 'INFORMATION_MISMATCH', message: TEXT.INFORMATION_MISMATCH[1] };
	return null;
}

const CLOSED = { code: 'FAILURE_TYPE_PG', message: '사용자가 결제를 취소하였습니다.', pgCode: 'PAY_PROCESS_CANCELED', pgMessage: '사용자가 결제를 취소하였습니다.' };
const DECLINED = { code: 'FAILURE_TYPE_PG', message: '카드사에서 승인을 거절했습니다.', pgCode: 'REJECT_CARD_COMPANY', pgMessage: '카드사에서 승인을 거절했습니다.' };

/* What comes back in the redirect, or by the promise. */
export function guest(world, w) {
	const card = w.card ?? 'ok';
	const before = beforeWindow(world, w);
	const wrong = before ?? { closed: CLOSED, declined: DECLINED }[card];
	if (w.do === 'key') return guestKey(world, w, card, wrong);
	const base = { paymentId: w.paymentId, transactionType: 'PAYMENT' };
	if (before || card === 'closed') return { ...base, ...wrong };
	let p = world.portone.payments.get(w.paymentId);
	if (!p || !p.orderName) {
		p = { ...begun(world, w.paymentId, w), registered: p?.registered ?? null };
		world.portone.payments.set(p.id, p);
		tell(world, p, 'Ready');
	}
	const tried = { tx: secret('tx-'), amount: w.totalAmount, currency: bare(w.currency), card };
	Object.assign(p, { tx: tried.tx, amount: tried.amount, currency: tried.currency });
	if (wrong) {
		fail(world, p, DECLINED.message);
		return { ...base, txId: tried.tx, ...wrong };
	}
	if (p.status === 'FAILED') change(world, p, 'READY');
	const paymentToken = secret('payment-token-', 24);
	p.tries.set(paymentToken, tried);
	return { ...base, txId: tried.tx, paymentToken };
}

function guestKey(world, w, card, wrong) {
	if (wrong) return { transactionType: 'ISSUE_BILLING_KEY', ...wrong };
	const billingIssueToken = secret('billing-issue-token-', 24);
	world.portone.issues.set(billingIssueToken, { issueId: w.issueId ?? secret('issue-'), card });
	return { transactionType: 'ISSUE_BILLING_KEY', billingKey: 'NEEDS_CONFIRMATION', billingIssueToken };
}

/* The redirect, with or without what is documented for the promise only. */
export function redirect(world, w) {
	const { txId, paymentToken, ...rest } = guest(world, w);
	const more = world.settings.portoneTokenInRedirect ? { txId, paymentToken } : {};
	return { to: w.redirectUrl, query: { ...rest, ...more } };
}

export function console_(world, { id, do: act, amount, key }) {
	if (act === 'key-delete') return keyGone(world, key, 'console');
	const p = find(world, id);
	if (act === 'refund') return giveBack(world, p, amount, { reason: 'console', by: 'console' });
	p.disputes = [{ status: 'UNRESOLVED', reason: 'fraudulent', createdAt: world.stamp() }];
	return tell(world, p, 'DisputeCreated');
}

/* ---- the table ---- */

const T = 'portone payment/';
/* Newer than the SDK, in PortOne's own description. */
const NEWER = { confirm: ['skipWebhook'], 'key-confirm': ['skipWebhook'] };
export const mayAlso = (call) => NEWER[call] ?? [];

/* What jari promises itself: the amount with every confirmation, and what we believe is left with every cancel. */
export function rules(call, body) {
	const must = { confirm: ['totalAmount', 'currency'], cancel: ['currentCancellableAmount'] }[call] ?? [];
	return must.filter((k) => body?.[k] === undefined).map((k) => `${call} without ${k}`);
}

export const routes = [
	{ call: 'list', method: 'GET', path: /^\/payments-by-cursor$/, answer: `${T}GetAllPaymentsByCursorResponse`, run: list },
	{ call: 'get', method: 'GET', path: /^\/payments\/([^/]+)$/, answer: `${T}Payment`, run: ({ world, id, twist }) => view(find(world, id), twist) },
	{ call: 'confirm', method: 'POST', path: /^\/payments\/([^/]+)\/confirm$/, money: true, request: `${T}ConfirmPaymentBody`, answer: `${T}ConfirmedPaymentSummary`, run: confirm },
	{ call: 'cancel', method: 'POST', path: /^\/payments\/([^/]+)\/cancel$/, money: true, request: `${T}CancelPaymentBody`, answer: `${T}CancelPaymentResponse`, run: cancel },
	{ call: 'pre-register', method: 'POST', path: /^\/payments\/([^/]+)\/pre-register$/, request: `${T}PreRegisterPaymentBody`, answer: `${T}PreRegisterPaymentResponse`, run: preRegister },
	{ call: 'key-charge', method: 'POST', path: /^\/payments\/([^/]+)\/billing-key$/, money: true, request: `${T}client PaymentClient.payWithBillingKey-paymentId`, answer: `${T}PayWithBillingKeyResponse`, run: keyCharge },
	{ call: 'key-confirm', method: 'POST', path: /^\/billing-keys\/confirm$/, money: true, request: `${T}billingKey/ConfirmBillingKeyBody`, answer: `${T}billingKey/ConfirmedBillingKeySummary`, run: keyConfirm },
	{ call: 'key-get', method: 'GET', path: /^\/billing-keys\/([^/]+)$/, answer: `${T}billingKey/BillingKeyInfo`, run: keyGet },
	{ call: 'key-delete', method: 'DELETE', path: /^\/billing-keys\/([^/]+)$/, answer: `${T}billingKey/DeleteBillingKeyResponse`, run: ({ world, id }) => keyGone(world, id, 'call') },
];
