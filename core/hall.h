/*
 * hall.h - everything that the processes of one book share, in one segment.
 */
#ifndef JARI_HALL_H
#define JARI_HALL_H

#include "board.h"
#include "line.h"
#include "pen.h"
#include "rate.h"
#include "shm.h"

struct hall {
	struct shm shm;
	char dir[4096];
	struct board *board;
	struct pen *pen;
	struct line *line;
	struct rate *rate;
};

enum err hall_attach(struct hall *h, const char *dir);
void hall_detach(struct hall *h);
/* Attaches again if the segment was removed behind our back. */
enum err hall_refresh(struct hall *h);
/* Throws the segment away.  Only for the last one out, with the pen in hand or nobody left. */
void hall_remove(struct hall *h);

#endif
