/*
 * evening.js - the evening: a list by time, one card for each table, and a timeline.
 */
import { addDays, countdown, minutesOf, timeOf } from '../dates.js';
import { longDay, money, t } from '../i18n.js';
import { button, el } from '../ui.js';
import {
	act,
	active,
	change,
	coming,
	confirmPayment,
	open,
	phoneBooking,
	search,
	tableNames,
	telOf,
	walkIn,
} from './acts.js';
import { draggable } from './drag.js';
import { addWaiter, pace, waitBox } from './waitlist.js';

const LANE_PX = 8; /* a hand that drags along a lane is not steadier */
const DRAG_MIN = 15; /* a block that is dragged moves by so many minutes */
const LATE_MIN = 15; /* so many minutes after its time a party that has not come is late */
const minutesTo = (iso, ms) => Math.floor((Date.parse(iso) - ms) / 60000);

/* Colours that are derived, not states: late, over time. */
const isLate = (r, ms) =>
	coming(r) && r.visitStatus === 'PENDING' && minutesTo(r.startsAt, ms) <= -LATE_MIN;
const isHere = (r) => coming(r) && (r.visitStatus === 'SEATED' || r.visitStatus === 'ARRIVED');
const overBy = (r, ms) =>
	coming(r) && r.visitStatus === 'SEATED' ? Math.max(0, -minutesTo(r.endsAt, ms)) : 0;

function holdLeft(r, ms) {
	return t('holdLeft', countdown(Math.floor((Date.parse(r.holdExpiresAt) - ms) / 1000)));
}

