/*
 * api_settings.c - the owner changes names, texts and settings.
 */
#include "route.h"

#include "api.h"
#include "country.h"
#include "currency.h"
#include "zone.h"

#include <string.h>

void api_camel(const char *name, char out[API_CAMEL_SIZE])
{
	size_t n = 0;

	for (; *name && n < API_CAMEL_SIZE - 1; name++) {
		if (*name == '_' && name[1]) {
			name++;
			out[n++] = (char)(*name - 'a' + 'A');
		} else
			out[n++] = *name;
	}
	out[n] = '\0';
}

struct json *api_settings_json(const struct settings *s)
{
	struct json *list = json_list();
	char name[API_CAMEL_SIZE];

	for (size_t i = 0; i < settings_count; i++) {
		const struct settings_row *row = &settings_rows[i];
		struct json *j = json_new();
		int value;

		memcpy(&value, (const char *)s + row->offset, sizeof value);
		api_camel(row->name, name);
		json_text(j, "name", name);
		json_int(j, "value", value);
		json_int(j, "min", row->min);
		json_int(j, "max", row->max);
		json_text(j, "help", row->help);
		if (settings_is_money(row))
			json_flag(j, "money", true);
		json_push(list, j);
	}
	return list;
}

static bool is_language(const char *code)
{
	return strcmp(code, "ko") == 0 || strcmp(code, "en") == 0;
}

/* Guests tap it: what no telephone can dial helps nobody. */
static bool is_phone(const char *text)
{
	char digits[TEXT_PHONE_SIZE];

	return text_phone(text, digits);
}

static const struct fact {
	const char *field, *column;
	size_t max;
	bool needed;
	void (*take)(struct in *in, const char *key, enum in_need need, size_t max_points, char *out, size_t size);
	bool (*is_good)(const char *text); /* NULL: any text will do */
	enum err wrong;
} facts[] = {
	{"name", "name", LENGTHS_HOUSE, true, in_text, NULL, ERR_OK},
	{"nameEn", "name_en", LENGTHS_HOUSE, false, in_text, NULL, ERR_OK},
	{"phone", "phone", LENGTHS_HOUSE_PHONE, false, in_text, is_phone, ERR_BAD_PHONE},
	{"address", "address", LENGTHS_ADDRESS, false, in_text, NULL, ERR_OK},
	{"addressEn", "address_en", LENGTHS_ADDRESS, false, in_text, NULL, ERR_OK},
	{"paymentText", "payment_text", LENGTHS_PAYMENT_TEXT, false, in_lines, NULL, ERR_OK},
	{"notifyEmail", "notify_email", LENGTHS_EMAIL, false, in_text, text_email, ERR_BAD_EMAIL},
	{"messageText", "message_text", LENGTHS_MESSAGE_TEXT, false, in_lines, NULL, ERR_OK},
	{"messageTextEn", "message_text_en", LENGTHS_MESSAGE_TEXT, false, in_lines, NULL, ERR_OK},
	{"timezone", "timezone", 60, true, in_text, zone_is_public, ERR_BAD_ZONE},
	{"country", "country", 2, false, in_text, country_known, ERR_BAD_COUNTRY},
	{"language", "language", 2, true, in_text, is_language, ERR_BAD_LANGUAGE},
	{"currency", "currency", 3, true, in_text, currency_known, ERR_BAD_CURRENCY},
};
static const size_t fact_count = sizeof facts / sizeof facts[0];

static bool is_setting(const char *key)
{
	bool known = strcmp(key, "pausedUntil") == 0;
	char name[API_CAMEL_SIZE];

	for (size_t i = 0; i < fact_count && !known; i++)
		known = strcmp(key, facts[i].field) == 0;
	for (size_t i = 0; i < settings_count && !known; i++) {
		api_camel(settings_rows[i].name, name);
		known = strcmp(key, name) == 0;
	}
	return known;
}

static void take_facts(struct in *in, struct json *change)
{
	char text[LENGTHS_SIZE(LENGTHS_PAYMENT_TEXT)];

	for (const struct fact *f = facts; f < facts + fact_count; f++) {
		if (!in_has(in, f->field))
			continue;
		f->take(in, f->field, f->needed ? IN_REQUIRED : IN_OPTIONAL, f->max, text, sizeof text);
		if (in->e == ERR_OK && *text && f->is_good && !f->is_good(text))
			in_fail(in, f->wrong, f->field);
		json_text(change, f->column, text);
	}
}

/* The numbers; *set is what they were and becomes what they will be. */
static void take_numbers(struct in *in, struct settings *set, struct json *change)
{
	char name[API_CAMEL_SIZE];
	int64_t value = 0;

	for (const struct settings_row *row = settings_rows; row < settings_rows + settings_count; row++) {
		api_camel(row->name, name);
		if (!in_has(in, name))
			continue;
		in_int(in, name, IN_REQUIRED, row->min, row->max, &value);
		if (in->e == ERR_OK && !settings_fits(row, value))
			in_fail(in, ERR_OUT_OF_RANGE, name);
		if (in->e == ERR_OK)
			settings_put(set, row, (int)value);
		json_int(change, row->name, value);
	}
	if (in_has(in, "callingCode") && !text_calling_code(set->calling_code))
		in_fail(in, ERR_OUT_OF_RANGE, "callingCode");
	if (set->party_min > set->party_max && (in_has(in, "partyMin") || in_has(in, "partyMax")))
		in_fail(in, ERR_OUT_OF_RANGE, in_has(in, "partyMin") ? "partyMin" : "partyMax");
}

enum err api_settings(struct call *c)
{
	struct settings set = c->restaurant.set;
	struct json *j = json_new();
	struct in *in = &c->body;
	char pause[CLOCK_ISO_SIZE];
	int64_t until;

	in_only_known(in, is_setting);
	take_facts(in, j);
	take_numbers(in, &set, j);
	if (in_has(in, "pausedUntil")) {
		in_text(in, "pausedUntil", IN_OPTIONAL, 20, pause, sizeof pause);
		if (*pause && !clock_parse_iso(pause, &until))
			in_fail(in, ERR_BAD_TIME, "pausedUntil");
		json_text(j, "paused_until", pause);
	}
	return api_house_write(c, HOUSE_SETTINGS, j);
}
