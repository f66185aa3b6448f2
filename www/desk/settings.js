/*
 * settings.js - the owner's settings, section by section, each saved by itself; and the page that opens a new restaurant.
 */
import { get, post, put, serverNow } from '../api.js';
import { addDays, dayAt, secondAt } from '../dates.js';
import { monthName, shortDay, t } from '../i18n.js';
import { LENGTHS } from '../lengths.js';
import { announce, ask, button, el, focusOn } from '../ui.js';
import { messageSections } from './messages.js';
import { aboutOf, labelOf, ruleFields, sentenceOf, titleOf } from './rules.js';

let ids = 0;
const field = (label, input, className = '') => {
	input.id ||= `f${++ids}`;
	return el('div', { class: `field ${className}` }, el('label', { for: input.id }, label), input);
};
const optional = (label) => `${label} (${t('optional')})`;
const text = (value, max, more = {}) =>
	el('input', { value: value ?? '', maxLength: max, autocomplete: 'off', ...more });
/* In lines: Enter begins another. */
const lines = (value, max, more = {}) =>
	el('textarea', { value: value ?? '', maxLength: max, rows: 2, ...more });
const number = (value, min, max) =>
	el('input', {
		type: 'number',
		value: String(value),
		min: String(min),
		max: String(max),
		inputMode: 'numeric',
		required: true,
	});
const time = (value) => el('input', { type: 'time', value, required: true });

/* Who was promised what the house would not take any more, and what that is. */
function tornList(rows) {
	return el(
		'ul',
		{ class: 'torn' },
		rows.map((r) => {
			const parts = [
				`${shortDay(r.slotDate)} ${r.slotTime}`,
				r.guestName,
				t('people', r.partySize),
				r.phone,
				t(`torn.${r.contradicts}`),
			];
			return el('li', {}, parts.filter(Boolean).join(' · '));
		}),
	);
}

/* A section with a button that saves it and says how that went. */
function section(desk, title, about, children, save, label = t('save')) {
	const result = el('p', { class: 'result', role: 'status' });
	const form = el(
		'form',
		{
			class: 'card',
			onsubmit: async (event) => {
				event.preventDefault();
				result.textContent = '';
				result.classList.remove('bad');
				try {
					const answer = await save();
					const torn = answer?.contradicted?.length ?? 0;
					result.textContent = torn ? t('contradicted', torn) : t('saved');
					form.querySelector('.torn')?.remove();
					if (torn) form.append(tornList(answer.contradicted));
					announce(result.textContent);
				} catch (error) {
					result.textContent = error.body?.upcoming
						? `${desk.sentence(error)} ${t('inTheWay', error.body.upcoming)}`
						: desk.sentence(error);
					result.classList.add('bad');
					if (error.body?.field) form.querySelector(`[name="${error.body.field}"]`)?.focus();
				}
			},
		},
		el('h2', {}, title),
		about ? el('p', { class: 'hint' }, about) : '',
		...children,
		el(
			'div',
			{ class: 'actions' },
			el('button', { type: 'submit', class: 'primary' }, label),
			result,
		),
	);
	return form;
}

/* ---- the week ---- */

/* How guests find it: hours that are both have no name of their own. */
function mealOf(opens, closes) {
	if (opens < '16:00' && closes > '18:00') return '';
	return opens < '10:00' ? 'breakfast' : opens < '16:00' ? 'lunch' : 'dinner';
}

