/*
 * letter.c - what a message says.
 */
#include "letter.h"

#include "calendar.h"
#include "money.h"
#include "payments.h"
#include "phrases.h"
#include "plain.h"
#include "proofs.h"
#include "restaurants.h"
#include "timeset.h"
#include "zone.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- small things ---- */

void letter_free(struct letter *l)
{
	buf_free(&l->text);
	buf_free(&l->html);
	buf_free(&l->calendar);
}

size_t letter_bytes(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		if (((unsigned char)*text & 0xc0) != 0x80)
			n += (unsigned char)*text < 0x80 ? 1 : 2;
	return n;
}

static void name_day(const char *date, enum lang lang, char out[40])
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

/* An instant as a time of day there. */
static void name_time(const char *zone, const char *iso, char out[8])
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

static void name_amount(int64_t amount, const char *currency, char out[40])
{
	char digits[24], grouped[32];
	int n = snprintf(digits, sizeof digits, "%lld", (long long)amount), used = 0;

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			grouped[used++] = ',';
		grouped[used++] = digits[i];
	}
	grouped[used] = '\0';
	snprintf(out, 40, strcmp(currency, "KRW") == 0 ? "%s원" : "%s %s", grouped, currency);
}

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

static void fill(const struct letter *l, const char *words, char *out, size_t size)
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

/* The short text; names are cut until it has one part. */
static void fill_brief(struct letter *l, const char *words)
{
	struct letter cut = *l;

	fill(&cut, words, l->brief, sizeof l->brief);
	while (letter_bytes(l->brief) > LETTER_SHORT_BYTES && (*cut.house || *cut.name)) {
		shorten(letter_bytes(cut.house) > letter_bytes(cut.name) ? cut.house : cut.name);
		fill(&cut, words, l->brief, sizeof l->brief);
	}
	for (; letter_bytes(l->brief) > LETTER_SHORT_BYTES;)
		shorten(l->brief);
}

/* ---- the parts of a mail ---- */

struct link {
	const char *label;
	char url[440];
};

struct page {
	const struct letter_post *p;
	const struct restaurant *r;
	const struct reservation *v; /* NULL: it is about none */
	struct letter *l;
	struct link links[2];
	char lead[900];
	int64_t back;     /* what is given back to the guest */
	struct buf *rows; /* of a sheet or digest, as text; NULL: none */
	int count;        /* of them */
};

static const char *both(const struct letter *l, const char *ko, const char *en)
{
	return l->lang == LANG_KO ? ko : en;
}

