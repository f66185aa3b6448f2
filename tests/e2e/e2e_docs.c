/*
 * e2e_docs.c - every example of docs/api.md, sent as it stands there and answered as it says.
 */
#include "appliance.h"
#include "guests.h"
#include "text.h"
#include "unit.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct appliance box;
static char page[65536];

/* What later examples take from earlier answers. */
static struct {
	const char *word, *field;
	char value[HTTP_TEXT];
} learnt[] = {
	{"TOKEN", "accessToken", ""}, {"MANAGE", "manageToken", ""}, {"TICKET", "ticket", ""}, {"CODE", "reservationCode", ""}};

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 4);
	appliance_read("docs/api.md", page, sizeof page);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

static void replace(char *text, size_t size, const char *from, const char *to)
{
	if (strstr(text, from))
		appliance_replace(text, size, from, to);
}

/* An open day of the demo restaurant in the place of the page's; and its month. */
static void set_dates(char *text, size_t size)
{
	char day[TEXT_DATE_SIZE];

	guests_day(2, day);
	replace(text, size, "2026-01-20", day);
	day[strlen("2026-01")] = '\0';
	replace(text, size, "2026-01", day);
}

/* Is everything that the page says in the answer?  "…" stands for anything but nothing. */
static bool holds(struct json_object *said, struct json_object *got, char *where, size_t size)
{
	if (json_object_is_type(said, json_type_string) && strcmp(json_object_get_string(said), "…") == 0)
		return got != NULL;
	if (!json_object_is_type(said, json_type_object))
		return json_object_equal(said, got);
	json_object_object_foreach(said, key, value)
	{
		struct json_object *of = NULL;

		if (!json_object_object_get_ex(got, key, &of) || !holds(value, of, where, size)) {
			snprintf(where, size, "%s", key);
			return false;
		}
	}
	return true;
}

/* Splits "METHOD path", header lines and body, and sends them. */
static const struct http_answer *send_it(char *request)
{
	static char method[16], path[256], headers[4096];
	char *line = request, *next;

	headers[0] = '\0';
	assert_int_equal(sscanf(line, "%15s %255s", method, path), 2);
	line = strchr(line, '\n');
	line = line ? line + 1 : request + strlen(request);
	while (*line && *line != '{') {
		next = strchr(line, '\n');
		assert_non_null(next);
		snprintf(headers + strlen(headers), sizeof headers - strlen(headers), "%.*s\r\n", (int)(next - line), line);
		line = next + 1;
	}
	if (*line)
		strcat(headers, "Content-Type: application/json\r\n");
	return http_ask(box.port,
			(struct http_call){.method = method, .path = path, .headers = headers, .body = *line ? line : NULL});
}

static void learn(const struct http_answer *a)
{
	char value[HTTP_TEXT];

	for (size_t i = 0; i < sizeof learnt / sizeof learnt[0]; i++) {
		http_text(a, learnt[i].field, value);
		if (*value)
			strcpy(learnt[i].value, value);
	}
}

static void run_example(const char *text, size_t n)
{
	static char request[16384], reply[16384];
	char where[64] = "";
	const char *split = strstr(text, "\n\n");
	struct json_object *said, *got;
	const struct http_answer *a;

	assert_true(split && split < text + n);
	snprintf(request, sizeof request, "%.*s\n", (int)(split - text), text);
	snprintf(reply, sizeof reply, "%.*s", (int)(text + n - split - 2), split + 2);
	set_dates(request, sizeof request);
	for (size_t i = 0; i < sizeof learnt / sizeof learnt[0]; i++)
		if (learnt[i].value[0])
			replace(request, sizeof request, learnt[i].word, learnt[i].value);
	a = send_it(request);
	learn(a);
	set_dates(reply, sizeof reply);
	replace(reply, sizeof reply, "CODE", learnt[3].value);
	if (a->status != atoi(reply))
		fail_msg("%s: %d, not as the page says: %s\n%s", request, a->status, reply, a->body);
	said = json_tokener_parse(strchr(reply, '{'));
	got = json_tokener_parse(a->body);
	assert_non_null(said);
	if (!holds(said, got, where, sizeof where))
		fail_msg("%s: %s is not as the page says: %s\n%s", request, where, reply, a->body);
	json_object_put(said);
	json_object_put(got);
}

/* The blocks after a heading; how many there were. */
static int run_after(const char *heading, const char *until)
{
	const char *at = strstr(page, heading), *end = until ? strstr(page, until) : page + strlen(page);
	int n = 0;

	assert_non_null(at);
	assert_non_null(end);
	while ((at = strstr(at, "```http\n")) && at < end) {
		const char *close;

		at += strlen("```http\n");
		close = strstr(at, "```");
		assert_non_null(close);
		run_example(at, (size_t)(close - at));
		at = close;
		n++;
	}
	return n;
}

static void every_example_is_answered_as_the_page_says(void **state)
{
	(void)state;
	assert_true(run_after("## Examples", NULL) > 12);
}

static void the_booking_of_the_page_is_one(void **state)
{
	(void)state;
	assert_int_equal(run_after("## Booking", "## Examples"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_booking_of_the_page_is_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(every_example_is_answered_as_the_page_says, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
