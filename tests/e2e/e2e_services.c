/*
 * e2e_services.c - lunch rules and dinner rules, evenings past midnight, special days: what an owner sets, guests and staff
 * meet.
 *
 * Every test stands at the hour that it needs: the clock of the box is set before it starts, so it passes at any hour.
 */
#include "appliance.h"
#include "clock.h"
#include "http.h"
#include "unit.h"
#include "zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { A_DAY = 86400 };

static struct appliance box;
static struct ran ran;
static char owner[256];
static const char PASSWORD[] = "correct horse 7";
static const char ZONE[] = "Asia/Seoul";
static char today[TEXT_DATE_SIZE], tomorrow[TEXT_DATE_SIZE], after[TEXT_DATE_SIZE];
static struct date base; /* today, when the tests began */
static long ahead_s;     /* by how much the box is ahead of this machine */

/* ---- the stage ---- */

static void set_clock(long seconds)
{
	char path[APPLIANCE_PATH], next[APPLIANCE_PATH], text[32];

	appliance_path(&box, "clock", path);
	appliance_path(&box, "clock.next", next);
	snprintf(text, sizeof text, "%ld\n", seconds);
	appliance_write(next, text);
	assert_int_equal(rename(next, path), 0);
	ahead_s = seconds;
}

/* It is that time of the evening of `base`, up to a few seconds: 24:45 is a quarter to one on the day after. */
static void stand_at(const char *time)
{
	int64_t at = 0;
	int minute;

	assert_true(text_time(time, &minute) && zone_to_utc(ZONE, base, minute, &at));
	set_clock((long)(at - clock_now_s()) + ahead_s);
}

static int set_up(void **state)
{
	char path[APPLIANCE_PATH], body[200], token[HTTP_TEXT];
	int minute;

	(void)state;
	appliance_new(&box);
	appliance_path(&box, "clock", path);
	setenv("JARI_CLOCK_FILE", path, 1);
	setenv("JARI_CLOCK_SETTLES_MS", "200", 1);
	set_clock(0);
	assert_true(zone_to_local(ZONE, clock_now_s() + A_DAY, &base, &minute)); /* tomorrow: the clock only goes forward */
	text_put_date(base, today);
	text_put_date(text_from_days(text_days(base) + 1), tomorrow);
	text_put_date(text_from_days(text_days(base) + 2), after);
	stand_at("12:00");
	appliance_up(&box, 2);
	appliance_run(&box, &ran, NULL, "staff", "add", "owner@example.com", "Kim", "--password", PASSWORD, "--dir", box.dir,
		      NULL);
	assert_int_equal(ran.exit, 0);
	appliance_sql(&box, "UPDATE users SET user_type = 'OWNER' WHERE email = 'owner@example.com'; UPDATE restaurants SET"
			    " timezone = 'Asia/Seoul', utc_offset_minutes = 540, deposit_per_person = 0,"
			    " deposit_large_per_person = 0, holds_per_guest = 0, upcoming_per_guest = 0, tell_owner = 0,"
			    " lead_minutes = 0");
	snprintf(body, sizeof body, "{\"email\":\"owner@example.com\",\"password\":\"%s\"}", PASSWORD);
	http_text(http_post(box.port, "/api/login", body), "accessToken", token);
	assert_true(*token);
	snprintf(owner, sizeof owner, "Authorization: Bearer %.160s\r\nContent-Type: application/json\r\n", token);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	unsetenv("JARI_CLOCK_FILE");
	return 0;
}

static const struct http_answer *as_owner(const char *method, const char *path, const char *body)
{
	return http_ask(box.port, (struct http_call){.method = method, .path = path, .headers = owner, .body = body});
}

static const struct http_answer *put(const char *what, const char *body)
{
	char path[80];

	snprintf(path, sizeof path, "/api/desk/%s?restaurantId=1", what);
	return as_owner("PUT", path, body);
}

