/*
 * booking.c - reservations: reading them, and making one.
 */
#include "booking.h"

#include "doorlist.h"
#include "failpoint.h"
#include "kept.h"
#include "outbox.h"
#include "sitters.h"
#include "slots.h"
#include "token.h"
#include "users.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

const char *booking_type_word(enum ticket_type t)
{
	static const char *const words[] = {[TICKET_DEPOSIT] = "RESERVATION_DEPOSIT", [TICKET_PREPAY] = "PREORDER_PREPAY"};

	assert(t == TICKET_DEPOSIT || t == TICKET_PREPAY);
	return words[t];
}

static enum life take_life(sqlite3_stmt *s, int column)
{
	enum life status = LIFE_CANCELED;

	life_parse(stmt_text(s, column), &status);
	return status;
}

int booking_take(sqlite3_stmt *s, int64_t now_s, struct reservation *out)
{
	char now[CLOCK_ISO_SIZE];
	int column = 1;

	ROWS_RESERVATION(ROWS_TAKE)
	clock_iso(now_s, now);
	if (out->status == LIFE_TEMPORARY && strcmp(out->hold_expires_at, now) <= 0)
		out->status = LIFE_EXPIRED;
	return column;
}

bool booking_has_to_pay(const struct reservation *v)
{
	return v->total > 0 || v->guarantee > 0;
}

bool booking_sits(const struct reservation *v)
{
	return strcmp(v->visit_status, "SEATED") == 0 || strcmp(v->visit_status, "LEFT") == 0;
}

enum err booking_get(struct db *db, int64_t id, int64_t now_s, struct reservation *out)
{
	sqlite3_stmt *s = stmt_use(db, SQL_RESERVATION_GET, "i", id);
	enum err e;

	if (!stmt_row(db, s, &e))
		return e == ERR_OK ? ERR_NO_SUCH_RESERVATION : e;
	booking_take(s, now_s, out);
	stmt_done(s);
	return ERR_OK;
}

bool booking_has_begun(const struct reservation *v, int64_t now_s)
{
	int64_t starts;

	return clock_parse_iso(v->starts_at, &starts) && starts <= now_s;
}

enum err booking_each(struct db *db, sqlite3_stmt *s, int64_t now_s, void (*each)(void *arg, const struct reservation *),
		      void *arg)
{
	struct reservation r;
	enum err e;

	while (stmt_row(db, s, &e)) {
		booking_take(s, now_s, &r);
		each(arg, &r);
	}
	return e;
}

enum err booking_of_user(struct db *db, int64_t user_id, int limit, int64_t now_s,
			 void (*each)(void *arg, const struct reservation *), void *arg)
{
	return booking_each(db, stmt_use(db, SQL_RESERVATIONS_OF_USER, "ii", user_id, (int64_t)limit), now_s, each, arg);
}

enum err booking_of_card(struct db *db, int64_t card_id, int limit, int64_t now_s,
			 void (*each)(void *arg, const struct reservation *), void *arg)
{
	assert(card_id > 0);
	return booking_each(db, stmt_use(db, SQL_RESERVATIONS_OF_CARD, "ii", card_id, (int64_t)limit), now_s, each, arg);
}

enum err booking_items(struct db *db, int64_t id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_ITEMS_OF, "i", id), each, arg);
}

enum err booking_by_code(struct db *db, const char *typed, int64_t *id)
{
	struct code_typed code;
	enum err e;

	code_read(typed, &code);
	*id = 0;
	e = stmt_number(db, SQL_RESERVATION_BY_CODE, id, "ttt", typed, code.grouped, code.plain);
	if (e != ERR_OK || *id)
		return e;
	return code.mistyped ? ERR_MISTYPED_CODE : ERR_NO_SUCH_RESERVATION;
}

enum err booking_newest(struct db *db, int64_t *id)
{
	enum err e = stmt_number(db, SQL_NEXT_ID, id, "");

	*id -= e == ERR_OK;
	return e;
}

