/*
 * offline.test.mjs - the desk while the box is down, and after an update: what a browser keeps of it, and what it does not.
 */
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { clockAt, dayAt, openBrowser, openHouse, ROOT, until, visitor, zoneWhereItIs } from './house.mjs';

const TABLET = { viewport: { width: 1024, height: 768 }, hasTouch: true, locale: 'en-US', serviceWorkers: 'allow' };
const PASSWORD = 'correct horse 7';
let browser;
let house;
let www;

before(async () => {
	browser = await openBrowser();
	www = mkdtempSync(path.join(tmpdir(), 'jari-www-'));
	cpSync(path.join(ROOT, 'www'), www, { recursive: true });
	house = await openHouse({ www });
	house.jari('staff', 'add', 'kim@example.com', 'Kim', '--password', PASSWORD);
	house.sql(`DELETE FROM opening_hours;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00' FROM json_each('[1,2,3,4,5,6,7]');
UPDATE restaurants SET timezone = '${zoneWhereItIs(17)}', slot_minutes = 30, deposit_per_person = 0, deposit_large_per_person = 0`);
});
after(async () => { await browser?.close(); await house?.close(); rmSync(www, { recursive: true, force: true }); });

async function enter(page) {
	await page.goto('/desk/');
	await page.fill('#l-email', 'kim@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('.totals');
}

async function book(guestName) {
	const login = await house.api('POST', '/api/login', { body: { email: 'kim@example.com', password: PASSWORD } });
	const { timezone } = (await house.api('GET', '/api/restaurants/1')).json;
	const at = new Date(Date.now() + 60 * 60000);
	const made = await house.api('POST', '/api/desk/reservations?restaurantId=1', { token: login.json.accessToken, body: { slotDate: dayAt(at, timezone), slotTime: clockAt(at, timezone), partySize: 2, guestName } });
	assert.equal(made.status, 201, made.text);
}

const kept = (page) => page.evaluate(async () => {
	const names = await caches.keys();
	const lists = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)));
	return { names, paths: lists.flat() };
});
/* Kept once more since then: each load makes a store of its own. */
const keptAnew = async (page, before = []) => until(async () => {
	const { names, paths } = await kept(page);
	return names.length === 1 && !before.includes(names[0]) && paths.length > 10 && { names, paths };
}, 'the files are kept');

test('with the box switched off a reload shows the evening; nothing of the API is kept, and logging out takes all away', async () => {
	const page = await visitor(browser, house, TABLET);
	await enter(page);
	await book('Blackout');
	await page.waitForSelector('.row >> text=Blackout');
	const { paths } = await keptAnew(page);
	assert.ok(paths.includes('/desk/') && paths.includes('/desk/evening/list.js') && paths.includes('/style.css'));
	assert.deepEqual(paths.filter((p) => p.startsWith('/api/')), []);
	await house.stop();
	await page.reload();
	await page.waitForSelector('.row >> text=Blackout');
	await page.waitForSelector('#stale:not([hidden])');
	/* A new tab, too. */
	const tab = await page.context().newPage();
	await tab.goto('/desk/#timeline');
	await tab.waitForSelector('.lanes >> text=Blackout');
	await tab.close();
	await house.start();
	await until(() => page.locator('#stale').isHidden(), 'back again', 20000);
	await page.click('#leave');
	await page.waitForSelector('#l-email');
	await until(async () => !(await kept(page)).names.length, 'nothing is kept');
	assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
	assert.equal(await page.evaluate(() => localStorage.getItem('jari.desk')), null);
	await page.context().close();
});

test('after an update the new files are used at the next load, and kept from then on', async () => {
	const page = await visitor(browser, house, TABLET);
	await enter(page);
	const first = await keptAnew(page);
	/* Every file of a new jari: one says so. */
	appendFileSync(path.join(www, 'desk/evening/list.js'), "\ndocument.documentElement.dataset.update = 'second';\n");
	const worker = path.join(www, 'desk/sw.js');
	writeFileSync(worker, `${readFileSync(worker, 'utf8')}\n/* second */\n`);
	await page.reload();
	await page.waitForSelector('.totals');
	assert.equal(await page.evaluate(() => document.documentElement.dataset.update), 'second');
	await keptAnew(page, first.names);
	await house.stop();
	await page.reload();
	await page.waitForSelector('.totals');
	assert.equal(await page.evaluate(() => document.documentElement.dataset.update), 'second');
	await house.start();
	await page.context().close();
});

test('over plain http on the network the browser offers no such thing, and the desk works without', async () => {
	const plain = await openBrowser('--host-resolver-rules=MAP jari.test 127.0.0.1');
	try {
		const page = await visitor(plain, { ...house, url: house.url.replace('127.0.0.1', 'jari.test') }, TABLET);
		await enter(page);
		assert.equal(await page.evaluate(() => window.isSecureContext), false);
		assert.equal(await page.evaluate(() => 'serviceWorker' in navigator), false);
		await page.waitForTimeout(3500);
		assert.deepEqual(page.wrong, []);
	} finally {
		await plain.close();
	}
});

test('the worker is asked for anew at each load, and may speak to the box alone', async () => {
	const answer = await fetch(`${house.url}/desk/sw.js`);
	assert.equal(answer.headers.get('Cache-Control'), 'no-cache');
	assert.match(answer.headers.get('Content-Type'), /javascript/);
	assert.equal(answer.headers.get('Content-Security-Policy'), "default-src 'none'; connect-src 'self'");
	const page = await fetch(`${house.url}/desk/`);
	assert.match(page.headers.get('Content-Security-Policy'), /worker-src 'self'/);
});
