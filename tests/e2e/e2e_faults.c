/*
 * e2e_faults.c - a book that is missing, foreign, newer, damaged, locked, or on a disk that is full or
 * read-only: a clear sentence or a 503, nothing lost, never a crash.
 */
#include "appliance.h"
#include "guests.h"

#include "hall.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static struct appliance box;
static struct ran ran;

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	return 0;
}

static int tear_down(void **state)
{
	char base[sizeof box.base];

	(void)state;
	memcpy(base, box.base, sizeof base);
	appliance_free(&box);
	umount2(box.dir, MNT_DETACH);
	rmdir(box.dir);
	rmdir(base);
	return 0;
}

/* ---- helpers ---- */

static void make_book(void)
{
	appliance_run(&box, &ran, NULL, "init", "--demo", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
}

static void book_path(char out[APPLIANCE_PATH])
{
	appliance_path(&box, "run/jari.db", out);
}

static void remove_log(void)
{
	char path[APPLIANCE_PATH];

	appliance_path(&box, "run/jari.db-wal", path);
	unlink(path);
	appliance_path(&box, "run/jari.db-shm", path);
	unlink(path);
}

/* The last command ended by itself with 1 and said so on standard error in a sentence, not in SQLite's words alone. */
static void expect_sentence(const char *words)
{
	if (ran.exit != 1 || !strstr(ran.err, words) || !strstr(ran.err, "jari: "))
		fail_msg("exit %d, not a sentence with \"%s\": %s", ran.exit, words, ran.err);
}

/* Every command that opens the book, one after the other. */
static void every_command_says(const char *words)
{
	char port[16], copy[APPLIANCE_PATH];

	appliance_path(&box, "copy.db", copy);
	snprintf(port, sizeof port, "%d", appliance_free_port());
	appliance_run(&box, &ran, NULL, "up", "--demo", "--dir", box.dir, "--port", port, "--bind", "127.0.0.1", NULL);
	expect_sentence(words);
	appliance_run(&box, &ran, NULL, "serve", "--dir", box.dir, NULL);
	expect_sentence(words);
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	expect_sentence(words);
	appliance_run(&box, &ran, NULL, "backup", "--same-disk", copy, "--dir", box.dir, NULL);
	expect_sentence(words);
	appliance_run(&box, &ran, NULL, "staff", "list", "--dir", box.dir, NULL);
	expect_sentence(words);
	assert_int_not_equal(access(copy, F_OK), 0);
}

/* Puts bytes in the book's place and remembers them. */
static void spoil_book(const char *bytes, size_t n)
{
	char path[APPLIANCE_PATH];
	FILE *f;

	book_path(path);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
	remove_log();
}

static void expect_bytes(const char *bytes, size_t n)
{
	static char now[1 << 20];
	char path[APPLIANCE_PATH];
	FILE *f;

	book_path(path);
	f = fopen(path, "re");
	assert_non_null(f);
	assert_int_equal(fread(now, 1, sizeof now, f), n);
	fclose(f);
	assert_memory_equal(now, bytes, n);
}

static void expect_503(const struct http_answer *a, const char *code)
{
	char text[HTTP_TEXT];

	if (a->status != 503)
		fail_msg("%d: %s", a->status, a->body);
	assert_string_equal(http_text(a, "code", text), code);
	assert_true(http_header_has(a, "Retry-After", ""));
}

/* ---- the wrong file ---- */

static void a_missing_book_is_told_and_not_made_by_serve(void **state)
{
	char path[APPLIANCE_PATH];

	(void)state;
	appliance_run(&box, &ran, NULL, "serve", "--dir", box.dir, NULL);
	expect_sentence("`jari init` makes a book");
	make_book();
	book_path(path);
	assert_int_equal(unlink(path), 0);
	remove_log();
	appliance_run(&box, &ran, NULL, "serve", "--dir", box.dir, NULL);
	expect_sentence("there is no book in");
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	expect_sentence("No such file");
	appliance_run(&box, &ran, NULL, "backup", "--same-disk", "copy.db", "--dir", box.dir, NULL);
	expect_sentence("no backup was made");
	appliance_run(&box, &ran, NULL, "restore", path, "--dir", box.dir, NULL);
	expect_sentence("No such file");
	assert_int_not_equal(access(path, F_OK), 0);
}

static void a_foreign_database_is_left_alone(void **state)
{
	static char bytes[1 << 20];
	char path[APPLIANCE_PATH];
	sqlite3 *db;
	FILE *f;
	size_t n;

	(void)state;
	make_book();
	book_path(path);
	assert_int_equal(unlink(path), 0);
	remove_log();
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "CREATE TABLE cookbook (recipe TEXT); PRAGMA user_version=1", NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	f = fopen(path, "re");
	assert_non_null(f);
	n = fread(bytes, 1, sizeof bytes, f);
	fclose(f);
	every_command_says("This file is not a jari book.");
	expect_bytes(bytes, n);
}

static void a_file_of_garbage_is_left_alone(void **state)
{
	static char bytes[20000];

	(void)state;
	make_book();
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i * 7 + 1);
	spoil_book(bytes, sizeof bytes);
	every_command_says("This file is not a jari book.");
	expect_bytes(bytes, sizeof bytes);
}

