/*
 * e2e_api.c - the same answers through nginx with FastCGI workers and through lighttpd with plain CGI.
 */
#include "appliance.h"

#include "clock.h"
#include "text.h"
#include "token.h"
#include "unit.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GUESTS = 3, SEATS = 40 };

static struct appliance box;
static struct {
	int64_t id;
	char bearer[160]; /* a whole header line */
} guests[GUESTS];
static char staff_bearer[256];

static const char PASSWORD[] = "correct horse 7", STAFF[] = "staff@example.com";

/* ---- the stage: a demo book, three accounts, one member of the staff ---- */

static void make_guests(void)
{
	static struct ran made;
	char *line, *rest;
	int n = 0;

	appliance_run(&box, &made, NULL, "token", "--users", "3", "--password", PASSWORD, "--dir", box.dir, NULL);
	assert_int_equal(made.exit, 0);
	for (line = strtok_r(made.out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), n++) {
		char token[TOKEN_TEXT_SIZE];
		long long id;

		assert_true(n < GUESTS);
		assert_int_equal(sscanf(line, "%lld\t%87s", &id, token), 2);
		guests[n].id = id;
		snprintf(guests[n].bearer, sizeof guests[n].bearer, "Authorization: Bearer %s\r\n", token);
	}
	assert_int_equal(n, GUESTS);
}

static const struct http_answer *log_in(const char *email, const char *password)
{
	char body[256];

	snprintf(body, sizeof body, "{\"email\":\"%s\",\"password\":\"%s\"}", email, password);
	return http_post(box.port, "/api/login", body);
}

static void make_staff(void)
{
	static struct ran made;
	char token[HTTP_TEXT];

	appliance_run(&box, &made, NULL, "staff", "add", STAFF, "Kim", "--password", PASSWORD, "--dir", box.dir, NULL);
	assert_int_equal(made.exit, 0);
	http_text(log_in(STAFF, PASSWORD), "accessToken", token);
	assert_true(*token);
	snprintf(staff_bearer, sizeof staff_bearer, "Authorization: Bearer %.200s\r\n", token);
}

static int set_up_nginx(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 4);
	make_guests();
	make_staff();
	appliance_sql(&box, "UPDATE restaurants SET holds_per_guest = 0, upcoming_per_guest = 0"); /* e2e_people.c tries them */
	return 0;
}

