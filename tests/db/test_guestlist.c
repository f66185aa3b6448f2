/*
 * test_guestlist.c - who a guest is: correcting a number, two who are one person and again two, and the list of all guests against
 * what can be counted by hand.
 */
#include "guestlist.h"

#include "batch.h"
#include "book.h"
#include "forget.h"
#include "proofs.h"
#include "unit.h"
#include "users.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t NOW = 1768874400; /* 2026-01-20 11:00 in Seoul */

enum { KIM = 50, LEE = 51 };

/* What staff say about a guest, by the line; the outcome's word. */
static struct ticket_outcome say(struct book *b, struct ticket_guest_edit g)
{
	struct ticket_request r = {.kind = TICKET_GUEST};
	struct ticket_outcome out = {0};
	char clean[TEXT_PHONE_SIZE];
	struct txn t;

	g.restaurant_id = g.restaurant_id ? g.restaurant_id : 1;
	g.calling_code = 82;
	g.version = g.version ? g.version : -1;
	if (g.phone[0]) {
		assert_true(text_phone(g.phone, clean));
		memcpy(g.phone, clean, sizeof g.phone);
		g.phone_key = text_phone_key(g.phone, 82);
	}
	snprintf(g.actor, sizeof g.actor, "user:1");
	r.u.guest = g;
	assert_int_equal(txn_begin(&t, &b->db, NOW), ERR_OK);
	assert_int_equal(guestlist_write(&t, &r, 0, &out), ERR_OK);
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
	return out;
}

static struct ticket_outcome renumber(struct book *b, int64_t id, const char *phone)
{
	struct ticket_guest_edit g = {.guest_id = id, .named = GUEST_PHONE};

	snprintf(g.phone, sizeof g.phone, "%s", phone);
	return say(b, g);
}

static int merge(struct book *b, int64_t from, int64_t into)
{
	return say(b, (struct ticket_guest_edit){.act = GUEST_MERGE, .guest_id = from, .into = into}).err;
}

static int unmerge(struct book *b, int64_t id)
{
	return say(b, (struct ticket_guest_edit){.act = GUEST_UNMERGE, .guest_id = id}).err;
}

static int64_t owner_of(struct book *b, int64_t reservation)
{
	return book_int(b->db.handle, "SELECT user_id FROM reservations WHERE reservation_id = %lld", (long long)reservation);
}

/* Kim came once, did not come once and is to come; Lee is to come at another time.  A second restaurant knows neither. */
static void make_guests(struct book *b)
{
	sqlite3 *h = b->db.handle;

	book_slot(h, 1, "2026-01-10", "18:00", 40);
	book_slot(h, 2, "2026-01-12", "18:00", 40);
	book_slot(h, 3, "2026-01-22", "18:00", 40);
	book_slot(h, 4, "2026-01-23", "18:00", 40);
	book_exec(h, "INSERT INTO restaurants (restaurant_id, name) VALUES (2, 'other');"
		     "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time, max_capacity)"
		     " VALUES (20, 2, '2026-01-22', '18:00', 40);"
		     "INSERT INTO users (user_id, user_type, name, phone) VALUES (50, 'GUEST', 'Kim', '010-5555-0000'),"
		     " (51, 'GUEST', 'Lee', '010-5555-1111')");
	book_reservation(h, 1, 1, KIM, 2, "COMPLETED", "2026-01-10T00:00:00Z");
	book_reservation(h, 2, 2, KIM, 2, "NO_SHOW", "2026-01-10T00:00:00Z");
	book_reservation(h, 3, 3, KIM, 2, "CONFIRMED", "2026-01-10T00:00:00Z");
	book_reservation(h, 4, 4, LEE, 2, "CONFIRMED", "2026-01-10T00:00:00Z");
}

/* ---- correcting ---- */