export function evening(root, desk, tab) {
	const dayInput = el('input', {
		type: 'date',
		'aria-label': t('date'),
		onchange: () => dayInput.value && desk.goTo(dayInput.value),
	});
	const heading = el('h1', { class: 'day-name' });
	const totals = el('dl', { class: 'totals' });
	const strip = el('ul', { class: 'strip', 'aria-label': t('freeSeats') });
	const body = el('div', { class: `evening ${tab}` });
	let missed = false; /* the evening changed while a block was in the air */

	root.replaceChildren(
		el(
			'div',
			{ class: 'tools' },
			el(
				'div',
				{ class: 'days' },
				button('‹', () => desk.goTo(addDays(desk.date, -1)), {
					class: 'round',
					'aria-label': t('prevDay'),
				}),
				dayInput,
				button('›', () => desk.goTo(addDays(desk.date, 1)), {
					class: 'round',
					'aria-label': t('nextDay'),
				}),
				button(t('today'), () => desk.goTo(desk.clock().today), { class: 'soft small' }),
			),
			el(
				'div',
				{ class: 'new' },
				button(t('walkIn'), () => desk.withDay(() => walkIn(desk, [])), {
					class: 'primary',
					id: 'walk-in',
				}),
				button(t('phoneBooking'), () => desk.withDay(() => phoneBooking(desk)), {
					class: 'soft',
					id: 'phone-booking',
				}),
				button(t('waiting'), () => desk.withDay(() => addWaiter(desk)), {
					class: 'soft',
					id: 'add-waiter',
				}),
				button(t('search'), () => desk.withDay(() => search(desk)), {
					class: 'soft',
					id: 'search',
				}),
				button(t('print'), () => print(), { class: 'plain' }),
			),
		),
		el('div', { class: 'overview' }, el('div', {}, heading, totals), strip),
		body,
	);

	/* ---- parts of a row ---- */

	function badge(r, ms) {
		const late = isLate(r, ms);
		const over = overBy(r, ms);
		if (r.status === 'TEMPORARY')
			return el(
				'span',
				{ class: 'badge temporary', 'data-hold': r.holdExpiresAt },
				holdLeft(r, ms),
			);
		if (over) return el('span', { class: 'badge over' }, t('over', over));
		if (late) return el('span', { class: 'badge late' }, t('lateBy', -minutesTo(r.startsAt, ms)));
		const word =
			coming(r) && r.visitStatus !== 'PENDING' ? t(`v.${r.visitStatus}`) : t(`s.${r.status}`);
		return el(
			'span',
			{
				class: `badge ${coming(r) && r.visitStatus !== 'PENDING' ? r.visitStatus.toLowerCase() : r.status.toLowerCase()}`,
			},
			word,
		);
	}

	/* The one or two things that come next for this party. */
	function nextActs(r, ms) {
		const tap = (label, word, kind) =>
			button(label, () => act(desk, r, word), { class: kind, 'data-act': word });
		if (r.status === 'TEMPORARY')
			return [
				button(t('confirm'), () => confirmPayment(desk, r), {
					class: 'primary',
					'data-act': 'confirm',
				}),
			];
		if (!coming(r)) return r.undo ? [tap(t('undo'), 'undo', 'soft')] : [];
		if (r.visitStatus === 'SEATED') return [tap(t('leave'), 'leave', 'primary')];
		if (r.visitStatus === 'ARRIVED') return [tap(t('seat'), 'seat', 'primary')];
		const late = isLate(r, ms);
		const call = r.phone
			? [
					el(
						'a',
						{ class: `button soft${late ? '' : ' tel'}`, href: telOf(r.phone) },
						late ? t('call') : el('span', { 'aria-hidden': 'true' }, '\u260e\ufe0e'),
						el('span', { class: 'unseen' }, `${late ? '' : t('call')} ${r.guestName}`),
					),
				]
			: [];
		return late
			? [...call, tap(t('noShow'), 'no-show', 'soft'), tap(t('arrive'), 'arrive', 'primary')]
			: [...call, tap(t('arrive'), 'arrive', 'primary'), tap(t('seat'), 'seat', 'soft')];
	}

	function drawRow(r, ms) {
		const { currency } = desk.day.house;
		const facts = [
			tableNames(desk, r) && t('tableOf', tableNames(desk, r)),
			r.totalAmount > 0 &&
				(r.paidAmount
					? t('paid', money(r.paidAmount, currency))
					: active(r) && t('due', money(r.totalAmount, currency))),
			r.dueBackAmount > 0 && t('dueBack', money(r.dueBackAmount, currency)),
			r.noShows > 0 && t('noShows', r.noShows),
			r.visits > 0 && t('visits', r.visits),
			r.blocked && t('blockedGuest'),
			r.source !== 'WEB' && t(`source.${r.source}`),
			r.coming && t('saidComing'),
			r.changeOf && t('changeTo', r.changeParty, r.changeOfCode),
			r.changeDue > 0 && t('changeWaits', money(r.changeDue, currency)),
		]
			.filter(Boolean)
			.join(' · ');
		const said = [r.requestMessage, r.note, r.guestNote, r.dishes].filter(Boolean).join(' · ');
		return el(
			'li',
			{
				class: `party ${r.status.toLowerCase()} ${r.visitStatus.toLowerCase()}${isLate(r, ms) ? ' late' : ''}${overBy(r, ms) ? ' over' : ''}`,
				'data-id': String(r.reservationId),
			},
			el(
				'button',
				{ type: 'button', class: 'who', onclick: () => open(desk, r) },
				el('span', { class: 'size' }, String(r.partySize)),
				el(
					'span',
					{ class: 'name' },
					el('b', {}, r.guestName),
					el('span', {}, facts || '\u00a0'),
					said ? el('em', {}, said) : null,
				),
			),
			badge(r, ms),
			el('div', { class: 'acts' }, nextActs(r, ms)),
		);
	}

	/* ---- the list ---- */

	/* Nobody has booked: this is what an owner tells people. */
	function drawShare() {
		const page = `${location.origin}/${desk.restaurantId === desk.first ? '' : `?restaurant=${desk.restaurantId}`}`;
		return el(
			'p',
			{ class: 'share' },
			t('share'),
			' ',
			el('a', { href: page, target: '_blank', rel: 'noopener' }, page),
			' · ',
			el(
				'a',
				{
					href: `/desk/card.html?restaurant=${desk.restaurantId}`,
					target: '_blank',
					rel: 'noopener',
				},
				t('tableCard'),
			),
		);
	}

	/* A clock that may be wrong; messages that could not be sent, or not yet: then the server's own words say what to mend. */
	function drawTrouble() {
		const { messagesFailed, messagesWaiting, messagesAnswer, clockDoubted } = desk.day;
		const messages = messagesFailed || messagesWaiting;
		if (!messages && !clockDoubted) return null;
		return el(
			'div',
			{ class: 'failed', role: 'status' },
			clockDoubted
				? el('p', { 'data-notice': 'clock' }, t('clockDoubted', desk.when(desk.day.now)))
				: null,
			messagesFailed ? el('p', {}, t('failed', messagesFailed)) : null,
			messagesWaiting ? el('p', {}, t('stuck', messagesWaiting, messagesAnswer ?? '')) : null,
			messages && desk.me.userType === 'OWNER'
				? el('a', { href: '#house' }, t('seeMessages'))
				: null,
		);
	}

	function drawList(ms) {
		const rows = desk.day.reservations;
		const late = rows.filter((r) => isLate(r, ms));
		const gone = rows.filter((r) => !active(r));
		const times = [...new Set(rows.filter(active).map((r) => r.slotTime))].sort();
		const failed = drawTrouble();
		if (!rows.length)
			return [
				failed,
				waitBox(desk),
				el('p', { class: 'empty' }, desk.day.slots.length ? t('empty') : t('closed')),
				desk.me.userType === 'OWNER' ? drawShare() : null,
			].filter(Boolean);
		return [
			failed,
			late.length
				? el(
						'section',
						{ class: 'late-box', 'aria-label': t('late') },
						el('h2', {}, `${t('late')} ${late.length}`),
						el(
							'ul',
							{},
							late.map((r) => drawRow(r, ms)),
						),
					)
				: null,
			waitBox(desk),
			...times.map((time) => {
				const here = rows.filter((r) => active(r) && r.slotTime === time && !isLate(r, ms));
				if (!here.length) return null;
				return el(
					'section',
					{ class: 'slot', 'aria-label': time },
					el(
						'h2',
						{},
						time,
						' ',
						el(
							'span',
							{},
							t(
								'people',
								here.reduce((n, r) => n + r.partySize, 0),
							),
						),
					),
					el(
						'ul',
						{},
						here.map((r) => drawRow(r, ms)),
					),
				);
			}),
			gone.length
				? el(
						'section',
						{ class: 'gone' },
						el(
							'h2',
							{},
							`${t('s.COMPLETED')} · ${t('s.NO_SHOW')} · ${t('s.CANCELED')} ${gone.length}`,
						),
						el(
							'ul',
							{},
							gone.map((r) => drawRow(r, ms)),
						),
					)
				: null,
		].filter(Boolean);
	}

	/* ---- one card for each table, or for each time where there are none ---- */

	function drawCard(title, about, here, next, ms) {
		const over = here ? overBy(here, ms) : 0;
		const left = here ? minutesTo(here.endsAt, ms) : 0;
		return el(
			'section',
			{ class: `now-card ${stateOf(here, ms)}` },
			el('h2', {}, title, ' ', el('span', {}, about)),
			here
				? el(
						'button',
						{ type: 'button', class: 'who', onclick: () => open(desk, here) },
						el('span', { class: 'size' }, String(here.partySize)),
						el(
							'span',
							{ class: 'name' },
							el('b', {}, here.guestName),
							el(
								'span',
								{},
								over
									? t('over', over)
									: `${t('until', desk.at(here.endsAt))} · ${t('minutesLeft', Math.max(0, left))}`,
							),
						),
					)
				: el('p', { class: 'none' }, t('free')),
			here ? el('div', { class: 'acts' }, nextActs(here, ms)) : null,
			next
				? el('p', { class: 'next' }, t('next', next.slotTime, next.guestName, next.partySize))
				: null,
		);
	}

	const stateOf = (here, ms) =>
		!here
			? 'free'
			: overBy(here, ms)
				? 'over'
				: isHere(here)
					? 'taken'
					: isLate(here, ms)
						? 'late'
						: 'due';

	/* The floor, once its tables have been put somewhere: coloured boxes, nothing else. */
	function drawFloor(whoAt, ms) {
		if (!desk.day.tables.some((table) => table.x !== undefined)) return null;
		return el(
			'div',
			{ class: 'floor', role: 'group', 'aria-label': t('floor') },
			desk.day.tables
				.filter((table) => table.x !== undefined)
				.map((table) => {
					const here = whoAt(table);
					const box = el(
						'button',
						{
							type: 'button',
							class: `box now-card ${stateOf(here, ms)}`,
							onclick: () => (here ? open(desk, here) : walkIn(desk, [table.tableId])),
						},
						el('b', {}, table.name),
						' ',
						el('span', {}, here ? `${here.guestName} ${here.partySize}` : t('free')),
					);
					box.style.setProperty('left', `${table.x}%`);
					box.style.setProperty('top', `${table.y}%`);
					return box;
				}),
		);
	}

	function drawNow(ms) {
		const rows = desk.day.reservations.filter(active);
		const isNow = (r) =>
			r.visitStatus === 'SEATED' || (Date.parse(r.startsAt) <= ms && ms < Date.parse(r.endsAt));
		const atTable = (table) =>
			rows
				.filter((r) => r.tables.includes(table.tableId))
				.sort((a, b) => a.startsAt.localeCompare(b.startsAt));
		const whoAt = (table) =>
			atTable(table).find((r) => r.visitStatus === 'SEATED') ?? atTable(table).find(isNow);
		if (desk.day.tables.length)
			return [
				drawFloor(whoAt, ms) ?? '',
				el(
					'div',
					{ class: 'cards' },
					desk.day.tables.map((table) => {
						const here = whoAt(table);
						return drawCard(
							t('tableOf', table.name),
							t('seatsOf', table.seatsMax),
							here,
							atTable(table).find((r) => r !== here && Date.parse(r.startsAt) > ms),
							ms,
						);
					}),
				),
			];
		return [
			el(
				'div',
				{ class: 'cards' },
				rows
					.filter((r) => isNow(r) || isHere(r))
					.map((r) => drawCard(r.slotTime, t('people', r.partySize), r, null, ms)),
			),
			rows.some((r) => isNow(r) || isHere(r)) ? '' : el('p', { class: 'empty' }, t('free')),
		];
	}

	/* ---- tables over minutes ---- */

	/* A block that is dragged along its lane gets another time at its own table, to another lane
	 * another table. */
	function drop(r, node, minutesWide, { dx, dy, under }) {
		const minutes = (dx / node.parentElement.clientWidth) * minutesWide;
		const moved = Math.round(minutes / DRAG_MIN) * DRAG_MIN;
		const table = Number(under?.closest('[data-table]')?.dataset.table) || 0;
		const other = table && !r.tables.includes(table) && Math.abs(dy) > LANE_PX;
		const tables = (other ? [table] : r.tables).map((tableId) => ({ tableId }));
		const at = Math.min(1439, Math.max(0, minutesOf(r.slotTime) + moved));
		if (!moved && !other) return;
		change(desk, r, {
			...(moved ? { slotTime: timeOf(at) } : {}),
			...(tables.length ? { tables } : {}),
		});
	}

	/* What changed while a block was in the air is drawn when it lies again. */
	function settled() {
		if (missed) setTimeout(update);
		missed = false;
	}

	function dragging(node, r, minutesWide) {
		if (active(r)) draggable(node, (how) => drop(r, node, minutesWide, how), settled);
		return node;
	}

	function drawTimeline(ms) {
		const rows = desk.day.reservations.filter((r) => active(r) || r.status === 'COMPLETED');
		const times = [
			...desk.day.slots.map((s) => minutesOf(s.slotTime)),
			...rows.map((r) => minutesOf(r.slotTime)),
		];
		if (!times.length) return [el('p', { class: 'empty' }, t('closed'))];
		const from = Math.floor(Math.min(...times) / 60) * 60;
		const midnight =
			Date.parse(rows[0]?.startsAt ?? new Date(ms).toISOString()) -
			(rows[0] ? minutesOf(rows[0].slotTime) : minutesOf(desk.clock().time)) * 60000;
		const at = (iso) => Math.round((Date.parse(iso) - midnight) / 60000);
		const to = Math.max(
			Math.max(...times) + desk.day.house.slotMinutes,
			...rows.map((r) => at(r.endsAt)),
		);
		const percent = (minute) => `${(100 * (minute - from)) / (to - from)}%`;
		const lanes = desk.day.tables.length
			? desk.day.tables.map((table) => [
					table.name,
					rows.filter((r) => r.tables.includes(table.tableId)),
					table.tableId,
				])
			: [[t('noTable'), []]];
		const loose = rows.filter((r) => !r.tables.length);
		for (const r of loose) {
			/* those without a table, each where it does not cover another */
			const lane = lanes.find(
				([, list], i) =>
					(i >= desk.day.tables.length || !desk.day.tables.length) &&
					list.every((o) => o.endsAt <= r.startsAt || r.endsAt <= o.startsAt),
			);
			if (lane) lane[1].push(r);
			else lanes.push(['', [r]]);
		}
		const hours = Array.from({ length: Math.ceil((to - from) / 60) }, (_, i) => from + i * 60);
		const place = (node, left, width) => {
			node.style.setProperty('left', left);
			if (width) node.style.setProperty('width', width);
			return node;
		};
		const now = minutesOf(desk.clock().time);
		return [
			el(
				'div',
				{ class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('timeline') },
				el(
					'div',
					{ class: 'lanes' },
					el(
						'div',
						{ class: 'lane head' },
						el('span', { class: 'lane-name' }),
						el(
							'div',
							{ class: 'track' },
							hours.map((h) =>
								place(
									el(
										'span',
										{ class: 'hour' },
										`${String(Math.floor(h / 60)).padStart(2, '0')}:00`,
									),
									percent(h),
								),
							),
						),
					),
					lanes.map(([name, list, table]) =>
						el(
							'div',
							{ class: 'lane', 'data-table': table },
							el('span', { class: 'lane-name' }, name),
							el(
								'div',
								{ class: 'track' },
								list.map((r) =>
									place(
										dragging(
											button(`${r.guestName} ${r.partySize}`, () => open(desk, r), {
												class: `block ${r.status.toLowerCase()} ${r.visitStatus.toLowerCase()}${isLate(r, ms) ? ' late' : ''}${overBy(r, ms) ? ' over' : ''}`,
												title: `${r.slotTime}–${desk.at(r.endsAt)} ${r.guestName}`,
											}),
											r,
											to - from,
										),
										percent(at(r.startsAt)),
										`${(100 * (at(r.endsAt) - at(r.startsAt))) / (to - from)}%`,
									),
								),
								desk.day.date === desk.clock().today && now >= from && now <= to
									? place(el('i', { class: 'now-line' }), percent(now))
									: null,
							),
						),
					),
				),
			),
		];
	}

	/* ---- all of it ---- */

	function drawTotals() {
		const rows = desk.day.reservations;
		const sum = (list) => list.reduce((n, r) => n + r.partySize, 0);
		const here = sum(rows.filter(isHere));
		totals.replaceChildren(
			...[
				[t('coversToday'), sum(rows.filter((r) => active(r) || r.status === 'COMPLETED'))],
				[t('toCome'), sum(rows.filter((r) => active(r) && r.visitStatus === 'PENDING'))],
				[t('present'), `${here} / ${desk.day.house.seats}`],
			].map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, String(value)))),
			...(desk.day.line
				? [
						el(
							'div',
							{ class: 'rush' },
							el('dt', {}, '\u00a0'),
							el('dd', {}, t('line', desk.day.line)),
						),
					]
				: []),
		);
	}

	/* The seats that are left at each time from now on. */
	function drawStrip() {
		const { today, time } = desk.clock();
		const slots = desk.day.slots.filter(
			(s) =>
				desk.day.date > today ||
				(desk.day.date === today &&
					minutesOf(s.slotTime) + desk.day.house.slotMinutes > minutesOf(time)),
		);
		strip.hidden = !slots.length;
		strip.replaceChildren(
			...slots.map((s) =>
				el(
					'li',
					{ class: s.remaining ? '' : 'none' },
					el(
						'button',
						{ type: 'button', onclick: () => pace(desk, s) },
						el('b', {}, s.slotTime),
						' ',
						el(
							'span',
							{},
							s.waiting ? `${s.remaining} · ${t('waitShort', s.waiting)}` : String(s.remaining),
						),
					),
				),
			),
		);
	}

	/* What has the focus keeps it: a list that is drawn anew must not throw a keyboard out. */
	function update() {
		if (!desk.day) return;
		missed = Boolean(body.querySelector('.held'));
		if (missed) return;
		const { ms } = desk.clock();
		const held = body.contains(document.activeElement)
			? [
					document.activeElement.closest('[data-id]')?.dataset.id,
					document.activeElement.dataset.act,
					document.activeElement.className,
				]
			: null;
		dayInput.value = desk.day.date;
		heading.textContent = longDay(desk.day.date);
		drawTotals();
		drawStrip();
		body.replaceChildren(
			...(tab === 'now' ? drawNow(ms) : tab === 'timeline' ? drawTimeline(ms) : drawList(ms)),
		);
		if (held?.[0]) {
			const row = body.querySelector(`[data-id="${held[0]}"]`);
			(held[1]
				? (row?.querySelector(`[data-act="${held[1]}"]`) ?? row?.querySelector('.acts button'))
				: row?.querySelector('.who')
			)?.focus({ preventScroll: true });
		}
	}

	let drawnMinute = 0;
	/* Minutes pass without anything being changed. */
	function tick() {
		if (!desk.day) return;
		const { ms } = desk.clock();
		for (const node of body.querySelectorAll('[data-hold]'))
			node.textContent = holdLeft({ holdExpiresAt: node.dataset.hold }, ms);
		const minute = Math.floor(ms / 60000);
		if (minute !== drawnMinute && drawnMinute && !document.querySelector('dialog[open]')) update();
		drawnMinute = minute;
	}

	/* There is no evening to show, and this is why.  It is asked for again all the same. */
	function trouble(text) {
		dayInput.value = desk.date;
		heading.textContent = longDay(desk.date);
		for (const part of [totals, strip]) part.replaceChildren();
		if (body.textContent === text) return;
		body.replaceChildren(el('p', { class: 'empty', role: 'alert' }, text));
	}

	update();
	return { update, tick, trouble };
}
