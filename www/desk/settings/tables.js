/*
 * tables.js - the tables of the house, those that can be joined, and where they stand.
 */
import { put } from '../../api.js';
import { field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { el } from '../../ui.js';
import { filled, listEditor, number, section, text } from './section.js';

const SEATS_MAX = 1000;
const JOIN_NAMES = 120;

function tableRow(table, places) {
	const name = text(table.name, LENGTHS.table, { required: true });
	const seats = number(table.seatsMax ?? 4, 1, SEATS_MAX);
	const read = () =>
		filled({
			tableId: table.tableId,
			name: name.value.trim(),
			seatsMin: table.seatsMin ?? 1,
			seatsMax: Number(seats.value),
			...places.get(name.value.trim()),
		});
	return {
		nodes: [
			field(null, t('name'), name),
			field(null, t('seatsMax'), seats, { className: 'narrow-field' }),
		],
		read,
	};
}

/* Names of tables, apart by commas. */
const namesIn = (line) =>
	line
		.split(',')
		.map((name) => name.trim())
		.filter(Boolean);

function joinRow(tables, join) {
	const nameOf = (id) => tables.find((table) => table.tableId === id)?.name;
	const joined = join.tableIds.map(nameOf).filter(Boolean).join(', ');
	const names = text(joined, JOIN_NAMES, { required: true });
	const seats = number(join.seatsMax, 1, SEATS_MAX);
	const read = () => ({
		tables: namesIn(names.value).map((name) => ({ name })),
		seatsMin: join.seatsMin ?? 1,
		seatsMax: Number(seats.value),
	});
	return {
		nodes: [
			field(null, t('joinNames'), names),
			field(null, t('seatsMax'), seats, { className: 'narrow-field' }),
		],
		read,
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
		el('summary', {}, t('floor')),
		el('p', { class: 'hint' }, t('floorText')),
		floor,
	);
}

export function tablesSection(desk, data, query) {
	const placed = data.tables.filter((table) => table.x !== undefined);
	const places = new Map(placed.map(({ name, x, y }) => [name, { x, y }]));
	const house = data.settings.find((s) => s.name === 'seats').value;
	const sum = el('p', { class: 'hint', role: 'status' });
	let rows = 0;
	const tables = listEditor(
		data.tables,
		(table) => tableRow({ name: String(++rows), ...table }, places),
		t('addTable'),
	);
	const joins = listEditor(
		data.sets,
		(join = { tableIds: [], seatsMax: 8 }) => joinRow(data.tables, join),
		t('addJoin'),
	);
	function count() {
		const list = tables.read();
		const seats = list.reduce((n, table) => n + table.seatsMax, 0);
		sum.textContent = list.length ? t('tablesSum', seats, house) : '';
	}
	const form = section(desk, {
		title: t('tables'),
		about: t('tablesText'),
		children: [
			...tables.nodes,
			sum,
			el('h3', {}, t('joins')),
			...joins.nodes,
			floorEditor(tables.read, places),
		],
		save: () => put('/api/desk/tables', { tables: tables.read(), sets: joins.read() }, { query }),
	});
	form.addEventListener('input', count);
	form.addEventListener('click', count);
	count();
	return form;
}
