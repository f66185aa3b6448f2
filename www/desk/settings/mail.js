/*
 * mail.js - how mail leaves the box, a test of it, and what became of the last messages.
 */
import { get, post, put } from '../../api.js';
import { actions, field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { announce, button, el, sleep } from '../../ui.js';
import { number, section, select, text } from './section.js';

const LOOKS = 40; /* this often we ask what became of a test */
const LOOK_MS = 500;
const HOST_MAX = 253;
const PORTS = { STARTTLS: 587, TLS: 465, NONE: 25 };

/* ---- the way out ---- */

function mailInputs(mail) {
	return {
		way: select(['OFF', 'SMTP', 'SENDMAIL'], mail.way, (word) => t(`way.${word}`)),
		host: text(mail.host, HOST_MAX, { name: 'host', placeholder: 'smtp.example.com' }),
		port: number(mail.port, 1, 65535, { name: 'port', required: false }),
		security: select(Object.keys(PORTS), mail.security, (word) => t(`security.${word}`)),
		login: text(mail.login, LENGTHS.mailLogin, { name: 'login' }),
		password: el('input', {
			type: 'password',
			maxLength: LENGTHS.mailPassword,
			autocomplete: 'new-password',
			placeholder: mail.hasPassword ? '••••••••' : '',
		}),
		sender: text(mail.sender, LENGTHS.email, { name: 'sender', type: 'email' }),
		site: text(mail.site || location.origin, LENGTHS.site, { name: 'site', type: 'url' }),
	};
}

/* What is left empty stays as it is. */
function mailWish({ way, host, port, security, login, password, sender, site }) {
	return {
		way: way.value,
		port: Number(port.value),
		security: security.value,
		login: login.value.trim(),
		sender: sender.value.trim(),
		site: site.value.trim(),
		...(host.value.trim() ? { host: host.value.trim() } : {}),
		...(password.value ? { password: password.value } : {}),
	};
}

/** How mail leaves the box, with a test of it. */
export async function mail({ desk, query }) {
	const inputs = mailInputs(await get('/api/desk/mail'));
	const { way, security, port } = inputs;
	const smtp = el(
		'div',
		{ class: 'smtp' },
		field(null, t('mailHost'), inputs.host),
		field(null, t('mailPort'), port, { className: 'narrow-field' }),
		field(null, t('mailSecurity'), security),
		field(null, t('mailLogin'), inputs.login),
		field(null, t('mailPassword'), inputs.password),
	);
	const show = () => {
		smtp.hidden = way.value !== 'SMTP';
		inputs.host.required = way.value === 'SMTP';
		inputs.sender.required = way.value !== 'OFF';
	};
	way.addEventListener('change', show);
	security.addEventListener('change', () => {
		port.value = PORTS[security.value];
	});
	show();
	const card = section(desk, {
		title: t('mail'),
		about: t('mailText'),
		children: [
			field(null, t('mailWay'), way),
			smtp,
			field(null, t('mailSender'), inputs.sender),
			field(null, t('mailSite'), inputs.site),
		],
		read: () => mailWish(inputs),
		nameOf: (name) => t(`mail${name[0].toUpperCase()}${name.slice(1)}`),
		save: (values) => put('/api/desk/mail', values),
	});
	card.append(testRow(desk, query));
	return card;
}

/* ---- a test ---- */

/* What the server said to a message once it was tried; null: it was not tried in time. */
async function answerTo(messageId, query) {
	for (let i = 0; i < LOOKS; i++) {
		await sleep(LOOK_MS);
		const { messages } = await get('/api/desk/messages', { query });
		const message = messages.find((m) => m.messageId === messageId);
		if (message?.attempts) return message;
	}
	return null;
}

async function sendTest(query) {
	const { messageId } = await post('/api/desk/mail/test', {}, { query });
	const message = await answerTo(messageId, query);
	if (!message) return { text: t('mailSilent') };
	const works = message.status === 'SENT';
	return { works, text: `${t(works ? 'mailWorks' : 'mailFails')} ${message.answer ?? ''}` };
}

/* Sends the owner a test and shows what the server said to it. */
function testRow(desk, query) {
	const said = el('p', { class: 'result', role: 'status' });
	async function test() {
		go.disabled = true;
		said.classList.remove('bad');
		said.textContent = t('mailTesting');
		const { works, text } = await sendTest(query).catch((error) => ({
			text: desk.sentence(error),
		}));
		said.textContent = text;
		said.classList.toggle('bad', !works);
		announce(said.textContent);
		go.disabled = false;
	}
	const go = button(t('mailTest'), test, { class: 'soft', id: 'mail-test', 'data-field': 'test' });
	return actions(go, said);
}

/* ---- the last messages ---- */

export async function sent({ desk, query }) {
	const [{ messageLines }, { messages }] = await Promise.all([
		import('../acts/history.js'),
		get('/api/desk/messages', { query }),
	]);
	const none = () => el('p', { class: 'empty' }, t('noMessages'));
	return el(
		'section',
		{ class: 'card', id: 'sent' },
		el('h2', {}, t('lastMessages')),
		messages.length ? messageLines(desk, messages) : none(),
	);
}
