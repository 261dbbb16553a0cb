/* Who plays whom. Every word of the list is a player of its own, also when two words are the same.
 *
 * As many names as seats sit down as they are listed. One name takes all seats. Of any other list every two play
 * each other, and where there are more than two seats, one of the first against as many of the second as there are
 * seats left, and the other way round. */
#include "match.h"

#include <stdlib.h>

/* How many rotations differ: those by a number of seats that does not give the same lineup again. */
static unsigned period(const match_lineup *lineup, unsigned seats)
{
    for (unsigned shift = 1; shift < seats; shift++) {
        unsigned slot = 0;
        while (slot < seats && lineup->name[slot] == lineup->name[(slot + shift) % seats])
            slot++;
        if (slot == seats)
            return shift;
    }
    return seats;
}

static void add_row(match_plan *plan, unsigned name)
{
    const match_lineup *lineup = &plan->lineup[plan->lineups];
    match_row row = {.lineup = plan->lineups, .name = (uint8_t)name};
    for (unsigned slot = 0; slot < plan->seats; slot++)
        row.places = (uint8_t)(row.places + (lineup->name[slot] == name));
    if (row.places > 0)
        plan->row[plan->rows++] = row;
}

/* The lineup whose names are filled in becomes one of the plan's. */
static void add_lineup(match_plan *plan, bool alone)
{
    match_lineup *lineup = &plan->lineup[plan->lineups];
    lineup->alone = alone;
    lineup->first = plan->games;
    lineup->rotations = (uint8_t)period(lineup, plan->seats);
    plan->games += lineup->rotations;
    if (alone)
        add_row(plan, lineup->name[0]);
    else
        for (unsigned name = 0; name < plan->name_count; name++)
            add_row(plan, name);
    plan->lineups++;
}

static void add_one_against_many(match_plan *plan, unsigned one, unsigned many)
{
    for (unsigned slot = 0; slot < plan->seats; slot++)
        plan->lineup[plan->lineups].name[slot] = (uint8_t)(slot == 0 ? one : many);
    add_lineup(plan, plan->seats > 2);
}

static void add_pairs(match_plan *plan)
{
    for (unsigned one = 0; one < plan->name_count; one++)
        for (unsigned other = one + 1; other < plan->name_count; other++) {
            add_one_against_many(plan, one, other);
            if (plan->seats > 2)
                add_one_against_many(plan, other, one);
        }
}

bool match_plan_make(match_plan *plan, char **names, unsigned name_count, unsigned seats)
{
    *plan = (match_plan){.names = names, .name_count = name_count, .seats = seats};
    const size_t lineups = 1 + (size_t)name_count * (name_count - 1);
    plan->lineup = calloc(lineups, sizeof *plan->lineup);
    plan->row = calloc(2 * lineups + name_count, sizeof *plan->row);
    if (plan->lineup == NULL || plan->row == NULL)
        return false;
    if (name_count != 1 && name_count != seats) {
        add_pairs(plan);
        return true;
    }
    for (unsigned slot = 0; slot < seats; slot++)
        plan->lineup[0].name[slot] = (uint8_t)(slot % name_count);
    add_lineup(plan, false);
    return true;
}

void match_plan_free(match_plan *plan)
{
    free(plan->lineup);
    free(plan->row);
}

unsigned match_name_on(const match_plan *plan, const match_lineup *lineup, unsigned rotation, unsigned seat)
{
    return lineup->name[(seat + plan->seats - rotation) % plan->seats];
}