static void is(const struct http_answer *a, int status, const char *word)
{
	if (a->status != status || (word && !strstr(a->body, word)))
		fail_msg("%d %s, not %d with %s", a->status, a->body, status, word ? word : "anything");
}

static void has_not(const struct http_answer *a, const char *word)
{
	if (strstr(a->body, word))
		fail_msg("%s is in %s", word, a->body);
}

/* A week of the same services every day; each is JSON without its weekday. */
static const struct http_answer *put_week(const char *const *services)
{
	static char body[16000];
	int n = snprintf(body, sizeof body, "{\"hours\":[");

	for (int day = 1; day <= 7; day++)
		for (const char *const *s = services; *s; s++)
			n += snprintf(body + n, sizeof body - (size_t)n, "%s{\"weekday\":%d,%s}", n > 10 ? "," : "", day, *s);
	snprintf(body + n, sizeof body - (size_t)n, "]}");
	return put("hours", body);
}

static const struct http_answer *slots(const char *date, int party)
{
	char path[120];

	snprintf(path, sizeof path, "/api/reservations/slots?restaurantId=1&slotDate=%s&partySize=%d", date, party);
	return http_get(box.port, path);
}

static const struct http_answer *book(const char *date, const char *time, int party)
{
	static int guest;
	char body[400], headers[120];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\nIdempotency-Key: night-%d\r\n", guest);
	snprintf(body, sizeof body,
		 "{\"restaurantId\":1,\"slotDate\":\"%s\",\"slotTime\":\"%s\",\"partySize\":%d,"
		 "\"reservationType\":\"RESERVATION_DEPOSIT\",\"guest\":{\"name\":\"Night\",\"phone\":\"010-7000-%04d\"}}",
		 date, time, party, ++guest);
	return http_ask(box.port, (struct http_call){.path = "/api/reservations", .headers = headers, .body = body});
}

static const struct http_answer *desk_day(const char *date)
{
	char path[80];

	snprintf(path, sizeof path, "/api/desk/day?restaurantId=1&date=%s", date);
	return as_owner("GET", path, NULL);
}

/* The instant of a time of an evening, as answers write it. */
static const char *instant(const char *date, const char *time)
{
	static char iso[CLOCK_ISO_SIZE];
	struct date day;
	int64_t at = 0;
	int minute;

	assert_true(text_date(date, &day) && text_time(time, &minute) && zone_to_utc(ZONE, day, minute, &at));
	clock_iso(at, iso);
	return iso;
}

static const char *const lunch_and_dinner[] = {
	"\"opens\":\"11:30\",\"closes\":\"14:30\",\"label\":\"lunch\",\"slotMinutes\":30,\"partyMax\":4,\"leadMinutes\":0",
	"\"opens\":\"17:30\",\"closes\":\"02:00\",\"label\":\"한밤의 코스\",\"lastSeating\":\"00:30\",\"slotMinutes\":60,"
	"\"sittingMinutes\":120,\"reservationLimit\":6,\"depositPerPerson\":20000,\"depositLargePerPerson\":20000",
	NULL};

/* ---- services ---- */

static void each_service_offers_its_own_times_and_says_what_differs(void **state)
{
	const struct http_answer *a;
	char want[200];

	(void)state;
	is(put_week(lunch_and_dinner), 200, "\"contradicted\":[]");
	a = slots(tomorrow, 2);
	is(a, 200, "\"slotTime\":\"11:30\",\"label\":\"lunch\"");
	is(a, 200, "\"slotTime\":\"14:00\"");
	has_not(a, "\"slotTime\":\"14:30\"");
	is(a, 200, "\"slotTime\":\"17:30\",\"label\":\"한밤의 코스\",\"capacity\":6");
	is(a, 200, "\"slotTime\":\"23:30\"");
	is(a, 200, "\"slotTime\":\"24:30\""); /* the last seating */
	has_not(a, "\"slotTime\":\"25:30\"");
	is(a, 200, "\"depositPerPerson\":20000");
	is(a, 200, "\"partyMax\":4");
	snprintf(want, sizeof want, "\"startsAt\":\"%s\",\"sittingMinutes\":120", instant(tomorrow, "24:30"));
	is(a, 200, want);
	is(http_get(box.port, "/api/restaurants/1"), 200,
	   "\"closes\":\"26:00\",\"label\":\"한밤의 코스\",\"lastSeating\":\"24:30\"");
	is(as_owner("GET", "/api/desk/house?restaurantId=1", NULL), 200, "\"reservationLimit\":6");
	is(desk_day(tomorrow), 200, "\"slotTime\":\"24:30\"");
}

