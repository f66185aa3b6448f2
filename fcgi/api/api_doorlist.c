/*
 * api_doorlist.c - the door list: who came and does not fit yet.  Staff see whom they call; a party sees its own place.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "hours.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { TOKEN_S = 24 * 3600 }; /* so long after it joined a party's page may be seen: the evening, and until it is over */

/* ---- what is told ---- */

static void put_wait(struct json *j, const struct doorwait *w)
{
	static const char *const how[] = {[DOORWAIT_RANGE] = "RANGE", [DOORWAIT_OPEN] = "OPEN", [DOORWAIT_NEVER] = "NEVER"};

	json_text(j, "waitHow", how[w->how]);
	json_int(j, "waitLow", w->low);
	json_int(j, "waitHigh", w->high);
}

static const struct doorwait *wait_of(const struct doorlist_waits *all, int64_t id)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->ids[i] == id)
			return &all->waits[i];
	return NULL;
}

/* What a party may know of itself; of others it hears how many are ahead. */
static struct json *place_json(const struct door_party *p, const struct doorlist_waits *all)
{
	struct json *j = json_new();
	const struct doorwait *w = p->place ? wait_of(all, p->id) : NULL;

	json_text(j, "status", p->status);
	json_int(j, "partySize", p->party);
	json_int(j, "place", p->place);
	json_text(j, "joinedAt", p->joined_at);
	json_text_or_null(j, "calledAt", p->called_at);
	json_text_or_null(j, "endedAt", p->ended_at);
	if (p->quoted_high >= 0) {
		json_int(j, "quotedLow", p->quoted_low);
		json_int(j, "quotedHigh", p->quoted_high);
	}
	if (w)
		put_wait(j, w);
	return j;
}

/* Where a party sees its place: the token stands behind the #, which no browser sends and no log has. */
enum { PAGE_SIZE = TOKEN_TEXT_SIZE + 8 };
static void put_page(const struct call *c, const struct door_party *p, char out[PAGE_SIZE])
{
	struct token t = {.purpose = TOKEN_DOOR, .id = p->id};
	char token[TOKEN_TEXT_SIZE];

	clock_parse_iso(p->joined_at, &t.expires_s);
	t.expires_s += TOKEN_S;
	token_sign(c->door->key, &t, token);
	snprintf(out, PAGE_SIZE, "/door/#%s", token);
}

static struct json *party_json(const struct call *c, const struct door_party *p, const struct doorlist_waits *all)
{
	struct json *j = place_json(p, all);
	char page[PAGE_SIZE];

	put_page(c, p, page);
	json_text(j, "page", page);
	json_int(j, "doorId", p->id);
	json_int(j, "version", p->version);
	json_text_or_null(j, "guestName", p->guest);
	json_text_or_null(j, "phone", p->phone);
	json_text_or_null(j, "message", p->message);
	json_int(j, "passed", p->passed);
	json_int(j, "overtaken", p->overtaken);
	json_flag(j, "byGuest", strcmp(p->changed_by, "guest") == 0);
	json_int_if(j, "reservationId", p->reservation_id);
	return j;
}

struct pushing {
	const struct call *c;
	struct json *list;
	const struct doorlist_waits *all;
};

static void push_party(void *arg, const struct door_party *p)
{
	struct pushing *w = arg;

	json_push(w->list, party_json(w->c, p, w->all));
}

/* ---- reading ---- */

static enum err evening_of(struct call *c, const struct restaurant *r, char out[TEXT_DATE_SIZE])
{
	struct date evening;
	int minute;
	enum err e = restaurants_evening(c->db, r, c->now_s, &evening, &minute);

	text_put_date(evening, out);
	return e;
}

enum err api_door_list(struct call *c)
{
	static struct doorlist_waits all; /* static for its size only */
	struct json *parties = json_list(), *ended = json_list(), *j = json_new();
	const struct restaurant *r = &c->restaurant;
	char evening[TEXT_DATE_SIZE];
	enum err e = evening_of(c, r, evening);

