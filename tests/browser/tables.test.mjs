/*
 * tables.test.mjs - at the desk in Chromium: a table where a party sits still, a walk-in whose table is chosen after the size, a
 * longer stay, a swap, and a party beyond the seats.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { axe, clockAt, dayAt, openBrowser, openHouse, PHONE, until, visitor, zoneWhereItIs } from './house.mjs';

const TABLET = { viewport: { width: 1024, height: 768 }, hasTouch: true };
const PASSWORD = 'correct horse 7';
const zone = zoneWhereItIs(18);
let browser;
let house;
let token;
let page;

before(async () => {
	browser = await openBrowser();
	house = await openHouse();
	house.jari('staff', 'add', 'kim@example.com', 'Kim', '--password', PASSWORD);
	house.sql(`DELETE FROM opening_hours; UPDATE users SET is_manager = 1 WHERE email = 'kim@example.com';
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00' FROM json_each('[1,2,3,4,5,6,7]');
INSERT INTO dining_tables (restaurant_id, name, seats_max) VALUES (1, 'T1', 2), (1, 'T2', 4), (1, 'T3', 4);
UPDATE restaurants SET timezone = '${zone}', sitting_minutes = 90, slot_minutes = 30, deposit_per_person = 0, deposit_large_per_person = 0, seats = 40, lead_minutes = 0`);
	token = (await house.api('POST', '/api/login', { body: { email: 'kim@example.com', password: PASSWORD } })).json.accessToken;
});
after(async () => { await browser?.close(); await house?.close(); });
afterEach(async () => {
	const wrong = page.wrong;
	await page.context().close();
	house.sql(`UPDATE reservations SET status = 'CANCELED' WHERE status IN ('CONFIRMED', 'TEMPORARY')`);
	assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
});

async function enter(device = TABLET, tab = 'list') {
	page = await visitor(browser, house, { locale: 'en-US', ...device });
	await page.goto(`/desk/#${tab}`);
	await page.fill('#l-email', 'kim@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.waitForSelector('#walk-in');
}

const idOf = (name) => Number(house.read(`SELECT table_id FROM dining_tables WHERE name = '${name}'`));
const tableOf = (guest) => house.read(`SELECT group_concat(d.name, '+') FROM reservations r JOIN reservation_tables x USING (reservation_id) JOIN dining_tables d ON d.table_id = x.table_id WHERE guest_name = '${guest}'`);
const visitOf = (guest) => house.read(`SELECT visit_status FROM reservations WHERE guest_name = '${guest}'`);

async function book(guestName, minutes, table, partySize = 2) {
	const at = new Date(Date.now() + minutes * 60000);
	const body = { slotDate: dayAt(at, zone), slotTime: clockAt(at, zone), partySize, guestName, tables: [{ tableId: idOf(table) }] };
	const made = await house.api('POST', '/api/desk/reservations?restaurantId=1', { token, body });
	assert.equal(made.status, 201, made.text);
	return made.json;
}
const seat = async ({ reservationId, version }) => {
	const done = await house.api('POST', `/api/desk/reservations/${reservationId}/seat`, { token, body: { version } });
	assert.equal(done.status, 200, done.text);
};
const row = (name) => page.locator('.row', { has: page.locator(`.name > b:text-is("${name}")`) });
const way = (text) => page.locator('dialog button', { hasText: text });
async function openOne(name, act) {
	await row(name).locator('.who').click();
	await way(act).first().click();
}

test('a party that sits still is named, in both languages and themes, and one tap does what is meant', async () => {
	await seat(await book('Stays', -100, 'T2', 3));
	await book('Comes', 5, 'T2');
	for (const [device, locale] of [[TABLET, 'en-US'], [PHONE, 'ko-KR']])
		for (const colorScheme of ['light', 'dark']) {
			await enter({ ...device, locale, colorScheme });
			await row('Comes').locator('[data-act=seat]').click();
			await page.waitForSelector('#why-title');
			assert.match(await page.textContent('dialog .reasons'), /Stays.*3.*T2|T2.*Stays.*3/);
			assert.equal(await axe(page), '', `${locale}, ${colorScheme}`);
			if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/taken-${locale}-${colorScheme}.png` });
			await page.keyboard.press('Escape');
			if (colorScheme === 'light' || locale === 'en-US') await page.context().close();
		}
	await page.context().close();
	assert.equal(visitOf('Comes'), 'PENDING');
	await enter();
	await row('Comes').locator('[data-act=seat]').click();
	await way('T3 (4)').click();
	await until(() => visitOf('Comes') === 'SEATED', 'another table');
	assert.equal(tableOf('Comes'), 'T3');
	await book('Third', 5, 'T2');
	await row('Third').locator('[data-act=seat]').click();
	await way('Share the table').click();
	await until(() => visitOf('Third') === 'SEATED', 'a table that is shared');
	await until(async () => /shares the table with Stays/.test(await row('Third').textContent()), 'whom it sits beside');
	assert.match(await row('Stays').textContent(), /shares the table with Third/);
	await book('Fourth', 100, 'T3');
	await row('Fourth').locator('[data-act=seat]').click();
	await way('They have left').click();
	await until(() => visitOf('Fourth') === 'SEATED', 'they have left');
	assert.equal(visitOf('Comes'), 'LEFT');
});

test('a walk-in gets a name and a table after the size, and a size alone is one tap', async () => {
	await enter(PHONE);
	await page.click('#walk-in');
	await page.click('dialog summary');
	await page.click('[data-size="2"]');
	await page.fill('#w-name', 'Lee');
	await page.locator('dialog .chip', { hasText: 'T3' }).click();
	assert.equal(await axe(page), '');
	if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/walk-in.png` });
	await page.click('dialog [data-act=seat]');
	await until(() => visitOf('Lee') === 'SEATED', 'a walk-in with a name');
	assert.equal(tableOf('Lee'), 'T3');
	await page.click('#walk-in');
	await page.click('[data-size="1"]');
	await until(() => house.read(`SELECT count(*) FROM reservations WHERE source = 'WALK_IN'`) === '2', 'one tap');
	/* The last table is promised soon: one dialog has both, until then or the door list. */
	await book('Soon', 45, 'T2');
	await page.click('#walk-in');
	await page.click('dialog [data-size="2"]');
	await page.waitForSelector('#why-title');
	assert.match(await page.textContent('#why-title'), /There is room until \d\d:\d\d only/);
	assert.equal(await way('Door list').count(), 1);
	assert.equal(await axe(page), '');
	if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/short-stay.png` });
	await way('Seat until').click();
	await until(() => house.read(`SELECT count(*) FROM reservations WHERE source = 'WALK_IN' AND is_active = 1`) === '3', 'until then');
});

test('a stay is made longer, the next party is named, and two parties swap and go back', async () => {
	await book('First', 0, 'T2');
	await book('Next', 90, 'T2');
	await book('Other', 0, 'T3');
	await enter();
	await openOne('First', 'Length of stay');
	if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/stay.png` });
	await way('+15 min').click();
	await page.waitForSelector('#why-title');
	assert.match(await page.textContent('dialog .reasons'), /Table T2 is Next’s from/);
	await page.keyboard.press('Escape');
	await openOne('Other', 'Length of stay');
	await way('+30 min').click();
	await until(() => house.read(`SELECT sitting_minutes FROM reservations WHERE guest_name = 'Other'`) === '120', 'half an hour more');
	await page.click('#toast button');
	await until(() => house.read(`SELECT sitting_minutes FROM reservations WHERE guest_name = 'Other'`) === '90', 'and back');
	await openOne('First', 'Table');
	await page.click('dialog .partners summary');
	assert.equal(await axe(page), '');
	if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/swap.png` });
	await page.locator('dialog .partners button', { hasText: 'Other' }).click();
	await until(() => tableOf('First') === 'T3' && tableOf('Other') === 'T2', 'a swap');
	await page.click('#toast button');
	await until(() => tableOf('First') === 'T2' && tableOf('Other') === 'T3', 'and its undo');
});

test('who may do so lets a party in beyond the seats, and says why', async () => {
	house.sql('UPDATE restaurants SET seats = 4');
	await book('Full', 30, 'T2', 4);
	await enter();
	await page.click('#phone-booking');
	const at = new Date(Math.ceil(Date.now() / 300000 + 6) * 300000);
	await page.fill('#p-time', clockAt(at, zone));
	await page.fill('#p-date', dayAt(at, zone));
	await page.locator('dialog input[autocomplete=off][data-limit="80"]').fill('Mayor');
	await page.locator('dialog [type=submit]').click();
	await way('Beyond the seats').click();
	await page.locator('dialog input[data-limit="80"]').last().fill('the mayor');
	if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/beyond.png` });
	await way('Let them in').click();
	await until(() => house.read(`SELECT count(*) FROM reservations WHERE overbook_reason = 'the mayor'`) === '1', 'beyond the seats');
	await until(async () => /beyond the seats: the mayor/.test(await row('Mayor').textContent()), 'and it says so');
	house.sql('UPDATE restaurants SET seats = 40');
});

