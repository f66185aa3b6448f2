/*
 * import_cells.c - cells of other systems' files as values of this book.
 *
 * The kinds of cells that a loader binds, and the functions that the steps of db/sql/import.inc call.
 */
#include "import_job.h"

#include "booking.h"
#include "currency.h"
#include "money.h"
#include "restaurants.h"
#include "text.h"
#include "zone.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const int64_t ID_MAX = 1000000000000000, MONEY_MAX = 1000000000000;

/* The instant that a clock on the wall shows; one that it skips is taken as if it had not jumped yet. */
static int64_t wall_to_utc(const char *zone, struct date d, int minute)
{
	int64_t as_utc = text_days(d) * 86400 + minute * 60, utc;

	if (zone_to_utc(zone, d, minute, &utc))
		return utc;
	return as_utc - zone_offset_minutes(zone, as_utc - 86400) * 60;
}

/* The text with every digit as 9, and a fraction of a second left out: 9999-99-99 99:99:99Z. */
static bool take_shape(const char *text, char *out, size_t size)
{
	size_t n = 0;

	for (const char *p = text; *p; p++) {
		size_t digits = *p == '.' ? strspn(p + 1, "0123456789") : 0;

		if (n + 1 >= size)
			return false;
		if (digits) {
			p += digits;
			continue;
		}
		out[n] = *p >= '0' && *p <= '9' ? '9' : *p == 'T' ? ' ' : *p == '-' && n > 10 ? '+' : *p;
		n++;
	}
	out[n] = '\0';
	return true;
}

/* Two digits, which are there. */
static int two(const char *p)
{
	return (p[0] - '0') * 10 + (p[1] - '0');
}

/* A moment as databases write it; without Z or an offset it is a time of that zone. */
static bool parse_instant(const char *text, const char *zone, int64_t *utc_s)
{
	enum { SHAPE_SLOT = 1 };
	static const char *const shapes[] = {
		"9999-99-99",
		"9999-99-99 99:99",
		"9999-99-99 99:99:99",
		"9999-99-99 99:99:99Z",
		"9999-99-99 99:99:99+99",
		"9999-99-99 99:99:99+9999",
		"9999-99-99 99:99:99+99:99",
		"9999-99-99 99:99Z",
		"9999-99-99 99:99+99:99",
	};
	char shape[32], day[TEXT_DATE_SIZE] = "";
	int hour = 0, minute = 0, second = 0, offset_hour, offset_minute = 0;
	const char *offset;
	struct date d;
	size_t known = 0;

	if (!take_shape(text, shape, sizeof shape))
		return false;
	while (known < sizeof shapes / sizeof shapes[0] && strcmp(shape, shapes[known]) != 0)
		known++;
	memcpy(day, text, strnlen(text, TEXT_DATE_SIZE - 1));
	if (known == sizeof shapes / sizeof shapes[0] || !text_date(day, &d))
		return false;
	if (text[10]) {
		hour = two(text + 11);
		minute = two(text + 14);
		second = text[16] == ':' ? two(text + 17) : 0;
	}
	/* A slot, "9999-99-99 99:99", may be after midnight of its evening. */
	if (hour > (known == SHAPE_SLOT ? 29 : 23) || minute > 59 || second > 59)
		return false;
	offset = text[10] ? strpbrk(text + 11, "Z+-") : NULL;
	if (!offset) {
		*utc_s = wall_to_utc(zone, d, hour * 60 + minute) + second;
		return *utc_s >= 0;
	}
	offset_hour = *offset == 'Z' ? 0 : two(offset + 1);
	if (*offset != 'Z' && offset[3])
		offset_minute = two(offset + (offset[3] == ':' ? 4 : 3));
	if (offset_hour > 15 || offset_minute > 59)
		return false;
	*utc_s = text_days(d) * 86400 + hour * 3600 + minute * 60 + second -
		 (*offset == '-' ? -1 : 1) * (offset_hour * 60 + offset_minute) * 60;
	return *utc_s >= 0;
}

/* Line breaks and other control characters, as text_has_control knows them, become blanks. */
static void make_one_line(char *text)
{
	char one[5];
	size_t n;

	for (char *p = text; *p; p += n) {
		for (n = 1; ((unsigned char)p[n] & 0xC0) == 0x80; n++)
			;
		memcpy(one, p, n);
		one[n] = '\0';
		if (text_has_control(one))
			memset(p, ' ', n);
	}
}

/* Upper case, blanks and hyphens as underscores. */
static void make_word(const char *cell, char out[40])
{
	size_t n = 0;

	while (*cell == ' ')
		cell++;
	for (; *cell && n < 39; cell++) {
		char c = *cell >= 'a' && *cell <= 'z' ? (char)(*cell - 'a' + 'A') : *cell;

		out[n++] = c == ' ' || c == '-' ? '_' : c;
	}
	while (n && out[n - 1] == '_')
		n--;
	out[n] = '\0';
}

