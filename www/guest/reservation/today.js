/*
 * today.js - on the day: a guest says that they are late, or at the door.
 */
import { serverNow } from '../../api.js';
import { actions } from '../../forms.js';
import { t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { mayTell } from './states.js';

const LATE_MIN = [10, 20, 30];

/* s.sayToday(what, body): 'late' or 'here', and what is said of it. */
function lateButtons(s) {
	const said = s.r.lateMinutes || 0;
	const minutes = LATE_MIN.filter((n) => n !== said).map((n) =>
		button(t('dayLate', n), () => s.sayToday('late', { minutes: n }), { class: 'soft' }),
	);
	const back = () => s.sayToday('late', { minutes: 0 });
	return [...minutes, said > 0 && button(t('dayInTime'), back, { class: 'plain' })];
}

function drawHere(s) {
	return [
		el('p', {}, t('dayHereSaid')),
		actions(button(t('dayNotHere'), () => s.sayToday('here', { here: 0 }), { class: 'plain' })),
	];
}

/** The section that stands on top of the reservation on its day; null at any other time. */
export function drawToday(s) {
	const { late, here } = mayTell(s.r, serverNow());
	if (!late && !here) return null;
	const arrive = () => s.sayToday('here', { here: 1 });
	const told = s.r.here
		? drawHere(s)
		: [
				late && s.r.lateMinutes > 0 && el('p', {}, t('dayLateSaid', s.r.lateMinutes)),
				actions(
					here && button(t('dayHere'), arrive, { class: 'primary', id: 'here' }),
					...(late ? lateButtons(s) : []),
				),
			];
	return el(
		'section',
		{ class: 'notice question today', 'aria-labelledby': 'today-title' },
		el('h3', { id: 'today-title' }, t('dayTitle')),
		...told,
	);
}
