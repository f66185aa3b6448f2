/*
 * reservation.js - one reservation: held and to be paid, confirmed, released or cancelled; and the
 * list of those made on this device.
 */
import { call, get, post, serverNow } from '../api.js';
import { addDays, clockAt, countdown } from '../dates.js';
import { longDay, money, own, shortDay, t } from '../i18n.js';
import { LENGTHS } from '../lengths.js';
import {
	announce,
	ask,
	between,
	button,
	el,
	focusOn,
	keep,
	keepReservation,
	mine,
	recall,
	whoFor,
} from '../ui.js';
import { mapLink } from './choose.js';
import { drawPolicy, policyRows } from './details.js';
import { change, Left } from './waiting.js';

const WARN_S = 60;
const ACTIVE = ['TEMPORARY', 'CONFIRMED', 'PREPAY_CONFIRM'];
const SOUND = ['CONFIRMED', 'PREPAY_CONFIRM', 'COMPLETED'];

/* The day to book again: the same one if it is still to come, else the same weekday from tomorrow on. */
export function rebookDay(r, today) {
	let day = r.slotDate ?? r.date;
	while (day < today) day = addDays(day, 7);
	return day === today && day !== (r.slotDate ?? r.date) ? addDays(day, 7) : day;
}

/*
 * Draws the reservation and follows it.  load(): the latest answer; who: how to ask; ctx: { house, go,
 * again(reservation), rebook(reservation), sentence }.  Returns { stop, title }.
 */
