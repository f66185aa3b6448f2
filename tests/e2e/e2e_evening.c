/*
 * e2e_evening.c - thousands of random steps of an evening at the desk: book, walk in, arrive, seat, move, join, resize, leave,
 * no-show, cancel, undo; and of the waitlist: join, leave, offer by hand, take, lapse, a deadline that passes.  Every answer is
 * held against a small model, which tries every table, counts everybody, and says after every step who must have been
 * offered seats.  The numbers on top of the evening are those of the guests' page, and of the model.  What is kept for those who wait it reads from the book, and says who is kept out by it and who is not: guests
 * who book online are, staff and those who wait are not.
 *
 * EVENING_SEED in the environment repeats a run.
 */
#include "appliance.h"
#include "clock.h"
#include "http.h"
#include "talk.h"
#include "unit.h"
#include "zone.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	STEPS = 4500,
	PARTIES = 6000,
	WAITERS = 2000,
	KEPT = 500,
	TABLES = 6,
	PACE = 10,
	SEATS = 18,
	SITTING = 90,
	WINDOW_MIN = 600,
	JOIN = 8
};

enum status { BOOKED, DONE, MISSING, CANCELLED, HELD, LAPSED };
enum visit { PENDING, ARRIVED, SEATED, LEFT };

static const char *const status_words[] = {"CONFIRMED", "COMPLETED", "NO_SHOW", "CANCELED", "TEMPORARY", "EXPIRED"};
static const char *const visit_words[] = {"PENDING", "ARRIVED", "SEATED", "LEFT"};
static const int seats_of[TABLES] = {2, 2, 4, 4, 4, 6}; /* table i has id i + 1 */
/* Tables 3 and 4 (ids) joined seat eight, 1 and 2 four. */
static const struct {
	unsigned at;
	int seats;
} sets[] = {{1u << 2 | 1u << 3, 8}, {1u << 0 | 1u << 1, 4}};

struct state {
	enum status status;
	enum visit visit;
	int64_t starts, ends; /* instants */
	int party;
	unsigned at;     /* tables, one bit each */
	unsigned shared; /* those of them where it sits beside others on purpose */
	bool beyond;     /* let in beyond the seats */
};

static struct party {
	int64_t id, version;
	struct state now, before;
	bool undoable;
	int64_t seated; /* the instant at which they sat down last */
	int pair;       /* with whom it swapped, as long as that can be undone; else -1 */
} parties[PARTIES];
static int count;

/* A guest on the waitlist; party: the hold that they were offered. */
static struct waiter {
	int64_t id, starts;
	int size, party;
	enum { WAITING, OFFERED, OVER } now;
} waiters[WAITERS];
static int waiting, offers, taken_up, passed_on;

/* Seats that came free, as the book has them. */
static struct kept {
	struct state place;
	int64_t id, slot; /* in which they came free */
	int64_t held_for;
	bool live, before; /* before: they were kept before this step already */
} kept_rows[KEPT];
static int kept_count, online, kept_out, ran_out;
static int64_t newest_kept, newest_offer;
static struct state left_over[WAITERS]; /* of offers that ran out after the deadline of their seats */
static int left_count;
static int64_t asks; /* who asks: a guest who waits, by their place on the list; INT64_MAX: a newcomer; 0: staff */

static struct appliance box;
static struct ran ran;
static sqlite3 *book_read;
static unsigned seed;
static char bearer[256], zone[24];
static int64_t midnight; /* of the restaurant's day */
static int capacity[1440];
static int booked, full, acted, refused, undone, kept, sat_upon, shared, swapped, beyond;

/* ---- the model ---- */

/* Do they have seats? */
static bool is_in(const struct state *s)
{
	return s->status == BOOKED || s->status == HELD;
}

static bool overlap(const struct state *a, const struct state *b)
{
	return a->starts < b->ends && b->starts < a->ends;
}

static int minute_of(int64_t instant)
{
	return (int)((instant - midnight) / 60);
}

/* The hold that a waiting guest would have. */
static struct state wish_of(const struct waiter *w)
{
	return (struct state){.status = HELD, .party = w->size, .starts = w->starts, .ends = w->starts + SITTING * 60};
}

/* The seats of a row that they could use: its tables, if one of them, alone or in a set, seats them. */
static int usable(const struct kept *k, const struct waiter *w)
{
	struct state wish = wish_of(w);
	bool seats_them = !k->place.at;
	int sum = 0;

	for (int i = 0; i < TABLES; i++)
		if (k->place.at & 1u << i) {
			seats_them |= seats_of[i] >= w->size;
			sum += seats_of[i];
		}
	for (size_t i = 0; i < COUNT(sets); i++)
		seats_them |= sets[i].at & k->place.at && sets[i].seats >= w->size;
	if (!seats_them || !overlap(&k->place, &wish))
		return 0;
	return k->place.at ? sum : k->place.party;
}

/* Every row is held for the first who waits, could sit there and has not enough held at that time. */
static void find_holders(void)
{
	for (int i = 0; i < kept_count; i++) {
		struct kept *k = &kept_rows[i];

		k->held_for = 0;
		for (int n = 0; n < waiting && k->live && !k->held_for; n++) {
			int held = 0;

			if (waiters[n].now != WAITING || !usable(k, &waiters[n]))
				continue;
			for (int j = 0; j < i; j++)
				if (kept_rows[j].held_for == waiters[n].id && overlap(&kept_rows[j].place, &k->place))
					held += usable(&kept_rows[j], &waiters[n]);
			k->held_for = held < waiters[n].size ? waiters[n].id : 0;
		}
	}
}

/* Is a row taken for who asks? */
static bool keeps_out(const struct kept *k)
{
	return k->held_for && k->held_for < asks;
}

/* Would this state of party `self` (or of a new one, -1) fit beside all others, at its tables? */
static bool slot_fits(const struct state *s, int self)
{
	int starting = s->party;

	for (int i = 0; i < count; i++)
		if (i != self && is_in(&parties[i].now) && parties[i].now.starts == s->starts)
			starting += parties[i].now.party;
	for (int i = 0; i < kept_count; i++)
		if (kept_rows[i].slot == s->starts && keeps_out(&kept_rows[i]))
			starting += kept_rows[i].place.party;
	return starting <= capacity[minute_of(s->starts)];
}

/* Who sat down before their time is there from then on. */
static int64_t there_from(const struct party *p)
{
	return p->now.visit == SEATED && p->seated && p->seated < p->now.starts ? p->seated : p->now.starts;
}

/*
 * Only the book's own triggers decide (an undo).  They look at the moments at which slots begin, those of parties that are over
 * too, and at tables for the times that they are booked for.
 */
static bool by_triggers;

static int64_t looked_at(const struct party *p)
{
	return by_triggers ? p->now.starts : there_from(p);
}

static int present_at(int64_t instant, int self)
{
	int people = 0;

	for (int i = 0; i < count; i++)
		if (i != self && is_in(&parties[i].now) && there_from(&parties[i]) <= instant && instant < parties[i].now.ends)
			people += parties[i].now.party;
	for (int i = 0; i < kept_count; i++)
		if (kept_rows[i].place.starts <= instant && instant < kept_rows[i].place.ends && keeps_out(&kept_rows[i]))
			people += kept_rows[i].place.party;
	return people;
}

