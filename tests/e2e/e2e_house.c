/*
 * e2e_house.c - what the owner can make of a restaurant by the API, and what not: every setting at its ends, lists that become
 * empty, another time zone, fewer seats; and what an unknown field, a large body and a second owner come to.
 */
#include "appliance.h"
#include "book.h"
#include "clock.h"
#include "guests.h"
#include "route.h"
#include "settings.h"
#include "talk.h"
#include "unit.h"
#include "zone.h"

#include <json-c/json.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct appliance box;
static char owner[TALK_HEADERS], second[TALK_HEADERS], partner[TALK_HEADERS],
	staff[TALK_HEADERS]; /* header lines; partner owns restaurant 2 alone */
static const char ZONE[] = "Asia/Seoul";

/* ---- the stage ---- */

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 8);
	talk_add_staff(&box, "owner@example.com", owner);
	talk_add_staff(&box, "second@example.com", second);
	talk_add_staff(&box, "partner@example.com", partner);
	talk_add_staff(&box, "staff@example.com", staff);
	appliance_sql(&box, "UPDATE users SET user_type = 'OWNER' WHERE email IN ('owner@example.com', 'second@example.com',"
			    " 'partner@example.com'); INSERT INTO restaurants (restaurant_id, name) VALUES (2, 'other');"
			    " UPDATE users SET restaurant_id = 2 WHERE email = 'partner@example.com'");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

static const struct http_answer *put(const char *part, const char *body)
{
	char path[80];

	snprintf(path, sizeof path, "/api/desk/%s?restaurantId=1", part);
	return talk_as(&box, owner, "PUT", path, body);
}

static void is_done(const struct http_answer *a, int status)
{
	if (a->status != status)
		fail_msg("%d, not %d: %.300s", a->status, status, a->body);
}

static void is_refused(const struct http_answer *a, int status, const char *code, const char *field)
{
	char got[HTTP_TEXT], about[HTTP_TEXT];

	http_text(a, "code", got);
	http_text(a, "field", about);
	if (a->status != status || strcmp(got, code) != 0 || strcmp(about, field) != 0)
		fail_msg("%d %s %s, not %d %s %s: %.300s", a->status, got, about, status, code, field, a->body);
}

/* How many reservations the answer to a change names, and why the first is among them. */
static int contradicted(const struct http_answer *a, char why[HTTP_TEXT])
{
	struct json_object *j = http_json(a), *list = NULL, *word = NULL;
	int n;

	is_done(a, 200);
	assert_true(json_object_object_get_ex(j, "contradicted", &list));
	n = (int)json_object_array_length(list);
	*why = '\0';
	if (n && json_object_object_get_ex(json_object_array_get_idx(list, 0), "contradicts", &word))
		snprintf(why, HTTP_TEXT, "%s", json_object_get_string(word));
	json_object_put(j);
	return n;
}

/* A house that is always open and asks for no money; a day so far ahead. */
static void make_plain(void)
{
	char body[4000];
	int n = snprintf(body, sizeof body, "{\"currency\":\"KRW\"");

	for (size_t i = 0; i < settings_count; i++) {
		const char *name = settings_rows[i].name;
		int value = settings_rows[i].fallback;
		bool deposit = strncmp(name, "deposit_", 8) == 0 && strstr(name, "per_person");

		value = deposit || strcmp(name, "lead_minutes") == 0 ? 0 :
			strcmp(name, "reservation_limit") == 0       ? 9000 :
								       value;
		n += snprintf(body + n, sizeof body - (size_t)n, ",\"");
		for (; *name; name++) /* reservation_limit is reservationLimit there */
			n += snprintf(body + n, sizeof body - (size_t)n, "%c", *name == '_' ? *++name - 32 : *name);
		n += snprintf(body + n, sizeof body - (size_t)n, "\":%d", value);
	}
	snprintf(body + n, sizeof body - (size_t)n, "}");
	is_done(put("settings", body), 200);
}

static void open_always(void)
{
	char body[700];
	int n = snprintf(body, sizeof body, "{\"hours\":[");

	for (int day = 1; day <= 7; day++)
		n += snprintf(body + n, sizeof body - (size_t)n, "%s{\"weekday\":%d,\"opens\":\"00:00\",\"closes\":\"24:00\"}",
			      day > 1 ? "," : "", day);
	snprintf(body + n, sizeof body - (size_t)n, "]}");
	is_done(put("hours", body), 200);
}

static void day_ahead(int days, char out[TEXT_DATE_SIZE])
{
	struct date today;
	int minute;

	assert_true(zone_to_local(ZONE, clock_now_s() + days * INT64_C(86400), &today, &minute));
	text_put_date(today, out);
}

/* A new guest books noon of that day. */
static const struct http_answer *book(int days, int party)
{
	static int number;
	char body[400], headers[160], day[TEXT_DATE_SIZE];

	day_ahead(days, day);
	number++;
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: house-%d\r\n", number);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"12:00\",\"partySize\":%d,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Lee\",\"phone\":\"+82 10 77%06d\"}}",
		 day, party, number);
	return http_ask(box.port, (struct http_call){.path = "/api/reservations", .headers = headers, .body = body});
}

static const struct http_answer *book_at_the_desk(int days, int party)
{
	char body[200], day[TEXT_DATE_SIZE];

	day_ahead(days, day);
	snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"12:00\",\"partySize\":%d,\"guestName\":\"Kim\"}", day,
		 party);
	return talk_as(&box, staff, "POST", "/api/desk/reservations?restaurantId=1", body);
}

