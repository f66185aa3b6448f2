/*
 * evening.test.mjs - the questions of the evening: who is late, who is over time, who has a table,
 * what the list and the timeline are made of, and what a dragged block wishes.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from './www.mjs';

const state = await load('desk/evening/state.js');
const timeline = await load('desk/evening/lanes.js');

/* The evening of one day in Seoul, where it is 19:00. */
const at = (time) => Date.parse(`2026-11-18T${time}:00+09:00`);
const NOW = at('19:00');
let ids = 0;
const party = ({ from = '18:30', to = '20:00', ...more } = {}) => ({
	reservationId: ++ids,
	status: 'CONFIRMED',
	visitStatus: 'PENDING',
	slotTime: from,
	startsAt: new Date(at(from)).toISOString(),
	endsAt: new Date(at(to)).toISOString(),
	partySize: 2,
	tables: [],
	totalAmount: 0,
	paidAmount: 0,
	dueBackAmount: 0,
	changeDue: 0,
	...more,
});

/* The states of core/life.h in their order, which says where the seats are free again. */
test('a reservation holds its seats in the same states as in the book', async () => {
	const life = await readFile(new URL('../../core/life.h', import.meta.url), 'utf8');
	const words = [...life.matchAll(/^\tX\((\w+)\)/gm)].map(([, word]) => word);
	const active = words.slice(0, words.indexOf('EXPIRED'));
	assert.equal(active.length, 4);
	assert.deepEqual(
		words.filter((status) => state.active({ status })),
		active,
	);
	const refund = party({ status: 'REFUND_PENDING', totalAmount: 9000, dueBackAmount: 9000 });
	assert.deepEqual(state.amountsOf(refund), [
		['dueBack', 9000],
	]); /* and none is due from the guest */
});

test('late is who has not come fifteen minutes after the time, and is still expected', () => {
	assert.equal(state.isLate(party({ from: '18:46' }), NOW), false);
	assert.equal(state.isLate(party({ from: '18:45' }), NOW), true);
	for (const visitStatus of ['ARRIVED', 'SEATED', 'LEFT']) {
		assert.equal(state.isLate(party({ from: '18:00', visitStatus }), NOW), false, visitStatus);
	}
	for (const status of ['TEMPORARY', 'CANCELED', 'NO_SHOW', 'EXPIRED']) {
		assert.equal(state.isLate(party({ from: '18:00', status }), NOW), false, status);
	}
	assert.equal(state.isLate(party({ from: '18:00', status: 'PREPAY_CONFIRM' }), NOW), true);
});

test('over time is who sits there beyond the end, by whole minutes', () => {
	const over = (to, more) => state.overBy(party({ to, visitStatus: 'SEATED', ...more }), NOW);
	assert.equal(over('19:00'), 0);
	assert.equal(over('18:53'), 7);
	assert.equal(over('18:53', { visitStatus: 'ARRIVED' }), 0);
	assert.equal(over('18:53', { status: 'COMPLETED' }), 0);
});

test('who says they are late is late that much later; who says here stands at the door', () => {
	const said = party({ from: '18:00', lateMinutes: 20 });
	assert.equal(state.isLate(said, at('18:34')), false);
	assert.equal(state.isLate(said, at('18:35')), true);
	const here = party({ from: '18:00', here: true });
	assert.equal(state.isLate(here, at('19:30')), false);
	const { waiting, late, times } = state.listOf([here, said], at('18:20'));
	assert.deepEqual([waiting, late], [[here], []]);
	assert.deepEqual(
		times.map((group) => group.parties),
		[[said]],
	);
	/* Once they have arrived, what they said is over. */
	assert.equal(state.saysHere(party({ from: '18:00', here: true, visitStatus: 'ARRIVED' })), false);
});

test('a table is free, due, late, taken or over time, or waited for', () => {
	const of = (r) => state.tableState(r, NOW);
	assert.equal(of(undefined), 'free');
	assert.equal(of(party({ from: '18:55' })), 'due');
	assert.equal(of(party({ from: '18:30' })), 'late');
	assert.equal(of(party({ visitStatus: 'ARRIVED' })), 'arrived');
	assert.equal(of(party({ visitStatus: 'SEATED' })), 'taken');
	assert.equal(of(party({ to: '18:50', visitStatus: 'SEATED' })), 'over');
});

