/*
 * curlib.h - libcurl, loaded by the processes that use the network, not linked: it brings some thirty libraries, and neither a
 * worker nor `jari cgi` should pay for them.
 */
#ifndef JARI_CURLIB_H
#define JARI_CURLIB_H

#include <curl/curl.h>

struct curlib {
	void *library;
	__typeof__(curl_easy_init) *init;
	__typeof__(curl_easy_cleanup) *cleanup;
	CURLcode (*set)(CURL *, CURLoption, ...);
	__typeof__(curl_easy_perform) *perform;
	CURLcode (*get)(CURL *, CURLINFO, ...);
	__typeof__(curl_easy_strerror) *strerror;
	__typeof__(curl_slist_append) *append;
	__typeof__(curl_slist_free_all) *free_all;
	__typeof__(curl_getdate) *getdate;
	__typeof__(curl_multi_init) *multi_init;
	__typeof__(curl_multi_cleanup) *multi_cleanup;
	__typeof__(curl_multi_add_handle) *multi_add;
	__typeof__(curl_multi_remove_handle) *multi_remove;
	__typeof__(curl_multi_perform) *multi_perform;
	__typeof__(curl_multi_poll) *multi_poll;
	__typeof__(curl_multi_info_read) *multi_read;
};

/* NULL: it is not installed (apt install libcurl4). */
const struct curlib *curlib(void);

#endif