static void cancel_all(void)
{
	appliance_sql(&box, "UPDATE reservations SET status = CASE status WHEN 'TEMPORARY' THEN 'EXPIRED' ELSE 'CANCELED' END"
			    " WHERE is_active = 1; UPDATE waitlist SET status = 'LEFT' WHERE is_waiting = 1");
}

static void camel(const char *name, char out[48])
{
	for (; *name; name++)
		*out++ = *name == '_' ? (char)(*++name - 'a' + 'A') : *name;
	*out = '\0';
}

/* ---- settings ---- */

/* What a booking of two, or of as many as the house takes, comes to with one setting at one of its ends. */
static void book_at_an_end(const struct settings_row *row, int value, int day)
{
	static const struct {
		const char *name;
		int value, status;
	} others[] = {{"reservation_limit", 0, 409},
		      {"window_days", 0, 400},
		      {"lead_minutes", 525600, 400},
		      {"wait_ms", 0, 429},
		      {"staff_seats", 10000, 409}};
	int party = strcmp(row->name, "party_min") == 0 || strcmp(row->name, "party_max") == 0 ? value : 2, status = 201;
	char body[100], name[48], path[120], date[TEXT_DATE_SIZE];
	const struct http_answer *a;

	camel(row->name, name);
	snprintf(body, sizeof body, "{\"%s\":%d%s}", name, value,
		 strcmp(row->name, "party_min") == 0 && value > 1 ? ",\"partyMax\":1000" : "");
	is_done(put("settings", body), 200);
	for (size_t i = 0; i < COUNT(others); i++)
		if (strcmp(others[i].name, row->name) == 0 && others[i].value == value)
			status = others[i].status;
	a = book(day, party);
	if (a->status != status && !(status == 429 && a->status == 201))
		fail_msg("%s = %d: %d %.300s", row->name, value, a->status, a->body);
	a = book_at_the_desk(day, 1);
	if (a->status != 201 && !(a->status == 409 && status == 409) && a->status != 429)
		fail_msg("at the desk, %s = %d: %d %.300s", row->name, value, a->status, a->body);
	day_ahead(day, date);
	snprintf(path, sizeof path, "/api/reservations/slots?restaurantId=1&slotDate=%s&partySize=1", date);
	is_done(http_get(box.port, path), 200);
	snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", date);
	is_done(talk_as(&box, staff, "GET", path, NULL), 200);
}

static void every_setting_takes_a_booking_at_both_ends_and_nothing_beyond_them(void **state)
{
	char body[100], name[48];

	(void)state;
	open_always();
	for (size_t i = 0; i < settings_count; i++) {
		const struct settings_row *row = &settings_rows[i];
		const int64_t beyond[] = {row->min - INT64_C(1), row->max + INT64_C(1)};

		make_plain();
		camel(row->name, name);
		for (size_t k = 0; k < COUNT(beyond); k++) {
			snprintf(body, sizeof body, "{\"%s\":%lld}", name, (long long)beyond[k]);
			is_refused(put("settings", body), 400, "OUT_OF_RANGE", name);
		}
		book_at_an_end(row, row->min, 2 + (int)i);
		make_plain();
		book_at_an_end(row, row->max, 2 + (int)i);
		if (i % 8 == 7)
			cancel_all(); /* or the house would be full of them */
	}
	make_plain();
	is_done(put("settings", "{\"partyMax\":1000,\"reservationLimit\":10000,\"depositLargePerPerson\":10000000}"), 200);
	assert_int_equal(http_int(book(50, 1000), "amountDue"), INT64_C(10000000000));
	make_plain();
	cancel_all();
}

static void a_sitting_has_five_minutes_or_is_left_to_another_setting(void **state)
{
	static const char *const names[] = {"sittingMinutes", "sittingLargeMinutes"};
	char body[100];

	(void)state;
	make_plain();
	for (size_t i = 0; i < COUNT(names); i++)
		for (int minutes = 0; minutes <= 6; minutes++) {
			snprintf(body, sizeof body, "{\"%s\":%d}", names[i], minutes);
			if (minutes == 0 || minutes >= 5) {
				is_done(put("settings", body), 200);
				is_done(book(3, 8), 201);
			} else
				is_refused(put("settings", body), 400, "OUT_OF_RANGE", names[i]);
		}
	make_plain();
	cancel_all();
}

