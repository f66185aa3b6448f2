/*
 * closures.js - what is not taken just now: a pause of the house, times and tables that are
 * blocked.  It stands above every screen for as long as it lasts, and a tap ends it.
 */
import { call, post, put } from '../../api.js';
import { timeOf } from '../../dates.js';
import { t } from '../../i18n.js';
import { announce, button, el } from '../../ui.js';
import { closuresOf, isShut, minuteOfEvening, tableNames } from './state.js';

const DAY_MIN = 24 * 60;

const clockTime = (minute) => timeOf(((minute % DAY_MIN) + DAY_MIN) % DAY_MIN);

/** "Tables 3 + 4 · no online bookings · 18:00–20:00 · a film team" */
export const closureText = (closure, day) =>
	[
		closure.tables.length ? t('tableOf', tableNames(closure, day)) : null,
		t(closure.online ? 'nothingOnline' : 'nothingAtAll'),
		`${clockTime(closure.from)}–${clockTime(closure.to)}`,
		closure.weekly ? t('weekly') : null,
		closure.reason,
	]
		.filter(Boolean)
		.join(' · ');

/*
 * Tells the box, and shows what came of it: change(day, answer); back(answer) is the way back.
 * True if it was done.
 */
async function tell(desk, send, said, change, back) {
	try {
		const answer = await send();
		announce(said);
		desk.say(said, back?.(answer));
		desk.amend((day) => change(day, answer));
		await desk.refresh();
		return true;
	} catch (error) {
		announce(desk.sentence(error), true);
		desk.say(desk.sentence(error));
		return false;
	}
}

/** One tap ends it. */
export function lift(desk, blockId) {
	const without = (day) => {
		day.blocks = day.blocks.filter((b) => b.blockId !== blockId);
	};
	return tell(desk, () => call('DELETE', `/api/desk/blocks/${blockId}`), t('lifted'), without);
}

/** Closes what is left of this evening to guests online, and nothing else. */
export function noMore(desk) {
	const send = () => post('/api/desk/blocks', { tonight: true }, { query: desk.query() });
	const made = (day, { blockId, from, to }) => {
		day.blocks.push({ blockId, from, to, online: true, weekly: false, reason: null, tables: [] });
	};
	const back =
		({ blockId }) =>
		() =>
			lift(desk, blockId);
	return tell(desk, send, t('noMoreSaid'), made, back);
}

/** The pause of the house: until that moment, or '' to end it. */
export function pauseUntil(desk, moment) {
	const send = () => put('/api/desk/settings', { pausedUntil: moment }, { query: desk.query() });
	const said = moment ? t('pausedUntil', desk.moment(moment)) : t('takesAgain');
	return tell(desk, send, said, (day) => {
		day.house.pausedUntil = moment || null;
	});
}

/** One tap, as long as this evening can still be closed. */
export function noMoreButton(desk) {
	const { day } = desk;
	if (!day || minuteOfEvening(day, desk.clock()) === null || isShut(day, desk.clock())) return null;
	return button(t('noMore'), () => noMore(desk), { class: 'plain', id: 'no-more' });
}

const drawLine = (kind, text, act) =>
	el('p', { class: kind }, el('span', {}, text), ' ', act ?? null);

/** The lines above every screen. */
export function drawStanding(desk) {
	const { day } = desk;
	if (!day) return [];
	const lines = closuresOf(day).map((closure) =>
		drawLine(
			closure.tables.length ? 'closed-tables' : 'closed-house',
			closureText(closure, day),
			button(t('lift'), () => lift(desk, closure.blockId), {
				class: 'soft small',
				'data-block': closure.blockId,
			}),
		),
	);
	const { pausedUntil } = day.house;
	if (!pausedUntil) return lines;
	const go = button(t('lift'), () => pauseUntil(desk, ''), { class: 'soft small' });
	const text = t('pausedUntil', desk.moment(pausedUntil));
	return [
		drawLine('closed-house paused', text, desk.may('PUT /api/desk/settings') ? go : null),
		...lines,
	];
}
