/*
 * test_line.c - first come, first served, also when guests leave or come twice and processes are killed.
 */
#include "line.h"

#include "kid.h"
#include "pen.h"
#include "unit.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LOCK_MS = 5000 };

static struct line *line_of(void **state)
{
	return *state;
}

static void pass_ms(int64_t ms)
{
	char text[24];

	snprintf(text, sizeof text, "%lld", (long long)ms);
	setenv("JARI_MONO_SHIFT_MS", text, 1);
}

static int make_unseeded(void **state)
{
	pass_ms(0);
	*state = kid_share(line_part.size);
	line_part.init(*state);
	return 0;
}

static int make_line(void **state)
{
	make_unseeded(state);
	line_seed(*state, UINT64_C(1700000000000000));
	return 0;
}

/* Whatever a test did, the invariants hold at its end. */
static int check_line(void **state)
{
	int broken = line_check(*state);

	unsetenv("JARI_MONO_SHIFT_MS");
	if (broken)
		fprintf(stderr, "L%d does not hold\n", broken);
	kid_unshare(*state, line_part.size);
	return broken;
}

static int leave_line(void **state)
{
	kid_unshare(*state, line_part.size);
	return 0;
}

static struct ticket_request wish(int64_t user, int party)
{
	struct ticket_request r = {
		.kind = TICKET_BOOK,
		.u.book = {.want = {.restaurant_id = 1, .party = party}, .who.user_id = user, .terms.lock_ms = LOCK_MS},
	};

	strcpy(r.u.book.want.date, "2026-01-20");
	strcpy(r.u.book.want.time, "11:00");
	return r;
}

static struct ticket_request keyed(int64_t user, int party, const char *key)
{
	struct ticket_request r = wish(user, party);

	snprintf(r.u.book.key, sizeof r.u.book.key, "%s", key);
	return r;
}

static uint64_t draw(struct line *l, struct ticket_request r)
{
	uint64_t n = 0;

	assert_int_equal(line_draw(l, &r, &n), ERR_OK);
	assert_true(n > 0);
	return n;
}

static enum err find(struct line *l, struct ticket_request r, uint64_t *n)
{
	*n = 7;
	return line_find(l, &r, n);
}

static const struct ticket_outcome BOOKED = {.err = ERR_OK, .id = 11}, FULL = {.err = ERR_SLOT_FULL, .remaining = 2};

/* What the pen's holder does: everybody who waits, in order, with one outcome for all. */
static int serve(struct line *l, const struct ticket_outcome *outcome)
{
	uint64_t cursor = 0, end = line_tail(l), n, last = 0;
	int served = 0;

	while (line_take(l, &cursor, end, &n)) {
		assert_true(n > last);
		last = n;
		line_publish(l, n, outcome);
		served++;
	}
	line_advance(l, cursor, served, 1000);
	return served;
}

static void ends_with(struct line *l, uint64_t n, enum err e)
{
	struct ticket_outcome got = {.err = -1};

	assert_int_equal(line_look(l, n, &got), LINE_DONE);
	assert_int_equal(got.err, e);
}

/* ---- numbers ---- */

static void no_ticket_is_drawn_before_the_first_number_is_known(void **state)
{
	struct line *l = line_of(state);
	struct ticket_request r = wish(1, 2);
	uint64_t n;

	assert_false(line_seeded(l));
	assert_int_equal(line_draw(l, &r, &n), ERR_LINE_FULL);
	line_seed(l, 1);
	assert_true(line_seeded(l));
	assert_int_equal(line_draw(l, &r, &n), ERR_OK);
}

static void only_the_first_number_given_counts(void **state)
{
	struct line *l = line_of(state);
	uint64_t n = draw(l, wish(1, 2));

	line_seed(l, n + 1000000);
	assert_int_equal(draw(l, wish(2, 2)), n + 1);
}

static void tickets_are_taken_in_the_order_they_were_drawn(void **state)
{
	struct line *l = line_of(state);
	uint64_t first = 0, cursor = 0, n;
	struct ticket_request r;

	for (int i = 1; i <= 50; i++) {
		n = draw(l, wish(i, i));
		first = first ? first : n;
		assert_int_equal(n, first + (uint64_t)i - 1);
	}
	assert_int_equal(line_length(l), 50);
	for (int i = 1; i <= 50; i++) {
		assert_true(line_take(l, &cursor, line_tail(l), &n));
		assert_int_equal(n, first + (uint64_t)i - 1);
		assert_true(line_request(l, n, &r));
		assert_int_equal(r.u.book.who.user_id, i);
		assert_int_equal(r.u.book.want.party, i);
	}
	assert_false(line_take(l, &cursor, line_tail(l), &n));
	/* The holder died: the next one takes the same tickets in the same order. */
	cursor = 0;
	assert_true(line_take(l, &cursor, line_tail(l), &n));
	assert_int_equal(n, first);
	assert_int_equal(serve(l, &BOOKED), 50);
	assert_int_equal(line_length(l), 0);
}

static void a_holder_serves_only_whom_it_saw(void **state)
{
	struct line *l = line_of(state);
	uint64_t a = draw(l, wish(1, 2)), end = line_tail(l), b = draw(l, wish(2, 2)), cursor = 0, n;

	assert_true(line_take(l, &cursor, end, &n));
	assert_int_equal(n, a);
	assert_false(line_take(l, &cursor, end, &n));
	assert_int_equal(cursor, b);
}

/* ---- the same guest again ---- */

