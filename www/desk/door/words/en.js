/*
 * en.js - the door list at the desk, in English.
 */
export const words = {
	title: 'Door list',
	close: 'Close the door list',
	empty: 'Nobody is waiting at the door.',
	join: 'Put a party on the list: how many are they?',
	joinMore: 'Name, number (optional)',
	add: 'Put on the list',
	full: (n) => `${n} parties wait; the list is full.`,
	nobodyYet: 'You can seat them right away.',

	now: 'now',
	range: (low, high) => `${low}–${high} min`,
	least: (low) => `${low} min or more; perhaps not tonight`,
	never: 'no table seats so many',
	wait: 'Wait from now',
	waits: (minutes) => `waiting ${minutes} min`,
	quoted: (low, high) => `were told ${low}–${high} min`,
	party: (n) => (n === 1 ? '1 person' : `${n} people`),
	passed: (n) => `out of turn, before ${n} who came earlier`,
	overtaken: (n) => (n === 1 ? '1 later party went first' : `${n} later parties went first`),

	called: (time) => `called at ${time}`,
	callOut: 'Call out: no message was sent.',
	message: {
		QUEUED: 'The message is on its way.',
		SENT: 'Told by message.',
		FAILED: 'The message failed: call out.',
		SKIPPED: 'The message was not sent: call out.',
	},

	call: 'Table is ready',
	callAgain: 'Call again',
	seat: 'Seat',
	change: 'Change',
	saveChange: 'Save',
	leave: 'They leave',
	noShow: 'Did not come',
	undo: 'Undo',
	qr: 'Show their page',
	qrAbout:
		'They scan this with their phone: it shows their place and the wait, ' +
		'says when the table is ready, and lets them leave the list.',
	more: 'More',
	seatTitle: (party) => `Seat ${party}`,

	ended: 'Left the list tonight',
	did: {
		SEATED: (time) => `seated at ${time}`,
		LEFT: (time) => `left at ${time}`,
		NO_SHOW: (time) => `did not come, ${time}`,
		byGuest: 'by their phone',
	},
};
