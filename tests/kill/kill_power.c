/*
 * kill_power.c - the power goes at any moment of a backup, a restore or an upgrade: the next start finds a whole book.
 *
 * Recorded once, cut everywhere: tape.c writes down each change of the folders.  For a cut after each of them the disks
 * that could be left are built: of what no fsync has asked for, the bytes are there or not, and of the names that were
 * made, changed or removed all, none, or any single one.  On each disk jari starts again, and the book has to be the
 * old or the new one, whole, with the key that belongs to it.
 */
#include "appliance.h"
#include "book.h"
#include "guests.h"
#include "hash.h"
#include "log.h"
#include "swap.h"
#include "tape.h"
#include "unit.h"

#include <dirent.h>
#include <glob.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 512, WORLDS = 8192, OLD_GUESTS = 3, NEW_GUESTS = 5, KEY_TEXT = 256, CHECK_EACH = 8, HANG_MS = 60000 };

static struct appliance box;
static struct tape tape;
static struct ran ran;
static char out[APPLIANCE_PATH], saved[APPLIANCE_PATH];

/* ---- the disk at a cut ---- */

struct content {
	char *bytes;
	size_t n;
};
struct names {
	struct {
		char path[TAPE_PATH];
		int file;
	} at[FILES];
	int count;
};

static struct content written[FILES], flushed[FILES];
static struct names durable;
static const struct tape_event *pending[FILES]; /* names that no fsync of their folder has asked for */
static int pending_count;

static void put(struct content *c, const struct tape_event *e)
{
	c->bytes = realloc(c->bytes, e->n + 1);
	assert_non_null(c->bytes);
	if (e->n > c->n)
		memset(c->bytes + c->n, 0, e->n - c->n);
	c->n = e->n;
	if (e->count)
		memcpy(c->bytes + e->offset, e->bytes, e->count);
}

static void flush(int file)
{
	struct tape_event whole = {.n = written[file].n, .count = written[file].n, .bytes = written[file].bytes};

	put(&flushed[file], &whole);
}

static void rename_in(struct names *names, const struct tape_event *e)
{
	int i = 0;

	for (int j = 0; j < names->count; j++)
		if (strcmp(names->at[j].path, e->from) != 0 && strcmp(names->at[j].path, e->to) != 0)
			names->at[i++] = names->at[j];
	names->count = i;
	if (!*e->to)
		return;
	assert_true(names->count < FILES);
	snprintf(names->at[i].path, TAPE_PATH, "%s", e->to);
	names->at[names->count++].file = e->file;
}

static void flush_names(const char *folder)
{
	int left = 0;

	for (int i = 0; i < pending_count; i++) {
		const char *name = *pending[i]->to ? pending[i]->to : pending[i]->from;

		if (strncmp(name, folder, strlen(folder)) == 0 && !strchr(name + strlen(folder) + 1, '/'))
			rename_in(&durable, pending[i]);
		else
			pending[left++] = pending[i];
	}
	pending_count = left;
}

static void happen(const struct tape_event *e)
{
	switch (e->kind) {
	case TAPE_NAMES:
		assert_true(pending_count < FILES);
		pending[pending_count++] = e;
		return;
	case TAPE_DATA:
		put(&written[e->file], e);
		return;
	case TAPE_FLUSH:
		flush(e->file);
		return;
	case TAPE_FLUSH_NAMES:
		flush_names(e->to);
		return;
	}
}

/* ---- the worlds ---- */

enum { NONE = -1, ALL = -2 }; /* of the pending names; else which one */

static uint64_t seen[WORLDS];
static size_t seen_count;
static int wrong_count;
static char first_wrong[16384];

static struct names *names_of(int which)
{
	static struct names names;

	names = durable;
	for (int i = 0; i < pending_count; i++)
		if (which == ALL || which == i)
			rename_in(&names, pending[i]);
	return &names;
}

