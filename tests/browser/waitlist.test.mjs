/*
 * waitlist.test.mjs - by clicks alone: a full time, the waitlist, the offer, confirmed, the reminder, "I cannot come", the next
 * in line; a code on a new telephone; the desk's part of it; and the mails as a guest sees them.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { openServer } from '../mail/server.mjs';
import { axe, openBrowser, openHouse, PHONE, showCard, until, visitor } from './house.mjs';

const TABLET = { viewport: { width: 1024, height: 768 }, hasTouch: true };
const PASSWORD = 'correct horse 7';
const shots = process.env.SCREENS; /* a folder for pictures */
let browser;
let house;
let server;
let slotDate;
const pages = [];

before(async () => {
	browser = await openBrowser();
	house = await openHouse();
	server = await openServer();
	house.jari('staff', 'add', 'owner@example.com', 'Park', '--password', PASSWORD);
	house.sql(`UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com';
UPDATE restaurants SET deposit_per_person = 0, deposit_large_per_person = 0, quiet_from = 0, quiet_to = 0, reservation_limit = 4, tell_owner = 0, day_sheet_hour = 0, message_text = '늘 고맙습니다. 주차는 건물 뒤편입니다.'`);
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	for (let i = 3; ; i++) {
		const date = new Date(Date.parse(`${today}T00:00:00Z`) + i * 864e5);
		slotDate = date.toISOString().slice(0, 10);
		if (date.getUTCDay() > 1) break; /* on Mondays it is closed, on Sundays there is no 21:00 */
	}
});
after(async () => { await browser?.close(); await server?.close(); await house?.close(); });
afterEach(async () => {
	const wrong = pages.flatMap((p) => p.wrong);
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

async function open(device) {
	const page = await visitor(browser, house, device);
	pages.push(page);
	return page;
}
const clean = async (page, what) => assert.equal(await axe(page), '', what);
async function picture(page, name) {
	if (!shots) return;
	mkdirSync(shots, { recursive: true });
	await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: false });
}
const mailTo = (address, subject) => until(() => server.mails.find((m) => m.to.includes(address) && subject.test(m.mail.subject)), `${subject} to ${address}`, 25000);

