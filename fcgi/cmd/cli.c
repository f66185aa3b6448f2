/*
 * cli.c - the commands of the jari program: which there are, their options, their help.
 */
#include "cli.h"

#include "db.h"
#include "log.h"
#include "manual.h"
#include "migrate.h"
#include "serving.h"
#include "setup.h"
#include "supervise.h"
#include "text.h"
#include "token.h"
#include "version.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* clang-format off */
static const struct cli_row commands[] = {
	{"up", "[--port PORT] [--workers N] [--bind ADDRESS] [--www FOLDER] [--user NAME] [--demo] [--no-courier]", "start the whole appliance: nginx, workers, courier, cashier, keeper", cli_up, 0, 0,
	 "Serves the book in DIR on port 8080 with 32 workers (fewer on one core, or with less than half a gigabyte of\n"
	 "memory), unless you say otherwise, and prints the addresses of the guests' page and of the desk.  Until the\n"
	 "owner has chosen a password each start prints a new one-time link.\n"
	 "Stays in the foreground; Ctrl-C stops everything once the answers in hand are sent.  --demo makes a book with a\n"
	 "restaurant to play with if DIR has none.  As root it becomes the owner of DIR, or NAME.\n"
	 "Listens on every address of this machine, so that phones can reach it; --bind 127.0.0.1 keeps to itself.\n"},
	{"serve", "[--workers N] [--no-courier]", "start workers, courier, cashier and keeper only, behind a web server of your own", cli_serve, 0, 0,
	 "For systemd and the nginx site of nginx.conf.example.  Listens on DIR/jari.sock.  SIGTERM drains and\n"
	 "stops, SIGHUP replaces the workers one by one.  --no-courier: nothing here uses the network; `jari courier` and\n"
	 "`jari cashier` run in units of their own.\n"},
	{"courier", "", "send messages, beside a `jari serve --no-courier`", cli_courier, 0, 0,
	 "It uses the network: mail and text messages.  It reads the book and writes nothing into it.\n"},
	{"cashier", "", "speak to payment providers, beside a `jari serve --no-courier`", cli_cashier, 0, 0,
	 "It uses the network: PortOne, Toss Payments or Stripe, whichever the owner has chosen.  It reads the book and writes\n"
	 "nothing into it.  Where one is at work already, it waits until that is gone.\n"},
	{"init", "[--demo | --name NAME] [--user NAME]", "make a new book", cli_init, 0, 0,
	 "Makes DIR with an empty book, the secret key and an owner whose one-time password is printed once.  --demo adds\n"
	 "a restaurant to play with, --name an empty restaurant of that name; the desk's first page asks for the rest.\n"
	 "As root it gives the book to the user jari, or to --user NAME.\n"},
	{"setup", "nginx [--name NAME] [--force] | tls", "put jari behind the nginx of this box, and give it a certificate", cli_setup, 1, 1,
	 "nginx: makes the book if there is none, enables the site for NAME (any name if none is said) with room for a rush,\n"
	 "tests it, starts everything and prints the owner's one-time link.  A site that was changed by hand is kept, unless\n"
	 "you say --force.  tls: asks certbot for a certificate, or says how to get it.  Both are for root.\n"},
	{"check", "[FILE]", "is the book sound?", cli_check, 0, 1,
	 "Proves on the book (or on a backup FILE) that no slot is overbooked, no guest is booked twice, all money is\n"
	 "accounted for, every change is in the audit, and the book's own defences stand.  Exit 1 if anything is wrong.\n"},
	{"backup", "FILE | FOLDER [--force] [--same-disk] | --due | --before-update", "copy the book while it is in use", cli_backup, 0, 1,
	 "The copy appears only when it is complete, checked and on the disk.  A FILE that is there already is kept, unless\n"
	 "you say --force; in a FOLDER the copy is called jari-YYYY-MM-DD.db, one for each day.  On the disk of the book\n"
	 "itself it would be lost with the book, so that is refused (a stick that is not mounted, too) unless you say\n"
	 "--same-disk.\n"
	 "--due is for a timer, every five minutes: one a night into DIR/backups, opened and checked, 7 days and 4 weeks of them\n"
	 "kept; and when something has changed, a copy to the command copy-away of DIR or /etc/jari, which takes it out of this\n"
	 "box.  --before-update makes one of its own, 3 of which are kept.\n"},
	{"drill", "[FILE]", "would this backup help? restores it aside, compares, throws it away", cli_drill, 0, 1,
	 "Without FILE it takes the newest of DIR/backups.  The book that is served is only read.  Exit 1 if the backup cannot\n"
	 "be restored, is not sound, or lacks reservations that the book had by then.\n"},
	{"restore", "FILE [--user NAME]", "put a backup in the place of the book", cli_restore, 1, 1,
	 "Jari may go on serving meanwhile; guests wait for a moment only.  FILE may be on a disk that can only be read, and\n"
	 "may also be a book itself (jari.db with its log beside it).  The present book is kept as\n"
	 "DIR/jari.db.before-restore-TIME.  Cut short at any moment, the next start finishes it, or nothing was changed.\n"
	 "As root it gives a new folder to the user jari, or to --user NAME.\n"},
	{"mirror", "[--every SECONDS] | --receive", "keep a second box seconds behind, by ssh", cli_mirror, 0, 0,
	 "Whenever the book has changed, at most every 5 seconds (--every) and with no more than a tenth of a core, the pages\n"
	 "that the spare lacks travel there.  Where it is stands in /etc/jari/mirror (docs/box.md, A second box).  --receive is\n"
	 "the spare's end: the one command that the key of this box may run there.\n"},
	{"takeover", "[--url ADDRESS] [--old-box-is-off]", "on the spare: from now on this box serves, with the last copy", cli_takeover, 0, 0,
	 "Refuses while the old box answers: at the address under Settings, Mail, where its copies came from, or at ADDRESS.\n"
	 "--old-box-is-off says that you have seen it switched off, where that cannot be found out.  An old box that comes back\n"
	 "serves nobody as soon as it reaches this one.\n"},
	{"staff", "add EMAIL NAME [--role ROLE] | passwd EMAIL | list", "the people of the desk", cli_staff, 1, 3,
	 "add makes a login of staff, or of --role manager or owner, and prints a password unless one is given by --password\n"
	 "or on standard input; passwd sets a new one and ends every login made with the old.\n"},
	{"link", "EMAIL [--url ADDRESS]", "a one-time link for staff who lost their password", cli_link, 1, 1,
	 "Prints a link and the same as a QR code; who opens it within 30 minutes chooses a new password.  The old\n"
	 "password and open logins of EMAIL end at once.  The link begins with ADDRESS, like https://book.example.com; else with the address under Settings, Mail at the desk; else\n"
	 "with that of this machine.\n"},
	{"token", "--users N [--password P]", "make load-test guests and print their tokens", cli_token, 0, 0,
	 "Makes (or finds) loadtest.user0001@example.com and on, and prints userId<TAB>token for each.\n"},
	{"confirm", "CODE [AMOUNT]", "the deposit or pre-order of a reservation was received", cli_confirm, 1, 2,
	 "Turns the hold into a reservation, or carries out the change that waits for its money, and notes the payment.\n"
	 "Prints how much was noted for how many people; with AMOUNT, like 20000 or 19.50, nothing is noted if another is due.  Like everybody it waits in the line: a command that\n"
	 "you stop while it waits may still be carried out, because its ticket is there.\n"},
	{"cancel", "CODE [REASON]", "cancel a reservation for the restaurant", cli_cancel, 1, 2,
	 "The seats are free at once; what was paid is due back in full.  Like everybody it waits in the line: a command\n"
	 "that you stop while it waits may still be carried out, because its ticket is there.\n"},
	{"reconcile", "[--days N]", "compare the payments online with the provider's list", cli_reconcile, 0, 0,
	 "Asks the payment provider what was paid and given back in the last N days (92) and compares it with the book.  Names\n"
	 "paid bookings that the book lacks, as after a restore, and sums that differ.  Changes nothing.  Exit 1 if anything\n"
	 "differs, or the provider does not answer.\n"},
	{"import", "FOLDER [--dry-run]", "take over an existing book that was exported as CSV", cli_import, 1, 1,
	 "FOLDER has restaurants.csv, menus.csv, users.csv, restaurant_reservation_slots.csv, reservations.csv,\n"
	 "payments.csv, reservation_menu_items.csv, or some of them (docs/import.md).  Keeps every row, says what it\n"
	 "repaired, and imports all or nothing.  --dry-run prints the plan and changes nothing.\n"},
	{"rehearse", "[--opening] [--guests N] [--slot \"YYYY-MM-DD HH:MM\"] [--party N] [--restaurant ID] [--workers N]",
	 "a dress rehearsal of opening night, on a copy of the book", cli_rehearse, 0, 0,
	 "N guests (800; at most 5000) ask for the same time at once, on this box, with the real appliance.  Tells how\n"
	 "long they waited, who got in, and whether order and seats were kept.  The book itself is only read.  Without\n"
	 "--slot it takes the time from tomorrow on with the most free seats.  With --opening it plays this book's next\n"
	 "opening: pages that wait, guests who press early or on two devices, and everybody in the second after the moment.\n"},
	{"status", "[--all]", "what is going on: tonight, messages, the last backup", cli_status, 0, 0,
	 "--all adds what helps to look after the box: workers, the line, the pen, memory, every counter.\n"},
	{"doctor", "", "is the box well? clock, disk, backups, certificate, messages", cli_doctor, 0, 0,
	 "A sentence for each thing, and what to do about it.  As root it also reads the certificate, and what it sees stands\n"
	 "at the desk (Settings, This box).  Exit 1 if something is bad.\n"},
	{"disk-test", "FOLDER [NUMBER]", "does this disk keep what it says that it has written?", cli_disk_test, 1, 2,
	 "Writes numbered pages into FOLDER, flushes each and prints how far it is, until you pull the plug.  Afterwards\n"
	 "NUMBER is the last one that you saw: every page up to it must be there.  `?` if you saw none.\n"},
	{"shell", "[--write [--idle-s N]]", "look into the book with the sqlite3 shell", cli_shell, 0, 0,
	 "Opens it read-only and lists the views.  With --write you can change it: bookings wait while a statement runs or a\n"
	 "transaction is open, and go on while you type nothing.  A transaction that is left open without a word for N seconds\n"
	 "(60) is rolled back, and the shell ends.\n"},
	{"cgi", "", "answer one request as a plain CGI program", cli_cgi, 0, 99,
	 "For web servers without FastCGI.  The folder is --dir or the variable JARI_DIR.\n"},
	{"version", "", "which jari this is, and for which books", cli_version, 0, 0, ""},
};
/* clang-format on */
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int overview(FILE *out)
{
	fprintf(out, "jari - a reservation book for a small restaurant\n\nusage: jari COMMAND [--dir DIR] ...\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].purpose);
	fprintf(out, "\nDIR holds the book and all state; the default is ./run, or /var/lib/jari.  jari COMMAND --help tells "
		     "more.\n");
	return out == stdout ? CLI_OK : CLI_USAGE;
}

static int help_for(const struct cli_row *c, FILE *out)
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
		return "The book is busy, perhaps with a `jari shell --write`; please try again in a moment.";
	if (e == ERR_BOOK_OLDER)
		return "This book was made by an older jari; `jari init` (or `jari up`) brings it up to date and keeps a copy.";
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

/* Every option, one row each: what it takes, and where that goes in struct cli_options. */
#define AT(member) offsetof(struct cli_options, member)
static const struct option_row {
	const char *name;
	enum { FLAG, NUMBER, TEXT } takes;
	size_t at;
	int min, max; /* of a number */
} option_rows[] = {
	{"dir", TEXT, AT(dir), 0, 0},
	{"port", NUMBER, AT(port), 1, 65535},
	{"bind", TEXT, AT(bind), 0, 0},
	{"workers", NUMBER, AT(workers), 1, 200},
	{"hang-ms", NUMBER, AT(hang_ms), 100, 3600000},
	{"www", TEXT, AT(www), 0, 0},
	{"user", TEXT, AT(user), 0, 0},
	{"name", TEXT, AT(name), 0, 0},
	{"demo", FLAG, AT(demo), 0, 0},
	{"force", FLAG, AT(force), 0, 0},
	{"same-disk", FLAG, AT(same_disk), 0, 0},
	{"all", FLAG, AT(all), 0, 0},
	{"url", TEXT, AT(url), 0, 0},
	{"password", TEXT, AT(password), 0, 0},
	{"role", TEXT, AT(role), 0, 0},
	{"users", NUMBER, AT(users), 1, 9999},
	{"dry-run", FLAG, AT(dry_run), 0, 0},
	{"guests", NUMBER, AT(guests), 1, 5000},
	{"slot", TEXT, AT(slot), 0, 0},
	{"party", NUMBER, AT(party), 1, 1000},
	{"restaurant", NUMBER, AT(restaurant), 1, INT_MAX},
	{"days", NUMBER, AT(days), 1, 3660},
	{"write", FLAG, AT(write), 0, 0},
	{"idle-s", NUMBER, AT(idle_s), 1, 3600},
	{"no-courier", FLAG, AT(no_courier), 0, 0},
	{"opening", FLAG, AT(opening), 0, 0},
	{"due", FLAG, AT(due), 0, 0},
	{"before-update", FLAG, AT(before_update), 0, 0},
	{"receive", FLAG, AT(receive), 0, 0},
	{"every", NUMBER, AT(every), 1, 3600},
	{"old-box-is-off", FLAG, AT(old_box_off), 0, 0},
};
enum { OPTIONS = sizeof option_rows / sizeof option_rows[0], OPTION_FIRST = 1000 };

/* The rows as getopt_long wants them; the value of a row is OPTION_FIRST + its index. */
static const struct option *long_options(void)
{
	static struct option options[OPTIONS + 2];

	for (int i = 0; i < OPTIONS; i++)
		options[i] = (struct option){option_rows[i].name,
					     option_rows[i].takes == FLAG ? no_argument : required_argument, NULL,
					     OPTION_FIRST + i};
	options[OPTIONS] = (struct option){"help", no_argument, NULL, 'h'};
	return options;
}

/* False: it is unknown, or its number is out of range, which is said. */
static bool take_option(int opt, struct cli_options *o)
{
	const struct option_row *row;
	char *to;
	int64_t value;

	if (opt < OPTION_FIRST || opt >= OPTION_FIRST + OPTIONS)
		return false;
	row = &option_rows[opt - OPTION_FIRST];
	to = (char *)o + row->at;
	switch (row->takes) {
	case FLAG:
		*(bool *)to = true;
		return true;
	case TEXT:
		memcpy(to, &optarg, sizeof optarg);
		return row->at != AT(dir) || *optarg;
	case NUMBER:
		break;
	}
	if (!text_int(optarg, row->min, row->max, &value)) {
		fprintf(stderr, "jari: --%s takes a whole number from %d to %d\n", row->name, row->min, row->max);
		return false;
	}
	*(int *)(void *)to = (int)value;
	return true;
}

/*
 * A shell or unit may limit how large a file a process writes (ulimit -f, LimitFSIZE).  A process that reaches the limit is
 * killed by SIGXFSZ in the middle of its work, so jari says at the start that the limit is too low.
 */
static bool files_may_grow(const struct cli_options *o)
{
	enum { ROOM = 64 * 1024 * 1024 }; /* for the log of a rush, and the shared memory */
	struct rlimit limit;
	struct stat book;
	char path[4096];
	rlim_t need = ROOM;

	if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
		return true;
	limit.rlim_cur = limit.rlim_max; /* as far as we may */
	setrlimit(RLIMIT_FSIZE, &limit);
	db_path(o->dir, path);
	if (stat(path, &book) == 0)
		need += (rlim_t)book.st_size;
	if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= need)
		return true;
	cli_fail(ERR_OK,
		 "files may not grow beyond %llu MB here, and the book needs %llu; say `ulimit -f unlimited` first, or take"
		 " LimitFSIZE out of the unit",
		 (unsigned long long)limit.rlim_cur >> 20, ((unsigned long long)need >> 20) + 1);
	return false;
}