/* The same disk is looked at once. */
static bool is_new(const struct names *names, const struct content *data, bool acknowledged)
{
	uint64_t sum = acknowledged;

	for (int i = 0; i < names->count; i++) {
		const struct content *c = &data[names->at[i].file];
		uint64_t h = hash_text(HASH_START, names->at[i].path);

		for (size_t n = 0; n < c->n; n++)
			h = (h ^ (unsigned char)c->bytes[n]) * UINT64_C(1099511628211);
		sum += h;
	}
	for (size_t i = 0; i < seen_count; i++)
		if (seen[i] == sum)
			return false;
	assert_true(seen_count < WORLDS);
	seen[seen_count++] = sum;
	return true;
}

static void empty(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *entry;

	assert_non_null(d);
	while ((entry = readdir(d)))
		unlinkat(dirfd(d), entry->d_name, 0);
	closedir(d);
}

/* The folders become this disk. */
static void build(const struct names *names, const struct content *data)
{
	empty(box.dir);
	empty(out);
	for (int i = 0; i < names->count; i++) {
		const struct content *c = &data[names->at[i].file];
		FILE *f = fopen(names->at[i].path, "we");

		assert_non_null(f);
		assert_int_equal(fwrite(c->bytes ? c->bytes : "", 1, c->n, f), c->n);
		assert_int_equal(fclose(f), 0);
		chmod(names->at[i].path, 0600);
	}
}

/* ---- the verdict ---- */

/* What a disk must hold: NULL, or what is wrong.  `done`: the command had said that it is done. */
typedef const char *judge(bool done);

static void describe(const struct tape_event *e, size_t cut, int which, bool lost, const char *wrong)
{
	static const char *const kinds[] = {"names", "data", "flush", "flush of names"};

	snprintf(first_wrong, sizeof first_wrong,
		 "%s\ncut after step %zu of %zu (%s %s %s), names that were not flushed: %s%s%s, bytes: %s\n%.500s", wrong, cut,
		 tape.count, kinds[e->kind], e->from, e->to,
		 which == NONE ? "none" :
		 which == ALL  ? "all" :
				 "only ",
		 which >= 0 ? pending[which]->from : "", which >= 0 ? pending[which]->to : "", lost ? "flushed" : "written",
		 ran.err);
}

static void look(size_t cut, int which, bool lost, judge *j)
{
	const struct names *names = names_of(which);
	const struct content *data = lost ? flushed : written;
	bool done = cut == tape.count;
	const char *wrong;

	if (!is_new(names, data, done))
		return;
	build(names, data);
	wrong = j(done);
	if (wrong && wrong_count++ == 0)
		describe(&tape.events[cut - 1], cut, which, lost, wrong);
}

/* Of a run of writes to one file, whose cuts differ by a few pages, the last stands for all unless POWER_ALL is set. */
static bool is_worth_it(size_t cut)
{
	return getenv("POWER_ALL") || cut == tape.count || tape.events[cut - 1].kind != TAPE_DATA ||
	       tape.events[cut].kind != TAPE_DATA || tape.events[cut].file != tape.events[cut - 1].file;
}

/* Every cut from the beginning of the command to its end, on a disk that flushes or one that only says so. */
static void cut_everywhere(judge *j, bool flushes)
{
	seen_count = 0;
	wrong_count = 0;
	for (size_t i = 0; i < tape.count; i++) {
		if (flushes || i < tape.before || tape.events[i].kind == TAPE_NAMES || tape.events[i].kind == TAPE_DATA)
			happen(&tape.events[i]);
		if (i + 1 < tape.before || !is_worth_it(i + 1))
			continue;
		if (i + 1 == tape.before) {
			flush_names(box.dir);
			flush_names(out);
			for (int f = 0; f < tape.files; f++)
				flush(f);
		}
		for (int lost = 0; lost < 2; lost++)
			for (int which = ALL; which < pending_count && (flushes || !wrong_count); which++)
				look(i + 1, which, lost, j);
	}
	print_message("# %zu steps, %zu disks, %d of them wrong\n", tape.count - tape.before, seen_count, wrong_count);
}

