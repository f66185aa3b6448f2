/*
 * acts.js - what staff do with a reservation: one tap each, with the way back; and the dialogs for what needs more.
 */
import { get, patch, post } from '../api.js';
import { addDays, minutesOf, timeOf } from '../dates.js';
import { longDay, money, t } from '../i18n.js';
import { LENGTHS } from '../lengths.js';
import { announce, ask, button, el, freshKey, submit } from '../ui.js';

export const active = (r) => ['TEMPORARY', 'CONFIRMED', 'PREPAY_CONFIRM'].includes(r.status);
export const coming = (r) => ['CONFIRMED', 'PREPAY_CONFIRM'].includes(r.status);
export const telOf = (phone) => `tel:${phone.replace(/[^0-9+]/g, '')}`;
export const tableNames = (desk, r) =>
	r.tables
		.map((id) => desk.day?.tables.find((table) => table.tableId === id)?.name ?? id)
		.join(' + ');

/* What went wrong, in words that help: who was faster, which times fit. */
async function explain(desk, error) {
	if (error.body?.reservation) desk.learn(error.body.reservation);
	if (error.code === 'STALE' && error.body.reservation) {
		const id = Number(error.body.changedBy?.split(':')[1]);
		const who =
			id && id === desk.me.userId ? null : await whoIs(error.body.reservation.reservationId);
		return desk.say(who ? t('staleBy', who) : t('staleElsewhere'));
	}
	const times = error.body?.alternatives?.map((a) => a.slotTime).join(', ');
	const text = [desk.sentence(error), times && t('fits', times)].filter(Boolean).join(' ');
	announce(text, true);
	return desk.say(text);
}

async function whoIs(id) {
	const answer = await get(`/api/desk/reservations/${id}/history`).catch(() => null);
	return answer?.history.find((h) => h.name)?.name;
}

/* Sends it and shows what came of it, with the way back if there is one; true if it was done. */
async function send(desk, word, call, back = (r) => r.undo && (() => act(desk, r, 'undo'))) {
	if (!desk.connected) return false;
	try {
		const r = await call();
		desk.learn(r);
		announce(t(`did.${word}`));
		desk.say(`${r.guestName} · ${t(`did.${word}`)}`, back(r));
		return true;
	} catch (error) {
		await explain(desk, error);
		return false;
	}
}

export const act = (desk, r, word, more = {}) =>
	send(
		desk,
		word,
		() =>
			post(`/api/desk/reservations/${r.reservationId}/${word}`, { version: r.version, ...more }),
		word === 'undo' ? () => undefined : undefined,
	);
/* A party that was put in by mistake is taken out again. */
const takeOut = (desk, r) => () => act(desk, r, 'cancel', { refundAll: 1, reason: t('undo') });

/* Another time, size or table. */
export const change = (desk, r, wish) =>
	send(desk, 'change', () =>
		patch(`/api/desk/reservations/${r.reservationId}`, { version: r.version, ...wish }),
	);

const field = (id, label, input) =>
	el('div', { class: 'field' }, el('label', { for: id }, label), Object.assign(input, { id }));
const foot = (...buttons) => el('div', { class: 'actions' }, ...buttons);

/* Tables as toggles; nothing pressed is "whichever fit". */
function tablePicker(desk, chosen = []) {
	if (!desk.day?.tables.length) return { node: null, value: () => [] };
	const node = el(
		'fieldset',
		{ class: 'tables' },
		el('legend', {}, t('chooseTables')),
		el(
			'div',
			{ class: 'chips wrap' },
			desk.day.tables.map((table) =>
				el(
					'label',
					{ class: 'chip' },
					el('input', {
						type: 'checkbox',
						value: String(table.tableId),
						checked: chosen.includes(table.tableId),
					}),
					el('span', {}, `${table.name} (${table.seatsMax})`),
				),
			),
		),
		el('p', { class: 'hint' }, t('anyTable')),
	);
	return {
		node,
		value: () =>
			[...node.querySelectorAll('input:checked')].map((input) => ({
				tableId: Number(input.value),
			})),
	};
}

