/*
 * mailserver.c - how mail leaves the box.
 */
#include "mailserver.h"

#include "stmt.h"

enum err mailserver_get(struct db *db, struct mailserver *out)
{
	*out = (struct mailserver){.way = "OFF", .security = "STARTTLS", .port = 587};
	return stmt_get(db, stmt_use(db, SQL_MAIL_GET, ""), ERR_OK, "ttnttttt", out->way, sizeof out->way, out->host,
			sizeof out->host, &out->port, out->security, sizeof out->security, out->login, sizeof out->login,
			out->password, sizeof out->password, out->sender, sizeof out->sender, out->site, sizeof out->site);
}

enum err mailserver_set(struct db *db, const struct mailserver *m, const char *actor, int64_t now_s)
{
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_WRITING_BEGIN, "t", actor);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_MAIL_SET, "ttitttttm", m->way, m->host, (int64_t)m->port, m->security, m->login,
			     m->password, m->sender, m->site, now_s);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	return db_end(db, e);
}
