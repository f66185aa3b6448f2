/*
 * state.js - pure: what was typed about a guest, as a request; its way back; what a list asks for.
 */

export const LABELS_MAX = 8;

const FIELDS = ['name', 'phone', 'email', 'note'];
const textOf = (value) => value ?? '';
const sameLabels = (a, b) => a.length === b.length && a.every((label, i) => label === b[i]);

/** "window, wine" as labels: each once, whatever its capitals. */
export function labelsOf(text) {
	const all = text.split(',').map((label) => label.trim());
	const same = (a) => (b) => a.toLowerCase() === b.toLowerCase();
	return all.filter((label, i) => label && all.findIndex(same(label)) === i);
}

/** The known ones that are ticked, then those of the house's own; each once. */
export const joinLabels = (ticked, own) => labelsOf([...ticked, ...own].join(','));

/** Of what was typed only what is no longer so. */
export function changesOf(guest, typed) {
	const texts = FIELDS.filter((name) => typed[name] !== textOf(guest[name]));
	return {
		...Object.fromEntries(texts.map((name) => [name, typed[name]])),
		...(sameLabels(typed.tags, guest.tags) ? {} : { tags: typed.tags }),
		...(typed.blocked === guest.blocked ? {} : { blocked: typed.blocked }),
	};
}

/** What puts back what these changes have changed; null: a number cannot be taken away again. */
export function wayBack(guest, changes) {
	if (changes.phone && !guest.phone) return null;
	const was = (name) => (FIELDS.includes(name) ? textOf(guest[name]) : guest[name]);
	return Object.fromEntries(Object.keys(changes).map((name) => [name, was(name)]));
}

/** What the list is asked for.  filter: '', 'noShows', 'blocked', or 'tag:' and the tag. */
export const queryOf = (q, filter, after) => ({
	...(q.trim() ? { q: q.trim() } : {}),
	...(filter === 'noShows' ? { noShows: true } : {}),
	...(filter === 'blocked' ? { blocked: true } : {}),
	...(filter.startsWith('tag:') ? { tag: filter.slice(4) } : {}),
	...(after ? { after } : {}),
});

/** Guests that are not on the list yet: one who books meanwhile comes twice. */
export function freshOf(shown, guests) {
	const known = new Set(shown.map((guest) => guest.guestId));
	return guests.filter((guest) => !known.has(guest.guestId));
}

/** Two bookings in each line, as the box names them one after the other. */
export const pairsOf = (reservations) =>
	reservations.flatMap((r, i) => (i % 2 ? [] : [[r, reservations[i + 1]]])).filter((p) => p[1]);
