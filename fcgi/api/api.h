/*
 * api.h - what several handlers of the API share.
 */
#ifndef JARI_API_H
#define JARI_API_H

#include "call.h"

/* Name, phone and e-mail of somebody who introduces themselves, into a struct ticket_guest. */
void api_take_guest(struct in *in, void *guest);
/* Adds a guest's access token and, unless this is a GET, sets the cookie; returns how many seconds they are good for. */
int64_t api_hand_card(struct call *c, const struct auth_card *card, struct json *j);

/* What somebody wanted and did not get. */
struct api_wish {
	int64_t restaurant_id;
	const char *date, *time;
	int party;
};
/* Adds what helps with a refusal: the nearest free times, or the reservation that is there already. */
void api_explain(struct call *c, const struct api_wish *w, const struct ticket_outcome *outcome);

struct json *api_reservation_json(const struct reservation *v);
/* The token of the manage link: for the guest, never for staff. */
void api_add_manage_token(struct call *c, int64_t reservation_id, struct json *j);

#endif
