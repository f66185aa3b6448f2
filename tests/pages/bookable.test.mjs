/*
 * bookable.test.mjs - what a guest can choose: days, months, slots and addresses.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './www.mjs';

const b = await load('guest/bookable.js');
const { screenAt, isInner, addressOf } = await load('guest/address.js');
const { clockTime, eveningAt, isDay, isTime } = await load('dates.js');

const house = {
	today: '2026-11-18' /* a Wednesday */,
	hours: [
		{ weekday: 3, opens: '11:00', closes: '15:00' },
		{ weekday: 3, opens: '17:00', closes: '22:00' },
		{ weekday: 7, opens: '12:00', closes: '20:00' },
	],
	specialDays: [
		{ day: '2026-12-25', opens: null, closes: null },
		{ day: '2026-12-24', opens: '18:00', closes: '23:00' },
		{ day: '2026-01-01', opens: '18:00', closes: '23:00' },
	],
	policies: { windowDays: 30, partyMin: 1, partyMax: 8, leadMinutes: 60 },
};
const slot = (slotTime, remaining, more) => ({
	slotTime,
	remaining,
	available: remaining > 0,
	...more,
});

test('a special day replaces the hours of its weekday', () => {
	assert.equal(b.spansOf(house, '2026-11-25').length, 2);
	assert.deepEqual(b.spansOf(house, '2026-11-26'), []);
	assert.deepEqual(b.spansOf(house, '2026-12-25'), []);
	assert.equal(b.spansOf(house, '2026-12-24')[0].opens, '18:00');
	assert.deepEqual(b.specialSoon(house, 5), ['2026-12-24', '2026-12-25']);
	assert.deepEqual(b.specialSoon(house, 1), ['2026-12-24']);
});

test('a special day with a note only is open as its week', () => {
	const noted = { ...house, specialDays: [{ day: '2026-11-25', note: 'jazz', asWeek: true }] };
	assert.equal(b.spansOf(noted, '2026-11-25').length, 2);
});

test('a restaurant that is shut says why, no hours before a pause', () => {
	assert.equal(b.shutWord(house), null);
	assert.equal(b.shutWord({ ...house, paused: true }), 'paused');
	assert.equal(b.shutWord({ hours: [], paused: true }), 'noHours');
});

test('a time in vain: over, shut, a day off, too far', () => {
	const clock = { today: '2026-11-18', minutes: 12 * 60 };
	const why = (date, time) => b.whyVain(house, date, time, clock);
	assert.equal(why('2026-11-17', '18:00'), 'timeOver');
	assert.equal(why('2026-11-18', '12:00'), 'timeOver');
	assert.equal(why('2026-11-18', '12:01'), null);
	assert.equal(why('2026-11-19', '18:00'), 'dayShut');
	assert.equal(why('2026-12-16', '18:00'), null);
	assert.equal(why('2026-12-23', '18:00'), 'dayFar');
	assert.equal(b.lastDay(house), '2026-12-18');
});

test('after midnight the evening before is not over', () => {
	const clock = { today: '2026-11-19', minutes: 20 };
	assert.equal(b.whyVain(house, '2026-11-18', '24:30', clock), null);
	assert.equal(b.whyVain(house, '2026-11-18', '24:20', clock), 'timeOver');
});

test('a service with a lead of its own is not asked for that of the house', () => {
	const clock = { today: '2026-11-18', minutes: 12 * 60 };
	const rows = [slot('12:30', 4, { leadMinutes: 0 }), slot('12:45', 4), slot('13:00', 4)];
	const times = b.inTime(rows, '2026-11-18', clock, 60).map((s) => s.slotTime);
	assert.deepEqual(times, ['12:30', '13:00']);
});

test('a week begins with the first day of the house', () => {
	assert.equal(b.weekStart('2026-11-18', 1), '2026-11-16');
	assert.equal(b.weekStart('2026-11-18', 7), '2026-11-15');
	assert.equal(b.weekStart('2026-11-15', 1), '2026-11-09');
	assert.equal(b.weekStart('2026-11-15', 7), '2026-11-15');
	assert.deepEqual(b.weeksOf('2026-11', '2026-01-01', 1)[0], [
		null,
		null,
		null,
		null,
		null,
		null,
		'2026-11-01',
	]);
});

