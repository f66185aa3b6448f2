/*
 * app.js - the desk: who is logged in, which screen is shown, and keeping it up to date.
 *
 * The day is asked for once a second; while nothing has changed the answer is 304 and costs next to nothing.  The last good
 * day stays on this device, so that a reload without a connection still shows the evening.
 */
import { ApiError, get, post, serverNow } from '../api.js';
import { clockAt, dayAt, secondAt } from '../dates.js';
import { lang, setLang, t, useWords } from '../i18n.js';
import { $, announce, button, el, focusOn, keep, recall } from '../ui.js';
import { evening } from './evening.js';

const POLL_MS = 1000;
const SILENT_MS = 5000; /* so long without an answer, and the screen says so */
const BACK_OFF = [1000, 2000, 5000];
const root = $('view');
let me = null;
let day = null; /* the last answer of /api/desk/day */
let date = null; /* null: today, also when midnight passes */
let zone = 'Asia/Seoul';
let view = null;
let heardAt = 0;
let timer = 0;
let failures = 0;
let asking = false;
let waitsForDay = null; /* what was tapped while the day was on its way */

const restaurantId = () =>
	Number(new URLSearchParams(location.search).get('restaurant')) || me?.restaurantId || desk.first;

export function sentence(error) {
	if (error.code === 'LOST' || error.code === 'TIMEOUT') return t('lost');
	return (error.code && error.message) || t('broken');
}

/* What every screen of the desk gets. */
export const desk = {
	first: 1,
	get me() {
		return me;
	},
	get day() {
		return day;
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
	/* The day and the minute at the restaurant. */
	clock() {
		const ms = serverNow();
		return { today: dayAt(ms, zone), time: clockAt(ms, zone), ms };
	},
	at: (iso) => clockAt(iso, zone),
	/* Day and time at the restaurant: 2026-01-20 18:00. */
	when: (iso) => `${dayAt(iso, zone)} ${clockAt(iso, zone)}`,
	query: () => ({ restaurantId: restaurantId() }),
	async refresh() {
		clearTimeout(timer);
		await look(true);
	},
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
		day.reservations = [...others, r].sort((a, b) =>
			(a.slotTime + String(a.reservationId).padStart(12, '0')).localeCompare(
				b.slotTime + String(b.reservationId).padStart(12, '0'),
			),
		);
		return view?.update?.();
	},
	goTo(next) {
		date = next === desk.clock().today ? null : next;
		day = null;
		waitsForDay = null;
		look(true);
	},
	say,
	sentence,
	show,
};

/* A line at the bottom for ten seconds, with the way back. */
let toastTimer = 0;
function say(text, undo) {
	const toast = $('toast');
	clearTimeout(toastTimer);
	toast.replaceChildren(
		el('span', {}, text),
		...(undo
			? [
					button(
						t('undo'),
						() => {
							toast.hidden = true;
							undo();
						},
						{ class: 'soft' },
					),
				]
			: []),
	);
	toast.hidden = false;
	toastTimer = setTimeout(() => {
		toast.hidden = true;
	}, 10000);
}

/* ---- keeping up ---- */

function showSilence() {
	const silent = day && !view?.still && !desk.connected;
	$('stale').hidden = !silent;
	document.body.classList.toggle('silent', Boolean(silent));
	for (const node of document.querySelectorAll('.new, .acts')) node.inert = Boolean(silent);
	if (silent) $('stale').textContent = t('asOf', secondAt(day.now, zone));
}

async function look(fresh = false) {
	clearTimeout(timer);
	if (asking || !me || view?.still) return plan();
	asking = true;
	try {
		const asked = date ?? desk.clock().today;
		const answer = await get('/api/desk/day', {
			query: { ...desk.query(), date: asked },
			tag: fresh || day?.date !== asked ? '' : (day.tag ?? ''),
		});
		heardAt = Date.now();
		failures = 0;
		if (answer && asked === (date ?? desk.clock().today)) {
			day = answer;
			zone = day.house.timezone;
			keep('desk', { day: { ...answer, tag: '' }, me });
			$('house').textContent = day.house.name;
			view?.update?.();
			waitsForDay?.();
			waitsForDay = null;
		}
	} catch (error) {
		waitsForDay = null; /* who taps again after a minute without a day does not want two dialogs */
		if (error.status === 401 || error.status === 403) return showLogin();
		failures++;
		/* With a day the line on top says how old it is. */
		if (!day) view?.trouble?.(sentence(error));
	} finally {
		asking = false;
	}
	showSilence();
	return plan();
}