void booking_from_ticket(const struct ticket_book *b, const struct ticket_outcome *o, struct reservation *out)
{
	assert(o->err == ERR_OK && o->made_s);
	memset(out, 0, sizeof *out);
	out->id = o->id;
	out->slot_id = o->slot_id;
	out->user_id = o->user_id;
	out->restaurant_id = b->want.restaurant_id;
	memcpy(out->code, o->code, sizeof o->code);
	memcpy(out->date, b->want.date, sizeof out->date);
	memcpy(out->time, b->want.time, sizeof out->time);
	out->party = b->want.party;
	snprintf(out->type, sizeof out->type, "%s", booking_type_word((enum ticket_type)b->terms.type));
	memcpy(out->request, b->message, sizeof b->message);
	out->tags = b->tags;
	out->status = o->hold_until_s ? LIFE_TEMPORARY : LIFE_CONFIRMED;
	if (o->hold_until_s)
		clock_iso(o->hold_until_s, out->hold_expires_at);
	out->deposit = b->terms.deposit;
	out->prepay = b->terms.prepay;
	out->total = b->terms.deposit + b->terms.prepay;
	out->guarantee = b->terms.guarantee;
	memcpy(out->currency, b->terms.currency, sizeof out->currency);
	memcpy(out->refund_policy, b->terms.policy, sizeof out->refund_policy);
	snprintf(out->visit_status, sizeof out->visit_status, "PENDING");
	out->version = 1;
	clock_iso(o->made_s, out->created_at);
	clock_iso(o->made_s, out->updated_at);
	out->card_id = b->who.user_id < 0 ? b->who.card_id : 0;
	out->phone_key = b->who.user_id < 0 ? -b->who.user_id : 0;
	clock_iso(b->want.starts_s, out->starts_at);
	clock_iso(b->want.starts_s + b->want.sitting_minutes * INT64_C(60), out->ends_at);
	out->sitting_minutes = b->want.sitting_minutes;
	out->unproven = o->unproven != 0;
	out->refund_cap = 100;
}

/* ---- who books ---- */

enum { LOOK_MAX = 1000 }; /* reservations to come that are looked at for holds, where there is no limit on them */

enum err booking_find_person(struct db *db, const struct ticket_book *b, struct booking_person *p, struct ticket_outcome *out)
{
	bool guest = b->who.user_id < 0, proven = false, blocked = false;
	struct user u = {0};
	enum err e = guest ? users_check_card(db, b->who.card_id, -b->who.user_id, &proven) : ERR_OK;

	if (b->who.staff_id && !b->who.user_id) { /* a walk-in who left no number */
		*p = (struct booking_person){0};
		memcpy(p->name, b->who.guest.name, sizeof p->name);
		return ERR_OK;
	}
	if (e == ERR_OK)
		e = guest ? users_by_phone(db, -b->who.user_id, &u) :
			    users_by_token(db, b->who.user_id, b->who.token_version, b->who.card_id, &u);
	*p = (struct booking_person){
		.user_id = users_person(&u),
		.card_id = guest                ? b->who.card_id :
			   u.type == USER_GUEST ? u.id :
						  0,
		.proven = guest ? proven : u.type != USER_GUEST,
		.account = u.type == USER_ACCOUNT && !guest,
	};
	memcpy(p->name, guest ? b->who.guest.name : u.name, sizeof p->name);
	if (e == ERR_UNAUTHORIZED)
		out->err = ERR_UNAUTHORIZED;
	else if (e == ERR_OK && !b->who.staff_id) { /* staff know whom they let in */
		e = users_blocked_at(db, &u, b->want.restaurant_id, &blocked);
		out->err = blocked ? ERR_BLOCKED : out->err;
	}
	return e == ERR_UNAUTHORIZED || (guest && e == ERR_NOT_FOUND) ? ERR_OK : e;
}

enum err booking_standing(struct db *db, int64_t user_id, int64_t most, int64_t now_s, int64_t *holds, int64_t *upcoming)
{
	sqlite3_stmt *s;
	enum err e = ERR_OK;

