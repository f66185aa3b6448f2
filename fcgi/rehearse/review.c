/*
 * review.c - a rehearsal told to the owner.
 */
#include "review.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	BAR_WIDTH = 40,
	PICTURE_WIDTH = 60,
	PICTURE_ROWS = 10,
};

static bool korean(void)
{
	static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return strncmp(value, "ko", 2) == 0;
	}
	return false;
}

/* The sentence in the owner's language; both take the same arguments in the same order. */
static const char *say(const char *en, const char *ko) __attribute__((format_arg(1), format_arg(2)));
static const char *say(const char *en, const char *ko)
{
	return korean() ? ko : en;
}

static const char *house_name(const struct review_scene *s)
{
	return restaurants_words(&s->restaurant, korean() ? LANG_KO : LANG_EN, s->restaurant.name, s->restaurant.name_en);
}

void review_open(const struct review_scene *s)
{
	printf(say("A dress rehearsal on a copy of the book.  The book itself is only read.\n\n",
		   "예약 장부의 사본으로 하는 예행연습입니다. 실제 장부는 읽기만 합니다.\n\n"));
	printf("  %s, %s %s\n", house_name(s), s->date, s->time);
	if (s->opens_at[0])
		printf(say("  The opening of %s to %s, on %s; on the copy it comes in a few seconds.\n",
			   "  %s부터 %s까지의 예약이 %s에 시작됩니다. 사본에서는 몇 초 뒤에 시작됩니다.\n"),
		       s->opens_first, s->opens_last, s->opens_at);
	else if (s->chosen)
		printf(say("  (the first time from tomorrow on with the most free seats; --slot chooses another)\n",
			   "  (내일부터 빈자리가 가장 많은 첫 시간입니다. --slot으로 다른 시간을 고를 수 있습니다)\n"));
	printf(say("  Seats free: %d of %d.  Guests who press the button at once: %zu, each for a party of %d.\n",
		   "  빈자리 %d석 (전체 %d석). 손님 %zu명이 동시에 예약 버튼을 누릅니다. 한 팀은 %d명입니다.\n"),
	       s->remaining, s->capacity, s->guests, s->party);
	if (s->paused)
		printf(say("  Bookings are paused in your book; on the copy they are open.\n",
			   "  지금은 예약을 멈춘 상태지만 사본에서는 엽니다.\n"));
	if (s->in_memory)
		printf(say("  The copy lies in memory, so the speed of your disk is not part of this.  To include it,\n"
			   "  set TMPDIR to a folder on that disk.\n",
			   "  사본이 메모리에 있어 디스크 속도는 반영되지 않습니다. 반영하려면 TMPDIR을 디스크의 폴더로 정해 "
			   "주세요.\n"));
	putchar('\n');
	fflush(stdout);
}

static void draw_bar(size_t answered, size_t guests)
{
	size_t full = answered * BAR_WIDTH / guests;

	fputs("\r  ", stdout);
	for (size_t i = 0; i < BAR_WIDTH; i++)
		fputs(i < full ? "█" : "░", stdout);
	printf(say("  %zu of %zu have their answer", "  %zu / %zu명 응답 받음"), answered, guests);
	fflush(stdout);
}

void review_progress(size_t answered, size_t guests)
{
	static size_t quarters; /* told so far */

	assert(guests > 0);
	if (isatty(STDOUT_FILENO)) {
		draw_bar(answered, guests);
		return;
	}
	if (answered * 4 / guests <= quarters)
		return;
	quarters = answered * 4 / guests;
	printf(say("  %zu of %zu have their answer\n", "  %zu / %zu명 응답 받음\n"), answered, guests);
	fflush(stdout);
}

/* One bar, exact to an eighth of a character; one guest is always visible. */
static void draw_row(size_t n, size_t most)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	size_t length = n * PICTURE_WIDTH * 8 / most;

	if (n && length == 0)
		length = 1;
	if (n)
		putchar(' ');
	for (size_t i = 0; i < length / 8; i++)
		fputs("█", stdout);
	if (n)
		printf("%s %zu", eighths[length % 8], n);
	putchar('\n');
}

