/*
 * test_history.c - what of a house is written down, and what is not: lists are compared row by row, a slot that follows a rule
 * is no act of its own, a note of a day is known by its version.
 */
#include "history.h"

#include "book.h"
#include "daynotes.h"
#include "forget.h"
#include "house.h"
#include "slots.h"
#include "staff.h"
#include "ticket.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

#define TEST(f) cmocka_unit_test_setup_teardown(f, book_setup, book_teardown)
#define AUDIT "SELECT count(*) FROM audit"
static const char TABLES[] = "{\"tables\":[{\"name\":\"1\",\"seatsMin\":1,\"seatsMax\":2},{\"name\":\"2\",\"seatsMin\":1,"
			     "\"seatsMax\":4},{\"name\":\"3, by the door\",\"seatsMin\":1,\"seatsMax\":4}],\"sets\":["
			     "{\"tables\":[{\"name\":\"1\"},{\"name\":\"2\"}],\"seatsMin\":1,\"seatsMax\":6},"
			     "{\"tables\":[{\"name\":\"3, by the door\"},{\"name\":\"2\"}],\"seatsMin\":1,\"seatsMax\":8}]}";

static void change(struct book *b, enum house_part part, const char *json)
{
	struct house_open open;

	assert_int_equal(house_write(&b->db, part, 1, json, "user:1", &open), ERR_OK);
}

static int64_t rows(struct book *b)
{
	return book_int(b->db.handle, AUDIT);
}

/* The tables as the page sends them again: with their numbers. */
static void tables_again(struct book *b, const char *second, const char *sets, char *out, size_t size)
{
	long long first = book_int(b->db.handle, "SELECT min(table_id) FROM dining_tables WHERE is_deleted = 0");

	snprintf(out, size,
		 "{\"tables\":[{\"tableId\":%lld,\"name\":\"1\",\"seatsMin\":1,\"seatsMax\":2},{\"tableId\":%lld,\"name\":\"%"
		 "s\","
		 "\"seatsMin\":1,\"seatsMax\":4},{\"tableId\":%lld,\"name\":\"3, by the door\",\"seatsMin\":1,\"seatsMax\":4}],"
		 "\"sets\":[%s]}",
		 first, first + 1, second, first + 2, sets);
}

static void saving_without_a_change_writes_nothing(void **state)
{
	static const struct {
		enum house_part part;
		const char *json;
	} parts[] = {
		{HOUSE_SETTINGS, "{\"party_max\":9}"},
		{HOUSE_HOURS, "{\"hours\":[{\"weekday\":6,\"opens\":\"17:30\",\"closes\":\"25:00\",\"label\":\"dinner\"},"
			      "{\"weekday\":7,\"opens\":\"11:00\",\"closes\":\"15:00\",\"label\":\"\",\"partyMin\":2}]}"},
		{HOUSE_SPECIAL_DAY,
		 "{\"from\":\"2031-12-24\",\"to\":\"2031-12-26\",\"closed\":1,\"asWeek\":0,\"note\":\"Merry\","
		 "\"hours\":[]}"},
		{HOUSE_SPECIAL_DAY, "{\"from\":\"2031-12-31\",\"to\":\"2031-12-31\",\"closed\":0,\"asWeek\":0,\"note\":null,"
				    "\"hours\":[{\"opens\":\"11:00\",\"closes\":\"15:00\",\"label\":\"\"},{\"opens\":\"17:00\","
				    "\"closes\":\"26:00\",\"label\":\"party\",\"depositPerPerson\":9000}]}"},
		{HOUSE_OPENINGS, "{\"openings\":[{\"from\":\"2031-12-01\",\"to\":\"2031-12-31\",\"opensAt\":"
				 "\"2031-11-01T01:00:00Z\"}]}"},
	};
	struct book *b = *state;
	char again[900];
	int64_t before;

	for (size_t i = 0; i < COUNT(parts); i++) {
		before = rows(b);
		change(b, parts[i].part, parts[i].json);
		assert_true(rows(b) > before);
		before = rows(b);
		change(b, parts[i].part, parts[i].json);
		if (rows(b) != before)
			fail_msg("part %d again: %lld rows more", (int)parts[i].part, (long long)(rows(b) - before));
	}
	change(b, HOUSE_TABLES, TABLES);
	before = rows(b);
	tables_again(b, "2",
		     "{\"tables\":[{\"name\":\"2\"},{\"name\":\"1\"}],\"seatsMin\":1,\"seatsMax\":6},"
		     "{\"tables\":[{\"name\":\"3, by the door\"},{\"name\":\"2\"}],\"seatsMin\":1,\"seatsMax\":8}",
		     again, sizeof again);
	change(b, HOUSE_TABLES, again);
	assert_int_equal(rows(b), before);
}

