/* `gral bench`: what is to be measured, and how. */
#include "bench/bench.h"

#include "command.h"
#include "terminal/language.h"

#include <string.h>
#include <unistd.h>

static bench_wishes wishes;

enum { CONNECTIONS_MIN = 4, CONNECTIONS_MAX = 15000 };

/* "100,1000,5000" */
static bool take_connections(const cli_option *option, const char *list, gral_error *error)
{
    (void)option;
    bench_server_plan *plan = &wishes.plan;
    plan->loads = 0;
    for (const char *at = list;; at++) {
        char word[8] = "";
        const size_t length = strcspn(at, ",");
        uint32_t number = 0;
        if (length < sizeof word)
            memcpy(word, at, length);
        if (plan->loads == BENCH_LOADS_MAX || !cli_number(word, CONNECTIONS_MAX, &number) || number < CONNECTIONS_MIN) {
            snprintf(error->message, sizeof error->message, _("must be up to %d numbers from %d to %d, as in 100,1000"),
                     BENCH_LOADS_MAX, CONNECTIONS_MIN, CONNECTIONS_MAX);
            return false;
        }
        plan->connections[plan->loads++] = number;
        at += length;
        if (*at == '\0')
            return true;
    }
}

static const cli_option options[] = {
    {"json", NULL, N_("print one JSON object instead of a table"), CLI_SWITCH, .on = &wishes.json},
    {"wasm", "FILE", N_("players: the module to measure; by default wasm/web/engine/gral.wasm beside the program"),
     CLI_FILE, .text = &wishes.module},
    {"connections", "LIST", N_("server: numbers of connections to measure; by default 100,1000,5000"), CLI_TEXT,
     .take = take_connections},
    {"seconds", "N", N_("server and thinking: how long to measure each load; by default 3"), CLI_NUMBER,
     .number = &wishes.plan.seconds, .least = 1, .most = 3600},
    {"database", "ADDRESS", N_("server: play in this empty database as well, e.g. 'postgres://HOST/NAME'"), CLI_TEXT,
     .text = &wishes.database},
    {"processes", "N", N_("server: play there with 1 to N servers that share it; by default 1"), CLI_NUMBER,
     .number = &wishes.plan.processes, .least = 1, .most = BENCH_PROCESSES_MAX},
    {"filled", NULL, N_("server: play in that database even if it has games; guests and their games stay there"),
     CLI_SWITCH, .on = &wishes.filled},
    {"quick", NULL, N_("env, players and server: fewer runs and smaller loads, a few seconds in all"), CLI_SWITCH,
     .on = &wishes.quick},
    {0},
};

/* What was not said of the plan. */
static void complete(bench_server_plan *plan)
{
    const bench_server_plan *usual = wishes.quick ? &bench_server_quick : &bench_server_usual;
    if (plan->loads == 0) {
        memcpy(plan->connections, usual->connections, sizeof plan->connections);
        plan->loads = usual->loads;
    }
    if (plan->seconds == 0)
        plan->seconds = usual->seconds;
    if (plan->processes == 0)
        plan->processes = 1;
    plan->idle = usual->idle;
    plan->games = usual->games;
}

static int run(const cli_words *words)
{
    static const struct {
        const char *name;
        bool (*measure)(const bench_wishes *wishes);
    } benches[] = {
        {"engine", bench_engine}, {"env", bench_env},           {"players", bench_players},
        {"server", bench_server}, {"thinking", bench_thinking},
    };
    complete(&wishes.plan);
    wishes.progress = isatty(STDERR_FILENO);
    for (size_t row = 0; row < sizeof benches / sizeof *benches; row++)
        if (strcmp(words->word[0], benches[row].name) == 0)
            return benches[row].measure(&wishes) ? CLI_OK : CLI_FAILED;
    return cli_misused(words->command, _("must be %s"), words->command->arguments);
}

const cli_command command_bench = {
    .name = "bench",
    .arguments = "engine|env|players|server|thinking",
    .words_least = 1,
    .words_most = 1,
    .summary = N_("measure the speed of the engine, the players or the server"),
    .description = N_(
        "engine plays random legal games on one thread with 2, 4, 8 and 12 players and prints nanoseconds per action: "
        "'rollout' draws one of the legal actions directly, 'list' fills the list of all legal actions and picks one. "
        "The times to copy a state and to draw a random number show how fast it could be at best. All these figures "
        "are the best of seven runs. The table also has the mean time to work out everybody's notepad from scratch.\n\n"
        "env plays random actions in 1024 games side by side and prints decisions per second as a learning program "
        "sees them: with the observation, and with the legal actions alone. The best of many runs.\n\n"
        "players asks the players that search for decisions in the middle of a game with four players, with a thousand "
        "simulations each, and prints simulations per second, the best of five runs: here, and in WebAssembly if there "
        "are a module and node. Both must decide the same.\n\n"
        "server starts 'gral serve' with a database in a new folder here and plays at tables of four as fast as "
        "possible, with one person per connection; a bare echo server is measured with the same client for comparison. "
        "Then it holds idle connections, and kills and restarts the server with thousands of games. It takes about a "
        "minute.\n\n"
        "thinking also starts a server and counts the decisions of computer players of the lowest level, at six "
        "hundred tables with one person each and no pace."),
    .options = options,
    .run = run,
};
