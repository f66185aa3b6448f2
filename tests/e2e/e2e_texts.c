/*
 * e2e_texts.c - every text that the API takes: as long as core/lengths.h says in any script, in lines where it says so, and
 * the same number in the book, the documentation and the pages.
 */
#include "appliance.h"
#include "guests.h"
#include "guesttags.h"
#include "lengths.h"
#include "talk.h"
#include "text.h"
#include "token.h"
#include "unit.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct appliance box;
static char owner[TALK_HEADERS], date[TEXT_DATE_SIZE];
static const char ANYBODY[] = "Content-Type: application/json\r\nIdempotency-Key: text-@N\r\n";

static const struct length {
	const char *name, *meaning;
	size_t points;
	bool lines;
} lengths[] = {
#define LINE false
#define LINES true
#define X(name, points, is, meaning) {#name, meaning, points, is},
	LENGTHS_LIST(X)
#undef X
};

static int set_up(void **state)
{
	char full[200];

	(void)state;
	appliance_new(&box);
	appliance_up(&box, 2);
	talk_add_staff(&box, "owner@example.com", owner);
	guests_day(2, date);
	appliance_sql(&box,
		      "UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com';"
		      "UPDATE restaurants SET deposit_per_person = 0, deposit_large_per_person = 0, reservation_limit = 1000,"
		      " upcoming_per_guest = 0; INSERT INTO restaurant_reservation_slots (restaurant_id, slot_date, slot_time,"
		      " max_capacity) VALUES (1, '%s', '19:00', 2)",
		      date);
	snprintf(full, sizeof full, "{\"slotDate\":\"%s\",\"slotTime\":\"19:00\",\"partySize\":2,\"guestName\":\"Lee\"}", date);
	assert_int_equal(
		http_ask(box.port,
			 (struct http_call){.path = "/api/desk/reservations?restaurantId=1", .headers = owner, .body = full})
			->status,
		201); /* one can wait for that time */
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/*
 * Every field.  @T is the text, @N another number each time, @D the day, @R a reservation of its own, @V its version and @U
 * its guest.  Where `read` is not given, `sql` finds the text in the book.
 */
#define GUEST ",\"guest\":{\"name\":\"Lee\",\"phone\":\"010-77@N\"}}"
#define SLOT "\"slotDate\":\"@D\",\"slotTime\":\"12:00\",\"partySize\":1"
#define BOOK "{\"restaurantId\":1," SLOT ",\"reservationType\":\"RESERVATION_DEPOSIT\""
#define FULL "\"slotDate\":\"@D\",\"slotTime\":\"19:00\",\"partySize\":2"
#define AT "?restaurantId=1"
static const struct field {
	const char *field, *method, *path, *body;
	size_t points;
	bool lines, by_owner;
	const char *read; /* the text is in the answer to this GET; "": in the answer itself */
	const char *sql;  /* counts the text in the book */
} fields[] = {
	{"name", "POST", "/api/guests", "{\"name\":\"@T\",\"phone\":\"010-77@N\"}", LENGTHS_NAME, LINE, false, "", NULL},
	{"name", "POST", "/api/reservations", BOOK ",\"guest\":{\"name\":\"@T\",\"phone\":\"010-77@N\"}}", LENGTHS_NAME, LINE,
	 false, NULL, "reservations WHERE guest_name"},
	{"requestMessage", "POST", "/api/reservations", BOOK ",\"requestMessage\":\"@T\"" GUEST, LENGTHS_REQUEST, LINES, false,
	 "", NULL},
	{"reason", "POST", "/api/reservations/@R/cancel", "{\"reason\":\"@T\"}", LENGTHS_REASON, LINE, true, NULL,
	 "reservation_cancellations WHERE reason"},
	{"name", "POST", "/api/waitlist", "{\"restaurantId\":1," FULL ",\"guest\":{\"name\":\"@T\",\"phone\":\"010-77@N\"}}",
	 LENGTHS_NAME, LINE, false, NULL, "waitlist WHERE guest_name"},
	{"guestName", "POST", "/api/desk/waitlist" AT, "{" FULL ",\"guestName\":\"@T\",\"phone\":\"010-77@N\"}", LENGTHS_NAME,
	 LINE, true, NULL, "waitlist WHERE guest_name"},
	{"guestName", "POST", "/api/desk/reservations" AT, "{" SLOT ",\"guestName\":\"@T\"}", LENGTHS_NAME, LINE, true, "",
	 NULL},
	{"overbook", "POST", "/api/desk/reservations" AT, "{" FULL ",\"guestName\":\"Lee\",\"overbook\":\"@T\"}",
	 LENGTHS_OVERBOOK, LINE, true, NULL, "reservations WHERE overbook_reason"},
	{"note", "POST", "/api/desk/reservations" AT, "{" SLOT ",\"guestName\":\"Lee\",\"note\":\"@T\"}", LENGTHS_NOTE, LINES,
	 true, "", NULL},
	{"requestMessage", "POST", "/api/desk/reservations" AT, "{" SLOT ",\"guestName\":\"Lee\",\"requestMessage\":\"@T\"}",
	 LENGTHS_REQUEST, LINES, true, "", NULL},
	{"guestName", "POST", "/api/desk/walk-ins" AT, "{\"partySize\":1,\"guestName\":\"@T\"}", LENGTHS_NAME, LINE, true, "",
	 NULL},
	{"note", "POST", "/api/desk/walk-ins" AT, "{\"partySize\":1,\"note\":\"@T\"}", LENGTHS_NOTE, LINES, true, "", NULL},
	{"note", "POST", "/api/desk/reservations/@R/note", "{\"version\":@V,\"note\":\"@T\"}", LENGTHS_NOTE, LINES, true, "",
	 NULL},
	{"guestName", "POST", "/api/desk/reservations/@R/note", "{\"version\":@V,\"guestName\":\"@T\"}", LENGTHS_NAME, LINE,
	 true, "", NULL},
	{"reason", "POST", "/api/desk/reservations/@R/cancel", "{\"version\":@V,\"reason\":\"@T\"}", LENGTHS_REASON, LINE, true,
	 NULL, "reservation_cancellations WHERE reason"},
	{"note", "PATCH", "/api/desk/guests/@U" AT, "{\"note\":\"@T\"}", LENGTHS_GUEST_NOTE, LINES, true, NULL,
	 "restaurant_guests WHERE note"},
	{"name", "PATCH", "/api/desk/guests/@U" AT, "{\"name\":\"@T\"}", LENGTHS_NAME, LINE, true, NULL,
	 "restaurant_guests WHERE name"},
	{"q", "POST", "/api/desk/guests" AT, "{\"q\":\"@T\"}", LENGTHS_SEARCH, LINE, true, NULL, NULL},
	{"tag", "POST", "/api/desk/guests" AT, "{\"tag\":\"@T\"}", LENGTHS_GUEST_TAG, LINE, true, NULL, NULL},
	{"tags", "PATCH", "/api/desk/guests/@U" AT, "{\"tags\":[\"@T\"]}", LENGTHS_GUEST_TAG, LINE, true, NULL,
	 "restaurant_guests WHERE tags"},
	{"note", "PUT", "/api/desk/day-note" AT, "{\"date\":\"@D\",\"note\":\"@T\"}", LENGTHS_SHIFT_NOTE, LINES, true, "",
	 NULL},
	{"q", "POST", "/api/desk/search" AT, "{\"q\":\"@T\"}", LENGTHS_SEARCH, LINE, true, NULL, NULL},
	{"name", "PUT", "/api/desk/settings" AT, "{\"name\":\"@T\"}", LENGTHS_HOUSE, LINE, true, "/api/restaurants/1", NULL},
	{"nameEn", "PUT", "/api/desk/settings" AT, "{\"nameEn\":\"@T\"}", LENGTHS_HOUSE, LINE, true, "/api/restaurants/1",
	 NULL},
	{"address", "PUT", "/api/desk/settings" AT, "{\"address\":\"@T\"}", LENGTHS_ADDRESS, LINE, true, "/api/restaurants/1",
	 NULL},
	{"addressEn", "PUT", "/api/desk/settings" AT, "{\"addressEn\":\"@T\"}", LENGTHS_ADDRESS, LINE, true,
	 "/api/restaurants/1", NULL},
	{"paymentText", "PUT", "/api/desk/settings" AT, "{\"paymentText\":\"@T\"}", LENGTHS_PAYMENT_TEXT, LINES, true,
	 "/api/restaurants/1", NULL},
	{"messageText", "PUT", "/api/desk/settings" AT, "{\"messageText\":\"@T\"}", LENGTHS_MESSAGE_TEXT, LINES, true,
	 "/api/desk/house" AT, NULL},
	{"messageTextEn", "PUT", "/api/desk/settings" AT, "{\"messageTextEn\":\"@T\"}", LENGTHS_MESSAGE_TEXT, LINES, true,
	 "/api/desk/house" AT, NULL},
	{"name", "POST", "/api/desk/restaurants", "{\"name\":\"@T\"}", LENGTHS_HOUSE, LINE, true, "/api/restaurants", NULL},
	{"note", "PUT", "/api/desk/special-days" AT, "{\"day\":\"2030-01-01\",\"closed\":1,\"note\":\"@T\"}", LENGTHS_DAY_NOTE,
	 LINE, true, NULL, "special_days WHERE note"},
	{"name", "PUT", "/api/desk/menu" AT, "{\"menu\":[{\"name\":\"@T\",\"price\":1}]}", LENGTHS_DISH, LINE, true,
	 "/api/restaurants/1", NULL},
	{"nameEn", "PUT", "/api/desk/menu" AT, "{\"menu\":[{\"name\":\"a\",\"nameEn\":\"@T\",\"price\":1}]}", LENGTHS_DISH,
	 LINE, true, "/api/restaurants/1", NULL},
	{"description", "PUT", "/api/desk/menu" AT, "{\"menu\":[{\"name\":\"a\",\"description\":\"@T\",\"price\":1}]}",
	 LENGTHS_DESCRIPTION, LINES, true, "/api/restaurants/1", NULL},
	{"descriptionEn", "PUT", "/api/desk/menu" AT, "{\"menu\":[{\"name\":\"a\",\"descriptionEn\":\"@T\",\"price\":1}]}",
	 LENGTHS_DESCRIPTION, LINES, true, "/api/restaurants/1", NULL},
	{"name", "POST", "/api/desk/staff", "{\"email\":\"s@N@example.com\",\"name\":\"@T\"}", LENGTHS_NAME, LINE, true,
	 "/api/desk/house" AT, NULL},
	{"login", "PUT", "/api/desk/mail", "{\"way\":\"OFF\",\"sender\":\"a@example.com\",\"login\":\"@T\"}",
	 LENGTHS_MAIL_LOGIN, LINE, true, "/api/desk/mail", NULL},
	{"password", "PUT", "/api/desk/mail", "{\"way\":\"OFF\",\"sender\":\"a@example.com\",\"password\":\"@T\"}",
	 LENGTHS_MAIL_PASSWORD, LINE, true, NULL, "mail_server WHERE length(password) > 100 OR password"},
	{"newPassword", "POST", "/api/login",
	 "{\"email\":\"nobody@example.com\",\"password\":\"12345678\",\"newPassword\":\"@T\"}", TOKEN_PASSWORD_MAX, LINE, false,
	 NULL, NULL},
	{"guaranteeTerms", "PUT", "/api/desk/payments/settings" AT,
	 "{\"provider\":\"portone\",\"storeId\":\"s\",\"channelKey\":\"c\",\"secret\":\"x\",\"guaranteeTerms\":\"@T\"}",
	 LENGTHS_PAYMENT_TEXT, LINES, true, "/api/desk/payments/settings" AT, NULL},
	/* The last: a house with one table has no room for the others. */
	{"name", "PUT", "/api/desk/tables" AT, "{\"tables\":[{\"name\":\"@T\",\"seatsMax\":4}]}", LENGTHS_TABLE, LINE, true,
	 "/api/desk/house" AT, NULL},
};

/* Fields whose text is a word, a number or an address in ASCII, however it is typed. */
static const char OF_A_FORM[] =
	" slotDate slotTime date day opens closes lastSeating opensAt openTo from to label reservationType "
	"userType pausedUntil timezone currency way host"
	" port security sender site email phone reservationCode code password after text " /* text: of a QR code, a link */
	"lang language provider message ";                                                 /* message: a provider's own */

/* ---- sending ---- */

struct stage {
	long long reservation, version, guest;
	int number;
};

/* A reservation of its own for an act upon it. */
static void prepare(struct stage *s, const struct field *f)
{
	static int number;
	char body[300];

	s->number = ++number;
	if (!strstr(f->path, "@R") && !strstr(f->path, "@U"))
		return;
	snprintf(body, sizeof body,
		 "{\"slotDate\":\"%s\",\"slotTime\":\"13:00\",\"partySize\":1,\"guestName\":\"Lee\",\"phone\":\"010-88%06d\"}",
		 date, number);
	s->reservation = http_int(
		http_ask(box.port,
			 (struct http_call){.path = "/api/desk/reservations?restaurantId=1", .headers = owner, .body = body}),
		"reservationId");
	s->version = appliance_number(&box, "SELECT version FROM reservations WHERE reservation_id = %lld", s->reservation);
	s->guest = appliance_number(&box, "SELECT user_id FROM reservations WHERE reservation_id = %lld", s->reservation);
}

static void fill(const struct stage *s, const char *words, const char *text, char *out, size_t size)
{
	size_t used = 0;

	for (; *words; words++) {
		if (*words != '@' || !strchr("TNDRVU", words[1])) {
			used += (size_t)snprintf(out + used, size - used, "%c", *words);
			continue;
		}
		switch (*++words) {
		case 'T':
			used += (size_t)snprintf(out + used, size - used, "%s", text);
			break;
		case 'N':
			used += (size_t)snprintf(out + used, size - used, "%06d", s->number);
			break;
		case 'D':
			used += (size_t)snprintf(out + used, size - used, "%s", date);
			break;
		case 'R':
			used += (size_t)snprintf(out + used, size - used, "%lld", s->reservation);
			break;
		case 'V':
			used += (size_t)snprintf(out + used, size - used, "%lld", s->version);
			break;
		default:
			used += (size_t)snprintf(out + used, size - used, "%lld", s->guest);
		}
		assert_true(used < size);
	}
}

static const struct http_answer *send_text(const struct field *f, const char *text)
{
	static char body[4096];
	char path[120], headers[300];
	struct stage s = {0};

	prepare(&s, f);
	fill(&s, f->path, "", path, sizeof path);
	fill(&s, f->body, text, body, sizeof body);
	fill(&s, f->by_owner ? owner : ANYBODY, "", headers, sizeof headers);
	return http_ask(box.port, (struct http_call){.method = f->method, .path = path, .headers = headers, .body = body});
}

static void repeat(const char *letter, size_t n, char *out)
{
	for (*out = '\0'; n--; out += strlen(out))
		strcpy(out, letter);
}

static bool is_kept(const struct field *f, const struct http_answer *a, const char *text)
{
	if (f->sql)
		return appliance_number(&box, "SELECT count(*) FROM %s = '%s'", f->sql, text) >= 1;
	if (!f->read)
		return true;
	if (*f->read)
		a = http_ask(box.port, (struct http_call){.path = f->read, .headers = owner});
	return a->body && strstr(a->body, text);
}

/* ---- the tests ---- */

static void every_text_may_be_as_long_as_it_says_in_any_script(void **state)
{
	static const char *const letters[] = {"가", "🍜"}; /* three bytes and four */
	static char text[4 * 600];
	char code[HTTP_TEXT], field[HTTP_TEXT];

	(void)state;
	for (const struct field *f = fields; f < fields + sizeof fields / sizeof fields[0]; f++)
		for (int i = 0; i < 2; i++) {
			const struct http_answer *a;

			repeat(letters[i], f->points, text);
			a = send_text(f, text);
			http_text(a, "code", code);
			if (a->status != 200 && a->status != 201 && strcmp(code, "LOGIN_FAILED") != 0)
				fail_msg("%s %s, %zu letters %s: %d %s", f->path, f->field, f->points, letters[i], a->status,
					 a->body);
			if (!is_kept(f, a, text))
				fail_msg("%s %s: %zu letters %s did not come back whole", f->path, f->field, f->points,
					 letters[i]);
			repeat(letters[i], f->points + 1, text);
			a = send_text(f, text);
			if (a->status != 400 || strcmp(http_text(a, "code", code), "TOO_LONG") != 0 ||
			    strcmp(http_text(a, "field", field), f->field) != 0)
				fail_msg("%s %s, one letter too many: %d %s", f->path, f->field, a->status, a->body);
		}
}

static void line_breaks_are_kept_where_there_are_lines_and_refused_elsewhere(void **state)
{
	char code[HTTP_TEXT];

	(void)state;
	appliance_sql(&box, "UPDATE dining_tables SET is_deleted = 1");
	for (const struct field *f = fields; f < fields + sizeof fields / sizeof fields[0]; f++) {
		const struct http_answer *a = send_text(f, "가\\r\\n\\n나");

		if (f->lines && (a->status > 201 || !is_kept(f, a, f->sql ? "가\n\n나" : "가\\n\\n나")))
			fail_msg("%s %s loses its lines: %d %s", f->path, f->field, a->status, a->body);
		if (!f->lines && strcmp(http_text(a, "code", code), "BAD_TEXT") != 0)
			fail_msg("%s %s takes a line break: %d %s", f->path, f->field, a->status, a->body);
		a = send_text(f, "가\\u0007나");
		if (strcmp(http_text(a, "code", code), "BAD_TEXT") != 0)
			fail_msg("%s %s takes a bell: %d %s", f->path, f->field, a->status, a->body);
	}
}

static bool is_listed(const char *name)
{
	char word[80];

	snprintf(word, sizeof word, " %s ", name);
	if (strstr(OF_A_FORM, word))
		return true;
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
		if (strcmp(fields[i].field, name) == 0)
			return true;
	return false;
}

/* So that a new field cannot be forgotten here. */
static void every_text_that_the_program_takes_is_in_the_table(void **state)
{
	static char source[200000];
	int found = 0;
	glob_t g;

	(void)state;
	assert_int_equal(glob("fcgi/api/*.c", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		appliance_read(g.gl_pathv[i], source, sizeof source);
		for (const char *p = source; (p = strstr(p, "in_")); p++) {
			char name[60];

			if (sscanf(p, "in_%*[a-z](%*[^,\"], \"%59[A-Za-z]\"", name) != 1 ||
			    (strncmp(p, "in_text", 7) != 0 && strncmp(p, "in_lines", 8) != 0))
				continue;
			found++;
			if (!is_listed(name))
				fail_msg("%s takes \"%s\", which no test fills", g.gl_pathv[i], name);
		}
	}
	globfree(&g);
	assert_in_range(found, 30, 200);
}

/* A CHECK of the book on such a column, "length(note) <= 400" or "length(name) BETWEEN 1 AND 80": its number, or 0. */
static int64_t checked(const char *table, const char *column)
{
	return appliance_number(
		&box,
		"SELECT ifnull((SELECT CAST(CASE WHEN instr(t, '<= ') > 0 THEN substr(t, instr(t, '<= ') + 3) ELSE"
		" substr(t, instr(t, 'AND ') + 4) END AS INTEGER) FROM (SELECT substr(sql, instr(sql, 'length(%s)') + %d, 20) "
		"AS t"
		" FROM sqlite_schema WHERE name = '%s' AND instr(sql, 'length(%s)') > 0)), 0)",
		column, (int)strlen(column) + 8, table, column);
}

static void the_book_allows_as_much_as_the_api(void **state)
{
	static const struct {
		const char *table, *column;
		int points;
	} rows[] = {
		{"users", "name", LENGTHS_NAME},
		{"users", "email", LENGTHS_EMAIL},
		{"reservations", "guest_name", LENGTHS_NAME},
		{"reservations", "guest_email", LENGTHS_EMAIL},
		{"reservations", "request_message", LENGTHS_REQUEST},
		{"reservations", "note", LENGTHS_NOTE},
		{"waitlist", "guest_name", LENGTHS_NAME},
		{"restaurant_guests", "note", LENGTHS_GUEST_NOTE},
		{"restaurant_guests", "name", LENGTHS_NAME},
		{"restaurant_guests", "email", LENGTHS_EMAIL},
		{"restaurant_guests", "tags", GUESTTAGS_MAX * LENGTHS_GUEST_TAG + GUESTTAGS_MAX - 1},
		{"restaurants", "name", LENGTHS_HOUSE},
		{"restaurants", "name_en", LENGTHS_HOUSE},
		{"restaurants", "payment_text", LENGTHS_PAYMENT_TEXT},
		{"restaurants", "message_text", LENGTHS_MESSAGE_TEXT},
		{"restaurants", "message_text_en", LENGTHS_MESSAGE_TEXT},
		{"special_days", "note", LENGTHS_DAY_NOTE},
		{"special_days", "label", LENGTHS_SERVICE},
		{"opening_hours", "label", LENGTHS_SERVICE},
		{"menus", "name", LENGTHS_DISH},
		{"menus", "description", LENGTHS_DESCRIPTION},
		{"menus", "description_en", LENGTHS_DESCRIPTION},
		{"dining_tables", "name", LENGTHS_TABLE},
		{"mail_server", "login", LENGTHS_MAIL_LOGIN},
		{"mail_server", "site", LENGTHS_SITE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (checked(rows[i].table, rows[i].column) != rows[i].points)
			fail_msg("%s.%s: the book says %lld, lengths.h %d", rows[i].table, rows[i].column,
				 (long long)checked(rows[i].table, rows[i].column), rows[i].points);
}

static void the_documentation_tells_every_length(void **state)
{
	static char text[200000];
	char row[200];

	(void)state;
	appliance_read("docs/api.md", text, sizeof text);
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		snprintf(row, sizeof row, "| %s | %zu |%s", lengths[i].meaning, lengths[i].points,
			 lengths[i].lines ? " yes |" : "  |");
		if (!strstr(text, row))
			fail_msg("docs/api.md has no row: %s", row);
	}
}

/* MESSAGE_TEXT as messageText. */
static void camel(const char *name, char out[40])
{
	size_t n = 0;

	for (bool up = false; *name && n < 39; name++) {
		if (*name != '_')
			out[n++] = (char)(up ? *name : *name - 'A' + 'a');
		up = *name == '_';
	}
	out[n] = '\0';
}

static void the_pages_know_every_length_and_say_none_by_themselves(void **state)
{
	static char text[200000];
	char row[80], name[40];
	glob_t g;

	(void)state;
	appliance_read("www/lengths.js", text, sizeof text);
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		camel(lengths[i].name, name);
		snprintf(row, sizeof row, "\t%s: %zu,\n", name, lengths[i].points);
		if (!strstr(text, row))
			fail_msg("www/lengths.js has no row: %s", row);
	}
	assert_int_equal(glob("www/*/*.js", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		appliance_read(g.gl_pathv[i], text, sizeof text);
		for (const char *p = text; (p = strstr(p, "maxLength: ")); p++)
			if (p[11] >= '0' && p[11] <= '9' && atoi(p + 11) != 6 &&
			    atoi(p + 11) != 60) /* a code; a part of a reason */
				fail_msg("%s says %.14s by itself", g.gl_pathv[i], p);
	}
	globfree(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_pages_know_every_length_and_say_none_by_themselves),
		cmocka_unit_test(every_text_may_be_as_long_as_it_says_in_any_script),
		cmocka_unit_test(line_breaks_are_kept_where_there_are_lines_and_refused_elsewhere),
		cmocka_unit_test(every_text_that_the_program_takes_is_in_the_table),
		cmocka_unit_test(the_book_allows_as_much_as_the_api),
		cmocka_unit_test(the_documentation_tells_every_length),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
