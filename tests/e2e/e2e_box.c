/*
 * e2e_box.c - what happens to the box: its book is taken away, replaced, or moves to a new one.
 */
#include "appliance.h"
#include "clock.h"
#include "guests.h"
#include "http.h"
#include "logs.h"
#include "unit.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
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

/* Every request is told that the book is gone; none is told of a success that is not in it. */
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
	appliance_run(&box, &ran, NULL, "backup", "--same-disk", file, "--dir", box.dir, NULL);
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

/* ---- root ---- */

static uid_t owner_of_process(pid_t pid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof path, "/proc/%d", (int)pid);
	return stat(path, &st) == 0 ? st.st_uid : (uid_t)-1;
}

static void root_is_left_behind(void **state)
{
	bool has_jari = getpwnam("jari") != NULL; /* whom `make install` makes, and who would be taken */
	const struct passwd *nobody = getpwnam("nobody");
	char path[APPLIANCE_PATH], text[64];
	pid_t pids[8];
	struct stat st;

	(void)state;
	if (geteuid() != 0 || !nobody)
		skip();
	unsetenv("JARI_USER");
	if (!has_jari) {
		appliance_run(&box, &ran, NULL, "up", "--demo", "--dir", box.dir, "--port", "18999", "--bind", "127.0.0.1",
			      NULL);
		assert_int_equal(ran.exit, 1);
		assert_non_null(strstr(ran.err, "--user NAME"));
		assert_int_not_equal(access(box.dir, F_OK), 0); /* and nothing was made */
	}
	appliance_run(&box, &ran, NULL, "up", "--demo", "--dir", box.dir, "--user", "nosuchuser", NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.err, "there is no user nosuchuser"));

	assert_int_equal(chmod(box.base, 0711), 0);
	assert_int_equal(mkdir(box.dir, 0750), 0);
	assert_int_equal(chown(box.dir, nobody->pw_uid, nobody->pw_gid), 0);
	appliance_install(&box);
	appliance_path(&box, "www", path);
	assert_int_equal(chmod(path, 0700), 0);
	appliance_run(&box, &ran, NULL, "up", "--demo", "--dir", box.dir, "--port", "18999", "--bind", "127.0.0.1", NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.err, "the user nobody may not read the pages"));
	assert_int_equal(chmod(path, 0755), 0);
	appliance_up(&box, 2); /* the folder says whose it is */
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	assert_int_equal(owner_of_process(box.pid), nobody->pw_uid);
	assert_int_equal(appliance_pids(&box, BOARD_WORKER, pids, 8), 2);
	assert_int_equal(owner_of_process(pids[0]), nobody->pw_uid);
	appliance_path(&box, "run/nginx.pid", path);
	assert_int_equal(owner_of_process((pid_t)atoi(appliance_read(path, text, sizeof text))), nobody->pw_uid);
	appliance_path(&box, "run/secret.key", path);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_uid, nobody->pw_uid);
	box.program = NULL;
	setenv("JARI_USER", "root", 1);
}

/* A link in the folder is not followed: a user who can write there cannot make us write elsewhere. */
static void links_are_not_followed(void **state)
{
	char link[APPLIANCE_PATH], target[APPLIANCE_PATH], text[64];

	(void)state;
	appliance_path(&box, "precious", target);
	appliance_write(target, "precious");
	assert_int_equal(mkdir(box.dir, 0750), 0);
	appliance_path(&box, "run/nginx.conf", link);
	assert_int_equal(symlink(target, link), 0);
	appliance_run(&box, &ran, NULL, "up", "--demo", "--dir", box.dir, "--port", "18999", "--bind", "127.0.0.1", NULL);
	assert_int_equal(ran.exit, 1);
	assert_string_equal(appliance_read(target, text, sizeof text), "precious");
	unlink(link);
	appliance_path(&box, "run/jari.log", link);
	assert_int_equal(symlink(target, link), 0);
	appliance_up(&box, 1);
	assert_string_equal(appliance_read(target, text, sizeof text), "precious");
}

/* ---- the disk ---- */

static int64_t size_of(const char *name)
{
	char path[APPLIANCE_PATH];
	struct stat st;

	appliance_path(&box, name, path);
	return stat(path, &st) == 0 ? st.st_size : -1;
}

static void logs_do_not_fill_the_disk(void **state)
{
	static const char *const logs[] = {"run/access.log", "run/nginx.log", "run/jari.log"};
	char path[APPLIANCE_PATH], older[64];

	(void)state;
	appliance_up(&box, 2);
	for (size_t i = 0; i < COUNT(logs); i++) {
		appliance_path(&box, logs[i], path);
		assert_int_equal(truncate(path, LOGS_MAX + 1), 0);
	}
	for (size_t i = 0; i < COUNT(logs); i++) {
		snprintf(older, sizeof older, "%s.1", logs[i]);
		WITHIN(8000, size_of(logs[i]) < LOGS_MAX && size_of(older) > LOGS_MAX);
	}
	/* And they are still written. */
	assert_int_equal(http_get(box.port, "/api/restaurants/1")->status, 200);
	WITHIN(8000, size_of("run/access.log") > 0);
}

/* ---- the door ---- */

/*
 * Thirteen thousand clients send half a request and stop; honest guests are served meanwhile, not when nginx has lost its
 * patience with the others.
 */
