/*
 * e2e_change.c - a change by its API: what costs more waits for its money, and what a guest is told of it.
 */
#include "appliance.h"
#include "guests.h"
#include "talk.h"
#include "token.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static struct appliance box;
static struct ran ran;
static char staff[TALK_HEADERS], day[TEXT_DATE_SIZE];

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 4);
	guests_day(3, day);
	talk_add_staff(&box, "staff@example.com", staff);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

static const struct http_answer *say(const char *method, const char *token, int64_t id, const char *word, const char *body)
{
	char path[120], headers[600];

	snprintf(path, sizeof path, "/api/reservations/%lld%s", (long long)id, word);
	snprintf(headers, sizeof headers, "X-Manage-Token: %.400s\r\nContent-Type: application/json\r\n", token);
	return http_ask(box.port, (struct http_call){.method = method, .path = path, .headers = headers, .body = body});
}

static void expect(const struct http_answer *a, int status, const char *part)
{
	if (a->status != status || !strstr(a->body, part))
		fail_msg("%d, not %d with %s: %.600s", a->status, status, part, a->body);
}

/* Paid for one at a time of their own; the code and the manage token. */
static int64_t paid_for_one(const char *phone, const char *time, char code[HTTP_TEXT], char token[HTTP_TEXT])
{
	char body[500];
	const struct http_answer *a;
	int64_t id;

	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":1,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Kim\",\"phone\":\"%s\"}}",
		 day, time, phone);
	a = http_ask(box.port, (struct http_call){.path = "/api/reservations",
						  .headers = "Content-Type: application/json\r\nIdempotency-Key: one\r\n",
						  .body = body});
	assert_int_equal(a->status, 201);
	id = http_int(a, "reservationId");
	http_text(a, "reservationCode", code);
	http_text(a, "manageToken", token);
	appliance_run(&box, &ran, NULL, "confirm", code, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	return id;
}

/* A guest orders so many of a dish ahead, for so many. */
static const struct http_answer *order_ahead(int64_t dish, int quantity, int party)
{
	static int key;
	char body[500], headers[120];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: dish-%d\r\n", ++key);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"18:00\",\"partySize\":%d,\"reservationType\":"
		 "\"PREORDER_PREPAY\",\"menuItems\":[{\"menuId\":%lld,\"quantity\":%d}],\"guest\":{\"name\":\"Kim\",\"phone\":"
		 "\"010-3131-%04d\"}}",
		 day, party, (long long)dish, quantity, key);
	return http_ask(box.port, (struct http_call){.path = "/api/reservations", .headers = headers, .body = body});
}

