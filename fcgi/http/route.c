/*
 * route.c - every address of the API.
 */
#include "route.h"

#include "text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
const struct route routes[] = {
	/*       path                                 handler                 who        about        flags */
	{GET,    "/",                                 api_page,               ANYBODY,   NOTHING,     0,
	 "The guests' page, with the restaurant's name in it."},
	{GET,    "/r",                                api_page,               ANYBODY,   NOTHING,     0,
	 "The same page, by the link to one reservation."},
	{GET,    "/pay",                              api_pay_page,           ANYBODY,   NOTHING,     0,
	 "The way to a payment provider and back, with the provider of the restaurant beside it."},
	{GET,    "/manifest.webmanifest",             api_manifest,           ANYBODY,   NOTHING,     0,
	 "Name and icons, for a bookmark on a telephone."},
	{GET,    "/healthz",                          api_health,             ANYBODY,   NOTHING,     WITHOUT_BOOK,
	 "Can bookings be saved?  503 and why, if not."},
	{GET,    "/metrics",                          api_metrics,            ANYBODY,   NOTHING,     WITHOUT_BOOK,
	 "Counters for Prometheus, on this machine."},
	{GET,    "/api/restaurants",                  api_restaurants,        ANYBODY,   NOTHING,     0,
	 "The restaurants of this box."},
	{GET,    "/api/restaurants/{id}",             api_restaurant,         ANYBODY,   RESTAURANT,  0,
	 "A restaurant: hours, policies, menu."},
	{GET,    "/api/reservations/slots",           api_slots,              ANYBODY,   RESTAURANT,  0,
	 "The times of a day and the seats left."},
	{GET,    "/api/reservations/days",            api_days,               ANYBODY,   RESTAURANT,  0,
	 "The days of a month: open, few left, full, closed."},
	{GET,    "/api/reservations/opening.ics",     api_opening_calendar,   ANYBODY,   RESTAURANT,  0,
	 "The moment at which a day opens, for a calendar."},
	{POST,   "/api/guests",                       api_guest_add,          ANYBODY,   NOTHING,     WRITES | JSON | LIMITED,
	 "A guest introduces themselves and gets a token."},
	{POST,   "/api/login",                        api_login,              ANYBODY,   NOTHING,     WRITES | JSON | MAY_WAIT,
	 "Log in with e-mail and password."},
	{POST,   "/api/logout",                       api_logout,             ANY_TOKEN, NOTHING,     WRITES | MAY_WAIT | LIMITED,
	 "End the login: its token is good for nothing from now on."},
	{POST,   "/api/cookie",                       api_cookie,             LOGGED_IN, NOTHING,     WRITES,
	 "The caller's token also as a cookie."},
	{POST,   "/api/reservations",                 api_book,               ANY_TOKEN, NOTHING,     WRITES | JSON | MAY_WAIT | LIMITED,
	 "Hold seats."},
	{GET,    "/api/reservations/my",              api_reservations_my,    LOGGED_IN, NOTHING,     0,
	 "The caller's reservations, newest first."},
	{GET,    "/api/reservations/managed",         api_reservation_get,    ANYBODY,   MANAGED,     0,
	 "The reservation that an X-Manage-Token is for."},
	{POST,   "/api/reservations/find",            api_reservation_find,   ANYBODY,   NOTHING,     WRITES | JSON | LIMITED,
	 "A reservation by its code and the guest's number."},
	{GET,    "/api/reservations/{id}",            api_reservation_get,    ANYBODY,   RESERVATION, 0,
	 "One reservation, by login or X-Manage-Token."},
	{POST,   "/api/reservations/{id}/cancel",     api_reservation_cancel, ANYBODY,   RESERVATION, WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT,
	 "Cancel, by login or X-Manage-Token."},
	{POST,   "/api/reservations/{id}/change",     api_reservation_change, ANYBODY,   RESERVATION, WRITES | JSON | MAY_WAIT | LIMITED,
	 "Another time or party size in one step, by login or X-Manage-Token."},
	{DELETE, "/api/reservations/{id}/change",     api_change_withdraw,    ANYBODY,   RESERVATION, WRITES | MAY_WAIT,
	 "Withdraw a change that waits for its payment, by login or X-Manage-Token."},
	{GET,    "/api/reservations/{id}/calendar.ics", api_calendar,         ANYBODY,   RESERVATION, 0,
	 "An entry for a calendar, by login or X-Manage-Token."},
	{GET,    "/api/reservations/{id}/qr.svg",     api_qr,                 ANYBODY,   RESERVATION, 0,
	 "The manage link as a QR code, by login or X-Manage-Token."},
	{POST,   "/api/reservations/{id}/take",       api_reservation_take,   ANYBODY,   RESERVATION, WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT,
	 "Take the seats that the waitlist offers, by login or X-Manage-Token."},
	{POST,   "/api/reservations/{id}/coming",     api_reservation_coming, ANYBODY,   RESERVATION, WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT,
	 "Say that one comes, by login or X-Manage-Token."},
	{POST,   "/api/reservations/{id}/late",       api_reservation_late,   ANYBODY,   RESERVATION, WRITES | JSON | MAY_WAIT | LIMITED,
	 "Say on the day that one is late, or in time after all, by login or X-Manage-Token."},
	{POST,   "/api/reservations/{id}/here",       api_reservation_here,   ANYBODY,   RESERVATION, WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT | LIMITED,
	 "Say that one is at the door, by login or X-Manage-Token."},
	{POST,   "/api/reservations/{id}/payments",   api_pay_begin,          ANYBODY,   RESERVATION, WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT | LIMITED,
	 "Pay what is due: how to get to the provider's page, by login or X-Manage-Token."},
	{GET,    "/api/payments/{word}",              api_pay_get,            ANYBODY,   NOTHING,     0,
	 "How a payment stands, by its key."},
	{POST,   "/api/payments/events/{word}",       api_payment_event,      ANYBODY,   NOTHING,     WRITES | MAY_WAIT | LONG | LIMITED,
	 "A payment provider ({word}) says that something happened; its signature is checked."},
	{POST,   "/api/payments/{word}/back",         api_pay_back,           ANYBODY,   NOTHING,     WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT | LIMITED,
	 "The guest is back from the provider, with what it gave them."},
	{POST,   "/api/waitlist",                     api_wait,               ANY_TOKEN, NOTHING,     WRITES | JSON | MAY_WAIT | LIMITED,
	 "Wait for a slot that is full."},
	{GET,    "/api/waitlist",                     api_waits_my,           LOGGED_IN, NOTHING,     0,
	 "What the caller waits for, newest first."},
	{GET,    "/api/waitlist/{id}",                api_wait_get,           ANYBODY,   WAITER,      0,
	 "Rank, party, offer."},
	{DELETE, "/api/waitlist/{id}",                api_wait_leave,         ANYBODY,   WAITER,      WRITES | MAY_WAIT,
	 "Leave the waitlist; seats that were offered go to the next."},
	{POST,   "/api/proofs",                       api_proof_ask,          ANY_TOKEN, NOTHING,     WRITES | JSON | MAY_WAIT | LIMITED,
	 "Send a code to the caller's number or address."},
	{POST,   "/api/proofs/{id}",                  api_proof_enter,        ANY_TOKEN, NOTHING,     WRITES | JSON | MAY_WAIT | LIMITED,
	 "Enter the code: the number, or address, is the caller's."},
	{GET,    "/api/desk/me",                      api_staff_me,           STAFF,     NOTHING,     0,
	 "Who is logged in at the desk."},
	{GET,    "/api/desk/day",                     api_day,                STAFF,     RESTAURANT,  LIVE,
	 "A day as the desk sees it."},
	{GET,    "/api/desk/news",                    api_news,               STAFF,     RESTAURANT,  0,
	 "What guests did since one last looked, on whichever day; how many holds wait for money."},
	{GET,    "/api/desk/holds",                   api_holds,              STAFF,     RESTAURANT,  0,
	 "Every hold that waits for money, of all days."},
	{POST,   "/api/desk/reservations",            api_seat_book,          STAFF,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "Book for a guest who calls."},
	{POST,   "/api/desk/walk-ins",                api_seat_walk_in,       STAFF,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "Seat a walk-in."},
	{PATCH,  "/api/desk/reservations/{id}",       api_acts_change,        STAFF,     RESERVATION, WRITES | JSON | MAY_WAIT,
	 "Another time, size, table or length of stay."},
	{POST,   "/api/desk/reservations/{id}/pay-link", api_paydesk_link,    STAFF,     RESERVATION, WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT,
	 "Send the guest a link to pay by; the seats are held as long as it is good."},
	{POST,   "/api/desk/reservations/{id}/charge", api_paydesk_charge,    MANAGER,   RESERVATION, WRITES | JSON | MAY_WAIT,
	 "Charge the card that was left as guarantee."},
	{POST,   "/api/desk/reservations/{id}/{word}", api_acts,              STAFF,     RESERVATION, WRITES | JSON | MAY_WAIT,
	 "Say what happens: arrive, seat, leave, complete, no-show, confirm, cancel, note, swap, undo."},
	{GET,    "/api/desk/reservations/{id}/history", api_desk_history,     STAFF,     RESERVATION, 0,
	 "Who did what when with it."},
	{POST,   "/api/desk/waitlist",                api_desk_wait,          STAFF,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "Put a guest on the waitlist."},
	{POST,   "/api/desk/waitlist/clear",          api_desk_wait_clear,    STAFF,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "Take everybody off the waitlist of one slot."},
	{POST,   "/api/desk/waitlist/{id}/{word}",    api_desk_waiter,        STAFF,     WAITER,      WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT,
	 "Offer them seats now, out of turn; or remove them: offer, remove."},
	{GET,    "/api/desk/door",                    api_door_list,          STAFF,     RESTAURANT,  0,
	 "The door list: who waits tonight, in order and with what they are told; who has left it."},
	{GET,    "/api/desk/door/quote",              api_door_quote,         STAFF,     RESTAURANT,  0,
	 "How long a party of ?partySize= would wait if it came now."},
	{POST,   "/api/desk/door",                    api_door_join,          STAFF,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "Put a party at the door on the list."},
	{PATCH,  "/api/desk/door/{id}",               api_door_change,        STAFF,     DOOR_PARTY,  WRITES | JSON | MAY_WAIT,
	 "It is larger or smaller than it said, or leaves a name or a number; its place stays."},
	{POST,   "/api/desk/door/{id}/{word}",        api_door_act,           STAFF,     DOOR_PARTY,  WRITES | JSON | MAY_WAIT,
	 "Say what becomes of it: call, seat, leave, no-show, undo."},
	{GET,    "/api/desk/door/{id}/qr.svg",        api_door_qr,            STAFF,     DOOR_PARTY,  0,
	 "The address of its own page as a QR code."},
	{GET,    "/api/door/{word}",                  api_door_place,         ANYBODY,   DOOR_TOKEN,  0,
	 "A party's own place on the door list, by the token of its page."},
	{DELETE, "/api/door/{word}",                  api_door_leave,         ANYBODY,   DOOR_TOKEN,  WRITES | MAY_WAIT,
	 "It waits no longer."},
	{GET,    "/api/desk/blocks",                  api_blocks,             STAFF,     RESTAURANT,  0,
	 "Times at which nothing new is taken: those that last, and those to come."},
	{POST,   "/api/desk/blocks",                  api_block_add,          STAFF,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "Block a time, for the house or for tables; tonight: no more online until the evening ends."},
	{DELETE, "/api/desk/blocks/{id}",             api_block_lift,         STAFF,     NOTHING,     WRITES | MAY_WAIT,
	 "Lift a block."},
	{PUT,    "/api/desk/slots",                   api_hours_slot,         STAFF,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "How many may start at one time of one day."},
	{PUT,    "/api/desk/day-note",                api_daynote_set,        STAFF,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "What staff tell each other about a day; empty takes it away."},
	{POST,   "/api/desk/menu/{id}/sold-out",      api_dish_sold_out,      STAFF,     NOTHING,     WRITES | JSON | MAY_WAIT,
	 "A dish is sold out, or is to be had again."},
	{GET,    "/api/desk/messages",                api_messages,           STAFF,     RESTAURANT,  0,
	 "The last messages, and what became of them."},
	{GET,    "/api/desk/mail",                    api_mail_get,           BOX_OWNER, NOTHING,     0,
	 "How mail leaves the box."},
	{PUT,    "/api/desk/mail",                    api_mail_set,           BOX_OWNER, NOTHING,     WRITES | JSON | MAY_WAIT,
	 "Set it up."},
	{POST,   "/api/desk/mail/test",               api_mail_test,          OWNER,     RESTAURANT,  WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT,
	 "Send the owner a test; what the server says stands in the messages."},
	{GET,    "/api/desk/box",                     api_box,                OWNER,     NOTHING,     0,
	 "Version, last backup, disk, courier, mail, who is logged in."},
	{GET,    "/api/desk/box/line",                api_box_line,           STAFF,     NOTHING,     0,
	 "The box in one line, and what hurts."},
	{POST,   "/api/desk/backup",                  api_backup,             BOX_OWNER, NOTHING,     WRITES | JSON | MAY_WAIT,
	 "A backup to take away; the owner's password once more."},
	{PUT,    "/api/desk/restore",                 api_restore_part,       BOX_OWNER, NOTHING,     WRITES,
	 "A part of a backup, as bytes: where it begins (?at=) and how long the whole is (?of=).  Only into an unused book."},
	{POST,   "/api/desk/restore",                 api_restore,            BOX_OWNER, NOTHING,     WRITES | JSON | MAY_WAIT,
	 "The parts are all there: put the backup in the place of the empty book."},
	{POST,   "/api/desk/sessions/{id}/end",       api_session_end,        BOX_OWNER, NOTHING,     WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT,
	 "Log one device out."},
	{POST,   "/api/desk/search",                  api_desk_search,        STAFF,     RESTAURANT,  WRITES | JSON,
	 "Reservations by code, number or name; a POST, because names stay out of addresses."},
	{POST,   "/api/desk/person",                  api_desk_person,        STAFF,     RESTAURANT,  WRITES | JSON,
	 "Whose number is this?"},
	{POST,   "/api/desk/guests",                  api_guests,             STAFF,     RESTAURANT,  WRITES | JSON,
	 "The guests of the restaurant, by name, number or tag; a POST, as the search."},
	{GET,    "/api/desk/guests/{id}",             api_guest,              STAFF,     GUEST,       0,
	 "A guest of the restaurant: who they are, what they had, who was merged into them."},
	{PATCH,  "/api/desk/guests/{id}",             api_guest_correct,      STAFF,     GUEST,       WRITES | JSON | MAY_WAIT,
	 "Correct name, number or address of a guest of the restaurant; its note and tags, and whether they are blocked."},
	{POST,   "/api/desk/guests/{id}/merge",       api_guest_merge,        STAFF,     GUEST,       WRITES | JSON | MAY_WAIT,
	 "They are the same person as another guest."},
	{POST,   "/api/desk/guests/{id}/unmerge",     api_guest_unmerge,      STAFF,     GUEST,       WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT,
	 "They are not: what was moved goes back."},
	{GET,    "/api/desk/house",                   api_house,              MANAGER,   RESTAURANT,  0,
	 "Settings with their ranges, tables, staff."},
	{GET,    "/api/desk/countries",               api_countries,          OWNER,     NOTHING,     0,
	 "Countries with what is usual there, and currencies with their digits."},
	{POST,   "/api/desk/restaurants",             api_house_add,          BOX_OWNER, NOTHING,     WRITES | JSON | MAY_WAIT,
	 "A restaurant, with nothing but its name yet."},
	{PUT,    "/api/desk/settings",                api_settings,           OWNER,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "Names, texts and settings; what is not named stays."},
	{PUT,    "/api/desk/hours",                   api_hours,              OWNER,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "The week's hours, whole."},
	{PUT,    "/api/desk/special-days",            api_hours_special_day,  MANAGER,   RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "One day that differs from its week; neither hours nor closed: as its week again."},
	{GET,    "/api/desk/opening",                 api_desk_opening,       STAFF,     RESTAURANT,  0,
	 "The next opening, how many devices look at it, and how the last ones went."},
	{PUT,    "/api/desk/openings",                api_openings,           OWNER,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "Dates that open for guests at a moment of their own, whole."},
	{PUT,    "/api/desk/menu",                    api_menu,               MANAGER,   RESTAURANT,  WRITES | JSON | LONG | MAY_WAIT,
	 "The menu, whole and in its order."},
	{PUT,    "/api/desk/tables",                  api_tables,             MANAGER,   RESTAURANT,  WRITES | JSON | LONG | MAY_WAIT,
	 "The tables and which of them may be joined, whole."},
	{POST,   "/api/desk/guests/{id}/erase",       api_erase,              BOX_OWNER, NOTHING,     WRITES | JSON | MAY_WAIT,
	 "Forget who a guest is; counts stay."},
	{GET,    "/api/desk/history",                 api_house_history,      OWNER,     RESTAURANT,  0,
	 "Who changed which setting when."},
	{GET,    "/api/desk/card.svg",                api_desk_card,          STAFF,     RESTAURANT,  0,
	 "The address of the guests' page as a QR code, for a card on the table."},
	{POST,   "/api/desk/qr",                      api_desk_qr,            BOX_OWNER, NOTHING,     WRITES | JSON,
	 "A link as a QR code, for the telephone of a colleague."},
	{GET,    "/api/desk/refunds",                 api_due_back,           MANAGER,   RESTAURANT,  0,
	 "Money that has to go back."},
	{POST,   "/api/desk/refunds",                 api_given_back,         MANAGER,   RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "It went back."},
	{GET,    "/api/desk/payments",                api_paydesk_list,       MANAGER,   RESTAURANT,  0,
	 "Payments and refunds that need somebody, and the newest."},
	{GET,    "/api/desk/payments/settings",       api_paydesk_get,        OWNER,     RESTAURANT,  0,
	 "Who takes payments online, without the secrets."},
	{PUT,    "/api/desk/payments/settings",       api_paydesk_set,        OWNER,     RESTAURANT,  WRITES | JSON | MAY_WAIT,
	 "Provider, keys, test mode, guarantee; a secret that is not named stays."},
	{POST,   "/api/desk/payments/try",            api_paydesk_try,        OWNER,     RESTAURANT,  WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT,
	 "A payment on trial, which goes back by itself."},
	{POST,   "/api/desk/refunds/{id}/{word}",     api_paydesk_refund,     MANAGER,   NOTHING,     WRITES | JSON | MAY_BE_EMPTY | MAY_WAIT,
	 "A refund that the provider refused: once more (again), or it went back in another way (by-hand)."},
	{GET,    "/api/desk/reports",                 api_reports,            MANAGER,   RESTAURANT,  0,
	 "Covers, no-shows, money, from one date to another."},
	{GET,    "/api/desk/export/{word}",           api_export,             MANAGER,   RESTAURANT,  0,
	 "reservations.csv, guests.csv, payments.csv."},
	{POST,   "/api/desk/staff",                   api_staff_add,          BOX_OWNER, NOTHING,     WRITES | JSON | MAY_WAIT,
	 "Add a login; answers a one-time password for a link."},
	{PUT,    "/api/desk/staff/{id}",              api_staff_change,       BOX_OWNER, NOTHING,     WRITES | JSON | MAY_WAIT,
	 "Another name, another address to log in with, another role."},
	{POST,   "/api/desk/staff/{id}/{word}",       api_staff_act,          BOX_OWNER, NOTHING,     WRITES | JSON | MAY_WAIT,
	 "A new link, logout everywhere, remove."},
	{GET,    "/api/tickets/{word}",               api_ticket_get,         ANYBODY,   NOTHING,     0,
	 "How a ticket stands or ended."},
	{DELETE, "/api/tickets/{word}",               api_ticket_leave,       ANYBODY,   NOTHING,     WRITES,
	 "Leave the line."},
};
/* clang-format on */
const size_t route_count = sizeof routes / sizeof routes[0];

