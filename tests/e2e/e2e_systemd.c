/*
 * e2e_systemd.c - what `jari serve` tells systemd, heard by a socket of the test's own; and that the units are units.
 */
#include "appliance.h"

#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static struct appliance box;
static struct ran ran;
static int ear;
static char heard[16384]; /* every message, each behind a newline */

static int set_up(void **state)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};

	(void)state;
	appliance_new(&box);
	snprintf(a.sun_path, sizeof a.sun_path, "%s/notify", box.base);
	ear = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	assert_int_equal(bind(ear, (struct sockaddr *)&a, sizeof a), 0);
	snprintf(heard, sizeof heard, "\n");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (box.pid > 1) {
		kill(box.pid, SIGKILL);
		waitpid(box.pid, NULL, 0);
	}
	box.pid = 0;
	close(ear);
	appliance_free(&box);
	return 0;
}

/* Reads what has come; does it contain this? */
static bool hears(const char *words)
{
	char text[1024];
	ssize_t n;

	while ((n = recv(ear, text, sizeof text - 1, 0)) > 0) {
		text[n] = '\0';
		strncat(heard, text, sizeof heard - strlen(heard) - 2);
		strcat(heard, "\n");
	}
	return strstr(heard, words) != NULL;
}

static void serve(const char *watchdog_us)
{
	char path[APPLIANCE_PATH], socket_is[APPLIANCE_PATH + 20], watchdog_is[64], log[APPLIANCE_PATH];
	const char *argv[] = {"/usr/bin/env", socket_is,   watchdog_is, appliance_program(&box),
			      "serve",        "--workers", "2",         "--no-courier",
			      "--dir",        box.dir,     NULL};

	appliance_path(&box, "notify", path);
	snprintf(socket_is, sizeof socket_is, "NOTIFY_SOCKET=%s", path);
	snprintf(watchdog_is, sizeof watchdog_is, "WATCHDOG_USEC=%s", watchdog_us);
	appliance_path(&box, "serve.log", log);
	box.pid = appliance_spawn(log, argv);
}

static int count(const char *words)
{
	int n = 0;

	hears("");
	for (const char *p = heard; (p = strstr(p, words)); p += strlen(words))
		n++;
	return n;
}

static void systemd_hears_that_jari_is_ready_alive_and_stopping(void **state)
{
	(void)state;
	appliance_run(&box, &ran, NULL, "init", "--demo", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	serve("2000000");
	WITHIN(20000, hears("\nREADY=1\n"));
	assert_true(hears("\nSTATUS=Bookings can be saved.\n"));
	WITHIN(10000, count("\nWATCHDOG=1") >= 3);
	appliance_signal(box.pid, SIGTERM);
	assert_int_equal(appliance_wait(box.pid, 30000), 0);
	box.pid = 0;
	assert_true(hears("\nSTOPPING=1\n"));
	assert_int_equal(count("READY=1"), 1);
}

static void a_supervisor_that_is_stopped_says_no_more_that_it_is_alive(void **state)
{
	int before;

	(void)state;
	appliance_run(&box, &ran, NULL, "init", "--demo", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	serve("400000");
	WITHIN(20000, count("\nWATCHDOG=1") >= 2);
	appliance_signal(box.pid, SIGSTOP);
	usleep(100000);
	before = count("\nWATCHDOG=1");
	usleep(500000);
	assert_int_equal(count("\nWATCHDOG=1"), before);
	appliance_signal(box.pid, SIGCONT);
	WITHIN(10000, count("\nWATCHDOG=1") > before);
}

/* systemctl start fails then, because jari did not say that it is ready. */
static void without_a_book_no_client_is_told_that_jari_is_ready(void **state)
{
	(void)state;
	serve("0");
	assert_int_equal(appliance_wait(box.pid, 20000), 1);
	box.pid = 0;
	assert_false(hears("READY=1"));
}

/* The status line of `systemctl status jari` is what /healthz says. */
static void systemd_hears_why_bookings_cannot_be_saved(void **state)
{
	char path[APPLIANCE_PATH], aside[APPLIANCE_PATH];

	(void)state;
	appliance_run(&box, &ran, NULL, "init", "--demo", "--dir", box.dir, NULL);
	serve("0");
	WITHIN(20000, hears("\nREADY=1\n"));
	appliance_path(&box, "run/jari.db", path);
	appliance_path(&box, "aside.db", aside);
	assert_int_equal(rename(path, aside), 0);
	WITHIN(20000, hears("STATUS=The book is not where it was"));
	assert_int_equal(rename(aside, path), 0);
	WITHIN(30000, count("STATUS=Bookings can be saved.") == 2);
	assert_int_equal(count("WATCHDOG=1"), 0); /* systemd did not ask for it */
}

static void the_units_are_what_systemd_understands(void **state)
{
	static const char *const names[] = {"jari.service", "jari-courier.service", "jari-cashier.service", "jari-up.service",
					    "jari-mirror.service"};
	static char text[8192], units[COUNT(names)][APPLIANCE_PATH];
	char log[APPLIANCE_PATH], source[64];
	const char *argv[] = {"/usr/bin/systemd-analyze", "verify", units[0], units[1], units[2], units[3], units[4], NULL};

	(void)state;
	if (access(argv[0], X_OK) != 0)
		skip();
	/* The program of a unit must be there. */
	for (size_t i = 0; i < COUNT(names); i++) {
		snprintf(source, sizeof source, "docs/%s", names[i]);
		appliance_path(&box, names[i], units[i]);
		appliance_read(source, text, sizeof text);
		appliance_replace(text, sizeof text, "/usr/local/bin/jari", "/bin/true");
		appliance_write(units[i], text);
	}
	appliance_path(&box, "verify.log", log);
	if (appliance_wait(appliance_spawn(log, argv), 60000) != 0)
		fail_msg("%s", appliance_read(log, text, sizeof text));
	appliance_read(log, text, sizeof text);
	/* Steps of a back-off are known from systemd 254 on; an older one says that it goes on without. */
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (strstr(line, "jari") && !strstr(line, "RestartSteps") && !strstr(line, "RestartMaxDelaySec"))
			fail_msg("%s", line);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(systemd_hears_that_jari_is_ready_alive_and_stopping),
		TEST(a_supervisor_that_is_stopped_says_no_more_that_it_is_alive),
		TEST(without_a_book_no_client_is_told_that_jari_is_ready),
		TEST(systemd_hears_why_bookings_cannot_be_saved),
		TEST(the_units_are_what_systemd_understands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
