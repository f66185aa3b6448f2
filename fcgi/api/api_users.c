/*
 * api_users.c - guests introduce themselves, accounts and staff log in.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "auth.h"
#include "staff.h"
#include "text.h"
#include "timeset.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { WAIT_MS = 2000 }; /* no restaurant's wait_ms applies to logins */

static void hand_token(struct call *c, const char *token, int64_t seconds, struct json *j)
{
	if (c->route->method != GET) /* asking after a ticket changes nothing, not even who is logged in */
		auth_set_cookie(c->reply, c->req->https, token, seconds);
	json_text(j, "accessToken", token);
}

int64_t api_hand_card(struct call *c, int64_t card_id, const struct ticket_guest *guest, struct json *j)
{
	struct auth_card card = {.id = card_id, .guest = *guest};
	char token[AUTH_TOKEN_SIZE];
	int64_t seconds;

	auth_seal_card(c->door, &card, c->now_s, token, &seconds);
	hand_token(c, token, seconds, j);
	return seconds;
}

/* What an introduction or a login answers. */
static void welcome(struct call *c, int64_t id, enum user_type type, const char *name, int64_t seconds, struct json *j)
{
	json_int(j, "id", id);
	json_text(j, "userType", users_type_word(type));
	json_text(j, "name", name);
	json_int(j, "expiresIn", seconds);
	reply_json(c->reply, 200, j);
}

void api_take_guest(struct in *in, void *arg)
{
	struct ticket_guest *g = arg;

	in_only(in, "name", "phone", "email", NULL);
	in_text(in, "name", IN_REQUIRED, LENGTHS_NAME, g->name, sizeof g->name);
	in_phone(in, "phone", IN_REQUIRED, g->phone);
	in_email(in, "email", IN_OPTIONAL, g->email, sizeof g->email);
}

/* Nothing is written: what they said is in the token, and comes back with their first booking. */
enum err api_guest_add(struct call *c)
{
	struct auth_card card = {.id = token_new_card()};
	struct json *j;
	enum err e;

	if (c->body.e == ERR_OK)
		api_take_guest(&c->body, &card.guest);
	card.guest.lang = (int32_t)c->req->lang;
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	j = json_new();
	welcome(c, card.id, USER_GUEST, card.guest.name, api_hand_card(c, card.id, &card.guest, j), j);
	return ERR_OK;
}

/* A short device name from the User-Agent; the whole line would tell more than the list needs. */
static void name_device(const struct call *c, char out[48])
{
	static const char *const systems[] = {"iPad", "iPhone", "Android", "Windows", "Macintosh", "CrOS", "Linux"};
	static const char *const browsers[] = {"Firefox", "Edg", "SamsungBrowser", "Whale", "Chrome", "Safari"};
	const char *line = c->req->header(c->req, "HTTP_USER_AGENT"), *system = "?", *browser = "";

	for (size_t i = sizeof systems / sizeof systems[0]; line && i-- > 0;)
		system = strstr(line, systems[i]) ? systems[i] : system;
	for (size_t i = sizeof browsers / sizeof browsers[0]; line && i-- > 0;)
		browser = strstr(line, browsers[i]) ? browsers[i] : browser;
	snprintf(out, 48, "%s%s%s", system, *browser ? ", " : "", browser);
}

static void hand_login(struct call *c, const struct user *u, int64_t login)
{
	char token[AUTH_TOKEN_SIZE];
	struct json *j = json_new();
	int64_t seconds;

	auth_sign_login(c->door, u, c->now_s, token, &seconds, &login);
	hand_token(c, token, seconds, j);
	auth_remember_device(c->door, c->req, u->id, c->now_s, c->reply);
	welcome(c, u->id, u->type, u->name, seconds, j);
}

static enum err choose_password(struct call *c, const struct user *u, const char *old, const char *fresh)
{
	struct ticket_request ticket = {.kind = TICKET_PASSWORD};
	struct ticket_password *p = &ticket.u.password;

