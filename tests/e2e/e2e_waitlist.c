/*
 * e2e_waitlist.c - the waitlist through nginx: joining a full slot, strict order, offers with a countdown, lapsing, and
 * everything that can free a seat.
 */
#include "appliance.h"
#include "clock.h"
#include "guests.h"
#include "http.h"
#include "talk.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEATS = 4 };

static struct appliance box;
static char staff[256], day[TEXT_DATE_SIZE];
static int people; /* how many numbers were made up so far */

struct guest {
	char token[HTTP_TEXT], headers[HTTP_TEXT + 80];
	int64_t id; /* of the entry on the waitlist, or of the reservation */
	char manage[HTTP_TEXT];
};

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 6);
	appliance_sql(&box,
		      "UPDATE restaurants SET reservation_limit = %d, deposit_per_person = 0, deposit_large_per_person = 0,"
		      " quiet_from = 0, quiet_to = 0, holds_per_guest = 0, upcoming_per_guest = 0",
		      SEATS);
	talk_add_staff(&box, "kim@example.com", staff);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* Each test has a day of its own. */
static int begin(void **state)
{
	static int nth;

	(void)state;
	guests_day(nth++, day);
	appliance_sql(&box,
		      "UPDATE restaurants SET waitlist_skip = 0, reservation_limit = %d, waitlist_per_guest = 3, seats = 0,"
		      " sitting_minutes = 0, paused_until = NULL, deposit_per_person = 0",
		      SEATS);
	return 0;
}

static void expect(const struct http_answer *a, int status, const char *code)
{
	char text[HTTP_TEXT];

	if (a->status != status || (*code && strcmp(http_text(a, "code", text), code) != 0))
		fail_msg("%d %s, not %d %s", a->status, a->body ? a->body : "", status, code);
}

static const struct http_answer *ask(const char *headers, const char *method, const char *path, const char *body)
{
	return http_ask(box.port, (struct http_call){.method = method, .path = path, .headers = headers, .body = body});
}

static void new_guest(struct guest *g)
{
	char body[160];

	snprintf(body, sizeof body, "{\"name\":\"Guest %d\",\"phone\":\"010-7%03d-%04d\"}", people, people / 1000,
		 people % 10000);
	people++;
	http_text(http_post(box.port, "/api/guests", body), "accessToken", g->token);
	assert_true(*g->token);
	snprintf(g->headers, sizeof g->headers, "Authorization: Bearer %s\r\nContent-Type: application/json\r\n", g->token);
}

static const struct http_answer *wants(struct guest *g, const char *path, const char *time, int party)
{
	char body[256];
	bool book = strcmp(path, "/api/reservations") == 0;
	const struct http_answer *a;

	if (!g->headers[0])
		new_guest(g);
	snprintf(body, sizeof body, "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d%s}", day,
		 time, party, book ? ",\"reservationType\":\"RESERVATION_DEPOSIT\"" : "");
	a = ask(g->headers, "POST", path, body);
	if (a->status == 201) {
		g->id = http_int(a, book ? "reservationId" : "waitlistId");
		http_text(a, "manageToken", g->manage);
	}
	return a;
}

/* Yesterday, so that what is given up is kept as long as the house says. */
static void booked_yesterday(int64_t id)
{
	appliance_sql(&box,
		      "UPDATE reservations SET created_at = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', created_at, '-1 day') WHERE"
		      " reservation_id = %lld",
		      (long long)id);
}

static void book(struct guest *g, const char *time, int party)
{
	expect(wants(g, "/api/reservations", time, party), 201, "");
	booked_yesterday(g->id);
}

static void wait_for(struct guest *g, const char *time, int party)
{
	expect(wants(g, "/api/waitlist", time, party), 201, "");
}

/* Whose number is known: they keep back what they cannot use yet. */
static void prove(const struct guest *g)
{
	appliance_sql(&box, "UPDATE waitlist SET proven = 1 WHERE waitlist_id = %lld", (long long)g->id);
}

static const struct http_answer *entry(const struct guest *g)
{
	char path[64];

	snprintf(path, sizeof path, "/api/waitlist/%lld", (long long)g->id);
	return ask(g->headers, "GET", path, NULL);
}