export function reservation(root, { id, who, ctx, first = null, note = null }) {
	let r = first;
	let drawn = null; /* the status that is on the screen */
	let stopped = false;
	let warned = false;
	let timer = 0;
	let poll = 0;
	const view = { title: t('mine'), stop };
	const sign = el('p', {
		class: 'sign',
		role: 'status',
		hidden: true,
	}); /* what is shown may be old */

	function stop() {
		stopped = true;
		clearTimeout(timer);
		clearTimeout(poll);
		document.removeEventListener('visibilitychange', look);
		for (const name of ['online', 'offline']) removeEventListener(name, look);
	}

	async function refresh() {
		const answer = await get(id ? `/api/reservations/${id}` : '/api/reservations/managed', { who });
		if (stopped) return;
		r = { ...r, ...answer };
		id = r.reservationId;
		await ctx.visit(r.restaurantId);
		keepReservation(r, who);
		ctx.showBadge();
	}

	/* Held: often, because the desk may confirm any second.  Anything else: when the page is looked at. */
	function plan(failed) {
		clearTimeout(poll);
		if (!stopped && (r?.status === 'TEMPORARY' || r?.pendingChange || failed))
			poll = setTimeout(look, between(2500, 3500));
	}

	async function look() {
		if (stopped || document.visibilityState === 'hidden') return plan(false);
		try {
			await refresh();
			if (stopped) return undefined;
			sign.hidden = true;
			draw();
			return plan(false);
		} catch (error) {
			if (stopped) return undefined;
			if (!r || !error.passing) drawTrouble(error);
			else showSign(t(error.code === 'LOST' ? 'noNetwork' : 'offline'));
			return plan(error.passing);
		}
	}

	/* Said once, not at every look. */
	function showSign(sentence) {
		if (sign.hidden || sign.textContent !== sentence) sign.textContent = sentence;
		sign.hidden = false;
	}

	function drawTrouble(error) {
		const lost = ['NO_SUCH_RESERVATION', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'].includes(
			error.code,
		);
		root.replaceChildren(
			el(
				'section',
				{ class: 'card narrow' },
				el('h2', {}, lost ? t('mine') : t('loading')),
				el('p', {}, lost ? t('noManage') : ctx.sentence(error)),
				el(
					'div',
					{ class: 'actions' },
					lost
						? button(t('home'), () => ctx.go({}), { class: 'primary' })
						: button(t('retry'), look, { class: 'soft' }),
				),
			),
		);
		drawn = null;
	}

	/* ---- the countdown ---- */

	function tick() {
		clearTimeout(timer);
		const until = r.status === 'TEMPORARY' ? r.holdExpiresAt : r.pendingChange?.holdExpiresAt;
		if (stopped || !until) return;
		/* serverNow is good to half a second: never a second more than the hold has. */
		const left = Math.ceil((Date.parse(until) - serverNow() - 500) / 1000);
		const clock = root.querySelector('.clock');
		if (clock) {
			clock.textContent = countdown(left);
			clock.parentElement.classList.toggle('soon', left <= WARN_S);
			clock.parentElement
				.querySelector('i')
				?.style.setProperty(
					'--done',
					Math.max(0, Math.min(1, left / (ctx.house?.policies.holdSeconds || 420))),
				);
		}
		if (left <= WARN_S && !warned) {
			warned = true;
			const warning = root.querySelector('.warning');
			if (warning) warning.hidden = false;
			announce(t('minuteLeft'), true);
		} else if (left > WARN_S && left % 120 === 0) announce(t('minutesLeft', left / 60));
		if (left <= 0) {
			clearTimeout(poll);
			poll = setTimeout(look, 600); /* the book says how it ended, not we */
			return;
		}
		timer = setTimeout(tick, 1000 - (serverNow() % 1000) + 20);
	}

	/* ---- the parts ---- */

	const sum = (n) => money(n, r.currency);
	const row = (name, ...value) => el('div', {}, el('dt', {}, name), el('dd', {}, ...value));

	/* The answer to a booking does not name the guest; this device knows who they are. */
	function nameOf() {
		const guest = recall('guest');
		return r.guestName ?? (guest && guest.id === r.userId ? guest.name : null);
	}

	/* The book keeps a dish under its Korean name; the menu knows the other one, as long as it is on it. */
	const dishName = (i) =>
		own(i.name, ctx.house?.menu?.find((dish) => dish.menuId === i.menuId)?.nameEn);

	function facts() {
		const { house } = ctx;
		return el(
			'dl',
			{ class: 'facts' },
			nameOf() ? row(t('guest'), nameOf()) : null,
			house
				? row(
						t('at'),
						el('span', {}, own(house.name, house.nameEn)),
						house.address
							? el('a', { href: mapLink(house).href, rel: 'noreferrer' }, mapLink(house).text)
							: null,
						house.phone
							? el('a', { href: `tel:${house.phone.replace(/[^0-9+]/g, '')}` }, house.phone)
							: null,
					)
				: null,
			r.requestMessage ? row(t('request'), r.requestMessage) : null,
			r.menuItems?.length
				? row(
						t('ordered'),
						...r.menuItems.map((i) => el('span', {}, `${dishName(i)} × ${i.quantity}`)),
					)
				: null,
			r.paidAmount ? row(t('paid'), sum(r.paidAmount)) : null,
		);
	}

	/* Date, time and party as the face of a paper ticket; the code below the tear line. */
	function face(...below) {
		return el(
			'div',
			{ class: 'slip' },
			el(
				'div',
				{ class: 'face' },
				el('p', { class: 'd' }, longDay(r.slotDate)),
				el('p', { class: 'h' }, r.slotTime),
				el('p', { class: 'p' }, t('people', r.partySize)),
			),
			el('div', { class: 'tear', 'aria-hidden': 'true' }),
			el('div', { class: 'code' }, el('span', {}, t('code')), el('b', {}, r.reservationCode)),
			...below,
		);
	}

	const link = () => `${location.origin}/r#${r.manageToken ?? who.manage}`;

	function qr() {
		const image = el('img', { class: 'qr', alt: t('qr'), width: 168, height: 168 });
		get(`/api/reservations/${id}/qr.svg`, { who, text: true }).then(
			(svg) => {
				image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
			},
			() => image.remove(),
		);
		return image;
	}

	/* The guest's own login is also a cookie, where the browser keeps any, so a plain address works and phones open it in the calendar. */
	function calendar() {
		const path = `/api/reservations/${id}/calendar.ics`;
		const direct = recall('guest')?.id === r.userId && navigator.cookieEnabled;
		const anchor = el(
			'a',
			{ class: 'button soft', href: direct ? path : '#', download: `${r.reservationCode}.ics` },
			t('calendar'),
		);
		if (!direct)
			anchor.addEventListener('click', async (event) => {
				event.preventDefault();
				const text = await get(path, { who, text: true }).catch(() => null);
				if (text === null) return announce(t('broken'), true);
				const url = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }));
				el('a', { href: url, download: `${r.reservationCode}.ics` }).click();
				return setTimeout(() => URL.revokeObjectURL(url), 10000);
			});
		return anchor;
	}

	function manage() {
		const said = el('span', { class: 'hint', role: 'status' });
		const address = el('input', {
			class: 'link',
			readOnly: true,
			value: link(),
			'aria-label': t('manageLink'),
			onfocus: () => address.select(),
		});
		const copy = button(
			t('copy'),
			async () => {
				try {
					await navigator.clipboard.writeText(link());
					said.textContent = t('copied');
				} catch {
					/* no clipboard over plain http: the address is there to take */
					address.focus();
					if (document.execCommand?.('copy')) said.textContent = t('copied');
				}
			},
			{ class: 'soft' },
		);
		return el(
			'section',
			{ class: 'manage' },
			el('h3', {}, t('manageLink')),
			el('p', { class: 'hint' }, t('manageAbout')),
			el('div', { class: 'copy' }, address, copy),
			said,
		);
	}

	const policy = () =>
		r.refundPolicy && r.totalAmount > 0 && ctx.house
			? el(
					'section',
					{ class: 'terms' },
					el('h3', {}, t('refund')),
					drawPolicy(policyRows(r.refundPolicy, r.slotDate, r.slotTime, ctx.clock())),
				)
			: el('section', { class: 'terms', hidden: true });
	const cancelButton = () =>
		r.cancellable === false ? null : button(t('cancel'), cancel, { class: 'plain danger' });
	const changeButton = () =>
		r.changeable === false || !ctx.house ? null : button(t('change'), alter, { class: 'soft' });
	const rebookButton = (kind) => button(t('rebook'), () => ctx.rebook(r), { class: kind });

	/* ---- the states ---- */

	function drawHeld() {
		const { house } = ctx;
		return [
			face(
				el(
					'div',
					{ class: 'countdown' },
					el('span', {}, t('holdLeft')),
					el('b', { class: 'clock', role: 'timer' }, ''),
					el('div', { class: 'bar' }, el('i')),
				),
				el('p', { class: 'warning', hidden: !warned }, t('minuteLeft')),
			),
			el(
				'section',
				{ class: 'pay', 'aria-labelledby': 'pay-title' },
				el('h3', { id: 'pay-title' }, t('payTitle')),
				el('p', { class: 'total' }, el('span', {}, t('due')), el('b', {}, sum(r.amountDue))),
				house?.paymentText
					? el('p', { class: 'pay-text' }, house.paymentText)
					: el('p', {}, t('payAt', house?.phone)),
				house?.phone
					? el(
							'a',
							{ class: 'button soft', href: `tel:${house.phone.replace(/[^0-9+]/g, '')}` },
							t('call', house.phone),
						)
					: null,
				el(
					'p',
					{ class: 'hint' },
					`${t('holdEnds', clockAt(r.holdExpiresAt, house?.timezone ?? 'Asia/Seoul'))} ${t('payFollow')}`,
				),
			),
			facts(),
			policy(),
			el('div', { class: 'keepsake' }, qr(), manage()),
			el('div', { class: 'actions' }, changeButton(), cancelButton()),
		];
	}

	/* Seats from the waitlist: theirs if they take them in time. */
	function drawOffered() {
		const takeButton = button(
			t('take'),
			async () => {
				takeButton.disabled = true;
				try {
					await change(
						(signal) => post(`/api/reservations/${id}/take`, {}, { who, signal }),
						ctx.house?.phone,
					);
				} catch (error) {
					if (!(error instanceof Left)) note = ctx.sentence(error);
				}
				drawn = drawn && '';
				await look();
			},
			{ class: 'primary', id: 'take' },
		);
		return [
			face(
				el(
					'div',
					{ class: 'countdown' },
					el('span', {}, t('takeLeft')),
					el('b', { class: 'clock', role: 'timer' }, ''),
					el('div', { class: 'bar' }, el('i')),
				),
				el('p', { class: 'warning', hidden: !warned }, t('minuteLeft')),
			),
			el('p', { class: 'lead' }, r.amountDue ? t('takeDue', sum(r.amountDue)) : t('takeAbout')),
			el(
				'div',
				{ class: 'actions' },
				takeButton,
				button(t('takeNo'), cancel, { class: 'plain danger' }),
			),
			facts(),
		];
	}

	/* The booking waits for the code that proves who they are. */
	function drawUnproven() {
		const place = el('div', { class: 'prove-place' });
		import('./prove.js').then(({ codeForm }) => {
			const form = codeForm(ctx, {
				async done() {
					drawn = drawn && '';
					await look();
				},
			});
			place.replaceChildren(form.node);
			form.ask();
		});
		return [
			face(
				el(
					'div',
					{ class: 'countdown' },
					el('span', {}, t('proveLeft')),
					el('b', { class: 'clock', role: 'timer' }, ''),
					el('div', { class: 'bar' }, el('i')),
				),
			),
			el('p', { class: 'lead' }, t('proveNeed')),
			place,
			facts(),
			el('div', { class: 'actions' }, cancelButton()),
		];
	}

	/* A change that costs more: what is held for it, and for how long.  The reservation stands as it is. */
	function pending() {
		const p = r.pendingChange;
		if (!p) return null;
		const { house } = ctx;
		const withdraw = button(
			t('changeBack'),
			async () => {
				withdraw.disabled = true;
				try {
					await change(
						(signal) => call('DELETE', `/api/reservations/${id}/change`, { who, signal }),
						house?.phone,
					);
				} catch (error) {
					if (!(error instanceof Left)) note = ctx.sentence(error);
				}
				drawn = drawn && '';
				await look();
			},
			{ class: 'plain danger', id: 'withdraw' },
		);
		return el(
			'section',
			{ class: 'pay pending', 'aria-labelledby': 'pending-title' },
			el('h3', { id: 'pending-title' }, t('changePending')),
			el('p', {}, `${longDay(p.slotDate)} ${p.slotTime}, ${t('people', p.partySize)}`),
			el(
				'div',
				{ class: 'countdown' },
				el('span', {}, t('holdLeft')),
				el('b', { class: 'clock', role: 'timer' }, ''),
				el('div', { class: 'bar' }, el('i')),
			),
			el('p', { class: 'total' }, el('span', {}, t('due')), el('b', {}, sum(p.amountDue))),
			el('p', { class: 'pay-text' }, house?.paymentText ?? t('payAt', house?.phone)),
			el('p', { class: 'hint' }, `${t('changeStands')} ${t('payFollow')}`),
			el('div', { class: 'actions' }, withdraw),
		);
	}

	/* Asked before the day: are you coming?  A page with a button; opening it says nothing yet. */
	function question() {
		const asked = new URLSearchParams(location.search).get('ask');
		if (!asked || !['CONFIRMED', 'PREPAY_CONFIRM'].includes(r.status)) return null;
		if (r.coming) return el('p', { class: 'notice' }, t('comingThanks'));
		const yes = button(
			t('comingYes'),
			async () => {
				yes.disabled = true;
				try {
					r = {
						...r,
						...(await change(
							(signal) => post(`/api/reservations/${id}/coming`, {}, { who, signal }),
							ctx.house?.phone,
						)),
					};
				} catch (error) {
					if (!(error instanceof Left)) note = ctx.sentence(error);
				}
				drawn = drawn && '';
				draw();
			},
			{ class: 'primary', id: 'coming' },
		);
		return el(
			'section',
			{ class: 'notice question', 'aria-labelledby': 'ask-title' },
			el('h3', { id: 'ask-title' }, t('comingAsk')),
			el(
				'div',
				{ class: 'actions' },
				yes,
				button(t('comingNo'), cancel, { class: 'soft', id: 'not-coming' }),
			),
		);
	}

	/* Money that came twice or too late, or that a smaller party gets back, until it went. */
	const owed = () =>
		el(
			'p',
			{ class: 'notice owed', hidden: !r.dueBackAmount },
			r.dueBackAmount ? t('owed', sum(r.dueBackAmount)) : '',
		);

	const drawSound = () => [
		question(),
		owed(),
		el('p', { class: 'lead' }, r.status === 'COMPLETED' ? '' : t('confirmedText')),
		pending(),
		face(
			qr(),
			el(
				'div',
				{ class: 'actions' },
				calendar(),
				button(t('print'), () => print(), { class: 'soft' }),
			),
		),
		facts(),
		policy(),
		manage(),
		el(
			'div',
			{ class: 'actions' },
			...(r.status === 'COMPLETED' ? [rebookButton('primary')] : [changeButton(), cancelButton()]),
		),
	];

	function drawEnded() {
		const expired = r.status === 'EXPIRED';
		const how = r.cancelledByRestaurant ? 'canceledByHouse' : 'canceledText';
		const cancelled = r.status === 'CANCELED' ? t(how) : '';
		const refunded =
			r.refundAmount && !r.dueBackAmount ? t('refundDone', sum(r.refundAmount)) : cancelled;
		return [
			el('p', { class: 'lead' }, expired ? t('expiredText') : refunded),
			owed(),
			el(
				'div',
				{ class: 'actions' },
				expired && ctx.again
					? button(t('tryAgain'), () => ctx.again(r), { class: 'primary' })
					: null,
				rebookButton(expired ? 'soft' : 'primary'),
			),
			face(),
			facts(),
		];
	}

	/* The same state, but more is known of it: only what says something new is replaced, so nothing jumps. */
	function refill() {
		for (const [part, make] of [
			['.facts', facts],
			['.terms', policy],
			['.owed', owed],
		]) {
			const old = root.querySelector(part);
			const now = old && make();
			if (old && !old.isEqualNode(now)) old.replaceWith(now);
		}
	}

	function draw() {
		const state = [
			r.status,
			r.offered && 'offered',
			r.unproven && 'unproven',
			r.pendingChange?.holdExpiresAt,
		].join(' ');
		if (state === drawn) return refill();
		const change = drawn !== null;
		drawn = state;
		const body = r.offered
			? drawOffered()
			: r.unproven
				? drawUnproven()
				: r.status === 'TEMPORARY'
					? drawHeld()
					: SOUND.includes(r.status)
						? drawSound()
						: drawEnded();
		const title = el(
			'h2',
			{ class: 'state' },
			t(r.offered ? 's.OFFERED' : r.unproven ? 's.UNPROVEN' : `s.${r.status}`),
		);
		root.replaceChildren(
			el(
				'article',
				{ class: `card narrow reservation ${r.status.toLowerCase()}` },
				sign,
				note ? el('p', { class: 'notice' }, note) : null,
				el('div', { class: 'seal', 'aria-hidden': 'true' }),
				title,
				...body.filter(Boolean),
			),
		);
		document.title = `${t(`s.${r.status}`)} · ${ctx.house ? own(ctx.house.name, ctx.house.nameEn) : '자리'}`;
		if (change) {
			note = null;
			focusOn(title);
			scrollTo({ top: 0 });
			announce(t(`s.${r.status}`), true);
		}
		return tick();
	}

	async function cancel() {
		try {
			await refresh();
		} catch {
			/* the button below says what goes wrong */
		}
		draw();
		const reason = await ask('cancel-title', cancelForm);
		if (reason === undefined) return;
		announce(t('canceling'));
		try {
			await change(
				(signal) =>
					post(`/api/reservations/${id}/cancel`, reason ? { reason } : {}, { who, signal }),
				ctx.house?.phone,
			);
		} catch (error) {
			if (error instanceof Left) return;
			if (error.code !== 'BAD_MOVE') announce(ctx.sentence(error), true);
			if (error.code !== 'BAD_MOVE') note = ctx.sentence(error);
		}
		drawn = drawn && '';
		await look();
	}

	/* Another time or another size, in one step: what is held now is given back only if the new one is there. */
	async function alter() {
		const wish = await ask('change-title', changeForm);
		if (!wish) return;
		announce(t('changing'));
		try {
			const answer = await change(
				(signal) => post(`/api/reservations/${id}/change`, wish, { who, signal }),
				ctx.house?.phone,
			);
			note = t(answer.pendingChange ? 'changeAsked' : 'changed');
		} catch (error) {
			if (error instanceof Left) return;
			note = ctx.sentence(error);
			announce(note, true);
		}
		drawn = drawn && '';
		await look();
	}

	function changeForm(close) {
		const { policies, today } = ctx.house;
		const sizes = Array.from(
			{ length: policies.partyMax - policies.partyMin + 1 },
			(_, i) => policies.partyMin + i,
		);
		const party = el(
			'select',
			{ id: 'change-party' },
			sizes.map((n) =>
				el('option', { value: String(n), selected: n === r.partySize }, t('people', n)),
			),
		);
		const day = el('input', {
			id: 'change-day',
			type: 'date',
			value: r.slotDate,
			min: today,
			max: addDays(today, policies.windowDays),
			required: true,
		});
		const time = el('select', { id: 'change-time', required: true });
		const say = el('p', { class: 'hint', role: 'status' });
		const terms = el('p', { class: 'notice', id: 'change-terms', hidden: true });
		const submit = el('button', { type: 'submit', class: 'primary' }, t('changeYes'));
		const field = (label, input) =>
			el('div', { class: 'field' }, el('label', { for: input.id }, label), input);
		/* What it does to the money, before it is done. */
		function drawTerms() {
			const n = Number(party.value);
			const pct = r.refundPercentNow;
			const deposit = r.reservationType === 'RESERVATION_DEPOSIT' && SOUND.includes(r.status);
			const lines = [
				deposit && n > r.partySize && policies.depositPerPerson > 0 && t('changeMore'),
				deposit && n < r.partySize && r.paidAmount > 0 && t('changeFewer', pct),
				r.paidAmount > 0 && pct < 100 && t('changeCap', pct),
			].filter(Boolean);
			terms.textContent = lines.join(' ');
			terms.hidden = !lines.length;
		}
		async function times() {
			drawTerms();
			const asked = `${day.value} ${party.value}`;
			const answer = day.value
				? await get('/api/reservations/slots', {
						query: {
							restaurantId: r.restaurantId,
							slotDate: day.value,
							partySize: Number(party.value),
						},
					}).catch(() => null)
				: null;
			if (asked !== `${day.value} ${party.value}`) return;
			const own = (s) =>
				day.value === r.slotDate &&
				s.slotTime === r.slotTime; /* what one has oneself does not stand in the way */
			const free = (answer?.slots ?? []).filter((s) => s.available || own(s));
			const before = time.value || r.slotTime;
			time.replaceChildren(
				...free.map((s) =>
					el('option', { value: s.slotTime, selected: s.slotTime === before }, s.slotTime),
				),
			);
			submit.disabled = !free.length;
			say.textContent = free.length ? '' : t('changeNone');
		}
		for (const input of [party, day]) input.addEventListener('change', times);
		times();
		return [
			el(
				'form',
				{
					method: 'dialog',
					onsubmit: (event) => {
						event.preventDefault();
						close({ slotDate: day.value, slotTime: time.value, partySize: Number(party.value) });
					},
				},
				el('h2', { id: 'change-title' }, t('change')),
				el('p', {}, `${longDay(r.slotDate)} ${r.slotTime}, ${t('people', r.partySize)}`),
				field(t('changeParty'), party),
				field(t('changeDay'), day),
				field(t('changeTime'), time),
				say,
				terms,
				el(
					'div',
					{ class: 'actions' },
					button(t('close'), () => close(undefined), { class: 'soft' }),
					submit,
				),
			),
		];
	}

	function cancelForm(close) {
		const more = el('input', { id: 'reason-more', maxLength: 60, autocomplete: 'off' });
		const chosen = () =>
			[form.elements.reason.value, more.value.trim()].filter(Boolean).join(' · ').slice(0, 100);
		const form = el(
			'form',
			{
				method: 'dialog',
				onsubmit: (event) => {
					event.preventDefault();
					close(chosen());
				},
			},
			el('h2', { id: 'cancel-title' }, t('cancelTitle')),
			el('p', {}, `${longDay(r.slotDate)} ${r.slotTime}, ${t('people', r.partySize)}`),
			el(
				'p',
				{ class: 'notice refund' },
				r.paidAmount
					? r.refundIfCancelledNow
						? t('refundNow', sum(r.refundIfCancelledNow), sum(r.paidAmount))
						: t('refundNothing', sum(r.paidAmount))
					: r.totalAmount
						? t('nothingPaid')
						: t('cancelFree'),
			),
			r.dueBackAmount ? el('p', { class: 'notice' }, t('owedToo', sum(r.dueBackAmount))) : '',
			el(
				'fieldset',
				{ class: 'reasons' },
				el('legend', {}, `${t('reason')} (${t('optional')})`),
				el(
					'div',
					{ class: 'chips wrap' },
					t('reasons').map((text) =>
						el(
							'label',
							{ class: 'chip' },
							el('input', { type: 'radio', name: 'reason', value: text }),
							el('span', {}, text),
						),
					),
				),
			),
			el('div', { class: 'field' }, el('label', { for: 'reason-more' }, t('reasonMore')), more),
			el(
				'div',
				{ class: 'actions' },
				button(t('cancelNo'), () => close(undefined), { class: 'soft' }),
				el('button', { type: 'submit', class: 'danger solid' }, t('cancelYes')),
			),
		);
		return [form];
	}

	document.addEventListener('visibilitychange', look);
	for (const name of ['online', 'offline']) addEventListener(name, look);
	if (r) {
		keepReservation(r, who);
		draw();
	} else root.replaceChildren(el('section', { class: 'card narrow' }, el('h2', {}, t('loading'))));
	look();
	return view;
}

