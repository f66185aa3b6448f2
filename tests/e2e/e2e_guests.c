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

/* ---- lists ---- */

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
		cmocka_unit_test(no_cell_of_a_list_is_a_formula_and_lines_stay_in_their_cell),
		cmocka_unit_test(a_guest_who_is_erased_leaves_the_files_of_the_folder),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
