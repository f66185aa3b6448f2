/*
 * rules.js - the owner's rules: which there are, in which group, and what each does, in a sentence.
 *
 * A row is a setting of core/settings.h: its name, what kind of field it has, and label and sentence in both languages.
 * Ranges come from the box.  Kinds: number; seconds, shown in minutes; or the words of its choices, from 0 on.  told() says
 * what guests read with the values that are in the fields now, before anything is saved.
 */

import { timeOf } from '../dates.js';
import { lang, money, t } from '../i18n.js';
import { depositOf } from '../terms.js';
import { el } from '../ui.js';

const ON = ['off', 'on'];

/* Six o'clock and what follows it, and until when a party of two and a large one that come then stay. */
const EVENING = 18 * 60;
const timesOf = (v) =>
	[0, 1, 2].map((i) => timeOf((EVENING + i * v.slotMinutes) % 1440)).join(', ');
const untilOf = (v, large) =>
	timeOf(
		(EVENING + ((large && v.sittingLargeMinutes) || v.sittingMinutes || v.slotMinutes)) % 1440,
	);
/* What of ten thousand comes back. */
const back = (pct, currency) => money(100 * pct, currency);

export const GROUPS = {
	times: {
		title: { ko: '시간과 자리', en: 'Times and seats' },
		told: {
			ko: (v) =>
				`예약 시간: ${timesOf(v)} … · 18:00 예약은 ${untilOf(v)}까지${v.sittingLargeMinutes ? `, ${v.sittingLargeFrom}명부터는 ${untilOf(v, true)}까지` : ''}`,
			en: (v) =>
				`Times: ${timesOf(v)} … · at 18:00 the table is theirs until ${untilOf(v)}${v.sittingLargeMinutes ? `, from ${v.sittingLargeFrom} people on until ${untilOf(v, true)}` : ''}`,
		},
		rows: [
			[
				'slotMinutes',
				'number',
				['예약 시간 간격(분)', '30이면 18:00, 18:30, 19:00 … 에 예약할 수 있습니다.'],
				['Minutes from one time to the next', '30 offers 18:00, 18:30, 19:00 and so on.'],
			],
			[
				'reservationLimit',
				'number',
				[
					'한 시간에 시작하는 인원',
					'같은 시각에 예약을 시작할 수 있는 손님 수입니다. 주방이 한꺼번에 받을 수 있는 만큼만 적으세요.',
				],
				['People who may start at one time', 'As many as the kitchen can take at once.'],
			],
			[
				'seats',
				'number',
				[
					'동시에 앉는 인원',
					'가게 안에 함께 있을 수 있는 손님 수입니다. 0이면 시작하는 인원만 셉니다.',
				],
				[
					'People in the house at once',
					'As many as you have seats. 0 counts only those who start.',
				],
			],
			[
				'sittingMinutes',
				'number',
				[
					'머무는 시간(분)',
					'손님에게 언제까지 자리를 쓰는지 알려 줍니다. 0이면 시간 간격과 같습니다.',
				],
				[
					'How long a party stays (minutes)',
					'Guests are told until when the table is theirs. 0 is one step of the times.',
				],
			],
			[
				'sittingLargeFrom',
				'number',
				['큰 일행은 몇 명부터', '이 인원부터 아래의 머무는 시간을 씁니다.'],
				[
					'A large party has at least',
					'From so many people on they stay as long as the next field says.',
				],
			],
			[
				'sittingLargeMinutes',
				'number',
				['큰 일행이 머무는 시간(분)', '0이면 다른 손님과 같습니다.'],
				['How long a large party stays (minutes)', '0 is as long as everybody else.'],
			],
		],
	},
	booking: {
		title: { ko: '온라인 예약', en: 'Booking online' },
		told: {
			ko: (v) =>
				`${v.partyMin}명부터 ${v.partyMax}명까지 · ${v.windowDays}일 뒤까지 · 시작 ${v.leadMinutes}분 전 마감`,
			en: (v) =>
				`${v.partyMin} to ${v.partyMax} people · up to ${v.windowDays} days ahead · until ${v.leadMinutes} minutes before`,
		},
		rows: [
			[
				'partyMin',
				'number',
				['가장 작은 일행', '이보다 적은 인원은 온라인으로 예약할 수 없습니다.'],
				['Smallest party', 'Fewer people cannot book online.'],
			],
			[
				'partyMax',
				'number',
				['가장 큰 일행', '이보다 많으면 전화해 달라고 안내합니다.'],
				['Largest party', 'More people are asked to call you.'],
			],
			[
				'leadMinutes',
				'number',
				['예약 마감(분 전)', '시작하기 몇 분 전까지 온라인으로 받을지 정합니다.'],
				['Bookings close (minutes before)', 'After that the time can be booked at the desk only.'],
			],
			[
				'windowDays',
				'number',
				['예약 시작(일 전)', '며칠 뒤까지의 예약을 미리 받을지 정합니다.'],
				['Bookings open (days ahead)', 'How far ahead guests can book.'],
			],
			[
				'upcomingPerGuest',
				'number',
				[
					'한 번호의 예약 수',
					'한 전화번호로 잡아 둘 수 있는 앞으로의 예약 수입니다. 0이면 제한이 없습니다.',
				],
				[
					'Reservations of one number',
					'How many one telephone number may have still to come. 0 is no limit.',
				],
			],
			[
				'holdsPerGuest',
				'number',
				[
					'한 번호의 결제 대기 수',
					'예약금을 내지 않은 예약을 몇 건까지 둘지 정합니다. 0이면 제한이 없습니다.',
				],
				[
					'Unpaid holds of one number',
					'How many that still wait for their deposit. 0 is no limit.',
				],
			],
			[
				'callingCode',
				'number',
				['국가 번호', '국가 번호 없이 적은 전화번호는 이 나라 번호로 봅니다.'],
				['Country calling code', 'Numbers that are typed without one belong to this country.'],
			],
		],
	},
	deposit: {
		title: { ko: '예약금', en: 'Deposit' },
		told: {
			ko: (v, currency) =>
				depositOf(v, 2) || depositOf(v, v.depositLargeFrom)
					? `2명 ${money(depositOf(v, 2), currency)} · ${v.depositLargeFrom}명 ${money(depositOf(v, v.depositLargeFrom), currency)} · ${Math.round(v.holdSeconds / 60)}분 안에 입금`
					: '예약금 없이 바로 확정',
			en: (v, currency) =>
				depositOf(v, 2) || depositOf(v, v.depositLargeFrom)
					? `2 people ${money(depositOf(v, 2), currency)} · ${v.depositLargeFrom} people ${money(depositOf(v, v.depositLargeFrom), currency)} · to be paid within ${Math.round(v.holdSeconds / 60)} minutes`
					: 'Confirmed at once, no deposit',
		},
		rows: [
			[
				'depositPerPerson',
				'number',
				[
					'한 사람 예약금',
					'0이면 예약금 없이 바로 확정되고, 손님 페이지에 돈 이야기가 나오지 않습니다.',
				],
				[
					'Deposit a head',
					'0 asks for none: bookings are confirmed at once, and guests read nothing about money.',
				],
			],
			[
				'depositLargeFrom',
				'number',
				['큰 일행은 몇 명부터', '이 인원부터 아래의 예약금을 받습니다.'],
				['A large party has at least', 'From so many people on the next field counts.'],
			],
			[
				'depositLargePerPerson',
				'number',
				['큰 일행 한 사람 예약금', '큰 일행은 한 사람에 이만큼 받습니다.'],
				['Deposit a head of a large party', 'What each of a large party pays.'],
			],
			[
				'holdSeconds',
				'seconds',
				['입금을 기다리는 시간(분)', '이 시간 안에 입금이 확인되지 않으면 자리가 다시 풀립니다.'],
				['Wait for the payment (minutes)', 'Seats that are not paid for by then are free again.'],
			],
		],
	},
	refund: {
		title: { ko: '환불', en: 'Refunds' },
		about: {
			ko: '손님이 취소할 때 돌려주는 비율입니다. 이미 받은 예약은 예약할 때의 규칙을 따릅니다.',
			en: 'What a guest gets back who cancels. A reservation keeps the rules under which it was booked.',
		},
		told: {
			ko: (v, currency) =>
				`${money(10000, currency)}을 낸 손님이 돌려받는 돈: 전날까지 ${back(v.refundDayBeforePct, currency)}, 당일 ${v.refundCutoffMinutes}분 전까지 ${back(v.refundSameDayPct, currency)}, 그 뒤 ${back(v.refundLatePct, currency)}(${v.refundLargeFrom}명부터 ${back(v.refundLateLargePct, currency)})`,
			en: (v, currency) =>
				`Of ${money(10000, currency)} comes back: up to the day before ${back(v.refundDayBeforePct, currency)}, until ${v.refundCutoffMinutes} minutes before ${back(v.refundSameDayPct, currency)}, then ${back(v.refundLatePct, currency)} (from ${v.refundLargeFrom} people on ${back(v.refundLateLargePct, currency)})`,
		},
		rows: [
			[
				'refundDayBeforePct',
				'number',
				['전날까지(%)', '방문 전날까지 취소하면 돌려주는 비율입니다.'],
				['Up to the day before (%)', 'For those who cancel a day ahead or earlier.'],
			],
			[
				'refundSameDayPct',
				'number',
				['당일(%)', '방문하는 날, 아래 시각까지 취소하면 돌려주는 비율입니다.'],
				['On the day (%)', 'For those who cancel on the day, in time.'],
			],
			[
				'refundCutoffMinutes',
				'number',
				['당일 마감(분 전)', '이 시각이 지나면 늦은 취소로 봅니다.'],
				['In time is (minutes before)', 'Later than that is late.'],
			],
			[
				'refundLatePct',
				'number',
				['늦은 취소(%)', '마감이 지난 뒤 취소하면 돌려주는 비율입니다.'],
				['Late (%)', 'For those who cancel late, until their time.'],
			],
			[
				'refundLargeFrom',
				'number',
				['큰 일행은 몇 명부터', '이 인원부터 아래의 비율을 씁니다.'],
				['A large party has at least', 'From so many people on the next field counts.'],
			],
			[
				'refundLateLargePct',
				'number',
				['큰 일행의 늦은 취소(%)', '큰 일행이 늦게 취소하면 돌려주는 비율입니다.'],
				['Late, for a large party (%)', 'A large table is hard to fill again.'],
			],
		],
	},
	waitlist: {
		title: { ko: '대기 명단', en: 'Waitlist' },
		rows: [
			[
				'waitlistPerGuest',
				'number',
				[
					'한 번호가 기다리는 시간 수',
					'한 전화번호가 몇 개의 시간을 기다릴 수 있는지 정합니다. 0이면 대기 명단이 없습니다.',
				],
				['Times one number may wait for', '0 is no waitlist at all.'],
			],
			[
				'waitlistOfferMinutes',
				'number',
				[
					'제안을 잡아 두는 시간(분)',
					'자리가 나면 이만큼 잡아 두고, 답이 없으면 다음 손님에게 넘깁니다. 시작이 가까우면 짧아집니다.',
				],
				[
					'An offer stands for (minutes)',
					'Then the seats are offered to the next in line. Shorter when the time is near.',
				],
			],
			[
				'waitlistKeepMinutes',
				'number',
				[
					'난 자리를 남겨 두는 시간(분)',
					'난 자리가 맨 앞 손님에게 모자라면 이만큼 남겨 두고, 그 뒤에는 누구나 예약합니다. 0이면 바로 풀립니다.',
				],
				[
					'Keep what is too few for (minutes)',
					'Freed seats that are too few for the first in line are kept so long, then anybody can book them. 0 keeps nothing.',
				],
			],
			[
				'waitlistSkip',
				ON,
				['뒷손님에게 먼저', '맨 앞 손님에게 모자라는 자리를, 맞는 뒷손님에게 제안합니다.'],
				[
					'Pass on what is too few',
					'Seats that are too few for the first are offered to the next who fits.',
				],
			],
		],
	},
	privacy: {
		title: { ko: '개인정보', en: 'Privacy' },
		rows: [
			[
				'retentionMonths',
				'number',
				[
					'손님 정보 보관(개월)',
					'마지막 방문 뒤 이만큼 지나면 이름과 번호를 지웁니다. 방문 횟수는 남습니다. 0이면 지우지 않습니다.',
				],
				[
					'Keep guests for (months)',
					'After their last visit name and number are deleted; the counts stay. 0 keeps them.',
				],
			],
		],
	},
	messages: {
		title: { ko: '메시지', en: 'Messages' },
		rows: [
			[
				'mailGuests',
				ON,
				['손님에게 메일', '이메일을 적은 손님에게 확정, 변경, 취소, 안내를 보냅니다.'],
				[
					'Mail to guests',
					'Confirmation, change, cancellation and reminders to those who gave an address.',
				],
			],
			[
				'smsGuests',
				ON,
				['손님에게 문자', '이 상자의 send-sms 명령으로 보냅니다.'],
				['Text messages to guests', 'By the command send-sms of this box.'],
			],
			[
				'tellOwner',
				['off', 'each', 'hourly'],
				['새 예약을 사장님에게', '새 예약이 들어오면 위의 주소로 알려 드립니다.'],
				['Tell you of new bookings', 'To your own address above.'],
			],
			[
				'daySheetHour',
				'number',
				[
					'오늘의 예약을 보내는 시각(시)',
					'아침마다 그날의 예약을 메일로 보냅니다. 0이면 보내지 않습니다.',
				],
				['Hour of the day sheet', 'The day’s reservations by mail, each morning. 0 is none.'],
			],
			[
				'remindDayHours',
				'number',
				['첫 안내(시간 전)', '오시는지 버튼으로 답할 수 있습니다. 0이면 보내지 않습니다.'],
				[
					'First reminder (hours before)',
					'Guests answer with a button whether they come. 0 is none.',
				],
			],
			[
				'remindMinutes',
				'number',
				['두 번째 안내(분 전)', '0이면 보내지 않습니다.'],
				['Second reminder (minutes before)', '0 is none.'],
			],
			[
				'quietFrom',
				'number',
				['조용한 시간 시작(시)', '이때부터는 급하지 않은 메시지를 보내지 않습니다.'],
				['Quiet from (hour)', 'From then on nothing is sent that can wait.'],
			],
			[
				'quietTo',
				'number',
				['조용한 시간 끝(시)', '이때부터 다시 보냅니다.'],
				['Quiet until (hour)', 'Then what has waited is sent.'],
			],
			[
				'proveContact',
				ON,
				['인증번호', '손님이 받은 여섯 자리 번호를 넣어야 예약이 확정됩니다.'],
				[
					'Guests must enter a code',
					'A booking stands once they have entered the six digits that were sent to them.',
				],
			],
			[
				'proveSeconds',
				'seconds',
				['인증번호를 기다리는 시간(분)', '그때까지 넣지 않으면 자리가 풀립니다.'],
				['Wait for the code (minutes)', 'After that the seats are free again.'],
			],
		],
	},
};

