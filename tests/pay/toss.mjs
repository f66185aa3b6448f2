/*
 * toss.mjs - Toss Payments, version 2: the guest authorises in a window, and the shop's server confirms within ten minutes.
 *
 * No SDK of Toss' has types of its server's API, so the schemas at the end were written from its documents.
 */
import { timingSafeEqual } from 'node:crypto';
import { write } from './judge.mjs';
import { Refusal, secret } from './world.mjs';

export const SECRET = 'test_sk_jari';
export const CLIENT = 'test_ck_jari';
const CONFIRM_MS = 10 * 60_000;

export function authorised(headers) {
	const said = Buffer.from(headers.authorization ?? '');
	const right = Buffer.from(`Basic ${Buffer.from(`${SECRET}:`).toString('base64')}`);
	return said.length === right.length && timingSafeEqual(said, right);
}

const TEXT = {
	ALREADY_CANCELED_PAYMENT: [400, '이미 취소된 결제 입니다.'],
	ALREADY_PROCESSED_PAYMENT: [400, '이미 처리된 결제 입니다.'],
	DUPLICATED_ORDER_ID: [400, '이미 승인 및 취소가 진행된 중복된 주문번호 입니다. 다른 주문번호로 진행해주세요.'],
	FORBIDDEN_REQUEST: [403, '허용되지 않은 요청입니다.'],
	IDEMPOTENT_REQUEST_PROCESSING: [409, '이전 멱등 요청이 처리중입니다.'],
	INVALID_REQUEST: [400, '잘못된 요청입니다.'],
	NOT_CANCELABLE_AMOUNT: [403, '취소 할 수 없는 금액 입니다.'],
	NOT_CANCELABLE_PAYMENT: [403, '취소 할 수 없는 결제 입니다.'],
	NOT_FOUND_BILLING: [404, '존재하지 않는 빌링 입니다.'],
	NOT_FOUND_PAYMENT: [404, '존재하지 않는 결제 정보 입니다.'],
	NOT_FOUND_PAYMENT_SESSION: [404, '결제 시간이 만료되어 결제 진행 데이터가 존재하지 않습니다.'],
	NOT_MATCHES_CUSTOMER_KEY: [400, '빌링 인증 고객키와 결제 요청 고객키가 일치하지 않습니다.'],
	REJECT_CARD_COMPANY: [403, '결제 승인이 거절되었습니다.'],
	UNAUTHORIZED_KEY: [401, '인증되지 않은 시크릿 키 혹은 클라이언트 키 입니다.'],
};

export function words(status, code) {
	const word = code ?? { 400: 'INVALID_REQUEST', 401: 'UNAUTHORIZED_KEY', 403: 'FORBIDDEN_REQUEST', 404: 'NOT_FOUND_PAYMENT', 409: 'IDEMPOTENT_REQUEST_PROCESSING', 429: 'TOO_MANY_REQUESTS' }[status] ?? 'FAILED_PAYMENT_INTERNAL_SYSTEM_PROCESSING';
	return { code: word, message: TEXT[word]?.[1] ?? '결제가 완료되지 않았어요. 다시 시도해주세요.' };
}
const refuse = (code) => { throw new Refusal(TEXT[code][0], words(0, code)); };
export const unauthorised = () => new Refusal(401, words(401));
export const unknown = () => new Refusal(404, words(404, 'NOT_FOUND'));
export const keyReused = () => new Refusal(400, words(400, 'INVALID_IDEMPOTENCY_KEY'));
export const keyPattern = /^.{1,300}$/;

const seoul = (ms) => `${new Date(ms + 9 * 3600_000).toISOString().slice(0, 19)}+09:00`;

/* ---- payments ---- */

const leftOf = (p) => p.cancels.reduce((n, c) => n - c.cancelAmount, p.charged);

/* What was not confirmed in time is over, as its clock has it. */
function settle(world, p) {
	if (p.status === 'IN_PROGRESS' && world.now_ms() - p.at_ms > CONFIRM_MS) p.status = 'EXPIRED';
	return p;
}

