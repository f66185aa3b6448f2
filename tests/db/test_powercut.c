/*
 * test_powercut.c - a power cut at any moment loses no commit that was acknowledged.
 *
 * Recorded once, cut many times: a file layer of our own writes down what jari's connection writes
 * and flushes while guests are booked and the log is checkpointed.  A cut rebuilds both files as a
 * disk could hold them at that moment: all that was flushed, and of the rest each write kept whole,
 * lost, or torn at a sector.  The book is then opened like after any start.
 */
#include "book.h"
#include "unit.h"
#include "wal.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	TRANSACTIONS = 150,
	ROWS = 3, /* guests a transaction adds, each named after it */
	CHECKPOINT_EACH = 12,
	CUTS = 500,
	CONTROL_CUTS = 100,
	SECTOR = 512,
};

/* ---- what happened ---- */

enum kind { WRITE, TRUNCATE, FLUSH, ACKNOWLEDGED };

struct event {
	enum kind kind;
	int file; /* 0 the book, 1 its log */
	int64_t offset;
	size_t n;
	char *bytes;
	int transaction;
};

static struct {
	struct event *events;
	size_t count, room;
	bool on;
} story;

static struct event *tell(enum kind kind, int file)
{
	struct event *e;

	if (story.count == story.room) {
		story.room = story.room ? story.room * 2 : 1024;
		story.events = realloc(story.events, story.room * sizeof *story.events);
		assert_non_null(story.events);
	}
	e = &story.events[story.count++];
	*e = (struct event){.kind = kind, .file = file};
	return e;
}

static void forget(void)
{
	for (size_t i = 0; i < story.count; i++)
		free(story.events[i].bytes);
	free(story.events);
	memset(&story, 0, sizeof story);
}

/* ---- the file layer: SQLite's own underneath, and a note of each write and flush ---- */

struct file {
	sqlite3_file base;
	int id; /* -1: not told */
	sqlite3_file *real;
};

static sqlite3_vfs *below;

static sqlite3_file *real(sqlite3_file *f)
{
	return ((struct file *)f)->real;
}

static bool told(sqlite3_file *f)
{
	return story.on && ((struct file *)f)->id >= 0;
}

static int file_close(sqlite3_file *f)
{
	int rc = real(f)->pMethods->xClose(real(f));

	free(real(f));
	return rc;
}

static int file_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 offset)
{
	if (told(f)) {
		struct event *e = tell(WRITE, ((struct file *)f)->id);

		e->offset = offset;
		e->n = (size_t)n;
		e->bytes = malloc(e->n);
		assert_non_null(e->bytes);
		memcpy(e->bytes, bytes, e->n);
	}
	return real(f)->pMethods->xWrite(real(f), bytes, n, offset);
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	if (told(f))
		tell(TRUNCATE, ((struct file *)f)->id)->offset = size;
	return real(f)->pMethods->xTruncate(real(f), size);
}

static int file_sync(sqlite3_file *f, int flags)
{
	(void)flags;
	if (told(f))
		tell(FLUSH, ((struct file *)f)->id);
	return SQLITE_OK; /* this disk is imaginary */
}

static int file_read(sqlite3_file *f, void *out, int n, sqlite3_int64 offset)
{
	return real(f)->pMethods->xRead(real(f), out, n, offset);
}

static int file_size(sqlite3_file *f, sqlite3_int64 *size)
{
	return real(f)->pMethods->xFileSize(real(f), size);
}

static int file_lock(sqlite3_file *f, int level)
{
	return real(f)->pMethods->xLock(real(f), level);
}

static int file_unlock(sqlite3_file *f, int level)
{
	return real(f)->pMethods->xUnlock(real(f), level);
}

static int file_reserved(sqlite3_file *f, int *out)
{
	return real(f)->pMethods->xCheckReservedLock(real(f), out);
}

static int file_control(sqlite3_file *f, int op, void *arg)
{
	return real(f)->pMethods->xFileControl(real(f), op, arg);
}

static int file_sector(sqlite3_file *f)
{
	return real(f)->pMethods->xSectorSize(real(f));
}

static int file_device(sqlite3_file *f)
{
	return real(f)->pMethods->xDeviceCharacteristics(real(f));
}

static int file_shm_map(sqlite3_file *f, int region, int size, int extend, void volatile **out)
{
	return real(f)->pMethods->xShmMap(real(f), region, size, extend, out);
}

static int file_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
	return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
}

static void file_shm_barrier(sqlite3_file *f)
{
	real(f)->pMethods->xShmBarrier(real(f));
}

