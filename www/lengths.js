/*
 * lengths.js - how long each text may be: the numbers of core/lengths.h, which a test compares.
 */
export const LENGTHS = {
	name: 80,
	phone: 40,
	email: 254,
	request: 300,
	note: 200,
	guestNote: 400,
	guestTag: 20,
	reason: 100,
	search: 40,
	code: 40,
	house: 80,
	housePhone: 30,
	address: 120,
	paymentText: 500,
	messageText: 300,
	dayNote: 80,
	shiftNote: 400,
	service: 40,
	dish: 80,
	description: 200,
	table: 20,
	block: 80,
	overbook: 80,
	site: 200,
	mailLogin: 254,
	mailPassword: 100,
};

/* As the box counts them: a Hangul syllable is one, an emoji is one, blanks at the ends are
 * none. */
export const lettersOf = (text) => [...text.trim()].length;