static bool people_fit(const struct state *s, int self)
{
	if (present_at(s->starts, self) + s->party > SEATS)
		return false;
	for (int i = 0; i < count; i++)
		if (i != self && (by_triggers || is_in(&parties[i].now)) && looked_at(&parties[i]) > s->starts &&
		    looked_at(&parties[i]) < s->ends && present_at(looked_at(&parties[i]), self) + s->party > SEATS)
			return false;
	for (int i = 0; i < kept_count; i++)
		if (kept_rows[i].place.starts > s->starts && kept_rows[i].place.starts < s->ends &&
		    present_at(kept_rows[i].place.starts, self) + s->party > SEATS)
			return false;
	return true;
}

/* What an act looks past: the tables of a party that leaves them, and those where a party sits that it will sit beside. */
static int leaving = -1;
static unsigned sharing;

/* Does this party sit somewhere now, its time over or not? */
static bool sits(const struct party *p)
{
	return p->now.status == BOOKED && p->now.visit == SEATED && p->now.ends > clock_now_s() - 12 * 3600;
}

/* The tables at which others sit than party `self`. */
static unsigned sat_at(int self)
{
	unsigned at = 0;

	for (int i = 0; i < count; i++)
		at |= i != self && sits(&parties[i]) ? parties[i].now.at : 0;
	return at;
}

/* The tables that these two have together, on purpose; a party that is given a table anew gets one of its own. */
static bool anew;

static unsigned together(int self, const struct party *o)
{
	const struct state *own = self < 0 ? NULL : &parties[self].now;

	return own && !anew && overlap(own, &o->now) ? own->at & o->now.at & (own->shared | o->now.shared) : 0;
}

static unsigned taken(const struct state *s, int self)
{
	unsigned at = 0;

	for (int i = 0; i < count; i++) {
		const struct party *o = &parties[i];
		unsigned past = by_triggers ? o->now.shared | s->shared : together(self, o) | (sits(o) ? sharing : 0);

		if (i != self && i != leaving && is_in(&o->now) && looked_at(o) < s->ends && s->starts < o->now.ends)
			at |= o->now.at & ~past;
	}
	for (int i = 0; i < kept_count; i++)
		if (overlap(&kept_rows[i].place, s) && keeps_out(&kept_rows[i]))
			at |= kept_rows[i].place.at;
	return at;
}

/* Would it sit where another does, and neither on purpose? */
static bool sits_on_laps(const struct state *s, int self)
{
	for (int i = 0; i < count; i++)
		if (i != self && i != leaving && s->status == BOOKED && s->visit == SEATED && sits(&parties[i]) &&
		    parties[i].now.at & s->at & ~parties[i].now.shared & ~s->shared)
			return true;
	return false;
}

static int seats_at(unsigned at)
{
	int sum = 0;

	for (int i = 0; i < TABLES; i++)
		sum += at & 1u << i ? seats_of[i] : 0;
	for (size_t i = 0; i < COUNT(sets); i++)
		if (sets[i].at == at && sets[i].seats > sum)
			sum = sets[i].seats;
	return sum;
}

/* Is there a table, or a set, for them?  Who walks in sits down nowhere where others sit. */
static bool some_table(const struct state *s, int self)
{
	unsigned not_free = taken(s, self) | (s->visit == SEATED && self < 0 ? sat_at(-1) : 0);

	for (int i = 0; i < TABLES; i++)
		if (!(not_free & 1u << i) && seats_of[i] >= s->party)
			return true;
	for (size_t i = 0; i < COUNT(sets); i++)
		if (!(not_free & sets[i].at) && sets[i].seats >= s->party)
			return true;
	return false;
}

/* ---- asking ---- */

static int chance(int n)
{
	return (int)((unsigned)rand_r(&seed) % (unsigned)n);
}

static const struct http_answer *ask(const char *method, const char *path, const char *body)
{
	return http_ask(box.port, (struct http_call){.method = method, .path = path, .headers = bearer, .body = body});
}

static int64_t column(const char *what, int64_t id)
{
	char sql[300];
	sqlite3_stmt *s;
	int64_t value = -1;

	snprintf(sql, sizeof sql, "SELECT %s", what);
	assert_int_equal(sqlite3_prepare_v2(book_read, sql, -1, &s, NULL), SQLITE_OK);
	sqlite3_bind_int64(s, 1, id);
	if (sqlite3_step(s) == SQLITE_ROW)
		value = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return value;
}

static const char *member(struct json_object *j, const char *key)
{
	struct json_object *v = NULL;

	return json_object_object_get_ex(j, key, &v) && v ? json_object_get_string(v) : "";
}