static void a_double_click_is_in_progress(void **state)
{
	struct line *l = line_of(state);
	struct ticket_request r = wish(1, 2);
	uint64_t n;

	draw(l, r);
	assert_int_equal(find(l, r, &n), ERR_IN_PROGRESS);
	assert_int_equal(line_draw(l, &r, &n), ERR_IN_PROGRESS);
	assert_int_equal(line_length(l), 1);
	assert_int_equal(find(l, wish(2, 2), &n), ERR_OK);
	assert_int_equal(n, 0);
}

static void a_retry_keeps_its_place_once_no_client_waits(void **state)
{
	struct line *l = line_of(state);
	uint64_t mine = draw(l, wish(1, 2)), n;

	draw(l, wish(2, 2));
	line_detach(l, mine);
	assert_int_equal(find(l, wish(1, 2), &n), ERR_OK);
	assert_int_equal(n, mine);
	assert_int_equal(draw(l, wish(1, 2)), mine);
	assert_int_equal(line_length(l), 2);
}

static void a_waiter_who_was_killed_is_not_waited_for(void **state)
{
	struct line *l = line_of(state);
	uint64_t mine = draw(l, wish(1, 2)), n;

	line_sleep(l, mine, line_word(l, mine) + 1, 50); /* returns at once and is never heard of again */
	assert_int_equal(find(l, wish(1, 2), &n), ERR_IN_PROGRESS);
	pass_ms(200);
	assert_int_equal(find(l, wish(1, 2), &n), ERR_OK);
	assert_int_equal(n, mine);
}

static void another_wish_for_the_same_slot_waits_for_the_first(void **state)
{
	struct line *l = line_of(state);
	uint64_t mine = draw(l, wish(1, 2)), n;
	struct ticket_request later = wish(1, 2);

	line_detach(l, mine);
	assert_int_equal(find(l, wish(1, 3), &n), ERR_IN_PROGRESS);
	strcpy(later.u.book.want.time, "12:00");
	assert_int_equal(find(l, later, &n), ERR_OK);
	assert_int_equal(n, 0);
	serve(l, &FULL);
	assert_int_equal(find(l, wish(1, 3), &n), ERR_OK);
	assert_int_equal(n, 0);
}

static void a_key_finds_its_ticket_while_a_client_waits_and_afterwards(void **state)
{
	struct line *l = line_of(state);
	uint64_t mine = draw(l, keyed(1, 2, "k-1")), n;

	assert_int_equal(find(l, keyed(1, 2, "k-1"), &n), ERR_OK);
	assert_int_equal(n, mine);
	assert_int_equal(find(l, keyed(1, 2, "k-2"), &n), ERR_IN_PROGRESS);
	serve(l, &BOOKED);
	line_collected(l, mine);
	assert_int_equal(find(l, keyed(1, 2, "k-1"), &n), ERR_OK);
	assert_int_equal(n, mine);
	assert_int_equal(find(l, wish(1, 2), &n), ERR_DUPLICATE);
}

static void a_success_locks_its_guest_for_a_while(void **state)
{
	struct line *l = line_of(state);
	uint64_t mine = draw(l, wish(1, 2)), n;

	serve(l, &BOOKED);
	line_collected(l, mine);
	assert_int_equal(find(l, wish(1, 2), &n), ERR_DUPLICATE);
	assert_int_equal(n, mine);
	assert_int_equal(find(l, wish(1, 4), &n), ERR_DUPLICATE);
	pass_ms(LOCK_MS + 1);
	assert_int_equal(find(l, wish(1, 2), &n), ERR_OK);
	assert_int_equal(n, 0);
}

static void a_refusal_a_cancel_and_an_expiry_release_at_once(void **state)
{
	struct line *l = line_of(state);
	const struct ticket_outcome expired = {.err = ERR_OK, .id = 12, .hold_until_s = clock_now_s() - 1};
	uint64_t n;

	line_collected(l, (draw(l, wish(1, 2)), serve(l, &FULL), line_tail(l) - 1));
	assert_int_equal(find(l, wish(1, 2), &n), ERR_OK);
	assert_int_equal(n, 0);
	line_collected(l, (draw(l, wish(2, 2)), serve(l, &BOOKED), line_tail(l) - 1));
	line_unlock_guest(l, 2, 1, "2026-01-20", "11:00");
	assert_int_equal(find(l, wish(2, 2), &n), ERR_OK);
	assert_int_equal(n, 0);
	line_collected(l, (draw(l, wish(3, 2)), serve(l, &expired), line_tail(l) - 1));
	assert_int_equal(find(l, wish(3, 2), &n), ERR_OK);
	assert_int_equal(n, 0);
	line_unlock_guest(l, 99, 1, "2026-01-20", "11:00"); /* an unknown guest */
}

/* A guest who types the same number is the same person, but not the same device: no place, no outcome of the other's. */
static void another_card_gets_neither_the_place_nor_the_outcome(void **state)
{
	struct line *l = line_of(state);
	struct ticket_request mine = wish(-821012345678, 2), theirs = mine;
	uint64_t n = 0, own;

	mine.u.book.who.card_id = 1;
	theirs.u.book.who.card_id = 2;
	own = draw(l, mine);
	line_detach(l, own);
	assert_int_equal(find(l, theirs, &n), ERR_IN_PROGRESS);
	assert_int_equal(n, 0);
	assert_int_equal(find(l, mine, &n), ERR_OK);
	assert_int_equal(n, own);
	serve(l, &BOOKED);
	assert_int_equal(find(l, theirs, &n), ERR_DUPLICATE);
	assert_int_equal(find(l, mine, &n), ERR_OK);
	assert_int_equal(n, own);
}

