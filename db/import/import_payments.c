/*
 * import_payments.c - payments and ordered dishes of an import.
 *
 * Read twice like the reservations: first to know which of those are paid or referred to, then into
 * the book.
 */
#include "import_job.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum pay { PAY_READY, PAY_PAID, PAY_FAILED, PAY_REFUND_DUE, PAY_REFUNDED, PAY_CANCELED };
static const char *const pay_words[] = {"READY", "PAID", "FAILED", "REFUND_DUE", "REFUNDED"};

struct columns {
	int id, reservation, provider, provider_id, amount, currency, status, kept, refunded, due, paid, refunded_at,
	    note, created;
};

struct row {
	int64_t from, booking; /* index + 1 */
	int64_t amount, kept, refunded, due;
	enum pay status;
	bool fits; /* the amounts of the file added up */
	char provider[40], provider_id[324], currency[16], note[804];
	char paid[CLOCK_ISO_SIZE], refunded_at[CLOCK_ISO_SIZE], created[CLOCK_ISO_SIZE];
};

static bool open_payments(struct import_job *j, struct columns *c)
{
	struct import_file *f = &j->files[IMPORT_PAYMENTS];

	if (!import_open(j, IMPORT_PAYMENTS))
		return false;
	*c = (struct columns){
	    .id = import_need(j, f, f->id_names),
	    .reservation = import_need(j, f, "reservation_id"),
	    .provider = csv_column(&f->csv, "provider|pg_provider|payment_provider"),
	    .provider_id = csv_column(&f->csv, "provider_payment_id|imp_uid|payment_key|pg_tid"),
	    .amount = import_need(j, f, "amount|paid_amount"),
	    .currency = csv_column(&f->csv, "currency"),
	    .status = import_need(j, f, "status|payment_status"),
	    .kept = csv_column(&f->csv, "kept_amount"),
	    .refunded =
		csv_column(&f->csv, "refunded_amount|refund_amount|cancel_amount|canceled_amount|cancelled_amount"),
	    .due = csv_column(&f->csv, "due_back_amount"),
	    .paid = csv_column(&f->csv, "paid_at|approved_at"),
	    .refunded_at = csv_column(&f->csv, "refunded_at|canceled_at|cancelled_at"),
	    .note = csv_column(&f->csv, "note"),
	    .created = csv_column(&f->csv, "created_at|requested_at"),
	};
	return true;
}

static bool read_status(struct import_job *j, struct import_file *f, int column, int64_t from, enum pay *out)
{
	static const struct {
		const char *word;
		enum pay means;
	} known[] = {
	    {"READY", PAY_READY},
	    {"PENDING", PAY_READY},
	    {"WAITING", PAY_READY},
	    {"REQUESTED", PAY_READY},
	    {"IN_PROGRESS", PAY_READY},
	    {"PAID", PAY_PAID},
	    {"DONE", PAY_PAID},
	    {"COMPLETED", PAY_PAID},
	    {"COMPLETE", PAY_PAID},
	    {"SUCCESS", PAY_PAID},
	    {"APPROVED", PAY_PAID},
	    {"CONFIRMED", PAY_PAID},
	    {"FAILED", PAY_FAILED},
	    {"FAIL", PAY_FAILED},
	    {"ABORTED", PAY_FAILED},
	    {"EXPIRED", PAY_FAILED},
	    {"REFUND_DUE", PAY_REFUND_DUE},
	    {"REFUND_PENDING", PAY_REFUND_DUE},
	    {"REFUND_REQUESTED", PAY_REFUND_DUE},
	    {"REFUNDED", PAY_REFUNDED},
	    {"REFUND_COMPLETED", PAY_REFUNDED},
	    {"PARTIAL_REFUNDED", PAY_REFUNDED},
	    {"PARTIALLY_REFUNDED", PAY_REFUNDED},
	    {"PARTIAL_CANCELED", PAY_REFUNDED},
	    {"PARTIAL_CANCELLED", PAY_REFUNDED},
	    {"CANCELED", PAY_CANCELED},
	    {"CANCELLED", PAY_CANCELED},
	};
	char word[40];

	if (column < 0)
		return false;
	import_word(f, column, word);
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcmp(word, known[i].word) == 0) {
			*out = known[i].means;
			if (*out == PAY_CANCELED || strcmp(csv_cell(&f->csv, column), pay_words[*out]) != 0)
				import_repaired(
				    j, REPAIR_STATUS, f, f->csv.line, "payment %lld: %.40s is written %s here.",
				    (long long)from, csv_cell(&f->csv, column),
				    *out == PAY_CANCELED ? "REFUNDED when it was paid, else FAILED" : pay_words[*out]);
			return true;
		}
	import_problem(j, f, "%s \"%.40s\" is not a state that a payment can have", csv_name(&f->csv, column),
		       csv_cell(&f->csv, column));
	return false;
}

