/*
 * test_work.c - what a plain booking costs: steps of SQLite's machine, blocks of memory, pages of the log.
 *
 * Time says little on a busy machine, and a twentieth more a booking is felt only in a rush.  These numbers are the same
 * each time: a contributor who adds an index, a trigger or a statement to the way of a booking sees here what it takes.
 */
#include "batch.h"

#include "heap.h"
#include "noon.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>

enum {
	BATCH = 10,
	STEPS_MAX = 670,  /* of a booking, its part of the transaction included */
	MALLOCS_MAX = 20, /* of a booking */
	PAGES_MAX = 14,   /* of the whole batch */
};

static sqlite3_mem_methods given;
static int mallocs;

static void *count_malloc(int size)
{
	mallocs++;
	return given.xMalloc(size);
}

/* What they took since they were last asked. */
static int steps_of_all(struct db *db)
{
	int steps = 0;

	for (int i = 0; i < SQL__MAX; i++)
		if (db->statements[i])
			steps += sqlite3_stmt_status(db->statements[i], SQLITE_STMTSTATUS_VM_STEP, 1);
	return steps;
}

static int pages_written(struct db *db)
{
	int pages = 0, most = 0;

	assert_int_equal(sqlite3_db_status(db->handle, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &most, 1), SQLITE_OK);
	return pages;
}

/* Everybody in it is known and books one seat of the slot of that day. */
static void book_ten(struct book *b, int64_t first)
{
	uint64_t n[BATCH];

	for (int i = 0; i < BATCH; i++)
		n[i] = noon_draw(b, noon_wish(first + i, 1));
	assert_int_equal(batch_serve(&b->db, 1000), ERR_OK);
	for (int i = 0; i < BATCH; i++)
		assert_int_equal(noon_outcome(b, n[i]).err, ERR_OK);
}

static void a_plain_booking_takes_no_more_work_than_it_did(void **state)
{
	struct book *b = *state;
	int steps, pages;

	book_ten(b, 1); /* every statement is prepared, the slot is there */
	steps_of_all(&b->db);
	pages_written(&b->db);
	mallocs = 0;
	book_ten(b, 1 + BATCH);
	steps = steps_of_all(&b->db) / BATCH;
	pages = pages_written(&b->db);
	printf("# a booking: %d steps, %d calls of malloc; ten of them: %d pages\n", steps, mallocs / BATCH, pages);
	assert_in_range(steps, 1, STEPS_MAX);
	assert_in_range(mallocs, 0, MALLOCS_MAX * BATCH);
	assert_in_range(pages, 1, PAGES_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(a_plain_booking_takes_no_more_work_than_it_did)};
	sqlite3_mem_methods counting;

	sqlite3_config(SQLITE_CONFIG_GETMALLOC, &given);
	counting = given;
	counting.xMalloc = count_malloc;
	sqlite3_config(SQLITE_CONFIG_MALLOC, &counting);
	heap_keep();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
