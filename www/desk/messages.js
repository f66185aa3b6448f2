/*
 * messages.js - the owner's settings for messages: how mail leaves the box, what is sent when, a test of it, and what became
 * of the last ones; the box at a glance, and who is logged in.
 */
import { get, post, put } from '../api.js';
import { t } from '../i18n.js';
import { LENGTHS } from '../lengths.js';
import { announce, button, el } from '../ui.js';
import { ruleFields } from './rules.js';

const LOOKS = 40; /* so often we ask what became of a test */
const TEXTS = [
	['notifyEmail', LENGTHS.email, 'email'],
	['messageText', LENGTHS.messageText],
	['messageTextEn', LENGTHS.messageText],
];

const line = (desk, m) =>
	el(
		'li',
		{ class: `message ${m.status.toLowerCase()}` },
		el('b', {}, t(`event.${m.event}`)),
		` ${t(`channel.${m.channel}`)} · `,
		el(
			'span',
			{
				class: `badge ${m.status === 'SENT' ? 'confirmed' : m.status === 'FAILED' ? 'over' : 'temporary'}`,
			},
			t(`sent.${m.status}`),
		),
		el(
			'span',
			{ class: 'soft-text' },
			` ${desk.when(m.createdAt)}${m.guestName ? ` · ${m.guestName}` : ''}${m.answer ? ` · ${m.answer}` : ''}`,
		),
	);

/* The messages about one reservation, for its history. */
export const messageList = (desk, messages) =>
	messages?.length
		? [
				el('h3', {}, t('messages')),
				el(
					'ul',
					{ class: 'messages' },
					messages.map((m) => line(desk, m)),
				),
			]
		: [];

function mailForm(desk, mail, section, field, text) {
	const way = el(
		'select',
		{},
		['OFF', 'SMTP', 'SENDMAIL'].map((w) =>
			el('option', { value: w, selected: w === mail.way }, t(`way.${w}`)),
		),
	);
	const host = text(mail.host, 253, { name: 'host', placeholder: 'smtp.example.com' });
	const port = el('input', {
		type: 'number',
		min: '1',
		max: '65535',
		value: String(mail.port),
		name: 'port',
	});
	const security = el(
		'select',
		{},
		['STARTTLS', 'TLS', 'NONE'].map((s) =>
			el('option', { value: s, selected: s === mail.security }, t(`security.${s}`)),
		),
	);
	const login = text(mail.login, LENGTHS.mailLogin, { name: 'login', autocomplete: 'off' });
	const password = el('input', {
		type: 'password',
		maxLength: LENGTHS.mailPassword,
		autocomplete: 'new-password',
		placeholder: mail.hasPassword ? '••••••••' : '',
	});
	const sender = text(mail.sender, LENGTHS.email, { name: 'sender', type: 'email' });
	const site = text(mail.site || location.origin, LENGTHS.site, { name: 'site', type: 'url' });
	const smtp = el(
		'div',
		{ class: 'smtp' },
		field(t('mailHost'), host),
		field(t('mailPort'), port, 'narrow-field'),
		field(t('mailSecurity'), security),
		field(t('mailLogin'), login),
		field(t('mailPassword'), password),
	);
	const show = () => {
		smtp.hidden = way.value !== 'SMTP';
	};
	way.addEventListener('change', show);
	security.addEventListener('change', () => {
		port.value = { STARTTLS: 587, TLS: 465, NONE: 25 }[security.value];
	});
	show();
	return section(
		desk,
		t('mail'),
		t('mailText'),
		[field(t('mailWay'), way), smtp, field(t('mailSender'), sender), field(t('mailSite'), site)],
		() =>
			put('/api/desk/mail', {
				way: way.value,
				port: Number(port.value),
				security: security.value,
				login: login.value.trim(),
				sender: sender.value.trim(),
				site: site.value.trim(),
				...(host.value.trim() ? { host: host.value.trim() } : {}),
				...(password.value ? { password: password.value } : {}),
			}),
	);
}