/* How many letters must be added, left out or changed to make one word of the other. */
static int distance(const char *a, const char *b)
{
	int row[32], n = (int)strnlen(b, sizeof row / sizeof row[0] - 1);

	for (int j = 0; j <= n; j++)
		row[j] = j;
	for (int i = 1; *a; a++, i++) {
		int corner = row[0];

		row[0] = i;
		for (int j = 1; j <= n; j++) {
			int changed = corner + (*a != b[j - 1]), moved = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);

			corner = row[j];
			row[j] = changed < moved ? changed : moved;
		}
	}
	return row[n];
}

/* In place of getopt's own words; opt is ':' when its value is missing. */
static void tell_wrong_option(int opt, const char *typed)
{
	const char *near = NULL;
	int least = 3; /* more than two slips are another word */

	if (opt == ':') {
		cli_fail(ERR_OK, "%s takes a value", typed);
		return;
	}
	for (int i = 0; i < OPTIONS && strncmp(typed, "--", 2) == 0; i++) {
		int slips = distance(typed + 2, option_rows[i].name);

		if (slips < least && slips < (int)strlen(option_rows[i].name)) {
			least = slips;
			near = option_rows[i].name;
		}
	}
	cli_fail(ERR_OK, "there is no option %s%s%s%s", typed, near ? "; did you mean --" : "", near ? near : "",
		 near ? "?" : "");
}