static void a_booking_goes_by_the_rules_of_its_service(void **state)
{
	const struct http_answer *a;

	(void)state;
	is(put_week(lunch_and_dinner), 200, NULL);
	is(book(tomorrow, "12:00", 5), 400, "PARTY_SIZE");
	is(slots(tomorrow, 5), 200,
	   "\"slotTime\":\"12:00\",\"label\":\"lunch\",\"capacity\":40,\"remaining\":40,\"available\":false");
	is(slots(tomorrow, 4), 200,
	   "\"slotTime\":\"12:00\",\"label\":\"lunch\",\"capacity\":40,\"remaining\":40,\"available\":true");
	has_not(book(tomorrow, "12:00", 4), "amountDue\":20000");
	is(book(tomorrow, "12:15", 2), 400, "NO_SUCH_TIME");
	a = book(tomorrow, "19:30", 5);
	is(a, 201, "\"sittingMinutes\":120");
	is(a, 201, "\"amountDue\":100000");
	a = book(tomorrow, "19:30", 2); /* six may start */
	is(a, 409, "SLOT_FULL");
	is(a, 409, "\"alternatives\":[");
	is(book(tomorrow, "25:30", 2), 400, "NO_SUCH_TIME"); /* after the last seating */
}

static void what_services_cannot_be_is_refused_by_name_and_changes_nothing(void **state)
{
	static const struct {
		const char *services, *code, *field;
	} bad[] = {
		{"{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"15:00\"},{\"weekday\":1,\"opens\":\"14:00\",\"closes\":\"20:"
		 "00\"}",
		 "HOURS_OVERLAP", "opens"},
		{"{\"weekday\":1,\"opens\":\"18:00\",\"closes\":\"03:00\"},{\"weekday\":2,\"opens\":\"02:00\",\"closes\":\"05:"
		 "00\"}",
		 "HOURS_OVERLAP", "opens"},
		{"{\"weekday\":1,\"opens\":\"02:30\",\"closes\":\"05:00\"},{\"weekday\":7,\"opens\":\"18:00\",\"closes\":\"03:"
		 "00\"}",
		 "HOURS_OVERLAP", "opens"},
		{"{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"15:00\"},{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"12:"
		 "00\"}",
		 "NAMED_TWICE", "hours"},
		{"{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"15:00\",\"lastSeating\":\"15:30\"}", "LAST_SEATING",
		 "lastSeating"},
		{"{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"15:00\",\"lastSeating\":\"10:30\"}", "LAST_SEATING",
		 "lastSeating"},
		{"{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"15:00\",\"lastSeating\":\"soon\"}", "BAD_TIME",
		 "lastSeating"},
		{"{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"30:01\"}", "BAD_TIME", "closes"},
		{"{\"weekday\":1,\"opens\":\"12:00\",\"closes\":\"06:01\"}", "BAD_CLOSING", "closes"},
		{"{\"weekday\":1,\"opens\":\"12:00\",\"closes\":\"12:00\"}", "BAD_CLOSING", "closes"},
		{"{\"weekday\":1,\"opens\":\"24:00\",\"closes\":\"26:00\"}", "BAD_TIME", "opens"},
		{"{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"15:00\",\"partyMin\":5,\"partyMax\":4}", "OUT_OF_RANGE",
		 "partyMin"},
		{"{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"15:00\",\"partyMin\":13}", "OUT_OF_RANGE", "partyMin"},
		{"{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"15:00\",\"slotMinutes\":4}", "OUT_OF_RANGE", "slotMinutes"},
		{"{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"15:00\",\"sittingMinutes\":0}", "OUT_OF_RANGE",
		 "sittingMinutes"},
		{"{\"weekday\":1,\"opens\":\"11:00\",\"closes\":\"15:00\",\"windowDays\":5}", "UNKNOWN_FIELD", "windowDays"},
	};
	char body[600], want[60];
	const struct http_answer *a;
	int64_t before;

	(void)state;
	is(put_week(lunch_and_dinner), 200, NULL);
	before = appliance_number(&box, "SELECT max(audit_id) FROM audit");
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		snprintf(body, sizeof body, "{\"hours\":[%s]}", bad[i].services);
		a = put("hours", body);
		snprintf(want, sizeof want, "\"field\":\"%s\"", bad[i].field);
		is(a, 400, bad[i].code);
		is(a, 400, want);
	}
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM opening_hours WHERE restaurant_id = 1"), 14);
	/* What stays as it is leaves no line in the history. */
	is(put_week(lunch_and_dinner), 200, NULL);
	assert_int_equal(appliance_number(&box, "SELECT max(audit_id) FROM audit"), before);
	/* A night may end when the next day begins, and last until six. */
	is(put("hours", "{\"hours\":[{\"weekday\":7,\"opens\":\"18:00\",\"closes\":\"03:00\"},"
			"{\"weekday\":1,\"opens\":\"03:00\",\"closes\":\"05:00\"},{\"weekday\":3,\"opens\":\"06:00\","
			"\"closes\":\"30:00\"}]}"),
	   200, NULL);
}