/* ---- cells as values ---- */

/* A cell that cannot be what its column wants. */
static bool refuse(struct import_cell *c, const char *wanted)
{
	if (!*c->cell)
		import_problem(c->job, c->file, c->line, "%s is empty; it must be %s", c->name, wanted);
	else
		import_problem(c->job, c->file, c->line, "%s is \"%.*s\"; it must be %s", c->name, text_fit(c->cell, 60),
			       c->cell, wanted);
	return false;
}

static bool bind_int(struct import_cell *c, int64_t value)
{
	return sqlite3_bind_int64(c->row, c->at, value) == SQLITE_OK;
}

static bool bind_text(struct import_cell *c, const char *text)
{
	return sqlite3_bind_text(c->row, c->at, text, -1, SQLITE_TRANSIENT) == SQLITE_OK;
}

/* A word of another system; the steps know what it means. */
static bool take_word(struct import_cell *c)
{
	return bind_text(c, c->cell);
}

static bool take_id(struct import_cell *c)
{
	int64_t id;

	return text_int(c->cell, 1, ID_MAX, &id) ? bind_int(c, id) : refuse(c, "a whole number from 1 on");
}

static bool take_number(struct import_cell *c)
{
	char wanted[80];
	int64_t value;

	if (text_int(c->cell, c->column->min, c->column->max, &value))
		return bind_int(c, value);
	snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)c->column->min,
		 (long long)c->column->max);
	return refuse(c, wanted);
}

static bool take_date(struct import_cell *c)
{
	char text[TEXT_DATE_SIZE];
	struct date d;

	if (!text_date(c->cell, &d))
		return refuse(c, "a date like 2026-01-20");
	text_put_date(d, text);
	return bind_text(c, text);
}

static bool take_time(struct import_cell *c)
{
	char text[TEXT_TIME_SIZE];
	int minute;

	if (!text_time(c->cell, &minute))
		return refuse(c, "a time like 11:00");
	text_put_time(minute, text);
	return bind_text(c, text);
}

/*
 * 20000, 20000.00 or 19.50, kept in thousandths until the row's currency is known.  (Databases also write whole won as
 * 20000.00.)
 */
static bool take_money(struct import_cell *c)
{
	int64_t amount;

	return currency_take(c->cell, CURRENCY_DIGITS_MAX, MONEY_MAX * 1000, &amount) ?
		       bind_int(c, amount) :
		       refuse(c, "an amount like 20000 or 19.50, not below 0");
}

/* Kept as it is: which instant it means depends on the restaurant's zone.  MySQL's zero date is none. */
static bool take_instant(struct import_cell *c)
{
	int64_t utc;

	if (strncmp(c->cell, "0000-00-00", 10) == 0)
		return true;
	return parse_instant(c->cell, "UTC", &utc) ? bind_text(c, c->cell) :
						     refuse(c, "a moment like 2025-12-31 13:00:00 or 2025-12-31T04:00:00Z");
}

static bool take_flag(struct import_cell *c)
{
	/* \1 is how MySQL writes BIT(1); its zero is a NUL, which no CSV carries. */
	static const char *const yes[] = {"1", "true", "yes", "y", "t", "\1"}, *const no[] = {"", "0", "false", "no", "n", "f"};

	for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
		if (strcasecmp(c->cell, yes[i]) == 0 || strcasecmp(c->cell, no[i]) == 0)
			return bind_int(c, strcasecmp(c->cell, yes[i]) == 0);
	return refuse(c, "1 or 0");
}

/* The cell as one line of at most max characters, in memory of its own; what was cut is told. */
static char *one_line(struct import_cell *c)
{
	char *copy = strdup(c->cell), *text;
	size_t count = 0, at;

	if (!copy)
		return NULL;
	make_one_line(copy);
	text = text_trim(copy);
	memmove(copy, text, strlen(text) + 1);
	for (at = 0; copy[at]; at++) /* to the beginning of the first character too many */
		if (((unsigned char)copy[at] & 0xC0) != 0x80 && ++count > (size_t)c->column->max)
			break;
	if (copy[at])
		import_repaired(c->job, REPAIR_CELL, c->file, c->line, "%s was cut to %lld characters.", c->name,
				(long long)c->column->max);
	copy[at] = '\0';
	return copy;
}

/* One line already, short enough, and nothing to trim: most cells are. */
static bool is_plain(const struct import_cell *c)
{
	size_t n = 0;

	while (c->cell[n] >= ' ' && c->cell[n] < 0x7f)
		n++;
	return !c->cell[n] && n && n <= (size_t)c->column->max && c->cell[0] != ' ' && c->cell[n - 1] != ' ';
}

