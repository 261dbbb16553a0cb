/* A group of writes on its way to PostgreSQL, as the function takes it (postgres_words.h), and what became of it.
 * Inside of src/store only. */
#ifndef GRAL_POSTGRES_GROUP_H
#define GRAL_POSTGRES_GROUP_H

#include "store/store.h"

/* Which writes of a group are entries that can be written all at once. */
enum postgres_entry {
    POSTGRES_OTHER, /* not this one */
    POSTGRES_FIRST, /* this, and it is the first of its game */
    POSTGRES_NEXT   /* this, and it follows one of the same game */
};

/* The arguments: the others as an array in JSON, with what each kind needs; of the entries an array of their games, one
 * of their numbers, and so on; of those under a lease their games and fences; and what others are told. */
enum { POSTGRES_ARGUMENTS = 9 };

typedef struct postgres_group {
    store_write *writes;
    size_t count;
    enum postgres_entry *entry; /* of each write */
    size_t *order;              /* in which they are written */
    char *argument[POSTGRES_ARGUMENTS];
} postgres_group;

/* False if there is no memory; to be freed in any case. */
bool postgres_group_make(postgres_group *group, store_write *writes, size_t count, const char *from);
void postgres_group_free(postgres_group *group);

/* The outcome of each write, from what the function has returned; false if that makes no sense. */
bool postgres_group_read(const postgres_group *group, const char *outcomes);

#endif
