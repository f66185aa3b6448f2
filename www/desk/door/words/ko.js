/*
 * ko.js - the door list at the desk, in Korean.
 */
export const words = {
	title: '현장 대기',
	close: '현장 대기 닫기',
	empty: '대기 중인 손님이 없습니다.',
	join: '몇 분이신가요? 누르면 명단에 올라갑니다.',
	joinMore: '이름, 전화번호(선택)',
	add: '명단에 올리기',
	full: (n) => `대기가 ${n}팀이라 더 받을 수 없습니다.`,
	nobodyYet: '지금 바로 안내할 수 있습니다.',

	now: '바로',
	range: (low, high) => `${low}~${high}분`,
	least: (low) => `${low}분 이상, 오늘 안내가 어려울 수 있음`,
	never: '이 인원이 앉을 자리가 없음',
	wait: '지금부터 예상 대기',
	waits: (minutes) => `${minutes}분째 대기`,
	quoted: (low, high) => `안내한 시간 ${low}~${high}분`,
	party: (n) => `${n}명`,
	passed: (n) => `먼저 온 ${n}팀보다 앞서 안내`,
	overtaken: (n) => `나중에 온 ${n}팀이 먼저 안내됨`,

	called: (time) => `${time} 호출`,
	callOut: '메시지를 보내지 않았습니다. 직접 불러 주세요.',
	message: {
		QUEUED: '메시지를 보내는 중입니다.',
		SENT: '메시지로 알렸습니다.',
		FAILED: '메시지를 보내지 못했습니다. 직접 불러 주세요.',
		SKIPPED: '메시지가 발송되지 않았습니다. 직접 불러 주세요.',
	},

	call: '자리 준비됨',
	callAgain: '다시 호출',
	seat: '착석',
	change: '수정',
	saveChange: '저장',
	leave: '대기 취소',
	noShow: '오지 않음',
	undo: '되돌리기',
	qr: '손님 화면 QR',
	qrAbout:
		'손님이 휴대폰으로 찍으면 순번과 예상 시간이 보이고, ' +
		'자리가 준비되면 알려 드리며, 직접 취소할 수도 있습니다.',
	more: '더 보기',
	seatTitle: (party) => `${party} 착석`,

	ended: '오늘 명단에서 나간 손님',
	did: {
		SEATED: (time) => `${time} 착석`,
		LEFT: (time) => `${time} 취소`,
		NO_SHOW: (time) => `${time} 오지 않음`,
		byGuest: '손님이 직접',
	},
};
