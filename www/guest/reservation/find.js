/*
 * find.js - a reservation of another device: code and number bring it back.
 */
import { post } from '../../api.js';
import { field, form } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { el } from '../../ui.js';
import { phoneInput } from '../inputs.js';
import { keepReservation } from '../mine.js';

export function findForm(ctx) {
	const code = el('input', {
		maxLength: LENGTHS.code,
		autocomplete: 'off',
		autocapitalize: 'characters',
		required: true,
	});
	const phone = phoneInput(ctx.house);
	return form({
		class: 'find',
		content: [
			el('h3', {}, t('find')),
			el('p', { class: 'hint' }, t('findAbout')),
			field('find-code', t('code'), code),
			field('find-phone', t('phone'), phone),
		],
		submit: t('findGo'),
		kind: 'soft',
		explain: (error) =>
			error.code === 'NO_SUCH_RESERVATION' ? t('findNone') : ctx.sentence(error),
		async send() {
			const found = await post('/api/reservations/find', {
				reservationCode: code.value.trim(),
				phone: phone.value,
			});
			keepReservation(found, { manage: found.manageToken });
			ctx.go({ reservation: found.reservationId });
		},
	});
}
