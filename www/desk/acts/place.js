/*
 * place.js - where a party sits and how long: other tables, a swap, a longer or a shorter stay.
 */
import { clockTime, minutesOf } from '../../dates.js';
import { ask } from '../../dialogs.js';
import { actions, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { spotOf } from '../evening/lanes.js';
import { lengthOf, stands, tableNames } from '../evening/state.js';
import { tablePicker, timeInput } from './inputs.js';
import { couldSwap, SHORTEST_MIN } from './reasons.js';
import { change, swap } from './send.js';

const DAY_MIN = 24 * 60;
const STEPS = [-15, 15, 30];

/** How many minutes a stay is that ends at that time of day. */
export function minutesUntil(startsAt, time) {
	const minutes = minutesOf(time) - minutesOf(startsAt);
	return minutes > 0 ? minutes : minutes + DAY_MIN;
}

/** A longer or a shorter stay, by a step or to an end. */
export async function stay(desk, r) {
	const length = lengthOf(r);
	const end = timeInput(null, desk.at(r.endsAt));
	const step = (minutes, close) =>
		button(
			t(minutes > 0 ? 'stayLonger' : 'stayShorter', Math.abs(minutes)),
			() => close(length + minutes),
			{
				class: 'soft',
				disabled: length + minutes < SHORTEST_MIN,
			},
		);
	const wish = await ask('stay-title', (close) => [
		el('h2', { id: 'stay-title' }, `${r.guestName} · ${t('stay')}`),
		el('p', {}, `${clockTime(r.slotTime)} · ${t('until', desk.at(r.endsAt))}`),
		el(
			'div',
			{ class: 'actions many' },
			STEPS.map((minutes) => step(minutes, close)),
		),
		field(null, t('stayUntil'), end),
		actions(
			button(
				t('save'),
				() => end.reportValidity() && close(minutesUntil(desk.at(r.startsAt), end.value)),
				{
					class: 'primary',
				},
			),
		),
	]);
	if (wish && wish !== length) await change(desk, r, { sittingMinutes: wish });
}

/* Whom it could change tables with: everybody who has others, if both find room. */
const partners = (desk, r) =>
	desk.day.reservations.filter(
		(o) =>
			stands(o) &&
			!o.changeOf &&
			o.reservationId !== r.reservationId &&
			couldSwap(r, o, desk.day.tables),
	);

function drawPartners(desk, r, close) {
	const list = partners(desk, r);
	if (!list.length) return null;
	const label = (o) => {
		const who = `${clockTime(o.slotTime)} ${o.guestName} ${t('people', o.partySize)}`;
		return `${who} · ${t('tableOf', tableNames(o, desk.day))}`;
	};
	return el(
		'details',
		{ class: 'partners' },
		el('summary', {}, t('swap')),
		el(
			'div',
			{ class: 'actions many' },
			list.map((o) => button(label(o), () => close({ other: o }), { class: 'soft' })),
		),
	);
}

/** Other tables, one more, one less; or those of another party, which gets these. */
export async function place(desk, r) {
	const tables = tablePicker(desk, r.tables);
	const { minute, minutes } = spotOf(r, desk.clock().ms);
	tables.mark({ date: r.slotDate, minute, minutes, self: r.reservationId });
	const wish = await ask(
		'place-title',
		(close) =>
			[
				el('h2', { id: 'place-title' }, `${r.guestName} · ${t('table')}`),
				tables.node,
				actions(button(t('save'), () => close(tables.wish()), { class: 'primary' })),
				drawPartners(desk, r, close),
			].filter(Boolean),
		{ className: 'wide' },
	);
	if (wish?.other) await swap(desk, r, wish.other);
	else if (wish?.tables) await change(desk, r, wish);
}
