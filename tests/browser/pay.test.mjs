/*
 * pay.test.mjs - a guest pays online, in Chromium: the owner's keys by clicks, then hold, pay, confirmed; a card that is
 * declined, the back button, two tabs, a hold that lapses at the provider, a cancel that gives the money back.  The providers
 * are those of tests/pay; the pages ask for the real addresses under their real policy.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { axe, DESKTOP, fillIn, hold, openBrowser, openHouse, PHONE, until, visitor } from './house.mjs';
import { KEYS, openProviders, reachProviders } from './providers.mjs';

const shots = process.env.SCREENS; /* a folder for pictures */
const PASSWORD = 'correct horse 7';
let browser;
let house;
let pay;
let owner; /* a login for the API */
let day = 1;
const pages = [];

before(async () => {
	pay = await openProviders();
	[house, browser] = await Promise.all([openHouse({ env: pay.env }), openBrowser()]);
	house.jari('staff', 'add', 'kim@example.com', 'Kim', '--password', PASSWORD);
	house.sql("UPDATE users SET user_type = 'OWNER' WHERE email = 'kim@example.com'");
	const login = await house.api('POST', '/api/login', { body: { email: 'kim@example.com', password: PASSWORD } });
	owner = login.json.accessToken;
});
after(async () => {
	await browser?.close();
	await house?.close();
	await pay?.close();
});

/* ---- small steps ---- */

async function guest(device = PHONE, locale = 'ko-KR') {
	const page = await visitor(browser, house, { ...device, locale });
	page.setDefaultTimeout(20000); /* a busy machine */
	await reachProviders(page.context(), pay);
	pages.push(page);
	return page;
}

async function done(...of) {
	for (const page of of) {
		assert.deepEqual(page.wrong, [], 'nothing on the console, nothing that the policy forbids');
		await page.context().close();
	}
}

const clean = async (page, what) => assert.equal(await axe(page), '', what);
async function picture(page, name, { fullPage = true } = {}) {
	if (!shots) return;
	mkdirSync(shots, { recursive: true });
	await page.evaluate(() => scrollTo(0, 0));
	await page.waitForTimeout(500);
	await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage });
}

/* An open day that no other test has. */
async function nextDay() {
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	for (;;) {
		const date = new Date(Date.parse(`${today}T00:00:00Z`) + ++day * 864e5);
		if (date.getUTCDay() !== 1) return date.toISOString().slice(0, 10);
	}
}

async function choose(provider, more = {}) {
	const body = { provider, test: 1, ...KEYS[provider], ...more };
	const answer = await house.api('PUT', '/api/desk/payments/settings?restaurantId=1', { token: owner, body });
	assert.equal(answer.status, 200, answer.text);
}

const phoneOf = (n) => `010-7777-${String(n).padStart(4, '0')}`;
let guests = 0;
const held = async (page) => hold(page, { date: await nextDay(), phone: phoneOf(++guests) });
const statusOf = (code) => house.read(`SELECT status FROM reservations WHERE reservation_code = '${code}'`);
const idOf = (code) => Number(house.read(`SELECT reservation_id FROM reservations WHERE reservation_code = '${code}'`));
const keyOf = (code) => house.read(`SELECT pay_key FROM intents WHERE reservation_id = ${idOf(code)} ORDER BY intent_id DESC LIMIT 1`);
const confirmed = (page) => page.waitForSelector('.reservation.confirmed');
const windowOf = (page) => page.waitForSelector('#pay[value=ok]');
const screen = (page, name) => page.waitForSelector(`.paying[data-screen=${name}]`);

/* The page's policy forbids what waitForFunction does. */
const says = (page, selector, text) => until(async () => {
	const shown = await page.locator(selector).allTextContents().catch(() => []);
	return shown.some((one) => text.test(one));
}, `${selector} says ${text}`, 20000);

/* From the held page to the provider's window. */
async function go(page) {
	await page.click('.payment #pay');
	await windowOf(page);
}

/* How often the provider charged for that reservation, and what it has still. */
async function moneyOf(code) {
	const keys = house.read(`SELECT group_concat(pay_key) FROM intents WHERE reservation_id = ${idOf(code)}`).split(',');
	const { payments } = await pay.money();
	const of = payments.filter((p) => keys.includes(p.id));
	const sum = (name) => of.reduce((n, p) => n + p[name], 0);
	return { charges: sum('charges'), kept: sum('charged') - sum('returned'), held: sum('held') };
}

