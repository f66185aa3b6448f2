/*
 * lengths.h - how long each text may be that a person writes.
 *
 * LENGTHS_LIST is the only place that says it.  The API checks it, LENGTHS_SIZE makes room for it, the CHECK of a column
 * has the same number, docs/api.md and the pages repeat it, and tests compare them all.  Lengths are in code points: a
 * Hangul syllable is one of them and has three bytes, an emoji has four.
 *
 * A text of one LINE has no control characters.  A text of LINES may have line feeds, and nothing else.
 */
#ifndef JARI_LENGTHS_H
#define JARI_LENGTHS_H

/* clang-format off */
#define LENGTHS_LIST(X) \
	/* name           points  is     meaning */ \
	X(NAME,               80, LINE,  "name of a guest, or of a staff member") \
	X(PHONE,              40, LINE,  "telephone number, as it is typed") \
	X(EMAIL,             254, LINE,  "e-mail address") \
	X(REQUEST,           300, LINES, "what a guest asks for with a booking") \
	X(NOTE,              200, LINES, "the desk's note on a reservation") \
	X(GUEST_NOTE,        400, LINES, "the desk's note on a guest") \
	X(GUEST_TAG,          20, LINE,  "tag that the house gives a guest") \
	X(REASON,            100, LINE,  "why a reservation is cancelled") \
	X(SEARCH,             40, LINE,  "what the desk searches for") \
	X(CODE,               40, LINE,  "reservation code, as it is typed") \
	X(HOUSE,              80, LINE,  "name of a restaurant") \
	X(HOUSE_PHONE,        30, LINE,  "telephone number of a restaurant, as it is shown") \
	X(ADDRESS,           120, LINE,  "where a restaurant is") \
	X(PAYMENT_TEXT,      500, LINES, "how a deposit can be paid") \
	X(MESSAGE_TEXT,      300, LINES, "what the owner adds to every message") \
	X(DAY_NOTE,           80, LINE,  "why a day differs from its week") \
	X(SHIFT_NOTE,        400, LINES, "what staff tell each other about a day") \
	X(SERVICE,            40, LINE,  "name of a service: lunch, dinner") \
	X(DISH,               80, LINE,  "name of a dish") \
	X(DESCRIPTION,       200, LINES, "what a dish is") \
	X(TABLE,              20, LINE,  "name of a table") \
	X(BLOCK,              80, LINE,  "why nothing is taken for a time") \
	X(OVERBOOK,           80, LINE,  "why a party is let in beyond the seats") \
	X(SITE,              200, LINE,  "address of the guests' page") \
	X(MAIL_LOGIN,        254, LINE,  "name by which jari logs in at the mail server") \
	X(MAIL_PASSWORD,     100, LINE,  "and its password")
/* clang-format on */

enum {
#define X(name, points, is, meaning) LENGTHS_##name = points,
	LENGTHS_LIST(X)
#undef X
};

/* Bytes for this many code points and the end, whatever they are. */
#define LENGTHS_SIZE(points) (4 * (points) + 4)

#endif