	if (e == ERR_OK)
		e = doorlist_waits(c->db, r, c->now_s, 0, &all);
	if (e == ERR_OK)
		e = doorlist_waiting(c->db, r->id, push_party, &(struct pushing){c, parties, &all});
	if (e == ERR_OK)
		e = doorlist_ended(c->db, r->id, evening, push_party, &(struct pushing){c, ended, &all});
	json_moment(j, "now", c->now_s);
	json_int(j, "callMinutes", r->set.door_call_minutes);
	json_flag(j, "messages", r->set.sms_guests != 0);
	json_put(j, "parties", parties);
	json_put(j, "ended", ended);
	return call_answer(c, e, j);
}

/* What a party of that size would be told if it came now; nobody joins by it. */
enum err api_door_quote(struct call *c)
{
	static struct doorlist_waits all;
	struct json *j = json_new();
	int64_t party = 0;
	enum err e = call_int(c, "partySize", 1, 1000, CALL_REQUIRED, &party);

	if (e == ERR_OK)
		e = doorlist_waits(c->db, &c->restaurant, c->now_s, (int)party, &all);
	if (e == ERR_OK && all.count)
		put_wait(j, &all.waits[all.count - 1]);
	return call_answer(c, e, j);
}

/* Asked every few seconds by whoever has the page open. */
enum err api_door_place(struct call *c)
{
	static struct doorlist_waits all;
	const struct restaurant *r = &c->restaurant;
	struct json *j;
	enum err e = ERR_OK;

	if (!rate_within(c->door->hall.rate, RATE_DOOR, (uint64_t)c->party.id, &c->reply->retry_after_s))
		return ERR_RATE_LIMITED;
	all.count = 0;
	if (c->party.place)
		e = doorlist_waits(c->db, r, c->now_s, 0, &all);
	if (e != ERR_OK)
		return e;
	j = place_json(&c->party, &all);
	json_moment(j, "now", c->now_s);
	json_int(j, "callMinutes", r->set.door_call_minutes);
	json_text(j, "restaurantName", r->name);
	json_text_or_null(j, "restaurantNameEn", r->name_en);
	json_text_or_null(j, "restaurantPhone", r->phone);
	json_text(j, "language", r->lang == LANG_KO ? "ko" : "en");
	return call_answer(c, ERR_OK, j);
}

bool api_door_link(const struct call *c, char out[API_LINK_SIZE])
{
	char site[CALL_SITE_SIZE], page[PAGE_SIZE];

	assert(c->party.id > 0);
	if (!call_site(c, site))
		return false;
	put_page(c, &c->party, page);
	snprintf(out, API_LINK_SIZE, "%s%s", site, page);
	return true;
}

/* ---- acts ---- */

/* The range that they are told now is written down: it was a promise. */
static enum err quote(struct call *c, struct ticket_door *q)
{
	static struct doorlist_waits all;
	const struct doorwait *w;
	enum err e = db_read_begin(c->db);

	if (e != ERR_OK)
		return e;
	e = evening_of(c, &c->restaurant, q->evening);
	if (e == ERR_OK)
		e = doorlist_waits(c->db, &c->restaurant, c->now_s, q->party, &all);
	db_read_end(c->db);
	q->low = q->high = -1;
	w = e == ERR_OK && all.count && all.ids[all.count - 1] == INT32_MAX ? &all.waits[all.count - 1] : NULL;
	if (w && w->how == DOORWAIT_RANGE) {
		q->low = w->low;
		q->high = w->high;
	}
	return e;
}

enum err api_door_join(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_DOOR};
	struct ticket_door *q = &ticket.u.door;
	struct ticket_who who;
	int64_t party = 0;
	int32_t lang = (int32_t)c->restaurant.lang;
	enum err e;

	in_only(&c->body, "partySize", "guestName", "phone", "language", NULL);
	in_int(&c->body, "partySize", IN_REQUIRED, 1, 1000, &party);
	api_take_desk_guest(c, true, &who);
	in_lang(&c->body, "language", &lang);
	e = call_body(c);
	if (e == ERR_OK)
		e = api_take_key(c, q->key);
	if (e != ERR_OK)
		return e;
	q->act = DOOR_JOIN;
	q->by = BY_RESTAURANT;
	q->restaurant_id = c->restaurant.id;
	q->party = (int32_t)party;
	q->guest = who.guest;
	if (!in_has(&c->body, "guestName"))
		q->guest.name[0] = '\0';
	q->guest.lang = lang;
	q->phone_key = -who.user_id;
	call_actor(c, 0, q->actor);
	e = quote(c, q);
	return e == ERR_OK ? answer_draw(c, &ticket, c->restaurant.set.wait_ms) : e;
}

