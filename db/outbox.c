/*
 * outbox.c - messages to guests and to the owner: written when something happens, and when the courier reports.
 */
#include "outbox.h"

#include "mailserver.h"
#include "rate.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *const words[OUTBOX__EVENTS] = {
#define X(name, word) [OUTBOX_##name] = word,
	OUTBOX_EVENTS(X)
#undef X
};

const char *outbox_word(enum outbox_event e)
{
	assert(e < OUTBOX__EVENTS);
	return words[e];
}

enum outbox_event outbox_event(const char *word)
{
	return (enum outbox_event)text_word(words, OUTBOX__EVENTS, word);
}

static enum err learn_ways(struct txn *t, int64_t restaurant_id)
{
	struct sqlite3_stmt *s;
	enum err e;

	if (t->told.restaurant_id == restaurant_id)
		return ERR_OK;
	s = stmt_use(t->db, SQL_OUTBOX_WAYS, "i", restaurant_id);
	t->told.mail = t->told.sms = t->told.owner = t->told.owner_told = false;
	e = stmt_get(t->db, s, ERR_OK, "bbb", &t->told.mail, &t->told.sms, &t->told.owner);
	t->told.restaurant_id = e == ERR_OK ? restaurant_id : 0;
	return e;
}

enum err outbox_ways(struct txn *t, int64_t restaurant_id, bool *mail, bool *sms)
{
	enum err e = learn_ways(t, restaurant_id);

	*mail = t->told.mail;
	*sms = t->told.sms;
	return e;
}

void outbox_state(const struct reservation *v, char out[OUTBOX_STATE_SIZE])
{
	bool on = v->status == LIFE_CONFIRMED || v->status == LIFE_PREPAY_CONFIRM || v->status == LIFE_TEMPORARY;

	if (on)
		snprintf(out, OUTBOX_STATE_SIZE, "%s %s %d", v->date, v->time, v->party);
	else
		snprintf(out, OUTBOX_STATE_SIZE, "-");
}

static enum err tell_by(struct txn *t, enum outbox_event event, bool by_mail, int64_t reservation_id, const char *when)
{
	enum err e = ERR_OK;

	if (event == OUTBOX_CHANGED)
		e = stmt_run(t->db, SQL_OUTBOX_CHANGED_AGAIN, "ittt", reservation_id, by_mail ? "MAIL" : "SMS", when, t->now);
	if (e != ERR_OK || (event == OUTBOX_CHANGED && stmt_changes(t->db) > 0))
		return e;
	return stmt_run(t->db, by_mail ? SQL_OUTBOX_TELL_MAIL : SQL_OUTBOX_TELL_SMS, "ittt", reservation_id, words[event], when,
			t->now);
}

enum err outbox_tell(struct txn *t, enum outbox_event event, int64_t restaurant_id, int64_t reservation_id, int64_t delay_s)
{
	char when[CLOCK_ISO_SIZE];
	enum err e = learn_ways(t, restaurant_id);

	assert(reservation_id > 0 && delay_s >= 0);
	if (e != ERR_OK || (!t->told.mail && !t->told.sms))
		return e;
	if (event == OUTBOX_CHANGED && delay_s < OUTBOX_REST_S)
		delay_s = OUTBOX_REST_S;
	clock_iso(t->now_s + delay_s, when);
	if (t->told.mail)
		e = tell_by(t, event, true, reservation_id, when);
	if (e == ERR_OK && t->told.sms)
		e = tell_by(t, event, false, reservation_id, when);
	return e;
}

enum err outbox_tell_new(struct txn *t, enum outbox_event event, int64_t restaurant_id, int64_t reservation_id,
			 const struct outbox_new *guest)
{
	char when[CLOCK_ISO_SIZE];
	enum err e = learn_ways(t, restaurant_id);
	bool mail = t->told.mail && guest->has_email, sms = t->told.sms && guest->has_phone;

	if (e != ERR_OK || (!mail && !sms))
		return e;
	memcpy(when, t->now, sizeof when);
	if (guest->network)
		clock_iso(t->now_s + rate_queue(t->db->hall->rate, RATE_TELL_NEAR, guest->network), when);
	if (mail)
		e = stmt_run(t->db, SQL_OUTBOX_TELL_NEW, "ittitt", restaurant_id, "MAIL", words[event], reservation_id, when,
			     t->now);
	if (e == ERR_OK && sms)
		e = stmt_run(t->db, SQL_OUTBOX_TELL_NEW, "ittitt", restaurant_id, "SMS", words[event], reservation_id, when,
			     t->now);
	return e;
}

enum err outbox_tell_owner(struct txn *t, int64_t restaurant_id, int64_t reservation_id)
{
	char key[64];
	int64_t minute = t->now_s / 60;
	enum err e = learn_ways(t, restaurant_id);

