/*
 * guest.js - notes about a reservation, and about the guest, who can also be blocked or forgotten.
 */
import { patch, post } from '../../api.js';
import { ask } from '../../dialogs.js';
import { actions, confirmDialog, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { tagPicker } from '../../tags.js';
import { button, el } from '../../ui.js';
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

/* Are they short enough?  The first that is not says so. */
const isWhole = (...inputs) => inputs.every((input) => input.reportValidity());

/** A walk-in without a number cannot be remembered: then there is the reservation's note alone. */
export async function note(desk, r) {
	const own = noteInput(null, r.note);
	const about = noteInput(null, r.guestNote, LENGTHS.guestNote);
	const tags = tagPicker(r.tags);
	const blocked = el('input', { type: 'checkbox', checked: r.blocked });
	const mayForget = r.phone && desk.may('POST /api/desk/guests/{id}/erase');
	const wish = await ask('note-title', (close) =>
		[
			el('h2', { id: 'note-title' }, `${r.guestName} · ${t('note')}`),
			tags.node,
			field('n-own', t('note'), own),
			r.phone && field('n-about', t('guestNote'), about),
			r.phone && tick(blocked, t('block')),
			mayForget && button(t('erase'), () => close('erase'), { class: 'plain danger' }),
			actions(button(t('save'), () => isWhole(own, about) && close('save'), { class: 'primary' })),
		].filter(Boolean),
	);
	if (wish === 'erase') await forget(desk, r);
	if (wish !== 'save') return;
	await saveOpinion(desk, r, about.value.trim(), blocked.checked);
	const wanted = { note: own.value.trim(), tags: tags.read() };
	if (own.value !== (r.note ?? '') || String(wanted.tags) !== String(r.tags))
		await act(desk, r, 'note', wanted);
	else desk.refresh();
}
