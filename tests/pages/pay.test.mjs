/*
 * pay.test.mjs - a payment on the guests' side: screens, the way back, what a provider is asked;
 * and on the owner's: what a wrong key looks like.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, WWW } from './www.mjs';

const state = await load('pay/state.js');
const KEY = `jari-${'a'.repeat(26)}`;
const query = (text) => new URLSearchParams(text);

test('as long as nobody knows, the guest reads that we are checking, never that it failed', () => {
	for (const word of ['CHECKING', 'AUTHORISED', 'something newer', undefined])
		assert.equal(state.screenOf({ state: word }), 'checking', word);
	assert.equal(state.screenOf({ state: 'DECLINED' }), 'declined');
	assert.equal(state.screenOf({ state: 'PAID' }), 'paid');
});

test('what was not paid in its time cannot be paid any more', () => {
	for (const status of ['EXPIRED', 'CANCELED']) {
		const reservation = { status };
		for (const word of ['READY', 'DECLINED'])
			assert.equal(state.screenOf({ state: word, reservation }), 'nothing', word);
		assert.equal(state.screenOf({ state: 'CHECKING', reservation }), 'checking');
		assert.equal(state.screenOf({ state: 'REFUND_ON_ITS_WAY', reservation }), 'refundComing');
	}
	assert.equal(state.screenOf({ state: 'READY', reservation: { status: 'TEMPORARY' } }), 'ready');
});

test('it is asked after quickly, then seldom, and the guest is told that it takes long', () => {
	const looks = Array.from({ length: 30 }, (_, i) => i);
	assert.ok(looks.every((n) => state.lookAfter(n) >= state.lookAfter(0)));
	assert.ok(state.lookAfter(29) > state.lookAfter(0));
	assert.ok(!state.isLong(5) && state.isLong(29));
	assert.ok(
		state.isMoving({ state: 'CHECKING' }) && state.isMoving({ state: 'REFUND_ON_ITS_WAY' }),
	);
	assert.ok(
		!state.isMoving({ state: 'PAID' }) && state.isMoving({ state: 'PAID', purpose: 'TRY' }),
	);
	assert.ok(!state.isMoving({ state: 'NOTHING_CHARGED' }));
});

test('the way back of every provider is read, and nothing else in it', () => {
	const from = (text) => state.returned(query(`restaurant=1&payment=${KEY}&${text}`)).back;
	assert.deepEqual(from('paymentId=x&transactionType=PAYMENT&txId=t1&paymentToken=p1'), {
		token: 'p1',
		txId: 't1',
	});
	assert.deepEqual(
		from('transactionType=ISSUE_BILLING_KEY&billingKey=NEEDS_CONFIRMATION&billingIssueToken=b1'),
		{ token: 'b1' },
	);
	assert.deepEqual(from('code=FAILURE_TYPE_PG&message=m&pgCode=c&pgMessage=잔액+부족'), {
		code: 'c',
		message: '잔액 부족',
	});
	const toss = from('paymentType=NORMAL&paymentKey=k1&orderId=o&amount=20000');
	assert.deepEqual(toss, { paymentKey: 'k1' }, 'what is due the book knows');
	assert.deepEqual(from('customerKey=c1&authKey=a1'), { authKey: 'a1' });
	assert.deepEqual(from('session=cs_1'), { session: 'cs_1' });
	assert.deepEqual(
		from('transactionType=PAYMENT&paymentId=x'),
		{},
		'they were there, and it says no more',
	);
	assert.equal(from(''), null, 'a reload carries nothing any more');
	assert.equal(
		state.returned(query('reservation=1&code=x')),
		null,
		'without a payment nobody came back',
	);
	assert.deepEqual(state.resolved({ paymentToken: 'p1', txId: 't1', paymentId: KEY }), {
		token: 'p1',
		txId: 't1',
	});
});

test('who closed the window has not been refused', () => {
	for (const code of ['CLOSED', 'PAY_PROCESS_CANCELED', 'USER_CANCEL'])
		assert.ok(state.isClosed({ code }), code);
	for (const back of [null, {}, { code: 'FAILURE_TYPE_PG' }, { code: 'REJECT_CARD_COMPANY' }])
		assert.ok(!state.isClosed(back));
});

const INTENT = {
	paymentId: KEY,
	purpose: 'DEPOSIT',
	amount: 20000,
	currency: 'KRW',
	currencyDigits: 0,
	orderName: '온기 식당 예약',
	page: { storeId: 's', channelKey: 'c', clientKey: 'k' },
	guest: { name: '김민지', phone: '+82 10-1234-5678' },
};
const address = state.backAddress('https://book.example.com', 1, KEY);

test('a provider is asked by redirect, with the box’s amount and nothing about the table', () => {
	assert.equal(address, `https://book.example.com/pay?restaurant=1&payment=${KEY}`);
	assert.deepEqual(state.portoneRequest(INTENT, { address, lang: 'ko' }), {
		storeId: 's',
		channelKey: 'c',
		paymentId: KEY,
		orderName: '온기 식당 예약',
		totalAmount: 20000,
		currency: 'KRW',
		payMethod: 'CARD',
		redirectUrl: address,
		forceRedirect: true,
		locale: 'KO_KR',
		customer: { fullName: '김민지', phoneNumber: '821012345678' },
	});
	const toss = state.tossRequest(INTENT, { address });
	assert.deepEqual(toss.amount, { currency: 'KRW', value: 20000 });
	assert.equal(toss.windowTarget, 'self');
	assert.equal(toss.orderId, KEY);
	const cents = { ...INTENT, amount: 1950, currency: 'USD', currencyDigits: 2 };
	assert.deepEqual(state.tossRequest(cents, { address }).amount, { currency: 'USD', value: 19.5 });
});

test('a card that is left is asked for without an amount', () => {
	const card = { ...INTENT, purpose: 'CARD' };
	const portone = state.portoneRequest(card, { address, lang: 'en' });
	assert.equal(portone.issueId, KEY);
	assert.equal(portone.billingKeyMethod, 'CARD');
	assert.ok(!('totalAmount' in portone) && !('paymentId' in portone));
	assert.ok(!('amount' in state.tossRequest(card, { address })));
});

test('the scripts of providers are those that the policy of /pay lets in', () => {
	const source = readFileSync(new URL('pay/providers.js', WWW), 'utf8');
	const site = readFileSync(new URL('../../nginx.conf.example', import.meta.url), 'utf8');
	const rows = [...source.matchAll(/\t(\w+): '(https:\/\/[^/]+)/g)];
	assert.ok(rows.length > 1);
	for (const [, provider, host] of rows) {
		const policy = site.match(new RegExp(`\\n\\t${provider} +"([^"]+)"`))[1];
		assert.match(policy, new RegExp(`script-src 'self' ${host};`), provider);
		assert.doesNotMatch(policy, /unsafe/);
	}
});

/* ---- the owner's side ---- */

