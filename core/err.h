/*
 * err.h - the one failure type, from SQLite to the HTTP answer.
 *
 * A row of ERR_LIST is everything there is to say about a failure: the word that JSON, SQL triggers
 * and logs use, the HTTP status, and one sentence in Korean and English that tells a person what to
 * do.  www/api.js knows the same words; a test compares the lists.
 */
#ifndef JARI_ERR_H
#define JARI_ERR_H

#include <stddef.h>

/* clang-format off */
#define ERR_LIST(X) \
	X(OK,                 200, "", "") \
	/* what the request looks like */ \
	X(BAD_REQUEST,        400, "요청을 이해할 수 없습니다.", "The request could not be understood.") \
	X(BAD_JSON,           400, "JSON 형식이 올바르지 않습니다.", "The body is not valid JSON.") \
	X(BAD_TEXT,           400, "깨진 글자나 사용할 수 없는 문자가 있습니다.", "The text has broken or forbidden characters.") \
	X(DUPLICATE_KEY,      400, "같은 항목이 두 번 들어 있습니다.", "A field appears twice.") \
	X(MISSING_FIELD,      400, "필수 항목이 빠졌습니다.", "A required field is missing.") \
	X(UNKNOWN_FIELD,      400, "알 수 없는 항목입니다.", "This field is not known here.") \
	X(WRONG_TYPE,         400, "항목의 형식이 올바르지 않습니다.", "This field has the wrong type.") \
	X(OUT_OF_RANGE,       400, "허용 범위를 벗어난 값입니다.", "This value is out of range.") \
	X(TOO_LONG,           400, "입력이 너무 깁니다. 줄여 주세요.", "This text is too long; please shorten it.") \
	X(BAD_DATE,           400, "날짜를 2026-01-20처럼 입력해 주세요.", "Give the date like 2026-01-20.") \
	X(BAD_TIME,           400, "시간을 11:00처럼 입력해 주세요.", "Give the time like 11:00.") \
	X(BAD_NAME,           400, "이름을 입력해 주세요.", "Please give a name.") \
	X(BAD_PHONE,          400, "전화번호를 확인해 주세요.", "Please check the phone number.") \
	X(BAD_TAG,            400, "선택할 수 없는 항목이 들어 있습니다. 목록에 있는 것을 고르고 나머지는 요청 사항에 적어 주세요.", "One of the tags is not known here; choose from the list, and write everything else as a request.") \
	X(BAD_GUEST_TAG,      400, "손님 태그는 여덟 개까지, 하나에 20자까지 쓸 수 있고 쉼표는 쓸 수 없습니다. 줄이거나 고쳐 주세요.", "A guest has at most eight tags of up to 20 letters each, without commas; shorten or remove some.") \
	X(MISTYPED_CODE,      400, "예약번호에 틀린 글자가 있습니다. 한 글자씩 확인해 주세요.", "This reservation code is mistyped; please check it character by character.") \
	X(BAD_EMAIL,          400, "이메일 주소를 확인해 주세요.", "Please check the e-mail address.") \
	X(BAD_CURRENCY,       400, "통화를 KRW, EUR처럼 영문 대문자 세 글자로 선택해 주세요. 소수 자릿수를 알 수 없는 통화는 쓸 수 없습니다.", "Give a currency by its three capital letters, like KRW or EUR. One whose decimals are not known cannot be used.") \
	X(BAD_COUNTRY,        400, "알 수 없는 국가입니다. 목록에서 선택해 주세요.", "This country is not known. Choose one of the list.") \
	X(BAD_LANGUAGE,       400, "언어는 ko(한국어) 또는 en(영어) 중에서 선택해 주세요.", "Choose a language: ko for Korean, en for English.") \
	X(BAD_ZONE,           400, "시간대를 Asia/Seoul처럼 입력해 주세요.", "Give the time zone like Asia/Seoul.") \
	X(BAD_JOIN,           400, "함께 쓰는 테이블을 확인해 주세요. 목록에 있는 테이블 이름을 두 개 이상 적고, 인원은 그중 가장 큰 테이블보다 적거나 모두 합친 것의 두 배보다 많을 수 없습니다.", "Please check the joined tables: two or more names from the list, for no fewer people than the largest of them and no more than twice as many as all of them seat.") \
	X(WRONG_WAY_ROUND,    400, "마지막 날이 첫날보다 빠릅니다. 날짜를 확인해 주세요.", "The last date comes before the first one; please check both.") \
	X(SKIPPED_TIME,       400, "그날은 시계가 앞으로 당겨져 이 시각이 없습니다. 다른 시각을 선택해 주세요.", "The clock goes forward that day and skips this time; please choose another.") \
	X(OPENS_TOO_LATE,     400, "예약을 여는 시각이 마지막 날보다 늦습니다. 더 이른 시각을 선택해 주세요.", "This opens after its last date is over; please choose an earlier time.") \
	X(NAMED_TWICE,        400, "같은 이름이나 같은 시작 시간이 두 번 있습니다. 하나를 고쳐 주세요.", "The same name or opening time stands there twice; please change one of them.") \
	X(HOURS_OVERLAP,      400, "영업 시간이 서로 겹칩니다. 자정을 넘긴 시간이 다음 날과 겹치지 않는지도 보고 하나를 고쳐 주세요.", "Two services overlap, perhaps a night with the day after; please change the time of one of them.") \
	X(LAST_SEATING,       400, "마지막 입장 시간은 여는 시간과 닫는 시간 사이여야 합니다.", "The last seating must lie between opening and closing time.") \
	X(BAD_CLOSING,        400, "영업 종료는 영업 시작보다 늦어야 하고, 다음 날 오전 6시까지만 정할 수 있습니다.", "Closing must come after opening, and by 06:00 of the morning after.") \
	X(ZONE_IN_USE,        409, "다가오는 예약이나 대기가 있어 시간대를 바꿀 수 없습니다. 모두 지난 뒤에, 또는 옮기거나 취소한 뒤에 바꿔 주세요.", "The time zone cannot change while reservations or waits are to come; wait until they are over, or cancel them first.") \
	X(REFUND_FIRST,       409, "이 손님께 돌려드릴 금액이 남아 있어 정보를 삭제할 수 없습니다. 정보를 삭제하면 연락할 방법이 없어집니다. 먼저 환불을 마쳐 주세요.", "Money is due back to this guest, and once forgotten they cannot be reached. Give it back first.") \
	X(CURRENCY_IN_USE,    409, "앞으로의 예약에 받았거나 받을 금액이 있거나 환불할 금액이 남아 있어 통화를 변경할 수 없습니다. 예약이 모두 지나고 환불을 마친 뒤에 변경해 주세요.", "The currency cannot change while reservations to come have money paid or due, or money is due back; wait until they are over, and give back what is due.") \
	/* what the restaurant offers */ \
	X(NO_SUCH_TIME,       400, "예약을 받지 않는 시간입니다. 다른 시간을 선택해 주세요.", "That time is not offered; please choose another.") \
	X(CLOSED_DAY,         400, "휴무일입니다. 다른 날짜를 선택해 주세요.", "The restaurant is closed that day; please choose another.") \
	X(PAST,               400, "이미 지난 시간입니다.", "That time has passed.") \
	X(TOO_SOON,           400, "예약 마감 시간이 지났습니다. 더 늦은 시간을 선택해 주세요.", "It is too late to book that time; please choose a later one.") \
	X(TOO_FAR,            400, "아직 예약을 받지 않는 날짜입니다.", "Bookings for that day are not open yet.") \
	X(NOT_YET,            409, "아직 예약이 열리지 않았습니다. 열리는 시각에 다시 눌러 주세요.", "Bookings for that day are not open yet; press again at the time shown.") \
	X(PARTY_SIZE,         400, "예약할 수 없는 인원입니다. 인원을 바꾸거나 전화로 문의해 주세요.", "That party size cannot be booked here; change it or call the restaurant.") \
	X(PAUSED,             409, "지금은 예약을 잠시 받지 않습니다. 조금 뒤에 다시 시도해 주세요.", "The restaurant has paused bookings; please try again later.") \
	X(NO_SUCH_MENU,       400, "메뉴를 찾을 수 없습니다. 메뉴를 다시 선택해 주세요.", "A dish is no longer on the menu; please choose again.") \
	/* who asks */ \
	X(UNAUTHORIZED,       401, "로그인이 필요합니다.", "Please log in first.") \
	X(LOGIN_FAILED,       401, "이메일 또는 비밀번호가 맞지 않습니다.", "The e-mail or the password is not right.") \
	X(CHOOSE_PASSWORD,    403, "일회용 비밀번호입니다. 새 비밀번호를 설정해 주세요.", "This password is good for one login only; choose your own (newPassword).") \
	X(LINK_OVER,          403, "이 링크는 기한이 지났습니다. 사장님에게 새 링크를 받아 주세요.", "This link is too old; ask for a new one (`jari link`, or the owner at the desk).") \
	X(BAD_PASSWORD,       400, "새 비밀번호는 8자 이상이고 이전과 달라야 합니다.", "A new password has at least 8 characters and is not the old one.") \
	X(FORBIDDEN,          403, "권한이 없습니다.", "You may not do that.") \
	X(BLOCKED,            403, "이 번호로는 온라인 예약을 받을 수 없습니다. 식당에 전화해 주세요.", "This number cannot book here; please call the restaurant.") \
	X(CROSS_SITE,         403, "다른 사이트에서 보낸 요청은 받지 않습니다.", "Requests from other sites are refused.") \
	/* what was asked for */ \
	X(NOT_FOUND,          404, "찾을 수 없습니다.", "There is nothing here.") \
	X(NO_SUCH_RESTAURANT, 404, "식당을 찾을 수 없습니다.", "There is no such restaurant.") \
	X(NO_SUCH_RESERVATION, 404, "예약을 찾을 수 없습니다.", "There is no such reservation.") \
	X(LOST_RESERVATION,   404, "식당의 예약 장부를 더 오래된 사본으로 되돌려서 이 예약의 기록이 없습니다. 식당에 전화해서 받으신 메일이나 문자를 알려 주세요.", "The restaurant's book was brought back from a copy that is older than this reservation, so there is no record of it. Please call the restaurant, and tell them what your mail or message says.") \
	X(NO_SUCH_WAIT,       404, "대기를 찾을 수 없습니다.", "There is no such entry on the waitlist.") \
	X(NO_SUCH_PARTY,      404, "대기 명단에서 찾을 수 없습니다. 직원에게 말씀해 주세요.", "This party is not on the door list; please ask the staff.") \
	X(NO_SUCH_TABLE,      400, "테이블을 찾을 수 없습니다. 테이블을 다시 선택해 주세요.", "There is no such table any more; please choose again.") \
	X(NO_SUCH_TICKET,     404, "대기표를 찾을 수 없습니다. 다시 예약해 주세요.", "This ticket is not known any more; please book again.") \
	X(PAYMENT_UNKNOWN,    404, "결제를 찾을 수 없습니다. 예약 내역에서 다시 시작해 주세요.", "There is no such payment; please begin again from your reservation.") \
	X(METHOD_NOT_ALLOWED, 405, "이 주소에서 사용할 수 없는 방식입니다.", "This address does not take that method.") \
	X(TOO_LARGE,          413, "요청이 너무 큽니다.", "The request is too large.") \
	X(WRONG_MEDIA_TYPE,   415, "Content-Type은 application/json이어야 합니다.", "The Content-Type must be application/json.") \
	/* how a booking can end */ \
	X(DUPLICATE,          409, "같은 시간에 이미 예약이 있습니다. 예약 내역을 확인해 주세요.", "You already have a reservation at that time.") \
	X(GUEST_EXISTS,       409, "이 번호는 이미 다른 손님의 번호입니다. 같은 분이면 두 손님을 합쳐 주세요.", "Another guest has this number already; if they are the same person, merge the two.") \
	X(EMAIL_TAKEN,        409, "이미 다른 직원이 로그인에 쓰는 이메일 주소입니다. 다른 주소를 입력해 주세요.", "Somebody logs in with this e-mail address already; give another one.") \
	X(GUESTS_MEET,        409, "두 손님이 같은 시간에 예약하거나 대기하고 있습니다. 하나를 취소하거나 옮긴 뒤 다시 시도해 주세요.", "Both guests have a booking, or wait, for the same time; cancel or move one of them, then try again.") \
	X(GUEST_LOGS_IN,      409, "로그인 계정이 있는 분이라 번호를 바꾸거나 다른 손님과 합칠 수 없습니다. 이름, 이메일, 메모는 바꿀 수 있습니다.", "This person logs in with an account, so the number cannot be changed or merged here; name, address and note can.") \
	X(TOO_MANY_HOLDS,     409, "이 번호로 결제를 기다리는 예약이 이미 있습니다. 먼저 결제하거나 취소한 뒤 다시 예약해 주세요.", "This number has reservations that wait for their payment; pay or cancel one of them first.") \
	X(TOO_MANY_CHANGES,   409, "이 예약은 변경 요청이 너무 많았습니다. 더 변경하시려면 식당에 전화해 주세요.", "This reservation was changed too often, or changes of it were asked for and not paid; please call the restaurant.") \
	X(TOO_MANY_UPCOMING,  409, "이 번호로 예약할 수 있는 건수를 초과했습니다. 방문하신 뒤에 다시 예약하시거나 식당에 전화해 주세요.", "This number has as many reservations to come as it may have; book again after a visit, or call the restaurant.") \
	X(IN_PROGRESS,        409, "이미 처리 중인 예약 요청입니다. 잠시 후 다시 시도해 주세요.", "This booking is already being handled; please try again in a moment.") \
	X(SLOT_FULL,          409, "잔여석이 부족합니다. 다른 시간을 선택해 주세요.", "Not enough seats are left at that time; please choose another.") \
	X(TIME_BLOCKED,       409, "이 시간에는 예약을 받지 않습니다. 다른 시간을 선택해 주세요.", "No bookings are taken for that time; please choose another.") \
	X(TOO_MANY_BLOCKS,    409, "막아 둔 시간이 너무 많습니다. 필요 없는 것을 먼저 풀어 주세요.", "There are as many blocks as there may be; lift one that is no longer needed first.") \
	X(ALREADY_WAITING,    409, "이 시간에는 이미 대기를 신청하셨습니다.", "You are on the waitlist for that time already.") \
	X(HAS_ROOM,           409, "지금 자리가 있습니다. 바로 예약해 주세요.", "There is room at that time now; please book it.") \
	X(OFFERED_BEFORE,     409, "이 시간의 자리를 이미 안내해 드렸습니다. 내일 다시 대기를 신청하시거나 식당에 전화해 주세요.", "You were offered seats for that time already; wait for it again tomorrow, or call the restaurant.") \
	X(NO_WAITLIST,        409, "이 식당은 대기 신청을 받지 않습니다. 다른 시간을 선택해 주세요.", "This restaurant keeps no waitlist; please choose another time.") \
	X(WAITLIST_FULL,      409, "이 시간은 더 이상 대기를 받을 수 없습니다. 다른 시간을 선택해 주세요.", "No more people can wait for that time; please choose another.") \
	X(DOOR_FULL,          409, "현장 대기 명단이 가득 찼습니다. 자리가 나거나 대기가 줄면 다시 등록해 주세요.", "The door list is full; put them on it when others have been seated or have left.") \
	X(NEVER_FITS,         409, "이 인원이 함께 앉을 수 있는 자리가 이 시간에는 없습니다. 인원을 줄이거나 식당에 전화해 주세요.", "A party of this size could not be seated at that time even in an empty house; choose fewer people, or call the restaurant.") \
	X(TOO_MANY_WAITS,     409, "이 번호로 신청할 수 있는 대기 건수를 초과했습니다. 다른 대기를 취소한 뒤 다시 시도해 주세요.", "This number waits for as many times as it may; leave one of them first.") \
	X(WAITS_FROM_HERE,    429, "이 네트워크에서 대기 신청이 너무 많았습니다. 인증번호로 본인 확인을 하거나, 몇 분 뒤에 다시 시도하거나, 식당에 전화해 주세요.", "Too many waits were entered from your network; prove your number with a code, try again in some minutes, or call the restaurant.") \
	X(PAID_TOO_LATE,      409, "그 자리는 더 이상 이 손님의 자리가 아닙니다. 받은 금액은 환불할 금액으로 기록했습니다.", "The seats are no longer theirs; the payment is written down as due back.") \
	X(OFFER_OVER,         409, "제안 시간이 지나 다음 분께 기회가 넘어갔습니다.", "The time to take these seats is over; they went to the next in line.") \
	X(PROVE_FIRST,        403, "먼저 인증번호로 본인 확인을 해 주세요.", "Please prove your number or address with a code first.") \
	X(WRONG_CODE,         403, "인증번호가 맞지 않습니다. 다시 확인해 주세요.", "That is not the code we sent; please check it.") \
	X(CODE_OVER,          409, "인증번호가 만료되었습니다. 새 번호를 받아 주세요.", "This code is no longer good; please ask for a new one.") \
	X(TOO_MANY_CODES,     429, "인증번호를 너무 자주 요청했습니다. 조금 뒤에 다시 시도해 주세요.", "Too many codes were asked for; please wait a few minutes.") \
	X(ADDRESS_USED_UP,    409, "이 이메일 주소로는 오늘 더 많은 번호를 인증할 수 없습니다. 다른 주소를 쓰거나 식당에 전화해 주세요.", "This e-mail address has proven as many numbers today as it may; use another address, or call the restaurant.") \
	X(NO_WAY_TO_REACH,    409, "이메일 주소를 입력해 주세요. 인증번호를 보낼 곳이 필요합니다.", "Please give your e-mail address; there is no other way to send you a code.") \
	X(NO_MAIL,            409, "메일 설정이 아직 없습니다. 먼저 메일 서버를 저장해 주세요.", "No mail server is set up yet; save one first.") \
	X(NO_OWN_MAIL,        409, "받으실 이메일 주소가 비어 있습니다. 설정의 메시지에서 먼저 입력해 주세요.", "Your own e-mail address is empty; write it under Messages first.") \
	X(AMOUNT_CHANGED,     409, "금액이 변경되었습니다. 금액을 확인하고 다시 시도해 주세요.", "The amount has changed; please check it and try again.") \
	X(PAYMENT_NOT_DUE,    409, "지금 결제하실 금액이 없습니다. 예약 상태를 확인해 주세요.", "Nothing is to be paid here just now; please look at the reservation.") \
	X(WON_ONLY,           409, "토스페이먼츠는 원화(KRW)만 받습니다. 다른 결제 회사를 선택하거나 식당의 통화를 원화로 바꿔 주세요.", "Toss Payments takes won (KRW) only: please choose another company, or set the currency of the restaurant to KRW.") \
	X(PAID_AT_THE_HOUSE,  409, "이 식당은 온라인 결제를 받지 않습니다. 식당에 전화해 주세요.", "This restaurant takes no payments online; please call the restaurant.") \
	X(TOO_MANY_TRIES,     409, "결제를 너무 여러 번 시도했습니다. 식당에 전화해 주세요.", "Paying was tried too often; please call the restaurant.") \
	X(CHARGE_OVER,        409, "이 카드로는 더 이상 청구할 수 없습니다. 금액과 기한을 확인해 주세요.", "This card cannot be charged so much, or no longer; please look at the amount and the time.") \
	X(ON_ITS_WAY_BACK,    409, "환불이 이미 진행 중입니다. 결과를 잠시 기다려 주세요.", "This money is on its way back already; please wait for how that ends.") \
	X(KEYS_MISSING,       400, "결제사 키가 빠졌습니다. 결제사 관리자 화면에서 복사해 붙여 넣어 주세요.", "A key of the payment provider is missing; copy it from their console.") \
	X(KEY_REUSED,         409, "같은 Idempotency-Key로 다른 예약을 보낼 수 없습니다.", "This Idempotency-Key was used for another booking.") \
	X(CODE_TAKEN,         409, "이미 사용 중인 예약번호입니다.", "That reservation code is in use; give another.") \
	X(BAD_MOVE,           409, "지금 상태에서는 할 수 없습니다.", "That cannot be done in its present state.") \
	X(CARD_FOR_FEWER,     409, "맡기신 카드는 예약하신 인원까지만 보증합니다. 인원을 늘리시려면 식당에 전화해 주세요.", "The card that was left is good for as many guests as were booked; to bring more, please call the restaurant.") \
	X(CARD_WANTED,        409, "이 인원은 카드 보증이 필요해 온라인에서 인원을 늘릴 수 없습니다. 식당에 전화해 주세요.", "For this many guests a card has to be left, which cannot be done by a change; please call the restaurant.") \
	X(BEGUN,              409, "예약 시간이 지나 더 이상 변경할 수 없습니다. 식당에 전화해 주세요.", "Its time has come, so it can no longer be changed here; please call the restaurant.") \
	X(TOO_EARLY,          409, "아직 예약 시간이 되지 않았습니다. 예약 시간이 지난 뒤에 표시해 주세요.", "This can be recorded only after the reservation's start time.") \
	X(NOT_THE_TIME,       409, "늦는다는 알림은 예약 2시간 전부터 30분 뒤까지, 도착 알림은 30분 전부터 보낼 수 있습니다. 급하면 식당에 전화해 주세요.", "That you are late can be said from two hours before your time until half an hour after it, that you are here from half an hour before it on; otherwise please call the restaurant.") \
	X(SAID_OFTEN,         409, "여러 번 알려 주셨습니다. 또 달라진 것이 있으면 식당에 전화해 주세요.", "You have told us several times; if something has changed again, please call the restaurant.") \
	X(STALE,              409, "다른 화면에서 먼저 변경했습니다. 변경된 내용을 확인해 주세요.", "Another screen changed this first; look at what it is now.") \
	X(WRONG_TABLE,        409, "이 테이블에는 앉을 수 없습니다.", "That table does not fit this party.") \
	X(TABLE_TAKEN,        409, "그 테이블에는 이미 다른 손님이 있습니다. 다른 테이블을 선택하거나, 손님이 나가셨으면 먼저 퇴장으로 표시해 주세요.", "Another party has that table. Choose another one, or say first that they have left.") \
	X(TABLE_TOO_SMALL,    409, "그 테이블은 이 인원이 앉기에 작습니다. 더 큰 테이블을 고르거나 테이블을 함께 선택해 주세요.", "That table has too few seats for this party; choose a larger one, or several.") \
	X(NOT_A_BACKUP,       400, "jari의 백업 파일이 아니거나 파일이 손상되었습니다. 다른 파일을 선택해 주세요.", "This file is no backup of jari, or it is damaged; please choose another.") \
	X(BACKUP_NEWER,       409, "더 새로운 jari에서 만든 백업입니다. 먼저 이 기기의 jari를 업데이트해 주세요.", "This backup was made by a newer jari; please update this one first.") \
	X(BACKUP_STRANGE,     400, "백업 파일에 jari가 만들지 않은 것이 들어 있습니다. 다른 백업을 선택해 주세요.", "Something in this backup was not made by jari; please choose another.") \
	X(BACKUP_LARGE,       413, "여기에 올리기에는 큰 백업입니다. 서버에서 `jari restore 파일`로 복원해 주세요.", "This backup is too large to send; on the box itself `jari restore FILE` puts it back.") \
	X(BACKUP_PARTS,       409, "파일이 온전히 도착하지 않았습니다. 처음부터 다시 올려 주세요.", "The file did not arrive whole; please send it again from its beginning.") \
	X(RESTORE_BEGUN,      503, "백업 복원을 시작했지만 끝내지 못했습니다. 끝날 때까지 아무것도 저장되지 않습니다. 디스크를 확인한 뒤 서버에서 `jari check`를 실행하면 이어서 끝냅니다.", "The restore was begun and could not be finished, and nothing is saved until it is; look at the disk, then `jari check` on the box goes on with it.") \
	X(BOOK_OF_ANOTHER,    403, "다른 사용자의 장부여서 복원해도 그 사용자가 열 수 없습니다. 장부의 소유자나 root로 실행해 주세요.", "This book belongs to another user, who could not open what you restore; run it as that user or as root.") \
	X(BOOK_IN_USE,        409, "이 장부에는 이미 예약이 있습니다. 서버에서 `jari restore 파일`로 백업을 복원할 수 있습니다.", "This book has reservations already; on the box itself `jari restore FILE` puts a backup in its place.") \
	X(LEFT_LINE,          410, "대기를 취소했습니다. 예약되지 않았습니다.", "You left the line; nothing was booked.") \
	X(ABANDONED,          410, "오래 확인하지 않아 대기가 끝났습니다. 다시 예약해 주세요.", "This ticket was not asked about for a while, so it was dropped; please book again.") \
	X(WAITING,            429, "접속자가 많아 대기 중입니다. 잠시 후 자동으로 확인합니다.", "Many guests are booking; you are in the line.") \
	X(RATE_LIMITED,       429, "요청이 너무 많습니다. 잠시 후 다시 시도해 주세요.", "Too many requests; please wait a moment.") \
	/* faults: nothing is lost, the same request may be sent again */ \
	X(LINE_FULL,          503, "지금 대기 인원이 너무 많습니다. 잠시 후 다시 시도해 주세요.", "The line is full; please try again in a moment.") \
	X(TOO_LATE,           503, "처리 시간이 초과되었습니다. 다시 시도해 주세요.", "The request waited too long and was not carried out; please try again.") \
	X(BOOK_BUSY,          503, "지금 이용이 많습니다. 잠시 후 다시 시도해 주세요.", "The book is busy; please try again in a moment.") \
	X(BOOK_UNWRITABLE,    503, "지금은 저장할 수 없습니다. 잠시 후 다시 시도하거나 식당에 전화해 주세요.", "Nothing can be saved just now; please try again or call the restaurant.") \
	X(BOOK_GONE,          503, "예약 장부를 찾을 수 없습니다. 식당에 전화해 주세요.", "The book is not where it was; please call the restaurant.") \
	X(BOOK_DAMAGED,       503, "예약 장부에 문제가 생겼습니다. 식당에 전화해 주세요.", "The book has a problem; please call the restaurant.") \
	X(BOOK_FOREIGN,       503, "예약 장부 파일이 아닙니다.", "This file is not a jari book.") \
	X(BOOK_OLDER,         503, "예약 장부가 아직 이전 버전입니다. 잠시 후 다시 시도하거나 식당에 전화해 주세요.", "The book has not been brought up to date yet; please try again later or call the restaurant.") \
	X(BOOK_ODD,           503, "예약 장부의 구조가 jari가 만든 것과 다르고 고칠 수 없었습니다. 변경된 것은 없습니다. 이유는 로그에서 확인해 주세요.", "This book is not as jari made it and could not be put right; nothing was changed, and the log says what is odd.") \
	X(BOOK_NO_COPY,       503, "업그레이드 전에 장부의 사본을 만들 수 없었습니다. 디스크의 여유 공간을 확인해 주세요. 변경된 것은 없습니다.", "The book could not be copied before its upgrade: is there room on the disk for a second one?  Nothing was changed.") \
	X(BOOK_SERVED,        503, "다른 버전의 jari가 이 장부를 사용하고 있습니다. 먼저 그 jari를 종료한 뒤 시작해 주세요.", "Another version of jari serves this book; stop it first, then start this one, which brings the book up to date.") \
	X(BOOK_NEWER,         503, "더 새로운 버전의 예약 장부입니다.", "This book was written by a newer jari.") \
	X(BOX_REPLACED,       503, "이 예약 기기는 다른 기기로 교체되어 더 이상 예약을 받지 않습니다. 잠시 후 다시 열거나 식당에 전화해 주세요.", "Another box has taken the place of this one, which takes no bookings any more; please open the page again in a moment, or call the restaurant.") \
	X(BOX_SPARE,          503, "여기는 예비 기기라서 예약을 받지 않습니다. 잠시 후 다시 열거나 식당에 전화해 주세요.", "This is the restaurant's spare box, which takes no bookings; please open the page again in a moment, or call the restaurant.") \
	X(CLOCK_WRONG,        503, "예약 시스템의 시계를 확인하고 있어 이 날짜는 아직 예약할 수 없습니다. 잠시 후 다시 시도하거나 식당에 전화해 주세요.", "The clock of the booking system is being checked, so this day cannot be booked yet; please try again in some minutes or call the restaurant.") \
	X(PAYMENTS_AWAY,      503, "지금은 온라인 결제를 할 수 없습니다. 잠시 후 다시 시도하거나 식당에 전화해 주세요.", "Payments cannot be taken online just now; please try again in a moment, or call the restaurant.") \
	/* what /healthz says, to the person who runs the box */ \
	X(DISK_FULL,          503, "예약 장부가 있는 디스크가 가득 찼습니다. 공간을 비워 주세요.", "The disk with the book is full; make room on it.") \
	X(DISK_READ_ONLY,     503, "예약 장부가 있는 디스크에 쓸 수 없습니다. 디스크를 확인해 주세요.", "The disk with the book is read-only; look at the disk, and mount it for writing.") \
	X(PEN_STUCK,          503, "한 프로그램이 장부를 오래 사용하고 있어 예약을 저장할 수 없습니다.", "One process has been writing for long, perhaps a `jari shell --write`; `jari status` names it.") \
	X(LINE_STILL,         503, "대기열이 멈춰 예약을 저장할 수 없습니다. 로그를 확인하고 jari를 다시 시작해 주세요.", "Guests wait and none is served; look at the log, and start jari again.") \
	X(KEEPER_GONE,        503, "장부 관리 프로세스가 실행되고 있지 않습니다. jari를 다시 시작해 주세요.", "The keeper is not at work; start jari again.") \
	X(UNKNOWN,            503, "결과를 확인하는 중입니다. 잠시 후 다시 시도해 주세요.", "The outcome is not known yet; please ask again in a moment.") \
	X(NO_MEMORY,          503, "지금 이용이 많습니다. 잠시 후 다시 시도해 주세요.", "The box is out of memory; please try again in a moment.") \
	X(INTERNAL,           503, "문제가 생겼습니다. 잠시 후 다시 시도해 주세요.", "Something went wrong; please try again in a moment.") \
	/* broken promises of the book that only the shell can meet */ \
	X(NEVER_DELETED,      409, "장부의 기록은 지울 수 없습니다.", "Rows of the book are never deleted.")
/* clang-format on */

enum err {
#define X(word, status, ko, en) ERR_##word,
	ERR_LIST(X) ERR__MAX
#undef X
};

enum lang { LANG_KO, LANG_EN };

const char *err_word(enum err e);
int err_status(enum err e);
const char *err_sentence(enum err e, enum lang lang);

/* The failure whose word the text begins with ("SLOT_FULL: ..."), or ERR_OK when there is none. */
enum err err_from_text(const char *text);

#endif
