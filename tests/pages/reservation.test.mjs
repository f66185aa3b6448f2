/*
 * reservation.test.mjs - what a reservation is and does, by its answer alone.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './www.mjs';

const s = await load('guest/reservation/states.js');
const order = await load('guest/details/order.js');
const terms = await load('terms.js');
const pace = await load('guest/line/pace.js');

test('each answer has one state and one heading', () => {
	const of = (r) => [s.stateOf(r), s.titleOf(r)];
	assert.deepEqual(of({ status: 'TEMPORARY' }), ['held', 's.TEMPORARY']);
	assert.deepEqual(of({ status: 'TEMPORARY', offered: true }), ['offered', 's.OFFERED']);
	assert.deepEqual(of({ status: 'TEMPORARY', unproven: true }), ['unproven', 's.UNPROVEN']);
	for (const status of ['CONFIRMED', 'PREPAY_CONFIRM', 'COMPLETED'])
		assert.deepEqual(of({ status }), ['sound', `s.${status}`]);
	for (const status of ['EXPIRED', 'CANCELED', 'REFUND_PENDING', 'REFUNDED', 'NO_SHOW'])
		assert.deepEqual(of({ status }), ['ended', `s.${status}`]);
});

test('late and here can be said around the time, from the moments on that the box takes', () => {
	const r = {
		status: 'CONFIRMED',
		visitStatus: 'PENDING',
		startsAt: '2031-05-06T09:00:00Z',
		endsAt: '2031-05-06T10:30:00Z',
	};
	const at = (time, more = {}) => {
		const { late, here } = s.mayTell({ ...r, ...more }, Date.parse(`2031-05-06T${time}Z`));
		return [late && 'late', here && 'here'].filter(Boolean).join(' ');
	};
	assert.equal(at('06:59:00'), '');
	assert.equal(at('07:00:00'), 'late');
	assert.equal(at('08:30:00'), 'late here');
	assert.equal(at('09:31:00'), 'here');
	assert.equal(at('10:31:00'), '');
	assert.equal(at('08:45:00', { visitStatus: 'ARRIVED' }), '');
	assert.equal(at('08:45:00', { status: 'CANCELED' }), '');
	assert.equal(at('08:45:00', { status: 'TEMPORARY' }), '');
	/* What was said is another drawing, in that time alone. */
	const late = { ...r, lateMinutes: 20 };
	const then = Date.parse('2031-05-06T08:00:00Z');
	assert.notEqual(s.drawnAs(r, then), s.drawnAs(late, then));
	assert.equal(s.drawnAs(r, 0), s.drawnAs(late, 0));
});

test('a change of state is another drawing, more knowledge of the same is not', () => {
	const held = { status: 'TEMPORARY' };
	assert.equal(s.drawnAs(held), s.drawnAs({ ...held, guestName: 'Kim' }));
	assert.notEqual(s.drawnAs(held), s.drawnAs({ ...held, offered: true }));
	assert.notEqual(s.drawnAs({ status: 'CONFIRMED' }), s.drawnAs({ status: 'PREPAY_CONFIRM' }));
	assert.notEqual(
		s.drawnAs({ status: 'CONFIRMED' }),
		s.drawnAs({ status: 'CONFIRMED', pendingChange: { holdExpiresAt: 'x' } }),
	);
});

test('what is held is followed, and its countdown never shows a second too many', () => {
	const until = '2026-11-18T10:00:00Z';
	const now = Date.parse(until);
	assert.equal(s.heldUntil({ status: 'TEMPORARY', holdExpiresAt: until }), until);
	assert.equal(s.heldUntil({ status: 'CONFIRMED', holdExpiresAt: until }), undefined);
	assert.equal(
		s.heldUntil({ status: 'CONFIRMED', pendingChange: { holdExpiresAt: until } }),
		until,
	);
	assert.deepEqual(
		[s.isMoving(null), s.isMoving({ status: 'CONFIRMED' }), s.isMoving({ status: 'TEMPORARY' })],
		[false, false, true],
	);
	assert.equal(s.secondsLeft(until, now - 60000), 60);
	assert.equal(s.secondsLeft(until, now - 60500), 60);
	assert.equal(s.secondsLeft(until, now - 60501), 61);
	assert.ok(s.secondsLeft(until, now + 1) <= 0);
	assert.deepEqual(
		[s.shareLeft(210, 420), s.shareLeft(500, 420), s.shareLeft(-3, 420), s.shareLeft(210)],
		[0.5, 1, 0, 0.5],
	);
});

