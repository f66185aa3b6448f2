/*
 * ko.js - every text of the desk in Korean, one a line.
 *
 * Buttons are short nouns or 해요체, sentences are 합니다체.
 */
function ago(hours) {
	if (hours < 1) return '1시간 이내';
	return hours < 48 ? `${hours}시간 전` : `${Math.floor(hours / 24)}일 전`;
}

export const words = {
	skip: '본문으로 건너뛰기',
	language: '언어',
	desk: '데스크',
	login: '로그인',
	email: '이메일',
	password: '비밀번호',
	welcome: '환영합니다. 사용할 비밀번호를 정해 주세요.',
	linkUsed:
		'이미 사용했거나 기한이 지난 링크입니다. ' +
		'비밀번호를 정하셨다면 로그인하고, 아니면 새 링크를 받아 주세요.',
	newPassword: '새 비밀번호 (8자 이상)',
	choose: '이 비밀번호로 시작하기',
	logout: '로그아웃',
	retry: '다시 시도',
	close: '닫기',
	save: '저장',
	saved: '저장했습니다.',
	/* which values the box takes, where the range of a number does not say it */
	taken: {
		sittingMinutes: '0 또는 5~1440을 입력해 주세요.',
		sittingLargeMinutes: '0 또는 5~1440을 입력해 주세요.',
		partyMin: '최소 인원은 최대 인원보다 클 수 없습니다.',
		partyMax: '최대 인원은 최소 인원보다 작을 수 없습니다.',
		callingCode: '한국은 82, 일본은 81처럼 입력해 주세요.',
	},
	range: (least, most) => `입력할 수 있는 범위: ${least}~${most}`,
	asOf: (time) => `연결이 끊겼습니다. ${time} 기준 화면이며, 지금은 변경할 수 없습니다.`,
	lost: '연결할 수 없습니다. 네트워크를 확인해 주세요.',
	broken: '문제가 생겼습니다. 잠시 후 다시 시도해 주세요.',
	notStaff: '직원 계정이 아닙니다.',
	noCookies:
		'비밀번호는 맞지만 이 브라우저가 쿠키를 저장하지 않아 로그인할 수 없습니다. ' +
		'브라우저 설정에서 이 주소의 쿠키를 허용해 주세요.',

	/* the evening */
	list: '예약',
	now: '지금',
	timeline: '타임라인',
	numbers: '통계',
	house: '설정',
	today: '오늘',
	prevDay: '전날',
	nextDay: '다음 날',
	date: '날짜',
	walkIn: '워크인',
	phoneBooking: '전화 예약',
	search: '검색',
	searchHint: '이름, 전화번호, 예약번호',
	nothingFound: '검색 결과가 없습니다.',
	mistypedCode: '예약번호라면 잘못된 글자가 있습니다. 손님께 한 번 더 확인해 주세요.',
	print: '인쇄',
	coversToday: '총 손님',
	present: '현재 이용 중',
	toCome: '방문 예정',
	freeSeats: '잔여석',
	line: (n) => `대기열 ${n}명`,
	late: '늦는 손님',
	lateBy: (n) => `${n}분 지남`,
	empty: '이날은 예약이 없습니다.',
	closed: '휴무일입니다.',
	people: (n) => `${n}명`,
	table: '테이블',
	tableOf: (name) => `테이블 ${name}`,
	noTable: '테이블 없음',
	seatsOf: (n) => `${n}인석`,
	until: (time) => `${time}까지`,
	over: (n) => `${n}분 초과`,
	minutesLeft: (n) => `${n}분 남음`,
	next: (time, name, n) => `다음 ${time} ${name} ${n}명`,
	free: '비어 있음',
	visits: (n) => `방문 ${n}회`,
	noShows: (n) => `노쇼 ${n}회`,
	first: '첫 방문',
	blockedGuest: '차단된 번호',
	holdLeft: (time) => `입금 대기 ${time}`,
	due: (sum) => `미입금 ${sum}`,
	paid: (sum) => `입금 ${sum}`,
	dueBack: (sum) => `환불할 금액 ${sum}`,
	request: '요청',
	note: '메모',
	dishes: '주문',
	code: '예약번호',
	money: '결제',
	guestSo: '방문 이력',
	source: {
		WEB: '온라인',
		DESK: '전화',
		WALK_IN: '워크인',
		WAITLIST: '대기',
		IMPORT: '가져온 예약',
	},
	s: {
		TEMPORARY: '입금 대기',
		CONFIRMED: '예약 확정',
		PREPAY_CONFIRM: '선결제',
		REFUND_PENDING: '환불 대기',
		EXPIRED: '기한 만료',
		COMPLETED: '방문 완료',
		REFUNDED: '환불 완료',
		NO_SHOW: '노쇼',
		CANCELED: '취소',
	},
	v: { ARRIVED: '도착', SEATED: '착석', LEFT: '퇴장' },

	/* acts */
	arrive: '도착',
	seat: '착석',
	leave: '퇴장',
	complete: '방문 완료',
	noShow: '노쇼',
	confirm: '입금 확인',
	changeTo: (n, code) => `예약 ${code} 인원 변경 요청: ${n}명`,
	changeWaits: (sum) => `변경 대기: ${sum} 입금 전`,
	cancel: '예약 취소',
	undo: '되돌리기',
	call: '전화',
	did: {
		arrive: '도착으로 표시했습니다.',
		seat: '착석으로 표시했습니다.',
		leave: '퇴장으로 표시했습니다.',
		complete: '방문 완료로 표시했습니다.',
		'no-show': '노쇼로 표시했습니다.',
		confirm: '입금을 확인했습니다.',
		cancel: '예약을 취소했습니다.',
		note: '메모를 저장했습니다.',
		change: '예약을 변경했습니다.',
		undo: '되돌렸습니다.',
		book: '예약했습니다.',
		walkIn: '착석으로 등록했습니다.',
	},
	surePaid: (sum) => `${sum} 입금을 확인하셨나요? 입금 기록은 되돌리기로 지울 수 없습니다.`,
	yesPaid: '네, 받았어요',
	surePaidLate:
		'입금 기한이 지나 만료된 예약입니다. ' +
		'자리가 남아 있으면 다시 확정하고, 없으면 환불할 금액으로 기록합니다.',
	surePaidCancelled: '취소된 예약이므로 환불할 금액으로만 기록합니다.',
	surePaidAgain: '이미 입금된 예약입니다. 추가로 받은 금액은 환불할 금액으로 기록합니다.',
	sureGiven: (name, sum) => `${name} 님께 ${sum} 환불을 마치셨나요?`,
	samePayment: '환불하기로 한 그 입금이에요',
	onceMore: '네, 추가로 받았어요',
	paidAgain: '추가 입금',
	sureCancel: '이 예약을 취소할까요?',
	reason: '사유 (선택)',
	refundAll: '전액 환불',
	refundTerms: '예약 당시의 환불 규정대로',
	keepIt: '그대로 두기',
	edit: '변경',
	time: '시간',
	partySize: '인원',
	anyTable: '선택하지 않으면 자동 배정합니다.',
	chooseTables: '테이블',
	name: '이름',
	phone: '전화번호',
	optional: '선택',
	guestNote: '손님 메모 (다음 방문 때도 보입니다)',
	block: '온라인 예약 차단',
	erase: '이 손님 정보 삭제',
	sureErase: '이름, 전화번호, 메모를 삭제합니다. 되돌릴 수 없습니다. 방문 횟수는 남습니다.',
	history: '기록',
	knownGuest: (name, visits, noShows) => `${name} · 방문 ${visits}회 · 노쇼 ${noShows}회`,
	newGuest: '처음 예약하는 번호입니다.',
	deposit: '예약금 받기',
	bookIt: '예약하기',
	howMany: '몇 분이신가요?',
	staleBy: (who) => `${who} 님이 먼저 변경했습니다. 현재 상태를 보여 드립니다.`,
	staleElsewhere: '다른 화면에서 먼저 변경했습니다. 현재 상태를 보여 드립니다.',
	shortStay: (time) => `${time}까지만 이용할 수 있습니다.`,
	shortStayText: '그 뒤에는 다른 예약이 있습니다. 그때까지 이용하셔도 괜찮은지 여쭤보세요.',
	seatUntil: (time) => `${time}까지 착석`,
	noTableFits: (n) => `그 시간에는 ${n}명이 앉을 수 있는 테이블이 없습니다.`,
	fits: (times) => `가능한 시간: ${times}`,
	h: { created: '예약', status: '상태', details: '변경', note: '메모', act: '처리' },
	byGuest: '손님',
	byKeeper: '자동',

	/* the waitlist */
	waiting: '대기',
	waitShort: (n) => `대기 ${n}`,
	rank: (n) => `대기 ${n}번`,
	offeredUntil: (time) => `${time}까지 제안 중`,
	offer: '자리 제안',
	didOffer: '자리를 제안했습니다',
	removeWait: '삭제',
	clearWait: '모두 삭제',
	clearWaitOf: (time, n) => `${time} 대기 ${n}팀 모두 삭제`,
	clearWaitAsk: (time, n) => `${time} 대기 ${n}팀을 모두 삭제할까요?`,
	clearWaitText:
		'제안한 자리도 함께 취소됩니다. ' +
		'메시지는 보내지 않으며 손님 화면에만 표시됩니다. 되돌릴 수 없습니다.',
	didClear: '대기를 모두 삭제했습니다',
	didRemove: '대기에서 삭제했습니다',
	addWait: '대기 등록',
	pace: '받는 인원',
	paceLabel: '이날 이 시각에 받는 인원',
	paceText: (left, waits) =>
		`잔여석 ${left}석${waits ? `, 대기 ${waits}팀` : ''}. ` +
		'인원을 늘리면 대기 중인 손님에게 먼저 제안합니다.',
	saidComing: '방문 의사 확인',
	failed: (n) => `보내지 못한 메시지가 ${n}건 있습니다.`,
	clockDoubted: (now) =>
		`이 기기가 오래 꺼져 있었거나 시계가 맞지 않습니다. 현재 시계: ${now}. ` +
		'맞으면 평소처럼 사용하시고, 틀리면 기기의 시계를 맞춰 주세요.',
	stuck: (n, said) =>
		`메시지 ${n}건을 아직 보내지 못해 계속 다시 보내고 있습니다. ` +
		`설정에서 메일과 문자 설정을 확인해 주세요. 서버의 답: ${said}`,
	seeMessages: '설정에서 보기',

	/* numbers */
	from: '시작일',
	to: '종료일',
	inAll: '합계 (방문일 기준)',
	coversAll: '손님 수',
	parties: '팀 수',
	fill: '좌석 점유율',
	lead: '평균 예약 시점',
	hoursAhead: (n) => (n < 48 ? `${n}시간 전` : `${Math.round(n / 24)}일 전`),
	moneyIn: '입금 금액',
	moneyKept: '보유 금액',
	moneyReturned: '환불 완료 금액',
	moneyDue: '환불할 금액',
	givenBack: '환불 완료',
	rush: '대기열',
	rushText: (n, ms) => `${n}건, 95%가 ${ms}ms 이내`,
	byDay: '일별 손님 수',
	byHour: '시간대별 손님 수',
	asTable: '표로 보기',
	noNumbers: '이 기간에는 예약이 없습니다.',
	reading: (day) => `${day}부터 불러오는 중…`,
	lists: {
		reservations: '예약 목록 (CSV)',
		guests: '손님 목록 (CSV)',
		payments: '결제 내역 (CSV)',
	},

	/* the house */
	setup: '식당 등록',
	you: '사장님',
	loginEmail: '로그인할 이메일',
	share: '손님 예약 페이지:',
	contents: '목차',
	asGuest: '손님 화면 보기',
	guestsRead: '손님에게 보이는 내용:',
	setupText:
		'이름과 영업시간만 정하면 바로 예약을 받을 수 있습니다. ' +
		'나머지는 언제든 변경할 수 있습니다.',
	restore: '사용하던 jari가 있다면',
	restoreThere: '백업 파일이 있나요?',
	restoreText:
		'새로 등록하는 대신 백업 파일을 복원합니다. ' +
		'예약, 손님, 설정, 직원, 이미 보낸 링크까지 모두 복원됩니다.',
	restoreFile: '백업 파일',
	restoreIt: '백업 복원',
	restoring: '백업을 보내는 중',
	restored: '백업을 복원했습니다',
	restoredText: (day, all, soon) =>
		`${day ? `${day}에 만든 백업입니다. ` : ''}` +
		`예약 ${all}건을 복원했고, 그중 ${soon}건이 앞으로의 예약입니다.`,
	restoredLinks:
		'이미 보낸 링크와 QR 코드를 다시 사용할 수 있습니다. ' +
		'사용하던 이메일과 비밀번호로 로그인해 주세요.',
	restoredNoLinks:
		'이 백업에는 키 파일이 없어 이미 보낸 링크는 열리지 않습니다. ' +
		'사용하던 이메일과 비밀번호로 로그인해 주세요.',
	open: '예약 받기 시작',
	opened: '이제 예약을 받습니다.',
	facts: '식당 정보',
	nameEn: '영문 이름',
	address: '주소',
	addressEn: '영문 주소',
	paymentText: '예약금 안내 (계좌 등)',
	timezone: '시간대 (예: Asia/Seoul)',
	currency: '통화 (예: KRW)',
	hours: '영업시간',
	hoursText:
		'손님은 이 시간 안에서 예약합니다. 마지막 예약은 영업 종료 직전까지 시작할 수 있으니, ' +
		'주문 마감이 이르면 종료 시간을 앞당겨 주세요. 이미 받은 예약은 그대로 유지됩니다.',
	addSpan: '시간 추가',
	removeIt: '삭제',
	opens: '영업 시작',
	closes: '영업 종료',
	days: ['', '월', '화', '수', '목', '금', '토', '일'],
	special: '휴무·특별 영업일',
	specialText: '쉬는 날이나 영업시간이 다른 날입니다.',
	specialKind: '구분',
	dayNote: '메모 (손님에게는 보이지 않습니다)',
	day: { open: '영업', shut: '휴무', other: '영업시간 변경' },
	closedDay: '휴무',
	asUsual: '평소대로',
	menu: '메뉴',
	menuText: '이미 받은 주문의 메뉴 이름과 가격은 바뀌지 않습니다.',
	price: '가격',
	soldOut: '품절',
	about: '설명',
	aboutEn: '영문 설명',
	addDish: '메뉴 추가',
	up: '위로',
	tables: '테이블',
	tablesText: '테이블을 등록하지 않으면 좌석 수만 셉니다.',
	addTable: '테이블 추가',
	seatsMax: '좌석 수',
	joins: '붙여 쓸 수 있는 테이블',
	tablesSum: (n, house) => {
		const other = house && house !== n;
		const limit = other ? ` 동시 이용 인원은 ${house}명으로 설정되어 있습니다.` : '';
		return `테이블 좌석은 모두 ${n}석입니다.${limit}`;
	},
	addJoin: '붙여 쓰기 추가',
	joinNames: '테이블 이름 (예: 1, 2)',
	floor: '테이블 배치',
	floorText: '테이블을 끌어 놓으면 「지금」 화면에 그대로 보입니다.',
	tableCard: '테이블 카드',
	tableCardText: '손님 예약 페이지의 QR 코드가 있는 A6 카드입니다.',
	staff: '직원',
	addStaff: '직원 추가',
	role: { label: '역할', STAFF: '직원', OWNER: '사장' },
	newLink: '새 링크',
	newLinkEnds:
		'지금 쓰는 비밀번호와 모든 로그인이 바로 끝납니다. 새 링크로만 다시 들어올 수 있습니다.',
	logoutEnds: '모든 기기에서 다시 로그인해야 합니다.',
	removeEnds: '더 이상 로그인할 수 없습니다. 되돌릴 수 없습니다.',
	logoutAll: '모든 기기 로그아웃',
	remove: '삭제',
	linkText: (minutes) =>
		`이 링크를 직원에게 전달해 주세요. ${minutes}분 안에 한 번만 사용할 수 있습니다.`,
	pause: '온라인 예약 일시 중지',
	pauseHour: '1시간',
	pauseTonight: '오늘 자정까지',
	pauseUntil: '중지 마지막 날',
	pauseUntilGo: '이날까지 중지',
	resume: '예약 다시 받기',
	pausedUntil: (when) => `${when}까지 모든 날짜의 온라인 예약을 받지 않습니다.`,
	takesBookings:
		'지금 온라인 예약을 받고 있습니다. 중지하면 모든 날짜의 예약이 닫힙니다. ' +
		'하루만 닫으려면 아래에서 휴무일로 지정해 주세요.',
	contradicted: (n) =>
		`저장했습니다. 변경한 설정과 맞지 않는 예약이 ${n}건 있습니다. ` +
		'예약은 그대로 두었으니 손님께 연락해 주세요.',
	torn: {
		HOURS: '영업시간 밖',
		PARTY: '인원 제한 밖',
		SEATS: '좌석 부족',
		TABLE: '맞는 테이블 없음',
	},
	inTheWay: (n) => `(앞으로의 예약과 대기 ${n}건)`,

	/* messages */
	messages: '메시지',
	messagesText:
		'손님과 사장님에게 무엇을 언제 보낼지 정합니다. ' +
		'손님의 예약이나 변경에 대한 답은 조용한 시간에도 바로 보냅니다.',
	notifyEmail: '사장님이 받을 이메일',
	messageText: '손님 메시지 맨 위에 넣을 문구',
	messageTextEn: '손님 메시지 맨 위에 넣을 문구 (영어)',
	mail: '메일',
	mailText: '메일 서비스에서 안내받은 주소와 비밀번호를 입력하고, 테스트 메일을 보내 보세요.',
	mailWay: '보내는 방법',
	way: { OFF: '보내지 않음', SMTP: '메일 서버 (SMTP)', SENDMAIL: '이 기기의 sendmail' },
	mailHost: '메일 서버 주소',
	mailPort: '포트',
	mailSecurity: '암호화',
	security: { STARTTLS: 'STARTTLS (보통 587)', TLS: 'TLS (보통 465)', NONE: '없음' },
	mailLogin: '로그인 이름',
	mailPassword: '비밀번호 (비우면 그대로)',
	mailSender: '보내는 이메일 주소',
	mailSite: '손님 페이지 주소 (메일 속 링크)',
	mailTest: '나에게 테스트 메일 보내기',
	mailTesting: '보내는 중…',
	mailWorks: '보냈습니다. 서버의 답:',
	mailFails: '보내지 못했습니다. 서버의 답:',
	mailSilent: '아직 답이 없습니다. 메시지 발송 프로그램이 실행 중인지 확인해 주세요.',
	lastMessages: '최근 메시지',
	noMessages: '보낸 메시지가 없습니다.',
	choice: { off: '끔', on: '켬', each: '예약마다', hourly: '한 시간에 한 번' },
	channel: { MAIL: '메일', SMS: '문자' },
	sent: { QUEUED: '발송 예정', SENT: '발송 완료', FAILED: '실패', SKIPPED: '보내지 않음' },
	event: {
		confirmed: '예약 확정',
		held: '입금 대기 안내',
		lapsing: '입금 기한 임박',
		changed: '예약 변경',
		cancelled: '손님 취소',
		'cancelled-by-house': '식당 취소',
		offer: '자리 제안',
		'remind-day': '전날 안내',
		'remind-soon': '당일 안내',
		code: '인증번호',
		'owner-new': '새 예약 알림',
		'owner-digest': '새 예약 모음',
		'day-sheet': '오늘의 예약',
		test: '테스트',
	},

	/* the box */
	box: '이 기기',
	boxVersion: '버전',
	boxBackup: '마지막 백업',
	boxBackupHow:
		'서버에서 `jari backup 폴더`를 실행해 주세요. 폴더는 USB처럼 다른 디스크에 있어야 합니다. ' +
		'새 기기에서는 첫 화면에 그 파일을 올리면 됩니다.',
	boxDisk: '디스크 여유 공간',
	boxBook: '예약 장부 크기',
	boxSms: '문자 명령',
	boxCourier: '메시지 발송',
	boxNoCourier: '꺼져 있음',
	never: '없음',
	hoursAgo: (n) => ago(n),
	sessions: '로그인된 기기',
	sessionsText: '잃어버린 태블릿은 여기서 로그아웃해 주세요.',
	endSession: '로그아웃',

	/* rules: the cards, and what guests see of each */
	groups: {
		times: {
			title: '시간과 좌석',
			about: '',
			seen: ({ times, until, largeFrom, untilLarge }) =>
				`예약 시간 ${times} … (18:00 예약은 ${until}까지 자리를 비워 둡니다` +
				`${largeFrom ? `, ${largeFrom}명부터는 ${untilLarge}까지` : ''})`,
		},
		booking: {
			title: '온라인 예약',
			about: '',
			seen: ({ least, most, days, minutes }) =>
				`${least}~${most}명 · ${days}일 뒤까지 · 시작 ${minutes}분 전 마감`,
		},
		deposit: {
			title: '예약금',
			about: '',
			seen: ({ free, two, largeFrom, large, minutes }) =>
				free
					? '예약금 없이 바로 확정'
					: `2명 ${two} · ${largeFrom}명 ${large} · ${minutes}분 안에 입금`,
		},
		refund: {
			title: '환불',
			about:
				'손님이 취소할 때 환불하는 비율입니다. ' + '이미 받은 예약은 예약 당시의 규정을 따릅니다.',
			seen: ({ paid, before, sameDay, minutes, late, largeFrom, lateLarge }) =>
				`${paid} 입금 시 환불 금액: 전날까지 ${before}, 당일 ${minutes}분 전까지 ${sameDay}, ` +
				`그 뒤 ${late} (${largeFrom}명부터 ${lateLarge})`,
		},
		waitlist: { title: '대기', about: '' },
		privacy: { title: '개인정보', about: '' },
		messages: { title: '메시지', about: '' },
	},
	rules: {
		slotMinutes: {
			label: '예약 시간 간격(분)',
			help: '30이면 18:00, 18:30, 19:00 …에 예약할 수 있습니다.',
		},
		reservationLimit: {
			label: '같은 시각에 받는 인원',
			help: '주방이 한 번에 감당할 수 있는 인원을 입력해 주세요.',
		},
		seats: {
			label: '동시 이용 인원',
			help: '매장에 함께 앉을 수 있는 인원입니다. 0이면 같은 시각에 받는 인원만 봅니다.',
		},
		sittingMinutes: {
			label: '이용 시간(분)',
			help: '한 팀을 위해 자리를 비워 두는 시간입니다. 0이면 예약 시간 간격과 같습니다.',
		},
		sittingLargeFrom: {
			label: '단체 기준 인원',
			help: '이 인원부터 아래의 단체 이용 시간을 적용합니다.',
		},
		sittingLargeMinutes: {
			label: '단체 이용 시간(분)',
			help: '0이면 다른 손님과 같습니다.',
		},
		partyMin: {
			label: '최소 인원',
			help: '이보다 적은 인원은 온라인으로 예약할 수 없습니다.',
		},
		partyMax: {
			label: '최대 인원',
			help: '이보다 많은 인원에게는 전화 예약을 안내합니다.',
		},
		leadMinutes: {
			label: '예약 마감(분 전)',
			help: '그 뒤에는 데스크에서만 예약을 등록할 수 있습니다.',
		},
		windowDays: {
			label: '예약 오픈(일 전)',
			help: '며칠 뒤까지의 예약을 미리 받을지 정합니다.',
		},
		upcomingPerGuest: {
			label: '번호당 예약 수',
			help: '한 전화번호로 잡아 둘 수 있는 예약 수입니다. 0이면 제한이 없습니다.',
		},
		holdsPerGuest: {
			label: '번호당 입금 대기 수',
			help: '예약금을 내지 않은 예약을 몇 건까지 둘 수 있는지 정합니다. 0이면 제한이 없습니다.',
		},
		callingCode: {
			label: '국가 번호',
			help: '국가 번호 없이 입력한 전화번호는 이 나라 번호로 봅니다.',
		},
		depositPerPerson: {
			label: '1인당 예약금',
			help: '0이면 예약금 없이 바로 확정되고, 손님 페이지에 금액 안내가 나오지 않습니다.',
		},
		depositLargeFrom: {
			label: '단체 기준 인원',
			help: '이 인원부터 아래의 단체 예약금을 적용합니다.',
		},
		depositLargePerPerson: {
			label: '단체 1인당 예약금',
			help: '단체 손님 한 명에게 받는 금액입니다.',
		},
		holdSeconds: {
			label: '입금 기한(분)',
			help: '이 시간 안에 입금이 확인되지 않으면 예약이 취소되어 다른 손님이 예약할 수 있습니다.',
		},
		refundDayBeforePct: {
			label: '전날까지(%)',
			help: '방문 전날까지 취소하면 환불하는 비율입니다.',
		},
		refundSameDayPct: {
			label: '당일(%)',
			help: '방문 당일, 아래의 당일 마감 전에 취소하면 환불하는 비율입니다.',
		},
		refundCutoffMinutes: {
			label: '당일 마감(분 전)',
			help: '이 시각이 지나면 늦은 취소로 봅니다.',
		},
		refundLatePct: {
			label: '늦은 취소(%)',
			help: '당일 마감이 지난 뒤 취소하면 환불하는 비율입니다.',
		},
		refundLargeFrom: {
			label: '단체 기준 인원',
			help: '이 인원부터 아래의 단체 환불 비율을 적용합니다.',
		},
		refundLateLargePct: {
			label: '단체의 늦은 취소(%)',
			help: '단체 손님이 늦게 취소하면 환불하는 비율입니다.',
		},
		waitlistPerGuest: {
			label: '번호당 대기 수',
			help: '한 전화번호로 몇 개의 시간에 대기할 수 있는지 정합니다. 0이면 대기를 받지 않습니다.',
		},
		waitlistOfferMinutes: {
			label: '제안 유지 시간(분)',
			help:
				'이 시간 안에 답이 없으면 다음 순번에게 제안합니다. ' + '예약 시간이 가까우면 짧아집니다.',
		},
		waitlistKeepMinutes: {
			label: '빈자리 보류 시간(분)',
			help:
				'첫 순번에게 모자라는 빈자리를 이 시간 동안 보류하고, 그 뒤에는 누구나 예약합니다. ' +
				'0이면 보류하지 않습니다.',
		},
		waitlistSkip: {
			label: '다음 순번에게 제안',
			help: '첫 순번에게 모자라는 자리를 인원이 맞는 다음 순번에게 제안합니다.',
		},
		retentionMonths: {
			label: '손님 정보 보관(개월)',
			help:
				'마지막 방문 뒤 이 기간이 지나면 이름과 번호를 삭제합니다. ' +
				'방문 횟수는 남습니다. 0이면 삭제하지 않습니다.',
		},
		mailGuests: {
			label: '손님에게 메일',
			help: '이메일을 입력한 손님에게 확정, 변경, 취소, 방문 안내를 보냅니다.',
		},
		smsGuests: {
			label: '손님에게 문자',
			help: '이 기기의 send-sms 명령으로 보냅니다.',
		},
		tellOwner: {
			label: '사장님에게 새 예약 알림',
			help: '새 예약이 들어오면 위의 주소로 알려 드립니다.',
		},
		daySheetHour: {
			label: '오늘의 예약을 보내는 시각(시)',
			help: '매일 이 시각에 그날의 예약을 메일로 보냅니다. 0이면 보내지 않습니다.',
		},
		remindDayHours: {
			label: '첫 방문 안내(시간 전)',
			help: '손님이 방문 여부를 버튼으로 답할 수 있습니다. 0이면 보내지 않습니다.',
		},
		remindMinutes: {
			label: '두 번째 방문 안내(분 전)',
			help: '0이면 보내지 않습니다.',
		},
		quietFrom: {
			label: '조용한 시간 시작(시)',
			help: '이때부터 급하지 않은 메시지를 보내지 않습니다.',
		},
		quietTo: {
			label: '조용한 시간 끝(시)',
			help: '이때부터 다시 보냅니다.',
		},
		proveContact: {
			label: '인증번호',
			help: '손님이 인증번호 여섯 자리를 입력해야 예약이 확정됩니다.',
		},
		proveSeconds: {
			label: '인증번호 입력 기한(분)',
			help: '그때까지 입력하지 않으면 예약이 취소됩니다.',
		},
	},
};
