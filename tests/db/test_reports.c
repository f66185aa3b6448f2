/*
 * test_reports.c - the owner's numbers are what one gets who counts every reservation by hand.
 */
#include "reports.h"

#include "book.h"
#include "clock.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAYS = 56, ROWS = 1500, USERS = 60, TIMES = 6, FIRST_USER = 100 };

static const char FIRST[] = "2026-09-28"; /* a Monday; in Berlin the clocks change on 25 October */
static const char *const times[TIMES] = {"11:30", "12:00", "18:00", "19:30", "23:30", "24:30"};
static const char *const statuses[] = {"TEMPORARY",      "CONFIRMED", "CONFIRMED", "CONFIRMED", "PREPAY_CONFIRM",
				       "REFUND_PENDING", "EXPIRED",   "COMPLETED", "COMPLETED", "REFUNDED",
				       "NO_SHOW",        "CANCELED",  "CANCELED"};
static const char *const zones[] = {"Asia/Seoul", "Europe/Berlin", "Etc/UTC"};

/* One reservation as the test knows it. */
struct row {
	int day, time, party, user;
	const char *status;
	int source;
	int64_t starts_s, created_s;
	bool unproven, paid, left_offer;
	int64_t total, amount, kept, back, due;
};

static struct row rows[ROWS];
static const char *zone;
static int64_t now_s;

static int pick(int n)
{
	return (int)(random() % n);
}

static bool is(const struct row *r, const char *status)
{
	return strcmp(r->status, status) == 0;
}

static bool came(const struct row *r)
{
	return is(r, "CONFIRMED") || is(r, "PREPAY_CONFIRM") || is(r, "COMPLETED");
}

static bool active(const struct row *r)
{
	return is(r, "TEMPORARY") || is(r, "CONFIRMED") || is(r, "PREPAY_CONFIRM") || is(r, "REFUND_PENDING");
}

static int64_t offset_at(int64_t utc_s)
{
	int64_t winter;

	assert_true(clock_parse_iso("2026-10-25T01:00:00Z", &winter));
	if (strcmp(zone, "Asia/Seoul") == 0)
		return 9 * 3600;
	return strcmp(zone, "Etc/UTC") == 0 ? 0 : utc_s < winter ? 7200 : 3600;
}

static int64_t day_of(const char *text)
{
	struct date d;

	assert_true(text_date(text, &d));
	return text_days(d);
}

/* Users with an odd number left a telephone number. */
static bool known(const struct row *r)
{
	return r->user % 2 || (r->source != REPORTS_DESK && r->source != REPORTS_WALK_IN);
}

static void invent(struct row *r, int before)
{
	bool taken;

	do {
		*r = (struct row){.day = pick(DAYS),
				  .time = pick(TIMES),
				  .party = 1 + pick(8),
				  .user = pick(USERS),
				  .status = statuses[pick((int)(sizeof statuses / sizeof *statuses))],
				  .source = pick(REPORTS__SOURCES)};
		taken = false;
		for (int i = 0; i < before && active(r); i++)
			taken |= rows[i].day == r->day && rows[i].time == r->time && rows[i].user == r->user &&
				 active(&rows[i]);
	} while (taken);
	r->starts_s = (day_of(FIRST) + r->day) * 86400 + atoi(times[r->time]) * 3600 + atoi(times[r->time] + 3) * 60;
	r->starts_s -= offset_at(r->starts_s - 7200);
	r->created_s = r->starts_s - pick(45 * 86400) / (1 + pick(20));
	r->unproven = is(r, "CANCELED") && pick(5) == 0;
	r->total = pick(2) ? 10000 : 0;
	r->paid = r->total && !is(r, "TEMPORARY") && pick(3) > 0;
	r->left_offer = r->source == REPORTS_WAITLIST && is(r, "CANCELED") && pick(2);
	if (r->paid) {
		r->amount = r->total;
		r->kept = pick(3) ? r->amount : r->amount / 2;
		r->due = pick(2) ? r->amount - r->kept : 0;
		r->back = r->amount - r->kept - r->due;
	}
}

