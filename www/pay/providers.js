/*
 * providers.js - the way to each provider: its script, if it has one, and its window.
 *
 * Their scripts have no fixed version, so no hash can be asked of them.  They are loaded on this
 * page alone, which knows nothing but what is paid, and whose policy lets in no other script.
 */
import { el } from '../ui.js';
import { portoneRequest, resolved, tossRequest } from './state.js';

const SCRIPTS = {
	portone: 'https://cdn.portone.io/v2/browser-sdk.js',
	toss: 'https://js.tosspayments.com/v2/standard',
};
const ANONYMOUS = 'ANONYMOUS'; /* Toss: a guest without an account there */

const scripts = new Map();

/* One that did not come may come at the next try. */
function load(src) {
	if (!scripts.has(src)) {
		const coming = new Promise((resolve, reject) => {
			document.head.append(el('script', { src, onload: resolve, onerror: reject }));
		});
		scripts.set(src, coming);
		coming.catch(() => scripts.delete(src));
	}
	return scripts.get(src);
}

async function portone(intent, where) {
	const request = portoneRequest(intent, where);
	const { PortOne } = window;
	const open = intent.purpose === 'CARD' ? 'requestIssueBillingKey' : 'requestPayment';
	const answer = await PortOne[open](request);
	return answer && resolved(answer);
}

async function toss(intent, where) {
	const request = tossRequest(intent, where);
	const customerKey = intent.page.customerKey ?? ANONYMOUS;
	const payment = window.TossPayments(intent.page.clientKey).payment({ customerKey });
	await (intent.purpose === 'CARD'
		? payment.requestBillingAuth(request)
		: payment.requestPayment(request));
}

async function stripe({ page }) {
	location.assign(page.sessionUrl);
}

const OPEN = { portone, toss, stripe };

/* Brings what the way there needs, while the guest still reads. */
export const prepare = ({ provider }) =>
	SCRIPTS[provider] ? load(SCRIPTS[provider]) : Promise.resolve();

/*
 * Leaves for the provider's window.  Resolves to what it said where the page was not left, or to
 * nothing, as the browser is on its way; throws where there is no window.
 */
export async function depart(intent, where) {
	await prepare(intent);
	return OPEN[intent.provider](intent, where);
}
