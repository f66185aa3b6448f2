/*
 * app.js - the guests' page: which screen is shown, and what they share.  The address says
 * everything: see address.js.
 *
 * What most visitors do not need at once comes when it is needed, or when the page has been quiet
 * for a while.
 */
import { get, serverNow } from '../api.js';
import { clockAt, dayAt, minutesOf } from '../dates.js';
import { lang, own, setLang, t, useWords } from '../i18n.js';
import { $, announce, button, el, focusOn, keepsAnything } from '../ui.js';
import { addressOf, isInner, screenAt } from './address.js';
import { choose } from './choose/screen.js';
import { showBadge, showHouse, speak } from './head.js';
import { mine, pendingJob, whoFor } from './mine.js';

const STALE_MS = 30000;
const QUIET_MS = 2000;
const root = $('view');
const managed = location.pathname === '/r';
let house = null;
let view = null; /* what is shown: { title, ready, stop, update } */
let told = 0; /* the restaurant of the reservation that is shown, where the address names none */
let hiddenAt = 0;

const params = () => new URLSearchParams(location.search);
const restaurantId = () =>
	Number(params().get('restaurant')) ||
	told ||
	Number(document.documentElement.dataset.restaurant) ||
	1;
const askHouse = () => get(`/api/restaurants/${restaurantId()}`);

/* What the screens behind the first one are drawn with; without it they are plain, and work. */
let sheet = null;
function laterSheet() {
	sheet ??= new Promise((resolve) => {
		const props = { rel: 'stylesheet', href: '/guest/later.css' };
		document.head.append(el('link', { ...props, onload: resolve, onerror: resolve }));
	});
	return sheet;
}
const withSheet = async (load) => (await Promise.all([load, laterSheet()]))[0];

const booking = () => withSheet(import('./booking.js'));
const detailsScreen = async () =>
	(await Promise.all([import('./details/screen.js'), booking()]))[0];
const reservationScreen = () => import('./reservation/screen.js');

/* ---- what the screens share ---- */

/* What a failure says on a page; without a code it is a fault of ours, in no words for a guest. */
function sentence(error) {
	if (error.code === 'LOST') return t('lostPage');
	if (error.code === 'TIMEOUT') return t('timeoutPage');
	return (error.code && error.message) || t('broken');
}

/* Day and minute at the restaurant, by its own clock. */
function clock() {
	const now = serverNow();
	return {
		today: dayAt(now, house.timezone),
		minutes: minutesOf(clockAt(now, house.timezone)),
	};
}

/* Another address; quiet: the screen knows already; note, first: see show(). */
function go(query, { replace = false, quiet = false, note, first } = {}) {
	const url = addressOf(query, params());
	if (managed) {
		location.assign(url);
		return;
	}
	history[replace ? 'replaceState' : 'pushState'](null, '', url);
	if (!quiet) show({ moved: true, note, first });
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
	showBadge: () => showBadge(house),
	notice: (note) => show({ note }),
	book: async (job) => (await booking()).attempt(ctx, job),
	again: async (r) => (await booking()).again(ctx, r),
	rebook: async (r) => (await booking()).rebook(ctx, r),
	async wait(wish) {
		const { joinWaitlist } = await withSheet(import('./waitlist/join.js'));
		const id = await joinWaitlist(ctx, wish);
		if (id) go({ wait: id });
	},
	async reload() {
		house = await askHouse();
		showHouse(house);
	},
	/* A reservation may be another restaurant's than the one this page began with. */
	async visit(id) {
		if (id === restaurantId() || params().get('restaurant')) return;
		told = id;
		await ctx.reload();
	},
	/* The form of that time, shown where it is not. */
	async formAt({ party, date, time }) {
		const here = params();
		const form = await view?.ready;
		if (form?.refused && here.get('time') === time && here.get('date') === date) return form;
		go({ party, date, time });
		return view.ready;
	},
};

/* ---- the screens ---- */

/* The reservation of a manage link; where nothing is kept this is the only way back to it. */
const byLink = () => ({
	who: { manage: location.hash.slice(1) },
	ctx,
	note: keepsAnything() ? null : t('saveLink'),
});

const ofDevice = (id, { note, first }) => ({
	id,
	who: whoFor(mine().find((m) => m.id === id)),
	ctx,
	note,
	first: first?.reservationId === id ? first : null,
});

/* Those whose script comes later: the name of their title, their module, how it draws them. */
const LATER = {
	managed: {
		title: 'mine',
		load: reservationScreen,
		draw: ({ reservation }) => reservation(root, byLink()),
	},
	reservation: {
		title: 'mine',
		load: reservationScreen,
		draw: ({ reservation }, { id }, more) => reservation(root, ofDevice(id, more)),
	},
	wait: {
		title: 'waitOn',
		load: () => import('./waitlist/screen.js'),
		draw: ({ waitView }, { id }) => waitView(root, ctx, id),
	},
	mine: {
		title: 'mine',
		load: () => import('./reservation/list.js'),
		draw: ({ list }) => list(root, ctx),
	},
	details: {
		title: 'details',
		load: detailsScreen,
		draw: ({ details }) => details(root, ctx),
	},
};

function focusScreen(screen) {
	focusOn(screen.heading ?? root.querySelector('h2') ?? root);
}

