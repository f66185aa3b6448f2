/*
 * hall.c - everything that the processes of one book share.
 *
 * The parts lie one behind the other, each at a multiple of 64 bytes, in the order of `parts`.
 */
#include "hall.h"

#include "hash.h"
#include "log.h"

#include <stdio.h>
#include <string.h>

enum { ALIGN = 64 };

static const struct part {
	size_t (*size)(void);
	uint64_t (*stamp)(void);
	void (*init)(void *);
} parts[] = {
	{pen_size, pen_stamp, pen_init},
	{board_size, board_stamp, board_init},
	{line_size, line_stamp, line_init},
	{rate_size, rate_stamp, rate_init},
	{room_size, room_stamp, room_init},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

static size_t part_offset(size_t part)
{
	size_t offset = 0;

	for (size_t i = 0; i < part; i++)
		offset += (parts[i].size() + ALIGN - 1) / ALIGN * ALIGN;
	return offset;
}

static uint64_t layout_stamp(void)
{
	uint64_t stamp = HASH_START;

	for (size_t i = 0; i < PARTS; i++)
		stamp = hash_number(stamp, parts[i].stamp());
	return stamp;
}

static void fill(void *body)
{
	for (size_t i = 0; i < PARTS; i++)
		parts[i].init((char *)body + part_offset(i));
}

static void *part_at(const struct hall *h, size_t part)
{
	return (char *)shm_body(&h->shm) + part_offset(part);
}

enum err hall_attach(struct hall *h, const char *dir)
{
	enum err e;

	if (dir != h->dir)
		snprintf(h->dir, sizeof h->dir, "%s", dir);
	e = shm_attach(&h->shm, h->dir, layout_stamp(), part_offset(PARTS), fill);
	if (e != ERR_OK)
		return e;
	h->pen = part_at(h, 0);
	h->board = part_at(h, 1);
	h->line = part_at(h, 2);
	h->rate = part_at(h, 3);
	h->room = part_at(h, 4);
	return ERR_OK;
}

void hall_detach(struct hall *h)
{
	shm_detach(&h->shm);
	h->pen = NULL;
	h->board = NULL;
	h->line = NULL;
	h->rate = NULL;
	h->room = NULL;
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
		return e; /* the old one is still good memory, though nobody may write by its pen */
	hall_detach(h);
	*h = fresh;
	return ERR_OK;
}

void hall_pass_pen(struct hall *h)
{
	pen_release(h->pen);
	if (line_length(h->line) && !line_ring_bell(h->line))
		line_call_next(h->line);
}

void hall_remove(struct hall *h)
{
	shm_unlink_segment(&h->shm);
}
