/*
 * change.js - another time, size or table for a reservation, or its end.
 */
import { get } from '../../api.js';
import { clockTime, minutesOf } from '../../dates.js';
import { ask } from '../../dialogs.js';
import { actions, field } from '../../forms.js';
import { money, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { lengthOf } from '../evening/state.js';
import { partyInput, tablePicker, timeInput } from './inputs.js';
import { act, change } from './send.js';

/* ---- another time, size or table ---- */

export async function edit(desk, r) {
	const day = el('input', { type: 'date', value: r.slotDate });
	const time = timeInput(null, clockTime(r.slotTime));
	const party = partyInput(null, r.partySize);
	const tables = tablePicker(desk, r.tables);
	const mark = () =>
		time.value &&
		tables.mark({
			date: day.value,
			minute: minutesOf(time.value),
			minutes: lengthOf(r),
			self: r.reservationId,
		});
	for (const input of [day, time]) input.addEventListener('change', mark);
	mark();
	const read = () => ({
		...(day.value !== r.slotDate ? { slotDate: day.value } : {}),
		...(time.value !== clockTime(r.slotTime) ? { slotTime: time.value } : {}),
		...(Number(party.value) !== r.partySize ? { partySize: Number(party.value) } : {}),
		...tables.wish(),
	});
	const wish = await ask('edit-title', (close) =>
		[
			el('h2', { id: 'edit-title' }, `${r.guestName} · ${t('edit')}`),
			field('e-date', t('date'), day),
			field('e-time', t('time'), time),
			field('e-party', t('partySize'), party),
			tables.node,
			actions(button(t('save'), () => close(read()), { class: 'primary' })),
		].filter(Boolean),
	);
	if (wish) await change(desk, r, wish);
}

/* ---- cancelling ---- */

const choice = (input, label, ...more) =>
	el('label', { class: 'choice' }, input, el('span', { class: 'body' }, el('b', {}, label), more));

/* What goes back either way. */
function drawRefund(r, all, byTerms) {
	const terms = el('span', {});
	const tell = ({ refundIfCancelledNow: sum }) => {
		terms.textContent = ` ${money(sum, r)}`;
	};
	/* The choice is there without the sum, too. */
	get(`/api/reservations/${r.reservationId}`).then(tell, () => {});
	return el(
		'div',
		{ class: 'choices' },
		choice(all, t('refundAll'), ` ${money(r.paidAmount, r)}`),
		choice(byTerms, t('refundTerms'), terms),
	);
}

export async function cancel(desk, r) {
	const reason = el('input', { 'data-limit': LENGTHS.reason });
	const all = el('input', { type: 'radio', name: 'refund', checked: true });
	const byTerms = el('input', { type: 'radio', name: 'refund' });
	const read = () => ({
		refundAll: all.checked ? 1 : 0,
		...(reason.value.trim() ? { reason: reason.value.trim() } : {}),
	});
	const refund = r.paidAmount > 0 && drawRefund(r, all, byTerms);
	const wish = await ask('cancel-title', (close) =>
		[
			el('h2', { id: 'cancel-title' }, t('sureCancel')),
			el('p', {}, `${clockTime(r.slotTime)} ${r.guestName} ${t('people', r.partySize)}`),
			field('c-reason', t('reason'), reason),
			refund,
			actions(
				button(t('cancel'), () => reason.reportValidity() && close(read()), {
					class: 'danger solid',
				}),
				button(t('keepIt'), () => close(), { class: 'plain' }),
			),
		].filter(Boolean),
	);
	if (wish) await act(desk, r, 'cancel', wish);
}
