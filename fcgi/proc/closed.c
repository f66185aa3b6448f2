/*
 * closed.c - a box that serves nobody.
 */
#include "closed.h"

#include "clock.h"
#include "front_fcgi.h"
#include "hall.h"
#include "log.h"
#include "role.h"
#include "stop.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOOK_MS = 500, AGAIN_S = 5, OLD_S = 120 };

/* ---- the page of the spare ---- */

static void put_html(struct buf *out, const char *text)
{
	for (; *text; text++)
		if (strchr("<>&\"", *text))
			buf_fmt(out, "&#%d;", *text);
		else
			buf_add(out, text, 1);
}

/* "4 s", as people say it. */
static void put_age(struct buf *out, int64_t s, bool ko)
{
	s = s < 0 ? 0 : s;
	if (s < 120)
		buf_fmt(out, ko ? "%lld초" : "%lld s", (long long)s);
	else if (s < 7200)
		buf_fmt(out, ko ? "%lld분" : "%lld min", (long long)s / 60);
	else if (s < 172800)
		buf_fmt(out, ko ? "%lld시간" : "%lld h", (long long)s / 3600);
	else
		buf_fmt(out, ko ? "%lld일" : "%lld days", (long long)s / 86400);
}

/* One language of it.  The other box asks every ten seconds: while it is heard, the copy has everything, however old it is. */
static void put_words(struct buf *out, const struct role_copy *c, int64_t now_s, bool ko)
{
	bool hears = now_s - c->heard_s < OLD_S;

	buf_fmt(out, "<section lang=\"%s\"><h1>", ko ? "ko" : "en");
	put_html(out, c->house);
	buf_str(out, ko ? " 예비 기기</h1><p><strong>" : " · spare box</h1><p><strong>");
	if (hears)
		buf_str(out, ko ? "준비되어 있습니다." : "Ready.");
	else
		buf_str(out, ko ? "본 기기와 연결되어 있지 않습니다." : "Not in touch with the box that serves.");
	buf_str(out, ko ? "</strong> 예약은 본 기기에서 받고 있습니다.</p><p>마지막 사본: " :
			  "</strong> Bookings are taken by the other box.</p><p>Last copy: ");
	put_age(out, now_s - c->made_s, ko);
	buf_str(out, ko ? " 전. 본 기기와 마지막으로 연결된 때: " : " ago. The other box was last heard of ");
	put_age(out, now_s - c->heard_s, ko);
	buf_str(out, ko ? " 전.</p>" : " ago.</p>");
	if (!hears)
		buf_str(out,
			ko ? "<p>본 기기가 고장 났다면 그 전원을 끄고, 이 기기에서 <code>sudo jari takeover</code>를 "
			     "실행해 주세요.</p>" :
			     "<p>If the other box is broken: switch it off, and say <code>sudo jari takeover</code> on this "
			     "one.</p>");
	if (c->site[0]) {
		buf_str(out, ko ? "<p>예약 페이지: " : "<p>Guests book at ");
		put_html(out, c->site);
		buf_str(out, "</p>");
	}
	buf_str(out, "</section>");
}

static void page(const char *dir, struct reply *reply)
{
	struct role_copy c;
	int64_t now_s = clock_now_s();

	role_copy(dir, &c);
	reply->type = "text/html; charset=utf-8";
	reply_header(reply, "Refresh", "5");
	buf_str(&reply->body,
		"<!doctype html><html lang=\"ko\"><meta charset=\"utf-8\">"
		"<meta name=\"viewport\" content=\"width=device-width\"><meta name=\"robots\" content=\"noindex\">"
		"<title>jari · spare</title><link rel=\"stylesheet\" href=\"/style.css\"><main class=\"missing\">");
	put_words(&reply->body, &c, now_s, true);
	put_words(&reply->body, &c, now_s, false);
	buf_str(&reply->body, "</main></html>\n");
}

/* ---- an answer ---- */