static void a_special_day_changes_what_it_names_and_leaves_its_other_rows(void **state)
{
	struct book *b = *state;

	change(b, HOUSE_SPECIAL_DAY,
	       "{\"from\":\"2031-12-30\",\"to\":\"2031-12-31\",\"closed\":1,\"asWeek\":0,\"note\":null,\"hours\":[]}");
	change(b, HOUSE_SPECIAL_DAY,
	       "{\"from\":\"2031-12-31\",\"to\":\"2031-12-31\",\"closed\":1,\"asWeek\":0,\"note\":\"Snow\",\"hours\":[]}");
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM special_days WHERE day LIKE '2031-12-3%%'"), 2);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM audit WHERE change = 'special_day' AND from_value ="
						" '2031-12-31 closed' AND to_value = '2031-12-31 closed note=Snow'"),
			 1);
	/* neither closed nor anything else: as its week again */
	change(b, HOUSE_SPECIAL_DAY,
	       "{\"from\":\"2031-12-30\",\"to\":\"2031-12-31\",\"closed\":0,\"asWeek\":0,\"note\":null,\"hours\":[]}");
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM special_days WHERE day LIKE '2031-12-3%%'"), 0);
}

static void joins_keep_their_rows_and_go_with_their_tables(void **state)
{
	struct book *b = *state;
	char again[900];
	int64_t first;

	change(b, HOUSE_TABLES, TABLES);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM table_set_members"), 4);
	first = book_int(b->db.handle, "SELECT set_id FROM table_sets WHERE seats_max = 6");
	/* one has more seats, the other is gone, and there is a third */
	tables_again(b, "Window",
		     "{\"tables\":[{\"name\":\"1\"},{\"name\":\"Window\"}],\"seatsMin\":1,\"seatsMax\":7},"
		     "{\"tables\":[{\"name\":\"1\"},{\"name\":\"3, by the door\"}],\"seatsMin\":1,\"seatsMax\":5}",
		     again, sizeof again);
	change(b, HOUSE_TABLES, again);
	assert_int_equal(book_int(b->db.handle, "SELECT set_id FROM table_sets WHERE seats_max = 7 AND is_deleted = 0"), first);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM table_sets WHERE is_deleted = 0"), 2);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM table_set_members JOIN table_sets USING (set_id)"
						" WHERE seats_max = 5 AND is_deleted = 0"),
			 2);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM audit WHERE entity = 'join'"), 5);
}

static void a_table_that_is_gone_keeps_its_name_in_the_history(void **state)
{
	struct book *b = *state;
	char again[400];

	change(b, HOUSE_TABLES, TABLES);
	snprintf(again, sizeof again, "{\"tables\":[{\"tableId\":%lld,\"name\":\"1\",\"seatsMin\":1,\"seatsMax\":2}]}",
		 (long long)book_int(b->db.handle, "SELECT min(table_id) FROM dining_tables"));
	change(b, HOUSE_TABLES, again);
	change(b, HOUSE_TABLES, again); /* its name is free from here on */
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM dining_tables WHERE name LIKE '-%%'"), 2);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM _table_names WHERE name IN ('1', '2', '3, by the door')"),
			 3);
}

