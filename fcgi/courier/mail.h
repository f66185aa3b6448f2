/*
 * mail.h - one mail: made of its parts, and handed to a mail server or to sendmail.
 *
 * libcurl stays behind this wall, and is loaded by the process that sends, not linked: it brings some thirty libraries,
 * and neither a worker nor `jari cgi` should pay for them.
 */
#ifndef JARI_MAIL_H
#define JARI_MAIL_H

#include "buf.h"
#include "outbox.h"

struct mail {
	const char *from, *from_name, *to, *subject;
	const char *id; /* without its brackets; the same for every try, so that a second copy is known as one */
	const char *text, *html;
	const char *calendar, *method; /* "": none */
	int64_t now_s;
};

enum mail_end { MAIL_SENT, MAIL_LATER, MAIL_NEVER };
enum { MAIL_ANSWER_SIZE = 204 };

/* The whole message, with CRLF line ends.  False: an address or header has a character that could begin another header. */
bool mail_make(struct buf *out, const struct mail *m);

/*
 * Hands it over.  answer is what the other side said last, or what went wrong.  ca: a file with the certificate that the
 * server's is signed with, or NULL for those of the system.
 */
enum mail_end mail_send(const struct outbox_mail *server, const char *password, const char *ca, const char *to,
			const struct buf *message, char answer[MAIL_ANSWER_SIZE]);

#endif