/* ---- the owner ---- */

test('an owner sets up a provider by clicks: a wrong key in words, then a payment on trial that comes back', async () => {
	const page = await guest({ viewport: { width: 1280, height: 900 } }, 'ko-KR');
	await page.goto('/desk/#house/payments');
	await page.fill('#l-email', 'kim@example.com');
	await page.fill('#l-password', PASSWORD);
	await page.click('.login .primary');
	await page.selectOption('[name=provider]', 'portone');
	assert.ok(await page.isChecked('[name=test]'), 'the first time it begins in test mode');
	assert.ok(await page.getByLabel('API 시크릿').isVisible(), 'as PortOne calls it');
	await page.fill('[name=storeId]', KEYS.portone.channelKey);
	assert.match(await page.textContent('form.card .wrong:not(:empty)'), /채널 키/, 'a key of another field');
	await page.fill('[name=storeId]', KEYS.portone.storeId);
	await page.fill('[name=channelKey]', KEYS.portone.channelKey);
	await page.fill('[name=secret]', 'portone-secret-with-a-letter-missing');
	await clean(page, 'the card');
	const save = async () => {
		await page.click('form.card [type=submit]');
		await page.waitForSelector('#pay-try');
	};
	await save();
	assert.equal(await page.inputValue('[name=secret]'), '', 'a secret is never shown again');
	const trial = async () => {
		const [other] = await Promise.all([page.context().waitForEvent('page'), page.click('#pay-try')]);
		await windowOf(other);
		await other.click('#pay');
		return other;
	};
	const first = await trial();
	await says(page, '.trial .result', /시크릿 키가 맞지 않습니다/);
	await first.close();
	await page.fill('[name=secret]', KEYS.portone.secret);
	await page.click('form.card [type=submit]');
	await page.waitForSelector('[name=secret][placeholder="••••••••"]');
	await until(async () => await page.inputValue('[name=secret]') === '', 'saved');
	const second = await trial();
	await says(page, '.trial .result', /모두 성공/);
	await screen(second, 'refunded');
	await picture(page, 'pay-5-settings');
	await second.close();
	/* The company's script does not come: the other window says so, and the card beside it. */
	const script = 'https://cdn.portone.io/**';
	await page.context().route(script, (route) => route.abort());
	const [third] = await Promise.all([page.context().waitForEvent('page'), page.click('#pay-try')]);
	await says(page, '.trial .result.bad', /결제창이 열리지 않았습니다/);
	await third.close();
	await done(page);
});

/* ---- guests ---- */

/* The provider is a setting of the house: those who pay at the same one do it side by side. */
const cases = { portone: [], toss: [], stripe: [] };
const at = (provider, title, body) => cases[provider].push([title, body]);

for (const [title, device, locale, provider, words] of [
	['in Korean on a phone, PortOne', PHONE, 'ko-KR', 'portone', /결제하기/],
	['in English on a desktop, Toss Payments', DESKTOP, 'en-US', 'toss', /^Pay ₩/],
	['in English on a phone, Stripe', PHONE, 'en-US', 'stripe', /^Pay ₩/],
])
	at(provider, `hold, pay, confirmed: ${title}`, async () => {
		const page = await guest(device, locale);
		const code = await held(page);
		await page.waitForSelector('.payment .testing');
		assert.match(await page.textContent('.payment #pay'), words);
		await clean(page, 'held');
		if (provider === 'portone') await picture(page, 'pay-1-held', { fullPage: false });
		await go(page);
		await page.click('#pay');
		await confirmed(page);
		assert.match(page.url(), /\/\?reservation=\d+/, 'back at the reservation, and no token in the address');
		assert.equal(statusOf(code), 'CONFIRMED');
		assert.deepEqual(await moneyOf(code), { charges: 1, kept: 10000, held: 0 });
		await clean(page, 'confirmed');
		await done(page);
	});

at('portone', 'a card that is declined: its words, another card in the same hold, charged once', async () => {
	const page = await guest();
	const code = await held(page);
	await go(page);
	await page.click('#decline');
	await screen(page, 'declined');
	assert.match(await page.textContent('.paying .notice'), /카드사에서 승인을 거절/);
	assert.ok(await page.textContent('.clock'), 'the countdown stays');
	await clean(page, 'declined');
	await picture(page, 'pay-3-declined', { fullPage: false });
	await page.click('#again');
	await windowOf(page);
	await page.click('#refuse'); /* the window says yes, the confirmation no */
	await screen(page, 'declined');
	await page.click('#again');
	await windowOf(page);
	await page.click('#pay');
	await confirmed(page);
	assert.equal(statusOf(code), 'CONFIRMED');
	assert.deepEqual(await moneyOf(code), { charges: 1, kept: 10000, held: 0 });
	await done(page);
});

