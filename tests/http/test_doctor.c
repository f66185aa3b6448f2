/*
 * test_doctor.c - the doctor says what is wrong with the box, and says nothing of it when it is well.
 */
#include "doctor.h"

#include "book.h"
#include "certificate.h"
#include "clock.h"
#include "disktest.h"
#include "eyes.h"
#include "facts.h"
#include "supervise.h"
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DAY_S = 86400, PATH = 4500 };

/* A certificate that ends on 2031-05-06 07:08:09 UTC; its key is thrown away. */
static const char PEM[] = "words before it\n-----BEGIN CERTIFICATE-----\n"
			  "MIIBFDCBvAIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxib29rLmV4YW1wbGUw\n"
			  "HhcNMjYwMTAxMDAwMDAwWhcNMzEwNTA2MDcwODA5WjAXMRUwEwYDVQQDDAxib29r\n"
			  "LmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ90PQHNm5f7uY3OLBh\n"
			  "F3hhP0YWlbHfbqNwGTf7kd0gnsDUCt00LVnVUSbjOTSyxI1lucAq5ivWbiIKv5cf\n"
			  "7krRMAoGCCqGSM49BAMCA0cAMEQCID/hzSfoMccpx1cqzFo3KsxnB1mJg8JN30aF\n"
			  "7VBwxnXuAiAgeNSXWL6C4v4dgveT4SMGDY3X6OhezD/0ofrXv3XjyA==\n"
			  "-----END CERTIFICATE-----\n";
static const char PEM_END[] = "2031-05-06T07:08:09Z";

static char folder[64];

static int set_up(void **state)
{
	(void)state;
	book_make_dir(folder);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	book_remove_dir(folder);
	return 0;
}

static void put(const char *name, const char *text, mode_t mode)
{
	char path[PATH];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	book_write_file(path, text, strlen(text));
	assert_int_equal(chmod(path, mode), 0);
}

static struct {
	bool said[DOCTOR_CODES];
	char text[16 * DOCTOR_TEXT];
} heard;

static void hear(void *arg, const struct doctor_finding *f)
{
	(void)arg;
	heard.said[f->code] = true;
	assert_null(strstr(f->text, "{a}"));
	assert_null(strstr(f->text, "{b}"));
	snprintf(heard.text + strlen(heard.text), sizeof heard.text - strlen(heard.text), "%s\n", f->text);
}

/* Without a book: what is told of the folder alone. */
static void examine(int64_t now_s)
{
	memset(&heard, 0, sizeof heard);
	doctor_examine(
		&(struct doctor_case){.dir = folder, .etc = folder, .why = ERR_BOOK_GONE, .lang = LANG_EN, .now_s = now_s},
		hear, NULL);
}

static void a_backup_of_yesterday_is_well_and_one_that_was_missed_is_not(void **state)
{
	int64_t now = clock_now_s();

	(void)state;
	put("secret.key", "k", 0600);
	examine(now);
	assert_true(heard.said[DOCTOR_BACKUP_NEW]);
	examine(now + 2 * DAY_S);
	assert_true(heard.said[DOCTOR_BACKUP_NONE]);
	assert_true(facts_put(folder, FACT_BACKUP, now, ""));
	examine(now + 26 * 3600);
	assert_true(heard.said[DOCTOR_BACKUP_WELL]);
	examine(now + 26 * 3600 + 1);
	assert_true(heard.said[DOCTOR_BACKUP_OLD]);
}

static void a_failure_counts_until_the_next_success(void **state)
{
	int64_t now = clock_now_s();

	(void)state;
	facts_put(folder, FACT_AWAY, now, "");
	facts_put(folder, FACT_AWAY_BAD, now + 60, "the stick is gone");
	examine(now + 120);
	assert_true(heard.said[DOCTOR_AWAY_FAILED]);
	assert_non_null(strstr(heard.text, "the stick is gone"));
	facts_put(folder, FACT_AWAY, now + 90, "");
	examine(now + 120);
	assert_true(heard.said[DOCTOR_AWAY_WELL]);
	assert_false(heard.said[DOCTOR_AWAY_FAILED]);
}

