/*
 * e2e_doorlist.c - who walks in and does not fit: joining, being told how long, called, seated in or out of turn, leaving; what
 * a party sees of its own place, and what nobody else may do with it.
 */
#include "appliance.h"
#include "clock.h"
#include "talk.h"
#include "token.h"
#include "unit.h"
#include "zone.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct appliance box;
static struct ran ran;
static char staff[TALK_HEADERS], owner[TALK_HEADERS], stranger[TALK_HEADERS], zone[24];

/* ---- the stage: two tables for two and one for four, at three in the afternoon ---- */

static int set_up(void **state)
{
	int hour = (int)(clock_now_s() / 3600 % 24), west = (hour - 15 + 48) % 24;

	(void)state;
	appliance_new(&box);
	appliance_up(&box, 4);
	west = west > 12 ? west - 24 : west;
	snprintf(zone, sizeof zone, west ? "Etc/GMT%+d" : "Etc/GMT", west);
	appliance_sql(
		&box,
		"UPDATE restaurants SET timezone = '%s', slot_minutes = 30, sitting_minutes = 90, seats = 12,"
		" reservation_limit = 12, deposit_per_person = 0, deposit_large_per_person = 0; DELETE FROM opening_hours;"
		"INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00'"
		" FROM json_each('[1,2,3,4,5,6,7]');"
		"INSERT INTO dining_tables (table_id, restaurant_id, name, seats_max) VALUES (1, 1, '1', 2), (2, 1, '2', 2),"
		" (3, 1, '3', 4)",
		zone);
	talk_add_staff(&box, "staff@example.com", staff);
	talk_add_staff(&box, "owner@example.com", owner);
	talk_add_staff(&box, "stranger@example.com", stranger);
	appliance_sql(&box, "UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com';"
			    "INSERT INTO restaurants (restaurant_id, name) VALUES (2, 'other');"
			    "UPDATE users SET restaurant_id = 2 WHERE email = 'stranger@example.com'");
	return token_init() ? 0 : -1;
}

/* Each test begins with an empty house and an empty list. */
static int clear_house(void **state)
{
	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET sms_guests = 0, door_call_minutes = 10;"
			    "UPDATE door_parties SET status = 'LEFT', ended_at = joined_at WHERE is_waiting = 1;"
			    "UPDATE door_parties SET guest_name = NULL, phone = NULL, phone_key = NULL;"
			    "UPDATE reservations SET status = 'COMPLETED', visit_status = 'LEFT' WHERE is_active = 1");
	return 0;
}

/* The book is sound whatever was done. */
static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	if (ran.exit != 0)
		fail_msg("%s", ran.out);
	appliance_free(&box);
	return 0;
}

struct party {
	int64_t id, version;
};

static const struct http_answer *try_join(const char *who, const char *body)
{
	return talk_as(&box, who, "POST", "/api/desk/door?restaurantId=1", body);
}

static struct party join(int size, const char *more)
{
	char body[200];
	const struct http_answer *a;

	snprintf(body, sizeof body, "{\"partySize\":%d%s}", size, more);
	a = try_join(staff, body);
	if (a->status != 201)
		fail_msg("%d %.400s", a->status, a->body);
	return (struct party){http_int(a, "doorId"), http_int(a, "version")};
}

static const struct http_answer *say(const char *who, struct party p, const char *word, const char *more)
{
	char path[80], body[200];

	snprintf(path, sizeof path, "/api/desk/door/%lld/%s", (long long)p.id, word);
	snprintf(body, sizeof body, "{\"version\":%lld%s}", (long long)p.version, more);
	return talk_as(&box, who, "POST", path, body);
}

static const struct http_answer *act(struct party *p, const char *word)
{
	const struct http_answer *a = say(staff, *p, word, "");

	if (a->status != 200)
		fail_msg("%s: %d %.400s", word, a->status, a->body);
	p->version = http_int(a, "version");
	return a;
}

/* The list as staff see it: "1:WAITING 2:CALLED" by place and state. */
static const char *list(void)
{
	static char out[400];
	const struct http_answer *a = talk_as(&box, staff, "GET", "/api/desk/door?restaurantId=1", NULL);
	struct json_object *j = http_json(a), *rows;
	size_t n = 0;

	assert_int_equal(a->status, 200);
	assert_true(json_object_object_get_ex(j, "parties", &rows));
	out[0] = '\0';
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *r = json_object_array_get_idx(rows, i), *place, *status;

		json_object_object_get_ex(r, "place", &place);
		json_object_object_get_ex(r, "status", &status);
		n += (size_t)snprintf(out + n, sizeof out - n, "%s%d:%s", n ? " " : "", json_object_get_int(place),
				      json_object_get_string(status));
	}
	json_object_put(j);
	return out;
}

