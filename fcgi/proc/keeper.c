/*
 * keeper.c - the background process.
 *
 * In a rush it is the one that writes: a process that passes the pen on wakes it first, because it has no guest of its own to
 * answer.  The chores are not needed for a right answer: a hold that has run out counts as released in every check from
 * its second on, and the keeper only makes the book say so.  It never touches the network and never blocks on anything
 * but the pen.
 */
#include "keeper.h"

#include "batch.h"
#include "clock.h"
#include "door.h"
#include "forget.h"
#include "intents.h"
#include "log.h"
#include "dispatch.h"
#include "doorlist.h"
#include "planner.h"
#include "proofs.h"
#include "restaurants.h"
#include "results.h"
#include "stop.h"
#include "timeset.h"
#include "waitlist.h"
#include "wal.h"
#include "watch.h"

#include <assert.h>
#include <stdlib.h>

enum {
	IDLE_MS = 500,   /* how long to sleep when nothing is due and the bell is silent */
	TURN_MS = 1000,  /* how long to serve the line before looking at the chores again */
	LOOK_MS = 20,    /* poll interval while another process holds the pen; normally it rings the bell */
	SOON_MS = 1000,  /* when a chore that has more to do comes again */
	LAST_MS = 10000, /* when stopping: how long for those still in the line */
	WATCH_MS = 1000, /* how often to look at the disk */
};

static enum err sweep_holds(struct db *db, int64_t now_s)
{
	int expired;
	enum err e = waitlist_sweep(db, now_s, &expired);

	if (expired)
		log_info("keeper.expired", "holds=%d", expired);
	return e;
}

static enum err tidy_log(struct db *db, int64_t now_s)
{
	(void)now_s;
	return wal_tidy(db);
}

static bool unfinished; /* the chore that ran has more to do */

static enum err forget_guests(struct db *db, int64_t now_s)
{
	return forget_old(db, now_s, &unfinished);
}

/*
 * What has to be done again and again, in this order.  A chore that finds nothing to do leaves the pen alone.  One that
 * cannot be taken back waits while the clock is not believed: mending comes before planning, which looks at what it mended.
 */
static struct chore {
	enum err (*run)(struct db *db, int64_t now_s);
	int64_t every_ms;
	bool by_clock;  /* only when the clock is believed */
	int64_t due_ms; /* monotonic */
} chores[] = {
	{timeset_look, 250, false, 0},      {sweep_holds, 500, false, 0},
	{tidy_log, 500, false, 0},          {restaurants_keep_offsets, 60000, false, 0},
	{timeset_mend, 600000, true, 0},    {planner_run, 5000, true, 0},
	{forget_guests, 600000, true, 0},   {proofs_forget, 600000, true, 0},
	{dispatch_forget, 600000, true, 0}, {results_record, 5000, true, 0},
	{doorlist_sweep, 1000, true, 0},    {intents_tidy, 600000, true, 0},
};
enum { CHORES = sizeof chores / sizeof chores[0] };

/*
 * A process that passes the pen on rings for us while tickets wait.  pen_ms 0: as part of the line; else we insist, because
 * no process will come after us.
 */
static enum err serve_line(struct db *db, int post, int64_t ms, int64_t pen_ms)
{
	int64_t until = clock_mono_ms() + ms;
	enum err e = ERR_OK;

	assert(!db->reading);
	while (e == ERR_OK && line_length(db->hall->line) && clock_mono_ms() < until) {
		board_busy(db->hall->board, post); /* a writer that hangs is killed, the keeper too */
		e = batch_serve(db, pen_ms);
		board_rest(db->hall->board, post);
		if (e == ERR_BOOK_BUSY && pen_ms)
			e = ERR_OK;
	}
	return e == ERR_BOOK_BUSY ? ERR_OK : e;
}

static enum err do_chores(struct db *db, int post)
{
	enum err e = ERR_OK;

	for (struct chore *c = chores; c < chores + CHORES && e == ERR_OK; c++) {
		bool waits = c->by_clock && !clockwatch_settled(db->hall->clock);

		c->due_ms = waits ? 0 : c->due_ms; /* what waits for the clock is due the moment that it is believed */
		if (waits || clock_mono_ms() < c->due_ms)
			continue;
		unfinished = false;
		board_busy(db->hall->board, post);
		e = c->run(db, clock_now_s());
		board_keeper_here(db->hall->board);
		board_idle(db->hall->board, post);
		c->due_ms = clock_mono_ms() + (unfinished ? SOON_MS : c->every_ms);
	}
	return e;
}

/* Apart from the chores, which come to a stop where nothing can be written. */
static void keep_watch(struct db *db, int post)
{
	static int64_t due_ms;

	board_keeper_here(db->hall->board);
	board_ready(db->hall->board, post);
	if (clock_mono_ms() < due_ms)
		return;
	watch_disk(db, clock_now_s());
	due_ms = clock_mono_ms() + WATCH_MS;
}

/* The book, or in the hall why there is none. */
static bool open_book(struct door *d)
{
	enum err e = door_open_book(d);

	if (e == ERR_OK)
		e = db_keep_more(&d->db);
	if (e == ERR_OK)
		watch_book(&d->db);
	else
		writes_failed(d->hall.writes, e);
	return e == ERR_OK;
}

static enum err one_turn(struct db *db, int post)
{
	enum err e = batch_prepare(db);

	if (e == ERR_OK)
		e = serve_line(db, post, TURN_MS, 0);
	return e == ERR_OK ? do_chores(db, post) : e;
}

int keeper_run(const char *dir, int listen_fd, int post)
{
	static struct door d;
	enum err e, last = ERR_OK;

	(void)listen_fd;
	log_name("keeper");
	stop_on_term();
	if (door_open(&d, dir) != ERR_OK || !open_book(&d))
		return EXIT_FAILURE;
	while (!stop_asked) {
		uint32_t heard;

		hall_refresh(&d.hall);
		keep_watch(&d.db, post);
		heard = line_bell(d.hall.line); /* before looking, so that no later ring is missed */
		e = one_turn(&d.db, post);
		if (e != ERR_OK && e != last) /* once, not twice a second */
			log_warn("keeper.put_off", "why=%s", err_word(e));
		if (e == ERR_BOOK_UNWRITABLE)
			writes_failed(d.hall.writes, e);
		last = e;
		if (door_spoiled(&d) || db_is_gone(&d.db))
			return EXIT_FAILURE;
		line_await_bell(d.hall.line, heard, line_length(d.hall.line) ? LOOK_MS : IDLE_MS);
	}
	/* No ticket is dropped: each one in the line gets an outcome before we go. */
	serve_line(&d.db, post, LAST_MS, TURN_MS);
	wal_settle(&d.db);
	door_close(&d);
	return EXIT_SUCCESS;
}
