/*
 * import_job.h - what the files of import.c share: one import from its beginning to its end.
 *
 * A failure of the book or of memory is kept in `e` and makes every later step do nothing; what is
 * wrong with the folder is counted in `problems` and does not stop the reading, so that a person
 * sees all of it at once.
 */
#ifndef JARI_IMPORT_JOB_H
#define JARI_IMPORT_JOB_H

#include "clock.h"
#include "csv.h"
#include "import.h"
#include "life.h"
#include "restaurants.h"

#include <stdio.h>

/* The statements of the import; their texts stand in import_job.c. */
enum import_sql {
	IMPORT_BOOK_IN_USE,
	IMPORT_EXPIRE_DUE,
	IMPORT_SEEN,
	IMPORT_COUNT,
	IMPORT_AUDIT,
	IMPORT_FIRST_RESTAURANT,
	IMPORT_RESTAURANT_MAX,
	IMPORT_RESTAURANT_THERE,
	IMPORT_RESTAURANT_BY_NAME,
	IMPORT_MENU_MAX,
	IMPORT_MENU_THERE,
	IMPORT_MENU_ALL,
	IMPORT_MENU_GET,
	IMPORT_MENU_ADD,
	IMPORT_USER_MAX,
	IMPORT_USER_THERE,
	IMPORT_USER_ALL,
	IMPORT_USER_LOGIN,
	IMPORT_USER_ADD,
	IMPORT_SLOT_MAX,
	IMPORT_SLOT_THERE,
	IMPORT_SLOT_ALL,
	IMPORT_SLOT_FIND,
	IMPORT_SLOT_ADD,
	IMPORT_SLOT_SOLD,
	IMPORT_SLOT_RAISE,
	IMPORT_BOOKING_MAX,
	IMPORT_BOOKING_THERE,
	IMPORT_BOOKING_ALL,
	IMPORT_BOOKING_ACTIVE,
	IMPORT_BOOKING_CODE,
	IMPORT_BOOKING_BY_CODE,
	IMPORT_BOOKING_ADD,
	IMPORT_CANCELLATION_ADD,
	IMPORT_PAYMENT_MAX,
	IMPORT_PAYMENT_THERE,
	IMPORT_PAYMENT_ONCE,
	IMPORT_PAYMENT_ADD,
	IMPORT_ITEM_ADD,
	IMPORT_SQL__MAX
};

/* In the order they are read: parents first. */
enum import_table {
	IMPORT_RESTAURANTS,
	IMPORT_MENUS,
	IMPORT_USERS,
	IMPORT_SLOTS,
	IMPORT_RESERVATIONS,
	IMPORT_PAYMENTS,
	IMPORT_ITEMS,
	IMPORT_TABLE__MAX
};

/* clang-format off */
#define IMPORT_REPAIR_LIST(X) \
	/* what, how many are told one by one, the title of all */ \
	X(DUPLICATE, 200, "Active duplicates of one guest and slot canceled") \
	X(OVERFULL,  200, "Slots given the seats that were sold in them") \
	X(EXPIRED,    50, "Holds past their time expired") \
	X(STATUS,     10, "States spelled otherwise") \
	X(TOTAL,     200, "Totals that were not deposit + prepayment") \
	X(CODE,       50, "Reservation codes made new") \
	X(LOGIN,     200, "Accounts that became guests") \
	X(MONEY,     200, "Payments put in order") \
	X(MERGED,     50, "Rows that are one and the same here") \
	X(ID,         50, "Ids that were taken") \
	X(CELL,      200, "Cells that did not fit")
/* clang-format on */

enum import_repair {
#define X(word, told, title) REPAIR_##word,
	IMPORT_REPAIR_LIST(X)
#undef X
	    REPAIR__MAX
};

/* From a number to a number; numbers are above 0.  Open addressing. */
struct import_map {
	struct {
		int64_t key, value;
	} * cells;
	size_t count, cap;
};

/* A file of the folder. */
struct import_file {
	const char *name, *id, *id_names; /* id: the column that names a row, or NULL; id_names: for csv_column */
	bool there;
	int64_t rows, at, added, max_id; /* at: of this reading; added: to the book */
	FILE *stream;
	struct csv csv;
	struct buf ignored; /* the columns that nobody asked for */
};

/* A slot that reservations of the folder may be in. */
struct import_slot {
	int64_t id, line; /* line 0: it was in the book */
	size_t restaurant;
	int64_t capacity, sold;
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
};

/* A reservation of the folder, or (line 0) one of the book that the folder's payments refer to. */
struct import_booking {
	int64_t from, id, user, line;
	int64_t stays; /* the one that is kept instead of this duplicate, as the folder or the book numbers it */
	int64_t money; /* that its payments kept */
	size_t slot, restaurant;
	int party;
	enum life was, is; /* as the file has it, as the book will have it */
	bool paid, referred, amount, code_is_good;
};

struct import_job {
	struct db *db;
	const struct import_options *o;
	enum err e;
	char now[CLOCK_ISO_SIZE];
	bool keep_ids; /* the book was empty */
	bool planning; /* the first of two readings: repairs are told at the second */
	bool passwords;
	struct sqlite3_stmt *statements[IMPORT_SQL__MAX];

	struct import_file files[IMPORT_TABLE__MAX];
	uint64_t fingerprint;
	int64_t next_id[IMPORT_TABLE__MAX];
	struct import_map ids[IMPORT_TABLE__MAX]; /* id in the folder -> id in the book, or index + 1 below */