/* Twelve of whom a deposit is asked order water ahead, or one bowl of rice. */
static void a_cheap_dish_is_no_way_around_a_deposit(void **state)
{
	char token[HTTP_TEXT], code[HTTP_TEXT];
	const struct http_answer *a;
	int64_t water, rice, id;

	(void)state;
	appliance_sql(&box, "INSERT INTO menus (restaurant_id, name, price) VALUES (1, 'Water', 0), (1, 'Rice', 1000)");
	rice = appliance_number(&box, "SELECT max(menu_id) FROM menus");
	water = rice - 1;
	expect(order_ahead(water, 6, 6), 201, "\"amountDue\":30000");
	expect(order_ahead(rice, 1, 12), 201, "\"amountDue\":120000");
	expect(order_ahead(rice, 40, 6), 201, "\"amountDue\":40000"); /* and nothing beside what is enough */
	/* Nor is it one to order for one and bring twelve. */
	appliance_sql(&box, "UPDATE reservations SET status = 'CANCELED' WHERE status = 'TEMPORARY';"
			    " UPDATE restaurants SET deposit_from = 6");
	a = order_ahead(rice, 2, 1);
	expect(a, 201, "\"amountDue\":2000");
	id = http_int(a, "reservationId");
	http_text(a, "reservationCode", code);
	http_text(a, "manageToken", token);
	expect(say("POST", token, id, "/change", "{\"partySize\":12}"), 200, "\"totalAmount\":120000");
	expect(say("POST", token, id, "/change", "{\"partySize\":1}"), 200, "\"totalAmount\":2000");
	appliance_run(&box, &ran, NULL, "confirm", code, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	expect(say("POST", token, id, "/change", "{\"partySize\":5}"), 200, "\"totalAmount\":2000");
	expect(say("POST", token, id, "/change", "{\"partySize\":12}"), 202, "\"amountDue\":118000");
	appliance_run(&box, &ran, NULL, "confirm", code, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	expect(say("GET", token, id, "", NULL), 200, "\"totalAmount\":120000");
	appliance_check(&box);
	expect(say("POST", token, id, "/change", "{\"partySize\":6}"), 200, "\"totalAmount\":61000"); /* the rice, and half */
	expect(say("POST", token, id, "/cancel", "{}"), 200, "\"CANCELED\"");
	expect(order_ahead(water, 5, 5), 201, "\"status\":\"CONFIRMED\"");
	appliance_sql(&box, "UPDATE restaurants SET deposit_from = 1; UPDATE menus SET is_deleted = 1 WHERE menu_id >= %lld",
		      (long long)water);
}

static const char *two_of(const char *date)
{
	static char body[400];

	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"18:00\",\"partySize\":2,\"reservationType\":"
		 "\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Lee\",\"phone\":\"010-3131-9999\"}}",
		 date);
	return body;
}

/* Where a card is left in the place of a deposit, a change is no way around it, and neither is a dish. */
static void a_card_that_is_asked_for_is_left_or_nobody_sits(void **state)
{
	char token[HTTP_TEXT], path[80];
	const struct http_answer *a;
	int64_t rice, id;

	(void)state;
	appliance_sql(&box,
		      "INSERT INTO menus (restaurant_id, name, price) VALUES (1, 'Bowl', 1000);"
		      " INSERT INTO payment_settings (restaurant_id, provider, store_id, channel_key, secret, webhook_secret,"
		      " guarantee, guarantee_amount, guarantee_terms, updated_at) VALUES (1, 'portone', 's', 'c', 'k', '', 1,"
		      " 30000, 'no-shows', '2026-01-01T00:00:00Z');"
		      " UPDATE restaurants SET deposit_from = 6, deposit_per_person = 0, deposit_large_per_person = 0");
	rice = appliance_number(&box, "SELECT max(menu_id) FROM menus");
	a = order_ahead(rice, 1, 12);
	expect(a, 201, "\"amountDue\":360000");
	snprintf(path, sizeof path, "/api/desk/reservations/%lld", (long long)http_int(a, "reservationId"));
	a = http_ask(box.port,
		     (struct http_call){
			     .method = "PATCH", .path = path, .headers = staff, .body = "{\"version\":1,\"partySize\":10}"});
	expect(a, 200, "\"partySize\":10,");
	assert_int_equal(appliance_number(&box, "SELECT max(total_amount) FROM reservations WHERE status = 'TEMPORARY'"),
			 300000);
	a = order_ahead(rice, 1, 2);
	expect(a, 201, "\"amountDue\":1000");
	appliance_sql(&box, "UPDATE reservations SET status = 'CANCELED' WHERE status = 'TEMPORARY'");
	a = http_ask(box.port, (struct http_call){.path = "/api/reservations",
						  .headers = "Content-Type: application/json\r\nIdempotency-Key: two\r\n",
						  .body = two_of(day)});
	expect(a, 201, "\"status\":\"CONFIRMED\"");
	id = http_int(a, "reservationId");
	http_text(a, "manageToken", token);
	expect(say("POST", token, id, "/change", "{\"partySize\":12}"), 409, "CARD_WANTED");
	expect(say("POST", token, id, "/change", "{\"partySize\":5}"), 200, "\"partySize\":5,");
	expect(say("POST", token, id, "/change", "{\"partySize\":6}"), 409, "CARD_WANTED");
	expect(say("POST", token, id, "/cancel", "{}"), 200, "\"CANCELED\"");
	appliance_sql(&box,
		      "DELETE FROM payment_settings; UPDATE menus SET is_deleted = 1 WHERE menu_id = %lld;"
		      " UPDATE restaurants SET deposit_from = 1, deposit_per_person = 5000, deposit_large_per_person = 10000",
		      (long long)rice);
}

static int64_t kept(int64_t id)
{
	return appliance_number(&box, "SELECT ifnull(sum(kept_amount), 0) FROM payments WHERE reservation_id = %lld",
				(long long)id);
}

static void twelve_for_the_price_of_one_waits_for_the_rest(void **state)
{
	char code[HTTP_TEXT], token[HTTP_TEXT];
	int64_t id = paid_for_one("010-5550-0001", "12:00", code, token);

	(void)state;
	expect(say("POST", token, id, "/change", "{\"partySize\":12}"), 202, "\"amountDue\":115000");
	expect(say("GET", token, id, "", NULL), 200, "\"partySize\":1,");
	expect(say("GET", token, id, "", NULL), 200, "\"pendingChange\":{");
	expect(say("DELETE", token, id, "/change", NULL), 200, "\"pendingChange\":null");
	expect(say("DELETE", token, id, "/change", NULL), 200, "\"pendingChange\":null");
	expect(say("POST", token, id, "/change", "{\"partySize\":12}"), 202, "\"partySize\":12");
	appliance_run(&box, &ran, NULL, "confirm", code, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
	expect(say("GET", token, id, "", NULL), 200, "\"partySize\":12,");
	expect(say("GET", token, id, "", NULL), 200, "\"pendingChange\":null");
	assert_int_equal(kept(id), 120000);
}

static void the_desk_sees_the_change_and_takes_its_money(void **state)
{
	char code[HTTP_TEXT], token[HTTP_TEXT], path[160], body[64];
	int64_t id = paid_for_one("010-5550-0002", "13:00", code, token), hold;

	(void)state;
	expect(say("POST", token, id, "/change", "{\"partySize\":2}"), 202, "\"amountDue\":5000");
	snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", day);
	expect(http_ask(box.port, (struct http_call){.path = path, .headers = staff}), 200, "\"changeDue\":5000");
	hold = appliance_number(&box, "SELECT reservation_id FROM reservations WHERE change_of = %lld", (long long)id);
	snprintf(path, sizeof path, "/api/desk/reservations/%lld/confirm", (long long)hold);
	snprintf(body, sizeof body, "{\"version\":1}");
	expect(http_ask(box.port, (struct http_call){.path = path, .headers = staff, .body = body}), 200, "\"EXPIRED\"");
	expect(say("GET", token, id, "", NULL), 200, "\"partySize\":2,");
	assert_int_equal(kept(id), 10000);
	expect(say("POST", token, id, "/change", "{\"partySize\":1}"), 200, "\"partySize\":1,");
	assert_int_equal(kept(id), 5000);
}

static void a_change_is_no_reservation_of_its_own(void **state)
{
	char code[HTTP_TEXT], token[HTTP_TEXT], body[160];
	int64_t id = paid_for_one("010-5550-0003", "18:00", code, token), hold;

	(void)state;
	expect(say("POST", token, id, "/change", "{\"slotTime\":\"19:00\",\"partySize\":3}"), 202, "\"slotTime\":\"19:00\"");
	hold = appliance_number(&box, "SELECT reservation_id FROM reservations WHERE change_of = %lld", (long long)id);
	assert_int_not_equal(say("GET", token, hold, "", NULL)->status, 200);
	assert_int_not_equal(say("POST", token, hold, "/cancel", "{}")->status, 200);
	snprintf(body, sizeof body, "{\"reservationCode\":\"CHANGE-%lld\",\"phone\":\"010-5550-0003\"}", (long long)hold);
	assert_int_equal(http_post(box.port, "/api/reservations/find", body)->status, 404);
	expect(say("POST", token, id, "/cancel", "{}"), 200, "\"CANCELED\"");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM reservations WHERE change_of = %lld AND is_active = 1",
					  (long long)id),
			 0);
	assert_int_equal(kept(id), 0);
}

