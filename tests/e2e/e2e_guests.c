/*
 * e2e_guests.c - what a restaurant knows of its guests: notes and blocks of its own, texts of any script and in lines, and
 * forgetting a guest altogether.
 */
#include "appliance.h"
#include "clock.h"
#include "guests.h"
#include "talk.h"
#include "text.h"
#include "unit.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

enum { SOON = 20000 };

static struct appliance box;
static char owner[TALK_HEADERS], staff[TALK_HEADERS],
	stranger[TALK_HEADERS]; /* header lines; stranger is staff of the second restaurant */

/* ---- the stage ---- */

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 2);
	talk_add_staff(&box, "owner@example.com", owner);
	talk_add_staff(&box, "staff@example.com", staff);
	talk_add_staff(&box, "stranger@example.com", stranger);
	appliance_sql(&box,
		      "INSERT INTO restaurants (restaurant_id, name) VALUES (2, 'other');"
		      "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 2, value, '00:00', '24:00'"
		      " FROM json_each('[1,2,3,4,5,6,7]'); DELETE FROM opening_hours WHERE restaurant_id = 1;"
		      "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00'"
		      " FROM json_each('[1,2,3,4,5,6,7]');"
		      "UPDATE restaurants SET deposit_per_person = 0, deposit_large_per_person = 0, reservation_limit = 40,"
		      " upcoming_per_guest = 0, holds_per_guest = 0;"
		      "UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com';"
		      "UPDATE users SET restaurant_id = 1 WHERE email = 'staff@example.com';"
		      "UPDATE users SET restaurant_id = 2 WHERE email = 'stranger@example.com'");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* By telephone, at that restaurant, for that number. */
static int64_t book_for(const char *who, int restaurant, const char *phone)
{
	static int hour;
	char path[80], body[300], date[TEXT_DATE_SIZE];
	const struct http_answer *a;

	guests_day(3, date);
	snprintf(path, sizeof path, "/api/desk/reservations?restaurantId=%d", restaurant);
	snprintf(body, sizeof body,
		 "{\"slotDate\":\"%s\",\"slotTime\":\"%02d:00\",\"partySize\":2,\"guestName\":\"Lee\",\"phone\":\"%s\"}", date,
		 hour++ % 24, phone);
	a = talk_as(&box, who, "POST", path, body);
	if (a->status != 201)
		fail_msg("%d: %s", a->status, a->body);
	return http_int(a, "reservationId");
}

/* What a guest with this number is told who books there by themselves. */
static const struct http_answer *book_self(int restaurant, const char *phone)
{
	static int times;
	char headers[120], body[400], date[TEXT_DATE_SIZE];

	guests_day(4, date);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: self-%d\r\n", ++times);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":%d,\"slotDate\":\"%s\",\"slotTime\":\"%02d:00\",\"partySize\":2,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Lee\",\"phone\":\"%s\"}}",
		 restaurant, date, times % 24, phone);
	return talk_as(&box, headers, "POST", "/api/reservations", body);
}

static int64_t guest_of(int64_t reservation)
{
	return appliance_number(&box, "SELECT user_id FROM reservations WHERE reservation_id = %lld", (long long)reservation);
}

static const struct http_answer *think(const char *who, int restaurant, int64_t guest, const char *opinion)
{
	char path[100];

	snprintf(path, sizeof path, "/api/desk/guests/%lld?restaurantId=%d", (long long)guest, restaurant);
	return talk_as(&box, who, "PATCH", path, opinion);
}

static const struct http_answer *person(const char *who, int restaurant, const char *phone)
{
	char path[80], body[80];

	snprintf(path, sizeof path, "/api/desk/person?restaurantId=%d", restaurant);
	snprintf(body, sizeof body, "{\"phone\":\"%s\"}", phone);
	return talk_as(&box, who, "POST", path, body);
}

/* ---- a restaurant's own guests ---- */