static bool take_text(struct import_cell *c)
{
	char *text;
	bool ok;

	if (is_plain(c))
		return bind_text(c, c->cell);
	text = one_line(c);
	ok = text && (!*text || bind_text(c, text));
	free(text);
	return ok;
}

static bool take_phone(struct import_cell *c)
{
	char plain[TEXT_PHONE_SIZE], *given = one_line(c);
	bool ok = given != NULL;

	if (given && text_phone(given, plain))
		ok = bind_text(c, plain);
	else if (given && text_points(given) >= 3 && text_points(given) <= 20)
		ok = bind_text(c, given);
	else if (given)
		import_repaired(c->job, REPAIR_CELL, c->file, c->line, "%s is no phone number and was left out.", c->name);
	free(given);
	return ok;
}

static bool take_email(struct import_cell *c)
{
	char *given = one_line(c);
	bool ok = given != NULL;

	if (given && text_email(given))
		ok = bind_text(c, given);
	else if (given && *given)
		import_repaired(c->job, REPAIR_CELL, c->file, c->line, "%s is no e-mail address and was left out.", c->name);
	free(given);
	return ok;
}

static bool take_zone(struct import_cell *c)
{
	if (zone_is_public(c->cell))
		return bind_text(c, c->cell);
	import_problem(c->job, c->file, c->line, "%s \"%.*s\" is not known here", c->name, text_fit(c->cell, 40), c->cell);
	return false;
}

static bool take_currency(struct import_cell *c)
{
	return currency_known(c->cell) ? bind_text(c, c->cell) : refuse(c, "a currency, three capital letters like KRW");
}

/* A number that the owner could have set at the desk. */
static bool take_setting(struct import_cell *c)
{
	const struct settings_row *row = settings_find(c->column->name);
	int64_t value;

	assert(row);
	if (settings_is_money(row))
		return currency_take(c->cell, CURRENCY_DIGITS_MAX, row->max * INT64_C(1000), &value) ?
			       bind_int(c, value) :
			       refuse(c, "an amount like 5000 or 7.50, not below 0");
	if (!text_int(c->cell, row->min, row->max, &value))
		return take_number(c);
	if (!settings_fits(row, value))
		return refuse(c, "0, or five minutes and more");
	if (strcmp(row->name, "calling_code") == 0 && !text_calling_code((int)value))
		return refuse(c, "the calling code of a country, like 82");
	return bind_int(c, value);
}

/* A refund policy that would not fit is made anew from the restaurant's rules. */
static bool take_policy(struct import_cell *c)
{
	return strlen(c->cell) >= MONEY_POLICY_SIZE || text_has_control(c->cell) || bind_text(c, c->cell);
}

bool import_take_cell(struct import_cell *c)
{
	static bool (*const take[])(struct import_cell *) = {
		[CELL_ID] = take_id,       [CELL_NUMBER] = take_number,     [CELL_DATE] = take_date,
		[CELL_TIME] = take_time,   [CELL_MONEY] = take_money,       [CELL_FLAG] = take_flag,
		[CELL_TEXT] = take_text,   [CELL_PHONE] = take_phone,       [CELL_INSTANT] = take_instant,
		[CELL_EMAIL] = take_email, [CELL_ZONE] = take_zone,         [CELL_POLICY] = take_policy,
		[CELL_WORD] = take_word,   [CELL_CURRENCY] = take_currency, [CELL_SETTING] = take_setting,
	};
	bool must = c->column->needed && c->column->kind != CELL_WORD && c->column->kind != CELL_MONEY &&
		    c->column->kind != CELL_TEXT;

	assert(c->at > 1);
	return *c->cell || must || c->column->kind == CELL_FLAG ? take[c->column->kind](c) : true;
}

/* ---- functions for the steps ---- */

static const char *argument(sqlite3_value *v)
{
	const char *text = (const char *)sqlite3_value_text(v);

	return text ? text : "";
}

/* minor(thousandths, currency): the amount in the currency's smallest unit; NULL if it has more digits than that. */
static void sql_minor(sqlite3_context *context, int n, sqlite3_value **args)
{
	int64_t amount = sqlite3_value_int64(args[0]) * currency_units(argument(args[1]));

	(void)n;
	if (sqlite3_value_type(args[0]) != SQLITE_NULL && amount % 1000 == 0)
		sqlite3_result_int64(context, amount / 1000);
}

/* is_currency(word): are its digits known? */
static void sql_is_currency(sqlite3_context *context, int n, sqlite3_value **args)
{
	(void)n;
	sqlite3_result_int(context, currency_known(argument(args[0])));
}

/* word(cell): upper case, blanks and hyphens as underscores; '' for none. */
static void sql_word(sqlite3_context *context, int n, sqlite3_value **args)
{
	char word[40];

	(void)n;
	make_word(argument(args[0]), word);
	sqlite3_result_text(context, word, -1, SQLITE_TRANSIENT);
}

