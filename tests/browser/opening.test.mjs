/*
 * opening.test.mjs - a day opens: the countdown, the form that is filled in beforehand, the button that comes alive at the
 * moment, a device whose clock is wrong, and one who comes too late.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { axe, fillIn, openBrowser, openHouse, PHONE, showCard, until, visitor } from './house.mjs';

const shots = process.env.SCREENS; /* a folder for pictures */
const pages = [];
let browser;
let house;
let days;

before(async () => {
	browser = await openBrowser();
	house = await openHouse();
	house.sql('UPDATE restaurants SET deposit_per_person = 0, deposit_large_per_person = 0, window_days = 20, tell_owner = 0');
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	const from = Date.parse(`${today}T00:00:00Z`) + 70 * 864e5;
	days = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => new Date(from + i * 864e5)).filter((d) => d.getUTCDay() !== 1).map((d) => d.toISOString().slice(0, 10));
});
after(async () => { await browser?.close(); await house?.close(); });
afterEach(async () => {
	const wrong = pages.flatMap((p) => p.wrong);
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

/* A visitor whose device is so many milliseconds ahead; window.ahead can be changed later. */
async function open({ ahead = 0, ...device } = {}) {
	const page = await visitor(browser, house, { ...PHONE, locale: 'en-US', ...device });
	await page.addInitScript((ms) => {
		const now = Date.now.bind(Date);
		window.ahead = ms;
		Date.now = () => now() + window.ahead;
	}, ahead);
	page.asked = [];
	page.on('request', (r) => r.url().includes('/api/') && page.asked.push({ at: Date.now(), url: r.url(), method: r.method() }));
	pages.push(page);
	return page;
}
async function picture(page, name) {
	if (!shots) return;
	mkdirSync(shots, { recursive: true });
	await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: false });
}
/* These days open in so many seconds; the moment. */
function opening(seconds, from, to = from) {
	const at = new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000);
	house.sql(`DELETE FROM openings; INSERT INTO openings (restaurant_id, first_date, last_date, opens_at) VALUES (1, '${from}', '${to}', '${at.toISOString().slice(0, 19)}Z')`);
	return at.getTime();
}
const clean = async (page, what) => assert.equal(await axe(page), '', what);
const submit = (page) => page.locator('.details button[type=submit]');

test('the calendar says when a month opens, and a time of it can be chosen beforehand', async () => {
	opening(3600, days[0], days.at(-1));
	const page = await open();
	await page.goto(`/?party=2&date=${days[1]}`);
	await page.waitForSelector('.time');
	await page.waitForSelector(`.month-day.notYet[data-date="${days[1]}"]`);
	assert.match(await page.textContent(`[data-date="${days[1]}"]`), /opens \w+ \d+ \w+ \d\d:\d\d/);
	assert.match(await page.textContent('.notice.soon'), /^Booking opens on/);
	await clean(page, 'calendar');
	await picture(page, 'opening-1-calendar');
	await page.click('[data-time="18:00"]');
	await page.waitForSelector('.opening .clock');
	assert.equal(await submit(page).isDisabled(), true);
	assert.match(await submit(page).textContent(), /^Opens /);
	assert.match(await page.textContent('.opening .clock'), /^5\d:\d\d|^1:00:00/);
	await fillIn(page);
	await clean(page, 'countdown');
	await picture(page, 'opening-2-countdown');
	const ics = await page.evaluate(async () => (await fetch(document.querySelector('.opening a').href)).text());
	assert.match(ics, /BEGIN:VEVENT[\s\S]*DTSTART:\d{8}T\d{6}Z[\s\S]*TRIGGER:-PT10M/);
	assert.doesNotMatch(ics, /1234|민지/);
});

test('what was filled in outlives a reload, the button comes alive at the moment, and nothing is asked before it', async () => {
	const moment = opening(9, days[0]);
	const page = await open();
	await page.goto(`/?party=2&date=${days[0]}&time=18:00`);
	await page.waitForSelector('.opening .clock');
	await fillIn(page);
	await page.reload();
	await page.waitForSelector('.opening .clock');
	assert.equal(await page.inputValue('#f-name'), '김민지');
	assert.equal(await page.inputValue('#f-phone'), '010-1234-5678');
	assert.equal(await submit(page).isDisabled(), true);
	const waits = Date.now();
	await until(async () => !(await submit(page).isDisabled()), 'alive');
	const late = Date.now() - moment;
	assert.ok(late > -50 && late < 700, `alive ${late} ms after the moment`);
	assert.deepEqual(page.asked.filter((r) => r.at > waits + 500), [], 'nothing is asked in the last ten seconds or at the moment');
	assert.equal(await submit(page).textContent(), 'Book my table');
	await picture(page, 'opening-3-open');
	await submit(page).click();
	await page.waitForSelector('.reservation.confirmed');
});

