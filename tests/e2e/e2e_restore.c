/*
 * e2e_restore.c - a box that can be restored: by root and by the owner, from media that cannot be written, into a full disk.
 */
#include "appliance.h"
#include "guests.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static struct appliance box;
static struct ran ran;
static char backup[APPLIANCE_PATH], media[APPLIANCE_PATH];

static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_path(&box, "backup.jari", backup);
	appliance_path(&box, "media", media);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	umount2(media, MNT_DETACH);
	umount2(box.dir, MNT_DETACH);
	setenv("JARI_USER", "root", 1);
	if (box.pid > 1)
		appliance_down(&box);
	appliance_free(&box);
	return 0;
}

/* ---- helpers ---- */

static void jari(const char *command, const char *file)
{
	/* Everything of a test is on one disk. */
	appliance_run(&box, &ran, NULL, command, file, "--dir", box.dir, strcmp(command, "backup") == 0 ? "--same-disk" : NULL,
		      NULL);
}

static void works(const char *command, const char *file)
{
	jari(command, file);
	if (ran.exit != 0)
		fail_msg("%s %s: exit %d: %s", command, file, ran.exit, ran.err);
}

static void fails(const char *command, const char *file, const char *words)
{
	jari(command, file);
	if (ran.exit != 1 || !strstr(ran.err, words))
		fail_msg("%s %s: exit %d, not \"%s\": %s", command, file, ran.exit, words, ran.err);
}

static void make_book(void)
{
	appliance_run(&box, &ran, NULL, "init", "--demo", "--dir", box.dir, NULL);
	assert_int_equal(ran.exit, 0);
}

static int64_t users(void)
{
	return appliance_number(&box, "SELECT count(*) FROM users");
}

static void add_user(const char *name)
{
	appliance_sql(&box, "INSERT INTO users (user_type, name) VALUES ('GUEST', '%s')", name);
}

static int files_like(const char *shape)
{
	char pattern[APPLIANCE_PATH + 64];
	glob_t g;
	int n;

	snprintf(pattern, sizeof pattern, "%s/%s", box.dir, shape);
	n = glob(pattern, 0, NULL, &g) == 0 ? (int)g.gl_pathc : 0;
	globfree(&g);
	return n;
}

/* Mounts stay in a namespace of this process, and end with it. */
static void need_mounts(void)
{
	static int allowed = -1;

	if (allowed < 0)
		allowed = unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
	if (!allowed)
		skip();
}

/* What is in the folder can be read there, and no process can write it. */
static void show_read_only(const char *folder)
{
	mkdir(media, 0755);
	assert_int_equal(mount(folder, media, NULL, MS_BIND, NULL), 0);
	assert_int_equal(mount(NULL, media, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL), 0);
}

/* Everything in the folder that lasts belongs to nobody; root has left nothing of its own. */
static void belongs_to_nobody(void)
{
	static const char *const shapes[] = {"jari.db*", "secret.key*", "hall.id", "backup.last", "tickets.next"};
	char pattern[APPLIANCE_PATH + 64];
	struct stat st;
	glob_t g;

	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		snprintf(pattern, sizeof pattern, "%s/%s", box.dir, shapes[i]);
		if (glob(pattern, 0, NULL, &g) == 0)
			for (size_t k = 0; k < g.gl_pathc; k++) {
				assert_int_equal(stat(g.gl_pathv[k], &st), 0);
				if (st.st_uid != NOBODY || st.st_gid != NOBODY)
					fail_msg("%s belongs to %d:%d", g.gl_pathv[k], (int)st.st_uid, (int)st.st_gid);
			}
		globfree(&g);
	}
}

/* The documented installation: root at the keyboard, a folder of the user who serves. */
static void install_for_nobody(void)
{
	if (geteuid() != 0 || access("/usr/bin/setpriv", X_OK) != 0)
		skip();
	unsetenv("JARI_USER");
	assert_int_equal(chmod(box.base, 0755), 0);
	assert_int_equal(mkdir(box.dir, 0700), 0);
	assert_int_equal(chown(box.dir, NOBODY, NOBODY), 0);
	appliance_install(&box);
}

/* From here on the program runs as nobody. */
static void run_as_nobody(void)
{
	static char program[APPLIANCE_PATH];
	char text[APPLIANCE_PATH + 256];

	appliance_path(&box, "as-nobody", program);
	snprintf(text, sizeof text, "#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups '%s' \"$@\"\n",
		 box.installed);
	appliance_write(program, text);
	assert_int_equal(chmod(program, 0755), 0);
	box.program = program;
}

