/*
 * api_qr.c - GET /api/reservations/{id}/qr.svg: the manage link as a QR code.
 */
#include "route.h"

#include "auth.h"

#include <assert.h>
#include <qrencode.h>
#include <stdio.h>
#include <string.h>

enum { QUIET_MODULES = 4 }; /* white around the code, so that cameras find it */

/* What the code says: where to manage the reservation, or its code when we do not know our own name. */
static void link_text(const struct call *c, char *out, size_t size)
{
	static const char of_a_host[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-:[]";
	const struct req *r = c->req;
	const char *host = r->header(r, "HTTP_HOST");
	char token[TOKEN_TEXT_SIZE];

	if (!host || !*host || strlen(host) > 260 || strspn(host, of_a_host) != strlen(host)) {
		snprintf(out, size, "%s", c->reservation.code);
		return;
	}
	auth_sign_manage(c->door, c->reservation.id, token);
	snprintf(out, size, "%s://%s/r#%s", r->https ? "https" : "http", host, token);
}

/* Dark modules, one stroke for each run of them in a row. */
static void put_modules(struct buf *out, const QRcode *code)
{
	for (int y = 0; y < code->width; y++)
		for (int x = 0, run; x < code->width; x += run ? run : 1) {
			for (run = 0; x + run < code->width && code->data[y * code->width + x + run] & 1; run++)
				;
			if (run)
				buf_fmt(out, "M%d %dh%dv1h-%dz", x + QUIET_MODULES, y + QUIET_MODULES, run, run);
		}
}

enum err api_qr(struct call *c)
{
	struct buf *out = &c->reply->body;
	char text[400];
	QRcode *code;
	int width;

	assert(c->reservation.id > 0);
	link_text(c, text, sizeof text);
	code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
	if (!code)
		return ERR_NO_MEMORY;
	width = code->width + 2 * QUIET_MODULES;
	buf_fmt(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" shape-rendering=\"crispEdges\">"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/><path fill=\"#000\" d=\"",
		width, width);
	put_modules(out, code);
	buf_str(out, "\"/></svg>\n");
	QRcode_free(code);
	c->reply->type = "image/svg+xml";
	return ERR_OK;
}