static int file_shm_unmap(sqlite3_file *f, int remove)
{
	return real(f)->pMethods->xShmUnmap(real(f), remove);
}

static const sqlite3_io_methods methods = {
	2,           file_close,   file_read,     file_write,       file_truncate,  file_sync,
	file_size,   file_lock,    file_unlock,   file_reserved,    file_control,   file_sector,
	file_device, file_shm_map, file_shm_lock, file_shm_barrier, file_shm_unmap, NULL,
	NULL,
};

static int layer_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out)
{
	struct file *p = (struct file *)f;
	int rc;

	(void)vfs;
	p->base.pMethods = NULL;
	p->id = flags & SQLITE_OPEN_MAIN_DB ? 0 : flags & SQLITE_OPEN_WAL ? 1 : -1;
	p->real = calloc(1, (size_t)below->szOsFile);
	if (!p->real)
		return SQLITE_NOMEM;
	rc = below->xOpen(below, name, p->real, flags, out);
	if (rc == SQLITE_OK)
		p->base.pMethods = &methods;
	else
		free(p->real);
	return rc;
}

static sqlite3_vfs layer;

static void put_layer(void)
{
	below = sqlite3_vfs_find(NULL);
	layer = *below;
	layer.zName = "told";
	layer.szOsFile = sizeof(struct file);
	layer.xOpen = layer_open;
	sqlite3_vfs_register(&layer, 1); /* from here on db_open goes through it */
}

static void take_layer_away(void)
{
	sqlite3_vfs_unregister(&layer);
	sqlite3_vfs_register(below, 1);
}

/* ---- files as a disk would hold them ---- */

struct image {
	char *bytes;
	size_t n, room;
};

static void image_size(struct image *m, size_t n)
{
	if (n > m->room) {
		m->room = n * 2;
		m->bytes = realloc(m->bytes, m->room);
		assert_non_null(m->bytes);
	}
	if (n > m->n)
		memset(m->bytes + m->n, 0, n - m->n);
	m->n = n;
}

static void image_put(struct image *m, int64_t offset, const char *bytes, size_t n)
{
	if ((size_t)offset + n > m->n)
		image_size(m, (size_t)offset + n);
	memcpy(m->bytes + offset, bytes, n);
}

static void image_set(struct image *m, const struct image *from)
{
	image_size(m, from->n);
	if (from->n)
		memcpy(m->bytes, from->bytes, from->n);
}

static void image_apply(struct image *m, const struct event *e, size_t n)
{
	if (e->kind == TRUNCATE)
		image_size(m, (size_t)e->offset);
	else if (n > 0)
		image_put(m, e->offset, e->bytes, n);
}

/* How much of an event that was not flushed reached the disk: all, nothing, or some sectors. */
static bool survives(const struct event *e, unsigned *seed, size_t *n)
{
	int luck = rand_r(seed) % 3;

	*n = e->n;
	if (luck == 1 && e->kind == WRITE)
		*n = (size_t)rand_r(seed) % (e->n / SECTOR + 1) * SECTOR;
	return luck != 0;
}

static struct image base[2]; /* the files before the story */

/* Both files after a cut behind event `last`; *acked is the last transaction that was acknowledged. */
static void cut(size_t last, unsigned *seed, struct image out[2], int *acked)
{
	size_t flushed[2] = {0, 0}, n;

	*acked = 0;
	for (size_t i = 0; i <= last; i++) {
		const struct event *e = &story.events[i];

		if (e->kind == FLUSH)
			flushed[e->file] = i;
		if (e->kind == ACKNOWLEDGED)
			*acked = e->transaction;
	}
	for (int f = 0; f < 2; f++)
		image_set(&out[f], &base[f]);
	for (size_t i = 0; i <= last; i++) {
		const struct event *e = &story.events[i];

		if (e->kind != WRITE && e->kind != TRUNCATE)
			continue;
		n = e->n;
		if (i < flushed[e->file] || survives(e, seed, &n))
			image_apply(&out[e->file], e, n);
	}
}

/* ---- the test ---- */

static void load_base(struct book *b)
{
	char log[4200];

	snprintf(log, sizeof log, "%s-wal", b->path);
	for (int f = 0; f < 2; f++) {
		free(base[f].bytes);
		base[f].n = 0;
		/* A book that was never written to has no log. */
		base[f].bytes = f == 1 && access(log, F_OK) != 0 ? calloc(1, 1) :
								   book_read_file(f == 0 ? b->path : log, &base[f].n);
		base[f].room = base[f].n;
	}
}

