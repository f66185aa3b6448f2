/*
 * test_intent.c - a payment moves only as the table says, by whom it says, and no won of it is ever lost.
 */
#include "intent.h"

#include "schema.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole table once more, as it is to be read: a row for each move, a letter for each who may (G C D K E). */
static const char *const moves[] = {
	"READY>AUTHORISED GC",     "READY>PAID C",        "READY>FAILED GCK",  "AUTHORISED>PAID C",
	"AUTHORISED>VOIDED C",     "AUTHORISED>FAILED C", "VOIDED>PAID C",     "FAILED>PAID C",
	"PAID>REFUND_DUE GCD",     "PAID>REFUNDED C",     "REFUND_DUE>PAID D", "REFUND_DUE>REFUNDED CD",
	"REFUNDED>REFUND_DUE GCD",
};

static const char *who_of(enum intent from, enum intent to)
{
	char wanted[64];
	size_t n = (size_t)snprintf(wanted, sizeof wanted, "%s>%s ", intent_word(from), intent_word(to));

	for (size_t i = 0; i < COUNT(moves); i++)
		if (strncmp(moves[i], wanted, n) == 0)
			return moves[i] + n;
	return "";
}

static void words_and_states_are_one_to_one(void **state)
{
	static const char *const bad[] = {"", "ready", "PAID ", "REFUND", "AUTHORIZED", "CANCELED"};
	enum intent s = INTENT_FAILED;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_false(intent_parse(bad[i], &s));
	assert_int_equal(s, INTENT_FAILED);
	for (int i = 0; i < INTENT__MAX; i++) {
		assert_true(intent_parse(intent_word((enum intent)i), &s));
		assert_int_equal(s, i);
	}
}

static bool may_anyone(enum intent from, enum intent to)
{
	bool may = false;

	for (int by = 0; by < INTENT_BY__MAX; by++)
		may |= intent_may(from, to, (enum intent_who)by);
	return may;
}

static void every_pair_of_states_and_every_actor_is_as_the_table_says(void **state)
{
	static const char letters[] = "GCDKE";

	(void)state;
	assert_int_equal(sizeof letters - 1, INTENT_BY__MAX);
	for (int from = 0; from < INTENT__MAX; from++)
		for (int to = 0; to < INTENT__MAX; to++) {
			const char *who = who_of((enum intent)from, (enum intent)to);

			assert_int_equal(may_anyone((enum intent)from, (enum intent)to), *who != '\0');
			for (int by = 0; by < INTENT_BY__MAX; by++)
				if (intent_may((enum intent)from, (enum intent)to, (enum intent_who)by) !=
				    (strchr(who, letters[by]) != NULL))
					fail_msg("%s>%s by %c", intent_word((enum intent)from), intent_word((enum intent)to),
						 letters[by]);
		}
}

static void an_event_moves_nothing_and_only_the_cashier_says_that_money_came(void **state)
{
	(void)state;
	for (int from = 0; from < INTENT__MAX; from++)
		for (int to = 0; to < INTENT__MAX; to++) {
			bool comes = !intent_charged((enum intent)from) && intent_charged((enum intent)to);

			assert_false(intent_may((enum intent)from, (enum intent)to, INTENT_BY_EVENT));
			for (int by = 0; by < INTENT_BY__MAX && comes; by++)
				if (intent_may((enum intent)from, (enum intent)to, (enum intent_who)by))
					assert_int_equal(by, INTENT_BY_CASHIER);
		}
}

static void money_never_becomes_no_money(void **state)
{
	(void)state;
	for (int from = 0; from < INTENT__MAX; from++)
		for (int to = 0; to < INTENT__MAX; to++)
			if (intent_charged((enum intent)from) && !intent_charged((enum intent)to))
				assert_false(may_anyone((enum intent)from, (enum intent)to));
}

