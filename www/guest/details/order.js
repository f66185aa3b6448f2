/*
 * order.js - what the second screen asks for, as it is sent: pure questions about a half-filled
 * form.
 *
 * draft: { name, phone, email, request, tags, type, items, asked }, where type is 'deposit' or
 * 'preorder', items has a number of portions by dish, and asked is the deposit that the box has
 * named for a slot: { slotDate, slotTime, partySize, amount }.
 */
import { LENGTHS, lettersOf } from '../../lengths.js';

const DISHES_MAX = 100;

/* A form as it is begun, with what this device knows of its guest and of an earlier try. */
export const beginDraft = (guest, kept) => ({
	name: guest?.name ?? '',
	phone: guest?.phone ?? '',
	email: guest?.email ?? '',
	request: '',
	tags: [],
	type: 'deposit',
	items: {},
	...kept,
});

/* The portions of a dish after one more or one fewer. */
export const portions = (draft, menuId, by = 0) =>
	Math.max(0, Math.min(DISHES_MAX, (draft.items[menuId] ?? 0) + by));

/* The dishes that can be ordered. */
export const onOffer = (menu) => (menu ?? []).filter((dish) => !dish.soldOut);

/* The portions of dishes that can be ordered: one may have gone since they were chosen. */
export const itemsOnOffer = ({ items }, menu) =>
	Object.fromEntries(
		onOffer(menu)
			.filter(({ menuId }) => items[menuId])
			.map(({ menuId }) => [menuId, items[menuId]]),
	);

/* What the dishes come to. */
export const dishesOf = (draft, menu) =>
	onOffer(menu).reduce((sum, dish) => sum + dish.price * portions(draft, dish.menuId), 0);

/* What is paid ahead: the deposit, or the dishes; and what those do not come to of the deposit, or
 * of what a card that is left would be good for, is a deposit beside them. */
export function totalOf(draft, menu, deposit, guarantee = 0) {
	if (draft.type === 'deposit') return deposit;
	return Math.max(dishesOf(draft, menu), deposit, guarantee);
}

/* What a card that is left in the place of a deposit may be charged at most; 0: none is asked
 * for. */
export function guaranteeOf({ payments, policies }, party) {
	const asked = policies.depositFrom > 0 && party >= policies.depositFrom;
	return asked ? (payments?.guarantee ?? 0) * party : 0;
}

/* Is anything paid at all? */
export const isDue = (draft, total) => total > 0 || draft.type === 'preorder';

/* The deposit that the box has named for this slot, or undefined. */
export function askedOf({ asked }, slot) {
	const same = asked && Object.keys(slot).every((key) => asked[key] === slot[key]);
	return same ? asked.amount : undefined;
}

/* What is too long of it: [field, name of a text, letters too many]. */
const overfull = (draft) =>
	['name', 'email', 'request']
		.map((name) => [name, 'tooLong', lettersOf(draft[name]) - LENGTHS[name]])
		.filter(([, , over]) => over > 0);

/* What is wrong with it: [field, name of a text, what it says] each. */
export function faultsOf(draft) {
	const email = draft.email.trim();
	const phone = draft.phone.replace(/[\s.()/-]/g, '');
	return [
		!draft.name.trim() && ['name', 'badName'],
		!/^\+?\d{7,15}$/.test(phone) && ['phone', 'badPhone'],
		email && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email) && ['email', 'badEmail'],
		...overfull(draft),
	].filter(Boolean);
}

/* The body of POST /api/reservations.  slot: { restaurantId, slotDate, slotTime, partySize }. */
export function requestOf(draft, slot, totalAmount) {
	const preorder = draft.type === 'preorder';
	const request = draft.request.trim();
	const menuItems = Object.entries(draft.items)
		.filter(([, quantity]) => quantity > 0)
		.map(([menuId, quantity]) => ({ menuId: Number(menuId), quantity }));
	return {
		...slot,
		totalAmount,
		reservationType: preorder ? 'PREORDER_PREPAY' : 'RESERVATION_DEPOSIT',
		...(request ? { requestMessage: request } : {}),
		...(draft.tags.length ? { tags: draft.tags } : {}),
		...(preorder ? { menuItems } : {}),
	};
}

/* The same reservation once more, as it was. */
export const repeatOf = (r) => ({
	restaurantId: r.restaurantId,
	slotDate: r.slotDate,
	slotTime: r.slotTime,
	partySize: r.partySize,
	reservationType: r.reservationType,
	totalAmount: r.totalAmount,
	...(r.requestMessage ? { requestMessage: r.requestMessage } : {}),
	...(r.tags?.length ? { tags: r.tags } : {}),
	...(r.menuItems?.length
		? { menuItems: r.menuItems.map(({ menuId, quantity }) => ({ menuId, quantity })) }
		: {}),
});

/* Who books: name and telephone, and the e-mail address where there is one. */
export const contactOf = ({ name, phone, email }) => ({
	name: name.trim(),
	phone: phone.trim(),
	...(email?.trim() ? { email: email.trim() } : {}),
});
