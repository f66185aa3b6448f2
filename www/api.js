/*
 * api.js - the one place that speaks HTTP: asks, waits, and turns every failure into an ApiError.
 */

/* Every word that a JSON error can carry; core/err.h is the source and a test compares. */
export const ERROR_WORDS = [
	'BAD_REQUEST', 'BAD_JSON', 'BAD_TEXT', 'DUPLICATE_KEY', 'MISSING_FIELD', 'UNKNOWN_FIELD',
	'WRONG_TYPE', 'OUT_OF_RANGE', 'TOO_LONG', 'BAD_DATE', 'BAD_TIME', 'BAD_NAME', 'BAD_PHONE',
	'BAD_EMAIL', 'NO_SUCH_TIME', 'CLOSED_DAY', 'PAST', 'TOO_SOON', 'TOO_FAR', 'PARTY_SIZE', 'PAUSED',
	'NO_SUCH_MENU', 'UNAUTHORIZED', 'LOGIN_FAILED', 'FORBIDDEN', 'CROSS_SITE', 'NOT_FOUND',
	'NO_SUCH_RESTAURANT', 'NO_SUCH_RESERVATION', 'NO_SUCH_TICKET', 'METHOD_NOT_ALLOWED', 'TOO_LARGE',
	'WRONG_MEDIA_TYPE', 'DUPLICATE', 'IN_PROGRESS', 'SLOT_FULL', 'AMOUNT_CHANGED', 'KEY_REUSED',
	'BAD_MOVE', 'WRONG_TABLE', 'LEFT_LINE', 'ABANDONED', 'WAITING', 'RATE_LIMITED', 'LINE_FULL',
	'TOO_LATE', 'BOOK_BUSY', 'BOOK_UNWRITABLE', 'BOOK_DAMAGED', 'BOOK_FOREIGN', 'BOOK_NEWER',
	'UNKNOWN', 'NO_MEMORY', 'INTERNAL', 'NEVER_DELETED',
];

/* code is one of ERROR_WORDS, or 'LOST' when no answer came at all.  message is for people. */
export class ApiError extends Error {
	constructor(code, status, message, body = {}) {
		super(message);
		Object.assign(this, { code, status, body });
	}

	/* Nothing is wrong with the request: the same one may well succeed later. */
	get passing() {
		return this.code === 'LOST' || this.status === 429 || this.status >= 500;
	}
}

const TIMEOUT_MS = 35000; /* longer than nginx waits, so that its answer is the one we show */

/* Asks the API and returns the parsed answer.  query: an object; body: sent as JSON; lang: 'ko' or 'en'. */
export async function call(method, path, { query, body, lang } = {}) {
	const headers = { Accept: 'application/json' };
	if (lang) headers['Accept-Language'] = lang;
	if (body !== undefined) headers['Content-Type'] = 'application/json';
	let answer, parsed;
	try {
		answer = await fetch(query ? `${path}?${new URLSearchParams(query)}` : path, {
			method, headers, body: JSON.stringify(body), cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		parsed = await answer.text();
	} catch {
		throw new ApiError('LOST', 0, '');
	}
	try {
		parsed = parsed === '' ? {} : JSON.parse(parsed);
	} catch {
		parsed = answer.ok ? null : {}; /* an error page of something in between carries no word */
	}
	if (answer.ok && parsed) return parsed;
	const code = ERROR_WORDS.includes(parsed?.code) ? parsed.code : answer.status === 404 ? 'NOT_FOUND' : 'INTERNAL';
	throw new ApiError(code, answer.ok ? 502 : answer.status, parsed?.message ?? '', parsed ?? {});
}

export const get = (path, options) => call('GET', path, options);