static int word_of(const char *const *words, int n, const char *word)
{
	for (int i = 0; i < n; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return -1;
}

/* What an answer says that the reservation is. */
static struct state state_of(struct json_object *j)
{
	struct json_object *tables = NULL, *together_at = NULL;
	struct state s = {
		.status = (enum status)word_of(status_words, 6, member(j, "status")),
		.visit = (enum visit)word_of(visit_words, 4, member(j, "visitStatus")),
		.party = atoi(member(j, "partySize")),
	};

	assert_true(clock_parse_iso(member(j, "startsAt"), &s.starts) && clock_parse_iso(member(j, "endsAt"), &s.ends));
	assert_true(json_object_object_get_ex(j, "tables", &tables));
	for (size_t i = 0; i < json_object_array_length(tables); i++)
		s.at |= 1u << (json_object_get_int64(json_object_array_get_idx(tables, i)) - 1);
	if (json_object_object_get_ex(j, "sharedTables", &together_at))
		for (size_t i = 0; i < json_object_array_length(together_at); i++)
			s.shared |= 1u << (json_object_get_int64(json_object_array_get_idx(together_at, i)) - 1);
	s.beyond = *member(j, "overbook") != '\0';
	return s;
}

static bool same(const struct state *a, const struct state *b)
{
	return a->status == b->status && a->visit == b->visit && a->starts == b->starts && a->party == b->party &&
	       a->beyond == b->beyond &&
	       (a->status != BOOKED || (a->at == b->at && a->ends == b->ends && a->shared == b->shared));
}

static void tell(const char *what, const struct http_answer *a)
{
	fail_msg("seed %s, %s: %d %.400s", getenv("EVENING_SEED") ? getenv("EVENING_SEED") : "20261116", what, a->status,
		 a->body);
}

static void add_party(const struct http_answer *a, const char *what)
{
	struct json_object *j = http_json(a);
	struct party *p = &parties[count];

	assert_true(count < PARTIES);
	*p = (struct party){.now = state_of(j), .pair = -1};
	p->id = atoll(member(j, "reservationId"));
	p->version = atoll(member(j, "version"));
	json_object_put(j);
	if (taken(&p->now, count) & p->now.at || seats_at(p->now.at) < p->now.party)
		tell(what, a);
	count++;
	booked++;
}

static void book(void)
{
	struct state s = {.party = 1 + chance(7)};
	int minute;
	struct date date;
	char body[300], day[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	const struct http_answer *a;
	bool fits, on_purpose;

	s.starts = midnight + (minute_of(clock_now_s()) - 15 * chance(WINDOW_MIN / 15)) / 15 * 15 * 60;
	if (chance(3) == 0) /* ahead, where others wait */
		s.starts = midnight + (minute_of(clock_now_s()) + 45 + 15 * chance(6)) / 15 * 15 * 60;
	s.ends = s.starts + SITTING * 60;
	assert_true(zone_to_local(zone, s.starts, &date, &minute));
	text_put_date(date, day);
	text_put_time(minute, time);
	fits = slot_fits(&s, -1) && people_fit(&s, -1) && some_table(&s, -1);
	on_purpose = !fits && some_table(&s, -1) && chance(2) == 0;
	snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,\"guestName\":\"Lee\"%s}", day,
		 time, s.party, on_purpose ? ",\"overbook\":\"a friend\"" : "");
	a = ask("POST", "/api/desk/reservations?restaurantId=1", body);
	if (a->status != (fits || on_purpose ? 201 : 409))
		tell("book", a);
	beyond += on_purpose;
	if (fits || on_purpose)
		add_party(a, "book");
	else
		full++;
}

/* ---- the door list: who waits in which order, and who was called ---- */

enum { AT_DOOR = 12 };
static struct at_door {
	int64_t id, version;
	int size, passed;
	bool called;
} door[AT_DOOR];
static int at_door, joined, out_of_turn, from_door;
static unsigned dice = 7; /* of its own: it changes nobody else's luck */

static int throw(int n)
{
	return rand_r(&dice) % n;
}

/* Who came before and has not been called. */
static int before(int k)
{
	int n = 0;

	for (int i = 0; i < k; i++)
		n += !door[i].called;
	return n;
}

static const struct http_answer *say_at_door(struct at_door *d, const char *word)
{
	char path[80], body[40];
	const struct http_answer *a;

	snprintf(path, sizeof path, "/api/desk/door/%lld/%s", (long long)d->id, word);
	snprintf(body, sizeof body, "{\"version\":%lld}", (long long)d->version);
	a = ask("POST", path, body);
	if (a->status != 200)
		tell(word, a);
	d->version = http_int(a, "version");
	return a;
}

static void leaves_the_door(int k)
{
	memmove(&door[k], &door[k + 1], (size_t)(--at_door - k) * sizeof door[0]);
}

static void join_at_door(void)
{
	struct at_door *d = &door[at_door];
	char body[40];
	const struct http_answer *a;

	*d = (struct at_door){.size = 1 + throw(3)};
	snprintf(body, sizeof body, "{\"partySize\":%d}", d->size);
	a = ask("POST", "/api/desk/door?restaurantId=1", body);
	if (a->status != 201 || http_int(a, "place") != ++at_door)
		tell("join", a);
	d->id = http_int(a, "doorId");
	d->version = http_int(a, "version");
	joined++;
}

/* Somebody joins, is called, leaves or comes back to the place that they had. */
static void something_at_the_door(void)
{
	int k = at_door ? throw(at_door) : 0, what = throw(8);
	struct at_door *d = &door[k];
	const struct http_answer *a;

	if (!at_door || (what < 3 && at_door < AT_DOOR)) {
		join_at_door();
		return;
	}
	if (what < 6) {
		int expected = before(k);

		a = say_at_door(d, "call");
		d->called = true;
		d->passed = expected;
		out_of_turn += expected > 0;
		if (http_int(a, "passed") != expected || http_int(a, "place") != k + 1)
			tell("call", a);
	} else if (what < 7) {
		say_at_door(d, d->called && throw(2) ? "no-show" : "leave");
		if (throw(2))
			leaves_the_door(k);
		else if (http_int(say_at_door(d, "undo"), "place") != k + 1)
			fail_msg("another place after an undo");
	} else if (d->called) {
		say_at_door(d, "undo");
		d->called = false;
		d->passed = 0;
	}
}

/* They sat down: as which reservation, and out of turn? */
static void check_seated(int k, int64_t reservation)
{
	int64_t id = door[k].id;
	int passed = before(k) > door[k].passed ? before(k) : door[k].passed;

	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM door_parties WHERE door_id = %lld AND status = 'SEATED'"
					  " AND reservation_id = %lld AND passed = %d",
					  (long long)id, (long long)reservation, passed),
			 1);
	leaves_the_door(k);
	from_door++;
}

static void walk_in(void)
{
	struct state s = {.party = 1 + chance(6), .visit = SEATED};
	int k = at_door && throw(3) ? throw(at_door) : -1; /* of the door list, or not */
	char body[64], path[80] = "/api/desk/walk-ins?restaurantId=1";
	const struct http_answer *a;
	bool fits;
	int minute;

	/* The minute that the answer is about must be the one that was asked in. */
	while (clock_now_s() % 60 > 57)
		usleep(200000);
	snprintf(body, sizeof body, "{\"partySize\":%d}", s.party);
	if (k >= 0) {
		s.party = door[k].size;
		snprintf(path, sizeof path, "/api/desk/door/%lld/seat", (long long)door[k].id);
		snprintf(body, sizeof body, "{\"version\":%lld}", (long long)door[k].version);
	}
	s.starts = clock_now_s() / 60 * 60;
	s.ends = s.starts + SITTING * 60;
	fits = people_fit(&s, -1) && some_table(&s, -1);
	a = ask("POST", path, body);
	if (a->status != (fits ? 201 : 409))
		tell("walk-in", a);
	if (!fits) {
		full++;
		return;
	}
	add_party(a, "walk-in");
	if (k >= 0)
		check_seated(k, parties[count - 1].id);
	minute = minute_of(s.starts);
	{
		int starting = 0;

		for (int i = 0; i < count; i++)
			if (is_in(&parties[i].now) && parties[i].now.starts == s.starts)
				starting += parties[i].now.party;
		capacity[minute] = starting > capacity[minute] ? starting : capacity[minute];
	}
}

/* Sends an act; if the model allows it the reservation must become what the model says, else stay. */
static void settle(int i, const char *what, const struct http_answer *a, bool may, const struct state *to, bool undoable)
{
	struct party *p = &parties[i];
	struct json_object *j;
	struct state got;

	if (a->status != (may ? 200 : 409))
		tell(what, a);
	if (!may) {
		refused++;
		return;
	}
	j = http_json(a);
	got = state_of(j);
	if (!same(&got, to)) {
		fprintf(stderr, "model: %s %s party %d tables %x %lld-%lld\n", status_words[to->status], visit_words[to->visit],
			to->party, to->at, (long long)to->starts, (long long)to->ends);
		tell(what, a);
	}
	p->version = atoll(member(j, "version"));
	json_object_put(j);
	p->before = p->now;
	p->now = got;
	p->undoable = undoable;
	p->pair = -1;
	acted++;
}

