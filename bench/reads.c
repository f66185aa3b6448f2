/*
 * reads.c - what a day's free times and a month of days cost, without a web server and without what jari remembers of them.
 *
 *     reads DIR DATE ROUNDS RESTAURANT...
 *
 * Asks for the free times of that date and for the thirty days from it on, for one restaurant after the other, round after
 * round.  Prints a line for each round: for each restaurant the processor's milliseconds of the day, then of the thirty days.
 */
#include "clock.h"
#include "slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DAYS = 30, TIMES = 10 /* a day alone is short: it is asked for so often */, PARTY = 2 };

static void look(struct db *db, const struct restaurant *r, int64_t day)
{
	static struct slots_day out;

	if (slots_of_day(db, r, text_from_days(day), PARTY, clock_now_s(), &out) != ERR_OK || out.count == 0) {
		fprintf(stderr, "reads: restaurant %lld has no free times\n", (long long)r->id);
		exit(EXIT_FAILURE);
	}
}

/* Nothing here waits, and what other processes do meanwhile is not to count. */
static double used_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void measure(struct db *db, int64_t id, int64_t first)
{
	struct restaurant r;
	double begun, between;

	if (db_read_begin(db) != ERR_OK || restaurants_get(db, id, &r) != ERR_OK)
		exit(EXIT_FAILURE);
	begun = used_ms();
	for (int i = 0; i < TIMES; i++)
		look(db, &r, first + (i % 2 ? DAYS / 2 : 0)); /* or the house of the time before would still be known */
	between = used_ms();
	for (int i = 0; i < DAYS; i++)
		look(db, &r, first + i);
	printf("%.4f %.4f ", (between - begun) / TIMES, used_ms() - between);
	db_read_end(db);
}

int main(int argc, char **argv)
{
	static struct hall hall;
	static struct db db;
	struct date first;

	if (argc < 5 || !text_date(argv[2], &first)) {
		fprintf(stderr, "usage: reads DIR DATE ROUNDS RESTAURANT...\n");
		return 2;
	}
	if (hall_attach(&hall, argv[1]) != ERR_OK || db_open(&db, argv[1], &hall) != ERR_OK)
		return EXIT_FAILURE;
	for (int round = 0; round < atoi(argv[3]); round++) {
		for (int i = 4; i < argc; i++)
			measure(&db, atoll(argv[i]), text_days(first));
		putchar('\n');
	}
	db_close(&db);
	hall_leave(&hall);
	return EXIT_SUCCESS;
}
