/*
 * route.h - every address of the API, one row each.
 */
#ifndef JARI_ROUTE_H
#define JARI_ROUTE_H

#include "door.h"

enum route_method { GET, POST, DELETE, ROUTE_METHODS };

enum route_needs {
	NEEDS_NOTHING = 0,
	NEEDS_GUEST = 1,   /* any valid login */
	NEEDS_STAFF = 2,   /* staff or owner */
	WRITES = 4,        /* changes the book: no GET, refused from other sites, not for clients that left */
	TAKES_JSON = 8,    /* the body is one JSON object */
	MAY_HAVE_TOKEN = 16, /* a login by its signature alone, whose user the pen looks at; id 0: none.  No read is begun */
};

/* user is NULL unless the row needs one. */
typedef enum err route_handler(struct door *d, struct req *r, const struct user *user, struct reply *reply);

struct route {
	enum route_method method;
	const char *path; /* {id} stands for a number, {word} for a word, either last or before the last part */
	route_handler *handle;
	unsigned needs;
	const char *help;
};

extern const struct route routes[];
extern const size_t route_count;

/*
 * The row for this method and path; fills r->path_id and r->path_word.  NULL with *e ERR_NOT_FOUND, or
 * ERR_METHOD_NOT_ALLOWED and the allowed methods in allow.  HEAD is answered as GET.
 */
const struct route *route_find(struct req *r, enum err *e, char allow[32]);

route_handler api_health, api_metrics, api_restaurant, api_slots;
route_handler api_guest_add, api_login, api_logout;
route_handler api_reservations_my, api_reservation_get, api_reservation_cancel;
route_handler api_days, api_managed, api_calendar, api_qr;
route_handler api_book, api_ticket_get, api_ticket_leave;

#endif
