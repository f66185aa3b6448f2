/*
 * clock.h - the only clock.
 *
 * Wall time is seconds since 1970 in UTC; it is what the book stores.  Monotonic time is for waiting
 * and measuring.  Builds for testing (JARI_TESTING) shift the wall clock by JARI_CLOCK_SHIFT seconds, or by as many as
 * stand in the file JARI_CLOCK_FILE just then, and the monotonic one by JARI_MONO_SHIFT_MS milliseconds.
 */
#ifndef JARI_CLOCK_H
#define JARI_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum {
	CLOCK_ISO_SIZE = 21, /* "2026-01-20T02:00:00Z" and its NUL */
	CLOCK_MS_SIZE = 25,  /* "2026-01-20T02:00:00.000Z" and its NUL */
};

int64_t clock_now_s(void);
int64_t clock_now_ms(void);
int64_t clock_mono_us(void);
int64_t clock_mono_ms(void);

/*
 * The wall clock less the time since the machine started, with the time that it slept: the same number at every moment
 * until the clock is set.
 */
int64_t clock_offset_ms(void);

/* How long ago another program's (nginx's) wall-clock stamp was; not shifted. */
int64_t clock_age_ms(int64_t stamp_ms);
/* The same stamp by our own clock, which tests shift. */
int64_t clock_of_stamp(int64_t stamp_ms);

void clock_iso(int64_t utc_s, char out[CLOCK_ISO_SIZE]);
void clock_iso_ms(int64_t utc_ms, char out[CLOCK_MS_SIZE]);
bool clock_parse_iso(const char *text, int64_t *utc_s); /* exactly what clock_iso writes */

void clock_sleep_ms(int64_t ms);

#endif