static void staff_know_only_guests_of_their_own(void **state)
{
	static const char PHONE[] = "010-5100-0001";
	int64_t guest = guest_of(book_for(staff, 1, PHONE));
	char theirs[200];

	(void)state;
	assert_int_equal(think(staff, 1, guest, "{\"note\":\"견과\"}")->status, 200);
	talk_says(think(stranger, 2, guest, "{\"note\":\"mine\",\"blocked\":1}"), 404, "NOT_FOUND");
	talk_says(think(stranger, 2, 999999, "{\"note\":\"mine\",\"blocked\":1}"), 404, "NOT_FOUND");
	talk_says(think(stranger, 1, guest, "{\"blocked\":1}"), 404, "NO_SUCH_RESTAURANT");
	talk_says(talk_as(&box, staff, "PATCH", "/api/desk/guests/1", "{\"blocked\":1}"), 400, "MISSING_FIELD");
	snprintf(theirs, sizeof theirs, "%s", person(stranger, 2, PHONE)->body);
	assert_string_equal(person(stranger, 2, "010-9999-9999")->body, theirs); /* an unknown number sounds the same */
	talk_says(person(stranger, 2, PHONE), 404, "NOT_FOUND");
	assert_non_null(strstr(person(staff, 1, PHONE)->body, "\"note\":\"견과\""));
	assert_int_equal(
		appliance_number(&box, "SELECT count(*) FROM restaurant_guests WHERE user_id = %lld", (long long)guest), 1);
}

static void a_note_and_a_block_are_one_restaurants(void **state)
{
	static const char PHONE[] = "010-5100-0002";
	int64_t guest = guest_of(book_for(staff, 1, PHONE));
	const struct http_answer *a;

	(void)state;
	book_for(stranger, 2, PHONE);
	assert_int_equal(think(staff, 1, guest, "{\"note\":\"첫째\",\"blocked\":1}")->status, 200);
	a = person(stranger, 2, PHONE);
	assert_null(strstr(a->body, "첫째"));
	assert_non_null(strstr(a->body, "\"blocked\":false"));
	talk_says(book_self(1, PHONE), 403, "BLOCKED");
	assert_int_equal(book_self(2, PHONE)->status, 201);
	assert_int_equal(think(staff, 1, guest, "{\"blocked\":0}")->status, 200);
	assert_int_equal(book_self(1, PHONE)->status, 201);
	assert_int_equal(appliance_number(&box, "SELECT blocked_by FROM users WHERE user_id = %lld", (long long)guest), 0);
}

