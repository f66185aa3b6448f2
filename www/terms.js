/*
 * terms.js - what a party pays, and what it gets back: pure questions about the restaurant's
 * policies.
 */
import { addDays, asDate, clockTime, minutesOf, timeOf } from './dates.js';

/* What a guest of a party of this size pays ahead. */
export const depositEach = (p, party) =>
	party >= p.depositLargeFrom ? p.depositLargePerPerson : p.depositPerPerson;

/* What a party pays ahead, by the restaurant's policies or by what the owner is typing.  A service
 * may ask for another sum, and a guest who did not come before for one at all. */
export const depositOf = (p, party) =>
	p.depositFrom > 0 && party >= p.depositFrom ? party * depositEach(p, party) : 0;

/* The refund rules that a reservation of this size would be made under. */
export const policyOf = (p, party) => ({
	dayBeforePct: p.refundDayBeforePct,
	sameDayPct: p.refundSameDayPct,
	cutoffMinutes: p.refundCutoffMinutes,
	latePct: party >= p.refundLargeFrom ? p.refundLateLargePct : p.refundLatePct,
});

/* The rule that counts now for a slot.  clock: { today, minutes } at the restaurant. */
function ruleNow(policy, date, time, clock) {
	const starts = minutesOf(time);
	const cutoff = starts - policy.cutoffMinutes;
	const past =
		(asDate(clock.today) - asDate(date)) / 60000; /* its evening may last past midnight */
	const minutes = clock.minutes + past;
	if (past < 0) return 'dayBefore';
	if (minutes >= starts) return 'after';
	return cutoff > 0 && minutes <= cutoff ? 'sameDay' : 'late';
}

/*
 * The refund rules of one slot, in the restaurant's own time and in their order, from the one that
 * counts now on: which rule it is, until which day or time, how many percent come back, and whether
 * it is that one.
 */
export function refundRules(policy, date, time, clock) {
	const cutoff = minutesOf(time) - policy.cutoffMinutes;
	const now = ruleNow(policy, date, time, clock);
	const rules = [
		{ rule: 'dayBefore', until: addDays(date, -1), pct: policy.dayBeforePct },
		cutoff > 0 && { rule: 'sameDay', until: clockTime(timeOf(cutoff)), pct: policy.sameDayPct },
		{ rule: 'late', until: clockTime(time), pct: policy.latePct },
		{ rule: 'after', until: null, pct: 0 },
	];
	const all = rules.filter(Boolean).map((row) => ({ ...row, now: row.rule === now }));
	return all.slice(all.findIndex((row) => row.now));
}
