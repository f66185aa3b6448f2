/*
 * reconcile.c - the book and the provider's list, side by side.
 */
#include "reconcile.h"

#include "failpoint.h"
#include "intents.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGES_MAX = 1000,  /* of a hundred payments each */
	OVERLAP_S = 86400, /* begun in the book before, paid at the provider after */
	IDS = 200,
};

/* One restaurant under way. */
struct pass {
	struct db *db;
	const struct provider *provider;
	struct webcall *web;
	struct pay_job job;
	int64_t *seen; /* intents that the provider named */
	size_t seen_count, seen_room;
	reconcile_tell *tell;
	void *arg;
	struct reconcile_sum *sum;
	enum err e;
};

static void remember(struct pass *p, int64_t id)
{
	if (p->seen_count == p->seen_room) {
		size_t room = p->seen_room ? 2 * p->seen_room : 256;
		int64_t *more = realloc(p->seen, room * sizeof *more);

		if (!more) {
			p->e = ERR_NO_MEMORY;
			return;
		}
		p->seen = more;
		p->seen_room = room;
	}
	p->seen[p->seen_count++] = id;
}

static bool was_seen(const struct pass *p, int64_t id)
{
	for (size_t i = 0; i < p->seen_count; i++)
		if (p->seen[i] == id)
			return true;
	return false;
}

/* One question to the provider, waited for. */
static bool ask(struct pass *p, enum pay_step step, struct webtold *told, struct pay_said *said)
{
	struct webask a = {0};

	*told = (struct webtold){0};
	*said = (struct pay_said){.end = SAID_LATER, .words = "the question cannot be sent"};
	if (!p->provider->ask(&p->job, step, &a)) {
		webask_free(&a);
		return false;
	}
	if (!webcall_once(p->web, &a, told))
		return false;
	provider_hear(p->provider, &p->job, step, told, said);
	return true;
}

static void say(struct pass *p, enum reconcile_what what, const struct pay_listed *row, const struct intents_row *i)
{
	struct reconcile_line line = {.what = what, .at_s = row->at_s, .paid = row->amount, .returned = row->returned};

	if (i) {
		line.book_paid = i->money.received;
		line.book_returned = i->money.returned;
		line.at_s = i->created_s;
		snprintf(line.currency, sizeof line.currency, "%s", i->currency);
	}
	if (*row->currency)
		memcpy(line.currency, row->currency, sizeof line.currency);
	memcpy(line.key, *row->key ? row->key : row->ref, sizeof line.key - 1);
	snprintf(line.about, sizeof line.about, "%.*s", text_fit(row->about, sizeof line.about - 1), row->about);
	p->sum->differ++;
	p->tell(p->arg, &line);
}

/*
 * Two payments of one name: after a restore a guest may have paid at another page for what they had paid already.  Where we confirm
 * there is one for a name.
 */
static bool is_another(const struct pass *p, const struct pay_listed *row, const struct intents_row *i)
{
	return !p->provider->confirms && *row->ref && *i->provider_ref && strcmp(row->ref, i->provider_ref) != 0 &&
	       !WITHOUT("another");
}

static void compare(struct pass *p, const struct pay_listed *row)
{
	struct intents_row i;
	enum err e = *row->key ? intents_by_key(p->db, row->key, &i) : ERR_PAYMENT_UNKNOWN;

	p->sum->payments++;
	if (e == ERR_PAYMENT_UNKNOWN) {
		say(p, RECONCILE_MISSING, row, NULL);
		return;
	}
	if (e != ERR_OK) {
		p->e = e;
		return;
	}
	if (is_another(p, row, &i)) {
		struct pay_listed other = *row;

		other.key[0] = '\0'; /* it is named by what the provider calls it */
		say(p, RECONCILE_MISSING, &other, NULL);
		return;
	}
	remember(p, i.id);
	if (!intent_charged(i.state))
		say(p, RECONCILE_NOT_PAID, row, &i);
	else if (i.money.received != row->amount || i.money.returned != row->returned || strcmp(i.currency, row->currency) != 0)
		say(p, RECONCILE_SUMS, row, &i);
}