static void how_often_they_came_elsewhere_is_not_told(void **state)
{
	static const char PHONE[] = "010-5100-0003";
	int64_t id = book_for(staff, 1, PHONE);

	(void)state;
	book_for(stranger, 2, PHONE);
	appliance_sql(
		&box,
		"INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		" VALUES (9000, 1, '2026-01-05', '18:00', 40); INSERT INTO reservations (reservation_code, slot_id, user_id,"
		" party_size, reservation_type, status) VALUES ('PAST', 9000, %lld, 2, 'RESERVATION_DEPOSIT', 'NO_SHOW')",
		(long long)guest_of(id));
	assert_int_equal(http_int(person(staff, 1, PHONE), "noShows"), 1);
	assert_int_equal(http_int(person(stranger, 2, PHONE), "noShows"), 0);
	assert_null(
		strstr(talk_as(&box, stranger, "POST", "/api/desk/search?restaurantId=2", "{\"q\":\"010-5100-0003\"}")->body,
		       "\"noShows\":1"));
}

static void a_guest_is_changed_only_in_what_is_named(void **state)
{
	static const char PHONE[] = "010-5100-0004";
	int64_t guest = guest_of(book_for(staff, 1, PHONE));
	const struct http_answer *a;

	(void)state;
	assert_int_equal(think(staff, 1, guest, "{\"note\":\"창가\"}")->status, 200);
	assert_int_equal(think(staff, 1, guest, "{\"blocked\":1}")->status, 200);
	assert_non_null(strstr(person(staff, 1, PHONE)->body, "\"note\":\"창가\",\"blocked\":true"));
	assert_int_equal(think(staff, 1, guest, "{\"note\":\"안쪽\"}")->status, 200);
	assert_non_null(strstr(person(staff, 1, PHONE)->body, "\"note\":\"안쪽\",\"blocked\":true"));
	assert_int_equal(think(staff, 1, guest, "{\"note\":\"\"}")->status, 200);
	a = person(staff, 1, PHONE);
	assert_non_null(strstr(a->body, "\"note\":null,\"blocked\":true"));
}

/* ---- who they are ---- */

static const struct http_answer *say(const char *who, int restaurant, int64_t guest, const char *word, const char *body)
{
	char path[120];

	snprintf(path, sizeof path, "/api/desk/guests/%lld/%s?restaurantId=%d", (long long)guest, word, restaurant);
	return talk_as(&box, who, "POST", path, body);
}

static const struct http_answer *look_at(const char *who, int restaurant, int64_t guest)
{
	char path[100];

	snprintf(path, sizeof path, "/api/desk/guests/%lld?restaurantId=%d", (long long)guest, restaurant);
	return talk_as(&box, who, "GET", path, NULL);
}

static const struct http_answer *list_of(const char *who, int restaurant, const char *body)
{
	char path[80];

	snprintf(path, sizeof path, "/api/desk/guests?restaurantId=%d", restaurant);
	return talk_as(&box, who, "POST", path, body);
}

static void a_wrong_number_is_corrected_or_is_another_guests(void **state)
{
	int64_t id = book_for(staff, 1, "010-5200-0001"), guest = guest_of(id), other;
	const struct http_answer *a;
	char text[HTTP_TEXT], body[60];

	(void)state;
	other = guest_of(book_for(staff, 1, "010-5200-0002"));
	a = think(staff, 1, guest,
		  "{\"version\":0,\"name\":\"김민지\",\"phone\":\"010-5200-0003\",\"email\":\"m@e.kr\",\"tags\":"
		  "[\"vip\",\"창가\"]}");
	assert_int_equal(a->status, 200);
	assert_int_equal(http_int(a, "guestId"), guest);
	assert_string_equal(http_text(a, "name", text), "김민지");
	assert_non_null(strstr(a->body, "\"tags\":[\"VIP\",\"창가\"]"));
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM reservations WHERE reservation_id = %lld AND guest_name ="
					  " '김민지' AND guest_email = 'm@e.kr'",
					  (long long)id),
			 1);
	talk_says(think(staff, 1, guest, "{\"version\":0,\"note\":\"late\"}"), 409, "STALE");
	a = think(staff, 1, guest, "{\"name\":\"Nobody\",\"phone\":\"+82 10 5200 0002\"}");
	talk_says(a, 409, "GUEST_EXISTS");
	assert_non_null(strstr(a->body, "\"field\":\"phone\""));
	snprintf(body, sizeof body, "\"guest\":{\"guestId\":%lld,", (long long)other);
	assert_non_null(strstr(a->body, body));
	assert_string_equal(http_text(look_at(staff, 1, guest), "name", text), "김민지");
	/* They are the same person; and then they are not. */
	snprintf(body, sizeof body, "{\"into\":%lld}", (long long)other);
	a = say(staff, 1, guest, "merge", body);
	assert_int_equal(a->status, 200);
	assert_int_equal(http_int(a, "guestId"), other);
	assert_int_equal(guest_of(id), other);
	assert_int_equal(look_at(staff, 1, guest)->status, 404);
	assert_non_null(strstr(look_at(staff, 1, other)->body, "\"mergeId\":"));
	assert_int_equal(say(staff, 1, other, "unmerge", "{}")->status, 200);
	assert_int_equal(guest_of(id), guest);
	talk_says(say(staff, 1, other, "unmerge", ""), 404, "NOT_FOUND");
}

static void only_staff_of_the_restaurant_say_who_its_guests_are(void **state)
{
	int64_t guest = guest_of(book_for(staff, 1, "010-5200-0011")),
		theirs = guest_of(book_for(stranger, 2, "010-5200-0012"));
	char token[HTTP_TEXT], bearer[HTTP_TEXT + 100], body[60];
	const char *const outsiders[] = {"Content-Type: application/json\r\n", bearer};

	(void)state;
	http_text(http_post(box.port, "/api/guests", "{\"name\":\"Kim\",\"phone\":\"010-5200-0011\"}"), "accessToken", token);
	snprintf(bearer, sizeof bearer, "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n", token);
	snprintf(body, sizeof body, "{\"into\":%lld}", (long long)theirs);
	for (size_t i = 0; i < sizeof outsiders / sizeof outsiders[0]; i++) {
		int status = i ? 403 : 401;

		assert_int_equal(think(outsiders[i], 1, guest, "{\"name\":\"x\"}")->status, status);
		assert_int_equal(look_at(outsiders[i], 1, guest)->status, status);
		assert_int_equal(say(outsiders[i], 1, guest, "merge", body)->status, status);
		assert_int_equal(say(outsiders[i], 1, guest, "unmerge", "{}")->status, status);
		assert_int_equal(list_of(outsiders[i], 1, "{}")->status, status);
	}
	talk_says(think(stranger, 2, guest, "{\"phone\":\"010-1\"}"), 400, "BAD_PHONE");
	talk_says(think(stranger, 2, guest, "{\"phone\":\"010-5200-0099\"}"), 404, "NOT_FOUND");
	talk_says(look_at(stranger, 2, guest), 404, "NOT_FOUND");
	talk_says(look_at(stranger, 1, guest), 404, "NO_SUCH_RESTAURANT");
	talk_says(list_of(stranger, 1, "{}"), 404, "NO_SUCH_RESTAURANT");
	talk_says(say(stranger, 2, guest, "merge", body), 404, "NOT_FOUND");
	talk_says(say(staff, 1, guest, "merge", body), 404, "NOT_FOUND"); /* into a guest of the other house */
	talk_says(say(stranger, 2, guest, "unmerge", "{}"), 404, "NOT_FOUND");
	assert_null(strstr(list_of(stranger, 2, "{\"q\":\"52000011\"}")->body, "guestId"));
	assert_non_null(strstr(list_of(staff, 1, "{\"q\":\"52000011\"}")->body, "guestId"));
	/* A number that only the other house knows is new to this one, which hears nothing of its guest. */
	assert_int_equal(think(staff, 1, guest, "{\"phone\":\"010-5200-0012\"}")->status, 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE user_id = %lld", (long long)theirs),
			 2);
	assert_string_equal(http_text(look_at(stranger, 2, theirs), "note", token), "");
}

