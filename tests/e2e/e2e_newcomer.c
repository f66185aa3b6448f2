/*
 * e2e_newcomer.c - the first hour at the shell: README's own lines, slips of the keyboard, the link, the backup by cron.
 *
 * What needs a machine of its own (a user, a mounted stick, cron) runs as root in a mount namespace, where /etc is a copy,
 * and is skipped where that cannot be.
 */
#include "appliance.h"

#include "hall.h"
#include "unit.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct appliance box;
static struct ran ran;
static char text[65536];

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	setenv("JARI_USER", "root", 1);
	appliance_free(&box);
	return 0;
}

/* ---- helpers ---- */

static void make_book(void)
{
	appliance_run(&box, &ran, NULL, "init", "--demo", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
}

/* The last command ended so, with these words among what it printed. */
static void ends(int status, const char *words)
{
	if (ran.exit != status || !(strstr(ran.out, words) || strstr(ran.err, words)))
		fail_msg("exit %d, not %d with \"%s\": %s%s", ran.exit, status, words, ran.out, ran.err);
}

static int lines(const char *s)
{
	int n = 0;

	for (; (s = strchr(s, '\n')); s++)
		n++;
	return n;
}

/* Where /etc is a copy that may be changed, and mounts are private. */
static const char APART[] = "set -e; mkdir $BASE/etc; mount -t tmpfs none $BASE/etc; cp -a /etc/. $BASE/etc/;"
			    "mount --bind $BASE/etc /etc;";

/* A shell script in a mount namespace of its own; the test is skipped where there is none. */
static void run_apart(const char *script)
{
	static char all[8192];

	snprintf(all, sizeof all, "%s%s", APART, script);
	setenv("JARI", appliance_program(&box), 1);
	setenv("BASE", box.base, 1);
	setenv("DIR", box.dir, 1);
	box.program = "/usr/bin/unshare";
	appliance_run(&box, &ran, NULL, "--mount", "true", NULL);
	if (geteuid() != 0 || ran.exit != 0)
		skip();
	assert_int_equal(chmod(box.base, 0755), 0);
	appliance_run(&box, &ran, NULL, "--mount", "sh", "-c", all, NULL);
	box.program = NULL;
}

/* The two lines that README gives under "Set up your restaurant", for another folder than /somewhere. */
static void read_lines(char *init, char *up, size_t size)
{
	const char *at;

	appliance_read("README.md", text, sizeof text);
	at = strstr(text, "## Set up your restaurant");
	assert_non_null(at);
	at = strstr(at, "    jari init ");
	assert_non_null(at);
	snprintf(init, size, "%.*s", (int)strcspn(at, "#\n"), at);
	at = strstr(at, "    jari up ");
	assert_non_null(at);
	snprintf(up, size, "%.*s", (int)strcspn(at, "#\n"), at);
	appliance_replace(init, size, "/somewhere", "$BASE/somewhere");
	appliance_replace(up, size, "/somewhere", "$BASE/somewhere");
}

/* ---- tests ---- */

/* On a fresh Debian the first who types them is root, and root's they must not be. */
static void the_two_lines_of_the_readme_work_for_root(void **state)
{
	char init[200], up[200], script[4096], port[16];

	(void)state;
	read_lines(init, up, sizeof init);
	snprintf(port, sizeof port, "%d", appliance_free_port());
	setenv("PORT", port, 1);
	unsetenv("JARI_USER");
	snprintf(script, sizeof script,
		 "userdel jari 2>/dev/null || true\n"
		 "! $JARI init --dir $BASE/early 2>&1 || exit 11\n" /* no user to give it to: told, and nothing made */
		 "! test -e $BASE/early || exit 12\n"
		 "make -s B=debug install PREFIX=$BASE/usr\n"
		 "PATH=$BASE/usr/bin:$PATH\n"
		 "mkdir $BASE/full; touch $BASE/full/letter\n"
		 "! jari init --dir $BASE/full 2>&1 || exit 13\n" /* other things are not given away */
		 "test $(stat -c %%U $BASE/full/letter) = root\n"
		 "%s\n%s --port $PORT --bind 127.0.0.1 &\n"
		 "for i in $(seq 200); do curl -sf -o $BASE/health http://127.0.0.1:$PORT/healthz && break; sleep 0.05; done\n"
		 "stat -c 'owner of the book: %%U' $BASE/somewhere/jari.db $BASE/somewhere/jari.sock\n"
		 "cat $BASE/health; kill $!; wait $!\n",
		 init, up);
	run_apart(script);
	ends(0, "useradd --system jari");
	ends(0, "has other things in it and no book");
	ends(0, "owner of the book: jari\nowner of the book: jari\n");
	ends(0, "\"status\":\"ok\"");
	ends(0, "/desk/#welcome=owner@jari.local/");
	ends(0, "stopped; everything is in the book");
}

/* Copies go when they are old, and their age is that of their inode: a start must not renew it. */
static void a_start_as_root_does_not_make_old_copies_young(void **state)
{
	char path[APPLIANCE_PATH];
	struct stat before, after;

	(void)state;
	if (geteuid() != 0)
		skip();
	unsetenv("JARI_USER");
	assert_int_equal(chmod(box.base, 0711), 0);
	appliance_run(&box, &ran, NULL, "init", "--dir", box.dir, "--user", "nobody", NULL);
	assert_int_equal(ran.exit, 0);
	appliance_path(&box, "run/jari.db", path);
	assert_int_equal(stat(path, &before), 0);
	assert_int_equal(chown(path, 0, 0), 0); /* what is not theirs is given to them all the same */
	appliance_path(&box, "run/secret.key", path);
	assert_int_equal(stat(path, &before), 0);
	appliance_run(&box, &ran, NULL, "init", "--dir", box.dir, "--user", "nobody", NULL);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_ctim.tv_sec, before.st_ctim.tv_sec);
	assert_int_equal(after.st_ctim.tv_nsec, before.st_ctim.tv_nsec);
	appliance_path(&box, "run/jari.db", path);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_uid, before.st_uid);
}

