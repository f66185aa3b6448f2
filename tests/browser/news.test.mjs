/*
 * news.test.mjs - new things announce themselves at the desk, money is waited for in one list, guests say that they are late
 * or here, and none of it is red in a console.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { axe, clockAt, dayAt, openBrowser, openHouse, PHONE, until, visitor, zoneWhereItIs } from './house.mjs';

const TABLET = { viewport: { width: 1024, height: 768 }, hasTouch: true, locale: 'en-US' };
const PASSWORD = 'correct horse 7';
let browser;
let house;
let zone;
const pages = [];

before(async () => {
	browser = await openBrowser();
	house = await openHouse();
	house.jari('staff', 'add', 'kim@example.com', 'Kim', '--password', PASSWORD);
	zone = zoneWhereItIs(17);
	house.sql(`DELETE FROM opening_hours;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00' FROM json_each('[1,2,3,4,5,6,7]');
UPDATE restaurants SET timezone = '${zone}', sitting_minutes = 90, slot_minutes = 30, lead_minutes = 0, deposit_per_person = 0, deposit_large_per_person = 0`);
});
after(async () => { await browser?.close(); await house?.close(); });
afterEach(async () => {
	const wrong = pages.flatMap((p) => p.wrong);
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	house.sql(`UPDATE restaurants SET deposit_per_person = 0; UPDATE reservations SET status = 'CANCELED' WHERE status IN ('CONFIRMED', 'TEMPORARY')`);
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

const shots = process.env.SHOTS;
const picture = (page, name) => shots && page.screenshot({ path: path.join(shots, `${name}.png`) });
const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

async function open(device) {
	const page = await visitor(browser, house, device);
	page.expected = /^Service Worker registration blocked by Playwright$/; /* nothing at all is expected on these consoles */
	pages.push(page);
	return page;
}