test('booked again on the same day if it is to come, else on the same weekday after today', () => {
	assert.equal(s.rebookDay('2026-11-20', '2026-11-18'), '2026-11-20');
	assert.equal(s.rebookDay('2026-11-18', '2026-11-18'), '2026-11-18');
	assert.equal(s.rebookDay('2026-11-11', '2026-11-18'), '2026-11-25');
	assert.equal(s.rebookDay('2026-10-30', '2026-11-18'), '2026-11-20');
});

test('an ended one says what became of the money first', () => {
	assert.deepEqual(s.endedText({ status: 'EXPIRED', refundAmount: 5 }), { name: 'expiredText' });
	assert.deepEqual(s.endedText({ status: 'CANCELED', refundAmount: 5 }), {
		name: 'refundDone',
		sums: [5],
	});
	assert.deepEqual(s.endedText({ status: 'CANCELED', refundAmount: 5, dueBackAmount: 5 }), {
		name: 'canceledText',
	});
	assert.deepEqual(s.endedText({ status: 'CANCELED', paidAmount: 10 }), {
		name: 'canceledKept',
		sums: [10],
	});
	assert.deepEqual(s.endedText({ status: 'CANCELED', cancelledByRestaurant: true }), {
		name: 'canceledByHouse',
	});
	assert.equal(s.endedText({ status: 'NO_SHOW' }), null);
});

test('cancelling says what comes back', () => {
	assert.deepEqual(s.cancelText({ paidAmount: 9, refundIfCancelledNow: 4 }), {
		name: 'refundNow',
		sums: [4, 9],
	});
	assert.deepEqual(s.cancelText({ paidAmount: 9, refundIfCancelledNow: 0 }), {
		name: 'refundNothing',
		sums: [9],
	});
	assert.deepEqual(s.cancelText({ paidAmount: 0, totalAmount: 9 }), { name: 'nothingPaid' });
	assert.deepEqual(s.cancelText({ paidAmount: 0, totalAmount: 0 }), { name: 'cancelFree' });
	assert.equal(s.joinReason('', '  ', 100), '');
	assert.equal(s.joinReason('A', ' b ', 100), 'A · b');
	assert.equal(s.joinReason('A', 'bcd', 5), 'A · b');
});

test('another party size says what it does to the money', () => {
	const r = {
		status: 'CONFIRMED',
		reservationType: 'RESERVATION_DEPOSIT',
		partySize: 4,
		paidAmount: 20000,
		refundPercentNow: 50,
	};
	const names = (party, more, policies = { depositFrom: 1, depositPerPerson: 5000 }) =>
		s.changeTexts({ ...r, ...more }, party, policies).map(([name]) => name);
	assert.deepEqual(names(6), ['changeMore', 'changeCap']);
	assert.deepEqual(names(2), ['changeFewer', 'changeCap']);
	assert.deepEqual(names(4, { refundPercentNow: 100 }), []);
	assert.deepEqual(names(6, { paidAmount: 0 }, { depositPerPerson: 0 }), []);
	assert.deepEqual(names(2, { reservationType: 'PREORDER_PREPAY' }), ['changeCap']);
	assert.deepEqual(names(6, { status: 'TEMPORARY', paidAmount: 0 }), []);
});

test('its own slot does not stand in the way of a change', () => {
	const slots = [
		{ slotTime: '18:00', available: false },
		{ slotTime: '19:00', available: true },
	];
	const times = (day) =>
		s.openFor({ slotDate: '2026-11-20', slotTime: '18:00' }, day, slots).map((x) => x.slotTime);
	assert.deepEqual(times('2026-11-20'), ['18:00', '19:00']);
	assert.deepEqual(times('2026-11-21'), ['19:00']);
});

