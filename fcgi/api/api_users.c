/*
 * api_users.c - guests introduce themselves, accounts and staff log in.
 */
#include "route.h"

#include "auth.h"
#include "clock.h"
#include "answer.h"
#include "text.h"

#include <string.h>

void api_welcome(struct door *d, const struct req *r, const struct user *u, struct reply *reply)
{
	char token[TOKEN_TEXT_SIZE];
	int64_t seconds;
	struct json *j = json_new();

	auth_sign_login(d, u, clock_now_s(), token, &seconds);
	auth_set_cookie(reply, r->https, token, seconds);
	json_text(j, "accessToken", token);
	json_int(j, "id", u->id);
	json_text(j, "userType", users_type_word(u->type));
	json_text(j, "name", u->name);
	json_int(j, "expiresIn", seconds);
	reply_json(reply, 200, j);
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

enum err api_guest_add(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	struct ticket_request ticket = {.kind = TICKET_GUEST};
	struct in in;

	(void)user;
	in_open(&in, r->body.data, r->body.len);
	if (in.e == ERR_OK)
		api_take_guest(&in, &ticket.u.guest);
	in_close(&in);
	if (in.e != ERR_OK)
		return reply_field(reply, in.e, in.field);
	ticket.u.guest.lang = (int32_t)r->lang;
	return answer_write(d, r, &ticket, reply);
}

/*
 * Is this the password of that user?  A stranger's e-mail takes as long as a wrong password, and one
 * password is checked at a time: a flood of logins gets 429 and leaves the cores to bookings.
 */
static enum err check_password(struct door *d, const struct user *u, bool known, const char *password)
{
	const char *hash = known && u->password_hash[0] && !u->blocked && !u->erased ? u->password_hash : NULL;
	bool right;

	if (!board_hash_try(d->hall.board)) {
		board_count(d->hall.board, BOARD_login_busy);
		return ERR_RATE_LIMITED;
	}
	right = token_password_ok(hash, password);
	board_hash_done(d->hall.board);
	board_count(d->hall.board, right ? BOARD_logins : BOARD_login_failures);
	return right ? ERR_OK : ERR_LOGIN_FAILED;
}

enum err api_login(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	char email[256], password[512], type[32];
	struct user u;
	struct in in;
	enum err e;

	(void)user;
	in_open(&in, r->body.data, r->body.len);
	in_only(&in, "email", "password", "userType", NULL);
	in_text(&in, "email", IN_REQUIRED, 254, email, sizeof email);
	in_text(&in, "password", IN_REQUIRED, 128, password, sizeof password);
	in_text(&in, "userType", IN_OPTIONAL, 30, type, sizeof type); /* other systems' clients send it */
	in_close(&in);
	if (in.e != ERR_OK)
		return reply_field(reply, in.e, in.field);
	e = users_by_login(&d->db, email, &u);
	if (e != ERR_OK && e != ERR_NOT_FOUND)
		return e;
	e = check_password(d, &u, e == ERR_OK, password);
	if (e == ERR_OK)
		api_welcome(d, r, &u, reply);
	return e;
}

enum err api_logout(struct door *d, struct req *r, const struct user *user, struct reply *reply)
{
	(void)d;
	(void)user;
	auth_set_cookie(reply, r->https, "", 0);
	reply_json(reply, 200, json_new());
	return ERR_OK;
}