test('who sits at a table has it before who is due there; the next comes later', () => {
	const sits = party({ from: '17:00', to: '18:30', visitStatus: 'SEATED', tables: [3] });
	const due = party({ from: '19:00', to: '20:30', tables: [3, 4] });
	const next = party({ from: '20:30', to: '22:00', tables: [3] });
	const gone = party({ from: '18:00', status: 'CANCELED', tables: [3] });
	const rows = [next, gone, due, sits];
	assert.deepEqual(state.tableAt(rows, 3, NOW), { here: sits, next: due }, 'due, and not gone');
	assert.deepEqual(state.tableAt(rows, 4, NOW), { here: due, next: undefined });
	assert.deepEqual(state.tableAt(rows, 5, NOW), { here: undefined, next: undefined });
	const early = party({ from: '19:30', visitStatus: 'SEATED', tables: [4] });
	assert.equal(state.tableAt([...rows, early], 4, NOW).here, early, 'seated before their time');
	const there = party({ from: '20:30', to: '22:00', visitStatus: 'ARRIVED', tables: [5] });
	assert.equal(state.tableAt([there], 5, NOW).here, there, 'came early, and waits');
	assert.equal(state.tableAt([sits, { ...there, tables: [3] }], 3, NOW).here, sits);
	const missed = party({ from: '16:00', to: '17:30', tables: [6] });
	assert.deepEqual(state.tableAt([missed], 6, NOW), { here: undefined, next: undefined });
});

test('a table that is booked within half an hour is not called free', () => {
	const of = (from) => state.tableState(undefined, NOW, party({ from }));
	assert.equal(of('19:30'), 'soon');
	assert.equal(of('19:31'), 'free');
	assert.equal(state.tableState(undefined, NOW), 'free');
});

test('tables that need something come first, and free ones last', () => {
	const tables = [1, 2, 3, 4, 5, 6].map((tableId) => ({ tableId }));
	const rows = [
		party({ visitStatus: 'SEATED', tables: [2] }),
		party({ from: '19:20', to: '20:30', tables: [3] }),
		party({ from: '17:00', to: '18:50', visitStatus: 'SEATED', tables: [4] }),
		party({ from: '19:10', to: '20:30', visitStatus: 'ARRIVED', tables: [5] }),
		party({ from: '19:05', to: '20:30', tables: [6] }),
	];
	assert.deepEqual(
		state.tablesNow(tables, rows, NOW).map((at) => `${at.table.tableId} ${at.state}`),
		['4 over', '5 arrived', '2 taken', '6 soon', '3 soon', '1 free'],
	);
});

test('who has come and is not seated stands on top, who came first before the others', () => {
	const came = (time, more) =>
		party({ visitStatus: 'ARRIVED', arrivedAt: new Date(at(time)).toISOString(), ...more });
	const second = came('18:57');
	const first = came('18:40', { from: '19:30' });
	const sits = party({ visitStatus: 'SEATED' });
	const list = state.listOf([second, sits, first], NOW);
	assert.deepEqual(list.waiting, [first, second]);
	assert.deepEqual(
		list.times.map(({ parties }) => parties),
		[[sits]],
	);
	assert.equal(state.waitedFor(first, NOW + 59999), 20);
	assert.equal(state.waitedFor(first, NOW), 20);
	assert.equal(state.waitedFor(party(), NOW), 0);
});

test('an evening is counted by who is expected, who is here and who was here', () => {
	const rows = [
		party({ partySize: 4 }),
		party({ partySize: 3, visitStatus: 'SEATED' }),
		party({ partySize: 2, visitStatus: 'ARRIVED' }),
		party({ partySize: 5, status: 'COMPLETED', visitStatus: 'LEFT' }),
		party({ partySize: 6, status: 'TEMPORARY' }),
		party({ partySize: 9, status: 'CANCELED' }),
	];
	assert.deepEqual(state.totalsOf(rows), { covers: 20, toCome: 10, here: 5 });
});