test('a month is whole weeks from Sunday on, without those that are over', () => {
	const november = b.weeksOf('2026-11', '2026-11-18');
	assert.deepEqual(november[0][0], '2026-11-15');
	assert.deepEqual(november.at(-1), ['2026-11-29', '2026-11-30', null, null, null, null, null]);
	assert.equal(b.weeksOf('2026-11', '2026-01-01').length, 5);
	const days = b.weeksOf('2028-02', '2026-01-01').flat().filter(Boolean);
	assert.deepEqual([days.length, days[0], days.at(-1)], [29, '2028-02-01', '2028-02-29']);
	assert.deepEqual(b.weeksOf('2026-02', '2026-01-01').length, 4); /* 1 February is a Sunday */
	for (const week of november) assert.equal(week.length, 7);
});

test('months are counted over the year, and kept within reach', () => {
	assert.equal(b.shiftMonth('2026-12', 1), '2027-01');
	assert.equal(b.shiftMonth('2026-01', -1), '2025-12');
	assert.equal(b.clampMonth('2026-10', '2026-11', '2026-12'), '2026-11');
	assert.equal(b.clampMonth('2027-10', '2026-11', '2026-12'), '2026-12');
	assert.equal(b.clampMonth('2026-12', '2026-11', '2026-12'), '2026-12');
});

test('keys move by days, weeks and months; no month is jumped over', () => {
	assert.equal(b.dayByKey('2026-11-30', 'ArrowRight'), '2026-12-01');
	assert.equal(b.dayByKey('2026-11-03', 'ArrowUp'), '2026-10-27');
	assert.equal(b.dayByKey('2026-01-31', 'PageDown'), '2026-02-28');
	assert.equal(b.dayByKey('2026-01-15', 'PageUp'), '2025-12-15');
	assert.equal(b.dayByKey('2026-01-15', 'Enter'), null);
});

test('the week of the opening hours begins with Monday', () => {
	assert.deepEqual(b.weekFrom('2026-11-18')[0], '2026-11-16');
	assert.deepEqual(b.weekFrom('2026-11-18')[6], '2026-11-22');
});

test('where else there is room: the next day, or the last one before a day that is too far', () => {
	const days = [
		{ date: '2026-11-18', state: 'full' },
		{ date: '2026-11-19', state: 'few' },
		{ date: '2026-11-20', state: 'open' },
		{ date: '2026-11-21', state: 'closed' },
	];
	assert.equal(b.firstOpen(days).date, '2026-11-19');
	assert.equal(b.otherOpen(days, '2026-11-19', '2026-11-21').date, '2026-11-20');
	assert.equal(b.otherOpen(days, '2026-11-20', '2026-11-21'), undefined);
	assert.equal(b.otherOpen(days, '2026-11-22', '2026-11-21').date, '2026-11-20');
	assert.equal(b.firstOpen([]), undefined);
});

test('a day looks as the book says, or past, or unknown', () => {
	assert.equal(b.dayState({ state: 'few' }, '2026-11-17', house.today), 'few');
	assert.equal(b.dayState(undefined, '2026-11-17', house.today), 'past');
	assert.equal(b.dayState(undefined, '2026-11-18', house.today), 'unknown');
	assert.equal(b.dayState(undefined, '2026-11-17', undefined), 'unknown');
	assert.deepEqual(['past', 'far', 'closed', 'full', 'open'].map(b.isDead), [
		true,
		true,
		true,
		false,
		false,
	]);
});

test('what comes too soon is left out, also over midnight', () => {
	const slots = [slot('00:15', 4), slot('11:00', 4), slot('12:59', 4), slot('13:00', 4)];
	const times = (date, today, minutes) =>
		b.inTime(slots, date, { today, minutes }, 60).map((s) => s.slotTime);
	assert.deepEqual(times('2026-11-18', '2026-11-18', 12 * 60), ['13:00']);
	assert.deepEqual(times('2026-11-19', '2026-11-18', 23 * 60 + 30), ['11:00', '12:59', '13:00']);
	assert.deepEqual(times('2026-11-19', '2026-11-18', 12 * 60).length, 4);
});

