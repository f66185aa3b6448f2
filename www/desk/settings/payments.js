/*
 * payments.js - the owner's card for payments online: the provider, its keys, a payment on trial;
 * and the card that lists payments and refunds.
 */
import { get, put } from '../../api.js';
import { field } from '../../forms.js';
import { t } from '../../i18n.js';
import { LENGTHS } from '../../lengths.js';
import { el } from '../../ui.js';
import { tick } from '../acts/inputs.js';
import { beginsTest, FIELDS, keyTrouble, labelOf, SECRETS, takesCurrency } from '../pay/keys.js';
import { drawPaid } from '../pay/list.js';
import { p, sayings } from '../pay/say.js';
import { trialRow } from '../pay/trial.js';
import { amountInput, lines, number, section, select, text } from './section.js';

const KEY_MAX = 200;
const HOURS_MAX = 168;
const LINK_HOURS_MAX = 24;
const AMOUNT_MAX = 1000000000;
const NAMES = ['storeId', 'channelKey', 'clientKey', ...SECRETS];
const DETAILS = ['guaranteeAmount', 'guaranteeHours', 'guaranteeTerms'];

const hasOne = (set, name) => set[name === 'secret' ? 'hasSecret' : 'hasWebhookSecret'];

/* A secret is written and never read. */
const keyInput = (set, name) =>
	SECRETS.includes(name)
		? el('input', {
				type: 'password',
				maxLength: KEY_MAX,
				name,
				autocomplete: 'new-password',
				placeholder: hasOne(set, name) ? '••••••••' : '',
			})
		: text(set[name], KEY_MAX, { name, spellcheck: false });

const keyHint = (set, name) => {
	if (name === 'webhookSecret') return p('webhookAbout');
	return name === 'secret' ? p(hasOne(set, name) ? 'secretKept' : 'secretAbout') : undefined;
};

const checkbox = (checked, name) => el('input', { type: 'checkbox', checked, name });

function inputsOf(set, house) {
	const { currencyDigits: digits } = house;
	return {
		provider: select(Object.keys(FIELDS), set.provider, (word) => p(`providers.${word}`), {
			name: 'provider',
		}),
		test: checkbox(beginsTest(set), 'test'),
		keys: Object.fromEntries(NAMES.map((name) => [name, keyInput(set, name)])),
		phoneHoldHours: number(set.phoneHoldHours ?? 24, 1, LINK_HOURS_MAX, { name: 'phoneHoldHours' }),
		guarantee: checkbox(set.guarantee, 'guarantee'),
		guaranteeAmount: amountInput(set.guaranteeAmount ?? 0, AMOUNT_MAX, digits, {
			name: 'guaranteeAmount',
		}),
		guaranteeHours: number(set.guaranteeHours ?? 48, 1, HOURS_MAX, { name: 'guaranteeHours' }),
		guaranteeTerms: lines(set.guaranteeTerms, LENGTHS.paymentText, {
			name: 'guaranteeTerms',
			rows: 3,
		}),
	};
}

/* What stands in the fields; a secret that is left empty stays as it is. */
function valuesOf(inputs) {
	const { provider, test, keys, guarantee } = inputs;
	const typed = Object.fromEntries(
		NAMES.map((name) => [name, keys[name].value.trim()]).filter(
			([name, value]) => value || !SECRETS.includes(name),
		),
	);
	return {
		provider: provider.value,
		test: test.checked ? 1 : 0,
		...typed,
		phoneHoldHours: Number(inputs.phoneHoldHours.value),
		guarantee: guarantee.checked ? 1 : 0,
		guaranteeAmount: inputs.guaranteeAmount.amount(),
		guaranteeHours: Number(inputs.guaranteeHours.value),
		guaranteeTerms: inputs.guaranteeTerms.value.trim(),
	};
}