const doorRow = (size) => page.locator('.door-row', { has: page.locator(`.door-who > b:text-matches("^${size}")`) });
const doorTap = (size, word) => doorRow(size).locator(`[data-act="${word}"]`).click();
const doorState = (size) => house.read(`SELECT status FROM door_parties WHERE party_size = ${size} ORDER BY door_id DESC LIMIT 1`);

/* The address of its own page, which the QR code has too. */
async function pageOf(size) {
	const { json } = await house.api('GET', '/api/desk/door?restaurantId=1', { token });
	return json.parties.find(({ partySize }) => partySize === size).page;
}

test('a party joins the door list by one tap, sees its place on its telephone, is called, and sits down', async () => {
	for (const table of ['T1', 'T2', 'T3']) await seat(await book(`At ${table}`, 0, table));
	await enter();
	/* A walk-in that does not fit is one tap from the list, with what was typed. */
	await page.click('#walk-in');
	await page.click('dialog summary');
	await page.click('dialog [data-size="4"]');
	await page.fill('#w-name', 'Han');
	await page.click('dialog [data-act=seat]');
	await page.waitForSelector('#why-title');
	assert.equal(await page.textContent('#why-title'), 'There is no room for them right now.');
	if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/no-room.png` });
	await way('Door list').click();
	await until(async () => await page.locator('#join-party').count() && await page.inputValue('#join-party') === '4', 'the size');
	assert.equal(await page.inputValue('#join-name'), 'Han');
	assert.equal(await page.locator('.door-panel [data-size="12"]').count(), 1);
	if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/door-filled.png` });
	await page.click('.door-panel .cross');
	await page.click('#door');
	await page.waitForSelector('.door-panel');
	await page.click('.door-panel [data-size="2"]');
	await until(() => doorState(2) === 'WAITING', 'one tap');
	await page.click('.door-join summary');
	await page.click('.door-panel [data-size="4"]');
	await page.fill('#join-name', 'Yoon');
	await page.fill('#join-phone', '010-2222-3333');
	await page.click('.door-panel [data-act=join]');
	await until(() => doorState(4) === 'WAITING', 'a name and a number');
	await doorRow(4).waitFor();
	assert.match(await doorRow(2).locator('.door-wait').textContent(), /\d+–\d+ min/);
	assert.equal(await axe(page), '');
	if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/door-list.png` });
	const desk = page;
	const phone = await visitor(browser, house, { ...PHONE, locale: 'en-US' });
	await phone.goto(await pageOf(2));
	await phone.waitForSelector('.door-card.waiting');
	assert.match(await phone.textContent('.door-card'), /No\. 1.*You are next.*\d+–\d+ min/s);
	assert.doesNotMatch(await phone.textContent('body'), /Yoon|2222/);
	assert.equal(await axe(phone), '');
	if (process.env.SHOTS) await phone.screenshot({ path: `${process.env.SHOTS}/door-phone.png` });
	/* The later party is called first: both lines say so, and the telephone hears of its own. */
	await doorTap(4, 'call');
	await until(async () => /out of turn, before 1/.test(await doorRow(4).textContent()), 'out of turn');
	assert.match(await doorRow(2).textContent(), /1 later party went first/);
	assert.match(await doorRow(4).textContent(), /Call out/);
	await doorTap(4, 'undo');
	await until(() => doorState(4) === 'WAITING', 'taken back');
	await doorTap(2, 'call');
	await until(() => doorState(2) === 'CALLED', 'called');
	await phone.evaluate(() => dispatchEvent(new Event('online'))); /* it asks at once, not in a quarter of a minute */
	await phone.waitForSelector('.door-card.called');
	if (process.env.SHOTS) await phone.screenshot({ path: `${process.env.SHOTS}/door-called.png` });
	if (process.env.SHOTS) await desk.screenshot({ path: `${process.env.SHOTS}/door-called-desk.png` });
	/* A table that is taken is taken for them too. */
	await doorTap(2, 'seat');
	assert.match(await page.locator('dialog .chip.taken', { hasText: 'T1' }).textContent(), /At T1/);
	if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/door-seat.png` });
	await page.locator('dialog .chip', { hasText: 'T1' }).click();
	await page.click('dialog [data-act=seat]');
	await page.waitForSelector('#why-title');
	await way('Share the table').click();
	await until(() => doorState(2) === 'SEATED', 'seated');
	await page.click('.door-panel > details > summary');
	await page.locator('.door-row.ended [data-act=undo]').first().click();
	await until(() => doorState(2) === 'CALLED', 'taken out again');
	assert.equal(house.read(`SELECT count(*) FROM reservations WHERE source = 'WALK_IN' AND is_active = 1 AND party_size = 2 AND guest_name = 'Walk-in'`), '0');
	/* They leave by their telephone. */
	await phone.click('#leave');
	await phone.locator('dialog .danger').click();
	await phone.waitForSelector('.door-card.left');
	await until(() => doorState(2) === 'LEFT', 'gone');
	await until(async () => /by their phone/.test(await page.locator('.door-row.ended').first().textContent()), 'and the desk says who said so');
	await until(async () => /Left the door list/.test(await page.textContent('#news')), 'and so does the news');
	assert.deepEqual(phone.wrong, []);
	await phone.context().close();
	const korean = await visitor(browser, house, { ...PHONE, locale: 'ko-KR', colorScheme: 'dark' });
	await korean.goto(await pageOf(4));
	await korean.waitForSelector('.door-card.waiting');
	assert.equal(await axe(korean), '');
	if (process.env.SHOTS) await korean.screenshot({ path: `${process.env.SHOTS}/door-phone-ko.png` });
	assert.deepEqual(korean.wrong, []);
	await korean.context().close();
	await desk.context().close();
	assert.deepEqual(desk.wrong, []);
	await enter({ ...PHONE, locale: 'ko-KR', colorScheme: 'dark' });
	await page.click('#door');
	await doorRow(4).waitFor();
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), 'nothing is cut off');
	assert.equal(await axe(page), '');
	if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/door-desk-phone.png`, fullPage: true });
});
