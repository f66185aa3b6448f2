/*
 * dialogs.js - the modal dialog of both pages.  forms.js has those that are a form, or yes or no.
 */
import { el } from './ui.js';

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
		dialog.append(...content(close, dialog));
		dialog.addEventListener('cancel', (event) => {
			event.preventDefault();
			close(undefined);
		});
		/* A browser may close it without asking. */
		dialog.addEventListener('close', () => dialog.isConnected && close(undefined));
		onTapBeside(dialog, () => close(undefined));
		document.body.append(dialog);
		dialog.showModal();
	});
}
