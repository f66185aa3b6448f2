/*
 * appliance.h - a real jari in a folder of its own, for tests: nginx with FastCGI workers, or
 * lighttpd with plain CGI.
 *
 * JARI_BIN names the program (build/debug/jari when it is not set).  Whatever is started ends with the
 * test program at the latest.  Only processes that were started here are ever signalled, by their ids.
 */
#ifndef JARI_APPLIANCE_H
#define JARI_APPLIANCE_H

#include "board.h"
#include "counters.h"
#include "http.h"

#include <stdbool.h>
#include <stdint.h>
#include <sqlite3.h>
#include <sys/types.h>

enum { APPLIANCE_PATH = 160 };

struct appliance {
	char base[84]; /* everything of this appliance is below it */
	char dir[90];  /* --dir */
	int port;
	pid_t pid; /* of jari up or lighttpd; 0: not running */
	bool cgi;
	const char *program; /* NULL: JARI_BIN */
	char installed[APPLIANCE_PATH];
	const char *hang_ms; /* --hang-ms; NULL: as it comes */
};

/* What a command printed and how it ended: its exit status, or 128 and the signal that ended it. */
struct ran {
	int exit;
	char out[32768], err[8192];
};

/* A folder to work in; dir is inside and does not exist yet. */
void appliance_new(struct appliance *a);
/* Ends what still runs, and removes the folder and the shared memory.  Nothing the second time. */
void appliance_free(struct appliance *a);

/* `jari up` on a free port, up to its first answer. */
void appliance_up(struct appliance *a, int workers);
/* lighttpd in front of `jari cgi`; makes the demo book if there is none. */
void appliance_up_cgi(struct appliance *a);
/*
 * SIGTERM and wait: the exit status must be 0, the logs free of sanitizers' and assertions' words,
 * and `jari check` content.
 */
void appliance_down(struct appliance *a);
/* Does `jari check` find the book sound? */
void appliance_check(const struct appliance *a);

/* Runs jari (or another program) with these arguments, the list ended by NULL. */
void appliance_run(const struct appliance *a, struct ran *out, const char *input, ...) __attribute__((sentinel));
const char *appliance_program(const struct appliance *a);
/* A copy of jari and its pages beside the book: the tree of the tests may be where other users cannot look. */
void appliance_install(struct appliance *a);
/* Starts a program with its output in the file log; the caller waits for it. */
pid_t appliance_spawn(const char *log, const char *const *argv);
/* Waits for a child; its exit status, 128 and its signal, or -1 when it still runs after ms. */
int appliance_wait(pid_t pid, int ms);

int appliance_free_port(void);
/* Asks /healthz until it answers 200; false after ms. */
bool appliance_answers(const struct appliance *a, int ms);

/* The book by SQLite's own library, set like every connection of jari.  Close it with sqlite3_close. */
sqlite3 *appliance_book(const struct appliance *a);
/* As an owner at the sqlite3 shell; returns when what it changed counts. */
void appliance_sql(const struct appliance *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
int64_t appliance_number(const struct appliance *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A counter of /metrics, by its name in counters.h. */
int64_t appliance_counter(const struct appliance *a, const char *name);
/* The processes of one kind that sit at a place now. */
int appliance_pids(const struct appliance *a, enum board_kind kind, pid_t *out, int max);
/* Every descendant of a process. */
int appliance_descendants(pid_t root, pid_t *out, int max);
bool appliance_alive(pid_t pid);
/* kill(2), but never at a group or at process 0: a lost pid is a failure. */
void appliance_signal(pid_t pid, int signal);

/* A text file of the folder, at most size - 1 bytes of it; "" when it is not there. */
char *appliance_read(const char *path, char *out, size_t size);
void appliance_write(const char *path, const char *text);
void appliance_path(const struct appliance *a, const char *name, char out[APPLIANCE_PATH]); /* in base */
/* Replaces every from by to; the text must have at least one. */
void appliance_replace(char *text, size_t size, const char *from, const char *to);

int64_t appliance_now_ms(void);
/* Tries a condition every few milliseconds until it holds, at most ms. */
#define WITHIN(ms, condition) \
	for (int64_t until_ = appliance_now_ms() + (ms); !(condition); usleep(2000)) \
		if (appliance_now_ms() > until_) \
	fail_msg("not within %d ms: %s", (ms), #condition)

#endif
