/*
 * e2e_model.c - ten thousand random bookings, cancels, changes, expiries and blocks through the API, each answer compared with a
 * model that counts every minute and tries every table: sittings, two sizes of them, joined tables that are filled last, tables
 * and seats that are the staff's, a buffer between two parties, blocks of the house and of tables, past midnight.
 */
#include "appliance.h"
#include "clock.h"
#include "guests.h"
#include "http.h"
#include "unit.h"
#include "zone.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STEPS = 10000,
	GUESTS = 60,
	DAYS = 2,
	NIGHT = 4,          /* slots from midnight to 01:30, into which those of the evening before stay */
	SLOTS = NIGHT + 12, /* and from 18:00 to 23:30 */
	SLOT = 30,
	PACE = 10, /* may start in one slot */
	SEATS = 22,
	LIVE_MAX = 400,
	TABLES = 9,
	SETS = 3,
	BUFFER = 10,     /* minutes that a table rests */
	STAFF_SEATS = 4, /* that guests online never get */
	BLOCKS = 6,      /* at a time */
	EVERYBODY = 0,   /* who asks, and whom a table is for */
	STAFF = 1,
	WALK_INS = 2,
	HOLDER = 3, /* a guest who wants no more than they have */
};

static const struct {
	int least, most, open_to;
} tables[TABLES] = {{1, 2, 0}, {1, 2, 0}, {1, 2, 0},     {2, 4, 0},       {2, 4, 0},
		    {3, 6, 0}, {4, 8, 0}, {2, 4, STAFF}, {1, 4, WALK_INS}}; /* table i has id i + 1 */
static const struct {
	int least, most, count, members[3];
} sets[SETS] = {{3, 4, 2, {0, 1}}, {5, 8, 2, {3, 4}}, {5, 10, 3, {1, 2, 3}}};

static struct appliance box;
static unsigned seed = 20261116;
static char tokens[GUESTS][HTTP_TEXT], dates[DAYS][TEXT_DATE_SIZE];

static struct live {
	int64_t id;
	int guest, day, slot, party;
	int starts, ends; /* minutes since the first day began */
	unsigned at;      /* tables, one bit each */
	int64_t version;  /* of what staff booked; else 0 */
} live[LIVE_MAX];
static struct block {
	int64_t id;
	int from, to; /* minutes since the first day began */
	bool online;
	unsigned at; /* 0: the house */
} blocks[BLOCKS];
static int count, block_count;
static int booked, full, duplicate, changed, cancelled, expired, by_staff, blocked, lifted;

/* ---- the model ---- */

static int minute_of(int slot)
{
	return slot < NIGHT ? slot * SLOT : 18 * 60 + (slot - NIGHT) * SLOT;
}

static int starts_of(int day, int slot)
{
	return day * 1440 + minute_of(slot);
}

static int sitting_of(int party)
{
	return party >= 5 ? 120 : 75;
}

/* Who starts in the slot, but for `but`. */
static int starting(int day, int slot, const struct live *but)
{
	int people = 0;

	for (int i = 0; i < count; i++)
		if (&live[i] != but && live[i].day == day && live[i].slot == slot)
			people += live[i].party;
	return people;
}

/* The most seats at any minute that who asks cannot have, but for those of `but`. */
static int most_present(int who, int from, int to, const struct live *but)
{
	int most = 0;

	for (int minute = from; minute < to; minute++) {
		int people = 0, staff = 0;

		for (int i = 0; i < count; i++)
			if (&live[i] != but && live[i].starts <= minute && minute < live[i].ends) {
				people += live[i].party;
				staff += live[i].version ? live[i].party : 0;
			}
		if (who == EVERYBODY && staff < STAFF_SEATS)
			people += STAFF_SEATS - staff;
		most = people > most ? people : most;
	}
	return most;
}

static unsigned taken(int from, int to, const struct live *but)
{
	unsigned at = 0;

	for (int i = 0; i < count; i++)
		if (&live[i] != but && live[i].starts < to && from < live[i].ends)
			at |= live[i].at;
	return at;
}

static bool concerns(const struct block *b, int who, int from, int to)
{
	return who != HOLDER && (who == EVERYBODY || !b->online) && b->from < to && from < b->to;
}

static bool is_shut(int who, int from, int to)
{
	for (int i = 0; i < block_count; i++)
		if (!blocks[i].at && concerns(&blocks[i], who, from, to))
			return true;
	return false;
}

