/*
 * guestlist.c - who the guests of a restaurant are.
 */
#include "guestlist.h"

#include "failpoint.h"
#include "users.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* ---- seeing ---- */

enum err guestlist_get(struct db *db, int64_t restaurant_id, int64_t id, int64_t now_s, struct guestlist_row *out)
{
	return stmt_get(db, stmt_use(db, SQL_GUEST_ROW, "iim", id, restaurant_id, now_s), ERR_NOT_FOUND, "iitttttbbiiiittt",
			&out->id, &out->version, out->name, sizeof out->name, out->phone, sizeof out->phone, out->email,
			sizeof out->email, out->note, sizeof out->note, out->tags, sizeof out->tags, &out->blocked,
			&out->logs_in, &out->visits, &out->no_shows, &out->cancelled, &out->upcoming, out->last,
			sizeof out->last, out->next_date, sizeof out->next_date, out->next_time, sizeof out->next_time);
}

/* A page under way. */
struct page {
	struct db *db;
	const struct guestlist_query *q;
	int64_t ids[GUESTLIST_PAGE];
	int count;
};

static bool is_on(const struct page *p, int64_t id)
{
	for (int i = 0; i < p->count; i++)
		if (p->ids[i] == id)
			return true;
	return false;
}

static void put_mark(struct guestlist_mark *m, const char *date, const char *time, int64_t id)
{
	snprintf(m->date, sizeof m->date, "%s", date);
	snprintf(m->time, sizeof m->time, "%s", time);
	m->id = id;
}

/* Is the guest of this reservation listed at a later one of theirs? */
static enum err is_later(const struct page *p, const struct guestlist_mark *at, int64_t user_id, bool *later)
{
	const struct guestlist_query *q = p->q;

	*later = false;
	return stmt_get(p->db,
			stmt_use(p->db, SQL_GUEST_LATER, "ittittii", q->restaurant_id, at->date, at->time, (int64_t)q->no_shows,
				 q->name, q->digits, user_id, at->id),
			ERR_OK, "b", later);
}

/* Back from a place, reservation by reservation.  *at: the last that was looked at; its date is "" when there are no more. */
static enum err walk_back(struct page *p, struct guestlist_mark *at)
{
	const struct guestlist_query *q = p->q;
	const struct guestlist_mark begin = *at;
	struct sqlite3_stmt *s = stmt_use(p->db, SQL_GUESTS_BACK, "ittitt", q->restaurant_id, begin.date, begin.time,
					  (int64_t)q->no_shows, q->name, q->digits);
	enum err e = ERR_OK;
	bool more;

	for (int walked = 0; (more = walked < GUESTLIST_WALK && p->count < GUESTLIST_PAGE) && stmt_row(p->db, s, &e);
	     walked++) {
		const char *date, *time;
		int64_t id, user_id;
		bool hit, later = false;

		stmt_take(s, "wwiib", &date, &time, &id, &user_id, &hit);
		if (strcmp(date, begin.date) == 0 && strcmp(time, begin.time) == 0 && id >= begin.id)
			continue;
		put_mark(at, date, time, id);
		if (!hit || is_on(p, user_id))
			continue;
		e = is_later(p, at, user_id, &later);
		if (e != ERR_OK)
			break;
		if (!later)
			p->ids[p->count++] = user_id;
	}
	if (e == ERR_OK && more)
		at->date[0] = '\0';
	else
		stmt_done(s);
	return e;
}

static enum err list_marked(struct page *p, struct guestlist_mark *at)
{
	const struct guestlist_query *q = p->q;
	struct sqlite3_stmt *s = stmt_use(p->db, SQL_GUESTS_MARKED, "ittitttii", q->restaurant_id, at->date, at->time,
					  (int64_t)q->blocked, q->name, q->digits, q->tag, at->id, (int64_t)q->no_shows);
	bool more = false;
	enum err e = ERR_OK;

	while (!more && stmt_row(p->db, s, &e)) {
		const char *date, *time;
		int64_t id;

		stmt_take(s, "iww", &id, &date, &time);
		more = p->count == GUESTLIST_PAGE;
		if (more)
			continue;
		p->ids[p->count++] = id;
		put_mark(at, date, time, id);
	}
	if (more)
		stmt_done(s);
	else
		at->date[0] = '\0';
	return e;
}