/* The card has died: a new one, jari on it, and root with the stick. */
static void what_root_restores_into_a_new_folder_is_the_services(void **state)
{
	static const char script[] =
		"id -u jari >/dev/null 2>&1 || useradd --system jari\n"
		"cp $JARI $BASE/jari\n"
		"$JARI backup $BASE/stick.db --same-disk --dir $DIR; chmod 600 $BASE/stick.db\n"
		"unset JARI_USER; mkdir $BASE/empty $BASE/full; touch $BASE/full/letter\n"
		"for d in new empty; do $JARI restore $BASE/stick.db --dir $BASE/$d\n"
		"  stat -c 'owner: %U' $BASE/$d $BASE/$d/jari.db $BASE/$d/secret.key\n"
		"  setpriv --reuid jari --regid jari --clear-groups $BASE/jari check --dir $BASE/$d; done\n"
		"! $JARI restore $BASE/stick.db --dir $BASE/full 2>&1 || exit 11\n"
		"! $JARI restore $BASE/stick.db --dir $BASE/none --user nobody-of-this-name 2>&1 || exit 12\n"
		"! test -e $BASE/none || exit 13\n"
		"chown -R root $BASE/new; chmod 700 $BASE/new\n" /* as root's own would be */
		"! setpriv --reuid jari --regid jari --clear-groups $BASE/jari status --dir $BASE/new 2>&1 || exit 14\n";

	(void)state;
	make_book();
	run_apart(script);
	ends(0, "owner: jari\nowner: jari\nowner: jari\n");
	assert_null(strstr(ran.out, "owner: root"));
	ends(0, " 0 findings");
	ends(0, "full has other things in it and no book");
	ends(0, "`sudo chown -R jari /");
	assert_null(strstr(ran.out, "sudo -u root"));
}