static void what_a_house_cannot_be_is_refused_by_name_and_changes_nothing(void **state)
{
	static const struct {
		const char *body, *code, *field;
	} rows[] = {
		{"{\"phone\":\"1588-1588\",\"currency\":\"US$\"}", "BAD_CURRENCY", "currency"},
		{"{\"phone\":\"1588-1588\",\"currency\":\"eur\"}", "BAD_CURRENCY", "currency"},
		{"{\"phone\":\"1588-1588\",\"currency\":\"E\"}", "BAD_CURRENCY", "currency"},
		{"{\"phone\":\"1588-1588\",\"currency\":\"ZZZ\"}", "BAD_CURRENCY", "currency"},
		{"{\"phone\":\"abc\"}", "BAD_PHONE", "phone"},
		{"{\"phone\":\"1588-1588\",\"country\":\"ZZ\"}", "BAD_COUNTRY", "country"},
		{"{\"phone\":\"1588-1588\",\"country\":\"de\"}", "BAD_COUNTRY", "country"},
		{"{\"phone\":\"1588-1588\",\"language\":\"de\"}", "BAD_LANGUAGE", "language"},
		{"{\"phone\":\"1588-1588\",\"language\":\"\"}", "MISSING_FIELD", "language"},
		{"{\"phone\":\"1588-1588\",\"firstWeekday\":0}", "OUT_OF_RANGE", "firstWeekday"},
		{"{\"phone\":\"1588-1588\",\"depositPerPerson\":7.5}", "WRONG_TYPE", "depositPerPerson"},
		{"{\"phone\":\"1588-1588\",\"currency\":\"\"}", "MISSING_FIELD", "currency"},
		{"{\"phone\":\"1588-1588\",\"timezone\":\"Mars/Olympus\"}", "BAD_ZONE", "timezone"},
		{"{\"phone\":\"1588-1588\",\"timezone\":\"../../etc/passwd\"}", "BAD_ZONE", "timezone"},
		{"{\"phone\":\"1588-1588\",\"timezone\":\"posix/Asia/Seoul\"}", "BAD_ZONE", "timezone"},
		{"{\"phone\":\"1588-1588\",\"timezone\":\"localtime\"}", "BAD_ZONE", "timezone"},
		{"{\"phone\":\"1588-1588\",\"callingCode\":10}", "OUT_OF_RANGE", "callingCode"},
		{"{\"phone\":\"1588-1588\",\"callingCode\":821}", "OUT_OF_RANGE", "callingCode"},
		{"{\"phone\":\"1588-1588\",\"partyMin\":13}", "OUT_OF_RANGE", "partyMin"},
		{"{\"phone\":\"1588-1588\",\"partyMax\":5,\"partyMin\":6}", "OUT_OF_RANGE", "partyMin"},
		{"{\"phone\":\"1588-1588\",\"notifyEmail\":\"nobody\"}", "BAD_EMAIL", "notifyEmail"},
		{"{\"phone\":\"1588-1588\",\"seat\":4}", "UNKNOWN_FIELD", "seat"},
		{"{\"phone\":\"1588-1588\",\"reservation_limit\":4}", "UNKNOWN_FIELD", "reservation_limit"},
		{"{\"phone\":\"1588-1588\",\"partyMax\":\"5\"}", "WRONG_TYPE", "partyMax"},
	};
	int64_t before;

	(void)state;
	make_plain();
	is_done(put("settings", "{\"partyMin\":2}"), 200);
	is_refused(put("settings", "{\"phone\":\"1588-1588\",\"partyMax\":1}"), 400, "OUT_OF_RANGE", "partyMax");
	is_done(put("settings", "{\"partyMin\":1,\"callingCode\":82,\"timezone\":\"Asia/Seoul\"}"), 200);
	before = appliance_number(&box, "SELECT count(*) FROM audit");
	for (size_t i = 0; i < COUNT(rows); i++)
		is_refused(put("settings", rows[i].body), 400, rows[i].code, rows[i].field);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM audit"), before);
}

static void a_change_leaves_alone_what_it_does_not_name(void **state)
{
	(void)state;
	make_plain();
	is_done(put("settings", "{\"nameEn\":\"Warm\",\"paymentText\":\"bank 1-2-3\",\"partyMax\":9}"), 200);
	is_done(put("settings", "{\"seats\":7}"), 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM restaurants WHERE restaurant_id = 1 AND name_en = 'Warm'"
						" AND payment_text = 'bank 1-2-3' AND party_max = 9 AND seats = 7"),
			 1);
	is_done(put("settings", "{\"paymentText\":\"\"}"), 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM restaurants WHERE restaurant_id = 1 AND name_en = 'Warm'"
						" AND payment_text IS NULL"),
			 1);
	is_done(put("tables", "{\"tables\":[{\"name\":\"A\",\"seatsMax\":4},{\"name\":\"B\",\"seatsMax\":4}],"
			      "\"sets\":[{\"tables\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"seatsMax\":8}]}"),
		200);
	is_done(put("tables", "{\"tables\":[]}"), 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM table_sets WHERE is_deleted = 0"), 1);
	is_done(put("tables", "{\"tables\":[],\"sets\":[]}"), 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM table_sets WHERE is_deleted = 0"), 0);
	make_plain();
}

/* ---- lists ---- */

static void joined_tables_are_tables_of_the_house_for_as_many_as_they_seat(void **state)
{
#define TABLES "\"tables\":[{\"name\":\"A\",\"seatsMax\":4},{\"name\":\"B\",\"seatsMax\":6}]"
	static const char *const wrong[] = {
		"[{\"tables\":[{\"name\":\"A\"},{\"name\":\"C\"}],\"seatsMax\":8}]", /* there is no C */
		"[{\"tables\":[{\"name\":\"A\"}],\"seatsMax\":8}]",
		"[{\"tables\":[{\"name\":\"A\"},{\"name\":\"A\"}],\"seatsMax\":8}]",
		"[{\"tables\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"seatsMax\":5}]",  /* B alone seats six */
		"[{\"tables\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"seatsMax\":21}]", /* together they seat ten */
	};
	char body[400];

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		snprintf(body, sizeof body, "{" TABLES ",\"sets\":%s}", wrong[i]);
		is_refused(put("tables", body), 400, "BAD_JOIN", "sets");
	}
	is_refused(put("tables", "{\"tables\":[{\"name\":\"A\",\"seatsMax\":4},{\"name\":\"A\",\"seatsMax\":6}]}"), 400,
		   "NAMED_TWICE", "tables");
	is_refused(put("tables", "{\"tables\":[{\"tableId\":999,\"name\":\"A\",\"seatsMax\":4}]}"), 409, "STALE", "tables");
	is_refused(put("menu", "{\"menu\":[{\"menuId\":999,\"name\":\"A\",\"price\":4}]}"), 409, "STALE", "menu");
	is_refused(put("hours", "{\"hours\":[{\"weekday\":1,\"opens\":\"10:00\",\"closes\":\"12:00\"},"
				"{\"weekday\":1,\"opens\":\"10:00\",\"closes\":\"13:00\"}]}"),
		   400, "NAMED_TWICE", "hours");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM dining_tables WHERE is_deleted = 0"), 0);
	is_done(put("tables", "{" TABLES ",\"sets\":[{\"tables\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"seatsMax\":12}]}"), 200);
	is_done(put("tables", "{\"tables\":[],\"sets\":[]}"), 200);
}