static void every_change_of_the_menu_is_written_down(void **state)
{
	struct book *b = *state;
	int64_t id, before;

	book_exec(b->db.handle, "UPDATE menus SET is_deleted = 1");
	change(b, HOUSE_MENU, "{\"menu\":[{\"name\":\"Cake\",\"price\":3000,\"soldOut\":0}]}");
	id = book_int(b->db.handle, "SELECT menu_id FROM menus WHERE name = 'Cake'");
	assert_int_equal(house_set_sold_out(&b->db, 0, id, true, "user:2"), ERR_OK);
	before = rows(b);
	assert_int_equal(house_set_sold_out(&b->db, 0, id, true, "user:2"), ERR_OK);
	assert_int_equal(rows(b), before);
	assert_int_equal(house_set_sold_out(&b->db, 2, id, false, "user:2"), ERR_NOT_FOUND);
	assert_int_equal(house_set_sold_out(&b->db, 1, id + 9, false, "user:2"), ERR_NOT_FOUND);
	assert_int_equal(book_int(b->db.handle,
				  "SELECT count(*) FROM audit WHERE entity = 'menu' AND entity_id = %lld AND"
				  " restaurant_id = 1 AND (to_value = 'Cake, 3000' OR (actor = 'user:2' AND"
				  " to_value = 'Cake, 3000, sold out'))",
				  (long long)id),
			 2);
}

/* ---- the history of the house ---- */

static void add_word(void *arg, const struct history_row *r)
{
	snprintf((char *)arg + strlen(arg), 2000 - strlen(arg), "%s.%s ", r->entity, r->change);
}

static const char *told(struct book *b, bool box)
{
	static char text[2000];
	struct history_of of = {1, INT64_MAX, box};

	text[0] = '\0';
	assert_int_equal(history_house(&b->db, &of, add_word, text), ERR_OK);
	return text;
}

static void slots_that_follow_a_rule_are_no_acts_of_their_own(void **state)
{
	struct book *b = *state;
	struct ticket_want want = {.restaurant_id = 1, .party = 1, .capacity = 40, .starts_s = 1926666000};

	book_exec(b->db.handle, "UPDATE restaurants SET reservation_limit = 40");
	book_slot(b->db.handle, 1, "2031-01-20", "18:00", 40);
	change(b, HOUSE_SETTINGS, "{\"reservation_limit\":30}");
	assert_int_equal(book_int(b->db.handle, "SELECT max_capacity FROM restaurant_reservation_slots"), 30);
	assert_null(strstr(told(b, true), "slot."));
	snprintf(want.date, sizeof want.date, "2031-01-20");
	snprintf(want.time, sizeof want.time, "18:00");
	assert_int_equal(house_set_slot(&b->db, &want, 5, "user:3"), ERR_OK);
	assert_non_null(strstr(told(b, true), "slot.max_capacity"));
}

static void accounts_stand_in_the_history_of_the_box(void **state)
{
	struct book *b = *state;
	struct staff_by by = {0};
	struct staff_change to = {.name = "Nina", .email = "nina@example.com", .role = USER_MANAGER};
	struct user u;
	int64_t owner, id, before;

	assert_int_equal(staff_add(&b->db, USER_OWNER, "Anna", "anna@example.com", NULL, false, "shell", 0, &owner), ERR_OK);
	assert_int_equal(staff_add(&b->db, USER_STAFF, "Nina", "nina@example.com", NULL, false, "user:1", 0, &id), ERR_OK);
	assert_int_equal(staff_get(&b->db, owner, &u), ERR_OK);
	by = (struct staff_by){owner, 0, u.token_version};
	to.id = id;
	assert_int_equal(staff_change(&b->db, &by, &to, "user:1", 0), ERR_OK);
	before = rows(b);
	assert_int_equal(staff_change(&b->db, &by, &to, "user:1", 0), ERR_OK);
	assert_int_equal(rows(b), before); /* nothing is other than it was */
	assert_int_equal(staff_get(&b->db, id, &u), ERR_OK);
	assert_int_equal(u.type, USER_MANAGER);
	assert_string_equal(users_type_word(u.type), "MANAGER");
	assert_non_null(strstr(told(b, true), "user.role user.added user.added "));
	assert_null(strstr(told(b, false), "user."));
	/* A manager cannot give roles, whoever checked it before. */
	by = (struct staff_by){id, 0, u.token_version};
	to.role = USER_OWNER;
	assert_int_equal(staff_change(&b->db, &by, &to, "user:1", 0), ERR_FORBIDDEN);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM users WHERE user_type = 'OWNER'"), 1);
}

