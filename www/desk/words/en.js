/*
 * en.js - every text of the desk in English, one a line.
 */
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

function ago(hours) {
	if (hours < 1) return 'within the hour';
	if (hours < 48) return `${count(hours, 'hour', 'hours')} ago`;
	return `${Math.floor(hours / 24)} days ago`;
}

export const words = {
	skip: 'Skip to the content',
	language: 'Language',
	desk: 'Desk',
	login: 'Log in',
	email: 'E-mail',
	password: 'Password',
	lostPassword:
		'Lost your password? The owner makes a new link under Settings, Staff. ' +
		'An owner gets one at the box: jari link with the e-mail address.',
	welcome: 'Welcome. Choose your password.',
	linkUsed:
		'This link was used or has expired; ' +
		'log in with the password that you chose, or ask for a new link.',
	newPassword: 'New password (8 characters or more)',
	choose: 'Begin with this password',
	logout: 'Log out',
	retry: 'Try again',
	close: 'Close',
	save: 'Save',
	leaveTyped: 'What you typed is not saved.',
	goOn: 'Go on',
	leaveIt: 'Close without saving',
	saved: 'Saved.',
	/* which values the box takes, where the range of a number does not say it */
	taken: {
		sittingMinutes: 'It can be 0, or from 5 to 1440.',
		sittingLargeMinutes: 'It can be 0, or from 5 to 1440.',
		partyMin: 'The smallest party cannot be larger than the largest.',
		partyMax: 'The largest party cannot be smaller than the smallest.',
		callingCode: 'Korea is 82, Germany is 49.',
	},
	range: (least, most) => `It can be from ${least} to ${most}.`,
	asOf: (time) => `No connection. This is as of ${time}, and nothing can be changed now.`,
	lost: 'No connection. Please check the network.',
	broken: 'Something went wrong. Please try again in a moment.',
	notStaff: 'This is not a staff login.',
	noCookies:
		'The password is right, but this browser keeps no cookies, so you cannot stay logged in. ' +
		'Please allow cookies for this address in its settings.',

	/* the evening */
	list: 'Tonight',
	now: 'Now',
	timeline: 'Timeline',
	numbers: 'Numbers',
	house: 'Settings',
	openings: 'Openings',
	openingsText: 'From when on guests can book a day online. Staff can book before.',
	openingDaily: 'A new day opens at',
	openingDailyText: (days) =>
		`Each day at this time one more day can be booked, ${days} days ahead. 00:00 is midnight.`,
	openingMoments: 'Days that open in one moment',
	openingMomentsText:
		'For example 1 to 31 December, on 1 November at 10:00. Until then guests see a countdown and ' +
		'can fill in everything beforehand. These days open then and not earlier, whatever the rule ' +
		'above says.',
	openingFrom: 'First day',
	openingTo: 'Last day',
	openingAt: 'Opens for guests',
	addOpening: 'Add an opening',
	openingPage: 'The next opening, and how the last ones went',
	openingTitle: 'Opening',
	openingNext: (dates, when) => `Next opening: ${dates}, on ${when}`,
	openingRuns: (dates, when) => `Opened: ${dates}, at ${when}`,
	openingWatching: (n) => `about ${n} ${n === 1 ? 'device waits' : 'devices wait'}`,
	openingNone: 'No opening is planned. The owner adds one under Settings, Openings.',
	openingIn: (left) => `in ${left}`,
	openingStaff: 'Until then guests cannot book these days; you can, at the desk.',
	openingClock:
		'The clock of the box was set, or may be wrong. Until it is believed again (about ten ' +
		'minutes) no day opens by it, and guests are asked to try again. Please check date and ' +
		'time of the box.',
	openingRunning: 'Running',
	openingWent: 'How it went',
	openingWatched: 'Devices that waited',
	openingEarly: 'Pressed too early',
	openingArrived: 'Requests',
	openingBooked: 'Booked',
	openingRefused: 'Told that it is full',
	openingSoldOut: 'Sold out',
	openingAfter: (seconds) => `after ${seconds} s`,
	openingSlowest: 'Slowest answer',
	openingOrder: 'Order',
	openingKept: 'kept',
	openingBroken: (n) => `${n} out of order`,
	openingArrivals: 'Requests by second',
	today: 'Today',
	prevDay: 'Day before',
	nextDay: 'Next day',
	date: 'Date',
	walkIn: 'Walk-in',
	phoneBooking: 'Phone booking',
	search: 'Search',
	searchHint: 'Name, number or code',
	nothingFound: 'Nothing was found.',
	mistypedCode: 'If this is a reservation code, a character is wrong; please ask for it once more.',
	print: 'Print',
	printedAt: (day, time) => `Printed ${day}, ${time}`,
	sheetSum: (parties, guests) =>
		`${count(parties, 'party', 'parties')}, ${count(guests, 'guest', 'guests')}`,
	more: 'More',
	move: 'Move',
	movingHint: 'Tap a table or a time, or tap again to open.',
	openIt: 'Open',
	coversToday: 'Guests',
	present: 'Here now',
	toCome: 'To come',
	freeSeats: 'Seats that guests can book',
	guestsYou: (guests, you) => `guests ${guests} · you ${you}`,
	line: (n) => `${n} in the line`,
	atTheDoor: 'At the door',
	waits: (n) => `waits ${n} min`,
	late: 'Late',
	lateBy: (n) => `${n} min late`,
	empty: 'No reservations on this day.',
	closed: 'Closed on this day.',
	people: (n) => count(n, 'guest', 'guests'),
	table: 'Table',
	tableOf: (name) => `Table ${name}`,
	noTable: 'No table',
	seatsOf: (n) => count(n, 'seat', 'seats'),
	until: (time) => `until ${time}`,
	over: (n) => `${n} min over`,
	minutesLeft: (n) => `${n} min left`,
	next: (time, name, n) => `next ${time} ${name}, ${n}`,
	free: 'Free',
	freeUntil: (time) => `Free until ${time}`,
	bookedIn: (n) => `Booked in ${n} min`,
	inMinutes: (n) => `in ${n} min`,
	visits: (n) => count(n, 'visit', 'visits'),
	noShows: (n) => count(n, 'no-show', 'no-shows'),
	first: 'First visit',
	blockedGuest: 'Blocked number',
	holdLeft: (time) => `awaiting payment ${time}`,
	due: (sum) => `${sum} due`,
	paid: (sum) => `${sum} paid`,
	dueBack: (sum) => `${sum} to refund`,
	letters: (n, most) => `${n}/${most}`,
	tooLong: (n) => `${n} ${n === 1 ? 'letter' : 'letters'} too many. Please shorten it.`,
	known: 'Allergies and more',
	tagsAdd: 'Allergies, occasion, high chair…',
	tagKind: { allergy: 'Allergies', diet: 'Diet', occasion: 'Occasion', need: 'Needed' },
	allergyTo: (names) => `Allergy: ${names}`,
	tag: {
		nuts: 'nuts',
		peanuts: 'peanuts',
		shellfish: 'shellfish',
		fish: 'fish',
		milk: 'milk',
		egg: 'egg',
		gluten: 'gluten',
		soy: 'soy',
		sesame: 'sesame',
		other: 'other',
		vegetarian: 'vegetarian',
		vegan: 'vegan',
		halal: 'halal',
		birthday: 'birthday',
		anniversary: 'anniversary',
		business: 'business meal',
		wheelchair: 'wheelchair',
		high_chair: 'high chair',
		stroller: 'stroller',
	},
	request: 'Request',
	note: 'Note',
	dishes: 'Order',
	code: 'Code',
	money: 'Payment',
	guestSo: 'Visits',
	source: {
		WEB: 'online',
		DESK: 'by phone',
		WALK_IN: 'walk-in',
		WAITLIST: 'waitlist',
		IMPORT: 'imported',
	},
	s: {
		TEMPORARY: 'Unpaid',
		CONFIRMED: 'Booked',
		PREPAY_CONFIRM: 'Prepaid',
		REFUND_PENDING: 'Refund pending',
		EXPIRED: 'Expired',
		COMPLETED: 'Left',
		REFUNDED: 'Refunded',
		NO_SHOW: 'No-show',
		CANCELED: 'Cancelled',
	},
	v: { ARRIVED: 'Arrived', SEATED: 'Seated', LEFT: 'Left' },

	/* acts */
	arrive: 'Arrived',
	seat: 'Seat',
	leave: 'Left',
	complete: 'Left',
	noShow: 'No-show',
	confirm: 'Payment received',
	changeTo: (n, code) => `change of ${code} to ${n} people`,
	changeWaits: (sum) => `change awaiting ${sum}`,
	cancel: 'Cancel reservation',
	undo: 'Undo',
	call: 'Call',
	did: {
		arrive: 'Marked as arrived.',
		seat: 'Marked as seated.',
		leave: 'Marked as left.',
		complete: 'Marked as left.',
		'no-show': 'Marked as no-show.',
		confirm: 'Payment noted.',
		cancel: 'Reservation cancelled.',
		note: 'Note saved.',
		change: 'Reservation changed.',
		undo: 'Undone.',
		book: 'Booked.',
		walkIn: 'Seated.',
	},
	surePaid: (sum) => `Did you receive ${sum}? A payment cannot be undone with a tap.`,
	yesPaid: 'Yes, received',
	surePaidLate:
		'This hold has expired. If its seats are still free it is confirmed; ' +
		'if not, the payment has to be refunded.',
	surePaidCancelled: 'This reservation is cancelled: the payment has to be refunded.',
	surePaidAgain: 'This reservation is paid: a second payment has to be refunded.',
	sureGiven: (name, sum) => `Did you refund ${sum} to ${name}?`,
	samePayment: 'It is the payment to be refunded',
	onceMore: 'Yes, a second payment',
	paidAgain: 'Second payment',
	sureCancel: 'Cancel this reservation?',
	reason: 'Reason (optional)',
	refundAll: 'Refund everything that was paid',
	refundTerms: 'Refund by the terms it was booked under',
	keepIt: 'Keep it',
	edit: 'Change',
	time: 'Time',
	partySize: 'Guests',
	anyTable: 'If you choose none, any table that fits is taken.',
	chooseTables: 'Tables',
	name: 'Name',
	phone: 'Telephone',
	example: (x) => `e.g. ${x}`,
	optional: 'optional',
	guestNote: 'Note about the guest (seen next time, too)',
	block: 'Block from booking online',
	erase: 'Forget this guest',
	sureErase: 'Name, number and notes are deleted for good. The number of visits stays.',
	history: 'History',
	knownGuest: (name, visits, noShows) =>
		`${name} · ${count(visits, 'visit', 'visits')} · ${count(noShows, 'no-show', 'no-shows')}`,
	newGuest: 'A new number.',
	deposit: 'Ask for the deposit',
	bookIt: 'Book',
	howMany: 'How many guests?',
	staleBy: (who) => `${who} changed this first. Here is what it is now.`,
	staleElsewhere: 'This was changed on another screen first. Here is what it is now.',
	shortStay: (time) => `There is room until ${time} only.`,
	shortStayText: 'After that the seats are booked. Ask whether they would like to sit until then.',
	seatUntil: (time) => `Seat until ${time}`,
	noTableFits: (n) => `No table for ${n} is free then.`,
	fits: (times) => `These times fit: ${times}`,
	h: { created: 'booked', status: 'status', details: 'changed', note: 'note', act: 'done' },
	byGuest: 'guest',
	byKeeper: 'automatic',

	/* the waitlist */
	waiting: 'Waitlist',
	waitShort: (n) => `${n} waiting`,
	rank: (n) => `number ${n} in line`,
	offeredUntil: (time) => `offered until ${time}`,
	offer: 'Offer seats',
	didOffer: 'seats offered',
	removeWait: 'Remove',
	clearWait: 'Remove all',
	clearWaitOf: (time, n) => `Remove all ${n} waiting for ${time}`,
	clearWaitAsk: (time, n) => `Remove all ${n} parties waiting for ${time}?`,
	clearWaitText:
		'Seats that were offered to them are taken back. ' +
		'They see it on their page only. This cannot be undone.',
	didClear: 'the waitlist is empty',
	didRemove: 'no longer on the waitlist',
	addWait: 'Put on the waitlist',
	pace: 'how many may start',
	paceLabel: 'Guests who may start at this time of this day',
	paceText: (left, waits) =>
		`${left} seats left${waits ? `, ${count(waits, 'party', 'parties')} waiting` : ''}. ` +
		'More seats are offered to the waitlist first.',
	standing: 'Not taken just now',
	noMore: 'No more for tonight',
	noMoreSaid: 'No more online bookings for tonight. Other days stay open.',
	nothingOnline: 'No new online bookings',
	nothingAtAll: 'Nothing new at all',
	weekly: 'Every week',
	lift: 'Lift',
	lifted: 'Lifted',
	takesAgain: 'Guests can book online again',
	blockTime: 'Block a time',
	blocks: 'Blocked now and later',
	blocked: 'Blocked',
	blockedStay: (n) =>
		`Blocked. ${count(n, 'reservation lies', 'reservations lie')} in that time and stay.`,
	blockText: 'Nothing new is taken then. Reservations that are there already stay.',
	blockFrom: 'From',
	blockTo: 'Until',
	blockTables: 'Tables',
	blockTablesHint: 'Without a table the whole house is blocked.',
	wholeHouse: 'The whole house',
	blockReason: 'Reason, for staff',
	saidComing: 'Confirmed they are coming',
	failed: (n) => `${count(n, 'message', 'messages')} could not be sent.`,
	clockDoubted: (now) =>
		`The box was off for long, or its clock is wrong: it says ${now}. ` +
		'If that is right, go on as usual. If not, set the clock of the box.',
	stuck: (n, said) =>
		`${count(n, 'message', 'messages')} could not be sent yet; jari keeps trying. ` +
		`Please check mail and text messages in the settings. The server said: ${said}`,
	seeMessages: 'See settings',

	/* numbers */
	from: 'From',
	to: 'To',
	spanOf: 'Which days',
	span: { weeks: '4 weeks', months: '3 months', year: 'A year' },
	spanBefore: {
		weeks: 'the 4 weeks before',
		months: 'the 3 months before',
		year: 'the year before',
	},
	daysBefore: (n) => (n === 1 ? 'the day before' : `the ${n} days before`),
	change: {
		more: (than, percent) => `${percent} % more than in ${than}`,
		less: (than, percent) => `${percent} % less than in ${than}`,
		same: (than) => `as in ${than}`,
		none: (than) => `none in ${than}`,
	},
	wasBefore: (value, than) => `${value} in ${than}`,
	noBefore: (day) => `Your book begins on ${day}, so there is nothing before to compare with.`,
	percent: (n) => `${n} %`,
	atGlance: 'At a glance',
	coversAll: 'Guests',
	coversMeaning: (parties) =>
		`in ${parties} parties, those who are still to come with them. ` +
		'No-shows and cancellations do not count.',
	noShowRate: 'No-shows',
	noShowMeaning: (n, all) => `${n} of ${count(all, 'party', 'parties')} whose time has come`,
	cancelRate: 'Cancelled',
	cancelMeaning: (n, all) => `${n} of ${count(all, 'party', 'parties')} that were booked`,
	parties: 'Parties',
	portion: 'Share',
	kind: 'Kind',
	moneyTitle: 'Payments',
	moneyIn: 'Payments received',
	moneyKept: 'Kept',
	moneyReturned: 'Refunded',
	moneyDue: 'To be refunded',
	dueMeaning: 'of payments for these days. To whom stands in the list below.',
	keptMeaning: 'of payments for these days, after refunds',
	moneyMeaning: (currency) =>
		`By date of visit, in ${currency}. Payments in another currency are in the list of payments.`,
	owedTitle: (n) => `To be refunded: ${count(n, 'payment', 'payments')}`,
	owedMore: (n) => `${n} more`,
	givenBack: 'Refunded',
	byUnit: { day: 'Guests by day', week: 'Guests by week', month: 'Guests by month' },
	byDateMeaning: 'A gap is a day on which you were closed.',
	byHour: 'When guests come',
	byHourMeaning:
		'Guests who begin in that hour, on average over the days that you were open. ' +
		'A dash: closed on that weekday.',
	busiest: (weekday, time) => `Most guests come on ${weekday} from ${time} on.`,
	bySource: 'How parties came to their table',
	bySourceMeaning: 'Of all parties that came or are to come.',
	guestKinds: 'New guests and regulars',
	guestKindsMeaning:
		'Parties, by the telephone number of their guest. A regular has been here before.',
	guestKind: { first: 'New guests', again: 'Regulars', unknown: 'Without a number' },
	byLead: 'How far ahead guests book',
	leadOf: (from, to) => {
		if (!from) return 'on the day';
		if (from === 1 && to === 1) return 'the day before';
		return to ? `${from} to ${to} days ahead` : `${from} days ahead or more`;
	},
	leadHalf: (days) =>
		days
			? `Half of them book at most ${count(days, 'day', 'days')} ahead.`
			: 'Half of them book on the day itself.',
	leadMeaning: 'Of the parties that booked; walk-ins do not.',
	rates: 'No-shows and cancellations',
	lastOpening: (when) => `The last opening, ${when}`,
	asFiles: 'Lists for a spreadsheet',
	plotOf: (title) => `${title}, as bars. The table below has the numbers.`,
	asTable: 'As a table',
	noNumbers: 'No reservations in this time.',
	reading: 'Reading…',
	lists: {
		reservations: 'Reservations (CSV)',
		guests: 'Guests (CSV)',
		payments: 'Payments (CSV)',
	},

	/* the house */
	setup: 'Open your restaurant',
	you: 'You',
	loginEmail: 'E-mail to log in with',
	share: 'Guests book here:',
	contents: 'Contents',
	asGuest: 'As guests see it',
	guestsRead: 'Guests see:',
	setupText:
		'A name and opening hours, and you take bookings. Everything else can be changed any time.',
	restore: 'If you had jari before',
	restoreThere: 'Do you have a backup?',
	restoreText:
		'Instead of setting anything up, restore a backup: ' +
		'reservations, guests, settings, staff, and every link that was sent.',
	restoreFile: 'Backup file',
	restoreIt: 'Restore the backup',
	restoring: 'Sending the backup',
	restored: 'Your backup is back',
	restoredText: (day, all, soon) =>
		`${day ? `Made on ${day}. ` : ''}` +
		`${count(all, 'reservation', 'reservations')} came back, ${soon} of them still to come.`,
	restoredLinks:
		'Links and QR codes that were sent work again. ' +
		'Log in with the e-mail and password you used before.',
	restoredNoLinks:
		'This backup has no key, so links that were sent do not work. ' +
		'Log in with the e-mail and password you used before.',
	open: 'Take bookings',
	opened: 'You take bookings now.',
	facts: 'Restaurant',
	nameEn: (other) => `Name in ${other}`,
	address: 'Address',
	addressEn: (other) => `Address in ${other}`,
	paymentText: 'How to pay a deposit',
	otherOf: { ko: 'English', en: 'Korean' },
	place: 'Country and money',
	placeText: 'Choose the country, and the rest is filled in. Change what is not so.',
	country: 'Country',
	countryText: 'It fills in what is usual there.',
	chooseOne: 'Choose one',
	timezone: 'Time zone',
	currency: 'Currency',
	callingCode: 'Country calling code',
	firstWeekday: 'First day of the week',
	houseLanguage: 'Language of the house',
	speaks: { ko: 'Korean', en: 'English' },
	placeHelp: {
		timezone: 'All times are by this clock.',
		currency: 'Of your menu, deposits and refunds.',
		callingCode: 'Numbers that are typed without one belong to this country.',
		firstWeekday: 'Calendars begin with it.',
		language: 'For guests whose browser asks for neither, and for your own mail.',
	},
	currencySure: (from, to) => `${to} instead of ${from}?`,
	currencyKeeps: (was, is) =>
		`Prices and deposits keep their numbers: ${was} becomes ${is}. ` +
		'Decimals that the new currency does not have are rounded. ' +
		'Look through the menu and the deposits afterwards.',
	currencyNone: 'There are no prices or deposits yet.',
	currencyDo: 'Change the currency',
	notSaved: 'Nothing was changed.',
	unitsChanged: (currency) =>
		`Amounts in ${currency} have decimals from here on; each was converted once`,
	hours: 'Opening hours',
	hoursText:
		'Guests book within these hours, which may pass midnight. ' +
		'Reservations already made stay as they are.',
	nightOf: (day, time) => `${time}, the night of ${day}`,
	afterMidnight: 'after midnight',
	serviceName: 'Name',
	lastSeating: 'Last seating',
	onDays: 'On these days',
	everyDay: 'Every day',
	allDay: 'All day',
	addService: 'Add a service',
	nightHours: (closes) =>
		`Until ${closes} in the morning after. Times after midnight belong to this evening.`,
	ownRules: 'Its own rules',
	ownRulesOf: (n) => `Its own rules (${n})`,
	ownRulesText: 'What stays empty is as in the house’s rules.',
	meals: { breakfast: 'Breakfast', brunch: 'Brunch', lunch: 'Lunch', dinner: 'Dinner' },
	prevMonth: 'Earlier months',
	nextMonth: 'Later months',
	setDays: (n) => (n ? `Set special days (${n} set)` : 'Set special days'),
	fromDay: 'From',
	toDay: 'Until',
	ownHours: 'Other hours',
	asWeek: 'As usual, with a note or deposit',
	dayDeposit: 'Deposit a head on these days (optional)',
	depositEach: (sum) => `deposit ${sum} a head`,
	removeIt: 'Remove',
	opens: 'Opens',
	closes: 'Closes',
	days: ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
	special: 'Special days',
	specialText:
		'Days that are closed or have other hours, a note or a deposit. Tap the first and the last.',
	specialKind: 'That day',
	dayNote: 'Note for guests on these days',
	day: { open: 'open', shut: 'closed', other: 'other hours' },
	closedDay: 'Closed',
	asUsual: 'As usual',
	menu: 'Menu',
	menuText: 'Orders already taken keep their names and prices.',
	priceIn: (currency) => `Price (${currency})`,
	soldOut: 'Sold out',
	about: 'Description',
	aboutEn: (other) => `Description in ${other}`,
	addDish: 'Add a dish',
	up: 'Move up',
	tables: 'Tables',
	tablesText: 'Without tables, only seats are counted.',
	addTable: 'Add a table',
	seatsMax: 'Seats',
	joins: 'Tables that can be joined',
	tablesSum: (n, house) => {
		const other = house && house !== n;
		return `Your tables seat ${n}.${other ? ` The house takes ${house} guests at once.` : ''}`;
	},
	addJoin: 'Add joined tables',
	joinNames: 'Tap the tables that can be joined',
	joinTwo: 'Tap two tables or more.',
	openToLabel: 'For',
	openTo: { ONLINE: 'Everybody', STAFF: 'Staff and walk-ins', WALK_IN: 'Walk-ins only' },
	floor: 'Floor',
	floorText: 'Drag the tables; “Now” shows them like this.',
	tableCard: 'Table card',
	tableCardText: 'An A6 card with the QR code of the guests’ page.',
	cardCode: (address) => `QR code of ${address}`,
	cardAbout: (host) =>
		`The code leads guests to ${host}, the address by which you opened this page. ` +
		'Print on A4 at 100 %, and cut along the marks.',
	staff: 'Staff',
	addStaff: 'Add a staff member',
	role: { label: 'Role', STAFF: 'Staff', OWNER: 'Owner' },
	newLink: 'New link',
	newLinkEnds:
		'The password they have now and every login end at once. Only the new link lets them in again.',
	logoutEnds: 'Every device has to log in again.',
	removeEnds: 'They can no longer log in. This cannot be undone.',
	logoutAll: 'Log out everywhere',
	remove: 'Remove',
	pause: 'Pause online bookings',
	pauseHour: 'For an hour',
	pauseUntil: 'Until the end of',
	pauseUntilGo: 'Pause until then',
	resume: 'Take bookings again',
	pausedUntil: (when) => `No online bookings, for any day, until ${when}.`,
	takesBookings:
		'Guests can book online now. A pause stops online bookings for every day; ' +
		'to close one day only, make it a special day. ' +
		'“No more for tonight” closes this evening alone.',
	contradicted: (n) =>
		`Saved. ${count(n, 'reservation does', 'reservations do')} not fit any more. ` +
		'They stay as they are; please call these guests.',
	torn: {
		HOURS: 'outside of the hours',
		PARTY: 'party size',
		SEATS: 'not enough seats',
		TABLE: 'no table fits',
	},
	inTheWay: (n) => `(upcoming reservations and waitlist entries: ${n})`,

	/* the frame of the settings */
	settings: {
		all: 'All settings',
		group: {
			house: 'House',
			opening: 'Opening',
			booking: 'Booking rules',
			money: 'Money',
			tables: 'Tables',
			menu: 'Menu',
			messages: 'Messages',
			staff: 'Staff',
			box: 'Box',
		},
		/* other words that owners search for */
		also: {
			facts: 'logo name telephone contact',
			place: 'won euro dollar time zone',
			card: 'QR code print',
			privacy: 'GDPR delete guests data protection',
			hours: 'lunch dinner brunch service weekday last seating midnight',
			special: 'holiday vacation Christmas closed day',
			openings: 'release season countdown',
			pause: 'stop closed holiday',
			times: 'capacity pacing seats turn time kitchen',
			booking: 'party size notice in advance limit',
			waitlist: 'queue',
			deposit: 'prepayment no-show bank transfer account',
			refund: 'cancellation policy',
			tables: 'floor plan join',
			menu: 'dish price sold out',
			messages: 'SMS text reminder e-mail',
			mail: 'SMTP e-mail server',
			sent: 'e-mail outbox delivered',
			staff: 'employee password login link user',
			box: 'backup version disk devices',
			history: 'audit log who changed',
		},
		price: 'Price',
		sameAs: (day) => `Every day as on ${day}`,
		search: 'Search the settings',
		found: 'Found',
		hits: (n) => (n ? `${count(n, 'result', 'results')} found` : 'Nothing was found'),
		unsaved: (names, more) => `Not saved: ${names}${more ? ` and ${more} more` : ''}`,
		nothing: 'Nothing has changed.',
		undo: 'Discard',
		leave: 'Leave without saving?',
		drop: 'Do not save',
		stay: 'Stay',
		partFailed: (name, why) => `Saved, but not “${name}”: ${why}`,
		alsoIn: (language) => `Also in ${language}`,
		down: 'Move down',
		placed: (n, all) => `Now ${n} of ${all}`,
		lasts: { 60: '1 hour', 1440: '1 day', 4320: '3 days' },
		lastsFor: 'The link works for',
		linkOf: (name) => `Link for ${name}`,
		linkText: (lasts) =>
			`It works once${lasts ? `, within ${lasts}` : ''}: they choose a password with it.`,
		linkCode: 'The link as a QR code',
		copy: 'Copy the link',
		copied: 'Copied.',
		preview: 'What guests read',
		exampleOf: (people, day, time) => `${people}, ${day} ${time}`,
		noDeposit: 'Nothing about money: no deposit is asked for.',
		mailGoesOn: '… then the message itself: what was booked, when, for how many.',
	},

	/* messages */
	messages: 'Messages',
	messagesText:
		'What guests and you are told, and when. ' +
		'Answers to what a guest has just done are sent at once, also in quiet hours.',
	notifyEmail: 'Your own e-mail address',
	messageText: 'Your words on top of messages to guests',
	messageTextEn: (other) => `Your words on top of messages to guests (in ${other})`,
	mail: 'Mail',
	mailText: 'Enter what your mail provider told you, then send yourself a test.',
	mailWay: 'How mail is sent',
	way: { OFF: 'not at all', SMTP: 'a mail server (SMTP)', SENDMAIL: 'sendmail of this box' },
	mailHost: 'Mail server',
	mailPort: 'Port',
	mailSecurity: 'Encryption',
	security: { STARTTLS: 'STARTTLS (usually 587)', TLS: 'TLS (usually 465)', NONE: 'none' },
	mailLogin: 'Login',
	mailPassword: 'Password (empty: as it is)',
	mailSender: 'Sender address',
	mailSite: 'Address of the guests’ page, for links',
	mailTest: 'Send me a test',
	mailTesting: 'Sending…',
	mailWorks: 'Sent. The server said:',
	mailFails: 'Not sent. The server said:',
	mailSilent: 'No answer yet. Is the courier running?',
	lastMessages: 'The last messages',
	noMessages: 'No messages yet.',
	choice: { off: 'off', on: 'on', each: 'each booking', hourly: 'once an hour' },
	channel: { MAIL: 'mail', SMS: 'text' },
	sent: { QUEUED: 'to be sent', SENT: 'sent', FAILED: 'failed', SKIPPED: 'not sent' },
	event: {
		confirmed: 'Confirmation',
		held: 'Seats held',
		lapsing: 'Hold about to expire',
		changed: 'Change',
		cancelled: 'Cancelled by guest',
		'cancelled-by-house': 'Cancelled by you',
		offer: 'Seats offered',
		'remind-day': 'Reminder, day before',
		'remind-soon': 'Reminder, same day',
		code: 'Code',
		'owner-new': 'New booking',
		'owner-digest': 'New bookings',
		'day-sheet': 'Day sheet',
		test: 'Test',
	},

	/* the box */
	box: 'This box',
	boxVersion: 'Version',
	boxBackup: 'Last backup',
	boxBackupHow:
		'Run `jari backup FOLDER` on the box, with a folder on another disk, like a USB stick. ' +
		'A new box takes the file on its first page.',
	boxDisk: 'Disk free',
	boxBook: 'Size of the book',
	boxSms: 'Text command',
	boxCourier: 'Courier',
	boxNoCourier: 'not running',
	never: 'never',
	hoursAgo: (n) => ago(n),
	sessions: 'Logged in',
	sessionsText: 'Log a lost tablet out here.',
	endSession: 'Log out',

	/* rules: the cards, and what guests see of each */
	groups: {
		times: {
			title: 'Times and seats',
			about: '',
			seen: ({ times, until, largeFrom, untilLarge }) =>
				`${times} … (a table booked for 18:00 is kept until ${until}` +
				`${largeFrom ? `, from ${largeFrom} guests on until ${untilLarge}` : ''})`,
		},
		booking: {
			title: 'Booking online',
			about: '',
			seen: ({ least, most, days, minutes }) =>
				`${least} to ${most} guests · up to ${days} days ahead · ` +
				`until ${minutes} minutes before`,
		},
		deposit: {
			title: 'Deposit',
			about: '',
			seen: ({ free, few, two, largeFrom, large, minutes }) =>
				free
					? 'Confirmed at once, no deposit'
					: `${few} guests ${two} · ${largeFrom} guests ${large} · ` +
						`to be paid within ${minutes} minutes`,
		},
		refund: {
			title: 'Refunds',
			about:
				'What a guest gets back who cancels. ' +
				'A reservation keeps the rules under which it was booked.',
			seen: ({ paid, before, sameDay, minutes, late, largeFrom, lateLarge }) =>
				`Refund of ${paid}: up to the day before ${before}, ` +
				`until ${minutes} minutes before ${sameDay}, ` +
				`then ${late} (from ${largeFrom} guests on ${lateLarge})`,
		},
		waitlist: { title: 'Waitlist', about: '' },
		privacy: { title: 'Privacy', about: '' },
		messages: { title: 'Messages', about: '' },
	},
	rules: {
		slotMinutes: {
			label: 'Minutes from one time to the next',
			help: '30 offers 18:00, 18:30, 19:00 and so on.',
		},
		reservationLimit: {
			label: 'Guests who may start at one time',
			help: 'As many as the kitchen can take at once.',
		},
		seats: {
			label: 'Guests in the house at once',
			help: 'As many as you have seats. 0 counts only those who start.',
		},
		sittingMinutes: {
			label: 'How long a party stays (minutes)',
			help: 'Their seats are kept for this long. 0: until the next time.',
		},
		sittingLargeFrom: {
			label: 'A party that stays longer has at least',
			help: 'From this size on a party stays as long as the next field says.',
		},
		sittingLargeMinutes: {
			label: 'How long a large party stays (minutes)',
			help: '0: as long as other parties.',
		},
		bufferMinutes: {
			label: 'Minutes between two parties at one table',
			help: 'Time to clear it. Staff who choose the table themselves can go below.',
		},
		staffSeats: {
			label: 'Seats kept from online booking',
			help: 'For the telephone, regulars and walk-ins. What staff book counts towards them.',
		},
		staffSeatsHours: {
			label: 'Hours before, at which they open for online booking',
			help: '0: never.',
		},
		partyMin: {
			label: 'Smallest party',
			help: 'Fewer guests cannot book online.',
		},
		partyMax: {
			label: 'Largest party',
			help: 'More guests are asked to call you.',
		},
		leadMinutes: {
			label: 'Bookings close (minutes before)',
			help: 'After that the time can be booked at the desk only.',
		},
		windowDays: {
			label: 'Bookings open (days ahead)',
			help: 'How far ahead guests can book.',
		},
		upcomingPerGuest: {
			label: 'Reservations of one number',
			help: 'How many upcoming reservations one telephone number may have. 0: no limit.',
		},
		holdsPerGuest: {
			label: 'Unpaid holds of one number',
			help: 'How many reservations may await their deposit. 0: no limit.',
		},
		depositFrom: {
			label: 'Ask parties from this size on',
			help: '1: everybody. 0: nobody for the size of their party.',
		},
		depositNoShows: {
			label: 'Ask guests who did not come this often',
			help: 'By their telephone number, whatever the size of the party. 0: nobody for that.',
		},
		depositPerPerson: {
			label: 'Deposit per guest',
			help: '0: bookings are confirmed at once, and guests read nothing about money.',
		},
		depositLargeFrom: {
			label: 'A party with the larger deposit has at least',
			help: 'From this size on the next field counts.',
		},
		depositLargePerPerson: {
			label: 'Deposit per guest of a large party',
			help: 'What each guest of a large party pays.',
		},
		holdSeconds: {
			label: 'Wait for the payment (minutes)',
			help: 'Seats that are not paid for by then are free again.',
		},
		refundDayBeforePct: {
			label: 'Up to the day before (%)',
			help: 'For those who cancel a day ahead or earlier.',
		},
		refundSameDayPct: {
			label: 'On the day (%)',
			help: 'For those who cancel on the day, in time.',
		},
		refundCutoffMinutes: {
			label: 'In time is (minutes before)',
			help: 'Later than that is late.',
		},
		refundLatePct: {
			label: 'Late (%)',
			help: 'For those who cancel late, until their time.',
		},
		refundLargeFrom: {
			label: 'A party with its own late refund has at least',
			help: 'From this size on the next field counts.',
		},
		refundLateLargePct: {
			label: 'Late, for a large party (%)',
			help: 'A large table is hard to fill again.',
		},
		waitlistPerGuest: {
			label: 'Waitlist entries of one number',
			help: '0: there is no waitlist.',
		},
		waitlistOfferMinutes: {
			label: 'An offer stands for (minutes)',
			help: 'Then the seats are offered to the next in line. Shorter when the time is near.',
		},
		waitlistKeepMinutes: {
			label: 'Keep too few seats for (minutes)',
			help:
				'Freed seats that are too few for the first in line are kept for this long, ' +
				'then all guests can book them. 0: they are not kept.',
		},
		waitlistSkip: {
			label: 'Offer too few seats to the next',
			help: 'Seats that are too few for the first are offered to the next party that fits.',
		},
		retentionMonths: {
			label: 'Keep guests for (months)',
			help:
				'After their last visit name and number are deleted; the counts stay. ' +
				'0: nothing is deleted.',
		},
		mailGuests: {
			label: 'Mail to guests',
			help: 'Confirmation, change, cancellation and reminders to those who gave an address.',
		},
		smsGuests: {
			label: 'Text messages to guests',
			help: 'By the command send-sms of this box.',
		},
		tellOwner: {
			label: 'Tell you of new bookings',
			help: 'To your own address above.',
		},
		daySheetHour: {
			label: 'Hour of the day sheet',
			help: 'The day’s reservations by mail, each day at this hour. 0: none.',
		},
		remindDayHours: {
			label: 'First reminder (hours before)',
			help: 'Guests answer with a button whether they come. 0: none.',
		},
		remindMinutes: {
			label: 'Second reminder (minutes before)',
			help: '0: none.',
		},
		quietFrom: {
			label: 'Quiet from (hour)',
			help: 'From then on nothing is sent that can wait.',
		},
		quietTo: {
			label: 'Quiet until (hour)',
			help: 'Then what has waited is sent.',
		},
		proveContact: {
			label: 'Guests must enter a code',
			help: 'A booking is confirmed once they have entered the six digits sent to them.',
		},
		proveSeconds: {
			label: 'Wait for the code (minutes)',
			help: 'After that the seats are free again.',
		},
	},
};