/* 1, 2 or 5 times a power of ten: the smallest step that needs no more than PICTURE_ROWS rows. */
static int64_t step_for(int64_t last_us)
{
	static const int64_t steps[] = {2, 5, 10};
	int64_t power = 1000, step = 1000;

	while (last_us / step >= PICTURE_ROWS)
		for (size_t i = 0; i < 3 && last_us / step >= PICTURE_ROWS; i++) {
			step = power * steps[i];
			if (i == 2)
				power *= 10;
		}
	return step;
}

static void draw_picture(const struct review_play *p)
{
	size_t rows[PICTURE_ROWS] = {0}, most = 1, last;
	int64_t step = step_for(p->waits_us[p->wait_count - 1]);
	int digits = step < 10000 ? 3 : step < 100000 ? 2 : step < 1000000 ? 1 : 0;

	for (size_t i = 0; i < p->wait_count; i++)
		rows[p->waits_us[i] / step]++;
	for (size_t i = 0; i < PICTURE_ROWS; i++)
		if (rows[i] > most)
			most = rows[i];
	last = (size_t)(p->waits_us[p->wait_count - 1] / step);
	printf(say("\n  how long the guests waited\n", "\n  손님이 기다린 시간\n"));
	for (size_t i = 0; i <= last; i++) {
		printf(say("  to %6.*f s", "  %6.*f초까지"), digits, (double)(step * ((int64_t)i + 1)) / 1e6);
		draw_row(rows[i], most);
	}
	putchar('\n');
}

/* Two decimals, three below a tenth of a second. */
static const char *seconds(int64_t us, char out[24])
{
	snprintf(out, 24, "%.*f", us < 100000 ? 3 : 2, (double)us / 1e6);
	return out;
}

static void tell_waits(const struct review_play *p)
{
	char first[24], half[24], last[24];

	if (p->wait_count == 0)
		return;
	printf(say("  The first guest had an answer after %s s, half of them within %s s, the last after %s s.\n",
		   "  첫 손님은 %s초 만에, 절반은 %s초 안에, 마지막 손님은 %s초 만에 답을 받았습니다.\n"),
	       seconds(p->waits_us[0], first), seconds(p->waits_us[p->wait_count / 2], half),
	       seconds(p->waits_us[p->wait_count - 1], last));
}

static void tell_numbers(const struct review_play *p)
{
	printf(say("  %zu got in.  %zu were told that it is full.\n",
		   "  %zu명이 예약했습니다. %zu명은 자리가 없다는 답을 받았습니다.\n"),
	       p->in, p->full);
	tell_waits(p);
	if (p->shown)
		printf(say("  %zu were shown their place in the line while they waited.\n",
			   "  %zu명은 기다리는 동안 자기 순서를 보았습니다.\n"),
		       p->shown);
	else
		printf(say("  No guest waited long enough to be shown a place in the line.\n",
			   "  순서를 보여 줄 만큼 오래 기다린 손님은 없었습니다.\n"));
	if (p->knocked)
		printf(say("  %zu found the door crowded, were asked to come again in a moment, and did.\n",
			   "  %zu명은 문 앞이 붐벼 잠시 후 다시 오라는 안내를 받고 다시 왔습니다.\n"),
		       p->knocked);
}

/* One promise in a line; returns whether it was kept. */
static bool promise(bool kept, const char *yes, const char *no)
{
	printf("  %s %s\n", kept ? "✓" : "✗", kept ? yes : no);
	return kept;
}

static bool promise_answers(const struct review_play *p)
{
	char no[200];
	bool ok = p->unanswered == 0 && p->refused == 0;

	snprintf(no, sizeof no,
		 say("%zu got no answer, and %zu were refused for another reason (%s).",
		     "%zu명은 답을 받지 못했고 %zu명은 다른 이유로 거절되었습니다(%s)."),
		 p->unanswered, p->refused, p->refusal ? p->refusal : "-");
	return promise(ok, say("Everybody got a clear answer.", "모든 손님이 분명한 답을 받았습니다."), no);
}

static bool promise_order(const struct review_play *p)
{
	char yes[300];

	snprintf(yes, sizeof yes,
		 say("The order was kept: those who got in are the first %zu of the %llu who stood in the line.",
		     "순서를 지켰습니다: 예약한 손님은 줄을 선 순서로 앞의 %zu명입니다(줄 선 손님 %llu명)."),
		 p->written, (unsigned long long)p->drawn);
	return promise(p->in_order, yes,
		       say("The order was NOT kept: a guest got in before another who stood further in front.",
			   "순서가 지켜지지 않았습니다: 뒤에 선 손님이 먼저 예약했습니다."));
}

