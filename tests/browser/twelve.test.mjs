/*
 * twelve.test.mjs - an evening of twelve parties on two tablets, by clicks alone: early, late, a no-show, walk-ins, over time, a
 * longer stay, a swap, a joined table that is split, a move; the box goes down in the midst of it and comes back.
 *
 * PICTURES=folder keeps what was on the screens.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { axe, clockAt, dayAt, openBrowser, openHouse, until, visitor, zoneWhereItIs } from './house.mjs';

const TABLET = { viewport: { width: 1024, height: 768 }, locale: 'en-US' };
const PASSWORD = 'correct horse 7';
const zone = zoneWhereItIs(19);
const BOX_AWAY = /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/;
let browser;
let house;
let token;
let kim; /* the tablet by the door */
let nina; /* the one behind the bar */

before(async () => {
	browser = await openBrowser();
	house = await openHouse();
	for (const name of ['Kim', 'Nina']) house.jari('staff', 'add', `${name.toLowerCase()}@example.com`, name, '--password', PASSWORD, '--role', 'manager');
	house.sql(`DELETE FROM opening_hours;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00' FROM json_each('[1,2,3,4,5,6,7]');
INSERT INTO dining_tables (restaurant_id, name, seats_min, seats_max, x, y)
SELECT 1, 'T' || value, 1, 4, 25 * (value % 5), 33 * (value / 3) FROM json_each('[1,2,3,4,5,6,7,8,9,10]');
INSERT INTO table_sets (restaurant_id, seats_max) VALUES (1, 8);
INSERT INTO table_set_members (set_id, table_id) SELECT (SELECT max(set_id) FROM table_sets), table_id FROM dining_tables WHERE name IN ('T1', 'T2');
UPDATE restaurants SET timezone = '${zone}', sitting_minutes = 90, slot_minutes = 30, deposit_per_person = 0, deposit_large_per_person = 0, seats = 40, lead_minutes = 0, reservation_limit = 40`);
	token = (await house.api('POST', '/api/login', { body: { email: 'kim@example.com', password: PASSWORD } })).json.accessToken;
	kim = await enter('kim'); /* one after the other: passwords are checked one at a time */
	nina = await enter('nina');
});
after(async () => { await browser?.close(); await house?.close(); });

async function enter(who) {
	const page = await visitor(browser, house, TABLET);
	page.expected = new RegExp(`${page.expected.source}|${BOX_AWAY.source}`);
	assert.ok((await page.request.post('/api/login', { data: { email: `${who}@example.com`, password: PASSWORD } })).ok());
	await page.goto('/desk/');
	await page.waitForSelector('.totals');
	return page;
}

async function book(guestName, minutes, tables, partySize = 2, more = {}) {
	const at = new Date(Date.now() + minutes * 60000);
	const ids = tables.map((name) => ({ tableId: Number(house.read(`SELECT table_id FROM dining_tables WHERE name = '${name}'`)) }));
	const body = { slotDate: dayAt(at, zone), slotTime: clockAt(at, zone), partySize, guestName, tables: ids, ...more };
	const made = await house.api('POST', '/api/desk/reservations?restaurantId=1', { token, body });
	assert.equal(made.status, 201, made.text);
	return made.json;
}
const seat = async ({ reservationId, version }) => {
	const done = await house.api('POST', `/api/desk/reservations/${reservationId}/seat`, { token, body: { version } });
	assert.equal(done.status, 200, done.text);
};

const visitOf = (guest) => house.read(`SELECT status || ' ' || visit_status FROM reservations WHERE guest_name = '${guest}' ORDER BY reservation_id DESC LIMIT 1`);
const tablesOf = (guest) => house.read(`SELECT group_concat(name, '+') FROM (SELECT d.name FROM reservations r JOIN reservation_tables x USING (reservation_id) JOIN dining_tables d ON d.table_id = x.table_id WHERE guest_name = '${guest}' AND r.is_active = 1 ORDER BY d.name)`);
const row = (page, name) => page.locator('.row', { has: page.locator(`.name > b:text-is("${name}")`) }).first();
const tap = async (page, name, act) => { await row(page, name).locator(`[data-act=${act}]`).click(); };
const says = (page, name, words) => until(async () => words.test(await row(page, name).textContent()), `${name}: ${words}`);
const way = (page, text) => page.locator('dialog button', { hasText: text }).first();
const dialogGone = (page) => page.waitForSelector('dialog[open]', { state: 'detached' });
async function openOne(page, name, act) {
	await row(page, name).locator('.who').click();
	await way(page, act).click();
}
async function show(page, tab, there) {
	await page.click(`#tabs a[href="#${tab}"]`);
	await page.waitForSelector(there);
}
/* A block is picked up by a tap, and put on a lane above or below it by another. */
async function putOn(name, table) {
	const block = nina.locator('.block', { hasText: name });
	await block.scrollIntoViewIfNeeded();
	const before = await block.boundingBox();
	await block.click();
	await nina.waitForSelector('.moving');
	assert.equal((await block.boundingBox()).y, before.y, 'it stays below the finger');
	const track = nina.locator('.lane', { has: nina.locator(`.lane-name:text-is("${table}")`) }).locator('.track');
	const [own, there] = [await block.boundingBox(), await track.boundingBox()];
	await track.click({ position: { x: own.x - there.x + own.width / 2, y: 2 } });
}
const picture = (page, name) => process.env.PICTURES && page.screenshot({ path: `${process.env.PICTURES}/twelve-${name}.png`, fullPage: true });

