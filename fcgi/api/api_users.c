/*
 * api_users.c - guests introduce themselves, accounts and staff log in.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "auth.h"
#include "text.h"

#include <string.h>

enum { INTRODUCTION_WAIT_MS = 2000 }; /* no restaurant's wait_ms applies to it */

int64_t api_log_in(struct call *c, const struct user *u, struct json *j)
{
	char token[TOKEN_TEXT_SIZE];
	int64_t seconds;

	auth_sign_login(c->door, u, c->now_s, token, &seconds);
	if (c->route->method != GET) /* asking after a ticket changes nothing, not even who is logged in */
		auth_set_cookie(c->reply, c->req->https, token, seconds);
	json_text(j, "accessToken", token);
	return seconds;
}

/* What an introduction or a login answers. */
static void welcome(struct call *c, const struct user *u)
{
	struct json *j = json_new();
	int64_t seconds = api_log_in(c, u, j);

	json_int(j, "id", u->id);
	json_text(j, "userType", users_type_word(u->type));
	json_text(j, "name", u->name);
	json_int(j, "expiresIn", seconds);
	reply_json(c->reply, 200, j);
}

void api_take_guest(struct in *in, void *arg)
{
	struct ticket_guest *g = arg;
	char phone[44];

	in_only(in, "name", "phone", "email", NULL);
	in_text(in, "name", IN_REQUIRED, 40, g->name, sizeof g->name);
	in_text(in, "phone", IN_REQUIRED, 40, phone, sizeof phone);
	in_text(in, "email", IN_OPTIONAL, 254, g->email, sizeof g->email);
	if (in->e == ERR_OK && !text_phone(phone, g->phone))
		in_fail(in, ERR_BAD_PHONE, "phone");
	if (in->e == ERR_OK && *g->email && !text_email(g->email))
		in_fail(in, ERR_BAD_EMAIL, "email");
}

enum err api_guest_add(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_GUEST};
	enum err e;

	if (c->body.e == ERR_OK)
		api_take_guest(&c->body, &ticket.u.guest);
	ticket.u.guest.lang = (int32_t)c->req->lang;
	e = call_body(c);
	return e == ERR_OK ? answer_draw(c, &ticket, INTRODUCTION_WAIT_MS) : e;
}

enum err api_answer_users(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	struct user u;
	enum err e = (enum err)outcome->err;

	(void)ticket;
	if (e == ERR_OK)
		e = users_get(c->db, outcome->id, &u);
	if (e == ERR_OK)
		welcome(c, &u);
	return e;
}

/*
 * Is this the password of that user?  An unknown e-mail address takes as long as a wrong password.  One password is
 * checked at a time: a flood of logins gets 429 and leaves the cores to bookings.
 */
static enum err check_password(struct board *board, const struct user *u, bool known, const char *password)
{
	const char *hash = known && u->password_hash[0] && !u->blocked && !u->erased ? u->password_hash : NULL;
	bool right;

	if (!board_hash_try(board)) {
		board_count(board, BOARD_login_busy);
		return ERR_RATE_LIMITED;
	}
	right = token_password_ok(hash, password);
	board_hash_done(board);
	board_count(board, right ? BOARD_logins : BOARD_login_failures);
	return right ? ERR_OK : ERR_LOGIN_FAILED;
}

enum err api_login(struct call *c)
{
	char email[256], password[512], type[32];
	struct in *in = &c->body;
	struct user u;
	enum err e;

	in_only(in, "email", "password", "userType", NULL);
	in_text(in, "email", IN_REQUIRED, 254, email, sizeof email);
	in_text(in, "password", IN_REQUIRED, 128, password, sizeof password);
	in_text(in, "userType", IN_OPTIONAL, 30, type, sizeof type); /* other systems' clients send it */
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	e = users_by_login(c->db, email, &u);
	if (e != ERR_OK && e != ERR_NOT_FOUND)
		return e;
	e = check_password(c->door->hall.board, &u, e == ERR_OK, password);
	if (e == ERR_OK)
		welcome(c, &u);
	return e;
}

enum err api_logout(struct call *c)
{
	auth_set_cookie(c->reply, c->req->https, "", 0);
	reply_json(c->reply, 200, json_new());
	return ERR_OK;
}