/* The token of a party's own page, as its QR code has it. */
static const char *page_of(struct party p, int64_t lasts_s)
{
	static char path[TOKEN_TEXT_SIZE + 20];
	unsigned char key[TOKEN_KEY_SIZE];
	char token[TOKEN_TEXT_SIZE];

	assert_true(token_read_key(box.dir, key));
	token_sign(key, &(struct token){.purpose = TOKEN_DOOR, .id = p.id, .expires_s = clock_now_s() + lasts_s}, token);
	snprintf(path, sizeof path, "/api/door/%s", token);
	return path;
}

static void fill_the_house(void)
{
	for (int i = 1; i <= 3; i++) {
		char body[120];

		snprintf(body, sizeof body, "{\"partySize\":2,\"tables\":[{\"tableId\":%d}]}", i);
		assert_int_equal(talk_as(&box, staff, "POST", "/api/desk/walk-ins?restaurantId=1", body)->status, 201);
	}
}

static int64_t first_table_of(int64_t reservation)
{
	return appliance_number(&box, "SELECT table_id FROM reservation_tables WHERE reservation_id = %lld",
				(long long)reservation);
}

/* ---- the tests ---- */

static void a_party_joins_with_a_size_and_one_tap(void **state)
{
	const struct http_answer *a;
	char text[HTTP_TEXT];

	(void)state;
	a = talk_as(&box, staff, "GET", "/api/desk/door/quote?restaurantId=1&partySize=2", NULL);
	assert_int_equal(a->status, 200);
	assert_int_equal(http_int(a, "waitHigh"), 0); /* there is a table */
	fill_the_house();
	a = try_join(staff, "{\"partySize\":2}");
	assert_int_equal(a->status, 201);
	assert_int_equal(http_int(a, "place"), 1);
	assert_string_equal(http_text(a, "waitHow", text), "RANGE");
	assert_true(http_int(a, "waitHigh") > http_int(a, "waitLow"));
	assert_true(http_int(a, "waitHigh") <= 180);
	assert_int_equal(http_int(a, "quotedHigh"), http_int(a, "waitHigh"));
	assert_string_equal(http_text(a, "guestName", text), "");
	a = try_join(staff, "{\"partySize\":4,\"guestName\":\"Kim\",\"phone\":\"010-1234-5678\",\"language\":\"en\"}");
	assert_int_equal(a->status, 201);
	assert_int_equal(http_int(a, "place"), 2);
	a = try_join(staff, "{\"partySize\":40}"); /* no table seats so many, and staff are told so */
	assert_string_equal(http_text(a, "waitHow", text), "NEVER");
	assert_string_equal(list(), "1:WAITING 2:WAITING 3:WAITING");
	a = talk_as(&box, staff, "GET", "/api/desk/day?restaurantId=1&date=2026-01-20", NULL);
	assert_non_null(strstr(a->body, "\"door\":{\"waiting\":3,\"called\":0}"));
	talk_says(try_join(staff, "{\"partySize\":0}"), 400, "OUT_OF_RANGE");
	talk_says(try_join(staff, "{}"), 400, "MISSING_FIELD");
	talk_says(try_join(staff, "{\"partySize\":2,\"phone\":\"12\"}"), 400, "BAD_PHONE");
	talk_says(try_join(staff, "{\"partySize\":2,\"language\":\"fr\"}"), 400, "BAD_LANGUAGE");
	talk_says(try_join(staff, "{\"partySize\":2,\"vip\":true}"), 400, "UNKNOWN_FIELD");
	assert_string_equal(list(), "1:WAITING 2:WAITING 3:WAITING");
}

/* A tap whose answer was lost, sent again, is the same party; and a seat is one reservation. */
static void what_is_sent_again_is_the_same(void **state)
{
	char keyed[TALK_HEADERS + 40];
	const struct http_answer *a;
	struct party p;
	int64_t id;

	(void)state;
	snprintf(keyed, sizeof keyed, "%sIdempotency-Key: tap-1\r\n", staff);
	a = try_join(keyed, "{\"partySize\":2}");
	p = (struct party){http_int(a, "doorId"), http_int(a, "version")};
	assert_int_equal(http_int(try_join(keyed, "{\"partySize\":2}"), "doorId"), p.id);
	assert_string_equal(list(), "1:WAITING");
	snprintf(keyed, sizeof keyed, "%sIdempotency-Key: tap-2\r\n", staff);
	id = http_int(say(keyed, p, "seat", ""), "reservationId");
	assert_true(id > 0);
	assert_int_equal(http_int(say(keyed, p, "seat", ""), "reservationId"), id);
	assert_string_equal(list(), "");
}

