/*
 * proofs.c - a number or an address that is proven by a code sent to it.
 */
#include "proofs.h"

#include "failpoint.h"
#include "outbox.h"
#include "users.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { FORGET_S = 86400 };

enum err proofs_get(struct db *db, int64_t id, int64_t now_s, struct proof *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_PROOF_GET, "i", id);
	const char *channel, *language, *until;
	char now[CLOCK_ISO_SIZE];
	int64_t tries;
	enum err e;

	if (!stmt_row(db, s, &e))
		return e == ERR_OK ? ERR_NOT_FOUND : e;
	clock_iso(now_s, now);
	*out = (struct proof){.id = id};
	stmt_take(s, "iiiwtwiws", &out->restaurant_id, &out->card_id, &out->phone_key, &channel, out->address,
		  sizeof out->address, &language, &tries, &until, &out->over);
	out->by_mail = strcmp(channel, "MAIL") == 0;
	out->lang = strcmp(language, "en") == 0 ? LANG_EN : LANG_KO;
	out->over |= tries >= PROOFS_TRIES || strcmp(until, now) <= 0 || !out->phone_key; /* without a number: forgotten */
	stmt_done(s);
	return ERR_OK;
}

enum err proofs_awaited(struct db *db, int64_t card_id, int64_t now_s, bool *awaited)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_UNPROVEN_OF_CARD, "im", card_id, now_s);
	enum err e;

	*awaited = stmt_row(db, s, &e);
	if (!*awaited)
		return e;
	stmt_done(s);
	return ERR_OK;
}

/* How often codes go to one number or mailbox, in each span: for all who ask, and for cards whose seats wait for a code. */
static const struct limit {
	int64_t span_s, open, hold, first;
} limits[] = {
	{PROOFS_EVERY_S, PROOFS_MAX, PROOFS_MAX_HOLD, PROOFS_MAX_FIRST},
	{3600, 2 * PROOFS_MAX, 2 * PROOFS_MAX_HOLD, 2 * PROOFS_MAX_FIRST},
	{86400, 4 * PROOFS_MAX, 4 * PROOFS_MAX_HOLD, 4 * PROOFS_MAX_FIRST},
};
enum { LIMITS = sizeof limits / sizeof limits[0] };
static_assert(LIMITS == 3, "SQL_PROOFS_OF_PHONE counts in three spans");

/* Whose question it is. */
struct asking {
	bool awaited;   /* seats of this card wait for the code */
	int64_t before; /* codes that the card has asked for */
};

static enum err learn_asking(struct txn *t, int64_t card_id, struct asking *a)
{
	enum err e = proofs_awaited(t->db, card_id, t->now_s, &a->awaited);

	return e == ERR_OK ?
		       stmt_number(t->db, SQL_PROOFS_OF_CARD, &a->before, "imt", card_id, t->now_s - PROOFS_EVERY_S, t->now) :
		       e;
}

/* s counts the codes of one number or mailbox in the three spans. */
static enum err find_many(struct txn *t, struct sqlite3_stmt *s, const struct asking *a, bool *many)
{
	enum err e;

	while (stmt_row(t->db, s, &e))
		for (int i = 0; i < LIMITS; i++) {
			const struct limit *l = &limits[i];

			if (stmt_int(s, i) >= (!a->awaited ? l->open : a->before ? l->hold : l->first))
				*many = true;
		}
	return e;
}

/*
 * Neither one number nor one mailbox is sent codes without end, nor does the box send them to the whole world.  What
 * strangers use up leaves a part of each limit to guests whose seats wait for the code, and one card has a few alone.
 */
static enum err too_many(struct txn *t, const struct ticket_prove *p, const char *mailbox, const struct asking *a, bool *many)
{
	char since[LIMITS][CLOCK_ISO_SIZE];
	int64_t of_all = 0;
	enum err e;

