/*
 * payment.js - money that came for a reservation, also late, also twice.
 */
import { ask } from '../../dialogs.js';
import { actions } from '../../forms.js';
import { money, t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { coming, isOver, mayPayAgain } from '../evening/state.js';
import { act } from './send.js';

/* What staff must know before they say that it came. */
function warnings(r, shown) {
	const late = isOver(r) && (r.status === 'CANCELED' ? 'surePaidCancelled' : 'surePaidLate');
	const second = coming(r) && r.paidAmount > 0 && !r.changeDue;
	return [
		late && t(late),
		second && t('surePaidAgain'),
		r.dueBackAmount > 0 && t('dueBack', shown(r.dueBackAmount)),
	].filter(Boolean);
}

/* What is due back may be the money that is meant: then no second payment is written. */
function answers(r, close) {
	const again = { again: mayPayAgain(r) && !r.changeDue ? 1 : 0 };
	const leave = button(t('close'), () => close(), { class: 'plain' });
	if (!isOver(r) || !r.dueBackAmount) {
		return [button(t('yesPaid'), () => close(again), { class: 'primary' }), leave];
	}
	const same = () => close(r.status === 'CANCELED' ? undefined : { again: 0 });
	return [
		button(t('samePayment'), same, { class: 'primary' }),
		button(t('onceMore'), () => close(again), { class: 'soft' }),
		leave,
	];
}

export async function confirmPayment(desk, r) {
	const shown = (sum) => money(sum, r);
	const amount = r.changeDue || r.totalAmount;
	const again = await ask('pay-title', (close) => [
		el('h2', { id: 'pay-title' }, r.guestName),
		el('p', {}, t('surePaid', shown(amount))),
		...warnings(r, shown).map((text) => el('p', {}, text)),
		actions(...answers(r, close)),
	]);
	if (again) await act(desk, r, 'confirm', { ...again, ...(amount ? { amount } : {}) });
}