static int set_up_cgi(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up_cgi(&box);
	make_guests();
	make_staff();
	appliance_sql(&box, "UPDATE restaurants SET holds_per_guest = 0, upcoming_per_guest = 0"); /* e2e_people.c tries them */
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* ---- helpers ---- */

static const struct http_answer *get(const char *path)
{
	return http_get(box.port, path);
}

static const struct http_answer *get_as(const char *path, const char *headers)
{
	return http_ask(box.port, (struct http_call){.path = path, .headers = headers});
}

static void expect_status(const struct http_answer *a, int status)
{
	if (a->end != HTTP_WHOLE || a->status != status)
		fail_msg("status %d (end %d), not %d: %s", a->status, (int)a->end, status, a->body);
}

static void expect_error(const struct http_answer *a, int status, const char *code)
{
	char text[HTTP_TEXT];

	expect_status(a, status);
	assert_true(http_header_has(a, "Content-Type", "application/json"));
	assert_string_equal(http_text(a, "code", text), code);
	assert_true(*http_text(a, "message", text));
}

/* The restaurant's today, so that no test depends on where the machine stands. */
static struct date today(void)
{
	struct date d;
	char text[HTTP_TEXT];

	assert_true(text_date(http_text(get("/api/restaurants/1"), "today", text), &d));
	return d;
}

/* The first such weekday (1 is Monday) at least a week from now. */
static const char *coming(int weekday, char out[TEXT_DATE_SIZE])
{
	int64_t days = text_days(today()) + 7;

	while (text_weekday(text_from_days(days)) != weekday)
		days++;
	text_put_date(text_from_days(days), out);
	return out;
}

static struct json_object *slots_on(const char *date, int party)
{
	char path[160];
	const struct http_answer *a;
	struct json_object *j;

	snprintf(path, sizeof path, "/api/reservations/slots?restaurantId=1&slotDate=%s&partySize=%d", date, party);
	a = get(path);
	expect_status(a, 200);
	j = http_json(a);
	assert_non_null(j);
	return j;
}

struct seen {
	int times, available, remaining, capacity; /* the last two of the time asked for */
	bool closed;
};

/* A day as a guest sees it. */
static struct seen look_at(const char *date, const char *time, int party)
{
	struct json_object *j = slots_on(date, party), *list = json_object_object_get(j, "slots");
	struct seen s = {.remaining = -1, .capacity = -1};

	s.times = (int)json_object_array_length(list);
	s.closed = json_object_get_boolean(json_object_object_get(j, "closed"));
	for (int i = 0; i < s.times; i++) {
		struct json_object *slot = json_object_array_get_idx(list, (size_t)i);

		s.available += json_object_get_boolean(json_object_object_get(slot, "available"));
		if (strcmp(json_object_get_string(json_object_object_get(slot, "slotTime")), time) != 0)
			continue;
		s.remaining = json_object_get_int(json_object_object_get(slot, "remaining"));
		s.capacity = json_object_get_int(json_object_object_get(slot, "capacity"));
	}
	json_object_put(j);
	return s;
}

/* Writes a reservation into the book past jari; its id. */
static int64_t put_reservation(const char *date, const char *time, int64_t user, int party, const char *status,
			       const char *hold)
{
	static int number;

	appliance_sql(&box,
		      "INSERT OR IGNORE INTO restaurant_reservation_slots (restaurant_id, slot_date, slot_time, max_capacity)"
		      " VALUES (1, '%s', '%s', %d)",
		      date, time, SEATS);
	appliance_sql(&box,
		      "INSERT INTO reservations (reservation_code, slot_id, user_id, party_size, reservation_type, status,"
		      " hold_expires_at) SELECT 'T-%d', slot_id, %lld, %d, 'RESERVATION_DEPOSIT', '%s', %s"
		      " FROM restaurant_reservation_slots WHERE restaurant_id = 1 AND slot_date = '%s' AND slot_time = '%s'",
		      ++number, (long long)user, party, status, hold, date, time);
	return appliance_number(&box, "SELECT max(reservation_id) FROM reservations");
}

/* One number that changes with every row that comes or goes. */
static int64_t rows(void)
{
	return appliance_number(&box,
				"SELECT (SELECT count(*) FROM users) * 1000000 + (SELECT count(*) FROM reservations) * 1000"
				" + (SELECT count(*) FROM restaurant_reservation_slots)");
}

/* ---- what every client may read ---- */

static void health_says_ok(void **state)
{
	char text[HTTP_TEXT];

	(void)state;
	expect_status(get("/healthz"), 200);
	assert_string_equal(http_text(get("/healthz"), "status", text), "ok");
	assert_true(http_header_has(get("/healthz"), "Cache-Control", "no-store"));
}

/* ---- metrics, by the rules of the exposition format ---- */

struct metric {
	char name[64], type[16];
	int samples;
	double last_le, last_count; /* of a histogram's buckets */
	bool inf, sum, count;
};

static bool is_name(const char *s, size_t n)
{
	return n > 0 && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:0123456789") >= n &&
	       (*s < '0' || *s > '9');
}

/* One line with a value: NAME{LABEL="VALUE",...} NUMBER */
static void read_sample(struct metric *m, const char *line)
{
	size_t n = strcspn(line, "{ "), own = strlen(m->name);
	const char *at = line + n;
	char *end;
	double value, le = 0;

	if (!is_name(line, n) || strncmp(line, m->name, own) != 0)
		fail_msg("a sample outside its metric %s: %s", m->name, line);
	if (*at == '{') {
		for (at++; *at != '}'; at += *at == ',') {
			size_t label = strcspn(at, "=");

			assert_true(is_name(at, label) && at[label + 1] == '"');
			if (strncmp(at, "le=", 3) == 0)
				le = strncmp(at + 4, "+Inf", 4) == 0 ? 1e99 : strtod(at + 4, NULL);
			at = strchr(at + label + 2, '"');
			assert_non_null(at);
			at++;
		}
		at++;
	}
	assert_int_equal(*at, ' ');
	value = strtod(at + 1, &end);
	assert_true(end > at + 1 && (*end == '\n' || *end == '\0') && value >= 0);
	m->samples++;
	if (strcmp(m->type, "histogram") != 0) {
		assert_int_equal(n, own);
		return;
	}
	if (strncmp(line + own, "_bucket", n - own) == 0) {
		assert_true(le > m->last_le && value >= m->last_count); /* no bucket twice, and they only grow */
		m->last_le = le;
		m->last_count = value;
		m->inf |= le > 1e98;
	} else if (strncmp(line + own, "_sum", n - own) == 0)
		m->sum = true;
	else if (strncmp(line + own, "_count", n - own) == 0) {
		m->count = true;
		assert_true(m->inf && value == m->last_count);
	} else
		fail_msg("not of a histogram: %s", line);
}

static void metrics_are_what_prometheus_reads(void **state)
{
	static struct metric all[100];
	static const char *const wanted[] = {
		"jari_build_info",    "jari_requests_total", "jari_answers_total", "jari_ticket_wait_seconds",
		"jari_batch_tickets", "jari_book_bytes",     "jari_holds",         "jari_line_tickets",
		"jari_writable",      "jari_wal_bytes",      "jari_courier_alive", "jari_disk_free_bytes"};
	const struct http_answer *a = get("/metrics");
	char *body = strdup(a->body), *rest, *line;
	int n = 0;

	(void)state;
	expect_status(a, 200);
	assert_true(http_header_has(a, "Content-Type", "text/plain; version=0.0.4"));
	assert_int_equal(body[strlen(body) - 1], '\n');
	memset(all, 0, sizeof all);
	for (line = strtok_r(body, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char name[64], type[16];

		if (strncmp(line, "# HELP ", 7) == 0) {
			assert_int_equal(sscanf(line, "# HELP %63s", all[n].name), 1);
			for (int i = 0; i < n; i++)
				assert_string_not_equal(all[i].name, all[n].name); /* once, all its samples together */
			all[n++].last_le = 0;                                      /* no wait is shorter than nothing */
		} else if (strncmp(line, "# TYPE ", 7) == 0) {
			assert_int_equal(sscanf(line, "# TYPE %63s %15s", name, type), 2);
			assert_true(n > 0 && all[n - 1].samples == 0);
			assert_string_equal(name, all[n - 1].name);
			strcpy(all[n - 1].type, type);
		} else
			read_sample(&all[n - 1], line);
	}
	free(body);
	for (int i = 0; i < n; i++) {
		size_t len = strlen(all[i].name);

		/* A box without a spare has no age of its copy; what it would be is said all the same. */
		assert_true(all[i].samples > 0 || strcmp(all[i].name, "jari_spare_age_seconds") == 0);
		assert_true(all[i].type[0]);
		assert_null(strstr(all[i].name, "milli")); /* base units */
		if (strcmp(all[i].type, "counter") == 0)
			assert_string_equal(all[i].name + len - 6, "_total");
		if (strcmp(all[i].type, "histogram") == 0)
			assert_true(all[i].inf && all[i].sum && all[i].count);
	}
	for (size_t w = 0; w < COUNT(wanted); w++) {
		int found = 0;

		for (int i = 0; i < n; i++)
			found += strcmp(all[i].name, wanted[w]) == 0;
		if (found != 1)
			fail_msg("%s is there %d times", wanted[w], found);
	}
}

static double metric(const char *name)
{
	char line[64];
	const char *at;

	snprintf(line, sizeof line, "\n%s ", name);
	at = strstr(get("/metrics")->body, line);
	return at ? strtod(at + strlen(line), NULL) : -1;
}

static void the_metrics_tell_how_the_box_is(void **state)
{
	char path[APPLIANCE_PATH], now[CLOCK_ISO_SIZE];

	(void)state;
	assert_true(metric("jari_writable") == 1);
	assert_true(metric("jari_disk_free_bytes") > 1e6);
	assert_true(box.cgi || metric("jari_start_time_seconds") > (double)clock_now_s() - 3600);
	WITHIN(10000, metric("jari_courier_alive") == (box.cgi ? 0 : 1));
	appliance_path(&box, "run/backup.last", path);
	assert_true(metric("jari_backup_age_seconds") == -1); /* there is none, and so no age */
	clock_iso(clock_now_s() - 5000, now);
	appliance_write(path, now);
	assert_true(metric("jari_backup_age_seconds") >= 5000);
	clock_iso(clock_now_s() + 5000, now); /* by a clock that ran ahead */
	appliance_write(path, now);
	assert_true(metric("jari_backup_age_seconds") == 0);
	assert_int_equal(unlink(path), 0);
}

/* A tunnel or proxy on this machine comes from loopback too, and says so. */
static void metrics_are_for_this_machine_alone(void **state)
{
	static const char *const from_afar[] = {"X-Forwarded-For: 203.0.113.9\r\n", "CF-Connecting-IP: 203.0.113.9\r\n",
						"Forwarded: for=203.0.113.9\r\n"};

	(void)state;
	for (size_t i = 0; i < COUNT(from_afar); i++)
		assert_int_equal(http_ask(box.port, (struct http_call){.path = "/metrics", .headers = from_afar[i]})->status,
				 403);
	expect_status(get("/metrics"), 200);
}

/* What a CGI program answers to a request from that address. */
static const char *cgi_says(const char *path, const char *address, char *out, size_t size)
{
	char log[APPLIANCE_PATH], path_is[80], from[80];
	const char *argv[] = {
		"/usr/bin/env", "REQUEST_METHOD=GET", path_is, from, appliance_program(&box), "cgi", "--dir", box.dir, NULL};

	snprintf(path_is, sizeof path_is, "PATH_INFO=%s", path);
	snprintf(from, sizeof from, "REMOTE_ADDR=%s", address);
	appliance_path(&box, "cgi.out", log);
	assert_int_equal(appliance_wait(appliance_spawn(log, argv), 20000), 0);
	appliance_read(log, out, size);
	unlink(log);
	return out;
}

static void a_cgi_program_refuses_metrics_to_others_and_sends_the_policy_of_nginx(void **state)
{
	static char text[65536], conf[65536];
	const char *policy, *end;

	(void)state;
	assert_non_null(strstr(cgi_says("/metrics", "203.0.113.9", text, sizeof text), "Status: 403"));
	assert_non_null(strstr(cgi_says("/metrics", "unix:", text, sizeof text), "Status: 403"));
	assert_non_null(strstr(cgi_says("/metrics", "127.0.0.1", text, sizeof text), "Status: 200"));
	policy = strstr(appliance_read("nginx.conf.example", conf, sizeof conf), "\"default-src 'none'");
	assert_non_null(policy);
	end = strchr(++policy, '"');
	conf[end - conf] = '\0';
	assert_non_null(strstr(cgi_says("/", "203.0.113.9", text, sizeof text), policy));
	assert_non_null(strstr(cgi_says("/pay", "203.0.113.9", text, sizeof text), policy)); /* nobody pays online here */
}

static void a_restaurant_tells_its_hours_policies_and_menu(void **state)
{
	const struct http_answer *a = get("/api/restaurants/1");
	struct json_object *j = http_json(a);
	char text[HTTP_TEXT];

	(void)state;
	expect_status(a, 200);
	assert_string_equal(http_text(a, "name", text), "온기 식당");
	assert_string_equal(http_text(a, "timezone", text), "Asia/Seoul");
	assert_int_equal(json_object_array_length(json_object_object_get(j, "hours")), 12);
	assert_int_equal(json_object_array_length(json_object_object_get(j, "menu")), 10);
	assert_int_equal(json_object_get_int(json_object_object_get(json_object_object_get(j, "policies"), "partyMax")), 12);
	json_object_put(j);
	/* Whether mail goes out: nobody who waits is promised one otherwise. */
	assert_non_null(strstr(a->body, "\"mails\":false"));
	appliance_sql(
		&box,
		"INSERT INTO mail_server (one, way, sender, updated_at) VALUES (1, 'SENDMAIL', 'a@example.com', '2026-01-01')");
	a = get("/api/restaurants/1");
	appliance_sql(&box, "DELETE FROM mail_server");
	assert_non_null(strstr(a->body, "\"mails\":true"));
}

static void an_open_day_lists_its_times_and_seats(void **state)
{
	char date[TEXT_DATE_SIZE];
	struct seen s = look_at(coming(2, date), "11:00", 2);

	(void)state;
	assert_false(s.closed);
	assert_int_equal(s.times, 9); /* 11 to 14 and 17 to 21 o'clock */
	assert_int_equal(s.available, 9);
	assert_int_equal(s.capacity, SEATS);
	assert_int_equal(s.remaining, SEATS);
}

static void a_closed_day_has_no_times(void **state)
{
	char date[TEXT_DATE_SIZE];
	struct seen s = look_at(coming(1, date), "11:00", 2);

	(void)state;
	assert_true(s.closed);
	assert_int_equal(s.times, 0);
}

static void days_past_and_days_too_far_offer_nothing(void **state)
{
	int64_t now = text_days(today()), past = now - 3, far = now + 90;
	char date[TEXT_DATE_SIZE];
	struct seen s;

	(void)state;
	past -= text_weekday(text_from_days(past)) == 1;
	far += text_weekday(text_from_days(far)) == 1;
	text_put_date(text_from_days(past), date);
	s = look_at(date, "11:00", 1);
	assert_true(s.times > 0);
	assert_int_equal(s.available, 0);
	text_put_date(text_from_days(far), date);
	s = look_at(date, "11:00", 1);
	assert_true(s.times > 0);
	assert_int_equal(s.available, 0);
}

static void taken_seats_are_gone_for_everybody(void **state)
{
	char date[TEXT_DATE_SIZE];

	(void)state;
	coming(3, date);
	put_reservation(date, "18:00", guests[0].id, 10, "CONFIRMED", "NULL");
	put_reservation(date, "18:00", guests[1].id, 25, "TEMPORARY", "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+7 minutes')");
	assert_int_equal(look_at(date, "18:00", 5).remaining, SEATS - 35);
	assert_int_equal(look_at(date, "18:00", 5).available, 9);
	assert_int_equal(look_at(date, "18:00", 6).available, 8);
	assert_int_equal(look_at(date, "19:00", 6).remaining, SEATS);
}

static void a_due_hold_takes_no_seats_whether_swept_or_not(void **state)
{
	char date[TEXT_DATE_SIZE], path[64], text[HTTP_TEXT];
	int64_t id;

	(void)state;
	coming(4, date);
	id = put_reservation(date, "18:00", guests[0].id, 30, "TEMPORARY",
			     "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 second')");
	assert_int_equal(look_at(date, "18:00", 40).remaining, SEATS);
	assert_int_equal(look_at(date, "18:00", 40).available, 9);
	snprintf(path, sizeof path, "/api/reservations/%lld", (long long)id);
	assert_string_equal(http_text(get_as(path, guests[0].bearer), "status", text), "EXPIRED");
}

/* ---- who one is ---- */

static void a_guest_introduces_themselves_and_nothing_is_written(void **state)
{
	int64_t before = appliance_number(&box, "SELECT count(*) FROM users");
	const struct http_answer *a = http_post(box.port, "/api/guests",
						"{\"name\":\" 홍길동 \",\"phone\":\"010-1234-5678\",\"email\":null}");
	char token[HTTP_TEXT], bearer[HTTP_TEXT + 40], name[HTTP_TEXT];

	(void)state;
	expect_status(a, 200);
	assert_true(http_int(a, "id") > 0);
	assert_string_equal(http_text(a, "name", name), "홍길동");
	http_text(a, "accessToken", token);
	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", token);
	expect_status(get_as("/api/reservations/my", bearer), 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users"), before);
}

static const struct http_answer *book_as_newcomer(const char *guest, const char *key, const char *extra)
{
	char body[2048], day[TEXT_DATE_SIZE], headers[256];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\n%s%s%s", *key ? "Idempotency-Key: " : "", key,
		 *key ? "\r\n" : "");
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"19:00\",\"partySize\":2,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":%s%s}",
		 coming(3, day), guest, extra);
	return http_ask(box.port, (struct http_call){.path = "/api/reservations", .headers = headers, .body = body});
}

