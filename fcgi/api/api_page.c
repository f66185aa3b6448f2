/*
 * api_page.c - the guests' page with the restaurant's name in it, its manifest, and the page of a payment.
 *
 * The page is www/guest/index.html, whose script does everything.  What link previews, search engines and browsers
 * without JavaScript need to find in it is put in here: title, description, name, telephone, hours.
 */
#include "route.h"

#include "paysettings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

extern const char embed_page[], embed_pay[];

/* Lines of the page that are replaced, in their order; as they are, the page works without us. */
static const char HTML_LINE[] = "<html lang=\"ko\">", TITLE_LINE[] = "<title>자리 · jari</title>",
		  PLAIN_LINE[] = "<p>이 페이지에는 JavaScript가 필요합니다. / This page needs JavaScript.</p>";
/* And its words before and after the last of them, as the script has them too: a guest in Berlin sees no Korean on the way. */
static const struct {
	const char *ko, *en;
} words_before[] = {{"본문으로 건너뛰기", "Skip to content"},
		    {"자리</span>", "jari</span>"},
		    {"내 예약", "My reservations"},
		    {"언어", "Language"}},
  words_after[] = {{"시간은 모두 식당 현지 시간입니다.", "All times are the restaurant's local time."}};

/* The language that the client asked for, else that of the house. */
static enum lang page_lang(const struct call *c)
{
	return c->req->lang_asked ? c->req->lang : c->restaurant.lang;
}

static const char *own_text(const struct call *c, const char *own, const char *other)
{
	return restaurants_words(&c->restaurant, page_lang(c), own, other);
}

static void put_html(struct buf *out, const char *text)
{
	for (; *text; text++) {
		const char *as = *text == '<' ? "&lt;" :
				 *text == '>' ? "&gt;" :
				 *text == '&' ? "&amp;" :
				 *text == '"' ? "&quot;" :
						NULL;

		if (as)
			buf_str(out, as);
		else
			buf_add(out, text, 1);
	}
}

static void put_meta(struct buf *out, const char *kind, const char *name, const char *value)
{
	buf_fmt(out, "<meta %s=\"%s\" content=\"", kind, name);
	put_html(out, value);
	buf_str(out, "\">\n");
}

/* What a link to this page looks like in a message. */
static void put_head(struct call *c, struct buf *out)
{
	const struct restaurant *r = &c->restaurant;
	const char *name = own_text(c, r->name, r->name_en), *address = own_text(c, r->address, r->address_en);
	bool ko = page_lang(c) == LANG_KO;
	char about[1200], site[CALL_SITE_SIZE];

	snprintf(about, sizeof about, ko ? "%s 온라인 예약%s%s%s%s" : "Book a table at %s%s%s%s%s", name, *address ? " · " : "",
		 address, r->phone[0] ? " · " : "", r->phone);
	buf_str(out, "<title>");
	put_html(out, name);
	buf_fmt(out, " · %s</title>\n", ko ? "예약" : "Reservations");
	put_meta(out, "name", "description", about);
	put_meta(out, "property", "og:type", "website");
	put_meta(out, "property", "og:title", name);
	put_meta(out, "property", "og:site_name", name);
	put_meta(out, "property", "og:description", about);
	put_meta(out, "property", "og:locale", ko ? "ko_KR" : "en_GB");
	if (call_site(c, site)) {
		char address_of[CALL_SITE_SIZE + 40];

		snprintf(address_of, sizeof address_of, "%s/", site);
		put_meta(out, "property", "og:url", address_of);
		snprintf(address_of, sizeof address_of, "%s/icon-512.png", site);
		put_meta(out, "property", "og:image", address_of);
	}
	buf_fmt(out, "<link rel=\"manifest\" href=\"/manifest.webmanifest?restaurant=%lld\">", (long long)r->id);
}

struct plain_hours {
	struct buf *out;
	enum lang lang;
	int weekday; /* of the row that is open; 0: none */
};

