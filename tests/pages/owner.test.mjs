/*
 * owner.test.mjs - the questions of the owner's pages: days and hours, rules, openings.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, WWW } from './www.mjs';

const owner = await load('desk/owner.js');
const days = await load('desk/settings/days.js');

test('hours are found as a meal, unless they are more than one', () => {
	assert.equal(owner.mealOf('07:00', '10:00'), 'breakfast');
	assert.equal(owner.mealOf('11:30', '15:00'), 'lunch');
	assert.equal(owner.mealOf('17:00', '22:00'), 'dinner');
	assert.equal(owner.mealOf('11:00', '22:00'), '');
});

test('a day is open by its week, closed, or other than its week', () => {
	const house = {
		hours: [{ weekday: 3, opens: '17:00', closes: '22:00' }],
		specialDays: [{ day: '2026-11-25' }, { day: '2026-11-26', opens: '12:00', closes: '15:00' }],
	};
	assert.equal(days.dayState(house, '2026-11-18'), 'open');
	assert.equal(days.dayState(house, '2026-11-19'), 'shut');
	assert.equal(days.dayState(house, '2026-11-25'), 'shut');
	assert.equal(days.dayState(house, '2026-11-26'), 'other');
	assert.equal(days.dayState({ hours: house.hours }, '2026-11-18'), 'open');
	assert.equal(days.hoursShown([{ opens: '12:00', closes: '15:00' }, {}]), '12:00–15:00');
	assert.equal(days.hoursShown([{}]), '');
});

test('a month has its days, and empty cells before them back to Sunday', () => {
	const november = days.monthOf('2026-11');
	assert.equal(november.lead, 0);
	assert.equal(november.days.length, 30);
	const february = days.monthOf('2028-02');
	assert.deepEqual([february.lead, february.days.at(-1)], [2, '2028-02-29']);
});

test("a month begins with the first day of the house's week", () => {
	assert.equal(days.monthOf('2026-11', 1).lead, 6); /* the 1st is a Sunday */
	assert.equal(days.monthOf('2026-11', 7).lead, 0);
	assert.equal(days.monthOf('2026-11', 6).lead, 1);
});

test('every day becomes as Monday, or as the first day that is open', () => {
	const monday = [
		{ weekday: 1, opens: '11:30', closes: '14:30' },
		{ weekday: 1, opens: '17:00', closes: '22:00', partyMax: 4 },
	];
	const { from, rows } = owner.sameEveryDay([
		...monday,
		{ weekday: 6, opens: '12:00', closes: '23:00' },
	]);
	assert.equal(from, 1);
	assert.equal(rows.length, 14);
	assert.deepEqual(
		rows.filter((row) => row.weekday === 7),
		monday.map((row) => ({ ...row, weekday: 7 })),
	);
	assert.equal(owner.sameServices(rows).length, 2);
	assert.equal(owner.sameEveryDay(rows), null, 'it is so already');
	assert.equal(owner.sameEveryDay([]), null);
	const tuesday = [{ weekday: 2, opens: '17:00', closes: '22:00' }];
	assert.deepEqual(
		[owner.sameEveryDay(tuesday).from, owner.sameEveryDay(tuesday).rows.length],
		[2, 7],
	);
});

test('an amount stands in a field with the digits of its currency, and comes back', () => {
	assert.equal(owner.typedOf(1950, 2), '19.50');
	assert.equal(owner.typedOf(20000, 0), '20000');
	assert.equal(owner.typedOf(5, 3), '0.005');
	assert.equal(owner.amountOf('19.5', 2), 1950);
	assert.equal(owner.amountOf('1.005', 3), 1005);
	for (let n = 0; n < 5000; n++)
		for (const digits of [0, 2, 3])
			assert.equal(owner.amountOf(owner.typedOf(n, digits), digits), n);
	assert.equal(owner.amountOf(owner.typedOf(999999999, 2), 2), 999999999);
	const shown = owner.shownAs(
		{ name: 'depositPerPerson', value: 750, min: 0, max: 1000000000, money: true },
		2,
	);
	assert.deepEqual(
		[shown.value, shown.step, shown.max, shown.kept('7.50')],
		['7.50', '0.01', 10000000, 750],
	);
});

