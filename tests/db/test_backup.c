/*
 * test_backup.c - a backup is whole or not there; a restore changes everything or nothing.
 */
#include "backup.h"

#include "book.h"
#include "check.h"
#include "clock.h"
#include "kid.h"
#include "takeover.h"
#include "unit.h"

#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char file[4200];
static struct backup_report came_back;
#define kept came_back.kept

static int setup(void **state)
{
	struct book *b;

	book_setup_closed(state);
	b = *state;
	snprintf(file, sizeof file, "%s/backup.db", b->dir);
	return 0;
}

static int64_t users_in(const char *path)
{
	sqlite3 *handle = book_plain(path);
	int64_t n = book_int(handle, "SELECT count(*) FROM users");

	sqlite3_close(handle);
	return n;
}

static void add_users(struct book *b, int n)
{
	book_open(b);
	while (n-- > 0)
		assert_int_equal(book_add_guest(&b->db), ERR_OK);
	book_close(b);
}

static void hush(void *arg, const char *rule, const char *finding)
{
	(void)arg;
	(void)rule;
	(void)finding;
}

static void is_sound(const char *path)
{
	struct check_report report;

	assert_int_equal(check_book(path, hush, NULL, &report), ERR_OK);
	assert_int_equal(report.findings, 0);
}

static int files_of(const char *dir, const char *tail)
{
	char pattern[200];
	glob_t g;
	int n;

	snprintf(pattern, sizeof pattern, "%s/%s", dir, tail);
	n = glob(pattern, 0, NULL, &g) == 0 ? (int)g.gl_pathc : 0;
	globfree(&g);
	return n;
}

static int files_like(const struct book *b, const char *tail)
{
	return files_of(b->dir, tail);
}

static void a_backup_is_a_whole_book_by_itself(void **state)
{
	struct book *b = *state;
	struct stat st;

	book_open(b);
	assert_int_equal(book_add_guest(&b->db), ERR_OK); /* still in the log only */
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	book_close(b);
	assert_int_equal(users_in(file), 3);
	is_sound(file);
	assert_int_equal(files_like(b, "backup.db-*"), 0); /* one file, nothing beside it */
	assert_int_equal(files_like(b, "*.part*"), 0);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 0077, 0);
}

static void a_backup_replaces_an_older_one_at_once(void **state)
{
	struct book *b = *state;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	add_users(b, 5);
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	assert_int_equal(users_in(file), 7);
}

static void a_backup_that_fails_leaves_nothing_and_keeps_the_old_one(void **state)
{
	struct book *b = *state;
	char part[4300];

	assert_int_equal(backup_make(b->dir, "/nowhere/at/all.db"), ERR_BOOK_UNWRITABLE);
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	snprintf(part, sizeof part, "%s.part", file);
	assert_int_equal(mkdir(part, 0700), 0); /* something is in the way */
	assert_int_not_equal(backup_make(b->dir, file), ERR_OK);
	assert_int_equal(users_in(file), 2);
	rmdir(part);
	assert_int_equal(backup_make("/nowhere/at/all", file), ERR_BOOK_UNWRITABLE);
	assert_int_equal(users_in(file), 2);
}

struct talk {
	struct book *book;
	_Atomic int stop, written;
};

static struct talk *talk;

static int keep_writing(void *arg)
{
	struct db db;

	(void)arg;
	if (db_open(&db, talk->book->dir, &talk->book->hall) != ERR_OK)
		return 1;
	while (!atomic_load(&talk->stop)) {
		if (book_add_guest(&db) != ERR_OK)
			return 2;
		atomic_fetch_add(&talk->written, 1);
	}
	db_close(&db);
	return 0;
}

static void guests_go_on_while_a_backup_is_made(void **state)
{
	struct book *b = *state;
	int before, after;
	int64_t users;
	pid_t kid;

	talk = kid_share(sizeof *talk);
	talk->book = b;
	kid = kid_start(keep_writing, NULL);
	assert_true(kid_wait(&talk->written));
	for (int i = 0; i < 5; i++) {
		before = atomic_load(&talk->written);
		assert_int_equal(backup_make(b->dir, file), ERR_OK);
		after = atomic_load(&talk->written) + 1; /* one may be committed and not yet counted */
		users = users_in(file);
		assert_in_range(users, 2 + before, 2 + after);
	}
	atomic_store(&talk->stop, 1);
	assert_int_equal(kid_end(kid), 0);
	kid_unshare(talk, sizeof *talk);
}