	*holds = *upcoming = 0;
	s = stmt_use(db, SQL_STANDING, "im", user_id, now_s);
	while (*upcoming < most && stmt_row(db, s, &e)) {
		bool hold, of_its_own; /* a change that waits is a hold, but no reservation more */

		stmt_take(s, "bb", &hold, &of_its_own);
		*holds += hold;
		*upcoming += of_its_own;
	}
	stmt_done(s); /* it takes the same time whatever else stands in the book under that number */
	return e;
}

enum err booking_no_shows(struct db *db, const struct restaurant *r, int64_t user_id, int *out)
{
	int64_t n = 0;
	enum err e = ERR_OK;

	if (user_id > 0 && r->set.deposit_no_shows)
		e = stmt_number(db, SQL_NO_SHOWS, &n, "ii", user_id, r->id);
	*out = (int)n;
	return e;
}

enum err booking_no_shows_of(struct db *db, const struct restaurant *r, const struct ticket_who *who, int *out)
{
	struct user u = {0};
	enum err e = ERR_OK;

	*out = 0;
	if (!r->set.deposit_no_shows || !who->user_id)
		return ERR_OK;
	e = db_read_begin(db);
	if (e != ERR_OK)
		return e;
	e = who->user_id < 0 ? users_by_phone(db, -who->user_id, &u) : users_get(db, who->user_id, &u);
	if (e == ERR_OK)
		e = booking_no_shows(db, r, users_person(&u), out);
	db_read_end(db);
	return e == ERR_NOT_FOUND ? ERR_OK : e;
}

/* Has this person as many holds, or reservations to come, as one person may have? */
static enum err check_limits(struct db *db, const struct ticket_book *b, const struct booking_person *p, int64_t now_s,
			     struct ticket_outcome *out)
{
	int64_t most = b->terms.upcoming_max ? b->terms.upcoming_max : LOOK_MAX, holds, upcoming;
	bool pays = b->terms.deposit + b->terms.prepay + b->terms.guarantee > 0;
	enum err e;

	assert(out->err == ERR_OK);
	if (!p->user_id || b->who.staff_id || (!b->terms.holds_max && !b->terms.upcoming_max) || WITHOUT("limits"))
		return ERR_OK;
	e = booking_standing(db, p->user_id, most, now_s, &holds, &upcoming);
	if (b->terms.holds_max && pays && holds >= b->terms.holds_max)
		out->err = ERR_TOO_MANY_HOLDS;
	else if (b->terms.upcoming_max && upcoming >= b->terms.upcoming_max)
		out->err = ERR_TOO_MANY_UPCOMING;
	return e;
}

/* ---- before the line ---- */

/* Were these dishes ordered with it, and no others? */
static enum err same_items(struct db *db, int64_t id, const struct ticket_book *b, bool *same)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_ITEMS_OF, "i", id);
	int64_t menu_id, quantity;
	int found = 0;
	enum err e;

	*same = true;
	while (stmt_row(db, s, &e)) {
		int i = 0;

		stmt_take(s, "i--i", &menu_id, &quantity);
		while (i < b->item_count && (b->items[i].menu_id != menu_id || b->items[i].quantity != quantity))
			i++;
		*same &= i < b->item_count;
		found++;
	}
	*same &= found == b->item_count;
	return e;
}

/* A key of the desk that was used before.  A walk-in begins whenever it is said, so its time says nothing about it. */
static enum err find_desk_key(struct db *db, const struct ticket_book *b, struct ticket_outcome *out)
{
	const struct ticket_want *w = &b->want;
	sqlite3_stmt *s = stmt_use(db, SQL_BY_DESK_KEY, "it", w->restaurant_id, b->key);
	const char *date, *time;
	int64_t id, party, phone_key;
	bool walk_in;
	enum err e;

