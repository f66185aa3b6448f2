/*
 * parcel.c - a copy of the book on its way to the spare.
 */
#include "parcel.h"

#include "clock.h"

#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what is in a file ---- */

void parcel_free(struct parcel *p)
{
	free(p->sums);
	*p = (struct parcel){0};
}

/* Sums of one process are compared with those of the same: a key of its own, so that no page can be made to match another. */
static uint64_t sum_of(const unsigned char *page)
{
	static unsigned char key[crypto_shorthash_KEYBYTES];
	static bool keyed;
	uint64_t sum;

	if (!keyed)
		crypto_shorthash_keygen(key);
	keyed = true;
	crypto_shorthash((unsigned char *)&sum, page, PARCEL_PAGE, key);
	return sum;
}

static size_t pages_of(int64_t size)
{
	return (size_t)((size + PARCEL_PAGE - 1) / PARCEL_PAGE);
}

/* How much of that page there is. */
static size_t length_of(int64_t size, size_t page)
{
	int64_t left = size - (int64_t)page * PARCEL_PAGE;

	return left < PARCEL_PAGE ? (size_t)left : PARCEL_PAGE;
}

static bool read_page(int fd, int64_t size, size_t i, unsigned char out[PARCEL_PAGE])
{
	size_t n = length_of(size, i);

	memset(out + n, 0, PARCEL_PAGE - n);
	return pread(fd, out, n, (off_t)i * PARCEL_PAGE) == (ssize_t)n;
}

static void end_hash(crypto_generichash_state *state, char out[PARCEL_HASH_TEXT])
{
	unsigned char hash[PARCEL_HASH];

	crypto_generichash_final(state, hash, sizeof hash);
	sodium_bin2hex(out, PARCEL_HASH_TEXT, hash, sizeof hash);
}

static bool look(int fd, struct parcel *out, bool sums)
{
	unsigned char page[PARCEL_PAGE];
	crypto_generichash_state state;
	struct stat st;

	*out = (struct parcel){0};
	if (fd < 0 || fstat(fd, &st) != 0)
		return false;
	out->size = st.st_size;
	out->pages = pages_of(st.st_size);
	if (sums && !(out->sums = calloc(out->pages + 1, sizeof *out->sums)))
		return false;
	crypto_generichash_init(&state, NULL, 0, PARCEL_HASH);
	for (size_t i = 0; i < out->pages; i++) {
		if (!read_page(fd, out->size, i, page))
			return false;
		crypto_generichash_update(&state, page, length_of(out->size, i));
		if (sums)
			out->sums[i] = sum_of(page);
	}
	end_hash(&state, out->hash);
	return true;
}

static bool look_at(const char *file, struct parcel *out, bool sums)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool ok = look(fd, out, sums);

	if (fd >= 0)
		close(fd);
	if (!ok)
		parcel_free(out);
	return ok;
}

bool parcel_look(const char *file, struct parcel *out)
{
	return look_at(file, out, true);
}

void parcel_hash(const char *file, char out[PARCEL_HASH_TEXT])
{
	struct parcel p;

	out[0] = '\0';
	if (look_at(file, &p, false))
		memcpy(out, p.hash, PARCEL_HASH_TEXT);
}

/* ---- sending ---- */

static bool lacks(const struct parcel *now, const struct parcel *before, size_t i)
{
	return !before || i >= before->pages || before->sums[i] != now->sums[i];
}

size_t parcel_count(const struct parcel *now, const struct parcel *before)
{
	size_t n = 0;

	for (size_t i = 0; i < now->pages; i++)
		n += lacks(now, before, i);
	return n;
}

bool parcel_send(struct wire *w, const char *file, const struct parcel *now, const struct parcel *before, int64_t until_ms)
{
	struct {
		uint32_t number;
		unsigned char page[PARCEL_PAGE];
	} item;
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool ok = fd >= 0;

	for (size_t i = 0; ok && i < now->pages; i++) {
		if (!lacks(now, before, i))
			continue;
		item.number = htonl((uint32_t)i);
		ok = read_page(fd, now->size, i, item.page) && wire_write(w, &item, sizeof item, until_ms);
	}
	if (fd >= 0)
		close(fd);
	return ok;
}