static void the_last_of_every_list_can_be_taken_away(void **state)
{
	const struct http_answer *a;

	(void)state;
	make_plain();
	is_refused(put("menu", "{}"), 400, "MISSING_FIELD", "menu");
	is_done(put("menu", "{\"menu\":[]}"), 200);
	is_done(put("tables", "{\"tables\":[],\"sets\":[]}"), 200);
	is_done(put("hours", "{\"hours\":[]}"), 200);
	is_done(put("special-days", "{\"day\":\"2031-05-06\",\"closed\":1}"), 200);
	is_done(put("special-days", "{\"day\":\"2031-05-06\",\"hours\":[]}"), 200);
	assert_int_equal(
		appliance_number(&box, "SELECT (SELECT count(*) FROM menus WHERE restaurant_id = 1 AND is_deleted = 0) +"
				       " (SELECT count(*) FROM opening_hours WHERE restaurant_id = 1) +"
				       " (SELECT count(*) FROM special_days WHERE restaurant_id = 1 AND day = '2031-05-06')"),
		0);
	is_refused(book(3, 2), 400, "CLOSED_DAY", "slotDate"); /* every day is */
	a = http_get(box.port, "/api/restaurants/1");
	is_done(a, 200);
	assert_non_null(strstr(a->body, "\"hours\":[]"));
	assert_non_null(strstr(a->body, "\"menu\":[]"));
	open_always();
}

/* Sixty dishes in two languages, each text as long as it may be. */
static char *long_menu(void)
{
	size_t size = 300000, n = 0;
	char *body = malloc(size), text[700];

	assert_non_null(body);
	for (size_t i = 0; i < 200; i++)
		memcpy(text + 3 * i, "밥", 3);
	text[600] = '\0';
	n += (size_t)snprintf(body, size, "{\"menu\":[");
	for (int i = 0; i < 60; i++)
		n += (size_t)snprintf(
			body + n, size - n,
			"%s{\"name\":\"%.240s\",\"nameEn\":\"%.240s\",\"description\":\"%s\",\"descriptionEn\":\"%s\","
			"\"price\":%d,\"soldOut\":0}",
			i ? "," : "", text, text, text, text, 10000 + i);
	snprintf(body + n, size - n, "]}");
	return body;
}

static void sixty_dishes_in_two_languages_are_saved_and_strangers_send_no_such_thing(void **state)
{
	static const char *const others[] = {"/api/reservations", "/api/guests", "/api/login", "/api/proofs", "/api/waitlist"};
	char *menu = long_menu();

	(void)state;
	is_done(put("menu", menu), 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM menus WHERE restaurant_id = 1 AND is_deleted = 0 AND"
						" length(description_en) = 200"),
			 60);
	assert_int_equal(http_get(box.port, "/api/restaurants/1")->status, 200);
	for (size_t i = 0; i < COUNT(others); i++)
		assert_int_equal(http_post(box.port, others[i], menu)->status, 413);
	assert_int_equal(put("settings", menu)->status, 413);
	assert_int_equal(
		http_ask(box.port, (struct http_call){.method = "PUT", .path = "/api/desk/menu?restaurantId=1", .body = menu})
			->status,
		401);
	is_done(put("menu", "{\"menu\":[]}"), 200);
	free(menu);
}

/* ---- unknown fields ---- */

/* "/api/desk/waitlist/{id}/{word}" with a number and a word. */
static void fill_path(const char *pattern, int64_t id, const char *word, char *out, size_t size)
{
	size_t n = 0;

	while (*pattern && n < size) {
		bool number = strncmp(pattern, "{id}", 4) == 0, named = strncmp(pattern, "{word}", 6) == 0;

		if (number)
			n += (size_t)snprintf(out + n, size - n, "%lld", (long long)id);
		else if (named)
			n += (size_t)snprintf(out + n, size - n, "%s", word);
		else
			n += (size_t)snprintf(out + n, size - n, "%c", *pattern);
		pattern += number ? 4 : named ? 6 : 1;
	}
	assert_true(n < size);
	snprintf(out + n, size - n, "?restaurantId=1");
}

/* Every address that takes a body, with a number for {id} and a word that it knows for {word}. */
static void no_address_takes_a_field_that_it_does_not_know(void **state)
{
	static const char *const words[] = {"arrive", "seat",  "leave",  "complete", "no-show", "confirm", "cancel", "note",
					    "undo",   "offer", "remove", "link",     "logout",  "end",     "again"};
	const struct http_answer *a;
	char path[200], body[100];
	int64_t id = http_int(book(4, 2), "reservationId");

	(void)state;
	assert_true(id > 0);
	appliance_sql(&box,
		      "INSERT INTO door_parties (door_id, restaurant_id, evening, party_size, joined_at, updated_at) VALUES"
		      " (%lld, 1, date('now'), 2, strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now'), '')",
		      (long long)id);
	for (size_t i = 0; i < route_count; i++) {
		static const char *const methods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
		const char *pattern = routes[i].path, *more = strstr(pattern, "{word}");

		bool tried = false;

		if (!(routes[i].flags & JSON) || routes[i].about == WAITER)
			continue;
		for (size_t k = 0; k < (more ? COUNT(words) : 1); k++) {
			fill_path(pattern, id, words[k], path, sizeof path);
			snprintf(body, sizeof body, "{%s\"noSuchField\":1}",
				 (routes[i].about == RESERVATION && routes[i].who == STAFF) || routes[i].about == DOOR_PARTY ?
					 "\"version\":1," :
					 "");
			a = talk_as(&box, owner, methods[routes[i].method], path, body);
			if (more && a->status == 404)
				continue; /* not one of its words */
			is_refused(a, 400, "UNKNOWN_FIELD", "noSuchField");
			tried = true;
		}
		if (!tried)
			fail_msg("no word of %s was tried", pattern);
	}
	cancel_all();
}

