/*
 * settings.test.mjs - the owner's settings: the menu of cards, search in it, and what is not saved.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, WWW } from './www.mjs';

const cards = await load('desk/settings/cards.js');
const { entriesOf, find } = await load('desk/settings/find.js');
const unsaved = await load('desk/settings/unsaved.js');
const { GROUPS } = await load('desk/owner.js');
const wordsOf = async (code) => (await load(`desk/words/${code}.js`)).words;
const [ko, en] = [await wordsOf('ko'), await wordsOf('en')];
const names = cards.MENU.flatMap((group) => group.cards);

const textOf = (words, name) => name.split('.').reduce((from, part) => from?.[part], words);

test('every card is in the menu once, is drawn, and has its heading in every language', () => {
	assert.deepEqual(names, [...new Set(names)]);
	const screen = readFileSync(new URL('desk/settings/screen.js', WWW), 'utf8');
	for (const card of names) {
		assert.match(screen, new RegExp(`\\t${card}: async|'${card}'`), card);
		for (const words of [ko, en]) {
			assert.equal(typeof textOf(words, cards.headingOf(card)), 'string', card);
		}
	}
	for (const words of [ko, en]) {
		assert.deepEqual(
			Object.keys(words.settings.group),
			cards.MENU.map(({ group }) => group),
		);
		assert.deepEqual(Object.keys(words.settings.also), names);
	}
});

test('every rule is in a card of the menu, and every field that can be found has its words', () => {
	for (const group of Object.keys(GROUPS)) assert.ok(names.includes(group), group);
	for (const card of names) {
		for (const { field, label, help } of cards.fieldsOf(card)) {
			for (const words of [ko, en]) {
				assert.ok(textOf(words, label), `${card} ${field}`);
				if (help) assert.ok(textOf(words, help), `${card} ${field}`);
			}
		}
	}
});

test('an address is a card and a field of it; what is no card is the menu', () => {
	assert.deepEqual(cards.placeOf('#house/deposit/depositFrom'), {
		card: 'deposit',
		field: 'depositFrom',
	});
	assert.deepEqual(cards.placeOf('#house/hours'), { card: 'hours', field: undefined });
	for (const hash of ['#house', '#house/', '#house/nothing/name', '']) {
		assert.deepEqual(cards.placeOf(hash), { card: undefined, field: undefined }, hash);
	}
	const small = [{ group: 'menu', cards: ['menu'] }];
	assert.equal(cards.placeOf('#house/mail', small).card, undefined);
});

test('no label stands for two numbers', () => {
	for (const words of [ko, en]) {
		const labels = Object.values(words.rules).map(({ label }) => label);
		assert.deepEqual(labels, [...new Set(labels)]);
	}
});

test('what the owner types finds the card first, then its fields, in either language', () => {
	const english = entriesOf(en);
	const korean = entriesOf(ko);
	const hits = (typed) => find(english, typed, korean);
	for (const typed of ['deposit', 'DEPOSIT', '예약금', '  deposit ']) {
		assert.equal(hits(typed)[0].card, 'deposit', typed);
		assert.ok(
			hits(typed).some((hit) => hit.field === 'depositPerPerson'),
			typed,
		);
	}
	assert.equal(hits('deposit')[0].field, undefined);
	assert.equal(hits('midnight')[0].card, 'hours');
	assert.equal(hits('backup')[0].card, 'box');
	assert.equal(hits('smtp')[0].card, 'mail');
	assert.equal(hits('공휴일')[0].card, 'special');
	assert.equal(hits('depositFrom').length, 0, 'names of the program are no words of the owner');
	assert.deepEqual(hits(''), []);
	assert.deepEqual(hits('   '), []);
	assert.deepEqual(hits('xyzzy'), []);
	assert.ok(hits('a').length <= 12);
});

test('every field is found by its own label', () => {
	for (const words of [ko, en]) {
		const entries = entriesOf(words);
		for (const entry of entries) {
			const found = find(entries, entry.label);
			assert.ok(
				found.some((hit) => hit.label === entry.label),
				`${entry.card} ${entry.label}`,
			);
		}
	}
});

test('what has changed in a card is known by name, and another order is a change', () => {
	const before = { partyMax: 8, rows: [{ a: 1 }, { a: 2 }], note: '' };
	assert.deepEqual(unsaved.changedNames(before, structuredClone(before)), []);
	assert.deepEqual(unsaved.changedNames(before, { ...before, partyMax: 9 }), ['partyMax']);
	const moved = { ...before, rows: [{ a: 2 }, { a: 1 }] };
	assert.deepEqual(unsaved.changedNames(before, moved), ['rows'], 'another order is a change');
	const { note, ...less } = before;
	assert.deepEqual(unsaved.changedNames(before, less), ['note']);
	assert.deepEqual(unsaved.only(['partyMax'], { ...before, partyMax: 9 }), { partyMax: 9 });
});

test('three names are said, each once, and the others are counted', () => {
	assert.deepEqual(unsaved.fewOf(['a', 'b', 'a']), { shown: ['a', 'b'], more: 0 });
	assert.deepEqual(unsaved.fewOf(['a', 'b', 'c', 'd', 'e']), { shown: ['a', 'b', 'c'], more: 2 });
	assert.equal(en.settings.unsaved('A, B', 2), 'Not saved: A, B and 2 more');
	assert.equal(en.settings.unsaved('A', 0), 'Not saved: A');
	assert.equal(ko.settings.unsaved('가, 나', 2), '저장하지 않음: 가, 나 외 2건');
});

test('rows that were new have the number that the book gave them, and are new no more', () => {
	const sent = [{ tableId: 3, name: '1' }, { name: '2' }, { name: '3' }];
	const now = unsaved.numbered(sent, 'tableId', [3, 9, undefined]);
	assert.deepEqual(now, [{ tableId: 3, name: '1' }, { tableId: 9, name: '2' }, { name: '3' }]);
	/* In the order of read(), or the card would call them changed. */
	const read = { tables: [{ tableId: 3, name: '1' }, { tableId: 9, name: '2' }, { name: '3' }] };
	assert.deepEqual(unsaved.changedNames({ tables: now }, read), []);
});
