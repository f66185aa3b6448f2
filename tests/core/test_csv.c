/*
 * test_csv.c - the CSV reader takes what RFC 4180 allows, and names the line of what it does not.
 */
#include "csv.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text in memory, given out this many bytes at a time. */
struct source {
	const char *text;
	size_t len, at, step;
	bool fails;
};

static ssize_t read_source(void *arg, char *out, size_t n)
{
	struct source *s = arg;
	size_t take = s->len - s->at;

	if (take > n)
		take = n;
	if (s->step && take > s->step)
		take = s->step;
	if (take == 0)
		return s->fails ? -1 : 0;
	memcpy(out, s->text + s->at, take);
	s->at += take;
	return (ssize_t)take;
}

static struct csv c;
static struct source source;

static void start_bytes(const char *text, size_t len, size_t step)
{
	source = (struct source){.text = text, .len = len, .step = step};
	csv_init(&c, read_source, &source);
}

static void start(const char *text)
{
	start_bytes(text, strlen(text), 0);
}

static int stop(void **state)
{
	(void)state;
	csv_free(&c);
	return 0;
}

/* The text must be refused, at that line, with these words. */
static void refuse_bytes(const char *text, size_t len, int64_t line, const char *words)
{
	enum csv_got got = CSV_ROW;

	start_bytes(text, len, 0);
	if (csv_header(&c))
		while (got == CSV_ROW)
			got = csv_row(&c);
	else
		got = CSV_BAD;
	assert_int_equal(got, CSV_BAD);
	assert_non_null(strstr(c.error, words));
	assert_int_equal(c.line, line);
	assert_int_equal(csv_row(&c), CSV_BAD); /* and stays so */
	csv_free(&c);
}

static void refuse(const char *text, int64_t line, const char *words)
{
	refuse_bytes(text, strlen(text), line, words);
}

static void cells_are_found_by_the_names_of_the_first_row(void **state)
{
	int a, b;

	(void)state;
	start("b,a\n1,2\n3,4\n");
	assert_true(csv_header(&c));
	a = csv_column(&c, "a");
	b = csv_column(&c, "b");
	assert_int_equal(csv_column(&c, "c"), -1);
	assert_int_equal(csv_row(&c), CSV_ROW);
	assert_string_equal(csv_cell(&c, a), "2");
	assert_string_equal(csv_cell(&c, b), "1");
	assert_string_equal(csv_cell(&c, -1), "");
	assert_int_equal(csv_row(&c), CSV_ROW);
	assert_string_equal(csv_cell(&c, a), "4");
	assert_int_equal(csv_row(&c), CSV_END);
	assert_int_equal(csv_row(&c), CSV_END);
}

static void quotes_hold_commas_line_breaks_and_doubled_quotes(void **state)
{
	static const char text[] = "a,b\r\n\"x, \"\"y\"\"\",\"one\r\ntwo\n\"\r\n\"\",z\r\n";

	(void)state;
	for (size_t step = 0; step < 20; step++) { /* wherever a chunk ends */
		start_bytes(text, sizeof text - 1, step);
		assert_true(csv_header(&c));
		assert_int_equal(csv_row(&c), CSV_ROW);
		assert_string_equal(csv_cell(&c, 0), "x, \"y\"");
		assert_string_equal(csv_cell(&c, 1), "one\r\ntwo\n");
		assert_int_equal(c.line, 2);
		assert_int_equal(csv_row(&c), CSV_ROW);
		assert_string_equal(csv_cell(&c, 0), "");
		assert_string_equal(csv_cell(&c, 1), "z");
		assert_int_equal(c.line, 5); /* line breaks inside quotes count */
		assert_int_equal(csv_row(&c), CSV_END);
		csv_free(&c);
	}
}

