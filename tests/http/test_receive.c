/*
 * test_receive.c - what the spare takes, and what it refuses: a copy that is cut, foreign, strange or past.
 *
 * A child is the spare; the test is the other box, honest or not.
 */
#include "receive.h"

#include "backup.h"
#include "book.h"
#include "clock.h"
#include "log.h"
#include "parcel.h"
#include "role.h"
#include "takeover.h"
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOON_MS = 20000 };

static char spare[200], file[4200];
static struct wire wire;
static pid_t pid;

static void hang_up(void)
{
	int status;

	if (pid <= 0)
		return;
	close(wire.in);
	close(wire.out);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	pid = 0;
}

static void call(void)
{
	int in[2], out[2];

	hang_up();
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(in[1]);
		close(out[0]);
		log_level_set(LOG_NONE);
		_exit(receive_run(spare, in[0], out[1]));
	}
	close(in[0]);
	close(out[1]);
	wire_open(&wire, out[0], in[1]);
}

static const char *hear(void)
{
	static char line[WIRE_LINE];

	if (!wire_line(&wire, line, sizeof line, clock_mono_ms() + SOON_MS))
		snprintf(line, sizeof line, "(nothing)");
	return line;
}

static void say(const char *line)
{
	assert_true(wire_write(&wire, line, strlen(line), clock_mono_ms() + SOON_MS));
}

/* Announces the file, sends what it has beyond `before`, and hears what the spare says to it. */
static const char *send_file(const struct parcel *before, struct parcel *now)
{
	char head[200];

	assert_true(parcel_look(file, now));
	snprintf(head, sizeof head, "copy %lld %zu %s\n", (long long)now->size, parcel_count(now, before), now->hash);
	say(head);
	assert_true(parcel_send(&wire, file, now, before, clock_mono_ms() + SOON_MS));
	return hear();
}

static const char *send_whole(void)
{
	struct parcel now;
	const char *said = send_file(NULL, &now);

	parcel_free(&now);
	return said;
}

static void make_key(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, "an example of a key of 32 bytes.", 32), 32);
	close(fd);
}

static int setup(void **state)
{
	struct book *b;
	char key[220];

	book_setup_closed(state);
	b = *state;
	snprintf(spare, sizeof spare, "%s/spare", b->dir);
	snprintf(file, sizeof file, "%s/copy.db", b->dir);
	assert_int_equal(mkdir(spare, 0700), 0);
	snprintf(key, sizeof key, "%s/secret.key", b->dir);
	make_key(key);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	call();
	return strcmp(hear(), "spare waits 0 0000000000000000 -") != 0;
}

static int teardown(void **state)
{
	hang_up();
	return book_teardown(state);
}

static void change(struct book *b)
{
	book_open(b);
	assert_int_equal(book_add_guest(&b->db), ERR_OK);
	book_close(b);
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
}

static int64_t users_of_copy(void)
{
	char path[ROLE_PATH];
	sqlite3 *handle;
	int64_t n;

	role_copy_path(spare, path);
	handle = book_plain(path);
	n = book_int(handle, "SELECT count(*) FROM users");
	sqlite3_close(handle);
	return n;
}

static void only_what_has_changed_travels(void **state)
{
	struct parcel first, second;
	struct role_copy c;

	assert_true(strncmp(send_file(NULL, &first), "have ", 5) == 0);
	assert_int_equal(users_of_copy(), 2);
	change(*state);
	assert_true(strncmp(send_file(&first, &second), "have ", 5) == 0);
	assert_int_equal(users_of_copy(), 3);
	assert_true(parcel_count(&second, &first) * 4 < second.pages);
	assert_true(role_copy(spare, &c));
	assert_true(clock_now_s() - c.made_s < 100 && clock_now_s() - c.heard_s < 100);
	assert_int_equal(role_of(spare), ROLE_SPARE);
	parcel_free(&first);
	parcel_free(&second);
	/* A spare that has not what the sender believes asks for all of it. */
	change(*state);
	assert_true(parcel_look(file, &first));
	assert_string_equal(send_file(&first, &second), "whole");
	parcel_free(&first);
	parcel_free(&second);
	assert_int_equal(users_of_copy(), 3);
}

static void a_copy_that_is_cut_changes_nothing(void **state)
{
	struct parcel now;
	char head[200];

	assert_true(strncmp(send_whole(), "have ", 5) == 0);
	change(*state);
	assert_true(parcel_look(file, &now));
	snprintf(head, sizeof head, "copy %lld %zu %s\n", (long long)now.size, now.pages, now.hash);
	say(head);
	say("    half of a page");
	parcel_free(&now);
	hang_up();
	assert_int_equal(users_of_copy(), 2);
	call();
	assert_true(strncmp(hear(), "spare waits 0 ", 14) == 0);
	assert_true(strncmp(send_whole(), "have ", 5) == 0); /* what was left of it is in nobody's way */
	assert_int_equal(users_of_copy(), 3);
}

