/*
 * api_guests.c - the guests of a restaurant: the list of them, one of them, what staff correct, and two who are one person.
 */
#include "route.h"

#include "api.h"
#include "desk.h"
#include "guestlist.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct json *guest_json(const struct guestlist_row *g)
{
	struct json *j = json_new();

	json_int(j, "guestId", g->id);
	json_int(j, "version", g->version);
	json_text(j, "name", g->name);
	json_text_or_null(j, "phone", g->phone);
	json_text_or_null(j, "email", g->email);
	json_text_or_null(j, "note", g->note);
	json_words(j, "tags", g->tags);
	json_flag(j, "blocked", g->blocked);
	json_flag(j, "hasLogin", g->logs_in);
	json_int(j, "visits", g->visits);
	json_int(j, "noShows", g->no_shows);
	json_int(j, "cancelled", g->cancelled);
	json_int(j, "upcoming", g->upcoming);
	json_text_or_null(j, "lastVisit", g->last);
	json_text_or_null(j, "nextDate", g->next_date);
	json_text_or_null(j, "nextTime", g->next_time);
	return j;
}

/* ---- the list ---- */

static void add_guest(void *list, const struct guestlist_row *g)
{
	json_push(list, guest_json(g));
}

/* "2026-01-20T18:00/12", as an earlier answer said it. */
static bool read_mark(const char *text, struct guestlist_mark *out)
{
	static const char shape[] = "0000-00-00T00:00/";

	for (size_t i = 0; i < sizeof shape - 1; i++)
		if (shape[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != shape[i])
			return false;
	snprintf(out->date, sizeof out->date, "%.10s", text);
	snprintf(out->time, sizeof out->time, "%.5s", text + 11);
	return text_int(text + sizeof shape - 1, 1, INT64_MAX, &out->id);
}

/* What is searched for. */
struct search {
	char text[LENGTHS_SIZE(LENGTHS_SEARCH)], tag[LENGTHS_SIZE(LENGTHS_GUEST_TAG)];
	char name[2 * LENGTHS_SIZE(LENGTHS_SEARCH) + 8], digits[24];
};

/* A whole number, some digits of one, or a part of a name. */
static void read_text(const struct call *c, struct search *s, struct guestlist_query *q)
{
	static const char of_a_number[] = "0123456789+-. ()";
	char phone[TEXT_PHONE_SIZE], bare[20];
	size_t n = 0;

	if (!s->text[0])
		return;
	if (text_phone(s->text, phone))
		q->phone_key = text_phone_key(phone, c->restaurant.set.calling_code);
	if (strspn(s->text, of_a_number) != strlen(s->text)) {
		stmt_pattern(s->text, s->name, sizeof s->name);
		q->name = s->name;
		return;
	}
	for (const char *p = s->text; *p; p++)
		if (*p >= '0' && *p <= '9' && n + 1 < sizeof bare)
			bare[n++] = *p;
	bare[n] = '\0';
	/* The beginning of a number (010-12) has a 0 that a number with its country has not; its last digits are as they are. */
	snprintf(s->digits, sizeof s->digits, "%%%s%%", bare + (n > 4 && bare[0] == '0' && bare[1] != '0'));
	q->digits = s->digits;
}

static enum err take_query(struct call *c, struct search *s, struct guestlist_query *q)
{
	char after[LENGTHS_SIZE(40)];
	struct in *in = &c->body;

	in_only(in, "q", "tag", "blocked", "noShows", "after", NULL);
	in_text(in, "q", IN_OPTIONAL, LENGTHS_SEARCH, s->text, sizeof s->text);
	in_text(in, "tag", IN_OPTIONAL, LENGTHS_GUEST_TAG, s->tag, sizeof s->tag);
	in_yes(in, "blocked", &q->blocked);
	in_yes(in, "noShows", &q->no_shows);
	in_text(in, "after", IN_OPTIONAL, 40, after, sizeof after);
	if (in->e == ERR_OK && *after && !read_mark(after, &q->after))
		in_fail(in, ERR_BAD_REQUEST, "after");
	q->tag = s->tag[0] ? s->tag : NULL;
	if (in->e == ERR_OK)
		read_text(c, s, q);
	return call_body(c);
}

/* A POST, because names and numbers stay out of addresses. */
enum err api_guests(struct call *c)
{
	struct json *list = json_list(), *tags = json_list(), *j = json_new();
	struct guestlist_query q = {.restaurant_id = c->restaurant.id};
	struct guestlist_mark after = {.date = ""};
	struct search s;
	char mark[60] = "";
	enum err e = take_query(c, &s, &q);

	if (e == ERR_OK)
		e = guestlist_read(c->db, &q, c->now_s, add_guest, list, &after);
	if (e == ERR_OK && !q.after.date[0])
		e = guestlist_tags(c->db, q.restaurant_id, json_row, tags);
	if (after.date[0])
		snprintf(mark, sizeof mark, "%sT%s/%lld", after.date, after.time, (long long)after.id);
	json_put(j, "guests", list);
	json_put(j, "tags", tags);
	json_text_or_null(j, "after", mark);
	return call_answer(c, e, j);
}

/* ---- one guest ---- */

static enum err answer_guest(struct call *c, int64_t restaurant_id, int64_t id)
{
	struct guestlist_row g;
	enum err e = guestlist_get(c->db, restaurant_id, id, c->now_s, &g);

	return e == ERR_OK ? call_answer(c, e, guest_json(&g)) : e;
}

enum err api_guest(struct call *c)
{
	int64_t id = c->req->path_ids[0], at = c->restaurant.id;
	struct json *list, *merges, *j;
	struct guestlist_row g;
	enum err e = guestlist_get(c->db, at, id, c->now_s, &g);

	if (e != ERR_OK)
		return e;
	list = json_list();
	merges = json_list();
	j = guest_json(&g);
	e = desk_of_guest(c->db, at, id, c->now_s, api_add_row, list);
	if (e == ERR_OK)
		e = guestlist_merges(c->db, at, id, json_row, merges);
	json_put(j, "reservations", list);
	json_put(j, "merges", merges);
	return call_answer(c, e, j);
}

/* ---- what staff say ---- */

static void begin_edit(struct call *c, enum ticket_guest_act act, struct ticket_request *ticket)
{
	struct ticket_guest_edit *g = &ticket->u.guest;

	memset(ticket, 0, sizeof *ticket);
	ticket->kind = TICKET_GUEST;
	g->act = (int32_t)act;
	g->guest_id = c->req->path_ids[0];
	g->restaurant_id = c->restaurant.id;
	g->calling_code = c->restaurant.set.calling_code;
	g->version = -1;
	in_int(&c->body, "version", IN_OPTIONAL, 0, INT64_MAX - 1, &g->version);
	call_actor(c, 0, g->actor);
}

static enum err draw_edit(struct call *c, const struct ticket_request *ticket)
{
	enum err e = call_body(c);

	return e == ERR_OK ? api_draw(c, ticket, c->restaurant.id) : e;
}

static enum err add_tag(void *list, const char *tag)
{
	return guesttags_add(list, tag);
}

static void take_phone(struct call *c, struct ticket_guest_edit *g)
{
	struct in *in = &c->body;

	in_phone(in, "phone", IN_OPTIONAL, g->phone);
	if (!in_has(in, "phone"))
		return;
	g->phone_key = g->phone[0] ? text_phone_key(g->phone, g->calling_code) : 0;
	if (g->phone_key <= 0)
		in_fail(in, ERR_BAD_PHONE, "phone");
}

/* Changes what it names, and nothing else. */
enum err api_guest_correct(struct call *c)
{
	static const struct {
		const char *field;
		int bit;
	} named[] = {
		{"name", GUEST_NAME}, {"phone", GUEST_PHONE}, {"email", GUEST_EMAIL},
		{"note", GUEST_NOTE}, {"tags", GUEST_TAGS},   {"blocked", GUEST_BLOCKED},
	};
	struct ticket_request ticket;
	struct ticket_guest_edit *g = &ticket.u.guest;
	struct in *in = &c->body;
	bool blocked = false;

	in_only(in, "version", "name", "phone", "email", "note", "tags", "blocked", NULL);
	begin_edit(c, GUEST_CORRECT, &ticket);
	in_text(in, "name", IN_OPTIONAL, LENGTHS_NAME, g->name, sizeof g->name);
	if (in_has(in, "name") && !g->name[0])
		in_fail(in, ERR_BAD_NAME, "name");
	take_phone(c, g);
	in_email(in, "email", IN_OPTIONAL, g->email, sizeof g->email);
	in_lines(in, "note", IN_OPTIONAL, LENGTHS_GUEST_NOTE, g->note, sizeof g->note);
	in_words(in, "tags", LENGTHS_GUEST_TAG, add_tag, g->tags);
	in_yes(in, "blocked", &blocked);
	g->blocked = blocked;
	for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
		g->named |= in_has(in, named[i].field) ? named[i].bit : 0;
	return draw_edit(c, &ticket);
}

enum err api_guest_merge(struct call *c)
{
	struct ticket_request ticket;
	struct ticket_guest_edit *g = &ticket.u.guest;

	in_only(&c->body, "into", "version", NULL);
	begin_edit(c, GUEST_MERGE, &ticket);
	in_int(&c->body, "into", IN_REQUIRED, 1, INT64_MAX - 1, &g->into);
	if (c->body.e == ERR_OK && g->into == g->guest_id)
		in_fail(&c->body, ERR_OUT_OF_RANGE, "into");
	return draw_edit(c, &ticket);
}

enum err api_guest_unmerge(struct call *c)
{
	struct ticket_request ticket;

	in_only(&c->body, "mergeId", "version", NULL);
	begin_edit(c, GUEST_UNMERGE, &ticket);
	in_int(&c->body, "mergeId", IN_OPTIONAL, 1, INT64_MAX - 1, &ticket.u.guest.merge_id);
	return draw_edit(c, &ticket);
}

/* ---- the outcome ---- */

/* The bookings that are in the way. */
static void add_meeting(struct call *c, const struct ticket_guest_edit *g)
{
	struct json *extra = reply_extra(c->reply), *list = json_list(), *waits = json_list();
	int64_t ids[20];
	struct desk_row row;
	int count = 0;
	enum err e = guestlist_meeting(c->db, g, ids, 20, &count, json_row, waits);

	for (int i = 0; i < count && e == ERR_OK; i++) {
		e = desk_one(c->db, ids[i], c->now_s, &row);
		if (e == ERR_OK)
			api_add_row(list, &row);
	}
	json_put(extra, "reservations", list);
	json_put(extra, "waits", waits);
}

static enum err explain(struct call *c, const struct ticket_guest_edit *g, const struct ticket_outcome *outcome, enum err e)
{
	struct guestlist_row row;

	if ((e == ERR_GUEST_EXISTS || e == ERR_STALE) &&
	    guestlist_get(c->db, g->restaurant_id, outcome->id, c->now_s, &row) == ERR_OK)
		json_put(reply_extra(c->reply), "guest", guest_json(&row));
	if (e == ERR_GUESTS_MEET)
		add_meeting(c, g);
	if (e == ERR_GUEST_EXISTS || e == ERR_GUEST_LOGS_IN)
		return reply_field(c->reply, e, g->act == GUEST_CORRECT ? "phone" : "into");
	if (e == ERR_TOO_LONG || e == ERR_BAD_GUEST_TAG) /* the two together */
		return reply_field(c->reply, e, e == ERR_TOO_LONG ? "note" : "tags");
	return e;
}

enum err api_answer_guestlist(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	const struct ticket_guest_edit *g = &ticket->u.guest;
	enum err e = (enum err)outcome->err;

	assert(ticket->kind == TICKET_GUEST);
	/* A ticket tells every client that has it how it ended; who the guests are is for staff of their restaurant. */
	if (c->who.user.type < USER_STAFF || (c->who.user.restaurant_id && c->who.user.restaurant_id != g->restaurant_id))
		return call_done(c, e);
	return e == ERR_OK ? answer_guest(c, g->restaurant_id, outcome->id) : explain(c, g, outcome, e);
}