static void stands(const struct guest *g, const char *status, int rank)
{
	char text[HTTP_TEXT];
	const struct http_answer *a = entry(g);

	if (strcmp(http_text(a, "status", text), status) != 0 || http_int(a, "rank") != rank)
		fail_msg("%s, not %s %d", a->body, status, rank);
}

static void cancel(const struct guest *g)
{
	char path[64];

	snprintf(path, sizeof path, "/api/reservations/%lld/cancel", (long long)g->id);
	expect(ask(g->headers, "POST", path, "{}"), 200, "");
}

static const struct http_answer *take(const struct guest *g)
{
	char path[64];
	int64_t reservation = http_int(entry(g), "reservationId");

	snprintf(path, sizeof path, "/api/reservations/%lld/take", (long long)reservation);
	return ask(g->headers, "POST", path, "{}");
}

static int seats_taken(const char *time)
{
	return (int)appliance_number(&box,
				     "SELECT ifnull(sum(party_size), 0) FROM reservations v JOIN restaurant_reservation_slots s"
				     " USING (slot_id) WHERE is_active = 1 AND slot_date = '%s' AND slot_time = '%s'",
				     day, time);
}

/* The hold that was offered is over. */
static void lapse(const struct guest *g)
{
	appliance_sql(&box,
		      "UPDATE reservations SET hold_expires_at = '2026-01-01T00:00:00Z' WHERE reservation_id ="
		      " (SELECT reservation_id FROM waitlist WHERE waitlist_id = %lld)",
		      (long long)g->id);
}

/* ---- joining ---- */

static void one_waits_for_what_is_full_and_for_nothing_else(void **state)
{
	struct guest first = {0}, second = {0}, third = {0}, stranger = {0};

	(void)state;
	expect(wants(&first, "/api/waitlist", "18:00", 2), 409, "HAS_ROOM");
	book(&first, "18:00", SEATS);
	expect(wants(&first, "/api/waitlist", "18:00", 2), 409, "DUPLICATE");
	wait_for(&second, "18:00", 2);
	stands(&second, "WAITING", 1);
	wait_for(&third, "18:00", 3);
	stands(&third, "WAITING", 2);
	/* Said twice it is the same entry; another card with the same number hears only that it is there. */
	{
		int64_t id = second.id;

		wait_for(&second, "18:00", 2);
		assert_int_equal(second.id, id);
		people -= 2; /* the number of `second` */
		new_guest(&stranger);
		people++;
		expect(wants(&stranger, "/api/waitlist", "18:00", 2), 409, "ALREADY_WAITING");
		stranger.id = id;
		expect(entry(&stranger), 404, "NO_SUCH_WAIT");
	}
	expect(wants(&third, "/api/waitlist", "18:30", 2), 400, "NO_SUCH_TIME");
	expect(wants(&third, "/api/waitlist", "18:00", 0), 400, "OUT_OF_RANGE");
	expect(http_get(box.port, "/api/waitlist/1"), 401, "UNAUTHORIZED");
	/* What one waits for is listed. */
	assert_non_null(strstr(ask(second.headers, "GET", "/api/waitlist", NULL)->body, "\"rank\":1"));
	/* Leaving moves the others up. */
	{
		char path[64];

		snprintf(path, sizeof path, "/api/waitlist/%lld", (long long)second.id);
		expect(ask(third.headers, "DELETE", path, NULL), 404, "NO_SUCH_WAIT");
		expect(ask(second.headers, "DELETE", path, NULL), 200, "");
		expect(ask(second.headers, "DELETE", path, NULL), 409, "BAD_MOVE");
	}
	stands(&second, "LEFT", 0);
	stands(&third, "WAITING", 1);
}

static void one_number_waits_for_a_few_slots_and_a_house_may_keep_no_list(void **state)
{
	static const char *const times[] = {"11:00", "12:00", "13:00", "17:00"};
	struct guest filler, greedy = {0};

	(void)state;
	for (size_t i = 0; i < COUNT(times); i++) {
		filler = (struct guest){0};
		book(&filler, times[i], SEATS);
	}
	for (size_t i = 0; i < 3; i++)
		wait_for(&greedy, times[i], 2);
	expect(wants(&greedy, "/api/waitlist", times[3], 2), 409, "TOO_MANY_WAITS");
	appliance_sql(&box, "UPDATE restaurants SET waitlist_per_guest = 0");
	expect(wants(&filler, "/api/waitlist", times[0], 2), 409, "NO_WAITLIST");
}

