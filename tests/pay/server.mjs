/*
 * server.mjs - the door: HTTP, keys, faults, what is remembered of each call, and the addresses by which a test looks and acts.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { deliverNew, listHooks, sendHooks } from './hooks.mjs';
import { judge, judgeAll } from './judge.mjs';
import * as portone from './portone.mjs';
import * as stripe from './stripe.mjs';
import * as toss from './toss.mjs';
import { page } from './windows.mjs';
import { addFault, makeWorld, money, Refusal, takeFault } from './world.mjs';

export const PROVIDERS = { portone, toss, stripe };
const BODY_MAX = 64 * 1024;

/* ---- bodies ---- */

async function read(req) {
	const parts = [];
	let size = 0;
	for await (const part of req) {
		size += part.length;
		if (size <= BODY_MAX) parts.push(part);
	}
	return Buffer.concat(parts).toString();
}

/* a[b][0]=c: what Stripe takes; an address' query is read in the same way. */
export function form(text) {
	const out = {};
	for (const [key, value] of new URLSearchParams(text)) {
		const steps = key.split(/[[\]]+/).filter((s, i) => s !== '' || i === 0);
		if (key.endsWith('[]')) steps.push(String(Object.keys(at(out, steps)).length));
		const last = steps.pop();
		at(out, steps)[last] = value;
	}
	return lists(out);
}

function at(out, steps) {
	let here = out;
	for (const step of steps) {
		here[step] ??= {};
		here = here[step];
	}
	return here;
}

function lists(value) {
	if (typeof value !== 'object') return value;
	const keys = Object.keys(value);
	const each = keys.map((k) => lists(value[k]));
	return keys.length && keys.every((k, i) => k === String(i)) ? each : Object.fromEntries(keys.map((k, i) => [k, each[i]]));
}

function decode(route, headers, text) {
	if (!text) return { body: {} };
	const kind = headers['content-type'] ?? '';
	/* PortOne's own SDK names none, and fetch makes it text/plain. */
	const wanted = route.form ? ['application/x-www-form-urlencoded'] : ['application/json', 'text/plain;charset=UTF-8'];
	const wrong = wanted.some((w) => kind.startsWith(w)) ? [] : [`Content-Type is ${kind}`];
	if (route.form) return { body: form(text), wrong };
	try {
		return { body: JSON.parse(text), wrong };
	} catch {
		return { body: {}, wrong: [...wrong, 'the body is no JSON'] };
	}
}

/* ---- one call of jari's ---- */

function findRoute(method, address) {
	for (const [name, provider] of Object.entries(PROVIDERS))
		for (const route of provider.routes) {
			const found = route.method === method && route.path.exec(address);
			if (found) return { name, provider, route, path: found[1] === undefined ? '' : decodeURIComponent(found[1]) };
		}
	return null;
}

/* The provider whose address it would be, for words that nobody asked for. */
const nearest = (address) => (address.startsWith('/v1/') ? (/^\/v1\/(payments|billing|transactions)\b/.test(address) ? 'toss' : 'stripe') : 'portone');

function complaints(c, headers) {
	const { provider, route, body } = c;
	const wrong = [];
	if (route.request) {
		const also = provider.mayAlso(route.call);
		wrong.push(...judge(route.request, Object.fromEntries(Object.entries(body).filter(([k]) => !also.includes(k)))));
	}
	if (route.money && !c.key) wrong.push('no Idempotency-Key where money moves');
	if (c.key && !provider.keyPattern.test(c.key)) wrong.push(`the provider takes no such Idempotency-Key: ${c.key}`);
	return [...wrong, ...provider.rules(route.call, body, headers)];
}

/* What the provider answers, by its own rules; an answer that its SDK would not know is a mistake of this server's. */
function run(c) {
	try {
		const body = c.route.run(c);
		const wrong = c.name === 'stripe' ? judgeAll(body) : c.route.answer ? judge(c.route.answer, body) : [];
		if (wrong.length) c.row.wrong.push(...wrong.map((w) => `answer of the local server: ${w}`));
		return { status: 200, body };
	} catch (e) {
		if (e instanceof Refusal) return { status: e.status, body: e.body };
		throw e;
	}
}

