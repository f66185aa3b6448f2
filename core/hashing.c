/*
 * hashing.c - the turns of password checks, in the hall.
 */
#include "hashing.h"

#include "lock.h"

struct hashing {
	pthread_mutex_t turns[2]; /* of unknown devices, of known ones */
};

static void init(void *memory)
{
	struct hashing *h = memory;

	lock_init(&h->turns[0]);
	lock_init(&h->turns[1]);
}

const struct shm_part hashing_part = {sizeof(struct hashing), sizeof(struct hashing), init, NULL};

bool hashing_try(struct hashing *h, bool known)
{
	return lock_try(&h->turns[known]) != LOCK_BUSY;
}

void hashing_done(struct hashing *h, bool known)
{
	lock_release(&h->turns[known]);
}
