/*
 * story.test.mjs - by clicks alone, from an empty book to an opening that sells out: Hana Table in Berlin and 하나 식탁 in
 * Seoul.  Owner: set-up, lunch and a dinner past midnight, a menu, tables with a join, for whom a deposit is asked, an opening.
 * Guests: they wait on the countdown, press at the moment, win or lose, and one comes when everything is gone.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { axe, DESKTOP, openBrowser, openHouse, PHONE, showCard, until, visitor } from './house.mjs';

const shots = process.env.SCREENS; /* a folder for pictures */
const FRIDAY = 5;
const AHEAD_MS = 40000; /* an opening is at a full minute, at least so far ahead */
const LAST_MS = 9000; /* of the countdown that guests wait for */
let browser;

before(async () => { browser = await openBrowser(); });
after(async () => { await browser?.close(); });

async function picture(page, name) {
	if (!shots) return;
	mkdirSync(shots, { recursive: true });
	await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true });
}

/* One part of it, without the bar at the bottom that lies over everything. */
async function part(page, selector, name) {
	if (!shots) return;
	const dock = (shown) => page.evaluate((on) => document.querySelector('.dock')?.style.setProperty('visibility', on), shown);
	await dock('hidden');
	await page.locator(selector).first().screenshot({ path: path.join(shots, `${name}.png`) });
	await dock('visible');
}

const BERLIN = {
	key: 'berlin',
	name: 'Hana Table',
	phone: '030 555 0100',
	device: { locale: 'en-US', timezoneId: 'Europe/Berlin' },
	deposit: '7.50',
	dish: ['Bibimbap', '19.50', 1950],
	book: 'DE|EUR|49|1|en|750|5',
	numberOf: (n) => `01512 34567${80 + n}`,
	menu: /^Menu$/,
	openings: /^Openings$/,
	held: '€45.00',
	dishShown: '€19.50',
	allergy: 'Allergy: nuts',
	full: /19:00 and the rest of that day are full/,
	night: /00:30/,
	strange: /[가-힣]/,
};
const SEOUL = {
	key: 'seoul',
	name: '하나 식탁',
	phone: '02-555-0100',
	device: { locale: 'ko-KR', timezoneId: 'Asia/Seoul' },
	deposit: '5000',
	dish: ['비빔밥', '12000', 12000],
	book: 'KR|KRW|82|7|ko|5000|5',
	numberOf: (n) => `010-2345-67${80 + n}`,
	menu: /^메뉴$/,
	openings: /^예약 시작$/,
	held: '30,000',
	dishShown: '12,000',
	allergy: '알레르기: 견과류',
	full: /19:00/,
	night: /12:30|00:30/,
	strange: /Book my table|Allergy|guests/,
};

/* Everything that one house needs, and its end. */
async function begin(where) {
	const dir = mkdtempSync(path.join(tmpdir(), 'jari-story-'));
	const clock = path.join(dir, 'clock');
	let shift = 60 - new Date().getSeconds(); /* the house begins at a full minute */
	writeFileSync(clock, String(shift));
	const house = await openHouse({ empty: true, env: { JARI_CLOCK_FILE: clock } });
	const pages = [];
	return {
		house,
		/* A person with a device of their own. */
		async person(device) {
			const page = await visitor(browser, house, { ...device, ...where.device });
			page.setDefaultTimeout(30000); /* two houses, nine devices and a browser share two cores */
			pages.push(page);
			return page;
		},
		now: () => Date.now() + shift * 1000,
		/* The clock of the box goes forward, by less than what would be a jump. */
		standBefore(moment, ms) {
			shift += Math.max(0, Math.min(55, Math.floor((moment - this.now() - ms) / 1000)));
			writeFileSync(clock, String(shift));
		},
		async end() {
			const wrong = pages.flatMap((p) => p.wrong);
			await Promise.all(pages.map((p) => p.context().close()));
			await house.close();
			rmSync(dir, { recursive: true, force: true });
			assert.deepEqual(wrong, [], 'nothing on the console, no blocked script or style');
		},
	};
}

/* ---- the owner ---- */

async function setUp({ house, person }, where) {
	const link = house.jari('link', 'owner@jari.local').match(/http\S+/)[0].replace(/^http:\/\/[^/]+/, '');
	const page = await person(DESKTOP);
	await page.goto(link);
	await page.fill('#l-newPassword', 'my own password');
	await page.click('.login .primary');
	await page.waitForSelector('.house-page [name=name]');
	await page.fill('[name=name]', where.name);
	await page.fill('[name=phone]', where.phone);
	await page.fill('[name=deposit]', where.deposit);
	await page.fill('[name=yourName]', 'Hana Kim');
	await page.fill('[name=email]', 'hana@example.com');
	await picture(page, `${where.key}-1-setup`);
	await page.click('.house-page .primary');
	await page.waitForSelector('.totals');
	return page;
}

