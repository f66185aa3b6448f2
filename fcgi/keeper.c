/*
 * keeper.c - the background process.
 *
 * Nothing here is needed for a right answer: a due hold counts as expired in every check from its
 * second on.  The keeper only makes the book say so, and looks after what has no request.
 */
#include "keeper.h"

#include "booking.h"
#include "clock.h"
#include "door.h"
#include "log.h"
#include "restaurants.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum {
	ROUND_MS = 500,
	OFFSETS_EVERY_S = 60,
};

/* Sleeps to the next round; true when it is time to stop. */
static bool wait_for_stop(const sigset_t *stop)
{
	struct timespec t = {.tv_nsec = ROUND_MS * 1000000L};

	return sigtimedwait(stop, NULL, &t) == SIGTERM;
}

static enum err one_round(struct db *db, struct board *b, int64_t *offsets_at)
{
	int64_t now = clock_now_s();
	int expired = 0;
	enum err e = booking_expire_due(db, now, &expired);

	if (expired) {
		board_add(b, BOARD_holds_expired, (uint64_t)expired);
		log_info("keeper.expired", "holds=%d", expired);
	}
	if (e == ERR_OK && now >= *offsets_at) {
		e = restaurants_keep_offsets(db, now);
		*offsets_at = now + OFFSETS_EVERY_S;
	}
	return e;
}

int keeper_run(const char *dir, int place)
{
	static struct door d;
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	int64_t offsets_at = 0;
	sigset_t stop;
	enum err e, last = ERR_OK;

	log_name("keeper");
	sigemptyset(&stop);
	sigaddset(&stop, SIGTERM);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGHUP, &ignore, NULL);
	if (door_open(&d, dir) != ERR_OK || db_open(&d.db, dir, &d.hall) != ERR_OK)
		return EXIT_FAILURE;
	d.book_open = true;
	do {
		board_busy(d.hall.board, place);
		e = one_round(&d.db, d.hall.board, &offsets_at);
		board_idle(d.hall.board, place);
		if (e != ERR_OK && e != last)
			log_warn("keeper.put_off", "why=%s", err_word(e));
		last = e;
		if (door_spoiled(&d))
			return EXIT_FAILURE;
	} while (!wait_for_stop(&stop));
	door_close(&d);
	return EXIT_SUCCESS;
}