static void a_newer_book_is_left_alone(void **state)
{
	(void)state;
	make_book();
	appliance_sql(&box, "PRAGMA user_version=9999");
	every_command_says("This book was written by a newer jari.");
	assert_int_equal(appliance_number(&box, "PRAGMA user_version"), 9999);
}

/* Half a book still has its head, so only a look at its pages shows the damage. */
static void a_book_cut_in_half_is_found_damaged(void **state)
{
	char path[APPLIANCE_PATH], copy[APPLIANCE_PATH];
	const struct http_answer *a;
	sqlite3 *db;
	struct stat st;

	(void)state;
	appliance_up_cgi(&box);
	db = appliance_book(&box);
	assert_int_equal(sqlite3_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	remove_log();
	book_path(path);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size / 2 / 4096 * 4096), 0);
	appliance_run(&box, &ran, NULL, "check", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 1);
	assert_true(strstr(ran.out, "WRONG") || strstr(ran.err, "problem"));
	appliance_path(&box, "copy.db", copy);
	appliance_run(&box, &ran, NULL, "backup", "--same-disk", copy, "--dir", box.dir, NULL);
	expect_sentence("no backup was made");
	assert_int_not_equal(access(copy, F_OK), 0);
	appliance_run(&box, &ran, NULL, "restore", path, "--dir", box.dir, NULL);
	expect_sentence("nothing was changed");
	a = http_get(box.port, "/api/restaurants/1");
	if (a->status != 200) /* when what it tells lay in the half that is left */
		expect_503(a, "BOOK_DAMAGED");
}

static void what_cannot_be_restored_changes_nothing(void **state)
{
	char path[APPLIANCE_PATH];
	int64_t users;

	(void)state;
	make_book();
	users = appliance_number(&box, "SELECT count(*) FROM users");
	appliance_path(&box, "garbage", path);
	appliance_write(path, "this is no database, and it is long enough to be looked at twice");
	appliance_run(&box, &ran, NULL, "restore", path, "--dir", box.dir, NULL);
	expect_sentence("nothing was changed");
	appliance_run(&box, &ran, NULL, "restore", "/no-such-place/backup.db", "--dir", box.dir, NULL);
	expect_sentence("No such file");
	appliance_run(&box, &ran, NULL, "backup", "/no-such-place/backup.db", "--dir", box.dir, NULL);
	expect_sentence("no backup was made");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users"), users);
	appliance_check(&box);
}

