/*
 * test_services.c - several services a day, each with its own times and stays, and evenings that last past midnight: what a
 * guest sees and what the pen decides, compared with a model that counts every minute.
 */
#include "services.h"

#include "noon.h"
#include "restaurants.h"
#include "room.h"
#include "slots.h"
#include "unit.h"
#include "zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 1500, HOUSE_SEATS = 14, DAYS = 6, MANY = 4000 };

static const char ZONE[] = "Asia/Seoul";
static struct restaurant house;
static struct slots_day day; /* large */

/* ---- the model ---- */

struct party {
	int64_t id, starts_s, ends_s;
	int size, date, minute; /* date: days from the first */
};
static struct party parties[MANY];
static size_t party_count;

/* The services of every day: opens, closes, last seating (0: none), slot, stay, stay of five and more, how many may start. */
static const struct service {
	const char *label;
	int opens, closes, last, slot, stay, large, limit;
} services[] = {
	{"breakfast", 6 * 60, 10 * 60, 0, 60, 90, 90, 6},
	{"lunch", 11 * 60, 15 * 60, 14 * 60, 30, 300, 420, 8},   /* lunch lasts into dinner */
	{"dinner", 17 * 60, 29 * 60, 28 * 60, 60, 600, 1440, 9}, /* and dinner into the lunch of the day after */
};

static int64_t begins(int date, int minute)
{
	int64_t at;

	assert_true(zone_to_utc(ZONE, (struct date){2031, 5, 8 + date}, minute, &at));
	return at;
}

/* How many are there at the fullest moment between two. */
static int most_between(int64_t from, int64_t to)
{
	int most = 0;

	for (size_t i = 0; i <= party_count; i++) {
		int64_t at = i < party_count ? parties[i].starts_s : from;
		int there = 0;

		if (at < from || at >= to)
			continue;
		for (size_t k = 0; k < party_count; k++)
			there += parties[k].starts_s <= at && at < parties[k].ends_s ? parties[k].size : 0;
		most = there > most ? there : most;
	}
	return most;
}

static int starting(int date, int minute)
{
	int n = 0;

	for (size_t i = 0; i < party_count; i++)
		n += parties[i].date == date && parties[i].minute == minute ? parties[i].size : 0;
	return n;
}

static const struct service *service_of(int minute)
{
	for (size_t i = 0; i < COUNT(services); i++) {
		const struct service *s = &services[i];
		int end = s->last ? s->last : s->closes - s->slot;

		if (minute >= s->opens && minute <= end && (minute - s->opens) % s->slot == 0)
			return s;
	}
	return NULL;
}

static bool fits(int date, int minute, int size)
{
	const struct service *s = service_of(minute);
	int64_t from = begins(date, minute);

	return starting(date, minute) + size <= s->limit &&
	       most_between(from, from + (size >= 5 ? s->large : s->stay) * INT64_C(60)) + size <= HOUSE_SEATS;
}

/* ---- the house ---- */

static void open_house(struct book *b)
{
	book_exec(b->db.handle,
		  "DELETE FROM opening_hours; UPDATE restaurants SET seats = %d, sitting_large_from = 5,"
		  " lead_minutes = 0, timezone = 'Asia/Seoul', utc_offset_minutes = 540",
		  HOUSE_SEATS);
	for (size_t i = 0; i < COUNT(services); i++) {
		const struct service *s = &services[i];
		char last[8] = "NULL";

		if (s->last)
			snprintf(last, sizeof last, "'%02u:%02u'", (unsigned)s->last / 60 % 100, (unsigned)s->last % 60);
		book_exec(b->db.handle,
			  "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes, label, last_seating, slot_minutes,"
			  " sitting_minutes, sitting_large_minutes, reservation_limit) SELECT 1, value, '%02d:%02d',"
			  " '%02d:%02d', '%s', %s, %d, %d, %d, %d FROM json_each('[1,2,3,4,5,6,7]')",
			  s->opens / 60, s->opens % 60, s->closes / 60, s->closes % 60, s->label, last, s->slot, s->stay,
			  s->large, s->limit);
	}
	assert_int_equal(restaurants_get(&b->db, 1, &house), ERR_OK);
	assert_true(house.service_sittings);
}

