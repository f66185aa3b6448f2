/*
 * letter.c - what a message says.
 */
#include "letter.h"

#include "calendar.h"
#include "intents.h"
#include "doorlist.h"
#include "payments.h"
#include "mailpage.h"
#include "phrases.h"
#include "plain.h"
#include "proofs.h"
#include "ownerlist.h"
#include "sense.h"
#include "timeset.h"
#include "wording.h"
#include "dispatch.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void letter_free(struct letter *l)
{
	buf_free(&l->text);
	buf_free(&l->html);
	buf_free(&l->calendar);
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

static void know_house(const struct restaurant *r, struct letter *l)
{
	const char *name = restaurants_words(r, l->lang, r->name, r->name_en);

	snprintf(l->house, sizeof l->house, "%s", name);
	snprintf(l->from_name, sizeof l->from_name, "%s", name);
}

static void know_reservation(const struct letter_post *p, const struct restaurant *r, const struct reservation *v,
			     struct letter *l)
{
	char token[TOKEN_TEXT_SIZE];

	snprintf(l->name, sizeof l->name, "%s", v->guest);
	wording_slot(v->date, v->time, l->lang, l->day, l->time);
	snprintf(l->party, sizeof l->party, "%d", v->party);
	snprintf(l->code, sizeof l->code, "%s", v->code);
	if (v->hold_expires_at[0])
		wording_time(r->zone, v->hold_expires_at, l->until);
	wording_amount(v->total, v->currency, l->lang, l->amount);
	token_sign(p->key, &(struct token){.purpose = TOKEN_MANAGE, .id = v->id}, token);
	if (p->mail->site[0])
		snprintf(l->link, sizeof l->link, "%s/r#%s", p->mail->site, token);
}

/* Where a card was asked for, and no deposit, other words say so; and what was charged to it is another sum than what is due. */
static enum err know_card(const struct mailpage *g, const struct reservation *v, struct dispatch_row *row)
{
	int64_t amount = v->guarantee;
	enum err e = ERR_OK;

	if (row->event == OUTBOX_CHARGED)
		e = intents_charged(g->p->db, v->id, &amount);
	else if (v->total || !v->guarantee)
		return ERR_OK;
	if (row->event == OUTBOX_HELD)
		row->event = OUTBOX_HELD_CARD;
	if (row->event == OUTBOX_LAPSING)
		row->event = OUTBOX_LAPSING_CARD;
	wording_amount(amount, v->currency, g->l->lang, g->l->amount);
	return e;
}

/* Where its buttons lead: to a page that asks, never to an act. */
static void add_links(struct mailpage *g, enum outbox_event event, const char *label)
{
	const char *site = g->p->mail->site, *token = strchr(g->l->link, '#');
	struct mailpage_link *a = &g->links[0], *b = &g->links[1];

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
		b->label = mailpage_both(g->l, "못 가요", "I cannot come");
	} else if (g->v)
		snprintf(a->url, sizeof a->url, "%s", g->l->link);
}

static void add_calendar(const struct mailpage *g, enum outbox_event event)
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

static enum err write_all(struct mailpage *g, const struct dispatch_row *row)
{
	const struct phrases *w = phrases_of(row->event, g->l->lang);

	wording_fill(g->l, w->subject, g->l->subject, sizeof g->l->subject);
	wording_fill(g->l, w->lead, g->lead, sizeof g->lead);
	wording_brief(g->l, w->brief);
	add_links(g, row->event, w->button);
	mailpage_write(g);
	if (row->by_mail)
		add_calendar(g, row->event);
	return buf_ok(&g->l->text) && buf_ok(&g->l->html) && !g->l->calendar.failed ? ERR_OK : ERR_NO_MEMORY;
}

/* To the owner, in the language of the house. */
static enum err make_for_owner(struct mailpage *g, const struct dispatch_row *row, const char **why)
{
	struct buf rows = {0};
	struct reservation v;
	enum err e = ERR_OK;
	int n;

