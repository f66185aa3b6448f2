/*
 * history.test.mjs - histories by clicks: of the house and of a reservation, as sentences by day, taken back an hour later, by
 * who may read them, none and many; and the dialogs that no other test opens, as axe sees them.
 */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { axe, clockAt, dayAt, openBrowser, openHouse, PHONE, until, visitor } from './house.mjs';

const PASSWORD = 'correct horse 7';
const ZONE = 'Asia/Seoul';
const TABLET = { viewport: { width: 1024, height: 768 }, locale: 'en-US' };
const clock = path.join('/tmp', `jari-clock-history-${process.pid}`);
const pages = [];
const tokens = new Map(); /* logins last hours, and hours pass here */
let browser;
let house;
let ahead = 0; /* by how many seconds the clock of the box differs */

const now = () => Date.now() + ahead * 1000;
const day = (n = 0) => new Date(Date.parse(`${dayAt(now(), ZONE)}T00:00:00Z`) + n * 864e5).toISOString().slice(0, 10);
/* Tomorrow there at noon, whatever time it is here; afterwards the clock goes forward only. */
function later(seconds) {
	ahead += seconds;
	writeFileSync(clock, `${Math.round(ahead)}\n`);
	tokens.clear();
}

before(async () => {
	later((Date.parse(`${day(1)}T12:00:00+09:00`) - Date.now()) / 1000);
	browser = await openBrowser();
	house = await openHouse({ env: { JARI_CLOCK_FILE: clock } });
	for (const [role, name] of [['owner', 'Park'], ['manager', 'Mina'], ['staff', 'Nina']]) house.jari('staff', 'add', `${role}@example.com`, name, '--password', PASSWORD, '--role', role);
	house.sql(`DELETE FROM opening_hours;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes, label) SELECT 1, value, '10:00', '23:00', 'dinner' FROM json_each('[1,2,3,4,5,6,7]');
INSERT INTO dining_tables (restaurant_id, name, seats_min, seats_max) SELECT 1, value, 1, 4 FROM json_each('["3","4"]');
UPDATE restaurants SET timezone = '${ZONE}', slot_minutes = 30, deposit_per_person = 0, deposit_large_per_person = 0`);
});
after(async () => { await browser?.close(); await house?.close(); rmSync(clock, { force: true }); });
afterEach(async () => {
	const wrong = pages.flatMap((p) => p.wrong);
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

async function enter(role, hash, device = TABLET) {
	const page = await visitor(browser, house, device);
	pages.push(page);
	await page.request.post('/api/login', { data: { email: `${role}@example.com`, password: PASSWORD } });
	await page.goto(`/desk/${hash}`);
	return page;
}
async function tokenOf(role) {
	if (!tokens.has(role)) tokens.set(role, (await house.api('POST', '/api/login', { body: { email: `${role}@example.com`, password: PASSWORD } })).json.accessToken);
	return tokens.get(role);
}
async function does(role, method, address, body) {
	const answer = await house.api(method, `${address}?restaurantId=1`, { token: await tokenOf(role), body });
	assert.ok(answer.status < 300, answer.text);
	return answer.json;
}
const act = (role, r, word, more) => does(role, 'POST', `/api/desk/reservations/${r.reservationId}/${word}`, { version: r.version, ...more });
const clean = async (page, what) => assert.equal(await axe(page), '', what);
/* Per day: its name, and its acts as they are read. */
const told = (page) => page.locator('.history-day').evaluateAll((days) => days.map((d) => [
	d.querySelector('h3').textContent, [...d.querySelectorAll('.history > li')].map((li) => [...li.querySelectorAll('p, li')].map((n) => n.textContent).join(' | ') || li.textContent),
]));
const named = (date) => new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(date)).replace(',', '');

test('an empty history says so; what is done is told act by act, below the day of the restaurant', async () => {
	const page = await enter('owner', '#list');
	const none = (route) => route.fulfill({ json: { history: [] } });
	await page.route('**/api/desk/history*', none);
	await page.goto('/desk/#house/history');
	await page.waitForSelector('.house-place .card:has-text("Nothing was changed yet.")');
	assert.equal(await page.isVisible('text=Earlier'), false);
	await page.unroute('**/api/desk/history*', none);
	/* Rows of the book as it writes them, an hour around a midnight in Seoul; and one act that is done now. */
	const row = (at, name, what, from, to) => `INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
SELECT '${at}', 'user:' || user_id, 'restaurant', 1, '${what}', '${from}', '${to}', 1 FROM users WHERE name = '${name}';`;
	house.sql(['waitlist_skip', 'party_max'].map((what, n) => row('2026-01-10T14:30:00Z', 'Park', what, n ? 12 : 0, n ? 9 : 1)).join('\n')
		+ row('2026-01-10T14:30:00Z', 'Mina', 'phone', '02-1', '02-2') + row('2026-01-10T15:30:00Z', 'Park', 'party_max', 9, 10));
	await does('manager', 'PUT', '/api/desk/special-days', { from: '2031-10-01', to: '2031-10-03', closed: true, note: 'Harvest' });
	await page.reload();
	await page.waitForSelector('.history-day');
	const days = await told(page);
	assert.deepEqual(days.slice(1, 3), [
		['Sunday 11 January', ['00:30 Park · Settings | Largest party: 9 → 10']],
		['Saturday 10 January', ['23:30 Mina · Settings | Telephone: 02-1 → 02-2', '23:30 Park · Settings | Offer too few seats to the next: off → on | Largest party: 12 → 9']],
	], 'what was saved together is one act');
	assert.match(days[0][1][0], /^\d\d:\d\d Mina · Special days \| Wed 1 Oct – Fri 3 Oct: closed, “Harvest”$/);
	assert.deepEqual(days[0][0], named(dayAt(Date.now(), ZONE)));
	/* The same in Korean, on a telephone in the dark. */
	const phone = await enter('owner', '#house/history', { ...PHONE, locale: 'ko-KR', colorScheme: 'dark' });
	await phone.waitForSelector('.history-day');
	assert.match(await phone.textContent('.history-day >> nth=0'), /Mina.*Harvest/s);
	assert.doesNotMatch(await phone.textContent('.house-place'), /hist\.|[a-z]+_[a-z]+|partyMax/);
});

test('staff read what became of a reservation; the history of the house is the owner\'s alone', async () => {
	const tables = JSON.parse(house.read(`SELECT json_group_array(json_object('tableId', table_id)) FROM dining_tables`));
	let r = await does('staff', 'POST', '/api/desk/reservations', { slotDate: day(), slotTime: '12:30', partySize: 2, guestName: 'Ada', phone: '010-3000-0001', tables: [tables[0]] });
	r = await does('manager', 'PATCH', `/api/desk/reservations/${r.reservationId}`, { version: r.version, tables: [tables[1]] });
	r = await act('staff', r, 'arrive');
	const page = await enter('staff', '#list');
	const openIt = () => page.locator('.row, .waits-row, li', { hasText: 'Ada' }).locator('.who').first().click();
	await page.waitForSelector('.who:has-text("Ada")');
	/* An hour later it is taken back, from the reservation itself. */
	later(3600);
	await openIt();
	await page.click('dialog button:has-text("Undo")');
	await until(() => house.read("SELECT visit_status FROM reservations WHERE guest_name = 'Ada'") === 'PENDING', 'taken back');
	await openIt();
	await page.click('dialog button:has-text("History")');
	await page.waitForSelector('#hist-title');
	const [[, lines]] = await told(page);
	assert.match(lines[0], /Nina took the last act back/);
	assert.match(lines[1], /Nina marked it as arrived/);
	assert.match(lines[2], /Mina moved it from table 3 to table 4/);
	const times = await page.locator('.history b').allTextContents();
	const minutes = times.slice(0, 2).map((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));
	assert.ok(minutes[0] - minutes[1] >= 60, times.join());
	await clean(page, 'of a reservation');
	await page.keyboard.press('Escape');
	for (const role of ['manager', 'staff']) {
		const answer = await house.api('GET', '/api/desk/history?restaurantId=1', { token: await tokenOf(role) });
		assert.equal(answer.status, 403, role);
	}
	const mina = await enter('manager', '#house/history');
	await mina.waitForSelector('.house-menu');
	assert.equal(await mina.locator('[data-card=history]').count(), 0);
	assert.equal(await mina.locator('.history').count(), 0);
	const nina = await enter('staff', '#house/history');
	await nina.waitForSelector('.evening');
	assert.equal(await nina.locator('.history').count(), 0);
});

test('the dialogs that stand behind a button are clean', async () => {
	const page = await enter('owner', '#list');
	await page.waitForSelector('.totals');
	const more = async (label) => {
		await page.click('.new .menu summary');
		await page.click(`.menu-list >> text="${label}"`);
		await page.waitForSelector('dialog[open]');
		await clean(page, label);
		await page.keyboard.press('Escape');
	};
	await more('Note for the team');
	await more('Dishes');
	await page.waitForSelector('.who:has-text("Ada")');
	await page.locator('.who', { hasText: 'Ada' }).first().click();
	await page.click('dialog button:text-is("Note")');
	await page.waitForSelector('#note-title');
	await clean(page, 'note');
	await page.keyboard.press('Escape');
	await page.goto('/desk/#house/staff');
	await page.waitForSelector('.roles');
	const nina = page.locator('li, .staff-row, .edit-row', { hasText: 'Nina' }).first();
	for (const label of ['Change', 'New link', 'Log out everywhere', 'Remove']) {
		await nina.locator(`button:has-text("${label}")`).click();
		await page.waitForSelector('dialog[open]');
		await clean(page, label);
		await page.keyboard.press('Escape');
		await page.waitForSelector('dialog[open]', { state: 'detached' });
	}
});

test('a long history comes in parts: every act once, the last part without a button', async () => {
	house.sql(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)
SELECT strftime('%Y-%m-%dT%H:%M:%SZ', '2026-01-01', printf('+%d minutes', i * 7)), 'user:1', 'restaurant', 1, 'phone', i, i + 1, 1 FROM n`);
	const page = await enter('owner', '#house/history');
	const earlier = page.locator('button:has-text("Earlier")');
	await earlier.waitFor();
	let taps = 0;
	for (; await earlier.isVisible(); taps++) {
		const count = await page.locator('.history > li').count();
		await earlier.click();
		await until(async () => (await page.locator('.history > li').count()) > count, 'more of it');
	}
	assert.equal(taps, 2);
	const lines = await page.locator('.history ul li').allTextContents();
	const made = lines.filter((line) => /^Telephone: \d+ → \d+$/.test(line));
	assert.equal(new Set(made).size, 900, 'none is left out');
	assert.equal(made.length, 900, 'and none is told twice');
});