function weekEditor(hours) {
	const days = Array.from({ length: 7 }, (_, i) => {
		const weekday = i + 1;
		const spans = el('div', { class: 'spans' });
		const shut = el('span', { class: 'soft-text shut-day' }, t('closedDay'));
		const look = () => {
			shut.hidden = spans.children.length > 0;
		};
		const add = (opens = '17:00', closes = '22:00') => {
			const from = time(opens);
			const to = time(closes === '24:00' ? '23:59' : closes);
			const row = el(
				'div',
				{ class: 'span' },
				field(t('opens'), from),
				field(t('closes'), to),
				button(
					'×',
					() => {
						row.remove();
						look();
					},
					{ class: 'round', 'aria-label': `${t('days')[weekday]} ${t('removeIt')}` },
				),
			);
			row.read = () => ({
				weekday,
				opens: from.value,
				closes: to.value === '23:59' ? '24:00' : to.value,
				label: mealOf(from.value, to.value),
			});
			spans.append(row);
			look();
		};
		for (const h of hours.filter((o) => o.weekday === weekday)) add(h.opens, h.closes);
		return {
			spans,
			node: el(
				'div',
				{ class: 'line' },
				el('span', { class: 'day-of' }, t('days')[weekday]),
				shut,
				spans,
				button('+', () => add(), {
					class: 'round',
					'aria-label': `${t('days')[weekday]} ${t('addSpan')}`,
				}),
			),
		};
	});
	return {
		nodes: days.map((d) => d.node),
		read: () => days.flatMap((d) => [...d.spans.children].map((row) => row.read())),
	};
}

/* ---- a list whose rows can be added, removed and moved up ---- */

function listEditor(rows, make, addLabel) {
	const list = el('div', {});
	const add = (value) => {
		const made = make(value);
		const row = el(
			'div',
			{ class: 'line' },
			...made.nodes,
			button('↑', () => row.previousElementSibling?.before(row), {
				class: 'round',
				'aria-label': t('up'),
			}),
			button('×', () => row.remove(), { class: 'round', 'aria-label': t('removeIt') }),
		);
		row.read = made.read;
		list.append(row);
	};
	rows.forEach(add);
	return {
		nodes: [
			list,
			el(
				'div',
				{ class: 'actions' },
				button(
					addLabel,
					() => {
						add();
						list.lastElementChild.querySelector('input').focus();
					},
					{ class: 'soft' },
				),
			),
		],
		read: () => [...list.children].map((row) => row.read()),
	};
}

const filled = (object) =>
	Object.fromEntries(
		Object.entries(object).filter(
			([, value]) => value !== '' && value !== null && value !== undefined,
		),
	);

function dishRow(dish = {}) {
	const name = text(dish.name, LENGTHS.dish, { required: true });
	const nameEn = text(dish.nameEn, LENGTHS.dish);
	const about = lines(dish.description, LENGTHS.description);
	const aboutEn = lines(dish.descriptionEn, LENGTHS.description);
	const price = number(dish.price ?? 10000, 0, 10000000);
	const out = el('input', { type: 'checkbox', checked: Boolean(dish.soldOut) });
	return {
		nodes: [
			field(t('name'), name),
			field(t('nameEn'), nameEn),
			field(t('price'), price, 'narrow-field'),
			field(t('about'), about),
			field(t('aboutEn'), aboutEn),
			el('label', { class: 'tick' }, out, ` ${t('soldOut')}`),
		],
		read: () =>
			filled({
				menuId: dish.menuId,
				name: name.value.trim(),
				nameEn: nameEn.value.trim(),
				description: about.value.trim(),
				descriptionEn: aboutEn.value.trim(),
				price: Number(price.value),
				soldOut: out.checked ? 1 : 0,
			}),
	};
}

function tableRow(table = {}, places = new Map()) {
	const name = text(table.name, LENGTHS.table, { required: true });
	const seats = number(table.seatsMax ?? 4, 1, 1000);
	return {
		nodes: [field(t('name'), name), field(t('seatsMax'), seats, 'narrow-field')],
		read: () =>
			filled({
				tableId: table.tableId,
				name: name.value.trim(),
				seatsMin: table.seatsMin ?? 1,
				seatsMax: Number(seats.value),
				...places.get(name.value.trim()),
			}),
	};
}

