/*
 * e2e_blocks.c - staff block a time by the API: who is refused, who is named, what is bad input, and that a tap ends it.
 */
#include "appliance.h"
#include "clock.h"
#include "guests.h"
#include "unit.h"
#include "zone.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

static struct appliance box;
static struct ran ran;
static char owner[256], staff[256];
static const char PASSWORD[] = "correct horse 7";
static const char ZONE[] = "Asia/Seoul";

static void add_person(const char *email, char out[256])
{
	char body[200], token[HTTP_TEXT];

	appliance_run(&box, &ran, NULL, "staff", "add", email, "Kim", "--password", PASSWORD, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	snprintf(body, sizeof body, "{\"email\":\"%s\",\"password\":\"%s\"}", email, PASSWORD);
	http_text(http_post(box.port, "/api/login", body), "accessToken", token);
	assert_true(*token);
	snprintf(out, 256, "Authorization: Bearer %.160s\r\nContent-Type: application/json\r\n", token);
}

/* Open every day from 10 to 23, so that any day of the next weeks will do. */
static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 8);
	add_person("owner@example.com", owner);
	add_person("staff@example.com", staff);
	appliance_sql(&box, "UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com';"
			    "DELETE FROM opening_hours; DELETE FROM special_days;"
			    "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes, label)"
			    " SELECT 1, value, '10:00', '23:00', '' FROM json_each('[1,2,3,4,5,6,7]')");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

static const struct http_answer *send_as(const char *who, const char *method, const char *path, const char *body)
{
	return http_ask(box.port, (struct http_call){.method = method, .path = path, .headers = who, .body = body});
}

static const struct http_answer *post_block(const char *body)
{
	return send_as(staff, "POST", "/api/desk/blocks?restaurantId=1", body);
}

static void is_refused(const struct http_answer *a, int status, const char *code, const char *field)
{
	char got[HTTP_TEXT], about[HTTP_TEXT];

	http_text(a, "code", got);
	http_text(a, "field", about);
	if (a->status != status || strcmp(got, code) != 0 || strcmp(about, field) != 0)
		fail_msg("%d %s %s, not %d %s %s: %.300s", a->status, got, about, status, code, field, a->body);
}

/* The restaurant's date, so many days from today. */
static void day_after(int days, char out[TEXT_DATE_SIZE])
{
	struct date today;
	int minute;

	assert_true(zone_to_local(ZONE, clock_now_s(), &today, &minute));
	text_put_date(text_from_days(text_days(today) + days), out);
}

static const struct http_answer *book(int guest, const char *date, const char *time)
{
	static int times; /* each asks anew */
	char body[400], headers[120];

	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":2,"
		 "\"reservationType\":\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Lee\",\"phone\":\"+8210555%05d\"}}",
		 date, time, guest);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: block-%d-%d\r\n", guest, times++);
	return http_ask(box.port,
			(struct http_call){.method = "POST", .path = "/api/reservations", .headers = headers, .body = body});
}

static int list_length(const struct http_answer *a, const char *name)
{
	struct json_object *j = http_json(a), *list = NULL;
	int n = -1;

	if (json_object_object_get_ex(j, name, &list))
		n = (int)json_object_array_length(list);
	json_object_put(j);
	return n;
}

static int64_t number(const struct http_answer *a, const char *name)
{
	struct json_object *j = http_json(a), *v = NULL;
	int64_t n = json_object_object_get_ex(j, name, &v) ? json_object_get_int64(v) : -1;

	json_object_put(j);
	return n;
}

