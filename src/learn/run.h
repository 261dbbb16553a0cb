/* A whole training: what is learned when, against whom, and how it is kept.
 *
 * All of it follows from the settings and the seed. Every stretch of it begins with new games, and only there it is
 * kept on disk: so what is resumed goes on as if it had never been stopped, to the bit (on the same kind of processor).
 */
#ifndef GRAL_LEARN_RUN_H
#define GRAL_LEARN_RUN_H

#include "lesson.h"

#include <stdio.h>

enum { RUN_OLD = 12, RUN_EXPLOITERS = 16, RUN_POOL = RUN_OLD + RUN_EXPLOITERS };

typedef struct run_settings {
    uint64_t seed;
    uint32_t games;              /* side by side */
    uint32_t page;               /* moments a lesson */
    uint32_t stretch;            /* lessons between two checkpoints */
    uint32_t main_part;          /* stretches of the player itself, then … */
    uint32_t exploit_part;       /* … of an exploiter of it, and so on; 0 for none */
    uint32_t alone;              /* stretches before the first exploiter */
    float rate, entropy, magnet; /* at the beginning; the first two fall */
} run_settings;

extern const run_settings run_usual;

/* Everything that is kept. A plain value without pointers. */
typedef struct run {
    run_settings settings;
    uint64_t stretches, lessons, moments;
    agent main, exploiter;
    net pool[RUN_POOL];       /* older selves, then exploiters */
    float lost[RUN_POOL];     /* how much the player loses against each; what is hard comes up more often */
    uint32_t old, exploiters; /* how many there have been */
    uint32_t exploited;       /* stretches since the exploiter began; 0 while the player itself learns */
    uint32_t main_since;      /* stretches since the last one ended */
    uint32_t settling;        /* lessons in which only the critic is still to learn */
} run;

void run_begin(run *run, const run_settings *settings);

/* From a net that has learned: what it has no critic for is learned first. */
void run_begin_from(run *run, const run_settings *settings, const net *learned);

/* One stretch. Progress goes to `out`, which may be NULL. */
typedef struct run_desk run_desk;
run_desk *run_desk_make(const run_settings *settings);
void run_desk_free(run_desk *desk);
void run_stretch(run *run, run_desk *desk, FILE *out);

/* From now on only an exploiter learns, from the player's own weights: of the player as it is now, or of another one,
 * which stays the caller's. How hard is it to beat? */
void run_exploit(run *run, run_desk *desk, gral_player *against);

/* The player against a few fixed ones, as a line. */
void run_measure(const run *run, unsigned games, FILE *out);

/* On disk; a file is replaced as a whole. False, with errno, when it could not be. */
bool run_save(const run *run, const char *path);
bool run_load(run *run, const char *path);

#endif