function plan() {
	clearTimeout(timer);
	if (me)
		timer = setTimeout(
			look,
			document.visibilityState === 'hidden'
				? 10000
				: failures
					? BACK_OFF[Math.min(failures, BACK_OFF.length) - 1]
					: POLL_MS,
		);
}

/* ---- screens ---- */

const TABS = ['list', 'now', 'timeline', 'numbers', 'house'];
const OWNERS = ['numbers', 'house'];

function drawTabs(current) {
	$('tabs').hidden = !me;
	$('leave').hidden = !me;
	$('leave').textContent = t('logout');
	$('house').textContent = day?.house.name ?? t('desk');
	$('tabs').replaceChildren(
		...TABS.filter((tab) => !OWNERS.includes(tab) || me?.userType === 'OWNER').map((tab) =>
			el('a', { href: `#${tab}`, 'aria-current': tab === current ? 'page' : undefined }, t(tab)),
		),
	);
}

async function show() {
	const tab = TABS.includes(location.hash.slice(1)) ? location.hash.slice(1) : 'list';
	view?.stop?.();
	waitsForDay = null;
	document.title = `${t(tab)} · ${day?.house.name ?? t('desk')}`;
	drawTabs(tab);
	if (tab === 'house' && me.userType === 'OWNER') {
		const { settings } = await import('./settings.js');
		view = settings(root, desk);
	} else if (tab === 'numbers' && me.userType === 'OWNER') {
		const { numbers } = await import('./numbers.js');
		view = numbers(root, desk);
	} else view = evening(root, desk, OWNERS.includes(tab) ? 'list' : tab);
	look(true);
}

function form(title, fields, label, onsubmit) {
	const wrong = el('p', { class: 'wrong', role: 'alert' });
	const heading = el('h1', {}, title);
	const node = el(
		'form',
		{
			class: 'card narrow login',
			onsubmit: async (event) => {
				event.preventDefault();
				wrong.textContent = '';
				try {
					await onsubmit(Object.fromEntries(new FormData(node)));
				} catch (error) {
					wrong.textContent = sentence(error);
				}
			},
		},
		heading,
		fields.map(([name, props]) =>
			el(
				'div',
				{ class: 'field' },
				el('label', { for: `l-${name}` }, t(name)),
				el('input', { id: `l-${name}`, name, required: true, ...props }),
			),
		),
		wrong,
		el('button', { type: 'submit', class: 'primary' }, label),
	);
	root.replaceChildren(node);
	node.querySelector('input').focus();
	return node;
}

/* Nobody is logged in on this screen, and nothing is asked for any more. */
function leaveDesk() {
	me = null;
	view?.stop?.();
	view = null;
	clearTimeout(timer);
	keep('desk', null);
}

function showLogin() {
	leaveDesk();
	drawTabs();
	document.title = `${t('login')} · ${t('desk')}`;
	form(
		t('login'),
		[
			['email', { type: 'email', autocomplete: 'username' }],
			['password', { type: 'password', autocomplete: 'current-password' }],
		],
		t('login'),
		async ({ email, password }) => {
			try {
				await post('/api/login', { email, password });
				await begin(true);
			} catch (error) {
				if (error.code !== 'CHOOSE_PASSWORD') throw error;
				showWelcome(email, password);
			}
		},
	);
}

