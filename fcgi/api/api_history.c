/*
 * api_history.c - the histories of a reservation and of the house: acts, newest first, each with what it changed.
 *
 * The triggers of db/schema.sql write what was and what is as short texts; here they become fields again, those of earlier
 * versions too.  The page makes sentences of them.
 */
#include "route.h"

#include "api.h"
#include "currency.h"
#include "history.h"
#include "sent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows on their way to acts: what one person wrote in one second about one thing is one act. */
struct telling {
	struct json *acts;
	struct json *act, *changes; /* the one that grows; NULL: none yet */
	const char *(*word)(const struct history_row *r);
	void (*add)(struct telling *t, const struct history_row *r);
	char at[CLOCK_ISO_SIZE], actor[48];
	const char *of;    /* its word */
	int count;         /* rows so far ... */
	int64_t last, all; /* ... the last of them, and the last of the acts before the one that grows */
	char currency[4];  /* of the amounts of the house just then */
	bool whole;        /* they were whole units of it */
};

/* ---- values ---- */

static void put_number(struct json *j, const char *key, const char *digits)
{
	json_int(j, key, strtoll(digits, NULL, 10));
}

/* "slot_minutes=30 last=22:00 label=Dinner": what a service has of its own; a text ends with the next one, or the whole. */
static void put_own(struct json *j, const char *text)
{
	static const char *const texts[] = {" label=", " note="};
	const char *ends[] = {strstr(text, texts[0]), strstr(text, texts[1])};
	size_t n = strlen(text);
	char part[400], name[API_CAMEL_SIZE], *save = NULL;

	if (ends[1])
		json_text(j, "note", ends[1] + strlen(texts[1]));
	if (ends[0]) {
		const char *label = ends[0] + strlen(texts[0]);

		snprintf(part, sizeof part, "%.*s", (int)(ends[1] > label ? ends[1] - label : (ptrdiff_t)strlen(label)), label);
		json_text(j, "label", part);
	}
	n = ends[0] ? (size_t)(ends[0] - text) : ends[1] ? (size_t)(ends[1] - text) : n;
	snprintf(part, sizeof part, "%.*s", (int)n, text);
	for (char *word = strtok_r(part, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *is = strchr(word, '=');

		if (!is)
			continue;
		*is++ = '\0';
		api_camel(word, name);
		if (strcmp(word, "last") == 0)
			json_text(j, "lastSeating", is);
#define X(column, key, min, max) else if (strcmp(word, #column) == 0) put_number(j, key, is);
		SETTINGS_OF_SERVICE(X)
#undef X
	}
}

static void put_part(struct json *j, const char *key, const char *from, size_t n)
{
	char text[80];

	snprintf(text, sizeof text, "%.*s", (int)n, from);
	json_text(j, key, text);
}

/* "7 17:30-23:00 ..." */
static struct json *read_hours(const char *text)
{
	struct json *j = json_new();

	if (strlen(text) < 13)
		return j;
	json_int(j, "weekday", text[0] - '0');
	put_part(j, "opens", text + 2, 5);
	put_part(j, "closes", text + 8, 5);
	put_own(j, text + 13);
	return j;
}

/* "2026-12-24 closed", "2026-12-31 17:00-25:00 ...", "2026-12-25 as usual ..." */
static struct json *read_special(const char *text)
{
	struct json *j = json_new();
	const char *rest = text + 11;

	if (strlen(text) < 12)
		return j;
	put_part(j, "day", text, 10);
	if (rest[0] >= '0' && rest[0] <= '9' && strlen(rest) >= 11) {
		put_part(j, "opens", rest, 5);
		put_part(j, "closes", rest + 6, 5);
		rest += 11;
	} else {
		bool usual = strncmp(rest, "as usual", 8) == 0;

		json_flag(j, usual ? "asWeek" : "closed", true);
		rest += usual ? 8 : strcspn(rest, " ");
	}
	put_own(j, rest);
	return j;
}

/* "2026-12-01-2026-12-31 2026-11-01T01:00:00Z" */
static struct json *read_opening(const char *text)
{
	struct json *j = json_new();

	if (strlen(text) < 23)
		return j;
	put_part(j, "from", text, 10);
	put_part(j, "to", text + 11, 10);
	json_text(j, "opensAt", text + 22);
	return j;
}

/* Takes a suffix off; false: it has another end. */
static bool cut(char *text, const char *suffix)
{
	size_t n = strlen(text), k = strlen(suffix);

	if (n < k || strcmp(text + n - k, suffix) != 0)
		return false;
	text[n - k] = '\0';
	return true;
}

/* The last ", " of it, behind which stands what comes last; the end, if there is none. */
static char *last_part(char *text)
{
	char *at = text + strlen(text);

	for (char *p = text; (p = strstr(p, ", ")); p += 2)
		at = p;
	return at;
}

/* "Window, 1 to 4, STAFF, at 20 30, gone"; NULL: it was gone then. */
static struct json *read_table(const char *said)
{
	struct json *j;
	char text[160], *at;
	int least = 0, most = 0, x, y;

	snprintf(text, sizeof text, "%s", said);
	if (!*text || cut(text, ", gone"))
		return NULL;
	j = json_new();
	at = last_part(text);
	if (sscanf(at, ", at %d %d", &x, &y) == 2) {
		json_int(j, "x", x);
		json_int(j, "y", y);
		*at = '\0';
	}
	json_text(j, "openTo", cut(text, ", STAFF") ? "STAFF" : cut(text, ", WALK_IN") ? "WALK_IN" : "ONLINE");
	at = last_part(text);
	if (sscanf(at, ", %d to %d", &least, &most) == 2)
		*at = '\0';
	json_text(j, "name", text);
	json_int(j, "seatsMin", least);
	json_int(j, "seatsMax", most);
	return j;
}

/* "2 to 8, gone" */
static struct json *read_join(const char *said)
{
	struct json *j;
	int least = 0, most = 0;

	if (!*said || strstr(said, "gone"))
		return NULL;
	sscanf(said, "%d to %d", &least, &most);
	j = json_new();
	json_int(j, "seatsMin", least);
	json_int(j, "seatsMax", most);
	return j;
}

/* "Noodles, 11000, sold out, off the menu" */
static struct json *read_dish(const char *said)
{
	struct json *j;
	char text[400], *at;

	snprintf(text, sizeof text, "%s", said);
	if (!*text || cut(text, ", off the menu"))
		return NULL;
	j = json_new();
	json_flag(j, "soldOut", cut(text, ", sold out"));
	at = last_part(text);
	if (*at) {
		put_number(j, "price", at + 2);
		*at = '\0';
	}
	json_text(j, "name", text);
	return j;
}

/* "SMTP mail.example.com:587 STARTTLS" */
static struct json *read_mail(const char *said)
{
	struct json *j;
	char text[400], way[16] = "", host[300] = "", *colon;

	snprintf(text, sizeof text, "%s", said);
	if (!*text)
		return NULL;
	j = json_new();
	sscanf(text, "%15s %299s", way, host);
	json_text(j, "way", way);
	colon = strrchr(host, ':');
	if (colon) {
		*colon = '\0';
		put_number(j, "port", colon + 1);
	}
	json_text_if(j, "host", strcmp(host, "-") == 0 ? "" : host);
	return j;
}

/* ---- acts ---- */

static struct json *new_change(const char *what)
{
	struct json *j = json_new();

	json_text(j, "what", what);
	return j;
}

/* Takes both; NULL is null. */
static void push_change(struct telling *t, const char *what, struct json *from, struct json *to, const char *about)
{
	struct json *j = new_change(what), *of = json_read(about);

	json_put_or_null(j, "from", from);
	json_put_or_null(j, "to", to);
	if (of)
		json_put(j, "about", of);
	json_push(t->changes, j);
}

static struct json *word_or_null(const char *text)
{
	return *text ? json_word(text) : NULL;
}

/* What neither was nor is anything. */
static void push_word(struct telling *t, const char *what, const char *about)
{
	push_change(t, what, NULL, NULL, about);
}

/* Who acted, by role and name. */
static struct json *by_json(const struct history_row *r)
{
	static const struct {
		const char *actor, *kind;
	} others[] = {{"keeper", "KEEPER"}, {"shell", "SHELL"},     {"command", "SHELL"},
		      {"import", "IMPORT"}, {"upgrade", "UPGRADE"}, {"setup", "SETUP"}};
	struct json *j = json_new();
	const char *kind = "SYSTEM";

	if (strncmp(r->actor, "user:", 5) == 0)
		kind = r->forgotten ? "FORGOTTEN" : *r->role ? r->role : "GUEST";
	else if (strncmp(r->actor, "card:", 5) == 0)
		kind = "GUEST";
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (strcmp(r->actor, others[i].actor) == 0)
			kind = others[i].kind;
	json_text(j, "kind", kind);
	json_text_if(j, "name", r->name);
	if (strcmp(kind, "SYSTEM") == 0)
		json_text_if(j, "name", r->actor);
	return j;
}

static void end_act(struct telling *t)
{
	if (t->act)
		json_push(t->acts, t->act);
	t->act = NULL;
	t->all = t->last;
}

static void begin_act(struct telling *t, const struct history_row *r, const char *of)
{
	end_act(t);
	t->act = json_new();
	t->changes = json_list();
	t->of = of;
	snprintf(t->at, sizeof t->at, "%s", r->at);
	snprintf(t->actor, sizeof t->actor, "%s", r->actor);
	json_text(t->act, "at", r->at);
	json_put(t->act, "by", by_json(r));
	json_text(t->act, "act", of);
	if (*t->currency) {
		json_text(t->act, "currency", t->currency);
		json_int(t->act, "currencyDigits", t->whole ? 0 : currency_digits(t->currency));
	}
	json_put(t->act, "changes", t->changes);
}

static void take_row(void *arg, const struct history_row *r)
{
	struct telling *t = arg;
	const char *of = t->word(r);

	if (!t->act || strcmp(t->at, r->at) != 0 || strcmp(t->actor, r->actor) != 0 || strcmp(t->of, of) != 0)
		begin_act(t, r, of);
	t->add(t, r);
	t->last = r->id;
	t->count++;
}

/* ---- the house ---- */

static const char *house_word(const struct history_row *r)
{
	static const struct {
		const char *entity, *change, *word; /* change "": any */
	} words[] = {{"restaurant", "hours", "hours"},
		     {"restaurant", "special_day", "specialDays"},
		     {"restaurant", "opening", "openings"},
		     {"restaurant", "day_note", "dayNote"},
		     {"restaurant", "", "settings"},
		     {"table", "", "tables"},
		     {"join", "", "tables"},
		     {"menu", "", "menu"},
		     {"block", "", "blocks"},
		     {"mail", "", "mail"},
		     {"slot", "", "slots"},
		     {"payment", "", "refund"},
		     {"user", "guest", "guest"},
		     {"user", "erased", "guest"},
		     {"user", "", "staff"},
		     {"card", "", "staff"}};
	size_t i = 0;

	while (i < sizeof words / sizeof words[0] &&
	       (strcmp(words[i].entity, r->entity) != 0 || (*words[i].change && strcmp(words[i].change, r->change) != 0)))
		i++;
	return i < sizeof words / sizeof words[0] ? words[i].word : "other";
}

/* What a change of currency makes of older amounts. */
static void follow_coin(struct telling *t, const struct history_row *r)
{
	if (strcmp(r->change, "currency") == 0 && strlen(r->from) == 3)
		memcpy(t->currency, r->from, sizeof t->currency);
	if (strcmp(r->change, "currency_units") == 0)
		t->whole = true;
}

static void add_setting(struct telling *t, const struct history_row *r)
{
	bool number = settings_find(r->change) != NULL;
	char name[API_CAMEL_SIZE];

	api_camel(r->change, name);
	if (number)
		push_change(t, name, json_number(strtoll(r->from, NULL, 10)), json_number(strtoll(r->to, NULL, 10)), "");
	else
		push_change(t, name, word_or_null(r->from), word_or_null(r->to), "");
	follow_coin(t, r);
}

typedef struct json *reader(const char *text);

static void add_read(struct telling *t, const char *what, reader *read, const struct history_row *r)
{
	push_change(t, what, *r->from ? read(r->from) : NULL, *r->to ? read(r->to) : NULL, r->about);
}

static void add_house_value(struct telling *t, const struct history_row *r)
{
	static const struct {
		const char *change, *what;
		reader *read;
	} values[] = {{"hours", "hours", read_hours},
		      {"special_day", "specialDay", read_special},
		      {"opening", "opening", read_opening}};

	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
		if (strcmp(r->change, values[i].change) == 0) {
			add_read(t, values[i].what, values[i].read, r);
			return;
		}
	if (strcmp(r->change, "day_note") == 0)
		push_change(t, "dayNote", NULL, json_word(r->to), "");
	else
		add_setting(t, r);
}

/* A table that is gone gives its name free, which changes nothing more; earlier versions wrote down what stayed as well. */
static void add_table(struct telling *t, const struct history_row *r)
{
	struct json *from = read_table(r->from), *to = read_table(r->to);

	if ((from || to) && strcmp(r->from, r->to) != 0)
		push_change(t, "table", from, to, "");
	else {
		json_free(from);
		json_free(to);
	}
}

static void add_dish(struct telling *t, const struct history_row *r)
{
	struct json *from = read_dish(r->from), *to = read_dish(r->to);

	if (from || to)
		push_change(t, "dish", from, to, "");
}

static void add_mail(struct telling *t, const struct history_row *r)
{
	char to[400];
	bool other;

	snprintf(to, sizeof to, "%s", r->to);
	other = cut(to, ", another password");
	if (!other || strcmp(r->from, to) != 0)
		push_change(t, "mail", read_mail(r->from), read_mail(to), "");
	if (other)
		push_word(t, "mailPassword", "");
}

/* "REFUNDED, reservation 1, 5000 in, 0 kept, 5000 returned, 0 due back": how much went back. */
static int64_t returned(const char *words)
{
	long long in = 0, kept = 0, back = 0;

	sscanf(words, "%*[^,], reservation %*d, %lld in, %lld kept, %lld returned", &in, &kept, &back);
	return back;
}

static void add_refund(struct telling *t, const struct history_row *r)
{
	int64_t amount = returned(r->to) - returned(r->from);

	if (amount > 0)
		push_change(t, "refund", NULL, json_number(amount), r->about);
}

/* That something was said about a guest, never what. */
static void add_guest(struct telling *t, const struct history_row *r)
{
	static const struct {
		const char *to, *what;
	} words[] = {{"another name", "guestName"}, {"another number", "guestPhone"}, {"another address", "guestEmail"},
		     {"other tags", "guestTags"},   {"blocked", "guestBlocked"},      {"not blocked", "guestNotBlocked"},
		     {"merged", "guestMerged"},     {"unmerged", "guestUnmerged"},    {"", "guestNote"}};
	size_t i = 0;

	while (strncmp(r->to, words[i].to, strlen(words[i].to)) != 0)
		i++;
	push_word(t, words[i].what, r->about);
}

static void add_staff(struct telling *t, const struct history_row *r)
{
	static const struct {
		const char *change, *what;
	} words[] = {{"added", "staffAdded"},       {"role", "staffRole"},       {"link", "staffLink"},
		     {"renamed", "staffRenamed"},   {"removed", "staffRemoved"}, {"logged out", "staffLoggedOut"},
		     {"password", "staffPassword"}, {"ended", "staffDeviceOut"}, {"erased", "guestErased"}};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(r->change, words[i].change) == 0)
			push_change(t, words[i].what, word_or_null(r->from), word_or_null(r->to), r->about);
}