static const struct http_answer *send_act(const struct party *p, const char *word, const char *more)
{
	char path[100], body[200];

	snprintf(path, sizeof path, "/api/desk/reservations/%lld/%s", (long long)p->id, word);
	snprintf(body, sizeof body, "{\"version\":%lld%s}", (long long)p->version, more);
	return ask("POST", path, body);
}

/* Random tables by hand, one or two of them. */
static unsigned wish_tables(char *out, size_t size)
{
	int a = chance(TABLES), b = chance(TABLES);
	bool two = chance(2) && a != b;

	if (two)
		snprintf(out, size, ",\"tables\":[{\"tableId\":%d},{\"tableId\":%d}]", a + 1, b + 1);
	else
		snprintf(out, size, ",\"tables\":[{\"tableId\":%d}]", a + 1);
	return 1u << a | (two ? 1u << b : 0);
}

/*
 * It is to be at these tables, at which others may sit; share: beside them.  If it sits, or sits down, `arriving` are those that
 * it has not yet.
 */
static bool may_be_at(struct state *to, int i, unsigned arriving, bool share)
{
	unsigned on = sat_at(i) & arriving;
	bool may = to->beyond || seats_at(to->at) >= to->party;

	to->shared = (parties[i].now.shared & to->at) | (share ? on : 0);
	sharing = share ? on : 0;
	may = may && (share || !on) && !(taken(to, i) & to->at);
	sharing = 0;
	sat_upon += on && !share;
	shared += share && on && may;
	return may;
}

static void seat(int i)
{
	struct party *p = &parties[i];
	struct state to = p->now;
	char more[140] = "";
	bool may = p->now.status == BOOKED && p->now.visit != LEFT, share = chance(2) != 0;
	unsigned on = p->now.visit == SEATED ? 0 : sat_at(i) & p->now.at;

	if (chance(2)) {
		to.at = wish_tables(more, sizeof more);
		may = may && may_be_at(&to, i, to.at & ~(p->now.visit == SEATED ? p->now.at : 0), share);
	} else {
		may = may && (share || !on);
		sat_upon += on && !share;
		to.shared |= share ? on : 0;
	}
	if (share)
		snprintf(more + strlen(more), sizeof more - strlen(more), ",\"share\":true");
	to.visit = SEATED;
	settle(i, "seat", send_act(p, "seat", more), may, &to, true);
	if (may)
		p->seated = column("strftime('%s', seated_at) FROM reservations WHERE reservation_id = ?1", p->id);
}

static const struct http_answer *send_change(const struct party *p, const char *more)
{
	char path[100], body[200];

	snprintf(path, sizeof path, "/api/desk/reservations/%lld", (long long)p->id);
	snprintf(body, sizeof body, "{\"version\":%lld%s}", (long long)p->version, more);
	return ask("PATCH", path, body);
}

/* One table more, one less, or others. */
static void other_tables(int i)
{
	struct party *p = &parties[i];
	struct state to = p->now;
	char more[140] = "";
	bool share = chance(3) == 0, may;

	to.at = wish_tables(more, sizeof more);
	may = may_be_at(&to, i, p->now.visit == SEATED ? to.at & ~p->now.at : 0, share) && p->now.status == BOOKED;
	if (share)
		snprintf(more + strlen(more), sizeof more - strlen(more), ",\"share\":true");
	settle(i, "tables", send_change(p, more), may, &to, true);
}

/* They stay longer, or not so long. */
static void extend(int i)
{
	struct party *p = &parties[i];
	struct state to = p->now;
	int minutes = 30 + 15 * chance(9);
	char more[60];
	bool may;

	to.ends = to.starts + minutes * 60;
	may = p->now.status == BOOKED && !(taken(&to, i) & to.at) &&
	      (to.ends <= p->now.ends || p->now.beyond || people_fit(&to, i));
	snprintf(more, sizeof more, ",\"sittingMinutes\":%d", minutes);
	settle(i, "extend", send_change(p, more), may, &to, true);
}

/* Two parties change tables: both, or neither. */
static void swap(int i)
{
	int k = chance(count);
	struct party *p = &parties[i], *o = &parties[k];
	struct state to = p->now, other = o->now;
	char more[100];
	bool may;

	for (int tries = 0; tries < 200; tries++, k = chance(count), o = &parties[k])
		if (o->now.status == BOOKED && k != i &&
		    (chance(20) == 0 || (seats_at(o->now.at) >= p->now.party && seats_at(p->now.at) >= o->now.party)))
			break;
	other = o->now;
	if (other.status == HELD)
		return;
	to.at = other.at;
	other.at = p->now.at;
	to.shared = other.shared = 0;
	leaving = k;
	may = p->now.status == BOOKED && other.status == BOOKED && i != k && to.at && other.at && !(to.at & other.at) &&
	      (to.beyond || seats_at(to.at) >= to.party) && !(taken(&to, i) & to.at) && !sits_on_laps(&to, i);
	leaving = i;
	may = may && (other.beyond || seats_at(other.at) >= other.party) && !(taken(&other, k) & other.at) &&
	      !sits_on_laps(&other, k);
	leaving = -1;
	snprintf(more, sizeof more, ",\"with\":%lld,\"withVersion\":%lld", (long long)o->id, (long long)o->version);
	settle(i, "swap", send_act(p, "swap", more), may, &to, true);
	if (!may)
		return;
	o->before = o->now;
	o->now = other;
	o->undoable = true;
	o->version++;
	p->pair = k;
	o->pair = i;
	swapped++;
}

/* No party has left, or failed to come, before its time. */
static bool has_begun(const struct state *s)
{
	return s->starts <= clock_now_s();
}

static void leave(int i)
{
	struct party *p = &parties[i];
	struct state to = p->now;

	to.status = DONE;
	to.visit = LEFT;
	settle(i, "leave", send_act(p, "leave", ""),
	       p->now.status == BOOKED && p->now.visit != PENDING && (has_begun(&p->now) || p->now.visit == SEATED), &to, true);
}

static void end_it(int i, const char *word, enum status status)
{
	struct party *p = &parties[i];
	struct state to = p->now;
	bool may = p->now.status == BOOKED && (status != MISSING || p->now.visit == PENDING) &&
		   (status == CANCELLED || has_begun(&p->now) || (status == DONE && p->now.visit == SEATED));

	if (status == CANCELLED && p->now.status == CANCELLED)
		return; /* said twice: it is so, and not another act */
	to.status = status;
	if (status == DONE)
		to.visit = LEFT;
	settle(i, word, send_act(p, word, ""), may, &to, true);
}

static void arrive(int i)
{
	struct party *p = &parties[i];
	struct state to = p->now;

	to.visit = ARRIVED;
	settle(i, "arrive", send_act(p, "arrive", ""), p->now.status == BOOKED && p->now.visit == PENDING, &to, true);
}

/*
 * Another size.  Who sits, or was let in beyond the seats, keeps the tables; for others any that fit, so only whether it may is
 * foretold.  Nobody is counted who is there already.
 */