static void a_party_grows_and_keeps_its_place(void **state)
{
	struct party p, other;
	const struct http_answer *a;
	char path[60], text[HTTP_TEXT];

	(void)state;
	p = join(2, "");
	other = join(2, "");
	(void)other;
	snprintf(path, sizeof path, "/api/desk/door/%lld", (long long)p.id);
	a = talk_as(&box, staff, "PATCH", path, "{\"version\":1,\"partySize\":3,\"phone\":\"01012345678\"}");
	assert_int_equal(a->status, 200);
	assert_int_equal(http_int(a, "partySize"), 3);
	assert_int_equal(http_int(a, "place"), 1);
	assert_non_null(strstr(http_text(a, "phone", text), "1234"));
	a = talk_as(&box, staff, "PATCH", path, "{\"version\":2,\"guestName\":\"Kim\"}");
	assert_string_equal(http_text(a, "guestName", text), "Kim");
	assert_int_equal(http_int(a, "partySize"), 3);
	assert_non_null(strstr(http_text(a, "phone", text), "1234"));
	talk_says(talk_as(&box, staff, "PATCH", path, "{\"version\":2,\"partySize\":4}"), 409, "STALE");
	talk_says(talk_as(&box, staff, "PATCH", path, "{\"version\":3,\"phone\":\"1\"}"), 400, "BAD_PHONE");
	talk_says(talk_as(&box, stranger, "PATCH", path, "{\"version\":3,\"partySize\":4}"), 404, "NO_SUCH_PARTY");
	p.version = 3;
	assert_int_equal(say(staff, p, "seat", ",\"tables\":[{\"tableId\":3}]")->status, 201);
	talk_says(talk_as(&box, staff, "PATCH", path, "{\"version\":4,\"partySize\":4}"), 409, "BAD_MOVE");
}

/* Nobody but staff of the house puts a party on the list, sees it, or says what becomes of it. */
static void a_stranger_cannot_join_from_outside(void **state)
{
	struct party p;
	char path[80];

	(void)state;
	talk_says(try_join(NULL, "{\"partySize\":2}"), 401, "UNAUTHORIZED");
	talk_says(try_join(stranger, "{\"partySize\":2}"), 404, "NO_SUCH_RESTAURANT");
	assert_int_equal(talk_as(&box, NULL, "POST", "/api/door", "{\"partySize\":2}")->status, 404);
	p = join(2, "");
	talk_says(say(NULL, p, "call", ""), 401, "UNAUTHORIZED");
	talk_says(say(stranger, p, "call", ""), 404, "NO_SUCH_PARTY");
	talk_says(say(stranger, p, "seat", ""), 404, "NO_SUCH_PARTY");
	snprintf(path, sizeof path, "/api/desk/door/%lld/qr.svg", (long long)p.id);
	talk_says(talk_as(&box, stranger, "GET", path, NULL), 404, "NO_SUCH_PARTY");
	assert_non_null(strstr(talk_as(&box, staff, "GET", path, NULL)->body, "<svg"));
	talk_says(talk_as(&box, "", "GET", "/api/desk/door?restaurantId=1", NULL), 401, "UNAUTHORIZED");
	talk_says(say(staff, p, "shout", ""), 404, "NOT_FOUND");
	talk_says(say(staff, p, "join", ""), 404, "NOT_FOUND");
	talk_says(say(staff, (struct party){p.id + 7, 1}, "call", ""), 404, "NO_SUCH_PARTY");
	assert_string_equal(list(), "1:WAITING");
}

