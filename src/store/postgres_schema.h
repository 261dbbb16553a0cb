/* The versions of a database in PostgreSQL. Inside of src/store only. */
#ifndef GRAL_POSTGRES_SCHEMA_H
#define GRAL_POSTGRES_SCHEMA_H

/* The first step makes the tables as SQLite's have been since this version; each further one is a version, as there. */
enum { POSTGRES_FIRST_VERSION = 12 };
extern const char *const postgres_steps[];
extern const unsigned postgres_version;

#endif