/* As README says: the file copied, nothing changed; five seconds before its time. */
static void the_cron_file_of_the_docs_saves_the_book_every_night(void **state)
{
	static const char script[] =
		"lib=$(ls /usr/lib/*/faketime/libfaketime.so.1); test -x /usr/sbin/cron\n"
		"for d in /dev/shm /run /var/spool/cron /var/lib /usr/local/bin; do mount -t tmpfs none $d; done\n"
		"id -u jari >/dev/null 2>&1 || useradd --system jari\n"
		"cp $JARI /usr/local/bin/jari; mkdir /var/lib/jari\n"
		"chown -R jari $DIR; mount --bind $DIR /var/lib/jari\n"
		"rm -f /etc/crontab /etc/cron.d/*\n"
		"cp docs/jari.cron /etc/cron.d/jari\n"
		"LD_PRELOAD=$lib FAKETIME='@2026-01-20 04:14:57' cron -f 2>$BASE/cron.log & cron=$!\n"
		"cd /var/lib/jari; for i in $(seq 400); do test -e backup.last && break; sleep 0.05; done\n"
		"kill $cron; ls -l backups; jari check backups/jari-20*.db | tail -1\n";

	(void)state;
	make_book();
	run_apart(script);
	ends(0, " 0 findings");
}

static void a_backup_into_a_folder_has_the_day_in_its_name(void **state)
{
	char folder[APPLIANCE_PATH], pattern[APPLIANCE_PATH + 64];
	glob_t found;

	(void)state;
	make_book();
	appliance_path(&box, "stick", folder);
	assert_int_equal(mkdir(folder, 0700), 0);
	for (int i = 0; i < 2; i++) { /* twice on one day is one copy, the newer */
		appliance_run(&box, &ran, NULL, "backup", folder, "--same-disk", "--dir", box.dir, NULL);
		ends(0, "/stick/jari-20");
	}
	snprintf(pattern, sizeof pattern, "%s/jari-20[0-9][0-9]-[01][0-9]-[0-3][0-9].db", folder);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_true(found.gl_pathc == 1 || found.gl_pathc == 2); /* 2: midnight came between */
	appliance_run(&box, &ran, NULL, "check", found.gl_pathv[0], NULL);
	ends(0, " 0 findings");
	globfree(&found);
}

static void a_backup_on_the_books_own_disk_is_refused_unless_told(void **state)
{
	char copy[APPLIANCE_PATH];
	struct stat here, shm;

	(void)state;
	make_book();
	appliance_path(&box, "copy.db", copy);
	appliance_run(&box, &ran, NULL, "backup", copy, "--dir", box.dir, NULL);
	ends(1, "on the same disk as the book");
	appliance_run(&box, &ran, NULL, "backup", box.dir, "--dir", box.dir, NULL);
	ends(1, "on the same disk as the book");
	assert_int_not_equal(access(copy, F_OK), 0);
	appliance_run(&box, &ran, NULL, "backup", copy, "--same-disk", "--dir", box.dir, NULL);
	ends(0, "saved ");
	assert_int_equal(stat(box.dir, &here), 0);
	assert_int_equal(stat("/dev/shm", &shm), 0);
	snprintf(copy, sizeof copy, "/dev/shm/jari-e2e-%d.db", (int)getpid());
	if (here.st_dev == shm.st_dev)
		skip();
	appliance_run(&box, &ran, NULL, "backup", copy, "--dir", box.dir, NULL);
	unlink(copy);
	ends(0, "saved ");
}

/* It would look as if every reservation were gone. */
static void up_makes_no_book_unless_told(void **state)
{
	(void)state;
	appliance_run(&box, &ran, NULL, "up", "--dir", box.dir, "--port", "18999", "--bind", "127.0.0.1", NULL);
	ends(1, "there is no book in ");
	ends(1, "`jari up --demo`");
	ends(1, "--dir DIR");
	assert_int_not_equal(access(box.dir, F_OK), 0);
}

static void a_slip_is_told_in_two_lines_with_the_command_that_was_meant(void **state)
{
	static const struct {
		const char *typed, *meant;
	} slips[] = {{"upp", "up"}, {"chekc", "check"}, {"restor", "restore"}, {"stats", "status"}, {"bakcup", "backup"}};
	char words[64];

	(void)state;
	for (size_t i = 0; i < COUNT(slips); i++) {
		appliance_run(&box, &ran, NULL, slips[i].typed, NULL);
		snprintf(words, sizeof words, "there is no command %s; did you mean %s?\n", slips[i].typed, slips[i].meant);
		ends(2, words);
		assert_int_equal(lines(ran.err), 2);
	}
	appliance_run(&box, &ran, NULL, "reservations", NULL);
	ends(2, "there is no command reservations\n");
	assert_null(strstr(ran.err, "did you mean"));
	appliance_run(&box, &ran, NULL, "up", "extra", NULL);
	ends(2, "up knows nothing to do with \"extra\"");
	appliance_run(&box, &ran, NULL, "cancel", "R1", "ill", "today", NULL);
	ends(2, "cancel knows nothing to do with \"today\"");
}

