/*
 * strangers.test.mjs - the waitlist, codes, couriers that are killed, and what one stranger can do with messages.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openHouse, until } from '../browser/house.mjs';
import { book, desk, fresh, hasten, house, mailTo, manage, nextDay, outbox, OWNER, PASSWORD, pause, request, server, settled } from './setup.mjs';

test('a waitlist offer goes by mail with its countdown, and not to a guest who is no longer first', async () => {
	const slotDate = await nextDay();
	house.sql('UPDATE restaurants SET reservation_limit = 4');
	const has = await book({ slotDate, partySize: 4 });
	await settled();
	server.mails.length = 0;
	const wait = async (email) => {
		const n = fresh();
		const answer = await house.api('POST', '/api/waitlist', { headers: { 'Idempotency-Key': `wait-${n}` }, body: { restaurantId: 1, slotDate, slotTime: '18:00', partySize: 4, guest: { name: '기다림', phone: `010-6100-${String(n).padStart(4, '0')}`, email } } });
		assert.equal(answer.status, 201, answer.text);
		return answer.json;
	};
	await wait('first@example.com');
	await wait('second@example.com');
	await manage(has, 'cancel');
	const { mail } = await mailTo('first@example.com');
	assert.match(mail.subject, /자리가 났습니다/);
	assert.match(mail.text, /\d\d:\d\d까지 예약해 주세요/);
	const token = mail.text.match(/\/r#(\S+)/)[1];
	const seen = (await house.api('GET', '/api/reservations/managed', { headers: { 'X-Manage-Token': token } })).json;
	assert.equal(seen.offered, true);
	const taken = await house.api('POST', `/api/reservations/${seen.reservationId}/take`, { headers: { 'X-Manage-Token': token }, body: {} });
	assert.equal(taken.json.status, 'CONFIRMED');
	await until(() => server.mails.some((m) => m.to.includes('first@example.com') && m.calendar?.method === 'REQUEST'), 'the confirmation');
	assert.equal(server.mails.filter((m) => m.to.includes('second@example.com')).length, 0);
	house.sql('UPDATE restaurants SET reservation_limit = 20');
});

/* ---- proving ---- */

test('a code proves an address: five tries, five minutes, not too many; then the card sees what was made with both', async () => {
	const r = await book({ email: 'mine@example.com' });
	await settled();
	server.mails.length = 0;
	const guest = { name: '김민지', phone: r.guest.phone, email: 'mine@example.com' };
	const ask = await house.api('POST', '/api/proofs', { body: { restaurantId: 1, guest } });
	assert.equal(ask.status, 201, ask.text);
	assert.equal(ask.json.channel, 'MAIL');
	const token = ask.json.accessToken;
	const { mail } = await mailTo('mine@example.com');
	const code = mail.subject.match(/\d{6}/)[0];
	const my = async () => (await house.api('GET', '/api/reservations/my', { token })).json.reservations;
	assert.equal((await my()).length, 0, 'typing a number shows nothing');
	const enter = (given, as = token) => house.api('POST', `/api/proofs/${ask.json.proofId}`, { token: as, body: { code: given } });
	const wrong = code === '000000' ? '000001' : '000000';
	assert.equal((await enter(wrong)).json.code, 'WRONG_CODE');
	const stranger = (await house.api('POST', '/api/guests', { body: { name: 'x', phone: '010-6999-0009' } })).json.accessToken;
	assert.equal((await enter(code, stranger)).json.code, 'CODE_OVER');
	assert.equal((await enter(code)).status, 200);
	assert.deepEqual((await my()).map((o) => o.reservationId), [r.reservationId]);
	assert.equal((await enter(code)).json.code, 'CODE_OVER', 'it is used');
	/* The same number with another address: theirs is not shown. */
	const other = await house.api('POST', '/api/proofs', { body: { restaurantId: 1, guest: { ...guest, email: 'thief@example.com' } } });
	const stolen = (await mailTo('thief@example.com')).mail.subject.match(/\d{6}/)[0];
	assert.equal((await house.api('POST', `/api/proofs/${other.json.proofId}`, { token: other.json.accessToken, body: { code: stolen } })).status, 200);
	assert.equal((await house.api('GET', '/api/reservations/my', { token: other.json.accessToken })).json.reservations.length, 0);
	/* Five wrong ones, and it is over. */
	const third = await house.api('POST', '/api/proofs', { body: { restaurantId: 1, guest } });
	assert.equal(third.status, 201);
	for (let i = 0; i < 5; i++) assert.equal((await house.api('POST', `/api/proofs/${third.json.proofId}`, { token: third.json.accessToken, body: { code: 'abcdef' } })).json.code, 'WRONG_CODE');
	assert.equal((await house.api('POST', `/api/proofs/${third.json.proofId}`, { token: third.json.accessToken, body: { code: '000000' } })).json.code, 'CODE_OVER');
	const fourth = await house.api('POST', '/api/proofs', { body: { restaurantId: 1, guest } });
	assert.equal(fourth.json.code, 'TOO_MANY_CODES');
	/* Nowhere to send it. */
	assert.equal((await house.api('POST', '/api/proofs', { body: { restaurantId: 1, guest: { name: 'x', phone: '010-6999-0010' } } })).json.code, 'NO_WAY_TO_REACH');
});

