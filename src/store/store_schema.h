/* The versions of the database. Inside of src/store only. */
#ifndef GRAL_STORE_SCHEMA_H
#define GRAL_STORE_SCHEMA_H

#include "gral/notation.h"

#include <sqlite3.h>

/* Text k takes a database from version k to version k + 1. */
typedef struct store_migrations {
    const char *const *steps;
    unsigned count;
} store_migrations;

extern const store_migrations store_schema;

/* Brings the database to the newest version, an empty one to a database of ours. All steps are one transaction. False
 * and a message for a database that is newer than the steps or somebody else's, and for one that is older when
 * `may_change` is false. */
bool store_migrate(sqlite3 *database, const store_migrations *migrations, bool may_change, gral_error *error);

#endif