function view(world, p, { more = 0, currency } = {}) {
	settle(world, p);
	const done = p.charged > 0;
	const amount = p.amount + more;
	return {
		mId: 'tvivarepublica', version: '2022-11-16', paymentKey: p.key, lastTransactionKey: done ? p.lastTransactionKey : null, status: p.status, orderId: p.orderId, orderName: p.orderName, taxExemptionAmount: 0,
		requestedAt: seoul(p.at_ms), approvedAt: p.approvedAt, useEscrow: false, cultureExpense: false,
		card: done ? { issuerCode: '41', acquirerCode: '41', number: '43301234****123*', installmentPlanMonths: 0, isInterestFree: false, interestPayer: null, approveNo: '00000000', useCardPoint: false, cardType: '신용', ownerType: '개인', acquireStatus: 'READY', amount } : null,
		virtualAccount: null, transfer: null, mobilePhone: null, giftCertificate: null, cashReceipt: null, cashReceipts: null, discount: null, cancels: p.cancels.length ? p.cancels : null, secret: p.secret, type: p.type, easyPay: null, country: 'KR',
		failure: p.status === 'ABORTED' ? words(0, 'REJECT_CARD_COMPANY') : null, isPartialCancelable: true, receipt: done ? { url: 'https://dashboard.tosspayments.com/receipt' } : null, checkout: { url: `https://api.tosspayments.com/v1/payments/${p.key}/checkout` },
		currency: currency ?? p.currency, totalAmount: amount, balanceAmount: done ? leftOf(p) + more : amount, suppliedAmount: amount - Math.floor(amount / 11), vat: Math.floor(amount / 11), taxFreeAmount: 0, metadata: p.metadata, method: '카드',
	};
}

function find(world, key) {
	return world.toss.payments.get(key) ?? refuse('NOT_FOUND_PAYMENT');
}

const ofOrder = (world, orderId) => [...world.toss.payments.values()].filter((p) => p.orderId === orderId);

/* Of an order the payment that was charged, or else the last one that was begun. */
function findOrder({ world, id, twist }) {
	const all = ofOrder(world, id);
	const p = all.find((one) => one.charged) ?? all.at(-1) ?? refuse('NOT_FOUND_PAYMENT');
	return view(world, p, twist);
}

function tell(world, p) {
	world.event('toss', 'PAYMENT_STATUS_CHANGED', p.orderId, { eventType: 'PAYMENT_STATUS_CHANGED', createdAt: seoul(world.now_ms()), data: view(world, p) });
}

function charge(world, p, { more = 0, currency } = {}) {
	p.amount += more;
	p.currency = currency ?? p.currency;
	Object.assign(p, { charged: p.amount, status: 'DONE', approvedAt: seoul(world.now_ms()), lastTransactionKey: secret('') });
	world.effect('toss', p.orderId, 'CHARGE', { amount: p.charged, currency: p.currency, about: p.metadata });
	tell(world, p);
	return view(world, p);
}

function confirm({ world, body, twist }) {
	const p = settle(world, find(world, body.paymentKey));
	if (p.charged || ofOrder(world, p.orderId).some((o) => o.charged)) refuse('ALREADY_PROCESSED_PAYMENT');
	if (p.status === 'EXPIRED') refuse('NOT_FOUND_PAYMENT_SESSION');
	if (p.status !== 'IN_PROGRESS') refuse('NOT_FOUND_PAYMENT');
	if (body.orderId !== p.orderId || body.amount !== p.amount) refuse('INVALID_REQUEST');
	if (p.cardOf === 'refused') {
		p.status = 'ABORTED';
		tell(world, p);
		refuse('REJECT_CARD_COMPANY');
	}
	return charge(world, p, twist);
}

