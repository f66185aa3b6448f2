/*
 * signature.c - did a provider send this event?
 */
#include "signature.h"

#include "text.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { MAC = crypto_auth_hmacsha256_BYTES, KEY_MAX = 128, STAMP_SIZE = 24, SIGNATURES_MAX = 8 };

static bool is_recent(const char *stamp, int64_t now_s)
{
	int64_t t;

	return text_int(stamp, 1, INT64_MAX / 2, &t) && t > now_s - SIGNATURE_SLACK_S && t < now_s + SIGNATURE_SLACK_S;
}

/* HMAC-SHA256 over the parts, with a point between them. */
static void sign(const unsigned char *key, size_t key_n, const char *id, const char *stamp, const char *body, size_t n,
		 unsigned char out[MAC])
{
	crypto_auth_hmacsha256_state s;

	crypto_auth_hmacsha256_init(&s, key, key_n);
	if (id) {
		crypto_auth_hmacsha256_update(&s, (const unsigned char *)id, strlen(id));
		crypto_auth_hmacsha256_update(&s, (const unsigned char *)".", 1);
	}
	crypto_auth_hmacsha256_update(&s, (const unsigned char *)stamp, strlen(stamp));
	crypto_auth_hmacsha256_update(&s, (const unsigned char *)".", 1);
	crypto_auth_hmacsha256_update(&s, (const unsigned char *)(body ? body : ""), n);
	crypto_auth_hmacsha256_final(&s, out);
}

/* All n bytes of a text as a signature; false: they are none. */
static bool take_base64(const char *text, size_t n, unsigned char out[MAC])
{
	size_t got;

	return sodium_base642bin(out, MAC, text, n, NULL, &got, NULL, sodium_base64_VARIANT_ORIGINAL) == 0 && got == MAC;
}

/* In small letters, as they send it. */
static bool take_hex(const char *text, size_t n, unsigned char out[MAC])
{
	size_t got;

	return strspn(text, "0123456789abcdef") == n && sodium_hex2bin(out, MAC, text, n, NULL, &got, NULL) == 0 && got == MAC;
}

bool signature_standard(const char *secret, const char *id, const char *timestamp, const char *signatures, const char *body,
			size_t n, int64_t now_s)
{
	static const char prefix[] = "whsec_", version[] = "v1,";
	unsigned char key[KEY_MAX], right[MAC], given[MAC];
	const char *text = strncmp(secret, prefix, sizeof prefix - 1) == 0 ? secret + sizeof prefix - 1 : secret;
	size_t key_n;
	bool ok = false;

	if (!id || !*id || !timestamp || !signatures || !is_recent(timestamp, now_s) || n > SIGNATURE_BODY_MAX ||
	    sodium_base642bin(key, sizeof key, text, strlen(text), "=", &key_n, NULL,
			      sodium_base64_VARIANT_ORIGINAL_NO_PADDING) != 0 ||
	    key_n == 0)
		return false;
	sign(key, key_n, id, timestamp, body, n, right);
	sodium_memzero(key, sizeof key);
	for (int i = 0; *signatures && i < SIGNATURES_MAX; i++) {
		size_t part = strcspn(signatures, " ");

		if (part > sizeof version - 1 && memcmp(signatures, version, sizeof version - 1) == 0 &&
		    take_base64(signatures + sizeof version - 1, part - (sizeof version - 1), given))
			ok |= sodium_memcmp(given, right, MAC) == 0;
		signatures += part + (signatures[part] == ' ');
	}
	return ok;
}

/* The stamp of "t=SECONDS,v1=..."; it stands once. */
static bool take_stamp(const char *header, char out[STAMP_SIZE])
{
	bool found = false;

	for (const char *p = header; *p; p += strcspn(p, ","), p += *p == ',') {
		size_t n = strcspn(p, ",");

		if (strncmp(p, "t=", 2) != 0)
			continue;
		if (found || n - 2 >= STAMP_SIZE)
			return false;
		snprintf(out, STAMP_SIZE, "%.*s", (int)(n - 2), p + 2);
		found = true;
	}
	return found;
}

bool signature_stripe(const char *secret, const char *header, const char *body, size_t n, int64_t now_s)
{
	unsigned char right[MAC], given[MAC];
	char stamp[STAMP_SIZE];
	bool ok = false;
	int signatures = 0;

	if (!*secret || !header || !take_stamp(header, stamp) || !is_recent(stamp, now_s) || n > SIGNATURE_BODY_MAX)
		return false;
	sign((const unsigned char *)secret, strlen(secret), NULL, stamp, body, n, right);
	for (const char *p = header; *p && signatures < SIGNATURES_MAX; p += strcspn(p, ","), p += *p == ',') {
		if (strncmp(p, "v1=", 3) != 0)
			continue;
		signatures++;
		if (take_hex(p + 3, strcspn(p + 3, ","), given))
			ok |= sodium_memcmp(given, right, MAC) == 0;
	}
	return ok;
}