test('the list is by time; the late stand apart, and so do the gone', () => {
	const late = party({ from: '18:00' });
	const first = party({ from: '18:50', partySize: 3 });
	const second = party({ from: '18:50' });
	const last = party({ from: '21:00' });
	const gone = party({ status: 'NO_SHOW' });
	const list = state.listOf([last, gone, late, first, second], NOW);
	assert.deepEqual(list.late, [late]);
	assert.deepEqual(list.gone, [gone]);
	assert.deepEqual(list.times, [
		{ time: '18:50', parties: [first, second], people: 5 },
		{ time: '21:00', parties: [last], people: 2 },
	]);
});

test('seats are shown for times that are not over: all of tomorrow, none of yesterday', () => {
	const slots = ['17:00', '18:00', '19:00'].map((slotTime) => ({ slotTime, remaining: 4 }));
	const clock = { today: '2026-11-18', time: '18:59' };
	const times = (date) =>
		state.slotsAhead({ date, slots, house: { slotMinutes: 60 } }, clock).map((s) => s.slotTime);
	assert.deepEqual(times('2026-11-17'), []);
	assert.deepEqual(times('2026-11-18'), ['18:00', '19:00']);
	assert.deepEqual(times('2026-11-19'), ['17:00', '18:00', '19:00']);
});

test('a booking begins with the next time, a wait with the next that is full', () => {
	const slots = [
		{ slotTime: '17:00', remaining: 0 },
		{ slotTime: '19:00', remaining: 3 },
		{ slotTime: '20:00', remaining: 0 },
		{ slotTime: '21:00', remaining: 5 },
	];
	const clock = { today: '2026-11-18', time: '18:00' };
	const of = (date, list = slots) => {
		const day = { date, slots: list };
		return [state.nextTime(day, clock), state.fullTime(day, clock)];
	};
	assert.deepEqual(of('2026-11-18'), ['19:00', '20:00']);
	assert.deepEqual(of('2026-11-19'), ['17:00', '17:00']);
	assert.deepEqual(of('2026-11-17'), ['19:00', '20:00']);
	assert.deepEqual(of('2026-11-18', slots.slice(0, 1)), ['17:00', '17:00']);
	assert.deepEqual(of('2026-11-18', []), [undefined, undefined]);
});

test('each table has a lane, those without one have theirs; at one time they lie in rows', () => {
	const seated = party({ tables: [1, 2] });
	const a = party({ from: '18:00', to: '19:00' });
	const b = party({ from: '18:30', to: '20:00' });
	const c = party({ from: '19:00', to: '20:00' });
	const d = party({ from: '17:00', to: '18:00' });
	const tables = [
		{ name: 'A', tableId: 1 },
		{ name: 'B', tableId: 2 },
	];
	const lanes = timeline.lanesOf(tables, [seated, a, b, c, d], NOW);
	assert.deepEqual(
		lanes.map(({ name, tableId, rows, spots }) => [name, tableId, rows, spots.map((s) => s.r)]),
		[
			['A', 1, 1, [seated]],
			['B', 2, 1, [seated]],
			[undefined, undefined, 2, [d, a, b, c]],
		],
	);
	assert.deepEqual(
		lanes[2].spots.map(({ row }) => row),
		[0, 0, 1, 0],
	);
	assert.deepEqual(timeline.lanesOf([], [], NOW), [{ spots: [], rows: 1 }]);
	assert.equal(timeline.lanesOf(tables, [seated], NOW).length, 2);
});

test('a block lies as it is booked until they sit, and then as it was: early, over, left', () => {
	const iso = (time) => new Date(at(time)).toISOString();
	const spot = (more, now = NOW) => {
		const { minute, minutes } = timeline.spotOf(party(more), now);
		const clock = (m) => new Date(at('00:00') + m * 60000 + 9 * 3600e3).toISOString().slice(11, 16);
		return `${clock(minute)}-${clock(minute + minutes)}`;
	};
	const sits = { visitStatus: 'SEATED' };
	assert.equal(spot({}), '18:30-20:00');
	assert.equal(spot({ visitStatus: 'ARRIVED', arrivedAt: iso('18:10') }), '18:30-20:00');
	assert.equal(spot({ ...sits, seatedAt: iso('18:15') }), '18:15-20:00', 'early');
	assert.equal(spot({ ...sits, seatedAt: iso('18:40') }), '18:40-20:00', 'late');
	assert.equal(spot({ ...sits, seatedAt: iso('18:30') }, at('20:12')), '18:30-20:12', 'over time');
	const gone = { status: 'COMPLETED', visitStatus: 'LEFT', seatedAt: iso('18:32') };
	assert.equal(spot({ ...gone, leftAt: iso('19:10') }, at('22:00')), '18:32-19:10', 'left early');
	assert.equal(spot({ ...gone, leftAt: iso('20:20') }, at('22:00')), '18:32-20:20', 'left late');
	assert.equal(spot({ ...gone, seatedAt: null, leftAt: iso('23:20') }), '18:30-20:00', 'imported');
	assert.equal(spot({ ...gone, leftAt: iso('18:32') }), '18:32-18:37', 'it can be read');
	assert.equal(
		spot({ ...sits, seatedAt: iso('17:00'), from: '17:00', to: '17:30' }, at('23:59')),
		'17:00-23:30',
		'forgotten',
	);
});