/* ---- root, and the owner ---- */

static void root_restores_for_the_user_who_serves(void **state)
{
	struct guests_booked lost;
	const struct http_answer *link;
	int64_t saved;

	(void)state;
	install_for_nobody();
	appliance_up(&box, 2);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	saved = users();
	works("backup", backup);
	belongs_to_nobody();
	lost = guests_book(box.port);
	works("restore", backup); /* while it is served */
	assert_non_null(strstr(ran.out, "jari goes on with it"));
	belongs_to_nobody();
	WITHIN(10000, http_ask(box.port, guests_newcomer())->status == 201);
	assert_int_equal(users(), saved + 1);
	/* Whose reservation was made after the backup: their link opens no other guest's, and says what to do. */
	link = guests_open(box.port, &lost);
	assert_int_equal(link->status, 404);
	assert_non_null(strstr(link->body, "LOST_RESERVATION"));
	/* And while it is not: the next start is nobody's again. */
	appliance_down(&box);
	works("restore", backup);
	belongs_to_nobody();
	appliance_up(&box, 2);
	WITHIN(10000, http_ask(box.port, guests_newcomer())->status == 201);
	assert_int_equal(users(), saved + 1);
	appliance_check(&box);
}

/* A new box: an empty folder of the user who will serve, and root with the stick. */
static void root_restores_into_an_empty_folder_for_its_owner(void **state)
{
	(void)state;
	install_for_nobody();
	appliance_up(&box, 2);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
	works("backup", backup);
	appliance_down(&box);
	snprintf(box.dir, sizeof box.dir, "%s/new", box.base);
	assert_int_equal(mkdir(box.dir, 0700), 0);
	assert_int_equal(chown(box.dir, NOBODY, NOBODY), 0);
	works("restore", backup);
	belongs_to_nobody();
	appliance_up(&box, 2);
	assert_int_equal(http_ask(box.port, guests_newcomer())->status, 201);
}

static void the_owner_restores_a_file_of_root_that_is_only_readable(void **state)
{
	int64_t saved;

	(void)state;
	install_for_nobody();
	run_as_nobody();
	make_book();
	add_user("kim");
	saved = users();
	box.program = box.installed;
	works("backup", backup); /* as root */
	assert_int_equal(chmod(backup, 0444), 0);
	add_user("lee");
	run_as_nobody();
	works("restore", backup);
	assert_int_equal(users(), saved);
	belongs_to_nobody();
}

/* Who made the last backup does not matter to the next. */
static void a_backup_by_root_does_not_hide_a_later_one_by_the_owner(void **state)
{
	char path[APPLIANCE_PATH], folder[APPLIANCE_PATH], text[64];
	struct stat st;

	(void)state;
	install_for_nobody();
	run_as_nobody();
	make_book();
	box.program = box.installed;
	works("backup", backup); /* as root */
	appliance_path(&box, "run/backup.last", path);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_uid, NOBODY);
	appliance_write(path, "2026-01-20T02:00:00Z");
	assert_int_equal(chown(path, 0, 0) | chmod(path, 0600), 0); /* as an earlier jari left it */
	appliance_path(&box, "usb", folder);
	assert_int_equal(mkdir(folder, 0777) | chmod(folder, 0777), 0);
	snprintf(folder + strlen(folder), sizeof folder - strlen(folder), "/mine.jari");
	run_as_nobody();
	works("backup", folder);
	assert_int_equal(ran.err[0], '\0');
	appliance_read(path, text, sizeof text);
	assert_string_not_equal(text, "2026-01-20T02:00:00Z");
	appliance_run(&box, &ran, NULL, "status", "--dir", box.dir, NULL);
	assert_null(strstr(ran.out, "none yet"));
}

/* ---- media that cannot be written ---- */

static void a_backup_on_a_read_only_stick_is_restored(void **state)
{
	char folder[APPLIANCE_PATH], stick[APPLIANCE_PATH];
	int64_t saved;

	(void)state;
	need_mounts();
	make_book();
	add_user("kim");
	saved = users();
	appliance_path(&box, "usb", folder);
	assert_int_equal(mkdir(folder, 0755), 0);
	appliance_path(&box, "usb/jari.backup", stick);
	works("backup", stick);
	add_user("lee");
	show_read_only(folder);
	appliance_path(&box, "media/jari.backup", stick);
	works("restore", stick);
	assert_int_equal(users(), saved);
	appliance_check(&box);
}

/*
 * A card that turned read-only, with commits that are in the log only: what can be saved is saved, whether the index of the
 * log is there or not.
 */
