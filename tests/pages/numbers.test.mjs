/*
 * numbers.test.mjs - the questions of the owner's numbers: spans, what changed since, plots.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './www.mjs';

const figures = await load('desk/numbers/figures.js');

const day = (date, covers = 0, more = {}) => ({
	date,
	open: true,
	covers,
	parties: covers ? 1 : 0,
	noShows: 0,
	cancelled: 0,
	...more,
});
const report = (more = {}) => ({
	firstDate: '2026-01-01',
	days: [day('2026-11-01', 4)],
	hours: [{ weekday: 7, hour: 18, parties: 1, covers: 4 }],
	begun: 1,
	sources: [{ source: 'WEB', parties: 1, covers: 4 }],
	leads: [{ days: 0, parties: 1 }, { parties: 0 }],
	guests: { first: 1, again: 0, unknown: 0 },
	money: { in: 100, kept: 90, returned: 0, dueBack: 10 },
	...more,
});

test('a span is whole weeks up to today, and the one before it is as long', () => {
	const weeks = figures.spanTo('2026-11-18', figures.SPANS.weeks);
	assert.deepEqual(weeks, { from: '2026-10-22', to: '2026-11-18' });
	assert.deepEqual(figures.before(weeks), { from: '2026-09-24', to: '2026-10-21' });
	assert.equal(figures.nameOf(weeks, '2026-11-18'), 'weeks');
	assert.equal(figures.nameOf(weeks, '2026-11-19'), null);
	assert.equal(figures.nameOf({ from: '2026-11-02', to: '2026-11-18' }, '2026-11-18'), null);
	for (const days of Object.values(figures.SPANS)) assert.equal(days % 7, 0);
	assert.equal(figures.daysOf({ from: '2028-02-28', to: '2028-03-01' }), 3);
	assert.deepEqual(figures.before({ from: '2026-03-01', to: '2026-03-01' }), {
		from: '2026-02-28',
		to: '2026-02-28',
	});
});

test('a long time is read in pieces of a month that miss no day', () => {
	const one = { from: '2026-11-18', to: '2026-11-18' };
	assert.deepEqual(figures.pieces(one), [one]);
	assert.deepEqual(figures.pieces({ from: '2026-10-01', to: '2026-11-01' }), [
		{ from: '2026-10-01', to: '2026-10-31' },
		{ from: '2026-11-01', to: '2026-11-01' },
	]);
	const wrong = { from: '2026-11-02', to: '2026-11-01' };
	assert.deepEqual(figures.pieces(wrong), [wrong]); /* the box says what is wrong with it */
});

test('two reports are one: days follow, everything else adds up', () => {
	const one = report();
	assert.equal(figures.joined(null, one), one);
	const both = figures.joined(
		one,
		report({
			days: [day('2026-11-02', 6)],
			hours: [
				{ weekday: 1, hour: 12, parties: 1, covers: 1 },
				{ weekday: 7, hour: 18, parties: 1, covers: 5 },
			],
			leads: [{ days: 0, parties: 2 }, { parties: 3 }],
		}),
	);
	assert.deepEqual(
		both.days.map((d) => d.covers),
		[4, 6],
	);
	assert.deepEqual(both.hours, [
		{ weekday: 7, hour: 18, parties: 2, covers: 9 },
		{ weekday: 1, hour: 12, parties: 1, covers: 1 },
	]);
	assert.deepEqual(both.leads, [{ days: 0, parties: 3 }, { parties: 3 }]);
	assert.deepEqual(both.sources, [{ source: 'WEB', parties: 2, covers: 8 }]);
	assert.deepEqual(both.guests, { first: 2, again: 0, unknown: 0 });
	assert.deepEqual(both.money, { in: 200, kept: 180, returned: 0, dueBack: 20 });
	assert.equal(both.begun, 2);
	assert.equal(one.hours[0].covers, 4, 'what was read stays as it was');
});

test('a no-show rate is of those who were to come, a cancellation rate of all bookings', () => {
	const sums = figures.sumsOf(
		report({
			days: [day('2026-11-01', 8, { parties: 12, noShows: 2, cancelled: 6 })],
			begun: 8 /* four parties are still to come: nobody knows yet */,
		}),
	);
	assert.deepEqual(
		[sums.expected, sums.noShowRate, sums.booked, sums.cancelRate],
		[10, 20, 20, 30],
	);
	const nothing = figures.sumsOf(report({ days: [day('2026-11-01')], begun: 0 }));
	assert.deepEqual([nothing.noShowRate, nothing.cancelRate], [null, null]);
});

test('a change is said in percent of what was before', () => {
	assert.deepEqual(figures.changeOf(112, 100), { word: 'more', percent: 12 });
	assert.deepEqual(figures.changeOf(75, 100), { word: 'less', percent: 25 });
	assert.deepEqual(figures.changeOf(0, 100), { word: 'less', percent: 100 });
	assert.deepEqual(figures.changeOf(5, 0), { word: 'none', percent: 0 });
	assert.deepEqual(figures.changeOf(0, 0), { word: 'same', percent: 0 });
	assert.deepEqual(figures.changeOf(1001, 1000), { word: 'same', percent: 0 });
	assert.equal(figures.isKnown(report(), { from: '2026-01-01' }), true);
	assert.equal(figures.isKnown(report(), { from: '2025-12-31' }), false);
	assert.equal(figures.isKnown(report({ firstDate: null }), { from: '2026-01-01' }), false);
});