static void an_outcome_no_client_has_heard_goes_to_the_retry(void **state)
{
	struct line *l = line_of(state);
	uint64_t mine = draw(l, wish(1, 2)), n;

	serve(l, &FULL);
	assert_int_equal(find(l, wish(1, 2), &n), ERR_OK);
	assert_int_equal(n, mine);
	assert_int_equal(find(l, wish(1, 3), &n), ERR_OK); /* that was never asked */
	assert_int_equal(n, 0);
	line_collected(l, mine);
	assert_int_equal(find(l, wish(1, 2), &n), ERR_OK);
	assert_int_equal(n, 0);
}

static void an_old_outcome_is_no_answer_to_a_new_wish(void **state)
{
	struct line *l = line_of(state);
	const struct ticket_outcome expired = {.err = ERR_OK, .id = 12, .hold_until_s = clock_now_s() - 1};
	uint64_t n;

	draw(l, wish(1, 2));
	draw(l, keyed(2, 2, "k"));
	serve(l, &FULL);
	pass_ms(LINE_KEEP_MS + 1); /* in between another guest may have cancelled */
	assert_int_equal(find(l, wish(1, 2), &n), ERR_OK);
	assert_int_equal(n, 0);
	assert_int_equal(find(l, keyed(2, 2, "k"), &n), ERR_OK);
	assert_int_equal(n, 0);
	draw(l, wish(3, 2));
	serve(l, &expired);
	assert_int_equal(find(l, wish(3, 2), &n), ERR_OK);
	assert_int_equal(n, 0);
	draw(l, wish(4, 2));
	serve(l, &BOOKED);
	line_unlock_guest(l, 4, 1, "2026-01-20", "11:00");
	assert_int_equal(find(l, wish(4, 2), &n), ERR_OK);
	assert_int_equal(n, 0);
}

/* ---- leaving ---- */

static void a_client_that_leaves_is_not_served(void **state)
{
	struct line *l = line_of(state);
	uint64_t a = draw(l, wish(1, 2)), b = draw(l, wish(2, 2)), c = draw(l, wish(3, 2)), n;
	struct ticket_outcome got;

	assert_true(line_leave(l, b));
	assert_false(line_leave(l, b));
	assert_int_equal(serve(l, &BOOKED), 2);
	ends_with(l, a, ERR_OK);
	ends_with(l, c, ERR_OK);
	assert_int_equal(line_look(l, b, &got), LINE_LEFT);
	assert_false(line_leave(l, a)); /* too late */
	assert_false(line_leave(l, c + 1));
	assert_int_equal(find(l, wish(2, 2), &n), ERR_OK); /* they may come again at once */
	assert_int_equal(n, 0);
}

static void no_client_leaves_while_being_served(void **state)
{
	struct line *l = line_of(state);
	uint64_t a = draw(l, wish(1, 2)), cursor = 0, n;

	assert_true(line_take(l, &cursor, line_tail(l), &n));
	assert_false(line_leave(l, a));
	line_put_back(l, a);
	/* Put back by one who found the book busy, but perhaps booked by one that died before. */
	line_set_suspect(l, a + 1);
	assert_false(line_leave(l, a));
	line_set_suspect(l, 0);
	assert_true(line_leave(l, a));
}

static void a_ticket_no_client_asks_about_is_dropped(void **state)
{
	struct line *l = line_of(state);
	uint64_t forgotten = draw(l, wish(1, 2)), asked = draw(l, wish(2, 2)), waited = draw(l, wish(3, 2)), cursor = 0, n;

	line_detach(l, forgotten);
	pass_ms(LINE_ABANDON_MS + 1);
	line_touch(l, asked);
	line_sleep(l, waited, line_word(l, waited) + 1, 50);
	assert_true(line_take(l, &cursor, line_tail(l), &n));
	assert_int_equal(n, asked);
	assert_true(line_take(l, &cursor, line_tail(l), &n));
	assert_int_equal(n, waited);
	assert_false(line_take(l, &cursor, line_tail(l), &n));
	ends_with(l, forgotten, ERR_ABANDONED);
	assert_int_equal(serve(l, &BOOKED), 2);
}

static void a_suspect_is_looked_up_even_if_no_client_asks(void **state)
{
	struct line *l = line_of(state);
	uint64_t mine = draw(l, wish(1, 2)), cursor = 0, n;

	assert_true(line_take(l, &cursor, line_tail(l), &n));
	line_set_suspect(l, mine + 1); /* committed, perhaps; then the holder died */
	pass_ms(LINE_ABANDON_MS + 1);
	cursor = 0;
	assert_true(line_take(l, &cursor, line_tail(l), &n));
	assert_int_equal(n, mine);
	line_publish(l, n, &BOOKED);
	line_advance(l, cursor, 1, 1000);
	line_set_suspect(l, 0);
	assert_int_equal(line_suspect(l), 0);
}

/* ---- places ---- */

static void a_full_line_says_so_and_goes_on_when_there_is_room(void **state)
{
	struct line *l = line_of(state);
	struct ticket_request r = wish(LINE_PLACES + 1, 2);
	uint64_t first = line_tail(l), n;

	for (int i = 1; i <= LINE_PLACES; i++)
		draw(l, wish(i, 2));
	assert_int_equal(line_draw(l, &r, &n), ERR_LINE_FULL);
	assert_int_equal(n, 0);
	assert_int_equal(line_length(l), LINE_PLACES);
	assert_int_equal(line_check(l), 0);
	assert_int_equal(serve(l, &FULL), LINE_PLACES);
	line_collected(l, first);
	assert_int_equal(draw(l, r), first + LINE_PLACES);
	assert_int_equal(line_check(l), 0);
}

