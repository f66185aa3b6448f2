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

static void every_pair_of_states_and_every_actor_is_as_the_table_says(void **state)
{
	static const char letters[] = "GCDKE";

	(void)state;
	assert_int_equal(sizeof letters - 1, INTENT_BY__MAX);
	for (int from = 0; from < INTENT__MAX; from++)
		for (int to = 0; to < INTENT__MAX; to++) {
			const char *who = who_of((enum intent)from, (enum intent)to);

			assert_int_equal(intent_may_anyone((enum intent)from, (enum intent)to), *who != '\0');
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
				assert_false(intent_may_anyone((enum intent)from, (enum intent)to));
}

static void from_everywhere_there_is_a_way_to_paid_and_from_paid_to_refunded(void **state)
{
	bool reached[INTENT__MAX][INTENT__MAX] = {{false}};

	(void)state;
	for (int a = 0; a < INTENT__MAX; a++)
		for (int b = 0; b < INTENT__MAX; b++)
			reached[a][b] = a == b || intent_may_anyone((enum intent)a, (enum intent)b);
	for (int k = 0; k < INTENT__MAX; k++)
		for (int a = 0; a < INTENT__MAX; a++)
			for (int b = 0; b < INTENT__MAX; b++)
				reached[a][b] |= reached[a][k] && reached[k][b];
	for (int a = 0; a < INTENT__MAX; a++)
		if (!intent_charged((enum intent)a))
			assert_true(reached[a][INTENT_PAID]); /* what was charged after all is never refused */
	assert_true(reached[INTENT_PAID][INTENT_REFUNDED] && reached[INTENT_REFUND_DUE][INTENT_REFUNDED]);
	for (int a = 0; a < INTENT__MAX; a++)
		assert_false(intent_live((enum intent)a) && a != INTENT_READY && a != INTENT_AUTHORISED);
}

/* Every row of effects of every amount up to TOP, to this depth, from that money. */
enum { TOP = 3, DEPTH = 5 };

static void walk(struct intent_money m, int depth, int *seen)
{
	enum intent was = m.received ? intent_of_money(&m) : INTENT_AUTHORISED;

	assert_true(intent_adds_up(was, &m));
	++*seen;
	for (int effect = INTENT_NOTHING; depth < DEPTH && effect <= INTENT_NOTICE; effect++)
		for (int64_t amount = -1; amount <= TOP + 1; amount++) {
			struct intent_money next = m;
			enum intent is;

			if (!intent_apply(&next, (enum intent_effect)effect, amount)) {
				assert_memory_equal(&next, &m, sizeof m);
				continue;
			}
			is = next.received ? intent_of_money(&next) : INTENT_AUTHORISED;
			assert_true(intent_adds_up(is, &next));
			assert_true(next.returned >= m.returned && next.received >= m.received);
			/* Every change of state that money makes is a move of the table. */
			assert_true(is == was || intent_may_anyone(was, is));
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
			assert_false(intent_adds_up((enum intent)s, &bad[i]));
	/* The money of one state is not another's. */
	assert_true(intent_adds_up(INTENT_REFUND_DUE,
				   &(struct intent_money){.received = 3, .kept = 1, .returned = 1, .due_back = 1}));
	assert_false(intent_adds_up(INTENT_REFUNDED, &(struct intent_money){.received = 3, .kept = 2, .due_back = 1}));
	assert_false(intent_adds_up(INTENT_PAID, &(struct intent_money){0}));
	assert_false(intent_adds_up(INTENT_VOIDED, &(struct intent_money){.received = 1, .kept = 1}));
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
			if (listed != intent_may_anyone((enum intent)a, (enum intent)b))
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
