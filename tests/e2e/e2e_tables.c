/*
 * e2e_tables.c - the tables tell the truth: nobody is seated where a party sits, unless they share it on purpose; stays that grow
 * and shrink, parties that swap, refusals by name, and whom the owner lets in beyond the seats.
 */
#include "appliance.h"
#include "clock.h"
#include "talk.h"
#include "unit.h"
#include "zone.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES = 4 }; /* 1 and 2 seat two, 3 and 4 four; 1 and 2 joined four */

static struct appliance box;
static struct ran ran;
static char owner[TALK_HEADERS], manager[TALK_HEADERS], staff[TALK_HEADERS], stranger[TALK_HEADERS];
static char today[TEXT_DATE_SIZE], zone[24];

/* ---- the stage ---- */

static int set_up(void **state)
{
	int hour = (int)(clock_now_s() / 3600 % 24), west = (hour - 15 + 48) % 24, minute;
	struct date date;

	(void)state;
	appliance_new(&box);
	appliance_up(&box, 4);
	west = west > 12 ? west - 24 : west;
	snprintf(zone, sizeof zone, west ? "Etc/GMT%+d" : "Etc/GMT", west); /* it is three in the afternoon there */
	appliance_sql(
		&box,
		"UPDATE restaurants SET timezone = '%s', slot_minutes = 30, sitting_minutes = 90, seats = 12, "
		"reservation_limit = 8, deposit_per_person = 0, deposit_large_per_person = 0; DELETE FROM opening_hours;"
		"INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00'"
		" FROM json_each('[1,2,3,4,5,6,7]');"
		"INSERT INTO dining_tables (table_id, restaurant_id, name, seats_max) VALUES (1, 1, '1', 2), (2, 1, '2', 2),"
		" (3, 1, '3', 4), (4, 1, 'Window', 4);"
		"INSERT INTO table_sets (set_id, restaurant_id, seats_min, seats_max) VALUES (1, 1, 3, 4);"
		"INSERT INTO table_set_members VALUES (1, 1), (1, 2)",
		zone);
	assert_true(zone_to_local(zone, clock_now_s(), &date, &minute));
	text_put_date(date, today);
	talk_add_staff(&box, "staff@example.com", staff);
	talk_add_staff(&box, "manager@example.com", manager);
	talk_add_staff(&box, "owner@example.com", owner);
	talk_add_staff(&box, "stranger@example.com", stranger);
	appliance_sql(&box, "UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com';"
			    "UPDATE users SET is_manager = 1 WHERE email = 'manager@example.com';"
			    "INSERT INTO restaurants (restaurant_id, name) VALUES (2, 'other');"
			    "UPDATE users SET restaurant_id = 2 WHERE email = 'stranger@example.com'");
	return 0;
}

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

/* The party as the desk sees it now. */
struct party {
	int64_t id, version;
};

/* A telephone booking that begins so many minutes from now, in quarters of an hour; of=: more fields. */
static const struct http_answer *try_booking(const char *who, int minutes, int size, const char *name, const char *more)
{
	int64_t at = (clock_now_s() + minutes * 60) / 900 * 900;
	char body[600], day[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	struct date date;
	int minute;

	assert_true(zone_to_local(zone, at, &date, &minute));
	text_put_date(date, day);
	text_put_time(minute, time);
	snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,\"guestName\":\"%s\"%s}", day,
		 time, size, name, more);
	return talk_as(&box, who, "POST", "/api/desk/reservations?restaurantId=1", body);
}

static struct party made(const struct http_answer *a)
{
	assert_int_equal(a->status, 201);
	return (struct party){http_int(a, "reservationId"), http_int(a, "version")};
}

static struct party book(int minutes, int size, const char *name, int table)
{
	char more[60] = "";

	if (table)
		snprintf(more, sizeof more, ",\"tables\":[{\"tableId\":%d}]", table);
	return made(try_booking(staff, minutes, size, name, more));
}

static const struct http_answer *say(const char *who, struct party p, const char *word, const char *more)
{
	char path[120], body[400];

	snprintf(path, sizeof path, "/api/desk/reservations/%lld/%s", (long long)p.id, word);
	snprintf(body, sizeof body, "{\"version\":%lld%s}", (long long)p.version, more);
	return talk_as(&box, who, "POST", path, body);
}