/* ---- more than one tap ---- */

/* Money can come for a hold that is over, and more than once. */
const isOver = (r) => ['EXPIRED', 'CANCELED'].includes(r.status);
const mayPayAgain = (r) =>
	r.changeDue > 0 || (r.totalAmount > 0 && (isOver(r) || (coming(r) && r.paidAmount > 0)));

export async function confirmPayment(desk, r) {
	const { currency } = desk.day.house;
	/* What is due back may be the money that is meant: then no second payment is written. */
	const there = isOver(r) && r.dueBackAmount > 0;
	const cancelled = r.status === 'CANCELED';
	const second = coming(r) && r.paidAmount > 0 && !r.changeDue;
	const amount = r.changeDue || r.totalAmount;
	const again = await ask('pay-title', (close) => [
		el('h2', { id: 'pay-title' }, r.guestName),
		el('p', {}, t('surePaid', money(amount, currency))),
		isOver(r) ? el('p', {}, t(cancelled ? 'surePaidCancelled' : 'surePaidLate')) : '',
		second ? el('p', {}, t('surePaidAgain')) : '',
		r.dueBackAmount ? el('p', {}, t('dueBack', money(r.dueBackAmount, currency))) : '',
		foot(
			there
				? button(t('samePayment'), () => close(cancelled ? undefined : { again: 0 }), {
						class: 'primary',
					})
				: '',
			button(
				there ? t('onceMore') : t('yesPaid'),
				() => close({ again: mayPayAgain(r) && !r.changeDue ? 1 : 0 }),
				{ class: there ? 'soft' : 'primary' },
			),
			button(t('close'), () => close(), { class: 'plain' }),
		),
	]);
	if (again) await act(desk, r, 'confirm', { ...again, ...(amount ? { amount } : {}) });
}

async function cancel(desk, r) {
	const reason = el('input', { maxLength: LENGTHS.reason });
	const all = el('input', { type: 'radio', name: 'refund', checked: true });
	const answer = await ask('cancel-title', (close) =>
		[
			el('h2', { id: 'cancel-title' }, t('sureCancel')),
			el('p', {}, `${r.slotTime} ${r.guestName} ${t('people', r.partySize)}`),
			field('c-reason', t('reason'), reason),
			r.paidAmount
				? el(
						'div',
						{ class: 'choices' },
						[
							[all, 'refundAll'],
							[el('input', { type: 'radio', name: 'refund' }), 'refundTerms'],
						].map(([input, text]) =>
							el(
								'label',
								{ class: 'choice' },
								input,
								el('span', { class: 'body' }, el('b', {}, t(text))),
							),
						),
					)
				: null,
			foot(
				button(
					t('cancel'),
					() => close({ reason: reason.value.trim(), refundAll: all.checked ? 1 : 0 }),
					{ class: 'danger solid' },
				),
				button(t('keepIt'), () => close(), { class: 'plain' }),
			),
		].filter(Boolean),
	);
	if (answer)
		await act(desk, r, 'cancel', {
			refundAll: answer.refundAll,
			...(answer.reason ? { reason: answer.reason } : {}),
		});
}

async function edit(desk, r) {
	const day = el('input', { type: 'date', value: r.slotDate });
	const time = el('input', { type: 'time', value: r.slotTime, step: '300' });
	const party = el('input', {
		type: 'number',
		min: '1',
		max: '1000',
		value: String(r.partySize),
		inputMode: 'numeric',
	});
	const tables = tablePicker(desk, r.tables);
	const wish = await ask('edit-title', (close) =>
		[
			el('h2', { id: 'edit-title' }, `${r.guestName} · ${t('edit')}`),
			field('e-date', t('date'), day),
			field('e-time', t('time'), time),
			field('e-party', t('partySize'), party),
			tables.node,
			foot(
				button(
					t('save'),
					() =>
						close({
							...(day.value !== r.slotDate ? { slotDate: day.value } : {}),
							...(time.value !== r.slotTime ? { slotTime: time.value } : {}),
							...(Number(party.value) !== r.partySize ? { partySize: Number(party.value) } : {}),
							...(tables.value().length ? { tables: tables.value() } : {}),
						}),
					{ class: 'primary' },
				),
				button(t('close'), () => close(), { class: 'plain' }),
			),
		].filter(Boolean),
	);
	if (wish) await change(desk, r, wish);
}

