/*
 * setup.h - making the folder a book lives in.
 */
#ifndef JARI_SETUP_H
#define JARI_SETUP_H

#include "err.h"
#include "token.h"

#include <stdbool.h>

/* Is there a book in dir, or a sign that there was one? */
bool setup_found(const char *dir);

/* What was made; password is "" unless an owner was, or was invited again. */
struct setup_made {
	bool book;
	char owner[256];
	char password[TOKEN_PASSWORD_SIZE];
};

/*
 * Whatever is missing in dir: the folder, the secret key, the book at its present version, a
 * restaurant (the demo one, or an empty one of that name), an owner.  Opens and closes the book:
 * call it in a process that will not fork workers, or use setup_make_apart.
 */
enum err setup_make(const char *dir, bool demo, const char *name, struct setup_made *out);
/* The same in a child process.  An owner who has not chosen a password yet gets another one-time password. */
enum err setup_make_apart(const char *dir, bool demo, struct setup_made *out);

#endif
