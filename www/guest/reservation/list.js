/*
 * list.js - the reservations made on this device, what it waits for, and the ways to those of
 * other devices.
 */
import { get, post } from '../../api.js';
import { confirmDialog } from '../../forms.js';
import { shortDay, slotWhen, t } from '../../i18n.js';
import { announce, button, el, recall } from '../../ui.js';
import { isActive } from '../bookable.js';
import { forgetGuest, keepReservation, mine, waits, whoFor } from '../mine.js';
import { findForm } from './find.js';
import { sortMine } from './states.js';

const REFRESHED_MAX = 12;

/* One line: a slot that leads somewhere, and how it stands. */
function drawLine({ live, href, go, slot, about, badge, badgeText }, ...more) {
	const onclick = (event) => {
		event.preventDefault();
		go();
	};
	return el(
		'li',
		{ class: live ? 'live' : '' },
		el('a', { href, onclick }, el('b', {}, slot), el('span', {}, about)),
		el('span', { class: `badge ${badge}` }, badgeText),
		...more,
	);
}

/* How the payments of those that were asked for stand: { state }, by the reservation's id. */
const payments = new Map();

/* Its word, once that has come; of one without a payment nothing is said. */
function drawPayment(id) {
	const payment = payments.get(id);
	if (!payment) return null;
	const node = el('span', { class: 'badge money' });
	import('../../pay/held.js').then(async ({ shortWord }) => {
		node.textContent = await shortWord(payment);
	});
	return node;
}

function drawReservation(ctx, m, over) {
	const again = () => ctx.rebook({ ...m, slotDate: m.date, slotTime: m.time, partySize: m.party });
	const label = `${t('rebook')}: ${slotWhen(m.date, m.time)}`;
	return drawLine(
		{
			live: isActive(m.status),
			href: `/?reservation=${m.id}`,
			go: () => ctx.go({ reservation: m.id }),
			slot: slotWhen(m.date, m.time, shortDay),
			about: `${t('people', m.party)} · ${m.code}`,
			badge: m.status.toLowerCase(),
			badgeText: t(`short.${m.status}`),
		},
		drawPayment(m.id),
		over && button(t('rebook'), again, { class: 'soft', 'aria-label': label }),
	);
}

const drawWait = (ctx, w) =>
	drawLine({
		live: true,
		href: `/?wait=${w.id}`,
		go: () => ctx.go({ wait: w.id }),
		slot: slotWhen(w.date, w.time, shortDay),
		about: t('people', w.party),
		badge: 'temporary',
		badgeText: t('waitBadge'),
	});

/* A heading and its lines, or nothing. */
const drawGroup = (title, lines) =>
	lines.length ? [el('h3', {}, title), el('ul', {}, lines)] : [];

/* No list yet. */
const drawEmpty = () =>
	el(
		'div',
		{ class: 'empty quiet' },
		el('div', { class: 'seal', 'aria-hidden': 'true' }),
		el('p', {}, t('emptyMine')),
	);

function drawAll(ctx) {
	const { today } = ctx.house;
	const all = mine();
	const { coming, rest } = sortMine(all, today);
	const waiting = waits().filter((w) => w.date >= today);
	const line = (over) => (m) => drawReservation(ctx, m, over);
	return [
		...drawGroup(
			t('waitMine'),
			waiting.map((w) => drawWait(ctx, w)),
		),
		...drawGroup(t('coming'), coming.map(line(false))),
		...drawGroup(t('past'), rest.map(line(true))),
		...(all.length || waiting.length ? [] : [drawEmpty()]),
	];
}

/* Safari empties its storage after a week without a visit; the cookie still knows who booked. */
async function recover() {
	const { reservations } = await get('/api/reservations/my');
	const known = new Set(mine().map((m) => m.id));
	for (const r of reservations) if (!known.has(r.reservationId)) keepReservation(r);
}

/* How each of them stands now; resolves to whether some could not be asked for. */
async function refreshAll() {
	const ask = async (m) => {
		const who = whoFor(m);
		const r = await get(`/api/reservations/${m.id}`, { who });
		if (r.payment) payments.set(m.id, r.payment);
		keepReservation(r, who);
	};
	const answers = await Promise.allSettled(mine().slice(0, REFRESHED_MAX).map(ask));
	return answers.some((a) => a.status === 'rejected' && a.reason.passing);
}

class MineScreen {
	constructor(root, ctx) {
		this.ctx = ctx;
		this.stopped = false;
		this.note = el('p', { class: 'notice', role: 'status', hidden: true });
		this.body = el('div', { class: 'mine' });
		this.forget = button(t('forget'), () => this.forgetAll(), { class: 'plain' });
		this.heading = el('h2', {}, t('mine'));
		root.replaceChildren(
			el(
				'section',
				{ class: 'card narrow my-list' },
				el(
					'div',
					{ class: 'list-head' },
					this.heading,
					button(t('home'), () => ctx.go({}), { class: 'primary' }),
				),
				this.note,
				this.body,
				this.drawElsewhere(),
				el('div', { class: 'actions' }, this.forget),
			),
		);
		this.draw();
		this.refresh();
	}

	/* Those of another device: one by its code and number, or all by six digits that are sent.  The
	 * script of the latter comes when it is opened. */
	drawElsewhere() {
		const others = el('div', {});
		const ontoggle = async () => {
			if (!node.open || others.childElementCount || !this.ctx.house.sendsCodes) return;
			const { findAll } = await import('../prove.js');
			others.replaceChildren(findAll(this.ctx, () => this.draw()));
		};
		const node = el(
			'details',
			{ class: 'elsewhere all', ontoggle },
			el('summary', {}, t('elsewhere')),
			el('p', { class: 'hint' }, t('onlyHere')),
			findForm(this.ctx),
			others,
		);
		return node;
	}

	/* A list that says the same stays: a finger may be on it. */
	draw() {
		this.ctx.showBadge();
		const body = el('div', { class: 'mine' }, drawAll(this.ctx));
		if (!body.isEqualNode(this.body)) this.body.replaceChildren(...body.childNodes);
		this.forget.hidden = !mine().length && !recall('guest');
	}

	say(sentence) {
		this.note.textContent = sentence;
		this.note.hidden = !sentence;
	}

	async refresh() {
		await recover().catch(() => {}); /* a newcomer has no cookie */
		if (this.stopped) return;
		const missed = await refreshAll();
		if (this.stopped) return;
		this.say(missed ? t('offline') : '');
		this.draw();
	}

	async forgetAll() {
		if (!(await confirmDialog(t('forget'), t('forgetAsk'), t('forget'), { careful: true }))) return;
		/* The cookie first: as long as it is there it brings everything back. */
		const who = { token: recall('guest')?.token };
		const kept = await post('/api/logout', {}, { who }).catch((error) => error);
		if (kept.passing) {
			this.say(this.ctx.sentence(kept));
			return;
		}
		forgetGuest();
		this.draw();
		announce(t('forgot'));
	}
}

/* The screen of "my reservations". */
export function list(root, ctx) {
	const screen = new MineScreen(root, ctx);
	const stop = () => {
		screen.stopped = true;
	};
	return { title: t('mine'), heading: screen.heading, stop };
}
