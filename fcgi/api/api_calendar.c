/*
 * api_calendar.c - GET /api/reservations/{id}/calendar.ics.
 */
#include "route.h"

#include "api.h"
#include "calendar.h"

#include <assert.h>
#include <stdio.h>

enum err api_calendar(struct call *c)
{
	const struct reservation *v = &c->reservation;
	struct restaurant rest;
	char disposition[80], link[API_LINK_SIZE];
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
	snprintf(disposition, sizeof disposition, "inline; filename=\"%s.ics\"", v->code);
	reply_header(c->reply, "Content-Disposition", disposition);
	c->reply->type = "text/calendar; charset=utf-8";
	return ERR_OK;
}
