/*
 * users.h - people: who they are, by number, login, token or card.
 */
#ifndef JARI_USERS_H
#define JARI_USERS_H

#include "ticket.h"
#include "token.h"
#include "txn.h"

/* Each may do what those before it may.  A manager is staff in the book, with is_manager. */
enum user_type { USER_GUEST, USER_ACCOUNT, USER_STAFF, USER_MANAGER, USER_OWNER };

struct user {
	int64_t id, restaurant_id; /* restaurant 0: all */
	enum user_type type;
	char name[TICKET_NAME_SIZE];
	uint32_t token_version;
	bool blocked, erased;   /* blocked: by the whole box */
	bool blocked_somewhere; /* by a restaurant: users_blocked_at() knows which */
	int64_t phone_of;       /* 0: the number is their own, or they have none */
	char password_hash[TOKEN_HASH_SIZE];
	bool password_once;                  /* it is good for choosing another, and nothing else ... */
	char password_until[CLOCK_ISO_SIZE]; /* ... until then; "": for as long as it takes */
};

const char *users_type_word(enum user_type t);
/* "STAFF" ...; USER_GUEST for a word that is none. */
enum user_type users_type(const char *word);

/* ERR_NOT_FOUND when there is none. */
enum err users_get(struct db *db, int64_t id, struct user *out);
enum err users_by_login(struct db *db, const char *email, struct user *out);
enum err users_by_phone(struct db *db, int64_t phone_key, struct user *out);
/* The user of a login of that version, if it is still valid; else ERR_UNAUTHORIZED. */
enum err users_by_token(struct db *db, int64_t id, uint32_t token_version, int64_t card_id, struct user *out);
/* Has this card not been ended?  Else ERR_UNAUTHORIZED.  Has it shown that the number is its own? */
enum err users_check_card(struct db *db, int64_t card_id, int64_t phone_key, bool *proven);
/*
 * Whose reservations are this user's: their own, or for a guest from before numbers were one person, those of the number's
 * person.
 */
int64_t users_person(const struct user *u);

/* A new guest, inside a transaction. */
enum err users_add_guest(struct txn *t, const struct ticket_guest *g, int64_t phone_key, int64_t *id);
/*
 * TICKET_LOGOUT: the card is good for nothing from now on.  TICKET_PASSWORD: a new password, and every login made with the
 * old one ends; ERR_LOGIN_FAILED if it was changed meanwhile.
 */
enum err users_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/* Does this restaurant take no bookings from them? */
enum err users_blocked_at(struct db *db, const struct user *u, int64_t restaurant_id, bool *blocked);

/* A new password, inside a transaction.  ERR_LOGIN_FAILED: it is no longer the version that the old one was checked for. */
enum err users_change_password(struct db *db, int64_t id, uint32_t version, const char *hash, const char *actor,
			       const char *now, uint64_t number);
/* The row of a statement that selects USER (sql/users.inc). */
enum err users_take(struct db *db, struct sqlite3_stmt *s, struct user *out);

#endif
