/*
 * tell.js - what the door list says of a party, as texts by name.
 *
 * Pure: no screen, no network, no language.
 */

/** The wait from now: [name of a text, its arguments]; null where there is none any more. */
export function waitOf({ status, waitHow, waitLow, waitHigh }) {
	if (status === 'CALLED') return null;
	if (waitHow === 'NEVER') return ['never'];
	if (waitHow === 'OPEN') return ['least', waitLow];
	if (waitHow !== 'RANGE') return null;
	return waitHigh === 0 ? ['now'] : ['range', waitLow, waitHigh];
}

/** Whole minutes from one instant to the other, never less than none. */
export const minutesBetween = (from, to) =>
	Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 60000));

/** Did nobody tell them but by voice? */
export const needsVoice = ({ status, message }) =>
	status === 'CALLED' && !['QUEUED', 'SENT'].includes(message);

/** What staff would do next: the first is what most would. */
export function actsOf({ status }) {
	if (status === 'WAITING') return ['call', 'seat', 'change', 'leave'];
	if (status === 'CALLED') return ['seat', 'call', 'no-show', 'leave', 'undo'];
	return ['undo'];
}

/** A line about a party that waits: the texts in their order. */
export function notesOf(party, now, at) {
	const { status, passed, overtaken, quotedHigh, quotedLow, calledAt, message } = party;
	const called = status === 'CALLED';
	return [
		['waits', minutesBetween(party.joinedAt, now)],
		quotedHigh > 0 && ['quoted', quotedLow, quotedHigh],
		called && ['called', at(calledAt)],
		called && (message ? [`message.${message}`] : ['callOut']),
		passed > 0 && ['passed', passed],
		overtaken > 0 && ['overtaken', overtaken],
	].filter(Boolean);
}
