/*
 * pay.c - the local providers of tests/pay for a test in C.
 */
#include "pay.h"

#include "appliance.h"
#include "unit.h"

#include <ctype.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { START_MS = 120000, STOP_MS = 10000 }; /* npm may have to fetch the packages first */

static bool answers(struct pay *p)
{
	char text[4096], *at;

	at = strstr(appliance_read(p->log, text, sizeof text), "pay: ");
	return at && strchr(at, '\n') && sscanf(at, "pay: %63s", p->url) == 1 &&
	       sscanf(p->url, "http://127.0.0.1:%d", &p->port) == 1;
}

void pay_open(struct pay *p)
{
	static const char *const argv[] = {"tests/pay/serve", NULL};
	char text[4096];
	int fd;

	*p = (struct pay){.log = "/tmp/jari-pay-XXXXXX"};
	fd = mkstemp(p->log);
	assert_true(fd >= 0);
	close(fd);
	p->pid = appliance_spawn(p->log, argv);
	for (int64_t until = appliance_now_ms() + START_MS; !answers(p); usleep(5000))
		if (appliance_now_ms() > until || !appliance_alive(p->pid))
			fail_msg("the local providers do not start: %s", appliance_read(p->log, text, sizeof text));
}

void pay_free(struct pay *p)
{
	if (!p->pid)
		return;
	appliance_signal(p->pid, SIGTERM);
	if (appliance_wait(p->pid, STOP_MS) < 0)
		appliance_signal(p->pid, SIGKILL);
	unlink(p->log);
	p->pid = 0;
}

void pay_close(struct pay *p)
{
	pay_expect_right(p);
	pay_free(p);
}

/* ---- asking ---- */

const struct http_answer *pay_control(const struct pay *p, const char *method, const char *path, const char *json)
{
	char address[512];
	const struct http_answer *got;

	snprintf(address, sizeof address, "/control/%s", path);
	got = http_ask(p->port, (struct http_call){.method = method, .path = address, .body = json, .timeout_ms = 60000});
	if (got->status != 200)
		fail_msg("%s %s: %d %s", method, address, got->status, got->body ? got->body : "");
	return got;
}

__attribute__((format(printf, 3, 0))) static const struct http_answer *post(const struct pay *p, const char *what,
									    const char *format, va_list ap)
{
	const struct http_answer *got;
	char *json;

	assert_true(vasprintf(&json, format, ap) >= 0);
	for (char *c = json; *c; c++)
		if (*c == '\'')
			*c = '"';
	got = pay_control(p, "POST", what, json);
	free(json);
	return got;
}

const struct http_answer *pay_post(const struct pay *p, const char *what, const char *format, ...)
{
	const struct http_answer *got;
	va_list ap;

	va_start(ap, format);
	got = post(p, what, format, ap);
	va_end(ap);
	return got;
}

void pay_fault(const struct pay *p, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	post(p, "faults", format, ap);
	va_end(ap);
}

void pay_end_faults(const struct pay *p)
{
	pay_control(p, "DELETE", "faults", NULL);
}

void pay_reset(const struct pay *p)
{
	pay_control(p, "POST", "reset", "{}");
}

const char *pay_guest(const struct pay *p, char out[PAY_TEXT], const char *format, ...)
{
	struct json_object *o;
	va_list ap;

	va_start(ap, format);
	o = http_json(post(p, "guest", format, ap));
	va_end(ap);
	snprintf(out, PAY_TEXT, "%s", json_object_get_string(json_object_object_get(o, "redirect")));
	json_object_put(o);
	return out;
}

static int digit(char c)
{
	const char *at = strchr("0123456789ABCDEF", toupper(c));

	return at ? (int)(at - "0123456789ABCDEF") : 0;
}

const char *pay_said(const char *redirect, const char *name, char out[PAY_TEXT])
{
	size_t len = strlen(name), n = 0;
	const char *at = strchr(redirect, '?');

	out[0] = '\0';
	while (at && (strncmp(at + 1, name, len) != 0 || at[1 + len] != '='))
		at = strchr(at + 1, '&');
	if (!at)
		return out;
	for (at += len + 2; *at && *at != '&' && n < PAY_TEXT - 1; at++) {
		if (*at == '%' && at[1] && at[2]) {
			out[n++] = (char)(digit(at[1]) * 16 + digit(at[2]));
			at += 2;
		} else {
			out[n++] = *at == '+' ? ' ' : *at;
		}
	}
	out[n] = '\0';
	return out;
}

/* ---- looking ---- */

int64_t pay_money(const struct pay *p, const char *id, const char *name)
{
	char path[256];

	snprintf(path, sizeof path, "money?id=%s", id);
	return http_int(pay_control(p, "GET", path, NULL), name);
}

int64_t pay_calls(const struct pay *p, const char *provider, const char *call, const char *id)
{
	char path[256];

	snprintf(path, sizeof path, "calls?provider=%s&call=%s&id=%s", provider, call, id);
	return http_int(pay_control(p, "GET", path, NULL), "count");
}

void pay_expect_right(const struct pay *p)
{
	struct json_object *o = http_json(pay_control(p, "GET", "calls", NULL)), *calls = json_object_object_get(o, "calls");
	char text[8192] = "";

	for (size_t i = 0; i < json_object_array_length(calls); i++) {
		struct json_object *row = json_object_array_get_idx(calls, i);
		struct json_object *wrong = json_object_object_get(row, "wrong");
		size_t n = strlen(text);

		if (json_object_array_length(wrong))
			snprintf(text + n, sizeof text - n, "\n%s %s: %s",
				 json_object_get_string(json_object_object_get(row, "provider")),
				 json_object_get_string(json_object_object_get(row, "call")), json_object_get_string(wrong));
	}
	json_object_put(o);
	if (*text)
		fail_msg("the provider would not have it so:%s", text);
}
