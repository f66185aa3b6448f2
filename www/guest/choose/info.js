/*
 * info.js - what a restaurant says of itself: its hours, its menu, where it is and how to call it.
 */
import { weekdayOf } from '../../dates.js';
import { money, own, shortDay, t, weekdayName } from '../../i18n.js';
import { el, telLink } from '../../ui.js';
import {
	hasHours,
	noteOf,
	shutWord,
	spansOf,
	spanText,
	specialSoon,
	weekFrom,
} from '../bookable.js';

const SPECIAL_MAX = 5;

/* Where it is, on the map that people there use. */
export function mapLink(house) {
	const korean = house.timezone === 'Asia/Seoul';
	const text = own(house.address, house.addressEn);
	const find = korean
		? 'https://map.naver.com/p/search/'
		: 'https://www.openstreetmap.org/search?query=';
	return { href: find + encodeURIComponent(korean ? house.address : text), text };
}

/* Why nothing at all can be booked here just now, or null. */
export function whyShut(house) {
	const word = shutWord(house);
	if (!word) return null;
	return house.phone ? `${t(word)} ${t('pleaseCall')}` : t(word);
}

/** The page that stands in the place of the questions then. */
export const drawShut = (house) => [
	el('div', { class: 'seal', 'aria-hidden': 'true' }),
	el('h2', {}, t(`${shutWord(house)}Title`)),
	el('p', {}, whyShut(house)),
	callButton(house),
];

export const callButton = (house, kind = 'soft') =>
	house?.phone
		? el('a', { class: `button ${kind}`, href: telLink(house.phone) }, t('call', house.phone))
		: null;

function drawWeekday(house, day) {
	const spans = house.hours.filter((h) => h.weekday === weekdayOf(day));
	const today = weekdayOf(day) === weekdayOf(house.today);
	return el(
		'tr',
		{ class: today ? 'now' : '' },
		el('th', { scope: 'row' }, weekdayName(day, 'long')),
		el('td', {}, spans.length ? spans.map((s) => el('span', {}, spanText([s]))) : t('mark.closed')),
	);
}

function drawHours(house) {
	const soon = specialSoon(house, SPECIAL_MAX);
	const special = (day) =>
		el(
			'li',
			{},
			el('b', {}, shortDay(day)),
			` ${spanText(spansOf(house, day)) || t('mark.closed')}`,
			noteOf(house, day) && el('span', { class: 'about' }, ` ${noteOf(house, day)}`),
		);
	return el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('hours')),
		el(
			'table',
			{ class: 'hours' },
			el(
				'tbody',
				{},
				weekFrom(house.today).map((day) => drawWeekday(house, day)),
			),
		),
		soon.length > 0 && el('ul', { class: 'special' }, soon.map(special)),
	);
}

function drawDish(dish, house) {
	const about = own(dish.description, dish.descriptionEn);
	const lang = dish.descriptionEn ? undefined : house.language;
	return el(
		'li',
		{},
		el('span', { class: 'dish' }, own(dish.name, dish.nameEn)),
		el('span', { class: 'price' }, dish.soldOut ? t('soldOut') : money(dish.price, house)),
		dish.description ? el('span', { class: 'about', lang }, about) : null,
	);
}

const drawMenu = (house) =>
	el(
		'section',
		{ class: 'card' },
		el('h2', {}, t('menu')),
		el(
			'ul',
			{ class: 'menu' },
			house.menu.map((dish) => drawDish(dish, house)),
		),
	);

/* The cards beside the questions. */
export const drawInfo = (house) =>
	[hasHours(house) && drawHours(house), house.menu?.length > 0 && drawMenu(house)].filter(Boolean);