/* A sum of the file that lies within the payment. */
static int64_t part(int64_t given, int64_t amount)
{
	return given < amount ? given : amount;
}

/* Every won kept, given back or due back, as the status says. */
static void settle_amounts(struct row *r)
{
	int64_t kept = r->kept, refunded = r->refunded, due = r->due;

	if (r->status == PAY_CANCELED) /* canceled after it was paid, or never paid */
		r->status = *r->paid || refunded ? PAY_REFUNDED : PAY_FAILED;
	r->kept = r->refunded = r->due = 0;
	switch (r->status) {
	case PAY_PAID:
		r->refunded = part(refunded, r->amount);
		r->kept = r->amount - r->refunded;
		break;
	case PAY_REFUNDED:
		r->refunded = refunded ? part(refunded, r->amount) : r->amount - part(kept, r->amount);
		r->kept = r->amount - r->refunded;
		break;
	case PAY_REFUND_DUE:
		r->refunded = part(refunded, r->amount);
		r->due = part(due ? due : r->amount - r->refunded - part(kept, r->amount - r->refunded),
			      r->amount - r->refunded);
		r->kept = r->amount - r->refunded - r->due;
		if (r->due == 0)
			r->status = r->refunded ? PAY_REFUNDED : PAY_PAID;
		break;
	case PAY_READY:
	case PAY_FAILED:
	case PAY_CANCELED:
		break;
	}
	/* Columns that are not there, or empty, have nothing to contradict. */
	r->fits = (!kept || kept == r->kept) && (!refunded || refunded == r->refunded) && (!due || due == r->due);
}

static bool read_times(struct import_job *j, struct import_file *f, const struct columns *c, const char *zone,
		       struct row *r)
{
	return import_instant(j, f, c->paid, zone, r->paid) &&
	       import_instant(j, f, c->refunded_at, zone, r->refunded_at) &&
	       import_instant(j, f, c->created, zone, r->created);
}

static bool read_row(struct import_job *j, struct import_file *f, const struct columns *c, struct row *r)
{
	const struct restaurant *place;
	bool ok;

	*r = (struct row){0};
	if (!import_id(j, f, c->id, &r->from))
		return false;
	ok = import_parent(j, f, c->reservation, IMPORT_RESERVATIONS, &r->booking);
	ok &= read_status(j, f, c->status, r->from, &r->status);
	ok &= import_money(j, f, c->amount, &r->amount) && import_money(j, f, c->kept, &r->kept) &&
	      import_money(j, f, c->refunded, &r->refunded) && import_money(j, f, c->due, &r->due);
	if (!ok || j->problem_count || j->e != ERR_OK)
		return false;
	place = &j->restaurants[j->bookings[r->booking - 1].restaurant];
	if (!read_times(j, f, c, place->zone, r))
		return false;
	import_word(f, c->currency, r->provider);
	snprintf(r->currency, sizeof r->currency, "%.3s", strlen(r->provider) == 3 ? r->provider : place->currency);
	import_word(f, c->provider, r->provider);
	import_text(j, f, c->provider_id, 80, r->provider_id, sizeof r->provider_id);
	import_text(j, f, c->note, 200, r->note, sizeof r->note);
	settle_amounts(r);
	return true;
}

