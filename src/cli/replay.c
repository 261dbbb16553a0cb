/* A record as a text to read. Whoever's eyes it is read with hears and counts only what that seat
 * may hear: with the others' placements numbered too, the gaps would tell how many there were. */
#include "command.h"
#include "gral/gral.h"
#include "terminal/files.h"
#include "terminal/language.h"
#include "terminal/picture.h"

#include <stdlib.h>
#include <string.h>

enum { EVERYTHING = 253 }; /* in place of a seat: the eyes that see all */

static bool hears(unsigned eyes, gral_entry entry)
{
    return eyes == EVERYTHING || gral_view_hears(eyes, entry.seat, entry.action);
}

static gral_view view_with(const gral_state *state, unsigned eyes)
{
    if (eyes != EVERYTHING)
        return gral_view_of(state, eyes);
    gral_view view = {.open = state->open, .known = (uint16_t)((1u << state->open.players) - 1), .seat = EVERYTHING};
    memcpy(view.sheet, state->sheet, sizeof view.sheet);
    return view;
}

static void remark_proposal(FILE *out, gral_action action, const gral_open *before)
{
    fprintf(out, "%s", gral_pawn_name(action.pawn));
    if (action.verb == GRAL_STEP)
        fprintf(out, _(", %s to %s"), _(gral_field_name(before->pawn[action.pawn])), _(gral_field_name(action.field)));
    if (action.target != GRAL_NO_PAWN)
        fprintf(out, _(", uncovers %s"), gral_pawn_name(action.target));
}

/* What came at once of an action, for somebody who knows the game but not the notation. */
static void remark(FILE *out, gral_action action, const gral_open *before, const gral_open *after)
{
    switch ((enum gral_verb)action.verb) {
    case GRAL_PLACE:
        fprintf(out, "%s", gral_pawn_name(action.pawn));
        break;
    case GRAL_STEP:
    case GRAL_UNCOVER:
        remark_proposal(out, action, before);
        break;
    case GRAL_OBJECT:
    case GRAL_CLAIM:
        fprintf(out, "%s", gral_pawn_name(before->proposal.pawn));
        break;
    case GRAL_YIELD:
        fprintf(out, _("rejected"));
        break;
    case GRAL_PASS:
        if (after->phase != GRAL_OBJECTION)
            fprintf(out, _("accepted"));
        break;
    default:
        break;
    }
}

/* What follows from it, a line each. */
static void show_consequences(const gral_open *before, const gral_open *after)
{
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (!gral_on_board(before, pawn) || gral_on_board(after, pawn))
            continue;
        printf(_("             %s leaves the game; lost by seat:"), gral_pawn_name(pawn));
        for (unsigned seat = 0; seat < after->players; seat++)
            printf(" %u", gral_lost(after, seat, pawn));
        printf("\n");
    }
    if (after->phase != GRAL_OVER)
        return;
    if (after->winner == GRAL_NOBODY)
        printf(_("             the turn limit is reached: a draw\n"));
    else
        printf(_("             %s holds the grail at the end: seat %u wins\n"), gral_pawn_name(after->winning_pawn),
               after->winner + 1u);
}

static void show_entry(size_t number, gral_entry entry, const gral_open *before, const gral_open *after)
{
    char words[GRAL_ACTION_TEXT_MAX], remarks[128] = "";
    gral_text text = gral_text_in(words, sizeof words);
    gral_action_print(&text, entry.action);
    FILE *out = fmemopen(remarks, sizeof remarks, "w");
    if (out != NULL) {
        remark(out, entry.action, before, after);
        fclose(out);
    }
    printf("%6zu  %2u: ", number, entry.seat + 1u);
    if (remarks[0] != '\0')
        printf("%-16s %s\n", words, remarks);
    else
        printf("%s\n", words);
    show_consequences(before, after);
}

/* Shows the first `limit` actions that these eyes hear, or with `quiet` only goes through them;
 * returns how many actions of the record that takes. */
static size_t go_through(const gral_record *record, unsigned eyes, size_t limit, bool quiet)
{
    gral_game game;
    gral_state state;
    gral_record_replay(record, 0, &game, &state);
    size_t number = 0, index = 0;
    uint32_t turn = UINT32_MAX;
    for (; index < record->count && number < limit; index++) {
        const gral_entry entry = record->entry[index];
        const gral_open before = state.open;
        gral_apply(&game, &state, entry.action);
        if (!hears(eyes, entry))
            continue;
        number++;
        if (quiet)
            continue;
        if (before.turn != turn) {
            if (before.turn == 0)
                puts(_("opening"));
            else
                printf(_("\nturn %u, seat %u\n"), before.turn, before.active + 1u);
        }
        turn = before.turn;
        show_entry(number, entry, &before, &state.open);
    }
    return index;
}

