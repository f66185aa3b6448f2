/*
 * import_cells.c - the files of an import: rows, and cells as values.
 */
#include "import_job.h"

#include "hash.h"
#include "zone.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PROGRESS_ROWS = 5000 };
static const int64_t ID_MAX = 1000000000000000, MONEY_MAX = 1000000000000;

static ssize_t read_stream(void *arg, char *out, size_t n)
{
	FILE *f = arg;
	size_t got = fread(out, 1, n, f);

	return got == 0 && ferror(f) ? -1 : (ssize_t)got;
}

static bool open_stream(struct import_job *j, struct import_file *f)
{
	char path[4352];
	int n = snprintf(path, sizeof path, "%s/%s", j->o->folder, f->name);

	f->stream = n < (int)sizeof path ? fopen(path, "rbe") : NULL;
	if (!f->stream && errno != ENOENT)
		import_problem(j, f, "%s", strerror(errno));
	return f->stream != NULL;
}

bool import_open(struct import_job *j, enum import_table t)
{
	struct import_file *f = &j->files[t];

	f->csv.line = 0;
	f->at = 0;
	if (j->e != ERR_OK || !open_stream(j, f))
		return false;
	csv_init(&f->csv, read_stream, f->stream);
	f->there = true;
	if (csv_header(&f->csv))
		return true;
	import_problem(j, f, "%s", f->csv.error);
	import_close(j, f);
	return false;
}

bool import_next(struct import_job *j, struct import_file *f, const char *doing)
{
	enum csv_got got = j->e == ERR_OK ? csv_row(&f->csv) : CSV_END;

	if (got == CSV_BAD)
		import_problem(j, f, "%s", f->csv.error);
	if (got != CSV_ROW)
		return false;
	f->at++;
	if (j->o->progress && f->at % PROGRESS_ROWS == 0)
		j->o->progress(j->o->arg, f->name, doing, f->at, f->rows);
	return true;
}

void import_close(struct import_job *j, struct import_file *f)
{
	buf_clear(&f->ignored);
	for (int i = csv_unasked(&f->csv, 0); i >= 0; i = csv_unasked(&f->csv, i + 1))
		buf_fmt(&f->ignored, "%s%s", f->ignored.len ? ", " : "", csv_name(&f->csv, i));
	csv_free(&f->csv);
	f->csv.line = 0;
	fclose(f->stream);
	f->stream = NULL;
	if (!buf_ok(&f->ignored))
		j->e = ERR_NO_MEMORY;
}

/* The bytes of every file in turn, so that the same folder is known again. */
static void add_fingerprint(struct import_job *j, struct import_file *f)
{
	char bytes[4096];
	size_t n;

	j->fingerprint = hash_number(j->fingerprint, (uint64_t)import_hash(f->name));
	rewind(f->stream);
	while ((n = fread(bytes, 1, sizeof bytes, f->stream)) > 0)
		for (size_t i = 0; i < n; i++)
			j->fingerprint = hash_number(j->fingerprint, (unsigned char)bytes[i]);
}

void import_look(struct import_job *j)
{
	bool any = false;

	j->fingerprint = 14695981039346656037u;
	for (int t = 0; t < IMPORT_TABLE__MAX; t++) {
		struct import_file *f = &j->files[t];
		int64_t id;
		int column;

		if (!import_open(j, (enum import_table)t)) {
			any |= f->there;
			continue;
		}
		any = true;
		column = f->id ? import_need(j, f, f->id_names) : -1;
		while (import_next(j, f, "looking at"))
			if (column >= 0 && text_int(csv_cell(&f->csv, column), 1, ID_MAX, &id) && id > f->max_id)
				f->max_id = id;
		f->rows = f->at;
		add_fingerprint(j, f);
		import_close(j, f);
	}
	if (!any && !j->problem_count)
		import_problem(j, NULL,
			       "%s has none of the files users.csv, restaurant_reservation_slots.csv, reservations.csv,"
			       " payments.csv, menus.csv, restaurants.csv, reservation_menu_items.csv",
			       j->o->folder);
}