const keys = await load('desk/pay/keys.js');
const parts = Object.fromEntries(
	await Promise.all(
		['ko', 'en'].map(async (code) => [code, (await load(`desk/pay/words/${code}.js`)).words]),
	),
);
const said = (words, name) => name.split('.').reduce((from, part) => from?.[part], words);

test('a key in the wrong field, of the wrong kind or with a blank is known by its look', () => {
	const wrong = (...of) => keys.keyTrouble(...of);
	assert.equal(wrong('portone', 'storeId', 'store-1a', true), null);
	assert.deepEqual(wrong('portone', 'storeId', 'channel-key-1', true), [
		'wrong.other',
		'channelKey',
	]);
	assert.deepEqual(wrong('portone', 'channelKey', 'abc', true), ['wrong.begin']);
	assert.deepEqual(wrong('toss', 'clientKey', 'test_sk_1', true), ['wrong.other', 'secret']);
	assert.deepEqual(wrong('toss', 'secret', 'live_sk_1', true), ['wrong.live']);
	assert.deepEqual(wrong('stripe', 'secret', 'sk_test_1', false), ['wrong.test']);
	assert.deepEqual(wrong('stripe', 'secret', 'sk_live 1', false), ['wrong.blank']);
	assert.equal(wrong('stripe', 'secret', 'rk_live_1', false), null, 'a restricted key will do');
	assert.equal(
		wrong('portone', 'secret', 'anything', false),
		null,
		'this one says nothing of itself',
	);
	assert.equal(wrong('toss', 'secret', '  ', true), null, 'what is not typed stays as it is');
});

test('a key of another company is called so, and a field as its company calls it', () => {
	const wrong = (...of) => keys.keyTrouble(...of);
	assert.deepEqual(wrong('portone', 'secret', 'sk_test_1', false), [
		'wrong.company',
		'names.stripe',
	]);
	assert.deepEqual(wrong('stripe', 'secret', 'test_sk_1', true), ['wrong.company', 'names.toss']);
	assert.deepEqual(wrong('toss', 'clientKey', 'store-1', true), ['wrong.company', 'names.portone']);
	assert.deepEqual(wrong('stripe', 'secret', 'pk_test_1', true), ['wrong.public']);
	assert.equal(keys.labelOf('portone', 'secret'), 'apiSecret');
	assert.equal(keys.labelOf('stripe', 'secret'), 'secret');
});