/* ---- strict order ---- */

static void freed_seats_go_to_the_first_and_no_guest_overtakes(void **state)
{
	struct guest has = {0}, first = {0}, second = {0}, newcomer = {0};

	(void)state;
	book(&has, "18:00", SEATS);
	wait_for(&first, "18:00", 3);
	wait_for(&second, "18:00", 2);
	prove(&second);
	expect(wants(&newcomer, "/api/reservations", "18:00", 1), 409, "SLOT_FULL");
	cancel(&has);
	stands(&first, "OFFERED", 0);
	stands(&second, "WAITING", 1);
	assert_int_equal(seats_taken("18:00"), 3);
	/* A seat is free, but `second` waits for two: no newcomer takes it from under them. */
	expect(wants(&newcomer, "/api/reservations", "18:00", 1), 409, "SLOT_FULL");
	assert_non_null(strstr(http_get(box.port, "/api/restaurants/1")->body, "\"waitlist\":true"));
	expect(take(&second), 404, ""); /* nothing was offered to them */
	expect(take(&first), 200, "");
	stands(&first, "BOOKED", 0);
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM reservations WHERE source = 'WAITLIST' AND status ="
					  " 'CONFIRMED' AND reservation_id = (SELECT reservation_id FROM waitlist WHERE"
					  " waitlist_id = %lld)",
					  (long long)first.id),
			 1);
	expect(take(&first), 200, "");          /* said twice */
	assert_int_equal(appliance_number(&box, /* all within a second or two, and each by jari */
					  "SELECT count(*) FROM audit WHERE entity = 'waitlist' AND actor = 'shell'"),
			 0);
}

static void an_offer_that_lapses_passes_on_and_is_over(void **state)
{
	struct guest has = {0}, first = {0}, second = {0};

	(void)state;
	book(&has, "18:00", SEATS);
	wait_for(&first, "18:00", 4);
	wait_for(&second, "18:00", 4);
	cancel(&has);
	stands(&first, "OFFERED", 0);
	lapse(&first);
	WITHIN(5000, appliance_number(&box, "SELECT count(*) FROM waitlist WHERE waitlist_id = %lld AND status = 'OFFERED'",
				      (long long)second.id) == 1);
	stands(&first, "OFFER_EXPIRED", 0);
	expect(take(&first), 409, "OFFER_OVER");
	/* Declining passes on as well: no other guest waits, so the seats are open to all. */
	{
		char path[64];

		snprintf(path, sizeof path, "/api/waitlist/%lld", (long long)second.id);
		expect(ask(second.headers, "DELETE", path, NULL), 200, "");
	}
	stands(&second, "LEFT", 0);
	assert_int_equal(seats_taken("18:00"), 0);
	book(&has, "18:00", 2);
}

static void a_large_party_keeps_smaller_ones_back_unless_the_house_says_otherwise(void **state)
{
	struct guest a = {0}, b = {0}, large = {0}, small = {0}, newcomer = {0};

	(void)state;
	book(&a, "18:00", 2);
	book(&b, "18:00", 2);
	wait_for(&large, "18:00", 4);
	wait_for(&small, "18:00", 2);
	prove(&large);
	prove(&small);
	cancel(&a);
	stands(&large, "WAITING", 1);
	stands(&small, "WAITING", 2);
	appliance_sql(&box, "UPDATE restaurants SET waitlist_skip = 1");
	WITHIN(15000, appliance_number(&box, "SELECT count(*) FROM waitlist WHERE waitlist_id = %lld AND status = 'OFFERED'",
				       (long long)small.id) == 1);
	stands(&large, "WAITING", 1);
	/* What fits no waiter is open to all then. */
	appliance_sql(&box,
		      "UPDATE restaurants SET reservation_limit = reservation_limit; UPDATE restaurant_reservation_slots SET"
		      " max_capacity = 5 WHERE slot_date = '%s'",
		      day);
	book(&newcomer, "18:00", 1);
	stands(&large, "WAITING", 1);
}

