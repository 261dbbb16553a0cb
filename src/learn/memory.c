/* What a good listener keeps of a game: who announced when, and who did what about whom. */
#include "gral/env.h"

#include "frame.h"

#include <string.h>

static void count(int8_t *counter, int each)
{
    const int more = *counter + each;
    *counter = (int8_t)(more < INT8_MAX ? more : INT8_MAX);
}

static void count_habit(gral_memory *memory, unsigned seat, enum gral_habit habit, unsigned pawn)
{
    count(&memory->habit[seat][habit][pawn], 12);
}

static void count_manner(gral_memory *memory, unsigned seat, enum gral_manner manner)
{
    static const uint8_t each[] = {[GRAL_MANNER_PROPOSES] = 4, [GRAL_MANNER_OBJECTS] = 4, [GRAL_MANNER_PASSES] = 2};
    count(&memory->manner[seat][manner], each[manner]);
}

gral_memory gral_memory_begin(void)
{
    return (gral_memory){.last_pawn = GRAL_NO_PAWN};
}

void gral_memory_forget_assignment(gral_memory *memory)
{
    memory->last_kind = 0;
    memory->last_pawn = GRAL_NO_PAWN;
    memory->everything = false;
}

static void hear_unit(gral_memory *memory, gral_action action)
{
    const unsigned kind = kind_of_unit(action.points);
    memory->everything |= memory->last_pawn != GRAL_NO_PAWN && kind < memory->last_kind;
    memory->last_kind = (uint8_t)kind;
    memory->last_pawn = action.pawn;
}

static bool leads_home(const gral_game *game, const gral_open *open, gral_action proposal)
{
    const unsigned home = game->home[proposal.pawn / 2];
    return proposal.verb == GRAL_STEP && open->bearer == proposal.pawn &&
           steps_between(proposal.field, home) < steps_between(open->pawn[proposal.pawn], home);
}

static void hear_announcement(gral_memory *memory, const gral_open *open)
{
    count(&memory->announced[open->actor], 12);
    memory->announced_turn[open->actor] = open->turn;
    if (open->bearer != GRAL_NO_PAWN)
        count_habit(memory, open->actor, GRAL_HABIT_ANNOUNCED, open->bearer);
}

static void hear_proposal(gral_memory *memory, const gral_game *game, const gral_open *open, gral_action proposal)
{
    count_habit(memory, open->actor, GRAL_HABIT_PROPOSED, proposal.pawn);
    count_manner(memory, open->actor, GRAL_MANNER_PROPOSES);
    if (leads_home(game, open, proposal))
        count_habit(memory, open->actor, GRAL_HABIT_LED_HOME, proposal.pawn);
}

static void hear_pass(gral_memory *memory, const gral_game *game, const gral_open *open)
{
    count_habit(memory, open->actor, GRAL_HABIT_PASSED, open->proposal.pawn);
    count_manner(memory, open->actor, GRAL_MANNER_PASSES);
    if (leads_home(game, open, open->proposal))
        count_habit(memory, open->actor, GRAL_HABIT_LET_HOME, open->proposal.pawn);
}

void gral_memory_hear(gral_memory *memory, const gral_game *game, const gral_open *before, gral_action action)
{
    if (before->bearer != GRAL_NO_PAWN)
        memory->bore |= (uint8_t)(1u << before->bearer);
    switch ((enum gral_verb)action.verb) {
    case GRAL_PLACE:
        hear_unit(memory, action);
        break;
    case GRAL_DONE:
        gral_memory_forget_assignment(memory);
        break;
    case GRAL_ASSIGN:
        hear_announcement(memory, before);
        break;
    case GRAL_STEP:
    case GRAL_UNCOVER:
        hear_proposal(memory, game, before, action);
        break;
    case GRAL_OBJECT:
        count_habit(memory, before->actor, GRAL_HABIT_OBJECTED, before->proposal.pawn);
        count_manner(memory, before->actor, GRAL_MANNER_OBJECTS);
        break;
    case GRAL_PASS:
        hear_pass(memory, game, before);
        break;
    case GRAL_YIELD:
        count_habit(memory, before->actor, GRAL_HABIT_YIELDED, before->proposal.pawn);
        break;
    default: /* the rest tells nothing that the board does not */
        break;
    }
}

/* Influence enough for everything that was said to have been possible: the public course of a game can be replayed with
 * sheets like this, whatever the real ones are. */
enum { PLENTY = 200 };

gral_memory gral_memory_of(const gral_game *game, const gral_entry *heard, size_t count)
{
    gral_memory memory = gral_memory_begin();
    gral_state shadow;
    gral_start(game, &shadow);
    for (unsigned seat = 0; seat < shadow.open.players; seat++)
        memset(shadow.sheet[seat].influence, PLENTY, sizeof shadow.sheet[seat].influence);
    for (size_t index = 0; index < count; index++) {
        const gral_action action = heard[index].action;
        const bool hidden = action.verb == GRAL_PLACE; /* the shadow's sheets do not matter */
        if (!hidden && gral_check(game, &shadow, action) != GRAL_LEGAL)
            break;
        gral_memory_hear(&memory, game, &shadow.open, action);
        if (!hidden)
            gral_apply(game, &shadow, action);
    }
    return memory;
}
