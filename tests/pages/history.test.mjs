/*
 * history.test.mjs - histories are sentences: of the house and of a reservation, in every language,
 * rows of earlier versions too.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './www.mjs';

const { byDay, tellHouse, tellReservation, whoOf } = await load('desk/history/sentences.js');
const words = {
	en: (await load('desk/words/en.js')).words,
	ko: (await load('desk/words/ko.js')).words,
};

/* As i18n.js: a name that has no words is itself. */
function sayIn(code) {
	const t = (name, ...args) => {
		const text = name.split('.').reduce((from, part) => from?.[part], words[code]);
		return typeof text === 'function' ? text(...args) : (text ?? name);
	};
	return {
		t,
		money: (n, { currency, currencyDigits = 0 }) => `${currency} ${n / 10 ** currencyDigits}`,
		day: (date) => date.slice(5),
		moment: (iso) => `<${iso.slice(0, 16)}>`,
		country: (code) => `[${code}]`,
	};
}

const say = sayIn('en');
const jonas = { kind: 'STAFF', name: 'Jonas' };
const act = (changes, more = {}) => ({
	at: '2026-11-18T10:42:00Z',
	by: jonas,
	act: '',
	currency: 'KRW',
	currencyDigits: 0,
	changes: changes.map((c) => ({ from: null, to: null, ...c })),
	...more,
});
const house = (of, ...changes) => tellHouse(act(changes, { act: of }), say).lines;
const done = (...changes) => tellReservation(act(changes), say, { currencyDigits: 0 });

test('who acted has a name, or is a guest, a forgotten one, or the box itself', () => {
	assert.equal(whoOf(jonas, say), 'Jonas');
	assert.equal(whoOf({ kind: 'GUEST', name: 'Müller' }, say), 'The guest');
	assert.equal(whoOf({ kind: 'FORGOTTEN' }, say), 'A guest who was forgotten');
	assert.equal(whoOf({ kind: 'KEEPER' }, say), 'jari');
});

test('settings are named as on their cards, with values as they are read', () => {
	assert.deepEqual(
		house(
			'settings',
			{ what: 'depositPerPerson', from: 5000, to: 7000 },
			{ what: 'waitlistSkip', from: 0, to: 1 },
			{ what: 'holdSeconds', from: 420, to: 600 },
			{ what: 'pausedUntil', to: '2026-11-17T23:00:00Z' },
			{ what: 'phone', from: '02-1' },
		),
		[
			'Telephone: 02-1 → none',
			'Online bookings paused until: <2026-11-17T23:00>',
			'Wait for the payment (minutes): 7 min → 10 min',
			'Offer too few seats to the next: off → on',
			'Deposit per guest: KRW 5000 → KRW 7000',
		],
	);
});

test('another currency keeps its numbers; amounts before it are in the one of their day', () => {
	const lines = house(
		'settings',
		{ what: 'currency', from: 'KRW', to: 'EUR' },
		{ what: 'depositPerPerson', from: 5000, to: 500000 },
	);
	assert.deepEqual(lines, ['Currency: KRW → EUR']);
	const euros = act([{ what: 'depositPerPerson', from: 0, to: 1950 }], {
		act: 'settings',
		currency: 'EUR',
		currencyDigits: 2,
	});
	assert.deepEqual(tellHouse(euros, say).lines, ['Deposit per guest: EUR 0 → EUR 19.5']);
});

test('hours name their service, pass midnight, and say a weekday list once', () => {
	const from = { opens: '17:30', closes: '23:00', label: 'dinner' };
	const to = { opens: '17:30', closes: '25:00', label: 'dinner' };
	const of = (weekday) => ({ what: 'hours', from: { weekday, ...from }, to: { weekday, ...to } });
	assert.deepEqual(house('hours', of(6)), ['Sat Dinner: 17:30–23:00 → 17:30–01:00']);
	const both = ['Sat, Sun Dinner: 17:30–23:00 → 17:30–01:00'];
	assert.deepEqual(house('hours', of(7), of(6)), both);
	const own = { weekday: 5, ...from, lastSeating: '22:00', depositPerPerson: 20000 };
	assert.deepEqual(house('hours', { what: 'hours', to: own }), [
		'Fri Dinner: 17:30–23:00, last seating 22:00, deposit KRW 20000 a head',
	]);
	assert.deepEqual(house('hours', { what: 'hours', from: { weekday: 7, ...from } }), [
		'Sun Dinner: 17:30–23:00 → none',
	]);
	/* a row of an earlier version has no name and no rules */
	const old = { weekday: 7, opens: '11:00', closes: '15:00' };
	assert.deepEqual(house('hours', { what: 'hours', to: old }), ['Sun: 11:00–15:00']);
	const longer = { ...old, closes: '16:00' };
	const again = (to) => house('hours', { what: 'hours', to }, { what: 'hours', from: old });
	assert.deepEqual(again(old), [], 'written anew as it was');
	assert.deepEqual(again(longer), ['Sun: 11:00–15:00 → 11:00–16:00']);
});