function joinRow(tables, join = { tableIds: [], seatsMax: 8 }) {
	const names = text(
		join.tableIds
			.map((id) => tables.find((o) => o.tableId === id)?.name)
			.filter(Boolean)
			.join(', '),
		120,
		{ required: true },
	);
	const seats = number(join.seatsMax, 1, 1000);
	return {
		nodes: [field(t('joinNames'), names), field(t('seatsMax'), seats, 'narrow-field')],
		read: () => ({
			tables: names.value
				.split(',')
				.map((n) => n.trim())
				.filter(Boolean)
				.map((name) => ({ name })),
			seatsMin: join.seatsMin ?? 1,
			seatsMax: Number(seats.value),
		}),
	};
}

/* ---- the sections ---- */

const FACTS = [
	['name', LENGTHS.house],
	['nameEn', LENGTHS.house],
	['phone', LENGTHS.housePhone],
	['address', LENGTHS.address],
	['addressEn', LENGTHS.address],
	['paymentText', LENGTHS.paymentText],
	['timezone', 60],
	['currency', 3],
];
/* What an engineer tunes (waitMs, userLockMs, rateLimitPerSec) is in no group: it stays out of the owner's way. */
const RULES = ['times', 'booking', 'deposit', 'refund', 'waitlist', 'privacy'];

function factsSection(desk, house, query) {
	const inputs = Object.fromEntries(
		FACTS.map(([name, max]) => [
			name,
			(name === 'paymentText' ? lines : text)(house[name], max, {
				name,
				required: ['name', 'timezone', 'currency'].includes(name),
			}),
		]),
	);
	return section(
		desk,
		t('facts'),
		'',
		FACTS.map(([name]) => field(t(name), inputs[name])),
		() =>
			put(
				'/api/desk/settings',
				Object.fromEntries(FACTS.map(([name]) => [name, inputs[name].value.trim()])),
				{ query },
			),
	);
}

function rulesSection(desk, group, settings, query, currency) {
	const rules = ruleFields(group, settings, field, currency);
	return section(desk, titleOf(group), aboutOf(group), [rules.node], () =>
		put('/api/desk/settings', rules.read(), { query }),
	);
}

/* Two months of days to choose from: open, closed, or other than their week. */
function dayGrid(house, day) {
	const grid = el('div', { class: 'months' });
	const stateOf = (d) => {
		const special = (house.specialDays ?? []).filter((s) => s.day === d);
		if (special.length) return special.some((s) => s.opens) ? 'other' : 'shut';
		return house.hours.some((h) => h.weekday === (new Date(`${d}T00:00:00Z`).getUTCDay() || 7))
			? 'open'
			: 'shut';
	};
	function month(first) {
		const lead = new Date(`${first}T00:00:00Z`).getUTCDay();
		const days = [];
		for (let d = first; d.slice(0, 7) === first.slice(0, 7); d = addDays(d, 1)) days.push(d);
		return el(
			'div',
			{ class: 'month', role: 'group', 'aria-label': monthName(first.slice(0, 7)) },
			el('b', {}, monthName(first.slice(0, 7))),
			...Array.from({ length: lead }, () => el('span', {})),
			...days.map((d) =>
				el(
					'button',
					{
						type: 'button',
						class: `cell ${stateOf(d)}`,
						disabled: d < house.today,
						'aria-pressed': String(d === day.value),
						onclick: () => {
							day.value = d;
							draw();
							grid.querySelector('[aria-pressed=true]')?.focus();
						},
					},
					String(Number(d.slice(8))),
					el('span', { class: 'unseen' }, `, ${shortDay(d)}, ${t(`day.${stateOf(d)}`)}`),
				),
			),
		);
	}
	function draw() {
		const start = `${house.today.slice(0, 7)}-01`;
		const next = addDays(start, 32).slice(0, 7);
		grid.replaceChildren(month(start), month(`${next}-01`));
	}
	day.addEventListener('change', draw);
	draw();
	return { grid, draw };
}