at('toss', 'a window that is closed, the back button and a second tab: the same payment, charged once', async () => {
	const page = await guest(DESKTOP, 'en-US');
	const code = await held(page);
	const address = page.url();
	await go(page);
	await page.click('#close');
	await screen(page, 'declined');
	assert.equal(await page.textContent('.paying .state'), 'You left before paying');
	await clean(page, 'closed');
	await page.goto(address);
	await go(page);
	await page.goBack();
	await screen(page, 'begun');
	await clean(page, 'begun');
	const tab = await page.context().newPage();
	await tab.goto(address);
	await tab.click('.payment #pay');
	await windowOf(tab);
	await page.click('#pay');
	await windowOf(page);
	await page.click('#pay');
	await confirmed(page);
	await tab.click('#pay'); /* pays in the old window as well */
	await confirmed(tab);
	assert.equal(statusOf(code), 'CONFIRMED');
	assert.deepEqual(await moneyOf(code), { charges: 1, kept: 10000, held: 0 });
	await done(page);
});

at('portone', 'the answer of the provider is lost: we are checking, and never that it failed', async () => {
	const page = await guest();
	const code = await held(page);
	await go(page);
	const id = keyOf(code);
	await pay.fault({ provider: 'portone', call: 'confirm', id, fault: 'lost' });
	await pay.fault({ provider: 'portone', call: 'get', id, fault: '502', times: 2 });
	await page.click('#pay');
	await screen(page, 'checking');
	await clean(page, 'checking');
	await picture(page, 'pay-2-checking', { fullPage: false });
	await confirmed(page);
	assert.deepEqual(await moneyOf(code), { charges: 1, kept: 10000, held: 0 });
	await done(page);
});

at('portone', 'a hold that lapses at the provider, and its seats go: nothing was charged, and the page says so', async () => {
	const page = await guest();
	const code = await held(page);
	await go(page);
	house.sql(`UPDATE reservations SET hold_expires_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-2 seconds') WHERE reservation_code = '${code}'`);
	const [date, time] = house.read(`SELECT slot_date || ' ' || slot_time FROM reservations JOIN restaurant_reservation_slots USING (slot_id) WHERE reservation_code = '${code}'`).split(' ');
	await until(() => statusOf(code) === 'EXPIRED', 'the hold ends');
	for (const seats of [12, 12, 12, 4]) assert.equal((await house.seat(date, time, seats)).status, 201);
	await page.click('#pay');
	await screen(page, 'nothing');
	assert.match(await page.textContent('.paying .lead'), /청구된 금액은 없습니다/);
	await clean(page, 'nothing charged');
	assert.deepEqual(await moneyOf(code), { charges: 0, kept: 0, held: 0 });
	await done(page);
});

at('toss', 'a bank’s app comes back in another browser: it says how it stands, and the first one knows', async () => {
	const page = await guest();
	const code = await held(page);
	await go(page);
	const wish = JSON.parse(new URL(page.url()).searchParams.get('wish'));
	const { redirect } = await pay.ask('POST', '/control/guest', wish); /* the bank's app, not this browser */
	const other = await guest(PHONE, 'en-US');
	await other.goto(redirect);
	await screen(other, 'paid');
	assert.equal(await other.textContent('.paying .code b'), code);
	assert.ok(!/paymentKey/.test(other.url()), 'what the provider said is gone from the address');
	await clean(other, 'paid, elsewhere');
	await done(other);
	await page.goto(`/?reservation=${idOf(code)}`);
	await confirmed(page);
	assert.deepEqual(await moneyOf(code), { charges: 1, kept: 10000, held: 0 });
	await done(page);
});

