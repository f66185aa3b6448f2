/*
 * app.js - the desk: who comes in, and which screen is shown.
 */
import { ApiError, get, post } from '../api.js';
import { crossed } from '../dialogs.js';
import { field, form } from '../forms.js';
import { lang, own, setLang, t, useWords } from '../i18n.js';
import { $, announce, button, el, focusOn, recall } from '../ui.js';
import {
	desk,
	enter,
	enterFromMemory,
	entitle,
	keepUp,
	leave,
	look,
	mayLeave,
	show,
	showSilence,
	showStanding,
	unsaved,
	withSheet,
} from './desk.js';
import { evening } from './evening/screen.js';

const root = $('view');
const TABS = ['list', 'now', 'timeline', 'guests', 'numbers', 'house'];
const BESIDE = ['opening']; /* reached by a link, not by a tab */
const PASSWORD_MIN = 8;
const PATIENCE_MS = 5000;
const BOX_LINE_MS = 3000; /* behind what the evening needs */

/* ---- screens ---- */

/* Whose screens these are says the box: each by an address that it needs. */
const NEEDS = { numbers: 'GET /api/desk/reports', house: 'GET /api/desk/house' };
const mayOpen = (tab) => !NEEDS[tab] || desk.may(NEEDS[tab]);
const isOwner = () => desk.may('PUT /api/desk/settings');
let knownAs = ''; /* the house, before its day has come */
const houseName = () => desk.houseName ?? (knownAs || t('desk'));

function drawTabs(current) {
	const tabs = TABS.filter(mayOpen);
	const link = (tab) =>
		el('a', { href: `#${tab}`, 'aria-current': tab === current ? 'page' : undefined }, t(tab));
	$('tabs').hidden = !desk.me;
	$('leave').hidden = !desk.me;
	$('leave').textContent = t('logout');
	$('house').textContent = houseName();
	$('tabs').replaceChildren(...tabs.map(link));
}

/* What is not the list of the evening is loaded when they go there, and then drawn. */
const page = (load) => withSheet('/desk/pages.css', load);
async function screenOf(tab) {
	if (tab === 'house' && mayOpen(tab)) {
		const { settings } = await page(import('./settings/screen.js'));
		return settings;
	}
	if (tab === 'numbers' && mayOpen(tab)) {
		const { numbers } = await page(import('./numbers/screen.js'));
		return numbers;
	}
	if (tab === 'guests') {
		const { guests } = await page(import('./guests/screen.js'));
		return guests;
	}
	if (tab === 'opening') {
		const { opening } = await page(import('./opening.js'));
		return opening;
	}
	return evening(NEEDS[tab] ? 'list' : tab);
}

let address = location.hash; /* of what is on the screen */
let shown = ''; /* the view that is on the screen */
let turns = 0; /* of two quick taps the last one counts */

async function showTab() {
	const [asked] = location.hash.slice(1).split('/');
	const tab = [...TABS, ...BESIDE].includes(asked) ? asked : 'list';
	const turn = ++turns;
	address = location.hash;
	const draw = await screenOf(tab).catch(() => null);
	if (turn !== turns) return;
	if (!draw) return desk.say(t('lost')); /* the box is down, and this device has it not */
	entitle(`${t(tab === 'opening' ? 'openingTitle' : tab)} · ${houseName()}`);
	drawTabs(tab);
	show(await draw(root, desk));
	if (tab !== shown) scrollTo(0, 0); /* another screen begins at its top */
	shown = tab;
	showStanding();
	look(true);
}

function showTrouble(text) {
	root.replaceChildren(
		el(
			'section',
			{ class: 'card narrow', role: 'alert' },
			el('p', {}, text),
			button(t('retry'), () => begin(), { class: 'primary' }),
			button(t('login'), logIn, { class: 'plain' }),
		),
	);
}

/* A restaurant that is not open yet. */
async function showSetUp() {
	if (!isOwner()) return showTrouble(t('broken'));
	const { setUp } = await page(import('./settings/setup.js'));
	drawTabs();
	$('tabs').hidden = true; /* there is nothing behind them yet */
	return show(await setUp(root, desk, () => begin()));
}

/* ---- the way in: by a password, or by a link that lets one be chosen ---- */

/* A card with these inputs; send(values) gets what was typed, by name. */
function showForm({ title, above, inputs, label, send, below }) {
	const card = form({
		class: 'card narrow login',
		content: [
			above && el('p', { class: 'soft-text' }, above),
			el('h1', {}, title),
			...inputs.map(({ name, ...props }) =>
				field(`l-${name}`, t(name), el('input', { name, required: true, ...props })),
			),
		],
		submit: label,
		send: () => send(Object.fromEntries(new FormData(card))),
		explain: desk.sentence,
	});
	if (below) card.append(el('p', { class: 'hint' }, below));
	root.replaceChildren(card);
	card.querySelector('input').focus();
}

function showLogin() {
	showForm({
		title: t('login'),
		inputs: [
			{ name: 'email', type: 'email', autocomplete: 'username' },
			{ name: 'password', type: 'password', autocomplete: 'current-password' },
		],
		label: t('login'),
		below: t('lostPassword'),
		async send({ email, password }) {
			try {
				await post('/api/login', { email, password });
				await begin(true);
			} catch (error) {
				if (error.code !== 'CHOOSE_PASSWORD') throw error;
				showWelcome(email, password);
			}
		},
	});
}

