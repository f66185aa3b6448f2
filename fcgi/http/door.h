/*
 * door.h - the door: takes a request, checks what its route asks for, runs its handler, answers.
 *
 * Holds no lock while it reads and checks.  A struct door is what a serving process keeps for its whole life.
 */
#ifndef JARI_DOOR_H
#define JARI_DOOR_H

#include "db.h"
#include "reply.h"
#include "req.h"
#include "token.h"
#include "users.h"

/* How a ticket of one kind ended (ticket.h), told: the success as JSON, or the error and what helps with it. */
struct call;
struct ticket_request;
struct ticket_outcome;
typedef enum err door_answer(struct call *c, const struct ticket_request *ticket, const struct ticket_outcome *outcome);

struct door {
	struct hall hall;
	struct db db;
	unsigned char key[TOKEN_KEY_SIZE];
	char dir[4096];
	bool book_open;
	int post;                    /* of this worker on the board; -1: a process of its own */
	door_answer *const *answers; /* one for each kind of ticket; given by a process that serves, between open and serve */
};

/* Everything but the book, which is opened by the first request: a book that cannot be opened is a 503, not a crash. */
enum err door_open(struct door *d, const char *dir);
void door_close(struct door *d);
/* The same for a command, which leaves no shared memory behind where no supervisor serves. */
void door_leave(struct door *d);
/* Opens the book now.  What is wrong with it is the caller's to say. */
enum err door_open_book(struct door *d);
/* Opens it and prepares every statement before the first request: a guest whose worker is cold would be overtaken. */
void door_warm(struct door *d);
/* The book, for a handler whose row says WITHOUT_BOOK. */
enum err door_need_book(struct door *d);

/* Answers every request, whatever happens. */
void door_serve(struct door *d, struct req *r, struct reply *reply);

/* The request was not what its limits are for (it came too early): it gets back what check_limits took from it. */
void door_give_back(struct call *c);

/* Is the book still the file that we have open?  For when no request comes. */
void door_look(struct door *d);
/* True when this process must not go on: the outcome of its last commit is unknown, or the book is another file now. */
bool door_spoiled(const struct door *d);

#endif
