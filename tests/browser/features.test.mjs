/*
 * features.test.mjs - what the pages may use of a browser: README names the oldest ones that book.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { clockAt, dayAt, ROOT } from './house.mjs';

test('a day is written as year, month and day in every zone, at both ends of it', () => {
	assert.equal(dayAt('2026-12-31T14:59:59Z', 'Asia/Seoul'), '2026-12-31');
	assert.equal(dayAt('2026-12-31T15:00:00Z', 'Asia/Seoul'), '2027-01-01');
	assert.equal(clockAt('2026-12-31T15:00:00Z', 'Asia/Seoul'), '00:00');
	assert.equal(clockAt('2026-03-29T01:00:00Z', 'Europe/Berlin'), '03:00');
});