static void show_position(const gral_record *record, size_t count, unsigned eyes)
{
    gral_game game;
    gral_state state;
    gral_record_replay(record, count, &game, &state);
    const gral_view view = view_with(&state, eyes);
    printf("\n");
    picture_board(stdout, &game, &view.open);
    printf("\n");
    picture_notepad(stdout, &game, &view);
    printf("\n");
    picture_units(stdout, &view);
    gral_placement placements[GRAL_PLACEMENTS_MAX];
    picture_placements(stdout, &view, placements, gral_record_placements(record, count, placements));
}

static void show_head(const gral_record *record)
{
    char words[200];
    gral_text text = gral_text_in(words, sizeof words);
    gral_settings_print(&text, &record->settings);
    printf("%s\n", words);
    for (unsigned seat = 0; seat < record->settings.players; seat++) {
        char tag[16];
        snprintf(tag, sizeof tag, "Player%u", seat + 1);
        const gral_span name = gral_record_tag(record, tag);
        if (name.bytes != NULL)
            printf(_("seat %u: %.*s\n"), seat + 1, (int)name.length, name.bytes);
    }
    printf("\n");
}

static void show_check(const gral_record *record)
{
    gral_game game;
    gral_state state;
    gral_record_replay(record, record->count, &game, &state);
    char result[32];
    gral_text text = gral_text_in(result, sizeof result);
    gral_result_print(&text, &state.open);
    printf(_("ok: %zu actions, %u turns, result %s\n"), record->count, state.open.turn, result);
}

static bool read_record(const char *path, gral_record *record)
{
    size_t length = 0;
    const char *why = "";
    char *bytes = disk_files.read(path, &length, &why);
    if (bytes == NULL) {
        fprintf(stderr, "gral replay: %s: %s\n", path, why);
        return false;
    }
    gral_error error;
    const bool parsed = gral_record_parse((gral_span){bytes, length}, record, &error);
    free(bytes);
    if (!parsed)
        fprintf(stderr, _("gral replay: %s: line %u, column %u: %s\n"), path, error.line, error.column,
                language_of(error.message));
    return parsed;
}

static uint32_t at;
static unsigned eyes = EVERYTHING;
static bool check;

static bool take_eyes(const cli_option *option, const char *word, gral_error *error)
{
    (void)option;
    uint32_t seat = 0;
    if (strcmp(word, "all") == 0)
        eyes = EVERYTHING;
    else if (strcmp(word, "public") == 0)
        eyes = GRAL_SPECTATOR;
    else if (cli_number(word, GRAL_PLAYERS_MAX, &seat) && seat > 0)
        eyes = seat - 1;
    else {
        snprintf(error->message, sizeof error->message, "%s", N_("must be a seat (1 to 12), public or all"));
        return false;
    }
    return true;
}

static const cli_option options[] = {
    {"at", "N", N_("show only the position after N actions"), CLI_NUMBER, .number = &at},
    {"as", "SEAT|public|all", N_("show what this seat or the public may know, or everything"), CLI_TEXT,
     .take = take_eyes, .usual = "all"},
    {"check", NULL, N_("only check the record against the rules"), CLI_SWITCH, .on = &check},
    {0},
};

static int run(const cli_words *words)
{
    const bool only_position = cli_given(words, "at");
    gral_record record;
    if (!read_record(words->word[0], &record))
        return CLI_FAILED;
    int status = CLI_OK;
    const bool is_seat = eyes != EVERYTHING && eyes != GRAL_SPECTATOR;
    if (is_seat && eyes >= record.settings.players) {
        status = cli_misused(words->command, _("the game has only %u seats"), record.settings.players);
    } else if (check) {
        show_check(&record);
    } else {
        show_head(&record);
        const size_t count = go_through(&record, eyes, only_position ? at : UINT32_MAX, only_position);
        show_position(&record, count, eyes);
    }
    gral_record_free(&record);
    return status;
}

const cli_command command_replay = {
    .name = "replay",
    .arguments = "FILE",
    .words_least = 1,
    .words_most = 1,
    .summary = N_("show a recorded game"),
    .description = N_("Shows a record step by step, then the final position: the board, what is known about "
                      "everybody's influence, the units on the sheets and the turn in which each was placed. A record "
                      "that breaks the rules is refused, with the line and the reason.\n\n"
                      "With --as a seat or the public, only what they may know is shown, and N counts only the actions "
                      "they hear of."),
    .options = options,
    .run = run,
};