static const struct http_answer *patch(const char *who, struct party p, const char *more)
{
	char path[120], body[400];

	snprintf(path, sizeof path, "/api/desk/reservations/%lld", (long long)p.id);
	snprintf(body, sizeof body, "{\"version\":%lld%s}", (long long)p.version, more);
	return talk_as(&box, who, "PATCH", path, body);
}

/* It is done, and the party has another version. */
static void done(struct party *p, const struct http_answer *a)
{
	if (a->status != 200)
		fail_msg("%d %.600s", a->status, a->body);
	p->version = http_int(a, "version");
}

static void act(struct party *p, const char *word, const char *more)
{
	done(p, say(staff, *p, word, more));
}

static const struct http_answer *walk_in(const char *body)
{
	return talk_as(&box, staff, "POST", "/api/desk/walk-ins?restaurantId=1", body);
}

/* What an answer says, by a path like "takenBy 0 guestName"; "" where there is no such thing. */
static const char *at(const struct http_answer *a, const char *path)
{
	static char value[HTTP_TEXT];
	struct json_object *top = http_json(a), *j = top;
	char copy[100], *part, *rest = copy;

	snprintf(copy, sizeof copy, "%s", path);
	while (j && (part = strtok_r(rest, " ", &rest))) {
		if (json_object_is_type(j, json_type_array))
			j = json_object_array_get_idx(j, (size_t)atoi(part));
		else if (!json_object_object_get_ex(j, part, &j))
			j = NULL;
	}
	snprintf(value, sizeof value, "%s", j ? json_object_get_string(j) : "");
	json_object_put(top);
	return value;
}

#define SAYS(a, path, value) assert_string_equal(at(a, path), value)

/* ---- where somebody sits ---- */

static void nobody_is_seated_where_a_party_sits(void **state)
{
	const struct http_answer *a;
	struct party sits = book(-105, 2, "Lee", 3), next = book(45, 2, "Kim", 3);

	(void)state;
	act(&sits, "seat", ""); /* by the book the table is free since a quarter of an hour, and the people are there */
	a = say(staff, next, "seat", "");
	talk_says(a, 409, "TABLE_TAKEN");
	SAYS(a, "takenBy 0 guestName", "Lee");
	SAYS(a, "takenBy 0 tableName", "3");
	SAYS(a, "takenBy 0 partySize", "2");
	assert_int_equal(atoll(at(a, "takenBy 0 reservationId")), sits.id);
	assert_int_equal(atoll(at(a, "takenBy 0 version")), sits.version);
	assert_true(strlen(at(a, "takenBy 0 seatedAt")) == 20);
	/* Tables that are free stand beside it. */
	assert_non_null(strstr(a->body, "\"freeTables\":[{"));
	assert_null(strstr(at(a, "freeTables"), "\"3\""));
	/* They have left: then it can be done. */
	act(&sits, "leave", "");
	act(&next, "seat", "");
	/* And who has left does not come back to the table of others. */
	talk_says(say(staff, sits, "undo", ""), 409, "TABLE_TAKEN");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE visit_status = 'SEATED'"), 1);
}

static void a_walk_in_is_not_seated_on_others_laps(void **state)
{
	struct party sits[TABLES];
	const struct http_answer *a;

	(void)state;
	for (int i = 0; i < TABLES; i++) {
		sits[i] = book(-120, 1, "Lee", i + 1);
		act(&sits[i], "seat", "");
	}
	a = walk_in("{\"partySize\":2}"); /* by the book every table is free */
	talk_says(a, 409, "SLOT_FULL");
	a = walk_in("{\"partySize\":2,\"tables\":[{\"tableId\":2}]}");
	talk_says(a, 409, "TABLE_TAKEN");
	SAYS(a, "takenBy 0 tableName", "2");
	act(&sits[3], "leave", "");
	a = walk_in("{\"partySize\":2}");
	assert_int_equal(a->status, 201);
	SAYS(a, "tables 0", "4");
}

