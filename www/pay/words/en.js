/*
 * en.js - every text about payments for guests in English, one a line.
 */
export const words = {
	pay: 'Payment',
	paySum: (sum) => `Pay ${sum}`,
	payAbout: 'Your table is booked as soon as you have paid.',
	paySafe: 'You enter your card at the payment company only; the restaurant never sees it.',
	payOr: 'To pay in another way',
	keepCard: 'Leave a card',
	keepAgree: 'Agree and leave a card',
	keepAbout: (sum) =>
		`Nothing is charged now. If you stay away without a word, up to ${sum} may be charged to ` +
		'this card.',
	keepNeeded: 'A card is needed to book this table.',
	keepTerms: 'About the card',
	keepHours: (hours) =>
		`It can be charged only within ${hours} hours after the booked time; then it is deleted.`,
	kept: 'Your card is on file',
	test: 'Test mode: no real money moves.',

	going: 'Opening the payment page…',
	preparing: 'Preparing the payment…',
	ready: 'Pay to book your table',
	readyText: 'The button below takes you to the payment page.',
	notOpened: 'The payment page did not open. Nothing was charged. Please press again.',
	checking: 'We are checking your payment',
	checkingText: 'This mostly takes a few seconds. Please wait, and do not pay again.',
	checkingLong:
		'The payment company is slow to answer. We keep asking until we know, so please do not pay ' +
		'again. You may close this page: “My reservations” will show the outcome.',
	paid: 'Your payment arrived',
	paidText: 'Your table is booked.',
	nothing: 'Nothing was charged',
	nothingText: 'The time to pay was over and the seats went back to others. Nothing was charged.',
	refundComing: 'Your money comes back',
	refundComingText: (sum) => `${sum} is on its way back. Your card company may take some days.`,
	refunded: 'Refunded',
	refundedText: (sum) => `${sum} was sent back. Your card company may take some days to show it.`,
	declined: 'The card was not accepted',
	declinedText:
		'Nothing was charged. Your seats are still held for the time left: please try another card.',
	declinedLast: 'Nothing was charged.',
	closed: 'You left before paying',
	closedText: 'Nothing was charged. Your seats are still held for the time left.',
	theirWords: (words) => `The payment company says: ${words}`,
	otherCard: 'Pay with another card',
	again: 'Pay now',
	away: 'Paying online is not possible right now',
	awayText: 'Nothing was charged. Please try again in a moment, or call the restaurant.',
	nowhere: 'There is nothing to pay here',
	nowhereText: 'Please open it again from “My reservations” or from the link you received.',
	otherBrowser: 'To try again, go back to where you booked, or to the link you received.',
	toReservation: 'See the reservation',
	sum: 'To pay',
	back: 'Back to the reservation',

	tryTitle: 'A payment on trial',
	tryPaid: 'The payment worked. It is on its way back.',
	tryRefunded: 'Payment and refund both worked. Your guests can pay now.',
	tryFailed: 'The payment did not go through. Nothing was charged. The settings say why.',
	tryBack: 'Back to the settings',

	at: {
		CHECKING: 'We are checking your payment. Please wait, and do not pay again.',
		REFUND_ON_ITS_WAY: (sum) => `${sum} is on its way back. Your card company may take some days.`,
		REFUNDED: (sum) => `${sum} was sent back. Your card company may take some days to show it.`,
		DECLINED: 'The card was not accepted. Nothing was charged.',
		NOTHING_CHARGED: 'Nothing was charged.',
		KEPT: 'Your card is on file. Nothing has been charged.',
	},
	short: {
		CHECKING: 'Checking payment',
		PAID: 'Paid',
		REFUND_ON_ITS_WAY: 'Refund on its way',
		REFUNDED: 'Refunded',
		KEPT: 'Card on file',
	},
};
