/*
 * rehearse.c - `jari rehearse`: the dress rehearsal of opening night, on a copy of the book.
 *
 * HOW THE ORDER IS PROVED.  Only our guests draw tickets on the stage, all of them ask for the
 * same slot with the same party, and no seat comes free meanwhile (rehearsal_stage).  So if `first` is the next ticket
 * before the rush, the reservations made must carry exactly first, first + 1 ... up to the last one that fits: a gap
 * would be a guest passed over.  And no guest who was refused may hold a ticket below that; the tickets of those who
 * were shown their place can be read with the copy's key.
 */
#include "cli.h"

#include "auth.h"
#include "check.h"
#include "clock.h"
#include "log.h"
#include "openings.h"
#include "premiere.h"
#include "rehearsal.h"
#include "review.h"
#include "crowd.h"
#include "slots.h"
#include "stop.h"
#include "stage.h"
#include "zone.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	GUESTS = 800, /* when the owner does not say */
	PARTY = 4,
	HOLD_S = 3600,     /* nothing runs out during the play */
	WIRES = 1000,      /* what a small nginx can hold open; in a larger crowd the last ones wait, and that counts too */
	QUIET_MS = 60000,  /* no guest has heard anything for this long: none will */
	OPENING_DAYS = 62, /* of an opening that are looked through for a time */
	LATER_S = 3600,    /* on the copy the opening is put off until the doors stand open */
	LIMIT_MS = 600000, /* a restaurant that lets in a few guests a second needs long for thousands */
	TELL_MS = 100,
};

static struct {
	struct stage stage;
	struct door door; /* of the stage */
	struct review_scene scene;
	struct review_play play;
	struct crowd_guest *guests;
	struct invited {
		int64_t user_id;
		char token[TOKEN_TEXT_SIZE];
	} * invited;          /* who each guest is */
	size_t made;          /* guests so far */
	uint64_t first, next; /* tickets: the first to be drawn, the one after the last that was */
	uint64_t last_booked; /* 0: none */
	struct openings_row opening;
	struct premiere premiere;
	struct review_opening told;
} r;

/* The slot the owner named; it must be one that guests can ask for. */
static int take_slot(const char *text, int64_t now_s)
{
	const struct restaurant *house = &r.scene.restaurant;
	struct hours_day hours;
	struct date date;
	int64_t starts;
	int minute;
	char copy[32];
	enum err e, open;

	snprintf(copy, sizeof copy, "%s", text);
	copy[10] = '\0';
	if (strlen(text) < 16 || strlen(text) >= sizeof copy || (text[10] != ' ' && text[10] != 'T') ||
	    !text_date(copy, &date) || !text_time(copy + 11, &minute))
		return cli_fail(ERR_OK, "--slot takes a date and a time like \"2026-01-20 18:00\"");
	e = restaurants_day(&r.door.db, house->id, date, &hours);
	if (e == ERR_OK)
		e = openings_look(&r.door.db, house, date, now_s, &open, &starts);
	if (e == ERR_OK)
		e = open;
	if (e == ERR_OK)
		e = hours_check(&house->set, &hours, house->zone, date, minute, now_s, &starts);
	if (e != ERR_OK)
		return cli_fail(e, "%s", text);
	text_put_date(date, r.scene.date);
	text_put_time(minute, r.scene.time);
	return CLI_OK;
}

/* From tomorrow on, the first of those with the most free seats. */
static int choose_slot(int64_t now_s)
{
	static struct slots_day day;
	const struct restaurant *house = &r.scene.restaurant;
	struct date today;
	int minute, most = 0;

	if (!zone_to_local(house->zone, now_s, &today, &minute))
		return cli_fail(ERR_INTERNAL, "%s", house->zone);
	for (int i = 1; i <= house->set.window_days; i++) {
		struct date date = text_from_days(text_days(today) + i);

		if (slots_of_day(&r.door.db, house, date, r.scene.party, now_s, &day) != ERR_OK)
			return cli_fail(ERR_INTERNAL, "%s", house->name);
		for (size_t k = 0; k < day.count; k++)
			if (day.slots[k].available && day.slots[k].remaining > most) {
				most = day.slots[k].remaining;
				text_put_date(date, r.scene.date);
				text_put_time(day.slots[k].minute, r.scene.time);
			}
	}
	r.scene.chosen = true;
	return most ? CLI_OK : cli_fail(ERR_OK, "from tomorrow on no time has room for a party of %d", r.scene.party);
}

