/*
 * import_reservations.c - the reservations of an import.
 *
 * They are read twice.  The first reading finds out what is there; then it is settled which of
 * several active ones of one guest and slot stays and how many seats each slot needs; the second
 * reading writes them, each at once in its final state.  So the book's own defences stand all the
 * time: no index and no trigger ever meets a row that it would refuse.
 */
#include "import_job.h"

#include "money.h"
#include "zone.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct columns {
	int id, code, slot, user, party, type, status, request, deposit, prepay, total, currency, policy, hold, visit,
	    created, updated;
};

/* A row as it stands in the file. */
struct row {
	int64_t from, user, party, deposit, prepay, total;
	int64_t slot; /* index + 1; 0: it has a problem of its own */
	enum life status;
	bool type_is_prepay, hold_is_past, total_fits;
	char code[164], request[204], currency[16], policy[MONEY_POLICY_SIZE], visit[12];
	char hold[CLOCK_ISO_SIZE], created[CLOCK_ISO_SIZE], updated[CLOCK_ISO_SIZE];
};

static bool open_reservations(struct import_job *j, struct columns *c)
{
	struct import_file *f = &j->files[IMPORT_RESERVATIONS];

	if (!import_open(j, IMPORT_RESERVATIONS))
		return false;
	*c = (struct columns){
	    .id = import_need(j, f, f->id_names),
	    .code = csv_column(&f->csv, "reservation_code"),
	    .slot = import_need(j, f, "slot_id"),
	    .user = import_need(j, f, "user_id"),
	    .party = import_need(j, f, "party_size"),
	    .type = csv_column(&f->csv, "reservation_type"),
	    .status = import_need(j, f, "status"),
	    .request = csv_column(&f->csv, "request_message"),
	    .deposit = csv_column(&f->csv, "deposit_amount"),
	    .prepay = csv_column(&f->csv, "prepay_amount"),
	    .total = csv_column(&f->csv, "total_amount"),
	    .currency = csv_column(&f->csv, "currency"),
	    .policy = csv_column(&f->csv, "refund_policy"),
	    .hold = csv_column(&f->csv, "hold_expires_at"),
	    .visit = csv_column(&f->csv, "visit_status"),
	    .created = csv_column(&f->csv, "created_at"),
	    .updated = csv_column(&f->csv, "updated_at"),
	};
	return true;
}

static bool read_status(struct import_job *j, struct import_file *f, int column, int64_t from, enum life *out)
{
	static const struct {
		const char *word;
		enum life means;
	} others[] = {
	    {"CANCELLED", LIFE_CANCELED},
	    {"CANCEL", LIFE_CANCELED},
	    {"PREPAID_CONFIRMED", LIFE_PREPAY_CONFIRM},
	    {"PREPAID_CONFIRM", LIFE_PREPAY_CONFIRM},
	    {"PREPAY_CONFIRMED", LIFE_PREPAY_CONFIRM},
	    {"CONFIRM", LIFE_CONFIRMED},
	    {"TEMP", LIFE_TEMPORARY},
	    {"REFUND_REQUESTED", LIFE_REFUND_PENDING},
	    {"REFUND_COMPLETED", LIFE_REFUNDED},
	    {"COMPLETE", LIFE_COMPLETED},
	    {"NOSHOW", LIFE_NO_SHOW},
	};
	const char *cell = csv_cell(&f->csv, column);
	char word[40];
	bool known;

	if (column < 0)
		return false;
	import_word(f, column, word);
	known = life_parse(word, out);
	for (size_t i = 0; !known && i < sizeof others / sizeof others[0]; i++)
		if (strcmp(word, others[i].word) == 0) {
			*out = others[i].means;
			known = true;
		}
	if (!known)
		import_problem(j, f, "%s \"%.40s\" is not a state that a reservation can have",
			       csv_name(&f->csv, column), cell);
	else if (strcmp(cell, life_word(*out)) != 0)
		import_repaired(j, REPAIR_STATUS, f, f->csv.line, "reservation %lld: %s is written %s here.",
				(long long)from, cell, life_word(*out));
	return known;
}