test('the doors open: seven are expected, two sit, one is late, one does not come, one is early', async () => {
	await seat(await book('Fay', -100, ['T3'], 3)); /* over her time */
	await seat(await book('Kai', -60, ['T8']));
	await book('Carl', -40, ['T9']);
	await book('Bora', -25, ['T7'], 4, { phone: '010-3333-0002', tags: ['nuts'] });
	await book('Ada', 30, ['T10'], 2, { tags: ['birthday'] });
	await book('Hana', 45, ['T4']);
	await book('Ivo', 45, ['T5'], 4);
	await book('Gus', 60, ['T1', 'T2'], 6, { phone: '010-3333-0007' });
	await book('Jun', 75, ['T6']);
	for (const page of [kim, nina]) await row(page, 'Jun').waitFor();
	assert.match(await kim.locator('.late-box').textContent(), /Carl.*Bora/s);
	await picture(kim, '1-opens');
	/* Ada is early: her table is free, she sits down. */
	await tap(kim, 'Ada', 'arrive');
	await until(async () => /Ada/.test(await nina.locator('.here-box').textContent()), 'the other tablet sees her at the door');
	await tap(nina, 'Ada', 'seat');
	await says(kim, 'Ada', /until/);
	/* Bora comes late, Carl does not; what was tapped too soon is taken back. */
	await tap(kim, 'Bora', 'arrive');
	await tap(kim, 'Bora', 'seat');
	await tap(nina, 'Carl', 'no-show');
	await until(() => visitOf('Carl') === 'NO_SHOW PENDING', 'not here');
	await nina.click('#toast button');
	await until(() => visitOf('Carl') === 'CONFIRMED PENDING', 'taken back');
	await tap(nina, 'Carl', 'no-show');
	await until(() => visitOf('Carl') === 'NO_SHOW PENDING', 'he did not come');
});

test('a walk-in; a table where a party still sits; a longer stay; a swap; a joined table is split', async () => {
	await kim.click('#walk-in');
	await kim.click('[data-size="2"]');
	await until(() => house.read(`SELECT count(*) FROM reservations WHERE source = 'WALK_IN' AND visit_status = 'SEATED'`) === '1', 'seated');
	await until(async () => /Walk-in · Table T\d+ · Seated/.test(await kim.textContent('#toast')), 'at which table');
	/* Emil's table is Fay's still: the list says so, and one tap lets her go. */
	await book('Emil', 2, ['T3'], 3);
	await row(kim, 'Emil').waitFor();
	await tap(kim, 'Emil', 'seat');
	await kim.waitForSelector('#why-title');
	assert.match(await kim.textContent('dialog .reasons'), /Fay/);
	await picture(kim, '2-taken');
	await way(kim, 'They have left').click();
	await until(() => visitOf('Emil') === 'CONFIRMED SEATED', 'she left, and he sits');
	assert.equal(visitOf('Fay'), 'COMPLETED LEFT');
	await dialogGone(kim);
	await openOne(nina, 'Kai', 'Length of stay');
	await way(nina, '+30 min').click();
	await until(() => house.read(`SELECT sitting_minutes FROM reservations WHERE guest_name = 'Kai'`) === '120', 'longer');
	await dialogGone(nina);
	await openOne(kim, 'Hana', 'Table');
	await kim.click('dialog .partners summary');
	await kim.locator('dialog .partners button', { hasText: 'Ivo' }).click();
	await until(() => tablesOf('Hana') === 'T5' && tablesOf('Ivo') === 'T4', 'a swap');
	await dialogGone(kim);
	/* Six become three: one of the two joined tables is free again. */
	await openOne(kim, 'Gus', 'Change');
	await kim.fill('#e-party', '3');
	await kim.locator('dialog .chip', { hasText: 'T2' }).click();
	await way(kim, 'Save').click();
	await until(() => tablesOf('Gus') === 'T1', 'split');
	await dialogGone(kim);
	assert.equal(house.read(`SELECT party_size FROM reservations WHERE guest_name = 'Gus'`), '3');
});

