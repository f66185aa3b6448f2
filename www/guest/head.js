/*
 * head.js - the head of the page: the restaurant, the way to one's reservations, the languages.
 */
import { houseSpeaks, lang, own, t } from '../i18n.js';
import { $, el, telLink } from '../ui.js';
import { hasHours, isActive, spansOf, spanText } from './bookable.js';
import { mapLink } from './choose/info.js';
import { mine } from './mine.js';

/* How many are coming up; one that lies behind us counts no more, whatever this device last heard
 * of it. */
export function showBadge(house) {
	const today = house?.today ?? '';
	const active = mine().filter((m) => isActive(m.status) && m.date >= today).length;
	const badge = active ? [' ', el('span', { class: 'dot' }, String(active))] : [];
	$('mine').replaceChildren(t('mine'), ...badge);
}

function todayText(house) {
	const spans = spansOf(house, house.today);
	if (spans.length) return t('openToday', spanText(spans));
	return hasHours(house) ? t('closedToday') : '';
}

export function showHouse(house) {
	houseSpeaks(house.language);
	document.querySelector('.house').hidden = false;
	const phone = house.phone ?? '';
	const map = house.address && mapLink(house);
	const link = map && el('a', { href: map.href, rel: 'noreferrer' }, map.text);
	$('name').textContent = own(house.name, house.nameEn);
	$('address').replaceChildren(...(link ? [link] : []));
	$('today').textContent = todayText(house);
	Object.assign($('phone'), { hidden: !phone, textContent: phone, href: telLink(phone) });
	showBadge(house);
}

/* The words that stand in index.html, in the language of now. */
export function speak() {
	for (const node of document.querySelectorAll('[data-t]')) node.textContent = t(node.dataset.t);
	for (const b of document.querySelectorAll('[data-lang]'))
		b.setAttribute('aria-pressed', String(b.dataset.lang === lang()));
	$('langs').setAttribute('aria-label', t('language'));
}
