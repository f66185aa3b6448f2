/*
 * text.c - parsers that take all of a text or nothing of it.
 */
#include "text.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool text_int(const char *text, int64_t min, int64_t max, int64_t *out)
{
	bool negative = *text == '-';
	const char *p = text + negative;
	int64_t value = 0;

	if (*p < '0' || *p > '9' || (*p == '0' && (p[1] || negative)))
		return false;
	for (; *p; p++) {
		if (*p < '0' || *p > '9' || value < (INT64_MIN + (*p - '0')) / 10)
			return false;
		value = value * 10 - (*p - '0'); /* downwards: INT64_MIN has no positive twin */
	}
	if (!negative) {
		if (value == INT64_MIN)
			return false;
		value = -value;
	}
	if (value < min || value > max)
		return false;
	*out = value;
	return true;
}

/* Exactly n digits at p, or -1. */
static int digits(const char *p, int n)
{
	int value = 0;

	for (int i = 0; i < n; i++) {
		if (p[i] < '0' || p[i] > '9')
			return -1;
		value = value * 10 + (p[i] - '0');
	}
	return value;
}

static int month_days(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	assert(month >= 1 && month <= 12);
	return month == 2 && leap ? 29 : days[month - 1];
}

bool text_date(const char *text, struct date *out)
{
	struct date d;

	if (strlen(text) != TEXT_DATE_SIZE - 1 || text[4] != '-' || text[7] != '-')
		return false;
	d = (struct date){digits(text, 4), digits(text + 5, 2), digits(text + 8, 2)};
	if (d.year < 1970 || d.month < 1 || d.month > 12 || d.day < 1 || d.day > month_days(d.year, d.month))
		return false;
	*out = d;
	return true;
}

bool text_closing(const char *text, int *minute_of_day)
{
	int hour, minute;

	if (strlen(text) != TEXT_TIME_SIZE - 1 || text[2] != ':')
		return false;
	hour = digits(text, 2);
	minute = digits(text + 3, 2);
	if (hour < 0 || minute < 0 || minute > 59 || hour * 60 + minute > NIGHT_MINUTES)
		return false;
	*minute_of_day = hour * 60 + minute;
	return true;
}

bool text_time(const char *text, int *minute_of_day)
{
	char head[TEXT_TIME_SIZE];
	size_t n = strlen(text);
	int minute;

	if (n != 5 && !(n == 8 && strcmp(text + 5, ":00") == 0))
		return false;
	memcpy(head, text, 5);
	head[5] = '\0';
	if (!text_closing(head, &minute) || minute == NIGHT_MINUTES)
		return false;
	*minute_of_day = minute;
	return true;
}

void text_put_date(struct date d, char out[TEXT_DATE_SIZE])
{
	assert(d.year >= 0 && d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= 31);
	snprintf(out, TEXT_DATE_SIZE, "%04u-%02u-%02u", (unsigned)d.year % 10000, (unsigned)d.month % 100,
		 (unsigned)d.day % 100);
}

void text_put_time(int minute_of_day, char out[TEXT_TIME_SIZE])
{
	assert(minute_of_day >= 0 && minute_of_day <= NIGHT_MINUTES);
	snprintf(out, TEXT_TIME_SIZE, "%02u:%02u", (unsigned)minute_of_day / 60 % 100, (unsigned)minute_of_day % 60);
}

/* The civil calendar counted from 1 March, where the leap day comes last. */
int64_t text_days(struct date d)
{
	int64_t y = d.month > 2 ? d.year : d.year - 1;
	int64_t era = y / 400, of_era = y % 400;
	int64_t of_year = (153 * (d.month + (d.month > 2 ? -3 : 9)) + 2) / 5 + d.day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

struct date text_from_days(int64_t days)
{
	int64_t z = days + 719468, era = z / 146097, of_era = z % 146097;
	int64_t y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * y + y / 4 - y / 100);
	int64_t m = (5 * of_year + 2) / 153;

	return (struct date){
		.year = (int)(y + era * 400 + (m >= 10)),
		.month = (int)(m < 10 ? m + 3 : m - 9),
		.day = (int)(of_year - (153 * m + 2) / 5 + 1),
	};
}

int text_weekday(struct date d)
{
	return (int)((text_days(d) + 3) % 7) + 1; /* 1970-01-01 was a Thursday */
}

/* One code point at p, of at most n bytes; its length, or 0 when it is not well formed. */
static size_t decode(const unsigned char *p, size_t n, uint32_t *out)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t len = p[0] < 0x80                 ? 1 :
		     p[0] >= 0xC2 && p[0] < 0xE0 ? 2 :
		     (p[0] & 0xF0) == 0xE0       ? 3 :
		     (p[0] & 0xF8) == 0xF0       ? 4 :
						   0;
	uint32_t c = len == 1 ? p[0] : p[0] & (0x7Fu >> len);

	if (len == 0 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3F);
	}
	if (c < least[len] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
		return 0;
	*out = c;
	return len;
}

size_t text_point(const char *text, uint32_t *out)
{
	return *text ? decode((const unsigned char *)text, strlen(text), out) : 0;
}

bool text_utf8(const char *bytes, size_t n)
{
	const unsigned char *p = (const unsigned char *)bytes;
	uint32_t c;

	while (n) {
		size_t len = decode(p, n, &c);

		if (!len)
			return false;
		p += len;
		n -= len;
	}
	return true;
}

