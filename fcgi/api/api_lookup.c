/*
 * api_lookup.c - what staff look up: a reservation by name, number or code, whose number it is.
 */
#include "route.h"

#include "api.h"
#include "code.h"
#include "desk.h"

#include <stdio.h>

/* By code, number or name.  Whether it is nearly a code is told too: then a slip of the ear is why nothing was found. */
enum err api_desk_search(struct call *c)
{
	struct json *list = json_list(), *j = json_new();
	char text[LENGTHS_SIZE(LENGTHS_SEARCH)], phone[TEXT_PHONE_SIZE];
	struct code_typed code;
	int64_t key = 0;
	enum err e;

	in_only(&c->body, "q", NULL);
	in_text(&c->body, "q", IN_REQUIRED, LENGTHS_SEARCH, text, sizeof text);
	e = call_body(c);
	if (text_phone(text, phone))
		key = text_phone_key(phone, c->restaurant.set.calling_code);
	if (e == ERR_OK)
		e = desk_search(c->db, c->restaurant.id, text, key, c->now_s, api_add_row, list);
	code_read(text, &code);
	json_put(j, "reservations", list);
	json_flag(j, "mistypedCode", code.mistyped);
	return call_answer(c, e, j);
}

enum err api_desk_person(struct call *c)
{
	char phone[TEXT_PHONE_SIZE];
	struct json *j = json_new();
	enum err e;

	in_only(&c->body, "phone", NULL);
	in_phone(&c->body, "phone", IN_REQUIRED, phone);
	e = call_body(c);
	if (e == ERR_OK)
		e = desk_person(c->db, c->restaurant.id, text_phone_key(phone, c->restaurant.set.calling_code), json_take_row,
				j);
	if (e == ERR_OK && !json_has(j, "guestId"))
		e = ERR_NOT_FOUND;
	return call_answer(c, e, j);
}