static void order_is_kept_and_out_of_turn_says_so(void **state)
{
	struct party a, b, c;
	const struct http_answer *r;
	char path[100];
	int64_t id;

	(void)state;
	a = join(4, "");
	b = join(2, "");
	c = join(2, "");
	r = act(&b, "call");
	assert_int_equal(http_int(r, "passed"), 1); /* the four still wait */
	r = act(&a, "call");
	assert_int_equal(http_int(r, "passed"), 0);
	assert_int_equal(http_int(r, "overtaken"), 1);
	assert_string_equal(list(), "1:CALLED 2:CALLED 3:WAITING");
	act(&a, "undo");
	r = say(staff, c, "seat", ",\"tables\":[{\"tableId\":1}]");
	assert_int_equal(r->status, 201);
	id = http_int(r, "reservationId");
	assert_int_equal(first_table_of(id), 1);
	assert_string_equal(list(), "1:WAITING 2:CALLED");
	assert_int_equal(appliance_number(&box, "SELECT passed FROM door_parties WHERE door_id = %lld", (long long)c.id), 1);
	snprintf(path, sizeof path, "/api/desk/reservations/%lld/history", (long long)id);
	r = talk_as(&box, staff, "GET", path, NULL);
	assert_non_null(strstr(r->body, "\"what\":\"door\",\"from\":null,\"to\":\"0 1\""));
}

/* A party of the list is a walk-in like any other: a table that is taken is taken. */
static void a_party_sits_down_as_every_walk_in(void **state)
{
	struct party p, q;
	const struct http_answer *a;

	(void)state;
	fill_the_house();
	p = join(2, ",\"guestName\":\"Kim\",\"phone\":\"01012345678\"");
	q = join(2, "");
	talk_says(say(staff, p, "seat", ",\"tables\":[{\"tableId\":1}]"), 409, "TABLE_TAKEN");
	talk_says(say(staff, p, "seat", ",\"tables\":[{\"tableId\":99}]"), 409, "WRONG_TABLE");
	assert_string_equal(list(), "1:WAITING 2:WAITING");
	a = say(staff, p, "seat", ",\"tables\":[{\"tableId\":3}],\"share\":true");
	assert_int_equal(a->status, 201);
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM reservations v JOIN users u USING (user_id) WHERE"
					  " v.reservation_id = %lld AND v.guest_name = 'Kim' AND u.phone LIKE '%%1234%%'"
					  " AND v.source = 'WALK_IN' AND v.visit_status = 'SEATED'",
					  (long long)http_int(a, "reservationId")),
			 1);
	assert_string_equal(list(), "1:WAITING");
	talk_says(say(staff, p, "seat", ",\"tables\":[{\"tableId\":3}],\"share\":true"), 409, "STALE");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE is_active = 1"), 4);
	q.version += 3;
	a = say(staff, q, "call", "");
	talk_says(a, 409, "STALE");
	assert_non_null(strstr(a->body, "\"party\":{\"status\":\"WAITING\""));
}

static void whatever_was_said_is_taken_back(void **state)
{
	struct party a = {0}, b;
	const struct http_answer *r;
	int64_t id;

	(void)state;
	a = join(2, "");
	b = join(2, "");
	talk_says(say(staff, a, "undo", ""), 409, "BAD_MOVE");
	talk_says(say(staff, a, "no-show", ""), 409, "BAD_MOVE"); /* nobody has called them */
	act(&a, "leave");
	assert_string_equal(list(), "1:WAITING");
	talk_says(say(staff, a, "call", ""), 409, "BAD_MOVE");
	act(&a, "undo");
	assert_string_equal(list(), "1:WAITING 2:WAITING");
	r = act(&a, "call");
	assert_int_equal(http_int(r, "place"), 1); /* their own place */
	act(&a, "no-show");
	act(&a, "undo");
	assert_string_equal(list(), "1:CALLED 2:WAITING");
	r = say(staff, b, "seat", ",\"tables\":[{\"tableId\":2}]");
	id = http_int(r, "reservationId");
	b.version++;
	assert_string_equal(list(), "1:CALLED");
	act(&b, "undo");
	assert_string_equal(list(), "1:CALLED 2:WAITING");
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM reservations WHERE reservation_id = %lld AND is_active = 1",
					  (long long)id),
			 0);
	assert_int_equal(say(staff, b, "seat", ",\"tables\":[{\"tableId\":2}]")->status, 201); /* its table is free again */
	b.version++;
	appliance_sql(&box, "UPDATE reservations SET status = 'COMPLETED', visit_status = 'LEFT' WHERE is_active = 1");
	talk_says(say(staff, b, "undo", ""), 409, "BAD_MOVE"); /* they have eaten */
}

