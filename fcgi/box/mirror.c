/*
 * mirror.c - a second box that is seconds behind.
 */
#include "mirror.h"

#include "backup.h"
#include "clock.h"
#include "facts.h"
#include "failpoint.h"
#include "log.h"
#include "parcel.h"
#include "role.h"
#include "run.h"
#include "stop.h"
#include "takeover.h"
#include "watch.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	LOOK_MS = 500,         /* how often to look whether the book has changed: a counter in memory */
	ASK_EVERY_MS = 10000,  /* when it has not */
	NOTE_EVERY_S = 60,     /* how often "the spare has everything" is written down while nothing changes */
	AGAIN_MS = 1000,       /* after a connection that failed; doubled each time */
	AGAIN_MOST_MS = 30000, /* so a spare that comes back has its copy within half a minute */
	SHARE = 10,            /* a copy has at most a tenth of a core, ... */
	PAUSE = 2,             /* ... and half of the time: where guests keep the box busy it takes longer, and costs no more */
	HELLO_MS = 15000,
	PAGES_MS = 1000,   /* so long for every thousand pages, and ... */
	ANSWER_MS = 60000, /* ... for what the spare does with them */
	REFUSAL_MS = 2000, /* for what a spare has said that hangs up */
	SAID = 200,
};

struct mirror {
	const char *dir;
	struct mirror_to to;
	int every_ms;
	struct wire wire;
	pid_t pid;  /* of ssh; 0: no connection */
	int said;   /* what it says on standard error */
	bool has;   /* the spare has what `sent` says */
	bool moved; /* the book has changed since */
	bool last;  /* we are to stop, and say this to its end */
	struct parcel sent;
	struct takeover_watch watch;
	int64_t next_ms, ask_ms, connect_ms, again_ms; /* when: a copy, a question, a connection; the pause after that */
	int64_t noted_s, bad_s;
	char bad[SAID];
	void (*known)(void);
};

/* ---- where the spare is ---- */

static bool read_line(const char *path, char *out, size_t size)
{
	FILE *f = fopen(path, "re");
	bool ok = f && fgets(out, (int)size, f);

	if (f)
		fclose(f);
	if (!ok)
		return false;
	out[strcspn(out, " \t\r\n#")] = '\0';
	return out[0] && out[0] != '-'; /* or ssh would take it for an option */
}

bool mirror_find(const char *dir, struct mirror_to *out)
{
	const char *const folders[] = {dir, RUN_ETC};
	char path[MIRROR_PATH];

	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(path, sizeof path, "%s/mirror", folders[i]);
		if (!read_line(path, out->spare, sizeof out->spare))
			continue;
		snprintf(out->key, sizeof out->key, "%s/mirror.key", folders[i]);
		snprintf(out->hosts, sizeof out->hosts, "%s/mirror.hosts", folders[i]);
		return true;
	}
	return false;
}

/* ---- ssh ---- */

static void be_ssh(const struct mirror_to *to, const int in[2], const int out[2], const int said[2], pid_t parent)
{
	static char path[] = "PATH=/usr/bin:/bin", lang[] = "LANG=C.UTF-8";
	char key[MIRROR_PATH + 20], hosts[MIRROR_PATH + 24];
	char *environment[] = {path, lang, NULL};
	const char *const argv[] = {"ssh",     "-T",
				    "-x",      "-a",
				    "-F",      "none",
				    "-o",      "BatchMode=yes",
				    "-o",      "ConnectTimeout=5",
				    "-o",      "ServerAliveInterval=5",
				    "-o",      "ServerAliveCountMax=3",
				    "-o",      "StrictHostKeyChecking=yes",
				    "-o",      "GlobalKnownHostsFile=none",
				    "-o",      "IdentitiesOnly=yes",
				    "-o",      "ClearAllForwardings=yes",
				    "-o",      key,
				    "-o",      hosts,
				    to->spare, NULL};
	union {
		const char *const *in;
		char *const *out;
	} args = {.in = argv};
	sigset_t none;

	snprintf(key, sizeof key, "IdentityFile=\"%s\"", to->key);
	snprintf(hosts, sizeof hosts, "UserKnownHostsFile=\"%s\"", to->hosts);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	setpgid(0, 0); /* Ctrl-C is ours to pass on */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(said[1], 2) < 0)
		_exit(EXIT_FAILURE);
	execve("/usr/bin/ssh", args.out, environment);
	dprintf(2, "there is no ssh here: sudo apt-get install openssh-client\n");
	_exit(EXIT_FAILURE);
}

