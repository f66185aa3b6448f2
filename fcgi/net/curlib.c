/*
 * curlib.c - libcurl, loaded when it is first needed.
 */
#include "curlib.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static struct curlib curl;

/* Every function that we call, and where it goes. */
static const struct wanted {
	const char *name;
	size_t at;
} wanted[] = {
	{"curl_easy_init", offsetof(struct curlib, init)},
	{"curl_easy_cleanup", offsetof(struct curlib, cleanup)},
	{"curl_easy_setopt", offsetof(struct curlib, set)},
	{"curl_easy_perform", offsetof(struct curlib, perform)},
	{"curl_easy_getinfo", offsetof(struct curlib, get)},
	{"curl_easy_strerror", offsetof(struct curlib, strerror)},
	{"curl_slist_append", offsetof(struct curlib, append)},
	{"curl_slist_free_all", offsetof(struct curlib, free_all)},
	{"curl_getdate", offsetof(struct curlib, getdate)},
	{"curl_multi_init", offsetof(struct curlib, multi_init)},
	{"curl_multi_cleanup", offsetof(struct curlib, multi_cleanup)},
	{"curl_multi_add_handle", offsetof(struct curlib, multi_add)},
	{"curl_multi_remove_handle", offsetof(struct curlib, multi_remove)},
	{"curl_multi_perform", offsetof(struct curlib, multi_perform)},
	{"curl_multi_poll", offsetof(struct curlib, multi_poll)},
	{"curl_multi_info_read", offsetof(struct curlib, multi_read)},
};

static bool find_all(void)
{
	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
		void *symbol = dlsym(curl.library, wanted[i].name);

		if (!symbol)
			return false;
		memcpy((char *)&curl + wanted[i].at, &symbol, sizeof symbol); /* ISO C has no way from void * to a function */
	}
	return true;
}

const struct curlib *curlib(void)
{
	static bool whole;

	if (!curl.library) {
		curl.library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
		whole = curl.library && find_all();
	}
	return whole ? &curl : NULL;
}
