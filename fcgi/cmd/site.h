/*
 * site.h - the nginx of `jari up`: where it is, where it listens, its configuration.
 *
 * nginx runs from DIR with a configuration of its own: nginx.conf.example with the names of this folder put in, wrapped in the
 * little that a site file cannot say.
 */
#ifndef JARI_SITE_H
#define JARI_SITE_H

#include "cli.h"

enum { SITE_PATH = 4096 };

struct site {
	char dir[SITE_PATH], www[SITE_PATH], nginx[SITE_PATH];
	const char *bind;
	int port;
	bool ipv6;
};

/* Checks everything that can go wrong before the folder is made. */
int site_choose(const struct cli_options *o, struct site *site);
/* Makes the folder, and in it the configuration. */
int site_write(const struct cli_options *o, struct site *site);

/* nginx.conf.example for the nginx of the system, under this name ("_": any).  The caller frees it; NULL: no pages, no memory. */
char *site_text(const char *name);

#endif
