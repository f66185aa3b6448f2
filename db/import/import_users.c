/*
 * import_users.c - the users of an import.
 */
#include "import_job.h"

#include <string.h>

struct user_columns {
	int id, type, restaurant, name, phone, email, password, language, blocked, note, created, erased;
};

struct user_row {
	int64_t id, restaurant;
	const char *type;
	char name[164], phone[84], email[1020], note[1604], created[CLOCK_ISO_SIZE], erased[CLOCK_ISO_SIZE];
	const char *language;
	bool blocked;
};

/* Who is this?  Roles of other systems are accounts, unless they plainly work here. */
static const char *user_type(struct import_job *j, struct import_file *f, int column, bool has_email)
{
	static const char *const known[][2] = {
	    {"GUEST", "GUEST"},	     {"ACCOUNT", "ACCOUNT"},  {"STAFF", "STAFF"},      {"OWNER", "OWNER"},
	    {"USER", "ACCOUNT"},     {"MEMBER", "ACCOUNT"},   {"CUSTOMER", "ACCOUNT"}, {"ROLE_USER", "ACCOUNT"},
	    {"ROLE_STAFF", "STAFF"}, {"ROLE_OWNER", "OWNER"},
	};
	char word[40];

	import_word(f, column, word);
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcmp(word, known[i][0]) == 0)
			return known[i][1];
	if (*word)
		import_repaired(j, REPAIR_CELL, f, f->csv.line, "%s \"%.40s\" is not known here; the row became %s.",
				csv_name(&f->csv, column), word, has_email ? "an account" : "a guest");
	return has_email ? "ACCOUNT" : "GUEST";
}

static void read_phone(struct import_job *j, struct import_file *f, int column, struct user_row *u)
{
	char plain[TEXT_PHONE_SIZE], given[164];

	u->phone[0] = '\0';
	if (!*csv_cell(&f->csv, column))
		return;
	import_text(j, f, column, 40, given, sizeof given);
	if (text_phone(given, plain))
		strcpy(u->phone, plain);
	else if (text_points(given) >= 3 && text_points(given) <= 20)
		strcpy(u->phone, given);
	else
		import_repaired(j, REPAIR_CELL, f, f->csv.line, "%s is no phone number and was left out.",
				csv_name(&f->csv, column));
}

static void read_contact(struct import_job *j, struct import_file *f, const struct user_columns *c, int64_t from,
			 struct user_row *u)
{
	import_text(j, f, c->name, 40, u->name, sizeof u->name);
	if (!*u->name) {
		snprintf(u->name, sizeof u->name, "손님 %lld", (long long)from);
		import_repaired(j, REPAIR_CELL, f, f->csv.line, "user %lld has no name and is called %s.",
				(long long)from, u->name);
	}
	read_phone(j, f, c->phone, u);
	import_text(j, f, c->email, 254, u->email, sizeof u->email);
	if (*u->email && !text_email(u->email)) {
		import_repaired(j, REPAIR_CELL, f, f->csv.line, "%s is no e-mail address and was left out.",
				csv_name(&f->csv, c->email));
		u->email[0] = '\0';
	}
}

/* Whoever logs in needs an e-mail address of his own. */
static void settle_login(struct import_job *j, struct import_file *f, int64_t from, struct user_row *u)
{
	const char *why = NULL;

	if (strcmp(u->type, "GUEST") == 0 || *u->erased)
		return;
	if (!*u->email)
		why = "has no e-mail address to log in with";
	else if (import_ask(j, IMPORT_USER_LOGIN, "t", u->email))
		why = "has the e-mail address of an earlier account";
	if (!why)
		return;
	import_repaired(j, REPAIR_LOGIN, f, f->csv.line, "user %lld %s and became a guest.", (long long)from, why);
	import_audit(j, "user", u->id, "user_type", u->type, "GUEST", why);
	u->type = "GUEST";
}

static bool read_user(struct import_job *j, struct import_file *f, const struct user_columns *c, const char *zone,
		      int64_t from, struct user_row *u)
{
	size_t restaurant = 0;
	char language[40];
	bool ok = true;

	read_contact(j, f, c, from, u);
	import_text(j, f, c->note, 400, u->note, sizeof u->note);
	import_word(f, c->language, language);
	u->language = strncmp(language, "EN", 2) == 0 ? "en" : "ko";
	if (*csv_cell(&f->csv, c->restaurant)) {
		ok = import_restaurant(j, f, c->restaurant, &restaurant);
		u->restaurant = ok ? j->restaurants[restaurant].id : 0;
	}
	ok &= import_flag(j, f, c->blocked, &u->blocked);
	ok &= import_instant(j, f, c->created, zone, u->created);
	ok &= import_instant(j, f, c->erased, zone, u->erased);
	if (!*u->created)
		strcpy(u->created, j->now);
	if (*csv_cell(&f->csv, c->password))
		j->passwords = true;
	u->type = user_type(j, f, c->type, *u->email != '\0');
	return ok;
}

static void take_user(struct import_job *j, struct import_file *f, const struct user_columns *c, const char *zone)
{
	struct user_row u = {0};
	int64_t from;

	if (!import_id(j, f, c->id, &from))
		return;
	u.id = import_new_id(j, IMPORT_USERS, from, IMPORT_USER_THERE);
	import_map_put(j, &j->ids[IMPORT_USERS], from, u.id);
	if (!read_user(j, f, c, zone, from, &u) || !u.id || j->e != ERR_OK)
		return;
	settle_login(j, f, from, &u);
	import_run(j, f, IMPORT_USER_ADD, "itittttittt", u.id, u.type, u.restaurant, u.name, import_or_null(u.phone),
		   import_or_null(u.email), u.language, (int64_t)u.blocked, import_or_null(u.note), u.created,
		   import_or_null(u.erased));
	f->added++;
}

void import_users(struct import_job *j)
{
	struct import_file *f = &j->files[IMPORT_USERS];
	struct user_columns c;
	char zone[64];

	if (!import_open(j, IMPORT_USERS)) {
		if (j->files[IMPORT_RESERVATIONS].there)
			import_ids_of_book(j, IMPORT_USERS, IMPORT_USER_ALL);
		return;
	}
	snprintf(zone, sizeof zone, "%s", import_zone(j));
	c = (struct user_columns){
	    .id = import_need(j, f, f->id_names),
	    .type = csv_column(&f->csv, "user_type|role|type"),
	    .restaurant = csv_column(&f->csv, "restaurant_id"),
	    .name = csv_column(&f->csv, "name|user_name|username|nickname"),
	    .phone = csv_column(&f->csv, "phone|phone_number|tel|mobile"),
	    .email = csv_column(&f->csv, "email"),
	    .password = csv_column(&f->csv, "password_hash|password"),
	    .language = csv_column(&f->csv, "language"),
	    .blocked = csv_column(&f->csv, "is_blocked|blocked"),
	    .note = csv_column(&f->csv, "note"),
	    .created = csv_column(&f->csv, "created_at"),
	    .erased = csv_column(&f->csv, "erased_at"),
	};
	while (import_next(j, f, "reading"))
		take_user(j, f, &c, zone);
	import_close(j, f);
}