static void a_wrong_option_or_a_missing_name_is_told(void **state)
{
	(void)state;
	appliance_run(&box, &ran, NULL, "up", "--prot", "8080", NULL);
	ends(2, "jari: there is no option --prot; did you mean --port?\n");
	appliance_run(&box, &ran, NULL, "up", "--port", NULL);
	ends(2, "jari: --port takes a value\n");
	appliance_run(&box, &ran, NULL, "staff", "ls", NULL);
	ends(2, "jari: staff can add, passwd or list, not ls\n");
	appliance_run(&box, &ran, NULL, "staff", "add", "kim@example.com", NULL);
	ends(2, "jari: staff add takes an e-mail and a name");
	appliance_run(&box, &ran, NULL, "link", "--help", NULL);
	ends(0, "open logins of EMAIL end at once");
}

static void a_backup_to_a_place_that_is_not_there_names_the_place(void **state)
{
	static const char script[] =
		"mkdir -m 1777 $BASE/drop; touch $BASE/drop/b.db; chown -R 65534 $DIR; cp $JARI $BASE/jari\n"
		"! setpriv --reuid 65534 --regid 65534 --clear-groups $BASE/jari backup $BASE/drop/b.db"
		" --force --same-disk --dir $DIR 2>&1 || exit 11\n";
	char folder[APPLIANCE_PATH];

	(void)state;
	make_book();
	appliance_path(&box, "usb/", folder);
	appliance_run(&box, &ran, NULL, "backup", folder, "--dir", box.dir, NULL);
	ends(1, "/usb (No such file or directory); no backup was made.  Is the stick mounted?");
	run_apart(script);
	ends(0, "drop/b.db belongs to root and cannot be replaced");
}

static void what_is_left_to_do_is_told_where_one_can_do_it(void **state)
{
	char command[400];

	(void)state;
	appliance_run(&box, &ran, NULL, "init", "--name", "Sonnen", "--dir", box.dir, NULL);
	ends(0, "Settings, Opening hours, at the desk");
	appliance_run(&box, &ran, NULL, "status", "--dir", box.dir, NULL);
	ends(1, "\ntoday        0 parties");
	ends(1, "start it with `jari up --dir ");
	snprintf(command, sizeof command, "echo .quit | script -qec '%s shell --dir %s' /dev/null", appliance_program(&box),
		 box.dir);
	box.program = "/bin/sh";
	appliance_run(&box, &ran, NULL, "-c", command, NULL);
	box.program = NULL;
	ends(0, "jari shell --write changes it");
}

static void help_says_what_is_so_unless_one_says_otherwise(void **state)
{
	(void)state;
	appliance_run(&box, &ran, NULL, "up", "--help", NULL);
	ends(0, "port 8080");
	ends(0, "32 workers");
	ends(0, "each start prints a new one-time link");
	appliance_run(&box, &ran, NULL, "check", "--help", NULL);
	ends(0, "all money is");
	assert_null(strstr(ran.out, "won"));
	appliance_run(&box, &ran, NULL, "version", NULL);
	ends(0, ", for books of version ");
	assert_null(strstr(ran.out, "the book in")); /* there is none yet */
	make_book();
	appliance_run(&box, &ran, NULL, "version", "--dir", box.dir, NULL);
	ends(0, " has version ");
}

