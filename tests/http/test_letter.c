/*
 * test_letter.c - what messages say: in one part of a text message with the longest names, without a way for a name to write
 * a header, and only while it is so.
 */
#include "letter.h"

#include "book.h"
#include "mail.h"
#include "dispatch.h"
#include "mailserver.h"
#include "outbox.h"
#include "plain.h"
#include "run.h"
#include "unit.h"
#include "wording.h"

#include <iconv.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char key[TOKEN_KEY_SIZE] = "0123456789abcdef0123456789abcde";

/* Restaurant, guest and request as long as the book allows. */
static int setup(void **state)
{
	struct book *b;

	book_setup(state);
	b = *state;
	assert_true(token_init());
	book_exec(b->db.handle,
		  "UPDATE restaurants SET name = printf('%%.80c', '가'), name_en = printf('%%.80c', 'W'), notify_email ="
		  " 'owner@example.com', deposit_per_person = 10000000");
	book_exec(b->db.handle, "UPDATE restaurants SET name = replace(hex(zeroblob(40)), '00', '긴이')");
	book_slot(b->db.handle, 1, "2099-12-30", "12:00", 1000);
	return 0;
}

static struct letter_post post_of(struct book *b)
{
	static struct mailserver mail = {.way = "SMTP", .sender = "table@example.com", .site = "https://book.example"};

	return (struct letter_post){.db = &b->db, .key = key, .mail = &mail, .now_s = clock_now_s()};
}

static void make_reservation(struct book *b, int64_t id, const char *status, const char *lang)
{
	char until[CLOCK_ISO_SIZE];

	clock_iso(clock_now_s() + 3600, until);
	book_exec(b->db.handle,
		  "INSERT INTO users (user_id, user_type, name, phone, language) VALUES (%lld, 'GUEST', 'x', "
		  "'010-7777-%04lld', '%s')",
		  (long long)id + 100, (long long)id, lang);
	book_reservation(b->db.handle, id, 1, id + 100, 12, status, strcmp(status, "TEMPORARY") == 0 ? until : "");
	book_exec(b->db.handle,
		  "UPDATE reservations SET guest_name = substr(replace(hex(zeroblob(40)), '00', '홍길'), 1, 40), guest_email ="
		  " 'guest@example.com', reservation_code = printf('R20991230-%%028lld', reservation_id) WHERE reservation_id "
		  "= %lld",
		  (long long)id);
	book_exec(
		b->db.handle,
		"INSERT INTO outbox (restaurant_id, channel, event, reservation_id, status, told, next_attempt_at, created_at,"
		" sent_at) SELECT 1, value, 'confirmed', %lld, 'SENT', '?', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z',"
		" '2026-01-01T00:00:00Z' FROM json_each('[\"MAIL\", \"SMS\"]')",
		(long long)id);
}

/* The row of a reminder or of a hold that lapses is about the time that the reservation has. */
static void planned_as_it_is(struct book *b, struct dispatch_row *row)
{
	struct reservation v;

	assert_int_equal(booking_get(&b->db, row->reservation_id, clock_now_s(), &v), ERR_OK);
	strcpy(row->planned_for, row->event == OUTBOX_LAPSING ? v.hold_expires_at : v.starts_at);
}

/* As the telephone company counts: in EUC-KR, which glibc knows. */
static size_t bytes_by_iconv(const char *text)
{
	iconv_t to = iconv_open("EUC-KR", "UTF-8");
	char in[500], out[500], *from = in, *into = out;
	size_t left = strlen(text), room = sizeof out;

	assert_true(to != (iconv_t)-1 && left < sizeof in);
	strcpy(in, text);
	assert_true(iconv(to, &from, &left, &into, &room) != (size_t)-1);
	iconv_close(to);
	return sizeof out - room;
}