/* Every fact as a pair of a name and a value. */
static void each_fact(const struct page *g, void (*tell)(struct letter *l, const char *name, const char *value))
{
	const struct reservation *v = g->v;
	struct letter *l = g->l;
	const char *address = both(l, g->r->address, g->r->address_en[0] ? g->r->address_en : g->r->address);
	char text[400];

	if (!v)
		return;
	snprintf(text, sizeof text, "%s %s", l->day, l->time);
	tell(l, both(l, "일시", "When"), text);
	snprintf(text, sizeof text, "%s%s", l->party, both(l, "명", ""));
	tell(l, both(l, "인원", "Party"), text);
	tell(l, both(l, "이름", "Name"), l->name);
	tell(l, both(l, "예약번호", "Code"), l->code);
	if (v->request[0])
		tell(l, both(l, "요청", "Request"), v->request);
	if (v->status == LIFE_TEMPORARY && v->total > 0 && g->r->payment_text[0])
		tell(l, both(l, "입금 안내", "How to pay"), g->r->payment_text);
	if (g->back > 0) {
		name_amount(g->back, v->currency, text);
		tell(l, both(l, "돌려 드릴 금액", "To be returned"), text);
	}
	if (address[0])
		tell(l, both(l, "주소", "Address"), address);
	if (g->r->phone[0])
		tell(l, both(l, "전화", "Phone"), g->r->phone);
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

static const char *own_words(const struct page *g)
{
	const struct restaurant *r = g->r;

	if (!g->v)
		return "";
	return g->l->lang == LANG_EN && r->message_text_en[0] ? r->message_text_en : r->message_text;
}

static void put_text(const struct page *g)
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
	"body{margin:0;padding:24px 12px;background:#f7f1e8;color:#2a211b;font:16px/1.6 system-ui,-apple-system,'Apple SD "
	"Gothic Neo','Noto Sans KR',sans-serif}"
	".c{max-width:480px;margin:0 auto;background:#fffdf9;border:1px solid #e6dccb;border-radius:16px;padding:24px}"
	"h1{font-size:20px;margin:0 0 12px}.own{color:#4f463e;margin:0 0 "
	"16px;white-space:pre-line}.k{font-size:32px;letter-spacing:6px;font-weight:700}"
	"table{border-collapse:collapse;width:100%%;margin:16px 0}th{text-align:left;font-weight:500;color:#4f463e;padding:6px "
	"12px 6px 0;vertical-align:top;white-space:nowrap}"
	"td{padding:6px 0;white-space:pre-line;overflow-wrap:anywhere}pre{font:15px/1.7 "
	"inherit;white-space:pre-wrap;margin:16px 0}"
	".b{display:inline-block;margin:6px 8px 6px 0;padding:12px "
	"20px;border-radius:12px;background:#86310f;color:#fff;text-decoration:none;font-weight:600}"
	".s{background:#f1e8db;color:#2a211b}.f{color:#4f463e;font-size:13px;margin:20px 0 0}"
	"@media (prefers-color-scheme:dark){body{background:#171310;color:#f3ebe1}.c{background:#211b17;border-color:#3a3029}"
	".own,th,.f{color:#cfc3b8}.b{background:#f5ab87;color:#2b1108}.s{background:#3a3029;color:#f3ebe1}}"
	"</style></head><body><main class=\"c\">\n";

static void put_html(const struct page *g)
{
	struct buf *out = &g->l->html, title = {0};
	const char *own = own_words(g);

	put_escaped(&title, g->l->subject);
	buf_fmt(out, head, both(g->l, "ko", "en"), buf_ok(&title) ? title.data : "");
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
		both(g->l, "이 메일은 자동으로 보냈습니다.", "This mail was sent automatically."));
}

/* ---- which letter ---- */

/* Does it still make sense?  What it tells must be so now. */
static const char *lost_sense(const struct letter_post *p, const struct outbox_row *row, const struct reservation *v)
{
	bool coming = v->status == LIFE_CONFIRMED || v->status == LIFE_PREPAY_CONFIRM, held = v->status == LIFE_TEMPORARY;
	int64_t starts = 0;

	clock_parse_iso(v->starts_at, &starts);
	switch (row->event) {
	case OUTBOX_CONFIRMED:
		return coming ? NULL : "no longer so";
	case OUTBOX_HELD:
		return held && !v->offered ? NULL : "no longer held";
	case OUTBOX_LAPSING:
		return !held || v->offered                               ? "no longer held" :
		       strcmp(row->planned_for, v->hold_expires_at) != 0 ? "it is held until another time" :
									   NULL;
	case OUTBOX_OFFER:
		return held && v->offered ? NULL : "the offer is over";
	case OUTBOX_CHANGED:
		return coming || held ? NULL : "no longer so";
	case OUTBOX_CANCELLED:
	case OUTBOX_REFUSED:
		return v->status == LIFE_CANCELED || v->status == LIFE_REFUND_PENDING || v->status == LIFE_REFUNDED ?
			       NULL :
			       "no longer so";
	case OUTBOX_REMIND_DAY:
	case OUTBOX_REMIND_SOON:
		return !coming                                     ? "no longer so" :
		       strcmp(row->planned_for, v->starts_at) != 0 ? "it begins at another time" :
		       starts <= p->now_s                          ? "it has begun" :
		       strcmp(v->visit_status, "PENDING") != 0     ? "they are here" :
								     NULL;
	case OUTBOX_CODE:
	case OUTBOX_OWNER_NEW:
	case OUTBOX_OWNER_DIGEST:
	case OUTBOX_DAY_SHEET:
	case OUTBOX_TEST:
	case OUTBOX__EVENTS:
		break;
	}
	return NULL;
}

static bool is_to_owner(enum outbox_event e)
{
	return e == OUTBOX_OWNER_NEW || e == OUTBOX_OWNER_DIGEST || e == OUTBOX_DAY_SHEET || e == OUTBOX_TEST;
}

/* What says "today" or "tomorrow", and is wrong on any other day. */
static bool is_of_its_time(enum outbox_event e)
{
	return e == OUTBOX_REMIND_DAY || e == OUTBOX_REMIND_SOON || e == OUTBOX_DAY_SHEET;
}