static void one_transaction(struct book *b, int number)
{
	char name[16];
	enum err e;

	snprintf(name, sizeof name, "%d", number);
	assert_int_equal(db_begin(&b->db), ERR_OK);
	for (int i = 0; i < ROWS; i++) {
		e = stmt_run(&b->db, SQL_GUEST_ADD, "ttittt", name, "01012345678", (int64_t)(number * ROWS + i + 1),
			     (const char *)NULL, "ko", "2026-01-20T02:00:00Z");
		assert_int_equal(e, ERR_OK);
	}
	assert_int_equal(db_end(&b->db, ERR_OK), ERR_OK);
	tell(ACKNOWLEDGED, 0)->transaction = number;
}

/* weaker: a setting to try instead of the one db_open made, or NULL. */
static void record(struct book *b, const char *weaker)
{
	bool inherited;

	load_base(b);
	put_layer();
	book_open(b);
	if (weaker)
		book_exec(b->db.handle, "PRAGMA synchronous=%s", weaker);
	story.on = true;
	for (int i = 1; i <= TRANSACTIONS; i++) {
		one_transaction(b, i);
		if (i % CHECKPOINT_EACH != 0)
			continue;
		assert_int_equal(pen_take(b->hall.pen, 0, &inherited), ERR_OK);
		assert_int_equal(wal_checkpoint_locked(&b->db, false), ERR_OK);
		pen_release(b->hall.pen);
	}
	story.on = false;
	book_close(b);
	take_layer_away();
}

struct toll {
	int lost, torn, corrupt;
};

/* Opens what the cut left and counts. */
static void look(const char *path, int acked, struct toll *t)
{
	sqlite3 *handle = book_plain(path);
	int64_t last = -1, rows = -1;
	sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(handle,
			       "SELECT ifnull(max(CAST(name AS INTEGER)), 0), count(*) FROM users"
			       " WHERE name GLOB '[0-9]*'",
			       -1, &s, NULL) == SQLITE_OK &&
	    sqlite3_step(s) == SQLITE_ROW) {
		last = sqlite3_column_int64(s, 0);
		rows = sqlite3_column_int64(s, 1);
	}
	sqlite3_finalize(s);
	if (last < 0 || !book_whole(handle))
		t->corrupt++;
	else if (rows != last * ROWS)
		t->torn++;
	else if (last < acked)
		t->lost++;
	sqlite3_close(handle);
}

static struct toll cut_many(struct book *b, int cuts, unsigned seed)
{
	static const char *const tails[] = {"", "-wal", "-shm"};
	struct image files[2] = {{0}};
	struct toll t = {0};
	char path[4200];
	int acked;

	for (int i = 0; i < cuts; i++) {
		cut((size_t)rand_r(&seed) % story.count, &seed, files, &acked);
		for (int f = 2; f >= 0; f--) {
			snprintf(path, sizeof path, "%s.cut%s", b->path, tails[f]);
			if (f == 2)
				unlink(path);
			else
				book_write_file(path, files[f].bytes, files[f].n);
		}
		look(path, acked, &t);
	}
	free(files[0].bytes);
	free(files[1].bytes);
	return t;
}

static int leave(void **state)
{
	forget();
	for (int f = 0; f < 2; f++) {
		free(base[f].bytes);
		base[f] = (struct image){0};
	}
	return book_teardown(state);
}

static void say(const char *what, int cuts, struct toll t)
{
	fprintf(stderr, "# %s: %d cuts, %zu events: %d lost acknowledged commits, %d torn, %d corrupt\n", what, cuts,
		story.count, t.lost, t.torn, t.corrupt);
}

static void no_cut_loses_an_acknowledged_commit_or_breaks_the_book(void **state)
{
	struct toll t;

	record(*state, NULL);
	t = cut_many(*state, CUTS, 20260120);
	say("as jari opens it", CUTS, t);
	assert_int_equal(t.lost, 0);
	assert_int_equal(t.torn, 0);
	assert_int_equal(t.corrupt, 0);
}

/* The control: with a weaker setting the same cuts do lose what was acknowledged. */
static void with_synchronous_normal_commits_are_lost(void **state)
{
	struct toll t;

	record(*state, "NORMAL");
	t = cut_many(*state, CONTROL_CUTS, 20260121);
	say("synchronous=NORMAL", CONTROL_CUTS, t);
	assert_true(t.lost > CONTROL_CUTS / 10);
	assert_int_equal(t.corrupt, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_cut_loses_an_acknowledged_commit_or_breaks_the_book, book_setup_closed,
						leave),
		cmocka_unit_test_setup_teardown(with_synchronous_normal_commits_are_lost, book_setup_closed, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
