/*
 * desk.js - what every screen of the desk gets: who is logged in, and the day, kept up to date.
 *
 * The day is asked for once a second; while nothing has changed the answer is 304 and costs next to
 * nothing.  The last good day stays on this device, so that a reload without a connection still
 * shows the evening.
 */
import { get, serverNow } from '../api.js';
import { clockAt, dayAt, eveningAt, secondAt } from '../dates.js';
import { houseSpeaks, own, shortDay, t } from '../i18n.js';
import { $, button, el, keep, recall } from '../ui.js';
import { drawStanding } from './evening/closures.js';
import { named } from './evening/state.js';

const POLL_MS = 1000;
const HIDDEN_MS = 10000;
const SILENT_MS = 5000; /* this long without an answer, and the screen says so */
const BACK_OFF = [1000, 2000, 5000];
const TOAST_MS = 10000;

let me = null;
let day = null; /* the last answer of /api/desk/day */
let date = null; /* null: today, also when midnight passes */
let evening = null; /* the newest one that the box told of: { today, todayUntil } */
let zone = 'Asia/Seoul';
let view = null;
let heardAt = 0;
let timer = 0;
let failures = 0;
let asking = null; /* what ends the look under way */
let waitsForDay = null; /* what was tapped while the day was on its way */
let news = null; /* a promise of the bar above every screen */
let title = { text: '', count: 0 };
let onRefused = () => {}; /* the login is over */

function restaurantId() {
	const asked = Number(new URLSearchParams(location.search).get('restaurant'));
	return asked || me?.restaurantId || desk.first;
}

function sentence(error) {
	if (error.code === 'LOST' || error.code === 'TIMEOUT') return t('lost');
	return (error.code && error.message) || t('broken');
}

const names = new Intl.Collator(undefined, { numeric: true });
const byName = (a, b) => names.compare(a.name, b.name);
const byTime = (a, b) => a.slotTime.localeCompare(b.slotTime) || a.reservationId - b.reservationId;

export const desk = {
	first: 1 /* the restaurant of an owner who has said no other */,
	get me() {
		return me;
	},
	get day() {
		return day;
	},
	/* What this login may do beyond any staff: "PUT /api/desk/menu". */
	may: (address) => Boolean(me?.may?.includes(address)),
	get zone() {
		return zone;
	},
	/* In the language on the screen, if the house has a name in it. */
	get houseName() {
		return day ? own(day.house.name, day.house.nameEn) : null;
	},
	/* The day that was asked for last, whether its answer has come or not. */
	get date() {
		return date ?? desk.clock().today;
	},
	get restaurantId() {
		return restaurantId();
	},
	get connected() {
		return Date.now() - heardAt < SILENT_MS;
	},
	/* When the box last said that the evening is as it is on the screen; of an evening that this
	 * device has kept: when it came. */
	get asOf() {
		return heardAt ? serverNow() - (Date.now() - heardAt) : Date.parse(day.now);
	},
	/* The evening and its minute at the restaurant: after midnight 24:45 of the evening before,
	 * while that lasts. */
	clock() {
		const ms = serverNow();
		return { ...eveningAt({ today: dayAt(ms, zone), time: clockAt(ms, zone) }, evening, ms), ms };
	},
	at: (iso) => clockAt(iso, zone),
	/* Day and time at the restaurant: 2026-01-20 18:00. */
	when: (iso) => `${dayAt(iso, zone)} ${clockAt(iso, zone)}`,
	/* The same in a sentence, where it is plain which year. */
	moment: (iso) => `${shortDay(dayAt(iso, zone))} ${clockAt(iso, zone)}`,
	query: () => ({ restaurantId: restaurantId() }),
	refresh: () => look(true),
	/* Does something with the day on the screen, or with the one that is on its way: a tap that
	 * comes between two days is not lost. */
	withDay(act) {
		if (day) act();
		else waitsForDay = act;
	},
	/* One reservation as it is now, without waiting for the next look. */
	learn(r) {
		if (!day || r.slotDate !== day.date) return desk.refresh();
		const others = day.reservations.filter((o) => o.reservationId !== r.reservationId);
		day.reservations = [...others, named(r, t('walkIn'))].sort(byTime);
		return view?.update?.();
	},
	/* Something about the house was changed here: change(day), without waiting for the next look,
	 * which a screen that stands still never has. */
	amend(change) {
		if (!day) return;
		change(day);
		view?.update?.();
		showStanding();
	},
	goTo(next) {
		date = next === desk.clock().today ? null : next;
		day = null;
		waitsForDay = null;
		look(true);
	},
	/* How many things are new: in front of the tab's title. */
	setCount: (count) => entitle(title.text, count),
	say,
	sentence,
};

/* A line at the bottom for ten seconds, with the way back. */
let toastTimer = 0;
function say(text, undo) {
	const toast = $('toast');
	const hide = () => {
		toast.hidden = true;
	};
	const back = () => {
		hide();
		undo();
	};
	clearTimeout(toastTimer);
	toast.replaceChildren(el('span', {}, text));
	if (undo) toast.append(button(t('undo'), back, { class: 'soft' }));
	toast.hidden = false;
	toastTimer = setTimeout(hide, TOAST_MS);
}

/** What the tab is called; the number in front is of what is new. */
export function entitle(text, count = title.count) {
	title = { text, count };
	document.title = count ? `(${count}) ${text}` : text;
}

/* Style sheets that come with scripts, each once. */
const sheets = new Map();
function sheet(href) {
	if (!sheets.has(href)) {
		const come = (resolve) =>
			document.head.append(
				el('link', { rel: 'stylesheet', href, onload: resolve, onerror: resolve }),
			);
		sheets.set(href, new Promise(come));
	}
	return sheets.get(href);
}

