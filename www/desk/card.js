/* card.js - puts name and code on the card, and prints it. */
import { get } from '../api.js';

const id = Number(new URLSearchParams(location.search).get('restaurant')) || 1;
const house = await get(`/api/restaurants/${id}`);
const code = document.getElementById('code');
document.documentElement.lang = house.language;
/* The language of the house first. */
const scan = (code) => document.querySelector(`p[lang=${code}]`);
scan(house.language === 'ko' ? 'en' : 'ko').before(scan(house.language));
if (house.language === 'en' && !house.nameEn) scan('ko').remove();
document.getElementById('name').textContent = house.name;
document.getElementById('name-en').textContent = house.nameEn ?? '';
document.getElementById('phone').textContent = house.phone ?? '';
code.addEventListener('load', () => print());
code.src = `/api/desk/card.svg?restaurantId=${id}`;