static void every_short_text_has_one_part_with_the_longest_names(void **state)
{
	static const struct {
		enum outbox_event event;
		const char *status;
	} all[] = {{OUTBOX_CONFIRMED, "CONFIRMED"},  {OUTBOX_HELD, "TEMPORARY"},       {OUTBOX_LAPSING, "TEMPORARY"},
		   {OUTBOX_CHANGED, "CONFIRMED"},    {OUTBOX_CANCELLED, "CANCELED"},   {OUTBOX_REFUSED, "CANCELED"},
		   {OUTBOX_REMIND_DAY, "CONFIRMED"}, {OUTBOX_REMIND_SOON, "CONFIRMED"}};
	struct book *b = *state;
	struct letter_post p = post_of(b);
	int64_t id = 1;

	for (size_t i = 0; i < COUNT(all); i++)
		for (int lang = 0; lang < 2; lang++, id++) {
			struct dispatch_row row = {.id = id, .restaurant_id = 1, .reservation_id = id, .event = all[i].event};
			struct letter l;
			const char *why = "";

			make_reservation(b, id, all[i].status, lang ? "en" : "ko");
			planned_as_it_is(b, &row);
			if (letter_make(&p, &row, &l, &why) != ERR_OK)
				fail_msg("%s: %s", outbox_word(all[i].event), why);
			assert_true(strlen(l.brief) > 10);
			assert_int_equal(wording_bytes(l.brief), bytes_by_iconv(l.brief));
			if (wording_bytes(l.brief) > WORDING_BRIEF_BYTES)
				fail_msg("%zu bytes: %s", wording_bytes(l.brief), l.brief);
			letter_free(&l);
		}
}

static void a_time_after_midnight_is_told_with_its_evening(void **state)
{
	char day[40], time[WORDING_TIME_SIZE];

	(void)state;
	wording_slot("2026-11-21", "24:30", LANG_EN, day, time);
	assert_string_equal(day, "the night of Sat 21 Nov,");
	assert_string_equal(time, "00:30");
	wording_slot("2026-11-21", "24:30", LANG_KO, day, time);
	assert_string_equal(day, "11월 21일(토)");
	assert_string_equal(time, "밤 12:30");
	wording_slot("2026-11-21", "25:05", LANG_KO, day, time);
	assert_string_equal(time, "밤 1:05");
	wording_slot("2026-11-21", "23:30", LANG_EN, day, time);
	assert_string_equal(day, "Sat 21 Nov");
	assert_string_equal(time, "23:30");
}

/* Only where the owner has said how long parties stay. */
static void a_guest_is_told_until_when_the_table_is_theirs(void **state)
{
	struct book *b = *state;
	struct letter_post p = post_of(b);
	struct dispatch_row row = {.id = 1, .restaurant_id = 1, .reservation_id = 1, .event = OUTBOX_CONFIRMED};
	const char *why = "";
	struct letter l;

	make_reservation(b, 1, "CONFIRMED", "ko");
	assert_int_equal(letter_make(&p, &row, &l, &why), ERR_OK);
	assert_null(strstr(l.text.data, " ~ "));
	letter_free(&l);
	book_exec(b->db.handle, "UPDATE restaurants SET sitting_minutes = 120");
	assert_int_equal(letter_make(&p, &row, &l, &why), ERR_OK);
	assert_non_null(strstr(l.text.data, " ~ "));
	letter_free(&l);
}

static void what_is_no_longer_so_is_not_told(void **state)
{
	static const struct {
		enum outbox_event event;
		const char *status;
	} none[] = {{OUTBOX_CONFIRMED, "CANCELED"},  {OUTBOX_HELD, "CONFIRMED"},      {OUTBOX_LAPSING, "EXPIRED"},
		    {OUTBOX_CHANGED, "CANCELED"},    {OUTBOX_CANCELLED, "CONFIRMED"}, {OUTBOX_REMIND_DAY, "CANCELED"},
		    {OUTBOX_REMIND_SOON, "NO_SHOW"}, {OUTBOX_OFFER, "EXPIRED"}};
	struct book *b = *state;
	struct letter_post p = post_of(b);

	for (size_t i = 0; i < COUNT(none); i++) {
		struct dispatch_row row = {
			.id = 1, .restaurant_id = 1, .reservation_id = (int64_t)i + 1, .event = none[i].event, .by_mail = true};
		struct letter l;
		const char *why = NULL;

		make_reservation(b, (int64_t)i + 1, none[i].status, "ko");
		if (letter_make(&p, &row, &l, &why) != ERR_BAD_MOVE || !why)
			fail_msg("%s of a reservation that is %s", outbox_word(none[i].event), none[i].status);
		letter_free(&l);
	}
}

