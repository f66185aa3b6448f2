/*
 * children.h - the supervisor's children: started, watched, replaced, stopped.
 */
#ifndef JARI_CHILDREN_H
#define JARI_CHILDREN_H

#include "hall.h"
#include "supervise.h"

#include <signal.h>

enum { CHILDREN_STOPPED_MS = 1000 }; /* how long a process may be stopped (SIGSTOP) before it is killed */

/* Which children the plan asks for; mask: the signals that they block.  closed: this box serves nobody (closed.h). */
void children_plan(const struct supervise_plan *plan, struct hall *hall, int listen_fd, const sigset_t *mask, bool closed);
/* Starts those that do not run and whose time has come. */
void children_start_due(void);
/* Notes which have ended or were stopped. */
void children_reap(void);
/* A child that is stopped, or has been busy for too long, is killed, never raced: see pen.h. */
void children_kill_hung(void);
/* Replaces the workers one by one; the next one's turn comes when the last is back. */
void children_replace(void);
void children_replace_next(void);
/* Stops one kind after the other; calls meanwhile() again and again while it waits for them. */
void children_stop(void (*meanwhile)(void));
/* Puts them on the board of a new segment. */
void children_post_again(void);

bool children_has(pid_t pid);
/* All run, and none is being replaced: what happens next is a signal. */
bool children_at_rest(void);
bool children_busy(void); /* one has something in hand */
/* Can a guest be served?  A worker accepts requests with the book open, and the keeper is at work (where it is planned). */
bool children_ready(void);

#endif
