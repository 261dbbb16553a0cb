/* The words of gral-learn solve, and its report. */
#include "solve_command.h"

#include "solve_imitate.h"

#include "gral/notation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct wishes {
    solve_terms terms;
    solve_worth worth;
    uint32_t rounds;
    double until;       /* a distance that is close enough */
    const char *put;    /* NULL, or where the pieces begin */
    const char *player; /* NULL: solve; else measure this one */
    uint32_t samples;
    bool row; /* one line for a table instead of the whole report */
    bool quiet;
} wishes;

static const char help[] =
    "Usage: gral-learn solve [OPTIONS] SETTINGS\n"
    "\n"
    "Solves a shrunken game for two players: finds strategies that come close to an equilibrium, and works out exactly "
    "how\n"
    "close. SETTINGS are those of a record in one argument, with a limit of turns:\n"
    "\n"
    "  gral-learn solve 'players=2 board=3x1 pawns=T1,A1 units=1 grail=b1 limit=4'\n"
    "\n"
    "Options:\n"
    "  --exploit PLAYER how far a computer player is from an equilibrium, instead of finding one\n"
    "  --samples N      … asked so many times wherever it may have to act; 1\n"
    "  --rounds N       learn at most so many rounds; 2000\n"
    "  --until D        stop when the best answers gain less than this; 0.0005\n"
    "  --draw A[,B]     what a draw is worth to the first seat and to the second; 0,0. A win is 1, a loss -1\n"
    "  --open1 HOW      what the first seat may place in the opening: freely, empty or full\n"
    "  --open2 HOW      … the second seat\n"
    "  --least          no figures above the least that may be shown\n"
    "  --must-place     whoever announces an assignment places something, which is not our rule\n"
    "  --put PIECES     where they begin, e.g. T1=b1,grail=T1; who is not named begins at home\n"
    "  --memory MB      at most; 2000\n"
    "  --row            one line for a table\n"
    "  --quiet          no progress\n"
    "  --help           show this help\n";

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* --- options --- */

/* A whole number from 1 to `most`, and nothing else. */
static bool read_count(const char *words, uint32_t most, uint32_t *count)
{
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(words, &end, 10);
    *count = (uint32_t)number;
    return words[0] >= '0' && words[0] <= '9' && *end == '\0' && errno == 0 && number >= 1 && number <= most;
}

static bool read_rounds(wishes *wishes, const char *words)
{
    return read_count(words, UINT32_MAX, &wishes->rounds);
}

static bool read_until(wishes *wishes, const char *words)
{
    char *end;
    wishes->until = strtod(words, &end);
    return end != words && *end == '\0';
}

static bool read_draw(wishes *wishes, const char *words)
{
    char *end;
    wishes->worth.draw[0] = wishes->worth.draw[1] = strtof(words, &end);
    if (end == words || *end == '\0')
        return end != words;
    const char *second = end + 1;
    wishes->worth.draw[1] = strtof(second, &end);
    return second[-1] == ',' && end != second && *end == '\0';
}

static bool read_opening(enum solve_opening *opening, const char *words)
{
    static const char *const names[] = {"freely", "empty", "full"};
    for (unsigned index = 0; index < sizeof names / sizeof *names; index++)
        if (strcmp(words, names[index]) == 0) {
            *opening = (enum solve_opening)index;
            return true;
        }
    return false;
}

static bool read_first_opening(wishes *wishes, const char *words)
{
    return read_opening(&wishes->terms.opening[0], words);
}

static bool read_second_opening(wishes *wishes, const char *words)
{
    return read_opening(&wishes->terms.opening[1], words);
}

static bool read_memory(wishes *wishes, const char *words)
{
    uint32_t megabytes;
    if (!read_count(words, 1 << 20, &megabytes))
        return false;
    wishes->terms.memory = (size_t)megabytes << 20;
    return true;
}

static bool read_player(wishes *wishes, const char *words)
{
    wishes->player = words;
    return true;
}

static bool note_put(wishes *wishes, const char *words)
{
    wishes->put = words;
    return true;
}

static bool read_samples(wishes *wishes, const char *words)
{
    return read_count(words, UINT32_MAX, &wishes->samples);
}

static bool want_least(wishes *wishes, const char *words)
{
    (void)words;
    return wishes->terms.least_figures = true;
}

static bool want_placements(wishes *wishes, const char *words)
{
    (void)words;
    return wishes->terms.must_place = true;
}

static bool want_row(wishes *wishes, const char *words)
{
    (void)words;
    return wishes->row = true;
}

static bool want_quiet(wishes *wishes, const char *words)
{
    (void)words;
    return wishes->quiet = true;
}