static void who_sits_is_moved_to_free_tables_only(void **state)
{
	struct party sits = book(-105, 2, "Lee", 3), other = book(0, 2, "Kim", 4);
	const struct http_answer *a;

	(void)state;
	act(&sits, "seat", "");
	act(&other, "seat", "");
	a = patch(staff, other, ",\"tables\":[{\"tableId\":3}]");
	talk_says(a, 409, "TABLE_TAKEN");
	SAYS(a, "takenBy 0 guestName", "Lee");
	/* One table more, and one less. */
	done(&other, patch(staff, other, ",\"tables\":[{\"tableId\":4},{\"tableId\":1}]"));
	done(&other, patch(staff, other, ",\"tables\":[{\"tableId\":1}]"));
	act(&other, "undo", "");
	assert_int_equal(appliance_number(&box, "SELECT group_concat(table_id, '') FROM reservation_tables WHERE"
						" reservation_id = 2"),
			 14);
	/* A larger party keeps the table where it sits, or is told that it is too small. */
	done(&sits, patch(staff, sits, ",\"partySize\":4"));
	a = patch(staff, sits, ",\"partySize\":5");
	talk_says(a, 409, "TABLE_TOO_SMALL");
	SAYS(a, "reasons 0 kind", "TABLE_TOO_SMALL");
	SAYS(a, "reasons 0 tableName", "3");
	SAYS(a, "reasons 0 seats", "4");
}

static void two_parties_share_a_table_on_purpose(void **state)
{
	struct party sits = book(-15, 2, "Lee", 3), next = book(0, 1, "Kim", 1), guest;
	const struct http_answer *a;

	(void)state;
	act(&sits, "seat", "");
	talk_says(say(staff, next, "seat", ",\"tables\":[{\"tableId\":3}]"), 409, "TABLE_TAKEN");
	a = say(staff, next, "seat", ",\"tables\":[{\"tableId\":3}],\"share\":true");
	done(&next, a);
	SAYS(a, "sharedTables 0", "3");
	/* Both stay as they are when something else of them changes. */
	done(&sits, patch(staff, sits, ",\"sittingMinutes\":120"));
	a = patch(staff, next, ",\"sittingMinutes\":105");
	done(&next, a);
	SAYS(a, "sharedTables 0", "3");
	/* It was on purpose for these two, and for no third. */
	talk_says(walk_in("{\"partySize\":1,\"tables\":[{\"tableId\":3}]}"), 409, "TABLE_TAKEN");
	a = walk_in("{\"partySize\":1,\"tables\":[{\"tableId\":3}],\"share\":true}");
	guest = made(a);
	SAYS(a, "sharedTables 0", "3");
	act(&guest, "leave", "");
	/* The way back leaves them together; another table does not. */
	act(&next, "undo", "");
	assert_int_equal(appliance_number(&box, "SELECT reservation_id FROM reservation_tables WHERE shared = 1"), next.id);
	done(&next, patch(staff, next, ",\"tables\":[{\"tableId\":1}]"));
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservation_tables WHERE shared = 1"), 0);
	talk_says(try_booking(staff, 45, 2, "Choi", ",\"tables\":[{\"tableId\":3}],\"share\":true"), 400, "UNKNOWN_FIELD");
}

static void who_sat_down_early_may_leave_early(void **state)
{
	struct party p = book(60, 4, "Lee", 3), waits = book(60, 2, "Kim", 1);
	const struct http_answer *a;

	(void)state;
	talk_says(say(staff, waits, "complete", ""), 409, "TOO_EARLY");
	act(&waits, "arrive", "");
	talk_says(say(staff, waits, "leave", ""), 409, "TOO_EARLY");
	act(&p, "seat", "");
	a = say(staff, p, "leave", "");
	done(&p, a);
	SAYS(a, "tables 0", "3"); /* where they sat is still said */
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservation_tables WHERE table_id = 3"), 0);
	book(60, 4, "Park", 3); /* their seats are free */
	a = say(staff, p, "undo", "");
	talk_says(a, 409, "TABLE_TAKEN");
	SAYS(a, "reasons 1 kind", "TABLE_TAKEN"); /* the time is full too */
	SAYS(a, "reasons 1 guestName", "Park");
}

static void whose_table_was_given_away_is_told_to_whom(void **state)
{
	struct party p = book(-30, 4, "Lee", 3), has;
	const struct http_answer *a;

	(void)state;
	act(&p, "no-show", "");
	has = made(walk_in("{\"partySize\":3,\"tables\":[{\"tableId\":3}],\"guestName\":\"Park\"}"));
	a = say(staff, p, "undo", "");
	talk_says(a, 409, "TABLE_TAKEN");
	SAYS(a, "takenBy 0 guestName", "Park");
	SAYS(a, "takenBy 0 tableName", "3");
	SAYS(a, "reasons 0 kind", "TABLE_TAKEN");
	SAYS(a, "reasons 0 guestName", "Park");
	SAYS(a, "freeTables 0 tableName", "Window");
	/* They move: then it can be undone. */
	done(&has, patch(staff, has, ",\"tables\":[{\"tableId\":4}]"));
	act(&p, "undo", "");
	assert_int_equal(appliance_number(&box, "SELECT table_id FROM reservations WHERE reservation_id = 1"), 3);
}