static void resize(int i)
{
	struct party *p = &parties[i];
	struct state to = p->now, got;
	char more[60];
	const struct http_answer *a;
	struct json_object *j;
	bool may, no_more, stays;

	to.party = 1 + chance(8);
	if (to.party != p->now.party)
		to.ends = to.starts + SITTING * 60;
	no_more = to.party <= p->now.party;
	stays = p->now.visit == SEATED || (p->now.beyond && no_more);
	may = p->now.status == BOOKED && (no_more || slot_fits(&to, i)) &&
	      ((no_more && (p->now.beyond || to.ends <= p->now.ends)) || people_fit(&to, i));
	if (stays)
		may = may && !(taken(&to, i) & to.at) && ((p->now.beyond && no_more) || seats_at(to.at) >= to.party);
	anew = !stays;
	if (!stays)
		may = may && some_table(&to, i);
	anew = false;
	snprintf(more, sizeof more, ",\"partySize\":%d", to.party);
	a = send_change(p, more);
	if (a->status != (may ? 200 : 409))
		tell("resize", a);
	if (!may) {
		refused++;
		return;
	}
	j = http_json(a);
	got = state_of(j);
	p->version = atoll(member(j, "version"));
	json_object_put(j);
	if (got.party != to.party || got.ends != to.ends || taken(&got, i) & got.at ||
	    (!got.beyond && seats_at(got.at) < got.party) || (stays && got.at != to.at))
		tell("resize", a);
	p->before = p->now;
	p->now = got;
	p->undoable = true;
	p->pair = -1;
	acted++;
}

/* May it be again what it was?  Only the book's triggers say so, and who sits where. */
static bool may_be_again(int i, int without)
{
	const struct party *p = &parties[i];
	const struct state *to = &p->before;
	bool back = p->now.status != BOOKED, grows = to->party > p->now.party, longer = to->ends > p->now.ends, may = true;

	if (to->status != BOOKED)
		return true;
	by_triggers = true;
	leaving = without;
	if (!to->beyond)
		may = (!(back || grows) || slot_fits(to, i)) && (!(back || grows || longer) || people_fit(to, i));
	may = may && !(taken(to, i) & to->at) && !sits_on_laps(to, i);
	leaving = -1;
	by_triggers = false;
	return may;
}

static void undo(int i)
{
	struct party *p = &parties[i], *o = p->undoable && p->pair >= 0 ? &parties[p->pair] : NULL;
	struct state to = p->before;
	const struct http_answer *a;
	bool may = p->undoable;

	if (may && o) /* both, if nothing has come after it for either */
		may = o->undoable && o->pair == i && may_be_again(i, p->pair) && may_be_again(p->pair, i);
	else if (may)
		may = may_be_again(i, -1);
	a = send_act(p, "undo", "");
	if (p->undoable && !may && a->status == 409) {
		kept++;
		return;
	}
	settle(i, "undo", a, may, &to, false);
	undone += may;
	if (may && o) {
		o->now = o->before;
		o->undoable = false;
		o->version++;
		o->pair = -1;
	}
}

static void stale(int i)
{
	struct party old = parties[i];
	char code[HTTP_TEXT];

	old.version += old.version > 1 ? -1 : 1;
	assert_string_equal(http_text(send_act(&old, "arrive", ""), "code", code), "STALE");
}

/* ---- the waitlist ---- */

static bool is_of_waitlist(int party)
{
	for (int i = 0; i < waiting; i++)
		if (waiters[i].party == party)
			return true;
	return false;
}

/* What is kept, read from the book. */
static void read_kept(void)
{
	sqlite3_stmt *s;
	int64_t newest = newest_kept;

	for (int i = 0; i < kept_count; i++)
		newest = kept_rows[i].id > newest ? kept_rows[i].id : newest;
	newest_kept = newest;
	kept_count = 0;
	asks = 0;
	assert_int_equal(
		sqlite3_prepare_v2(book_read,
				   "SELECT k.starts_at, k.ends_at, k.party_size, ifnull(k.tables, ''), k.kept_until >"
				   " strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), s.starts_at, k.kept_id FROM kept_seats k JOIN"
				   " restaurant_reservation_slots s USING (restaurant_id, slot_date, slot_time) ORDER BY"
				   " k.kept_until, k.kept_id",
				   -1, &s, NULL),
		SQLITE_OK);
	while (sqlite3_step(s) == SQLITE_ROW) {
		struct kept *k = &kept_rows[kept_count++];
		const char *at = (const char *)sqlite3_column_text(s, 3);

		assert_true(kept_count <= KEPT);
		*k = (struct kept){.live = sqlite3_column_int(s, 4) != 0, .id = sqlite3_column_int64(s, 6)};
		k->before = k->id <= newest;
		assert_true(clock_parse_iso((const char *)sqlite3_column_text(s, 0), &k->place.starts) &&
			    clock_parse_iso((const char *)sqlite3_column_text(s, 1), &k->place.ends) &&
			    clock_parse_iso((const char *)sqlite3_column_text(s, 5), &k->slot));
		k->place.party = sqlite3_column_int(s, 2);
		for (; *at; at += strspn(at, "0123456789"), at += *at == ',')
			k->place.at |= 1u << (atoi(at) - 1);
	}
	sqlite3_finalize(s);
	find_holders();
}

/* None of it is at a table that another party has then. */
static void check_kept(const char *step)
{
	for (const struct kept *k = kept_rows; k < kept_rows + kept_count; k++)
		if (k->live && taken(&k->place, -1) & k->place.at)
			fail_msg("after %s: tables %x are kept from minute %d to %d and taken", step, k->place.at,
				 minute_of(k->place.starts), minute_of(k->place.ends));
}

/* Is that time left to everybody: an offer of it ran out after its deadline, and what is kept is not enough for them? */
static bool is_left_to_all(const struct waiter *w)
{
	struct state s = wish_of(w);
	bool left = false;
	int seats = 0;

	for (int i = 0; i < left_count; i++)
		left |= overlap(&left_over[i], &s);
	for (int i = 0; i < kept_count; i++)
		seats += kept_rows[i].live && !keeps_out(&kept_rows[i]) ? usable(&kept_rows[i], w) : 0;
	return left && seats < w->size;
}

/* Does a proven party that does not fit keep back those behind it? */
static bool keeps_back(const struct state *s)
{
	for (int i = 0; i < kept_count; i++)
		if (kept_rows[i].held_for && overlap(&kept_rows[i].place, s))
			return true;
	return false;
}

static bool fits_somewhere(const struct state *s)
{
	return slot_fits(s, -1) && people_fit(s, -1) && some_table(s, -1);
}

