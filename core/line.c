/*
 * line.c - the line at the door: tickets in shared memory.
 *
 * Nothing here is a pointer: each process maps the segment at its own address.  The segment is a convenience, not a
 * record: losing it costs guests their place, never a reservation.
 *
 *   places[number % LINE_PLACES]            the ticket with that number
 *   rests[number % LINE_PLACES]             and the end of its request, if that is long
 *
 *     ... done ... | head ... waiting ... tail | not yet drawn ...
 *
 *   a place:   0 number   8 state  12 word   16 asked_ms   24 waiter_until_ms   32 drawn_ms   40 done_ms
 *             48 collected  52 unlocked  56 next  60 hash   64 wish, then request, then outcome, then deaths
 *
 * A request has room for the longest words in every script, and hardly any guest writes them.  So a place has its beginning
 * only, as many bytes as a booking without words needs; what a longer one has beyond them lies in an array of its own, whose
 * pages are touched by nothing else.
 *
 * A ticket's life:  FREE -> QUEUED -> RUNNING -> DONE      (QUEUED -> LEFT when the guest leaves)
 * A place is used again when its ticket is done and its client was told, or none asked for a minute.  Until then a number
 * that would fall on it is passed over, as long as another place is free: an outcome that waits for its guest must not
 * close the line for everybody.
 *
 * INVARIANTS (line_check() tests each; debug builds check both ends of the line whenever the lock is taken or released)
 *   L1  head <= tail <= head + LINE_PLACES
 *   L2  for every n in [head, tail): places[n % LINE_PLACES].number == n, and it is not FREE (DONE there: its publisher
 *       died before it could advance head); or n was passed over, and an older ticket is DONE there
 *   L3  no place outside [head, tail) is QUEUED or RUNNING
 *   L4  every known booking ticket is found through the index by its guest and slot
 *
 * WHO WRITES WHAT
 *   lock guards drawing: tail, the index (first[], next), and a place from FREE to QUEUED.  It is a leaf: nothing but
 *   memory is touched under it.
 *   The pen's holder writes head, suspect, the statistics, and a place from QUEUED to DONE.
 *   state changes by compare-and-swap where two may want it (the pen's holder and a leaving guest).
 *   word, asked_ms, waiter_until_ms, collected, unlocked are single atomic words that any process may write.
 *
 * WHAT A KILL LEAVES
 *   Under the lock: a place belongs to no ticket (number 0) before it is filled, and one that is filled but not counted
 *   (tail is stored last) is simply filled again; a half-linked index is rebuilt from the places by the process that inherits the
 *   lock.
 *   With the pen: RUNNING tickets are taken again by the next holder, which first looks in the book for those below
 *   `suspect`.  The place of the ticket that was being written counts the death: one that ends every holder is refused,
 *   so that those behind it are served.
 *   While waiting: waiter_until_ms runs out by itself.
 */
#include "line.h"

#include "failpoint.h"
#include "futex.h"
#include "hash.h"
#include "lock.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum {
	LAYOUT = 8,
	INDEX_SIZE = 16384,
	WAITER_SLACK_MS = 100,
	CHECK_NEAR = 8,        /* in debug builds: tickets checked at each end of the line ... */
	CHECK_ALL_EVERY = 256, /* ... and how often all of them are */
};

/* By what the line itself looks for a ticket. */
struct wish {
	int64_t user_id, restaurant_id; /* of a booking */
	char date[TEXT_DATE_SIZE], time[TEXT_TIME_SIZE];
	int32_t kind; /* of the request */
	int32_t lock_ms;
};

enum {
	REQUEST_HEAD = offsetof(struct ticket_request, u.book.note), /* what of a request lies in its place */
	REQUEST_REST = sizeof(struct ticket_request) - REQUEST_HEAD,
};

