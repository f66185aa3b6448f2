/*
 * policy.js - the refund rules of terms.js in words.
 */
import { shortDay, t } from '../i18n.js';
import { refundRules } from '../terms.js';
import { el } from '../ui.js';

/* "Until 17 November", "On the day until 16:00" ... */
export function untilText({ rule, until }) {
	if (rule === 'dayBefore') return t('refundDayBefore', shortDay(until));
	if (rule === 'sameDay') return t('refundUntil', until);
	return rule === 'late' ? t('refundLate', until) : t('refundAfter');
}

const drawRule = (row) =>
	el(
		'div',
		{ class: row.now ? 'now' : '' },
		el('dt', {}, untilText(row)),
		el('dd', {}, t('pct', row.pct)),
	);

/* The rules of one slot as a list; see refundRules for what is asked for. */
export const drawPolicy = (...slot) =>
	el('dl', { class: 'policy' }, refundRules(...slot).map(drawRule));
