/*
 * courier.h - the two processes that send what is in the outbox.
 *
 * They never hold the pen and never write to the book: they read what is due, send it, and report by tickets, which the
 * keeper writes.  They may hang, crash or be absent, and no other process notices.
 */
#ifndef JARI_COURIER_H
#define JARI_COURIER_H

/* Each works until SIGTERM and returns the exit status: one sends six-digit codes, the other everything else. */
int courier_run(const char *dir, int listen_fd, int post);
int courier_run_codes(const char *dir, int listen_fd, int post);
/* Both, in a unit of their own; it ends when one of them does. */
int courier_run_alone(const char *dir);

#endif
