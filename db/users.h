/*
 * users.h - guests, accounts, staff and owner.
 */
#ifndef JARI_USERS_H
#define JARI_USERS_H

#include "ticket.h"
#include "token.h"
#include "txn.h"

enum user_type { USER_GUEST, USER_ACCOUNT, USER_STAFF, USER_OWNER };

struct user {
	int64_t id, restaurant_id; /* restaurant 0: all */
	enum user_type type;
	char name[164];
	uint32_t token_version;
	bool blocked, erased;
	char password_hash[TOKEN_HASH_SIZE];
};

const char *users_type_word(enum user_type t);

/* ERR_NOT_FOUND when there is none. */
enum err users_get(struct db *db, int64_t id, struct user *out);
enum err users_by_login(struct db *db, const char *email, struct user *out);
/* The user of a login of that version, if it is still valid; else ERR_UNAUTHORIZED. */
enum err users_by_token(struct db *db, int64_t id, uint32_t token_version, struct user *out);

/* A new guest, inside a transaction; number is the ticket that brought them. */
enum err users_add_guest(struct txn *t, const struct ticket_guest *g, uint64_t number, int64_t *id);
/* TICKET_GUEST: the same as a ticket of its own. */
enum err users_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/* Adds somebody who logs in.  ERR_DUPLICATE: that e-mail address is in use. */
enum err users_add_login(struct db *db, enum user_type type, const char *name, const char *email, const char *password_hash,
			 int64_t now_s, int64_t *id);
/* Also ends every login made with the old one. */
enum err users_set_password(struct db *db, int64_t id, const char *password_hash);
enum err users_count_owners(struct db *db, int64_t *count);
enum err users_list_staff(struct db *db,
			  void (*each)(void *arg, int64_t id, const char *type, const char *name, const char *email),
			  void *arg);

/*
 * Load-test guests loadtest.user0001@example.com to N, in one transaction; those that exist are used again.  each()
 * gets every id and its token version.  hash NULL: they cannot log in.
 */
enum err users_make_load_test(struct db *db, int count, const char *password_hash, int64_t now_s,
			      void (*each)(void *arg, int64_t id, uint32_t version), void *arg);

#endif