	if (!stmt_row(db, s, &e))
		return e;
	stmt_take(s, "iibwwi", &id, &party, &walk_in, &date, &time, &phone_key);
	if (party == w->party && walk_in == (b->walk_in != 0) && phone_key == -b->who.user_id &&
	    (walk_in || (strcmp(date, w->date) == 0 && strcmp(time, w->time) == 0)))
		out->id = id;
	else
		out->err = ERR_KEY_REUSED;
	stmt_done(s);
	return ERR_OK;
}

/* A key that was used before: for the same booking the guest who used it gets the same answer. */
static enum err find_key(struct db *db, const struct ticket_book *b, const struct booking_person *p, struct ticket_outcome *out)
{
	const struct ticket_want *w = &b->want;
	const char *date, *time, *type, *message, *tags;
	int64_t id, party, restaurant_id, card_id;
	bool same, same_dishes = true;
	sqlite3_stmt *s;
	enum err e;

	if (b->key[0] && b->who.staff_id)
		return find_desk_key(db, b, out);
	if (!b->key[0] || !p->user_id)
		return ERR_OK;
	s = stmt_use(db, SQL_BY_KEY, "it", p->user_id, b->key);
	if (!stmt_row(db, s, &e))
		return e;
	stmt_take(s, "iiiwwmwwiw", &id, &party, &restaurant_id, &date, &time, &out->hold_until_s, &type, &message, &card_id,
		  &tags);
	same = card_id == p->card_id && party == w->party && restaurant_id == w->restaurant_id && strcmp(date, w->date) == 0 &&
	       strcmp(time, w->time) == 0 && strcmp(message, b->message) == 0 && tags_read(tags) == b->tags &&
	       strcmp(type, booking_type_word((enum ticket_type)b->terms.type)) == 0;
	stmt_done(s);
	e = same_items(db, id, b, &same_dishes);
	if (same && same_dishes)
		out->id = id;
	else
		*out = (struct ticket_outcome){.err = ERR_KEY_REUSED};
	return e;
}

void booking_refuse(struct ticket_outcome *out, enum err why, int64_t left)
{
	assert(out->err == ERR_OK && why != ERR_OK);
	out->err = (int32_t)why;
	out->remaining = left > 0 ? (int32_t)left : 0;
}

enum err booking_find_own(struct db *db, const struct booking_person *p, int64_t slot_id, int64_t now_s,
			  struct ticket_outcome *out)
{
	int64_t id = 0, card = 0;
	enum err e;

	if (!slot_id || !p->user_id || WITHOUT("duplicate"))
		return ERR_OK;
	e = stmt_get(db, stmt_use(db, SQL_ACTIVE_OF_USER, "iim", p->user_id, slot_id, now_s), ERR_OK, "ii", &id, &card);
	if (id)
		*out = (struct ticket_outcome){.err = ERR_DUPLICATE, .id = !p->card_id || p->card_id == card ? id : 0};
	return e;
}

/* What this person did before: by the same key, or in the same slot. */
static enum err find_earlier(struct db *db, const struct ticket_book *b, const struct booking_person *p, int64_t slot_id,
			     int64_t now_s, struct ticket_outcome *out)
{
	enum err e = find_key(db, b, p, out);

	return e == ERR_OK && out->err == ERR_OK && !out->id ? booking_find_own(db, p, slot_id, now_s, out) : e;
}

/*
 * Whether a login is still valid, and what it may see, is asked only if there is something to tell: most of those who come
 * too late in a rush would be asked for nothing.
 */
static enum err look_back(struct db *db, const struct ticket_book *b, int64_t slot_id, int64_t now_s, struct booking_person *p,
			  struct ticket_outcome *out)
{
	bool guest = b->who.user_id < 0;
	enum err e = ERR_OK;

	*p = (struct booking_person){.user_id = b->who.user_id};
	if (guest)
		e = booking_find_person(db, b, p, out);
	if (e == ERR_OK && out->err == ERR_OK)
		e = find_earlier(db, b, p, slot_id, now_s, out);
	if (e != ERR_OK || guest || (out->err == ERR_OK && !out->id))
		return e;
	*out = (struct ticket_outcome){0};
	e = booking_find_person(db, b, p, out);
	return e == ERR_OK && out->err == ERR_OK ? find_earlier(db, b, p, slot_id, now_s, out) : e;
}