static void a_corrected_name_and_address_stand_on_what_is_to_come(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;
	struct ticket_guest_edit g = {
		.guest_id = KIM, .named = GUEST_NAME | GUEST_EMAIL, .name = "Kim Minji", .email = "m@e.kr"};
	struct guestlist_row row;

	make_guests(b);
	book_exec(h, "INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size) VALUES"
		     " (1, '2026-01-24', '18:00', 50, 2)");
	assert_int_equal(say(b, g).err, ERR_OK);
	assert_int_equal(
		book_int(h, "SELECT count(*) FROM reservations WHERE guest_name = 'Kim Minji' AND guest_email = 'm@e.kr'"), 1);
	assert_int_equal(book_int(h, "SELECT reservation_id FROM reservations WHERE guest_name = 'Kim Minji'"), 3);
	assert_int_equal(book_int(h, "SELECT count(*) FROM waitlist WHERE guest_name = 'Kim Minji' AND guest_email = 'm@e.kr'"),
			 1);
	assert_int_equal(guestlist_get(&b->db, 1, KIM, NOW, &row), ERR_OK);
	assert_string_equal(row.name, "Kim Minji");
	assert_string_equal(row.email, "m@e.kr");
	assert_string_equal(row.phone, "010-5555-0000");
	assert_int_equal(row.version, 1);
	assert_int_equal(row.visits, 1);
	assert_int_equal(row.no_shows, 1);
	assert_int_equal(row.upcoming, 1);
	assert_string_equal(row.last, "2026-01-10");
	assert_string_equal(row.next_date, "2026-01-22");
	/* The same once more is no change, and is not written down. */
	assert_int_equal(book_int(h, "SELECT count(*) FROM audit WHERE entity = 'user' AND change = 'guest'"), 2);
	assert_int_equal(say(b, g).err, ERR_OK);
	assert_int_equal(book_int(h, "SELECT count(*) FROM audit WHERE entity = 'user' AND change = 'guest'"), 2);
	/* What another house calls them, and who they are to the box, is not touched. */
	assert_int_equal(book_int(h, "SELECT count(*) FROM users WHERE user_id = 50 AND name = 'Kim' AND email IS NULL"), 1);
}