static void the_last_line_needs_no_end(void **state)
{
	static const char *const texts[] = {"a,b\n1,2", "a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\n1,\"2\"", "\n\na,b\n\n1,2\n\n\n"};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		start(texts[i]);
		assert_true(csv_header(&c));
		assert_int_equal(csv_row(&c), CSV_ROW);
		assert_string_equal(csv_cell(&c, 1), "2");
		assert_int_equal(csv_row(&c), CSV_END);
		csv_free(&c);
	}
}

static void an_empty_last_cell_is_a_cell(void **state)
{
	(void)state;
	start("a,b\n1,\n,");
	assert_true(csv_header(&c));
	assert_int_equal(csv_row(&c), CSV_ROW);
	assert_string_equal(csv_cell(&c, 1), "");
	assert_int_equal(csv_row(&c), CSV_ROW);
	assert_string_equal(csv_cell(&c, 0), "");
	assert_int_equal(csv_row(&c), CSV_END);
}

static void a_mark_at_the_beginning_is_skipped(void **state)
{
	(void)state;
	start("\xEF\xBB\xBF"
	      "이름,b\n김,2\n");
	assert_true(csv_header(&c));
	assert_int_equal(csv_column(&c, "이름"), 0);
	assert_int_equal(csv_row(&c), CSV_ROW);
	assert_string_equal(csv_cell(&c, 0), "김");
}

static void an_empty_line_is_a_row_of_a_single_column_only(void **state)
{
	(void)state;
	start("a\n1\n\n3\n");
	assert_true(csv_header(&c));
	assert_int_equal(csv_row(&c), CSV_ROW);
	assert_int_equal(csv_row(&c), CSV_ROW);
	assert_string_equal(csv_cell(&c, 0), "");
	assert_int_equal(csv_row(&c), CSV_ROW);
	assert_string_equal(csv_cell(&c, 0), "3");
}

static void the_null_of_a_database_is_empty_unless_quoted(void **state)
{
	(void)state;
	start("a,b,c,d,e\nNULL,null,\\N,\"NULL\",NULLS\n");
	assert_true(csv_header(&c));
	assert_int_equal(csv_row(&c), CSV_ROW);
	assert_string_equal(csv_cell(&c, 0), "");
	assert_string_equal(csv_cell(&c, 1), "");
	assert_string_equal(csv_cell(&c, 2), "");
	assert_string_equal(csv_cell(&c, 3), "NULL");
	assert_string_equal(csv_cell(&c, 4), "NULLS");
}

static void humps_and_capitals_are_the_same_name(void **state)
{
	static const char *const spellings[] = {"slot_id", "slotId", "SLOT_ID", "SlotId", "Slot_Id"};
	char text[64];

	(void)state;
	for (size_t i = 0; i < COUNT(spellings); i++) {
		snprintf(text, sizeof text, "x,%s\n", spellings[i]);
		start(text);
		assert_true(csv_header(&c));
		assert_int_equal(csv_column(&c, "slot_id"), 1);
		assert_string_equal(csv_name(&c, 1), spellings[i]);
		csv_free(&c);
	}
}

static void the_first_name_of_several_that_is_there_counts(void **state)
{
	(void)state;
	start("tel,phone,mobile\n");
	assert_true(csv_header(&c));
	assert_int_equal(csv_column(&c, "phone|tel"), 1);
	assert_int_equal(csv_column(&c, "fax|tel"), 0);
	assert_int_equal(csv_column(&c, "fax|telex"), -1);
	assert_int_equal(csv_unasked(&c, 0), 2);
	assert_int_equal(csv_unasked(&c, 3), -1);
}