function specialSection(desk, house, query) {
	const day = el('input', {
		type: 'date',
		required: true,
		value: addDays(house.today, 1),
		min: house.today,
	});
	const { grid, draw } = dayGrid(house, day);
	const kind = el(
		'select',
		{},
		['closedDay', 'hours', 'asUsual'].map((k) => el('option', { value: k }, t(k))),
	);
	const from = time('17:00');
	const to = time('22:00');
	const note = text('', LENGTHS.dayNote);
	const spans = el(
		'div',
		{ class: 'span', hidden: true },
		field(t('opens'), from),
		field(t('closes'), to),
	);
	const known = el(
		'ul',
		{ class: 'special' },
		[...new Set((house.specialDays ?? []).map((s) => s.day))].map((d) =>
			el(
				'li',
				{},
				el('b', {}, shortDay(d)),
				` ${house.specialDays
					.filter((s) => s.day === d)
					.map((s) => (s.opens ? `${s.opens}–${s.closes}` : t('closedDay')))
					.join(', ')} ${house.specialDays.find((s) => s.day === d).note ?? ''}`,
			),
		),
	);
	kind.addEventListener('change', () => {
		spans.hidden = kind.value !== 'hours';
	});
	return section(
		desk,
		t('special'),
		t('specialText'),
		[
			known,
			grid,
			el(
				'div',
				{ class: 'line' },
				field(t('date'), day),
				field(t('special'), kind),
				spans,
				field(t('note'), note),
			),
		],
		async () => {
			const answer = await put(
				'/api/desk/special-days',
				filled({
					day: day.value,
					closed: kind.value === 'closedDay' ? 1 : 0,
					note: note.value.trim(),
					hours:
						kind.value === 'hours'
							? [{ opens: from.value, closes: to.value, label: mealOf(from.value, to.value) }]
							: [],
				}),
				{ query },
			);
			house.specialDays = [
				...(house.specialDays ?? []).filter((s) => s.day !== day.value),
				...(kind.value === 'asUsual'
					? []
					: [
							{
								day: day.value,
								...(kind.value === 'hours' ? { opens: from.value, closes: to.value } : {}),
							},
						]),
			];
			draw();
			known.append(
				el(
					'li',
					{},
					el('b', {}, shortDay(day.value)),
					` ${kind.value === 'hours' ? `${from.value}–${to.value}` : t(kind.value)} ${note.value}`,
				),
			);
			return answer;
		},
	);
}

/* Where the tables stand: boxes to be dragged, or moved with the arrow keys. */
function floorEditor(read, places) {
	const floor = el('div', { class: 'floor edit', role: 'group', 'aria-label': t('floor') });
	const STEPS = { ArrowLeft: [-2, 0], ArrowRight: [2, 0], ArrowUp: [0, -2], ArrowDown: [0, 2] };
	const within = (n) => Math.max(0, Math.min(100, Math.round(n)));
	function draw() {
		floor.replaceChildren(
			...read()
				.filter((table) => table.name)
				.map((table, i) => {
					const at = places.get(table.name) ?? {
						x: 10 + (i % 4) * 25,
						y: 15 + Math.floor(i / 4) * 25,
					};
					const box = el(
						'button',
						{ type: 'button', class: 'box now-card' },
						el('b', {}, table.name),
						' ',
						el('span', {}, t('seatsOf', table.seatsMax)),
					);
					const put = (x, y) => {
						places.set(table.name, { x: within(x), y: within(y) });
						box.style.setProperty('left', `${within(x)}%`);
						box.style.setProperty('top', `${within(y)}%`);
					};
					put(at.x, at.y);
					box.addEventListener('pointerdown', (event) => box.setPointerCapture(event.pointerId));
					box.addEventListener('pointermove', (event) => {
						if (!box.hasPointerCapture(event.pointerId)) return;
						const area = floor.getBoundingClientRect();
						put(
							(100 * (event.clientX - area.left)) / area.width,
							(100 * (event.clientY - area.top)) / area.height,
						);
					});
					box.addEventListener('keydown', (event) => {
						const step = STEPS[event.key];
						if (!step) return;
						event.preventDefault();
						const { x, y } = places.get(table.name);
						put(x + step[0], y + step[1]);
					});
					return box;
				}),
		);
	}
	return el(
		'details',
		{ ontoggle: draw },
		el('summary', {}, t('floor')),
		el('p', { class: 'hint' }, t('floorText')),
		floor,
	);
}

