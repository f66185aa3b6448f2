/*
 * daynotes.c - what staff tell each other about a day.
 */
#include "daynotes.h"

#include "stmt.h"
#include "txn.h"

#include <string.h>

enum err daynotes_get(struct db *db, int64_t restaurant_id, const char *day, struct daynote *out)
{
	*out = (struct daynote){0};
	return stmt_get(db, stmt_use(db, SQL_DAY_NOTE, "it", restaurant_id, day), ERR_OK, "ttti", out->note, sizeof out->note,
			out->by, sizeof out->by, out->at, sizeof out->at, &out->version);
}

enum err daynotes_set(struct db *db, int64_t restaurant_id, const char *day, const char *note, int64_t version,
		      const char *actor, int64_t now_s, struct daynote *out)
{
	struct txn t;
	enum err e = txn_begin(&t, db, now_s);

	if (e != ERR_OK)
		return e;
	e = daynotes_get(db, restaurant_id, day, out);
	if (e == ERR_OK && version != DAYNOTES_ANY && version != out->version)
		e = ERR_STALE;
	if (e == ERR_OK && strcmp(note, out->note) != 0) {
		e = stmt_run(db, SQL_DAY_NOTE_SET, "itttt", restaurant_id, day, note, actor, t.now);
		txn_touch_day(&t, restaurant_id, day);
		if (e == ERR_OK)
			e = daynotes_get(db, restaurant_id, day, out);
	}
	return txn_end(&t, e);
}