static void a_card_that_turned_read_only_is_rescued(void **state)
{
	char dir[sizeof box.dir], card[APPLIANCE_PATH], path[APPLIANCE_PATH];
	int64_t saved;
	struct stat st;

	(void)state;
	need_mounts();
	make_book();
	add_user("kim");
	saved = users();
	memcpy(dir, box.dir, sizeof dir);
	for (int without_index = 0; without_index < 2; without_index++) {
		appliance_path(&box, "run/jari.db-wal", path);
		assert_true(stat(path, &st) == 0 && st.st_size > 0); /* or this tests nothing */
		appliance_path(&box, "run/jari.db-shm", path);
		if (without_index)
			unlink(path);
		show_read_only(dir);
		snprintf(box.dir, sizeof box.dir, "%s/media", box.base);
		appliance_path(&box, "rescued.jari", card);
		appliance_run(&box, &ran, NULL, "backup", "--force", "--same-disk", card, "--dir", box.dir, NULL);
		if (ran.exit != 0)
			fail_msg("exit %d: %s", ran.exit, ran.err);
		/* Without a backup, the book itself is good enough. */
		snprintf(box.dir, sizeof box.dir, "%s/new%s", box.base, without_index ? "er" : "");
		appliance_path(&box, "media/jari.db", path);
		works("restore", path);
		assert_int_equal(users(), saved);
		assert_non_null(strstr(ran.out, "links and QR codes that were sent work again"));
		works("restore", card);
		assert_int_equal(users(), saved);
		appliance_check(&box);
		assert_int_equal(umount2(media, MNT_DETACH), 0);
		memcpy(box.dir, dir, sizeof dir);
	}
}

/* ---- what cannot be restored ---- */

static void what_is_no_backup_is_refused_in_a_sentence_and_nothing_changes(void **state)
{
	char file[APPLIANCE_PATH], *bytes;
	int64_t before;
	FILE *f;
	long n;

	(void)state;
	make_book();
	works("backup", backup);
	add_user("kim");
	before = users();
	fails("restore", box.base, "is not a file");
	appliance_path(&box, "nothing", file);
	fails("restore", file, "No such file");
	appliance_write(file, "a letter of some length, which nobody would take for a database, however long one looks at it");
	fails("restore", file, "no backup of jari, or it is damaged");
	f = fopen(backup, "r");
	assert_non_null(f);
	bytes = calloc(1, 1 << 20);
	n = (long)fread(bytes, 1, 1 << 20, f);
	fclose(f);
	f = fopen(file, "w");
	assert_int_equal(fwrite(bytes, 1, (size_t)n / 2, f), n / 2);
	fclose(f);
	free(bytes);
	fails("restore", file, "no backup of jari, or it is damaged");
	appliance_run(&box, &ran, NULL, "restore", "--help", NULL);
	assert_null(strstr(ran.out, "Stop jari first"));
	assert_int_equal(users(), before);
	assert_int_equal(files_like("*.before-restore-*") + files_like("*.restored*") + files_like("restore.*"), 0);
}

