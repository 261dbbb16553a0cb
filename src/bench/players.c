/* The positions are fixed: four `rules` players come to them from a seed. Here and in WebAssembly the same players are
 * asked the same questions, one thread each, and must decide the same; only the time may differ. node gets the
 * positions on its command line as terms and inputs, since that is all that a game with a host is. */
#include "bench.h"

#include "clock.h"
#include "fair/blake2b.h"
#include "gral/gral.h"
#include "hosted.h"

#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
    POSITIONS = 6,
    PLAYERS = 4,
    ACTIONS = 30,
    RUNS = 5,
    SIMULATIONS = 1000,
    GAME_MAX = 1 << 15,
    LINE_MAX_BYTES = 512
};

static const char *const searchers[] = {"ismcts:1000", "rollout:1000", "thinker:1000"};
enum { SEARCHERS = sizeof searchers / sizeof *searchers };

/* The best of several runs, and what was decided: one action a position, commas between. */
typedef struct outcome {
    double per_second;
    char actions[LINE_MAX_BYTES];
} outcome;

/* --- positions --- */

/* What a seat is asked, and how the game came to it: a line with its terms, and one for each input. */
typedef struct position {
    gral_task task;
    char game[GAME_MAX];
} position;

/* There is something to think about, and it is one decision: an assignment is several. */
static bool is_a_choice(const gral_host *host, unsigned seat)
{
    const gral_options options = gral_host_options(host, seat);
    return gral_options_count(&options) > 1 && options.units == 0 && !(options.verbs >> GRAL_ASSIGN & 1);
}

/* The middle of a game: the first choice after some actions. False if the game ends before that, or without memory. */
static bool make_position(uint64_t seed, position *position)
{
    const gral_terms terms = {.settings = gral_settings_for(PLAYERS),
                              .game = "bench",
                              .computer = {"rules", "rules", "rules", "rules"},
                              .seed = seed};
    gral_text game = gral_text_in(position->game, GAME_MAX);
    gral_terms_print(&game, &terms);
    gral_text_add(&game, "\n");
    gral_host *host = gral_host_make(&terms, fair_blake2b, 0);
    bool found = host != NULL;
    while (found && (gral_host_version(host) < ACTIONS || !is_a_choice(host, hosted_seat(host))))
        found = hosted_step(host, &game);
    found = found && gral_host_task(host, hosted_seat(host), &position->task);
    gral_host_free(host);
    return found;
}

static void make_positions(position position[POSITIONS])
{
    unsigned found = 0;
    for (uint64_t seed = 1; found < POSITIONS; seed++)
        found += make_position(seed, &position[found]);
}

static unsigned runs_of(const bench_wishes *wishes)
{
    return wishes->quick ? 1 : RUNS;
}

/* --- here --- */

static outcome measure_here(const position position[POSITIONS], gral_player *player, unsigned runs)
{
    outcome outcome = {0};
    for (unsigned run = 0; run < runs; run++) {
        uint32_t simulations = 0;
        gral_text actions = gral_text_in(outcome.actions, sizeof outcome.actions);
        const double start = clock_ms();
        for (unsigned index = 0; index < POSITIONS; index++) {
            gral_explanation explanation;
            gral_task_explain(&position[index].task, player, NULL, &explanation);
            /* A player that does not tell has done what it was told. */
            simulations += explanation.simulations > 0 ? explanation.simulations : SIMULATIONS;
            gral_text_add(&actions, index > 0 ? "," : "");
            gral_action_print(&actions, explanation.thought[0].action);
        }
        const double per_second = 1e3 * simulations / (clock_ms() - start);
        outcome.per_second = per_second > outcome.per_second ? per_second : outcome.per_second;
    }
    return outcome;
}

/* --- in WebAssembly --- */

/* Where a cross build inside the build folder puts it. */
static bool find_module(char path[PATH_MAX])
{
    static const char place[] = "wasm/web/engine/gral.wasm";
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof place - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    strcpy(strrchr(path, '/') + 1, place);
    return true;
}

