/*
 * mail.h - one mail: made of its parts, and handed to a mail server or to sendmail.
 */
#ifndef JARI_MAIL_H
#define JARI_MAIL_H

#include "buf.h"
#include "mailserver.h"

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

/* How it leaves the box. */
struct mail_way {
	const struct mailserver *server;
	const char *password;
	const char *ca; /* a file with the certificate that the server's is signed with; NULL: those of the system */
	int patience_s; /* for all of it; half of it until the server has greeted */
};
/* Hands it over.  answer is what the other side said last, or what went wrong. */
enum mail_end mail_send(const struct mail_way *way, const char *to, const struct buf *message, char answer[MAIL_ANSWER_SIZE]);

/* How far the talk with a mail server had come when it said no. */
enum mail_step { MAIL_AT_GREETING, MAIL_AT_SENDER, MAIL_AT_RECIPIENT, MAIL_AT_CONTENT, MAIL_AT_END };
/*
 * Is that no about this one address or message, for ever?  What comes before the recipient is named, and whatever speaks of
 * quota or policy, is about ourselves: it can be mended, and it would be said to every guest.
 */
bool mail_is_final(enum mail_step step, const char *answer);
/* Does it say that there is no such address (RFC 3463: 5.1)?  A stranger may type as many of those as they like. */
bool mail_is_about_address(const char *answer);

#endif