/* The one guest of a number. */
static enum err find_number(struct page *p, struct guestlist_mark *at)
{
	int64_t id = 0;
	enum err e = stmt_number(p->db, SQL_GUEST_BY_KEY, &id, "ii", p->q->phone_key, p->q->restaurant_id);

	if (id) {
		at->date[0] = '\0';
		p->ids[p->count++] = id;
	}
	return e;
}

enum err guestlist_read(struct db *db, const struct guestlist_query *q, int64_t now_s,
			void (*each)(void *arg, const struct guestlist_row *), void *arg, struct guestlist_mark *after)
{
	struct page p = {.db = db, .q = q};
	struct guestlist_row row;
	enum err e = ERR_OK;

	*after = q->after;
	if (!after->date[0])
		put_mark(after, "9999-99-99", "99:99", INT64_MAX);
	if (q->phone_key > 0 && !q->after.date[0])
		e = find_number(&p, after);
	if (e == ERR_OK && !p.count) /* what looks like a number may be the end of one */
		e = q->tag || q->blocked ? list_marked(&p, after) : walk_back(&p, after);
	for (int i = 0; i < p.count && e == ERR_OK; i++) {
		e = guestlist_get(db, q->restaurant_id, p.ids[i], now_s, &row);
		if (e == ERR_OK)
			each(arg, &row);
	}
	return e;
}

enum err guestlist_tags(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_GUEST_TAGS_USED, "ii", restaurant_id, (int64_t)GUESTLIST_TAGGED), each, arg);
}

enum err guestlist_merges(struct db *db, int64_t restaurant_id, int64_t id, stmt_each *each, void *arg)
{
	return stmt_rows(db, stmt_use(db, SQL_MERGES_OF, "ii", id, restaurant_id), each, arg);
}

/* ---- doing ---- */

/* What is said about a guest, under way. */
struct editing {
	struct txn *t;
	const struct ticket_guest_edit *g;
	int64_t number;
	int64_t id; /* whom it is about in the end: another number may be another guest's */
	struct ticket_outcome *out;
};

static enum err note_that(const struct editing *w, int64_t user_id, const char *what, int64_t number)
{
	return stmt_run(w->t->db, SQL_AUDIT_GUEST, "ttitii", w->t->now, w->g->actor, user_id, what, number,
			w->g->restaurant_id);
}

/* What this restaurant has of one guest becomes another's, who has nothing here. */
static enum err move_all(const struct editing *w, int64_t from, int64_t into)
{
	struct db *db = w->t->db;
	int64_t at = w->g->restaurant_id;
	enum err e = stmt_run(db, SQL_GUEST_MOVE, "iiitti", from, into, at, w->g->actor, w->t->now, w->number);

	if (e == ERR_OK)
		e = stmt_run(db, SQL_GUEST_MOVE_WAITS, "iii", from, into, at);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_GUEST_FORGET_KNOWN, "ii", into, at);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_GUEST_MOVE_KNOWN, "iii", from, into, at);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_GUEST_MOVE_MERGES, "iii", from, into, at);
	return e == ERR_OK ? stmt_run(db, SQL_GUEST_MOOT_MERGES, "i", into) : e;
}

/* Nobody has the number yet.  Where the guest is another restaurant's, too, this one's gets a user of its own. */
static enum err take_free_number(struct editing *w, const struct guestlist_row *was)
{
	const struct ticket_guest_edit *g = w->g;
	int64_t elsewhere = 0;
	enum err e = stmt_number(w->t->db, SQL_GUEST_ELSEWHERE, &elsewhere, "ii", w->id, g->restaurant_id);

	if (e == ERR_OK && !elsewhere)
		return stmt_run(w->t->db, SQL_GUEST_NUMBER, "itii", w->id, g->phone, g->phone_key, (int64_t)g->calling_code);
	if (e == ERR_OK)
		e = stmt_run(w->t->db, SQL_GUEST_COPY, "ittit", w->id, was->name, g->phone, g->phone_key, w->t->now);
	if (e != ERR_OK)
		return e;
	w->id = stmt_last_id(w->t->db);
	return move_all(w, g->guest_id, w->id);
}

/*
 * A number is one person, whoever types it: what a card may see does not change with it, because that is what was made with the
 * card.  Who logs in sees everything of their user, so users with a login stay apart.
 */
static enum err renumber(struct editing *w, const struct guestlist_row *was)
{
	const struct ticket_guest_edit *g = w->g;
	struct guestlist_row here;
	struct user other;
	int64_t key = 0;
	enum err e = stmt_number(w->t->db, SQL_GUEST_KEY, &key, "i", w->id);

