/*
 * waitlist.c - guests who want a slot that is full, and the seats that come free for them.
 */
#include "waitlist.h"

#include "failpoint.h"
#include "kept.h"
#include "moves.h"
#include "outbox.h"
#include "room.h"
#include "slots.h"
#include "users.h"
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
	ASK_MAX = 300,  /* after this many no further slots or days are begun; the sweep comes again and goes on there */
	ASK_EACH = 100, /* and of one slot: of each size one who does not fit, and those who do */
	SIZES_MAX = WAITLIST_SLOT_MAX, /* of one slot */
	LINES_MAX = 24,                /* slots of a day that are asked together, in order of arrival */
	DAYS_MAX = 60,
	OFFER_MAX_S = 172800, /* a day by the settings, and a night before it begins */
	OFFER_MIN_S = 120,    /* guests do not answer faster */
	LOOK_EVERY_MS = 10000,
	SHARE = 4, /* of the time that is left until the slot, an offer takes at most this part */
};

/* ---- reading ---- */

static void take_waiter(struct sqlite3_stmt *s, struct waiter *w)
{
	*w = (struct waiter){0};
	stmt_take(s, "iittntiittttittnb", &w->id, &w->restaurant_id, w->date, sizeof w->date, w->time, sizeof w->time,
		  &w->party, w->status, sizeof w->status, &w->user_id, &w->card_id, w->guest, sizeof w->guest, w->email,
		  sizeof w->email, w->phone, sizeof w->phone, w->starts_at, sizeof w->starts_at, &w->reservation_id,
		  w->offer_expires_at, sizeof w->offer_expires_at, w->created_at, sizeof w->created_at, &w->rank, &w->removed);
}

static enum err tell_each(struct db *db, struct sqlite3_stmt *s, waitlist_each *each, void *arg)
{
	struct waiter w;
	enum err e;

	while (stmt_row(db, s, &e)) {
		take_waiter(s, &w);
		each(arg, &w);
	}
	return e;
}

enum err waitlist_get(struct db *db, int64_t id, struct waiter *out)
{
	struct sqlite3_stmt *s = stmt_use(db, SQL_WAITER_GET, "i", id);
	enum err e;

	if (!stmt_row(db, s, &e))
		return e == ERR_OK ? ERR_NO_SUCH_WAIT : e;
	take_waiter(s, out);
	stmt_done(s);
	return ERR_OK;
}

enum err waitlist_of_card(struct db *db, int64_t card_id, waitlist_each *each, void *arg)
{
	return tell_each(db, stmt_use(db, SQL_WAITERS_OF_CARD, "i", card_id), each, arg);
}

enum err waitlist_of_user(struct db *db, int64_t user_id, waitlist_each *each, void *arg)
{
	return tell_each(db, stmt_use(db, SQL_WAITERS_OF_USER, "i", user_id), each, arg);
}

enum err waitlist_of_day(struct db *db, int64_t restaurant_id, const char *date, waitlist_each *each, void *arg)
{
	return tell_each(db, stmt_use(db, SQL_WAITERS_AT_DESK, "it", restaurant_id, date), each, arg);
}

/* ---- offering ---- */

/* A waiter who may be asked. */
struct asked {
	int64_t id, user_id, card_id, starts_s;
	int party;
	bool blocked, proven;
	char time[TEXT_TIME_SIZE], name[TICKET_NAME_SIZE], email[256];
};

static bool take_asked(struct sqlite3_stmt *s, struct asked *a)
{
	*a = (struct asked){0};
	stmt_take(s, "itniittmbb", &a->id, a->time, sizeof a->time, &a->party, &a->user_id, &a->card_id, a->name,
		  sizeof a->name, a->email, sizeof a->email, &a->starts_s, &a->blocked, &a->proven);
	return a->starts_s != 0;
}

/*
 * How long an offer stands: shorter near the slot, and at night until the morning and as long again, because no guest is
 * woken for it.  A guest who has proven nothing gets no night: made-up numbers would keep the seats until the morning.
 */
static int64_t offer_seconds(const struct restaurant *r, int64_t now_s, int64_t starts_s, bool proven)
{
	int64_t whole = r->set.waitlist_offer_minutes * INT64_C(60), left = starts_s - now_s;
	int64_t awake = hours_awake(&r->set, r->zone, now_s), s = left / SHARE < whole ? left / SHARE : whole;

	s = s < OFFER_MIN_S ? OFFER_MIN_S : s;
	if (awake > now_s && proven)
		s += awake - now_s;
	return s < left ? s : left;
}

