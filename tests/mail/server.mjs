/*
 * server.mjs - an SMTP server of the tests: takes mail as servers do, and fails as servers do when told to.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../browser/house.mjs';

const require = createRequire(path.join(ROOT, 'build/browser/'));
const { SMTPServer } = require('smtp-server');
const { simpleParser } = require('mailparser');
const ICAL = require('ical.js').default ?? require('ical.js');

export const LOGIN = 'house@example.com';
export const SECRET = 'mail secret 1';

/*
 * A certificate for 127.0.0.1 and the authority that signed it, made for this run; for another name, or one that is over:
 * made for two days a week ago, because openssl 3.5 makes none for a time that has passed.
 */
export function makeCertificate({ name = 'IP:127.0.0.1', over = false } = {}) {
	const dir = mkdtempSync(path.join(tmpdir(), 'jari-cert-'));
	const run = (...args) => execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' });
	const runThen = (...args) => execFileSync('faketime', ['-f', '-7d', 'openssl', ...args], { cwd: dir, stdio: 'ignore' });
	run('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=jari test CA');
	run('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=127.0.0.1', '-addext', `subjectAltName=${name}`);
	const sign = over ? runThen : run;
	sign('x509', '-req', '-in', 'request.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'cert.pem',
		'-days', '2', '-copy_extensions', 'copyall');
	const read = (name) => readFileSync(path.join(dir, name));
	return { ca: path.join(dir, 'ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
}

/*
 * security: NONE, STARTTLS or TLS.  fail: what happens to the next mails, one word each: '451' '550' (at RCPT), '554' (at
 * the end of DATA), 'cut' (in the middle of DATA), 'hang'.
 */
export async function openServer({ security = 'NONE', auth = false, certificate = null } = {}) {
	const mails = [];
	const fail = [];
	const pace = { ms: 0 }; /* how long the server takes for each mail */
	const refuse = (code, text) => Object.assign(new Error(text), { responseCode: code });
	let connections = 0;
	const server = new SMTPServer({
		secure: security === 'TLS', key: certificate?.key, cert: certificate?.cert, authOptional: !auth, hideSTARTTLS: security !== 'STARTTLS', disabledCommands: security === 'NONE' ? ['STARTTLS', ...(auth ? [] : ['AUTH'])] : [],
		allowInsecureAuth: true, logger: false, closeTimeout: 100,
		onConnect(session, done) { connections++; done(); },
		onAuth({ username, password }, session, done) {
			if (username === LOGIN && password === SECRET) return done(null, { user: username });
			return done(refuse(535, '5.7.8 that is not the password'));
		},
		onRcptTo(address, session, done) {
			if (fail[0] === '451') { fail.shift(); return done(refuse(451, '4.7.1 greylisted, come back later')); }
			if (fail[0] === '550') { fail.shift(); return done(refuse(550, '5.1.1 nobody of that name')); }
			return done();
		},
		onData(stream, session, done) {
			const how = ['554', 'cut', 'hang'].includes(fail[0]) ? fail.shift() : '';
			const chunks = [];
			stream.on('data', (chunk) => {
				chunks.push(chunk);
				if (how === 'cut') for (const c of server.connections) c._socket.destroy();
			});
			stream.on('end', async () => {
				if (how === 'hang') return undefined; /* no answer, until the connection is cut */
				if (how === '554') return done(refuse(554, '5.6.0 we do not like it'));
				if (how === 'cut') return undefined;
				if (pace.ms) await new Promise((resolve) => { setTimeout(resolve, pace.ms); });
				const raw = Buffer.concat(chunks);
				const mail = await simpleParser(raw);
				const part = mail.attachments.find((a) => a.contentType === 'text/calendar');
				mails.push({ mail, raw: raw.toString(), from: session.envelope.mailFrom.address, to: session.envelope.rcptTo.map((r) => r.address), tls: session.secure, user: session.user, calendar: part ? parseCalendar(part.content.toString()) : null });
				return done(null, '2.0.0 queued as T1');
			});
		},
	});
	server.on('error', () => {}); /* connections that break are part of the test */
	const port = await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(server.server.address().port)); });
	return {
		port, mails, fail, pace,
		get connections() { return connections; },
		cutAll() { for (const c of server.connections) c._socket.destroy(); },
		close: () => new Promise((resolve) => { server.close(resolve); for (const c of server.connections) c._socket.destroy(); }),
	};
}

/*
 * A server that takes everything but says what it is told to say: to 'connect', to 'EHLO' (HELO too), 'MAIL', 'RCPT', 'DATA'
 * or 'content', the end of a mail.  greetingMs: so late it greets.  With QUIT: null it says no goodbye and hangs on.
 */
export async function openRude(says, greetingMs = 0) {
	const sockets = new Set();
	const server = createServer((socket) => {
		const answer = (step, good) => socket.write(`${says[step] ?? good}\r\n`);
		let content = false;
		let rest = '';
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => {});
		setTimeout(() => answer('connect', '220 rude.example'), greetingMs);
		socket.on('data', (chunk) => {
			const lines = (rest + chunk).split('\r\n');
			rest = lines.pop();
			for (const line of lines) {
				const word = line.slice(0, 4).toUpperCase();
				if (content && line !== '.') continue;
				if (content) { content = false; answer('content', '250 2.0.0 taken'); }
				else if (word === 'EHLO' || word === 'HELO') answer('EHLO', '250 rude.example');
				else if (word === 'DATA') { content = !says.DATA; answer('DATA', '354 go on'); }
				else if (word === 'QUIT' && says.QUIT === null) continue;
				else if (word === 'QUIT') socket.end('221 bye\r\n');
				else answer(word, '250 2.1.0 fine');
			}
		});
	});
	const port = await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(server.address().port)); });
	return { port, close: () => new Promise((resolve) => { server.close(resolve); for (const s of sockets) s.destroy(); }) };
}

/* What a calendar program reads out of it. */
function parseCalendar(text) {
	const root = new ICAL.Component(ICAL.parse(text));
	const event = root.getFirstSubcomponent('vevent');
	const value = (name) => event.getFirstPropertyValue(name)?.toString();
	return {
		method: root.getFirstPropertyValue('method'), uid: value('uid'), sequence: Number(value('sequence')), status: value('status'), start: value('dtstart'), end: value('dtend'),
		organizer: value('organizer'), attendee: value('attendee'), partstat: event.getFirstProperty('attendee')?.getParameter('partstat'), summary: value('summary'), url: value('url'),
	};
}
