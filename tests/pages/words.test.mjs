/*
 * words.test.mjs - the words of the pages: every language says the same things, and Korean says
 * them rightly.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, WWW } from './www.mjs';

const PAGES = ['guest', 'desk'];
const PARTS = [
	'pay',
	'desk/pay',
	'door',
	'desk/door',
]; /* words that come only where they are needed */
const pathOf = (page, code) => new URL(`${page}/words/${code}.js`, WWW);
const wordsOf = async (page, code) => (await load(`${page}/words/${code}.js`)).words;
const languages = readdirSync(new URL('guest/words/', WWW)).map((name) => name.replace('.js', ''));

/* Every text with its name: "s.EXPIRED" is in a group. */
function flat(words, prefix = '') {
	return Object.entries(words).flatMap(([name, text]) => {
		const grouped = typeof text === 'object' && !Array.isArray(text);
		return grouped ? flat(text, `${prefix}${name}.`) : [[prefix + name, text]];
	});
}

/* What a text is made of: its kind, what is put into it, and which of that can be read in it. */
function shapeOf(text) {
	if (Array.isArray(text)) return `${text.length} texts`;
	if (typeof text !== 'function') return typeof text;
	const marks = Array.from({ length: text.length }, (_, i) => 7001 + i);
	const said = text(...marks);
	return `(${marks.map((mark) => (said.includes(mark) ? 'said' : 'used'))})`;
}

const shapes = (words) =>
	Object.fromEntries(flat(words).map(([name, text]) => [name, shapeOf(text)]));

for (const page of [...PAGES, ...PARTS]) {
	test(`${page}: every language has the same words, made of the same things`, async () => {
		const files = readdirSync(new URL(`${page}/words/`, WWW));
		assert.deepEqual(
			files,
			languages.map((code) => `${code}.js`),
		);
		const korean = shapes(await wordsOf(page, 'ko'));
		assert.ok(Object.keys(korean).length > (PARTS.includes(page) ? 20 : 100));
		for (const code of languages) assert.deepEqual(shapes(await wordsOf(page, code)), korean, code);
	});

	test(`${page}: no word is written twice in a file`, () => {
		for (const code of languages) {
			const names = [...readFileSync(pathOf(page, code), 'utf8').matchAll(/^\t(\w+):/gm)].map(
				(m) => m[1],
			);
			assert.deepEqual(names, [...new Set(names)], code);
		}
	});

	test(`${page}: i18n.js and the page know every language that has words`, () => {
		const known = readFileSync(new URL('i18n.js', WWW), 'utf8').match(/LANGUAGES = \{([^}]*)\}/)[1];
		assert.deepEqual([...known.matchAll(/(\w+):/g)].map((m) => m[1]).sort(), [...languages].sort());
		if (page.startsWith('desk/')) return; /* no page of its own */
		const html = readFileSync(new URL(`${page}/index.html`, WWW), 'utf8');
		assert.deepEqual(
			[...html.matchAll(/data-lang="(\w+)"/g)].map((m) => m[1]).sort(),
			[...languages].sort(),
		);
	});
}

for (const page of ['guest', ...PARTS])
	test(`${page}: no Korean particle hangs on a number that may end in any sound`, () => {
		const korean = readFileSync(pathOf(page, 'ko'), 'utf8');
		/* A long day always ends in 요일. */
		const loose = /\$\{(?!day\})\w+\}(은|는|이|가|을|를|과|와|로|으로)(?![가-힣])/g;
		assert.deepEqual(korean.match(loose), null);
	});

test('every tag of the box has its words on both pages, and the pages know no other', async () => {
	const header = readFileSync(new URL('../../core/tags.h', import.meta.url), 'utf8');
	const rows = [...header.matchAll(/X\((\w+), +(\w+), +"([^"]+)", +"([^"]+)"\)/g)];
	const source = readFileSync(new URL('tags.js', WWW), 'utf8').match(/TAGS = (\{[\s\S]*?\n\});/)[1];
	const TAGS = JSON.parse(
		source
			.replace(/(\w+):/g, '"$1":')
			.replaceAll("'", '"')
			.replace(/,(\s*[\]}])/g, '$1'),
	);
	assert.ok(rows.length > 15);
	for (const [kind, tags] of Object.entries(TAGS)) {
		const of = rows.filter(([, , k]) => k === kind.toUpperCase()).map(([, word]) => word);
		assert.deepEqual(tags, of, kind);
	}
	for (const page of PAGES)
		for (const [code, at] of [
			['ko', 3],
			['en', 4],
		]) {
			const { tag, tagKind } = await wordsOf(page, code);
			assert.deepEqual(
				tag,
				Object.fromEntries(rows.map((row) => [row[1], row[at]])),
				`${page} ${code}`,
			);
			assert.deepEqual(Object.keys(tagKind), Object.keys(TAGS));
		}
});
