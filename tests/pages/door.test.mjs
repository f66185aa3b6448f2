/*
 * door.test.mjs - what the door list says of a party, and what staff are offered to do.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './www.mjs';

const { waitOf, minutesBetween, needsVoice, actsOf, notesOf } = await load('desk/door/tell.js');
const at = (iso) => iso.slice(11, 16);
const NOW = '2026-11-19T10:30:00Z';
const party = {
	status: 'WAITING',
	joinedAt: '2026-11-19T10:05:30Z',
	quotedLow: 15,
	quotedHigh: 30,
	passed: 0,
	overtaken: 0,
	message: null,
};

test('a wait is a range, now, open, or never', () => {
	assert.deepEqual(waitOf({ waitHow: 'RANGE', waitLow: 10, waitHigh: 25 }), ['range', 10, 25]);
	assert.deepEqual(waitOf({ waitHow: 'RANGE', waitLow: 0, waitHigh: 0 }), ['now']);
	assert.deepEqual(waitOf({ waitHow: 'OPEN', waitLow: 60, waitHigh: 0 }), ['least', 60]);
	assert.deepEqual(waitOf({ waitHow: 'NEVER' }), ['never']);
	assert.equal(waitOf({}), null);
	const ready = { status: 'CALLED', waitHow: 'RANGE', waitLow: 10, waitHigh: 25 };
	assert.equal(waitOf(ready), null);
});

test('minutes that have passed are whole, and a clock that is behind makes none', () => {
	assert.equal(minutesBetween(party.joinedAt, NOW), 24);
	assert.equal(minutesBetween(NOW, party.joinedAt), 0);
});

test('whoever got no message is called out', () => {
	assert.equal(needsVoice({ status: 'CALLED', message: null }), true);
	assert.equal(needsVoice({ status: 'CALLED', message: 'FAILED' }), true);
	assert.equal(needsVoice({ status: 'CALLED', message: 'SENT' }), false);
	assert.equal(needsVoice({ status: 'WAITING', message: null }), false);
});

test('the next thing to do comes first, and what ended can be taken back', () => {
	assert.equal(actsOf({ status: 'WAITING' })[0], 'call');
	assert.equal(actsOf({ status: 'CALLED' })[0], 'seat');
	for (const status of ['SEATED', 'LEFT', 'NO_SHOW'])
		assert.deepEqual(actsOf({ status }), ['undo']);
});

test('a line says how long they wait, what they were told, and who went before them', () => {
	assert.deepEqual(notesOf(party, NOW, at), [
		['waits', 24],
		['quoted', 15, 30],
	]);
	const called = { ...party, status: 'CALLED', calledAt: '2026-11-19T10:28:00Z', passed: 2 };
	assert.deepEqual(notesOf(called, NOW, at), [
		['waits', 24],
		['quoted', 15, 30],
		['called', '10:28'],
		['callOut'],
		['passed', 2],
	]);
	assert.deepEqual(notesOf({ ...party, overtaken: 1 }, NOW, at).at(-1), ['overtaken', 1]);
});
