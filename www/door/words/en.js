/*
 * en.js - the page of a party at the door, in English.
 */
export const words = {
	language: 'Language',
	close: 'No, keep my place',
	title: {
		WAITING: 'You are on the list',
		CALLED: 'Your table is ready',
		SEATED: 'You are seated',
		LEFT: 'You have left the list',
		NO_SHOW: 'You were called',
		CLOSED: 'The evening is over',
	},
	place: (n) => `No. ${n}`,
	ahead: (n) => (n === 1 ? 'One party is ahead of you.' : `${n} parties are ahead of you.`),
	next: 'You are next.',
	wait: 'About how long from now',
	range: (low, high) => `${low}–${high} min`,
	soon: 'in a moment',
	least: (low) => `${low} min or more; perhaps not tonight`,
	unsure: 'please ask the staff',
	party: 'Party',
	people: (n) => (n === 1 ? '1 person' : `${n} people`),
	keepOpen: 'Keep this page: it says when your table is ready.',
	comeIn: 'Please come in and see our staff.',
	within: (minutes) => `We keep it for ${minutes} minutes.`,
	over: {
		SEATED: 'Enjoy your meal.',
		LEFT: 'If that was a mistake, our staff can give you your place back.',
		NO_SHOW: 'Your table went to the next party. Please see our staff.',
		CLOSED: 'We are sorry that we could not seat you tonight.',
	},
	leave: 'Leave the list',
	leaveTitle: 'Leave the list?',
	leaveText: 'Your place goes to the next party.',
	lost: 'No connection. This is what we last knew; we keep trying.',
	broken: 'Something went wrong. Please ask the staff.',
};