	static_assert(sizeof p->hash == TOKEN_HASH_SIZE, "a ticket carries a whole hash");
	if (text_points(fresh) < TOKEN_PASSWORD_MIN || strcmp(old, fresh) == 0)
		return reply_field(c->reply, ERR_BAD_PASSWORD, "newPassword");
	p->user_id = u->id;
	p->token_version = u->token_version;
	p->login = u->type >= USER_STAFF ? token_new_card() : 0;
	name_device(c, p->device);
	if (!token_hash_password(fresh, p->hash))
		return ERR_NO_MEMORY;
	return answer_draw(c, &ticket, WAIT_MS);
}

/* A link that lasts longer than any was made by a clock that ran ahead, and is over too. */
static bool is_over(int64_t until_s, int64_t now_s)
{
	return until_s < now_s || until_s > now_s + STAFF_LINK_MAX_S + TIMESET_SLACK_S;
}

enum err api_login(struct call *c)
{
	char email[256], password[516], fresh[516], type[32], device[48];
	struct in *in = &c->body;
	struct user u;
	int64_t until, login;
	enum err e;

	in_only(in, "email", "password", "newPassword", "userType", NULL);
	in_text(in, "email", IN_REQUIRED, LENGTHS_EMAIL, email, sizeof email);
	in_text(in, "password", IN_REQUIRED, TOKEN_PASSWORD_MAX, password, sizeof password);
	in_text(in, "newPassword", IN_OPTIONAL, TOKEN_PASSWORD_MAX, fresh, sizeof fresh);
	in_text(in, "userType", IN_OPTIONAL, 30, type, sizeof type); /* other systems' clients send it */
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	e = users_by_login(c->db, email, &u);
	if (e != ERR_OK && e != ERR_NOT_FOUND)
		return e;
	e = call_password(c, &u, e == ERR_OK, password);
	if (e != ERR_OK)
		return e;
	if (u.password_once && u.password_until[0] && clock_parse_iso(u.password_until, &until) && is_over(until, c->now_s))
		return ERR_LINK_OVER;
	if (*fresh)
		return choose_password(c, &u, password, fresh);
	if (u.password_once)
		return ERR_CHOOSE_PASSWORD;
	/* Those of the house are written down, so that the owner can see who is logged in and end it. */
	login = token_new_card();
	name_device(c, device);
	e = u.type >= USER_STAFF ? staff_note_login(c->db, login, u.id, device, c->now_s) : ERR_OK;
	if (e == ERR_OK)
		hand_login(c, &u, login);
	return e;
}

/* The token is good for nothing from now on, wherever a copy of it may be. */
enum err api_logout(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_LOGOUT};
	const struct auth *who = &c->who;

	auth_set_cookie(c->reply, c->req->https, "", 0);
	ticket.u.logout.card_id = who->user.id ? who->login : who->card.id;
	ticket.u.logout.user_id = who->user.id;
	if (!who->user.id && !who->card.id) { /* not logged in */
		return call_done(c, ERR_OK);
	}
	return answer_draw(c, &ticket, WAIT_MS);
}

/*
 * A guest who waited in the line has their token from the ticket, and asking after a ticket sets no cookie.  They ask
 * for it here, so that they are known when the browser has forgotten what its pages keep.
 */
enum err api_cookie(struct call *c)
{
	auth_keep_token(c->req, c->reply);
	return call_done(c, ERR_OK);
}

enum err api_answer_users(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	struct user u;
	enum err e = (enum err)outcome->err;

	assert(ticket->kind == TICKET_LOGOUT || ticket->kind == TICKET_PASSWORD);
	if (e != ERR_OK)
		return e;
	/* Asking after the ticket says that it is done; the login itself is for the client that knows the password. */
	if (ticket->kind == TICKET_LOGOUT || c->route->method == GET) {
		return call_done(c, ERR_OK);
	}
	e = users_get(c->db, ticket->u.password.user_id, &u);
	if (e == ERR_OK)
		hand_login(c, &u, ticket->u.password.login);
	return e;
}
