/*
 * ownerlist.c - the owner's lists: what came, and the day's reservations.
 */
#include "ownerlist.h"

#include "wording.h"
#include "zone.h"

/* A reservation is one line of a sheet, whatever its guest wrote. */
static void put_in_a_line(struct buf *out, const char *text)
{
	for (; *text; text++)
		buf_add(out, *text == '\n' ? " " : text, 1);
}

static void add_row(void *arg, const struct reservation *v)
{
	struct mailpage *g = arg;
	char day[40], time[WORDING_TIME_SIZE], tags[TAGS_SAID_SIZE];

	g->count++;
	wording_slot(v->date, v->time, g->l->lang, day, time);
	buf_fmt(g->rows, "%s %s  %d%s  %s", day, time, v->party, mailpage_both(g->l, "명", ""), v->guest);
	tags_say(v->tags, g->l->lang, tags);
	if (tags[0])
		buf_fmt(g->rows, "  %s", tags);
	if (v->request[0]) {
		buf_str(g->rows, "  (");
		put_in_a_line(g->rows, v->request);
		buf_str(g->rows, ")");
	}
	if (v->status == LIFE_TEMPORARY)
		buf_str(g->rows, mailpage_both(g->l, "  입금 전", "  not paid yet"));
	buf_str(g->rows, "\n");
}

enum err ownerlist_put(struct mailpage *g, const struct dispatch_row *row)
{
	char date[TEXT_DATE_SIZE];
	struct date today;
	int64_t before = -1;
	bool known;
	int minute;
	enum err e;

	if (row->event == OUTBOX_OWNER_NEW) { /* those of its minute: from the first on, and what has come until now */
		e = dispatch_owner_knows(g->p->db, row, &known);
		if (e != ERR_OK || known)
			return e == ERR_OK ? ERR_BAD_MOVE : e;
		return dispatch_digest(g->p->db, row->restaurant_id, row->first_reservation - 1, INT64_MAX, g->p->now_s,
				       add_row, g);
	}
	if (row->event == OUTBOX_OWNER_DIGEST) {
		e = dispatch_digest_before(g->p->db, row->restaurant_id, row->key, &before);
		if (e == ERR_OK && before < 0)
			return ERR_BAD_MOVE; /* the first one only says where to begin */
		if (e == ERR_OK)
			e = dispatch_digest(g->p->db, row->restaurant_id, before, row->last_reservation, g->p->now_s, add_row,
					    g);
		return e == ERR_OK && !g->rows->len ? ERR_BAD_MOVE : e;
	}
	if (!zone_to_local(g->r->zone, g->p->now_s, &today, &minute))
		return ERR_INTERNAL;
	text_put_date(today, date);
	wording_day(date, g->l->lang, g->l->day);
	e = dispatch_sheet(g->p->db, row->restaurant_id, date, g->p->now_s, add_row, g);
	if (e == ERR_OK && !g->rows->len)
		buf_str(g->rows, mailpage_both(g->l, "아직 예약이 없습니다.\n", "No reservations yet.\n"));
	return e;
}
