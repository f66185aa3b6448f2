/*
 * setup.mjs - a house with its mail server for the tests of a file, and what they share.  The files run side by side, each with a
 * house of its own, because most of their time is spent waiting for the keeper's next look.
 */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach } from 'node:test';
import { openHouse, until } from '../browser/house.mjs';
import { openServer } from './server.mjs';

export const PASSWORD = 'correct horse 7';
export const OWNER = 'owner@house.example';
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export let house;
let owner;
export let server;
export let bin; /* a folder with the sendmail of the box */
let day = 0;
let number = 0;

before(async () => {
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
/* Every test begins with a quiet house: nothing due, no quiet hours, only guests told, by mail, nothing left to send. */
beforeEach(() => {
	house.sql(`UPDATE outbox SET status = 'SKIPPED' WHERE status = 'QUEUED'; UPDATE restaurants SET deposit_per_person = 0, quiet_from = 0, quiet_to = 0, tell_owner = 0, day_sheet_hour = 0,
remind_day_hours = 24, remind_minutes = 60, hold_seconds = 420, reservation_limit = 20, sms_guests = 0, mail_guests = 1, prove_contact = 0, prove_seconds = 300`);
	server.mails.length = 0;
	server.fail.length = 0;
	server.pace.ms = 0;
});

export const desk = (method, address, body) => house.api(method, address, { token: owner, body });
export const outbox = (where = '1') => JSON.parse(house.read(`SELECT json_group_array(json_object('id', outbox_id, 'event', event, 'channel', channel, 'status', status, 'attempts', attempts, 'answer', last_answer)) FROM (SELECT * FROM outbox WHERE ${where} ORDER BY outbox_id)`));
export const hasten = () => house.sql(`UPDATE outbox SET next_attempt_at = '2026-01-01T00:00:00Z' WHERE status = 'QUEUED'`);
export const settled = () => until(() => Number(house.read(`SELECT count(*) FROM outbox WHERE status = 'QUEUED'`)) === 0, 'everything sent', 30000);
export const mailTo = (address, what = 'a mail') => until(() => server.mails.find((m) => m.to.includes(address)), `${what} to ${address}`, 40000);

/* Another server in the place of the one before. */
export async function swapServer(options) {
	await server.close();
	server = await openServer(options);
}

/* A number that no other guest or key of this run has. */
export const fresh = () => ++number;

export async function useServer(more = {}) {
	const set = await desk('PUT', '/api/desk/mail', { way: 'SMTP', host: '127.0.0.1', port: server.port, security: 'NONE', sender: 'table@house.example', site: house.url, ...more });
	assert.equal(set.status, 200, set.text);
	assert.equal((await desk('PUT', '/api/desk/settings?restaurantId=1', { notifyEmail: OWNER, messageText: '늘 고맙습니다.', messageTextEn: 'Thank you, as always.' })).status, 200);
}

export async function nextDay() {
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	for (;;) {
		const date = new Date(Date.parse(`${today}T00:00:00Z`) + (++day + 2) * 864e5);
		if (date.getUTCDay() !== 1) return date.toISOString().slice(0, 10);
	}
}

/* A guest with a number and an address of their own books; resolves to the answer. */
export async function request({ email, lang = 'ko', slotDate, slotTime = '18:00', partySize = 2, name = '김민지', ...more } = {}) {
	const n = ++number;
	const guest = { name, phone: `010-6000-${String(n).padStart(4, '0')}`, email: email ?? `guest${n}@example.com` };
	const answer = await house.api('POST', '/api/reservations', { headers: { 'Accept-Language': lang, 'Idempotency-Key': `mail-${process.pid}-${n}` }, body: { restaurantId: 1, slotDate: slotDate ?? await nextDay(), slotTime, partySize, reservationType: 'RESERVATION_DEPOSIT', guest, ...more } });
	return { ...answer, guest };
}

/* The same, and it is made; resolves to the 201. */
export async function book(wish) {
	const made = await request(wish);
	assert.equal(made.status, 201, made.text);
	return { ...made.json, guest: made.guest };
}
export const manage = (r, word, body = {}) => house.api('POST', `/api/reservations/${r.reservationId}/${word}`, { body, headers: { 'X-Manage-Token': r.manageToken } });
