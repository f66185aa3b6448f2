/*
 * test_users.c - guests, accounts, staff and owner.
 */
#include "users.h"

#include "book.h"
#include "rehearsal.h"
#include "staff.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static int64_t add_login(struct book *b, enum user_type type, const char *email, const char *hash)
{
	int64_t id = 0;

	assert_int_equal(staff_add(&b->db, type, "이름", email, hash, false, "test", 0, &id), ERR_OK);
	return id;
}

static void a_guest_is_found_by_the_number(void **state)
{
	struct book *b = *state;
	struct ticket_guest guest = {"김하나", "01011112222", "g@example.com", LANG_EN};
	int64_t id = 0, again = 0;
	struct txn t;
	struct user u;

	assert_int_equal(txn_begin(&t, &b->db, 1768874400), ERR_OK);
	assert_int_equal(users_add_guest(&t, &guest, 821044445555, &id), ERR_OK);
	assert_int_equal(users_add_guest(&t, &guest, 821044445555, &again), ERR_DUPLICATE); /* a number is one person */
	assert_int_equal(txn_end(&t, ERR_OK), ERR_OK);
	assert_int_equal(again, 0);
	assert_int_equal(users_by_phone(&b->db, 821044445556, &u), ERR_NOT_FOUND);
	assert_int_equal(users_by_phone(&b->db, 821044445555, &u), ERR_OK);
	assert_int_equal(u.id, id);
	assert_int_equal(u.type, USER_GUEST);
	assert_string_equal(u.name, "김하나");
	assert_true(u.token_version > 0);
	assert_string_equal(u.password_hash, "");
	assert_false(u.blocked || u.erased || u.phone_of);
	assert_int_equal(users_person(&u), id);
	assert_int_equal(book_int(b->db.handle,
				  "SELECT language = 'en' AND created_at = '2026-01-20T02:00:00Z'"
				  " FROM users WHERE user_id = %lld",
				  (long long)id),
			 1);
}

/* The shell's view of a number and ours are the same, whatever the spelling. */
static void every_spelling_is_one_number(void **state)
{
	static const struct {
		int code;
		const char *phone;
		int64_t key;
	} numbers[] = {
		{82, "010-1234-5678", 821012345678},     {82, "01012345678", 821012345678},
		{82, "+82 10 1234 5678", 821012345678},  {82, "+82 (0)10-1234-5678", 821012345678},
		{82, "0082 10 1234 5678", 821012345678}, {82, "82 10 1234 5678", 821012345678},
		{82, "(010) 1234.5678", 821012345678},   {82, "02-555-0142", 8225550142},
		{82, "1588-1234", 8215881234},           {82, "+1 212 555 0123", 12125550123},
		{82, "+49 171 1234567", 491711234567},   {82, "8212345", 828212345},
		{49, "0171 1234567", 491711234567},      {49, "+49 (0)171 1234567", 491711234567},
		{49, "004901711234567", 491711234567},   {49, "010-1234-5678", 491012345678},
		{1, "(212) 555-0123", 12125550123},      {1, "1-212-555-0123", 12125550123},
		{1, "+1 212 555 0123", 12125550123},     {39, "+39 06 698 1234", 3966981234},
		{39, "06 698 1234", 3966981234},         {34, "612 345 678", 34612345678},
		{34, "+34 612 345 678", 34612345678},    {82, "0000000", 0},
	};
	struct book *b = *state;

	for (size_t i = 0; i < COUNT(numbers); i++) {
		char plain[TEXT_PHONE_SIZE];

		assert_true(text_phone(numbers[i].phone, plain));
		assert_int_equal(text_phone_key(plain, numbers[i].code), numbers[i].key);
		book_exec(b->db.handle, "UPDATE restaurants SET calling_code = %d", numbers[i].code);
		for (int raw = 0; raw < 2; raw++) {
			book_exec(b->db.handle, "UPDATE users SET phone = NULL WHERE user_id = 1");
			book_exec(b->db.handle, "UPDATE users SET phone = '%s' WHERE user_id = 1",
				  raw ? numbers[i].phone : plain);
			assert_int_equal(book_int(b->db.handle, "SELECT ifnull(phone_key, 0) FROM users WHERE user_id = 1"),
					 numbers[i].key);
		}
	}
	book_exec(b->db.handle, "UPDATE users SET phone = '내선 12' WHERE user_id = 1");
	assert_int_equal(book_int(b->db.handle, "SELECT phone_key IS NULL FROM users WHERE user_id = 1"), 1);
}

static void a_stranger_is_not_found(void **state)
{
	struct book *b = *state;
	struct user u;

	assert_int_equal(users_get(&b->db, 999, &u), ERR_NOT_FOUND);
	assert_int_equal(users_by_login(&b->db, "nobody@example.com", &u), ERR_NOT_FOUND);
	assert_int_equal(users_by_login(&b->db, "", &u), ERR_NOT_FOUND);
}

static void a_login_is_found_in_any_case_and_a_guests_address_is_none(void **state)
{
	struct book *b = *state;
	int64_t id = add_login(b, USER_STAFF, "Staff@Example.com", "hash");
	struct user u;

	book_exec(b->db.handle, "UPDATE users SET email = 'guest@example.com' WHERE user_id = 1");
	assert_int_equal(users_by_login(&b->db, "sTAFF@example.COM", &u), ERR_OK);
	assert_int_equal(u.id, id);
	assert_int_equal(u.type, USER_STAFF);
	assert_string_equal(u.password_hash, "hash");
	assert_int_equal(users_by_login(&b->db, "guest@example.com", &u), ERR_NOT_FOUND);
}

