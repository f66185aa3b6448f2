/*
 * pace.js - how long a wait is, and how often to ask: pure questions about a place in the line, and
 * about the moment before there is one.
 */
const NEAR = 3; /* this near the front we look more often */
const LATE_MS = 8000;
const QUESTION_MS = 60000; /* a page that waits for a day to open asks this often at most ... */
const QUIET_MS = 10000; /* ... and not at all in the end: it knows the time */

/* May a page ask that waits for a moment, this long after its last question? */
export const mayAsk = (leftMs, sinceMs) => leftMs > QUIET_MS && sinceMs >= QUESTION_MS;

/* How long until the next look.  The 60 s after which a ticket is given up are far away. */
export function pollDelay(position, chance) {
	const [low, high] = position <= NEAR ? [900, 1600] : [2000, 4000];
	return low + chance * (high - low);
}

/* How long until the next try after a failure that may pass: longer each time, and as long as was
 * asked for. */
export function retryDelay(tries, retryAfterS, chance) {
	const patience = Math.min(15000, 1000 * 1.6 ** Math.min(tries, 6));
	return Math.max(retryAfterS * 1000, patience) + chance * 700;
}

/*
 * An honest range from one number, as { name, from, to } of a text; after the time is over we say
 * that we do not know.
 */
export function etaOf(etaSeconds, waitedMs, longestMs) {
	if (waitedMs > longestMs && waitedMs > LATE_MS) return { name: 'etaUnknown' };
	const low = Math.max(1, Math.round(etaSeconds * 0.7));
	const high = Math.max(low + 4, Math.round(etaSeconds * 1.6));
	if (high <= 100) return { name: 'eta', from: low, to: high };
	const minutes = Math.ceil(high / 60) + (high <= 120 ? 1 : 0);
	return { name: 'etaMin', from: Math.max(1, Math.floor(low / 60)), to: minutes };
}

/* The share of the way that lies behind us: by people, or by time where the line stands still. */
export function progressOf(view, first, waitedMs) {
	const ahead = Math.max(0, view.position - 1);
	const people = first > 1 ? 1 - ahead / first : 0;
	const seconds = waitedMs / 1000;
	const byTime = seconds / (seconds + Math.max(3, view.etaSeconds * 2));
	return Math.min(0.96, Math.max(people * 0.9, 0.9 * byTime));
}
