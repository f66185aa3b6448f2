/*
 * offline.js - keeps the desk's own files on this device, where the browser lets it: in a secure
 * context (https, or the box itself).  Over plain http on the local network there is no such way.
 */
import { sleep } from '../ui.js';

const SETTLED_MS = 3000; /* what a load needs has come by then */

const worker = () => (window.isSecureContext ? navigator.serviceWorker : undefined);

/* What this page was made of. */
function filesOfThisLoad() {
	const urls = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
	const own = urls.filter(
		(url) => url.origin === location.origin && !url.pathname.startsWith('/api/'),
	);
	return [...new Set(['/desk/', ...own.map((url) => url.pathname)])];
}

/** From now on this device can show the desk without the box. */
export async function keepDesk() {
	if (!worker()) return;
	try {
		await worker().register('/desk/sw.js', { scope: '/desk/', updateViaCache: 'none' });
		await sleep(SETTLED_MS);
		const { active } = await worker().ready; /* by now the new one, where jari was updated */
		active.postMessage({ keep: filesOfThisLoad() });
	} catch {
		/* a private window, or a browser that was told to keep nothing */
	}
}

/** Nothing of the desk stays on this device. */
export async function forgetDesk() {
	if (!worker()) return;
	const all = await worker()
		.getRegistrations()
		.catch(() => []);
	const ours = all.filter(({ scope }) => new URL(scope).pathname === '/desk/');
	await Promise.all(ours.map((registration) => registration.unregister()));
	const names = await caches.keys();
	await Promise.all(names.filter((n) => n.startsWith('desk-')).map((n) => caches.delete(n)));
}
