/*
 * auth.c - who is asking?
 */
#include "auth.h"

#include "clock.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Two cookies: who is logged in, and who has logged in here before. */
enum cookie { LOGIN_COOKIE, DEVICE_COOKIE };

/* Behind TLS the name's prefix makes browsers refuse the cookie to every other site. */
static const char *cookie_name(enum cookie cookie, bool https)
{
	static const char *const names[][2] = {{"jari", "__Host-jari"}, {"jari-device", "__Host-jari-device"}};

	return names[cookie][https];
}

void auth_sign_login(const struct door *d, const struct user *u, int64_t now_s, char out[TOKEN_TEXT_SIZE], int64_t *seconds,
		     int64_t *login)
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
	case USER_MANAGER:
	case USER_OWNER:
		*seconds = AUTH_STAFF_HOURS * hour;
	}
	*login = *login ? *login : token_new_card();
	token_sign(d->key,
		   &(struct token){
			   .purpose = TOKEN_LOGIN,
			   .id = u->id,
			   .version = u->token_version,
			   .expires_s = now_s + *seconds,
			   .card = *login,
		   },
		   out);
}

/* A sealed card begins with this, which no base64url text does. */
static const char card_mark[] = "card.";

/* What is sealed: number, end, language, and the three texts with their NULs. */
enum { CARD_HEAD = 8 + 8 + 1, CARD_TEXTS = sizeof(struct ticket_guest) - sizeof(int32_t) };
static_assert(CARD_HEAD + CARD_TEXTS <= TOKEN_SEAL_MAX, "a card can be sealed");
static_assert(sizeof card_mark + TOKEN_SEALED_SIZE(CARD_HEAD + CARD_TEXTS) <= AUTH_TOKEN_SIZE, "and fits a token");

void auth_seal_card(const struct door *d, const struct auth_card *card, int64_t now_s, char out[AUTH_TOKEN_SIZE],
		    int64_t *seconds)
{
	const struct ticket_guest *g = &card->guest;
	unsigned char bytes[CARD_HEAD + CARD_TEXTS];
	int64_t until = now_s + AUTH_GUEST_DAYS * INT64_C(86400);
	size_t n = CARD_HEAD;

	assert(card->id > 0 && g->name[0] && g->phone[0]);
	*seconds = until - now_s;
	memcpy(bytes, &card->id, 8);
	memcpy(bytes + 8, &until, 8);
	bytes[16] = (unsigned char)g->lang;
	for (int i = 0; i < 3; i++) {
		const char *text = i == 0 ? g->name : i == 1 ? g->phone : g->email;

		memcpy(bytes + n, text, strlen(text) + 1);
		n += strlen(text) + 1;
	}
	memcpy(out, card_mark, sizeof card_mark);
	token_seal(d->key, bytes, n, out + sizeof card_mark - 1);
}

/* The bytes are our own, but they are read as if they were not. */
static bool unseal_card(const struct door *d, const char *text, int64_t now_s, struct auth_card *out)
{
	unsigned char bytes[CARD_HEAD + CARD_TEXTS + 1];
	size_t n = token_unseal(d->key, text, bytes, sizeof bytes - 1), at = CARD_HEAD;
	struct ticket_guest *g = &out->guest;
	int64_t until;

	if (n < CARD_HEAD)
		return false;
	bytes[n] = '\0';
	memcpy(&out->id, bytes, 8);
	memcpy(&until, bytes + 8, 8);
	g->lang = bytes[16];
	for (int i = 0; i < 3; i++) {
		char *to = i == 0 ? g->name : i == 1 ? g->phone : g->email;
		size_t size = i == 0 ? sizeof g->name : i == 1 ? sizeof g->phone : sizeof g->email;

		if (at >= n || strlen((char *)bytes + at) >= size)
			return false;
		memcpy(to, bytes + at, strlen((char *)bytes + at) + 1);
		at += strlen(to) + 1;
	}
	return out->id > 0 && until > now_s;
}

static void set_cookie(struct reply *reply, enum cookie cookie, bool https, const char *token, int64_t seconds)
{
	char value[AUTH_TOKEN_SIZE + 128];

	snprintf(value, sizeof value, "%s=%s; Path=/; Max-Age=%lld; HttpOnly; SameSite=Lax%s", cookie_name(cookie, https),
		 token, (long long)seconds, https ? "; Secure" : "");
	reply_header(reply, "Set-Cookie", value);
}