test('a device whose clock is ten minutes ahead waits as long as the others', async () => {
	const moment = opening(7, days[1]);
	const page = await open({ ahead: 600000 });
	await page.goto(`/?party=2&date=${days[1]}&time=18:00`);
	await page.waitForSelector('.opening .clock');
	assert.match(await page.textContent('.opening .clock'), /^0:0\d$/);
	await until(async () => !(await submit(page).isDisabled()), 'alive');
	const late = Date.now() - moment;
	assert.ok(late > -50 && late < 900, `alive ${late} ms after the moment`);
});

test('one who presses too early is told, and the countdown is right again', async () => {
	opening(120, days[2]);
	const page = await open();
	await page.goto(`/?party=2&date=${days[2]}&time=18:00`);
	await page.waitForSelector('.opening .clock');
	await fillIn(page, { phone: '010-1234-5679' });
	await page.evaluate(() => { window.ahead = 3600000; }); /* the device's clock is set while the page waits */
	await until(async () => !(await submit(page).isDisabled()), 'alive by a wrong clock');
	await submit(page).click();
	await until(async () => (await page.textContent('.details > .notice')).startsWith('That was a moment too early'), 'told');
	assert.equal(await submit(page).isDisabled(), true);
	assert.match(await page.textContent('.opening .clock'), /^1:\d\d$|^2:00$/);
	assert.equal(await page.inputValue('#f-phone'), '010-1234-5679');
	await clean(page, 'too early');
});

test('one who comes after it is sold out sees so at once, with what else is free', async () => {
	const moment = opening(1, days[3]);
	house.sql('UPDATE restaurants SET reservation_limit = 4');
	await until(() => Date.now() > moment + 200, 'open');
	assert.equal((await house.seat(days[3], '18:00', 4)).status, 201);
	const page = await open();
	await page.goto(`/?party=2&date=${days[3]}&time=18:00`);
	await until(async () => (await page.textContent('.details > .notice')).includes('no table for 2'), 'told');
	assert.ok(await page.locator('.details > .notice .time').count() > 0);
});

const PASSWORD = 'correct horse 7';
async function openDesk() {
	const page = await open({ viewport: { width: 1024, height: 768 }, isMobile: false });
	if (!house.read("SELECT 1 FROM users WHERE email = 'owner@example.com'")) {
		house.jari('staff', 'add', 'owner@example.com', 'Park', '--password', PASSWORD);
		house.sql("UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'");
	}
	await page.goto('/desk/');
	await page.fill('#l-email', 'owner@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('.totals');
	return page;
}

test('the owner adds an opening by clicks, is told what is wrong with one, and the evening shows the next', async () => {
	house.sql('DELETE FROM openings; UPDATE restaurants SET reservation_limit = 20');
	const page = await openDesk();
	await showCard(page, 'openings');
	const card = page.locator('form', { hasText: 'Add an opening' });
	await card.getByRole('button', { name: 'Add an opening' }).click();
	await card.locator('[name=from]').fill(days[4]);
	await card.locator('[name=to]').fill(days[3]);
	const tomorrow = new Date(Date.now() + 864e5).toISOString().slice(0, 10);
	await card.locator('[name=opensAt]').fill(`${tomorrow}T10:00`);
	await card.locator('[type=submit]').click();
	await until(async () => /last date comes before/.test(await card.locator('.result').textContent()), 'refused');
	assert.equal(house.read('SELECT count(*) FROM openings'), '0');
	await card.locator('[name=to]').fill(days[5]);
	await card.locator('[type=submit]').click();
	await until(async () => (await card.locator('.result').textContent()) === 'Saved.', 'saved');
	assert.equal(house.read('SELECT count(*) FROM openings'), '1');
	await card.scrollIntoViewIfNeeded();
	await picture(page, 'opening-4-settings');
	await clean(page, 'settings');
	await page.click('#tabs a[href="#list"]');
	await until(async () => (await page.locator('.next-opening').textContent()).includes('Next opening'), 'next');
	await page.click('.next-opening');
	await page.waitForSelector('h2:has-text("Next opening")');
});

test('afterwards the desk shows how it went', async () => {
	house.sql(`INSERT INTO opening_results VALUES (1, '2026-11-01T01:00:00Z', 1874, 12, '[${[412, 388, 190, 77, 40, 31, 12, 9, 4, 4, 2, 1].join(',')}]', 40, 1130, 8400, 310, 0, '2026-11-01T01:10:00Z')`);
	const page = await openDesk();
	await page.goto('/desk/#opening');
	await page.waitForSelector('h2:has-text("How it went")');
	const text = await page.textContent('.house-page');
	assert.match(text, /Devices that waited1874/);
	assert.match(text, /Sold outafter 8.4 s/);
	assert.match(text, /Orderkept/);
	assert.equal(await page.locator('.plot').last().locator('.bar-of').count(), 12);
	await clean(page, 'how it went');
	await page.evaluate(() => [...document.querySelectorAll('h2')].find((h) => h.textContent.startsWith('How it went')).scrollIntoView());
	await page.evaluate(() => scrollBy(0, -80)); /* from under the head of the page */
	await picture(page, 'opening-5-went');
});
