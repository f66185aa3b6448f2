/*
 * test_shm.c - every process of a book finds the same segment, and no other book's.
 */
#include "shm.h"

#include "board.h"
#include "book.h"
#include "kid.h"
#include "line.h"
#include "token.h"
#include "unit.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STAMP = 77, BODY = 4096, FILLED = 4711, CROWD = 4, ROUNDS = 40 };

struct body {
	_Atomic int filled, value;
};

static char dir[64];
static _Atomic int *fills; /* how many segments were begun, by whatever process */

static void fill(void *body)
{
	struct body *b = body;

	assert(b->filled == 0 && b->value == 0);
	atomic_store(&b->filled, FILLED);
	atomic_fetch_add(fills, 1);
}

static enum err attach(struct shm *s)
{
	return shm_attach(s, dir, STAMP, BODY, fill);
}

static struct body *body_of(const struct shm *s)
{
	return shm_body(s);
}

static int make(void **state)
{
	(void)state;
	fills = kid_share(sizeof *fills);
	book_make_dir(dir);
	return token_init() ? 0 : -1;
}

static int leave(void **state)
{
	struct shm s;

	(void)state;
	if (attach(&s) == ERR_OK) {
		shm_unlink_segment(&s);
		shm_detach(&s);
	}
	book_remove_dir(dir);
	kid_unshare(fills, sizeof *fills);
	return 0;
}

static int add_one(void *arg)
{
	struct shm s;

	(void)arg;
	if (attach(&s) != ERR_OK || body_of(&s)->filled != FILLED)
		return 1;
	atomic_fetch_add(&body_of(&s)->value, 1);
	return 0;
}

static void two_processes_see_the_same(void **state)
{
	struct shm s;

	(void)state;
	assert_int_equal(attach(&s), ERR_OK);
	assert_int_equal(body_of(&s)->filled, FILLED);
	assert_int_equal(kid_run(add_one, NULL), 0);
	assert_int_equal(kid_run(add_one, NULL), 0);
	assert_int_equal(body_of(&s)->value, 2);
	assert_int_equal(*fills, 1);
	shm_detach(&s);
}

static char foreign[64]; /* the name of a stranger's segment */

/* Another local user, who has learnt name and layout: makes the segment before the book does, open to everybody. */
static int make_as_stranger(void *arg)
{
	struct shm *seen = arg;
	int fd;

	if (setgid(65534) != 0 || setuid(65534) != 0)
		return 2;
	umask(0);
	fd = shm_open(foreign, O_RDWR | O_CREAT | O_EXCL, 0666);
	return fd >= 0 && write(fd, seen->base, seen->size) == (ssize_t)seen->size ? 0 : 1;
}

static int unlink_as_stranger(void *arg)
{
	(void)arg;
	return setuid(65534) != 0 || shm_unlink(foreign) != 0;
}

static void a_strangers_segment_is_never_attached(void **state)
{
	struct shm s, again;
	struct stat st;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(attach(&s), ERR_OK);
	snprintf(foreign, sizeof foreign, "%s", s.name);
	shm_unlink_segment(&s);
	assert_int_equal(kid_run(make_as_stranger, &s), 0);
	assert_int_equal(attach(&again), ERR_OK);
	assert_int_equal(fstat(again.fd, &st), 0);
	assert_int_equal(st.st_uid, 0);
	assert_int_equal(st.st_mode & 07, 0);
	assert_int_equal(body_of(&again)->filled, FILLED);
	shm_detach(&again);
	shm_detach(&s);
}

/* In /dev/shm only its owner may remove it: the book's own user, who is not root, takes another name. */
static int attach_as_owner(void *arg)
{
	struct shm s;
	struct stat st;

	(void)arg;
	if (setgid(1) != 0 || setuid(1) != 0)
		return 3;
	if (attach(&s) != ERR_OK || fstat(s.fd, &st) != 0)
		return 2;
	shm_unlink_segment(&s);
	return st.st_uid == 1 && strcmp(s.name, foreign) != 0 ? 0 : 1;
}

static void a_segment_that_cannot_be_removed_is_passed_by(void **state)
{
	struct shm s;
	char id[128];

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(attach(&s), ERR_OK);
	snprintf(foreign, sizeof foreign, "%s", s.name);
	shm_unlink_segment(&s);
	assert_int_equal(kid_run(make_as_stranger, &s), 0);
	snprintf(id, sizeof id, "%s/hall.id", dir);
	assert_int_equal(chown(dir, 1, 1), 0);
	assert_int_equal(chown(id, 1, 1), 0);
	assert_int_equal(kid_run(attach_as_owner, NULL), 0);
	assert_int_equal(kid_run(unlink_as_stranger, NULL), 0);
	shm_detach(&s);
}

