/*
 * api_tables.c - the owner changes the tables, and which of them may be joined.
 */
#include "route.h"

#include "api.h"

#include <string.h>

enum { TABLES_MAX = 100, SETS_MAX = 40 };

struct json *api_tables_sets(const struct seats_plan *plan)
{
	struct json *list = json_list();

	for (size_t i = 0; i < plan->set_count; i++) {
		struct json *j = json_new(), *ids = json_list();

		for (size_t k = 0; k < plan->sets[i].count; k++)
			json_push(ids, json_number(plan->sets[i].tables[k]));
		json_put(j, "tableIds", ids);
		json_int(j, "seatsMin", plan->sets[i].seats_min);
		json_int(j, "seatsMax", plan->sets[i].seats_max);
		json_push(list, j);
	}
	return list;
}

/* The tables of a request, by which its joins are judged. */
struct plan {
	struct json *tables, *sets;
	size_t count;
	struct {
		char name[LENGTHS_SIZE(LENGTHS_TABLE)];
		int64_t seats;
	} known[TABLES_MAX];
};

/* The place of that name among the tables; their count when there is none. */
static size_t find_table(const struct plan *p, const char *name)
{
	size_t i = 0;

	while (i < p->count && strcmp(p->known[i].name, name) != 0)
		i++;
	return i;
}

static void take_table(struct in *in, void *arg)
{
	int64_t id = 0, least = 1, most = 0, x = -1, y = -1;
	struct json *j = json_new();
	struct plan *p = arg;
	char name[LENGTHS_SIZE(LENGTHS_TABLE)], open_to[64] = "";
	enum seats_who who;

	in_only(in, "tableId", "name", "seatsMin", "seatsMax", "openTo", "x", "y", NULL);
	in_int(in, "tableId", IN_OPTIONAL, 1, INT64_MAX - 1, &id);
	in_text(in, "name", IN_REQUIRED, LENGTHS_TABLE, name, sizeof name);
	in_int(in, "seatsMax", IN_REQUIRED, 1, 1000, &most);
	in_int(in, "seatsMin", IN_OPTIONAL, 1, most ? most : 1, &least);
	in_text(in, "openTo", IN_OPTIONAL, LENGTHS_TABLE, open_to, sizeof open_to);
	if (in->e == ERR_OK && *open_to && !seats_who(open_to, &who))
		in_fail(in, ERR_OUT_OF_RANGE, "openTo");
	in_int(in, "x", IN_OPTIONAL, 0, 100, &x);
	in_int(in, "y", IN_OPTIONAL, 0, 100, &y);
	if (in->e == ERR_OK && find_table(p, name) < p->count)
		in_fail(in, ERR_NAMED_TWICE, "tables");
	if (id)
		json_int(j, "tableId", id);
	json_text(j, "name", name);
	json_int(j, "seatsMin", least);
	json_int(j, "seatsMax", most);
	json_text_if(j, "openTo", open_to);
	if (x >= 0 && y >= 0) {
		json_int(j, "x", x);
		json_int(j, "y", y);
	}
	json_push(p->tables, j);
	if (in->e == ERR_OK) {
		memcpy(p->known[p->count].name, name, sizeof name);
		p->known[p->count++].seats = most;
	}
}

/* Tables that are joined, while they are read. */
struct join {
	const struct plan *plan;
	struct json *names;
	size_t count, at[TICKET_TABLES];
	int64_t sum, largest;
};

static void take_member(struct in *in, void *arg)
{
	struct join *t = arg;
	struct json *j = json_new();
	char name[LENGTHS_SIZE(LENGTHS_TABLE)];
	size_t at;

	in_only(in, "name", NULL);
	in_text(in, "name", IN_REQUIRED, LENGTHS_TABLE, name, sizeof name);
	json_text(j, "name", name);
	json_push(t->names, j);
	if (in->e != ERR_OK)
		return;
	at = find_table(t->plan, name);
	for (size_t i = 0; i < t->count; i++)
		if (t->at[i] == at)
			in_fail(in, ERR_BAD_JOIN, "sets");
	if (at == t->plan->count) {
		in_fail(in, ERR_BAD_JOIN, "sets");
		return;
	}
	t->at[t->count++] = at;
	t->sum += t->plan->known[at].seats;
	if (t->plan->known[at].seats > t->largest)
		t->largest = t->plan->known[at].seats;
}

static void take_set(struct in *in, void *arg)
{
	struct plan *p = arg;
	struct join t = {.plan = p, .names = json_list()};
	struct json *j = json_new();
	int64_t least = 1, most = 0;

	in_only(in, "tables", "seatsMin", "seatsMax", NULL);
	in_list(in, "tables", IN_REQUIRED, TICKET_TABLES, take_member, &t);
	in_int(in, "seatsMax", IN_REQUIRED, 1, 1000, &most);
	in_int(in, "seatsMin", IN_OPTIONAL, 1, most ? most : 1, &least);
	if (in->e == ERR_OK && (t.count < 2 || most < t.largest || most > 2 * t.sum))
		in_fail(in, ERR_BAD_JOIN, "sets");
	json_put(j, "tables", t.names);
	json_int(j, "seatsMin", least);
	json_int(j, "seatsMax", most);
	json_push(p->sets, j);
}

enum err api_tables(struct call *c)
{
	static struct plan plan;
	struct json *j = json_new();
	bool joins = in_has(&c->body, "sets");

	plan = (struct plan){.tables = json_list(), .sets = json_list()};
	in_only(&c->body, "tables", "sets", NULL);
	in_list(&c->body, "tables", IN_NAMED, TABLES_MAX, take_table, &plan);
	in_list(&c->body, "sets", IN_OPTIONAL, SETS_MAX, take_set, &plan);
	json_put(j, "tables", plan.tables);
	if (joins)
		json_put(j, "sets", plan.sets);
	else
		json_free(plan.sets); /* they stay */
	return api_house_write(c, HOUSE_TABLES, j);
}
