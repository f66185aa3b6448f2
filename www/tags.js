/*
 * tags.js - what a guest taps instead of writing it: allergies, diets, occasions, needs.
 *
 * The list of core/tags.h, which a test compares; their names are among the words of each page.
 */
import { t } from './i18n.js';
import { el } from './ui.js';

export const TAGS = {
	allergy: [
		'nuts',
		'peanuts',
		'shellfish',
		'fish',
		'milk',
		'egg',
		'gluten',
		'soy',
		'sesame',
		'other',
	],
	diet: ['vegetarian', 'vegan', 'halal'],
	occasion: ['birthday', 'anniversary', 'business'],
	need: ['wheelchair', 'high_chair', 'stroller'],
};

const nameOf = (tag) => t(`tag.${tag}`);
const large = (name) => name[0].toUpperCase() + name.slice(1);

export const hasAllergy = (tags = []) => tags.some((tag) => TAGS.allergy.includes(tag));

/* [what can harm the guest, everything else], as texts; '' where there is nothing. */
function sayings(tags = []) {
	const allergies = tags.filter((tag) => TAGS.allergy.includes(tag));
	const others = tags.filter((tag) => !TAGS.allergy.includes(tag));
	return [
		allergies.length ? `\u26a0\ufe0e ${t('allergyTo', allergies.map(nameOf).join(', '))}` : '',
		others.map((tag) => large(nameOf(tag))).join(' · '),
	];
}

/** "⚠ Allergy: nuts, milk · Birthday" */
export const tagText = (tags) => sayings(tags).filter(Boolean).join(' · ');

/** The same as a node, the allergies marked by a sign, a word and a colour; null without tags. */
export function tagLine(tags) {
	const [allergies, others] = sayings(tags);
	if (!allergies && !others) return null;
	return el(
		'span',
		{ class: 'tags' },
		allergies && el('strong', { class: 'allergy' }, allergies),
		others && el('span', {}, others),
	);
}

const chip = (tag, chosen, onchange) =>
	el(
		'label',
		{ class: 'chip' },
		el('input', { type: 'checkbox', value: tag, checked: chosen.includes(tag), onchange }),
		el('span', {}, large(nameOf(tag))),
	);

/** Taps, folded until they are asked for; what is chosen is said above them.  read(): the tags. */
export function tagPicker(chosen = [], changed = () => {}) {
	const summary = el('summary', {});
	const read = () => [...node.querySelectorAll('input:checked')].map((input) => input.value);
	const tell = (tags) => {
		summary.textContent = tagText(tags) || t('tagsAdd');
	};
	const onchange = () => {
		tell(read());
		changed(read());
	};
	const groups = Object.entries(TAGS).map(([kind, tags]) =>
		el(
			'fieldset',
			{},
			el('legend', {}, t(`tagKind.${kind}`)),
			el(
				'div',
				{ class: 'chips wrap' },
				tags.map((tag) => chip(tag, chosen, onchange)),
			),
		),
	);
	const node = el('details', { class: 'tag-picker' }, summary, ...groups);
	tell(chosen);
	return { node, read };
}
