/*
 * offers.c - seats that came free are offered to those who wait: whom to ask, in which order, and for how long an offer
 * stands.
 */
#include "offers.h"

#include "failpoint.h"
#include "kept.h"
#include "openings.h"
#include "outbox.h"
#include "room.h"
#include "slots.h"
#include "waitlist.h"

#include <stdio.h>
#include <string.h>

enum {
	ASK_MAX = 300,  /* after this many no further slots or days are begun; the sweep comes again and goes on there */
	ASK_EACH = 100, /* and of one slot: of each size one who does not fit, and those who do */
	SIZES_MAX = WAITLIST_SLOT_MAX, /* of one slot */
	LINES_MAX = 24,                /* slots of a day that are asked together, in order of arrival */
	DAYS_MAX = 60,
	OFFER_MIN_S = 120, /* guests do not answer faster */
	SHARE = 4,         /* of the time that is left until the slot, an offer takes at most this part */
};

/* ---- one offer ---- */

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

/* Offers of one day: whose, and by whom. */
struct offering {
	const struct restaurant *r;
	struct hours_day hours; /* of that day */
	const char *date, *actor;
	bool to_all;  /* the house itself made room: no deadline counts */
	bool by_hand; /* staff say so, whatever is kept for others */
	int left;     /* how many more are asked before no further slots are begun; those that are begun are seen through */
};

/* The settings of the service that they wait for. */
static void settings_of(const struct offering *o, const struct asked *a, struct settings *out)
{
	int minute = 0;
	bool known = text_time(a->time, &minute);

	hours_settings(&o->r->set, known ? hours_service(&o->hours, &o->r->set, minute) : NULL, out);
}

/* The hold that they are offered, as a booking by the settings of today. */
static void make_offer(const struct offering *o, const struct asked *a, int no_shows, int64_t now_s, struct ticket_book *b)
{
	const struct restaurant *r = o->r;
	struct settings set;

	settings_of(o, a, &set);
	*b = (struct ticket_book){
		.want = ticket_want(&set, restaurants_seats(r), r->id, o->date, a->time, a->starts_s, a->party),
		.who = {.user_id = a->user_id, .card_id = a->card_id},
		.terms = ticket_terms(&set, r->currency, NULL, money_due(&set, a->party, no_shows)),
	};
	b->terms.guarantee = money_is_asked(&set, a->party, no_shows) ? r->guarantee * a->party : 0;
	if (b->terms.guarantee)
		b->terms.deposit = 0;
	b->terms.hold_s = (int32_t)offer_seconds(r, now_s, a->starts_s, a->proven);
	memcpy(b->who.guest.email, a->email, sizeof b->who.guest.email);
}

/* The hold is written: tell the guest. */
static enum err write_offer(struct txn *t, const struct offering *o, const struct asked *a, const struct ticket_outcome *out)
{
	char kept[CLOCK_ISO_SIZE];
	int64_t awake_s = hours_awake(&o->r->set, o->r->zone, t->now_s);
	enum err e;

	/* What came from no row is everybody's already; only what the house itself added is kept once. */
	clock_iso(t->used_until_s ? t->used_until_s :
				    t->now_s + (o->to_all ? o->r->set.waitlist_keep_minutes * INT64_C(60) : 0),
		  kept);
	e = stmt_run(t->db, SQL_WAIT_OFFER, "iimttt", a->id, out->id, out->hold_until_s, o->actor, t->now, kept);
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
	int no_shows;
	enum err e = booking_no_shows(t->db, o->r, a->user_id, &no_shows);

	*fits = true;
	if (e != ERR_OK)
		return e;
	make_offer(o, a, no_shows, t->now_s, &b);
	b.want.pass_waiters |= o->by_hand;
	b.by_hand = o->by_hand;
	memcpy(p.name, a->name, sizeof p.name);
	e = slots_learn(t, &b.want);
	if (e == ERR_OK)
		e = booking_find_own(t->db, &p, t->slot.id, t->now_s, &out);
	if (e == ERR_OK && (out.err != ERR_OK || a->blocked))
		return o->by_hand ? ERR_BAD_MOVE : stmt_run(t->db, SQL_WAIT_SET, "ittt", a->id, "LEFT", o->actor, t->now);
	t->asked_id = a->id; /* what is kept for who came before them is not theirs */
	if (e == ERR_OK)
		e = booking_find_place(t, &b, &stay, &out);
	*fits = e == ERR_OK && out.err == ERR_OK;
	if (*fits)
		e = hold_for(t, o, a, &b, &p, &stay, fits);
	t->asked_id = 0;
	return e;
}

/* ---- in order of arrival ---- */

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

/* When they would sit. */
static struct room_stay stay_of(const struct offering *o, const struct asked *a)
{
	struct settings set;

	settings_of(o, a, &set);
	return (struct room_stay){
		.starts_s = a->starts_s, .ends_s = a->starts_s + room_sitting(&set, a->party) * INT64_C(60), .party = a->party};
}

/* Did seats come free around their time whose deadline is not over; and are they kept from others? */
static enum err look_at_kept(struct txn *t, const struct offering *o, const struct asked *a, struct kept_overlap *kept)
{
	struct room_stay stay = stay_of(o, a);
	int64_t keeps = 0;
	enum err e = stmt_number(t->db, SQL_HOUSE_KEEPS, &keeps, "it", o->r->id, t->now);