at('portone', 'a guest cancels and the money goes back; a refund that is refused is in the list with the provider’s words', async () => {
	const page = await guest();
	const cancel = async () => {
		await page.click('.plain.danger');
		await page.click('dialog .danger.solid');
		await page.waitForSelector('.reservation.canceled');
	};
	const code = await held(page);
	await go(page);
	await page.click('#pay');
	await confirmed(page);
	await cancel();
	await says(page, '.payment .notice', /10,000원 환불했습니다/);
	await clean(page, 'refunded');
	assert.deepEqual(await moneyOf(code), { charges: 1, kept: 0, held: 0 });
	await page.click('#mine');
	await says(page, '.badge.money', /환불 완료/);

	const second = await held(page);
	await go(page);
	await page.click('#pay');
	await confirmed(page);
	await pay.fault({ provider: 'portone', call: 'cancel', id: keyOf(second), fault: '403' });
	await cancel();
	await says(page, '.payment .notice', /환불을 진행하고 있습니다/);
	await picture(page, 'pay-4-refund', { fullPage: false });

	const desk = await guest({ viewport: { width: 1280, height: 900 } }, 'en-US');
	await desk.goto('/desk/');
	await desk.fill('#l-email', 'kim@example.com');
	await desk.fill('#l-password', PASSWORD);
	await desk.click('.login .primary');
	await desk.waitForSelector('.totals');
	await until(async () => {
		await desk.goto('/desk/#house/paid');
		await desk.reload();
		await desk.waitForSelector('#paid');
		return desk.$('.paid-row .primary');
	}, 'the refund needs somebody');
	await clean(desk, 'the list');
	await picture(desk, 'pay-6-list', { fullPage: false });
	await desk.click('.paid-row .primary');
	await until(async () => (await moneyOf(second)).kept === 0, 'the refund goes through when it is tried again');
	assert.deepEqual(await moneyOf(second), { charges: 1, kept: 0, held: 0 });
	await done(desk, page);
});

for (const [provider, all] of Object.entries(cases))
	test(`at ${provider}`, { concurrency: 3 }, async (t) => {
		await choose(provider);
		await Promise.all(all.map(([title, body]) => t.test(title, body)));
	});

test('a card in the place of a deposit: read before it is held, agreed to, and nothing is charged', async () => {
	await choose('portone', { guarantee: 1, guaranteeAmount: 25000, guaranteeHours: 48, guaranteeTerms: '연락 없이 오지 않으시면 청구합니다.' });
	const page = await guest();
	await page.goto(`/?party=2&date=${await nextDay()}`);
	await page.click('[data-time="18:00"]');
	await says(page, '.details .payment .notice', /지금 결제되는 금액은 없습니다.*최대 50,000원/);
	await clean(page, 'a card will be asked for');
	await fillIn(page, { phone: phoneOf(++guests) });
	await page.click('.primary');
	await page.waitForSelector('.reservation.temporary');
	const code = await page.textContent('.code b');
	await page.click('.payment #pay');
	await screen(page, 'begun');
	await says(page, '.paying .terms', /48시간.*연락 없이 오지 않으시면 청구합니다/s);
	await clean(page, 'the terms');
	await picture(page, 'pay-7-card', { fullPage: false });
	await page.click('.paying #pay');
	await windowOf(page);
	await page.click('#pay');
	await confirmed(page);
	await says(page, '.payment .notice', /카드가 등록되어 있습니다/);
	assert.deepEqual(await moneyOf(code), { charges: 0, kept: 0, held: 0 });
	await choose('portone', { guarantee: 0 });
	await done(page);
});

test('a booking by telephone gets a link to pay by, and where nobody pays online no page speaks of it', async () => {
	await choose('portone');
	const date = await nextDay();
	const body = { slotDate: date, slotTime: '18:00', partySize: 2, guestName: '이서준', phone: '010-8888-0001', waiveDeposit: 0 };
	const made = (await house.api('POST', '/api/desk/reservations?restaurantId=1', { token: owner, body })).json;
	const link = await house.api('POST', `/api/desk/reservations/${made.reservationId}/pay-link`, { token: owner, body: { version: made.version } });
	assert.equal(link.status, 200, link.text);
	const left = Date.parse(link.json.holdExpiresAt) - Date.now();
	assert.ok(left > 3600e3, 'hours, not minutes');
	await choose('desk');
	const page = await guest();
	await held(page);
	assert.equal(await page.$('.payment'), null);
	assert.match(await page.textContent('.pay'), /계좌|전화/);
	const asked = await page.evaluate(() => performance.getEntriesByType('resource').map((e) => e.name));
	assert.deepEqual(asked.filter((name) => name.includes('/pay/')), []);
	await done(page);
});

test('the book adds up', () => {
	house.jari('check');
});