test('who chooses a company for the first time begins in test mode', () => {
	assert.ok(keys.beginsTest({ provider: 'desk', hasSecret: false, test: false }));
	assert.ok(!keys.beginsTest({ provider: 'desk', hasSecret: true, test: false }));
	assert.ok(!keys.beginsTest({ provider: 'stripe', hasSecret: true, test: false }));
	assert.ok(keys.beginsTest({ provider: 'stripe', hasSecret: true, test: true }));
});

const went = await load('desk/pay/went.js');

test('a trial that does not begin says what happened and what to do', () => {
	const names = (state, how) => went.wentOf({ state }, how).names.join();
	assert.equal(names('BEGIN', { waitedMs: 2000 }), 'tries.BEGIN');
	assert.equal(names('BEGIN', { waitedMs: 40000 }), 'tries.noAnswer');
	assert.equal(names('BEGIN', { told: 'away' }), 'tries.noAnswer');
	assert.equal(names('READY', { told: 'away', cashier: false }), 'tryAway');
	assert.equal(names('READY', { waitedMs: 2000 }), 'tries.READY');
	assert.equal(names('READY', { waitedMs: 40000 }), 'tries.READY,tries.orNot');
	assert.equal(names('READY', { told: 'notOpened' }), 'tries.notOpened');
	assert.equal(names('CHECKING', { told: 'notOpened' }), 'tries.CHECKING', 'it opened after all');
	assert.ok(went.wentOf({ state: 'BEGIN' }, { told: 'away' }).bad);
	assert.deepEqual(went.wentOf(null), { names: [], bad: false });
});

test('a payment that its company never heard of is told in our words', () => {
	const lost = { state: 'NOTHING_CHARGED', words: 'PAYMENT_NOT_FOUND' };
	assert.deepEqual(went.wentOf(lost), {
		names: ['tries.NOTHING_CHARGED', 'cause.unopened'],
		bad: true,
	});
	assert.equal(went.insteadOf('NOT_FOUND_PAYMENT_SESSION: x'), 'cause.unopened');
	assert.equal(went.insteadOf('잔액 부족'), null);
	for (const words of [
		'Could not resolve host: api.stripe.com',
		'Failed to connect to api.portone.io port 443 after 3 ms: Could not connect to server',
		'Operation timed out after 10001 milliseconds with 0 bytes received',
	]) {
		assert.equal(went.insteadOf(words), 'cause.noWay', words);
		assert.deepEqual(went.wentOf({ state: 'BEGIN', words }).names, ['cause.noWay']);
		const checked = went.wentOf({ state: 'CHECKING', words }, { waitedMs: 40000 });
		assert.deepEqual(checked.names, ['tries.CHECKING', 'cause.noWay']);
	}
	const refused = went.wentOf({ state: 'NOTHING_CHARGED', words: 'UNAUTHORIZED: no' });
	assert.deepEqual(refused.names, ['tries.DECLINED', 'cause.secret']);
	assert.equal(refused.words, 'UNAUTHORIZED: no');
	for (const words of Object.values(parts)) {
		for (const name of ['noAnswer', 'notOpened', 'stopped', 'orNot', 'BEGIN', 'READY'])
			assert.equal(typeof words.tries[name], 'string', name);
		assert.match(words.wrong.company('Stripe'), /Stripe/);
	}
});

test('every provider, field, trouble and cause has its words', () => {
	for (const words of Object.values(parts)) {
		for (const [provider, fields] of Object.entries(keys.FIELDS)) {
			assert.ok(said(words, `providers.${provider}`) && said(words, `providerAbout.${provider}`));
			for (const name of fields) assert.equal(typeof said(words, name), 'string', name);
		}
		for (const name of ['noWay', 'unopened', 'secret', 'right', 'channel', 'store', 'late'])
			assert.ok(words.cause[name], name);
	}
	assert.equal(keys.causeOf('UnauthorizedError: 401'), 'cause.secret');
	assert.equal(keys.causeOf('Invalid API Key provided: sk_test_***'), 'cause.secret');
	assert.equal(keys.causeOf('ChannelNotFoundError'), 'cause.channel');
	assert.equal(keys.causeOf('잔액 부족'), null);
	assert.ok(keys.takesCurrency('stripe', 'EUR') && !keys.takesCurrency('toss', 'EUR'));
	assert.ok(!keys.takesCurrency('toss', 'USD'));
});

test('a card takes the place of the deposit, for those who would be asked for one', async () => {
	const { guaranteeOf } = await load('guest/details/order.js');
	const house = { payments: { provider: 'toss', guarantee: 25000 }, policies: { depositFrom: 4 } };
	assert.equal(guaranteeOf(house, 4), 100000);
	assert.equal(guaranteeOf(house, 3), 0);
	assert.equal(guaranteeOf({ ...house, payments: { provider: 'toss' } }, 4), 0);
	assert.equal(guaranteeOf({ policies: { depositFrom: 1 } }, 4), 0, 'nobody pays online here');
});