/* The hold that they are offered, as a booking by the settings of today. */
static void make_offer(const struct restaurant *r, const char *date, const struct asked *a, int64_t now_s,
		       struct ticket_book *b)
{
	*b = (struct ticket_book){
		.want = ticket_want(&r->set, r->id, date, a->time, a->starts_s, a->party),
		.who = {.user_id = a->user_id, .card_id = a->card_id},
		.terms = ticket_terms(&r->set, r->currency, NULL, money_deposit(&r->set, a->party)),
	};
	b->terms.hold_s = (int32_t)offer_seconds(r, now_s, a->starts_s, a->proven);
	memcpy(b->who.guest.email, a->email, sizeof b->who.guest.email);
}

/* Offers of one day: whose, and by whom. */
struct offering {
	const struct restaurant *r;
	const char *date, *actor;
	bool to_all;  /* the house itself made room: no deadline counts */
	bool by_hand; /* staff say so, whatever is kept for others */
	int left;     /* how many more are asked before no further slots are begun; those that are begun are seen through */
};

/* The hold is written: tell the guest. */
static enum err write_offer(struct txn *t, const struct offering *o, const struct asked *a, const struct ticket_outcome *out)
{
	char until[CLOCK_ISO_SIZE], kept[CLOCK_ISO_SIZE];
	int64_t awake_s = hours_awake(&o->r->set, o->r->zone, t->now_s);
	enum err e;

	clock_iso(out->hold_until_s, until);
	/* What came from no row is everybody's already; only what the house itself added is kept once. */
	clock_iso(t->used_until_s ? t->used_until_s :
				    t->now_s + (o->to_all ? o->r->set.waitlist_keep_minutes * INT64_C(60) : 0),
		  kept);
	e = stmt_run(t->db, SQL_WAIT_OFFER, "iitttt", a->id, out->id, until, o->actor, t->now, kept);
	if (e == ERR_OK)
		e = outbox_tell(t, OUTBOX_OFFER, o->r->id, out->id, awake_s - t->now_s);
	t->slot.restaurant_id = t->house.restaurant_id = 0; /* one less waits: what is kept may be everybody's */
	return e;
}

/* The hold and its entry, both or neither: what one waiter's rows break must not stop everybody else. */
static enum err hold_for(struct txn *t, const struct offering *o, const struct asked *a, const struct ticket_book *b,
			 const struct booking_person *p, struct room_stay *stay, bool *fits)
{
	struct ticket_outcome out = {0};
	enum err e = txn_mark(t);

	if (e != ERR_OK)
		return e;
	e = booking_offer(t, b, p, stay, &out);
	if (e == ERR_OK && out.err == ERR_OK)
		e = write_offer(t, o, a, &out);
	FAILPOINT("waitlist.offered");
	*fits = e == ERR_OK && out.err == ERR_OK;
	if (*fits)
		return txn_keep(t);
	return e == ERR_OK || txn_refuses_one(e) ? txn_undo(t) : e;
}

/*
 * Tries to give a waiter their seats; *fits says whether there was room.  One who has booked the slot by other means, or
 * may not come here, waits no longer.
 */
static enum err offer(struct txn *t, const struct offering *o, const struct asked *a, bool *fits)
{
	struct booking_person p = {.user_id = a->user_id, .card_id = a->card_id};
	struct ticket_outcome out = {0};
	struct room_stay stay = {0};
	struct ticket_book b;
	enum err e;

	*fits = true;
	make_offer(o->r, o->date, a, t->now_s, &b);
	b.want.pass_waiters |= o->by_hand;
	memcpy(p.name, a->name, sizeof p.name);
	e = slots_learn(t, &b.want);
	if (e == ERR_OK)
		e = booking_find_own(t->db, &p, t->slot.id, t->now_s, &out);
	if (e == ERR_OK && (out.err != ERR_OK || a->blocked))
		return stmt_run(t->db, SQL_WAIT_SET, "ittt", a->id, "LEFT", o->actor, t->now);
	t->asked_id = a->id; /* what is kept for who came before them is not theirs */
	if (e == ERR_OK)
		e = booking_find_place(t, &b, &stay, &out);
	*fits = e == ERR_OK && out.err == ERR_OK;
	if (*fits)
		e = hold_for(t, o, a, &b, &p, &stay, fits);
	t->asked_id = 0;
	return e;
}