/* ---- the commands ---- */

static char old_key[KEY_TEXT], new_key[KEY_TEXT];

static const char *key_now(char key[KEY_TEXT])
{
	char path[APPLIANCE_PATH];

	snprintf(path, sizeof path, "%s/secret.key", box.dir);
	return appliance_read(path, key, KEY_TEXT);
}

static int begin(void **state)
{
	(void)state;
	log_level_set(LOG_ERROR);
	setenv("TMPDIR", "/dev/shm", 1); /* the disk is imaginary: no need to wait for a real one */
	appliance_new(&box);
	appliance_path(&box, "out", out);
	appliance_path(&box, "out/saved.db", saved);
	assert_int_equal(mkdir(out, 0700), 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	tape_free(&tape);
	for (int i = 0; i < FILES; i++) {
		free(written[i].bytes);
		free(flushed[i].bytes);
	}
	memset(written, 0, sizeof written);
	memset(flushed, 0, sizeof flushed);
	memset(&durable, 0, sizeof durable);
	pending_count = 0;
	appliance_free(&box);
	return 0;
}

static void expect_none_wrong(void)
{
	if (wrong_count)
		fail_msg("%s", first_wrong);
}

static void add_guests(int from, int to)
{
	appliance_sql(&box,
		      "WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		      " INSERT INTO users (user_id, user_type, name, email)"
		      " SELECT i, 'ACCOUNT', 'guest ' || i, i || '@example.com' FROM n",
		      GUESTS_FROM + from, GUESTS_FROM + to - 1);
}

static void make_book(int guests)
{
	appliance_run(&box, &ran, NULL, "init", "--demo", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	add_guests(0, guests);
}

/* How many guests are in that file; -1: it is not there or not whole. */
static int64_t guests_in(const char *path)
{
	sqlite3 *h = access(path, R_OK) == 0 ? book_plain(path) : NULL;
	int64_t n = -1;

	if (h && book_whole(h) && book_int(h, "SELECT count(*) FROM sqlite_master WHERE name = 'users'") == 1)
		n = book_int(h, "SELECT count(*) FROM users WHERE name LIKE 'guest %%'");
	sqlite3_close(h);
	return n;
}

static int64_t guests_in_book(void)
{
	char path[APPLIANCE_PATH];

	snprintf(path, sizeof path, "%s/jari.db", box.dir);
	return guests_in(path);
}

static void back_up(void)
{
	appliance_run(&box, &ran, NULL, "backup", saved, "--same-disk", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
}

static void begin_tape(void)
{
	static const char *const folders[] = {box.dir, out, NULL};

	tape_begin(&tape, folders);
}

/* Records one command to its end. */
static void record(const char *const *words)
{
	char log[APPLIANCE_PATH], text[8192];
	int status;

	appliance_path(&box, "log", log);
	status = tape_until(&tape, tape_spawn(log, words), HANG_MS);
	if (status != 0)
		fail_msg("%s ended with %d: %s", words[1], status, appliance_read(log, text, sizeof text));
	tape_stop();
	assert_true(tape_whole(&tape));
}

/* What every command does first, and once in a while (always with POWER_ALL) one of them itself. */
static const char *start_again(void)
{
	if (swap_finish(box.dir) != ERR_OK)
		return "what was cut short cannot be finished";
	if (!getenv("POWER_ALL") && seen_count % CHECK_EACH != 0)
		return NULL;
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	return ran.exit == 0 ? NULL : "the book is not sound";
}

/* ---- a backup ---- */

static const char *judge_backup(bool done)
{
	const char *wrong = start_again();
	int64_t guests = guests_in(saved);

	if (wrong)
		return wrong;
	if (guests_in_book() != NEW_GUESTS)
		return "the book has lost guests";
	if (guests != OLD_GUESTS && guests != NEW_GUESTS)
		return "the backup is neither the one before nor the new one";
	return done && guests != NEW_GUESTS ? "the backup was said to be made" : NULL;
}

static void a_backup_is_the_one_before_or_the_new_one(void **state)
{
	const char *words[] = {appliance_program(&box), "backup", saved, "--force", "--same-disk", "--dir", box.dir, NULL};

	(void)state;
	make_book(OLD_GUESTS);
	back_up();
	add_guests(OLD_GUESTS, NEW_GUESTS);
	begin_tape();
	record(words);
	cut_everywhere(judge_backup, true);
	expect_none_wrong();
}

/* ---- a restore ---- */

/* The book that was there before has been put aside. */
static bool old_book_is_kept(void)
{
	char pattern[APPLIANCE_PATH];
	glob_t found;
	bool kept = false;

	snprintf(pattern, sizeof pattern, "%s/jari.db.before-restore-*", box.dir);
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			kept = kept || guests_in(found.gl_pathv[i]) == OLD_GUESTS;
	globfree(&found);
	return kept;
}

static const char *judge_restore(bool done)
{
	const char *wrong = start_again();
	char key[KEY_TEXT];
	int64_t guests = guests_in_book();

	if (wrong)
		return wrong;
	key_now(key);
	if (guests == OLD_GUESTS && !done)
		return strcmp(key, old_key) == 0 ? NULL : "the old book has another key";
	if (guests != NEW_GUESTS)
		return done ? "the book was said to be restored" : "the book is neither the old nor the restored one";
	if (strcmp(key, new_key) != 0)
		return "the restored book has another key";
	return old_book_is_kept() ? NULL : "the book that was there before is nowhere";
}

/* A backup of another box with NEW_GUESTS, and a book with OLD_GUESTS. */
static void prepare_restore(void)
{
	make_book(NEW_GUESTS);
	back_up();
	key_now(new_key);
	empty(box.dir);
	make_book(OLD_GUESTS);
	key_now(old_key);
	assert_string_not_equal(old_key, new_key);
	begin_tape();
}

static void record_restore(void)
{
	const char *words[] = {appliance_program(&box), "restore", saved, "--dir", box.dir, NULL};

	record(words);
}

static void a_restore_leaves_the_old_book_or_the_restored_one(void **state)
{
	(void)state;
	prepare_restore();
	record_restore();
	cut_everywhere(judge_restore, true);
	expect_none_wrong();
}

static void a_restore_while_serving_does_so_too(void **state)
{
	const char *words[] = {appliance_program(&box), "serve", "--workers", "2", "--no-courier", "--dir", box.dir, NULL};
	char log[APPLIANCE_PATH], socket[APPLIANCE_PATH];
	pid_t server;

	(void)state;
	prepare_restore();
	appliance_path(&box, "log", log);
	snprintf(socket, sizeof socket, "%s/jari.sock", box.dir);
	server = tape_spawn(log, words);
	WITHIN(HANG_MS, tape_until(&tape, server, 20) < 0 && access(socket, F_OK) == 0);
	record_restore();
	cut_everywhere(judge_restore, true);
	expect_none_wrong();
}

/* The control: were no fsync ever to reach the disk, some cut would lose a book.  Else the tests above prove nothing. */
static void a_disk_that_only_says_that_it_flushes_loses_a_book(void **state)
{
	(void)state;
	prepare_restore();
	record_restore();
	cut_everywhere(judge_restore, false);
	assert_true(wrong_count > 0);
}

/* ---- an upgrade ---- */

static bool has_row(const char *path)
{
	sqlite3 *h = book_plain(path);
	bool whole = book_whole(h) && book_int(h, "SELECT count(*) FROM sqlite_master WHERE name = 'restaurants'") == 1 &&
		     book_int(h, "SELECT count(*) FROM restaurants WHERE name = '온기'") == 1;

	sqlite3_close(h);
	return whole;
}

/* The copy that an upgrade keeps of the book before has its name only when it is whole. */
static bool copies_are_whole(void)
{
	char pattern[APPLIANCE_PATH];
	glob_t found;
	bool whole = true;

	snprintf(pattern, sizeof pattern, "%s/jari.db.before-[0-9]*[0-9]", box.dir);
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			whole = whole && has_row(found.gl_pathv[i]);
	globfree(&found);
	return whole;
}

/* The version of the book as the cut has left it.  A copy is asked, so that jari itself is the first to open the book. */
static int64_t version_of_book(void)
{
	char from[APPLIANCE_PATH], to[APPLIANCE_PATH], log[APPLIANCE_PATH + 8], log_to[APPLIANCE_PATH + 8];
	sqlite3 *h;
	int64_t version;

	snprintf(from, sizeof from, "%s/jari.db", box.dir);
	appliance_path(&box, "asked.db", to);
	snprintf(log, sizeof log, "%s-wal", from);
	snprintf(log_to, sizeof log_to, "%s-wal", to);
	book_copy_file(from, to);
	unlink(log_to);
	if (access(log, F_OK) == 0)
		book_copy_file(log, log_to);
	h = book_plain(to);
	version = book_int(h, "PRAGMA user_version");
	sqlite3_close(h);
	return version;
}

static bool copy_is_there(void)
{
	char path[APPLIANCE_PATH];

	snprintf(path, sizeof path, "%s/jari.db.before-0002", box.dir);
	return access(path, F_OK) == 0;
}

static const char *judge_upgrade(bool done)
{
	char path[APPLIANCE_PATH];
	const char *wrong;

	if (!copies_are_whole())
		return "the copy of the book before is not whole";
	if ((done || version_of_book() != 1) && !copy_is_there())
		return "the book was changed and its copy is gone";
	appliance_run(&box, &ran, NULL, "init", "--dir", box.dir, NULL);
	if (ran.exit != 0)
		return "jari does not start";
	wrong = start_again();
	if (wrong)
		return wrong;
	snprintf(path, sizeof path, "%s/jari.db", box.dir);
	return has_row(path) ? NULL : "the book has lost a row";
}

/* The connection that made it is still open, and the log with its name is there. */
static sqlite3 *make_old_book(void)
{
	char book[APPLIANCE_PATH];
	sqlite3 *h;

	snprintf(book, sizeof book, "%s/jari.db", box.dir);
	make_book(1);
	empty(box.dir);
	h = book_make_version(book, 1);
	book_exec(h, "PRAGMA journal_mode=WAL; INSERT INTO restaurants (name) VALUES ('온기')");
	return h;
}

static void record_upgrade(void)
{
	const char *words[] = {appliance_program(&box), "init", "--dir", box.dir, NULL};

	begin_tape();
	record(words);
}

static void an_upgrade_leaves_the_old_book_or_the_new_one(void **state)
{
	(void)state;
	sqlite3_close(make_old_book());
	record_upgrade();
	cut_everywhere(judge_upgrade, true);
	expect_none_wrong();
}

/*
 * SQLite flushes the folder when it makes a log, and with it the name of the copy.  Where another program has the book open
 * the log is there already: then jari's own flush alone keeps the copy.
 */
static void an_upgrade_beside_a_reader_keeps_its_copy(void **state)
{
	sqlite3 *reader = make_old_book();

	(void)state;
	record_upgrade();
	sqlite3_close(reader);
	cut_everywhere(judge_upgrade, true);
	expect_none_wrong();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_backup_is_the_one_before_or_the_new_one, begin, end),
		cmocka_unit_test_setup_teardown(a_restore_leaves_the_old_book_or_the_restored_one, begin, end),
		cmocka_unit_test_setup_teardown(a_restore_while_serving_does_so_too, begin, end),
		cmocka_unit_test_setup_teardown(a_disk_that_only_says_that_it_flushes_loses_a_book, begin, end),
		cmocka_unit_test_setup_teardown(an_upgrade_leaves_the_old_book_or_the_new_one, begin, end),
		cmocka_unit_test_setup_teardown(an_upgrade_beside_a_reader_keeps_its_copy, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
