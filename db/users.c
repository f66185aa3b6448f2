/*
 * users.c - people: who they are, by number, login, token or card.
 */
#include "users.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static const char *const words[] = {"GUEST", "ACCOUNT", "STAFF", "MANAGER", "OWNER"};

const char *users_type_word(enum user_type t)
{
	return words[t];
}

enum user_type users_type(const char *word)
{
	int i = text_word(words, USER_OWNER + 1, word);

	return i > USER_OWNER ? USER_GUEST : (enum user_type)i;
}

enum err users_take(struct db *db, sqlite3_stmt *s, struct user *out)
{
	const char *type;
	int64_t version;
	enum err e;

	if (!stmt_row(db, s, &e))
		return e == ERR_OK ? ERR_NOT_FOUND : e;
	*out = (struct user){0};
	stmt_take(s, "iwitibstibtb", &out->id, &type, &out->restaurant_id, out->name, sizeof out->name, &version, &out->blocked,
		  &out->erased, out->password_hash, sizeof out->password_hash, &out->phone_of, &out->password_once,
		  out->password_until, sizeof out->password_until, &out->blocked_somewhere);
	out->type = users_type(type);
	out->token_version = (uint32_t)version;
	stmt_done(s);
	return ERR_OK;
}

enum err users_get(struct db *db, int64_t id, struct user *out)
{
	return users_take(db, stmt_use(db, SQL_USER_GET, "i", id), out);
}

enum err users_check_card(struct db *db, int64_t card_id, int64_t phone_key, bool *proven)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_CARD_GET, "i", card_id);
	bool ended = false;
	int64_t key;
	enum err e;

	*proven = false;
	while (stmt_row(db, s, &e)) {
		stmt_take(s, "ssi-", &ended, proven, &key);
		*proven = *proven && key == phone_key;
	}
	return e == ERR_OK && ended ? ERR_UNAUTHORIZED : e;
}

enum err users_by_token(struct db *db, int64_t id, uint32_t token_version, int64_t card_id, struct user *out)
{
	enum err e = users_take(db, stmt_use(db, SQL_USER_BY_TOKEN, "ii", id, card_id), out);

	if (e == ERR_NOT_FOUND || (e == ERR_OK && (out->token_version != token_version || out->erased || out->blocked)))
		return ERR_UNAUTHORIZED;
	return e;
}

int64_t users_person(const struct user *u)
{
	return u->type == USER_GUEST && u->phone_of ? u->phone_of : u->id;
}

enum err users_blocked_at(struct db *db, const struct user *u, int64_t restaurant_id, bool *blocked)
{
	int64_t there = 0;
	enum err e = ERR_OK;

	if (!u->blocked && u->blocked_somewhere)
		e = stmt_number(db, SQL_GUEST_BLOCKED, &there, "ii", users_person(u), restaurant_id);
	*blocked = u->blocked || there;
	return e;
}

enum err users_by_phone(struct db *db, int64_t phone_key, struct user *out)
{
	assert(phone_key > 0);
	return users_take(db, stmt_use(db, SQL_USER_BY_PHONE, "i", phone_key), out);
}

enum err users_by_login(struct db *db, const char *email, struct user *out)
{
	return users_take(db, stmt_use(db, SQL_USER_BY_LOGIN, "t", email), out);
}

enum err users_add_guest(struct txn *t, const struct ticket_guest *g, int64_t phone_key, int64_t *id)
{
	enum err e = stmt_run(t->db, SQL_GUEST_ADD, "ttittt", g->name, g->phone, phone_key, g->email[0] ? g->email : NULL,
			      g->lang == LANG_KO ? "ko" : "en", t->now);

	if (e == ERR_OK)
		*id = stmt_last_id(t->db);
	return e;
}

static enum err end_card(struct txn *t, const struct ticket_logout *l, uint64_t number)
{
	char actor[32];
	enum err e;

	assert(l->card_id || l->user_id);
	e = l->card_id ? stmt_run(t->db, SQL_CARD_END, "iit", l->card_id, l->user_id, t->now) :
			 stmt_run(t->db, SQL_LOGINS_END, "i", l->user_id);
	if (e != ERR_OK || !stmt_changes(t->db)) /* said twice; and no row for a card that never made a reservation */
		return e;
	if (l->user_id)
		txn_touch_all(t); /* a tablet that was logged out notices; a guest's card is on none */
	snprintf(actor, sizeof actor, "%s:%lld", l->user_id ? "user" : "card",
		 (long long)(l->user_id ? l->user_id : l->card_id));
	return stmt_run(t->db, SQL_AUDIT_ADD, "tttitti", t->now, actor, "card", l->card_id, "ended", NULL, (int64_t)number);
}

enum err users_change_password(struct db *db, int64_t id, uint32_t version, const char *hash, const char *actor,
			       const char *now, uint64_t number)
{
	enum err e = stmt_run(db, SQL_PASSWORD_SET, "iti", id, hash, (int64_t)version);

	if (e == ERR_OK && !stmt_changes(db))
		e = ERR_LOGIN_FAILED;
	if (e == ERR_OK)
		e = stmt_run(db, SQL_LOGINS_OVER, "it", id, now);
	return e == ERR_OK ? stmt_run(db, SQL_AUDIT_STAFF, "tttittti", now, actor, "user", id, "password", NULL, NULL,
				      (int64_t)number) :
			     e;
}

static enum err choose_password(struct txn *t, const struct ticket_password *p, uint64_t number)
{
	char actor[32];
	enum err e;

	snprintf(actor, sizeof actor, "user:%lld", (long long)p->user_id);
	e = users_change_password(t->db, p->user_id, p->token_version, p->hash, actor, t->now, number);
	return e == ERR_OK && p->login ? stmt_run(t->db, SQL_LOGIN_NOTE, "iitt", p->login, p->user_id, t->now, p->device) : e;
}

enum err users_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	enum err e = txn_mark(t);

	assert(r->kind == TICKET_LOGOUT || r->kind == TICKET_PASSWORD);
	if (e == ERR_OK)
		e = r->kind == TICKET_LOGOUT ? end_card(t, &r->u.logout, number) : choose_password(t, &r->u.password, number);
	if (e == ERR_OK && r->kind == TICKET_PASSWORD)
		txn_touch_all(t); /* every login of theirs is over */
	if (e == ERR_OK)
		return txn_keep(t);
	if (e != ERR_LOGIN_FAILED && !txn_refuses_one(e))
		return e;
	*out = (struct ticket_outcome){.err = (int32_t)e};
	return txn_undo(t);
}