/* The next opening of the book, and of its first weeks the time with the most free seats. */
static int choose_opening(int64_t now_s)
{
	static struct slots_day day;
	struct review_scene *s = &r.scene;
	struct date date, opens;
	char moment[TEXT_DATE_SIZE], clock[TEXT_TIME_SIZE];
	int minute = 0, most = s->party - 1;
	enum err e = openings_next(&r.door.db, &s->restaurant, now_s, &r.opening);

	if (e == ERR_OK && !r.opening.opens_s)
		return cli_fail(ERR_OK, "no opening is planned; the owner adds one at the desk, under Settings, Openings");
	for (int64_t d = text_days(r.opening.first), n = 0; e == ERR_OK && d <= text_days(r.opening.last) && n < OPENING_DAYS;
	     d++, n++) {
		date = text_from_days(d);
		e = slots_of_day(&r.door.db, &s->restaurant, date, s->party, now_s, &day);
		for (size_t k = 0; e == ERR_OK && k < day.count; k++)
			if (day.open != ERR_TOO_FAR && day.slots[k].remaining > most) {
				most = day.slots[k].remaining;
				text_put_date(date, s->date);
				text_put_time(day.slots[k].minute, s->time);
			}
	}
	if (e != ERR_OK)
		return cli_fail(e, "%s", s->restaurant.name);
	if (!s->date[0])
		return cli_fail(ERR_OK, "no time of the opening has room for a party of %d", s->party);
	text_put_date(r.opening.first, s->opens_first);
	text_put_date(r.opening.last, s->opens_last);
	zone_to_local(s->restaurant.zone, r.opening.opens_s, &opens, &minute);
	text_put_date(opens, moment);
	text_put_time(minute, clock);
	snprintf(s->opens_at, sizeof s->opens_at, "%s %s", moment, clock);
	r.opening.opens_s = now_s + LATER_S;
	e = rehearsal_open(&r.door.db, s->restaurant.id, &r.opening);
	return e == ERR_OK ? CLI_OK : cli_fail(e, "the opening on the copy");
}

/* How the slot stands in the copy; *fits: another party would find room. */
static enum err count_seats(int *capacity, int *remaining, bool *fits)
{
	static struct slots_day day;
	const struct slot_view *v;
	struct date date;
	int minute;
	enum err e;

	text_date(r.scene.date, &date);
	text_time(r.scene.time, &minute);
	e = slots_of_day(&r.door.db, &r.scene.restaurant, date, r.scene.party, clock_now_s(), &day);
	v = e == ERR_OK ? slots_at(&day, minute) : NULL;
	if (!v)
		return e == ERR_OK ? ERR_NO_SUCH_TIME : e;
	*capacity = v->capacity;
	*remaining = v->remaining;
	*fits = v->available;
	return ERR_OK;
}

/* Restaurant, party and slot; and the copy becomes a stage. */
static int set_scene(const struct cli_options *o)
{
	struct review_scene *s = &r.scene;
	struct db *db = &r.door.db;
	int64_t now_s = clock_now_s(), id = o->restaurant;
	bool fits;
	int status;
	enum err e = id ? ERR_OK : restaurants_first(db, &id);

	if (e == ERR_OK)
		e = restaurants_get(db, id, &s->restaurant);
	s->paused = s->restaurant.paused_until_s > now_s;
	if (e == ERR_OK)
		e = rehearsal_stage(db, id, now_s, HOLD_S);
	if (e == ERR_OK)
		e = restaurants_get(db, id, &s->restaurant);
	if (e != ERR_OK)
		return cli_fail(e, "restaurant %lld", (long long)id);
	s->party = o->party ? o->party : PARTY;
	if (!o->party && s->party > s->restaurant.set.party_max)
		s->party = s->restaurant.set.party_max;
	if (!o->party && s->party < s->restaurant.set.party_min)
		s->party = s->restaurant.set.party_min;
	if (s->party < s->restaurant.set.party_min || s->party > s->restaurant.set.party_max)
		return cli_fail(ERR_OK, "%s takes parties of %d to %d", s->restaurant.name, s->restaurant.set.party_min,
				s->restaurant.set.party_max);
	status = o->opening ? choose_opening(now_s) : o->slot ? take_slot(o->slot, now_s) : choose_slot(now_s);
	if (status != CLI_OK)
		return status;
	e = count_seats(&s->capacity, &s->remaining, &fits);
	return e == ERR_OK ? CLI_OK : cli_fail(e, "%s %s", s->date, s->time);
}