/* A house with one box hears nothing of a second; three minutes without a copy are too long. */
static void how_old_the_spares_copy_is_is_told(void **state)
{
	int64_t now = clock_now_s();

	(void)state;
	examine(now);
	assert_false(heard.said[DOCTOR_SPARE_WELL] || heard.said[DOCTOR_SPARE_OLD] || heard.said[DOCTOR_SPARE_FAILED]);
	facts_put(folder, FACT_MIRROR, now, "jari@spare");
	examine(now + 4);
	assert_non_null(strstr(heard.text, "has everything up to 4 s ago"));
	facts_put(folder, FACT_MIRROR_BAD, now + 60, "Connection refused");
	examine(now + 180);
	assert_true(heard.said[DOCTOR_SPARE_WELL]);
	examine(now + 181);
	assert_true(heard.said[DOCTOR_SPARE_FAILED]);
	assert_non_null(strstr(heard.text, "Connection refused"));
	facts_forget(folder, FACT_MIRROR_BAD);
	examine(now + 181);
	assert_true(heard.said[DOCTOR_SPARE_OLD]);
}

static void a_key_that_everybody_may_read_is_told(void **state)
{
	(void)state;
	chmod(folder, 0700);
	put("secret.key", "k", 0600);
	examine(clock_now_s());
	assert_true(heard.said[DOCTOR_FILES_WELL]);
	put("secret.key", "k", 0644);
	examine(clock_now_s());
	assert_true(heard.said[DOCTOR_FILES_WELL]); /* the folder is shut */
	chmod(folder, 0711);
	examine(clock_now_s());
	assert_true(heard.said[DOCTOR_FILES_OPEN]);
}

/* ---- the door ---- */

static void make_site(const char *listen, const char *more)
{
	char text[8192], path[PATH];

	snprintf(path, sizeof path, "%s/nginx", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/nginx/sites-enabled", folder);
	mkdir(path, 0700);
	snprintf(text, sizeof text, "server {\n\tlisten %s;\n%s\n\tfastcgi_pass jari_workers;\n}\n", listen, more);
	put("nginx/sites-enabled/jari", text, 0644);
}

static void nginx_and_its_certificate_are_looked_at(void **state)
{
	char more[PATH + 40];
	struct eyes e;
	int64_t end;

	(void)state;
	eyes_look(folder, folder, &e);
	assert_int_equal(e.connections, EYES_UNKNOWN); /* there is no site of jari's */
	assert_int_equal(e.certificate_s, EYES_UNKNOWN);
	make_site("80", "");
	put("nginx/nginx.conf", "events {\n\tworker_connections 768;\n}\n", 0644);
	eyes_look(folder, folder, &e);
	assert_int_equal(e.connections, 768);
	assert_int_equal(e.certificate_s, 0);
	put("cert.pem", PEM, 0600);
	snprintf(more, sizeof more, "\tssl_certificate     %s/cert.pem;", folder);
	make_site("443 ssl", more);
	put("nginx/nginx.conf", "events { worker_connections 10240; }\n", 0644);
	eyes_look(folder, folder, &e);
	assert_int_equal(e.connections, 10240);
	assert_true(clock_parse_iso(PEM_END, &end));
	assert_int_equal(e.certificate_s, end);
	eyes_note(folder, end - 30 * DAY_S, &e);
	examine(end - 30 * DAY_S);
	assert_true(heard.said[DOCTOR_TLS_WELL] && heard.said[DOCTOR_NGINX_WELL]);
	eyes_note(folder, end - 10 * DAY_S, &e);
	examine(end - 10 * DAY_S);
	assert_true(heard.said[DOCTOR_TLS_SOON]);
	eyes_note(folder, end + DAY_S, &e);
	examine(end + DAY_S);
	assert_true(heard.said[DOCTOR_TLS_OVER]);
	examine(end + 30 * DAY_S); /* what was seen a month ago says nothing */
	assert_false(heard.said[DOCTOR_TLS_OVER] || heard.said[DOCTOR_TLS_WELL]);
}

static void what_may_not_be_read_stays_as_root_saw_it(void **state)
{
	struct eyes e = {.certificate_s = 2000000000, .connections = 10240, .flush_us = 800}, blind;

	(void)state;
	eyes_note(folder, 1900000000, &e);
	blind = e;
	blind.certificate_s = EYES_UNKNOWN;
	eyes_note(folder, 1900000100, &blind);
	assert_true(eyes_noted(folder, 1900000200, &e));
	assert_int_equal(e.certificate_s, 2000000000);
}

static void no_file_is_taken_for_a_certificate(void **state)
{
	char path[PATH], text[sizeof PEM + 40];
	int64_t end;

	(void)state;
	snprintf(path, sizeof path, "%s/cert.pem", folder);
	assert_false(certificate_end(path, &end));
	for (size_t n = 0; n < sizeof PEM - 1; n += 7) { /* cut off anywhere, it is none, or says the same */
		snprintf(text, sizeof text, "%.*s-----END CERTIFICATE-----\n", (int)n, PEM);
		put("cert.pem", text, 0600);
		if (certificate_end(path, &end))
			assert_int_equal(end, 1935817689);
	}
}

/* ---- disks that lie ---- */

static void lose(uint64_t page)
{
	char path[DISKTEST_PATH];
	int fd;

	disktest_path(folder, path);
	fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, "torn", 4, (off_t)((page - 1) % DISKTEST_RING) * DISKTEST_PAGE + 2000), 4);
	close(fd);
}

