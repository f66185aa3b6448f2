/*
 * staff.c - the accounts of staff and owner, and their logins.
 */
#include "staff.h"

#include "clock.h"

#include <assert.h>

/* A change to an account or a login, in a transaction of its own. */
struct change {
	struct db *db;
	const char *entity, *what; /* for the audit; NULL: nothing is written down */
	const char *actor;
	int64_t id;
	bool ends_logins; /* every login of that account is over */
	char now[CLOCK_ISO_SIZE];
};

static enum err begin(struct change *c, int64_t now_s)
{
	clock_iso(now_s, c->now);
	return db_begin(c->db);
}

/* e is what became of the one statement; that there was nothing to change is ERR_NOT_FOUND. */
static enum err end(const struct change *c, enum err e)
{
	if (e == ERR_OK && !stmt_changes(c->db))
		e = ERR_NOT_FOUND;
	if (e == ERR_OK && c->ends_logins)
		e = stmt_run(c->db, SQL_LOGINS_OVER, "it", c->id, c->now);
	if (e == ERR_OK && c->what)
		e = stmt_run(c->db, SQL_AUDIT_STAFF, "tttittti", c->now, c->actor, c->entity, c->id, c->what, NULL, NULL,
			     (int64_t)0);
	e = db_end(c->db, e);
	if (e == ERR_OK && c->what)
		edition_touch_all_days(c->db->hall->edition); /* a tablet that was logged out notices */
	return e;
}

enum err staff_add(struct db *db, enum user_type type, const char *name, const char *email, const char *password_hash,
		   bool once, const char *actor, int64_t now_s, int64_t *id)
{
	struct change c = {.db = db};
	enum err e;

	assert(type != USER_GUEST && email);
	e = begin(&c, now_s);
	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_LOGIN_ADD, "ttttit", users_type_word(type), name, email, password_hash, (int64_t)once, c.now);
	if (e == ERR_OK) {
		*id = stmt_last_id(db);
		e = stmt_run(db, SQL_AUDIT_STAFF, "tttittti", c.now, actor, "user", *id, "added", NULL, users_type_word(type),
			     (int64_t)0);
	}
	return end(&c, e);
}

enum err staff_set_password(struct db *db, const struct user *u, const char *password_hash, int64_t now_s)
{
	struct change c = {.db = db};
	enum err e = begin(&c, now_s);

	if (e != ERR_OK)
		return e;
	return db_end(db, users_change_password(db, u->id, u->token_version, password_hash, "shell", c.now, 0));
}

enum err staff_set_once(struct db *db, int64_t id, const char *password_hash, int64_t until_s, const char *actor, int64_t now_s)
{
	struct change c = {db, "user", "link", actor, id, true, ""};
	enum err e = begin(&c, now_s);

	if (e != ERR_OK)
		return e;
	return end(&c, stmt_run(db, SQL_PASSWORD_ONCE, "itm", id, password_hash, until_s));
}

/* What of it changes, and the history of both. */
static enum err change(const struct change *c, const struct staff_change *to)
{
	struct user was;
	bool named = false;
	enum err e = staff_get(c->db, to->id, &was);

	if (e != ERR_OK)
		return e;
	if (was.type != to->role)
		e = stmt_run(c->db, SQL_STAFF_ROLE, "it", to->id, users_type_word(to->role));
	if (e == ERR_OK && was.type != to->role)
		e = stmt_run(c->db, SQL_AUDIT_STAFF, "tttittti", c->now, c->actor, "user", to->id, "role",
			     users_type_word(was.type), users_type_word(to->role), (int64_t)0);
	if (e == ERR_OK) {
		e = stmt_run(c->db, SQL_STAFF_RENAME, "itt", to->id, to->name, to->email);
		named = e == ERR_OK && stmt_changes(c->db);
	}
	return named ? stmt_run(c->db, SQL_AUDIT_STAFF, "tttittti", c->now, c->actor, "user", to->id, "renamed", NULL, NULL,
				(int64_t)0) :
		       e;
}

enum err staff_change(struct db *db, const struct staff_by *by, const struct staff_change *to, const char *actor, int64_t now_s)
{
	struct change c = {.db = db, .actor = actor};
	struct user u;
	enum err e = begin(&c, now_s);

	if (e != ERR_OK)
		return e;
	e = users_by_token(db, by->id, by->token_version, by->login, &u);
	if (e == ERR_OK && u.type != USER_OWNER)
		e = ERR_FORBIDDEN;
	if (e == ERR_OK)
		e = change(&c, to);
	e = db_end(db, e);
	if (e == ERR_OK)
		edition_touch_all_days(db->hall->edition);
	return e;
}

enum err staff_log_out(struct db *db, const struct staff_by *by, int64_t id, bool out, const char *actor, int64_t now_s)
{
	struct change c = {db, "user", out ? "removed" : "logged out", actor, id, true, ""};
	struct user u;
	enum err e = begin(&c, now_s);

	if (e != ERR_OK)
		return e;
	e = users_by_token(db, by->id, by->token_version, by->login, &u);
	if (e == ERR_OK)
		e = stmt_run(db, out ? SQL_STAFF_BLOCK : SQL_LOGINS_END, "i", id);
	return end(&c, e);
}

enum err staff_note_login(struct db *db, int64_t login, int64_t user_id, const char *device, int64_t now_s)
{
	struct change c = {.db = db};
	enum err e = begin(&c, now_s);

	return e == ERR_OK ? end(&c, stmt_run(db, SQL_LOGIN_NOTE, "iitt", login, user_id, c.now, device)) : e;
}

enum err staff_end_login(struct db *db, int64_t login, const char *actor, int64_t now_s)
{
	struct change c = {db, "card", "ended", actor, login, false, ""};
	enum err e = begin(&c, now_s);

	return e == ERR_OK ? end(&c, stmt_run(db, SQL_LOGIN_END, "it", login, c.now)) : e;
}

enum err staff_get(struct db *db, int64_t id, struct user *out)
{
	return users_take(db, stmt_use(db, SQL_STAFF_ONE, "i", id), out);
}

enum err staff_logins(struct db *db, int64_t restaurant_id, int64_t since_s, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_LOGINS_SINCE, "mi", since_s, restaurant_id), each, arg);
}

enum err staff_list(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_STAFF_LIST, "i", restaurant_id), each, arg);
}

enum err staff_count_owners(struct db *db, int64_t *count)
{
	return stmt_number(db, SQL_OWNER_COUNT, count, "");
}

enum err staff_invited_owner(struct db *db, int64_t *id, char *email, size_t size)
{
	return stmt_get(db, stmt_use(db, SQL_OWNER_INVITED, ""), ERR_NOT_FOUND, "it", id, email, size);
}