void auth_set_cookie(struct reply *reply, bool https, const char *token, int64_t seconds)
{
	set_cookie(reply, LOGIN_COOKIE, https, token, seconds);
}

/* The value of our cookie, or false. */
static bool find_cookie(const struct req *r, enum cookie cookie, char out[AUTH_TOKEN_SIZE])
{
	const char *name = cookie_name(cookie, r->https), *p = r->header(r, "HTTP_COOKIE");
	size_t n = strlen(name), length;

	while (p && *p) {
		p += strspn(p, "; ");
		length = strcspn(p, ";");
		if (length > n && strncmp(p, name, n) == 0 && p[n] == '=' && length - n - 1 < AUTH_TOKEN_SIZE) {
			memcpy(out, p + n + 1, length - n - 1);
			out[length - n - 1] = '\0';
			return true;
		}
		p += length;
	}
	return false;
}

/* The text of the caller's token, from the header or else the cookie. */
static bool find_token(const struct req *r, char out[AUTH_TOKEN_SIZE])
{
	const char *header = r->header(r, "HTTP_AUTHORIZATION");

	if (!header || !*header)
		return find_cookie(r, LOGIN_COOKIE, out);
	if (strncasecmp(header, "Bearer ", 7) != 0 || strlen(header + 7) >= AUTH_TOKEN_SIZE)
		return false;
	snprintf(out, AUTH_TOKEN_SIZE, "%s", header + 7);
	return true;
}

void auth_keep_token(const struct req *r, struct reply *reply)
{
	char text[AUTH_TOKEN_SIZE];

	if (find_token(r, text))
		auth_set_cookie(reply, r->https, text, (int64_t)AUTH_GUEST_DAYS * 86400);
}

enum err auth_token(const struct door *d, const struct req *r, struct auth *out)
{
	char text[AUTH_TOKEN_SIZE];
	size_t mark = sizeof card_mark - 1;
	struct token t;

	memset(out, 0, sizeof *out);
	if (!find_token(r, text))
		return ERR_UNAUTHORIZED;
	if (strncmp(text, card_mark, mark) == 0) {
		if (unseal_card(d, text + mark, clock_now_s(), &out->card))
			return ERR_OK;
		out->card.id = 0;
		return ERR_UNAUTHORIZED;
	}
	if (!token_check(d->key, TOKEN_LOGIN, text, clock_now_s(), &t))
		return ERR_UNAUTHORIZED;
	out->user = (struct user){.id = t.id, .token_version = t.version};
	out->login = t.card;
	return ERR_OK;
}

enum err auth_check(struct door *d, const struct req *r, struct auth *out)
{
	enum err e = auth_token(d, r, out);
	bool proven;

	if (e != ERR_OK || out->card.id)
		return e == ERR_OK ? users_check_card(&d->db, out->card.id, 0, &proven) : e;
	e = users_by_token(&d->db, out->user.id, out->user.token_version, out->login, &out->user);
	/* A guest's login from before cards: it shows what was made with it. */
	if (e == ERR_OK && out->user.type == USER_GUEST) {
		out->card.id = out->user.id;
		out->user.id = 0;
	}
	return e;
}

void auth_remember_device(const struct door *d, const struct req *r, int64_t user_id, int64_t now_s, struct reply *reply)
{
	int64_t seconds = AUTH_DEVICE_DAYS * INT64_C(86400);
	char token[TOKEN_TEXT_SIZE];

	token_sign(
		d->key,
		&(struct token){.purpose = TOKEN_DEVICE, .id = user_id, .expires_s = now_s + seconds, .card = token_new_card()},
		token);
	set_cookie(reply, DEVICE_COOKIE, r->https, token, seconds);
}

int64_t auth_known_device(const struct door *d, const struct req *r, int64_t user_id)
{
	char text[AUTH_TOKEN_SIZE];
	struct token t;

	if (!find_cookie(r, DEVICE_COOKIE, text) || !token_check(d->key, TOKEN_DEVICE, text, clock_now_s(), &t))
		return 0;
	return t.id == user_id ? t.card : 0;
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
