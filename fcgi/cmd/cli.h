/*
 * cli.h - the commands of the jari program.
 *
 * Every command has one row in cli.c: its name, what follows it, what it does and its help.
 */
#ifndef JARI_CLI_H
#define JARI_CLI_H

#include "err.h"

#include <stdbool.h>

struct cli_options {
	const char *dir, *user;
	bool dir_said; /* otherwise dir is ./run, or what JARI_DIR says */
	int port, workers, users, hang_ms, idle_s;
	const char *bind, *www, *password, *name, *url, *role;
	int guests, party, restaurant, days; /* 0: not said */
	const char *slot;
	bool demo, write, dry_run, force, no_courier, same_disk, all, opening, due, before_update, receive, old_box_off;
	int every;
	char **args; /* what is left, ends with NULL */
	int count;
};

/* Where a package keeps the book. */
#define CLI_SERVICE_DIR "/var/lib/jari"

/* Exit statuses: 0 done, 1 it did not work (said why), 2 called wrongly. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

typedef int cli_command(const struct cli_options *o);

/* A command: what --help, the man page and the completion say of it. */
struct cli_row {
	const char *name, *arguments, *purpose;
	cli_command *run;
	int least, most; /* arguments beside the options */
	const char *help;
};

int cli_main(int argc, char **argv);

/* Says why there is no book to begin with; returns CLI_FAILED. */
int cli_not_made(const struct cli_options *o, enum err e);
/* Says a failure in a sentence on standard error; returns CLI_FAILED. */
int cli_fail(enum err e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes the folder unless it is there; says what is wrong with it when nothing could be kept in it. */
bool cli_make_folder(const char *dir);
/* The folder that the file is, or will be, in. */
void cli_folder_of(const char *file, char out[4096]);
/* Is there a book in DIR that we can read, or also write?  If not these say what to do. */
bool cli_book_there(const struct cli_options *o);
bool cli_book_writable(const struct cli_options *o);

/* As root, becomes the user whose book it is, or is to be (cli_user.c); says why that cannot be. */
int cli_leave_root(const struct cli_options *o);
/* As root, makes the folder and gives it to that user, but stays root: what is to come into it may be for root's eyes only. */
int cli_give_folder(const struct cli_options *o);
/* As root, becomes the user whose folder, or file, it is; nothing changes where that is root. */
int cli_be_owner(const struct cli_options *o);
int cli_be_owner_of(const char *path);
/* The user whom `make install` makes, if there is one; otherwise NULL. */
const char *cli_usual_user(void);

/* Before this box serves: has its spare taken over meanwhile?  Asks the spare, in a child, for five seconds at most. */
void cli_ask_spare(const char *dir);
/* What a box that serves nobody says of itself (role.h); false: it is one that serves. */
bool cli_tell_role(const struct cli_options *o);

struct door;
/* Opens hall and book of DIR for a command that writes; if it cannot, it says what to do. */
bool cli_enter(struct door *d, const struct cli_options *o);

/* How to serve this book, which is not served now. */
void cli_tell_start(const char *dir);
/* A line for every restaurant that cannot be booked because it has no hours, or when there is none.  Opens the book. */
void cli_tell_closed(const char *dir, const char *before);

/* A one-time link as text and as a QR code. */
void cli_show_link(const char *site, const char *email, const char *password);
/* The address by which a phone in the same network finds this machine; false when there is none. */
bool cli_find_lan(char *out, size_t size);

cli_command cli_up, cli_serve, cli_init, cli_check, cli_backup, cli_restore, cli_staff, cli_token, cli_status, cli_shell,
	cli_confirm, cli_cancel, cli_cgi, cli_import, cli_rehearse, cli_link, cli_courier, cli_cashier, cli_reconcile,
	cli_version, cli_doctor, cli_disk_test, cli_drill, cli_setup, cli_mirror, cli_takeover;

#endif
