/*
 * front_cgi.h - the plain CGI front: environment in, standard output out, one process a request.
 */
#ifndef JARI_FRONT_CGI_H
#define JARI_FRONT_CGI_H

#include "reply.h"
#include "req.h"

void front_cgi_read(struct req *r);
void front_cgi_write(struct reply *reply);
/* The Content-Security-Policy of a page that loads the script of that provider ("" or another word: of every other page). */
const char *front_cgi_policy(const char *provider);

#endif