static void fill(sqlite3 *h)
{
	char date[TEXT_DATE_SIZE], starts[CLOCK_ISO_SIZE], created[CLOCK_ISO_SIZE];

	book_exec(h, "UPDATE restaurants SET timezone = '%s'", zone);
	for (int u = 0; u < USERS; u++)
		book_exec(h, "INSERT INTO users (user_id, user_type, name, phone) VALUES (%d, 'GUEST', 'G', %s)",
			  FIRST_USER + u, u % 2 ? "'01011112222'" : "NULL");
	for (int i = 0; i < DAYS * TIMES; i++) {
		text_put_date(text_from_days(day_of(FIRST) + i / TIMES), date);
		book_slot(h, i + 1, date, times[i % TIMES], 1000);
	}
	for (int i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];

		clock_iso(r->starts_s, starts);
		clock_iso(r->created_s, created);
		book_exec(h,
			  "INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size, "
			  "reservation_type,"
			  " status, hold_expires_at, restaurant_id, starts_at, created_at, source, unproven, total_amount,"
			  " deposit_amount, guest_name) VALUES (%d, 'R%d', %d, %d, %d, 'RESERVATION_DEPOSIT', '%s', '%s', 1, "
			  "'%s',"
			  " '%s', '%s', nullif(%d, 0), %lld, %lld, 'G')",
			  i + 1, i + 1, r->day * TIMES + r->time + 1, FIRST_USER + r->user, r->party, r->status, starts, starts,
			  created, reports_sources[r->source], r->unproven, (long long)r->total, (long long)r->total);
		if (r->paid)
			book_exec(
				h,
				"INSERT INTO payments (reservation_id, provider, amount, status, kept_amount, refunded_amount,"
				" due_back_amount, paid_at) VALUES (%d, 'desk', %lld, '%s', %lld, %lld, %lld, '%s')",
				i + 1, (long long)r->amount, r->due ? "REFUND_DUE" : "PAID", (long long)r->kept,
				(long long)r->back, (long long)r->due, created);
		if (r->source == REPORTS_WAITLIST)
			book_exec(h,
				  "INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size, status,"
				  " reservation_id) VALUES (1, '2026-10-01', '18:00', %d, 2, '%s', %d)",
				  FIRST_USER + r->user, r->left_offer ? "LEFT" : "BOOKED", i + 1);
	}
}

/* ---- by hand ---- */

static bool came_before(const struct row *r)
{
	for (int i = 0; i < ROWS; i++)
		if (rows[i].user == r->user && came(&rows[i]) && rows[i].starts_s < r->starts_s)
			return true;
	return false;
}

static int lead_of(const struct row *r)
{
	static const int up_to[] = {0, 1, 3, 7, 14, 28};
	int64_t booked = (r->created_s + offset_at(r->created_s)) / 86400, ahead = day_of(FIRST) + r->day - booked;
	int i = 0;

	while (i < 6 && ahead > up_to[i])
		i++;
	return i;
}

static void count_by_hand(int from, int to, struct reports_sum *out)
{
	memset(out, 0, sizeof *out);
	out->day_count = (size_t)(to - from + 1);
	for (int i = 0; i < ROWS; i++) {
		const struct row *r = &rows[i];
		struct reports_count *hour;

		if (r->day < from || r->day > to)
			continue;
		if (is(r, "NO_SHOW"))
			out->days[r->day - from].no_shows++;
		if ((is(r, "CANCELED") || is(r, "REFUNDED")) && !r->unproven && !r->left_offer && !(r->total && !r->paid))
			out->days[r->day - from].cancelled++;
		if (!came(r))
			continue;
		out->days[r->day - from].came.parties++;
		out->days[r->day - from].came.covers += r->party;
		hour = &out->hours[r->day % 7 + 1][atoi(times[r->time])];
		hour->parties++;
		hour->covers += r->party;
		out->sources[r->source].parties++;
		out->sources[r->source].covers += r->party;
		if (r->source != REPORTS_WALK_IN && r->source != REPORTS_IMPORT)
			out->leads[lead_of(r)]++;
		out->begun += r->starts_s <= now_s;
		if (!known(r))
			out->unknown++;
		else if (came_before(r))
			out->again++;
		else
			out->first++;
	}
}

/* ---- the tests ---- */