test('who sits is moved to another table, never in time; their end is stretched from now', () => {
	const r = party({ from: '18:30', to: '20:00', tables: [1], visitStatus: 'SEATED' });
	const span = { from: 1020, to: 1320 };
	const wish = (place) => timeline.wishOf(r, place);
	assert.equal(wish(timeline.draggedTo(r, { share: 0.1, span, tableId: 0 })), null);
	assert.deepEqual(wish(timeline.draggedTo(r, { share: 0.1, span, tableId: 2 })), {
		tables: [{ tableId: 2 }],
	});
	assert.deepEqual(wish(timeline.tappedTo(r, { share: 0.9, span, tableId: 2 })), {
		tables: [{ tableId: 2 }],
	});
	assert.deepEqual(wish(timeline.stretchedTo(r, { share: 0.05, span, over: 20 })), {
		sittingMinutes: 120,
	});
});

test('the timeline goes from a full hour until the last party leaves, also beyond midnight', () => {
	const slots = [{ slotTime: '17:30' }, { slotTime: '22:00' }];
	const { from, to } = timeline.spanOf(slots, [], 30, NOW);
	assert.deepEqual([from, to], [17 * 60, 22 * 60 + 30]);
	const night = party({ from: '22:30', to: '23:00' });
	night.endsAt = new Date(at('23:00') + 2 * 3600e3).toISOString();
	const span = timeline.spanOf(slots, [night], 30, NOW);
	assert.deepEqual([span.from, span.to], [17 * 60, 25 * 60]);
	/* The night in which Berlin's clocks go back: a stay lies where it began. */
	const early = {
		slotTime: '01:30',
		startsAt: '2026-10-24T23:30:00Z',
		endsAt: '2026-10-25T01:30:00Z',
	};
	const late = {
		slotTime: '20:00',
		startsAt: '2026-10-25T19:00:00Z',
		endsAt: '2026-10-25T21:00:00Z',
	};
	const both = timeline.spanOf([], [early, late], 30, NOW);
	assert.deepEqual([both.from, both.to], [60, 22 * 60]);
	assert.deepEqual([early, late].map(state.lengthOf), [120, 120]);
	assert.deepEqual(timeline.hoursOf({ from: 1020, to: 1110 }), [1020, 1080]);
	assert.equal(timeline.spanOf([], [], 30), null);
});

test('a dragged block moves by quarters of an hour, to another table, or not at all', () => {
	const r = party({ from: '18:30', tables: [1] });
	const span = { from: 1020, to: 1320 }; /* five hours */
	const drop = (minutes, tableId = 0) =>
		timeline.wishOf(r, timeline.draggedTo(r, { share: minutes / 300, span, tableId }));
	assert.equal(drop(7), null);
	assert.equal(drop(7, 1), null);
	assert.deepEqual(drop(8), { slotTime: '18:45', tables: [{ tableId: 1 }] });
	assert.deepEqual(drop(-31), { slotTime: '18:00', tables: [{ tableId: 1 }] });
	assert.deepEqual(drop(0, 2), { tables: [{ tableId: 2 }] });
	assert.deepEqual(drop(30, 2), { slotTime: '19:00', tables: [{ tableId: 2 }] });
	assert.equal(drop(900).slotTime, '29:59');
	const loose = party();
	const later = timeline.draggedTo(loose, { share: 0.1, span, tableId: 0 });
	assert.deepEqual(timeline.wishOf(loose, later), { slotTime: '19:00' });
});

