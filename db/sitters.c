/*
 * sitters.c - who sits at a table just now.
 */
#include "sitters.h"

#include "failpoint.h"
#include "slots.h"

#include <assert.h>
#include <string.h>

/* A stay that ended before `gone` is over whatever its visit says; one that began before `first` ended before that. */
struct bounds {
	char first[CLOCK_ISO_SIZE], gone[CLOCK_ISO_SIZE];
};

static struct bounds bounds_at(int64_t now_s)
{
	struct bounds b;

	clock_iso(now_s - SITTERS_GONE_S - SITTERS_LONGEST_S, b.first);
	clock_iso(now_s - SITTERS_GONE_S, b.gone);
	return b;
}

enum err sitters_at(struct db *db, const int64_t tables[TICKET_TABLES], int64_t self, int64_t now_s,
		    struct sitter out[SITTERS_MAX], int *count)
{
	struct bounds b = bounds_at(now_s);
	enum err e = ERR_OK;

	*count = 0;
	for (int i = 0; i < TICKET_TABLES && tables[i] && e == ERR_OK; i++) {
		struct sqlite3_stmt *s = stmt_use(db, SQL_SITTERS_AT, "iitt", tables[i], self, b.first, b.gone);

		while (stmt_row(db, s, &e)) {
			struct sitter *o = &out[*count];

			if (*count == SITTERS_MAX)
				continue;
			*o = (struct sitter){.table_id = tables[i]};
			stmt_take(s, "iinttt", &o->id, &o->version, &o->party, o->guest, sizeof o->guest, o->table,
				  sizeof o->table, o->seated_at, sizeof o->seated_at);
			++*count;
		}
	}
	return e;
}

static void mark_shared(struct room_stay *stay, int64_t table)
{
	for (size_t i = 0; i < stay->table_count; i++)
		if (stay->tables[i] == table)
			stay->shared |= (uint8_t)(1u << i);
}

enum err sitters_join(struct txn *t, const struct ticket_want *w, int64_t self, bool share, struct room_stay *stay,
		      enum err *why)
{
	struct sitter sitters[SITTERS_MAX];
	int64_t tables[TICKET_TABLES] = {0};
	int count = 0;
	enum err e;

	assert(stay->table_count <= TICKET_TABLES);
	memcpy(tables, stay->tables, stay->table_count * sizeof tables[0]);
	e = sitters_at(t->db, tables, self, t->now_s, sitters, &count);
	*why = count && !share && !WITHOUT("sitters") ? ERR_TABLE_TAKEN : ERR_OK;
	for (int i = 0; i < count && share && e == ERR_OK; i++) {
		mark_shared(stay, sitters[i].table_id);
		e = slots_sit_beside(t, w, stay, sitters[i].id, sitters[i].table_id);
	}
	return e;
}

enum err sitters_tables(struct db *db, int64_t restaurant_id, int64_t now_s, int64_t *out, int most, int *count)
{
	struct bounds b = bounds_at(now_s);

	return stmt_ids(db, stmt_use(db, SQL_SITTERS_TABLES, "itt", restaurant_id, b.first, b.gone), out, most, count);
}

enum err sitters_alone(struct db *db, int64_t id, int64_t now_s, bool *alone)
{
	struct bounds b = bounds_at(now_s);
	int64_t others = 0;
	enum err e = stmt_number(db, SQL_SITTERS_BESIDE, &others, "itt", id, b.first, b.gone);

	*alone = others == 0;
	return e;
}

enum err sitters_own(struct db *db, int64_t id, int64_t tables[TICKET_TABLES])
{
	int count = 0;

	memset(tables, 0, TICKET_TABLES * sizeof tables[0]);
	return stmt_ids(db, stmt_use(db, SQL_OWN_TABLES, "i", id), tables, TICKET_TABLES, &count);
}