static const char NEWCOMER[] = "{\"name\":\" 성춘향 \",\"phone\":\"010-7777-8888\"}";

static void a_newcomer_books_and_is_introduced_by_it(void **state)
{
	const struct http_answer *a = book_as_newcomer(NEWCOMER, "new-1", ""), *again;
	char token[HTTP_TEXT], bearer[HTTP_TEXT + 40], text[HTTP_TEXT];
	int64_t id = http_int(a, "reservationId");

	(void)state;
	expect_status(a, 201);
	assert_true(http_header_has(a, "Set-Cookie", "HttpOnly"));
	snprintf(bearer, sizeof bearer, "Authorization: Bearer %s\r\n", http_text(a, "accessToken", token));
	expect_status(get_as("/api/reservations/my", bearer), 200);
	assert_non_null(strstr(get_as("/api/reservations/my", bearer)->body, http_text(a, "reservationCode", text)));
	again = book_as_newcomer(NEWCOMER, "new-1", ""); /* the answer was lost on its way */
	expect_status(again, 201);
	assert_int_equal(http_int(again, "reservationId"), id);
	assert_true(*http_text(again, "accessToken", text));
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users WHERE name = '성춘향' AND phone = '01077778888'"),
			 1);
}

static void a_newcomer_needs_a_key_and_a_name_and_no_number(void **state)
{
	char text[HTTP_TEXT];

	(void)state;
	expect_error(book_as_newcomer(NEWCOMER, "", ""), 400, "MISSING_FIELD");
	assert_string_equal(http_text(book_as_newcomer(NEWCOMER, "", ""), "field", text), "Idempotency-Key");
	expect_error(book_as_newcomer("{\"name\":\"x\"}", "new-2", ""), 400, "MISSING_FIELD");
	expect_error(book_as_newcomer("{\"name\":\"x\",\"phone\":\"x\"}", "new-2", ""), 400, "BAD_PHONE");
	expect_error(book_as_newcomer("{\"name\":\"x\",\"phone\":\"0101\",\"admin\":true}", "new-2", ""), 400, "UNKNOWN_FIELD");
	expect_error(book_as_newcomer("[]", "new-2", ""), 400, "WRONG_TYPE");
	expect_error(book_as_newcomer("null", "new-2", ""), 401, "UNAUTHORIZED");
	expect_error(book_as_newcomer(NEWCOMER, "new-2", ",\"userId\":1"), 403, "FORBIDDEN");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users WHERE name = 'x'"), 0);
}

/* Books for the first account at this time, by this login, with this key ("": none). */
static const struct http_answer *book_with_key(const char *time, const char *bearer, const char *type, const char *key)
{
	char body[512], day[TEXT_DATE_SIZE], headers[512];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\n%s%s%s%s", bearer, *key ? "Idempotency-Key: " : "",
		 key, *key ? "\r\n" : "");
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":2,\"reservationType\":\"%s\"%s}",
		 coming(6, day), time, type, *type == 'P' ? ",\"menuItems\":[{\"menuId\":1,\"quantity\":1}]" : "");
	return http_ask(box.port, (struct http_call){.path = "/api/reservations", .headers = headers, .body = body});
}

static const struct http_answer *book_so(const char *key, const char *rest)
{
	char body[512], day[TEXT_DATE_SIZE], headers[512];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\n%sIdempotency-Key: %s\r\n", guests[0].bearer, key);
	snprintf(body, sizeof body, "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"17:00\",\"partySize\":2,%s}",
		 coming(6, day), rest);
	return http_ask(box.port, (struct http_call){.path = "/api/reservations", .headers = headers, .body = body});
}

static void a_key_is_for_one_message_and_one_choice_of_dishes(void **state)
{
	static const char first[] = "\"reservationType\":\"PREORDER_PREPAY\",\"requestMessage\":\"window\","
				    "\"menuItems\":[{\"menuId\":1,\"quantity\":2},{\"menuId\":2,\"quantity\":1}]";
	static const char *const others[] = {
		"\"reservationType\":\"PREORDER_PREPAY\",\"requestMessage\":\"door\","
		"\"menuItems\":[{\"menuId\":1,\"quantity\":2},{\"menuId\":2,\"quantity\":1}]",
		"\"reservationType\":\"PREORDER_PREPAY\",\"requestMessage\":\"window\","
		"\"menuItems\":[{\"menuId\":1,\"quantity\":1},{\"menuId\":2,\"quantity\":1}]",
		"\"reservationType\":\"PREORDER_PREPAY\",\"requestMessage\":\"window\",\"menuItems\":[{\"menuId\":1,"
		"\"quantity\":2}]",
		"\"reservationType\":\"PREORDER_PREPAY\",\"requestMessage\":\"window\","
		"\"menuItems\":[{\"menuId\":1,\"quantity\":2},{\"menuId\":3,\"quantity\":1}]",
	};
	const struct http_answer *a;
	int64_t id;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET user_lock_ms = 0"); /* or the line would answer for five seconds */
	a = book_so("dishes-1", first);
	expect_status(a, 201);
	id = http_int(a, "reservationId");
	assert_int_equal(http_int(book_so("dishes-1", first), "reservationId"), id);
	for (size_t i = 0; i < COUNT(others); i++)
		expect_error(book_so("dishes-1", others[i]), 409, "KEY_REUSED");
	appliance_sql(&box, "UPDATE restaurants SET user_lock_ms = 5000");
}

static void the_status_line_carries_a_reason(void **state)
{
	(void)state;
	assert_non_null(strstr(http_get(box.port, "/healthz")->head, " 200 OK\r\n"));
	assert_non_null(strstr(http_get(box.port, "/api/nothing")->head, " 404 Not Found\r\n"));
	assert_non_null(strstr(http_post(box.port, "/api/guests", "{}")->head, " 400 Bad Request\r\n"));
	assert_non_null(strstr(http_post(box.port, "/api/reservations", "{}")->head, " 400 Bad Request\r\n"));
}