/* Those who wait for one slot, while they are asked: the next of each size.  A size that does not fit is asked once. */
struct slot_line {
	char time[TEXT_TIME_SIZE];
	struct size_line {
		int party;
		int64_t next; /* waitlist_id; 0: none, or the party does not fit */
	} sizes[SIZES_MAX];
	int size_count, asked;
	bool held; /* the first of them keeps the others back */
};

/* The size whose next came first; NULL: no waiter of that slot is left to ask. */
static struct size_line *first_of(struct slot_line *l)
{
	struct size_line *first = NULL;

	for (struct size_line *s = l->sizes; s < l->sizes + l->size_count; s++)
		if (s->next && (!first || s->next < first->next))
			first = s;
	return l->asked < ASK_EACH ? first : NULL;
}

static enum err read_sizes(struct txn *t, const struct offering *o, struct slot_line *l)
{
	bool found = true;
	enum err e = ERR_OK;

	for (l->size_count = 0; e == ERR_OK && found && l->size_count < SIZES_MAX;) {
		struct size_line *size = &l->sizes[l->size_count];
		struct sqlite3_stmt *s = stmt_use(t->db, SQL_WAITED_SIZE, "itti", o->r->id, o->date, l->time,
						  l->size_count ? (int64_t)size[-1].party : (int64_t)0);

		found = false;
		while (stmt_row(t->db, s, &e)) {
			*size = (struct size_line){0};
			stmt_take(s, "ni", &size->party, &size->next);
			found = true;
		}
		l->size_count += found;
	}
	return e;
}

static enum err find_next(struct txn *t, const struct offering *o, const struct slot_line *l, struct size_line *size)
{
	int64_t after = size->next;

	size->next = 0;
	return stmt_number(t->db, SQL_WAITER_NEXT, &size->next, "ittii", o->r->id, o->date, l->time, (int64_t)size->party,
			   after);
}

static enum err get_asked(struct txn *t, int64_t id, struct asked *a, bool *known)
{
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_WAITER_TO_ASK, "i", id);
	enum err e;

	*known = false;
	while (stmt_row(t->db, s, &e))
		*known = take_asked(s, a);
	return e;
}

/* Did seats come free around their time whose deadline is not over; and are they kept from others? */
static enum err look_at_kept(struct txn *t, const struct offering *o, const struct asked *a, bool *any, bool *holds)
{
	struct room_stay stay = {.starts_s = a->starts_s, .party = a->party};
	int64_t keeps = 0;
	enum err e = stmt_number(t->db, SQL_HOUSE_KEEPS, &keeps, "it", o->r->id, t->now);

	*any = *holds = false;
	stay.ends_s = stay.starts_s + room_sitting(&o->r->set, a->party) * INT64_C(60);
	return e == ERR_OK && keeps ? kept_overlaps(t, o->r->id, o->date, &stay, any, holds) : e;
}

/*
 * Seats that were kept, offered and not taken are everybody's.  If the next who waits were asked at once, and the next after
 * them, a stranger with a dozen proven numbers would have them all evening, and no other guest could book them in between;
 * with two numbers, if each said no in the last second and waited again.
 */
static enum err is_left_to_all(struct txn *t, const struct offering *o, const struct asked *a, bool *left)
{
	const struct settings *set = &o->r->set;
	int minutes = set->waitlist_keep_minutes > set->waitlist_offer_minutes ? set->waitlist_keep_minutes :
										 set->waitlist_offer_minutes;
	char oldest[CLOCK_ISO_SIZE], since[CLOCK_ISO_SIZE], starts[CLOCK_ISO_SIZE], ends[CLOCK_ISO_SIZE];
	int64_t ended = 0;
	enum err e;