struct place {
	_Atomic uint64_t number;                                      /* 0: never used */
	_Atomic uint32_t state;                                       /* enum line_state */
	_Atomic uint32_t word;                                        /* the futex: changes whenever its waiter should look */
	_Atomic int64_t asked_ms, waiter_until_ms, drawn_ms, done_ms; /* monotonic */
	_Atomic uint32_t collected, unlocked;
	int32_t next; /* in the index: place + 1, or 0 */
	uint32_t hash;
	struct wish wish;
	uint32_t used; /* bytes of the request; those after them are 0 */
	unsigned char request[REQUEST_HEAD];
	struct ticket_outcome outcome;
	_Atomic uint32_t deaths; /* of holders that were writing it; one more while it is written */
};

/* The picture above.  Processes of different builds may meet in one segment: the stamp keeps them apart. */
static_assert(offsetof(struct place, number) == 0 && offsetof(struct place, state) == 8, "a place");
static_assert(offsetof(struct place, word) == 12 && offsetof(struct place, asked_ms) == 16, "a place");
static_assert(offsetof(struct place, waiter_until_ms) == 24 && offsetof(struct place, drawn_ms) == 32, "a place");
static_assert(offsetof(struct place, done_ms) == 40 && offsetof(struct place, collected) == 48, "a place");
static_assert(offsetof(struct place, unlocked) == 52 && offsetof(struct place, next) == 56, "a place");
static_assert(offsetof(struct place, hash) == 60 && offsetof(struct place, wish) == 64, "a place");
static_assert(offsetof(struct place, outcome) - offsetof(struct place, request) - REQUEST_HEAD < 8, "a place");
static_assert(ATOMIC_LLONG_LOCK_FREE == 2 && ATOMIC_INT_LOCK_FREE == 2, "atomic words need no lock of the library's");
static_assert((LINE_PLACES & (LINE_PLACES - 1)) == 0, "numbers wrap onto places evenly");

struct line {
	pthread_mutex_t lock;
	_Atomic int32_t holder; /* of the lock; stale for a moment around taking and releasing */
	_Atomic int64_t since_ms;
	_Atomic uint64_t head, tail;
	_Atomic uint64_t suspect;
	_Atomic uint32_t seeded, bell;
	_Atomic int64_t moved_ms; /* when head moved last */
	struct tally tally;
	int32_t first[INDEX_SIZE]; /* place + 1, or 0 */
	struct place places[LINE_PLACES];
	unsigned char rests[LINE_PLACES][REQUEST_REST];
};

static void init(void *memory)
{
	struct line *l = memory;

	lock_init(&l->lock);
}

/* What a ticket and its outcome say by number. */
static const char words[] = ERR_LIST(SHM_WORD) TICKET_LIST(SHM_WORD) TICKET_TYPES(SHM_NAME) TICKET_MOVES(SHM_NAME)
	TICKET_BY(SHM_NAME) TICKET_ACTS(SHM_WORD) TICKET_GUEST_ACTS(SHM_NAME) TICKET_WAITER_ACTS(SHM_NAME)
		TICKET_DOOR_ACTS(SHM_WORD) TICKET_HOWS(SHM_NAME) TICKET_PAYS(SHM_NAME) TICKET_TOLD(SHM_NAME)
			LINE_STATES(SHM_NAME);

const struct shm_part line_part = {sizeof(struct line),
				   LAYOUT * 1000003u + sizeof(struct line) * 31u + offsetof(struct line, places) * 7u +
					   offsetof(struct place, request) * 5u + offsetof(struct place, outcome) +
					   sizeof(struct ticket_request),
				   init, words};

#ifdef JARI_TESTING
static int check_locked(struct line *l);
#endif

static struct place *at(struct line *l, uint64_t number)
{
	return &l->places[number % LINE_PLACES];
}

/* The place of a ticket that is still known, or NULL. */
static struct place *known(struct line *l, uint64_t number)
{
	struct place *p = at(l, number);

