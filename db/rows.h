/*
 * rows.h - every column of a reservation that C or a page looks at, once.
 *
 * A list makes the members of its struct, the columns of its SELECT, its reader, and the JSON that guests or staff see
 * (JSON_TO_GUEST and JSON_TO_DESK in json.h).  A field more is a row here and its place on the page.
 *
 *   member   in the struct
 *   kind     LONG int64_t; INT int; FLAG bool; SET bool, is it not NULL?; LIFE enum life; TEXT(size), "" for NULL.
 *            OR_NULL(size) is a text whose JSON is null where it is empty; LONG_IF, INT_IF and TEXT_IF(size) have no JSON
 *            where they are 0 or empty; TAGS is a set of tags.h, in JSON a list of their words,
 *            OBJECT_IF(size) a text that is JSON itself, left out where it is empty,
 *            WORDS(size) a text of words with commas, in JSON a list of them
 *   SQL      where it comes from
 *   JSON     its name in answers
 *   seen by  GUEST, DESK, BOTH, or NOBODY
 */
#ifndef JARI_ROWS_H
#define JARI_ROWS_H

#include "clock.h"
#include "guesttags.h"
#include "lengths.h"
#include "life.h"
#include "money.h"
#include "tags.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>

/* The reservation v in its slot s, of user u. */
/* clang-format off */
#define ROWS_RESERVATION(X) \
	/* member          kind                             SQL                        JSON               seen by */ \
	X(id,              LONG,                            "v.reservation_id",        "reservationId",   BOTH) \
	X(code,            TEXT(LENGTHS_SIZE(LENGTHS_CODE)), "v.reservation_code",     "reservationCode", BOTH) /* an import's may have any characters */ \
	X(version,         LONG,                            "v.version",               "version",         DESK) \
	X(slot_id,         LONG,                            "v.slot_id",               "slotId",          GUEST) \
	X(user_id,         LONG,                            "v.user_id",               "guestId",         DESK) \
	X(restaurant_id,   LONG,                            "s.restaurant_id",         "restaurantId",    GUEST) \
	X(date,            TEXT(TEXT_DATE_SIZE),            "s.slot_date",             "slotDate",        BOTH) \
	X(time,            TEXT(TEXT_TIME_SIZE),            "s.slot_time",             "slotTime",        BOTH) \
	X(starts_at,       TEXT(CLOCK_ISO_SIZE),            "v.starts_at",             "startsAt",        BOTH) \
	X(ends_at,         TEXT(CLOCK_ISO_SIZE),            "v.ends_at",               "endsAt",          BOTH) \
	X(sitting_minutes, INT,                             "v.sitting_minutes",       "sittingMinutes",  GUEST) \
	X(party,           INT,                             "v.party_size",            "partySize",       BOTH) \
	X(type,            TEXT(24),                        "v.reservation_type",      "reservationType", GUEST) \
	X(status,          LIFE,                            "v.status",                "status",          BOTH) /* a hold past its time reads as EXPIRED, swept or not */ \
	X(visit_status,    TEXT(12),                        "v.visit_status",          "visitStatus",     BOTH) \
	X(guest,           TEXT(LENGTHS_SIZE(LENGTHS_NAME)), "v.guest_name",           "guestName",       DESK) \
	X(request,         OR_NULL(LENGTHS_SIZE(LENGTHS_REQUEST)), "v.request_message", "requestMessage", BOTH) \
	X(tags,            TAGS,                            "v.tags",                  "tags",            BOTH) \
	X(hold_expires_at, TEXT(CLOCK_ISO_SIZE),            "v.hold_expires_at",       "",                NOBODY) \
	X(deposit,         LONG,                            "v.deposit_amount",        "",                NOBODY) \
	X(prepay,          LONG,                            "v.prepay_amount",         "",                NOBODY) \
	X(total,           LONG,                            "v.total_amount",          "totalAmount",     BOTH) \
	X(deposit_party,   INT,  "ifnull(v.deposit_party, v.party_size)",              "",                NOBODY) /* how many people the deposit was paid for */ \
	X(currency,        TEXT(4),                         "v.currency",              "currency",        BOTH) \
	X(guarantee,       LONG_IF,                         "v.guarantee_amount",      "guaranteeAmount", BOTH) /* instead of a deposit: the most that a card may be charged */ \
	X(refund_policy,   TEXT(MONEY_POLICY_SIZE),         "v.refund_policy",         "",                NOBODY) \
	X(refund_cap,      INT,                             "ifnull(v.refund_cap, 100)", "",              NOBODY) /* percent that a guest who cancels gets back at most: it was moved once */ \
	X(forfeited,       LONG,                            "v.forfeited_amount",      "",                NOBODY) /* of what is paid: kept for people whom the guest took off */ \
	X(card_id,         LONG,                            "v.card_id",               "",                NOBODY) /* 0: made by a login or at the desk */ \
	X(phone_key,       LONG,                            "u.phone_key",             "",                NOBODY) /* of its guest; 0: none is known */ \
	X(created_at,      TEXT(CLOCK_ISO_SIZE),            "v.created_at",            "createdAt",       GUEST) \
	X(updated_at,      TEXT(CLOCK_ISO_SIZE),            "v.updated_at",            "",                NOBODY) \
	X(coming,          SET,                             "v.coming_at",             "coming",          BOTH) /* asked before the day, the guest said that they come */ \
	X(late_minutes,    INT,                             "v.late_minutes",          "lateMinutes",     BOTH) /* on the day, the guest says that they come so much later */ \
	X(here,            SET,                             "v.here_at",               "here",            BOTH) /* ... that they are at the door */ \
	X(unproven,        FLAG,                            "v.unproven",              "",                NOBODY) /* a hold that waits for its guest's code */ \
	X(from_waitlist,   FLAG,                            "v.source = 'WAITLIST'",   "",                NOBODY) \
	X(by_staff,        FLAG,                            "v.source IN ('DESK', 'WALK_IN')", "",         NOBODY) \
	X(walked_in,       FLAG,                            "v.source = 'WALK_IN'",    "",                NOBODY) \
	X(overbook,        TEXT_IF(LENGTHS_SIZE(LENGTHS_OVERBOOK)), "v.overbook_reason", "overbook",      DESK) /* why the owner let them in beyond the seats */ \
	/* seats from the waitlist that the guest has not taken yet */ \
	X(offered,         FLAG, "CASE WHEN v.source = 'WAITLIST' AND v.status = 'TEMPORARY' THEN EXISTS (SELECT 1 FROM waitlist w" \
		" WHERE w.reservation_id = v.reservation_id AND w.reservation_id IS NOT NULL AND w.status = 'OFFERED') END", "offered", GUEST) \
	/* A change of it that waits for its money, 0: none. */ \
	X(change_id,       LONG, "CASE WHEN v.is_active = 1 AND v.status <> 'TEMPORARY' THEN (SELECT c.reservation_id FROM reservations c" \
		" WHERE c.change_of = v.reservation_id AND c.change_of IS NOT NULL AND c.status = 'TEMPORARY') END", "", NOBODY) \
	/* Or it is one itself: of which, to how many, is it done, and the version of the other when it was asked for (0: withdrawn). */ \
	X(change_of,       LONG_IF,                         "v.change_of",             "changeOf",        DESK) \
	X(change_party,    INT_IF,                          "v.change_party",          "changeParty",     DESK) \
	X(change_done,     FLAG,                            "v.change_done",           "",                NOBODY) \
	X(change_version,  LONG,                            "v.change_version",        "",                NOBODY) \
	X(payment,         OBJECT_IF(1200),                 ROWS_PAYMENT,              "payment",         BOTH) /* the newest online */

