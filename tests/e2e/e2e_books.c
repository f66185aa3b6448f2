/*
 * e2e_books.c - a box with the book of an earlier jari: the new one serves it, and never under the old one's feet.
 */
#include "appliance.h"
#include "book.h"
#include "guests.h"
#include "http.h"
#include "unit.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static struct appliance box;
static struct ran ran;

static int make(void **state)
{
	(void)state;
	appliance_new(&box);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	appliance_free(&box);
	return 0;
}

static void put(const char *commit, const char *kind, const char *name)
{
	char from[100], to[APPLIANCE_PATH];

	snprintf(from, sizeof from, "tests/db/books/%s.%s", commit, kind);
	snprintf(to, sizeof to, "%s/%s", box.dir, name);
	book_copy_file(from, to);
	assert_int_equal(chmod(to, 0600), 0);
}

static void box_of(const char *commit)
{
	assert_int_equal(mkdir(box.dir, 0700), 0);
	put(commit, "db", "jari.db");
	put(commit, "key", "secret.key");
}

/* The links that were sent to its guests show the reservations that they were for. */
static void links_work(const char *commit)
{
	char path[100], token[200], header[260];
	long long id;
	int links = 0;
	FILE *f;

	snprintf(path, sizeof path, "tests/db/books/%s.links", commit);
	f = fopen(path, "r");
	assert_non_null(f);
	for (; fscanf(f, "%lld %199s", &id, token) == 2; links++) {
		const struct http_answer *a;

		snprintf(header, sizeof header, "X-Manage-Token: %s\r\n", token);
		a = http_ask(box.port, (struct http_call){.path = "/api/reservations/managed", .headers = header});
		assert_int_equal(a->status, 200);
		assert_int_equal(http_int(a, "reservationId"), id);
	}
	fclose(f);
	assert_true(links > 5);
}

static void is_served(const char *commit)
{
	make(NULL);
	box_of(commit);
	appliance_up(&box, 2);
	assert_int_equal(http_get(box.port, "/api/restaurants/1")->status, 200);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	links_work(commit);
	appliance_down(&box); /* which asks `jari check` */
	leave(NULL);
}

static void guests_book_into_books_that_earlier_versions_made(void **state)
{
	static const char *const commits[] = {"3668007", "cebf280", "cb9b659", "96d9a1f", "8ef5b02"};

	(void)state;
	for (size_t i = 0; i < COUNT(commits); i++)
		is_served(commits[i]);
}

/* ---- while the old one serves ---- */

/* A supervisor of before: it holds the lock and says its number only. */
static int serve_as_before(void)
{
	char path[APPLIANCE_PATH];
	int fd;

	snprintf(path, sizeof path, "%s/serve.lock", box.dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0);
	assert_true(dprintf(fd, "%d\n", (int)getpid()) > 0);
	return fd;
}

static int files_of_box(void)
{
	char pattern[APPLIANCE_PATH];
	glob_t g;
	int n;

	snprintf(pattern, sizeof pattern, "%s/*", box.dir);
	n = glob(pattern, 0, NULL, &g) == 0 ? (int)g.gl_pathc : 0;
	globfree(&g);
	return n;
}

static void no_command_touches_a_book_that_another_jari_serves(void **state)
{
	static const char *const commands[][3] = {
		{"init"},          {"serve"},        {"up"},
		{"courier"},       {"check"},        {"backup", "/tmp/never-made"},
		{"staff", "list"}, {"confirm", "R"}, {"cancel", "R"},
		{"status"},        {"shell"},        {"rehearse"},
		{"link", "a@b.c"}, {"import", "/"},  {"restore", "tests/db/books/8ef5b02.db"},
	};
	size_t before_n, after_n;
	char book[APPLIANCE_PATH], *before, *after;
	int lock, files;

	(void)state;
	box_of("8ef5b02");
	lock = serve_as_before();
	snprintf(book, sizeof book, "%s/jari.db", box.dir);
	before = book_read_file(book, &before_n);
	files = files_of_box();
	for (size_t i = 0; i < COUNT(commands); i++) {
		appliance_run(&box, &ran, "", commands[i][0], "--dir", box.dir, commands[i][1], NULL);
		assert_int_equal(ran.exit, 1);
		if (!strstr(ran.err, "Another version of jari serves this book; stop it first"))
			fail_msg("%s says %s", commands[i][0], ran.err);
	}
	assert_int_equal(files_of_box(), files);
	after = book_read_file(book, &after_n);
	assert_int_equal(before_n, after_n);
	assert_memory_equal(before, after, before_n);
	free(before);
	free(after);
	close(lock); /* it was stopped: now the new one may */
	appliance_run(&box, &ran, NULL, "init", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	appliance_check(&box);
}

static void its_own_supervisor_is_no_other(void **state)
{
	(void)state;
	appliance_up(&box, 2);
	appliance_run(&box, &ran, NULL, "staff", "list", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	appliance_down(&box);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guests_book_into_books_that_earlier_versions_made),
		TEST(no_command_touches_a_book_that_another_jari_serves),
		TEST(its_own_supervisor_is_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
