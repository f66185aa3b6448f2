/*
 * news.test.mjs - what this device has not seen yet of what guests did.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './www.mjs';

const f = await load('desk/news/fold.js');

const news = (mark, reservationId, act, status = 'CONFIRMED') => ({
	mark,
	reservationId,
	act,
	status,
});
const words = (list) => list.map((n) => `${n.reservationId} ${f.wordOf(n)}`);

test('what came after the mark is new, but for what was opened', () => {
	const list = [news(9, 3, 'BOOKED'), news(7, 2, 'BOOKED'), news(5, 1, 'BOOKED')];
	const before = f.afterAll(5);
	assert.deepEqual(words(f.unseenOf(list, before)), ['3 BOOKED', '2 BOOKED']);
	const seen = f.afterOne(before, f.unseenOf(list, before)[0]);
	assert.deepEqual(words(f.unseenOf(list, seen)), ['2 BOOKED']);
	assert.deepEqual(f.unseenOf(list, f.afterAll(9)), []);
});

test('a reservation is there once: a changed new one is new, a cancelled one is that', () => {
	const list = [
		news(9, 2, 'CANCELED', 'CANCELED'),
		news(8, 1, 'CHANGED'),
		news(7, 2, 'BOOKED', 'CANCELED'),
		news(6, 1, 'BOOKED'),
	];
	const folded = f.unseenOf(list, f.afterAll(0));
	assert.deepEqual(words(folded), ['2 CANCELED', '1 BOOKED']);
	assert.deepEqual(folded[1].marks, [8, 6]);
	/* Opened, all of it is seen. */
	assert.deepEqual(words(f.unseenOf(list, f.afterOne(f.afterAll(0), folded[1]))), ['2 CANCELED']);
	/* The booking was seen before: then the change is what is new. */
	assert.deepEqual(words(f.unseenOf(list, f.afterAll(7))), ['2 CANCELED', '1 CHANGED']);
});

test('a booking is new, waits for its money, or has lapsed without', () => {
	assert.equal(f.wordOf(news(1, 1, 'BOOKED', 'TEMPORARY')), 'HELD');
	assert.equal(f.wordOf(news(1, 1, 'BOOKED', 'EXPIRED')), 'LAPSED');
	assert.equal(f.wordOf(news(1, 1, 'BOOKED', 'PREPAY_CONFIRM')), 'BOOKED');
});

test('a device that never looked, or saw another book, begins with what there is', () => {
	assert.equal(f.isOfAnotherBook(null, 5), true);
	assert.equal(f.isOfAnotherBook(f.afterAll(6), 5), true);
	assert.equal(f.isOfAnotherBook(f.afterAll(5), 5), false);
});
