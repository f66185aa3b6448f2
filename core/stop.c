/*
 * stop.c - the signals that ask a process to finish.
 */
#include "stop.h"

volatile sig_atomic_t stop_asked;

static void on_stop(int signal)
{
	(void)signal;
	stop_asked = 1;
}

static void catch_signals(void (*others)(int))
{
	struct sigaction stop = {.sa_handler = on_stop}, other = {.sa_handler = others}, ignore = {.sa_handler = SIG_IGN};

	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGINT, &other, NULL);
	sigaction(SIGHUP, &other, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

void stop_on_term(void)
{
	catch_signals(SIG_IGN);
}

void stop_on_any(void)
{
	catch_signals(on_stop);
}
