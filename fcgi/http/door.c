/*
 * door.c - the door.
 */
#include "door.h"

#include "auth.h"
#include "batch.h"
#include "clock.h"
#include "facts.h"
#include "failpoint.h"
#include "log.h"
#include "route.h"
#include "swap.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
	/* Older than this at the door, the web server (fastcgi_read_timeout 30s) is about to give up on it. */
	STALE_MS = 25000,
	LIVE_S = 30, /* a day that is watched is read again at least this often */
	LOST_NOTE = 200,
	WAITED_MS = 5, /* so old, a request has stood in the backlog: no worker was free for it */
};

enum err door_open(struct door *d, const char *dir)
{
	memset(d, 0, sizeof *d);
	d->post = -1;
	snprintf(d->dir, sizeof d->dir, "%s", dir);
	if (!token_init())
		return ERR_INTERNAL;
	if (swap_finish(dir) == ERR_OK && token_read_key(dir, d->key))
		return hall_attach(&d->hall, dir);
	log_error("door.no_key", "file=%s/secret.key", dir);
	return ERR_INTERNAL;
}

void door_close(struct door *d)
{
	if (d->book_open)
		db_close(&d->db);
	hall_detach(&d->hall);
}

void door_leave(struct door *d)
{
	if (d->book_open)
		db_close(&d->db);
	hall_leave(&d->hall);
}

enum err door_open_book(struct door *d)
{
	enum err e = ERR_OK;

	if (d->book_open)
		return ERR_OK;
	e = db_open(&d->db, d->dir, &d->hall);
	d->book_open = e == ERR_OK;
	/* A restore may have brought another book between the key and this one: the key is read again with it. */
	if (e == ERR_OK && !token_read_key(d->dir, d->key))
		log_error("door.no_key", "file=%s/secret.key", d->dir);
	return e;
}

/* The book, and numbers for the line to draw. */
enum err door_need_book(struct door *d)
{
	enum err e = d->book_open && db_seems_gone(&d->db) ? ERR_BOOK_GONE : door_open_book(d);

	return e == ERR_OK ? batch_prepare(&d->db) : e;
}

void door_warm(struct door *d)
{
	if (door_need_book(d) == ERR_OK)
		stmt_warm(&d->db);
}

void door_look(struct door *d)
{
	if (d->book_open)
		db_is_gone(&d->db);
}

bool door_spoiled(const struct door *d)
{
	return d->book_open && (db_poisoned(&d->db) || d->db.gone);
}

static bool is_json(const char *content_type)
{
	static const char json[] = "application/json";
	size_t n = sizeof json - 1;

	return strncasecmp(content_type, json, n) == 0 &&
	       (content_type[n] == '\0' || content_type[n] == ';' || content_type[n] == ' ');
}

/* One that the web server does not date may have waited; so may one that is dated later than now. */
static bool has_waited(const struct req *r)
{
	int64_t age_ms = clock_age_ms(r->arrived_ms);

	return age_ms > WAITED_MS || age_ms < 0;
}

/*
 * Has the client stopped waiting for the answer?  A write asks always.  A read that found a worker at once is over before its
 * client could have left, so only one that stood in the backlog asks, which costs a system call: a client that hangs up and
 * comes again must not keep the workers busy with what it has left behind.
 */
static bool is_left_behind(struct call *c)
{
	const struct req *r = c->req;

	if (!(c->route->flags & WRITES) && !has_waited(r))
		return false;
	c->gone = r->gone(r);
	return (c->gone || (r->arrived_ms && clock_age_ms(r->arrived_ms) > STALE_MS)) && !WITHOUT("left-behind");
}

/* What can be told from the request alone. */
static enum err check_request(struct call *c)
{
	const struct req *r = c->req;
	unsigned flags = c->route->flags;

	if (r->body_error != ERR_OK)
		return r->body_error;
	if (is_left_behind(c)) {
		counters_count(c->door->hall.counters, COUNTER_stale_requests);
		return ERR_TOO_LATE;
	}
	if (r->body.len > REQ_BODY_MAX && !(flags & LONG))
		return ERR_TOO_LARGE;
	if (flags & WRITES) {
		enum err e = auth_same_site(r);

		if (e != ERR_OK)
			return e;
	}
	return flags & JSON && !is_json(r->content_type) ? ERR_WRONG_MEDIA_TYPE : ERR_OK;
}