static bool promise_seats(const struct review_play *p)
{
	char yes[300], no[300];
	bool ok = p->findings == 0 && p->taken <= p->capacity;

	snprintf(yes, sizeof yes,
		 say("No seat was sold twice: %d of %d seats are taken, and every rule of `jari check` holds.",
		     "한 자리도 두 번 팔리지 않았습니다: %d석 예약 (전체 %d석), `jari check`의 규칙이 모두 맞습니다."),
		 p->taken, p->capacity);
	snprintf(no, sizeof no,
		 say("The seats are NOT right: %d of %d taken, and `jari check` has %d findings.",
		     "자리가 맞지 않습니다: %d석 예약 (전체 %d석), `jari check`가 찾은 문제 %d개."),
		 p->taken, p->capacity, p->findings);
	return promise(ok, yes, no);
}

static bool promise_book(const struct review_play *p)
{
	char no[300];
	bool ok = p->missing == 0 && p->written == p->in;

	snprintf(no, sizeof no,
		 say("The book has %zu reservations for %zu guests who got in; %zu are not as they were told.",
		     "장부에는 %zu건, 예약했다는 답을 받은 손님은 %zu명이며 %zu건이 다릅니다."),
		 p->written, p->in, p->missing);
	return promise(ok, say("Every yes is in the book.", "예약했다는 답은 모두 장부에 있습니다."), no);
}

/* What an opening promises besides. */
static bool promise_opening(const struct review_opening *o)
{
	char yes[300], no[300], yes_second[200];
	bool ok = o->early_in == 0 && o->early_told == o->early && o->pages_failed == 0;

	snprintf(yes, sizeof yes,
		 say("Nobody got in early: %zu pressed before the moment, and were told when it is; %zu pages waited.",
		     "일찍 누른 손님은 예약하지 못했습니다: %zu명이 먼저 눌러 시작 시각을 안내받았고, 페이지 %zu개가 "
		     "기다렸습니다."),
		 o->early, o->pages);
	snprintf(no, sizeof no,
		 say("Of %zu who pressed before the moment %zu got in and %zu were told when it is; %zu pages had no answer.",
		     "먼저 누른 %zu명 가운데 %zu명이 예약했고 %zu명이 안내를 받았습니다. 답을 받지 못한 페이지 %zu개."),
		 o->early, o->early_in, o->early_told, o->pages_failed);
	ok = promise(ok, yes, no);
	snprintf(yes_second, sizeof yes_second,
		 say("A second device brought nothing: %zu tried.",
		     "다른 기기를 함께 써도 소용없었습니다: %zu명이 시도했습니다."),
		 o->seconds);
	return promise(o->twice == 0, yes_second,
		       say("A guest got two tables with two devices.", "기기 두 대로 두 자리를 얻은 손님이 있습니다.")) &&
	       ok;
}

bool review_close(const struct review_play *p)
{
	bool ok;

	if (isatty(STDOUT_FILENO))
		fputs("\r\033[K", stdout); /* the bar has served */
	tell_numbers(p);
	if (p->wait_count)
		draw_picture(p);
	ok = promise_answers(p);
	if (p->opening)
		ok = promise_opening(p->opening) && ok;
	ok = promise_order(p) && ok;
	ok = promise_seats(p) && ok;
	ok = promise_book(p) && ok;
	ok = promise(!p->seats_left,
		     say("No guest was turned away while there was room.", "자리가 있는데 거절된 손님은 없습니다."),
		     say("A guest was turned away although there was room.", "자리가 있는데도 거절된 손님이 있습니다.")) &&
	     ok;
	printf("\n  %s\n", ok ? say("Everything held.", "모두 잘 되었습니다.") :
				say("Something did not hold; see above.", "문제가 있었습니다. 위를 보세요."));
	return ok;
}

void review_stopped(void)
{
	fprintf(stderr, say("\njari: stopped before the end; nothing is left behind, and the book is as it was\n",
			    "\njari: 도중에 멈췄습니다. 남은 것은 없고 장부는 그대로입니다\n"));
}