/* ---- taking ---- */

struct taking {
	struct wire *w;
	const struct parcel_head *head;
	int base, to, quiet_ms;
	int64_t left; /* pages that are still to come */
	int64_t next; /* the number of the one that has begun; -1: none */
	size_t written;
};

/* They come in order, so a number that does not rise is a fault. */
static bool begin_next(struct taking *t)
{
	int64_t before = t->next;
	uint32_t number;

	t->next = -1;
	if (!t->left)
		return true;
	t->left--;
	if (!wire_read(t->w, &number, sizeof number, clock_mono_ms() + t->quiet_ms))
		return false;
	t->next = ntohl(number);
	return t->next > before && t->next < (int64_t)pages_of(t->head->size);
}

static enum parcel_end keep(struct taking *t, size_t i, const unsigned char *page)
{
	unsigned char old[PARCEL_PAGE];
	size_t n = length_of(t->head->size, i);

	if (pread(t->to, old, n, (off_t)i * PARCEL_PAGE) == (ssize_t)n && memcmp(old, page, n) == 0)
		return PARCEL_WHOLE;
	t->written++;
	return pwrite(t->to, page, n, (off_t)i * PARCEL_PAGE) == (ssize_t)n ? PARCEL_WHOLE : PARCEL_NO_ROOM;
}

static enum parcel_end take_page(struct taking *t, size_t i, unsigned char page[PARCEL_PAGE])
{
	if (t->next != (int64_t)i)
		return t->base >= 0 && read_page(t->base, t->head->size, i, page) ? PARCEL_WHOLE : PARCEL_WRONG;
	if (!wire_read(t->w, page, PARCEL_PAGE, clock_mono_ms() + t->quiet_ms))
		return PARCEL_CUT;
	return begin_next(t) ? PARCEL_WHOLE : PARCEL_CUT;
}

/* Also when the copy turns out to be wrong, all that was announced is read: what comes next is a line again. */
static enum parcel_end take_all(struct taking *t)
{
	unsigned char page[PARCEL_PAGE];
	crypto_generichash_state state;
	enum parcel_end end = PARCEL_WHOLE, e;
	char hash[PARCEL_HASH_TEXT];

	crypto_generichash_init(&state, NULL, 0, PARCEL_HASH);
	if (!begin_next(t))
		return PARCEL_CUT;
	for (size_t i = 0; i < pages_of(t->head->size); i++) {
		e = take_page(t, i, page);
		if (e == PARCEL_CUT)
			return e;
		if (e == PARCEL_WHOLE && end == PARCEL_WHOLE)
			e = keep(t, i, page);
		end = end == PARCEL_WHOLE ? e : end;
		crypto_generichash_update(&state, page, length_of(t->head->size, i));
	}
	if (end != PARCEL_WHOLE)
		return end;
	end_hash(&state, hash);
	if (strcmp(hash, t->head->hash) != 0)
		return PARCEL_WRONG;
	return ftruncate(t->to, t->head->size) == 0 && fsync(t->to) == 0 ? PARCEL_WHOLE : PARCEL_NO_ROOM;
}

enum parcel_end parcel_take(struct wire *w, const struct parcel_head *head, const char *base, const char *to, int quiet_ms,
			    size_t *written)
{
	struct taking t = {.w = w, .head = head, .quiet_ms = quiet_ms, .left = head->count, .next = -1};
	enum parcel_end end = PARCEL_NO_ROOM;

	assert(head->size > 0 && head->count >= 0 && head->count <= (int64_t)pages_of(head->size));
	t.base = open(base, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	t.to = open(to, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (t.to >= 0)
		end = take_all(&t);
	if (t.base >= 0)
		close(t.base);
	if (t.to >= 0)
		close(t.to);
	*written = t.written;
	return end;
}
