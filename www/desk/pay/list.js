/*
 * list.js - payments and refunds: those that need somebody first, with what the provider said.
 */
import { post } from '../../api.js';
import { actions, confirmDialog } from '../../forms.js';
import { money, shortDay, slotWhen, t } from '../../i18n.js';
import { announce, button, el } from '../../ui.js';
import { p } from './say.js';
import { insteadOf } from './went.js';

const GOOD = ['PAID', 'REFUNDED', 'DONE', 'BY_HAND'];

function kindOf(row) {
	if (row.kind === 'REFUND') return 'REFUND';
	return row.purpose === 'CHARGE' ? 'CHARGE' : 'PAYMENT';
}

/* Sends it; what is there now is drawn anew. */
async function tell(desk, path, redraw) {
	try {
		await post(path, {});
		redraw();
	} catch (error) {
		const text = desk.sentence(error);
		announce(text, true);
		desk.say(text);
	}
}

/* What can be done about a refund that failed; one that was never sent for what the company says
 * can be paid back in another way. */
function drawActs(desk, row, redraw) {
	const path = (word) => `/api/desk/refunds/${row.refundId}/${word}`;
	async function byHand() {
		const text = p('byHandText', money(row.amount, row), row.guestName);
		const how = { careful: true };
		if (await confirmDialog(p('byHandTitle'), text, p('byHandYes'), how))
			await tell(desk, path('by-hand'), redraw);
	}
	return actions(
		row.state === 'FAILED' &&
			button(p('again'), () => tell(desk, path('again'), redraw), { class: 'primary' }),
		button(p('byHand'), byHand, { class: 'soft' }),
	);
}

function drawLine(desk, row, redraw) {
	const about = [
		row.slotDate && slotWhen(row.slotDate, row.slotTime, shortDay),
		row.reservationCode,
		p(`names.${row.provider}`),
		desk.moment(row.doneAt ?? row.createdAt),
		row.attempts > 1 && p('attempts', row.attempts),
	];
	const why = insteadOf(row.words);
	const stuck = row.state === 'QUEUED' && row.attempts === 0 && row.words;
	const needy = row.kind === 'REFUND' && (row.state === 'FAILED' || stuck);
	return el(
		'li',
		{ class: 'paid-row', 'data-refund': row.refundId },
		el(
			'div',
			{ class: 'paid-head' },
			el('b', {}, `${p(`kinds.${kindOf(row)}`)} ${money(row.amount, row)}`),
			el('span', {}, row.guestName ?? ''),
			el(
				'span',
				{ class: `badge ${GOOD.includes(row.state) ? 'confirmed' : 'temporary'}` },
				p(`states.${row.state}`),
			),
		),
		el('p', { class: 'soft-text' }, about.filter(Boolean).join(' · ')),
		row.words && el('p', { class: 'notice' }, why ? p(why) : p('said', row.words)),
		needy && drawActs(desk, row, redraw),
	);
}

const drawLines = (desk, rows, none, redraw) =>
	rows.length
		? el(
				'ul',
				{ class: 'paid-list' },
				rows.map((row) => drawLine(desk, row, redraw)),
			)
		: el('p', { class: 'empty' }, none);

/** The card; redraw(): asks again and draws it anew.  What needs somebody is not there twice. */
export function drawPaid(desk, { needs, newest, cashier }, redraw) {
	const needed = new Set(needs.map((row) => row.refundId));
	const others = newest.filter((row) => !needed.has(row.refundId));
	return el(
		'section',
		{ class: 'card', id: 'paid' },
		el('h2', {}, t('paidList')),
		cashier === false && el('p', { class: 'notice' }, p('away')),
		el('h3', {}, p('needs')),
		drawLines(desk, needs, p('needsNone'), redraw),
		el('h3', {}, p('newest')),
		drawLines(desk, others, p('none'), redraw),
	);
}
