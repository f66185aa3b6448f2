/*
 * token.c - signed tokens and password hashes, by libsodium.
 */
#include "token.h"

#include <assert.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	CARDLESS_SIZE = 1 + 8 + 4 + 8, /* links that were sent before logins had cards stay good */
	PAYLOAD_SIZE = CARDLESS_SIZE + 8,
	MAC_SIZE = crypto_generichash_BYTES,
	SEAL_SIZE = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES,
	BASE64 = sodium_base64_VARIANT_URLSAFE_NO_PADDING,
	HASH_PASSES = 2,
	HASH_MEMORY = 19 * 1024 * 1024,
};

#define CARD_MIN (INT64_C(1) << 40)
#define CARD_MAX (INT64_C(1) << 53)

static_assert(TOKEN_KEY_SIZE == crypto_generichash_KEYBYTES, "the key is libsodium's");
static_assert(TOKEN_HASH_SIZE == crypto_pwhash_STRBYTES, "the hash is libsodium's");
static_assert((PAYLOAD_SIZE + MAC_SIZE + 2) / 3 * 4 + 1 <= TOKEN_TEXT_SIZE, "the text holds a token");
static_assert(SEAL_SIZE == 40, "TOKEN_SEALED_SIZE counts it");

static void put_number(unsigned char *out, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		out[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_number(const unsigned char *in, size_t bytes)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bytes; i++)
		value |= (uint64_t)in[i] << (8 * i);
	return value;
}

bool token_init(void)
{
	return sodium_init() >= 0;
}

void token_random(void *out, size_t n)
{
	randombytes_buf(out, n);
}

void token_random_hex(char *out, size_t digits)
{
	unsigned char bytes[32];

	assert(digits % 2 == 0 && digits <= 2 * sizeof bytes);
	randombytes_buf(bytes, digits / 2);
	sodium_bin2hex(out, digits + 1, bytes, digits / 2);
}

void token_code(const unsigned char key[TOKEN_KEY_SIZE], int64_t number, int64_t card, char out[TOKEN_CODE_SIZE])
{
	unsigned char raw[4 + 8 + 8] = "code", mac[MAC_SIZE];

	put_number(raw + 4, (uint64_t)number, 8);
	put_number(raw + 12, (uint64_t)card, 8);
	crypto_generichash(mac, sizeof mac, raw, sizeof raw, key, TOKEN_KEY_SIZE);
	snprintf(out, TOKEN_CODE_SIZE, "%06u", (unsigned)(get_number(mac, 8) % 1000000));
}

void token_pay_seed(const unsigned char key[TOKEN_KEY_SIZE], const char *about, unsigned char seed[TOKEN_SEED_SIZE])
{
	static const unsigned char purpose[] = "jari: payments of ";
	crypto_generichash_state state;

	crypto_generichash_init(&state, key, TOKEN_KEY_SIZE, TOKEN_SEED_SIZE);
	crypto_generichash_update(&state, purpose, sizeof purpose);
	crypto_generichash_update(&state, (const unsigned char *)about, strlen(about));
	crypto_generichash_final(&state, seed, TOKEN_SEED_SIZE);
}

void token_pay_key(const unsigned char seed[TOKEN_SEED_SIZE], const char *about, int64_t number, char out[TOKEN_PAY_KEY_SIZE])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	unsigned char mac[MAC_SIZE], n[8];
	crypto_generichash_state state;
	char *at = out + 5;

	put_number(n, (uint64_t)number, sizeof n);
	crypto_generichash_init(&state, seed, TOKEN_SEED_SIZE, sizeof mac);
	crypto_generichash_update(&state, n, sizeof n);
	crypto_generichash_update(&state, (const unsigned char *)about, strlen(about));
	crypto_generichash_final(&state, mac, sizeof mac);
	memcpy(out, "jari-", 5);
	while (at < out + TOKEN_PAY_KEY_SIZE - 1) {
		*at = letters[mac[at - out - 5] % 32];
		at++;
	}
	*at = '\0';
}

bool token_same_text(const char *given, const char *right)
{
	return strlen(given) == strlen(right) && sodium_memcmp(given, right, strlen(right)) == 0;
}

void token_make_password(char out[TOKEN_PASSWORD_SIZE])
{
	static const char letters[] = "abcdefghjkmnpqrstuvwxyz23456789"; /* no two that look alike */

	for (int i = 0; i < TOKEN_PASSWORD_SIZE - 1; i++)
		out[i] = i % 5 == 4 ? '-' : letters[randombytes_uniform(sizeof letters - 1)];
	out[TOKEN_PASSWORD_SIZE - 1] = '\0';
}

bool token_read_key(const char *dir, unsigned char key[TOKEN_KEY_SIZE])
{
	char path[4200];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof path, "%s/secret.key", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0) {
		n = read(fd, key, TOKEN_KEY_SIZE);
		close(fd);
	}
	return n == TOKEN_KEY_SIZE;
}

/* BLAKE2b with a key is a MAC by itself, at a tenth of the instructions of HMAC-SHA512. */
static void mac_of(const unsigned char key[TOKEN_KEY_SIZE], const unsigned char *payload, size_t n, unsigned char out[MAC_SIZE])
{
	crypto_generichash(out, MAC_SIZE, payload, n, key, TOKEN_KEY_SIZE);
}