static void a_restored_book_is_the_backup_and_opens(void **state)
{
	struct book *b = *state;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	add_users(b, 3);
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
	book_open(b); /* it is a book to work with, not only to look at */
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM users"), 2);
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
	book_close(b);
	assert_int_equal(users_in(file), 2); /* the backup itself is as it was */
	assert_int_equal(files_like(b, "*.restored*"), 0);
}

static void the_book_that_was_replaced_is_kept_whole(void **state)
{
	struct book *b = *state;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	add_users(b, 3); /* in the log of the old book */
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
	assert_true(strlen(kept) > 0);
	assert_int_equal(users_in(kept), 5);
	is_sound(kept);
}

static void restoring_twice_in_a_second_keeps_both(void **state)
{
	struct book *b = *state;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	for (int i = 1; i <= 3; i++) {
		add_users(b, i);
		assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
		assert_int_equal(users_in(kept), 2 + i);
	}
	assert_int_equal(files_like(b, "jari.db.before-restore-*[0-9Z]"), 3);
}

static void a_book_can_be_made_from_a_backup_alone(void **state)
{
	struct book *b = *state;
	char dir[64], path[4096];
	struct db db;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	book_make_dir(dir);
	db_path(dir, path);
	assert_int_equal(backup_restore(dir, file, &came_back), ERR_OK);
	assert_string_equal(kept, "");
	assert_int_equal(db_open(&db, dir, NULL), ERR_OK);
	db_close(&db);
	is_sound(path);
	assert_int_equal(files_of(dir, "secret.key*"), 0); /* this book had no key */
	assert_false(came_back.key);
	book_remove_dir(dir);
}

/* Every link that was sent is signed with it. */
static void the_key_comes_back_with_the_book(void **state)
{
	struct book *b = *state;
	char dir[64], key[4200], bytes[33] = "0123456789abcdef0123456789abcdef", *got;
	size_t n;

	snprintf(key, sizeof key, "%s/secret.key", b->dir);
	book_write_file(key, bytes, 32);
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	book_make_dir(dir);
	assert_int_equal(backup_restore(dir, file, &came_back), ERR_OK);
	assert_true(came_back.key && *came_back.made_at);
	snprintf(key, sizeof key, "%s/secret.key", dir);
	got = book_read_file(key, &n);
	assert_int_equal(n, 32);
	assert_memory_equal(got, bytes, 32);
	free(got);
	/* Another key gives way and is kept; the book itself does not carry it on. */
	bytes[0] = 'x';
	book_write_file(key, bytes, 32);
	assert_int_equal(backup_restore(dir, file, &came_back), ERR_OK);
	assert_int_equal(files_of(dir, "secret.key*"), 2);
	assert_int_equal(files_of(dir, "secret.key.before-restore-*"), 1);
	got = book_read_file(key, &n);
	assert_int_equal(got[0], '0');
	free(got);
	db_path(dir, key);
	got = book_read_file(key, &n);
	assert_null(memmem(got, n, "0123456789abcdef0123456789abcdef", 32));
	free(got);
	is_sound(key);
	book_remove_dir(dir);
}

/* The wrong backup was restored; the book before it comes back with the key before it. */
static void the_book_before_comes_back_with_its_own_key(void **state)
{
	struct book *b = *state;
	char key[4200], mistake[4400], *got;
	size_t n;

	snprintf(key, sizeof key, "%s/secret.key", b->dir);
	book_write_file(key, "the key of some other restaurant", 32);
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	book_write_file(key, "the key of this one, links are..", 32);
	add_users(b, 3);
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
	snprintf(mistake, sizeof mistake, "%s", kept);
	assert_int_equal(backup_restore(b->dir, mistake, &came_back), ERR_OK);
	assert_true(came_back.key);
	assert_int_equal(users_in(b->path), 5);
	got = book_read_file(key, &n);
	assert_memory_equal(got, "the key of this one, links are..", 32);
	free(got);
}

