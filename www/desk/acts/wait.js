/*
 * wait.js - a guest who waits for a full time is put on the list; and how many may start at a time.
 */

import { post, put } from '../../api.js';
import { clockTime } from '../../dates.js';
import { askForm, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { el } from '../../ui.js';
import { fullTime } from '../evening/state.js';
import { dayInput, nameInput, partyInput, phoneInput, timeInput } from './inputs.js';

const CAPACITY_MAX = 10000;

/** A guest at the door or on the telephone waits for a time. */
export async function addWaiter(desk) {
	const day = dayInput(desk, 'aw-date');
	const time = timeInput('aw-time', fullTime(desk.day, desk.clock()));
	const party = partyInput('aw-party');
	const name = nameInput('aw-name', { required: true });
	const phone = phoneInput(desk, 'aw-phone', { required: true });
	const wish = () => ({
		slotDate: day.value,
		slotTime: time.value,
		partySize: Number(party.value),
		guestName: name.value.trim(),
		phone: phone.value.trim(),
	});
	const w = await askForm(t('addWait'), {
		content: [
			el(
				'div',
				{ class: 'grid-fields' },
				field(null, t('date'), day),
				field(null, t('time'), time),
				field(null, t('partySize'), party),
			),
			field(null, t('name'), name),
			field(null, t('phone'), phone),
		],
		submit: t('addWait'),
		send: () => post('/api/desk/waitlist', wish(), { query: desk.query() }),
		explain: desk.sentence,
		className: 'wide',
	});
	if (!w) return;
	desk.say(`${w.guestName} · ${t('rank', w.rank)}`);
	await desk.refresh();
}

/**
 * How many may start at one time of this day: fewer for a private party, more with chairs from the
 * cellar.
 */
export async function pace(desk, slot) {
	const { slotTime, remaining, waiting } = slot;
	const capacity = el('input', {
		type: 'number',
		min: '0',
		max: String(CAPACITY_MAX),
		value: String(slot.capacity),
		inputMode: 'numeric',
		required: true,
	});
	const wish = () => ({ slotDate: desk.day.date, slotTime, capacity: Number(capacity.value) });
	const saved = await askForm(`${clockTime(slotTime)} · ${t('pace')}`, {
		content: [
			el('p', { class: 'hint' }, t('paceText', remaining, waiting)),
			field('pace-n', t('paceLabel'), capacity),
		],
		submit: t('save'),
		send: () => put('/api/desk/slots', wish(), { query: desk.query() }),
		explain: desk.sentence,
	});
	if (!saved) return;
	desk.say(`${clockTime(slotTime)} · ${t('saved')}`);
	await desk.refresh();
}
