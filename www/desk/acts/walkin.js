/*
 * walkin.js - a party at the door: a size, and one tap.
 */
import { minutesOf, timeOf } from '../../dates.js';
import { ask } from '../../dialogs.js';
import { actions, confirmDialog, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { tableNames } from '../evening/state.js';
import { nameInput, partyInput, tablePicker } from './inputs.js';
import { once, send, takeOut } from './send.js';

const LARGEST = 12;
const SIZES = Array.from({ length: LARGEST }, (_, i) => i + 1);

/*
 * The size, and one tap; or, where a name or a table is wanted, in whichever order, and then a
 * button of its own.  undefined: they left.
 */
function askSize(desk, at) {
	const name = nameInput(null);
	const tables = tablePicker(desk, at);
	const { today, time } = desk.clock();
	tables.mark({ date: today, minute: minutesOf(time), minutes: desk.day.house.slotMinutes });
	const more = partyInput(null);
	const read = (partySize) => ({
		partySize,
		...(name.value.trim() ? { guestName: name.value.trim() } : {}),
		...tables.wish(),
	});
	return ask('walk-title', (close) => {
		const rest = el('details', {});
		const whole = () => name.reportValidity() && more.reportValidity();
		const tap = (n) => {
			more.value = String(n);
			if (!rest.open) close(read(n));
		};
		rest.append(
			el('summary', {}, `${t('name')}, ${t('table')} (${t('optional')})`),
			field('w-party', t('partySize'), more),
			field('w-name', t('name'), name),
			...[tables.node].filter(Boolean),
			actions(
				button(t('seat'), () => whole() && close(read(Number(more.value))), {
					class: 'primary',
					'data-act': 'seat',
				}),
			),
		);
		return [
			el('h2', { id: 'walk-title' }, t('walkIn')),
			at.length ? el('p', {}, t('tableOf', tableNames({ tables: at }, desk.day))) : null,
			el('p', {}, t('howMany')),
			el(
				'div',
				{ class: 'sizes' },
				SIZES.map((n) =>
					button(String(n), () => tap(n), { class: 'primary', 'data-size': String(n) }),
				),
			),
			rest,
		].filter(Boolean);
	});
}

/** Seats them; where there is room for a while only, until then if they like. */
export async function seatHere(desk, wish, path = '/api/desk/walk-ins') {
	try {
		return await once(desk, path, wish);
	} catch (error) {
		const sittingMinutes = error.body?.sittingMinutes;
		if (!sittingMinutes) throw error;
		const until = timeOf((minutesOf(desk.clock().time) + sittingMinutes) % 1440);
		const title = t('shortStay', until);
		const yes = await confirmDialog(title, t('shortStayText'), t('seatUntil', until));
		if (!yes) throw error;
		return once(desk, path, { ...wish, sittingMinutes });
	}
}

async function seatWish(desk, wish) {
	const again = (more) => seatWish(desk, { ...wish, ...more });
	await send(
		desk,
		'walkIn',
		() => seatHere(desk, wish),
		(r) => takeOut(desk, r),
		{ again, acts: { share: true, overbook: true } },
	);
}

/** at: the tables that were tapped. */
export async function walkIn(desk, at = []) {
	const wish = await askSize(desk, at);
	if (wish) await seatWish(desk, wish);
}
