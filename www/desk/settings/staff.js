/*
 * staff.js - who works at the desk, and how they get in.
 */
import { call, post, put } from '../../api.js';
import { actions, askForm, confirmDialog, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { announce, button, el, unseen } from '../../ui.js';
import { section, select, text } from './section.js';

/* How long a link can be opened: one who is here, one who comes tomorrow, one who is away. */
const MINUTES = ['60', '1440', '4320'];

const lasting = () =>
	select(MINUTES, MINUTES[0], (m) => t('settings.lasts')[m], { name: 'minutes' });

/* ---- a link ---- */

/* Over plain http there is no clipboard: then the link is marked, to be copied by hand. */
async function copy(input, said) {
	input.select();
	try {
		await navigator.clipboard.writeText(input.value);
		said.textContent = t('settings.copied');
	} catch {
		if (document.execCommand?.('copy')) said.textContent = t('settings.copied');
	}
	announce(said.textContent);
}

/* The link as a code for the camera of the person beside; the box draws it. */
async function drawCode(link) {
	const svg = await call('POST', '/api/desk/qr', { body: { text: link }, text: true });
	return el('img', {
		class: 'link-code',
		alt: t('settings.linkCode'),
		src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
	});
}

/* A link with which a person chooses a password, once. */
function linkBox(name, { email, password, minutes }) {
	const link = `${location.origin}/desk/#welcome=${encodeURIComponent(email)}/${password}`;
	const input = el('input', {
		class: 'link',
		readOnly: true,
		value: link,
		'aria-label': t('settings.linkOf', name),
		onfocus: () => input.select(),
	});
	const said = el('span', { class: 'soft-text', role: 'status' });
	const code = el('div', {});
	drawCode(link).then(
		(img) => code.replaceChildren(img),
		() => {} /* the link itself is there */,
	);
	return el(
		'div',
		{ class: 'link-box', role: 'status' },
		el('h3', {}, t('settings.linkOf', name)),
		el('p', {}, t('settings.linkText', t('settings.lasts')[String(minutes)] ?? '')),
		input,
		actions(
			button(t('settings.copy'), () => copy(input, said), { class: 'soft' }),
			said,
		),
		code,
	);
}

/* ---- the people ---- */

const ROLES = ['STAFF', 'MANAGER', 'OWNER'];
const roleSelect = (chosen) =>
	select(ROLES, chosen, (word) => t(`role.${word}`), { name: 'userType' });

/* Another name, another address to log in with, another role; one's own role stays. */
function askName(person, mine) {
	const name = text(person.name, LENGTHS.name, { required: true });
	const email = text(person.email, LENGTHS.email, { type: 'email', required: true });
	const role = roleSelect(person.userType);
	return askForm(`${person.name} · ${t('edit')}`, {
		content: [
			field(null, t('name'), name),
			field(null, t('loginEmail'), email),
			...(mine ? [] : [field(null, t('role.label'), role)]),
		],
		submit: t('save'),
		send: () => ({ name: name.value.trim(), email: email.value.trim(), userType: role.value }),
	});
}

/* A new link ends what they have; how long it lasts is asked with it. */
function askLink(person) {
	const lasts = lasting();
	return askForm(`${person.name} · ${t('newLink')}`, {
		content: [el('p', {}, t('newLinkEnds')), field(null, t('settings.lastsFor'), lasts)],
		submit: t('newLink'),
		kind: 'danger solid',
		send: () => ({ minutes: Number(lasts.value) }),
	});
}

/* One person and what the owner can do; shown: where a link or a refusal appears. */
function staffRow(desk, person, shown) {
	const path = `/api/desk/staff/${person.userId}`;
	const who = el('span', { class: 'spans' });
	const tell = (error) => shown.replaceChildren(el('p', { class: 'wrong' }, desk.sentence(error)));
	function draw() {
		const about = `${person.email} · ${t(`role.${person.userType}`)}`;
		who.replaceChildren(el('b', {}, person.name), el('span', { class: 'soft-text' }, about));
	}
	async function rename() {
		const changed = await askName(person, person.userId === desk.me.userId);
		if (!changed) return;
		await put(path, changed);
		Object.assign(person, changed);
		draw();
	}
	/* What ends a password or a login is asked first: one's own may be the one that ends. */
	const sure = (does, says) =>
		confirmDialog(`${person.name} · ${does}`, t(says), does, { careful: true });
	async function link() {
		const wish = await askLink(person);
		if (!wish) return;
		const made = await post(`${path}/link`, { email: person.email, ...wish });
		shown.replaceChildren(linkBox(person.name, made));
		shown.scrollIntoView({ block: 'nearest' });
	}
	async function logout() {
		if (!(await sure(t('logoutAll'), 'logoutEnds'))) return;
		await post(`${path}/logout`, {});
		desk.say(`${person.name} · ${t('saved')}`);
	}
	async function remove() {
		if (!(await sure(t('remove'), 'removeEnds'))) return;
		await post(`${path}/remove`, {});
		row.remove();
	}
	const tap = (label, act, kind = 'soft small', more = {}) =>
		button(label, () => act().catch(tell), { class: kind, ...more });
	const row = el(
		'div',
		{ class: 'edit-row' },
		who,
		tap(t('edit'), rename, 'soft small', { 'aria-label': `${t('edit')}: ${person.name}` }),
		tap(t('newLink'), link),
		tap(t('logoutAll'), logout),
		person.userId !== desk.me.userId && tap(t('remove'), remove, 'plain danger'),
	);
	draw();
	return row;
}

/* ---- what each role may do ---- */

/* Tasks by an address that stands for each; every staff member has the evening. */
const TASKS = {
	evening: null,
	numbers: 'GET /api/desk/reports',
	refunds: 'POST /api/desk/refunds',
	special: 'PUT /api/desk/special-days',
	menu: 'PUT /api/desk/menu',
	tables: 'PUT /api/desk/tables',
	openings: 'PUT /api/desk/openings',
	hours: 'PUT /api/desk/hours',
	settings: 'PUT /api/desk/settings',
	history: 'GET /api/desk/history',
	staff: 'POST /api/desk/staff',
	mail: 'PUT /api/desk/mail',
	box: 'GET /api/desk/box',
	erase: 'POST /api/desk/guests/{id}/erase',
};

/* The box says what each role may call: the table is not written down twice. */
function rolesTable(roles) {
	const mark = (may) =>
		el(
			'td',
			{ class: may ? 'may' : '' },
			el('span', { 'aria-hidden': 'true' }, may ? '✓' : '–'),
			unseen(t(may ? 'roles.yes' : 'roles.no')),
		);
	const row = ([task, address]) =>
		el(
			'tr',
			{},
			el('th', { scope: 'row' }, t(`roles.${task}`)),
			ROLES.map((role) => mark(!address || roles[role].includes(address))),
		);
	return el(
		'div',
		{ class: 'roles' },
		el('h3', {}, t('roles.title')),
		el('p', { class: 'hint' }, t('roles.about')),
		el(
			'table',
			{},
			el(
				'thead',
				{},
				el(
					'tr',
					{},
					el('th', { scope: 'col' }, t('roles.task')),
					ROLES.map((role) => el('th', { scope: 'col' }, t(`role.${role}`))),
				),
			),
			el('tbody', {}, Object.entries(TASKS).map(row)),
		),
	);
}

export function staff({ desk, data }) {
	const email = text('', LENGTHS.email, { type: 'email', required: true, name: 'email' });
	const name = text('', LENGTHS.name, { required: true });
	const role = roleSelect('STAFF');
	const lasts = lasting();
	const shown = el('div', {});
	const list = el(
		'div',
		{},
		data.staff.map((person) => staffRow(desk, person, shown)),
	);
	/* The new one is in the list at once, and the form is empty for the next. */
	async function save() {
		const wish = { email: email.value.trim(), name: name.value.trim(), userType: role.value };
		const made = await post('/api/desk/staff', { ...wish, minutes: Number(lasts.value) });
		const person = { ...wish, userId: made.userId };
		list.append(staffRow(desk, person, shown));
		shown.replaceChildren(linkBox(person.name, made));
		shown.scrollIntoView({ block: 'center' }); /* the button is a screen below it */
		for (const input of [name, email]) {
			input.value = '';
			input.dispatchEvent(new Event('input'));
		}
	}
	return section(desk, {
		title: t('staff'),
		label: t('addStaff'),
		children: [
			list,
			shown,
			rolesTable(data.roles),
			el('h3', {}, t('addStaff')),
			el(
				'div',
				{ class: 'rules' },
				field(null, t('name'), name),
				field(null, t('email'), email),
				field(null, t('role.label'), role),
				field(null, t('settings.lastsFor'), lasts),
			),
		],
		save,
	});
}