static void take_guest(void *arg, int64_t id, uint32_t version)
{
	struct user u = {.id = id, .type = USER_ACCOUNT, .token_version = version};
	struct invited *who = &r.invited[r.made];
	int64_t seconds, login = 0;

	(void)arg;
	who->user_id = id;
	auth_sign_login(&r.door, &u, clock_now_s(), who->token, &seconds, &login);
	r.guests[r.made++] = (struct crowd_guest){.token = who->token, .key = "rehearsal"};
}

static int invite_guests(void)
{
	enum err e = ERR_NO_MEMORY;

	r.guests = calloc(r.scene.guests, sizeof *r.guests);
	r.invited = calloc(r.scene.guests, sizeof *r.invited);
	r.play.waits_us = calloc(r.scene.guests, sizeof *r.play.waits_us);
	if (r.guests && r.invited && r.play.waits_us)
		e = rehearsal_make_users(&r.door.db, (int)r.scene.guests, NULL, clock_now_s(), take_guest, NULL);
	return e == ERR_OK ? CLI_OK : cli_fail(e, "the guests of the rehearsal");
}

static void ignore_finding(void *arg, const char *rule, const char *finding)
{
	(void)arg;
	(void)rule;
	(void)finding;
}

static enum err check_copy(struct check_report *out)
{
	char path[4096];

	db_path(r.stage.dir, path);
	return check_book(path, ignore_finding, NULL, out);
}

static void close_book(void)
{
	if (r.door.book_open)
		db_close(&r.door.db);
	r.door.book_open = false;
}

/* Everything up to the opening: the copy, the scene, the guests. */
static int prepare(const struct cli_options *o)
{
	struct check_report report;
	int status;
	enum err e = stage_make(&r.stage, o->dir);

	if (e == ERR_OK)
		e = check_copy(&report);
	if (e != ERR_OK)
		return cli_fail(e, "no copy could be made of the book in %s", o->dir);
	if (report.findings)
		return cli_fail(ERR_OK, "the book has %d findings already; `jari check` lists them", report.findings);
	e = door_open(&r.door, r.stage.dir);
	if (e == ERR_OK)
		e = door_open_book(&r.door);
	if (e != ERR_OK)
		return cli_fail(e, "the copy of %s", o->dir);
	r.scene.in_memory = r.stage.in_memory;
	status = set_scene(o);
	if (status == CLI_OK)
		status = invite_guests();
	close_book(); /* while the doors are open the book is the appliance's alone */
	return status;
}

static void tell(void *arg, int64_t ms, size_t answered)
{
	static int64_t told_ms = -TELL_MS;
	size_t all = r.premiere.crowd ? premiere_size(&r.premiere) : r.scene.guests;

	(void)arg;
	if (ms - told_ms < TELL_MS && answered < all)
		return;
	told_ms = ms;
	review_progress(answered, all);
}

/* The doors stand open: the moment is set, and everybody knows when to press.  False: it could not be. */
static bool begin_opening(void)
{
	static char slots[160];
	const struct review_scene *s = &r.scene;
	enum err e = door_open_book(&r.door);

	snprintf(slots, sizeof slots, "/api/reservations/slots?restaurantId=%lld&slotDate=%s&partySize=%d",
		 (long long)s->restaurant.id, s->date, s->party);
	if (e != ERR_OK || !premiere_make(&r.premiere, r.guests, s->guests, slots))
		return false;
	r.opening.opens_s = clock_now_s() + PREMIERE_LEAD_MS / 1000;
	e = rehearsal_open(&r.door.db, s->restaurant.id, &r.opening);
	close_book();
	premiere_time(&r.premiere, r.opening.opens_s * 1000 - clock_now_ms());
	return e == ERR_OK;
}

/* Runs the rush; when it returns, every guest has an answer or will not get one. */
static int play(const struct cli_options *o)
{
	bool all;
	enum err e;

	if (!stage_start(&r.stage, o, &stop_asked))
		return CLI_FAILED;
	for (size_t i = 0; i < r.scene.guests; i++)
		snprintf(r.guests[i].body, sizeof r.guests[i].body,
			 "{\"restaurantId\":%lld,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,"
			 "\"reservationType\":\"RESERVATION_DEPOSIT\"}",
			 (long long)r.scene.restaurant.id, r.scene.date, r.scene.time, r.scene.party);
	if (o->opening && !begin_opening())
		return cli_fail(ERR_NO_MEMORY, "the opening on the copy");
	r.first = line_tail(r.door.hall.line);
	e = crowd_run(&(struct crowd){.port = r.stage.port,
				      .at_once = WIRES,
				      .keep = true,
				      .follow = true,
				      .come_again = true,
				      .poll_min_ms = 500,
				      .poll_max_ms = 1000,
				      .limit_ms = LIMIT_MS,
				      .quiet_ms = QUIET_MS,
				      .stop = &stop_asked,
				      .tick = tell},
		      o->opening ? r.premiere.crowd : r.guests, o->opening ? premiere_size(&r.premiere) : r.scene.guests, &all);
	r.next = line_tail(r.door.hall.line);
	if (o->opening) {
		premiere_judge(&r.premiere, r.guests, &r.told);
		r.play.opening = &r.told;
	}
	stage_stop(&r.stage);
	return e == ERR_OK ? CLI_OK : cli_fail(e, "the rush could not begin");
}

