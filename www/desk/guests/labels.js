/*
 * labels.js - what the house calls a guest: VIP, regular, friend, careful, or words of its own.
 */
import { t } from '../../i18n.js';
import { el } from '../../ui.js';

/* Those of core/guesttags.h, which have names in each language; a test compares them. */
export const LABELS = ['VIP', 'REGULAR', 'FRIEND', 'CAREFUL'];

export const labelName = (label) => (LABELS.includes(label) ? t(`label.${label}`) : label);

/** A node, or null where there are none. */
export function labelLine(labels = []) {
	if (!labels.length) return null;
	const chip = (label) =>
		el('span', { class: label === 'CAREFUL' ? 'label careful' : 'label' }, labelName(label));
	return el('span', { class: 'labels' }, labels.map(chip));
}
