/*
 * api.js - the one place that speaks HTTP: asks, waits, and turns every failure into an ApiError.
 */

/* code is a word of core/err.h, or LOST or TIMEOUT when no answer came.  message is for people. */
export class ApiError extends Error {
	constructor(code, status, message, body = {}, retryAfter = 0) {
		super(message);
		Object.assign(this, { code, status, body, retryAfter });
	}

	/* Nothing is wrong with the request: the same one may well succeed in a moment. */
	get passing() {
		if (this.code === 'CLOCK_WRONG') return false; /* not before some minutes */
		return (
			this.status === 0 || this.status === 429 || this.status >= 500 || this.code === 'IN_PROGRESS'
		);
	}
}

const TIMEOUT_MS = 35000; /* longer than nginx waits, so that its answer is the one we show */

/* The restaurant's clock: how far it is ahead of this device's, and how wrong that may be. */
let clock = null;
export const serverNow = () => Date.now() + (clock?.skewMs ?? 0);

/* What is more exact counts.  What cannot be true beside it is newer: a clock was set. */
function believe(said, withinMs) {
	const skewMs = said - Date.now();
	const apart = Math.abs(skewMs - (clock?.skewMs ?? 0));
	if (!clock || withinMs <= clock.withinMs || apart > withinMs + clock.withinMs)
		clock = { skewMs, withinMs };
}

/* `serverTime` was said in the middle of the question's way there and back; `now` is exact to the
 * second; the Date header will do until one came. */
function learnClock(answer, parsed, tookMs) {
	const exact = Date.parse(parsed?.serverTime ?? '');
	const second = Date.parse(parsed?.now ?? '');
	const date = clock ? NaN : Date.parse(answer.headers.get('Date') ?? '');
	if (exact) believe(exact + tookMs / 2, tookMs / 2);
	else if (second || date) believe((second || date) + 500, 500 + tookMs);
}

/* Who asks: { token } of a login, or { manage } of one reservation. */
function headersFor({ body, bytes, who, key, tag }) {
	const headers = {
		Accept: 'application/json',
		'Jari-Page': '1' /* a refusal comes as 200 with a Jari-Status: see statusOf */,
		'Accept-Language': document.documentElement.lang || 'ko',
	};
	if (bytes) headers['Content-Type'] = 'application/octet-stream';
	else if (body !== undefined) headers['Content-Type'] = 'application/json';
	if (who?.manage) headers['X-Manage-Token'] = who.manage;
	else if (who?.token) headers.Authorization = `Bearer ${who.token}`;
	if (key) headers['Idempotency-Key'] = key;
	if (tag) headers['If-None-Match'] = tag;
	return headers;
}

/* A signal that ends a request after its time, or when the caller's own does.  AbortSignal.timeout
 * and AbortSignal.any are younger than browsers that people still book with. */
function patience(signal) {
	const both = new AbortController();
	const limit = { signal: both.signal, late: false };
	const giveUp = () => both.abort();
	const timer = setTimeout(() => {
		limit.late = true;
		giveUp();
	}, TIMEOUT_MS);
	limit.done = () => {
		clearTimeout(timer);
		signal?.removeEventListener('abort', giveUp);
	};
	signal?.addEventListener('abort', giveUp);
	if (signal?.aborted) giveUp();
	return limit;
}

async function send(method, path, options) {
	const { query, body, bytes, signal } = options;
	const url = query ? `${path}?${new URLSearchParams(query)}` : path;
	const headers = headersFor(options);
	const content = bytes ?? JSON.stringify(body); /* what throws up to here is no lost connection */
	const limit = patience(signal);
	try {
		const answer = await fetch(url, {
			method,
			headers,
			body: content,
			cache: 'no-store',
			signal: limit.signal,
		});
		return [answer, await answer.text()];
	} catch {
		throw new ApiError(limit.late ? 'TIMEOUT' : 'LOST', 0, '');
	} finally {
		limit.done();
	}
}

/* An answer as JSON, or null: an error page of something in between carries no word. */
function parse(raw) {
	if (raw === '') return {};
	try {
		return JSON.parse(raw);
	} catch {
		return null;
	}
}

/* A browser notes every 4xx in its console, in red.  A place in the line and a full time are no
 * faults, so the box says their status beside a 200. */
function statusOf(answer) {
	return Number(answer.headers.get('Jari-Status')) || answer.status;
}

function failureOf(answer, body) {
	const said = statusOf(answer);
	const code = body.code ?? (said === 404 ? 'NOT_FOUND' : 'INTERNAL');
	const status = said < 400 ? 502 : said; /* a good answer that is no JSON */
	const retryAfter = Number(answer.headers.get('Retry-After')) || 0;
	return new ApiError(code, status, body.message ?? '', body, retryAfter);
}

/*
 * Asks the API and returns the parsed answer.  query: an object; body: sent as JSON; bytes: a
 * blob, sent as it is; who: see above; key: an Idempotency-Key; signal: to give up; text: the
 * answer is no JSON; heard(headers): of any answer; tag: of the answer that is there already, to
 * get null if it is still the same (a new answer says its own in `tag`).
 */
export async function call(method, path, options = {}) {
	const begun = Date.now();
	const [answer, raw] = await send(method, path, options);
	const tookMs = Date.now() - begun;
	options.heard?.(answer.headers);
	const ok = answer.ok && statusOf(answer) < 400;
	if (ok && options.text) return raw;
	if (answer.status === 304) return null;
	const parsed = parse(raw);
	learnClock(answer, parsed, Math.max(0, tookMs));
	if (!ok || !parsed) throw failureOf(answer, parsed ?? {});
	return options.tag === undefined ? parsed : { ...parsed, tag: answer.headers.get('ETag') };
}

export const get = (path, options) => call('GET', path, options);
export const post = (path, body, options) => call('POST', path, { ...options, body });
export const put = (path, body, options) => call('PUT', path, { ...options, body });
export const patch = (path, body, options) => call('PATCH', path, { ...options, body });