/* Of a login or of a guest's card; 0: neither. */
static uint64_t caller_of(const struct call *c)
{
	return (uint64_t)(c->who.user.id ? c->who.user.id : c->who.card.id);
}

/* Not too often: per address, and per login.  Requests from this machine itself are not limited. */
static enum err check_limits(struct call *c)
{
	struct rate *rate = c->door->hall.rate;
	uint64_t address = req_source(c->req), who = caller_of(c);

	assert(c->route->flags & LIMITED);
	if (!address || (rate_within(rate, RATE_ADDRESS, address, &c->reply->retry_after_s) &&
			 (!who || rate_within(rate, RATE_USER, who, &c->reply->retry_after_s))))
		return ERR_OK;
	return ERR_RATE_LIMITED;
}

void door_give_back(struct call *c)
{
	struct rate *rate = c->door->hall.rate;
	uint64_t address = req_source(c->req), who = caller_of(c);

	assert(c->route->flags & LIMITED);
	if (address)
		rate_give_back(rate, RATE_ADDRESS, address);
	if (address && who)
		rate_give_back(rate, RATE_USER, who);
}

/*
 * One address may keep only a share of the workers on what guests read, once requests have to wait for a worker.  Requests
 * from this machine itself are not limited, nor is the desk: staff share the house's address with every guest in it.
 */
static enum err check_share(struct call *c)
{
	struct board *b = c->door->hall.board;
	uint64_t source;

	if (c->route->method != GET || c->route->who >= STAFF || c->route->flags & WITHOUT_BOOK || c->door->post < 0)
		return ERR_OK;
	source = req_source(c->req);
	if (source && has_waited(c->req) && !board_may_read(b, source) && !WITHOUT("share")) {
		c->reply->retry_after_s = 1;
		return ERR_RATE_LIMITED;
	}
	board_reads_for(b, c->door->post, source);
	return ERR_OK;
}

/* Staff of one restaurant see only that one. */
static bool in_scope(const struct user *u, int64_t restaurant_id)
{
	return !u->restaurant_id || u->restaurant_id == restaurant_id;
}

static enum err load_restaurant(struct call *c)
{
	bool by_path = c->route->about == RESTAURANT && c->req->path_id_count > 0;
	int64_t id = c->req->path_ids[0];
	enum err e = by_path ? ERR_OK : call_int(c, "restaurantId", 1, INT64_MAX, CALL_REQUIRED, &id);

	if (e != ERR_OK)
		return e;
	e = c->who.user.id && !in_scope(&c->who.user, id) ? ERR_NO_SUCH_RESTAURANT : restaurants_get(c->db, id, &c->restaurant);
	return e == ERR_OK || by_path ? e : reply_field(c->reply, e, "restaurantId");
}

/* Did the caller make this reservation?  By login all reservations of that user are theirs, by card those made with it. */
static bool is_own(const struct auth *who, const struct reservation *v)
{
	return who->user.id ? who->user.id == v->user_id : who->card.id && who->card.id == v->card_id;
}

/* The number is noted for the desk, once: whoever opens such a link has a mail of ours, and nothing else is known of them. */
static void note_lost(const struct call *c, int64_t id)
{
	char words[LOST_NOTE], number[24];

	snprintf(number, sizeof number, " %lld,", (long long)id);
	facts_get(c->door->dir, FACT_LOST, words, sizeof words);
	if (strstr(words, number) || strlen(words) + sizeof number > sizeof words)
		return;
	strcat(words, number);
	facts_put(c->door->dir, FACT_LOST, c->now_s, words);
}

/* A link that we signed, to a reservation that is not here: made after the copy that is the book now. */
static enum err look_for_lost(struct call *c, int64_t id)
{
	int64_t lost = 0;
	enum err e = stmt_number(c->db, SQL_IS_LOST, &lost, "i", id);

