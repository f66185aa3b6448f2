/*
 * users.c - guests, accounts, staff and owner.
 */
#include "users.h"

#include "clock.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static const char *const words[] = {"GUEST", "ACCOUNT", "STAFF", "OWNER"};

const char *users_type_word(enum user_type t)
{
	return words[t];
}

static enum user_type parse_type(const char *word)
{
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(words[i], word) == 0)
			return (enum user_type)i;
	return USER_GUEST;
}

static enum err take_user(struct db *db, sqlite3_stmt *s, struct user *out)
{
	enum err e;

	if (!stmt_row(db, s, &e))
		return e == ERR_OK ? ERR_NOT_FOUND : e;
	*out = (struct user){
		.id = stmt_int(s, 0),
		.type = parse_type(stmt_text(s, 1)),
		.restaurant_id = stmt_int(s, 2),
		.token_version = (uint32_t)stmt_int(s, 4),
		.blocked = stmt_int(s, 5) != 0,
		.erased = !stmt_null(s, 6),
	};
	stmt_copy(s, 3, out->name, sizeof out->name);
	stmt_copy(s, 7, out->password_hash, sizeof out->password_hash);
	out->phone_of = stmt_int(s, 8);
	stmt_done(s);
	return ERR_OK;
}

enum err users_get(struct db *db, int64_t id, struct user *out)
{
	return take_user(db, stmt_use(db, SQL_USER_GET, "i", id), out);
}

enum err users_check_card(struct db *db, int64_t card_id)
{
	int64_t ended = 0;
	enum err e = stmt_number(db, SQL_CARD_ENDED, &ended, "i", card_id);

	return e == ERR_OK && ended ? ERR_UNAUTHORIZED : e;
}

enum err users_by_token(struct db *db, int64_t id, uint32_t token_version, int64_t card_id, struct user *out)
{
	enum err e = take_user(db, stmt_use(db, SQL_USER_BY_TOKEN, "ii", id, card_id), out);

	if (e == ERR_NOT_FOUND || (e == ERR_OK && (out->token_version != token_version || out->erased || out->blocked)))
		return ERR_UNAUTHORIZED;
	return e;
}

int64_t users_person(const struct user *u)
{
	return u->type == USER_GUEST && u->phone_of ? u->phone_of : u->id;
}

enum err users_by_phone(struct db *db, int64_t phone_key, struct user *out)
{
	assert(phone_key > 0);
	return take_user(db, stmt_use(db, SQL_USER_BY_PHONE, "i", phone_key), out);
}

enum err users_by_login(struct db *db, const char *email, struct user *out)
{
	return take_user(db, stmt_use(db, SQL_USER_BY_LOGIN, "t", email), out);
}

enum err users_add_guest(struct txn *t, const struct ticket_guest *g, int64_t phone_key, int64_t *id)
{
	enum err e = stmt_run(t->db, SQL_GUEST_ADD, "ttittt", g->name, g->phone, phone_key, g->email[0] ? g->email : NULL,
			      g->lang == LANG_KO ? "ko" : "en", t->now);

	if (e == ERR_OK)
		*id = stmt_last_id(t->db);
	return e;
}

enum err users_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	const struct ticket_logout *l = &r->u.logout;
	char actor[32];
	enum err e = txn_mark(t);

	assert(r->kind == TICKET_LOGOUT && (l->card_id || l->user_id));
	snprintf(actor, sizeof actor, "%s:%lld", l->user_id ? "user" : "card",
		 (long long)(l->user_id ? l->user_id : l->card_id));
	if (e == ERR_OK)
		e = l->card_id ? stmt_run(t->db, SQL_CARD_END, "iit", l->card_id, l->user_id, t->now) :
				 stmt_run(t->db, SQL_LOGINS_END, "i", l->user_id);
	if (e == ERR_OK && stmt_changes(t->db)) /* a card with which nothing was made is worth no row */
		e = stmt_run(t->db, SQL_AUDIT_ADD, "tttitti", t->now, actor, "card", l->card_id, "ended", NULL,
			     (int64_t)number);
	if (!txn_refuses_one(e))
		return e == ERR_OK ? txn_keep(t) : e;
	*out = (struct ticket_outcome){.err = (int32_t)e};
	return txn_undo(t);
}

enum err users_add_login(struct db *db, enum user_type type, const char *name, const char *email, const char *password_hash,
			 int64_t now_s, int64_t *id)
{
	char now[CLOCK_ISO_SIZE];
	enum err e = db_begin(db);

	assert(type != USER_GUEST && email);
	if (e != ERR_OK)
		return e;
	clock_iso(now_s, now);
	e = stmt_run(db, SQL_LOGIN_ADD, "ttttt", words[type], name, email, password_hash, now);
	if (e == ERR_OK)
		*id = stmt_last_id(db);
	return db_end(db, e);
}

enum err users_set_password(struct db *db, int64_t id, const char *password_hash)
{
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	return db_end(db, stmt_run(db, SQL_PASSWORD_SET, "it", id, password_hash));
}

enum err users_count_owners(struct db *db, int64_t *count)
{
	return stmt_number(db, SQL_OWNER_COUNT, count, "");
}

enum err users_list_staff(struct db *db,
			  void (*each)(void *arg, int64_t id, const char *type, const char *name, const char *email), void *arg)
{
	sqlite3_stmt *s = stmt_use(db, SQL_STAFF_LIST, "");
	enum err e;

	while (stmt_row(db, s, &e))
		each(arg, stmt_int(s, 0), stmt_text(s, 1), stmt_text(s, 2), stmt_text(s, 3));
	return e;
}

/* One load-test guest, found or made, inside the caller's transaction. */
static enum err load_test_user(struct db *db, int number, const char *hash, const char *now, struct user *out)
{
	char email[64], name[32];
	enum err e;

	assert(number > 0);
	snprintf(email, sizeof email, "loadtest.user%04d@example.com", number);
	snprintf(name, sizeof name, "Load test %04d", number);
	e = users_by_login(db, email, out);
	if (e == ERR_OK && hash) {
		e = stmt_run(db, SQL_PASSWORD_SET, "it", out->id, hash);
		out->token_version++;
	}
	if (e != ERR_NOT_FOUND)
		return e;
	e = stmt_run(db, SQL_LOGIN_ADD, "ttttt", words[USER_ACCOUNT], name, email, hash, now);
	*out = (struct user){.id = stmt_last_id(db), .token_version = 1};
	return e;
}

enum err users_make_load_test(struct db *db, int count, const char *password_hash, int64_t now_s,
			      void (*each)(void *arg, int64_t id, uint32_t version), void *arg)
{
	char now[CLOCK_ISO_SIZE];
	struct user u;
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	clock_iso(now_s, now);
	for (int i = 1; i <= count && e == ERR_OK; i++) {
		e = load_test_user(db, i, password_hash, now, &u);
		if (e == ERR_OK)
			each(arg, u.id, u.token_version);
	}
	return db_end(db, e);
}