static void a_login_that_has_ended_hears_nothing_of_what_was_booked(void **state)
{
	static const char DEPOSIT[] = "RESERVATION_DEPOSIT";
	const struct http_answer *first;
	int64_t id;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET user_lock_ms = 0"); /* or the line would answer for five seconds */
	first = book_with_key("18:00", guests[0].bearer, DEPOSIT, "ended-1");
	id = http_int(first, "reservationId");
	expect_status(first, 201);
	appliance_sql(&box, "UPDATE users SET is_blocked = 1 WHERE user_id = %lld", (long long)guests[0].id);
	expect_error(book_with_key("18:00", guests[0].bearer, DEPOSIT, "ended-1"), 401, "UNAUTHORIZED");
	expect_error(book_with_key("18:00", guests[0].bearer, DEPOSIT, "ended-2"), 401, "UNAUTHORIZED");
	expect_error(book_with_key("20:00", guests[0].bearer, DEPOSIT, "ended-3"), 401, "UNAUTHORIZED");
	appliance_sql(&box, "UPDATE users SET is_blocked = 0 WHERE user_id = %lld", (long long)guests[0].id);
	assert_int_equal(http_int(book_with_key("18:00", guests[0].bearer, DEPOSIT, "ended-1"), "reservationId"), id);
	expect_status(book_with_key("20:00", guests[0].bearer, DEPOSIT, "ended-3"), 201); /* told once, not for a minute */
	appliance_sql(&box, "UPDATE restaurants SET user_lock_ms = 5000");
}

static void a_key_tells_how_it_stands_now_and_is_for_one_kind_of_booking(void **state)
{
	static struct ran confirmed;
	char code[HTTP_TEXT], status[HTTP_TEXT], path[80], headers[300];
	const struct http_answer *a;

	(void)state;
	appliance_sql(&box, "UPDATE restaurants SET user_lock_ms = 0");
	a = book_with_key("19:00", guests[1].bearer, "RESERVATION_DEPOSIT", "now-1");
	expect_status(a, 201);
	assert_string_equal(http_text(a, "status", status), "TEMPORARY");
	appliance_run(&box, &confirmed, NULL, "confirm", http_text(a, "reservationCode", code), "--dir", box.dir, NULL);
	assert_int_equal(confirmed.exit, 0);
	a = book_with_key("19:00", guests[1].bearer, "RESERVATION_DEPOSIT", "now-1");
	expect_status(a, 201);
	assert_string_equal(http_text(a, "status", status), "CONFIRMED");
	assert_int_equal(http_int(a, "amountDue"), 0);
	expect_error(book_with_key("19:00", guests[1].bearer, "PREORDER_PREPAY", "now-1"), 409, "KEY_REUSED");
	snprintf(path, sizeof path, "/api/reservations/%lld", (long long)http_int(a, "reservationId"));
	assert_int_equal(http_int(get_as(path, guests[1].bearer), "refundAmount"), 0);
	strcat(path, "/cancel");
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\n%s", guests[1].bearer);
	expect_status(http_ask(box.port, (struct http_call){.path = path, .headers = headers, .body = "{}"}), 200);
	path[strlen(path) - strlen("/cancel")] = '\0';
	assert_int_equal(http_int(get_as(path, guests[1].bearer), "refundAmount"), 10000); /* also tomorrow */
	appliance_sql(&box, "UPDATE restaurants SET user_lock_ms = 5000");
}

static void a_chunked_body_is_read_like_any_other(void **state)
{
	static const char raw[] = "POST /api/guests HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json;"
				  " charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"
				  "10\r\n{\"name\":\"Chunk\",\r\n18\r\n\"phone\":\"010 9999 0000\"}\r\n0\r\n\r\n";
	const struct http_answer *a = http_ask(box.port, (struct http_call){.raw = raw, .raw_len = sizeof raw - 1});
	char name[HTTP_TEXT];

	(void)state;
	expect_status(a, 200);
	assert_string_equal(http_text(a, "name", name), "Chunk");
}

static void an_account_logs_in_by_its_password_only(void **state)
{
	const struct http_answer *a = log_in("LoadTest.User0001@Example.com", PASSWORD);

	(void)state;
	expect_status(a, 200);
	assert_int_equal(http_int(a, "id"), guests[0].id);
	expect_error(log_in("loadtest.user0001@example.com", "wrong horse 7"), 401, "LOGIN_FAILED");
	expect_error(log_in("nobody@example.com", PASSWORD), 401, "LOGIN_FAILED");
	expect_error(log_in("owner@jari.local", "owner"), 401, "LOGIN_FAILED");
}

static void the_seeds_client_may_send_a_user_type(void **state)
{
	(void)state;
	expect_status(
		http_post(
			box.port, "/api/login",
			"{\"email\":\"loadtest.user0001@example.com\",\"password\":\"correct horse 7\",\"userType\":\"USER\"}"),
		200);
}

/* The login cookie as a browser would send it back. */
static void take_cookie(const struct http_answer *a, char *out, size_t size)
{
	char value[512];

	assert_true(http_header(a, "Set-Cookie", value, sizeof value));
	value[strcspn(value, ";")] = '\0';
	snprintf(out, size, "Cookie: other=1; %s; last=2\r\n", value);
}

static void the_cookie_is_a_login_that_no_script_reads(void **state)
{
	const struct http_answer *a = log_in("loadtest.user0002@example.com", PASSWORD);
	char cookie[700];

	(void)state;
	expect_status(a, 200);
	assert_true(http_header_has(a, "Set-Cookie", "; HttpOnly"));
	assert_true(http_header_has(a, "Set-Cookie", "; SameSite=Lax"));
	assert_true(http_header_has(a, "Set-Cookie", "; Path=/"));
	take_cookie(a, cookie, sizeof cookie);
	expect_status(get_as("/api/reservations/my", cookie), 200);
	expect_error(get_as("/api/reservations/my", "Cookie: jari=\r\n"), 401, "UNAUTHORIZED");
	a = http_ask(box.port, (struct http_call){.method = "POST", .path = "/api/logout", .headers = "Content-Length: 0\r\n"});
	expect_status(a, 200);
	assert_true(http_header_has(a, "Set-Cookie", "Max-Age=0"));
}

static void other_sites_cannot_post(void **state)
{
	static const char guest[] = "{\"name\":\"Eve\",\"phone\":\"010-1111-2222\"}";
	static const char *const foreign[] = {
		"Sec-Fetch-Site: cross-site\r\n",
		"Sec-Fetch-Site: same-site\r\n",
		"Origin: http://evil.example\r\n",
		"Origin: null\r\n",
	};
	char headers[200], origin[64];
	int64_t before = rows();

	(void)state;
	for (size_t i = 0; i < COUNT(foreign); i++) {
		snprintf(headers, sizeof headers, "Content-Type: application/json\r\n%s", foreign[i]);
		expect_error(http_ask(box.port, (struct http_call){.path = "/api/guests", .body = guest, .headers = headers}),
			     403, "CROSS_SITE");
	}
	assert_int_equal(rows(), before);
	snprintf(origin, sizeof origin, "Origin: http://127.0.0.1:%d\r\n", box.port);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\n%s", origin);
	expect_status(http_ask(box.port, (struct http_call){.path = "/api/guests", .body = guest, .headers = headers}), 200);
}

/* ---- whose reservation ---- */

static int count_mine(const char *bearer)
{
	const struct http_answer *a = get_as("/api/reservations/my", bearer);
	struct json_object *j = http_json(a);
	int n;

	expect_status(a, 200);
	n = (int)json_object_array_length(json_object_object_get(j, "reservations"));
	json_object_put(j);
	return n;
}

static void my_reservations_are_mine_alone(void **state)
{
	char date[TEXT_DATE_SIZE];
	int first = count_mine(guests[0].bearer), third = count_mine(guests[2].bearer);

	(void)state;
	put_reservation(coming(5, date), "12:00", guests[2].id, 2, "CONFIRMED", "NULL");
	assert_int_equal(count_mine(guests[0].bearer), first);
	assert_int_equal(count_mine(guests[2].bearer), third + 1);
	expect_error(get("/api/reservations/my"), 401, "UNAUTHORIZED");
}

static void read_key(unsigned char key[TOKEN_KEY_SIZE])
{
	char path[APPLIANCE_PATH];
	FILE *f;

	appliance_path(&box, "run/secret.key", path);
	f = fopen(path, "re");
	assert_non_null(f);
	assert_int_equal(fread(key, 1, TOKEN_KEY_SIZE, f), TOKEN_KEY_SIZE);
	fclose(f);
}

/* "NAME: PREFIX" and a token signed like one of jari's. */
static const char *signed_header(const char *name, struct token t, bool real_key, char out[200])
{
	unsigned char key[TOKEN_KEY_SIZE];
	char text[TOKEN_TEXT_SIZE];

	read_key(key);
	key[0] = (unsigned char)(key[0] ^ !real_key);
	token_sign(key, &t, text);
	snprintf(out, 200, "%s%s\r\n", name, text);
	return out;
}