/* A one-time password is good for choosing another. */
function showWelcome(email, once) {
	showForm({
		title: t('welcome'),
		above: email,
		inputs: [
			{
				name: 'newPassword',
				type: 'password',
				autocomplete: 'new-password',
				minLength: PASSWORD_MIN,
			},
		],
		label: t('choose'),
		async send({ newPassword }) {
			await post('/api/login', { email, password: once, newPassword }).catch((error) => {
				if (error.code === 'LOGIN_FAILED') error.message = t('linkUsed');
				throw error;
			});
			history.replaceState(null, '', '/desk/');
			await begin(true);
		},
	});
}

/* ---- who comes in ---- */

function logIn() {
	leave();
	$('box-line')?.remove();
	drawTabs();
	entitle(`${t('login')} · ${t('desk')}`);
	showLogin();
	if (window.isSecureContext) offline((m) => m.forgetDesk());
}

/* The address and the one-time password of a link that jari printed, if this is one. */
function invited() {
	const link = location.hash.match(/^#welcome=([^/]+)\/(.+)$/);
	return link?.slice(1).map(decodeURIComponent);
}

/* By such a link, also into a tab that shows the desk; or with the login of this browser. */
function arrive() {
	const welcome = invited();
	if (!welcome) return begin();
	leave();
	drawTabs();
	return showWelcome(...welcome);
}

/* For a reload while the box is down. */
const offline = (act) => import('./offline.js').then(act, () => {});

/* A box that is switched off does not even say no: who has an evening to show waits less long. */
async function askWhoIsThere() {
	const patience = new AbortController();
	const timer = recall('desk')?.day ? setTimeout(() => patience.abort(), PATIENCE_MS) : 0;
	try {
		return await get('/api/desk/me', { signal: patience.signal });
	} finally {
		clearTimeout(timer);
	}
}

async function showBoxLine() {
	const { boxLine } = await import('./boxline.js');
	if (desk.me) boxLine(root);
}

async function openDesk() {
	const who = await askWhoIsThere();
	const { restaurants } = await get('/api/restaurants');
	desk.first = restaurants[0]?.restaurantId ?? 0;
	enter(who);
	const house = desk.first ? await get(`/api/restaurants/${desk.restaurantId}`) : null;
	enter(who, house?.timezone);
	knownAs = own(house?.name, house?.nameEn);
	if (!house?.opened) return showSetUp();
	await showTab();
	offline((m) => m.keepDesk());
	setTimeout(showBoxLine, BOX_LINE_MS);
	return focusOn(root.querySelector('h1, h2'));
}

/* entered: the password was right just now, so a login that is unknown was not kept: no cookies. */
async function begin(entered = false) {
	try {
		await openDesk();
	} catch (error) {
		if (error.status === 401 && entered) {
			throw new ApiError('UNAUTHORIZED', 401, t('noCookies'));
		}
		if (error.status === 401) return logIn();
		if (error.status === 403) return showTrouble(t('notStaff'));
		if (!enterFromMemory()) return showTrouble(desk.sentence(error));
		await showTab();
		showSilence();
	}
	return undefined;
}

/* ---- the head of the page ---- */

function speak() {
	for (const node of document.querySelectorAll('[data-t]')) node.textContent = t(node.dataset.t);
	for (const b of document.querySelectorAll('[data-lang]')) {
		b.setAttribute('aria-pressed', String(b.dataset.lang === lang()));
	}
	$('langs').setAttribute('aria-label', t('language'));
	$('tabs').setAttribute('aria-label', t('desk'));
	$('standing').setAttribute('aria-label', t('standing'));
}

$('langs').addEventListener('click', async (event) => {
	const next = event.target.closest('[data-lang]')?.dataset.lang;
	if (!next || next === lang() || !(await mayLeave())) return;
	try {
		await setLang(next);
	} catch {
		announce(t('lost'), true);
		return;
	}
	speak();
	if (desk.me) showTab();
	else logIn();
});
$('leave').addEventListener('click', async () => {
	if (!(await mayLeave())) return;
	await post('/api/logout', {}).catch(() => {});
	logIn();
});

/* Whoever has changes that are not saved is asked before a link is followed, */
document.addEventListener('click', async (event) => {
	const link = event.target.closest('a[href^="#"]');
	if (!link || event.defaultPrevented || link.hash === '#view' || !unsaved()) return;
	event.preventDefault();
	if (await mayLeave()) location.hash = link.getAttribute('href');
});
/* and after the back button, which cannot be held. */
addEventListener('hashchange', async () => {
	if (invited()) return arrive();
	if (!desk.me || ['#view', address].includes(location.hash)) return undefined;
	if (await mayLeave()) return showTab();
	history.pushState(null, '', address || '#');
	return undefined;
});

crossed(() => ({
	close: t('close'),
	lost: t('leaveTyped'),
	stay: t('goOn'),
	leave: t('leaveIt'),
}));

document.documentElement.dataset.begun = 'yes'; /* old.js looks for it */
useWords((code) => import(`./words/${code}.js`)).then(
	() => {
		speak();
		keepUp(logIn);
		arrive();
	},
	() => document.dispatchEvent(new Event('lost')),
);
