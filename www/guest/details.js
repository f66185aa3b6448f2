/*
 * details.js - the second screen: who comes, what is due, under which policy.
 */
import { get } from '../api.js';
import { addDays, minutesOf, timeOf } from '../dates.js';
import { longDay, money, own, shortDay, t } from '../i18n.js';
import { LENGTHS } from '../lengths.js';
import { depositOf } from '../terms.js';
import { announce, button, el, freshKey, keep, recall } from '../ui.js';
import {
	callButton,
	drawOffers,
	lastDay,
	nearest,
	offerAlternatives,
	spansOf,
	whyShut,
} from './choose.js';

export const policyOf = (p, party) => ({
	dayBeforePct: p.refundDayBeforePct,
	sameDayPct: p.refundSameDayPct,
	cutoffMinutes: p.refundCutoffMinutes,
	latePct: party >= p.refundLargeFrom ? p.refundLateLargePct : p.refundLatePct,
});

/*
 * The refund rules of one slot, in the restaurant's own time: rows of "until when", how much, and
 * whether it is the row that counts now.  clock: { today, minutes } at the restaurant.
 */
export function policyRows(policy, date, time, clock) {
	const starts = minutesOf(time);
	const cutoff = starts - policy.cutoffMinutes;
	const sameDay = clock.today === date;
	const tier =
		clock.today < date
			? 0
			: sameDay && cutoff > 0 && clock.minutes <= cutoff
				? 1
				: sameDay && clock.minutes < starts
					? 2
					: 3;
	return [
		[0, t('refundDayBefore', shortDay(addDays(date, -1))), policy.dayBeforePct],
		...(cutoff > 0 ? [[1, t('refundUntil', timeOf(cutoff)), policy.sameDayPct]] : []),
		[2, t('refundLate', time), policy.latePct],
		[3, t('refundAfter'), 0],
	].map(([row, until, pct]) => ({ until, pct, now: row === tier }));
}

export const drawPolicy = (rows) =>
	el(
		'dl',
		{ class: 'policy' },
		rows.map((row) =>
			el(
				'div',
				{ class: row.now ? 'now' : '' },
				el('dt', {}, row.until),
				el('dd', {}, t('pct', row.pct)),
			),
		),
	);

/* Why nobody can book this time, whatever its seats; null if somebody can. */
function whyNot(ctx, date, time) {
	const { today, minutes } = ctx.clock();
	if (date < today || (date === today && minutesOf(time) <= minutes)) return t('timeOver');
	if (whyShut(ctx.house)) return whyShut(ctx.house);
	if (!spansOf(ctx.house, date).length) return t('dayShut', longDay(date));
	return date > lastDay(ctx.house) ? t('dayFar', longDay(date), longDay(lastDay(ctx.house))) : null;
}

/* Such a time has no form, only the way to the others. */
function drawVain(root, ctx, { party, date, time }, why) {
	const heading = el('h2', {}, `${longDay(date)} ${time}`);
	const shut = whyShut(ctx.house);
	root.replaceChildren(
		el(
			'section',
			{ class: 'card narrow vain' },
			heading,
			el('p', {}, why),
			el(
				'div',
				{ class: 'actions' },
				shut
					? callButton(ctx.house, 'soft')
					: button(
							t('otherDay'),
							() => ctx.go({ party, ...(date > ctx.house.today ? { date } : {}) }),
							{ class: 'primary' },
						),
			),
		),
	);
	return { title: t('choose'), heading };
}

