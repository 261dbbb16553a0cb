/* A state as the referee writes it, one printer for the whole truth and for every view. */
#include "gral/notation.h"

#include <assert.h>
#include <string.h>

static const char *const phase_name[] = {
    [GRAL_OPENING] = "opening", [GRAL_TURN] = "turn",   [GRAL_PLACING] = "placing", [GRAL_OBJECTION] = "objection",
    [GRAL_ANSWER] = "answer",   [GRAL_GRAIL] = "grail", [GRAL_OVER] = "over",
};
static_assert(sizeof phase_name / sizeof *phase_name == GRAL_PHASES, "a name for every phase");

const char *gral_phase_name(enum gral_phase phase)
{
    return phase_name[phase];
}

static void add_labelled_number(gral_text *text, const char *label, uint32_t number)
{
    gral_text_add(text, label);
    gral_text_add(text, " ");
    gral_text_add_number(text, number);
}

/* 1 for the first seat, 0 for nobody. */
static uint32_t seat_number(uint8_t seat)
{
    return seat == GRAL_NOBODY ? 0 : seat + 1u;
}

static void add_line(gral_text *text, const char *label, uint32_t number)
{
    add_labelled_number(text, label, number);
    gral_text_add(text, "\n");
}

static void add_field(gral_text *text, unsigned field)
{
    if (field == GRAL_NOWHERE)
        gral_text_add(text, "-");
    else
        gral_field_print(text, field);
}

static void add_pawn_label(gral_text *text, unsigned pawn)
{
    gral_text_add(text, " ");
    gral_text_add(text, gral_pawn_id(pawn));
    gral_text_add(text, "=");
}

static void add_figure(gral_text *text, bool known, unsigned figure)
{
    if (known)
        gral_text_add_number(text, figure);
    else
        gral_text_add(text, "?");
}

enum { REJECTED_MAX = GRAL_PAWNS * (GRAL_DIRECTIONS + GRAL_PAWNS) };
typedef char action_text[GRAL_ACTION_TEXT_MAX];

/* Into its place among the sorted ones before it. */
static unsigned insert_sorted(action_text list[REJECTED_MAX], unsigned count, gral_action action)
{
    action_text words;
    gral_text text = gral_text_in(words, sizeof words);
    gral_action_print(&text, action);
    unsigned place = count;
    while (place > 0 && strcmp(list[place - 1], words) > 0) {
        memcpy(list[place], list[place - 1], sizeof words);
        place--;
    }
    memcpy(list[place], words, sizeof words);
    return count + 1;
}

/* The position in which this turn's proposals were made: in the choice about a freed grail the move is already carried
 * out, and the uncovered initiate stood where the grail is. */
static gral_open before_the_move(const gral_open *open)
{
    gral_open before = *open;
    if (open->stage == GRAL_FREED)
        before.pawn[open->proposal.target] = open->grail;
    if (open->origin != GRAL_NOWHERE)
        before.pawn[open->proposal.pawn] = open->origin;
    return before;
}

void gral_rejected_print(gral_text *text, const gral_game *game, const gral_open *open)
{
    const gral_open before = before_the_move(open);
    gral_options rejected = {.steps = open->rejected_steps};
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        rejected.uncoverings |= (uint64_t)open->rejected_uncoverings[pawn] << (8 * pawn);
    action_text list[REJECTED_MAX];
    unsigned sorted = 0;
    const unsigned count = gral_options_count(&rejected);
    for (unsigned index = 0; index < count; index++)
        sorted = insert_sorted(list, sorted, gral_options_pick(game, &before, &rejected, index));

    for (unsigned index = 0; index < sorted; index++) {
        gral_text_add(text, index > 0 ? "; " : "");
        gral_text_add(text, list[index]);
    }
}

static void add_rejected(gral_text *text, const gral_game *game, const gral_open *open)
{
    gral_text_add(text, "rejected ");
    const size_t before = text->length;
    gral_rejected_print(text, game, open);
    gral_text_add(text, text->length == before ? "-\n" : "\n");
}

void gral_result_print(gral_text *text, const gral_open *open)
{
    if (open->phase != GRAL_OVER) {
        gral_text_add(text, "-");
    } else if (open->winner == GRAL_NOBODY) {
        gral_text_add(text, "draw");
    } else {
        add_labelled_number(text, "win", seat_number(open->winner));
        gral_text_add(text, " with ");
        gral_text_add(text, gral_pawn_id(open->winning_pawn));
    }
}

static void add_rows(gral_text *text, const gral_open *open, const char *label,
                     unsigned (*figure)(const gral_open *, unsigned, unsigned))
{
    for (unsigned seat = 0; seat < open->players; seat++) {
        add_labelled_number(text, label, seat + 1);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            add_pawn_label(text, pawn);
            gral_text_add_number(text, figure(open, seat, pawn));
        }
        gral_text_add(text, "\n");
    }
}

void gral_state_print(gral_text *text, const gral_game *game, const gral_open *open,
                      const gral_sheet sheet[GRAL_PLAYERS_MAX], uint32_t known)
{
    gral_text_add(text, "phase ");
    gral_text_add(text, gral_phase_name((enum gral_phase)open->phase));
    gral_text_add(text, "\n");
    add_line(text, "actor", seat_number(open->actor));
    add_line(text, "turn", open->turn);
    add_line(text, "active", seat_number(open->active));

    gral_text_add(text, "pawns");
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        add_pawn_label(text, pawn);
        add_field(text, open->pawn[pawn]);
    }
    gral_text_add(text, "\ngrail ");
    if (open->bearer == GRAL_NO_PAWN)
        add_field(text, open->grail);
    else
        gral_text_add(text, gral_pawn_id(open->bearer));
    gral_text_add(text, "\nproposal ");
    gral_action_print(text, open->proposal);
    gral_text_add(text, "\n");
    add_line(text, "claim", open->claim);
    if (open->objector == GRAL_NOBODY) {
        gral_text_add(text, "objection -\n");
    } else {
        add_labelled_number(text, "objection", open->objection);
        add_line(text, " by", seat_number(open->objector));
    }
    add_rejected(text, game, open);

    for (unsigned seat = 0; seat < open->players; seat++) {
        add_labelled_number(text, "influence", seat + 1);
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
            add_pawn_label(text, pawn);
            add_figure(text, known >> seat & 1, sheet[seat].influence[pawn]);
        }
        gral_text_add(text, "\n");
    }
    add_rows(text, open, "floor", gral_floor);
    for (unsigned seat = 0; seat < open->players; seat++) {
        add_labelled_number(text, "units", seat + 1);
        for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++) {
            add_labelled_number(text, "", gral_unit_value[kind]);
            gral_text_add(text, "=");
            add_figure(text, known >> seat & 1, sheet[seat].units[kind]);
        }
        gral_text_add(text, "\n");
    }
    add_rows(text, open, "lost", gral_lost);
    for (unsigned seat = 0; seat < open->players; seat++) {
        unsigned paid = 0;
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
            paid += open->paid[seat][pawn];
        add_labelled_number(text, "paid", seat + 1);
        add_line(text, "", paid);
    }
    gral_text_add(text, "result ");
    gral_result_print(text, open);
    gral_text_add(text, "\n");
}