test('what comes is sorted by time, the rest stays as it was', () => {
	const entry = (id, status, date, time) => ({ id, status, date, time });
	const all = [
		entry(4, 'CONFIRMED', '2026-11-20', '18:00'),
		entry(3, 'CANCELED', '2026-11-20', '12:00'),
		entry(2, 'TEMPORARY', '2026-11-20', '12:00'),
		entry(1, 'CONFIRMED', '2026-11-17', '12:00'),
	];
	const { coming, rest } = s.sortMine(all, '2026-11-18');
	assert.deepEqual(
		[coming.map((m) => m.id), rest.map((m) => m.id)],
		[
			[2, 4],
			[3, 1],
		],
	);
});

test('a form: what is wrong with it, and what is sent', () => {
	const draft = order.beginDraft({ name: ' Kim ', phone: '010-1234 5678' }, {});
	assert.deepEqual(order.faultsOf(draft), []);
	assert.deepEqual(order.faultsOf(order.beginDraft(null, { email: 'a@b' })), [
		['name', 'badName'],
		['phone', 'badPhone'],
		['email', 'badEmail'],
	]);
	assert.deepEqual(order.contactOf(draft), { name: 'Kim', phone: '010-1234 5678' });
	const menu = [
		{ menuId: 1, price: 9000 },
		{ menuId: 2, price: 500 },
	];
	assert.equal(order.totalOf(draft, menu, 20000), 20000);
	const ahead = { ...draft, type: 'preorder', items: { 1: 2, 2: 0, 3: 4 }, request: ' a window ' };
	assert.equal(order.totalOf(ahead, menu, 15000), 18000);
	assert.equal(order.totalOf(ahead, menu, 24000), 24000, 'what they do not come to is a deposit');
	assert.equal(order.totalOf(ahead, menu, 0, 60000), 60000, 'so where a card would be left');
	assert.deepEqual(
		[order.isDue(draft, 0), order.isDue(draft, 1), order.isDue(ahead, 0)],
		[false, true, true],
	);
	assert.deepEqual(
		[
			order.portions(ahead, 2, -1),
			order.portions(ahead, 9, 1),
			order.portions({ items: { 1: 100 } }, 1, 1),
		],
		[0, 1, 100],
	);
	assert.deepEqual(order.requestOf(ahead, { partySize: 2 }, 18000), {
		partySize: 2,
		totalAmount: 18000,
		reservationType: 'PREORDER_PREPAY',
		requestMessage: 'a window',
		menuItems: [
			{ menuId: 1, quantity: 2 },
			{ menuId: 3, quantity: 4 },
		],
	});
	assert.deepEqual(order.requestOf(draft, {}, 0), {
		totalAmount: 0,
		reservationType: 'RESERVATION_DEPOSIT',
	});
});

test('the refund rules: one counts now, whatever the hour', () => {
	const policy = { dayBeforePct: 100, sameDayPct: 50, cutoffMinutes: 120, latePct: 20 };
	const now = (today, minutes, time = '18:00', p = policy) =>
		terms
			.refundRules(p, '2026-11-18', time, { today, minutes })
			.filter((row) => row.now)
			.map(({ rule, pct }) => `${rule} ${pct}`)
			.join();
	assert.equal(now('2026-11-17', 1439), 'dayBefore 100');
	assert.equal(now('2026-11-18', 0), 'sameDay 50');
	assert.equal(now('2026-11-18', 16 * 60), 'sameDay 50');
	assert.equal(now('2026-11-18', 16 * 60 + 1), 'late 20');
	assert.equal(now('2026-11-18', 18 * 60), 'after 0');
	assert.equal(now('2026-11-19', 0), 'after 0');
	assert.equal(now('2026-11-18', 0, '01:00'), 'late 20', 'the cutoff lies before midnight');
	assert.equal(
		now('2026-11-18', 0, '02:00'),
		'late 20',
		'a cutoff at midnight is no time of the day',
	);
	assert.deepEqual(
		terms
			.refundRules(policy, '2026-11-18', '18:00', { today: '2026-11-01', minutes: 0 })
			.map((row) => row.until),
		['2026-11-17', '16:00', '18:00', null],
	);
	const from = (today, minutes) =>
		terms
			.refundRules(policy, '2026-11-18', '18:00', { today, minutes })
			.map(({ rule, now }) => (now ? `${rule}!` : rule));
	assert.deepEqual(
		from('2026-11-18', 0),
		['sameDay!', 'late', 'after'],
		'what is over is left out',
	);
	assert.deepEqual(from('2026-11-18', 17 * 60), ['late!', 'after']);
	assert.deepEqual(from('2026-11-19', 0), ['after!']);
});

