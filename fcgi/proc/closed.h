/*
 * closed.h - a box that serves nobody: the spare, or one that a spare has replaced (role.h).
 *
 * Every request of the API gets 503 and a sentence; `/` on the spare is a page that says whether it is ready and how old its copy
 * is.  There may be no book and no key, so nothing of the door works here.
 */
#ifndef JARI_CLOSED_H
#define JARI_CLOSED_H

struct req;
struct reply;

/* A worker, until SIGTERM; returns the exit status. */
int closed_run(const char *dir, int listen_fd, int post);

/* Answers one request. */
void closed_answer(const char *dir, const struct req *r, struct reply *reply);

#endif