/* A book where we stand counts before the one of the service. */
static const char *usual_folder(const struct cli_row *c)
{
	static const char here[] = "./run", service[] = CLI_SERVICE_DIR;

	if (c->run == cli_cgi && getenv("JARI_DIR"))
		return getenv("JARI_DIR");
	return setup_found(here) || access(service, F_OK) != 0 ? here : service;
}

/* Commands that write into the book do it as the user whose book it is: what root leaves there, that user could not open. */
static bool is_for_owner(const struct cli_row *c)
{
	static cli_command *const all[] = {cli_staff,   cli_link,   cli_token,   cli_confirm,  cli_cancel,
					   cli_shell,   cli_serve,  cli_status,  cli_rehearse, cli_courier,
					   cli_cashier, cli_mirror, cli_takeover};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (c->run == all[i])
			return true;
	return false;
}

static int run(const struct cli_row *c, int argc, char **argv)
{
	struct cli_options o = {
		.port = 8080,
		.workers = supervise_workers(),
		.hang_ms = SUPERVISE_HANG_MS,
		.idle_s = 60,
	};
	int opt;

	while ((opt = getopt_long(argc, argv, ":h", long_options(), NULL)) != -1) {
		if (opt == 'h')
			return help_for(c, stdout);
		if (opt == '?' || opt == ':')
			tell_wrong_option(opt, argv[optind - 1]);
		if (!take_option(opt, &o))
			return help_for(c, stderr);
	}
	o.dir_said = o.dir != NULL;
	if (!o.dir)
		o.dir = usual_folder(c);
	o.args = argv + optind;
	o.count = argc - optind;
	if (o.count < c->least || o.count > c->most) {
		if (o.count > c->most)
			fprintf(stderr, "jari: %s knows nothing to do with \"%s\"\n", c->name, o.args[c->most]);
		return help_for(c, stderr);
	}
	log_level_set(LOG_WARN); /* a person reads this; the appliance itself says more, see supervise_run */
	if (!files_may_grow(&o))
		return CLI_FAILED;
	if (!token_init())
		return cli_fail(ERR_OK, "this machine gives no random numbers");
	if (c->run != cli_cgi && serving_by_another(o.dir))
		return cli_fail(ERR_BOOK_SERVED, "%s", o.dir);
	if (is_for_owner(c) && cli_be_owner(&o) != CLI_OK)
		return CLI_FAILED;
	opt = c->run(&o);
	return opt == CLI_USAGE ? help_for(c, stderr) : opt;
}