function tablesSection(desk, data, query) {
	const places = new Map(
		data.tables.filter((table) => table.x !== undefined).map(({ name, x, y }) => [name, { x, y }]),
	);
	let rows = 0;
	const tables = listEditor(
		data.tables,
		(table) => tableRow({ name: String(++rows), ...table }, places),
		t('addTable'),
	);
	const joins = listEditor(data.sets, (join) => joinRow(data.tables, join), t('addJoin'));
	const house = data.settings.find((s) => s.name === 'seats').value;
	const sum = el('p', { class: 'hint', role: 'status' });
	const count = () => {
		sum.textContent = tables.read().length
			? t(
					'tablesSum',
					tables.read().reduce((n, table) => n + table.seatsMax, 0),
					house,
				)
			: '';
	};
	const form = section(
		desk,
		t('tables'),
		t('tablesText'),
		[
			...tables.nodes,
			sum,
			el('h3', {}, t('joins')),
			...joins.nodes,
			floorEditor(tables.read, places),
		],
		() => put('/api/desk/tables', { tables: tables.read(), sets: joins.read() }, { query }),
	);
	form.addEventListener('input', count);
	form.addEventListener('click', count);
	count();
	return form;
}

function linkBox(answer) {
	const link = `${location.origin}/desk/#welcome=${encodeURIComponent(answer.email)}/${answer.password}`;
	return el(
		'div',
		{ class: 'link-box', role: 'status' },
		el('p', {}, t('linkText', answer.minutes)),
		el('b', {}, link),
	);
}

/* Another name, or another address to log in with. */
function renameStaff(s) {
	const name = text(s.name, LENGTHS.name, { required: true });
	const email = text(s.email, LENGTHS.email, { type: 'email', required: true });
	return ask('rename-title', (close) => [
		el(
			'form',
			{
				onsubmit: (event) => {
					event.preventDefault();
					close({ name: name.value.trim(), email: email.value.trim() });
				},
			},
			el('h2', { id: 'rename-title' }, `${s.name} · ${t('edit')}`),
			field(t('name'), name),
			field(t('loginEmail'), email),
			el(
				'div',
				{ class: 'actions' },
				el('button', { type: 'submit', class: 'primary' }, t('save')),
				button(t('close'), () => close(), { class: 'plain' }),
			),
		),
	]);
}

