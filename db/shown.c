/*
 * shown.c - amounts and moments as people read them, in lists and sentences that SQL writes.
 */
#include "shown.h"

#include "clock.h"
#include "currency.h"
#include "zone.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>

static void shown(sqlite3_context *context, int n, sqlite3_value **args)
{
	const char *currency = (const char *)sqlite3_value_text(args[1]);
	int64_t amount = sqlite3_value_int64(args[0]);
	char text[CURRENCY_TEXT_SIZE];

	assert(n == 2);
	if (!currency || sqlite3_value_type(args[0]) == SQLITE_NULL)
		return;
	if (currency_digits(currency) == 0) {
		sqlite3_result_int64(context, amount);
		return;
	}
	currency_put(amount, currency_digits(currency), text);
	sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void digits(sqlite3_context *context, int n, sqlite3_value **args)
{
	const char *currency = (const char *)sqlite3_value_text(args[0]);

	assert(n == 1);
	if (currency)
		sqlite3_result_int(context, currency_digits(currency));
}

/* local(instant, zone): 2026-01-20 18:00, by the clock on the wall there. */
static void local(sqlite3_context *context, int n, sqlite3_value **args)
{
	const char *instant = (const char *)sqlite3_value_text(args[0]), *zone = (const char *)sqlite3_value_text(args[1]);
	char day[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE], text[TEXT_DATE_SIZE + TEXT_TIME_SIZE];
	struct date date;
	int64_t utc_s;
	int minute;

	assert(n == 2);
	if (!instant || !zone || !clock_parse_iso(instant, &utc_s) || !zone_to_local(zone, utc_s, &date, &minute))
		return;
	text_put_date(date, day);
	text_put_time(minute, time);
	snprintf(text, sizeof text, "%s %s", day, time);
	sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

void shown_add(sqlite3 *handle)
{
	sqlite3_create_function(handle, "shown", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, shown, NULL, NULL);
	sqlite3_create_function(handle, "digits", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, digits, NULL, NULL);
	sqlite3_create_function(handle, "local", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, local, NULL, NULL);
}
