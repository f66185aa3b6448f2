/*
 * i18n.js - Korean and English, days, times and money.
 */
import { serverNow } from './api.js';
import { keep, recall } from './ui.js';

const ko = {
	skip: '본문으로 건너뛰기', language: '언어', retry: '다시 시도', back: '뒤로', close: '닫기', loading: '불러오는 중…', home: '예약하기',
	mine: '내 예약', optional: '선택', call: (phone) => `전화 ${phone}`, openToday: (spans) => `오늘 ${spans}`, closedToday: '오늘 휴무',
	noscript: '이 페이지에는 JavaScript가 필요합니다.',
	/* choosing */
	choose: '자리 예약', party: '몇 분이 오시나요?', people: (n) => `${n}명`, day: '어느 날이 좋으세요?', time: '몇 시에 오시나요?',
	largeParty: (n) => `${n}명이 넘으면 전화로 문의해 주세요.`, prevMonth: '이전 달', nextMonth: '다음 달', 
	state: { open: '예약 가능', few: '자리가 얼마 없음', full: '마감', closed: '휴무', past: '지난 날', far: '아직 예약을 받지 않음' },
	mark: { few: '임박', full: '마감', closed: '휴무' },
	breakfast: '아침', lunch: '점심', dinner: '저녁', other: '시간', left: (n) => `${n}석 남음`, seatsLeft: (n) => `${n}석 남음`, full: '마감',
	dayFull: (day, n) => `${day}에는 ${n}명 자리가 모두 찼습니다.`, dayShut: (day) => `${day}은 쉬는 날입니다.`, dayOver: (day) => `${day} 예약은 끝났습니다.`,
	dayFar: (day, last) => `${day}은 아직 예약할 수 없습니다. 지금은 ${last}까지 예약을 받습니다.`, timeOver: '지난 시간이라 예약할 수 없습니다.', noDay: (month, n) => `${month}까지 ${n}명 자리가 모두 찼습니다.`,
	nextFree: (day) => `${day} 보기`, timesOf: (day, n) => `${day}, 예약할 수 있는 시간 ${n}개`, paused: '지금은 온라인 예약을 잠시 쉬고 있습니다.', noHours: '아직 영업시간이 정해지지 않아 온라인 예약을 받지 않습니다.', pleaseCall: '전화로 문의해 주세요.',
	hours: '영업시간', menu: '메뉴', where: '오시는 길', legend: '시간은 모두 식당 현지 시간입니다.',
	/* details */
	details: '예약자 정보', change: '바꾸기', yourTable: '고르신 자리', name: '이름', phone: '전화번호', email: '이메일', request: '요청 사항',
	requestHint: '알레르기, 아기 의자, 창가 자리 등', letters: (n) => `${n}/50`, badName: '이름을 입력해 주세요.', badPhone: '전화번호를 확인해 주세요. 예: 010-1234-5678',
	badEmail: '이메일 주소를 확인해 주세요.', payHow: '결제 방식', deposit: '예약금', depositAbout: (each) => `1인 ${each}`,
	preorder: '메뉴 미리 주문', preorderAbout: '오시는 시간에 맞춰 준비합니다', none: '결제할 금액이 없습니다', noneAbout: '바로 확정됩니다',
	fewer: (dish) => `${dish} 하나 빼기`, more: (dish) => `${dish} 하나 더하기`, needDish: '메뉴를 하나 이상 골라 주세요.', total: '합계', due: '결제할 금액',
	refund: '취소와 환불', refundDayBefore: (day) => `${day}까지`, refundUntil: (time) => `당일 ${time}까지`, refundLate: (time) => `${time}까지`, refundAfter: '그 이후', pct: (n) => (n ? `${n}% 환불` : '환불 없음'),
	refundShort: (until, pct) => (pct ? `${until} 취소하면 ${pct}% 환불` : '취소해도 환불 없음'), holdNote: (s) => `${s < 120 ? `${s}초` : `${Math.floor(s / 60)}분`}간 자리 유지`, hold: '자리 잡기', book: '예약 확정', sending: '자리를 잡는 중…',
	amountChanged: '금액이 바뀌었습니다. 새 금액을 확인하고 다시 눌러 주세요.', unfit: '이 시간은 지금 예약할 수 없습니다.',
	privacy: '이름과 연락처는 이 예약을 확인하고 연락드리는 데 씁니다.',
	/* full */
	fullTitle: '방금 자리가 찼습니다', fullAlready: (time) => `${time} 시간은 마감되었습니다`, fullText: (time, n) => `${time}에는 ${n}명 자리가 없습니다. 가까운 시간은 어떠세요?`, fullNone: (time) => `${time}도, 그날 다른 시간도 자리가 없습니다. 다른 날을 골라 주세요.`,
	otherDay: '다른 날 보기', takenTitle: '이미 예약이 있습니다', takenText: '같은 시간에 예약하신 내역입니다.',
	/* the line */
	waitTitle: '순서를 기다리고 있어요', waitNext: '다음 차례입니다', ahead: (n) => `앞에 ${n}명`, waitingHere: (n) => `이 시간을 기다리는 분 ${n}명`,
	eta: (a, b) => `예상 시간 ${a}–${b}초`, etaMin: (a, b) => `예상 시간 ${a}–${b}분`, etaUnknown: '예상 시간을 알 수 없어요', waitKeep: '새로고침하거나 연결이 끊겨도 순서는 그대로입니다.',
	waitLong: '생각보다 오래 걸리고 있습니다. 죄송합니다. 대기표는 그대로 있으니 이 화면을 열어 두시거나, 급하시면 전화해 주세요.',
	unsentTitle: '인터넷 연결이 없습니다', unsentKeep: '연결되면 저절로 보냅니다. 이 화면을 열어 두세요.', giveUp: '그만두기', trying: '접수하는 중…', tryLong: '생각보다 오래 걸리고 있습니다. 죄송합니다. 이 화면을 열어 두시거나, 급하시면 전화해 주세요.',
	leave: '대기 그만두기', leftLine: '대기를 그만두었습니다. 예약되지 않았습니다.', leftUnsure: '기다리기를 멈췄습니다. 혹시 접수되었다면 ‘내 예약’에서 확인할 수 있습니다.', resuming: '순서를 다시 찾는 중…', progress: '대기 진행',
	said: (n, eta) => `앞에 ${n}명. ${eta}.`, lost: '인터넷 연결이 끊겼습니다.', timeout: '응답이 늦어지고 있습니다.', busy: '지금 예약이 몰리고 있습니다.', again: (s) => `${s}초 뒤에 저절로 다시 시도합니다. 두 번 예약되지 않습니다.`,
	lostPage: '연결이 끊겼습니다. 인터넷을 확인하고 다시 시도해 주세요.', timeoutPage: '응답이 없습니다. 다시 시도해 주세요.', broken: '지금은 불러올 수 없습니다. 잠시 후 다시 시도해 주세요.',
	/* a reservation */
	s: {
		TEMPORARY: '자리를 잡아 두었습니다', CONFIRMED: '예약이 확정되었습니다', PREPAY_CONFIRM: '예약이 확정되었습니다', REFUND_PENDING: '환불을 진행하고 있습니다',
		EXPIRED: '자리가 풀렸습니다', COMPLETED: '다녀가신 예약입니다', REFUNDED: '환불이 끝났습니다', NO_SHOW: '방문하지 않은 예약입니다', CANCELED: '취소된 예약입니다',
	},
	short: { TEMPORARY: '결제 대기', CONFIRMED: '확정', PREPAY_CONFIRM: '확정', REFUND_PENDING: '환불 중', EXPIRED: '만료', COMPLETED: '방문 완료', REFUNDED: '환불됨', NO_SHOW: '미방문', CANCELED: '취소됨' },
	code: '예약번호', holdLeft: '남은 시간', holdEnds: (time) => `${time}까지 결제하지 않으면 자리가 풀립니다.`, minuteLeft: '1분이 채 남지 않았습니다.', minutesLeft: (n) => `${n}분 남았습니다.`,
	payTitle: '결제하기', payAt: (phone) => `식당에서 직접 내시거나, 전화${phone ? `(${phone})` : ''}로 문의해 계좌 이체로 내실 수 있습니다. 예약번호를 알려 주세요.`, payFollow: '결제가 확인되면 이 화면이 저절로 바뀝니다.',
	expiredText: '시간 안에 결제가 확인되지 않아 자리가 풀렸습니다. 자리가 남아 있으면 한 번에 다시 잡을 수 있습니다.', tryAgain: '같은 시간 다시 잡기',
	canceledText: '자리는 다른 손님께 열렸습니다.', refundDue: (sum) => `${sum} 돌려드립니다.`, confirmedText: '예약번호나 QR 코드를 보여 주시면 자리로 안내해 드립니다.', qr: '예약 관리 링크 QR 코드', calendar: '캘린더에 추가',
	copy: '관리 링크 복사', copied: '복사했습니다.', manageLink: '예약 관리 링크', manageAbout: '이 링크만 있으면 다른 기기에서도 예약을 보고 취소할 수 있습니다.', when: '일시', who: '인원', at: '장소', guest: '예약자', paid: '결제', ordered: '미리 주문', print: '인쇄',
	cancel: '예약 취소', cancelTitle: '예약을 취소할까요?', reason: '이유를 알려 주시면 도움이 됩니다', reasons: ['일정이 바뀌었어요', '인원이 바뀌었어요', '몸이 좋지 않아요', '다른 곳으로 정했어요'], reasonMore: '더 하실 말씀',
	refundNow: (back, paid) => `지금 취소하면 ${paid} 중 ${back} 돌려드립니다.`, refundNothing: (paid) => `지금 취소하면 돌려드릴 금액이 없습니다. (결제 금액 ${paid})`, nothingPaid: '결제하신 금액이 없어 돌려드릴 금액도 없습니다.',
	cancelYes: '취소합니다', cancelNo: '그대로 두기', canceling: '취소하는 중…', cancelDone: '예약을 취소했습니다.', rebook: '다시 예약', onlyHere: '이 기기에서 하신 예약만 보입니다.', emptyMine: '이 기기에서 하신 예약이 아직 없습니다.', forget: '이 기기에서 지우기',
	forgetAsk: '이 기기에 저장된 이름, 연락처, 예약 목록을 지울까요? 예약은 그대로 남습니다.', forgot: '이 기기에서 지웠습니다.', offline: '최신 상태를 불러오지 못했습니다.', noNetwork: '인터넷 연결이 없습니다. 마지막으로 확인한 상태입니다.', noManage: '이 링크로 볼 수 있는 예약이 없습니다. 주소를 끝까지 복사했는지 확인해 주세요.', past: '지난 예약과 취소한 예약', coming: '다가오는 예약',
};

