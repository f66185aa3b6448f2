/*
 * owner.test.mjs - the questions of the owner's pages: days and hours, rules, numbers.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, WWW } from './www.mjs';

const owner = await load('desk/owner.js');

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
	assert.equal(owner.dayState(house, '2026-11-18'), 'open');
	assert.equal(owner.dayState(house, '2026-11-19'), 'shut');
	assert.equal(owner.dayState(house, '2026-11-25'), 'shut');
	assert.equal(owner.dayState(house, '2026-11-26'), 'other');
	assert.equal(owner.dayState({ hours: house.hours }, '2026-11-18'), 'open');
	assert.equal(owner.hoursShown([{ opens: '12:00', closes: '15:00' }, {}]), '12:00–15:00');
	assert.equal(owner.hoursShown([{}]), '');
});

test('a month has its days, and empty cells before them back to Sunday', () => {
	const november = owner.monthOf('2026-11');
	assert.equal(november.lead, 0);
	assert.equal(november.days.length, 30);
	const february = owner.monthOf('2028-02');
	assert.deepEqual([february.lead, february.days.at(-1)], [2, '2028-02-29']);
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
		depositPerPerson: 0,
		depositLargeFrom: 7,
		depositLargePerPerson: 0,
		holdSeconds: 420,
	};
	assert.equal(say('deposit', deposit), 'Confirmed at once, no deposit');
	assert.equal(
		say('deposit', { ...deposit, depositPerPerson: 5000, depositLargePerPerson: 8000 }),
		'2 guests ₩10000 · 7 guests ₩56000 · to be paid within 7 minutes',
	);
});

test('a long time is read in pieces of a month that miss no day', () => {
	assert.deepEqual(owner.pieces('2026-11-18', '2026-11-18'), [
		{ from: '2026-11-18', to: '2026-11-18' },
	]);
	assert.deepEqual(owner.pieces('2026-10-01', '2026-11-01'), [
		{ from: '2026-10-01', to: '2026-10-31' },
		{ from: '2026-11-01', to: '2026-11-01' },
	]);
	assert.deepEqual(owner.pieces('2026-11-02', '2026-11-01'), [
		{ from: '2026-11-02', to: '2026-11-01' },
	]);
});

test('two reports are one: days follow, hours and money add up, the lead is weighed', () => {
	const report = (covers, leadHours, leadParties) => ({
		days: [{ covers, parties: 1, noShows: 1, cancelled: 0 }],
		hours: [{ hour: covers > 5 ? '17' : '18', covers }],
		money: { in: 100, kept: 10 },
		leadHours,
		leadParties,
		seatsOffered: 20,
		rush: { tickets: covers },
	});
	const one = report(4, 10, 4);
	assert.equal(owner.joined(null, one), one);
	const both = owner.joined(one, report(6, 40, 2));
	assert.deepEqual(both.hours, [
		{ hour: '17', covers: 6 },
		{ hour: '18', covers: 4 },
	]);
	assert.deepEqual(both.money, { in: 200, kept: 20 });
	assert.deepEqual([both.leadHours, both.leadParties], [20, 6]);
	assert.deepEqual(owner.sumsOf(both), {
		covers: 10,
		parties: 2,
		noShows: 2,
		cancelled: 0,
		filled: 25,
	});
	assert.equal(owner.sumsOf({ days: [], seatsOffered: 0 }).filled, null);
});

test('desk: no Korean particle hangs on a text that may end in any sound', () => {
	const korean = readFileSync(new URL('desk/words/ko.js', WWW), 'utf8');
	const loose = /\$\{\w+\}(은|는|이|가|을|를|과|와|로|으로)(?![가-힣])/g;
	assert.deepEqual(korean.match(loose), null);
});
