/*
 * api.h - what several handlers of the API share.
 */
#ifndef JARI_API_H
#define JARI_API_H

#include "call.h"
#include "house.h"
#include "ticket.h"

/* How each kind of ticket ended, for the door of a process that serves. */
extern door_answer *const api_answers[TICKET__MAX];
#define X(kind, area, entity, change) door_answer api_answer_##area;
TICKET_LIST(X)
#undef X

/* Name, phone and e-mail of a guest who introduces themselves, into a struct ticket_guest. */
void api_take_guest(struct in *in, void *guest);
/* Adds a guest's access token and, unless this is a GET, sets the cookie; returns how many seconds they are good for. */
int64_t api_hand_card(struct call *c, int64_t card_id, const struct ticket_guest *guest, struct json *j);

/* Draws a ticket about what this restaurant has in its book; answers when it has waited as long as its setting says. */
enum err api_draw(struct call *c, const struct ticket_request *ticket, int64_t restaurant_id);
/* The Idempotency-Key of a request, "" when it has none. */
enum err api_take_key(struct call *c, char out[TICKET_KEY_SIZE]);

/* Adds what helps with a refusal: the nearest free times, or the reservation that is there already. */
void api_explain(struct call *c, const struct ticket_want *w, const struct ticket_outcome *outcome);

/* For staff alone: why not, by name, who sits there, and which tables are free (reasons.h). */
struct reasons_ask;
void api_give_reasons(struct call *c, const struct reasons_ask *ask, enum err refused);

/* What a guest is about to write is counted with the rest of their network: ERR_RATE_LIMITED. */
enum err api_count_made(struct call *c);
/* It was refused, and nothing is written. */
void api_uncount_made(struct call *c);

/*
 * What is due of such a party, and the card that is asked for; dishes that are paid ahead count against it.  t has the
 * no-shows.
 */
void api_price(const struct restaurant *r, const struct settings *set, int party, bool dishes, int64_t prepay,
	       struct ticket_terms *t);
/* May this slot be booked by this party now?  Then it is what they want. */
enum err api_check_slot(struct call *c, const struct restaurant_day *day, const struct in_slot *slot, int party,
			struct ticket_want *out);
/*
 * Has that day opened for guests?  By when the web server had the request.  ERR_NOT_YET with the moment, ERR_TOO_FAR,
 * ERR_CLOCK_WRONG, ERR_RATE_LIMITED.  A request that came too early leaves nothing behind.
 */
enum err api_check_open(struct call *c, const struct restaurant_day *day);
/* For the page about how an opening went: a device looks at it, a booking was answered, a guest was told that it is full. */
void api_count_look(struct call *c, int64_t opens_s);
void api_count_booking(struct call *c, int64_t restaurant_id, enum err e);
void api_count_refusal(struct call *c, const struct ticket_want *w);
/* "opensAt" and "serverTime"; opens_s 0: only the latter. */
void api_add_moment(struct json *j, int64_t opens_s);
/* The next opening, or null; every opening that the owner wrote down. */
enum err api_add_next_opening(struct call *c, struct json *j);
enum err api_add_openings(struct call *c, struct json *j);
/* The body of a guest who wants to wait for a slot, as a whole ticket; or what is wrong with it. */
enum err api_take_wait(struct call *c, struct ticket_request *ticket, int64_t *wait_ms);
/* How this restaurant can send six digits to a guest.  API_WAY_NONE: not at all. */
enum api_way { API_WAY_NONE, API_WAY_SMS, API_WAY_MAIL };
bool api_sends_texts(struct call *c, const struct settings *set);
enum err api_code_way(struct call *c, const struct settings *set, enum api_way *way);

/* A ticket about a payment, with what its key follows from: `about` is the code of what is paid. */
void api_pay_ticket(struct call *c, enum ticket_pay_act act, const char *about, struct ticket_request *ticket);

struct json *api_reservation_json(const struct reservation *v);
/*
 * The reservation as it is now, with a change of it that waits for its money, which the caller who `asked` for it hears as
 * 202; a guest gets its manage token too.
 */
enum err api_tell_reservation(struct call *c, int64_t id, bool guest, bool asked);
/* A change that waits for its money, or null. */
enum err api_add_pending(struct call *c, const struct reservation *v, struct json *j);
/* The token of the manage link: for the guest, never for staff. */
void api_add_manage_token(struct call *c, int64_t reservation_id, struct json *j);

/* Where this reservation is seen, changed and cancelled by link; false: the caller did not say where we are. */
enum { API_LINK_SIZE = CALL_SITE_SIZE + 96 };
bool api_manage_link(const struct call *c, char out[API_LINK_SIZE]);

/* A party of the door list sits down, as every walk-in. */
enum err api_seat_from_door(struct call *c);
/* Where the call's party of the door list sees its place. */
bool api_door_link(const struct call *c, char out[API_LINK_SIZE]);

/* 201 with a reservation as the desk sees it; begins and ends its own read. */
enum err api_answer_seat(struct call *c, int64_t reservation_id);
/* A booking of the desk that does not fit: why, and how long there is room for a walk-in who would like to sit down for that. */
void api_explain_seat(struct call *c, const struct ticket_book *b, enum err refused);

/* Whom staff book for, from the body; no number: user_id 0. */
void api_take_desk_guest(struct call *c, bool walk_in, struct ticket_who *who);
/* The tables that the body names for them, 0 behind the last. */
void api_take_tables(struct in *in, int64_t tables[TICKET_TABLES]);
/* Why a party is let in beyond the seats, which only the owner may say; "" where the body says nothing of it. */
void api_take_overbook(struct call *c, char out[TICKET_OVERBOOK_SIZE]);
/* What they want, at any minute of that day's hours. */
/* The times of a day, with what guests and what staff can still book. */
struct slots_desk;
struct json *api_desk_slots_json(const struct settings *house, const struct slots_desk *desk);
/* Staff choose by the clock: 00:30 of an evening is its 24:30. */
void api_by_evening(const struct hours_day *hours, struct in_slot *slot);
enum err api_desk_want(struct call *c, struct in_slot *slot, int party, struct settings *set, struct ticket_want *out);
/* Those who wait on that day, pushed onto a list. */
enum err api_waiters_of_day(struct call *c, int64_t restaurant_id, const char *date, struct json *list);

/* What the desk and the owner see of a reservation; pushed onto a list; or as the whole answer. */
struct desk_row;
/* The blocks of the call's restaurant that last or are to come. */
enum err api_blocks_json(struct call *c, struct json *list);
struct json *api_row_json(const struct desk_row *r);
void api_add_row(void *list, const struct desk_row *r);
enum err api_answer_row(struct call *c, int status, int64_t id);

/* Takes a change of the house, which is written whole or not at all; answers which reservations it contradicts. */
enum err api_house_write(struct call *c, enum house_part part, struct json *change);
/* The note that staff wrote for that day; how many dishes there are, and which are sold out. */
enum err api_add_daynote(struct call *c, const char *day, struct json *j);
enum err api_add_dishes(struct call *c, struct json *j);
/* reservation_limit as reservationLimit. */
enum { API_CAMEL_SIZE = 48 };
void api_camel(const char *name, char out[API_CAMEL_SIZE]);
/* What each role may do beyond any staff: the rows of route.c by their names. */
struct json *api_staff_roles(void);
/* What the owner sees of the settings, with their ranges, and of tables that may be joined. */
struct json *api_settings_json(const struct settings *s);
struct json *api_tables_sets(const struct seats_plan *plan);

#endif