const en = {
	skip: 'Skip to content', language: 'Language', retry: 'Try again', back: 'Back', close: 'Close', loading: 'Loading…', home: 'Book a table',
	mine: 'My reservations', optional: 'optional', call: (phone) => `Call ${phone}`, openToday: (spans) => `Today ${spans}`, closedToday: 'Closed today',
	noscript: 'This page needs JavaScript.',
	choose: 'Book a table', party: 'How many of you?', people: (n) => (n === 1 ? '1 guest' : `${n} guests`), day: 'Which day?', time: 'What time?',
	largeParty: (n) => `More than ${n}? Please call us.`, prevMonth: 'Previous month', nextMonth: 'Next month', today: 'Today',
	state: { open: 'open', few: 'few seats left', full: 'full', closed: 'closed', past: 'past', far: 'not open for booking yet' },
	mark: { few: 'few', full: 'full', closed: 'closed' },
	breakfast: 'Breakfast', lunch: 'Lunch', dinner: 'Dinner', other: 'Times', left: (n) => `${n} left`, seatsLeft: (n) => (n === 1 ? '1 seat left' : `${n} seats left`), full: 'Full',
	dayFull: (day, n) => `Every time on ${day} is full for ${n}.`, dayShut: (day) => `We are closed on ${day}.`, dayOver: (day) => `Booking for ${day} has ended.`,
	dayFar: (day, last) => `${day} cannot be booked yet. Booking is open until ${last}.`, timeOver: 'This time has passed and cannot be booked any more.', noDay: (month, n) => `No table for ${n} is free until the end of ${month}.`,
	nextFree: (day) => `See ${day}`, timesOf: (day, n) => `${day}, ${n} ${n === 1 ? 'time' : 'times'} free`, paused: 'Online booking is paused just now.', noHours: 'There are no opening hours yet, so nothing can be booked online.', pleaseCall: 'Please call us.',
	hours: 'Opening hours', menu: 'Menu', where: 'Find us', legend: 'All times are local to the restaurant.',
	details: 'Your details', change: 'Change', yourTable: 'Your table', name: 'Name', phone: 'Phone', email: 'E-mail', request: 'Anything we should know?',
	requestHint: 'Allergies, a high chair, a window seat…', letters: (n) => `${n}/50`, badName: 'Please give a name.', badPhone: 'Please check the phone number, for example 010-1234-5678.',
	badEmail: 'Please check the e-mail address.', payHow: 'How would you like to pay?', deposit: 'Deposit', depositAbout: (each) => `${each} a head`,
	preorder: 'Order ahead', preorderAbout: 'Ready when you arrive', none: 'Nothing to pay', noneAbout: 'Confirmed at once',
	fewer: (dish) => `One ${dish} fewer`, more: (dish) => `One ${dish} more`, needDish: 'Please choose at least one dish.', total: 'Total', due: 'To pay',
	refund: 'If you cancel', refundDayBefore: (day) => `Until the end of ${day}`, refundUntil: (time) => `On the day until ${time}`, refundLate: (time) => `Until ${time}`, refundAfter: 'After that', pct: (n) => (n ? `${n} % back` : 'no refund'),
	refundShort: (until, pct) => (pct ? `${until}: ${pct} % back` : 'No refund if you cancel'), holdNote: (s) => `held for ${s < 120 ? `${s} s` : `${Math.floor(s / 60)} min`}`, hold: 'Hold my table', book: 'Book my table', sending: 'Holding your table…',
	amountChanged: 'The amount has changed. Please check it and press again.', unfit: 'This time cannot be booked just now.',
	privacy: 'We use your name and number to reach you about this booking.',
	fullTitle: 'That time has just filled up', fullAlready: (time) => `${time} is full`, fullText: (time, n) => `There is no table for ${n} at ${time}. How about one of these?`, fullNone: (time) => `${time} and the rest of that day are full. Please choose another day.`,
	otherDay: 'See other days', takenTitle: 'You have booked already', takenText: 'This is your reservation at that time.',
	waitTitle: 'You are in the line', waitNext: 'You are next', ahead: (n) => `${n} ahead of you`, waitingHere: (n) => (n === 1 ? '1 person wants this time' : `${n} people want this time`),
	eta: (a, b) => `About ${a}–${b} seconds`, etaMin: (a, b) => `About ${a}–${b} minutes`, etaUnknown: 'We cannot say how long', waitKeep: 'Your place is kept, even if you reload or lose the connection.',
	waitLong: 'This is taking longer than it should. We are sorry. Your ticket is safe: leave this page open, or call us if you are in a hurry.',
	unsentTitle: 'No connection', unsentKeep: 'It will be sent by itself when the connection is back. Please leave this page open.', giveUp: 'Stop trying', trying: 'Sending…', tryLong: 'This is taking longer than it should. We are sorry. Leave this page open, or call us if you are in a hurry.',
	leave: 'Leave the line', leftLine: 'You left the line. Nothing was booked.', leftUnsure: 'We stopped asking. If the booking did arrive, you will find it under “My reservations”.', resuming: 'Finding your place again…', progress: 'Progress in the line',
	said: (n, eta) => `${n} ahead of you. ${eta}.`, lost: 'The connection was lost.', timeout: 'The answer is taking long.', busy: 'Many guests are booking just now.', again: (s) => `Trying again by itself in ${s} s. You cannot be booked twice.`,
	lostPage: 'The connection was lost. Please check it and try again.', timeoutPage: 'No answer came. Please try again.', broken: 'This cannot be loaded just now. Please try again in a moment.',
	s: {
		TEMPORARY: 'Your seats are held', CONFIRMED: 'Your table is booked', PREPAY_CONFIRM: 'Your table is booked', REFUND_PENDING: 'Your refund is on its way',
		EXPIRED: 'Your seats were released', COMPLETED: 'Thank you for coming', REFUNDED: 'You have been refunded', NO_SHOW: 'You did not come', CANCELED: 'This reservation is cancelled',
	},
	short: { TEMPORARY: 'to be paid', CONFIRMED: 'confirmed', PREPAY_CONFIRM: 'confirmed', REFUND_PENDING: 'refund due', EXPIRED: 'released', COMPLETED: 'visited', REFUNDED: 'refunded', NO_SHOW: 'no-show', CANCELED: 'cancelled' },
	code: 'Reservation code', holdLeft: 'Time left', holdEnds: (time) => `Without payment by ${time} the seats are released.`, minuteLeft: 'Less than a minute left.', minutesLeft: (n) => `${n} minutes left.`,
	payTitle: 'How to pay', payAt: (phone) => `Pay in person at the restaurant, or call ${phone || 'us'} to pay by bank transfer. Please have the code at hand.`, payFollow: 'This page changes by itself as soon as we have confirmed.',
	expiredText: 'No payment reached us in time, so your seats were released. If they are still free, one tap holds them again.', tryAgain: 'Hold the same time again',
	canceledText: 'The seats are open to other guests again.', refundDue: (sum) => `${sum} will be returned to you.`, confirmedText: 'Show the code or the QR code when you arrive.', qr: 'QR code of the link to manage this reservation', calendar: 'Add to calendar',
	copy: 'Copy manage link', copied: 'Copied.', manageLink: 'Link to manage this reservation', manageAbout: 'With this link you can see and cancel the reservation from any device.', when: 'When', who: 'Party', at: 'Where', guest: 'Name', paid: 'Paid', ordered: 'Ordered ahead', print: 'Print',
	cancel: 'Cancel reservation', cancelTitle: 'Cancel this reservation?', reason: 'Telling us why helps', reasons: ['My plans changed', 'Our number changed', 'I am not well', 'We chose another place'], reasonMore: 'Anything else',
	refundNow: (back, paid) => `If you cancel now, ${back} of ${paid} goes back to you.`, refundNothing: (paid) => `If you cancel now, nothing of ${paid} can be returned.`, nothingPaid: 'You have paid nothing, so there is nothing to return.',
	cancelYes: 'Yes, cancel it', cancelNo: 'Keep it', canceling: 'Cancelling…', cancelDone: 'Your reservation is cancelled.', rebook: 'Book again', onlyHere: 'Only reservations made on this device are shown.', emptyMine: 'No reservation has been made on this device yet.', forget: 'Forget me on this device',
	forgetAsk: 'Remove your name, phone number and list of reservations from this device? The reservations themselves stay.', forgot: 'Removed from this device.', offline: 'The latest state could not be loaded.', noNetwork: 'No connection. This is how it last stood.', noManage: 'No reservation belongs to this link. Please check that you copied all of it.', past: 'Past and cancelled', coming: 'Coming up',
};

