/*
 * providers.mjs - the payment providers of tests/pay for a browser.  The pages ask for the real addresses, so their policy is
 * the real one; the browser is given the local provider's answers.
 */
import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import { ROOT } from './house.mjs';

/* What stands for each provider's hosts; the script's own address becomes the first of them. */
const HOSTS = [
	['https://cdn.portone.io', 'https://cdn.portone.io/**'],
	['https://api.tosspayments.com', 'https://*.tosspayments.com/**'],
];

export const KEYS = {
	portone: { storeId: 'store-jari', channelKey: 'channel-key-jari', secret: 'portone-secret-of-the-tests' },
	toss: { clientKey: 'test_ck_jari', secret: 'test_sk_jari' },
	stripe: { secret: 'sk_test_jari' },
};

export async function openProviders() {
	execFileSync('tests/install', ['pay'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
	const server = spawn(path.join(ROOT, 'tests/pay/serve'), [], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
	let said = '';
	const url = await new Promise((resolve, reject) => {
		server.once('exit', () => reject(new Error(`tests/pay/serve: ${said}`)));
		server.stdout.on('data', (data) => {
			said += data;
			const at = said.match(/pay: (http\S+)/);
			if (at) resolve(at[1]);
		});
	});
	const ask = async (method, address, body) => (await fetch(url + address, { method, body: body && JSON.stringify(body) })).json();
	return {
		url, ask,
		/* For `jari up`: the cashier asks here. */
		env: { JARI_PORTONE_URL: url, JARI_TOSS_URL: url, JARI_STRIPE_URL: url },
		money: () => ask('GET', '/control/money'),
		fault: (fault) => ask('POST', '/control/faults', fault),
		close: () => new Promise((resolve) => {
			server.removeAllListeners('exit');
			server.once('exit', resolve);
			server.kill('SIGTERM');
		}),
	};
}

/* This browser reaches the providers by their real names. */
export async function reachProviders(context, pay) {
	for (const [base, pattern] of HOSTS)
		await context.route(pattern, async (route) => {
			const asked = new URL(route.request().url());
			const answer = await route.fetch({ url: pay.url + asked.pathname + asked.search, maxRedirects: 0 });
			const text = await answer.text();
			await route.fulfill({ response: answer, body: text.replaceAll(pay.url, base) });
		});
}