	if (e != ERR_OK)
		return e;
	if (was->logs_in)
		return ERR_GUEST_LOGS_IN;
	if (key == g->phone_key)
		return stmt_run(w->t->db, SQL_GUEST_NUMBER, "itii", w->id, g->phone, key, (int64_t)g->calling_code);
	e = users_by_phone(w->t->db, g->phone_key, &other);
	if (e == ERR_NOT_FOUND)
		return take_free_number(w, was);
	if (e != ERR_OK)
		return e;
	if (other.type != USER_GUEST)
		return ERR_GUEST_LOGS_IN;
	e = guestlist_get(w->t->db, g->restaurant_id, other.id, w->t->now_s, &here);
	if (e == ERR_OK) {
		w->out->id = other.id;
		return ERR_GUEST_EXISTS;
	}
	if (e != ERR_NOT_FOUND)
		return e;
	w->id = other.id; /* known to others alone: to this restaurant it is a new number */
	return move_all(w, g->guest_id, other.id);
}

/* Of what is named, that which is so already is left out: it is no change. */
static int find_changed(const struct ticket_guest_edit *g, const struct guestlist_row *was)
{
	int named = g->named;

	if (strcmp(g->name, was->name) == 0)
		named &= ~GUEST_NAME;
	if (strcmp(g->phone, was->phone) == 0)
		named &= ~GUEST_PHONE;
	if (strcmp(g->email, was->email) == 0)
		named &= ~GUEST_EMAIL;
	if (strcmp(g->note, was->note) == 0)
		named &= ~GUEST_NOTE;
	if (strcmp(g->tags, was->tags) == 0)
		named &= ~GUEST_TAGS;
	if ((g->blocked != 0) == was->blocked)
		named &= ~GUEST_BLOCKED;
	return named;
}

/* What was written stays out of the audit, which cannot be erased. */
static enum err note_changes(const struct editing *w, int named)
{
	static const struct {
		int what;
		const char *words;
	} rows[] = {
		{GUEST_NAME, "another name"}, {GUEST_PHONE, "another number"}, {GUEST_EMAIL, "another address"},
		{GUEST_NOTE, "another note"}, {GUEST_TAGS, "other tags"},
	};
	enum err e = ERR_OK;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0] && e == ERR_OK; i++)
		if (named & rows[i].what)
			e = note_that(w, w->id, rows[i].words, w->number);
	if (e == ERR_OK && named & GUEST_BLOCKED)
		e = note_that(w, w->id, w->g->blocked ? "blocked" : "not blocked", w->number);
	return e;
}

/* A corrected name or address stands on what is still to come; what was given for a visit that is over stays. */
static enum err correct(struct editing *w, const struct guestlist_row *was)
{
	const struct ticket_guest_edit *g = w->g;
	struct db *db = w->t->db;
	int named = find_changed(g, was);
	enum err e = named & GUEST_PHONE ? renumber(w, was) : ERR_OK;

	if (e != ERR_OK || !named)
		return e;
	e = stmt_run(db, SQL_GUEST_SET, "iiittttit", w->id, g->restaurant_id, (int64_t)named, g->name, g->email, g->note,
		     g->tags, (int64_t)g->blocked, w->t->now);
	if (e == ERR_OK && named & (GUEST_NAME | GUEST_EMAIL))
		e = stmt_run(db, SQL_GUEST_RENAME, "iiittitt", w->id, g->restaurant_id, (int64_t)named, g->actor, w->t->now,
			     w->number, g->name, g->email);
	if (e == ERR_OK && named & (GUEST_NAME | GUEST_EMAIL))
		e = stmt_run(db, SQL_GUEST_RENAME_WAITS, "iiitt", w->id, g->restaurant_id, (int64_t)named, g->name, g->email);
	return e == ERR_OK ? note_changes(w, named) : e;
}

/* ---- two who are one ---- */

static enum err take_pairs(struct db *db, struct sqlite3_stmt *s, int64_t *ids, int most, int *count)
{
	enum err e;

	*count = 0;
	while (stmt_row(db, s, &e)) {
		if (*count + 2 > most)
			continue;
		stmt_take(s, "ii", &ids[*count], &ids[*count + 1]);
		*count += 2;
	}
	return e;
}