static int add_one_at_the_gate(void *arg)
{
	_Atomic int *gate = arg;

	atomic_fetch_add(gate, 1);
	while (atomic_load(gate) < CROWD)
		sched_yield();
	return add_one(NULL);
}

static void processes_that_create_at_once_get_one_segment(void **state)
{
	_Atomic int *gate = kid_share(sizeof *gate);
	pid_t kids[CROWD];
	struct shm s;

	(void)state;
	for (int round = 1; round <= ROUNDS; round++) {
		atomic_store(gate, 0);
		for (int i = 0; i < CROWD; i++)
			kids[i] = kid_start(add_one_at_the_gate, gate);
		for (int i = 0; i < CROWD; i++)
			assert_int_equal(kid_end(kids[i]), 0);
		assert_int_equal(attach(&s), ERR_OK);
		assert_int_equal(body_of(&s)->value, CROWD);
		assert_int_equal(*fills, round);
		shm_unlink_segment(&s);
		shm_detach(&s);
	}
	kid_unshare(gate, sizeof *gate);
}

/* Attaches, does something to the segment behind its back, and attaches again: it is begun anew. */
static void is_rebuilt_after(void (*damage)(struct shm *s))
{
	struct shm s, again;

	assert_int_equal(attach(&s), ERR_OK);
	body_of(&s)->value = 5;
	damage(&s);
	assert_int_equal(attach(&again), ERR_OK);
	assert_int_equal(body_of(&again)->filled, FILLED);
	assert_int_equal(body_of(&again)->value, 0);
	assert_int_equal(*fills, 2);
	assert_true(shm_gone(&s)); /* who still has the old one can tell */
	assert_false(shm_gone(&again));
	shm_detach(&s);
	shm_detach(&again);
}

static void break_magic(struct shm *s)
{
	memset(s->base, 0, 8);
}

static void break_stamp(struct shm *s)
{
	((uint64_t *)s->base)[1]++;
}

static void break_size(struct shm *s)
{
	((uint64_t *)s->base)[2]++;
}

static void cut_short(struct shm *s)
{
	assert_int_equal(ftruncate(s->fd, 100), 0);
}

static void cut_to_nothing(struct shm *s)
{
	assert_int_equal(ftruncate(s->fd, 0), 0);
}

static void a_segment_without_its_magic_is_rebuilt(void **state)
{
	(void)state;
	is_rebuilt_after(break_magic);
}

static void a_segment_of_another_layout_is_rebuilt(void **state)
{
	(void)state;
	is_rebuilt_after(break_stamp);
}

static void a_segment_that_lies_about_its_size_is_rebuilt(void **state)
{
	(void)state;
	is_rebuilt_after(break_size);
}

static void a_truncated_segment_is_rebuilt(void **state)
{
	(void)state;
	is_rebuilt_after(cut_short);
}

static void an_empty_segment_is_rebuilt(void **state)
{
	(void)state;
	is_rebuilt_after(cut_to_nothing);
}

static void a_removed_segment_is_noticed(void **state)
{
	struct shm s, again;

	(void)state;
	assert_int_equal(attach(&s), ERR_OK);
	assert_false(shm_gone(&s));
	shm_unlink_segment(&s);
	assert_true(shm_gone(&s));
	assert_int_equal(attach(&again), ERR_OK);
	assert_int_equal(*fills, 2);
	shm_detach(&s);
	shm_detach(&again);
}

static void a_copied_directory_has_a_segment_of_its_own(void **state)
{
	char command[300], copy[80];
	struct shm s, other;

	(void)state;
	assert_int_equal(attach(&s), ERR_OK);
	snprintf(copy, sizeof copy, "%s-copy", dir);
	snprintf(command, sizeof command, "cp -r %s %s", dir, copy);
	assert_int_equal(system(command), 0);
	assert_int_equal(shm_attach(&other, copy, STAMP, BODY, fill), ERR_OK);
	assert_string_not_equal(s.name, other.name);
	assert_int_equal(*fills, 2);
	body_of(&s)->value = 9;
	assert_int_equal(body_of(&other)->value, 0);
	shm_unlink_segment(&other);
	shm_detach(&other);
	shm_detach(&s);
	book_remove_dir(copy);
}