/* How many may start follows the service; a slot that was given a number of its own keeps it. */
static void slots_follow_what_their_service_says(void **state)
{
	static const char *const more[] = {"\"opens\":\"17:30\",\"closes\":\"02:00\",\"reservationLimit\":9", NULL};
	static const char *const house[] = {"\"opens\":\"17:30\",\"closes\":\"02:00\"", NULL};
	char body[200];

	(void)state;
	is(put_week(more), 200, NULL);
	is(book(after, "18:30", 2), 201, NULL);
	is(book(after, "19:30", 2), 201, NULL);
	snprintf(body, sizeof body, "{\"slotDate\":\"%s\",\"slotTime\":\"19:30\",\"capacity\":3}", after);
	is(put("slots", body), 200, NULL);
	is(put("settings", "{\"reservationLimit\":9}"), 200, NULL);
	is(put("settings", "{\"reservationLimit\":15}"), 200, NULL); /* it says nine, as the service does */
	is(slots(after, 2), 200, "\"slotTime\":\"18:30\",\"label\":\"\",\"capacity\":9,\"remaining\":7");
	is(put_week(house), 200, NULL);
	is(slots(after, 2), 200, "\"slotTime\":\"18:30\",\"label\":\"\",\"capacity\":15,\"remaining\":13");
	is(slots(after, 2), 200, "\"slotTime\":\"19:30\",\"label\":\"\",\"capacity\":3,\"remaining\":1");
	is(put("settings", "{\"reservationLimit\":20}"), 200, NULL);
}

/* ---- special days ---- */