const card = (page, title) => page.locator('form.card', { has: page.locator('h2', { hasText: title }) });
async function save(form) {
	await form.locator('[type=submit]').click();
	await until(async () => /^(Saved\.|저장했습니다\.)$/.test(await form.locator('.result').first().textContent()), `saved: ${await form.locator('h2').first().textContent()}`);
}

/* Lunch, and a dinner that ends at two in the morning after. */
async function services(page) {
	await showCard(page, 'hours');
	const form = page.locator('form.card:has(.service)').first();
	const [dinner, lunch] = [form.locator('.service').first(), form.locator('.service').last()];
	await dinner.locator('input[type=time]').nth(0).fill('17:30');
	await dinner.locator('input[type=time]').nth(1).fill('02:00');
	await form.locator('.actions button.soft').first().click();
	await lunch.locator('.day-of button').click();
	await lunch.locator('input[type=time]').nth(0).fill('11:30');
	await lunch.locator('input[type=time]').nth(1).fill('14:30');
	await save(form);
}

async function dishes(page, where) {
	await showCard(page, 'menu');
	const form = card(page, where.menu);
	await form.locator('.actions button.soft').first().click();
	await form.locator('.edit-row input').first().fill(where.dish[0]);
	await form.locator('[type=number]').fill(where.dish[1]);
	await save(form);
}

/* Two tables for four that make one for eight. */
async function tables(page) {
	await showCard(page, 'tables');
	const form = page.locator('form.card:has(details .floor)');
	const [addTable, addJoin] = [form.locator('.actions button.soft').nth(0), form.locator('.actions button.soft').nth(1)];
	await addTable.click();
	await addTable.click();
	await addJoin.click();
	await form.locator('.pick').nth(0).click();
	await form.locator('.pick').nth(1).click();
	await save(form);
}

async function deposits(page) {
	await showCard(page, 'deposit');
	const form = page.locator('form.card:has([name=depositFrom])');
	await form.locator('[name=depositFrom]').fill('5');
	await save(form);
}

async function opening(page, { now }, where, day) {
	await showCard(page, 'openings');
	const form = card(page, where.openings);
	await form.locator('.actions button.soft').first().click();
	await form.locator('[name=from]').fill(day);
	await form.locator('[name=to]').fill(day);
	const moment = Math.ceil((now() + AHEAD_MS) / 60000) * 60000;
	await form.locator('[name=opensAt]').fill(localTime(moment, where));
	await save(form);
	return moment;
}

/* 2026-11-18T10:00 as the house reads it. */
const localTime = (ms, { device }) => new Date(ms).toLocaleString('sv-SE', { timeZone: device.timezoneId }).slice(0, 16).replace(' ', 'T');

/* The first such Friday that the window does not reach. */
async function farFriday(house) {
	const { today } = (await house.api('GET', '/api/restaurants/1')).json;
	for (let at = Date.parse(`${today}T00:00:00Z`) + 70 * 864e5; ; at += 864e5)
		if (new Date(at).getUTCDay() === FRIDAY) return new Date(at).toISOString().slice(0, 10);
}

/* ---- guests ---- */

const submit = (page) => page.locator('.details button[type=submit]');

/* Chooses the time in the calendar's day, and fills in everything beforehand. */
async function waits({ person }, where, { n, day, party, time, tag }) {
	const page = await person(PHONE);
	await page.goto(`/?party=${party}&date=${day}`);
	await page.click(`[data-time="${time}"]`);
	await page.waitForSelector('.opening .clock');
	await page.fill('#f-name', `Guest ${n}`);
	await page.fill('#f-phone', where.numberOf(n));
	if (tag) {
		await page.tap('.tag-picker summary');
		await page.tap(`.chip:has([value=${tag}])`);
	}
	assert.equal(await submit(page).isDisabled(), true);
	return page;
}
/* What was filled in outlives a reload. */
async function waitsAgain(page) {
	const name = await page.inputValue('#f-name');
	await page.reload();
	await page.waitForSelector('.opening .clock');
	assert.equal(await page.inputValue('#f-name'), name);
}
const comesAlive = (page) => until(async () => !(await submit(page).isDisabled()), 'the button comes alive', 40000);

