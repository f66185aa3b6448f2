/*
 * shm.h - the shared memory of one book: made, found again, thrown away.
 *
 * Every process that serves a book (workers, keeper, a CGI process, the command line) maps the same
 * segment.  It is a named POSIX object, so that processes that are not each other's children find
 * it; its name comes from DIR/hall.id (random, made once) and the identity of DIR, so that neither a
 * copied directory nor a new one at an old place meets a stranger's segment.
 *
 *   offset 0   magic     "jariHall", stored last when the segment is made
 *          8   stamp     of the layout: sizes, offsets, version
 *         16   size      of the whole segment
 *         24   stays     commands leave it to the processes that come
 *         64   body      the caller's
 *
 * A segment that a stranger made, or that others may touch, is never attached.
 *
 * The segment is a convenience, not a record.  One with another stamp or size is unlinked and begun
 * anew; the book alone is the truth.
 */
#ifndef JARI_SHM_H
#define JARI_SHM_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A part of the segment, as its own file describes it. */
struct shm_part {
	size_t size;
	uint64_t stamp;             /* of its layout: changes with every size, offset or meaning */
	void (*init)(void *memory); /* fills a new one, which is all zeros; NULL: zeros will do */
	/* Of every enum whose numbers lie in it, its words in their order, each with a blank; NULL: there is none. */
	const char *words;
};
/* A word of an X-macro's list, for that: of one with further columns, of one without. */
#define SHM_WORD(word, ...) #word " "
#define SHM_NAME(word) #word " "

/* Of the layout of a whole segment: another size, offset, word or order of words is another layout. */
uint64_t shm_stamp(const struct shm_part *const *parts, int count);

/*
 * Of the files in DIR: shared with its group only where the group may write there.  A web server that needs no more than
 * to pass through the folder to its socket gets no more.
 */
mode_t shm_file_mode(const char *dir);

struct shm {
	int fd;
	void *base;
	size_t size;
	char name[48];
};

/* fill() prepares the body of a new segment, which is all zeros. */
enum err shm_attach(struct shm *s, const char *dir, uint64_t stamp, size_t body_size, void (*fill)(void *body));
void *shm_body(const struct shm *s);
/* Commands leave it to those that come (shm_leave removes it no more). */
void shm_stay(const struct shm *s);
void shm_detach(struct shm *s);
/*
 * Detaches, and removes the segment if this process is the last one in it and none asked for it to stay.  is_idle() says
 * whether what is in it may go.
 */
void shm_leave(struct shm *s, const char *dir, bool (*is_idle)(const void *body));
/* The segment was unlinked (a logout with RemoveIPC, a stopped appliance): attach again. */
bool shm_gone(const struct shm *s);
void shm_unlink_segment(const struct shm *s);

#endif