/* ---- stays ---- */

static void a_stay_grows_and_shrinks(void **state)
{
	struct party p = book(0, 2, "Lee", 3), next = book(90, 2, "Kim", 3);
	const struct http_answer *a;

	(void)state;
	a = patch(staff, p, ",\"sittingMinutes\":120");
	talk_says(a, 409, "TABLE_TAKEN");
	SAYS(a, "reasons 0 kind", "TABLE_TAKEN");
	SAYS(a, "reasons 0 guestName", "Kim");
	SAYS(a, "reasons 0 tableName", "3");
	assert_int_equal(atoll(at(a, "reasons 0 reservationId")), next.id);
	assert_int_equal(strlen(at(a, "reasons 0 until")), 20);
	a = patch(staff, p, ",\"sittingMinutes\":75");
	done(&p, a);
	SAYS(a, "tables 0", "3");
	assert_int_equal(appliance_number(&box, "SELECT (strftime('%%s', ends_at) - strftime('%%s', starts_at)) / 60 FROM"
						" reservation_tables WHERE reservation_id = 1"),
			 75);
	act(&p, "undo", "");
	assert_int_equal(appliance_number(&box, "SELECT sitting_minutes FROM reservations WHERE reservation_id = 1"), 90);
	act(&next, "cancel", "");
	done(&p, patch(staff, p, ",\"sittingMinutes\":150"));
	talk_says(patch(staff, p, ",\"sittingMinutes\":4"), 400, "OUT_OF_RANGE");
	talk_says(patch(staff, p, ",\"sittingMinutes\":1441"), 400, "OUT_OF_RANGE");
}

/* ---- two parties swap ---- */

static const struct http_answer *swap(const char *who, struct party a, struct party b)
{
	char more[100];

	snprintf(more, sizeof more, ",\"with\":%lld,\"withVersion\":%lld", (long long)b.id, (long long)b.version);
	return say(who, a, "swap", more);
}

static int64_t table_of(struct party p)
{
	return appliance_number(&box, "SELECT table_id FROM reservations WHERE reservation_id = %lld", (long long)p.id);
}

static void two_parties_swap_and_both_go_back(void **state)
{
	struct party a = book(-15, 2, "Lee", 3), b = book(15, 2, "Kim", 4);

	(void)state;
	act(&a, "seat", ""); /* one sits, the other comes */
	for (int undo_other = 0; undo_other < 2; undo_other++) {
		done(&a, swap(staff, a, b));
		b.version++;
		assert_int_equal(table_of(a), 4);
		assert_int_equal(table_of(b), 3);
		if (undo_other) {
			act(&b, "undo", "");
			a.version++;
		} else {
			act(&a, "undo", "");
			b.version++;
		}
		assert_int_equal(table_of(a), 3);
		assert_int_equal(table_of(b), 4);
	}
	/* Something came after it for one of them: then neither goes back. */
	done(&a, swap(staff, a, b));
	b.version++;
	act(&b, "arrive", "");
	talk_says(say(staff, a, "undo", ""), 409, "BAD_MOVE");
	assert_int_equal(table_of(a), 4);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM audit WHERE entity_id = 2 AND to_value = 'swap'"), 3);
}

static void a_swap_is_refused_where_it_does_not_fit(void **state)
{
	struct party small = book(0, 2, "Lee", 1), large = book(0, 4, "Kim", 3), gone = book(0, 2, "Park", 2), third;
	const struct http_answer *answer;
	struct party old = large;

	(void)state;
	answer = swap(staff, small, large);
	talk_says(answer, 409, "TABLE_TOO_SMALL");
	old.version = 99;
	answer = swap(staff, small, old);
	talk_says(answer, 409, "STALE");
	SAYS(answer, "reservation guestName", "Kim");
	talk_says(swap(staff, small, small), 409, "BAD_MOVE");
	talk_says(swap(stranger, small, gone), 404, "NO_SUCH_RESERVATION");
	talk_says(say(staff, small, "swap", ",\"with\":77,\"withVersion\":1"), 404, "NO_SUCH_RESERVATION");
	talk_says(say(staff, small, "swap", ""), 400, "MISSING_FIELD");
	act(&gone, "cancel", "");
	talk_says(swap(staff, small, gone), 409, "BAD_MOVE");
	/* A third party comes to that table before the other has left. */
	done(&large, patch(staff, large, ",\"partySize\":2,\"tables\":[{\"tableId\":4}]"));
	done(&large, patch(staff, large, ",\"sittingMinutes\":60"));
	third = book(75, 2, "Choi", 4);
	assert_true(third.id > 0);
	talk_says(swap(staff, small, large), 409, "TABLE_TAKEN");
	assert_int_equal(table_of(small), 1);
}

