/*
 * worker.h - a FastCGI worker: one request at a time, until told to stop.
 */
#ifndef JARI_WORKER_H
#define JARI_WORKER_H

/* Serves until SIGTERM; finishes the request in hand first.  Returns the exit status. */
int worker_run(const char *dir, int listen_fd, int post);

#endif
