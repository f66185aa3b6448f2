/*
 * ko.js - the page of a party at the door, in Korean.
 */
export const words = {
	language: '언어',
	close: '아니요, 기다릴게요',
	title: {
		WAITING: '대기 중입니다',
		CALLED: '자리가 준비되었습니다',
		SEATED: '자리에 앉으셨습니다',
		LEFT: '대기를 취소했습니다',
		NO_SHOW: '호출 시간이 지났습니다',
		CLOSED: '오늘 영업이 끝났습니다',
	},
	place: (n) => `${n}번째`,
	ahead: (n) => `앞에 ${n}팀이 있습니다.`,
	next: '다음 차례입니다.',
	wait: '지금부터 예상 대기 시간',
	range: (low, high) => `${low}~${high}분`,
	soon: '곧 안내해 드립니다',
	least: (low) => `${low}분 이상, 오늘 안내가 어려울 수 있습니다`,
	unsure: '직원에게 문의해 주세요',
	party: '인원',
	people: (n) => `${n}명`,
	keepOpen: '이 화면을 열어 두시면 자리가 준비되었을 때 알려 드립니다.',
	comeIn: '들어오셔서 직원에게 말씀해 주세요.',
	within: (minutes) => `${minutes}분 동안 자리를 맡아 두겠습니다.`,
	over: {
		SEATED: '맛있게 드세요.',
		LEFT: '잘못 누르셨다면 직원에게 말씀해 주세요. 순번을 되돌려 드립니다.',
		NO_SHOW: '자리가 다음 손님께 안내되었습니다. 직원에게 말씀해 주세요.',
		CLOSED: '오늘 안내해 드리지 못해 죄송합니다.',
	},
	leave: '대기 취소',
	leaveTitle: '대기를 취소할까요?',
	leaveText: '순번이 다음 손님께 넘어갑니다.',
	lost: '연결이 끊겼습니다. 마지막으로 확인한 내용이며, 계속 다시 확인합니다.',
	broken: '문제가 생겼습니다. 직원에게 말씀해 주세요.',
};
