/*
 * tablets.c - this many tablets of the desk, each of which asks for a day once a second as the desk's page does, until it is
 * told to stop.  Prints how many answers were new and how many 304.
 *
 *	tablets PORT COUNT TOKEN RESTAURANT DATE
 */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TABLETS_MAX = 100, ANSWER_MAX = 1 << 22 };

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static int connect_to(int port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	inet_pton(AF_INET, "127.0.0.1", &a.sin_addr);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Reads one answer on a kept connection; its status, 0 when the connection ended. */
static int read_answer(int fd, char *answer)
{
	size_t n = 0, whole = 0;

	while (!whole || n < whole) {
		ssize_t got = read(fd, answer + n, ANSWER_MAX - 1 - n);
		char *end, *length;

		if (got <= 0)
			return 0;
		n += (size_t)got;
		answer[n] = '\0';
		end = strstr(answer, "\r\n\r\n");
		if (!end || whole)
			continue;
		length = strcasestr(answer, "\r\nContent-Length: ");
		whole = (size_t)(end - answer) + 4 + (length && length < end ? strtoul(length + 18, NULL, 10) : 0);
	}
	return atoi(answer + 9);
}

int main(int argc, char **argv)
{
	static char answer[ANSWER_MAX], tags[TABLETS_MAX][128];
	int count = argc == 6 ? atoi(argv[2]) : 0, fds[TABLETS_MAX];
	long fresh = 0, same = 0, lost = 0;

	if (count < 1 || count > TABLETS_MAX) {
		fprintf(stderr, "usage: tablets PORT COUNT TOKEN RESTAURANT DATE\n");
		return 2;
	}
	signal(SIGTERM, stop);
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < count; i++)
		fds[i] = -1;
	for (int i = 0; !stopped; i = (i + 1) % count) {
		char request[1024], *tag;
		int n, status = 0;

		if (fds[i] < 0)
			fds[i] = connect_to(atoi(argv[1]));
		n = snprintf(request, sizeof request,
			     "GET /api/desk/day?restaurantId=%s&date=%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
			     "If-None-Match: %s\r\n\r\n",
			     argv[4], argv[5], argv[3], tags[i]);
		if (fds[i] >= 0 && write(fds[i], request, (size_t)n) == n)
			status = read_answer(fds[i], answer);
		if (status == 200 && (tag = strcasestr(answer, "\r\nETag: ")))
			snprintf(tags[i], sizeof tags[i], "%.*s", (int)strcspn(tag + 8, "\r"), tag + 8);
		fresh += status == 200;
		same += status == 304;
		lost += status != 200 && status != 304;
		if (status == 0 && fds[i] >= 0) {
			close(fds[i]);
			fds[i] = -1;
		}
		poll(NULL, 0, 1000 / count);
	}
	printf("%ld new, %ld the same, %ld lost\n", fresh, same, lost);
	return lost > 0;
}
