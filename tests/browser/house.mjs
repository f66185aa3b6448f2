/*
 * house.mjs - the real appliance and a real browser, for the tests and for the pictures.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(path.join(ROOT, 'build/browser/'));
const { chromium } = require('playwright-core');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const JARI = path.resolve(ROOT, process.env.JARI_BIN ?? 'build/debug/jari');

/* The pages' own clock: dates.js needs no browser, and as data: it is a module to every node. */
const dates = readFileSync(path.join(ROOT, 'www/dates.js'), 'utf8');
export const { clockAt, countdown, dayAt } = await import(`data:text/javascript,${encodeURIComponent(dates)}`);

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1 };
export const DESKTOP = { viewport: { width: 1280, height: 800 } };

process.env.JARI_USER = 'root'; /* if these tests are, so is the appliance */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export function freePort() {
	return new Promise((resolve) => {
		const server = createServer().listen(0, '127.0.0.1', () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});
}

/* The zone where it is that hour now: what a test expects must not hang on the time of day it runs at. */
export function zoneWhereItIs(hour) {
	const west = (new Date().getUTCHours() - hour + 48) % 24;
	return west === 0 ? 'Etc/GMT' : west > 12 ? `Etc/GMT-${24 - west}` : `Etc/GMT+${west}`;
}

/* Waits until look() gives something true, and returns it. */
export async function until(look, what, ms = 15000) {
	for (const end = Date.now() + ms; Date.now() < end; await pause(50)) {
		const seen = await look();
		if (seen) return seen;
	}
	throw new Error(`never came: ${what}`);
}

/* A restaurant of its own, with its book in a new directory; named: it has nothing but that name yet; empty: no restaurant at all. */
export async function openHouse({ named, empty, www = path.join(ROOT, 'www'), env = {} } = {}) {
	const dir = mkdtempSync(path.join(tmpdir(), 'jari-browser-'));
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	if (empty) execFileSync(JARI, ['init', '--dir', dir], { cwd: ROOT, stdio: 'ignore' });
	if (named) execFileSync(JARI, ['init', '--dir', dir, '--name', named], { cwd: ROOT, stdio: 'ignore' });
	let up = null;
	const start = async () => {
		up = spawn(JARI, ['up', '--demo', '--dir', dir, '--port', String(port), '--bind', '127.0.0.1', '--workers', '8', '--www', www], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } });
		await until(() => fetch(`${url}/healthz`).then((r) => r.ok, () => false), 'the appliance');
	};
	const stop = async () => {
		const gone = new Promise((resolve) => { up.once('exit', resolve); });
		const late = setTimeout(() => up.kill('SIGKILL'), 8000);
		up.kill('SIGTERM');
		await gone;
		clearTimeout(late);
	};
	await start();

	const jari = (...args) => execFileSync(JARI, [...args, '--dir', dir], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
	const api = async (method, address, { body, token, headers = {} } = {}) => {
		const answer = await fetch(url + address, {
			method, body: body && JSON.stringify(body),
			headers: { ...(body ? { 'Content-Type': 'application/json' } : {}), ...(token ? { Authorization: `Bearer ${token}` } : {}), ...headers },
		});
		const text = await answer.text();
		return { status: answer.status, text, json: answer.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : null };
	};

	/* Every test books as the same guest; e2e_people.c tries the limits. */
	execFileSync(JARI, ['shell', '--write', '--dir', dir], { cwd: ROOT, input: 'UPDATE restaurants SET holds_per_guest = 0, upcoming_per_guest = 0;\n', stdio: ['pipe', 'ignore', 'pipe'] });
	let strangers = 0;

	return {
		dir, url, api, jari, start, stop,
		confirm: (code) => jari('confirm', code),
		sql: (text) => execFileSync(JARI, ['shell', '--write', '--dir', dir], { cwd: ROOT, input: `.mode list\n${text};\n`, stdio: ['pipe', 'pipe', 'pipe'] }).toString().trim().split('\n').pop(),
		read: (text) => execFileSync('sqlite3', ['-readonly', path.join(dir, 'jari.db'), text]).toString().trim(),
		/* No process can write for this long, or until release(); resolves when the pen is taken. */
		async holdPen(seconds) {
			const shell = spawn(JARI, ['shell', '--write', '--dir', dir], { cwd: ROOT, stdio: ['pipe', 'pipe', 'ignore'] });
			/* A shell keeps the pen while a transaction is open; .system is not buffered. */
			shell.stdin.write('BEGIN IMMEDIATE;\n.system echo held\n');
			const release = () => shell.stdin.end('.quit\n');
			const timer = setTimeout(release, seconds * 1000);
			const released = new Promise((resolve) => { shell.once('exit', resolve); });
			shell.once('exit', () => clearTimeout(timer));
			await new Promise((resolve) => { shell.stdout.once('data', resolve); });
			return { release, released };
		},
		/* A guest who is no browser books this many seats. */
		async seat(slotDate, slotTime, partySize) {
			const guest = await api('POST', '/api/guests', { body: { name: 'Somebody', phone: `010-9999-${String(++strangers).padStart(4, '0')}` } });
			return api('POST', '/api/reservations', { token: guest.json.accessToken, body: { restaurantId: 1, slotDate, slotTime, partySize, reservationType: 'RESERVATION_DEPOSIT' } });
		},
		async close() {
			await stop();
			rmSync(dir, { recursive: true, force: true });
		},
	};
}