enum err booking_precheck(struct db *db, const struct restaurant_day *day, const struct ticket_book *b, int64_t now_s,
			  struct ticket_outcome *out)
{
	struct slot_view v;
	struct booking_person p;
	int minute = 0;
	bool known = text_time(b->want.time, &minute);
	enum err e = slots_look(db, day, minute, b->want.party, now_s, &v);

	assert(known && db->reading); /* one moment for everything below */
	*out = (struct ticket_outcome){0};
	if (e == ERR_OK)
		e = look_back(db, b, v.slot_id, now_s, &p, out);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	if (!v.available) {
		booking_refuse(out, v.blocked ? ERR_TIME_BLOCKED : ERR_SLOT_FULL,
			       v.remaining < b->want.party ? v.remaining : 0); /* 0: there are seats, but no table fits */
		return ERR_OK;
	}
	return check_limits(db, b, &p, now_s, out);
}

/* ---- inside the transaction ---- */

void booking_stay(const struct ticket_want *w, struct room_stay *out)
{
	*out = (struct room_stay){
		.starts_s = w->starts_s, .ends_s = w->starts_s + w->sitting_minutes * INT64_C(60), .party = w->party};
	while (out->table_count < TICKET_TABLES && w->tables[out->table_count]) {
		out->tables[out->table_count] = w->tables[out->table_count];
		out->table_count++;
	}
}

/* What came free and is kept is for those who wait, and staff know whom they let in. */
static int64_t who_asks(const struct txn *t, const struct ticket_book *b)
{
	if (b->want.pass_waiters || b->who.staff_id || WITHOUT("waiters"))
		return KEPT_PAST;
	return t->asked_id ? t->asked_id : KEPT_NEWCOMER;
}

/* Whom the seats and tables are for. */
static enum room_who who_sits(const struct ticket_book *b)
{
	if (b->walk_in)
		return ROOM_WALK_IN;
	return b->who.staff_id || b->by_hand ? ROOM_STAFF : ROOM_ONLINE;
}

/* Who walks in sits down now: at a table that it names nobody may sit, unless it is shared on purpose. */
static enum err look_who_sits(struct txn *t, const struct ticket_book *b, struct room_stay *stay, enum err *why)
{
	return b->walk_in ? sitters_join(t, &b->want, 0, b->share, stay, why) : ERR_OK;
}

/* Is there room from when to when, and at which tables? */
static enum err find_room(struct txn *t, const struct ticket_book *b, int64_t asks, struct room_stay *stay,
			  struct ticket_outcome *out)
{
	int left = 0;
	enum err e, why = ERR_OK;

	booking_stay(&b->want, stay);
	stay->by_staff = b->who.staff_id != 0;
	stay->counts = b->overbook[0] ? ROOM_BEYOND : ROOM_COUNTED;
	e = look_who_sits(t, b, stay, &why);
	if (e == ERR_OK && why == ERR_OK)
		e = slots_find_room(t, &b->want, who_sits(b), asks, stay, &left, &why);
	if (e == ERR_OK && why != ERR_OK)
		booking_refuse(out, why, left < b->want.party ? left : 0); /* 0: there are seats, but no table fits */
	return e;
}

enum err booking_find_place(struct txn *t, const struct ticket_book *b, struct room_stay *stay, struct ticket_outcome *out)
{
	enum err e = slots_learn(t, &b->want);
	int64_t asks = who_asks(t, b), left = 0;
	struct txn_kept kept = {0};

