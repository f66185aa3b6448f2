/*
 * unit.h - cmocka and the headers it wants before it.
 */
#ifndef JARI_UNIT_H
#define JARI_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#endif