function giveBack(world, p, amount, { reason, by = 'call' }) {
	const left = leftOf(p);
	const now = amount ?? left;
	p.lastTransactionKey = secret('');
	p.cancels.push({ transactionKey: p.lastTransactionKey, cancelReason: reason, taxExemptionAmount: 0, canceledAt: seoul(world.now_ms()), cardDiscountAmount: 0, transferDiscountAmount: 0, easyPayDiscountAmount: 0, receiptKey: null, cancelAmount: now, taxFreeAmount: 0, refundableAmount: left - now, cancelStatus: 'DONE', cancelRequestId: null });
	p.status = now === left ? 'CANCELED' : 'PARTIAL_CANCELED';
	world.effect('toss', p.orderId, 'RETURN', { amount: now, currency: p.currency, by });
	tell(world, p);
	return view(world, p);
}

function cancel({ world, path, body }) {
	const p = find(world, path);
	if (!p.charged) refuse('NOT_CANCELABLE_PAYMENT');
	const left = leftOf(p);
	if (left === 0) refuse('ALREADY_CANCELED_PAYMENT');
	if ((body.cancelAmount ?? left) > left || (body.cancelAmount ?? left) <= 0) refuse('NOT_CANCELABLE_AMOUNT');
	return giveBack(world, p, body.cancelAmount, { reason: body.cancelReason });
}

function list({ world, query }) {
	const rows = [...world.toss.payments.values()].filter((p) => p.charged).flatMap((p) => [
		{ mId: 'tvivarepublica', transactionKey: `${p.key}-paid`, paymentKey: p.key, orderId: p.orderId, method: '카드', customerKey: null, useEscrow: false, receiptUrl: 'https://dashboard.tosspayments.com/receipt', status: 'DONE', transactionAt: p.approvedAt, currency: p.currency, amount: p.charged },
		...p.cancels.map((c) => ({ mId: 'tvivarepublica', transactionKey: c.transactionKey, paymentKey: p.key, orderId: p.orderId, method: '카드', customerKey: null, useEscrow: false, receiptUrl: 'https://dashboard.tosspayments.com/receipt', status: c.refundableAmount ? 'PARTIAL_CANCELED' : 'CANCELED', transactionAt: c.canceledAt, currency: p.currency, amount: -c.cancelAmount })),
	]);
	const inside = rows.filter((r) => r.transactionAt.slice(0, 19) >= query.startDate && r.transactionAt.slice(0, 19) <= query.endDate).sort((a, b) => a.transactionAt.localeCompare(b.transactionAt));
	const start = query.startingAfter ? inside.findIndex((r) => r.transactionKey === query.startingAfter) + 1 : 0;
	return inside.slice(start, start + Math.min(Number(query.limit ?? 100), 5000));
}

/* ---- cards on file ---- */

function keyIssue({ world, body }) {
	const auth = world.toss.auths.get(body.authKey);
	if (!auth || auth.customerKey !== body.customerKey || auth.used) refuse('INVALID_REQUEST');
	if (auth.card === 'refused') refuse('REJECT_CARD_COMPANY');
	auth.used = true;
	const key = secret('billing');
	world.toss.keys.set(key, { key, customerKey: body.customerKey, card: auth.card });
	world.effect('toss', body.customerKey, 'KEY');
	return { mId: 'tvivarepublica', customerKey: body.customerKey, authenticatedAt: seoul(world.now_ms()), method: '카드', billingKey: key, cardCompany: '신한', cardNumber: '43301234****123*', card: { issuerCode: '41', acquirerCode: '41', number: '43301234****123*', cardType: '신용', ownerType: '개인' } };
}

function keyCharge({ world, path, body, twist }) {
	const k = world.toss.keys.get(path);
	if (!k || k.gone) refuse('NOT_FOUND_BILLING');
	if (k.customerKey !== body.customerKey) refuse('NOT_MATCHES_CUSTOMER_KEY');
	if (ofOrder(world, body.orderId).some((o) => o.charged)) refuse('DUPLICATED_ORDER_ID');
	if (k.card === 'refused-later') refuse('REJECT_CARD_COMPANY');
	const p = begun(world, { ...body, currency: 'KRW', type: 'BILLING' });
	return charge(world, p, twist);
}

export function keyGone(world, id, by) {
	const k = world.toss.keys.get(id);
	if (!k || k.gone) refuse('NOT_FOUND_BILLING');
	k.gone = world.stamp();
	world.effect('toss', k.customerKey, 'KEY-GONE', { by });
	return {};
}

