/*
 * e2e_mirror.c - two boxes: copies of the book reach the spare by ssh, the spare takes over, the old box comes back.
 *
 * With the sshd of Debian, on a port of its own and with keys of its own; no service of the system is touched.
 */
#include "appliance.h"
#include "facts.h"
#include "guests.h"
#include "http.h"
#include "role.h"
#include "takeover.h"
#include "unit.h"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char SSHD[] = "/usr/sbin/sshd";

static struct appliance old, spare;
static struct ran ran;
static pid_t sshd, mirror;
static int ssh_port;

static void end(pid_t *pid, int signal)
{
	if (*pid > 1) {
		appliance_signal(*pid, signal);
		appliance_wait(*pid, 10000);
	}
	*pid = 0;
}

static void run_or_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void run_or_fail(const char *format, ...)
{
	char line[2000];
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	if (system(line) != 0)
		fail_msg("%s", line);
}

/* As docs/box.md has it, but for the port and the user, who is the one that runs the tests. */
static void set_up_keys(void)
{
	const struct passwd *me = getpwuid(geteuid());
	char path[APPLIANCE_PATH], text[1200];

	assert_non_null(me);
	run_or_fail("ssh-keygen -q -t ed25519 -N '' -f %s/mirror.key && ssh-keygen -q -t ed25519 -N '' -f %s/host.key", old.dir,
		    spare.base);
	run_or_fail("printf 'restrict,command=\"%s mirror --receive --dir %s\" ' >%s/keys && cat %s/mirror.key.pub >>%s/keys",
		    appliance_program(&spare), spare.dir, spare.base, old.dir, spare.base);
	run_or_fail("printf '[127.0.0.1]:%d ' >%s/mirror.hosts && cut -d' ' -f1,2 %s/host.key.pub >>%s/mirror.hosts", ssh_port,
		    old.dir, spare.base, old.dir);
	snprintf(path, sizeof path, "%s/mirror", old.dir);
	snprintf(text, sizeof text, "ssh://%s@127.0.0.1:%d\n", me->pw_name, ssh_port);
	appliance_write(path, text);
	appliance_path(&spare, "sshd.conf", path);
	snprintf(
		text, sizeof text,
		"Port %d\nListenAddress 127.0.0.1\nHostKey %s/host.key\nAuthorizedKeysFile %s/keys\nStrictModes no\nUsePAM no\n"
		"PidFile none\nSubsystem sftp internal-sftp\n",
		ssh_port, spare.base, spare.base);
	appliance_write(path, text);
}

static void sshd_up(void)
{
	char conf[APPLIANCE_PATH], log[APPLIANCE_PATH];
	const char *argv[] = {SSHD, "-D", "-e", "-f", conf, NULL};

	appliance_path(&spare, "sshd.conf", conf);
	appliance_path(&spare, "sshd.log", log);
	sshd = appliance_spawn(log, argv);
}

static void mirror_up(void)
{
	char log[APPLIANCE_PATH];
	const char *argv[] = {appliance_program(&old), "mirror", "--every", "1", "--dir", old.dir, NULL};

	appliance_path(&old, "mirror.log", log);
	mirror = appliance_spawn(log, argv);
}

/* `jari up` of a box that serves nobody: /healthz never answers 200, and that it says why is enough. */
static bool says(int port, const char *path, int status, const char *code)
{
	const struct http_answer *a = http_get(port, path);
	char text[HTTP_TEXT];

	return a->status == status && strcmp(http_text(a, "code", text), code) == 0;
}

static void up_as(struct appliance *a, const char *code)
{
	char port[16], log[APPLIANCE_PATH];
	const char *argv[] = {appliance_program(a), "up",        "--dir", a->dir,         "--port", port, "--bind",
			      "127.0.0.1",          "--workers", "2",     "--no-courier", NULL};

	a->port = appliance_free_port();
	snprintf(port, sizeof port, "%d", a->port);
	appliance_path(a, "up.log", log);
	a->pid = appliance_spawn(log, argv);
	WITHIN(10000, says(a->port, "/healthz", 503, code));
}

static int set_up(void **state)
{
	(void)state;
	if (access(SSHD, X_OK) != 0 || access("/usr/bin/ssh", X_OK) != 0)
		return 0;
	if (geteuid() == 0)
		mkdir("/run/sshd", 0755); /* a root's sshd will not start without it */
	appliance_new(&old);
	appliance_new(&spare);
	assert_int_equal(mkdir(spare.dir, 0700), 0);
	ssh_port = appliance_free_port();
	appliance_up(&old, 4);
	appliance_sql(&old,
		      "INSERT INTO mail_server (one, way, site, updated_at) VALUES (1, 'OFF', 'http://127.0.0.1:%d',"
		      " '2026-01-01T00:00:00Z')",
		      old.port);
	set_up_keys();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	end(&mirror, SIGTERM);
	end(&sshd, SIGTERM);
	appliance_free(&old);
	appliance_free(&spare);
	return 0;
}