void token_sign(const unsigned char key[TOKEN_KEY_SIZE], const struct token *t, char out[TOKEN_TEXT_SIZE])
{
	unsigned char raw[PAYLOAD_SIZE + MAC_SIZE];
	size_t n = t->card ? PAYLOAD_SIZE : CARDLESS_SIZE;

	assert(t->purpose >= TOKEN_LOGIN && t->purpose <= TOKEN_DOOR);
	raw[0] = (unsigned char)t->purpose;
	put_number(raw + 1, (uint64_t)t->id, 8);
	put_number(raw + 9, t->version, 4);
	put_number(raw + 13, (uint64_t)t->expires_s, 8);
	put_number(raw + 21, (uint64_t)t->card, 8);
	mac_of(key, raw, n, raw + n);
	sodium_bin2base64(out, TOKEN_TEXT_SIZE, raw, n + MAC_SIZE, BASE64);
}

/* The bytes of a text, all of it.  libsodium takes a byte above 127 for the letter that it is without its highest bit. */
static bool decode(const char *text, unsigned char *out, size_t size, size_t *n)
{
	const char *end;

	for (const char *p = text; *p; p++)
		if ((unsigned char)*p > 127)
			return false;
	return sodium_base642bin(out, size, text, strlen(text), NULL, n, &end, BASE64) == 0 && *end == '\0';
}

bool token_check(const unsigned char key[TOKEN_KEY_SIZE], enum token_purpose purpose, const char *text, int64_t now_s,
		 struct token *out)
{
	unsigned char raw[PAYLOAD_SIZE + MAC_SIZE], mac[MAC_SIZE];
	size_t n;
	struct token t;

	if (!decode(text, raw, sizeof raw, &n) || (n != sizeof raw && n != CARDLESS_SIZE + MAC_SIZE))
		return false;
	n -= MAC_SIZE;
	mac_of(key, raw, n, mac);
	if (sodium_memcmp(mac, raw + n, sizeof mac) != 0)
		return false;
	t = (struct token){
		.purpose = (enum token_purpose)raw[0],
		.id = (int64_t)get_number(raw + 1, 8),
		.version = (uint32_t)get_number(raw + 9, 4),
		.expires_s = (int64_t)get_number(raw + 13, 8),
		.card = n == PAYLOAD_SIZE ? (int64_t)get_number(raw + 21, 8) : 0,
	};
	if (t.purpose != purpose || (t.expires_s != 0 && t.expires_s <= now_s))
		return false;
	*out = t;
	return true;
}

static int64_t to_card(uint64_t number)
{
	return CARD_MIN + (int64_t)(number % (uint64_t)(CARD_MAX - CARD_MIN));
}

int64_t token_new_card(void)
{
	uint64_t number;

	randombytes_buf(&number, sizeof number);
	return to_card(number);
}

uint64_t token_number_of(const unsigned char key[TOKEN_KEY_SIZE], const char *text)
{
	unsigned char hash[MAC_SIZE];

	crypto_generichash(hash, sizeof hash, (const unsigned char *)text, strlen(text), key, TOKEN_KEY_SIZE);
	return get_number(hash, 8);
}

int64_t token_card_of(const unsigned char key[TOKEN_KEY_SIZE], const char *const texts[], size_t count)
{
	crypto_generichash_state state;
	unsigned char hash[MAC_SIZE];

	crypto_generichash_init(&state, key, TOKEN_KEY_SIZE, sizeof hash);
	for (size_t i = 0; i < count; i++) /* each with its NUL, so that "a", "bc" is not "ab", "c" */
		crypto_generichash_update(&state, (const unsigned char *)texts[i], strlen(texts[i]) + 1);
	crypto_generichash_final(&state, hash, sizeof hash);
	return to_card(get_number(hash, 8));
}

/* The box's key signs; what seals is made from it. */
static void sealing_key(const unsigned char key[TOKEN_KEY_SIZE], unsigned char out[crypto_secretbox_KEYBYTES])
{
	static const unsigned char purpose[] = "jari: seal a card";

	crypto_generichash(out, crypto_secretbox_KEYBYTES, purpose, sizeof purpose, key, TOKEN_KEY_SIZE);
}

void token_seal(const unsigned char key[TOKEN_KEY_SIZE], const void *bytes, size_t n, char *out)
{
	unsigned char raw[TOKEN_SEAL_MAX + SEAL_SIZE], k[crypto_secretbox_KEYBYTES];

	assert(n > 0 && n <= TOKEN_SEAL_MAX);
	sealing_key(key, k);
	randombytes_buf(raw, crypto_secretbox_NONCEBYTES);
	crypto_secretbox_easy(raw + crypto_secretbox_NONCEBYTES, bytes, n, raw, k);
	sodium_bin2base64(out, TOKEN_SEALED_SIZE(n), raw, n + SEAL_SIZE, BASE64);
}

size_t token_unseal(const unsigned char key[TOKEN_KEY_SIZE], const char *text, void *bytes, size_t size)
{
	unsigned char raw[TOKEN_SEAL_MAX + SEAL_SIZE], k[crypto_secretbox_KEYBYTES];
	size_t n;

	if (!decode(text, raw, sizeof raw, &n) || n <= SEAL_SIZE || n - SEAL_SIZE > size)
		return 0;
	sealing_key(key, k);
	n -= SEAL_SIZE;
	if (crypto_secretbox_open_easy(bytes, raw + crypto_secretbox_NONCEBYTES, n + crypto_secretbox_MACBYTES, raw, k) != 0)
		return 0;
	return n;
}

bool token_hash_password(const char *password, char out[TOKEN_HASH_SIZE])
{
	return crypto_pwhash_str_alg(out, password, strlen(password), HASH_PASSES, HASH_MEMORY, crypto_pwhash_ALG_ARGON2ID13) ==
	       0;
}

bool token_password_ok(const char *hash, const char *password)
{
	char dummy[TOKEN_HASH_SIZE];

	if (hash)
		return crypto_pwhash_str_verify(hash, password, strlen(password)) == 0;
	if (!token_hash_password(password, dummy))
		return false;
	return false;
}