int import_need(struct import_job *j, struct import_file *f, const char *names)
{
	int column = csv_column(&f->csv, names);

	if (column < 0)
		import_problem(j, f, "there is no column %.*s", (int)strcspn(names, "|"), names);
	return column;
}

/* A cell that cannot be what its column wants. */
static bool refuse(struct import_job *j, struct import_file *f, int column, const char *wanted)
{
	const char *cell = csv_cell(&f->csv, column);

	if (!*cell)
		import_problem(j, f, "%s is empty; it must be %s", csv_name(&f->csv, column), wanted);
	else
		import_problem(j, f, "%s is \"%.60s\"; it must be %s", csv_name(&f->csv, column), cell, wanted);
	return false;
}

bool import_id(struct import_job *j, struct import_file *f, int column, int64_t *out)
{
	if (column < 0) /* told once for the file */
		return false;
	return text_int(csv_cell(&f->csv, column), 1, ID_MAX, out) || refuse(j, f, column, "a whole number from 1 on");
}

bool import_number(struct import_job *j, struct import_file *f, int column, int64_t min, int64_t max, int64_t *out)
{
	char wanted[80];

	if (column < 0)
		return false;
	if (text_int(csv_cell(&f->csv, column), min, max, out))
		return true;
	snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)min, (long long)max);
	return refuse(j, f, column, wanted);
}

bool import_date(struct import_job *j, struct import_file *f, int column, char out[TEXT_DATE_SIZE])
{
	struct date d;

	if (column < 0)
		return false;
	if (!text_date(csv_cell(&f->csv, column), &d))
		return refuse(j, f, column, "a date like 2026-01-20");
	text_put_date(d, out);
	return true;
}

bool import_time(struct import_job *j, struct import_file *f, int column, char out[TEXT_TIME_SIZE])
{
	int minute;

	if (column < 0)
		return false;
	if (!text_time(csv_cell(&f->csv, column), &minute))
		return refuse(j, f, column, "a time like 11:00");
	text_put_time(minute, out);
	return true;
}

/* Databases also write 20000 as 20000.00. */
bool import_money(struct import_job *j, struct import_file *f, int column, int64_t *out)
{
	const char *cell = csv_cell(&f->csv, column);
	size_t whole = strcspn(cell, "."), rest = strlen(cell) - whole;
	char digits[24];

	*out = 0;
	if (!*cell)
		return true;
	if (whole >= sizeof digits || (rest && (rest == 1 || strspn(cell + whole + 1, "0") != rest - 1)))
		return refuse(j, f, column, "an amount in whole units, not below 0");
	memcpy(digits, cell, whole);
	digits[whole] = '\0';
	return text_int(digits, 0, MONEY_MAX, out) || refuse(j, f, column, "an amount in whole units, not below 0");
}

/* Two digits at p, or -1. */
static int two(const char *p)
{
	if (p[0] < '0' || p[0] > '9' || p[1] < '0' || p[1] > '9')
		return -1;
	return (p[0] - '0') * 10 + (p[1] - '0');
}

/* What follows the seconds: nothing (*has_offset false), Z, +09, +0900 or +09:00. */
static bool take_offset(const char *p, bool *has_offset, int *minutes)
{
	int sign = *p == '-' ? -1 : 1, hours, rest = 0;

	*has_offset = *p != '\0';
	*minutes = 0;
	if (!*p || strcmp(p, "Z") == 0)
		return true;
	if (*p != '+' && *p != '-')
		return false;
	hours = two(++p);
	if (hours < 0 || hours > 15)
		return false;
	p += 2;
	if (*p) {
		p += *p == ':';
		rest = two(p);
		if (rest < 0 || rest > 59 || p[2])
			return false;
	}
	*minutes = sign * (hours * 60 + rest);
	return true;
}

/* HH:MM, seconds, a fraction that is dropped; *end is what follows. */
static bool take_clock(const char *p, int *minute, int *second, const char **end)
{
	int h = two(p), m;

	if (h < 0 || h > 23 || p[2] != ':')
		return false;
	m = two(p + 3);
	if (m < 0 || m > 59)
		return false;
	p += 5;
	*second = 0;
	if (*p == ':') {
		*second = two(p + 1);
		if (*second < 0 || *second > 59)
			return false;
		p += 3;
		if (*p == '.') {
			size_t n = strspn(p + 1, "0123456789");

			if (n == 0)
				return false;
			p += 1 + n;
		}
	}
	*minute = h * 60 + m;
	*end = p;
	return true;
}