static void a_blocked_evening_takes_nobody_new_online_and_keeps_who_is_booked(void **state)
{
	char date[TEXT_DATE_SIZE], body[300], path[120];
	const struct http_answer *a;
	int64_t id;

	(void)state;
	day_after(3, date);
	assert_int_equal(book(1, date, "19:00")->status, 201);
	snprintf(body, sizeof body, "{\"from\":\"%sT18:00\",\"to\":\"%sT23:59\",\"online\":true,\"reason\":\"A film team\"}",
		 date, date);
	a = post_block(body);
	assert_int_equal(a->status, 201);
	id = number(a, "blockId");
	assert_true(id > 0);
	assert_int_equal(list_length(a, "contradicts"), 1);
	a = book(2, date, "19:00");
	is_refused(a, 409, "TIME_BLOCKED", "");
	assert_true(list_length(a, "alternatives") > 0); /* the afternoon */
	is_refused(book(3, date, "22:00"), 409, "TIME_BLOCKED", "");
	assert_int_equal(book(4, date, "16:00")->status, 201);
	snprintf(path, sizeof path, "/api/reservations/slots?restaurantId=1&slotDate=%s&partySize=2", date);
	a = http_get(box.port, path);
	assert_non_null(strstr(a->body, "\"blocked\":true"));
	snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"19:00\",\"partySize\":2,\"guestName\":\"Park\"}",
		 date);
	assert_int_equal(send_as(staff, "POST", "/api/desk/reservations?restaurantId=1", body)->status, 201);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"19:00\",\"partySize\":2,\"guest\":{\"name\":\"Lee\","
		 "\"phone\":\"01055500009\"}}",
		 date);
	is_refused(
		http_ask(box.port, (struct http_call){.method = "POST",
						      .path = "/api/waitlist",
						      .headers = "Content-Type: application/json\r\nIdempotency-Key: w-1\r\n",
						      .body = body}),
		409, "TIME_BLOCKED", "");
	assert_int_equal(list_length(send_as(staff, "GET", "/api/desk/blocks?restaurantId=1", NULL), "blocks"), 1);
	snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", date);
	assert_int_equal(list_length(send_as(staff, "GET", path, NULL), "blocks"), 1);
	snprintf(path, sizeof path, "/api/desk/blocks/%lld", (long long)id);
	assert_int_equal(send_as(staff, "DELETE", path, NULL)->status, 200);
	is_refused(book(2, date, "19:00"), 201, "", ""); /* in every worker, at once */
	is_refused(send_as(staff, "DELETE", path, NULL), 404, "NOT_FOUND", "");
}

static void bad_blocks_name_their_field_and_leave_nothing(void **state)
{
	static const struct {
		const char *body;
		int status;
		const char *code, *field;
	} bad[] = {
		{"{\"from\":\"2031-11-17T18:00\",\"to\":\"2031-11-17T17:00\"}", 400, "WRONG_WAY_ROUND", "to"},
		{"{\"from\":\"2031-11-17T18:00\",\"to\":\"2031-11-17T18:00\"}", 400, "WRONG_WAY_ROUND", "to"},
		{"{\"from\":\"2020-11-17T18:00\",\"to\":\"2020-11-17T19:00\"}", 400, "PAST", "to"},
		{"{\"from\":\"2031-01-01T00:00\",\"to\":\"2032-01-03T00:00\"}", 400, "OUT_OF_RANGE", "to"},
		{"{\"from\":\"2031-01-01T00:00\",\"to\":\"2031-01-09T00:00\",\"weekly\":true}", 400, "OUT_OF_RANGE", "weekly"},
		{"{\"from\":\"2031-11-17\",\"to\":\"2031-11-17T19:00\"}", 400, "BAD_DATE", "from"},
		{"{\"from\":\"2031-11-17T18:00\",\"to\":\"2031-11-31T19:00\"}", 400, "BAD_DATE", "to"},
		{"{\"from\":\"2031-11-17T18:00\"}", 400, "MISSING_FIELD", "to"},
		{"{\"from\":\"2031-11-17T18:00\",\"to\":\"2031-11-17T19:00\",\"tables\":[424242]}", 400, "NO_SUCH_TABLE",
		 "tables"},
		{"{\"from\":\"2031-11-17T18:00\",\"to\":\"2031-11-17T19:00\",\"tables\":[\"A\"]}", 400, "WRONG_TYPE", "tables"},
		{"{\"from\":\"2031-11-17T18:00\",\"to\":\"2031-11-17T19:00\",\"online\":1}", 400, "WRONG_TYPE", "online"},
		{"{\"from\":\"2031-11-17T18:00\",\"to\":\"2031-11-17T19:00\",\"why\":\"x\"}", 400, "UNKNOWN_FIELD", "why"},
		{"{\"tonight\":true,\"from\":\"2031-11-17T18:00\"}", 400, "UNKNOWN_FIELD", "from"},
	};
	int before = list_length(send_as(staff, "GET", "/api/desk/blocks?restaurantId=1", NULL), "blocks");

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		is_refused(post_block(bad[i].body), bad[i].status, bad[i].code, bad[i].field);
	assert_int_equal(list_length(send_as(staff, "GET", "/api/desk/blocks?restaurantId=1", NULL), "blocks"), before);
	is_refused(send_as("Content-Type: application/json\r\n", "POST", "/api/desk/blocks?restaurantId=1", bad[0].body), 401,
		   "UNAUTHORIZED", "");
	is_refused(send_as("", "DELETE", "/api/desk/blocks/1", NULL), 401, "UNAUTHORIZED", "");
}