test('times are grouped by meal in their order; one without a meal is "other"', () => {
	const slots = [
		slot('11:00', 1, { label: 'lunch' }),
		slot('18:00', 1),
		slot('12:00', 1, { label: 'lunch' }),
	];
	assert.deepEqual(
		b.byMeal(slots).map(([label, list]) => [label, list.length]),
		[
			['lunch', 2],
			['other', 1],
		],
	);
});

test('few and full depend on the party', () => {
	assert.equal(b.fullness(slot('18:00', 0), 2), 'full');
	assert.equal(b.fullness(slot('18:00', 6), 2), 'few');
	assert.equal(b.fullness(slot('18:00', 7), 2), '');
	assert.equal(b.fullness(slot('18:00', 9), 8), 'few');
});

test('the three free times that are nearest', () => {
	const slots = ['11:00', '12:00', '17:00', '18:00', '19:00', '20:00'].map((time) => slot(time, 4));
	slots[4].available = false;
	assert.deepEqual(
		b.nearest('19:00', slots).map((s) => s.slotTime),
		['18:00', '20:00', '17:00'],
	);
	assert.deepEqual(b.nearest('19:00', []), []);
});

test('a day without times: too far, a day off, full, over', () => {
	assert.equal(b.whyNoTime(house, '2027-01-01', { shut: true, left: 0 }), 'dayFar');
	assert.equal(b.whyNoTime(house, '2026-11-20', { shut: true, left: 0 }), 'dayShut');
	assert.equal(b.whyNoTime(house, '2026-11-20', { shut: false, left: 3 }), 'dayFull');
	assert.equal(b.whyNoTime(house, '2026-11-18', { shut: false, left: 0 }), 'dayOver');
	/* A day that the house has closed is not full: nobody waits for it. */
	assert.equal(b.whyNoTime(house, '2026-11-20', { left: 3, full: 0 }), 'dayBlocked');
	assert.equal(b.whyNoTime(house, '2026-11-20', { left: 3, full: 1 }), 'dayFull');
});

test('a party that the restaurant takes', () => {
	assert.equal(b.fittingParty(12, house.policies, 30), 8);
	assert.equal(b.fittingParty(1, { partyMin: 2, partyMax: 50 }, 30), 2);
	assert.equal(b.fittingParty(40, { partyMin: 2, partyMax: 50 }, 30), 30);
	assert.deepEqual(
		[0, 1, 8, 9, 2.5, Number.NaN].map((n) => b.takesParty(n, house.policies)),
		[false, true, true, false, false, false],
	);
});

test('days and times that are none', () => {
	assert.deepEqual(['2026-02-29', '2026-2-1', '', null, '2028-02-29'].map(isDay), [
		false,
		false,
		false,
		false,
		true,
	]);
	assert.deepEqual(['30:00', '9:00', '09:60', null, '24:30'].map(isTime), [
		false,
		false,
		false,
		false,
		true,
	]);
});

test('an address asks for one screen', () => {
	const at = (text, managed = false, known = house) =>
		screenAt(new URLSearchParams(text), { managed, house: known });
	const table = 'party=2&date=2026-11-25&time=18:00';
	assert.deepEqual(at(''), { screen: 'choose' });
	assert.deepEqual(at('', true), { screen: 'managed' });
	assert.deepEqual(at('reservation=7&view=my'), { screen: 'reservation', id: 7 });
	assert.deepEqual(at('wait=3'), { screen: 'wait', id: 3 });
	assert.deepEqual(at('view=my'), { screen: 'mine' });
	assert.deepEqual(at(table), { screen: 'details' });
	for (const nonsense of [
		'party=9&date=2026-11-25&time=18:00',
		'party=2&date=2026-13-25&time=18:00',
		'time=18:00',
		'view=x',
		'wait=x',
		'reservation=x',
	])
		assert.deepEqual(at(nonsense), { screen: 'choose' }, nonsense);
	for (const early of [table, 'view=my', 'wait=3'])
		assert.deepEqual(at(early, false, null), { screen: 'nothing' });
	assert.deepEqual(at('party=2', false, null), { screen: 'choose' });
	assert.deepEqual(at('reservation=7', false, null), { screen: 'reservation', id: 7 });
});

