/*
 * prove.js - six digits that prove a number or an address: for a booking that waits for them, and
 * to see one's reservations on a new device.
 */
import { get, post } from '../api.js';
import { field, form } from '../forms.js';
import { t } from '../i18n.js';
import { button, el, keep, recall } from '../ui.js';
import { contactOf } from './details/order.js';
import { emailInput, phoneInput } from './inputs.js';
import { keepReservation } from './mine.js';

/* Guests who ask for their reservations have not said their name on this device; it is no name to
 * fill a form with. */
const NAMELESS = '-';

const codeInput = () =>
	el('input', {
		inputMode: 'numeric',
		autocomplete: 'one-time-code',
		maxLength: 6,
		pattern: '[0-9]{6}',
		required: true,
	});

/* The login that came with a code, for the guest it was sent to. */
function keepLogin(guest, token) {
	const { name, ...others } = guest ?? {};
	const named = name && name !== NAMELESS ? { name } : {};
	keep('guest', { ...recall('guest'), ...others, ...named, token });
}

/*
 * A form that asks for the code.  guest: who they are, or null for whom this device's token says;
 * done(token): it was right.  Returns { node, ask } where ask() sends a code.
 */
export function codeForm(ctx, { guest = null, done }) {
	const code = codeInput();
	const said = el('p', { class: 'hint', role: 'status' });
	const wrong = el('p', { class: 'wrong', role: 'alert' });
	let proof = null;
	let token = recall('guest')?.token;

	async function ask() {
		const body = { restaurantId: ctx.restaurantId, ...(guest ? { guest } : {}) };
		wrong.textContent = '';
		try {
			const answer = await post('/api/proofs', body, { who: { token } });
			proof = answer.proofId;
			token = answer.accessToken ?? token;
			if (answer.accessToken) keepLogin(guest, token);
			said.textContent = t(answer.channel === 'SMS' ? 'proveSentSms' : 'proveSentMail');
			code.focus();
		} catch (error) {
			wrong.textContent = ctx.sentence(error);
		}
	}

	const node = form({
		class: 'prove',
		content: [said, field('prove-code', t('proveCode'), code)],
		submit: t('proveEnter'),
		others: [button(t('proveAgain'), ask, { class: 'plain' })],
		wrong,
		async send() {
			await post(`/api/proofs/${proof}`, { code: code.value.trim() }, { who: { token } });
			await done(token);
		},
		explain(error) {
			code.select();
			return ctx.sentence(error);
		},
	});
	return { node, ask };
}

/* On a new telephone: number and address, a code, and everything that was booked with them is
 * here. */
export function findAll(ctx, shown) {
	const known = recall('guest') ?? {};
	const phone = phoneInput(ctx.house, { value: known.phone ?? '' });
	const email = emailInput({ value: known.email ?? '' });
	const place = el('div', {});

	async function fetchAll(token) {
		const { reservations } = await get('/api/reservations/my', { who: { token } });
		for (const r of reservations.reverse()) keepReservation(r, { manage: r.manageToken });
		place.replaceChildren(el('p', { role: 'status' }, t('proveFound', reservations.length)));
		shown();
	}

	const asking = form({
		class: 'find',
		content: [
			el('h3', {}, t('proveTitle')),
			el('p', { class: 'hint' }, t('proveAbout')),
			field('all-phone', t('phone'), phone),
			field('all-email', t('email'), email),
		],
		submit: t('proveSend'),
		kind: 'soft',
		async send() {
			const name = known.name ?? NAMELESS;
			const guest = contactOf({ name, phone: phone.value, email: email.value });
			const { node, ask } = codeForm(ctx, { guest, done: fetchAll });
			place.replaceChildren(node);
			await ask();
		},
	});
	return el('div', {}, asking, place);
}
