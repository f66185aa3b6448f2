/*
 * strangers.h - processes of this book that are not the supervisor's children: a command, a CGI process.
 */
#ifndef JARI_STRANGERS_H
#define JARI_STRANGERS_H

#include "hall.h"

/*
 * Kills one that is stopped (SIGSTOP, Ctrl-Z) while it holds the pen, so that no other process can write, or the line's lock,
 * so that none can even draw a ticket.
 */
void strangers_kill_stopped(struct hall *h);

#endif
