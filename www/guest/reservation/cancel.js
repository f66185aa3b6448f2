/*
 * cancel.js - asks whether a reservation shall be cancelled, and why.
 */
import { ask } from '../../dialogs.js';
import { actions, field } from '../../forms.js';
import { money, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { slotText } from './parts.js';
import { cancelText, joinReason } from './states.js';

const MORE_MAX = 60;

const reasonChip = (text) =>
	el(
		'label',
		{ class: 'chip' },
		el('input', { type: 'radio', name: 'reason', value: text }),
		el('span', {}, text),
	);

function drawReasons() {
	return el(
		'fieldset',
		{ class: 'reasons' },
		el('legend', {}, `${t('reason')} (${t('optional')})`),
		el('div', { class: 'chips wrap' }, t('reasons').map(reasonChip)),
	);
}

/* What it does to the money, before it is done. */
function drawMoney(r) {
	const sum = (n) => money(n, r);
	const { name, sums = [] } = cancelText(r);
	return [
		el('p', { class: 'notice refund' }, t(name, ...sums.map(sum))),
		r.dueBackAmount > 0 && el('p', { class: 'notice' }, t('owedToo', sum(r.dueBackAmount))),
	];
}

/* why: they were asked before.  Resolves to a reason, which may be '', or to undefined where the
 * guest keeps the reservation. */
export function askToCancel(r, why = '') {
	return ask('cancel-title', (close) => {
		const more = el('input', { maxLength: MORE_MAX, autocomplete: 'off' });
		const onsubmit = (event) => {
			event.preventDefault();
			close(joinReason(form.elements.reason.value, more.value, LENGTHS.reason));
		};
		const form = el(
			'form',
			{ method: 'dialog', onsubmit },
			el('h2', { id: 'cancel-title' }, t('cancelTitle')),
			el('p', {}, slotText(r)),
			why && el('p', { class: 'wrong', role: 'alert' }, why),
			...drawMoney(r),
			drawReasons(),
			field('reason-more', t('reasonMore'), more),
			actions(
				button(t('cancelNo'), () => close(undefined), { class: 'soft' }),
				el('button', { type: 'submit', class: 'danger solid' }, t('cancelYes')),
			),
		);
		return [form];
	});
}
