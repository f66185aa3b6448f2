/*
 * dialogs.js - the modal dialog of both pages.  forms.js has those that are a form, or yes or no.
 *
 * Escape and a tap beside it close it.  At the desk there is a cross in its corner as well, and who
 * has typed something is asked before it is lost.
 */
import { button, el, unseen } from './ui.js';

/* What was pressed last.  Safari gives the focus not to a button that is clicked but to what is
 * around it. */
let pressed = null;
document.addEventListener(
	'click',
	(event) => {
		pressed = event.target.closest('button, a, summary');
	},
	true,
);
function focused() {
	const active = document.activeElement;
	return active?.contains(pressed) ? pressed : active;
}

/* Calls leave() when the user taps beside the dialog.  Its padding is the dialog too, and a press
 * that began inside, to mark a text, is no wish to leave. */
function onTapBeside(dialog, leave) {
	const beside = ({ target, clientX: x, clientY: y }) => {
		const box = dialog.getBoundingClientRect();
		return target === dialog && (x < box.left || x > box.right || y < box.top || y > box.bottom);
	};
	let began = false;
	dialog.addEventListener('pointerdown', (event) => {
		began = beside(event);
	});
	dialog.addEventListener('click', (event) => {
		if (began && beside(event)) leave();
	});
}

/* ---- the desk's ---- */

let cross = null; /* its words, or null where dialogs have none */

/** Dialogs of this page have a cross; words(): { close, lost, stay, leave }. */
export function crossed(words) {
	cross = words;
}

/** Is there a cross, so that no other button closes it? */
export const hasCross = () => cross !== null;

/* All that can be typed or chosen in it, as one text; what is searched for is no loss. */
const typedIn = (dialog) =>
	[...dialog.querySelectorAll('input:not([type=search]), select, textarea')]
		.map((input) => (/checkbox|radio/.test(input.type) ? input.checked : input.value))
		.join('\n');

/* The question of a dialog in which something was typed.  asks(): it is asked; false: nothing was
 * typed, or it was asked before. */
function makeQuestion(dialog, leave) {
	const { lost, stay, leave: go } = cross();
	const stays = button(stay, () => fold(), { class: 'soft' });
	const goes = button(go, leave, { class: 'danger solid' });
	const node = el(
		'div',
		{ class: 'leaving', role: 'alert', hidden: true },
		el('p', {}, lost),
		el('div', { class: 'actions' }, stays, goes),
	);
	let before = typedIn(dialog);
	let at = null;
	function fold() {
		node.hidden = true;
		at?.focus();
	}
	return {
		node,
		/* What it was filled with is not typed. */
		begin() {
			before = typedIn(dialog);
		},
		asks() {
			if (!node.hidden || typedIn(dialog) === before) return false;
			at = document.activeElement;
			node.hidden = false;
			stays.focus();
			return true;
		},
	};
}

/* What stands in it: at the desk in a frame that scrolls below its cross. */
function framed(content, question, leave) {
	if (!question) return content;
	const sign = el('span', { 'aria-hidden': 'true' }, '\u00d7');
	const x = button([sign], leave, { class: 'round cross' });
	x.append(unseen(cross().close));
	return [el('div', { class: 'inside' }, ...content), question.node, x];
}

/* A modal dialog; content(close) gives its children, and the promise is what close was called
 * with. */
export function ask(labelledBy, content, { className = '' } = {}) {
	return new Promise((resolve) => {
		const before = focused();
		const dialog = el('dialog', { class: className, 'aria-labelledby': labelledBy });
		const close = (value) => {
			dialog.close();
			dialog.remove();
			if (before?.isConnected) before.focus({ preventScroll: true });
			resolve(value);
		};
		const question = cross && makeQuestion(dialog, () => close(undefined));
		const leave = () => question?.asks() || close(undefined);
		dialog.append(...framed(content(close, dialog), question, leave));
		dialog.addEventListener('cancel', (event) => {
			event.preventDefault();
			leave();
		});
		/* A browser may close it without asking. */
		dialog.addEventListener('close', () => dialog.isConnected && close(undefined));
		onTapBeside(dialog, leave);
		document.body.append(dialog);
		dialog.showModal();
		question?.begin();
	});
}
