/*
 * engines.test.mjs - the same evening in Firefox and in WebKit: a house is opened, a guest books, the
 * desk seats them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFirefox, openWebKit } from './engines.mjs';
import { dayAt, openHouse, until, zoneWhereItIs } from './house.mjs';

const PHONE = { width: 390, height: 844 };
const TABLET = { width: 1180, height: 820 };
const zone = zoneWhereItIs(19);

/* From the link that a new box prints to an evening that is empty yet. */
async function openUp(desk, house) {
	const [, link] = house.jari('link', 'owner@jari.local').match(/http:\/\/[^/]+(\S+)/);
	await desk.open(house.url + link);
	await desk.type('#l-newPassword', 'correct horse 7');
	await desk.click('.login .primary');
	await desk.type('[name=name]', '하나 식당');
	await desk.type('[name=yourName]', 'Hana Kim');
	await desk.type('[name=email]', 'hana@example.com');
	await desk.click('.house-page .primary');
	await desk.wait('.totals dd', '0');
	assert.equal(await desk.text('#house'), '하나 식당');
	/* Open at any hour of any day, and paid ahead, so that there is something to confirm. */
	house.sql(`DELETE FROM opening_hours;
INSERT INTO opening_hours (restaurant_id, weekday, opens, closes)
SELECT 1, value, '00:00', '24:00' FROM json_each('[1,2,3,4,5,6,7]');
INSERT INTO dining_tables (restaurant_id, name, seats_min, seats_max)
SELECT 1, value, 1, 4 FROM json_each('["1","2","3"]');
UPDATE restaurants SET deposit_per_person = 5000, deposit_large_per_person = 5000`);
}

/* A table today, from the first tap to the code. */
async function book(guest, house) {
	await guest.open(house.url);
	await guest.click('[name=party][value="3"]');
	await guest.click(`[data-date="${dayAt(Date.now(), zone)}"]`);
	await guest.click('.time:not(.full)');
	await guest.wait('#f-name');
	if (!await guest.run(() => document.querySelector('#f-name').value)) {
		await guest.type('#f-name', 'Minji');
		await guest.type('#f-phone', '010-1234-5678');
	}
	await guest.click('.dock .primary');
	await guest.wait('.reservation.temporary .code b');
	return guest.text('.code b');
}

async function visitAndCancel(guest, house) {
	const code = await book(guest, house);
	await guest.reload();
	await guest.wait('.reservation.temporary .code b', code);
	await guest.click('#mine');
	await guest.wait('.mine li.live', code);
	await guest.clickTo('.mine li a', '.plain.danger');
	await guest.click('.plain.danger');
	await guest.type('#reason-more', 'a cold');
	await guest.click('dialog [type=submit]');
	await guest.wait('.reservation.canceled');
}

async function evening(desk, guest, house) {
	const code = await book(guest, house);
	await desk.click('[data-act=confirm]');
	await desk.click('dialog .primary');
	await guest.wait('.reservation:is(.confirmed, .prepay_confirm) .code b', code);
	await desk.click('[data-act=seat]');
	await desk.wait('.row.seated', 'Minji');
	await desk.click('#walk-in');
	await desk.click('[data-size="2"]');
	const seated = `SELECT count(*) FROM reservations WHERE visit_status = 'SEATED'`;
	await until(() => house.read(seated) === '2', 'both sit');
	await desk.click('#tabs a[href="#timeline"]');
	await desk.wait('.block.seated', 'Minji');
	await desk.click('#tabs a[href="#house"]');
	await desk.type('form [name=name]', ' 2');
	await desk.click('form:has([name=name]) .primary');
	await until(() => house.read('SELECT name FROM restaurants') === '하나 식당 2', 'the new name');
}

for (const [name, open] of [['Firefox', openFirefox], ['WebKit', openWebKit]])
	test(`${name}: a box is opened, a guest books and cancels, the desk runs the evening`, async () => {
		const house = await openHouse({ empty: true });
		const engine = await open({ zone });
		try {
			const [desk, guest] = [await engine.device(TABLET), await engine.device(PHONE)];
			await openUp(desk, house);
			await visitAndCancel(guest, house);
			await evening(desk, guest, house);
			assert.deepEqual([...desk.wrong, ...guest.wrong], [], 'no script failed');
		} finally {
			await engine.close();
			await house.close();
		}
	});