/* Only the fields of the chosen provider, each with what is wrong with it as it stands. */
function follower(inputs, nodes, house) {
	const { labels } = nodes;
	return () => {
		const { provider, test, keys, guarantee } = inputs;
		const chosen = provider.value;
		const online = chosen !== 'desk';
		nodes.about.textContent = p(`providerAbout.${chosen}`);
		nodes.currency.textContent = p('currencyNot', house.currency);
		nodes.currency.hidden = takesCurrency(chosen, house.currency);
		for (const name of NAMES) {
			const wrong = keyTrouble(chosen, name, keys[name].value, test.checked);
			const [word, other] = wrong ?? [];
			labels[name].textContent = p(labelOf(chosen, name));
			nodes.keys[name].hidden = !FIELDS[chosen].includes(name);
			nodes.wrong[name].textContent = word ? p(word, other && p(other)) : '';
		}
		nodes.online.hidden = !online;
		for (const name of DETAILS) nodes[name].hidden = !guarantee.checked;
		nodes.webhook.hidden = !FIELDS[chosen].includes('webhookSecret');
		nodes.address.value = `${location.origin}/api/payments/events/${chosen}`;
	};
}

function drawNodes(set, inputs) {
	const wrong = Object.fromEntries(
		NAMES.map((name) => [name, el('p', { class: 'wrong', role: 'alert' })]),
	);
	const labels = Object.fromEntries(NAMES.map((name) => [name, el('span', {}, p(name))]));
	const address = el('input', { readOnly: true, name: 'webhookUrl' });
	return {
		about: el('p', { class: 'hint' }),
		currency: el('p', { class: 'notice' }),
		wrong,
		labels,
		keys: Object.fromEntries(
			NAMES.map((name) => [
				name,
				el(
					'div',
					{},
					field(null, labels[name], inputs.keys[name], { hint: keyHint(set, name) }),
					wrong[name],
				),
			]),
		),
		address,
		webhook: field(null, p('webhookUrl'), address),
		online: null,
		phoneHoldHours: field(null, p('phoneHoldHours'), inputs.phoneHoldHours),
		...Object.fromEntries(DETAILS.map((name) => [name, field(null, p(name), inputs[name])])),
	};
}

const ticked = (input, name) =>
	el('div', {}, tick(input, p(name)), el('p', { class: 'hint' }, p(`${name}About`)));

function drawAll(set, inputs, nodes) {
	nodes.online = el(
		'div',
		{ class: 'online' },
		NAMES.map((name) => nodes.keys[name]),
		nodes.webhook,
		el('div', {}, tick(inputs.test, p('mode')), el('p', { class: 'hint' }, p('modeAbout'))),
		nodes.phoneHoldHours,
		ticked(inputs.guarantee, 'guarantee'),
		DETAILS.map((name) => nodes[name]),
	);
	return [
		set.cashier === false && set.provider !== 'desk' && el('p', { class: 'notice' }, p('tryAway')),
		field(null, p('provider'), inputs.provider),
		nodes.about,
		nodes.currency,
		nodes.online,
	].filter(Boolean);
}

/** Provider, keys, test mode, guarantee; below it the payment on trial. */
export async function payments({ desk, query, house, again }) {
	const [set] = await Promise.all([get('/api/desk/payments/settings', { query }), sayings()]);
	const inputs = inputsOf(set, house);
	const nodes = drawNodes(set, inputs);
	const children = drawAll(set, inputs, nodes);
	const follow = follower(inputs, nodes, house);
	const card = section(desk, {
		title: t('payments'),
		about: p('about'),
		children,
		read: () => valuesOf(inputs),
		nameOf: (name) => p(name === 'test' ? 'mode' : labelOf(inputs.provider.value, name)),
		save: async (values) => {
			await put('/api/desk/payments/settings', values, { query });
			setTimeout(again); /* what is secret is not shown again */
		},
	});
	for (const event of ['input', 'change']) card.addEventListener(event, follow);
	follow();
	if (set.provider !== 'desk') card.append(trialRow(desk, { set, house, query, card }));
	return card;
}

/** Payments and refunds: those that need somebody, and the newest. */
export async function paid({ desk, query, again }) {
	const [answer] = await Promise.all([get('/api/desk/payments', { query }), sayings()]);
	return drawPaid(desk, answer, again);
}