async function enter(device = TABLET) {
	const page = await open(device);
	await page.goto('/desk/');
	await page.fill('#l-email', 'kim@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('.totals');
	await until(() => page.evaluate(() => localStorage.getItem('jari.news.1')), 'the desk has looked');
	return page;
}

/* A guest books so many minutes from now, at the restaurant's time. */
let guests = 0;
async function book(name, minutes, partySize = 2) {
	const at = new Date(Math.ceil((Date.now() + minutes * 60000) / 1800000) * 1800000);
	const body = { restaurantId: 1, slotDate: dayAt(at, zone), slotTime: clockAt(at, zone), partySize, reservationType: 'RESERVATION_DEPOSIT', guest: { name, phone: `010-8100-${String(++guests).padStart(4, '0')}` } };
	const made = await house.api('POST', '/api/reservations', { body, headers: { 'Idempotency-Key': `news-${guests}-${Date.now()}` } });
	assert.equal(made.status, 201, made.text);
	return made.json;
}

const DAY = 24 * 60;

test('a booking for another day stands above the evening and in the title, and a tap opens it on its day', async () => {
	const page = await enter();
	assert.ok(await page.isHidden('#news'));
	const title = await page.title();
	assert.doesNotMatch(title, /^\(/);
	const first = await book('Han', 2 * DAY);
	await page.waitForSelector('#news .news-one');
	assert.match(await page.textContent('.news-one'), /^New booking · .* · Han · 2 guests$/);
	assert.equal(await page.title(), `(1) ${title}`);
	await book('Cho', 3 * DAY, 3);
	await until(async () => (await page.title()) === `(2) ${title}`, 'two are counted');
	await until(async () => /Cho/.test(await page.textContent('#status')), 'it is said aloud, politely');
	await page.click('#news [data-key=fold]');
	assert.equal(await page.locator('#news li').count(), 2);
	assert.equal(await axe(page), '', 'the list of news');
	assert.ok(await fits(page));
	await picture(page, 'news-list');
	await page.click('#news li >> text=Han');
	await page.waitForSelector('dialog[open] #one-title');
	assert.match(await page.textContent('#one-title'), /Han/);
	assert.equal(await page.inputValue('input[type=date]'), first.slotDate);
	await page.keyboard.press('Escape');
	assert.equal((await page.title()).slice(0, 4), '(1) ');
	/* What was seen stays seen over a reload, and what was not stays new. */
	await page.reload();
	await page.waitForSelector('#news .news-one');
	assert.match(await page.textContent('.news-one'), /Cho/);
	await page.click('#news [data-key=seen]');
	assert.ok(await page.isHidden('#news'));
	assert.doesNotMatch(await page.title(), /^\(/);
});

test('what staff do is no news, on none of their tablets', async () => {
	const page = await enter();
	const login = await house.api('POST', '/api/login', { body: { email: 'kim@example.com', password: PASSWORD } });
	const at = new Date(Date.now() + 60 * 60000);
	const made = await house.api('POST', '/api/desk/reservations?restaurantId=1', { token: login.json.accessToken, body: { slotDate: dayAt(at, zone), slotTime: clockAt(at, zone), partySize: 2, guestName: 'Telephone' } });
	assert.equal(made.status, 201, made.text);
	await page.waitForSelector('.row >> text=Telephone');
	await page.waitForTimeout(1500);
	assert.ok(await page.isHidden('#news'));
});

test('what waits for money is one tap away whichever day it is for, and is confirmed there', async () => {
	house.sql('UPDATE restaurants SET deposit_per_person = 5000');
	const page = await enter({ ...PHONE, locale: 'en-US' });
	const held = await book('Saturday', 4 * DAY);
	assert.equal(held.status, 'TEMPORARY');
	await page.waitForSelector('#news [data-key=holds]');
	assert.match(await page.textContent('.news-one'), /^New, waiting for its money/);
	assert.equal(await page.textContent('#news [data-key=holds] .long'), 'Waiting for money 1');
	await picture(page, 'news-phone');
	assert.ok(await fits(page));
	await page.click('#news [data-key=holds]');
	await page.waitForSelector('.holds .row');
	assert.match(await page.textContent('.holds .row'), /Saturday.*₩10,000/s);
	assert.match(await page.textContent('.holds [data-hold]'), /[67]:\d\d/);
	assert.equal(await axe(page), '', 'the holds of all days');
	assert.ok(await fits(page));
	await picture(page, 'news-holds');
	await page.click('.holds .primary');
	await page.waitForSelector('#pay-title');
	await page.click('dialog .primary');
	await until(() => house.read(`SELECT status FROM reservations WHERE reservation_id = ${held.reservationId}`) === 'CONFIRMED', 'it is paid');
	await page.waitForSelector('#news [data-key=holds]', { state: 'detached' });
});

test('a guest says late, then on time, then here; the row follows and Arrived ends it', async () => {
	const page = await enter();
	const r = await book('Moon', 0);
	await page.waitForSelector('.row >> text=Moon');
	await page.click('#news [data-key=seen], #news .news-one');
	await page.keyboard.press('Escape');
	const guest = await open({ ...PHONE, locale: 'en-US' });
	await guest.goto(`/r#${r.manageToken}`);
	await guest.waitForSelector('.today');
	assert.equal(await axe(guest), '', 'the line of the day');
	assert.ok(await fits(guest));
	await picture(guest, 'today-phone');
	await guest.click('.today >> text=20 min late');
	await guest.waitForSelector('.today >> text=20 minutes late');
	await page.waitForSelector('.row >> text=says 20 min late');
	await until(async () => /Says 20 min late.*Moon/.test(await page.textContent('#news')), 'the news say so');
	await picture(page, 'news-late');
	await guest.click('.today >> text=On time after all');
	await page.waitForSelector('.row >> text=says 20 min late', { state: 'detached' });
	await guest.click('#here');
	await guest.waitForSelector('.today >> text=knows that you are here');
	await picture(guest, 'today-here');
	await page.waitForSelector('.here-box >> text=says they are here');
	await picture(page, 'news-here');
	await page.click('.here-box [data-act=arrive]');
	await page.waitForSelector('.row.arrived >> text=Moon');
	await until(() => house.read(`SELECT visit_status FROM reservations WHERE reservation_id = ${r.reservationId}`) === 'ARRIVED', 'staff said so');
	await guest.reload();
	await guest.waitForSelector('.reservation.confirmed');
	assert.equal(await guest.locator('.today').count(), 0);
});

test('a sound comes only after somebody has pressed something, and stays off where it was turned off', async () => {
	const page = await open(TABLET);
	await page.addInitScript(() => {
		window.made = 0;
		window.tones = 0;
		const Real = window.AudioContext;
		window.AudioContext = class extends Real {
			constructor() { super(); window.made++; }
			createOscillator() { window.tones++; return super.createOscillator(); }
		};
	});
	await page.goto('/desk/');
	assert.equal(await page.evaluate(() => window.made), 0);
	await page.fill('#l-email', 'kim@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('.totals');
	await until(() => page.evaluate(() => localStorage.getItem('jari.news.1')), 'the desk has looked');
	await page.click('.day-name');
	await book('Bell', 2 * DAY);
	await page.waitForSelector('.news-one');
	assert.equal(await page.evaluate(() => window.made), 1);
	await until(() => page.evaluate(() => window.tones === 2), 'two tones');
	await page.click('#news [data-key=sound]');
	assert.equal(await page.getAttribute('#news [data-key=sound]', 'aria-pressed'), 'false');
	await book('Quiet', 2 * DAY + 60);
	await page.waitForSelector('#news [data-key=fold]');
	assert.equal(await page.evaluate(() => window.tones), 2);
});

test('a place in the line, a full time, a double booking, an unknown number and refusals leave the console empty', async () => {
	const guest = await open({ ...PHONE, locale: 'en-US' });
	const { slotDate, slotTime } = await book('Taken', 5 * DAY, 2);
	/* The pen is held: the guest waits in the line and is told so again and again. */
	const held = await house.holdPen(40);
	const fill = async (name, phone) => {
		await guest.fill('#f-name', name);
		await guest.fill('#f-phone', phone);
	};
	await guest.goto(`/?party=2&date=${slotDate}&time=${slotTime}`);
	await guest.waitForSelector('#f-name');
	await fill('Rush', '010-8200-0001');
	const told = [];
	guest.on('response', async (a) => { const status = a.headers()['jari-status']; if (status) told.push(`${a.status()} ${status}`); });
	await guest.click('.primary');
	await guest.waitForSelector('dialog.waiting');
	await until(() => told.filter((s) => s === '200 429').length >= 2, 'the place was asked for');
	held.release();
	await held.released;
	await guest.waitForSelector('.reservation.confirmed', { timeout: 20000 });
	/* The same number again from another device. */
	const other = await open({ ...PHONE, locale: 'en-US' });
	other.on('response', (a) => { const status = a.headers()['jari-status']; if (status) told.push(`${a.status()} ${status}`); });
	await other.goto(`/?party=2&date=${slotDate}&time=${slotTime}`);
	await other.waitForSelector('#f-name');
	await other.fill('#f-name', 'Rush');
	await other.fill('#f-phone', '010-8200-0001');
	await other.click('.primary');
	await until(() => told.includes('200 409'), 'the second booking is refused');
	/* The desk: not logged in, a number that is not known, a party that does not fit. */
	const page = await open(TABLET);
	page.on('response', (a) => { const status = a.headers()['jari-status']; if (status) told.push(`${a.status()} ${status}`); });
	await page.goto('/desk/');
	await page.waitForSelector('#l-email');
	assert.ok(told.includes('200 401'));
	await page.fill('#l-email', 'kim@example.com');
	await page.fill('#l-password', 'wrong');
	await page.click('.login .primary');
	await until(async () => (await page.textContent('.wrong')).length > 5, 'it says no');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('.totals');
	const refused = await page.evaluate(async () => {
		const { get, post } = await import('/api.js');
		const code = (promise) => promise.then(() => 'done', (e) => `${e.status} ${e.code}`);
		return [
			await code(post('/api/desk/person', { phone: '010-9999-0000' }, { query: { restaurantId: 1 } })),
			await code(post('/api/desk/walk-ins', { partySize: 900 }, { query: { restaurantId: 1 } })),
			await code(get('/api/desk/house', { query: { restaurantId: 1 } })),
			await code(get('/api/no-such-thing')),
		];
	});
	assert.match(refused.join(', '), /^404 NOT_FOUND, 4\d\d \w+, 403 FORBIDDEN, 404 NOT_FOUND$/);
});