/* And what only staff see of it; g is what their restaurant thinks of the guest, ?1 the time of now. */
#define ROWS_DESK(X) \
	X(phone,           OR_NULL(TEXT_PHONE_SIZE),        "u.phone",                 "phone",           DESK) \
	X(note,            OR_NULL(LENGTHS_SIZE(LENGTHS_NOTE)), "v.note",              "note",            DESK) \
	X(guest_note,      OR_NULL(LENGTHS_SIZE(LENGTHS_GUEST_NOTE)), "g.note",        "guestNote",       DESK) \
	X(guest_tags,      WORDS(GUESTTAGS_SIZE),           "g.tags",                  "guestTags",       DESK) \
	X(blocked,         FLAG,                            "ifnull(g.is_blocked, 0) OR u.is_blocked", "blocked", DESK) \
	X(visits,          INT,                             ROWS_VISITS("v", "v.restaurant_id", "COMPLETED"),  "visits",          DESK) /* up to a hundred */ \
	X(no_shows,        INT,                             ROWS_VISITS("v", "v.restaurant_id", "NO_SHOW"),    "noShows",         DESK) \
	X(paid,            LONG,                            ROWS_MONEY("kept_amount"), "paidAmount",      DESK) \
	X(due_back,        LONG,                            ROWS_MONEY("due_back_amount"), "dueBackAmount", DESK) \
	/* a change of it waits for so much money */ \
	X(change_due,      LONG, "(SELECT c.total_amount FROM reservations c WHERE c.change_of = v.reservation_id" \
		" AND c.change_of IS NOT NULL AND c.status = 'TEMPORARY' AND c.hold_expires_at > ?1)", "changeDue", DESK) \
	X(change_of_code,  TEXT_IF(LENGTHS_SIZE(LENGTHS_CODE)), \
		"(SELECT o.reservation_code FROM reservations o WHERE o.reservation_id = v.change_of)", "changeOfCode", DESK) \
	X(held_until,      OR_NULL(CLOCK_ISO_SIZE), "CASE v.status WHEN 'TEMPORARY' THEN v.hold_expires_at END", "holdExpiresAt", DESK) \
	X(source,          TEXT(12),                        "v.source",                "source",          DESK) \
	X(arrived_at,      OR_NULL(CLOCK_ISO_SIZE),         "v.arrived_at",            "arrivedAt",       DESK) \
	X(seated_at,       OR_NULL(CLOCK_ISO_SIZE),         "v.seated_at",             "seatedAt",        DESK) \
	X(left_at,         OR_NULL(CLOCK_ISO_SIZE),         "v.left_at",               "leftAt",          DESK) \
	X(here_at,         OR_NULL(CLOCK_ISO_SIZE),         "v.here_at",               "hereAt",          DESK) \
	/* ids with commas; of a party that has left those at which it sat */ \
	X(tables,          TEXT(120), "ifnull((SELECT group_concat(t.table_id) FROM reservation_tables t WHERE t.reservation_id = v.reservation_id)," \
		" CASE v.status WHEN 'COMPLETED' THEN (SELECT trim(json_extract(a.before, '$.tables'), '[]') FROM desk_acts a" \
		" WHERE a.reservation_id = v.reservation_id AND a.act IN ('leave', 'complete') AND a.undone_at IS NULL" \
		" ORDER BY a.act_id DESC LIMIT 1) END)",                                "",                NOBODY) \
	X(dishes,          OR_NULL(1024), "(SELECT group_concat(i.menu_name || ' × ' || i.quantity, ', ') FROM reservation_menu_items i" \
		" WHERE i.reservation_id = v.reservation_id)", "dishes", DESK) \
	/* in the other language of the house, as far as the dishes have names in it */ \
	X(dishes_other,    OR_NULL(1024), "(SELECT group_concat(ifnull(nullif(m.name_en, ''), i.menu_name) || ' × ' || i.quantity, ', ')" \
		" FROM reservation_menu_items i LEFT JOIN menus m USING (menu_id) WHERE i.reservation_id = v.reservation_id)", \
		"dishesOther", DESK) \
	X(shared,          TEXT(120), "(SELECT group_concat(t.table_id) FROM reservation_tables t WHERE t.reservation_id = v.reservation_id" \
		" AND t.shared = 1)",                                                  "",                NOBODY) /* of these, those where it sits beside others on purpose */ \
	X(changed_by,      TEXT(40),                        "v.changed_by",            "",                NOBODY) \
	/* the act that can be undone, or "" */ \
	X(undo,            OR_NULL(24), "(SELECT a.act FROM desk_acts a WHERE a.reservation_id = v.reservation_id AND a.undone_at IS NULL AND" \
		" a.version_after = v.version AND a.act <> 'confirm' ORDER BY a.act_id DESC LIMIT 1)", "undo", DESK)