/* A reservation is one line of a sheet, whatever its guest wrote. */
static void put_in_a_line(struct buf *out, const char *text)
{
	for (; *text; text++)
		buf_add(out, *text == '\n' ? " " : text, 1);
}

static void add_row(void *arg, const struct reservation *v)
{
	struct page *g = arg;
	char day[40];

	g->count++;
	name_day(v->date, g->l->lang, day);
	buf_fmt(g->rows, "%s %s  %d%s  %s", day, v->time, v->party, both(g->l, "명", ""), v->guest);
	if (v->request[0]) {
		buf_str(g->rows, "  (");
		put_in_a_line(g->rows, v->request);
		buf_str(g->rows, ")");
	}
	if (v->status == LIFE_TEMPORARY)
		buf_str(g->rows, both(g->l, "  입금 전", "  not paid yet"));
	buf_str(g->rows, "\n");
}

/* The lines of a sheet or digest; ERR_BAD_MOVE for a digest that has nothing to say. */
static enum err list_rows(struct page *g, const struct outbox_row *row)
{
	char date[TEXT_DATE_SIZE];
	struct date today;
	int64_t before = -1;
	bool known;
	int minute;
	enum err e;

	if (row->event == OUTBOX_OWNER_NEW) { /* those of its minute: from the first on, and what has come until now */
		e = outbox_owner_knows(g->p->db, row, &known);
		if (e != ERR_OK || known)
			return e == ERR_OK ? ERR_BAD_MOVE : e;
		return outbox_digest(g->p->db, row->restaurant_id, row->first_reservation - 1, INT64_MAX, g->p->now_s, add_row,
				     g);
	}
	if (row->event == OUTBOX_OWNER_DIGEST) {
		e = outbox_digest_before(g->p->db, row->restaurant_id, row->key, &before);
		if (e == ERR_OK && before < 0)
			return ERR_BAD_MOVE; /* the first one only says where to begin */
		if (e == ERR_OK)
			e = outbox_digest(g->p->db, row->restaurant_id, before, row->last_reservation, g->p->now_s, add_row, g);
		return e == ERR_OK && !g->rows->len ? ERR_BAD_MOVE : e;
	}
	if (!zone_to_local(g->r->zone, g->p->now_s, &today, &minute))
		return ERR_INTERNAL;
	text_put_date(today, date);
	name_day(date, g->l->lang, g->l->day);
	e = outbox_sheet(g->p->db, row->restaurant_id, date, g->p->now_s, add_row, g);
	if (e == ERR_OK && !g->rows->len)
		buf_str(g->rows, both(g->l, "아직 예약이 없습니다.\n", "No reservations yet.\n"));
	return e;
}

static void know_house(const struct restaurant *r, struct letter *l)
{
	const char *name = l->lang == LANG_EN && r->name_en[0] ? r->name_en : r->name;

	snprintf(l->house, sizeof l->house, "%s", name);
	snprintf(l->from_name, sizeof l->from_name, "%s", name);
}

static void know_reservation(const struct letter_post *p, const struct restaurant *r, const struct reservation *v,
			     struct letter *l)
{
	char token[TOKEN_TEXT_SIZE];

	snprintf(l->name, sizeof l->name, "%s", v->guest);
	name_day(v->date, l->lang, l->day);
	snprintf(l->time, sizeof l->time, "%s", v->time);
	snprintf(l->party, sizeof l->party, "%d", v->party);
	snprintf(l->code, sizeof l->code, "%s", v->code);
	if (v->hold_expires_at[0])
		name_time(r->zone, v->hold_expires_at, l->until);
	name_amount(v->total, v->currency, l->amount);
	token_sign(p->key, &(struct token){.purpose = TOKEN_MANAGE, .id = v->id}, token);
	if (p->mail->site[0])
		snprintf(l->link, sizeof l->link, "%s/r#%s", p->mail->site, token);
}