test('a bar is a day, a week or a month, every day is in one, and a closed one is a gap', () => {
	const daysFrom = (n) =>
		Array.from({ length: n }, (_, i) => {
			const date = new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10);
			return day(date, 2, { open: i % 7 !== 0, covers: i % 7 === 0 ? 0 : 2 });
		});
	for (const [n, unit, count] of [
		[1, 'day', 1],
		[28, 'day', 28],
		[91, 'week', 13],
		[364, 'week', 52],
		[800, 'month', 27],
	]) {
		const days = daysFrom(n);
		const { unit: is, bars } = figures.barsOf({ days });
		assert.deepEqual([is, bars.length], [unit, count], `${n} days`);
		assert.equal(
			bars.reduce((sum, bar) => sum + bar.count, 0),
			days.reduce((sum, d) => sum + d.covers, 0),
		);
		assert.deepEqual([bars[0].from, bars.at(-1).to], [days[0].date, days.at(-1).date]);
	}
	const { bars } = figures.barsOf({ days: daysFrom(14) });
	assert.deepEqual(
		bars.map((bar) => bar.closed),
		bars.map((_, i) => i % 7 === 0),
	);
	/* A day that is closed by today's hours, but had guests then, was open. */
	const then = figures.barsOf({ days: [day('2026-11-01', 3, { open: false })] });
	assert.equal(then.bars[0].closed, false);
});

test('a date stands below the first day of each week, a month below the first week of each', () => {
	const days = Array.from({ length: 14 }, (_, i) => ({
		from: `2026-11-${String(i + 2).padStart(2, '0')}`,
	}));
	const marks = figures.marksOf({ unit: 'day', bars: days }, 1); /* the 2nd is a Monday */
	assert.deepEqual(
		marks.flatMap((mark, i) => (mark ? [i] : [])),
		[0, 7],
	);
	const weeks = ['2026-10-25', '2026-11-01', '2026-11-08'].map((to) => ({ to }));
	assert.deepEqual(figures.marksOf({ unit: 'week', bars: weeks }, 1), [false, true, false]);
});

test('an axis ends with a round number that no bar passes', () => {
	assert.equal(figures.roundTop([]), 2);
	assert.equal(figures.roundTop([1]), 2);
	assert.equal(figures.roundTop([3]), 4);
	assert.equal(figures.roundTop([37, 5]), 40);
	assert.equal(figures.roundTop([41]), 50);
	assert.equal(figures.roundTop([51]), 100);
	for (let n = 1; n < 5000; n += 7) assert.ok(figures.roundTop([n]) >= n);
});

test('an hour of the week is an average over the days that were open', () => {
	const weekdays = [1, 2, 3, 4, 5, 6, 7];
	const days = ['02', '03', '09', '10'].map((d) => day(`2026-11-${d}`));
	days[2].open = false; /* the second Monday */
	const week = figures.weekOf(
		{
			days,
			hours: [
				{ weekday: 1, hour: 18, covers: 12 },
				{ weekday: 2, hour: 20, covers: 5 },
			],
		},
		weekdays,
	);
	assert.deepEqual(
		week.map((row) => row.hour),
		[18, 19, 20],
	);
	assert.deepEqual(week[0].cells[0], { average: 12, level: 5 });
	assert.deepEqual(week[2].cells[1], { average: 2.5, level: 2 });
	assert.deepEqual(week[0].cells[1], { average: 0, level: 0 });
	assert.equal(week[0].cells[2], null, 'never open on Wednesdays');
	assert.deepEqual(figures.busiest(week, weekdays), { weekday: 1, hour: 18, average: 12 });
	assert.deepEqual(figures.weekOf({ days, hours: [] }, weekdays), []);
	assert.equal(figures.busiest([], weekdays), null);
});

test('shares are of all parties, and half of them book within so many days', () => {
	assert.deepEqual(
		figures.sharesOf([
			{ source: 'WEB', parties: 3 },
			{ source: 'DESK', parties: 0 },
			{ source: 'WALK_IN', parties: 1 },
		]),
		[
			{ source: 'WEB', parties: 3, share: 75 },
			{ source: 'WALK_IN', parties: 1, share: 25 },
		],
	);
	assert.deepEqual(figures.sharesOf([{ parties: 0 }]), []);
	const leads = [{ days: 0, parties: 2 }, { days: 1, parties: 3 }, { parties: 5 }];
	assert.equal(figures.halfWithin(leads), 1);
	assert.equal(figures.halfWithin([{ days: 0, parties: 1 }, { parties: 5 }]), null);
	assert.equal(figures.halfWithin([{ days: 0, parties: 0 }]), null);
	assert.deepEqual(
		figures.guestRows({ guests: { first: 1, again: 2, unknown: 3 } }).map((row) => row.parties),
		[1, 2, 3],
	);
});