/* One row that the rush wrote, in ticket order: is it the next ticket, and does it match what its guest was told? */
static void take_ticket(void *arg, const struct rehearsal_ticket *t)
{
	struct review_play *p = arg;

	if ((uint64_t)t->ticket != r.first + p->written)
		p->in_order = false;
	r.last_booked = (uint64_t)t->ticket;
	p->written++;
	p->taken += t->party;
	for (size_t i = 0; i < r.scene.guests; i++)
		if (r.invited[i].user_id == t->user_id) {
			if (r.guests[i].status != 201 || r.guests[i].reservation != t->reservation_id ||
			    t->party != r.scene.party)
				p->missing++;
			return;
		}
	p->missing++;
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* What the guests were told. */
static void count_guests(struct review_play *p)
{
	for (size_t i = 0; i < r.scene.guests; i++) {
		const struct crowd_guest *g = &r.guests[i];
		bool over = g->step == CROWD_OVER, in = over && g->status == 201;
		bool full = over && g->status == 409 && strcmp(g->code, err_word(ERR_SLOT_FULL)) == 0;
		struct token ticket;

		p->in += in;
		p->full += full;
		p->refused += over && !in && !full;
		p->unanswered += !over;
		p->shown += g->ticket[0] != '\0';
		p->knocked += g->knocks > 0;
		if (over && !in && !full)
			p->refusal = g->code;
		if (over)
			p->waits_us[p->wait_count++] = g->over_us - g->at_ms * 1000;
		if (full && g->ticket[0] && token_check(r.door.key, TOKEN_TICKET, g->ticket, clock_now_s(), &ticket) &&
		    (uint64_t)ticket.id < r.last_booked)
			p->in_order = false;
	}
	qsort(p->waits_us, p->wait_count, sizeof *p->waits_us, by_size);
}

/* What the book says, once everything stands still. */
static int read_book(struct review_play *p)
{
	struct check_report report = {0};
	int remaining = 0;
	bool fits = false;
	enum err e = check_copy(&report);

	if (e == ERR_OK)
		e = db_open(&r.door.db, r.stage.dir, NULL);
	if (e != ERR_OK)
		return cli_fail(e, "the copy of the book");
	r.door.book_open = true;
	p->in_order = true;
	p->taken = r.scene.capacity - r.scene.remaining; /* before; the rush adds its own */
	e = rehearsal_tickets(&r.door.db, r.scene.restaurant.id, r.scene.date, r.scene.time, r.first, take_ticket, p);
	if (e == ERR_OK)
		e = count_seats(&p->capacity, &remaining, &fits);
	close_book();
	if (e != ERR_OK)
		return cli_fail(e, "the copy of the book");
	p->findings = report.findings;
	p->drawn = r.next - r.first;
	count_guests(p);
	p->seats_left = fits && p->full > 0;
	return CLI_OK;
}

static int rehearse(const struct cli_options *o)
{
	int status = prepare(o);

	if (status == CLI_OK && !stop_asked) {
		review_open(&r.scene);
		status = play(o);
	}
	if (status == CLI_OK && !stop_asked)
		status = read_book(&r.play);
	if (status == CLI_OK && !stop_asked)
		status = review_close(&r.play) ? CLI_OK : CLI_FAILED;
	return status;
}

int cli_rehearse(const struct cli_options *o)
{
	char book[4096];
	int status;

	db_path(o->dir, book);
	if (access(book, F_OK) != 0)
		return cli_fail(ERR_OK, "%s: %s; `jari init` makes a book", book, strerror(errno));
	log_level_set(LOG_ERROR);
	r.scene.guests = o->guests ? (size_t)o->guests : GUESTS;
	stop_on_any(); /* whatever ends us, we clear the stage first */
	status = rehearse(o);
	if (r.door.hall.shm.base)
		door_close(&r.door);
	stage_clear(&r.stage);
	free(r.guests);
	free(r.invited);
	free(r.play.waits_us);
	premiere_free(&r.premiere);
	if (!stop_asked)
		return status;
	review_stopped();
	return CLI_FAILED;
}
