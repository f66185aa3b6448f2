/*
 * street.h - requests from wherever: to the workers' own socket, as a web server passes them on for a client's address.
 *
 * A client on loopback is the box itself and not limited.  What a stranger can do is tried from here.
 */
#ifndef JARI_STREET_H
#define JARI_STREET_H

#include "appliance.h"
#include "http.h"

/* As http_ask(), from that address.  The answer lives until sixteen more have been asked. */
const struct http_answer *street_ask(const struct appliance *a, const char *address, struct http_call call);
/* A body, with a guest's token or "". */
const struct http_answer *street_post(const struct appliance *a, const char *address, const char *path, const char *token,
				      const char *json);

#endif
