/*
 * waitlist.js - waiting for a time that is full: joining, one's rank, leaving; when seats come free it leads to them.
 */
import { call, get, post } from '../api.js';
import { longDay, t } from '../i18n.js';
import { LENGTHS } from '../lengths.js';
import {
	announce,
	ask,
	between,
	button,
	el,
	focusOn,
	freshKey,
	keep,
	keepReservation,
	recall,
	submit as submitForm,
} from '../ui.js';
import { change, Left } from './waiting.js';

const WAITS_MAX = 10;

/* What this device waits for: id, date, time, party, token. */
export const waits = () => recall('waits', []);
const keepWait = (w) =>
	keep('waits', [w, ...waits().filter((o) => o.id !== w.id)].slice(0, WAITS_MAX));
export const forgetWait = (id) =>
	keep(
		'waits',
		waits().filter((o) => o.id !== id),
	);

function field(id, label, input, optional) {
	return el(
		'div',
		{ class: 'field' },
		el(
			'label',
			{ for: id },
			label,
			optional ? el('span', { class: 'soft-text' }, ` (${t('optional')})`) : null,
		),
		Object.assign(input, { id }),
	);
}

/* Asks who waits, and puts them on the list.  Resolves to the number of the entry, or undefined. */
export function joinWaitlist(ctx, { date, time, party }) {
	const known = recall('guest', {}) ?? {};
	return ask('join-title', (close) => {
		const name = el('input', {
			value: known.name ?? '',
			required: true,
			maxLength: LENGTHS.name,
			autocomplete: 'name',
		});
		const phone = el('input', {
			value: known.phone ?? '',
			required: true,
			type: 'tel',
			inputMode: 'tel',
			maxLength: LENGTHS.phone,
			autocomplete: 'tel',
		});
		const email = el('input', {
			value: known.email ?? '',
			type: 'email',
			inputMode: 'email',
			maxLength: LENGTHS.email,
			autocomplete: 'email',
		});
		const wrong = el('p', { class: 'wrong', role: 'alert' });
		const submit = el('button', { type: 'submit', class: 'primary' }, t('waitJoin'));
		const key = freshKey();
		/* Freed seats are kept from others for those who wait, so the house may want to know that they exist: a
		 * code, and once more. */
		async function prove(token, guest) {
			const { codeForm } = await import('./prove.js');
			known.token = token;
			keep('guest', { ...guest, id: known.id, token });
			const code = codeForm(ctx, {
				async done() {
					code.node.remove();
					form.hidden = false;
					submitForm(form);
				},
			});
			form.hidden = true;
			form.after(code.node);
			await code.ask();
		}
		const form = el(
			'form',
			{
				onsubmit: async (event) => {
					event.preventDefault();
					wrong.textContent = '';
					submit.disabled = true;
					const guest = {
						name: name.value.trim(),
						phone: phone.value.trim(),
						...(email.value.trim() ? { email: email.value.trim() } : {}),
					};
					try {
						const w = await change(
							(signal) =>
								post(
									'/api/waitlist',
									{
										restaurantId: ctx.restaurantId,
										slotDate: date,
										slotTime: time,
										partySize: party,
										guest,
									},
									{ key, signal, who: { token: known.token } },
								),
							ctx.house?.phone,
						);
						if (w.accessToken) keep('guest', { ...guest, id: known.id, token: w.accessToken });
						keepWait({ id: w.waitlistId, date, time, party, token: w.accessToken ?? known.token });
						close(w.waitlistId);
					} catch (error) {
						submit.disabled = false;
						if (error instanceof Left) return;
						wrong.textContent = ctx.sentence(error);
						if (error.code === 'PROVE_FIRST') await prove(error.body.accessToken, guest);
					}
				},
			},
			el('h2', { id: 'join-title' }, t('waitTitleOf', time)),
			el('p', {}, `${longDay(date)} ${time}, ${t('people', party)}`),
			el('p', { class: 'hint' }, t('waitAbout')),
			field('w-name', t('name'), name),
			field('w-phone', t('phone'), phone),
			field('w-email', t('email'), email, true),
			wrong,
			el(
				'div',
				{ class: 'actions' },
				submit,
				button(t('close'), () => close(undefined), { class: 'plain' }),
			),
		);
		return [form];
	});
}

