/*
 * place.test.mjs - by clicks alone: a restaurant is set up where it is, with cents on its menu, and a guest sees its money, its
 * week, its telephone numbers and its language, on the page, in the mail and in the lists.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { openServer } from '../mail/server.mjs';
import { axe, DESKTOP, openBrowser, openHouse, PHONE, showCard, until, visitor } from './house.mjs';

const PASSWORD = 'my own password';
const HANGUL = /[가-힣ㄱ-ㅎ]/;
const shots = process.env.SCREENS; /* a folder for pictures */
const pages = [];
let browser;
let house;
let server;

before(async () => {
	browser = await openBrowser();
	server = await openServer();
});
after(async () => { await browser?.close(); await server?.close(); });
afterEach(async () => {
	const wrong = pages.flatMap((p) => p.wrong);
	await Promise.all(pages.splice(0).map((p) => p.context().close()));
	await house?.close();
	house = null;
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

async function picture(page, name, what) {
	if (!shots) return;
	mkdirSync(shots, { recursive: true });
	await page.evaluate(() => document.activeElement?.blur());
	await (what ? page.locator(what) : page).screenshot({ path: path.join(shots, `${name}.png`) });
}
async function open(device) {
	const page = await visitor(browser, house, device);
	pages.push(page);
	return page;
}
const values = (page) => page.evaluate(() => Object.fromEntries(['country', 'timezone', 'currency', 'callingCode', 'firstWeekday', 'language'].map((name) => [name, document.querySelector(`[name=${name}]`).value])));
const saved = (form) => until(async () => (await form.locator('.result').first().textContent()) === 'Saved.', 'saved');
/* What an eye sees, and what a screen reader says; the button of the other language may be named in it. */
const seen = (page) => page.evaluate(() => [...document.querySelectorAll('body *')].filter((n) => !n.closest('#langs, noscript, script')).flatMap((n) => [...[...n.childNodes].filter((c) => c.nodeType === 3).map((c) => c.textContent), n.getAttribute('aria-label'), n.placeholder]).concat(document.title).filter(Boolean).join('\n'));

const mailTo = async (address, words) => (await until(() => server.mails.find((m) => m.to.includes(address) && words.test(m.mail.text)), `${words} to ${address}`, 25000)).mail;

/* The first page of a new box, where this clock is. */
async function begin(device) {
	house = await openHouse({ empty: true });
	const link = house.jari('link', 'owner@jari.local').match(/http\S+/)[0].replace(/^http:\/\/[^/]+/, '');
	const page = await open(device);
	await page.goto(link);
	await page.fill('#l-newPassword', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('.house-page [name=name]');
	return page;
}
async function finish(page, { name, phone, deposit }) {
	await page.fill('[name=name]', name);
	await page.fill('[name=phone]', phone);
	await page.fill('[name=deposit]', deposit);
	await page.fill('[name=yourName]', 'Hana Kim');
	await page.fill('[name=email]', 'hana@example.com');
	await page.click('.house-page .primary');
	await page.waitForSelector('.totals');
}
async function addDish(page, name, price) {
	await showCard(page, 'menu');
	const menu = page.locator('form', { has: page.locator('h2', { hasText: /^(Menu|메뉴)$/ }) });
	await menu.locator('.actions button.soft').first().click();
	await menu.locator('.edit-row input').first().fill(name);
	await menu.locator('[type=number]').fill(price);
	await menu.locator('[type=submit]').click();
	return menu;
}
async function sendMail() {
	const login = await house.api('POST', '/api/login', { body: { email: 'hana@example.com', password: PASSWORD } });
	const token = login.json.accessToken;
	const set = await house.api('PUT', '/api/desk/mail', { token, body: { way: 'SMTP', host: '127.0.0.1', port: server.port, security: 'NONE', sender: 'table@house.example', site: house.url } });
	assert.equal(set.status, 200, set.text);
	house.sql('UPDATE restaurants SET quiet_from = 0, quiet_to = 0');
	return token;
}

test('Hana Table is set up in Berlin with cents, and a guest sees nothing Korean on the page or in the mail', async () => {
	const page = await begin({ ...DESKTOP, locale: 'en-US', timezoneId: 'Europe/Berlin' });
	assert.deepEqual(await values(page), { country: 'DE', timezone: 'Europe/Berlin', currency: 'EUR', callingCode: '49', firstWeekday: '1', language: 'en' });
	assert.equal(await page.getAttribute('[name=phone]', 'placeholder'), 'e.g. 01512 3456789');
	/* Another country proposes the rest anew; all of it can be seen before it is saved. */
	await page.selectOption('[name=country]', 'KW');
	assert.deepEqual(await values(page), { country: 'KW', timezone: 'Asia/Kuwait', currency: 'KWD', callingCode: '965', firstWeekday: '6', language: 'en' });
	assert.equal(await page.getAttribute('[name=deposit]', 'step'), '0.001');
	await page.selectOption('[name=country]', 'DE');
	assert.equal(await page.getAttribute('[name=deposit]', 'step'), '0.01');
	assert.equal(await axe(page), '');
	await page.evaluate(() => scrollTo(0, 0));
	await picture(page, 'rules-country');
	await finish(page, { name: 'Hana Table', phone: '030 555 0100', deposit: '7.50' });
	assert.equal(house.read('SELECT country, timezone, currency, calling_code, first_weekday, language, deposit_per_person, deposit_large_per_person FROM restaurants'), 'DE|Europe/Berlin|EUR|49|1|en|750|750');
	await saved(await addDish(page, 'Bibimbap', '19.50'));
	assert.equal(house.read('SELECT price FROM menus'), '1950');
	assert.ok((await page.textContent('.house-page')).includes('Name in Korean'), 'the other language of an English house');
	const token = await sendMail();

	/* A browser that asks for neither language is answered in that of the house. */
	const guest = await open({ ...PHONE, locale: 'de-DE', timezoneId: 'Europe/Berlin' });
	await guest.goto('/');
	await guest.waitForSelector('.time');
	assert.equal(await guest.getAttribute('html', 'lang'), 'en');
	assert.equal(await guest.textContent('.month-grid th >> nth=0'), 'Mon');
	assert.equal(await guest.textContent('.brand'), ' jari');
	assert.doesNotMatch(await seen(guest), HANGUL);
	await guest.click('.time:not(.full) >> nth=-1');
	await guest.waitForSelector('#f-name');
	assert.equal(await guest.getAttribute('#f-phone', 'placeholder'), 'e.g. 01512 3456789');
	assert.equal(await guest.textContent('#calling-code'), '+49');
	await guest.fill('#f-name', 'Jürgen Groß');
	await guest.fill('#f-phone', '12');
	await guest.fill('#f-email', 'juergen@example.com');
	await guest.click('.primary');
	assert.match(await guest.textContent('#f-phone-wrong'), /01512 3456789/);
	await guest.fill('#f-phone', '0151 234 567 89');
	assert.equal(await guest.textContent('.dock .amount'), '€15.00');
	assert.match(await seen(guest), /€19\.50/);
	assert.doesNotMatch(await seen(guest), HANGUL);
	assert.equal(await axe(guest), '');
	await guest.evaluate(() => scrollTo(0, 0));
	await picture(guest, 'rules-euro');
	await guest.click('.primary');
	await guest.waitForSelector('.reservation.temporary');
	assert.equal(await guest.textContent('.total b'), '€15.00');
	const code = await guest.textContent('.code b');
	const held = await mailTo('juergen@example.com', /€15\.00/);
	assert.doesNotMatch(`${held.subject} ${held.text}`, HANGUL);
	assert.match(house.jari('confirm', code, '15.00'), /: 15\.00 EUR for 2/);
	await guest.waitForSelector('.reservation.confirmed');
	assert.doesNotMatch(await seen(guest), HANGUL);
	assert.equal(house.read('SELECT phone_key FROM users WHERE user_type = \'GUEST\''), '4915123456789');

	/* The lists of the owner, and the numbers after a reload. */
	const query = 'restaurantId=1&from=2020-01-01&to=2021-01-01'.replace('2020-01-01', house.read('SELECT date(min(slot_date), \'-1 day\') FROM restaurant_reservation_slots')).replace('2021-01-01', house.read('SELECT max(slot_date) FROM restaurant_reservation_slots'));
	const csv = await house.api('GET', `/api/desk/export/payments.csv?${query}`, { token });
	assert.match(csv.text, /"15\.00","15\.00","0\.00","0\.00","EUR"/);
	assert.match((await house.api('GET', `/api/desk/export/reservations.csv?${query}`, { token })).text, /"15\.00","EUR"/);
	await page.goto('/desk/#numbers');
	await page.reload();
	await page.fill('#n-to', house.read('SELECT max(slot_date) FROM restaurant_reservation_slots'));
	await until(async () => (await page.locator('.totals').allTextContents()).some((sums) => sums.includes('€15.00')), 'the sum in euros');

	/* Cancelled by the house: all of it goes back, and the mail says how much. */
	house.jari('cancel', code, 'no water');
	const gone = await mailTo('juergen@example.com', /Refund: €15\.00/);
	assert.doesNotMatch(`${gone.subject} ${gone.text}`, HANGUL);
});

test('another currency is asked about with an example before it is saved, and the numbers stay', async () => {
	const page = await begin({ ...DESKTOP, locale: 'en-US', timezoneId: 'Europe/Berlin' });
	await finish(page, { name: 'Hana Table', phone: '', deposit: '7.50' });
	await saved(await addDish(page, 'Tea', '4.20'));
	await page.reload();
	await showCard(page, 'place');
	const place = page.locator('form', { has: page.locator('[name=country]') });
	await place.locator('[name=currency]').selectOption('KRW');
	await place.locator('[type=submit]').click();
	await page.waitForSelector('dialog');
	assert.match(await page.textContent('dialog'), /€4\.20 becomes ₩4/);
	await picture(page, 'rules-currency', 'dialog');
	await page.click('dialog .plain');
	await until(async () => (await place.locator('.result').textContent()) !== '', 'it says that nothing was changed');
	assert.equal(house.read('SELECT currency, deposit_per_person FROM restaurants'), 'EUR|750');
	await place.locator('[name=currency]').selectOption('KWD');
	await place.locator('[type=submit]').click();
	await page.click('dialog .primary');
	await until(() => house.read('SELECT currency, deposit_per_person FROM restaurants') === 'KWD|7500', 'the number stays');
	assert.equal(house.read('SELECT price FROM menus'), '4200');
	await until(async () => (await page.inputValue('[name=currency]').catch(() => '')) === 'KWD' && !(await page.locator('.save-bar.changed').count()), 'the card is drawn anew');
	await showCard(page, 'deposit');
	await until(async () => (await page.inputValue('.rules [name=depositPerPerson]')) === '7.500', 'the page is drawn anew');
});

test('하나 식탁 in Seoul is set up in Korean, and a guest whose browser speaks neither language sees Korean', async () => {
	const page = await begin({ ...DESKTOP, locale: 'ko-KR', timezoneId: 'Asia/Seoul' });
	assert.deepEqual(await values(page), { country: 'KR', timezone: 'Asia/Seoul', currency: 'KRW', callingCode: '82', firstWeekday: '7', language: 'ko' });
	await finish(page, { name: '하나 식탁', phone: '02-555-0100', deposit: '5000' });
	assert.equal(house.read('SELECT currency, deposit_per_person, language FROM restaurants'), 'KRW|5000|ko');
	const guest = await open({ ...PHONE, locale: 'fr-FR', timezoneId: 'Asia/Seoul' });
	await guest.goto('/');
	await guest.waitForSelector('.time');
	assert.equal(await guest.getAttribute('html', 'lang'), 'ko');
	assert.equal(await guest.textContent('.brand'), ' 자리');
	assert.equal(await guest.textContent('.month-grid th >> nth=0'), '일');
	await guest.click('.time:not(.full) >> nth=-1');
	await guest.waitForSelector('#f-name');
	assert.equal(await guest.textContent('.dock .amount'), '10,000원');
	assert.doesNotMatch(await seen(guest), /[A-Za-z]{3,}/, 'nothing English');
	await guest.click('[data-lang=en]');
	await until(async () => (await guest.textContent('.dock .amount')) === '₩10,000', 'English, when asked for');
});
