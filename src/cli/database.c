#include "database.h"

#include "terminal/language.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

store *database_open(const char *command, const char *address)
{
    gral_error error;
    char usual[PATH_MAX];
    if (address == NULL && !store_default_address(usual, sizeof usual, false, &error)) {
        fprintf(stderr, "gral %s: %s\n", command, language_of(error.message));
        return NULL;
    }
    address = address != NULL ? address : usual;
    const char *file = store_file_of(address);
    if (file == NULL) {
        fprintf(stderr, "gral %s: %s\n", command, _("a database in memory belongs to its server alone"));
        return NULL;
    }
    if (access(file, F_OK) != 0) { /* opening would make it */
        fprintf(stderr, "gral %s: %s: %s\n", command, file, strerror(errno));
        return NULL;
    }
    store *store = store_open(address, true, &error);
    if (store == NULL)
        fprintf(stderr, "gral %s: %s\n", command, language_of(error.message));
    return store;
}
