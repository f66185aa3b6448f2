/*
 * boxline.js - the box in one line below the evening: how old the last backup and the last copy
 * elsewhere are, and what hurts.
 */
import { get } from '../api.js';
import { el } from '../ui.js';

const EVERY_MS = 300000;
let timer = 0;

async function look(line) {
	try {
		const { level, text, worst } = await get('/api/desk/box/line');
		line.className = level;
		line.replaceChildren(...(worst ? [el('b', {}, worst), el('br')] : []), text);
	} catch {
		line.replaceChildren(); /* logged out, or the box is away: that is said elsewhere */
	}
}

/** Looks now and every five minutes, below this; the line says itself what to do. */
export function boxLine(below) {
	document.getElementById('box-line')?.remove();
	const line = el('footer', { id: 'box-line' });
	below.after(line);
	clearInterval(timer);
	timer = setInterval(look, EVERY_MS, line);
	return look(line);
}
