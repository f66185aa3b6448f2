/*
 * guests.c - guests for a crowd, and what must be true after one.
 */
#include "guests.h"

#include "clock.h"
#include "unit.h"
#include "zone.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool guests_run(const struct crowd *c, struct crowd_guest *guests, size_t n)
{
	bool all;

	assert_int_equal(crowd_run(c, guests, n, &all), ERR_OK);
	return all;
}

size_t guests_count(const struct crowd_guest *guests, size_t n, int status, const char *code)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += guests[i].step == CROWD_OVER && guests[i].status == status &&
			 (!code || strcmp(guests[i].code, code) == 0);
	return found;
}

int guests_unknown(const struct crowd_guest *guests, size_t n)
{
	int found = 0;

	for (size_t i = 0; i < n; i++)
		found += guests[i].unknown > 0 || guests[i].step != CROWD_OVER;
	return found;
}

void guests_print(const char *what, const struct crowd_guest *guests, size_t n)
{
	int64_t first = 0, last = 0;
	size_t ok = guests_count(guests, n, 201, NULL), full = guests_count(guests, n, 409, "SLOT_FULL");

	for (size_t i = 0; i < n; i++) {
		first = guests[i].first_us > first ? guests[i].first_us : first;
		last = guests[i].over_us > last ? guests[i].over_us : last;
	}
	print_message("# %s: %zu guests, %zu booked, %zu full, %zu otherwise, %d unknown; slowest first answer %lld ms, "
		      "last outcome after %lld ms\n",
		      what, n, ok, full, n - ok - full, guests_unknown(guests, n), (long long)first / 1000,
		      (long long)last / 1000);
}

/* ---- the stage ---- */

void guests_users(const struct appliance *a, int n)
{
	appliance_sql(a,
		      "WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO users"
		      " (user_id, user_type, name, email) SELECT i, 'ACCOUNT', 'guest ' || i, 'crowd.' || i || "
		      "'@example.com' FROM n",
		      GUESTS_FROM, GUESTS_FROM + n - 1);
}

const char *guests_token(const struct appliance *a, int user)
{
	static struct {
		char dir[sizeof a->dir];
		unsigned char key[TOKEN_KEY_SIZE];
	} known;
	static char tokens[8192][TOKEN_TEXT_SIZE];
	char path[APPLIANCE_PATH];
	FILE *f;

	assert_true(user >= 0 && user < (int)COUNT(tokens));
	if (strcmp(known.dir, a->dir) != 0) {
		snprintf(path, sizeof path, "%s/secret.key", a->dir);
		f = fopen(path, "re");
		assert_non_null(f);
		assert_int_equal(fread(known.key, 1, sizeof known.key, f), sizeof known.key);
		fclose(f);
		snprintf(known.dir, sizeof known.dir, "%s", a->dir);
		memset(tokens, 0, sizeof tokens);
		assert_true(token_init());
	}
	if (!tokens[user][0])
		token_sign(known.key, &(struct token){.purpose = TOKEN_LOGIN, .id = GUESTS_FROM + user, .version = 1},
			   tokens[user]);
	return tokens[user];
}

void guests_day(int nth, char out[TEXT_DATE_SIZE])
{
	struct date day;
	int minute;

	for (int i = 2, open = -1; open < nth; i++) {
		int64_t then = clock_now_s() + i * INT64_C(86400);

		assert_true(zone_to_local("Asia/Seoul", then, &day, &minute));
		open += (text_days(day) + 3) % 7 != 0; /* 1970-01-01 was a Thursday; the demo restaurant rests on Mondays */
	}
	snprintf(out, TEXT_DATE_SIZE, "%04u-%02u-%02u", (unsigned)day.year % 10000, (unsigned)day.month % 100,
		 (unsigned)day.day % 100);
}