/* A plain CGI program meets a bad book at a request, when it can tell only the guest. */
static void a_bad_book_under_cgi_is_a_503(void **state)
{
	char path[APPLIANCE_PATH], aside[APPLIANCE_PATH];
	sqlite3 *db;

	(void)state;
	appliance_up_cgi(&box);
	db = appliance_book(&box);
	assert_int_equal(sqlite3_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	book_path(path);
	appliance_path(&box, "aside.db", aside);
	assert_int_equal(rename(path, aside), 0);
	expect_503(http_get(box.port, "/healthz"), "BOOK_GONE");
	expect_503(http_ask(box.port, guests_newcomer()), "BOOK_GONE");
	assert_int_not_equal(access(path, F_OK), 0);
	appliance_write(path, "this is no database, and it is long enough to be looked at twice; more than a hundred bytes");
	expect_503(http_get(box.port, "/api/restaurants/1"), "BOOK_FOREIGN");
	assert_int_equal(rename(aside, path), 0);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	appliance_down(&box);
}

/* ---- a foreign lock ---- */

static void a_foreign_writer_delays_writes_but_no_read(void **state)
{
	const struct http_answer *a;
	char ticket[HTTP_TEXT], path[HTTP_TEXT + 20], text[HTTP_TEXT];
	int64_t users, from;
	sqlite3 *db;

	(void)state;
	appliance_up(&box, 4);
	users = appliance_number(&box, "SELECT count(*) FROM users");
	db = appliance_book(&box);
	assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
	a = http_ask(box.port, guests_newcomer());
	assert_true(http_header_has(a, "Retry-After", ""));
	http_text(a, "ticket", ticket);
	if (a->status != 429 || strcmp(http_text(a, "code", text), "WAITING") != 0)
		expect_503(a, "BOOK_BUSY");
	from = appliance_now_ms();
	for (int i = 0; i < 20; i++)
		assert_int_equal(http_get(box.port, "/api/restaurants/1")->status, 200);
	assert_true(appliance_now_ms() - from < 8000); /* had each waited for the book: forty seconds */
	assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	/* Who was told to wait is served now, once; who was refused is not. */
	snprintf(path, sizeof path, "/api/tickets/%s", ticket);
	if (*ticket)
		WITHIN(5000, http_get(box.port, path)->status == 201);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users"), users + (*ticket ? 1 : 0));
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	appliance_down(&box);
}

/* ---- the shared memory ---- */

/* Without a pen that all share no process may write; what is in the book can be read all the same. */
static void without_a_hall_reads_go_on_and_writes_are_a_503(void **state)
{
	char id[APPLIANCE_PATH], aside[APPLIANCE_PATH];
	static struct hall hall;
	pid_t before[8], after[8];
	int64_t users;

	(void)state;
	appliance_up(&box, 4);
	assert_int_equal(appliance_pids(&box, BOARD_WORKER, before, 8), 4);
	users = appliance_number(&box, "SELECT count(*) FROM users");
	appliance_path(&box, "run/hall.id", id);
	appliance_path(&box, "aside", aside);
	assert_int_equal(hall_attach(&hall, box.dir), ERR_OK);
	assert_int_equal(rename(id, aside), 0);
	assert_int_equal(mkdir(id, 0700), 0); /* not even root opens a folder for writing */
	hall_remove(&hall);
	hall_detach(&hall);
	for (int i = 0; i < 12; i++) { /* every worker has its turn */
		assert_int_equal(http_get(box.port, "/api/restaurants/1")->status, 200);
		expect_503(http_get(box.port, "/healthz"), "NO_MEMORY");
		expect_503(http_ask(box.port, guests_newcomer()), "NO_MEMORY");
	}
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users"), users);
	assert_int_equal(rmdir(id), 0);
	assert_int_equal(rename(aside, id), 0);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users"), users + 1);
	WITHIN(3000, appliance_pids(&box, BOARD_WORKER, after, 8) == 4);
	assert_memory_equal(before, after, 4 * sizeof before[0]); /* seated anew; no process died of it */
	appliance_down(&box);
}

/* ---- the disk ---- */

/* Mounts stay in a namespace of this process, and end with it. */
static bool mounts_allowed(void)
{
	static int allowed = -1;

	if (allowed < 0)
		allowed = unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
	return allowed;
}

static void mount_small_disk(void)
{
	if (!mounts_allowed())
		skip();
	assert_int_equal(mkdir(box.dir, 0700), 0);
	if (mount("jari-e2e", box.dir, "tmpfs", 0, "size=3m") != 0)
		skip();
}

/* Takes every byte that is left. */
static void fill_disk(const char *path)
{
	static const char block[4096];
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	while (write(fd, block, sizeof block) > 0)
		;
	assert_int_equal(errno, ENOSPC);
	close(fd);
}

static void a_full_disk_is_a_503_and_passes(void **state)
{
	char ballast[APPLIANCE_PATH];
	int64_t users;
	int saved = 0;

	(void)state;
	mount_small_disk();
	appliance_up(&box, 4);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	appliance_path(&box, "run/ballast", ballast);
	fill_disk(ballast);
	users = appliance_number(&box, "SELECT count(*) FROM users");
	for (int i = 0; i < 10; i++) {
		const struct http_answer *a = http_ask(box.port, guests_newcomer());

		if (a->status == 201)
			saved++; /* the last pages that were left */
		else
			expect_503(a, "BOOK_UNWRITABLE");
	}
	assert_true(saved < 5);
	assert_int_equal(http_get(box.port, "/api/restaurants/1")->status, 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users"), users + saved);
	assert_int_equal(unlink(ballast), 0);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users"), users + saved + 1);
	appliance_down(&box);
}

static bool unwell(const char *code)
{
	const struct http_answer *a = http_get(box.port, "/healthz");
	char text[HTTP_TEXT];

	return a->status == 503 && strcmp(http_text(a, "code", text), code) == 0 && *http_text(a, "message", text);
}

static bool metric_is(const char *line)
{
	return strstr(http_get(box.port, "/metrics")->body, line) != NULL;
}

/* No guest books meanwhile: the keeper notices by itself, and that it is over as well. */
static void health_tells_of_a_full_disk_and_of_its_end(void **state)
{
	char ballast[APPLIANCE_PATH];

	(void)state;
	mount_small_disk();
	appliance_up(&box, 2);
	WITHIN(5000, http_get(box.port, "/healthz")->status == 200);
	assert_true(metric_is("\njari_writable 1\n"));
	appliance_path(&box, "run/ballast", ballast);
	fill_disk(ballast);
	WITHIN(10000, unwell("DISK_FULL"));
	assert_true(metric_is("\njari_writable 0\n"));
	assert_int_equal(unlink(ballast), 0);
	WITHIN(20000, http_get(box.port, "/healthz")->status == 200);
	assert_true(metric_is("\njari_writable 1\n"));
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	appliance_down(&box);
}

/* A file system of its own that can be turned read-only under open files, as the kernel does after an error. */
static void mount_ext4(void)
{
	char image[APPLIANCE_PATH], command[5 * APPLIANCE_PATH];

	if (!mounts_allowed())
		skip();
	appliance_path(&box, "image", image);
	assert_int_equal(mkdir(box.dir, 0700), 0);
	snprintf(command, sizeof command,
		 "exec >/dev/null 2>&1; truncate -s 24M %s && mkfs.ext4 -q -E lazy_itable_init=0 %s && mount -o loop %s %s",
		 image, image, image, box.dir);
	if (system(command) != 0)
		skip(); /* this machine has no loop device to give */
}

static void health_tells_of_a_disk_that_turned_read_only(void **state)
{
	(void)state;
	mount_ext4();
	appliance_up(&box, 2);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	WITHIN(5000, http_get(box.port, "/healthz")->status == 200);
	if (mount(NULL, box.dir, NULL, MS_REMOUNT, "abort") != 0)
		skip();
	/* Some kernels show it at once and others at the first write only; no request is told that all is well after that. */
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 503);
	assert_int_equal(http_get(box.port, "/healthz")->status, 503);
	WITHIN(10000, unwell("DISK_READ_ONLY"));
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 503);
	assert_true(unwell("DISK_READ_ONLY"));
	assert_true(metric_is("\njari_writable 0\n"));
}

