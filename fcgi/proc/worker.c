/*
 * worker.c - a FastCGI worker.
 *
 * SIGTERM is blocked everywhere but inside epoll_pwait(), which waits for a connection: an answer is
 * never cut short, and no signal is lost between looking at the flag and going to sleep.  The handler
 * is in place before libfcgi starts, which would otherwise install its own.
 */
#include "worker.h"

#include "api.h"
#include "clock.h"
#include "door.h"
#include "front_fcgi.h"
#include "log.h"
#include "stop.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>

/* *waiting is the mask under which to wait: the old one, with SIGTERM let in. */
static void prepare_signals(sigset_t *waiting)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigset_t block;

	sigemptyset(&block);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, waiting);
	sigdelset(waiting, SIGTERM);
	stop_on_term();
	sigaction(SIGUSR1, &ignore, NULL);
}

enum { LOOK_EVERY = 8, LOOK_LEAST_MS = 1000, LOOK_MOST_MS = 8000, LOOKS_S = 3 };

/*
 * When to look next: together the workers look LOOKS_S times a second, one after the other by their posts, each at least every
 * LOOK_MOST_MS.  So thirty-two need not wake a box that rests, and no two of them look in the same moment and then none for long.
 */
static int look_ms(struct board *b, int post)
{
	int workers = 0, every;

	for (int i = 0; i < BOARD_POSTS; i++)
		workers += board_read(b, i).kind == BOARD_WORKER;
	every = workers * 1000 / LOOKS_S;
	every = every < LOOK_LEAST_MS ? LOOK_LEAST_MS : every > LOOK_MOST_MS ? LOOK_MOST_MS : every;
	return every - (int)((clock_mono_ms() + (int64_t)every * post / (workers ? workers : 1)) % every);
}

/* While connections wait, epoll_pwait() returns without letting the signal in, so look for it now and then. */
static bool told_to_stop(void)
{
	static unsigned asked;
	sigset_t pending;

	if (stop_asked || ++asked % LOOK_EVERY)
		return stop_asked;
	return sigpending(&pending) == 0 && sigismember(&pending, SIGTERM) == 1;
}

/*
 * Wakes one worker for each connection; poll() would wake them all, and all but one for nothing.  If that one is
 * stopped or killed before it accepts, another looks by itself within look_ms().
 */
static int watch(int listen_fd)
{
	struct epoll_event e = {.events = EPOLLIN | EPOLLEXCLUSIVE};
	int fd = epoll_create1(EPOLL_CLOEXEC);

	return fd >= 0 && epoll_ctl(fd, EPOLL_CTL_ADD, listen_fd, &e) == 0 ? fd : -1;
}

static void serve_one(struct door *d, int post)
{
	static struct req r;
	static struct reply reply;

	assert(post >= 0);
	/* Busy from here on: a peer that stops in the middle of a request must not block this worker unnoticed. */
	board_busy(d->hall.board, post);
	if (!front_fcgi_accept(&r)) {
		board_rest(d->hall.board, post);
		return;
	}
	door_serve(d, &r, &reply);
	front_fcgi_finish(&r, &reply);
	board_idle(d->hall.board, post);
}

int worker_run(const char *dir, int listen_fd, int post)
{
	static struct door d;
	struct epoll_event event;
	sigset_t waiting;
	char name[24];
	int connections = watch(listen_fd), rest_ms = LOOK_LEAST_MS;

	snprintf(name, sizeof name, "worker[%d]", post);
	log_name(name);
	prepare_signals(&waiting);
	if (connections < 0 || door_open(&d, dir) != ERR_OK || !front_fcgi_init(listen_fd))
		return EXIT_FAILURE;
	d.post = post;
	d.answers = api_answers;
	door_warm(&d);
	while (!told_to_stop()) {
		if (d.book_open)
			board_ready(d.hall.board, post);
		if (epoll_pwait(connections, &event, 1, rest_ms, &waiting) > 0)
			serve_one(&d, post);
		else {
			door_look(&d); /* no guest need be the one who finds out */
			rest_ms = look_ms(d.hall.board, post);
		}
		if (door_spoiled(&d)) {
			log_error("worker.spoiled",
				  "a commit's outcome is unknown, or the book is another file; a fresh process will look");
			return EXIT_FAILURE;
		}
	}
	door_close(&d);
	return EXIT_SUCCESS;
}