/* ---- everything that frees seats ---- */

static int64_t version_of(int64_t id)
{
	return appliance_number(&box, "SELECT version FROM reservations WHERE reservation_id = %lld", (long long)id);
}

static void desk(int64_t id, const char *method, const char *word, const char *more)
{
	char path[100], body[160];

	snprintf(path, sizeof path, "/api/desk/reservations/%lld%s%s", (long long)id, *word ? "/" : "", word);
	snprintf(body, sizeof body, "{\"version\":%lld%s}", (long long)version_of(id), more);
	expect(ask(staff, method, path, body), 200, "");
}

static void a_move_a_smaller_party_and_more_seats_are_for_those_who_wait(void **state)
{
	struct guest moved = {0}, shrunk = {0}, full = {0}, w[3] = {0};
	char body[120];

	(void)state;
	book(&moved, "11:00", SEATS);
	book(&shrunk, "12:00", SEATS);
	book(&full, "13:00", SEATS);
	wait_for(&w[0], "11:00", 4);
	wait_for(&w[1], "12:00", 2);
	wait_for(&w[2], "13:00", 2);
	desk(moved.id, "PATCH", "", ",\"slotTime\":\"14:00\"");
	stands(&w[0], "OFFERED", 0);
	desk(shrunk.id, "PATCH", "", ",\"partySize\":2");
	stands(&w[1], "OFFERED", 0);
	snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"13:00\",\"capacity\":6}", day);
	expect(ask(staff, "PUT", "/api/desk/slots?restaurantId=1", body), 200, "");
	stands(&w[2], "OFFERED", 0);
	snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"13:00\",\"capacity\":5}", day);
	expect(ask(staff, "PUT", "/api/desk/slots?restaurantId=1", body), 409, "SLOT_FULL");
	/* A guest who cancels gives it back: the seats are another's now. */
	desk(full.id, "POST", "cancel", "");
	{
		struct guest next = {0};
		char path[100];

		book(&next, "13:00", 4);
		snprintf(path, sizeof path, "/api/desk/reservations/%lld/undo", (long long)full.id);
		snprintf(body, sizeof body, "{\"version\":%lld}", (long long)version_of(full.id));
		expect(ask(staff, "POST", path, body), 409, "SLOT_FULL");
	}
}

static void nothing_is_offered_in_a_block_and_lifting_it_serves_those_who_wait(void **state)
{
	struct guest full = {0}, w = {0}, late = {0};
	char body[200], path[64];
	const struct http_answer *a;

	(void)state;
	book(&full, "13:00", SEATS);
	wait_for(&w, "13:00", 2);
	snprintf(body, sizeof body, "{\"from\":\"%sT12:30\",\"to\":\"%sT14:30\"}", day, day);
	a = ask(staff, "POST", "/api/desk/blocks?restaurantId=1", body);
	expect(a, 201, "");
	snprintf(path, sizeof path, "/api/desk/blocks/%lld", (long long)http_int(a, "blockId"));
	expect(wants(&late, "/api/waitlist", "13:00", 2), 409, "TIME_BLOCKED");
	cancel(&full);
	stands(&w, "WAITING", 1);
	expect(ask(staff, "DELETE", path, NULL), 200, "");
	stands(&w, "OFFERED", 0);
}

static void a_guest_cannot_grow_into_seats_that_others_wait_for(void **state)
{
	struct guest has = {0}, other = {0}, waiter = {0};
	char path[80];

	(void)state;
	book(&has, "18:00", 2);
	book(&other, "18:00", 2);
	wait_for(&waiter, "18:00", 3);
	prove(&waiter);
	cancel(&other); /* two are free, three are wanted */
	stands(&waiter, "WAITING", 1);
	snprintf(path, sizeof path, "/api/reservations/%lld/change", (long long)has.id);
	expect(ask(has.headers, "POST", path, "{\"partySize\":4}"), 409, "SLOT_FULL");
	expect(ask(has.headers, "POST", path, "{\"partySize\":1}"), 200, "");
	stands(&waiter, "OFFERED", 0);
}

