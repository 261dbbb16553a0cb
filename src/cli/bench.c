/* `gral bench`: what is to be measured, and how. */
#include "bench/bench.h"

#include "command.h"
#include "terminal/language.h"

#include <string.h>
#include <unistd.h>

enum { OPTION_JSON, OPTION_WASM, OPTION_CONNECTIONS, OPTION_SECONDS, OPTION_QUICK };
static const cli_option options[] = {
    [OPTION_JSON] = {"json", NULL, N_("print one JSON object instead of a table")},
    [OPTION_WASM] = {"wasm", "FILE",
                     N_("the module to measure; by default wasm/web/engine/gral.wasm beside the program")},
    [OPTION_CONNECTIONS] = {"connections", "LIST", "for the server: loads to measure; 100,1000,5000 by default"},
    [OPTION_SECONDS] = {"seconds", "N", "for the server and thinking: how long to measure each load; 3 by default"},
    [OPTION_QUICK] = {"quick", NULL, "for the server: small loads, a few seconds in all"},
    {0},
};

/* "100,1000,5000". False if it is not such a list; the plan is as it was. */
static bool read_connections(const char *list, bench_server_plan *plan)
{
    enum { LEAST = 4, MOST = 15000 };
    bench_server_plan read = *plan;
    read.loads = 0;
    for (const char *at = list;; at++) {
        char word[8] = "";
        const size_t length = strcspn(at, ",");
        uint32_t number;
        if (length >= sizeof word || read.loads == BENCH_LOADS_MAX)
            return false;
        memcpy(word, at, length);
        if (!cli_number(word, MOST, &number) || number < LEAST)
            return false;
        read.connections[read.loads++] = number;
        at += length;
        if (*at == '\0')
            break;
    }
    *plan = read;
    return true;
}

typedef struct wishes {
    bool json;
    const char *module;
    bench_server_plan plan;
} wishes;

static bool take_option(cli_words *words, int option, wishes *wishes)
{
    enum { SECONDS_MAX = 3600 };
    switch (option) {
    case OPTION_JSON:
        wishes->json = true;
        return true;
    case OPTION_WASM:
        wishes->module = words->value;
        return true;
    case OPTION_QUICK:
        wishes->plan = bench_server_quick;
        return true;
    case OPTION_CONNECTIONS:
        if (read_connections(words->value, &wishes->plan))
            return true;
        words->status = cli_misused(
            words->command, "--connections takes numbers from 4 to 15000, as in 100,1000, not '%s'", words->value);
        return false;
    default:
        if (cli_number(words->value, SECONDS_MAX, &wishes->plan.seconds) && wishes->plan.seconds > 0)
            return true;
        words->status = cli_misused(words->command, "--seconds takes a number from 1 to %u, not '%s'", SECONDS_MAX,
                                    words->value);
        return false;
    }
}

static int run(const cli_command *command, int argc, char **argv)
{
    wishes wishes = {.plan = bench_server_usual};
    cli_words words = cli_read(command, argc, argv);
    int option;
    while ((option = cli_next(&words)) >= 0)
        if (!take_option(&words, option, &wishes))
            return words.status;
    if (option == CLI_STOP)
        return words.status;
    const char *what = words.word_count == 1 ? words.words[0] : "";
    const bool progress = isatty(STDERR_FILENO);
    if (strcmp(what, "engine") == 0)
        return bench_engine(wishes.json, progress) ? CLI_OK : CLI_FAILED;
    if (strcmp(what, "env") == 0)
        return bench_env(wishes.json) ? CLI_OK : CLI_FAILED;
    if (strcmp(what, "players") == 0)
        return bench_players(wishes.json, wishes.module) ? CLI_OK : CLI_FAILED;
    if (strcmp(what, "server") == 0)
        return bench_server(&wishes.plan, wishes.json, progress) ? CLI_OK : CLI_FAILED;
    if (strcmp(what, "thinking") == 0)
        return bench_thinking(&wishes.plan, wishes.json) ? CLI_OK : CLI_FAILED;
    return cli_misused(command, _("expected what to measure: engine, env, players, server or thinking"));
}

const cli_command bench_command = {
    .name = "bench",
    .arguments = "engine|env|players|server|thinking",
    .summary = N_(
        "measure the speed of the engine, of the training ground, of the players that search, or of the server"),
    .description = N_(
        "engine plays random legal games on one thread for 2, 4, 8 and 12 players and prints nanoseconds an "
        "action: 'rollout' draws one of the legal actions directly, 'list' fills the list of all legal "
        "actions and takes one. The time of copying a state and of a random number stand beside them as "
        "the floor. Each of these figures is the best of seven runs. The table also has the mean time of "
        "working out everybody's notepad anew.\n\n"
        "env plays random actions in 1024 games side by side and prints how many decisions a second a program that "
        "learns is shown: with its observation, and with the legal actions alone. The best of many runs.\n\n"
        "players asks those that search for decisions in the middle of a game with four players, a thousand "
        "simulations each, and prints simulations a second, the best of five runs: here, and in "
        "WebAssembly with node if both are there. Both must decide the same.\n\n"
        "server starts 'gral serve' with a database in a new folder here and plays at tables of four as fast as it "
        "lets, each connection another person; beside it stands a bare echo server, measured with the same client. "
        "Then it holds idle connections, and kills the server and starts it again with thousands of games. It takes "
        "about a minute.\n\n"
        "thinking starts it too and counts the decisions of computer players of the lowest level, at six hundred "
        "tables "
        "with one person each and without a pace."),
    .options = options,
    .run = run,
};
