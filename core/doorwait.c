/*
 * doorwait.c - how long will a party at the door wait?
 */
#include "doorwait.h"

#include "hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	PLAYS = 101,
	PLAYS_LARGE = 41,  /* of a house so large that a play costs more */
	LARGE = 4000,      /* stays times parties */
	LOW_PCT = 8,       /* of the plays are shorter than the range ... */
	HIGH_PCT = 89,     /* ... and the rest longer than this many */
	USUAL_WEIGHT = 5,  /* what is usual anywhere counts as this many turns of tonight */
	TEMPO_SPREAD = 16, /* percent by which a whole evening is faster or slower than its turns so far say */
	COMES_PCT = 92,    /* of reservations come ... */
	LATE_MAX_S = 900,  /* ... so late at most; and so long a table is kept for those who do not */
	LEAVES_PCT = 12,   /* of those who wait give up before their turn */
	CLEAR_MIN_S = 60,  /* a table is cleared and laid, and its party fetched, in between ... */
	CLEAR_MAX_S = 420, /* ... these two */
	OVERDUE_S = 1500,  /* who has stayed longer than all others leaves within this */
	SIZES = 64,        /* party sizes that are told apart when one did not fit */
};

/* How long parties stay in percent of what the house plans, one value as likely as the other. */
static const int usual[] = {52, 62, 70, 77, 83, 89, 95, 102, 111, 126};
enum { USUAL = sizeof usual / sizeof usual[0] };

/* What a draw is for: each has numbers of its own, so that one party's leaving changes no other's luck. */
enum what { STAYS = 1, STAYS_SHIFT, CLEARS, COMES, LATE, LEAVES, PATIENCE, TEMPO };

/* Who sits where from when to when, in one play. */
struct sitting {
	int64_t from_s, until_s;
	int people;
	struct seats_mask tables;
};

struct play {
	const struct doorwait_house *h;
	uint64_t number;
	int tempo;     /* percent: the kitchen is slow tonight, or fast */
	int short_pct; /* of its time is enough for staff to seat a party before a reservation */
	struct sitting sittings[DOORWAIT_STAYS_MAX + DOORWAIT_PARTIES_MAX];
	size_t count;
	int64_t waits_s[DOORWAIT_PARTIES_MAX]; /* -1: not seated */
};

/* A number below n. */
static uint64_t draw(const struct play *p, int64_t id, enum what what, uint64_t n)
{
	return hash_word(hash_word(hash_word(HASH_START, p->number), (uint64_t)id), (uint64_t)what) % n;
}

/* ---- how long they stay ---- */

/* In percent of what is planned; `again` counts the tries of one party. */
static int draw_pct(const struct play *p, int64_t id, int again)
{
	const struct doorwait_house *h = p->h;
	int64_t of = id * 16 + again;
	uint64_t n = draw(p, of, STAYS, h->turn_count + USUAL_WEIGHT);
	int pct;

	if (n < h->turn_count) {
		pct = h->turns[n].stayed_min * 100 / h->turns[n].planned_min;
		pct += (int)draw(p, of, STAYS_SHIFT, 21) - 10;
	} else
		pct = usual[draw(p, of, STAYS_SHIFT, USUAL)];
	pct = pct * p->tempo / 100;
	return pct < 20 ? 20 : pct > 250 ? 250 : pct;
}

static int64_t draw_stay_s(const struct play *p, int64_t id, int64_t planned_s, int64_t sat_s)
{
	for (int again = 0; again < 16; again++) {
		int64_t s = planned_s * draw_pct(p, id, again) / 100;

		if (s > sat_s)
			return s;
	}
	return sat_s + 120 + (int64_t)draw(p, id, STAYS_SHIFT, OVERDUE_S);
}

static int64_t draw_clear_s(const struct play *p, int64_t id)
{
	return CLEAR_MIN_S + (int64_t)draw(p, id, CLEARS, CLEAR_MAX_S - CLEAR_MIN_S);
}