/* ---- another time zone ---- */

static void a_time_zone_changes_only_while_no_guest_is_to_come(void **state)
{
	const struct http_answer *a;
	char day[TEXT_DATE_SIZE];

	(void)state;
	make_plain();
	cancel_all();
	day_ahead(5, day);
	is_done(book(5, 2), 201);
	is_done(book(5, 3), 201);
	a = put("settings", "{\"timezone\":\"Europe/Berlin\",\"seats\":55}");
	is_refused(a, 409, "ZONE_IN_USE", "timezone");
	assert_int_equal(http_int(a, "upcoming"), 2);
	assert_int_equal(appliance_number(&box, "SELECT seats FROM restaurants WHERE restaurant_id = 1"), 0);
	is_done(put("settings", "{\"timezone\":\"Asia/Seoul\",\"seats\":0}"), 200); /* the one that it has is no other */
	is_done(put("settings", "{\"timezone\":\"Asia/Tokyo\"}"), 200);             /* noon is the same instant there */
	cancel_all();
	is_done(put("settings", "{\"timezone\":\"Europe/Berlin\"}"), 200);
	is_done(book(5, 2), 201);
	/* Noon of that day is noon in Berlin, for the slot that was booked before as well. */
	assert_int_equal(
		appliance_number(
			&box,
			"SELECT count(*) FROM restaurant_reservation_slots s JOIN reservations v USING (slot_id)"
			" WHERE s.slot_date = '%s' AND s.slot_time = '12:00' AND v.is_active = 1"
			" AND strftime('%%H', s.starts_at) IN ('10', '11') AND v.starts_at = s.starts_at AND v.ends_at ="
			" strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', v.starts_at, v.sitting_minutes || ' minutes')",
			day),
		1);
	assert_int_not_equal(appliance_number(&box, "SELECT utc_offset_minutes FROM restaurants WHERE restaurant_id = 1"), 540);
	appliance_check(&box);
	cancel_all();
	is_done(put("settings", "{\"timezone\":\"Asia/Seoul\"}"), 200);
	assert_int_equal(appliance_number(&box, "SELECT utc_offset_minutes FROM restaurants WHERE restaurant_id = 1"), 540);
}

static void a_currency_changes_only_while_no_money_is_open(void **state)
{
	const struct http_answer *a;

	(void)state;
	make_plain();
	cancel_all();
	is_done(book(5, 2), 201); /* pays nothing */
	is_done(put("settings", "{\"currency\":\"EUR\",\"depositPerPerson\":50}"), 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE is_active = 1 AND currency = 'EUR'"),
			 1);
	is_done(book(5, 3), 201); /* a hold of 150 */
	a = put("settings", "{\"currency\":\"KRW\",\"seats\":55}");
	is_refused(a, 409, "CURRENCY_IN_USE", "currency");
	assert_int_equal(http_int(a, "upcoming"), 1);
	assert_int_equal(http_int(a, "dueBack"), 0);
	assert_int_equal(appliance_number(&box, "SELECT seats FROM restaurants WHERE restaurant_id = 1"), 0);
	is_done(put("settings", "{\"currency\":\"EUR\",\"seats\":0}"), 200); /* the one that it has is no other */
	appliance_sql(&box,
		      "INSERT INTO payments (reservation_id, provider, amount, currency, status, due_back_amount, paid_at,"
		      " restaurant_id) SELECT max(reservation_id), 'desk', 150, 'EUR', 'REFUND_DUE', 150,"
		      " '2026-01-01T00:00:00Z', 1 FROM reservations");
	cancel_all();
	a = put("settings", "{\"currency\":\"KRW\"}");
	is_refused(a, 409, "CURRENCY_IN_USE", "currency");
	assert_int_equal(http_int(a, "upcoming"), 0);
	assert_int_equal(http_int(a, "dueBack"), 1);
	appliance_sql(&box, "UPDATE payments SET status = 'REFUNDED', refunded_amount = 150, due_back_amount = 0,"
			    " refunded_at = '2026-01-02T00:00:00Z'");
	is_done(put("settings", "{\"currency\":\"KRW\",\"depositPerPerson\":0}"), 200);
}

