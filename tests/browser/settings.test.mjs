/*
 * settings.test.mjs - the owner's settings by clicks: a menu, one card at a time, what is not saved, search, the order of
 * dishes, a week from its Monday, a new colleague; every card in both themes, on a telephone and with large letters.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { axe, DESKTOP, openBrowser, openHouse, PHONE, showCard, until, visitor } from './house.mjs';

const PASSWORD = 'correct horse 7';
const CARDS = ['facts', 'place', 'card', 'privacy', 'hours', 'special', 'openings', 'pause', 'times', 'booking', 'waitlist', 'deposit', 'refund', 'payments', 'paid', 'tables', 'menu', 'messages', 'mail', 'sent', 'staff', 'box', 'history'];
const TALL = { width: 1280, height: 2400 }; /* nothing half below the bars at the top and the bottom */
const shots = process.env.SCREENS; /* a folder for pictures */
const pages = [];
let browser;
let house;

before(async () => {
	browser = await openBrowser();
	house = await openHouse();
	house.jari('staff', 'add', 'owner@example.com', 'Park', '--password', PASSWORD);
	house.sql("UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'");
});
after(async () => { await browser?.close(); await house?.close(); });
afterEach(async () => {
	const wrong = pages.flatMap((p) => p.wrong);
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

async function picture(what, name) {
	if (!shots) return;
	mkdirSync(shots, { recursive: true });
	await what.screenshot({ path: path.join(shots, `${name}.png`) });
}
async function open(device) {
	const page = await visitor(browser, house, device);
	pages.push(page);
	return page;
}
/* The login of a browser that was here before. */
async function owner({ hash = '#house', ...device } = {}) {
	const page = await open({ ...DESKTOP, locale: 'en-US', ...device });
	await page.request.post('/api/login', { data: { email: 'owner@example.com', password: PASSWORD } });
	await page.goto(`/desk/${hash}`);
	await page.waitForSelector('.house-place .card', { state: 'attached' });
	return page;
}
/* What is sent to the box from here on, but questions. */
function writesOf(page) {
	const sent = [];
	page.on('request', (r) => { if (r.method() !== 'GET') sent.push(r); });
	return sent;
}
const bar = (page) => page.locator('.save-bar.changed');
const heading = (page) => page.textContent('.house-place h2');

test('one card at a time has an address, the menu says where one is, and the back button goes back', async () => {
	const page = await owner();
	assert.equal(await heading(page), 'Restaurant');
	await page.click('.house-menu >> text=Booking rules');
	await until(async () => (await heading(page)) === 'Times and seats', 'the first card of the group');
	assert.match(page.url(), /#house\/times$/);
	assert.equal(await page.textContent('.house-menu [aria-current]'), 'Times and seats');
	assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Times and seats');
	await page.click('.house-menu [data-card=booking]');
	await until(async () => (await heading(page)) === 'Booking online', 'the next card');
	assert.match(await page.title(), /^Booking online · Settings/);
	await page.goBack();
	await until(async () => (await heading(page)) === 'Times and seats', 'back');
	await page.reload();
	await until(async () => (await heading(page)) === 'Times and seats', 'the address is kept');
	/* On a telephone the menu is a page of its own. */
	await page.setViewportSize({ width: 390, height: 844 });
	assert.equal(await page.isVisible('.house-menu'), false);
	await page.click('.back');
	await page.waitForSelector('.house-menu', { state: 'visible' });
	assert.equal(await page.isVisible('.house-place'), false);
	await page.click('.house-menu [data-card=refund]');
	await page.waitForSelector('[name=refundLatePct]', { state: 'visible' });
});

test('a reload on the settings has the name of the house, its currency, and no frame around the heading', async () => {
	house.sql("UPDATE restaurants SET currency = 'EUR', name = 'Hana Table', name_en = NULL, deposit_per_person = 750, deposit_large_per_person = 750");
	try {
		const page = await owner({ hash: '#house/deposit' });
		/* The day of the evening never comes: nothing may wait for it. */
		await page.route('**/api/desk/day*', (route) => route.abort());
		await page.reload();
		await until(async () => /€15\.00/.test(await page.textContent('.told').catch(() => '')), 'the deposit in euros');
		assert.equal(await page.textContent('#house'), 'Hana Table');
		assert.doesNotMatch(await page.textContent('main'), /₩/);
		await page.goto('/desk/#house');
		await page.reload();
		await page.waitForSelector('.house-head h1');
		await until(() => page.evaluate(() => document.activeElement.tagName === 'H1'), 'the heading has the focus');
		assert.equal(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'none');
		assert.match(await page.title(), /Hana Table/);
	} finally {
		house.sql("UPDATE restaurants SET currency = 'KRW', name = '온기 식당', name_en = 'Ongi Table', deposit_per_person = 5000, deposit_large_per_person = 10000");
	}
});

test('the bar says what is not saved, only that is sent, and saving without a change sends nothing', async () => {
	const page = await owner({ hash: '#house/booking' });
	const sent = writesOf(page);
	await page.waitForSelector('[name=partyMax]');
	assert.equal(await bar(page).count(), 0);
	/* Enter in a field of a card without a change. */
	await page.press('[name=partyMax]', 'Enter');
	await until(async () => (await page.textContent('.result')) === 'Nothing has changed.', 'it says so');
	assert.equal(sent.length, 0);
	const before = await page.inputValue('[name=partyMax]');
	await page.fill('[name=partyMax]', '9');
	await page.fill('[name=windowDays]', '45');
	await until(async () => (await page.textContent('.unsaved')) === 'Not saved: Largest party, Bookings open (days ahead)', 'the bar names it');
	await picture(page, 'owner-2-unsaved');
	/* What was taken back is no change. */
	await page.fill('[name=windowDays]', String(house.read('SELECT window_days FROM restaurants')));
	await until(async () => (await page.textContent('.unsaved')) === 'Not saved: Largest party', 'one is left');
	await page.fill('[name=partyMax]', before);
	await until(async () => !(await bar(page).count()), 'nothing is left');
	await page.fill('[name=partyMax]', '9');
	await bar(page).locator('[type=submit]').click();
	await until(async () => (await page.textContent('.result')) === 'Saved.', 'saved');
	assert.equal(await bar(page).count(), 0);
	assert.deepEqual(sent.map((r) => `${r.method()} ${r.postData()}`), ['PUT {"partyMax":9}']);
	/* What is refused stays, with the reason. */
	await page.fill('[name=partyMin]', '10');
	await bar(page).locator('[type=submit]').click();
	await until(async () => /smallest party cannot be larger/.test(await page.textContent('.result')), 'the refusal');
	assert.equal(await bar(page).count(), 1);
	await page.click('.save-bar .plain');
	await until(async () => (await page.inputValue('[name=partyMin]')) === '1', 'given up');
	house.sql(`UPDATE restaurants SET party_max = ${before}`);
});

test('leaving a card with changes asks: stay, do not save, save; by a link, by the back button, by another language', async () => {
	const page = await owner({ hash: '#house/times' });
	await page.waitForSelector('[name=seats]');
	await showCard(page, 'booking');
	const kept = () => house.read('SELECT lead_minutes FROM restaurants');
	const before = kept();
	const change = (value) => page.fill('[name=leadMinutes]', value);
	const answer = (word) => page.click(`dialog button:has-text("${word}")`);

	await change('77');
	await page.click('.house-menu [data-card=waitlist]');
	await page.waitForSelector('dialog[open]');
	assert.match(await page.textContent('dialog'), /Leave without saving\?.*Bookings close/s);
	assert.equal(await axe(page), '');
	await answer('Stay');
	assert.match(page.url(), /#house\/booking$/);
	assert.equal(await page.inputValue('[name=leadMinutes]'), '77');

	await page.goBack();
	await page.waitForSelector('dialog[open]');
	await answer('Stay');
	assert.match(page.url(), /#house\/booking$/);
	assert.equal(await page.inputValue('[name=leadMinutes]'), '77');

	await page.click('[data-lang=ko]');
	await page.waitForSelector('dialog[open]');
	await answer('Stay');
	assert.equal(await page.getAttribute('html', 'lang'), 'en');

	await page.click('#tabs a[href="#list"]');
	await page.waitForSelector('dialog[open]');
	await answer('Do not save');
	await page.waitForSelector('.evening');
	assert.equal(kept(), before);

	await showCard(page, 'booking');
	await change('78');
	await page.click('.house-menu [data-card=waitlist]');
	await page.click('dialog .primary');
	await page.waitForSelector('[name=waitlistPerGuest]');
	assert.equal(kept(), '78');

	/* What cannot be saved does not let go. */
	await showCard(page, 'booking');
	await change('');
	await page.click('.house-menu [data-card=waitlist]');
	await page.click('dialog .primary');
	await page.waitForSelector('dialog', { state: 'detached' });
	assert.match(page.url(), /#house\/booking$/);

	/* The browser asks before the page is closed, and only then. */
	let asked = 0;
	page.on('dialog', (dialog) => { asked++; return dialog.accept(); });
	await change('79');
	await page.reload();
	await page.waitForSelector('[name=leadMinutes]');
	assert.equal(asked, 1);
	await page.reload();
	await page.waitForSelector('[name=leadMinutes]');
	assert.equal(asked, 1);
	house.sql(`UPDATE restaurants SET lead_minutes = ${before}`);
});

test('search finds cards and fields in both languages, and a tap goes there', async () => {
	const page = await owner({ hash: '#house/hours' });
	const search = page.locator('#settings-search');
	await picture(page, 'owner-1-settings');
	for (const typed of ['deposit', '예약금']) {
		await search.fill(typed);
		await until(async () => (await page.textContent('.hits li >> nth=0')) === 'Deposit', typed);
	}
	assert.equal(await page.isVisible('.groups'), false);
	assert.equal(await axe(page), '');
	await picture(page, 'owner-3-search');
	await page.click('.hits >> text=Deposit per guest of a large party');
	await page.waitForSelector('.pointed [name=depositLargePerPerson]');
	assert.equal(await page.evaluate(() => document.activeElement.name), 'depositLargePerPerson');
	assert.match(page.url(), /#house\/deposit\/depositLargePerPerson$/);
	await until(() => page.isVisible('.groups'), 'the menu is back');
	await search.fill('xyzzy');
	await page.waitForSelector('.settings-search .hint:not([hidden])');
	/* By the keyboard: Enter takes the first. */
	await search.fill('backup');
	await page.waitForSelector('.hits a');
	await search.press('Enter');
	await until(async () => (await heading(page)) === 'This box', 'there');
	const phone = await owner({ ...PHONE, locale: 'ko-KR' });
	await phone.fill('#settings-search', '품절');
	await phone.tap('.hits a >> nth=0');
	await phone.waitForSelector('.pointed, .dish-row');
});

const dishes = () => house.read("SELECT group_concat(name) FROM (SELECT name FROM menus WHERE is_deleted = 0 ORDER BY position, menu_id)");

test('dishes are put in order with the mouse, a finger and the keys, and a new one begins with nothing', async () => {
	const page = await owner({ hash: '#house/menu', viewport: TALL });
	await page.waitForSelector('.dish-row');
	const names = () => page.locator('.dish-row').evaluateAll((rows) => rows.map((row) => row.querySelector('input').value));
	const before = await names();
	const grip = (n) => page.locator('.dish-row .grip').nth(n).boundingBox();
	const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
	/* The third above the first, with the mouse. */
	await page.mouse.move(...middle(await grip(2)));
	await page.mouse.down();
	const top = await page.locator('.dish-row').first().boundingBox();
	await page.mouse.move(top.x + 20, top.y + 4, { steps: 12 });
	await page.mouse.up();
	const dragged = [before[2], before[0], before[1], ...before.slice(3)];
	assert.deepEqual(await names(), dragged);
	await until(async () => (await page.textContent('.unsaved')) === 'Not saved: Menu', 'the bar names it');
	/* One down by the button, which keeps the focus. */
	await page.locator('.dish-row').first().locator('[aria-label="Move down"]').focus();
	await page.keyboard.press('Enter');
	const moved = [before[0], before[2], before[1], ...before.slice(3)];
	assert.deepEqual(await names(), moved);
	assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Move down');
	await until(async () => (await page.textContent('#status')).startsWith('Now 2 of'), 'it is said aloud');
	/* A new one has no price of its own making. */
	await page.click('button:has-text("Add a dish")');
	const fresh = page.locator('.dish-row').last();
	assert.deepEqual(await fresh.locator('input:not([type=checkbox]), textarea').evaluateAll((all) => all.map((n) => n.value)), ['', '', '', '', '']);
	await fresh.locator('input').first().fill('Tea');
	await bar(page).locator('[type=submit]').click();
	assert.equal(await fresh.locator('[type=number]').evaluate((n) => n.validity.valueMissing), true);
	await fresh.locator('[type=number]').fill('4000');
	await fresh.locator('[type=checkbox]').check();
	assert.equal(await axe(page), '');
	await bar(page).locator('[type=submit]').click();
	await until(async () => (await page.textContent('.result')) === 'Saved.', 'saved');
	assert.equal(dishes(), [...moved, 'Tea'].join(','));
	assert.equal(house.read("SELECT sold_out FROM menus WHERE name = 'Tea' AND is_deleted = 0"), '1');
	/* Saved once more without a reload it is the same dish: nothing was taken away and put back. */
	const known = () => house.read("SELECT menu_id FROM menus WHERE name = 'Tea' AND is_deleted = 0");
	const tea = known();
	await fresh.locator('[type=number]').fill('4500');
	await bar(page).locator('[type=submit]').click();
	await until(() => house.read("SELECT price FROM menus WHERE name = 'Tea' AND is_deleted = 0") === '4500', 'saved again');
	assert.equal(known(), tea);
	assert.equal(await bar(page).count(), 0);
	/* Guests read that it is sold out, and cannot choose it. */
	const guest = await open({ ...PHONE, locale: 'en-US' });
	await guest.goto('/');
	await guest.waitForSelector('.menu');
	assert.match(await guest.locator('.menu li').last().textContent(), /^Tea.*Sold out$/);
	await guest.locator('.time:not(.full)').first().click();
	await guest.check('input[value=preorder]');
	const dish = guest.locator('.dishes li').last();
	assert.match(await dish.textContent(), /^Tea.*Sold out$/);
	assert.equal(await dish.locator('button').count(), 0);
	/* A finger, on a telephone. */
	const phone = await owner({ ...PHONE, viewport: { width: 390, height: 2400 }, hash: '#house/menu' });
	await phone.waitForSelector('.dish-row');
	const at = middle(await phone.locator('.dish-row .grip').nth(1).boundingBox());
	const session = await phone.context().newCDPSession(phone);
	const touch = (type, x, y) => session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
	await touch('touchStart', ...at);
	for (let y = at[1]; y > 200; y -= 20) await touch('touchMove', at[0], y);
	await touch('touchEnd');
	assert.equal(await phone.locator('.dish-row input').first().inputValue(), moved[1]);
});

test('what the house says in its other language is behind one switch', async () => {
	const page = await owner({ hash: '#house/facts' });
	await page.waitForSelector('[name=name]');
	assert.equal(await page.isVisible('[name=nameEn]'), true, 'it has an English name');
	await page.uncheck('.also input');
	assert.equal(await page.isVisible('[name=nameEn]'), false);
	assert.equal(await bar(page).count(), 0, 'nothing is another by that');
	await page.check('.also input');
	await page.fill('[name=nameEn]', 'Ongi');
	await until(async () => (await page.textContent('.unsaved')) === 'Not saved: Name in English', 'the bar names it');
	await page.click('.save-bar .plain');
});

test('one tap makes every day as Monday, in the settings and on the first day', async () => {
	const page = await owner({ hash: '#house/hours', viewport: TALL });
	await page.waitForSelector('.service');
	const tap = page.locator('button:has-text("Every day as on")');
	assert.equal(await tap.textContent(), 'Every day as on Tue'); /* the demo rests on Mondays */
	const week = await page.locator('.service').count();
	await tap.click();
	assert.ok(await page.locator('.service').count() < week);
	assert.equal(await page.locator('.service').first().locator('input:checked').count(), 7);
	assert.equal(await tap.isVisible(), false);
	await until(async () => (await page.textContent('.unsaved')) === 'Not saved: Opening hours', 'the bar names them');
	assert.equal(await axe(page), '');
	await page.click('.save-bar .plain');
	await until(async () => (await page.locator('.service').count()) === week, 'given up');
	/* A new restaurant rests on Mondays, until that is tapped. */
	const empty = await openHouse({ empty: true });
	try {
		const fresh = await visitor(browser, empty, { ...DESKTOP, locale: 'en-US', timezoneId: 'Europe/Berlin' });
		await fresh.goto(empty.jari('link', 'owner@jari.local').match(/http\S+/)[0].replace(/^http:\/\/[^/]+/, ''));
		await fresh.fill('#l-newPassword', PASSWORD);
		await fresh.click('.login .primary');
		await fresh.waitForSelector('.service');
		assert.equal(await fresh.locator('.service input:checked').count(), 6);
		await fresh.click('button:has-text("Every day as on Tue")');
		assert.equal(await fresh.locator('.service input:checked').count(), 7);
		assert.deepEqual(fresh.wrong, []);
		await fresh.context().close();
	} finally {
		await empty.close();
	}
});

test('what guests read is beside the fields while they are typed', async () => {
	const page = await owner({ hash: '#house/deposit', viewport: TALL });
	const preview = page.locator('.preview');
	await preview.waitFor();
	assert.match(await preview.textContent(), /Pay in person at the restaurant/);
	await page.fill('[name=paymentText]', 'IBAN DE12');
	assert.match(await preview.textContent(), /How to pay.*₩10,000IBAN DE12/s);
	await page.fill('[name=depositPerPerson]', '0');
	await page.fill('[name=depositLargePerPerson]', '0');
	assert.match(await preview.textContent(), /no deposit is asked for/);
	await page.click('.save-bar .plain');
	await showCard(page, 'refund');
	await page.fill('[name=refundDayBeforePct]', '80');
	assert.match(await preview.textContent(), /Until the end of .*80 % back.*On the day until 17:00.*50 % back/s);
	await page.click('.save-bar .plain');
	await showCard(page, 'messages');
	await page.fill('[name=messageText]', 'Ring twice.');
	assert.match(await preview.textContent(), /온기 식당Ring twice\./);
	await page.click('.save-bar .plain');
});

test('a new colleague is in the list at once, with a link to copy and to scan that lasts as long as was chosen', async () => {
	const page = await owner({ hash: '#house/staff', viewport: TALL });
	const form = page.locator('form.card');
	await form.locator('[name=email]').fill('mina@example.com');
	await form.locator('.rules input').first().fill('Mina');
	await form.locator('[name=minutes]').selectOption('4320');
	await page.setViewportSize(DESKTOP.viewport); /* the button is a screen below the link */
	await form.locator('[type=submit]').click();
	await page.waitForSelector('.link-code');
	assert.match(await page.locator('.spans').last().textContent(), /Mina.*mina@example\.com · Staff/);
	assert.equal(await form.locator('[name=email]').inputValue(), '');
	assert.match(await page.textContent('.link-box'), /Link for Mina.*works once, within 3 days/s);
	assert.equal(await page.locator('.link-box h3').evaluate((n) => n.getBoundingClientRect().top >= 0 && n.getBoundingClientRect().bottom <= innerHeight), true, 'the link is on the screen');
	await page.setViewportSize(TALL);
	const link = await page.inputValue('.link-box .link');
	await until(() => page.locator('.link-code').evaluate((n) => n.complete && n.naturalWidth > 0), 'the code is drawn');
	assert.equal(await axe(page), '');
	await picture(page.locator('.house-place'), 'owner-4-staff');
	await page.click('button:has-text("Copy the link")');
	await until(async () => (await page.textContent('.link-box')).includes('Copied.'), 'copied');
	const minutes = Number(house.read("SELECT round((julianday(password_until) - julianday('now')) * 1440) FROM users WHERE email = 'mina@example.com'"));
	assert.ok(minutes > 4315 && minutes <= 4320, String(minutes));
	const mina = await open({ ...PHONE, locale: 'en-US' });
	await mina.goto(link);
	await mina.fill('#l-newPassword', 'my own password');
	await mina.click('.login .primary');
	await mina.waitForSelector('.totals');
	/* Who has lost the password reads what to do. */
	await mina.click('#leave');
	await mina.waitForSelector('#l-password');
	assert.match(await mina.textContent('.login'), /Lost your password\? The owner makes a new link/);
	assert.equal(await axe(mina), '');
});

for (const [name, device] of [
	['light', { viewport: TALL, colorScheme: 'light' }],
	['dark', { viewport: TALL, colorScheme: 'dark', locale: 'ko-KR' }],
	['a telephone', { ...PHONE, viewport: { width: 390, height: 2400 } }],
])
	test(`every card is clean: ${name}`, async () => {
		const page = await owner(device);
		for (const card of CARDS) {
			await showCard(page, card);
			assert.equal(await axe(page), '', card);
		}
	});

test('with large letters no card is wider than a telephone', async () => {
	const page = await owner({ ...PHONE });
	await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
	for (const card of CARDS) {
		await showCard(page, card);
		assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('main *')].filter((n) => n.getBoundingClientRect().right > innerWidth + 1 && !n.closest('.unseen')).map((n) => `${n.tagName}.${n.className} ${Math.round(n.getBoundingClientRect().right)}`)), [], card);
	}
});