/* What was to be paid; the total is deposit + prepayment whatever the file says. */
static bool read_amounts(struct import_job *j, struct import_file *f, const struct columns *c, struct row *r)
{
	char word[40];

	if (!import_money(j, f, c->deposit, &r->deposit) || !import_money(j, f, c->prepay, &r->prepay) ||
	    !import_money(j, f, c->total, &r->total))
		return false;
	import_word(f, c->type, word);
	if (strcmp(word, "PREORDER_PREPAY") == 0 || strcmp(word, "PREPAY") == 0 || strcmp(word, "PREORDER") == 0)
		r->type_is_prepay = true;
	else if (!*word)
		r->type_is_prepay = r->prepay > 0;
	else if (strcmp(word, "RESERVATION_DEPOSIT") != 0 && strcmp(word, "DEPOSIT") != 0) {
		import_problem(j, f, "%s \"%.40s\" is neither RESERVATION_DEPOSIT nor PREORDER_PREPAY",
			       csv_name(&f->csv, c->type), word);
		return false;
	}
	r->total_fits = !*csv_cell(&f->csv, c->total) || r->total == r->deposit + r->prepay;
	/* Only the total is known: it is what was asked for, and not to be lost. */
	if (!r->total_fits && !*csv_cell(&f->csv, c->deposit) && !*csv_cell(&f->csv, c->prepay)) {
		*(r->type_is_prepay ? &r->prepay : &r->deposit) = r->total;
		r->total_fits = true;
	}
	return true;
}

/* A hold without an end had hold_seconds from its beginning; without either it is long past. */
static void settle_hold(struct import_job *j, const struct restaurant *place, struct row *r)
{
	int64_t created;

	if (!*r->hold && r->status == LIFE_TEMPORARY && *r->created && clock_parse_iso(r->created, &created))
		clock_iso(created + place->set.hold_seconds, r->hold);
	r->hold_is_past = strcmp(r->hold, j->now) <= 0;
	if (!*r->created)
		strcpy(r->created, *r->updated ? r->updated : j->now);
	if (!*r->updated)
		strcpy(r->updated, r->created);
}

static void read_visit(struct import_job *j, struct import_file *f, int column, char out[12])
{
	static const char *const known[] = {"PENDING", "ARRIVED", "SEATED", "LEFT"};
	char word[40];

	strcpy(out, "PENDING");
	import_word(f, column, word);
	if (!*word)
		return;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcmp(word, known[i]) == 0) {
			strcpy(out, known[i]);
			return;
		}
	import_repaired(j, REPAIR_CELL, f, f->csv.line, "%s \"%.40s\" is not known here and became PENDING.",
			csv_name(&f->csv, column), word);
}

static void read_texts(struct import_job *j, struct import_file *f, const struct columns *c,
		       const struct restaurant *place, struct row *r)
{
	const char *policy = csv_cell(&f->csv, c->policy);

	import_text(j, f, c->request, 50, r->request, sizeof r->request);
	import_word(f, c->currency, r->code);
	snprintf(r->currency, sizeof r->currency, "%.3s", strlen(r->code) == 3 ? r->code : place->currency);
	import_text(j, f, c->code, 40, r->code, sizeof r->code);
	read_visit(j, f, c->visit, r->visit);
	if (*policy && strlen(policy) < sizeof r->policy && !text_has_control(policy))
		strcpy(r->policy, policy);
	else
		money_freeze(&place->set, r->policy);
}

/* Everything of the present row; false when it has a problem, which is told. */
static bool read_row(struct import_job *j, struct import_file *f, const struct columns *c, struct row *r)
{
	const struct restaurant *place;
	bool ok;

	*r = (struct row){0};
	if (!import_id(j, f, c->id, &r->from))
		return false;
	ok = import_parent(j, f, c->slot, IMPORT_SLOTS, &r->slot);
	ok &= import_parent(j, f, c->user, IMPORT_USERS, &r->user);
	ok &= import_number(j, f, c->party, 1, 1000, &r->party);
	ok &= read_status(j, f, c->status, r->from, &r->status);
	ok &= read_amounts(j, f, c, r);
	if (!ok || !r->slot || !r->user || j->e != ERR_OK)
		return false;
	place = &j->restaurants[j->slots[r->slot - 1].restaurant];
	ok &= import_instant(j, f, c->hold, place->zone, r->hold);
	ok &= import_instant(j, f, c->created, place->zone, r->created);
	ok &= import_instant(j, f, c->updated, place->zone, r->updated);
	if (!ok)
		return false;
	settle_hold(j, place, r);
	read_texts(j, f, c, place, r);
	return true;
}

