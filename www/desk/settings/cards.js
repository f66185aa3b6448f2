/*
 * cards.js - the cards of the settings: their groups, their names, the fields of each.
 *
 * Pure: no screen, no network.
 */
import { GROUPS } from '../owner.js';

/** The menu, in the owner's words: groups, and the cards of each. */
export const MENU = [
	{ group: 'house', cards: ['facts', 'place', 'card', 'privacy'] },
	{ group: 'opening', cards: ['hours', 'special', 'openings', 'pause'] },
	{ group: 'booking', cards: ['times', 'booking', 'waitlist'] },
	{ group: 'money', cards: ['deposit', 'refund', 'payments', 'paid'] },
	{ group: 'tables', cards: ['tables'] },
	{ group: 'menu', cards: ['menu'] },
	{ group: 'messages', cards: ['messages', 'mail', 'sent'] },
	{ group: 'staff', cards: ['staff'] },
	{ group: 'box', cards: ['box', 'history'] },
];

/* What a card asks of the box; who may not ask does not see it.  The others change settings. */
const NEEDS = {
	card: 'GET /api/desk/house',
	hours: 'PUT /api/desk/hours',
	special: 'PUT /api/desk/special-days',
	openings: 'PUT /api/desk/openings',
	tables: 'PUT /api/desk/tables',
	menu: 'PUT /api/desk/menu',
	mail: 'PUT /api/desk/mail',
	sent: 'GET /api/desk/house',
	payments: 'PUT /api/desk/payments/settings',
	paid: 'GET /api/desk/payments',
	staff: 'POST /api/desk/staff',
	box: 'GET /api/desk/box',
	history: 'GET /api/desk/history',
};

/** The menu for a login; may(address): is it theirs to call? */
export const menuFor = (may) =>
	MENU.map(({ group, cards }) => ({
		group,
		cards: cards.filter((card) => may(NEEDS[card] ?? 'PUT /api/desk/settings')),
	})).filter(({ cards }) => cards.length);

/* Cards whose heading is not the word of their own name. */
const HEADINGS = { card: 'tableCard', sent: 'lastMessages', paid: 'paidList' };

/** The name of the word that is a card's heading. */
export const headingOf = (card) =>
	GROUPS[card] ? `groups.${card}.title` : (HEADINGS[card] ?? card);

/** The name of the word that says what a card is for, where it has one. */
export const aboutOf = (card) => (GROUPS[card] ? `groups.${card}.about` : `${card}Text`);

/* Fields that are no rules: the name of the input, and the name of its word. */
const FIELDS = {
	facts: {
		name: 'name',
		nameEn: 'nameEn',
		phone: 'phone',
		address: 'address',
		addressEn: 'addressEn',
	},
	place: {
		country: 'country',
		timezone: 'timezone',
		currency: 'currency',
		callingCode: 'callingCode',
		firstWeekday: 'firstWeekday',
		language: 'houseLanguage',
	},
	hours: { lastSeating: 'lastSeating', ownRules: 'ownRules' },
	openings: { opensAtMinute: 'openingDaily', from: 'openingMoments' },
	deposit: { paymentText: 'paymentText' },
	tables: { seatsMax: 'seatsMax', joins: 'joins', floor: 'floor' },
	menu: { price: 'settings.price', about: 'about', soldOut: 'soldOut' },
	messages: {
		notifyEmail: 'notifyEmail',
		messageText: 'messageText',
		messageTextEn: 'messageTextEn',
	},
	mail: {
		host: 'mailHost',
		port: 'mailPort',
		sender: 'mailSender',
		site: 'mailSite',
		login: 'mailLogin',
		test: 'mailTest',
	},
	staff: { email: 'addStaff' },
	box: { sessions: 'sessions' },
	special: { note: 'dayNote', depositPerPerson: 'dayDeposit' },
};

/** The fields of a card: { field, label, help }, the last two names of words. */
export function fieldsOf(card) {
	const rules = (GROUPS[card] ?? []).map((field) => ({
		field,
		label: `rules.${field}.label`,
		help: `rules.${field}.help`,
	}));
	const others = Object.entries(FIELDS[card] ?? {}).map(([field, label]) => ({ field, label }));
	return [...others, ...rules];
}

/** The group that a card is in. */
export const groupOf = (card) => MENU.find(({ cards }) => cards.includes(card))?.group;

/** What an address means: "#house/deposit/depositFrom"; a card that is none is not there. */
export function placeOf(hash, menu = MENU) {
	const [, card, field] = hash.replace(/^#/, '').split('/');
	const known = menu.some(({ cards }) => cards.includes(card));
	return known ? { card, field } : { card: undefined, field: undefined };
}
