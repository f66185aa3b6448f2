/*
 * e2e_history.c - histories by the API: acts with what they changed, rows of earlier versions too; the note of a day, and a dish
 * that is sold out.
 */
#include "appliance.h"
#include "talk.h"
#include "unit.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

static struct appliance box;
static char owner[TALK_HEADERS], staff[TALK_HEADERS], stranger[TALK_HEADERS];

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 4);
	talk_add_staff(&box, "owner@example.com", owner);
	talk_add_staff(&box, "staff@example.com", staff);
	talk_add_staff(&box, "stranger@example.com", stranger);
	appliance_sql(&box, "UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'; INSERT INTO restaurants"
			    " (restaurant_id, name) VALUES (2, 'other'); UPDATE users SET restaurant_id = 2 WHERE email ="
			    " 'stranger@example.com'");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

static const char *house_history(void)
{
	const struct http_answer *a = talk_as(&box, owner, "GET", "/api/desk/history?restaurantId=1", NULL);

	assert_int_equal(a->status, 200);
	return a->body;
}

static void tells(const char *history, const char *part)
{
	if (!strstr(history, part))
		fail_msg("%s\nis not in\n%.3000s", part, history);
}

/* The book is sound where the audit ends with what is so. */
static void end_with(const char *setting)
{
	appliance_sql(
		&box,
		"INSERT INTO audit (at, actor, entity, entity_id, change, to_value) SELECT '2026-01-02T00:00:00Z', 'shell',"
		" 'restaurant', 1, '%s', %s FROM restaurants WHERE restaurant_id = 1",
		setting, setting);
}