/* Staff read since when, and what to do. */
static bool is_for_staff(const struct req *r)
{
	return strncmp(r->path, "/api/desk", 9) == 0 || strcmp(r->path, "/api/login") == 0;
}

static void tell_staff(const struct role_replaced *gone, const struct req *r, struct reply *reply)
{
	struct json *j = json_new();
	time_t then = (time_t)gone->when_s;
	char when[40], text[400], iso[CLOCK_ISO_SIZE];
	struct tm at;

	localtime_r(&then, &at);
	strftime(when, sizeof when, "%Y-%m-%d %H:%M", &at);
	snprintf(text, sizeof text,
		 r->lang == LANG_KO ?
			 "이 기기는 %s에 예비 기기로 교체되었습니다. 데스크를 평소 주소로 다시 열어 주세요. 이 기기에만 있는 "
			 "예약은 `jari status`로 볼 수 있습니다." :
			 "A spare took the place of this box at %s. Open the desk at its usual address; `jari status` on "
			 "this box lists the bookings that only it has.",
		 when);
	clock_iso(gone->when_s, iso);
	json_text(j, "replacedAt", iso);
	json_text(j, "code", err_word(ERR_BOX_REPLACED));
	json_text(j, "message", text);
	reply_header(reply, "Retry-After", "5");
	reply_json(reply, err_status(ERR_BOX_REPLACED), j);
}

static void refuse(const char *dir, const struct req *r, struct reply *reply, enum role role)
{
	struct role_replaced gone;
	struct role_copy copy;
	char when[CLOCK_ISO_SIZE];

	reply->to_page = r->from_page;
	reply->retry_after_s = AGAIN_S;
	if (strcmp(r->path, "/healthz") == 0)
		json_text(reply_extra(reply), "status", "fault");
	if (role == ROLE_REPLACED && role_replaced(dir, &gone) && gone.when_s) {
		if (is_for_staff(r)) {
			tell_staff(&gone, r, reply);
			return;
		}
		clock_iso(gone.when_s, when);
		json_text(reply_extra(reply), "replacedAt", when);
	}
	if (role == ROLE_SPARE && role_copy(dir, &copy)) {
		clock_iso(copy.made_s, when);
		json_text(reply_extra(reply), "copyOf", when);
	}
	/* While the roles change, the workers of the new one are on their way. */
	reply_error(reply,
		    role == ROLE_REPLACED ? ERR_BOX_REPLACED :
		    role == ROLE_SPARE    ? ERR_BOX_SPARE :
					    ERR_BOOK_BUSY,
		    r->lang);
}

void closed_answer(const char *dir, const struct req *r, struct reply *reply)
{
	enum role role = role_of(dir);
	bool reads = strcmp(r->method, "GET") == 0 || strcmp(r->method, "HEAD") == 0;

	reply_clear(reply);
	if (role == ROLE_SPARE && reads && strcmp(r->path, "/") == 0)
		page(dir, reply);
	else
		refuse(dir, r, reply, role);
}

/* ---- the worker ---- */

int closed_run(const char *dir, int listen_fd, int post)
{
	static struct hall hall;
	static struct req r;
	static struct reply reply;
	struct pollfd p = {.fd = listen_fd, .events = POLLIN};

	log_name("closed");
	stop_on_term();
	if (hall_attach(&hall, dir) != ERR_OK || !front_fcgi_init(listen_fd))
		return EXIT_FAILURE;
	while (!stop_asked) {
		board_ready(hall.board, post);
		if (poll(&p, 1, LOOK_MS) <= 0)
			continue;
		board_busy(hall.board, post);
		if (!front_fcgi_accept(&r)) {
			board_rest(hall.board, post);
			continue;
		}
		closed_answer(dir, &r, &reply);
		front_fcgi_finish(&r, &reply);
		board_idle(hall.board, post);
	}
	hall_detach(&hall);
	return EXIT_SUCCESS;
}