static int64_t in_copy(void)
{
	struct takeover_book b;
	char path[ROLE_PATH];

	role_copy_path(spare.dir, path);
	return access(path, F_OK) == 0 && takeover_look_at_copy(path, &b) == ERR_OK ? b.last_reservation : -1;
}

static void takeover(const char *more)
{
	appliance_run(&spare, &ran, NULL, "takeover", "--dir", spare.dir, more, NULL);
}

/* The key of the old box may do one thing on the spare; whatever else is asked with it, that is what it gets. */
static void expect_key_to_do_nothing_else(void)
{
	char path[APPLIANCE_PATH], text[4000];

	appliance_path(&old, "ssh.out", path);
	run_or_fail("H=$(cut -d/ -f3 %s/mirror | cut -d: -f1); "
		    "S='-F none -i %s/mirror.key -o UserKnownHostsFile=%s/mirror.hosts -o BatchMode=yes'; "
		    "{ echo | ssh $S -p %d $H 'cat /etc/hostname; touch %s/stolen'; echo | ssh -tt $S -p %d $H; "
		    "  ssh $S -p %d -N -o ExitOnForwardFailure=yes -R 0:127.0.0.1:1 $H </dev/null; echo forward $?; "
		    "  ssh $S -p %d -s $H sftp </dev/null; true; } >%s 2>&1",
		    old.dir, old.dir, old.dir, ssh_port, spare.base, ssh_port, ssh_port, ssh_port, path);
	appliance_read(path, text, sizeof text);
	assert_non_null(strstr(text, "spare waits 0 "));
	assert_non_null(strstr(text, "no BAD_REQUEST")); /* its blank line was no command of ours */
	assert_null(strstr(text, "forward 0"));
	assert_non_null(strstr(text, "PTY allocation request failed"));
	appliance_path(&spare, "stolen", path);
	assert_int_not_equal(access(path, F_OK), 0);
}

/* No sshd answers yet: guests book as ever, and the doctor says what is wrong. */
static void expect_a_spare_that_is_away_to_cost_nothing(void)
{
	int64_t from, slowest = 0;

	mirror_up();
	WITHIN(10000, facts_get(old.dir, FACT_MIRROR_BAD, NULL, 0) != 0);
	for (int i = 0; i < 5; i++) {
		from = appliance_now_ms();
		guests_book(old.port);
		slowest = appliance_now_ms() - from > slowest ? appliance_now_ms() - from : slowest;
	}
	assert_true(slowest < 2000);
	appliance_run(&old, &ran, NULL, "doctor", "--dir", old.dir, NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.out, "spare"));
	assert_non_null(strstr(ran.out, "Connection refused"));
}

static void expect_takeover_to_refuse_while_the_old_box_serves(void)
{
	takeover(NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.out, "jari answers there (HTTP 200)"));
	assert_non_null(strstr(ran.err, "the old box still serves"));
	takeover("--old-box-is-off"); /* it is seen that this is not true */
	assert_int_equal(ran.exit, 1);
	assert_int_equal(role_of(spare.dir), ROLE_SPARE);
}

/* In a copy of the spare's folder: a person has asked for it, so the box does not wait for the next who happens to write. */
static void expect_a_takeover_that_was_cut_short_to_be_finished_by_a_start(void)
{
	char half[APPLIANCE_PATH], log[APPLIANCE_PATH];
	const char *argv[] = {appliance_program(&spare), "serve", "--dir", half, "--workers", "2", "--no-courier", NULL};
	pid_t pid;

	appliance_path(&spare, "half", half);
	appliance_path(&spare, "half.log", log);
	run_or_fail("cp -r %s %s", spare.dir, half);
	setenv("JARI_FAILPOINT", "swap.put:fail", 1);
	appliance_run(&spare, &ran, NULL, "takeover", "--dir", half, "--old-box-is-off", NULL);
	unsetenv("JARI_FAILPOINT");
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.err, "begun, not finished"));
	assert_int_equal(role_of(half), ROLE_SPARE);
	pid = appliance_spawn(log, argv);
	WITHIN(10000, role_of(half) == ROLE_SERVES);
	end(&pid, SIGTERM);
}