enum err guestlist_meeting(struct db *db, const struct ticket_guest_edit *g, int64_t *ids, int most, int *count,
			   stmt_each *waits, void *arg)
{
	bool merge = g->act == GUEST_MERGE;
	int64_t merge_id = 0, from = 0;
	enum err e = ERR_OK;

	*count = 0;
	if (!merge) {
		e = stmt_get(db, stmt_use(db, SQL_MERGE_FIND, "iii", g->guest_id, g->restaurant_id, g->merge_id), ERR_OK, "ii",
			     &merge_id, &from);
	}
	if (e == ERR_OK)
		e = take_pairs(db,
			       merge ? stmt_use(db, SQL_GUESTS_MEET, "iii", g->guest_id, g->into, g->restaurant_id) :
				       stmt_use(db, SQL_MERGE_MEET, "ii", from, merge_id),
			       ids, most, count);
	return e == ERR_OK ?
		       stmt_rows(db,
				 merge ? stmt_use(db, SQL_GUESTS_WAIT_BOTH, "iii", g->guest_id, g->into, g->restaurant_id) :
					 stmt_use(db, SQL_MERGE_WAIT_BOTH, "ii", from, merge_id),
				 waits, arg) :
		       e;
}

static void count_wait(void *arg, const struct stmt_cell *cells, int count)
{
	(void)cells;
	(void)count;
	++*(int *)arg;
}

/* One person has one place in a slot. */
static enum err check_meeting(const struct editing *w)
{
	int64_t ids[2];
	int count, waits = 0;
	enum err e = guestlist_meeting(w->t->db, w->g, ids, 2, &count, count_wait, &waits);

	return e == ERR_OK && (count || waits) && !WITHOUT("meeting") ? ERR_GUESTS_MEET : e;
}

/* Both notes, whole or not at all. */
static enum err join_notes(const char *mine, const char *theirs, char out[LENGTHS_SIZE(LENGTHS_GUEST_NOTE)])
{
	char both[2 * LENGTHS_SIZE(LENGTHS_GUEST_NOTE)];
	bool one = !*mine || !*theirs || strcmp(mine, theirs) == 0;

	snprintf(both, sizeof both, "%s%s%s", mine, one ? "" : "\n", one && *mine ? "" : theirs);
	if (text_points(both) > LENGTHS_GUEST_NOTE)
		return ERR_TOO_LONG;
	memcpy(out, both, strlen(both) + 1);
	return ERR_OK;
}

static enum err note_both(const struct editing *w, const char *word, int64_t from)
{
	char words[40];
	enum err e;

	snprintf(words, sizeof words, "%s %lld", word, (long long)from);
	e = note_that(w, w->id, words, w->number);
	snprintf(words, sizeof words, "%s as %lld", word, (long long)w->id);
	return e == ERR_OK ? note_that(w, from, words, 0) : e;
}

/* What the house knows of them together; their name stays that of the one who stays. */
static enum err know_both(const struct editing *w, const struct guestlist_row *from, const struct guestlist_row *into,
			  struct guestlist_row *both)
{
	enum err e = join_notes(into->note, from->note, both->note);

	snprintf(both->tags, sizeof both->tags, "%s", into->tags);
	both->blocked = into->blocked || from->blocked;
	if (e == ERR_OK)
		e = guesttags_join(both->tags, from->tags);
	return e == ERR_OK ?
		       stmt_run(w->t->db, SQL_MERGE_ADD, "iiittttitt", from->id, into->id, w->g->restaurant_id, w->g->actor,
				w->t->now, both->note, both->tags, (int64_t)both->blocked, into->name, into->email) :
		       e;
}

static enum err merge(struct editing *w, const struct guestlist_row *from)
{
	const struct ticket_guest_edit *g = w->g;
	struct guestlist_row into, both = {0};
	struct db *db = w->t->db;
	enum err e = guestlist_get(db, g->restaurant_id, g->into, w->t->now_s, &into);

	if (e != ERR_OK)
		return e;
	if (from->logs_in || into.logs_in)
		return ERR_GUEST_LOGS_IN;
	e = check_meeting(w);
	if (e == ERR_OK)
		e = know_both(w, from, &into, &both);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_GUEST_MOVE, "iiitti", from->id, into.id, g->restaurant_id, g->actor, w->t->now, w->number);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_GUEST_MOVE_WAITS, "iii", from->id, into.id, g->restaurant_id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_GUEST_FORGET_KNOWN, "ii", from->id, g->restaurant_id);
	if (e == ERR_OK)
		e = stmt_run(
			db, SQL_GUEST_SET, "iiittttit", into.id, g->restaurant_id,
			(int64_t)(GUEST_NAME | (into.email[0] ? GUEST_EMAIL : 0) | GUEST_NOTE | GUEST_TAGS | GUEST_BLOCKED),
			into.name, into.email, both.note, both.tags, (int64_t)both.blocked, w->t->now);
	w->id = into.id;
	return e == ERR_OK ? note_both(w, "merged", from->id) : e;
}