static void a_number_is_corrected_and_never_written_into_the_audit(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	make_guests(b);
	assert_int_equal(renumber(b, KIM, "010-7777-0000").id, KIM);
	assert_int_equal(book_int(h, "SELECT phone_key FROM users WHERE user_id = 50"), 821077770000);
	assert_int_equal(owner_of(b, 3), KIM);
	assert_int_equal(book_int(h, "SELECT count(*) FROM audit WHERE to_value = 'another number' AND entity_id = 50"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM audit WHERE instr(ifnull(to_value, '') || ifnull(from_value, '') ||"
				     " ifnull(reason, ''), '7777') OR instr(ifnull(from_value, ''), '5555')"),
			 0);
	/* The old number is nobody's: who books with it is another person. */
	assert_int_equal(book_int(h, "SELECT count(*) FROM users WHERE phone_key = 821055550000"), 0);
}

/* Another guest of the house: nothing is changed, and who it is is told. */
static void a_number_of_another_guest_here_is_a_question(void **state)
{
	struct book *b = *state;
	struct ticket_guest_edit g = {
		.guest_id = KIM, .named = GUEST_PHONE | GUEST_NAME, .name = "Somebody", .phone = "+82 10 5555 1111"};
	struct ticket_outcome out;

	make_guests(b);
	out = say(b, g);
	assert_int_equal(out.err, ERR_GUEST_EXISTS);
	assert_int_equal(out.id, LEE);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM reservations WHERE guest_name = 'Somebody'"), 0);
	assert_int_equal(book_int(b->db.handle, "SELECT phone_key FROM users WHERE user_id = 50"), 821055550000);
}

/* A guest of another house alone: to this one the number is new, and it learns nothing of them. */
static void a_number_known_elsewhere_takes_what_this_house_has_and_nothing_else(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;
	struct guestlist_row row;

	make_guests(b);
	book_exec(h, "INSERT INTO users (user_id, user_type, name, phone) VALUES (60, 'GUEST', 'Theirs', '010-6666-0000');"
		     "INSERT INTO restaurant_guests (user_id, restaurant_id, note, is_blocked) VALUES (60, 2, 'theirs', 1),"
		     " (50, 1, 'ours', 1)");
	book_reservation(h, 20, 20, 60, 2, "CONFIRMED", "2026-01-10T00:00:00Z");
	assert_int_equal(renumber(b, KIM, "010-6666-0000").id, 60);
	assert_int_equal(owner_of(b, 1), 60);
	assert_int_equal(owner_of(b, 20), 60);
	assert_int_equal(guestlist_get(&b->db, 1, 60, NOW, &row), ERR_OK);
	assert_string_equal(row.note, "ours");
	assert_string_equal(row.name, "Kim");
	assert_int_equal(row.visits, 1);
	assert_int_equal(book_int(h, "SELECT blocked_by FROM users WHERE user_id = 60"), 2);
	assert_int_equal(book_int(h, "SELECT blocked_by FROM users WHERE user_id = 50"), 0);
	assert_int_equal(guestlist_get(&b->db, 1, KIM, NOW, &row), ERR_NOT_FOUND);
	/* And back. */
	assert_int_equal(renumber(b, 60, "010-5555-0000").id, KIM);
	assert_int_equal(owner_of(b, 1), KIM);
	assert_int_equal(owner_of(b, 20), 60);
	assert_int_equal(book_int(h, "SELECT phone_key FROM users WHERE user_id = 60"), 821066660000);
}

/* A guest of two houses who is corrected by one: the other still knows them by their number. */
static void a_guest_of_two_houses_keeps_their_number_at_the_other(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;
	int64_t made;

	make_guests(b);
	book_reservation(h, 20, 20, KIM, 2, "CONFIRMED", "2026-01-10T00:00:00Z");
	made = renumber(b, KIM, "010-7777-0000").id;
	assert_int_not_equal(made, KIM);
	assert_int_equal(owner_of(b, 1), made);
	assert_int_equal(owner_of(b, 20), KIM);
	assert_int_equal(book_int(h, "SELECT phone_key FROM users WHERE user_id = 50"), 821055550000);
	assert_int_equal(book_int(h, "SELECT phone_key FROM users WHERE user_id = %lld", (long long)made), 821077770000);
}

/* Who logs in sees everything of their user: neither their number nor anything under it is given away or put there. */
static void who_logs_in_is_neither_renumbered_nor_merged(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	make_guests(b);
	book_exec(h, "INSERT INTO users (user_id, user_type, name, email, phone) VALUES (70, 'ACCOUNT', 'Acc', 'a@e.kr',"
		     " '010-8888-0000')");
	assert_int_equal(renumber(b, KIM, "010-8888-0000").err, ERR_GUEST_LOGS_IN);
	book_slot(h, 5, "2026-01-25", "18:00", 40);
	book_reservation(h, 5, 5, 70, 2, "CONFIRMED", "2026-01-10T00:00:00Z");
	assert_int_equal(renumber(b, KIM, "010-8888-0000").err, ERR_GUEST_LOGS_IN);
	assert_int_equal(renumber(b, 70, "010-9999-0000").err, ERR_GUEST_LOGS_IN);
	assert_int_equal(merge(b, KIM, 70), ERR_GUEST_LOGS_IN);
	assert_int_equal(merge(b, 70, KIM), ERR_GUEST_LOGS_IN);
	assert_int_equal(owner_of(b, 5), 70);
	/* What they are called here is no login. */
	assert_int_equal(say(b, (struct ticket_guest_edit){.guest_id = 70, .named = GUEST_EMAIL, .email = "x@e.kr"}).err,
			 ERR_OK);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users WHERE email = 'a@e.kr'"), 1);
}

static void a_stale_version_changes_nothing(void **state)
{
	struct book *b = *state;
	struct ticket_guest_edit g = {.guest_id = KIM, .named = GUEST_NOTE, .note = "one"};

	make_guests(b);
	assert_int_equal(say(b, g).err, ERR_OK);
	g.version = 7;
	snprintf(g.note, sizeof g.note, "two");
	assert_int_equal(say(b, g).err, ERR_STALE);
	g.version = 1;
	assert_int_equal(say(b, g).err, ERR_OK);
	assert_int_equal(book_int(b->db.handle, "SELECT note = 'two' AND version = 2 FROM restaurant_guests"), 1);
}

/* ---- two who are one ---- */

static void know(struct book *b, int64_t id, const char *note, const char *tags, int blocked)
{
	struct ticket_guest_edit g = {.guest_id = id, .named = GUEST_NOTE | GUEST_TAGS | GUEST_BLOCKED, .blocked = blocked};

	snprintf(g.note, sizeof g.note, "%s", note);
	snprintf(g.tags, sizeof g.tags, "%s", tags);
	assert_int_equal(say(b, g).err, ERR_OK);
}

static void two_become_one_and_two_again(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;
	struct guestlist_row row;

	make_guests(b);
	book_exec(h, "INSERT INTO waitlist (waitlist_id, restaurant_id, slot_date, slot_time, user_id, party_size, status,"
		     " changed_by) VALUES (1, 1, '2026-01-24', '18:00', 50, 2, 'WAITING', 'user:50'),"
		     " (2, 1, '2026-01-09', '18:00', 50, 2, 'LEFT', 'user:50')");
	book_slot(h, 7, "2026-02-20", "18:00", 40);
	book_reservation(h, 7, 7, KIM, 2, "CONFIRMED", "2026-01-10T00:00:00Z");
	know(b, KIM, "nuts", "VIP,window", 1);
	know(b, LEE, "quiet table", "REGULAR,VIP", 0);
	assert_int_equal(merge(b, KIM, LEE), ERR_OK);
	for (int64_t id = 1; id <= 4; id++)
		assert_int_equal(owner_of(b, id), LEE);
	assert_int_equal(guestlist_get(&b->db, 1, LEE, NOW, &row), ERR_OK);
	assert_string_equal(row.name, "Lee"); /* although the newest of their reservations was Kim's */
	assert_string_equal(row.note, "quiet table\nnuts");
	assert_string_equal(row.tags, "REGULAR,VIP,window");
	assert_true(row.blocked);
	assert_int_equal(row.no_shows, 1);
	assert_int_equal(row.upcoming, 3);
	assert_int_equal(guestlist_get(&b->db, 1, KIM, NOW, &row), ERR_NOT_FOUND);
	/* Who left the waitlist by themselves did so under the other name as well. */
	assert_int_equal(book_int(h, "SELECT count(*) FROM waitlist WHERE user_id = 51 AND changed_by = 'user:51'"), 2);
	assert_int_equal(book_int(h, "SELECT count(*) FROM audit WHERE change = 'guest' AND to_value = 'merged 50' AND"
				     " entity_id = 51"),
			 1);
	/* What staff write since stays; what came since stays with the guest who is there. */
	assert_int_equal(say(b, (struct ticket_guest_edit){.guest_id = LEE, .named = GUEST_NOTE, .note = "new"}).err, ERR_OK);
	book_slot(h, 6, "2026-01-26", "18:00", 40);
	book_reservation(h, 6, 6, LEE, 2, "CONFIRMED", "2026-01-10T00:00:00Z");
	assert_int_equal(unmerge(b, LEE), ERR_OK);
	for (int64_t id = 1; id <= 3; id++)
		assert_int_equal(owner_of(b, id), KIM);
	assert_int_equal(owner_of(b, 4), LEE);
	assert_int_equal(owner_of(b, 6), LEE);
	assert_int_equal(guestlist_get(&b->db, 1, KIM, NOW, &row), ERR_OK);
	assert_string_equal(row.note, "nuts");
	assert_string_equal(row.tags, "VIP,window");
	assert_true(row.blocked);
	assert_int_equal(guestlist_get(&b->db, 1, LEE, NOW, &row), ERR_OK);
	assert_string_equal(row.note, "new");
	assert_int_equal(book_int(h, "SELECT count(*) FROM restaurant_guests WHERE name IS NOT NULL"), 0);
	assert_string_equal(row.tags, "REGULAR,VIP");
	assert_false(row.blocked);
	assert_int_equal(book_int(h, "SELECT group_concat(blocked_by) = '1,0' FROM users WHERE user_id IN (50, 51)"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM waitlist WHERE user_id = 50 AND changed_by = 'user:50'"), 2);
	assert_int_equal(unmerge(b, LEE), ERR_NOT_FOUND);
}

static void who_would_meet_themselves_stay_two(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;
	struct ticket_guest_edit g = {.act = GUEST_MERGE, .guest_id = KIM, .into = LEE, .restaurant_id = 1};
	int64_t ids[4];
	int count, waits = 0;

	make_guests(b);
	book_reservation(h, 5, 3, LEE, 3, "CONFIRMED", "2026-01-10T00:00:00Z");
	assert_int_equal(merge(b, KIM, LEE), ERR_GUESTS_MEET);
	assert_int_equal(guestlist_meeting(&b->db, &g, ids, 4, &count, NULL, &waits), ERR_OK);
	assert_int_equal(count, 2);
	assert_int_equal(ids[0], 3);
	assert_int_equal(ids[1], 5);
	assert_int_equal(owner_of(b, 1), KIM);
	/* One of them cancelled: then they may; and if Kim's old number books that time anew, they cannot be two again. */
	book_exec(h, "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 5");
	assert_int_equal(merge(b, KIM, LEE), ERR_OK);
	book_reservation(h, 7, 3, KIM, 2, "CONFIRMED", "2026-01-10T00:00:00Z");
	assert_int_equal(unmerge(b, LEE), ERR_GUESTS_MEET);
	assert_int_equal(owner_of(b, 3), LEE);
	book_exec(h, "UPDATE reservations SET status = 'CANCELED' WHERE reservation_id = 7");
	assert_int_equal(unmerge(b, LEE), ERR_OK);
}

static void two_who_wait_for_one_time_stay_two(void **state)
{
	struct book *b = *state;

	make_guests(b);
	book_exec(b->db.handle, "INSERT INTO waitlist (restaurant_id, slot_date, slot_time, user_id, party_size) VALUES"
				" (1, '2026-01-24', '18:00', 50, 2), (1, '2026-01-24', '18:00', 51, 2)");
	assert_int_equal(merge(b, KIM, LEE), ERR_GUESTS_MEET);
}

static void what_does_not_fit_together_is_refused_and_never_cut(void **state)
{
	struct book *b = *state;
	char half[300];

	memset(half, 'x', sizeof half);
	half[250] = '\0';
	make_guests(b);
	know(b, KIM, half, "a,b,c,d,e", 0);
	half[0] = 'y';
	know(b, LEE, half, "f,g,h,i", 0);
	assert_int_equal(merge(b, KIM, LEE), ERR_TOO_LONG);
	know(b, LEE, "short", "f,g,h,i", 0);
	assert_int_equal(merge(b, KIM, LEE), ERR_BAD_GUEST_TAG);
	assert_int_equal(owner_of(b, 1), KIM);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM guest_merges"), 0);
}

/* A key that both have used would be the same request twice. */
static void two_requests_with_one_key_do_not_hinder_a_merge(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	make_guests(b);
	book_exec(h, "UPDATE reservations SET idempotency_key = 'same' WHERE reservation_id IN (3, 4)");
	assert_int_equal(merge(b, KIM, LEE), ERR_OK);
	assert_int_equal(
		book_int(h, "SELECT group_concat(reservation_id) = '4' FROM reservations WHERE idempotency_key = 'same'"), 1);
}

static void a_chain_of_merges_is_taken_back_from_its_end(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	make_guests(b);
	book_exec(h, "INSERT INTO users (user_id, user_type, name, phone) VALUES (52, 'GUEST', 'Park', '010-5555-2222')");
	book_slot(h, 6, "2026-01-26", "18:00", 40);
	book_reservation(h, 6, 6, 52, 2, "CONFIRMED", "2026-01-10T00:00:00Z");
	assert_int_equal(merge(b, KIM, LEE), ERR_OK);
	assert_int_equal(merge(b, LEE, 52), ERR_OK);
	assert_int_equal(say(b, (struct ticket_guest_edit){.act = GUEST_UNMERGE, .guest_id = LEE}).err, ERR_NOT_FOUND);
	assert_int_equal(unmerge(b, 52), ERR_OK);
	assert_int_equal(owner_of(b, 1), LEE);
	assert_int_equal(unmerge(b, LEE), ERR_OK);
	assert_int_equal(owner_of(b, 1), KIM);
	assert_int_equal(owner_of(b, 4), LEE);
}

/* ---- what a card sees ---- */

static void count_one(void *arg, const struct reservation *v)
{
	(void)v;
	++*(int *)arg;
}

static int seen_by_number(struct book *b, int64_t key, const char *email, int64_t card)
{
	int n = 0;

	assert_int_equal(proofs_reservations(&b->db, key, email, card, 100, NOW, count_one, &n), ERR_OK);
	return n;
}

/* Reservation 3 was made with card 900, for which its guest had typed Kim's number. */
static void a_proven_number_follows_the_guest_and_a_card_keeps_what_was_made_with_it(void **state)
{
	enum { CARD = 900, STRANGER = 901 };
	static const int64_t was = 821055550000, is = 821077770000;
	struct book *b = *state;

	make_guests(b);
	book_exec(b->db.handle, "UPDATE reservations SET card_id = 900 WHERE reservation_id = 3");
	assert_int_equal(seen_by_number(b, was, "", STRANGER), 3);
	renumber(b, KIM, "010-7777-0000");
	assert_int_equal(seen_by_number(b, was, "", STRANGER), 0); /* whose number it is in truth */
	assert_int_equal(seen_by_number(b, was, "", CARD), 1);     /* the device that booked still has its own */
	assert_int_equal(seen_by_number(b, is, "", STRANGER), 3);
	/* Merged into Lee: Lee's proven number sees all, Kim's card its own, and no address more than was booked with it. */
	assert_int_equal(merge(b, KIM, LEE), ERR_OK);
	assert_int_equal(seen_by_number(b, 821055551111, "", STRANGER), 4);
	assert_int_equal(seen_by_number(b, is, "", STRANGER), 0);
	assert_int_equal(seen_by_number(b, is, "", CARD), 1);
	assert_int_equal(seen_by_number(b, 821055551111, "stranger@e.kr", STRANGER), 0);
	assert_int_equal(seen_by_number(b, 821055551111, "stranger@e.kr", CARD), 1);
	assert_int_equal(unmerge(b, LEE), ERR_OK);
	assert_int_equal(seen_by_number(b, 821055551111, "", STRANGER), 1);
}

/* ---- forgetting ---- */

static void who_was_merged_is_forgotten_with_the_guest(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	make_guests(b);
	know(b, KIM, "MARK", "MARK", 0);
	assert_int_equal(merge(b, KIM, LEE), ERR_OK);
	assert_int_equal(forget_guest(&b->db, LEE, "user:1", NOW), ERR_OK);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users WHERE user_id IN (50, 51) AND erased_at IS NOT NULL AND"
				     " phone IS NULL AND phone_key IS NULL AND name = '-'"),
			 2);
	assert_int_equal(book_int(h, "SELECT count(*) FROM guest_merges"), 0);
	assert_int_equal(book_int(h, "SELECT count(*) FROM restaurant_guests"), 0);
}

/* Who has booked with the old number since is somebody again, and is forgotten when the owner says so. */
static void who_has_come_since_is_not_forgotten_with_the_other(void **state)
{
	struct book *b = *state;
	sqlite3 *h = b->db.handle;

	make_guests(b);
	know(b, KIM, "MARK", "", 0);
	assert_int_equal(merge(b, KIM, LEE), ERR_OK);
	book_slot(h, 6, "2026-01-26", "18:00", 40);
	book_reservation(h, 6, 6, KIM, 2, "CONFIRMED", "2026-01-10T00:00:00Z");
	assert_int_equal(forget_guest(&b->db, LEE, "user:1", NOW), ERR_OK);
	assert_int_equal(book_int(h, "SELECT count(*) FROM users WHERE user_id = 50 AND erased_at IS NULL"), 1);
	assert_int_equal(book_int(h, "SELECT count(*) FROM guest_merges"), 0);
	assert_int_equal(unmerge(b, LEE), ERR_NOT_FOUND);
}

/* ---- the list ---- */

enum { PEOPLE = 400, BOOKINGS = 6000 };

struct seen {
	int64_t ids[PEOPLE + 10];
	int count;
};

static void see(void *arg, const struct guestlist_row *row)
{
	struct seen *s = arg;

	assert_in_range(s->count, 0, PEOPLE);
	s->ids[s->count++] = row->id;
}

/* Every page of it. */
static void read_all(struct book *b, struct guestlist_query q, struct seen *out)
{
	struct guestlist_mark after;
	int pages = 0;

	*out = (struct seen){.count = 0};
	q.restaurant_id = 1;
	do {
		int before = out->count;

		assert_int_equal(guestlist_read(&b->db, &q, NOW, see, out, &after), ERR_OK);
		assert_in_range(out->count - before, 0, GUESTLIST_PAGE);
		q.after = after;
		assert_in_range(++pages, 1, 100);
	} while (after.date[0]);
}

/* Against one plain statement, which sorts everything. */
static void compare_by(struct book *b, const struct guestlist_query *q, const char *where, const char *order)
{
	static struct seen all;
	sqlite3_stmt *s;
	char sql[1200];
	int n = 0;

	read_all(b, *q, &all);
	snprintf(sql, sizeof sql,
		 "SELECT user_id, max(place), max(starts_at) FROM (SELECT v.user_id, v.guest_name, v.status, v.starts_at, "
		 "s.slot_date || s.slot_time ||"
		 " printf('%%09d', v.reservation_id) AS place FROM reservations v JOIN restaurant_reservation_slots s USING"
		 " (slot_id) JOIN users u USING (user_id) WHERE s.restaurant_id = 1 AND u.phone_key IS NOT NULL AND"
		 " v.status <> 'EXPIRED') v WHERE %s GROUP BY user_id ORDER BY %s",
		 where, order);
	if (sqlite3_prepare_v2(b->db.handle, sql, -1, &s, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(b->db.handle));
	for (; sqlite3_step(s) == SQLITE_ROW; n++)
		if (n >= all.count || all.ids[n] != sqlite3_column_int64(s, 0))
			fail_msg("%s: place %d is %lld, not %lld", where, n, n < all.count ? (long long)all.ids[n] : -1,
				 (long long)sqlite3_column_int64(s, 0));
	sqlite3_finalize(s);
	assert_int_equal(n, all.count);
	assert_true(n > 0);
}

static void compare(struct book *b, const struct guestlist_query *q, const char *where)
{
	compare_by(b, q, where, q->tag ? "3 DESC, user_id DESC" : "2 DESC");
}

static void fill_list(sqlite3 *h)
{
	static const char *const states[] = {"COMPLETED", "COMPLETED", "NO_SHOW", "CANCELED", "EXPIRED"};

	srand(7);
	book_exec(h, "INSERT INTO restaurants (restaurant_id, name) VALUES (2, 'other')");
	for (int i = 0; i < PEOPLE; i++)
		book_exec(h,
			  "INSERT INTO users (user_id, user_type, name, phone, phone_key) VALUES (%d, 'GUEST', 'g', %s%04d%s, "
			  "%s%04d%s)",
			  1000 + i, i % 5 ? "'0104000" : "nullif('", i, i % 5 ? "'" : "', '') || NULL",
			  i % 5 ? "82104000" : "nullif('", i, i % 5 ? "" : "', '') || NULL");
	for (int i = 0; i < 600; i++)
		book_exec(h,
			  "INSERT INTO restaurant_reservation_slots (slot_id, restaurant_id, slot_date, slot_time,"
			  " max_capacity, starts_at) VALUES (%d, %d, date('2025-06-01', '%d days'), '%02d:00', 1000,"
			  " strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', '2025-06-01', '%d days', '%d hours'))",
			  100 + i, 1 + (i % 9 == 0), i / 3, 17 + i % 3, i / 3, 8 + i % 3);
	for (int i = 0; i < BOOKINGS; i++) {
		int slot = 100 + rand() % 600, user = 1000 + rand() % PEOPLE;

		book_exec(
			h,
			"INSERT INTO reservations (reservation_id, reservation_code, slot_id, user_id, party_size,"
			" reservation_type, status, guest_name, restaurant_id, starts_at, ends_at, sitting_minutes) SELECT %d,"
			" 'L%d', %d, %d, 2, 'RESERVATION_DEPOSIT', '%s', '%s %d', restaurant_id, starts_at, starts_at, 60"
			" FROM restaurant_reservation_slots WHERE slot_id = %d",
			1000 + i, i, slot, user, states[rand() % 5], rand() % 4 ? "Kim" : "Lee_", user, slot);
	}
}

static void the_list_is_what_can_be_counted_by_hand(void **state)
{
	static struct seen all;
	struct book *b = *state;
	struct guestlist_query q = {.restaurant_id = 1};

	book_fill(b, fill_list);
	b->damaged = true; /* rows by the thousand without their audit */
	compare(b, &q, "1");
	q.no_shows = true;
	compare(b, &q, "status = 'NO_SHOW'");
	q.no_shows = false;
	q.name = "%ee\\_ 10%";
	compare(b, &q, "guest_name LIKE '%ee\\_ 10%' ESCAPE '\\'");
	q.name = NULL;
	q.digits = "%0001%";
	compare(b, &q, "printf('8210400%04d', user_id - 1000) LIKE '%0001%'");
	/* Those with a tag: the same order. */
	book_exec(b->db.handle, "INSERT INTO restaurant_guests (user_id, restaurant_id, tags, is_blocked) SELECT user_id, 1,"
				" CASE WHEN user_id %% 2 THEN 'VIP' ELSE 'a,vip,b' END, user_id %% 3 = 0 FROM users"
				" WHERE user_id BETWEEN 1000 AND 1300 AND phone_key IS NOT NULL");
	q.digits = NULL;
	q.tag = "VIP";
	compare(b, &q, "user_id BETWEEN 1000 AND 1300");
	q.blocked = true;
	compare(b, &q, "user_id BETWEEN 1000 AND 1300 AND user_id % 3 = 0");
	q.tag = "VI";
	read_all(b, q, &all);
	assert_int_equal(all.count, 0);
	q = (struct guestlist_query){.restaurant_id = 1, .phone_key = 821040000001};
	read_all(b, q, &all);
	assert_int_equal(all.count, 1);
	assert_int_equal(all.ids[0], 1001);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, book_setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_corrected_name_and_address_stand_on_what_is_to_come),
		TEST(a_number_is_corrected_and_never_written_into_the_audit),
		TEST(a_number_of_another_guest_here_is_a_question),
		TEST(a_number_known_elsewhere_takes_what_this_house_has_and_nothing_else),
		TEST(a_guest_of_two_houses_keeps_their_number_at_the_other),
		TEST(who_logs_in_is_neither_renumbered_nor_merged),
		TEST(a_stale_version_changes_nothing),
		TEST(two_become_one_and_two_again),
		TEST(who_would_meet_themselves_stay_two),
		TEST(two_who_wait_for_one_time_stay_two),
		TEST(what_does_not_fit_together_is_refused_and_never_cut),
		TEST(two_requests_with_one_key_do_not_hinder_a_merge),
		TEST(a_chain_of_merges_is_taken_back_from_its_end),
		TEST(a_proven_number_follows_the_guest_and_a_card_keeps_what_was_made_with_it),
		TEST(who_was_merged_is_forgotten_with_the_guest),
		TEST(who_has_come_since_is_not_forgotten_with_the_other),
		TEST(the_list_is_what_can_be_counted_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
