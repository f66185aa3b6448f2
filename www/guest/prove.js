/*
 * prove.js - six digits that prove a number or an address: for a booking that waits for them, and to see one's
 * reservations on a new device.
 */
import { get, post } from '../api.js';
import { t } from '../i18n.js';
import { LENGTHS } from '../lengths.js';
import { button, el, keep, keepReservation, recall } from '../ui.js';

/* Who asks for their reservations has not said their name on this device; it is no name to fill a form with. */
const NAMELESS = '-';

/*
 * A form that asks for the code.  guest: who they are, or null for whom this device's token says; done(): it was right.
 * Returns { node, ask } where ask() sends a code.
 */
export function codeForm(ctx, { guest = null, done }) {
	const code = el('input', {
		id: 'prove-code',
		inputMode: 'numeric',
		autocomplete: 'one-time-code',
		maxLength: 6,
		pattern: '[0-9]{6}',
		required: true,
	});
	const said = el('p', { class: 'hint', role: 'status' });
	const wrong = el('p', { class: 'wrong', role: 'alert' });
	const enter = el('button', { type: 'submit', class: 'primary' }, t('proveEnter'));
	let proof = null;
	let token = recall('guest')?.token;

	async function send() {
		wrong.textContent = '';
		try {
			const answer = await post(
				'/api/proofs',
				{ restaurantId: ctx.restaurantId, ...(guest ? { guest } : {}) },
				{ who: { token } },
			);
			proof = answer.proofId;
			if (answer.accessToken) {
				token = answer.accessToken;
				const { name, ...others } = guest ?? {};
				keep('guest', {
					...(recall('guest') ?? {}),
					...others,
					...(name && name !== NAMELESS ? { name } : {}),
					token,
				});
			}
			said.textContent = t(answer.channel === 'SMS' ? 'proveSentSms' : 'proveSentMail');
			code.focus();
			return true;
		} catch (error) {
			wrong.textContent = ctx.sentence(error);
			return false;
		}
	}

	const node = el(
		'form',
		{
			class: 'prove',
			onsubmit: async (event) => {
				event.preventDefault();
				wrong.textContent = '';
				enter.disabled = true;
				try {
					await post(`/api/proofs/${proof}`, { code: code.value.trim() }, { who: { token } });
					await done(token);
				} catch (error) {
					wrong.textContent = ctx.sentence(error);
					code.select();
				}
				enter.disabled = false;
			},
		},
		said,
		el('div', { class: 'field' }, el('label', { for: 'prove-code' }, t('proveCode')), code),
		wrong,
		el('div', { class: 'actions' }, enter, button(t('proveAgain'), send, { class: 'plain' })),
	);
	return { node, ask: send };
}

/* On a new telephone: number and address, a code, and everything that was booked with them is here. */
export function findAll(ctx, shown) {
	const known = recall('guest') ?? {};
	const phone = el('input', {
		id: 'all-phone',
		type: 'tel',
		inputMode: 'tel',
		autocomplete: 'tel',
		maxLength: LENGTHS.phone,
		required: true,
		value: known.phone ?? '',
	});
	const email = el('input', {
		id: 'all-email',
		type: 'email',
		inputMode: 'email',
		autocomplete: 'email',
		maxLength: LENGTHS.email,
		value: known.email ?? '',
	});
	const place = el('div', {});
	const field = (label, input) =>
		el('div', { class: 'field' }, el('label', { for: input.id }, label), input);
	const form = el(
		'form',
		{
			class: 'find',
			onsubmit: async (event) => {
				event.preventDefault();
				const guest = {
					name: known.name ?? NAMELESS,
					phone: phone.value.trim(),
					...(email.value.trim() ? { email: email.value.trim() } : {}),
				};
				const { node, ask } = codeForm(ctx, {
					guest,
					async done(token) {
						const { reservations } = await get('/api/reservations/my', { who: { token } });
						for (const r of reservations.reverse()) keepReservation(r, { manage: r.manageToken });
						place.replaceChildren(
							el('p', { role: 'status' }, t('proveFound', reservations.length)),
						);
						shown();
					},
				});
				place.replaceChildren(node);
				await ask();
			},
		},
		el('h3', {}, t('proveTitle')),
		el('p', { class: 'hint' }, t('proveAbout')),
		field(t('phone'), phone),
		field(t('email'), email),
		el(
			'div',
			{ class: 'actions' },
			el('button', { type: 'submit', class: 'soft' }, t('proveSend')),
		),
	);
	return el('div', {}, form, place);
}
