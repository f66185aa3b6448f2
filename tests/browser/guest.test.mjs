/*
 * guest.test.mjs - the guest's page in a real browser, against the real appliance.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';
import { axe, DESKTOP, fillIn, hold, openBrowser, openHouse, PHONE, until, visitor } from './house.mjs';

let house, browser, page, day = 0;
const pages = [];

before(async () => { [house, browser] = await Promise.all([openHouse(), openBrowser()]); });
after(async () => { await browser?.close(); await house?.close(); });
afterEach(async () => {
	const wrong = pages.flatMap((p) => p.wrong);
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

async function visit(device) {
	page = await visitor(browser, house, device);
	pages.push(page);
	return page;
}

/* Each test books a day of its own, so that none fills another's. */
async function nextDay() {
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	for (;;) {
		const date = new Date(Date.parse(`${today}T00:00:00Z`) + ++day * 864e5);
		if (date.getUTCDay() !== 1) return date.toISOString().slice(0, 10);
	}
}

const clean = async (what) => assert.equal(await axe(page), '', what);
const count = (where) => Number(house.read(`SELECT count(*) FROM reservations v JOIN restaurant_reservation_slots s USING (slot_id) WHERE ${where}`));
const statusOf = (code) => house.read(`SELECT status FROM reservations WHERE reservation_code = '${code}'`);
const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

test('the first view is small, arrives whole and does not jump', async () => {
	await visit(PHONE);
	const session = await page.context().newCDPSession(page);
	let bytes = 0;
	let requests = 0;
	await session.send('Network.enable');
	session.on('Network.loadingFinished', (e) => { bytes += e.encodedDataLength; requests++; });
	await page.addInitScript(() => {
		window.shift = 0;
		new PerformanceObserver((list) => list.getEntries().forEach((e) => { window.shift += e.value; })).observe({ type: 'layout-shift', buffered: true });
	});
	await page.goto('/');
	await page.waitForSelector('.time');
	await page.waitForTimeout(300);
	const shift = await page.evaluate(() => window.shift);
	console.log(`# first view: ${bytes} bytes in ${requests} requests, layout shift ${shift.toFixed(4)}`);
	assert.ok(bytes > 5000 && bytes < 60000, `${bytes} bytes`);
	assert.ok(shift < 0.02, `layout shift ${shift}`);
});

test('a first-time guest on a phone books with four taps, in seconds', async () => {
	await visit(PHONE);
	let taps = 0;
	const tap = async (selector) => { taps++; await page.tap(selector); };
	const begun = Date.now();
	await page.goto('/');
	await tap('.time:not(.full) >> nth=0'); /* whichever day and hour it is: the page shows the first open day */
	await tap('#f-name');
	await page.keyboard.type('홍길동', { delay: 60 });
	await tap('#f-phone');
	await page.keyboard.type('01012345678', { delay: 60 });
	await tap('.primary');
	await page.waitForSelector('.reservation.temporary');
	const seconds = (Date.now() - begun) / 1000;
	console.log(`# booked with ${taps} taps in ${seconds.toFixed(1)} s`);
	assert.ok(taps <= 5 && seconds < 30);
});

for (const [title, device, words] of [
	['in Korean on a phone', { ...PHONE, locale: 'ko-KR' }, { held: '자리를 잡아 두었습니다', booked: '예약이 확정되었습니다', gone: '취소된 예약입니다' }],
	['in English on a desktop', { ...DESKTOP, locale: 'en-US' }, { held: 'Your seats are held', booked: 'Your table is booked', gone: 'This reservation is cancelled' }],
]) test(`the whole way, ${title}: choose, hold, pay, confirmed, cancelled; every screen is accessible`, async () => {
	const date = await nextDay();
	await visit(device);
	await page.goto(`/?party=4&date=${date}`);
	await page.waitForSelector('.time');
	await clean('choose');
	await page.click('[data-time="18:00"]');
	await clean('details');
	await page.click('.primary');
	assert.equal(await page.getAttribute('#f-name', 'aria-invalid'), 'true', 'an empty name is refused here');
	assert.equal(await page.evaluate(() => document.activeElement.id), 'f-name', 'focus goes to what is wrong');
	await clean('details with errors');
	await fillIn(page);
	await page.fill('#f-request', 'peanut allergy '.repeat(21));
	assert.equal((await page.inputValue('#f-request')).length, 315, 'nothing is cut');
	assert.equal(await page.textContent('#f-request-count'), '314/300');
	await page.fill('#f-name', '\u{1f95c}'.repeat(81));
	await page.click('.primary');
	assert.equal(await page.evaluate(() => document.activeElement.id), 'f-name', 'and what is too long is refused by name');
	assert.match(await page.textContent('#f-name-wrong'), /^1/);
	assert.match(await page.textContent('#f-request-wrong'), /^14/);
	await clean('details with texts that are too long');
	await fillIn(page);
	await page.fill('#f-request', 'a'.repeat(60));
	assert.equal(await page.textContent('#f-request-count'), '', 'far from the end it is not counted');
	assert.match(await page.textContent('.amount'), /20,000/);
	assert.match(await page.textContent('.policy'), /100/);
	await page.click('.primary');
	await page.waitForSelector('.reservation.temporary');
	assert.equal(await page.textContent('.state'), words.held);
	assert.match(await page.textContent('.clock'), /^[67]:\d\d$/);
	assert.match(await page.textContent('.pay'), /20,000/);
	await clean('held');
	const code = await page.textContent('.code b');
	house.confirm(code);
	await page.waitForSelector('.reservation.confirmed');
	assert.equal(await page.textContent('.state'), words.booked);
	await page.waitForSelector('.qr[src^="data:"]');
	assert.ok(await page.evaluate(() => document.querySelector('.qr').decode().then(() => true)));
	await clean('confirmed');
	const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[download]')]);
	assert.match(readFileSync(await download.path(), 'utf8'), /BEGIN:VEVENT[^]*STATUS:CONFIRMED/);
	await page.click('.plain.danger');
	assert.match(await page.textContent('.refund'), /20,000.*20,000/, 'the refund stands before the button');
	await clean('cancel');
	await page.click('.reasons .chip >> nth=0');
	await page.click('.danger.solid');
	await page.waitForSelector('.reservation.canceled');
	assert.equal(await page.textContent('.state'), words.gone);
	await clean('cancelled');
	assert.equal(statusOf(code), 'CANCELED');
	assert.equal(house.read(`SELECT refund_amount FROM reservation_cancellations JOIN reservations USING (reservation_id) WHERE reservation_code = '${code}'`), '20000');
});

test('who cancels after the hour for it reads what goes back now, before anything is done', async () => {
	await visit({ ...PHONE, locale: 'en-US' });
	const code = await hold(page, { date: await nextDay() });
	house.confirm(code);
	await page.waitForSelector('.reservation.confirmed');
	await page.click('.plain.danger');
	await page.waitForSelector('.refund:has-text("10,000 of")');
	house.sql(`UPDATE reservations SET refund_policy = 'day-before=0 same-day=0 until=0m late=0 large=8:0' WHERE reservation_code = '${code}'`);
	await page.click('.danger.solid');
	await page.waitForSelector('#cancel-title ~ .wrong:has-text("amount has changed")');
	await page.waitForSelector('.refund:has-text("nothing of")');
	assert.equal(statusOf(code), 'CONFIRMED');
	await clean('asked again');
	await page.click('.danger.solid');
	await page.waitForSelector('.reservation.canceled');
	await page.waitForSelector('.lead:has-text("nothing of")');
	await clean('cancelled, and nothing goes back');
	assert.equal(statusOf(code), 'CANCELED');
});