/* ---- notes of a day ---- */

static void a_note_of_a_day_is_one_text_with_a_version(void **state)
{
	struct book *b = *state;
	struct daynote n;
	int64_t before;

	assert_int_equal(daynotes_get(&b->db, 1, "2031-01-20", &n), ERR_OK);
	assert_int_equal(n.version, 0);
	assert_int_equal(daynotes_set(&b->db, 1, "2031-01-20", "Oven 2 is broken", 0, "user:1", 1940000000, &n), ERR_OK);
	assert_int_equal(n.version, 1);
	assert_int_equal(daynotes_set(&b->db, 1, "2031-01-20", "another", 0, "user:1", 1940000000, &n), ERR_STALE);
	assert_string_equal(n.note, "Oven 2 is broken");
	before = rows(b);
	assert_int_equal(daynotes_set(&b->db, 1, "2031-01-20", "Oven 2 is broken", 1, "user:1", 1940000000, &n), ERR_OK);
	assert_int_equal(n.version, 1);
	assert_int_equal(rows(b), before);
	assert_int_equal(daynotes_set(&b->db, 1, "2031-01-20", "", DAYNOTES_ANY, "user:1", 1940000000, &n), ERR_OK);
	assert_int_equal(n.version, 2);
	assert_string_equal(n.note, "");
	assert_int_equal(daynotes_get(&b->db, 2, "2031-01-20", &n), ERR_OK);
	assert_int_equal(n.version, 0); /* of the house alone */
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM audit WHERE change = 'day_note' AND to_value ="
						" '2031-01-20' AND from_value IS NULL AND restaurant_id = 1"),
			 2);
}

static void who_is_forgotten_is_so_in_the_notes_of_their_days(void **state)
{
	struct book *b = *state;
	struct daynote n;

	book_slot(b->db.handle, 1, "2024-12-01", "18:00", 20);
	book_reservation(b->db.handle, 1, 1, 1, 2, "COMPLETED", "2024-12-01T00:00:00Z");
	assert_int_equal(daynotes_set(&b->db, 1, "2024-12-01", "Kim has a birthday", 0, "user:9", 1733000000, &n), ERR_OK);
	assert_int_equal(daynotes_set(&b->db, 1, "2024-12-02", "Oven 2", 0, "user:9", 1733000000, &n), ERR_OK);
	assert_int_equal(forget_guest(&b->db, 1, "user:9", 1768874400), ERR_OK);
	assert_int_equal(daynotes_get(&b->db, 1, "2024-12-01", &n), ERR_OK);
	assert_string_equal(n.note, "");
	assert_int_equal(daynotes_get(&b->db, 1, "2024-12-02", &n), ERR_OK);
	assert_string_equal(n.note, "Oven 2");
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM audit WHERE ifnull(to_value, '') LIKE '%%Kim%%'"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(saving_without_a_change_writes_nothing),
		TEST(a_special_day_changes_what_it_names_and_leaves_its_other_rows),
		TEST(joins_keep_their_rows_and_go_with_their_tables),
		TEST(a_table_that_is_gone_keeps_its_name_in_the_history),
		TEST(every_change_of_the_menu_is_written_down),
		TEST(slots_that_follow_a_rule_are_no_acts_of_their_own),
		TEST(accounts_stand_in_the_history_of_the_box),
		TEST(a_note_of_a_day_is_one_text_with_a_version),
		TEST(who_is_forgotten_is_so_in_the_notes_of_their_days),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
