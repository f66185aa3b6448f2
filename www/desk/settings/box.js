/*
 * box.js - the box: its version, its last backup, its disk, and who is logged in on it.
 */
import { ApiError, get, post } from '../../api.js';
import { field, form } from '../../forms.js';
import { t } from '../../i18n.js';
import { button, el } from '../../ui.js';

const hoursSince = (iso, now) => Math.floor((Date.parse(now) - Date.parse(iso)) / 3600e3);

function sessionRow(desk, session) {
	async function end() {
		try {
			await post(`/api/desk/sessions/${session.sessionId}/end`, {});
			row.remove();
		} catch (error) {
			desk.say(desk.sentence(error));
		}
	}
	const row = el(
		'li',
		{ class: 'edit-row' },
		el(
			'span',
			{ class: 'spans' },
			el('b', {}, session.name),
			el('span', { class: 'soft-text' }, `${session.device} · ${desk.when(session.since)}`),
		),
		button(t('endSession'), end, {
			class: 'soft small',
			'aria-label': `${t('endSession')}: ${session.name} ${session.device}`,
		}),
	);
	return row;
}

const fact = ([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, String(value)));

/* What there is to do stands first, and what is well behind a line that opens. */
const check = ({ level, text }) =>
	el('li', { class: `check ${level}` }, el('b', {}, t(`check.${level}`)), ` ${text}`);

function checks(all) {
	const todo = all.filter(({ level }) => level !== 'well');
	todo.sort((a, b) => (b.level === 'bad') - (a.level === 'bad'));
	const well = all.filter(({ level }) => level === 'well');
	return [
		todo.length > 0 && el('ul', { class: 'checks' }, todo.map(check)),
		el(
			'details',
			{ open: todo.length === 0 },
			el('summary', {}, t('checksWell', well.length)),
			el('ul', { class: 'checks' }, well.map(check)),
		),
	];
}

/* The file of a backup.  It is no JSON and may be large, so it does not come by api.js. */
async function fetchBackup(password) {
	const answer = await fetch('/api/desk/backup', {
		method: 'POST',
		headers: {
			'Content-Type': 'application/json',
			'Accept-Language': document.documentElement.lang,
			'Jari-Page': '1' /* a refusal is no fault for the browser's console */,
		},
		body: JSON.stringify({ password }),
	});
	const status = Number(answer.headers.get('Jari-Status')) || answer.status;
	if (status < 400) return answer.blob();
	const { code, message } = await answer.json().catch(() => ({}));
	throw new ApiError(code ?? 'INTERNAL', status, message ?? '');
}

function saveAs(blob, name) {
	const link = el('a', { href: URL.createObjectURL(blob), download: name });
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const downloadForm = (desk) => {
	const card = form({
		class: 'backup',
		content: [
			field(
				'b-password',
				t('password'),
				el('input', {
					name: 'password',
					type: 'password',
					required: true,
					autocomplete: 'current-password',
				}),
			),
		],
		submit: t('backupGet'),
		async send() {
			const blob = await fetchBackup(new FormData(card).get('password'));
			saveAs(blob, `jari-${desk.clock().today}.db`);
			card.reset();
			desk.say(t('backupSaved'));
		},
		explain: desk.sentence,
	});
	return el(
		'details',
		{},
		el('summary', {}, t('backupDownload')),
		el('p', { class: 'hint' }, t('backupText')),
		card,
	);
};

export async function box({ desk }) {
	const now = await get('/api/desk/box');
	const age = now.lastBackup ? hoursSince(now.lastBackup, now.now) : null;
	const facts = [
		[t('boxVersion'), now.version],
		[t('boxBackup'), age === null ? t('never') : t('hoursAgo', age)],
		[t('boxDisk'), `${Math.round((now.diskFreeMB ?? 0) / 102.4) / 10} GB`],
		[t('boxBook'), `${Math.round(now.bookBytes / 1e5) / 10} MB`],
		[t('mail'), t(`way.${now.mail}`)],
		[t('boxSms'), t(now.smsCommand ? 'choice.on' : 'choice.off')],
		[t('boxCourier'), t(now.courier ? 'choice.on' : 'boxNoCourier')],
	];
	return el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('box')),
		el('dl', { class: 'totals' }, facts.map(fact)),
		...checks(now.checks),
		el('p', { class: 'hint' }, t('boxBackupHow')),
		desk.may('POST /api/desk/backup') && downloadForm(desk),
		el('h3', { 'data-field': 'sessions' }, t('sessions')),
		el('p', { class: 'hint' }, t('sessionsText')),
		el(
			'ul',
			{ class: 'sessions' },
			now.sessions.map((session) => sessionRow(desk, session)),
		),
	);
}
