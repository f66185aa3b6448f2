/*
 * street.c - a FastCGI client: one request on one connection.
 */
#include "street.h"

#include "unit.h"

#include <ctype.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { BEGIN = 1, PARAMS = 4, STDIN = 5, STDOUT = 6, HEAD = 8, KEPT = 16, PATIENCE_MS = 30000 };

struct bytes {
	char data[65536];
	size_t len;
};

static void add(struct bytes *b, const void *data, size_t n)
{
	assert_true(b->len + n < sizeof b->data);
	if (n)
		memcpy(b->data + b->len, data, n);
	b->len += n;
}

static void add_record(struct bytes *b, int type, const void *content, size_t n)
{
	unsigned char head[HEAD] = {1, (unsigned char)type, 0, 1, (unsigned char)(n >> 8), (unsigned char)n, 0, 0};

	add(b, head, sizeof head);
	add(b, content, n);
}

static void add_param(struct bytes *b, const char *name, const char *value)
{
	size_t n = strlen(value);
	unsigned char lengths[5] = {(unsigned char)strlen(name), (unsigned char)(0x80 | n >> 24), (unsigned char)(n >> 16),
				    (unsigned char)(n >> 8), (unsigned char)n};

	add(b, lengths, sizeof lengths);
	add(b, name, strlen(name));
	add(b, value, n);
}

/* "Idempotency-Key: x\r\n" is HTTP_IDEMPOTENCY_KEY. */
static void add_headers(struct bytes *b, const char *lines)
{
	char name[80], value[2048];
	int used;

	while (sscanf(lines, "%79[^:]: %2047[^\r]\r\n%n", name, value, &used) == 2) {
		char param[100];

		for (char *p = name; *p; p++)
			*p = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
		snprintf(param, sizeof param, "%s%s", strcmp(name, "CONTENT_TYPE") == 0 ? "" : "HTTP_", name);
		add_param(b, param, value);
		lines += used;
	}
}

static void send_request(int fd, const char *address, const struct http_call *call)
{
	static const char begin[HEAD] = {0, 1};
	static struct bytes params, all;
	const char *query = strchr(call->path, '?'), *method = call->method ? call->method : call->body ? "POST" : "GET";
	char path[512], length[24];
	size_t n = call->body ? strlen(call->body) : 0;

	params.len = all.len = 0;
	snprintf(path, sizeof path, "%.*s", (int)(query ? query - call->path : (long)strlen(call->path)), call->path);
	snprintf(length, sizeof length, "%zu", n);
	add_param(&params, "REQUEST_METHOD", method);
	add_param(&params, "PATH_INFO", path);
	add_param(&params, "QUERY_STRING", query ? query + 1 : "");
	add_param(&params, "CONTENT_LENGTH", n ? length : "");
	add_param(&params, "REMOTE_ADDR", address);
	if (call->headers)
		add_headers(&params, call->headers);
	else if (n)
		add_param(&params, "CONTENT_TYPE", "application/json");
	add_record(&all, BEGIN, begin, sizeof begin);
	add_record(&all, PARAMS, params.data, params.len);
	add_record(&all, PARAMS, "", 0);
	if (n)
		add_record(&all, STDIN, call->body, n);
	add_record(&all, STDIN, "", 0);
	assert_int_equal(send(fd, all.data, all.len, MSG_NOSIGNAL), all.len);
}

static void receive(int fd, struct bytes *b)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	ssize_t n;

	b->len = 0;
	while (poll(&p, 1, PATIENCE_MS) > 0 && (n = recv(fd, b->data + b->len, sizeof b->data - 1 - b->len, 0)) > 0)
		b->len += (size_t)n;
}

/* What the worker wrote, without the records around it. */
static void unpack(const struct bytes *b, char *out)
{
	size_t used = 0;

	for (size_t at = 0; at + HEAD <= b->len;) {
		const unsigned char *h = (const unsigned char *)b->data + at;
		size_t n = (size_t)h[4] << 8 | h[5];

		if (at + HEAD + n > b->len)
			break;
		if (h[1] == STDOUT)
			memcpy(out + used, b->data + at + HEAD, n);
		used += h[1] == STDOUT ? n : 0;
		at += HEAD + n + h[6];
	}
	out[used] = '\0';
}

const struct http_answer *street_ask(const struct appliance *a, const char *address, struct http_call call)
{
	static struct http_answer kept[KEPT];
	static unsigned turn;
	static struct bytes raw;
	struct http_answer *out = &kept[turn++ % KEPT];
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char *text, *end;

	http_free(out);
	snprintf(to.sun_path, sizeof to.sun_path, "%s/jari.sock", a->dir);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
	send_request(fd, address, &call);
	receive(fd, &raw);
	close(fd);
	text = malloc(raw.len + 1);
	assert_non_null(text);
	unpack(&raw, text);
	end = strstr(text, "\r\n\r\n");
	*out = (struct http_answer){.end = end ? HTTP_WHOLE : HTTP_CUT, .head = text};
	if (!end)
		return out;
	*end = '\0';
	out->body = strdup(end + 4);
	out->body_len = strlen(out->body);
	text = strstr(text, "Status: ");
	out->status = text ? atoi(text + 8) : 200;
	return out;
}

const struct http_answer *street_post(const struct appliance *a, const char *address, const char *path, const char *token,
				      const char *json)
{
	char headers[HTTP_TEXT + 100];

	snprintf(headers, sizeof headers, "Content-Type: application/json\r\n%s%s%s", *token ? "Authorization: Bearer " : "",
		 token, *token ? "\r\n" : "");
	return street_ask(a, address, (struct http_call){.path = path, .headers = headers, .body = json});
}