/* 8,192 guests walked away before they were told: the next one is served, and the oldest outcome gives way. */
static void outcomes_that_are_not_collected_do_not_close_the_line(void **state)
{
	struct line *l = line_of(state);
	uint64_t first = line_tail(l), n;
	struct ticket_outcome got;

	for (int i = 1; i <= LINE_PLACES; i++)
		draw(l, wish(i, 2));
	assert_int_equal(serve(l, &FULL), LINE_PLACES);
	n = draw(l, wish(LINE_PLACES + 1, 2));
	assert_int_equal(line_look(l, first, &got), LINE_FREE); /* the oldest */
	ends_with(l, first + 1, ERR_SLOT_FULL);                 /* and no other */
	assert_int_equal(line_check(l), 0);
	/* Those who wait keep their places, however many come: the line is full when all of them wait. */
	for (int i = 2; i <= LINE_PLACES; i++)
		draw(l, wish(LINE_PLACES + i, 2));
	assert_int_equal(line_draw(l, &(struct ticket_request){.kind = TICKET_LOGOUT}, &first), ERR_LINE_FULL);
	assert_int_equal(line_look(l, n, &got), LINE_QUEUED);
	assert_int_equal(line_check(l), 0);
	assert_int_equal(serve(l, &BOOKED), LINE_PLACES);
}

static void an_outcome_no_client_has_heard_does_not_close_the_line(void **state)
{
	struct line *l = line_of(state);
	uint64_t first = line_tail(l), kept[3] = {first + 5, first + 6, first + 4000};
	struct line_view view;

	for (int i = 1; i <= LINE_PLACES; i++)
		draw(l, wish(i, 2));
	serve(l, &FULL);
	for (uint64_t n = first; n < first + LINE_PLACES; n++)
		if (n != kept[0] && n != kept[1] && n != kept[2])
			line_collected(l, n);
	for (int i = 0; i < 20; i++)
		draw(l, wish(20000 + i, 2));
	assert_int_equal(line_check(l), 0);
	assert_int_equal(line_tail(l), first + LINE_PLACES + 22); /* two were passed over */
	line_view(l, line_tail(l) - 1, 0, &view);
	assert_int_equal(view.position, 20);
	assert_int_equal(serve(l, &BOOKED), 20);
	for (int i = 0; i < LINE_PLACES - 100; i++)
		draw(l, wish(40000 + i, 2));
	assert_int_equal(line_check(l), 0);
	for (size_t i = 0; i < COUNT(kept); i++)
		ends_with(l, kept[i], ERR_SLOT_FULL);
	assert_int_equal(serve(l, &BOOKED), LINE_PLACES - 100);
}

static void everybody_is_found_after_the_numbers_went_round_three_times(void **state)
{
	struct line *l = line_of(state);
	enum { GUESTS = 500 };
	uint64_t newest[GUESTS + 1] = {0}, n;

	for (int i = 0; i < 3 * LINE_PLACES + 77; i++) {
		int64_t user = i % GUESTS + 1;
		struct ticket_request other = {.kind = TICKET_LOGOUT};

		if (i % 7 == 3) /* some tickets are no bookings: they are in no guest's way */
			line_collected(l, (n = draw(l, other), serve(l, &BOOKED), n));
		newest[user] = draw(l, wish(user, 2));
		serve(l, &FULL);
		assert_int_equal(find(l, wish(user, 2), &n), ERR_OK);
		assert_int_equal(n, newest[user]);
		line_collected(l, n);
		if (i % 1000 == 0)
			assert_int_equal(line_check(l), 0);
	}
	for (int64_t user = 1; user <= GUESTS; user++)
		ends_with(l, newest[user], ERR_SLOT_FULL);
}

/* Every letter of four bytes: no text of the allowed length is longer. */
static void fill(char *text, size_t size)
{
	for (size_t i = 0; i + 4 < size; i += 4)
		memcpy(text + i, "\U0001F95C", 4);
}

static void the_longest_words_come_through_the_line(void **state)
{
	struct line *l = line_of(state);
	struct ticket_request r = wish(1, 2), back;
	uint64_t n;

	fill(r.u.book.message, sizeof r.u.book.message);
	assert_int_equal(strlen(r.u.book.message), 4 * LENGTHS_REQUEST);
	fill(r.u.book.note, sizeof r.u.book.note);
	n = draw(l, r);
	assert_true(line_request(l, n, &back));
	assert_memory_equal(&r, &back, sizeof r);
	serve(l, &BOOKED);
	line_collected(l, n);
	/* And nothing of them stays for the next who has their place. */
	for (int i = 2; i <= LINE_PLACES + 1; i++)
		n = draw(l, wish(i, 2));
	r = wish(LINE_PLACES + 1, 2);
	assert_true(line_request(l, n, &back));
	assert_memory_equal(&r, &back, sizeof r);
}

static size_t pages_touched(const struct line *l)
{
	static unsigned char resident[64 * 1024 * 1024 / 4096];
	size_t page = (size_t)sysconf(_SC_PAGESIZE), count = 0, n = line_part.size / page;

	assert_true(n < sizeof resident);
	assert_int_equal(mincore((void *)((uintptr_t)l & ~(page - 1)), n * page, resident), 0);
	for (size_t i = 0; i < n; i++)
		count += resident[i] & 1;
	return count * page;
}

static void bookings_without_words_touch_no_memory_for_words(void **state)
{
	struct line *l = line_of(state);
	struct ticket_request r = wish(LINE_PLACES, 2);
	size_t short_ones;

	for (int i = 1; i < LINE_PLACES; i++)
		draw(l, wish(i, 2));
	short_ones = pages_touched(l);
	assert_in_range(short_ones, LINE_PLACES * 1000, LINE_PLACES * 1400);
	strcpy(r.u.book.message, "\uCC3D\uAC00");
	draw(l, r);
	assert_in_range(pages_touched(l), short_ones, short_ones + 4 * 4096);
}

