#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 64 << 20 };

static char *disk_read(const char *path, size_t *length, const char **why)
{
    char *bytes = NULL;
    struct stat status;
    /* Opening a pipe must not wait for a writer, and only a file has an end. */
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &status) != 0) {
        *why = strerror(errno);
        goto out;
    }
    if (!S_ISREG(status.st_mode)) {
        *why = "not a file";
        goto out;
    }
    if (status.st_size > FILE_MAX) {
        *why = "larger than 64 MiB";
        goto out;
    }
    const size_t size = (size_t)status.st_size;
    bytes = malloc(size + 1);
    size_t got = 0;
    while (bytes != NULL && got < size) {
        const ssize_t part = read(file, bytes + got, size - got);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            break;
        got += (size_t)part;
    }
    if (got < size || bytes == NULL) {
        *why = bytes == NULL ? "out of memory" : "it could not be read to the end";
        free(bytes);
        bytes = NULL;
        goto out;
    }
    *length = size;
out:
    if (file >= 0)
        close(file);
    return bytes;
}

static bool write_all(int file, gral_span content)
{
    while (content.length > 0) {
        const ssize_t part = write(file, content.bytes, content.length);
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return false;
        content.bytes += part;
        content.length -= (size_t)part;
    }
    return fsync(file) == 0;
}

bool sync_folder_of(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const int length = slash == NULL ? 1 : slash == path ? 1 : (int)(slash - path);
    snprintf(folder, sizeof folder, "%.*s", length, slash == NULL ? "." : path);
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool safe = fsync(file) == 0;
    close(file);
    return safe;
}

static bool disk_write(const char *path, gral_span content, const char **why)
{
    char draft[PATH_MAX];
    if ((size_t)snprintf(draft, sizeof draft, "%s.XXXXXX", path) >= sizeof draft) {
        *why = strerror(ENAMETOOLONG);
        return false;
    }
    const int file = mkstemp(draft);
    if (file < 0) {
        *why = strerror(errno);
        return false;
    }
    const mode_t mask = umask(0);
    umask(mask);
    const bool written = fchmod(file, 0666 & ~mask) == 0 && write_all(file, content);
    const int reason = errno;
    if (close(file) != 0 || !written || rename(draft, path) != 0 || !sync_folder_of(path)) {
        *why = strerror(written ? errno : reason);
        unlink(draft);
        return false;
    }
    return true;
}

bool file_is_there(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

static char *no_read(const char *path, size_t *length, const char **why)
{
    (void)path, (void)length;
    *why = "there is no disk here";
    return NULL;
}

static bool no_write(const char *path, gral_span content, const char **why)
{
    (void)path, (void)content;
    *why = "there is no disk here";
    return false;
}

const files disk_files = {.read = disk_read, .write = disk_write};
const files no_files = {.read = no_read, .write = no_write};