/*
 * Chromium without its windows: the same engine, and none of what a window brings with it.  (Each page of the whole
 * Chromium has two more processes beside it, for a tab strip and a search in tabs that nobody sees.)
 */
export const openBrowser = (...args) => chromium.launch({
	executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
	args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-dev-shm-usage', ...args],
});

/* A guest with a device of their own.  page.wrong collects what should never be there. */
export async function visitor(browser, house, { locale = 'ko-KR', serviceWorkers = 'block', ...device } = PHONE) {
	const context = await browser.newContext({ locale, serviceWorkers, baseURL: house.url, ...device });
	const page = await context.newPage();
	page.setDefaultTimeout(12000);
	page.wrong = [];
	page.expected = /status of 5\d\d|ERR_INTERNET_DISCONNECTED|ERR_FAILED|Service Worker registration blocked by Playwright/; /* the browser itself notes each fault; a refusal is none */
	page.on('console', (m) => ['error', 'warning'].includes(m.type()) && !page.expected.test(m.text()) && page.wrong.push(m.text()));
	page.on('pageerror', (e) => page.wrong.push(e.stack));
	return page;
}

/* What axe finds on the screen as it is now, as text: every rule that it has, also those that it leaves out unless told. */
export async function axe(page) {
	/* What is just being faded in has no colours of its own; it may have begun while axe looked, then axe looks again. */
	const settle = () => page.evaluate(async () => {
		const moving = document.getAnimations().filter((a) => a.playState === 'running' && a.effect.getTiming().iterations === 1);
		/* A page that is not in front may be given no frames: there nothing ever finishes. */
		const long = new Promise((resolve) => { setTimeout(resolve, 2000); });
		await Promise.race([Promise.allSettled(moving.map((a) => a.finished)), long]);
		return moving.length;
	});
	if (!await page.evaluate(() => Boolean(window.axe))) await page.evaluate(AXE);
	let violations, looks = 0;
	await settle();
	/* What passed, node by node, is not asked for: it is most of what axe would write, and would have to cross to us. */
	do violations = await page.evaluate(async () => {
		const rules = Object.fromEntries(window.axe.getRules().map((rule) => [rule.ruleId, { enabled: true }]));
		return (await window.axe.run(document, { rules, resultTypes: ['violations'] })).violations;
	});
	while (violations.length && looks++ < 3 && await settle());
	return violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html} (${n.failureSummary})`).join('; ')}`).join('\n');
}

/* Shows a card of the settings, by its address. */
export async function showCard(page, card) {
	await page.evaluate((name) => { location.hash = `#house/${name}`; }, card);
	await page.waitForSelector(`.house-menu [data-card=${card}][aria-current]`, { state: 'attached' });
}

/* Fills the form of the second screen. */
export async function fillIn(page, { name = '김민지', phone = '010-1234-5678' } = {}) {
	await page.fill('#f-name', name);
	await page.fill('#f-phone', phone);
}

/* From nothing to a held table at that time of that day (or of the first open day). */
export async function hold(page, { time = '18:00', date, party, ...guest } = {}) {
	await page.goto(date ? `/?party=${party ?? 2}&date=${date}` : '/');
	await page.click(`[data-time="${time}"]`);
	await fillIn(page, guest);
	await page.click('.primary');
	await page.waitForSelector('.reservation.temporary');
	return page.textContent('.code b');
}