	clock_iso(t->now_s - OFFER_MAX_S, oldest);
	clock_iso(t->now_s - minutes * INT64_C(60), since);
	clock_iso(a->starts_s, starts);
	clock_iso(a->starts_s + room_sitting(set, a->party) * INT64_C(60), ends);
	e = stmt_number(t->db, SQL_OFFER_GIVEN_UP, &ended, "ittttt", o->r->id, oldest, t->now, since, starts, ends);
	*left = ended != 0 && !WITHOUT("left");
	return e;
}

/*
 * Asks the next of a slot.  Whom nothing fits keeps those behind them back while seats are kept for them, and only if
 * they are proven; then the slot is done.
 */
static enum err ask_next(struct txn *t, struct offering *o, struct slot_line *l, struct size_line *size)
{
	bool fits = true, any, holds, left = false, known;
	struct asked a;
	enum err e = get_asked(t, size->next, &a, &known);

	o->left--;
	l->asked++;
	known = known && a.starts_s > t->now_s + WAITLIST_CLOSE_S;
	if (e == ERR_OK && known)
		e = look_at_kept(t, o, &a, &any, &holds);
	if (e == ERR_OK && known && !any && !o->to_all) { /* what is free was never kept, or its time is over */
		left = !a.proven;
		e = a.proven ? is_left_to_all(t, o, &a, &left) : ERR_OK;
	}
	if (e == ERR_OK && known && !left) /* else they may book it as everybody */
		e = offer(t, o, &a, &fits);
	if (e != ERR_OK)
		return e;
	if (fits)
		return find_next(t, o, l, size);
	size->next = 0;
	if (a.proven && holds && !o->r->set.waitlist_skip) {
		l->size_count = 0;
		l->held = true;
	}
	return ERR_OK;
}

/* What was kept for the first of them was given to a waiter of another slot: perhaps none is kept back any more. */
static enum err begin_again(struct txn *t, const struct offering *o, struct slot_line *l)
{
	l->held = false;
	return read_sizes(t, o, l);
}

/* Asks those who wait for some slots, in order of arrival. */
static enum err ask_lines(struct txn *t, struct offering *o, struct slot_line *lines, int count)
{
	struct size_line *first, *own;
	struct slot_line *line;
	enum err e = ERR_OK;

	for (int i = 0; i < count && e == ERR_OK; i++)
		e = read_sizes(t, o, &lines[i]);
	do {
		first = NULL;
		line = NULL;
		for (int i = 0; i < count; i++) {
			own = first_of(&lines[i]);
			if (own && (!first || own->next < first->next)) {
				first = own;
				line = &lines[i];
			}
		}
		t->used_until_s = 0;
		if (first && e == ERR_OK)
			e = ask_next(t, o, line, first);
		for (int i = 0; i < count && e == ERR_OK && t->used_until_s; i++)
			if (lines[i].held)
				e = begin_again(t, o, &lines[i]);
	} while (first && e == ERR_OK);
	return e;
}

/* The next slots of the day that have waiters, after that time. */
static enum err find_lines(struct txn *t, const struct offering *o, char after[TEXT_TIME_SIZE], struct slot_line *lines,
			   int *count)
{
	bool found = true;
	enum err e = ERR_OK;

	for (*count = 0; e == ERR_OK && found && *count < LINES_MAX;) {
		struct sqlite3_stmt *s = stmt_use(t->db, SQL_WAITED_TIME, "itt", o->r->id, o->date, after);

		found = false;
		while (stmt_row(t->db, s, &e)) {
			stmt_take(s, "t", after, (size_t)TEXT_TIME_SIZE);
			found = true;
		}
		if (found) {
			lines[*count].held = false;
			lines[*count].asked = 0;
			memcpy(lines[(*count)++].time, after, TEXT_TIME_SIZE);
		}
	}
	return e;
}

/*
 * Every slot of the day asks its own first.  If they are too many for one transaction, the next that opens the day goes on
 * where this one ended.
 */
static enum err ask_day(struct txn *t, struct offering *o)
{
	static struct {
		struct txn_day day;
		char time[TEXT_TIME_SIZE];
	} ended;
	static struct slot_line lines[LINES_MAX]; /* static for its size only */
	char after[TEXT_TIME_SIZE] = "";
	bool from_front;
	int count = 0;
	enum err e;

