/*
 * api_paydesk.c - payments at the desk: the owner's settings and trial, what needs somebody, a link to pay by, the charge of a
 * card that was left as guarantee.
 */
#include "route.h"

#include "api.h"
#include "currency.h"
#include "intents.h"
#include "refunds.h"

#include <stdio.h>
#include <string.h>

enum { TRY_WON = 100 };

/* Is there somebody who speaks to the provider?  Without, nothing is lost, and nothing goes on. */
static bool has_cashier(const struct call *c)
{
	return board_cashier_seen(c->door->hall.board);
}

/* ---- settings ---- */

static struct json *trial_json(const struct intents_row *i)
{
	struct json *j = json_new();

	json_text(j, "paymentId", i->pay_key);
	json_text(j, "state", i->told);
	json_text_if(j, "words", i->words);
	json_moment(j, "at", i->created_s);
	return j;
}

/* Everything but the secrets, which are never shown again. */
enum err api_paydesk_get(struct call *c)
{
	struct paysettings p;
	struct intents_row trial;
	char site[CALL_SITE_SIZE], url[CALL_SITE_SIZE + 60] = "";
	struct json *j;
	enum err e = paysettings_get(c->db, c->restaurant.id, &p);

	if (e == ERR_OK)
		e = intents_trial(c->db, c->restaurant.id, &trial);
	if (e != ERR_OK)
		return e;
	if (call_site(c, site) && paysettings_online(&p))
		snprintf(url, sizeof url, "%s/api/payments/events/%s", site, intent_provider_word(p.provider));
	j = json_new();
	json_text(j, "provider", intent_provider_word(p.provider));
	json_flag(j, "test", p.test);
	json_text(j, "storeId", p.store_id);
	json_text(j, "channelKey", p.channel_key);
	json_text(j, "clientKey", p.client_key);
	json_flag(j, "hasSecret", p.secret[0] != '\0');
	json_flag(j, "hasWebhookSecret", p.webhook_secret[0] != '\0');
	json_flag(j, "guarantee", p.guarantee);
	json_int(j, "guaranteeAmount", p.guarantee_amount);
	json_int(j, "guaranteeHours", p.guarantee_hours);
	json_text(j, "guaranteeTerms", p.guarantee_terms);
	json_int(j, "phoneHoldHours", p.phone_hold_hours);
	json_text(j, "webhookUrl", url);
	json_flag(j, "cashier", has_cashier(c));
	json_put_or_null(j, "try", trial.id ? trial_json(&trial) : NULL);
	return call_answer(c, ERR_OK, j);
}

/* A key is pasted from a console: letters of ASCII, no blanks. */
static void take_key(struct in *in, const char *name, char *out, size_t size)
{
	in_text(in, name, IN_OPTIONAL, PAYSETTINGS_KEY_MAX, out, size);
	for (const char *at = out; in->e == ERR_OK && *at; at++)
		if (*at <= ' ' || *at > '~')
			in_fail(in, ERR_BAD_TEXT, name);
}

/* Left out: as it was.  Given: sealed, so that a copy of the book alone cannot move money.  Empty: none any more. */
static void take_secret(struct call *c, const char *name, char sealed[PAYSETTINGS_SECRET_SIZE])
{
	char given[4 * PAYSETTINGS_KEY_MAX + 4] = "";

	take_key(&c->body, name, given, sizeof given);
	strcpy(sealed, "=");
	if (c->body.e != ERR_OK || !in_has(&c->body, name))
		return;
	sealed[0] = '\0';
	if (given[0])
		token_seal(c->door->key, given, strlen(given), sealed);
}

