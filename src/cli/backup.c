/* A copy of the server's database, made while the server runs. FILE has the whole copy or is not touched: it is
 * written and checked under another name beside it. */
#include "command.h"
#include "database.h"
#include "progress.h"
#include "terminal/files.h"
#include "terminal/language.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct wishes {
    const char *address;
    bool force;
} wishes;
static const cli_option options[] = {
    {"database", "FILE", N_("what to copy; by default the server's own database"), CLI_FILE, .text = &wishes.address},
    {"force", NULL, N_("replace FILE if it exists"), CLI_SWITCH, .on = &wishes.force},
    {0},
};

static bool complain(const char *path, const char *why)
{
    fprintf(stderr, "gral backup: %s: %s\n", path, language_of(why));
    return false;
}

/* The draft gets its name. Without force a link is made first, which fails if the name is taken meanwhile; where the
 * file system has no links, looking must do. */
static bool give_name(const char *draft, const char *path, bool force)
{
    if (force)
        return rename(draft, path) == 0;
    if (link(draft, path) == 0)
        return unlink(draft) == 0;
    if (errno == EEXIST)
        return false;
    if (access(path, F_OK) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(draft, path) == 0;
}

static bool copy_to(store *store, const char *path, bool force)
{
    char draft[PATH_MAX];
    if ((size_t)snprintf(draft, sizeof draft, "%s.XXXXXX", path) >= sizeof draft)
        return complain(path, strerror(ENAMETOOLONG));
    const int file = mkstemp(draft);
    if (file < 0)
        return complain(path, strerror(errno));
    close(file);
    gral_error error;
    if (!store->kind->backup(store, draft, isatty(STDERR_FILENO) ? progress_show : NULL, &error)) {
        unlink(draft);
        return complain(path, error.message);
    }
    if (!give_name(draft, path, force)) {
        const int reason = errno;
        unlink(draft);
        return complain(path, strerror(reason));
    }
    return sync_folder_of(path) || complain(path, strerror(errno));
}

static int run(const cli_words *words)
{
    const char *target = words->word[0];
    if (!wishes.force && access(target, F_OK) == 0)
        return complain(target, _("already exists; use --force to replace it")), CLI_FAILED;
    if (wishes.address != NULL && store_is_postgres(wishes.address))
        return cli_misused(words->command, "%s", _("PostgreSQL makes its own copies; see pg_dump and pg_basebackup"));
    int status;
    store *store = database_open(words->command, wishes.address, &status);
    if (store == NULL)
        return status;
    const bool copied = copy_to(store, target, wishes.force);
    store->kind->close(store);
    return copied ? CLI_OK : CLI_FAILED;
}

const cli_command command_backup = {
    .name = "backup",
    .arguments = "FILE",
    .words_least = 1,
    .words_most = 1,
    .summary = N_("copy the server's database while it runs"),
    .description = N_(
        "Copies the database of gral serve to FILE: all of it, as it is at one moment, even while the server keeps "
        "writing. The copy is checked before it gets its name, so FILE is either complete or not there. To restore it, "
        "stop the server and put FILE in the database's place; delete the files next to it that end in -wal and "
        "-shm.\n\n"
        "The database is $XDG_DATA_HOME/gral/gral.db, or ~/.local/share/gral/gral.db, unless you use --database."),
    .options = options,
    .run = run,
};
