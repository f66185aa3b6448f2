/*
 * api_users.c - guests introduce themselves, accounts and staff log in.
 */
#include "route.h"

#include "answer.h"
#include "api.h"
#include "auth.h"
#include "text.h"

#include <assert.h>
#include <string.h>

enum { LOGOUT_WAIT_MS = 2000 }; /* no restaurant's wait_ms applies to it */

static void hand_token(struct call *c, const char *token, int64_t seconds, struct json *j)
{
	if (c->route->method != GET) /* asking after a ticket changes nothing, not even who is logged in */
		auth_set_cookie(c->reply, c->req->https, token, seconds);
	json_text(j, "accessToken", token);
}

int64_t api_hand_card(struct call *c, const struct auth_card *card, struct json *j)
{
	char token[AUTH_TOKEN_SIZE];
	int64_t seconds;

	auth_seal_card(c->door, card, c->now_s, token, &seconds);
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
	welcome(c, card.id, USER_GUEST, card.guest.name, api_hand_card(c, &card, j), j);
	return ERR_OK;
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
	char email[256], password[512], type[32], token[AUTH_TOKEN_SIZE];
	struct in *in = &c->body;
	struct json *j;
	struct user u;
	int64_t seconds;
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
	if (e != ERR_OK)
		return e;
	j = json_new();
	auth_sign_login(c->door, &u, c->now_s, token, &seconds);
	hand_token(c, token, seconds, j);
	welcome(c, u.id, u.type, u.name, seconds, j);
	return ERR_OK;
}

/* The token is good for nothing from now on, wherever a copy of it may be. */
enum err api_logout(struct call *c)
{
	struct ticket_request ticket = {.kind = TICKET_LOGOUT};
	const struct auth *who = &c->who;

	auth_set_cookie(c->reply, c->req->https, "", 0);
	ticket.u.logout.card_id = who->user.id ? who->login : who->card.id;
	ticket.u.logout.user_id = who->user.id;
	if (!who->user.id && !who->card.id) { /* nobody is logged in */
		reply_json(c->reply, 200, json_new());
		return ERR_OK;
	}
	return answer_draw(c, &ticket, LOGOUT_WAIT_MS);
}

enum err api_answer_users(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	assert(ticket->kind == TICKET_LOGOUT);
	if (outcome->err == ERR_OK)
		reply_json(c->reply, 200, json_new());
	return (enum err)outcome->err;
}