/** Waits for both; without the style sheet a screen is plain, and works. */
export const withSheet = async (href, load) => (await Promise.all([load, sheet(href)]))[0];

/* ---- who is there, and what is shown ---- */

export function enter(who, timezone) {
	me = who;
	heardAt = Date.now();
	zone = timezone ?? zone;
}

/** No one of the staff is logged in on this screen, and nothing is asked for any more. */
export function leave() {
	me = null;
	view = null;
	clearTimeout(timer);
	showStanding();
	news?.then((bar) => bar?.stop());
	keep('desk', null);
}

/** A screen takes the place of the one before; what was tapped there is not done here. */
export function show(next) {
	waitsForDay = null;
	view = next;
}

/** What is not saved on this screen, in a sentence; and whether it may be left, which asks. */
export const unsaved = () => view?.unsaved?.() || '';
export const mayLeave = async () => view?.mayLeave?.() ?? true;

/** No connection: the last evening that this device has seen, if it has seen one. */
export function enterFromMemory() {
	const last = recall('desk');
	if (!last?.day) return false;
	({ me, day } = last);
	evening = day;
	zone = day.house.timezone;
	date = day.date === desk.clock().today ? null : day.date;
	failures = 1;
	return true;
}

/* ---- keeping up ---- */

/* A pause and blocks, above whichever screen.  Lines that are the same keep their buttons. */
export function showStanding() {
	const lines = me ? drawStanding(desk) : [];
	const drawn = $('standing').children;
	const same = lines.length === drawn.length && lines.every((l, i) => l.isEqualNode(drawn[i]));
	if (!same) $('standing').replaceChildren(...lines);
}

/* What a tap on it would ask the box for; paper and the copy of the evening are made without it. */
const NEEDS_BOX = '.acts, .new > button, .menu-list > :not(.print, #save)';

/* As of when the evening is, and a way to keep it: what is on the screen goes with its tab. */
function drawSilence() {
	const save = () =>
		import('./evening/saved.js').then(
			(m) => m.saveEvening(desk),
			() => say(t('lost')),
		);
	return [el('span', {}), button(t('saveFile'), save, { class: 'soft small' })];
}

export function showSilence() {
	const silent = Boolean(day && !view?.still && !desk.connected);
	const line = $('stale');
	if (silent && line.hidden) line.replaceChildren(...drawSilence());
	line.hidden = !silent;
	document.body.classList.toggle('silent', silent);
	/* The attribute: where browsers do not know the word, the sheet does. */
	for (const node of document.querySelectorAll(NEEDS_BOX)) node.toggleAttribute('inert', silent);
	if (silent) line.firstChild.textContent = t('asOf', secondAt(desk.asOf, zone));
}

/* Beside the day, and beside a 304, the box says whether anything has changed on any day. */
function hearOfChanges(headers) {
	const word = headers.get('Jari-News');
	if (!word) return;
	news ??= import('./news/bar.js').then(
		({ makeNews }) => makeNews(desk),
		() => {
			news = null; /* the next look tries again */
		},
	);
	news.then((bar) => bar?.heard(word));
}

/* Only what has changed is sent: tag is that of the day on the screen. */
async function askFor(asked, fresh, signal) {
	const tag = fresh || day?.date !== asked ? '' : (day.tag ?? '');
	const answer = await get('/api/desk/day', {
		query: { ...desk.query(), date: asked },
		tag,
		signal,
		heard: hearOfChanges,
	});
	heardAt = Date.now();
	failures = 0;
	if (!answer) return;
	const { today, todayUntil } = answer;
	evening = { today, todayUntil };
	/* It is still the evening before, or that is over. */
	if (date === null && asked !== desk.date) return askFor(desk.date, true, signal);
	if (asked !== desk.date) return;
	day = answer;
	day.tables.sort(byName); /* 2 before 10 */
	day.reservations = day.reservations.map((r) => named(r, t('walkIn')));
	zone = day.house.timezone;
	keep('desk', { day: { ...answer, tag: '' }, me });
	houseSpeaks(day.house.language);
	$('house').textContent = desk.houseName;
	view?.update?.();
	showStanding();
	waitsForDay?.();
	waitsForDay = null;
}

/* fresh: at once and in full; a look under way, which may hang for long, gives way to it. */
export async function look(fresh = false) {
	clearTimeout(timer);
	if ((asking && !fresh) || !me || (view?.still && !fresh)) return plan();
	asking?.abort();
	const mine = new AbortController();
	asking = mine;
	try {
		await askFor(desk.date, fresh, mine.signal);
	} catch (error) {
		if (asking !== mine) return;
		waitsForDay = null; /* a tap a minute later must not open two dialogs */
		if (error.status === 401 || error.status === 403) return onRefused();
		failures++;
		/* With a day the line on top says how old it is. */
		if (!day) view?.trouble?.(sentence(error));
	} finally {
		if (asking === mine) asking = null;
	}
	showSilence();
	return plan();
}

function delay() {
	if (document.visibilityState === 'hidden') return HIDDEN_MS;
	return failures ? BACK_OFF[Math.min(failures, BACK_OFF.length) - 1] : POLL_MS;
}

function plan() {
	clearTimeout(timer);
	if (me) timer = setTimeout(look, delay());
}

/** Begins to look; refused(): this login is over. */
export function keepUp(refused) {
	onRefused = refused;
	const lookNow = () => me && document.visibilityState === 'visible' && look();
	document.addEventListener('visibilitychange', lookNow);
	addEventListener('online', () => me && look());
	setInterval(() => {
		if (!me) return;
		showSilence();
		view?.tick?.();
	}, 1000);
}