static void from_everywhere_there_is_a_way_to_paid_and_from_paid_to_refunded(void **state)
{
	bool reached[INTENT__MAX][INTENT__MAX] = {{false}};

	(void)state;
	for (int a = 0; a < INTENT__MAX; a++)
		for (int b = 0; b < INTENT__MAX; b++)
			reached[a][b] = a == b || may_anyone((enum intent)a, (enum intent)b);
	for (int k = 0; k < INTENT__MAX; k++)
		for (int a = 0; a < INTENT__MAX; a++)
			for (int b = 0; b < INTENT__MAX; b++)
				reached[a][b] |= reached[a][k] && reached[k][b];
	for (int a = 0; a < INTENT__MAX; a++)
		if (!intent_charged((enum intent)a))
			assert_true(reached[a][INTENT_PAID]); /* what was charged after all is never refused */
	assert_true(reached[INTENT_PAID][INTENT_REFUNDED] && reached[INTENT_REFUND_DUE][INTENT_REFUNDED]);
}

/* The money as a model: what a move does to it. */
enum effect {
	NOTHING,
	RECEIVE, /* the whole amount came in, and is kept */
	OWE,     /* of what is kept, some is due back */
	KEEP,    /* of what was due back, some is kept after all */
	RETURN,  /* of what was due back, some went back */
	NOTICE,  /* of what is kept, some went back without us: in the provider's console */
};

/* In which state a payment with this money is; for one without any, not this says it. */
static enum intent of_money(const struct intent_money *m)
{
	return m->due_back > 0 ? INTENT_REFUND_DUE : m->returned > 0 ? INTENT_REFUNDED : INTENT_PAID;
}

/* Is all of it accounted for, and is it that of this state? */
static bool adds_up(enum intent s, const struct intent_money *m)
{
	if (m->kept < 0 || m->returned < 0 || m->due_back < 0 || m->kept + m->returned + m->due_back != m->received)
		return false;
	return intent_charged(s) ? m->received > 0 && of_money(m) == s : m->received == 0;
}

/* So much of one of them is the other's. */
static bool shift(int64_t *from, int64_t *to, int64_t amount)
{
	if (amount <= 0 || amount > *from)
		return false;
	*from -= amount;
	*to += amount;
	return true;
}

/* False, and nothing changed: there is not so much of it, or it came in before. */
static bool apply(struct intent_money *m, enum effect effect, int64_t amount)
{
	switch (effect) {
	case NOTHING:
		return true;
	case RECEIVE:
		if (m->received || amount <= 0)
			return false;
		m->received = m->kept = amount;
		return true;
	case OWE:
		return shift(&m->kept, &m->due_back, amount);
	case KEEP:
		return shift(&m->due_back, &m->kept, amount);
	case RETURN:
		return shift(&m->due_back, &m->returned, amount);
	case NOTICE:
		return shift(&m->kept, &m->returned, amount);
	}
	return false;
}

/* Every row of effects of every amount up to TOP, to this depth, from that money. */
enum { TOP = 3, DEPTH = 5 };

static void walk(struct intent_money m, int depth, int *seen)
{
	enum intent was = m.received ? of_money(&m) : INTENT_AUTHORISED;

	assert_true(adds_up(was, &m));
	++*seen;
	for (int effect = NOTHING; depth < DEPTH && effect <= NOTICE; effect++)
		for (int64_t amount = -1; amount <= TOP + 1; amount++) {
			struct intent_money next = m;
			enum intent is;

			if (!apply(&next, (enum effect)effect, amount)) {
				assert_memory_equal(&next, &m, sizeof m);
				continue;
			}
			is = next.received ? of_money(&next) : INTENT_AUTHORISED;
			assert_true(adds_up(is, &next));
			assert_true(next.returned >= m.returned && next.received >= m.received);
			/* Every change of state that money makes is a move of the table. */
			assert_true(is == was || may_anyone(was, is));
			walk(next, depth + 1, seen);
		}
}

static void whatever_is_done_to_it_all_of_the_money_is_accounted_for(void **state)
{
	int seen = 0;

	(void)state;
	walk((struct intent_money){0}, 0, &seen);
	assert_true(seen > 500);
}

