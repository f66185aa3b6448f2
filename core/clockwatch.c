/*
 * clockwatch.c - has the wall clock been set while jari ran?
 */
#include "clockwatch.h"

#include "clock.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
	STEP_S = 60, /* less is no step: clocks are corrected by a second here and there */
	SETTLES_MS = 600000,
};

struct clockwatch {
	_Atomic int64_t offset_ms; /* 0: no process has looked */
	_Atomic int64_t set_ms;    /* monotonic; when it was last found to have been set; 0: never */
	_Atomic int64_t step_s;    /* by how much */
	_Atomic int64_t drift_ms;  /* monotonic; when the offset last followed the clock */
	_Atomic int64_t doubted;   /* the audit row that says so; 0: it is believed */
	_Atomic int32_t compared;
};

const struct shm_part clockwatch_part = {sizeof(struct clockwatch), sizeof(struct clockwatch), NULL, NULL};

bool clockwatch_known(struct clockwatch *w)
{
	return atomic_load(&w->offset_ms) != 0;
}

bool clockwatch_compared(struct clockwatch *w)
{
	return atomic_load_explicit(&w->compared, memory_order_relaxed) != 0;
}

void clockwatch_set_compared(struct clockwatch *w)
{
	atomic_store(&w->compared, 1);
}

int64_t clockwatch_step(struct clockwatch *w, int64_t *offset_ms)
{
	int64_t noted = atomic_load(&w->offset_ms), step;

	*offset_ms = clock_offset_ms();
	step = (*offset_ms - noted) / 1000;
	return noted && (step > STEP_S || step < -STEP_S) ? step : 0;
}

void clockwatch_note(struct clockwatch *w, int64_t offset_ms, int64_t step_s)
{
	if (step_s) {
		atomic_store(&w->step_s, step_s);
		atomic_store(&w->set_ms, clock_mono_ms());
	}
	atomic_store(&w->drift_ms, clock_mono_ms());
	atomic_store(&w->offset_ms, offset_ms);
}

/* By at most a thousandth of the time that has passed: many small steps are a step, noticed when their sum is one. */
void clockwatch_follow(struct clockwatch *w)
{
	int64_t noted = atomic_load(&w->offset_ms), now, step = clockwatch_step(w, &now);
	int64_t passed_ms = clock_mono_ms() - atomic_load(&w->drift_ms), most = passed_ms / 1000, by = now - noted;

	if (!noted || step || most < 1)
		return;
	by = by > most ? most : by < -most ? -most : by;
	/* Unless another process has noted a step meanwhile. */
	if (atomic_compare_exchange_strong(&w->offset_ms, &noted, noted + by))
		atomic_fetch_add(&w->drift_ms, passed_ms);
}

void clockwatch_doubt(struct clockwatch *w, int64_t row)
{
	atomic_store(&w->doubted, row);
}

int64_t clockwatch_doubted(struct clockwatch *w)
{
	return atomic_load(&w->doubted);
}

/* Tests do not wait ten minutes. */
static int64_t settles_ms(void)
{
#ifdef JARI_TESTING
	const char *text = getenv("JARI_CLOCK_SETTLES_MS");

	if (text)
		return strtoll(text, NULL, 10);
#endif
	return SETTLES_MS;
}

bool clockwatch_settled(struct clockwatch *w)
{
	int64_t at = atomic_load(&w->set_ms);

	return !clockwatch_doubted(w) && (!at || clock_mono_ms() - at >= settles_ms());
}

int64_t clockwatch_doubtful_step(struct clockwatch *w)
{
	int64_t offset_ms, step = clockwatch_step(w, &offset_ms);

	return step ? step : clockwatch_settled(w) ? 0 : clockwatch_last_step(w);
}

int64_t clockwatch_last_step(struct clockwatch *w)
{
	return atomic_load(&w->step_s);
}
