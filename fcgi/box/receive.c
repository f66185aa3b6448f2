/*
 * receive.c - the spare's end of `jari mirror`.
 */
#include "receive.h"

#include "admit.h"
#include "clock.h"
#include "durable.h"
#include "failpoint.h"
#include "log.h"
#include "parcel.h"
#include "role.h"
#include "takeover.h"
#include "watch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	SILENT_MS = 90000, /* the other box asks every ten seconds, but while a copy takes it longer */
	PAGE_MS = 30000,   /* in the middle of a copy */
	SPARE_ROOM = 64 << 20,
};
static const int64_t SIZE_MAX_BYTES = INT64_C(16) << 30;

struct end {
	const char *dir;
	struct wire wire;
	char copy[ROLE_PATH], older[ROLE_PATH];
	struct stat known; /* of the copy whose hash this is */
	char hash[PARCEL_HASH_TEXT];
};

static bool say(struct end *x, const char *word, const char *text)
{
	return wire_say(&x->wire, clock_mono_ms() + PAGE_MS, "%s%s%s\n", word, *text ? " " : "", text);
}

/* Reading a large copy takes a moment, and another process may have put a new one there. */
static const char *hash_of_copy(struct end *x)
{
	struct stat st;

	if (stat(x->copy, &st) != 0)
		return "-";
	if (st.st_ino != x->known.st_ino || st.st_mtim.tv_sec != x->known.st_mtim.tv_sec ||
	    st.st_mtim.tv_nsec != x->known.st_mtim.tv_nsec || !x->hash[0])
		parcel_hash(x->copy, x->hash);
	x->known = st;
	return x->hash[0] ? x->hash : "-";
}

/* Is there a book here that this box serves?  Then it is no spare. */
static bool serves(const struct end *x)
{
	char path[ROLE_PATH];

	snprintf(path, sizeof path, "%s/jari.db", x->dir);
	return role_of(x->dir) == ROLE_SERVES && access(path, F_OK) == 0;
}

static bool tell_state(struct end *x)
{
	struct takeover_book b = {0};
	int64_t until = clock_mono_ms() + PAGE_MS;

	if (!serves(x)) {
		if (access(x->copy, F_OK) == 0)
			takeover_look_at_copy(x->copy, &b);
		role_note_heard(x->dir);
		return wire_say(&x->wire, until, "spare waits %lld %016llx %s\n", (long long)b.epoch, (unsigned long long)b.key,
				hash_of_copy(x));
	}
	if (takeover_look_at_book(x->dir, &b) != ERR_OK)
		return false;
	return wire_say(&x->wire, until, "spare serves %lld %016llx %s %lld\n", (long long)b.epoch, (unsigned long long)b.key,
			*b.taken_at ? b.taken_at : "-", (long long)b.last_reservation);
}

/* ---- one copy ---- */

/* Whose book may it be?  Of the copy that is here; else of the book that this box once served; else, the first time, any. */
static enum err check_kin(const struct end *x, const struct takeover_book *b)
{
	struct takeover_book mine;
	struct role_replaced gone;
	bool replaced = role_replaced(x->dir, &gone);

	if (access(x->copy, F_OK) == 0 && takeover_look_at_copy(x->copy, &mine) == ERR_OK) {
		if (mine.key != b->key)
			return ERR_BOOK_FOREIGN;
		return b->epoch < mine.epoch ? ERR_BOX_REPLACED : ERR_OK;
	}
	if (replaced && b->epoch < gone.epoch)
		return ERR_BOX_REPLACED;
	return replaced && takeover_look_at_book(x->dir, &mine) == ERR_OK && mine.key != b->key ? ERR_BOOK_FOREIGN : ERR_OK;
}

static enum err prove(const struct end *x, struct takeover_book *b)
{
	char why[ADMIT_WHY];
	enum err e = admit_file(x->older, why);

	if (e == ERR_OK)
		e = takeover_look_at_copy(x->older, b);
	if (e == ERR_OK && !b->key)
		e = ERR_NOT_A_BACKUP;
	return e == ERR_OK ? check_kin(x, b) : e;
}

/* The two change names; what was the copy is what the next one is put together in. */
static bool exchange(const struct end *x)
{
	bool first = access(x->copy, F_OK) != 0;

	if (first || renameat2(AT_FDCWD, x->older, AT_FDCWD, x->copy, RENAME_EXCHANGE) != 0)
		if (rename(x->older, x->copy) != 0) /* the first one, or a file system that cannot */
			return false;
	return durable_flush_folder(x->dir);
}