/* Restoring from `file` says e, and neither the book nor the directory has changed. */
static void changes_nothing(struct book *b, enum err e)
{
	int files = files_like(b, "*");
	size_t before_n, after_n;
	char *before = book_read_file(b->path, &before_n), *after;

	assert_int_equal(backup_restore(b->dir, file, &came_back), e);
	assert_string_equal(kept, "");
	after = book_read_file(b->path, &after_n);
	assert_int_equal(before_n, after_n);
	assert_memory_equal(before, after, before_n);
	assert_int_equal(files_like(b, "*"), files);
	free(before);
	free(after);
	assert_int_equal(users_in(b->path), 2);
}

static void a_restore_that_the_disk_stops_at_once_is_undone(void **state)
{
	struct book *b = *state;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	setenv("JARI_FAILPOINT", "swap.keep:fail", 1);
	changes_nothing(b, ERR_BOOK_UNWRITABLE);
	unsetenv("JARI_FAILPOINT");
	add_users(b, 1); /* the old book is served on */
	assert_int_equal(users_in(b->path), 3);
}

/* What would be written now into the old book would be lost with it. */
static void no_process_writes_until_a_restore_that_was_begun_is_finished(void **state)
{
	struct book *b = *state;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	book_open(b);
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
	setenv("JARI_FAILPOINT", "swap.put:fail", 1);
	assert_int_equal(backup_restore_serving(&b->hall, b->dir, file, false, &came_back), ERR_RESTORE_BEGUN);
	assert_int_equal(book_add_guest(&b->db), ERR_BOOK_UNWRITABLE);
	assert_int_equal(book_add_guest(&b->db), ERR_BOOK_UNWRITABLE); /* not only the first who tries */
	assert_int_equal(writes_fault(b->hall.writes), ERR_RESTORE_BEGUN);
	unsetenv("JARI_FAILPOINT");
	assert_int_equal(book_add_guest(&b->db), ERR_BOOK_GONE); /* this one has finished it */
	book_close(b);
	add_users(b, 1);
	assert_int_equal(users_in(b->path), 3);
	assert_int_equal(users_in(kept), 3);
}

static void wait_for_stop(pid_t kid)
{
	int status;

	assert_int_equal(waitpid(kid, &status, WUNTRACED), kid);
	assert_true(WIFSTOPPED(status));
}

static pid_t stopped(int (*run)(void *), const char *point)
{
	pid_t kid;

	setenv("JARI_FAILPOINT", point, 1);
	kid = kid_start(run, NULL);
	unsetenv("JARI_FAILPOINT");
	wait_for_stop(kid);
	return kid;
}

static int make_another(void *arg)
{
	char other[4300];

	(void)arg;
	snprintf(other, sizeof other, "%s.2", file);
	return (int)backup_make(talk->book->dir, other);
}

static void a_backup_beside_a_restore_has_one_book_with_its_own_key(void **state)
{
	struct book *b = *state;
	char key[4200], other[4300];
	sqlite3 *plain;
	pid_t kid;

	snprintf(key, sizeof key, "%s/secret.key", b->dir);
	snprintf(other, sizeof other, "%s.2", file);
	book_write_file(key, "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn", 32);
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	book_write_file(key, "oooooooooooooooooooooooooooooooo", 32);
	add_users(b, 3);
	talk = kid_share(sizeof *talk);
	talk->book = b;
	kid = stopped(make_another, "backup.copied:stop");
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
	kill(kid, SIGCONT);
	assert_int_equal(kid_end(kid), 0);
	kid_unshare(talk, sizeof *talk);
	plain = book_plain(other);
	assert_int_equal(book_int(plain, "SELECT hex(secret_key) LIKE '6E%%' FROM jari_backup"), 1);
	assert_int_equal(book_int(plain, "SELECT count(*) FROM users"), 2);
	sqlite3_close(plain);
}

static int open_and_write(void *arg)
{
	struct db db;
	enum err e = db_open(&db, talk->book->dir, &talk->book->hall);

	(void)arg;
	if (e == ERR_OK)
		e = book_add_guest(&db);
	return (int)e;
}

static int restore_it(void *arg)
{
	(void)arg;
	return (int)backup_restore_serving(&talk->book->hall, talk->book->dir, file, false, &came_back);
}

