/*
 * wording.c - days, times and sums in a guest's language, and the phrases with them filled in.
 */
#include "wording.h"

#include "clock.h"
#include "currency.h"
#include "text.h"
#include "zone.h"

#include <stdio.h>
#include <string.h>

void wording_day(const char *date, enum lang lang, char out[40])
{
	static const char *const ko[] = {"월", "화", "수", "목", "금", "토", "일"};
	static const char *const en[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
	static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	struct date d;

	out[0] = '\0';
	if (!text_date(date, &d))
		return;
	if (lang == LANG_KO)
		snprintf(out, 40, "%d월 %d일(%s)", d.month, d.day, ko[text_weekday(d) - 1]);
	else
		snprintf(out, 40, "%s %d %s", en[text_weekday(d) - 1], d.day, months[d.month - 1]);
}

void wording_slot(const char *date, const char *time, enum lang lang, char day[40], char out[WORDING_TIME_SIZE])
{
	char of_evening[40];
	int minute;

	wording_day(date, lang, of_evening);
	snprintf(day, 40, "%s", of_evening);
	snprintf(out, WORDING_TIME_SIZE, "%s", time);
	if (!text_time(time, &minute) || minute < DAY_MINUTES)
		return;
	minute -= DAY_MINUTES;
	if (lang == LANG_KO) {
		snprintf(out, WORDING_TIME_SIZE, "밤 %d:%02d", minute < 60 ? 12 : minute / 60, minute % 60);
	} else {
		snprintf(day, 40, "the night of %.20s,", of_evening);
		snprintf(out, WORDING_TIME_SIZE, "%02d:%02d", minute / 60, minute % 60);
	}
}

void wording_time(const char *zone, const char *iso, char out[8])
{
	char text[TEXT_TIME_SIZE];
	struct date day;
	int64_t at;
	int minute;

	out[0] = '\0';
	if (!clock_parse_iso(iso, &at) || !zone_to_local(zone, at, &day, &minute))
		return;
	text_put_time(minute, text);
	snprintf(out, 8, "%s", text);
}

/* 1234567.50 as 1,234,567.50. */
static void group(const char *number, char out[40])
{
	size_t whole = strcspn(number, "."), used = 0;

	for (size_t i = 0; number[i]; i++) {
		if (i && i < whole && (whole - i) % 3 == 0)
			out[used++] = ',';
		out[used++] = number[i];
	}
	out[used] = '\0';
}

void wording_amount(int64_t amount, const char *currency, enum lang lang, char out[40])
{
	char number[CURRENCY_TEXT_SIZE], grouped[40];
	const char *symbol = currency_symbol(currency);

	currency_put(amount, currency_digits(currency), number);
	group(number, grouped);
	if (lang == LANG_KO && strcmp(currency, "KRW") == 0)
		snprintf(out, 40, "%.32s원", grouped);
	else
		snprintf(out, 40, "%s%s%.32s", *symbol ? symbol : currency, *symbol ? "" : " ", grouped);
}

size_t wording_bytes(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		if (((unsigned char)*text & 0xc0) != 0x80)
			n += (unsigned char)*text < 0x80 ? 1 : 2;
	return n;
}

static const char *value_of(const struct letter *l, char c)
{
	switch (c) {
	case 'h':
		return l->house;
	case 'n':
		return l->name;
	case 'd':
		return l->day;
	case 't':
		return l->time;
	case 'p':
		return l->party;
	case 'c':
		return l->code;
	case 'u':
		return l->until;
	case 'a':
		return l->amount;
	case 'k':
		return l->digits;
	default:
		return "";
	}
}

void wording_fill(const struct letter *l, const char *words, char *out, size_t size)
{
	size_t used = 0;

	for (; *words; words++) {
		const char *value = *words == '%' ? value_of(l, *++words) : NULL;
		size_t n = value ? strlen(value) : 1;

		if (used + n + 1 >= size)
			break;
		memcpy(out + used, value ? value : words, n);
		used += n;
	}
	out[used] = '\0';
}

/* Takes the last character off. */
static void shorten(char *text)
{
	size_t n = strlen(text);

	while (n && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
		n--;
	text[n ? n - 1 : 0] = '\0';
}

void wording_brief(struct letter *l, const char *words)
{
	struct letter cut = *l;

	wording_fill(&cut, words, l->brief, sizeof l->brief);
	while (wording_bytes(l->brief) > WORDING_BRIEF_BYTES && (*cut.house || *cut.name)) {
		shorten(wording_bytes(cut.house) > wording_bytes(cut.name) ? cut.house : cut.name);
		wording_fill(&cut, words, l->brief, sizeof l->brief);
	}
	for (; wording_bytes(l->brief) > WORDING_BRIEF_BYTES;)
		shorten(l->brief);
}
