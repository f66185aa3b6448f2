/*
 * api_refusal.c - staff: why a party cannot have the place that was asked for it, and what it could have instead.
 */
#include "api.h"

#include "reasons.h"

#include <string.h>

static struct json *reason_json(const struct reason *r)
{
	bool people = r->kind == REASON_STARTS || r->kind == REASON_PRESENT || r->kind == REASON_TABLE_TOO_SMALL;
	struct json *j = json_new();

	json_text(j, "kind", reasons_word(r->kind));
	if (r->table_id)
		json_int(j, "tableId", r->table_id);
	json_text_if(j, "tableName", r->table);
	if (people)
		json_int(j, "seats", r->seats);
	if (r->reservation_id)
		json_int(j, "reservationId", r->reservation_id);
	json_text_if(j, "guestName", r->guest);
	json_text_if(j, "from", r->from);
	json_text_if(j, "until", r->until);
	json_text_if(j, "blockReason", r->block);
	return j;
}

static struct json *free_json(const struct reason_free *f)
{
	struct json *j = json_new(), *tables = json_list();

	for (size_t i = 0; i < f->count; i++) {
		struct json *one = json_new();

		json_int(one, "tableId", f->tables[i]);
		json_push(tables, one);
	}
	json_put(j, "tables", tables);
	json_text(j, "tableName", f->names);
	json_int(j, "seats", f->seats);
	return j;
}

/* Who sits at these tables but for `self` and `beside`; nothing where nobody does. */
static enum err push_sitters(struct call *c, const int64_t *tables, int64_t self, int64_t beside, struct json *list)
{
	struct sitter sitters[SITTERS_MAX];
	int n = 0;
	enum err e = sitters_at(c->db, tables, self, c->now_s, sitters, &n);

	for (int i = 0; i < n && e == ERR_OK; i++) {
		struct json *j;

		if (sitters[i].id == beside)
			continue;
		j = json_new();
		json_int(j, "reservationId", sitters[i].id);
		json_int(j, "version", sitters[i].version);
		json_text(j, "guestName", sitters[i].guest);
		json_int(j, "partySize", sitters[i].party);
		json_int(j, "tableId", sitters[i].table_id);
		json_text(j, "tableName", sitters[i].table);
		json_text(j, "seatedAt", sitters[i].seated_at);
		json_push(list, j);
	}
	return e;
}

/* Where the party would sit down, and in a swap, where the other one would. */
static enum err add_taken_by(struct call *c, const struct reasons_ask *ask)
{
	struct json *list = json_list();
	enum err e = ERR_OK;

	if (ask->sits)
		e = push_sitters(c, ask->want->tables, ask->self, ask->beside, list);
	if (e == ERR_OK && ask->other_sits)
		e = push_sitters(c, ask->own, ask->self, ask->beside, list);
	json_put(reply_extra(c->reply), "takenBy", list);
	return e;
}

void api_give_reasons(struct call *c, const struct reasons_ask *ask, enum err refused)
{
	static struct reasons found; /* static for its size only */
	struct json *reasons, *spare;

	if (refused != ERR_SLOT_FULL && refused != ERR_TIME_BLOCKED && refused != ERR_TABLE_TAKEN &&
	    refused != ERR_TABLE_TOO_SMALL && refused != ERR_WRONG_TABLE)
		return;
	/* What helps is left out where it cannot be had; the refusal stands. */
	if (refused == ERR_TABLE_TAKEN && (ask->sits || ask->other_sits) && add_taken_by(c, ask) != ERR_OK)
		return;
	if (reasons_find(c->db, ask, c->now_s, &found) != ERR_OK)
		return;
	reasons = json_list();
	spare = json_list();
	for (int i = 0; i < found.count; i++)
		json_push(reasons, reason_json(&found.list[i]));
	for (int i = 0; i < found.free_count; i++)
		json_push(spare, free_json(&found.free[i]));
	json_put(reply_extra(c->reply), "reasons", reasons);
	json_put(reply_extra(c->reply), "freeTables", spare);
}
