/*
 * appliance.c - a real jari in a folder of its own, for tests.
 */
#include "appliance.h"

#include "clock.h"
#include "hall.h"
#include "restaurants.h"
#include "unit.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	START_MS = 10000,
	STOP_MS = 40000, /* longer than the supervisor gives its workers */
	COMMAND_MS = 30000,
	DESCENDANTS = 512,
	PORT_FIRST = 20000, /* below the range from which the kernel takes the clients' ports */
	PORTS = 12000,
};

int64_t appliance_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- files ---- */

void appliance_path(const struct appliance *a, const char *name, char out[APPLIANCE_PATH])
{
	snprintf(out, APPLIANCE_PATH, "%s/%s", a->base, name);
}

char *appliance_read(const char *path, char *out, size_t size)
{
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(out, 1, size - 1, f) : 0;

	if (f)
		fclose(f);
	out[n] = '\0';
	return out;
}

void appliance_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

void appliance_replace(char *text, size_t size, const char *from, const char *to)
{
	char *at = strstr(text, from);
	size_t n = strlen(from), fresh = strlen(to);

	if (!at)
		fail_msg("there is no \"%s\" to replace", from);
	for (; at; at = strstr(at + fresh, from)) {
		assert_true(strlen(text) + fresh < size + n);
		memmove(at + fresh, at + n, strlen(at + n) + 1);
		memcpy(at, to, fresh);
	}
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *place)
{
	(void)st;
	(void)kind;
	(void)place;
	return remove(path);
}

/* ---- processes ---- */

const char *appliance_program(const struct appliance *a)
{
	static char path[PATH_MAX];
	const char *named = a->program ? a->program : getenv("JARI_BIN");

	if (!realpath(named ? named : "build/debug/jari", path))
		fail_msg("%s is not there: tests run from the root of the built tree", named ? named : "build/debug/jari");
	return path;
}

/* In a child: the given files as its output, nothing to read, and no life without the test. */
static void become(const char *const *argv, int in, int out, int err)
{
	union {
		const char *const *in;
		char *const *out;
	} words = {.in = argv};

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	execvp(words.out[0], words.out);
	_exit(127);
}