/* A list that only names its payments: each is looked up. */
static void complete(struct pass *p, struct pay_listed *row)
{
	struct webtold told;
	struct pay_said said;

	provider_put(p->job.key, sizeof p->job.key, row->key);
	if (ask(p, ASK_LOOK, &told, &said)) {
		row->charged = said.end == SAID_CHARGED;
		row->amount = said.amount;
		row->returned = said.returned;
		memcpy(row->about, said.about, sizeof row->about);
	}
	webtold_free(&told);
}

static void take_listed(void *arg, const struct pay_listed *listed)
{
	struct pass *p = arg;
	struct pay_listed row = *listed;

	if (p->e != ERR_OK || !row.charged)
		return;
	if (row.incomplete)
		complete(p, &row);
	if (row.charged)
		compare(p, &row);
}

static bool take_list(struct pass *p)
{
	char next[PAY_REF_SIZE] = "";

	for (int page = 0; page < PAGES_MAX && p->e == ERR_OK; page++) {
		struct told *t = NULL;
		struct webtold told;
		struct pay_said said;

		memcpy(p->job.cursor, next, sizeof next);
		if (ask(p, ASK_LIST, &told, &said) && said.end == SAID_LISTED)
			t = told_read(told.body.data, told.body.len);
		webtold_free(&told);
		if (!t) {
			memcpy(p->sum->words, said.words, sizeof p->sum->words);
			return false;
		}
		p->provider->list(t, take_listed, p, next);
		told_free(t);
		if (!*next)
			break;
	}
	return true;
}

/* What the book calls paid, and the list did not name. */
static void take_ours(struct pass *p, const struct paysettings *set, int64_t from_s)
{
	int64_t ids[IDS], after = 0;
	int n = IDS;

	while (n == IDS && p->e == ERR_OK) {
		p->e = intents_paid_since(p->db, set, from_s, after, ids, IDS, &n);
		for (int k = 0; k < n && p->e == ERR_OK; k++) {
			struct pay_listed none = {0};
			struct intents_row i;

			after = ids[k];
			if (was_seen(p, after))
				continue;
			p->e = intents_get(p->db, after, &i);
			if (p->e != ERR_OK)
				return;
			provider_put(none.key, sizeof none.key, i.pay_key);
			say(p, RECONCILE_ONLY_OURS, &none, &i);
		}
	}
}

enum err reconcile(struct db *db, const unsigned char *key, const struct paysettings *set, int64_t from_s, int64_t now_s,
		   reconcile_tell *tell, void *arg, struct reconcile_sum *out)
{
	struct pass p = {.db = db, .tell = tell, .arg = arg, .sum = out, .e = ERR_OK};
	size_t n;

	*out = (struct reconcile_sum){0};
	p.provider = provider_find(intent_provider_word(set->provider));
	if (!p.provider)
		return ERR_OK;
	p.web = webcall_open();
	if (!p.web) {
		snprintf(out->words, sizeof out->words, "libcurl is not installed: apt install libcurl4");
		return ERR_OK;
	}
	p.job = (struct pay_job){
		.restaurant_id = set->restaurant_id, .from_s = from_s, .until_s = now_s + OVERLAP_S, .now_s = now_s};
	provider_put(p.job.store_id, sizeof p.job.store_id, set->store_id);
	n = set->secret[0] ? token_unseal(key, set->secret, p.job.secret, sizeof p.job.secret - 1) : 0;
	p.job.secret[n] = '\0';
	if (take_list(&p) && p.e == ERR_OK)
		take_ours(&p, set, from_s + OVERLAP_S);
	webcall_close(p.web);
	free(p.seen);
	return p.e;
}
