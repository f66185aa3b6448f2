/*
 * auth.h - who is asking?
 */
#ifndef JARI_AUTH_H
#define JARI_AUTH_H

#include "door.h"

enum { AUTH_GUEST_DAYS = 90, AUTH_LOGIN_DAYS = 30, AUTH_STAFF_HOURS = 16 };

/* A login token for this user, as long as its kind of user stays logged in. */
void auth_sign_login(const struct door *d, const struct user *u, int64_t now_s, char out[TOKEN_TEXT_SIZE], int64_t *seconds);
/* Also as a cookie that no script can read and no other site can send. */
void auth_set_cookie(struct reply *reply, bool https, const char *token, int64_t seconds);

/*
 * Whose token, by its signature alone: only id and token_version of *out are filled.  Whether that user's login is
 * still valid is for the book to say.
 */
enum err auth_token(const struct door *d, const struct req *r, struct user *out);

/* The user of the Bearer token or the cookie.  ERR_UNAUTHORIZED for any other. */
enum err auth_user(struct door *d, const struct req *r, struct user *out);

/* May this change come from where it comes from?  Other people's pages can send only our cookie. */
enum err auth_same_site(const struct req *r);

/* The token that lets its bearer see and cancel one reservation. */
void auth_sign_manage(const struct door *d, int64_t reservation_id, char out[TOKEN_TEXT_SIZE]);
/* The reservation that the request's X-Manage-Token is for; 0: none. */
int64_t auth_managed(const struct door *d, const struct req *r);

#endif
