/*
 * api_staff.c - those who log in at the desk: who they are, letting them in, putting them out.
 */
#include "route.h"

#include "api.h"
#include "staff.h"

#include <string.h>

/* What this login may do beyond any staff, by the names of the rows: the pages show nothing else. */
static struct json *may_json(const struct user *u)
{
	struct json *list = json_list();
	char name[ROUTE_NAME_SIZE];

	for (size_t i = 0; i < route_count; i++) {
		if (routes[i].who <= STAFF || !route_allows(&routes[i], u))
			continue;
		route_name(&routes[i], name);
		json_push(list, json_word(name));
	}
	return list;
}

struct json *api_staff_roles(void)
{
	struct json *j = json_new();

	json_put(j, "STAFF", may_json(&(struct user){.type = USER_STAFF}));
	json_put(j, "MANAGER", may_json(&(struct user){.type = USER_MANAGER}));
	json_put(j, "OWNER", may_json(&(struct user){.type = USER_OWNER}));
	return j;
}

enum err api_staff_me(struct call *c)
{
	const struct user *u = &c->who.user;
	struct json *j = json_new();

	json_int(j, "userId", u->id);
	json_text(j, "name", u->name);
	json_text(j, "userType", users_type_word(u->type));
	if (u->restaurant_id)
		json_int(j, "restaurantId", u->restaurant_id);
	json_put(j, "may", may_json(u));
	return call_answer(c, ERR_OK, j);
}

/* A one-time password, as the page needs it for a link: its owner chooses another there. */
static enum err hand_link(struct call *c, int64_t user_id, const char *email, int64_t minutes)
{
	char password[TOKEN_PASSWORD_SIZE], hash[TOKEN_HASH_SIZE];
	struct json *j;
	enum err e;

	token_make_password(password);
	if (!token_hash_password(password, hash))
		return ERR_NO_MEMORY;
	e = staff_set_once(c->db, user_id, hash, c->now_s + 60 * minutes, call_by(c), c->now_s);
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_int(j, "userId", user_id);
	json_text(j, "email", email);
	json_text(j, "password", password);
	json_int(j, "minutes", minutes);
	return call_answer(c, ERR_OK, j);
}

/* "minutes": how long a link can be opened; longer for a colleague who is at home. */
static int64_t read_minutes(struct in *in)
{
	int64_t minutes = STAFF_LINK_S / 60;

	in_int(in, "minutes", IN_OPTIONAL, 1, STAFF_LINK_MAX_S / 60, &minutes);
	return minutes;
}

/* Name and login address of a staff member. */
static void read_person(struct in *in, char name[TICKET_NAME_SIZE], char email[256])
{
	in_email(in, "email", IN_REQUIRED, email, 256);
	in_text(in, "name", IN_REQUIRED, LENGTHS_NAME, name, TICKET_NAME_SIZE);
}

/* "userType"; absent leaves it. */
static void read_role(struct in *in, enum user_type *role)
{
	char word[16];

	in_text(in, "userType", IN_OPTIONAL, 10, word, sizeof word);
	if (in->e != ERR_OK || !*word)
		return;
	*role = users_type(word);
	if (*role < USER_STAFF)
		in_fail(in, ERR_OUT_OF_RANGE, "userType");
}

static struct staff_by who_asks(const struct call *c)
{
	return (struct staff_by){c->who.user.id, c->who.login, c->who.user.token_version};
}

/* Another name, address or role.  One's own role stays: an owner must. */
enum err api_staff_change(struct call *c)
{
	char email[256], name[TICKET_NAME_SIZE];
	struct staff_change to = {.id = c->req->path_ids[0], .name = name, .email = email, .role = USER_GUEST};
	struct staff_by by = who_asks(c);
	struct user u;
	struct json *j;
	enum err e;

	in_only(&c->body, "email", "name", "userType", NULL);
	read_person(&c->body, name, email);
	read_role(&c->body, &to.role);
	e = call_body(c);
	if (e == ERR_OK)
		e = staff_get(c->db, to.id, &u);
	if (e != ERR_OK)
		return e;
	if (to.role == USER_GUEST)
		to.role = u.type;
	if (to.id == by.id && to.role != u.type)
		return ERR_BAD_MOVE;
	e = staff_change(c->db, &by, &to, call_by(c), c->now_s);
	if (e == ERR_DUPLICATE)
		return reply_field(c->reply, ERR_EMAIL_TAKEN, "email");
	if (e != ERR_OK)
		return e;
	j = json_new();
	json_text(j, "userType", users_type_word(to.role));
	json_text(j, "name", name);
	json_text(j, "email", email);
	return call_answer(c, ERR_OK, j);
}

enum err api_staff_add(struct call *c)
{
	char email[256], name[TICKET_NAME_SIZE];
	enum user_type role = USER_STAFF;
	struct in *in = &c->body;
	int64_t id = 0, minutes;
	enum err e;

	in_only(in, "email", "name", "userType", "minutes", NULL);
	read_person(in, name, email);
	read_role(in, &role);
	minutes = read_minutes(in);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	e = staff_add(c->db, role, name, email, NULL, true, call_by(c), c->now_s, &id);
	if (e == ERR_DUPLICATE)
		return reply_field(c->reply, ERR_EMAIL_TAKEN, "email");
	return e == ERR_OK ? hand_link(c, id, email, minutes) : e;
}

/* {word}: link, logout, remove. */
enum err api_staff_act(struct call *c)
{
	int64_t id = c->req->path_ids[0], minutes;
	char email[256];
	struct staff_by by;
	struct user u;
	enum err e;

	in_only(&c->body, "email", "minutes", NULL);
	in_text(&c->body, "email", IN_OPTIONAL, LENGTHS_EMAIL, email, sizeof email);
	minutes = read_minutes(&c->body);
	e = call_body(c);
	if (e == ERR_OK)
		e = staff_get(c->db, id, &u);
	if (e != ERR_OK)
		return e;
	if (strcmp(c->req->path_word, "link") == 0)
		return hand_link(c, id, email, minutes);
	if (strcmp(c->req->path_word, "remove") == 0 && id == c->who.user.id)
		return ERR_BAD_MOVE; /* not their own login: an owner must stay */
	if (strcmp(c->req->path_word, "remove") != 0 && strcmp(c->req->path_word, "logout") != 0)
		return ERR_NOT_FOUND;
	by = who_asks(c);
	return call_done(c, staff_log_out(c->db, &by, id, strcmp(c->req->path_word, "remove") == 0, call_by(c), c->now_s));
}
