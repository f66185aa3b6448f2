/*
 * phrases.c - the words of every message.
 */
#include "phrases.h"

#include <assert.h>

/* clang-format off */
static const struct phrases all[OUTBOX__EVENTS][2] = {
	[OUTBOX_CONFIRMED] = {
		[LANG_KO] = {"[%h] 예약이 확정되었습니다: %d %t", "%n님, 예약이 확정되었습니다. 그날 뵙겠습니다.", "예약 보기", "[%h] %d %t %p명 예약이 확정되었습니다. %c"},
		[LANG_EN] = {"[%h] Your table is booked: %d, %t", "Dear %n, your table is booked. We look forward to seeing you.", "See your reservation", "[%h] Booked: %d %t, party of %p. %c"}},
	[OUTBOX_HELD] = {
		[LANG_KO] = {"[%h] 자리를 잡아 두었습니다: %d %t", "%n님, 자리를 잡아 두었습니다. %u까지 입금해 주시면 확정됩니다. 금액: %a", "예약 보기", "[%h] %d %t %p명 자리를 잡아 두었습니다. %u까지 입금 %a"},
		[LANG_EN] = {"[%h] Your seats are held: %d, %t", "Dear %n, your seats are held until %u. They are yours once we have received %a.", "See your reservation", "[%h] Held until %u: %d %t for %p. Due: %a"}},
	[OUTBOX_LAPSING] = {
		[LANG_KO] = {"[%h] 잡아 둔 자리가 곧 풀립니다", "%n님, 잡아 둔 자리가 %u에 풀립니다. 아직 입금 전이라면 지금 확인해 주세요. 금액: %a", "예약 보기", "[%h] 잡아 둔 자리가 %u에 풀립니다. 입금 %a"},
		[LANG_EN] = {"[%h] Your seats are held for a little longer only", "Dear %n, your seats are released at %u unless we have received %a by then.", "See your reservation", "[%h] Your seats are released at %u. Due: %a"}},
	[OUTBOX_CHANGED] = {
		[LANG_KO] = {"[%h] 예약이 바뀌었습니다: %d %t", "%n님, 예약이 아래와 같이 바뀌었습니다.", "예약 보기", "[%h] 예약 변경: %d %t %p명. %c"},
		[LANG_EN] = {"[%h] Your reservation has changed: %d, %t", "Dear %n, your reservation has changed. This is how it is now.", "See your reservation", "[%h] Changed: %d %t, party of %p. %c"}},
	[OUTBOX_CANCELLED] = {
		[LANG_KO] = {"[%h] 예약을 취소했습니다: %d %t", "%n님, 요청하신 대로 예약을 취소했습니다.", "다시 예약하기", "[%h] %d %t 예약을 취소했습니다. %c"},
		[LANG_EN] = {"[%h] Your reservation is cancelled: %d, %t", "Dear %n, your reservation is cancelled, as you asked.", "Book again", "[%h] Cancelled: %d %t. %c"}},
	[OUTBOX_REFUSED] = {
		[LANG_KO] = {"[%h] 식당에서 예약을 취소했습니다: %d %t", "%n님, 죄송합니다. 식당에서 예약을 취소했습니다. 궁금한 점은 식당에 전화해 주세요.", "다른 시간 예약하기", "[%h] 죄송합니다. %d %t 예약이 식당 사정으로 취소되었습니다."},
		[LANG_EN] = {"[%h] The restaurant has cancelled your reservation: %d, %t", "Dear %n, we are sorry: the restaurant has cancelled your reservation. Please call if you have questions.", "Book another time", "[%h] We are sorry: %d %t had to be cancelled."}},
	[OUTBOX_OFFER] = {
		[LANG_KO] = {"[%h] 기다리시던 자리가 났습니다: %d %t", "%n님, 기다리시던 자리가 났습니다. %u까지 받아 주세요. 그 뒤에는 다음 분께 넘어갑니다.", "자리 받기", "[%h] %d %t %p명 자리가 났습니다. %u까지 받아 주세요."},
		[LANG_EN] = {"[%h] Seats have come free: %d, %t", "Dear %n, the seats that you waited for are yours if you take them by %u. After that they go to the next in line.", "Take the seats", "[%h] Seats for %p on %d %t: take them by %u."}},
	[OUTBOX_REMIND_DAY] = {
		[LANG_KO] = {"[%h] 예약 안내: %d %t", "%n님, 곧 뵙겠습니다. 오실 수 있는지 알려 주시면 큰 도움이 됩니다.", "갈게요", "[%h] 예약 안내: %d %t %p명. 못 오시면 알려 주세요. %c"},
		[LANG_EN] = {"[%h] Your reservation: %d, %t", "Dear %n, we expect you soon. Please tell us whether you can come.", "I am coming", "[%h] We expect you: %d %t, party of %p. %c"}},
	[OUTBOX_REMIND_SOON] = {
		[LANG_KO] = {"[%h] 오늘 %t에 뵙겠습니다", "%n님, 오늘 %t에 뵙겠습니다. 사정이 생기셨다면 지금 알려 주세요.", "갈게요", "[%h] 오늘 %t %p명, 곧 뵙겠습니다. 못 오시면 알려 주세요."},
		[LANG_EN] = {"[%h] See you today at %t", "Dear %n, see you today at %t. If something has come up, please tell us now.", "I am coming", "[%h] See you today at %t, party of %p."}},
	[OUTBOX_CODE] = {
		[LANG_KO] = {"[%h] 인증번호 %k", "인증번호는 %k입니다. 5분 안에 입력해 주세요. 요청하지 않으셨다면 아무것도 하지 않으셔도 됩니다.", "", "[%h] 인증번호 %k (5분 안에 입력)"},
		[LANG_EN] = {"[%h] Your code: %k", "Your code is %k. It is good for five minutes. If you did not ask for it, there is nothing that you need to do.", "", "[%h] Your code: %k (good for 5 minutes)"}},
	[OUTBOX_OWNER_NEW] = {
		[LANG_KO] = {"새 예약: %d %t %p명 %n", "%h에 새 예약이 들어왔습니다.", "데스크 열기", ""},
		[LANG_EN] = {"New reservation: %d, %t, party of %p, %n", "A new reservation for %h.", "Open the desk", ""}},
	[OUTBOX_OWNER_DIGEST] = {
		[LANG_KO] = {"[%h] 새로 들어온 예약", "지난번 메일 뒤에 들어온 예약입니다.", "데스크 열기", ""},
		[LANG_EN] = {"[%h] New reservations", "These came since the last mail.", "Open the desk", ""}},
	[OUTBOX_DAY_SHEET] = {
		[LANG_KO] = {"[%h] 오늘의 예약: %d", "오늘 %h의 예약입니다.", "데스크 열기", ""},
		[LANG_EN] = {"[%h] Today: %d", "Today's reservations of %h.", "Open the desk", ""}},
	[OUTBOX_TEST] = {
		[LANG_KO] = {"[%h] 메일 시험", "이 메일이 보이면 %h의 메일 설정이 잘 되어 있습니다.", "", ""},
		[LANG_EN] = {"[%h] A test", "If you can read this, mail works for %h.", "", ""}},
};
/* clang-format on */

const struct phrases *phrases_of(enum outbox_event event, enum lang lang)
{
	assert(event < OUTBOX__EVENTS && all[event][lang].subject);
	return &all[event][lang];
}