static void a_ticket_whose_place_was_used_again_is_unknown(void **state)
{
	struct line *l = line_of(state);
	uint64_t old = draw(l, wish(1, 2));
	struct ticket_request r;
	struct ticket_outcome got;

	assert_true(line_request(l, old, &r));
	assert_int_equal(r.u.book.who.user_id, 1);
	serve(l, &BOOKED);
	line_collected(l, old);
	for (int i = 2; i <= LINE_PLACES + 1; i++)
		draw(l, wish(i, 2));
	assert_int_equal(line_look(l, old, &got), LINE_FREE);
	assert_false(line_request(l, old, &r));
	assert_false(line_leave(l, old));
	line_collected(l, old); /* none of these may touch the new ticket in its place */
	line_touch(l, old);
	line_detach(l, old);
	assert_int_equal(line_look(l, old + LINE_PLACES, &got), LINE_QUEUED);
	assert_int_equal(line_look(l, 0, &got), LINE_FREE);
}

/* ---- what is told ---- */

static void the_view_tells_place_company_and_time(void **state)
{
	struct line *l = line_of(state);
	struct ticket_request other = wish(3, 2);
	struct line_view view;
	uint64_t a, b, c, d;

	draw(l, wish(9, 2));
	line_advance(l, (serve(l, &BOOKED), line_tail(l)), 1, 2000000); /* two seconds a ticket */
	a = draw(l, wish(1, 2));
	b = draw(l, wish(2, 2));
	strcpy(other.u.book.want.time, "12:00");
	c = draw(l, other);
	d = draw(l, wish(4, 2));
	line_view(l, a, 0, &view);
	assert_int_equal(view.position, 1);
	assert_int_equal(view.waiting, 3);
	line_view(l, c, 0, &view);
	assert_int_equal(view.position, 3);
	assert_int_equal(view.waiting, 1);
	line_view(l, d, 0, &view);
	assert_int_equal(view.position, 4);
	assert_in_range(view.eta_s, 1, 9);
	line_view(l, d, 40000, &view); /* a process has held the pen for forty seconds */
	assert_in_range(view.eta_s, 40, 49);
	line_leave(l, b);
	line_view(l, d, 0, &view);
	assert_int_equal(view.position, 3);
	assert_int_equal(view.waiting, 2);
	line_view(l, d + 100, 0, &view); /* unknown: a harmless answer */
	assert_int_equal(view.position, 1);
	assert_int_equal(view.eta_s, view.eta_s < 1 ? 1 : view.eta_s);
}

static void waits_and_batches_are_counted(void **state)
{
	struct line *l = line_of(state);
	struct tally_read s;
	int64_t from = clock_now_ms();
	int longest;

	tally_read(line_tally(l), &s);
	assert_true(tally_percentile(&s, 0.5) < 0.001);
	for (int i = 1; i <= 100; i++)
		draw(l, wish(i, 2));
	pass_ms(100);
	serve(l, &BOOKED); /* a hundred waited a tenth of a second, */
	draw(l, wish(101, 2));
	pass_ms(10100);
	serve(l, &BOOKED); /* and one ten seconds */
	/* A bucket ends at most half above the wait in it, which is what was passed and the time that this test took. */
	longest = (int)(150 + (clock_now_ms() - from) * 3 / 2 + 1);
	tally_read(line_tally(l), &s);
	assert_int_equal(s.batches, 2);
	assert_int_equal(s.served, 101);
	assert_int_equal(s.longest_batch, 100);
	assert_int_equal(s.sizes[0], 1);
	assert_int_equal(s.sizes[7], 1); /* up to 128 */
	assert_in_range((int)tally_percentile(&s, 0.5), 100, longest);
	assert_in_range((int)tally_percentile(&s, 0.99), 100, longest);
	assert_in_range((int)tally_percentile(&s, 1), 10000, 19999);
	line_advance(l, 0, 0, 0); /* the head never goes back */
	assert_int_equal(line_length(l), 0);
}

/* ---- waking ---- */

struct bench {
	void *line;
	uint64_t number;
	_Atomic int asleep;
};

static int sleep_on_ticket(void *arg)
{
	struct bench *b = arg;
	struct ticket_outcome got;
	uint32_t word = line_word(b->line, b->number);

	if (line_look(b->line, b->number, &got) != LINE_QUEUED)
		return 1;
	atomic_store(&b->asleep, 1);
	line_sleep(b->line, b->number, word, 8000);
	return line_look(b->line, b->number, &got) == LINE_DONE ? 0 : line_word(b->line, b->number) != word ? 2 : 3;
}

static void a_waiter_is_woken_by_its_outcome_or_to_take_the_pen(void **state)
{
	struct line *l = line_of(state);
	struct bench *b = kid_share(sizeof *b);
	int64_t begun = clock_mono_ms();
	pid_t kid;

	b->line = l;
	b->number = draw(l, wish(1, 2));
	kid = kid_start(sleep_on_ticket, b);
	assert_true(kid_wait(&b->asleep));
	clock_sleep_ms(20);
	line_call_next(l);
	assert_int_equal(kid_end(kid), 2);
	atomic_store(&b->asleep, 0);
	kid = kid_start(sleep_on_ticket, b);
	assert_true(kid_wait(&b->asleep));
	clock_sleep_ms(20);
	serve(l, &BOOKED);
	assert_int_equal(kid_end(kid), 0);
	assert_true(clock_mono_ms() - begun < 7000);
	kid_unshare(b, sizeof *b);
}