	return number && atomic_load(&p->number) == number ? p : NULL;
}

/* ---- the request of a place ---- */

static bool is_zero(const unsigned char *bytes, size_t n)
{
	return bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0;
}

static void put_request(struct line *l, struct place *p, const struct ticket_request *r)
{
	const unsigned char *bytes = (const unsigned char *)r;
	size_t used = is_zero(bytes + REQUEST_HEAD, REQUEST_REST) ? REQUEST_HEAD : sizeof *r;

	while (used > REQUEST_HEAD && !bytes[used - 1])
		used--;
	p->used = (uint32_t)used;
	memcpy(p->request, bytes, REQUEST_HEAD);
	if (used > REQUEST_HEAD)
		memcpy(l->rests[p - l->places], bytes + REQUEST_HEAD, used - REQUEST_HEAD);
}

static void get_request(const struct line *l, const struct place *p, struct ticket_request *out)
{
	unsigned char *bytes = (unsigned char *)out;
	size_t used = p->used < sizeof *out ? p->used : sizeof *out, rest = used > REQUEST_HEAD ? used - REQUEST_HEAD : 0;

	memcpy(bytes, p->request, REQUEST_HEAD);
	memcpy(bytes + REQUEST_HEAD, l->rests[p - l->places], rest);
	memset(bytes + REQUEST_HEAD + rest, 0, REQUEST_REST - rest);
}

/* ---- the index: guest and slot -> newest ticket ---- */

static struct wish wish_of(const struct ticket_request *r)
{
	const struct ticket_book *b = &r->u.book;
	struct wish w = {.kind = r->kind};

	if (r->kind != TICKET_BOOK)
		return w;
	w.user_id = b->who.user_id;
	w.restaurant_id = b->want.restaurant_id;
	memcpy(w.date, b->want.date, sizeof w.date);
	memcpy(w.time, b->want.time, sizeof w.time);
	w.lock_ms = b->terms.lock_ms;
	return w;
}

static uint32_t hash_of(const struct wish *w)
{
	uint64_t h = hash_number(hash_number(HASH_START, (uint64_t)w->user_id), (uint64_t)w->restaurant_id);

	return hash_fold(hash_text(hash_text(h, w->date), w->time));
}

/* By their size: without the lock another process may be writing one of them. */
static bool same_slot(const struct wish *a, const struct wish *b)
{
	return a->restaurant_id == b->restaurant_id && memcmp(a->date, b->date, sizeof a->date) == 0 &&
	       memcmp(a->time, b->time, sizeof a->time) == 0;
}

static void link_locked(struct line *l, struct place *p)
{
	int32_t *first = &l->first[p->hash % INDEX_SIZE];

	p->next = *first;
	*first = (int32_t)(p - l->places) + 1;
}

static void unlink_locked(struct line *l, struct place *p)
{
	int32_t *from = &l->first[p->hash % INDEX_SIZE], self = (int32_t)(p - l->places) + 1;

	/* Bounded: damaged memory must not make a loop of us. */
	for (int i = 0; i < LINE_PLACES && from[0] > 0 && from[0] <= LINE_PLACES; i++) {
		if (from[0] == self) {
			*from = p->next;
			return;
		}
		from = &l->places[*from - 1].next;
	}
}

/* After a holder of the lock died: forget what was not finished, index the rest anew. */
static void repair_locked(struct line *l)
{
	uint64_t tail = atomic_load(&l->tail);

	memset(l->first, 0, sizeof l->first);
	for (size_t i = 0; i < LINE_PLACES; i++) {
		struct place *p = &l->places[i];

		if (atomic_load(&p->number) >= tail) {
			atomic_store(&p->number, 0);
			atomic_store(&p->state, LINE_FREE);
		}
		if (atomic_load(&p->number) && p->wish.kind == TICKET_BOOK)
			link_locked(l, p);
	}
}

