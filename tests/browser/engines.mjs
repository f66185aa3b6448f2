/*
 * engines.mjs - Firefox and WebKit, driven alike: Firefox by WebDriver BiDi, WebKit by WebDriver on a
 * screen of its own.
 *
 * An engine opens devices; each has storage and cookies of its own and can do what a person does:
 * open, reload, click, type.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, ROOT, until } from './house.mjs';

const require = createRequire(path.join(ROOT, 'build/browser/'));
const PATIENCE_MS = 30000;

/* Both want a home of their own, also where this user's cannot be written, and no sandbox: the pages
 * are ours. */
function newHome(zone) {
	const home = mkdtempSync(path.join(tmpdir(), 'jari-engine-'));
	const env = {
		PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, TMPDIR: home,
		LANG: 'C.UTF-8', TZ: zone,
		GSETTINGS_BACKEND: 'memory', NO_AT_BRIDGE: '1', LIBGL_ALWAYS_SOFTWARE: '1',
		MOZ_DISABLE_CONTENT_SANDBOX: '1', WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
	};
	const how = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 };
	return { env, remove: () => rmSync(home, how) };
}

/* What can be read of a page, by whichever engine: run() calls a function in it. */
const sees = (selector, text) => [...document.querySelectorAll(selector)]
	.some((node) => node.getClientRects().length > 0 && node.innerText.includes(text));
const reads = (selector) => document.querySelector(selector)?.innerText ?? '';
const isFree = (selector) => {
	const node = document.querySelector(selector);
	if (!node || node.disabled || document.querySelector('main').inert) return false;
	node.scrollIntoView({ block: 'center' });
	const { left, top, width, height } = node.getBoundingClientRect();
	const reached = node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
	return reached && `${left} ${top} ${width} ${height}`;
};

/* Lists are drawn anew while one reaches for them: like a person, a device tries again. */
const device = (driver) => {
	const atLast = (look, what) => until(() => look().catch(() => false), what, PATIENCE_MS);
	return {
		...driver,
		text: (selector) => driver.run(reads, selector),
		wait: (selector, text = '') => atLast(() => driver.run(sees, selector, text), `${selector} ${text}`),
		/* A dialog that still rises is pressed beside what it shows: it has to lie still from one look to the next. */
		click(selector) {
			let lay = false;
			return atLast(async () => {
				const lies = await driver.run(isFree, selector);
				if (!lies || lies !== lay) return lay = lies, false;
				await driver.click(selector);
				return true;
			}, `to press ${selector}`);
		},
		/* Where a list is drawn anew between finger down and finger up, the tap is lost: another one. */
		async clickTo(selector, next) {
			const there = () => driver.run(sees, next, '').catch(() => false);
			for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
				if (await driver.run(isFree, selector).catch(() => false)) await driver.click(selector).catch(() => {});
				if (await until(there, next, 5000).catch(() => false)) return;
			}
			throw new Error(`never came: ${next}`);
		},
		async type(selector, text) {
			await atLast(() => driver.run(isFree, selector), selector);
			await driver.type(selector, text);
		},
	};
};

/* ---- Firefox ---- */

async function firefoxDevice(browser, { width, height }) {
	const context = await browser.createBrowserContext();
	const page = await context.newPage({ type: 'window' }); /* a tab behind another would sleep */
	const wrong = [];
	page.on('pageerror', (error) => wrong.push(error.stack));
	/* With the size goes a turn of the screen, which an older Firefox does not know. */
	await page.setViewport({ width, height }).catch(() => {});
	await until(() => page.evaluate((w) => innerWidth === w, width), `${width} pixels`, PATIENCE_MS);
	return device({
		wrong,
		open: (url) => page.goto(url),
		reload: () => page.reload(),
		run: (work, ...args) => page.evaluate(work, ...args),
		click: (selector) => page.click(selector),
		type: (selector, text) => page.type(selector, text),
	});
}

export async function openFirefox({ zone }) {
	const { default: puppeteer } = await import(require.resolve('puppeteer-core'));
	const home = newHome(zone);
	const browser = await puppeteer.launch({
		browser: 'firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr', headless: true,
		defaultViewport: null, env: home.env, userDataDir: path.join(home.env.HOME, 'profile'), timeout: 60000,
	});
	return {
		device: (size) => firefoxDevice(browser, size),
		async close() { await browser.close(); home.remove(); },
	};
}

/* ---- WebKit ---- */

/* Ends a process and those that it started: it leads a group of its own. */
function end(child) {
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch { /* gone already */ }
}

/* A screen without a monitor; the server itself chooses a number that is free. */
async function openScreen(env) {
	const args = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
	const stdio = ['ignore', 'ignore', 'ignore', 'pipe'];
	const server = spawn('Xvfb', args, { env, detached: true, stdio });
	let number = '';
	server.stdio[3].on('data', (bytes) => { number += bytes; });
	await until(() => number.endsWith('\n'), 'a screen', PATIENCE_MS);
	return { server, display: `:${number.trim()}` };
}

async function ask(url, method, body) {
	const answer = await fetch(url, { method, body: body && JSON.stringify(body) });
	const { value } = await answer.json();
	if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
	return value;
}

/* Each device is a browser with a driver of its own: a driver has one session. */
async function webkitDevice(env, drivers, { width, height }) {
	const port = await freePort();
	drivers.push(spawn('WebKitWebDriver', [`--port=${port}`], { env, detached: true, stdio: 'ignore' }));
	const base = `http://127.0.0.1:${port}`;
	const ready = () => ask(`${base}/status`, 'GET').then((s) => s.ready, () => false);
	await until(ready, 'the driver', PATIENCE_MS);
	const { sessionId } = await ask(`${base}/session`, 'POST', { capabilities: {} });
	const say = (address, body = {}) => ask(`${base}/session/${sessionId}/${address}`, 'POST', body);
	const find = async (value) => Object.values(await say('element', { using: 'css selector', value }))[0];
	await say('window/rect', { x: 0, y: 0, width, height });
	return device({
		wrong: [],
		open: (url) => say('url', { url }),
		reload: () => say('refresh'),
		run: (work, ...args) => say('execute/sync', { script: `return (${work}).apply(null, arguments)`, args }),
		click: async (selector) => say(`element/${await find(selector)}/click`),
		type: async (selector, text) => say(`element/${await find(selector)}/value`, { text }),
	});
}

export async function openWebKit({ zone }) {
	const home = newHome(zone);
	const { server, display } = await openScreen(home.env);
	const drivers = [];
	return {
		device: (size) => webkitDevice({ ...home.env, DISPLAY: display }, drivers, size),
		async close() {
			for (const child of [...drivers, server]) end(child);
			home.remove();
		},
	};
}

