/*
 * messages.js - what guests and the owner are told, and when.
 */
import { put } from '../../api.js';
import { field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { inOther, languageSwitch, otherField } from './language.js';
import { messagePreview } from './preview.js';
import { lines, ruleFields, ruleName, section, text } from './section.js';
import { only } from './unsaved.js';

const OTHER = 'messageTextEn';

function inputsOf(data) {
	const words = (name) => lines(data[name], LENGTHS.messageText, { name, rows: 3 });
	return {
		notifyEmail: text(data.notifyEmail, LENGTHS.email, { name: 'notifyEmail', type: 'email' }),
		messageText: words('messageText'),
		[OTHER]: words(OTHER),
	};
}

export function messages({ desk, data, house, query }) {
	const inputs = inputsOf(data);
	const nameOf = (name) => (name === OTHER ? inOther(name, house) : ruleName(name));
	const rules = ruleFields('messages', data.settings);
	const own = () =>
		Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()]));
	const also = languageSwitch(house, Boolean(data[OTHER]));
	const preview = messagePreview({ house }, own);
	const fields = Object.entries(inputs).map(([name, input]) => {
		const node = field(null, nameOf(name), input);
		return name === OTHER ? otherField(node) : node;
	});
	const card = section(desk, {
		title: t('messages'),
		about: t('messagesText'),
		children: [...fields, also.node, preview.node, rules.node],
		read: () => ({ ...own(), ...rules.read() }),
		nameOf,
		save: (values, names) => put('/api/desk/settings', only(names, values), { query }),
	});
	card.addEventListener('input', preview.draw);
	return also.attach(card);
}
