/*
 * provider.c - which payment providers there are, and what any answer means, whoever gave it.
 */
#include "provider.h"

#include "text.h"

#include <assert.h>
#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOO_MANY = 429, AWAY_S = 20, ROUNDS_OF_A_KEY = 4 };

static const int64_t AMOUNT_MAX = INT64_C(10000000000000); /* sums and a hundredfold of it still fit */

static const struct provider *const providers[] = {&portone_provider, &toss_provider, &stripe_provider};

const struct provider *provider_find(const char *word)
{
	for (size_t i = 0; i < sizeof providers / sizeof providers[0]; i++)
		if (strcmp(providers[i]->word, word) == 0)
			return providers[i];
	return NULL;
}

const char *provider_base(const struct provider *p)
{
#ifdef JARI_TESTING
	const char *elsewhere = getenv(p->base_env);

	if (elsewhere)
		return elsewhere;
#endif
	return p->base;
}

bool provider_amount(const struct told *t, const char *path, int64_t *out)
{
	int64_t n;

	if (!told_number(t, path, &n) || n < 0 || n > AMOUNT_MAX)
		return false;
	*out = n;
	return true;
}

void provider_put(char *out, size_t size, const char *text)
{
	assert(size > 0);
	snprintf(out, size, "%s", strlen(text) < size ? text : "");
}

void provider_put_currency(char out[4], const char *text)
{
	out[0] = '\0';
	if (strlen(text) != 3)
		return;
	for (int i = 0; i < 4; i++)
		out[i] = (char)toupper((unsigned char)text[i]);
}

void provider_put_line(char *out, size_t size, const char *text)
{
	snprintf(out, size, "%.*s", text_fit(text, size - 1), text);
	for (char *p = out; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = ' ';
}

void provider_say(struct pay_said *out, const char *code, const char *message)
{
	char all[600];

	snprintf(all, sizeof all, "%s%s%.*s", code, *code && *message ? ": " : "", text_fit(message, 400), message);
	provider_put_line(out->words, sizeof out->words, all);
}

void provider_put_key(struct webask *a, const struct pay_job *j, const char *act, const char *about)
{
	unsigned char hash[crypto_generichash_BYTES_MIN];
	char hex[2 * sizeof hash + 1];
	int round = j->attempts / ROUNDS_OF_A_KEY;

	crypto_generichash(hash, sizeof hash, (const unsigned char *)about, strlen(about), NULL, 0);
	sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
	if (round)
		webask_header(a, "Idempotency-Key: %s-%s-%s-%d", j->key, act, hex, round);
	else
		webask_header(a, "Idempotency-Key: %s-%s-%s", j->key, act, hex);
}

/* No answer, or none of the provider's own. */
static void hear_nothing(const struct webtold *t, struct pay_said *out)
{
	char code[24] = "";

	if (t->status)
		snprintf(code, sizeof code, "HTTP %d", t->status);
	out->end = t->unsent || t->status == TOO_MANY ? SAID_LATER : SAID_DOUBT;
	out->retry_s = t->retry_after_s ? t->retry_after_s : out->end == SAID_LATER ? AWAY_S : 0;
	provider_say(out, code, t->why);
}

void provider_hear(const struct provider *p, const struct pay_job *j, enum pay_step step, const struct webtold *t,
		   struct pay_said *out)
{
	struct told *told = t->status ? told_read(t->body.data, t->body.len) : NULL;

	*out = (struct pay_said){.end = SAID_DOUBT};
	/* A proxy's page, half an answer, a limit, a fault of theirs without a word: none of these says what was done. */
	if (!told || t->status == TOO_MANY) {
		hear_nothing(t, out);
	} else {
		p->hear(j, step, t->status, told, out);
		/* A question is not refused for the payment's sake: our key is wrong, or theirs is the fault. */
		if (step == ASK_LOOK && out->end == SAID_REFUSED && t->status >= 400) {
			out->end = SAID_LATER;
			out->retry_s = AWAY_S;
		}
		if (out->ahead_s && t->date_s)
			out->ahead_s = t->date_s - j->now_s;
		if (!out->retry_s)
			out->retry_s = t->retry_after_s;
	}
	told_free(told);
}
