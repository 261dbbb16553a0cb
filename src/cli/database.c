#include "database.h"

#include "terminal/language.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

store *database_open(const cli_command *command, const char *address, int *status)
{
    gral_error error;
    char usual[PATH_MAX];
    *status = CLI_FAILED;
    if (address == NULL && !store_place(usual, sizeof usual, store_usual_file, false, &error)) {
        fprintf(stderr, "gral %s: %s\n", command->name, language_of(error.message));
        return NULL;
    }
    address = address != NULL ? address : usual;
    const char *file = store_file_of(address);
    if (file == NULL && !store_is_postgres(address)) {
        *status = cli_misused(command, "%s", _("a database in memory belongs to its server alone"));
        return NULL;
    }
    if (file != NULL && access(file, F_OK) != 0) { /* opening would make it */
        fprintf(stderr, "gral %s: %s: %s\n", command->name, file, strerror(errno));
        return NULL;
    }
    store *store = store_open(address, true, &error);
    if (store == NULL)
        fprintf(stderr, "gral %s: %s\n", command->name, language_of(error.message));
    return store;
}
