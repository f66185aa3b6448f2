/*
 * trial.js - a payment on trial: the owner pays a little as a guest does, and gets it back.
 */
import { get } from '../../api.js';
import { actions } from '../../forms.js';
import { money } from '../../i18n.js';
import { announce, button, el, sleep } from '../../ui.js';
import { causeOf } from './keys.js';
import { p } from './say.js';

const LOOKS = 300; /* this often we ask how it goes */
const LOOK_MS = 2000;
const DONE = ['REFUNDED', 'DECLINED', 'NOTHING_CHARGED'];
const TRIED = [100, 1]; /* a hundred won; one unit of a currency with digits */

/* The provider, or the bank, said no; without words there was only nothing paid. */
const isRefused = (last) => last?.state === 'DECLINED' || Boolean(last?.words && isOver(last));
const isOver = ({ state }) => DONE.includes(state) && state !== 'REFUNDED';

/* How it went, in a sentence; what is wrong with a key in words that say what to do. */
function outcome(last) {
	if (!last) return '';
	if (!isRefused(last)) return p(`tries.${last.state}`);
	const cause = causeOf(last.words);
	const said = last.words && p('said', last.words);
	return [p('tries.DECLINED'), cause && p(cause), said].filter(Boolean).join(' ');
}

/* Asks until it is over, or the card is left. */
async function followTrial(query, card, show) {
	for (let i = 0; i < LOOKS && card.isConnected; i++) {
		await sleep(LOOK_MS);
		const set = await get('/api/desk/payments/settings', { query }).catch(() => null);
		if (!set?.try) continue;
		show(set.try);
		if (DONE.includes(set.try.state)) return;
	}
}

/** The button, and how the last one went. */
export function trialRow(desk, { set, house, query, card }) {
	const digits = house.currencyDigits;
	const sum = money(digits ? TRIED[1] * 10 ** digits : TRIED[0], house);
	const bad = isRefused(set.try) ? 'bad' : '';
	const result = el('p', { class: `result ${bad}`, role: 'status' }, outcome(set.try));
	const show = (last) => {
		const text = outcome(last);
		if (result.textContent === text) return;
		result.textContent = text;
		result.classList.toggle('bad', isRefused(last));
		announce(text);
	};
	function open() {
		if (card.unsaved?.()) {
			result.textContent = p('trySave');
			return;
		}
		window.open(`/pay?restaurant=${desk.restaurantId}&try=1#go`, '_blank', 'noopener');
		show({ state: 'READY' });
		followTrial(query, card, show);
	}
	const go = button(p('tryIt', sum), open, { class: 'soft', id: 'pay-try', 'data-field': 'try' });
	return el(
		'div',
		{ class: 'trial' },
		el('p', { class: 'hint' }, p('tryAbout', sum)),
		actions(go, result),
	);
}
