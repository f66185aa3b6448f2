/*
 * send.h - a letter handed over: as mail, or to the command for text messages.
 */
#ifndef JARI_SEND_H
#define JARI_SEND_H

#include "dispatch.h"
#include "letter.h"
#include "mail.h"

struct send {
	const char *dir; /* of the book: send-sms and mail-ca.pem are there */
	const struct mailserver *mail;
	const char *password; /* of the mail server */
	int patience_s;       /* with it */
};

/* What the other side said is in answer. */
enum mail_end send_letter(const struct send *by, const struct dispatch_row *o, struct letter *l, char answer[MAIL_ANSWER_SIZE]);

#endif
