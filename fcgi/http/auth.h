/*
 * auth.h - who is asking?
 */
#ifndef JARI_AUTH_H
#define JARI_AUTH_H

#include "door.h"

enum { AUTH_GUEST_DAYS = 90, AUTH_LOGIN_DAYS = 30, AUTH_STAFF_HOURS = 16, AUTH_DEVICE_DAYS = 365 };

enum { AUTH_TOKEN_SIZE = 1024 }; /* the longest of all tokens, with its NUL */

/*
 * A guest's card: who they said they are, sealed into their token.  Saying so proves nothing, so it shows only the
 * reservations that were made with it.  Nothing of it is in the book until there is one.
 */
struct auth_card {
	int64_t id; /* 0: none */
	struct ticket_guest guest;
};

/* A login token for this user, as long as its kind of user stays logged in; *login is its number, made up if it is 0. */
void auth_sign_login(const struct door *d, const struct user *u, int64_t now_s, char out[TOKEN_TEXT_SIZE], int64_t *seconds,
		     int64_t *login);
void auth_seal_card(const struct door *d, const struct auth_card *card, int64_t now_s, char out[AUTH_TOKEN_SIZE],
		    int64_t *seconds);
/*
 * A device with a login behind it is known for a year, by a cookie of its own: when others flood the house with
 * passwords, it is still listened to.  The device's number, or 0.
 */
void auth_remember_device(const struct door *d, const struct req *r, int64_t user_id, int64_t now_s, struct reply *reply);
int64_t auth_known_device(const struct door *d, const struct req *r, int64_t user_id);
/* Also as a cookie that no script can read and no other site can send. */
void auth_set_cookie(struct reply *reply, bool https, const char *token, int64_t seconds);
/* The same for the token that the request carries. */
void auth_keep_token(const struct req *r, struct reply *reply);

/* Who carries the token: a login or a card, never both. */
struct auth {
	struct user user;      /* id 0: without a login */
	int64_t login;         /* which login of that user */
	struct auth_card card; /* id 0: no guest's card */
};

/*
 * By the token alone: of the user only id and token_version are filled.  Whether it is still valid is for the book to
 * say.
 */
enum err auth_token(const struct door *d, const struct req *r, struct auth *out);
/* The same, still valid by the book.  ERR_UNAUTHORIZED for any other. */
enum err auth_check(struct door *d, const struct req *r, struct auth *out);

/* May this change come from where it comes from?  Other people's pages can send only our cookie. */
enum err auth_same_site(const struct req *r);

/* The token that lets its bearer see and cancel one reservation. */
void auth_sign_manage(const struct door *d, int64_t reservation_id, char out[TOKEN_TEXT_SIZE]);
/* The reservation that the request's X-Manage-Token is for; 0: none. */
int64_t auth_managed(const struct door *d, const struct req *r);

#endif
