/*
 * screens.mjs - takes the pictures in docs/screens: node tests/browser/screens.mjs (after tests/run check_guest
 * has installed its packages).
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { clockAt, dayAt, DESKTOP, fillIn, hold, openBrowser, openHouse, PHONE, ROOT, visitor, zoneWhereItIs } from './house.mjs';

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
await page.goto(`/?party=2&date=${open[0]}`);
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

/* The desk, where it is evening now: five tables, one party late, one over time. */
const zone = zoneWhereItIs(19);
house.jari('staff', 'add', 'kim@example.com', 'Kim', '--password', 'correct horse 7');
house.sql(`UPDATE users SET user_type = 'OWNER' WHERE email = 'kim@example.com'; DELETE FROM opening_hours;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes, label) SELECT 1, value, '17:00', '23:00', 'dinner' FROM json_each('[1,2,3,4,5,6,7]');
INSERT INTO dining_tables (restaurant_id, name, seats_min, seats_max) VALUES (1, '창가 1', 1, 2), (1, '창가 2', 1, 2), (1, '홀 1', 2, 4), (1, '홀 2', 2, 4), (1, '방', 4, 8);
UPDATE restaurants SET timezone = '${zone}', sitting_minutes = 90, slot_minutes = 30, deposit_per_person = 0, deposit_large_per_person = 0, seats = 20`);
const login = await house.api('POST', '/api/login', { body: { email: 'kim@example.com', password: 'correct horse 7' } });
const token = login.json.accessToken;
const at = (minutes, how) => (how === 'day' ? dayAt : clockAt)(Date.now() + minutes * 60000, zone);
const parties = [[-100, 4, '김민지', ''], [-60, 2, '이서준', '창가 자리, 견과 알레르기'], [-25, 3, '박하늘', ''], [-5, 2, 'John Smith', ''], [25, 6, '정유진', '생일'], [55, 2, '최도윤', '']];
const made = [];
for (const [minutes, partySize, guestName, note] of parties) made.push((await house.api('POST', '/api/desk/reservations?restaurantId=1', { token, body: { slotDate: at(minutes, 'day'), slotTime: at(minutes), partySize, guestName, phone: `010-1111-${1000 + made.length}`, ...(note ? { note } : {}) } })).json);
const act = (n, version, word) => house.api('POST', `/api/desk/reservations/${made[n].reservationId}/${word}`, { token, body: { version } });
await act(0, 2, 'seat');
await act(1, 2, 'seat');
await act(3, 2, 'arrive');
/* They sat down when they came; and what was held above is over. */
house.sql(`UPDATE reservations SET seated_at = starts_at, arrived_at = starts_at WHERE visit_status = 'SEATED';
UPDATE reservations SET status = 'EXPIRED' WHERE status = 'TEMPORARY'`);
for (const [name, device] of [['', { viewport: { width: 1024, height: 768 }, locale: 'ko-KR' }], ['-phone', { ...PHONE, locale: 'en-US', colorScheme: 'dark' }]]) {
	page = await visitor(browser, house, device);
	await page.goto('/desk/');
	await page.fill('#l-email', 'kim@example.com');
	await page.fill('#l-password', 'correct horse 7');
	await page.click('.login .primary');
	await page.waitForSelector('.row');
	await shot(page, `desk-1-tonight${name}`);
	await page.click('#tabs a[href="#now"]');
	await shot(page, `desk-2-now${name}`);
	if (name) continue;
	await page.click('#tabs a[href="#timeline"]');
	await shot(page, 'desk-3-timeline');
	await page.click('.block >> nth=0');
	await page.click('.moving button:has-text("열기")');
	await shot(page, 'desk-4-one');
	await page.keyboard.press('Escape');
	await page.click('#walk-in');
	await shot(page, 'desk-5-walk-in');
	await page.keyboard.press('Escape');
}

/* The door list: a party that was called, and one that left a number. */
page = await visitor(browser, house, { viewport: { width: 1024, height: 768 }, locale: 'en-US' });
await page.goto('/desk/');
await page.fill('#l-email', 'kim@example.com');
await page.fill('#l-password', 'correct horse 7');
await page.click('.login .primary');
await page.click('#door');
await page.click('.door-join [data-size="2"]');
await page.click('.door-row [data-act=call]');
await page.waitForSelector('.door-row.voice');
await page.click('.door-join summary');
await page.fill('#join-party', '4');
await page.fill('#join-name', 'Yoon');
await page.fill('#join-phone', '010-2222-3333');
await page.click('.door-join [data-act=join]');
await page.waitForSelector('.door-row >> nth=1');
await page.mouse.move(0, 0);
await shot(page, 'desk-9-door');
await page.context().close();

/* The guests: some with tags, one who was two. */
const know = (n, opinion) => house.api('PATCH', `/api/desk/guests/${made[n].guestId}?restaurantId=1`, { token, body: opinion });
await know(0, { tags: ['VIP', '창가 자리'], note: '와인을 좋아하심' });
await know(2, { tags: ['REGULAR'] });
await know(4, { tags: ['CAREFUL'] });
await house.api('POST', `/api/desk/guests/${made[5].guestId}/merge?restaurantId=1`, { token, body: { into: made[0].guestId } });
for (const [name, device] of [['guests-1-list', { ...PHONE, locale: 'ko-KR' }], ['guests-2-one', { viewport: { width: 720, height: 760 }, locale: 'en-US' }]]) {
	page = await visitor(browser, house, device);
	await page.goto('/desk/#guests');
	await page.fill('#l-email', 'kim@example.com');
	await page.fill('#l-password', 'correct horse 7');
	await page.click('.login .primary');
	await page.waitForSelector('.guest');
	if (name === 'guests-2-one') await page.click(`[data-guest="${made[0].guestId}"] button`);
	await shot(page, name);
}

await browser.close();
await house.close();
