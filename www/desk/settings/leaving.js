/*
 * leaving.js - nobody leaves a card with changes that are not saved without being asked.
 */
import { ask } from '../../dialogs.js';
import { actions } from '../../forms.js';
import { t } from '../../i18n.js';
import { button, el } from '../../ui.js';

const TITLE = 'leave-unsaved';

/* 'save', 'drop', or undefined: stay. */
const askWhat = (what) =>
	ask(TITLE, (close) => [
		el('h2', { id: TITLE }, t('settings.leave')),
		el('p', {}, what),
		actions(
			button(t('save'), () => close('save'), { class: 'primary' }),
			button(t('settings.drop'), () => close('drop'), { class: 'soft' }),
			button(t('settings.stay'), () => close(), { class: 'plain' }),
		),
	]);

let asking = null; /* the question that is open */

/** True if a card may be left: it has no change, or that is saved or given up now. */
export async function mayLeave(card) {
	const what = card?.unsaved?.();
	if (!what) return true;
	asking ??= askWhat(what);
	const answer = await asking;
	asking = null;
	if (answer === 'save') return card.saveNow();
	return answer === 'drop';
}

/** The browser asks before it closes a page whose card has changes; current(): that card. */
export function guardPage(current) {
	addEventListener('beforeunload', (event) => {
		if (!current()?.isConnected || !current().unsaved?.()) return;
		event.preventDefault();
		event.returnValue = ''; /* older browsers ask only then */
	});
}