/* What every act on the call's party says. */
static struct ticket_request begin_act(struct call *c, enum ticket_door_act act, enum ticket_by by, int64_t version)
{
	struct ticket_request ticket = {.kind = TICKET_DOOR};
	struct ticket_door *q = &ticket.u.door;

	q->door_id = c->party.id;
	q->version = version;
	q->restaurant_id = c->restaurant.id;
	q->act = (int32_t)act;
	q->by = (int32_t)by;
	if (by == BY_GUEST)
		snprintf(q->actor, sizeof q->actor, "guest");
	else
		call_actor(c, 0, q->actor);
	return ticket;
}

static enum err draw(struct call *c, enum ticket_door_act act, enum ticket_by by, int64_t version)
{
	struct ticket_request ticket = begin_act(c, act, by, version);

	return answer_draw(c, &ticket, c->restaurant.set.wait_ms);
}

enum err api_door_change(struct call *c)
{
	struct ticket_request ticket = begin_act(c, DOOR_CHANGE, BY_RESTAURANT, 0);
	struct ticket_door *q = &ticket.u.door;
	struct in *in = &c->body;
	struct ticket_who who;
	int64_t party = 0;
	enum err e;

	in_only(in, "version", "partySize", "guestName", "phone", NULL);
	in_int(in, "version", IN_REQUIRED, 1, INT64_MAX - 1, &q->version);
	in_int(in, "partySize", IN_OPTIONAL, 1, 1000, &party);
	api_take_desk_guest(c, true, &who);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	q->party = (int32_t)party;
	q->named = (in_has(in, "guestName") ? GUEST_NAME : 0) | (in_has(in, "phone") ? GUEST_PHONE : 0);
	q->guest = who.guest;
	q->phone_key = -who.user_id;
	return answer_draw(c, &ticket, c->restaurant.set.wait_ms);
}

enum err api_door_act(struct call *c)
{
	enum ticket_door_act act = doorlist_act(c->req->path_word);
	int64_t version = 0;
	enum err e;

	if (strcmp(c->req->path_word, "seat") == 0)
		return api_seat_from_door(c);
	if (act == DOOR__MAX || act == DOOR_JOIN || act == DOOR_CHANGE)
		return ERR_NOT_FOUND;
	in_only(&c->body, "version", NULL);
	in_int(&c->body, "version", IN_REQUIRED, 1, INT64_MAX - 1, &version);
	e = call_body(c);
	return e == ERR_OK ? draw(c, act, BY_RESTAURANT, version) : e;
}

enum err api_door_leave(struct call *c)
{
	return draw(c, DOOR_LEAVE, BY_GUEST, -1);
}

/* ---- the outcome ---- */

/* The party as it is now; with STALE too, for who was not the first. */
static enum err tell_party(struct call *c, int status, int64_t id)
{
	static struct doorlist_waits all;
	struct door_party p;
	struct restaurant r;
	enum err e = db_read_begin(c->db);

	if (e != ERR_OK)
		return e;
	e = doorlist_get(c->db, id, &p);
	if (e == ERR_OK)
		e = restaurants_get(c->db, p.restaurant_id, &r);
	if (e == ERR_OK)
		e = doorlist_waits(c->db, &r, c->now_s, 0, &all);
	db_read_end(c->db);
	if (e == ERR_OK && status)
		reply_json(c->reply, status, c->who.user.type >= USER_STAFF ? party_json(c, &p, &all) : place_json(&p, &all));
	else if (e == ERR_OK)
		json_put(reply_extra(c->reply), "party", party_json(c, &p, &all));
	return e;
}

enum err api_answer_doorlist(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	const struct ticket_door *q = &ticket->u.door;
	enum err told, e = (enum err)outcome->err;

	/* A ticket tells every client that has it how it ended; what staff see is for staff. */
	if (q->by != BY_GUEST && c->who.user.type < USER_STAFF)
		return call_done(c, e);
	if (e == ERR_STALE && outcome->id) {
		told = tell_party(c, 0, outcome->id);
		return told == ERR_OK ? e : told;
	}
	return e == ERR_OK ? tell_party(c, q->act == DOOR_JOIN ? 201 : 200, outcome->id) : e;
}