static void enter(struct line *l)
{
	bool inherited = lock_take(&l->lock) == LOCK_INHERITED;

	atomic_store(&l->since_ms, clock_mono_ms());
	atomic_store(&l->holder, (int32_t)getpid());
	if (inherited)
		repair_locked(l);
	DEBUG_ASSERT(check_locked(l) == 0);
}

static void leave(struct line *l)
{
	assert(atomic_load(&l->holder) == (int32_t)getpid());
	DEBUG_ASSERT(check_locked(l) == 0);
	FAILPOINT("line.locked");
	atomic_store(&l->holder, 0);
	lock_release(&l->lock);
}

int line_holder(struct line *l, int64_t *since_ms)
{
	*since_ms = atomic_load(&l->since_ms);
	return atomic_load(&l->holder);
}

/* The newest ticket of this guest and slot, or NULL. */
static struct place *newest_locked(struct line *l, const struct wish *w)
{
	uint32_t hash = hash_of(w);
	int32_t i = l->first[hash % INDEX_SIZE];
	struct place *newest = NULL;

	for (int steps = 0; steps < LINE_PLACES && i > 0 && i <= LINE_PLACES; steps++) {
		struct place *p = &l->places[i - 1];

		if (p->hash == hash && p->wish.user_id == w->user_id && same_slot(&p->wish, w) &&
		    (!newest || atomic_load(&p->number) > atomic_load(&newest->number)))
			newest = p;
		i = p->next;
	}
	return newest;
}

/* What the guest asked for is the same; what we added to it may differ. */
static bool same_request(const struct ticket_book *a, const struct ticket_book *b)
{
	if (a->want.party != b->want.party || a->terms.type != b->terms.type || a->item_count != b->item_count ||
	    a->who.card_id != b->who.card_id ||             /* typing a guest's number does not make one that guest */
	    a->who.token_version != b->who.token_version || /* an older login is not this one */
	    a->tags != b->tags || strcmp(a->message, b->message) != 0 || strcmp(a->key, b->key) != 0)
		return false;
	for (int i = 0; i < a->item_count; i++)
		if (a->items[i].menu_id != b->items[i].menu_id || a->items[i].quantity != b->items[i].quantity)
			return false;
	return true;
}

/* A success that was cancelled since, or whose hold has run out. */
static bool is_over(const struct place *p)
{
	return p->outcome.err == ERR_OK &&
	       (atomic_load(&p->unlocked) || (p->outcome.hold_until_s && p->outcome.hold_until_s <= clock_now_s()));
}

/* May this request have the outcome of the ticket that was drawn for it, instead of a new ticket? */
static bool may_reuse(const struct place *p, bool same, bool keyed)
{
	enum err e = (enum err)p->outcome.err;
	bool told = atomic_load(&p->collected);

	/* A cancelled or expired success must be looked up in the database. */
	if (clock_mono_ms() - atomic_load(&p->done_ms) > LINE_KEEP_MS || is_over(p))
		return false;
	/* A fault, a ticket dropped unserved, or a login that had ended is told once; then the guest may try again. */
	if (e == ERR_ABANDONED || e == ERR_UNAUTHORIZED || err_status(e) >= 500)
		return same && !told;
	/* No client was told yet, or the key asks for the same answer again. */
	return keyed || (same && !told);
}

/* Does this success still keep the guest from booking the slot again? */
static bool locks_guest(const struct place *p)
{
	return p->outcome.err == ERR_OK && !is_over(p) && clock_mono_ms() - atomic_load(&p->done_ms) < p->wish.lock_ms;
}

static enum err find_locked(struct line *l, const struct ticket_request *r, uint64_t *number)
{
	struct wish wish = wish_of(r);
	struct place *p = newest_locked(l, &wish);
	struct ticket_request earlier;
	bool same, keyed;

