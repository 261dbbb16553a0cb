/* From an address to a store. */
#include "store/store.h"

#include "store/common.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char sqlite_prefix[] = "sqlite:";

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool store_is_postgres(const char *address)
{
    return begins_with(address, "postgres://") || begins_with(address, "postgresql://");
}

const char *store_file_of(const char *address)
{
    if (strcmp(address, store_in_memory.name) == 0 || store_is_postgres(address))
        return NULL;
    return begins_with(address, sqlite_prefix) ? address + strlen(sqlite_prefix) : address;
}

store *store_open(const char *address, bool shared, gral_error *error)
{
    if (store_is_postgres(address))
        return store_in_postgres.open(address, shared, error);
    const char *path = store_file_of(address);
    if (path == NULL)
        return store_in_memory.open(address, shared, error);
    return store_in_file.open(path, shared, error);
}

/* The folders above a path; those that are missing are made. */
static bool make_folders(const char *path, gral_error *error)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST)
            return store_say(error, "%s: %s", folder, strerror(errno));
        *slash = '/';
    }
    return true;
}

const char store_usual_file[] = "gral.db";

bool store_place(char *path, size_t capacity, const char *file, bool make_folder, gral_error *error)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    const bool has_data = data != NULL && data[0] == '/'; /* as the standard wants it */
    if (!has_data && (home == NULL || home[0] != '/'))
        return store_say(error, "there is no place for %s: HOME is not set", file);
    const int length = snprintf(path, capacity, "%s%s/gral/%s", has_data ? data : home, has_data ? "" : "/.local/share",
                                file);
    if ((size_t)length >= capacity || length >= PATH_MAX)
        return store_say(error, "the path of the home folder is too long");
    return !make_folder || make_folders(path, error);
}

bool store_socket_of(const char *address, char *path, size_t capacity)
{
    const char *file = store_file_of(address);
    if (file != NULL)
        return snprintf(path, capacity, "%s-admin", file) < (int)capacity;
    char name[40];
    snprintf(name, sizeof name, "postgres-%016" PRIx64 "-admin", store_mark(address));
    return store_is_postgres(address) && store_place(path, capacity, name, true, NULL);
}