static void add_to_house(struct telling *t, const struct history_row *r)
{
	if (strcmp(r->entity, "restaurant") == 0)
		add_house_value(t, r);
	else if (strcmp(r->entity, "table") == 0)
		add_table(t, r);
	else if (strcmp(r->entity, "join") == 0)
		add_read(t, "join", read_join, r);
	else if (strcmp(r->entity, "menu") == 0)
		add_dish(t, r);
	else if (strcmp(r->entity, "block") == 0)
		push_word(t, strcmp(r->change, "lifted") == 0 ? "blockLifted" : "block", r->about);
	else if (strcmp(r->entity, "mail") == 0)
		add_mail(t, r);
	else if (strcmp(r->entity, "slot") == 0)
		push_change(t, "slot", json_number(strtoll(r->from, NULL, 10)), json_number(strtoll(r->to, NULL, 10)),
			    r->about);
	else if (strcmp(r->entity, "payment") == 0)
		add_refund(t, r);
	else if (strcmp(r->change, "guest") == 0)
		add_guest(t, r);
	else
		add_staff(t, r);
}

/* Who changed what of the house when.  An act that may go on in older rows comes with them. */
enum err api_house_history(struct call *c)
{
	struct history_of of = {.restaurant_id = c->restaurant.id, .box = !c->who.user.restaurant_id};
	struct telling t = {.acts = json_list(), .word = house_word, .add = add_to_house};
	struct json *j = json_new();
	enum err e = call_int(c, "before", 1, INT64_MAX, INT64_MAX, &of.before);

