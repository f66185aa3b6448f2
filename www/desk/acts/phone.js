/*
 * phone.js - a booking by telephone: the number finds the guest, and a full time says which others
 * fit.
 */

import { post } from '../../api.js';
import { clockTime, minutesOf } from '../../dates.js';
import { ask } from '../../dialogs.js';
import { field, form } from '../../forms.js';
import { t } from '../../i18n.js';
import { tagPicker } from '../../tags.js';
import { button, el, submit } from '../../ui.js';
import { nextTime, sittingAt } from '../evening/state.js';
import {
	dayInput,
	nameInput,
	noteInput,
	partyInput,
	phoneInput,
	tablePicker,
	tick,
	timeInput,
} from './inputs.js';
import { couldOverbook, sentencesOf } from './reasons.js';
import { askReason, mayOverbook } from './refusal.js';
import { later, once, takeOut } from './send.js';

const DIGITS_MIN = 7; /* fewer are no telephone number yet */

function makeInputs(desk) {
	return {
		day: dayInput(desk, 'p-date'),
		time: timeInput('p-time', nextTime(desk.day, desk.clock())),
		party: partyInput('p-party'),
		phone: phoneInput(desk, 'p-phone'),
		name: nameInput('p-name', { required: true }),
		memo: noteInput('p-note'),
		tags: tagPicker(),
		deposit: el('input', { type: 'checkbox' }),
		tables: tablePicker(desk),
	};
}

const wishOf = ({ day, time, party, phone, name, memo, tags, deposit, tables, overbook }) => ({
	slotDate: day.value,
	slotTime: time.value,
	partySize: Number(party.value),
	guestName: name.value.trim(),
	waiveDeposit: deposit.checked ? 0 : 1,
	...(phone.value.trim() ? { phone: phone.value.trim() } : {}),
	...(memo.value.trim() ? { note: memo.value.trim() } : {}),
	...(tags.read().length ? { tags: tags.read() } : {}),
	...tables.wish(),
	...(overbook ? { overbook } : {}),
});

/* Who calls: a sentence about them, and their name in its field unless there is one. */
async function findGuest(desk, { phone, name }, known) {
	known.textContent = '';
	if (phone.value.replace(/\D/g, '').length < DIGITS_MIN) return;
	try {
		const guest = await post('/api/desk/person', { phone: phone.value }, { query: desk.query() });
		const facts = [
			t('knownGuest', guest.name, guest.visits, guest.noShows),
			guest.note,
			guest.blocked && t('blockedGuest'),
		];
		known.textContent = facts.filter(Boolean).join(' · ');
		name.value ||= guest.name;
	} catch (error) {
		known.textContent = error.status === 404 ? t('newGuest') : desk.sentence(error);
	}
}

/* Why not, and what fits: tap(input, value) takes it. */
function refusal(desk, error, inputs, fitting, take) {
	const { alternatives = [], freeTables = [] } = error.body ?? {};
	const why = sentencesOf(error.body ?? {}, desk.at).map((words) => t(...words));
	const tap = (label, change) => button(label, () => take(change), { class: 'soft small' });
	const beyond = couldOverbook(error.body ?? {}) && mayOverbook(desk);
	fitting.replaceChildren(
		...freeTables.map((free) =>
			tap(t('seatsAt', free.tableName, free.seats), () => inputs.tables.choose(free.tables)),
		),
		...alternatives.map(({ slotTime }) =>
			tap(clockTime(slotTime), () => {
				inputs.time.value = clockTime(slotTime);
			}),
		),
		...(beyond
			? [button(t('overbook'), () => overbook(inputs, take), { class: 'soft small' })]
			: []),
	);
	return [why.length ? why.join(' ') : desk.sentence(error), alternatives.length && t('fits', '')]
		.filter(Boolean)
		.join(' ');
}

async function overbook(inputs, take) {
	const reason = await askReason();
	if (reason)
		take(() => {
			inputs.overbook = reason;
		});
}

function drawFields(desk, inputs, known) {
	const { day, time, party, phone, name, memo, tags, deposit, tables } = inputs;
	return [
		el('h2', { id: 'phone-title' }, t('phoneBooking')),
		el(
			'div',
			{ class: 'grid-fields' },
			field(null, t('date'), day),
			field(null, t('time'), time),
			field(null, t('partySize'), party),
		),
		field(null, t('phone'), phone, { optional: true }),
		known,
		field(null, t('name'), name),
		tags.node,
		field(null, t('note'), memo, { optional: true }),
		tables.node,
		desk.day.house.depositPerPerson > 0 && tick(deposit, t('deposit')),
	];
}

/* What is due is paid by a link that the guest gets at once. */
const sendPayLink = (desk, r) =>
	later(
		desk,
		() => import('../pay/one.js'),
		(m) => m.linkAfter(desk, r, takeOut(desk, r)),
	);

/* Who has which table at the time that is typed. */
function markTables(desk, { day, time, tables }) {
	const mark = () => {
		if (!time.value) return;
		const minute = minutesOf(time.value);
		tables.mark({ date: day.value, minute, minutes: sittingAt(desk.day, minute) });
	};
	for (const input of [day, time]) input.addEventListener('change', mark);
	mark();
}

export async function phoneBooking(desk) {
	const inputs = makeInputs(desk);
	markTables(desk, inputs);
	const known = el('p', { class: 'hint', role: 'status' });
	const fitting = el('div', { class: 'actions fitting' });
	inputs.phone.addEventListener('change', () => findGuest(desk, inputs, known));
	const r = await ask(
		'phone-title',
		(close) => {
			const take = (change) => {
				change();
				submit(card);
			};
			const card = form({
				content: drawFields(desk, inputs, known),
				below: [fitting],
				submit: t('bookIt'),
				send: async () => {
					fitting.replaceChildren();
					close(await once(desk, '/api/desk/reservations', wishOf(inputs)));
				},
				explain: (error) => refusal(desk, error, inputs, fitting, take),
			});
			return [card];
		},
		{ className: 'wide' },
	);
	if (!r) return;
	desk.say(`${clockTime(r.slotTime)} ${r.guestName} · ${t('did.book')}`, takeOut(desk, r));
	if (r.status === 'TEMPORARY' && desk.day?.house.payments) sendPayLink(desk, r);
	if (r.slotDate === desk.day?.date) desk.learn(r);
	else desk.goTo(r.slotDate);
}