/* It opens the new book in the middle of the exchange, and the log that it opened with it is removed. */
static void who_opens_the_book_in_an_exchange_opens_it_again(void **state)
{
	struct book *b = *state;
	char fuse[4200];
	pid_t opens, restores;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	snprintf(fuse, sizeof fuse, "%s/fuse", b->dir);
	book_write_file(fuse, "", 0);
	talk = kid_share(sizeof *talk);
	talk->book = b;
	setenv("JARI_FAILPOINT_FUSE", fuse, 1);
	opens = stopped(open_and_write, "db.open:stop");
	unsetenv("JARI_FAILPOINT_FUSE");
	restores = stopped(restore_it, "swap.between:stop");
	book_write_file(fuse, "", 0);
	kill(opens, SIGCONT);
	wait_for_stop(opens);
	kill(restores, SIGCONT);
	assert_int_equal(kid_end(restores), ERR_OK);
	kill(opens, SIGCONT);
	assert_int_equal(kid_end(opens), ERR_OK);
	kid_unshare(talk, sizeof *talk);
	assert_int_equal(users_in(b->path), 3);
}

static char shared[64];

/* Another user, in these groups. */
static enum err restore_as(gid_t group)
{
	char name[4300];

	snprintf(name, sizeof name, "%s/backup.db", shared);
	if (setgroups(1, &group) != 0 || setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0)
		return ERR_INTERNAL;
	return backup_restore(shared, name, &came_back);
}

static int restore_as_member(void *arg)
{
	(void)arg;
	return (int)restore_as(60);
}

static int restore_as_stranger(void *arg)
{
	(void)arg;
	return (int)restore_as(65534);
}

/* A folder of user 1 and group 60, with a book, another key, and the backup. */
static void lay_shared(struct book *b, mode_t mode)
{
	char name[4200];
	glob_t g;

	book_make_dir(shared);
	snprintf(name, sizeof name, "%s/secret.key", b->dir);
	book_write_file(name, "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn", 32);
	snprintf(name, sizeof name, "%s/backup.db", shared);
	assert_int_equal(backup_make(b->dir, name), ERR_OK);
	assert_int_equal(backup_restore(shared, name, &came_back), ERR_OK);
	snprintf(name, sizeof name, "%s/secret.key", shared);
	book_write_file(name, "oooooooooooooooooooooooooooooooo", 32);
	snprintf(name, sizeof name, "%s/*", shared);
	assert_int_equal(glob(name, 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++)
		assert_true(chown(g.gl_pathv[i], 1, 60) == 0 && chmod(g.gl_pathv[i], 0666) == 0);
	globfree(&g);
	assert_true(chown(shared, 1, 60) == 0 && chmod(shared, mode) == 0);
}

static void a_book_that_one_of_the_group_restores_is_still_the_groups(void **state)
{
	static const char *const names[] = {"jari.db", "secret.key"};
	struct stat st;
	char path[4200];

	if (geteuid() != 0)
		skip();
	lay_shared(*state, 0770);
	assert_int_equal(kid_run(restore_as_member, NULL), ERR_OK);
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/%s", shared, names[i]);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_uid, 65534);
		assert_int_equal(st.st_gid, 60);
		assert_int_equal(st.st_mode & 0777, 0660);
	}
	book_remove_dir(shared);
}

static void who_would_lock_the_owner_out_restores_nothing(void **state)
{
	struct stat st;
	char path[4200];

	if (geteuid() != 0)
		skip();
	lay_shared(*state, 0777);
	assert_int_equal(kid_run(restore_as_stranger, NULL), ERR_BOOK_OF_ANOTHER);
	snprintf(path, sizeof path, "%s/jari.db", shared);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_uid, 1);
	assert_int_equal(files_of(shared, "*.restored*"), 0);
	book_remove_dir(shared);
}

static void what_is_no_book_is_not_restored(void **state)
{
	struct book *b = *state;
	sqlite3 *other;

	changes_nothing(b, ERR_BOOK_UNWRITABLE); /* there is no such file */
	book_write_file(file, "a letter of some length, which nobody would take for a database at all", 70);
	changes_nothing(b, ERR_BOOK_FOREIGN);
	unlink(file);
	other = book_plain(file);
	book_exec(other, "CREATE TABLE t (x)");
	sqlite3_close(other);
	changes_nothing(b, ERR_BOOK_FOREIGN);
}

static void a_newer_backup_is_not_restored(void **state)
{
	struct book *b = *state;
	sqlite3 *newer;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	newer = book_plain(file);
	book_exec(newer, "PRAGMA user_version=%d", DB_VERSION + 1);
	sqlite3_close(newer);
	changes_nothing(b, ERR_BOOK_NEWER);
}