/* Noon of a day to come: whatever the hour is, tonight is yet to come. */
static void no_more_for_tonight_ends_with_the_evening(void **state)
{
	char to[HTTP_TEXT], path[120], today[TEXT_DATE_SIZE], date[TEXT_DATE_SIZE];
	const struct http_answer *a;
	int64_t id;

	(void)state;
	appliance_sql(&box, "UPDATE opening_hours SET closes = '26:00'"); /* two in the morning */
	day_after(0, today);
	day_after(1, date);
	a = post_block("{\"tonight\":true}");
	assert_int_equal(a->status, 201);
	id = number(a, "blockId");
	http_text(a, "to", to);
	assert_non_null(strstr(to, "T02:00"));
	assert_true(strncmp(to, today, 10) == 0 || strncmp(to, date, 10) == 0);
	assert_int_equal(book(21, date, "19:00")->status, 201); /* tomorrow is another day */
	snprintf(path, sizeof path, "/api/desk/blocks/%lld", (long long)id);
	assert_int_equal(send_as(staff, "DELETE", path, NULL)->status, 200);
}

static void who_gets_a_table_is_set_with_it_and_stays_when_it_is_not_named(void **state)
{
	const struct http_answer *a;

	(void)state;
	a = send_as(owner, "PUT", "/api/desk/tables?restaurantId=1",
		    "{\"tables\":[{\"name\":\"1\",\"seatsMax\":4},{\"name\":\"2\",\"seatsMax\":4,\"openTo\":\"WALK_IN\"}]}");
	assert_int_equal(a->status, 200);
	a = send_as(owner, "GET", "/api/desk/house?restaurantId=1", NULL);
	assert_non_null(strstr(a->body, "\"openTo\":\"WALK_IN\""));
	assert_non_null(strstr(a->body, "\"openTo\":\"ONLINE\""));
	is_refused(send_as(owner, "PUT", "/api/desk/tables?restaurantId=1",
			   "{\"tables\":[{\"name\":\"1\",\"seatsMax\":4,\"openTo\":\"NOBODY\"}]}"),
		   400, "OUT_OF_RANGE", "openTo");
	is_refused(send_as(owner, "PUT", "/api/desk/tables?restaurantId=1",
			   "{\"tables\":[{\"name\":\"1\",\"seatsMax\":4}],\"sets\":[{\"tables\":[{\"name\":\"1\"}],"
			   "\"seatsMax\":8}]}"),
		   400, "BAD_JOIN", "sets");
	appliance_sql(&box, "UPDATE dining_tables SET is_deleted = 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_blocked_evening_takes_nobody_new_online_and_keeps_who_is_booked),
		cmocka_unit_test(bad_blocks_name_their_field_and_leave_nothing),
		cmocka_unit_test(no_more_for_tonight_ends_with_the_evening),
		cmocka_unit_test(who_gets_a_table_is_set_with_it_and_stays_when_it_is_not_named),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
