/*
 * services.test.mjs - by clicks: an owner says lunch and dinner, a night until two and a special week; a guest books half past
 * midnight of that evening, and the desk has it there.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { axe, dayAt, DESKTOP, openBrowser, openHouse, PHONE, showCard, until, visitor } from './house.mjs';

const shots = process.env.SCREENS; /* a folder for pictures */
const ZONE = 'Asia/Seoul';
const DAY = 864e5;
const pages = [];
let browser;
let house;
let ahead = 0; /* by how many seconds the clock of the box differs */
const clock = path.join('/tmp', `jari-clock-${process.pid}`);

const now = () => Date.now() + ahead * 1000;
const addDays = (day, n) => new Date(Date.parse(`${day}T00:00:00Z`) + n * DAY).toISOString().slice(0, 10);
/* It is that hour of a day in Seoul. */
function standAt(day, hour) {
	ahead = Math.round((Date.parse(`${day}T00:00:00+09:00`) + hour * 36e5 - Date.now()) / 1000);
	writeFileSync(clock, `${ahead}\n`);
}
const tonight = addDays(dayAt(Date.now(), ZONE), 1); /* the clock goes forward only */

before(async () => {
	standAt(tonight, 12);
	browser = await openBrowser();
	house = await openHouse({ env: { JARI_CLOCK_FILE: clock } });
	house.jari('staff', 'add', 'owner@example.com', 'Kim', '--password', 'correct horse 7');
	house.sql("UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'");
	house.sql(`UPDATE restaurants SET timezone = '${ZONE}', deposit_per_person = 0, deposit_large_per_person = 0, lead_minutes = 0, reservation_limit = 20`);
});
after(async () => { await browser?.close(); await house?.close(); });
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
async function owner() {
	const page = await open({ ...DESKTOP, locale: 'en-US' });
	await page.goto('/desk/');
	await page.fill('#l-email', 'owner@example.com');
	await page.fill('#l-password', 'correct horse 7');
	await page.click('.login .primary');
	await page.waitForSelector('.totals');
	return page;
}
async function picture(node, name) {
	if (!shots) return;
	mkdirSync(shots, { recursive: true });
	await node.screenshot({ path: path.join(shots, `${name}.png`) });
}
const card = (page, heading) => page.locator('form.card', { has: page.locator('h2', { hasText: heading }) });
const saved = (form) => until(async () => /Saved\.|would not/.test(await form.locator('.result').textContent()), 'saved');

test('an owner sets lunch and dinner until two in the morning, each with its own rules', async () => {
	const page = await owner();
	await showCard(page, 'hours');
	const form = card(page, /^Opening hours$/);
	await form.first().waitFor();
	while (await form.locator('.service').count()) await form.locator('.service [aria-label=Remove]').first().click();
	for (const [from, to, last] of [['11:30', '14:30', ''], ['17:30', '02:00', '01:00']]) {
		await form.locator('text=Add a service').click();
		const row = form.locator('.service').last();
		await row.locator('text=Every day').click();
		const times = row.locator('input[type=time]');
		await times.nth(0).fill(from);
		await times.nth(1).fill(to);
		if (last) await times.nth(2).fill(last);
	}
	const dinner = form.locator('.service').last();
	assert.match(await dinner.textContent(), /Until 02:00 in the morning after/);
	assert.equal(await dinner.locator('input').nth(7).getAttribute('placeholder'), 'Dinner');
	await dinner.locator('summary').click();
	assert.equal(await dinner.locator('[data-field=partyMax]').getAttribute('placeholder'), '12'); /* the house's */
	await dinner.locator('[data-field=slotMinutes]').fill('30');
	await dinner.locator('[data-field=sittingMinutes]').fill('120');
	await dinner.locator('[data-field=depositPerPerson]').fill('10000');
	assert.match(await dinner.locator('summary').textContent(), /\(3\)/);
	assert.equal(await axe(page), '');
	if (shots) await page.setViewportSize({ width: 1280, height: 1600 });
	await picture(form, 'rules-services');
	await form.locator('[type=submit]').click();
	await saved(form);
	assert.equal(house.read("SELECT group_concat(DISTINCT opens || ' ' || closes || ' ' || label || ' ' || ifnull(last_seating, '-') || ' ' || ifnull(deposit_per_person, '-')) FROM opening_hours WHERE restaurant_id = 1"), '11:30 14:30 lunch - -,17:30 26:00 dinner 25:00 10000');
	/* The same rows come back as two services, not fourteen. */
	await page.reload();
	await form.locator('.service').nth(1).waitFor();
	assert.equal(await form.locator('.service').count(), 2);
});

