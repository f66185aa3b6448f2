/*
 * mailserver.h - how mail leaves the box.
 */
#ifndef JARI_MAILSERVER_H
#define JARI_MAILSERVER_H

#include "db.h"
#include "lengths.h"
#include "token.h"

struct mailserver {
	char way[12]; /* OFF, SMTP, SENDMAIL */
	char host[256], security[12], login[LENGTHS_SIZE(LENGTHS_MAIL_LOGIN)], sender[256], site[204];
	char password[TOKEN_SEALED_SIZE(LENGTHS_SIZE(LENGTHS_MAIL_PASSWORD))]; /* sealed; "=" in mailserver_set(): as it was */
	int port;
};
/* way OFF until the owner has said. */
enum err mailserver_get(struct db *db, struct mailserver *out);
enum err mailserver_set(struct db *db, const struct mailserver *m, const char *actor, int64_t now_s);

#endif