static void sittings_and_tables_are_respected(void **state)
{
	struct guest early = {0}, w = {0};

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET seats = 4, sitting_minutes = 120;"
			    "INSERT INTO dining_tables (restaurant_id, name, seats_min, seats_max) VALUES (1, 'only', 1, 4)");
	book(&early, "18:00", 2); /* two hours at the only table */
	wait_for(&w, "19:00", 2);
	stands(&w, "WAITING", 1);
	desk(early.id, "PATCH", "", ",\"slotTime\":\"17:00\"");
	stands(&w, "OFFERED", 0);
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM reservation_tables x JOIN waitlist w USING (reservation_id)"
					  " WHERE w.waitlist_id = %lld",
					  (long long)w.id),
			 1);
	cancel(&early);
	lapse(&w);
	WITHIN(5000,
	       appliance_number(&box, "SELECT count(*) FROM waitlist WHERE waitlist_id = %lld AND status = 'OFFER_EXPIRED'",
				(long long)w.id) == 1);
	appliance_sql(&box, "UPDATE dining_tables SET is_deleted = 1, name = '-' || table_id");
}

/* ---- the desk ---- */

static void staff_see_add_offer_and_remove(void **state)
{
	struct guest has = {0}, first = {0}, spare = {0};
	char path[100], body[200];
	const struct http_answer *a;
	int64_t added;

	(void)state;
	book(&has, "18:00", 2);
	book(&spare, "18:00", 2);
	wait_for(&first, "18:00", 4);
	prove(&first);
	snprintf(body, sizeof body,
		 "{\"slotDate\":\"%s\",\"slotTime\":\"18:00\",\"partySize\":2,\"guestName\":\"문 "
		 "앞\",\"phone\":\"010-8888-0001\"}",
		 day);
	a = ask(staff, "POST", "/api/desk/waitlist?restaurantId=1", body);
	expect(a, 201, "");
	added = http_int(a, "waitlistId");
	assert_int_equal(http_int(a, "rank"), 2);
	snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", day);
	a = ask(staff, "GET", path, NULL);
	assert_non_null(strstr(a->body, "\"waitlist\":[{"));
	assert_non_null(strstr(a->body, "문 앞"));
	snprintf(path, sizeof path, "/api/desk/waitlist/%lld/offer", (long long)added);
	expect(ask(staff, "POST", path, "{}"), 409, "SLOT_FULL");
	cancel(&spare); /* two are free: too few for `first`, and staff know what they do */
	stands(&first, "WAITING", 1);
	expect(ask(first.headers, "POST", path, "{}"), 403, "FORBIDDEN");
	expect(ask(staff, "POST", path, "{}"), 200, "");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM waitlist WHERE waitlist_id = %lld AND status = 'OFFERED'",
					  (long long)added),
			 1);
	snprintf(path, sizeof path, "/api/desk/waitlist/%lld/remove", (long long)first.id);
	expect(ask(staff, "POST", path, "{}"), 200, "");
	stands(&first, "LEFT", 0);
	snprintf(path, sizeof path, "/api/desk/waitlist/%lld/dance", (long long)first.id);
	expect(ask(staff, "POST", path, "{}"), 404, "NOT_FOUND");
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM audit WHERE entity = 'waitlist' AND entity_id = %lld AND"
					  " change = 'act' AND actor LIKE 'user:%%'",
					  (long long)first.id),
			 1);
}

static void a_deposit_is_asked_for_once_the_seats_are_taken(void **state)
{
	struct guest has = {0}, w = {0};
	int64_t reservation;

	(void)state;
	book(&has, "18:00", SEATS);
	wait_for(&w, "18:00", 2);
	appliance_sql(&box, "UPDATE restaurants SET deposit_per_person = 5000, hold_seconds = 3600");
	cancel(&has);
	reservation = http_int(entry(&w), "reservationId");
	expect(take(&w), 200, "");
	stands(&w, "BOOKED", 0);
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM reservations WHERE reservation_id = %lld AND status ="
					  " 'TEMPORARY' AND total_amount = 10000 AND hold_expires_at >"
					  " strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '50 minutes')",
					  (long long)reservation),
			 1);
	appliance_sql(&box, "UPDATE restaurants SET hold_seconds = 420");
}

