/* card.js - puts name and code on the card, and prints it. */
import { get } from '../api.js';

const id = Number(new URLSearchParams(location.search).get('restaurant')) || 1;
const house = await get(`/api/restaurants/${id}`);
const code = document.getElementById('code');
document.getElementById('name').textContent = house.name;
document.getElementById('name-en').textContent = house.nameEn ?? '';
document.getElementById('phone').textContent = house.phone ?? '';
code.addEventListener('load', () => print());
code.src = `/api/desk/card.svg?restaurantId=${id}`;