static int make(void **state)
{
	assert_true(clock_parse_iso("2026-11-10T10:00:00Z", &now_s));
	for (int i = 0; i < ROWS; i++)
		invent(&rows[i], i);
	book_setup_closed(state);
	book_fill(*state, fill);
	book_open(*state);
	((struct book *)*state)->damaged = true; /* those rows were not made by the rules */
	return 0;
}

static void asks(struct book *b, int from, int to, struct reports_sum *sum)
{
	char first[TEXT_DATE_SIZE], last[TEXT_DATE_SIZE];

	text_put_date(text_from_days(day_of(FIRST) + from), first);
	text_put_date(text_from_days(day_of(FIRST) + to), last);
	assert_int_equal(reports_sum(&b->db, &(struct reports_span){1, first, last}, zone, now_s, sum), ERR_OK);
}

static void every_number_is_what_counting_by_hand_gives(void **state)
{
	static struct reports_sum sum, hand;
	static const int spans[][2] = {{0, DAYS - 1}, {0, 0}, {7, 34}, {25, 28}, {DAYS - 1, DAYS - 1}};

	for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
		asks(*state, spans[i][0], spans[i][1], &sum);
		count_by_hand(spans[i][0], spans[i][1], &hand);
		assert_memory_equal(sum.days, hand.days, sizeof sum.days);
		assert_memory_equal(sum.hours, hand.hours, sizeof sum.hours);
		assert_memory_equal(sum.sources, hand.sources, sizeof sum.sources);
		assert_memory_equal(sum.leads, hand.leads, sizeof sum.leads);
		assert_int_equal(sum.begun, hand.begun);
		assert_int_equal(sum.first, hand.first);
		assert_int_equal(sum.again, hand.again);
		assert_int_equal(sum.unknown, hand.unknown);
	}
	/* None of it is 0 in all, or it would prove little. */
	count_by_hand(0, DAYS - 1, &hand);
	assert_true(hand.first && hand.again && hand.unknown && hand.begun && hand.leads[0] && hand.leads[6] &&
		    hand.hours[1][24].parties);
}

static void the_parts_of_a_time_add_up_to_it(void **state)
{
	static struct reports_sum whole, part;
	int64_t first = 0, again = 0, unknown = 0, begun = 0, leads[REPORTS_LEADS] = {0};

	asks(*state, 0, DAYS - 1, &whole);
	for (int from = 0; from < DAYS; from += 9) {
		asks(*state, from, from + 8 < DAYS ? from + 8 : DAYS - 1, &part);
		first += part.first;
		again += part.again;
		unknown += part.unknown;
		begun += part.begun;
		for (int i = 0; i < REPORTS_LEADS; i++)
			leads[i] += part.leads[i];
	}
	assert_int_equal(first, whole.first);
	assert_int_equal(again, whole.again);
	assert_int_equal(unknown, whole.unknown);
	assert_int_equal(begun, whole.begun);
	assert_memory_equal(leads, whole.leads, sizeof leads);
}

static void take_money(void *arg, const struct stmt_cell *row, int count)
{
	static const char *const names[] = {"in", "kept", "returned", "dueBack"};

	for (int i = 0; i < 4; i++)
		((int64_t *)arg)[i] = stmt_cell(row, count, names[i])->number;
}

static void money_is_the_sum_of_its_payments(void **state)
{
	struct book *b = *state;
	int64_t sums[4] = {0}, hand[4] = {0};

	for (int i = 0; i < ROWS; i++)
		if (rows[i].day >= 3 && rows[i].day <= 30) {
			hand[0] += rows[i].amount;
			hand[1] += rows[i].kept;
			hand[2] += rows[i].back;
			hand[3] += rows[i].due;
		}
	assert_int_equal(reports_money(&b->db, &(struct reports_span){1, "2026-10-01", "2026-10-28"}, take_money, sums),
			 ERR_OK);
	assert_memory_equal(sums, hand, sizeof sums);
	assert_true(hand[3] > 0);
}