static void no_guest_is_offered_anything_while_the_house_is_paused_or_when_they_came_otherwise(void **state)
{
	struct guest has = {0}, first = {0}, second = {0};

	(void)state;
	book(&has, "18:00", SEATS);
	wait_for(&first, "18:00", 2);
	wait_for(&second, "18:00", 2);
	appliance_sql(&box,
		      "UPDATE restaurants SET paused_until = '2099-01-01T00:00:00Z'; UPDATE users SET is_blocked = 1 WHERE"
		      " user_id = (SELECT user_id FROM waitlist WHERE waitlist_id = %lld)",
		      (long long)first.id);
	cancel(&has);
	stands(&first, "WAITING", 1);
	appliance_sql(&box, "UPDATE restaurants SET paused_until = NULL");
	WITHIN(15000, appliance_number(&box, "SELECT count(*) FROM waitlist WHERE waitlist_id = %lld AND status = 'OFFERED'",
				       (long long)second.id) == 1);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM waitlist WHERE waitlist_id = %lld AND status = 'LEFT'",
					  (long long)first.id),
			 1);
}

/* ---- limits of one guest ---- */

/* Two times are full, the guest waits for both, and both come free. */
static void offered_both(struct guest at[2], struct guest *g)
{
	static const char *const times[] = {"18:00", "19:00"};
	struct guest full[2] = {{.id = 0}};

	for (int i = 0; i < 2; i++)
		book(&full[i], times[i], SEATS);
	for (int i = 0; i < 2; i++) {
		wait_for(g, times[i], 2);
		at[i] = *g;
	}
	for (int i = 0; i < 2; i++) {
		cancel(&full[i]);
		stands(&at[i], "OFFERED", 0);
	}
}

/* One number does not hoard by waiting: what it takes counts as what it books. */
static void seats_that_are_taken_count_as_booked(void **state)
{
	static const char *const why[] = {"TOO_MANY_UPCOMING", "TOO_MANY_HOLDS"};
	char path[64];

	(void)state;
	for (int deposit = 0; deposit < 2; deposit++) {
		struct guest g = {0}, at[2];

		if (deposit)
			begin(NULL); /* another day */
		offered_both(at, &g);
		appliance_sql(&box,
			      "UPDATE restaurants SET holds_per_guest = %d, upcoming_per_guest = %d;"
			      " UPDATE reservations SET deposit_amount = %d, total_amount = %d WHERE status = 'TEMPORARY'",
			      deposit, !deposit, deposit * 1000, deposit * 1000);
		expect(take(&at[0]), 200, "");
		expect(take(&at[0]), 200, ""); /* said twice */
		expect(take(&at[1]), 409, why[deposit]);
		stands(&at[1], "OFFERED", 0); /* until its time */
		snprintf(path, sizeof path, "/api/reservations/%lld/cancel",
			 (long long)http_int(entry(&at[0]), "reservationId"));
		expect(ask(g.headers, "POST", path, "{}"), 200, "");
		expect(take(&at[1]), 200, "");
		appliance_sql(&box, "UPDATE restaurants SET holds_per_guest = 0, upcoming_per_guest = 0");
	}
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_waits_for_what_is_full_and_for_nothing_else),
		TEST(one_number_waits_for_a_few_slots_and_a_house_may_keep_no_list),
		TEST(freed_seats_go_to_the_first_and_no_guest_overtakes),
		TEST(an_offer_that_lapses_passes_on_and_is_over),
		TEST(a_large_party_keeps_smaller_ones_back_unless_the_house_says_otherwise),
		TEST(a_move_a_smaller_party_and_more_seats_are_for_those_who_wait),
		TEST(nothing_is_offered_in_a_block_and_lifting_it_serves_those_who_wait),
		TEST(a_guest_cannot_grow_into_seats_that_others_wait_for),
		TEST(sittings_and_tables_are_respected),
		TEST(staff_see_add_offer_and_remove),
		TEST(a_deposit_is_asked_for_once_the_seats_are_taken),
		TEST(seats_that_are_taken_count_as_booked),
		TEST(no_guest_is_offered_anything_while_the_house_is_paused_or_when_they_came_otherwise),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