static void a_range_of_special_days_is_set_and_taken_back_at_once(void **state)
{
	const struct http_answer *a;
	char body[400], month[120];

	(void)state;
	is(put_week(lunch_and_dinner), 200, NULL);
	is(book(after, "12:00", 2), 201, NULL);
	snprintf(body, sizeof body, "{\"from\":\"%s\",\"to\":\"%s\",\"closed\":true,\"note\":\"겨울 휴가\"}", tomorrow, after);
	is(put("special-days", body), 200, "\"contradicts\":\"HOURS\""); /* they stay, and are named */
	a = slots(after, 2);
	is(a, 200, "\"closed\":true");
	is(a, 200, "\"note\":\"겨울 휴가\"");
	snprintf(month, sizeof month, "/api/reservations/days?restaurantId=1&partySize=2&month=%.7s", after);
	a = http_get(box.port, month);
	snprintf(body, sizeof body, "{\"date\":\"%s\",\"state\":\"closed\",\"remaining\":0,\"note\":\"겨울 휴가\"}", after);
	is(a, 200, body);
	is(desk_day(after), 200, "\"note\":\"겨울 휴가\"");
	/* As usual, with a note and a deposit that counts in every service of the day. */
	snprintf(body, sizeof body,
		 "{\"from\":\"%s\",\"to\":\"%s\",\"asWeek\":true,\"note\":\"성탄절\",\"depositPerPerson\":7000}", tomorrow,
		 after);
	a = put("special-days", body);
	is(a, 200, NULL);
	has_not(a, "HOURS");
	a = slots(after, 2);
	is(a, 200, "\"note\":\"성탄절\"");
	is(a, 200, "\"slotTime\":\"12:30\",\"label\":\"lunch\"");
	is(a, 200, "\"depositPerPerson\":7000,\"depositLargePerPerson\":7000");
	has_not(a, "\"depositPerPerson\":20000");
	is(book(after, "20:30", 2), 201, "\"amountDue\":14000");
	/* Services of its own. */
	snprintf(body, sizeof body,
		 "{\"from\":\"%s\",\"to\":\"%s\",\"services\":[{\"opens\":\"18:00\",\"closes\":\"23:00\",\"label\":\"dinner\","
		 "\"partyMin\":2,\"partyMax\":2,\"depositPerPerson\":1}],\"depositPerPerson\":9000}",
		 after, after);
	is(put("special-days", body), 200, "\"contradicts\":\"HOURS\"");
	a = slots(after, 2);
	is(a, 200, "\"slotTime\":\"18:00\",\"label\":\"dinner\"");
	is(a, 200, "\"depositPerPerson\":9000");
	has_not(a, "\"note\"");
	has_not(a, "12:30");
	is(book(after, "18:00", 3), 400, "PARTY_SIZE");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM special_days WHERE note = '성탄절'"), 1);
	/* As ever. */
	snprintf(body, sizeof body, "{\"from\":\"%s\",\"to\":\"%s\"}", tomorrow, after);
	is(put("special-days", body), 200, NULL);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM special_days"), 0);
	appliance_sql(&box, "UPDATE reservations SET status = 'CANCELED' WHERE is_active = 1");
}

static void special_days_that_cannot_be_are_refused_by_name(void **state)
{
	char body[400];

	(void)state;
	is(put_week(lunch_and_dinner), 200, NULL);
	is(put("special-days", "{\"from\":\"2027-01-02\",\"to\":\"2026-12-24\",\"closed\":true}"), 400, "WRONG_WAY_ROUND");
	is(put("special-days", "{\"from\":\"2027-01-01\",\"to\":\"2028-01-02\",\"closed\":true}"), 400, "\"field\":\"to\"");
	is(put("special-days", "{\"from\":\"2027-02-30\",\"to\":\"2027-03-01\",\"closed\":true}"), 400, "\"field\":\"from\"");
	is(put("special-days", "{\"from\":\"2027-02-01\",\"closed\":true}"), 400, "\"field\":\"to\"");
	is(put("special-days", "{\"from\":\"2027-02-01\",\"to\":\"2027-02-01\",\"closed\":true,\"asWeek\":true}"), 400,
	   "\"field\":\"asWeek\"");
	/* The evening before lasts until two. */
	snprintf(body, sizeof body, "{\"from\":\"%s\",\"to\":\"%s\",\"services\":[{\"opens\":\"01:00\",\"closes\":\"05:00\"}]}",
		 after, after);
	is(put("special-days", body), 400, "HOURS_OVERLAP");
	is(put("special-days", body), 400, "\"field\":\"services\"");
	snprintf(body, sizeof body, "{\"from\":\"%s\",\"to\":\"%s\",\"services\":[{\"opens\":\"02:00\",\"closes\":\"05:00\"}]}",
		 after, after);
	is(put("special-days", body), 200, NULL);
	/* And a longer week would last into it. */
	is(put_week((const char *const[]){"\"opens\":\"17:30\",\"closes\":\"02:30\"", NULL}), 400, "\"field\":\"hours\"");
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM special_days"), 1);
	snprintf(body, sizeof body, "{\"day\":\"%s\"}", after);
	is(put("special-days", body), 200, NULL);
}