static void what_makes_no_sense_of_a_guest_is_refused(void **state)
{
	static const struct {
		const char *body, *code;
	} bad[] = {
		{"{\"name\":\"\"}", "BAD_NAME"},
		{"{\"phone\":\"\"}", "BAD_PHONE"},
		{"{\"email\":\"x\"}", "BAD_EMAIL"},
		{"{\"tags\":[\"a,b\"]}", "BAD_GUEST_TAG"},
		{"{\"tags\":[\" \"]}", "BAD_GUEST_TAG"},
		{"{\"tags\":[1]}", "WRONG_TYPE"},
		{"{\"tags\":\"VIP\"}", "WRONG_TYPE"},
		{"{\"tags\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]}", "BAD_GUEST_TAG"},
		{"{\"visits\":3}", "UNKNOWN_FIELD"},
		{"{\"version\":-1}", "OUT_OF_RANGE"},
	};
	int64_t guest = guest_of(book_for(staff, 1, "010-5200-0021"));
	char body[40];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		talk_says(think(staff, 1, guest, bad[i].body), 400, bad[i].code);
	assert_int_equal(
		appliance_number(&box, "SELECT count(*) FROM restaurant_guests WHERE user_id = %lld", (long long)guest), 0);
	snprintf(body, sizeof body, "{\"into\":%lld}", (long long)guest);
	talk_says(say(staff, 1, guest, "merge", body), 400, "OUT_OF_RANGE");
	talk_says(say(staff, 1, guest, "merge", "{}"), 400, "MISSING_FIELD");
	talk_says(say(staff, 1, guest, "merge", "{\"into\":999999}"), 404, "NOT_FOUND");
	talk_says(list_of(staff, 1, "{\"after\":\"2026-01-20\"}"), 400, "BAD_REQUEST");
	talk_says(list_of(staff, 1, "{\"after\":\"2026-01-20T18:00/x\"}"), 400, "BAD_REQUEST");
	talk_says(list_of(staff, 1, "{\"name\":\"Kim\"}"), 400, "UNKNOWN_FIELD");
}

/* ---- what a device may see ---- */

static int64_t book_by_card(const char *phone, int day_hour, char token[HTTP_TEXT])
{
	char bearer[HTTP_TEXT + 100], body[300], date[TEXT_DATE_SIZE];
	const struct http_answer *a;

	snprintf(body, sizeof body, "{\"name\":\"Card\",\"phone\":\"%s\"}", phone);
	http_text(http_post(box.port, "/api/guests", body), "accessToken", token);
	guests_day(7, date);
	snprintf(bearer, sizeof bearer, "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n", token);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%02d:00\",\"partySize\":2,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\"}",
		 date, day_hour);
	a = talk_as(&box, bearer, "POST", "/api/reservations", body);
	if (a->status != 201)
		fail_msg("%d: %s", a->status, a->body);
	return http_int(a, "reservationId");
}

static int seen_by(const char *token)
{
	char bearer[HTTP_TEXT + 100];
	const char *p;
	int n = 0;

	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", token);
	p = talk_as(&box, bearer, "GET", "/api/reservations/my", NULL)->body;
	while ((p = strstr(p, "\"reservationId\""))) {
		n++;
		p++;
	}
	return n;
}