/* ---- the guest ---- */

function begun(world, { orderId, orderName, amount, currency, metadata, card, type = 'NORMAL' }) {
	const p = { key: secret('tgen_'), orderId, orderName, amount, currency, metadata: metadata ?? null, cardOf: card, type, status: 'IN_PROGRESS', at_ms: world.now_ms(), approvedAt: null, charged: 0, cancels: [], secret: secret('ps_') };
	world.toss.payments.set(p.key, p);
	return p;
}

export function beforeWindow(world, w) {
	if (w.do === 'key') return /^[A-Za-z0-9_=.@-]{2,50}$/.test(w.customerKey ?? '') ? null : { code: 'INVALID_CUSTOMER_KEY', message: 'customerKey' };
	if (!/^[A-Za-z0-9_=-]{6,64}$/.test(w.orderId ?? '')) return { code: 'INVALID_ORDER_ID', message: 'orderId' };
	if (!w.orderName || !Number.isSafeInteger(w.amount) || w.amount <= 0 || !w.successUrl || !w.failUrl) return { code: 'INVALID_PARAMETERS', message: 'orderName, amount, successUrl, failUrl' };
	return ofOrder(world, w.orderId).some((o) => o.charged) ? { code: 'DUPLICATED_ORDER_ID', message: TEXT.DUPLICATED_ORDER_ID[1] } : null;
}

export function redirect(world, w) {
	const card = w.card ?? 'ok';
	const wrong = beforeWindow(world, w) ?? { closed: { code: 'PAY_PROCESS_CANCELED', message: '사용자에 의해 결제가 취소되었습니다.' }, declined: words(0, 'REJECT_CARD_COMPANY') }[card];
	if (wrong) return { to: w.failUrl, query: { code: wrong.code, message: wrong.message, ...(w.orderId && card !== 'closed' ? { orderId: w.orderId } : {}) } };
	if (w.do === 'key') {
		const authKey = secret('auth_');
		world.toss.auths.set(authKey, { customerKey: w.customerKey, card });
		return { to: w.successUrl, query: { customerKey: w.customerKey, authKey } };
	}
	const p = begun(world, { ...w, currency: w.currency ?? 'KRW' });
	return { to: w.successUrl, query: { paymentType: 'NORMAL', paymentKey: p.key, orderId: p.orderId, amount: p.amount } };
}

export function console_(world, { id, do: act, amount, key }) {
	if (act === 'key-delete') return keyGone(world, key, 'console');
	const p = ofOrder(world, id).find((o) => o.charged) ?? refuse('NOT_FOUND_PAYMENT');
	return act === 'refund' ? giveBack(world, p, amount, { reason: 'console', by: 'console' }) : null;
}

/* ---- the table ---- */

const text = { type: 'string', minLength: 1 };
const whole = { type: 'integer' };
const orNull = (t) => ({ anyOf: [t, { type: 'null' }] });
const shape = (required, optional = {}) => ({ type: 'object', required: Object.keys(required), properties: { ...required, ...optional }, additionalProperties: false });
const any = {};
const CANCEL = shape({ transactionKey: text, cancelReason: text, taxExemptionAmount: whole, canceledAt: text, cardDiscountAmount: whole, transferDiscountAmount: whole, easyPayDiscountAmount: whole, receiptKey: orNull(text), cancelAmount: whole, taxFreeAmount: whole, refundableAmount: whole, cancelStatus: text, cancelRequestId: orNull(text) });
const STATUS = { enum: ['READY', 'IN_PROGRESS', 'WAITING_FOR_DEPOSIT', 'DONE', 'CANCELED', 'PARTIAL_CANCELED', 'ABORTED', 'EXPIRED'] };

