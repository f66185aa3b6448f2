/*
 * route.h - every address of the API, one row each.
 *
 * A row says everything that the door checks before the handler runs: who may call, what the address is about, what
 * comes in the body, how often.  A handler checks none of it again.
 */
#ifndef JARI_ROUTE_H
#define JARI_ROUTE_H

#include "call.h"

enum route_method { GET, POST, PUT, PATCH, DELETE, ROUTE_METHODS };

enum route_who {
	ANYBODY,
	ANY_TOKEN, /* a login is read by its signature alone, if there is one; the pen's holder checks its user */
	LOGGED_IN, /* a valid login of any kind */
	STAFF,     /* everybody of the house ... */
	MANAGER,   /* ... who runs it while the owner is away ... */
	OWNER,     /* ... and whose it is */
	BOX_OWNER, /* an owner of every restaurant of the box: who may let people in, and forget them */
};

/* What the address is about: loaded into the call, 404 when it is not there or not the caller's to see. */
enum route_about {
	NOTHING,
	RESTAURANT,  /* the {id} of the path, else ?restaurantId=; staff of one restaurant see only that one */
	GUEST,       /* ?restaurantId=, the {id} of the path is a guest of that restaurant: its statements see to it */
	RESERVATION, /* the {id} of the path; for its manage token, its guest's login, and staff of its restaurant */
	MANAGED,     /* the reservation that the X-Manage-Token is for */
	WAITER,      /* the {id} of the path: an entry of the waitlist; for its guest, and staff of its restaurant */
	DOOR_PARTY,  /* the {id} of the path: a party of the door list, for staff of its restaurant */
	DOOR_TOKEN,  /* the {word} of the path: the token of its own page, for the party itself */
};

enum route_flags {
	WRITES = 1,        /* changes something: never by GET, refused from other sites and for clients that have gone */
	JSON = 2,          /* the body is one JSON object */
	MAY_BE_EMPTY = 4,  /* no body counts as {} */
	MAY_WAIT = 8,      /* waits in the line, or computes for long: the door ends its read of the book first */
	LONG = 128,        /* the body may have REQ_BODY_LONG bytes */
	LIMITED = 16,      /* counts against the limits per address and per login of core/rate.h */
	WITHOUT_BOOK = 64, /* answers whatever has become of the book, and asks for it itself */
	LIVE = 32, /* about a ?date= of a restaurant; asked every second: 304 without the book while nothing has changed */
};

typedef enum err route_handler(struct call *c);

struct route {
	enum route_method method;
	const char *path; /* {id} stands for a number, {word} for a word */
	route_handler *handle;
	enum route_who who;
	enum route_about about;
	unsigned flags;
	const char *help;
};

extern const struct route routes[];
extern const size_t route_count;

/*
 * The row for this method and path; fills r->path_ids and r->path_word.  NULL with *e ERR_NOT_FOUND, or
 * ERR_METHOD_NOT_ALLOWED and the allowed methods in allow.  HEAD is answered as GET.
 */
enum { ROUTE_ALLOW_SIZE = 48 };
const struct route *route_find(struct req *r, enum err *e, char allow[ROUTE_ALLOW_SIZE]);

/* May this login call it?  What each role may do stands in the rows, and nowhere else. */
bool route_allows(const struct route *r, const struct user *u);
/* "PUT /api/desk/menu": how a page names a row. */
enum { ROUTE_NAME_SIZE = 80 };
void route_name(const struct route *r, char out[ROUTE_NAME_SIZE]);

route_handler api_page, api_pay_page, api_manifest;
route_handler api_payment_event;
route_handler api_health, api_metrics, api_restaurants, api_restaurant, api_slots, api_days;
route_handler api_guest_add, api_login, api_logout, api_cookie;
route_handler api_book, api_ticket_get, api_ticket_leave;
route_handler api_reservations_my, api_reservation_get, api_reservation_cancel, api_reservation_change, api_reservation_find;
route_handler api_change_withdraw;
route_handler api_calendar, api_qr;
route_handler api_day, api_seat_book, api_seat_walk_in, api_acts_change, api_acts;
route_handler api_blocks, api_block_add, api_block_lift;
route_handler api_news, api_holds;
route_handler api_daynote_set, api_dish_sold_out;
route_handler api_desk_history, api_desk_search, api_desk_person;
route_handler api_guests, api_guest, api_guest_correct, api_guest_merge, api_guest_unmerge;
route_handler api_house, api_settings, api_hours, api_hours_special_day, api_hours_slot, api_menu, api_tables;
route_handler api_openings, api_opening_calendar, api_desk_opening;
route_handler api_house_history, api_desk_card, api_desk_qr, api_reports, api_export, api_erase, api_due_back, api_given_back;
route_handler api_house_add, api_countries, api_staff_me, api_staff_add, api_staff_change, api_staff_act;
route_handler api_wait, api_waits_my, api_wait_get, api_wait_leave, api_desk_wait, api_desk_waiter, api_desk_wait_clear;
route_handler api_door_list, api_door_quote, api_door_join, api_door_change, api_door_act, api_door_qr, api_door_place,
	api_door_leave;
route_handler api_reservation_take, api_reservation_coming, api_reservation_late, api_reservation_here, api_proof_ask,
	api_proof_enter;
route_handler api_pay_begin, api_pay_get, api_pay_back, api_paydesk_get, api_paydesk_set, api_paydesk_try, api_paydesk_list;
route_handler api_paydesk_refund, api_paydesk_link, api_paydesk_charge;
route_handler api_mail_get, api_mail_set, api_mail_test, api_messages;
route_handler api_box, api_box_line, api_backup, api_session_end, api_restore_part, api_restore;

#endif
