/*
 * mail.test.mjs - what happens in the restaurant reaches a real mail server, once, in the right words; and what a server can
 * do wrong loses nothing.
 */
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { until } from '../browser/house.mjs';
import { LOGIN, makeCertificate, openRude, openServer, SECRET } from './server.mjs';
import { bin, book, desk, fresh, hasten, house, mailTo, manage, nextDay, outbox, server, settled, swapServer, useServer } from './setup.mjs';

test('a confirmation has everything a mail program and a calendar want; a change and a cancellation follow it', async () => {
	const r = await book({ requestMessage: '창가 자리' });
	const { mail, calendar, from, raw } = await mailTo(r.guest.email);
	assert.equal(from, 'table@house.example');
	assert.equal(mail.from.value[0].name, '온기 식당');
	assert.match(mail.subject, /^\[온기 식당\] 예약이 확정되었습니다: \d+월 \d+일\(.\) 18:00$/);
	assert.equal(mail.headers.get('auto-submitted'), 'auto-generated');
	assert.match(mail.messageId, /^<jari\.\d+\.\d+@house\.example>$/);
	for (const part of [mail.text, mail.html]) {
		for (const word of ['늘 고맙습니다.', '김민지님', r.reservationCode]) assert.ok(part.includes(word), word);
		assert.ok(!part.includes('창가 자리'), 'what a guest writes goes to no address that they have only typed');
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
	hasten(); /* it would rest for a minute */
	const changed = await mailTo(r.guest.email, 'the change');
	assert.match(changed.mail.subject, /변경되었습니다.*19:00/);
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
	house.sql(`UPDATE restaurants SET name_en = 'Bar: Ongi, "the" Table <x@y> (Seoul)'`);
	const r = await book({ lang: 'en', name: 'Zoë <b> & Søn' });
	const { mail, raw } = await mailTo(r.guest.email);
	house.sql(`UPDATE restaurants SET name_en = 'Ongi Table'`);
	assert.equal(mail.from.value[0].name, 'Bar: Ongi, "the" Table <x@y> (Seoul)');
	assert.match(mail.subject, /Your table is booked: \w{3} \d+ \w{3}, 18:00/);
	assert.equal(mail.from.value.length, 1);
	assert.equal(mail.from.value[0].address, 'table@house.example');
	assert.match(mail.text, /Thank you, as always\.[^]*Dear Zoë b Søn/, 'of a name that was only typed the letters');
	assert.ok(mail.html.includes('Bar: Ongi, &quot;the&quot; Table &lt;x@y&gt; (Seoul)'));
	assert.equal(raw.match(/^To: /gm).length, 1);
	for (const email of ['a@b.example\r\nBcc: c@d.example', 'a@b.example>', 'a b@c.example']) {
		const bad = await house.api('POST', '/api/reservations', { headers: { 'Idempotency-Key': `bad-${fresh()}` }, body: { restaurantId: 1, slotDate: await nextDay(), slotTime: '18:00', partySize: 2, reservationType: 'RESERVATION_DEPOSIT', guest: { name: 'x', phone: '010-6999-0001', email } } });
		assert.equal(bad.status, 400, bad.text);
	}
});

test('without messages nothing is written; without an address no mail is sent', async () => {
	await desk('PUT', '/api/desk/mail', { way: 'OFF' });
	const count = () => Number(house.read('SELECT count(*) FROM outbox'));
	const before = count();
	await book();
	assert.equal(count(), before);
	await useServer();
	const r = await house.api('POST', '/api/reservations', { headers: { 'Idempotency-Key': `none-${fresh()}` }, body: { restaurantId: 1, slotDate: await nextDay(), slotTime: '18:00', partySize: 2, reservationType: 'RESERVATION_DEPOSIT', guest: { name: 'x', phone: '010-6999-0002' } } });
	assert.equal(r.status, 201);
	assert.equal(count(), before);
});

test('STARTTLS and TLS with a login; an unknown certificate and a wrong password wait until they are mended', async () => {
	const certificate = makeCertificate();
	for (const security of ['STARTTLS', 'TLS']) {
		await swapServer({ security, auth: true, certificate });
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
	await swapServer();
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

/* While the house sends its mail to a server that says these things. */
async function withRude(says, work, greetingMs = 0) {
	const rude = await openRude(says, greetingMs);
	try {
		await useServer({ port: rude.port });
		await work();
	} finally {
		await rude.close();
	}
}

test('what a server has against the box itself is put off, also with a 5', async () => {
	const steps = {
		connect: '554 no SMTP service here', EHLO: '550 5.0.0 I do not know you',
		MAIL: '553 5.1.8 that is no sender', RCPT: '550 5.4.5 Daily sending quota exceeded',
		DATA: '554 5.7.1 policy', content: '552 5.3.4 quota',
	};
	for (const [step, text] of Object.entries(steps)) {
		await withRude({ [step]: text }, async () => {
			const r = await book();
			const put = await until(() => outbox(`attempts = 1 AND reservation_id = ${r.reservationId}`)[0], step);
			assert.equal(put.status, 'QUEUED', `${step}: ${put.answer}`);
			assert.ok(put.answer.includes(text), put.answer);
			if (step !== 'content') return house.sql(`UPDATE outbox SET status = 'SKIPPED' WHERE status = 'QUEUED'`);
			/* A second time, and the desk says so. */
			const { today } = (await house.api('GET', '/api/restaurants/1')).json;
			hasten();
			const seen = await until(async () => {
				const { json } = await desk('GET', `/api/desk/day?restaurantId=1&date=${today}`);
				return json.messagesWaiting > 0 && json;
			}, 'shown at the desk', 40000);
			assert.ok(seen.messagesAnswer.includes(text), seen.messagesAnswer);
			return undefined;
		});
	}
	await useServer();
});

test('a server that refuses one guest after another refuses the box: nothing is given up, all arrives later', async () => {
	let all = [];
	await withRude({ RCPT: '550 5.2.1 that mailbox takes no mail' }, async () => {
		all = [await book(), await book(), await book(), await book()];
		const ids = all.map((r) => r.reservationId).join();
		const put = () => outbox(`attempts = 1 AND status = 'QUEUED' AND reservation_id IN (${ids})`).length;
		await until(() => put() === 4, 'put off, all four');
	});
	await useServer();
	hasten();
	for (const r of all) await mailTo(r.guest.email);
});

test('addresses that do not exist are given up, however many come one after the other', async () => {
	await withRude({ RCPT: '550 5.1.1 nobody of that name' }, async () => {
		const ids = (await Promise.all([book(), book(), book(), book()])).map((r) => r.reservationId).join();
		await until(() => outbox(`status = 'FAILED' AND reservation_id IN (${ids})`).length === 4, 'given up, all four');
	});
	await useServer();
});

test('a server that says no goodbye keeps no guest waiting, and one that greets late is waited for, also with a code', async () => {
	await withRude({ QUIT: null }, async () => {
		const ids = (await Promise.all([book(), book()])).map((r) => r.reservationId).join();
		await until(() => outbox(`status = 'SENT' AND event = 'confirmed' AND reservation_id IN (${ids})`).length === 2, 'both', 20000);
	});
	await withRude({}, async () => {
		const guest = { name: '늦은 인사', phone: '010-6999-0001', email: 'late-greeting@example.com' };
		assert.equal((await house.api('POST', '/api/proofs', { body: { restaurantId: 1, guest } })).status, 201);
		const code = () => outbox(`event = 'code' AND attempts > 0`).pop();
		await until(() => code(), 'the code', 20000);
		assert.equal(code().status, 'SENT', code().answer);
	}, 4500);
	await useServer();
});

test('many changes are one message with what it came to, and none if it came to nothing', async () => {
	const r = await book();
	await mailTo(r.guest.email);
	await settled();
	server.mails.length = 0;
	const moveTo = async (slotTime) => assert.equal((await manage(r, 'change', { slotTime })).status, 200);
	for (const slotTime of ['19:00', '20:00', '19:00', '20:00']) await moveTo(slotTime);
	assert.equal(outbox(`status = 'QUEUED'`).length, 1);
	assert.equal(server.mails.length, 0, 'it rests');
	hasten();
	assert.match((await mailTo(r.guest.email)).mail.subject, /20:00/);
	await settled();
	for (const slotTime of ['19:00', '20:00']) await moveTo(slotTime);
	hasten();
	await settled();
	assert.equal(server.mails.length, 1, 'the guest knows it');
	assert.match(outbox(`event = 'changed' AND reservation_id = ${r.reservationId}`).pop().answer, /last told/);
});

test('a server that hangs or breaks off in the middle of a mail costs no guest a booking, and the mail comes once', async () => {
	server.fail.push('hang');
	const a = await book();
	await until(() => server.fail.length === 0, 'the server has it and says nothing');
	const begun = Date.now();
	await book({ email: 'meanwhile@example.com' });
	assert.ok(Date.now() - begun < 2000, 'a booking is not kept waiting');
	server.cutAll();
	await until(() => outbox(`status = 'QUEUED' AND attempts = 1`).length >= 1, 'put off');
	await mailTo('meanwhile@example.com');
	server.fail.push('cut');
	hasten();
	await until(() => server.fail.length === 0 && outbox(`status = 'QUEUED' AND attempts >= 2`).length >= 1, 'put off again');
	hasten();
	await mailTo(a.guest.email);
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
	assert.match((await mailTo(r.guest.email)).mail.subject, /식당 사정으로 예약이 취소/);
	server.mails.length = 0;
	assert.equal((await act('undo')).status, 200);
	hasten();
	assert.match((await mailTo(r.guest.email)).mail.subject, /변경되었습니다/);
	await settled();
});