async function note(desk, r) {
	const own = el('textarea', { maxLength: LENGTHS.note, rows: 2, value: r.note ?? '' });
	const about = el('textarea', { maxLength: LENGTHS.guestNote, rows: 2, value: r.guestNote ?? '' });
	const blocked = el('input', { type: 'checkbox', checked: r.blocked });
	const wish = await ask('note-title', (close) => [
		el('h2', { id: 'note-title' }, `${r.guestName} · ${t('note')}`),
		field('n-own', t('note'), own),
		...(r.phone
			? [
					field('n-about', t('guestNote'), about),
					el('label', { class: 'tick' }, blocked, ` ${t('block')}`),
				]
			: []),
		r.phone && desk.me.userType === 'OWNER'
			? button(t('erase'), () => close('erase'), { class: 'plain danger' })
			: '',
		foot(
			button(t('save'), () => close(true), { class: 'primary' }),
			button(t('close'), () => close(), { class: 'plain' }),
		),
	]);
	if (!wish) return;
	if (wish === 'erase') {
		const sure = await ask('erase-title', (close) => [
			el('h2', { id: 'erase-title' }, `${r.guestName} · ${t('erase')}`),
			el('p', {}, t('sureErase')),
			foot(
				button(t('erase'), () => close(true), { class: 'danger solid' }),
				button(t('keepIt'), () => close(), { class: 'plain' }),
			),
		]);
		if (sure)
			await post(`/api/desk/guests/${r.guestId}/erase`, {}).then(
				() => desk.refresh(),
				(error) => explain(desk, error),
			);
		return;
	}
	const opinion = {
		...(about.value.trim() !== (r.guestNote ?? '') ? { note: about.value.trim() } : {}),
		...(blocked.checked !== r.blocked ? { blocked: blocked.checked ? 1 : 0 } : {}),
	};
	if (r.phone && Object.keys(opinion).length) {
		await patch(`/api/desk/guests/${r.guestId}`, opinion, { query: desk.query() }).catch((error) =>
			explain(desk, error),
		);
	}
	if (own.value !== (r.note ?? '')) await act(desk, r, 'note', { note: own.value.trim() });
	else desk.refresh();
}

const actorOf = (h) =>
	h.name ??
	(h.actor === 'keeper' ? t('byKeeper') : h.actor.startsWith('user') ? t('byGuest') : h.actor);

async function history(desk, r) {
	const answer = await get(`/api/desk/reservations/${r.reservationId}/history`).catch((error) =>
		explain(desk, error),
	);
	if (!answer?.history) return;
	const { messageList } = await import('./messages.js');
	await ask(
		'hist-title',
		(close) => [
			el('h2', { id: 'hist-title' }, `${r.guestName} · ${t('history')}`),
			el(
				'ol',
				{ class: 'history' },
				answer.history.map((h) =>
					el(
						'li',
						{},
						el('b', {}, desk.when(h.at)),
						` ${actorOf(h)} · ${t(`h.${h.change}`)} `,
						el('span', { class: 'soft-text' }, [h.from, h.to].filter(Boolean).join(' → ')),
					),
				),
			),
			...messageList(desk, answer.messages),
			foot(button(t('close'), () => close(), { class: 'plain' })),
		],
		{ className: 'wide' },
	);
}