	if (ended.day.restaurant_id == o->r->id && strcmp(ended.day.date, o->date) == 0)
		memcpy(after, ended.time, sizeof after);
	ended.day.restaurant_id = 0;
	from_front = !*after;
	do {
		e = find_lines(t, o, after, lines, &count);
		if (e == ERR_OK)
			e = ask_lines(t, o, lines, count);
		if (count < LINES_MAX && !from_front) { /* the day's last slots; now its first */
			*after = '\0';
			from_front = true;
			count = LINES_MAX;
		}
	} while (e == ERR_OK && count == LINES_MAX && o->left > 0);
	if (e == ERR_OK && count == LINES_MAX) {
		ended.day.restaurant_id = o->r->id;
		snprintf(ended.day.date, sizeof ended.day.date, "%s", o->date);
		memcpy(ended.time, after, sizeof after);
	}
	return e;
}

static enum err promote(struct txn *t, int64_t restaurant_id, const char *date, int *left)
{
	struct offering o = {.date = date, .actor = "waitlist", .to_all = t->opened_new, .left = *left};
	struct restaurant r;
	int64_t waits = 0;
	enum err e = stmt_number(t->db, SQL_DAY_WAITED_FOR, &waits, "it", restaurant_id, date);

	o.r = &r;
	if (e != ERR_OK || !waits || WITHOUT("promote"))
		return e;
	txn_forget(t); /* seats and tables are free that it may remember as taken */
	e = restaurants_get(t->db, restaurant_id, &r);
	if (e == ERR_OK && r.paused_until_s <= t->now_s)
		e = ask_day(t, &o);
	*left = o.left;
	return e;
}

/* Every day that has waiters, from where the last round ended. */
static enum err promote_everywhere(struct txn *t, int *left)
{
	static struct txn_day last;
	struct txn_day first = last, day = last;
	bool around = !last.restaurant_id;
	enum err e = ERR_OK;

	for (int i = 0; *left > 0 && i < DAYS_MAX && e == ERR_OK; i++) {
		struct sqlite3_stmt *s = stmt_use(t->db, SQL_WAITED_DAY, "it", day.restaurant_id, day.date);
		bool found = false;

		while (stmt_row(t->db, s, &e)) {
			found = true;
			stmt_take(s, "it", &day.restaurant_id, day.date, sizeof day.date);
		}
		if (e == ERR_OK && !found && around)
			day = (struct txn_day){0};
		if (e != ERR_OK || (!found && around))
			break;
		if (!found) {
			day = (struct txn_day){0};
			around = true;
			continue;
		}
		e = promote(t, day.restaurant_id, day.date, left);
		if (around && day.restaurant_id == first.restaurant_id && strcmp(day.date, first.date) == 0)
			break;
	}
	last = day;
	return e;
}

enum err waitlist_serve(struct txn *t)
{
	int left = ASK_MAX;
	enum err e = ERR_OK;

	if (t->opened_more)
		e = promote_everywhere(t, &left);
	else
		for (int i = 0; i < t->opened_count && left > 0 && e == ERR_OK; i++)
			e = promote(t, t->opened[i].restaurant_id, t->opened[i].date, &left);
	t->opened_count = 0;
	t->opened_more = t->opened_new = false;
	return e;
}

/* ---- joining and leaving ---- */

/*
 * Two who let their offers run out and wait again would have the seats between them for ever.  Who said no may wait again: the
 * seats went on to the next at once, with the deadline that they had.
 */
static enum err check_offered(struct txn *t, const struct ticket_book *b, const struct booking_person *p,
			      struct ticket_outcome *out)
{
	char since[CLOCK_ISO_SIZE];
	int64_t offered = 0;
	enum err e;

	clock_iso(t->now_s - WAITLIST_AGAIN_S, since);
	e = stmt_number(t->db, SQL_WAS_OFFERED, &offered, "iittt", p->user_id, b->want.restaurant_id, b->want.date,
			b->want.time, since);
	if (e == ERR_OK && offered)
		out->err = ERR_OFFERED_BEFORE;
	return e;
}

/* What keeps a guest from waiting for this slot; out->id: they are on the list already. */
static enum err may_join(struct txn *t, const struct ticket_book *b, const struct booking_person *p, struct ticket_outcome *out)
{
	struct ticket_outcome room = {0};
	struct room_stay stay = {0};
	struct sqlite3_stmt *s;
	bool could = false;
	enum err e = slots_learn(t, &b->want);