static void a_swap_says_who_sits_where_the_other_would(void **state)
{
	struct party late = book(-105, 2, "Park", 4), sits = book(-15, 2, "Kim", 3), comes = book(30, 2, "Lee", 4);
	const struct http_answer *a;

	(void)state;
	act(&late, "seat", ""); /* their time is over, and they are there */
	act(&sits, "seat", "");
	a = swap(staff, comes, sits);
	talk_says(a, 409, "TABLE_TAKEN");
	SAYS(a, "takenBy 0 guestName", "Park");
	SAYS(a, "takenBy 0 tableName", "Window");
	SAYS(a, "takenBy 1", "");
	/* Free is neither where others sit nor its own table. */
	SAYS(a, "freeTables 0 tableName", "1");
	assert_null(strstr(at(a, "freeTables"), "Window"));
	assert_null(strstr(at(a, "freeTables"), "\"3\""));
	act(&late, "leave", "");
	/* The other way round, the two are not in each other's way. */
	done(&sits, swap(staff, sits, comes));
	assert_int_equal(table_of(sits), 4);
	assert_int_equal(table_of(comes), 3);
}

/* ---- beyond the seats ---- */

static void the_owner_lets_in_whom_the_book_would_not(void **state)
{
	static const char why[] = ",\"overbook\":\"the mayor\"";
	const struct http_answer *a;
	struct party p, mayor;

	(void)state;
	book(60, 4, "Lee", 3);
	p = book(60, 4, "Kim", 4);
	a = try_booking(staff, 60, 2, "Mayor", "");
	talk_says(a, 409, "SLOT_FULL");
	SAYS(a, "reasons 0 kind", "STARTS");
	SAYS(a, "reasons 0 seats", "0");
	SAYS(a, "freeTables 0", ""); /* no table would help */
	talk_says(try_booking(staff, 60, 2, "Mayor", why), 403, "FORBIDDEN");
	talk_says(try_booking(owner, 60, 2, "Mayor", ",\"overbook\":\"\""), 409, "SLOT_FULL");
	/* One table, one party: that is never beyond anything. */
	a = try_booking(manager, 60, 2, "Mayor", ",\"overbook\":\"the mayor\",\"tables\":[{\"tableId\":3}]");
	talk_says(a, 409, "TABLE_TAKEN");
	a = try_booking(manager, 60, 2, "Mayor", why);
	mayor = made(a);
	SAYS(a, "overbook", "the mayor");
	assert_true(table_of(mayor) == 1 || table_of(mayor) == 2);
	/* It opens nothing: others find fewer seats, and what it gives back is not theirs. */
	talk_says(try_booking(staff, 60, 1, "Choi", ""), 409, "SLOT_FULL");
	act(&p, "cancel", "");
	talk_says(try_booking(staff, 60, 3, "Choi", ""), 409, "SLOT_FULL");
	assert_int_equal(try_booking(staff, 60, 2, "Choi", "")->status, 201);
	/* Moved about at its time it stays so; at another time, where there is room, it is a party like any other. */
	done(&mayor,
	     patch(staff, mayor, table_of(mayor) == 1 ? ",\"tables\":[{\"tableId\":2}]" : ",\"tables\":[{\"tableId\":1}]"));
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE overbook_reason IS NOT NULL"), 1);
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	assert_non_null(strstr(ran.out, "let in beyond the seats, and that have not left: 1"));
	act(&mayor, "undo", "");
	act(&mayor, "cancel", "");
	act(&mayor, "undo", "");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE overbook_reason = 'the mayor'"), 1);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM audit WHERE change = 'overbooked'"), 1);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM audit WHERE to_value LIKE '%%mayor%%'"), 0);
}