/* A kernel that reads the time in another layout lets everybody go at once, and the waiters spin. */
static void a_wait_that_is_not_ended_lasts_as_long_as_was_asked(void **state)
{
	struct line *l = line_of(state);
	uint64_t ticket = draw(l, wish(1, 2));
	int64_t begun = clock_mono_ms();

	line_await_bell(l, line_bell(l), 100);
	assert_in_range(clock_mono_ms() - begun, 99, 5000);
	begun = clock_mono_ms();
	line_sleep(l, ticket, line_word(l, ticket), 1100);
	assert_in_range(clock_mono_ms() - begun, 1099, 6000);
	line_detach(l, ticket);
}

static void the_bell_rings_when_no_process_waits_and_is_never_missed(void **state)
{
	struct line *l = line_of(state);
	uint32_t heard = line_bell(l);
	uint64_t n = draw(l, wish(1, 2));
	int64_t begun;

	line_call_next(l); /* it waits itself: no bell */
	assert_int_equal(line_bell(l), heard);
	line_detach(l, n);
	line_call_next(l);
	assert_int_not_equal(line_bell(l), heard);
	begun = clock_mono_ms();
	line_await_bell(l, heard, 5000); /* it rang before we lay down */
	assert_true(clock_mono_ms() - begun < 4000);
}

/* ---- kills ---- */

static const char *failpoint;

static int die_drawing(void *arg)
{
	struct ticket_request r = wish(77777, 2);
	uint64_t n;

	setenv("JARI_FAILPOINT", failpoint, 1);
	line_draw(arg, &r, &n);
	return 0;
}

/* A process is killed while it holds the lock of the line. */
static void a_drawer_killed_at(struct line *l, const char *point, bool counted)
{
	uint64_t before, n, tail;

	for (int i = 1; i <= 300; i++)
		draw(l, wish(i, 2));
	before = line_length(l);
	failpoint = point;
	assert_int_equal(kid_run(die_drawing, l), KID_KILLED + SIGKILL);
	assert_int_equal(line_length(l), before + counted);
	tail = line_tail(l);
	assert_int_equal(find(l, wish(150, 2), &n), ERR_IN_PROGRESS); /* this inherits the lock and repairs */
	assert_int_equal(line_check(l), 0);
	assert_int_equal(draw(l, wish(301, 2)), tail);
	pass_ms(200);
	assert_int_equal(find(l, wish(77777, 2), &n), ERR_OK);
	assert_int_equal(n, counted ? tail - 1 : 0);
	for (int i = 1; i <= 301; i++) {
		assert_int_equal(find(l, wish(i, 2), &n), ERR_OK);
		assert_int_equal(n, i <= 300 ? tail - 301 - counted + (uint64_t)i : tail);
	}
	assert_int_equal(serve(l, &BOOKED), 301 + counted);
}

static void a_drawer_killed_before_it_filled_its_place_leaves_nothing(void **state)
{
	a_drawer_killed_at(line_of(state), "line.filling:kill:1", false);
}

static void a_drawer_killed_before_it_counted_itself_leaves_nothing(void **state)
{
	a_drawer_killed_at(line_of(state), "line.filled:kill:1", false);
}

static void a_drawer_killed_with_the_lock_in_hand_has_its_place(void **state)
{
	a_drawer_killed_at(line_of(state), "line.locked:kill:1", true);
}

static void a_kill_while_a_place_is_used_again_forgets_its_old_ticket_only(void **state)
{
	struct line *l = line_of(state);
	static const char *const points[] = {"line.filling:kill:1", "line.filled:kill:1"};
	struct ticket_outcome got;
	uint64_t first = line_tail(l);

	for (int i = 1; i <= LINE_PLACES; i++)
		draw(l, wish(i, 2));
	serve(l, &BOOKED);
	for (uint64_t n = first; n < first + LINE_PLACES; n++)
		line_collected(l, n);
	for (size_t i = 0; i < COUNT(points); i++) {
		failpoint = points[i];
		assert_int_equal(kid_run(die_drawing, l), KID_KILLED + SIGKILL);
		assert_int_equal(draw(l, wish(9000 + (int64_t)i, 2)), first + LINE_PLACES + i);
		assert_int_equal(line_check(l), 0);
		assert_int_equal(line_look(l, first + i, &got), LINE_FREE);
		ends_with(l, first + i + 1, ERR_OK);
	}
	assert_int_equal(serve(l, &BOOKED), 2);
}

/* Many draw and serve while they are killed at random; the book is an array that each ticket enters once. */
enum { STORM_KIDS = 8, STORM_MS = 2500, STORM_TICKETS = 400000, BATCH = 64 };

struct storm {
	_Alignas(64) char pen[256];
	_Atomic int stop;
	uint64_t first;
	_Atomic long draws, recognised;
	_Atomic int twice, wrong;
	_Atomic unsigned char drawn[STORM_TICKETS], book[STORM_TICKETS];
	_Alignas(64) char line[]; /* line_part.size */
};

static void storm_serve(struct storm *s, struct line *l)
{
	struct pen *pen = (struct pen *)(void *)s->pen;
	uint64_t numbers[BATCH], cursor = 0, end, suspect, n, last = 0;
	bool inherited;
	int count = 0;

	if (pen_try(pen, &inherited) != ERR_OK)
		return;
	end = line_tail(l);
	suspect = line_suspect(l);
	while (count < BATCH && line_take(l, &cursor, end, &n)) {
		s->wrong += n <= last;
		last = numbers[count++] = n;
	}
	if (cursor > suspect)
		line_set_suspect(l, cursor);
	for (int i = 0; i < count; i++) {
		_Atomic unsigned char *row = &s->book[numbers[i] - s->first];

		/* Looked up first, as serve.c does; a row that was there without suspicion would be a second booking.
		 */
		if (atomic_load(row) && numbers[i] < suspect)
			s->recognised++;
		else if (atomic_fetch_add(row, 1))
			s->twice++;
	}
	usleep(200); /* many die here */
	for (int i = 0; i < count; i++)
		line_publish(l, numbers[i], &BOOKED);
	if (count || cursor == end)
		line_advance(l, cursor, count, 10);
	line_set_suspect(l, 0);
	pen_release(pen);
	if (line_length(l))
		line_call_next(l);
}