	if (e == ERR_OK)
		e = booking_find_own(t->db, p, t->slot.id, t->now_s, out);
	if (e != ERR_OK || out->err != ERR_OK)
		return e;
	s = stmt_use(t->db, SQL_WAIT_OF_PERSON, "iitt", p->user_id, b->want.restaurant_id, b->want.date, b->want.time);
	while (stmt_row(t->db, s, &e)) {
		int64_t id, card_id;
		bool same;

		stmt_take(s, "ii", &id, &card_id);
		same = !p->card_id || card_id == p->card_id;
		out->id = same ? id : 0;
		out->err = same ? ERR_OK : ERR_ALREADY_WAITING;
	}
	if (e == ERR_OK && out->err == ERR_OK && !out->id && !b->who.staff_id)
		e = check_offered(t, b, p, out);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = slots_could_fit(t, b->want.seats, b->want.party, &could);
	if (e == ERR_OK && !could)
		out->err = ERR_NEVER_FITS;
	if (e != ERR_OK || !could)
		return e;
	e = booking_find_place(t, b, &stay, &room);
	if (e == ERR_OK && room.err == ERR_OK)
		out->err = ERR_HAS_ROOM;
	return e;
}

/* Guests who have proven nothing have a share of each slot's list; a code takes them past it, where one can be sent. */
static enum err check_share(struct txn *t, const struct ticket_book *b, struct ticket_outcome *out)
{
	int64_t unproven = 0;
	bool mail = false, sms = false;
	enum err e = stmt_number(t->db, SQL_UNPROVEN_OF_SLOT, &unproven, "itt", b->want.restaurant_id, b->want.date,
				 b->want.time);

	if (e != ERR_OK || unproven < WAITLIST_UNPROVEN_MAX)
		return e;
	e = outbox_ways(t, b->want.restaurant_id, &mail, &sms);
	out->err = b->who.user_id < 0 && (sms || (mail && b->who.guest.email[0])) ? ERR_PROVE_FIRST : ERR_WAITLIST_FULL;
	return e;
}

/* How many one person, and all together, may wait. */
static enum err check_limits(struct txn *t, const struct ticket_book *b, const struct booking_person *p, bool proven,
			     struct ticket_outcome *out)
{
	int64_t most = proven || b->terms.waits_max < WAITLIST_UNPROVEN_EACH ? b->terms.waits_max : WAITLIST_UNPROVEN_EACH;
	int64_t waits = 0, there = 0;
	enum err e = stmt_number(t->db, SQL_WAITS_OF_PERSON, &waits, "it", p->user_id, t->now);

	if (e == ERR_OK)
		e = stmt_number(t->db, SQL_WAITS_OF_SLOT, &there, "itt", b->want.restaurant_id, b->want.date, b->want.time);
	if (e != ERR_OK)
		return e;
	if (waits >= most && !b->who.staff_id)
		out->err = ERR_TOO_MANY_WAITS;
	else if (there >= WAITLIST_SLOT_MAX)
		out->err = ERR_WAITLIST_FULL;
	else if (!proven)
		return check_share(t, b, out);
	return ERR_OK;
}

static enum err add(struct txn *t, const struct ticket_book *b, const struct booking_person *p, bool proven, uint64_t number,
		    struct ticket_outcome *out)
{
	int64_t user = p->user_id;
	char starts[CLOCK_ISO_SIZE], actor[32];
	enum err e = user ? ERR_OK : users_add_guest(t, &b->who.guest, -b->who.user_id, &user);

	clock_iso(b->want.starts_s, starts);
	snprintf(actor, sizeof actor, "user:%lld", (long long)(b->who.staff_id ? b->who.staff_id : user));
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_WAIT_ADD, "ittiitttiitti", b->want.restaurant_id, b->want.date, b->want.time, user,
			     (int64_t)b->want.party, starts, p->name, b->who.guest.email,
			     b->who.staff_id ? (int64_t)0 : p->card_id, (int64_t)number, actor, t->now, (int64_t)proven);
	if (e == ERR_OK)
		out->id = stmt_last_id(t->db);
	return e;
}

static enum err join(struct txn *t, const struct ticket_book *b, uint64_t number, struct ticket_outcome *out)
{
	struct booking_person p;
	bool proven;
	enum err e = booking_find_person(t->db, b, &p, out);

