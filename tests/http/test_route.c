/*
 * test_route.c - the table of addresses keeps its own rules, and every path leads where it should.
 */
#include "route.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[ROUTE_METHODS] = {"GET", "POST", "PUT", "PATCH", "DELETE"};

static void no_get_writes_and_no_route_repeats(void **state)
{
	(void)state;
	assert_true(route_count > 10);
	for (size_t i = 0; i < route_count; i++) {
		assert_true(routes[i].method == GET ? !(routes[i].flags & WRITES) : (routes[i].flags & WRITES) != 0);
		for (size_t k = 0; k < i; k++)
			if (routes[i].method == routes[k].method && strcmp(routes[i].path, routes[k].path) == 0)
				fail_msg("%s is there twice", routes[i].path);
	}
}

static void every_row_is_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < route_count; i++) {
		const struct route *r = &routes[i];

		assert_true(r->path[0] == '/' && r->handle && r->help && r->help[0]);
		/* What a reservation's row is about stands in its path; a body that may be empty is still a body. */
		assert_true(r->about != RESERVATION || strstr(r->path, "{id}"));
		assert_true(!(r->flags & MAY_BE_EMPTY) || r->flags & JSON);
		assert_true(!(r->flags & JSON) || r->flags & WRITES);
		/* Staff routes are for staff only, and the other way round. */
		assert_int_equal(r->who >= STAFF, strncmp(r->path, "/api/desk/", 10) == 0);
	}
}

static void every_address_is_in_the_docs(void **state)
{
	static char docs[1 << 16];
	FILE *f = fopen("docs/api.md", "r");
	char name[100];

	(void)state;
	assert_non_null(f);
	docs[fread(docs, 1, sizeof docs - 1, f)] = '\0';
	fclose(f);
	for (size_t i = 0; i < route_count; i++) {
		const char *word = strstr(routes[i].path, "{word}"), *last = strrchr(routes[i].path, '/');

		/* calendar.ics and qr.svg stand behind each other; a {word} has a name there. */
		snprintf(name, sizeof name, "%s", strchr(last, '.') ? last : routes[i].path);
		if (word)
			name[word - routes[i].path] = '\0';
		if (!strstr(docs, name))
			fail_msg("docs/api.md does not name %s", routes[i].path);
	}
}

static const struct route *find(const char *method, const char *path, struct req *r, enum err *e, char allow[ROUTE_ALLOW_SIZE])
{
	*r = (struct req){.method = method, .path = path};
	return route_find(r, e, allow);
}

static void a_path_finds_its_row_and_its_ids(void **state)
{
	char allow[ROUTE_ALLOW_SIZE];
	struct req r;
	enum err e;

	(void)state;
	assert_ptr_equal(find("POST", "/api/reservations/812/cancel", &r, &e, allow)->handle, api_reservation_cancel);
	assert_int_equal(r.path_id_count, 1);
	assert_int_equal(r.path_ids[0], 812);
	assert_ptr_equal(find("GET", "/api/reservations/slots", &r, &e, allow)->handle, api_slots);
	assert_int_equal(r.path_id_count, 0);
	assert_ptr_equal(find("HEAD", "/healthz", &r, &e, allow)->handle, api_health);
	assert_ptr_equal(find("GET", "/api/tickets/abc", &r, &e, allow)->handle, api_ticket_get);
	assert_string_equal(r.path_word, "abc");
	assert_null(find("GET", "/api/reservations/0", &r, &e, allow));
	assert_int_equal(e, ERR_NOT_FOUND);
	assert_null(find("PATCH", "/api/tickets/abc", &r, &e, allow));
	assert_int_equal(e, ERR_METHOD_NOT_ALLOWED);
	assert_string_equal(allow, "GET, DELETE");
}

static void every_row_finds_itself(void **state)
{
	char path[200], allow[ROUTE_ALLOW_SIZE];
	struct req r;
	enum err e;

	(void)state;
	for (size_t i = 0; i < route_count; i++) {
		char *at;

		snprintf(path, sizeof path, "%s", routes[i].path);
		while ((at = strstr(path, "{id}"))) {
			memcpy(at, "77", 2);
			memmove(at + 2, at + 4, strlen(at + 4) + 1);
		}
		if ((at = strstr(path, "{word}"))) {
			*at = 'w';
			memmove(at + 1, at + 6, strlen(at + 6) + 1);
		}
		assert_ptr_equal(find(methods[routes[i].method], path, &r, &e, allow), &routes[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_get_writes_and_no_route_repeats),
		cmocka_unit_test(every_row_is_whole),
		cmocka_unit_test(every_address_is_in_the_docs),
		cmocka_unit_test(a_path_finds_its_row_and_its_ids),
		cmocka_unit_test(every_row_finds_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