static bool keep(struct end *x, const struct takeover_book *b)
{
	struct role_copy c = {.epoch = b->epoch};
	const char *from = getenv("SSH_CONNECTION");

	if (!clock_parse_iso(b->made_at, &c.made_s))
		c.made_s = clock_now_s();
	snprintf(c.site, sizeof c.site, "%s", b->site);
	snprintf(c.house, sizeof c.house, "%s", b->house);
	if (from)
		snprintf(c.peer, sizeof c.peer, "%.*s", (int)strcspn(from, " "), from);
	FAILPOINT("receive.proved");
	return exchange(x) && role_set_copy(x->dir, &c);
}

static bool is_room(const struct end *x, int64_t size)
{
	struct stat st;
	int64_t there = stat(x->older, &st) == 0 ? st.st_size : 0, free_bytes = watch_free_bytes(x->dir);

	return size <= SIZE_MAX_BYTES && (free_bytes < 0 || free_bytes > size - there + SPARE_ROOM);
}

/* What is refused takes the room that the next one, or a takeover, needs.  False: the connection must end. */
static bool refuse(struct end *x, enum err e, bool go_on)
{
	unlink(x->older);
	return say(x, "no", err_word(e)) && go_on;
}

/* False: the connection must end. */
static bool take_copy(struct end *x, const struct parcel_head *head)
{
	struct takeover_book b;
	size_t written = 0;
	enum parcel_end end;
	enum err e;

	if (serves(x)) {
		tell_state(x);
		return false;
	}
	if (!is_room(x, head->size))
		return refuse(x, ERR_DISK_FULL, false);
	end = parcel_take(&x->wire, head, x->copy, x->older, PAGE_MS, &written);
	if (end == PARCEL_WRONG)
		return say(x, "whole", "");
	if (end == PARCEL_NO_ROOM)
		return refuse(x, ERR_DISK_FULL, false);
	if (end != PARCEL_WHOLE) {
		say(x, "no", err_word(ERR_BAD_REQUEST));
		return false;
	}
	e = prove(x, &b);
	if (e == ERR_OK && !keep(x, &b))
		e = ERR_BOOK_UNWRITABLE;
	if (e != ERR_OK)
		return refuse(x, e, true);
	role_note_heard(x->dir);
	return say(x, "have", head->hash);
}

/* One at a time: a connection of before may hang on for a while, and a takeover waits for nobody. */
static bool take_copy_alone(struct end *x, const struct parcel_head *head)
{
	char path[ROLE_PATH];
	bool go_on = false;
	int lock;

	snprintf(path, sizeof path, "%s/spare.lock", x->dir);
	lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) {
		if (ftruncate(lock, 0) == 0)
			dprintf(lock, "%d\n", (int)getpid());          /* whom a takeover ends that has waited long enough */
		go_on = take_copy(x, head) && ftruncate(lock, 0) == 0; /* one whom nobody need end */
	} else {
		say(x, "no", err_word(ERR_BOOK_BUSY));
	}
	if (lock >= 0)
		close(lock);
	return go_on;
}

static bool obey(struct end *x, const char *line)
{
	struct parcel_head head;
	long long size, count;
	int end = 0;

	if (strcmp(line, "ask") == 0)
		return tell_state(x);
	if (sscanf(line, "copy %lld %lld %64[0-9a-f]%n", &size, &count, head.hash, &end) != 3 || line[end] || size <= 0 ||
	    size > SIZE_MAX_BYTES || count < 0 || count > (size + PARCEL_PAGE - 1) / PARCEL_PAGE) {
		say(x, "no", err_word(ERR_BAD_REQUEST));
		return false;
	}
	head.size = size;
	head.count = count;
	return take_copy_alone(x, &head);
}

int receive_run(const char *dir, int in, int out)
{
	static struct end x;
	char line[WIRE_LINE];

	signal(SIGPIPE, SIG_IGN);
	x.dir = dir;
	role_copy_path(dir, x.copy);
	role_older_path(dir, x.older);
	wire_open(&x.wire, in, out);
	if (!tell_state(&x))
		return EXIT_FAILURE;
	while (wire_line(&x.wire, line, sizeof line, clock_mono_ms() + SILENT_MS))
		if (!obey(&x, line))
			return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
