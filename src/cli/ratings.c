/* All ratings worked out again from the games they come from: whoever runs a server, or has its database, need not
 * believe the numbers. */
#include "server/ratings.h"

#include "command.h"
#include "database.h"
#include "terminal/language.h"

#include <stdio.h>

static struct wishes {
    const char *address;
} wishes;
static const cli_option options[] = {
    {"database", "FILE", N_("where to look; by default the server's own database"), CLI_FILE, .text = &wishes.address},
    {0},
};

static store *in; /* to find names */

static void say_what_differs(const char *what, uint64_t user)
{
    store_user found;
    gral_error error;
    if (!in->kind->user_by_id(in, user, &found, &error))
        found.name[0] = '\0';
    printf(_("%s: the rating of %s is not what the games give\n"), what, found.name);
}

static int run(const cli_words *words)
{
    gral_error error;
    ratings_checked checked;
    int status;
    in = database_open(words->command, wishes.address, &status);
    if (in == NULL)
        return status;
    const bool read = ratings_check(in, say_what_differs, &checked, &error);
    in->kind->close(in);
    if (!read) {
        fprintf(stderr, "gral ratings: %s\n", language_of(error.message));
        return CLI_FAILED;
    }
    printf(_("rated games: %zu; ratings: %zu; differences: %zu\n"), checked.games, checked.people, checked.differences);
    return checked.differences == 0 ? CLI_OK : CLI_FAILED;
}

const cli_command command_ratings = {
    .name = "ratings",
    .arguments = "",
    .summary = N_("check all ratings against the games they come from"),
    .description = N_(
        "Plays through every rated game in the database, in the order in which they were rated, works out "
        "everyone's ratings from the beginning, and compares them with those that are stored. They must be the "
        "same to the last digit. The server may be running."),
    .options = options,
    .run = run,
};
