/*
 * api_qr.c - links as QR codes: to one reservation, to the guests' page for a card on the table, for a colleague's telephone.
 */
#include "route.h"

#include "api.h"
#include "auth.h"

#include <assert.h>
#include <qrencode.h>
#include <stdio.h>

enum { QUIET_MODULES = 4 }; /* white around the code, so that cameras find it */
enum { LINK_MAX = 700 };    /* letters of a link with an address to log in with */

bool api_manage_link(const struct call *c, char out[API_LINK_SIZE])
{
	char site[CALL_SITE_SIZE], token[TOKEN_TEXT_SIZE];

	assert(c->reservation.id > 0);
	if (!call_site(c, site))
		return false;
	auth_sign_manage(c->door, c->reservation.id, token);
	snprintf(out, API_LINK_SIZE, "%s/r#%s", site, token);
	return true;
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

static enum err answer_code(struct call *c, const char *text)
{
	QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
	struct buf *out = &c->reply->body;
	int width;

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

enum err api_qr(struct call *c)
{
	char text[API_LINK_SIZE];

	if (!api_manage_link(c, text)) /* who does not know where we are gets the code */
		snprintf(text, sizeof text, "%s", c->reservation.code);
	return answer_code(c, text);
}

enum err api_door_qr(struct call *c)
{
	char text[API_LINK_SIZE];

	return api_door_link(c, text) ? answer_code(c, text) : ERR_BAD_REQUEST;
}

enum err api_desk_card(struct call *c)
{
	char site[CALL_SITE_SIZE], text[API_LINK_SIZE];

	if (!call_site(c, site))
		return ERR_BAD_REQUEST;
	snprintf(text, sizeof text, "%s/?restaurant=%lld", site, (long long)c->restaurant.id);
	return answer_code(c, text);
}

/* A one-time link is a secret: it comes in the body, because addresses stand in logs. */
enum err api_desk_qr(struct call *c)
{
	char text[LENGTHS_SIZE(LINK_MAX)];
	enum err e;

	in_only(&c->body, "text", NULL);
	in_text(&c->body, "text", IN_REQUIRED, LINK_MAX, text, sizeof text);
	e = call_body(c);
	return e == ERR_OK ? answer_code(c, text) : e;
}
