/*
 * case.c - one payment or refund, from the book and back to it.
 */
#include "case.h"

#include "text.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { REFUSED_AGAIN_S = 3600 };

/* ---- from the book ---- */

static void unseal(const unsigned char *key, const char *sealed, char *out, size_t size)
{
	size_t n = sealed[0] ? token_unseal(key, sealed, out, size - 1) : 0;

	out[n] = '\0';
}

static enum pay_step step_of(enum intent_todo todo)
{
	switch (todo) {
	case INTENT_TO_BEGIN:
		return ASK_BEGIN;
	case INTENT_TO_CHARGE:
		return ASK_CHARGE;
	case INTENT_TO_LOOK:
		return ASK_LOOK;
	case INTENT_TO_VOID:
		return ASK_VOID;
	case INTENT_TO_FORGET_CARD:
		return ASK_FORGET_CARD;
	case INTENT_TO__NOTHING:
		break;
	}
	return ASK_NOTHING;
}

static void put_settings(struct pay_job *j, const struct paysettings *p, const unsigned char *key)
{
	provider_put(j->store_id, sizeof j->store_id, p->store_id);
	provider_put(j->channel_key, sizeof j->channel_key, p->channel_key);
	unseal(key, p->secret, j->secret, sizeof j->secret);
}

static void put_intent(struct pay_job *j, const struct intents_row *i, const unsigned char *key)
{
	j->restaurant_id = i->restaurant_id;
	j->purpose = i->purpose;
	j->test = i->test;
	j->amount = i->amount;
	j->created_s = i->created_s;
	j->lang = i->lang;
	memcpy(j->currency, i->currency, sizeof j->currency);
	provider_put(j->key, sizeof j->key, i->pay_key);
	provider_put(j->ref, sizeof j->ref, i->provider_ref);
	provider_put(j->session, sizeof j->session, i->session_ref);
	provider_put(j->site, sizeof j->site, i->site);
	unseal(key, i->token, j->token, sizeof j->token);
	unseal(key, i->card_ref, j->card, sizeof j->card);
}

static void put_about(struct pay_job *j, const struct intents_row *i, const struct intents_about *a)
{
	intents_order_name(i, a, j->name);
	provider_put(j->code, sizeof j->code, a->code);
	if (a->date[0])
		snprintf(j->slot, sizeof j->slot, "%s %s", a->date, a->time);
	j->party = a->party;
}

static enum err load(struct db *db, const unsigned char *key, int64_t intent_id, struct intents_row *i, struct case_of *out)
{
	struct intents_about about;
	struct paysettings set;
	bool has_keys = false;
	enum err e = intents_get(db, intent_id, i);

	if (e == ERR_OK)
		e = intents_about(db, i, &about);
	if (e == ERR_OK)
		e = paysettings_of(db, i->restaurant_id, i->provider, &set, &has_keys);
	if (e != ERR_OK)
		return e;
	*out = (struct case_of){.intent_id = i->id, .provider = provider_find(intent_provider_word(i->provider))};
	put_intent(&out->job, i, key);
	put_about(&out->job, i, &about);
	if (has_keys)
		put_settings(&out->job, &set, key);
	return out->provider ? ERR_OK : ERR_NOT_FOUND;
}

enum err case_of_intent(struct db *db, const unsigned char *key, int64_t intent_id, int64_t now_s, struct case_of *out)
{
	struct intents_row i;
	enum err e = load(db, key, intent_id, &i, out);

	if (e != ERR_OK)
		return e;
	out->todo = step_of(i.todo);
	out->attempts = i.attempts;
	out->doubt = i.doubt;
	out->job.attempts = i.attempts;
	out->job.now_s = now_s;
	return out->todo == ASK_NOTHING ? ERR_NOT_FOUND : ERR_OK;
}

enum err case_of_refund(struct db *db, const unsigned char *key, int64_t refund_id, int64_t now_s, struct case_of *out)
{
	struct intents_row i;
	struct refunds_row r;
	enum err e = refunds_get(db, refund_id, &r);

	if (e == ERR_OK)
		e = load(db, key, r.intent_id, &i, out);
	if (e != ERR_OK)
		return e;
	out->refund_id = r.id;
	out->todo = ASK_REFUND;
	out->attempts = r.attempts;
	out->doubt = r.doubt;
	out->job.attempts = r.attempts;
	out->job.now_s = now_s;
	out->job.refund = r.amount;
	out->job.cancellable = r.cancellable;
	provider_put(out->job.refund_key, sizeof out->job.refund_key, r.refund_key);
	return ERR_OK;
}

/* ---- and back to it ---- */

static enum ticket_told told_of(enum pay_end end)
{
	switch (end) {
	case SAID_BEGUN:
		return TOLD_BEGUN;
	case SAID_OPEN:
		return TOLD_OPEN;
	case SAID_GONE:
		return TOLD_GONE;
	case SAID_AUTHORISED:
		return TOLD_AUTHORISED;
	case SAID_CHARGED:
		return TOLD_CHARGED;
	case SAID_REFUSED:
		return TOLD_REFUSED;
	case SAID_VOIDED:
		return TOLD_VOIDED;
	case SAID_CARD:
		return TOLD_CARD;
	case SAID_FORGOTTEN:
		return TOLD_FORGOTTEN;
	case SAID_DOUBT:
	case SAID_LATER:
	case SAID_LISTED:
		break;
	}
	return TOLD_UNKNOWN;
}

static enum ticket_told told_of_refund(enum pay_end end)
{
	return end == SAID_CHARGED ? TOLD_REFUNDED : end == SAID_REFUSED ? TOLD_REFUND_REFUSED : TOLD_REFUND_UNKNOWN;
}

void case_report(const struct case_of *c, const unsigned char *key, const struct steps *s, int64_t now_s,
		 struct ticket_cashier *out)
{
	const struct pay_said *end = &s->end;

	*out = (struct ticket_cashier){
		.intent_id = c->intent_id,
		.refund_id = c->refund_id,
		.told = (int32_t)(c->refund_id ? told_of_refund(end->end) : told_of(end->end)),
		.amount = end->amount,
		.returned = end->end == SAID_CHARGED ? end->returned : -1,
		.retry_s = now_s + steps_wait_s(s),
	};
	/* A card that its provider will not forget is asked to be forgotten again, though not every second. */
	if (c->todo == ASK_FORGET_CARD && end->end != SAID_FORGOTTEN) {
		out->told = TOLD_UNKNOWN;
		out->retry_s = now_s + REFUSED_AGAIN_S;
	}
	memcpy(out->currency, end->currency, sizeof out->currency);
	provider_put(out->ref, sizeof out->ref, end->end == SAID_BEGUN ? end->session : end->ref);
	provider_put(out->url, sizeof out->url, end->url);
	snprintf(out->words, sizeof out->words, "%.*s", text_fit(end->words, 200), end->words);
	snprintf(out->label, sizeof out->label, "%.*s", text_fit(end->label, sizeof out->label - 1), end->label);
	if (end->end == SAID_CARD)
		token_seal(key, end->card, strlen(end->card), out->secret);
}