static void write_pages(struct disktest *t, int n)
{
	for (int i = 0; i < n; i++)
		assert_true(disktest_write(t));
}

static void a_page_that_was_told_and_is_lost_is_found(void **state)
{
	struct disktest t;
	struct disktest_found f;

	(void)state;
	assert_false(disktest_look(folder, 0, &f));
	assert_true(disktest_begin(&t, folder));
	write_pages(&t, 100);
	assert_true(disktest_look(folder, 100, &f));
	assert_true(f.newest == 100 && f.missing == 0);
	assert_true(disktest_look(folder, 101, &f)); /* told, and not there */
	assert_true(f.missing == 1 && f.lost == 101);
	lose(40);
	assert_true(disktest_look(folder, 100, &f));
	assert_true(f.missing == 1 && f.lost == 40);
	assert_true(disktest_look(folder, 39, &f));
	assert_int_equal(f.missing, 0);
	disktest_end(&t);
}

static void a_page_torn_by_the_plug_itself_is_no_lie(void **state)
{
	struct disktest t;
	struct disktest_found f;

	(void)state;
	assert_true(disktest_begin(&t, folder));
	write_pages(&t, DISKTEST_RING + 50);
	lose(51); /* 51 + the ring was being written in its place, and was never told */
	assert_true(disktest_look(folder, DISKTEST_RING + 50, &f));
	assert_int_equal(f.missing, 0);
	lose(DISKTEST_RING + 30);
	assert_true(disktest_look(folder, DISKTEST_RING + 50, &f));
	assert_int_equal(f.missing, 1);
	disktest_end(&t);
}

static void a_small_box_has_fewer_workers(void **state)
{
	(void)state;
	assert_int_equal(supervise_workers_for(2, 2000), 32);
	assert_int_equal(supervise_workers_for(4, 512), 32);
	assert_int_equal(supervise_workers_for(1, 2000), 16);
	assert_int_equal(supervise_workers_for(4, 256), 16);
	assert_int_equal(supervise_workers_for(1, 64), 8);
	assert_in_range(supervise_workers(), 8, 32);
}

/* A unit with MemoryMax=, or a container: what it may have counts, not what the machine has. */
static void a_control_group_limits_the_memory(void **state)
{
	char self[PATH], dir[PATH];

	(void)state;
	snprintf(self, sizeof self, "%s/cgroup", folder);
	snprintf(dir, sizeof dir, "%s/system.slice", folder);
	assert_int_equal(mkdir(dir, 0700), 0);
	snprintf(dir, sizeof dir, "%s/system.slice/jari.service", folder);
	assert_int_equal(mkdir(dir, 0700), 0);
	assert_true(supervise_limit_mb(self, folder) > 1 << 30);
	put("cgroup", "4:memory:/elsewhere\n0::/system.slice/jari.service\n", 0644);
	assert_true(supervise_limit_mb(self, folder) > 1 << 30);
	put("system.slice/memory.max", "max\n", 0644);
	put("system.slice/jari.service/memory.max", "134217728\n", 0644);
	assert_int_equal(supervise_limit_mb(self, folder), 128);
	put("system.slice/memory.max", "67108864\n", 0644);
	assert_int_equal(supervise_limit_mb(self, folder), 64);
	put("cgroup", "0::/\n", 0644);
	assert_true(supervise_limit_mb(self, folder) > 1 << 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_backup_of_yesterday_is_well_and_one_that_was_missed_is_not, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_failure_counts_until_the_next_success, set_up, tear_down),
		cmocka_unit_test_setup_teardown(how_old_the_spares_copy_is_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_key_that_everybody_may_read_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nginx_and_its_certificate_are_looked_at, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_may_not_be_read_stays_as_root_saw_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_file_is_taken_for_a_certificate, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_page_that_was_told_and_is_lost_is_found, set_up, tear_down),
		cmocka_unit_test(a_small_box_has_fewer_workers),
		cmocka_unit_test_setup_teardown(a_control_group_limits_the_memory, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_page_torn_by_the_plug_itself_is_no_lie, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
