/* An archive in the making: files one after the other, as ustar (POSIX.1-1988) has them, which every system unpacks.
 * The format is a head of 512 bytes before each file; a library for it would be larger than all that uses it. */
#ifndef GRAL_SERVER_ARCHIVE_H
#define GRAL_SERVER_ARCHIVE_H

#include "gral/notation.h"

#include <stdio.h>

/* `name` has at most 99 bytes, with slashes for folders; `time` is in seconds since 1970. False: it cannot be written.
 */
bool archive_add(FILE *file, const char *name, gral_span content, int64_t time);
bool archive_end(FILE *file);

#endif