static void one_reservation_opens_for_guest_staff_and_manage_token(void **state)
{
	char date[TEXT_DATE_SIZE], path[64], header[200], text[HTTP_TEXT];
	int64_t id = put_reservation(coming(6, date), "12:00", guests[0].id, 4, "CONFIRMED", "NULL");
	const struct http_answer *a;

	(void)state;
	snprintf(path, sizeof path, "/api/reservations/%lld", (long long)id);
	a = get_as(path, guests[0].bearer);
	expect_status(a, 200);
	assert_int_equal(http_int(a, "reservationId"), id);
	assert_int_equal(http_int(a, "partySize"), 4);
	assert_string_equal(http_text(a, "slotDate", text), date);
	assert_string_equal(http_text(a, "slotTime", text), "12:00");
	expect_status(get_as(path, staff_bearer), 200);
	signed_header("X-Manage-Token: ", (struct token){.purpose = TOKEN_MANAGE, .id = id}, true, header);
	expect_status(get_as(path, header), 200);
}

static void no_other_guest_learns_that_a_reservation_exists(void **state)
{
	char date[TEXT_DATE_SIZE], path[64], header[200];
	int64_t id = put_reservation(coming(7, date), "12:00", guests[0].id, 4, "CONFIRMED", "NULL");

	(void)state;
	snprintf(path, sizeof path, "/api/reservations/%lld", (long long)id);
	expect_error(get_as(path, guests[1].bearer), 404, "NO_SUCH_RESERVATION");
	expect_error(get_as("/api/reservations/999999", guests[1].bearer), 404, "NO_SUCH_RESERVATION");
	expect_error(get(path), 401, "UNAUTHORIZED");
	expect_error(get("/api/reservations/999999"), 401, "UNAUTHORIZED");
	signed_header("X-Manage-Token: ", (struct token){.purpose = TOKEN_MANAGE, .id = id}, false, header);
	expect_error(get_as(path, header), 401, "UNAUTHORIZED");
	signed_header("X-Manage-Token: ", (struct token){.purpose = TOKEN_MANAGE, .id = id + 1}, true, header);
	expect_error(get_as(path, header), 401, "UNAUTHORIZED");
	signed_header("X-Manage-Token: ", (struct token){.purpose = TOKEN_LOGIN, .id = id}, true, header);
	expect_error(get_as(path, header), 401, "UNAUTHORIZED");
	signed_header("X-Manage-Token: ", (struct token){.purpose = TOKEN_MANAGE, .id = id, .expires_s = 1}, true, header);
	expect_error(get_as(path, header), 401, "UNAUTHORIZED");
}

static const struct http_answer *cancel_as(int64_t id, const char *bearer)
{
	char path[64], headers[300];

	snprintf(path, sizeof path, "/api/reservations/%lld/cancel", (long long)id);
	snprintf(headers, sizeof headers, "%sContent-Type: application/json\r\n", bearer);
	return http_ask(box.port, (struct http_call){.path = path, .headers = headers, .body = "{}"});
}

/* A staff member and their login; restaurant "NULL": of every one. */
static const char *employ(int64_t id, const char *type, const char *restaurant, char bearer[200])
{
	appliance_sql(&box,
		      "INSERT INTO users (user_id, user_type, restaurant_id, name, email)"
		      " VALUES (%lld, '%s', %s, 'Lee', 'lee.%lld@example.com')",
		      (long long)id, type, restaurant, (long long)id);
	return signed_header("Authorization: Bearer ", (struct token){.purpose = TOKEN_LOGIN, .id = id, .version = 1}, true,
			     bearer);
}

static void staff_of_another_restaurant_can_neither_see_nor_cancel(void **state)
{
	static const char *const views[] = {"", "/calendar.ics", "/qr.svg"};
	char date[TEXT_DATE_SIZE], path[64], stranger[200], ours[200], owner[200];
	int64_t first = put_reservation(coming(3, date), "12:00", guests[0].id, 2, "CONFIRMED", "NULL");
	int64_t second = put_reservation(date, "13:00", guests[0].id, 2, "CONFIRMED", "NULL");

	(void)state;
	appliance_sql(&box, "INSERT INTO restaurants (restaurant_id, name, reservation_limit) VALUES (77, 'Other', 12)");
	employ(5001, "STAFF", "77", stranger);
	employ(5002, "STAFF", "1", ours);
	employ(5003, "OWNER", "NULL", owner);
	for (size_t i = 0; i < COUNT(views); i++) {
		snprintf(path, sizeof path, "/api/reservations/%lld%s", (long long)first, views[i]);
		expect_error(get_as(path, stranger), 404, "NO_SUCH_RESERVATION");
		expect_status(get_as(path, ours), 200);
		expect_status(get_as(path, owner), 200);
	}
	expect_error(cancel_as(first, stranger), 404, "NO_SUCH_RESERVATION");
	assert_int_equal(appliance_number(&box, "SELECT status = 'CONFIRMED' FROM reservations WHERE reservation_id = %lld",
					  (long long)first),
			 1);
	expect_status(cancel_as(first, ours), 200);
	expect_status(cancel_as(second, owner), 200);
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM reservation_cancellations WHERE canceled_by = 'RESTAURANT'"
					  " AND reservation_id IN (%lld, %lld)",
					  (long long)first, (long long)second),
			 2);
}

static void no_bad_token_opens_anything(void **state)
{
	int64_t soon = clock_now_s() + 600, id = guests[0].id;
	uint32_t version = (uint32_t)appliance_number(&box, "SELECT token_version FROM users WHERE user_id = %lld",
						      (long long)id);
	const struct {
		struct token t;
		bool real_key;
		int status;
	} tokens[] = {
		{{TOKEN_LOGIN, id, version, soon, 0}, true, 200},
		{{TOKEN_LOGIN, id, version, soon, 0}, false, 401},
		{{TOKEN_LOGIN, id, version, clock_now_s() - 1, 0}, true, 401},
		{{TOKEN_LOGIN, id, version + 1, soon, 0}, true, 401},
		{{TOKEN_LOGIN, 999999, version, soon, 0}, true, 401},
		{{TOKEN_MANAGE, id, version, soon, 0}, true, 401},
	};
	char header[200], long_one[700];

	(void)state;
	for (size_t i = 0; i < COUNT(tokens); i++)
		expect_status(get_as("/api/reservations/my",
				     signed_header("Authorization: Bearer ", tokens[i].t, tokens[i].real_key, header)),
			      tokens[i].status);
	strcpy(strchr(signed_header("Authorization: Bearer ", tokens[0].t, true, header), '\r') - 1, "\r\n");
	expect_error(get_as("/api/reservations/my", header), 401, "UNAUTHORIZED");
	snprintf(long_one, sizeof long_one, "Authorization: Bearer %0600d\r\n", 0);
	expect_error(get_as("/api/reservations/my", long_one), 401, "UNAUTHORIZED");
	expect_error(get_as("/api/reservations/my", "Authorization: Basic b3duZXI6b3duZXI=\r\n"), 401, "UNAUTHORIZED");
	expect_error(get_as("/api/reservations/my", "Authorization: Bearer \r\n"), 401, "UNAUTHORIZED");
}

/* ---- how it is said ---- */

static void messages_are_korean_or_english_as_asked(void **state)
{
	static const char path[] = "/api/restaurants/999";
	static const char ko[] = "식당을 찾을 수 없습니다.", en[] = "There is no such restaurant.";
	char text[HTTP_TEXT];

	(void)state;
	assert_string_equal(http_text(get(path), "message", text), ko);
	assert_string_equal(http_text(get_as(path, "Accept-Language: ko-KR,ko;q=0.9,en;q=0.8\r\n"), "message", text), ko);
	assert_string_equal(http_text(get_as(path, "Accept-Language: en-US,en;q=0.9,ko;q=0.8\r\n"), "message", text), en);
	assert_string_equal(http_text(get_as(path, "Accept-Language: de\r\n"), "message", text), en);
}

static void head_is_get_without_its_body(void **state)
{
	const struct http_answer *a = http_ask(box.port, (struct http_call){.method = "HEAD", .path = "/healthz"});

	(void)state;
	expect_status(a, 200);
	assert_int_equal(a->body_len, 0);
	assert_true(http_header_has(a, "Content-Type", "application/json"));
	expect_status(http_ask(box.port, (struct http_call){.method = "HEAD", .path = "/api/nothing"}), 404);
}

/* ---- bad input: always 4xx, a code, a message, the field, and not a row more ---- */

#define TEN "가나다라마바사아자차"
#define FIFTY TEN TEN TEN TEN TEN

struct bad {
	const char *body;
	size_t len; /* 0: of the text */
	const char *code, *field;
};

