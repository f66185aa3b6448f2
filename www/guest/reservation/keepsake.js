/*
 * keepsake.js - what a guest takes along: the QR code, the calendar entry, the link.
 */
import { get } from '../../api.js';
import { t } from '../../i18n.js';
import { announce, button, el, recall } from '../../ui.js';

export function drawQr(r, who) {
	const image = el('img', { class: 'qr', alt: t('qr'), width: 168, height: 168 });
	get(`/api/reservations/${r.reservationId}/qr.svg`, { who, text: true }).then(
		(svg) => {
			image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
		},
		() => image.remove(),
	);
	return image;
}

async function download(path, who, name) {
	const text = await get(path, { who, text: true }).catch(() => null);
	if (text === null) {
		announce(t('broken'), true);
		return;
	}
	const url = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }));
	el('a', { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/* The guest's own login is also a cookie, where the browser keeps any, so a plain address works and
 * phones open it in the calendar. */
export function drawCalendar(r, who) {
	const path = `/api/reservations/${r.reservationId}/calendar.ics`;
	const name = `${r.reservationCode}.ics`;
	const direct = recall('guest')?.id === r.userId && navigator.cookieEnabled;
	const href = direct ? path : '#';
	const anchor = el('a', { class: 'button soft', href, download: name }, t('calendar'));
	if (!direct)
		anchor.addEventListener('click', (event) => {
			event.preventDefault();
			download(path, who, name);
		});
	return anchor;
}

/* The address of the reservation, to copy. */
export function drawManage(r, who) {
	const link = `${location.origin}/r#${r.manageToken ?? who.manage}`;
	const said = el('span', { class: 'hint', role: 'status' });
	const address = el('input', {
		class: 'link',
		readOnly: true,
		value: link,
		'aria-label': t('manageLink'),
		onfocus: () => address.select(),
	});
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(link);
			said.textContent = t('copied');
		} catch {
			/* no clipboard over plain http: the address is there to take */
			address.focus();
			if (document.execCommand?.('copy')) said.textContent = t('copied');
		}
	};
	return el(
		'section',
		{ class: 'manage' },
		el('h3', {}, t('manageLink')),
		el('p', { class: 'hint' }, t('manageAbout')),
		el('div', { class: 'copy' }, address, button(t('copy'), copy, { class: 'soft' })),
		said,
	);
}