/* The tables that are not for who asks then. */
static unsigned closed(int who, int from, int to)
{
	unsigned at = 0;

	for (int i = 0; i < TABLES; i++)
		at |= tables[i].open_to > who ? 1u << i : 0;
	for (int i = 0; i < block_count; i++)
		at |= concerns(&blocks[i], who, from, to) ? blocks[i].at : 0;
	return at;
}

/* By the rule as it is written: meant for this many, one rather than several, in no set, small, few, the first. */
static unsigned joining(void)
{
	unsigned at = 0;

	for (int i = 0; i < SETS; i++)
		for (int k = 0; k < sets[i].count; k++)
			at |= 1u << sets[i].members[k];
	return at;
}

static unsigned pick(unsigned not_free, int party)
{
	unsigned best = 0;
	int best_rank = 1 << 30;

	for (int i = 0; i < TABLES + SETS; i++) {
		int s = i - TABLES;
		int least = i < TABLES ? tables[i].least : sets[s].least, most = i < TABLES ? tables[i].most : sets[s].most;
		unsigned at = 0;
		int n = i < TABLES ? 1 : sets[s].count, rank;

		for (int k = 0; k < n; k++)
			at |= 1u << (i < TABLES ? i : sets[s].members[k]);
		rank = (party < least) * 1000000 + (n > 1) * 100000 + (n == 1 && (at & joining())) * 10000 + most * 100 + n;
		if (!(at & not_free) && most >= party && rank < best_rank) {
			best = at;
			best_rank = rank;
		}
	}
	return best;
}

/* What fits there, but for what `but` has itself: the tables, 0 when nothing does. */
static unsigned fits(int who, int day, int slot, int party, const struct live *but)
{
	int from = starts_of(day, slot), to = from + sitting_of(party);
	unsigned at, rests = taken(from - BUFFER, to + BUFFER, but);

	if (starting(day, slot, but) + party > PACE || most_present(who, from, to, but) + party > SEATS ||
	    is_shut(who, from, to))
		return 0;
	at = pick(rests | closed(who == HOLDER ? EVERYBODY : who, from, to), party);
	return !at && who == HOLDER ? pick(taken(from, to, but), party) : at;
}

static const struct live *of_guest(int guest, int day, int slot, const struct live *but)
{
	for (int i = 0; i < count; i++)
		if (&live[i] != but && live[i].guest == guest && live[i].day == day && live[i].slot == slot)
			return &live[i];
	return NULL;
}

/* ---- the API ---- */

static const struct http_answer *post(int guest, const char *path, const char *body)
{
	static char headers[HTTP_TEXT + 80];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n", tokens[guest]);
	return http_ask(box.port, (struct http_call){.path = path, .headers = headers, .body = body});
}

static void expect(const struct http_answer *a, int status, const char *code, const char *what)
{
	char text[HTTP_TEXT];

	if (a->status != status || strcmp(http_text(a, "code", text), code) != 0)
		fail_msg("step %d, %s: %d %s, not %d %s", booked + full + duplicate + changed + cancelled + expired, what,
			 a->status, a->body ? a->body : "", status, code);
}

/* No room, or a time that is blocked; where it is both, either may be said. */
static void expect_full(const struct http_answer *a, int who, int day, int slot, int party, const struct live *but)
{
	int from = starts_of(day, slot);
	bool shut = is_shut(who, from, from + sitting_of(party)), paced = starting(day, slot, but) + party > PACE;
	char code[HTTP_TEXT];

	http_text(a, "code", code);
	if (shut && paced)
		assert_int_equal(a->status, 409);
	else
		expect(a, 409, shut ? "TIME_BLOCKED" : "SLOT_FULL", "no room");
	full++;
}

static void clock_text(int slot, char out[TEXT_TIME_SIZE])
{
	text_put_time(minute_of(slot), out);
}

static sqlite3 *reader;

/* The tables of a reservation by the book. */
static unsigned tables_of(int64_t id)
{
	sqlite3_stmt *s;
	unsigned at = 0;

	assert_int_equal(
		sqlite3_prepare_v2(reader, "SELECT table_id FROM reservation_tables WHERE reservation_id = ?1", -1, &s, NULL),
		SQLITE_OK);
	sqlite3_bind_int64(s, 1, id);
	while (sqlite3_step(s) == SQLITE_ROW)
		at |= 1u << (sqlite3_column_int(s, 0) - 1);
	sqlite3_finalize(s);
	return at;
}

static void set(struct live *l, int day, int slot, int party, unsigned at)
{
	l->day = day;
	l->slot = slot;
	l->party = party;
	l->starts = starts_of(day, slot);
	l->ends = l->starts + sitting_of(party);
	l->at = at;
	if (tables_of(l->id) != at)
		fail_msg("reservation %lld of %d: tables %x, not %x", (long long)l->id, party, tables_of(l->id), at);
}