	*number = 0;
	if (!p)
		return ERR_OK;
	get_request(l, p, &earlier);
	same = same_request(&earlier.u.book, &r->u.book);
	keyed = same && r->u.book.key[0];
	switch ((enum line_state)atomic_load(&p->state)) {
	case LINE_QUEUED:
	case LINE_RUNNING:
		/* A double click while a request waits for the first one; a retry when none does any more. */
		if (!same || (!keyed && atomic_load(&p->waiter_until_ms) > clock_mono_ms()))
			return ERR_IN_PROGRESS;
		*number = atomic_load(&p->number);
		return ERR_OK;
	case LINE_DONE:
		if (may_reuse(p, same, keyed)) {
			*number = atomic_load(&p->number);
			return ERR_OK;
		}
		if (!locks_guest(p))
			return ERR_OK;
		*number = atomic_load(&p->number);
		return ERR_DUPLICATE;
	case LINE_FREE:
	case LINE_LEFT:
		break;
	}
	return ERR_OK;
}

enum err line_find(struct line *l, const struct ticket_request *r, uint64_t *number)
{
	enum err e;

	assert(r->kind == TICKET_BOOK);
	enter(l);
	e = find_locked(l, r, number);
	leave(l);
	return e;
}

/* ---- drawing ---- */

bool line_seeded(struct line *l)
{
	return atomic_load(&l->seeded);
}

void line_seed(struct line *l, uint64_t start)
{
	assert(start > 0);
	enter(l);
	if (!atomic_load(&l->seeded)) {
		atomic_store(&l->head, start);
		atomic_store(&l->tail, start);
		atomic_store(&l->seeded, 1);
	}
	leave(l);
}

static bool waits(const struct place *p)
{
	uint32_t state = atomic_load(&p->state);

	return atomic_load(&p->number) && (state == LINE_QUEUED || state == LINE_RUNNING);
}

/* Does this place hold an outcome that its guest may still come for? */
static bool is_expected(const struct place *p, int64_t now)
{
	return atomic_load(&p->number) && atomic_load(&p->state) == LINE_DONE && !atomic_load(&p->collected) &&
	       now - atomic_load(&p->done_ms) <= LINE_KEEP_MS;
}

/*
 * The number to draw next.  An outcome that a client may still come for is passed over as long as there is another place;
 * when there is none, the oldest gives way: its guest is told from the book, or sends again with the same key.  A ticket
 * that waits never gives way; then the line is full and this returns 0.
 */
static uint64_t next_number(struct line *l)
{
	uint64_t tail = atomic_load(&l->tail), end = atomic_load(&l->head) + LINE_PLACES, n = tail;
	int64_t now = clock_mono_ms();

	while (n < end && (waits(at(l, n)) || is_expected(at(l, n), now)))
		n++;
	if (n == end)
		for (n = tail; n < end && waits(at(l, n)); n++)
			;
	return n < end ? n : 0;
}

static enum err draw_locked(struct line *l, const struct ticket_request *r, uint64_t *number)
{
	uint64_t n = atomic_load(&l->seeded) ? next_number(l) : 0;
	int64_t now = clock_mono_ms();
	struct place *p;

	if (n == 0)
		return ERR_LINE_FULL;
	p = at(l, n);
	if (atomic_load(&p->number) && p->wish.kind == TICKET_BOOK)
		unlink_locked(l, p);
	FAILPOINT("line.filling");
	/* A process that reads the old ticket without the lock sees by this that it is gone. */
	atomic_store(&p->number, 0);
	atomic_thread_fence(memory_order_release);
	atomic_store(&p->state, LINE_FREE);
	p->wish = wish_of(r);
	put_request(l, p, r);
	p->outcome = (struct ticket_outcome){0};
	atomic_store(&p->asked_ms, now);
	atomic_store(&p->drawn_ms, now);
	atomic_store(&p->waiter_until_ms, now + WAITER_SLACK_MS);
	atomic_store(&p->done_ms, 0);
	atomic_store(&p->collected, 0);
	atomic_store(&p->unlocked, 0);
	atomic_store(&p->deaths, 0);
	if (r->kind == TICKET_BOOK) {
		p->hash = hash_of(&p->wish);
		link_locked(l, p);
	}
	atomic_store(&p->number, n);
	atomic_store(&p->state, LINE_QUEUED);
	FAILPOINT("line.filled");
	atomic_store(&l->tail, n + 1); /* only now does it exist */
	*number = n;
	return ERR_OK;
}