/* ---- nights ---- */

static void after_midnight_it_is_still_the_evening_before_while_it_lasts(void **state)
{
	static const char *const dinner[] = {"\"opens\":\"17:30\",\"closes\":\"02:00\",\"slotMinutes\":30,\"label\":\"dinner\"",
					     NULL};
	const struct http_answer *a;
	char want[200];

	(void)state;
	is(put_week(dinner), 200, NULL);
	stand_at("23:50");
	is(book(today, "25:00", 2), 201, "\"slotTime\":\"25:00\"");
	stand_at("24:45");
	snprintf(want, sizeof want, "\"today\":\"%s\"", today);
	is(http_get(box.port, "/api/restaurants/1"), 200, want);
	is(desk_day(today), 200, want);
	/* Its own times can still be booked; those of the day that has begun lie on that day. */
	a = slots(today, 2);
	is(a, 200, "\"slotTime\":\"24:30\"");
	snprintf(want, sizeof want, "\"waiting\":0,\"startsAt\":\"%s\"", instant(today, "25:30"));
	is(a, 200, want);
	is(book(today, "25:30", 2), 201, NULL);
	is(book(today, "24:30", 2), 400, "PAST");
	/* Who walks in belongs to it. */
	a = as_owner("POST", "/api/desk/walk-ins?restaurantId=1", "{\"partySize\":3}");
	snprintf(want, sizeof want, "\"slotDate\":\"%s\",\"slotTime\":\"24:4", today);
	is(a, 201, want);
	/* A tablet says what its clock shows. */
	snprintf(want, sizeof want, "{\"slotDate\":\"%s\",\"slotTime\":\"01:20\",\"partySize\":2,\"guestName\":\"Lee\"}",
		 today);
	is(as_owner("POST", "/api/desk/reservations?restaurantId=1", want), 201, "\"slotTime\":\"25:20\"");
	snprintf(want, sizeof want, "\"todayUntil\":\"%s\"", instant(today, "26:00"));
	is(desk_day(today), 200, want);
	stand_at("26:01");
	snprintf(want, sizeof want, "\"today\":\"%s\"", tomorrow);
	is(http_get(box.port, "/api/restaurants/1"), 200, want);
	is(desk_day(today), 200, "\"slotTime\":\"25:30\""); /* and stays on its page */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_service_offers_its_own_times_and_says_what_differs),
		cmocka_unit_test(a_booking_goes_by_the_rules_of_its_service),
		cmocka_unit_test(what_services_cannot_be_is_refused_by_name_and_changes_nothing),
		cmocka_unit_test(slots_follow_what_their_service_says),
		cmocka_unit_test(a_range_of_special_days_is_set_and_taken_back_at_once),
		cmocka_unit_test(special_days_that_cannot_be_are_refused_by_name),
		cmocka_unit_test(after_midnight_it_is_still_the_evening_before_while_it_lasts),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