write('toss Confirm', shape({ paymentKey: text, orderId: { type: 'string', pattern: '^[A-Za-z0-9_=-]{6,64}$' }, amount: { type: 'integer', minimum: 1 } }));
write('toss Cancel', shape({ cancelReason: { type: 'string', minLength: 1, maxLength: 200 } }, { cancelAmount: { type: 'integer', minimum: 1 }, currency: text, taxFreeAmount: whole, refundReceiveAccount: { type: 'object' } }));
write('toss Issue', shape({ authKey: text, customerKey: text }));
write('toss Billing', shape({ customerKey: text, amount: { type: 'integer', minimum: 1 }, orderId: text, orderName: text }, { customerEmail: text, customerName: text, customerMobilePhone: text, taxFreeAmount: whole, cardInstallmentPlan: whole, metadata: { type: 'object' } }));
write('toss Payment', shape({ mId: text, version: text, paymentKey: text, lastTransactionKey: orNull(text), status: STATUS, orderId: text, orderName: text, taxExemptionAmount: whole, requestedAt: text, approvedAt: orNull(text), useEscrow: { type: 'boolean' }, cultureExpense: { type: 'boolean' }, card: orNull({ type: 'object' }), virtualAccount: any, transfer: any, mobilePhone: any, giftCertificate: any, cashReceipt: any, cashReceipts: any, discount: any, cancels: orNull({ type: 'array', items: CANCEL }), secret: orNull(text), type: { enum: ['NORMAL', 'BILLING', 'BRANDPAY'] }, easyPay: any, country: text, failure: orNull(shape({ code: text, message: text })), isPartialCancelable: { type: 'boolean' }, receipt: orNull(shape({ url: text })), checkout: orNull(shape({ url: text })), currency: text, totalAmount: whole, balanceAmount: whole, suppliedAmount: whole, vat: whole, taxFreeAmount: whole, metadata: any, method: orNull(text) }));
write('toss Key', shape({ mId: text, customerKey: text, authenticatedAt: text, method: text, billingKey: text, cardCompany: text, cardNumber: text, card: { type: 'object' } }));
write('toss Transactions', { type: 'array', items: shape({ mId: text, transactionKey: text, paymentKey: text, orderId: text, method: text, customerKey: orNull(text), useEscrow: { type: 'boolean' }, receiptUrl: text, status: STATUS, transactionAt: text, currency: text, amount: whole }) });

export const mayAlso = () => [];
export const rules = (call, body) => (call === 'cancel' && body?.cancelAmount === undefined ? ['cancel without cancelAmount'] : []);
const orderOf = (world, key) => world.toss.payments.get(key)?.orderId ?? key;

export const routes = [
	{ call: 'confirm', method: 'POST', path: /^\/v1\/payments\/confirm$/, id: ({ body }) => body?.orderId, money: true, request: 'toss Confirm', answer: 'toss Payment', run: confirm },
	{ call: 'find', method: 'GET', path: /^\/v1\/payments\/orders\/([^/]+)$/, answer: 'toss Payment', run: findOrder },
	{ call: 'get', method: 'GET', path: /^\/v1\/payments\/([^/]+)$/, id: ({ world, path }) => orderOf(world, path), answer: 'toss Payment', run: ({ world, path, twist }) => view(world, find(world, path), twist) },
	{ call: 'cancel', method: 'POST', path: /^\/v1\/payments\/([^/]+)\/cancel$/, id: ({ world, path }) => orderOf(world, path), money: true, request: 'toss Cancel', answer: 'toss Payment', run: cancel },
	{ call: 'key-issue', method: 'POST', path: /^\/v1\/billing\/authorizations\/issue$/, id: ({ body }) => body?.customerKey, money: true, request: 'toss Issue', answer: 'toss Key', run: keyIssue },
	{ call: 'key-charge', method: 'POST', path: /^\/v1\/billing\/([^/]+)$/, id: ({ body }) => body?.orderId, money: true, request: 'toss Billing', answer: 'toss Payment', run: keyCharge },
	{ call: 'key-delete', method: 'DELETE', path: /^\/v1\/billing\/([^/]+)$/, id: ({ world, path }) => world.toss.keys.get(path)?.customerKey ?? path, run: ({ world, path }) => keyGone(world, path, 'call') },
	{ call: 'list', method: 'GET', path: /^\/v1\/transactions$/, answer: 'toss Transactions', run: list },
];
