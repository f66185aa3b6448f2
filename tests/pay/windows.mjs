/*
 * windows.mjs - for a browser: the providers' scripts, as far as jari calls them, and the pages where a guest pays.
 *
 * The scripts check what they are given as theirs do: what is wrong before the window opens rejects the promise and leads nowhere.
 * Then they go to the window by redirect (or PortOne's, without forceRedirect, into a frame, and the promise is kept).
 */
import { guest } from './server.mjs';
import * as portone from './portone.mjs';
import * as stripe from './stripe.mjs';
import * as toss from './toss.mjs';

const portoneScript = (base) => `(() => {
	const ask = async (wish) => {
		const answer = await fetch('${base}/window/check', { method: 'POST', body: JSON.stringify(wish) });
		const wrong = await answer.json();
		if (wrong) throw Object.assign(new Error(wrong.message), { __portOneErrorType: 'PaymentError', ...wrong });
		return '${base}/window/portone?wish=' + encodeURIComponent(JSON.stringify(wish));
	};
	const inFrame = (address) => new Promise((resolve) => {
		const frame = document.createElement('iframe');
		frame.title = 'PortOne';
		frame.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;border:0;background:#fff;z-index:9999';
		frame.src = address + '&frame=1';
		addEventListener('message', function told(e) {
			if (e.origin !== '${base}') return;
			removeEventListener('message', told);
			frame.remove();
			resolve(e.data);
		});
		document.body.append(frame);
	});
	const open = async (act, payload) => {
		const address = await ask({ provider: 'portone', do: act, ...payload });
		if (!payload.forceRedirect) return inFrame(address);
		location.assign(address);
		return new Promise(() => {});
	};
	window.PortOne = { requestPayment: (p) => open('pay', p), requestIssueBillingKey: (p) => open('key', p) };
})();
`;

const tossScript = (base) => `(() => {
	const open = async (wish) => {
		const answer = await fetch('${base}/window/check', { method: 'POST', body: JSON.stringify(wish) });
		const wrong = await answer.json();
		if (wrong) throw Object.assign(new Error(wrong.message), wrong);
		location.assign('${base}/window/toss?wish=' + encodeURIComponent(JSON.stringify(wish)));
		return new Promise(() => {});
	};
	const self = (p) => {
		if (p.windowTarget !== 'self') throw Object.assign(new Error('only windowTarget: self is played here'), { code: 'INVALID_PARAMETERS' });
	};
	window.TossPayments = (clientKey) => ({
		payment: ({ customerKey }) => ({
			requestPayment: async (p) => { self(p); return open({ provider: 'toss', do: 'pay', clientKey, customerKey, ...p, amount: p.amount?.value, currency: p.amount?.currency }); },
			requestBillingAuth: async (p) => { self(p); return open({ provider: 'toss', do: 'key', clientKey, customerKey, ...p }); },
		}),
	});
	window.TossPayments.ANONYMOUS = 'ANONYMOUS';
})();
`;

/* What rejects the promise before a window opens. */
function check(world, wish) {
	if (wish.provider === 'portone') return portone.beforeWindow(world, wish);
	return wish.clientKey === toss.CLIENT ? toss.beforeWindow(world, wish) : { code: 'INVALID_CLIENT_KEY', message: '잘못된 클라이언트 키 입니다.' };
}

const escaped = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const sheet = (title, inside) => `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><main><h1>${escaped(title)}</h1>${inside}</main></html>`;

function windowPage(wish, { name, amount, currency, words = '', frame = false }) {
	const button = (id, card, text) => `<button id="${id}" name="card" value="${card}">${text}</button> `;
	return sheet(`${wish.provider}: ${name ?? 'a card'}`, `<p id="amount">${escaped(amount ?? '')} ${escaped(currency ?? '')}</p><p role="alert">${escaped(words)}</p>
<form method="post" action="/window/go"><input type="hidden" name="wish" value="${escaped(JSON.stringify(wish))}">${frame ? '<input type="hidden" name="frame" value="1">' : ''}
${button('pay', 'ok', 'Pay')}${button('decline', 'declined', 'A card that is declined here')}${button('refuse', 'refused', 'A card that is refused later')}${button('close', 'closed', 'Close')}</form>`);
}

function stripePage(world, query) {
	const s = stripe.openSession(world, query.get('session'));
	if (s.status !== 'open') return sheet('stripe', `<p id="over">This session is over (${escaped(s.status)}).</p>`);
	return windowPage({ provider: 'stripe', session: s.id }, { name: s.mode, amount: s.amount_total, currency: s.currency, words: query.has('declined') ? 'Your card was declined.' : '' });
}

async function go(world, res, fields) {
	const wish = { ...JSON.parse(fields.get('wish')), card: fields.get('card') };
	if (fields.has('frame')) {
		const result = portone.guest(world, wish);
		return html(res, `<script>parent.postMessage(${JSON.stringify(result).replaceAll('<', '\\u003c')}, '*')</script>`);
	}
	const again = wish.provider === 'stripe' && wish.card === 'declined';
	res.writeHead(303, { location: again ? `/window/stripe?session=${wish.session}&declined=1` : await guest(world, wish) });
	return res.end();
}

function html(res, text) {
	res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
	res.end(text);
}

function script(res, text) {
	res.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'access-control-allow-origin': '*' });
	res.end(text);
}

export async function page(world, req, res, url, text) {
	const base = `${world.scheme}://${req.headers.host}`;
	const { searchParams: query, pathname } = url;
	if (pathname === '/v2/browser-sdk.js') return script(res, portoneScript(base));
	if (pathname === '/v2/standard') return script(res, tossScript(base));
	if (pathname === '/window/check') {
		res.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
		return res.end(JSON.stringify(check(world, JSON.parse(text))));
	}
	if (pathname === '/window/go') return go(world, res, new URLSearchParams(text));
	if (pathname === '/window/stripe') return html(res, stripePage(world, query));
	const wish = JSON.parse(query.get('wish') ?? '{}');
	return html(res, windowPage(wish, { name: wish.orderName ?? wish.issueName, amount: wish.totalAmount ?? wish.amount, currency: wish.currency, frame: query.has('frame') }));
}