	struct restaurant *restaurants;
	size_t restaurant_count;
	struct import_map restaurant_at;   /* id in the book -> index + 1 */
	struct import_map restaurant_used; /* ids in the book that a row of the folder has become */
	struct import_slot *slots;
	size_t slot_count;
	struct import_map slot_at; /* id in the book -> index + 1 */
	struct import_booking *bookings;
	size_t booking_count;
	struct import_map codes; /* hashes of the codes that are taken */
	struct import_map items; /* hashes of reservation and dish */

	int64_t money_in, money_kept, money_back, money_due;
	int64_t problem_count, repair_count[REPAIR__MAX];
	struct buf problems, repairs[REPAIR__MAX];
};

/* --- import_job.c: the book, the report, the maps --- */

struct sqlite3_stmt *import_use(struct import_job *j, enum import_sql id, const char *types, ...);
/* True while there is a row; false at the end, and when it failed (then j->e says so). */
bool import_step(struct import_job *j, struct sqlite3_stmt *s);
/* No rows wanted.  file NULL, or the one whose present row the book may refuse. */
void import_run(struct import_job *j, const struct import_file *f, enum import_sql id, const char *types, ...);
/* The first column of the first row, 0 when there is none. */
int64_t import_ask(struct import_job *j, enum import_sql id, const char *types, ...);
void import_audit(struct import_job *j, const char *entity, int64_t id, const char *change, const char *from,
		  const char *to, const char *reason);

void import_problem(struct import_job *j, const struct import_file *f, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* line 0: no line. */
void import_repaired(struct import_job *j, enum import_repair kind, const struct import_file *f, int64_t line,
		     const char *format, ...) __attribute__((format(printf, 5, 6)));

bool import_map_get(const struct import_map *m, int64_t key, int64_t *value);
void import_map_put(struct import_job *j, struct import_map *m, int64_t key, int64_t value);
/* Room for one more element of that size in a growing array; NULL when memory is out. */
void *import_grow(struct import_job *j, void *array, size_t count, size_t size);
int64_t import_hash(const char *text); /* above 0 */
int64_t import_hash_pair(int64_t a, int64_t b);

/*
 * The id that a row of the file gets in the book: its own in an empty book, unless it is taken, else
 * the next free one.  Names a second row of the same id.
 */
int64_t import_new_id(struct import_job *j, enum import_table t, int64_t from, enum import_sql there);

/* --- import_cells.c: files, rows and cells --- */

/* Opens a file and reads its header; false when it is not there or cannot be read. */
bool import_open(struct import_job *j, enum import_table t);
bool import_next(struct import_job *j, struct import_file *f, const char *doing);
void import_close(struct import_job *j, struct import_file *f);
/* Reads every file once from end to end: is it well-formed, how long is it, which is the highest id? */
void import_look(struct import_job *j);

/* A column that must be there. */
int import_need(struct import_job *j, struct import_file *f, const char *names);

/* These say what is wrong with a cell as a problem, and give false. */
bool import_id(struct import_job *j, struct import_file *f, int column, int64_t *out);
bool import_number(struct import_job *j, struct import_file *f, int column, int64_t min, int64_t max, int64_t *out);
bool import_date(struct import_job *j, struct import_file *f, int column, char out[TEXT_DATE_SIZE]);
bool import_time(struct import_job *j, struct import_file *f, int column, char out[TEXT_TIME_SIZE]);
/* An empty cell is 0. */
bool import_money(struct import_job *j, struct import_file *f, int column, int64_t *out);
/* An empty cell, and MySQL's zero date, is "".  Without Z or an offset it is a time of that zone. */
bool import_instant(struct import_job *j, struct import_file *f, int column, const char *zone,
		    char out[CLOCK_ISO_SIZE]);
/* Yes or no in the usual spellings; an empty cell is no. */
bool import_flag(struct import_job *j, struct import_file *f, int column, bool *out);

/* A cell as one line of at most that many characters; what was cut is told.  size holds 4 bytes for each. */
void import_text(struct import_job *j, struct import_file *f, int column, size_t points, char *out, size_t size);
/* Upper case, blanks and hyphens as underscores. */
void import_word(struct import_file *f, int column, char out[40]);
const char *import_or_null(const char *text);

/* --- import_parents.c --- */

void import_restaurants(struct import_job *j);
void import_menus(struct import_job *j);
/* Without its file, the ids of a table in other files are those of the book. */
void import_ids_of_book(struct import_job *j, enum import_table t, enum import_sql all);
/* The restaurant of an id in the folder, or a problem. */
bool import_restaurant(struct import_job *j, struct import_file *f, int column, size_t *index);
/* The restaurant of an id in the book. */
size_t import_restaurant_at(struct import_job *j, int64_t id);
/* What an id in the folder means here; a problem when that row is nowhere. */
bool import_parent(struct import_job *j, struct import_file *f, int column, enum import_table t, int64_t *value);
const char *import_zone(struct import_job *j); /* of the first restaurant, for what belongs to none */

/* --- import_users.c, import_slots.c --- */

void import_users(struct import_job *j);
void import_slots(struct import_job *j);

/* --- import_reservations.c --- */

/* First reading: what is there. */
void import_plan_reservations(struct import_job *j);
/* Between the readings: who stays, which slots need more seats. */
void import_settle(struct import_job *j);
/* Second reading: into the book. */
void import_add_reservations(struct import_job *j);

/* --- import_payments.c --- */

/* First reading: which reservations are paid or referred to. */
void import_plan_payments(struct import_job *j);
void import_plan_items(struct import_job *j);
void import_add_payments(struct import_job *j);
void import_add_items(struct import_job *j);

#endif
