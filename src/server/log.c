#include "server/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const names[LOG_LEVELS] = {
    [LOG_ERROR] = "error", [LOG_WARNING] = "warning", [LOG_INFO] = "info", [LOG_DEBUG] = "debug"};
static enum log_level chosen = LOG_INFO;

void log_set_level(enum log_level level)
{
    chosen = level;
}

int log_level_named(const char *name)
{
    for (int level = 0; level < LOG_LEVELS; level++)
        if (strcmp(name, names[level]) == 0)
            return level;
    return -1;
}

void log_line(enum log_level level, const char *event, const char *format, ...)
{
    if (level > chosen)
        return;
    char line[1024], when[32], words[768] = "";
    const time_t now = time(NULL);
    struct tm utc;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    if (format != NULL) {
        va_list list;
        va_start(list, format);
        vsnprintf(words, sizeof words, format, list);
        va_end(list);
    }
    for (char *at = words; *at != '\0'; at++) /* one line, whatever a message from elsewhere has in it */
        if ((unsigned char)*at < ' ')
            *at = ' ';
    /* One write, so that lines of several threads do not mix. */
    snprintf(line, sizeof line, "time=%s level=%s event=%s%s%s\n", when, names[level], event, *words ? " " : "", words);
    fputs(line, stderr);
}