/* Sends the owner a test and shows what the server said to it. */
function testRow(desk, query) {
	const said = el('p', { class: 'result', role: 'status' });
	const go = button(
		t('mailTest'),
		async () => {
			go.disabled = true;
			said.textContent = t('mailTesting');
			try {
				const { messageId } = await post('/api/desk/mail/test', {}, { query });
				for (let i = 0; i < LOOKS; i++) {
					await new Promise((resolve) => {
						setTimeout(resolve, 500);
					});
					const { messages } = await get('/api/desk/messages', { query });
					const m = messages.find((o) => o.messageId === messageId);
					if (m?.attempts) {
						said.textContent = `${t(m.status === 'SENT' ? 'mailWorks' : 'mailFails')} ${m.answer ?? ''}`;
						announce(said.textContent);
						break;
					}
					if (i === LOOKS - 1) said.textContent = t('mailSilent');
				}
			} catch (error) {
				said.textContent = desk.sentence(error);
			}
			go.disabled = false;
		},
		{ class: 'soft', id: 'mail-test' },
	);
	return el('div', { class: 'actions' }, go, said);
}

function rulesForm(desk, data, query, section, field, text) {
	const lines = (name, max) =>
		el('textarea', { value: data[name] ?? '', maxLength: max, rows: 3, name });
	const inputs = TEXTS.map(([name, max, type]) =>
		type ? text(data[name], max, { name, type }) : lines(name, max),
	);
	const rules = ruleFields('messages', data.settings, field);
	return section(
		desk,
		t('messages'),
		t('messagesText'),
		[...TEXTS.map(([name], i) => field(t(name), inputs[i])), rules.node],
		() =>
			put(
				'/api/desk/settings',
				{
					...Object.fromEntries(TEXTS.map(([name], i) => [name, inputs[i].value.trim()])),
					...rules.read(),
				},
				{ query },
			),
	);
}

const BACKUP_H = 26; /* one a day, and two hours for it: a backup that is older was missed */

function boxCard(desk, box) {
	const age = box.lastBackup
		? Math.floor((Date.parse(box.now) - Date.parse(box.lastBackup)) / 3600e3)
		: null;
	const facts = [
		[t('boxVersion'), box.version],
		[t('boxBackup'), age === null ? t('never') : t('hoursAgo', age)],
		[t('boxDisk'), `${Math.round((box.diskFreeMB ?? 0) / 102.4) / 10} GB`],
		[t('boxBook'), `${Math.round(box.bookBytes / 1e5) / 10} MB`],
		[t('mail'), t(`way.${box.mail}`)],
		[t('boxSms'), t(box.smsCommand ? 'choice.on' : 'choice.off')],
		[t('boxCourier'), t(box.courier ? 'choice.on' : 'boxNoCourier')],
	];
	const sessions = el(
		'ul',
		{ class: 'sessions' },
		box.sessions.map((s) => {
			const row = el(
				'li',
				{ class: 'line' },
				el(
					'span',
					{ class: 'spans' },
					el('b', {}, s.name),
					el('span', { class: 'soft-text' }, `${s.device} · ${desk.when(s.since)}`),
				),
				button(
					t('endSession'),
					() =>
						post(`/api/desk/sessions/${s.sessionId}/end`, {}).then(
							() => row.remove(),
							(error) => desk.say(desk.sentence(error)),
						),
					{ class: 'soft small', 'aria-label': `${t('endSession')}: ${s.name} ${s.device}` },
				),
			);
			return row;
		}),
	);
	return el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('box')),
		el(
			'dl',
			{ class: 'totals' },
			facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, String(value)))),
		),
		age === null || age > BACKUP_H ? el('p', { class: 'hint' }, t('boxBackupHow')) : null,
		el('h3', {}, t('sessions')),
		el('p', { class: 'hint' }, t('sessionsText')),
		sessions,
	);
}

/* Everything about messages and the box, appended to the page. */
export async function messageSections(page, desk, data, query, { section, field, text }) {
	const [mail, { messages }, box] = await Promise.all([
		get('/api/desk/mail').catch(() => null),
		get('/api/desk/messages', { query }),
		get('/api/desk/box'),
	]);
	if (mail) {
		const form = mailForm(desk, mail, section, field, text);
		form.append(testRow(desk, query));
		page.append(form);
	}
	page.append(
		rulesForm(desk, data, query, section, field, text),
		el(
			'details',
			{ class: 'card', id: 'sent' },
			el('summary', {}, t('lastMessages')),
			messages.length
				? el(
						'ul',
						{ class: 'messages' },
						messages.map((m) => line(desk, m)),
					)
				: el('p', { class: 'empty' }, t('noMessages')),
		),
		boxCard(desk, box),
	);
}