/* As they were written before 0012. */
static void rows_of_earlier_versions_are_read_as_those_of_today(void **state)
{
	static const struct {
		const char *entity, *change, *from, *to, *told;
	} rows[] = {
		{"restaurant", "hours", "7 17:30-23:00", "7 17:30-25:00",
		 "\"from\":{\"weekday\":7,\"opens\":\"17:30\",\"closes\":\"23:00\"},\"to\":{\"weekday\":7,\"opens\":\"17:30\","
		 "\"closes\":\"25:00\"}"},
		{"restaurant", "special_day", "", "2026-12-24 closed", "\"to\":{\"day\":\"2026-12-24\",\"closed\":true}"},
		{"restaurant", "special_day", "2026-12-31 17:00-25:00", "",
		 "\"from\":{\"day\":\"2026-12-31\",\"opens\":\"17:00\""},
		{"restaurant", "opening", "", "2026-12-01-2026-12-31 2026-11-01T01:00:00Z",
		 "\"to\":{\"from\":\"2026-12-01\",\"to\":\"2026-12-31\",\"opensAt\":\"2026-11-01T01:00:00Z\"}"},
		{"restaurant", "sitting_minutes", "120", "5", "{\"what\":\"sittingMinutes\",\"from\":120,\"to\":5}"},
		{"table", "changed", "9, Window, 1 to 4", "9, Window, 1 to 6, STAFF",
		 "\"to\":{\"openTo\":\"STAFF\",\"name\":\"9, Window\",\"seatsMin\":1,\"seatsMax\":6}"},
		{"menu", "changed", "Bibim, large, 11000", "Bibim, large, 12000, off the menu",
		 "\"from\":{\"soldOut\":false,\"price\":11000,\"name\":\"Bibim, large\"},\"to\":null"},
		{"mail", "changed", "OFF -:587", "SMTP mail.example.com:25",
		 "\"to\":{\"way\":\"SMTP\",\"port\":25,\"host\":\"mail.example.com\"}"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		appliance_sql(
			&box,
			"INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)"
			" VALUES ('2026-01-01T00:00:%02dZ', 'user:1', '%s', 1, '%s', nullif('%s', ''), nullif('%s', ''), 1)",
			(int)i, rows[i].entity, rows[i].change, rows[i].from, rows[i].to);
	for (size_t i = 0; i < COUNT(rows); i++)
		tells(house_history(), rows[i].told);
	/* A table that stayed as it was was written down as well: it tells nothing. */
	appliance_sql(&box, "INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)"
			    " VALUES ('2026-01-01T00:01:00Z', 'user:1', 'table', 1, 'changed', '77, 1 to 4', '77, 1 to 4', 1)");
	assert_null(strstr(house_history(), "\"77\""));
	/* What the book cannot mean is told as far as it goes, and breaks nothing. */
	appliance_sql(&box,
		      "INSERT INTO audit (at, actor, entity, entity_id, change, from_value, to_value, restaurant_id)"
		      " SELECT '2026-01-01T00:02:00Z', 'x', value, 1, 'hours', 'a', 'b, ', 1 FROM json_each('[\"restaurant\","
		      "\"table\",\"join\",\"menu\",\"block\",\"mail\",\"slot\",\"payment\",\"user\",\"card\",\"y\"]')");
	house_history();
	end_with("sitting_minutes");
}

static void a_long_history_comes_in_pages_and_no_act_is_cut(void **state)
{
	const struct http_answer *a;
	char path[120];
	int64_t before;

	(void)state;
	appliance_sql(&box,
		      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) INSERT INTO audit (at,"
		      " actor, entity, entity_id, change, from_value, to_value, restaurant_id) SELECT '2026-01-01T00:00:' ||"
		      " printf('%%02dZ', i / 30), 'user:1', 'restaurant', 1, 'party_max', i, i + 1, 1 FROM n");
	a = talk_as(&box, owner, "GET", "/api/desk/history?restaurantId=1", NULL);
	before = http_int(a, "before");
	assert_true(before > 0);
	snprintf(path, sizeof path, "/api/desk/history?restaurantId=1&before=%lld", (long long)before);
	a = talk_as(&box, owner, "GET", path, NULL);
	assert_true(http_int(a, "before") > 0 && http_int(a, "before") < before);
	snprintf(path, sizeof path, "/api/desk/history?restaurantId=1&before=%lld", (long long)http_int(a, "before"));
	a = talk_as(&box, owner, "GET", path, NULL);
	assert_null(strstr(a->body, "\"before\""));
	tells(a->body, "{\"what\":\"partyMax\",\"from\":1,\"to\":2}");
	end_with("party_max");
}

static void a_note_of_the_day_is_seen_by_all_and_changed_by_who_has_seen_it(void **state)
{
	static const char PATH[] = "/api/desk/day-note?restaurantId=1", DAY[] = "/api/desk/day?restaurantId=1&date=2030-01-01";

	(void)state;
	tells(talk_as(&box, staff, "GET", DAY, NULL)->body, "\"dayNote\":null");
	talk_says(talk_as(&box, staff, "PUT", PATH, "{\"date\":\"2030-01-01\",\"note\":\"Oven 2\"}"), 200, "");
	tells(talk_as(&box, owner, "GET", DAY, NULL)->body, "\"dayNote\":{\"note\":\"Oven 2\",\"by\":\"Kim\"");
	talk_says(talk_as(&box, owner, "PUT", PATH, "{\"date\":\"2030-01-01\",\"note\":\"x\",\"version\":0}"), 409, "STALE");
	tells(talk_as(&box, owner, "PUT", PATH, "{\"date\":\"2030-01-01\",\"note\":\"x\",\"version\":7}")->body, "\"Oven 2\"");
	talk_says(talk_as(&box, owner, "PUT", PATH, "{\"date\":\"2030-13-01\",\"note\":\"x\"}"), 400, "BAD_DATE");
	talk_says(talk_as(&box, owner, "PUT", PATH, "{\"date\":\"2030-01-01\",\"text\":\"x\"}"), 400, "UNKNOWN_FIELD");
	talk_says(talk_as(&box, stranger, "PUT", PATH, "{\"date\":\"2030-01-01\",\"note\":\"x\"}"), 404, "NO_SUCH_RESTAURANT");
	talk_says(talk_as(&box, owner, "PUT", PATH, "{\"date\":\"2030-01-01\",\"note\":\"\",\"version\":1}"), 200, "");
	tells(house_history(), "{\"what\":\"dayNote\",\"from\":null,\"to\":\"2030-01-01\"}");
	assert_null(strstr(house_history(), "Oven"));
}

static void a_dish_that_is_sold_out_cannot_be_ordered_until_it_is_back(void **state)
{
	static const char DAY[] = "/api/desk/day?restaurantId=1&date=2030-01-01", PATH[] = "/api/desk/menu/1/sold-out";

	(void)state;
	talk_says(talk_as(&box, stranger, "POST", PATH, "{\"soldOut\":true}"), 404, "NOT_FOUND");
	talk_says(talk_as(&box, staff, "POST", PATH, "{}"), 400, "MISSING_FIELD");
	talk_says(talk_as(&box, staff, "POST", PATH, "{\"soldOut\":true}"), 200, "");
	tells(talk_as(&box, staff, "GET", DAY, NULL)->body, "\"dishesOff\":[{\"menuId\":1,");
	tells(http_get(box.port, "/api/restaurants/1")->body, "\"soldOut\":true");
	tells(house_history(), "\"soldOut\":true");
	talk_says(talk_as(&box, staff, "POST", PATH, "{\"soldOut\":false}"), 200, "");
	tells(talk_as(&box, staff, "GET", DAY, NULL)->body, "\"dishesOff\":[]");
}

static void roles_are_given_by_the_owner_and_count_at_once(void **state)
{
	char path[80];

	(void)state;
	snprintf(path, sizeof path, "/api/desk/staff/%lld",
		 (long long)appliance_number(&box, "SELECT user_id FROM users WHERE email = 'staff@example.com'"));
	talk_says(talk_as(&box, staff, "GET", "/api/desk/refunds?restaurantId=1", NULL), 403, "FORBIDDEN");
	talk_says(talk_as(&box, owner, "PUT", path, "{\"email\":\"staff@example.com\",\"name\":\"Kim\",\"userType\":\"KING\"}"),
		  400, "OUT_OF_RANGE");
	tells(talk_as(&box, owner, "PUT", path, "{\"email\":\"staff@example.com\",\"name\":\"Kim\",\"userType\":\"MANAGER\"}")
		      ->body,
	      "\"MANAGER\"");
	talk_says(talk_as(&box, staff, "GET", "/api/desk/refunds?restaurantId=1", NULL), 200, "");
	tells(talk_as(&box, staff, "GET", "/api/desk/me", NULL)->body, "menu\"");
	assert_null(strstr(talk_as(&box, staff, "GET", "/api/desk/me", NULL)->body, "settings\""));
	assert_null(strstr(talk_as(&box, staff, "GET", "/api/desk/house?restaurantId=1", NULL)->body, "@example.com"));
	tells(house_history(), "{\"what\":\"staffRole\",\"from\":\"STAFF\",\"to\":\"MANAGER\"");
	snprintf(path, sizeof path, "/api/desk/staff/%lld",
		 (long long)appliance_number(&box, "SELECT user_id FROM users WHERE email = 'owner@example.com'"));
	talk_says(
		talk_as(&box, owner, "PUT", path, "{\"email\":\"owner@example.com\",\"name\":\"Kim\",\"userType\":\"STAFF\"}"),
		409, "BAD_MOVE");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_of_earlier_versions_are_read_as_those_of_today, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_long_history_comes_in_pages_and_no_act_is_cut, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_note_of_the_day_is_seen_by_all_and_changed_by_who_has_seen_it, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_dish_that_is_sold_out_cannot_be_ordered_until_it_is_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(roles_are_given_by_the_owner_and_count_at_once, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