test('the held page names its guest and the refund without a reload, and nothing jumps', async () => {
	await visit({ ...PHONE, locale: 'en-US' });
	let slow = null;
	await page.route(/\/api\/reservations\/\d+$/, async (route) => { await slow; await route.continue(); });
	slow = new Promise((resolve) => { setTimeout(resolve, 1500); });
	await hold(page, { date: await nextDay() });
	assert.match(await page.textContent('.facts'), /김민지/, 'the name is there at once');
	await page.focus('.plain.danger');
	await page.evaluate(() => { scrollTo(0, 200); window.clock = document.querySelector('.clock'); });
	await page.waitForSelector('.reservation .policy');
	assert.deepEqual(await page.evaluate(() => [document.activeElement.textContent, window.clock.isConnected, scrollY]), ['Cancel reservation', true, 200]);
	await page.evaluate(() => { window.facts = document.querySelector('.facts'); });
	await page.waitForResponse(/\/api\/reservations\/\d+$/);
	await page.waitForTimeout(100);
	assert.ok(await page.evaluate(() => window.facts.isConnected), 'what did not change is not drawn again');
	await clean('held');
});

test('dark screens have contrast, too', async () => {
	await visit({ ...PHONE, colorScheme: 'dark', locale: 'en-US' });
	const date = await nextDay();
	await house.seat(date, '18:00', 12);
	await page.goto(`/?date=${date}`);
	await page.waitForSelector('.time');
	await clean('choose');
	await hold(page, { date, time: '19:00' });
	await clean('held');
	await page.click('.plain.danger');
	await page.waitForSelector('dialog .danger.solid');
	await clean('cancel');
	await page.click('dialog .soft');
	await page.click('#mine');
	await page.waitForSelector('.mine li');
	await clean('my reservations');
});

test('ordering ahead adds up, is paid and is confirmed', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto(`/?party=2&date=${date}&time=19:00`);
	await fillIn(page);
	await page.check('input[value=preorder]');
	await page.click('.primary');
	const missing = page.locator('.dishes .wrong');
	assert.match(await missing.textContent(), /at least one dish/, 'nothing chosen yet, and it says so by the dishes');
	assert.ok(await missing.evaluate((e) => e.getBoundingClientRect().top > 0 && e.getBoundingClientRect().bottom < innerHeight), 'where it can be seen');
	assert.ok(await page.evaluate(() => document.activeElement.matches('.dishes .round')), 'focus goes to the first of them');
	await clean('no dish');
	for (const dish of [0, 0, 6]) await page.click(`.dishes li >> nth=${dish} >> .round >> nth=1`);
	assert.equal(await missing.textContent(), '');
	const dish = await page.textContent('.dishes .dish');
	assert.match(dish, /^[A-Z]/);
	assert.match(await page.textContent('.amount'), /61,000/);
	await clean('menu');
	await page.click('.primary');
	await page.waitForSelector('.reservation.temporary');
	house.confirm(await page.textContent('.code b'));
	await page.waitForSelector('.reservation.prepay_confirm');
	assert.match(await page.textContent('.facts'), /× 2[^]*× 1/);
	assert.ok((await page.textContent('.facts')).includes(`${dish} × 2`), 'as it was chosen: in English');
});

test('a draft that orders ahead is booked when less is asked of it, and when the last dish is gone', async () => {
	const date = await nextDay();
	const dish = house.read('SELECT min(menu_id) FROM menus WHERE restaurant_id = 1 AND is_deleted = 0');
	const asked = { restaurantId: 1, slotDate: date, slotTime: '19:00', partySize: 2, amount: 90000 };
	const come = async (time) => {
		await page.evaluate((draft) => localStorage.setItem('jari.draft', draft), JSON.stringify({ type: 'preorder', items: { [dish]: 2 }, asked }));
		await page.goto(`/?party=2&date=${date}&time=${time}`);
		await fillIn(page);
		await page.click('.primary');
	};
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto('/');
	await come('19:00');
	await page.waitForSelector('.notice:has-text("amount has changed")');
	await page.click('.primary');
	await page.waitForSelector('.reservation.temporary');
	try {
		house.sql('UPDATE menus SET sold_out = 1');
		await come('18:00');
		await page.waitForSelector('.reservation.temporary');
	} finally {
		house.sql('UPDATE menus SET sold_out = 0');
	}
});

test('choices live in the address, and back goes back', async () => {
	const date = await nextDay();
	await visit(PHONE);
	await page.goto(`/?party=3&date=${date}`);
	await page.waitForSelector('.time');
	assert.equal(await page.inputValue('[name=party]:checked'), '3');
	await page.click('.chip:has([value="5"])');
	assert.equal(await page.getAttribute(`[data-date="${date}"]`, 'aria-pressed'), 'true');
	await page.click('[data-time="13:00"]');
	await page.waitForSelector('form.details');
	assert.equal(new URL(page.url()).search, `?party=5&date=${date}&time=13%3A00`);
	await page.fill('#f-name', '이름');
	await page.goBack();
	await page.waitForSelector('.time');
	assert.equal(new URL(page.url()).search, `?party=5&date=${date}`);
	assert.equal(await page.inputValue('[name=party]:checked'), '5');
	await page.goForward();
	await page.waitForSelector('form.details');
	assert.equal(await page.inputValue('#f-name'), '이름', 'what was typed is still there');
});

test('keyboard only: arrows move through the month, names tell everything', async () => {
	const date = await nextDay();
	await visit({ ...DESKTOP, locale: 'en-US' });
	await page.goto(`/?party=2&date=${date}`);
	await page.waitForSelector('.time');
	const chosen = page.locator(`[data-date="${date}"]`);
	const nameOf = async (where) => (await where.ariaSnapshot()).match(/"(.*)"/)[1];
	assert.match(await nameOf(chosen), /^\w+day \d+ \w+( \d{4})?, open$/);
	assert.match(await nameOf(page.locator('.time').first()), /^\w+day \d+ \w+( \d{4})?, 11:00$/);
	await chosen.focus();
	await page.keyboard.press('ArrowDown');
	await until(() => page.evaluate((d) => document.activeElement.dataset.date > d, date), 'a later day in focus');
	await page.keyboard.press('ArrowUp');
	await until(() => page.evaluate((d) => document.activeElement.dataset.date === d, date), 'the day itself again');
	await page.keyboard.press('Enter');
	await page.waitForLoadState('networkidle'); /* the times of that day are drawn anew */
	await page.locator('.time').first().focus();
	await page.keyboard.press('Enter');
	await page.waitForSelector('form.details');
	await until(() => page.evaluate(() => document.activeElement.matches('h2')), 'focus on the new screen');
});