static void on_a_full_disk_no_command_crashes(void **state)
{
	char ballast[APPLIANCE_PATH], copy[APPLIANCE_PATH], port[16];

	(void)state;
	mount_small_disk();
	make_book();
	appliance_path(&box, "run/ballast", ballast);
	appliance_path(&box, "run/copy.db", copy);
	fill_disk(ballast);
	appliance_run(&box, &ran, NULL, "backup", "--same-disk", copy, "--dir", box.dir, NULL);
	expect_sentence("no backup was made");
	assert_int_not_equal(access(copy, F_OK), 0);
	appliance_run(&box, &ran, NULL, "staff", "add", "a@example.com", "A", "--password", "long enough", "--dir", box.dir,
		      NULL);
	expect_sentence("Nothing can be saved just now");
	snprintf(port, sizeof port, "%d", appliance_free_port());
	appliance_run(&box, &ran, NULL, "up", "--demo", "--dir", box.dir, "--port", port, "--bind", "127.0.0.1", NULL);
	expect_sentence("jari: ");
	assert_int_equal(unlink(ballast), 0);
	appliance_check(&box);
}

static void a_new_book_on_a_full_disk_is_refused(void **state)
{
	char ballast[APPLIANCE_PATH];

	(void)state;
	mount_small_disk();
	appliance_path(&box, "run/ballast", ballast);
	fill_disk(ballast);
	appliance_run(&box, &ran, NULL, "init", "--demo", "--dir", box.dir, NULL);
	expect_sentence("Nothing can be saved just now");
	assert_int_equal(unlink(ballast), 0);
	make_book();
	appliance_check(&box);
}