/* A power cut may leave the file with its length and no content. */
static void a_damaged_id_is_made_anew(void **state)
{
	static const char *const damaged[] = {"", "0123", "................", "0123456789ABCDEF"};
	static const char zeros[16];
	char path[100], *id;
	struct shm s;
	size_t n;

	(void)state;
	snprintf(path, sizeof path, "%s/hall.id", dir);
	for (size_t i = 0; i <= COUNT(damaged); i++) {
		if (i < COUNT(damaged))
			book_write_file(path, damaged[i], strlen(damaged[i]));
		else
			book_write_file(path, zeros, sizeof zeros);
		assert_int_equal(attach(&s), ERR_OK);
		assert_int_equal(body_of(&s)->filled, FILLED);
		assert_int_equal(strspn(s.name + strlen("/jari-"), "0123456789abcdef"), 16);
		id = book_read_file(path, &n);
		assert_memory_equal(id, s.name + strlen("/jari-"), 16); /* for all who come later */
		free(id);
		shm_unlink_segment(&s);
		shm_detach(&s);
	}
}

static void a_directory_that_is_not_there_is_an_error_and_leaves_nothing(void **state)
{
	struct shm s;

	(void)state;
	assert_int_equal(shm_attach(&s, "/nowhere/at/all", STAMP, BODY, fill), ERR_BOOK_UNWRITABLE);
	shm_detach(&s); /* harmless */
	assert_int_equal(*fills, 0);
}

static int attach_without_descriptors(void *arg)
{
	struct shm s;
	struct rlimit few = {.rlim_cur = 0, .rlim_max = 4096};
	int last;

	(void)arg;
	last = dup(0);
	few.rlim_cur = (rlim_t)last + 1; /* one for the lock, none for the segment */
	close(last);
	setrlimit(RLIMIT_NOFILE, &few);
	return attach(&s) == ERR_OK ? 1 : 0;
}

/* The log says what is full, not what some later call met. */
static void a_segment_that_does_not_fit_says_why(void **state)
{
	const uint64_t more = sizeof(size_t) == 8 ? UINT64_C(1) << 50 : UINT64_C(0xFFF00000); /* than any machine has */
	char text[1024] = "";
	struct shm s;
	int err = dup(STDERR_FILENO), ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	errno = ENOENT;
	assert_int_equal(shm_attach(&s, dir, STAMP, (size_t)more, fill), ERR_NO_MEMORY);
	dup2(err, STDERR_FILENO);
	close(ends[1]);
	assert_true(read(ends[0], text, sizeof text - 1) > 0);
	close(ends[0]);
	close(err);
	assert_non_null(strstr(text, "hall.failed"));
	if (!strstr(text, strerror(ENOSPC)) && !strstr(text, strerror(EFBIG)) && !strstr(text, strerror(ENOMEM)))
		fail_msg("%s", text);
}

/* A process that cannot open the segment must not take it from those who can. */
static void a_failed_attach_leaves_the_segment_to_the_others(void **state)
{
	struct shm s;

	(void)state;
	assert_int_equal(attach(&s), ERR_OK);
	assert_int_equal(kid_run(attach_without_descriptors, NULL), 0);
	assert_false(shm_gone(&s));
	shm_detach(&s);
}