static void the_owner_lets_in_more_than_a_table_seats(void **state)
{
	struct party p = book(0, 2, "Lee", 1);
	const struct http_answer *a;

	(void)state;
	talk_says(patch(owner, p, ",\"partySize\":3,\"tables\":[{\"tableId\":1}]"), 409, "TABLE_TOO_SMALL");
	a = patch(owner, p, ",\"partySize\":3,\"tables\":[{\"tableId\":1}],\"overbook\":\"a chair more\"");
	done(&p, a);
	SAYS(a, "overbook", "a chair more");
	talk_says(patch(staff, p, ",\"partySize\":4,\"overbook\":\"two\""), 403, "FORBIDDEN");
	act(&p, "undo", "");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE overbook_reason IS NOT NULL"), 0);
	/* At the door, with no table left for them at all. */
	for (int i = 2; i <= TABLES; i++)
		book(0, 2, "Kim", i);
	talk_says(walk_in("{\"partySize\":6}"), 409, "SLOT_FULL");
	a = talk_as(&box, owner, "POST", "/api/desk/walk-ins?restaurantId=1", "{\"partySize\":6,\"overbook\":\"friends\"}");
	assert_int_equal(a->status, 201);
	SAYS(a, "tables 0", "");
	talk_says(walk_in("{\"partySize\":6,\"overbook\":\"friends\"}"), 403, "FORBIDDEN");
}

/* ---- why not ---- */

static void a_refusal_says_by_name_what_is_in_the_way(void **state)
{
	const struct http_answer *a;
	char body[300];
	int minute;
	struct date date;

	(void)state;
	a = try_booking(staff, 60, 4, "Lee", ",\"tables\":[{\"tableId\":1}]");
	talk_says(a, 409, "TABLE_TOO_SMALL");
	SAYS(a, "reasons 0 tableName", "1");
	SAYS(a, "freeTables 0 tableName", "3");
	SAYS(a, "freeTables 2 tableName", "1 + 2");
	book(60, 2, "Kim", 4);
	a = try_booking(staff, 60, 4, "Lee", ",\"tables\":[{\"tableId\":4}]");
	talk_says(a, 409, "TABLE_TAKEN");
	SAYS(a, "reasons 0 guestName", "Kim");
	SAYS(a, "reasons 0 tableName", "Window");
	/* A block, with its reason. */
	assert_true(zone_to_local(zone, clock_now_s(), &date, &minute));
	snprintf(body, sizeof body,
		 "{\"from\":\"%sT00:00\",\"to\":\"%sT23:59\",\"online\":false,\"tables\":[3],\"reason\":\"broken leg\"}", today,
		 today);
	assert_int_equal(talk_as(&box, staff, "POST", "/api/desk/blocks?restaurantId=1", body)->status, 201);
	a = try_booking(staff, 60, 4, "Lee", ",\"tables\":[{\"tableId\":3}]");
	talk_says(a, 409, "TIME_BLOCKED");
	SAYS(a, "reasons 0 kind", "BLOCKED");
	SAYS(a, "reasons 0 blockReason", "broken leg");
	/* None is named: which would do, and who has them. */
	book(60, 2, "Park", 1);
	a = try_booking(staff, 60, 4, "Lee", "");
	talk_says(a, 409, "SLOT_FULL");
	SAYS(a, "reasons 0 kind", "NO_TABLE");
	SAYS(a, "reasons 1 blockReason", "broken leg");
	SAYS(a, "reasons 2 guestName", "Kim");
	talk_says(try_booking(staff, 60, 2, "Lee", ",\"tables\":[{\"tableId\":44}]"), 409, "WRONG_TABLE");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nobody_is_seated_where_a_party_sits),        TEST(a_walk_in_is_not_seated_on_others_laps),
		TEST(who_sits_is_moved_to_free_tables_only),      TEST(two_parties_share_a_table_on_purpose),
		TEST(who_sat_down_early_may_leave_early),         TEST(a_stay_grows_and_shrinks),
		TEST(two_parties_swap_and_both_go_back),          TEST(a_swap_is_refused_where_it_does_not_fit),
		TEST(the_owner_lets_in_whom_the_book_would_not),  TEST(the_owner_lets_in_more_than_a_table_seats),
		TEST(a_refusal_says_by_name_what_is_in_the_way),  TEST(whose_table_was_given_away_is_told_to_whom),
		TEST(a_swap_says_who_sits_where_the_other_would),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