const rowOf = (name) =>
	Object.values(GROUPS)
		.flatMap((group) => group.rows)
		.find((row) => row[0] === name);
const wordsOf = ([, , ko, en]) => (lang() === 'ko' ? ko : en);
export const labelOf = (name) => wordsOf(rowOf(name))[0];
export const sentenceOf = (name) => wordsOf(rowOf(name))[1];
export const titleOf = (group) => GROUPS[group].title[lang()];
export const aboutOf = (group) => GROUPS[group].about?.[lang()] ?? '';

/* A field for one of them; read() is its value for the box.  Minutes that nobody touched are the seconds they were. */
function ruleField(setting, field) {
	const [name, kind] = rowOf(setting.name);
	const unit = kind === 'seconds' ? 60 : 1;
	const shown = String(unit === 1 ? setting.value : Math.max(1, Math.round(setting.value / unit)));
	const input = Array.isArray(kind)
		? el(
				'select',
				{ name },
				kind.map((word, i) =>
					el('option', { value: String(i), selected: i === setting.value }, t(`choice.${word}`)),
				),
			)
		: el('input', {
				type: 'number',
				name,
				value: shown,
				min: String(Math.ceil(setting.min / unit)),
				max: String(Math.floor(setting.max / unit)),
				inputMode: 'numeric',
				required: true,
			});
	const node = field(labelOf(name), input);
	const hint = el('p', { class: 'hint', id: `${input.id}-say` }, sentenceOf(name));
	input.setAttribute('aria-describedby', hint.id);
	node.append(hint);
	return {
		node,
		name,
		read: () => (input.value === shown ? setting.value : Number(input.value) * unit),
	};
}

/* The fields of a group, their values, and what guests will read, as the values change. */
export function ruleFields(group, settings, field, currency) {
	const fields = GROUPS[group].rows.map(([name]) =>
		ruleField(
			settings.find((s) => s.name === name),
			field,
		),
	);
	const read = () => Object.fromEntries(fields.map((f) => [f.name, f.read()]));
	const told = GROUPS[group].told?.[lang()];
	const line = told
		? el('p', { class: 'told' }, el('b', {}, t('guestsRead')), ' ', el('span', {}))
		: null;
	const tell = () => {
		line.lastChild.textContent = told(read(), currency);
	};
	const rules = el(
		'div',
		{ class: 'rules', oninput: told ? tell : null },
		fields.map((f) => f.node),
	);
	if (told) tell();
	return { node: el('div', {}, rules, line), read };
}