struct http_call guests_newcomer(void)
{
	static char bodies[16][400], headers[16][120];
	static int count;
	char day[TEXT_DATE_SIZE], *body = bodies[count % 16], *header = headers[count % 16];

	guests_day(count / 40 % 40, day);
	snprintf(header, sizeof headers[0], "Content-Type: application/json\r\nIdempotency-Key: newcomer-%d-%d\r\n", getpid(),
		 count);
	snprintf(body, sizeof bodies[0],
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"19:00\",\"partySize\":1,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Kim\",\"phone\":\"010-55%02d-%04d\"}}",
		 day, count / 10000 % 100, count % 10000);
	count++;
	return (struct http_call){.path = "/api/reservations", .headers = header, .body = body};
}

struct guests_booked guests_book(int port)
{
	const struct http_answer *said = http_ask(port, guests_newcomer());
	struct guests_booked b;

	assert_int_equal(said->status, 201);
	http_text(said, "manageToken", b.manage);
	http_text(said, "reservationCode", b.code);
	b.id = http_int(said, "reservationId");
	return b;
}

const struct http_answer *guests_open(int port, const struct guests_booked *b)
{
	char headers[HTTP_TEXT + 40];

	snprintf(headers, sizeof headers, "X-Manage-Token: %s\r\n", b->manage);
	return http_ask(port, (struct http_call){.path = "/api/reservations/managed", .headers = headers});
}

void guests_wants(const struct appliance *a, struct crowd_guest *g, int user, const char *date, const char *time, int party)
{
	*g = (struct crowd_guest){.token = guests_token(a, user)};
	snprintf(g->body, sizeof g->body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\"}",
		 date, time, party);
}

struct hall *guests_hall(const struct appliance *a)
{
	static struct hall hall;

	if (hall.line)
		hall_detach(&hall);
	assert_int_equal(hall_attach(&hall, a->dir), ERR_OK);
	return &hall;
}

/* ---- judging ---- */

static struct guests_verdict wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
static struct guests_verdict wrong(const char *format, ...)
{
	struct guests_verdict v;
	va_list ap;

	va_start(ap, format);
	vsnprintf(v.text, sizeof v.text, format, ap);
	va_end(ap);
	return v;
}

static int64_t ask(sqlite3 *book, const char *sql, int64_t a, int64_t b)
{
	sqlite3_stmt *s;
	int64_t value = -1;

	assert_int_equal(sqlite3_prepare_v2(book, sql, -1, &s, NULL), SQLITE_OK);
	if (sqlite3_bind_parameter_count(s) > 0)
		sqlite3_bind_int64(s, 1, a);
	if (sqlite3_bind_parameter_count(s) > 1)
		sqlite3_bind_int64(s, 2, b);
	if (sqlite3_step(s) == SQLITE_ROW)
		value = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return value;
}

/* Whose request it was, by its token. */
static int64_t user_of(const struct crowd_guest *g, const struct appliance *a, size_t most)
{
	for (int i = 0; i < (int)most; i++)
		if (guests_token(a, i) == g->token)
			return GUESTS_FROM + i;
	return 0;
}

static struct guests_verdict judge_guest(sqlite3 *book, const struct appliance *a, const struct crowd_guest *g, size_t who,
					 bool alone)
{
	int64_t user = user_of(g, a, 8192);

	if (g->step != CROWD_OVER)
		return wrong("guest %zu has no outcome (last %d %s)", who, g->status, g->code);
	if (g->status == 201 && ask(book, "SELECT count(*) FROM reservations WHERE reservation_id = ?1 AND user_id = ?2",
				    g->reservation, user) != 1)
		return wrong("guest %zu was told of reservation %lld, which is not in the book", who,
			     (long long)g->reservation);
	/* Refused for lack of seats and never in doubt: they may have no reservation by that ticket. */
	if (g->status == 409 && g->unknown == 0 && strcmp(g->code, "SLOT_FULL") == 0 &&
	    ask(book, "SELECT count(*) FROM reservations WHERE user_id = ?1", user, 0) != 0)
		return wrong("guest %zu was refused and is in the book", who);
	if (g->status == 409 && g->unknown == 0 && (strcmp(g->code, "DUPLICATE") == 0 || strcmp(g->code, "IN_PROGRESS") == 0) &&
	    alone)
		return wrong("guest %zu asked once and was told %s", who, g->code);
	if (g->status == 409 && strcmp(g->code, "DUPLICATE") == 0 &&
	    ask(book, "SELECT count(*) FROM reservations WHERE user_id = ?1", user, 0) == 0)
		return wrong("guest %zu is called a duplicate of nothing", who);
	if (g->status != 200 && g->status != 201 && g->status != 409)
		return wrong("guest %zu ended with %d %s", who, g->status, g->code);
	return wrong("%s", "");
}

