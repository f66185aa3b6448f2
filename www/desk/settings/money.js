/*
 * money.js - deposits and refunds, beside what guests will read of them.
 */
import { field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { paymentPreview, refundPreview } from './preview.js';
import { lines, rulesSection } from './section.js';

export async function deposit(of) {
	const how = lines(of.house.paymentText, LENGTHS.paymentText, { name: 'paymentText', rows: 3 });
	const preview = await paymentPreview(of, () => how.value.trim());
	const card = rulesSection(of, 'deposit', {
		below: [field(null, t('paymentText'), how), preview.node],
		read: () => ({ paymentText: how.value.trim() }),
		follow: preview.draw,
	});
	return card;
}

export async function refund(of) {
	const preview = await refundPreview(of);
	return rulesSection(of, 'refund', { below: [preview.node], follow: preview.draw });
}
