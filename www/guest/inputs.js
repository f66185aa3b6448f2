/*
 * inputs.js - the inputs for who a guest is, as several forms ask for it.
 */
import { LENGTHS } from '../lengths.js';
import { el } from '../ui.js';

export const nameInput = (props) =>
	el('input', { required: true, maxLength: LENGTHS.name, autocomplete: 'name', ...props });

export const phoneInput = (props) =>
	el('input', {
		required: true,
		type: 'tel',
		inputMode: 'tel',
		maxLength: LENGTHS.phone,
		autocomplete: 'tel',
		...props,
	});

export const emailInput = (props) =>
	el('input', {
		type: 'email',
		inputMode: 'email',
		maxLength: LENGTHS.email,
		autocomplete: 'email',
		...props,
	});
