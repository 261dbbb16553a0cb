/* The record is played through once, with all sheets open; beside it goes what everybody heard at the table, which says
 * when a computer player sat in for somebody. */
#include "rating/rating.h"

#include "gral/record.h"

#include <stdlib.h>
#include <string.h>

static void write_record(gral_text *text, const void *context)
{
    static const char *const nameless[GRAL_PLAYERS_MAX] = {"", "", "", "", "", "", "", "", "", "", "", ""};
    gral_host_record(context, nameless, NULL, text);
}

static bool read_record(const gral_host *host, gral_record *record)
{
    gral_error error;
    gral_span text = {NULL, 0};
    text.bytes = gral_text_whole(write_record, host, &text.length);
    const bool read = text.bytes != NULL && gral_record_parse(text, record, &error);
    free((char *)text.bytes);
    return read;
}

/* What was heard, from the next action on, and for whom a computer player acts there. */
typedef struct ear {
    gral_hearing hearing;
    gral_happening next;
    bool more;
    uint16_t away;
} ear;

static void listen(ear *ear)
{
    ear->more = gral_host_hear(&ear->hearing, &ear->next);
    for (; ear->more && ear->next.kind != GRAL_HAPPENED_ACTION; ear->more = gral_host_hear(&ear->hearing, &ear->next)) {
        if (ear->next.kind == GRAL_HAPPENED_HANDED)
            ear->away |= (uint16_t)(1u << ear->next.seat);
        else if (ear->next.kind == GRAL_HAPPENED_BACK)
            ear->away &= (uint16_t) ~(1u << ear->next.seat);
    }
}

static bool could_be_stopped(const gral_state *state, gral_action proposal)
{
    const unsigned own = state->sheet[state->open.active].influence[proposal.pawn];
    for (unsigned seat = 0; seat < state->open.players; seat++)
        if (state->sheet[seat].influence[proposal.pawn] > own)
            return true;
    return false;
}

static bool is_disputed(const gral_state *state)
{
    return state->open.phase == GRAL_OBJECTION || state->open.phase == GRAL_ANSWER;
}

bool manner_of(const gral_host *host, manner manners[GRAL_PLAYERS_MAX])
{
    gral_record record;
    if (!read_record(host, &record))
        return false;
    memset(manners, 0, GRAL_PLAYERS_MAX * sizeof *manners);
    gral_game game;
    gral_state state;
    gral_record_replay(&record, 0, &game, &state);
    ear ear = {.hearing = gral_host_hearing(host, GRAL_SPECTATOR, 0)};
    listen(&ear);
    manner *bluffer = NULL;
    for (const gral_entry *entry = record.entry; entry < record.entry + record.count; entry++) {
        const gral_action action = entry->action;
        const bool own = (ear.away & (1u << entry->seat)) == 0;
        if (action.verb == GRAL_PLACE && own)
            manners[entry->seat].placed[action.pawn] += action.points;
        if ((action.verb == GRAL_STEP || action.verb == GRAL_UNCOVER) && own && could_be_stopped(&state, action))
            bluffer = &manners[entry->seat];
        gral_apply(&game, &state, action);
        if (bluffer != NULL && !is_disputed(&state)) {
            bluffer->bluffs++;
            if (action.verb != GRAL_YIELD)
                bluffer->worked++;
            bluffer = NULL;
        }
        if (gral_view_hears(GRAL_SPECTATOR, entry->seat, action))
            listen(&ear);
    }
    gral_record_free(&record);
    return true;
}
