/*
 * app.js - the guests' page: which screen is shown, and what they share.
 *
 * The address says everything: /?party=2&date=…&time=… is the form for that time, ?reservation=… one
 * reservation of this device, ?view=my all of them; /r#TOKEN is one reservation by its manage link.
 */
import { get, serverNow } from '../api.js';
import { clockAt, dayAt, isDay, isTime, minutesOf } from '../dates.js';
import { lang, own, setLang, t, useWords } from '../i18n.js';
import {
	$,
	announce,
	button,
	clearDraft,
	el,
	focusOn,
	freshKey,
	keepReservation,
	keepsAnything,
	mine,
	recall,
	whoFor,
} from '../ui.js';
import { choose, hasHours, mapLink, spansOf, spanText } from './choose.js';
import { details } from './details.js';
import { book, Left, pendingJob } from './waiting.js';

const root = $('view');
const managed = location.pathname === '/r';
let house = null;
let view = null;
let hint = null; /* a sentence for the next screen */
let fresh = null; /* the reservation just made: shown without asking again */

const params = () => new URLSearchParams(location.search);
let told = 0; /* the restaurant of the reservation that is shown, where the address names none */
const restaurantId = () =>
	Number(params().get('restaurant')) ||
	told ||
	Number(document.documentElement.dataset.restaurant) ||
	1;

/* What a failure says on a page. */
function sentence(error) {
	if (error.code === 'LOST') return t('lostPage');
	if (error.code === 'TIMEOUT') return t('timeoutPage');
	return (
		(error.code && error.message) || t('broken')
	); /* without a code it is a fault of ours, in no words for a guest */
}

/* Day and minute at the restaurant, by its own clock. */
function clock() {
	const now = serverNow();
	return { today: dayAt(now, house.timezone), minutes: minutesOf(clockAt(now, house.timezone)) };
}

/* Another address; quiet: the screen knows already. */
function go(query, { replace = false, quiet = false } = {}) {
	const next = new URLSearchParams(query);
	if (params().get('restaurant')) next.set('restaurant', params().get('restaurant'));
	const text = next.toString();
	const url = text ? `/?${text}` : '/';
	if (managed) return location.assign(url);
	history[replace ? 'replaceState' : 'pushState'](null, '', url);
	return quiet ? undefined : show(true);
}

const ctx = {
	get house() {
		return house;
	},
	get restaurantId() {
		return restaurantId();
	},
	get params() {
		return params();
	},
	go,
	sentence,
	clock,
	showBadge,
	book: (job) => attempt(job),
	notice(text) {
		hint = text;
		show();
	},
	async wait(wish) {
		const { joinWaitlist } = await import('./waitlist.js');
		const id = await joinWaitlist(ctx, wish);
		if (id) go({ wait: id });
	},
	async reload() {
		house = await get(`/api/restaurants/${restaurantId()}`);
		showHouse();
	},
	/* A reservation may be another restaurant's than the one this page began with. */
	async visit(id) {
		if (id === restaurantId() || params().get('restaurant')) return;
		told = id;
		await ctx.reload();
	},
	/* The same time once more, with everything as it was: one tap. */
	again(r) {
		const guest = recall('guest');
		if (!guest?.name || r.userId !== guest.id) return ctx.rebook(r);
		const { name, phone, email } = guest;
		return attempt({
			key: freshKey(),
			guest: { name, phone, ...(email ? { email } : {}) },
			request: {
				restaurantId: r.restaurantId,
				slotDate: r.slotDate,
				slotTime: r.slotTime,
				partySize: r.partySize,
				reservationType: r.reservationType,
				totalAmount: r.totalAmount,
				...(r.requestMessage ? { requestMessage: r.requestMessage } : {}),
				...(r.menuItems?.length
					? { menuItems: r.menuItems.map(({ menuId, quantity }) => ({ menuId, quantity })) }
					: {}),
			},
		});
	},
	rebook: async (r) =>
		go({
			party: r.partySize,
			date: (await reservations()).rebookDay(r, house.today),
			time: r.slotTime,
		}),
};

/* A booking from the first word to the last, whichever screen began it. */
async function attempt(job) {
	try {
		const made = await book(job, house?.phone);
		clearDraft();
		keepReservation(made.reservation, made.who);
		fresh = made.reservation;
		showMade(made.reservation);
	} catch (error) {
		await refuse(error, job);
	}
	showBadge();
}

