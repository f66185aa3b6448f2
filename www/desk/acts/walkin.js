/*
 * walkin.js - a party at the door: a size, and one tap.
 */
import { ask } from '../../dialogs.js';
import { actions, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { tableNames } from '../evening/state.js';
import { nameInput, partyInput, sizeButtons, tablesNow } from './inputs.js';
import { later, once, send, takeOut } from './send.js';

/*
 * The size, and one tap; or, where a name or a table is wanted, in whichever order, and then a
 * button of its own.  undefined: they left.
 */
function askSize(desk, at) {
	const name = nameInput(null);
	const tables = tablesNow(desk, at);
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
			sizeButtons(tap, 'primary'),
			rest,
		].filter(Boolean);
	});
}

async function seatWish(desk, wish) {
	const again = (more) => seatWish(desk, { ...wish, ...more });
	const wait = () =>
		later(
			desk,
			() => import('../door/panel.js'),
			(m) => m.offerJoin(desk, wish),
		);
	await send(
		desk,
		'walkIn',
		() => once(desk, '/api/desk/walk-ins', wish),
		(r) => takeOut(desk, r),
		{ again, acts: { share: true, overbook: true }, now: true, wait },
	);
}

/** at: the tables that were tapped. */
export async function walkIn(desk, at = []) {
	const wish = await askSize(desk, at);
	if (wish) await seatWish(desk, wish);
}
