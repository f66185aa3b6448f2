/*
 * version.h - which jari this is; CHANGELOG.md says what is new in it.
 */
#ifndef JARI_VERSION_H
#define JARI_VERSION_H

#define JARI_VERSION "0.3"

#endif
