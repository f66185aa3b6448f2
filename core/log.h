/*
 * log.h - one line an event on standard error:
 *
 *   2026-01-20T02:00:00.123Z warn  worker[3] 812 req=4f1c… worker.hung busy_ms=30012
 *
 * Under systemd the journal has its own clock and process id, and gets the level as a priority: <4>worker[3] req=…
 *
 * time, level, who and pid, the request id when there is one, a dotted event name, key=value pairs.
 * A line is one write(2), so lines of many processes never mix.  No personal data, no tokens.
 */
#ifndef JARI_LOG_H
#define JARI_LOG_H

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_NONE };

void log_name(const char *who);           /* "worker[3]"; copied */
void log_request(const char *id);         /* NULL: no request; copied, unsafe characters dropped */
void log_level_set(enum log_level least); /* LOG_NONE: not a line */
void log_line(enum log_level level, const char *event, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define log_info(...) log_line(LOG_INFO, __VA_ARGS__)
#define log_warn(...) log_line(LOG_WARN, __VA_ARGS__)
#define log_error(...) log_line(LOG_ERROR, __VA_ARGS__)

#endif
