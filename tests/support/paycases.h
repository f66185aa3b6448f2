/*
 * paycases.h - what happened to others who took money online, tried with one provider: portone, toss or stripe.
 *
 * ONLY and NOT (patterns of names, for a run by hand) choose among the tests.
 */
#ifndef JARI_PAYCASES_H
#define JARI_PAYCASES_H

/* For main. */
int paycases_run(const char *provider);

#endif
