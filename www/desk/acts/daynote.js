/*
 * daynote.js - the note for the team on one day: one text, which every tablet shows.
 */
import { put } from '../../api.js';
import { askForm, field } from '../../forms.js';
import { shortDay, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { announce, el } from '../../ui.js';

/* Sends it, and shows what the box has now; undo puts the words of before back. */
async function save(desk, date, note, before) {
	const version = before?.version ?? 0;
	const wish = { date, note, version };
	const { dayNote } = await put('/api/desk/day-note', wish, { query: desk.query() });
	desk.amend((day) => {
		if (day.date === date) day.dayNote = dayNote;
	});
	const said = t(note ? 'shift.saved' : 'shift.gone');
	announce(said);
	desk.say(said, () =>
		save(desk, date, before?.note ?? '', dayNote).catch((e) => refused(desk, e)),
	);
	desk.refresh();
}

/* Somebody else was faster: what they wrote is shown. */
function refused(desk, error) {
	const text = error.code === 'STALE' ? t('shift.stale') : desk.sentence(error);
	announce(text, true);
	desk.say(text);
	desk.refresh();
}

export async function dayNote(desk) {
	const { date, dayNote: before } = desk.day;
	const input = el('textarea', {
		value: before?.note ?? '',
		'data-limit': LENGTHS.shiftNote,
		rows: 4,
		name: 'note',
	});
	await askForm(`${t('shift.title')} · ${shortDay(date)}`, {
		content: [field(null, t('note'), input, { hint: t('shift.about') })],
		submit: t('save'),
		send: async () => {
			const note = input.value.trim();
			if (note === (before?.note ?? '')) return;
			await save(desk, date, note, before).catch((error) => refused(desk, error));
		},
	});
}