static int open_by(const char *token, int64_t id)
{
	char bearer[HTTP_TEXT + 100], path[60];

	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", token);
	snprintf(path, sizeof path, "/api/reservations/%lld", (long long)id);
	return talk_as(&box, bearer, "GET", path, NULL)->status;
}

/* A stranger books with a number that staff take for a slip of their guest's, and has the two merged. */
static void a_device_sees_what_was_made_with_it_whatever_staff_say_whose_it_is(void **state)
{
	char stranger_card[HTTP_TEXT], victim_card[HTTP_TEXT], body[100];
	int64_t theirs = book_by_card("010-5300-0002", 10, victim_card),
		made = book_by_card("010-5300-0001", 11, stranger_card);
	int64_t victim = guest_of(theirs), slip = guest_of(made);

	(void)state;
	assert_int_equal(seen_by(stranger_card), 1);
	snprintf(body, sizeof body, "{\"into\":%lld}", (long long)victim);
	assert_int_equal(say(staff, 1, slip, "merge", body)->status, 200);
	assert_int_equal(guest_of(made), victim);
	assert_int_equal(seen_by(stranger_card), 1);
	assert_int_equal(open_by(stranger_card, theirs), 404);
	assert_int_equal(open_by(stranger_card, made), 200);
	assert_int_equal(seen_by(victim_card), 1);
	assert_int_equal(open_by(victim_card, made), 404);
	/* Another number is no other device. */
	assert_int_equal(think(staff, 1, victim, "{\"phone\":\"010-5300-0009\"}")->status, 200);
	assert_int_equal(seen_by(victim_card), 1);
	assert_int_equal(open_by(victim_card, theirs), 200);
	assert_int_equal(open_by(stranger_card, theirs), 404);
	/* Who types the new number gets a card like any other, which sees nothing. */
	book_by_card("010-5300-0009", 12, stranger_card);
	assert_int_equal(seen_by(stranger_card), 1);
	assert_int_equal(open_by(stranger_card, theirs), 404);
}

/* ---- lists ---- */

static void the_list_of_guests_has_their_tags_and_their_last_visit(void **state)
{
	static const char PHONE[] = "010-5200-0031";
	int64_t guest = guest_of(book_for(staff, 1, PHONE));
	char path[160], date[TEXT_DATE_SIZE];
	const struct http_answer *a;

	(void)state;
	assert_int_equal(
		think(staff, 1, guest, "{\"name\":\"Corrected\",\"email\":\"c@e.kr\",\"tags\":[\"VIP\",\"두부\"]}")->status,
		200);
	guests_day(3, date);
	snprintf(path, sizeof path, "/api/desk/export/guests.csv?restaurantId=1&from=%s&to=%s", date, date);
	a = talk_as(&box, owner, "GET", path, NULL);
	assert_non_null(strstr(a->body, "\"last\",\"note\",\"blocked\",\"tags\",\"last_visit\""));
	snprintf(path, sizeof path, "\"Corrected\",\"01052000031\",\"c@e.kr\",1,0,0,\"%s\",,0,\"VIP,두부\",", date);
	if (!strstr(a->body, path))
		fail_msg("no %s in %s", path, a->body);
	a = list_of(staff, 1, "{\"tag\":\"두부\"}");
	assert_non_null(strstr(a->body, "\"name\":\"Corrected\""));
	assert_non_null(strstr(a->body, "\"after\":null"));
	assert_null(strstr(list_of(staff, 1, "{\"tag\":\"두\"}")->body, "Corrected"));
}

static void no_cell_of_a_list_is_a_formula_and_lines_stay_in_their_cell(void **state)
{
	static const char *const names[] = {"=1", "+1", "-1", "@a", "＝1", "＋1", "－1", "＠a"};
	char path[160], date[TEXT_DATE_SIZE], body[300], cell[40];
	const struct http_answer *a;

	(void)state;
	guests_day(6, date);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		snprintf(body, sizeof body,
			 "{\"slotDate\":\"%s\",\"slotTime\":\"12:00\",\"partySize\":1,\"guestName\":\"%s\",\"note\":\"첫 "
			 "줄\\n둘째 줄\"}",
			 date, names[i]);
		assert_int_equal(talk_as(&box, staff, "POST", "/api/desk/reservations?restaurantId=1", body)->status, 201);
	}
	snprintf(path, sizeof path, "/api/desk/export/reservations.csv?restaurantId=1&from=%s&to=%s", date, date);
	a = talk_as(&box, owner, "GET", path, NULL);
	assert_int_equal(a->status, 200);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		snprintf(cell, sizeof cell, ",\"'%s\",", names[i]);
		if (!strstr(a->body, cell))
			fail_msg("%s is a formula: %s", names[i], a->body);
	}
	assert_non_null(strstr(a->body, ",\"첫 줄\n둘째 줄\","));
}