function setTitle(title) {
	const name = house ? own(house.name, house.nameEn) : t('brand');
	document.title = [title, name].filter(Boolean).join(' · ');
}

/* A screen whose script comes later; by then another one may have been asked for. */
function drawLater(at, more) {
	const { title, load, draw } = LATER[at.screen];
	const shell = { title: t(title), stopped: false };
	let screen = null;
	shell.stop = () => {
		shell.stopped = true;
		screen?.stop?.();
	};
	const shown = (module) => {
		if (shell.stopped) return null;
		screen = draw(module, at, more);
		if (screen.title !== shell.title) setTitle(screen.title);
		if (more.note) screen.say?.(more.note);
		if (more.moved) focusScreen(screen);
		return screen;
	};
	/* A browser may remember that a script did not come: then only a new page asks for it again. */
	shell.ready = withSheet(load()).then(shown, (error) =>
		showTrouble(error, () => location.reload()),
	);
	return shell;
}

function drawNow({ screen }, { moved }) {
	if (screen === 'nothing') return { title: '' }; /* waits for the house */
	const shown = choose(root, ctx);
	if (moved) focusScreen(shown);
	return { ...shown, ready: Promise.resolve(shown) };
}

/* Draws the screen that the address asks for.  moved: the guest went there; note: a sentence for
 * it; first: the reservation that was just made, shown without asking again. */
function show(more = {}) {
	const query = params();
	const at = screenAt(query, { managed, house });
	view?.stop?.();
	document.body.classList.toggle('inner', isInner(query, managed));
	if (more.moved) scrollTo({ top: 0 });
	view = LATER[at.screen] ? drawLater(at, more) : drawNow(at, more);
	setTitle(view.title);
}

/* A page that has nothing but a sentence, and one way on.  Without a house it is the whole page. */
function showQuiet(title, text, way) {
	document.querySelector('.house').hidden = !house;
	root.replaceChildren(
		el(
			'section',
			{ class: 'card narrow quiet', role: 'alert' },
			el('div', { class: 'seal', 'aria-hidden': 'true' }),
			el(house ? 'h2' : 'h1', {}, t(title)),
			text && el('p', {}, text),
			el('div', { class: 'actions' }, way),
		),
	);
}

function showTrouble(error, again) {
	const lost = error.code === 'LOST' || error.code === 'TIMEOUT';
	const way = button(t('retry'), again, { class: 'primary' });
	showQuiet(lost ? 'lostTitle' : 'troubleTitle', sentence(error), way);
}

/* No such restaurant: there is none yet, or the address names a wrong one. */
async function showNoHouse() {
	const { restaurants } = await get('/api/restaurants').catch(() => ({ restaurants: [] }));
	const link = (href, text) => el('a', { class: 'button soft', href }, t(text));
	if (restaurants.length) showQuiet('wrongHouse', '', link('/', 'home'));
	else showQuiet('noHouseTitle', t('noHouse'), link('/desk/', 'toDesk'));
}

/* ---- the beginning, and what happens to the page ---- */

/* What the next screens need; without a network it comes when it is needed. */
function fetchAhead() {
	withSheet(detailsScreen())
		.then(reservationScreen)
		.catch(() => {});
}

async function begin(asked = askHouse()) {
	if (!house) show(); /* what can be drawn without the house, at once */
	try {
		house = await asked;
	} catch (error) {
		const again = () => {
			root.replaceChildren();
			begin();
		};
		if (error.code === 'NO_SUCH_RESTAURANT') await showNoHouse();
		else if (!managed && !params().get('reservation')) showTrouble(error, again);
		return;
	}
	showHouse(house);
	let drawn = null;
	if (view?.update) {
		drawn = view.update();
		setTitle(view.title);
	} else show();
	Promise.resolve(drawn).then(() => setTimeout(fetchAhead, QUIET_MS));
	const job = managed ? null : pendingJob();
	if (job) ctx.book(job);
}

function speakAll() {
	speak();
	showBadge(house);
	if (house) showHouse(house);
}

$('langs').addEventListener('click', (event) => {
	const next = event.target.closest('[data-lang]')?.dataset.lang;
	if (!next || next === lang()) return;
	setLang(next).then(
		() => {
			speakAll();
			show();
		},
		() => announce(t('lostPage'), true),
	);
});
for (const [id, query] of Object.entries({ mine: { view: 'my' }, home: {} }))
	$(id).addEventListener('click', (event) => {
		if (event.metaKey || event.ctrlKey || managed) return;
		event.preventDefault();
		go(query);
	});
addEventListener('popstate', () => show({ moved: true }));
addEventListener('hashchange', () => managed && show());
/* Seats move, and midnight passes, while the page lies in the background. */
document.addEventListener('visibilitychange', async () => {
	if (document.visibilityState === 'hidden') hiddenAt = Date.now();
	else if (house && hiddenAt && Date.now() - hiddenAt > STALE_MS && view?.update)
		await ctx.reload().then(
			() => view.update?.(),
			() => {},
		);
});

document.documentElement.dataset.begun = 'yes'; /* old.js looks for it */
const asked = askHouse(); /* on its way while the words come */
asked.catch(() => {}); /* begin() says why */
useWords((code) => import(`./words/${code}.js`)).then(
	() => {
		speakAll();
		begin(asked);
	},
	() => document.dispatchEvent(new Event('lost')),
);