test('with prove_contact a booking is a hold until the code is entered, and made-up numbers leave honest guests their seats', async () => {
	house.sql('UPDATE restaurants SET prove_contact = 1, prove_seconds = 30, reservation_limit = 40');
	const slotDate = await nextDay();
	const key = () => ({ 'Idempotency-Key': `prove-${fresh()}` });
	const body = (guest, partySize = 1) => ({ restaurantId: 1, slotDate, slotTime: '18:00', partySize, reservationType: 'RESERVATION_DEPOSIT', guest });
	assert.equal((await house.api('POST', '/api/reservations', { headers: key(), body: body({ name: 'x', phone: '010-6999-0011' }) })).json.code, 'NO_WAY_TO_REACH');
	/* Five hundred made-up numbers at once take every seat, but only for half a minute. */
	const rush = await Promise.all(Array.from({ length: 500 }, (_, i) => house.api('POST', '/api/reservations', { headers: key(), body: body({ name: 'made up', phone: `010-50${String(i).padStart(2, '0').slice(0, 2)}-${String(i).padStart(4, '0')}`, email: `nobody${i}@example.com` }) })));
	assert.ok(rush.every((r) => [201, 409, 429].includes(r.status)), 'booked, full, or in the line');
	assert.ok(rush.filter((r) => r.status === 201).every((r) => r.json.status === 'TEMPORARY' && r.json.unproven));
	await until(() => house.read(`SELECT count(*) FROM reservations v JOIN restaurant_reservation_slots s USING (slot_id) WHERE s.slot_date = '${slotDate}' AND v.unproven = 1`) === '40', 'every seat is taken');
	/* (A code of the test before may still be on its way: it goes elsewhere.) */
	assert.equal(server.mails.filter((m) => m.to.some((to) => to.startsWith('nobody'))).length, 0, 'no guest is told of a table that they do not have');
	/* The half minute is over in two seconds. */
	assert.equal(house.read(`SELECT count(*) FROM reservations WHERE unproven = 1 AND hold_expires_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '30 seconds')`), '0');
	house.sql(`UPDATE reservations SET hold_expires_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '2 seconds') WHERE unproven = 1 AND status = 'TEMPORARY'`);
	const guest = { name: '정직', phone: '010-6999-0012', email: 'honest@example.com' };
	const made = await until(async () => {
		const r = await house.api('POST', '/api/reservations', { headers: key(), body: body(guest, 4) });
		return r.status === 201 && r.json;
	}, 'the seats are free again', 45000);
	assert.ok(made.unproven && made.status === 'TEMPORARY');
	const ask = await house.api('POST', '/api/proofs', { token: made.accessToken, body: { restaurantId: 1 } });
	assert.equal(ask.status, 201, ask.text);
	const code = (await mailTo('honest@example.com')).mail.subject.match(/\d{6}/)[0];
	server.mails.length = 0;
	assert.equal((await house.api('POST', `/api/proofs/${ask.json.proofId}`, { token: made.accessToken, body: { code } })).status, 200);
	const now = (await house.api('GET', `/api/reservations/${made.reservationId}`, { token: made.accessToken })).json;
	assert.deepEqual([now.status, now.unproven], ['CONFIRMED', false]);
	assert.equal((await mailTo('honest@example.com')).calendar.method, 'REQUEST');
	/* The waitlist is for the proven, too. */
	const wait = (token, more) => house.api('POST', '/api/waitlist', { token, headers: key(), body: { restaurantId: 1, slotDate, slotTime: '18:00', partySize: 38, ...more } });
	house.sql('UPDATE restaurants SET party_max = 40');
	assert.equal((await wait(undefined, { guest: { name: 'made up', phone: '010-5099-0001', email: 'x@example.com' } })).json.code, 'PROVE_FIRST');
	assert.equal((await wait(made.accessToken, { slotTime: '19:00', partySize: 2 })).json.code, 'HAS_ROOM');
	house.sql('UPDATE restaurants SET party_max = 12');
	/* A proven guest books at once. */
	const again = await house.api('POST', '/api/reservations', { token: made.accessToken, headers: key(), body: { ...body(undefined, 2), slotTime: '19:00' } });
	assert.deepEqual([again.status, again.json.status], [201, 'CONFIRMED']);
	house.sql('UPDATE restaurants SET prove_contact = 0, prove_seconds = 300, reservation_limit = 20');
	await settled();
});