test('the language follows the browser, can be switched, and stays', async () => {
	await visit({ ...PHONE, locale: 'en-AU' });
	await page.goto('/');
	await page.waitForSelector('.time');
	assert.equal(await page.getAttribute('html', 'lang'), 'en');
	assert.equal(await page.textContent('#name'), 'Ongi Table');
	await page.click('[data-lang=ko]');
	await page.waitForSelector('#name:has-text("온기 식당")');
	assert.equal(await page.getAttribute('html', 'lang'), 'ko');
	await page.click('.time:not(.full) >> nth=0');
	await page.waitForSelector('text=예약자 정보');
	await page.reload();
	await page.waitForSelector('text=예약자 정보');
});

test('nothing due is booked at once; a changed price is shown before it is agreed to; a pause is said', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await fillIn(page);
	assert.match(await page.textContent('.amount'), /10,000/);
	try {
		house.sql('UPDATE restaurants SET deposit_per_person = 0');
		await page.click('.primary');
		await page.waitForSelector('.notice:has-text("amount has changed")');
		assert.match(await page.textContent('.amount'), /₩0/);
		assert.equal(await page.textContent('.primary'), 'Book my table');
		await clean('nothing due');
		await page.click('.primary');
		await page.waitForSelector('.reservation.confirmed');
		assert.equal(count(`slot_date = '${date}' AND status = 'CONFIRMED'`), 1);
		house.sql("UPDATE restaurants SET paused_until = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+1 hour')");
		await page.goto('/');
		await page.waitForSelector('.choose > .notice:not([hidden])');
		assert.match(await page.textContent('.choose > .notice'), /paused just now. Please call us/);
		assert.equal(await page.locator(':is(.month-day, .chip):visible').count(), 0, 'nothing is asked that leads nowhere');
		assert.equal(await page.locator('.info .card').count(), 2);
		await clean('paused');
		await page.goto(`/?party=2&date=${date}&time=19:00`);
		await page.waitForSelector('.vain .button[href^="tel:"]');
		assert.match(await page.textContent('.vain'), /paused/);
		await clean('a time while paused');
	} finally {
		house.sql('UPDATE restaurants SET deposit_per_person = 5000, paused_until = NULL');
	}
});

test('allergies are tapped, kept over a reload, sent, and stand on the confirmation', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	try {
		house.sql('UPDATE restaurants SET deposit_from = 4');
		await page.goto(`/?party=2&date=${date}&time=18:00`);
		await fillIn(page);
		await page.tap('.tag-picker summary');
		await page.tap('.chip:has([value=birthday])');
		await page.tap('.chip:has([value=milk])');
		await page.tap('.chip:has([value=nuts])');
		assert.equal(await page.textContent('.tag-picker summary'), '\u26a0\ufe0e Allergy: nuts, milk · Birthday');
		await clean('tags');
		await page.reload();
		assert.equal(await page.textContent('.tag-picker summary'), '\u26a0\ufe0e Allergy: nuts, milk · Birthday');
		assert.equal(await page.locator('.sum:visible').count(), 0, 'two pay nothing ahead where four do');
		await page.click('.primary');
		await page.waitForSelector('.reservation.confirmed');
		assert.match(await page.textContent('.facts .allergy'), /Allergy: nuts, milk/);
		await clean('tags on the confirmation');
		assert.equal(house.read(`SELECT v.tags FROM reservations v JOIN restaurant_reservation_slots s USING (slot_id) WHERE slot_date = '${date}'`), 'nuts,milk,birthday');
		await page.goto(`/?party=4&date=${date}&time=19:00`);
		assert.match(await page.textContent('.amount'), /20,000/);
		assert.equal(await page.locator('.tag-picker input:checked').count(), 0, 'the next booking begins anew');
	} finally {
		house.sql('UPDATE restaurants SET deposit_from = 1');
	}
});

test('one who did not come before is told of the deposit before it is agreed to', async () => {
	const [date, past] = [await nextDay(), '2026-01-06'];
	await visit({ ...PHONE, locale: 'en-US' });
	try {
		house.sql('UPDATE restaurants SET deposit_from = 0, deposit_no_shows = 1');
		await page.goto(`/?party=2&date=${date}&time=18:00`);
		await fillIn(page);
		await page.fill('#f-phone', '010-7777-1234');
		await page.click('.primary');
		await page.waitForSelector('.reservation.confirmed');
		house.sql(`INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity) VALUES (99001, 1, '${past}', '12:00', 20); INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status) SELECT 'PAST', 99001, user_id, 2, 'RESERVATION_DEPOSIT', 'NO_SHOW' FROM users WHERE phone_key = 821077771234`);
		await page.goto(`/?party=2&date=${date}&time=19:00`);
		assert.equal(await page.locator('.sum:visible').count(), 0);
		await page.click('.primary');
		await page.waitForSelector('.notice:has-text("deposit of ₩10,000")');
		assert.match(await page.textContent('.amount'), /10,000/);
		assert.match(await page.textContent('.policy'), /100/);
		await clean('a deposit for one');
		await page.reload();
		assert.match(await page.textContent('.amount'), /10,000/);
		await page.click('.primary');
		await page.waitForSelector('.reservation.temporary');
	} finally {
		house.sql('UPDATE restaurants SET deposit_from = 1, deposit_no_shows = 0');
	}
});

test('a time that comes too soon is not shown, whatever day it is on; it is not "full"', async () => {
	const date = await nextDay();
	const before = (time) => Math.round((Date.parse(`${date}T${time}:00+09:00`) - Date.now()) / 60000) - 5;
	await visit({ ...PHONE, locale: 'en-US' });
	try {
		house.sql(`UPDATE restaurants SET lead_minutes = ${before('18:00')}`);
		await page.goto(`/?party=2&date=${date}`);
		await page.waitForSelector('.time');
		assert.equal(await page.getAttribute('.time >> nth=0', 'data-time'), '18:00');
		assert.equal(await page.locator('.time.full').count(), 0);
		house.sql(`UPDATE restaurants SET lead_minutes = ${before('23:59')}`);
		await page.goto(`/?party=2&date=${date}`);
		await page.waitForSelector('.empty:has-text("has ended")');
		assert.equal(await page.locator('.time').count(), 0);
		await clean('too soon');
	} finally {
		house.sql('UPDATE restaurants SET lead_minutes = 30');
	}
});

test('320 pixels and 200 % zoom need no sideways scrolling', async () => {
	for (const device of [{ ...PHONE, viewport: { width: 320, height: 640 } }, { viewport: { width: 640, height: 400 }, locale: 'en-US' }]) {
		const date = await nextDay();
		await visit(device);
		if (!device.isMobile) await page.addInitScript(() => addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; }));
		await page.goto(`/?date=${date}`);
		await page.waitForSelector('.time');
		assert.ok(await fits(), 'choose');
		await page.click('.time:not(.full) >> nth=0');
		await page.waitForSelector('form.details');
		assert.ok(await fits(), 'details');
		await fillIn(page);
		await page.click('.primary');
		await page.waitForSelector('.reservation');
		assert.ok(await fits(), 'reservation');
		await page.click('#mine');
		await page.waitForSelector('.mine li');
		assert.ok(await fits(), 'my reservations');
	}
});