	if (asks == KEPT_NEWCOMER)
		kept = t->slot.kept;
	else if (e == ERR_OK && t->slot.keeps && asks != KEPT_PAST)
		e = kept_of_slot(t->db, b->want.restaurant_id, b->want.date, b->want.time, t->now, asks, &kept);
	if (e == ERR_OK)
		e = slots_left(t, &b->want, who_sits(b), &kept, &left);
	if (e == ERR_OK && b->want.party > left && !b->walk_in && !b->overbook[0] && !WITHOUT("sum"))
		booking_refuse(out, ERR_SLOT_FULL, left);
	return e == ERR_OK && out->err == ERR_OK ? find_room(t, b, asks, stay, out) : e;
}

/* Everything that must be looked up before the insert; out->err says no, out->id that it is there already. */
static enum err decide(struct txn *t, const struct ticket_book *b, struct booking_person *p, struct room_stay *stay,
		       struct ticket_outcome *out)
{
	enum err e = booking_find_person(t->db, b, p, out);

	if (e == ERR_OK && out->err == ERR_OK)
		e = find_key(t->db, b, p, out);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = booking_find_place(t, b, stay, out);
	if (e == ERR_OK && out->err == ERR_OK)
		e = check_limits(t->db, b, p, t->now_s, out);
	/* Report DUPLICATE in preference to the others. */
	return e == ERR_OK && out->err != ERR_OK ? booking_find_own(t->db, p, t->slot.id, t->now_s, out) : e;
}

static enum err insert_items(struct txn *t, const struct ticket_book *b, int64_t id)
{
	enum err e = ERR_OK;

	for (int i = 0; i < b->item_count && e == ERR_OK; i++)
		e = stmt_run(t->db, SQL_ITEM_ADD, "iiii", id, b->items[i].menu_id, (int64_t)b->items[i].unit_price,
			     (int64_t)b->items[i].quantity);
	return e;
}

/*
 * How many may start says nothing about those who are here: a walk-in's slot takes as many more as there come, and keeps
 * that number when they have left.  That admits no other party: no guest books, changes to or waits for a time that has begun.
 */
static enum err raise_capacity(struct txn *t, const struct ticket_book *b, const char *actor)
{
	int64_t need = t->slot.taken + b->want.party;
	enum err e = ERR_OK;

	if (need <= t->slot.capacity)
		return ERR_OK;
	if (b->want.starts_s > t->now_s)
		return ERR_SLOT_FULL;
	if (t->slot.id)
		e = stmt_run(t->db, SQL_WRITING_BEGIN, "t", actor);
	if (t->slot.id && e == ERR_OK)
		e = stmt_run(t->db, SQL_SLOT_RAISE, "ii", t->slot.id, need);
	if (t->slot.id && e == ERR_OK)
		e = stmt_run(t->db, SQL_WRITING_END, "");
	if (e == ERR_OK)
		t->slot.capacity = need;
	return e;
}

