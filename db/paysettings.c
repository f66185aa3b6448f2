/*
 * paysettings.c - who takes payments for a restaurant.
 */
#include "paysettings.h"

#include "stmt.h"

#include <sqlite3.h>
#include <string.h>

static bool take(struct db *db, struct sqlite3_stmt *s, struct paysettings *out, enum err *e)
{
	const char *provider;

	if (!stmt_row(db, s, e))
		return false;
	*e = ERR_OK;
	stmt_take(s, "iwbtttttbintnn", &out->restaurant_id, &provider, &out->test, out->store_id, sizeof out->store_id,
		  out->channel_key, sizeof out->channel_key, out->client_key, sizeof out->client_key, out->secret,
		  sizeof out->secret, out->webhook_secret, sizeof out->webhook_secret, &out->guarantee, &out->guarantee_amount,
		  &out->guarantee_hours, out->guarantee_terms, sizeof out->guarantee_terms, &out->phone_hold_hours,
		  &out->stretch_s);
	if (!intent_provider_parse(provider, &out->provider))
		out->provider = INTENT_DESK;
	stmt_done(s);
	*e = ERR_OK;
	return true;
}

enum err paysettings_get(struct db *db, int64_t restaurant_id, struct paysettings *out)
{
	enum err e;

	*out = (struct paysettings){.restaurant_id = restaurant_id,
				    .provider = INTENT_DESK,
				    .guarantee_hours = 48,
				    .phone_hold_hours = 24,
				    .stretch_s = 120};
	take(db, stmt_use(db, SQL_PAYSETTINGS_GET, "i", restaurant_id), out, &e);
	return e;
}

enum err paysettings_of(struct db *db, int64_t restaurant_id, enum intent_provider provider, struct paysettings *out,
			bool *found)
{
	enum err e;

	*found = take(db, stmt_use(db, SQL_PAYSETTINGS_OF, "it", restaurant_id, intent_provider_word(provider)), out, &e);
	return e;
}

enum err paysettings_next(struct db *db, enum intent_provider provider, int64_t after, struct paysettings *out, bool *found)
{
	enum err e;

	*found = take(db, stmt_use(db, SQL_PAYSETTINGS_NEXT, "ti", intent_provider_word(provider), after), out, &e);
	return e;
}

enum err paysettings_set(struct db *db, const struct paysettings *p, const char *actor, int64_t now_s)
{
	enum err e = db_begin(db);

	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_WRITING_BEGIN, "t", actor);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_PAYSETTINGS_SET, "ititttttiiitiim", p->restaurant_id, intent_provider_word(p->provider),
			     (int64_t)p->test, p->store_id, p->channel_key, p->client_key, p->secret, p->webhook_secret,
			     (int64_t)p->guarantee, p->guarantee_amount, (int64_t)p->guarantee_hours, p->guarantee_terms,
			     (int64_t)p->phone_hold_hours, (int64_t)p->stretch_s, now_s);
	if (e == ERR_OK)
		e = stmt_run(db, SQL_WRITING_END, "");
	db_touch_settings(db);
	return db_end(db, e);
}

bool paysettings_takes(const struct paysettings *p, const char *currency)
{
	return p->provider != INTENT_TOSS || strcmp(currency, "KRW") == 0;
}

bool paysettings_online(const struct paysettings *p)
{
	return p->provider != INTENT_DESK;
}
