/* What any database would do alike: messages, checking what it is given, units, counting results. */
#ifndef GRAL_STORE_COMMON_H
#define GRAL_STORE_COMMON_H

#include "store/store.h"

/* Puts words into the error, unless it is NULL. Returns false, so that a caller can return it. */
__attribute__((format(printf, 2, 3))) bool store_say(gral_error *error, const char *format, ...);

/* Whether each write has what its kind needs; a message about the first that has not. */
bool store_writes_make_sense(const store_write *writes, size_t count, gral_error *error);

/* The end of the unit that begins at `first`. */
size_t store_unit_end(const store_write *writes, size_t count, size_t first);

void store_set_outcome(store_write *writes, size_t count, enum store_outcome outcome);

/* Adds so many games with this result. */
void store_count(store_statistics *statistics, const char *rules, unsigned players, enum store_result result,
                 uint32_t games);

/* A number that tells texts apart: FNV-1a. */
uint64_t store_mark(const char *text);

#endif