/* The rows themselves. */
static enum err insert(struct txn *t, const struct ticket_book *b, const struct booking_person *p, const struct room_stay *stay,
		       uint64_t number, struct ticket_outcome *out)
{
	char until[CLOCK_ISO_SIZE], ends[CLOCK_ISO_SIZE], actor[32], tags[TAGS_SIZE];
	bool offer = !number, unproven = b->terms.prove_s && !p->proven,
	     hold = b->terms.deposit + b->terms.prepay + b->terms.guarantee > 0 || offer || unproven;
	int64_t hold_s = unproven ? b->terms.prove_s : b->terms.hold_s;
	enum err e = ERR_OK;

	clock_iso(t->now_s + hold_s, until);
	clock_iso(stay->ends_s, ends);
	tags_write(b->tags, tags);
	out->user_id = p->user_id;
	if (!p->user_id)
		e = users_add_guest(t, &b->who.guest, -b->who.user_id, &out->user_id); /* 0: no number */
	snprintf(actor, sizeof actor, offer ? "waitlist" : "user:%lld",
		 (long long)(b->who.staff_id ? b->who.staff_id : out->user_id));
	if (e == ERR_OK && b->walk_in && !b->overbook[0])
		e = raise_capacity(t, b, actor);
	if (e == ERR_OK)
		e = slots_create(t, t->slot.capacity, b->want.starts_s);
	if (e == ERR_OK)
		e = stmt_run(
			t->db, b->overbook[0] ? SQL_RESERVATION_ADD_BEYOND : SQL_RESERVATION_ADD,
			b->overbook[0] ? "itiiitttiitttiitttitttiittitt" : "itiiitttiitttiitttitttiittit", out->id, out->code,
			t->slot.id, out->user_id, (int64_t)b->want.party, booking_type_word((enum ticket_type)b->terms.type),
			hold ? "TEMPORARY" : "CONFIRMED", b->message[0] ? b->message : NULL, b->terms.deposit, b->terms.prepay,
			b->terms.currency, b->terms.policy, hold ? until : NULL, b->who.staff_id ? (int64_t)0 : stay->tables[0],
			(int64_t)number, b->key[0] && !b->who.staff_id ? b->key : NULL, actor, t->now, b->want.restaurant_id,
			t->slot.starts, p->name, b->who.guest.email, p->card_id, (int64_t)b->want.sitting_minutes, ends,
			offer ? "WAITLIST" : "WEB", (int64_t)unproven, tags, b->overbook);
	if (e == ERR_OK && b->terms.guarantee)
		e = stmt_run(t->db, SQL_GUARANTEE, "ii", out->id, b->terms.guarantee);
	for (size_t i = b->who.staff_id ? 0 : 1; i < stay->table_count && e == ERR_OK; i++)
		e = stmt_run(t->db, stay->shared >> i & 1 ? SQL_TABLE_TAKE_SHARED : SQL_TABLE_TAKE, "iitt", out->id,
			     stay->tables[i], t->slot.starts, ends);
	if (e == ERR_OK && b->who.staff_id) /* last: the book's triggers then see all of its tables together */
		e = stmt_run(t->db, SQL_SEATED, "ittitt", out->id, b->walk_in ? "WALK_IN" : "DESK", b->note, stay->tables[0],
			     b->walk_in ? t->now : NULL, b->key);
	if (e == ERR_OK && b->overbook[0])
		e = stmt_run(t->db, SQL_AUDIT_ADD, "tttitti", t->now, actor, "reservation", out->id, "overbooked", NULL,
			     (int64_t)0);
	if (e == ERR_OK)
		e = insert_items(t, b, out->id);
	out->hold_until_s = hold ? t->now_s + hold_s : 0;
	out->unproven = unproven;
	out->slot_id = t->slot.id;
	out->made_s = t->now_s;
	return e;
}

/*
 * Writes one ticket, or refuses it in out->err and leaves nothing behind.  It runs between txn_mark() and txn_undo()
 * unless it is a single statement, which SQLite rolls back itself.
 */
static enum err write_one(struct txn *t, const struct ticket_book *b, const struct booking_person *p, struct room_stay *stay,
			  uint64_t number, struct ticket_outcome *out)
{
	bool single = t->slot.id && b->item_count == 0 && p->user_id && stay->table_count <= 1 && !b->who.staff_id &&
		      !t->slot.keeps;
	int64_t left = 0;
	enum err e = t->next_id ? ERR_OK : stmt_number(t->db, SQL_NEXT_ID, &t->next_id, "");

	assert(t->slot.restaurant_id == b->want.restaurant_id);
	if (e == ERR_OK && !single)
		e = txn_mark(t);
	if (e != ERR_OK)
		return e;
	*out = (struct ticket_outcome){.id = t->next_id};
	code_make(&t->codes, out->code);
	e = insert(t, b, p, stay, number, out);
	if (e == ERR_OK) {
		t->next_id++;
		t->slot.taken += b->want.party;
		stay->id = out->id;
		e = slots_note_stay(t, &b->want, stay, &left);
		out->remaining = (int32_t)left;
		txn_touch_day(t, b->want.restaurant_id, b->want.date);
		if (!t->slot.keeps)
			t->used_until_s = 0;
		else if (e == ERR_OK)
			e = kept_use(t, b->want.restaurant_id, b->want.date, stay, who_asks(t, b));
		return e != ERR_OK || single ? e : txn_keep(t);
	}
	/* The book's own rules had the last word: this ticket is refused, its neighbours are not touched. */
	*out = (struct ticket_outcome){.err = (int32_t)e};
	if (!txn_refuses_one(e))
		return e;
	if (!single)
		return txn_undo(t);
	txn_forget(t);
	return ERR_OK;
}