/* With its mirror it learns that it was replaced, serves nobody, and remembers without it. */
static void expect_the_old_box_to_stay_shut(const struct guests_booked *lost)
{
	char path[APPLIANCE_PATH];
	const struct http_answer *a;

	up_as(&old, "BOX_REPLACED");
	a = http_ask(old.port, guests_newcomer());
	assert_int_equal(a->status, 503);
	assert_non_null(strstr(a->body, "replacedAt"));
	assert_true(http_header_has(a, "Retry-After", ""));
	a = http_ask(old.port,
		     (struct http_call){.path = "/api/desk/day?restaurantId=1", .headers = "Accept-Language: en\r\n"});
	assert_int_equal(a->status, 503);
	assert_non_null(strstr(a->body, "A spare took the place of this box at 20"));
	appliance_run(&old, &ran, NULL, "status", "--dir", old.dir, NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.out, "only this box has these bookings"));
	assert_non_null(strstr(ran.out, lost->code));
	run_or_fail("REQUEST_METHOD=GET PATH_INFO=/api/house %s cgi --dir %s | grep -q BOX_REPLACED", appliance_program(&old),
		    old.dir);
	/* A person opens it again; the next contact of its mirror, while it serves, shuts it. */
	snprintf(path, sizeof path, "%s/replaced", old.dir);
	assert_int_equal(unlink(path), 0);
	WITHIN(10000, http_get(old.port, "/healthz")->status == 200);
	mirror_up();
	WITHIN(20000, says(old.port, "/healthz", 503, "BOX_REPLACED"));
	end(&mirror, SIGTERM);
	end(&old.pid, SIGTERM);
	snprintf(path, sizeof path, "%s/mirror", old.dir);
	assert_int_equal(unlink(path), 0);
	up_as(&old, "BOX_REPLACED");
	end(&old.pid, SIGTERM);
}

static void a_spare_takes_over_and_the_old_box_stays_shut(void **state)
{
	struct guests_booked first, lost, fresh;
	const struct http_answer *a;

	(void)state;
	if (access(SSHD, X_OK) != 0)
		skip();
	expect_a_spare_that_is_away_to_cost_nothing();
	sshd_up();
	WITHIN(5000, http_get(ssh_port, "/")->end != HTTP_REFUSED);
	expect_key_to_do_nothing_else();
	WITHIN(40000, in_copy() == 5);
	/* From here on it is a second or two. */
	first = guests_book(old.port);
	WITHIN(40000, in_copy() == first.id);
	up_as(&spare, "BOX_SPARE");
	a = http_get(spare.port, "/");
	assert_int_equal(a->status, 200);
	assert_non_null(strstr(a->body, "예비 기기"));
	assert_non_null(strstr(a->body, "Ready."));
	assert_int_equal(http_ask(spare.port, guests_newcomer())->status, 503);
	appliance_run(&spare, &ran, NULL, "init", "--dir", spare.dir, NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.err, "is the folder of a spare"));
	expect_takeover_to_refuse_while_the_old_box_serves();
	/* A mirror that is stopped sends what was booked last, even if its line has just broken. */
	run_or_fail("kill $(cat /proc/%d/task/%d/children)", (int)mirror, (int)mirror);
	first = guests_book(old.port);
	end(&mirror, SIGTERM);
	assert_int_equal(in_copy(), first.id);
	/* One more booking, of which the spare hears nothing; then the box itself is gone. */
	lost = guests_book(old.port);
	appliance_down(&old);
	takeover(NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.err, "was heard of"));
	expect_a_takeover_that_was_cut_short_to_be_finished_by_a_start();
	takeover("--old-box-is-off");
	assert_int_equal(ran.exit, 0);
	assert_non_null(strstr(ran.out, "7 reservations"));
	WITHIN(10000, http_get(spare.port, "/healthz")->status == 200);
	a = guests_open(spare.port, &first);
	assert_int_equal(a->status, 200);
	assert_non_null(strstr(a->body, first.code));
	/* Nobody gets the number of a booking that was lost, so its link opens no other guest's. */
	fresh = guests_book(spare.port);
	assert_true(fresh.id >= first.id + TAKEOVER_GAP);
	a = guests_open(spare.port, &lost);
	assert_int_equal(a->status, 404);
	assert_non_null(strstr(a->body, "LOST_RESERVATION"));
	appliance_run(&spare, &ran, NULL, "doctor", "--dir", spare.dir, NULL);
	assert_non_null(strstr(ran.out, "the takeover or restore lost (number 8"));
	expect_the_old_box_to_stay_shut(&lost);
	appliance_down(&spare);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_spare_takes_over_and_the_old_box_stays_shut, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