/* May this code stay?  The first that has it keeps it. */
static bool code_is_good(struct import_job *j, const struct import_file *f, const struct row *r)
{
	int64_t hash = import_hash(r->code), other;
	sqlite3_stmt *s;
	bool taken = false;

	if (!*r->code || strcasecmp(r->code, "PENDING") == 0 || import_map_get(&j->codes, hash, &other))
		return false;
	s = j->keep_ids ? NULL : import_use(j, IMPORT_BOOKING_CODE, "tt", r->code, r->created);
	while (import_step(j, s)) {
		taken = true;
		if (sqlite3_column_int64(s, 0))
			import_problem(j, f, "reservation %lld (%s) was imported before and is in the book",
				       (long long)r->from, r->code);
	}
	if (!taken)
		import_map_put(j, &j->codes, hash, 1);
	return !taken;
}

static struct import_booking *keep_booking(struct import_job *j, const struct import_booking *b)
{
	struct import_booking *wider = import_grow(j, j->bookings, j->booking_count, sizeof *wider);

	if (!wider)
		return NULL;
	j->bookings = wider;
	wider[j->booking_count] = *b;
	import_map_put(j, &j->ids[IMPORT_RESERVATIONS], b->from, (int64_t)++j->booking_count);
	return &wider[j->booking_count - 1];
}

/* Without reservations in the folder, its payments are for those of the book. */
static void take_reservations_of_book(struct import_job *j)
{
	sqlite3_stmt *s = import_use(j, IMPORT_BOOKING_ALL, "");

	while (import_step(j, s)) {
		struct import_booking b = {.from = sqlite3_column_int64(s, 0), .id = sqlite3_column_int64(s, 0)};

		life_parse((const char *)sqlite3_column_text(s, 1), &b.is);
		b.was = b.is;
		b.restaurant = import_restaurant_at(j, sqlite3_column_int64(s, 2));
		keep_booking(j, &b);
	}
}

void import_plan_reservations(struct import_job *j)
{
	struct import_file *f = &j->files[IMPORT_RESERVATIONS];
	struct columns c;
	struct row r;

	if (!open_reservations(j, &c)) {
		if (j->files[IMPORT_PAYMENTS].there || j->files[IMPORT_ITEMS].there)
			take_reservations_of_book(j);
		return;
	}
	while (import_next(j, f, "reading")) {
		bool ok = read_row(j, f, &c, &r);
		struct import_booking b = {.from = r.from, .line = f->csv.line};

		if (!r.from)
			continue;
		b.id = import_new_id(j, IMPORT_RESERVATIONS, r.from, IMPORT_BOOKING_THERE);
		if (ok) {
			b.user = r.user;
			b.slot = (size_t)r.slot - 1;
			b.restaurant = j->slots[b.slot].restaurant;
			b.party = (int)r.party;
			b.was = r.status;
			b.is = r.status == LIFE_TEMPORARY && r.hold_is_past ? LIFE_EXPIRED : r.status;
			b.amount = r.deposit + r.prepay > 0;
			b.code_is_good = code_is_good(j, f, &r);
		}
		if (b.id)
			keep_booking(j, &b);
	}
	import_close(j, f);
}

/*
 * Of several, the one with money behind it: a payment, a confirmed one with an amount; then whatever
 * something refers to; then the confirmed before a mere hold.  Among equals the oldest stays.
 */
static int worth(const struct import_booking *b)
{
	bool confirmed = b->is != LIFE_TEMPORARY;

	return b->paid ? 4 : confirmed && b->amount ? 3 : b->referred ? 2 : confirmed ? 1 : 0;
}

static const char *worth_word(const struct import_booking *b)
{
	static const char *const words[] = {"older", "confirmed", "referred to by other rows",
					    "confirmed with an amount", "paid"};

	return words[worth(b)];
}

static const struct import_job *sorting; /* qsort hands nothing on; jari's processes have one thread */