static void take_settings(struct call *c, struct paysettings *p)
{
	struct in *in = &c->body;
	char provider[12] = "", key[4 * PAYSETTINGS_KEY_MAX + 4];
	char *const keys[] = {p->store_id, p->channel_key, p->client_key};
	static const char *const names[] = {"storeId", "channelKey", "clientKey"};
	int64_t hours = p->guarantee_hours, hold = p->phone_hold_hours;

	in_only(in, "provider", "test", "storeId", "channelKey", "clientKey", "secret", "webhookSecret", "guarantee",
		"guaranteeAmount", "guaranteeHours", "guaranteeTerms", "phoneHoldHours", NULL);
	in_text(in, "provider", IN_REQUIRED, 10, provider, sizeof provider);
	if (in->e == ERR_OK && !intent_provider_parse(provider, &p->provider))
		in_fail(in, ERR_OUT_OF_RANGE, "provider");
	in_yes(in, "test", &p->test);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (in_has(in, names[i])) {
			take_key(in, names[i], key, sizeof key);
			snprintf(keys[i], PAYSETTINGS_KEY_SIZE, "%.*s", PAYSETTINGS_KEY_MAX, in->e == ERR_OK ? key : "");
		}
	take_secret(c, "secret", p->secret);
	take_secret(c, "webhookSecret", p->webhook_secret);
	in_yes(in, "guarantee", &p->guarantee);
	in_int(in, "guaranteeAmount", IN_OPTIONAL, 0, INT64_C(1000000000), &p->guarantee_amount);
	in_int(in, "guaranteeHours", IN_OPTIONAL, 1, 720, &hours);
	in_int(in, "phoneHoldHours", IN_OPTIONAL, 1, 24, &hold);
	if (in_has(in, "guaranteeTerms"))
		in_lines(in, "guaranteeTerms", IN_OPTIONAL, LENGTHS_PAYMENT_TEXT, p->guarantee_terms,
			 sizeof p->guarantee_terms);
	p->guarantee_hours = (int)hours;
	p->phone_hold_hours = (int)hold;
}

/* What was saved is of the company that it was saved for: another one must not be told it, and one of before has its own. */
static enum err change_secrets(struct call *c, struct paysettings *p)
{
	struct paysettings before;
	bool found;
	enum err e = paysettings_of(c->db, p->restaurant_id, p->provider, &before, &found);

	if (strcmp(p->secret, "=") == 0)
		strcpy(p->secret, e == ERR_OK && found ? before.secret : "");
	if (strcmp(p->webhook_secret, "=") == 0)
		strcpy(p->webhook_secret, e == ERR_OK && found ? before.webhook_secret : "");
	return e;
}

/* A provider without its keys, or with another currency, would refuse every guest. */
static void check_keys(struct in *in, const struct paysettings *p, bool has_secret, const char *currency)
{
	const char *missing = NULL;

	if (p->provider == INTENT_PORTONE)
		missing = !p->store_id[0] ? "storeId" : !p->channel_key[0] ? "channelKey" : NULL;
	if (p->provider == INTENT_TOSS && !p->client_key[0])
		missing = "clientKey";
	if (!missing && paysettings_online(p) && (strcmp(p->secret, "=") == 0 ? !has_secret : !p->secret[0]))
		missing = "secret";
	if (in->e == ERR_OK && !paysettings_takes(p, currency))
		in_fail(in, ERR_WON_ONLY, "provider");
	if (in->e == ERR_OK && missing)
		in_fail(in, ERR_KEYS_MISSING, missing);
	if (in->e == ERR_OK && p->guarantee && !p->guarantee_terms[0])
		in_fail(in, ERR_MISSING_FIELD, "guaranteeTerms");
}

enum err api_paydesk_set(struct call *c)
{
	struct paysettings p;
	enum intent_provider was;
	bool has_secret;
	enum err e = paysettings_get(c->db, c->restaurant.id, &p);

	if (e != ERR_OK)
		return e;
	was = p.provider;
	has_secret = p.secret[0] != '\0';
	take_settings(c, &p);
	if (p.provider != was)
		e = change_secrets(c, &p);
	if (e != ERR_OK)
		return e;
	check_keys(&c->body, &p, has_secret, c->restaurant.currency);
	e = call_body(c);
	return call_done(c, e == ERR_OK ? paysettings_set(c->db, &p, call_by(c), c->now_s) : e);
}

/* ---- a trial ---- */

