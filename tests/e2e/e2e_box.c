/*
 * e2e_box.c - what happens to the box: its book is taken away, replaced, or moves to a new one.
 */
#include "appliance.h"
#include "guests.h"
#include "http.h"
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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
	(void)state;
	if (box.pid > 1)
		appliance_down(&box);
	appliance_free(&box);
	return 0;
}

static bool says(const struct http_answer *a, int status, const char *code)
{
	char text[HTTP_TEXT];

	return a->status == status && strcmp(http_text(a, "code", text), code) == 0;
}

/* Whoever asks hears that the book is gone; nobody hears of a success that nobody would find. */
static void a_book_that_is_taken_away_is_noticed(void **state)
{
	char path[APPLIANCE_PATH], aside[APPLIANCE_PATH], log[APPLIANCE_PATH], text[65536];
	int64_t users, from;
	int booked = 0;

	(void)state;
	appliance_up(&box, 4);
	for (int i = 0; i < 8; i++)
		assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	users = appliance_number(&box, "SELECT count(*) FROM users");
	appliance_path(&box, "run/jari.db", path);
	appliance_path(&box, "aside.db", aside);
	assert_int_equal(rename(path, aside), 0);
	from = appliance_now_ms();
	while (appliance_now_ms() - from < 1500)
		booked += http_ask(box.port, guests_newcomer())->status == 201;
	assert_int_equal(booked, 0);
	assert_true(says(http_get(box.port, "/healthz"), 503, "BOOK_GONE"));
	assert_true(http_header_has(http_get(box.port, "/healthz"), "Retry-After", ""));
	assert_int_not_equal(access(path, F_OK), 0); /* nor was a new one made */
	appliance_path(&box, "run/jari.log", log);
	assert_non_null(strstr(appliance_read(log, text, sizeof text), "book.gone"));
	/* It is back: everything goes on. */
	assert_int_equal(rename(aside, path), 0);
	WITHIN(5000, http_get(box.port, "/healthz")->status == 200);
	WITHIN(5000, http_ask(box.port, guests_newcomer())->status == 201);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM users"), users + 1);
	appliance_check(&box);
}

/* Removed for good: the next start does not make a new one as if nothing had been. */
static void no_new_book_is_made_where_there_was_one(void **state)
{
	static const char *const signs[] = {"run/jari.db", "run/jari.db-wal", "run/jari.db-shm"};
	char path[APPLIANCE_PATH];

	(void)state;
	appliance_run(&box, &ran, NULL, "init", "--demo", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	for (size_t i = 0; i < COUNT(signs); i++) {
		appliance_path(&box, signs[i], path);
		unlink(path);
	}
	for (int i = 0; i < 2; i++) {
		appliance_run(&box, &ran, NULL, i ? "init" : "up", "--dir", box.dir, NULL);
		assert_int_equal(ran.exit, 1);
		assert_non_null(strstr(ran.err, "there was a book in"));
		assert_non_null(strstr(ran.err, "jari restore FILE"));
		appliance_path(&box, "run/jari.db", path);
		assert_int_not_equal(access(path, F_OK), 0);
	}
}

/* One file is enough for a new box, and every link that was sent works there. */
static void a_new_box_is_made_from_a_backup_alone(void **state)
{
	char file[APPLIANCE_PATH], manage[HTTP_TEXT], headers[HTTP_TEXT + 40], code[HTTP_TEXT];
	const struct http_answer *a;
	struct stat st;

	(void)state;
	appliance_up(&box, 2);
	a = http_ask(box.port, guests_newcomer());
	assert_int_equal(a->status, 201);
	http_text(a, "manageToken", manage);
	http_text(a, "reservationCode", code);
	appliance_path(&box, "backup.jari", file);
	appliance_run(&box, &ran, NULL, "backup", file, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	appliance_down(&box);
	snprintf(box.dir, sizeof box.dir, "%s/new", box.base); /* a folder that is not there yet */
	appliance_run(&box, &ran, NULL, "restore", file, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	assert_non_null(strstr(ran.out, "1 reservations, 1 of them still to come; 1 logins"));
	assert_non_null(strstr(ran.out, "links and QR codes that were sent work again"));
	appliance_up(&box, 2);
	snprintf(headers, sizeof headers, "X-Manage-Token: %s\r\n", manage);
	a = http_ask(box.port, (struct http_call){.path = "/api/reservations/managed", .headers = headers});
	assert_int_equal(a->status, 200);
	assert_non_null(strstr(a->body, code));
	appliance_check(&box);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_book_that_is_taken_away_is_noticed),
		TEST(no_new_book_is_made_where_there_was_one),
		TEST(a_new_box_is_made_from_a_backup_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
