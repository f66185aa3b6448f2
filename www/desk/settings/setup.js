/*
 * setup.js - the first day: a restaurant that is not open yet, or that comes from a backup.
 */
import { get, post, put } from '../../api.js';
import { dayAt } from '../../dates.js';
import { actions, field } from '../../forms.js';
import { shortDay, t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el, focusOn, sleep } from '../../ui.js';
import { amountOf } from '../owner.js';
import { weekEditor } from './hours.js';
import { guessCountry, loadPlaces, placeFields } from './place.js';
import { amountInput, number, ruleField, section, text } from './section.js';

/* ---- a backup ---- */

const PART = 15000; /* bytes of a backup in one request: the web server takes 16 kB */
const TRIES = 10;
const TRY_MS = 2000;

/* The file in parts, each once the one before has arrived: a bar shows how far it is. */
async function sendBackup(file, bar) {
	bar.hidden = false;
	for (let at = 0; at < file.size; ) {
		bar.value = at / file.size;
		const query = { at, of: file.size };
		const part = { query, bytes: file.slice(at, at + PART) };
		at = (await put('/api/desk/restore', undefined, part)).bytes;
	}
	bar.removeAttribute('value'); /* now the box is at work, and does not say how long */
	const report = await post('/api/desk/restore', { bytes: file.size });
	/* Within a second its processes notice, and begin again with the book that came back. */
	for (let i = 0; i < TRIES; i++) {
		await sleep(TRY_MS);
		if (await get('/healthz').catch(() => null)) break;
	}
	return report;
}

/* The box opens the book that came back; then its people log in as they always did. */
function showRestored(page, done, report) {
	const day = report.madeAt ? shortDay(dayAt(report.madeAt)) : '';
	page.replaceChildren(
		el('h1', { tabIndex: -1 }, t('restored')),
		el(
			'section',
			{ class: 'card' },
			el('p', {}, t('restoredText', day, report.reservations, report.upcoming)),
			el('p', {}, t(report.links ? 'restoredLinks' : 'restoredNoLinks')),
			actions(button(t('login'), done, { class: 'primary' })),
		),
	);
	focusOn(page.querySelector('h1'));
}

/* An owner who had jari before brings the book along. */
function restoreSection(desk, done) {
	const file = el('input', { type: 'file', required: true, name: 'backup' });
	const bar = el('progress', { 'aria-label': t('restoring'), hidden: true });
	async function save() {
		const page = card.parentElement;
		const open = [...page.querySelectorAll('button')];
		for (const b of open) b.disabled = true;
		try {
			const report = await sendBackup(file.files[0], bar);
			/* when the form has said that it is done */
			setTimeout(() => showRestored(page, done, report));
		} finally {
			for (const b of open) b.disabled = false;
			bar.hidden = true;
		}
	}
	const card = section(desk, {
		title: t('restore'),
		about: t('restoreText'),
		children: [field(null, t('restoreFile'), file), bar],
		save,
		label: t('restoreIt'),
		kind: 'soft',
	});
	return card;
}

/* ---- a new restaurant ---- */

const DAYS = [2, 3, 4, 5, 6, 7]; /* most houses rest on Monday */
const SLOT_MINUTES = 30;
const DEPOSIT_MAX = 1000000000; /* of the smallest unit */

/* name: of a house that the book has already, as `jari init --name` makes one. */
function setUpInputs(name) {
	const required = true;
	return {
		name: text(name, LENGTHS.house, { required, name: 'name' }),
		phone: text('', LENGTHS.housePhone, { type: 'tel', name: 'phone' }),
		seats: number(20, 1, 1000),
		sitting: number(90, 15, 720),
		yourName: text('', LENGTHS.name, { required, autocomplete: 'name', name: 'yourName' }),
		email: text('', LENGTHS.email, {
			required,
			type: 'email',
			autocomplete: 'email',
			name: 'email',
		}),
	};
}