	if (e == ERR_OK)
		e = history_coin(c->db, &of, t.currency, &t.whole);
	if (e == ERR_OK)
		e = history_house(c->db, &of, take_row, &t);
	if (t.count == HISTORY_ROWS && t.all) {
		json_free(t.act);
		json_int(j, "before", t.all);
	} else {
		end_act(&t);
		if (t.count == HISTORY_ROWS)
			json_int(j, "before", t.last);
	}
	json_put(j, "history", t.acts);
	return call_answer(c, e, j);
}

/* ---- a reservation ---- */

static const char *reservation_word(const struct history_row *r)
{
	(void)r;
	return ""; /* what was written in one second by one person is one act, whatever it changed */
}

struct details {
	int party;
	long long slot, user, total;
	char table[24], visit[16];
};

static bool read_details(const char *text, struct details *d)
{
	*d = (struct details){0};
	return sscanf(text, "party %d, slot %lld, table %23[^,], %15[^,], user %lld, total %lld", &d->party, &d->slot, d->table,
		      d->visit, &d->user, &d->total) == 6;
}

static void add_details(struct telling *t, const struct history_row *r)
{
	struct details from, to;

	if (!read_details(r->from, &from) || !read_details(r->to, &to))
		return;
	if (strcmp(r->from, r->to) == 0)
		push_word(t, "changeAsked", "");
	if (from.party != to.party)
		push_change(t, "party", json_number(from.party), json_number(to.party), "");
	if (from.slot != to.slot)
		push_change(t, "time", NULL, NULL, r->about);
	if (strcmp(from.table, to.table) != 0)
		push_change(t, "table", NULL, NULL, r->about);
	if (strcmp(from.visit, to.visit) != 0)
		push_change(t, "visit", json_word(from.visit), json_word(to.visit), "");
	if (from.user != to.user)
		push_word(t, "guest", "");
	if (from.total != to.total)
		push_change(t, "total", json_number(from.total), json_number(to.total), r->about);
}