/* The newest payment of reservation v online, as JSON (the view says what a person is told of it). */
#define ROWS_PAYMENT \
	"(SELECT i.object FROM _payments_told i WHERE i.reservation_id = v.reservation_id AND i.reservation_id IS NOT NULL" \
	" ORDER BY i.intent_id DESC LIMIT 1)"
/* How often user u came there, or did not, up to a hundred. */
#define ROWS_VISITS(u, restaurant, status) \
	"(SELECT count(*) FROM (SELECT 1 FROM reservations o WHERE o.user_id = " u ".user_id AND o.restaurant_id = " restaurant \
	" AND o.is_active IS NULL AND o.status = '" status "' LIMIT 100))"
#define ROWS_MONEY(column) "(SELECT ifnull(sum(p." column "), 0) FROM payments p WHERE p.reservation_id = v.reservation_id)"
/* clang-format on */

/* ---- what a list makes ---- */

/* Members of a struct. */
#define ROWS_MEMBER(member, kind, sql, json, seen) ROWS_TYPE_##kind member;
#define ROWS_TYPE_LONG int64_t
#define ROWS_TYPE_LONG_IF int64_t
#define ROWS_TYPE_INT int
#define ROWS_TYPE_INT_IF int
#define ROWS_TYPE_FLAG bool
#define ROWS_TYPE_SET bool
#define ROWS_TYPE_LIFE enum life
#define ROWS_TYPE_TAGS uint32_t
#define ROWS_TYPE_TEXT(size) __typeof__(char[size])
#define ROWS_TYPE_OR_NULL(size) __typeof__(char[size])
#define ROWS_TYPE_TEXT_IF(size) __typeof__(char[size])
#define ROWS_TYPE_OBJECT_IF(size) __typeof__(char[size])
#define ROWS_TYPE_WORDS(size) __typeof__(char[size])