/* The instant that a clock on the wall shows; one that it skips is taken as if it had not jumped yet. */
static int64_t wall_to_utc(const char *zone, struct date d, int minute)
{
	int64_t as_utc = text_days(d) * 86400 + minute * 60, utc;

	if (zone_to_utc(zone, d, minute, &utc))
		return utc;
	return as_utc - zone_offset_minutes(zone, as_utc - 86400) * 60;
}

static bool parse_instant(const char *text, const char *zone, int64_t *utc_s)
{
	char day[TEXT_DATE_SIZE];
	struct date d;
	int minute = 0, second = 0, offset;
	const char *end = text + TEXT_DATE_SIZE - 1;
	bool has_offset;

	if (strlen(text) < TEXT_DATE_SIZE - 1)
		return false;
	memcpy(day, text, TEXT_DATE_SIZE - 1);
	day[TEXT_DATE_SIZE - 1] = '\0';
	if (!text_date(day, &d))
		return false;
	if (*end) {
		if ((*end != ' ' && *end != 'T') || strlen(end) < 6 || !take_clock(end + 1, &minute, &second, &end))
			return false;
		if (!take_offset(end, &has_offset, &offset))
			return false;
		if (has_offset) {
			*utc_s = text_days(d) * 86400 + minute * 60 + second - offset * 60;
			return *utc_s >= 0;
		}
	}
	*utc_s = wall_to_utc(zone, d, minute) + second;
	return *utc_s >= 0;
}

bool import_instant(struct import_job *j, struct import_file *f, int column, const char *zone, char out[CLOCK_ISO_SIZE])
{
	const char *cell = csv_cell(&f->csv, column);
	int64_t utc;

	out[0] = '\0';
	if (!*cell || strncmp(cell, "0000-00-00", 10) == 0)
		return true;
	if (!parse_instant(cell, zone, &utc))
		return refuse(j, f, column, "a moment like 2025-12-31 13:00:00 or 2025-12-31T04:00:00Z");
	clock_iso(utc, out);
	return true;
}

bool import_flag(struct import_job *j, struct import_file *f, int column, bool *out)
{
	/* \1 is how MySQL writes BIT(1); its zero is a NUL, which no CSV carries. */
	static const char *const yes[] = {"1", "true", "yes", "y", "t", "\1"}, *const no[] = {"",   "0", "false",
											      "no", "n", "f"};
	const char *cell = csv_cell(&f->csv, column);

	for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
		if (strcasecmp(cell, yes[i]) == 0)
			return *out = true;
		if (strcasecmp(cell, no[i]) == 0)
			return *out = false, true;
	}
	return refuse(j, f, column, "1 or 0");
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

void import_text(struct import_job *j, struct import_file *f, int column, size_t points, char *out, size_t size)
{
	const char *cell = csv_cell(&f->csv, column);
	size_t n = strlen(cell), count = 0, at = 0;
	char *copy = malloc(n + 1), *text;

	*out = '\0';
	if (!copy) {
		j->e = ERR_NO_MEMORY;
		return;
	}
	memcpy(copy, cell, n + 1);
	make_one_line(copy);
	text = text_trim(copy);
	/* To the beginning of the first character too many. */
	for (at = 0; text[at]; at++)
		if (((unsigned char)text[at] & 0xC0) != 0x80 && ++count > points)
			break;
	if (at < size) {
		memcpy(out, text, at);
		out[at] = '\0';
	}
	if (text[at])
		import_repaired(j, REPAIR_CELL, f, f->csv.line, "%s was cut to %zu characters.",
				csv_name(&f->csv, column), points);
	free(copy);
}

void import_word(struct import_file *f, int column, char out[40])
{
	const char *cell = csv_cell(&f->csv, column);
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

const char *import_or_null(const char *text)
{
	return *text ? text : NULL;
}
