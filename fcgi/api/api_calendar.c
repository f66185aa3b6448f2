/*
 * api_calendar.c - GET /api/reservations/{id}/calendar.ics.
 */
#include "route.h"

#include "api.h"
#include "calendar.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum err api_calendar(struct call *c)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-";
	const struct reservation *v = &c->reservation;
	struct restaurant rest;
	char disposition[BOOKING_CODE_SIZE + 32], link[API_LINK_SIZE];
	enum err e = restaurants_get(c->db, v->restaurant_id, &rest);

	assert(c->reservation.id > 0);
	if (e != ERR_OK)
		return e;
	if (!api_manage_link(c, link))
		*link = '\0';
	calendar_put(&c->reply->body, &(struct calendar){
					      .restaurant = &rest,
					      .reservation = v,
					      .link = link,
					      .method = "PUBLISH",
					      .lang = c->req->lang,
				      });
	/* A code of ours; one of an import may have letters that have no place in a header. */
	snprintf(disposition, sizeof disposition, "inline; filename=\"%s.ics\"",
		 strspn(v->code, plain) == strlen(v->code) ? v->code : "reservation");
	reply_header(c->reply, "Content-Disposition", disposition);
	c->reply->type = "text/calendar; charset=utf-8";
	return ERR_OK;
}
