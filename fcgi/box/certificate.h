/*
 * certificate.h - when a certificate ends.
 */
#ifndef JARI_CERTIFICATE_H
#define JARI_CERTIFICATE_H

#include <stdbool.h>
#include <stdint.h>

/* The first certificate of a PEM file; false when it cannot be read or is none. */
bool certificate_end(const char *file, int64_t *end_s);

#endif
