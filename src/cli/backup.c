/* A copy of the server's database, made while the server runs. FILE has the whole copy or is not touched: it is
 * written and checked under another name beside it. */
#include "command.h"
#include "store/store.h"
#include "terminal/language.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_DATABASE, OPTION_FORCE, OPTION_LANG };
static const cli_option options[] = {
    [OPTION_DATABASE] = {"database", "PATH", N_("what to copy; by default the server's own database")},
    [OPTION_FORCE] = {"force", NULL, N_("replace FILE if it is there")},
    [OPTION_LANG] = {"lang", "en|de|fr|it", N_("the language; by default the system's")},
    {0},
};

/* A bar on a terminal, nothing in a pipe. */
static void show_progress(unsigned done, unsigned all)
{
    static const char bar[] = "####################";
    const int width = (int)strlen(bar), filled = (int)((uint64_t)done * (unsigned)width / all);
    fprintf(stderr, "\r[%.*s%*s] %3u %%", filled, bar, width - filled, "", (unsigned)((uint64_t)done * 100 / all));
    if (done == all)
        fprintf(stderr, "\r%*s\r", width + 10, "");
}

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

/* A name is safe only when its folder is. */
static bool sync_folder_of(const char *path)
{
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    const int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return false;
    const bool safe = fsync(folder) == 0;
    close(folder);
    return safe;
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
    if (!store->kind->backup(store, draft, isatty(STDERR_FILENO) ? show_progress : NULL, &error)) {
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

static int run(const cli_command *command, int argc, char **argv)
{
    const char *address = NULL;
    bool force = false;
    cli_words words = cli_read(command, argc, argv);
    for (int option; (option = cli_next(&words)) != CLI_END;)
        switch (option) {
        case OPTION_DATABASE:
            address = words.value;
            break;
        case OPTION_FORCE:
            force = true;
            break;
        case OPTION_LANG:
            if (!language_choose(words.value))
                return cli_misused(command, _("--lang needs en, de, fr or it, not '%s'"), words.value);
            break;
        default:
            return words.status;
        }
    if (words.word_count != 1)
        return cli_misused(command, _("expected the file to write to"));
    const char *target = words.words[0];

    gral_error error;
    char usual[PATH_MAX];
    if (address == NULL) {
        if (!store_default_address(usual, sizeof usual, false, &error)) {
            fprintf(stderr, "gral backup: %s\n", language_of(error.message));
            return CLI_FAILED;
        }
        address = usual;
    }
    const char *source = store_file_of(address);
    if (source == NULL)
        return cli_misused(command, _("a store in memory cannot be copied"));
    /* Opening would make it. */
    if (access(source, F_OK) != 0)
        return complain(source, strerror(errno)), CLI_FAILED;
    if (!force && access(target, F_OK) == 0)
        return complain(target, _("is there already; --force replaces it")), CLI_FAILED;
    store *store = store_open(address, true, &error);
    if (store == NULL) {
        fprintf(stderr, "gral backup: %s\n", language_of(error.message));
        return CLI_FAILED;
    }
    const bool copied = copy_to(store, target, force);
    store->kind->close(store);
    return copied ? CLI_OK : CLI_FAILED;
}

const cli_command backup_command = {
    .name = "backup",
    .arguments = "FILE",
    .summary = N_("copy the server's database while it runs"),
    .description = N_(
        "Copies the database of gral serve into FILE: all of it as it is at one moment, also while the server goes on "
        "writing. The copy is checked before it gets its name, so FILE is whole or not there. To go back to it, stop "
        "the server and put FILE in the database's place; remove the files beside it that end in -wal and -shm.\n\n"
        "The database is $XDG_DATA_HOME/gral/gral.db, or ~/.local/share/gral/gral.db, unless --database says "
        "otherwise."),
    .options = options,
    .run = run,
};
