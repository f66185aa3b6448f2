/*
 * drill.c - is this backup one that would help?
 */
#include "drill.h"

#include "check.h"
#include "db.h"
#include "facts.h"
#include "log.h"
#include "watch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4400 };

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

static void note_finding(void *arg, const char *rule, const char *finding)
{
	(void)arg;
	if (finding)
		log_warn("drill.finding", "rule=\"%s\"", rule);
}

/* This program serves it, or would. */
static enum err open_once(const char *dir)
{
	static struct db db;
	enum err e = db_open(&db, dir, NULL);

	if (e == ERR_OK)
		db_close(&db);
	return e;
}

static void compare(const char *file, const char *dir, struct drill_report *out)
{
	if (backup_compare(file, dir, &out->gap) == ERR_OK && out->gap.then != out->gap.there)
		out->outcome = DRILL_GAP;
}

static void try_it(const char *scratch, const char *dir, const char *file, struct drill_report *out)
{
	struct check_report check = {0};
	char book[PATH];

	db_path(scratch, book);
	out->e = backup_refusal(backup_restore(scratch, file, &out->back));
	if (out->e != ERR_OK) {
		out->outcome = DRILL_REFUSED;
		return;
	}
	out->e = check_book(book, note_finding, NULL, &check);
	out->rules = check.rules;
	out->findings = check.findings;
	if (out->e == ERR_OK)
		out->e = open_once(scratch);
	out->outcome = out->e != ERR_OK ? DRILL_SHUT : out->findings ? DRILL_UNSOUND : DRILL_WELL;
	if (out->outcome == DRILL_WELL)
		compare(book, dir, out);
}

static void note(const char *dir, const char *file, int64_t now_s, const struct drill_report *out)
{
	char words[DRILL_TEXT];

	drill_say(out, file, words);
	facts_put(dir, out->outcome == DRILL_WELL ? FACT_DRILL : FACT_DRILL_BAD, now_s, words);
}

void drill_run(const char *dir, const char *file, int64_t now_s, bool noted, struct drill_report *out)
{
	char scratch[PATH];

	*out = (struct drill_report){.outcome = DRILL_NO_ROOM};
	snprintf(scratch, sizeof scratch, "%s/drill-XXXXXX", dir);
	if (mkdtemp(scratch)) {
		try_it(scratch, dir, file, out);
		nftw(scratch, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	} else {
		out->e = watch_reason(dir, errno);
	}
	if (noted)
		note(dir, file, now_s, out);
}

static const char *plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

void drill_say(const struct drill_report *r, const char *file, char out[DRILL_TEXT])
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *why = err_sentence(r->e, LANG_EN);

	switch (r->outcome) {
	case DRILL_WELL:
		snprintf(out, DRILL_TEXT,
			 "%.100s can be restored: %lld reservation%s as of %s, all %d rules hold, links and codes %s; the live "
			 "book has %lld now",
			 name, (long long)r->back.reservations, plural(r->back.reservations),
			 *r->back.made_at ? r->back.made_at : "an unknown time", r->rules,
			 r->back.key ? "work" : "need the old key", (long long)r->gap.now);
		break;
	case DRILL_REFUSED:
		snprintf(out, DRILL_TEXT, "%.100s cannot be restored: %s %.120s", name, why, r->back.why);
		break;
	case DRILL_UNSOUND:
		snprintf(out, DRILL_TEXT, "%.100s can be restored, but is not sound: `jari check` finds %d thing%s in it", name,
			 r->findings, plural(r->findings));
		break;
	case DRILL_SHUT:
		snprintf(out, DRILL_TEXT, "%.100s was restored, but this jari cannot open it: %s", name, why);
		break;
	case DRILL_GAP:
		snprintf(out, DRILL_TEXT,
			 "%.100s has %lld reservation%s, and the live book had %lld by then: it is not a copy of this book, or "
			 "one "
			 "of the two has lost some",
			 name, (long long)r->gap.there, plural(r->gap.there), (long long)r->gap.then);
		break;
	case DRILL_NO_ROOM:
		snprintf(out, DRILL_TEXT, "nothing could be restored aside: %s", why);
		break;
	}
}