test('an address keeps its restaurant, and is inner behind the first screen', () => {
	assert.equal(addressOf({}, new URLSearchParams('party=3')), '/');
	assert.equal(
		addressOf({ party: 2 }, new URLSearchParams('restaurant=4&party=3')),
		'/?party=2&restaurant=4',
	);
	const inner = (text, managed = false) => isInner(new URLSearchParams(text), managed);
	assert.deepEqual(
		[
			inner(''),
			inner('party=2&date=2026-11-25'),
			inner('', true),
			inner('view=my'),
			inner('reservation=1'),
		],
		[false, false, true, true, true],
	);
});

/* ---- nights ---- */

test('a time after midnight is shown as a clock shows it, and is over when it is', () => {
	assert.deepEqual(['23:30', '24:00', '24:30', '29:59'].map(clockTime), [
		'23:30',
		'00:00',
		'00:30',
		'05:59',
	]);
	const slots = [
		{ slotTime: '23:30' },
		{ slotTime: '24:30' },
		{ slotTime: '25:30', leadMinutes: 120 },
	];
	const at = (today, minutes) =>
		b.inTime(slots, '2026-11-18', { today, minutes }, 0).map((s) => s.slotTime);
	assert.deepEqual(at('2026-11-18', 23 * 60), ['23:30', '24:30', '25:30']);
	assert.deepEqual(at('2026-11-19', 15), ['24:30']); /* it is the next day by now */
	assert.deepEqual(at('2026-11-19', 45), []);
	const open = { ...house, policies: { windowDays: 30 }, paused: false };
	assert.equal(b.whyVain(open, '2026-11-18', '24:30', { today: '2026-11-19', minutes: 15 }), null);
	assert.equal(
		b.whyVain(open, '2026-11-18', '24:30', { today: '2026-11-19', minutes: 30 }),
		'timeOver',
	);
});

test('it is the evening before while that is known to last', () => {
	const evening = { today: '2026-11-18', todayUntil: '2026-11-18T17:00:00Z' };
	const ms = Date.parse('2026-11-18T15:45:00Z');
	const clock = { today: '2026-11-19', time: '00:45' };
	assert.deepEqual(eveningAt(clock, evening, ms), { today: '2026-11-18', time: '24:45' });
	assert.deepEqual(eveningAt(clock, evening, Date.parse(evening.todayUntil)), clock);
	assert.deepEqual(eveningAt(clock, null, ms), clock);
	assert.deepEqual(eveningAt(clock, { today: '2026-11-18' }, ms), clock);
});

test('a special day replaces its week, unless it is as its week', () => {
	const of = (...specialDays) => b.spansOf({ ...house, specialDays }, '2026-11-25').length;
	assert.equal(of({ day: '2026-11-25', opens: null, asWeek: true, note: 'x' }), 2);
	assert.equal(of({ day: '2026-11-25', opens: null, asWeek: false }), 0);
	assert.equal(b.noteOf({ specialDays: [{ day: '2026-11-25', note: 'x' }] }, '2026-11-25'), 'x');
	assert.equal(b.spanText([{ opens: '17:30', closes: '26:00' }]), '17:30\u2060–\u206002:00');
});

test('a table is theirs until its end, and a service takes the parties that it says', () => {
	const house = { partyMax: 12, depositPerPerson: 0, tellsEnd: true };
	assert.equal(b.tableUntil(house, '23:30', 120), '01:30');
	assert.equal(b.tableUntil({ ...house, tellsEnd: false }, '19:00', 120), '');
	assert.equal(b.fitsParty({ partyMax: 4 }, 5), false);
	assert.equal(b.fitsParty({}, 5), true);
});