static void add_payment(struct telling *t, const struct history_row *r)
{
	int64_t amount = returned(r->to) - returned(r->from);
	long long in = 0;

	if (strcmp(r->change, "created") == 0 && sscanf(r->to, "%*[^,], reservation %*d, %lld in", &in) == 1 && in)
		push_change(t, "paid", NULL, json_number(in), r->about);
	else if (amount > 0)
		push_change(t, "refund", NULL, json_number(amount), r->about);
}

static void add_to_reservation(struct telling *t, const struct history_row *r)
{
	static const struct {
		const char *change, *what;
	} values[] = {{"created", "created"}, {"status", "status"}, {"act", "act"}, {"sitting", "sitting"}};

	if (strcmp(r->entity, "payment") == 0) {
		add_payment(t, r);
		return;
	}
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
		if (strcmp(r->change, values[i].change) == 0) {
			push_change(t, values[i].what, word_or_null(r->from), word_or_null(r->to), r->about);
			return;
		}
	if (strcmp(r->change, "details") == 0)
		add_details(t, r);
	else if (strcmp(r->change, "tables") == 0)
		push_word(t, "tables", r->about);
	else if (strcmp(r->change, "note") == 0)
		push_word(t, strcmp(r->to, "another name") == 0 ? "name" : "note", "");
	else
		push_change(t, r->change, word_or_null(r->from), word_or_null(r->to), "");
}

/* What happened to it, and what its guest was told. */
enum err api_desk_history(struct call *c)
{
	struct telling t = {.acts = json_list(), .word = reservation_word, .add = add_to_reservation};
	struct json *messages = json_list(), *j = json_new();
	enum err e = history_reservation(c->db, c->reservation.id, take_row, &t);

	end_act(&t);
	if (e == ERR_OK)
		e = sent_of(c->db, c->reservation.id, json_row, messages);
	json_put(j, "history", t.acts);
	json_put(j, "messages", messages);
	return call_answer(c, e, j);
}
