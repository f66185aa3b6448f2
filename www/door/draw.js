/*
 * draw.js - what stands on the page of a party at the door.
 */
import { actions } from '../forms.js';
import { t } from '../i18n.js';
import { button, el } from '../ui.js';

/* How long from now: a range, or why there is none. */
function waitText({ waitHow, waitLow, waitHigh }) {
	if (waitHow === 'OPEN') return t('least', waitLow);
	if (waitHow !== 'RANGE') return t('unsure');
	return waitHigh === 0 ? t('soon') : t('range', waitLow, waitHigh);
}

function drawWaiting(place) {
	return [
		el('div', { class: 'door-number' }, t('place', place.place)),
		el('p', {}, place.place > 1 ? t('ahead', place.place - 1) : t('next')),
		el(
			'dl',
			{ class: 'facts' },
			el('div', {}, el('dt', {}, t('wait')), el('dd', { class: 'door-range' }, waitText(place))),
			el('div', {}, el('dt', {}, t('party')), el('dd', {}, t('people', place.partySize))),
		),
		el('p', { class: 'hint' }, t('keepOpen')),
	];
}

function drawCalled({ callMinutes }) {
	return [
		el('p', {}, t('comeIn')),
		callMinutes > 0 && el('p', { class: 'hint' }, t('within', callMinutes)),
	];
}

/** The place as the box says it is; trouble: why it may be old; leave(): gives it up. */
export function drawPlace(place, trouble, leave) {
	const { status } = place;
	const waits = place.place > 0;
	return el(
		'section',
		{ class: `card narrow door-card ${status.toLowerCase()}` },
		el('h2', {}, t(`title.${status}`)),
		status === 'WAITING' && drawWaiting(place),
		status === 'CALLED' && drawCalled(place),
		!waits && el('p', {}, t(`over.${status}`)),
		trouble && el('p', { class: 'notice', role: 'alert' }, trouble),
		waits && actions(button(t('leave'), leave, { class: 'soft', id: 'leave' })),
	);
}

/** There is no place to show, and this is why. */
export const drawTrouble = (text) =>
	el('section', { class: 'card narrow door-card' }, el('p', { role: 'alert' }, text));