/* Is this the only request of its guest? */
static bool asked_once(const struct crowd_guest *guests, size_t n, size_t which)
{
	for (size_t i = 0; i < n; i++)
		if (i != which && guests[i].token == guests[which].token)
			return false;
	return true;
}

struct guests_verdict guests_judge(const struct appliance *a, const struct crowd_guest *guests, size_t n)
{
	struct hall *hall = guests_hall(a);
	struct guests_verdict v = wrong("%s", "");
	sqlite3 *book = appliance_book(a);

	for (size_t i = 0; i < n && !v.text[0]; i++)
		v = judge_guest(book, a, &guests[i], i, guests[i].status != 409 || asked_once(guests, n, i));
	if (!v.text[0] && ask(book,
			      "SELECT count(*) FROM (SELECT 1 FROM reservations WHERE is_active = 1"
			      " GROUP BY user_id, slot_id HAVING count(*) > 1)",
			      0, 0) != 0)
		v = wrong("a guest is booked twice into one slot");
	if (!v.text[0] &&
	    ask(book,
		"SELECT count(*) FROM (SELECT 1 FROM reservations v JOIN restaurant_reservation_slots s USING (slot_id)"
		" WHERE is_active = 1 GROUP BY slot_id HAVING sum(party_size) > max_capacity)",
		0, 0) != 0)
		v = wrong("a slot is overbooked");
	if (!v.text[0] && ask(book,
			      "SELECT count(*) FROM (SELECT ticket - lag(ticket) OVER (ORDER BY reservation_id) AS step"
			      " FROM reservations WHERE ticket IS NOT NULL) WHERE step <= 0",
			      0, 0) != 0)
		v = wrong("tickets were not served in their order");
	sqlite3_close(book);
	if (!v.text[0] && line_length(hall->line) != 0)
		v = wrong("%llu are still in the line", (unsigned long long)line_length(hall->line));
	if (!v.text[0] && line_check(hall->line) != 0)
		v = wrong("L%d of the line does not hold", line_check(hall->line));
	return v;
}

struct guests_verdict guests_judge_first(const struct appliance *a, const char *date, const char *time, uint64_t first,
					 int winners)
{
	int64_t many = appliance_number(a,
					"SELECT count(*) FROM reservations JOIN restaurant_reservation_slots USING (slot_id)"
					" WHERE slot_date = '%s' AND slot_time = '%s'",
					date, time);
	int64_t last = appliance_number(a,
					"SELECT max(ticket) FROM reservations JOIN restaurant_reservation_slots USING (slot_id)"
					" WHERE slot_date = '%s' AND slot_time = '%s'",
					date, time);

	if (many != winners)
		return wrong("%lld are booked, not %d", (long long)many, winners);
	if (last != (int64_t)first + winners - 1)
		return wrong("the last winner holds ticket %lld, the %dth is %lld", (long long)last, winners,
			     (long long)first + winners - 1);
	return wrong("%s", "");
}

void guests_expect(struct guests_verdict v)
{
	if (v.text[0])
		fail_msg("%s", v.text);
}