static void a_party_sees_its_own_place_and_leaves(void **state)
{
	struct party a, b;
	const struct http_answer *r;
	char text[HTTP_TEXT], path[TOKEN_TEXT_SIZE + 20];

	(void)state;
	fill_the_house();
	a = join(2, ",\"guestName\":\"Secret Kim\",\"phone\":\"01098765432\"");
	b = join(2, ",\"guestName\":\"Lee\"");
	snprintf(path, sizeof path, "%s", page_of(b, 60));
	r = http_get(box.port, path);
	assert_int_equal(r->status, 200);
	assert_int_equal(http_int(r, "place"), 2);
	assert_true(http_int(r, "waitHigh") > 0);
	assert_null(strstr(r->body, "Kim"));
	assert_null(strstr(r->body, "Lee")); /* not even their own */
	assert_null(strstr(r->body, "9876"));
	assert_null(strstr(r->body, "doorId"));
	r = talk_as(&box, "", "DELETE", path, NULL);
	assert_int_equal(r->status, 200);
	assert_string_equal(http_text(r, "status", text), "LEFT");
	assert_int_equal(talk_as(&box, "", "DELETE", path, NULL)->status, 200); /* said twice */
	assert_string_equal(http_text(http_get(box.port, path), "status", text), "LEFT");
	assert_string_equal(list(), "1:WAITING");
	r = talk_as(&box, staff, "GET", "/api/desk/news?restaurantId=1&since=0", NULL);
	assert_non_null(strstr(r->body, "DOOR_LEFT"));
	b.version++;
	r = act(&b, "undo"); /* the wrong button: staff put them back */
	assert_int_equal(http_int(r, "place"), 2);
	r = talk_as(&box, staff, "GET", "/api/desk/news?restaurantId=1&since=0", NULL);
	assert_null(strstr(r->body, "DOOR_LEFT"));
	assert_int_equal(say(staff, a, "seat", ",\"tables\":[{\"tableId\":3}],\"share\":true")->status, 201);
	talk_says(talk_as(&box, "", "DELETE", page_of(a, 60), NULL), 409, "BAD_MOVE"); /* they sit */
}

static void a_token_opens_one_place_for_one_evening(void **state)
{
	struct party p;
	char path[TOKEN_TEXT_SIZE + 20], token[TOKEN_TEXT_SIZE];
	unsigned char key[TOKEN_KEY_SIZE];
	int limited = 0;

	(void)state;
	p = join(2, "");
	talk_says(http_get(box.port, "/api/door/1"), 404, "NO_SUCH_PARTY");
	assert_true(token_read_key(box.dir, key)); /* a token of another purpose is none */
	token_sign(key, &(struct token){.purpose = TOKEN_MANAGE, .id = p.id}, token);
	snprintf(path, sizeof path, "/api/door/%s", token);
	talk_says(http_get(box.port, path), 404, "NO_SUCH_PARTY");
	talk_says(http_get(box.port, page_of(p, -1)), 404, "NO_SUCH_PARTY");
	snprintf(path, sizeof path, "%s", page_of(p, 60));
	path[30] = path[30] == 'A' ? 'B' : 'A';
	talk_says(http_get(box.port, path), 404, "NO_SUCH_PARTY");
	for (int i = 0; i < 60 && !limited; i++)
		limited = http_get(box.port, page_of(p, 60))->status == 429;
	assert_true(limited);
	assert_int_equal(http_get(box.port, page_of(join(2, ""), 60))->status, 200); /* others are not */
}

static void who_left_a_number_is_called_by_message(void **state)
{
	struct party p, q;
	char path[APPLIANCE_PATH], heard[APPLIANCE_PATH], script[400], text[4000] = "";

	(void)state;
	appliance_path(&box, "heard", heard);
	snprintf(path, sizeof path, "%s/send-sms", box.dir);
	snprintf(script, sizeof script, "#!/bin/sh\ncat >>%s\n", heard);
	appliance_write(path, script);
	assert_int_equal(chmod(path, 0700), 0);
	p = join(2, ",\"phone\":\"01012345678\",\"language\":\"en\"");
	q = join(2, "");
	assert_null(strstr(act(&p, "call")->body, "QUEUED")); /* the house sends none yet: staff call out */
	act(&p, "undo");
	appliance_sql(&box, "UPDATE restaurants SET sms_guests = 1");
	assert_non_null(strstr(act(&p, "call")->body, "\"message\":\"QUEUED\""));
	assert_non_null(strstr(act(&q, "call")->body, "\"message\":null"));
	WITHIN(20000, strstr(appliance_read(heard, text, sizeof text), "table-ready"));
	assert_non_null(strstr(text, "01012345678"));
	assert_non_null(strstr(text, "Your table is ready"));
	WITHIN(20000, appliance_number(&box, "SELECT count(*) FROM outbox WHERE status = 'SENT'") == 1);
	/* Seated by mistake, they hear nothing of it. */
	assert_int_equal(say(staff, p, "seat", "")->status, 201);
	p.version++;
	act(&p, "undo");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM outbox WHERE status = 'QUEUED'"), 0);
}