static int storm_guest(void *arg)
{
	struct storm *s = arg;
	struct line *l = (struct line *)(void *)s->line;
	unsigned seed = (unsigned)getpid();
	struct ticket_outcome got = {0};
	uint64_t n;

	while (!s->stop) {
		struct ticket_request r = wish(rand_r(&seed) % 5000, 2);
		enum err e = line_draw(l, &r, &n);

		if (e == ERR_LINE_FULL)
			storm_serve(s, l);
		if (e != ERR_OK)
			continue;
		s->draws++;
		if (n - s->first >= STORM_TICKETS)
			break;
		s->drawn[n - s->first] = 1;
		for (int i = 0; i < 20 && !s->stop; i++) {
			uint32_t word = line_word(l, n);
			enum line_state state = line_look(l, n, &got);

			if (state == LINE_DONE || state == LINE_FREE)
				break;
			storm_serve(s, l);
			line_sleep(l, n, word, 2);
		}
		if (rand_r(&seed) % 8)
			line_collected(l, n);
	}
	return 0;
}

static void eight_processes_and_a_storm_of_kills_lose_no_ticket(void **state)
{
	size_t size = sizeof(struct storm) + line_part.size;
	struct storm *s = kid_share(size);
	struct line *l = (struct line *)(void *)s->line;
	pid_t kids[STORM_KIDS];
	int64_t until = clock_mono_ms() + STORM_MS;
	unsigned seed = 20260120;
	long kills = 0;

	(void)state;
	line_part.init(l);
	pen_part.init(s->pen);
	line_seed(l, 1);
	s->first = line_tail(l);
	for (int i = 0; i < STORM_KIDS; i++)
		kids[i] = kid_start(storm_guest, s);
	while (clock_mono_ms() < until) {
		int i = rand_r(&seed) % STORM_KIDS;

		usleep((unsigned)rand_r(&seed) % 3000);
		kid_kill(kids[i]);
		kids[i] = kid_start(storm_guest, s);
		kills++;
	}
	s->stop = 1;
	for (int i = 0; i < STORM_KIDS; i++)
		assert_int_equal(kid_end(kids[i]), 0);
	while (line_length(l))
		storm_serve(s, l);
	print_message("# storm: %ld kills, %ld tickets, %ld recognised\n", kills, (long)s->draws, (long)s->recognised);
	assert_int_equal(line_check(l), 0);
	assert_true(kills > 100 && s->draws > 1000);
	assert_int_equal(s->wrong, 0);
	assert_int_equal(s->twice, 0);
	for (uint64_t i = 0; i < line_tail(l) - s->first && i < STORM_TICKETS; i++) {
		assert_true(s->book[i] <= 1);
		if (s->drawn[i])
			assert_int_equal(s->book[i], 1);
	}
	kid_unshare(s, size);
}

/* ---- every order of little steps ---- */

/*
 * Three who act, four steps each: a guest who draws, leaves, asks and draws again; one who draws twice,
 * waits and hears; and the pen's holder, who takes, dies, takes again and publishes.  All 34,650 orders.
 */
struct play {
	struct line *l;
	int64_t users; /* this order's own */
	uint64_t leaver, waiter, again;
	bool left;
	int served[3]; /* leaver, waiter, again */
};

static void note_served(struct play *p, uint64_t n)
{
	p->served[0] += n == p->leaver;
	p->served[1] += n == p->waiter;
	p->served[2] += n == p->again && n != p->leaver;
}

static void play_leaver(struct play *p, int step)
{
	struct ticket_request r = wish(p->users, 2);
	struct ticket_outcome got;

	switch (step) {
	case 0:
		p->leaver = draw(p->l, r);
		line_detach(p->l, p->leaver);
		break;
	case 1:
		p->left = line_leave(p->l, p->leaver);
		break;
	case 2:
		assert_int_equal(line_look(p->l, p->leaver, &got) == LINE_LEFT, p->left);
		break;
	default:
		p->again = draw(p->l, r);
		line_detach(p->l, p->again);
		assert_true(p->left ? p->again != p->leaver : p->again == p->leaver);
	}
}

static void play_waiter(struct play *p, int step)
{
	struct ticket_request r = wish(p->users + 1, 3);
	struct ticket_outcome got;

	if (step == 0)
		p->waiter = draw(p->l, r);
	else if (step == 1)
		line_detach(p->l, p->waiter);
	else if (step == 2)
		assert_int_equal(draw(p->l, r), p->waiter); /* the retry has the same place, served or not */
	else if (line_look(p->l, p->waiter, &got) == LINE_DONE)
		line_collected(p->l, p->waiter);
}

static void play_holder(struct play *p, int step)
{
	uint64_t cursor = 0, end = line_tail(p->l), n;

	if (step == 0 || step == 2) /* takes and dies */
		line_take(p->l, &cursor, end, &n);
	else {
		while (line_take(p->l, &cursor, end, &n)) {
			note_served(p, n);
			line_publish(p->l, n, &FULL);
		}
		line_advance(p->l, cursor, 1, 10);
	}
}

