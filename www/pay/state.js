/*
 * state.js - what a payment is for its guest, and what a provider is asked for: pure questions.
 *
 * The box says how it stands (GET /api/payments/{id}); until it knows, the guest reads that we are
 * checking, and never that it failed.
 */

/* What the screen says of a state: the name of its texts. */
const SCREENS = {
	BEGIN: 'ready',
	READY: 'ready',
	CHECKING: 'checking',
	PAID: 'paid',
	NOTHING_CHARGED: 'nothing',
	REFUND_ON_ITS_WAY: 'refundComing',
	REFUNDED: 'refunded',
	DECLINED: 'declined',
};

const RELEASED = ['EXPIRED', 'CANCELED', 'COMPLETED', 'NO_SHOW'];

/* A state that this page does not know is newer than it: the box will say more.  What was not paid
 * in its time cannot be paid any more. */
export function screenOf({ state, reservation }) {
	const name = SCREENS[state] ?? 'checking';
	const late = RELEASED.includes(reservation?.status);
	return late && ['ready', 'declined'].includes(name) ? 'nothing' : name;
}

/* Will it become another one by itself? */
export const isMoving = ({ state, purpose }) =>
	screenOf({ state }) === 'checking' ||
	state === 'REFUND_ON_ITS_WAY' ||
	(purpose === 'TRY' && state === 'PAID');

const QUICK_LOOKS = 20;
const QUICK_MS = 1000;
const SLOW_MS = 4000;

/* How long until the next look; the answer mostly comes within seconds. */
export const lookAfter = (looks) => (looks < QUICK_LOOKS ? QUICK_MS : SLOW_MS);

/* After so many looks the guest is told that it takes long. */
export const isLong = (looks) => looks > QUICK_LOOKS;

/* ---- the way back ---- */

/* What each provider appends to our address, by the names that the box takes. */
const CARRIED = {
	token: ['paymentToken', 'billingIssueToken'],
	txId: ['txId'],
	paymentKey: ['paymentKey'],
	authKey: ['authKey'],
	session: ['session'],
	code: ['pgCode', 'code'],
	message: ['pgMessage', 'message'],
};

/* A provider that says nothing more: who comes with one of these was there all the same. */
const BARE = ['transactionType', 'paymentId'];

/* What a provider sent the guest back with: { paymentId, back }, or null.  back: for the box, or
 * null where nobody comes back, after a reload. */
export function returned(query) {
	const paymentId = query.get('payment');
	if (!paymentId) return null;
	const said = Object.entries(CARRIED)
		.map(([name, theirs]) => [name, theirs.map((n) => query.get(n)).find(Boolean)])
		.filter(([, value]) => value);
	const came = said.length > 0 || BARE.some((name) => query.has(name));
	return { paymentId, back: came ? Object.fromEntries(said) : null };
}

/* The same of a promise that was kept where the page was not left. */
export const resolved = (answer) => returned(new URLSearchParams({ payment: '-', ...answer })).back;

/* Words by which providers say that the guest closed the window: no card was refused. */
const CLOSED = ['CLOSED', 'PAY_PROCESS_CANCELED', 'USER_CANCEL', 'CANCELED', 'CANCELLED'];

export const isClosed = (back) =>
	Boolean(back?.code) && CLOSED.some((word) => back.code.toUpperCase().includes(word));

/* ---- what is asked of a provider ---- */

/* The address that it sends the guest back to. */
export const backAddress = (origin, restaurantId, paymentId) =>
	`${origin}/pay?${new URLSearchParams({ restaurant: restaurantId, payment: paymentId })}`;

/* Who pays, as some card companies want it; without what is not known. */
const buyerOf = ({ name, phone, email } = {}, names) =>
	Object.fromEntries(
		[
			[names[0], name],
			[names[1], phone?.replace(/[^0-9]/g, '')],
			[names[2], email],
		].filter(([, value]) => value),
	);

const PORTONE_LOCALES = { ko: 'KO_KR', en: 'EN_US' };

/* PortOne: a payment, or a card that is kept. */
export function portoneRequest(intent, { address, lang }) {
	const { page, paymentId, orderName, amount, currency } = intent;
	const shared = {
		storeId: page.storeId,
		channelKey: page.channelKey,
		redirectUrl: address,
		forceRedirect: true,
		locale: PORTONE_LOCALES[lang],
		customer: buyerOf(intent.guest, ['fullName', 'phoneNumber', 'email']),
	};
	if (intent.purpose === 'CARD')
		return { ...shared, billingKeyMethod: 'CARD', issueId: paymentId, issueName: orderName };
	return { ...shared, paymentId, orderName, totalAmount: amount, currency, payMethod: 'CARD' };
}

/* Toss Payments: the same.  Its amounts are as people write them: 19.50 for 1950 cents. */
export function tossRequest(intent, { address }) {
	const { paymentId, orderName, amount, currency, currencyDigits = 0 } = intent;
	const buyer = buyerOf(intent.guest, ['customerName', 'customerMobilePhone', 'customerEmail']);
	const ways = { method: 'CARD', successUrl: address, failUrl: address };
	const { customerMobilePhone, ...known } = buyer;
	if (intent.purpose === 'CARD') return { ...ways, ...known };
	return {
		...ways,
		...buyer,
		amount: { currency, value: amount / 10 ** currencyDigits },
		orderId: paymentId,
		orderName,
		windowTarget: 'self',
	};
}