/* Where nothing is kept the next reload would lose it, so its own link becomes the address. */
function showMade({ reservationId, manageToken }) {
	if (keepsAnything() || !manageToken) return go({ reservation: reservationId });
	return location.assign(`/r#${manageToken}`);
}

/* The guest's reservation at that time; the door answers a very quick second try without naming it. */
async function existing(error, { slotDate, slotTime }) {
	if (error.body.reservationId) return error.body.reservationId;
	const answer = await get('/api/reservations/my', {
		who: { token: recall('guest')?.token },
	}).catch(() => null);
	return answer?.reservations.find(
		(r) =>
			r.slotDate === slotDate &&
			r.slotTime === slotTime &&
			['TEMPORARY', 'CONFIRMED', 'PREPAY_CONFIRM'].includes(r.status),
	)?.reservationId;
}

async function refuse(error, job) {
	const id = error.code === 'DUPLICATE' && (await existing(error, job.request));
	if (id) {
		hint = `${t('takenTitle')}. ${t('takenText')}`;
		return go({ reservation: id });
	}
	/* A refusal belongs to the form it came from, also after a reload or from another screen. */
	const { partySize: party, slotDate: date, slotTime: time } = job.request;
	const here = params();
	if (!view?.refused || here.get('time') !== time || here.get('date') !== date)
		go({ party, date, time });
	if (error instanceof Left) {
		announce(t(error.sure ? 'leftLine' : 'leftUnsure'), true);
		return view?.say?.(t(error.sure ? 'leftLine' : 'leftUnsure'));
	}
	return view?.refused?.(error);
}

function showHouse() {
	const phone = house.phone ?? '';
	const spans = spansOf(house, house.today);
	$('name').textContent = own(house.name, house.nameEn);
	const map = house.address ? mapLink(house) : null;
	$('address').replaceChildren(
		...(map ? [el('a', { href: map.href, rel: 'noreferrer' }, map.text)] : []),
	);
	showBadge();
	$('today').textContent = spans.length
		? t('openToday', spanText(spans))
		: hasHours(house)
			? t('closedToday')
			: '';
	Object.assign($('phone'), {
		hidden: !phone,
		textContent: phone,
		href: `tel:${phone.replace(/[^0-9+]/g, '')}`,
	});
}

/* How many are coming up; one that lies behind us counts no more, whatever this device last heard of it. */
function showBadge() {
	const active = mine().filter(
		(m) =>
			['TEMPORARY', 'CONFIRMED', 'PREPAY_CONFIRM'].includes(m.status) &&
			m.date >= (house?.today ?? ''),
	).length;
	$('mine').replaceChildren(
		t('mine'),
		...(active ? [' ', el('span', { class: 'dot' }, String(active))] : []),
	);
}

function showTrouble(error) {
	root.replaceChildren(
		el(
			'section',
			{ class: 'card narrow', role: 'alert' },
			el('p', {}, sentence(error)),
			el(
				'div',
				{ class: 'actions' },
				button(
					t('retry'),
					() => {
						root.replaceChildren();
						begin();
					},
					{ class: 'primary' },
				),
			),
		),
	);
}

/* Does the address name a table that can be asked for?  What makes no sense in it is passed over. */
function namesTable(query) {
	const party = Number(query.get('party'));
	return (
		isTime(query.get('time')) &&
		isDay(query.get('date')) &&
		Number.isInteger(party) &&
		party >= house.policies.partyMin &&
		party <= house.policies.partyMax
	);
}

/* What most visitors do not need at once comes when it is needed, or when the page has been quiet for a while. */
const reservations = () => import('./reservation.js');

/* A screen whose script comes later; by then another one may have been asked for. */
function later(title, load, moved) {
	const shell = {
		title,
		later: true,
		stop() {
			shell.stopped = true;
			shell.inner?.stop?.();
		},
	};
	load().then((make) => {
		if (shell.stopped) return;
		shell.inner = make();
		if (moved) focusOn(shell.inner.heading ?? root.querySelector('h2') ?? root);
	}, showTrouble);
	return shell;
}

/* The reservation of a manage link; where nothing is kept this is the only way back to it. */
const byLink = () => ({
	who: { manage: location.hash.slice(1) },
	ctx,
	note: keepsAnything() ? null : t('saveLink'),
});

