/*
 * mail.test.mjs - what happens in the restaurant reaches a real mail server, once, in the right words; and what a server can
 * do wrong loses nothing.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { openHouse, ROOT, until, zoneWhereItIs } from '../browser/house.mjs';
import { LOGIN, makeCertificate, openServer, SECRET } from './server.mjs';

const PASSWORD = 'correct horse 7';
const OWNER = 'owner@house.example';
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let house;
let owner;
let server;
let certificate;
let bin;
let day = 0;
let number = 0;

before(async () => {
	certificate = makeCertificate();
	/* sendmail of the box, where there is one: msmtp, told where its server is. */
	bin = mkdtempSync(path.join(tmpdir(), 'jari-sendmail-'));
	house = await openHouse({ env: { JARI_SENDMAIL: path.join(bin, 'sendmail') } });
	house.jari('staff', 'add', 'owner@example.com', 'Park', '--password', PASSWORD);
	house.sql(`UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com';
UPDATE restaurants SET deposit_per_person = 0, deposit_large_per_person = 0, quiet_from = 0, quiet_to = 0, tell_owner = 0, day_sheet_hour = 0`);
	owner = (await house.api('POST', '/api/login', { body: { email: 'owner@example.com', password: PASSWORD } })).json.accessToken;
	server = await openServer();
	await useServer();
});
after(async () => { await server?.close(); await house?.close(); });
/* Every test begins with a quiet house: nothing due, no quiet hours, nobody told but guests by mail, nothing left to send. */
beforeEach(() => {
	house.sql(`UPDATE outbox SET status = 'SKIPPED' WHERE status = 'QUEUED'; UPDATE restaurants SET deposit_per_person = 0, quiet_from = 0, quiet_to = 0, tell_owner = 0, day_sheet_hour = 0,
remind_day_hours = 24, remind_minutes = 60, hold_seconds = 420, reservation_limit = 20, sms_guests = 0, mail_guests = 1, prove_contact = 0, prove_seconds = 300`);
	server.mails.length = 0;
	server.fail.length = 0;
});

const desk = (method, address, body) => house.api(method, address, { token: owner, body });
const outbox = (where = '1') => JSON.parse(house.read(`SELECT json_group_array(json_object('id', outbox_id, 'event', event, 'channel', channel, 'status', status, 'attempts', attempts, 'answer', last_answer)) FROM (SELECT * FROM outbox WHERE ${where} ORDER BY outbox_id)`));
const hasten = () => house.sql(`UPDATE outbox SET next_attempt_at = '2026-01-01T00:00:00Z' WHERE status = 'QUEUED'`);
const settled = () => until(() => Number(house.read(`SELECT count(*) FROM outbox WHERE status = 'QUEUED'`)) === 0, 'everything sent', 30000);
const mailTo = (address, what = 'a mail') => until(() => server.mails.find((m) => m.to.includes(address)), `${what} to ${address}`, 40000);

async function useServer(more = {}) {
	const set = await desk('PUT', '/api/desk/mail', { way: 'SMTP', host: '127.0.0.1', port: server.port, security: 'NONE', sender: 'table@house.example', site: house.url, ...more });
	assert.equal(set.status, 200, set.text);
	assert.equal((await desk('PUT', '/api/desk/settings?restaurantId=1', { notifyEmail: OWNER, messageText: '늘 고맙습니다.', messageTextEn: 'Thank you, as always.' })).status, 200);
}

async function nextDay() {
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	for (;;) {
		const date = new Date(Date.parse(`${today}T00:00:00Z`) + (++day + 2) * 864e5);
		if (date.getUTCDay() !== 1) return date.toISOString().slice(0, 10);
	}
}

/* A guest with a number and an address of their own books; resolves to the 201. */
async function book({ email, lang = 'ko', slotDate, slotTime = '18:00', partySize = 2, name = '김민지', ...more } = {}) {
	const n = ++number;
	const guest = { name, phone: `010-6000-${String(n).padStart(4, '0')}`, email: email ?? `guest${n}@example.com` };
	const made = await house.api('POST', '/api/reservations', { headers: { 'Accept-Language': lang, 'Idempotency-Key': `mail-${process.pid}-${n}` }, body: { restaurantId: 1, slotDate: slotDate ?? await nextDay(), slotTime, partySize, reservationType: 'RESERVATION_DEPOSIT', guest, ...more } });
	assert.equal(made.status, 201, made.text);
	return { ...made.json, guest };
}
const manage = (r, word, body = {}) => house.api('POST', `/api/reservations/${r.reservationId}/${word}`, { body, headers: { 'X-Manage-Token': r.manageToken } });

