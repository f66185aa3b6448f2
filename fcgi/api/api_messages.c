/*
 * api_messages.c - how mail leaves the box, a test of it, and what became of the last messages.
 */
#include "route.h"

#include "api.h"
#include "mailserver.h"
#include "outbox.h"
#include "sent.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Everything but the password, which is never shown again. */
enum err api_mail_get(struct call *c)
{
	struct mailserver m;
	struct json *j;
	enum err e = mailserver_get(c->db, &m);

	if (e != ERR_OK)
		return e;
	j = json_new();
	json_text(j, "way", m.way);
	json_text(j, "host", m.host);
	json_int(j, "port", m.port);
	json_text(j, "security", m.security);
	json_text(j, "login", m.login);
	json_flag(j, "hasPassword", m.password[0] != '\0');
	json_text(j, "sender", m.sender);
	json_text(j, "site", m.site);
	return call_answer(c, ERR_OK, j);
}

/* A host is letters, digits, dots, hyphens; or an IPv6 address. */
static bool is_host(const char *host)
{
	return *host && strspn(host, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-:") == strlen(host);
}

static void take_mail(struct in *in, struct mailserver *m, char password[LENGTHS_SIZE(LENGTHS_MAIL_PASSWORD)])
{
	static const char *const ways[] = {"OFF", "SMTP", "SENDMAIL"}, *const kinds[] = {"NONE", "STARTTLS", "TLS"};
	int64_t port = 587;

	in_only(in, "way", "host", "port", "security", "login", "password", "sender", "site", NULL);
	in_text(in, "way", IN_REQUIRED, 10, m->way, sizeof m->way);
	in_text(in, "host", IN_OPTIONAL, 253, m->host, sizeof m->host);
	in_int(in, "port", IN_OPTIONAL, 1, 65535, &port);
	in_text(in, "security", IN_OPTIONAL, 10, m->security, sizeof m->security);
	in_text(in, "login", IN_OPTIONAL, LENGTHS_MAIL_LOGIN, m->login, sizeof m->login);
	in_text(in, "password", IN_OPTIONAL, LENGTHS_MAIL_PASSWORD, password, LENGTHS_SIZE(LENGTHS_MAIL_PASSWORD));
	in_text(in, "sender", IN_OPTIONAL, LENGTHS_EMAIL, m->sender, sizeof m->sender);
	in_text(in, "site", IN_OPTIONAL, LENGTHS_SITE, m->site, sizeof m->site);
	m->port = (int)port;
	if (!m->security[0])
		strcpy(m->security, "STARTTLS");
	if (in->e == ERR_OK && text_word(ways, 3, m->way) == 3)
		in_fail(in, ERR_OUT_OF_RANGE, "way");
	if (in->e == ERR_OK && text_word(kinds, 3, m->security) == 3)
		in_fail(in, ERR_OUT_OF_RANGE, "security");
	if (in->e == ERR_OK && strcmp(m->way, "SMTP") == 0 && !is_host(m->host))
		in_fail(in, ERR_MISSING_FIELD, "host");
	if (in->e == ERR_OK && (strcmp(m->way, "OFF") != 0 || m->sender[0]) && !text_email(m->sender))
		in_fail(in, ERR_BAD_EMAIL, "sender");
	if (in->e == ERR_OK && m->site[0] && strncmp(m->site, "https://", 8) != 0 && strncmp(m->site, "http://", 7) != 0)
		in_fail(in, ERR_BAD_TEXT, "site");
}

enum err api_mail_set(struct call *c)
{
	char password[LENGTHS_SIZE(LENGTHS_MAIL_PASSWORD)] = "";
	struct mailserver m = {0};
	size_t n;
	enum err e;

	take_mail(&c->body, &m, password);
	e = call_body(c);
	if (e != ERR_OK)
		return e;
	/* Left out: as it was.  Given: sealed, so that a copy of the book alone cannot send mail. */
	if (!in_has(&c->body, "password"))
		strcpy(m.password, "=");
	else if (*password)
		token_seal(c->door->key, password, strlen(password), m.password);
	n = strlen(m.site);
	if (n && m.site[n - 1] == '/')
		m.site[n - 1] = '\0';
	return call_done(c, mailserver_set(c->db, &m, call_by(c), c->now_s));
}

enum err api_mail_test(struct call *c)
{
	int64_t id = 0;
	enum err e;

	in_only(&c->body, NULL);
	e = call_body(c);
	if (e == ERR_OK)
		e = outbox_put_test(c->db, &c->restaurant, c->now_s, &id);
	return call_numbered(c, e, "messageId", id);
}

enum err api_messages(struct call *c)
{
	struct json *list = json_list();

	return call_list(c, sent_list(c->db, c->restaurant.id, json_row, list), "messages", list);
}

/* The courier's reports come from no request. */
enum err api_answer_outbox(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome)
{
	assert(ticket->kind == TICKET_SENT);
	return call_done(c, (enum err)outcome->err);
}
