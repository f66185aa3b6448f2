/*
 * list.js - a history on the screen: what was done on each day, the newest first.
 */
import { get } from '../../api.js';
import { dayAt } from '../../dates.js';
import { actions } from '../../forms.js';
import { lang, longDay, money, shortDay, t } from '../../i18n.js';
import { button, el } from '../../ui.js';
import { byDay, tellHouse, tellReservation, whoOf } from './sentences.js';

/* Germany, for DE. */
const country = (code) =>
	Intl.DisplayNames ? new Intl.DisplayNames(lang(), { type: 'region' }).of(code) : code;

const sayOf = (desk) => ({ t, money, day: shortDay, moment: desk.moment, country });

const items = (lines) => lines.map((line) => el('li', {}, line));

/* Acts of one day below its name; draw(act): null where there is nothing to tell. */
function drawDays(desk, acts, draw) {
	const told = acts.map((act) => ({ at: act.at, node: draw(act) })).filter(({ node }) => node);
	return byDay(told, (at) => dayAt(at, desk.zone)).map(({ day, acts: rows }) =>
		el(
			'section',
			{ class: 'history-day' },
			el('h3', {}, longDay(day)),
			el(
				'ol',
				{ class: 'history' },
				rows.map(({ node }) => node),
			),
		),
	);
}

function drawHouseAct(desk, act) {
	const say = sayOf(desk);
	const { title, lines } = tellHouse(act, say);
	if (!lines.length) return null;
	return el(
		'li',
		{},
		el(
			'p',
			{},
			el('b', {}, desk.at(act.at)),
			` ${whoOf(act.by, say)} · `,
			el('span', { class: 'soft-text' }, title),
		),
		el('ul', {}, items(lines)),
	);
}

/** Who changed what of the house when; older acts come with a tap. */
export async function houseHistory(desk, query) {
	const days = el('div', {});
	const more = actions(button(t('hist.earlier'), () => load(), { class: 'soft' }));
	const acts = [];
	let before;
	async function load() {
		const answer = await get('/api/desk/history', { query: before ? { ...query, before } : query });
		acts.push(...answer.history);
		before = answer.before;
		days.replaceChildren(...drawDays(desk, acts, (act) => drawHouseAct(desk, act)));
		more.hidden = !before;
	}
	await load();
	if (!days.firstChild) days.append(el('p', { class: 'hint' }, t('hist.none')));
	return [days, more];
}

/** What was done with a reservation. */
export function reservationHistory(desk, acts) {
	const coin = desk.day?.house ?? {};
	const draw = (act) => {
		const lines = tellReservation(act, sayOf(desk), coin);
		return lines.length
			? el('li', {}, el('b', {}, desk.at(act.at)), ' ', el('span', {}, lines.join(' ')))
			: null;
	};
	return drawDays(desk, acts, draw);
}