test('while the pen is held the guest waits calmly and is then served', async () => {
	const date = await nextDay();
	await visit(PHONE);
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await fillIn(page);
	const { release, released } = await house.holdPen(25);
	await page.click('.primary');
	await page.waitForSelector('dialog.waiting');
	const done = () => page.getAttribute('.waiting .bar', 'aria-valuenow', { timeout: 500 }).then(Number, () => null);
	const seen = [await done()];
	await clean('waiting');
	await until(async () => seen.push(await done()) && seen.at(-1) > seen[0], 'the bar moves');
	release();
	while (await page.locator('dialog.waiting').count()) {
		seen.push(await done());
		await page.waitForTimeout(200);
	}
	await released;
	await page.waitForSelector('.reservation.temporary');
	const bar = seen.filter((n) => n !== null);
	assert.deepEqual(bar, [...bar].sort((a, b) => a - b), 'the bar never goes backwards');
	assert.equal(count(`slot_date = '${date}'`), 1);
});

test('a reload in the middle of the wait keeps the place and books once', async () => {
	const date = await nextDay();
	await visit(PHONE);
	await hold(page, { date, time: '11:00' }); /* so the guest is known, and it is the booking that waits */
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await page.waitForSelector('form.details');
	await house.holdPen(6);
	await page.click('.primary');
	await page.waitForSelector('dialog.waiting');
	await until(() => page.evaluate(() => JSON.parse(localStorage.getItem('jari.job'))?.ticket), 'a ticket');
	const ticket = await page.evaluate(() => JSON.parse(localStorage.getItem('jari.job')).ticket);
	await page.reload();
	await page.waitForSelector('dialog.waiting');
	assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem('jari.job')).ticket), ticket);
	await page.waitForSelector('.reservation.temporary');
	assert.equal(await page.textContent('.face .h'), '18:00');
	assert.equal(count(`slot_date = '${date}' AND slot_time = '18:00'`), 1);
});

test('a second Enter does not leave the line', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	await hold(page, { date, time: '11:00' });
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await page.waitForSelector('form.details');
	const { released } = await house.holdPen(4);
	await page.focus('.primary');
	await page.keyboard.press('Enter');
	await page.waitForSelector('dialog.waiting');
	assert.equal(await page.evaluate(() => document.activeElement.id), 'wait-title');
	await page.keyboard.press('Enter');
	await page.keyboard.press('Enter');
	await released;
	await page.waitForSelector('.reservation');
	assert.equal(count(`slot_date = '${date}' AND slot_time = '18:00' AND is_active = 1`), 1);
});

test('time and party change in one step, and code and number bring it back', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	await hold(page, { date, time: '11:00' });
	await page.waitForSelector('.reservation.temporary');
	assert.ok(await page.locator('.keepsake .qr').count() === 1 && await page.locator('.keepsake .link').count() === 1, 'link and QR from the first second');
	await page.getByRole('button', { name: 'Change reservation' }).click();
	await page.waitForSelector('[name=change-time][value="11:00"]:checked');
	assert.equal(await page.getAttribute(`dialog [data-date="${date}"]`, 'aria-pressed'), 'true', 'the calendar that booking has');
	await clean('another time');
	await page.selectOption('#change-party', '4');
	await page.waitForSelector('[name=change-time][value="11:00"]:checked');
	await page.check('[name=change-time][value="12:00"]');
	await page.getByRole('button', { name: 'Change it' }).click();
	await until(async () => /12:00/.test(await page.textContent('.slip .h').catch(() => '')), 'the new time');
	assert.equal(count(`slot_date = '${date}' AND slot_time = '12:00' AND party_size = 4 AND is_active = 1`), 1);
	assert.equal(count(`slot_date = '${date}' AND slot_time = '11:00' AND is_active = 1`), 0);
	const code = await page.textContent('.slip .code b');
	await page.evaluate(() => localStorage.clear());
	await page.context().clearCookies();
	await page.goto('/?view=my');
	await page.click('.elsewhere summary');
	await clean('booked on another device');
	await page.fill('#find-code', code.toLowerCase());
	await page.fill('#find-phone', '010-0000-0000');
	await page.getByRole('button', { name: 'Find', exact: true }).click();
	await until(async () => (await page.textContent('.find .wrong')) !== '', 'a refusal');
	await page.fill('#find-phone', '+82 10 1234 5678');
	await page.getByRole('button', { name: 'Find', exact: true }).click();
	await page.waitForSelector('.reservation');
	assert.equal(await page.textContent('.slip .code b'), code);
});

test('more people than were paid for wait for the difference, and can be withdrawn', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	await hold(page, { date, time: '11:00' });
	await page.waitForSelector('.reservation.temporary');
	house.confirm(await page.textContent('.slip .code b'));
	const ask = async () => {
		await page.getByRole('button', { name: 'Change reservation' }).click();
		await page.waitForSelector('[name=change-time][value="11:00"]:checked');
		await page.selectOption('#change-party', '5');
		assert.match(await page.textContent('#change-terms'), /once the difference in the deposit is paid/);
		await page.getByRole('button', { name: 'Change it' }).click();
		await page.waitForSelector('.pending .clock:not(:empty)');
	};
	await page.waitForSelector('.reservation.confirmed');
	await ask();
	assert.match(await page.textContent('.pending'), /5 people|5 guests/);
	await clean('a change that waits');
	await page.click('#withdraw');
	await page.waitForSelector('.pending', { state: 'detached' });
	assert.equal(count(`slot_date = '${date}' AND is_active = 1`), 1);
	await ask();
	house.confirm(await page.textContent('.slip .code b'));
	await until(async () => /5/.test(await page.textContent('.slip .p').catch(() => '')), 'five people');
	assert.equal(count(`slot_date = '${date}' AND party_size = 5 AND is_active = 1`), 1);
});

test('where nothing is due there is no word about money', async () => {
	const date = await nextDay();
	const before = house.sql('SELECT deposit_per_person FROM restaurants');
	house.sql('UPDATE restaurants SET deposit_per_person = 0, deposit_large_per_person = 0; UPDATE menus SET is_deleted = 1');
	await new Promise((resolve) => { setTimeout(resolve, 400); });
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto(`/?party=2&date=${date}&time=11:00`);
	await page.waitForSelector('form.details');
	const money = /deposit|refund|pay|amount|due|₩|KRW/i;
	assert.doesNotMatch(await page.evaluate(() => document.querySelector('form.details').innerText), money);
	await fillIn(page, {});
	await page.click('.primary');
	await page.waitForSelector('.reservation.confirmed');
	assert.doesNotMatch(await page.evaluate(() => document.querySelector('main').innerText), money);
	await page.getByRole('button', { name: 'Cancel reservation' }).click();
	await page.waitForSelector('#cancel-title');
	assert.doesNotMatch(await page.evaluate(() => document.querySelector('dialog').innerText), money);
	house.sql(`UPDATE restaurants SET deposit_per_person = ${before}, deposit_large_per_person = 10000; UPDATE menus SET is_deleted = 0`);
});

