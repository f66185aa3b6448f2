/*
 * en.js - every text of the desk about payments online in English, one a line.
 */
export const words = {
	title: 'Payments online',
	about:
		'Guests pay the deposit by card while they book. Enter the keys of the payment company you ' +
		'have a contract with, try a payment, and it is ready.',
	provider: 'How guests pay',
	providers: {
		desk: 'Not online (bank transfer, at the restaurant)',
		portone: 'PortOne V2 (Korea)',
		toss: 'Toss Payments (Korea)',
		stripe: 'Stripe (elsewhere)',
	},
	names: { desk: 'at the house', portone: 'PortOne', toss: 'Toss Payments', stripe: 'Stripe' },
	providerAbout: {
		desk: 'As before: guests transfer the money or pay at the restaurant, and staff confirm it.',
		portone:
			'Korean cards and wallets. Which ones is decided by the channel in PortOne’s console; the ' +
			'channel must have manual approval switched on.',
		toss: 'Korean cards; foreign ones after a review by Toss Payments.',
		stripe:
			'Visa, Mastercard, American Express and others, as in your country. Businesses in Korea ' +
			'cannot join.',
	},
	currencyNot: (currency) => `This company does not take payments in ${currency}.`,
	storeId: 'Store ID',
	channelKey: 'Channel key',
	clientKey: 'Client key',
	secret: 'Secret key',
	apiSecret: 'API secret',
	webhookSecret: 'Webhook secret',
	secretKept: 'It is saved. Enter it only to change it.',
	secretAbout: 'Once saved it is sealed and never shown again.',
	webhookAbout:
		'Payments and refunds work without it. With it, what you cancel in the company’s console is ' +
		'noticed sooner.',
	webhookUrl: 'Webhook address for the company’s console',
	mode: 'Test mode',
	modeAbout: 'Guests read that no real money moves. Use it with test keys.',
	guarantee: 'A card on file instead of a deposit',
	guaranteeAbout:
		'Nothing is charged when guests book; staff may charge those who did not come, by hand.',
	phoneHoldHours: 'Hours that a payment link is good for',
	guaranteeAmount: 'At most, per person',
	guaranteeHours: 'Hours after the booked time in which it may be charged',
	guaranteeTerms: 'What guests agree to',
	wrong: {
		blank: 'There is a blank in it. Please copy the key again.',
		other: (name) => `This looks like a key for the field “${name}”.`,
		company: (name) => `This is a key of another company: ${name}.`,
		public: 'This is the publishable key. Copy the secret key that stands below it (sk_ or rk_).',
		begin: 'This does not look like a key for this field. Please look in the console again.',
		live: 'This key moves real money. Switch test mode off, or enter a test key.',
		test: 'This is a test key. Enter a live key, or switch test mode on.',
	},
	tryIt: (sum) => `Try a payment of ${sum}`,
	tryAbout: (sum) =>
		`Pays ${sum} by card in another window, just as guests do, and gives it back at once.`,
	trySave: 'Please save first.',
	tryAway: 'The cashier is not running, so no payment can be handled.',
	tries: {
		BEGIN: 'The payment company has not answered yet.',
		READY: 'Please finish the payment in the other window.',
		orNot:
			'If the payment page did not open there: check the public key and the store ID, and ' +
			'whether this browser blocks content.',
		noAnswer:
			'The payment company does not answer. Check whether the box has a way out to the internet, ' +
			'then the keys, and try again.',
		notOpened:
			'The payment page did not open. Nothing was charged. Check the public key and the store ' +
			'ID, and whether this browser blocks content or has no internet; then try again.',
		stopped: 'The payment could not begin. Nothing was charged. The other window says why.',
		CHECKING: 'The payment on trial is being checked.',
		PAID: 'The payment worked. It is on its way back.',
		REFUND_ON_ITS_WAY: 'The payment worked. It is on its way back.',
		REFUNDED: 'Payment and refund both worked. Your guests can pay now.',
		DECLINED: 'The payment on trial was not accepted.',
		NOTHING_CHARGED: 'There was no payment. Nothing was charged.',
	},
	said: (words) => `The payment company says: ${words}`,
	cause: {
		secret: 'The secret key is wrong. Please copy it from the console again.',
		right: 'This key may not do that. Check its rights and your contract in the console.',
		channel: 'The channel key is wrong, or manual approval is off. Look at the channel in PortOne.',
		store: 'The store ID is wrong.',
		noWay:
			'The box did not reach the payment company. Please check its way out to the internet, ' +
			'then try again.',
		unopened:
			'The payment page was not opened, or was left before paying. If it did not open: check the ' +
			'public key and the store ID, and whether this browser blocks content.',
		late: 'The payment window was open for too long. Please try again.',
	},

	list: 'Payments and refunds',
	needs: 'Needs somebody',
	needsNone: 'Nothing needs anybody.',
	newest: 'Newest payments',
	none: 'There are no online payments yet.',
	away: 'The cashier does not answer. No payment can be taken; refunds go on when it is back.',
	again: 'Try again',
	byHand: 'I paid it back',
	byHandTitle: 'Did you pay it back yourself?',
	byHandText: (sum, name) =>
		`Only if ${name} has got ${sum} back already, by transfer for example. The payment company ` +
		'will not be asked again.',
	byHandYes: 'Yes, it is paid back',
	attempts: (n) => `tried ${n} times`,
	kinds: { REFUND: 'Refund', PAYMENT: 'Payment', CHARGE: 'Charge of a card on file' },
	states: {
		BEGIN: 'being prepared',
		READY: 'not paid yet',
		CHECKING: 'being checked',
		AUTHORISED: 'being checked',
		PAID: 'paid',
		REFUND_DUE: 'refund due',
		REFUND_ON_ITS_WAY: 'refund on its way',
		REFUNDED: 'refunded',
		VOIDED: 'nothing charged',
		NOTHING_CHARGED: 'nothing charged',
		DECLINED: 'not accepted',
		FAILED: 'failed',
		QUEUED: 'refund on its way',
		DONE: 'refunded',
		BY_HAND: 'paid back by hand',
	},

	link: 'Send a payment link',
	linkSent: (when) => `The payment link is sent.${when ? ` It holds until ${when}.` : ''}`,
	online: 'Paid online',
	card: 'Card on file',
	cardUntil: (sum, when) => `up to ${sum}, until ${when}`,
	charge: 'Charge the card on file',
	chargeText: (sum, when) =>
		`The guest agreed to ${sum} at most. It can be charged until ${when}, and the guest is told.`,
	chargeAmount: 'Amount',
	chargeYes: 'Charge',
	charged: 'The charge is on its way.',
};
