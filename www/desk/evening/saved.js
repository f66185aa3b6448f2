/*
 * saved.js - the evening as a file that this device keeps: the run sheet on one page that needs
 * neither the box nor jari.  It is for a network without https, where no browser keeps the desk
 * itself.
 */
import { lang, longDay, t } from '../../i18n.js';
import { el, telLink } from '../../ui.js';
import { drawSheet, keepSheet, LOOK } from './sheet.js';

const KEPT_MS = 60000; /* a download has begun by then */

/* What the file may do: look like something, and nothing else. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/* The style sheet as this page has it: the box may be down. */
function styleOf(href) {
	const sheet = [...document.styleSheets].find((s) => s.href && new URL(s.href).pathname === href);
	return [...(sheet?.cssRules ?? [])].map((rule) => rule.cssText).join('\n');
}

/* On a screen a number is called and a box is ticked, which needs no script. */
function makeTouchable(sheet) {
	for (const phone of sheet.querySelectorAll('.phone')) {
		const number = phone.textContent;
		phone.replaceChildren(el('a', { href: telLink(number) }, number));
	}
	for (const cell of sheet.querySelectorAll('.tick-box')) {
		const name = cell.parentElement.querySelector('b')?.textContent;
		const box = el('input', { type: 'checkbox', 'aria-label': name ?? t('name') });
		box.toggleAttribute('checked', cell.classList.contains('done'));
		cell.replaceChildren(box);
	}
	return sheet;
}

/** All of the file. */
export function fileOf(desk) {
	const title = `${desk.houseName} · ${longDay(desk.day.date)}`;
	const doc = document.implementation.createHTMLDocument(title);
	doc.documentElement.lang = lang();
	doc.head.prepend(
		el('meta', { charset: 'utf-8' }),
		el('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
		el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
	);
	doc.body.className = 'with-sheet saved';
	doc.body.append(el('main', {}, makeTouchable(drawSheet(desk, 'savedAt'))));
	/* As text: the policy of this page, which the document has too, lets no style element be. */
	const look = `<style>${styleOf(LOOK)}</style></head>`;
	const html = doc.documentElement.outerHTML.replace('</head>', () => look);
	return `<!doctype html>\n${html}`;
}

export async function saveEvening(desk) {
	await keepSheet(desk);
	const file = new Blob([fileOf(desk)], { type: 'text/html' });
	const href = URL.createObjectURL(file);
	el('a', { href, download: `jari-${desk.day.date}.html` }).click();
	setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
	desk.say(t('didSave'));
}
