/*
 * went.js - how a payment on trial went: what is said of it, and whether that is bad news.
 *
 * Pure: no screen, no network, no language.
 */
import { causeOf } from './keys.js';

export const DONE = ['REFUNDED', 'DECLINED', 'NOTHING_CHARGED'];
const SLOW_MS = 30000; /* a company that is reached makes its window in a second or two */
/* Nobody at the company said these: that its page never opened, or that we did not reach it. */
const OURS = ['cause.unopened', 'cause.noWay'];

const isOver = ({ state }) => DONE.includes(state) && state !== 'REFUNDED';

/** What is said in place of the words that were noted, as the name of a text; or null. */
export function insteadOf(words) {
	const cause = causeOf(words);
	return OURS.includes(cause) ? cause : null;
}

/* As long as nobody has paid: what the other window told, or how long nothing came. */
function openTold({ state, words }, { told, waitedMs = 0, cashier }) {
	const slow = waitedMs >= SLOW_MS;
	const instead = insteadOf(words);
	if (instead && state === 'BEGIN') return { names: [instead], bad: true };
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
	if (last.state === 'CHECKING' && how.waitedMs >= SLOW_MS)
		return { names: ['tries.CHECKING', insteadOf(last.words)].filter(Boolean), bad: false };
	const cause = last.words && isOver(last) ? causeOf(last.words) : null;
	if (OURS.includes(cause)) return { names: [`tries.${last.state}`, cause], bad: true };
	if (last.state !== 'DECLINED' && !(last.words && isOver(last)))
		return { names: [`tries.${last.state}`], bad: false };
	return { names: ['tries.DECLINED', cause].filter(Boolean), words: last.words, bad: true };
}