test('a block that is dragged by its end is longer or shorter by quarters of an hour', () => {
	const r = party({ from: '18:30', to: '20:00', tables: [1] });
	const span = { from: 1020, to: 1320 };
	const stretch = (minutes) =>
		timeline.wishOf(r, timeline.stretchedTo(r, { share: minutes / 300, span, tableId: 0 }));
	assert.equal(stretch(5), null);
	assert.deepEqual(stretch(31), { sittingMinutes: 120 });
	assert.deepEqual(stretch(-30), { sittingMinutes: 60 });
	assert.deepEqual(stretch(-300), { sittingMinutes: 15 });
	assert.deepEqual(stretch(6000), { sittingMinutes: 1440 });
});

test('a tap on a lane means its table; beside the block also its quarter of an hour', () => {
	const r = party({ from: '18:30', to: '20:00', tables: [1] });
	const span = { from: 1020, to: 1320 };
	const tap = (time, tableId) => {
		const minute = Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
		const share = (minute - span.from) / 300;
		return timeline.wishOf(r, timeline.tappedTo(r, { share, span, tableId }));
	};
	assert.deepEqual(tap('18:50', 2), { tables: [{ tableId: 2 }] });
	assert.equal(tap('18:50', 1), null);
	assert.deepEqual(tap('20:10', 2), { slotTime: '20:00', tables: [{ tableId: 2 }] });
	assert.deepEqual(tap('18:29', 1), { slotTime: '18:15', tables: [{ tableId: 1 }] });
});

test('the arrow keys move what was picked up, with shift its end, never beyond the tables', () => {
	const tables = [{ tableId: 1 }, { tableId: 2 }];
	const r = party({ from: '18:30', to: '20:00', tables: [1] });
	const step = (keys, longer = false) =>
		timeline.wishOf(
			r,
			keys.reduce((at, key) => timeline.steppedTo(at, key, longer, tables), timeline.placeOf(r)),
		);
	assert.deepEqual(step(['ArrowRight', 'ArrowRight']), {
		slotTime: '19:00',
		tables: [{ tableId: 1 }],
	});
	assert.equal(step(['ArrowRight', 'ArrowLeft']), null);
	assert.deepEqual(step(['ArrowDown', 'ArrowDown']), { tables: [{ tableId: 2 }] });
	assert.equal(step(['ArrowUp']), null);
	assert.deepEqual(step(['ArrowLeft'], true), { sittingMinutes: 75 });
	assert.deepEqual(step(Array(9).fill('ArrowLeft'), true), { sittingMinutes: 15 });
});

test('more money can come for a change, late, or twice; never where none was asked for', () => {
	const may = (more) => state.mayPayAgain(party({ totalAmount: 10000, ...more }));
	assert.equal(may({}), false);
	assert.equal(may({ paidAmount: 10000 }), true);
	assert.equal(may({ status: 'EXPIRED' }), true);
	assert.equal(may({ status: 'CANCELED' }), true);
	assert.equal(may({ status: 'TEMPORARY' }), false);
	assert.equal(may({ changeDue: 5000 }), true);
	assert.equal(may({ status: 'EXPIRED', totalAmount: 0 }), false);
});

test('amounts are named where there are any: paid, to refund, still due, due for a change', () => {
	const of = (more) => state.amountsOf(party(more));
	assert.deepEqual(of({}), []);
	assert.deepEqual(of({ totalAmount: 10000, paidAmount: 4000 }), [
		['paid', 4000],
		['due', 6000],
	]);
	const gone = { status: 'CANCELED', totalAmount: 10000, paidAmount: 10000, dueBackAmount: 5000 };
	assert.deepEqual(of(gone), [
		['kept', 10000],
		['dueBack', 5000],
	]);
	const less = { totalAmount: 5000, paidAmount: 5000, dueBackAmount: 5000 };
	assert.deepEqual(of(less), [
		['kept', 5000],
		['dueBack', 5000],
	]);
	assert.deepEqual(of({ changeDue: 3000 }), [['changeWaits', 3000]]);
});

test('a number is written as it is said, one of another country as it is kept', () => {
	assert.equal(state.phoneText('01020000001'), '010-2000-0001');
	assert.equal(state.phoneText('025550142'), '02-555-0142');
	assert.equal(state.phoneText('0311234567'), '031-123-4567');
	for (const same of ['+493012345678', '112', '']) assert.equal(state.phoneText(same), same);
	assert.equal(state.phoneText(null), '');
});