static bool begin_ssh(struct mirror *m)
{
	int p[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
	pid_t parent = getpid();
	bool ok = true;

	for (int i = 0; i < 3; i++)
		ok &= pipe2(p[i], O_CLOEXEC) == 0;
	m->pid = ok ? fork() : -1;
	if (m->pid == 0)
		be_ssh(&m->to, p[0], p[1], p[2], parent);
	for (int i = 0; i < 3; i++) { /* its ends; and ours too where there is no child */
		int theirs = i == 0 ? 0 : 1;

		if (p[i][theirs] >= 0)
			close(p[i][theirs]);
		if (m->pid < 0 && p[i][!theirs] >= 0)
			close(p[i][!theirs]);
	}
	if (m->pid < 0) {
		m->pid = 0;
		return false;
	}
	wire_open(&m->wire, p[1][0], p[0][1]);
	m->wire.last = m->last;
	m->said = p[2][0];
	fcntl(m->said, F_SETFL, O_NONBLOCK);
	return true;
}

/* The last line that ssh has said, without what would break one of ours. */
static void hear_why(struct mirror *m, char out[SAID])
{
	char text[2000];
	ssize_t n = read(m->said, text, sizeof text - 1);
	char *line;

	out[0] = '\0';
	if (n <= 0)
		return;
	text[n] = '\0';
	while (n > 0 && (unsigned char)text[n - 1] <= ' ')
		text[--n] = '\0';
	line = strrchr(text, '\n');
	snprintf(out, SAID, "%.*s", SAID - 1, line ? line + 1 : text);
	for (char *c = out; *c; c++)
		*c = (unsigned char)*c < ' ' ? ' ' : *c;
}

static void hang_up(struct mirror *m)
{
	if (!m->pid)
		return;
	close(m->wire.in);
	close(m->wire.out);
	close(m->said);
	kill(m->pid, SIGTERM);
	for (int i = 0; i < 100 && waitpid(m->pid, NULL, WNOHANG) == 0; i++) {
		clock_sleep_ms(5);
		if (i == 60)
			kill(m->pid, SIGKILL);
	}
	m->pid = 0;
	m->has = false;
}

/* ---- what is noted of it ---- */

static void note_well(struct mirror *m, int64_t as_of_s)
{
	if (m->bad[0])
		log_info("mirror.well", "the spare can be reached again");
	m->bad[0] = '\0';
	m->noted_s = as_of_s;
	facts_put(m->dir, FACT_MIRROR, as_of_s, m->to.spare);
	facts_forget(m->dir, FACT_MIRROR_BAD);
}

/* The same again and again is one line in the log, and is written down once a minute. */
static void note_bad(struct mirror *m, const char *why)
{
	bool news = strcmp(m->bad, why) != 0;
	int64_t now_s = clock_now_s();

	if (news)
		log_warn("mirror.failed", "why=\"%s\"", why);
	if (news || now_s >= m->bad_s + NOTE_EVERY_S) {
		facts_put(m->dir, FACT_MIRROR_BAD, now_s, why);
		m->bad_s = now_s;
	}
	snprintf(m->bad, sizeof m->bad, "%s", why);
}

/* The connection is over, for that reason or what ssh has said. */
static void lose(struct mirror *m, const char *why)
{
	char said[SAID];

	clock_sleep_ms(20); /* it may be about to say something */
	hear_why(m, said);
	note_bad(m, said[0] ? said : why);
	hang_up(m);
	m->connect_ms = clock_mono_ms() + m->again_ms;
	m->again_ms = m->again_ms * 2 < AGAIN_MOST_MS ? m->again_ms * 2 : AGAIN_MOST_MS;
}

/* ---- what the spare says ---- */

struct state {
	bool serves;
	long long epoch, last;
	unsigned long long key;
	char hash[PARCEL_HASH_TEXT], since[CLOCK_ISO_SIZE];
};

static bool read_state(const char *line, struct state *out)
{
	*out = (struct state){0};
	if (sscanf(line, "spare waits %lld %llx %64[0-9a-f-]", &out->epoch, &out->key, out->hash) == 3)
		return true;
	out->serves = sscanf(line, "spare serves %lld %llx %20s %lld", &out->epoch, &out->key, out->since, &out->last) == 4;
	return out->serves;
}

/* The box that was to stand by serves.  Has it taken over from this one, or has somebody set up two? */
static void meet_server(struct mirror *m, const struct state *s)
{
	struct takeover_book mine;
	struct role_replaced r = {.when_s = clock_now_s(), .epoch = s->epoch, .last_reservation = s->last};

	if (takeover_look_at_book(m->dir, &mine) != ERR_OK) {
		note_bad(m, "the book of this box cannot be read");
	} else if (mine.key != s->key) {
		note_bad(m, "the other box serves a book of its own and is no spare; `jari mirror --receive` needs an empty "
			    "folder there");
	} else if (s->epoch < mine.epoch) {
		note_bad(m, "the other box was replaced by this one and does not know it: start jari-mirror there, or leave it "
			    "off");
	} else if (s->epoch == mine.epoch) {
		note_bad(m,
			 "BOTH BOXES SERVE THE SAME BOOK: switch one off, and say `jari takeover` on the one that is to go on");
	} else {
		clock_parse_iso(s->since, &r.when_s);
		if (!role_set_replaced(m->dir, &r)) {
			note_bad(m, "THE SPARE HAS TAKEN OVER, and that cannot be written down here: stop jari on this box");
			return;
		}
		facts_forget(m->dir, FACT_MIRROR_BAD);
		log_error("mirror.replaced", "the spare has taken over from this box at %s: it serves no guest any more",
			  s->since);
	}
}

/* False: no line that we understand came. */
static bool hear_state(struct mirror *m, int64_t until_ms, struct state *s)
{
	char line[WIRE_LINE];

	if (!wire_line(&m->wire, line, sizeof line, until_ms) || !read_state(line, s))
		return false;
	if (s->serves)
		meet_server(m, s);
	m->has = !s->serves && m->sent.hash[0] && strcmp(s->hash, m->sent.hash) == 0;
	return true;
}

static void say_known(struct mirror *m)
{
	if (m->known)
		m->known();
	m->known = NULL;
}

static bool connect_to(struct mirror *m, int64_t until_ms)
{
	struct state s;

	if (!begin_ssh(m)) {
		m->connect_ms = clock_mono_ms() + m->again_ms;
		return false;
	}
	if (!hear_state(m, until_ms, &s)) {
		lose(m, "the spare does not answer");
		return false;
	}
	say_known(m);
	m->ask_ms = clock_mono_ms() + ASK_EVERY_MS;
	if (s.serves) { /* meet_server has said what that means */
		hang_up(m);
		m->connect_ms = clock_mono_ms() + AGAIN_MOST_MS;
		return false;
	}
	m->again_ms = AGAIN_MS;
	return true;
}

/* ---- a copy ---- */

/* In memory where the unit gives us a folder there. */
static void choose_scratch(const struct mirror *m, char out[MIRROR_PATH])
{
	const char *memory = getenv("RUNTIME_DIRECTORY");
	char book[MIRROR_PATH];
	struct stat st;

	snprintf(book, sizeof book, "%s/jari.db", m->dir);
	if (memory && memory[0] == '/' && !strchr(memory, ':') && stat(book, &st) == 0 &&
	    watch_free_bytes(memory) > st.st_size * 2)
		snprintf(out, MIRROR_PATH, "%s/mirror.db", memory);
	else
		snprintf(out, MIRROR_PATH, "%s/mirror.db", m->dir);
}

enum outcome { TAKEN, AGAIN, REFUSED, BROKEN };

static enum outcome hear_answer(struct mirror *m, const struct parcel *now, int64_t until_ms)
{
	char line[WIRE_LINE], why[WIRE_LINE];
	enum err e;
	struct state s;

	if (!wire_line(&m->wire, line, sizeof line, until_ms))
		return BROKEN;
	if (strcmp(line, "whole") == 0)
		return AGAIN;
	if (strncmp(line, "have ", 5) == 0)
		return strcmp(line + 5, now->hash) == 0 ? TAKEN : BROKEN;
	if (read_state(line, &s) && s.serves) { /* it has taken over this moment */
		meet_server(m, &s);
		return REFUSED;
	}
	e = strncmp(line, "no ", 3) == 0 ? err_from_text(line + 3) : ERR_OK;
	if (e == ERR_OK)
		return BROKEN;
	snprintf(why, sizeof why, "the spare refuses the copy: %s",
		 e == ERR_BOOK_FOREIGN ?
			 "it has the copy of another book; remove its spare.db if it is to stand by for this one" :
		 e == ERR_BOX_REPLACED ? "its copy is from after a takeover, and this box has been replaced" :
					 err_sentence(e, LANG_EN));
	note_bad(m, why);
	hang_up(m); /* after most refusals the spare has done so */
	m->connect_ms = clock_mono_ms() + AGAIN_MOST_MS;
	return REFUSED;
}

static size_t sent_pages; /* of the last copy */

static enum outcome send_file(struct mirror *m, const char *file, const struct parcel *now)
{
	const struct parcel *before = m->has ? &m->sent : NULL;
	size_t count = parcel_count(now, before);
	int64_t until_ms = clock_mono_ms() + ANSWER_MS + (int64_t)(count / 1000) * PAGES_MS;

	sent_pages = count;
	if (!wire_say(&m->wire, until_ms, "copy %lld %zu %s\n", (long long)now->size, count, now->hash))
		return BROKEN;
	FAILPOINT("mirror.announced");
	if (!parcel_send(&m->wire, file, now, before, until_ms)) /* a spare that refuses says why, and takes none of it */
		until_ms = clock_mono_ms() + REFUSAL_MS;
	return hear_answer(m, now, until_ms);
}

static int64_t cpu_ms(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * INT64_C(1000) + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1000;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The file, as far as the spare lacks it, or all of it. */
static enum outcome send_made(struct mirror *m, const char *file, const struct parcel *now)
{
	enum outcome end = send_file(m, file, now);

	if (end != AGAIN)
		return end;
	m->has = false;
	end = send_file(m, file, now);
	return end == AGAIN ? BROKEN : end;
}

/* When the next one may go: after one that took long, or cost much, later. */
static void plan_next(struct mirror *m, enum outcome end, int64_t began_ms, int64_t spent_ms)
{
	int64_t now_ms = clock_mono_ms(), took_ms = now_ms - began_ms;

	spent_ms = cpu_ms() - spent_ms;
	m->ask_ms = now_ms + ASK_EVERY_MS;
	m->next_ms = began_ms + later(m->every_ms, later(took_ms * PAUSE, spent_ms * SHARE));
	if (end == REFUSED)
		m->next_ms = later(m->next_ms, now_ms + AGAIN_MOST_MS);
	if (took_ms > m->every_ms) /* a slow line, or a large book */
		log_info("mirror.slow", "pages=%zu of=%zu ms=%lld cpu_ms=%lld", sent_pages, m->sent.pages, (long long)took_ms,
			 (long long)spent_ms);
}

static void send_copy(struct mirror *m)
{
	int64_t began_ms = clock_mono_ms(), as_of_s = clock_now_s(), spent_ms = cpu_ms();
	struct parcel now = {0};
	char file[MIRROR_PATH];
	enum outcome end = REFUSED;
	enum err e;

	choose_scratch(m, file);
	m->moved = false; /* what happens from here on is for the next one */
	e = backup_make(m->dir, file);
	if ((e == ERR_OK || e == ERR_BACKUP_STRANGE) && parcel_look(file, &now))
		end = send_made(m, file, &now);
	else
		note_bad(m, err_sentence(e, LANG_EN));
	unlink(file);
	m->has = end == TAKEN;
	m->moved |= !m->has;
	if (m->has) {
		parcel_free(&m->sent);
		m->sent = now;
		note_well(m, as_of_s);
	} else {
		parcel_free(&now);
	}
	if (end == BROKEN)
		lose(m, "the connection to the spare broke in the middle of a copy");
	plan_next(m, end, began_ms, spent_ms);
}

/* Nothing has changed: is the spare still there, does it still have it, and has it taken over? */
static void ask(struct mirror *m)
{
	int64_t until_ms = clock_mono_ms() + HELLO_MS, now_s = clock_now_s();
	struct state s;

	m->ask_ms = clock_mono_ms() + ASK_EVERY_MS;
	if (!wire_say(&m->wire, until_ms, "ask\n") || !hear_state(m, until_ms, &s)) {
		lose(m, "the spare does not answer any more");
		return;
	}
	if (s.serves)
		hang_up(m);
	else if (!m->has)
		m->moved = true; /* somebody has taken its copy away */
	else if (!m->moved && now_s >= m->noted_s + NOTE_EVERY_S)
		note_well(m, now_s);
}

/* ---- the process ---- */

static void look(struct mirror *m)
{
	int64_t now_ms = clock_mono_ms();

	if (role_of(m->dir) == ROLE_REPLACED) { /* nothing of it is for the box that serves */
		hang_up(m);
		say_known(m);
		return;
	}
	if (takeover_moved(&m->watch, m->dir, &m->moved) != ERR_OK)
		return; /* no book, or one that cannot be read: the desk says that */
	if (!m->pid && now_ms >= m->connect_ms && !connect_to(m, now_ms + HELLO_MS))
		return;
	if (m->pid && (m->moved || !m->has) && now_ms >= m->next_ms)
		send_copy(m);
	else if (m->pid && now_ms >= m->ask_ms)
		ask(m);
}

/* A box that has just been switched on may have its network in a moment.  A spare that refuses is off. */
static void connect_first(struct mirror *m, int64_t until_ms)
{
	while (!connect_to(m, until_ms) && !stop_asked && role_of(m->dir) == ROLE_SERVES &&
	       clock_mono_ms() + LOOK_MS < until_ms && (strstr(m->bad, "nreachable") || strstr(m->bad, "resol")))
		clock_sleep_ms(LOOK_MS);
}

/*
 * Whoever stops this box on purpose, jari first and then the mirror, loses nothing by going on with the spare: also when the
 * line is down just now, or a copy was on its way and has been cut off by the end.
 */
static void send_last(struct mirror *m)
{
	enum { TRIES = 2, TRY_MS = 8000 }; /* systemd waits for half a minute */

	if (role_of(m->dir) != ROLE_SERVES || takeover_moved(&m->watch, m->dir, &m->moved) != ERR_OK)
		return;
	if (m->pid && m->has && !m->moved)
		return;
	m->last = m->wire.last = true;
	for (int i = 0; i < TRIES && role_of(m->dir) == ROLE_SERVES; i++) {
		if (!m->pid && !connect_to(m, clock_mono_ms() + TRY_MS))
			continue;
		if (m->moved || !m->has)
			send_copy(m);
		if (m->has)
			return;
	}
	if (role_of(m->dir) == ROLE_SERVES)
		log_error("mirror.last", "the spare may lack what was booked last: it could not be sent");
}

int mirror_run(const char *dir, int every_s, void (*known)(void))
{
	static struct mirror m;
	int64_t until_ms = clock_mono_ms() + MIRROR_ASK_MS;

	m = (struct mirror){.dir = dir, .every_ms = every_s * 1000, .again_ms = AGAIN_MS, .moved = true, .known = known};
	if (!mirror_find(dir, &m.to))
		return EXIT_FAILURE;
	log_name("mirror");
	stop_on_any();
	signal(SIGPIPE, SIG_IGN);
	connect_first(&m, until_ms);
	say_known(&m);
	while (!stop_asked) {
		look(&m);
		clock_sleep_ms(LOOK_MS);
	}
	send_last(&m);
	hang_up(&m);
	takeover_watch_close(&m.watch);
	parcel_free(&m.sent);
	return EXIT_SUCCESS;
}

void mirror_ask(const char *dir)
{
	static struct mirror m;

	m = (struct mirror){.dir = dir, .again_ms = AGAIN_MS};
	if (role_of(dir) == ROLE_REPLACED || !mirror_find(dir, &m.to))
		return;
	signal(SIGPIPE, SIG_IGN);
	connect_first(&m, clock_mono_ms() + MIRROR_ASK_MS);
	hang_up(&m);
}
