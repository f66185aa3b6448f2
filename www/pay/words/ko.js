/*
 * ko.js - every text about payments for guests in Korean, one a line.
 */
export const words = {
	pay: '결제',
	paySum: (sum) => `${sum} 결제하기`,
	payAbout: '결제하시면 예약이 바로 확정됩니다.',
	paySafe: '카드 정보는 결제사 화면에서만 입력하시며, 식당에는 저장되지 않습니다.',
	payOr: '다른 방법으로 결제하시려면',
	keepCard: '카드 등록하기',
	keepAgree: '동의하고 카드 등록하기',
	keepAbout: (sum) =>
		`지금 결제되는 금액은 없습니다. 연락 없이 오지 않으시면 등록하신 카드로 최대 ${sum}까지 ` +
		'청구될 수 있습니다.',
	keepNeeded: '예약을 확정하려면 카드를 등록해 주셔야 합니다.',
	keepTerms: '카드 보증 안내',
	keepHours: (hours) =>
		`예약 시간 이후 ${hours}시간 안에만 청구할 수 있고, 그 뒤에는 카드 등록 정보가 삭제됩니다.`,
	kept: '카드가 등록되었습니다',
	test: '테스트 모드입니다. 실제로 결제되지 않습니다.',

	going: '결제창을 여는 중…',
	preparing: '결제를 준비하는 중…',
	ready: '결제하시면 예약이 확정됩니다',
	readyText: '아래 버튼을 누르면 결제창으로 이동합니다.',
	notOpened: '결제창이 열리지 않았습니다. 청구된 금액은 없습니다. 다시 눌러 주세요.',
	checking: '결제를 확인하고 있습니다',
	checkingText: '보통 몇 초면 끝납니다. 다시 결제하지 마시고 잠시만 기다려 주세요.',
	checkingLong:
		'결제사 응답이 늦어지고 있습니다. 결과가 나올 때까지 계속 확인하니 다시 결제하지 마세요. ' +
		'이 화면을 닫으셔도 ‘내 예약’에서 결과를 보실 수 있습니다.',
	paid: '결제가 완료되었습니다',
	paidText: '예약이 확정되었습니다.',
	nothing: '결제되지 않았습니다',
	nothingText: '결제 시간이 지나 자리가 다른 손님께 열렸습니다. 청구된 금액은 없습니다.',
	refundComing: '결제하신 금액을 돌려드립니다',
	refundComingText: (sum) =>
		`${sum} 환불을 진행하고 있습니다. 카드사에 따라 며칠 걸릴 수 있습니다.`,
	refunded: '환불되었습니다',
	refundedText: (sum) => `${sum} 환불했습니다. 카드사에 따라 며칠 뒤에 반영될 수 있습니다.`,
	declined: '카드가 승인되지 않았습니다',
	declinedText:
		'청구된 금액은 없습니다. 자리는 남은 시간 동안 그대로 있으니 다른 카드로 결제해 주세요.',
	declinedLast: '청구된 금액은 없습니다.',
	closed: '결제를 마치지 않으셨습니다',
	closedText: '청구된 금액은 없습니다. 자리는 남은 시간 동안 그대로 있습니다.',
	theirWords: (words) => `결제사 안내: ${words}`,
	otherCard: '다른 카드로 결제하기',
	again: '다시 결제하기',
	away: '지금은 온라인으로 결제할 수 없습니다',
	awayText: '청구된 금액은 없습니다. 잠시 후 다시 시도하시거나 식당으로 전화해 주세요.',
	nowhere: '결제할 예약이 없습니다',
	nowhereText: '‘내 예약’이나 받으신 링크에서 다시 열어 주세요.',
	otherBrowser: '예약하신 화면이나 받으신 링크로 돌아가 다시 결제해 주세요.',
	toReservation: '예약 보기',
	sum: '결제할 금액',
	back: '예약으로 돌아가기',

	tryTitle: '시험 결제',
	tryPaid: '시험 결제에 성공했습니다. 돌려드리는 중입니다.',
	tryRefunded: '시험 결제와 환불에 모두 성공했습니다. 이제 손님께서 결제하실 수 있습니다.',
	tryFailed:
		'시험 결제가 되지 않았습니다. 청구된 금액은 없습니다. 이유는 설정 화면에 나와 있습니다.',
	tryBack: '설정으로 돌아가기',

	at: {
		CHECKING: '결제를 확인하고 있습니다. 다시 결제하지 마시고 잠시만 기다려 주세요.',
		REFUND_ON_ITS_WAY: (sum) =>
			`${sum} 환불을 진행하고 있습니다. 카드사에 따라 며칠 걸릴 수 있습니다.`,
		REFUNDED: (sum) => `${sum} 환불했습니다. 카드사에 따라 며칠 뒤에 반영될 수 있습니다.`,
		DECLINED: '카드가 승인되지 않았습니다. 청구된 금액은 없습니다.',
		NOTHING_CHARGED: '청구된 금액은 없습니다.',
		KEPT: '카드가 등록되어 있습니다. 지금까지 청구된 금액은 없습니다.',
	},
	short: {
		CHECKING: '결제 확인 중',
		PAID: '결제 완료',
		REFUND_ON_ITS_WAY: '환불 중',
		REFUNDED: '환불 완료',
		KEPT: '카드 등록',
	},
};