	for (int i = 0; i < LIMITS; i++)
		clock_iso(t->now_s - limits[i].span_s, since[i]);
	*many = a->before >= PROOFS_MAX;
	e = find_many(t, stmt_use(t->db, SQL_PROOFS_OF_PHONE, "itttt", p->phone_key, since[0], since[1], since[2], t->now), a,
		      many);
	if (e == ERR_OK && *mailbox)
		e = find_many(t, stmt_use(t->db, SQL_PROOFS_OF_MAILBOX, "ttttt", mailbox, since[0], since[1], since[2], t->now),
			      a, many);
	if (e == ERR_OK)
		e = stmt_number(t->db, SQL_PROOFS_SINCE, &of_all, "mit", t->now_s - 60, (int64_t)PROOFS_A_MINUTE, t->now);
	if (of_all >= (a->awaited ? PROOFS_A_MINUTE : PROOFS_A_MINUTE_OPEN))
		*many = true;
	return e;
}

/* The reader of a mailbox could prove any number by it: a few a day are a family's.  Codes only asked for do not count. */
static enum err check_numbers(struct txn *t, const char *address, int64_t phone_key)
{
	char mailbox[TEXT_MAILBOX_SIZE];
	int64_t numbers = 0;
	enum err e;

	text_mailbox(address, mailbox);
	e = stmt_number(t->db, SQL_NUMBERS_OF_MAILBOX, &numbers, "tim", mailbox, phone_key, t->now_s - FORGET_S);
	return e == ERR_OK && numbers >= PROOFS_NUMBERS && !WITHOUT("numbers") ? ERR_ADDRESS_USED_UP : e;
}

static enum err ask(struct txn *t, const struct ticket_prove *p, uint64_t number, struct ticket_outcome *out)
{
	char until[CLOCK_ISO_SIZE], actor[32], mailbox[TEXT_MAILBOX_SIZE] = "";
	bool mail = false, sms = false, many = false;
	struct asking a = {0};
	enum err e = outbox_ways(t, p->restaurant_id, &mail, &sms);

	if (e == ERR_OK && !(p->by_mail ? mail && *p->address : sms))
		return ERR_NO_WAY_TO_REACH;
	if (p->by_mail)
		text_mailbox(p->address, mailbox);
	if (e == ERR_OK)
		e = learn_asking(t, p->card_id, &a);
	if (e == ERR_OK)
		e = too_many(t, p, mailbox, &a, &many);
	if (e == ERR_OK && many)
		return ERR_TOO_MANY_CODES;
	if (e == ERR_OK && p->by_mail)
		e = check_numbers(t, p->address, p->phone_key);
	clock_iso(t->now_s + PROOFS_GOOD_S, until);
	snprintf(actor, sizeof actor, "card:%lld", (long long)p->card_id);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_PROOF_ADD, "iiitttttt", p->restaurant_id, p->card_id, p->phone_key,
			     p->by_mail ? "MAIL" : "SMS", p->address, p->lang == LANG_EN ? "en" : "ko", until, t->now, mailbox);
	if (e != ERR_OK)
		return e;
	out->id = stmt_last_id(t->db);
	out->hold_until_s = t->now_s + PROOFS_GOOD_S;
	e = outbox_put_code(t, p->restaurant_id, p->by_mail, out->id, a.awaited ? PROOFS_GOOD_S : 0, p->network);
	return e == ERR_OK ? stmt_run(t->db, SQL_AUDIT_ADD, "tttitti", t->now, actor, "proof", out->id, "asked",
				      p->by_mail ? "MAIL" : "SMS", (int64_t)number) :
			     e;
}

/* What waited for the code stands now, or waits for its payment as every other hold. */
static enum err settle(struct txn *t, int64_t id, int hold_s, const char *actor)
{
	struct reservation v;
	enum err e = booking_get(t->db, id, t->now_s, &v);

	if (e != ERR_OK)
		return e;
	e = booking_has_to_pay(&v) ?
		    stmt_run(t->db, SQL_HOLD_UNTIL, "imtti", id, t->now_s + hold_s, actor, t->now, (int64_t)0) :
		    stmt_run(t->db, SQL_MOVE, "itttii", id, "CONFIRMED", actor, t->now, (int64_t)0, (int64_t)-1);
	if (e == ERR_OK)
		e = outbox_tell(t, booking_has_to_pay(&v) ? OUTBOX_HELD : OUTBOX_CONFIRMED, v.restaurant_id, id, 0);
	if (e == ERR_OK)
		e = outbox_tell_owner(t, v.restaurant_id, id);
	txn_touch_day(t, v.restaurant_id, v.date);
	return e;
}