/* ---- the courier dies ---- */

/* What each of the two couriers sends: what a booking tells, and a code. */
const killed = { name: 'x', phone: '010-6200-0001', email: 'killed@example.com' };
const asked = {
	booking: async (other) => other.api('POST', '/api/reservations', { headers: { 'Idempotency-Key': `kill-${fresh()}` }, body: { restaurantId: 1, slotDate: await nextDay(), slotTime: '18:00', partySize: 2, reservationType: 'RESERVATION_DEPOSIT', guest: killed } }),
	code: (other) => other.api('POST', '/api/proofs', { body: { restaurantId: 1, guest: killed } }),
};

test('killed at each step neither courier loses anything; only between the server\'s yes and our hearing it is a mail sent twice', async () => {
	const times = { 'courier.sent': [1, 2], 'courier.reported': [1, 1] };
	const cases = Object.entries(times).flatMap(([point, count]) => Object.entries(asked).map(([what, ask]) => ({ point, count, what, ask })));
	for (const { point, count: [least, most], what, ask } of cases) {
		const fuse = path.join(mkdtempSync(path.join(tmpdir(), 'jari-fuse-')), 'fuse');
		const other = await openHouse({ env: { JARI_FAILPOINT: `${point}:kill:1`, JARI_FAILPOINT_FUSE: fuse } });
		try {
			other.jari('staff', 'add', 'owner@example.com', 'Park', '--password', PASSWORD);
			other.sql(`UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'; UPDATE restaurants SET deposit_per_person = 0, deposit_large_per_person = 0;
INSERT INTO mail_server (one, way, host, port, security, sender, updated_at) VALUES (1, 'SMTP', '127.0.0.1', ${server.port}, 'NONE', 'table@house.example', '2026-01-01T00:00:00Z')`);
			server.mails.length = 0;
			writeFileSync(fuse, '');
			const r = await ask(other);
			assert.equal(r.status, 201, r.text);
			await until(() => other.read('SELECT status FROM outbox') === 'SENT', `${point}, ${what}: reported`, 30000);
			await pause(1500);
			assert.ok(server.mails.length >= least && server.mails.length <= most, `${point}, ${what}: ${server.mails.length} mails`);
			assert.ok(!existsSync(fuse), 'it was killed');
			assert.equal(new Set(server.mails.map((m) => m.mail.messageId)).size, 1);
			assert.equal(new Set(server.mails.map((m) => m.mail.text)).size, 1, 'the same digits both times');
			console.log(`# ${point}, ${what}: ${server.mails.length} mails`);
		} finally {
			await other.close();
		}
	}
	/* From outside, at any moment. */
	for (let i = 0; i < 5; i++) {
		await book({ email: `storm${i}@example.com` });
		process.kill(Number(house.jari('status').match(/courier +process (\d+)/)[1]), 'SIGKILL');
		await pause(300 + 100 * i);
	}
	await settled();
	for (let i = 0; i < 5; i++) assert.ok(server.mails.some((m) => m.to.includes(`storm${i}@example.com`)), `storm ${i}`);
});

/* ---- floods ---- */

const SPELLINGS = ['victim@example.com', 'Victim@Example.com', 'victim+1@example.com', 'v.ictim@example.com'];

