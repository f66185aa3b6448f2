/*
 * evening.test.mjs - the screens of a full evening in Chromium: how much of it is seen at once, who stands on top, what is said of
 * the seats that are left, and a timeline that is worked by hand, by taps and by keys.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { axe, clockAt, dayAt, openBrowser, openHouse, PHONE, until, visitor, zoneWhereItIs } from './house.mjs';

const TABLET = { viewport: { width: 1024, height: 768 }, hasTouch: true };
const PASSWORD = 'correct horse 7';
const THERE = { list: '.row', now: '.now-card', timeline: '.block' }; /* what shows that a view is drawn */
const zone = zoneWhereItIs(19);
const pages = [];
let browser;
let house;
let token;
let page;

before(async () => {
	browser = await openBrowser();
	house = await openHouse();
	house.jari('staff', 'add', 'kim@example.com', 'Kim', '--password', PASSWORD);
	house.sql(`DELETE FROM opening_hours;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00' FROM json_each('[1,2,3,4,5,6,7]');
INSERT INTO dining_tables (restaurant_id, name, seats_min, seats_max, open_to, x, y)
SELECT 1, 'T' || value, 1, 4, iif(value = 10, 'STAFF', 'ONLINE'), 25 * (value % 5), 33 * (value / 3) FROM json_each('[1,2,3,4,5,6,7,8,9,10]');
UPDATE restaurants SET timezone = '${zone}', sitting_minutes = 90, slot_minutes = 30, deposit_per_person = 0, deposit_large_per_person = 0, seats = 40, lead_minutes = 0, name_en = 'Warm Table'`);
	token = (await house.api('POST', '/api/login', { body: { email: 'kim@example.com', password: PASSWORD } })).json.accessToken;
});
after(async () => { await browser?.close(); await house?.close(); });
afterEach(async () => {
	const wrong = pages.flatMap((p) => p.wrong);
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	house.sql(`UPDATE reservations SET status = 'CANCELED' WHERE status IN ('CONFIRMED', 'TEMPORARY')`);
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

async function enter(device, tab = 'list') {
	page = await visitor(browser, house, device);
	pages.push(page);
	await page.goto(`/desk/#${tab}`);
	await page.fill('#l-email', 'kim@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector(THERE[tab]);
}

const tableOf = (name) => house.read(`SELECT d.name FROM reservations r JOIN dining_tables d USING (table_id) WHERE guest_name = '${name}' ORDER BY reservation_id DESC LIMIT 1`);
const timeOf = (name) => house.read(`SELECT s.slot_time FROM reservations r JOIN restaurant_reservation_slots s USING (slot_id) WHERE guest_name = '${name}' ORDER BY reservation_id DESC LIMIT 1`);

/* A party this many minutes from now, at the table of that number. */
async function book(guestName, minutes, table, { partySize = 2, ...more } = {}) {
	const at = new Date(Date.now() + minutes * 60000);
	const tables = [{ tableId: Number(house.read(`SELECT table_id FROM dining_tables WHERE name = 'T${table}'`)) }];
	const body = { slotDate: dayAt(at, zone), slotTime: clockAt(at, zone), partySize, guestName, tables, ...more };
	const made = await house.api('POST', '/api/desk/reservations?restaurantId=1', { token, body });
	assert.equal(made.status, 201, made.text);
	return made.json;
}
const act = async ({ reservationId, version }, word) => {
	const done = await house.api('POST', `/api/desk/reservations/${reservationId}/${word}`, { token, body: { version } });
	assert.equal(done.status, 200, done.text);
	return done.json;
};

/* Nine parties at as many times, none late. */
async function fill() {
	for (let n = 1; n <= 9; n++) await book(`Party ${n}`, 10 * n, n, { phone: `010-3333-000${n}` });
}
const seen = () => page.evaluate(() => [...document.querySelectorAll('.row')].filter((n) => {
	const { top, bottom } = n.getBoundingClientRect();
	return top >= 0 && bottom <= innerHeight;
}).length);

test('a tablet shows eight parties at once, a telephone four, each at a time of its own', async () => {
	await fill();
	for (const locale of ['en-US', 'ko-KR']) {
		await enter({ ...TABLET, locale });
		assert.ok(await seen() >= 8, `${await seen()} on a tablet, ${locale}`);
		await enter({ ...PHONE, locale });
		assert.ok(await seen() >= 4, `${await seen()} on a telephone, ${locale}`);
		const small = await page.evaluate(() => [...document.querySelectorAll('main :is(button, a, summary)')].filter((n) => n.getClientRects().length && n.getBoundingClientRect().height < 43.5).map((n) => n.textContent));
		assert.deepEqual(small, [], 'a finger hits everything');
	}
});

test('every view is without a fault for those who see by ear, by day and by night, also with large letters on a telephone', async () => {
	await fill();
	await act(await book('Here', -100, 10, { partySize: 3 }), 'seat');
	await act(await book('Early', 115, 1), 'arrive');
	for (const [device, large] of [[TABLET, false], [PHONE, false], [PHONE, true]]) {
		await enter({ ...device, locale: 'en-US' });
		if (large) await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
		for (const [tab, there] of Object.entries(THERE)) {
			await page.click(`#tabs a[href="#${tab}"]`);
			await page.waitForSelector(there);
			for (const colorScheme of ['light', 'dark']) {
				const what = `${tab}, ${device.viewport.width} px, ${colorScheme}${large ? ', large' : ''}`;
				await page.emulateMedia({ colorScheme });
				assert.equal(await axe(page), '', what);
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what} scrolls sideways`);
			}
		}
		await pages.pop().context().close();
	}
});

test('who has come and waits for a table stands on top, with the minutes, and their table is not free', async () => {
	await book('Late', -30, 2);
	const came = await act(await book('Came early', 40, 1), 'arrive');
	house.sql(`UPDATE reservations SET arrived_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-7 minutes', '-10 seconds') WHERE reservation_id = ${came.reservationId}`);
	await enter({ ...TABLET, locale: 'en-US' });
	const first = page.locator('.evening > section').first();
	assert.match(await first.textContent(), /At the door.*Came early.*waits 7 min/);
	assert.match(await page.locator('.late-box .row').textContent(), new RegExp(timeOf('Late')), 'and the late one says when it was booked for');
	await page.click('#tabs a[href="#now"]');
	await page.waitForSelector('.now-card.arrived');
	assert.match(await page.locator('.cards .now-card').first().textContent(), /T1.*Came early.*waits 7 min/);
	assert.match(await page.locator('.cards .now-card').last().textContent(), /Free/);
	await page.locator('.cards .now-card.arrived [data-act=seat]').click();
	await page.waitForSelector('.cards .now-card.taken');
});

test('a table that is booked soon says in how many minutes, one for later until when it is free', async () => {
	await book('Soon', 11, 1);
	await book('Later', 75, 2);
	await enter({ ...TABLET, locale: 'en-US' }, 'now');
	const card = (name) => page.locator('.cards .now-card', { hasText: name });
	/* Whole minutes until it begins; of this one some seconds are gone. */
	const minuteOf = (time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
	const left = () => (minuteOf(timeOf('Soon')) - minuteOf(clockAt(Date.now(), zone)) + 1440) % 1440;
	const before = left();
	const said = Number(/Booked in (\d+) min/.exec(await card('T1').first().textContent())[1]);
	assert.ok(said <= before && said >= left() - 1, `${said} of ${before}`);
	assert.match(await card('T2').textContent(), new RegExp(`Free until ${timeOf('Later')}`));
	const spots = await page.evaluate(() => {
		const frame = document.querySelector('.floor').getBoundingClientRect();
		return [...document.querySelectorAll('.spot')].filter((n) => {
			const { left, right, top, bottom } = n.getBoundingClientRect();
			return left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom;
		}).length;
	});
	assert.equal(spots, 0, 'no box of the floor is cut');
});

test('the seats on top are what guests can book; where staff can seat more, both are said', async () => {
	const at = 23 * 60;
	const minutes = at - Number(clockAt(Date.now(), zone).slice(0, 2)) * 60 - Number(clockAt(Date.now(), zone).slice(3));
	for (let n = 1; n <= 9; n++) await book(`Full ${n}`, minutes, n);
	await enter({ ...TABLET, locale: 'en-US' });
	const chip = page.locator('.strip li', { hasText: '23:00' });
	assert.match(await chip.textContent(), /guests 0 · you 4/);
	const day = dayAt(Date.now(), zone);
	const online = await house.api('GET', `/api/reservations/slots?restaurantId=1&slotDate=${day}&partySize=1`);
	assert.equal(online.json.slots.find((s) => s.slotTime === '23:00').available, false);
	/* Another day has nobody who is here. */
	assert.equal(await page.locator('.totals dt', { hasText: 'Here now' }).count(), 1);
	await page.click('[aria-label="Next day"]');
	await until(async () => await page.locator('.totals dt', { hasText: 'Here now' }).count() === 0, 'not on another day');
});

test('a block is moved by two taps, by the arrow keys and by hand, and says where it would lie', async () => {
	await book('Moves', 60, 3);
	const before = timeOf('Moves');
	await enter({ ...TABLET, locale: 'en-US' }, 'timeline');
	const block = page.locator('.block', { hasText: 'Moves' });
	const under = async (name) => {
		const [lane, own] = [await page.locator('.lane', { hasText: name }).boundingBox(), await block.boundingBox()];
		return [own.x + own.width / 2, lane.y + lane.height / 2];
	};
	assert.match(await block.textContent(), new RegExp(`${before}–`));
	await block.tap();
	await page.waitForSelector('.moving');
	await page.touchscreen.tap(...await under('T5'));
	await until(() => tableOf('Moves') === 'T5', 'another table by two taps');
	assert.equal(timeOf('Moves'), before, 'at its own time');
	await until(async () => await page.locator('.moving').count() === 0, 'it lies');
	/* By keys: picked up with Enter, put down with Enter. */
	await block.focus();
	await page.keyboard.press('Enter');
	await page.waitForSelector('.block.picked');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowRight');
	await page.waitForSelector('.ghost');
	assert.equal(await page.evaluate(() => document.activeElement.classList.contains('picked')), true, 'the focus stays with it');
	await page.keyboard.press('Enter');
	await until(() => tableOf('Moves') === 'T6' && timeOf('Moves') !== before, 'another table and time by keys');
	await until(async () => await page.locator('.moving').count() === 0, 'it lies');
	await page.keyboard.press('Enter');
	await page.waitForSelector('.block.picked');
	await page.keyboard.press('Escape');
	await until(async () => await page.locator('.block.picked').count() === 0, 'let go');
	/* By hand: while it is in the air it is above the others, with its target beside it. */
	const box = await block.boundingBox();
	await page.mouse.move(box.x + 40, box.y + 20);
	await page.mouse.down();
	await page.mouse.move(...await under('T8'), { steps: 4 });
	assert.match(await page.textContent('.drag-tip'), /\d\d:\d\d–\d\d:\d\d · Table T8/);
	assert.ok(Number(await block.evaluate((n) => getComputedStyle(n).zIndex)) > 0);
	await page.mouse.up();
	await until(() => tableOf('Moves') === 'T8', 'by hand');
	assert.ok(await page.isHidden('.drag-tip'));
});

test('a block is made longer by its end, by a button, and by shift and an arrow; an undo takes it back', async () => {
	await book('Stays', 60, 3);
	const minutes = () => Number(house.read(`SELECT sitting_minutes FROM reservations WHERE guest_name = 'Stays' ORDER BY reservation_id DESC LIMIT 1`));
	assert.equal(minutes(), 90);
	await enter({ ...TABLET, locale: 'en-US' }, 'timeline');
	const block = page.locator('.block', { hasText: 'Stays' });
	const booked = await block.textContent(); // with its times
	const box = await block.boundingBox();
	await page.mouse.move(box.x + box.width - 5, box.y + 20);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width - 5 + box.width / 3, box.y + 20, { steps: 4 });
	assert.match(await page.textContent('.drag-tip'), /\d\d:\d\d–\d\d:\d\d/);
	await page.mouse.up();
	await until(() => minutes() === 120, 'half an hour longer');
	await page.click('#toast button');
	await until(() => minutes() === 90, 'taken back');
	await until(async () => await block.textContent() === booked, 'and on the screen');
	await block.click();
	await page.click('.moving button:has-text("+15 min")');
	await page.click('.moving button:has-text("Save")');
	await until(() => minutes() === 105, 'a quarter longer by a button');
	await until(async () => await page.locator('.moving').count() === 0, 'it lies');
	await until(async () => await block.textContent() !== booked, 'its new end is on the screen');
	await block.focus();
	await page.keyboard.press('Enter');
	await page.waitForSelector('.block.picked');
	await page.keyboard.press('Shift+ArrowLeft');
	await page.waitForSelector('.ghost');
	await page.keyboard.press('Enter');
	await until(() => minutes() === 90, 'a quarter shorter by the keys');
});

test('on a telephone the timeline begins at now, and stays where it was scrolled to', async () => {
	await book('Begins', 5, 1);
	await book('Begins later', 120, 2);
	await enter({ ...PHONE, locale: 'en-US' }, 'timeline');
	const now = await page.locator('.now-line').first().boundingBox();
	assert.ok(now.x > 60 && now.x < 200, `${now.x}`);
	await page.evaluate(() => { document.querySelector('.scroll').scrollLeft = 40; });
	await book('Changes', 150, 3);
	await page.waitForSelector('.block:has-text("Changes")');
	assert.equal(await page.evaluate(() => document.querySelector('.scroll').scrollLeft), 40);
});

test('dialogs have one width and one cross; who has typed something is asked before it is lost', async () => {
	await book('Opened', 20, 1, { phone: '010-3333-0020' });
	await enter({ ...TABLET, locale: 'en-US' });
	const tapRow = (label) => async () => {
		await page.click('.row:has-text("Opened") .who');
		if (label) await page.locator('dialog button', { hasText: label }).click();
	};
	const tapMore = (id) => async () => {
		await page.click('.new .menu summary');
		await page.click(id);
	};
	const dialogs = {
		'walk-in': () => page.click('#walk-in'), phone: () => page.click('#phone-booking'), search: () => page.click('#search'),
		waitlist: tapMore('#add-waiter'), block: tapMore('#block'), pace: () => page.click('.strip button >> nth=0'),
		one: tapRow(), change: tapRow(/^Change$/), note: tapRow(/^Note$/), history: tapRow(/^History$/), cancel: tapRow(/^Cancel reservation$/),
	};
	const widths = new Set();
	for (const [name, show] of Object.entries(dialogs)) {
		await show();
		await page.waitForSelector('dialog h2');
		await page.waitForTimeout(300); /* it rises */
		widths.add(Math.round((await page.locator('dialog').boundingBox()).width));
		assert.equal(await axe(page), '', name);
		await page.click('dialog .cross');
		await until(async () => await page.locator('dialog').count() === 0, `${name} is closed by its cross`);
	}
	assert.equal(widths.size, 1, `${[...widths]}`);
	await page.click('#phone-booking');
	await page.waitForSelector('#p-name');
	await page.keyboard.press('Escape');
	await until(async () => await page.locator('dialog').count() === 0, 'nothing was typed');
	await page.click('#phone-booking');
	await page.fill('#p-name', 'Somebody');
	for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(20, 400), () => page.click('dialog .cross')]) {
		await leave();
		await page.waitForSelector('.leaving:not([hidden])');
		assert.equal(await axe(page), '', 'the question');
		await page.click('.leaving .soft');
		assert.equal(await page.inputValue('#p-name'), 'Somebody', 'it is still there');
	}
	await page.keyboard.press('Escape');
	await page.click('.leaving .danger');
	await until(async () => await page.locator('dialog').count() === 0, 'it is given up');
});

test('the desk calls the house by its name in the language on the screen', async () => {
	await book('Anybody', 30, 1);
	for (const [locale, name] of [['en-US', 'Warm Table'], ['ko-KR', house.read('SELECT name FROM restaurants')]]) {
		await enter({ ...TABLET, locale });
		assert.equal(await page.textContent('#house'), name);
	}
});