static void sums_that_do_not_add_up_are_known(void **state)
{
	static const struct intent_money bad[] = {{.received = 10},
						  {.received = 10, .kept = 9},
						  {.received = 10, .kept = 11, .due_back = -1},
						  {.kept = 1},
						  {.received = 10, .kept = 5, .returned = 5, .due_back = 5}};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		for (int s = 0; s < INTENT__MAX; s++)
			assert_false(adds_up((enum intent)s, &bad[i]));
	/* The money of one state is not another's. */
	assert_true(adds_up(INTENT_REFUND_DUE, &(struct intent_money){.received = 3, .kept = 1, .returned = 1, .due_back = 1}));
	assert_false(adds_up(INTENT_REFUNDED, &(struct intent_money){.received = 3, .kept = 2, .due_back = 1}));
	assert_false(adds_up(INTENT_PAID, &(struct intent_money){0}));
	assert_false(adds_up(INTENT_VOIDED, &(struct intent_money){.received = 1, .kept = 1}));
}

static void the_list_in_the_trigger_is_the_list_in_c(void **state)
{
	char *text = schema_text(), *list = strstr(text, "CREATE TRIGGER intents_life"), *end;
	int found = 0;

	(void)state;
	assert_non_null(list);
	list = strstr(list, "NOT IN (");
	assert_non_null(list);
	end = strchr(list, ')');
	assert_non_null(end);
	*end = '\0';
	for (int a = 0; a < INTENT__MAX; a++)
		for (int b = 0; b < INTENT__MAX; b++) {
			char move[64];
			bool listed;

			snprintf(move, sizeof move, "'%s>%s'", intent_word((enum intent)a), intent_word((enum intent)b));
			listed = strstr(list, move) != NULL;
			found += listed;
			if (listed != may_anyone((enum intent)a, (enum intent)b))
				fail_msg("%s", move);
		}
	for (const char *p = list; (p = strchr(p, '>')); p++)
		found--;
	assert_int_equal(found, 0); /* and nothing else */
	free(text);
}

/* The words of a CHECK are those of the list. */
static void the_book_takes_every_word_and_no_other(void **state)
{
	sqlite3 *db = schema_open();
	static const char *const columns[] = {"state", "provider", "purpose", "todo"};

	(void)state;
	for (size_t c = 0; c < COUNT(columns); c++) {
		char sql[400];
		int words = 0;

		for (int k = 0;; k++) {
			const char *word = c == 0 && k < INTENT__MAX          ? intent_word((enum intent)k) :
					   c == 1 && k < INTENT_PROVIDERS_MAX ? intent_provider_word((enum intent_provider)k) :
					   c == 2 && k < INTENT_FOR__MAX      ? intent_purpose_word((enum intent_purpose)k) :
					   c == 3 && k < INTENT_TO__NOTHING   ? intent_todo_word((enum intent_todo)k) :
										NULL;

			if (!word)
				break;
			if (c == 1 && k == INTENT_DESK)
				continue; /* it has none */
			words++;
			snprintf(sql, sizeof sql,
				 "SELECT instr(substr(sql, instr(sql, '%s IN (')), '''%s''') BETWEEN 1 AND 200 FROM "
				 "sqlite_schema"
				 " WHERE name = 'intents'",
				 columns[c], word);
			if (schema_int(db, sql) != 1)
				fail_msg("%s: %s", columns[c], word);
		}
		assert_true(words > 2);
	}
	sqlite3_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_and_states_are_one_to_one),
		cmocka_unit_test(every_pair_of_states_and_every_actor_is_as_the_table_says),
		cmocka_unit_test(an_event_moves_nothing_and_only_the_cashier_says_that_money_came),
		cmocka_unit_test(money_never_becomes_no_money),
		cmocka_unit_test(from_everywhere_there_is_a_way_to_paid_and_from_paid_to_refunded),
		cmocka_unit_test(whatever_is_done_to_it_all_of_the_money_is_accounted_for),
		cmocka_unit_test(sums_that_do_not_add_up_are_known),
		cmocka_unit_test(the_list_in_the_trigger_is_the_list_in_c),
		cmocka_unit_test(the_book_takes_every_word_and_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
