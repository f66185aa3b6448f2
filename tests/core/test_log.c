/*
 * test_log.c - an event is one line, whatever stands in its values.
 */
#include "log.h"

#include "unit.h"

#include <fcntl.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	int ends[2], real_stderr;
	char text[8192];
} heard;

static void listen_begin(void)
{
	assert_int_equal(pipe2(heard.ends, O_NONBLOCK), 0);
	heard.real_stderr = dup(STDERR_FILENO);
	dup2(heard.ends[1], STDERR_FILENO);
}

/* What was written to standard error since listen_begin(). */
static const char *listen_end(void)
{
	ssize_t n = read(heard.ends[0], heard.text, sizeof heard.text - 1);

	dup2(heard.real_stderr, STDERR_FILENO);
	close(heard.real_stderr);
	close(heard.ends[0]);
	close(heard.ends[1]);
	heard.text[n > 0 ? n : 0] = '\0';
	return heard.text;
}

/* The journal has a clock and knows priorities: no second clock, and the level in front. */
static void the_journal_gets_a_priority_and_no_clock(void **state)
{
	char stream[64];
	struct stat st;

	(void)state;
	listen_begin();
	assert_int_equal(fstat(STDERR_FILENO, &st), 0);
	snprintf(stream, sizeof stream, "%llu:%llu", (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
	setenv("JOURNAL_STREAM", stream, 1);
	log_name("keeper");
	log_warn("some.event", "x=%d", 1);
	log_error("other.event", "y=2");
	unsetenv("JOURNAL_STREAM");
	assert_string_equal(listen_end(), "<4>keeper some.event x=1\n<3>keeper other.event y=2\n");
	listen_begin();
	setenv("JOURNAL_STREAM", "1:2", 1); /* another process's */
	log_warn("some.event", "x=%d", 1);
	unsetenv("JOURNAL_STREAM");
	assert_int_equal(listen_end()[0], '2');
}

static int plain(void **state)
{
	(void)state;
	log_name("jari");
	log_request(NULL);
	log_level_set(LOG_INFO);
	return 0;
}

static void looks_like(const char *line, const char *pattern)
{
	char whole[300];
	regex_t re;

	snprintf(whole, sizeof whole, "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z %s$", pattern);
	assert_int_equal(regcomp(&re, whole, REG_EXTENDED | REG_NOSUB), 0);
	if (regexec(&re, line, 0, NULL, 0) != 0)
		fail_msg("%s is not %s", line, whole);
	regfree(&re);
}

static void is_one_line(const char *text)
{
	assert_true(*text);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	assert_null(strchr(text, '\r'));
}

static void an_event_is_one_line_with_time_level_name_and_pid(void **state)
{
	char pattern[200];

	(void)state;
	log_name("worker[3]");
	listen_begin();
	log_warn("worker.hung", "busy_ms=%d", 30012);
	snprintf(pattern, sizeof pattern, "warn  worker\\[3\\] %d worker\\.hung busy_ms=30012\n", (int)getpid());
	is_one_line(listen_end());
	looks_like(heard.text, pattern);
}

static void every_level_has_its_word(void **state)
{
	static const char *const words[] = {"debug", "info ", "warn ", "error"};
	char pattern[60];

	(void)state;
	log_level_set(LOG_DEBUG);
	for (int level = LOG_DEBUG; level <= LOG_ERROR; level++) {
		listen_begin();
		log_line((enum log_level)level, "x.y", "n=%d", level);
		snprintf(pattern, sizeof pattern, "%s jari [0-9]+ x\\.y n=%d\n", words[level], level);
		looks_like(listen_end(), pattern);
	}
}

static void lesser_levels_are_silent(void **state)
{
	(void)state;
	log_level_set(LOG_WARN);
	listen_begin();
	log_line(LOG_DEBUG, "x.y", "n=%d", 1);
	log_info("x.y", "n=%d", 2);
	assert_string_equal(listen_end(), "");
	listen_begin();
	log_warn("x.y", "n=%d", 3);
	log_error("x.y", "n=%d", 4);
	assert_non_null(strstr(listen_end(), "n=3\n"));
	assert_non_null(strstr(heard.text, "n=4\n"));
}

static void a_value_cannot_forge_a_line(void **state)
{
	(void)state;
	for (char c = 1; c < ' '; c++) {
		listen_begin();
		log_info("guest.says", "text=a%cb", c);
		is_one_line(listen_end());
		assert_non_null(strstr(heard.text, " text=a?b\n"));
	}
	listen_begin();
	log_info("guest.says", "text=%s", "x\r\n2026-01-20T02:00:00.000Z error jari 1 book.damaged \x1B[2J");
	is_one_line(listen_end());
	assert_null(strchr(heard.text, '\x1B'));
}

static void a_name_cannot_forge_a_line_either(void **state)
{
	(void)state;
	log_name("a\nb, and much longer than any name is");
	listen_begin();
	log_info("x.y", "n=%d", 1);
	is_one_line(listen_end());
	assert_non_null(strstr(heard.text, " a?b, "));
}

static void other_scripts_pass_unharmed(void **state)
{
	(void)state;
	listen_begin();
	log_info("x.y", "text=%s", "자리");
	assert_non_null(strstr(listen_end(), " text=자리\n"));
}

static void a_long_text_is_cut_and_still_one_line(void **state)
{
	char vast[5000];

	(void)state;
	memset(vast, 'x', sizeof vast);
	for (int n = 900; n < 1100; n++) {
		listen_begin();
		log_info("x.y", "%.*s", n, vast);
		is_one_line(listen_end());
		assert_true(strlen(heard.text) <= 1024);
	}
	listen_begin();
	log_info("x.y", "%.*s", (int)sizeof vast, vast);
	is_one_line(listen_end());
	assert_true(strlen(heard.text) <= 1024 && strlen(heard.text) > 900);
}

static void a_request_id_keeps_only_safe_characters(void **state)
{
	(void)state;
	log_request("4f1c-A\n b=c\x1B\xFF;\"'");
	listen_begin();
	log_info("x.y", "n=%d", 1);
	looks_like(listen_end(), "info  jari [0-9]+ req=4f1c-Abc x\\.y n=1\n");
	log_request("000000000011111111112222222222333333333344444444445555555555");
	listen_begin();
	log_info("x.y", "n=%d", 1);
	looks_like(listen_end(), "info  jari [0-9]+ req=[0-5]{39} x\\.y n=1\n");
}

static void no_request_no_id(void **state)
{
	static const char *const none[] = {NULL, "", "\n; ="};

	(void)state;
	for (size_t i = 0; i < COUNT(none); i++) {
		log_request("before");
		log_request(none[i]);
		listen_begin();
		log_info("x.y", "n=%d", 1);
		looks_like(listen_end(), "info  jari [0-9]+ x\\.y n=1\n");
	}
}

static void a_closed_log_does_no_harm(void **state)
{
	(void)state;
	listen_begin();
	close(STDERR_FILENO);
	log_error("x.y", "n=%d", 1);
	assert_string_equal(listen_end(), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_journal_gets_a_priority_and_no_clock),
		cmocka_unit_test_setup(an_event_is_one_line_with_time_level_name_and_pid, plain),
		cmocka_unit_test_setup(every_level_has_its_word, plain),
		cmocka_unit_test_setup(lesser_levels_are_silent, plain),
		cmocka_unit_test_setup(a_value_cannot_forge_a_line, plain),
		cmocka_unit_test_setup(a_name_cannot_forge_a_line_either, plain),
		cmocka_unit_test_setup(other_scripts_pass_unharmed, plain),
		cmocka_unit_test_setup(a_long_text_is_cut_and_still_one_line, plain),
		cmocka_unit_test_setup(a_request_id_keeps_only_safe_characters, plain),
		cmocka_unit_test_setup(no_request_no_id, plain),
		cmocka_unit_test_setup(a_closed_log_does_no_harm, plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
