/*
 * world.mjs - what the three providers have in common: the clock, what was paid, what was asked, what shall fail.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

/* An answer that is not a success, by the provider's own words. */
export class Refusal extends Error {
	constructor(status, body) {
		super(JSON.stringify(body));
		this.status = status;
		this.body = body;
	}
}

export const secret = (prefix, bytes = 12) => `${prefix}${randomBytes(bytes).toString('hex')}`;

const fresh = () => ({
	shift_s: 0,
	settings: { portoneTokenInRedirect: true },
	calls: [], /* what was asked, in order */
	faults: [], /* what shall fail, in order */
	effects: [], /* what moved, in order: the one truth about money */
	answers: new Map(), /* provider and idempotency key -> what was answered */
	events: [],
	deliveries: [],
	hooks: { send: 'off' },
	/* What each provider remembers, each in its own shape. */
	portone: { payments: new Map(), issues: new Map(), keys: new Map() },
	toss: { payments: new Map(), auths: new Map(), keys: new Map() },
	stripe: new Map(), /* id -> resource */
});

/* One for each server: two of them in a process share nothing. */
export function makeWorld() {
	const world = fresh();
	world.reset = () => Object.assign(world, fresh());
	world.now_ms = () => Date.now() + (Number(process.env.JARI_CLOCK_SHIFT ?? 0) + shiftOfFile() + world.shift_s) * 1000;
	world.now_s = () => Math.floor(world.now_ms() / 1000);
	world.stamp = () => new Date(world.now_ms()).toISOString();
	/* amount is in minor units; hold: this much of what was held is so no more; by: call, guest, console or clock. */
	world.effect = (provider, id, what, { amount = 0, hold = 0, currency = '', by = 'call', about = null } = {}) => {
		world.effects.push({ n: world.effects.length + 1, at: world.stamp(), provider, id, what, amount, hold, currency: currency.toUpperCase(), by, about });
	};
	world.event = (provider, type, payment, body) => {
		world.events.push({ n: world.events.length + 1, id: secret('evt_'), type, provider, payment, body, at_s: world.now_s(), sent: 0 });
	};
	return world;
}

function shiftOfFile() {
	try {
		return Number.parseInt(readFileSync(process.env.JARI_CLOCK_FILE, 'utf8'), 10) || 0;
	} catch {
		return 0;
	}
}

/* ---- money ---- */

const SIGN = { HOLD: { held: 1 }, RELEASE: {}, CHARGE: { charged: 1, charges: 0 }, RETURN: { returned: 1, returns: 0 } };

/* The sum of what moved, and a row for each payment. */
export function money(world, { provider, id, currency } = {}) {
	const rows = new Map();
	for (const e of world.effects) {
		if (!SIGN[e.what] || (provider && e.provider !== provider) || (id && e.id !== id) || (currency && e.currency !== currency.toUpperCase())) continue;
		const key = `${e.provider} ${e.id} ${e.currency}`;
		const row = rows.get(key) ?? { provider: e.provider, id: e.id, at: e.at, currency: e.currency, charged: 0, charges: 0, returned: 0, returns: 0, held: 0, about: null };
		for (const [name, sign] of Object.entries(SIGN[e.what])) row[name] += sign === 0 ? 1 : sign * e.amount;
		row.held -= e.hold;
		row.about ??= e.about;
		rows.set(key, row);
	}
	const payments = [...rows.values()];
	const sum = (name) => payments.reduce((n, p) => n + p[name], 0);
	const total = { charged: sum('charged'), charges: sum('charges'), returned: sum('returned'), returns: sum('returns') };
	return { ...total, kept: total.charged - total.returned, held: sum('held'), most: Math.max(0, ...payments.map((p) => p.charges)), payments };
}

/* ---- faults ---- */

export function addFault(world, fault) {
	world.faults.push({ times: 1, skip: 0, ...fault, left: fault.times === 0 ? Number.POSITIVE_INFINITY : (fault.times ?? 1) });
}

/* The first fault that waits for this call; those that let it go by count it. */
export function takeFault(world, provider, call, id) {
	for (const f of world.faults) {
		if (f.left <= 0 || f.provider !== provider || f.call !== call || (f.id && f.id !== id)) continue;
		if (f.skip > 0) {
			f.skip--;
			continue;
		}
		f.left--;
		return f;
	}
	return null;
}