/* A one-time password is good for choosing another. */
function showWelcome(email, once) {
	drawTabs();
	form(
		t('welcome'),
		[['newPassword', { type: 'password', autocomplete: 'new-password', minLength: 8 }]],
		t('choose'),
		async ({ newPassword }) => {
			await post('/api/login', { email, password: once, newPassword }).catch((error) => {
				if (error.code === 'LOGIN_FAILED') error.message = t('linkUsed');
				throw error;
			});
			history.replaceState(null, '', '/desk/');
			await begin(true);
		},
	).prepend(el('p', { class: 'soft-text' }, email));
}

/* The address and the one-time password of a link that jari printed, if this is one. */
const invited = () =>
	location.hash
		.match(/^#welcome=([^/]+)\/(.+)$/)
		?.slice(1)
		.map(decodeURIComponent);

/* By such a link, also into a tab that shows the desk already; or with the login of this browser. */
function arrive() {
	const welcome = invited();
	if (!welcome) return begin();
	leaveDesk();
	return showWelcome(...welcome);
}

function speak() {
	for (const node of document.querySelectorAll('[data-t]')) node.textContent = t(node.dataset.t);
	for (const b of document.querySelectorAll('[data-lang]'))
		b.setAttribute('aria-pressed', String(b.dataset.lang === lang()));
	$('langs').setAttribute('aria-label', t('language'));
	$('tabs').setAttribute('aria-label', t('desk'));
}

/* entered: the password was right just now, so a login that is unknown was not kept: no cookies. */
async function begin(entered = false) {
	try {
		const who = await get('/api/desk/me');
		const { restaurants } = await get('/api/restaurants');
		me = who;
		heardAt = Date.now();
		desk.first = restaurants[0]?.restaurantId ?? 0;
		const house = desk.first ? await get(`/api/restaurants/${restaurantId()}`) : null;
		zone = house?.timezone ?? zone;
		if (!house?.opened) {
			if (me.userType !== 'OWNER') return showTrouble(t('broken'));
			const { setUp } = await import('./settings.js');
			drawTabs();
			$('tabs').hidden = true; /* there is nothing behind them yet */
			view = setUp(root, desk, () => begin());
			return undefined;
		}
		await show();
		focusOn(root.querySelector('h1, h2'));
	} catch (error) {
		if (error.status === 401 && entered) throw new ApiError('UNAUTHORIZED', 401, t('noCookies'));
		if (error.status === 401) return showLogin();
		if (error.status === 403) return showTrouble(t('notStaff'));
		const last = recall('desk');
		if (!last?.day) return showTrouble(sentence(error));
		/* No connection: the last evening this device has seen. */
		({ me, day } = last);
		zone = day.house.timezone;
		date = day.date === desk.clock().today ? null : day.date;
		failures = 1;
		await show();
		showSilence();
	}
	return undefined;
}

function showTrouble(text) {
	root.replaceChildren(
		el(
			'section',
			{ class: 'card narrow', role: 'alert' },
			el('p', {}, text),
			button(t('retry'), () => begin(), { class: 'primary' }),
			button(t('login'), showLogin, { class: 'plain' }),
		),
	);
}

$('langs').addEventListener('click', (event) => {
	const next = event.target.closest('[data-lang]')?.dataset.lang;
	if (!next || next === lang()) return;
	setLang(next).then(
		() => {
			speak();
			if (me) show();
			else showLogin();
		},
		() => announce(t('lost'), true),
	);
});
$('leave').addEventListener('click', async () => {
	await post('/api/logout', {}).catch(() => {});
	showLogin();
});
addEventListener('hashchange', () => {
	if (invited()) arrive();
	else if (me) show();
});
document.addEventListener(
	'visibilitychange',
	() => document.visibilityState === 'visible' && me && look(),
);
addEventListener('online', () => me && look());
setInterval(() => {
	if (me) {
		showSilence();
		view?.tick?.();
	}
}, 1000);

document.documentElement.dataset.begun = 'yes'; /* old.js looks for it */
useWords((code) => import(`./words/${code}.js`)).then(
	() => {
		speak();
		arrive();
	},
	() => document.dispatchEvent(new Event('lost')),
);
