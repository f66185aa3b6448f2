/*
 * board.c - the board in the hall.
 */
#include "board.h"

#include "clock.h"
#include "hash.h"
#include "lock.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
	COURIER_SILENT_MS = 30000,
	KEEPER_SILENT_MS = 15000, /* longer than a chore waits for the pen */
	TRY_FIRST_MS = 500,
	TRY_LAST_MS = 10000,
	STEP_S = 60, /* less is no step: clocks are corrected by a second here and there */
	SETTLES_MS = 600000,
};

enum { LAYOUT = 9 }; /* raise with every change of meaning that no size shows */

struct place {
	_Atomic int32_t kind, pid, waiting, ready;
	_Atomic int64_t busy_since_ms;
	_Atomic uint64_t served;
	_Atomic uint64_t source; /* whom it reads for; 0: nobody */
};

struct board {
	struct place places[BOARD_PLACES];
	_Atomic uint64_t counters[BOARD__MAX];
	_Atomic uint64_t changes, edition;
	_Atomic int32_t log_pages, log_to_empty;
	_Atomic int64_t courier_ms, keeper_ms; /* monotonic; when they were last heard of */
	_Atomic int64_t started_s;
	_Atomic int32_t save_fault, book_fault; /* enum err */
	_Atomic int64_t saved_ms;               /* monotonic */
	_Atomic int64_t try_ms, try_pause_ms;   /* monotonic; when the next try is due, and the pause after it */
	_Atomic int64_t clock_offset_ms;        /* 0: nobody has looked */
	_Atomic int64_t clock_set_ms;           /* monotonic; when it was last found to have been set; 0: never */
	_Atomic int64_t clock_step_s;           /* by how much */
	_Atomic int64_t clock_drift_ms;         /* monotonic; when the offset last followed the clock */
	_Atomic int64_t clock_doubted;          /* the audit row that says so; 0: it is believed */
	_Atomic int32_t clock_compared;
	_Atomic uint64_t days[BOARD_DAYS], all_days;
	pthread_mutex_t hashing[2];
};

static void init(void *memory)
{
	struct board *b = memory;

	atomic_store(&b->all_days, (uint64_t)clock_now_ms() << 20); /* another number than the segment before had */
	atomic_store(&b->keeper_ms, clock_mono_ms());               /* it has a moment to come */
	atomic_store(&b->saved_ms, clock_mono_ms());
	lock_init(&b->hashing[0]);
	lock_init(&b->hashing[1]);
}

const struct shm_part board_part = {sizeof(struct board),
				    LAYOUT * 1000003u + sizeof(struct board) * 31u + offsetof(struct board, hashing) * 7u +
					    BOARD__MAX,
				    init, BOARD_COUNTERS(SHM_WORD) BOARD_KINDS(SHM_NAME)};

void board_seat(struct board *b, int place, enum board_kind kind, int pid)
{
	struct place *p;

	assert(place >= 0 && place < BOARD_PLACES);
	p = &b->places[place];
	atomic_store(&p->busy_since_ms, 0);
	atomic_store(&p->waiting, 0);
	atomic_store(&p->ready, 0);
	atomic_store(&p->source, 0);
	atomic_store(&p->pid, pid);
	atomic_store(&p->kind, (int32_t)kind);
}

void board_busy(struct board *b, int place)
{
	assert(place >= 0 && place < BOARD_PLACES);
	atomic_store(&b->places[place].busy_since_ms, clock_mono_ms());
}

void board_rest(struct board *b, int place)
{
	assert(place >= 0 && place < BOARD_PLACES);
	if (atomic_load_explicit(&b->places[place].source, memory_order_relaxed))
		atomic_store_explicit(&b->places[place].source, 0, memory_order_relaxed);
	atomic_store(&b->places[place].busy_since_ms, 0);
}

void board_idle(struct board *b, int place)
{
	board_rest(b, place);
	atomic_fetch_add(&b->places[place].served, 1);
}

void board_waiting(struct board *b, int place, bool waiting)
{
	assert(place < BOARD_PLACES);
	if (place >= 0)
		atomic_store(&b->places[place].waiting, waiting);
}

void board_ready(struct board *b, int place)
{
	assert(place >= 0 && place < BOARD_PLACES);
	if (!atomic_load_explicit(&b->places[place].ready, memory_order_relaxed)) /* said again and again */
		atomic_store(&b->places[place].ready, 1);
}

bool board_may_wait(struct board *b)
{
	int workers = 0, waiting = 0, reserve;

	for (int i = 0; i < BOARD_PLACES; i++) {
		if (atomic_load(&b->places[i].kind) != BOARD_WORKER)
			continue;
		workers++;
		waiting += atomic_load(&b->places[i].waiting);
	}
	reserve = workers < 8 ? workers / 2 : workers / 4;
	return waiting <= workers - reserve || workers == 0;
}