test('special days in a row are one line', () => {
	const closed = (day) => ({ what: 'specialDay', to: { day, closed: true, note: 'Merry' } });
	assert.deepEqual(
		house('specialDays', closed('2026-12-26'), closed('2026-12-25'), closed('2026-12-24')),
		['12-24 – 12-26: closed, “Merry”'],
	);
	const day = '2026-12-31';
	assert.deepEqual(
		house('specialDays', {
			what: 'specialDay',
			from: { day, closed: true },
			to: { day, opens: '17:00', closes: '26:00' },
		}),
		['12-31: closed → 17:00–02:00'],
	);
});

test('tables, joins and dishes are added, changed and gone by name', () => {
	const table = (name, seatsMax, more) => ({
		name,
		seatsMin: 1,
		seatsMax,
		openTo: 'ONLINE',
		...more,
	});
	assert.deepEqual(
		house(
			'tables',
			{ what: 'join', to: { seatsMax: 8 }, about: { tables: ['3', '4'] } },
			{ what: 'table', from: table('1', 4, { x: 1, y: 2 }), to: table('1', 4, { x: 9, y: 9 }) },
			{ what: 'table', from: table('5', 4) },
			{ what: 'table', to: table('Terrace', 4, { openTo: 'STAFF' }) },
			{ what: 'table', from: table('2', 4), to: table('Window', 5) },
		),
		[
			'Table 2 is called Window now · Table Window: 4 seats → 5 seats',
			'Table Terrace added: 4 seats, Staff and walk-ins',
			'Table 5 removed',
			'Tables 3 + 4 can be joined: 8 seats',
			'The floor was arranged',
		],
	);
	const dish = (name, price, soldOut = false) => ({ name, price, soldOut });
	const tells = (from, to) => house('menu', { what: 'dish', from, to })[0];
	assert.equal(tells(dish('Cake', 3000), dish('Cake', 3500)), 'Cake: KRW 3000 → KRW 3500');
	assert.equal(tells(dish('Cake', 3000), dish('Cake', 3000, true)), 'Cake is sold out');
	assert.equal(tells(dish('Cake', 3000, true), dish('Cake', 3000)), 'Cake is to be had again');
	assert.equal(tells(null, dish('Cake', 3000)), 'Cake added, KRW 3000');
	assert.equal(tells(dish('Cake', 3000), null), 'Cake taken off the menu');
	assert.equal(tells(dish('Cake', 3000), dish('Cake', 3000)), 'Cake: words changed');
});

test('blocks, staff, mail, slots, refunds, guests and notes are told', () => {
	const about = {
		from: '2026-11-28T18:00',
		to: '2026-11-28T20:00',
		tables: ['2'],
		weekly: 1,
		online: 0,
		reason: 'film team',
	};
	assert.deepEqual(house('blocks', { what: 'block', about }), [
		'Blocked: Table 2 · Nothing new at all · 11-28 18:00 – 20:00 · Every week · film team',
	]);
	const nina = { name: 'Nina' };
	assert.deepEqual(
		house(
			'staff',
			{ what: 'staffRemoved', about: nina },
			{ what: 'staffRole', from: 'STAFF', to: 'MANAGER', about: nina },
			{ what: 'staffAdded', to: 'STAFF', about: nina },
		),
		['Nina added: Staff', 'Nina: Staff → Manager', 'Nina removed'],
	);
	const smtp = { way: 'SMTP', host: 'mail.example.com', port: 587 };
	assert.deepEqual(house('mail', { what: 'mailPassword' }, { what: 'mail', to: smtp }), [
		'Mail: a mail server (SMTP) mail.example.com:587',
		'Another password for the mail server',
	]);
	const slot = { slotDate: '2026-11-25', slotTime: '24:30' };
	assert.deepEqual(house('slots', { what: 'slot', from: 40, to: 6, about: slot }), [
		'11-25 00:30: 40 → 6 guests may start',
	]);
	const refund = { currency: 'KRW', code: '4KXR-7MTF', name: null };
	assert.deepEqual(house('refund', { what: 'refund', to: 5000, about: refund }), [
		'KRW 5000 went back to A guest who was forgotten (4KXR-7MTF)',
	]);
	assert.deepEqual(house('guest', { what: 'guestNote', about: { forgotten: 1 } }), [
		'Another note about A guest who was forgotten',
	]);
	assert.deepEqual(house('dayNote', { what: 'dayNote', to: '2026-11-18' }), ['Note of 11-18']);
});