/* A manage token, as only the box itself could sign it. */
static void sign(int64_t id, char out[TOKEN_TEXT_SIZE])
{
	unsigned char key[TOKEN_KEY_SIZE];

	assert_true(token_init() && token_read_key(box.dir, key));
	token_sign(key, &(struct token){.purpose = TOKEN_MANAGE, .id = id}, out);
}

static void no_token_of_a_change_opens_the_reservation(void **state)
{
	char code[HTTP_TEXT], token[HTTP_TEXT], path[300], told[60], wrong[TOKEN_TEXT_SIZE];
	int64_t id = paid_for_one("010-5550-0004", "20:00", code, token), hold;

	(void)state;
	expect(say("POST", token, id, "/change", "{\"partySize\":3}"), 202, "\"manageToken\"");
	hold = appliance_number(&box, "SELECT reservation_id FROM reservations WHERE change_of = %lld", (long long)id);
	sign(hold, wrong);
	assert_int_not_equal(say("GET", wrong, hold, "", NULL)->status, 200);
	assert_int_not_equal(say("GET", wrong, hold, "/qr", NULL)->status, 200);
	assert_int_not_equal(say("DELETE", wrong, hold, "/change", NULL)->status, 200);
	assert_int_not_equal(say("POST", wrong, hold, "/cancel", "{}")->status, 200);
	snprintf(path, sizeof path, "X-Manage-Token: %s\r\n", wrong);
	assert_int_not_equal(
		http_ask(box.port, (struct http_call){.path = "/api/reservations/managed", .headers = path})->status, 200);
	assert_int_equal(appliance_number(&box,
					  "SELECT count(*) FROM reservations WHERE reservation_id = %lld AND status ="
					  " 'TEMPORARY' AND reservation_code LIKE '____-____'",
					  (long long)hold),
			 1);
	snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", day);
	snprintf(told, sizeof told, "\"changeOfCode\":\"%.20s\"", code);
	expect(http_ask(box.port, (struct http_call){.path = path, .headers = staff}), 200, told);
	expect(say("DELETE", token, id, "/change", NULL), 200, "\"manageToken\"");
}