/* What a price says to a person stays; what the change itself names is in the new currency. */
static void in_another_currency_prices_and_deposits_keep_their_numbers(void **state)
{
	const struct http_answer *a;

	(void)state;
	make_plain();
	cancel_all();
	is_done(put("settings", "{\"currency\":\"KRW\",\"depositPerPerson\":5000,\"depositLargePerPerson\":9999}"), 200);
	is_done(put("menu", "{\"menu\":[{\"name\":\"국수\",\"price\":13000}]}"), 200);
	is_done(put("settings", "{\"currency\":\"EUR\",\"depositLargePerPerson\":750}"), 200);
	a = http_get(box.port, "/api/restaurants/1");
	assert_int_equal(http_int(a, "currencyDigits"), 2);
	assert_int_equal(appliance_number(&box, "SELECT deposit_per_person FROM restaurants WHERE restaurant_id = 1"), 500000);
	assert_int_equal(appliance_number(&box, "SELECT deposit_large_per_person FROM restaurants WHERE restaurant_id = 1"),
			 750);
	assert_int_equal(appliance_number(&box, "SELECT price FROM menus WHERE name = '국수' AND is_deleted = 0"), 1300000);
	is_done(put("settings", "{\"currency\":\"KWD\"}"), 200);
	assert_int_equal(appliance_number(&box, "SELECT deposit_large_per_person FROM restaurants WHERE restaurant_id = 1"),
			 7500);
	/* One that cannot be written with the other's digits is too much, and nothing is changed. */
	is_done(put("settings", "{\"currency\":\"KRW\",\"depositPerPerson\":20000000}"), 200);
	assert_int_equal(appliance_number(&box, "SELECT deposit_large_per_person FROM restaurants WHERE restaurant_id = 1"), 8);
	is_refused(put("settings", "{\"currency\":\"EUR\",\"phone\":\"1588-1588\"}"), 400, "OUT_OF_RANGE", "currency");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM restaurants WHERE currency = 'KRW' AND phone IS NOT '1'"
						" AND restaurant_id = 1"),
			 1);
	is_done(put("settings", "{\"depositPerPerson\":0,\"depositLargePerPerson\":0}"), 200);
	appliance_check(&box);
}

/* Before any script has run; the words of the script are those of the browser test. */
static void is_sent_in(const char *headers, const char *lang, const char *word, const char *other)
{
	const struct http_answer *a = http_ask(box.port, (struct http_call){.method = "GET", .path = "/", .headers = headers});
	char html[60];

	snprintf(html, sizeof html, "<html lang=\"%s\"", lang);
	is_done(a, 200);
	if (!strstr(a->body, html) || !strstr(a->body, word) || strstr(a->body, other))
		fail_msg("%s: %.1500s", lang, a->body);
}

static void a_house_says_where_it_is_and_what_it_speaks(void **state)
{
	const struct http_answer *a;
	char text[HTTP_TEXT];

	(void)state;
	is_done(put("settings", "{\"country\":\"DE\",\"language\":\"en\",\"callingCode\":49,\"firstWeekday\":1}"), 200);
	a = http_get(box.port, "/api/restaurants/1");
	assert_string_equal(http_text(a, "country", text), "DE");
	assert_string_equal(http_text(a, "language", text), "en");
	assert_string_equal(http_text(a, "phoneExample", text), "01512 3456789");
	assert_int_equal(http_int(a, "callingCode"), 49);
	assert_int_equal(http_int(a, "firstWeekday"), 1);
	is_sent_in("", "en", "My reservations", "내 예약");
	is_sent_in("Accept-Language: fr\r\n", "en", "jari</span>", "자리</span>");
	is_sent_in("Accept-Language: ko-KR,ko;q=0.9\r\n", "ko", "내 예약", "My reservations");
	is_done(put("settings", "{\"country\":null,\"language\":\"ko\",\"callingCode\":82,\"firstWeekday\":7}"), 200);
	a = http_get(box.port, "/api/restaurants/1");
	assert_string_equal(http_text(a, "phoneExample", text), "010-1234-5678");
	is_sent_in("", "ko", "내 예약", "My reservations");
	is_sent_in("Accept-Language: fr\r\n", "ko", "자리</span>", "jari</span>");
	is_sent_in("Accept-Language: de,en;q=0.8\r\n", "en", "My reservations", "내 예약");
	appliance_check(&box);
}

static void a_house_with_an_unknown_zone_can_be_put_right(void **state)
{
	(void)state;
	is_done(book(6, 2), 201);
	appliance_sql(&box, "UPDATE restaurants SET timezone = 'Mars/Olympus' WHERE restaurant_id = 1");
	is_done(put("settings", "{\"phone\":\"02-555-0100\"}"), 200);
	is_done(http_get(box.port, "/api/restaurants/1"), 200);
	is_done(talk_as(&box, owner, "GET", "/api/desk/house?restaurantId=1", NULL), 200);
	is_done(put("settings", "{\"timezone\":\"Asia/Seoul\"}"), 200);
	is_done(book(6, 2), 201);
	cancel_all();
}

/* ---- fewer ---- */

static void fewer_seats_name_whom_they_contradict_and_let_no_other_guest_in(void **state)
{
	char why[HTTP_TEXT];

	(void)state;
	make_plain();
	is_done(put("settings", "{\"seats\":20,\"reservationLimit\":20}"), 200);
	is_done(book(7, 8), 201);
	is_done(book(7, 8), 201);
	assert_int_equal(contradicted(put("settings", "{\"seats\":10}"), why), 1); /* the second of them */
	assert_string_equal(why, "SEATS");
	appliance_check(&box);
	assert_int_equal(book(7, 1)->status, 409);
	assert_int_equal(contradicted(put("settings", "{\"seats\":0,\"reservationLimit\":10}"), why), 1);
	assert_string_equal(why, "SEATS");
	appliance_check(&box);
	assert_int_equal(book(7, 1)->status, 409);
	assert_int_equal(book_at_the_desk(7, 1)->status, 409);
	/* When one of the two gives up, there is room for two, not for what the slot once had. */
	appliance_sql(&box,
		      "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = (SELECT max(reservation_id) FROM"
		      " reservations WHERE is_active = 1)");
	assert_int_equal(book(7, 3)->status, 409);
	is_done(book(7, 2), 201);
	appliance_check(&box);
	assert_int_equal(contradicted(put("settings", "{\"partyMax\":4}"), why), 1);
	assert_string_equal(why, "PARTY");
	make_plain();
	assert_int_equal(contradicted(put("hours", "{\"hours\":[]}"), why), 2);
	assert_string_equal(why, "HOURS");
	open_always();
	cancel_all();
}

