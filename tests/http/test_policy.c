/*
 * test_policy.c - what a page may load is the same behind nginx and as plain CGI, and only the page of a payment loads what is
 * not ours.
 */
#include "front_cgi.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

static char site[1 << 16];

static int read_site(void **state)
{
	FILE *f = fopen("nginx.conf.example", "r");

	(void)state;
	if (!f)
		return -1;
	site[fread(site, 1, sizeof site - 1, f)] = '\0';
	fclose(f);
	return 0;
}

/* The policy of that row of that map. */
static const char *row_of(const char *map, const char *name, char out[2048])
{
	char head[64];
	const char *at = strstr(site, map), *from, *to;

	assert_non_null(at);
	snprintf(head, sizeof head, "\n\t%s ", name);
	at = strstr(at, head);
	assert_non_null(at);
	from = strchr(at, '"') + 1;
	to = strchr(from, '"');
	snprintf(out, 2048, "%.*s", (int)(to - from), from);
	return out;
}

static void every_policy_is_that_of_nginx(void **state)
{
	static const char *const providers[] = {"portone", "toss"};
	char row[2048];

	(void)state;
	assert_string_equal(front_cgi_policy(""), row_of("map $uri $jari_policy", "default", row));
	for (size_t i = 0; i < sizeof providers / sizeof providers[0]; i++)
		assert_string_equal(front_cgi_policy(providers[i]),
				    row_of("map $upstream_http_jari_provider", providers[i], row));
}

static void only_the_page_of_a_payment_loads_what_is_not_ours(void **state)
{
	char row[2048];

	(void)state;
	for (const char *p = site; (p = strstr(p, "https://")); p++) {
		const char *line = p;

		while (line > site && line[-1] != '\n')
			line--;
		if (strncmp(line, "\t#", 2) != 0 && strncmp(line, "\tportone ", 9) != 0 && strncmp(line, "\ttoss ", 6) != 0)
			fail_msg("%.80s", line);
	}
	assert_null(strstr(front_cgi_policy("stripe"), "https:"));
	assert_null(strstr(front_cgi_policy("desk"), "https:"));
	assert_null(strstr(row_of("map $upstream_http_jari_provider", "default", row), "https:"));
}

static void no_policy_lets_anything_in_that_stands_in_a_page(void **state)
{
	static const char *const words[] = {"", "portone", "toss", "stripe"};

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const char *policy = front_cgi_policy(words[i]);

		assert_non_null(strstr(policy, "default-src 'none'; script-src 'self'"));
		assert_non_null(strstr(policy, "frame-ancestors 'none'"));
		assert_null(strstr(policy, "unsafe"));
		assert_null(strstr(policy, "src *"));
		assert_null(strstr(policy, "https:;"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_policy_is_that_of_nginx),
		cmocka_unit_test(only_the_page_of_a_payment_loads_what_is_not_ours),
		cmocka_unit_test(no_policy_lets_anything_in_that_stands_in_a_page),
	};

	return cmocka_run_group_tests(tests, read_site, NULL);
}