/* One byte on the way. */
static void a_copy_that_is_not_what_was_announced_changes_nothing(void **state)
{
	struct parcel now;
	char head[200];

	(void)state;
	assert_true(parcel_look(file, &now));
	now.hash[0] = now.hash[0] == '0' ? '1' : '0';
	snprintf(head, sizeof head, "copy %lld %zu %s\n", (long long)now.size, now.pages, now.hash);
	say(head);
	assert_true(parcel_send(&wire, file, &now, NULL, clock_mono_ms() + SOON_MS));
	assert_string_equal(hear(), "whole");
	parcel_free(&now);
	assert_int_equal(role_of(spare), ROLE_SERVES); /* none came */
}

static void change_copy(const char *sql)
{
	sqlite3 *handle = book_plain(file);

	assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(handle);
}

static void a_copy_of_another_book_is_refused(void **state)
{
	struct book *b = *state;
	char path[ROLE_PATH];
	struct stat st;

	assert_true(strncmp(send_whole(), "have ", 5) == 0);
	change_copy("UPDATE jari_backup SET secret_key = randomblob(32)");
	assert_string_equal(send_whole(), "no BOOK_FOREIGN");
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	change_copy("CREATE TRIGGER evil AFTER INSERT ON reservations BEGIN DELETE FROM outbox; END");
	assert_string_equal(send_whole(), "no BACKUP_STRANGE");
	assert_int_equal(backup_make(b->dir, file), ERR_OK);
	change_copy("DROP TABLE jari_backup");
	assert_true(strncmp(send_whole(), "no ", 3) == 0);
	assert_int_equal(users_of_copy(), 2);
	/* It is not kept, and the spare says of no process that it is at work. */
	hang_up();
	role_older_path(spare, path);
	assert_int_not_equal(access(path, F_OK), 0);
	snprintf(path, sizeof path, "%s/spare.lock", spare);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 0);
}

/* The spare took over; then the box that serves now sends to it: what an older box sends is past. */
static void a_copy_from_before_a_takeover_is_refused(void **state)
{
	struct book *b = *state;
	struct backup_report report;
	char old[4200], taken[200];

	assert_true(strncmp(send_whole(), "have ", 5) == 0);
	snprintf(old, sizeof old, "%s", file);
	snprintf(taken, sizeof taken, "%s/taken", b->dir);
	assert_int_equal(mkdir(taken, 0700), 0);
	assert_int_equal(backup_take_over(taken, file, &report), ERR_OK);
	snprintf(file, sizeof file, "%s/new.db", b->dir);
	assert_int_equal(backup_make(taken, file), ERR_OK);
	assert_true(strncmp(send_whole(), "have ", 5) == 0);
	snprintf(file, sizeof file, "%s", old);
	assert_string_equal(send_whole(), "no BOX_REPLACED");
}

/* It serves a book of its own: nothing is taken, and the other box hears of which epoch. */
static void a_box_that_serves_takes_nothing(void **state)
{
	struct book *b = *state;

	snprintf(spare, sizeof spare, "%s", b->dir);
	call();
	assert_true(strncmp(hear(), "spare serves 0 ", 15) == 0);
	say("copy 4096 0 00\n");
	assert_true(strncmp(hear(), "spare serves 0 ", 15) == 0);
}

/* On a disk that is full, or broken: what cannot be written down in words is at least there, and what failed is not claimed. */
static void what_a_box_is_does_not_hang_on_a_disk_that_is_well(void **state)
{
	struct role_replaced r = {.when_s = 1790000000, .epoch = 1};
	char path[ROLE_PATH], part[ROLE_PATH + 8], copy[ROLE_PATH];

	(void)state;
	assert_true(strncmp(send_whole(), "have ", 5) == 0);
	role_copy_path(spare, copy);
	snprintf(path, sizeof path, "%s/replaced", spare);
	snprintf(part, sizeof part, "%s.part", path);
	assert_int_equal(mkdir(part, 0700), 0);
	assert_true(role_set_replaced(spare, &r));
	assert_int_equal(role_of(spare), ROLE_REPLACED);
	snprintf(part, sizeof part, "%s/jari.db", spare);
	make_key(part); /* the copy has become the book */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0); /* one that cannot be removed */
	assert_false(role_set_serves(spare));
	assert_int_equal(access(copy, F_OK), 0);
	assert_int_equal(rmdir(path), 0);
	assert_true(role_set_serves(spare));
	assert_int_not_equal(access(copy, F_OK), 0);
}

static void nonsense_ends_the_connection(void **state)
{
	static const char *const lines[] = {"copy -1 0 00\n",
					    "copy 4096 2 00\n",
					    "copy 99999999999999999 0 00\n",
					    "copy 4096 0 zz\n",
					    "copy 4096 0 00 more\n",
					    "rm -r /\n",
					    "\n"};

	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		say(lines[i]);
		assert_string_equal(hear(), "no BAD_REQUEST");
		assert_string_equal(hear(), "(nothing)");
		call();
		assert_true(strncmp(hear(), "spare waits ", 12) == 0);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(only_what_has_changed_travels),
		TEST(a_copy_that_is_cut_changes_nothing),
		TEST(a_copy_that_is_not_what_was_announced_changes_nothing),
		TEST(a_copy_of_another_book_is_refused),
		TEST(a_copy_from_before_a_takeover_is_refused),
		TEST(a_box_that_serves_takes_nothing),
		TEST(what_a_box_is_does_not_hang_on_a_disk_that_is_well),
		TEST(nonsense_ends_the_connection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