/* A code that is in the book already is drawn again: of a million reservations that happens to one in four hundred. */
static enum err write_coded(struct txn *t, const struct ticket_book *b, const struct booking_person *p, struct room_stay *stay,
			    uint64_t number, struct ticket_outcome *out)
{
	enum err e = write_one(t, b, p, stay, number, out);

	for (int again = 0; again < CODE_DRAWS && e == ERR_OK && out->err == ERR_CODE_TAKEN; again++) {
		e = slots_learn(t, &b->want);
		if (e == ERR_OK)
			e = write_one(t, b, p, stay, number, out);
	}
	return e;
}

enum err booking_offer(struct txn *t, const struct ticket_book *b, const struct booking_person *p, struct room_stay *stay,
		       struct ticket_outcome *out)
{
	assert(p->user_id && b->terms.hold_s > 0);
	return write_coded(t, b, p, stay, 0, out);
}

/* Who hears of it: the guest, and the owner of what guests do. */
static enum err tell(struct txn *t, const struct ticket_book *b, const struct booking_person *p,
		     const struct ticket_outcome *out)
{
	enum outbox_event event = out->hold_until_s ? OUTBOX_HELD : OUTBOX_CONFIRMED;
	enum err e;

	if (b->walk_in || out->unproven)
		return ERR_OK; /* they are here; or the code that they get tells them */
	if (b->who.staff_id)
		return outbox_tell(t, event, b->want.restaurant_id, out->id, 0);
	e = outbox_tell_new(t, event, b->want.restaurant_id, out->id,
			    &(struct outbox_new){.has_email = b->who.guest.email[0] || p->account,
						 .has_phone = b->who.user_id < 0,
						 .network = b->who.user_id >= 0 || p->proven ? 0 : b->who.network});
	return e == ERR_OK ? outbox_tell_owner(t, b->want.restaurant_id, out->id) : e;
}

enum err booking_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	const struct ticket_book *b = &r->u.book;
	struct booking_person p;
	struct room_stay stay = {0};
	enum err e;

	assert((r->kind == TICKET_BOOK || (r->kind == TICKET_SEAT && b->who.staff_id)) && b->want.sitting_minutes > 0 &&
	       b->want.party > 0 && b->item_count <= TICKET_ITEMS_MAX);
	e = decide(t, b, &p, &stay, out);
	if (e == ERR_OK && out->err == ERR_OK && !out->id && b->door_id)
		e = doorlist_may_sit(t, b, out);
	if (b->share) /* the room was looked at as this party may: no other ticket is to find it so */
		txn_forget(t);
	if (e == ERR_OK && b->share && out->err == ERR_OK && !out->id)
		e = slots_learn(t, &b->want);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = write_coded(t, b, &p, &stay, number, out);
	if (e == ERR_OK && out->err == ERR_DUPLICATE)
		e = slots_learn(t, &b->want);
	if (e == ERR_OK && out->err == ERR_OK && b->door_id)
		e = doorlist_seated(t, b, out->id);
	if (e == ERR_OK && out->err == ERR_OK)
		e = tell(t, b, &p, out);
	return e == ERR_OK && out->err == ERR_DUPLICATE ? booking_find_own(t->db, &p, t->slot.id, t->now_s, out) : e;
}

enum err booking_cancelled_by_house(struct db *db, int64_t id, bool *was)
{
	*was = false;
	return stmt_get(db, stmt_use(db, SQL_CANCELLED_BY_HOUSE, "i", id), ERR_OK, "b", was);
}
