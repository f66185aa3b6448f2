/*
 * guests.test.mjs - the pure questions of the guests' page: what was typed as a request, and its
 * way back.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from './www.mjs';

const { changesOf, freshOf, joinLabels, labelsOf, pairsOf, queryOf, wayBack } =
	await load('desk/guests/state.js');

const KIM = {
	guestId: 1,
	name: 'Kim',
	phone: '01011112222',
	email: null,
	note: null,
	tags: ['VIP', 'window'],
	blocked: false,
};
const typed = { ...KIM, email: '', note: '' };

test('tags are each once, whatever their capitals, and blanks are none', () => {
	assert.deepEqual(labelsOf(' window, ,Wine,WINDOW '), ['window', 'Wine']);
	assert.deepEqual(labelsOf(''), []);
	assert.deepEqual(joinLabels(['VIP'], ['vip', '창가 자리']), ['VIP', '창가 자리']);
});

test('only what was changed is sent', () => {
	assert.deepEqual(changesOf(KIM, typed), {});
	assert.deepEqual(changesOf(KIM, { ...typed, note: 'nuts' }), { note: 'nuts' });
	assert.deepEqual(changesOf(KIM, { ...typed, tags: ['window', 'VIP'] }), {
		tags: ['window', 'VIP'],
	});
	assert.deepEqual(changesOf({ ...KIM, email: 'a@b.kr' }, typed), { email: '' });
	assert.deepEqual(changesOf(KIM, { ...typed, blocked: true, phone: '010-3333-4444' }), {
		phone: '010-3333-4444',
		blocked: true,
	});
});

test('the way back names what was changed, as it was', () => {
	assert.deepEqual(wayBack(KIM, { note: 'nuts', tags: [], phone: '2' }), {
		note: '',
		tags: ['VIP', 'window'],
		phone: '01011112222',
	});
	assert.equal(wayBack({ ...KIM, phone: null }, { phone: '01011112222' }), null);
});

test('a list is asked for with what is chosen, and goes on where it was', () => {
	assert.deepEqual(queryOf(' ', '', null), {});
	assert.deepEqual(queryOf(' Kim ', 'noShows', 'x'), { q: 'Kim', noShows: true, after: 'x' });
	assert.deepEqual(queryOf('', 'tag:a:b', null), { tag: 'a:b' });
	assert.deepEqual(queryOf('', 'blocked', null), { blocked: true });
});

test('a guest who books while the list is read does not stand there twice', () => {
	const shown = [{ guestId: 1 }, { guestId: 2 }];
	assert.deepEqual(freshOf(shown, [{ guestId: 2 }, { guestId: 3 }]), [{ guestId: 3 }]);
});

test('bookings that meet are told in pairs', () => {
	assert.deepEqual(pairsOf([1, 2, 3, 4]), [
		[1, 2],
		[3, 4],
	]);
	assert.deepEqual(pairsOf([]), []);
	assert.deepEqual(pairsOf([1]), []);
});

test('the page knows the tags that the box knows, in every language', async () => {
	const header = readFileSync(new URL('../../core/guesttags.h', import.meta.url), 'utf8');
	const [, list] = header.match(/GUESTTAGS_LIST\(X\)(.*)/);
	const known = [...list.matchAll(/X\((\w+)\)/g)].map((m) => m[1]);
	const source = readFileSync(new URL('../../www/desk/guests/labels.js', import.meta.url), 'utf8');
	const shown = [...source.match(/LABELS = \[(.*)\]/)[1].matchAll(/'(\w+)'/g)].map((m) => m[1]);
	assert.deepEqual(shown, known);
	for (const code of ['ko', 'en']) {
		const { words } = await load(`desk/words/${code}.js`);
		assert.deepEqual(Object.keys(words.label), known);
	}
});
