/*
 * waitlist.js - who waits for a full time: on the evening's list, with what staff do about it; and how many may start then.
 */
import { post, put } from '../api.js';
import { addDays } from '../dates.js';
import { t } from '../i18n.js';
import { LENGTHS } from '../lengths.js';
import { announce, ask, button, el } from '../ui.js';
import { telOf } from './acts.js';

const field = (id, label, input) =>
	el('div', { class: 'field' }, el('label', { for: id }, label), Object.assign(input, { id }));

async function send(desk, said, call) {
	try {
		await call();
		desk.say(said);
		announce(said);
	} catch (error) {
		const text = desk.sentence(error);
		desk.say(text);
		announce(text, true);
	}
	await desk.refresh();
}

/* Everybody who waits for one time leaves the list; asked first, because it cannot be taken back. */
async function clearTime(desk, time, count) {
	const sure = await ask('clear-title', (close) => [
		el('h2', { id: 'clear-title' }, t('clearWaitAsk', time, count)),
		el('p', {}, t('clearWaitText')),
		el(
			'div',
			{ class: 'actions' },
			button(t('close'), () => close(false), { class: 'soft' }),
			button(t('clearWait'), () => close(true), { class: 'danger solid', id: 'clear-sure' }),
		),
	]);
	if (!sure) return;
	const slot = { slotDate: desk.day.date, slotTime: time };
	await send(desk, `${time} · ${t('didClear')}`, () =>
		post('/api/desk/waitlist/clear', slot, { query: desk.query() }),
	);
}

/* A button for each time for which two or more wait: one alone has a button of their own. */
function clearButtons(desk, list) {
	const times = [...new Set(list.map((w) => w.slotTime))];
	const counts = times.map((time) => [time, list.filter((w) => w.slotTime === time).length]);
	const many = counts.filter(([, count]) => count > 1);
	if (!many.length) return null;
	return el(
		'div',
		{ class: 'acts clear-waits' },
		many.map(([time, count]) =>
			button(t('clearWaitOf', time, count), () => clearTime(desk, time, count), {
				class: 'plain danger',
				'data-act': 'clear',
				'data-time': time,
			}),
		),
	);
}

/* The box below the late ones; null where nobody waits. */
export function waitBox(desk) {
	const list = desk.day.waitlist ?? [];
	if (!list.length) return null;
	return el(
		'section',
		{ class: 'wait-box', 'aria-labelledby': 'wait-head' },
		el('h2', { id: 'wait-head' }, `${t('waiting')} ${list.length}`),
		el(
			'ul',
			{},
			list.map((w) => {
				const offered = w.status === 'OFFERED';
				return el(
					'li',
					{ class: `party waiter${offered ? ' offered' : ''}`, 'data-id': `w${w.waitlistId}` },
					el(
						'div',
						{ class: 'who' },
						el('span', { class: 'size' }, String(w.partySize)),
						el(
							'span',
							{ class: 'name' },
							el('b', {}, `${w.slotTime} ${w.guestName}`),
							el(
								'span',
								{},
								offered ? t('offeredUntil', desk.at(w.offerExpiresAt)) : t('rank', w.rank),
							),
						),
					),
					el(
						'div',
						{ class: 'acts' },
						w.phone ? el('a', { class: 'button soft', href: telOf(w.phone) }, t('call')) : null,
						offered
							? null
							: button(
									t('offer'),
									() =>
										send(desk, `${w.guestName} · ${t('didOffer')}`, () =>
											post(`/api/desk/waitlist/${w.waitlistId}/offer`, {}),
										),
									{ class: 'primary', 'data-act': 'offer' },
								),
						button(
							t('removeWait'),
							() =>
								send(desk, `${w.guestName} · ${t('didRemove')}`, () =>
									post(`/api/desk/waitlist/${w.waitlistId}/remove`, {}),
								),
							{ class: 'soft', 'data-act': 'remove' },
						),
					),
				);
			}),
		),
		clearButtons(desk, list),
	);
}