test('a guest may leave the line, and nothing is booked', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	await hold(page, { date, time: '11:00' });
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await page.waitForSelector('form.details');
	const { released } = await house.holdPen(5);
	await page.click('.primary');
	await page.waitForSelector('dialog.waiting');
	await page.keyboard.press('Escape');
	assert.equal(await page.locator('dialog.waiting').count(), 1, 'Escape does not cost the guest their place');
	await page.click('dialog.waiting .plain');
	assert.match(await page.textContent('dialog.waiting .hint'), /lose your place/, 'it asks once');
	await page.click('dialog.waiting .plain');
	await page.waitForSelector('dialog.waiting', { state: 'detached' });
	assert.match(await page.textContent('.notice'), /Nothing was booked/);
	await released;
	assert.equal(count(`slot_date = '${date}' AND slot_time = '18:00'`), 0);
});

test('after ten fruitless tries it says so kindly and keeps the ticket', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	await page.addInitScript(() => { /* time passes quickly for a page that waits */
		const wait = window.setTimeout;
		window.setTimeout = (f, ms, ...rest) => wait(f, ms > 800 && ms < 20000 ? ms / 20 : ms, ...rest);
	});
	let polls = 0;
	const waiting = { status: 200, headers: { 'Jari-Status': '429' }, contentType: 'application/json', body: JSON.stringify({ code: 'WAITING', message: 'wait', ticket: 'T', position: 41, waitingCount: 60, etaSeconds: 30 }) };
	await page.route('**/api/reservations', (route) => route.fulfill(waiting));
	await page.route('**/api/tickets/T', (route) => { polls++; return route.fulfill(waiting); });
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await fillIn(page);
	await page.click('.primary');
	await page.waitForSelector('dialog.waiting');
	assert.equal(await page.textContent('.ahead'), '40 ahead of you');
	assert.equal(await page.textContent('.crowd'), '60 people want this time');
	assert.match(await page.textContent('.eta'), /21–48 seconds/);
	await page.waitForSelector('.waiting .long:not([hidden])');
	assert.ok(polls >= 9);
	assert.match(await page.textContent('.long'), /Your ticket is safe/);
	assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem('jari.job')).ticket), 'T');
	await clean('a long wait');
});

test('too many requests, a busy box and a lost network are waited out; the table is booked once', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	page.expected = /status of (429|503)|ERR_INTERNET_DISCONNECTED|ERR_FAILED/; /* the web server's own limit is told as it is */
	const answers = [
		(route) => route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, contentType: 'application/json', body: '{"code":"RATE_LIMITED","message":"Too many requests; please wait a moment."}' }),
		(route) => route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>no</h1>' }),
		async (route) => { await route.fetch(); await route.abort('internetdisconnected'); }, /* written, but the answer is lost */
	];
	const keys = [];
	await page.route('**/api/reservations', (route) => {
		keys.push(route.request().headers()['idempotency-key']);
		return (answers.shift() ?? ((r) => r.continue()))(route);
	});
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await fillIn(page);
	await page.click('.primary');
	await page.waitForSelector('dialog.waiting .trouble:not(:empty)');
	assert.match(await page.textContent('.trouble'), /cannot be booked twice/);
	await page.waitForSelector('.reservation.temporary', { timeout: 25000 });
	assert.ok(keys.length >= 4 && keys[0] && new Set(keys).size === 1, 'one key for all of them');
	assert.equal(count(`slot_date = '${date}'`), 1);
});

test('without a network the page says so and tries again', async () => {
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto('/');
	await page.waitForSelector('.time');
	await page.context().setOffline(true);
	await page.click('.chip:has([value="3"])');
	await page.waitForSelector('.hours-of-day .notice:not([hidden])');
	assert.match(await page.textContent('.hours-of-day .notice:not([hidden])'), /connection was lost/);
	await clean('offline');
	await page.context().setOffline(false);
	await page.click('.hours-of-day .notice:not([hidden]) button');
	await page.waitForSelector('.hours-of-day .notice:not([hidden])', { state: 'detached' });
});

test('offline before anything was sent, no place is promised; it is sent when the network is back', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await fillIn(page);
	await page.context().setOffline(true);
	await page.click('.primary');
	await page.waitForSelector('dialog.waiting .trouble:not(:empty)');
	assert.match(await page.textContent('dialog.waiting'), /No connection[^]*will be sent by itself when the connection is back/);
	assert.doesNotMatch(await page.textContent('dialog.waiting'), /place is kept|in the line|Leave the line/);
	assert.equal(await page.locator('dialog.waiting .bar').isVisible(), false);
	await clean('not sent');
	await page.context().setOffline(false);
	await page.waitForSelector('.reservation.temporary', { timeout: 25000 });
	assert.equal(count(`slot_date = '${date}'`), 1);
	assert.equal(await page.locator('.sign').isVisible(), false);
	await page.context().setOffline(true);
	await page.waitForSelector('.sign:visible');
	assert.match(await page.textContent('.sign'), /No connection/);
	await clean('held and offline');
	await page.context().setOffline(false);
	await page.waitForSelector('.sign', { state: 'hidden' });
});

/* A day this many days from today at the restaurant. */
async function dayAfter(n) {
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	return new Date(Date.parse(`${today}T00:00:00Z`) + n * 864e5).toISOString().slice(0, 10);
}

test('a link to a day off says so and shows the next one, whichever answer comes first', async () => {
	let [date, tuesday] = ['', ''];
	for (let n = 1; date.slice(0, 7) !== tuesday.slice(0, 7) || new Date(date || 0).getUTCDay() !== 1; n++) [date, tuesday] = [await dayAfter(n), await dayAfter(n + 1)];
	for (const late of ['days', 'slots']) {
		await visit({ ...PHONE, locale: 'en-US' });
		await page.route(`**/api/reservations/${late}?*`, async (route) => { await new Promise((resolve) => { setTimeout(resolve, 800); }); await route.continue(); });
		await page.goto(`/?party=2&date=${date}`);
		await page.waitForSelector('.hours-of-day .empty .soft');
		assert.match(await page.textContent('.hours-of-day .empty'), /^We are closed on Monday.*See Tue/, late);
		await page.click('.hours-of-day .empty .soft');
		await page.waitForSelector('.time');
		assert.equal(new URL(page.url()).searchParams.get('date'), tuesday);
	}
});

test('what makes no sense in an address is passed over', async () => {
	await visit({ ...PHONE, locale: 'en-US' });
	for (const query of ['party=2&date=hello', 'party=2&date=2026-02-30', 'party=2.5', 'party=-1&date=9999-12-31', `party=2&date=${await dayAfter(9)}&time=99:99`, `party=99&date=${await dayAfter(9)}&time=18:00`, 'party=2&date=2020-01-01']) {
		await page.goto(`/?${query}`);
		await page.waitForSelector('.hours-of-day :is(.time, .empty)');
		assert.equal(await page.locator('.notice:not([hidden])').count(), 0, query);
		assert.equal(await page.locator('[name=party]:checked').count(), 1, query);
	}
});

