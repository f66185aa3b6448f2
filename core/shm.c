/*
 * shm.c - the shared memory of one book.
 */
#include "shm.h"

#include "hash.h"
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
	_Atomic bool stays; /* for the next request of a process that serves one */
};

static_assert(offsetof(struct header, magic) == 0 && offsetof(struct header, stamp) == 8, "as shm.h draws it");
static_assert(offsetof(struct header, size) == 16 && sizeof(struct header) <= HEADER_SIZE, "as shm.h draws it");

static const uint64_t MAGIC = UINT64_C(0x6C6C61486972616A); /* "jariHall", little endian */

static mode_t mode_in(const struct stat *dir)
{
	return dir->st_mode & S_IWGRP ? 0660 : 0600;
}

mode_t shm_file_mode(const char *dir)
{
	struct stat st;

	return stat(dir, &st) == 0 ? mode_in(&st) : 0600;
}

static bool new_id(int fd, char id[ID_DIGITS + 1])
{
	token_random_hex(id, ID_DIGITS);
	return pwrite(fd, id, ID_DIGITS, 0) == ID_DIGITS;
}

/* Opens DIR/hall.id and locks it: one process at a time makes or finds the segment. */
static int lock_id(const char *dir, char id[ID_DIGITS + 1])
{
	char path[4096];
	int fd = -1;

	if (snprintf(path, sizeof path, "%s/hall.id", dir) < (int)sizeof path)
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, shm_file_mode(dir));
	if (fd < 0 && errno == EROFS) /* the courier in its unit: it can still read and lock what is there */
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -1;
	id[ID_DIGITS] = '\0';
	if (flock(fd, LOCK_EX) == 0 &&
	    /* A power cut may leave the file with its length and no content. */
	    ((pread(fd, id, ID_DIGITS, 0) == ID_DIGITS && strspn(id, "0123456789abcdef") == ID_DIGITS) || new_id(fd, id)))
		return fd;
	close(fd);
	return -1;
}

uint64_t shm_stamp(const struct shm_part *const *parts, int count)
{
	uint64_t stamp = HASH_START;

	for (int i = 0; i < count; i++)
		stamp = hash_text(hash_number(stamp, parts[i]->stamp), parts[i]->words ? parts[i]->words : "");
	return stamp;
}

/* Gives the open segment its size and its first content; the magic goes in last. */
static bool make(struct shm *s, uint64_t stamp, void (*fill)(void *))
{
	struct header *h;

	/* Not ftruncate: on a full tmpfs that succeeds and the first touch is SIGBUS. */
	errno = posix_fallocate(s->fd, 0, (off_t)s->size); /* it tells why by its result */
	if (errno != 0)
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

/*
 * Was it made by a user who may write the book anyway: its owner, root, ourselves, or the group that shares DIR?  And
 * may no other user touch it?  Any local user can make a segment of any name; a process that attached it would let them read
 * guests and write tickets.
 */
static bool is_trusted(int fd, const struct stat *dir)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || st.st_mode & S_IRWXO)
		return false;
	return st.st_uid == geteuid() || st.st_uid == dir->st_uid || st.st_uid == 0 ||
	       (dir->st_mode & S_IWGRP && st.st_gid == dir->st_gid);
}

/* Maps the segment of that name if there is one that is whole, of our layout, and trusted; removes any other. */
static bool open_existing(struct shm *s, const struct stat *dir, uint64_t stamp)
{
	bool trusted;

	s->fd = shm_open(s->name, O_RDWR | O_CLOEXEC, 0);
	if (s->fd < 0)
		return false;
	trusted = is_trusted(s->fd, dir);
	if (trusted && find(s, stamp)) {
		flock(s->fd, LOCK_SH); /* we are in it, until we close it or end: see shm_leave */
		return true;
	}
	log_warn("hall.rebuilt", "name=%s why=\"%s\"", s->name, trusted ? "another layout or damaged" : "made by another user");
	close(s->fd);
	s->fd = -1;
	shm_unlink(s->name);
	return false;
}

static bool create(struct shm *s, const struct stat *dir, uint64_t stamp, void (*fill)(void *body))
{
	mode_t mode = mode_in(dir);
	struct stat st;
	int why;

	s->fd = shm_open(s->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (s->fd < 0)
		return false;
	/* A group that shares DIR shares the hall, whatever our umask; one that only passes through DIR has no part in it. */
	if (fchmod(s->fd, mode) != 0 || (mode & S_IWGRP && fstat(s->fd, &st) == 0 && st.st_gid != dir->st_gid &&
					 fchown(s->fd, (uid_t)-1, dir->st_gid) != 0)) /* a sandbox may forbid chown */
		log_warn("hall.mode", "name=%s why=\"%s\"", s->name, strerror(errno));
	if (make(s, stamp, fill)) {
		flock(s->fd, LOCK_SH);
		return true;
	}
	why = errno;
	shm_unlink(s->name);
	close(s->fd);
	s->fd = -1;
	errno = why;
	return false;
}

static void set_name(struct shm *s, const char *id, const struct stat *dir)
{
	snprintf(s->name, sizeof s->name, "/jari-%s-%llx", id, (unsigned long long)dir->st_ino);
}

enum err shm_attach(struct shm *s, const char *dir, uint64_t stamp, size_t body_size, void (*fill)(void *body))
{
	char id[ID_DIGITS + 1];
	struct stat st;
	bool ok;
	int lock = lock_id(dir, id);

	assert(body_size > 0 && fill);
	*s = (struct shm){.fd = -1};
	if (lock < 0 || stat(dir, &st) != 0) {
		log_error("hall.unreadable", "dir=%s why=\"%s\"", dir, strerror(errno));
		if (lock >= 0)
			close(lock);
		return ERR_BOOK_UNWRITABLE;
	}
	s->size = HEADER_SIZE + body_size;
	set_name(s, id, &st);
	ok = open_existing(s, &st, stamp) || create(s, &st, stamp, fill);
	if (!ok && errno == EEXIST && new_id(lock, id)) { /* another user's, which we may not remove: take another name */
		set_name(s, id, &st);
		ok = create(s, &st, stamp, fill);
	}
	if (!ok) {
		log_error("hall.failed", "name=%s why=\"%s\"", s->name, strerror(errno));
		*s = (struct shm){.fd = -1};
	}
	close(lock);
	return ok ? ERR_OK : ERR_NO_MEMORY;
}

void *shm_body(const struct shm *s)
{
	assert(s->base);
	return (char *)s->base + HEADER_SIZE;
}

void shm_stay(const struct shm *s)
{
	assert(s->base);
	atomic_store(&((struct header *)s->base)->stays, true);
}

void shm_detach(struct shm *s)
{
	if (!s->base)
		return;
	munmap(s->base, s->size);
	close(s->fd);
	*s = (struct shm){.fd = -1};
}

/*
 * Every process attaches under the lock of DIR/hall.id and then holds a lock on the segment itself.  It lets go of both in
 * the opposite order, so of processes that leave at once the last one finds itself alone.
 */
void shm_leave(struct shm *s, const char *dir, bool (*is_idle)(const void *body))
{
	char id[ID_DIGITS + 1];
	int lock;

	if (!s->base)
		return;
	lock = lock_id(dir, id);
	if (lock >= 0 && flock(s->fd, LOCK_EX | LOCK_NB) == 0 && !shm_gone(s) && is_idle(shm_body(s)) &&
	    !atomic_load(&((struct header *)s->base)->stays))
		shm_unlink(s->name);
	shm_detach(s);
	if (lock >= 0)
		close(lock);
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