/* The reservations made on this device. */
export function list(root, ctx) {
	let stopped = false;
	const { today } = ctx.house;
	const note = el('p', { class: 'notice', role: 'status', hidden: true });
	const body = el('div', { class: 'mine' });

	function line(m, over) {
		return el(
			'li',
			{ class: ACTIVE.includes(m.status) ? 'live' : '' },
			el(
				'a',
				{
					href: `/?reservation=${m.id}`,
					onclick: (event) => {
						event.preventDefault();
						ctx.go({ reservation: m.id });
					},
				},
				el('b', {}, `${shortDay(m.date)} ${m.time}`),
				el('span', {}, `${t('people', m.party)} · ${m.code}`),
			),
			el('span', { class: `badge ${m.status.toLowerCase()}` }, t(`short.${m.status}`)),
			over &&
				button(
					t('rebook'),
					() => ctx.rebook({ ...m, slotDate: m.date, slotTime: m.time, partySize: m.party }),
					{ class: 'soft', 'aria-label': `${t('rebook')}: ${longDay(m.date)} ${m.time}` },
				),
		);
	}

	function draw() {
		const all = mine();
		ctx.showBadge();
		const coming = all
			.filter((m) => ACTIVE.includes(m.status) && m.date >= today)
			.sort((a, b) => (a.date + a.time).localeCompare(b.date + b.time));
		const rest = all.filter((m) => !coming.includes(m));
		const group = (title, entries, over) =>
			entries.length
				? [
						el('h3', {}, title),
						el(
							'ul',
							{},
							entries.map((m) => line(m, over)),
						),
					]
				: [];
		const waiting = recall('waits', []).filter((w) => w.date >= today);
		const waits = waiting.length
			? [
					el('h3', {}, t('waitMine')),
					el(
						'ul',
						{},
						waiting.map((w) =>
							el(
								'li',
								{ class: 'live' },
								el(
									'a',
									{
										href: `/?wait=${w.id}`,
										onclick: (event) => {
											event.preventDefault();
											ctx.go({ wait: w.id });
										},
									},
									el('b', {}, `${shortDay(w.date)} ${w.time}`),
									el('span', {}, t('people', w.party)),
								),
								el('span', { class: 'badge temporary' }, t('waitBadge')),
							),
						),
					),
				]
			: [];
		body.replaceChildren(
			...waits,
			...(all.length
				? [...group(t('coming'), coming, false), ...group(t('past'), rest, true)]
				: [el('p', { class: 'empty' }, t('emptyMine'))]),
		);
		forget.hidden = !all.length && !recall('guest');
	}

	/* Safari empties its storage after a week without a visit; the cookie still knows who booked. */
	async function recover() {
		const { reservations } = await get('/api/reservations/my');
		const known = new Set(mine().map((m) => m.id));
		for (const r of reservations) if (!known.has(r.reservationId)) keepReservation(r);
	}

	async function refresh() {
		await recover().catch(() => {}); /* a newcomer has no cookie */
		if (stopped) return;
		const answers = await Promise.allSettled(
			mine()
				.slice(0, 12)
				.map(async (m) =>
					keepReservation(await get(`/api/reservations/${m.id}`, { who: whoFor(m) }), whoFor(m)),
				),
		);
		if (stopped) return;
		note.hidden = !answers.some((a) => a.status === 'rejected' && a.reason.passing);
		note.textContent = t('offline');
		draw();
	}

	async function forgetAll() {
		const yes = await ask('forget-title', (close) => [
			el('h2', { id: 'forget-title' }, t('forget')),
			el('p', {}, t('forgetAsk')),
			el(
				'div',
				{ class: 'actions' },
				button(t('close'), () => close(false), { class: 'soft' }),
				button(t('forget'), () => close(true), { class: 'danger solid' }),
			),
		]);
		if (!yes) return;
		/* The cookie first: as long as it is there it brings everything back. */
		const who = { token: recall('guest')?.token };
		const kept = await post('/api/logout', {}, { who }).then(
			() => null,
			(error) => error,
		);
		if (kept?.passing) {
			note.hidden = false;
			note.textContent = ctx.sentence(kept);
			return;
		}
		for (const name of ['mine', 'guest', 'draft', 'job', 'waits']) keep(name, null);
		draw();
		announce(t('forgot'));
	}

	/* On another device, or after this one forgot: code and number bring it back. */
	function findForm() {
		const code = el('input', {
			id: 'find-code',
			maxLength: LENGTHS.code,
			autocomplete: 'off',
			autocapitalize: 'characters',
			required: true,
		});
		const phone = el('input', {
			id: 'find-phone',
			type: 'tel',
			inputMode: 'tel',
			autocomplete: 'tel',
			maxLength: LENGTHS.phone,
			required: true,
		});
		const wrong = el('p', { class: 'wrong', role: 'alert' });
		return el(
			'form',
			{
				class: 'find',
				onsubmit: async (event) => {
					event.preventDefault();
					wrong.textContent = '';
					try {
						const found = await post('/api/reservations/find', {
							reservationCode: code.value.trim(),
							phone: phone.value,
						});
						keepReservation(found, { manage: found.manageToken });
						ctx.go({ reservation: found.reservationId });
					} catch (error) {
						wrong.textContent = ctx.sentence(error);
					}
				},
			},
			el('h3', {}, t('find')),
			el('p', { class: 'hint' }, t('findAbout')),
			el('div', { class: 'field' }, el('label', { for: 'find-code' }, t('code')), code),
			el('div', { class: 'field' }, el('label', { for: 'find-phone' }, t('phone')), phone),
			wrong,
			el('div', { class: 'actions' }, el('button', { type: 'submit', class: 'soft' }, t('findGo'))),
		);
	}

	const forget = button(t('forget'), forgetAll, { class: 'plain' });
	const heading = el('h2', {}, t('mine'));
	const others = el(
		'details',
		{
			class: 'all',
			ontoggle: async () => {
				if (others.open && others.childElementCount === 1)
					others.append((await import('./prove.js')).findAll(ctx, draw));
			},
		},
		el('summary', {}, t('proveOther')),
	);
	root.replaceChildren(
		el(
			'section',
			{ class: 'card narrow' },
			heading,
			note,
			body,
			el('p', { class: 'hint' }, t('onlyHere')),
			findForm(),
			others,
			el(
				'div',
				{ class: 'actions' },
				button(t('home'), () => ctx.go({}), { class: 'primary' }),
				forget,
			),
		),
	);
	draw();
	refresh();
	return {
		title: t('mine'),
		heading,
		stop: () => {
			stopped = true;
		},
	};
}
