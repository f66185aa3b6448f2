/*
 * full.js - a time that is full: what is offered instead.  It comes after the first view.
 */
import { clockTime } from '../../dates.js';
import { ask } from '../../dialogs.js';
import { t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { drawOffers, waitButton } from './times.js';

/**
 * The nearest times that are not full, as one tap each.  Resolves to { date, time },
 * 'days', 'wait' or undefined.
 */
export function offerAlternatives({ time, party, alternatives, title, waitlist = false }) {
	return ask('full-title', (close) => [
		el('h2', { id: 'full-title' }, title ?? t('fullTitle')),
		el(
			'p',
			{},
			alternatives.length ? t('fullText', clockTime(time), party) : t('fullNone', clockTime(time)),
		),
		drawOffers(alternatives, party, close),
		...(waitlist
			? [el('p', { class: 'hint' }, t('waitOffer')), waitButton(time, () => close('wait'))]
			: []),
		el(
			'div',
			{ class: 'actions' },
			button(t('otherDay'), () => close('days'), { class: 'plain' }),
			button(t('close'), () => close(), { class: 'plain' }),
		),
	]);
}