function staffSection(desk, data) {
	const email = text('', LENGTHS.email, { type: 'email', required: true, name: 'email' });
	const name = text('', LENGTHS.name, { required: true });
	const role = el(
		'select',
		{},
		['STAFF', 'OWNER'].map((r) => el('option', { value: r }, t(`role.${r}`))),
	);
	const shown = el('div', {});
	const tell = (error) => {
		shown.replaceChildren(el('p', { class: 'wrong' }, desk.sentence(error)));
	};
	const list = el(
		'div',
		{},
		data.staff.map((s) => {
			const who = el('span', { class: 'spans' });
			const draw = () =>
				who.replaceChildren(
					el('b', {}, s.name),
					el('span', { class: 'soft-text' }, `${s.email} · ${t(`role.${s.userType}`)}`),
				);
			draw();
			const row = el(
				'div',
				{ class: 'line' },
				who,
				button(
					t('edit'),
					() =>
						renameStaff(s).then(
							(changed) =>
								changed &&
								put(`/api/desk/staff/${s.userId}`, changed).then(() => {
									Object.assign(s, changed);
									draw();
								}, tell),
						),
					{ class: 'soft small', 'aria-label': `${t('edit')}: ${s.name}` },
				),
				button(
					t('newLink'),
					() =>
						post(`/api/desk/staff/${s.userId}/link`, { email: s.email }).then(
							(a) => shown.replaceChildren(linkBox(a)),
							tell,
						),
					{ class: 'soft small' },
				),
				button(
					t('logoutAll'),
					() =>
						post(`/api/desk/staff/${s.userId}/logout`, {}).then(
							() => desk.say(`${s.name} · ${t('saved')}`),
							tell,
						),
					{ class: 'soft small' },
				),
				s.userId === desk.me.userId
					? ''
					: button(
							t('remove'),
							() => post(`/api/desk/staff/${s.userId}/remove`, {}).then(() => row.remove(), tell),
							{ class: 'plain danger' },
						),
			);
			return row;
		}),
	);
	return section(
		desk,
		t('staff'),
		'',
		[
			list,
			shown,
			el('h3', {}, t('addStaff')),
			el(
				'div',
				{ class: 'line' },
				field(t('name'), name),
				field(t('email'), email),
				field(t('role.label'), role),
			),
		],
		async () => {
			shown.replaceChildren(
				linkBox(
					await post('/api/desk/staff', {
						email: email.value.trim(),
						name: name.value.trim(),
						userType: role.value,
					}),
				),
			);
		},
		t('addStaff'),
	);
}

/* The midnight that ends that day at the restaurant. */
function endOfDay(day, zone) {
	const noon = Date.parse(`${addDays(day, 1)}T00:00:00Z`);
	const there = Date.parse(`${dayAt(noon, zone)}T${secondAt(noon, zone)}Z`);
	return noon - (there - noon);
}

function pauseSection(desk, data, house, query) {
	const state = el('p', { role: 'status' });
	const at = (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
	const until = (iso) => async () => {
		const moment = iso();
		try {
			await put('/api/desk/settings', { pausedUntil: moment }, { query });
			draw(moment);
		} catch (error) {
			state.textContent = desk.sentence(error);
		}
	};
	const resume = button(
		t('resume'),
		until(() => ''),
		{ class: 'primary' },
	);
	function draw(moment) {
		resume.hidden = !moment;
		state.textContent = moment ? t('pausedUntil', desk.when(moment)) : t('takesBookings');
	}
	const day = el('input', { type: 'date', value: house.today, min: house.today });
	draw(data.pausedUntil);
	return el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('pause')),
		state,
		el(
			'div',
			{ class: 'line last' },
			button(
				t('pauseHour'),
				until(() => at(serverNow() + 3600e3)),
				{ class: 'soft' },
			),
			button(
				t('pauseTonight'),
				until(() => at(endOfDay(house.today, house.timezone))),
				{ class: 'soft' },
			),
			field(t('pauseUntil'), day, 'narrow-day'),
			button(
				t('pauseUntilGo'),
				until(() => at(endOfDay(day.value, house.timezone))),
				{ class: 'soft' },
			),
			resume,
		),
	);
}

/* Who changed which setting when. */
function historySection(desk, query) {
	const list = el('ol', { class: 'history' });
	return el(
		'details',
		{
			class: 'card',
			async ontoggle(event) {
				if (!event.target.open) return;
				const { history } = await get('/api/desk/history', { query }).catch(() => ({
					history: [],
				}));
				list.replaceChildren(
					...history.map((h) =>
						el(
							'li',
							{},
							el('b', {}, desk.when(h.at)),
							` ${h.name ?? h.actor} · ${h.change} `,
							el('span', { class: 'soft-text' }, `${h.from ?? ''} → ${h.to ?? ''}`),
						),
					),
				);
			},
		},
		el('summary', {}, t('history')),
		list,
	);
}

