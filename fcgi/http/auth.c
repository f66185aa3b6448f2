/*
 * auth.c - who is asking?
 */
#include "auth.h"

#include "clock.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Behind TLS the name's prefix makes browsers refuse the cookie to anybody else. */
static const char *cookie_name(bool https)
{
	return https ? "__Host-jari" : "jari";
}

void auth_sign_login(const struct door *d, const struct user *u, int64_t now_s, char out[TOKEN_TEXT_SIZE], int64_t *seconds)
{
	static const int64_t day = 86400, hour = 3600;

	assert(u->id > 0);
	switch (u->type) {
	case USER_GUEST:
		*seconds = AUTH_GUEST_DAYS * day;
		break;
	case USER_ACCOUNT:
		*seconds = AUTH_LOGIN_DAYS * day;
		break;
	case USER_STAFF:
	case USER_OWNER:
		*seconds = AUTH_STAFF_HOURS * hour;
	}
	token_sign(d->key,
		   &(struct token){
			   .purpose = TOKEN_LOGIN,
			   .id = u->id,
			   .version = u->token_version,
			   .expires_s = now_s + *seconds,
		   },
		   out);
}

void auth_set_cookie(struct reply *reply, bool https, const char *token, int64_t seconds)
{
	char value[256];

	snprintf(value, sizeof value, "%s=%s; Path=/; Max-Age=%lld; HttpOnly; SameSite=Lax%s", cookie_name(https), token,
		 (long long)seconds, https ? "; Secure" : "");
	reply_header(reply, "Set-Cookie", value);
}

/* The value of our cookie, or false. */
static bool find_cookie(const struct req *r, char out[TOKEN_TEXT_SIZE])
{
	const char *name = cookie_name(r->https), *p = r->header(r, "HTTP_COOKIE");
	size_t n = strlen(name), length;

	while (p && *p) {
		p += strspn(p, "; ");
		length = strcspn(p, ";");
		if (length > n && strncmp(p, name, n) == 0 && p[n] == '=' && length - n - 1 < TOKEN_TEXT_SIZE) {
			memcpy(out, p + n + 1, length - n - 1);
			out[length - n - 1] = '\0';
			return true;
		}
		p += length;
	}
	return false;
}

/* The text of the caller's token, from the header or else the cookie. */
static bool find_token(const struct req *r, char out[TOKEN_TEXT_SIZE])
{
	const char *header = r->header(r, "HTTP_AUTHORIZATION");

	if (!header || !*header)
		return find_cookie(r, out);
	if (strncasecmp(header, "Bearer ", 7) != 0 || strlen(header + 7) >= TOKEN_TEXT_SIZE)
		return false;
	snprintf(out, TOKEN_TEXT_SIZE, "%s", header + 7);
	return true;
}

enum err auth_token(const struct door *d, const struct req *r, struct user *out)
{
	char text[TOKEN_TEXT_SIZE];
	struct token t;

	if (!find_token(r, text) || !token_check(d->key, TOKEN_LOGIN, text, clock_now_s(), &t))
		return ERR_UNAUTHORIZED;
	*out = (struct user){.id = t.id, .token_version = t.version};
	return ERR_OK;
}

enum err auth_user(struct door *d, const struct req *r, struct user *out)
{
	struct user said;
	enum err e = auth_token(d, r, &said);

	return e == ERR_OK ? users_by_token(&d->db, said.id, said.token_version, out) : e;
}

/* "http://host:port" against the Host header. */
static bool origin_is_host(const char *origin, const char *host)
{
	const char *p = strstr(origin, "://");

	return p && host && strcasecmp(p + 3, host) == 0;
}

enum err auth_same_site(const struct req *r)
{
	const char *site = r->header(r, "HTTP_SEC_FETCH_SITE"), *origin = r->header(r, "HTTP_ORIGIN");

	/* Browsers that know say it themselves; the others send Origin with every POST. */
	if (site && *site)
		return strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0 ? ERR_OK : ERR_CROSS_SITE;
	if (origin && *origin)
		return origin_is_host(origin, r->header(r, "HTTP_HOST")) ? ERR_OK : ERR_CROSS_SITE;
	return ERR_OK; /* not a browser */
}

void auth_sign_manage(const struct door *d, int64_t reservation_id, char out[TOKEN_TEXT_SIZE])
{
	assert(reservation_id > 0);
	token_sign(d->key, &(struct token){.purpose = TOKEN_MANAGE, .id = reservation_id}, out);
}

int64_t auth_managed(const struct door *d, const struct req *r)
{
	const char *text = r->header(r, "HTTP_X_MANAGE_TOKEN");
	struct token t;

	return text && token_check(d->key, TOKEN_MANAGE, text, clock_now_s(), &t) ? t.id : 0;
}
