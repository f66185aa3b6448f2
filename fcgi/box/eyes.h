/*
 * eyes.h - what only root can see of the box, or what costs a write to see: for the doctor.
 */
#ifndef JARI_EYES_H
#define JARI_EYES_H

#include <stdbool.h>
#include <stdint.h>

enum { EYES_UNKNOWN = -1 };

struct eyes {
	int64_t certificate_s; /* when it ends; 0: the site has none; EYES_UNKNOWN: no site, or it may not be read */
	int connections;       /* that nginx has room for; EYES_UNKNOWN: jari is not behind the nginx of the system */
	int flush_us;          /* how long a flush takes, in the middle of several; EYES_UNKNOWN: nothing could be written */
	int by_network;        /* 1: a time server sets the clock, 0: none does */
	int tunnel;            /* 0: none runs here; 1: it comes by its own socket; 2: it comes like the box itself */
	char tunnel_name[16];
};

/* Looks now: etc is /etc, but for tests. */
void eyes_look(const char *dir, const char *etc, struct eyes *out);

/* Keeps what was seen in the folder; what could not be seen this time stays as it was seen before. */
void eyes_note(const char *dir, int64_t now_s, struct eyes *seen);
/* What was noted; false when that was never, or too long ago to say anything. */
bool eyes_noted(const char *dir, int64_t now_s, struct eyes *out);

#endif
