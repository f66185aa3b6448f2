/*
 * api_countries.c - what a new restaurant can choose from: countries with what is usual there, and currencies.
 */
#include "route.h"

#include "country.h"
#include "currency.h"

static struct json *country_json(const struct country *c, enum lang lang)
{
	struct json *j = json_new();

	json_text(j, "code", c->code);
	json_text(j, "name", lang == LANG_KO ? c->ko : c->en);
	json_text(j, "timezone", c->zone);
	json_text(j, "currency", c->currency);
	json_int(j, "callingCode", c->calling_code);
	json_int(j, "firstWeekday", c->first_weekday);
	json_text(j, "language", country_lang(c) == LANG_KO ? "ko" : "en");
	json_text(j, "phoneExample", c->phone);
	return j;
}

static struct json *currency_json(const char *code)
{
	struct json *j = json_new();

	json_text(j, "code", code);
	json_int(j, "digits", currency_digits(code));
	return j;
}

enum err api_countries(struct call *c)
{
	static const char *const codes[] = {
#define X(code) #code,
		CURRENCY_WHOLE(X) CURRENCY_CENTS(X) CURRENCY_MILLS(X)
#undef X
	};
	struct json *j = json_new(), *list = json_list(), *money = json_list();

	for (size_t i = 0; i < country_count; i++)
		json_push(list, country_json(&countries[i], c->req->lang));
	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
		json_push(money, currency_json(codes[i]));
	json_put(j, "countries", list);
	json_put(j, "currencies", money);
	return call_answer(c, ERR_OK, j);
}