void import_plan_payments(struct import_job *j)
{
	struct import_file *f = &j->files[IMPORT_PAYMENTS];
	struct columns c;
	struct row r;

	if (!open_payments(j, &c))
		return;
	while (import_next(j, f, "reading")) {
		bool ok = read_row(j, f, &c, &r);

		if (r.from)
			import_map_put(j, &j->ids[IMPORT_PAYMENTS], r.from,
				       import_new_id(j, IMPORT_PAYMENTS, r.from, IMPORT_PAYMENT_THERE));
		if (ok) {
			struct import_booking *b = &j->bookings[r.booking - 1];

			b->referred = true;
			b->paid |= r.status == PAY_PAID || r.status == PAY_REFUND_DUE;
			b->money += r.kept;
		}
	}
	import_close(j, f);
}

/* desk and portone are what the book knows; whoever else took the money goes into the note. */
static void settle_provider(struct import_job *j, const struct import_file *f, struct row *r)
{
	char given[364];

	if (strcmp(r->provider, "PORTONE") == 0 || strcmp(r->provider, "IAMPORT") == 0)
		strcpy(r->provider, "portone");
	else {
		if (*r->provider && strcmp(r->provider, "DESK") != 0) {
			snprintf(given, sizeof given, "%s %s", r->provider, r->provider_id);
			if (!*r->note)
				snprintf(r->note, sizeof r->note, "%s", text_trim(given));
			import_repaired(j, REPAIR_MONEY, f, f->csv.line,
					"payment %lld was taken by %s, which is not known here; it is noted and counts "
					"as taken at the desk.",
					(long long)r->from, r->provider);
		}
		strcpy(r->provider, "desk");
	}
	if (*r->provider_id && import_ask(j, IMPORT_PAYMENT_ONCE, "tt", r->provider, r->provider_id)) {
		import_repaired(j, REPAIR_MONEY, f, f->csv.line,
				"payment %lld has the provider's number of another payment, and was left without one.",
				(long long)r->from);
		if (!*r->note)
			snprintf(r->note, sizeof r->note, "provider's number was there twice: %.120s", r->provider_id);
		r->provider_id[0] = '\0';
	}
}

/* Money of a reservation that is not honoured goes back. */
static void settle_debt(struct import_job *j, const struct import_file *f, const struct import_booking *b,
			struct row *r)
{
	if (!r->kept || !(b->stays || b->is == LIFE_EXPIRED))
		return;
	r->due += r->kept;
	r->kept = 0;
	r->status = PAY_REFUND_DUE;
	import_repaired(j, REPAIR_MONEY, f, f->csv.line,
			"payment %lld: %lld %s are due back, because reservation %lld %s.", (long long)r->from,
			(long long)r->due, r->currency, (long long)b->from,
			b->stays ? "was a duplicate" : "had expired");
}

static void settle_dates(struct import_job *j, const struct import_file *f, struct row *r)
{
	bool money = r->status != PAY_READY && r->status != PAY_FAILED;

	if (!*r->created)
		strcpy(r->created, *r->paid ? r->paid : j->now);
	if (money && !*r->paid) {
		strcpy(r->paid, r->created);
		import_repaired(j, REPAIR_MONEY, f, f->csv.line, "payment %lld says not when it was paid; %s is taken.",
				(long long)r->from, r->paid);
	}
	if (money) {
		j->money_in += r->amount;
		j->money_kept += r->kept;
		j->money_back += r->refunded;
		j->money_due += r->due;
	}
}

static void add_payment(struct import_job *j, struct import_file *f, struct row *r)
{
	const struct import_booking *b = &j->bookings[r->booking - 1];
	int64_t id = 0;

	import_map_get(&j->ids[IMPORT_PAYMENTS], r->from, &id);
	if (!r->fits)
		import_repaired(
		    j, REPAIR_MONEY, f, f->csv.line,
		    "payment %lld of %lld: kept, refunded and due back did not fit and became %lld, %lld and %lld.",
		    (long long)r->from, (long long)r->amount, (long long)r->kept, (long long)r->refunded,
		    (long long)r->due);
	settle_provider(j, f, r);
	settle_debt(j, f, b, r);
	settle_dates(j, f, r);
	import_run(j, f, IMPORT_PAYMENT_ADD, "iittittiiitttt", id, b->id, r->provider, import_or_null(r->provider_id),
		   r->amount, r->currency, pay_words[r->status], r->kept, r->refunded, r->due, import_or_null(r->paid),
		   import_or_null(r->refunded_at), import_or_null(r->note), r->created);
	f->added++;
}

