/*
 * numbers.test.mjs - the owner's numbers, and what of the desk is printed: the sheet of the evening, the card for the table.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { axe, clockAt, dayAt, DESKTOP, openBrowser, openHouse, PHONE, until, visitor, zoneWhereItIs } from './house.mjs';

const PASSWORD = 'correct horse 7';
const shots = process.env.SCREENS; /* a folder for pictures */
const pages = [];
let browser;
let house;
let zone;
let token;

before(async () => {
	browser = await openBrowser();
	house = await openHouse();
	zone = zoneWhereItIs(19);
	house.jari('staff', 'add', 'owner@example.com', 'Park', '--password', PASSWORD);
	house.sql(`UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'; DELETE FROM opening_hours;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00' FROM json_each('[1,2,3,4,5,6,7]');
INSERT INTO dining_tables (restaurant_id, name, seats_min, seats_max) SELECT 1, value, 1, 4 FROM json_each('["Window","2","3","4"]');
UPDATE restaurants SET timezone = '${zone}', slot_minutes = 60, deposit_per_person = 0, deposit_large_per_person = 0`);
	token = (await house.api('POST', '/api/login', { body: { email: 'owner@example.com', password: PASSWORD } })).json.accessToken;
});
after(async () => { await browser?.close(); await house?.close(); });
afterEach(async () => {
	const wrong = pages.flatMap((p) => p.wrong);
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

async function enter(device, tab = '') {
	const page = await visitor(browser, house, device);
	pages.push(page);
	await page.goto('/desk/');
	await page.fill('#l-email', 'owner@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('.totals');
	if (tab) await page.click(`#tabs a[href="#${tab}"]`);
	return page;
}
const desk = async (method, address, body) => {
	const answer = await house.api(method, `${address}?restaurantId=1`, { token, body });
	assert.ok(answer.status < 300, answer.text);
	return answer.json;
};
/* A party of two hours at most ago, or to come. */
async function book(guestName, minutes, more = {}) {
	const at = Date.now() + minutes * 60000;
	return desk('POST', '/api/desk/reservations', { slotDate: dayAt(at, zone), slotTime: clockAt(at, zone), partySize: 2, guestName, ...more });
}
const act = (r, word) => desk('POST', `/api/desk/reservations/${r.reservationId}/${word}`, { version: r.version });
async function picture(page, name, more = {}) {
	if (!shots) return;
	mkdirSync(shots, { recursive: true });
	await page.screenshot({ path: path.join(shots, `${name}.png`), ...more });
}
/* What is wider than the window, but for what scrolls by itself. */
const tooWide = (page) => page.evaluate(() => [...document.querySelectorAll('body *')].filter((n) => n.getBoundingClientRect().right > innerWidth + 1 && !n.closest('.plot-scroll, .unseen, .skip, .strip')).map((n) => `${n.tagName}.${n.className}`));

test('three figures say of what they are, every plot has its numbers in a table, on any screen and in the dark', async () => {
	await act(await book('Came', -50, { phone: '010-2000-0001', partySize: 4 }), 'complete');
	await act(await book('Stayed away', -40, { phone: '010-2000-0002' }), 'no-show');
	await act(await book('Cancelled', 60, { phone: '010-2000-0003' }), 'cancel');
	await book('To come', 90, { phone: '010-2000-0004', partySize: 3 });
	for (const [device, dark] of [[DESKTOP, false], [PHONE, true]]) {
		const page = await enter({ ...device, locale: 'en-US', colorScheme: dark ? 'dark' : 'light' }, 'numbers');
		await page.waitForSelector('.heat');
		const figures = await page.locator('.figure').allTextContents();
		assert.match(figures[0], /^Guests7.*in 2 parties/);
		assert.match(figures[1], /^No-shows50 %1 of 2 parties whose time has come/);
		assert.match(figures[2], /^Cancelled25 %1 of 4 parties that were booked/);
		assert.match(await page.textContent('.at-glance + .hint'), /nothing before to compare with/);
		assert.equal(await page.locator('.columns-of .bar-of').count(), 28);
		assert.equal(await page.locator('.figures tr').count(), 28, 'the same in a table');
		assert.match(await page.locator('.shares').nth(1).textContent(), /New guests2100 %/);
		assert.equal(await axe(page), '', dark ? 'phone, dark' : 'desktop');
		assert.deepEqual(await tooWide(page), []);
		await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
		await page.waitForTimeout(200);
		assert.deepEqual(await tooWide(page), [], 'large letters');
	}
});

test('a year is read in parts, a span is one tap, and other dates are kept to', async () => {
	const page = await enter({ ...DESKTOP, locale: 'en-US' }, 'numbers');
	await page.waitForSelector('.heat');
	let asked = 0;
	page.on('request', (r) => { asked += r.url().includes('/api/desk/reports') ? 1 : 0; });
	await page.click('[data-span=year]');
	await until(async () => (await page.locator('.columns-of .bar-of').count()) === 52, 'weeks');
	assert.equal(asked, 24, 'a year and the one before, month by month');
	assert.equal(await page.getAttribute('[data-span=year]', 'aria-pressed'), 'true');
	const today = await page.inputValue('#n-to');
	await page.fill('#n-from', today);
	await until(async () => (await page.locator('.columns-of .bar-of').count()) === 1, 'one day');
	assert.equal(await page.locator('[data-span][aria-pressed=true]').count(), 0);
	await page.fill('#n-from', '2099-01-01');
	await page.waitForSelector('.wrong[role=alert]');
});

test('the numbers are compared with the time before where the book knows it', async () => {
	const now = house.read(`SELECT max(slot_date) FROM restaurant_reservation_slots`);
	/* A day that was nine weeks ago has a slot: the book begins there. */
	house.sql(`INSERT INTO restaurant_reservation_slots (restaurant_id, slot_date, slot_time, max_capacity) VALUES (1, date('${now}', '-63 days'), '18:00', 10)`);
	const page = await enter({ ...DESKTOP, locale: 'ko-KR' }, 'numbers');
	await page.waitForSelector('.change');
	assert.deepEqual(await page.locator('.change').allTextContents(), ['직전 4주: 없음', '직전 4주: –', '직전 4주: –']);
	assert.equal(await page.locator('.at-glance + .hint').count(), 0);
	assert.equal(await axe(page), '');
});

test('on paper the numbers have no buttons', async () => {
	const page = await enter({ ...DESKTOP, locale: 'en-US' }, 'numbers');
	await page.waitForSelector('.heat');
	await page.emulateMedia({ media: 'print' });
	assert.equal(await page.locator(':is(button, input, summary, .files a):visible').count(), 0);
	assert.ok(await page.isVisible('.printed-span'), 'which days they are of');
	assert.ok(await page.isVisible('.heat'));
});

test('the printed evening is a run sheet with everything that is needed when the box is down', async () => {
	await book('Ada Lovelace', 200, { phone: '010-3000-0001', partySize: 4, tags: ['birthday', 'nuts'], note: 'by the window', requestMessage: 'ten minutes late', tables: [{ tableId: Number(house.read(`SELECT table_id FROM dining_tables WHERE name = 'Window'`)) }] });
	const page = await enter({ ...DESKTOP, locale: 'en-US' });
	await page.waitForSelector('.row:has-text("Ada Lovelace")');
	await page.waitForResponse((r) => r.url().endsWith('/evening/sheet.js'), { timeout: 10000 }).catch(() => {});
	await page.waitForTimeout(500);
	/* Nothing comes from the box any more. */
	await page.route('**/*', (route) => route.abort());
	await page.emulateMedia({ media: 'print' });
	await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
	const sheet = page.locator('.sheet');
	assert.ok(await sheet.isVisible());
	assert.equal(await page.locator('body > :not(.sheet):visible').count(), 0, 'nothing else is printed');
	assert.match(await sheet.locator('header').textContent(), /Printed .*19:/);
	const row = sheet.locator('tr', { hasText: 'Ada Lovelace' });
	const cells = await row.locator('th, td').allTextContents();
	assert.match(cells[3], /Ada Lovelace\+?82|Ada Lovelace010-3000/);
	assert.equal(cells[4], 'Window');
	assert.match(cells[5], /^\u26a0\ufe0e Allergy: nutsBirthdayten minutes lateby the window/, 'what can harm comes first');
	assert.ok(await row.locator('.tick-box').isVisible());
	assert.equal(await row.locator('.done').count(), 0);
	assert.equal(await sheet.locator('.done').count(), 1, 'who came is ticked');
	assert.doesNotMatch(await sheet.textContent(), /Stayed away|Cancelled/);
	assert.ok(await sheet.locator('.blank').count() >= 4, 'lines for who walks in');
	assert.equal(await sheet.locator('button, a').count(), 0);
	await page.evaluate(() => dispatchEvent(new Event('afterprint')));
	await page.emulateMedia({ media: 'screen' });
	assert.equal(await sheet.count(), 0);
	assert.ok(await page.isVisible('.row'), 'the evening is on the screen again');
});

test('an evening without reservations is a form to fill in, and the button prints it', async () => {
	const page = await enter({ ...DESKTOP, locale: 'ko-KR' });
	await page.addInitScript(() => { window.print = () => { window.printed = document.querySelector('.sheet').textContent; }; });
	await page.reload();
	await page.waitForSelector('.totals');
	await page.fill('.days input', '2031-02-03');
	await until(async () => /2월 3일/.test(await page.textContent('.day-name')), 'that day');
	await page.click('.new .menu summary');
	await page.click('.new .print');
	await until(() => page.evaluate(() => window.printed), 'printed');
	assert.match(await page.evaluate(() => window.printed), /2031년 2월 3일.*이날은 예약이 없습니다/);
	assert.equal(await page.locator('.sheet .blank').count(), 12);
});

test('the table card speaks the language of the house, says its address, and is printed by a button', async () => {
	house.sql(`UPDATE restaurants SET name = 'Zum Goldenen Hirschen am Hackeschen Markt', name_en = NULL, language = 'en'`);
	const page = await enter({ ...PHONE, locale: 'en-US' });
	await page.addInitScript(() => { window.print = () => { window.printed = true; }; });
	await page.goto('/desk/card.html?restaurant=1');
	await page.waitForSelector('#print:not(:disabled)');
	assert.equal(await page.evaluate(() => window.printed), undefined, 'not before it is asked');
	assert.equal(await page.textContent('h1'), 'Zum Goldenen Hirschen am Hackeschen Markt');
	assert.deepEqual(await page.locator('.scan').allTextContents(), ['Scan to book a table'], 'no Korean in a house without a Korean name');
	assert.equal(await page.textContent('#address'), new URL(house.url).host);
	assert.deepEqual(await tooWide(page), []);
	assert.equal(await axe(page), '');
	await page.click('#print');
	assert.ok(await page.evaluate(() => window.printed));
	await page.emulateMedia({ media: 'print' });
	assert.ok(!(await page.isVisible('#print')));
	const box = await page.locator('main').boundingBox();
	assert.deepEqual([Math.round(box.width / 96 * 25.4), Math.round(box.height / 96 * 25.4)], [105, 148], 'A6');
	assert.deepEqual(await page.$$eval('.crop', (marks) => marks.map((m) => getComputedStyle(m).display)), Array(4).fill('block'), 'marks to cut along');
	await page.emulateMedia({ media: 'screen' });
	house.sql(`UPDATE restaurants SET name = '온기 식당', name_en = 'Ongi Table', language = 'ko'`);
	await page.reload();
	await page.waitForSelector('#print:not(:disabled)');
	assert.deepEqual(await page.locator('.scan').allTextContents(), ['휴대폰으로 찍으면 예약할 수 있습니다', 'Scan to book a table']);
	await picture(page, 'card');
});
