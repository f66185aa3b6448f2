/*
 * ui.js - small tools for every screen: elements, what is said aloud, what this device keeps.
 */

export const $ = (id) => document.getElementById(id);

/* An element.  on...: a listener; aria-, data- and unknown names: attributes; the rest:
 * properties. */
export function el(tag, props = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(props)) {
		if (value === undefined || value === null) continue;
		if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
		else if (name === 'class') node.className = value;
		else if (name in node && name !== 'list') node[name] = value;
		else node.setAttribute(name, value);
	}
	node.append(
		...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
	);
	return node;
}

export const button = (label, onclick, more = {}) =>
	el('button', { type: 'button', onclick, ...more }, label);

/* Words for those who do not see where a thing stands: its visible words are part of its name, so
 * that what is heard and what is shown are the same. */
export const unseen = (text) => el('span', { class: 'unseen' }, text);

export const telLink = (phone) => `tel:${phone.replace(/[^0-9+]/g, '')}`;

/* Says a sentence to screen readers, politely or at once; the same sentence again is said again. */
export function announce(sentence, urgent = false) {
	const region = $(urgent ? 'alert' : 'status');
	region.textContent = '';
	setTimeout(() => {
		region.textContent = sentence;
	}, 60);
}

/* Moves focus to a heading that is no control. */
export function focusOn(node) {
	if (!node) return;
	node.tabIndex = -1;
	node.focus({ preventScroll: true });
}

/* As if its button were pressed, with the form's own checks; form.requestSubmit is too young. */
export const submit = (form) => form.querySelector('[type=submit]').click();

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/* Sleeps, but wakes when the page is looked at again or the network is back. */
export function nap(ms, signal) {
	return new Promise((resolve) => {
		const wake = () => {
			if (document.visibilityState === 'hidden') return;
			clearTimeout(timer);
			done();
		};
		const done = () => {
			document.removeEventListener('visibilitychange', wake);
			removeEventListener('online', wake);
			signal?.removeEventListener('abort', end);
			resolve();
		};
		const end = () => {
			clearTimeout(timer);
			done();
		};
		const timer = setTimeout(done, ms);
		document.addEventListener('visibilitychange', wake);
		addEventListener('online', wake);
		signal?.addEventListener('abort', end);
		if (signal?.aborted) end();
	});
}

export const between = (low, high) => low + Math.random() * (high - low);

/* Unguessable, also where crypto.randomUUID is missing because the page came over plain http. */
export const freshKey = () =>
	Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
		byte.toString(16).padStart(2, '0'),
	).join('');

/*
 * What this device keeps, as JSON under jari.*: lang, guest (name, phone, e-mail, login), job (a
 * booking under way), mine (reservations), draft (a half-filled form).  Storage may be forbidden:
 * then it lives as long as the page.
 */
const memory = new Map();

export function recall(name, fallback = null) {
	try {
		const text = localStorage.getItem(`jari.${name}`);
		if (text !== null) return JSON.parse(text);
	} catch {
		/* forbidden, or not ours */
	}
	return memory.get(name) ?? fallback;
}

export function keep(name, value) {
	if (value === null) memory.delete(name);
	else memory.set(name, value);
	try {
		if (value === null) localStorage.removeItem(`jari.${name}`);
		else localStorage.setItem(`jari.${name}`, JSON.stringify(value));
	} catch {
		/* the memory has it */
	}
}

/* Does what is kept outlive the page? */
export function keepsAnything() {
	try {
		localStorage.setItem('jari.try', '1');
		localStorage.removeItem('jari.try');
		return true;
	} catch {
		return false;
	}
}