/* The house as its owner described it; what was not asked for is as the box has it. */
function houseOf({ name, phone, seats, sitting, deposit, place }) {
	return {
		...place.read(),
		name: name.value.trim(),
		phone: phone.value.trim(),
		seats: Number(seats.value),
		reservationLimit: Number(seats.value),
		sittingMinutes: Number(sitting.value),
		slotMinutes: SLOT_MINUTES,
		depositPerPerson: deposit.amount(),
		depositLargePerPerson: deposit.amount(),
	};
}

async function openHouse(desk, inputs, hours) {
	const owner = { name: inputs.yourName.value.trim(), email: inputs.email.value.trim() };
	const house = { ...houseOf(inputs), notifyEmail: owner.email };
	await put(`/api/desk/staff/${desk.me.userId}`, owner);
	if (!desk.first) {
		desk.first = (await post('/api/desk/restaurants', { name: house.name })).restaurantId;
	}
	const query = desk.query();
	await put('/api/desk/settings', house, { query });
	await put('/api/desk/hours', { hours }, { query });
}

/* Of the browser's clock and language; all of it is shown before it is saved. */
function placeHere(places) {
	const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
	const code = guessCountry(places, zone);
	const usual = places.countries.find((c) => c.code === code);
	const korea = places.countries.find((c) => c.code === 'KR');
	return { ...(usual ?? korea), country: code, timezone: zone || korea.timezone };
}

/* Another country: another example of a number, and a deposit with other digits. */
function followPlace(inputs, slot) {
	const digits = inputs.place.digits();
	const typed = amountOf(inputs.deposit?.value ?? 0, digits);
	inputs.deposit = amountInput(typed, DEPOSIT_MAX, digits, { name: 'deposit' });
	slot.replaceChildren(ruleField('depositPerPerson', inputs.deposit));
	inputs.phone.placeholder = inputs.place.phone() && t('example', inputs.place.phone());
}

/* The one that is not open yet; null in an empty book. */
const houseThere = ({ first, restaurantId }) =>
	first ? get(`/api/restaurants/${restaurantId}`) : null;

/** Name, telephone, hours, seats, and guests can book; done() opens the desk. */
export async function setUp(root, desk, done) {
	const [places, house] = await Promise.all([loadPlaces(), houseThere(desk)]);
	const inputs = setUpInputs(house?.name ?? '');
	const deposit = el('div', {});
	const follow = () => followPlace(inputs, deposit);
	inputs.place = placeFields(places, placeHere(places), follow);
	follow();
	const opens = '17:00';
	const closes = '22:00';
	const week = weekEditor(DAYS.map((weekday) => ({ weekday, opens, closes })));
	const old = restoreSection(desk, done);
	async function save() {
		await openHouse(desk, inputs, week.read());
		desk.say(t('opened'));
		await done();
	}
	const card = section(desk, {
		title: t('facts'),
		about: t('setupText'),
		children: [
			inputs.place.node,
			field(null, t('name'), inputs.name),
			field(null, t('phone'), inputs.phone, { optional: true }),
			el('h3', {}, t('hours')),
			...week.nodes,
			el('h3', {}, t('groups.times.title')),
			el(
				'div',
				{ class: 'rules' },
				ruleField('seats', inputs.seats),
				ruleField('sittingMinutes', inputs.sitting),
				deposit,
			),
			el('h3', {}, t('you')),
			el(
				'div',
				{ class: 'rules' },
				field(null, t('name'), inputs.yourName),
				field(null, t('loginEmail'), inputs.email),
			),
		],
		save,
		label: t('open'),
	});
	const there = () => old.querySelector('input').focus();
	root.replaceChildren(
		el(
			'div',
			{ class: 'house-page' },
			el('h1', {}, t('setup')),
			button(t('restoreThere'), there, { class: 'plain' }),
			card,
			old,
		),
	);
	card.querySelector('select').focus();
	return { still: true };
}
