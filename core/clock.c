/*
 * clock.c - the only clock.
 */
#include "clock.h"

#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t read_us(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Offset set by a test. */
static int64_t shift(const char *variable)
{
#ifdef JARI_TESTING
	const char *text = getenv(variable);

	return text ? strtoll(text, NULL, 10) : 0;
#else
	(void)variable;
	return 0;
#endif
}

/* The same for programs that run: a test writes into the file, and the clock of all of them is set. */
static int64_t shift_of_file(void)
{
#ifdef JARI_TESTING
	const char *path = getenv("JARI_CLOCK_FILE");
	FILE *f = path ? fopen(path, "re") : NULL;
	long long seconds = 0;

	if (f && fscanf(f, "%lld", &seconds) != 1)
		seconds = 0;
	if (f)
		fclose(f);
	return seconds;
#else
	return 0;
#endif
}

int64_t clock_of_stamp(int64_t stamp_ms)
{
	return stamp_ms + (shift("JARI_CLOCK_SHIFT") + shift_of_file()) * 1000;
}

int64_t clock_now_ms(void)
{
	return clock_of_stamp(read_us(CLOCK_REALTIME) / 1000);
}

int64_t clock_now_s(void)
{
	return clock_now_ms() / 1000;
}

int64_t clock_mono_us(void)
{
	return read_us(CLOCK_MONOTONIC) + shift("JARI_MONO_SHIFT_MS") * 1000;
}

int64_t clock_mono_ms(void)
{
	return clock_mono_us() / 1000;
}

int64_t clock_offset_ms(void)
{
	int64_t before, boot, after;

	do { /* a process that was stopped between the two would find a step */
		before = clock_now_ms();
		boot = read_us(CLOCK_BOOTTIME) / 1000 + shift("JARI_MONO_SHIFT_MS");
		after = clock_now_ms();
	} while (after < before || after - before > 1000);
	return after - boot;
}

int64_t clock_age_ms(int64_t stamp_ms)
{
	return read_us(CLOCK_REALTIME) / 1000 - stamp_ms;
}

static void put_digits(char *out, int value, int digits)
{
	while (digits--) {
		out[digits] = (char)('0' + value % 10);
		value /= 10;
	}
}

/* Not by strftime: a booking writes half a dozen of these. */
void clock_iso(int64_t utc_s, char out[CLOCK_ISO_SIZE])
{
	time_t t = (time_t)utc_s;
	struct tm tm;

	memcpy(out, "9999-12-31T23:59:59Z", CLOCK_ISO_SIZE);
	if (!gmtime_r(&t, &tm) || tm.tm_year + 1900 < 0 || tm.tm_year + 1900 > 9999)
		return;
	put_digits(out, tm.tm_year + 1900, 4);
	put_digits(out + 5, tm.tm_mon + 1, 2);
	put_digits(out + 8, tm.tm_mday, 2);
	put_digits(out + 11, tm.tm_hour, 2);
	put_digits(out + 14, tm.tm_min, 2);
	put_digits(out + 17, tm.tm_sec, 2);
}

void clock_iso_ms(int64_t utc_ms, char out[CLOCK_MS_SIZE])
{
	clock_iso(utc_ms / 1000, out);
	memcpy(out + CLOCK_ISO_SIZE - 2, ".000Z", sizeof ".000Z");
	put_digits(out + CLOCK_ISO_SIZE - 1, (int)(utc_ms % 1000), 3);
}

/* Not by strptime: a month of free times reads thousands of these. */
bool clock_parse_iso(const char *text, int64_t *utc_s)
{
	char date[TEXT_DATE_SIZE] = "", time[TEXT_TIME_SIZE] = "";
	const char *seconds;
	struct date day;
	int minute;

	if (strlen(text) != CLOCK_ISO_SIZE - 1 || text[10] != 'T' || text[16] != ':' || text[19] != 'Z')
		return false;
	memcpy(date, text, sizeof date - 1);
	memcpy(time, text + 11, sizeof time - 1);
	seconds = text + 17;
	if (!text_date(date, &day) || !text_time(time, &minute) || minute >= DAY_MINUTES || seconds[0] < '0' ||
	    seconds[0] > '5' || seconds[1] < '0' || seconds[1] > '9')
		return false;
	*utc_s = text_days(day) * 86400 + minute * 60 + (seconds[0] - '0') * 10 + (seconds[1] - '0');
	return true;
}

void clock_sleep_ms(int64_t ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000 * 1000000)};

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		;
}