test('a confirmation has everything a mail program and a calendar want; a change and a cancellation follow it', async () => {
	const r = await book({ requestMessage: '창가 자리' });
	const { mail, calendar, from, raw } = await mailTo(r.guest.email);
	assert.equal(from, 'table@house.example');
	assert.equal(mail.from.value[0].name, '온기 식당');
	assert.match(mail.subject, /^\[온기 식당\] 예약이 확정되었습니다: \d+월 \d+일\(.\) 18:00$/);
	assert.equal(mail.headers.get('auto-submitted'), 'auto-generated');
	assert.match(mail.messageId, /^<jari\.\d+\.\d+@house\.example>$/);
	for (const part of [mail.text, mail.html]) {
		for (const word of ['늘 고맙습니다.', '김민지님', r.reservationCode, '창가 자리']) assert.ok(part.includes(word), word);
		assert.ok(part.includes(`${house.url}/r#`), 'the link');
	}
	assert.ok(raw.split('\r\n').every((line) => line.length <= 998 && /^[\x20-\x7e\t]*$/.test(line)), 'plain lines');
	assert.deepEqual([calendar.method, calendar.status, calendar.sequence], ['REQUEST', 'CONFIRMED', 0]);
	assert.equal(calendar.organizer, 'mailto:table@house.example');
	assert.equal(calendar.attendee, `mailto:${r.guest.email}`);
	assert.equal(calendar.partstat, 'ACCEPTED');
	/* The link in the mail opens the reservation. */
	const token = mail.text.match(/\/r#(\S+)/)[1];
	assert.equal((await house.api('GET', '/api/reservations/managed', { headers: { 'X-Manage-Token': token } })).json.reservationId, r.reservationId);

	server.mails.length = 0;
	assert.equal((await manage(r, 'change', { slotTime: '19:00' })).status, 200);
	const changed = await mailTo(r.guest.email, 'the change');
	assert.match(changed.mail.subject, /바뀌었습니다.*19:00/);
	assert.deepEqual([changed.calendar.method, changed.calendar.uid], ['REQUEST', calendar.uid]);
	assert.ok(changed.calendar.sequence > calendar.sequence && changed.calendar.start !== calendar.start);

	server.mails.length = 0;
	assert.equal((await manage(r, 'cancel')).status, 200);
	const gone = await mailTo(r.guest.email, 'the cancellation');
	assert.deepEqual([gone.calendar.method, gone.calendar.status, gone.calendar.uid], ['CANCEL', 'CANCELLED', calendar.uid]);
	assert.ok(gone.calendar.sequence > changed.calendar.sequence);
	await settled();
	assert.equal(server.mails.length, 1);
});

test('English for those who speak it; a name cannot write a header of its own', async () => {
	house.sql(`UPDATE restaurants SET name_en = 'Ongi, "the" Table <x@y>'`);
	const r = await book({ lang: 'en', name: 'Zoë <b> & Søn' });
	const { mail, raw } = await mailTo(r.guest.email);
	house.sql(`UPDATE restaurants SET name_en = 'Ongi Table'`);
	assert.match(mail.subject, /Your table is booked: \w{3} \d+ \w{3}, 18:00/);
	assert.equal(mail.from.value.length, 1);
	assert.equal(mail.from.value[0].address, 'table@house.example');
	assert.match(mail.text, /Thank you, as always\.[^]*Dear Zoë <b> & Søn/);
	assert.ok(mail.html.includes('Zoë &lt;b&gt; &amp; Søn'));
	assert.equal(raw.match(/^To: /gm).length, 1);
	for (const email of ['a@b.example\r\nBcc: c@d.example', 'a@b.example>', 'a b@c.example']) {
		const bad = await house.api('POST', '/api/reservations', { headers: { 'Idempotency-Key': `bad-${++number}` }, body: { restaurantId: 1, slotDate: await nextDay(), slotTime: '18:00', partySize: 2, reservationType: 'RESERVATION_DEPOSIT', guest: { name: 'x', phone: '010-6999-0001', email } } });
		assert.equal(bad.status, 400, bad.text);
	}
});

test('without messages nothing is written; without an address nobody is written to', async () => {
	await desk('PUT', '/api/desk/mail', { way: 'OFF' });
	const count = () => Number(house.read('SELECT count(*) FROM outbox'));
	const before = count();
	await book();
	assert.equal(count(), before);
	await useServer();
	const r = await house.api('POST', '/api/reservations', { headers: { 'Idempotency-Key': `none-${++number}` }, body: { restaurantId: 1, slotDate: await nextDay(), slotTime: '18:00', partySize: 2, reservationType: 'RESERVATION_DEPOSIT', guest: { name: 'x', phone: '010-6999-0002' } } });
	assert.equal(r.status, 201);
	assert.equal(count(), before);
});

test('STARTTLS and TLS with a login; a certificate that nobody knows and a wrong password wait until they are mended', async () => {
	for (const security of ['STARTTLS', 'TLS']) {
		await server.close();
		server = await openServer({ security, auth: true, certificate });
		rmSync(path.join(house.dir, 'mail-ca.pem'), { force: true });
		await useServer({ security, login: LOGIN, password: SECRET });
		const r = await book();
		await until(() => outbox(`status = 'QUEUED' AND attempts = 1`).length === 1, 'the certificate is refused');
		assert.match(outbox(`status = 'QUEUED'`)[0].answer, /[Cc]ertificate|SSL/);
		copyFileSync(certificate.ca, path.join(house.dir, 'mail-ca.pem'));
		await useServer({ security, login: LOGIN, password: 'wrong' });
		hasten();
		await until(() => outbox(`status = 'QUEUED' AND attempts = 2`).length === 1, 'the password is refused');
		assert.match(outbox(`status = 'QUEUED'`)[0].answer, /535/);
		await useServer({ security, login: LOGIN, password: SECRET });
		hasten();
		const { tls, user } = await mailTo(r.guest.email);
		assert.ok(tls && user === LOGIN);
		await settled();
	}
	/* The password is nowhere to be read, and stays when the form is saved without it. */
	assert.ok(!house.read('SELECT password FROM mail_server').includes(SECRET));
	assert.equal((await desk('GET', '/api/desk/mail')).text.includes('secret'), false);
	await useServer({ security: 'TLS', login: LOGIN });
	const r = await book();
	assert.ok((await mailTo(r.guest.email)).user);
	await server.close();
	server = await openServer();
	await useServer({ password: '', login: '' });
});

test('a certificate that is refused says what is wrong with it', async () => {
	const wrong = {
		'has expired': makeCertificate({ over: true }),
		'127.0.0.1': makeCertificate({ name: 'DNS:mail.example.org' }), /* no name of it matches the server's */
	};
	for (const [words, other] of Object.entries(wrong)) {
		const strange = await openServer({ security: 'TLS', certificate: other });
		copyFileSync(other.ca, path.join(house.dir, 'mail-ca.pem'));
		await useServer({ security: 'TLS', port: strange.port });
		const r = await book();
		const [put] = await until(() => { const rows = outbox(`attempts = 1 AND reservation_id = ${r.reservationId}`); return rows.length && rows; }, words);
		assert.equal(put.status, 'QUEUED');
		assert.ok(put.answer.includes(words), put.answer);
		house.sql(`UPDATE outbox SET status = 'SKIPPED' WHERE status = 'QUEUED'`);
		await strange.close();
	}
	rmSync(path.join(house.dir, 'mail-ca.pem'), { force: true });
	await useServer();
});

test('the shared memory is removed while a mail is on its way: it is reported all the same, and the courier goes on', async () => {
	server.fail.push('hang');
	const a = await book();
	await until(() => server.fail.length === 0, 'the server has it and says nothing');
	const id = readFileSync(path.join(house.dir, 'hall.id'), 'utf8').trim();
	const mine = readdirSync('/dev/shm').filter((name) => name.startsWith(`jari-${id}-`));
	assert.equal(mine.length, 1, `${mine} of ${id}`);
	rmSync(path.join('/dev/shm', mine[0]));
	server.cutAll();
	await until(() => outbox(`reservation_id = ${a.reservationId} AND attempts = 1`).length === 1, 'reported', 30000);
	const b = await book();
	await mailTo(b.guest.email);
	hasten();
	await mailTo(a.guest.email);
	await settled();
});

test('later and never: 4xx is tried again, 5xx is given up and shown at the desk', async () => {
	server.fail.push('451');
	const a = await book();
	await until(() => outbox(`status = 'QUEUED' AND attempts = 1`).length === 1, 'put off');
	const wait = Number(house.read(`SELECT strftime('%s', next_attempt_at) - strftime('%s', 'now') FROM outbox WHERE status = 'QUEUED'`));
	assert.ok(wait > 15 && wait < 60, `after about half a minute, ${wait} s`);
	hasten();
	await mailTo(a.guest.email);
	await settled();
	for (const code of ['550', '554']) {
		server.fail.push(code);
		const b = await book();
		await until(() => outbox(`status = 'FAILED'`).some((o) => o.answer.includes(code)), code);
		assert.equal(server.mails.filter((m) => m.to.includes(b.guest.email)).length, 0);
		const { history, messages } = (await desk('GET', `/api/desk/reservations/${b.reservationId}/history`)).json;
		assert.ok(history.length && messages[0].status === 'FAILED' && messages[0].answer.includes(code));
	}
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	assert.equal((await desk('GET', `/api/desk/day?restaurantId=1&date=${today}`)).json.messagesFailed, 2);
	/* Given up after a day and enough tries: one try is not enough, or a clock that is set forward would lose it. */
	server.fail.push('451');
	const c = await book();
	await until(() => outbox(`status = 'QUEUED' AND attempts = 1`).length === 1, 'put off');
	server.fail.push('451', '451');
	house.sql(`UPDATE outbox SET created_at = '2026-01-01T00:00:00Z', next_attempt_at = '2026-01-01T00:00:00Z' WHERE status = 'QUEUED'`);
	await until(() => outbox(`status = 'QUEUED' AND attempts = 2`).length === 1, 'put off once more');
	house.sql(`UPDATE outbox SET attempts = 19, next_attempt_at = '2026-01-01T00:00:00Z' WHERE status = 'QUEUED'`);
	await until(() => outbox(`status = 'FAILED'`).length === 3, 'given up');
	assert.equal(server.mails.filter((m) => m.to.includes(c.guest.email)).length, 0);
});

test('a server that hangs or breaks off in the middle of a mail costs nobody a booking, and the mail comes once', async () => {
	server.fail.push('hang');
	const a = await book();
	await until(() => server.fail.length === 0, 'the server has it and says nothing');
	const begun = Date.now();
	await book({ email: 'meanwhile@example.com' });
	assert.ok(Date.now() - begun < 2000, 'a booking is not kept waiting');
	server.cutAll();
	await until(() => outbox(`status = 'QUEUED' AND attempts = 1`).length >= 1, 'put off');
	server.fail.push('cut');
	hasten();
	await until(() => server.fail.length === 0 && outbox(`status = 'QUEUED' AND attempts >= 2`).length >= 1, 'put off again');
	hasten();
	await mailTo(a.guest.email);
	await mailTo('meanwhile@example.com');
	await settled();
	assert.equal(server.mails.filter((m) => m.to.includes(a.guest.email)).length, 1);
});

test('by sendmail: taken, later, never, and not there at all', async () => {
	const write = (text) => { writeFileSync(path.join(bin, 'sendmail'), text); chmodSync(path.join(bin, 'sendmail'), 0o755); };
	await desk('PUT', '/api/desk/mail', { way: 'SENDMAIL', sender: 'table@house.example', site: house.url });
	const a = await book();
	await until(() => outbox(`status = 'QUEUED' AND attempts = 1`).length === 1, 'nothing to run');
	write('#!/bin/sh\nexit 75\n');
	hasten();
	await until(() => outbox(`status = 'QUEUED' AND attempts = 2`).length === 1, 'later');
	write(`#!/bin/sh\nexec msmtp --file=/dev/null --host=127.0.0.1 --port=${server.port} "$@"\n`);
	hasten();
	const { mail, from } = await mailTo(a.guest.email);
	assert.equal(from, 'table@house.example');
	assert.match(mail.subject, /확정/);
	await settled();
	/* A minute without DNS: msmtp cannot find its own server, and says 68. */
	const away = `#!/bin/sh\nexec msmtp --file=/dev/null --host=mail.invalid --port=${server.port} "$@"\n`;
	for (const [text, why] of [[away, 'exit 68 msmtp: cannot locate host mail.invalid'], ['#!/bin/sh\nexit 66\n', 'exit 66']]) {
		write(text);
		const r = await book();
		const [put] = await until(() => { const rows = outbox(`attempts = 1 AND reservation_id = ${r.reservationId}`); return rows.length && rows; }, why);
		assert.equal(put.status, 'QUEUED', put.answer);
		assert.ok(put.answer.includes(why), put.answer);
		house.sql(`UPDATE outbox SET status = 'SKIPPED' WHERE status = 'QUEUED'`);
	}
	write('#!/bin/sh\ncat >/dev/null\necho no such user >&2\nexit 67\n');
	await book();
	await until(() => outbox(`status = 'FAILED' AND last_answer LIKE '%exit 67 no such user%'`).length === 1, 'never');
	await useServer();
});

test('what the desk takes back at once is not told; what was told is told again', async () => {
	const r = await book();
	await mailTo(r.guest.email);
	server.mails.length = 0;
	const version = () => Number(house.read(`SELECT version FROM reservations WHERE reservation_id = ${r.reservationId}`));
	const act = (word) => desk('POST', `/api/desk/reservations/${r.reservationId}/${word}`, { version: version() });
	assert.equal((await act('cancel')).status, 200);
	assert.equal(outbox(`status = 'QUEUED'`).length, 1);
	assert.equal((await act('undo')).status, 200);
	assert.equal(outbox(`status = 'QUEUED'`).length, 0);
	assert.equal((await act('cancel')).status, 200);
	hasten();
	assert.match((await mailTo(r.guest.email)).mail.subject, /식당에서 예약을 취소/);
	server.mails.length = 0;
	assert.equal((await act('undo')).status, 200);
	assert.match((await mailTo(r.guest.email)).mail.subject, /바뀌었습니다/);
	await settled();
});

test('a hold says how to pay and when it ends, is warned of before, and says so when it stands', async () => {
	house.sql(`UPDATE restaurants SET deposit_per_person = 5000, payment_text = '국민은행 000-00-0000', hold_seconds = 420`);
	const r = await book();
	const held = await mailTo(r.guest.email);
	assert.match(held.mail.subject, /잡아 두었습니다/);
	assert.match(held.mail.text, /10,000원[^]*국민은행 000-00-0000/);
	assert.equal(held.calendar, null);
	server.mails.length = 0;
	house.sql(`UPDATE reservations SET hold_expires_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '100 seconds'), created_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-320 seconds') WHERE reservation_id = ${r.reservationId}`);
	assert.match((await mailTo(r.guest.email)).mail.subject, /곧 풀립니다/);
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

test('the owner hears of each booking, or of all in an hour, and of the day in the morning; a test mail shows the answer', async () => {
	house.sql('UPDATE restaurants SET tell_owner = 1');
	const r = await book({ partySize: 3, name: '박하늘' });
	hasten(); /* it would go when its minute is over */
	const each = await mailTo(OWNER);
	assert.match(each.mail.subject, /새 예약: .*18:00 3명 박하늘/);
	await settled();
	server.mails.length = 0;
	house.sql('UPDATE restaurants SET tell_owner = 2');
	await until(() => outbox(`event = 'owner-digest'`).length === 1, 'where to begin');
	await settled();
	assert.equal(server.mails.length, 0);
	const [a, b] = [await book({ name: '하나' }), await book({ name: '두리' })];
	await settled();
	house.sql(`UPDATE outbox SET created_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-2 hours') WHERE event = 'owner-digest'`);
	const digest = await mailTo(OWNER, 'the digest');
	assert.ok(digest.mail.text.includes('하나') && digest.mail.text.includes('두리') && !digest.mail.text.includes('박하늘'), digest.mail.text);
	server.mails.length = 0;
	house.sql(`UPDATE restaurants SET tell_owner = 0, timezone = '${zoneWhereItIs(9)}', day_sheet_hour = 8`);
	const sheet = await mailTo(OWNER, 'the sheet');
	assert.match(sheet.mail.subject, /오늘의 예약/);
	await pause(6000);
	assert.equal(outbox(`event = 'day-sheet'`).length, 1);
	house.sql("UPDATE restaurants SET day_sheet_hour = 0, timezone = 'Asia/Seoul'");
	server.mails.length = 0;
	const sent = await desk('POST', '/api/desk/mail/test?restaurantId=1', {});
	assert.equal(sent.status, 201, sent.text);
	await mailTo(OWNER, 'the test');
	const shown = await until(async () => (await desk('GET', '/api/desk/messages?restaurantId=1')).json.messages.find((m) => m.messageId === sent.json.messageId && m.status === 'SENT'), 'the answer');
	assert.match(shown.answer, /queued as T1/);
	assert.ok(r && a && b);
});

test('a waitlist offer goes by mail with its countdown, and to nobody who is no longer first', async () => {
	const slotDate = await nextDay();
	house.sql('UPDATE restaurants SET reservation_limit = 4');
	const has = await book({ slotDate, partySize: 4 });
	await settled();
	server.mails.length = 0;
	const wait = async (email) => {
		const n = ++number;
		const answer = await house.api('POST', '/api/waitlist', { headers: { 'Idempotency-Key': `wait-${n}` }, body: { restaurantId: 1, slotDate, slotTime: '18:00', partySize: 4, guest: { name: '기다림', phone: `010-6100-${String(n).padStart(4, '0')}`, email } } });
		assert.equal(answer.status, 201, answer.text);
		return answer.json;
	};
	await wait('first@example.com');
	await wait('second@example.com');
	await manage(has, 'cancel');
	const { mail } = await mailTo('first@example.com');
	assert.match(mail.subject, /자리가 났습니다/);
	assert.match(mail.text, /\d\d:\d\d까지 받아 주세요/);
	const token = mail.text.match(/\/r#(\S+)/)[1];
	const seen = (await house.api('GET', '/api/reservations/managed', { headers: { 'X-Manage-Token': token } })).json;
	assert.equal(seen.offered, true);
	const taken = await house.api('POST', `/api/reservations/${seen.reservationId}/take`, { headers: { 'X-Manage-Token': token }, body: {} });
	assert.equal(taken.json.status, 'CONFIRMED');
	await until(() => server.mails.some((m) => m.to.includes('first@example.com') && m.calendar?.method === 'REQUEST'), 'the confirmation');
	assert.equal(server.mails.filter((m) => m.to.includes('second@example.com')).length, 0);
	house.sql('UPDATE restaurants SET reservation_limit = 20');
});

/* ---- text messages ---- */

const hook = () => path.join(house.dir, 'send-sms');
function writeHook(text) {
	writeFileSync(hook(), text);
	chmodSync(hook(), 0o755);
}

test('text messages by a command: JSON in, exit 0 sent, 75 later, else never; one that hangs is ended; a stranger\'s is not run', async () => {
	const heard = path.join(house.dir, 'heard.json');
	house.sql('UPDATE restaurants SET sms_guests = 1, mail_guests = 0');
	writeHook(`#!/bin/sh\ncat > ${heard}\necho message-77\n`);
	const r = await book();
	await until(() => outbox(`channel = 'SMS' AND status = 'SENT'`).length === 1, 'sent');
	const said = JSON.parse(readFileSync(heard, 'utf8'));
	assert.deepEqual([said.kind, said.lang, said.vars.code, said.vars.party], ['confirmed', 'ko', r.reservationCode, '2']);
	assert.equal(said.to.replace(/\D/g, ''), r.guest.phone.replace(/\D/g, ''));
	assert.ok(said.text.includes('온기 식당') && said.vars.link.startsWith(house.url));
	assert.equal(outbox(`channel = 'SMS'`)[0].answer, 'message-77 ');
	writeHook('#!/bin/sh\necho busy >&2\nexit 75\n');
	await book();
	await until(() => outbox(`channel = 'SMS' AND status = 'QUEUED' AND attempts = 1`).length === 1, 'later');
	writeHook('#!/bin/sh\necho no such number >&2\nexit 1\n');
	hasten();
	await until(() => outbox(`channel = 'SMS' AND status = 'FAILED'`).length === 1, 'never');
	assert.match(outbox(`channel = 'SMS' AND status = 'FAILED'`)[0].answer, /no such number/);
	writeHook('#!/bin/sh\nsleep 300 & sleep 300\n');
	const begun = Date.now();
	await book();
	await until(() => outbox(`channel = 'SMS' AND status = 'QUEUED' AND attempts = 1`).length === 1, 'ended', 40000);
	assert.ok(Date.now() - begun > 15000 && Date.now() - begun < 35000);
	writeHook(`#!/bin/sh\ntouch ${heard}.stranger\n`);
	chmodSync(hook(), 0o777);
	hasten();
	await until(() => outbox(`channel = 'SMS' AND status = 'QUEUED' AND attempts = 2`).length === 1, 'not run');
	assert.ok(!existsSync(`${heard}.stranger`));
	writeHook('#!/bin/sh\ncat > /dev/null\n');
	hasten();
	await settled();
	house.sql('UPDATE restaurants SET sms_guests = 0, mail_guests = 1');
});

test('the example for Solapi signs as Solapi wants it, and its answers are understood', async () => {
	const asked = [];
	let status = 200;
	const api = createServer((request, answer) => {
		let body = '';
		request.on('data', (chunk) => { body += chunk; });
		request.on('end', () => {
			const { authorization } = request.headers;
			const m = authorization?.match(/^HMAC-SHA256 apiKey=(\S+), date=(\S+), salt=(\S+), signature=([0-9a-f]{64})$/);
			const right = m && createHmac('sha256', 'the secret').update(m[2] + m[3]).digest('hex') === m[4];
			const fresh = m && Math.abs(Date.parse(m[2]) - Date.now()) < 900e3 && m[3].length >= 12 && m[3].length <= 64;
			asked.push({ path: request.url, key: m?.[1], right, fresh, salt: m?.[3], body: JSON.parse(body) });
			answer.writeHead(right && fresh ? status : 403, { 'Content-Type': 'application/json' });
			answer.end(JSON.stringify(status === 200 ? { groupInfo: { groupId: 'G4V1' } } : { errorCode: 'X', errorMessage: 'no' }));
		});
	});
	const port = await new Promise((resolve) => { api.listen(0, '127.0.0.1', () => resolve(api.address().port)); });
	const dir = mkdtempSync(path.join(tmpdir(), 'jari-solapi-'));
	const settings = path.join(dir, 'solapi.conf');
	writeFileSync(settings, `SOLAPI_URL=http://127.0.0.1:${port}\nSOLAPI_KEY=KEY1\nSOLAPI_SECRET='the secret'\nSOLAPI_FROM=0255501000\nSOLAPI_PFID=PF1\nSOLAPI_TEMPLATE_confirmed=T1\n`);
	const send = (message) => new Promise((resolve) => {
		const child = spawn('sh', [path.join(ROOT, 'docs/send-sms.solapi')], { env: { PATH: process.env.PATH, SOLAPI_CONF: settings }, stdio: ['pipe', 'pipe', 'pipe'] });
		let out = '';
		let err = '';
		child.stdout.on('data', (d) => { out += d; });
		child.stderr.on('data', (d) => { err += d; });
		child.on('exit', (code) => resolve({ code, out, err }));
		child.stdin.end(JSON.stringify(message));
	});
	const message = { id: 'jari-1-2', kind: 'confirmed', to: '01012345678', lang: 'ko', text: '[온기 식당] "확정" \\ 예약', vars: { restaurant: '온기 식당', name: '김민지', day: '11월 20일(금)', time: '18:00', party: '2', code: 'R1', until: '', amount: '', digits: '', link: 'https://x/r#t' } };
	const sent = await send(message);
	assert.equal(sent.code, 0, sent.err);
	assert.match(sent.out, /G4V1/);
	assert.ok(asked[0].right && asked[0].fresh && asked[0].key === 'KEY1' && asked[0].path === '/messages/v4/send-many/detail');
	const [first] = asked[0].body.messages;
	assert.deepEqual([first.to, first.from, first.text], ['01012345678', '0255501000', message.text]);
	assert.deepEqual([first.kakaoOptions.pfId, first.kakaoOptions.templateId, first.kakaoOptions.variables['#{name}']], ['PF1', 'T1', '김민지']);
	/* An event without a template goes as a plain text; a salt is never used twice. */
	assert.equal((await send({ ...message, kind: 'code' })).code, 0);
	assert.equal(asked[1].body.messages[0].kakaoOptions, undefined);
	assert.notEqual(asked[0].salt, asked[1].salt);
	for (const [code, exit] of [[500, 75], [429, 75], [400, 1]]) {
		status = code;
		assert.equal((await send(message)).code, exit, String(code));
	}
	await new Promise((resolve) => { api.close(resolve); });
	assert.equal((await send(message)).code, 75, 'nobody listens');
	rmSync(dir, { recursive: true, force: true });
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
	const key = () => ({ 'Idempotency-Key': `prove-${++number}` });
	const body = (guest, partySize = 1) => ({ restaurantId: 1, slotDate, slotTime: '18:00', partySize, reservationType: 'RESERVATION_DEPOSIT', guest });
	assert.equal((await house.api('POST', '/api/reservations', { headers: key(), body: body({ name: 'x', phone: '010-6999-0011' }) })).json.code, 'NO_WAY_TO_REACH');
	/* Five hundred made-up numbers at once take every seat, but only for half a minute. */
	const rush = await Promise.all(Array.from({ length: 500 }, (_, i) => house.api('POST', '/api/reservations', { headers: key(), body: body({ name: 'made up', phone: `010-50${String(i).padStart(2, '0').slice(0, 2)}-${String(i).padStart(4, '0')}`, email: `nobody${i}@example.com` }) })));
	assert.ok(rush.every((r) => [201, 409, 429].includes(r.status)), 'booked, full, or in the line');
	assert.ok(rush.filter((r) => r.status === 201).every((r) => r.json.status === 'TEMPORARY' && r.json.unproven));
	await until(() => house.read(`SELECT count(*) FROM reservations v JOIN restaurant_reservation_slots s USING (slot_id) WHERE s.slot_date = '${slotDate}' AND v.unproven = 1`) === '40', 'every seat is taken');
	assert.equal(server.mails.length, 0, 'nobody is told of a table that they do not have');
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
	/* Whoever is proven books at once. */
	const again = await house.api('POST', '/api/reservations', { token: made.accessToken, headers: key(), body: { ...body(undefined, 2), slotTime: '19:00' } });
	assert.deepEqual([again.status, again.json.status], [201, 'CONFIRMED']);
	house.sql('UPDATE restaurants SET prove_contact = 0, prove_seconds = 300, reservation_limit = 20');
	await settled();
});

/* ---- the courier dies ---- */

test('killed at each step the courier loses nothing; only between the server\'s yes and our hearing it is a mail sent twice', async () => {
	const times = { 'courier.sent': [1, 2], 'courier.reported': [1, 1] };
	for (const [point, [least, most]] of Object.entries(times)) {
		const fuse = path.join(mkdtempSync(path.join(tmpdir(), 'jari-fuse-')), 'fuse');
		const other = await openHouse({ env: { JARI_FAILPOINT: `${point}:kill:1`, JARI_FAILPOINT_FUSE: fuse } });
		try {
			other.jari('staff', 'add', 'owner@example.com', 'Park', '--password', PASSWORD);
			other.sql(`UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'; UPDATE restaurants SET deposit_per_person = 0, deposit_large_per_person = 0;
INSERT INTO mail_server (one, way, host, port, security, sender, updated_at) VALUES (1, 'SMTP', '127.0.0.1', ${server.port}, 'NONE', 'table@house.example', '2026-01-01T00:00:00Z')`);
			server.mails.length = 0;
			writeFileSync(fuse, '');
			const r = await other.api('POST', '/api/reservations', { headers: { 'Idempotency-Key': `kill-${++number}` }, body: { restaurantId: 1, slotDate: await nextDay(), slotTime: '18:00', partySize: 2, reservationType: 'RESERVATION_DEPOSIT', guest: { name: 'x', phone: '010-6200-0001', email: 'killed@example.com' } } });
			assert.equal(r.status, 201, r.text);
			await until(() => other.read('SELECT status FROM outbox') === 'SENT', `${point}: reported`, 30000);
			await pause(1500);
			assert.ok(server.mails.length >= least && server.mails.length <= most, `${point}: ${server.mails.length} mails`);
			assert.ok(!existsSync(fuse), 'it was killed');
			assert.equal(new Set(server.mails.map((m) => m.mail.messageId)).size, 1);
			console.log(`# ${point}: ${server.mails.length} mails`);
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