static void the_group_of_the_directory_may_use_the_segment(void **state)
{
	struct shm s;
	struct stat st;

	(void)state;
	assert_int_equal(chmod(dir, 0770), 0);
	umask(0077);
	assert_int_equal(attach(&s), ERR_OK);
	umask(0022);
	assert_int_equal(fstat(s.fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0660);
	shm_detach(&s);
}

static bool idle(const void *body)
{
	return ((const struct body *)body)->value == 0;
}

static int attach_and_leave(void *arg)
{
	struct shm s;

	(void)arg;
	if (attach(&s) != ERR_OK)
		return 1;
	shm_leave(&s, dir, idle);
	return 0;
}

static void the_last_command_in_a_segment_takes_it_away_unless_it_stays(void **state)
{
	struct shm s;

	(void)state;
	assert_int_equal(kid_run(attach_and_leave, NULL), 0);
	assert_int_equal(attach(&s), ERR_OK);
	assert_int_equal(*fills, 2); /* the kid's is gone */
	shm_leave(&s, dir, idle);
	assert_int_equal(attach(&s), ERR_OK);
	assert_int_equal(*fills, 3);
	shm_detach(&s);
	assert_int_equal(kid_run(attach_and_leave, NULL), 0); /* no matter who made it */
	assert_int_equal(attach(&s), ERR_OK);
	assert_int_equal(*fills, 4);
	shm_stay(&s);
	shm_detach(&s);
	assert_int_equal(kid_run(attach_and_leave, NULL), 0);
	assert_int_equal(attach(&s), ERR_OK);
	assert_int_equal(*fills, 4);
	shm_detach(&s);
}

static void a_segment_that_a_process_is_in_or_that_holds_work_stays(void **state)
{
	struct shm first, second;

	(void)state;
	assert_int_equal(attach(&first), ERR_OK);
	assert_int_equal(attach(&second), ERR_OK);
	shm_leave(&first, dir, idle);
	assert_false(shm_gone(&second));
	shm_unlink_segment(&second);
	shm_detach(&second);
	assert_int_equal(attach(&first), ERR_OK);
	body_of(&first)->value = 1;
	shm_leave(&first, dir, idle);
	assert_int_equal(attach(&first), ERR_OK);
	assert_int_equal(body_of(&first)->value, 1);
	shm_detach(&first);
}

static uint64_t stamp_of(const char *words)
{
	const struct shm_part part = {64, 5, NULL, words}, *const parts[] = {&part};

	return shm_stamp(parts, 1);
}

static void a_word_more_or_in_another_place_is_another_layout(void **state)
{
	(void)state;
	assert_true(stamp_of("BOOK MOVE ") == stamp_of("BOOK MOVE "));
	assert_true(stamp_of("BOOK MOVE ") != stamp_of("BOOK CHANGE MOVE "));
	assert_true(stamp_of("BOOK MOVE ") != stamp_of("MOVE BOOK "));
	assert_true(stamp_of("BOOK MOVE ") != stamp_of(NULL));
}

/* Finds the words of a list one after another, from `at` on. */
static const char *follows(const char *at, const char *word)
{
	char blank[64];

	snprintf(blank, sizeof blank, "%s ", word);
	if (strncmp(at, blank, strlen(blank)) != 0)
		fail_msg("%s is not at \"%.20s\"", word, at);
	return at + strlen(blank);
}

static void the_stamp_of_the_line_has_every_number_that_a_ticket_carries(void **state)
{
	const char *at = line_part.words;

	(void)state;
	assert_non_null(at);
	for (int e = 0; e < ERR__MAX; e++)
		at = follows(at, err_word((enum err)e));
#define X(kind, area, entity, change) at = follows(at, #kind);
	TICKET_LIST(X)
#undef X
	assert_non_null(strstr(at, "LEAVES IS_OFFERED "));
#define X(name, word) assert_non_null(strstr(at, #name " "));
	TICKET_ACTS(X)
#undef X
	assert_non_null(strstr(board_part.words, "EMPTY WORKER KEEPER COURIER "));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(two_processes_see_the_same),
		TEST(a_strangers_segment_is_never_attached),
		TEST(a_segment_that_cannot_be_removed_is_passed_by),
		TEST(processes_that_create_at_once_get_one_segment),
		TEST(a_segment_without_its_magic_is_rebuilt),
		TEST(a_segment_of_another_layout_is_rebuilt),
		TEST(a_word_more_or_in_another_place_is_another_layout),
		TEST(the_stamp_of_the_line_has_every_number_that_a_ticket_carries),
		TEST(a_segment_that_lies_about_its_size_is_rebuilt),
		TEST(a_truncated_segment_is_rebuilt),
		TEST(an_empty_segment_is_rebuilt),
		TEST(a_removed_segment_is_noticed),
		TEST(a_copied_directory_has_a_segment_of_its_own),
		TEST(a_damaged_id_is_made_anew),
		TEST(a_directory_that_is_not_there_is_an_error_and_leaves_nothing),
		TEST(a_segment_that_does_not_fit_says_why),
		TEST(a_failed_attach_leaves_the_segment_to_the_others),
		TEST(the_group_of_the_directory_may_use_the_segment),
		TEST(the_last_command_in_a_segment_takes_it_away_unless_it_stays),
		TEST(a_segment_that_a_process_is_in_or_that_holds_work_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