static void refuse(const struct http_call *call, int status, const char *code, const char *field)
{
	int64_t before = rows();
	const struct http_answer *a = http_ask(box.port, *call);
	char text[HTTP_TEXT];

	if (a->status != status || strcmp(http_text(a, "code", text), code) != 0)
		fail_msg("%.200s %.200s: %d %s, not %d %s", call->path, call->body ? call->body : "", a->status, a->body,
			 status, code);
	assert_true(*http_text(a, "message", text));
	if (strcmp(http_text(a, "field", text), field) != 0)
		fail_msg("%.200s: the field is \"%s\", not \"%s\"", call->body ? call->body : call->path, text, field);
	assert_int_equal(rows(), before);
}

static void refuse_bodies(const char *path, const struct bad *bad, size_t n)
{
	for (size_t i = 0; i < n; i++)
		refuse(&(struct http_call){.path = path, .body = bad[i].body, .body_len = bad[i].len}, 400, bad[i].code,
		       bad[i].field);
}

#define PHONE "\"phone\":\"010-1234-5678\""
#define BYTES(text) text, sizeof text - 1

static void json_that_is_not_json_is_refused(void **state)
{
	static char deep[2 * 5000 + 64];
	struct bad bad[] = {
		{"{\"name\":\"Kim\"," PHONE, 0, "BAD_JSON", ""}, /* cut short */
		{"{\"name\":\"Kim", 0, "BAD_JSON", ""},
		{"not json at all", 0, "BAD_JSON", ""},
		{" ", 0, "BAD_JSON", ""},
		{"[]", 0, "BAD_JSON", ""},
		{"\"Kim\"", 0, "BAD_JSON", ""},
		{"12", 0, "BAD_JSON", ""},
		{"null", 0, "BAD_JSON", ""},
		{"{'name':'Kim','phone':'010-1234-5678'}", 0, "BAD_JSON", ""},
		{"{\"name\":'Kim'," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\":NaN," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\":-Infinity," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\":012," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\":+1," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\":TRUE," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\":\"Kim\"," PHONE "} x", 0, "BAD_JSON", ""},
		{"{\"name\":\"Kim\"," PHONE "}{}", 0, "BAD_JSON", ""},
		{"{\"name\":\"Kim\"," PHONE ",}", 0, "BAD_JSON", ""},
		{"{\"name\":\"Kim\"/* hi */," PHONE "}", 0, "BAD_JSON", ""},
		{"\xef\xbb\xbf{\"name\":\"Kim\"," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\":\"K\nim\"," PHONE "}", 0, "BAD_JSON", ""}, /* raw control characters */
		{"{\"name\":\"K\tim\"," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\":\"K\x01im\"," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\":\"Kim\\u0000\"," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\\u0000x\":\"Kim\"," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\":\"\\ud800\"," PHONE "}", 0, "BAD_JSON", ""},
		{"{\"name\":\"\\x41\"," PHONE "}", 0, "BAD_JSON", ""},
		{deep, 0, "BAD_JSON", ""},
		{"{\"name\":\"Kim\",\"name\":\"Lee\"," PHONE "}", 0, "DUPLICATE_KEY", ""},
		{"{\"name\":\"Kim\",\"n\\u0061me\":\"Lee\"," PHONE "}", 0, "DUPLICATE_KEY", ""},
		{"{\"name\":\"Kim\"," PHONE ",\"email\":{\"a\":1,\"\\u0061\":2}}", 0, "DUPLICATE_KEY", ""},
	};

	(void)state;
	strcpy(deep, "{\"name\":");
	memset(deep + 8, '[', 5000);
	memset(deep + 5008, ']', 5000);
	strcpy(deep + 10008, "}");
	refuse_bodies("/api/guests", bad, COUNT(bad));
}

static void text_that_is_not_text_is_refused(void **state)
{
	static const struct bad bad[] = {
		{BYTES("{\"name\":\"\xc0\xaf\"," PHONE "}"), "BAD_TEXT", ""}, /* overlong */
		{BYTES("{\"name\":\"\xe0\x80\xaf\"," PHONE "}"), "BAD_TEXT", ""},
		{BYTES("{\"name\":\"\xed\xa0\x80\"," PHONE "}"), "BAD_TEXT", ""},     /* half a surrogate pair */
		{BYTES("{\"name\":\"\xf5\x80\x80\x80\"," PHONE "}"), "BAD_TEXT", ""}, /* beyond the last character */
		{BYTES("{\"name\":\"\xec\x9d\"," PHONE "}"), "BAD_TEXT", ""},         /* cut in two */
		{BYTES("{\"name\":\"\xff\"," PHONE "}"), "BAD_TEXT", ""},
		{BYTES("{\"name\":\"Kim\0\"," PHONE "}"), "BAD_TEXT", ""},
		{BYTES("{\"name\":\"Kim\"," PHONE "}\0"), "BAD_TEXT", ""},
		{BYTES("\0\0\0\0"), "BAD_TEXT", ""},
		{"{\"name\":\"K\\nim\"," PHONE "}", 0, "BAD_TEXT", "name"},
		{"{\"name\":\"K\\u007fim\"," PHONE "}", 0, "BAD_TEXT", "name"},
		{"{\"name\":\"K\\u202eim\"," PHONE "}", 0, "BAD_TEXT", "name"}, /* turns the line around */
	};

	(void)state;
	refuse_bodies("/api/guests", bad, COUNT(bad));
}

static void every_wrong_field_is_named(void **state)
{
	static const struct bad guest[] = {
		{"{}", 0, "MISSING_FIELD", "name"},
		{"{\"name\":\"Kim\"}", 0, "MISSING_FIELD", "phone"},
		{"{\"name\":null," PHONE "}", 0, "MISSING_FIELD", "name"},
		{"{\"name\":\"   \"," PHONE "}", 0, "MISSING_FIELD", "name"},
		{"{\"name\":1e3," PHONE "}", 0, "WRONG_TYPE", "name"},
		{"{\"name\":2.0," PHONE "}", 0, "WRONG_TYPE", "name"},
		{"{\"name\":99999999999999999999999," PHONE "}", 0, "WRONG_TYPE", "name"},
		{"{\"name\":1e400," PHONE "}", 0, "WRONG_TYPE", "name"},
		{"{\"name\":true," PHONE "}", 0, "WRONG_TYPE", "name"},
		{"{\"name\":[\"Kim\"]," PHONE "}", 0, "WRONG_TYPE", "name"},
		{"{\"name\":{}," PHONE "}", 0, "WRONG_TYPE", "name"},
		{"{\"name\":\"Kim\",\"phone\":1012345678}", 0, "WRONG_TYPE", "phone"},
		{"{\"name\":\"Kim\"," PHONE ",\"admin\":true}", 0, "UNKNOWN_FIELD", "admin"},
		{"{\"name\":\"Kim\"," PHONE ",\"user_type\":\"OWNER\"}", 0, "UNKNOWN_FIELD", "user_type"},
		{"{\"name\":\"" FIFTY TEN TEN TEN "카\"," PHONE "}", 0, "TOO_LONG", "name"},
		{"{\"name\":\"Kim\",\"phone\":\"12\"}", 0, "BAD_PHONE", "phone"},
		{"{\"name\":\"Kim\",\"phone\":\"010-CALL-ME\"}", 0, "BAD_PHONE", "phone"},
		{"{\"name\":\"Kim\"," PHONE ",\"email\":\"kim\"}", 0, "BAD_EMAIL", "email"},
		{"{\"name\":\"Kim\"," PHONE ",\"email\":\"a@b.c\\r\\nBcc: x@y.z\"}", 0, "BAD_TEXT", "email"},
	};
	static const struct bad login[] = {
		{"{}", 0, "MISSING_FIELD", "email"},
		{"{\"email\":\"a@b.c\"}", 0, "MISSING_FIELD", "password"},
		{"{\"email\":\"a@b.c\",\"password\":7}", 0, "WRONG_TYPE", "password"},
		{"{\"email\":[],\"password\":\"x\"}", 0, "WRONG_TYPE", "email"},
		{"{\"email\":\"a@b.c\",\"password\":\"x\",\"otp\":1}", 0, "UNKNOWN_FIELD", "otp"},
	};

	(void)state;
	refuse_bodies("/api/guests", guest, COUNT(guest));
	refuse_bodies("/api/login", login, COUNT(login));
}

/* A booking of two for an evening, with one field changed, added, or (value NULL) left out. */
static const char *booking(const char *field, const char *value, char out[2048])
{
	static char date[TEXT_DATE_SIZE + 2];
	const char *fields[][2] = {{"restaurantId", "1"},
				   {"slotDate", date},
				   {"slotTime", "\"20:00\""},
				   {"partySize", "2"},
				   {"reservationType", "\"RESERVATION_DEPOSIT\""},
				   {NULL, NULL}};
	char day[TEXT_DATE_SIZE];
	size_t n = 0, i;

	snprintf(date, sizeof date, "\"%s\"", coming(2, day));
	for (i = 0; fields[i][0] && strcmp(fields[i][0], field) != 0; i++)
		;
	fields[i][0] = field;
	fields[i][1] = value;
	for (i = 0; i < COUNT(fields); i++)
		if (fields[i][1])
			n += (size_t)snprintf(out + n, 2048 - n, "%c\"%s\":%s", n ? ',' : '{', fields[i][0], fields[i][1]);
	strcpy(out + n, "}");
	return out;
}

