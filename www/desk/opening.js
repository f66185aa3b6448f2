/*
 * opening.js - the next opening, the one that runs, and how the last ones went.
 */
import { get } from '../api.js';
import { countdown } from '../dates.js';
import { t } from '../i18n.js';
import { el } from '../ui.js';
import { datesOf } from './evening/opening.js';
import { drawBars, drawFact } from './numbers/plots.js';
import { arrivalBars, secondsText } from './owner.js';

const EVERY_MS = 5000;

const listOf = (arrivals) => (Array.isArray(arrivals) ? arrivals : JSON.parse(arrivals || '[]'));

/* How it went, in numbers and as a plot. */
function drawResult(desk, r, title) {
	const facts = [
		[t('openingWatched'), r.watching],
		[t('openingEarly'), r.early],
		[t('openingArrived'), listOf(r.arrivals).reduce((a, b) => a + b, 0)],
		[t('openingBooked'), r.booked],
		[t('openingRefused'), r.refused],
		[t('openingSoldOut'), r.soldOutMs ? t('openingAfter', secondsText(r.soldOutMs)) : '–'],
		[t('openingSlowest'), `${secondsText(r.slowestMs)} s`],
		[t('openingOrder'), r.outOfOrder ? t('openingBroken', r.outOfOrder) : t('openingKept')],
	];
	return [
		el(
			'section',
			{ class: 'card' },
			el('h2', {}, `${title} · ${desk.moment(r.opensAt)}`),
			el('dl', { class: 'totals' }, facts.map(drawFact)),
		),
		drawBars(
			`${t('openingArrivals')} · ${desk.moment(r.opensAt)}`,
			arrivalBars(listOf(r.arrivals)),
		),
	];
}

function drawNext(desk, answer) {
	const next = answer.nextOpening;
	if (!next) return el('p', { class: 'card empty' }, t('openingNone'));
	const left = Math.max(0, Math.ceil((Date.parse(next.opensAt) - desk.clock().ms) / 1000));
	return el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('openingNext', datesOf(next), desk.moment(next.opensAt))),
		el('p', {}, t('openingIn', countdown(left)), ' · ', t('openingWatching', answer.watching)),
		el('p', { class: 'hint' }, t('openingStaff')),
	);
}

export function opening(root, desk) {
	const body = el('div', { class: 'stack' });
	root.replaceChildren(el('div', { class: 'house-page' }, el('h1', {}, t('openingTitle')), body));
	async function load() {
		try {
			const answer = await get('/api/desk/opening', { query: desk.query() });
			const doubt = answer.clockDoubted
				? [el('p', { class: 'card notice', role: 'alert' }, t('openingClock'))]
				: [];
			body.replaceChildren(
				...doubt,
				drawNext(desk, answer),
				...(answer.running ? drawResult(desk, answer.running, t('openingRunning')) : []),
				...answer.results.flatMap((r) => drawResult(desk, r, t('openingWent'))),
			);
		} catch (error) {
			body.replaceChildren(el('p', { class: 'card wrong' }, desk.sentence(error)));
		}
		if (body.isConnected && !body.querySelector('details[open]')) setTimeout(load, EVERY_MS);
	}
	load();
	return { still: true };
}
