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

/* ERR_NOT_FOUND when there is none. */
enum err users_get(struct db *db, int64_t id, struct user *out);
enum err users_by_login(struct db *db, const char *email, struct user *out);
enum err users_by_phone(struct db *db, int64_t phone_key, struct user *out);
/* The user of a login of that version, if it is still valid; else ERR_UNAUTHORIZED. */
enum err users_by_token(struct db *db, int64_t id, uint32_t token_version, int64_t card_id, struct user *out);
/* Has nobody logged out of it?  Else ERR_UNAUTHORIZED.  Has this card shown that the number is theirs? */
enum err users_check_card(struct db *db, int64_t card_id, int64_t phone_key, bool *proven);
/*
 * Whose reservations are this user's: their own, or for a guest from before numbers were one person, those of whoever
 * has the number.
 */
int64_t users_person(const struct user *u);

/* A new guest, inside a transaction. */
enum err users_add_guest(struct txn *t, const struct ticket_guest *g, int64_t phone_key, int64_t *id);
/*
 * TICKET_LOGOUT: the card is good for nothing from now on.  TICKET_PASSWORD: a new password, and every login made with the
 * old one ends; ERR_LOGIN_FAILED if somebody was faster.
 */
enum err users_write(struct txn *t, const struct ticket_request *r, uint64_t number, struct ticket_outcome *out);

/* Adds somebody who logs in; once: with a password that jari made up.  ERR_DUPLICATE: that e-mail address is in use. */
enum err users_add_login(struct db *db, enum user_type type, const char *name, const char *email, const char *password_hash,
			 bool once, int64_t now_s, int64_t *id);
/* Also ends every login made with the old one. */
enum err users_set_password(struct db *db, const struct user *u, const char *password_hash, int64_t now_s);
/* A password that jari made up, good until then for choosing another; ends every login. */
enum { USERS_LINK_S = 1800 }; /* so long the link with it can be opened */
enum err users_set_once(struct db *db, int64_t id, const char *password_hash, int64_t until_s, const char *actor,
			int64_t now_s);
/* Somebody of the house by number; ERR_NOT_FOUND when they are none. */
enum err users_staff(struct db *db, int64_t id, struct user *out);
/* Does this restaurant take no bookings from them? */
enum err users_blocked_at(struct db *db, const struct user *u, int64_t restaurant_id, bool *blocked);
/*
 * Every login of theirs ends; out: they cannot log in again either.  `by` is whose login says so: it is looked at in the
 * transaction itself, so that of two who remove each other at once the second is refused (ERR_UNAUTHORIZED).
 */
struct users_by {
	int64_t id, login;
	uint32_t token_version;
};
enum err users_log_out(struct db *db, const struct users_by *by, int64_t id, bool out, const char *actor, int64_t now_s);
/* Somebody of the house has logged in, on that. */
enum err users_note_login(struct db *db, int64_t login, int64_t user_id, const char *device, int64_t now_s);
/* Who of the house is logged in since then, the newest first; of that restaurant alone, or with 0 of the whole box. */
enum err users_logins(struct db *db, int64_t restaurant_id, int64_t since_s,
		      void (*each)(void *arg, int64_t login, const char *name, const char *device, const char *made_at),
		      void *arg);
/* That one login ends.  ERR_NOT_FOUND when there is none. */
enum err users_end_login(struct db *db, int64_t login, const char *actor, int64_t now_s);
enum err users_count_owners(struct db *db, int64_t *count);
/* An owner who has never chosen a password, in a house where no owner has.  ERR_NOT_FOUND when there is none. */
enum err users_invited_owner(struct db *db, int64_t *id, char *email, size_t size);
/* Somebody of the house has another name, or logs in with another address.  ERR_DUPLICATE when that is somebody's. */
enum err users_rename(struct db *db, int64_t id, const char *name, const char *email, const char *actor, int64_t now_s);
/* Who logs in at the desk of that restaurant alone, or with 0 in the whole box. */
enum err users_list_staff(struct db *db, int64_t restaurant_id,
			  void (*each)(void *arg, int64_t id, const char *type, const char *name, const char *email),
			  void *arg);

/*
 * Load-test guests loadtest.user0001@example.com to N, in one transaction; those that exist are used again.  each()
 * gets every id and its token version.  hash NULL: they cannot log in.
 */
enum err users_make_load_test(struct db *db, int count, const char *password_hash, int64_t now_s,
			      void (*each)(void *arg, int64_t id, uint32_t version), void *arg);

#endif