bool route_allows(const struct route *r, const struct user *u)
{
	static const enum user_type least[] = {
		[STAFF] = USER_STAFF, [MANAGER] = USER_MANAGER, [OWNER] = USER_OWNER, [BOX_OWNER] = USER_OWNER};

	return r->who < STAFF || (u->type >= least[r->who] && !(r->who == BOX_OWNER && u->restaurant_id));
}

static const char *const methods[ROUTE_METHODS] = {"GET", "POST", "PUT", "PATCH", "DELETE"};

void route_name(const struct route *r, char out[ROUTE_NAME_SIZE])
{
	snprintf(out, ROUTE_NAME_SIZE, "%s %s", methods[r->method], r->path);
}

/* One part of a path (up to / or the end) against one of a pattern. */
static bool part_fits(struct req *r, const char *pattern, size_t pattern_n, const char *part, size_t n)
{
	static char word[96];
	int64_t id;

	if (n == 0 || pattern_n == 0) /* "/" is the one path with an empty part */
		return n == pattern_n;
	if (n >= sizeof word)
		return false;
	if (pattern[0] != '{')
		return n == pattern_n && memcmp(pattern, part, n) == 0;
	memcpy(word, part, n);
	word[n] = '\0';
	if (strncmp(pattern, "{word}", 6) == 0) {
		r->path_word = word;
		return true;
	}
	assert(strncmp(pattern, "{id}", 4) == 0);
	if (r->path_id_count == REQ_PATH_IDS || !text_int(word, 1, INT64_MAX, &id))
		return false;
	r->path_ids[r->path_id_count++] = id;
	return true;
}

