/*
 * fuzz_json.c - the JSON reader under any bytes at all.
 *
 * `make torture` builds it with libFuzzer.  Without FUZZ_NO_MAIN it is a program that replays the files it is given;
 * test_in.c includes it and replays the corpus.
 */
#include "in.h"
#include "text.h"
#include "told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Not assert(): a fuzzer must see it in every build. */
static void promise(int kept, const char *what)
{
	if (kept)
		return;
	fprintf(stderr, "broken promise: %s\n", what);
	abort();
}

static void take_fields(struct in *in)
{
	char text[64] = "";
	int64_t n = 1;

	in_int(in, "a", IN_OPTIONAL, 1, 1000, &n);
	in_text(in, "t", IN_OPTIONAL, 20, text, sizeof text);
	promise(n >= 1 && n <= 1000, "a number stays in its range");
	promise(text_points(text) <= 20 && !text_has_control(text), "a text is short and clean");
	in_only(in, "a", "t", NULL);
}

/* The same bytes, said by another machine. */
static void take_told(const char *bytes, size_t n)
{
	struct told *t = told_read(bytes, n);
	int64_t number = 7;

	if (t) {
		promise(text_utf8(bytes, n) && !memchr(bytes, '\0', n), "what is told is UTF-8 without NUL");
		promise(!told_number(t, "a", &number) || told_at(t, "a") != NULL, "a number is somewhere");
		promise(told_count(t, "t") == 0 || told_nth(t, "t", told_count(t, "t")) == NULL, "a list ends");
		promise(strlen(told_text(t, "t.0.a")) <= n, "a text is part of it");
	}
	told_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	size_t keys = 0;
	struct in in;
	enum err strict = in_strict((const char *)bytes, n, &keys);

	in_open(&in, (const char *)bytes, n);
	promise(strict == ERR_OK || in.e == strict, "what is not strict does not open");
	promise(in.e == ERR_OK || err_status(in.e) == 400, "bad input is the sender's fault");
	if (in.e == ERR_OK) {
		promise(n > 0 && text_utf8((const char *)bytes, n), "what opens is UTF-8");
		promise(!memchr(bytes, '\0', n), "what opens has no NUL");
		take_fields(&in);
	}
	in_close(&in);
	take_told((const char *)bytes, n);
	return 0;
}

/* The same with the content of a file; 1 when it cannot be read. */
static int replay(const char *path)
{
	uint8_t *bytes = malloc(1 << 20), *exact;
	FILE *f = fopen(path, "rb");
	size_t n = 0;

	if (f && bytes)
		n = fread(bytes, 1, 1 << 20, f);
	if (f)
		fclose(f);
	exact = f && bytes ? malloc(n + !n) : NULL; /* so that a look beyond the end is seen */
	if (exact) {
		memcpy(exact, bytes, n);
		LLVMFuzzerTestOneInput(exact, n);
	}
	free(bytes);
	free(exact);
	return exact == NULL;
}

#ifndef FUZZ_NO_MAIN
int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= replay(argv[i]);
	return failed;
}
#endif