/* Who sees it. */
enum { ROWS_SEEN_NOBODY, ROWS_SEEN_GUEST, ROWS_SEEN_DESK, ROWS_SEEN_BOTH };

/* Columns, each after a comma. */
#define ROWS_COLUMN(member, kind, sql, json, seen) ", " sql

/* A reader: the next column of row s, `column`, into the member of *out. */
#define ROWS_TAKE(member, kind, sql, json, seen) ROWS_TAKE_##kind(s, column++, out->member);
#define ROWS_TAKE_LONG(s, column, to) to = stmt_int(s, column)
#define ROWS_TAKE_LONG_IF ROWS_TAKE_LONG
#define ROWS_TAKE_INT(s, column, to) to = (int)stmt_int(s, column)
#define ROWS_TAKE_INT_IF ROWS_TAKE_INT
#define ROWS_TAKE_FLAG(s, column, to) to = stmt_int(s, column) != 0
#define ROWS_TAKE_SET(s, column, to) to = !stmt_null(s, column)
#define ROWS_TAKE_LIFE(s, column, to) to = take_life(s, column)
#define ROWS_TAKE_TAGS(s, column, to) to = tags_read(stmt_text(s, column))
#define ROWS_COPY(s, column, to) stmt_copy(s, column, to, sizeof to)
#define ROWS_TAKE_TEXT(size) ROWS_COPY
#define ROWS_TAKE_OR_NULL(size) ROWS_COPY
#define ROWS_TAKE_TEXT_IF(size) ROWS_COPY
#define ROWS_TAKE_OBJECT_IF(size) ROWS_COPY
#define ROWS_TAKE_WORDS(size) ROWS_COPY

#endif