static void the_first_date_is_known_and_bad_spans_are_refused(void **state)
{
	static struct reports_sum sum;
	struct book *b = *state;
	char first[TEXT_DATE_SIZE];

	assert_int_equal(reports_first(&b->db, 1, first), ERR_OK);
	assert_string_equal(first, FIRST);
	assert_int_equal(reports_first(&b->db, 99, first), ERR_OK);
	assert_string_equal(first, "");
	assert_int_equal(reports_sum(&b->db, &(struct reports_span){1, "2026-10-02", "2026-10-01"}, zone, now_s, &sum),
			 ERR_OUT_OF_RANGE);
	assert_int_equal(reports_sum(&b->db, &(struct reports_span){1, "2020-01-01", "2026-10-01"}, zone, now_s, &sum),
			 ERR_OUT_OF_RANGE);
	/* Another restaurant has nothing of it. */
	assert_int_equal(reports_sum(&b->db, &(struct reports_span){99, "2026-10-01", "2026-10-31"}, zone, now_s, &sum),
			 ERR_OK);
	assert_int_equal(sum.first + sum.again + sum.unknown + sum.days[0].came.parties, 0);
}

/* ---- lists ---- */

static char list[1 << 20];

static bool put_cell(void *arg, const char *cell, bool is_text, bool last)
{
	size_t *n = arg;

	(void)is_text;
	*n += (size_t)snprintf(list + *n, sizeof list - *n, "%s%s", cell, last ? "\n" : "|");
	return *n < sizeof list - 1000;
}

static void a_row_of_the_list_ends_with_tables_and_times_by_the_wall(void **state)
{
	static const char head[] = "code|date|time|guests|status|visit|source|amount|currency|name|phone|email|request|tags|"
				   "note|created_at|starts_at|"
				   "tables|created_local|arrived_local|seated_local|left_local\n";
	struct book *b = *state;
	size_t n = 0;

	book_exec(b->db.handle,
		  "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_max) VALUES (71, 1, 'Window', 4),"
		  " (72, 1, 'Bar', 4)");
	book_slot(b->db.handle, 9000, "2026-12-01", "18:00", 40);
	book_exec(b->db.handle, "UPDATE restaurants SET timezone = 'Europe/Berlin'");
	book_reservation(b->db.handle, 9000, 9000, 1, 2, "CONFIRMED", "");
	book_exec(b->db.handle,
		  "UPDATE reservations SET created_at = '2026-10-24T23:30:00Z', seated_at = '2026-12-01T17:05:00Z',"
		  " table_id = 72 WHERE reservation_id = 9000");
	book_exec(b->db.handle, "DELETE FROM reservation_tables WHERE reservation_id = 9000;"
				" INSERT INTO reservation_tables (reservation_id, table_id, starts_at, ends_at)"
				" SELECT 9000, d.table_id, starts_at, ends_at FROM reservations, dining_tables d"
				" WHERE reservation_id = 9000 AND d.table_id IN (71, 72)");
	assert_int_equal(reports_export(&b->db, REPORTS_RESERVATIONS, &(struct reports_span){1, "2026-12-01", "2026-12-01"},
					put_cell, &n),
			 ERR_OK);
	assert_memory_equal(list, head, sizeof head - 1);
	assert_non_null(strstr(list, "|Bar + Window|2026-10-25 01:30||2026-12-01 18:05|\n"));
	/* One who has left keeps the table that was theirs first. */
	book_exec(b->db.handle, "DELETE FROM reservation_tables WHERE reservation_id = 9000");
	n = 0;
	assert_int_equal(reports_export(&b->db, REPORTS_RESERVATIONS, &(struct reports_span){1, "2026-12-01", "2026-12-01"},
					put_cell, &n),
			 ERR_OK);
	assert_non_null(strstr(list, "|Bar|2026-10-25 01:30||"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_is_what_counting_by_hand_gives),
		cmocka_unit_test(the_parts_of_a_time_add_up_to_it),
		cmocka_unit_test(money_is_the_sum_of_its_payments),
		cmocka_unit_test(the_first_date_is_known_and_bad_spans_are_refused),
		cmocka_unit_test(a_row_of_the_list_ends_with_tables_and_times_by_the_wall),
	};
	int failed = 0;

	for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
		zone = zones[i];
		srandom((unsigned)i + 7);
		failed += cmocka_run_group_tests_name(zone, tests, make, book_teardown);
	}
	return failed;
}
