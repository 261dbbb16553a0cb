/* Every figure is the best of several runs, since other work on a machine can only make a run slower. */
#include "bench.h"
#include "gral/gral.h"
#include "progress.h"

#include <stdio.h>
#include <time.h>

enum { RUNS = 7, RUN_NS = 60000000, COPIES = 1 << 20, DRAWS = 1 << 22, NOTEPAD_GAMES = 10, NOTEPAD_ACTIONS = 2000 };

static const unsigned player_counts[] = {2, 4, 8, 12};

typedef struct speed {
    double ns;
    double actions_per_game;
} speed;

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* Tells the compiler that somebody looks at this memory, so that the work behind it is done. */
static void observe(const void *memory)
{
    __asm__ volatile("" : : "r"(memory) : "memory");
}

typedef uint64_t play_game(const gral_game *game, gral_random *random);

static uint64_t play_rollout(const gral_game *game, gral_random *random)
{
    gral_state state;
    gral_start(game, &state);
    uint64_t actions = 0;
    for (; state.open.phase != GRAL_OVER; actions++)
        gral_apply(game, &state, gral_random_action(game, &state, random));
    observe(&state);
    return actions;
}

static uint64_t play_list(const gral_game *game, gral_random *random)
{
    gral_state state;
    gral_start(game, &state);
    gral_action list[GRAL_LEGAL_MAX];
    uint64_t actions = 0;
    for (; state.open.phase != GRAL_OVER; actions++) {
        const unsigned count = gral_legal_list(game, &state, list);
        gral_apply(game, &state, list[gral_random_below(random, count)]);
    }
    observe(&state);
    return actions;
}

static speed measure_games(play_game *play, unsigned players)
{
    const gral_settings settings = gral_settings_for(players);
    gral_game game;
    gral_game_make(&game, &settings);
    speed best = {.ns = 1e300};
    uint64_t all_actions = 0, all_games = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        gral_random random = gral_random_from(run + 1);
        uint64_t actions = 0;
        const double start = now_ns();
        double elapsed;
        do {
            actions += play(&game, &random);
            all_games++;
            elapsed = now_ns() - start;
        } while (elapsed < RUN_NS);
        all_actions += actions;
        if (elapsed / (double)actions < best.ns)
            best.ns = elapsed / (double)actions;
    }
    best.actions_per_game = (double)all_actions / (double)all_games;
    return best;
}

static double measure_copy(void)
{
    const gral_settings settings = gral_settings_for(GRAL_PLAYERS_MAX);
    gral_game game;
    gral_game_make(&game, &settings);
    gral_state from, to;
    gral_start(&game, &from);
    double best = 1e300;
    for (unsigned run = 0; run < RUNS; run++) {
        const double start = now_ns();
        for (unsigned copy = 0; copy < COPIES; copy++) {
            to = from;
            observe(&to);
        }
        const double ns = (now_ns() - start) / COPIES;
        best = ns < best ? ns : best;
    }
    return best;
}

static double measure_random(void)
{
    gral_random random = gral_random_from(1);
    double best = 1e300;
    for (unsigned run = 0; run < RUNS; run++) {
        uint32_t sum = 0;
        const double start = now_ns();
        for (unsigned draw = 0; draw < DRAWS; draw++) {
            sum += gral_random_below(&random, 49);
            observe(&random);
        }
        observe(&sum);
        const double ns = (now_ns() - start) / DRAWS;
        best = ns < best ? ns : best;
    }
    return best;
}

/* The notepad of a whole table, for a spectator, who knows nobody's sheet, over random games. */
static double measure_notepad(unsigned players)
{
    const gral_settings settings = gral_settings_for(players);
    gral_game game;
    gral_game_make(&game, &settings);
    double sum = 0;
    unsigned count = 0;
    for (unsigned seed = 1; seed <= NOTEPAD_GAMES; seed++) {
        gral_random random = gral_random_from(seed);
        gral_state state;
        gral_start(&game, &state);
        for (unsigned action = 0; action < NOTEPAD_ACTIONS && state.open.phase != GRAL_OVER; action++) {
            gral_apply(&game, &state, gral_random_action(&game, &state, &random));
            const gral_view view = gral_view_of(&state, GRAL_SPECTATOR);
            gral_notepad notepad;
            const double start = now_ns();
            gral_notepad_fill(&game, &view, &notepad);
            sum += now_ns() - start;
            observe(&notepad);
            count++;
        }
    }
    return sum / count;
}

bool bench_engine(const bench_wishes *wishes)
{
    enum { COUNTS = sizeof player_counts / sizeof *player_counts };
    speed rollout[COUNTS], list[COUNTS];
    const double copy = measure_copy(), draw = measure_random();
    for (unsigned row = 0; row < COUNTS; row++) {
        if (wishes->progress)
            progress_show(row, COUNTS);
        rollout[row] = measure_games(play_rollout, player_counts[row]);
        list[row] = measure_games(play_list, player_counts[row]);
    }
    if (wishes->progress)
        progress_show(COUNTS, COUNTS);

    if (wishes->json) {
        printf("{\"state_bytes\":%zu,\"copy_ns\":%.2f,\"rng_ns\":%.2f,\"players\":{", sizeof(gral_state), copy, draw);
        for (unsigned row = 0; row < COUNTS; row++)
            printf("%s\"%u\":{\"rollout_ns\":%.2f,\"list_ns\":%.2f,\"actions_per_game\":%.1f}", row > 0 ? "," : "",
                   player_counts[row], rollout[row].ns, list[row].ns, rollout[row].actions_per_game);
        printf("}}\n");
        return true;
    }
    printf("a state            %4zu bytes\n", sizeof(gral_state));
    printf("copying one      %6.1f ns\n", copy);
    printf("a random number  %6.1f ns\n", draw);
    printf("the notepad      %6.1f us for 2 players, %.1f us for 12\n\n", measure_notepad(2) / 1e3,
           measure_notepad(12) / 1e3);
    printf("players   rollout      list   actions a game\n");
    for (unsigned row = 0; row < COUNTS; row++)
        printf("%7u %6.1f ns %6.1f ns %16.0f\n", player_counts[row], rollout[row].ns, list[row].ns,
               rollout[row].actions_per_game);
    return true;
}
