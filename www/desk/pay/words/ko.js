/*
 * ko.js - every text of the desk about payments online in Korean, one a line.
 */
export const words = {
	title: '온라인 결제',
	about:
		'손님이 예약하면서 카드로 예약금을 결제합니다. 계약한 결제사의 키를 넣고 시험 결제를 해 ' +
		'보시면 바로 쓰실 수 있습니다.',
	provider: '결제 방법',
	providers: {
		desk: '온라인 결제 안 함 (계좌 이체, 매장 결제)',
		portone: '포트원 (PortOne V2)',
		toss: '토스페이먼츠',
		stripe: 'Stripe (해외 매장)',
	},
	names: { desk: '매장', portone: '포트원', toss: '토스페이먼츠', stripe: 'Stripe' },
	providerAbout: {
		desk: '지금처럼 손님이 이체하거나 매장에서 결제하고, 직원이 입금을 확인합니다.',
		portone:
			'국내 카드와 간편결제를 받습니다. 받을 수 있는 카드는 포트원 콘솔의 채널에서 정합니다. ' +
			'채널에는 ‘수동 승인’을 켜 두어야 합니다.',
		toss: '국내 카드를 받습니다. 해외 카드는 토스페이먼츠 심사를 거쳐 받을 수 있습니다.',
		stripe:
			'Visa, Mastercard, American Express 등 매장이 있는 나라의 카드를 받습니다. 한국 사업자는 ' +
			'가입할 수 없습니다.',
	},
	currencyNot: (currency) => `이 결제사는 ${currency} 결제를 지원하지 않습니다.`,
	storeId: '상점 아이디 (Store ID)',
	channelKey: '채널 키 (Channel Key)',
	clientKey: '클라이언트 키',
	secret: '시크릿 키',
	apiSecret: 'API 시크릿 (V2 API Secret)',
	webhookSecret: '웹훅 시크릿',
	secretKept: '저장되어 있습니다. 바꿀 때만 입력하세요.',
	secretAbout: '저장하면 암호화되어 다시 보이지 않습니다.',
	webhookAbout: '없어도 결제와 환불은 됩니다. 결제사 콘솔에서 취소한 결제를 더 빨리 알게 됩니다.',
	webhookUrl: '결제사 콘솔에 등록할 웹훅 주소',
	mode: '테스트 모드',
	modeAbout: '손님 화면에 ‘실제로 결제되지 않습니다’라고 표시합니다. 테스트 키와 함께 쓰세요.',
	guarantee: '예약금 대신 카드 보증 받기',
	guaranteeAbout: '예약할 때는 청구하지 않고, 오지 않은 손님에게만 직원이 직접 청구합니다.',
	phoneHoldHours: '결제 링크를 보낸 뒤 기다리는 시간',
	guaranteeAmount: '1인당 최대 청구 금액',
	guaranteeHours: '예약 시간 이후 청구할 수 있는 시간',
	guaranteeTerms: '손님이 동의할 안내문',
	wrong: {
		blank: '중간에 빈칸이 있습니다. 키를 다시 복사해 주세요.',
		other: (name) => `이 키는 ‘${name}’ 칸에 넣는 키로 보입니다.`,
		company: (name) => `다른 결제사(${name})의 키입니다.`,
		public: '공개용 키입니다. 그 아래에 있는 시크릿 키(sk_ 또는 rk_)를 넣어 주세요.',
		begin: '이 칸에 넣는 키로 보이지 않습니다. 콘솔에서 다시 확인해 주세요.',
		live: '실제 결제용 키입니다. 테스트 모드를 끄거나 테스트 키를 넣어 주세요.',
		test: '테스트 키입니다. 실제 결제용 키를 넣거나 테스트 모드를 켜 주세요.',
	},
	tryIt: (sum) => `시험 결제 ${sum}`,
	tryAbout: (sum) =>
		`새 창에서 카드로 ${sum} 결제하고 곧바로 돌려받습니다. 손님이 보는 화면 그대로입니다.`,
	trySave: '먼저 저장해 주세요.',
	tryAway: '결제 처리기(cashier)가 꺼져 있어 결제를 처리할 수 없습니다.',
	tries: {
		BEGIN: '결제사의 응답을 기다리고 있습니다.',
		READY: '새 창에서 결제를 마쳐 주세요.',
		orNot:
			'결제창이 열리지 않았다면 클라이언트 키·채널 키와 상점 아이디를 확인하고, 브라우저의 ' +
			'차단 기능을 꺼 주세요.',
		noAnswer:
			'결제사에서 응답이 없습니다. 자리 서버가 인터넷에 연결되어 있는지, 키가 맞는지 확인한 뒤 ' +
			'다시 시도해 주세요.',
		notOpened:
			'결제창이 열리지 않았습니다. 청구된 금액은 없습니다. 클라이언트 키·채널 키와 상점 아이디, ' +
			'브라우저의 차단 기능과 인터넷 연결을 확인한 뒤 다시 시도해 주세요.',
		stopped: '결제를 시작하지 못했습니다. 청구된 금액은 없습니다. 이유는 새 창에 나와 있습니다.',
		CHECKING: '시험 결제를 확인하고 있습니다.',
		PAID: '시험 결제에 성공했습니다. 돌려드리는 중입니다.',
		REFUND_ON_ITS_WAY: '시험 결제에 성공했습니다. 돌려드리는 중입니다.',
		REFUNDED: '시험 결제와 환불에 모두 성공했습니다. 이제 손님이 결제할 수 있습니다.',
		DECLINED: '시험 결제가 승인되지 않았습니다.',
		NOTHING_CHARGED: '시험 결제를 하지 않았습니다. 청구된 금액은 없습니다.',
	},
	said: (words) => `결제사 안내: ${words}`,
	cause: {
		secret: '시크릿 키가 맞지 않습니다. 콘솔에서 다시 복사해 넣어 주세요.',
		right: '이 키로는 할 수 없는 일입니다. 콘솔에서 키의 권한과 채널 계약을 확인해 주세요.',
		channel: '채널 키가 맞지 않거나 수동 승인이 꺼져 있습니다. 포트원 콘솔의 채널을 확인해 주세요.',
		store: '상점 아이디가 맞지 않습니다.',
		noWay:
			'자리 서버가 결제사에 연결하지 못했습니다. 서버의 인터넷 연결을 확인한 뒤 다시 시도해 ' +
			'주세요.',
		unopened:
			'결제창을 열지 않았거나 결제 전에 나갔습니다. 열리지 않았다면 클라이언트 키·채널 키와 상점 ' +
			'아이디를 확인하고, 브라우저의 차단 기능을 꺼 주세요.',
		late: '결제창을 연 지 오래되어 닫혔습니다. 다시 시도해 주세요.',
	},

	list: '결제와 환불',
	needs: '확인이 필요한 결제와 환불',
	needsNone: '확인이 필요한 것이 없습니다.',
	newest: '최근 결제',
	none: '아직 온라인 결제가 없습니다.',
	away: '결제 처리기(cashier)가 꺼져 있습니다. 새 결제는 받을 수 없고, 환불은 켜지면 이어집니다.',
	again: '다시 시도',
	byHand: '직접 환불함',
	byHandTitle: '직접 환불하셨나요?',
	byHandText: (sum, name) =>
		`${name} 님께 ${sum} 전액을 계좌 이체 등으로 이미 돌려드린 경우에만 눌러 주세요. 결제사에는 ` +
		'더 이상 환불을 요청하지 않습니다.',
	byHandYes: '네, 돌려드렸습니다',
	attempts: (n) => `${n}번 시도`,
	kinds: { REFUND: '환불', PAYMENT: '결제', CHARGE: '보증 청구' },
	states: {
		BEGIN: '준비 중',
		READY: '결제 전',
		CHECKING: '확인 중',
		AUTHORISED: '확인 중',
		PAID: '결제 완료',
		REFUND_DUE: '환불 예정',
		REFUND_ON_ITS_WAY: '환불 중',
		REFUNDED: '환불 완료',
		VOIDED: '청구 안 됨',
		NOTHING_CHARGED: '청구 안 됨',
		DECLINED: '승인 안 됨',
		FAILED: '실패',
		QUEUED: '환불 중',
		DONE: '환불 완료',
		BY_HAND: '직접 환불함',
	},

	link: '결제 링크 보내기',
	linkSent: (when) => `결제 링크를 보냈습니다.${when ? ` ${when}까지 결제하시면 확정됩니다.` : ''}`,
	online: '온라인 결제',
	card: '카드 보증',
	cardUntil: (sum, when) => `최대 ${sum}, ${when}까지 청구할 수 있음`,
	charge: '보증 카드 청구',
	chargeText: (sum, when) =>
		`손님이 동의한 최대 금액은 ${sum}입니다. ${when}까지 청구할 수 있고, 손님께 알림이 갑니다.`,
	chargeAmount: '청구할 금액',
	chargeYes: '청구하기',
	charged: '청구를 요청했습니다.',
};