static const struct {
    const char *name;
    bool (*read)(wishes *wishes, const char *words);
    bool alone;
} options[] = {
    {"--put", note_put, false},
    {"--exploit", read_player, false},
    {"--samples", read_samples, false},
    {"--rounds", read_rounds, false},
    {"--until", read_until, false},
    {"--draw", read_draw, false},
    {"--open1", read_first_opening, false},
    {"--open2", read_second_opening, false},
    {"--memory", read_memory, false},
    {"--row", want_row, true},
    {"--quiet", want_quiet, true},
    {"--least", want_least, true},
    {"--must-place", want_placements, true},
};
enum { OPTIONS = sizeof options / sizeof *options };

static bool read_settings(wishes *wishes, const char *words)
{
    gral_error error;
    if (gral_settings_parse(gral_span_of(words), &wishes->terms.settings, &error))
        return true;
    fprintf(stderr, "gral-learn solve: %s: column %u: %s\n", words, error.column, error.message);
    return false;
}

static unsigned pawn_named(const char *word)
{
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (strncmp(word, gral_pawn_id(pawn), strlen(gral_pawn_id(pawn))) == 0)
            return pawn;
    return GRAL_NO_PAWN;
}

/* The field that a word begins with, on the board of the settings; GRAL_NOWHERE if it does not. */
static unsigned field_named(const gral_settings *settings, const char *word)
{
    const unsigned column = (unsigned)word[0] - 'a', row = word[0] != '\0' ? (unsigned)word[1] - '1' : GRAL_ROWS;
    return column < settings->columns && row < settings->rows ? GRAL_COLUMNS * row + column : GRAL_NOWHERE;
}

/* One piece, "T1=b1" or "grail=T1". */
static bool put_piece(const gral_settings *settings, solve_position *position, const char *word)
{
    const char *at = strchr(word, '=');
    if (at == NULL)
        return false;
    const unsigned pawn = pawn_named(word), field = field_named(settings, at + 1);
    if (pawn != GRAL_NO_PAWN) {
        position->pawn[pawn] = (uint8_t)field;
        return settings->pawns >> pawn & 1 && field != GRAL_NOWHERE;
    }
    position->bearer = (uint8_t)pawn_named(at + 1);
    if (position->bearer != GRAL_NO_PAWN)
        return settings->pawns >> position->bearer & 1;
    position->grail = (uint8_t)field;
    return strncmp(word, "grail=", strlen("grail=")) == 0 && field != GRAL_NOWHERE;
}

static bool put_pieces(wishes *wishes)
{
    if (wishes->put == NULL)
        return true;
    wishes->terms.moved = true;
    wishes->terms.position = solve_usual_position(&wishes->terms.settings);
    for (const char *word = wishes->put; word != NULL; word = strchr(word, ',') ? strchr(word, ',') + 1 : NULL)
        if (!put_piece(&wishes->terms.settings, &wishes->terms.position, word)) {
            fprintf(stderr, "gral-learn solve: %s is no piece and field; --help shows how it is said\n", word);
            return false;
        }
    return true;
}

/* The option `words[at]`, with the word after it if it takes one; how many words that were, 0 if something is wrong. */
static int read_option(wishes *wishes, char **words, int at, int count)
{
    for (unsigned index = 0; index < OPTIONS; index++) {
        if (strcmp(words[at], options[index].name) != 0)
            continue;
        const int used = options[index].alone ? 1 : 2;
        if (at + used <= count && options[index].read(wishes, words[at + used - 1]))
            return used;
        break;
    }
    fprintf(stderr, "gral-learn solve: %s is not understood; --help shows what is\n", words[at]);
    return 0;
}

static bool read_words(wishes *wishes, char **words, int count)
{
    bool settings = false;
    for (int at = 0, used; at < count; at += used) {
        if (words[at][0] != '-') {
            settings = read_settings(wishes, words[at]);
            used = settings;
        } else {
            used = read_option(wishes, words, at, count);
        }
        if (used == 0)
            return false;
    }
    if (!settings)
        fputs(help, stderr);
    return settings;
}

/* --- solving --- */

static solve_result learn(solver *solver, const wishes *wishes, double start)
{
    uint32_t rounds = 8;
    solve_result result = {.distance = 1};
    while (solver->rounds < wishes->rounds && result.distance > wishes->until) {
        solver_learn(solver, rounds);
        rounds = solver->rounds / 4 + 8; /* looking for the best answers costs as much as learning */
        result = solver_result(solver);
        if (!wishes->quiet)
            fprintf(stderr, "round %6u  value %+.5f  distance %.6f  %.1f s\n", solver->rounds, result.value[0],
                    result.distance, seconds() - start);
    }
    return result;
}

static void print_sheet(const gral_sheet *sheet)
{
    const char *before = "";
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        if (sheet->influence[pawn] > 0) {
            printf("%s%u %s", before, sheet->influence[pawn], gral_pawn_id(pawn));
            before = ", ";
        }
    printf("%s", *before == '\0' ? "nothing" : "");
}