static void an_address_logs_in_one_person(void **state)
{
	struct book *b = *state;
	int64_t id = -1;

	add_login(b, USER_OWNER, "one@example.com", NULL);
	assert_int_equal(staff_add(&b->db, USER_ACCOUNT, "B", "ONE@example.com", NULL, false, "test", 0, &id), ERR_DUPLICATE);
	assert_int_equal(id, -1);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM users WHERE user_type <> 'GUEST'"), 1);
}

static void a_new_password_ends_the_old_logins(void **state)
{
	struct book *b = *state;
	int64_t id = add_login(b, USER_STAFF, "s@example.com", "old"), other = add_login(b, USER_STAFF, "t@example.com", "old");
	struct user u;
	uint32_t first, others;

	assert_int_equal(users_get(&b->db, other, &u), ERR_OK);
	others = u.token_version;
	assert_int_equal(users_get(&b->db, id, &u), ERR_OK);
	/* Not the first number for everybody: after an older backup came back, a login of before opens no later user. */
	first = u.token_version;
	assert_true(first != others);
	assert_int_equal(staff_set_password(&b->db, &u, "new", 0), ERR_OK);
	assert_int_equal(staff_set_password(&b->db, &u, "newer", 0), ERR_LOGIN_FAILED); /* another request was faster */
	assert_int_equal(users_get(&b->db, id, &u), ERR_OK);
	assert_string_equal(u.password_hash, "new");
	assert_int_equal(u.token_version, first + 1);
	assert_int_equal(users_get(&b->db, other, &u), ERR_OK);
	assert_int_equal(u.token_version, others);
}

static void blocked_and_erased_are_told(void **state)
{
	struct book *b = *state;
	struct user u;

	book_exec(b->db.handle, "UPDATE users SET is_blocked = 1, erased_at = '2026-01-20T00:00:00Z' WHERE user_id = 1");
	assert_int_equal(users_get(&b->db, 1, &u), ERR_OK);
	assert_true(u.blocked && u.erased);
}

struct heard {
	int count;
	int64_t ids[16];
	uint32_t versions[16];
	char text[200];
};

static void hear_staff(void *arg, const struct stmt_cell *row, int count)
{
	struct heard *h = arg;
	size_t n = strlen(h->text);

	h->ids[h->count++] = stmt_cell(row, count, "userId")->number;
	snprintf(h->text + n, sizeof h->text - n, "%s %s;", stmt_cell(row, count, "userType")->text,
		 stmt_cell(row, count, "email")->text);
}

static void staff_and_owners_are_listed_and_no_others(void **state)
{
	struct book *b = *state;
	struct heard h = {0};
	int64_t owners = -1;

	assert_int_equal(staff_count_owners(&b->db, &owners), ERR_OK);
	assert_int_equal(owners, 0);
	add_login(b, USER_OWNER, "o@example.com", NULL);
	add_login(b, USER_ACCOUNT, "a@example.com", NULL);
	add_login(b, USER_STAFF, "s@example.com", NULL);
	add_login(b, USER_OWNER, "gone@example.com", NULL);
	book_exec(b->db.handle, "UPDATE users SET erased_at = '2026-01-20T00:00:00Z' WHERE email = 'gone@example.com'");
	assert_int_equal(staff_list(&b->db, 0, hear_staff, &h), ERR_OK);
	assert_string_equal(h.text, "OWNER o@example.com;STAFF s@example.com;");
	assert_int_equal(staff_count_owners(&b->db, &owners), ERR_OK);
	assert_int_equal(owners, 1);
}

static void hear_token(void *arg, int64_t id, uint32_t version)
{
	struct heard *h = arg;

	h->versions[h->count] = version;
	h->ids[h->count++] = id;
}

static void load_test_guests_are_used_again(void **state)
{
	struct book *b = *state;
	struct heard first = {0}, second = {0}, third = {0};
	struct user u;

	assert_int_equal(rehearsal_make_users(&b->db, 3, NULL, 0, hear_token, &first), ERR_OK);
	assert_int_equal(rehearsal_make_users(&b->db, 5, NULL, 0, hear_token, &second), ERR_OK);
	assert_int_equal(first.count, 3);
	assert_int_equal(second.count, 5);
	assert_memory_equal(first.ids, second.ids, 3 * sizeof first.ids[0]);
	assert_int_equal(book_int(b->db.handle, "SELECT count(*) FROM users WHERE user_type = 'ACCOUNT'"), 5);
	assert_int_equal(users_by_login(&b->db, "loadtest.user0001@example.com", &u), ERR_OK);
	assert_int_equal(u.id, first.ids[0]);
	/* With a password the version rises, and the version told is the one the book has. */
	assert_int_equal(rehearsal_make_users(&b->db, 6, "hash", 0, hear_token, &third), ERR_OK);
	for (int i = 0; i < 6; i++) {
		assert_int_equal(users_get(&b->db, third.ids[i], &u), ERR_OK);
		assert_int_equal(u.token_version, third.versions[i]);
		assert_string_equal(u.password_hash, "hash");
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, book_setup, book_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_guest_is_found_by_the_number),  TEST(every_spelling_is_one_number),
		TEST(a_stranger_is_not_found),         TEST(a_login_is_found_in_any_case_and_a_guests_address_is_none),
		TEST(an_address_logs_in_one_person),   TEST(a_new_password_ends_the_old_logins),
		TEST(blocked_and_erased_are_told),     TEST(staff_and_owners_are_listed_and_no_others),
		TEST(load_test_guests_are_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
