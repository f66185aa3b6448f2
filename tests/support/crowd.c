/*
 * crowd.c - a crowd at the door.
 */
#include "crowd.h"

#include "clock.h"
#include "unit.h"
#include "zone.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS = 128, LIMIT_MS = 20000, AGAIN_MS = 30, TICK_MS = 5 };
enum step { RESTING, UNDER_WAY, OVER }; /* resting until due_us */

/* ---- one connection ---- */

static void compose(struct crowd_guest *g)
{
	char key[128] = "";
	const char *method = g->method ? g->method : "POST", *body = g->body;
	char path[160];

	snprintf(path, sizeof path, "%s", g->path ? g->path : "/api/reservations");
	if (g->status == 429 && g->ticket[0]) {
		snprintf(path, sizeof path, "/api/tickets/%s", g->ticket);
		method = "GET";
		body = "";
	}
	if (g->key)
		snprintf(key, sizeof key, "Idempotency-Key: %s\r\n", g->key);
	/* HTTP/1.0: no chunks, the answer ends with the connection. */
	g->out_len = (size_t)snprintf(
	    g->out, sizeof g->out,
	    "%s %s HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n%sContent-Type: application/json\r\n"
	    "Content-Length: %zu\r\n\r\n%s",
	    method, path, g->token, key, strlen(body), body);
	assert_true(g->out_len < sizeof g->out);
}

