/*
 * shm.c - the shared memory of one book.
 */
#include "shm.h"

#include "log.h"
#include "token.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ID_DIGITS = 16, HEADER_SIZE = 64 };

struct header {
	_Atomic uint64_t magic;
	uint64_t stamp, size;
};

static_assert(offsetof(struct header, magic) == 0 && offsetof(struct header, stamp) == 8, "as shm.h draws it");
static_assert(offsetof(struct header, size) == 16 && sizeof(struct header) <= HEADER_SIZE, "as shm.h draws it");

static const uint64_t MAGIC = UINT64_C(0x6C6C61486972616A); /* "jariHall", little endian */

/* Opens DIR/hall.id and locks it: one process at a time makes or finds the segment. */
static int lock_id(const char *dir, char id[ID_DIGITS + 1])
{
	char path[4096];
	ssize_t n;
	int fd;

	if (snprintf(path, sizeof path, "%s/hall.id", dir) >= (int)sizeof path)
		return -1;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0660);
	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX) != 0)
		goto fail;
	n = pread(fd, id, ID_DIGITS, 0);
	id[ID_DIGITS] = '\0';
	/* A power cut may leave the file with its length and no content. */
	if (n == ID_DIGITS && strspn(id, "0123456789abcdef") == ID_DIGITS)
		return fd;
	token_random_hex(id, ID_DIGITS);
	if (pwrite(fd, id, ID_DIGITS, 0) == ID_DIGITS)
		return fd;
fail:
	close(fd);
	return -1;
}

/* Gives the open segment its size and its first content; the magic goes in last. */
static bool make(struct shm *s, uint64_t stamp, void (*fill)(void *))
{
	struct header *h;

	/* Not ftruncate: on a full tmpfs that succeeds and the first touch is SIGBUS. */
	if (posix_fallocate(s->fd, 0, (off_t)s->size) != 0)
		return false;
	s->base = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	if (s->base == MAP_FAILED)
		return false;
	h = s->base;
	h->stamp = stamp;
	h->size = s->size;
	fill(shm_body(s));
	atomic_store(&h->magic, MAGIC);
	return true;
}

/* Maps an existing segment if it is whole and of our layout. */
static bool find(struct shm *s, uint64_t stamp)
{
	struct stat st;
	struct header *h;

	if (fstat(s->fd, &st) != 0 || (size_t)st.st_size != s->size)
		return false;
	s->base = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	if (s->base == MAP_FAILED)
		return false;
	h = s->base;
	if (atomic_load(&h->magic) == MAGIC && h->stamp == stamp && h->size == s->size)
		return true;
	munmap(s->base, s->size);
	return false;
}

enum err shm_attach(struct shm *s, const char *dir, uint64_t stamp, size_t body_size, void (*fill)(void *body))
{
	char id[ID_DIGITS + 1];
	struct stat st;
	mode_t mode;
	enum err e = ERR_OK;
	int lock = lock_id(dir, id);

	assert(body_size > 0 && fill);
	*s = (struct shm){.fd = -1, .size = HEADER_SIZE + body_size};
	if (lock < 0 || stat(dir, &st) != 0) {
		log_error("hall.unreadable", "dir=%s why=\"%s\"", dir, strerror(errno));
		e = ERR_BOOK_UNWRITABLE;
		goto out;
	}
	mode = st.st_mode & 0660;
	snprintf(s->name, sizeof s->name, "/jari-%s-%llx", id, (unsigned long long)st.st_ino);
	s->fd = shm_open(s->name, O_RDWR | O_CLOEXEC, 0);
	if (s->fd >= 0 && find(s, stamp))
		goto out;
	if (s->fd >= 0) {
		log_warn("hall.rebuilt", "name=%s why=\"another layout or damaged\"", s->name);
		close(s->fd);
		shm_unlink(s->name);
	}
	s->fd = shm_open(s->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (s->fd < 0 || !make(s, stamp, fill)) {
		log_error("hall.failed", "name=%s why=\"%s\"", s->name, strerror(errno));
		if (s->fd >= 0) /* we made it; one that we could not open belongs to another user */
			shm_unlink(s->name);
		e = ERR_NO_MEMORY;
		goto out;
	}
	/* A group that shares DIR shares the hall, whatever our umask. */
	if (fchmod(s->fd, mode) != 0 || fchown(s->fd, (uid_t)-1, st.st_gid) != 0)
		log_warn("hall.mode", "name=%s why=\"%s\"", s->name, strerror(errno));
out:
	if (lock >= 0)
		close(lock);
	if (e != ERR_OK) {
		if (s->fd >= 0)
			close(s->fd);
		*s = (struct shm){.fd = -1};
	}
	return e;
}

void *shm_body(const struct shm *s)
{
	assert(s->base);
	return (char *)s->base + HEADER_SIZE;
}

void shm_detach(struct shm *s)
{
	if (!s->base)
		return;
	munmap(s->base, s->size);
	close(s->fd);
	*s = (struct shm){.fd = -1};
}

bool shm_gone(const struct shm *s)
{
	struct stat st;

	assert(s->fd >= 0);
	return fstat(s->fd, &st) != 0 || st.st_nlink == 0;
}

void shm_unlink_segment(const struct shm *s)
{
	shm_unlink(s->name);
}
