/*
 * api_payevent.c - a payment provider says that something happened.
 *
 * Whoever can reach the box can send this, so nothing in it is believed before its signature is, and then only which payment to look
 * at.  It is answered as soon as it is written, or soon after: providers send again what is not answered in a few seconds, and
 * an event that is lost costs a minute at most, because the cashier looks by itself too.
 */
#include "api.h"

#include "clock.h"
#include "payevents.h"
#include "paysettings.h"
#include "provider.h"
#include "route.h"
#include "signature.h"
#include "slip.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { WRITTEN_MS = 500, STEP_MS = 50 };

/* One signature may be that of any restaurant of the box: each has an account of its own. */
static enum err find_sender(struct call *c, const struct provider *p, enum intent_provider word)
{
	const struct req *r = c->req;
	const struct pay_headers h = {
		.id = r->header(r, "HTTP_WEBHOOK_ID"),
		.timestamp = r->header(r, "HTTP_WEBHOOK_TIMESTAMP"),
		.signature = r->header(r, word == INTENT_STRIPE ? "HTTP_STRIPE_SIGNATURE" : "HTTP_WEBHOOK_SIGNATURE"),
	};
	struct paysettings set = {.restaurant_id = 0};
	enum err e, why = ERR_NOT_FOUND; /* nobody here has this provider */
	bool found;

	for (;;) {
		char secret[PAYSETTINGS_KEY_SIZE];
		size_t n;

		e = paysettings_next(c->db, word, set.restaurant_id, &set, &found);
		if (e != ERR_OK || !found)
			return e == ERR_OK ? why : e;
		if (!p->is_signed)
			return ERR_OK;
		why = ERR_FORBIDDEN;
		n = set.webhook_secret[0] ? token_unseal(c->door->key, set.webhook_secret, secret, sizeof secret - 1) : 0;
		secret[n] = '\0';
		if (n && p->is_signed(secret, &h, r->body.data, r->body.len, c->now_s))
			return ERR_OK;
	}
}

/* Its name, by which a second copy is known: in the body, in the header, or else what is in it. */
static void name_it(const struct req *r, const struct pay_event *v, char out[TICKET_PAY_EVENT_SIZE])
{
	unsigned char hash[crypto_generichash_BYTES_MIN];
	const char *header = r->header(r, "HTTP_WEBHOOK_ID"), *id = *v->id ? v->id : header ? header : "";

	if (*id && strlen(id) < TICKET_PAY_EVENT_SIZE && text_utf8(id, strlen(id)) && !text_has_control(id)) {
		strcpy(out, id);
		return;
	}
	crypto_generichash(hash, sizeof hash, (const unsigned char *)r->body.data, r->body.len, NULL, 0);
	sodium_bin2hex(out, TICKET_PAY_EVENT_SIZE, hash, sizeof hash);
}

/* False: it is of a kind that says nothing to us. */
static bool read_event(const struct req *r, const struct provider *p, struct ticket_event *out)
{
	struct told *t = told_read(r->body.data, r->body.len);
	struct pay_event v = {0};

	if (t)
		p->event(t, &v);
	told_free(t);
	if (!v.known)
		return false;
	if (p->is_signed)
		name_it(r, &v, out->id);
	snprintf(out->type, sizeof out->type, "%s", v.type);
	snprintf(out->reference, sizeof out->reference, "%s", *v.key ? v.key : v.ref);
	return true;
}

/* In the line it outlives this request; whether it is written already is waited for only a moment. */
static enum err put_down(struct call *c, const struct ticket_event *v)
{
	struct ticket_request ticket = {.kind = TICKET_EVENT, .u.event = *v};
	struct hall *hall = &c->door->hall;
	int64_t until_ms = clock_mono_ms() + WRITTEN_MS;
	struct ticket_outcome out;
	enum slip_state state = SLIP_WAITS;
	struct slip slip;

	if (!slip_draw(hall, &ticket, &slip))
		return ERR_LINE_FULL;
	while (state == SLIP_WAITS && clock_mono_ms() < until_ms)
		state = slip_look(hall, &slip, STEP_MS, &out);
	if (state == SLIP_WAITS)
		line_detach(hall->line, slip.number);
	return ERR_OK;
}

enum err api_payment_event(struct call *c)
{
	const struct provider *p = provider_find(c->req->path_word);
	struct ticket_event v = {.provider = INTENT_DESK};
	enum intent_provider word;
	bool about_ours = false;
	enum err e;

	if (!p || !intent_provider_parse(p->word, &word))
		return ERR_NOT_FOUND;
	if (c->req->body.len > SIGNATURE_BODY_MAX)
		return ERR_TOO_LARGE;
	e = db_read_begin(c->db);
	if (e == ERR_OK) {
		e = find_sender(c, p, word);
		about_ours = e == ERR_OK && read_event(c->req, p, &v);
		if (about_ours && !p->is_signed)
			e = payevents_is_known(c->db, word, v.reference, &about_ours);
		db_read_end(c->db);
	}
	v.provider = (int32_t)word;
	if (e == ERR_OK && about_ours)
		e = put_down(c, &v);
	return call_done(c, e);
}