/* Somebody at the door or on the telephone waits for a time. */
export async function addWaiter(desk) {
	const { today } = desk.clock();
	const day = el('input', {
		type: 'date',
		value: desk.day.date < today ? today : desk.day.date,
		min: today,
		max: addDays(today, 730),
		required: true,
	});
	const full = desk.day.slots.find(
		(s) => !s.remaining && (desk.day.date > today || s.slotTime > desk.clock().time),
	);
	const time = el('input', {
		type: 'time',
		required: true,
		step: '300',
		value: full?.slotTime ?? desk.day.slots.at(-1)?.slotTime ?? '18:00',
	});
	const party = el('input', {
		type: 'number',
		min: '1',
		max: '1000',
		value: '2',
		inputMode: 'numeric',
		required: true,
	});
	const name = el('input', { maxLength: LENGTHS.name, autocomplete: 'off', required: true });
	const phone = el('input', {
		type: 'tel',
		inputMode: 'tel',
		autocomplete: 'off',
		maxLength: LENGTHS.phone,
		required: true,
	});
	const wrong = el('p', { class: 'wrong', role: 'alert' });
	await ask(
		'add-wait-title',
		(close) => [
			el(
				'form',
				{
					onsubmit: async (event) => {
						event.preventDefault();
						wrong.textContent = '';
						try {
							const w = await post(
								'/api/desk/waitlist',
								{
									slotDate: day.value,
									slotTime: time.value,
									partySize: Number(party.value),
									guestName: name.value.trim(),
									phone: phone.value.trim(),
								},
								{ query: desk.query() },
							);
							close(w);
							desk.say(`${w.guestName} · ${t('rank', w.rank)}`);
							await desk.refresh();
						} catch (error) {
							wrong.textContent = desk.sentence(error);
						}
					},
				},
				el('h2', { id: 'add-wait-title' }, t('addWait')),
				el(
					'div',
					{ class: 'grid-fields' },
					field('aw-date', t('date'), day),
					field('aw-time', t('time'), time),
					field('aw-party', t('partySize'), party),
				),
				field('aw-name', t('name'), name),
				field('aw-phone', t('phone'), phone),
				wrong,
				el(
					'div',
					{ class: 'actions' },
					el('button', { type: 'submit', class: 'primary' }, t('addWait')),
					button(t('close'), () => close(), { class: 'plain' }),
				),
			),
		],
		{ className: 'wide' },
	);
}

/* How many may start at one time of this day: fewer for a private party, more with chairs from the cellar. */
export async function pace(desk, slot) {
	const capacity = el('input', {
		type: 'number',
		min: '0',
		max: '10000',
		value: String(slot.capacity),
		inputMode: 'numeric',
		required: true,
	});
	const wrong = el('p', { class: 'wrong', role: 'alert' });
	await ask('pace-title', (close) => [
		el(
			'form',
			{
				onsubmit: async (event) => {
					event.preventDefault();
					try {
						await put(
							'/api/desk/slots',
							{
								slotDate: desk.day.date,
								slotTime: slot.slotTime,
								capacity: Number(capacity.value),
							},
							{ query: desk.query() },
						);
						close();
						desk.say(`${slot.slotTime} · ${t('saved')}`);
						await desk.refresh();
					} catch (error) {
						wrong.textContent = desk.sentence(error);
					}
				},
			},
			el('h2', { id: 'pace-title' }, `${slot.slotTime} · ${t('pace')}`),
			el('p', { class: 'hint' }, t('paceText', slot.remaining, slot.waiting)),
			field('pace-n', t('paceLabel'), capacity),
			wrong,
			el(
				'div',
				{ class: 'actions' },
				el('button', { type: 'submit', class: 'primary' }, t('save')),
				button(t('close'), () => close(), { class: 'plain' }),
			),
		),
	]);
}