test('a day beyond the window cannot be booked yet, and it says until when one can', async () => {
	const far = await dayAfter(400);
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto(`/?date=${far}`);
	await page.waitForSelector('.empty .soft');
	assert.match(await page.textContent('.empty p'), new RegExp(`^\\w+ \\d+ \\w+ ${far.slice(0, 4)} cannot be booked yet. Booking is open until \\w+day \\d+ \\w+`));
	await clean('far');
	await page.click('.empty .soft');
	await page.waitForSelector('.time');
	assert.ok(new URL(page.url()).searchParams.get('date') <= await dayAfter(60));
});

test('a time that has passed has no form, but a way to the days', async () => {
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto('/?party=3&date=2020-01-01&time=18:00');
	await page.waitForSelector('.vain');
	assert.match(await page.textContent('.vain'), /^Wednesday 1 January 2020 18:00This time has passed/);
	assert.equal(await page.locator('form').count(), 0);
	await clean('passed');
	await page.click('.vain .primary');
	await page.waitForSelector('.time');
	assert.equal(await page.inputValue('[name=party]:checked'), '3');
});

test('a link to a full time offers the nearest that are free', async () => {
	const date = await nextDay();
	for (const n of [12, 12, 12, 4]) await house.seat(date, '18:00', n);
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await page.waitForSelector('.notice .times');
	assert.match(await page.textContent('.notice'), /no table for 2 at 18:00/);
	assert.deepEqual(await page.locator('.notice .time b').allTextContents(), ['17:00', '19:00', '20:00']);
	await clean('full by link');
	await page.click('.notice .time >> nth=1');
	await page.waitForSelector('.chosen:has-text("19:00")');
	assert.equal(await page.locator('.notice:not([hidden])').count(), 0);
});

test('a month without a free day says so and stays', async () => {
	await visit({ ...PHONE, locale: 'en-US' });
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	await page.route('**/api/reservations/days?*', async (route) => {
		const answer = await route.fetch();
		const { days } = await answer.json();
		await route.fulfill({ json: { days: days.map((d) => ({ ...d, state: ['open', 'few'].includes(d.state) ? 'full' : d.state })) } });
	});
	await page.goto('/');
	await page.waitForSelector('.hours-of-day .empty');
	assert.match(await page.textContent('.hours-of-day .empty'), /^No table for 2 is free until the end of/);
	assert.equal(await page.locator(`[data-date="${today}"]`).count(), 1);
});

test('a currency or a time zone that the browser does not know breaks no page', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	await page.route('**/api/restaurants/1', async (route) => {
		const json = await (await route.fetch()).json();
		await route.fulfill({ json: { ...json, currency: 'US$', timezone: 'Mars/Olympus' } });
	});
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await page.waitForSelector('#f-name');
	assert.match(await page.textContent('main'), /10,000 US\$/);
});

test('a restaurant without opening hours says so and asks nothing', async () => {
	const empty = await openHouse({ named: '우리 식당' });
	try {
		page = await visitor(browser, empty, { ...PHONE, locale: 'en-US' });
		pages.push(page);
		await page.goto('/');
		await page.waitForSelector('.choose > .notice:not([hidden])');
		assert.match(await page.textContent('.choose > .notice'), /no opening hours at present/);
		assert.equal(await page.locator(':is(.month-day, .chip, .info .card):visible').count(), 0);
		await clean('no hours');
		/* Its owner does not type the name again. */
		await page.goto(empty.jari('link', 'owner@jari.local').match(/http\S+/)[0].replace(/^http:\/\/[^/]+/, ''));
		await page.fill('#l-newPassword', 'my own password');
		await page.click('.login .primary');
		await page.waitForSelector('.house-page [name=name]');
		assert.equal(await page.inputValue('.house-page [name=name]'), '우리 식당');
	} finally {
		await page.goto('about:blank'); // or it would look for a house that has gone
		await empty.close();
	}
});

test('a house that is being set up, a wrong address, no network and no page are pages with one way on', async () => {
	const quiet = async (heading, way) => {
		await page.waitForSelector('.quiet h1');
		assert.equal(await page.textContent('.quiet h1'), heading);
		assert.equal(await page.textContent('.quiet .actions'), way);
		await clean(heading);
	};
	const empty = await openHouse({ empty: true });
	try {
		page = await visitor(browser, empty, { ...PHONE, locale: 'en-US' });
		pages.push(page);
		await page.goto('/');
		await quiet('Getting ready', 'To the desk, for staff');
		assert.equal(await page.getAttribute('.quiet a', 'href'), '/desk/');
	} finally {
		await page.goto('about:blank');
		await empty.close();
	}
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto('/?restaurant=99');
	await quiet('There is no restaurant at this address.', 'Book a table');
	await page.route('**/api/restaurants/1', (route) => route.abort());
	await page.goto('/');
	await quiet('No connection', 'Try again');
	await page.unroute('**/api/restaurants/1');
	await page.click('.quiet button');
	await page.waitForSelector('.time');
	page.expected = /status of 404/; /* the page itself */
	await page.goto('/nowhere');
	assert.deepEqual(await page.evaluate(() => [document.body.getBoundingClientRect().top, document.title]), [0, '404'], 'its light begins at the top');
	await clean('404');
	await page.click('.missing a');
	await page.waitForSelector('.time');
});

test('how many seats are left is said where they are few, and to nobody else', async () => {
	const date = await nextDay();
	await house.seat(date, '18:00', 12);
	await house.seat(date, '18:00', 12);
	await house.seat(date, '18:00', 12);
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto(`/?party=2&date=${date}`);
	await page.waitForSelector('.time.few');
	assert.equal(await page.textContent('[data-time="18:00"] span:not(.unseen)'), '4 left');
	assert.doesNotMatch(await page.textContent('[data-time="19:00"]'), /left|40/);
	await house.seat(date, '18:00', 4);
	await page.reload();
	await page.click('.time.full');
	await page.waitForSelector('dialog .time');
	assert.doesNotMatch((await page.locator('dialog .time').allTextContents()).join(), /left/);
});

test('a hold that ends says so, and one tap holds the seats again', async () => {
	const date = await nextDay();
	house.sql('UPDATE restaurants SET hold_seconds = 5');
	try {
		await visit({ ...PHONE, locale: 'en-US' });
		await page.goto(`/?party=2&date=${date}&time=18:00`);
		assert.match(await page.textContent('.short-terms'), /held for 5 s$/);
		const code = await hold(page, { date });
		assert.ok(await page.locator('.warning').isVisible(), 'the last minute is announced');
		await page.waitForSelector('.reservation.expired');
		assert.equal(await page.textContent('.state'), 'Your seats were released');
		await clean('released');
		assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Your seats were released');
		house.sql('UPDATE restaurants SET hold_seconds = 420');
		await page.click('.primary');
		await page.waitForSelector('.reservation.temporary');
		assert.notEqual(await page.textContent('.code b'), code);
		assert.equal(await page.textContent('.face .h'), '18:00');
	} finally {
		house.sql('UPDATE restaurants SET hold_seconds = 420');
	}
});