static void a_backup_with_a_foreign_trigger_is_refused_by_its_name(void **state)
{
	sqlite3 *h;

	(void)state;
	make_book();
	works("backup", backup);
	assert_int_equal(sqlite3_open(backup, &h), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(h, "CREATE TRIGGER evil AFTER INSERT ON users BEGIN DELETE FROM audit; END", NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(h);
	fails("restore", backup, "trigger evil is not one of jari's");
	assert_non_null(strstr(ran.err, "sqlite3 COPY 'DROP trigger evil'"));
	assert_int_equal(sqlite3_open(backup, &h), SQLITE_OK);
	assert_int_equal(sqlite3_exec(h, "DROP trigger evil", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(h);
	works("restore", backup);
}

/* One sentence, and no folder that looks as if something had come back. */
static void a_refused_restore_leaves_no_folder_and_no_line_of_the_log(void **state)
{
	char file[APPLIANCE_PATH];

	(void)state;
	appliance_path(&box, "letter", file);
	appliance_write(file, "a letter of some length, which nobody would take for a database, however long one looks at it");
	fails("restore", file, "nothing was changed");
	assert_int_equal(strncmp(ran.err, "jari: ", 6), 0);
	assert_ptr_equal(strchr(ran.err, '\n'), ran.err + strlen(ran.err) - 1);
	assert_int_not_equal(access(box.dir, F_OK), 0);
}

/* A book beside the service's would never be served. */
static void restore_asks_where_to_unless_there_is_a_book_here(void **state)
{
	char program[PATH_MAX], here[PATH_MAX], full[PATH_MAX], words[PATH_MAX + 64];

	(void)state;
	make_book();
	works("backup", backup);
	assert_non_null(realpath(appliance_program(&box), program));
	assert_non_null(realpath(box.dir, full));
	assert_non_null(getcwd(here, sizeof here));
	box.program = program;
	assert_int_equal(chdir(box.dir), 0); /* there is no ./run in it */
	appliance_run(&box, &ran, NULL, "restore", backup, NULL);
	assert_int_equal(access("run", F_OK), -1);
	assert_int_equal(ran.exit, 1);
	assert_non_null(strstr(ran.err, "--dir DIR"));
	assert_int_equal(chdir(box.base), 0);
	appliance_run(&box, &ran, NULL, "restore", backup, NULL);
	assert_int_equal(chdir(here), 0);
	assert_int_equal(ran.exit, 0);
	snprintf(words, sizeof words, "restored %s/jari.db from ", full);
	assert_non_null(strstr(ran.out, words));
	snprintf(words, sizeof words, "`jari up --dir %s`", full);
	assert_non_null(strstr(ran.out, words));
}

static void a_full_disk_is_told_and_nothing_changes(void **state)
{
	static const char block[4096];
	char ballast[APPLIANCE_PATH];
	int64_t before;
	int fd;

	(void)state;
	need_mounts();
	assert_int_equal(mkdir(box.dir, 0700), 0);
	if (mount("jari-e2e", box.dir, "tmpfs", 0, "size=3m") != 0)
		skip();
	make_book();
	works("backup", backup);
	add_user("kim");
	before = users();
	appliance_path(&box, "run/ballast", ballast);
	fd = open(ballast, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	while (write(fd, block, sizeof block) > 0)
		;
	close(fd);
	fails("restore", backup, "disk full");
	assert_int_equal(users(), before);
	assert_int_equal(files_like("*.before-restore-*") + files_like("*.restored*") + files_like("restore.*"), 0);
	assert_int_equal(unlink(ballast), 0);
	works("restore", backup);
	assert_int_equal(users(), before - 1);
}

/* ---- the folder ---- */

static void a_folder_behind_a_link_is_restored_where_it_is(void **state)
{
	char real[APPLIANCE_PATH];
	int64_t saved;

	(void)state;
	appliance_path(&box, "disk", real);
	assert_int_equal(mkdir(real, 0700), 0);
	assert_int_equal(symlink(real, box.dir), 0);
	make_book();
	saved = users();
	works("backup", backup);
	add_user("kim");
	works("restore", backup);
	assert_int_equal(users(), saved);
	appliance_path(&box, "disk/jari.db", real);
	assert_int_equal(access(real, F_OK), 0);
	assert_int_equal(files_like("jari.db.before-restore-*Z"), 1);
}

/* The old book is not copied while guests wait: it is the same file under another name. */
static void the_book_before_is_the_same_file_under_another_name(void **state)
{
	char path[APPLIANCE_PATH], pattern[APPLIANCE_PATH + 64];
	struct stat before, after;
	glob_t g;

	(void)state;
	make_book();
	works("backup", backup);
	appliance_path(&box, "run/jari.db", path);
	assert_int_equal(stat(path, &before), 0);
	works("restore", backup);
	snprintf(pattern, sizeof pattern, "%s/jari.db.before-restore-*Z", box.dir);
	assert_int_equal(glob(pattern, 0, NULL, &g), 0);
	assert_int_equal(stat(g.gl_pathv[0], &after), 0);
	assert_true(before.st_ino == after.st_ino && after.st_nlink == 1);
	globfree(&g);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(root_restores_for_the_user_who_serves),
		TEST(root_restores_into_an_empty_folder_for_its_owner),
		TEST(the_owner_restores_a_file_of_root_that_is_only_readable),
		TEST(a_backup_by_root_does_not_hide_a_later_one_by_the_owner),
		TEST(a_backup_on_a_read_only_stick_is_restored),
		TEST(a_card_that_turned_read_only_is_rescued),
		TEST(what_is_no_backup_is_refused_in_a_sentence_and_nothing_changes),
		TEST(a_backup_with_a_foreign_trigger_is_refused_by_its_name),
		TEST(a_refused_restore_leaves_no_folder_and_no_line_of_the_log),
		TEST(restore_asks_where_to_unless_there_is_a_book_here),
		TEST(a_full_disk_is_told_and_nothing_changes),
		TEST(a_folder_behind_a_link_is_restored_where_it_is),
		TEST(the_book_before_is_the_same_file_under_another_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