static const struct http_answer *act(int64_t id, const char *word, int64_t version, const char *more)
{
	char path[160], body[120];

	snprintf(path, sizeof path, "/api/desk/reservations/%lld/%s", (long long)id, word);
	snprintf(body, sizeof body, "{\"version\":%lld%s}", (long long)version, more);
	return http_ask(box.port, (struct http_call){.path = path, .headers = staff, .body = body});
}

static const struct http_answer *receive(int64_t id, int64_t version, const char *more)
{
	return act(id, "confirm", version, more);
}

static int64_t version_of(int64_t id)
{
	return appliance_number(&box, "SELECT version FROM reservations WHERE reservation_id = %lld", (long long)id);
}

static void money_is_taken_for_what_was_seen_and_named(void **state)
{
	char code[HTTP_TEXT], token[HTTP_TEXT];
	int64_t id = paid_for_one("010-5550-0009", "17:00", code, token), seen;

	(void)state;
	expect(say("POST", token, id, "/change", "{\"partySize\":2}"), 202, "\"amountDue\":5000");
	seen = version_of(id);
	expect(say("DELETE", token, id, "/change", NULL), 200, "\"pendingChange\":null");
	expect(receive(id, seen, ""), 409, "STALE");
	expect(say("POST", token, id, "/change", "{\"partySize\":12}"), 202, "\"amountDue\":115000");
	expect(receive(id, seen, ""), 409, "STALE");
	expect(receive(id, version_of(id), ",\"amount\":5000"), 409, "\"amountDue\":115000");
	appliance_run(&box, &ran, NULL, "confirm", code, "5000", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.err, "115000 KRW are due for a party of 12; nothing was written down"));
	appliance_run(&box, &ran, NULL, "confirm", code, "5,000", "--dir", box.dir, NULL);
	assert_non_null(strstr(ran.err, "5,000 is no amount"));
	assert_int_equal(kept(id), 5000);
	expect(say("DELETE", token, id, "/change", NULL), 200, "\"pendingChange\":null");
	appliance_run(&box, &ran, NULL, "confirm", code, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.err, "written down as due back: 115000 KRW"));
	expect(say("POST", token, id, "/change", "{\"partySize\":2}"), 202, "\"amountDue\":5000");
	appliance_run(&box, &ran, NULL, "confirm", code, "--dir", box.dir, NULL);
	assert_non_null(strstr(ran.out, "confirmed: 5000 KRW for a change to 2"));
	appliance_run(&box, &ran, NULL, "confirm", code, "--dir", box.dir, NULL);
	assert_non_null(strstr(ran.out, "confirmed before; no payment was written down"));
	assert_int_equal(kept(id), 10000);
	appliance_check(&box);
}

static int64_t due_back_of(int64_t id)
{
	return appliance_number(&box,
				"SELECT ifnull(sum(due_back_amount), 0) FROM payments WHERE reservation_id = %lld OR"
				" reservation_id IN (SELECT reservation_id FROM reservations WHERE change_of = %lld)",
				(long long)id, (long long)id);
}

/* Its money came after the desk had ended the change, and once more after that was undone: both stand in the book. */
static void other_money_for_a_change_is_a_second_payment(void **state)
{
	char code[HTTP_TEXT], token[HTTP_TEXT];
	int64_t id = paid_for_one("010-5550-0010", "18:00", code, token), hold;

	(void)state;
	expect(say("POST", token, id, "/change", "{\"partySize\":2}"), 202, "\"amountDue\":5000");
	hold = appliance_number(&box, "SELECT reservation_id FROM reservations WHERE change_of = %lld", (long long)id);
	expect(act(hold, "cancel", version_of(hold), ""), 200, "\"EXPIRED\"");
	expect(receive(hold, version_of(hold), ""), 409, "PAID_TOO_LATE");
	expect(act(hold, "undo", version_of(hold), ""), 200, "\"TEMPORARY\"");
	assert_int_equal(due_back_of(id), 5000);
	expect(receive(hold, version_of(hold), ",\"again\":1"), 200, "\"EXPIRED\"");
	expect(say("GET", token, id, "", NULL), 200, "\"partySize\":2,");
	assert_int_equal(kept(id), 10000);
	assert_int_equal(due_back_of(id), 5000);
	appliance_check(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cheap_dish_is_no_way_around_a_deposit),
		cmocka_unit_test(a_card_that_is_asked_for_is_left_or_nobody_sits),
		cmocka_unit_test(twelve_for_the_price_of_one_waits_for_the_rest),
		cmocka_unit_test(the_desk_sees_the_change_and_takes_its_money),
		cmocka_unit_test(a_change_is_no_reservation_of_its_own),
		cmocka_unit_test(no_token_of_a_change_opens_the_reservation),
		cmocka_unit_test(money_is_taken_for_what_was_seen_and_named),
		cmocka_unit_test(other_money_for_a_change_is_a_second_payment),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
