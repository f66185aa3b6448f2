/*
 * app.js - /pay: the way to a payment provider and back.  The only page with a script that is not
 * ours: what it loads is said by the policy that the box sends with it.
 *
 * ?reservation=ID (with #TOKEN, its manage token, or #go: without another tap) goes to pay it;
 * ?payment=KEY is where a provider sends the guest back, also into another browser: the key proves
 * itself.  ?try=1 is the owner's payment on trial.
 */
import { get } from '../api.js';
import { showHouse, speak } from '../guest/head.js';
import { lang, setLang, t, useWords } from '../i18n.js';
import { $, announce } from '../ui.js';
import { p, sayings } from './say.js';
import { PayScreen } from './screen.js';

const query = new URLSearchParams(location.search);
const ctx = {
	query,
	restaurantId: Number(query.get('restaurant')) || 1,
	house: null,
	/* What a failure says; without a code it is a fault of ours. */
	sentence(error) {
		if (error.code === 'LOST') return t('lostPage');
		if (error.code === 'TIMEOUT') return t('timeoutPage');
		return (error.code && error.message) || t('broken');
	},
};
const screen = new PayScreen($('view'), ctx);

/* The guests' words are those of this page too. */
async function bringWords(code) {
	const [words] = await Promise.all([import(`../guest/words/${code}.js`)]);
	return words;
}

async function showAll() {
	await sayings();
	speak();
	document.title = ctx.house ? `${p('pay')} · ${$('name').textContent}` : p('pay');
	if (ctx.house) showHouse(ctx.house);
}

$('langs').addEventListener('click', (event) => {
	const next = event.target.closest('[data-lang]')?.dataset.lang;
	if (!next || next === lang()) return;
	setLang(next)
		.then(showAll)
		.then(
			() => screen.draw(),
			() => announce(t('lostPage'), true),
		);
});

/* Who comes back by the button of the browser sees how it stands now, not how it stood. */
addEventListener('pageshow', (event) => event.persisted && location.reload());

async function begin() {
	await useWords(bringWords);
	await showAll();
	screen.start();
	ctx.house = await get(`/api/restaurants/${ctx.restaurantId}`).catch(() => null);
	await showAll();
	screen.draw();
}

document.documentElement.dataset.begun = 'yes'; /* old.js looks for it */
begin().catch(() => document.dispatchEvent(new Event('lost')));