test('the countdown goes by the clock of the restaurant', async () => {
	await visit(PHONE);
	await page.addInitScript(() => { const real = Date.now; Date.now = () => real() + 3600e3; }); /* a phone that is an hour ahead */
	await hold(page, { date: await nextDay() });
	assert.match(await page.textContent('.clock'), /^(7:00|6:5\d)$/);
});

test('the same time twice leads to the reservation that is there', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	const code = await hold(page, { date });
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await page.waitForSelector('form.details');
	await page.click('.primary');
	await page.waitForSelector('.reservation.temporary');
	assert.equal(await page.textContent('.code b'), code);
	assert.match(await page.textContent('.notice'), /booked already/);
	assert.equal(count(`slot_date = '${date}'`), 1);
});

test('a time that fills up offers the nearest ones, and one of them is booked', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	for (const n of [12, 12, 12]) await house.seat(date, '18:00', n);
	await page.goto(`/?party=2&date=${date}`);
	await page.waitForSelector('.time.few');
	assert.equal(await page.textContent('.time.few span:not(.unseen)'), '4 left');
	await page.click('[data-time="18:00"]');
	await fillIn(page);
	assert.equal((await house.seat(date, '18:00', 4)).status, 201);
	await page.click('.primary');
	await page.waitForSelector('dialog .times');
	await clean('full');
	assert.deepEqual(await page.locator('dialog .time b').allTextContents(), ['17:00', '19:00', '20:00']);
	await page.click('dialog .time >> nth=1');
	await page.waitForSelector('.chosen:has-text("19:00")');
	await page.click('.primary');
	await page.waitForSelector('.reservation.temporary');
	assert.equal(await page.textContent('.face .h'), '19:00');
	assert.equal(house.read(`SELECT sum(party_size) FROM reservations JOIN restaurant_reservation_slots USING (slot_id) WHERE slot_date = '${date}' AND slot_time = '18:00'`), '40');
	await page.goto(`/?party=2&date=${date}`);
	await page.click('.time.full');
	await until(async () => (await page.locator('dialog .time').count()) === 3, 'a full time is a way to the others');
});

test('my reservations: cancelled, and booked again with two taps', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	const code = await hold(page, { date, time: '20:00', party: 3 });
	assert.equal(await page.textContent('#mine .dot'), '1');
	await page.click('.plain.danger');
	assert.match(await page.textContent('.refund'), /paid nothing/);
	await page.click('.danger.solid');
	await page.waitForSelector('.reservation.canceled');
	assert.equal(await page.locator('#mine .dot').count(), 0, 'a cancelled one is not counted');
	await page.click('#mine');
	await page.waitForSelector('.mine .badge.canceled');
	await clean('my reservations');
	await page.click('.mine li .soft');
	await page.waitForSelector('form.details');
	await page.click('.primary');
	await page.waitForSelector('.reservation.temporary');
	assert.notEqual(await page.textContent('.code b'), code);
	assert.equal(count(`slot_date = '${date}' AND slot_time = '20:00' AND party_size = 3`), 2);
	await page.click('#mine');
	await page.waitForSelector('.mine .badge.temporary');
	assert.deepEqual(await page.$$eval('.mine li', (lines) => lines.map((l) => [l.className, Boolean(l.querySelector('.soft'))])), [['live', false], ['', true]], 'only what is over is booked again');
	await page.click('.narrow > .actions .plain');
	await page.click('dialog .danger');
	await page.waitForSelector('.mine .empty');
	assert.equal(await page.evaluate(() => localStorage.getItem('jari.guest')), null);
});

test('the manage link works on another device and changes nothing by being opened', async () => {
	const date = await nextDay();
	await visit({ ...PHONE, locale: 'en-US' });
	const code = await hold(page, { date });
	house.confirm(code);
	await page.waitForSelector('.reservation.confirmed');
	const link = await page.inputValue('.link');
	const version = () => house.read(`SELECT version || status FROM reservations WHERE reservation_code = '${code}'`);
	const before = version();
	await visit({ ...DESKTOP, locale: 'en-US' });
	await page.goto(link);
	await page.waitForSelector('.reservation.confirmed');
	assert.equal(await page.textContent('.code b'), code);
	await clean('manage');
	assert.equal(version(), before);
	const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[download]')]);
	assert.match(download.suggestedFilename(), /\.ics$/);
	await page.click('.plain.danger');
	await page.click('.danger.solid');
	await page.waitForSelector('.reservation.canceled');
	assert.equal(statusOf(code), 'CANCELED');
	await page.goto('/r#nonsense');
	await page.reload();
	await page.waitForSelector('text=No reservation belongs to this link');
	await clean('a wrong link');
});

test('calendar entries keep their UID, count their changes and fold their lines', async () => {
	const guest = (await house.api('POST', '/api/guests', { body: { name: '김민지', phone: '010-1234-5678' } })).json;
	const date = await nextDay();
	const made = (await house.api('POST', '/api/reservations', {
		token: guest.accessToken, body: { restaurantId: 1, slotDate: date, slotTime: '18:00', partySize: 2, reservationType: 'RESERVATION_DEPOSIT', requestMessage: '창가; 조용한 자리, 그리고 아기 의자\\ 하나 부탁드립니다' },
	})).json;
	const file = async () => (await house.api('GET', `/api/reservations/${made.reservationId}/calendar.ics`, { token: guest.accessToken })).text;
	const of = (text, name) => text.replace(/\r\n /g, '').match(new RegExp(`^${name}:(.*)\r$`, 'm'))[1];
	const held = await file();
	house.confirm(made.reservationCode);
	const confirmed = await file();
	assert.ok(held.split('\r\n').every((line) => Buffer.byteLength(line) <= 75));
	assert.ok(held.endsWith('END:VCALENDAR\r\n') && !/[^\r]\n/.test(held));
	assert.match(of(held, 'DESCRIPTION'), /창가\\; 조용한 자리\\, 그리고 아기 의자\\\\ 하나/);
	assert.equal(of(held, 'DTSTART'), `${date.replaceAll('-', '')}T090000Z`);
	assert.deepEqual([of(held, 'STATUS'), of(held, 'SEQUENCE')], ['TENTATIVE', '0']);
	assert.deepEqual([of(confirmed, 'STATUS'), of(confirmed, 'SEQUENCE'), of(confirmed, 'UID')], ['CONFIRMED', '1', of(held, 'UID')]);
	assert.equal((await house.api('GET', `/api/reservations/${made.reservationId}/calendar.ics`)).status, 401);
	assert.equal((await house.api('GET', `/api/reservations/${made.reservationId}/qr.svg`)).status, 401);
	assert.match((await house.api('GET', `/api/reservations/${made.reservationId}/qr.svg`, { token: guest.accessToken })).text, /^<svg[^>]*viewBox="0 0 \d+ \d+"/);
});

