/*
 * clock.test.mjs - what is sent because its time has come: holds that lapse, reminders.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../browser/house.mjs';
import { book, hasten, house, mailTo, manage, outbox, pause, server, settled } from './setup.mjs';

test('a hold says how to pay and when it ends, is warned of before, and says so when it stands', async () => {
	house.sql(`UPDATE restaurants SET deposit_per_person = 5000, payment_text = '국민은행 000-00-0000', hold_seconds = 420`);
	const r = await book();
	const held = await mailTo(r.guest.email);
	assert.match(held.mail.subject, /입금해 주시면 예약이 확정됩니다/);
	assert.match(held.mail.text, /10,000원[^]*국민은행 000-00-0000/);
	assert.equal(held.calendar, null);
	server.mails.length = 0;
	house.sql(`UPDATE reservations SET hold_expires_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '100 seconds'), created_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-320 seconds') WHERE reservation_id = ${r.reservationId}`);
	assert.match((await mailTo(r.guest.email)).mail.subject, /곧 만료됩니다/);
	server.mails.length = 0;
	house.confirm(r.reservationCode);
	assert.equal((await mailTo(r.guest.email)).calendar.method, 'REQUEST');
	await pause(6000); /* the keeper has looked again */
	assert.equal(outbox(`event = 'lapsing'`).length, 1);
	house.sql('UPDATE restaurants SET deposit_per_person = 0');
});

test('reminders the day before and an hour before, once each, with a page that asks; none for what is cancelled, none at night', async () => {
	const make = async (minutes) => {
		const r = await book();
		await settled(); /* a stranger's address is reminded of nothing that it was not told */
		house.sql(`UPDATE reservations SET created_at = '2026-01-01T00:00:00Z' WHERE reservation_id = ${r.reservationId};
INSERT OR IGNORE INTO restaurant_reservation_slots (restaurant_id, slot_date, slot_time, max_capacity, starts_at) SELECT 1, substr(x, 1, 10), substr(x, 12, 5), 20, strftime('%Y-%m-%dT%H:%M:00Z', 'now', '${minutes} minutes') FROM (SELECT datetime('now', '${minutes + 540} minutes') AS x);
UPDATE reservations SET (slot_id, starts_at, ends_at) = (SELECT slot_id, starts_at, strftime('%Y-%m-%dT%H:%M:%SZ', starts_at, '60 minutes') FROM restaurant_reservation_slots ORDER BY slot_id DESC LIMIT 1) WHERE reservation_id = ${r.reservationId}`);
		return r;
	};
	await book();
	await settled();
	const r = await make(20 * 60);
	await until(() => server.mails.some((m) => /예약 안내/.test(m.mail.subject)), 'the reminder of the day before', 40000);
	const { mail } = server.mails.find((m) => /예약 안내/.test(m.mail.subject));
	assert.match(mail.text, /갈게요: \S+\/r\?ask=coming#\S+\n\n못 가요: \S+\/r\?ask=cancel#/);
	const coming = await manage(r, 'coming');
	assert.equal(coming.status, 200);
	assert.equal(coming.json.coming, true);
	/* One that is cancelled before it is sent is skipped. */
	await settled();
	house.sql(`UPDATE restaurants SET remind_minutes = 60, quiet_from = ${new Date(Date.now() + 9 * 3600e3).getUTCHours()}, quiet_to = ${(new Date(Date.now() + 9 * 3600e3).getUTCHours() + 2) % 24}`);
	const soon = await make(40);
	await until(() => outbox(`event = 'remind-soon'`).length === 1, 'planned');
	assert.ok(Number(house.read(`SELECT strftime('%s', next_attempt_at) - strftime('%s', 'now') FROM outbox WHERE event = 'remind-soon'`)) > 1700, 'not before the morning');
	await manage(soon, 'cancel');
	hasten();
	await settled();
	assert.equal(outbox(`event = 'remind-soon'`)[0].status, 'SKIPPED');
	house.sql('UPDATE restaurants SET quiet_from = 0, quiet_to = 0');
	const hour = await make(43);
	await until(() => server.mails.some((m) => /오늘 .* 뵙겠습니다/.test(m.mail.subject)), 'the reminder of the hour before', 40000);
	await pause(6000);
	assert.equal(outbox(`event LIKE 'remind%' AND reservation_id = ${r.reservationId}`).length, 1);
	assert.equal(outbox(`event = 'remind-soon' AND reservation_id = ${hour.reservationId}`).length, 1);
});
