/*
 * say.js - the words about payments, beside those of the page that shows them: they come only where
 * there is something to pay.
 */
import { lang } from '../i18n.js';

/** load(language): a module of words.  bring() must be kept before say(name, ...args) is called. */
export function makeSayings(load) {
	let words = {};
	return {
		async bring() {
			({ words } = await load(lang()));
		},
		say(name, ...args) {
			const text = name.split('.').reduce((from, part) => from?.[part], words);
			return typeof text === 'function' ? text(...args) : (text ?? name);
		},
	};
}

/** Those of guests. */
export const { bring: sayings, say: p } = makeSayings((code) => import(`./words/${code}.js`));
