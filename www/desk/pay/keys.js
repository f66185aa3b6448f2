/*
 * keys.js - what the owner copies from a provider's console: which fields there are, and what is
 * wrong with a key before anybody is asked.
 *
 * Pure: no screen, no network, no language.
 */

/** The providers, and the fields of each in the order of its console; the last ones are secret. */
export const FIELDS = {
	desk: [],
	portone: ['storeId', 'channelKey', 'secret', 'webhookSecret'],
	toss: ['clientKey', 'secret'],
	stripe: ['secret', 'webhookSecret'],
};

export const SECRETS = ['secret', 'webhookSecret'];

/* How each begins, where its provider says so. */
const BEGINS = {
	portone: { storeId: /^store-/, channelKey: /^channel-key-/, webhookSecret: /^whsec_/ },
	toss: { clientKey: /^(test|live)_(ck|gck)_/, secret: /^(test|live)_(sk|gsk)_/ },
	stripe: { secret: /^(sk|rk)_(test|live)_/, webhookSecret: /^whsec_/ },
};

/* The keys that say whose they are; a webhook's secret begins alike with two of them. */
const OWN = {
	portone: /^(store-|channel-key-)/,
	toss: /^(test|live)_(ck|gck|sk|gsk)_/,
	stripe: /^(sk|rk|pk)_(test|live)_/,
};

const companyOf = (key) => Object.keys(OWN).find((name) => OWN[name].test(key)) ?? null;

/** What its company calls a field. */
export const labelOf = (provider, name) =>
	provider === 'portone' && name === 'secret' ? 'apiSecret' : name;

/** Whoever never had a company begins in test mode. */
export const beginsTest = ({ provider, hasSecret, test }) =>
	Boolean(test) || (provider === 'desk' && !hasSecret);

/* Another field's key in this one is what happens most. */
const otherOf = (provider, name, key) =>
	Object.entries(BEGINS[provider] ?? {}).find(([n, begins]) => n !== name && begins.test(key))?.[0];

const isLive = (key) => /(^|_)live_/.test(key);
const isTest = (key) => /(^|_)test_/.test(key);

/**
 * What is wrong with a key as it was typed, as [the name of a text, more]; null where nothing is
 * seen.  test: are only payments on trial wanted?
 */
export function keyTrouble(provider, name, typed, test) {
	const key = typed.trim();
	if (!key) return null;
	if (/\s/.test(key)) return ['wrong.blank'];
	const other = otherOf(provider, name, key);
	const begins = BEGINS[provider]?.[name];
	const company = companyOf(key);
	if (other) return ['wrong.other', labelOf(provider, other)];
	if (company && company !== provider) return ['wrong.company', `names.${company}`];
	if (name === 'secret' && /^pk_/.test(key)) return ['wrong.public'];
	if (begins && !begins.test(key)) return ['wrong.begin'];
	if (test && isLive(key)) return ['wrong.live'];
	if (!test && isTest(key)) return ['wrong.test'];
	return null;
}

/** Currencies that a provider takes at all; null: whatever the house has. */
const CURRENCIES = { portone: ['KRW', 'USD', 'JPY'], toss: ['KRW'], stripe: null };

export const takesCurrency = (provider, currency) =>
	CURRENCIES[provider]?.includes(currency) ?? true;

/* What the box or a provider said to a payment on trial, as the name of a text. */
const CAUSES = [
	[/resolve host|(failed|could ?n.t|could not) (to )?connect|timed out/i, 'cause.noWay'],
	[/connection (was )?(refused|reset)/i, 'cause.noWay'],
	[/payment_not_found|not_found_payment/i, 'cause.unopened'],
	[/unauthori[sz]ed|401|invalid api key|authentication/i, 'cause.secret'],
	[/forbidden|403/i, 'cause.right'],
	[/channel/i, 'cause.channel'],
	[/store/i, 'cause.store'],
	[/session|expired/i, 'cause.late'],
];

export const causeOf = (words) => CAUSES.find(([said]) => said.test(words ?? ''))?.[1] ?? null;