/* What came in and what goes back. */
function moneyOf(desk, r) {
	const shown = (amount) => money(amount, desk.day.house.currency);
	if (!r.totalAmount && !r.changeDue) return '';
	return [
		r.paidAmount > 0 && t('paid', shown(r.paidAmount)),
		r.dueBackAmount > 0 && t('dueBack', shown(r.dueBackAmount)),
		active(r) && r.paidAmount < r.totalAmount && t('due', shown(r.totalAmount - r.paidAmount)),
		r.changeDue > 0 && t('changeWaits', shown(r.changeDue)),
	]
		.filter(Boolean)
		.join(' · ');
}

/* Everything about one reservation, and everything that can be done with it. */
export async function open(desk, r) {
	const row = (name, value) =>
		value ? el('div', {}, el('dt', {}, name), el('dd', {}, value)) : null;
	const begun = Date.parse(r.startsAt) <= desk.clock().ms;
	const then = await ask(
		'one-title',
		(close) => [
			el('h2', { id: 'one-title' }, `${r.slotTime} ${r.guestName} · ${t('people', r.partySize)}`),
			el(
				'dl',
				{ class: 'facts' },
				row(t('date'), longDay(r.slotDate)),
				row(t('code'), r.reservationCode),
				row(t('phone'), r.phone && el('a', { href: telOf(r.phone) }, r.phone)),
				row(t('table'), tableNames(desk, r)),
				row(t('request'), r.requestMessage),
				row(t('note'), r.note),
				row(t('guestNote'), r.guestNote),
				row(t('dishes'), r.dishes),
				row(t('confirm'), moneyOf(desk, r)),
				row(
					t('history'),
					`${t(`source.${r.source}`)} · ${r.visits ? t('visits', r.visits) : t('first')}${r.noShows ? ` · ${t('noShows', r.noShows)}` : ''}`,
				),
			),
			el(
				'div',
				{ class: 'actions many' },
				active(r) && !r.changeOf ? button(t('edit'), () => close(edit), { class: 'soft' }) : null,
				button(t('note'), () => close(note), { class: 'soft' }),
				button(t('history'), () => close(history), { class: 'soft' }),
				begun && coming(r) && r.visitStatus === 'PENDING'
					? button(t('noShow'), () => close(() => act(desk, r, 'no-show')), { class: 'soft' })
					: null,
				begun && coming(r)
					? button(t('complete'), () => close(() => act(desk, r, 'complete')), { class: 'soft' })
					: null,
				mayPayAgain(r)
					? button(
							isOver(r) || r.changeDue ? t('confirm') : t('paidAgain'),
							() => close(confirmPayment),
							{ class: 'soft' },
						)
					: null,
				r.undo
					? button(t('undo'), () => close(() => act(desk, r, 'undo')), { class: 'soft' })
					: null,
				active(r) ? button(t('cancel'), () => close(cancel), { class: 'danger solid' }) : null,
			),
			foot(button(t('close'), () => close(), { class: 'plain' })),
		],
		{ className: 'wide' },
	);
	if (then) await then(desk, r);
}

/* ---- new parties ---- */

/*
 * A request whose answer was lost is the same one when it is sent again within a minute: it has the
 * same key, and nobody is seated twice.
 */
const unanswered = new Map();
const SAME_MS = 60000;

async function once(desk, path, body) {
	const wish = path + JSON.stringify(body);
	const before = unanswered.get(wish);
	const key = before && Date.now() - before.at < SAME_MS ? before.key : freshKey();
	unanswered.set(wish, { key, at: Date.now() });
	try {
		const r = await post(path, body, { query: desk.query(), key });
		unanswered.delete(wish);
		return r;
	} catch (error) {
		if (!error.passing) unanswered.delete(wish);
		throw error;
	}
}

