/*
 * history.js - who changed what of the house when.
 */
import { t } from '../../i18n.js';
import { el } from '../../ui.js';
import { houseHistory } from '../history/list.js';

export async function history({ desk, query }) {
	const content = await houseHistory(desk, query);
	return el('section', { class: 'card' }, el('h2', {}, t('history')), ...content);
}
