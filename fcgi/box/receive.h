/*
 * receive.h - the spare's end of `jari mirror`: the one command that the other box's key may run here.
 *
 * It speaks lines on standard input and output:
 *
 *	spare waits EPOCH KEY HASH             at the beginning, and after `ask`: the copy that this box has (- : none)
 *	spare serves EPOCH KEY TIME LAST       this box serves: since then, with a copy that ended with that reservation
 *
 *	copy SIZE PAGES HASH                   a copy: that many pages follow, the others are those of the last one
 *	have HASH                              it is on the disk, and proved
 *	whole                                  not what was announced: please send all of it
 *	no WORD                                refused (err.h); the last copy stays, and the file that was refused goes.  Where not
 *	                                       all of it was read, as on a full disk, the connection ends with it
 *
 * Whoever has that key may do this and nothing else, and is believed nothing: a copy that is not a whole book, has anything in it
 * that jari did not make, is of another book, or of a box that was replaced, changes nothing.
 */
#ifndef JARI_RECEIVE_H
#define JARI_RECEIVE_H

/* Until the other end is gone or has been silent for long; returns the exit status. */
int receive_run(const char *dir, int in, int out);

#endif
