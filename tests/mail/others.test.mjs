/*
 * others.test.mjs - messages that are no mail to a guest: to the owner, and text messages by a command.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT, until, zoneWhereItIs } from '../browser/house.mjs';
import { bin, book, desk, fresh, hasten, house, mailTo, outbox, OWNER, pause, server, settled } from './setup.mjs';

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
	/* What is missing or killed has said nothing about the message. */
	writeHook('#!/bin/sh\nkill -9 $$\n');
	hasten();
	await until(() => outbox(`channel = 'SMS' AND status = 'QUEUED' AND attempts = 2`).length === 1, 'killed: later');
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

test('a mail server that hangs delays text messages by one time-out, however many mails are due', async () => {
	house.sql('UPDATE restaurants SET sms_guests = 1, reservation_limit = 100');
	writeHook('#!/bin/sh\ncat > /dev/null\n');
	server.fail.push('hang', 'hang', 'hang', 'hang', 'hang', 'hang');
	const made = [];
	for (let i = 0; i < 6; i++) made.push(await book());
	await until(() => server.fail.length === 5, 'the first mail hangs');
	await pause(3000);
	server.cutAll(); /* as a time-out would */
	const ids = made.map((r) => r.reservationId).join();
	await until(() => outbox(`channel = 'SMS' AND status = 'SENT' AND reservation_id IN (${ids})`).length === 6, 'all six text messages', 6000);
	assert.ok(server.fail.length >= 4, `${server.fail.length} mails had not hung yet`);
	server.fail.length = 0;
	server.cutAll();
	hasten();
	for (const r of made) await mailTo(r.guest.email);
	await settled();
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
	assert.equal((await send(message)).code, 75, 'no server listens');
	rmSync(dir, { recursive: true, force: true });
});