test('a walk-in without a name has the same name on every tablet', async () => {
	const walkIn = party({ source: 'WALK_IN', guestName: '워크인' });
	assert.equal(state.named(walkIn, 'Walk-in').guestName, 'Walk-in');
	for (const other of [
		{ ...walkIn, guestName: 'Lee' },
		{ ...walkIn, source: 'DESK' },
	])
		assert.equal(state.named(other, 'Walk-in'), other);
	/* They are the words that the box writes. */
	const seat = await readFile(new URL('../../fcgi/api/api_seat.c', import.meta.url), 'utf8');
	const written = [...seat.matchAll(/LANG_KO \? "([^"]+)" : "([^"]+)"/g)];
	assert.equal(written.length, 2);
	for (const guestName of written.flatMap(([, ko, en]) => [ko, en]))
		assert.equal(state.named({ ...walkIn, guestName }, 'X').guestName, 'X');
});

test('who sits without a table is not missing among the tables', () => {
	const here = { visitStatus: 'SEATED' };
	const loose = party(here);
	const rows = [loose, party({ ...here, tables: [1] }), party({ from: '20:00', to: '21:30' })];
	assert.deepEqual(state.withoutTable(rows, NOW), [loose]);
});

test('tables are named as the house names them', () => {
	const day = { tables: [{ tableId: 3, name: 'Window' }] };
	assert.equal(state.tableNames({ tables: [3, 9] }, day), 'Window', 'one is gone since');
	assert.equal(state.tableNames({ tables: [] }, null), '');
});

const block = (from, to, more = {}) => ({
	blockId: 1,
	from,
	to,
	online: true,
	weekly: false,
	tables: [],
	...more,
});
const dayWith = (blocks, times = ['18:00', '20:00']) => ({
	date: '2026-11-18',
	slots: times.map((slotTime) => ({ slotTime })),
	house: { slotMinutes: 60 },
	blocks,
});

test('a block is shown on the evenings that it touches, weekly ones at their own weeks', () => {
	const spans = (...blocks) => state.closuresOf(dayWith(blocks)).map(({ from, to }) => [from, to]);
	assert.deepEqual(spans(block('2026-11-18T18:30', '2026-11-19T02:00')), [[1110, 1560]]);
	assert.deepEqual(spans(block('2026-11-17T18:30', '2026-11-18T02:00')), [], 'the night before');
	assert.deepEqual(spans(block('2026-11-18T21:00', '2026-11-18T22:00')), [], 'after the last time');
	assert.deepEqual(spans(block('2026-10-07T19:00', '2026-10-07T20:00', { weekly: true })), [
		[1140, 1200],
	]);
	assert.deepEqual(
		spans(block('2026-10-08T19:00', '2026-10-08T20:00', { weekly: true })),
		[],
		'Thursdays',
	);
	assert.deepEqual(
		spans(block('2026-11-25T19:00', '2026-11-25T20:00', { weekly: true })),
		[],
		'not begun',
	);
});

test('an evening is shut when nothing of it is left to guests online', () => {
	const clock = (time, today = '2026-11-18') => ({ today, time });
	const shut = (b, ...at) => state.isShut(dayWith([b]), clock(...(at.length ? at : ['19:00'])));
	assert.equal(shut(block('2026-11-18T18:30', '2026-11-18T22:00')), true);
	assert.equal(shut(block('2026-11-18T18:30', '2026-11-18T19:30')), false, '20:00 is left');
	assert.equal(shut(block('2026-11-18T19:30', '2026-11-18T22:00')), false, 'not yet');
	const night = { ...dayWith([], ['18:00', '25:00']), today: '2026-11-18' };
	assert.equal(state.minuteOfEvening(night, clock('00:30', '2026-11-19')), 1470, 'after midnight');
	assert.equal(state.minuteOfEvening(dayWith([]), clock('19:00', '2026-11-19')), null);
	assert.equal(shut(block('2026-11-18T18:30', '2026-11-18T22:00', { tables: [3] })), false);
});

