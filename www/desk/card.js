/*
 * card.js - puts name, code and address on the card; a button prints it.
 */
import { get } from '../api.js';
import { t, useWords } from '../i18n.js';
import { $, el } from '../ui.js';

const LONG_NAME = 16; /* letters; a name that is longer is written smaller */

const id = Number(new URLSearchParams(location.search).get('restaurant')) || 1;

/* The language of the house first; the other one only where the house has a name in it. */
function drawScans(house) {
	const scan = (code) => document.querySelector(`.scan[lang=${code}]`);
	const other = house.language === 'ko' ? 'en' : 'ko';
	const both = house.language === 'ko' || Boolean(house.nameEn);
	const scans = el('div', { class: 'scans' }, scan(house.language), both && scan(other));
	document.querySelector('.scan')?.remove();
	$('name-other').after(scans);
}

/* As one types it. */
function addressOf(first) {
	return location.host + (id === first ? '' : `/?restaurant=${id}`);
}

function draw(house, first) {
	const address = addressOf(first);
	document.documentElement.lang = house.language;
	document.title = `${house.name} · QR`;
	document.body.classList.toggle('long', house.name.length > LONG_NAME);
	$('name').textContent = house.name;
	$('name-other').textContent = house.nameEn ?? '';
	$('address').textContent = address;
	$('phone').textContent = house.phone ?? '';
	$('code').alt = t('cardCode', address);
	drawScans(house);
}

await useWords((code) => import(`./words/${code}.js`));
const [house, { restaurants }] = await Promise.all([
	get(`/api/restaurants/${id}`),
	get('/api/restaurants'),
]);
draw(house, restaurants[0]?.restaurantId);
$('about').textContent = t('cardAbout', location.host);
$('print').textContent = t('print');
$('print').addEventListener('click', () => print());
$('code').addEventListener('load', () => {
	$('print').disabled = false;
});
$('code').src = `/api/desk/card.svg?restaurantId=${id}`;