int text_fit(const char *text, size_t room)
{
	size_t n = strnlen(text, room);

	while (n && ((unsigned char)text[n] & 0xC0) == 0x80) /* in the middle of a letter */
		n--;
	return (int)n;
}

size_t text_points(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xC0) != 0x80;
	return n;
}

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029 || (c >= 0x202A && c <= 0x202E) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* Controls other than `allowed`; 0 allows none. */
static bool has_control(const char *text, uint32_t allowed)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t n = strlen(text);
	uint32_t c;

	for (size_t len; n; p += len, n -= len) {
		len = decode(p, n, &c);
		if (!len || (is_control(c) && c != allowed))
			return true;
	}
	return false;
}

bool text_has_control(const char *text)
{
	return has_control(text, 0);
}

bool text_has_control_but_lines(const char *text)
{
	return has_control(text, '\n');
}

const char *text_trimmed(const char *text, const char *blanks, size_t *bytes)
{
	static const char wide[] = "\xE3\x80\x80"; /* U+3000 */
	size_t n;

	for (;;) {
		if (*text && strchr(blanks, *text))
			text++;
		else if (strncmp(text, wide, 3) == 0)
			text += 3;
		else
			break;
	}
	n = strlen(text);
	for (;;) {
		if (n && strchr(blanks, text[n - 1]))
			n--;
		else if (n >= 3 && memcmp(text + n - 3, wide, 3) == 0)
			n -= 3;
		else
			break;
	}
	*bytes = n;
	return text;
}

char *text_trim(char *text)
{
	size_t n;

	text += text_trimmed(text, " ", &n) - text;
	text[n] = '\0';
	return text;
}

bool text_phone(const char *text, char out[TEXT_PHONE_SIZE])
{
	char clean[TEXT_PHONE_SIZE];
	size_t n = 0, count = 0;

	for (const char *p = text; *p; p++) {
		if (strchr(" .-()/", *p))
			continue;
		if (*p >= '0' && *p <= '9')
			count++;
		else if (*p != '+' || n)
			return false;
		if (n == sizeof clean - 1)
			return false;
		clean[n++] = *p;
	}
	clean[n] = '\0';
	if (count < 7 || count > 15)
		return false;
	memcpy(out, clean, n + 1);
	return true;
}

/* A number without its leading zeros. */
static const char *skip_zeros(const char *digits)
{
	return digits + strspn(digits, "0");
}

int64_t text_phone_key(const char *phone, int calling_code)
{
	char code[8], number[40];
	const char *rest;
	bool home, whole;

	assert(calling_code > 0 && calling_code < 1000 && strlen(phone) < TEXT_PHONE_SIZE);
	rest = skip_zeros(phone + (phone[0] == '+'));
	home = snprintf(code, sizeof code, "%d", calling_code) > 0 && strncmp(rest, code, strlen(code)) == 0;
	whole = phone[0] == '+' || strncmp(phone, "00", 2) == 0 || (phone[0] != '0' && home && strlen(phone) >= 11);
	snprintf(number, sizeof number, "%s%s", whole ? "" : code, rest);
	if (strncmp(number, code, strlen(code)) == 0) /* +82 (0)10 ... is +82 10 ... */
		snprintf(number, sizeof number, "%s%s", code, skip_zeros(rest + (whole ? strlen(code) : 0)));
	return strtoll(number, NULL, 10);
}

bool text_calling_code(int code)
{
	/* By the first digit, the second digits that make up a code of two; 1 and 7 are whole by themselves. */
	static const char *const two[10] = {"", "", "07", "0123469", "013456789", "12345678", "0123456", "", "1246", "0123458"};
	int first = code, second = 0;

	for (; first >= 10; first /= 10)
		second = first % 10;
	if (code < 10 || first == 1 || first == 7)
		return code == 1 || code == 7;
	return code < 1000 && (strchr(two[first], '0' + second) != NULL) == (code < 100);
}

bool text_email(const char *text)
{
	const char *at = strchr(text, '@');
	size_t n = strlen(text);

	if (n > 254 || !at || at == text || at - text > 64 || strchr(at + 1, '@'))
		return false;
	for (const char *p = text; *p; p++)
		if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 0x7F || strchr("\"'(),:;<>[\\]`", *p))
			return false;
	for (const char *p = text; p[1]; p++)
		if (p[0] == '.' && (p[1] == '.' || p[1] == '@'))
			return false;
	return *text != '.' && at[1] != '.' && at[1] != '-' && strchr(at + 1, '.') && text[n - 1] != '.' && text[n - 1] != '-';
}

void text_mailbox(const char *email, char out[TEXT_MAILBOX_SIZE])
{
	const char *domain = strchr(email, '@');
	bool tag = false;
	size_t n = 0;

	for (const char *p = email; *p && n < TEXT_MAILBOX_SIZE - 1; p++) {
		bool local = domain && p < domain;

		tag = local && (tag || *p == '+');
		if (!tag && !(local && *p == '.'))
			out[n++] = (char)tolower((unsigned char)*p);
	}
	out[n] = '\0';
}

int text_word(const char *const *list, int count, const char *word)
{
	int i = 0;

	while (i < count && strcmp(list[i], word) != 0)
		i++;
	return i;
}