/* Most rows differ from the path in a letter that stands for itself. */
static bool may_fit(const char *pattern, const char *path)
{
	while (*pattern && *pattern != '{' && *pattern == *path) {
		pattern++;
		path++;
	}
	return *pattern == '{' || *pattern == *path;
}

static bool path_fits(struct req *r, const char *pattern, const char *path)
{
	r->path_id_count = 0;
	while (*pattern == '/' && *path == '/') {
		size_t pattern_n = strcspn(++pattern, "/"), n = strcspn(++path, "/");

		if (!part_fits(r, pattern, pattern_n, path, n))
			return false;
		pattern += pattern_n;
		path += n;
	}
	return !*pattern && !*path;
}

const struct route *route_find(struct req *r, enum err *e, char allow[ROUTE_ALLOW_SIZE])
{
	const char *method = strcmp(r->method, "HEAD") == 0 ? "GET" : r->method;
	size_t used = 0;

	*e = ERR_NOT_FOUND;
	allow[0] = '\0';
	for (size_t i = 0; i < route_count; i++) {
		const char *offered = methods[routes[i].method];

		if (!may_fit(routes[i].path, r->path) || !path_fits(r, routes[i].path, r->path))
			continue;
		if (strcmp(offered, method) == 0)
			return &routes[i];
		/* several rows may share a path */
		if (used + strlen(offered) + 3 < ROUTE_ALLOW_SIZE && !strstr(allow, offered))
			used += (size_t)snprintf(allow + used, ROUTE_ALLOW_SIZE - used, "%s%s", used ? ", " : "", offered);
		*e = ERR_METHOD_NOT_ALLOWED;
	}
	return NULL;
}
