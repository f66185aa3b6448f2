/*
 * manual.h - the man page and the completion of a shell, made from the rows that --help prints.
 */
#ifndef JARI_MANUAL_H
#define JARI_MANUAL_H

#include "cli.h"

#include <stddef.h>
#include <stdio.h>

void manual_page(FILE *out, const struct cli_row *rows, size_t n);
/* each_option prints a blank and --name for each. */
void manual_completion(FILE *out, const struct cli_row *rows, size_t n, void (*each_option)(FILE *out));

#endif
