/*
 * say.js - the words about payments, beside those of the page that shows them: they come only where
 * there is something to pay.
 */
import { lang } from '../i18n.js';

let words = {};

/** Brings them in the visitor's language; kept before p() is called. */
export async function sayings() {
	({ words } = await import(`./words/${lang()}.js`));
}

/** A text by its name, with its arguments put in. */
export function p(name, ...args) {
	const text = words[name];
	return typeof text === 'function' ? text(...args) : (text ?? name);
}
