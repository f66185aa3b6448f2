/*
 * trial.js - a payment on trial: the owner pays a little as a guest does, and gets it back.
 */
import { get } from '../../api.js';
import { actions } from '../../forms.js';
import { money } from '../../i18n.js';
import { hearTrial } from '../../pay/trial.js';
import { announce, button, el, sleep } from '../../ui.js';
import { p } from './say.js';
import { DONE, wentOf } from './went.js';

const LOOKS = 300; /* this often we ask how it goes */
const LOOK_MS = 2000;
const TRIED = [100, 1]; /* a hundred won; one unit of a currency with digits */

/* How the last one goes, in the node: what the box says of it, and what the other window told. */
class Result {
	constructor({ set, restaurantId }) {
		const at = Date.parse(set.try?.at);
		Object.assign(this, { last: set.try, cashier: set.cashier, restaurantId, told: null });
		this.since = Number.isNaN(at) ? Date.now() : at;
		this.node = el('p', { class: 'result', role: 'status' });
		this.draw();
	}

	draw() {
		const { told, cashier } = this;
		const waitedMs = Date.now() - this.since;
		const { names, words, bad } = wentOf(this.last, { told, cashier, waitedMs });
		const text = [...names.map((name) => p(name)), words && p('said', words)]
			.filter(Boolean)
			.join(' ');
		this.node.classList.toggle('bad', bad);
		if (this.node.textContent === text) return;
		this.node.textContent = text;
		if (this.node.isConnected) announce(text);
	}

	/* Asks until it is over, or the card is left, or another one began. */
	async follow(query, card) {
		const former = this.last?.paymentId;
		const since = Date.now();
		Object.assign(this, { last: { state: 'READY', paymentId: former }, since, told: null });
		this.stop?.();
		const stop = hearTrial(this.restaurantId, (word) => {
			this.told = word === 'going' ? null : word;
			if (word === 'going') this.since = Date.now();
			this.draw();
		});
		this.stop = stop;
		this.draw();
		for (let i = 0; i < LOOKS && card.isConnected && this.stop === stop; i++) {
			await sleep(LOOK_MS);
			const set = await get('/api/desk/payments/settings', { query }).catch(() => null);
			if (this.stop !== stop) break;
			this.cashier = set?.cashier ?? this.cashier;
			if (set?.try && set.try.paymentId !== former) this.last = set.try;
			this.draw();
			if (DONE.includes(this.last.state)) break;
		}
		stop();
	}
}

/** The button, and how the last one went. */
export function trialRow(desk, { set, house, query, card }) {
	const digits = house.currencyDigits;
	const sum = money(digits ? TRIED[1] * 10 ** digits : TRIED[0], house);
	const { restaurantId } = desk;
	const result = new Result({ set, restaurantId });
	function open() {
		if (card.unsaved?.()) {
			result.node.textContent = p('trySave');
			return;
		}
		result.follow(query, card);
		window.open(`/pay?restaurant=${restaurantId}&try=1#go`, '_blank', 'noopener');
	}
	const go = button(p('tryIt', sum), open, { class: 'soft', id: 'pay-try', 'data-field': 'try' });
	return el(
		'div',
		{ class: 'trial' },
		el('p', { class: 'hint' }, p('tryAbout', sum)),
		actions(go, result.node),
	);
}