const TEXTS = { ko, en };
let current = recall('lang');

if (!TEXTS[current]) current = (navigator.languages?.[0] ?? navigator.language ?? 'ko').startsWith('ko') ? 'ko' : 'en';
document.documentElement.lang = current;

export const lang = () => current;
export function setLang(next) {
	current = TEXTS[next] ? next : 'ko';
	keep('lang', current);
	document.documentElement.lang = current;
}

/* A text by its name ("s.EXPIRED" reaches into a group), with its arguments put in. */
export function t(name, ...args) {
	const text = name.split('.').reduce((from, part) => from?.[part], TEXTS[current]);
	return typeof text === 'function' ? text(...args) : text ?? name;
}

/* The restaurant's own words: English where it gave any. */
export const own = (korean, english) => (current === 'en' && english ? english : korean) ?? '';

/* Days are plain "YYYY-MM-DD" of the restaurant; UTC keeps the visitor's own zone out of it. */
export const asDate = (day) => new Date(`${day}T00:00:00Z`);
export const isDay = (text) => /^20\d\d-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(asDate(text).getTime()) && asDate(text).toISOString().startsWith(text);
export const isTime = (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text ?? '');
export const addDays = (day, n) => new Date(asDate(day).getTime() + n * 864e5).toISOString().slice(0, 10);
export const weekdayOf = (day) => asDate(day).getUTCDay() || 7;
const format = (day, how) => new Intl.DateTimeFormat(current === 'ko' ? 'ko-KR' : 'en-GB', { timeZone: 'UTC', ...how }).format(asDate(day));
/* With its year where that is not this one. */
export const longDay = (day) => format(day, { month: 'long', day: 'numeric', weekday: 'long', ...(Number(day.slice(0, 4)) === new Date(serverNow()).getUTCFullYear() ? {} : { year: 'numeric' }) }).replace(',', '');
export const shortDay = (day) => (current === 'ko' ? `${format(day, { month: 'long', day: 'numeric' })} (${format(day, { weekday: 'short' })})` : format(day, { month: 'short', day: 'numeric', weekday: 'short' }).replace(',', ''));
export const monthName = (month) => format(`${month}-01`, { year: 'numeric', month: 'long' });
export const weekdayName = (day, width) => format(day, { weekday: width });

export const money = (n, currency = 'KRW') => (currency === 'KRW'
	? current === 'ko' ? `${n.toLocaleString('ko-KR')}원` : `₩${n.toLocaleString('en-GB')}`
	: new Intl.NumberFormat(current, { style: 'currency', currency, maximumFractionDigits: 0 }).format(n));

/* Minutes of a day as "HH:MM", and back. */
export const minutesOf = (time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
export const timeOf = (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/* An instant as a time of day at the restaurant. */
export const clockAt = (iso, zone) => new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(new Date(iso));
