/*
 * cli_serve.c - jari behind a web server that is not its own: serve, courier, cashier, cgi.
 */
#include "cli.h"

#include "api.h"
#include "cashier.h"
#include "clock.h"
#include "courier.h"
#include "door.h"
#include "front_cgi.h"
#include "log.h"
#include "role.h"
#include "serving.h"
#include "supervise.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { ROLE_LOOK_MS = 2000 };

int cli_serve(const struct cli_options *o)
{
	char dir[PATH_MAX];

	if (role_of(o->dir) != ROLE_SPARE && !cli_book_writable(o))
		return CLI_FAILED;
	if (!realpath(o->dir, dir))
		return cli_fail(ERR_OK, "%s: %s", o->dir, strerror(errno));
	if (!o->no_courier) /* else nothing here uses the network, and the unit of the mirror has asked before */
		cli_ask_spare(dir);
	return supervise_run(&(struct supervise_plan){
		.dir = dir, .workers = o->workers, .hang_ms = o->hang_ms, .no_courier = o->no_courier});
}

/* A process that uses the network, in a unit of its own. */
static int run_alone(const struct cli_options *o, int (*run)(const char *dir))
{
	char dir[PATH_MAX];

	while (role_of(o->dir) != ROLE_SERVES) /* a box that serves nobody sends nothing and moves no money */
		clock_sleep_ms(ROLE_LOOK_MS);
	if (!cli_book_there(o))
		return CLI_FAILED;
	if (!realpath(o->dir, dir))
		return cli_fail(ERR_OK, "%s: %s", o->dir, strerror(errno));
	log_level_set(LOG_INFO);
	return run(dir);
}

int cli_courier(const struct cli_options *o)
{
	return run_alone(o, courier_run_alone);
}

int cli_cashier(const struct cli_options *o)
{
	return run_alone(o, cashier_run_alone);
}

/* A box that serves nobody does not do it this way either. */
static enum err open_for_cgi(struct door *d, const char *dir)
{
	switch (role_of(dir)) {
	case ROLE_REPLACED:
		return ERR_BOX_REPLACED;
	case ROLE_SPARE:
		return ERR_BOX_SPARE;
	case ROLE_SERVES:
		break;
	}
	return serving_by_another(dir) ? ERR_BOOK_SERVED : door_open(d, dir);
}

int cli_cgi(const struct cli_options *o)
{
	static struct door d;
	static struct req r;
	static struct reply reply;
	enum err e;

	log_name("cgi");
	front_cgi_read(&r);
	reply_clear(&reply);
	e = open_for_cgi(&d, o->dir);
	d.answers = api_answers;
	if (e == ERR_OK)
		door_serve(&d, &r, &reply);
	else
		reply_error(&reply, e, r.lang);
	front_cgi_write(&reply);
	if (e == ERR_OK) {
		hall_stay(&d.hall);
		door_close(&d);
	}
	return CLI_OK;
}
