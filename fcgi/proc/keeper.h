/*
 * keeper.h - the background process: serves the line in a rush, and does the chores that no request asks for.
 *
 * A chore is one row of the table in keeper.c.
 */
#ifndef JARI_KEEPER_H
#define JARI_KEEPER_H

/* Works until SIGTERM, then serves the tickets left in the line.  Returns the exit status. */
int keeper_run(const char *dir, int listen_fd, int post);

#endif