test('a stranger who books and changes with a stranger\'s address sends them a few mails, not a hundred', async () => {
	house.sql('UPDATE restaurants SET reservation_limit = 400');
	const slotDate = await nextDay();
	const toVictim = () => server.mails.filter((m) => /^v\.?ictim(\+1)?@/i.test(m.to[0]));
	const putOff = (where) => outbox(`status = 'QUEUED' AND attempts = 0 AND last_answer LIKE 'put off%' AND ${where}`).length;
	const made = [await book({ slotDate, email: SPELLINGS[0] })];
	await until(() => toVictim().length === 1, 'the first');
	for (let i = 0; i < 40; i++) {
		assert.equal((await manage(made[0], 'change', { partySize: 2 + (i + 1) % 2 })).status, 200);
	}
	/* From other numbers, in every spelling of the address. */
	for (let i = 0; i < 20; i++) made.push(await book({ slotDate, email: SPELLINGS[i % 4] }));
	hasten();
	await until(() => toVictim().length === 5 && putOff('1') >= 16, 'five, and the rest put off');
	/* No other guest waits for that. */
	await book({ email: 'honest2@example.com' });
	await mailTo('honest2@example.com');
	/* A cancellation goes, of what they were told of and of nothing else. */
	const gone = made.slice(1, 8);
	const ofGone = `reservation_id IN (${gone.map((r) => r.reservationId)})`;
	const told = outbox(`event = 'confirmed' AND status = 'SENT' AND ${ofGone}`).length;
	for (const r of gone) assert.equal((await manage(r, 'cancel')).status, 200);
	await until(() => !outbox(`event = 'cancelled' AND status = 'QUEUED' AND ${ofGone}`).length, 'each looked at');
	assert.ok(told > 0 && told < 7, `${told} of seven were told`);
	assert.equal(toVictim().length, 5 + told);
	/* A stranger who uses up an address does not keep the house's word from it. */
	const last = made.at(-1);
	assert.equal((await desk('POST', `/api/desk/reservations/${last.reservationId}/cancel`, { version: 1 })).status, 200);
	hasten();
	await until(() => outbox(`event = 'cancelled-by-house' AND status = 'SENT' AND reservation_id = ${last.reservationId}`).length, 'the house has cancelled');
	assert.ok(toVictim().some((m) => m.mail.text.includes(last.reservationCode)));
	/* When there is room again, what is no longer so is not told. */
	house.sql(`UPDATE outbox SET sent_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-2 hours') WHERE recipient IS NOT NULL;
UPDATE outbox SET last_answer = NULL WHERE status = 'QUEUED'`);
	server.mails.length = 0;
	hasten();
	await until(() => toVictim().length >= 5 && !outbox(`status = 'QUEUED' AND last_answer IS NULL`).length, 'all looked at');
	assert.equal(toVictim().length, 5);
	const untrue = (m) => /확정/.test(m.mail.subject) && gone.some((r) => m.mail.text.includes(r.reservationCode));
	assert.ok(!toVictim().some(untrue), 'no confirmation of what is cancelled');
	house.sql('UPDATE restaurants SET reservation_limit = 20');
});

test('neither a flood of bookings nor a server that hangs on one of their mails delays a code', async () => {
	house.sql('UPDATE restaurants SET reservation_limit = 400');
	const slotDate = await nextDay();
	const waiting = () => Number(house.read(`SELECT count(*) FROM outbox WHERE status = 'QUEUED'`));
	const ask = async (n) => {
		const guest = { name: '정직', phone: `010-6888-${String(n).padStart(4, '0')}`, email: `code${n}@example.com` };
		const begun = Date.now();
		const asked = await house.api('POST', '/api/proofs', { body: { restaurantId: 1, guest } });
		assert.equal(asked.status, 201, asked.text);
		await mailTo(guest.email, 'the code');
		return Date.now() - begun;
	};
	server.pace.ms = 50;
	const flood = (await Promise.all(Array.from({ length: 150 }, () => request({ slotDate, partySize: 1 })))).filter((r) => r.status === 201);
	await Promise.all(flood.slice(0, 50).map((r) => manage(r.json, 'cancel')));
	const queue = await until(() => waiting() > 80 && waiting(), 'the flood'); /* some of it by way of the line */
	const took = await ask(1);
	assert.ok(waiting() > 20, 'the flood still waits');
	server.fail.push('hang'); /* meets the next mail of the flood */
	await until(() => server.fail.length === 0, 'a mail hangs');
	const after = await ask(2);
	console.log(`# a code among ${queue} others: ${took} ms; while one hangs: ${after} ms`);
	assert.ok(took < 2500 && after < 2500, `${took} ms, ${after} ms`);
	server.cutAll();
	house.sql('UPDATE restaurants SET reservation_limit = 20');
});

test('one restaurant sends this many messages to addresses that were only typed; the rest goes later, and those of the house at once', async () => {
	house.sql('UPDATE restaurants SET reservation_limit = 800');
	const slotDate = await nextDay();
	const all = [];
	for (let i = 0; i < 8; i++) all.push(...await Promise.all(Array.from({ length: 42 }, () => request({ slotDate, partySize: 1 }))));
	assert.ok(all.filter((r) => r.status === 201 || r.json.code === 'WAITING').length === all.length, 'booked, or in the line');
	const putOff = () => outbox(`status = 'QUEUED' AND attempts = 0 AND last_answer LIKE 'put off: many messages to addresses%'`).length;
	await until(() => !outbox(`status = 'QUEUED' AND tried_at IS NULL`).length && putOff() > 20, 'each looked at', 90000);
	assert.ok(server.mails.length <= 320, `${server.mails.length} mails`);
	/* The house's own word does not wait behind them. */
	const begun = Date.now();
	assert.equal((await desk('POST', '/api/desk/mail/test?restaurantId=1', {})).status, 201);
	await mailTo(OWNER);
	assert.ok(Date.now() - begun < 5000, 'at once');
	console.log(`# of ${all.length} ${server.mails.length - 1} at once, ${putOff()} put off`);
	house.sql('UPDATE restaurants SET reservation_limit = 20');
});