static int hold_the_pen(void *arg)
{
	(void)arg;
	if (hall_take_pen(&talk->book->hall, 1000) != ERR_OK)
		return 1;
	atomic_store(&talk->written, 1);
	while (!atomic_load(&talk->stop))
		usleep(1000);
	hall_pass_pen(&talk->book->hall);
	return 0;
}

/* While it serves: the long part does not need the pen, and a book with reservations is left alone if told so. */
static void a_served_book_gives_way_with_the_pen_only(void **state)
{
	struct book *b = *state;
	sqlite3 *old;
	pid_t kid;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	talk = kid_share(sizeof *talk);
	talk->book = b;
	kid = kid_start(hold_the_pen, NULL);
	assert_true(kid_wait(&talk->written));
	assert_int_equal(backup_restore_serving(&b->hall, b->dir, "/etc/hostname", false, &came_back), ERR_BOOK_FOREIGN);
	assert_int_equal(atomic_load(&talk->stop), 0); /* it had the pen all the while */
	atomic_store(&talk->stop, 1);
	assert_int_equal(kid_end(kid), 0);
	kid_unshare(talk, sizeof *talk);
	assert_int_equal(backup_restore_serving(&b->hall, b->dir, file, true, &came_back), ERR_OK);
	old = book_plain(b->path);
	book_slot(old, 1, "2031-05-06", "18:00", 40);
	book_reservation(old, 1, 1, 1, 2, "CONFIRMED", "");
	sqlite3_close(old);
	assert_int_equal(backup_restore_serving(&b->hall, b->dir, file, true, &came_back), ERR_BOOK_IN_USE);
	old = book_plain(b->path);
	assert_int_equal(book_int(old, "SELECT count(*) FROM reservations"), 1);
	sqlite3_close(old);
	assert_int_equal(files_like(b, "*.restored*"), 0);
	assert_int_equal(backup_restore_serving(&b->hall, b->dir, file, false, &came_back), ERR_OK);
}

/* A new box runs a newer jari than the one that made the backup; and workers do not open an old book. */
static void an_older_backup_comes_back_as_a_book_of_today(void **state)
{
	struct book *b = *state;
	sqlite3 *older = book_make_version(file, 2);

	book_exec(older, "INSERT INTO users (user_id, user_type, name, phone) VALUES (11, 'GUEST', '김하나', '01011112222')");
	sqlite3_close(older);
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
	book_open(b);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM users WHERE name = '김하나'"), 1);
	assert_int_equal(book_int(b->db.handle, "PRAGMA user_version"), DB_VERSION);
	book_close(b);
	is_sound(b->path);
	assert_int_equal(files_like(b, "*.restored*"), 0);
	older = book_plain(file);
	assert_int_equal(book_int(older, "PRAGMA user_version"), 2); /* the backup itself is as it was */
	sqlite3_close(older);
}

/* By the book's clock, to the second: a reservation of this noon is not upcoming in the evening. */
static void upcoming_is_what_begins_after_now(void **state)
{
	static const struct {
		const char *now;
		int upcoming;
	} at[] = {{"2031-05-01T02:50:00Z", 2},
		  {"2031-05-01T03:00:00Z", 1},
		  {"2031-05-01T18:00:00Z", 1},
		  {"2031-05-03T00:00:00Z", 0}};
	struct book *b = *state;
	char shift[24];
	int64_t then = 0;

	book_open(b);
	book_slot(b->db.handle, 901, "2031-05-01", "12:00", 10);
	book_slot(b->db.handle, 902, "2031-05-02", "12:00", 10);
	for (int i = 1; i <= 2; i++)
		book_reservation(b->db.handle, i, 900 + i, 1, 2, "CONFIRMED", "");
	book_close(b);
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
		unsetenv("JARI_CLOCK_SHIFT");
		assert_true(clock_parse_iso(at[i].now, &then));
		snprintf(shift, sizeof shift, "%lld", (long long)(then - clock_now_s()));
		setenv("JARI_CLOCK_SHIFT", shift, 1);
		assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
		assert_int_equal(came_back.upcoming, at[i].upcoming);
		assert_int_equal(came_back.reservations, 2);
	}
	unsetenv("JARI_CLOCK_SHIFT");
}