enum err api_paydesk_try(struct call *c)
{
	const struct restaurant *r = &c->restaurant;
	struct ticket_request ticket;
	char about[60], lang[8] = "";
	int64_t amount = TRY_WON;
	enum err e;

	in_only(&c->body, "lang", NULL);
	in_text(&c->body, "lang", IN_OPTIONAL, 2, lang, sizeof lang);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	if (currency_digits(r->currency) > 0) /* a whole one of what has cents */
		amount = currency_digits(r->currency) == 3 ? 1000 : 100;
	snprintf(about, sizeof about, "try %lld %lld %lld", (long long)r->id, (long long)c->now_s, (long long)token_new_card());
	api_pay_ticket(c, PAY_TRY, about, &ticket);
	ticket.u.pay.restaurant_id = r->id;
	ticket.u.pay.amount = amount;
	ticket.u.pay.lang = strcmp(lang, "en") == 0 ? LANG_EN : LANG_KO;
	call_actor(c, 0, ticket.u.pay.actor);
	return api_draw(c, &ticket, r->id);
}

/* ---- what needs somebody ---- */

enum err api_paydesk_list(struct call *c)
{
	struct json *needs = json_list(), *newest = json_list(), *j = json_new();
	enum err e = refunds_need(c->db, c->restaurant.id, c->now_s, json_row, needs);

	if (e == ERR_OK)
		e = refunds_newest(c->db, c->restaurant.id, json_row, newest);
	json_put(j, "needs", needs);
	json_put(j, "newest", newest);
	json_flag(j, "cashier", has_cashier(c));
	return call_answer(c, e, j);
}

enum err api_paydesk_refund(struct call *c)
{
	struct ticket_request ticket;
	const char *word = c->req->path_word;
	enum err e;
	int64_t first = 0;

	in_only(&c->body, NULL);
	e = call_body(c);
	if (e == ERR_OK && strcmp(word, "again") != 0 && strcmp(word, "by-hand") != 0)
		e = ERR_NOT_FOUND;
	if (e == ERR_OK)
		e = restaurants_first(c->db, &first);
	if (e != ERR_OK)
		return e;
	api_pay_ticket(c, strcmp(word, "again") == 0 ? PAY_AGAIN : PAY_BY_HAND, "", &ticket);
	ticket.u.pay.refund_id = c->req->path_ids[0];
	ticket.u.pay.restaurant_id = c->who.user.restaurant_id;
	call_actor(c, 0, ticket.u.pay.actor);
	return api_draw(c, &ticket, first);
}

/* ---- one reservation ---- */

enum err api_paydesk_link(struct call *c)
{
	struct ticket_request ticket;
	int64_t version = 0;
	enum err e;

	in_only(&c->body, "version", NULL);
	in_int(&c->body, "version", IN_OPTIONAL, 1, INT64_MAX - 1, &version);
	e = call_body(c);
	if (e == ERR_OK && version && version != c->reservation.version)
		e = ERR_STALE;
	if (e != ERR_OK)
		return e;
	api_pay_ticket(c, PAY_LINK, c->reservation.code, &ticket);
	ticket.u.pay.reservation_id = c->reservation.id;
	call_actor(c, 0, ticket.u.pay.actor);
	return api_draw(c, &ticket, c->reservation.restaurant_id);
}

enum err api_paydesk_charge(struct call *c)
{
	struct ticket_request ticket;
	int64_t amount = 0, most = 0;
	enum err e;

	in_only(&c->body, "amount", "most", NULL);
	in_int(&c->body, "most", IN_REQUIRED, 1, INT64_C(1000000000000), &most);
	in_int(&c->body, "amount", IN_REQUIRED, 1, INT64_C(1000000000000), &amount);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	api_pay_ticket(c, PAY_CHARGE, c->reservation.code, &ticket);
	ticket.u.pay.reservation_id = c->reservation.id;
	ticket.u.pay.amount = amount;
	ticket.u.pay.most = most;
	call_actor(c, 0, ticket.u.pay.actor);
	return api_draw(c, &ticket, c->reservation.restaurant_id);
}
