/*
 * unsaved.js - what differs between the values that a card had and those that it has now.
 *
 * Pure: no screen, no network, no language.
 */

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** The names of what is another now. */
export const changedNames = (before, now) =>
	Object.keys({ ...before, ...now }).filter((name) => !same(before[name], now[name]));

/** Those of the values that have these names. */
export const only = (names, values) =>
	Object.fromEntries(names.map((name) => [name, values[name]]));

/**
 * Rows with the numbers that the book has given to new ones; the number stands first, as in read().
 */
export const numbered = (rows, key, numbers) =>
	rows.map((row, i) =>
		row[key] === undefined && numbers[i] !== undefined ? { [key]: numbers[i], ...row } : row,
	);

const SHOWN = 3; /* names in a sentence; the rest are counted */

/** The first few of these labels, each once, and how many more there are. */
export function fewOf(labels) {
	const all = [...new Set(labels)];
	return { shown: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) };
}