static void remount(unsigned long flags)
{
	if (mount(NULL, box.dir, NULL, MS_REMOUNT | flags, "size=3m") != 0)
		fail_msg("remount: %s", strerror(errno));
}

static void on_a_read_only_disk_every_command_says_so(void **state)
{
	char port[16];

	(void)state;
	mount_small_disk();
	make_book();
	remount(MS_RDONLY);
	snprintf(port, sizeof port, "%d", appliance_free_port());
	appliance_run(&box, &ran, NULL, "up", "--demo", "--dir", box.dir, "--port", port, "--bind", "127.0.0.1", NULL);
	expect_sentence("Nothing can be saved just now");
	appliance_run(&box, &ran, NULL, "serve", "--dir", box.dir, NULL);
	expect_sentence("cannot be written");
	appliance_run(&box, &ran, NULL, "staff", "add", "a@example.com", "A", "--password", "long enough", "--dir", box.dir,
		      NULL);
	expect_sentence("Nothing can be saved just now");
	remount(0);
	appliance_check(&box);
}

/* Plain CGI opens the book anew for every request, so that it meets the change at once. */
static void a_folder_that_turns_read_only_is_a_503_and_passes(void **state)
{
	int64_t users;

	(void)state;
	if (!mounts_allowed())
		skip();
	appliance_up_cgi(&box);
	users = appliance_number(&box, "SELECT count(*) FROM users");
	if (mount(box.dir, box.dir, NULL, MS_BIND, NULL) != 0 ||
	    mount(NULL, box.dir, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) != 0)
		skip();
	expect_503(http_ask(box.port, guests_newcomer()), "BOOK_UNWRITABLE");
	WITHIN(5000, umount2(box.dir, 0) == 0); /* the process of that request may not be gone yet */
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users"), users + 1);
	appliance_down(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_missing_book_is_told_and_not_made_by_serve, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_foreign_database_is_left_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_of_garbage_is_left_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_newer_book_is_left_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_book_cut_in_half_is_found_damaged, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_cannot_be_restored_changes_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_bad_book_under_cgi_is_a_503, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_foreign_writer_delays_writes_but_no_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_a_hall_reads_go_on_and_writes_are_a_503, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_full_disk_is_a_503_and_passes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(health_tells_of_a_full_disk_and_of_its_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(health_tells_of_a_disk_that_turned_read_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(on_a_full_disk_no_command_crashes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_new_book_on_a_full_disk_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(on_a_read_only_disk_every_command_says_so, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_folder_that_turns_read_only_is_a_503_and_passes, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