static void a_link_leads_to_the_address_that_guests_know(void **state)
{
	char words[80];

	(void)state;
	make_book();
	appliance_run(&box, &ran, NULL, "link", "owner@jari.local", "--dir", box.dir, NULL);
	ends(1, "start jari first");
	appliance_run(&box, &ran, NULL, "link", "owner@jari.local", "--url", "book.example.com", "--dir", box.dir, NULL);
	ends(1, "--url takes an address like");
	appliance_run(&box, &ran, NULL, "link", "owner@jari.local", "--url", "https://cgi.example/", "--dir", box.dir, NULL);
	ends(0, " https://cgi.example/desk/#welcome=owner@jari.local/");
	appliance_up(&box, 2);
	appliance_run(&box, &ran, NULL, "link", "owner@jari.local", "--dir", box.dir, NULL);
	snprintf(words, sizeof words, " http://127.0.0.1:%d/desk/#welcome=", box.port);
	ends(0, words);
	appliance_sql(&box, "INSERT INTO mail_server (one, way, site, updated_at) VALUES (1, 'OFF', 'https://book.example.com',"
			    " '2026-01-20T00:00:00Z')");
	appliance_run(&box, &ran, NULL, "link", "owner@jari.local", "--dir", box.dir, NULL);
	ends(0, " https://book.example.com/desk/#welcome=owner@jari.local/");
	appliance_run(&box, &ran, NULL, "link", "owner@jari.local", "--url", "http://10.0.0.7:8080", "--dir", box.dir, NULL);
	ends(0, " http://10.0.0.7:8080/desk/#welcome=owner@jari.local/");
	appliance_down(&box);
}

/* In colours of its own on a terminal, which may be light; without any in a file. */
static void a_qr_code_is_black_on_white_on_every_terminal(void **state)
{
	static const char colours[] = "\033[38;5;16;48;5;231m";
	char command[400];

	(void)state;
	make_book();
	snprintf(command, sizeof command, "%s link owner@jari.local --url http://10.0.0.7 --dir %s", appliance_program(&box),
		 box.dir);
	appliance_run(&box, &ran, NULL, "link", "owner@jari.local", "--url", "http://10.0.0.7", "--dir", box.dir, NULL);
	ends(0, "\u2588");
	assert_null(strstr(ran.out, "\033["));
	box.program = "/usr/bin/script";
	appliance_run(&box, &ran, NULL, "-qec", command, "/dev/null", NULL);
	box.program = NULL;
	ends(0, colours);
	ends(0, "\033[0m");
}

static bool status_has(const char *words)
{
	appliance_run(&box, &ran, NULL, "status", "--dir", box.dir, NULL);
	return strstr(ran.out, words) != NULL;
}

static void status_is_short_unless_all_is_asked(void **state)
{
	static struct hall hall;
	char path[APPLIANCE_PATH], holder[48];

	(void)state;
	appliance_up(&box, 2);
	appliance_run(&box, &ran, NULL, "status", "--dir", box.dir, NULL);
	ends(0, "\ntoday ");
	ends(0, "\nlast backup ");
	ends(0, "\ncourier ");
	assert_null(strstr(ran.out, "\npen "));
	assert_true(lines(ran.out) <= 16);
	appliance_run(&box, &ran, NULL, "status", "--all", "--dir", box.dir, NULL);
	ends(0, "\npen ");
	assert_true(lines(ran.out) > 25);
	/* Unless a process holds the pen for too long. */
	assert_int_equal(hall_attach(&hall, box.dir), ERR_OK);
	assert_int_equal(hall_take_pen(&hall, 1000), ERR_OK);
	snprintf(holder, sizeof holder, "\npen          held by %d for ", (int)getpid());
	WITHIN(10000, status_has(holder));
	hall_pass_pen(&hall);
	hall_detach(&hall);
	appliance_down(&box);
	appliance_path(&box, "up.log", path);
	assert_non_null(strstr(appliance_read(path, text, sizeof text), "stopped; everything is in the book"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_two_lines_of_the_readme_work_for_root, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_start_as_root_does_not_make_old_copies_young, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_root_restores_into_a_new_folder_is_the_services, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_cron_file_of_the_docs_saves_the_book_every_night, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_backup_into_a_folder_has_the_day_in_its_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_backup_on_the_books_own_disk_is_refused_unless_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(up_makes_no_book_unless_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_slip_is_told_in_two_lines_with_the_command_that_was_meant, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_wrong_option_or_a_missing_name_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_backup_to_a_place_that_is_not_there_names_the_place, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_left_to_do_is_told_where_one_can_do_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(help_says_what_is_so_unless_one_says_otherwise, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_link_leads_to_the_address_that_guests_know, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_qr_code_is_black_on_white_on_every_terminal, set_up, tear_down),
		cmocka_unit_test_setup_teardown(status_is_short_unless_all_is_asked, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