static const struct cli_row *find_command(const char *name)
{
	const struct cli_row *near = NULL;
	int least = 3; /* more than two slips are another word */

	for (size_t i = 0; i < COMMANDS; i++) {
		int slips = distance(name, commands[i].name);

		if (slips == 0)
			return &commands[i];
		if (slips < least && slips < (int)strlen(commands[i].name)) {
			least = slips;
			near = &commands[i];
		}
	}
	fprintf(stderr, "jari: there is no command %s", name);
	if (near)
		fprintf(stderr, "; did you mean %s?", near->name);
	fprintf(stderr, "\nusage: jari COMMAND [--dir DIR] ...; `jari help` lists the commands\n");
	return NULL;
}

static void print_options(FILE *out)
{
	for (size_t i = 0; i < OPTIONS; i++)
		fprintf(out, " --%s", option_rows[i].name);
}

/* `jari help` and `jari help COMMAND`; for packages `jari help --man` and `--completion`. */
static int help(const char *name)
{
	const struct cli_row *c;

	if (!name)
		return overview(stdout);
	if (strcmp(name, "--man") == 0) {
		manual_page(stdout, commands, COMMANDS);
		return CLI_OK;
	}
	if (strcmp(name, "--completion") == 0) {
		manual_completion(stdout, commands, COMMANDS, print_options);
		return CLI_OK;
	}
	c = find_command(name);
	return c ? help_for(c, stdout) : CLI_USAGE;
}

int cli_version(const struct cli_options *o)
{
	int64_t version;

	printf("jari %s, for books of version %d\n", JARI_VERSION, DB_VERSION);
	if (o && migrate_version(o->dir, &version))
		printf("the book in %s has version %d\n", o->dir, (int)version);
	return CLI_OK;
}

int cli_main(int argc, char **argv)
{
	const struct cli_row *c;

	if (argc < 2)
		return overview(stderr);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], "-h") == 0)
		return help(argv[2]);
	if (strcmp(argv[1], "--version") == 0)
		return cli_version(NULL);
	c = find_command(argv[1]);
	return c ? run(c, argc - 1, argv + 1) : CLI_USAGE;
}
