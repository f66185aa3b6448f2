/*
 * cli_reconcile.c - `jari reconcile`: does the book say of payments online what the provider says?
 */
#include "cli.h"

#include "clock.h"
#include "currency.h"
#include "reconcile.h"
#include "restaurants.h"
#include "token.h"

#include <stdio.h>
#include <string.h>

enum { DAY_S = 86400, DAYS = 92 };

static const char *sum(int64_t amount, const char *currency, char out[CURRENCY_TEXT_SIZE + 8])
{
	char number[CURRENCY_TEXT_SIZE];

	currency_put(amount, currency_digits(currency), number);
	snprintf(out, CURRENCY_TEXT_SIZE + 8, "%s %s", number, currency);
	return out;
}

static void print_line(void *arg, const struct reconcile_line *l)
{
	char when[CLOCK_ISO_SIZE] = "", paid[CURRENCY_TEXT_SIZE + 8], back[CURRENCY_TEXT_SIZE + 8],
	     ours[CURRENCY_TEXT_SIZE + 8], ours_back[CURRENCY_TEXT_SIZE + 8];

	(void)arg;
	if (l->at_s)
		clock_iso(l->at_s, when);
	sum(l->paid, l->currency, paid);
	sum(l->returned, l->currency, back);
	sum(l->book_paid, l->currency, ours);
	sum(l->book_returned, l->currency, ours_back);
	switch (l->what) {
	case RECONCILE_MISSING:
		printf("  the book lacks  %s  %.10s  %s paid, %s back  %s\n", l->key, when, paid, back, l->about);
		break;
	case RECONCILE_NOT_PAID:
		printf("  not noted yet   %s  %.10s  %s paid, %s back  %s\n", l->key, when, paid, back, l->about);
		break;
	case RECONCILE_SUMS:
		printf("  sums differ     %s  %.10s  %s paid, %s back; in the book %s paid, %s back\n", l->key, when, paid,
		       back, ours, ours_back);
		break;
	case RECONCILE_ONLY_OURS:
		printf("  only the book   %s  %.10s  %s paid, %s back\n", l->key, when, ours, ours_back);
		break;
	}
}

/* True: they agree. */
static bool one(struct db *db, const unsigned char *key, const struct paysettings *set, int64_t from_s, int64_t now_s)
{
	struct reconcile_sum total;
	struct restaurant r;
	enum err e = restaurants_get(db, set->restaurant_id, &r);

	if (e == ERR_OK) {
		printf("%s, %s\n", r.name, intent_provider_word(set->provider));
		e = reconcile(db, key, set, from_s, now_s, print_line, NULL, &total);
	}
	if (e != ERR_OK)
		return cli_fail(e, "reconcile"), false;
	if (*total.words) {
		printf("  the provider did not tell its list: %s\n", total.words);
		return false;
	}
	printf("  %lld %s, %lld of them or of the book's differ\n", (long long)total.payments,
	       total.payments == 1 ? "payment" : "payments", (long long)total.differ);
	return total.differ == 0;
}

int cli_reconcile(const struct cli_options *o)
{
	static const enum intent_provider providers[] = {INTENT_PORTONE, INTENT_TOSS, INTENT_STRIPE};
	unsigned char key[TOKEN_KEY_SIZE];
	int64_t now_s = clock_now_s(), from_s = now_s - (int64_t)(o->days ? o->days : DAYS) * DAY_S;
	bool agree = true, any = false;
	struct db db;
	enum err e;

	if (!cli_book_there(o))
		return CLI_FAILED;
	if (!token_read_key(o->dir, key))
		return cli_fail(ERR_OK, "%s/secret.key cannot be read: the keys of the provider are sealed with it", o->dir);
	e = db_open(&db, o->dir, NULL);
	if (e != ERR_OK)
		return cli_fail(e, "%s", o->dir);
	for (size_t k = 0; k < sizeof providers / sizeof providers[0] && e == ERR_OK; k++) {
		struct paysettings set = {.restaurant_id = 0};
		bool found = true;

		while (e == ERR_OK && found) {
			e = paysettings_next(&db, providers[k], set.restaurant_id, &set, &found);
			if (e == ERR_OK && found) {
				any = true;
				agree = one(&db, key, &set, from_s, now_s) && agree;
			}
		}
	}
	db_close(&db);
	if (e != ERR_OK)
		return cli_fail(e, "%s", o->dir);
	if (!any)
		printf("no restaurant of this book takes payments online\n");
	return agree ? CLI_OK : CLI_FAILED;
}
