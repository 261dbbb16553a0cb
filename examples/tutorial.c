/* libgral in one small program: three players, one of whom is ours, play a game and keep its record. Try it:
 *
 *     cc -o tutorial tutorial.c $(pkg-config --cflags --libs gral)
 *     ./tutorial game.gral
 *     gral replay game.gral
 *
 * docs/tutorial.md goes through it step by step. */
#include <gral/gral.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEATS = 3 };

/* Everything that one seat has heard so far. It may hear of fewer actions than there were (R3.1). */
typedef struct ear {
    gral_entry *entry;
    size_t count;
} ear;

static bool hear(ear *ear, unsigned seat, gral_action action)
{
    gral_entry *grown = realloc(ear->entry, (ear->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    ear->entry = grown;
    ear->entry[ear->count++] = (gral_entry){.action = action, .seat = (uint8_t)seat};
    return true;
}

/* Our player backs the tall Templar: all influence goes to him, he moves whenever it is our turn, and whoever moves him
 * against our will meets an objection. It knows its view and what it may do, and nothing else. */
static gral_action decide(const gral_question *question)
{
    const gral_open *open = &question->view->open;
    const unsigned count = gral_options_count(question->options);
    for (unsigned index = 0; index < count; index++) {
        const gral_action action = gral_options_pick(question->game, open, question->options, index);
        const bool ours = action.verb == GRAL_PLACE || action.verb == GRAL_STEP;
        if (ours && action.pawn == GRAL_T1)
            return action;
        if (action.verb == GRAL_OBJECT && open->proposal.pawn == GRAL_T1)
            return action; /* the lowest figure comes first */
        if (action.verb == GRAL_CLAIM || action.verb == GRAL_KEEP)
            return action;
    }
    /* Nothing that we want: what is listed last is done, pass, yield or leave. */
    return gral_options_pick(question->game, open, question->options, count - 1);
}

static void print_action(unsigned seat, gral_action action)
{
    char words[GRAL_ACTION_TEXT_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    gral_action_print(&text, action);
    printf("seat %u: %s\n", seat + 1, words);
}

/* The actor is asked, the rules are asked, everybody hears of it, and it is done. */
static bool take_action(const gral_game *game, gral_state *state, gral_player *player[], ear ears[],
                        gral_record *record)
{
    const unsigned seat = state->open.actor;
    const gral_view view = gral_view_of(state, seat);
    const gral_options options = gral_legal_options(game, state);
    const gral_question question = {.game = game,
                                    .view = &view,
                                    .options = &options,
                                    .heard = ears[seat].entry,
                                    .heard_count = ears[seat].count,
                                    .seed = record->count};
    const gral_action action = player[seat] == NULL ? decide(&question)
                                                    : gral_player_decide(player[seat], &question, NULL);
    const enum gral_fault fault = gral_check(game, state, action);
    if (fault != GRAL_LEGAL) {
        fprintf(stderr, "seat %u: %s\n", seat + 1, gral_fault_text(fault));
        return false;
    }
    if (gral_view_hears(GRAL_SPECTATOR, seat, action))
        print_action(seat, action);
    for (unsigned other = 0; other < SEATS; other++)
        if (gral_view_hears(other, seat, action) && !hear(&ears[other], seat, action))
            return false;
    gral_apply(game, state, action);
    return gral_record_add(record, seat, action);
}

static bool save(const gral_record *record, const char *path)
{
    size_t length;
    char *text = gral_record_text(record, &length);
    FILE *file = fopen(path, "w");
    const bool written = text != NULL && file != NULL && fwrite(text, 1, length, file) == length;
    free(text);
    return file != NULL && fclose(file) == 0 && written;
}

int main(int argc, char **argv)
{
    /* 1. What is played. */
    gral_error error;
    gral_settings settings;
    gral_game game;
    if (!gral_settings_parse(gral_span_of("players=3 limit=200"), &settings, &error) ||
        gral_game_make(&game, &settings) != GRAL_SETTINGS_OK)
        return EXIT_FAILURE;

    /* 2. Who plays: NULL is us. */
    gral_player *player[SEATS] = {NULL, gral_player_make(gral_span_of("rules"), &error),
                                  gral_player_make(gral_span_of("greedy"), &error)};

    /* 3. The game. */
    gral_state state;
    gral_start(&game, &state);
    gral_record record = gral_record_begin(&settings);
    ear ears[SEATS] = {0};
    bool well = player[1] != NULL && player[2] != NULL;
    while (well && state.open.phase != GRAL_OVER)
        well = take_action(&game, &state, player, ears, &record);

    /* 4. How it ended. */
    if (well && state.open.winner == GRAL_NOBODY)
        puts("a draw");
    else if (well)
        printf("seat %u has won with %s\n", state.open.winner + 1, gral_pawn_name(state.open.winning_pawn));
    if (well && argc > 1)
        well = save(&record, argv[1]);
    gral_record_free(&record);
    for (unsigned seat = 0; seat < SEATS; seat++) {
        free(ears[seat].entry);
        if (player[seat] != NULL)
            gral_player_free(player[seat]);
    }
    return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
