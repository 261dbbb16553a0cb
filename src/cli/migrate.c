/* A server's database into another kind of database, checked row by row and game by game. */
#include "server/records.h"

#include "command.h"
#include "database.h"
#include "progress.h"
#include "terminal/language.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const cli_option options[] = {{0}};

static store *open_here(const char *address, bool is_there)
{
    gral_error error;
    const char *file = store_file_of(address);
    if (is_there && file != NULL && access(file, F_OK) != 0) { /* opening would make it */
        fprintf(stderr, "gral migrate: %s: %s\n", file, strerror(errno));
        return NULL;
    }
    store *opened = store_open(address, false, &error);
    if (opened == NULL)
        fprintf(stderr, "gral migrate: %s\n", language_of(error.message));
    return opened;
}

static void say_what_is_wrong(const char *game, const char *why)
{
    printf("%s: %s\n", game, language_of(why));
}

static bool migrate(store *from, store *to)
{
    gral_error error;
    uint64_t rows;
    if (!store_move(from, to, isatty(STDERR_FILENO) ? progress_show : NULL, &rows, &error)) {
        fprintf(stderr, "gral migrate: %s\n", language_of(error.message));
        return false;
    }
    printf(_("rows copied and compared: %zu\n"), (size_t)rows);
    records_checked checked;
    if (!records_check(to, say_what_is_wrong, &checked, &error)) {
        fprintf(stderr, "gral migrate: %s\n", language_of(error.message));
        return false;
    }
    printf(_("games played through: %zu; records of finished games verified: %zu; wrong: %zu\n"), checked.games,
           checked.over, checked.wrong);
    return checked.wrong == 0;
}

static int run(const cli_words *words)
{
    if (strcmp(words->word[0], store_in_memory.name) == 0 || strcmp(words->word[1], store_in_memory.name) == 0)
        return cli_misused(words->command, "%s", _("a database in memory belongs to its server alone"));
    store *from = open_here(words->word[0], true);
    store *to = from != NULL ? open_here(words->word[1], false) : NULL;
    const bool migrated = to != NULL && migrate(from, to);
    if (from != NULL)
        from->kind->close(from);
    if (to != NULL)
        to->kind->close(to);
    return migrated ? CLI_OK : CLI_FAILED;
}

const cli_command command_migrate = {
    .name = "migrate",
    .arguments = "FROM TO",
    .words_least = 2,
    .words_most = 2,
    .summary = N_("move a server's database from SQLite to PostgreSQL, or back"),
    .description = N_(
        "Copies everything from the database FROM to the database TO; each is a file or 'postgres://HOST/NAME', as "
        "gral serve "
        "takes it. TO must be empty, and no server may be using either. Every row is read again and compared, then "
        "every game is played through, and the records of finished games are verified. FROM stays as it is. If "
        "anything goes wrong before all rows are the same, TO stays empty."),
    .options = options,
    .run = run,
};