/* Which merge, and whom it took; ERR_BAD_MOVE where something has come after it. */
static enum err find_merge(const struct editing *w, int64_t *merge_id, int64_t *from)
{
	const struct ticket_guest_edit *g = w->g;
	int64_t gone = 0;
	struct user u;
	enum err e;

	*merge_id = 0;
	e = stmt_get(w->t->db, stmt_use(w->t->db, SQL_MERGE_FIND, "iii", g->guest_id, g->restaurant_id, g->merge_id), ERR_OK,
		     "ii", merge_id, from);
	if (e == ERR_OK && !*merge_id)
		return ERR_NOT_FOUND;
	if (e == ERR_OK)
		e = users_get(w->t->db, *from, &u);
	if (e == ERR_OK && (u.erased || u.type != USER_GUEST))
		return ERR_BAD_MOVE;
	if (e == ERR_OK)
		e = stmt_number(w->t->db, SQL_MERGE_GONE_ON, &gone, "ii", g->guest_id, *merge_id);
	return e == ERR_OK && gone ? ERR_BAD_MOVE : e;
}

/* Whoever came since stays with the guest who is there; what was moved goes back. */
static enum err unmerge(struct editing *w)
{
	const struct ticket_guest_edit *g = w->g;
	struct db *db = w->t->db;
	int64_t merge_id, from;
	enum err e = find_merge(w, &merge_id, &from);

	if (e == ERR_OK)
		e = check_meeting(w);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_UNMERGE, "iiitti", g->guest_id, from, merge_id, g->actor, w->t->now, w->number);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_UNMERGE_WAITS, "iii", g->guest_id, from, merge_id);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_UNMERGE_KNOWN, "iiit", g->guest_id, g->restaurant_id, merge_id, w->t->now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_UNMERGE_GIVE_BACK, "iiit", from, g->restaurant_id, merge_id, w->t->now);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_MERGE_UNDONE, "it", merge_id, w->t->now);
	return e == ERR_OK ? note_both(w, "separated", from) : e;
}

static enum err act(struct editing *w)
{
	struct guestlist_row was;
	enum err e = guestlist_get(w->t->db, w->g->restaurant_id, w->g->guest_id, w->t->now_s, &was);

	if (e == ERR_OK && w->g->version >= 0 && w->g->version != was.version)
		e = ERR_STALE;
	if (e != ERR_OK)
		return e;
	switch ((enum ticket_guest_act)w->g->act) {
	case GUEST_CORRECT:
		return correct(w, &was);
	case GUEST_MERGE:
		return merge(w, &was);
	case GUEST_UNMERGE:
		return unmerge(w);
	}
	return ERR_INTERNAL;
}

static bool is_answer(enum err e)
{
	return e == ERR_NOT_FOUND || e == ERR_STALE || e == ERR_GUEST_EXISTS || e == ERR_GUESTS_MEET ||
	       e == ERR_GUEST_LOGS_IN || e == ERR_TOO_LONG || e == ERR_BAD_GUEST_TAG || e == ERR_BAD_MOVE || txn_refuses_one(e);
}

enum err guestlist_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	const struct ticket_guest_edit *g = &r->u.guest;
	struct editing w = {.t = t, .g = g, .number = (int64_t)number, .id = g->guest_id, .out = out};
	enum err e = txn_mark(t);

	assert(r->kind == TICKET_GUEST && g->guest_id > 0 && g->restaurant_id > 0 && g->guest_id != g->into);
	if (e == ERR_OK)
		e = act(&w);
	if (e == ERR_OK) {
		out->id = w.id;
		txn_touch_all(t); /* every day shows who its guests are */
		return txn_keep(t);
	}
	if (!is_answer(e))
		return e;
	*out = (struct ticket_outcome){.err = (int32_t)e, .id = e == ERR_GUEST_EXISTS ? out->id : g->guest_id};
	return txn_undo(t);
}
