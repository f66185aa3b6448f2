/*
 * e2e_login.c - getting in: passwords that are good once, and floods of passwords that do not lock the owner out.
 */
#include "appliance.h"
#include "kid.h"
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct appliance box;
static struct ran ran;
static const char EMAIL[] = "kim@example.com", PASSWORD[] = "correct horse 7";

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, 8);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* Logs in, with a new password and a cookie where they are not "". */
static const struct http_answer *log_in(const char *password, const char *fresh, const char *cookie)
{
	char body[512], headers[1024];

	snprintf(body, sizeof body, "{\"email\":\"%s\",\"password\":\"%s\"%s%s%s}", EMAIL, password,
		 *fresh ? ",\"newPassword\":\"" : "", fresh, *fresh ? "\"" : "");
	snprintf(headers, sizeof headers, "Content-Type: application/json\r\n%s%s%s", *cookie ? "Cookie: " : "", cookie,
		 *cookie ? "\r\n" : "");
	return http_ask(box.port, (struct http_call){.method = "POST", .path = "/api/login", .headers = headers, .body = body});
}

static void add_staff(const char *password)
{
	appliance_run(&box, &ran, NULL, "staff", "add", EMAIL, "Kim", "--password", password, "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
}

static void says(const struct http_answer *a, int status, const char *code)
{
	char got[HTTP_TEXT];

	assert_int_equal(a->status, status);
	http_text(a, "code", got);
	assert_string_equal(got, code);
}

static void a_one_time_password_is_good_for_choosing_another_and_nothing_else(void **state)
{
	char once[64], token[HTTP_TEXT];

	(void)state;
	appliance_run(&box, &ran, NULL, "staff", "add", EMAIL, "Kim", "--dir", box.dir, NULL);
	assert_int_equal(sscanf(ran.out, "added kim@example.com, one-time password %63s", once), 1);
	says(log_in(once, "", ""), 403, "CHOOSE_PASSWORD");
	assert_false(http_header_has(log_in(once, "", ""), "Set-Cookie", "jari"));
	says(log_in(once, "short", ""), 400, "BAD_PASSWORD");
	says(log_in(once, once, ""), 400, "BAD_PASSWORD");
	says(log_in("wrong password", "a new password", ""), 401, "LOGIN_FAILED");
	assert_int_equal(appliance_number(&box, "SELECT password_once FROM users WHERE email = '%s'", EMAIL), 1);
	http_text(log_in(once, "a new password", ""), "accessToken", token);
	assert_true(*token);
	says(log_in(once, "", ""), 401, "LOGIN_FAILED");
	says(log_in(once, "another password", ""), 401, "LOGIN_FAILED");
	assert_int_equal(log_in("a new password", "", "")->status, 200);
	assert_int_equal(appliance_number(&box, "SELECT count(*) FROM audit WHERE entity = 'user' AND change = 'password'"), 1);
	/* Every person may change theirs the same way. */
	assert_int_equal(log_in("a new password", "a newer password", "")->status, 200);
	assert_int_equal(log_in("a newer password", "", "")->status, 200);
}

static void of_two_who_use_it_at_once_one_gets_in(void **state)
{
	struct http_call calls[6];
	struct http_answer answers[6];
	char once[64], bodies[6][256];
	int in = 0;

	(void)state;
	appliance_run(&box, &ran, NULL, "staff", "add", EMAIL, "Kim", "--dir", box.dir, NULL);
	assert_int_equal(sscanf(ran.out, "added kim@example.com, one-time password %63s", once), 1);
	for (int i = 0; i < 6; i++) {
		snprintf(bodies[i], sizeof bodies[i],
			 "{\"email\":\"%s\",\"password\":\"%s\",\"newPassword\":\"password number %d\"}", EMAIL, once, i);
		calls[i] = (struct http_call){.path = "/api/login", .body = bodies[i]};
	}
	http_many(box.port, calls, 6, 6, answers);
	for (int i = 0; i < 6; i++) {
		char password[64];

		in += answers[i].status == 200;
		assert_true(answers[i].status == 200 || answers[i].status == 401 || answers[i].status == 429);
		snprintf(password, sizeof password, "password number %d", i);
		assert_int_equal(log_in(password, "", "")->status, answers[i].status == 200 ? 200 : 401);
		http_free(&answers[i]);
	}
	assert_int_equal(in, 1);
}

/* ---- floods ---- */

static int keep_trying(void *arg)
{
	_Atomic int *stop = arg;

	while (!*stop)
		log_in("wrong password", "", "");
	return 0;
}

/* The cookie by which a device that has logged in is known from then on. */
static void get_known(char out[256])
{
	const struct http_answer *a = log_in(PASSWORD, "", "");
	const char *at = strstr(a->head, "jari-device=");

	assert_int_equal(a->status, 200);
	assert_non_null(at);
	snprintf(out, 256, "%.*s", (int)strcspn(at, ";"), at);
}

static void a_flood_from_everywhere_does_not_keep_a_known_device_out(void **state)
{
	enum { FLOOD = 12, TRIES = 12 };
	_Atomic int *stop = kid_share(sizeof *stop);
	int refused = 0;
	pid_t kids[FLOOD];
	char known[256];

	(void)state;
	add_staff(PASSWORD);
	get_known(known);
	for (int i = 0; i < FLOOD; i++)
		kids[i] = kid_start(keep_trying, stop);
	usleep(300000);
	for (int i = 0; i < TRIES; i++) {
		assert_int_equal(log_in(PASSWORD, "", known)->status, 200);
		refused += log_in(PASSWORD, "", "")->status == 429;
	}
	*stop = 1;
	for (int i = 0; i < FLOOD; i++)
		assert_int_equal(kid_end(kids[i]), 0);
	kid_unshare(stop, sizeof *stop);
	assert_true(refused > 0); /* the flood was one */
	/* What another user's device knows opens no door. */
	assert_int_equal(log_in("wrong password", "", known)->status, 401);
}

/* By plain CGI as from that address; the status of the answer. */
static int from(const char *address, const char *password, const char *cookie)
{
	char body[256], length[24];
	const char *status;

	snprintf(body, sizeof body, "{\"email\":\"%s\",\"password\":\"%s\"}", EMAIL, password);
	snprintf(length, sizeof length, "%zu", strlen(body));
	setenv("REQUEST_METHOD", "POST", 1);
	setenv("PATH_INFO", "/api/login", 1);
	setenv("CONTENT_TYPE", "application/json", 1);
	setenv("CONTENT_LENGTH", length, 1);
	setenv("HTTP_COOKIE", cookie, 1);
	setenv("REMOTE_ADDR", address, 1);
	appliance_run(&box, &ran, body, "cgi", "--dir", box.dir, NULL);
	unsetenv("REMOTE_ADDR");
	unsetenv("HTTP_COOKIE");
	status = strstr(ran.out, "Status: "); /* among the headers, wherever */
	return status ? atoi(status + 8) : 0;
}

static void tries_are_counted_by_address_and_not_by_account(void **state)
{
	char known[256];
	int tries = 0, right = 0;

	(void)state;
	add_staff(PASSWORD);
	get_known(known);
	/* The bucket fills while a slow machine starts the next process: then it is emptied again. */
	for (int i = 0; i < 5 && right != 429; i++) {
		while (tries < 200 && from("203.0.113.5", "wrong password", "") == 401)
			tries++;
		right = from("203.0.113.5", PASSWORD, "");
	}
	assert_in_range(tries, 20, 199);
	assert_int_equal(right, 429);
	assert_non_null(strstr(ran.out, "Retry-After: "));
	assert_int_equal(from("198.51.100.7", PASSWORD, ""), 200);   /* the owner at another address */
	assert_int_equal(from("203.0.113.5", PASSWORD, known), 200); /* or behind the same, on a device of their own */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_one_time_password_is_good_for_choosing_another_and_nothing_else, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(of_two_who_use_it_at_once_one_gets_in, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_flood_from_everywhere_does_not_keep_a_known_device_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tries_are_counted_by_address_and_not_by_account, set_up, tear_down),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
