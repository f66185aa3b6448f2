/*
 * front_fcgi.h - the FastCGI front; libfcgi stays behind this wall.
 */
#ifndef JARI_FRONT_FCGI_H
#define JARI_FRONT_FCGI_H

#include "reply.h"
#include "req.h"

#include <stdbool.h>

/* Once a process.  The listening socket is non-blocking and the caller's. */
bool front_fcgi_init(int listen_fd);
/* Takes one waiting request and reads it to its end; false when another worker was quicker. */
bool front_fcgi_accept(struct req *r);
/* Sends the answer and closes the connection. */
void front_fcgi_finish(struct req *r, const struct reply *reply);

#endif
