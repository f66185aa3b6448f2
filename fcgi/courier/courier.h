/*
 * courier.h - the process that touches the network: sends what is in the outbox.
 *
 * It never holds the pen and never writes to the book: it reads what is due, sends it, and reports by tickets, which the
 * keeper writes.  It may hang, crash or be absent, and nobody else notices.
 */
#ifndef JARI_COURIER_H
#define JARI_COURIER_H

/* Works until SIGTERM.  place -1: in a unit of its own.  Returns the exit status. */
int courier_run(const char *dir, int listen_fd, int place);

#endif