static void book(int guest, int day, int slot, int party)
{
	char body[300], time[TEXT_TIME_SIZE];
	unsigned at = fits(EVERYBODY, day, slot, party, NULL);
	const struct http_answer *a;

	clock_text(slot, time);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\"}",
		 dates[day], time, party);
	a = post(guest, "/api/reservations", body);
	if (of_guest(guest, day, slot, NULL)) {
		expect(a, 409, "DUPLICATE", "booking");
		duplicate++;
	} else if (!at) {
		expect_full(a, EVERYBODY, day, slot, party, NULL);
	} else {
		expect(a, 201, "", "booking");
		assert_int_equal(http_int(a, "sittingMinutes"), sitting_of(party));
		assert_true(count < LIVE_MAX);
		live[count] = (struct live){.id = http_int(a, "reservationId"), .guest = guest};
		set(&live[count++], day, slot, party, at);
		booked++;
	}
}

static void change(struct live *l, int day, int slot, int party)
{
	char path[64], body[200], time[TEXT_TIME_SIZE];
	int who = day == l->day && slot == l->slot && party <= l->party ? HOLDER : EVERYBODY;
	unsigned at = fits(who, day, slot, party, l);
	const struct http_answer *a;

	clock_text(slot, time);
	snprintf(path, sizeof path, "/api/reservations/%lld/change", (long long)l->id);
	snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d}", dates[day], time, party);
	a = post(l->guest, path, body);
	if (!at) {
		expect_full(a, who, day, slot, party, l);
		assert_true(tables_of(l->id) == l->at); /* nothing was given back */
	} else if (of_guest(l->guest, day, slot, l)) {
		expect(a, 409, "DUPLICATE", "change");
		assert_true(tables_of(l->id) == l->at);
		duplicate++;
	} else {
		expect(a, 200, "", "change");
		set(l, day, slot, party, at);
		changed++;
	}
}

/* ---- the desk ---- */

static char staff[HTTP_TEXT];

static const struct http_answer *tell(const char *method, const char *path, const char *body)
{
	static char headers[HTTP_TEXT + 80];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n", staff);
	return http_ask(box.port, (struct http_call){.method = method, .path = path, .headers = headers, .body = body});
}

/* Why that table cannot be had: each word that may be said of it is true. */
static void expect_no_table(const struct http_answer *a, int day, int slot, int party, int table)
{
	int from = starts_of(day, slot), to = from + sitting_of(party);
	bool small = party > tables[table].most, has = taken(from, to, NULL) & 1u << table;
	char code[HTTP_TEXT];

	http_text(a, "code", code);
	if (strcmp(code, "TABLE_TOO_SMALL") != 0 && strcmp(code, "TABLE_TAKEN") != 0) {
		expect_full(a, STAFF, day, slot, party, NULL);
		return;
	}
	assert_int_equal(a->status, 409);
	assert_true(strcmp(code, "TABLE_TAKEN") == 0 ? has : small);
	full++;
}

/* By telephone; every third names a table, which may still be at rest. */
static void book_by_staff(int day, int slot, int party)
{
	char body[300], time[TEXT_TIME_SIZE], named[60] = "";
	int from = starts_of(day, slot), to = from + sitting_of(party), table = rand_r(&seed) % (3 * TABLES);
	unsigned at = fits(STAFF, day, slot, party, NULL);
	const struct http_answer *a;

	if (table < TABLES) {
		bool free = !((taken(from, to, NULL) | (closed(WALK_INS, from, to))) & 1u << table);

		snprintf(named, sizeof named, ",\"tables\":[{\"tableId\":%d}]", table + 1);
		at = free && party <= tables[table].most && !is_shut(STAFF, from, to) &&
				     starting(day, slot, NULL) + party <= PACE &&
				     most_present(STAFF, from, to, NULL) + party <= SEATS ?
			     1u << table :
			     0;
	}
	clock_text(slot, time);
	snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,\"guestName\":\"Kim\"%s}",
		 dates[day], time, party, named);
	a = tell("POST", "/api/desk/reservations?restaurantId=1", body);
	if (!at && table < TABLES)
		expect_no_table(a, day, slot, party, table);
	else if (!at)
		expect_full(a, STAFF, day, slot, party, NULL);
	if (!at)
		return;
	expect(a, 201, "", "a booking of the desk");
	assert_true(count < LIVE_MAX);
	live[count] = (struct live){.id = http_int(a, "reservationId"), .guest = -1, .version = http_int(a, "version")};
	set(&live[count++], day, slot, party, at);
	by_staff++;
}