/* The same key again: the same answer, or a complaint; never the same work twice. */
async function once(c) {
	if (!c.key || c.method === 'GET') return run(c);
	const name = `${c.name} ${c.key}`;
	const print = `${c.method} ${c.address} ${c.text}`;
	const before = c.world.answers.get(name);
	if (before && c.world.now_s() - before.at < 86400) {
		if (before.print !== print) {
			c.row.wrong.push('this Idempotency-Key was used for something else');
			const refusal = c.provider.keyReused();
			return { status: refusal.status, body: refusal.body };
		}
		if (!before.answer) return { status: 409, body: c.provider.words(409) };
		c.row.replayed = true;
		return before.answer;
	}
	const kept = { at: c.world.now_s(), print, answer: null };
	c.world.answers.set(name, kept);
	if (c.late) await pause(c.late);
	kept.answer = run(c);
	/* What was refused at the door may be asked again with the same key. */
	if ([401, 409, 429].includes(kept.answer.status)) c.world.answers.delete(name);
	return kept.answer;
}

const PAGE = '<html><head><title>502 Bad Gateway</title></head><body>bad gateway</body></html>';

/* What is done, and what is answered: with a fault the two differ. */
async function answer(c) {
	const fault = c.fault;
	const status = Number(fault?.fault);
	const instead = status ? { status, body: c.provider.words(status, fault.code) } : fault?.fault === 'html' ? { status: 502, html: PAGE } : null;
	if (fault?.fault === 'dropped' || (instead && !fault.after)) return instead ?? { cut: 0 };
	if (fault?.fault === 'late') {
		c.late = fault.ms;
		if (!c.key) await pause(fault.ms);
	}
	const done = await once(c);
	if (fault?.fault === 'delay') await pause(fault.ms);
	if (fault?.fault === 'lost') return { ...done, cut: 0 };
	if (fault?.fault === 'cut') return { ...done, cut: 0.5 };
	return instead ?? done;
}

function send(world, res, { status, body, html, cut }, more = {}) {
	const text = html ?? JSON.stringify(body);
	if (cut === 0) return res.destroy();
	res.writeHead(status, { 'content-type': html ? 'text/html' : 'application/json', 'content-length': Buffer.byteLength(text), date: new Date(world.now_ms()).toUTCString(), ...more });
	if (cut) return res.write(text.slice(0, Math.floor(text.length * cut)), () => res.destroy());
	return res.end(text);
}

async function serveCall(world, req, res, url) {
	const text = await read(req);
	const found = findRoute(req.method, url.pathname);
	const name = found?.name ?? nearest(url.pathname);
	const row = { n: world.calls.length + 1, at: world.stamp(), provider: name, call: found?.route.call ?? 'unknown', method: req.method, path: url.pathname + url.search, id: '', key: req.headers['idempotency-key'] ?? '', body: text, status: 0, fault: '', replayed: false, wrong: [] };
	world.calls.push(row);
	if (!found) {
		row.wrong.push('there is no such address');
		const refusal = PROVIDERS[name].unknown();
		row.status = refusal.status;
		return send(world, res, refusal);
	}
	const { body, wrong = [] } = decode(found.route, req.headers, text);
	const c = { world, ...found, row, text, body, method: req.method, address: url.pathname, query: form(url.searchParams.toString()), key: row.key, base: `${world.scheme}://${req.headers.host}` };
	c.id = row.id = found.route.id ? (found.route.id(c) ?? '') : c.path;
	row.wrong.push(...wrong, ...complaints(c, req.headers));
	c.fault = takeFault(world, name, row.call, row.id);
	row.fault = c.fault?.fault ?? '';
	c.twist = { more: c.fault?.fault === 'amount' ? 1 : 0, currency: c.fault?.fault === 'currency' ? (c.fault.code ?? 'USD') : undefined };
	if (!found.provider.authorised(req.headers)) {
		const refusal = found.provider.unauthorised();
		row.status = refusal.status;
		return send(world, res, refusal);
	}
	const since = world.events.length;
	const out = await answer(c);
	row.status = out.cut === undefined ? out.status : 0;
	await deliverNew(world, since, 'first', row.fault === 'twice');
	send(world, res, out, row.replayed ? { 'idempotent-replayed': 'true' } : {});
	return deliverNew(world, since, 'now', row.fault === 'twice');
}