static void half_sent_requests_lock_no_client_out(void **state)
{
	static const char half[] =
		"POST /api/reservations HTTP/1.1\r\nHost: x\r\nX-"; /* its NUL would be a bad request, and over */
	enum { HALF = 13000, SOON_MS = 3000 };
	static int fds[HALF];
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct rlimit files;
	int opened = 0, served = 0;
	int64_t asked_ms, slowest_ms = 0;

	(void)state;
	if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_max < HALF + 500)
		skip();
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	appliance_up(&box, 4);
	to.sin_port = htons((uint16_t)box.port);
	for (int i = 0; i < HALF; i++) {
		struct timeval patience = {.tv_sec = 2};

		fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		setsockopt(fds[i], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
		if (connect(fds[i], (struct sockaddr *)&to, sizeof to) == 0 &&
		    send(fds[i], half, sizeof half - 1, MSG_NOSIGNAL) > 0)
			opened++;
	}
	for (int i = 0; i < 20; i++) {
		asked_ms = clock_mono_ms();
		served += http_ask(box.port, guests_newcomer())->status == 201;
		asked_ms = clock_mono_ms() - asked_ms;
		slowest_ms = asked_ms > slowest_ms ? asked_ms : slowest_ms;
	}
	printf("# %d half-sent requests; %d of 20 honest guests served, the slowest after %d ms\n", opened, served,
	       (int)slowest_ms);
	for (int i = 0; i < HALF; i++)
		close(fds[i]);
	assert_int_equal(served, 20);
	assert_true(slowest_ms < SOON_MS);
}

/* (That it is served where priorities may not be changed, as by the unit of an older jari, is in e2e_sandbox.) */
static void workers_let_the_keeper_go_first(void **state)
{
	int own = getpriority(PRIO_PROCESS, 0);
	pid_t pids[8];

	(void)state;
	appliance_up(&box, 2);
	assert_int_equal(appliance_pids(&box, BOARD_KEEPER, pids, 8), 1);
	assert_int_equal(getpriority(PRIO_PROCESS, (id_t)pids[0]), own);
	assert_int_equal(appliance_pids(&box, BOARD_WORKER, pids, 8), 2);
	for (int i = 0; i < 2; i++)
		assert_int_equal(getpriority(PRIO_PROCESS, (id_t)pids[i]), own + 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* What a user with a login on the box finds; 0, or the number of the first door that was open.  Runs as that user. */
static int try_every_door(const char *dir, const char *segment, pid_t jari)
{
	static const char *const files[] = {"jari.db",      "jari.db-wal", "jari.db-shm", "secret.key", "hall.id",
					    "tickets.next", "serve.lock",  "send-sms",    "access.log", "."};
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	char path[300], line[700];
	int fd;

	for (int i = 0; i < (int)COUNT(files); i++) {
		snprintf(path, sizeof path, "%s/%s", dir, files[i]);
		if (open(path, O_RDONLY) >= 0 || open(path, O_WRONLY) >= 0)
			return 1 + i;
	}
	snprintf(path, sizeof path, "%s/new", dir);
	if (open(path, O_WRONLY | O_CREAT, 0600) >= 0)
		return 20;
	if (open(segment, O_RDONLY) >= 0 || open(segment, O_RDWR) >= 0 || unlink(segment) == 0)
		return 21;
	snprintf(a.sun_path, sizeof a.sun_path, "%s/jari.sock", dir);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
		return 22;
	if (kill(jari, 0) == 0 || kill(jari, SIGTERM) == 0)
		return 23;
	snprintf(line, sizeof line, "sqlite3 %s/jari.db 'SELECT * FROM users' >/dev/null 2>&1", dir);
	if (system(line) == 0)
		return 24;
	snprintf(line, sizeof line, "%s check --dir %s >/dev/null 2>&1", box.installed, dir);
	return system(line) == 0 ? 25 : 0;
}

/* Another user of the box, at a shell of their own: nothing to read, nothing to write, nothing to talk to. */
static void another_local_user_finds_every_door_shut(void **state)
{
	struct hall *hall;
	char segment[120];
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	appliance_up(&box, 4);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	appliance_install(&box);
	assert_int_equal(chmod(box.base, 0755), 0); /* what protects it is its own */
	hall = guests_hall(&box);
	snprintf(segment, sizeof segment, "/dev/shm%s", hall->shm.name);
	assert_int_equal(access(segment, F_OK), 0);
	pid = fork();
	if (pid == 0)
		_exit(setgid(65534) == 0 && setgroups(0, NULL) == 0 && setuid(65534) == 0 ?
			      try_every_door(box.dir, segment, box.pid) :
			      99);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
}

static void a_folder_may_have_a_blank_in_its_name(void **state)
{
	char copy[APPLIANCE_PATH];

	(void)state;
	snprintf(box.dir, sizeof box.dir, "%s/a b", box.base);
	appliance_up(&box, 2);
	assert_int_equal(http_get(box.port, "/")->status, 200);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	appliance_path(&box, "a b/my copy.db", copy);
	appliance_run(&box, &ran, NULL, "backup", copy, "--same-disk", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
}

/* They would be read as something else: better a sentence than an nginx that dies again and again. */
static void a_name_that_nginx_cannot_read_is_refused(void **state)
{
	char port[16];

	(void)state;
	snprintf(port, sizeof port, "%d", appliance_free_port());
	snprintf(box.dir, sizeof box.dir, "%s/$a", box.base);
	appliance_run(&box, &ran, NULL, "up", "--demo", "--dir", box.dir, "--port", port, "--bind", "127.0.0.1", NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.err, "nginx cannot read a folder's name"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_book_that_is_taken_away_is_noticed),
		TEST(no_new_book_is_made_where_there_was_one),
		TEST(a_new_box_is_made_from_a_backup_alone),
		TEST(root_is_left_behind),
		TEST(links_are_not_followed),
		TEST(logs_do_not_fill_the_disk),
		TEST(half_sent_requests_lock_no_client_out),
		TEST(another_local_user_finds_every_door_shut),
		TEST(workers_let_the_keeper_go_first),
		TEST(a_folder_may_have_a_blank_in_its_name),
		TEST(a_name_that_nginx_cannot_read_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
