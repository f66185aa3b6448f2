/*
 * forms.js - what both pages ask with: a labelled input, a form that sends itself, a form in a
 * dialog, a question with two answers.
 */
import { ask, hasCross } from './dialogs.js';
import { t } from './i18n.js';
import { lettersOf } from './lengths.js';
import { button, el } from './ui.js';

let ids = 0;
const freshId = (kind) => `${kind}-${++ids}`;

/* The buttons below a form or in a dialog, in this order; what is not there is left out. */
export const actions = (...buttons) => el('div', { class: 'actions' }, ...buttons);

const NEAR = 0.8; /* of what fits: from here on the letters are counted aloud */

/* Nothing that is typed or pasted is cut.  A text that is nearly full shows how long it is, and one
 * that is too long cannot be sent. */
function counter(input) {
	const node = el('span', { class: 'count', id: `${input.id}-count` });
	const most = Number(input.dataset.limit);
	const tell = () => {
		const n = lettersOf(input.value);
		node.textContent = n >= NEAR * most ? t('letters', n, most) : '';
		node.classList.toggle('wrong', n > most);
		input.setCustomValidity(n > most ? t('tooLong', n - most) : '');
	};
	input.addEventListener('input', tell);
	tell();
	return node;
}

/*
 * An input with its label.  id: the input's, or null where nothing else has to find it.
 * optional: says so behind the label; beside: a node at the other end of the label's line;
 * hint: a sentence below the input; wrong: true makes room for markWrong();
 * className: one more class of the whole.  An input with data-limit, the most letters that it
 * takes, has a counter.
 */
export function field(id, label, input, { optional, beside, hint, wrong, className = '' } = {}) {
	input.id = id ?? (input.id || freshId('field'));
	beside ??= input.dataset.limit ? counter(input) : undefined;
	const about = [
		wrong && el('p', { class: 'wrong', id: `${input.id}-wrong` }),
		hint && el('p', { class: 'hint', id: `${input.id}-hint` }, hint),
	].filter(Boolean);
	const describedBy = [...about, beside?.id && beside].filter(Boolean).map((node) => node.id);
	if (describedBy.length) input.setAttribute('aria-describedby', describedBy.join(' '));
	const name = el(
		'label',
		{ for: input.id },
		label,
		optional && el('span', { class: 'soft-text' }, ` (${t('optional')})`),
	);
	return el(
		'div',
		{ class: `field ${className}`.trim() },
		beside ? el('div', { class: 'above' }, name, beside) : name,
		input,
		...about,
	);
}

/* Says what is wrong with an input whose field has room for it; '' takes it back. */
export function markWrong(input, sentence) {
	document.getElementById(`${input.id}-wrong`).textContent = sentence;
	if (sentence) input.setAttribute('aria-invalid', 'true');
	else input.removeAttribute('aria-invalid');
}

/*
 * A form that sends itself.  content: what stands above its buttons; submit: the word on the first
 * of them, kind: its class; others: more buttons behind it; send(): does it; explain(error): the
 * sentence for a failure, which is then shown above the buttons, and without which send() must not
 * fail; wrong: the node for it, where something else writes there too; below: what stands between
 * it and the buttons; what is left are properties of the form.  It cannot be sent twice at once.
 */
export function form({
	content,
	submit,
	kind = 'primary',
	others = [],
	send,
	explain,
	wrong = el('p', { class: 'wrong', role: 'alert' }),
	below = [],
	...props
}) {
	let sending = false; /* a button that is disabled for it would lose the focus */
	async function onsubmit(event) {
		event.preventDefault();
		if (sending) return;
		wrong.textContent = '';
		sending = true;
		try {
			await send();
		} catch (error) {
			if (!explain) throw error;
			wrong.textContent = explain(error);
		} finally {
			sending = false;
		}
	}
	return el(
		'form',
		{ ...props, onsubmit },
		...content,
		explain && wrong,
		...below,
		actions(el('button', { type: 'submit', class: kind }, submit), ...others),
	);
}

/*
 * A form in a dialog, with a heading and a way out; className: of the dialog, the rest as form()
 * takes it.  Resolves to what send() gives, or to undefined where it is closed.
 */
export function askForm(title, { content, send, className, ...rest }) {
	const id = freshId('dialog');
	const fill = (close) =>
		form({
			content: [el('h2', { id }, title), ...content],
			others: hasCross() ? [] : [button(t('close'), () => close(), { class: 'plain' })],
			send: async () => close(await send()),
			...rest,
		});
	return ask(id, (close) => [fill(close)], { className });
}

/*
 * Asks yes or no in a dialog; resolves to true for yes.  text: a sentence, nodes, or nothing;
 * yes: the word on its button, kind: its class; no: the word on the other one.
 * careful: what cannot be taken back, so the way out comes first.
 */
export async function confirmDialog(
	title,
	text,
	yes,
	{ no = t('close'), kind = 'primary', careful = false } = {},
) {
	const id = freshId('dialog');
	const answer = await ask(id, (close) => {
		const agree = button(yes, () => close(true), { class: careful ? 'danger solid' : kind });
		const leave = button(no, () => close(false), { class: careful ? 'soft' : 'plain' });
		return [
			el('h2', { id }, title),
			...[text].flat().map((part) => (typeof part === 'string' ? el('p', {}, part) : part)),
			careful ? actions(leave, agree) : actions(agree, leave),
		].filter(Boolean);
	});
	return answer === true;
}