/* utc(cell, zone): the instant it means, NULL for none. */
static void sql_utc(sqlite3_context *context, int n, sqlite3_value **args)
{
	char iso[CLOCK_ISO_SIZE];
	int64_t utc;

	(void)n;
	if (!parse_instant(argument(args[0]), *argument(args[1]) ? argument(args[1]) : "Asia/Seoul", &utc))
		return;
	clock_iso(utc, iso);
	sqlite3_result_text(context, iso, -1, SQLITE_TRANSIENT);
}

/* utc_offset(zone): minutes east of UTC at the moment of the import. */
static void sql_utc_offset(sqlite3_context *context, int n, sqlite3_value **args)
{
	const struct import_job *j = sqlite3_user_data(context);

	(void)n;
	sqlite3_result_int(context, zone_offset_minutes(argument(args[0]), j->o->now_s));
}

/* phone_key(number, calling code): the number as users.phone_key has it; NULL when it is none. */
static void sql_phone_key(sqlite3_context *context, int n, sqlite3_value **args)
{
	char phone[TEXT_PHONE_SIZE];
	int code = sqlite3_value_int(args[1]);
	int64_t key;

	(void)n;
	if (!text_phone(argument(args[0]), phone))
		return;
	key = text_phone_key(phone, code ? code : settings_find("calling_code")->fallback);
	if (key > 0)
		sqlite3_result_int64(context, key);
}

/* frozen_policy(restaurant): its refund rules as they are frozen into a reservation. */
static void sql_frozen_policy(sqlite3_context *context, int n, sqlite3_value **args)
{
	struct import_job *j = sqlite3_user_data(context);
	int64_t id = sqlite3_value_int64(args[0]);
	struct restaurant r;

	(void)n;
	if (j->policy_of != id && restaurants_get(j->db, id, &r) == ERR_OK) {
		money_freeze(&r.set, j->policy);
		j->policy_of = id;
	}
	sqlite3_result_text(context, j->policy, -1, SQLITE_TRANSIENT);
}

/* new_code(): one of ours that is not in the book. */
static void sql_new_code(sqlite3_context *context, int n, sqlite3_value **args)
{
	struct import_job *j = sqlite3_user_data(context);
	char code[CODE_SIZE];
	int64_t id;
	enum err e;

	(void)n;
	(void)args;
	do {
		code_make(&j->codes, code);
		e = booking_by_code(j->db, code, &id);
	} while (e == ERR_OK);
	if (e == ERR_NO_SUCH_RESERVATION)
		sqlite3_result_text(context, code, -1, SQLITE_TRANSIENT);
	else
		sqlite3_result_error(context, err_word(e), -1);
}

static struct import_file *file_named(struct import_job *j, const char *table)
{
	for (int t = 0; t < IMPORT_TABLE__MAX; t++)
		if (strcmp(j->files[t].table, table) == 0)
			return &j->files[t];
	return NULL;
}

/* there(file): is it in the folder? */
static void sql_there(sqlite3_context *context, int n, sqlite3_value **args)
{
	const struct import_file *f = file_named(sqlite3_user_data(context), argument(args[0]));

	(void)n;
	sqlite3_result_int(context, f && f->there);
}

/* header(file, column): the column's name as the file spells it. */
static void sql_header(sqlite3_context *context, int n, sqlite3_value **args)
{
	const struct import_file *f = file_named(sqlite3_user_data(context), argument(args[0]));

	(void)n;
	for (size_t i = 0; f && i < f->column_count; i++)
		if (strcmp(f->columns[i].name, argument(args[1])) == 0)
			sqlite3_result_text(context, f->spelled[i], -1, SQLITE_TRANSIENT);
}

enum err import_set_functions(struct import_job *j, bool on)
{
	static const struct {
		const char *name;
		int arguments;
		void (*run)(sqlite3_context *, int, sqlite3_value **);
	} functions[] = {
		{"word", 1, sql_word},         {"utc", 2, sql_utc},
		{"there", 1, sql_there},       {"utc_offset", 1, sql_utc_offset},
		{"header", 2, sql_header},     {"frozen_policy", 1, sql_frozen_policy},
		{"new_code", 0, sql_new_code}, {"phone_key", 2, sql_phone_key},
		{"minor", 2, sql_minor},       {"is_currency", 1, sql_is_currency},
	};
	int rc = SQLITE_OK;

	for (size_t i = 0; i < sizeof functions / sizeof functions[0] && rc == SQLITE_OK; i++)
		rc = sqlite3_create_function(j->db->handle, functions[i].name, functions[i].arguments,
					     SQLITE_UTF8 | SQLITE_DIRECTONLY, j, on ? functions[i].run : NULL, NULL, NULL);
	return db_error(j->db->handle, rc);
}
