/*
 * runs.js - what stands on the printed sheet of an evening: pure.
 */
import { active } from './state.js';

const BLANK_MIN = 4; /* lines for who walks in while the box is down */

const byTime = (a, b) =>
	a.slotTime.localeCompare(b.slotTime) || a.guestName.localeCompare(b.guestName);

/** Who came or is to come, by time; how many they are; who waits; how many lines are left blank. */
export function runOf({ reservations, waitlist = [] }) {
	const parties = reservations
		.filter((r) => (active(r) || r.status === 'COMPLETED') && !r.changeOf)
		.sort(byTime);
	return {
		parties,
		guests: parties.reduce((n, r) => n + r.partySize, 0),
		waits: [...waitlist].sort((a, b) => a.slotTime.localeCompare(b.slotTime) || a.rank - b.rank),
		blank: parties.length ? BLANK_MIN : 3 * BLANK_MIN,
	};
}

/** Has the party come already?  Then its box is ticked. */
export const isTicked = (r) => r.status === 'COMPLETED' || r.visitStatus !== 'PENDING';