static void who_was_called_and_does_not_come_leaves_the_list(void **state)
{
	struct party a, b;

	(void)state;
	a = join(2, "");
	b = join(2, "");
	act(&a, "call");
	appliance_sql(&box, "UPDATE restaurants SET door_call_minutes = 5; UPDATE door_parties SET called_at ="
			    " strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '-4 minutes') WHERE called_at IS NOT NULL");
	sleep(0);
	assert_string_equal(list(), "1:CALLED 2:WAITING");
	appliance_sql(&box, "UPDATE door_parties SET called_at ="
			    " strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '-6 minutes') WHERE called_at IS NOT NULL");
	WITHIN(20000, strcmp(list(), "1:WAITING") == 0);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM door_parties WHERE status = 'NO_SHOW' AND door_id = %lld",
					  (long long)a.id),
			 1);
	/* With 0 only staff say so. */
	appliance_sql(&box, "UPDATE restaurants SET door_call_minutes = 0");
	act(&b, "call");
	appliance_sql(&box, "UPDATE door_parties SET called_at = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '-3 hours')"
			    " WHERE status = 'CALLED'; UPDATE door_parties SET joined_at ="
			    " strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '-13 hours') WHERE status = 'NO_SHOW'");
	assert_string_equal(list(), "1:CALLED");
	act(&b, "no-show");
	assert_string_equal(list(), "");
}

static void names_and_numbers_go_with_the_evening(void **state)
{
	struct party p, q;
	int64_t guest;
	char path[80];

	(void)state;
	p = join(2, ",\"guestName\":\"Kim\",\"phone\":\"01012345678\"");
	q = join(2, ",\"guestName\":\"Lee\",\"phone\":\"01055556666\"");
	assert_int_equal(say(staff, p, "seat", ",\"tables\":[{\"tableId\":1}]")->status, 201);
	/* A guest who is forgotten is so here too. */
	guest = appliance_number(&box, "SELECT user_id FROM users WHERE phone LIKE '%%1234%%'");
	snprintf(path, sizeof path, "/api/desk/guests/%lld/erase", (long long)guest);
	assert_int_equal(talk_as(&box, owner, "POST", path, "{}")->status, 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM door_parties WHERE guest_name IS NOT NULL"), 1);
	/* And everybody is when the evening is over. */
	appliance_sql(&box, "UPDATE door_parties SET joined_at = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '-13 hours')");
	WITHIN(20000,
	       appliance_number(&box, "SELECT count(*) FROM door_parties WHERE guest_name IS NOT NULL OR phone IS NOT NULL"
				      " OR phone_key IS NOT NULL") == 0);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM door_parties WHERE status = 'CLOSED' AND door_id = %lld",
					  (long long)q.id),
			 1);
	assert_string_equal(list(), "");
}

static void a_list_has_an_end(void **state)
{
	(void)state;
	appliance_sql(&box, "INSERT INTO door_parties (restaurant_id, evening, party_size, joined_at, updated_at)"
			    " WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 59)"
			    " SELECT 1, date('now'), 2, strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now'),"
			    " strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now') FROM n");
	assert_int_equal(try_join(staff, "{\"partySize\":2}")->status, 201);
	talk_says(try_join(staff, "{\"partySize\":2}"), 409, "DOOR_FULL");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM door_parties WHERE is_waiting = 1"), 60);
}

#define TEST(name) cmocka_unit_test_setup(name, clear_house)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_party_joins_with_a_size_and_one_tap),
		TEST(what_is_sent_again_is_the_same),
		TEST(a_party_grows_and_keeps_its_place),
		TEST(a_stranger_cannot_join_from_outside),
		TEST(order_is_kept_and_out_of_turn_says_so),
		TEST(a_party_sits_down_as_every_walk_in),
		TEST(whatever_was_said_is_taken_back),
		TEST(a_party_sees_its_own_place_and_leaves),
		TEST(a_token_opens_one_place_for_one_evening),
		TEST(who_left_a_number_is_called_by_message),
		TEST(who_was_called_and_does_not_come_leaves_the_list),
		TEST(names_and_numbers_go_with_the_evening),
		TEST(a_list_has_an_end),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