/* The HTML of a mail as a browser shows it; its links work. */
async function openMail(page, mail, name) {
	await page.goto('about:blank'); /* a mail has no policy of ours */
	await page.setContent(mail.html);
	await picture(page, name);
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${name} fits`);
	await clean(page, name);
}

test('the owner sets mail up at the desk and sends a test', async () => {
	const page = await open({ ...TABLET, locale: 'en-US' });
	await page.goto('/desk/');
	await page.fill('#l-email', 'owner@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('.totals');
	await showCard(page, 'mail');
	const form = page.locator('form', { has: page.locator('[name=sender]') });
	await form.locator('select').first().selectOption('SMTP');
	await form.locator('[name=host]').fill('127.0.0.1');
	await form.locator('select').nth(1).selectOption('NONE');
	await form.locator('[name=port]').fill(String(server.port));
	await form.locator('[name=sender]').fill('table@house.example');
	await form.locator('[type=submit]').click();
	await until(async () => (await form.locator('.result').first().textContent()) === 'Saved.', 'saved');
	await showCard(page, 'messages');
	const rules = page.locator('form', { has: page.locator('[name=notifyEmail]') });
	await rules.locator('[name=notifyEmail]').fill('owner@house.example');
	await rules.locator('[type=submit]').click();
	await until(async () => (await rules.locator('.result').textContent()) === 'Saved.', 'saved');
	await showCard(page, 'mail');
	await page.click('#mail-test');
	await until(async () => /Sent\. The server said: 250 .*queued/.test(await form.textContent()), 'the answer', 20000);
	await form.scrollIntoViewIfNeeded();
	await clean(page, 'settings with messages');
	await picture(page, 'desk-7-mail');
	/* Who is logged in; another device is logged out from here. */
	const other = await open({ ...PHONE, locale: 'en-US' });
	await other.goto('/desk/');
	await other.fill('#l-email', 'owner@example.com');
	await other.fill('#l-password', PASSWORD);
	await other.click('.login .primary');
	await other.waitForSelector('.totals');
	await showCard(page, 'box');
	await page.waitForSelector('.sessions li >> nth=1');
	assert.ok((await page.textContent('.sessions')).includes('Linux'));
	await page.click('.sessions li:first-child button');
	await until(() => page.locator('.sessions li').count().then((n) => n === 1), 'gone from the list');
	await other.waitForSelector('#l-password', { timeout: 5000 });
});

test('full, waitlist, offer, taken, reminder, cannot come, the next in line: by clicks alone', async () => {
	const filled = await house.seat(slotDate, '18:00', 4);
	assert.equal(filled.status, 201);
	const first = await open({ ...PHONE, locale: 'ko-KR' });
	const second = await open({ ...PHONE, locale: 'en-US' });
	for (const [page, name, phone, email] of [[first, '첫째', '010-4000-0001', 'first@example.com'], [second, 'Second', '010-4000-0002', 'second@example.com']]) {
		await page.goto(`/?party=2&date=${slotDate}`);
		await page.click('[data-time="18:00"]');
		await page.waitForSelector('button.wait');
		await clean(page, 'full');
		if (page === first) await picture(page, 'phone-6-full');
		await page.click('button.wait');
		await page.fill('#w-name', name);
		await page.fill('#w-phone', phone);
		await page.fill('#w-email', email);
		await clean(page, 'joining');
		await page.click('dialog [type=submit]');
		await page.waitForSelector('.rank b');
	}
	assert.equal(await first.textContent('.rank b'), '1');
	assert.equal(await second.textContent('.rank b'), '2');
	await clean(first, 'waiting');
	await picture(first, 'phone-7-waitlist');
	/* A reload keeps it, and it stands among one's own. */
	await second.reload();
	await second.waitForSelector('.rank b');
	await second.click('#mine');
	await second.click('.mine a[href^="/?wait="]');
	await second.waitForSelector('.rank b');

	/* A guest cancels: the first sees it on the page, and has it in the mail. */
	const cancelled = await house.api('POST', `/api/reservations/${filled.json.reservationId}/cancel`, { headers: { 'X-Manage-Token': filled.json.manageToken }, body: {} });
	assert.equal(cancelled.status, 200);
	await first.waitForSelector('#take', { timeout: 15000 });
	await clean(first, 'offered');
	await picture(first, 'phone-8-offer');
	const offer = await mailTo('first@example.com', /자리가 났습니다/);
	const reader = await open({ ...PHONE, viewport: { width: 360, height: 780 }, locale: 'ko-KR' });
	await openMail(reader, offer.mail, 'mail-1-offer');
	/* By the link in the mail, on another device. */
	await reader.click('a.b');
	await reader.waitForSelector('#take');
	await reader.click('#take');
	await reader.waitForSelector('.reservation.confirmed');
	const confirmed = await mailTo('first@example.com', /확정/);
	const dark = await open({ ...PHONE, viewport: { width: 360, height: 780 }, colorScheme: 'dark' });
	await openMail(dark, confirmed.mail, 'mail-2-confirmed-dark');
	await first.waitForSelector('.reservation.confirmed', { timeout: 12000 });
	/* Two seats were left over: the second has them by now. */
	await second.waitForSelector('#take', { timeout: 15000 });
	await second.click('text=No, thank you');
	await second.click('dialog .danger.solid');
	await second.waitForSelector('.reservation.canceled');
	/* Seats that were declined are everybody's for half an hour; it is over. */
	house.sql('DELETE FROM left_seats');
	await second.goto(`/?party=4&date=${slotDate}`);
	await second.click('[data-time="18:00"]');
	await second.click('button.wait');
	await second.click('dialog [type=submit]');
	await second.waitForSelector('.rank b');

	/* The day before: the mail asks, the page has the buttons, and "I cannot come" is one of them. */
	house.sql(`UPDATE restaurants SET remind_day_hours = 168; UPDATE reservations SET created_at = '2026-01-01T00:00:00Z' WHERE guest_email = 'first@example.com'`);
	const reminder = await mailTo('first@example.com', /예약 안내/);
	await openMail(reader, reminder.mail, 'mail-3-reminder');
	await reader.click('a.b >> nth=0');
	await reader.waitForSelector('#coming');
	await clean(reader, 'are you coming');
	await picture(reader, 'phone-9-coming');
	await reader.click('#coming');
	await reader.waitForSelector('text=알려 주셔서 고맙습니다');
	assert.equal(house.read(`SELECT count(*) FROM reservations WHERE coming_at IS NOT NULL`), '1');
	await openMail(reader, reminder.mail, 'mail-3-reminder');
	await reader.click('a.b >> nth=1');
	await reader.waitForSelector('.reservation.confirmed');
	await reader.click('text=예약 취소');
	await reader.click('dialog .danger.solid');
	await reader.waitForSelector('.reservation.canceled');
	await mailTo('first@example.com', /취소되었습니다/);
	/* ... and the next in line has the seats. */
	await second.waitForSelector('#take', { timeout: 15000 });
	await second.click('#take');
	await second.waitForSelector('.reservation.confirmed');
	const english = await mailTo('second@example.com', /Your table is booked/);
	await openMail(reader, english.mail, 'mail-4-english');
	house.sql('UPDATE restaurants SET remind_day_hours = 24');
});

test('the desk sees who waits, offers, removes and adds; more seats at one time are one tap away', async () => {
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	house.sql(`UPDATE reservations SET status = 'CANCELED' WHERE status IN ('CONFIRMED', 'TEMPORARY')`);
	await until(() => house.read(`SELECT count(*) FROM waitlist WHERE is_waiting = 1`) === '0', 'no guest waits');
	assert.equal((await house.seat(slotDate, '19:00', 4)).status, 201);
	const page = await open({ ...TABLET, locale: 'ko-KR' });
	await page.goto('/desk/');
	await page.fill('#l-email', 'owner@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('.totals');
	/* A tap while the other day is on its way is not lost. */
	await page.route('**/api/desk/day*', async (route) => {
		await new Promise((resolve) => setTimeout(resolve, 1500));
		await route.continue();
	}, { times: 1 });
	await page.fill('input[type=date]', slotDate);
	for (const [name, phone] of [['문앞 손님', '010-4100-0001'], ['전화 손님', '010-4100-0002']]) {
		await page.click('.new .menu summary');
		await page.click('#add-waiter');
		await page.fill('#aw-time', '19:00');
		await page.fill('#aw-name', name);
		await page.fill('#aw-phone', phone);
		await clean(page, 'adding a guest');
		await page.click('dialog [type=submit]');
		await page.waitForSelector(`.waiter:has-text("${name}")`);
	}
	await clean(page, 'with a waitlist');
	await picture(page, 'desk-8-waitlist');
	await page.locator('.waiter', { hasText: '전화 손님' }).locator('[data-act=remove]').click();
	await until(() => page.locator('.waiter').count().then((n) => n === 1), 'removed');
	await page.locator('.waiter').locator('[data-act=offer]').click();
	await until(async () => /자리가 나면 자동으로/.test(await page.textContent('#toast')), 'no seats to offer');
	await page.locator('.strip button', { hasText: '19:00' }).click();
	await page.waitForSelector('#pace-n');
	await clean(page, 'how many may start');
	await page.fill('#pace-n', '6');
	await page.click('dialog [type=submit]');
	await page.waitForSelector('.waiter.offered');
	/* Two at one time are removed together, once it is said twice. */
	await page.click('.new .menu summary');
	await page.click('#add-waiter');
	await page.fill('#aw-time', '19:00');
	await page.fill('#aw-name', '다시 온 손님');
	await page.fill('#aw-phone', '010-4100-0003');
	await page.click('dialog [type=submit]');
	await page.click('[data-act=clear][data-time="19:00"]');
	await clean(page, 'removing all');
	await page.click('dialog .danger.solid');
	await until(() => page.locator('.waiter').count().then((n) => n === 0), 'all removed');
	assert.ok(today);
});

test('a booking that must be proven asks for its code; on a new telephone a code brings everything back', async () => {
	assert.equal((await house.seat(slotDate, '21:00', 4)).status, 201);
	house.sql('UPDATE restaurants SET prove_contact = 1');
	const page = await open({ ...PHONE, locale: 'en-US' });
	await page.goto(`/?party=2&date=${slotDate}&time=20:00`);
	await page.fill('#f-name', 'Proven');
	await page.fill('#f-phone', '010-4200-0001');
	await page.fill('#f-email', 'proven@example.com');
	await page.click('.primary');
	await page.waitForSelector('#prove-code');
	const code = (await mailTo('proven@example.com', /\d{6}/)).mail.subject.match(/\d{6}/)[0];
	await clean(page, 'a code is asked for');
	await picture(page, 'phone-10-code');
	await page.fill('#prove-code', code === '111111' ? '111112' : '111111');
	await page.click('.prove [type=submit]');
	await until(async () => /not the code/.test(await page.textContent('.prove .wrong')), 'a wrong one');
	await page.fill('#prove-code', code);
	await page.click('.prove [type=submit]');
	await page.waitForSelector('.reservation.confirmed');
	server.mails.length = 0;
	const other = await open({ ...PHONE, locale: 'en-US' });
	await other.goto('/?view=my');
	await other.click('details.all summary');
	await other.fill('#all-phone', '+82 10 4200 0001');
	await other.fill('#all-email', 'proven@example.com');
	await clean(other, 'find all');
	await other.click('form:has(#all-email) [type=submit]');
	await other.fill('#prove-code', (await mailTo('proven@example.com', /\d{6}/)).mail.subject.match(/\d{6}/)[0]);
	await other.click('.prove [type=submit]');
	await other.waitForSelector('.mine li.live');
	/* They have not said their name here: the next booking asks for it. */
	assert.equal(await other.evaluate(() => JSON.parse(localStorage.getItem('jari.guest') ?? '{}').name), undefined);
	await other.click('.mine li.live a');
	await other.waitForSelector('.reservation.confirmed');
	/* Waiting keeps others back: the list, too, is for those who have proven theirs. */
	const waiter = await open({ ...PHONE, locale: 'en-US' });
	await waiter.goto(`/?party=2&date=${slotDate}`);
	await waiter.click('[data-time="21:00"]');
	await waiter.click('button.wait');
	await waiter.fill('#w-name', 'Waits');
	await waiter.fill('#w-phone', '010-4200-0002');
	await waiter.fill('#w-email', 'waits@example.com');
	await waiter.click('dialog [type=submit]');
	await waiter.waitForSelector('#prove-code');
	await clean(waiter, 'a code before waiting');
	await waiter.fill('#prove-code', (await mailTo('waits@example.com', /\d{6}/)).mail.subject.match(/\d{6}/)[0]);
	await waiter.click('.prove [type=submit]');
	await waiter.waitForSelector('.rank b');
	house.sql('UPDATE restaurants SET prove_contact = 0');
});