enum err line_draw(struct line *l, const struct ticket_request *r, uint64_t *number)
{
	enum err e = ERR_OK;

	assert(r->kind >= 0 && r->kind < TICKET__MAX);
	*number = 0;
	enter(l);
	if (r->kind == TICKET_BOOK)
		e = find_locked(l, r, number);
	if (e == ERR_OK && *number == 0)
		e = draw_locked(l, r, number);
	leave(l);
	FAILPOINT("line.drawn");
	return e;
}

/* ---- asking ---- */

/* After reading a place without the lock: it may have been used again meanwhile. */
static bool still(const struct place *p, uint64_t number)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load(&p->number) == number;
}

enum line_state line_look(struct line *l, uint64_t number, struct ticket_outcome *outcome)
{
	struct place *p = known(l, number);
	enum line_state state;

	if (!p)
		return LINE_FREE;
	state = (enum line_state)atomic_load(&p->state);
	if (state == LINE_DONE)
		*outcome = p->outcome;
	return still(p, number) ? state : LINE_FREE;
}

bool line_request(struct line *l, uint64_t number, struct ticket_request *out)
{
	struct place *p = known(l, number);

	if (!p)
		return false;
	get_request(l, p, out);
	return still(p, number);
}

void line_collected(struct line *l, uint64_t number)
{
	struct place *p = known(l, number);

	if (p)
		atomic_store(&p->collected, 1);
}

void line_touch(struct line *l, uint64_t number)
{
	struct place *p = known(l, number);

	if (p)
		atomic_store(&p->asked_ms, clock_mono_ms());
}

bool line_leave(struct line *l, uint64_t number)
{
	struct place *p = known(l, number);
	uint32_t queued = LINE_QUEUED;

	/* A suspect may be in the book already: its outcome must be looked up. */
	return p && number >= atomic_load(&l->suspect) && atomic_compare_exchange_strong(&p->state, &queued, LINE_LEFT);
}

void line_view(struct line *l, uint64_t number, int64_t held_ms, struct line_view *out)
{
	uint64_t head = atomic_load(&l->head), tail = atomic_load(&l->tail);
	struct place *mine = known(l, number);

	*out = (struct line_view){.position = 1};
	/* Without the lock: a number for people may be off by one ticket that just came or went. */
	for (uint64_t n = head; mine && n < tail && n - head < LINE_PLACES; n++) {
		struct place *p = at(l, n);
		uint32_t state = atomic_load(&p->state);

		if (state != LINE_QUEUED && state != LINE_RUNNING)
			continue;
		out->position += n < number;
		out->waiting += mine->wish.kind == TICKET_BOOK && p->wish.kind == TICKET_BOOK &&
				same_slot(&p->wish, &mine->wish);
	}
	if (out->waiting < 1)
		out->waiting = 1;
	out->eta_s = tally_eta_s(&l->tally, out->position, held_ms);
}

/* ---- waiting ---- */

uint32_t line_word(struct line *l, uint64_t number)
{
	return atomic_load(&at(l, number)->word);
}

void line_sleep(struct line *l, uint64_t number, uint32_t seen, int64_t ms)
{
	struct place *p = at(l, number);
	int64_t now = clock_mono_ms();

	assert(ms >= 0);
	atomic_store(&p->asked_ms, now);
	atomic_store(&p->waiter_until_ms, now + ms + WAITER_SLACK_MS);
	futex_wait(&p->word, seen, ms);
}

