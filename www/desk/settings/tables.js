/*
 * tables.js - the tables of the house, those that can be joined, and where they stand.
 */
import { get, put } from '../../api.js';
import { field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { largestOnline } from '../owner.js';
import { filled, listEditor, number, saveNumbered, section, select, text } from './section.js';

const SEATS_MAX = 1000;
const OPEN_TO = ['ONLINE', 'STAFF', 'WALK_IN'];

let keys = 0; /* a table is known by one while its name is typed */

function tableRow(table, places) {
	const key = ++keys;
	let { tableId } = table;
	const name = text(table.name, LENGTHS.table, { required: true });
	const seats = number(table.seatsMax ?? 4, 1, SEATS_MAX, { 'data-field': 'seatsMax' });
	const openTo = select(OPEN_TO, table.openTo, (word) => t(`openTo.${word}`));
	const read = () => ({
		key,
		...filled({
			tableId,
			name: name.value.trim(),
			seatsMin: table.seatsMin ?? 1,
			seatsMax: Number(seats.value),
			openTo: openTo.value,
			...places.get(name.value.trim()),
		}),
	});
	return {
		nodes: [
			field(null, t('name'), name),
			field(null, t('seatsMax'), seats, { className: 'narrow-field' }),
			field(null, t('openToLabel'), openTo),
		],
		read,
		learn: (id) => {
			tableId = id;
		},
	};
}

/*
 * Tables that can be pushed together: picked by tapping them, two or more.  The seats of all of
 * them are proposed, until another number is typed.
 */
function joinRow(readTables, join) {
	const ids = new Set(join.tableIds);
	const chosen = new Set(
		readTables()
			.filter((table) => ids.has(table.tableId))
			.map((table) => table.key),
	);
	const picked = () => readTables().filter((table) => chosen.has(table.key));
	const sum = () => picked().reduce((n, table) => n + table.seatsMax, 0);
	const picks = el('div', { class: 'picks', role: 'group', 'aria-label': t('joinNames') });
	const seats = number(join.seatsMax ?? 1, 1, SEATS_MAX, { oninvalid: () => judge() });
	let proposed = join.seatsMax ? null : 1;

	function judge() {
		seats.setCustomValidity(picked().length < 2 ? t('joinTwo') : '');
	}
	function toggle(key) {
		if (!chosen.delete(key)) chosen.add(key);
		if (Number(seats.value) === proposed || !proposed) seats.value = String(Math.max(1, sum()));
		proposed = Math.max(1, sum());
		draw();
	}
	function draw() {
		const pick = ({ key, name }) =>
			button(name, () => toggle(key), { class: 'pick', 'aria-pressed': String(chosen.has(key)) });
		picks.replaceChildren(...readTables().map(pick));
		judge();
	}
	seats.addEventListener('input', judge);
	draw();
	return {
		nodes: [picks, field(null, t('seatsMax'), seats, { className: 'narrow-field' })],
		read: () => ({
			tables: picked().map(({ name }) => ({ name })),
			seatsMin: join.seatsMin ?? 1,
			seatsMax: Number(seats.value),
		}),
		draw,
	};
}

/* Where the tables stand; asked for when it is opened. */
function floorEditor(read, places) {
	const floor = el('div', { class: 'floor edit', role: 'group', 'aria-label': t('floor') });
	async function draw() {
		const { drawSpots } = await import('./floor.js');
		drawSpots(floor, read(), places);
	}
	return el(
		'details',
		{ ontoggle: draw },
		el('summary', { 'data-field': 'floor' }, t('floor')),
		el('p', { class: 'hint' }, t('floorText')),
		floor,
	);
}

export function tables({ desk, data, query }) {
	const placed = data.tables.filter((table) => table.x !== undefined);
	const places = new Map(placed.map(({ name, x, y }) => [name, { x, y }]));
	const setting = (name) => data.settings.find((s) => s.name === name).value;
	const [house, asked] = [setting('seats'), setting('partyMax')];
	const sum = el('p', { class: 'hint', role: 'status' });
	let rows = 0;
	const list = listEditor(
		data.tables,
		(table) => tableRow({ name: String(++rows), ...table }, places),
		t('addTable'),
	);
	const drawn = new Set(); /* joins whose tables may get other names */
	const joins = listEditor(
		data.sets,
		(join = { tableIds: [] }) => {
			const row = joinRow(list.read, join);
			drawn.add(row.draw);
			return row;
		},
		t('addJoin'),
	);
	const read = () => ({
		tables: list.read().map(({ key, ...table }) => table),
		sets: joins.read(),
	});
	function count() {
		const { tables: all, sets } = read();
		const seats = all.reduce((n, table) => n + table.seatsMax, 0);
		const most = largestOnline(all, sets);
		const said = [t('tablesSum', seats, house), most < asked && t('tablesMost', most, asked)];
		sum.textContent = all.length ? said.filter(Boolean).join(' ') : '';
	}
	/* No two tables have one name. */
	async function numbersOf(sent) {
		const { tables: kept } = await get('/api/desk/house', { query });
		return sent.map(({ name }) => kept.find((table) => table.name === name)?.tableId);
	}
	const form = section(desk, {
		title: t('tables'),
		about: t('tablesText'),
		children: [
			...list.nodes,
			sum,
			el('h3', { 'data-field': 'joins' }, t('joins')),
			...joins.nodes,
			floorEditor(list.read, places),
		],
		read,
		nameOf: (name) => t(name === 'sets' ? 'joins' : name),
		save: (values) =>
			saveNumbered({
				values,
				name: 'tables',
				key: 'tableId',
				rows: list.rows(),
				send: () => put('/api/desk/tables', values, { query }),
				numbersOf,
			}),
	});
	form.addEventListener('input', count);
	form.addEventListener('click', count);
	form.addEventListener('change', () => {
		for (const draw of drawn) draw();
	});
	count();
	return form;
}
