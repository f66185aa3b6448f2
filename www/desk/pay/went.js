/*
 * went.js - how a payment on trial went: what is said of it, and whether that is bad news.
 *
 * Pure: no screen, no network, no language.
 */
import { causeOf } from './keys.js';

export const DONE = ['REFUNDED', 'DECLINED', 'NOTHING_CHARGED'];
const SLOW_MS = 30000; /* a company that is reached makes its window in a second or two */
const UNOPENED = 'cause.unopened';

const isOver = ({ state }) => DONE.includes(state) && state !== 'REFUNDED';

/* As long as nobody has paid: what the other window told, or how long nothing came. */
function openTold({ state }, { told, waitedMs = 0, cashier }) {
	const slow = waitedMs >= SLOW_MS;
	if (told === 'notOpened' || told === 'stopped') return { names: [`tries.${told}`], bad: true };
	if (told === 'away' || (state === 'BEGIN' && slow))
		return { names: [cashier === false ? 'tryAway' : 'tries.noAnswer'], bad: true };
	const names = [`tries.${state}`, state === 'READY' && slow && 'tries.orNot'];
	return { names: names.filter(Boolean), bad: false };
}

/**
 * The names of the sentences, the company's words where they help, and whether it is bad.  told:
 * the last word of the other window; waitedMs: since the press; cashier: false where it is away.
 */
export function wentOf(last, how = {}) {
	if (!last) return { names: [], bad: false };
	if (['BEGIN', 'READY'].includes(last.state)) return openTold(last, how);
	const cause = last.words && isOver(last) ? causeOf(last.words) : null;
	if (cause === UNOPENED) return { names: [`tries.${last.state}`, cause], bad: true };
	if (last.state !== 'DECLINED' && !(last.words && isOver(last)))
		return { names: [`tries.${last.state}`], bad: false };
	return { names: ['tries.DECLINED', cause].filter(Boolean), words: last.words, bad: true };
}

/** In the list: a company that never heard of a payment has nothing to say that helps. */
export const unopened = (words) => (causeOf(words) === UNOPENED ? UNOPENED : null);