/* Where everything is: a page of twenty cards is found by their names. */
function contents(page) {
	return el(
		'nav',
		{ class: 'contents', 'aria-label': t('contents') },
		[...page.querySelectorAll(':scope > .card')].map((card) => {
			const head = card.querySelector('h2, summary');
			return button(
				head.textContent,
				() => {
					if (card.tagName === 'DETAILS') card.open = true;
					card.scrollIntoView({ block: 'start' });
					focusOn(head);
				},
				{ class: 'soft small' },
			);
		}),
	);
}

export function settings(root, desk) {
	const top = el(
		'div',
		{},
		el('h1', {}, t('house')),
		el(
			'p',
			{},
			el(
				'a',
				{ href: `/?restaurant=${desk.restaurantId}`, target: '_blank', rel: 'noopener' },
				t('asGuest'),
			),
		),
	);
	const page = el('div', { class: 'house-page' }, top);
	const query = desk.query();
	root.replaceChildren(page);
	Promise.all([get('/api/desk/house', { query }), get(`/api/restaurants/${query.restaurantId}`)])
		.then(async ([data, house]) => {
			const week = weekEditor(house.hours);
			const menu = listEditor(house.menu, dishRow, t('addDish'));
			page.append(
				pauseSection(desk, data, house, query),
				section(desk, t('hours'), t('hoursText'), week.nodes, () =>
					put('/api/desk/hours', { hours: week.read() }, { query }),
				),
				specialSection(desk, house, query),
				factsSection(desk, house, query),
				...RULES.map((group) => rulesSection(desk, group, data.settings, query, house.currency)),
				tablesSection(desk, data, query),
				section(desk, t('menu'), t('menuText'), menu.nodes, () =>
					put('/api/desk/menu', { menu: menu.read() }, { query }),
				),
				staffSection(desk, data),
				el(
					'section',
					{ class: 'card' },
					el('h2', {}, t('tableCard')),
					el('p', { class: 'hint' }, t('tableCardText')),
					el(
						'a',
						{
							class: 'button soft',
							href: `/desk/card.html?restaurant=${query.restaurantId}`,
							target: '_blank',
							rel: 'noopener',
						},
						t('print'),
					),
				),
			);
			await messageSections(page, desk, data, query, { section, field, text });
			page.append(historySection(desk, query));
			top.append(contents(page));
		})
		.catch((error) => page.append(el('p', { class: 'card wrong' }, desk.sentence(error))));
	return { still: true };
}

/* ---- the first day ---- */

const PART = 15000; /* bytes of a backup in one request: the web server takes 16 kB */

/* The file in parts, each once the one before has arrived: a bar shows how far it is. */
async function sendBackup(file, bar) {
	bar.hidden = false;
	for (let at = 0; at < file.size; ) {
		bar.value = at / file.size;
		at = (
			await put('/api/desk/restore', undefined, {
				query: { at, of: file.size },
				bytes: file.slice(at, at + PART),
			})
		).bytes;
	}
	bar.removeAttribute('value'); /* now the box is at work, and does not say how long */
	const report = await post('/api/desk/restore', { bytes: file.size });
	/* Within a second its processes notice, and begin again with the book that came back. */
	for (let tries = 0; tries < 10; tries++) {
		await new Promise((resolve) => {
			setTimeout(resolve, 2000);
		});
		if (await get('/healthz').catch(() => null)) break;
	}
	return report;
}

/* The box opens the book that came back; then its people log in as they always did. */
function showRestored(page, done, report) {
	const day = report.madeAt ? shortDay(dayAt(report.madeAt)) : '';
	page.replaceChildren(
		el('h1', { tabIndex: -1 }, t('restored')),
		el(
			'section',
			{ class: 'card' },
			el('p', {}, t('restoredText', day, report.reservations, report.upcoming)),
			el('p', {}, t(report.links ? 'restoredLinks' : 'restoredNoLinks')),
			el('div', { class: 'actions' }, button(t('login'), done, { class: 'primary' })),
		),
	);
	focusOn(page.querySelector('h1'));
}

