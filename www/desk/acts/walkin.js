/*
 * walkin.js - a party at the door: a size, and one tap.
 */
import { minutesOf, timeOf } from '../../dates.js';
import { ask } from '../../dialogs.js';
import { confirmDialog, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { nameInput, tablePicker } from './inputs.js';
import { once, send, takeOut } from './send.js';

const LARGEST = 12;
const SIZES = Array.from({ length: LARGEST }, (_, i) => i + 1);

/* The size, and the rest as it was when it was tapped; undefined: they left. */
function askSize(desk, at) {
	const name = nameInput(null);
	const tables = tablePicker(desk, at);
	const read = (partySize) => ({
		partySize,
		...(name.value.trim() ? { guestName: name.value.trim() } : {}),
		...tables.wish(),
	});
	return ask('walk-title', (close) => [
		el('h2', { id: 'walk-title' }, t('walkIn')),
		el('p', {}, t('howMany')),
		el(
			'div',
			{ class: 'sizes' },
			SIZES.map((n) =>
				button(String(n), () => name.reportValidity() && close(read(n)), {
					class: 'primary',
					'data-size': String(n),
				}),
			),
		),
		el(
			'details',
			{ open: at.length > 0 },
			el('summary', {}, `${t('name')}, ${t('table')} (${t('optional')})`),
			field('w-name', t('name'), name),
			tables.node,
		),
	]);
}

/* Seats them; where there is room for a while only, until then if they like. */
async function seat(desk, wish) {
	try {
		return await once(desk, '/api/desk/walk-ins', wish);
	} catch (error) {
		const sittingMinutes = error.body?.sittingMinutes;
		if (!sittingMinutes) throw error;
		const until = timeOf((minutesOf(desk.clock().time) + sittingMinutes) % 1440);
		const title = t('shortStay', until);
		const yes = await confirmDialog(title, t('shortStayText'), t('seatUntil', until));
		if (!yes) throw error;
		return once(desk, '/api/desk/walk-ins', { ...wish, sittingMinutes });
	}
}

/** at: the tables that were tapped. */
export async function walkIn(desk, at = []) {
	const wish = await askSize(desk, at);
	if (!wish) return;
	await send(
		desk,
		'walkIn',
		() => seat(desk, wish),
		(r) => takeOut(desk, r),
	);
}