/* A reservation of the book as a party of the model, at the tables that the book has for it. */
static void add_from_book(int64_t id, const struct state *s)
{
	struct party *p = &parties[count];

	assert_true(count < PARTIES);
	*p = (struct party){.id = id, .now = *s, .pair = -1};
	/* What a guest had for a moment is kept for a moment: they had it since yesterday. */
	appliance_sql(&box,
		      "UPDATE reservations SET created_at = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', created_at, '-1 day') WHERE"
		      " reservation_id = %lld",
		      (long long)id);
	p->version = column("version FROM reservations WHERE reservation_id = ?1", id);
	for (int i = 0; i < TABLES; i++) {
		char sql[120];

		snprintf(sql, sizeof sql, "count(*) FROM reservation_tables WHERE reservation_id = ?1 AND table_id = %d",
			 i + 1);
		p->now.at |= column(sql, id) ? 1u << i : 0;
	}
	if (!p->now.at || taken(&p->now, count) & p->now.at || seats_at(p->now.at) < s->party)
		fail_msg("reservation %lld sits at tables %x", (long long)id, p->now.at);
}

static void add_online(int64_t id, const struct state *s)
{
	add_from_book(id, s);
	asks = INT64_MAX;
	if (taken(s, -1) & parties[count].now.at)
		fail_msg("reservation %lld sits at tables that are kept", (long long)id);
	asks = 0;
	count++;
	booked++;
}

/* The hold that the book has for them. */
static void add_offer(struct waiter *w)
{
	struct state s = {.status = HELD, .visit = PENDING, .starts = w->starts, .party = w->size};
	int64_t id = column("reservation_id FROM waitlist WHERE waitlist_id = ?1", w->id);

	s.ends = w->starts + SITTING * 60;
	add_from_book(id, &s);
	assert_int_equal(column("status = 'TEMPORARY' AND source = 'WAITLIST' FROM reservations WHERE reservation_id = ?1", id),
			 1);
	newest_offer = id;
	w->now = OFFERED;
	w->party = count++;
	offers++;
}

/* The first of those before w in the same slot who still wait: who fits must not be overtaken, others keep back what is kept. */
static void check_no_guest_is_overtaken(const struct waiter *w, const char *step)
{
	struct state own = wish_of(w);

	for (int i = 0; i < waiting && waiters[i].id < w->id; i++) {
		struct state s = wish_of(&waiters[i]);

		if (waiters[i].now != WAITING || waiters[i].starts != w->starts)
			continue;
		if (fits_somewhere(&s))
			fail_msg("seed %u, after %s: waiter %lld was overtaken by %lld", seed, step, (long long)waiters[i].id,
				 (long long)w->id);
		for (int k = 0; k < kept_count; k++)
			if (kept_rows[k].held_for == waiters[i].id && kept_rows[k].before && overlap(&kept_rows[k].place, &own))
				fail_msg("seed %u, after %s: waiter %lld got what is kept for %lld", seed, step,
					 (long long)w->id, (long long)waiters[i].id);
	}
}

/* Whom the book has offered seats in this step, in its order. */
static void add_new_offers(const char *step)
{
	static const char next_offer[] = "waitlist_id FROM waitlist WHERE status = 'OFFERED' AND reservation_id > ?1 ORDER BY"
					 " reservation_id";
	int64_t id;

	while ((id = column(next_offer, newest_offer)) > 0) {
		int i = 0;
		struct state s;

		while (i < waiting && waiters[i].id != id)
			i++;
		assert_true(i < waiting && waiters[i].now == WAITING);
		s = wish_of(&waiters[i]);
		if (!fits_somewhere(&s))
			fail_msg("seed %u, after %s: waiter %lld was offered what is not there", seed, step, (long long)id);
		check_no_guest_is_overtaken(&waiters[i], step);
		add_offer(&waiters[i]);
		find_holders();
	}
}

/* After every step: no guest waits for seats that are there, but behind a party for whom they are kept. */
static void serve_waiters(const char *step)
{
	int64_t held_back[64];
	int n = 0;

	read_kept();
	add_new_offers(step);
	check_kept(step);
	for (int i = 0; i < waiting; i++) {
		const struct waiter *w = &waiters[i];
		struct state s = wish_of(w);
		bool back = false;

		for (int k = 0; k < n && w->now == WAITING; k++)
			back |= held_back[k] == w->starts;
		if (w->now != WAITING || back)
			continue;
		asks = w->id;
		if (fits_somewhere(&s) && !is_left_to_all(w))
			fail_msg("seed %u, after %s: waiter %lld (%d at minute %d) fits and was offered nothing", seed, step,
				 (long long)w->id, w->size, minute_of(w->starts));
		if (keeps_back(&s) && n < 64)
			held_back[n++] = w->starts;
	}
	asks = 0;
}

