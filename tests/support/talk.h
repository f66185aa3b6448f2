/*
 * talk.h - speaking to an appliance as a person: staff log in, a request is sent in a person's name, and its answer must
 * say what the test expects.
 */
#ifndef JARI_TALK_H
#define JARI_TALK_H

#include "appliance.h"

enum { TALK_HEADERS = 256 };
#define TALK_PASSWORD "correct horse 7"

/* The headers of requests in the name of that login, whose password is TALK_PASSWORD. */
void talk_log_in(const struct appliance *a, const char *email, char headers[TALK_HEADERS]);
/* The same for a new member of the staff. */
void talk_add_staff(const struct appliance *a, const char *email, char headers[TALK_HEADERS]);

const struct http_answer *talk_as(const struct appliance *a, const char *headers, const char *method, const char *path,
				  const char *body);
/* Fails the test unless the answer has this status and this word of core/err.h; "": none. */
void talk_says(const struct http_answer *answer, int status, const char *code);

#endif
