/*
 * fuzz_csv.c - any bytes at all through the CSV reader.
 *
 * With clang: -fsanitize=fuzzer,address -DFUZZ_NO_MAIN, libFuzzer drives it.  Without, it is a plain
 * program that replays the files named on its command line.  Compile core/csv.c, buf.c and text.c
 * along with it, so that the fuzzer sees their branches.
 */
#include "csv.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
	const uint8_t *bytes;
	size_t len, at, step;
};

static ssize_t read_source(void *arg, char *out, size_t n)
{
	struct source *s = arg;
	size_t take = s->len - s->at;

	if (take > n)
		take = n;
	if (take > s->step)
		take = s->step;
	if (take)
		memcpy(out, s->bytes + s->at, take);
	s->at += take;
	return (ssize_t)take;
}

/* Everything that was read, as one text; the way it was cut into chunks must not matter. */
static char *read_all(const uint8_t *bytes, size_t len, size_t step)
{
	struct source s = {bytes, len, 0, step};
	struct csv *c = malloc(sizeof *c);
	struct buf out = {0};
	enum csv_got got = CSV_BAD;
	int64_t last = 0;

	if (!c)
		abort();
	csv_init(c, read_source, &s);
	if (csv_header(c)) {
		csv_column(c, "user_id|id|slot_id");
		while ((got = csv_row(c)) == CSV_ROW) {
			assert(c->count == c->columns && c->line > last);
			last = c->line;
			for (int i = 0; i < (int)c->columns; i++)
				buf_fmt(&out, "%s=%s;", csv_name(c, i), csv_cell(c, i));
		}
	}
	assert((got == CSV_BAD) == (c->error[0] != '\0'));
	buf_fmt(&out, "%d %lld %s", (int)got, (long long)c->line, c->error);
	csv_free(c);
	free(c);
	if (!buf_ok(&out))
		abort();
	return out.data;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *whole = read_all(bytes, len, SIZE_MAX), *cut = read_all(bytes, len, 3);

	assert(strcmp(whole, cut) == 0);
	free(whole);
	free(cut);
	return 0;
}

#ifndef FUZZ_NO_MAIN
int main(int argc, char **argv)
{
	static uint8_t bytes[1 << 22];

	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");

		if (!f) {
			perror(argv[i]);
			return 1;
		}
		LLVMFuzzerTestOneInput(bytes, fread(bytes, 1, sizeof bytes, f));
		fclose(f);
	}
	printf("%d files replayed\n", argc - 1);
	return 0;
}
#endif