	if (e != ERR_OK)
		return e;
	if (!lost)
		return ERR_NO_SUCH_RESERVATION;
	note_lost(c, id);
	return ERR_LOST_RESERVATION;
}

/*
 * By manage token, by the guest's own login or card, or by staff.  Everybody else gets the same answer as for a
 * reservation that does not exist.  The hold of a change is no guest's reservation: they see it with what it changes, and no
 * token opens it.
 */
static enum err load_reservation(struct call *c, int64_t id, int64_t managed)
{
	enum err found, e;

	assert(id > 0);
	found = booking_get(c->db, id, c->now_s, &c->reservation);
	if (found == ERR_NO_SUCH_RESERVATION && managed == id)
		found = look_for_lost(c, id);
	if (found != ERR_OK && found != ERR_NO_SUCH_RESERVATION)
		return found;
	c->by_guest = managed == id && (found != ERR_OK || !c->reservation.change_of);
	if (c->by_guest)
		return found;
	e = auth_check(c->door, c->req, &c->who);
	if (e != ERR_OK || found != ERR_OK)
		return e != ERR_OK ? e : found;
	c->by_guest = is_own(&c->who, &c->reservation) && !c->reservation.change_of;
	if (c->by_guest || (c->who.user.type >= USER_STAFF && in_scope(&c->who.user, c->reservation.restaurant_id)))
		return ERR_OK;
	return ERR_NO_SUCH_RESERVATION;
}

/* By the guest's own login or card, or by staff. */
static enum err load_waiter(struct call *c)
{
	enum err e = auth_check(c->door, c->req, &c->who);

	if (e == ERR_OK)
		e = waitlist_get(c->db, c->req->path_ids[0], &c->waiter);
	if (e != ERR_OK)
		return e;
	c->by_guest = c->who.user.id ? c->who.user.id == c->waiter.user_id :
				       c->who.card.id && c->who.card.id == c->waiter.card_id;
	if (c->by_guest || (c->who.user.type >= USER_STAFF && in_scope(&c->who.user, c->waiter.restaurant_id)))
		return ERR_OK;
	return ERR_NO_SUCH_WAIT;
}

/* By id for staff, by the token of its page for the party itself; with its restaurant. */
static enum err load_party(struct call *c, bool by_token)
{
	struct token t = {.id = by_token ? 0 : c->req->path_ids[0]};
	enum err e;

	if (by_token && !token_check(c->door->key, TOKEN_DOOR, c->req->path_word, c->now_s, &t))
		return ERR_NO_SUCH_PARTY;
	e = doorlist_get(c->db, t.id, &c->party);
	if (e == ERR_OK && !by_token && !in_scope(&c->who.user, c->party.restaurant_id))
		e = ERR_NO_SUCH_PARTY;
	return e == ERR_OK ? restaurants_get(c->db, c->party.restaurant_id, &c->restaurant) : e;
}

/* Who calls, and what about: as the row says. */
static enum err admit(struct call *c)
{
	int64_t managed;
	enum err e = ERR_OK;

	if (c->route->who >= LOGGED_IN)
		e = auth_check(c->door, c->req, &c->who);
	if (e == ERR_OK && !route_allows(c->route, &c->who.user))
		e = ERR_FORBIDDEN;
	if (e != ERR_OK)
		return e;
	switch (c->route->about) {
	case NOTHING:
		return ERR_OK;
	case RESTAURANT:
	case GUEST:
		return load_restaurant(c);
	case RESERVATION:
		e = load_reservation(c, c->req->path_ids[0], auth_managed(c->door, c->req));
		/* The desk of one restaurant has no business with another's, not even with a link to it. */
		if (e == ERR_OK && c->route->who >= STAFF && !in_scope(&c->who.user, c->reservation.restaurant_id))
			e = ERR_NO_SUCH_RESERVATION;
		return e;
	case WAITER:
		return load_waiter(c);
	case DOOR_PARTY:
	case DOOR_TOKEN:
		return load_party(c, c->route->about == DOOR_TOKEN);
	case MANAGED:
		managed = auth_managed(c->door, c->req);
		return managed ? load_reservation(c, managed, managed) : ERR_NO_SUCH_RESERVATION;
	}
	return ERR_INTERNAL;
}

