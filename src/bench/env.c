/* Random numbers are played in many games side by side, and each decision is observed: what a net would cost comes on
 * top. Beside it the same without observing, which is what the rules and the restarts cost. */
#include "bench.h"

#include "clock.h"
#include "gral/gral.h"

#include <stdio.h>
#include <stdlib.h>

enum { GAMES = 1024, RUNS = 200, QUICK_RUNS = 2, STEPS = 2 };

static const unsigned player_counts[] = {2, 4, 8, 12};
enum { COUNTS = sizeof player_counts / sizeof *player_counts };

typedef struct field {
    gral_ground ground[GAMES];
    gral_observation observation[GAMES];
    gral_numbers legal[GAMES];
    gral_ending ending[GAMES];
    uint8_t number[GAMES];
} field;

static unsigned bits_in(uint64_t set)
{
    unsigned count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

/* Any number that may be played, each as likely as any other. */
static uint8_t draw(const gral_numbers *legal, gral_random *random)
{
    unsigned count = 0, set = 0;
    for (unsigned index = 0; index < GRAL_NUMBER_SETS; index++)
        count += bits_in(legal->word[index]);
    unsigned place = gral_random_below(random, count);
    while (place >= bits_in(legal->word[set]))
        place -= bits_in(legal->word[set++]);
    uint64_t left = legal->word[set];
    for (; place > 0; place--)
        left &= left - 1;
    return (uint8_t)(64 * set + (unsigned)__builtin_ctzll(left));
}

static void draw_all(field *field, gral_random *random)
{
    for (unsigned index = 0; index < GAMES; index++)
        field->number[index] = draw(&field->legal[index], random);
}

static void begin(field *field, unsigned players)
{
    const gral_settings settings = gral_settings_for(players);
    for (unsigned index = 0; index < GAMES; index++) {
        gral_ground_begin(&field->ground[index], &settings, index);
        field->ground[index].limit_least = field->ground[index].limit_most = 40;
        gral_ground_restart(&field->ground[index]);
        const gral_outlook outlook = gral_ground_outlook(&field->ground[index]);
        field->legal[index] = gral_numbers_of(&outlook);
    }
}

static void play_unseen(field *field)
{
    for (unsigned index = 0; index < GAMES; index++) {
        if (gral_ground_play(&field->ground[index], field->number[index]).over)
            gral_ground_restart(&field->ground[index]);
        const gral_outlook outlook = gral_ground_outlook(&field->ground[index]);
        field->legal[index] = gral_numbers_of(&outlook);
    }
}

/* Steps a second, the best of many short runs, since other work on the machine can only make a run slower. Drawing the
 * numbers is not counted. */
static double measure(field *field, unsigned players, bool observed, unsigned runs)
{
    gral_random random = gral_random_from(players);
    double best = 0;
    begin(field, players);
    for (unsigned run = 0; run < runs; run++) {
        double spent = 0;
        for (unsigned step = 0; step < STEPS; step++) {
            draw_all(field, &random);
            const double start = clock_ms();
            if (observed)
                gral_grounds_step(field->ground, GAMES, field->number, field->observation, field->legal, field->ending);
            else
                play_unseen(field);
            spent += clock_ms() - start;
        }
        const double speed = 1e3 * GAMES * STEPS / spent;
        best = speed > best ? speed : best;
    }
    return best;
}

bool bench_env(const bench_wishes *wishes)
{
    field *field = calloc(1, sizeof *field);
    if (field == NULL)
        return false;
    double seen[COUNTS], unseen[COUNTS];
    const unsigned runs = wishes->quick ? QUICK_RUNS : RUNS;
    for (unsigned row = 0; row < COUNTS; row++) {
        seen[row] = measure(field, player_counts[row], true, runs);
        unseen[row] = measure(field, player_counts[row], false, runs);
    }
    free(field);
    if (wishes->json) {
        printf("{\"games\":%d,\"observation_bytes\":%zu,\"players\":{", GAMES, sizeof(gral_observation));
        for (unsigned row = 0; row < COUNTS; row++)
            printf("%s\"%u\":{\"observed_per_second\":%.0f,\"unseen_per_second\":%.0f}", row > 0 ? "," : "",
                   player_counts[row], seen[row], unseen[row]);
        printf("}}\n");
        return true;
    }
    printf("%d games side by side, one thread; millions of steps a second\n\nplayers  observed  unseen\n", GAMES);
    for (unsigned row = 0; row < COUNTS; row++)
        printf("%7u %9.2f %7.2f\n", player_counts[row], seen[row] / 1e6, unseen[row] / 1e6);
    return true;
}
