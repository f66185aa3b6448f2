/*
 * block.js - a time is blocked, for the house or for tables, once or each week; and the list of
 * those that last or are to come.
 */
import { post } from '../../api.js';
import { addDays, isNight } from '../../dates.js';
import { askForm, field } from '../../forms.js';
import { shortDay, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { lift } from '../evening/closures.js';
import { blockEnd, eveningEnd, nextTime, tableNames } from '../evening/state.js';
import { dayInput, timeInput } from './inputs.js';

const choice = (type, name, value, label, checked = false) =>
	el(
		'label',
		{ class: 'chip' },
		el('input', { type, name, value, checked }),
		el('span', {}, label),
	);

/* Tables are picked by tapping them; none is the house. */
function tablePicker({ tables }) {
	if (!tables.length) return { node: null, read: () => [] };
	const boxes = tables.map((table) => choice('checkbox', 'table', table.tableId, table.name));
	const node = el(
		'fieldset',
		{ class: 'tables' },
		el('legend', {}, t('blockTables')),
		el('div', { class: 'chips wrap' }, boxes),
		el('p', { class: 'hint' }, t('blockTablesHint')),
	);
	const read = () => [...node.querySelectorAll('input:checked')].map((i) => Number(i.value));
	return { node, read };
}

/* A time before the first one is on the day after. */
function momentOf(day, time, after) {
	const next = after && time <= after ? addDays(day, 1) : day;
	return `${next}T${time}`;
}

/* "Fri 20 Nov 18:00–23:00"; of more than half a day its last one is named as well. */
function spanOf({ from, to }) {
	const [day, begins, last, ends] = [from, to].flatMap((moment) => moment.split('T'));
	const half = 12 * 3600000;
	const long = last > day && Date.parse(`${to}Z`) - Date.parse(`${from}Z`) > half;
	const until = long ? ` – ${shortDay(last)} ` : '–';
	return `${shortDay(day)} ${begins}${until}${ends}`;
}

function drawBlocks(desk, close) {
	const { day } = desk;
	const text = (b) =>
		[
			b.tables.length ? t('tableOf', tableNames(b, day)) : t('wholeHouse'),
			spanOf(b),
			b.weekly && t('weekly'),
			t(b.online ? 'nothingOnline' : 'nothingAtAll'),
			b.reason,
		]
			.filter(Boolean)
			.join(' · ');
	const end = (b) => {
		close();
		lift(desk, b.blockId);
	};
	const line = (b) =>
		el(
			'li',
			{},
			el('span', {}, text(b)),
			' ',
			button(t('lift'), () => end(b), { class: 'soft small' }),
		);
	if (!day.blocks.length) return null;
	return el(
		'div',
		{},
		el('h3', {}, t('blocks')),
		el('ul', { class: 'blocks' }, day.blocks.map(line)),
	);
}

/* A block lasts until the evening ends, unless somebody says otherwise. */
function followFrom(from, to, end) {
	let touched = false;
	const follow = () => {
		if (!touched) to.value = blockEnd(end, from.value);
	};
	from.addEventListener('input', follow);
	to.addEventListener('input', () => {
		touched = true;
	});
	follow();
}

/** Blocks a time of this day, and shows what is blocked already. */
export async function blockTime(desk) {
	const day = dayInput(desk, 'bl-date');
	const from = timeInput('bl-from', nextTime(desk.day, desk.clock()));
	const to = timeInput('bl-to', eveningEnd(desk.day));
	const reason = el('input', { maxLength: LENGTHS.block, autocomplete: 'off' });
	const tables = tablePicker(desk.day);
	const how = el(
		'fieldset',
		{ class: 'chips wrap' },
		el('legend', { class: 'unseen' }, t('blockTime')),
		choice('radio', 'online', 'yes', t('nothingOnline'), true),
		choice('radio', 'online', 'no', t('nothingAtAll')),
	);
	const often = choice('checkbox', 'weekly', 'yes', t('weekly'));
	const weekly = el('div', { class: 'chips wrap' }, often);
	const checked = (node, value) => Boolean(node.querySelector(`input[value="${value}"]:checked`));
	/* Of an evening that lasts past midnight the small hours are on the day after. */
	const nightly = desk.day.slots.some((s) => isNight(s.slotTime));
	const dayOf = () => (nightly && from.value < '06:00' ? addDays(day.value, 1) : day.value);
	const wish = () => ({
		from: momentOf(dayOf(), from.value),
		to: momentOf(dayOf(), to.value, from.value),
		online: checked(how, 'yes'),
		weekly: checked(weekly, 'yes'),
		tables: tables.read(),
		reason: reason.value.trim() || null,
	});
	/* The same time twice would be a day and a night. */
	const judge = () => to.setCustomValidity(from.value === to.value ? t('blockSame') : '');
	followFrom(from, to, eveningEnd(desk.day));
	for (const input of [from, to]) input.addEventListener('input', judge);
	judge();
	const close = () => document.querySelector('dialog[open]')?.close();
	const times = el(
		'div',
		{ class: 'grid-fields' },
		field(null, t('date'), day),
		field(null, t('blockFrom'), from),
		field(null, t('blockTo'), to),
	);
	const made = await askForm(t('blockTime'), {
		content: [
			el('p', { class: 'hint' }, t('blockText')),
			times,
			tables.node,
			how,
			weekly,
			field(null, t('blockReason'), reason, { optional: true }),
			drawBlocks(desk, close),
		].filter(Boolean),
		submit: t('blockTime'),
		send: async () => {
			const asked = wish();
			return { ...(await post('/api/desk/blocks', asked, { query: desk.query() })), asked };
		},
		explain: desk.sentence,
		className: 'wide',
	});
	if (!made) return;
	const stay = made.contradicts.length;
	const said = `${spanOf(made.asked)} · ${stay ? t('blockedStay', stay) : t('blocked')}`;
	desk.say(said, () => lift(desk, made.blockId));
	await desk.refresh();
}