static void a_cancellation_of_what_was_not_told_there_is_not_sent_to_an_address_that_was_only_typed(void **state)
{
	struct dispatch_row row = {
		.id = 1, .restaurant_id = 1, .reservation_id = 1, .event = OUTBOX_CANCELLED, .by_mail = true};
	struct book *b = *state;
	struct letter_post p = post_of(b);
	struct letter l;
	const char *why;

	make_reservation(b, 1, "CANCELED", "ko");
	assert_int_equal(letter_make(&p, &row, &l, &why), ERR_OK);
	letter_free(&l);
	book_exec(b->db.handle, "UPDATE outbox SET told = NULL");
	assert_int_equal(letter_make(&p, &row, &l, &why), ERR_BAD_MOVE);
	letter_free(&l);
	row.event = OUTBOX_REFUSED; /* the house's word goes */
	assert_int_equal(letter_make(&p, &row, &l, &why), ERR_OK);
	letter_free(&l);
	row.event = OUTBOX_CANCELLED;
	book_exec(b->db.handle, "UPDATE reservations SET source = 'DESK'");
	assert_int_equal(letter_make(&p, &row, &l, &why), ERR_OK);
	letter_free(&l);
}

static void a_guests_words_are_not_carried_to_an_address_that_was_only_typed(void **state)
{
	struct dispatch_row row = {
		.id = 1, .restaurant_id = 1, .reservation_id = 1, .event = OUTBOX_CONFIRMED, .by_mail = true};
	struct book *b = *state;
	struct letter_post p = post_of(b);

	make_reservation(b, 1, "CONFIRMED", "ko");
	book_exec(b->db.handle,
		  "UPDATE reservations SET request_message = 'buy at spam.example', guest_name = 'go.spam.example 17'");
	for (int staff = 0; staff < 2; staff++) {
		struct letter l;
		const char *why;

		assert_int_equal(letter_make(&p, &row, &l, &why), ERR_OK);
		assert_int_equal(strstr(l.text.data, "spam.example") != NULL, staff);
		assert_int_equal(strstr(l.html.data, "spam.example") != NULL, staff);
		assert_int_equal(strstr(l.calendar.data, "spam.example") != NULL, staff);
		letter_free(&l);
		book_exec(b->db.handle, "UPDATE reservations SET source = 'DESK'");
	}
}

static void a_mail_says_which_allergies_the_house_knows_of(void **state)
{
	static const struct dispatch_row rows[] = {
		{.id = 1, .restaurant_id = 1, .reservation_id = 1, .event = OUTBOX_CONFIRMED, .by_mail = true},
		{.id = 2,
		 .restaurant_id = 1,
		 .first_reservation = 1,
		 .last_reservation = 1,
		 .event = OUTBOX_OWNER_NEW,
		 .by_mail = true},
	};
	struct book *b = *state;
	struct letter_post p = post_of(b);

	make_reservation(b, 1, "CONFIRMED", "ko");
	book_exec(b->db.handle, "UPDATE reservations SET tags = 'nuts,milk,birthday'");
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct letter l;
		const char *why = "";
		enum err e = letter_make(&p, &rows[i], &l, &why);

		if (e != ERR_OK)
			fail_msg("%zu: %s", i, why);
		assert_non_null(strstr(l.text.data, "⚠ 알레르기: 견과류, 우유 · 생일"));
		assert_non_null(strstr(l.html.data, "⚠ 알레르기: 견과류, 우유 · 생일"));
		letter_free(&l);
	}
}

static enum err make(struct book *b, const struct dispatch_row *row)
{
	struct letter_post p = post_of(b);
	const char *why;
	struct letter l;
	enum err e = letter_make(&p, row, &l, &why);

	letter_free(&l);
	return e;
}