void import_add_payments(struct import_job *j)
{
	struct import_file *f = &j->files[IMPORT_PAYMENTS];
	struct columns c;
	struct row r;

	if (!open_payments(j, &c))
		return;
	while (import_next(j, f, "writing"))
		if (read_row(j, f, &c, &r))
			add_payment(j, f, &r);
	import_close(j, f);
}

struct item_columns {
	int reservation, menu, name, price, quantity, amount;
};

static bool open_items(struct import_job *j, struct item_columns *c)
{
	struct import_file *f = &j->files[IMPORT_ITEMS];

	if (!import_open(j, IMPORT_ITEMS))
		return false;
	*c = (struct item_columns){
	    .reservation = import_need(j, f, "reservation_id"),
	    .menu = import_need(j, f, "menu_id"),
	    .name = csv_column(&f->csv, "menu_name|name"),
	    .price = csv_column(&f->csv, "unit_price|price"),
	    .quantity = import_need(j, f, "quantity|qty"),
	    .amount = csv_column(&f->csv, "line_amount"),
	};
	return true;
}

struct item_row {
	int64_t booking, menu, price, quantity, amount; /* booking: index + 1 */
};

static bool read_item(struct import_job *j, struct import_file *f, const struct item_columns *c, struct item_row *r)
{
	bool ok;

	*r = (struct item_row){0};
	ok = import_parent(j, f, c->reservation, IMPORT_RESERVATIONS, &r->booking);
	ok &= import_parent(j, f, c->menu, IMPORT_MENUS, &r->menu);
	ok &= import_number(j, f, c->quantity, 1, 1000, &r->quantity);
	ok &= import_money(j, f, c->price, &r->price);
	ok &= import_money(j, f, c->amount, &r->amount);
	return ok && j->e == ERR_OK;
}

void import_plan_items(struct import_job *j)
{
	struct import_file *f = &j->files[IMPORT_ITEMS];
	struct item_columns c;
	struct item_row r;

	if (!open_items(j, &c))
		return;
	while (import_next(j, f, "reading"))
		if (read_item(j, f, &c, &r))
			j->bookings[r.booking - 1].referred = true;
	import_close(j, f);
}

static void add_item(struct import_job *j, struct import_file *f, const struct item_columns *c, struct item_row *r)
{
	const struct import_booking *b = &j->bookings[r->booking - 1];
	sqlite3_stmt *s = import_use(j, IMPORT_MENU_GET, "i", r->menu);
	char name[324], of_menu[324] = "";
	int64_t price = 0, pair = import_hash_pair(b->id, r->menu), seen;

	while (import_step(j, s)) {
		snprintf(of_menu, sizeof of_menu, "%s", (const char *)sqlite3_column_text(s, 0));
		price = sqlite3_column_int64(s, 1);
	}
	import_text(j, f, c->name, 80, name, sizeof name);
	if (!*csv_cell(&f->csv, c->price))
		r->price = price;
	if (*csv_cell(&f->csv, c->amount) && r->amount != r->price * r->quantity)
		import_repaired(j, REPAIR_CELL, f, f->csv.line, "%lld times %lld is not %lld and became %lld.",
				(long long)r->quantity, (long long)r->price, (long long)r->amount,
				(long long)(r->price * r->quantity));
	if (import_map_get(&j->items, pair, &seen))
		import_repaired(
		    j, REPAIR_MERGED, f, f->csv.line,
		    "reservation %lld has this dish twice; the quantities are added up, at the first price.",
		    (long long)b->from);
	import_map_put(j, &j->items, pair, 1);
	import_run(j, f, IMPORT_ITEM_ADD, "iitii", b->id, r->menu, *name ? name : of_menu, r->price, r->quantity);
	f->added++;
}

void import_add_items(struct import_job *j)
{
	struct import_file *f = &j->files[IMPORT_ITEMS];
	struct item_columns c;
	struct item_row r;

	if (!open_items(j, &c))
		return;
	while (import_next(j, f, "writing"))
		if (read_item(j, f, &c, &r))
			add_item(j, f, &c, &r);
	import_close(j, f);
}
