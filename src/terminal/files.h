/* Whole files in and out, as an interface: the referee is also run where there is no disk. */
#ifndef GRAL_TERMINAL_FILES_H
#define GRAL_TERMINAL_FILES_H

#include "gral/notation.h"

typedef struct files {
    /* The whole file, which the caller frees; or NULL, and `why` says what failed. */
    char *(*read)(const char *path, size_t *length, const char **why);
    /* All of it or nothing: an older file stays as it was until the new one is safely on disk. */
    bool (*write)(const char *path, gral_span content, const char **why);
} files;

/* A new name in a folder is safe only when this is true. */
bool sync_folder_of(const char *path);

/* Or a link that leads nowhere. */
bool file_is_there(const char *path);

extern const files disk_files;
extern const files no_files; /* there is no disk: everything fails */

#endif