/* Who walks in: a size, and one tap. */
export async function walkIn(desk, at = []) {
	const name = el('input', { maxLength: LENGTHS.name, autocomplete: 'off' });
	const tables = tablePicker(desk, at);
	const sizes = Array.from({ length: 12 }, (_, i) => i + 1);
	const wish = await ask('walk-title', (close) => [
		el('h2', { id: 'walk-title' }, t('walkIn')),
		el('p', {}, t('howMany')),
		el(
			'div',
			{ class: 'sizes' },
			sizes.map((n) =>
				button(String(n), () => close({ partySize: n }), {
					class: 'primary',
					'data-size': String(n),
				}),
			),
		),
		el(
			'details',
			{ open: at.length > 0 },
			el('summary', {}, `${t('name')}, ${t('table')} (${t('optional')})`),
			field('w-name', t('name'), name),
			tables.node ?? '',
		),
		foot(button(t('close'), () => close(), { class: 'plain' })),
	]);
	if (!wish) return;
	const seat = (more) =>
		once(desk, '/api/desk/walk-ins', {
			...wish,
			...more,
			...(name.value.trim() ? { guestName: name.value.trim() } : {}),
			...(tables.value().length ? { tables: tables.value() } : {}),
		});
	await send(
		desk,
		'walkIn',
		() =>
			seat().catch(async (error) => {
				const minutes = error.body?.sittingMinutes;
				if (!minutes) throw error;
				const until = timeOf((minutesOf(desk.clock().time) + minutes) % 1440);
				const yes = await ask('short-title', (close) => [
					el('h2', { id: 'short-title' }, t('shortStay', until)),
					el('p', {}, t('shortStayText')),
					foot(
						button(t('seatUntil', until), () => close(true), { class: 'primary' }),
						button(t('close'), () => close(), { class: 'plain' }),
					),
				]);
				if (!yes) throw error;
				return seat({ sittingMinutes: minutes });
			}),
		(r) => takeOut(desk, r),
	);
}