test('services that overlap are refused in words, and nothing is saved', async () => {
	const page = await owner();
	await showCard(page, 'hours');
	const form = card(page, /^Opening hours$/);
	await form.locator('.service').first().waitFor();
	await form.locator('.service').first().locator('input[type=time]').nth(1).fill('18:00');
	await form.locator('[type=submit]').click();
	await until(async () => /overlap/.test(await form.locator('.result').textContent()), 'the refusal');
	assert.equal(house.read("SELECT max(closes) FROM opening_hours WHERE label = 'lunch'"), '14:30');
	page.wrong.length = 0; /* the 400 that was to be seen */
});

test('a range of special days is tapped, noted, seen by guests and taken back', async () => {
	const page = await owner();
	const from = addDays(tonight, 3);
	const to = addDays(tonight, 5);
	await showCard(page, 'special');
	const form = card(page, /^Special days$/);
	await form.locator(`[data-day="${from}"]`).click();
	await form.locator(`[data-day="${to}"]`).click();
	assert.equal(await form.locator('[aria-pressed=true]').count(), 3);
	await form.locator('select').selectOption('asWeek');
	await form.locator('[name=note]').fill('Truffle week');
	await form.getByLabel('Deposit a head on these days').fill('30000');
	await form.locator('[type=submit]').last().click();
	await saved(form);
	assert.equal(house.read('SELECT count(*) FROM special_days WHERE as_week = 1'), '3');
	assert.match(await form.locator('.special').textContent(), /Truffle week/);
	/* Another day: nothing of the last one stays in the form, and its own services are those of its week. */
	await form.locator(`[data-day="${addDays(tonight, 7)}"]`).click();
	assert.equal(await form.locator('[name=note]').inputValue(), '');
	await form.locator('select').selectOption('ownHours');
	assert.equal(await form.locator('.service').count(), 2);
	const guest = await open({ ...PHONE, locale: 'en-US' });
	await guest.goto(`/?party=2&date=${from}`);
	await guest.waitForSelector('.day-note:not([hidden])');
	assert.equal(await guest.textContent('.day-note'), 'Truffle week');
	await form.locator('.special button').click();
	await until(() => house.read('SELECT count(*) FROM special_days') === '0', 'taken back');
});

test('special days are under the rule of all settings: one bar, nothing typed is lost, what is removed comes back', async () => {
	const page = await owner();
	const [first, second, third] = [9, 10, 16].map((n) => addDays(tonight, n));
	await showCard(page, 'special');
	const form = card(page, /^Special days$/);
	const tap = (day) => form.locator(`[data-day="${day}"]`).click();
	const note = form.locator('[name=note]');
	const bar = page.locator('.save-bar.changed');
	const rows = () => house.read("SELECT group_concat(day || ' ' || ifnull(note, '-'), ', ') FROM (SELECT * FROM special_days ORDER BY day)");
	/* Days are as they are: to look at them changes nothing. */
	await tap(first);
	await tap(second);
	assert.equal(await form.locator('select').inputValue(), 'asUsual');
	assert.equal(await bar.count(), 0);
	await form.locator('select').selectOption('closedDay');
	await note.fill('Wedding');
	await until(async () => /^Not saved: .* – /.test(await page.textContent('.unsaved')), 'the bar names the days');
	/* Other days: asked first; who stays has what was typed, of the same days. */
	await tap(third);
	await page.click('dialog button:has-text("Stay")');
	assert.equal(await note.inputValue(), 'Wedding');
	assert.equal(await form.locator('[aria-pressed=true]').count(), 2);
	await form.locator('[name=from]').fill(third);
	await form.locator('[name=from]').blur();
	await page.waitForSelector('dialog[open]');
	await page.click('dialog button:has-text("Stay")');
	assert.equal(await form.locator('[name=from]').inputValue(), first);
	assert.equal(await note.inputValue(), 'Wedding');
	/* A longer range keeps it; and saving by the question goes on to the other days. */
	await form.locator('[name=to]').fill(addDays(second, 1));
	await form.locator('[name=to]').blur();
	assert.equal(await note.inputValue(), 'Wedding');
	await form.locator('[name=to]').fill(second);
	await form.locator('[name=to]').blur();
	await tap(third);
	await page.click('dialog .primary');
	await until(() => rows() === `${first} Wedding, ${second} Wedding`, 'saved');
	await until(async () => (await form.locator('[name=from]').inputValue()) === third, 'the other days');
	assert.equal(await bar.count(), 0);
	/* What is removed is gone at once, comes back by a tap, and takes no typed word along. */
	await form.locator('select').selectOption('closedDay');
	await note.fill('Holiday');
	await form.locator('.special button').click();
	await until(() => rows() === '', 'removed');
	await page.click('#toast button');
	await until(() => rows() === `${first} Wedding, ${second} Wedding`, 'back again');
	assert.equal(await note.inputValue(), 'Holiday');
	assert.equal(await bar.count(), 1);
	/* A range of days that differ can be made one. */
	await page.click('.save-bar .plain');
	await form.locator('[name=from]').waitFor();
	await tap(second);
	await tap(addDays(second, 1));
	await until(() => bar.count(), 'one of them is another');
	assert.equal(await axe(page), '');
	await bar.locator('[type=submit]').click();
	await until(() => rows().split(',').length === 3, 'three');
	assert.equal(await bar.count(), 0);
	/* Leaving asks, as everywhere. */
	await note.fill('Funeral');
	await page.click('.house-menu [data-card=hours]');
	await page.waitForSelector('dialog[open]');
	await page.click('dialog button:has-text("Do not save")');
	await page.waitForSelector('[data-card=hours][aria-current]');
	house.sql('DELETE FROM special_days');
});