void line_detach(struct line *l, uint64_t number)
{
	struct place *p = known(l, number);

	if (!p)
		return;
	atomic_store(&p->asked_ms, clock_mono_ms());
	atomic_store(&p->waiter_until_ms, 0);
}

/* ---- the pen's holder ---- */

uint64_t line_tail(struct line *l)
{
	return atomic_load(&l->tail);
}

uint64_t line_length(struct line *l)
{
	uint64_t tail = atomic_load(&l->tail), head = atomic_load(&l->head);

	return tail > head ? tail - head : 0;
}

uint64_t line_suspect(struct line *l)
{
	return atomic_load(&l->suspect);
}

void line_set_suspect(struct line *l, uint64_t below)
{
	atomic_store(&l->suspect, below);
}

static bool abandoned(const struct place *p)
{
	int64_t now = clock_mono_ms();

	return atomic_load(&p->waiter_until_ms) < now && now - atomic_load(&p->asked_ms) > LINE_ABANDON_MS;
}

bool line_take(struct line *l, uint64_t *cursor, uint64_t end, uint64_t *number)
{
	uint64_t head = atomic_load(&l->head);

	if (*cursor < head)
		*cursor = head;
	while (*cursor < end) {
		struct place *p = at(l, *cursor);
		uint32_t state = LINE_QUEUED;

		*number = (*cursor)++;
		/* RUNNING: the last holder died with it in hand. */
		if (!atomic_compare_exchange_strong(&p->state, &state, LINE_RUNNING) && state != LINE_RUNNING)
			continue;
		/* A suspect may be in the book already: it is looked up even if no client asks any more. */
		if (*number < atomic_load(&l->suspect) || !abandoned(p))
			return true;
		line_publish(l, *number, &(struct ticket_outcome){.err = ERR_ABANDONED});
	}
	return false;
}

int line_begin_writing(struct line *l, uint64_t number)
{
	return (int)atomic_fetch_add(&at(l, number)->deaths, 1);
}

void line_end_writing(struct line *l, uint64_t number)
{
	atomic_fetch_sub(&at(l, number)->deaths, 1);
}

void line_publish(struct line *l, uint64_t number, const struct ticket_outcome *outcome)
{
	struct place *p = at(l, number);
	int64_t now = clock_mono_ms();

	assert(atomic_load(&p->number) == number && atomic_load(&p->state) == LINE_RUNNING);
	p->outcome = *outcome;
	atomic_store(&p->done_ms, now);
	atomic_store(&p->state, LINE_DONE);
	atomic_fetch_add(&p->word, 1);
	if (atomic_load(&p->waiter_until_ms))
		futex_wake(&p->word);
	tally_wait(&l->tally, now - atomic_load(&p->drawn_ms));
}

void line_put_back(struct line *l, uint64_t number)
{
	assert(atomic_load(&at(l, number)->number) == number && atomic_load(&at(l, number)->state) == LINE_RUNNING);
	atomic_store(&at(l, number)->state, LINE_QUEUED);
}

void line_advance(struct line *l, uint64_t to, int served, int64_t took_us)
{
	assert(to <= atomic_load(&l->tail));
	if (to > atomic_load(&l->head)) {
		atomic_store(&l->head, to);
		atomic_store(&l->moved_ms, clock_mono_ms());
	}
	if (served > 0)
		tally_batch(&l->tally, served, took_us);
}

void line_unlock_guest(struct line *l, int64_t user_id, int64_t restaurant_id, const char *date, const char *time)
{
	struct wish w = {.kind = TICKET_BOOK, .restaurant_id = restaurant_id, .user_id = user_id};
	struct place *p;

	strncpy(w.date, date, sizeof w.date - 1);
	strncpy(w.time, time, sizeof w.time - 1);
	enter(l);
	p = newest_locked(l, &w);
	if (p)
		atomic_store(&p->unlocked, 1);
	leave(l);
}