static enum err handle(struct call *c)
{
	const struct buf *body = &c->req->body;
	enum err e;
	bool empty;

	assert(!(c->route->flags & MAY_BE_EMPTY) || c->route->flags & JSON);
	empty = c->route->flags & MAY_BE_EMPTY && body->len == 0;
	if (!(c->route->flags & JSON))
		return c->route->handle(c);
	in_open(&c->body, empty ? "{}" : body->data, empty ? 2 : body->len);
	e = c->route->handle(c);
	in_close(&c->body);
	return e;
}

/* What is said of the line is true within a factor of two, and whether there is one always is. */
static int magnitude(int64_t n)
{
	int bits = 0;

	for (; n > 0; n /= 2)
		bits++;
	return bits;
}

/*
 * A day that is asked for every second.  Its tag is made of the day's number, the edition of the settings, half a minute of
 * the clock (for what is written at the sqlite3 shell), how long the line is and who asks: while it is the same, nothing has
 * to be read.  Only the signature of the login is looked at here.  The number changes when a login ends, so the tags that it
 * had are wrong from then on; the box's key is in every tag, so they cannot make up another; and they are given none, because
 * a tag goes only with an answer to who is logged in.
 */
static bool has_not_changed(struct call *c)
{
	const char *known = c->req->header(c->req, "HTTP_IF_NONE_MATCH");
	struct edition *n = c->door->hall.edition;
	char date[TEXT_DATE_SIZE] = "", state[112];
	int64_t restaurant = 0;
	struct auth who;

	if (auth_token(c->door, c->req, &who) != ERR_OK || !who.user.id ||
	    req_param(c->req, "date", date, sizeof date) != ERR_OK ||
	    call_int(c, "restaurantId", 1, INT64_MAX, 0, &restaurant) != ERR_OK)
		return false;
	c->line = (int64_t)line_length(c->door->hall.line);
	snprintf(state, sizeof state, "day %llx.%llx.%llx.%llx.%d.%d", (unsigned long long)edition_day(n, restaurant, date),
		 (unsigned long long)edition_settings(n), (unsigned long long)c->now_s / LIVE_S, (unsigned long long)who.login,
		 (int)c->req->lang, magnitude(c->line));
	snprintf(c->tag, sizeof c->tag, "\"%016llx\"", (unsigned long long)token_number_of(c->door->key, state));
	/* nginx makes it W/"..." where it compresses */
	return known && strstr(known, c->tag);
}

/* One moment of the book for everything that is checked, and for what the handler reads unless it may wait. */
static enum err pass(struct call *c)
{
	bool may_wait, reads;
	enum err e;

	assert(!(c->route->method == GET && c->route->flags & WRITES) && !c->db->reading);
	may_wait = c->route->flags & MAY_WAIT;
	reads = c->route->who >= LOGGED_IN || c->route->about != NOTHING;
	e = check_request(c);
	if (e == ERR_OK && c->route->flags & LIVE && has_not_changed(c)) {
		c->reply->status = 304;
		return ERR_OK;
	}
	if (c->route->flags & WITHOUT_BOOK)
		return e == ERR_OK ? handle(c) : e;
	if (e == ERR_OK)
		e = check_share(c);
	if (e == ERR_OK)
		e = door_need_book(c->door);
	if (e == ERR_OK && c->route->who == ANY_TOKEN && auth_token(c->door, c->req, &c->who) != ERR_OK)
		c->who = (struct auth){0};
	if (e == ERR_OK && c->route->flags & LIMITED)
		e = check_limits(c);
	if (e != ERR_OK)
		return e;
	if (reads || !may_wait) {
		e = db_read_begin(c->db);
		if (e != ERR_OK)
			return e;
		e = admit(c);
		if (e == ERR_OK && !may_wait)
			e = handle(c);
		db_read_end(c->db);
	}
	return e == ERR_OK && may_wait ? handle(c) : e;
}

