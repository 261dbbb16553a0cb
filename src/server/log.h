/* The log: one line for each thing worth knowing by whoever runs the server, as KEY=VALUE words on standard error.
 *
 * What players do and say, whom they are, and every secret stay out of it (R10.2): no name, address, table, action,
 * cookie or token is ever handed to these functions, but for the address of a failed login if whoever runs the server
 * wants it. Numbers are. */
#ifndef GRAL_SERVER_LOG_H
#define GRAL_SERVER_LOG_H

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG, LOG_LEVELS };

void log_set_level(enum log_level level);
int log_level_named(const char *name); /* or -1 */

/* "time=… level=… event=EVENT" and the words that the format makes, if there is one. */
__attribute__((format(printf, 3, 4))) void log_line(enum log_level level, const char *event, const char *format, ...);

#endif
