/*
 * browsers.test.mjs - browsers as guests and staff have them: old, forgetful, without cookies,
 * enlarged, touched by fingers.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import {
	clockAt, dayAt, DESKTOP, fillIn, hold, openBrowser, openHouse, PHONE, until, visitor, zoneWhereItIs,
} from './house.mjs';

const TABLET = { viewport: { width: 1180, height: 820 }, hasTouch: true, locale: 'en-US' };
const PASSWORD = 'correct horse 7';
const zone = zoneWhereItIs(19);
let browser, house, page;
const pages = [];

before(async () => {
	[house, browser] = await Promise.all([openHouse(), openBrowser()]);
	house.jari('staff', 'add', 'kim@example.com', 'Kim', '--password', PASSWORD);
	/* Where it is evening now, all day open, with tables enough for every guest of these tests. */
	house.sql(`DELETE FROM opening_hours;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes)
SELECT 1, value, '00:00', '24:00' FROM json_each('[1,2,3,4,5,6,7]');
INSERT INTO dining_tables (restaurant_id, name, seats_min, seats_max)
SELECT 1, 'T' || value, 1, 4 FROM json_each('[1,2,3,4,5,6,7,8]');
UPDATE restaurants SET timezone = '${zone}', sitting_minutes = 60, slot_minutes = 30`);
});
after(async () => { await browser?.close(); await house?.close(); });
afterEach(async () => {
	const wrong = pages.flatMap((p) => p.wrong);
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	house.sql(`UPDATE reservations SET status = 'CANCELED' WHERE status IN ('CONFIRMED', 'TEMPORARY')`);
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

async function visit(device = { ...PHONE, locale: 'en-US' }) {
	page = await visitor(browser, house, device);
	pages.push(page);
	return page;
}

async function logIn() {
	await page.goto('/desk/');
	await page.fill('#l-email', 'kim@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
}

async function enter(device = TABLET) {
	await visit(device);
	await logIn();
	await page.waitForSelector('.totals dd');
}

/* A browser that keeps no cookies: they are taken out of every answer. */
const withoutCookies = () => page.route('**/api/**', async (route) => {
	const answer = await route.fetch().catch(() => null); /* the page may be gone meanwhile */
	const headers = answer?.headers() ?? {};
	delete headers['set-cookie'];
	await page.context().clearCookies().catch(() => {});
	await (answer ? route.fulfill({ response: answer, headers }) : route.abort()).catch(() => {});
});
const withoutStorage = () => page.addInitScript(() => {
	const refuse = () => { throw new DOMException('no', 'SecurityError'); };
	Object.defineProperty(window, 'localStorage', { get: refuse });
});
const tomorrow = () => dayAt(Date.now() + 864e5, zone);
/* Each time at an hour of its own: the door remembers for a while who asked for what. */
let half = 16;
const nextTime = () => `${String(Math.floor(++half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`;
const bookTomorrow = () => hold(page, { date: tomorrow(), time: nextTime() });

/* Books at the desk, at that table, for a time that is `minutes` from now. */
async function put(guestName, minutes, table) {
	const login = { email: 'kim@example.com', password: PASSWORD };
	const { accessToken: token } = (await house.api('POST', '/api/login', { body: login })).json;
	const tableId = Number(house.read(`SELECT table_id FROM dining_tables WHERE name = '${table}'`));
	const at = Date.now() + minutes * 60000;
	const body = {
		slotDate: dayAt(at, zone), slotTime: clockAt(at, zone), partySize: 2, guestName, tables: [{ tableId }],
	};
	const made = await house.api('POST', '/api/desk/reservations?restaurantId=1', { token, body });
	assert.equal(made.status, 201, made.text);
}
const tableOf = (name) => house.read(`SELECT t.name FROM reservations v
JOIN reservation_tables USING (reservation_id) JOIN dining_tables t USING (table_id)
WHERE v.guest_name = '${name}'`);
const timeOf = (name) => house.read(`SELECT slot_time FROM reservations v
JOIN restaurant_reservation_slots USING (slot_id) WHERE v.guest_name = '${name}'`);

/* ---- old engines ---- */

test('a browser without the newer calls books, and leaves the line at once', async () => {
	await visit();
	await page.addInitScript(() => {
		delete AbortSignal.timeout;
		delete AbortSignal.any;
		delete HTMLFormElement.prototype.requestSubmit;
		delete window.structuredClone;
		const Real = RegExp;
		window.RegExp = function RegExp(source, flags) {
			if (String(source).includes('(?<')) throw new SyntaxError('invalid group specifier name');
			return new Real(source, flags);
		};
	});
	await bookTomorrow();
	const pen = await house.holdPen(25);
	await page.goto(`/?party=2&date=${tomorrow()}&time=${nextTime()}`);
	await page.click('.dock .primary');
	await page.waitForSelector('dialog.waiting .ahead');
	await page.click('dialog.waiting .plain');
	await page.click('dialog.waiting .plain');
	await page.waitForSelector('dialog.waiting', { state: 'detached' }); /* the pen is still held */
	pen.release();
	await pen.released;
});

/* A word of the language that is younger than the browser. */
const NEWER = { contentType: 'text/javascript', body: 'const newer = ;' };

for (const [what, where] of [['guest page', '/'], ['desk', '/desk/']])
	test(`a browser that cannot read the script of the ${what} is told that it is too old`, async () => {
		await visit();
		await page.route('**/app.js', (route) => route.fulfill(NEWER));
		await page.goto(where);
		assert.match(await page.textContent('[role=alert] [lang=en]'), /too old/);
		assert.match(await page.textContent('[role=alert] [lang=ko]'), /오래되어/);
		await until(() => page.wrong.splice(0).length === 1, 'the browser says what it cannot read');
	});

test('a browser without dialogs is told so, one that lost a part of the page shall reload', async () => {
	await visit();
	await page.addInitScript(() => { delete window.HTMLDialogElement; });
	await page.goto('/');
	assert.match(await page.textContent('[role=alert] [lang=en]'), /too old/);
	await visit();
	await page.route('**/ui.js', (route) => route.abort());
	await page.goto('/');
	assert.match(await page.textContent('[role=alert] [lang=en]'), /reload/);
	await visit();
	await page.goto('/');
	await page.waitForSelector('.time');
	assert.equal(await page.locator('[role=alert] [lang=en]').count(), 0, 'a good one is told nothing');
});

for (const [what, where] of [['guest page', '/'], ['desk', '/desk/']])
	test(`a ${what} whose words do not come says so in both languages`, async () => {
		await visit();
		await page.route('**/words/*.js', (route) => route.abort());
		await page.goto(where);
		await page.waitForSelector('[role=alert] [lang=ko]:has-text("새로고침")');
		assert.match(await page.textContent('[role=alert] [lang=en]'), /reload/);
		assert.equal(await page.locator('[role=alert] [lang=en]').count(), 1, 'once');
	});

test('a language whose words do not come leaves the page as it is', async () => {
	await visit();
	await page.goto('/');
	await page.waitForSelector('.time');
	await page.route('**/words/ko.js', (route) => route.abort());
	await page.click('[data-lang=ko]');
	await page.waitForSelector('#alert:has-text("connection was lost")', { state: 'attached' });
	assert.equal(await page.getAttribute('html', 'lang'), 'en');
	assert.equal(await page.textContent('#mine'), 'My reservations');
});

/* ---- browsers that keep nothing ---- */

test('My reservations come back by the cookie when storage was emptied; forgetting ends both', async () => {
	await visit();
	const code = await bookTomorrow();
	await page.evaluate(() => localStorage.clear());
	await page.goto('/?view=my');
	await page.waitForSelector(`.mine li.live:has-text("${code}")`);
	await page.click('.mine li a');
	await page.waitForSelector(`.reservation.temporary:has-text("${code}")`);
	await page.goto('/?view=my');
	await page.click('.plain:has-text("Forget me")');
	await page.click('dialog .danger');
	await page.waitForSelector('.mine .empty');
	assert.deepEqual(await page.context().cookies(), []);
	await page.reload();
	await page.waitForSelector('.mine .empty');
});

test('a guest who waited in the line gets the cookie too', async () => {
	await visit();
	const pen = await house.holdPen(25);
	await page.goto(`/?party=2&date=${tomorrow()}&time=${nextTime()}`);
	await fillIn(page);
	await page.click('.dock .primary');
	await page.waitForSelector('dialog.waiting .ahead');
	pen.release();
	await page.waitForSelector('.reservation.temporary');
	const code = await page.textContent('.code b');
	await until(async () => (await page.context().cookies()).length > 0, 'the cookie');
	await page.evaluate(() => localStorage.clear());
	await page.goto('/?view=my');
	await page.waitForSelector(`.mine li.live:has-text("${code}")`);
});

test('with cookies and storage blocked a booking ends at its own link; a reload keeps it', async () => {
	await visit();
	await withoutStorage();
	await withoutCookies();
	const code = await bookTomorrow();
	assert.match(page.url(), /\/r#.{20}/);
	assert.match(await page.textContent('.reservation .notice'), /save the address/);
	await page.reload();
	await page.waitForSelector(`.reservation.temporary:has-text("${code}")`);
});

test('a calendar entry comes without cookies too', async () => {
	await visit({ ...DESKTOP, locale: 'en-US', acceptDownloads: true });
	await page.addInitScript(() => {
		Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });
	});
	await withoutCookies();
	house.confirm(await bookTomorrow());
	await page.waitForSelector('.reservation:is(.confirmed, .prepay_confirm)');
	const [file] = await Promise.all([page.waitForEvent('download'), page.click('a[download]')]);
	assert.equal(await file.failure(), null);
	assert.match(file.url(), /^blob:/);
});

test('a desk without cookies says why staff cannot log in', async () => {
	await visit(TABLET);
	await withoutCookies();
	await logIn();
	await until(async () => /keeps no cookies/.test(await page.textContent('.wrong')), 'the sentence');
});

/* ---- the desk ---- */

test('a desk whose day is refused says so, and shows the evening when it is there', async () => {
	await visit(TABLET);
	const refusal = { code: 'BAD_DATE', message: 'That is no date.' };
	const headers = { 'Jari-Status': '400' }; // as the box says it to its own pages
	await page.route('**/api/desk/day*', (route) => route.fulfill({ status: 200, headers, json: refusal }));
	await logIn();
	await page.waitForSelector('.evening [role=alert]:has-text("That is no date.")');
	await page.unroute('**/api/desk/day*');
	await page.waitForSelector('.totals dd');
	assert.equal(await page.locator('.evening [role=alert]').count(), 0);
});

test('a one-time link works in a tab that shows the desk already', async () => {
	await enter();
	const link = house.jari('link', 'kim@example.com').match(/http\S+/)[0];
	await page.evaluate((hash) => { location.hash = hash; }, link.slice(link.indexOf('#')));
	await page.fill('#l-newPassword', PASSWORD);
	assert.ok(await page.isHidden('#tabs'));
	await page.click('.login .primary');
	await page.waitForSelector('.totals dd');
});

/* Where the first such thing is, read in one go: the desk draws anew while it is asked step by step. */
const whereIs = (selector, who = '') => page.evaluate(([what, text]) => {
	const found = [...document.querySelectorAll(what)].find((n) => n.textContent.includes(text));
	return found.getBoundingClientRect().toJSON();
}, [selector, who]);

/* A finger on a block of the timeline: goes down, rests for `rest` ms, moves by dx and dy in steps, goes up. */
async function finger(name, { rest, dx, dy }) {
	const { x, y } = await page.evaluate((who) => {
		const block = [...document.querySelectorAll('.block')].find((n) => n.textContent.includes(who));
		block.scrollIntoView({ block: 'center' });
		const { left, top, width, height } = block.getBoundingClientRect();
		return { x: left + Math.min(20, width / 2), y: top + height / 2 };
	}, name);
	const session = await page.context().newCDPSession(page);
	const touch = (type, ...touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
	await touch('touchStart', { x, y });
	if (rest) await page.waitForSelector('.block.lifted');
	for (let i = 1; i <= 10; i++) await touch('touchMove', { x: x + dx * i / 10, y: y + dy * i / 10 });
	await touch('touchEnd');
}

test('a finger that rests on a block drags it to another table; one that moves on scrolls', async () => {
	await put('Dragged', 60, 'T3');
	await enter({ ...TABLET, viewport: { width: 1180, height: 420 } });
	await page.click('#tabs a[href="#timeline"]');
	await page.waitForSelector('.block');
	const lane = await whereIs('.lane[data-table]');
	await finger('Dragged', { rest: true, dx: 0, dy: lane.height });
	await until(() => tableOf('Dragged') === 'T4', 'the next table');
	await page.waitForSelector('.lane:nth-of-type(5) .block');
	await page.evaluate(() => scrollTo(0, 0));
	await finger('Dragged', { rest: false, dx: 0, dy: -150 });
	await until(() => page.evaluate(() => scrollY > 50), 'the page scrolls');
	const block = page.locator('.block', { hasText: 'Dragged' });
	assert.equal(await block.evaluate((n) => n.style.transform), '', 'it lies where it was');
	assert.equal(tableOf('Dragged'), 'T4');
	await block.tap();
	await page.waitForSelector('.block.picked');
	await block.tap();
	await page.waitForSelector('#one-title');
});

test('a block that is dragged along its lane keeps its table', async () => {
	await put('Along', 60, 'T5');
	await enter();
	await page.click('#tabs a[href="#timeline"]');
	const before = timeOf('Along');
	await page.waitForSelector('.block:has-text("Along")');
	const box = await whereIs('.block', 'Along');
	const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
	await page.mouse.move(x, y);
	await page.mouse.down();
	await page.mouse.move(x - box.width, y + 3, { steps: 5 });
	await page.mouse.up();
	await until(() => timeOf('Along') !== before, 'another time');
	assert.equal(tableOf('Along'), 'T5');
});

test('the room can be scrolled where nothing is dragged', async () => {
	house.sql(`UPDATE dining_tables SET x = 50, y = 50 WHERE name = 'T1'`);
	await enter();
	await page.click('#tabs a[href="#now"]');
	const action = await page.locator('.floor .spot').evaluate((n) => getComputedStyle(n).touchAction);
	assert.notEqual(action, 'none');
});

/* ---- windows ---- */

test('Escape never closes the window of a guest who waits', async () => {
	await visit({ ...DESKTOP, locale: 'en-US' });
	await bookTomorrow();
	const pen = await house.holdPen(25);
	await page.goto(`/?party=2&date=${tomorrow()}&time=${nextTime()}`);
	await page.click('.dock .primary');
	await page.waitForSelector('dialog.waiting .ahead');
	for (let i = 0; i < 6; i++) await page.keyboard.press('Escape');
	assert.ok(await page.isVisible('dialog.waiting'));
	/* A browser may close it without asking, as with the back gesture of a telephone. */
	await page.evaluate(() => document.querySelector('dialog.waiting').close());
	await page.waitForSelector('dialog.waiting[open]');
	pen.release();
	await pen.released;
	await page.waitForSelector('.reservation.temporary');
	assert.equal(await page.locator('dialog').count(), 0);
});

test('a tap in the edge of a window or marking a text does not close it, a tap beside it does', async () => {
	await visit({ ...DESKTOP, locale: 'en-US' });
	await bookTomorrow();
	await page.click('.plain.danger');
	await page.fill('#reason-more', 'we are ill');
	await page.waitForTimeout(300); /* it rises for a moment */
	const box = await page.locator('dialog').boundingBox();
	await page.mouse.click(box.x + 8, box.y + box.height / 2);
	const field = await page.locator('#reason-more').boundingBox();
	await page.mouse.move(field.x + 40, field.y + 20);
	await page.mouse.down();
	await page.mouse.move(box.x - 60, field.y + 20, { steps: 4 });
	await page.mouse.up();
	assert.equal(await page.inputValue('#reason-more'), 'we are ill');
	await page.mouse.click(box.x - 60, box.y + 20);
	await page.waitForSelector('dialog', { state: 'detached' });
});

test('focus returns to the button also where a click does not focus it', async () => {
	await visit({ ...DESKTOP, locale: 'en-US' });
	await bookTomorrow();
	/* As in Safari: what is around the button gets the focus. */
	await page.evaluate(() => addEventListener('mousedown', (event) => {
		event.preventDefault();
		document.querySelector('main').focus({ preventScroll: true });
	}));
	await page.click('.plain.danger');
	await page.waitForSelector('dialog[open]');
	await page.keyboard.press('Escape');
	await page.waitForSelector('dialog', { state: 'detached' });
	assert.ok(await page.evaluate(() => document.activeElement.matches('.plain.danger')));
});

/* ---- what is seen ---- */

test('in forced colours what is chosen looks different', async () => {
	await visit({ ...PHONE, locale: 'en-US', forcedColors: 'active' });
	await page.goto('/');
	await page.waitForSelector('.month-day[aria-pressed=true]');
	const colour = (node) => getComputedStyle(node).backgroundColor.match(/\d+, \d+, \d+/)[0];
	const ground = (selector) => page.locator(selector).first().evaluate(colour);
	const chosen = await ground('.chip input:checked + span');
	assert.notEqual(chosen, await ground('.chip input:not(:checked) + span'));
	assert.equal(chosen, await ground('.month-day[aria-pressed=true]'), 'the system\'s own colour');
	assert.notEqual(chosen, await ground('.month-day[aria-pressed=false]'));
});

/* What has the focus and lies behind the dock, or nothing. */
const covered = () => page.evaluate(() => {
	const active = document.activeElement;
	const dock = document.querySelector('.dock');
	if (active === document.body || dock.contains(active)) return '';
	if (getComputedStyle(dock).position !== 'sticky') return '';
	const hidden = active.getBoundingClientRect().bottom > dock.getBoundingClientRect().top + 1;
	return hidden ? active.outerHTML : '';
});

for (const [width, height] of [[640, 400], [640, 600], [390, 844]])
	test(`at ${width} x ${height} no field that has the focus is behind the dock`, async () => {
		await visit({ viewport: { width, height }, locale: 'en-US' });
		await page.goto(`/?party=2&date=${tomorrow()}&time=18:00`);
		await page.waitForSelector('#f-name');
		for (let i = 0; i < 14; i++) {
			await page.keyboard.press('Tab');
			assert.equal(await covered(), '');
		}
	});

test('on a telephone at 200 % everything fits', async () => {
	await visit({ viewport: { width: 195, height: 422 }, locale: 'en-US' });
	const fits = () => page.evaluate(() => {
		const { scrollWidth, clientWidth } = document.documentElement;
		return scrollWidth <= clientWidth;
	});
	await page.goto('/');
	await page.waitForSelector('.time');
	assert.ok(await fits(), 'choosing');
	await page.click('.time:not(.full)');
	await page.waitForSelector('#f-name');
	assert.ok(await fits(), 'the form');
	const dock = await page.locator('.dock').evaluate((n) => getComputedStyle(n).position);
	assert.notEqual(dock, 'sticky', 'it would take a third of the screen');
	await fillIn(page);
	await page.click('.dock .primary');
	await page.waitForSelector('.reservation.temporary');
	assert.ok(await fits(), 'the reservation');
});

test('no field is so small that a telephone enlarges the page for it', async () => {
	const small = () => page.evaluate(() => [...document.querySelectorAll('input, select, textarea')]
		.filter((n) => !['radio', 'checkbox'].includes(n.type))
		.filter((n) => parseFloat(getComputedStyle(n).fontSize) < 16).map((n) => n.outerHTML));
	await visit();
	await bookTomorrow();
	assert.deepEqual(await small(), []);
	await enter();
	assert.deepEqual(await small(), []);
	await page.click('#phone-booking');
	assert.deepEqual(await small(), []);
});
