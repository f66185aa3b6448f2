/*
 * signature.h - did a provider send this event?  Told by its signature over the very bytes that came, before any of them is read.
 *
 * Pure functions.  A stamp older or newer than five minutes is refused, so that nothing caught on its way can be played again
 * later.  Comparing takes the same time for every wrong signature.
 */
#ifndef JARI_SIGNATURE_H
#define JARI_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIGNATURE_SLACK_S = 300, SIGNATURE_BODY_MAX = 64 * 1024 };

/*
 * Standard Webhooks, as PortOne signs: the headers webhook-id, webhook-timestamp and webhook-signature ("v1,BASE64 v1,BASE64 ...").
 * secret is "whsec_" and base64, or base64 alone.  Headers that are absent are NULL.
 */
bool signature_standard(const char *secret, const char *id, const char *timestamp, const char *signatures, const char *body,
			size_t n, int64_t now_s);
/* The header Stripe-Signature ("t=SECONDS,v1=HEX,v1=HEX"); the text of secret is the key. */
bool signature_stripe(const char *secret, const char *header, const char *body, size_t n, int64_t now_s);

#endif