test('a day ends at midnight of the restaurant, wherever it is', () => {
	const end = (zone) => new Date(owner.endOfDay('2026-11-18', zone)).toISOString();
	assert.equal(end('Asia/Seoul'), '2026-11-18T15:00:00.000Z');
	assert.equal(end('Etc/GMT'), '2026-11-19T00:00:00.000Z');
	assert.equal(end('America/New_York'), '2026-11-19T05:00:00.000Z');
});

test('every rule of a card has its words, in every language', async () => {
	const names = Object.values(owner.GROUPS).flat();
	assert.deepEqual(names, [...new Set(names)]);
	for (const code of ['ko', 'en']) {
		const { words } = await load(`desk/words/${code}.js`);
		assert.deepEqual(Object.keys(words.rules).sort(), [...names].sort(), code);
		assert.deepEqual(Object.keys(words.groups), Object.keys(owner.GROUPS), code);
		for (const [name, choices] of Object.entries(owner.CHOICES)) {
			assert.ok(names.includes(name));
			for (const word of choices) assert.ok(words.choice[word], `${code} ${word}`);
		}
		for (const group of Object.keys(owner.SEEN)) {
			assert.equal(typeof words.groups[group].seen, 'function', `${code} ${group}`);
		}
	}
});

test('seconds are shown in minutes, and what was not touched stays as it was', () => {
	const hold = { name: 'holdSeconds', value: 415, min: 30, max: 86400 };
	const { value, min, max, kept } = owner.shownAs(hold);
	assert.deepEqual([value, min, max], [7, 1, 1440]);
	assert.equal(kept('7'), 415);
	assert.equal(kept('20'), 1200);
	const seats = owner.shownAs({ name: 'seats', value: 20, min: 0, max: 10000 });
	assert.deepEqual([seats.value, seats.max, seats.kept('21')], [20, 10000, 21]);
	assert.equal(owner.shownAs({ ...hold, value: 10 }).value, 1);
});

test('what guests see is made of the values in the fields', async () => {
	const { words } = await load('desk/words/en.js');
	const sum = (n) => `₩${n}`;
	const say = (group, values) => words.groups[group].seen(owner.SEEN[group](values, sum));
	const times = { slotMinutes: 30, sittingMinutes: 0, sittingLargeFrom: 7, sittingLargeMinutes: 0 };
	assert.match(say('times', times), /18:00, 18:30, 19:00 ….* until 18:30\)$/);
	assert.match(say('times', { ...times, sittingLargeMinutes: 150 }), /7 guests on until 20:30/);
	const deposit = {
		depositFrom: 1,
		depositPerPerson: 0,
		depositLargeFrom: 7,
		depositLargePerPerson: 0,
		holdSeconds: 420,
	};
	assert.equal(say('deposit', deposit), 'Confirmed at once, no deposit');
	assert.match(
		say('deposit', { ...deposit, depositFrom: 4, depositPerPerson: 5000 }),
		/^4 guests ₩20000 · 7 guests/,
	);
	assert.equal(
		say('deposit', { ...deposit, depositPerPerson: 5000, depositLargePerPerson: 8000 }),
		'2 guests ₩10000 · 7 guests ₩56000 · to be paid within 7 minutes',
	);
	/* A service or a day may ask for a deposit where the house asks for none. */
	for (const house of [
		{ hours: [{ opens: '17:30', depositPerPerson: 750 }] },
		{ specialDays: [{ day: '2026-12-24', depositLargePerPerson: 750 }] },
	]) {
		const parts = owner.SEEN.deposit(deposit, sum, 1, house);
		assert.match(words.groups.deposit.seen(parts), /no deposit, but for services and days/);
	}
	assert.equal(
		owner.hasOwnDeposits({ hours: [{ depositPerPerson: 0 }], specialDays: [{}] }),
		false,
	);
});

test('the largest party online sits at one table, or at joined ones for everybody', () => {
	const [two, six] = [
		{ name: '1', seatsMax: 2, openTo: 'ONLINE' },
		{ name: '2', seatsMax: 6, openTo: 'STAFF' },
	];
	const join = { tables: [{ name: '1' }, { name: '2' }], seatsMax: 8 };
	assert.equal(owner.largestOnline([two, six], [join]), 2);
	assert.equal(owner.largestOnline([two, { ...six, openTo: 'ONLINE' }], [join]), 8);
	assert.equal(owner.largestOnline([], []), 0);
});

test('desk: no Korean particle hangs on a text that may end in any sound', () => {
	const korean = readFileSync(new URL('desk/words/ko.js', WWW), 'utf8');
	const loose = /\$\{\w+\}(은|는|이|가|을|를|과|와|로|으로)(?![가-힣])/g;
	assert.deepEqual(korean.match(loose), null);
});