/* Midnight of the first day, and a minute that many after it, as the restaurant writes it. */
static void local_text(int minute, char out[40])
{
	struct date first;
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	int days = minute < 0 ? -((1439 - minute) / 1440) : minute / 1440;

	assert_true(text_date(dates[0], &first));
	text_put_date(text_from_days(text_days(first) + days), date);
	text_put_time(minute - days * 1440, time);
	snprintf(out, 40, "%sT%s", date, time);
}

/* A time, of the house or of one or two tables; a weekly one began some weeks ago. */
static void block(void)
{
	struct block b = {.from = rand_r(&seed) % (DAYS * 1440), .online = rand_r(&seed) % 2};
	int weeks = rand_r(&seed) % 2 ? rand_r(&seed) % 3 : -1, first = rand_r(&seed) % TABLES, second = rand_r(&seed) % TABLES;
	bool house = rand_r(&seed) % 3 == 0;
	char from[40], to[40], body[300], list[40] = "";
	const struct http_answer *a;

	b.to = b.from + 20 + rand_r(&seed) % 160;
	local_text(b.from - (weeks > 0 ? weeks : 0) * 7 * 1440, from);
	local_text(b.to - (weeks > 0 ? weeks : 0) * 7 * 1440, to);
	if (!house) {
		b.at = 1u << first | 1u << second;
		if (first == second)
			snprintf(list, sizeof list, ",\"tables\":[%d]", first + 1);
		else
			snprintf(list, sizeof list, ",\"tables\":[%d,%d]", first + 1, second + 1);
	}
	snprintf(body, sizeof body, "{\"from\":\"%s\",\"to\":\"%s\",\"online\":%s,\"weekly\":%s%s}", from, to,
		 b.online ? "true" : "false", weeks >= 0 ? "true" : "false", list);
	a = tell("POST", "/api/desk/blocks?restaurantId=1", body);
	expect(a, 201, "", "a block");
	b.id = http_int(a, "blockId");
	blocks[block_count++] = b;
	blocked++;
}

static void lift(int i)
{
	char path[64];

	snprintf(path, sizeof path, "/api/desk/blocks/%lld", (long long)blocks[i].id);
	expect(tell("DELETE", path, NULL), 200, "", "lifting a block");
	blocks[i] = blocks[--block_count];
	lifted++;
}

static void forget(struct live *l)
{
	*l = live[--count];
}

static void cancel(struct live *l)
{
	char path[64], body[64];

	if (l->version) {
		snprintf(path, sizeof path, "/api/desk/reservations/%lld/cancel", (long long)l->id);
		snprintf(body, sizeof body, "{\"version\":%lld}", (long long)l->version);
		expect(tell("POST", path, body), 200, "", "cancel at the desk");
	} else {
		snprintf(path, sizeof path, "/api/reservations/%lld/cancel", (long long)l->id);
		expect(post(l->guest, path, "{}"), 200, "", "cancel");
	}
	forget(l);
	cancelled++;
}

static void expire(struct live *l)
{
	appliance_sql(&box, "UPDATE reservations SET hold_expires_at = '2026-01-01T00:00:00Z' WHERE reservation_id = %lld",
		      (long long)l->id);
	forget(l);
	expired++;
}

/* The day as guests see it, slot for slot. */
static void look(int day, int party)
{
	char path[160];
	const struct http_answer *a;

	snprintf(path, sizeof path, "/api/reservations/slots?restaurantId=1&slotDate=%s&partySize=%d", dates[day], party);
	a = http_get(box.port, path);
	assert_int_equal(a->status, 200);
	for (int slot = 0; slot < SLOTS; slot++) {
		int starts = starts_of(day, slot), paced = PACE - starting(day, slot, NULL);
		int ends = starts + sitting_of(party), gone = most_present(EVERYBODY, starts, ends, NULL),
		    seats = gone < SEATS && !is_shut(EVERYBODY, starts, ends) ? SEATS - gone : 0,
		    left = paced < seats ? paced : seats;
		bool fit = fits(EVERYBODY, day, slot, party, NULL);
		char time[TEXT_TIME_SIZE], want[200];
		const char *at, *end;

		clock_text(slot, time);
		snprintf(want, sizeof want, "\"slotTime\":\"%s\",\"label\":\"\",\"capacity\":%d,\"remaining\":%d,", time, PACE,
			 left);
		at = strstr(a->body, want);
		end = at ? strchr(at, '}') : NULL;
		at = at ? strstr(at, fit ? "\"available\":true" : "\"available\":false") : NULL;
		if (!at || at > end)
			fail_msg("%s, party of %d: no %s in %s", dates[day], party, want, a->body);
	}
}

