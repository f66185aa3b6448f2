/*
 * screens.mjs - takes the pictures in docs/screens: node tests/browser/screens.mjs (after tests/check_browser
 * has installed its packages).
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DESKTOP, fillIn, hold, openBrowser, openHouse, PHONE, ROOT, visitor } from './house.mjs';

const out = path.join(ROOT, 'docs/screens');
mkdirSync(out, { recursive: true });
const [house, browser] = await Promise.all([openHouse(), openBrowser()]);
const { today } = (await house.api('GET', '/api/restaurants/1')).json;
const open = [];
for (let n = 1; open.length < 8; n++) {
	const date = new Date(Date.parse(`${today}T00:00:00Z`) + n * 864e5);
	if (date.getUTCDay() !== 1) open.push(date.toISOString().slice(0, 10));
}
const shot = async (page, name, options) => {
	await page.waitForTimeout(500);
	await page.screenshot({ path: path.join(out, `${name}.png`), ...options });
};
const guest = { name: '김민지', phone: '010-1234-5678' };

/* A house with some life in it. */
for (const [date, time, seats] of [[open[0], '12:00', [12, 12, 12]], [open[0], '18:00', [12, 12, 12, 4]], [open[0], '19:00', [12, 12, 11]]]) for (const n of seats) await house.seat(date, time, n);
for (const time of ['11:00', '12:00', '13:00', '14:00', '15:00', '17:00', '18:00', '19:00', '20:00', '21:00']) for (const n of [12, 12, 10]) await house.seat(open[3], time, n);
for (const time of ['11:00', '12:00', '13:00', '14:00', '15:00', '17:00', '18:00', '19:00', '20:00', '21:00']) for (const n of [12, 12, 12, 4]) await house.seat(open[4], time, n);

let page = await visitor(browser, house, { ...PHONE, locale: 'ko-KR' });
await page.goto('/');
await page.waitForSelector('.time');
await shot(page, 'phone-1-choose');
await page.click('[data-time="20:00"]');
await fillIn(page, guest);
await page.fill('#f-request', '창가 자리 부탁드려요');
await page.evaluate(() => document.activeElement.blur());
await shot(page, 'phone-2-details');
const code = await hold(page, { date: open[0], time: '20:00', ...guest });
await shot(page, 'phone-4-held');
house.confirm(code);
await page.waitForSelector('.reservation.confirmed');
await page.waitForSelector('.qr[src]');
await shot(page, 'phone-5-confirmed');
await page.goto(`/?party=2&date=${open[1]}&time=18:00`);
await page.waitForSelector('form.details');
await page.route('**/api/reservations', (route) => route.fulfill({ status: 429, contentType: 'application/json', body: JSON.stringify({ code: 'WAITING', message: '', ticket: 'T', position: 49, waitingCount: 86, etaSeconds: 14 }) }));
await page.route('**/api/tickets/T', (route) => route.fulfill({ status: 429, contentType: 'application/json', body: JSON.stringify({ code: 'WAITING', message: '', ticket: 'T', position: 18, waitingCount: 61, etaSeconds: 6 }) }));
await page.click('.primary');
await page.waitForSelector('.ahead:has-text("17")');
await page.waitForTimeout(900);
await shot(page, 'phone-3-waiting');

page = await visitor(browser, house, { ...PHONE, locale: 'en-US', colorScheme: 'dark' });
await page.goto('/');
await page.waitForSelector('.time');
await shot(page, 'phone-dark-choose');
await page.click('[data-time="18:00"]');
await shot(page, 'phone-dark-full');

page = await visitor(browser, house, { ...DESKTOP, locale: 'en-US' });
await page.goto('/');
await page.waitForSelector('.time');
await shot(page, 'desktop-1-choose');
await page.goto(`/?party=4&date=${open[2]}&time=19:00`);
await fillIn(page, { name: 'Minji Kim', phone: '010-1234-5678' });
await page.check('input[value=preorder]');
for (const dish of [3, 3, 5]) await page.click(`.dishes li >> nth=${dish} >> .round >> nth=1`);
await page.evaluate(() => scrollTo(0, 0));
await shot(page, 'desktop-2-order');
const second = await hold(page, { date: open[2], time: '19:00', name: 'Minji Kim', phone: '010-1234-5678', party: 4 });
house.confirm(second);
await page.waitForSelector('.reservation:is(.confirmed, .prepay_confirm)');
await page.click('.plain.danger');
await shot(page, 'desktop-3-cancel');

await browser.close();
await house.close();