test('requests of each second are bars, several seconds in one where there are many', () => {
	assert.deepEqual(owner.arrivalBars([3, 0, 1]), [
		{ name: '0 s', mark: '0', count: 3 },
		{ name: '1 s', mark: '1', count: 0 },
		{ name: '2 s', mark: '2', count: 1 },
	]);
	const many = owner.arrivalBars(Array(600).fill(1));
	assert.equal(many.length, 40);
	assert.equal(
		many.reduce((n, row) => n + row.count, 0),
		600,
	);
	assert.deepEqual(owner.arrivalBars([]), []);
	assert.equal(owner.secondsText(8400), '8.4');
	assert.equal(owner.secondsText(61000), '61');
});

test('services that differ by their weekday alone are one row, and so are special days', () => {
	const dinner = { opens: '17:30', closes: '26:00', label: 'dinner', reservationLimit: 6 };
	const lunch = { opens: '11:30', closes: '14:30', label: 'lunch' };
	const rows = [1, 2, 3].flatMap((weekday) => [
		{ weekday, ...dinner },
		{ weekday, ...lunch },
	]);
	const same = owner.sameServices(rows);
	assert.deepEqual(
		same.map((s) => [s.label, s.weekdays]),
		[
			['dinner', [1, 2, 3]],
			['lunch', [1, 2, 3]],
		],
	);
	const special = ['2026-12-24', '2026-12-25', '2026-12-27'].map((day) => ({
		day,
		opens: null,
		note: 'x',
		asWeek: false,
	}));
	assert.deepEqual(
		days.rangesOf(special).map(({ from, to }) => [from, to]),
		[
			['2026-12-24', '2026-12-25'],
			['2026-12-27', '2026-12-27'],
		],
	);
	assert.equal(days.specialKind([{ asWeek: true }]), 'asWeek');
	assert.equal(days.specialKind([{ opens: '18:00' }]), 'ownHours');
	assert.equal(days.specialKind([{}]), 'closedDay');
	const house = {
		hours: [{ weekday: 4, ...lunch }],
		specialDays: [{ day: '2026-12-25', ...dinner }],
	};
	assert.deepEqual(days.servicesOf(house, '2026-12-24'), [lunch]);
	assert.deepEqual(days.servicesOf(house, '2026-12-25'), [dinner]);
	assert.deepEqual(owner.weekdaysFrom(7), [7, 1, 2, 3, 4, 5, 6]);
});

test('a range of special days is saved, is one kind or several, and comes back as it was', () => {
	const on = (from, to, more) => ({ from, to, ...more });
	const closed = on('2026-12-24', '2026-12-25', { closed: true, note: 'Merry' });
	const dinner = { opens: '17:00', closes: '26:00', label: 'dinner', depositPerPerson: 500 };
	const lunch = { opens: '11:30', closes: '14:00', label: 'lunch' };
	const own = on('2026-12-26', '2026-12-26', { services: [lunch, dinner] });
	const asWeek = on('2026-12-27', '2026-12-28', { asWeek: true, depositPerPerson: 0 });
	const book = [closed, own, asWeek].reduce(days.rowsAfter, []);
	assert.equal(book.length, 6);
	const ranges = days.rangesOf(book);
	assert.deepEqual(
		ranges.map(({ from, to }) => [from, to]),
		[closed, own, asWeek].map(({ from, to }) => [from, to]),
	);
	assert.deepEqual(ranges.map(days.wishOfRange), [closed, own, asWeek]);
	const kind = (from, to) => days.isOneKind(book, { from, to });
	assert.ok(kind('2026-12-24', '2026-12-25'));
	assert.ok(kind('2026-12-20', '2026-12-23'), 'none of them is special');
	assert.ok(!kind('2026-12-24', '2026-12-26') && !kind('2026-12-23', '2026-12-24'));
	assert.ok(!kind('2026-12-28', '2026-12-29'));
	/* a row of the box and one that was made here say the same in other orders */
	const boxes = [{ asWeek: false, note: 'Merry', opens: null, day: '2026-12-23' }];
	assert.equal(days.rangesOf([...boxes, ...book])[0].to, '2026-12-25');
	/* to have none of it again */
	assert.equal(days.rowsAfter(book, on('2026-12-24', '2026-12-28')).length, 0);
});