test('a large party pays and gets back by its own numbers', () => {
	const p = {
		depositFrom: 1,
		depositPerPerson: 5000,
		depositLargePerPerson: 10000,
		depositLargeFrom: 6,
		refundLargeFrom: 8,
		refundLatePct: 30,
		refundLateLargePct: 0,
	};
	assert.deepEqual(
		[5, 6].map((n) => terms.depositOf(p, n)),
		[25000, 60000],
	);
	assert.deepEqual(
		[1, 5, 6].map((n) => terms.depositOf({ ...p, depositFrom: 6 }, n)),
		[0, 0, 60000],
	);
	assert.equal(terms.depositOf({ ...p, depositFrom: 0 }, 9), 0);
	assert.deepEqual(
		[7, 8].map((n) => terms.policyOf(p, n).latePct),
		[30, 0],
	);
});

test('a page that waits for a day to open asks each minute, not in the last ten seconds', () => {
	let asked = 0;
	let last = 0;
	for (let now = 0; now < 600000; now += 1000)
		if (pace.mayAsk(600000 - now, now - last)) {
			asked++;
			last = now;
		}
	assert.equal(asked, 9);
	assert.equal(pace.mayAsk(10000, 1e9), false);
	assert.equal(pace.mayAsk(-5000, 1e9), false);
	assert.equal(pace.mayAsk(60000, 59999), false);
});

test('a wait is told honestly', () => {
	assert.deepEqual(pace.etaOf(10, 0, 20000), { name: 'eta', from: 7, to: 16 });
	assert.deepEqual(pace.etaOf(0, 0, 0), { name: 'eta', from: 1, to: 5 });
	assert.deepEqual(pace.etaOf(100, 0, 200000), { name: 'etaMin', from: 1, to: 3 });
	assert.deepEqual(
		pace.etaOf(65, 0, 200000),
		{ name: 'etaMin', from: 1, to: 3 },
		'104 seconds are not "1-2 minutes"',
	);
	assert.deepEqual(pace.etaOf(10, 20001, 20000), { name: 'etaUnknown' });
	assert.deepEqual(
		pace.etaOf(1, 3000, 2000),
		{ name: 'eta', from: 1, to: 5 },
		'not before eight seconds',
	);
});

test('the bar moves forward by people or by time, and is never full', () => {
	const at = (position, waitedMs, first = 50) =>
		pace.progressOf({ position, etaSeconds: 10 }, first, waitedMs);
	assert.equal(at(50, 0), 0.9 * (1 - 49 / 50));
	assert.ok(at(50, 5000) > at(50, 1000));
	assert.ok(at(1, 1e9) <= 0.96);
});

test('near the front we look more often, and a failure makes us patient', () => {
	assert.deepEqual(
		[pace.pollDelay(3, 0), pace.pollDelay(3, 1), pace.pollDelay(4, 0), pace.pollDelay(4, 1)],
		[900, 1600, 2000, 4000],
	);
	assert.equal(pace.retryDelay(0, 0, 0), 1000);
	assert.ok(pace.retryDelay(3, 0, 0) > pace.retryDelay(2, 0, 0));
	assert.equal(pace.retryDelay(50, 0, 0), 15000);
	assert.equal(pace.retryDelay(0, 30, 1), 30700);
});

test('what is sold out, or gone from the menu, is neither counted nor sent', () => {
	const menu = [
		{ menuId: 1, price: 1950 },
		{ menuId: 2, price: 420, soldOut: true },
	];
	const draft = { items: { 1: 2, 2: 1, 7: 1 } };
	assert.equal(order.dishesOf(draft, menu), 3900);
	assert.deepEqual(order.itemsOnOffer(draft, menu), { 1: 2 });
	assert.deepEqual(order.onOffer(undefined), []);
});
