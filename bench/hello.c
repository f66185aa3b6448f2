/*
 * hello.c - the least that a pool of libfcgi workers can do: the yardstick for jari's own workers.
 *
 *     hello DIR WORKERS [poll]
 *
 * listens on DIR/jari.sock, so that the site configuration of `jari up` serves it with another DIR
 * and port.  libfcgi's own loop: a blocking accept, the body read to its end, an answer as long as that
 * of a booking, no connection kept, and nothing else.
 *
 * With `poll` each worker waits in ppoll() before it accepts, as one must that may be told to stop without
 * cutting an answer short.  Every connection then wakes every idle worker.
 */
#include <fcgiapp.h>
#include <poll.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BACKLOG = 511, WORKERS_MAX = 200 };

static const char body[] =
	"{\"reservationId\":12345,\"reservationCode\":\"R20260120-0123\",\"slotId\":77,\"userId\":2345,\"restaurantId\":1,"
	"\"slotDate\":\"2026-01-20\",\"slotTime\":\"11:00\",\"partySize\":4,\"reservationType\":\"RESERVATION_DEPOSIT\","
	"\"status\":\"TEMPORARY\",\"requestMessage\":null,\"holdExpiresAt\":\"2026-01-20T02:07:00Z\",\"amountDue\":20000,"
	"\"manageToken\":\"AQ8nAAAAAAAAAQAAAEvqIWsAAAAALekH_s7-E164XfZWqjJujsl9p_cWiwlQ3T3iRIKqSxw\"}";

static void answer(FCGX_Request *request, const char *text)
{
	char drained[4096];

	while (FCGX_GetStr(drained, sizeof drained, request->in) > 0)
		;
	FCGX_PutStr(text, (int)strlen(text), request->out);
	request->keepConnection = 0;
	FCGX_Finish_r(request);
}

static void on_stop(int signal)
{
	(void)signal;
	_exit(EXIT_SUCCESS);
}

static int work(int listen_fd, bool polls)
{
	struct pollfd p = {.fd = listen_fd, .events = POLLIN};
	FCGX_Request request;
	char text[1024];

	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, on_stop); /* before libfcgi takes it */
	snprintf(text, sizeof text,
		 "Status: 201\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %zu\r\n\r\n%s", strlen(body),
		 body);
	if (FCGX_Init() != 0 || FCGX_InitRequest(&request, listen_fd, 0) != 0)
		return EXIT_FAILURE;
	for (;;)
		if ((!polls || ppoll(&p, 1, NULL, NULL) > 0) && FCGX_Accept_r(&request) >= 0)
			answer(&request, text);
}

static int open_socket(const char *dir, bool polls)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (polls ? SOCK_NONBLOCK : 0), 0);

	if (fd < 0 || snprintf(a.sun_path, sizeof a.sun_path, "%s/jari.sock", dir) >= (int)sizeof a.sun_path)
		return -1;
	unlink(a.sun_path);
	umask(0117);
	return bind(fd, (struct sockaddr *)&a, sizeof a) == 0 && listen(fd, BACKLOG) == 0 ? fd : -1;
}

int main(int argc, char **argv)
{
	int workers = argc >= 3 ? atoi(argv[2]) : 0, fd, signal;
	bool polls = argc == 4 && strcmp(argv[3], "poll") == 0;
	pid_t pids[WORKERS_MAX], parent = getpid();
	sigset_t stop;

	if (workers < 1 || workers > WORKERS_MAX) {
		fprintf(stderr, "usage: hello DIR WORKERS [poll]\n");
		return 2;
	}
	fd = open_socket(argv[1], polls);
	if (fd < 0) {
		perror("hello");
		return EXIT_FAILURE;
	}
	for (int i = 0; i < workers; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGTERM);
			return getppid() == parent ? work(fd, polls) : EXIT_FAILURE;
		}
	}
	sigemptyset(&stop);
	sigaddset(&stop, SIGTERM);
	sigaddset(&stop, SIGINT);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	sigwait(&stop, &signal);
	for (int i = 0; i < workers; i++)
		if (pids[i] > 0)
			kill(pids[i], SIGTERM);
	while (wait(NULL) > 0)
		;
	return EXIT_SUCCESS;
}
