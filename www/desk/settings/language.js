/*
 * language.js - what a house says in its other language stands behind one switch.
 */
import { t } from '../../i18n.js';
import { el, keep, recall } from '../../ui.js';

/** "Name in English" in a Korean house, "Name in Korean" in the others. */
export const inOther = (name, house) => t(name, t(`otherOf.${house.language}`));

/** Marks a field that is in the other language. */
export function otherField(node) {
	node.classList.add('other-language');
	return node;
}

/**
 * The switch of a card.  written: something is said in the other language already.  attach(card):
 * the card that it is for.
 */
export function languageSwitch(house, written) {
	const input = el('input', { type: 'checkbox', checked: written || Boolean(recall('also')) });
	const label = t('settings.alsoIn', t(`speaks.${house.language === 'ko' ? 'en' : 'ko'}`));
	const node = el('label', { class: 'tick also' }, input, ` ${label}`);
	function attach(card) {
		const show = () => card.classList.toggle('with-other', input.checked);
		const reveal = () => {
			input.checked = true;
			show();
		};
		input.addEventListener('change', () => {
			keep('also', input.checked || null);
			show();
		});
		/* What is wrong in a field has to be seen. */
		card.addEventListener('invalid', (e) => e.target.closest('.other-language') && reveal(), true);
		show();
		return card;
	}
	return { node, attach };
}
