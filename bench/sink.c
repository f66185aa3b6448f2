/*
 * sink.c - a mail server that takes everything and keeps nothing, for the bench: sink PORT.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static void say(FILE *f, const char *line)
{
	fprintf(f, "%s\r\n", line);
	fflush(f);
}

/* One conversation, as RFC 5321 has it. */
static void talk(int fd)
{
	FILE *in = fdopen(fd, "r"), *out = fdopen(dup(fd), "w");
	char line[2000];
	int data = 0;

	say(out, "220 sink");
	while (fgets(line, sizeof line, in)) {
		if (data && strcmp(line, ".\r\n") != 0)
			continue;
		if (data) {
			data = 0;
			say(out, "250 2.0.0 taken");
		} else if (strncasecmp(line, "QUIT", 4) == 0) {
			say(out, "221 bye");
			break;
		} else if (strncasecmp(line, "DATA", 4) == 0) {
			data = 1;
			say(out, "354 go on");
		} else
			say(out, "250 sink");
	}
	fclose(in);
	fclose(out);
}

int main(int argc, char **argv)
{
	struct sockaddr_in a = {.sin_family = AF_INET};
	int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), peer;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	a.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 0));
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, 16) != 0) {
		perror("sink");
		return 1;
	}
	while ((peer = accept(fd, NULL, NULL)) >= 0)
		talk(peer);
	return 0;
}
