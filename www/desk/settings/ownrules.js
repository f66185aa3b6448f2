/*
 * ownrules.js - the numbers of a service that differ from the house's.
 */
import { field } from '../../forms.js';
import { t } from '../../i18n.js';
import { el } from '../../ui.js';
import { amountOf, OWN_RULES, typedOf } from '../owner.js';
import { number } from './section.js';

/* A number that may be empty: then it is the house's, which stands there in grey. */
function ownInput({ name, value, min, max, money }, own, digits) {
	const shown = (n) => (money ? typedOf(n, digits) : String(n));
	const least = name.startsWith('sitting') ? Math.max(5, min) : min;
	const input = number(own === undefined ? '' : shown(own), shown(least), shown(max), {
		'data-field': name,
		required: false,
		placeholder: shown(value),
		...(money ? { step: shown(1) } : {}),
	});
	const read = () => (money ? amountOf(input.value, digits) : Number(input.value));
	return { input, read: () => (input.value === '' ? undefined : read()) };
}

/** settings: the house's rules, as the box has them; digits: of its currency. */
export function ruleInputs(service, { settings, digits }) {
	const inputs = OWN_RULES.map((name) => {
		const setting = settings.find((s) => s.name === name);
		return { name, ...ownInput(setting, service[name], digits) };
	});
	return {
		node: el(
			'div',
			{},
			el('p', { class: 'hint' }, t('ownRulesText')),
			el(
				'div',
				{ class: 'own-fields' },
				inputs.map(({ name, input }) => field(null, t(`rules.${name}.label`), input)),
			),
		),
		read: () => Object.fromEntries(inputs.map(({ name, read }) => [name, read()])),
	};
}