/* ctx: { house, restaurantId, params, go, book }. */
export function details(root, ctx) {
	const { house } = ctx;
	const party = Number(ctx.params.get('party'));
	const date = ctx.params.get('date');
	const time = ctx.params.get('time');
	const vain = whyNot(ctx, date, time);
	if (vain) return drawVain(root, ctx, { party, date, time }, vain);
	const policies = house.policies;
	const deposit = depositOf(policies, party);
	const each =
		party >= policies.depositLargeFrom ? policies.depositLargePerPerson : policies.depositPerPerson;
	const guest = recall('guest', {});
	const draft = {
		name: guest.name ?? '',
		phone: guest.phone ?? '',
		email: guest.email ?? '',
		request: '',
		type: 'deposit',
		items: {},
		...recall('draft', {}),
	};
	const amount = el('b', { class: 'amount' });
	const bill = el('span', { class: 'unseen', role: 'status' });
	const submit = el('button', { type: 'submit', class: 'primary' });
	const notice = el('div', { class: 'notice', role: 'alert', hidden: true });
	const menu = el('div', { class: 'dishes', hidden: true });
	const noDish = el('p', { class: 'wrong', role: 'alert' });
	const rows = policyRows(policyOf(policies, party), date, time, ctx.clock());
	const rule = rows.find((row) => row.now);
	const terms = el('p', { class: 'hint terms' });
	const rules = el('div', {}, el('h3', { id: 'policy' }, t('refund')), drawPolicy(rows));
	const sumRow = el('div', { class: 'sum' }, el('span', {}, t('due')), amount);
	const count = el('span', { class: 'count', id: 'request-count' });

	const total = () =>
		draft.type === 'deposit'
			? deposit
			: (house.menu ?? []).reduce(
					(sum, dish) => sum + dish.price * (draft.items[dish.menuId] ?? 0),
					0,
				);
	const save = () => keep('draft', draft);

	/* A labelled input with a place for what is wrong with it. */
	function field(name, props, more = null) {
		const id = `f-${name}`;
		const input = el('input', {
			id,
			name,
			value: draft[name],
			...props,
			'aria-describedby': `${id}-wrong${more ? ' request-count' : ''}`,
			oninput: () => {
				draft[name] = input.value;
				save();
				wrong(name, '');
				props.oninput?.();
			},
		});
		const label = el(
			'label',
			{ for: id },
			t(name),
			props.required ? null : el('span', { class: 'soft-text' }, ` (${t('optional')})`),
		);
		return el(
			'div',
			{ class: 'field' },
			el('div', { class: 'above' }, label, more),
			input,
			el('p', { class: 'wrong', id: `${id}-wrong` }),
		);
	}

	function wrong(name, sentence) {
		const input = form.elements[name];
		document.getElementById(`f-${name}-wrong`).textContent = sentence;
		if (sentence) input.setAttribute('aria-invalid', 'true');
		else input.removeAttribute('aria-invalid');
	}

	function say(sentence, more = null) {
		notice.hidden = !sentence;
		notice.replaceChildren(el('p', {}, sentence), ...(more ? [more] : []));
		if (sentence) notice.scrollIntoView({ block: 'nearest' });
	}

	const countLetters = () => {
		count.textContent = t('letters', [...draft.request].length);
	};

	function drawDish(dish) {
		const name = own(dish.name, dish.nameEn);
		const number = el('output', {}, String(draft.items[dish.menuId] ?? 0));
		const less = button('−', () => change(-1), {
			class: 'round',
			'aria-label': t('fewer', name),
			disabled: !draft.items[dish.menuId],
		});
		const change = (by) => {
			const n = Math.max(0, Math.min(100, (draft.items[dish.menuId] ?? 0) + by));
			draft.items = { ...draft.items, [dish.menuId]: n };
			number.textContent = String(n);
			less.disabled = n === 0;
			noDish.textContent = '';
			save();
			drawTotal(true);
		};
		return el(
			'li',
			{},
			el('span', { class: 'dish' }, name),
			el('span', { class: 'price' }, money(dish.price, house.currency)),
			el(
				'span',
				{ class: 'stepper' },
				less,
				number,
				button('+', () => change(1), { class: 'round', 'aria-label': t('more', name) }),
			),
		);
	}

	function drawTotal(aloud = false) {
		amount.textContent = money(total(), house.currency);
		menu.hidden = draft.type !== 'preorder';
		submit.textContent = total() > 0 || draft.type === 'preorder' ? t('hold') : t('book');
		const due = total() > 0 || draft.type === 'preorder';
		rules.hidden = sumRow.hidden = !due;
		terms.replaceChildren(
			...(due
				? [
						el(
							'a',
							{
								href: '#policy',
								onclick: (event) => {
									event.preventDefault();
									form.querySelector('#policy').scrollIntoView({ block: 'center' });
								},
							},
							t('refundShort', rule.until, rule.pct),
						),
						' · ',
						t('holdNote', policies.holdSeconds),
					]
				: []),
		);
		if (aloud) bill.textContent = `${t('total')} ${amount.textContent}`;
	}

	function choice(type, title, about) {
		const radio = el('input', {
			type: 'radio',
			name: 'type',
			value: type,
			checked: draft.type === type,
			onchange: () => {
				draft.type = type;
				save();
				say('');
				noDish.textContent = '';
				drawTotal(true);
			},
		});
		return el(
			'label',
			{ class: 'choice' },
			radio,
			el('span', { class: 'body' }, el('b', {}, title), el('span', {}, about)),
		);
	}

	function check() {
		const bad = [];
		if (!draft.name.trim()) bad.push(['name', t('badName')]);
		if (!/^\+?\d{7,15}$/.test(draft.phone.replace(/[\s.()-]/g, '')))
			bad.push(['phone', t('badPhone')]);
		if (draft.email.trim() && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(draft.email.trim()))
			bad.push(['email', t('badEmail')]);
		for (const [name, sentence] of bad) wrong(name, sentence);
		if (bad.length) form.elements[bad[0][0]].focus();
		else if (draft.type === 'preorder' && total() === 0) {
			noDish.textContent = t('needDish');
			menu.querySelector('.round:enabled').focus({ preventScroll: true });
			noDish.scrollIntoView({ block: 'center' });
			return false;
		}
		return bad.length === 0;
	}

	function request() {
		const items = Object.entries(draft.items)
			.filter(([, n]) => n > 0)
			.map(([menuId, quantity]) => ({ menuId: Number(menuId), quantity }));
		return {
			restaurantId: ctx.restaurantId,
			slotDate: date,
			slotTime: time,
			partySize: party,
			totalAmount: total(),
			reservationType: draft.type === 'preorder' ? 'PREORDER_PREPAY' : 'RESERVATION_DEPOSIT',
			...(draft.request.trim() ? { requestMessage: draft.request.trim() } : {}),
			...(draft.type === 'preorder' ? { menuItems: items } : {}),
		};
	}

	async function press(event) {
		event.preventDefault();
		if (submit.disabled || !check()) return;
		say('');
		submit.disabled = true;
		submit.textContent = t('sending');
		announce(t('sending'));
		const contact = {
			name: draft.name.trim(),
			phone: draft.phone.trim(),
			...(draft.email.trim() ? { email: draft.email.trim() } : {}),
		};
		await ctx.book({ key: freshKey(), guest: contact, request: request() });
		submit.disabled = false;
		drawTotal();
	}

	const form = el(
		'form',
		{ class: 'details', novalidate: '', onsubmit: press },
		el(
			'section',
			{ class: 'card chosen', 'aria-label': t('yourTable') },
			el('div', {}, el('h2', {}, `${longDay(date)} ${time}`), el('p', {}, t('people', party))),
			button(t('otherTime'), () => ctx.go({ party, date }), { class: 'plain' }),
		),
		notice,
		el(
			'div',
			{ class: 'columns' },
			el(
				'section',
				{ class: 'card', 'aria-labelledby': 'who-title' },
				el('h2', { id: 'who-title' }, t('details')),
				field('name', { required: true, autocomplete: 'name', maxLength: LENGTHS.name }),
				field('phone', {
					required: true,
					type: 'tel',
					inputMode: 'tel',
					autocomplete: 'tel',
					maxLength: LENGTHS.phone,
				}),
				field('email', {
					type: 'email',
					inputMode: 'email',
					autocomplete: 'email',
					maxLength: LENGTHS.email,
				}),
				field(
					'request',
					{
						maxLength: LENGTHS.request,
						placeholder: t('requestHint'),
						autocomplete: 'off',
						oninput: countLetters,
					},
					count,
				),
				el('p', { class: 'hint' }, t('privacy')),
			),
			/* Where nothing is due there is no word about money. */
			deposit > 0 || house.menu?.length
				? el(
						'section',
						{ class: 'card', 'aria-labelledby': 'pay-title' },
						el(
							'fieldset',
							{},
							el('legend', { id: 'pay-title' }, t(deposit > 0 ? 'payHow' : 'orderHow')),
							el(
								'div',
								{ class: 'choices' },
								choice(
									'deposit',
									deposit > 0
										? `${t('deposit')} ${money(deposit, house.currency)}`
										: t('tableOnly'),
									deposit > 0 ? t('depositAbout', money(each, house.currency)) : t('noneAbout'),
								),
								house.menu?.length ? choice('preorder', t('preorder'), t('preorderAbout')) : null,
							),
						),
						menu,
						rules,
					)
				: null,
		),
		terms,
		el('div', { class: 'dock' }, sumRow, submit, bill),
	);

	/* A shared link may name a time that is gone: say so before the form is filled in, and what is near. */
	async function checkSlot() {
		const answer = await get('/api/reservations/slots', {
			query: { restaurantId: ctx.restaurantId, slotDate: date, partySize: party },
		}).catch(() => null);
		const slot = answer?.slots.find((s) => s.slotTime === time);
		if (!answer || slot?.available || !form.isConnected) return;
		const offers = nearest(time, answer.slots).map((s) => ({ ...s, slotDate: date }));
		const full = slot && slot.remaining < party;
		submit.hidden = !slot; /* a time that is not offered at all */
		say(
			answer.closed
				? t('dayShut', longDay(date))
				: full
					? t(offers.length ? 'fullText' : 'fullNone', time, party)
					: t('unfit'),
			el(
				'div',
				{},
				drawOffers(offers, (wish) => ctx.go({ party, ...wish }, { replace: true })),
				slot && policies.waitlist
					? button(t('waitFor', time), () => ctx.wait({ party, date, time }), {
							class: 'soft wait',
						})
					: null,
				button(t('otherDay'), () => ctx.go({ party, date }), { class: 'soft' }),
			),
		);
	}

	menu.append(noDish, el('ul', {}, (house.menu ?? []).map(drawDish)));
	root.replaceChildren(form);
	countLetters();
	drawTotal();
	checkSlot();

	/* What the booking ended in, when it is not a reservation. */
	async function refused(error) {
		if (error.code === 'SLOT_FULL') {
			const wish = await offerAlternatives({
				time,
				party,
				alternatives: error.body.alternatives ?? [],
				waitlist: error.body.waitlist,
			});
			if (wish === 'wait') await ctx.wait({ party, date, time });
			else if (wish === 'days') ctx.go({ party, date });
			else if (wish) ctx.go({ party, date: wish.date, time: wish.time }, { replace: true });
			return;
		}
		const at = { name: 'name', phone: 'phone', email: 'email', requestMessage: 'request' }[
			error.body?.field
		];
		if (at) {
			wrong(at, error.message);
			form.elements[at].focus();
		} else if (error.code === 'AMOUNT_CHANGED') {
			await ctx.reload();
			ctx.notice(t('amountChanged'));
		} else
			say(
				ctx.sentence(error),
				error.body?.field?.startsWith('slot')
					? button(t('otherDay'), () => ctx.go({ party, date }), { class: 'soft' })
					: null,
			);
	}

	return { refused, say, title: t('details'), heading: form.querySelector('h2') };
}