test('the month tells open, few, full, closed, past and far', async () => {
	const month = async (m, party) => (await house.api('GET', `/api/reservations/days?restaurantId=1&month=${m}&partySize=${party}`)).json.days;
	const date = await nextDay();
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	const of = async (d, party = 2) => (await month(d.slice(0, 7), party)).find((x) => x.date === d);
	const add = (n) => new Date(Date.parse(`${today}T00:00:00Z`) + n * 864e5).toISOString().slice(0, 10);
	assert.equal((await of(date)).state, 'open');
	assert.equal((await of(add(-1))).state, 'past');
	assert.equal((await of(add(61))).state, 'far');
	assert.ok((await month(date.slice(0, 7), 2)).filter((d) => new Date(d.date).getUTCDay() === 1 && d.date > today).every((d) => d.state === 'closed' || d.state === 'far'));
	const { slots } = (await house.api('GET', `/api/reservations/slots?restaurantId=1&slotDate=${date}&partySize=2`)).json;
	for (const { slotTime } of slots) for (const n of [12, 12, 9]) assert.equal((await house.seat(date, slotTime, n)).status, 201);
	assert.deepEqual(await of(date), { date, state: 'few', remaining: 7 * slots.length });
	assert.equal((await of(date, 8)).state, 'full');
	for (const bad of ['month=2026-13', 'month=x', 'month=2026-11-01', '']) assert.equal((await house.api('GET', `/api/reservations/days?restaurantId=1&partySize=2&${bad}`)).json.field, 'month');
});

test('a link preview, a bookmark and a browser without JavaScript find the restaurant itself', async () => {
	const { text } = await house.api('GET', '/', { headers: { 'Accept-Language': 'ko' } });
	assert.match(text, /<title>온기 식당 · 예약<\/title>/);
	assert.match(text, /<meta property="og:title" content="온기 식당">/);
	assert.match(text, /<meta property="og:image" content="http:\/\/127\.0\.0\.1:\d+\/icon-512\.png">/);
	const manifest = await house.api('GET', '/manifest.webmanifest', { headers: { 'Accept-Language': 'en' } });
	assert.equal(manifest.status, 200);
	assert.equal(JSON.parse(manifest.text).name, 'Ongi Table');
	for (const icon of JSON.parse(manifest.text).icons) assert.equal((await house.api('GET', icon.src)).status, 200, icon.src);
	house.sql(`UPDATE restaurants SET name = '<b>"온기" & 식당</b>'`);
	try {
		await until(async () => (await house.api('GET', '/')).text.includes('&lt;b&gt;&quot;온기&quot; &amp; 식당&lt;/b&gt;'), 'a name is text, whatever is in it');
	} finally {
		house.sql(`UPDATE restaurants SET name = '온기 식당'`);
	}
	await visit({ ...PHONE, locale: 'en-US', javaScriptEnabled: false });
	await page.goto('/');
	const seen = await page.textContent('main');
	assert.match(seen, /Ongi Table[^]*42 Gyedong-gil[^]*Tuesday11:00–15:00, 17:00–22:00[^]*02-555-0142[^]*needs JavaScript/);
	assert.ok(await page.locator('main a[href="tel:025550142"]').isVisible());
});

test('with letters twice as large nothing is cut off, and the bar at the bottom stays small', async () => {
	const date = await nextDay();
	const big = () => page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
	await visit({ ...PHONE, viewport: { width: 360, height: 740 } });
	await page.goto(`/?party=2&date=${date}`);
	await page.waitForSelector('.time');
	await big();
	await page.waitForTimeout(200);
	assert.ok(await fits(), 'no sideways scrolling');
	assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.month-day')].filter((day) => {
		const cell = day.getBoundingClientRect();
		const ink = day.querySelector('.num').getBoundingClientRect();
		return ink.left < cell.left - 1 || ink.right > cell.right + 1 || ink.top < cell.top - 1 || ink.bottom > cell.bottom + 1;
	}).map((day) => day.textContent)), [], 'numbers lie within their days');
	await clean('large letters');
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	await page.waitForSelector('#f-request');
	await big();
	await page.waitForTimeout(200);
	assert.ok(await fits(), 'no sideways scrolling in the form');
	const [label, counter] = await page.evaluate(() => ['label[for=f-request]', '.count'].map((s) => { const r = document.querySelector(s).getBoundingClientRect(); return { left: r.left, right: r.right, top: r.top, bottom: r.bottom }; }));
	assert.ok(label.right <= counter.left || label.bottom <= counter.top, 'the counter does not run into the label');
	await page.setViewportSize({ width: 320, height: 568 });
	await page.goto(`/?party=2&date=${date}&time=18:00`);
	const dock = await page.locator('.dock').boundingBox();
	assert.ok(dock.height < 568 * 0.2, `the bar takes ${dock.height} px of 568`);
});

test('a link to a closed day or to a time that is not offered shows no live button', async () => {
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	let monday = today;
	do monday = new Date(Date.parse(`${monday}T00:00:00Z`) + 864e5).toISOString().slice(0, 10);
	while (new Date(`${monday}T00:00:00Z`).getUTCDay() !== 1);
	await visit({ ...PHONE, locale: 'en-US' });
	await page.goto(`/?party=2&date=${monday}&time=18:00`);
	await page.waitForSelector('.vain');
	assert.match(await page.textContent('.vain'), /closed/);
	assert.equal(await page.locator('[type=submit]').count(), 0);
	await page.goto(`/?party=2&date=${await nextDay()}&time=03:30`);
	await page.waitForSelector('.notice');
	await until(async () => !await page.locator('[type=submit]').isVisible(), 'the button goes');
});

test('the menu has its descriptions in both languages, and the address leads to a map', async () => {
	await visit({ ...DESKTOP, locale: 'en-US' });
	await page.goto('/');
	await page.waitForSelector('.menu .about');
	assert.equal(await page.textContent('.menu .about >> nth=0'), 'Noodles in a broth of ground perilla');
	assert.match(await page.getAttribute('#address a', 'href'), /^https:\/\/map\.naver\.com\/p\/search\/%EC%84%9C%EC%9A%B8/);
	await page.click('[data-lang=ko]');
	await page.waitForSelector('.menu .about:has-text("들깨를 갈아 넣은 구수한 칼국수")');
});

test('a book whose only restaurant is not number 1 works like any other', async () => {
	const other = await openHouse({ empty: true });
	try {
		other.sql(`INSERT INTO restaurants (restaurant_id, name, timezone, utc_offset_minutes, deposit_per_person, deposit_large_per_person) VALUES (7, '일곱 식당', 'Asia/Seoul', 540, 0, 0);
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 7, value, '00:00', '23:00' FROM json_each('[1,2,3,4,5,6,7]')`);
		page = await visitor(browser, other, PHONE);
		pages.push(page);
		await until(async () => (await other.api('GET', '/')).text.includes('data-restaurant="7"'), 'the page knows its restaurant');
		assert.deepEqual((await other.api('GET', '/api/restaurants')).json, { restaurants: [{ restaurantId: 7, name: '일곱 식당', nameEn: null }] });
		await page.goto('/');
		await page.click('.time:not(.full) >> nth=0');
		await fillIn(page);
		await page.click('.primary');
		await page.waitForSelector('.reservation.confirmed');
		assert.match(await page.textContent('.facts'), /일곱 식당/);
		const link = await page.inputValue('.link');
		await page.goto(link);
		await page.waitForSelector('.reservation.confirmed');
		assert.match(await page.textContent('.facts'), /일곱 식당/);
	} finally {
		await page.goto('about:blank');
		await other.close();
	}
});
