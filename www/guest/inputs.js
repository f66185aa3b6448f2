/*
 * inputs.js - the inputs for who a guest is, as several forms ask for it.
 */
import { t } from '../i18n.js';
import { LENGTHS } from '../lengths.js';
import { el } from '../ui.js';

export const nameInput = (props) =>
	el('input', { required: true, 'data-limit': LENGTHS.name, autocomplete: 'name', ...props });

/* A number without its country is one of the house's: its own is the example. */
export const phoneInput = (house, props) =>
	el('input', {
		required: true,
		type: 'tel',
		inputMode: 'tel',
		maxLength: LENGTHS.phone,
		autocomplete: 'tel',
		placeholder: house?.phoneExample ? t('example', house.phoneExample) : '',
		...props,
	});

/* What stands before such a number. */
export const callingCode = (house) =>
	house?.callingCode &&
	el('span', { class: 'soft-text', id: 'calling-code' }, `+${house.callingCode}`);

export const emailInput = (props) =>
	el('input', {
		type: 'email',
		inputMode: 'email',
		'data-limit': LENGTHS.email,
		autocomplete: 'email',
		...props,
	});
