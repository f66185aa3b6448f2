/*
 * staff.js - who works at the desk, and how they get in.
 */
import { post, put } from '../../api.js';
import { askForm, confirmDialog, field, form } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { button, el } from '../../ui.js';
import { section, select, text } from './section.js';

/* A link with which a person chooses a password, once. */
function linkBox({ email, password, minutes }) {
	const link = `${location.origin}/desk/#welcome=${encodeURIComponent(email)}/${password}`;
	return el(
		'div',
		{ class: 'link-box', role: 'status' },
		el('p', {}, t('linkText', minutes)),
		el('b', {}, link),
	);
}

/* Another name, or another address to log in with. */
function askName(person) {
	const name = text(person.name, LENGTHS.name, { required: true });
	const email = text(person.email, LENGTHS.email, { type: 'email', required: true });
	return askForm(`${person.name} · ${t('edit')}`, {
		content: [field(null, t('name'), name), field(null, t('loginEmail'), email)],
		submit: t('save'),
		send: () => ({ name: name.value.trim(), email: email.value.trim() }),
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
		const changed = await askName(person);
		if (!changed) return;
		await put(path, changed);
		Object.assign(person, changed);
		draw();
	}
	/* What ends a password or a login is asked first: one's own may be the one that ends. */
	const sure = (does, says) =>
		confirmDialog(`${person.name} · ${does}`, t(says), does, { careful: true });
	async function link() {
		if (!(await sure(t('newLink'), 'newLinkEnds'))) return;
		shown.replaceChildren(linkBox(await post(`${path}/link`, { email: person.email })));
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

export function staff({ desk, data }) {
	const email = text('', LENGTHS.email, { type: 'email', required: true, name: 'email' });
	const name = text('', LENGTHS.name, { required: true });
	const role = select(['STAFF', 'OWNER'], 'STAFF', (word) => t(`role.${word}`));
	const shown = el('div', {});
	const list = el(
		'div',
		{},
		data.staff.map((person) => staffRow(desk, person, shown)),
	);
	async function save() {
		const wish = { email: email.value.trim(), name: name.value.trim(), userType: role.value };
		shown.replaceChildren(linkBox(await post('/api/desk/staff', wish)));
	}
	return section(desk, {
		title: t('staff'),
		label: t('addStaff'),
		children: [
			list,
			shown,
			el('h3', {}, t('addStaff')),
			el(
				'div',
				{ class: 'edit-row' },
				field(null, t('name'), name),
				field(null, t('email'), email),
				field(null, t('role.label'), role),
			),
		],
		save,
	});
}