static void a_reminder_of_a_time_that_was_moved_is_not_sent(void **state)
{
	static const struct {
		enum outbox_event event;
		const char *status;
	} rows[] = {{OUTBOX_REMIND_DAY, "CONFIRMED"}, {OUTBOX_REMIND_SOON, "CONFIRMED"}, {OUTBOX_LAPSING, "TEMPORARY"}};
	struct book *b = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct dispatch_row row = {.id = 100,
					   .restaurant_id = 1,
					   .reservation_id = (int64_t)i + 1,
					   .event = rows[i].event,
					   .by_mail = true};

		make_reservation(b, row.reservation_id, rows[i].status, "ko");
		planned_as_it_is(b, &row);
		assert_int_equal(make(b, &row), ERR_OK);
		strcpy(row.planned_for, "2099-12-29T03:00:00Z");
		assert_int_equal(make(b, &row), ERR_BAD_MOVE);
	}
}

static void an_address_that_was_only_typed_hears_nothing_before_its_first_message(void **state)
{
	static const enum outbox_event later[] = {OUTBOX_CHANGED, OUTBOX_REMIND_DAY, OUTBOX_REMIND_SOON};
	struct book *b = *state;

	make_reservation(b, 1, "CONFIRMED", "ko");
	book_exec(b->db.handle, "UPDATE outbox SET status = 'QUEUED', told = NULL WHERE channel = 'MAIL'");
	for (size_t i = 0; i < COUNT(later); i++) {
		struct dispatch_row row = {
			.id = 100, .restaurant_id = 1, .reservation_id = 1, .event = later[i], .by_mail = true};

		planned_as_it_is(b, &row);
		assert_int_equal(make(b, &row), ERR_BAD_MOVE);
		row.by_mail = false; /* that way it was told */
		assert_int_equal(make(b, &row), ERR_OK);
		row.by_mail = true;
		book_exec(b->db.handle, "UPDATE reservations SET source = 'DESK'");
		assert_int_equal(make(b, &row), ERR_OK);
		book_exec(b->db.handle, "UPDATE reservations SET source = 'WEB'");
	}
}

