/*
 * stop.h - the signals that ask a process to finish what it has in hand, and to end.
 */
#ifndef JARI_STOP_H
#define JARI_STOP_H

#include <signal.h>

/* Set by the signal, and never cleared. */
extern volatile sig_atomic_t stop_asked;

/* For a child of the supervisor: SIGTERM.  Ctrl-C and a hang-up reach the whole group; the supervisor decides. */
void stop_on_term(void);
/* For a command at a terminal: Ctrl-C and a hang-up as well. */
void stop_on_any(void);

#endif