/* Who calls: the number finds the person. */
export async function phoneBooking(desk) {
	const { today } = desk.clock();
	const day = el('input', {
		type: 'date',
		value: desk.day.date < today ? today : desk.day.date,
		min: today,
		max: addDays(today, 730),
		required: true,
	});
	const slots = desk.day.slots.map((s) => s.slotTime);
	const time = el('input', {
		type: 'time',
		required: true,
		step: '300',
		value:
			slots.find((s) => desk.day.date > today || s > desk.clock().time) ?? slots.at(-1) ?? '18:00',
	});
	const party = el('input', {
		type: 'number',
		min: '1',
		max: '1000',
		value: '2',
		inputMode: 'numeric',
		required: true,
	});
	const phone = el('input', {
		type: 'tel',
		inputMode: 'tel',
		autocomplete: 'off',
		maxLength: LENGTHS.phone,
	});
	const name = el('input', { maxLength: LENGTHS.name, autocomplete: 'off', required: true });
	const memo = el('textarea', { maxLength: LENGTHS.note, rows: 2 });
	const deposit = el('input', { type: 'checkbox' });
	const known = el('p', { class: 'hint', role: 'status' });
	const tables = tablePicker(desk);
	const wrong = el('p', { class: 'wrong', role: 'alert' });
	const fitting = el('div', { class: 'actions fitting' });
	phone.addEventListener('change', async () => {
		known.textContent = '';
		if (phone.value.replace(/\D/g, '').length < 7) return;
		try {
			const p = await post('/api/desk/person', { phone: phone.value }, { query: desk.query() });
			known.textContent = [
				t('knownGuest', p.name, p.visits, p.noShows),
				p.note,
				p.blocked && t('blockedGuest'),
			]
				.filter(Boolean)
				.join(' · ');
			name.value ||= p.name;
		} catch (error) {
			known.textContent = error.status === 404 ? t('newGuest') : desk.sentence(error);
		}
	});
	await ask(
		'phone-title',
		(close) => {
			const form = el(
				'form',
				{
					onsubmit: async (event) => {
						event.preventDefault();
						wrong.textContent = '';
						fitting.replaceChildren();
						try {
							const r = await once(desk, '/api/desk/reservations', {
								slotDate: day.value,
								slotTime: time.value,
								partySize: Number(party.value),
								guestName: name.value.trim(),
								waiveDeposit: deposit.checked ? 0 : 1,
								...(phone.value.trim() ? { phone: phone.value.trim() } : {}),
								...(memo.value.trim() ? { note: memo.value.trim() } : {}),
								...(tables.value().length ? { tables: tables.value() } : {}),
							});
							close(r);
							desk.say(`${r.slotTime} ${r.guestName} · ${t('did.book')}`, takeOut(desk, r));
							if (r.slotDate === desk.day.date) desk.learn(r);
							else desk.goTo(r.slotDate);
						} catch (error) {
							const times = error.body?.alternatives?.map((a) => a.slotTime) ?? [];
							const full =
								error.code === 'SLOT_FULL' && desk.day.tables.length && !error.body.remaining;
							wrong.textContent = [
								full ? t('noTableFits', party.value) : desk.sentence(error),
								times.length && t('fits', ''),
							]
								.filter(Boolean)
								.join(' ');
							fitting.replaceChildren(
								...times.map((at) =>
									button(
										at,
										() => {
											time.value = at;
											fitting.replaceChildren();
											wrong.textContent = '';
											submit(form);
										},
										{ class: 'soft small' },
									),
								),
							);
						}
					},
				},
				el('h2', { id: 'phone-title' }, t('phoneBooking')),
				el(
					'div',
					{ class: 'grid-fields' },
					field('p-date', t('date'), day),
					field('p-time', t('time'), time),
					field('p-party', t('partySize'), party),
				),
				field('p-phone', t('phone'), phone),
				known,
				field('p-name', t('name'), name),
				field('p-note', `${t('note')} (${t('optional')})`, memo),
				tables.node ?? '',
				desk.day.house.depositPerPerson
					? el('label', { class: 'tick' }, deposit, ` ${t('deposit')}`)
					: '',
				wrong,
				fitting,
				foot(
					el('button', { type: 'submit', class: 'primary' }, t('bookIt')),
					button(t('close'), () => close(), { class: 'plain' }),
				),
			);
			return [form];
		},
		{ className: 'wide' },
	);
}

export async function search(desk) {
	const q = el('input', {
		type: 'search',
		maxLength: LENGTHS.search,
		placeholder: t('searchHint'),
		autocomplete: 'off',
	});
	const found = el('ul', { class: 'found', 'aria-live': 'polite' });
	let turn = 0;
	const r = await ask(
		'search-title',
		(close) => {
			q.addEventListener('input', async () => {
				const mine = ++turn;
				if ([...q.value.trim()].length < 2) return found.replaceChildren();
				const answer = await post(
					'/api/desk/search',
					{ q: q.value.trim() },
					{ query: desk.query() },
				).catch(() => null);
				if (mine !== turn || !answer) return undefined;
				return found.replaceChildren(
					...(answer.reservations.length
						? answer.reservations.map((o) =>
								el(
									'li',
									{},
									button(
										`${o.slotDate} ${o.slotTime} · ${o.guestName} · ${t('people', o.partySize)} · ${t(`s.${o.status}`)}`,
										() => close(o),
										{ class: 'plain' },
									),
								),
							)
						: [el('li', {}, t(answer.mistypedCode ? 'mistypedCode' : 'nothingFound'))]),
				);
			});
			return [
				el('h2', { id: 'search-title' }, t('search')),
				field('s-q', t('searchHint'), q),
				found,
				foot(button(t('close'), () => close(), { class: 'plain' })),
			];
		},
		{ className: 'wide' },
	);
	if (!r) return;
	if (r.slotDate !== desk.day.date) desk.goTo(r.slotDate);
	await open(desk, r);
}
