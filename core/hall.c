/*
 * hall.c - everything that the processes of one book share.
 *
 * The parts lie one behind the other, each at a multiple of 64 bytes, in the order of HALL_PARTS.
 */
#include "hall.h"

#include "clock.h"
#include "durable.h"
#include "hash.h"
#include "log.h"
#include "swap.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { ALIGN = 64 };

enum part {
#define X(name, file) PART_##name,
	HALL_PARTS(X) PARTS
#undef X
};

static const struct shm_part *const parts[PARTS] = {
#define X(name, file) &file##_part,
	HALL_PARTS(X)
#undef X
};

static size_t part_offset(int part)
{
	size_t offset = 0;

	assert(part >= 0 && part <= PARTS);
	for (int i = 0; i < part; i++)
		offset += (parts[i]->size + ALIGN - 1) / ALIGN * ALIGN;
	return offset;
}

uint64_t hall_stamp(void)
{
	return shm_stamp(parts, PARTS);
}

static void fill(void *body)
{
	for (int i = 0; i < PARTS; i++)
		if (parts[i]->init)
			parts[i]->init((char *)body + part_offset(i));
}

static void *part_at(const struct hall *h, enum part part)
{
	return (char *)shm_body(&h->shm) + part_offset((int)part);
}

enum err hall_attach(struct hall *h, const char *dir)
{
	enum err e;

	assert(!h->shm.base);
	if (dir != h->dir)
		snprintf(h->dir, sizeof h->dir, "%s", dir);
	e = shm_attach(&h->shm, h->dir, hall_stamp(), part_offset(PARTS), fill);
	if (e != ERR_OK)
		return e;
#define X(name, file) h->name = part_at(h, PART_##name);
	HALL_PARTS(X)
#undef X
	return ERR_OK;
}

/* A use of what is no longer mapped ends here, and not in another's memory. */
static void forget_parts(struct hall *h)
{
#define X(name, file) h->name = NULL;
	HALL_PARTS(X)
#undef X
}

void hall_detach(struct hall *h)
{
	shm_detach(&h->shm);
	forget_parts(h);
}

void hall_stay(struct hall *h)
{
	shm_stay(&h->shm);
}

/* Guests who still wait in the line will be served by the next process that comes. */
static bool nobody_waits(const void *body)
{
	union {
		const void *in;
		struct line *out;
	} line = {.in = (const char *)body + part_offset(PART_line)};

	return line_length(line.out) == 0;
}

void hall_leave(struct hall *h)
{
	shm_leave(&h->shm, h->dir, nobody_waits);
	forget_parts(h);
}

enum err hall_refresh(struct hall *h)
{
	struct hall fresh = {0};
	enum err e;

	if (!shm_gone(&h->shm))
		return ERR_OK;
	log_warn("hall.gone", "name=%s", h->shm.name);
	e = hall_attach(&fresh, h->dir);
	if (e != ERR_OK)
		return e; /* the old one is still mapped, but its pen is no longer the right to write */
	hall_detach(h);
	*h = fresh;
	return ERR_OK;
}

static const uint64_t tickets_each = UINT64_C(1) << 32; /* more than any hall ever draws */

/* What hall_first_ticket() left there.  0: nothing, or a damaged file, whose number could be anything. */
static uint64_t read_next(const char *path, const char *text)
{
	size_t digits = strspn(text, "0123456789");
	uint64_t n = strtoull(text, NULL, 10);

	if (digits == 20 && strcmp(text + digits, "\n") == 0 && n < INT64_MAX - tickets_each)
		return n;
	if (*text)
		log_error("hall.tickets", "file=%s why=\"it is damaged; numbers go on by the clock\"", path);
	return 0;
}

enum err hall_first_ticket(struct hall *h, uint64_t above, uint64_t *first)
{
	char path[4200], text[24] = "";
	uint64_t clock = (uint64_t)clock_now_ms() * 1000, kept;
	bool ok;
	int fd;

	assert(h->line);
	snprintf(path, sizeof path, "%s/tickets.next", h->dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, shm_file_mode(h->dir));
	if (fd < 0 || flock(fd, LOCK_EX) != 0 || pread(fd, text, sizeof text - 1, 0) < 0) {
		log_error("hall.tickets", "file=%s why=\"%s\"", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return ERR_BOOK_UNWRITABLE;
	}
	kept = read_next(path, text);
	*first = clock > above ? clock : above;
	if (kept > *first)
		*first = kept;
	snprintf(text, sizeof text, "%020llu\n", (unsigned long long)(*first + tickets_each));
	ok = pwrite(fd, text, strlen(text), 0) == (ssize_t)strlen(text) && ftruncate(fd, (off_t)strlen(text)) == 0 &&
	     fsync(fd) == 0;
	close(fd);
	if (ok && kept == 0) /* a new file: its name as well */
		ok = durable_flush_folder(h->dir);
	return ok ? ERR_OK : ERR_BOOK_UNWRITABLE;
}

enum err hall_take_pen(struct hall *h, int64_t ms)
{
	bool inherited, gone;
	enum err e;

	do {
		e = ms ? hall_refresh(h) : ERR_OK;
		if (e == ERR_OK)
			e = ms ? pen_take(h->pen, ms, &inherited) : pen_try(h->pen, &inherited);
		if (e != ERR_OK)
			return e;
		gone = shm_gone(&h->shm); /* removed while we waited */
		if (gone)
			pen_release(h->pen);
	} while (gone && ms);
	if (gone)
		return ERR_UNKNOWN;
	counters_count(h->counters, COUNTER_pen_takes);
	if (inherited) {
		counters_count(h->counters, COUNTER_pen_inherited);
		log_warn("pen.inherited", "its last holder died");
	}
	/* The last holder was a restore that died or failed: nothing may be written into the book that was giving way. */
	if (swap_pending(h->dir) && (e = swap_finish(h->dir)) != ERR_OK) {
		writes_failed(h->writes, ERR_RESTORE_BEGUN);
		pen_release(h->pen);
	}
	return e;
}

void hall_drop_pen(struct hall *h)
{
	pen_release(h->pen);
}

void hall_pass_pen(struct hall *h)
{
	assert(pen_is_ours(h->pen));
	hall_drop_pen(h);
	if (line_length(h->line) && !line_ring_bell(h->line))
		line_call_next(h->line);
}

void hall_remove(struct hall *h)
{
	shm_unlink_segment(&h->shm);
}