static void wait_for_a_table(void)
{
	struct state s = {.status = HELD, .party = 1 + chance(chance(6) ? 3 : 7)};
	char body[300], day[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	const struct http_answer *a;
	struct date date;
	int minute;
	bool fits;

	s.starts = midnight + (minute_of(clock_now_s()) + 45 + 15 * chance(6)) / 15 * 15 * 60;
	s.ends = s.starts + SITTING * 60;
	assert_true(zone_to_local(zone, s.starts, &date, &minute));
	text_put_date(date, day);
	text_put_time(minute, time);
	fits = fits_somewhere(&s);
	snprintf(body, sizeof body,
		 "{\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,\"guestName\":\"Wait\",\"phone\":\"010-3%03d-%"
		 "04d\"}",
		 day, time, s.party, waiting / 1000, waiting % 10000);
	a = ask("POST", "/api/desk/waitlist?restaurantId=1", body);
	if (a->status != (fits ? 409 : 201))
		tell("wait", a);
	if (fits)
		return;
	assert_true(waiting < WAITERS);
	waiters[waiting++] = (struct waiter){.id = http_int(a, "waitlistId"), .starts = s.starts, .size = s.party, .party = -1};
}

static const struct http_answer *say_to_waiter(const struct waiter *w, const char *word)
{
	char path[100];

	snprintf(path, sizeof path, "/api/desk/waitlist/%lld/%s", (long long)w->id, word);
	return ask("POST", path, "{}");
}

/* One of those who wait or were asked; NULL: there is none. */
static struct waiter *some_waiter(bool offered)
{
	for (int tries = 0; waiting && tries < 60; tries++) {
		struct waiter *w = &waiters[waiting > 60 ? waiting - 1 - chance(60) : chance(waiting)];

		if (w->now == (offered ? OFFERED : WAITING))
			return w;
	}
	return NULL;
}

static void leave_the_list(void)
{
	struct waiter *w = some_waiter(chance(2));

	if (!w)
		return;
	if (say_to_waiter(w, "remove")->status != 200)
		fail_msg("remove");
	if (w->now == OFFERED) {
		parties[w->party].now.status = CANCELLED;
		parties[w->party].version = column("version FROM reservations WHERE reservation_id = ?1", parties[w->party].id);
	}
	w->now = OVER;
}

static void offer_by_hand(void)
{
	struct waiter *w = some_waiter(false);
	struct state s;
	const struct http_answer *a;
	bool fits;

	if (!w)
		return;
	s = (struct state){.status = HELD, .party = w->size, .starts = w->starts, .ends = w->starts + SITTING * 60};
	fits = fits_somewhere(&s);
	a = say_to_waiter(w, "offer");
	if (a->status != (fits ? 200 : 409))
		tell("offer by hand", a);
	if (fits)
		add_offer(w);
}

static void take_offer(void)
{
	struct waiter *w = some_waiter(true);
	struct party *p;
	const struct http_answer *a;

	if (!w)
		return;
	p = &parties[w->party];
	a = send_act(p, "confirm", "");
	if (a->status != 200)
		tell("take", a);
	p->version = http_int(a, "version");
	p->now.status = BOOKED;
	p->undoable = false;
	w->now = OVER;
	assert_int_equal(column("status = 'BOOKED' FROM waitlist WHERE waitlist_id = ?1", w->id), 1);
	taken_up++;
}

/* A guest on the web, at a time that is still to come. */
static void book_online(void)
{
	struct waiter w = {.size = 1 + chance(6), .party = -1};
	struct state s = {.status = BOOKED, .party = w.size};
	char body[400], headers[120], day[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	const struct http_answer *a;
	struct date date;
	int minute;
	bool fits, would;

	s.starts = midnight + (minute_of(clock_now_s()) + 45 + 15 * chance(6)) / 15 * 15 * 60;
	s.ends = s.starts + SITTING * 60;
	assert_true(zone_to_local(zone, s.starts, &date, &minute));
	text_put_date(date, day);
	text_put_time(minute, time);
	would = fits_somewhere(&s);
	asks = INT64_MAX;
	fits = fits_somewhere(&s);
	asks = 0;
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Web\",\"phone\":\"010-4%03d-%04d\"}}",
		 day, time, s.party, online / 10000, online % 10000);
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: web-%d\r\n", online++);
	a = http_ask(box.port,
		     (struct http_call){.method = "POST", .path = "/api/reservations", .headers = headers, .body = body});
	if (a->status != (fits ? 201 : 409))
		tell("book online", a);
	kept_out += would && !fits;
	if (fits)
		add_online(http_int(a, "reservationId"), &s);
}

/* The time of everything that is kept is over: the keeper asks those who were kept back. */
static void pass_deadlines(void)
{
	if (!kept_count)
		return;
	ran_out += kept_count;
	appliance_sql(&box, "UPDATE kept_seats SET kept_until = strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '-2 seconds')");
	WITHIN(5000, column("count(*) = 0 FROM kept_seats WHERE 1 = ?1", 1) == 1);
}

/* A party that was to come later does not. */
static void free_some(void)
{
	for (int tries = 0, i; count && tries < 200; tries++) {
		i = count > 400 ? count - 1 - chance(400) : chance(count);
		if (parties[i].now.status == BOOKED && !has_begun(&parties[i].now)) {
			end_it(i, "cancel", CANCELLED);
			return;
		}
	}
}

/* Its time is over: the next transaction, or the keeper, passes the seats on. */
static void lapse_offer(void)
{
	struct waiter *w = some_waiter(true);

	if (!w)
		return;
	if (column("kept_until <= strftime('%Y-%m-%dT%H:%M:%SZ', 'now') FROM waitlist WHERE waitlist_id = ?1", w->id) == 1)
		left_over[left_count++] = parties[w->party].now;
	appliance_sql(&box, "UPDATE reservations SET hold_expires_at = '2026-01-01T00:00:00Z' WHERE reservation_id = %lld",
		      (long long)parties[w->party].id);
	WITHIN(5000, column("status = 'OFFER_EXPIRED' FROM waitlist WHERE waitlist_id = ?1", w->id) == 1);
	parties[w->party].now.status = LAPSED;
	parties[w->party].version = column("version FROM reservations WHERE reservation_id = ?1", parties[w->party].id);
	w->now = OVER;
	passed_on++;
}

/* ---- the numbers on top ---- */

enum { SIZES = 9, AHEAD_MIN = 180 };

static struct json_object *slots_of(const char *path)
{
	const struct http_answer *a = ask("GET", path, NULL);
	struct json_object *j, *slots;

	if (a->status != 200)
		tell("slots", a);
	j = http_json(a);
	assert_true(json_object_object_get_ex(j, "slots", &slots));
	json_object_get(slots);
	json_object_put(j);
	return slots;
}

static struct json_object *member_of(struct json_object *j, const char *key)
{
	struct json_object *v = NULL;

	assert_true(json_object_object_get_ex(j, key, &v));
	return v;
}

/* The largest party that a guest online can book at slot i, by the lists that their page asks for. */
static int largest_online(struct json_object *const lists[SIZES + 1], size_t i)
{
	int largest = 0;

	for (int party = 1; party <= SIZES; party++)
		if (json_object_get_boolean(member_of(json_object_array_get_idx(lists[party], i), "available")))
			largest = party;
	return largest;
}

/* The largest that staff can put there, by the model. */
static int largest_by_staff(int64_t starts)
{
	int largest = 0;

	for (int party = 1; party <= SEATS; party++) {
		struct state s = {.party = party, .starts = starts, .ends = starts + SITTING * 60};

		largest = fits_somewhere(&s) ? party : largest;
	}
	return largest;
}

static int check_slot(struct json_object *desk, size_t i, struct json_object *const lists[SIZES + 1])
{
	struct json_object *slot = json_object_array_get_idx(desk, i), *guests = member_of(slot, "online"),
			   *by_staff = member_of(slot, "staff");
	int largest = largest_online(lists, i), seats = json_object_get_int(member_of(guests, "seats")),
	    said = json_object_get_int(member_of(guests, "largest")),
	    mine = json_object_get_int(member_of(by_staff, "largest"));
	int64_t starts;

	assert_true(clock_parse_iso(member(slot, "startsAt"), &starts));
	if (said != largest || (seats > 0) != (largest > 0) || seats < largest)
		fail_msg("seed %u: at minute %d guests can book %d, the desk says %d of %d seats", seed, minute_of(starts),
			 largest, said, seats);
	if (starts <= clock_now_s() || starts > clock_now_s() + AHEAD_MIN * 60)
		return 0;
	if (mine != largest_by_staff(starts) || json_object_get_int(member_of(by_staff, "seats")) < mine)
		fail_msg("seed %u: at minute %d staff can seat %d, the desk says %d", seed, minute_of(starts),
			 largest_by_staff(starts), mine);
	return mine > said;
}

/* At every time of the day the desk says what guests find on their page, and what staff can book. */
static int compare_numbers(void)
{
	struct json_object *desk, *lists[SIZES + 1];
	char path[120], day[TEXT_DATE_SIZE];
	struct date date;
	int64_t began;
	int minute, more = 0;

	do { /* all of it within one minute: a time that is too soon for guests becomes so with the clock */
		began = clock_now_s() / 60;
		zone_to_local(zone, clock_now_s(), &date, &minute);
		text_put_date(date, day);
		snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", day);
		desk = slots_of(path);
		for (int party = 1; party <= SIZES; party++) {
			snprintf(path, sizeof path, "/api/reservations/slots?restaurantId=1&slotDate=%s&partySize=%d", day,
				 party);
			lists[party] = slots_of(path);
			assert_int_equal(json_object_array_length(lists[party]), json_object_array_length(desk));
		}
		for (size_t i = 0; clock_now_s() / 60 == began && i < json_object_array_length(desk); i++)
			more += check_slot(desk, i, lists);
		json_object_put(desk);
		for (int party = 1; party <= SIZES; party++)
			json_object_put(lists[party]);
	} while (clock_now_s() / 60 != began);
	return more;
}

/* ---- the whole day ---- */

static void compare_all(void)
{
	struct json_object *j, *rows, *row;
	char path[100], day[TEXT_DATE_SIZE];
	struct date date;
	int minute, found = 0, lapsed = 0;

	zone_to_local(zone, clock_now_s(), &date, &minute);
	text_put_date(date, day);
	snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", day);
	j = http_json(ask("GET", path, NULL));
	assert_true(json_object_object_get_ex(j, "reservations", &rows));
	for (size_t k = 0; k < json_object_array_length(rows); k++) {
		struct state got;
		int64_t id;

		row = json_object_array_get_idx(rows, k);
		id = atoll(member(row, "reservationId"));
		got = state_of(row);
		for (int i = 0; i < count; i++)
			if (parties[i].id == id) {
				assert_true(same(&got, &parties[i].now));
				assert_int_equal(atoll(member(row, "version")), parties[i].version);
				found++;
			}
	}
	for (int i = 0; i < count; i++)
		lapsed += parties[i].now.status == LAPSED; /* the desk's day leaves those out */
	assert_int_equal(found, count - lapsed < 2000 ? count - lapsed : 2000);
	json_object_put(j);
}

static void open_house(void)
{
	int hour = (int)(clock_now_s() / 3600 % 24), west = (hour - 14 + 48) % 24, minute;
	struct date date;

	appliance_new(&box);
	appliance_up(&box, 8);
	west = west > 12 ? west - 24 : west;
	snprintf(zone, sizeof zone, west ? "Etc/GMT%+d" : "Etc/GMT", west); /* it is two in the afternoon there */
	appliance_sql(
		&box,
		"UPDATE restaurants SET timezone = '%s', slot_minutes = 15, sitting_minutes = %d, seats = %d, "
		"reservation_limit = %d,"
		" deposit_per_person = 0, deposit_large_per_person = 0; DELETE FROM opening_hours; INSERT INTO opening_hours"
		" (restaurant_id, weekday, opens, closes) SELECT 1, value, '00:00', '24:00' FROM json_each('[1,2,3,4,5,6,7]')",
		zone, SITTING, SEATS, PACE);
	for (int i = 0; i < TABLES; i++)
		appliance_sql(&box,
			      "INSERT INTO dining_tables (table_id, restaurant_id, name, seats_min, seats_max) VALUES (%d, 1, "
			      "'%d', 1, %d)",
			      i + 1, i + 1, seats_of[i]);
	appliance_sql(&box,
		      "INSERT INTO table_sets (set_id, restaurant_id, seats_min, seats_max) VALUES (1, 1, 5, 8), (2, 1, 3, 4);"
		      "INSERT INTO table_set_members VALUES (1, 3), (1, 4), (2, 1), (2, 2)");
	talk_add_staff(&box, "kim@example.com", bearer);
	appliance_sql(&box, "UPDATE users SET is_manager = 1 WHERE email = 'kim@example.com'");
	assert_true(zone_to_local(zone, clock_now_s(), &date, &minute) && zone_to_utc(zone, date, 0, &midnight));
	for (int i = 0; i < 1440; i++)
		capacity[i] = PACE;
}

static void thousands_of_steps_of_an_evening_are_as_the_model_says(void **state)
{
	int last = -1, staff_can_more = 0;

	(void)state;
	seed = getenv("EVENING_SEED") ? (unsigned)atoi(getenv("EVENING_SEED")) : 20261116;
	open_house();
	book_read = appliance_book(&box);
	for (int step = 0; step < STEPS; step++) {
		int what = chance(100), i = count ? chance(count) : 0;

		/* Mostly a party that is expected or here; now and then one whose evening is over. */
		for (int tries = 0; count && tries < 40 && parties[i].now.status != BOOKED && chance(6); tries++)
			i = chance(count);
		/* What the waitlist holds has steps of its own. */
		if (count && (parties[i].now.status == HELD || parties[i].now.status == LAPSED || is_of_waitlist(i)))
			what = chance(22);

		if (!count || what < 22)
			book();
		else if (what < 27)
			walk_in();
		else if (what < 37)
			arrive(i);
		else if (what < 49)
			seat(i);
		else if (what < 60)
			leave(i);
		else if (what < 66)
			end_it(i, "no-show", MISSING);
		else if (what < 69)
			end_it(i, "complete", DONE);
		else if (what < 78)
			end_it(i, "cancel", CANCELLED);
		else if (what < 81)
			resize(i);
		else if (what < 84)
			extend(i);
		else if (what < 86)
			other_tables(i);
		else if (what < 91)
			swap(i);
		else if (what < 98)
			undo(last >= 0 && chance(3) ? last : i);
		else
			stale(i);
		serve_waiters("a step");
		if (throw(3) == 0)
			something_at_the_door();
		what = chance(100);
		if (what < 10)
			wait_for_a_table();
		else if (what < 18)
			leave_the_list();
		else if (what < 19)
			offer_by_hand();
		else if (what < 22)
			take_offer();
		else if (what < 24 && chance(2))
			lapse_offer();
		else if (what < 40)
			free_some();
		else if (what < 60)
			book_online();
		else if (what < 61)
			pass_deadlines();
		serve_waiters("the waitlist's step");
		last = i;
		if (step % 75 == 74)
			staff_can_more += compare_numbers();
		if (step % 500 == 499)
			compare_all();
	}
	print_message("# %d waited, %d offers, %d taken, %d passed on\n", waiting, offers, taken_up, passed_on);
	print_message("# %d online, %d kept out, %d times that ran out\n", online, kept_out, ran_out);
	assert_true(waiting > 150 && offers > 50 && taken_up > 15 && passed_on > 5 && kept_out > 10 && ran_out > 5);
	sqlite3_close(book_read);
	print_message("# %d times staff could seat more than guests could book\n", staff_can_more);
	assert_true(staff_can_more > 10);
	print_message("# %d booked, %d full, %d acts, %d refused, %d undone, %d not to be undone\n", booked, full, acted,
		      refused, undone, kept);
	print_message("# %d times others sat there, %d shared, %d swapped, %d beyond the seats\n", sat_upon, shared, swapped,
		      beyond);
	print_message("# %d joined at the door, %d called out of turn, %d sat down\n", joined, out_of_turn, from_door);
	assert_true(joined > 100 && out_of_turn > 20 && from_door > 5);
	assert_true(booked > 150 && full > 50 && acted > 500 && undone > 40);
	assert_true(sat_upon > 20 && shared > 3 && swapped > 0 && beyond > 0);
	appliance_down(&box);
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	if (ran.exit)
		fail_msg("%s", ran.out);
	appliance_free(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(thousands_of_steps_of_an_evening_are_as_the_model_says)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