	*why = "no address for the owner";
	if (!g->r->notify_email[0])
		return ERR_BAD_MOVE;
	memcpy(g->l->to, g->r->notify_email, sizeof g->l->to);
	g->l->lang = g->r->lang;
	know_house(g->r, g->l);
	g->rows = &rows;
	*why = "nothing new";
	if (row->event != OUTBOX_TEST)
		e = ownerlist_put(g, row);
	n = g->count;
	if (e == ERR_OK && row->event == OUTBOX_OWNER_NEW)
		e = n ? booking_get(g->p->db, row->first_reservation, g->p->now_s, &v) : ERR_BAD_MOVE;
	if (e == ERR_OK && row->event == OUTBOX_OWNER_NEW)
		know_reservation(g->p, g->r, &v, g->l);
	if (e == ERR_OK) {
		struct dispatch_row as = *row;

		if (row->event == OUTBOX_OWNER_NEW && n > 1)
			as.event = OUTBOX_OWNER_DIGEST; /* several: the words for several */
		e = write_all(g, &as);
	}
	g->rows = NULL;
	buf_free(&rows);
	return e;
}

static enum err make_code(struct mailpage *g, const struct dispatch_row *row, const char **why)
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

/* Who stands outside: their table is ready, if nothing else was said since. */
static enum err make_for_door(struct mailpage *g, const struct dispatch_row *row, const char **why)
{
	struct door_party p;
	enum err e = doorlist_get(g->p->db, row->door_id, &p);

	*why = "they are not called any more";
	if (e != ERR_OK || strcmp(p.status, "CALLED") != 0)
		return e == ERR_OK || e == ERR_NO_SUCH_PARTY ? ERR_BAD_MOVE : e;
	*why = "there is no number to send it to";
	if (!p.phone[0])
		return ERR_BAD_MOVE;
	snprintf(g->l->to, sizeof g->l->to, "%s", p.phone);
	snprintf(g->l->name, sizeof g->l->name, "%s", p.guest);
	snprintf(g->l->party, sizeof g->l->party, "%d", p.party);
	g->l->lang = p.lang;
	know_house(g->r, g->l);
	return write_all(g, row);
}

static enum err make_for_guest(struct mailpage *g, const struct dispatch_row *row, const char **why)
{
	struct dispatch_row as = *row;
	struct dispatch_person person;
	struct reservation v;
	enum err e = booking_get(g->p->db, row->reservation_id, g->p->now_s, &v);

	*why = "there is no such reservation";
	if (e == ERR_OK)
		e = dispatch_person(g->p->db, row->reservation_id, &person);
	if (e != ERR_OK)
		return e == ERR_NO_SUCH_RESERVATION ? ERR_BAD_MOVE : e;
	outbox_state(&v, g->l->state);
	g->l->typed = row->by_mail ? !person.email_proven : !person.phone_proven;
	g->l->lang = person.lang;
	if (g->l->typed) { /* to an address that they have only typed, no guest sends words of their own */
		v.request[0] = '\0';
		plain_name(v.guest, person.lang);
	}
	e = sense_of(g->p->db, row, &v, g->l->typed, g->p->now_s, why);
	if (e != ERR_OK)
		return e;
	*why = "there is no address to send it to";
	snprintf(g->l->to, sizeof g->l->to, "%s", row->by_mail ? person.email : person.phone);
	if (!g->l->to[0])
		return ERR_BAD_MOVE;
	g->v = &v;
	know_house(g->r, g->l);
	know_reservation(g->p, g->r, &v, g->l);
	if (row->event == OUTBOX_CANCELLED || row->event == OUTBOX_REFUSED)
		e = payments_refunded(g->p->db, v.id, &g->back);
	if (e == ERR_OK)
		e = know_card(g, &v, &as);
	if (e == ERR_OK)
		e = write_all(g, &as);
	g->v = NULL;
	return e;
}

enum err letter_make(const struct letter_post *p, const struct dispatch_row *row, struct letter *out, const char **why)
{
	struct mailpage g = {.p = p, .l = out};
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
	if (row->event == OUTBOX_TABLE_READY)
		return make_for_door(&g, row, why);
	return row->event == OUTBOX_CODE ? make_code(&g, row, why) : make_for_guest(&g, row, why);
}