test('the box goes down: both screens stay, say as of when, and keep the evening as a file; it comes back', async () => {
	await show(nina, 'timeline', '.block');
	await house.stop();
	for (const page of [kim, nina]) await page.waitForSelector('#stale:not([hidden])', { timeout: 20000 });
	assert.match(await kim.textContent('#stale'), /as of \d\d:\d\d:\d\d/);
	await kim.click('.menu > summary');
	assert.deepEqual(await kim.locator('.menu-list > button:not([inert])').allTextContents(), ['Print', 'Save as a file'], 'what needs no box');
	await kim.keyboard.press('Escape');
	assert.ok(await row(kim, 'Gus').isVisible() && await nina.locator('.block', { hasText: 'Gus' }).isVisible());
	await kim.evaluate(() => scrollTo(0, 0));
	assert.equal(await axe(kim), '');
	const [download] = await Promise.all([kim.waitForEvent('download'), kim.click('#stale button')]);
	const file = readFileSync(await download.path(), 'utf8');
	assert.match(download.suggestedFilename(), /^jari-\d{4}-\d\d-\d\d\.html$/);
	/* The file needs nothing else: another browser shows it, and a number is called from it. */
	const context = await browser.newContext({ viewport: { width: 390, height: 844 }, offline: true });
	const paper = await context.newPage();
	await paper.setContent(file);
	const gus = paper.locator('tr', { hasText: 'Gus' });
	assert.match(await gus.locator('a').getAttribute('href'), /^tel:/);
	assert.match(await paper.locator('tr', { hasText: 'Bora' }).textContent(), /Allergy: nuts.*Seated \d\d:\d\d/s);
	assert.equal(await paper.locator('tr', { hasText: 'Bora' }).locator('input').isChecked(), true);
	assert.equal(await gus.locator('input').isChecked(), false);
	assert.equal(await axe(paper), '');
	if (process.env.PICTURES) await paper.screenshot({ path: `${process.env.PICTURES}/twelve-3-file.png`, fullPage: true });
	await context.close();
	/* Other views are there as well, and nothing is lost by looking. */
	await show(kim, 'now', '.now-card');
	await show(kim, 'list', '.row');
	await picture(kim, '3-down');
	await house.start();
	for (const page of [kim, nina]) {
		await page.evaluate(() => dispatchEvent(new Event('online'))); /* the Wi-Fi is back, too */
		await until(() => page.locator('#stale').isHidden(), 'back again', 20000);
	}
});

test('afterwards both go on: a move by two taps, a guest who books online, and the evening adds up', async () => {
	await putOn('Jun', 'T2');
	await until(() => tablesOf('Jun') === 'T2', 'by two taps');
	/* A block that cannot lie there offers what helps, here as in the list. */
	await nina.waitForSelector('.moving', { state: 'detached' });
	await putOn('Hana', 'T4');
	await nina.waitForSelector('#why-title');
	await way(nina, 'Ivo').click();
	await until(() => tablesOf('Hana') === 'T4' && tablesOf('Ivo') === 'T5', 'swapped, from the timeline');
	await dialogGone(nina);
	const at = new Date(Math.ceil((Date.now() + 45 * 60000) / 1800000) * 1800000);
	const lea = await house.api('POST', '/api/guests', { body: { name: 'Lea', phone: '010-3333-0012' } });
	const booked = await house.api('POST', '/api/reservations', { token: lea.json.accessToken, body: { restaurantId: 1, slotDate: dayAt(at, zone), slotTime: clockAt(at, zone), partySize: 2, reservationType: 'RESERVATION_DEPOSIT' } });
	assert.equal(booked.status, 201, booked.text);
	for (const page of [kim, nina]) await page.waitForSelector('#news:not([hidden]) >> text=Lea');
	/* Who sits lies where they sat down, who left where they sat; nothing is written across a name. */
	const spans = async (name) => (await nina.locator('.block', { hasText: name }).textContent()).match(/\d\d:\d\d/g);
	assert.equal((await spans('Ada'))[0], clockAt(Date.parse(house.read(`SELECT seated_at FROM reservations WHERE guest_name = 'Ada'`)), zone), 'early');
	assert.ok(await nina.locator('.lane', { hasText: 'T3' }).locator('.block', { hasText: 'Fay' }).isVisible(), 'who has left has her lane');
	await picture(nina, '4-timeline');
	await tap(kim, 'Ada', 'leave');
	await until(() => visitOf('Ada') === 'COMPLETED LEFT', 'gone');
	await show(nina, 'list', '.row');
	const states = (page) => page.locator('.row').evaluateAll((rows) => rows.map((r) => `${r.dataset.id} ${r.className}`).sort());
	await until(async () => JSON.stringify(await states(kim)) === JSON.stringify(await states(nina)), 'both tablets say the same');
	await picture(kim, '5-end');
	assert.equal((await states(kim)).length, 12);
	assert.match(house.jari('check'), /./);
	assert.deepEqual([...kim.wrong, ...nina.wrong], [], 'nothing on the console');
});