	/* Anybody can make up an account: it is the number or the address that counts, or that staff know them. */
	proven = b->who.staff_id || (b->who.user_id < 0 && p.proven);
	if (e == ERR_OK && out->err == ERR_OK && b->terms.prove_s && !p.proven)
		out->err = ERR_PROVE_FIRST;
	if (e == ERR_OK && out->err == ERR_OK)
		e = may_join(t, b, &p, out);
	if (e == ERR_OK && out->err == ERR_OK && !out->id)
		e = check_limits(t, b, &p, proven, out);
	if (e != ERR_OK || out->err != ERR_OK || out->id)
		return e;
	e = add(t, b, &p, proven, number, out);
	t->waits = 1;
	txn_forget(t); /* what is kept, and from whom, may be other now */
	txn_touch_day(t, b->want.restaurant_id, b->want.date);
	txn_open_day(t, b->want.restaurant_id, b->want.date); /* what newcomers cannot have may be theirs */
	return e;
}

/* Seats that were offered are given back with the place on the list. */
static enum err leave(struct txn *t, const struct ticket_waiter *q, const struct waiter *w, uint64_t number)
{
	struct ticket_move m = {.reservation_id = w->reservation_id, .kind = MOVE_CANCEL, .by = q->by};
	struct kept_place place;
	struct reservation v;
	enum err e;

	if (strcmp(w->status, "WAITING") == 0)
		return stmt_run(t->db, SQL_WAIT_SET, "ittt", w->id, "LEFT", q->actor, t->now);
	if (strcmp(w->status, "OFFERED") != 0)
		return ERR_BAD_MOVE;
	memcpy(m.actor, q->actor, sizeof m.actor);
	e = booking_get(t->db, w->reservation_id, t->now_s, &v);
	if (e == ERR_OK)
		e = kept_begin(t, v.id, &place);
	if (e == ERR_OK)
		e = moves_apply(t, &m, &v, (int64_t)number);
	return e == ERR_OK ? kept_end(t, &place, true) : e;
}

/* By hand, out of turn: staff know why. */
static enum err offer_by_hand(struct txn *t, const struct ticket_waiter *q, const struct waiter *w)
{
	struct restaurant r;
	struct asked a;
	bool fits = false, known = false;
	enum err e = get_asked(t, w->id, &a, &known);

	if (e == ERR_OK && (!known || strcmp(w->status, "WAITING") != 0))
		return ERR_BAD_MOVE;
	a.blocked = false;
	if (e == ERR_OK && a.starts_s <= t->now_s)
		return ERR_PAST;
	if (e == ERR_OK)
		e = restaurants_get(t->db, w->restaurant_id, &r);
	if (e == ERR_OK)
		e = offer(t, &(struct offering){.r = &r, .date = w->date, .actor = q->actor, .by_hand = true}, &a, &fits);
	return e == ERR_OK && !fits ? ERR_SLOT_FULL : e;
}

/* Everybody who waits for a slot or was offered it leaves; the first of them stands in the audit for the act. */
static enum err clear(struct txn *t, const struct ticket_waiter *q, uint64_t number, struct waiter *first)
{
	static struct waiter list[WAITLIST_SLOT_MAX + WAITLIST_UNPROVEN_MAX]; /* static for its size only */
	struct sqlite3_stmt *s = stmt_use(t->db, SQL_WAITERS_OF_SLOT, "itti", q->restaurant_id, q->date, q->time,
					  (int64_t)sizeof list / sizeof list[0]);
	size_t n = 0;
	enum err e;

	while (stmt_row(t->db, s, &e))
		if (n < sizeof list / sizeof list[0])
			take_waiter(s, &list[n++]);
	for (size_t i = 0; i < n && e == ERR_OK; i++)
		e = leave(t, q, &list[i], number);
	if (n)
		*first = list[0];
	return e == ERR_OK && !n ? ERR_NO_SUCH_WAIT : e;
}

static enum err act(struct txn *t, const struct ticket_waiter *q, uint64_t number, struct ticket_outcome *out)
{
	static const char *const words[] = {
		[WAITER_LEAVES] = "left", [WAITER_IS_OFFERED] = "offered by hand", [WAITER_ALL_LEAVE] = "all of the slot left"};
	struct waiter w;
	enum err e;

