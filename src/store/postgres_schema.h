/* The versions of a database in PostgreSQL. Inside of src/store only. */
#ifndef GRAL_POSTGRES_SCHEMA_H
#define GRAL_POSTGRES_SCHEMA_H

#include <stdbool.h>

/* Several servers use a database, and are brought up to date one after the other. A step that only adds things is done
 * beside servers of the version before, which go on with what they know: their words must still mean what they meant,
 * and leave nothing behind that those of the new version take amiss. Before any other step they must have ended. */
typedef struct postgres_step {
    const char *words;
    bool beside;
} postgres_step;

/* The first step makes the tables as SQLite's have been since this version; each further one is a version, as there. */
enum { POSTGRES_FIRST_VERSION = 12 };
extern const postgres_step postgres_steps[];
extern const unsigned postgres_version;

#endif
