/*
 * features.test.mjs - what the pages may use of a browser.  README promises Safari 15.4, Chrome 98 and Firefox 98; what is
 * younger than one of them is not used, or only where its absence costs nothing, which is listed here with the reason.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { clockAt, countdown, dayAt, ROOT } from './house.mjs';

/* Younger than Safari 15.4, Chrome 98 or Firefox 98. */
const TOO_NEW = {
	js: [
		/\(\?<[=!]/, /\/[a-z]*v[a-z]*\.(test|exec)\(/, /\bstatic \{/, /\bimport\.meta\.resolve\b/, /\bwith \{ type:/, /\busing \w+ =/,
		/AbortSignal\.(timeout|any)\b/, /\.requestSubmit\(/, /\bstructuredClone\(/, /\.showPicker\(/, /\.checkVisibility\(/,
		/\.(toSorted|toReversed|toSpliced|findLast|findLastIndex|isWellFormed)\(/, /\bArray\.fromAsync\b/, /\b(Object|Map)\.groupBy\b/,
		/\bPromise\.(withResolvers|try)\b/, /\bnew Set\([^)]*\)\.(union|intersection|difference)\(/, /\bURL\.(canParse|parse)\(/,
		/\bIntl\.(DurationFormat|Segmenter)\b/, /\bTemporal\./, /\bCSSStyleSheet\(/, /\.(showPopover|hidePopover|togglePopover)\(/,
		/\bstartViewTransition\(/, /\bscheduler\./, /\brequestIdleCallback\(/, /\bcrypto\.randomUUID\(/, /\bnavigator\.(share|vibrate|wakeLock|locks)\b/,
		/\.inert\b/, /\bHTMLScriptElement\.supports\b/, /'(en-CA|sv-SE)'/,
	],
	css: [
		/:has\(/, /(^|[\s{;])&/m, /@container\b/, /@layer\b/, /@scope\b/, /@starting-style\b/, /@property\b/, /color-mix\(/, /oklch\(/, /light-dark\(/,
		/\b\d+(d|s|l)v[hwib]\b/, /text-wrap:/, /\bsubgrid\b/, /anchor\(/, /field-sizing:/, /interpolate-size/, /@media[^{]*[<>]=?/, /(^|[^-])backdrop-filter:/,
	],
	html: [/\bpopover\b/, /\bimportmap\b/, /\bblocking=/, /\bloading="lazy"[^>]*iframe/],
};
/* Where a page does without them. */
const HARMLESS = [
	['www/style.css', /:has\(/, 'a margin'],
	['www/door/app.js', /\bnavigator\.(share|vibrate|wakeLock|locks)\b/, 'the page says it as well'],
	['www/desk/desk.css', /:has\(/, 'a margin'],
	['www/desk/pages.css', /field-sizing:/, 'two lines that scroll'],
	['www/style.css', /\b\d+(d|s|l)v[hwib]\b/, 'the line before says it in vh'],
	['www/style.css', /(^|[^-])backdrop-filter:/, 'a blur'],
];

const files = readdirSync(path.join(ROOT, 'www'), { recursive: true }).map((name) => `www/${name}`).filter((name) => /\.(js|css|html)$/.test(name));
const bare = (text) => text.replace(/\/\*[^]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

test('no page uses what the oldest browsers in README do not have', () => {
	assert.ok(files.length > 20, 'these are the pages');
	const found = files.flatMap((name) => TOO_NEW[name.split('.').pop()]
		.filter((feature) => feature.test(bare(readFileSync(path.join(ROOT, name), 'utf8'))))
		.filter((feature) => !HARMLESS.some(([where, what]) => where === name && String(what) === String(feature)))
		.map((feature) => `${name}: ${feature}`));
	assert.deepEqual(found, []);
});

test('the script for old browsers is written for them', () => {
	const source = bare(readFileSync(path.join(ROOT, 'www/old.js'), 'utf8'));
	assert.equal(source.match(/=>|`|\b(let|const|class|async|await|import|export)\b|\?\.|\?\?|\.\.\./), null);
});

test('what Safari calls by another name is said in both, and the pages reach its edges', () => {
	for (const name of files.filter((file) => file.endsWith('.css'))) {
		const css = bare(readFileSync(path.join(ROOT, name), 'utf8'));
		const both = (property) => [new RegExp(`[\\s;]${property}:`, 'g'), new RegExp(`-webkit-${property}:`, 'g')];
		for (const property of ['user-select', 'backdrop-filter']) {
			const [plain, prefixed] = both(property).map((word) => (css.match(word) ?? []).length);
			assert.equal(plain, prefixed, `${name}: ${property}`);
		}
	}
	for (const name of ['www/guest/index.html', 'www/desk/index.html'])
		assert.match(readFileSync(path.join(ROOT, name), 'utf8'), /viewport-fit=cover/);
});

test('README and the page name the same browsers', () => {
	for (const name of ['README.md', 'www/old.js']) for (const browser of ['Safari 15.4', 'Chrome 98', 'Firefox 98'])
		assert.ok(readFileSync(path.join(ROOT, name), 'utf8').includes(browser), `${name}: ${browser}`);
});

test('a day is written as year, month and day in every zone, at both ends of it', () => {
	assert.equal(dayAt('2026-12-31T14:59:59Z', 'Asia/Seoul'), '2026-12-31');
	assert.equal(dayAt('2026-12-31T15:00:00Z', 'Asia/Seoul'), '2027-01-01');
	assert.equal(clockAt('2026-12-31T15:00:00Z', 'Asia/Seoul'), '00:00');
	assert.equal(clockAt('2026-03-29T01:00:00Z', 'Europe/Berlin'), '03:00');
});

test('a countdown of hours is written with hours', () => {
	assert.deepEqual([0, 59, 416, 3599, 3600, 12416].map(countdown), ['0:00', '0:59', '6:56', '59:59', '1:00:00', '3:26:56']);
	assert.equal(countdown(-5), '0:00');
});