static void every_answer_is_that_of_the_model(void **state)
{
	static struct ran ran;

	(void)state;
	for (int step = 0; step < STEPS; step++) {
		int day = rand_r(&seed) % DAYS, slot = rand_r(&seed) % SLOTS, party = rand_r(&seed) % 10 + 1;
		int dice = rand_r(&seed) % 100;
		struct live *l = count ? &live[rand_r(&seed) % count] : NULL;

		if (dice < 42 || !l)
			book(rand_r(&seed) % GUESTS, day, slot, party);
		else if (dice < 50)
			book_by_staff(day, slot, party);
		else if (dice < 72 && !l->version)
			change(l, dice % 2 ? day : l->day, dice % 3 ? slot : l->slot, dice % 5 ? party : l->party);
		else if (dice < 90 || l->version)
			cancel(l);
		else
			expire(l);
		if (step % 40 == 0 && block_count < BLOCKS)
			block();
		else if (step % 20 == 0 && block_count)
			lift(rand_r(&seed) % block_count);
		if (step % 100 == 0)
			look(day, party);
	}
	printf("# %d booked, %d by staff, %d changed, %d cancelled, %d expired, %d full, %d duplicate, %d blocks, %d lifted\n",
	       booked, by_staff, changed, cancelled, expired, full, duplicate, blocked, lifted);
	assert_true(by_staff > 100 && blocked > 100 && lifted > 100);
	assert_true(booked > 1000 && changed > 300 && cancelled > 500 && expired > 200 && full > 1000 && duplicate > 20);
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	if (ran.exit != 0)
		fail_msg("%s", ran.out);
}

static int set_up(void **state)
{
	static struct ran ran;

	(void)state;
	appliance_new(&box);
	appliance_up(&box, 4);
	appliance_sql(&box,
		      "UPDATE restaurants SET slot_minutes = %d, sitting_minutes = 75, sitting_large_from = 5, "
		      "sitting_large_minutes = 120,"
		      " reservation_limit = %d, seats = %d, party_max = 10, hold_seconds = 86400, user_lock_ms = 0,"
		      " holds_per_guest = 0, upcoming_per_guest = 0, buffer_minutes = %d, staff_seats = %d;"
		      "DELETE FROM opening_hours;"
		      "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) SELECT 1, value, '18:00', '24:00'"
		      " FROM json_each('[1,2,3,4,5,6,7]') UNION ALL SELECT 1, value, '00:00', '02:00' FROM "
		      "json_each('[1,2,3,4,5,6,7]')",
		      SLOT, PACE, SEATS, BUFFER, STAFF_SEATS);
	for (int i = 0; i < TABLES; i++)
		appliance_sql(&box,
			      "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max, open_to)"
			      " VALUES (%d, 1, 'T%d', %d, %d, '%s')",
			      i + 1, i + 1, tables[i].least, tables[i].most,
			      tables[i].open_to == STAFF    ? "STAFF" :
			      tables[i].open_to == WALK_INS ? "WALK_IN" :
							      "ONLINE");
	for (int i = 0; i < SETS; i++) {
		appliance_sql(&box,
			      "INSERT INTO table_sets (set_id, restaurant_id, seats_min, seats_max) VALUES (%d, 1, %d, %d)",
			      i + 1, sets[i].least, sets[i].most);
		for (int k = 0; k < sets[i].count; k++)
			appliance_sql(&box, "INSERT INTO table_set_members VALUES (%d, %d)", i + 1, sets[i].members[k] + 1);
	}
	appliance_run(&box, &ran, NULL, "staff", "add", "kim@example.com", "Kim", "--password", "correct horse 7", "--dir",
		      box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	http_text(http_post(box.port, "/api/login", "{\"email\":\"kim@example.com\",\"password\":\"correct horse 7\"}"),
		  "accessToken", staff);
	for (int i = 0; i < GUESTS; i++) {
		char body[100];

		snprintf(body, sizeof body, "{\"name\":\"Guest %d\",\"phone\":\"010-7000-%04d\"}", i, i);
		http_text(http_post(box.port, "/api/guests", body), "accessToken", tokens[i]);
	}
	for (int i = 0; i < DAYS; i++) {
		struct date day;
		int minute;

		assert_true(zone_to_local("Asia/Seoul", clock_now_s() + (i + 3) * INT64_C(86400), &day, &minute));
		text_put_date(day, dates[i]);
	}
	reader = appliance_book(&box);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	sqlite3_close(reader);
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_answer_is_that_of_the_model)};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
