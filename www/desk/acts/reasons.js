/*
 * reasons.js - why a place cannot be had, as sentences, and what helps.
 *
 * Pure: no screen, no network, no language.  A sentence is the word of its text and what is filled
 * in.
 */

const WORDS = {
	TABLE_TOO_SMALL: ({ tableName, seats }) => ['why.small', tableName, seats],
	TABLE_TAKEN: ({ tableName, guestName, from, until }, at) => [
		'why.taken',
		tableName,
		guestName,
		at(from),
		at(until),
	],
	BLOCKED: ({ tableName, until, blockReason }, at) =>
		tableName
			? ['why.tableBlocked', tableName, at(until), blockReason ?? '']
			: ['why.blocked', at(until), blockReason ?? ''],
	STARTS: ({ seats }) => ['why.starts', seats],
	PRESENT: ({ seats }) => ['why.present', seats],
	NO_TABLE: () => ['why.noTable'],
};

/** at(iso): the time of day at the restaurant. */
export const sentencesOf = ({ reasons = [], takenBy = [] }, at) => [
	...takenBy.map((o) => ['why.sits', o.guestName, o.partySize, o.tableName, at(o.seatedAt)]),
	...reasons
		.filter((r) => !takenBy.some((o) => o.reservationId === r.reservationId))
		.map((r) => WORDS[r.kind](r, at)),
];

/** The one party that r could change tables with; undefined where a swap makes no sense. */
export function swapOf(r, { reasons = [], takenBy = [] }, rows) {
	const ids = new Set([...takenBy, ...reasons].map((o) => o.reservationId).filter(Boolean));
	const other = ids.size === 1 && rows.find((o) => ids.has(o.reservationId));
	if (!other || !r?.tables.length || other.slotDate !== r.slotDate) return undefined;
	return r.tables.some((id) => other.tables.includes(id)) ? undefined : other;
}

const BEYOND = ['STARTS', 'PRESENT', 'NO_TABLE', 'TABLE_TOO_SMALL'];

/** Could owner or manager let them in all the same?  Two parties at one table they could not. */
export const couldOverbook = ({ reasons = [] }) =>
	reasons.length > 0 && reasons.some(({ kind }) => BEYOND.includes(kind));