/* Where its buttons lead: to a page that asks, never to an act. */
static void add_links(struct page *g, enum outbox_event event, const char *label)
{
	const char *site = g->p->mail->site, *token = strchr(g->l->link, '#');
	struct link *a = &g->links[0], *b = &g->links[1];

	if (!*site || !*label)
		return;
	a->label = label;
	if (is_to_owner(event))
		snprintf(a->url, sizeof a->url, "%s/desk/", site);
	else if (event == OUTBOX_CANCELLED || event == OUTBOX_REFUSED)
		snprintf(a->url, sizeof a->url, "%s/?restaurant=%lld", site, (long long)g->r->id);
	else if (token && (event == OUTBOX_REMIND_DAY || event == OUTBOX_REMIND_SOON)) {
		snprintf(a->url, sizeof a->url, "%s/r?ask=coming%.100s", site, token);
		snprintf(b->url, sizeof b->url, "%s/r?ask=cancel%.100s", site, token);
		b->label = both(g->l, "못 가요", "I cannot come");
	} else if (g->v)
		snprintf(a->url, sizeof a->url, "%s", g->l->link);
}

static void add_calendar(const struct page *g, enum outbox_event event)
{
	bool gone = event == OUTBOX_CANCELLED || event == OUTBOX_REFUSED;

	if (!g->v || (event != OUTBOX_CONFIRMED && event != OUTBOX_CHANGED && !gone) || g->v->status == LIFE_TEMPORARY)
		return;
	snprintf(g->l->method, sizeof g->l->method, "%s", gone ? "CANCEL" : "REQUEST");
	calendar_put(&g->l->calendar, &(struct calendar){
					      .restaurant = g->r,
					      .reservation = g->v,
					      .link = g->l->link,
					      .method = g->l->method,
					      .organizer = g->p->mail->sender,
					      .attendee = g->l->to,
					      .lang = g->l->lang,
				      });
}

static enum err write_all(struct page *g, const struct outbox_row *row)
{
	const struct phrases *w = phrases_of(row->event, g->l->lang);

	fill(g->l, w->subject, g->l->subject, sizeof g->l->subject);
	fill(g->l, w->lead, g->lead, sizeof g->lead);
	fill_brief(g->l, w->brief);
	add_links(g, row->event, w->button);
	put_text(g);
	put_html(g);
	if (row->by_mail)
		add_calendar(g, row->event);
	return buf_ok(&g->l->text) && buf_ok(&g->l->html) && !g->l->calendar.failed ? ERR_OK : ERR_NO_MEMORY;
}

/* To the owner, in the language of the country. */
static enum err make_for_owner(struct page *g, const struct outbox_row *row, const char **why)
{
	struct buf rows = {0};
	struct reservation v;
	enum err e = ERR_OK;
	int n;

	*why = "no address for the owner";
	if (!g->r->notify_email[0])
		return ERR_BAD_MOVE;
	memcpy(g->l->to, g->r->notify_email, sizeof g->l->to);
	g->l->lang = g->r->set.calling_code == 82 ? LANG_KO : LANG_EN;
	know_house(g->r, g->l);
	g->rows = &rows;
	*why = "nothing new";
	if (row->event != OUTBOX_TEST)
		e = list_rows(g, row);
	n = g->count;
	if (e == ERR_OK && row->event == OUTBOX_OWNER_NEW)
		e = n ? booking_get(g->p->db, row->first_reservation, g->p->now_s, &v) : ERR_BAD_MOVE;
	if (e == ERR_OK && row->event == OUTBOX_OWNER_NEW)
		know_reservation(g->p, g->r, &v, g->l);
	if (e == ERR_OK) {
		struct outbox_row as = *row;

		if (row->event == OUTBOX_OWNER_NEW && n > 1)
			as.event = OUTBOX_OWNER_DIGEST; /* several: the words for several */
		e = write_all(g, &as);
	}
	g->rows = NULL;
	buf_free(&rows);
	return e;
}

static enum err make_code(struct page *g, const struct outbox_row *row, const char **why)
{
	struct proof proof;
	enum err e = proofs_get(g->p->db, row->proof_id, g->p->now_s, &proof);

	*why = "the code is over";
	if (e != ERR_OK || proof.over || !proof.address[0])
		return e == ERR_OK || e == ERR_NOT_FOUND ? ERR_BAD_MOVE : e;
	memcpy(g->l->to, proof.address, sizeof g->l->to);
	g->l->lang = proof.lang;
	know_house(g->r, g->l);
	token_code(g->p->key, proof.id, proof.card_id, g->l->digits);
	return write_all(g, row);
}

