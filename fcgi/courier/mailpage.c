/*
 * mailpage.c - a message as the two parts of a mail: text and HTML.
 */
#include "mailpage.h"

#include "wording.h"

#include <stdio.h>

static void put_escaped(struct buf *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			buf_str(out, "&amp;");
			break;
		case '<':
			buf_str(out, "&lt;");
			break;
		case '>':
			buf_str(out, "&gt;");
			break;
		case '"':
			buf_str(out, "&quot;");
			break;
		default:
			buf_add(out, text, 1);
		}
}

/* ---- the parts of a mail ---- */

const char *mailpage_both(const struct letter *l, const char *ko, const char *en)
{
	return l->lang == LANG_KO ? ko : en;
}

/* Every fact as a pair of a name and a value. */
static void each_fact(const struct mailpage *g, void (*tell)(struct letter *l, const char *name, const char *value))
{
	const struct reservation *v = g->v;
	struct letter *l = g->l;
	const char *address = restaurants_words(g->r, l->lang, g->r->address, g->r->address_en);
	char text[400], ends[8];

	if (!v)
		return;
	snprintf(text, sizeof text, "%s %s", l->day, l->time);
	if (restaurants_tells_end(g->r)) { /* until when the table is theirs */
		wording_time(g->r->zone, v->ends_at, ends);
		snprintf(text, sizeof text, "%s %s%s%s", l->day, l->time, mailpage_both(l, " ~ ", "–"), ends);
	}
	tell(l, mailpage_both(l, "일시", "When"), text);
	snprintf(text, sizeof text, "%s%s", l->party, mailpage_both(l, "명", ""));
	tell(l, mailpage_both(l, "인원", "Party"), text);
	tell(l, mailpage_both(l, "이름", "Name"), l->name);
	tell(l, mailpage_both(l, "예약번호", "Code"), l->code);
	tags_say(v->tags, l->lang, text);
	if (text[0])
		tell(l, mailpage_both(l, "알려 주신 것", "We know of"), text);
	if (v->request[0])
		tell(l, mailpage_both(l, "요청 사항", "Request"), v->request);
	if (v->status == LIFE_TEMPORARY && v->total > 0 && g->r->payment_text[0])
		tell(l, mailpage_both(l, "입금 안내", "How to pay"), g->r->payment_text);
	if (g->back > 0) {
		wording_amount(g->back, v->currency, l->lang, text);
		tell(l, mailpage_both(l, "환불 금액", "Refund"), text);
	}
	if (address[0])
		tell(l, mailpage_both(l, "주소", "Address"), address);
	if (g->r->phone[0])
		tell(l, mailpage_both(l, "전화", "Phone"), g->r->phone);
}

static void tell_text(struct letter *l, const char *name, const char *value)
{
	buf_fmt(&l->text, "%s: %s\n", name, value);
}

static void tell_html(struct letter *l, const char *name, const char *value)
{
	buf_str(&l->html, "<tr><th scope=\"row\">");
	put_escaped(&l->html, name);
	buf_str(&l->html, "</th><td>");
	put_escaped(&l->html, value);
	buf_str(&l->html, "</td></tr>\n");
}

static const char *own_words(const struct mailpage *g)
{
	const struct restaurant *r = g->r;

	if (!g->v)
		return "";
	return restaurants_words(r, g->l->lang, r->message_text, r->message_text_en);
}

static void put_text(const struct mailpage *g)
{
	struct buf *out = &g->l->text;
	const char *own = own_words(g);

	if (*own)
		buf_fmt(out, "%s\n\n", own);
	buf_fmt(out, "%s\n\n", g->lead);
	each_fact(g, tell_text);
	if (g->rows && buf_ok(g->rows) && g->rows->len)
		buf_str(out, g->rows->data);
	for (size_t i = 0; i < 2; i++)
		if (g->links[i].url[0])
			buf_fmt(out, "\n%s: %s\n", g->links[i].label, g->links[i].url);
	buf_fmt(out, "\n-- \n%s\n", g->l->house);
}

/* Quiet enough for every mail program: a column, a table of facts, buttons that are links; dark where the reader is. */
static const char head[] =
	"<!doctype html><html lang=\"%s\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"
	"<meta name=\"color-scheme\" content=\"light dark\"><title>%s</title><style>"
#include "mailpage_style.inc"
	"</style></head><body><main class=\"c\">\n";

static void put_html(const struct mailpage *g)
{
	struct buf *out = &g->l->html, title = {0};
	const char *own = own_words(g);

	put_escaped(&title, g->l->subject);
	buf_fmt(out, head, mailpage_both(g->l, "ko", "en"), buf_ok(&title) ? title.data : "");
	buf_free(&title);
	buf_str(out, "<h1>");
	put_escaped(out, g->l->house);
	buf_str(out, "</h1>\n");
	if (*own) {
		buf_str(out, "<p class=\"own\">");
		put_escaped(out, own);
		buf_str(out, "</p>\n");
	}
	buf_str(out, "<p>");
	put_escaped(out, g->lead);
	buf_str(out, "</p>\n");
	if (g->l->digits[0])
		buf_fmt(out, "<p class=\"k\">%s</p>\n", g->l->digits);
	if (g->v) {
		buf_str(out, "<table>\n");
		each_fact(g, tell_html);
		buf_str(out, "</table>\n");
	}
	if (g->rows && buf_ok(g->rows) && g->rows->len) {
		buf_str(out, "<pre>");
		put_escaped(out, g->rows->data);
		buf_str(out, "</pre>\n");
	}
	for (size_t i = 0; i < 2; i++)
		if (g->links[i].url[0]) {
			buf_fmt(out, "<a class=\"b%s\" href=\"", i ? " s" : "");
			put_escaped(out, g->links[i].url);
			buf_str(out, "\">");
			put_escaped(out, g->links[i].label);
			buf_str(out, "</a>\n");
		}
	buf_fmt(out, "<p class=\"f\">%s</p></main></body></html>\n",
		mailpage_both(g->l, "이 메일은 자동으로 발송되었습니다.", "This mail was sent automatically."));
}

void mailpage_write(const struct mailpage *g)
{
	put_text(g);
	put_html(g);
}