void board_reads_for(struct board *b, int place, uint64_t source)
{
	assert(place >= 0 && place < BOARD_PLACES);
	atomic_store_explicit(&b->places[place].source, source, memory_order_relaxed);
}

bool board_may_read(struct board *b, uint64_t source)
{
	int workers = 0, idle = 0, theirs = 0, share;

	for (int i = 0; i < BOARD_PLACES; i++) {
		struct place *p = &b->places[i];

		if (atomic_load_explicit(&p->kind, memory_order_relaxed) != BOARD_WORKER)
			continue;
		workers++;
		idle += atomic_load_explicit(&p->busy_since_ms, memory_order_relaxed) == 0;
		theirs += atomic_load_explicit(&p->source, memory_order_relaxed) == source;
	}
	share = workers < 8 ? 2 : workers / 4;
	return theirs < share || idle > workers / 8;
}

struct board_place board_read(struct board *b, int place)
{
	struct place *p;

	assert(place >= 0 && place < BOARD_PLACES);
	p = &b->places[place];
	return (struct board_place){
		.kind = (enum board_kind)atomic_load(&p->kind),
		.pid = atomic_load(&p->pid),
		.busy_since_ms = atomic_load(&p->busy_since_ms),
		.waiting = atomic_load(&p->waiting) != 0,
		.ready = atomic_load(&p->ready) != 0,
		.served = atomic_load(&p->served),
	};
}

uint64_t board_changes(struct board *b)
{
	return atomic_load(&b->changes);
}

uint64_t board_edition(struct board *b)
{
	return atomic_load(&b->edition);
}

void board_new_edition(struct board *b)
{
	atomic_fetch_add(&b->changes, 1);
	atomic_fetch_add(&b->edition, 1);
}

unsigned board_day_place(int64_t restaurant_id, const char *date)
{
	return (unsigned)(hash_text(HASH_START + (uint64_t)restaurant_id, date) % BOARD_DAYS);
}

uint64_t board_day(struct board *b, int64_t restaurant_id, const char *date)
{
	return atomic_load(&b->all_days) + atomic_load(&b->days[board_day_place(restaurant_id, date)]);
}

void board_touch_day(struct board *b, unsigned place)
{
	assert(place < BOARD_DAYS);
	atomic_fetch_add(&b->changes, 1);
	atomic_fetch_add(&b->days[place], 1);
}

void board_touch_all_days(struct board *b)
{
	atomic_fetch_add(&b->changes, 1);
	atomic_fetch_add(&b->all_days, 1);
}

int board_log_pages(struct board *b)
{
	return atomic_load(&b->log_pages);
}

void board_set_log_pages(struct board *b, int pages)
{
	atomic_store(&b->log_pages, pages);
}

void board_empty_log(struct board *b)
{
	atomic_store(&b->log_to_empty, 1);
}

bool board_log_to_empty(struct board *b)
{
	return atomic_load(&b->log_to_empty) != 0;
}

void board_log_emptied(struct board *b)
{
	atomic_store(&b->log_to_empty, 0);
}

void board_add(struct board *b, enum board_counter c, uint64_t n)
{
	assert(c < BOARD__MAX);
	atomic_fetch_add_explicit(&b->counters[c], n, memory_order_relaxed);
}

void board_count(struct board *b, enum board_counter c)
{
	board_add(b, c, 1);
}

uint64_t board_get(struct board *b, enum board_counter c)
{
	return atomic_load_explicit(&b->counters[c], memory_order_relaxed);
}

static const struct {
	const char *name, *metric, *label, *help;
} counters[BOARD__MAX] = {
#define X(name, metric, label, help) [BOARD_##name] = {#name, metric, label, help},
	BOARD_COUNTERS(X)
#undef X
};

const char *board_counter_name(enum board_counter c)
{
	return counters[c].name;
}

const char *board_counter_metric(enum board_counter c)
{
	return counters[c].metric;
}

const char *board_counter_label(enum board_counter c)
{
	return counters[c].label;
}

const char *board_counter_help(enum board_counter c)
{
	return counters[c].help;
}

void board_courier_here(struct board *b)
{
	atomic_store(&b->courier_ms, clock_mono_ms());
}

bool board_courier_seen(struct board *b)
{
	int64_t at = atomic_load(&b->courier_ms);

	return at && clock_mono_ms() - at < COURIER_SILENT_MS;
}

void board_saved(struct board *b)
{
	if (atomic_load(&b->save_fault) != ERR_OK)
		atomic_store(&b->save_fault, ERR_OK);
	atomic_store_explicit(&b->saved_ms, clock_mono_ms(), memory_order_relaxed);
}

int64_t board_quiet_ms(struct board *b)
{
	return clock_mono_ms() - atomic_load(&b->saved_ms);
}