/*
 * How it ended, in one line of the web server's log instead of one of our own: a rush of refusals costs no write.  nginx
 * takes the header out again.  Nothing in it is personal, and a ticket's number opens nothing.  Only a worker says it: who is
 * in front of a CGI program would pass it on.
 */
static void tell_log(struct call *c, enum err e)
{
	const struct call_trace *t = &c->trace;
	char text[160];
	int n;

	if (c->door->post < 0 || (e == ERR_OK && !t->ticket))
		return;
	n = snprintf(text, sizeof text, "code=%s", err_word(e));
	if (t->ticket)
		n += snprintf(text + n, sizeof text - (size_t)n, " ticket=%llu", (unsigned long long)t->ticket);
	if (t->party)
		snprintf(text + n, sizeof text - (size_t)n, " slot=%lld/%s/%s party=%d", (long long)t->restaurant_id, t->date,
			 t->time, t->party);
	reply_header(c->reply, "Jari-Outcome", text);
}

/*
 * Has anything changed, on whichever day?  A tablet that watches one day reads this beside its 304, and asks for the news
 * (api_news.c) only when the number is another one.
 */
static void tell_mark(struct reply *reply, uint64_t mark)
{
	char text[24];

	snprintf(text, sizeof text, "%llx", (unsigned long long)mark);
	reply_header(reply, "Jari-News", text);
}

static void count(struct counters *n, enum err e, const struct reply *reply)
{
	counters_count(n, reply->status < 300 ? COUNTER_answers_2xx :
			  reply->status < 400 ? COUNTER_answers_3xx :
			  reply->status < 500 ? COUNTER_answers_4xx :
						COUNTER_answers_5xx);
	if (e == ERR_WAITING)
		counters_count(n, COUNTER_answers_waiting);
	if (e == ERR_RATE_LIMITED)
		counters_count(n, COUNTER_answers_limited);
}

/* A stamp of the web server that is later than now comes from another clock, and counts as now. */
static int64_t received_ms(const struct req *r, int64_t now_ms)
{
	int64_t stamp_ms = r->arrived_ms && !WITHOUT("received") ? clock_of_stamp(r->arrived_ms) : now_ms;

	return stamp_ms < now_ms ? stamp_ms : now_ms;
}

void door_serve(struct door *d, struct req *r, struct reply *reply)
{
	int64_t now_ms = clock_now_ms();
	struct call c = {.door = d, .db = &d->db, .req = r, .reply = reply, .now_s = now_ms / 1000};
	char allow[ROUTE_ALLOW_SIZE];
	uint64_t mark;
	enum err e;

	c.received_ms = received_ms(r, now_ms);
	c.hall_lost = hall_refresh(&d->hall) != ERR_OK;
	c.changes = edition_changes(d->hall.edition);
	mark = edition_mark(d->hall.edition);
	log_request(r->id);
	reply_clear(reply);
	reply->to_page = r->from_page;
	c.route = route_find(r, &e, allow);
	if (c.route)
		e = c.hall_lost && c.route->flags & WRITES ? ERR_NO_MEMORY : pass(&c);
	assert(!d->db.reading);
	if (e == ERR_METHOD_NOT_ALLOWED)
		reply_header(reply, "Allow", allow);
	if (e == ERR_OK && *c.tag)
		reply_header(reply, "ETag", c.tag);
	if (e == ERR_OK && c.route->flags & LIVE)
		tell_mark(reply, mark);
	if (e == ERR_OK && !buf_ok(&reply->body))
		e = ERR_NO_MEMORY;
	reply->cut = e != ERR_OK && reply->begun;
	if (reply->cut)
		log_warn("door.cut", "method=%s route=%s code=%s", r->method, c.route->path, err_word(e));
	else if (e != ERR_OK)
		reply_error(reply, e, r->lang);
	tell_log(&c, e);
	if (reply->status >= 500 && !c.gone)
		log_warn("door.fault", "method=%s route=%s code=%s", r->method, c.route ? c.route->path : "-", err_word(e));
	counters_count(d->hall.counters, COUNTER_requests);
	if (!c.gone)
		count(d->hall.counters, e, reply);
	log_request(NULL);
}