/* Draws the screen that the address asks for. */
function show(moved = false) {
	const query = params();
	const id = Number(query.get('reservation'));
	view?.stop?.();
	const note = hint;
	hint = null;
	const first = fresh?.reservationId === id ? fresh : null;
	if (managed)
		view = later(
			t('mine'),
			async () => {
				const { reservation } = await reservations();
				return () => reservation(root, byLink());
			},
			moved,
		);
	else if (id)
		view = later(
			t('mine'),
			async () => {
				const { reservation } = await reservations();
				return () =>
					reservation(root, { id, who: whoFor(mine().find((m) => m.id === id)), ctx, note, first });
			},
			moved,
		);
	else if (Number(query.get('wait')) && house)
		view = later(
			t('waitOn'),
			async () => {
				const { waitView } = await import('./waitlist.js');
				return () => waitView(root, ctx, Number(query.get('wait')));
			},
			moved,
		);
	else if (query.get('view') === 'my' && house)
		view = later(
			t('mine'),
			async () => {
				const { list } = await reservations();
				return () => list(root, ctx);
			},
			moved,
		);
	else if (house && namesTable(query)) view = details(root, ctx);
	else if (!house && (query.get('time') || query.get('view') || query.get('wait')))
		view = { title: '' }; /* waits for the house */
	else view = choose(root, ctx);
	fresh = null;
	document.body.classList.toggle(
		'inner',
		Boolean(id || managed || query.get('view') || query.get('time') || query.get('wait')),
	);
	document.title = [view.title, house ? own(house.name, house.nameEn) : '자리']
		.filter(Boolean)
		.join(' · ');
	if (note && view.say) view.say(note);
	if (!moved) return;
	scrollTo({ top: 0 });
	if (!view.later) focusOn(view.heading ?? root.querySelector('h2') ?? root);
}

function speak() {
	for (const node of document.querySelectorAll('[data-t]')) node.textContent = t(node.dataset.t);
	for (const b of document.querySelectorAll('[data-lang]'))
		b.setAttribute('aria-pressed', String(b.dataset.lang === lang()));
	$('langs').setAttribute('aria-label', t('language'));
	showBadge();
	if (house) showHouse();
}

const askHouse = () => get(`/api/restaurants/${restaurantId()}`);

async function begin(asked = askHouse()) {
	try {
		if (!house) show(); /* what can be drawn without the house, at once */
		house = await asked;
	} catch (error) {
		return managed || params().get('reservation') ? undefined : showTrouble(error);
	}
	showHouse();
	if (view?.update) {
		view.update();
		document.title = `${view.title} · ${own(house.name, house.nameEn)}`;
	} else show();
	const job = managed ? null : pendingJob();
	if (job) attempt(job);
	return undefined;
}

$('langs').addEventListener('click', (event) => {
	const next = event.target.closest('[data-lang]')?.dataset.lang;
	if (!next || next === lang()) return;
	setLang(next).then(
		() => {
			speak();
			show();
		},
		() => announce(t('lostPage'), true),
	);
});
for (const id of ['mine', 'home'])
	$(id).addEventListener('click', (event) => {
		if (event.metaKey || event.ctrlKey || managed) return;
		event.preventDefault();
		go(id === 'mine' ? { view: 'my' } : {});
	});
addEventListener('popstate', () => show(true));
addEventListener('hashchange', () => managed && show());
/* Seats move, and midnight passes, while the page lies in the background. */
let hiddenAt = 0;
document.addEventListener('visibilitychange', async () => {
	if (document.visibilityState === 'hidden') hiddenAt = Date.now();
	else if (house && hiddenAt && Date.now() - hiddenAt > 30000 && view?.update)
		await ctx.reload().then(
			() => view.update?.(),
			() => {},
		);
});

document.documentElement.dataset.begun = 'yes'; /* old.js looks for it */
const asked = askHouse(); /* on its way while the words come */
asked.catch(() => {}); /* begin() asks why */
useWords((code) => import(`./words/${code}.js`)).then(
	() => {
		speak();
		begin(asked);
		/* Without a network it comes when it is needed. */
		setTimeout(() => reservations().catch(() => {}), 3000);
	},
	() => document.dispatchEvent(new Event('lost')),
);