/* Whoever else presses in that second, until nothing is left. */
async function sellOut(house, where, day) {
	const { slots } = (await house.api('GET', `/api/reservations/slots?restaurantId=1&slotDate=${day}&partySize=2`)).json;
	let n = 10;
	let sold = 0;
	for (const { slotTime } of slots)
		for (let full = false; !full;) {
			const answer = await house.api('POST', '/api/reservations', {
				headers: { 'Idempotency-Key': `story-${++n}` },
				body: { restaurantId: 1, slotDate: day, slotTime, partySize: 4, reservationType: 'RESERVATION_DEPOSIT', guest: { name: 'Somebody', phone: where.numberOf(n).replace(/\d{4}$/, String(1000 + n)) } },
			});
			full = answer.status === 409;
			assert.ok(full || answer.status === 201, answer.text);
			sold += !full;
		}
	return sold;
}

async function story(where) {
	const it = await begin(where);
	const { house } = it;
	try {
		const owner = await setUp(it, where);
		await services(owner);
		await dishes(owner, where);
		await tables(owner);
		await deposits(owner);
		assert.equal(house.read('SELECT country, currency, calling_code, first_weekday, language, deposit_per_person, deposit_from FROM restaurants'), where.book);
		assert.equal(house.read(`SELECT group_concat(opens || '-' || closes, ' ') FROM opening_hours WHERE weekday = ${FRIDAY}`), '11:30-14:30 17:30-26:00');
		assert.equal(house.read('SELECT price FROM menus'), String(where.dish[2]));
		assert.equal(house.read('SELECT (SELECT count(*) FROM dining_tables) || (SELECT seats_max FROM table_sets)'), '28');
		const day = await farFriday(house);
		const moment = await opening(owner, it, where, day);
		await picture(owner, `${where.key}-2-settings`);

		const wishes = [
			{ n: 1, day, party: 6, time: '19:00' }, /* both tables, and a deposit */
			{ n: 2, day, party: 2, time: '24:30', tag: 'nuts' }, /* in the night, and none */
			{ n: 3, day, party: 2, time: '19:00' }, /* one who presses after the first */
		];
		const [first, night, second] = [await waits(it, where, wishes[0]), await waits(it, where, wishes[1]), await waits(it, where, wishes[2])];
		it.standBefore(moment, LAST_MS);
		await Promise.all([first, night, second].map(waitsAgain));
		assert.ok(it.now() < moment, 'all of them wait before the moment');
		await picture(night, `${where.key}-3-countdown`);
		await night.click('.tag-picker summary');
		await part(night, 'section.card:has(.tag-picker)', `${where.key}-tags`);
		await picture(first, `${where.key}-3-countdown-deposit`);
		await Promise.all([first, night, second].map(comesAlive));
		assert.equal(house.read('SELECT count(*) FROM reservations'), '0', 'nothing was booked before it');
		await submit(first).click();
		await first.waitForSelector('.reservation.temporary');
		assert.ok((await first.textContent('.reservation')).includes(where.held));
		await Promise.all([submit(night).click(), submit(second).click()]);
		await night.waitForSelector('.reservation.confirmed');
		assert.ok((await night.textContent('.facts .allergy')).includes(where.allergy));
		assert.match(await night.textContent('.reservation'), where.night);
		await second.waitForSelector('dialog[open]');
		assert.doesNotMatch(await second.textContent('body'), where.strange);
		await picture(night, `${where.key}-4-confirmed`);
		await picture(first, `${where.key}-4-held`);
		await picture(second, `${where.key}-4-lost`);

		assert.ok(await sellOut(house, where, day) > 5);
		const late = await it.person(PHONE);
		await late.goto(`/?party=2&date=${day}&time=19:00`);
		await late.waitForSelector('.details .notice:not([hidden])');
		assert.match(await late.textContent('.details .notice'), where.full);
		await picture(late, `${where.key}-5-too-late`);
		await late.goto(`/?party=2&date=${day}`);
		await late.waitForSelector(`.month-day.full[data-date="${day}"]`);
		await picture(late, `${where.key}-5-sold-out`);

		await owner.goto('/desk/');
		await owner.fill('.tools [type=date]', day);
		await owner.waitForSelector('.row .allergy');
		assert.equal(await axe(owner), '');
		await picture(owner, `${where.key}-6-desk`);
		await part(owner, '.row:has(.allergy)', `${where.key}-allergy`);
		assert.equal(house.read(`SELECT count(*) FROM reservations v JOIN restaurant_reservation_slots s USING (slot_id) WHERE slot_date <> '${day}'`), '0', 'the night belongs to its evening');
		house.jari('check');
	} finally {
		await it.end();
	}
}

test('from an empty book to a sold-out opening', { concurrency: 2 }, async (t) => {
	await Promise.all([
		t.test('Hana Table in Berlin', () => story(BERLIN)),
		t.test('하나 식탁 in Seoul', () => story(SEOUL)),
	]);
});