static void put_span(void *arg, const struct stmt_cell *row, int count)
{
	static const char *const days[2][8] = {
		[LANG_KO] = {"", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일"},
		[LANG_EN] = {"", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"},
	};
	struct plain_hours *p = arg;
	const char *opens = stmt_cell(row, count, "opens")->text, *closes = stmt_cell(row, count, "closes")->text;
	int weekday = (int)stmt_cell(row, count, "weekday")->number;

	assert(weekday >= 1 && weekday <= 7);
	if (weekday == p->weekday)
		buf_fmt(p->out, ", %s–%s", opens, closes);
	else
		buf_fmt(p->out, "%s<tr><th scope=\"row\">%s</th><td>%s–%s",
			p->weekday ? "</td></tr>" : "<table class=\"hours\">", days[p->lang][weekday], opens, closes);
	p->weekday = weekday;
}

/* For a browser without JavaScript: who they are, when they are open, and that one can call. */
static enum err put_plain(struct call *c, struct buf *out)
{
	const struct restaurant *r = &c->restaurant;
	struct plain_hours hours = {.out = out, .lang = page_lang(c)};
	enum err e;

	buf_str(out, "<h2>");
	put_html(out, own_text(c, r->name, r->name_en));
	buf_str(out, "</h2>\n<p>");
	put_html(out, own_text(c, r->address, r->address_en));
	buf_str(out, "</p>\n");
	e = restaurants_week(c->db, r->id, put_span, &hours);
	if (hours.weekday)
		buf_str(out, "</td></tr></table>\n");
	if (r->phone[0]) {
		buf_str(out, page_lang(c) == LANG_KO ? "<p>예약 문의 <a href=\"tel:" : "<p>To book, call <a href=\"tel:");
		for (const char *p = r->phone; *p; p++)
			if ((*p >= '0' && *p <= '9') || *p == '+')
				buf_add(out, p, 1);
		buf_str(out, "\">");
		put_html(out, r->phone);
		buf_str(out, "</a></p>\n");
	}
	buf_str(out, page_lang(c) == LANG_KO ? "<p>온라인 예약에는 JavaScript가 필요합니다.</p>" :
					       "<p>Booking online needs JavaScript.</p>");
	return e;
}

/* Copies the page up to that line and steps over it. */
static const char *copy_to(struct buf *out, const char *from, const char *line)
{
	const char *at = strstr(from, line);

	assert(at); /* a test looks for all of them */
	buf_add(out, from, (size_t)(at - from));
	return at + strlen(line);
}

/* The restaurant that ?restaurant= names, else the first. */
static enum err find_restaurant(struct call *c)
{
	int64_t id = 0;
	enum err e = call_int(c, "restaurant", 1, INT64_MAX - 1, 0, &id);

	if (e != ERR_OK || !id)
		e = restaurants_first(c->db, &id);
	return e == ERR_OK ? restaurants_get(c->db, id, &c->restaurant) : e;
}

enum err api_page(struct call *c)
{
	struct buf *out = &c->reply->body;
	const char *rest = embed_page;
	enum err e = find_restaurant(c);
	bool ko;

	c->reply->type = "text/html; charset=utf-8";
	if (e == ERR_NO_SUCH_RESTAURANT) { /* the script says so better than we can */
		buf_str(out, rest);
		return ERR_OK;
	}
	if (e != ERR_OK)
		return e;
	ko = page_lang(c) == LANG_KO;
	rest = copy_to(out, rest, HTML_LINE);
	buf_fmt(out, "<html lang=\"%s\" data-restaurant=\"%lld\" data-speaks=\"%s\">", ko ? "ko" : "en",
		(long long)c->restaurant.id, c->restaurant.lang == LANG_KO ? "ko" : "en");
	rest = copy_to(out, rest, TITLE_LINE);
	put_head(c, out);
	for (size_t i = 0; i < sizeof words_before / sizeof words_before[0]; i++) {
		rest = copy_to(out, rest, words_before[i].ko);
		buf_str(out, ko ? words_before[i].ko : words_before[i].en);
	}
	rest = copy_to(out, rest, PLAIN_LINE);
	e = put_plain(c, out);
	for (size_t i = 0; i < sizeof words_after / sizeof words_after[0]; i++) {
		rest = copy_to(out, rest, words_after[i].ko);
		buf_str(out, ko ? words_after[i].ko : words_after[i].en);
	}
	buf_str(out, rest);
	return e;
}

/*
 * The page of a payment, which alone loads a script that is not ours.  Whose that is depends on the restaurant, so we say it
 * beside the page: nginx chooses the policy by that word and takes it out, and front_cgi does the same.
 */
enum err api_pay_page(struct call *c)
{
	struct paysettings p;
	enum err e = find_restaurant(c);

	c->reply->type = "text/html; charset=utf-8";
	if (e == ERR_OK)
		e = paysettings_get(c->db, c->restaurant.id, &p);
	if (e != ERR_OK && e != ERR_NO_SUCH_RESTAURANT) /* without one the script says what is wrong */
		return e;
	if (e == ERR_OK && paysettings_online(&p))
		reply_header(c->reply, "Jari-Provider", intent_provider_word(p.provider));
	buf_str(&c->reply->body, embed_pay);
	return ERR_OK;
}

static void add_icon(struct json *list, const char *src, const char *sizes, const char *type)
{
	struct json *j = json_new();

	json_text(j, "src", src);
	json_text(j, "sizes", sizes);
	json_text(j, "type", type);
	json_push(list, j);
}

enum err api_manifest(struct call *c)
{
	struct json *j, *icons;
	const char *name;
	char start[64];
	enum err e = find_restaurant(c);

	if (e != ERR_OK)
		return e;
	name = own_text(c, c->restaurant.name, c->restaurant.name_en);
	snprintf(start, sizeof start, "/?restaurant=%lld", (long long)c->restaurant.id);
	j = json_new();
	icons = json_list();
	json_text(j, "name", name);
	json_text(j, "short_name", name);
	json_text(j, "lang", page_lang(c) == LANG_KO ? "ko" : "en");
	json_text(j, "start_url", start);
	json_text(j, "scope", "/");
	json_text(j, "display", "browser");
	json_text(j, "background_color", "#f7f1e7");
	json_text(j, "theme_color", "#f7f1e7");
	add_icon(icons, "/favicon.svg", "any", "image/svg+xml");
	add_icon(icons, "/icon-512.png", "512x512", "image/png");
	json_put(j, "icons", icons);
	reply_json(c->reply, 200, j);
	c->reply->type = "application/manifest+json; charset=utf-8";
	return ERR_OK;
}