test('a table is closed by its own block, and by the house where nothing at all is taken', () => {
	const closed = (b, id = 3) => Boolean(state.closedAt(dayWith([b]), id, 1140));
	assert.equal(closed(block('2026-11-18T18:30', '2026-11-18T22:00', { tables: [3] })), true);
	assert.equal(closed(block('2026-11-18T18:30', '2026-11-18T22:00', { tables: [3] }), 4), false);
	assert.equal(
		closed(block('2026-11-18T18:30', '2026-11-18T22:00')),
		false,
		'staff seat who walks in',
	);
	assert.equal(closed(block('2026-11-18T18:30', '2026-11-18T22:00', { online: false })), true);
});

test('the printed sheet has who came or is to come, who waits, and lines left blank', async () => {
	const { isTicked, runOf } = await load('desk/evening/runs.js');
	const party = (slotTime, guestName, more = {}) => ({
		slotTime,
		guestName,
		partySize: 2,
		status: 'CONFIRMED',
		visitStatus: 'PENDING',
		...more,
	});
	const run = runOf({
		reservations: [
			party('24:30', 'Night'),
			party('19:00', 'Zoe'),
			party('19:00', 'Ada', { visitStatus: 'SEATED', partySize: 5 }),
			party('18:00', 'Left', { status: 'COMPLETED', visitStatus: 'LEFT' }),
			party('18:00', 'Gone', { status: 'CANCELED' }),
			party('18:00', 'Never', { status: 'NO_SHOW' }),
			party('19:00', 'Zoe', { status: 'TEMPORARY', changeOf: 7 }),
		],
		waitlist: [
			{ slotTime: '20:00', rank: 2 },
			{ slotTime: '20:00', rank: 1 },
			{ slotTime: '19:00', rank: 1 },
		],
	});
	const names = run.parties.map((r) => r.guestName);
	assert.deepEqual(names, ['Left', 'Ada', 'Zoe', 'Night']);
	assert.equal(run.guests, 11);
	assert.deepEqual(run.parties.map(isTicked), [true, true, false, false]);
	assert.deepEqual(
		run.waits.map((w) => [w.slotTime, w.rank]),
		[
			['19:00', 1],
			['20:00', 1],
			['20:00', 2],
		],
	);
	assert.ok(run.blank > 0);
	assert.ok(runOf({ reservations: [] }).blank > run.blank, 'an empty evening is a form to fill in');
});

/* ---- why a place cannot be had ---- */

const reasons = await load('desk/acts/reasons.js');
const clock = (iso) => iso.slice(11, 16);

test('a refusal is a sentence for each thing in the way, and who sits there is named once', () => {
	const from = '2026-11-18T19:00:00Z';
	const until = '2026-11-18T20:30:00Z';
	const taken = { kind: 'TABLE_TAKEN', tableId: 4, tableName: '4', guestName: 'Lee', from, until };
	const sits = { guestName: 'Kim', partySize: 2, tableName: '3', seatedAt: from, reservationId: 8 };
	const body = {
		reasons: [
			{ kind: 'TABLE_TOO_SMALL', tableName: '4', seats: 2 },
			{ ...taken, reservationId: 7 },
			{ ...taken, reservationId: 8 },
			{ kind: 'BLOCKED', tableName: '4', until, blockReason: 'broken' },
			{ kind: 'BLOCKED', until },
			{ kind: 'STARTS', seats: 0 },
			{ kind: 'PRESENT', seats: 3 },
			{ kind: 'NO_TABLE' },
		],
		takenBy: [sits],
	};
	assert.deepEqual(reasons.sentencesOf(body, clock), [
		['why.sits', 'Kim', 2, '3', '19:00'],
		['why.small', '4', 2],
		['why.taken', '4', 'Lee', '19:00', '20:30'],
		['why.tableBlocked', '4', '20:30', 'broken'],
		['why.blocked', '20:30', ''],
		['why.starts', 0],
		['why.present', 3],
		['why.noTable'],
	]);
	assert.deepEqual(reasons.sentencesOf({}, clock), []);
});

