/*
 * token.h - signed tokens: who someone is, said by us and not to be forged.
 *
 * A token is base64url(payload | keyed BLAKE2b of it).  The payload is a purpose, a number (a user or a
 * reservation), a version, an end and a card; nothing personal.  The key is the box's own, 32 random bytes
 * in DIR/secret.key.  Checking takes the same time for every wrong token.  What must not be read by the client that
 * carries it is sealed instead.
 */
#ifndef JARI_TOKEN_H
#define JARI_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TOKEN_KEY_SIZE = 32,
	TOKEN_TEXT_SIZE = 88, /* with its NUL */
};

/* A token for one purpose is worth nothing for another. */
enum token_purpose { TOKEN_LOGIN = 1, TOKEN_MANAGE = 2, TOKEN_TICKET = 3, TOKEN_DEVICE = 4, TOKEN_DOOR = 5 };

struct token {
	enum token_purpose purpose;
	int64_t id;
	uint32_t version;  /* a login: users.token_version; else 0 */
	int64_t expires_s; /* 0: never */
	int64_t card;      /* which login this is, so that it can be ended alone; 0: other tokens, and logins of before */
};

/* The numbers of cards: random, beyond the row ids that stood for cards once, and exact in JavaScript. */
int64_t token_new_card(void);
/* Always the same for the same texts on this box, and not to be guessed elsewhere. */
int64_t token_card_of(const unsigned char key[TOKEN_KEY_SIZE], const char *const texts[], size_t count);

uint64_t token_number_of(const unsigned char key[TOKEN_KEY_SIZE], const char *text);

bool token_init(void); /* once a process, before all others; false: no randomness to be had */
void token_random(void *out, size_t n);
void token_random_hex(char *out, size_t digits); /* digits characters and a NUL */

/* The box's key, from DIR/secret.key; false when it is not there or not whole. */
bool token_read_key(const char *dir, unsigned char key[TOKEN_KEY_SIZE]);

void token_sign(const unsigned char key[TOKEN_KEY_SIZE], const struct token *t, char out[TOKEN_TEXT_SIZE]);
/* False for anything but an unexpired token of that purpose made with that key. */
bool token_check(const unsigned char key[TOKEN_KEY_SIZE], enum token_purpose purpose, const char *text, int64_t now_s,
		 struct token *out);

/* Text of any bytes that only this box can read; out has TOKEN_SEALED_SIZE(n) bytes. */
enum { TOKEN_SEAL_MAX = 720 };
#define TOKEN_SEALED_SIZE(n) (((n) + 40) * 4 / 3 + 4)
void token_seal(const unsigned char key[TOKEN_KEY_SIZE], const void *bytes, size_t n, char *out);
/* The number of bytes; 0: not sealed by this box, or more than size. */
size_t token_unseal(const unsigned char key[TOKEN_KEY_SIZE], const char *text, void *bytes, size_t size);

/* Six digits for one number and card, always the same on this box and not to be guessed elsewhere. */
enum { TOKEN_CODE_SIZE = 7 };
void token_code(const unsigned char key[TOKEN_KEY_SIZE], int64_t number, int64_t card, char out[TOKEN_CODE_SIZE]);
/* Takes as long for every wrong text of that length. */
bool token_same_text(const char *given, const char *right);

/*
 * What a provider knows a payment by: "jari-" and 26 characters that nobody guesses.  It follows from what it is for and from
 * the box's key, so a book that lost its last hour in a disaster finds the payments of that hour again.
 */
enum { TOKEN_SEED_SIZE = 32, TOKEN_PAY_KEY_SIZE = 32 };
void token_pay_seed(const unsigned char key[TOKEN_KEY_SIZE], const char *about, unsigned char seed[TOKEN_SEED_SIZE]);
void token_pay_key(const unsigned char seed[TOKEN_SEED_SIZE], const char *about, int64_t number, char out[TOKEN_PAY_KEY_SIZE]);

/* A password that a person can type: four groups of four letters and digits. */
enum { TOKEN_PASSWORD_SIZE = 20 };
void token_make_password(char out[TOKEN_PASSWORD_SIZE]);
enum { TOKEN_PASSWORD_MIN = 8, TOKEN_PASSWORD_MAX = 128 }; /* characters of one that a person chooses */

enum { TOKEN_HASH_SIZE = 128 }; /* crypto_pwhash_STRBYTES */

/* Argon2id, 19 MiB, 2 passes: about 20 ms on a small box.  False: out of memory. */
bool token_hash_password(const char *password, char out[TOKEN_HASH_SIZE]);
/* hash NULL: takes as long as a wrong password would, and says no. */
bool token_password_ok(const char *hash, const char *password);

#endif