static const struct http_answer *book(const char *json)
{
	char headers[200];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\n%s", guests[0].bearer);
	return http_ask(box.port, (struct http_call){.path = "/api/reservations", .headers = headers, .body = json});
}

static void every_wrong_booking_names_its_field(void **state)
{
	char monday[TEXT_DATE_SIZE + 2], day[TEXT_DATE_SIZE], body[2048], text[HTTP_TEXT];
	const struct {
		const char *field, *value;
		int status;
		const char *code;
	} bad[] = {
		{"restaurantId", NULL, 400, "MISSING_FIELD"},
		{"restaurantId", "\"1\"", 400, "WRONG_TYPE"},
		{"restaurantId", "1.0", 400, "WRONG_TYPE"},
		{"restaurantId", "0", 400, "OUT_OF_RANGE"},
		{"restaurantId", "18446744073709551617", 400, "OUT_OF_RANGE"},
		{"restaurantId", "999", 404, "NO_SUCH_RESTAURANT"},
		{"slotDate", NULL, 400, "MISSING_FIELD"},
		{"slotDate", "20260120", 400, "WRONG_TYPE"},
		{"slotDate", "\"2026-02-30\"", 400, "BAD_DATE"},
		{"slotDate", "\"2026-01-20T11:00:00Z\"", 400, "BAD_DATE"},
		{"slotDate", "\"2020-01-21\"", 400, "PAST"},
		{"slotDate", "\"2099-01-20\"", 400, "TOO_FAR"},
		{"slotDate", monday, 400, "CLOSED_DAY"},
		{"slotTime", NULL, 400, "MISSING_FIELD"},
		{"slotTime", "1100", 400, "WRONG_TYPE"},
		{"slotTime", "\"30:00\"", 400, "BAD_TIME"},
		{"slotTime", "\"11:60\"", 400, "BAD_TIME"},
		{"slotTime", "\"11\"", 400, "BAD_TIME"},
		{"slotTime", "\"11:07\"", 400, "NO_SUCH_TIME"},
		{"slotTime", "\"03:00\"", 400, "NO_SUCH_TIME"},
		{"partySize", NULL, 400, "MISSING_FIELD"},
		{"partySize", "null", 400, "MISSING_FIELD"},
		{"partySize", "\"2\"", 400, "WRONG_TYPE"},
		{"partySize", "2.0", 400, "WRONG_TYPE"},
		{"partySize", "1e1", 400, "WRONG_TYPE"},
		{"partySize", "true", 400, "WRONG_TYPE"},
		{"partySize", "[2]", 400, "WRONG_TYPE"},
		{"partySize", "0", 400, "OUT_OF_RANGE"},
		{"partySize", "-1", 400, "OUT_OF_RANGE"},
		{"partySize", "4294967298", 400, "OUT_OF_RANGE"},
		{"partySize", "99999999999999999999999", 400, "OUT_OF_RANGE"},
		{"partySize", "13", 400, "PARTY_SIZE"},
		{"reservationType", NULL, 400, "MISSING_FIELD"},
		{"reservationType", "\"FREE\"", 400, "OUT_OF_RANGE"},
		{"requestMessage", "\"\\u0007\"", 400, "BAD_TEXT"},
		{"requestMessage", "\"" FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY "카\"", 400, "TOO_LONG"},
		{"userId", "999999", 403, "FORBIDDEN"},
		{"status", "\"CONFIRMED\"", 400, "UNKNOWN_FIELD"},
	};
	int64_t before = rows();

	(void)state;
	snprintf(monday, sizeof monday, "\"%s\"", coming(1, day));
	for (size_t i = 0; i < COUNT(bad); i++) {
		const struct http_answer *a = book(booking(bad[i].field, bad[i].value, body));

		if (a->status != bad[i].status || strcmp(http_text(a, "code", text), bad[i].code) != 0)
			fail_msg("%s: %d %s, not %s", body, a->status, a->body, bad[i].code);
		assert_string_equal(http_text(a, "field", text), bad[i].field);
		assert_int_equal(rows(), before);
	}
	expect_status(book(booking("requestMessage", "null", body)), 201);
	assert_int_equal(rows(), before + 1001); /* the reservation and its slot */
}

static void a_body_of_another_type_is_refused(void **state)
{
	static const char *const types[] = {
		"",
		"Content-Type: text/plain\r\n",
		"Content-Type: application/x-www-form-urlencoded\r\n",
		"Content-Type: application/jsonp\r\n",
		"Content-Type: text/application/json\r\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(types); i++)
		refuse(&(struct http_call){.path = "/api/guests", .headers = types[i], .body = "{\"name\":\"Kim\"," PHONE "}"},
		       415, "WRONG_MEDIA_TYPE", "");
}

static void too_large_a_body_is_413(void **state)
{
	static const size_t sizes[] = {70 * 1024, 10 * 1024 * 1024};
	char *body = malloc(sizes[1]);

	(void)state;
	assert_non_null(body);
	memset(body, ' ', sizes[1]);
	memcpy(body, "{\"name\":\"", 9);
	for (size_t i = 0; i < COUNT(sizes); i++)
		refuse(&(struct http_call){.path = "/api/guests", .body = body, .body_len = sizes[i]}, 413, "TOO_LARGE", "");
	free(body);
}

static void every_bad_query_names_its_parameter(void **state)
{
	static const struct {
		const char *query;
		int status;
		const char *code, *field;
	} bad[] = {
		{"", 400, "MISSING_FIELD", "restaurantId"},
		{"restaurantId=1", 400, "MISSING_FIELD", "slotDate"},
		{"restaurantId=&slotDate=2026-01-20", 400, "WRONG_TYPE", "restaurantId"},
		{"restaurantId=one&slotDate=2026-01-20", 400, "WRONG_TYPE", "restaurantId"},
		{"restaurantId=1e3&slotDate=2026-01-20", 400, "WRONG_TYPE", "restaurantId"},
		{"restaurantId=2.0&slotDate=2026-01-20", 400, "WRONG_TYPE", "restaurantId"},
		{"restaurantId=+1&slotDate=2026-01-20", 400, "WRONG_TYPE", "restaurantId"},
		{"restaurantId=0&slotDate=2026-01-20", 400, "OUT_OF_RANGE", "restaurantId"},
		{"restaurantId=-1&slotDate=2026-01-20", 400, "OUT_OF_RANGE", "restaurantId"},
		{"restaurantId=9223372036854775808&slotDate=2026-01-20", 400, "WRONG_TYPE", "restaurantId"},
		{"restaurantId=1&restaurantId=1&slotDate=2026-01-20", 400, "DUPLICATE_KEY", "restaurantId"},
		{"restaurantId=%31%00&slotDate=2026-01-20", 400, "BAD_TEXT", "restaurantId"},
		{"restaurantId=%zz&slotDate=2026-01-20", 400, "BAD_TEXT", "restaurantId"},
		{"restaurantId=1&slotDate=2026-01-2%", 400, "BAD_TEXT", "slotDate"},
		{"restaurantId=1&slotDate=2026-01-2%3", 400, "BAD_TEXT", "slotDate"},
		{"restaurantId=1&slotDate=%c0%af", 400, "BAD_TEXT", "slotDate"},
		{"restaurantId=1&slotDate=2026-02-30", 400, "BAD_DATE", "slotDate"},
		{"restaurantId=1&slotDate=2026-13-01", 400, "BAD_DATE", "slotDate"},
		{"restaurantId=1&slotDate=2025-02-29", 400, "BAD_DATE", "slotDate"},
		{"restaurantId=1&slotDate=20260120", 400, "BAD_DATE", "slotDate"},
		{"restaurantId=1&slotDate=2026-1-20", 400, "BAD_DATE", "slotDate"},
		{"restaurantId=1&slotDate=2026-01-20T00:00", 400, "BAD_DATE", "slotDate"},
		{"restaurantId=1&slotDate=tomorrow", 400, "BAD_DATE", "slotDate"},
		{"restaurantId=1&slotDate=2026-01-20&slotDate=2026-01-21", 400, "DUPLICATE_KEY", "slotDate"},
		{"restaurantId=1&slotDate=2026-01-20&partySize=0", 400, "OUT_OF_RANGE", "partySize"},
		{"restaurantId=1&slotDate=2026-01-20&partySize=-2", 400, "OUT_OF_RANGE", "partySize"},
		{"restaurantId=1&slotDate=2026-01-20&partySize=1001", 400, "OUT_OF_RANGE", "partySize"},
		{"restaurantId=1&slotDate=2026-01-20&partySize=two", 400, "WRONG_TYPE", "partySize"},
		{"restaurantId=1&slotDate=2026-01-20&partySize=2&partySize=3", 400, "DUPLICATE_KEY", "partySize"},
		{"restaurantId=999&slotDate=2026-01-20", 404, "NO_SUCH_RESTAURANT", "restaurantId"},
	};
	char path[300];

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		snprintf(path, sizeof path, "/api/reservations/slots?%s", bad[i].query);
		refuse(&(struct http_call){.path = path}, bad[i].status, bad[i].code, bad[i].field);
	}
}