static void a_table_that_goes_or_shrinks_names_who_sits_at_it(void **state)
{
	char why[HTTP_TEXT], body[200];
	int64_t id;

	(void)state;
	make_plain();
	is_done(put("tables", "{\"tables\":[{\"name\":\"A\",\"seatsMax\":4}],\"sets\":[]}"), 200);
	id = appliance_number(&box, "SELECT table_id FROM dining_tables WHERE name = 'A' AND restaurant_id = 1");
	is_done(book(8, 4), 201);
	snprintf(body, sizeof body, "{\"tables\":[{\"tableId\":%lld,\"name\":\"A\",\"seatsMax\":2}]}", (long long)id);
	assert_int_equal(contradicted(put("tables", body), why), 1);
	assert_string_equal(why, "TABLE");
	appliance_check(&box);
	assert_int_equal(contradicted(put("tables", "{\"tables\":[]}"), why), 0); /* a house without tables counts people */
	appliance_check(&box);
	cancel_all();
}

static void the_first_tables_are_for_those_who_are_booked_and_no_guest_comes_on_top(void **state)
{
	const char *two = "{\"tables\":[{\"name\":\"F1\",\"seatsMax\":2},{\"name\":\"F2\",\"seatsMax\":2}],\"sets\":[]}";
	char why[HTTP_TEXT];

	(void)state;
	make_plain();
	is_done(put("tables", "{\"tables\":[],\"sets\":[]}"), 200);
	is_done(book(8, 6), 201);
	is_done(book(9, 2), 201);
	is_done(book(10, 6), 201);
	is_done(book(10, 2), 201);
	assert_int_equal(contradicted(put("tables", two), why), 2); /* the two parties of six */
	assert_string_equal(why, "TABLE");
	assert_int_equal(
		appliance_number(&box, "SELECT count(*) FROM reservations WHERE is_active = 1 AND table_id IS NOT NULL"), 2);
	assert_int_equal(contradicted(put("menu", "{\"menu\":[]}"), why), 0); /* which has nothing to do with it */
	is_refused(book(8, 2), 409, "SLOT_FULL", "");
	is_done(book(9, 2), 201);
	is_refused(book(9, 2), 409, "SLOT_FULL", "");
	is_refused(book(10, 2), 409, "SLOT_FULL", "");
	appliance_check(&box);
	assert_int_equal(contradicted(put("tables", "{\"tables\":[]}"), why), 0);
	cancel_all();
}

/* ---- people ---- */

static int64_t user_of(const char *email)
{
	return appliance_number(&box, "SELECT user_id FROM users WHERE email = '%s'", email);
}

static void of_two_owners_who_remove_each_other_one_stays(void **state)
{
	char paths[2][80];
	struct http_answer answers[2];
	int64_t one = user_of("owner@example.com"), other = user_of("second@example.com"), left;

	(void)state;
	/* The first owner, of the demo, has no say in it. */
	appliance_sql(&box, "UPDATE users SET is_blocked = 1 WHERE email = 'owner@jari.local'");
	for (int round = 0; round < 6; round++) {
		snprintf(paths[0], sizeof paths[0], "/api/desk/staff/%lld/remove", (long long)other);
		snprintf(paths[1], sizeof paths[1], "/api/desk/staff/%lld/remove", (long long)one);
		http_many(box.port,
			  (struct http_call[]){{.path = paths[0], .headers = owner, .body = "{}"},
					       {.path = paths[1], .headers = second, .body = "{}"}},
			  2, 2, answers);
		assert_int_equal((answers[0].status == 200) + (answers[1].status == 200), 1);
		assert_int_equal((answers[0].status == 401) + (answers[1].status == 401), 1);
		http_free(&answers[0]);
		http_free(&answers[1]);
		left = appliance_number(&box, "SELECT count(*) FROM users WHERE user_id IN (%lld, %lld) AND is_blocked = 0",
					(long long)one, (long long)other);
		assert_int_equal(left, 1);
		appliance_sql(&box, "UPDATE users SET is_blocked = 0 WHERE user_id IN (%lld, %lld)", (long long)one,
			      (long long)other);
		talk_log_in(&box, "owner@example.com", owner);
		talk_log_in(&box, "second@example.com", second);
	}
}

static void an_owner_of_one_restaurant_sees_its_people_only(void **state)
{
	const struct http_answer *a = talk_as(&box, partner, "GET", "/api/desk/house?restaurantId=2", NULL);

	(void)state;
	is_done(a, 200);
	assert_non_null(strstr(a->body, "partner@example.com"));
	assert_null(strstr(a->body, "owner@example.com"));
	assert_null(strstr(a->body, "staff@example.com"));
	a = talk_as(&box, partner, "GET", "/api/desk/box", NULL);
	is_done(a, 200);
	assert_non_null(strstr(a->body, "\"sessionId\""));
	assert_null(strstr(strstr(a->body, "\"sessionId\"") + 1, "\"sessionId\"")); /* one: their own */
	assert_non_null(strstr(a->body, "\"code\":\"LINE_WELL\""));                 /* what the doctor says */
	assert_non_null(strstr(a->body, "\"code\":\"MAIL_OFF\""));
	assert_null(strstr(a->body, "\"code\":\"NOT_SERVED\""));
	a = talk_as(&box, owner, "GET", "/api/desk/house?restaurantId=1", NULL);
	assert_non_null(strstr(a->body, "staff@example.com"));
	assert_non_null(strstr(a->body, "partner@example.com")); /* the box is theirs */
}

