/*
 * sw.js - the desk without the box: the files of the last load, for a reload while the box or the
 * Wi-Fi is down.
 *
 * What is there is asked from the box at every load, and only where no answer comes the kept file
 * stands in: so an update of jari is used at the next load, and no old file outlives it.  The kept
 * files are all of one load, taken together (keepFiles).  Answers of the API never come this way:
 * the last evening the page keeps itself.
 */
const PREFIX = 'desk-';
const PATIENCE_MS = 4000; /* a box that is switched off does not even say no */

let silentUntil = 0; /* so long one unanswered request speaks for the others of that load */

const isOurs = (url) => url.origin === self.location.origin && !url.pathname.startsWith('/api/');

/* The page by its path, whichever restaurant stands behind it. */
const keptOf = (request) => caches.match(request, { ignoreSearch: request.mode === 'navigate' });

function late(ms) {
	return new Promise((_resolve, reject) => {
		setTimeout(() => reject(new TypeError('no answer')), ms);
	});
}

async function fromBox(request) {
	const kept = await keptOf(request);
	if (!kept) return fetch(request);
	if (Date.now() < silentUntil) return kept;
	try {
		const answer = await Promise.race([fetch(request), late(PATIENCE_MS)]);
		silentUntil = 0;
		return answer;
	} catch {
		silentUntil = Date.now() + PATIENCE_MS;
		return kept;
	}
}

/* All of them or none: then those of before go. */
async function keepFiles(paths) {
	const name = `${PREFIX}${Date.now()}`;
	const fresh = await caches.open(name);
	try {
		await fresh.addAll(paths.map((path) => new Request(path, { cache: 'no-cache' })));
	} catch {
		await caches.delete(name);
		return;
	}
	const names = await caches.keys();
	const old = names.filter((other) => other.startsWith(PREFIX) && other !== name);
	await Promise.all(old.map((other) => caches.delete(other)));
}

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
	const { request } = event;
	if (request.method === 'GET' && isOurs(new URL(request.url))) event.respondWith(fromBox(request));
});
self.addEventListener('message', (event) => {
	if (Array.isArray(event.data?.keep)) event.waitUntil(keepFiles(event.data.keep));
});