/* ---- forgetting ---- */

static bool file_has(const char *path, const void *bytes, size_t n)
{
	static char data[1 << 24];
	FILE *f = fopen(path, "r");
	size_t length = f ? fread(data, 1, sizeof data, f) : 0;

	assert_true(length < sizeof data);
	if (f)
		fclose(f);
	return memmem(data, length, bytes, n) != NULL;
}

/* In any file of the book's folder. */
static bool folder_has(const void *bytes, size_t n)
{
	char pattern[APPLIANCE_PATH];
	bool found = false;
	glob_t g;

	snprintf(pattern, sizeof pattern, "%s/*", box.dir);
	assert_int_equal(glob(pattern, 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc && !found; i++)
		found = file_has(g.gl_pathv[i], bytes, n);
	globfree(&g);
	return found;
}

static void a_guest_who_is_erased_leaves_the_files_of_the_folder(void **state)
{
	static const char PHONE[] = "010-5188-7766", *const words[] = {"마르크손님", "mark@erase.kr", "01051887766",
								       "마르크요청", "마르크메모",    "마르크사유",
								       "MarkKey"};
	static const unsigned char key[] = {0x00, 0xbf, 0x2a, 0x81, 0x90, 0x96}; /* 821051887766, as the book writes a number */
	char headers[400], body[500], path[100], date[TEXT_DATE_SIZE], manage[HTTP_TEXT];
	const struct http_answer *a;
	int64_t id, guest;

	(void)state;
	guests_day(5, date);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: MarkKey\r\n");
	snprintf(
		body, sizeof body,
		"{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"12:00\",\"partySize\":2,\"reservationType\":"
		"\"RESERVATION_DEPOSIT\",\"requestMessage\":\"마르크요청\",\"guest\":{\"name\":\"마르크손님\",\"phone\":\"%s\","
		"\"email\":\"mark@erase.kr\"}}",
		date, PHONE);
	a = talk_as(&box, headers, "POST", "/api/reservations", body);
	assert_int_equal(a->status, 201);
	id = http_int(a, "reservationId");
	guest = guest_of(id);
	http_text(a, "manageToken", manage);
	assert_int_equal(think(staff, 1, guest, "{\"note\":\"마르크메모\"}")->status, 200);
	snprintf(path, sizeof path, "/api/reservations/%lld/cancel", (long long)id);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nX-Manage-Token: %.200s\r\n", manage);
	assert_int_equal(talk_as(&box, headers, "POST", path, "{\"reason\":\"마르크사유\"}")->status, 200);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		assert_true(folder_has(words[i], strlen(words[i])));
	assert_true(folder_has(key, sizeof key));
	snprintf(path, sizeof path, "/api/desk/guests/%lld/erase", (long long)guest);
	assert_int_equal(talk_as(&box, owner, "POST", path, "{}")->status, 200);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		WITHIN(SOON, !folder_has(words[i], strlen(words[i]))); /* the keeper's next look */
	WITHIN(SOON, !folder_has(key, sizeof key));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(staff_know_only_guests_of_their_own),
		cmocka_unit_test(a_note_and_a_block_are_one_restaurants),
		cmocka_unit_test(how_often_they_came_elsewhere_is_not_told),
		cmocka_unit_test(a_guest_is_changed_only_in_what_is_named),
		cmocka_unit_test(a_wrong_number_is_corrected_or_is_another_guests),
		cmocka_unit_test(only_staff_of_the_restaurant_say_who_its_guests_are),
		cmocka_unit_test(what_makes_no_sense_of_a_guest_is_refused),
		cmocka_unit_test(a_device_sees_what_was_made_with_it_whatever_staff_say_whose_it_is),
		cmocka_unit_test(the_list_of_guests_has_their_tags_and_their_last_visit),
		cmocka_unit_test(no_cell_of_a_list_is_a_formula_and_lines_stay_in_their_cell),
		cmocka_unit_test(a_guest_who_is_erased_leaves_the_files_of_the_folder),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