test('a swap is offered with the one party in the way that has other tables', () => {
	const r = party({ tables: [1], slotDate: '2026-11-18' });
	const other = party({ tables: [3], slotDate: '2026-11-18' });
	const same = party({ tables: [1], slotDate: '2026-11-18' });
	const six = party({ tables: [4], slotDate: '2026-11-18', partySize: 6 });
	const joined = party({ tables: [5, 6], slotDate: '2026-11-18', partySize: 6 });
	const tables = [1, 3, 5, 6].map((tableId) => ({ tableId, seatsMax: 4 }));
	const day = { tables: [...tables, { tableId: 4, seatsMax: 8 }], reservations: [] };
	day.reservations.push(r, other, same, six, joined);
	const by = (...list) => ({ reasons: list.map(({ reservationId }) => ({ reservationId })) });
	assert.equal(reasons.swapOf(r, by(other), day), other);
	assert.equal(reasons.swapOf(r, by(same), day), undefined);
	assert.equal(reasons.swapOf(r, by(other, same), day), undefined);
	assert.equal(reasons.swapOf(undefined, by(other), day), undefined);
	assert.equal(reasons.swapOf({ ...r, tables: [] }, by(other), day), undefined);
	assert.equal(reasons.swapOf(r, by(six), day), undefined, 'six at a table of four');
	assert.equal(reasons.swapOf(six, by(r), day), undefined, 'seen from the other side');
	assert.equal(reasons.swapOf(six, by(joined), day), joined, 'of joined tables the box knows');
});

test('who may sit until a time may so also when they have thought about it for a minute', () => {
	assert.equal(reasons.minutesLeft('18:07', '19:30'), 83);
	assert.equal(reasons.minutesLeft('18:09', '19:30'), 81);
	assert.equal(reasons.minutesLeft('23:50', '00:20'), 30);
	assert.equal(reasons.minutesLeft('19:31', '19:30'), 0);
});

test('a table is taken for as long as a party of that service stays, not for one slot', () => {
	const slots = [
		{ slotTime: '12:00', sittingMinutes: 60 },
		{ slotTime: '18:00', sittingMinutes: 120 },
	];
	const day = { slots, house: { slotMinutes: 30 } };
	assert.equal(state.sittingAt(day, 18 * 60 + 10), 120);
	assert.equal(state.sittingAt(day, 13 * 60), 60);
	assert.equal(state.sittingAt(day, 9 * 60), 60, 'before the first');
	assert.equal(state.sittingAt({ ...day, slots: [] }, 600), 30);
});

test('beyond the seats is people and small tables, never a table that another party has', () => {
	const of = (...kinds) => reasons.couldOverbook({ reasons: kinds.map((kind) => ({ kind })) });
	assert.equal(of('TABLE_TAKEN'), false);
	assert.equal(of('BLOCKED'), false);
	assert.equal(of(), false);
	for (const kind of ['STARTS', 'PRESENT', 'NO_TABLE', 'TABLE_TOO_SMALL'])
		assert.ok(of(kind), kind);
});

test('who sits beside whom is said of both, as long as both sit there', () => {
	const a = party({ tables: [3], visitStatus: 'SEATED' });
	const b = party({ tables: [3, 4], visitStatus: 'SEATED' });
	const comes = party({ tables: [3] });
	const left = party({ tables: [3], visitStatus: 'LEFT', status: 'COMPLETED' });
	const rows = [a, b, comes, left];
	assert.deepEqual(state.besideOf(a, rows), [b]);
	assert.deepEqual(state.besideOf(b, rows), [a]);
	assert.deepEqual(state.besideOf(comes, rows), []);
	assert.deepEqual(state.besideOf(left, rows), []);
});

test('a block ends when those who come last have gone, also after midnight', () => {
	const house = { slotMinutes: 30 };
	const day = (...slots) => ({ house, slots });
	assert.equal(state.eveningEnd(day({ slotTime: '21:30', sittingMinutes: 90 })), '23:00');
	assert.equal(state.eveningEnd(day({ slotTime: '12:00' }, { slotTime: '23:30' })), '00:00');
	assert.equal(state.eveningEnd(day({ slotTime: '25:00', sittingMinutes: 120 })), '03:00');
	assert.equal(state.eveningEnd(day()), '00:00');
	assert.equal(state.blockEnd('15:00', '14:00'), '15:00');
	assert.equal(state.blockEnd('15:00', '18:00'), '00:00', 'not until the next afternoon');
	assert.equal(state.blockEnd('02:00', '18:00'), '02:00');
	assert.equal(state.blockEnd('02:00', '03:00'), '00:00');
});
