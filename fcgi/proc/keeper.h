/*
 * keeper.h - the background process: expires holds, keeps the log of the book short.
 */
#ifndef JARI_KEEPER_H
#define JARI_KEEPER_H

int keeper_run(const char *dir, int place);

#endif