/* What is told only after a confirmation, or after how to pay. */
static bool follows_first(enum outbox_event e)
{
	return e == OUTBOX_LAPSING || e == OUTBOX_CHANGED || e == OUTBOX_REMIND_DAY || e == OUTBOX_REMIND_SOON;
}

/* Is there something to say about it?  Not if a later message will, if it is no longer so, or if the guest knows it. */
static enum err is_worth_it(const struct page *g, const struct outbox_row *row, const struct reservation *v, const char **why)
{
	char told[OUTBOX_STATE_SIZE] = "";
	bool later = false, first = false;
	enum err e = outbox_superseded(g->p->db, row, &later);

	*why = "a later message says more";
	if (e != ERR_OK || later)
		return e == ERR_OK ? ERR_BAD_MOVE : e;
	/* A stranger's address is not told of a change before the first message has had its turn. */
	*why = "the first message will say it";
	if (g->l->typed && follows_first(row->event))
		e = outbox_first_waits(g->p->db, row, &first);
	if (e != ERR_OK || first)
		return e == ERR_OK ? ERR_BAD_MOVE : e;
	*why = lost_sense(g->p, row, v);
	if (*why)
		return ERR_BAD_MOVE;
	if (row->event != OUTBOX_CHANGED && row->event != OUTBOX_CANCELLED)
		return ERR_OK;
	*why = "it is as the guest was last told";
	e = outbox_told(g->p->db, v->id, row->by_mail, told);
	if (e == ERR_OK && row->event == OUTBOX_CANCELLED && !*told && g->l->typed) {
		*why = "nobody there was told of it"; /* and it may be a stranger's address: there is nothing to take back */
		return ERR_BAD_MOVE;
	}
	return e == ERR_OK && strcmp(told, g->l->state) == 0 ? ERR_BAD_MOVE : e;
}

static enum err make_for_guest(struct page *g, const struct outbox_row *row, const char **why)
{
	struct outbox_person person;
	struct reservation v;
	enum err e = booking_get(g->p->db, row->reservation_id, g->p->now_s, &v);

	*why = "there is no such reservation";
	if (e == ERR_OK)
		e = outbox_person(g->p->db, row->reservation_id, &person);
	if (e != ERR_OK)
		return e == ERR_NO_SUCH_RESERVATION ? ERR_BAD_MOVE : e;
	outbox_state(&v, g->l->state);
	g->l->typed = row->by_mail ? !person.email_proven : !person.phone_proven;
	g->l->lang = person.lang;
	if (g->l->typed) { /* to an address that they have only typed, no guest sends words of their own */
		v.request[0] = '\0';
		plain_name(v.guest, person.lang);
	}
	e = is_worth_it(g, row, &v, why);
	if (e != ERR_OK)
		return e;
	*why = "nobody to send it to";
	snprintf(g->l->to, sizeof g->l->to, "%s", row->by_mail ? person.email : person.phone);
	if (!g->l->to[0])
		return ERR_BAD_MOVE;
	g->v = &v;
	know_house(g->r, g->l);
	know_reservation(g->p, g->r, &v, g->l);
	if (row->event == OUTBOX_CANCELLED || row->event == OUTBOX_REFUSED)
		e = payments_refunded(g->p->db, v.id, &g->back);
	if (e == ERR_OK)
		e = write_all(g, row);
	g->v = NULL;
	return e;
}

enum err letter_make(const struct letter_post *p, const struct outbox_row *row, struct letter *out, const char **why)
{
	struct page g = {.p = p, .l = out};
	struct restaurant r;
	enum err e;

	memset(out, 0, sizeof *out);
	*why = "an event that this jari does not know";
	if (row->event == OUTBOX__EVENTS)
		return ERR_BAD_MOVE;
	e = restaurants_get(p->db, row->restaurant_id, &r);
	if (e != ERR_OK)
		return e;
	g.r = &r;
	*why = "planned by a clock that ran ahead"; /* it is planned once more when its time has come */
	if (is_of_its_time(row->event) && row->created_s > p->now_s + TIMESET_SLACK_S)
		return ERR_BAD_MOVE;
	if (is_to_owner(row->event))
		return make_for_owner(&g, row, why);
	return row->event == OUTBOX_CODE ? make_code(&g, row, why) : make_for_guest(&g, row, why);
}