static void broken_text_is_named_by_its_line(void **state)
{
	(void)state;
	refuse("", 1, "empty");
	refuse("\n\n", 1, "empty");
	refuse("a,b\n1,2\n1\n", 3, "1 cells where the first row names 2");
	refuse("a,b\n1,2,3\n", 2, "3 cells");
	refuse("a,b\n1,\"2\n3,4\n", 2, "never closed");
	refuse("a,b\n\"x\ny\",\"2\n", 3, "never closed");
	refuse("a,b\n1,\"2\"x\n", 2, "closing quote");
	refuse("a,b\n1,2\"\n", 2, "quote inside");
	refuse("a,b\n1,2\r3,4\n", 2, "carriage return");
	refuse("a,b\n\"x\r\ny\",1\n\xFF,2\n", 4, "UTF-8");
	refuse("a,b\n\xC7\xD1\xB1\xDB,2\n", 2, "UTF-8"); /* EUC-KR */
	refuse("\xFF\xFE"
	       "a,b\n",
	       1, "UTF-8");
	refuse("\xEF\xBB"
	       "a,b\n",
	       1, "UTF-8");
	refuse("a,,b\n", 1, "no name");
	refuse("slot_id,slotId\n", 1, "twice");
	refuse_bytes("a,b\n1,\0\n", 8, 2, "NUL");
}

static void a_file_that_cannot_be_read_on_is_said(void **state)
{
	(void)state;
	start("a,b\n1,2\n3");
	source.fails = true;
	assert_true(csv_header(&c));
	assert_int_equal(csv_row(&c), CSV_ROW);
	assert_int_equal(csv_row(&c), CSV_BAD);
	assert_non_null(strstr(c.error, "cannot be read"));
}

static void too_many_columns_and_too_long_rows_are_refused(void **state)
{
	char *text = malloc(CSV_ROW_MAX + 100);

	(void)state;
	assert_non_null(text);
	memset(text, ',', CSV_COLUMNS_MAX + 1);
	refuse_bytes(text, CSV_COLUMNS_MAX + 1, 1, "columns");
	memcpy(text, "a,b\n1,\"", 7);
	memset(text + 7, 'x', CSV_ROW_MAX + 50);
	refuse_bytes(text, CSV_ROW_MAX + 57, 2, "bytes");
	free(text);
}

static void a_text_that_begins_as_a_formula_does_is_no_formula(void **state)
{
	static const struct {
		const char *cell, *written;
	} rows[] = {
		{"plain", "\"plain\","},
		{"a \"b\", c", "\"a \"\"b\"\", c\","},
		{"", "\"\","},
		{"=HYPERLINK(1)", "\"'=HYPERLINK(1)\","},
		{"+82 10", "\"'+82 10\","},
		{"-1", "\"'-1\","},
		{"@x", "\"'@x\","},
		{"\t=1", "\"'\t=1\","},
		{"\xef\xbc\x9d"
		 "1",
		 "\"'\xef\xbc\x9d"
		 "1\","}, /* ＝1 */
		{"a=1", "\"a=1\","},
	};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		buf_clear(&out);
		csv_put(&out, rows[i].cell, true, false);
		assert_string_equal(out.data, rows[i].written);
	}
	buf_clear(&out);
	csv_put(&out, "-12", false, true); /* a number stays one */
	assert_string_equal(out.data, "-12\r\n");
	buf_free(&out);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, stop)
	const struct CMUnitTest tests[] = {
		TEST(cells_are_found_by_the_names_of_the_first_row),
		TEST(quotes_hold_commas_line_breaks_and_doubled_quotes),
		TEST(the_last_line_needs_no_end),
		TEST(an_empty_last_cell_is_a_cell),
		TEST(a_mark_at_the_beginning_is_skipped),
		TEST(an_empty_line_is_a_row_of_a_single_column_only),
		TEST(the_null_of_a_database_is_empty_unless_quoted),
		TEST(humps_and_capitals_are_the_same_name),
		TEST(the_first_name_of_several_that_is_there_counts),
		TEST(broken_text_is_named_by_its_line),
		TEST(a_file_that_cannot_be_read_on_is_said),
		TEST(too_many_columns_and_too_long_rows_are_refused),
		TEST(a_text_that_begins_as_a_formula_does_is_no_formula),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