static int by_guest_and_slot(const void *x, const void *y)
{
	const struct import_booking *a = &sorting->bookings[*(const size_t *)x],
				    *b = &sorting->bookings[*(const size_t *)y];

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	if (worth(a) != worth(b))
		return worth(b) - worth(a);
	return a->from < b->from ? -1 : 1;
}

static void lose(struct import_job *j, struct import_booking *b, int64_t stays, const char *why)
{
	const struct import_slot *slot = &j->slots[b->slot];

	import_repaired(
	    j, REPAIR_DUPLICATE, &j->files[IMPORT_RESERVATIONS], b->line,
	    "reservation %lld (%s) is a second active one of the same guest at %s %s; %lld stays, which is %s,"
	    " and this one became CANCELED.",
	    (long long)b->from, life_word(b->is), slot->date, slot->time, (long long)stays, why);
	b->stays = stays;
	b->is = LIFE_CANCELED;
}

/* The active ones of one guest in one slot, the best first. */
static void settle_group(struct import_job *j, const size_t *group, size_t count)
{
	struct import_booking *best = &j->bookings[group[0]];
	int64_t in_book = 0;
	const char *why;

	/* Only a guest of the book can have one there. */
	if (!j->files[IMPORT_USERS].there)
		in_book = import_ask(j, IMPORT_BOOKING_ACTIVE, "ii", best->user, j->slots[best->slot].id);
	if (in_book)
		lose(j, best, in_book, "in the book already");
	for (size_t i = 1; i < count; i++) {
		struct import_booking *b = &j->bookings[group[i]];

		why = worth(best) == worth(b) ? "older" : worth_word(best);
		lose(j, b, in_book ? in_book : best->from, in_book ? "in the book already" : why);
	}
}

static void settle_duplicates(struct import_job *j)
{
	size_t *active = malloc((j->booking_count + 1) * sizeof *active), n = 0, end;

	if (!active) {
		j->e = ERR_NO_MEMORY;
		return;
	}
	for (size_t i = 0; i < j->booking_count; i++)
		if (j->bookings[i].line && life_active(j->bookings[i].is))
			active[n++] = i;
	sorting = j;
	qsort(active, n, sizeof *active, by_guest_and_slot);
	for (size_t i = 0; i < n; i = end) {
		const struct import_booking *b = &j->bookings[active[i]];

		for (end = i + 1; end < n; end++)
			if (j->bookings[active[end]].user != b->user || j->bookings[active[end]].slot != b->slot)
				break;
		settle_group(j, active + i, end - i);
	}
	free(active);
}

static void settle_seats(struct import_job *j)
{
	static const char why[] = "sold before the import";
	char was[24], is[24];

	for (size_t i = 0; i < j->booking_count; i++)
		if (j->bookings[i].line && life_active(j->bookings[i].is))
			j->slots[j->bookings[i].slot].sold += j->bookings[i].party;
	for (size_t i = 0; i < j->slot_count; i++) {
		struct import_slot *s = &j->slots[i];

		if (s->sold <= s->capacity)
			continue;
		import_repaired(
		    j, REPAIR_OVERFULL, &j->files[IMPORT_SLOTS], s->line,
		    "slot %lld (%s %s) has %lld people on %lld seats; it keeps them and has %lld seats now.",
		    (long long)s->id, s->date, s->time, (long long)s->sold, (long long)s->capacity, (long long)s->sold);
		snprintf(was, sizeof was, "%lld", (long long)s->capacity);
		snprintf(is, sizeof is, "%lld", (long long)s->sold);
		import_run(j, NULL, IMPORT_SLOT_RAISE, "iit", s->id, s->sold, j->now);
		import_audit(j, "slot", s->id, "max_capacity", was, is, why);
		s->capacity = s->sold;
	}
}

void import_settle(struct import_job *j)
{
	settle_duplicates(j);
	if (j->e == ERR_OK)
		settle_seats(j);
}