test('what was done with a reservation is a sentence with its person', () => {
	assert.deepEqual(done({ what: 'created', to: 'CONFIRMED', about: { source: 'WEB' } }), [
		'Jonas booked it online.',
	]);
	const table = { from: { table: '3' }, to: { table: '4' } };
	assert.deepEqual(done({ what: 'act', to: 'change' }, { what: 'table', about: table }), [
		'Jonas moved it from table 3 to table 4.',
	]);
	const guest = { by: { kind: 'GUEST', name: 'Müller' } };
	assert.deepEqual(tellReservation(act([{ what: 'party', from: 4, to: 6 }], guest), say, {}), [
		'The guest changed it from 4 to 6 people.',
	]);
	const visit = { what: 'visit', from: 'PENDING', to: 'ARRIVED' };
	assert.deepEqual(done({ what: 'act', to: 'arrive' }, visit), ['Jonas marked it as arrived.']);
	const time = {
		from: { date: '2026-11-20', time: '19:00' },
		to: { date: '2026-11-21', time: '24:30' },
	};
	assert.deepEqual(done({ what: 'act', to: 'change' }, { what: 'time', about: time }), [
		'Jonas moved it from 11-20 19:00 to 11-21 00:30.',
	]);
});

test('who came by the door list is told with how long they waited, and whom they passed', () => {
	const made = { what: 'created', to: 'CONFIRMED', about: { source: 'WALK_IN' } };
	assert.deepEqual(done({ what: 'door', to: '25 2' }, made), [
		'Jonas seated a walk-in.',
		'They had waited at the door for 25 min, and sat down before 2 who came earlier.',
	]);
	const inTurn = done({ what: 'door', to: '4 0' }, made).at(-1);
	assert.equal(inTurn, 'They had waited at the door for 4 min.');
});

test('joined tables, stays, money and states are told; an act without a trace is one', () => {
	const both = { from: ['3', '4'], to: ['5'] };
	const first = { from: { table: '3' }, to: { table: '5' } };
	assert.deepEqual(
		done(
			{ what: 'act', to: 'change' },
			{ what: 'tables', about: both },
			{ what: 'sitting', from: '90', to: '120' },
			{ what: 'table', about: first },
		),
		[
			'Jonas changed the stay from 90 to 120 minutes.',
			'Jonas moved it from table 3 + 4 to table 5.',
		],
	);
	assert.deepEqual(done({ what: 'paid', to: 10000, about: { currency: 'KRW' } }), [
		'Jonas noted a payment of KRW 10000.',
	]);
	const keeper = act([{ what: 'status', from: 'TEMPORARY', to: 'EXPIRED' }], {
		by: { kind: 'KEEPER' },
	});
	assert.deepEqual(tellReservation(keeper, say, {}), [
		'jari released the seats: the time to pay was over.',
	]);
	assert.deepEqual(done({ what: 'act', to: 'change' }), ['Jonas changed it.']);
	assert.deepEqual(done({ what: 'something-new', from: 'a', to: 'b' }), []);
});

test('Korean tells the same acts, and no name of a word is left over', () => {
	const ko = sayIn('ko');
	const acts = [
		act([{ what: 'hours', to: { weekday: 6, opens: '17:30', closes: '25:00' } }], { act: 'hours' }),
		act([{ what: 'sittingMinutes', from: 90, to: 120 }], { act: 'settings' }),
		act([{ what: 'staffAdded', to: 'MANAGER', about: { name: '미나' } }], { act: 'staff' }),
		act([{ what: 'guestMerged', about: { name: '이' } }], { act: 'guest' }),
	];
	const lines = acts.flatMap((a) => tellHouse(a, ko).lines);
	assert.equal(lines.length, acts.length);
	for (const line of lines) assert.ok(/[가-힣]/.test(line) && !line.includes('hist.'), line);
	const said = tellReservation(act([{ what: 'party', from: 4, to: 6 }]), ko, {});
	assert.deepEqual(said, ['Jonas · 인원을 4명에서 6명으로 변경했습니다.']);
});

test('every word that the book writes about a house is told in words', async () => {
	const { readFile } = await import('node:fs/promises');
	const source = await readFile(new URL('../../fcgi/api/api_history.c', import.meta.url), 'utf8');
	const names = [...source.matchAll(/"((?:staff|guest|block|mail)[A-Z]\w+)"/g)].map(([, w]) => w);
	assert.ok(names.length > 12);
	for (const name of names) assert.notEqual(say.t(`hist.${name}`, 'x', 'y'), `hist.${name}`, name);
	const settings = await readFile(new URL('../../core/settings.h', import.meta.url), 'utf8');
	const rows = [...settings.matchAll(/^\tX\((\w+), +\d+, +\d+, +\d+,/gm)].map(([, w]) => w);
	assert.ok(rows.length > 40);
	for (const row of rows) {
		const what = row.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
		const [line] = house('settings', { what, from: 0, to: 1 });
		assert.ok(!line.startsWith(`${what}:`), what);
	}
});

test('acts of one day stand below one another', () => {
	const acts = ['2026-11-18T10', '2026-11-18T09', '2026-11-17T09'].map((at) => ({ at }));
	assert.deepEqual(
		byDay(acts, (at) => at.slice(0, 10)).map(({ day, acts: of }) => [day, of.length]),
		[
			['2026-11-18', 2],
			['2026-11-17', 1],
		],
	);
});

test('a country is called by its name', () => {
	assert.deepEqual(house('settings', { what: 'country', to: 'DE' }), ['Country: [DE]']);
});
