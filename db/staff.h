/*
 * staff.h - the accounts of staff and owner, and their logins.
 */
#ifndef JARI_STAFF_H
#define JARI_STAFF_H

#include "users.h"

/* Adds an account that logs in; once: with a password that jari made up.  ERR_DUPLICATE: that e-mail address is in use. */
enum err staff_add(struct db *db, enum user_type type, const char *name, const char *email, const char *password_hash,
		   bool once, const char *actor, int64_t now_s, int64_t *id);
/* Also ends every login made with the old one.  ERR_LOGIN_FAILED: it was changed meanwhile. */
enum err staff_set_password(struct db *db, const struct user *u, const char *password_hash, int64_t now_s);
/* A password that jari made up, good until then for choosing another; ends every login. */
enum {
	STAFF_LINK_S = 1800, /* lifetime of a one-time link, if no other is asked for */
	STAFF_LINK_MAX_S = 3 * 86400
};
enum err staff_set_once(struct db *db, int64_t id, const char *password_hash, int64_t until_s, const char *actor,
			int64_t now_s);
/*
 * Ends every login of an account; out: it cannot log in again either.  `by` is the login that asks: it is looked at in the
 * transaction itself, so that of two accounts that remove each other at once the second is refused (ERR_UNAUTHORIZED).
 */
struct staff_by {
	int64_t id, login;
	uint32_t token_version;
};
enum err staff_log_out(struct db *db, const struct staff_by *by, int64_t id, bool out, const char *actor, int64_t now_s);

/*
 * Another name and login address, another role.  `by` asks, and must still be an owner when it is written: two owners cannot
 * take the role from each other at once.  ERR_DUPLICATE: another account has that address.
 */
struct staff_change {
	int64_t id;
	const char *name, *email;
	enum user_type role;
};
enum err staff_change(struct db *db, const struct staff_by *by, const struct staff_change *to, const char *actor,
		      int64_t now_s);

/* Records a login and its device. */
enum err staff_note_login(struct db *db, int64_t login, int64_t user_id, const char *device, int64_t now_s);
/* Ends that one login.  ERR_NOT_FOUND when there is none. */
enum err staff_end_login(struct db *db, int64_t login, const char *actor, int64_t now_s);

/* An account of staff or owner; ERR_NOT_FOUND when it is none. */
enum err staff_get(struct db *db, int64_t id, struct user *out);
/* Open logins since then, the newest first; of that restaurant alone, or with 0 of the whole box. */
enum err staff_logins(struct db *db, int64_t restaurant_id, int64_t since_s, stmt_each *each, void *arg);
/* Accounts that log in at the desk of that restaurant alone, or with 0 of the whole box. */
enum err staff_list(struct db *db, int64_t restaurant_id, stmt_each *each, void *arg);
enum err staff_count_owners(struct db *db, int64_t *count);
/* An owner who has never chosen a password, in a book where no owner has.  ERR_NOT_FOUND when there is none. */
enum err staff_invited_owner(struct db *db, int64_t *id, char *email, size_t size);

#endif
