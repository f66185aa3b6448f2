/*
 * opening.js - the next opening on top of the evening: its time, and how many devices wait for it.
 */
import { get } from '../../api.js';
import { shortDay, t } from '../../i18n.js';
import { el } from '../../ui.js';

const NEAR_MS = 3600000; /* this near, those who wait are counted ... */
const AFTER_MS = 600000; /* ... and until it is over */
const EVERY_MS = 10000;

/* The dates of an opening: one day, or from one to another. */
export const datesOf = ({ from, to }) =>
	from === to ? shortDay(from) : `${shortDay(from)} – ${shortDay(to)}`;

/* A line that leads to the page about it; draw() with every look at the day, tick() each second. */
export function makeOpening(desk) {
	const said = el('span', {});
	const node = el('a', { class: 'next-opening', href: '#opening', hidden: true }, said);
	let next = null;
	let watching = null;
	let asked = 0;

	const leftMs = () => Date.parse(next.opensAt) - desk.clock().ms;
	function draw() {
		next = desk.day?.nextOpening ?? (next && leftMs() > -AFTER_MS ? next : null);
		node.hidden = !next;
		if (!next) return;
		const when = desk.moment(next.opensAt);
		const text = t(leftMs() > 0 ? 'openingNext' : 'openingRuns', datesOf(next), when);
		said.textContent = watching ? `${text} · ${t('openingWatching', watching)}` : text;
	}
	async function count() {
		asked = Date.now();
		const answer = await get('/api/desk/opening', { query: desk.query() }).catch(() => null);
		watching = answer?.watching ?? answer?.running?.watching ?? watching;
		draw();
	}
	return {
		node,
		draw,
		tick() {
			if (!next || document.visibilityState === 'hidden') return;
			const left = leftMs();
			if (left < NEAR_MS && left > -AFTER_MS && Date.now() - asked > EVERY_MS) count();
		},
	};
}