/* The more tables were left tonight, the less is there to guess about its tempo. */
static void draw_evening(struct play *p)
{
	int spread = TEMPO_SPREAD * 4 / (4 + (int)p->h->turn_count);

	p->tempo = 100 - spread + (int)draw(p, 0, TEMPO, (uint64_t)(2 * spread + 1));
	p->short_pct = 60 + (int)draw(p, 0, PATIENCE, 41);
}

static void add_stay(struct play *p, const struct doorwait_stay *v)
{
	int64_t now_s = p->h->now_s, planned_s = v->ends_s - v->starts_s;
	struct sitting *s = &p->sittings[p->count++];

	*s = (struct sitting){.from_s = v->starts_s, .people = v->party};
	seats_take(p->h->plan, v->tables, v->table_count, &s->tables);
	if (v->sits)
		s->until_s = v->starts_s + draw_stay_s(p, v->id, planned_s, now_s - v->starts_s);
	else if (draw(p, v->id, COMES, 100) < COMES_PCT)
		s->until_s = v->starts_s + (int64_t)draw(p, v->id, LATE, LATE_MAX_S) + draw_stay_s(p, v->id, planned_s, 0);
	else
		s->until_s = v->starts_s + LATE_MAX_S;
	if (s->until_s <= now_s)
		s->until_s = now_s + 60;
	s->until_s += draw_clear_s(p, v->id);
	if (!v->sits)
		s->from_s -= p->h->buffer_s;
}

/* ---- who is seated ---- */

/* The most people who are there at one moment of that time. */
static int most_people(const struct play *p, int64_t from_s, int64_t until_s)
{
	int most = 0;

	for (size_t i = 0; i <= p->count; i++) {
		int64_t at = i == p->count ? from_s : p->sittings[i].from_s;
		int people = 0;

		if (at < from_s || at >= until_s)
			continue;
		for (size_t k = 0; k < p->count; k++)
			if (p->sittings[k].from_s <= at && p->sittings[k].until_s > at)
				people += p->sittings[k].people;
		most = people > most ? people : most;
	}
	return most;
}

/* A table must be free for a good part of their time. */
static bool seat(struct play *p, const struct doorwait_party *w, int64_t at_s)
{
	const struct doorwait_house *h = p->h;
	int64_t planned_s = w->sitting_min * INT64_C(60), least_s = at_s + planned_s * p->short_pct / 100;
	int64_t ids[SEATS_JOIN_MAX];
	struct sitting *s = &p->sittings[p->count];
	struct seats_mask taken = {{0}};
	size_t n = 0;

	for (size_t i = 0; i < p->count; i++)
		if (p->sittings[i].from_s < least_s && p->sittings[i].until_s > at_s)
			seats_join(&taken, &p->sittings[i].tables);
	if (h->plan->table_count) {
		seats_join(&taken, &h->plan->closed[SEATS_WALK_IN]);
		n = seats_pick(h->plan, &taken, w->party, ids);
		if (!n)
			return false;
	}
	if (most_people(p, at_s, least_s) + w->party > h->seats)
		return false;
	*s = (struct sitting){.from_s = at_s, .people = w->party};
	s->until_s = at_s + draw_stay_s(p, -w->id, planned_s, 0) + draw_clear_s(p, -w->id);
	seats_take(h->plan, ids, n, &s->tables);
	p->count++;
	return true;
}

/* The next moment at which a place may have come free. */
static int64_t next_s(const struct play *p, int64_t after_s)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < p->count; i++)
		if (p->sittings[i].until_s > after_s && p->sittings[i].until_s < next)
			next = p->sittings[i].until_s;
	return next;
}

/* Some of those who wait have left when their turn comes. */
static bool gave_up(const struct play *p, const struct doorwait_party *w, int64_t at_s)
{
	return draw(p, -w->id, LEAVES, 100) < LEAVES_PCT && at_s > p->h->now_s + (int64_t)draw(p, -w->id, LATE, 3600);
}