void line_call_next(struct line *l)
{
	uint64_t tail = atomic_load(&l->tail);
	int64_t now = clock_mono_ms();

	for (uint64_t n = atomic_load(&l->head); n < tail; n++) {
		struct place *p = at(l, n);

		if (atomic_load(&p->state) != LINE_QUEUED || atomic_load(&p->waiter_until_ms) < now)
			continue;
		atomic_fetch_add(&p->word, 1);
		futex_wake(&p->word);
		return;
	}
	if (line_length(l))
		line_ring_bell(l);
}

uint32_t line_bell(struct line *l)
{
	return atomic_load(&l->bell);
}

void line_await_bell(struct line *l, uint32_t heard, int64_t ms)
{
	futex_wait(&l->bell, heard, ms);
}

bool line_ring_bell(struct line *l)
{
	atomic_fetch_add(&l->bell, 1);
	return futex_wake(&l->bell) > 0;
}

/* ---- watching ---- */

int64_t line_still_ms(struct line *l)
{
	uint64_t head = atomic_load(&l->head);
	int64_t moved = atomic_load(&l->moved_ms), drawn;
	struct place *first = known(l, head);

	if (!line_length(l) || !first || !waits(first))
		return 0;
	drawn = atomic_load(&first->drawn_ms);
	return clock_mono_ms() - (drawn > moved ? drawn : moved);
}

struct tally *line_tally(struct line *l)
{
	return &l->tally;
}

static bool found_by_index(struct line *l, struct place *p)
{
	struct place *q = newest_locked(l, &p->wish);

	return q && atomic_load(&q->number) >= atomic_load(&p->number);
}

/* L2 for one number of [head, tail). */
static bool is_in_place(struct line *l, uint64_t n)
{
	uint64_t number = atomic_load(&at(l, n)->number);
	uint32_t state = atomic_load(&at(l, n)->state);

	return number == n ? state != LINE_FREE : number < n && state == LINE_DONE;
}

/* L3 and L4 for one place: 0, or which of them does not hold. */
static int check_place(struct line *l, struct place *p, uint64_t head, uint64_t tail)
{
	uint64_t n = atomic_load(&p->number);
	uint32_t state = atomic_load(&p->state);

	if ((n < head || n >= tail) && (state == LINE_QUEUED || state == LINE_RUNNING))
		return 3;
	return n && n < tail && state != LINE_FREE && p->wish.kind == TICKET_BOOK && !found_by_index(l, p) ? 4 : 0;
}

int line_check(struct line *l)
{
	uint64_t head = atomic_load(&l->head), tail = atomic_load(&l->tail);
	int broken = head > tail || tail - head > LINE_PLACES;

	for (uint64_t n = head; !broken && n < tail; n++)
		broken = is_in_place(l, n) ? 0 : 2;
	for (size_t i = 0; !broken && i < LINE_PLACES; i++)
		broken = check_place(l, &l->places[i], head, tail);
	return broken;
}

#ifdef JARI_TESTING
/* What a debug build runs at every lock and unlock: the ends of the line, where things happen; all of it now and then. */
static int check_locked(struct line *l)
{
	static unsigned times;
	uint64_t head = atomic_load(&l->head), tail = atomic_load(&l->tail);
	int broken = head > tail || tail - head > LINE_PLACES;

	if (++times % CHECK_ALL_EVERY == 0)
		return line_check(l);
	for (uint64_t n = head; !broken && n < tail && n < head + CHECK_NEAR; n++)
		broken = is_in_place(l, n) ? check_place(l, at(l, n), head, tail) : 2;
	for (uint64_t n = tail; !broken && n-- > head && n + CHECK_NEAR >= tail;)
		broken = is_in_place(l, n) ? check_place(l, at(l, n), head, tail) : 2;
	return broken;
}
#endif