	*kept = (struct kept_overlap){0};
	return e == ERR_OK && keeps ? kept_overlaps(t, o->r->id, o->date, &stay, a->id, kept) : e;
}

/*
 * Seats that were kept, offered and not taken are everybody's.  If the next who waits were asked at once, and the next after
 * them, a stranger with a dozen proven numbers would have them all evening, and no other guest could book them in between;
 * with two numbers, if each said no in the last second and waited again.  What else comes free meanwhile is theirs, if it is
 * enough for them: one seat more does not begin it anew.  Who has proven nothing is asked only while something is kept.
 */
static enum err is_left_to_all(struct txn *t, const struct offering *o, const struct asked *a, const struct kept_overlap *kept,
			       bool *left)
{
	const struct settings *set = &o->r->set;
	int minutes = set->waitlist_keep_minutes > set->waitlist_offer_minutes ? set->waitlist_keep_minutes :
										 set->waitlist_offer_minutes;
	struct room_stay stay = stay_of(o, a);
	int64_t ended = 0;
	enum err e = kept_left_since(t, o->r->id, &stay, minutes * 60, &ended);

	*left = (!kept->any && !a->proven) || (ended && kept->seats < a->party && !WITHOUT("left"));
	return e;
}

/*
 * Asks the next of a slot.  Whom nothing fits keeps those behind them back while seats are kept for them, and only if
 * they are proven; then the slot is done.
 */
static enum err ask_next(struct txn *t, struct offering *o, struct slot_line *l, struct size_line *size)
{
	bool fits = true, left = false, known;
	struct kept_overlap kept = {0};
	struct asked a;
	enum err e = get_asked(t, size->next, &a, &known);

	o->left--;
	l->asked++;
	known = known && a.starts_s > t->now_s + WAITLIST_CLOSE_S;
	if (e == ERR_OK && known)
		e = look_at_kept(t, o, &a, &kept);
	if (e == ERR_OK && known && !o->to_all)
		e = is_left_to_all(t, o, &a, &kept, &left);
	if (e == ERR_OK && known && !left) /* else they may book it as everybody */
		e = offer(t, o, &a, &fits);
	if (e != ERR_OK)
		return e;
	if (fits && !(left && kept.any))
		return find_next(t, o, l, size);
	size->next = 0; /* nor is it enough for the next of that size */
	if (a.proven && kept.holds && !o->r->set.waitlist_skip) {
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

/* Is that time one of a service still?  Guests are not asked to a day that the owner has closed meanwhile. */
static bool is_open(const struct offering *o, const char *time)
{
	int minute;

	return WITHOUT("hours") || (text_time(time, &minute) && hours_service(&o->hours, &o->r->set, minute));
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
		if (found && is_open(o, after)) {
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

/* The house of the day whose offers these are. */
static enum err know_house(struct txn *t, struct offering *o, int64_t restaurant_id, struct restaurant *r)
{
	struct date day;
	enum err e = restaurants_get(t->db, restaurant_id, r);

	o->r = r;
	if (e != ERR_OK || !text_date(o->date, &day))
		return e == ERR_OK ? ERR_INTERNAL : e;
	return restaurants_day(t->db, restaurant_id, day, &o->hours);
}

/* A day whose moment is still to come: who waits for it, from before the owner chose that moment, gets nothing earlier. */
static enum err opens_later(struct txn *t, const struct restaurant *r, const char *date, bool *later)
{
	int64_t opens_s;
	struct date day;
	enum err open;

	*later = false;
	if (!text_date(date, &day))
		return ERR_INTERNAL;
	if (openings_look(t->db, r, day, t->now_s, &open, &opens_s) != ERR_OK)
		return open;
	*later = open == ERR_NOT_YET;
	return ERR_OK;
}

static enum err promote(struct txn *t, int64_t restaurant_id, const char *date, int *left)
{
	struct offering o = {.date = date, .actor = "waitlist", .to_all = t->opened_new == restaurant_id, .left = *left};
	struct restaurant r;
	int64_t waits = 0;
	bool later;
	enum err e = stmt_number(t->db, SQL_DAY_WAITED_FOR, &waits, "it", restaurant_id, date);

	if (e != ERR_OK || !waits || WITHOUT("promote"))
		return e;
	txn_forget(t); /* seats and tables are free that it may remember as taken */
	e = know_house(t, &o, restaurant_id, &r);
	if (e == ERR_OK)
		e = opens_later(t, &r, date, &later);
	if (e == ERR_OK && r.paused_until_s <= t->now_s && !later)
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

enum err offers_serve(struct txn *t)
{
	int left = ASK_MAX;
	enum err e = ERR_OK;

	if (t->opened_more)
		e = promote_everywhere(t, &left);
	else
		for (int i = 0; i < t->opened_count && left > 0 && e == ERR_OK; i++)
			e = promote(t, t->opened[i].restaurant_id, t->opened[i].date, &left);
	t->opened_count = 0;
	t->opened_more = false;
	t->opened_new = 0;
	return e;
}

enum err offers_everywhere(struct txn *t)
{
	int left = ASK_MAX;

	return promote_everywhere(t, &left);
}

enum err offers_by_hand(struct txn *t, const struct waiter *w, const char *actor)
{
	struct offering o = {.date = w->date, .actor = actor, .by_hand = true};
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
		e = know_house(t, &o, w->restaurant_id, &r);
	if (e == ERR_OK)
		e = offer(t, &o, &a, &fits);
	return e == ERR_OK && !fits ? ERR_SLOT_FULL : e;
}
