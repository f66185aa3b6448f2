/*
 * hooks.mjs - events: signed by the provider's own SDK, sent, sent twice, late, in another order, spoilt.
 */
import { request } from 'node:http';
import { needs } from './judge.mjs';
import { HOOK } from './stripe.mjs';

const Stripe = needs('stripe');
const { Webhook } = needs('standardwebhooks');
const stripe = new Stripe('sk_test_jari');

export const PORTONE_HOOK = 'whsec_amFyaS1wb3J0b25lLXdlYmhvb2stc2VjcmV0';
const WRONG_HOOK = 'whsec_YW5vdGhlci1zZWNyZXQtdGhhbi10aGUtcmlnaHQ=';
const MINUTES_10 = 600;

function sign(event, payload, at_s, key) {
	if (event.provider === 'portone') return { 'webhook-id': event.id, 'webhook-timestamp': String(at_s), 'webhook-signature': new Webhook(key ?? PORTONE_HOOK).sign(event.id, new Date(at_s * 1000), payload) };
	if (event.provider === 'stripe') return { 'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload, secret: key ?? HOOK, timestamp: at_s }) };
	return { 'tosspayments-webhook-transmission-id': event.id, 'tosspayments-webhook-transmission-time': new Date(at_s * 1000).toISOString(), 'tosspayments-webhook-transmission-retried-count': String(event.sent) };
}

const SIGNATURE = { portone: 'webhook-signature', stripe: 'stripe-signature', toss: 'tosspayments-webhook-transmission-id' };
const changed = (text) => text.replace(/[0-9](?=[^0-9]*$)/, (d) => String((Number(d) + 1) % 10));

/* Headers and body of one sending, as bad as is wished. */
function letter(world, event, bad) {
	const at_s = world.now_s() + ({ old: -MINUTES_10, future: MINUTES_10 }[bad] ?? 0);
	const body = structuredClone(event.body);
	if (bad === 'type') body[event.provider === 'toss' ? 'eventType' : 'type'] = 'Something.New';
	const payload = JSON.stringify(body);
	const headers = { 'content-type': 'application/json', ...sign(event, payload, at_s, bad === 'secret' ? WRONG_HOOK : undefined) };
	const name = SIGNATURE[event.provider];
	/* Not the last letter: some of its bits mean nothing in base64. */
	if (bad === 'signature') headers[name] = headers[name].replace(/.(?=.{8}$)/, (c) => (c === '0' ? '1' : '0'));
	if (bad === 'unsigned') delete headers[name];
	if (bad === 'doubled') headers[name] = [headers[name], headers[name]];
	return { headers, payload: bad === 'body' ? changed(payload) : payload };
}

function post(url, headers, payload) {
	return new Promise((resolve) => {
		const asked = request(url, { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(payload) }, agent: false }, (answer) => {
			answer.resume();
			answer.on('end', () => resolve(answer.statusCode));
		});
		asked.on('error', () => resolve(0));
		asked.setTimeout(10_000, () => asked.destroy());
		asked.end(payload);
	});
}

/* Sends one, and resolves to how it went; where nobody wants the events of a provider, to null. */
export async function deliver(world, event, bad = world.hooks.bad) {
	const url = world.hooks[event.provider];
	if (!url) return null;
	const { headers, payload } = letter(world, event, bad);
	event.sent++;
	const begun = performance.now();
	const status = await post(url, headers, payload);
	const row = { n: world.deliveries.length + 1, event: event.n, status, ms: Math.round(performance.now() - begun) };
	world.deliveries.push(row);
	return row;
}

/* What a call has caused, as the world has it: first, before it is answered; now, after.  twice: both are sent again. */
export async function deliverNew(world, since, when, twice) {
	if (world.hooks.send !== when) return;
	for (const event of world.events.slice(since)) {
		if (event.sent === 0) await deliver(world, event);
		if (twice) await deliver(world, event);
	}
}

/* POST /control/hooks/send */
export async function sendHooks(world, { order, times = 1, at_once = false, type, id, since = 0, bad } = {}) {
	let events = world.events.filter((e) => e.n > since && (!type || e.type === type) && (!id || e.payment === id));
	if (order === 'reversed') events = events.reverse();
	const all = events.flatMap((e) => Array(times).fill(e));
	const rows = [];
	if (at_once) rows.push(...(await Promise.all(all.map((e) => deliver(world, e, bad)))));
	else for (const e of all) rows.push(await deliver(world, e, bad));
	const went = rows.filter(Boolean);
	return { sent: went.length, answered: went.filter((r) => r.status).length, slowest_ms: Math.max(0, ...went.map((r) => r.ms)), statuses: went.map((r) => r.status) };
}

export const listHooks = (world) => ({ events: world.events.map(({ n, id, type, provider, payment, body }) => ({ n, id, type, provider, payment, body })), deliveries: world.deliveries });
