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
#include "batch.h"

#include <signal.h>
#include <stdlib.h>

enum {
	ROUND_MS = 500,
	TURN_MS = 1000,   /* how long to serve the line before looking round again */
	LOOK_MS = 20,     /* somebody waits and another has the pen: he rings, unless he dies */
	LAST_MS = 10000,  /* when stopping: how long for those still in the line */
	OFFSETS_EVERY_S = 60,
};

static volatile sig_atomic_t stopping;

static void on_stop(int signal)
{
	(void)signal;
	stopping = 1;
}

/*
 * Whoever passes the pen on rings for us while anybody waits.  pen_ms 0: as one of the line; else we insist,
 * because nobody will come after us.
 */
static enum err serve_line(struct db *db, int place, int64_t ms, int64_t pen_ms)
{
	int64_t until = clock_mono_ms() + ms;
	enum err e = ERR_OK;

	while (e == ERR_OK && line_length(db->hall->line) && clock_mono_ms() < until) {
		board_busy(db->hall->board, place); /* a writer who hangs is ended, whoever he is */
		e = batch_serve(db, pen_ms);
		board_rest(db->hall->board, place);
		if (e == ERR_BOOK_BUSY && pen_ms)
			e = ERR_OK;
	}
	return e == ERR_BOOK_BUSY ? ERR_OK : e;
}

static enum err one_round(struct db *db, struct board *b, int64_t *offsets_at)
{
	int64_t now = clock_now_s();
	int expired = 0;
	enum err e = txn_sweep(db, now, &expired);

	if (expired) {
		board_add(b, BOARD_holds_expired, (uint64_t)expired);
		log_info("keeper.expired", "holds=%d", expired);
	}
	if (e == ERR_OK)
		e = db_tidy(db);
	if (e == ERR_OK && now >= *offsets_at) {
		e = restaurants_keep_offsets(db, now);
		*offsets_at = now + OFFSETS_EVERY_S;
	}
	return e;
}

/* A round of housekeeping when one is due, and the line whenever the bell rings. */
static enum err one_turn(struct door *d, int place, int64_t *round_at, int64_t *offsets_at)
{
	enum err e = serve_line(&d->db, place, TURN_MS, 0);

	if (e == ERR_OK && clock_mono_ms() >= *round_at) {
		board_busy(d->hall.board, place);
		e = one_round(&d->db, d->hall.board, offsets_at);
		board_idle(d->hall.board, place);
		*round_at = clock_mono_ms() + ROUND_MS;
	}
	return e;
}

int keeper_run(const char *dir, int place)
{
	static struct door d;
	struct sigaction ignore = {.sa_handler = SIG_IGN}, stop = {.sa_handler = on_stop};
	int64_t round_at = 0, offsets_at = 0;
	enum err e, last = ERR_OK;

	log_name("keeper");
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGHUP, &ignore, NULL);
	if (door_open(&d, dir) != ERR_OK || db_open(&d.db, dir, &d.hall) != ERR_OK ||
	    db_keep_more(&d.db) != ERR_OK)
		return EXIT_FAILURE;
	d.book_open = true;
	while (!stopping) {
		uint32_t heard;

		hall_refresh(&d.hall);
		heard = line_bell(d.hall.line); /* before looking: whoever rings later is not missed */
		e = batch_prepare(&d.db);
		if (e == ERR_OK)
			e = one_turn(&d, place, &round_at, &offsets_at);
		if (e != ERR_OK && e != last)
			log_warn("keeper.put_off", "why=%s", err_word(e));
		last = e;
		if (door_spoiled(&d))
			return EXIT_FAILURE;
		line_await_bell(d.hall.line, heard, line_length(d.hall.line) ? LOOK_MS : ROUND_MS);
	}
	/* No ticket is dropped: whoever is in the line gets his outcome before the lights go out. */
	serve_line(&d.db, place, LAST_MS, TURN_MS);
	db_settle(&d.db);
	door_close(&d);
	return EXIT_SUCCESS;
}
