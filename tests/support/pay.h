/*
 * pay.h - the local providers of tests/pay for a test in C: PortOne, Toss and Stripe, the guest at their windows, their faults.
 *
 * Formats make JSON, in which ' stands for ": pay_fault(&pay, "{'provider':'toss','call':'confirm','fault':'lost'}").
 */
#ifndef JARI_PAY_H
#define JARI_PAY_H

#include "http.h"

#include <stdint.h>
#include <sys/types.h>

enum { PAY_TEXT = 2048 };

struct pay {
	int port;
	char url[64]; /* http://127.0.0.1:4711 */
	char log[64];
	pid_t pid;
};

/* Starts the server, up to its first answer; where node's packages are missing it fetches them first. */
void pay_open(struct pay *p);
/* Ends it; fails the test if a request of jari's was wrong, or an answer of the server's. */
void pay_close(struct pay *p);
/* Ends it, whatever it saw.  Nothing the second time. */
void pay_free(struct pay *p);
/* Was every request so far as the provider's own SDK would have it? */
void pay_expect_right(const struct pay *p);
/* As if it had just been started. */
void pay_reset(const struct pay *p);

/* One of the control addresses; the answer lives until sixteen more have been asked. */
const struct http_answer *pay_control(const struct pay *p, const char *method, const char *path, const char *json);

/* The guest at the provider's window; where the browser is sent then. */
const char *pay_guest(const struct pay *p, char out[PAY_TEXT], const char *format, ...) __attribute__((format(printf, 3, 4)));
/* What the redirect's query says of a name, "" when nothing. */
const char *pay_said(const char *redirect, const char *name, char out[PAY_TEXT]);

void pay_fault(const struct pay *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pay_end_faults(const struct pay *p);
/* Any other POST: "console", "clock", "hooks", "hooks/send", "set". */
const struct http_answer *pay_post(const struct pay *p, const char *what, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A sum of /control/money ("charged", "charges", "returned", "returns", "kept", "held", "most") of this payment, or "" of all. */
int64_t pay_money(const struct pay *p, const char *id, const char *name);
/* How many calls of this kind came; "" for every provider, call or payment. */
int64_t pay_calls(const struct pay *p, const char *provider, const char *call, const char *id);

#endif
