/*
 * bar.js - new things announce themselves: a bar above every screen and a number in the title of
 * the tab, for what guests did on whichever day since this device last looked.
 *
 * How far it has looked the device keeps itself; it is the number of a row of the audit.  What
 * staff do is no news.
 */
import { get } from '../../api.js';
import { clockTime } from '../../dates.js';
import { lang, shortDay, slotWhen, t } from '../../i18n.js';
import { $, announce, button, el, keep, recall } from '../../ui.js';
import { open } from '../acts/open.js';
import { later } from '../acts/send.js';
import { shortly } from '../menu.js';
import { afterAll, afterOne, isOfAnotherBook, unseenOf, wordOf } from './fold.js';
import { chime, isOn, turn } from './sound.js';

const SCREENS_OF_A_DAY = ['', '#list', '#now', '#timeline'];

/* "New booking · Sat 21 Nov 19:00 · Kim · 4 people" */
export function sentenceOf(desk, n) {
	const today = n.slotDate === desk.clock().today;
	const when = today ? clockTime(n.slotTime) : slotWhen(n.slotDate, n.slotTime, shortDay);
	const word = t(`news.${wordOf(n)}`, n.lateMinutes ?? 0);
	return [word, when, n.guestName, t('people', n.partySize)].filter(Boolean).join(' · ');
}

class News {
	constructor(desk) {
		this.desk = desk;
		this.node = $('news');
		this.told = null; /* the number of all changes that was asked about last */
		this.rung = 0; /* the newest mark that was announced */
		this.unfolded = false;
		this.answer = null;
	}

	get key() {
		return `news.${this.desk.restaurantId}`;
	}

	get seen() {
		return recall(this.key) ?? afterAll(0);
	}

	get list() {
		return this.answer ? unseenOf(this.answer.news, this.seen) : [];
	}

	/* Something has changed in the book, if this is another word than before. */
	async heard(word) {
		if (this.answer && this.lang !== lang()) this.draw();
		if (word === this.told || this.asking) return;
		this.asking = true;
		try {
			const since = recall(this.key)?.mark;
			const query = { ...this.desk.query(), ...(since === undefined ? {} : { since }) };
			const answer = await get('/api/desk/news', { query });
			this.told = word;
			if (this.desk.me) this.take(answer);
		} catch {
			/* the next look at the day asks again */
		}
		this.asking = false;
	}

	take(answer) {
		const first = this.answer === null;
		if (isOfAnotherBook(recall(this.key), answer.mark)) keep(this.key, afterAll(answer.mark));
		this.answer = answer;
		const { list } = this;
		if (!list.length && !answer.more) keep(this.key, afterAll(answer.mark));
		const newest = Math.max(0, ...list.map((n) => n.mark));
		if (!first && newest > this.rung) {
			chime();
			announce(sentenceOf(this.desk, list[0]));
		}
		this.rung = Math.max(this.rung, newest);
		this.draw();
	}

	/* ---- what staff do with it ---- */

	see(one) {
		keep(this.key, afterOne(this.seen, one));
		if (!this.list.length && !this.answer.more) keep(this.key, afterAll(this.answer.mark));
		this.draw();
	}

	seeAll() {
		keep(this.key, afterAll(this.answer.mark));
		this.answer = { ...this.answer, news: [], more: 0 };
		this.unfolded = false;
		this.draw();
	}

	show(one) {
		const { desk } = this;
		if (!desk.connected) return;
		this.see(one);
		if (!SCREENS_OF_A_DAY.includes(location.hash)) location.hash = '#list';
		if (one.act === 'DOOR_LEFT') {
			desk.withDay(() => desk.door ?? import('../door/panel.js').then((m) => m.toggle(desk)));
			return;
		}
		if (one.slotDate !== desk.day?.date) desk.goTo(one.slotDate);
		desk.withDay(() => {
			const r = desk.day.reservations.find((o) => o.reservationId === one.reservationId);
			if (r) open(desk, r);
			else desk.say(t('newsGone'));
		});
	}

	showHolds() {
		return later(
			this.desk,
			() => import('./holds.js'),
			(m) => m.holds(this.desk),
		);
	}

	/* ---- drawing ---- */

	drawOne(one) {
		return button(sentenceOf(this.desk, one), () => this.show(one), {
			class: 'news-one',
			'data-key': `one${one.reservationId}`,
		});
	}

	drawFold(count) {
		const fold = () => {
			this.unfolded = !this.unfolded;
			this.draw();
		};
		return button(t('newsCount', count), fold, {
			class: 'soft small',
			'aria-expanded': String(this.unfolded),
			'data-key': 'fold',
		});
	}

	drawSound() {
		const flip = () => {
			turn(!isOn());
			this.draw();
		};
		return button(shortly(t('newsSound'), '\u266a'), flip, {
			class: 'plain small',
			'aria-pressed': String(isOn()),
			'data-key': 'sound',
		});
	}

	drawNodes(list, { more, holds }) {
		const [first, ...others] = list;
		const many = others.length > 0 || more > 0;
		const count = list.length + more;
		const left = [
			many && this.drawFold(count),
			first && !(many && this.unfolded) && this.drawOne(first),
		];
		const right = [
			holds > 0 &&
				button(shortly(t('holdsAll', holds), t('holdsShort', holds)), () => this.showHolds(), {
					class: 'soft small',
					'data-key': 'holds',
				}),
			count > 0 && this.drawSound(),
			count > 0 &&
				button(shortly(t('newsSeen'), '\u2713'), () => this.seeAll(), {
					class: 'plain small',
					'data-key': 'seen',
				}),
		];
		const items = list.map((one) => el('li', {}, this.drawOne(one)));
		return [
			el('div', { class: 'news-head' }, el('div', {}, left), el('div', {}, right)),
			many && this.unfolded && el('ul', {}, items, more > 0 && el('li', {}, t('newsMore', more))),
		].filter(Boolean);
	}

	draw() {
		const { list, answer, node } = this;
		this.lang = lang();
		const held = node.contains(document.activeElement) && document.activeElement.dataset.key;
		const count = list.length + answer.more;
		node.hidden = !count && !answer.holds;
		node.setAttribute('aria-label', t('newsTitle'));
		node.classList.toggle('fresh', count > 0);
		node.classList.toggle('several', count > 1);
		node.replaceChildren(...this.drawNodes(list, answer));
		this.desk.setCount(count);
		if (held) node.querySelector(`[data-key="${held}"], button`)?.focus({ preventScroll: true });
	}

	stop() {
		this.answer = null;
		this.told = null;
		this.rung = 0;
		this.node.hidden = true;
		this.node.replaceChildren();
		this.desk.setCount(0);
	}
}

export const makeNews = (desk) => new News(desk);
