/*
 * address.js - what an address asks for: pure questions.
 *
 * /?party=2&date=…&time=… is the form for that time, ?reservation=… one reservation of this
 * device, ?view=my all of them, ?wait=… a place on the waitlist; /r#TOKEN is one reservation by
 * its manage link.
 */
import { isDay, isTime } from '../dates.js';
import { takesParty } from './bookable.js';

/* Does it name a table that can be asked for?  What makes no sense in it is passed over. */
function namesTable(query, { policies }) {
	const party = Number(query.get('party'));
	return isTime(query.get('time')) && isDay(query.get('date')) && takesParty(party, policies);
}

const asksForMore = (query) => ['time', 'view', 'wait'].some((name) => query.get(name));

/* The screen that it asks for, and the number of what that is about.  house: null while it is not
 * known. */
export function screenAt(query, { managed, house }) {
	const id = Number(query.get('reservation'));
	const wait = Number(query.get('wait'));
	if (managed) return { screen: 'managed' };
	if (id) return { screen: 'reservation', id };
	if (!house) return { screen: asksForMore(query) ? 'nothing' : 'choose' };
	if (wait) return { screen: 'wait', id: wait };
	if (query.get('view') === 'my') return { screen: 'mine' };
	return { screen: namesTable(query, house) ? 'details' : 'choose' };
}

/* Is it behind the first screen?  Then the restaurant's name is small. */
export const isInner = (query, managed) =>
	managed || Boolean(Number(query.get('reservation'))) || asksForMore(query);

/* The address of a query, at the restaurant of the present one. */
export function addressOf(query, present) {
	const next = new URLSearchParams(query);
	if (present.get('restaurant')) next.set('restaurant', present.get('restaurant'));
	const text = next.toString();
	return text ? `/?${text}` : '/';
}
