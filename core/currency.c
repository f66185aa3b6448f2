/*
 * currency.c - the currencies, and amounts as people write them.
 */
#include "currency.h"

#include "text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
	char code[4];
	int digits;
} rows[] = {
#define X(code) {#code, 0},
	CURRENCY_WHOLE(X)
#undef X
#define X(code) {#code, 2},
		CURRENCY_CENTS(X)
#undef X
#define X(code) {#code, 3},
			CURRENCY_MILLS(X)
#undef X
};

static const struct row *find(const char *code)
{
	for (const struct row *r = rows; r < rows + sizeof rows / sizeof rows[0]; r++)
		if (strcmp(r->code, code) == 0)
			return r;
	return NULL;
}

bool currency_known(const char *code)
{
	return find(code) != NULL;
}

int currency_digits(const char *code)
{
	const struct row *r = find(code);

	return r ? r->digits : 2;
}

static int64_t power(int digits)
{
	int64_t n = 1;

	assert(digits >= 0 && digits <= CURRENCY_DIGITS_MAX);
	while (digits--)
		n *= 10;
	return n;
}

int64_t currency_units(const char *code)
{
	return power(currency_digits(code));
}

const char *currency_symbol(const char *code)
{
	static const char *const symbols[][2] = {{"EUR", "€"}, {"USD", "$"}, {"GBP", "£"}, {"JPY", "¥"}};

	for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
		if (strcmp(symbols[i][0], code) == 0)
			return symbols[i][1];
	return "";
}

void currency_put(int64_t amount, int digits, char out[CURRENCY_TEXT_SIZE])
{
	int64_t units = power(digits);

	if (!digits)
		snprintf(out, CURRENCY_TEXT_SIZE, "%lld", (long long)amount);
	else
		snprintf(out, CURRENCY_TEXT_SIZE, "%s%lld.%0*d", amount < 0 ? "-" : "", llabs((long long)(amount / units)),
			 digits, abs((int)(amount % units)));
}

bool currency_take(const char *text, int digits, int64_t max, int64_t *amount)
{
	size_t whole = strcspn(text, "."), kept = strlen(text + whole);
	int64_t units = power(digits), part = 0, large;
	char number[CURRENCY_TEXT_SIZE];

	if (whole >= sizeof number || kept == 1)
		return false;
	memcpy(number, text, whole);
	number[whole] = '\0';
	if (!text_int(number, 0, max / units, &large))
		return false;
	for (const char *p = text + whole + (kept > 0); *p; p++) {
		units /= 10;
		if (*p < '0' || *p > '9' || (!units && *p != '0')) /* zeros behind its last digit say nothing */
			return false;
		part += (*p - '0') * units;
	}
	*amount = large * power(digits) + part;
	return *amount <= max;
}