static void a_login_that_ended_is_given_no_tag_and_never_304(void **state)
{
	char path[100], day[TEXT_DATE_SIZE], tag[100], headers[500];
	const struct http_answer *a;

	(void)state;
	day_ahead(0, day);
	snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", day);
	a = talk_as(&box, staff, "GET", path, NULL);
	is_done(a, 200);
	assert_true(http_header(a, "ETag", tag, sizeof tag));
	snprintf(headers, sizeof headers, "%sIf-None-Match: %s\r\n", staff, tag);
	is_done(talk_as(&box, staff, "POST", "/api/logout", NULL), 200);
	for (int i = 0; i < 3; i++) {
		a = talk_as(&box, headers, "GET", path, NULL);
		assert_int_equal(a->status, 401);
		assert_false(http_header(a, "ETag", tag, sizeof tag));
		snprintf(headers, sizeof headers, "%sIf-None-Match: %s\r\n", staff, *tag ? tag : "*");
	}
	talk_log_in(&box, "staff@example.com", staff);
}

static void a_backup_is_taken_away_by_the_owner_of_the_box_and_their_password(void **state)
{
	char path[APPLIANCE_PATH], length[24], want[64];
	const struct http_answer *a;
	struct ran ran;
	glob_t left;

	(void)state;
	talk_says(talk_as(&box, partner, "POST", "/api/desk/backup", "{\"password\":\"" TALK_PASSWORD "\"}"), 403, "FORBIDDEN");
	talk_says(talk_as(&box, owner, "POST", "/api/desk/backup", "{\"password\":\"correct horse 8\"}"), 401, "LOGIN_FAILED");
	talk_says(talk_as(&box, owner, "POST", "/api/desk/backup", "{}"), 400, "MISSING_FIELD");
	a = talk_as(&box, owner, "POST", "/api/desk/backup", "{\"password\":\"" TALK_PASSWORD "\"}");
	is_done(a, 200);
	assert_true(http_header_has(a, "Content-Disposition", "filename=\"jari-20"));
	assert_true(http_header(a, "Content-Length", length, sizeof length)); /* a client notices when it is cut short */
	snprintf(want, sizeof want, "%zu", a->body_len);
	assert_string_equal(length, want);
	appliance_path(&box, "taken.db", path);
	book_write_file(path, a->body, a->body_len);
	appliance_run(&box, &ran, NULL, "check", path, NULL);
	assert_int_equal(ran.exit, 0);
	appliance_path(&box, "run/download-*", path); /* nothing of it stays on the disk */
	assert_int_equal(glob(path, 0, NULL, &left), GLOB_NOMATCH);
	a = talk_as(&box, staff, "GET", "/api/desk/box/line", NULL);
	is_done(a, 200);
	assert_non_null(strstr(a->body, " · 외부 사본 0분 전"));
}

/* What is missing is said: the server, or the owner's own address. */
static void a_test_mail_says_what_is_missing(void **state)
{
	static const char path[] = "/api/desk/mail/test?restaurantId=1";

	(void)state;
	is_done(put("settings", "{\"notifyEmail\":\"\"}"), 200);
	is_refused(talk_as(&box, owner, "POST", path, "{}"), 409, "NO_MAIL", "");
	is_done(put("mail", "{\"way\":\"SENDMAIL\",\"sender\":\"house@example.com\"}"), 200);
	is_refused(talk_as(&box, owner, "POST", path, "{}"), 409, "NO_OWN_MAIL", "");
	is_done(put("settings", "{\"notifyEmail\":\"me@example.com\"}"), 200);
	is_done(talk_as(&box, owner, "POST", path, "{}"), 201);
	is_done(put("mail", "{\"way\":\"OFF\"}"), 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_setting_takes_a_booking_at_both_ends_and_nothing_beyond_them),
		cmocka_unit_test(a_sitting_has_five_minutes_or_is_left_to_another_setting),
		cmocka_unit_test(what_a_house_cannot_be_is_refused_by_name_and_changes_nothing),
		cmocka_unit_test(a_change_leaves_alone_what_it_does_not_name),
		cmocka_unit_test(joined_tables_are_tables_of_the_house_for_as_many_as_they_seat),
		cmocka_unit_test(the_last_of_every_list_can_be_taken_away),
		cmocka_unit_test(sixty_dishes_in_two_languages_are_saved_and_strangers_send_no_such_thing),
		cmocka_unit_test(no_address_takes_a_field_that_it_does_not_know),
		cmocka_unit_test(a_time_zone_changes_only_while_no_guest_is_to_come),
		cmocka_unit_test(a_currency_changes_only_while_no_money_is_open),
		cmocka_unit_test(in_another_currency_prices_and_deposits_keep_their_numbers),
		cmocka_unit_test(a_house_says_where_it_is_and_what_it_speaks),
		cmocka_unit_test(a_house_with_an_unknown_zone_can_be_put_right),
		cmocka_unit_test(fewer_seats_name_whom_they_contradict_and_let_no_other_guest_in),
		cmocka_unit_test(a_table_that_goes_or_shrinks_names_who_sits_at_it),
		cmocka_unit_test(the_first_tables_are_for_those_who_are_booked_and_no_guest_comes_on_top),
		cmocka_unit_test(of_two_owners_who_remove_each_other_one_stays),
		cmocka_unit_test(an_owner_of_one_restaurant_sees_its_people_only),
		cmocka_unit_test(a_login_that_ended_is_given_no_tag_and_never_304),
		cmocka_unit_test(a_backup_is_taken_away_by_the_owner_of_the_box_and_their_password),
		cmocka_unit_test(a_test_mail_says_what_is_missing),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
