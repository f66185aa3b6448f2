/*
 * facts.js - name, telephone and address of the house; the card with its code for the tables.
 */
import { put } from '../../api.js';
import { field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { el } from '../../ui.js';
import { inOther, languageSwitch, otherField } from './language.js';
import { section, text } from './section.js';
import { only } from './unsaved.js';

const FACTS = [
	{ name: 'name', max: LENGTHS.house, required: true },
	{ name: 'nameEn', max: LENGTHS.house, other: true },
	{ name: 'phone', max: LENGTHS.housePhone },
	{ name: 'address', max: LENGTHS.address },
	{ name: 'addressEn', max: LENGTHS.address, other: true },
];
const OTHERS = FACTS.filter(({ other }) => other).map(({ name }) => name);

export function facts({ desk, house, query }) {
	const nameOf = (name) => (OTHERS.includes(name) ? inOther(name, house) : t(name));
	const inputs = FACTS.map(({ name, max, required = false }) =>
		text(house[name], max, { name, required }),
	);
	const also = languageSwitch(
		house,
		OTHERS.some((name) => house[name]),
	);
	const fields = inputs.map((input) => {
		const node = field(null, nameOf(input.name), input);
		return OTHERS.includes(input.name) ? otherField(node) : node;
	});
	const card = section(desk, {
		title: t('facts'),
		children: [...fields, also.node],
		read: () => Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()])),
		nameOf,
		save: (values, names) => put('/api/desk/settings', only(names, values), { query }),
	});
	return also.attach(card);
}

/** The card for the tables, on a page of its own. */
export const card = ({ query }) =>
	el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('tableCard')),
		el('p', { class: 'hint' }, t('tableCardText')),
		el(
			'a',
			{
				class: 'button soft',
				href: `/desk/card.html?restaurant=${query.restaurantId}`,
				target: '_blank',
				rel: 'noopener',
			},
			t('print'),
		),
	);