/* R20260120-0123: the day it was made, at the restaurant, and its number. */
static void make_code(struct import_job *j, const struct import_booking *b, const char *created, char out[44])
{
	struct date day = {1970, 1, 1};
	int64_t at = 0, other;
	int minute;

	clock_parse_iso(created, &at);
	zone_to_local(j->restaurants[b->restaurant].zone, at, &day, &minute);
	for (int again = 1;; again++) {
		int n = snprintf(out, 44, "R%04d%02d%02d-%04lld", day.year, day.month, day.day, (long long)b->id);

		if (again > 1)
			snprintf(out + n, 44 - (size_t)n, "-%d", again);
		if (!import_map_get(&j->codes, import_hash(out), &other) &&
		    !import_ask(j, IMPORT_BOOKING_BY_CODE, "t", out))
			break;
	}
	import_map_put(j, &j->codes, import_hash(out), 1);
}

static void settle_code(struct import_job *j, const struct import_file *f, const struct import_booking *b,
			struct row *r)
{
	char made[44];

	if (b->code_is_good)
		return;
	make_code(j, b, r->created, made);
	if (!*r->code)
		import_repaired(j, REPAIR_CODE, f, b->line, "reservation %lld had no code and has %s now.",
				(long long)b->from, made);
	else
		import_repaired(j, REPAIR_CODE, f, b->line, "reservation %lld had the code %s%s and has %s now.",
				(long long)b->from, r->code,
				strcasecmp(r->code, "PENDING") == 0 ? "" : ", which is taken,", made);
	strcpy(r->code, made);
}

/* The triggers have written that it was made; this says what it was before, and why it is not now. */
static void tell_why(struct import_job *j, const struct import_file *f, const struct import_booking *b,
		     const struct row *r)
{
	char why[200], was[24], is[24];

	if (b->stays) {
		snprintf(why, sizeof why, "import: an active duplicate of reservation %lld, same guest and slot",
			 (long long)b->stays);
		import_audit(j, "reservation", b->id, "status", life_word(b->was), life_word(b->is), why);
		import_run(j, f, IMPORT_CANCELLATION_ADD, "itit", b->id, why, b->money, j->now);
	} else if (b->was != b->is) {
		snprintf(why, sizeof why, "import: its hold ended %s%s", *r->hold ? "at " : "long ago", r->hold);
		import_repaired(j, REPAIR_EXPIRED, f, b->line,
				"reservation %lld was still held although its time ended %s%s.", (long long)b->from,
				*r->hold ? "at " : "long ago", r->hold);
		import_audit(j, "reservation", b->id, "status", life_word(b->was), life_word(b->is), why);
	}
	if (!r->total_fits) {
		snprintf(was, sizeof was, "%lld", (long long)r->total);
		snprintf(is, sizeof is, "%lld", (long long)(r->deposit + r->prepay));
		import_repaired(j, REPAIR_TOTAL, f, b->line,
				"reservation %lld: a total of %s with a deposit of %lld and a prepayment of"
				" %lld became %s.",
				(long long)b->from, was, (long long)r->deposit, (long long)r->prepay, is);
		import_audit(j, "reservation", b->id, "total_amount", was, is, "import: deposit + prepayment");
	}
}

static void add_reservation(struct import_job *j, struct import_file *f, const struct import_booking *b, struct row *r)
{
	settle_code(j, f, b, r);
	import_run(j, f, IMPORT_BOOKING_ADD, "itiiitttiitttttt", b->id, r->code, j->slots[b->slot].id, b->user,
		   (int64_t)b->party, r->type_is_prepay ? "PREORDER_PREPAY" : "RESERVATION_DEPOSIT", life_word(b->is),
		   import_or_null(r->request), r->deposit, r->prepay, r->currency, r->policy, import_or_null(r->hold),
		   r->visit, r->created, r->updated);
	tell_why(j, f, b, r);
	f->added++;
}

void import_add_reservations(struct import_job *j)
{
	struct import_file *f = &j->files[IMPORT_RESERVATIONS];
	struct columns c;
	struct row r;
	size_t i = 0;

	if (!open_reservations(j, &c))
		return;
	while (import_next(j, f, "writing")) {
		if (!read_row(j, f, &c, &r) || i == j->booking_count || j->bookings[i].from != r.from) {
			import_problem(j, f, "the file has changed while it was read");
			break;
		}
		add_reservation(j, f, &j->bookings[i++], &r);
	}
	import_close(j, f);
}
