/* The positions are fixed: four `rules` players come to them from a seed. Here and in WebAssembly the same players are
 * asked the same questions, one thread each, and must decide the same; only the time may differ. node gets the
 * positions as saves on its command line, since a save is all that a game is. */
#include "bench_players.h"

#include "clock.h"
#include "command.h"
#include "gral/gral.h"

#include <limits.h>
#include <spawn.h>
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
    SAVE_MAX = 1 << 15,
    LINE_MAX_BYTES = 512
};

static const char *const searchers[] = {"ismcts:1000", "thinker:1000"};
enum { SEARCHERS = sizeof searchers / sizeof *searchers };

/* The best of several runs, and what was decided: one action a position, commas between. */
typedef struct outcome {
    double per_second;
    char actions[LINE_MAX_BYTES];
} outcome;

/* --- positions --- */

static bool has_a_choice(gral_table *table)
{
    const gral_options options = gral_table_options(table, gral_table_actor(table));
    return gral_options_count(&options) > 1;
}

/* The middle of a game: some actions after the opening, where the next player can choose. NULL if the game ends
 * before that, or without memory. */
static gral_table *make_position(uint64_t seed)
{
    gral_table_setup setup = {.settings = gral_settings_for(PLAYERS), .seed = seed};
    for (unsigned seat = 0; seat < PLAYERS; seat++)
        setup.seat[seat] = (gral_seat){.name = "rules", .computer = true};
    gral_error error;
    gral_table *table = gral_table_make(&setup, gral_player_make, &error);
    for (unsigned after = 0; table != NULL && (after < ACTIONS || !has_a_choice(table));) {
        after += gral_table_view(table, GRAL_SPECTATOR).open.phase != GRAL_OPENING;
        if (gral_table_step(table, NULL) != GRAL_LEGAL || gral_table_actor(table) == GRAL_NOBODY) {
            gral_table_free(table);
            return NULL;
        }
    }
    return table;
}

static void make_positions(gral_table *position[POSITIONS])
{
    uint64_t seed = 1;
    for (unsigned index = 0; index < POSITIONS; seed++) {
        position[index] = make_position(seed);
        index += position[index] != NULL;
    }
}

/* --- here --- */

static outcome measure_here(gral_table *const position[POSITIONS], gral_player *player)
{
    outcome outcome = {0};
    for (unsigned run = 0; run < RUNS; run++) {
        uint32_t simulations = 0;
        gral_text actions = gral_text_in(outcome.actions, sizeof outcome.actions);
        const double start = clock_ms();
        for (unsigned index = 0; index < POSITIONS; index++) {
            gral_explanation explanation;
            gral_table_hint(position[index], gral_table_actor(position[index]), player, NULL, &explanation);
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
static const char *measure_there(char *save[POSITIONS], const char *player, const char *module, outcome *outcome)
{
    char script[PATH_MAX], runs[16], simulations[16], line[LINE_MAX_BYTES];
    if (access(module, R_OK) != 0)
        return "no gral.wasm; make wasm builds it";
    /* The script lies beside the module. */
    const char *slash = strrchr(module, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - module) : 0;
    snprintf(script, sizeof script, "%.*sbench.mjs", folder, module);
    snprintf(runs, sizeof runs, "%d", RUNS);
    snprintf(simulations, sizeof simulations, "%d", SIMULATIONS);
    char *words[6 + POSITIONS + 1] = {"node", script, (char *)module, runs, simulations, (char *)player};
    memcpy(words + 6, save, POSITIONS * sizeof *save);
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
static bool measure(gral_table *const position[POSITIONS], char *save[POSITIONS], const char *module, row *row)
{
    gral_error error;
    gral_player *player = gral_player_make(gral_span_of(row->player), &error);
    if (player == NULL) {
        fprintf(stderr, "gral bench: %s: %s\n", row->player, error.message);
        return false;
    }
    row->here = measure_here(position, player);
    gral_player_free(player);
    row->missing = measure_there(save, row->player, module, &row->there);
    if (row->missing != NULL || strcmp(row->here.actions, row->there.actions) == 0)
        return true;
    fprintf(stderr, "gral bench: %s decides %s here and %s in WebAssembly\n", row->player, row->here.actions,
            row->there.actions);
    return false;
}

int bench_players(bool json, const char *module)
{
    char found[PATH_MAX];
    if (module == NULL)
        module = find_module(found) ? found : "";
    static char text[POSITIONS][SAVE_MAX];
    gral_table *position[POSITIONS];
    char *save[POSITIONS];
    make_positions(position);
    for (unsigned index = 0; index < POSITIONS; index++) {
        gral_text words = gral_text_in(save[index] = text[index], SAVE_MAX);
        gral_table_save(position[index], &words);
    }

    row rows[SEARCHERS] = {0};
    bool agreed = true;
    for (unsigned index = 0; index < SEARCHERS; index++) {
        rows[index].player = searchers[index];
        agreed &= measure(position, save, module, &rows[index]);
    }
    for (unsigned index = 0; index < POSITIONS; index++)
        gral_table_free(position[index]);
    json ? print_json(rows) : print_table(rows);
    return agreed ? CLI_OK : CLI_FAILED;
}
