/*
 * disktest.c - does this disk keep what it says that it has written?
 */
#include "disktest.h"

#include "durable.h"
#include "hash.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS = DISKTEST_PAGE / (int)sizeof(uint64_t) };

/* A page: which run, which number, words that follow from both, and their sum, so that a torn page is seen. */
struct page {
	uint64_t run, number, words[WORDS - 3], sum;
};

void disktest_path(const char *folder, char out[DISKTEST_PATH])
{
	snprintf(out, DISKTEST_PATH, "%s/jari-disk-test.bin", folder);
}

static uint64_t sum_of(const struct page *p)
{
	uint64_t sum = hash_word(hash_word(HASH_START, p->run), p->number);

	for (size_t i = 0; i < WORDS - 3; i++)
		sum = hash_word(sum, p->words[i]);
	return sum;
}

static void make_page(struct page *p, uint64_t run, uint64_t number)
{
	*p = (struct page){.run = run, .number = number};
	for (size_t i = 0; i < WORDS - 3; i++)
		p->words[i] = hash_word(hash_word(run, number), i);
	p->sum = sum_of(p);
}

static off_t place_of(uint64_t number)
{
	return (off_t)((number - 1) % DISKTEST_RING) * DISKTEST_PAGE;
}

bool disktest_begin(struct disktest *t, const char *folder)
{
	char path[DISKTEST_PATH];

	disktest_path(folder, path);
	*t = (struct disktest){.next = 1};
	randombytes_buf(&t->run, sizeof t->run);
	unlink(path);
	t->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	return t->fd >= 0 && durable_flush_folder(folder);
}

bool disktest_write(struct disktest *t)
{
	struct page p;

	make_page(&p, t->run, t->next);
	if (pwrite(t->fd, &p, sizeof p, place_of(t->next)) != (ssize_t)sizeof p || fsync(t->fd) != 0)
		return false;
	t->next++;
	return true;
}

void disktest_end(struct disktest *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

/* The numbers of the whole pages, by their place; 0: not whole. */
static uint64_t *read_numbers(int fd)
{
	uint64_t *numbers = calloc(DISKTEST_RING, sizeof *numbers), run = 0;
	struct page p;

	for (int i = 0; numbers && i < DISKTEST_RING; i++) {
		if (pread(fd, &p, sizeof p, (off_t)i * DISKTEST_PAGE) != (ssize_t)sizeof p || p.sum != sum_of(&p) || !p.number)
			continue;
		run = run ? run : p.run;
		if (p.run == run && place_of(p.number) == (off_t)i * DISKTEST_PAGE)
			numbers[i] = p.number;
	}
	return numbers;
}

/*
 * Every page of the last half turn up to `last` must be there, or one that was written over it later.  What is older may have
 * been torn by the page that was being written in its place when the plug was pulled.
 */
static void find_missing(const uint64_t *numbers, uint64_t last, struct disktest_found *out)
{
	uint64_t first = last > DISKTEST_RING / 2 ? last - DISKTEST_RING / 2 + 1 : 1;

	for (uint64_t n = first; n <= last; n++) {
		if (numbers[(n - 1) % DISKTEST_RING] >= n)
			continue;
		out->lost = out->lost ? out->lost : n;
		out->missing++;
	}
}

bool disktest_look(const char *folder, uint64_t told, struct disktest_found *out)
{
	char path[DISKTEST_PATH];
	uint64_t *numbers, last;
	int fd;

	*out = (struct disktest_found){0};
	disktest_path(folder, path);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false;
	numbers = read_numbers(fd);
	close(fd);
	for (int i = 0; numbers && i < DISKTEST_RING; i++)
		out->newest = numbers[i] > out->newest ? numbers[i] : out->newest;
	/* A page that was being written when the plug was pulled was not told: the one in its place may be torn. */
	last = told ? told : out->newest ? out->newest - 1 : 0;
	if (numbers)
		find_missing(numbers, last, out);
	free(numbers);
	return numbers != NULL;
}

void disktest_remove(const char *folder)
{
	char path[DISKTEST_PATH];

	disktest_path(folder, path);
	unlink(path);
}
