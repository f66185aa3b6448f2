/*
 * notify.h - what systemd is told: one datagram to the socket that it names, as in sd_notify(3).
 *
 * Without systemd nothing is told.
 */
#ifndef JARI_NOTIFY_H
#define JARI_NOTIFY_H

#include <stdint.h>

/* Reads what systemd wants, and takes it out of the environment: it is no business of our children. */
void notify_open(void);
/* Lines of NAME=VALUE, as sd_notify takes them. */
void notify_send(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* How often systemd wants to hear of us, in ms; 0: never. */
int64_t notify_watchdog_ms(void);

#endif