static void look(struct book *b, int date, int size)
{
	assert_int_equal(slots_of_day(&b->db, &house, (struct date){2031, 5, 8 + date}, size, clock_now_s(), &day), ERR_OK);
}

/* Every time of that day is offered, and free where the model says so. */
static void compare_day(struct book *b, int date, int size)
{
	size_t n = 0;

	look(b, date, size);
	for (int minute = 0; minute < NIGHT_MINUTES; minute += 30) {
		const struct slot_view *v = slots_at(&day, minute);

		assert_int_equal(v != NULL, service_of(minute) != NULL);
		n += v != NULL;
		if (v && v->available != fits(date, minute, size))
			fail_msg("day %d %02d:%02d for %d: %s", date, minute / 60, minute % 60, size,
				 v->available ? "free, and there is no room" : "not free, and there is room");
		if (v)
			assert_int_equal(v->starts_s, begins(date, minute));
	}
	assert_int_equal(day.count, n);
}

/* What the pen says. */
static struct ticket_outcome try_one(struct book *b, int64_t user, int date, int minute, int size, int *sitting_minutes)
{
	struct ticket_request r = noon_wish(user, size);
	struct settings set;
	char text[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];

	text_put_date((struct date){2031, 5, 8 + date}, text);
	text_put_time(minute, time);
	assert_int_equal(restaurants_at(&b->db, &house, text, time, &set), ERR_OK);
	r.u.book.want = ticket_want(&set, restaurants_seats(&house), 1, text, time, begins(date, minute), size);
	r.u.book.terms.deposit = 0;
	*sitting_minutes = r.u.book.want.sitting_minutes;
	return noon_done(b, r);
}

static void book_one(struct book *b, int64_t user, int date, int minute, int size)
{
	bool room = fits(date, minute, size);
	int stay;
	struct ticket_outcome out = try_one(b, user, date, minute, size, &stay);

	if ((out.err == ERR_OK) != room)
		fail_msg("day %d %02d:%02d for %d: %s, and there is %s", date, minute / 60, minute % 60, size,
			 err_word((enum err)out.err), room ? "room" : "none");
	if (room)
		parties[party_count++] = (struct party){
			out.id, begins(date, minute), begins(date, minute) + stay * INT64_C(60), size, date, minute};
}

static void cancel_one(struct book *b, size_t i)
{
	assert_int_equal(noon_done(b, noon_move(parties[i].id, MOVE_CANCEL, BY_RESTAURANT)).err, ERR_OK);
	parties[i] = parties[--party_count];
}

static void services_nights_and_long_stays_are_counted_to_the_minute(void **state)
{
	static int times[NIGHT_MINUTES];
	struct book *b = *state;
	int count = 0;

	open_house(b);
	for (int minute = 0; minute < NIGHT_MINUTES; minute += 30)
		if (service_of(minute))
			times[count++] = minute;
	party_count = 0;
	srand(20310508);
	for (int i = 0; i < STEPS; i++) {
		int date = rand() % DAYS, minute = times[rand() % count], size = 1 + rand() % 6;

		if (party_count > 5 && rand() % 3 == 0)
			cancel_one(b, (size_t)rand() % party_count);
		else
			book_one(b, 3 + i % (GUESTS - 3), date, minute, size);
		if (i % 10 == 0)
			compare_day(b, rand() % DAYS, 1 + rand() % 6);
	}
	for (int date = 0; date < DAYS; date++)
		compare_day(b, date, 2);
}

/* Who comes at 24:30 is there when the next day begins, and the party of the night before last when a long stay ends. */
static void a_stay_that_begins_after_midnight_is_met_by_the_days_around(void **state)
{
	struct book *b = *state;

	open_house(b);
	party_count = 0;
	book_one(b, 3, 0, 28 * 60, 6); /* four in the morning of day 1, for a day: until four of day 2 */
	book_one(b, 4, 2, 6 * 60, 6);
	book_one(b, 5, 1, 23 * 60, 5); /* until eleven at night of day 2 */
	for (int date = 0; date < DAYS; date++)
		for (int size = 1; size <= 6; size++)
			compare_day(b, date, size);
	look(b, 1, 6);
	assert_true(slots_at(&day, 6 * 60)->available);
	assert_false(slots_at(&day, 28 * 60)->available); /* five of 23:00, six of day 2 at six */
}

/*
 * From four in the morning for a day: until four of the day after the next, which opens at two.  The evening between them ends
 * before midnight.
 */
