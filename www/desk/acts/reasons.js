/*
 * reasons.js - why a place cannot be had, as sentences, and what helps.
 *
 * Pure: no screen, no network, no language.  A sentence is the word of its text and what is filled
 * in.
 */

import { minutesOf } from '../../dates.js';

const DAY_MIN = 24 * 60;

/** The box takes no shorter stay. */
export const SHORTEST_MIN = 5;

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

/* A single table says how many it seats; of joined ones only the box knows. */
const isLargeEnough = (ids, tables, party) =>
	ids.length !== 1 || !(tables.find((o) => o.tableId === ids[0])?.seatsMax < party);

/** Could these two change tables, as far as can be told without asking the box? */
export const couldSwap = (r, other, tables) =>
	r.tables.length > 0 &&
	other.tables.length > 0 &&
	!r.tables.some((id) => other.tables.includes(id)) &&
	isLargeEnough(r.tables, tables, other.partySize) &&
	isLargeEnough(other.tables, tables, r.partySize);

/** The one party that r could change tables with; undefined where a swap makes no sense. */
export function swapOf(r, { reasons = [], takenBy = [] }, day) {
	const ids = new Set([...takenBy, ...reasons].map((o) => o.reservationId).filter(Boolean));
	const other = ids.size === 1 && day?.reservations.find((o) => ids.has(o.reservationId));
	if (!other || !r || other.slotDate !== r.slotDate) return undefined;
	return couldSwap(r, other, day.tables) ? other : undefined;
}

/** How many minutes are left at that time of day until the other; none once it has passed. */
export function minutesLeft(time, until) {
	const left = (minutesOf(until) - minutesOf(time) + DAY_MIN) % DAY_MIN;
	return left < DAY_MIN / 2 ? left : 0;
}

const BEYOND = ['STARTS', 'PRESENT', 'NO_TABLE', 'TABLE_TOO_SMALL'];

/** Could owner or manager let them in all the same?  Two parties at one table they could not. */
export const couldOverbook = ({ reasons = [] }) =>
	reasons.length > 0 && reasons.some(({ kind }) => BEYOND.includes(kind));