static void print_openings(solver *solver, unsigned seat)
{
    static solve_openings openings;
    if (!solver_openings(solver, seat, &openings))
        return;
    printf("\nopening of seat %u\n", seat + 1);
    unsigned count;
    const uint16_t *sheets = solve_set(solver->tree, openings.set, &count);
    for (unsigned index = 0; index < openings.count; index++)
        if (openings.chance[index] >= 0.005f) {
            printf("  %5.1f %%  ", 100 * openings.chance[index]);
            print_sheet(solve_sheet(solver->tree, sheets[index]));
            putchar('\n');
        }
}

static void print_habits(solver *solver)
{
    static solve_habits habits[SOLVE_TURNS_MAX];
    solver_habits(solver, habits);
    printf("\nturn  reached  announces  of these empty\n");
    for (uint32_t turn = 1; turn <= solver->tree->game.settings.limit; turn++)
        printf("%4u  %5.1f %%    %5.1f %%         %5.1f %%\n", turn, 100 * habits[turn].reached,
               habits[turn].reached > 0 ? 100 * habits[turn].announces / habits[turn].reached : 0,
               habits[turn].announces > 0 ? 100 * habits[turn].empty / habits[turn].announces : 0);
}

static void print_row(solver *solver, const wishes *wishes, solve_result result, double time)
{
    char words[256];
    gral_text text = gral_text_in(words, sizeof words);
    gral_settings_print(&text, &wishes->terms.settings);
    const solve_ends ends = solver_ends(solver);
    if (wishes->put != NULL)
        printf("%s | ", wishes->put);
    printf("%s | value %+.4f %+.4f | distance %.5f | wins %.3f %.3f draws %.3f | nodes %u sets %llu | rounds %u | %.1f "
           "s\n",
           words, result.value[0], result.value[1], result.distance, ends.wins[0], ends.wins[1], ends.draws,
           solver->tree->nodes, (unsigned long long)solver->tree->information_sets, solver->rounds, time);
}

/* A player's strategy in the place of a learned one; false when it could not be had. */
static bool imitate(solver *solver, const wishes *wishes, solve_result *result)
{
    gral_error error;
    gral_player *player = gral_player_make(gral_span_of(wishes->player), &error);
    if (player == NULL) {
        fprintf(stderr, "gral-learn solve: %s: %s\n", wishes->player, error.message);
        return false;
    }
    const bool done = solver_imitate(solver, player, wishes->samples, 1);
    if (!done)
        fprintf(stderr, "gral-learn solve: %s does not play this game\n", wishes->player);
    gral_player_free(player);
    *result = solver_result(solver);
    return done;
}

static bool find(solver *solver, const wishes *wishes, double start, solve_result *result)
{
    if (wishes->player != NULL)
        return imitate(solver, wishes, result);
    *result = learn(solver, wishes, start);
    return true;
}

static int solve(const wishes *wishes)
{
    const double start = seconds();
    solve_tree tree;
    const enum solve_fault fault = solve_tree_make(&tree, &wishes->terms);
    if (fault != SOLVE_OK) {
        fprintf(stderr, "gral-learn solve: %s\n", solve_fault_text(fault));
        return 1;
    }
    if (!wishes->quiet)
        fprintf(stderr, "%u nodes, %llu information sets, %llu entries\n", tree.nodes,
                (unsigned long long)tree.information_sets, (unsigned long long)tree.entries);
    solver solver;
    int status = 1;
    if (solver_make(&solver, &tree, &wishes->worth)) {
        solve_result result;
        if (find(&solver, wishes, start, &result)) {
            print_row(&solver, wishes, result, seconds() - start);
            for (unsigned seat = 0; seat < 2 && !wishes->row; seat++)
                print_openings(&solver, seat);
            if (!wishes->row)
                print_habits(&solver);
            status = 0;
        }
    } else {
        fprintf(stderr, "gral-learn solve: out of memory\n");
    }
    solver_free(&solver);
    solve_tree_free(&tree);
    return status;
}

int solve_command(int count, char **words)
{
    wishes wishes = {
        .worth = solve_usual, .rounds = 2000, .samples = 1, .until = 0.0005, .terms.memory = (size_t)2000 << 20};
    if (count == 1 && strcmp(words[0], "--help") == 0) {
        fputs(help, stdout);
        return 0;
    }
    if (!read_words(&wishes, words, count) || !put_pieces(&wishes))
        return 2;
    if (wishes.player != NULL && (wishes.terms.least_figures || wishes.terms.must_place)) {
        fputs("gral-learn solve: a player plays by our rules: --exploit goes without --least and --must-place\n",
              stderr);
        return 2;
    }
    return solve(&wishes);
}
