/*
 * hashing.h - the turns of password checks, in the hall.
 *
 * One password is hashed at a time, so that a flood of logins leaves the cores to bookings; and one more for devices that have
 * logged in before, so that the flood does not lock their people out.
 */
#ifndef JARI_HASHING_H
#define JARI_HASHING_H

#include "shm.h"

struct hashing;

extern const struct shm_part hashing_part;

bool hashing_try(struct hashing *h, bool known);
void hashing_done(struct hashing *h, bool known);

#endif
