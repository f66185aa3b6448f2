/*
 * fold.js - what this device has not seen yet of what guests did.
 *
 * Pure: no screen, no network, no language.  seen: { mark, marks }: all news up to `mark`, and
 * those after it that were opened one by one.
 */

/** The word of what came last: a booking that waits for its money is another thing. */
export function wordOf(n) {
	if (n.act !== 'BOOKED') return n.act;
	if (n.status === 'TEMPORARY') return 'HELD';
	return n.status === 'EXPIRED' ? 'LAPSED' : 'BOOKED';
}

/**
 * One for each reservation, the newest first, with what came last of it and all its marks.  One
 * that was booked and changed since is a new booking; one that was given up again is that.
 */
export function unseenOf(news, seen) {
	const folded = new Map();
	for (const n of news) {
		if (n.mark <= seen.mark || seen.marks.includes(n.mark)) continue;
		const known = folded.get(n.reservationId);
		if (!known) folded.set(n.reservationId, { ...n, marks: [n.mark] });
		else {
			known.marks.push(n.mark);
			if (n.act === 'BOOKED' && ['CHANGED', 'ASKED'].includes(known.act)) known.act = n.act;
		}
	}
	return [...folded.values()];
}

/** What is seen after this one was opened. */
export const afterOne = (seen, one) => ({ ...seen, marks: [...seen.marks, ...one.marks] });

/**
 * What is seen once nothing is left: all, up to the newest row of the book.  A backup that was
 * restored has fewer rows: then what was seen of the other book is no measure.
 */
export const afterAll = (mark) => ({ mark, marks: [] });
export const isOfAnotherBook = (seen, mark) => !seen || seen.mark > mark;