static enum err settle_all(struct txn *t, const struct ticket_prove *p, const char *actor)
{
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_UNPROVEN_OF_CARD, "it", p->card_id, t->now);
	int64_t ids[20];
	int n;
	enum err e = stmt_ids(t->db, s, ids, (int)(sizeof ids / sizeof ids[0]), &n);

	for (int i = 0; i < n && e == ERR_OK; i++)
		e = settle(t, ids[i], p->hold_s, actor);
	return e;
}

static enum err enter(struct txn *t, const struct ticket_prove *p, uint64_t number, struct ticket_outcome *out)
{
	struct user u = {0};
	struct proof proof;
	char actor[32];
	enum err e = proofs_get(t->db, p->proof_id, t->now_s, &proof);

	out->id = p->proof_id;
	if (e == ERR_NOT_FOUND || (e == ERR_OK && (proof.over || proof.card_id != p->card_id)))
		return ERR_CODE_OVER;
	if (e == ERR_OK && proof.by_mail)
		e = check_numbers(t, proof.address, proof.phone_key);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_PROOF_TRIED, "iit", proof.id, (int64_t)(p->right != 0), t->now);
	if (e != ERR_OK)
		return e;
	if (!p->right) {
		out->err = ERR_WRONG_CODE; /* the try counts */
		return ERR_OK;
	}
	snprintf(actor, sizeof actor, "card:%lld", (long long)p->card_id);
	e = users_by_phone(t->db, proof.phone_key, &u);
	if (e == ERR_OK || e == ERR_NOT_FOUND)
		e = stmt_run(t->db, SQL_CARD_PROVEN, "iiittt", proof.card_id, u.id, proof.phone_key,
			     proof.by_mail ? "MAIL" : "SMS", proof.address, t->now);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_WAITS_PROVEN, "i", proof.card_id);
	if (e == ERR_OK)
		e = settle_all(t, p, actor);
	return e == ERR_OK ? stmt_run(t->db, SQL_AUDIT_ADD, "tttitti", t->now, actor, "proof", proof.id, "entered", NULL,
				      (int64_t)number) :
			     e;
}

enum err proofs_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	const struct ticket_prove *p = &r->u.prove;
	enum err e = txn_mark(t);

	assert((r->kind == TICKET_PROVE || r->kind == TICKET_CODE) && p->card_id && p->phone_key > 0);
	if (e != ERR_OK)
		return e;
	e = r->kind == TICKET_PROVE ? ask(t, p, number, out) : enter(t, p, number, out);
	if (e == ERR_OK)
		return txn_keep(t);
	if (e != ERR_NO_WAY_TO_REACH && e != ERR_TOO_MANY_CODES && e != ERR_CODE_OVER && e != ERR_ADDRESS_USED_UP &&
	    !txn_refuses_one(e))
		return e;
	*out = (struct ticket_outcome){.err = (int32_t)e, .id = p->proof_id};
	return txn_undo(t);
}

enum err proofs_of_card(struct db *db, int64_t card_id, int64_t phone_key, bool *proven, char email[256])
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_CARD_GET, "i", card_id);
	const char *by;
	int64_t key;
	bool ended;
	enum err e;

	*proven = false;
	email[0] = '\0';
	while (stmt_row(db, s, &e)) {
		stmt_take(s, "swit", &ended, &by, &key, email, (size_t)256);
		*proven = !ended && *by && key == phone_key;
		if (strcmp(by, "MAIL") != 0)
			email[0] = '\0';
	}
	return e;
}

enum err proofs_reservations(struct db *db, int64_t phone_key, const char *email, int64_t card_id, int limit, int64_t now_s,
			     void (*each)(void *arg, const struct reservation *), void *arg)
{
	struct user u = {0};
	enum err e = users_by_phone(db, phone_key, &u);

	if (e != ERR_OK && e != ERR_NOT_FOUND)
		return e;
	return booking_each(db,
			    *email ? stmt_use(db, SQL_RESERVATIONS_OF_ADDRESS, "iiit", u.id, card_id, (int64_t)limit, email) :
				     stmt_use(db, SQL_RESERVATIONS_OF_NUMBER, "iii", u.id, card_id, (int64_t)limit),
			    now_s, each, arg);
}

enum err proofs_forget(struct db *db, int64_t now_s)
{
	return db_sweep(db, SQL_PROOFS_OLD, SQL_PROOFS_FORGET, now_s - FORGET_S);
}
