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
	{GET,    "/healthz",                          api_health,             ANYBODY,   NOTHING,     0,
	 "Is the box alive and its book readable?"},
	{GET,    "/metrics",                          api_metrics,            ANYBODY,   NOTHING,     0,
	 "Counters for Prometheus."},
	{GET,    "/api/restaurants/{id}",             api_restaurant,         ANYBODY,   RESTAURANT,  0,
	 "A restaurant: hours, policies, menu."},
	{GET,    "/api/reservations/slots",           api_slots,              ANYBODY,   RESTAURANT,  0,
	 "The times of a day and the seats left."},
	{GET,    "/api/reservations/days",            api_days,               ANYBODY,   RESTAURANT,  0,
	 "The days of a month: open, few left, full, closed."},
	{POST,   "/api/guests",                       api_guest_add,          ANYBODY,   NOTHING,     WRITES | JSON | LIMITED,
	 "A guest introduces themselves and gets a token."},
	{POST,   "/api/login",                        api_login,              ANYBODY,   NOTHING,     WRITES | JSON | MAY_WAIT,
	 "Log in with e-mail and password."},
	{POST,   "/api/logout",                       api_logout,             ANY_TOKEN, NOTHING,     WRITES | MAY_WAIT,
	 "End the login: its token is good for nothing from now on."},
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
	{GET,    "/api/reservations/{id}/calendar.ics", api_calendar,         ANYBODY,   RESERVATION, 0,
	 "An entry for a calendar, by login or X-Manage-Token."},
	{GET,    "/api/reservations/{id}/qr.svg",     api_qr,                 ANYBODY,   RESERVATION, 0,
	 "The manage link as a QR code, by login or X-Manage-Token."},
	{GET,    "/api/tickets/{word}",               api_ticket_get,         ANYBODY,   NOTHING,     0,
	 "How a ticket stands or ended."},
	{DELETE, "/api/tickets/{word}",               api_ticket_leave,       ANYBODY,   NOTHING,     WRITES,
	 "Leave the line."},
};
/* clang-format on */
const size_t route_count = sizeof routes / sizeof routes[0];

static const char *const methods[ROUTE_METHODS] = {"GET", "POST", "PUT", "PATCH", "DELETE"};

/* One part of a path (up to / or the end) against one of a pattern. */
static bool part_fits(struct req *r, const char *pattern, size_t pattern_n, const char *part, size_t n)
{
	static char word[96];
	int64_t id;

	if (n >= sizeof word || n == 0)
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

		if (!path_fits(r, routes[i].path, r->path))
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
