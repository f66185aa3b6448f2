/*
 * mailserver.c - how mail leaves the box.
 */
#include "mailserver.h"

#include "clock.h"
#include "stmt.h"

enum err mailserver_get(struct db *db, struct mailserver *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_MAIL_GET, "");
	enum err e;

	*out = (struct mailserver){.way = "OFF", .security = "STARTTLS", .port = 587};
	while (stmt_row(db, s, &e))
		stmt_take(s, "ttnttttt", out->way, sizeof out->way, out->host, sizeof out->host, &out->port, out->security,
			  sizeof out->security, out->login, sizeof out->login, out->password, sizeof out->password, out->sender,
			  sizeof out->sender, out->site, sizeof out->site);
	return e;
}

enum err mailserver_set(struct db *db, const struct mailserver *m, const char *actor, int64_t now_s)
{
	char now[CLOCK_ISO_SIZE];
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	clock_iso(now_s, now);
	e = stmt_run(db, SQL_WRITING_BEGIN, "t", actor);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_MAIL_SET, "ttitttttt", m->way, m->host, (int64_t)m->port, m->security, m->login,
			     m->password, m->sender, m->site, now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	return db_end(db, e);
}
