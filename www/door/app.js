/*
 * app.js - a party's own place on the door list: how many are ahead, how long it may take, and
 * that the table is ready.  The token stands behind the # of the address, which no browser sends.
 */
import { call, get } from '../api.js';
import { confirmDialog } from '../forms.js';
import { houseSpeaks, lang, own, setLang, t, useWords } from '../i18n.js';
import { $, announce, between, nap, telLink } from '../ui.js';
import { drawPlace, drawTrouble } from './draw.js';

const EVERY_MS = [12000, 18000];
const path = () => `/api/door/${encodeURIComponent(location.hash.slice(1))}`;
const page = { place: null, told: '', trouble: '' };

/* What a failure says; without a code it is a fault of ours. */
function sentence(error) {
	if (error.code === 'LOST' || error.code === 'TIMEOUT') return t('lost');
	return (error.code && error.message) || t('broken');
}

/* The languages on top, in the one of now. */
function speak() {
	for (const b of document.querySelectorAll('[data-lang]'))
		b.setAttribute('aria-pressed', String(b.dataset.lang === lang()));
	$('langs').setAttribute('aria-label', t('language'));
}

function showHouse({ restaurantName, restaurantNameEn, restaurantPhone, language }) {
	houseSpeaks(language);
	const phone = restaurantPhone ?? '';
	$('name').textContent = own(restaurantName, restaurantNameEn);
	Object.assign($('phone'), { hidden: !phone, textContent: phone, href: telLink(phone) });
}

/* What has changed is said aloud; that the table is ready, at once and by the phone itself. */
function tell({ status, place }) {
	const said = status === 'WAITING' ? t('place', place) : t(`title.${status}`);
	if (said === page.told) return;
	if (page.told || status === 'CALLED') announce(said, status === 'CALLED');
	if (page.told && status === 'CALLED') navigator.vibrate?.([300, 150, 300]);
	page.told = said;
	document.title = said;
}

function draw() {
	speak();
	if (!page.place) {
		if (page.trouble) $('view').replaceChildren(drawTrouble(page.trouble));
		return;
	}
	showHouse(page.place);
	tell(page.place);
	$('view').replaceChildren(drawPlace(page.place, page.trouble, leave));
}

function learn(place) {
	page.place = { ...page.place, ...place };
	page.trouble = '';
	draw();
}

async function leave() {
	const yes = await confirmDialog(t('leaveTitle'), t('leaveText'), t('leave'), { careful: true });
	if (!yes) return;
	try {
		learn(await call('DELETE', path()));
	} catch (error) {
		page.trouble = sentence(error);
		draw();
	}
}

const isOver = () => page.place && page.place.place === 0;

/* Asks until the place is given up or taken; one that was put away asks when looked at. */
async function watch() {
	for (;;) {
		try {
			learn(await get(path()));
		} catch (error) {
			page.trouble = sentence(error);
			if (error.status === 404) page.place = null;
			draw();
			if (error.status === 404) return;
		}
		await nap(isOver() ? 4 * EVERY_MS[0] : between(...EVERY_MS));
	}
}

$('langs').addEventListener('click', (event) => {
	const next = event.target.closest('[data-lang]')?.dataset.lang;
	if (!next || next === lang()) return;
	page.told = '';
	setLang(next).then(draw, () => announce(t('lost'), true));
});
addEventListener('hashchange', () => location.reload());

document.documentElement.dataset.begun = 'yes'; /* old.js looks for it */
useWords((code) => import(`./words/${code}.js`)).then(watch, () =>
	document.dispatchEvent(new Event('lost')),
);