test('a guest books half past midnight of an evening, and the desk has it there', async () => {
	const guest = await open({ ...PHONE, locale: 'en-US' });
	await guest.goto(`/?party=2&date=${tonight}`);
	await guest.waitForSelector('h4.night');
	assert.match(await guest.textContent('h4.night'), /After midnight, the night of/);
	assert.deepEqual(await guest.locator('.slots h3').allTextContents(), ['Lunch', 'Dinner']);
	assert.equal(await guest.textContent('[data-time="24:30"] b'), '00:30');
	await guest.locator('h4.night').scrollIntoViewIfNeeded();
	await picture(guest, 'rules-night');
	await guest.click('[data-time="24:30"]');
	await guest.waitForSelector('.chosen');
	await until(async () => /yours until 02:30/.test(await guest.textContent('.chosen')), 'until when');
	assert.match(await guest.textContent('.chosen h2'), /^00:30, the night of /);
	await until(async () => /20,000/.test(await guest.textContent('.dock')), 'the deposit of the evening');
	assert.equal(await axe(guest), '');
	await guest.fill('#f-name', 'Night Owl');
	await guest.fill('#f-phone', '010-2222-3333');
	await guest.click('.dock .primary');
	await guest.waitForSelector('.slip');
	assert.match(await guest.textContent('.face'), /the night.*00:30/s);
	assert.match(await guest.textContent('.facts'), /00:30.–.02:30/);
	assert.equal(house.read("SELECT slot_date || ' ' || slot_time FROM reservations JOIN restaurant_reservation_slots USING (slot_id) WHERE guest_name = 'Night Owl'"), `${tonight} 24:30`);
});

test('after midnight it is still the evening before, on every screen of the desk', async () => {
	house.sql("UPDATE reservations SET status = 'CONFIRMED' WHERE guest_name = 'Night Owl'");
	standAt(tonight, 24.49); /* far from either full hour: the sign of now takes the place of one that is near */
	const page = await owner();
	const input = page.locator('.days input');
	await until(async () => (await input.inputValue()) === tonight, 'the evening before');
	assert.match(await page.textContent('main'), /00:30 after midnight/);
	assert.match(await page.textContent('main'), /Night Owl/);
	await page.click('#tabs a[href="#timeline"]');
	await page.waitForSelector('.lanes');
	const hours = await page.locator('.lanes .hour').allTextContents();
	assert.deepEqual(hours.slice(hours.indexOf('23:00'), hours.indexOf('23:00') + 3), ['23:00', '00:00', '01:00']);
	assert.ok(await page.locator('.now-line').count());
	assert.equal(await axe(page), '');
	/* When it is over, the day that has begun comes by itself. */
	standAt(tonight, 26.02);
	await until(async () => (await input.inputValue()) === addDays(tonight, 1), 'the next day', 20000);
	assert.ok(now());
});
