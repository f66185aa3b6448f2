/*
 * plain.h - a name that carries nothing but a name.
 *
 * A guest types a name and an address, and the house sends the one to the other.  If the address is another's, a name with a link, a
 * telephone number or a sentence in it would be that stranger's advertisement in the house's mail.
 */
#ifndef JARI_PLAIN_H
#define JARI_PLAIN_H

#include "err.h"

enum { PLAIN_WIDTH = 24 }; /* as long as a name may be: 24 Latin letters, or 12 of Hangul */

/* In place: letters, and what stands inside of names.  What is left without a letter becomes "guest". */
void plain_name(char *name, enum lang lang);

#endif