/* Whoever had jari before brings their book along. */
function restoreSection(desk, done) {
	const file = el('input', { type: 'file', required: true, name: 'backup' });
	const bar = el('progress', { 'aria-label': t('restoring'), hidden: true });
	const card = section(
		desk,
		t('restore'),
		t('restoreText'),
		[field(t('restoreFile'), file), bar],
		async () => {
			const open = [...card.parentElement.querySelectorAll('button')];
			for (const b of open) b.disabled = true;
			try {
				const report = await sendBackup(file.files[0], bar);
				setTimeout(() =>
					showRestored(card.parentElement, done, report),
				); /* when the form has said that it is done */
			} finally {
				for (const b of open) b.disabled = false;
				bar.hidden = true;
			}
		},
		t('restoreIt'),
	);
	card.querySelector('.primary').className = 'soft';
	return card;
}

/* A restaurant that is not open yet: name, telephone, hours, seats, and guests can book. */
export function setUp(root, desk, done) {
	const name = text('', LENGTHS.house, { required: true, name: 'name' });
	const phone = text('', LENGTHS.housePhone, { type: 'tel', name: 'phone' });
	const seats = number(20, 1, 1000);
	const sitting = number(90, 15, 720);
	const deposit = number(0, 0, 1000000);
	const mine = text('', LENGTHS.name, { required: true, autocomplete: 'name', name: 'yourName' });
	const email = text('', LENGTHS.email, {
		type: 'email',
		required: true,
		autocomplete: 'email',
		name: 'email',
	});
	const week = weekEditor(
		[2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: '17:00', closes: '22:00' })),
	);
	const rule = (setting, input) => {
		const node = field(labelOf(setting), input);
		node.append(el('p', { class: 'hint' }, sentenceOf(setting)));
		return node;
	};
	const old = restoreSection(desk, done);
	root.replaceChildren(
		el(
			'div',
			{ class: 'house-page' },
			el('h1', {}, t('setup')),
			button(t('restoreThere'), () => old.querySelector('input').focus(), { class: 'plain' }),
			section(
				desk,
				t('facts'),
				t('setupText'),
				[
					field(t('name'), name),
					field(optional(t('phone')), phone),
					el('h3', {}, t('hours')),
					...week.nodes,
					el('h3', {}, titleOf('times')),
					el(
						'div',
						{ class: 'rules' },
						rule('seats', seats),
						rule('sittingMinutes', sitting),
						rule('depositPerPerson', deposit),
					),
					el('h3', {}, t('you')),
					el('div', { class: 'rules' }, field(t('name'), mine), field(t('loginEmail'), email)),
				],
				async () => {
					await put(`/api/desk/staff/${desk.me.userId}`, {
						name: mine.value.trim(),
						email: email.value.trim(),
					});
					if (!desk.first)
						desk.first = (
							await post('/api/desk/restaurants', { name: name.value.trim() })
						).restaurantId;
					const query = desk.query();
					await put(
						'/api/desk/settings',
						{
							name: name.value.trim(),
							phone: phone.value.trim(),
							seats: Number(seats.value),
							reservationLimit: Number(seats.value),
							sittingMinutes: Number(sitting.value),
							slotMinutes: 30,
							depositPerPerson: Number(deposit.value),
							depositLargePerPerson: Number(deposit.value),
							timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'Asia/Seoul',
						},
						{ query },
					);
					await put('/api/desk/hours', { hours: week.read() }, { query });
					desk.say(t('opened'));
					await done();
				},
				t('open'),
			),
			old,
		),
	);
	name.focus();
	return { still: true };
}
