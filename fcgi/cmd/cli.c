/*
 * cli.c - the commands of the jari program: which there are, their options, their help.
 */
#include "cli.h"

#include "db.h"
#include "log.h"
#include "supervise.h"
#include "text.h"
#include "token.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static const char VERSION[] = "0.1";

/* clang-format off */
static const struct command {
	const char *name, *arguments, *purpose;
	cli_command *run;
	const char *help;
} commands[] = {
	{"up", "[--port PORT] [--workers N] [--bind ADDRESS] [--www FOLDER]", "start the whole appliance: nginx, workers, keeper", cli_up,
	 "Makes a book with a demo restaurant if DIR has none, prints the guest URL and, the first time, the\n"
	 "owner's password.  Stays in the foreground; Ctrl-C stops everything once the answers in hand are sent.\n"
	 "Listens on every address of this machine, so that phones can reach it; --bind 127.0.0.1 keeps to itself.\n"},
	{"serve", "[--workers N]", "start workers and keeper only, behind a web server of your own", cli_serve,
	 "For systemd and the nginx site of nginx.conf.example.  Listens on DIR/jari.sock.  SIGTERM drains and\n"
	 "stops, SIGHUP replaces the workers one by one.\n"},
	{"init", "[--demo | --name NAME]", "make a new book", cli_init,
	 "Makes DIR with an empty book, the secret key and an owner whose password is printed once.  --demo adds\n"
	 "a restaurant to play with, --name an empty restaurant of that name: README.md, \"Set up your restaurant\", has\n"
	 "the lines that give it opening hours.\n"},
	{"check", "[FILE]", "is the book sound?", cli_check,
	 "Proves on the book (or on a backup FILE) that no slot is overbooked, nobody is booked twice, every won is\n"
	 "accounted for, every change is in the audit, and the book's own defences stand.  Exit 1 if anything is wrong.\n"},
	{"backup", "FILE [--force]", "copy the book while it is in use", cli_backup,
	 "FILE appears only when the copy is complete, checked and on the disk.  A FILE that is there already is kept,\n"
	 "unless you say --force.\n"},
	{"restore", "FILE", "put a backup in the place of the book", cli_restore,
	 "Stop jari first.  The present book is kept beside it.\n"},
	{"staff", "add EMAIL NAME | passwd EMAIL | list", "the people of the desk", cli_staff,
	 "add makes a staff login and prints a password unless one is given by --password or on standard input;\n"
	 "passwd sets a new one and ends every login made with the old.\n"},
	{"token", "--users N [--password P]", "make load-test guests and print their tokens", cli_token,
	 "Makes (or finds) loadtest.user0001@example.com and on, and prints userId<TAB>token for each.\n"},
	{"confirm", "CODE", "the deposit or pre-order of a reservation was received", cli_confirm,
	 "Turns the hold into a reservation and notes the payment.  Like everybody it waits in the line: a command that\n"
	 "you stop while it waits may still be carried out, because its ticket is there.\n"},
	{"cancel", "CODE [REASON]", "cancel a reservation for the restaurant", cli_cancel,
	 "The seats are free at once; what was paid is due back in full.  Like everybody it waits in the line: a command\n"
	 "that you stop while it waits may still be carried out, because its ticket is there.\n"},
	{"import", "FOLDER [--dry-run]", "take over an existing book that was exported as CSV", cli_import,
	 "FOLDER has restaurants.csv, menus.csv, users.csv, restaurant_reservation_slots.csv, reservations.csv,\n"
	 "payments.csv, reservation_menu_items.csv, or some of them (docs/import.md).  Keeps every row, says what it\n"
	 "repaired, and imports all or nothing.  --dry-run prints the plan and changes nothing.\n"},
	{"rehearse", "[--guests N] [--slot \"YYYY-MM-DD HH:MM\"] [--party N] [--restaurant ID] [--workers N]",
	 "a dress rehearsal of opening night, on a copy of the book", cli_rehearse,
	 "N guests (800; at most 5000) ask for the same time at once, on this box, with the real appliance.  Tells how\n"
	 "long they waited, who got in, and whether order and seats were kept.  The book itself is only read.  Without\n"
	 "--slot it takes the time from tomorrow on with the most free seats.\n"},
	{"status", "", "what is going on: workers, pen, counters, memory", cli_status, ""},
	{"shell", "[--write]", "look into the book with the sqlite3 shell", cli_shell,
	 "Opens it read-only and lists the views.  With --write it holds the pen meanwhile: bookings wait until you leave.\n"},
	{"cgi", "", "answer one request as a plain CGI program", cli_cgi,
	 "For web servers without FastCGI.  The folder is --dir or the variable JARI_DIR.\n"},
};
/* clang-format on */
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int overview(FILE *out)
{
	fprintf(out, "jari - a reservation book for a small restaurant\n\nusage: jari COMMAND [--dir DIR] ...\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].purpose);
	fprintf(out, "\nDIR holds the book and all state; the default is ./run.  jari COMMAND --help tells more.\n"
		     "jari --version says which jari this is.\n");
	return out == stdout ? CLI_OK : CLI_USAGE;
}

static int help_for(const struct command *c, FILE *out)
{
	fprintf(out, "usage: jari %s [--dir DIR] %s\n\n%s%s", c->name, c->arguments, c->help, *c->help ? "" : c->purpose);
	fprintf(out, "%s", *c->help ? "" : "\n");
	return out == stdout ? CLI_OK : CLI_USAGE;
}

/* The sentences of err.h are for guests; the owner needs other advice. */
static const char *owner_sentence(enum err e)
{
	if (e == ERR_BOOK_UNWRITABLE)
		return "Nothing can be saved just now; is the disk full (df), or may you not write there?";
	if (e == ERR_BOOK_BUSY)
		return "The book is busy, perhaps somebody is at a `jari shell --write`; please try again in a moment.";
	if (e == ERR_BOOK_DAMAGED)
		return "The book has a problem; `jari check` says which, `jari restore` puts a backup in its place.";
	return err_sentence(e, LANG_EN);
}

int cli_fail(enum err e, const char *format, ...)
{
	va_list ap;

	fputs("jari: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fprintf(stderr, "%s%s\n", e == ERR_OK ? "" : ": ", owner_sentence(e));
	return CLI_FAILED;
}

/* errno says why we may not; who may? */
static bool not_ours(const char *path)
{
	const char *why = strerror(errno);
	const struct passwd *owner = NULL;
	struct stat st;

	if (errno == EROFS) {
		cli_fail(ERR_OK, "%s cannot be written: %s.  Nothing can be saved just now; mount the disk for writing first",
			 path, why);
		return false;
	}
	if (stat(path, &st) == 0 && st.st_uid != geteuid())
		owner = getpwuid(st.st_uid);
	if (owner)
		cli_fail(ERR_OK, "%s belongs to %s: %s; run the same as `sudo -u %s jari ...`", path, owner->pw_name, why,
			 owner->pw_name);
	else
		cli_fail(ERR_OK, "%s: %s; run the same as the user whose book it is, or as root", path, why);
	return false;
}

bool cli_make_folder(const char *dir)
{
	struct stat st;
	bool made = mkdir(dir, 0770) == 0 || errno == EEXIST;

	if (!made)
		cli_fail(ERR_OK, "the folder %s cannot be made: %s; choose another with --dir", dir, strerror(errno));
	if (made && stat(dir, &st) == 0 && !S_ISDIR(st.st_mode)) {
		cli_fail(ERR_OK, "%s is not a folder; choose another with --dir", dir);
		made = false;
	}
	return made && cli_folder_writable(dir);
}

bool cli_folder_writable(const char *dir)
{
	return access(dir, R_OK | W_OK | X_OK) == 0 || not_ours(dir);
}

bool cli_book_there(const struct cli_options *o)
{
	char path[4096];

	db_path(o->dir, path);
	if (access(path, R_OK) == 0)
		return true;
	if (errno == EACCES)
		return not_ours(access(o->dir, X_OK) == 0 ? path : o->dir);
	cli_fail(ERR_OK, "there is no book in %s (%s); say where it is with --dir DIR; `jari init` makes a book", o->dir,
		 strerror(errno));
	return false;
}

bool cli_book_writable(const struct cli_options *o)
{
	char path[4096];

	db_path(o->dir, path);
	return cli_book_there(o) && cli_folder_writable(o->dir) && (access(path, W_OK) == 0 || not_ours(path));
}

static const struct option long_options[] = {
	{"dir", required_argument, NULL, 'd'},     {"port", required_argument, NULL, 'p'},
	{"workers", required_argument, NULL, 'w'}, {"users", required_argument, NULL, 'u'},
	{"hang-ms", required_argument, NULL, 'g'}, {"bind", required_argument, NULL, 'b'},
	{"www", required_argument, NULL, 'W'},     {"password", required_argument, NULL, 'P'},
	{"name", required_argument, NULL, 'n'},    {"demo", no_argument, NULL, 'D'},
	{"write", no_argument, NULL, 'r'},         {"help", no_argument, NULL, 'h'},
	{"dry-run", no_argument, NULL, 'y'},       {"force", no_argument, NULL, 'f'},
	{"guests", required_argument, NULL, 'G'},  {"slot", required_argument, NULL, 'S'},
	{"party", required_argument, NULL, 'Y'},   {"restaurant", required_argument, NULL, 'R'},
	{NULL, 0, NULL, 0},
};

/* A whole number in a range, or a complaint. */
static bool number(const char *option, const char *text, int min, int max, int *out)
{
	int64_t value;

	if (!text_int(text, min, max, &value)) {
		fprintf(stderr, "jari: --%s takes a whole number from %d to %d\n", option, min, max);
		return false;
	}
	*out = (int)value;
	return true;
}

static bool take_option(int c, struct cli_options *o)
{
	switch (c) {
	case 'd':
		o->dir = optarg;
		return *optarg != '\0';
	case 'p':
		return number("port", optarg, 1, 65535, &o->port);
	case 'w':
		return number("workers", optarg, 1, 200, &o->workers);
	case 'u':
		return number("users", optarg, 1, 9999, &o->users);
	case 'g':
		return number("hang-ms", optarg, 100, 3600000, &o->hang_ms);
	case 'b':
		o->bind = optarg;
		return true;
	case 'W':
		o->www = optarg;
		return true;
	case 'P':
		o->password = optarg;
		return true;
	case 'n':
		o->name = optarg;
		return true;
	case 'D':
		return o->demo = true;
	case 'r':
		return o->write = true;
	case 'y':
		return o->dry_run = true;
	case 'f':
		return o->force = true;
	case 'G':
		return number("guests", optarg, 1, 5000, &o->guests);
	case 'S':
		o->slot = optarg;
		return true;
	case 'Y':
		return number("party", optarg, 1, 1000, &o->party);
	case 'R':
		return number("restaurant", optarg, 1, INT_MAX, &o->restaurant);
	default:
		return false;
	}
}

static int run(const struct command *c, int argc, char **argv)
{
	struct cli_options o = {
		.dir = getenv("JARI_DIR") && strcmp(c->name, "cgi") == 0 ? getenv("JARI_DIR") : "./run",
		.port = 8080,
		.workers = SUPERVISE_WORKERS,
		.hang_ms = SUPERVISE_HANG_MS,
	};
	int opt;

	while ((opt = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		if (opt == 'h')
			return help_for(c, stdout);
		if (!take_option(opt, &o))
			return help_for(c, stderr);
	}
	o.args = argv + optind;
	o.count = argc - optind;
	log_level_set(LOG_WARN); /* a person reads this; the appliance itself says more, see supervise_run */
	if (!token_init())
		return cli_fail(ERR_OK, "this machine gives no random numbers");
	opt = c->run(&o);
	return opt == CLI_USAGE ? help_for(c, stderr) : opt;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(name, commands[i].name) == 0)
			return &commands[i];
	fprintf(stderr, "jari: there is no command %s\n\n", name);
	overview(stderr);
	return NULL;
}

/* `jari help` and `jari help COMMAND`. */
static int help(const char *name)
{
	const struct command *c;

	if (!name)
		return overview(stdout);
	c = find_command(name);
	return c ? help_for(c, stdout) : CLI_USAGE;
}

int cli_main(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2)
		return overview(stderr);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], "-h") == 0)
		return help(argv[2]);
	if (strcmp(argv[1], "--version") == 0) {
		printf("jari %s, for books of version %d\n", VERSION, DB_VERSION);
		return CLI_OK;
	}
	c = find_command(argv[1]);
	return c ? run(c, argc - 1, argv + 1) : CLI_USAGE;
}

bool cli_ask_password(const struct cli_options *o, char out[512])
{
	struct termios shown, hidden;
	bool terminal = tcgetattr(STDIN_FILENO, &shown) == 0;
	bool got;

	if (o->password) {
		snprintf(out, 512, "%s", o->password);
		return *out != '\0';
	}
	if (terminal) {
		fputs("new password: ", stderr);
		hidden = shown;
		hidden.c_lflag &= ~(tcflag_t)ECHO;
		tcsetattr(STDIN_FILENO, TCSANOW, &hidden);
	}
	got = fgets(out, 512, stdin) != NULL;
	if (terminal) {
		tcsetattr(STDIN_FILENO, TCSANOW, &shown);
		fputc('\n', stderr);
	}
	if (!got)
		return false;
	out[strcspn(out, "\r\n")] = '\0';
	return *out != '\0';
}