/* One reader of parameters: the same mistake has the same name at every address. */
static void a_wrong_parameter_is_called_the_same_everywhere(void **state)
{
	static const char *const addresses[] = {
		"/api/reservations/slots?slotDate=2026-01-20&%s",
		"/api/reservations/days?month=2026-01&%s",
	};
	static const struct {
		const char *query;
		int status;
		const char *code, *field;
	} bad[] = {
		{"restaurantId=1&partySize=abc", 400, "WRONG_TYPE", "partySize"},
		{"restaurantId=1&partySize=0", 400, "OUT_OF_RANGE", "partySize"},
		{"restaurantId=1&partySize=1001", 400, "OUT_OF_RANGE", "partySize"},
		{"restaurantId=1&partySize=2&partySize=2", 400, "DUPLICATE_KEY", "partySize"},
		{"restaurantId=abc", 400, "WRONG_TYPE", "restaurantId"},
		{"restaurantId=0", 400, "OUT_OF_RANGE", "restaurantId"},
		{"restaurantId=999", 404, "NO_SUCH_RESTAURANT", "restaurantId"},
		{"", 400, "MISSING_FIELD", "restaurantId"},
	};
	char path[200];

	(void)state;
	for (size_t a = 0; a < COUNT(addresses); a++)
		for (size_t i = 0; i < COUNT(bad); i++) {
			size_t n = (size_t)(strchr(addresses[a], '%') - addresses[a]);

			snprintf(path, sizeof path, "%.*s%s", (int)n, addresses[a], bad[i].query);
			refuse(&(struct http_call){.path = path}, bad[i].status, bad[i].code, bad[i].field);
		}
}

static void unknown_addresses_are_404(void **state)
{
	static const char *const paths[] = {
		"/api/",
		"/api/nothing",
		"/api/restaurants/",
		"/api/restaurants/abc",
		"/api/restaurants/0",
		"/api/restaurants/-1",
		"/api/restaurants/1e3",
		"/api/restaurants/99999999999999999999",
		"/api/restaurants/1/",
		"/api/restaurants/1/menu",
		"/api/Restaurants/1",
		"/api/reservations/slots/1",
		"/api/reservations/%00",
		"/api/reservations/my%20",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(paths); i++) {
		const struct http_answer *a = get(paths[i]);

		if (a->status != 404 && !(a->status == 400 && strstr(paths[i], "%00")))
			fail_msg("%s: %d %s", paths[i], a->status, a->body);
	}
	expect_error(get("/api/nothing"), 404, "NOT_FOUND");
	expect_error(get("/api/restaurants/999"), 404, "NO_SUCH_RESTAURANT");
	expect_error(http_post(box.port, "/api/nothing", "{}"), 404, "NOT_FOUND");
}

static void wrong_methods_are_405_and_told_the_right_one(void **state)
{
	static const struct {
		const char *method, *path, *allow;
	} wrong[] = {
		{"GET", "/api/guests", "POST"},         {"PUT", "/api/guests", "POST"},
		{"DELETE", "/api/login", "POST"},       {"POST", "/api/restaurants/1", "GET"},
		{"DELETE", "/healthz", "GET"},          {"POST", "/api/reservations/slots", "GET"},
		{"PATCH", "/api/restaurants/1", "GET"}, {"HEAD", "/api/guests", "POST"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		const struct http_answer *a = http_ask(box.port,
						       (struct http_call){
							       .method = wrong[i].method,
							       .path = wrong[i].path,
							       .body = strcmp(wrong[i].method, "POST") == 0 ? "{}" : NULL,
						       });

		expect_status(a, 405);
		assert_true(http_header_has(a, "Allow", wrong[i].allow));
	}
	expect_error(get("/api/guests"), 405, "METHOD_NOT_ALLOWED");
}

static void path_tricks_lead_nowhere(void **state)
{
	static const char *const paths[] = {
		"/../../../../../etc/passwd",
		"/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
		"/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
		"/api/../../../../../etc/passwd",
		"/api/%2e%2e/%2e%2e/run/secret.key",
		"//etc/passwd",
		"/./run/jari.db",
		"/api//restaurants//1",
		"/api/./restaurants/1",
		"/api/x/../restaurants/1",
		"/api/restaurants/1%2f..%2f2",
		"/api/restaurants/..%2fguests",
		"/healthz/..%00",
		"//healthz",
		"/healthz/",
		"/healthz%2f",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(paths); i++) {
		const struct http_answer *a = get(paths[i]);

		if (a->status != 200 && (a->status < 400 || a->status > 405))
			fail_msg("%s: %d", paths[i], a->status);
		/* What did lead somewhere led to the address that it is once it is made plain. */
		if (a->status == 200 && !strstr(a->body, "\"restaurantId\":1") && !strstr(a->body, "\"status\":\"ok\""))
			fail_msg("%s: %s", paths[i], a->body);
		assert_null(strstr(a->body, "root:"));
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(health_says_ok),
	cmocka_unit_test(metrics_are_what_prometheus_reads),
	cmocka_unit_test(the_metrics_tell_how_the_box_is),
	cmocka_unit_test(metrics_are_for_this_machine_alone),
	cmocka_unit_test(a_cgi_program_refuses_metrics_to_others_and_sends_the_policy_of_nginx),
	cmocka_unit_test(a_restaurant_tells_its_hours_policies_and_menu),
	cmocka_unit_test(an_open_day_lists_its_times_and_seats),
	cmocka_unit_test(a_closed_day_has_no_times),
	cmocka_unit_test(days_past_and_days_too_far_offer_nothing),
	cmocka_unit_test(taken_seats_are_gone_for_everybody),
	cmocka_unit_test(a_due_hold_takes_no_seats_whether_swept_or_not),
	cmocka_unit_test(a_guest_introduces_themselves_and_nothing_is_written),
	cmocka_unit_test(a_newcomer_books_and_is_introduced_by_it),
	cmocka_unit_test(a_newcomer_needs_a_key_and_a_name_and_no_number),
	cmocka_unit_test(the_status_line_carries_a_reason),
	cmocka_unit_test(a_key_is_for_one_message_and_one_choice_of_dishes),
	cmocka_unit_test(a_login_that_has_ended_hears_nothing_of_what_was_booked),
	cmocka_unit_test(a_key_tells_how_it_stands_now_and_is_for_one_kind_of_booking),
	cmocka_unit_test(a_chunked_body_is_read_like_any_other),
	cmocka_unit_test(an_account_logs_in_by_its_password_only),
	cmocka_unit_test(the_seeds_client_may_send_a_user_type),
	cmocka_unit_test(the_cookie_is_a_login_that_no_script_reads),
	cmocka_unit_test(other_sites_cannot_post),
	cmocka_unit_test(my_reservations_are_mine_alone),
	cmocka_unit_test(one_reservation_opens_for_guest_staff_and_manage_token),
	cmocka_unit_test(no_other_guest_learns_that_a_reservation_exists),
	cmocka_unit_test(staff_of_another_restaurant_can_neither_see_nor_cancel),
	cmocka_unit_test(no_bad_token_opens_anything),
	cmocka_unit_test(messages_are_korean_or_english_as_asked),
	cmocka_unit_test(head_is_get_without_its_body),
	cmocka_unit_test(json_that_is_not_json_is_refused),
	cmocka_unit_test(text_that_is_not_text_is_refused),
	cmocka_unit_test(every_wrong_field_is_named),
	cmocka_unit_test(every_wrong_booking_names_its_field),
	cmocka_unit_test(a_body_of_another_type_is_refused),
	cmocka_unit_test(too_large_a_body_is_413),
	cmocka_unit_test(every_bad_query_names_its_parameter),
	cmocka_unit_test(a_wrong_parameter_is_called_the_same_everywhere),
	cmocka_unit_test(unknown_addresses_are_404),
	cmocka_unit_test(wrong_methods_are_405_and_told_the_right_one),
	cmocka_unit_test(path_tricks_lead_nowhere),
};

int main(void)
{
	int failed = cmocka_run_group_tests_name("nginx and FastCGI", tests, set_up_nginx, tear_down);

	appliance_free(&box); /* should the teardown have failed */
	failed += cmocka_run_group_tests_name("lighttpd and plain CGI", tests, set_up_cgi, tear_down);
	appliance_free(&box); /* should the teardown have failed */
	return failed;
}