	if (e != ERR_OK || !t->told.owner || t->told.owner_told)
		return e;
	snprintf(key, sizeof key, "new:%lld:%lld", (long long)restaurant_id, (long long)minute);
	e = stmt_run(t->db, SQL_OWNER_NEW_PUT, "iitmt", restaurant_id, reservation_id, key, (minute + 1) * 60, t->now);
	t->told.owner_told = e == ERR_OK;
	return e;
}

/* By that way alone the guest hears how it is, once it has rested; the letter is not sent if they know. */
static enum err tell_how_it_is(struct txn *t, int64_t restaurant_id, int64_t reservation_id, bool by_mail)
{
	char when[CLOCK_ISO_SIZE];
	enum err e = learn_ways(t, restaurant_id);

	if (e != ERR_OK || !(by_mail ? t->told.mail : t->told.sms))
		return e;
	clock_iso(t->now_s + OUTBOX_REST_S, when);
	return tell_by(t, OUTBOX_CHANGED, by_mail, reservation_id, when);
}

enum err outbox_take_back(struct txn *t, int64_t restaurant_id, int64_t reservation_id, int64_t version)
{
	static const char *const ways[] = {"SMS", "MAIL"};
	enum err e = ERR_OK;

	for (int by_mail = 0; by_mail <= 1 && e == ERR_OK; by_mail++) {
		e = stmt_run(t->db, SQL_OUTBOX_WITHDRAW, "iit", reservation_id, version, ways[by_mail]);
		if (e == ERR_OK && stmt_changes(t->db) == 0)
			e = tell_how_it_is(t, restaurant_id, reservation_id, by_mail);
	}
	return e;
}

enum err outbox_put_code(struct txn *t, int64_t restaurant_id, bool by_mail, int64_t proof_id, int64_t before_s,
			 uint64_t network)
{
	int behind_s = network ? rate_queue(t->db->hall->rate, RATE_CODE_NEAR, network) : 0;

	return stmt_run(t->db, SQL_OUTBOX_PUT, "ittitmt", restaurant_id, by_mail ? "MAIL" : "SMS", words[OUTBOX_CODE], proof_id,
			NULL, t->now_s - before_s + behind_s, t->now);
}

/*
 * A change that came while the letter about an earlier one was on its way found that row still waiting and left it at that; and
 * a letter about what the desk took back may have left already.  How it is is told now.
 */
static enum err tell_rest(struct txn *t, const struct ticket_sent *s)
{
	char state[OUTBOX_STATE_SIZE];
	struct reservation v;
	bool by_mail = false;
	int64_t id = 0;
	enum err e = stmt_get(t->db, stmt_use(t->db, SQL_OUTBOX_TELLS, "i", s->outbox_id), ERR_OK, "ib", &id, &by_mail);

	if (e != ERR_OK || !id)
		return e;
	e = booking_get(t->db, id, t->now_s, &v);
	if (e != ERR_OK)
		return e == ERR_NO_SUCH_RESERVATION ? ERR_OK : e;
	outbox_state(&v, state);
	return strcmp(state, "-") == 0 || strcmp(state, s->state) == 0 ? ERR_OK :
									 tell_how_it_is(t, v.restaurant_id, id, by_mail);
}

enum err outbox_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out)
{
	static const char *const states[] = {
		[SENT_OK] = "SENT", [SENT_LATER] = "QUEUED", [SENT_FAILED] = "FAILED", [SENT_SKIPPED] = "SKIPPED"};
	const struct ticket_sent *s = &r->u.sent;
	char next[CLOCK_ISO_SIZE];
	enum err e;

	(void)number; /* said twice it is the same: what is sent stays so */
	assert(r->kind == TICKET_SENT && s->how >= SENT_OK && s->how <= SENT_SKIPPED);
	out->id = s->outbox_id;
	if (!s->outbox_id)
		return ERR_OK;
	clock_iso(s->next_s, next);
	if (s->how == SENT_FAILED)
		txn_touch_all(t); /* the desk shows it */
	e = stmt_run(t->db, SQL_OUTBOX_REPORT, "ititttit", s->outbox_id, states[s->how], (int64_t)s->attempts,
		     s->how == SENT_LATER ? next : NULL, s->answer, t->now, s->recipient, s->state);
	if (e != ERR_OK || !s->state[0] || stmt_changes(t->db) == 0 || s->how == SENT_LATER)
		return e;
	return tell_rest(t, s);
}

enum err outbox_put_test(struct db *db, const struct restaurant *r, int64_t now_s, int64_t *id)
{
	struct mailserver m;
	enum err e = mailserver_get(db, &m);

	if (e == ERR_OK && strcmp(m.way, "OFF") == 0)
		e = ERR_NO_MAIL;
	if (e == ERR_OK && !r->notify_email[0])
		e = ERR_NO_OWN_MAIL;
	if (e == ERR_OK)
		e = db_begin(db);
	if (e != ERR_OK)
		return e;
	e = stmt_run(db, SQL_OUTBOX_PUT, "ittitmm", r->id, "MAIL", words[OUTBOX_TEST], (int64_t)0, NULL, now_s, now_s);
	*id = stmt_last_id(db);
	return db_end(db, e);
}