static void a_damaged_backup_is_not_restored(void **state)
{
	struct book *b = *state;
	char *bytes;
	size_t n;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	bytes = book_read_file(file, &n);
	book_write_file(file, bytes, n / 2); /* cut off */
	changes_nothing(b, ERR_BOOK_DAMAGED);
	for (size_t page = 5; page < n / DB_PAGE_SIZE; page++)
		memset(bytes + page * DB_PAGE_SIZE, 0x5A, 16);
	book_write_file(file, bytes, n);
	changes_nothing(b, ERR_BOOK_DAMAGED);
	free(bytes);
}

/* On the box that took over: an older backup comes back, and the box of before must still learn that it was replaced. */
static void a_backup_from_before_a_takeover_keeps_the_takeover(void **state)
{
	struct book *b = *state;
	struct takeover_book taken, now;
	sqlite3 *plain;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	assert_int_equal(backup_take_over(b->dir, file, &came_back), ERR_OK);
	assert_int_equal(takeover_look_at_book(b->dir, &taken), ERR_OK);
	assert_int_equal(taken.epoch, 1);
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
	assert_int_equal(takeover_look_at_book(b->dir, &now), ERR_OK);
	assert_int_equal(now.epoch, 1);
	assert_string_equal(now.taken_at, taken.taken_at);
	assert_int_equal(now.last_reservation, taken.last_reservation);
	/* Also the first number behind the gap was given, and no list begins anew. */
	plain = book_plain(b->path);
	assert_int_equal(book_int(plain, "SELECT count(*) FROM takeovers t, _lost_numbers l WHERE t.first_reservation >"
					 " l.last_reservation AND t.first_reservation < l.first_reservation"),
			 1);
	assert_int_equal(
		book_int(plain, "SELECT count(*) FROM sqlite_sequence WHERE name = 'door_parties' AND seq >= %d", TAKEOVER_GAP),
		1);
	sqlite3_close(plain);
}

static void a_damaged_book_gives_way_to_a_backup_and_is_kept(void **state)
{
	struct book *b = *state;
	char garbage[9000], log[4500];
	char *bytes;
	size_t n;

	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	memset(garbage, 'x', sizeof garbage);
	book_write_file(b->path, garbage, sizeof garbage);
	snprintf(log, sizeof log, "%s-wal", b->path);
	book_write_file(log, garbage, sizeof garbage);
	assert_int_equal(backup_restore(b->dir, file, &came_back), ERR_OK);
	bytes = book_read_file(kept, &n);
	assert_int_equal(n, sizeof garbage);
	assert_memory_equal(bytes, garbage, n);
	free(bytes);
	snprintf(log, sizeof log, "%s-wal", kept);
	assert_int_equal(access(log, F_OK), 0); /* a reader may yet need it */
	assert_int_equal(users_in(b->path), 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_backup_is_a_whole_book_by_itself),
		TEST(a_backup_replaces_an_older_one_at_once),
		TEST(a_backup_that_fails_leaves_nothing_and_keeps_the_old_one),
		TEST(guests_go_on_while_a_backup_is_made),
		TEST(a_restored_book_is_the_backup_and_opens),
		TEST(the_book_that_was_replaced_is_kept_whole),
		TEST(restoring_twice_in_a_second_keeps_both),
		TEST(a_book_can_be_made_from_a_backup_alone),
		TEST(a_restore_that_the_disk_stops_at_once_is_undone),
		TEST(no_process_writes_until_a_restore_that_was_begun_is_finished),
		TEST(a_backup_beside_a_restore_has_one_book_with_its_own_key),
		TEST(who_opens_the_book_in_an_exchange_opens_it_again),
		TEST(a_book_that_one_of_the_group_restores_is_still_the_groups),
		TEST(who_would_lock_the_owner_out_restores_nothing),
		TEST(what_is_no_book_is_not_restored),
		TEST(a_newer_backup_is_not_restored),
		TEST(an_older_backup_comes_back_as_a_book_of_today),
		TEST(upcoming_is_what_begins_after_now),
		TEST(a_served_book_gives_way_with_the_pen_only),
		TEST(a_damaged_backup_is_not_restored),
		TEST(the_key_comes_back_with_the_book),
		TEST(the_book_before_comes_back_with_its_own_key),
		TEST(a_backup_from_before_a_takeover_keeps_the_takeover),
		TEST(a_damaged_book_gives_way_to_a_backup_and_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
