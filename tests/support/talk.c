/*
 * talk.c - speaking to an appliance as a person.
 */
#include "talk.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

void talk_log_in(const struct appliance *a, const char *email, char headers[TALK_HEADERS])
{
	char body[200], token[HTTP_TEXT];

	snprintf(body, sizeof body, "{\"email\":\"%s\",\"password\":\"" TALK_PASSWORD "\"}", email);
	http_text(http_post(a->port, "/api/login", body), "accessToken", token);
	assert_true(*token);
	snprintf(headers, TALK_HEADERS, "Authorization: Bearer %.160s\r\nContent-Type: application/json\r\n", token);
}

void talk_add_staff(const struct appliance *a, const char *email, char headers[TALK_HEADERS])
{
	static struct ran ran; /* static for its size only */

	appliance_run(a, &ran, NULL, "staff", "add", email, "Kim", "--password", TALK_PASSWORD, "--dir", a->dir, NULL);
	assert_int_equal(ran.exit, 0);
	talk_log_in(a, email, headers);
}

const struct http_answer *talk_as(const struct appliance *a, const char *headers, const char *method, const char *path,
				  const char *body)
{
	return http_ask(a->port, (struct http_call){.method = method, .path = path, .headers = headers, .body = body});
}

void talk_says(const struct http_answer *answer, int status, const char *code)
{
	char got[HTTP_TEXT];

	http_text(answer, "code", got);
	if (answer->status != status || strcmp(got, code) != 0)
		fail_msg("%d %s, not %d %s: %.300s", answer->status, got, status, code, answer->body);
}
