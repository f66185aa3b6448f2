/*
 * holds.js - every hold that waits for its money, of all days: the one that ends first on top.
 */
import { get } from '../../api.js';
import { ask } from '../../dialogs.js';
import { actions } from '../../forms.js';
import { money, shortDay, slotWhen, t } from '../../i18n.js';
import { announce, button, el, telLink } from '../../ui.js';
import { confirmPayment, open } from '../acts/open.js';
import { holdLeft } from '../evening/row.js';
import { phoneText } from '../evening/state.js';

const TICK_MS = 1000;

/* others: they are shown again when this one is done. */
function drawHold(desk, r, others, close) {
	const when = slotWhen(r.slotDate, r.slotTime, shortDay);
	const change = r.changeOf && t('changeTo', r.changeParty, r.changeOfCode);
	const facts = [when, money(r.totalAmount, r), change].filter(Boolean).join(' · ');
	const paid = async () => {
		await confirmPayment(desk, r);
		if (others) await holds(desk);
	};
	const pay = button(t('confirm'), () => close(paid), {
		class: 'primary',
	});
	const left = el('span', { class: 'badge temporary', 'data-hold': r.holdExpiresAt });
	left.textContent = holdLeft(r.holdExpiresAt, desk.clock().ms);
	return el(
		'li',
		{ class: 'row temporary' },
		el(
			'button',
			{ type: 'button', class: 'who', onclick: () => close(() => open(desk, r)) },
			el('span', { class: 'size' }, String(r.partySize)),
			el('span', { class: 'name' }, el('b', {}, r.guestName), el('span', {}, facts)),
		),
		left,
		el(
			'div',
			{ class: 'acts' },
			r.phone && el('a', { class: 'button soft', href: telLink(r.phone) }, phoneText(r.phone)),
			pay,
		),
	);
}

export async function holds(desk) {
	const answer = await get('/api/desk/holds', { query: desk.query() }).catch((error) => {
		const text = desk.sentence(error);
		announce(text, true);
		desk.say(text);
	});
	if (!answer) return;
	const others = answer.reservations.length > 1;
	const rows = (close) => answer.reservations.map((r) => drawHold(desk, r, others, close));
	const body = el('ul', { class: 'found holds' });
	const timer = setInterval(() => {
		for (const node of body.querySelectorAll('[data-hold]')) {
			node.textContent = holdLeft(node.dataset.hold, desk.clock().ms);
		}
	}, TICK_MS);
	const then = await ask(
		'holds-title',
		(close) => {
			body.append(...(answer.reservations.length ? rows(close) : [el('li', {}, t('holdsNone'))]));
			return [
				el('h2', { id: 'holds-title' }, t('holdsTitle')),
				el('p', { class: 'hint' }, t('holdsAbout')),
				body,
				actions(button(t('close'), () => close(), { class: 'plain' })),
			];
		},
		{ className: 'wide' },
	);
	clearInterval(timer);
	if (then) await then();
}
