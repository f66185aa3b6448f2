/*
 * api_lookup.c - what staff look up: the history of a reservation and of the settings, a reservation by name, number or code, whose
 * number it is; and a note about a guest.
 */
#include "route.h"

#include "api.h"
#include "code.h"
#include "desk.h"
#include "outbox.h"

#include <stdio.h>

static void add_event(void *arg, const struct desk_event *v)
{
	struct json *j = json_new();

	json_text(j, "at", v->at);
	json_text(j, "actor", v->actor);
	json_text_or_null(j, "name", v->name);
	json_text(j, "change", v->change);
	json_text_or_null(j, "from", v->from);
	json_text_or_null(j, "to", v->to);
	json_text_or_null(j, "reason", v->reason);
	json_push(arg, j);
}

/* An answer of one list. */
static enum err answer_list(struct call *c, enum err e, const char *name, struct json *list)
{
	struct json *j;

	if (e != ERR_OK) {
		json_free(list);
		return e;
	}
	j = json_new();
	json_put(j, name, list);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

/* What happened to it, and what its guest was told. */
enum err api_desk_history(struct call *c)
{
	struct json *list = json_list(), *messages = json_list(), *j;
	enum err e = desk_history(c->db, "reservation", c->reservation.id, add_event, list);

	if (e == ERR_OK)
		e = outbox_of(c->db, c->reservation.id, api_add_message, messages);
	if (e != ERR_OK) {
		json_free(list);
		json_free(messages);
		return e;
	}
	j = json_new();
	json_put(j, "history", list);
	json_put(j, "messages", messages);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

/* Who changed which setting when. */
enum err api_house_history(struct call *c)
{
	struct json *list = json_list();

	return answer_list(c, desk_history(c->db, "restaurant", c->restaurant.id, add_event, list), "history", list);
}

/* By code, number or name.  Whether it is nearly a code is told too: then a slip of the ear is why nothing was found. */
enum err api_desk_search(struct call *c)
{
	struct json *list, *j;
	char text[LENGTHS_SIZE(LENGTHS_SEARCH)], phone[TEXT_PHONE_SIZE];
	struct code_typed code;
	int64_t key = 0;
	enum err e;

	in_only(&c->body, "q", NULL);
	in_text(&c->body, "q", IN_REQUIRED, LENGTHS_SEARCH, text, sizeof text);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	if (text_phone(text, phone))
		key = text_phone_key(phone, c->restaurant.set.calling_code);
	list = json_list();
	e = desk_search(c->db, c->restaurant.id, text, key, c->now_s, api_add_row, list);
	if (e != ERR_OK) {
		json_free(list);
		return e;
	}
	code_read(text, &code);
	j = json_new();
	json_put(j, "reservations", list);
	json_flag(j, "mistypedCode", code.mistyped);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

enum err api_desk_person(struct call *c)
{
	char given[44], phone[TEXT_PHONE_SIZE];
	struct desk_person p;
	struct json *j;
	enum err e;

	in_only(&c->body, "phone", NULL);
	in_text(&c->body, "phone", IN_REQUIRED, LENGTHS_PHONE, given, sizeof given);
	if (c->body.e == ERR_OK && !text_phone(given, phone))
		in_fail(&c->body, ERR_BAD_PHONE, "phone");
	e = call_body(c);
	if (e == ERR_OK)
		e = desk_person(c->db, c->restaurant.id, text_phone_key(phone, c->restaurant.set.calling_code), &p);
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_int(j, "guestId", p.id);
	json_text(j, "name", p.name);
	json_text_or_null(j, "note", p.note);
	json_flag(j, "blocked", p.blocked);
	json_int(j, "visits", p.visits);
	json_int(j, "noShows", p.no_shows);
	reply_json(c->reply, 200, j);
	return ERR_OK;
}

/* Changes what it names, and nothing else. */
enum err api_desk_guest(struct call *c)
{
	char note[LENGTHS_SIZE(LENGTHS_GUEST_NOTE)], actor[CALL_ACTOR_SIZE];
	struct desk_opinion o = {.user_id = c->req->path_ids[0], .restaurant_id = c->restaurant.id, .blocked = -1};
	enum err e;

	in_only(&c->body, "note", "blocked", NULL);
	in_lines(&c->body, "note", IN_OPTIONAL, LENGTHS_GUEST_NOTE, note, sizeof note);
	in_int(&c->body, "blocked", IN_OPTIONAL, 0, 1, &o.blocked);
	o.note = in_has(&c->body, "note") ? note : NULL;
	e = call_body(c);
	call_actor(c, 0, actor);
	if (e == ERR_OK)
		e = desk_set_person(c->db, &o, actor, c->now_s);
	if (e == ERR_OK)
		reply_json(c->reply, 200, json_new());
	return e;
}
