/*
 * desk.test.mjs - the desk in Chromium: a restaurant opened from an empty book, an evening on a tablet, two tablets, the box
 * down and back, settings that guests see at once.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { axe, clockAt, dayAt, DESKTOP, openBrowser, openHouse, PHONE, ROOT, showCard, until, visitor, zoneWhereItIs } from './house.mjs';

const TABLET = { viewport: { width: 1024, height: 768 }, hasTouch: true };
const PASSWORD = 'correct horse 7';
let browser;
let house;
let page;
const pages = [];
const wrongBefore = []; /* of pages that a test has closed itself */

before(async () => {
	browser = await openBrowser();
	house = await openHouse();
	house.jari('staff', 'add', 'kim@example.com', 'Kim', '--password', PASSWORD);
	house.jari('staff', 'add', 'owner@example.com', 'Park', '--password', PASSWORD);
	/* Where it is evening now, all day open, five tables. */
	const zone = zoneWhereItIs(19);
	house.sql(`UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'; DELETE FROM opening_hours;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00' FROM json_each('[1,2,3,4,5,6,7]');
INSERT INTO dining_tables (restaurant_id, name, seats_min, seats_max) SELECT 1, value, 1, 4 FROM json_each('["1","2","3","4","5"]');
UPDATE restaurants SET timezone = '${zone}', sitting_minutes = 90, slot_minutes = 30, deposit_per_person = 0, deposit_large_per_person = 0`);
});
after(async () => { await browser?.close(); await house?.close(); });
afterEach(async () => {
	const wrong = [...wrongBefore.splice(0), ...pages.flatMap((p) => p.wrong)];
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	house.sql(`UPDATE reservations SET status = 'CANCELED' WHERE status IN ('CONFIRMED', 'TEMPORARY')`);
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

const clean = async (what) => assert.equal(await axe(page), '', what);
const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
const statusOf = (name) => house.read(`SELECT status || ' ' || visit_status FROM reservations WHERE guest_name = '${name}' ORDER BY reservation_id DESC LIMIT 1`);

async function open(device, where = house) {
	page = await visitor(browser, where, device);
	pages.push(page);
	return page;
}

async function enter(device, email = 'kim@example.com') {
	await open(device);
	await page.goto('/desk/');
	await page.fill('#l-email', email);
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('.totals');
	return page;
}

/* A booking by telephone, this many minutes from now, by the API. */
async function book(guestName, { minutes = 0, partySize = 2, phone, ...more } = {}) {
	const login = await house.api('POST', '/api/login', { body: { email: 'kim@example.com', password: PASSWORD } });
	const { timezone } = (await house.api('GET', '/api/restaurants/1')).json;
	const at = new Date(Date.now() + minutes * 60000);
	const slotDate = dayAt(at, timezone);
	const slotTime = clockAt(at, timezone);
	const made = await house.api('POST', '/api/desk/reservations?restaurantId=1', { token: login.json.accessToken, body: { slotDate, slotTime, partySize, guestName, ...(phone ? { phone } : {}), ...more } });
	assert.equal(made.status, 201, made.text);
	return { ...made.json, token: login.json.accessToken };
}

test('the evening is small, and so is every page of the desk together', async () => {
	await open({ ...TABLET, locale: 'ko-KR' });
	const session = await page.context().newCDPSession(page);
	let bytes = 0;
	await session.send('Network.enable');
	const asked = new Set(); /* what is asked of the box again and again is no page */
	session.on('Network.responseReceived', (e) => e.response.url.includes('/api/') && asked.add(e.requestId));
	session.on('Network.loadingFinished', (e) => { bytes += asked.has(e.requestId) ? 0 : e.encodedDataLength; });
	await page.goto('/desk/');
	await page.fill('#l-email', 'owner@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('.totals');
	console.log(`# the evening: ${bytes} bytes`);
	assert.ok(bytes < 110000, `${bytes} bytes for the evening`);
	for (const [tab, seen] of [['now', '.cards'], ['timeline', '.lanes'], ['numbers', '#n-from'], ['house', '.house-place .card']]) {
		await page.click(`#tabs a[href="#${tab}"]`);
		await page.waitForSelector(seen);
	}
	console.log(`# every page of the desk: ${bytes} bytes`);
	/* With paper and the copy of the evening, which come by themselves a moment after the evening, or are on their way still. */
	assert.ok(bytes > 5000 && bytes < 165000, `${bytes} bytes`);
});

test('a restaurant is opened from an empty book by its one-time link, and a guest books', async () => {
	const other = await openHouse({ empty: true });
	try {
		const link = other.jari('link', 'owner@jari.local').match(/http\S+/)[0].replace(/^http:\/\/[^/]+/, '');
		await open({ ...TABLET, locale: 'en-US', timezoneId: 'Asia/Seoul' }, other);
		await page.goto(link);
		await clean('choose a password');
		await page.fill('#l-newPassword', 'my own password');
		await page.click('.login .primary');
		await page.waitForSelector('.house-page [name=name]');
		await clean('set-up');
		await page.fill('[name=name]', 'Hana Table');
		await page.fill('[name=phone]', '02-555-0100');
		await page.fill('[name=yourName]', 'Hana Kim');
		await page.fill('[name=email]', 'hana@example.com');
		await page.click('.house-page .primary');
		await page.waitForSelector('.totals');
		assert.equal(await page.textContent('#house'), 'Hana Table');
		assert.equal(other.read(`SELECT name || ' ' || email FROM users WHERE user_type = 'OWNER'`), 'Hana Kim hana@example.com');
		/* The first thing an owner wants to know: where do guests book? */
		assert.equal(await page.getAttribute('.share a', 'href'), `${other.url}/`);
		/* The link has been used. */
		await open(PHONE, other);
		await page.goto(link);
		await page.fill('#l-newPassword', 'somebody else');
		await page.click('.login .primary');
		await until(async () => (await page.textContent('.wrong')).length > 5, 'it says no');
		await page.goto('/');
		await page.click('.time:not(.full) >> nth=0');
		await page.fill('#f-name', '홍길동');
		await page.fill('#f-phone', '010-1234-5678');
		await page.click('.primary');
		await page.waitForSelector('.reservation.confirmed');
	} finally {
		/* The pages first: one whose box is gone would say so. */
		wrongBefore.push(...pages.flatMap((p) => p.wrong));
		await Promise.all(pages.splice(0).map((p) => p.context().close()));
		await other.close();
	}
});

test('a new box is opened with a backup: its guests are booked, and staff log in as before; what is no backup changes nothing', async () => {
	await book('백업손님', { minutes: 60, phone: '010-2222-0003' });
	const file = path.join(house.dir, 'evening.jari');
	house.jari('backup', file, '--force', '--same-disk');
	const whole = readFileSync(file);
	const other = await openHouse({ empty: true });
	const send = async (to, query, bytes, token) => {
		const answer = await fetch(`${to.url}/api/desk/restore${query}`, { method: query ? 'PUT' : 'POST', headers: { Authorization: `Bearer ${token}`, 'Content-Type': query ? 'application/octet-stream' : 'application/json' }, body: query ? bytes : JSON.stringify({ bytes }) });
		return `${answer.status} ${(await answer.json()).code ?? ''}`.trim();
	};
	const sendAll = async (bytes, token) => {
		for (let at = 0; at < bytes.length; at += 15000) assert.equal(await send(other, `?at=${at}&of=${bytes.length}`, bytes.subarray(at, at + 15000), token), '200');
		return send(other, '', bytes.length, token);
	};
	try {
		const link = other.jari('link', 'owner@jari.local').match(/http\S+/)[0].replace(/^http:\/\/[^/]+/, '');
		await open({ ...PHONE, locale: 'en-US' }, other);
		await page.goto(link);
		await page.fill('#l-newPassword', PASSWORD);
		await page.click('.login .primary');
		await page.waitForSelector('[name=backup]');
		/* By the API: parts in their order, nothing too large, nothing that is no whole backup. */
		const { accessToken } = (await other.api('POST', '/api/login', { body: { email: 'owner@jari.local', password: PASSWORD } })).json;
		assert.equal(await send(other, '?at=0&of=70000000', whole.subarray(0, 100), accessToken), '413 BACKUP_LARGE');
		assert.equal(await send(other, '?at=0&of=300', whole.subarray(0, 100), accessToken), '200');
		assert.equal(await send(other, '?at=150&of=300', whole.subarray(150, 300), accessToken), '409 BACKUP_PARTS');
		assert.equal(await send(other, '?at=100&of=300', whole.subarray(100, 301), accessToken), '409 BACKUP_PARTS');
		assert.equal(await send(other, '?at=100&of=300', Buffer.alloc(0), accessToken), '409 BACKUP_PARTS');
		assert.equal(await send(other, '', 300, accessToken), '409 BACKUP_PARTS');
		assert.equal(await sendAll(whole.subarray(0, 40000), accessToken), '400 NOT_A_BACKUP');
		const damaged = Buffer.from(whole);
		damaged.fill(0x55, 20000, 30000);
		assert.equal(await sendAll(damaged, accessToken), '400 NOT_A_BACKUP');
		assert.equal(await send(other, '', damaged.length, accessToken), '409 BACKUP_PARTS', 'nothing of it is kept');
		const mine = (await house.api('POST', '/api/login', { body: { email: 'owner@example.com', password: PASSWORD } })).json.accessToken;
		assert.equal(await send(house, '?at=0&of=300', whole.subarray(0, 300), mine), '409 BOOK_IN_USE');
		assert.equal(other.read('SELECT count(*) FROM users'), '1');
		/* By the page. */
		await page.setInputFiles('[name=backup]', { name: 'menu.pdf', mimeType: 'application/pdf', buffer: Buffer.from('not a backup at all') });
		await page.click('text=Restore the backup');
		await page.waitForSelector('.result.bad:has-text("no backup of jari")');
		await clean('no backup');
		await page.setInputFiles('[name=backup]', file);
		await page.click('text=Restore the backup');
		await page.waitForSelector('h1:has-text("Your backup is back")');
		assert.match(await page.textContent('.house-page'), /[1-9]\d* reservations? came back, [1-9]\d* of them still to come.*work again/s);
		await clean('restored');
		await page.click('.house-page .primary');
		await page.fill('#l-email', 'kim@example.com');
		await page.fill('#l-password', PASSWORD);
		await page.click('.login .primary');
		await page.waitForSelector('.totals');
		await page.waitForSelector('.row:has-text("백업손님")');
		assert.equal(other.read(`SELECT count(*) FROM reservations WHERE guest_name = '백업손님'`), '1');
	} finally {
		wrongBefore.push(...pages.flatMap((p) => p.wrong));
		await Promise.all(pages.splice(0).map((p) => p.context().close()));
		await other.close();
	}
});

test('an evening on the tablet: arrive, seat, leave with one tap each, and back again', async () => {
	await book('이서준', { minutes: -5, note: '견과 알레르기', phone: '010-2222-0001' });
	await book('늦는이', { minutes: -40, phone: '010-2222-0002' });
	await enter({ ...TABLET, locale: 'ko-KR' });
	await page.waitForSelector('.late-box .row');
	assert.match(await page.textContent('.late-box'), /늦는이/);
	assert.ok(await page.locator('.late-box a[href="tel:01022220002"]').isVisible(), 'one tap calls');
	await clean('tonight');
	const row = page.locator('.slot .row', { hasText: '이서준' });
	assert.match(await row.textContent(), /견과 알레르기/);
	await row.locator('[data-act=arrive]').click();
	await until(() => statusOf('이서준') === 'CONFIRMED ARRIVED', 'arrived');
	await page.click('#toast button');
	await until(() => statusOf('이서준') === 'CONFIRMED PENDING', 'undone');
	await page.locator('.slot .row', { hasText: '이서준' }).locator('[data-act=seat]').click();
	await until(() => statusOf('이서준') === 'CONFIRMED SEATED', 'seated');
	await page.locator('.row.seated', { hasText: '이서준' }).locator('[data-act=leave]').click();
	await until(() => statusOf('이서준') === 'COMPLETED LEFT', 'left');
	await page.waitForSelector('.gone .row');
	await page.locator('.late-box [data-act=no-show]').click();
	await until(() => statusOf('늦는이').startsWith('NO_SHOW'), 'no-show');
	await page.locator('.gone .row', { hasText: '늦는이' }).locator('[data-act=undo]').click();
	await until(() => statusOf('늦는이').startsWith('CONFIRMED'), 'not a no-show after all');
});

test('a walk-in is a size and one tap; a caller is found by the number; details, move, note, history, cancel', async () => {
	await enter({ ...TABLET, locale: 'en-US' });
	await page.click('#walk-in');
	await page.waitForSelector('#walk-title');
	await clean('walk-in');
	await page.click('[data-size="3"]');
	await page.waitForSelector('.row.seated');
	assert.equal(statusOf('Walk-in'), 'CONFIRMED SEATED');
	/* A finger on the wrong number: they are taken out again, and the next ones come in. */
	await page.click('#toast button');
	await until(() => statusOf('Walk-in').startsWith('CANCELED'), 'taken out');
	await page.click('#walk-in');
	await page.click('[data-size="3"]');
	await page.waitForSelector('.row.seated');
	await page.click('#phone-booking');
	await page.waitForSelector('#phone-title');
	await clean('phone booking');
	await page.fill('#p-phone', '010-2222-0001');
	await page.locator('#p-phone').blur();
	await until(async () => (await page.inputValue('#p-name')) === '이서준', 'the number finds the person');
	await page.fill('#p-time', '23:45');
	await page.click('dialog [type=submit]');
	await page.waitForSelector('.row:has-text("이서준")');
	await page.locator('.row.pending', { hasText: '이서준' }).locator('.who').click();
	await page.waitForSelector('#one-title');
	await clean('one reservation');
	assert.equal(await page.locator('dialog button:has-text("No-show")').count(), 0, 'their time has not come');
	await page.click('dialog button:has-text("Change")');
	await page.fill('#e-party', '4');
	await clean('change');
	await page.click('dialog .primary');
	await until(() => house.read(`SELECT party_size FROM reservations WHERE guest_name = '이서준' ORDER BY reservation_id DESC LIMIT 1`) === '4', 'resized');
	await page.locator('.row.pending', { hasText: '이서준' }).locator('.who').click();
	await page.click('dialog button:has-text("Note")');
	await page.fill('#n-own', 'by the window');
	await page.click('dialog .primary');
	await until(async () => (await page.textContent('.evening')).includes('by the window'), 'the note is there');
	await page.locator('.row.pending', { hasText: '이서준' }).locator('.who').click();
	await page.click('dialog button:has-text("History")');
	assert.match(await page.textContent('.history'), /Kim/);
	const today = dayAt(Date.now(), house.read('SELECT timezone FROM restaurants'));
	const named = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
	assert.equal(await page.textContent('.history-day h3'), named.format(new Date(today)).replace(',', ''), "the restaurant's day");
	await clean('history');
	await page.click('dialog button:has-text("Close")');
	await page.locator('.row.pending', { hasText: '이서준' }).locator('.who').click();
	await page.click('dialog .danger.solid');
	await page.waitForSelector('#cancel-title');
	await clean('cancel');
	await page.fill('#c-reason', 'rain');
	await page.click('dialog .danger.solid');
	await until(() => statusOf('이서준').startsWith('CANCELED'), 'cancelled');
	await page.click('#search');
	await page.fill('#s-q', '이서');
	await page.waitForSelector('.found button');
	await clean('search');
});

test('a caller who does not fit hears which times do, and gets one of them with a tap', async () => {
	await enter({ ...TABLET, locale: 'en-US' });
	const { today: date } = (await house.api('GET', '/api/restaurants/1')).json;
	house.sql(`INSERT INTO restaurant_reservation_slots (restaurant_id, slot_date, slot_time, max_capacity) VALUES (1, '${date}', '23:30', 1) ON CONFLICT DO UPDATE SET max_capacity = 1`);
	await page.click('#phone-booking');
	await page.fill('#p-time', '23:30');
	await page.fill('#p-name', 'Too many');
	await page.click('dialog [type=submit]');
	await page.waitForSelector('.fitting button');
	await clean('times that fit');
	const fits = await page.textContent('.fitting button >> nth=0');
	await page.click('.fitting button >> nth=0');
	await until(() => house.read(`SELECT slot_time FROM reservations JOIN restaurant_reservation_slots USING (slot_id) WHERE guest_name = 'Too many'`) === fits, 'booked then');
	await page.click('#toast button');
	await until(() => statusOf('Too many').startsWith('CANCELED'), 'taken back');
});

test('who walks in before the house is full may sit until then', async () => {
	house.sql('UPDATE restaurants SET seats = 6');
	try {
		await book('여섯', { minutes: 50, partySize: 6, tables: [{ tableId: 1 }, { tableId: 2 }] });
		await enter({ ...TABLET, locale: 'en-US' });
		await page.click('#walk-in');
		await page.click('[data-size="2"]');
		await page.waitForSelector('dialog:has-text("There is room until")');
		await clean('a short stay');
		await page.click('dialog .primary');
		/* The walk-ins of other tests are still on the screen, as parties that have gone: the book knows which is ours. */
		await until(() => {
			const [status, minutes] = house.read(`SELECT status, sitting_minutes FROM reservations WHERE source = 'WALK_IN' ORDER BY reservation_id DESC LIMIT 1`).split('|');
			return status === 'CONFIRMED' && Number(minutes) >= 48 && Number(minutes) <= 51;
		}, 'seated until the others come');
	} finally {
		house.sql('UPDATE restaurants SET seats = 0');
	}
});

test('two tablets: each sees the other within two seconds, and the second hears who was faster', async () => {
	await book('두화면', { minutes: -5 });
	const first = await enter({ ...TABLET, locale: 'ko-KR' });
	const second = await enter({ ...TABLET, locale: 'ko-KR' }, 'owner@example.com');
	await second.waitForSelector('.row:has-text("두화면")');
	await first.locator('.row', { hasText: '두화면' }).locator('[data-act=arrive]').click();
	await first.waitForSelector('.row.arrived');
	const begun = Date.now();
	await second.waitForSelector('.row.arrived', { timeout: 2000 });
	console.log(`# the other tablet knew after ${Date.now() - begun} ms`);
	/* Both tap in the same moment: one of them is told. */
	await second.route('**/api/desk/day*', (route) => route.abort());
	await first.locator('.row', { hasText: '두화면' }).locator('[data-act=seat]').click();
	await first.waitForSelector('.row.seated');
	await second.locator('.row', { hasText: '두화면' }).locator('[data-act=seat]').click();
	await until(async () => (await second.textContent('#toast')).includes('Kim'), 'who was faster');
	await second.waitForSelector('.row.seated');
});

test('with the box down the evening stays on the screen, and after a reload too', async () => {
	await book('정전', { minutes: 20 });
	await enter({ ...TABLET, locale: 'ko-KR' });
	await page.waitForSelector('.row:has-text("정전")');
	await page.route('**/api/**', (route) => route.abort());
	await page.waitForSelector('#stale:not([hidden])', { timeout: 9000 });
	assert.match(await page.textContent('#stale'), /\d\d:\d\d:\d\d 기준/);
	await clean('no connection');
	await page.reload();
	await page.waitForSelector('.row:has-text("정전")');
	await page.waitForSelector('#stale:not([hidden])');
	await page.unroute('**/api/**');
	await until(() => page.locator('#stale').isHidden(), 'back again', 12000);
});

test('now cards and the timeline tell who sits where, and until when', async () => {
	await book('창가', { minutes: -100, partySize: 4 });
	const next = await book('다음', { minutes: 30, partySize: 4 });
	await enter({ ...TABLET, locale: 'ko-KR' });
	await page.waitForSelector('.row');
	await page.locator('.row', { hasText: '창가' }).locator('[data-act=arrive]').click();
	await page.locator('.row.arrived', { hasText: '창가' }).locator('[data-act=seat]').click();
	await page.waitForSelector('.row.seated');
	await page.click('#tabs a[href="#now"]');
	await page.waitForSelector('.now-card.over');
	assert.match(await page.textContent('.now-card.over'), /창가.*초과/);
	assert.ok((await page.textContent('.cards')).includes(`다음 ${next.slotTime} 다음 4명`));
	await clean('now');
	await page.click('#tabs a[href="#timeline"]');
	await page.waitForSelector('.block.over');
	assert.ok(await page.locator('.now-line').first().isVisible());
	await clean('timeline');
	/* A tap picks it up, another one opens it. */
	await page.click('.block.over');
	await page.waitForSelector('.moving');
	await clean('moving');
	await page.click('.block.over');
	await page.waitForSelector('#one-title');
	await page.keyboard.press('Escape');
	/* Dragged two lanes down it sits at another table, and an undo brings it back. */
	const tableOf = () => house.read(`SELECT table_id FROM reservations WHERE reservation_id = ${next.reservationId}`);
	const before = tableOf();
	const block = await page.locator('.block', { hasText: '다음' }).boundingBox();
	const lane = await page.locator('.lane[data-table="5"]').boundingBox();
	await page.mouse.move(block.x + block.width / 2, block.y + block.height / 2);
	await page.mouse.down();
	await page.mouse.move(block.x + block.width / 2, block.y + 30, { steps: 3 });
	await page.mouse.move(block.x + block.width / 2, lane.y + lane.height / 2, { steps: 5 });
	await page.mouse.up();
	await until(() => tableOf() === '5' && before !== '5', 'another table');
	await page.click('#toast button');
	await until(() => tableOf() === before, 'back at its table');
});

test('the floor is arranged with the mouse or the keys, and Now shows it; the table card has its code', async () => {
	await enter({ ...TABLET, locale: 'en-US' }, 'owner@example.com');
	await showCard(page, 'tables');
	await page.click('summary:has-text("Floor")');
	await page.focus('.floor .spot >> nth=0');
	const [x] = await page.locator('.floor .spot').first().evaluate((n) => [parseInt(n.style.left, 10)]);
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('ArrowRight');
	const form = page.locator('form', { has: page.locator('.floor') });
	await page.evaluate(() => scrollTo(0, 0)); /* nothing half below the bar at the top */
	await clean('floor');
	await form.locator('[type=submit]').click();
	await until(() => house.read(`SELECT x FROM dining_tables WHERE name = '1' AND is_deleted = 0`) === String(x + 4), 'it is kept');
	await page.waitForSelector('.save-bar.changed', { state: 'detached' }); /* and the page knows it */
	await showCard(page, 'history');
	await page.waitForSelector('.history li');
	await page.click('#tabs a[href="#now"]');
	await page.waitForSelector('.floor .spot');
	await clean('now with a floor');
	await page.addInitScript(() => { window.print = () => { window.printed = true; }; });
	await page.goto('/desk/card.html?restaurant=1');
	await page.click('#print:not(:disabled)');
	assert.ok(await page.evaluate(() => window.printed), 'the card is printed');
	await clean('the table card');
	house.sql('UPDATE dining_tables SET x = NULL, y = NULL');
});

test('the desk is red once a backup was missed, after 26 hours, and the owner takes one away by the password', async () => {
	const made = (hours) => writeFileSync(path.join(house.dir, 'backup.last'),
		new Date(Date.now() - hours * 3600e3).toISOString().replace(/\.\d+/, ''));
	await enter({ ...DESKTOP, locale: 'en-US' }, 'owner@example.com');
	for (const [hours, asked] of [[25, 0], [28, 1]]) {
		made(hours);
		await page.goto('/desk/#house/box');
		await page.reload();
		await page.waitForSelector('.sessions');
		assert.equal(await page.locator('.check.bad:has-text("The last backup was made")').count(), asked, `${hours} h`);
	}
	await page.waitForSelector('#box-line.bad:has-text("The last backup was made")');
	await clean('the box');
	await page.click('summary:has-text("Download a backup")');
	await page.fill('#b-password', 'not the one');
	await page.click('.backup [type=submit]');
	await page.waitForSelector('.backup .wrong:has-text("password")');
	await page.fill('#b-password', PASSWORD);
	const [file] = await Promise.all([page.waitForEvent('download'), page.click('.backup [type=submit]')]);
	assert.match(file.suggestedFilename(), /^jari-20..-..-..\.db$/);
	await page.waitForSelector('#toast:has-text("The backup is on this device")');
});

test('what the owner sets, a guest sees at once', async () => {
	await enter({ ...DESKTOP, locale: 'en-US' }, 'owner@example.com');
	await page.click('#tabs a[href="#house"]');
	await page.waitForSelector('.house-place .card');
	await clean('settings');
	await showCard(page, 'booking');
	await page.fill('.rules [name=partyMax]', '7');
	await page.locator('form', { has: page.locator('.rules [name=partyMax]') }).locator('[type=submit]').click();
	await until(async () => (await page.locator('form', { has: page.locator('.rules [name=partyMax]') }).locator('.result').textContent()) === 'Saved.', 'saved');
	const guest = await visitor(browser, house, PHONE);
	pages.push(guest);
	await guest.goto('/');
	await guest.waitForSelector('.time');
	assert.equal(await guest.locator('.chip').count(), 7);
	await showCard(page, 'pause');
	await page.click('button:has-text("For an hour")');
	await until(async () => (await house.api('GET', '/api/restaurants/1')).json.paused, 'paused');
	await guest.reload();
	await guest.waitForSelector('.choose .notice:not([hidden])');
	await page.click('button:has-text("Take bookings again")');
	await until(async () => !(await house.api('GET', '/api/restaurants/1')).json.paused, 'open again');
	await until(async () => !await page.locator('button:has-text("Take bookings again")').isVisible(), 'there is nothing to take back');
	/* This evening alone, and no pause of the house. */
	await page.click('button:has-text("No more for tonight")');
	await page.waitForSelector('#standing .closed-house');
	assert.equal((await house.api('GET', '/api/restaurants/1')).json.paused, false);
	await page.click('#standing button');
	await page.waitForSelector('#standing .closed-house', { state: 'detached' });
	/* Minutes for the owner, seconds in the book; what was not touched stays as it was, and back again is a change too. */
	const rules = page.locator('form', { has: page.locator('[name=holdSeconds]') });
	await showCard(page, 'deposit');
	for (const [minutes, seconds] of [['20', '1200'], ['7', '420']]) {
		await page.fill('[name=holdSeconds]', minutes);
		await rules.locator('[type=submit]').click();
		await until(() => house.read('SELECT hold_seconds FROM restaurants WHERE restaurant_id = 1') === seconds, `${minutes} minutes`);
		await until(async () => await rules.locator('.save-bar.changed').count() === 0, 'the page heard it');
	}
	/* A number that is refused hears which are taken: by the browser, and by the box. */
	const times = page.locator('form', { has: page.locator('.rules [name=slotMinutes]') });
	await showCard(page, 'times');
	await page.fill('.rules [name=slotMinutes]', '3');
	await times.locator('[type=submit]').click();
	assert.equal(await page.locator('.rules [name=slotMinutes]').evaluate((n) => n.validationMessage), 'It can be from 5 to 720.');
	await page.fill('.rules [name=slotMinutes]', '30');
	await page.fill('.rules [name=sittingMinutes]', '3');
	await times.locator('[type=submit]').click();
	await until(async () => /0, or from 5 to 1440/.test(await times.locator('.result.bad').textContent().catch(() => '')), 'which minutes are taken');
	/* What guests will read stands below, while it is typed and before it is saved. */
	await page.fill('.rules [name=sittingMinutes]', '120');
	assert.match(await page.locator('form', { has: page.locator('.rules [name=sittingMinutes]') }).locator('.told').textContent(), /18:00, 18:30, 19:00 … \(a table booked for 18:00 is kept until 20:00\)/);
	await page.setViewportSize({ width: 1280, height: 1600 }); /* nothing half below the bars at the top and the bottom */
	await clean('what guests see');
	await page.click('.save-bar .plain');
	await until(async () => await page.inputValue('.rules [name=sittingMinutes]') !== '120', 'given up');
	await showCard(page, 'deposit');
	assert.equal(await rules.locator('.told').textContent(), 'Guests see: Confirmed at once, no deposit');
	await page.fill('.rules [name=depositPerPerson]', '5000');
	assert.match(await rules.locator('.told').textContent(), /2 guests ₩10,000 · .*within 7 minutes/);
	assert.match(await page.locator('.preview').textContent(), /How to pay.*₩10,000/s);
	assert.equal(house.read('SELECT deposit_per_person FROM restaurants WHERE restaurant_id = 1'), '0');
	await page.click('.save-bar .plain');
	await until(async () => await page.inputValue('.rules [name=depositPerPerson]') === '0', 'given up');
	/* Every setting of the box has its place and its sentence, but for those that an engineer tunes. */
	const { settings } = (await house.api('GET', '/api/desk/house?restaurantId=1', { token: (await house.api('POST', '/api/login', { body: { email: 'owner@example.com', password: PASSWORD } })).json.accessToken })).json;
	const shown = [];
	for (const card of ['place', 'times', 'booking', 'waitlist', 'privacy', 'deposit', 'refund', 'messages', 'openings']) {
		await showCard(page, card);
		shown.push(...await page.evaluate(() => [...document.querySelectorAll('.rules [name], [name=opensAtMinute]')].filter((input) => document.getElementById(input.getAttribute('aria-describedby'))?.textContent.length > 5).map((input) => input.name)));
	}
	assert.deepEqual(settings.map((s) => s.name).filter((name) => !shown.includes(name)).sort(), ['rateLimitPerSec', 'userLockMs', 'waitMs']);
	/* Staff have no such page. */
	await enter({ ...PHONE, locale: 'en-US' });
	assert.equal(await page.locator('#tabs a').count(), 4);
	await page.goto('/desk/#house');
	await page.waitForSelector('.totals');
	assert.equal(await page.locator('.rules [name=partyMax]').count(), 0);
});

test('no more for tonight is one tap, shows on every tablet, and one tap ends it', async () => {
	const { timezone } = (await house.api('GET', '/api/restaurants/1')).json;
	const today = dayAt(new Date(), timezone);
	const freeTimes = async (day) => (await house.api('GET', `/api/reservations/slots?restaurantId=1&slotDate=${day}&partySize=2`)).json.slots.filter((s) => s.available).length;
	const tomorrow = new Date(Date.parse(`${today}T00:00:00Z`) + 86400e3).toISOString().slice(0, 10);
	house.sql('UPDATE restaurants SET lead_minutes = 0');
	const second = await enter({ ...TABLET, locale: 'ko-KR' });
	await enter({ ...TABLET, locale: 'en-US' });
	assert.ok(await freeTimes(today) > 0);
	await page.click('.new .menu summary');
	await page.click('#no-more');
	await page.waitForSelector('#standing .closed-house');
	assert.match(await page.locator('#standing').textContent(), /No new online bookings/);
	assert.equal(await page.locator('#no-more').count(), 0);
	await second.waitForSelector('#standing .closed-house', { timeout: 3000 });
	await clean('an evening that is closed');
	assert.equal(await freeTimes(today), 0);
	assert.ok(await freeTimes(tomorrow) > 0, 'tomorrow is open');
	for (const tab of ['now', 'timeline']) {
		await page.click(`#tabs a[href="#${tab}"]`);
		await page.waitForSelector(tab === 'now' ? '.cards' : '.lanes');
		assert.equal(await page.locator('#standing .closed-house').count(), 1, tab);
	}
	assert.ok(await page.locator('.closure').count() >= 5, 'on every lane');
	await second.click('#standing button');
	await page.waitForSelector('#standing .closed-house', { state: 'detached' });
	await until(async () => await freeTimes(today) > 0, 'open again');
	/* The way back of the tap itself. */
	await page.click('.new .menu summary');
	await page.click('#no-more');
	await page.waitForSelector('#toast button');
	await page.click('#toast button');
	await page.waitForSelector('#standing .closed-house', { state: 'detached' });
	assert.equal(house.read('SELECT count(*) FROM blocks WHERE lifted_at IS NULL'), '0');
});

test('a table is blocked for a time, is drawn, and is lifted from the list', async () => {
	await enter({ ...TABLET, locale: 'en-US' });
	await page.click('.new .menu summary');
	await page.click('#block');
	await page.waitForSelector('#bl-from');
	await page.locator('dialog .chip', { hasText: /^2$/ }).click();
	await page.locator('dialog label', { hasText: 'Nothing new at all' }).click();
	await page.fill('#bl-from', '00:00');
	await page.fill('#bl-to', '23:55');
	await clean('the dialog');
	await page.click('dialog .primary');
	await page.waitForSelector('#standing .closed-tables');
	assert.match(await page.locator('#standing').textContent(), /2.*Nothing new at all.*00:00–23:55/);
	await page.click('#tabs a[href="#now"]');
	await page.waitForSelector('.now-card .closed-tables');
	assert.equal(await page.locator('.now-card .closed-tables').count(), 1);
	await page.click('.new .menu summary');
	await page.click('#block');
	await page.locator('dialog .blocks button').click();
	await page.waitForSelector('#standing .closed-tables', { state: 'detached' });
	assert.equal(house.read('SELECT count(*) FROM blocks WHERE lifted_at IS NULL'), '0');
});

test('joined tables are picked by tapping, their seats are proposed, and one table is no join', async () => {
	await enter({ ...DESKTOP, locale: 'en-US' }, 'owner@example.com');
	await showCard(page, 'tables');
	const card = page.locator('form', { has: page.locator('button:has-text("Add joined tables")') });
	await card.locator('button:has-text("Add joined tables")').click();
	const row = card.locator('.edit-row').last();
	await row.locator('.pick', { hasText: '1' }).click();
	await card.locator('[type=submit]').click();
	assert.equal(await row.locator('input[type=number]').evaluate((n) => n.validationMessage), 'Tap two tables or more.');
	await row.locator('.pick', { hasText: '3' }).click();
	assert.equal(await row.locator('input[type=number]').inputValue(), '8');
	await card.locator('select').first().selectOption('WALK_IN');
	await card.locator('[type=submit]').click();
	await until(async () => (await card.locator('.result').textContent()) === 'Saved.', 'saved');
	assert.equal(house.read("SELECT seats_max || ' ' || (SELECT group_concat(name) FROM table_set_members m JOIN dining_tables USING (table_id) WHERE m.set_id = s.set_id ORDER BY name) FROM table_sets s WHERE is_deleted = 0"), '8 1,3');
	assert.equal(house.read("SELECT group_concat(open_to) FROM (SELECT open_to FROM dining_tables WHERE is_deleted = 0 ORDER BY name LIMIT 2)"), 'WALK_IN,ONLINE');
	await clean('tables');
	house.sql("UPDATE table_sets SET is_deleted = 1; UPDATE dining_tables SET open_to = 'ONLINE'");
});

test('an owner who takes the last hours away stays at the desk, and so do the staff', async () => {
	await book('Lee', { minutes: 90 });
	await enter({ ...DESKTOP, locale: 'en-US' }, 'owner@example.com');
	await showCard(page, 'hours');
	const hours = page.locator('form', { has: page.locator('h2', { hasText: /^Opening hours$/ }) });
	await hours.first().waitFor();
	const before = JSON.parse(house.read("SELECT json_group_array(json_array(weekday, opens, closes)) FROM opening_hours WHERE restaurant_id = 1"));
	while (await hours.locator('.span button').count()) await hours.locator('.span button').first().click();
	await hours.locator('[type=submit]').click();
	await until(async () => /Lee.*outside of the hours/.test(await hours.locator('.torn').textContent().catch(() => '')), 'who is contradicted, and why');
	try {
		await page.goto('/desk/');
		await page.waitForSelector('.totals');
		await enter({ ...PHONE, locale: 'en-US' });
		assert.match(await page.textContent('main'), /Lee/);
		const guest = await visitor(browser, house, { ...PHONE, locale: 'en-US' });
		pages.push(guest);
		await guest.goto('/');
		await guest.waitForSelector('.choose > .notice:not([hidden])');
		assert.match(await guest.textContent('.choose > .notice'), /no opening hours/);
	} finally {
		for (const [weekday, opens, closes] of before) house.sql(`INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) VALUES (1, ${weekday}, '${opens}', '${closes}')`);
	}
});

test('from 360 to 1280 pixels, with large letters and in the dark nothing is cut off; by keyboard alone it works', async () => {
	await book('아주아주긴이름을가진손님입니다정말로', { minutes: -5, note: 'a note that is quite long and goes on and on, for somebody has written it in a hurry', phone: '010-2222-0009' });
	for (const [width, dark] of [[360, true], [768, false], [1280, true]]) {
		await enter({ viewport: { width, height: 800 }, locale: 'en-US', colorScheme: dark ? 'dark' : 'light' });
		await page.waitForSelector('.row');
		assert.ok(await fits(), `${width} px`);
		await clean(`${width} px`);
		await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
		await page.waitForTimeout(200);
		assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('body *')].filter((n) => n.getBoundingClientRect().right > innerWidth + 1 && !n.closest('.strip, .scroll, .unseen, .skip')).map((n) => `${n.tagName}.${n.className} ${Math.round(n.getBoundingClientRect().right)}`)), [], `${width} px, large letters`);
	}
	await enter({ ...DESKTOP, locale: 'en-US' });
	await page.waitForSelector('.row [data-act=arrive]');
	await page.focus('.row [data-act=arrive]');
	await page.keyboard.press('Enter');
	await page.waitForSelector('.row.arrived');
	assert.equal(await page.evaluate(() => document.activeElement.closest('[data-id]') !== null), true, 'the focus stays with the party');
	await page.keyboard.press('Enter');
	await page.waitForSelector('.row.seated');
});

test('the owner sees numbers that a screen reader can read, takes lists home, and forgets a guest', async () => {
	const { token, reservationId, version } = await book('잊을이', { minutes: -50, phone: '010-2222-0010' });
	await house.api('POST', `/api/desk/reservations/${reservationId}/complete`, { token, body: { version } });
	await enter({ ...TABLET, locale: 'en-US' }, 'owner@example.com');
	await page.click('#tabs a[href="#numbers"]');
	await page.waitForSelector('.heat');
	await clean('numbers');
	const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[download="guests.csv"]')]);
	const csv = readFileSync(await download.path());
	assert.deepEqual([...csv.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
	assert.match(csv.toString(), /잊을이/);
	await page.click('#tabs a[href="#list"]');
	await page.locator('.gone .row', { hasText: '잊을이' }).locator('.who').click();
	await page.click('dialog button:has-text("Note")');
	await page.click('dialog .plain.danger');
	await clean('forget');
	await page.click('dialog .danger.solid');
	await until(() => house.read(`SELECT count(*) FROM users WHERE name = '잊을이'`) === '0', 'forgotten');
	await until(async () => !(await page.textContent('.evening')).includes('잊을이'), 'gone from the screen');
});