/* ---- control ---- */

function calls(world, query) {
	const rows = world.calls.filter((r) => ['provider', 'call', 'id'].every((k) => !query[k] || r[k] === query[k]));
	return { count: rows.length, replayed: rows.filter((r) => r.replayed).length, wrong: rows.filter((r) => r.wrong.length).length, calls: rows };
}

function address({ to, query }) {
	const url = new URL(to);
	for (const [k, v] of Object.entries(query)) if (v !== undefined && v !== null) url.searchParams.set(k, String(v));
	return url.href;
}

/* The guest's part, by a page of windows.mjs or by a test: where the browser is sent. */
export async function guest(world, wish) {
	const since = world.events.length;
	const to = address(PROVIDERS[wish.provider ?? 'stripe'].redirect(world, wish));
	await deliverNew(world, since, 'first');
	await deliverNew(world, since, 'now');
	return to;
}

const CONTROL = {
	'GET ready': () => ({ ready: true }),
	'GET calls': calls,
	'GET money': money,
	'GET effects': (world) => ({ effects: world.effects }),
	'GET hooks': listHooks,
	'POST guest': async (world, _, body) => ({ redirect: await guest(world, body.session ? { provider: 'stripe', ...body } : body) }),
	'POST set': (world, _, body) => Object.assign(world.settings, body),
	'POST faults': (world, _, body) => { for (const f of [body].flat()) addFault(world, f); return {}; },
	'DELETE faults': (world) => { world.faults = []; return {}; },
	'POST clock': (world, _, body) => { world.shift_s = body.shift_s; return { now: world.stamp() }; },
	'POST hooks': (world, _, body) => { world.hooks = { send: 'now', ...body }; return {}; },
	'POST hooks/send': (world, _, body) => sendHooks(world, body),
	'POST console': async (world, _, body) => {
		const since = world.events.length;
		PROVIDERS[body.provider].console_(world, body);
		await deliverNew(world, since, 'now');
		await deliverNew(world, since, 'first');
		return {};
	},
	'POST reset': (world) => { world.reset(); return {}; },
};

async function serveControl(world, req, res, url) {
	const text = await read(req);
	const act = CONTROL[`${req.method} ${url.pathname.slice('/control/'.length)}`];
	try {
		if (!act) throw new Refusal(404, { error: 'no such control address' });
		send(world, res, { status: 200, body: (await act(world, Object.fromEntries(url.searchParams), text ? JSON.parse(text) : {})) ?? {} });
	} catch (e) {
		send(world, res, { status: e instanceof Refusal ? e.status : 400, body: e instanceof Refusal ? e.body : { error: e.message } });
	}
}

async function serve(world, req, res) {
	const url = new URL(req.url, 'http://provider');
	if (url.pathname.startsWith('/control/')) return serveControl(world, req, res, url);
	if (url.pathname.startsWith('/v2/') || url.pathname.startsWith('/window/')) return page(world, req, res, url, await read(req));
	return serveCall(world, req, res, url);
}

/* A server of its own, on this port or a free one: { url, port, world, ask(method, address, body), close() }. */
export async function openProviders({ port = 0, cert = process.env.PAY_CERT, key = process.env.PAY_KEY } = {}) {
	const world = makeWorld();
	world.scheme = cert ? 'https' : 'http';
	const heard = (req, res) => serve(world, req, res).catch((e) => {
		console.error(e);
		world.calls.push({ n: 0, provider: '', call: 'broken', id: '', wrong: [`the local server broke: ${e.message}`] });
		res.destroy();
	});
	const server = cert ? createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) }, heard) : createServer(heard);
	server.keepAliveTimeout = 60_000;
	await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
	const url = `${world.scheme}://127.0.0.1:${server.address().port}`;
	return {
		url, port: server.address().port, world,
		ask: async (method, path, body) => (await fetch(url + path, { method, body: body && JSON.stringify(body) })).json(),
		close: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }),
	};
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
	const { url } = await openProviders({ port: Number(process.env.PAY_PORT ?? 0) });
	console.log(`pay: ${url}`);
	for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
}
