/*
 * trial.js - what the window of a payment on trial tells the card of the settings beside it: the
 * box knows only what the company said, and not that its page never opened in this browser.
 */
const CHANNEL = 'jari-trial';

/* A browser that keeps nothing has no channel either: the card then waits, as it does anyway. */
function channel() {
	try {
		return new BroadcastChannel(CHANNEL);
	} catch {
		return null;
	}
}

/** word: 'going', 'notOpened', 'away' or 'stopped'. */
export function tellTrial(restaurantId, word) {
	const to = channel();
	to?.postMessage({ restaurantId, word });
	to?.close();
}

/** hear(word) until what this returns is called. */
export function hearTrial(restaurantId, hear) {
	const from = channel();
	from?.addEventListener('message', ({ data }) => {
		if (data?.restaurantId === restaurantId) hear(data.word);
	});
	return () => from?.close();
}