void board_not_saved(struct board *b, enum err why)
{
	assert(why != ERR_OK);
	if (why == ERR_BOOK_UNWRITABLE && board_save_fault(b) != ERR_OK)
		return; /* a better word stands there already */
	if (atomic_exchange(&b->save_fault, (int32_t)why) != ERR_OK)
		return;
	atomic_store(&b->try_pause_ms, TRY_FIRST_MS);
	atomic_store(&b->try_ms, clock_mono_ms() + TRY_FIRST_MS);
}

enum err board_save_fault(struct board *b)
{
	return (enum err)atomic_load(&b->save_fault);
}

void board_set_book_fault(struct board *b, enum err why)
{
	atomic_store(&b->book_fault, (int32_t)why);
}

enum err board_book_fault(struct board *b)
{
	return (enum err)atomic_load(&b->book_fault);
}

bool board_may_try(struct board *b)
{
	int64_t now = clock_mono_ms(), due = atomic_load(&b->try_ms), pause = atomic_load(&b->try_pause_ms);

	if (pause < TRY_FIRST_MS)
		pause = TRY_FIRST_MS;
	if (now < due || !atomic_compare_exchange_strong(&b->try_ms, &due, now + pause))
		return false; /* not yet, or another process tries */
	atomic_store(&b->try_pause_ms, pause * 2 < TRY_LAST_MS ? pause * 2 : TRY_LAST_MS);
	return true;
}

void board_keeper_here(struct board *b)
{
	atomic_store(&b->keeper_ms, clock_mono_ms());
}

bool board_keeper_lost(struct board *b)
{
	return board_started_s(b) && clock_mono_ms() - atomic_load(&b->keeper_ms) > KEEPER_SILENT_MS;
}

int64_t board_started_s(struct board *b)
{
	return atomic_load(&b->started_s);
}

void board_set_started_s(struct board *b, int64_t started_s)
{
	atomic_store(&b->started_s, started_s);
}

bool board_clock_known(struct board *b)
{
	return atomic_load(&b->clock_offset_ms) != 0;
}

bool board_clock_compared(struct board *b)
{
	return atomic_load_explicit(&b->clock_compared, memory_order_relaxed) != 0;
}

void board_set_clock_compared(struct board *b)
{
	atomic_store(&b->clock_compared, 1);
}

int64_t board_clock_step(struct board *b, int64_t *offset_ms)
{
	int64_t noted = atomic_load(&b->clock_offset_ms), step;

	*offset_ms = clock_offset_ms();
	step = (*offset_ms - noted) / 1000;
	return noted && (step > STEP_S || step < -STEP_S) ? step : 0;
}

void board_note_clock(struct board *b, int64_t offset_ms, int64_t step_s)
{
	if (step_s) {
		atomic_store(&b->clock_step_s, step_s);
		atomic_store(&b->clock_set_ms, clock_mono_ms());
	}
	atomic_store(&b->clock_drift_ms, clock_mono_ms());
	atomic_store(&b->clock_offset_ms, offset_ms);
}

/* By at most a thousandth of the time that has passed: many small steps are a step, noticed when their sum is one. */
void board_note_drift(struct board *b)
{
	int64_t noted = atomic_load(&b->clock_offset_ms), now, step = board_clock_step(b, &now);
	int64_t passed_ms = clock_mono_ms() - atomic_load(&b->clock_drift_ms), most = passed_ms / 1000, by = now - noted;

	if (!noted || step || most < 1)
		return;
	by = by > most ? most : by < -most ? -most : by;
	/* Unless another process has noted a step meanwhile. */
	if (atomic_compare_exchange_strong(&b->clock_offset_ms, &noted, noted + by))
		atomic_fetch_add(&b->clock_drift_ms, passed_ms);
}

/* Tests do not wait so long. */
static int64_t settles_ms(void)
{
#ifdef JARI_TESTING
	const char *text = getenv("JARI_CLOCK_SETTLES_MS");

	if (text)
		return strtoll(text, NULL, 10);
#endif
	return SETTLES_MS;
}

void board_doubt_clock(struct board *b, int64_t row)
{
	atomic_store(&b->clock_doubted, row);
}

int64_t board_clock_doubted(struct board *b)
{
	return atomic_load(&b->clock_doubted);
}

bool board_clock_settled(struct board *b)
{
	int64_t at = atomic_load(&b->clock_set_ms);

	return !board_clock_doubted(b) && (!at || clock_mono_ms() - at >= settles_ms());
}

int64_t board_clock_last_step(struct board *b)
{
	return atomic_load(&b->clock_step_s);
}

bool board_hash_try(struct board *b, bool known)
{
	return lock_try(&b->hashing[known]) != LOCK_BUSY;
}

void board_hash_done(struct board *b, bool known)
{
	lock_release(&b->hashing[known]);
}
