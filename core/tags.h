/*
 * tags.h - what a guest taps instead of writing it: allergies, diets, occasions, needs.
 *
 * TAGS_LIST is the only place that lists them, what can harm a guest first.  The API and the book have the words, mails have the
 * names; the pages have names of their own in their words, and a test compares them all.
 */
#ifndef JARI_TAGS_H
#define JARI_TAGS_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#define TAGS_LIST(X) \
	/* word        kind      Korean           English */ \
	X(nuts,        ALLERGY,  "견과류",        "nuts") \
	X(peanuts,     ALLERGY,  "땅콩",          "peanuts") \
	X(shellfish,   ALLERGY,  "갑각류·조개류", "shellfish") \
	X(fish,        ALLERGY,  "생선",          "fish") \
	X(milk,        ALLERGY,  "우유",          "milk") \
	X(egg,         ALLERGY,  "계란",          "egg") \
	X(gluten,      ALLERGY,  "밀·글루텐",     "gluten") \
	X(soy,         ALLERGY,  "대두",          "soy") \
	X(sesame,      ALLERGY,  "참깨",          "sesame") \
	X(other,       ALLERGY,  "기타",          "other") \
	X(vegetarian,  DIET,     "채식",          "vegetarian") \
	X(vegan,       DIET,     "비건",          "vegan") \
	X(halal,       DIET,     "할랄",          "halal") \
	X(birthday,    OCCASION, "생일",          "birthday") \
	X(anniversary, OCCASION, "기념일",        "anniversary") \
	X(business,    OCCASION, "비즈니스 모임", "business meal") \
	X(wheelchair,  NEED,     "휠체어",        "wheelchair") \
	X(high_chair,  NEED,     "아기 의자",     "high chair") \
	X(stroller,    NEED,     "유모차",        "stroller")
/* clang-format on */

enum tags_kind { TAGS_ALLERGY, TAGS_DIET, TAGS_OCCASION, TAGS_NEED };

enum {
#define X(word, kind, ko, en) TAGS_##word,
	TAGS_LIST(X) TAGS__MAX
#undef X
};

/* 'nuts', 'peanuts', ...: for statements that name them all; the first is no word. */
#define TAGS_QUOTED(word, kind, ko, en) ", '" #word "'"
#define TAGS_SQL "''" TAGS_LIST(TAGS_QUOTED)

enum { TAGS_SIZE = 200, TAGS_SAID_SIZE = 400 };

/* The word of one, and its number; TAGS__MAX: there is no such tag. */
const char *tags_word(int tag);
int tags_find(const char *word);

/* A set of them has one bit for each, in the order of the list.  As the book has it: nuts,birthday.  Unknown words, which only another program can have written, are left out. */
void tags_write(uint32_t set, char out[TAGS_SIZE]);
uint32_t tags_read(const char *text);

/* For people: "⚠ Allergy: nuts, milk · birthday". */
void tags_say(uint32_t set, enum lang lang, char out[TAGS_SAID_SIZE]);

#endif
