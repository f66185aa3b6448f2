/*
 * find.js - search in the settings: which cards and fields say what the owner types.
 *
 * Pure: no screen, no network; the words are handed in.
 */
import { aboutOf, fieldsOf, headingOf, MENU } from './cards.js';

const HITS = 12;

/* A text by its name.  other: what is put into one that names the house's other language. */
function textOf(words, name, other = '') {
	const text = name?.split('.').reduce((from, part) => from?.[part], words);
	if (typeof text === 'function') return String(text(other));
	return typeof text === 'string' ? text : '';
}

const plain = (text) => text.normalize('NFC').toLowerCase();

/**
 * All that can be found with these words: cards, and the fields of each.  language: of the house.
 */
export function entriesOf(words, { menu = MENU, language = 'en' } = {}) {
	const other = words.otherOf[language];
	return menu.flatMap(({ group, cards }) =>
		cards.flatMap((card) => {
			const title = textOf(words, headingOf(card)).trim();
			const more = [
				textOf(words, aboutOf(card)),
				textOf(words, `settings.group.${group}`),
				textOf(words, `settings.also.${card}`),
			];
			const fields = fieldsOf(card).map(({ field, label, help }) => ({
				card,
				field,
				title,
				label: textOf(words, label, other),
				help: textOf(words, help),
			}));
			return [{ card, title, label: title, help: more.join(' ') }, ...fields];
		}),
	);
}

/* How well an entry says these words: 0 not at all; the more the better. */
function rank({ field, label, help }, asked) {
	const name = plain(label);
	const all = `${name} ${plain(help)}`;
	if (!asked.every((word) => all.includes(word))) return 0;
	if (!asked.every((word) => name.includes(word))) return 1;
	const begins = name.startsWith(asked[0]) ? 1 : 0;
	return (field === undefined ? 4 : 2) + begins;
}

/**
 * The best entries for what was typed.  others: the same entries in another language, in the same
 * order: who types "예약금" on an English page finds the deposit.
 */
export function find(entries, typed, others = []) {
	const asked = plain(typed).split(/\s+/).filter(Boolean);
	if (!asked.length) return [];
	return entries
		.map((entry, i) => ({
			entry,
			rank: Math.max(rank(entry, asked), others[i] ? rank(others[i], asked) : 0),
		}))
		.filter((hit) => hit.rank > 0)
		.sort((a, b) => b.rank - a.rank)
		.slice(0, HITS)
		.map((hit) => hit.entry);
}