pid_t appliance_spawn(const char *log, const char *const *argv)
{
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	pid_t pid;

	assert_true(in >= 0 && out >= 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		become(argv, in, out, out);
	close(in);
	close(out);
	return pid;
}

int appliance_wait(pid_t pid, int ms)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0), status;
	struct pollfd p = {.fd = fd, .events = POLLIN};

	if (fd >= 0) {
		poll(&p, 1, ms);
		close(fd);
	}
	if (waitpid(pid, &status, WNOHANG) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void appliance_signal(pid_t pid, int signal)
{
	assert_true(pid > 1);
	kill(pid, signal);
}

bool appliance_alive(pid_t pid)
{
	char path[64], text[512], *p;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	appliance_read(path, text, sizeof text);
	p = strrchr(text, ')');
	return p && p[1] && p[2] != 'Z';
}

static pid_t parent_of(pid_t pid)
{
	char path[64], text[512], *p;
	int parent = 0;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	p = strrchr(appliance_read(path, text, sizeof text), ')');
	if (p)
		sscanf(p + 1, " %*c %d", &parent);
	return parent;
}

int appliance_descendants(pid_t root, pid_t *out, int max)
{
	DIR *d = opendir("/proc");
	struct dirent *entry;
	int n = 0;

	assert_non_null(d);
	while ((entry = readdir(d)) && n < max) {
		pid_t pid = atoi(entry->d_name), up = pid > 1 ? parent_of(pid) : 0;

		while (up > 1 && up != root)
			up = parent_of(up);
		if (up == root)
			out[n++] = pid;
	}
	closedir(d);
	return n;
}

/* Reads the whole of an anonymous file as text. */
static void take_text(int fd, char *out, size_t size)
{
	ssize_t n = pread(fd, out, size - 1, 0);

	out[n > 0 ? n : 0] = '\0';
	close(fd);
}

/* As a command of its own: argv from the list, with the folder put in for the program's name first. */
void appliance_run(const struct appliance *a, struct ran *out, const char *input, ...)
{
	const char *argv[24] = {appliance_program(a)};
	int in = memfd_create("in", MFD_CLOEXEC), text = memfd_create("out", MFD_CLOEXEC),
	    err = memfd_create("err", MFD_CLOEXEC);
	size_t n = 1;
	va_list ap;
	pid_t pid;

	va_start(ap, input);
	while ((argv[n] = va_arg(ap, const char *)))
		assert_true(++n < COUNT(argv));
	va_end(ap);
	if (input)
		assert_true(pwrite(in, input, strlen(input), 0) == (ssize_t)strlen(input));
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		become(argv, in, text, err);
	out->exit = appliance_wait(pid, COMMAND_MS);
	if (out->exit < 0) {
		appliance_signal(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	close(in);
	take_text(text, out->out, sizeof out->out);
	take_text(err, out->err, sizeof out->err);
}

/* ---- starting ---- */

int appliance_free_port(void)
{
	static int turn;

	for (int i = 0; i < PORTS; i++) {
		struct sockaddr_in at = {.sin_family = AF_INET};
		int port = PORT_FIRST + ((int)getpid() * 31 + turn++) % PORTS;
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		bool free_now;

		at.sin_port = htons((uint16_t)port);
		free_now = bind(fd, (struct sockaddr *)&at, sizeof at) == 0;
		close(fd);
		if (free_now)
			return port;
	}
	fail_msg("no free port");
	return 0;
}

void appliance_new(struct appliance *a)
{
	const char *tmp = getenv("TMPDIR");

	setenv("JARI_USER", "root", 1); /* these tests may run as root, and their folders are root's */
	*a = (struct appliance){0};
	snprintf(a->base, sizeof a->base, "%s/jari-e2e-XXXXXX", tmp && strlen(tmp) < 60 ? tmp : "/tmp");
	assert_non_null(mkdtemp(a->base));
	snprintf(a->dir, sizeof a->dir, "%s/run", a->base);
}

void appliance_install(struct appliance *a)
{
	char jari[PATH_MAX], bin[APPLIANCE_PATH];
	struct ran ran;

	snprintf(jari, sizeof jari, "%s", appliance_program(a));
	appliance_path(a, "bin", bin);
	appliance_path(a, "bin/jari", a->installed);
	assert_int_equal(mkdir(bin, 0755), 0);
	a->program = "/bin/cp";
	appliance_run(a, &ran, NULL, jari, a->installed, NULL);
	assert_int_equal(ran.exit, 0);
	appliance_run(a, &ran, NULL, "-r", "www", a->base, NULL);
	assert_int_equal(ran.exit, 0);
	a->program = a->installed;
}

bool appliance_answers(const struct appliance *a, int ms)
{
	int64_t until = appliance_now_ms() + ms;

	do {
		const struct http_answer *got = http_get(a->port, "/healthz");

		if (got->status == 200)
			return true;
		usleep(1000);
	} while (appliance_now_ms() < until && (!a->pid || appliance_alive(a->pid)));
	return false;
}

static void expect_answer(struct appliance *a, const char *log)
{
	char text[8192];

	if (!appliance_answers(a, START_MS))
		fail_msg("no answer on port %d: %s", a->port, appliance_read(log, text, sizeof text));
}

void appliance_up(struct appliance *a, int workers)
{
	char port[16], count[16], log[APPLIANCE_PATH];
	const char *argv[] = {appliance_program(a),
			      "up",
			      "--demo",
			      "--dir",
			      a->dir,
			      "--port",
			      port,
			      "--bind",
			      "127.0.0.1",
			      "--workers",
			      count,
			      a->hang_ms ? "--hang-ms" : NULL,
			      a->hang_ms,
			      NULL};

	a->cgi = false;
	a->port = appliance_free_port();
	snprintf(port, sizeof port, "%d", a->port);
	snprintf(count, sizeof count, "%d", workers);
	appliance_path(a, "up.log", log);
	a->pid = appliance_spawn(log, argv);
	expect_answer(a, log);
}

/* The web server passes no environment on, so the little program in between brings the sanitizers' along. */
static void write_cgi_program(const struct appliance *a)
{
	const char *asan = getenv("ASAN_OPTIONS"), *ubsan = getenv("UBSAN_OPTIONS");
	char path[APPLIANCE_PATH], text[PATH_MAX + 1024];

	appliance_path(a, "www", path);
	mkdir(path, 0700);
	appliance_path(a, "www/jari.cgi", path);
	snprintf(text, sizeof text, "#!/bin/sh\nexport ASAN_OPTIONS='%s' UBSAN_OPTIONS='%s'\nexec '%s' cgi --dir '%s'\n",
		 asan ? asan : "", ubsan ? ubsan : "", appliance_program(a), a->dir);
	appliance_write(path, text);
	assert_int_equal(chmod(path, 0700), 0);
}

static void write_lighttpd_conf(const struct appliance *a, const char *path)
{
	char text[2048];

	snprintf(text, sizeof text,
		 "server.bind = \"127.0.0.1\"\n"
		 "server.port = %d\n"
		 "server.document-root = \"%s/www\"\n"
		 "server.errorlog = \"%s/lighttpd.log\"\n"
		 "server.breakagelog = \"%s/cgi.log\"\n"
		 "server.upload-dirs = ( \"%s\" )\n"
		 "server.modules = ( \"mod_rewrite\", \"mod_cgi\" )\n"
		 /* Queries reach the program as they were sent: it is the program's checks that are tested. */
		 "server.http-parseopts = ( \"url-normalize\" => \"disable\", \"url-ctrls-reject\" => \"disable\" )\n"
		 "url.rewrite-once = ( \"^/(api/.*|healthz|metrics)(\\?.*)?$\" => \"/jari.cgi/$1$2\" )\n"
		 "cgi.assign = ( \".cgi\" => \"\" )\n",
		 a->port, a->base, a->base, a->base, a->base);
	appliance_write(path, text);
}

void appliance_up_cgi(struct appliance *a)
{
	static struct ran made;
	char conf[APPLIANCE_PATH], log[APPLIANCE_PATH];
	const char *argv[] = {"/usr/sbin/lighttpd", "-D", "-f", conf, NULL};

	a->cgi = true;
	a->port = appliance_free_port();
	appliance_run(a, &made, NULL, "init", "--demo", "--dir", a->dir, NULL);
	if (made.exit != 0)
		fail_msg("jari init: %s", made.err);
	write_cgi_program(a);
	appliance_path(a, "lighttpd.conf", conf);
	appliance_path(a, "up.log", log);
	write_lighttpd_conf(a, conf);
	a->pid = appliance_spawn(log, argv);
	expect_answer(a, log);
}

/* ---- stopping ---- */

void appliance_check(const struct appliance *a)
{
	static struct ran checked;

	appliance_run(a, &checked, NULL, "check", "--dir", a->dir, NULL);
	if (checked.exit != 0)
		fail_msg("jari check: exit %d\n%s%s", checked.exit, checked.out, checked.err);
}

/* Words that no sound program leaves in its log. */
static void expect_clean_log(const char *path)
{
	static const char *const words[] = {"Sanitizer", "runtime error:", "Assertion", "stack smashing", "corrupted"};
	static char text[1 << 20];

	appliance_read(path, text, sizeof text);
	for (size_t i = 0; i < COUNT(words); i++)
		if (strstr(text, words[i]))
			fail_msg("%s says %s: %.4000s", path, words[i], strstr(text, words[i]));
}

void appliance_down(struct appliance *a)
{
	static const char *const logs[] = {"up.log", "cgi.log"};
	char path[APPLIANCE_PATH];
	int status;

	appliance_signal(a->pid, a->cgi ? SIGINT : SIGTERM); /* what lighttpd calls a graceful stop */
	status = appliance_wait(a->pid, STOP_MS);
	if (status >= 0)
		a->pid = 0;
	assert_int_equal(status, 0);
	for (size_t i = 0; i < COUNT(logs); i++) {
		appliance_path(a, logs[i], path);
		expect_clean_log(path);
	}
	snprintf(path, sizeof path, "%s/jari.log", a->dir);
	expect_clean_log(path);
	appliance_check(a);
}

/* Does the process have this folder in its arguments? */
static bool is_stray(pid_t pid, const char *base)
{
	char path[64], words[1024];
	FILE *f;
	size_t n;

	snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
	f = fopen(path, "re");
	n = f ? fread(words, 1, sizeof words, f) : 0;
	if (f)
		fclose(f);
	return n && memmem(words, n, base, strlen(base));
}

/* What a failed test left behind: processes without a test, known by the folder's name. */
static void end_strays(const char *base)
{
	DIR *d = opendir("/proc");
	struct dirent *entry;

	assert_non_null(d);
	while ((entry = readdir(d))) {
		pid_t pid = atoi(entry->d_name);

		if (pid > 1 && pid != getpid() && is_stray(pid, base))
			appliance_signal(pid, SIGKILL);
	}
	closedir(d);
}

/* Politely first, since nginx's workers outlive a killed master. */
static void end_tree(pid_t root)
{
	pid_t pids[DESCENDANTS];
	int n = appliance_descendants(root, pids, DESCENDANTS);

	appliance_signal(root, SIGTERM);
	if (appliance_wait(root, 3000) < 0 && appliance_alive(root)) {
		appliance_signal(root, SIGKILL);
		waitpid(root, NULL, 0);
	}
	for (int i = 0; i < n; i++)
		for (int64_t until = appliance_now_ms() + 1000; appliance_alive(pids[i]); usleep(2000))
			if (appliance_now_ms() > until)
				appliance_signal(pids[i], SIGKILL);
}

void appliance_free(struct appliance *a)
{
	static struct hall hall;
	char path[APPLIANCE_PATH];

	if (!*a->base)
		return;
	if (a->pid)
		end_tree(a->pid);
	a->pid = 0;
	end_strays(a->base);
	snprintf(path, sizeof path, "%s/hall.id", a->dir);
	if (access(path, F_OK) == 0 && hall_attach(&hall, a->dir) == ERR_OK) {
		hall_remove(&hall);
		hall_detach(&hall);
	}
	nftw(a->base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	a->base[0] = '\0';
}

/* ---- looking in ---- */

sqlite3 *appliance_book(const struct appliance *a)
{
	char path[APPLIANCE_PATH];
	sqlite3 *db;

	snprintf(path, sizeof path, "%s/jari.db", a->dir);
	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	sqlite3_busy_timeout(db, 5000);
	sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	assert_int_equal(sqlite3_exec(db, "PRAGMA wal_autocheckpoint=0; PRAGMA foreign_keys=ON", NULL, NULL, NULL), SQLITE_OK);
	return db;
}

void appliance_sql(const struct appliance *a, const char *format, ...)
{
	sqlite3 *db = appliance_book(a);
	char *sql, *why = NULL;
	va_list ap;

	va_start(ap, format);
	assert_true(vasprintf(&sql, format, ap) >= 0);
	va_end(ap);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	/* A door that has just read the policies keeps them this long. */
	if (strstr(sql, "restaurants") || strstr(sql, "opening_hours") || strstr(sql, "special_days") ||
	    strstr(sql, "openings"))
		clock_sleep_ms(RESTAURANTS_KEPT_MS + 20);
	free(sql);
	sqlite3_close(db);
}

int64_t appliance_number(const struct appliance *a, const char *format, ...)
{
	sqlite3 *db = appliance_book(a);
	sqlite3_stmt *s;
	int64_t value = -1;
	char *sql;
	va_list ap;

	va_start(ap, format);
	assert_true(vasprintf(&sql, format, ap) >= 0);
	va_end(ap);
	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	if (sqlite3_step(s) == SQLITE_ROW)
		value = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	free(sql);
	sqlite3_close(db);
	return value;
}

int64_t appliance_counter(const struct appliance *a, const char *name)
{
	static struct hall hall;
	int64_t value = -1;

	assert_int_equal(hall_attach(&hall, a->dir), ERR_OK);
	for (int i = 0; i < COUNTER__MAX; i++)
		if (strcmp(counters_row((enum counter)i)->name, name) == 0)
			value = (int64_t)counters_get(hall.counters, (enum counter)i);
	hall_detach(&hall);
	if (value < 0)
		fail_msg("there is no counter %s", name);
	return value;
}

int appliance_pids(const struct appliance *a, enum board_kind kind, pid_t *out, int max)
{
	static struct hall hall;
	int n = 0;

	assert_int_equal(hall_attach(&hall, a->dir), ERR_OK);
	for (int i = 0; i < BOARD_POSTS && n < max; i++) {
		struct board_post p = board_read(hall.board, i);

		if (p.kind == kind && p.pid > 0)
			out[n++] = p.pid;
	}
	hall_detach(&hall);
	return n;
}
