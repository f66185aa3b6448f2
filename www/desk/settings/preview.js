/*
 * preview.js - what guests will read, made of what stands in the fields and is not saved yet: in
 * the words of their own page, and in the language of this one.
 */
import { addDays } from '../../dates.js';
import { lang, money, shortDay, t } from '../../i18n.js';
import { depositOf, policyOf, refundRules } from '../../terms.js';
import { el } from '../../ui.js';
import { hasOwnDeposits } from '../owner.js';

const TIME = '19:00';
const PARTY = 2;
const AHEAD = 3; /* days until the reservation of the example */

/* The words of the guests' page. */
const guestWords = async () => (await import(`../../guest/words/${lang()}.js`)).words;

const box = (content) =>
	el('section', { class: 'preview', 'aria-label': t('settings.preview') }, [
		el('h3', {}, t('settings.preview')),
		content,
	]);

/* ---- refunds ---- */

/* "Until the end of Fri 20 Nov: 100 % back" */
const ruleText = (words, { rule, until }) => {
	if (rule === 'dayBefore') return words.refundDayBefore(shortDay(until));
	if (rule === 'sameDay') return words.refundUntil(until);
	return rule === 'late' ? words.refundLate(until) : words.refundAfter;
};

function policyList(words, values, party, house) {
	const date = addDays(house.today, AHEAD);
	const rows = refundRules(policyOf(values, party), date, TIME, { today: house.today, minutes: 0 });
	const row = (r) =>
		el('div', {}, el('dt', {}, ruleText(words, r)), el('dd', {}, words.pct(r.pct)));
	return el('dl', { class: 'policy' }, rows.map(row));
}

/** A table for two in three days, and one for a large party where that differs. */
export async function refundPreview({ house }) {
	const words = await guestWords();
	const content = el('div', {});
	const about = (party) =>
		t('settings.exampleOf', t('people', party), shortDay(addDays(house.today, AHEAD)), TIME);
	const one = (values, party) => [
		el('p', { class: 'hint' }, about(party)),
		policyList(words, values, party, house),
	];
	function draw(values) {
		const large = Math.max(PARTY, values.refundLargeFrom);
		const differs = values.refundLateLargePct !== values.refundLatePct && large > PARTY;
		content.replaceChildren(...one(values, PARTY), ...(differs ? one(values, large) : []));
	}
	return { node: box(content), draw };
}

/* ---- how a deposit is paid ---- */

/** What a guest reads whose seats are held. */
export async function paymentPreview({ house }) {
	const words = await guestWords();
	const content = el('div', {});
	function draw(values) {
		const party = Math.max(PARTY, values.depositFrom);
		const due = depositOf(values, party) || depositOf({ ...values, depositFrom: 1 }, party);
		const how = values.paymentText
			? el('p', { class: 'pay-text' }, values.paymentText)
			: el('p', {}, words.payAt(house.phone));
		const own = hasOwnDeposits(house);
		const said = t(`settings.${own ? 'ownDeposits' : 'noDeposit'}`);
		const none = el('p', { class: 'soft-text' }, said);
		const parts = [
			el('p', { class: 'hint' }, t('people', party)),
			el('h4', {}, words.payTitle),
			el('p', {}, money(due, house)),
			how,
		];
		content.replaceChildren(...(due ? parts : [none, ...(own ? [how] : [])]));
	}
	return { node: box(content), draw };
}

/* ---- the words on top of messages ---- */

/** read(): { messageText, messageTextEn }. */
export function messagePreview({ house }, read) {
	const content = el('div', {});
	const mail = (text) =>
		el(
			'div',
			{ class: 'mail' },
			el('b', {}, house.name),
			text ? el('p', { class: 'pay-text' }, text) : null,
			el('p', { class: 'soft-text' }, t('settings.mailGoesOn')),
		);
	function draw() {
		const { messageText, messageTextEn } = read();
		const texts = [messageText, messageTextEn].filter(Boolean);
		content.replaceChildren(...(texts.length ? texts : ['']).map(mail));
	}
	draw();
	return { node: box(content), draw };
}