/* The screen of somebody who waits. */
export function waitView(root, ctx, id) {
	const mine = waits().find((w) => w.id === id);
	const who = { token: mine?.token ?? recall('guest')?.token };
	let timer = 0;
	let stopped = false;
	let shown = '';
	const heading = el('h2', {}, t('waitOn'));
	const rank = el('p', { class: 'rank', role: 'status' });
	const about = el('p', { class: 'hint' });
	const actions = el('div', { class: 'actions' });
	const face = el('div', { class: 'slip' });

	function stop() {
		stopped = true;
		clearTimeout(timer);
	}

	function draw(w) {
		if (shown === `${w.status} ${w.rank}`) return;
		shown = `${w.status} ${w.rank}`;
		const waiting = w.status === 'WAITING';
		heading.textContent = t(waiting ? 'waitOn' : `w.${w.removed ? 'REMOVED' : w.status}`);
		face.replaceChildren(
			el(
				'div',
				{ class: 'face' },
				el('p', { class: 'd' }, longDay(w.slotDate)),
				el('p', { class: 'h' }, w.slotTime),
				el('p', { class: 'p' }, t('people', w.partySize)),
			),
		);
		rank.replaceChildren(...(waiting ? [el('b', {}, String(w.rank)), ' ', t('waitRank')] : []));
		about.textContent = waiting ? t('waitFollow') : '';
		actions.replaceChildren(
			waiting
				? button(t('waitLeave'), leave, { class: 'plain danger' })
				: button(t('home'), () => ctx.go({ party: w.partySize, date: w.slotDate }), {
						class: 'primary',
					}),
		);
	}

	/* Seats have come free: from here on it is a reservation like every other. */
	async function follow(w) {
		const offered = { manage: w.manageToken };
		const r = await get(`/api/reservations/${w.reservationId}`, { who: offered });
		keepReservation(r, offered);
		forgetWait(id);
		announce(t('w.OFFERED'), true);
		ctx.go({ reservation: w.reservationId }, { replace: true });
	}

	async function look() {
		if (stopped) return;
		try {
			const w = await get(`/api/waitlist/${id}`, { who });
			if (stopped) return;
			if ((w.status === 'OFFERED' || w.status === 'BOOKED') && w.manageToken)
				return await follow(w);
			if (w.status !== 'WAITING') forgetWait(id);
			draw(w);
		} catch (error) {
			if (!stopped && !error.passing) {
				forgetWait(id);
				rank.textContent = ctx.sentence(error);
				actions.replaceChildren(button(t('home'), () => ctx.go({}), { class: 'primary' }));
				return;
			}
		}
		timer = setTimeout(look, between(3000, 5000));
	}

	async function leave() {
		const sure = await ask('leave-title', (close) => [
			el('h2', { id: 'leave-title' }, t('waitLeaveAsk')),
			el(
				'div',
				{ class: 'actions' },
				button(t('close'), () => close(false), { class: 'soft' }),
				button(t('waitLeave'), () => close(true), { class: 'danger solid' }),
			),
		]);
		if (!sure) return;
		try {
			await change(
				(signal) => call('DELETE', `/api/waitlist/${id}`, { who, signal }),
				ctx.house?.phone,
			);
		} catch (error) {
			if (!(error instanceof Left)) announce(ctx.sentence(error), true);
		}
		clearTimeout(timer);
		await look();
		focusOn(heading);
	}

	root.replaceChildren(
		el('article', { class: 'card narrow waits' }, heading, face, rank, about, actions),
	);
	look();
	return { stop, title: t('waitOn'), heading };
}