static void a_name_carries_nothing_but_a_name(void **state)
{
	static const struct {
		const char *typed, *ko;
	} rows[] = {
		{"김민지", "김민지"},
		{"남궁 옥분", "남궁 옥분"},
		{"Anne-Marie O'Neil", "Anne-Marie O'Neil"},
		{"Zoë Søn", "Zoë Søn"},
		{"J. Kim", "J. Kim"},
		{"田中 さくら", "田中 さくら"},
		{"Нина", "Нина"},
		{"www.spam.example", "www spam example"},
		{"https://spam.example/x?y", "https spam example x y"},
		{"spam。example．com", "spam example com"},
		{"call 010-1234-5678", "call"},
		{"０１０ ①②③ ٠١٢", "고객"},
		{"me@spam.example", "me spam example"},
		{"<b>x</b>", "b x b"},
		{"카톡아이디스팸왕에게지금바로연락주세요", "카톡아이디스팸왕에게지금"},
		{"Free money for all of you who read this", "Free money for all of yo"},
		{"", "고객"},
		{"7", "고객"},
		{"-", "고객"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char name[TICKET_NAME_SIZE];

		strcpy(name, rows[i].typed);
		plain_name(name, LANG_KO);
		assert_string_equal(name, rows[i].ko);
	}
}

static bool can_be_made(const char *from, const char *name, const char *to, const char *subject)
{
	struct buf out = {0};
	struct mail m = {.from = from,
			 .from_name = name,
			 .to = to,
			 .subject = subject,
			 .id = "1@x",
			 .text = "t",
			 .html = "h",
			 .calendar = "",
			 .method = ""};
	bool made = mail_make(&out, &m);

	buf_free(&out);
	return made;
}

static void no_part_of_a_mail_can_begin_another_header(void **state)
{
	(void)state;
	assert_true(can_be_made("a@b.c", "온기", "d@e.f", "예약"));
	assert_false(can_be_made("a@b.c", "x\r\nBcc: z@z.z", "d@e.f", "s"));
	assert_false(can_be_made("a@b.c", "x", "d@e.f\nBcc: z@z.z", "s"));
	assert_false(can_be_made("a@b.c", "x", "d@e.f>, <z@z.z", "s"));
	assert_false(can_be_made("a@b.c", "x", "d@e.f", "s\nX: y"));
	assert_false(can_be_made("a@b.c\r", "x", "d@e.f", "s"));
}

/* The header of that name, up to the address. */
static void from_is(const char *name, const char *right)
{
	struct mail m = {.from = "a@b.c",
			 .from_name = name,
			 .to = "d@e.f",
			 .subject = "s",
			 .id = "1@x",
			 .text = "t",
			 .html = "h",
			 .calendar = "",
			 .method = ""};
	struct buf out = {0};
	char *end;

	assert_true(mail_make(&out, &m));
	end = strstr(out.data, " <a@b.c>\r\n");
	assert_non_null(end);
	*end = '\0';
	assert_string_equal(out.data, right);
	buf_free(&out);
}

static void a_restaurant_of_any_name_is_one_sender(void **state)
{
	(void)state;
	from_is("Ongi Table", "From: Ongi Table");
	from_is("Bar: Jari", "From: \"Bar: Jari\"");
	from_is("Jari (Seoul)", "From: \"Jari (Seoul)\"");
	from_is("St. John, Ltd; x", "From: \"St. John, Ltd; x\"");
	from_is("\"x\" <z@z.z> \\", "From: \"\\\"x\\\" <z@z.z> \\\\\"");
	from_is("온기: 식당", "From: =?UTF-8?B?7Jio6riwOiDsi53ri7k=?=");
	from_is("=?UTF-8?B?eA==?=", "From: =?UTF-8?B?PT9VVEYtOD9CP2VBPT0/PQ==?=");
}

static void only_a_no_about_this_address_or_message_is_final(void **state)
{
	static const struct {
		enum mail_step step;
		const char *answer;
		bool final;
	} rows[] = {
		{MAIL_AT_RECIPIENT, "550 5.1.1 nobody of that name", true},
		{MAIL_AT_RECIPIENT, "550-5.1.1 nobody of that name", true},
		{MAIL_AT_RECIPIENT, "550 no such user", true},
		{MAIL_AT_RECIPIENT, "553 5.1.3 bad address", true},
		{MAIL_AT_RECIPIENT, "550 5.2.1 this mailbox is closed", true},
		{MAIL_AT_RECIPIENT, "556 5.1.10 that domain takes no mail", true},
		{MAIL_AT_CONTENT, "554 5.6.0 we do not like it", true},
		{MAIL_AT_CONTENT, "554 transaction failed", true},
		{MAIL_AT_GREETING, "554 no SMTP service here", false},
		{MAIL_AT_GREETING, "550 5.1.1 EHLO what", false},
		{MAIL_AT_SENDER, "550 5.1.8 that is no sender", false},
		{MAIL_AT_SENDER, "550 5.7.60 may not send as this sender", false},
		{MAIL_AT_RECIPIENT, "550 5.1.8 that is no sender", false},
		{MAIL_AT_RECIPIENT, "552 5.2.2 the mailbox is full", false},
		{MAIL_AT_RECIPIENT, "550 5.7.1 relaying denied", false},
		{MAIL_AT_RECIPIENT, "550 Daily sending quota exceeded", false},
		{MAIL_AT_RECIPIENT, "554 Too Many messages", false},
		{MAIL_AT_RECIPIENT, "503 5.5.1 MAIL first", false},
		{MAIL_AT_RECIPIENT, "530 5.7.0 Authentication Required", false},
		{MAIL_AT_CONTENT, "550 5.4.5 Daily user sending limit exceeded", false},
		{MAIL_AT_CONTENT, "554 5.7.1 looks like spam", false},
		{MAIL_AT_CONTENT, "451 4.3.0 try again", false},
		{MAIL_AT_CONTENT, "", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (mail_is_final(rows[i].step, rows[i].answer) != rows[i].final)
			fail_msg("%s at step %d", rows[i].answer, (int)rows[i].step);
}

static void a_long_subject_is_cut_between_characters(void **state)
{
	struct buf out = {0};
	char subject[400] = "";
	struct mail m = {.from = "a@b.c",
			 .from_name = "x",
			 .to = "d@e.f",
			 .subject = subject,
			 .id = "1@x",
			 .text = "t",
			 .html = "h",
			 .calendar = "BEGIN",
			 .method = "REQUEST"};
	const char *line, *next;

	(void)state;
	for (int i = 0; i < 60; i++)
		strcat(subject, i % 3 ? "한" : "x");
	assert_true(mail_make(&out, &m));
	for (line = out.data; (next = strstr(line, "\r\n")); line = next + 2)
		assert_true(next - line <= 78);
	assert_non_null(strstr(out.data, "text/calendar; charset=utf-8; method=REQUEST"));
	buf_free(&out);
}

static void a_program_gets_its_input_and_is_ended_in_time(void **state)
{
	static const char *const cat[] = {"/bin/cat", NULL}, *const no[] = {"/nowhere/at/all", NULL};
	static const char *const hang[] = {"/bin/sh", "-c", "sleep 60 & sleep 60", NULL}, *const late[] = {"/bin/sh", "-c",
													   "exit 75", NULL};
	static char big[300000], out[64];
	int64_t begun;

	(void)state;
	memset(big, 'x', sizeof big);
	assert_int_equal(run_program(cat, "hello", 5, 5, out, sizeof out), 0);
	assert_string_equal(out, "hello");
	assert_int_equal(run_program(cat, big, sizeof big, 5, out, sizeof out),
			 0); /* more than a pipe holds, more than we keep */
	assert_int_equal(strlen(out), sizeof out - 1);
	assert_int_equal(run_program(no, "", 0, 5, out, sizeof out), RUN_NOT_FOUND);
	assert_int_equal(run_program(late, big, sizeof big, 5, out, sizeof out), RUN_LATER);
	begun = clock_mono_ms();
	assert_int_equal(run_program(hang, "", 0, 1, out, sizeof out), RUN_TIMED_OUT);
	assert_true(clock_mono_ms() - begun < 4000);
}

static void an_amount_has_its_currency_and_digits_in_the_language_of_its_reader(void **state)
{
	static const struct {
		int64_t amount;
		const char *currency, *ko, *en;
	} rows[] = {
		{20000, "KRW", "20,000원", "KRW 20,000"},
		{1950, "EUR", "€19.50", "€19.50"},
		{123456789, "EUR", "€1,234,567.89", "€1,234,567.89"},
		{5, "GBP", "£0.05", "£0.05"},
		{1250, "KWD", "KWD 1.250", "KWD 1.250"},
		{100000, "CHF", "CHF 1,000.00", "CHF 1,000.00"},
		{INT64_MAX, "KWD", "KWD 9,223,372,036,854,775.807", "KWD 9,223,372,036,854,775.807"},
	};
	char text[40];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		wording_amount(rows[i].amount, rows[i].currency, LANG_KO, text);
		assert_string_equal(text, rows[i].ko);
		wording_amount(rows[i].amount, rows[i].currency, LANG_EN, text);
		assert_string_equal(text, rows[i].en);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_short_text_has_one_part_with_the_longest_names),
		TEST(a_time_after_midnight_is_told_with_its_evening),
		TEST(a_guest_is_told_until_when_the_table_is_theirs),
		TEST(what_is_no_longer_so_is_not_told),
		TEST(a_cancellation_of_what_was_not_told_there_is_not_sent_to_an_address_that_was_only_typed),
		TEST(a_reminder_of_a_time_that_was_moved_is_not_sent),
		TEST(an_address_that_was_only_typed_hears_nothing_before_its_first_message),
		cmocka_unit_test(an_amount_has_its_currency_and_digits_in_the_language_of_its_reader),
		cmocka_unit_test(a_name_carries_nothing_but_a_name),
		TEST(a_guests_words_are_not_carried_to_an_address_that_was_only_typed),
		TEST(a_mail_says_which_allergies_the_house_knows_of),
		cmocka_unit_test(no_part_of_a_mail_can_begin_another_header),
		cmocka_unit_test(a_restaurant_of_any_name_is_one_sender),
		cmocka_unit_test(only_a_no_about_this_address_or_message_is_final),
		cmocka_unit_test(a_long_subject_is_cut_between_characters),
		cmocka_unit_test(a_program_gets_its_input_and_is_ended_in_time),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
