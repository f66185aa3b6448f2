/*
 * guest.js - notes about a reservation, and about the guest, who can also be blocked or forgotten.
 */
import { patch, post } from '../../api.js';
import { actions, confirmDialog, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { ask, button, el } from '../../ui.js';
import { noteInput, tick } from './inputs.js';
import { act, explain } from './send.js';

async function forget(desk, r) {
	const title = `${r.guestName} · ${t('erase')}`;
	const sure = await confirmDialog(title, t('sureErase'), t('erase'), {
		no: t('keepIt'),
		kind: 'danger solid',
	});
	if (!sure) return;
	try {
		await post(`/api/desk/guests/${r.guestId}/erase`, {});
		desk.refresh();
	} catch (error) {
		await explain(desk, error);
	}
}

/* What the house thinks of this guest, as far as it changed. */
async function saveOpinion(desk, r, about, blocked) {
	const opinion = {
		...(about !== (r.guestNote ?? '') ? { note: about } : {}),
		...(blocked !== r.blocked ? { blocked: blocked ? 1 : 0 } : {}),
	};
	if (!r.phone || !Object.keys(opinion).length) return;
	try {
		await patch(`/api/desk/guests/${r.guestId}`, opinion, { query: desk.query() });
	} catch (error) {
		await explain(desk, error);
	}
}

/** A walk-in without a number is nobody to remember: then there is the reservation's note alone. */
export async function note(desk, r) {
	const own = noteInput(null, r.note);
	const about = noteInput(null, r.guestNote, LENGTHS.guestNote);
	const blocked = el('input', { type: 'checkbox', checked: r.blocked });
	const mayForget = r.phone && desk.me.userType === 'OWNER';
	const wish = await ask('note-title', (close) =>
		[
			el('h2', { id: 'note-title' }, `${r.guestName} · ${t('note')}`),
			field('n-own', t('note'), own),
			r.phone && field('n-about', t('guestNote'), about),
			r.phone && tick(blocked, t('block')),
			mayForget && button(t('erase'), () => close('erase'), { class: 'plain danger' }),
			actions(
				button(t('save'), () => close('save'), { class: 'primary' }),
				button(t('close'), () => close(), { class: 'plain' }),
			),
		].filter(Boolean),
	);
	if (wish === 'erase') await forget(desk, r);
	if (wish !== 'save') return;
	await saveOpinion(desk, r, about.value.trim(), blocked.checked);
	if (own.value !== (r.note ?? '')) await act(desk, r, 'note', { note: own.value.trim() });
	else desk.refresh();
}
