/*
 * api_news.c - what a desk that looks at one day should hear of the others: what guests did, and who waits for money.
 */
#include "route.h"

#include "api.h"
#include "desk.h"
#include "news.h"

enum { HOLDS_MAX = 200 };

/* Without `since` a desk that has never looked learns how far it is: nothing before that is news to it. */
enum err api_news(struct call *c)
{
	struct json *list = json_list(), *j = json_new();
	struct news n = {0};
	int64_t since = -1;
	enum err e = call_int(c, "since", 0, INT64_MAX, -1, &since);

	if (e == ERR_OK)
		e = news_since(c->db, c->restaurant.id, since, c->now_s, json_row, list, &n);
	json_int(j, "mark", n.mark);
	json_int(j, "holds", n.holds);
	json_int(j, "more", n.more);
	json_put(j, "news", list);
	return call_answer(c, e, j);
}

enum err api_holds(struct call *c)
{
	struct json *list = json_list();

	return call_list(c, desk_holds(c->db, c->restaurant.id, HOLDS_MAX, c->now_s, api_add_row, list), "reservations", list);
}