/* Runs a program and gives the first line of its output, without the end of the line. */
static bool first_line_of(char *const words[], char line[LINE_MAX_BYTES])
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&files, ends[0]);
    posix_spawn_file_actions_addclose(&files, ends[1]);
    pid_t pid;
    const bool started = posix_spawnp(&pid, words[0], &files, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    const bool read = output != NULL && fgets(line, LINE_MAX_BYTES, output) != NULL;
    if (read)
        line[strcspn(line, "\n")] = '\0';
    if (output != NULL)
        fclose(output);
    int status = 0;
    return started && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0 && read;
}

/* What is missing, or NULL. */
static const char *measure_there(position position[POSITIONS], const char *player, const bench_wishes *wishes,
                                 const char *module, outcome *outcome)
{
    char script[PATH_MAX], runs[16], simulations[16], line[LINE_MAX_BYTES];
    if (access(module, R_OK) != 0)
        return "no gral.wasm; make wasm builds it";
    /* The script lies beside the module. */
    const char *slash = strrchr(module, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - module) : 0;
    snprintf(script, sizeof script, "%.*sbench.mjs", folder, module);
    snprintf(runs, sizeof runs, "%u", runs_of(wishes));
    snprintf(simulations, sizeof simulations, "%d", SIMULATIONS);
    char *words[6 + POSITIONS + 1] = {"node", script, (char *)module, runs, simulations, (char *)player};
    for (unsigned index = 0; index < POSITIONS; index++)
        words[6 + index] = position[index].game;
    if (!first_line_of(words, line))
        return "node is missing, or stopped";
    char *comma = strchr(line, ',');
    if (comma == NULL)
        return "node did not answer";
    outcome->per_second = strtod(line, NULL);
    strcpy(outcome->actions, comma + 1);
    return NULL;
}

/* --- telling --- */

typedef struct row {
    const char *player;
    outcome here, there;
    const char *missing; /* why there is nothing from there, or NULL */
} row;

static void print_table(const row rows[SEARCHERS])
{
    printf("simulations a second, %d a decision, %d players, middle game, one thread\n\n", SIMULATIONS, PLAYERS);
    printf("player           native   WebAssembly\n");
    for (const row *row = rows; row < rows + SEARCHERS; row++) {
        printf("%-13s %9.0f ", row->player, row->here.per_second);
        if (row->missing != NULL)
            printf("%13s   (%s)\n", "-", row->missing);
        else
            printf("%13.0f   %.0f %%\n", row->there.per_second, 100 * row->there.per_second / row->here.per_second);
    }
}

static void print_json(const row rows[SEARCHERS])
{
    printf("{\"players\":%d,\"simulations\":%d,\"per_second\":{", PLAYERS, SIMULATIONS);
    for (const row *row = rows; row < rows + SEARCHERS; row++) {
        printf("%s\"%s\":{\"native\":%.0f,\"wasm\":", row > rows ? "," : "", row->player, row->here.per_second);
        if (row->missing != NULL)
            printf("null,\"missing\":\"%s\"}", row->missing);
        else
            printf("%.0f}", row->there.per_second);
    }
    printf("}}\n");
}

/* The player that a text of ours names. */
static bool measure(position position[POSITIONS], const bench_wishes *wishes, const char *module, row *row)
{
    gral_error error;
    gral_player *player = gral_player_make(gral_span_of(row->player), &error);
    if (player == NULL) {
        fprintf(stderr, "gral bench: %s: %s\n", row->player, error.message);
        return false;
    }
    row->here = measure_here(position, player, runs_of(wishes));
    gral_player_free(player);
    row->missing = measure_there(position, row->player, wishes, module, &row->there);
    if (row->missing != NULL || strcmp(row->here.actions, row->there.actions) == 0)
        return true;
    fprintf(stderr, "gral bench: %s decides %s here and %s in WebAssembly\n", row->player, row->here.actions,
            row->there.actions);
    return false;
}

bool bench_players(const bench_wishes *wishes)
{
    const char *module = wishes->module;
    char found[PATH_MAX];
    if (module == NULL)
        module = find_module(found) ? found : "";
    static position position[POSITIONS];
    make_positions(position);

    row rows[SEARCHERS] = {0};
    bool agreed = true;
    for (unsigned index = 0; index < SEARCHERS; index++) {
        rows[index].player = searchers[index];
        agreed &= measure(position, wishes, module, &rows[index]);
    }
    for (unsigned index = 0; index < POSITIONS; index++)
        gral_task_free(&position[index].task);
    wishes->json ? print_json(rows) : print_table(rows);
    return agreed;
}
