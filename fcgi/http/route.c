/*
 * route.c - every address of the API.
 */
#include "route.h"

#include "text.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
const struct route routes[] = {
	{GET,  "/healthz",                   api_health,          NEEDS_NOTHING,       "Is the box alive and its book readable?"},
	{GET,  "/metrics",                   api_metrics,         NEEDS_NOTHING,       "Counters for Prometheus."},
	{GET,  "/api/restaurants/{id}",      api_restaurant,      NEEDS_NOTHING,       "A restaurant: hours, policies, menu."},
	{GET,  "/api/reservations/slots",    api_slots,           NEEDS_NOTHING,       "The times of a day and the seats left."},
	{POST, "/api/guests",                api_guest_add,       WRITES | TAKES_JSON, "A guest introduces himself and gets a token."},
	{POST, "/api/login",                 api_login,           WRITES | TAKES_JSON, "Log in with e-mail and password."},
	{POST, "/api/logout",                api_logout,          WRITES,              "Forget the login cookie."},
	{GET,  "/api/reservations/my",       api_reservations_my, NEEDS_GUEST,         "The caller's reservations, newest first."},
	{GET,  "/api/reservations/{id}",     api_reservation_get, NEEDS_NOTHING,       "One reservation, by login or X-Manage-Token."},
	{POST, "/api/reservations",          api_book,            MAY_HAVE_TOKEN | WRITES | TAKES_JSON, "Hold seats."},
	{POST, "/api/reservations/{id}/cancel", api_reservation_cancel, WRITES | TAKES_JSON, "Cancel, by login or X-Manage-Token."},
	{GET,  "/api/reservations/days",     api_days,            NEEDS_NOTHING,       "The days of a month: open, few left, full, closed."},
	{GET,  "/api/reservations/managed",  api_managed,         NEEDS_NOTHING,       "The reservation that an X-Manage-Token is for."},
	{GET,  "/api/reservations/{id}/calendar.ics", api_calendar, NEEDS_NOTHING,     "An entry for a calendar, by login or X-Manage-Token."},
	{GET,  "/api/reservations/{id}/qr.svg", api_qr,           NEEDS_NOTHING,       "The manage link as a QR code, by login or X-Manage-Token."},
	{GET,  "/api/tickets/{word}",        api_ticket_get,      NEEDS_NOTHING,       "How a ticket stands or ended."},
	{DELETE, "/api/tickets/{word}",      api_ticket_leave,    WRITES,              "Leave the line."},
};
/* clang-format on */
const size_t route_count = sizeof routes / sizeof routes[0];

static const char *const methods[ROUTE_METHODS] = {"GET", "POST", "DELETE"};

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
	if (!text_int(word, 1, INT64_MAX, &id))
		return false;
	r->path_id = id;
	return true;
}

static bool path_fits(struct req *r, const char *pattern, const char *path)
{
	while (*pattern == '/' && *path == '/') {
		size_t pattern_n = strcspn(++pattern, "/"), n = strcspn(++path, "/");

		if (!part_fits(r, pattern, pattern_n, path, n))
			return false;
		pattern += pattern_n;
		path += n;
	}
	return !*pattern && !*path;
}

const struct route *route_find(struct req *r, enum err *e, char allow[32])
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
		/* /api/reservations/slots fits {id} of nothing, but several rows may share a path */
		if (used + strlen(offered) + 3 < 32 && !strstr(allow, offered))
			used += (size_t)snprintf(allow + used, 32 - used, "%s%s", used ? ", " : "", offered);
		*e = ERR_METHOD_NOT_ALLOWED;
	}
	return NULL;
}
