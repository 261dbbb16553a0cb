/* Built without libpq. */
#include "store/common.h"

static store *refuse(const char *address, bool shared, gral_error *error)
{
    (void)address, (void)shared;
    store_say(error, "this gral was built without PostgreSQL (libpq)");
    return NULL;
}

const store_kind store_in_postgres = {.name = "postgres", .open = refuse};
