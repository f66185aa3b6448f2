/*
 * e2e_shell.c - an owner at `jari shell --write`: guests go on booking, and nothing is ever written without the pen.
 */
#include "appliance.h"
#include "guests.h"

#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct appliance box;

/* The one who types, and what they see. */
static struct {
	pid_t pid;
	int in;
	char log[APPLIANCE_PATH], text[16384];
} person;

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 4);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_check(&box);
	appliance_free(&box);
	return 0;
}

static void sit_down(const char *idle_s)
{
	char fifo[APPLIANCE_PATH], command[4 * APPLIANCE_PATH];
	const char *argv[] = {"/bin/sh", "-c", command, NULL};

	appliance_path(&box, "keys", fifo);
	appliance_path(&box, "shell.log", person.log);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	snprintf(command, sizeof command, "exec '%s' shell --write --dir '%s' --idle-s %s < '%s'", appliance_program(&box),
		 box.dir, idle_s, fifo);
	person.pid = appliance_spawn(person.log, argv);
	person.in = open(fifo, O_WRONLY | O_CLOEXEC);
	assert_true(person.in >= 0);
}

static void type(const char *line)
{
	assert_int_equal(write(person.in, line, strlen(line)), strlen(line));
}

static bool sees(const char *words)
{
	return strstr(appliance_read(person.log, person.text, sizeof person.text), words);
}

static void ask_and_see(const char *line, const char *answer)
{
	type(line);
	WITHIN(20000, sees(answer));
}

static void leave(void)
{
	close(person.in);
	assert_int_equal(appliance_wait(person.pid, 20000), 0);
}

static bool pen_is_free(void)
{
	return pen_holder(guests_hall(&box)->pen) != person.pid;
}

static void guests_book_while_a_shell_is_open_and_nothing_is_typed(void **state)
{
	const struct http_answer *a;

	(void)state;
	sit_down("60");
	ask_and_see(".mode list\nSELECT 'it is ' || 'open';\n", "it is open");
	WITHIN(10000, pen_is_free());
	for (int i = 0; i < 5; i++) {
		a = http_ask(box.port, guests_newcomer());
		assert_int_equal(a->status, 201);
	}
	/* They type again, and what they write is there; then guests again. */
	ask_and_see("UPDATE restaurants SET address = 'from the shell';\nSELECT 'and ' || changes();\n", "and 1");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM restaurants WHERE address = 'from the shell'"), 1);
	WITHIN(10000, pen_is_free());
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	/* A deferred transaction that only reads holds no writer up either. */
	ask_and_see("BEGIN;\nSELECT 'reads ' || count(*) FROM reservations;\n", "reads 6");
	WITHIN(10000, pen_is_free());
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	type("COMMIT;\n");
	leave();
}

static void a_transaction_left_open_is_rolled_back_and_guests_are_told_how_long(void **state)
{
	const struct http_answer *a;
	char ticket[HTTP_TEXT], path[HTTP_TEXT + 20];

	(void)state;
	sit_down("4");
	ask_and_see(".mode list\nBEGIN IMMEDIATE;\nUPDATE restaurants SET address = 'half';\nSELECT 'now ' || changes();\n",
		    "now 1");
	assert_int_equal(pen_holder(guests_hall(&box)->pen), person.pid);
	WITHIN(20000, pen_is_free() || pen_held_ms(guests_hall(&box)->pen) >= 2000);
	a = http_ask(box.port, guests_newcomer());
	assert_int_equal(a->status, 429);
	assert_true(http_int(a, "etaSeconds") >= 2);
	http_text(a, "ticket", ticket);
	assert_int_equal(appliance_wait(person.pid, 30000), 1);
	assert_true(sees("it is rolled back"));
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM restaurants WHERE address = 'half'"), 0);
	snprintf(path, sizeof path, "/api/tickets/%s", ticket);
	WITHIN(10000, http_get(box.port, path)->status == 201);
	close(person.in);
}