	assert(q->act >= WAITER_LEAVES && q->act <= WAITER_ALL_LEAVE);
	e = q->act == WAITER_ALL_LEAVE ? clear(t, q, number, &w) : waitlist_get(t->db, q->waitlist_id, &w);
	out->id = q->waitlist_id;
	if (e == ERR_OK && q->act == WAITER_LEAVES)
		e = leave(t, q, &w, number);
	else if (e == ERR_OK && q->act == WAITER_IS_OFFERED)
		e = offer_by_hand(t, q, &w);
	if (e == ERR_OK)
		e = stmt_run(t->db, SQL_AUDIT_ADD, "tttitti", t->now, q->actor, "waitlist", w.id, "act", words[q->act],
			     (int64_t)number);
	if (e == ERR_OK) {
		out->id = w.id;
		txn_touch_day(t, w.restaurant_id, w.date);
		txn_open_day(t, w.restaurant_id, w.date); /* the one who left may have kept others back */
	}
	txn_forget(t);
	return e;
}

enum err waitlist_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	enum err e = txn_mark(t);

	assert(r->kind == TICKET_WAIT || r->kind == TICKET_WAITER);
	if (e != ERR_OK)
		return e;
	e = r->kind == TICKET_WAIT ? join(t, &r->u.book, number, out) : act(t, &r->u.waiter, number, out);
	if (e == ERR_OK)
		return txn_keep(t);
	if (e != ERR_NO_SUCH_WAIT && e != ERR_PAST && !txn_refuses_one(e))
		return e;
	*out = (struct ticket_outcome){.err = (int32_t)e, .id = out->id};
	return txn_undo(t);
}

/* ---- the keeper's part ---- */

/*
 * A guest waits, and the book has changed since the last look.  What changes without a write (a pause that ends) is
 * noticed when it is time to look anyway.
 */
static enum err is_worth_it(struct db *db, bool *worth)
{
	static int64_t seen, looked_ms;
	int64_t version = 0, waiting = 0;
	enum err e = stmt_number(db, SQL_DATA_VERSION, &version, "");

	version = version << 32 ^ stmt_total_changes(db);
	*worth = version != seen || clock_mono_ms() - looked_ms > LOOK_EVERY_MS;
	if (e == ERR_OK && *worth)
		e = stmt_number(db, SQL_ANYBODY_WAITS, &waiting, "");
	if (e != ERR_OK || !*worth)
		return e;
	seen = version;
	looked_ms = clock_mono_ms();
	*worth = waiting != 0;
	return ERR_OK;
}

static enum err sweep(struct txn *t, const char *soon, bool over, bool freed)
{
	int left = ASK_MAX;
	enum err e = over ? stmt_run(t->db, SQL_WAITS_CLOSE, "tt", soon, t->now) : ERR_OK;

	if (e == ERR_OK && freed)
		e = stmt_run(t->db, SQL_KEPT_CLEAN, "t", t->now);
	if (e == ERR_OK && (over || freed))
		txn_touch_all(t);
	return e == ERR_OK ? promote_everywhere(t, &left) : e;
}

enum err waitlist_sweep(struct db *db, int64_t now_s, int *expired)
{
	bool due = false, worth = false;
	char soon[CLOCK_ISO_SIZE], now[CLOCK_ISO_SIZE];
	int64_t over = 0, freed = 0;
	struct txn t;
	enum err e = txn_is_due(db, now_s, &due);

	*expired = 0;
	clock_iso(now_s + WAITLIST_CLOSE_S, soon);
	clock_iso(now_s, now);
	if (e == ERR_OK)
		e = stmt_number(db, SQL_KEPT_OVER, &freed, "t", now);
	if (e == ERR_OK)
		e = is_worth_it(db, &worth);
	if (e == ERR_OK && clockwatch_settled(db->hall->clock)) /* a clock that was just set closes nothing */
		e = stmt_number(db, SQL_WAITS_OVER, &over, "t", soon);
	if (e != ERR_OK || (!due && !worth && !over && !freed))
		return e;
	e = txn_begin(&t, db, now_s);
	if (e != ERR_OK)
		return e;
	e = txn_end(&t, sweep(&t, soon, over != 0, freed != 0));
	*expired = e == ERR_OK ? t.expired : 0;
	return e;
}
