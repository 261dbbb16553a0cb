/* A match as its parts share it: who plays whom (match_plan.c), all games on all cores (match_run.c), one of them
 * (match_play.c), the figures (match_report.c).
 *
 * A block is one seed and every game that is played with it: each lineup in each of its rotations. Games are numbered
 * block by block, from 0 here and from 1 in every text. */
#ifndef GRAL_CLI_MATCH_H
#define GRAL_CLI_MATCH_H

#include "match_play.h"

#include <stdio.h>

enum { MATCH_NAMES_MAX = 64 };

/* Who sits down together: slot by slot, the name on it. Rotation r puts slot j on seat j + r. */
typedef struct match_lineup {
    uint8_t name[GRAL_PLAYERS_MAX];
    uint8_t rotations; /* that differ from each other */
    uint32_t first;    /* number of its first game in a block */
    bool alone;        /* one against many: only the name on slot 0 is of interest */
} match_lineup;

/* A line of the result: one name in one lineup. */
typedef struct match_row {
    uint32_t lineup;
    uint8_t name;
    uint8_t places; /* how many seats it has there */
} match_row;

typedef struct match_plan {
    char **names; /* the caller's */
    unsigned name_count, seats;
    match_lineup *lineup;
    unsigned lineups;
    match_row *row;
    unsigned rows;
    unsigned games; /* in a block */
} match_plan;

/* False without memory. Free it either way. */
bool match_plan_make(match_plan *plan, char **names, unsigned name_count, unsigned seats);
void match_plan_free(match_plan *plan);

/* The name on a seat. */
unsigned match_name_on(const match_plan *plan, const match_lineup *lineup, unsigned rotation, unsigned seat);

/* What is asked of a match. */
typedef struct match_wishes {
    uint32_t games, cap, seed, threads, milliseconds;
    bool json, leak_check, sprt_wanted;
    const char *records; /* a folder, or NULL */
    match_sprt sprt;
} match_wishes;

/* Plays all of it and prints what came out; returns the exit status. */
int match_run(const match_wishes *wishes, char **names, unsigned name_count, const gral_settings *settings);

/* What came out. */
typedef struct match_outcome {
    const match_plan *plan;
    const match_result *result; /* by number of the game */
    const bool *counts;         /* by block: whether it was played to the end and belongs to the result */
    uint32_t blocks;
    const match_times *times; /* by row */
    uint64_t seed;
    const match_sprt *sprt; /* NULL without a test */
    bool interrupted;
    bool leak_checked;
} match_outcome;

/* The score of the first name against the second in a block, ½ for equals: what the sequential test is about. */
double match_score_of_block(const match_plan *plan, const match_result *result, uint32_t block);

/* A player all of whose decisions had to be made for it, or NULL. */
const char *match_name_without_answers(const match_outcome *outcome);

void match_print_table(FILE *out, const match_outcome *outcome);
void match_print_json(FILE *out, const match_outcome *outcome);

#endif