static void begin(const struct crowd *c, int poll_fd, struct crowd_guest *g, size_t which, int64_t now)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)c->port)};
	struct linger hard = {.l_onoff = 1, .l_linger = 0}; /* no TIME_WAIT: thousands of ports come and go */
	int one = 1;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	g->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | (c->apart_ms ? 0 : SOCK_NONBLOCK), 0);
	assert_true(g->fd >= 0);
	setsockopt(g->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	setsockopt(g->fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
	compose(g);
	g->sent = g->in_len = 0;
	g->step = UNDER_WAY;
	g->sent_us = now;
	if (connect(g->fd, (struct sockaddr *)&to, sizeof to) != 0)
		assert_true(!c->apart_ms && errno == EINPROGRESS);
	if (c->apart_ms) { /* on its way before anybody else's is thought of */
		assert_int_equal(send(g->fd, g->out, g->out_len, MSG_NOSIGNAL), g->out_len);
		g->sent = g->out_len;
		fcntl(g->fd, F_SETFL, O_NONBLOCK);
	}
	epoll_ctl(poll_fd, EPOLL_CTL_ADD, g->fd,
		  &(struct epoll_event){.events = EPOLLIN | EPOLLOUT, .data.u64 = which});
}

/* Sends and reads what there is; true when the connection has ended. */
static bool attend(int poll_fd, struct crowd_guest *g, size_t which)
{
	ssize_t n;

	while (g->sent < g->out_len && (n = send(g->fd, g->out + g->sent, g->out_len - g->sent, MSG_NOSIGNAL)) > 0) {
		g->sent += (size_t)n;
		if (g->sent == g->out_len)
			epoll_ctl(poll_fd, EPOLL_CTL_MOD, g->fd,
				  &(struct epoll_event){.events = EPOLLIN, .data.u64 = which});
	}
	while ((n = recv(g->fd, g->in + g->in_len, sizeof g->in - 1 - g->in_len, 0)) > 0)
		g->in_len += (size_t)n;
	g->in[g->in_len] = '\0';
	return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

/* ---- an answer ---- */

static void copy_text(struct json_object *root, const char *name, char *out, size_t size)
{
	struct json_object *value;

	if (json_object_object_get_ex(root, name, &value) && json_object_is_type(value, json_type_string))
		snprintf(out, size, "%s", json_object_get_string(value));
}

/* Takes the answer apart; false when there is none that counts. */
static bool understand(struct crowd_guest *g)
{
	const char *body = strstr(g->in, "\r\n\r\n");
	struct json_object *root = body ? json_tokener_parse(body + 4) : NULL, *value;
	int status = 0;

	if (!json_object_is_type(root, json_type_object) || sscanf(g->in, "HTTP/%*s %d", &status) != 1) {
		json_object_put(root);
		return false;
	}
	g->answers++;
	g->status = status;
	g->code[0] = '\0';
	copy_text(root, "code", g->code, sizeof g->code);
	copy_text(root, "ticket", g->ticket, sizeof g->ticket);
	if (json_object_object_get_ex(root, "reservationId", &value))
		g->reservation = json_object_get_int64(value);
	json_object_put(root);
	return true;
}

static int pause_ms(const struct crowd *c)
{
	int from = c->poll_min_ms ? c->poll_min_ms : 20, to = c->poll_max_ms ? c->poll_max_ms : 200;

	return from + rand() % (to - from + 1);
}

/* What the guest does next. */
static void conclude(const struct crowd *c, struct crowd_guest *g, bool understood, int64_t now, int64_t start)
{
	bool unknown = !understood || g->status >= 500;
	int64_t us = now - g->sent_us;

	close(g->fd);
	g->fd = -1;
	if (g->answers <= 1 && understood) {
		g->first_us = us;
		g->first_status = g->status;
	}
	g->slowest_us = us > g->slowest_us ? us : g->slowest_us;
	g->unknown += unknown;
	g->waits += understood && g->status == 429;
	g->step = OVER;
	g->over_us = now - start;
	if (unknown && c->persist) {
		g->step = RESTING;
		g->status = 0;
		g->due_us = now + AGAIN_MS * 1000;
	} else if (c->follow && g->status == 429 && strcmp(g->code, "WAITING") == 0) {
		g->step = RESTING;
		if (g->patience_ms)
			g->status = 0; /* asks by sending the same again, as simple clients do */
		g->due_us = now + (int64_t)pause_ms(c) * 1000;
	} else if ((g->patience_ms || (c->persist && g->unknown)) && strcmp(g->code, "IN_PROGRESS") == 0) {
		g->step = RESTING;
		g->status = 0;
		g->due_us = now + (int64_t)pause_ms(c) * 1000;
	}
}

/* Ends what takes longer than its guest has patience. */
static size_t give_up(struct crowd_guest *guests, size_t n, int64_t now)
{
	size_t ended = 0;

	for (size_t i = 0; i < n; i++) {
		struct crowd_guest *g = &guests[i];

		if (g->step != UNDER_WAY || !g->patience_ms || now - g->sent_us < g->patience_ms * INT64_C(1000))
			continue;
		close(g->fd);
		g->fd = -1;
		g->step = RESTING;
		g->status = 0;
		g->due_us = now;
		ended++;
	}
	return ended;
}

static void allow_many_files(void)
{
	struct rlimit r;

	getrlimit(RLIMIT_NOFILE, &r);
	r.rlim_cur = r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
}

/* Begins whatever is due; whether anybody still has something before him. */
static bool begin_due(const struct crowd *c, int poll_fd, struct crowd_guest *guests, size_t n, size_t *open)
{
	static int64_t last_first; /* when somebody last sent his first request */
	int64_t now = clock_mono_us();
	bool any = *open > 0, spaced = c->apart_ms && now - last_first < c->apart_ms * INT64_C(1000);

	for (size_t i = 0; i < n; i++) {
		bool newcomer = guests[i].sent_us == 0;

		if (guests[i].step != RESTING)
			continue;
		any = true;
		if (guests[i].due_us > now || (guests[i].after && guests[i].after->step != OVER) ||
		    (c->at_once && *open >= c->at_once) || (newcomer && spaced))
			continue;
		begin(c, poll_fd, &guests[i], i, clock_mono_us());
		++*open;
		if (newcomer) {
			last_first = clock_mono_us();
			spaced = c->apart_ms > 0;
		}
	}
	return any;
}

bool crowd_run(const struct crowd *c, struct crowd_guest *guests, size_t n)
{
	int64_t start = clock_mono_us(), until = start + (c->limit_ms ? c->limit_ms : LIMIT_MS) * INT64_C(1000),
		ticked = 0;
	int poll_fd = epoll_create1(EPOLL_CLOEXEC);
	size_t open = 0;
	bool any = true;

	allow_many_files();
	for (size_t i = 0; i < n; i++) {
		guests[i].step = RESTING;
		guests[i].fd = -1;
		guests[i].due_us = start + guests[i].at_ms * 1000;
	}
	while ((any = begin_due(c, poll_fd, guests, n, &open)) && clock_mono_us() < until) {
		struct epoll_event events[EVENTS];
		int got = epoll_wait(poll_fd, events, EVENTS, 1);

		for (int i = 0; i < got; i++) {
			struct crowd_guest *g = &guests[events[i].data.u64];

			if (g->step != UNDER_WAY || !attend(poll_fd, g, events[i].data.u64))
				continue;
			conclude(c, g, understand(g), clock_mono_us(), start);
			open--;
		}
		open -= give_up(guests, n, clock_mono_us());
		if (c->tick && clock_mono_us() - ticked > TICK_MS * 1000) {
			ticked = clock_mono_us();
			c->tick(c->arg, (ticked - start) / 1000);
		}
	}
	for (size_t i = 0; i < n; i++)
		if (guests[i].fd >= 0) {
			close(guests[i].fd);
			guests[i].fd = -1;
		}
	close(poll_fd);
	return !any;
}

/* ---- counting ---- */

int crowd_count(const struct crowd_guest *guests, size_t n, int status, const char *code)
{
	int found = 0;

	for (size_t i = 0; i < n; i++)
		found += guests[i].step == OVER && guests[i].status == status &&
			 (!code || strcmp(guests[i].code, code) == 0);
	return found;
}

int crowd_unknown(const struct crowd_guest *guests, size_t n)
{
	int found = 0;

	for (size_t i = 0; i < n; i++)
		found += guests[i].unknown > 0 || guests[i].step != OVER;
	return found;
}

void crowd_print(const char *what, const struct crowd_guest *guests, size_t n)
{
	int64_t first = 0, last = 0;
	int ok = crowd_count(guests, n, 201, NULL), full = crowd_count(guests, n, 409, "SLOT_FULL");

	for (size_t i = 0; i < n; i++) {
		first = guests[i].first_us > first ? guests[i].first_us : first;
		last = guests[i].over_us > last ? guests[i].over_us : last;
	}
	print_message("# %s: %zu guests, %d booked, %d full, %d otherwise, %d unknown; slowest first answer %lld ms, "
		      "last outcome after %lld ms\n",
		      what, n, ok, full, (int)n - ok - full, crowd_unknown(guests, n), (long long)first / 1000,
		      (long long)last / 1000);
}

/* ---- the stage ---- */

void crowd_users(const struct appliance *a, int n)
{
	appliance_sql(a,
		      "WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO users"
		      " (user_id, user_type, name, email) SELECT i, 'ACCOUNT', 'guest ' || i, 'crowd.' || i || "
		      "'@example.com' FROM n",
		      CROWD_USERS_FROM, CROWD_USERS_FROM + n - 1);
}

const char *crowd_token(const struct appliance *a, int user)
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
		token_sign(known.key,
			   &(struct token){.purpose = TOKEN_LOGIN, .id = CROWD_USERS_FROM + user, .version = 1},
			   tokens[user]);
	return tokens[user];
}

void crowd_day(int nth, char out[TEXT_DATE_SIZE])
{
	struct date day;
	int minute;

	for (int i = 2, open = -1; open < nth; i++) {
		int64_t then = clock_now_s() + i * INT64_C(86400);

		assert_true(zone_to_local("Asia/Seoul", then, &day, &minute));
		open +=
		    (text_days(day) + 3) % 7 != 0; /* 1970-01-01 was a Thursday; the demo restaurant rests on Mondays */
	}
	snprintf(out, TEXT_DATE_SIZE, "%04u-%02u-%02u", (unsigned)day.year % 10000, (unsigned)day.month % 100,
		 (unsigned)day.day % 100);
}

void crowd_wants(const struct appliance *a, struct crowd_guest *g, int user, const char *date, const char *time,
		 int party)
{
	*g = (struct crowd_guest){.token = crowd_token(a, user)};
	snprintf(g->body, sizeof g->body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\"}",
		 date, time, party);
}

struct hall *crowd_hall(const struct appliance *a)
{
	static struct hall hall;

	if (hall.line)
		hall_detach(&hall);
	assert_int_equal(hall_attach(&hall, a->dir), ERR_OK);
	return &hall;
}

/* ---- judging ---- */

static struct crowd_verdict wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
static struct crowd_verdict wrong(const char *format, ...)
{
	struct crowd_verdict v;
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
		if (crowd_token(a, i) == g->token)
			return CROWD_USERS_FROM + i;
	return 0;
}

static struct crowd_verdict judge_guest(sqlite3 *book, const struct appliance *a, const struct crowd_guest *g,
					size_t who, bool alone)
{
	int64_t user = user_of(g, a, 8192);

	if (g->step != OVER)
		return wrong("guest %zu has no outcome (last %d %s)", who, g->status, g->code);
	if (g->status == 201 &&
	    ask(book, "SELECT count(*) FROM reservations WHERE reservation_id = ?1 AND user_id = ?2", g->reservation,
		user) != 1)
		return wrong("guest %zu was told of reservation %lld, which is not in the book", who,
			     (long long)g->reservation);
	/* Refused for lack of seats and never in doubt: he may have no reservation by that ticket. */
	if (g->status == 409 && g->unknown == 0 && strcmp(g->code, "SLOT_FULL") == 0 &&
	    ask(book, "SELECT count(*) FROM reservations WHERE user_id = ?1", user, 0) != 0)
		return wrong("guest %zu was refused and is in the book", who);
	if (g->status == 409 && g->unknown == 0 &&
	    (strcmp(g->code, "DUPLICATE") == 0 || strcmp(g->code, "IN_PROGRESS") == 0) && alone)
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

struct crowd_verdict crowd_judge(const struct appliance *a, const struct crowd_guest *guests, size_t n)
{
	struct hall *hall = crowd_hall(a);
	struct crowd_verdict v = wrong("%s", "");
	sqlite3 *book = appliance_book(a);

	for (size_t i = 0; i < n && !v.text[0]; i++)
		v = judge_guest(book, a, &guests[i], i, guests[i].status != 409 || asked_once(guests, n, i));
	if (!v.text[0] && ask(book,
			      "SELECT count(*) FROM (SELECT 1 FROM reservations WHERE is_active = 1"
			      " GROUP BY user_id, slot_id HAVING count(*) > 1)",
			      0, 0) != 0)
		v = wrong("somebody is booked twice into one slot");
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

struct crowd_verdict crowd_judge_first(const struct appliance *a, const char *date, const char *time, uint64_t first,
				       int winners)
{
	int64_t many =
	    appliance_number(a,
			     "SELECT count(*) FROM reservations JOIN restaurant_reservation_slots USING (slot_id)"
			     " WHERE slot_date = '%s' AND slot_time = '%s'",
			     date, time);
	int64_t last =
	    appliance_number(a,
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

void crowd_expect(struct crowd_verdict v)
{
	if (v.text[0])
		fail_msg("%s", v.text);
}