static void a_night_is_met_two_days_later(void **state)
{
	enum { LATE = 28 * 60, EARLY = 2 * 60 };
	struct book *b = *state;
	struct ticket_outcome out;
	int64_t id;
	int stay;

	open_house(b);
	book_exec(b->db.handle,
		  "INSERT INTO special_days (restaurant_id, day, opens, closes, slot_minutes, sitting_minutes) VALUES"
		  " (1, '2031-05-09', '17:00', '23:00', 60, 60), (1, '2031-05-10', '02:00', '05:00', 60, 60)");
	id = try_one(b, 3, 0, LATE, 9, &stay).id;
	assert_true(id > 0 && stay == 1440);
	look(b, 2, 6);
	assert_false(slots_at(&day, EARLY)->available); /* nine of fourteen are there */
	assert_true(slots_at(&day, EARLY + 120)->available);
	assert_int_equal(try_one(b, 4, 2, EARLY, 6, &stay).err, ERR_SLOT_FULL);
	assert_int_equal(noon_done(b, noon_move(id, MOVE_CANCEL, BY_RESTAURANT)).err, ERR_OK);
	/* And the other way round. */
	assert_int_equal(try_one(b, 5, 2, EARLY, 9, &stay).err, ERR_OK);
	look(b, 0, 6);
	assert_false(slots_at(&day, LATE)->available);
	out = try_one(b, 6, 0, LATE, 6, &stay);
	assert_int_equal(out.err, ERR_SLOT_FULL);
	assert_int_equal(out.remaining, 5); /* counted, not only refused by the book */
	look(b, 0, 5);
	assert_true(slots_at(&day, LATE)->available);
	assert_int_equal(try_one(b, 6, 0, LATE, 5, &stay).err, ERR_OK);
}

/* ---- special days ---- */

static size_t spans_of(struct book *b, struct date date, struct hours_day *out)
{
	assert_int_equal(restaurants_day(&b->db, 1, date, out), ERR_OK);
	return out->count;
}

static void a_special_day_has_its_own_services_or_its_weeks_with_a_note_and_a_deposit(void **state)
{
	const struct date christmas = {2031, 12, 25}, eve = {2031, 12, 24}, after = {2031, 12, 26};
	struct book *b = *state;
	struct hours_day hours;
	struct settings set;

	open_house(b);
	book_exec(
		b->db.handle,
		"INSERT INTO special_days (restaurant_id, day, as_week, note, deposit_per_person) VALUES"
		" (1, '2031-12-25', 1, '성탄절', 7000); INSERT INTO special_days (restaurant_id, day, note) VALUES"
		" (1, '2031-12-24', '휴무'); INSERT INTO special_days (restaurant_id, day, opens, closes, label, last_seating,"
		" party_max) VALUES (1, '2031-12-26', '18:00', '26:00', '송년', '25:00', 2)");
	assert_int_equal(spans_of(b, christmas, &hours), 3);
	assert_string_equal(hours.note, "성탄절");
	for (size_t i = 0; i < 3; i++) {
		hours_settings(&house.set, &hours.spans[i], &set);
		assert_int_equal(set.deposit_per_person, 7000);
		assert_int_equal(set.deposit_large_per_person, house.set.deposit_large_per_person);
	}
	assert_int_equal(spans_of(b, eve, &hours), 0);
	assert_string_equal(hours.note, "휴무");
	assert_int_equal(spans_of(b, after, &hours), 1);
	assert_true(hours.spans[0].has_last && hours.spans[0].last == 25 * 60 && hours.spans[0].closes == 26 * 60);
	assert_int_equal(restaurants_at(&b->db, &house, "2031-12-26", "24:30", &set), ERR_OK);
	assert_int_equal(set.party_max, 2);
	assert_int_equal(restaurants_at(&b->db, &house, "2031-12-26", "27:00", &set), ERR_OK); /* closed by then: the house's */
	assert_int_equal(set.party_max, house.set.party_max);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(services_nights_and_long_stays_are_counted_to_the_minute),
		TEST(a_stay_that_begins_after_midnight_is_met_by_the_days_around),
		TEST(a_night_is_met_two_days_later),
		TEST(a_special_day_has_its_own_services_or_its_weeks_with_a_note_and_a_deposit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