/* Without an end, and with the processor in use all the time. */
#define ENDLESS "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c;\n"

static void a_transaction_that_never_rests_has_an_end_too(void **state)
{
	(void)state;
	sit_down("1");
	type("BEGIN IMMEDIATE;\nUPDATE restaurants SET address = 'half';\n" ENDLESS);
	appliance_wait(person.pid, 30000);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM restaurants WHERE address = 'half'"), 0);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	close(person.in);
}

static void guests_book_while_a_long_question_is_answered(void **state)
{
	const struct http_answer *a;
	char ticket[HTTP_TEXT], path[HTTP_TEXT + 20];

	(void)state;
	sit_down("60");
	ask_and_see(".mode list\nSELECT 'it is ' || 'open';\n", "it is open");
	type(ENDLESS);
	WITHIN(20000, !pen_is_free());
	a = http_ask(box.port, guests_newcomer());
	http_text(a, "ticket", ticket);
	snprintf(path, sizeof path, "/api/tickets/%s", ticket);
	if (a->status != 201)
		WITHIN(20000, http_get(box.port, path)->status == 201);
	assert_true(appliance_alive(person.pid));
	/* Told to end it does, and takes the question with it. */
	appliance_signal(person.pid, SIGTERM);
	assert_int_equal(appliance_wait(person.pid, 20000), 1);
	assert_true(sees("told to end"));
	close(person.in);
}

static void a_signal_from_the_terminal_reaches_a_shell_that_is_stopped(void **state)
{
	pid_t children[8];

	(void)state;
	sit_down("60");
	ask_and_see(".mode list\nSELECT 'it is ' || 'open';\n", "it is open");
	WITHIN(10000, pen_is_free());
	assert_int_equal(appliance_descendants(person.pid, children, (int)COUNT(children)), 1);
	appliance_signal(children[0], SIGQUIT);
	assert_int_equal(appliance_wait(person.pid, 20000), 1);
	close(person.in);
}

static void a_killed_shell_takes_its_sqlite3_with_it(void **state)
{
	pid_t children[8];
	int n;

	(void)state;
	sit_down("60");
	ask_and_see(".mode list\nBEGIN IMMEDIATE;\nUPDATE restaurants SET address = 'half';\nSELECT 'now ' || changes();\n",
		    "now 1");
	n = appliance_descendants(person.pid, children, (int)COUNT(children));
	assert_int_equal(n, 1);
	appliance_signal(person.pid, SIGKILL);
	WITHIN(10000, !appliance_alive(children[0]));
	appliance_wait(person.pid, 5000);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM restaurants WHERE address = 'half'"), 0);
	close(person.in);
}

/* Its file is another now: what it would write would never be read. */
static void a_shell_whose_book_was_replaced_ends_before_it_writes(void **state)
{
	char copy[APPLIANCE_PATH];
	struct ran ran;

	(void)state;
	appliance_path(&box, "copy", copy);
	appliance_run(&box, &ran, NULL, "backup", copy, "--same-disk", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	sit_down("60");
	ask_and_see(".mode list\nSELECT 'it is ' || 'open';\n", "it is open");
	WITHIN(10000, pen_is_free());
	appliance_run(&box, &ran, NULL, "restore", copy, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	type("UPDATE restaurants SET address = 'lost'; SELECT 'written';\n");
	assert_int_equal(appliance_wait(person.pid, 20000), 1);
	assert_true(sees("moved or replaced"));
	assert_false(sees("written"));
	close(person.in);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(guests_book_while_a_shell_is_open_and_nothing_is_typed),
		TEST(a_transaction_left_open_is_rolled_back_and_guests_are_told_how_long),
		TEST(a_transaction_that_never_rests_has_an_end_too),
		TEST(guests_book_while_a_long_question_is_answered),
		TEST(a_signal_from_the_terminal_reaches_a_shell_that_is_stopped),
		TEST(a_killed_shell_takes_its_sqlite3_with_it),
		TEST(a_shell_whose_book_was_replaced_ends_before_it_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