static void finish(struct play *p)
{
	play_holder(p, 1);
	assert_int_equal(line_length(p->l), 0);
	assert_int_equal(p->served[0], !p->left);
	assert_int_equal(p->served[1], 1);
	assert_int_equal(p->served[2], p->left);
	line_collected(p->l, p->leaver);
	line_collected(p->l, p->waiter);
	line_collected(p->l, p->again);
}

static int play_orders(struct line *l, int steps[12], int at, int left[3], int64_t *users)
{
	static void (*const act[])(struct play *, int) = {play_leaver, play_waiter, play_holder};
	int orders = 0;

	if (at == 12) {
		struct play p = {.l = l, .users = *users += 2};
		int done[3] = {0};

		for (int i = 0; i < 12; i++)
			act[steps[i]](&p, done[steps[i]]++);
		finish(&p);
		if (*users % 1000 == 0)
			assert_int_equal(line_check(l), 0);
		return 1;
	}
	for (int who = 0; who < 3; who++) {
		if (!left[who])
			continue;
		left[who]--;
		steps[at] = who;
		orders += play_orders(l, steps, at + 1, left, users);
		left[who]++;
	}
	return orders;
}

static void every_order_of_steps_ends_with_one_outcome_each(void **state)
{
	int steps[12], left[3] = {4, 4, 4};
	int64_t users = 0;

	assert_int_equal(play_orders(line_of(state), steps, 0, left, &users), 34650);
}

/* ---- the check itself ---- */

/* Finds a number in the segment from an offset on and changes it; where it was. */
static uint64_t *where_is(struct line *l, uint64_t value, size_t nth)
{
	uint64_t *words = (uint64_t *)(void *)l;

	for (size_t i = 0; i < line_part.size / sizeof *words; i++)
		if (words[i] == value && nth-- == 0)
			return &words[i];
	fail_msg("it is nowhere");
	return NULL;
}

static void the_check_sees_what_is_broken(void **state)
{
	struct line *l = line_of(state);
	uint64_t first = line_tail(l), *at;

	for (int i = 1; i <= 10; i++)
		draw(l, wish(i, 2));
	assert_int_equal(line_check(l), 0);
	at = where_is(l, first + 10, 0); /* tail */
	*at += LINE_PLACES;
	assert_int_equal(line_check(l), 1);
	*at -= LINE_PLACES;
	at = where_is(l, first + 4, 0); /* a ticket's number */
	*at += 1;
	assert_int_equal(line_check(l), 2);
	*at -= 1;
	at = where_is(l, first, 0); /* head; the ticket's own number comes later */
	*at += 1;
	assert_int_equal(line_check(l), 3);
	*at -= 1;
	at = memmem(l, line_part.size, (uint64_t[]){5, 1}, 2 * sizeof(uint64_t)); /* the guest and the restaurant of a wish */
	assert_non_null(at);
	*at = 4711; /* the index knows them by another name */
	assert_int_equal(line_check(l), 4);
	*at = 5;
	assert_int_equal(line_check(l), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_line, check_line)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_ticket_is_drawn_before_the_first_number_is_known, make_unseeded, leave_line),
		TEST(only_the_first_number_given_counts),
		TEST(tickets_are_taken_in_the_order_they_were_drawn),
		TEST(a_holder_serves_only_whom_it_saw),
		TEST(a_double_click_is_in_progress),
		TEST(a_retry_keeps_its_place_once_no_client_waits),
		TEST(a_waiter_who_was_killed_is_not_waited_for),
		TEST(another_wish_for_the_same_slot_waits_for_the_first),
		TEST(a_key_finds_its_ticket_while_a_client_waits_and_afterwards),
		TEST(a_success_locks_its_guest_for_a_while),
		TEST(a_refusal_a_cancel_and_an_expiry_release_at_once),
		TEST(another_card_gets_neither_the_place_nor_the_outcome),
		TEST(an_outcome_no_client_has_heard_goes_to_the_retry),
		TEST(an_old_outcome_is_no_answer_to_a_new_wish),
		TEST(a_client_that_leaves_is_not_served),
		TEST(no_client_leaves_while_being_served),
		TEST(a_ticket_no_client_asks_about_is_dropped),
		TEST(a_suspect_is_looked_up_even_if_no_client_asks),
		TEST(a_full_line_says_so_and_goes_on_when_there_is_room),
		TEST(outcomes_that_are_not_collected_do_not_close_the_line),
		TEST(an_outcome_no_client_has_heard_does_not_close_the_line),
		TEST(everybody_is_found_after_the_numbers_went_round_three_times),
		TEST(the_longest_words_come_through_the_line),
		TEST(bookings_without_words_touch_no_memory_for_words),
		TEST(a_ticket_whose_place_was_used_again_is_unknown),
		TEST(the_view_tells_place_company_and_time),
		TEST(waits_and_batches_are_counted),
		TEST(a_waiter_is_woken_by_its_outcome_or_to_take_the_pen),
		TEST(a_wait_that_is_not_ended_lasts_as_long_as_was_asked),
		TEST(the_bell_rings_when_no_process_waits_and_is_never_missed),
		TEST(a_drawer_killed_before_it_filled_its_place_leaves_nothing),
		TEST(a_drawer_killed_before_it_counted_itself_leaves_nothing),
		TEST(a_drawer_killed_with_the_lock_in_hand_has_its_place),
		TEST(a_kill_while_a_place_is_used_again_forgets_its_old_ticket_only),
		cmocka_unit_test(eight_processes_and_a_storm_of_kills_lose_no_ticket),
		TEST(every_order_of_steps_ends_with_one_outcome_each),
		TEST(the_check_sees_what_is_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
