/*
 * guests.test.mjs - who a guest is, at the desk in Chromium: a number that was typed wrong is corrected, turns out to be another
 * guest's, the two become one and two again; the list of guests, its tags, and the rows of the evening.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';
import { axe, clockAt, dayAt, openBrowser, openHouse, PHONE, until, visitor, zoneWhereItIs } from './house.mjs';

const TABLET = { viewport: { width: 1024, height: 768 }, hasTouch: true };
const PASSWORD = 'correct horse 7';
const SHOTS = process.env.GUEST_SHOTS; /* a folder, to look at them */
let browser;
let house;
let page;
let token;
const pages = [];

before(async () => {
	browser = await openBrowser();
	house = await openHouse();
	house.jari('staff', 'add', 'kim@example.com', 'Kim', '--password', PASSWORD);
	house.jari('staff', 'add', 'owner@example.com', 'Park', '--role', 'owner', '--password', PASSWORD);
	const zone = zoneWhereItIs(19);
	house.sql(`DELETE FROM opening_hours;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00' FROM json_each('[1,2,3,4,5,6,7]');
UPDATE restaurants SET timezone = '${zone}', slot_minutes = 30, deposit_per_person = 0, deposit_large_per_person = 0`);
	token = (await house.api('POST', '/api/login', { body: { email: 'kim@example.com', password: PASSWORD } })).json.accessToken;
});
after(async () => { await browser?.close(); await house?.close(); });
afterEach(async () => {
	const wrong = pages.flatMap((p) => p.wrong);
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	house.sql(`UPDATE reservations SET status = 'CANCELED' WHERE status IN ('CONFIRMED', 'TEMPORARY')`);
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

const clean = async (what) => assert.equal(await axe(page), '', what);
const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
const ownerOf = (id) => house.read(`SELECT u.phone FROM reservations v JOIN users u USING (user_id) WHERE reservation_id = ${id}`);

async function shot(name) {
	if (!SHOTS) return;
	mkdirSync(SHOTS, { recursive: true });
	await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

async function enter(device, hash = '', email = 'kim@example.com') {
	page = await visitor(browser, house, device);
	pages.push(page);
	await page.goto(`/desk/${hash}`);
	await page.fill('#l-email', email);
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector(hash === '#guests' ? '.guests-page .guest-list' : '[data-id], .empty');
}

/* By telephone, this many minutes from now. */
async function book(guestName, phone, minutes, partySize = 2) {
	const { timezone } = (await house.api('GET', '/api/restaurants/1')).json;
	const at = new Date(Date.now() + minutes * 60000);
	const body = { slotDate: dayAt(at, timezone), slotTime: clockAt(at, timezone), partySize, guestName, ...(phone ? { phone } : {}) };
	const made = await house.api('POST', '/api/desk/reservations?restaurantId=1', { token, body });
	assert.equal(made.status, 201, made.text);
	return made.json;
}

const toast = (text) => page.waitForSelector(`#toast:not([hidden]) span:has-text("${text}")`);

test('a number that was typed wrong is corrected from the reservation, is another guest\'s, and the two become one and two again', async () => {
	const wrong = await book('Kim Minji', '010-7000-0001', 60);
	const right = await book('Minji Kim', '010-7000-0002', 180, 4);
	await enter({ ...TABLET, locale: 'en-US' });
	await page.click(`[data-id="${wrong.reservationId}"] .who`);
	await page.click('dialog button:text-is("Guest")');
	await page.waitForSelector('#person-title:has-text("Kim Minji")');
	await clean('a guest');
	await shot('person');
	/* Another number: it is corrected, and Undo puts it back. */
	await page.click('dialog button:has-text("Correct")');
	await page.waitForSelector('#g-phone');
	await clean('correcting');
	await shot('correct');
	await page.fill('#g-phone', '010-7000-0009');
	await page.fill('#g-name', 'Kim Min-ji');
	await page.click('dialog [type=submit]');
	await toast('Saved.');
	assert.equal(ownerOf(wrong.reservationId), '01070000009');
	await page.waitForSelector('#person-title:has-text("Kim Min-ji")');
	await page.click('dialog button:text-is("Close")');
	await page.waitForSelector(`[data-id="${wrong.reservationId}"] b:has-text("Kim Min-ji")`);
	await page.click('#toast button');
	await until(() => ownerOf(wrong.reservationId) === '01070000001', 'the number is back');
	/* The number of somebody who is here already: the same person? */
	await page.click(`[data-id="${wrong.reservationId}"] .who`);
	await page.click('dialog button:text-is("Guest")');
	await page.click('dialog button:has-text("Correct")');
	await page.fill('#g-phone', '+82 10 7000 0002');
	await page.fill('#g-note', 'likes the window');
	await page.click('dialog [type=submit]');
	await page.waitForSelector('h2:has-text("the same person?")');
	assert.match(await page.textContent('dialog'), /\+82 10 7000 0002 is the number of Minji Kim/);
	await clean('the same person?');
	await shot('same-person');
	await page.click('dialog button:has-text("Merge them")');
	await toast('Merged.');
	assert.equal(ownerOf(wrong.reservationId), '01070000002');
	await page.waitForSelector('dialog .merges');
	assert.match(await page.textContent('dialog'), /likes the window/);
	assert.equal(await page.locator('dialog h3:has-text("Reservations") + ul li').count(), 2);
	await clean('merged');
	await shot('merged');
	/* Undo: two again. */
	await page.click('dialog button:text-is("Close")');
	await page.click('#toast button');
	await until(() => ownerOf(wrong.reservationId) === '01070000001', 'they are two again');
	assert.equal(ownerOf(right.reservationId), '01070000002');
});

test('two who have the same time are named and stay two', async () => {
	const one = await book('Lee One', '010-7000-0011', 90);
	const other = await book('Lee Two', '010-7000-0012', 90, 3);
	assert.equal(one.slotTime, other.slotTime);
	await enter({ ...TABLET, locale: 'en-US' });
	await page.click(`[data-id="${one.reservationId}"] .who`);
	await page.click('dialog button:text-is("Guest")');
	await page.click('dialog button:has-text("Same person as")');
	await page.fill('#g-other', 'Lee T');
	await page.click('dialog .found button:has-text("Lee Two")');
	await page.click('dialog button:has-text("Merge them")');
	await page.waitForSelector('#meet-title');
	assert.match(await page.textContent('dialog .found'), /Lee One \(2 guests\), Lee Two \(3 guests\)/);
	await clean('they meet');
	await shot('meet');
	assert.equal(ownerOf(one.reservationId), '01070000011');
});

test('the list of guests: found by name and number, tagged, and the tags stand on the evening', async () => {
	const guest = await book('박서연', '010-7000-0021', 60);
	await book('No Number', '', 60);
	await enter({ ...PHONE, locale: 'ko-KR' }, '#guests', 'owner@example.com');
	const row = `[data-guest="${guest.guestId}"]`;
	await page.waitForSelector(row);
	assert.equal(await page.locator('.guest:has-text("No Number")').count(), 0, 'who left no number cannot be found again');
	assert.ok(await fits());
	await clean('the list');
	await shot('list-phone');
	await page.click(`${row} button`);
	await page.click('dialog button:has-text("수정")');
	await page.check('dialog .chip:has-text("VIP") input', { force: true });
	await page.fill('#g-labels', '창가 자리, 와인');
	await page.click('dialog [type=submit]');
	await page.waitForSelector('dialog .label:has-text("창가 자리")');
	assert.ok(await fits());
	await shot('person-phone');
	await page.click('dialog button:text-is("닫기")');
	await page.waitForSelector(`${row} .label:has-text("와인")`);
	/* By a tag, by a part of the number, by a name that nobody has. */
	await page.check('.filters input[value="tag:와인"]', { force: true });
	await until(async () => (await page.locator('.guest').count()) === 1, 'the one with that tag');
	await page.check('.filters input[value=""]', { force: true });
	await page.fill('#g-q', '0021');
	await until(async () => (await page.locator('.guest').count()) === 1, 'the one with that number');
	await page.fill('#g-q', '아무도');
	await page.waitForSelector('.guests-page .hint:has-text("없습니다")');
	assert.equal(await page.locator('.guest').count(), 0);
	/* 200 % text: nothing hangs out of the page. */
	await page.fill('#g-q', '');
	await page.waitForSelector(row);
	await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
	assert.ok(await fits(), '200 %');
	await page.emulateMedia({ colorScheme: 'dark' });
	await clean('dark');
	await shot('list-dark-200');
	await page.evaluate(() => { document.documentElement.style.fontSize = ''; });
	await page.click('#tabs a[href="#list"]');
	await page.waitForSelector(`[data-id="${guest.reservationId}"] .label:has-text("VIP")`);
	await shot('evening-phone');
});
