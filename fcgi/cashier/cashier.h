/*
 * cashier.h - the process that speaks to payment providers.
 *
 * It never holds the pen and never writes to the book: it reads what is to be done, asks the provider, and says by tickets what came
 * of it.  It may hang, crash or be absent, and nothing but payments waits.
 */
#ifndef JARI_CASHIER_H
#define JARI_CASHIER_H

/* Works until SIGTERM; returns the exit status. */
int cashier_run(const char *dir, int listen_fd, int post);
/* The same in a unit of its own. */
int cashier_run_alone(const char *dir);

#endif