/* Everybody who fits at that moment, in their order; how many are still waiting. */
static size_t seat_all(struct play *p, int64_t at_s)
{
	const struct doorwait_house *h = p->h;
	bool failed[SIZES] = {false}; /* tables only become fewer while others sit down */
	size_t waiting = 0;

	for (size_t i = 0; i < h->party_count; i++) {
		const struct doorwait_party *w = &h->parties[i];

		if (p->waits_s[i] >= 0)
			continue;
		if ((w->party >= SIZES || !failed[w->party]) && seat(p, w, at_s)) {
			p->waits_s[i] = at_s - h->now_s;
			if (gave_up(p, w, at_s)) /* they are told when their turn would be, and leave the place to the next */
				p->count--;
			continue;
		}
		if (w->party < SIZES)
			failed[w->party] = true;
		waiting++;
	}
	return waiting;
}

static void play(struct play *p, uint64_t number)
{
	const struct doorwait_house *h = p->h;
	int64_t at_s = h->now_s;

	p->number = number;
	p->count = 0;
	draw_evening(p);
	for (size_t i = 0; i < h->stay_count; i++)
		add_stay(p, &h->stays[i]);
	for (size_t i = 0; i < h->party_count; i++)
		p->waits_s[i] = -1;
	while (at_s <= h->last_s && seat_all(p, at_s))
		at_s = next_s(p, at_s);
}

/* ---- what they say together ---- */

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* waits: of all plays, INT64_MAX where they were not seated. */
static struct doorwait range_of(int64_t *waits, int plays)
{
	struct doorwait w = {.how = DOORWAIT_RANGE};
	int64_t low, high;

	qsort(waits, (size_t)plays, sizeof waits[0], compare);
	low = waits[plays * LOW_PCT / 100];
	high = waits[plays * HIGH_PCT / 100];
	if (high == INT64_MAX)
		w.how = DOORWAIT_OPEN;
	if (low == INT64_MAX)
		low = waits[0] == INT64_MAX ? 0 : waits[0];
	w.low = (int)(low / 60) / DOORWAIT_STEP * DOORWAIT_STEP;
	if (w.how == DOORWAIT_RANGE)
		w.high = ((int)((high + 59) / 60) + DOORWAIT_STEP - 1) / DOORWAIT_STEP * DOORWAIT_STEP;
	if (w.how == DOORWAIT_RANGE && w.high == w.low && high > 0)
		w.high += DOORWAIT_STEP;
	return w;
}

static bool could_fit(const struct doorwait_house *h, int party)
{
	int64_t ids[SEATS_JOIN_MAX];

	return party <= h->seats &&
	       (!h->plan->table_count || seats_pick(h->plan, &h->plan->closed[SEATS_WALK_IN], party, ids) > 0);
}

void doorwait_tell(const struct doorwait_house *h, struct doorwait *out)
{
	static struct play p; /* static for their size only */
	static int64_t waits[DOORWAIT_PARTIES_MAX][PLAYS];
	int plays;

	assert(h->party_count <= DOORWAIT_PARTIES_MAX && h->stay_count <= DOORWAIT_STAYS_MAX &&
	       h->turn_count <= DOORWAIT_TURNS_MAX);
	plays = h->stay_count * h->party_count > LARGE ? PLAYS_LARGE : PLAYS;
	p.h = h;
	for (int n = 0; n < plays; n++) {
		play(&p, (uint64_t)n);
		for (size_t i = 0; i < h->party_count; i++)
			waits[i][n] = p.waits_s[i] < 0 ? INT64_MAX : p.waits_s[i];
	}
	for (size_t i = 0; i < h->party_count; i++)
		out[i] = could_fit(h, h->parties[i].party) ? range_of(waits[i], plays) :
							     (struct doorwait){.how = DOORWAIT_NEVER};
}
