/*
 * cli_doctor.c - is the box well, and does its disk keep its word: doctor, disk-test.
 */
#include "cli.h"

#include "clock.h"
#include "disktest.h"
#include "doctor.h"
#include "serving.h"
#include "stop.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- doctor ---- */

static void tell(void *arg, const struct doctor_finding *f)
{
	static const char *const marks[] = {"ok", "look", "BAD"};

	++((int *)arg)[f->level];
	printf("%-5s %-8s %s\n", marks[f->level], f->topic, f->text);
}

/* The book and, where it is served, the hall.  Neither is made here: who only asks leaves nothing behind. */
static enum err open_both(const struct cli_options *o, struct hall *hall, struct db *db)
{
	enum err e = serving_pid(o->dir) ? hall_attach(hall, o->dir) : ERR_OK;

	return e == ERR_OK ? db_open(db, o->dir, hall->dir[0] ? hall : NULL) : e;
}

int cli_doctor(const struct cli_options *o)
{
	static struct hall hall;
	static struct db db;
	int levels[3] = {0};
	enum err e;

	if (!cli_book_there(o))
		return CLI_FAILED;
	e = open_both(o, &hall, &db);
	doctor_examine(&(struct doctor_case){.dir = o->dir,
					     .etc = "/etc",
					     .db = e == ERR_OK ? &db : NULL,
					     .why = e,
					     .lang = LANG_EN,
					     .now_s = clock_now_s(),
					     .hands = true},
		       tell, levels);
	if (e == ERR_OK)
		db_close(&db);
	if (hall.dir[0])
		hall_leave(&hall);
	printf("%d well, %d to look at, %d bad%s\n", levels[DOCTOR_WELL], levels[DOCTOR_SOON], levels[DOCTOR_BAD],
	       geteuid() == 0 ? "" : "; as root it sees the certificate as well");
	return levels[DOCTOR_BAD] ? CLI_FAILED : CLI_OK;
}

/* ---- disk-test ---- */

enum { TELL_MS = 250 };

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* How long the flushes took: the last few thousand of them. */
struct times {
	int64_t us[4096];
	uint64_t count;
};

static void tell_times(struct times *t)
{
	size_t n = t->count < 4096 ? t->count : 4096;

	if (!n)
		return;
	qsort(t->us, n, sizeof t->us[0], compare);
	printf("a flush took %.2f ms, and %.2f ms at the worst of a hundred\n", (double)t->us[n / 2] / 1000,
	       (double)t->us[n * 99 / 100] / 1000);
}

static void tell_how(const char *folder)
{
	printf("Writing into %s and flushing each page.  Watch from another computer (ssh), and while the numbers run pull "
	       "the\n"
	       "plug of this box.  Note the last number that you saw, start the box, and say:\n\n"
	       "    jari disk-test %s NUMBER\n\n"
	       "Do it three times: a disk that lies does not lie always.  Ctrl-C ends the test without an answer.\n\n",
	       folder, folder);
	fflush(stdout);
}

static int write_pages(const char *folder)
{
	static struct times times;
	struct disktest t;
	int64_t told_ms = 0, begun;
	bool ok = disktest_begin(&t, folder);

	if (!ok)
		return cli_fail(ERR_OK, "nothing can be written into %s: %s", folder, strerror(errno));
	tell_how(folder);
	stop_on_any();
	while (ok && !stop_asked) {
		begun = clock_mono_us();
		ok = disktest_write(&t);
		times.us[times.count++ % 4096] = clock_mono_us() - begun;
		if (ok && clock_mono_ms() - told_ms < TELL_MS)
			continue;
		told_ms = clock_mono_ms();
		printf("%llu\n", (unsigned long long)(t.next - 1));
		fflush(stdout);
	}
	disktest_end(&t);
	tell_times(&times);
	return ok ? CLI_OK : cli_fail(ERR_OK, "%s cannot be written any more: %s", folder, strerror(errno));
}

static int tell_verdict(const char *folder, uint64_t told, const struct disktest_found *f)
{
	if (f->missing) {
		printf("This disk LIES: it said that page %llu was written, and %llu page%s lost.  Do not keep a book on it;\n"
		       "an SSD, or a card made for industry or video recorders, keeps its word.\n",
		       (unsigned long long)f->lost, (unsigned long long)f->missing, f->missing == 1 ? " is" : "s are");
		return CLI_FAILED;
	}
	printf("Every page up to %llu is there: this time the disk has kept its word.\n",
	       (unsigned long long)(told ? told : f->newest));
	if (!told)
		printf("Without the number that you saw this proves only that no page is missing in the middle.\n");
	disktest_remove(folder);
	return CLI_OK;
}

int cli_disk_test(const struct cli_options *o)
{
	const char *folder = o->args[0];
	struct disktest_found found;
	int64_t told = 0;

	if (o->count == 1)
		return write_pages(folder);
	if (strcmp(o->args[1], "?") != 0 && !text_int(o->args[1], 1, INT64_MAX, &told))
		return CLI_USAGE;
	if (!disktest_look(folder, (uint64_t)told, &found))
		return cli_fail(ERR_OK, "there is no test in %s (%s); `jari disk-test %s` begins one", folder, strerror(errno),
				folder);
	return tell_verdict(folder, (uint64_t)told, &found);
}
