/* The screen of a running game, on 80 × 24 cells or more:
 *
 *     board      | own sheet, notepad, the field under the cursor
 *     the dispute, while there is one
 *     the newest of the log
 *     status     what is going on, who is waited for
 *     keys       what the viewer can do
 *     command    what is typed, or what Enter would do
 *
 * More room makes larger fields with their names, more columns of the notepad and more of the log. Colour only
 * repeats what a letter, a bracket or reverse video says. */
#include "screen_draw.h"

#include "language.h"

#include <string.h>

enum {
    FOOT_LINES = 3, /* status, keys, command */
    DISPUTE_LINES = 2,
    RECENT_EVENTS = 60
};

/* Colour pairs: the societies have 1 to 4. */
enum { GRAIL_COLOUR = GRAL_SOCIETIES + 1 };

attr_t draw_look_of(unsigned pawn)
{
    return (attr_t)COLOR_PAIR(pawn / 2 + 1);
}

attr_t draw_look_of_grail(void)
{
    return A_BOLD | (attr_t)COLOR_PAIR(GRAIL_COLOUR);
}

int draw_words(attr_t look, int y, int x, int room, const char *text)
{
    attron(look);
    const int cells = cells_put(y, x, room, gral_span_of(text));
    attroff(look);
    return cells;
}

draw_digits draw_number(unsigned value)
{
    draw_digits digits;
    snprintf(digits.text, sizeof digits.text, "%u", value);
    return digits;
}

/* --- the dispute --- */

static const char *what_suffices(const screen *screen)
{
    switch (screen->options.points_verb) {
    case GRAL_OBJECT:
        return _("You hold {held} on {pawn}; {least} is enough to object.");
    case GRAL_CLAIM:
        return _("You hold {held} on {pawn}; {least} is enough to insist.");
    default:
        return screen_is_asked(screen) ? _("You hold {held} on {pawn}; that is not enough.")
                                       : _("You hold {held} on {pawn}.");
    }
}

static int draw_dispute(const screen *screen, int y)
{
    const gral_open *open = &screen->view.open;
    if (open->proposal.verb == GRAL_NOTHING)
        return y;
    char proposal[GRAL_ACTION_TEXT_MAX], line[WORDS_MAX];
    gral_text text = gral_text_in(proposal, sizeof proposal);
    gral_action_print(&text, open->proposal);

    text = gral_text_in(line, sizeof line);
    words_fill(&text, _("{player} proposes: {proposal}."), "player", screen->names.seat[open->active], "proposal",
               proposal, NULL);
    if (open->claim > 0) {
        gral_text_add(&text, " ");
        words_fill(&text, _("Revealed so far: {points}."), "points", draw_number(open->claim).text, NULL);
    }
    draw_words(A_BOLD, y, 0, COLS, line);

    text = gral_text_in(line, sizeof line);
    if (open->objection > 0) {
        words_fill(&text, _("{player} objects with {points}."), "player", screen->names.seat[open->objector], "points",
                   draw_number(open->objection).text, NULL);
        gral_text_add(&text, " ");
    }
    if (screen->viewer < open->players && open->phase != GRAL_GRAIL)
        words_fill(&text, what_suffices(screen), "held",
                   draw_number(screen->view.sheet[screen->viewer].influence[open->proposal.pawn]).text, "pawn",
                   gral_pawn_id(open->proposal.pawn), "least", draw_number(screen->options.least).text, NULL);
    draw_words(A_NORMAL, y + 1, 0, COLS, line);
    return y + DISPUTE_LINES;
}

/* --- the log, and what is said beside the game --- */

static int count_lines(const char *text, int room)
{
    cells_lines lines = {.rest = text, .room = room};
    gral_span line;
    int count = 0;
    while (cells_next_line(&lines, &line))
        count++;
    return count;
}

/* The last lines of a text, upwards from `bottom`; returns the line above them. */
static int draw_tail(attr_t look, const char *text, int top, int bottom)
{
    const int count = count_lines(text, COLS), skip = count > bottom - top + 1 ? count - (bottom - top + 1) : 0;
    cells_lines lines = {.rest = text, .room = COLS};
    gral_span line;
    attron(look);
    for (int index = 0; cells_next_line(&lines, &line); index++)
        if (index >= skip)
            cells_put(bottom - count + 1 + index, lines.indent, COLS - lines.indent, line);
    attroff(look);
    return bottom - (count - skip);
}

static void draw_log(const screen *screen, int top, int bottom)
{
    const int above = draw_tail(A_BOLD, screen->notice, top, bottom);
    const size_t heard = play_heard(screen->play, screen->viewer);
    char buffer[WORDS_MAX];
    int bottom_left = above;
    for (size_t index = heard; index > 0 && heard - index < RECENT_EVENTS && bottom_left >= top; index--) {
        const event event = play_event(screen->play, screen->viewer, index - 1);
        gral_text text = gral_text_in(buffer, sizeof buffer);
        words_event(&text, &screen->names, &event);
        bottom_left = draw_tail(A_NORMAL, buffer, top, bottom_left);
    }
}

/* --- the foot --- */

static const char *const asking[GRAL_PHASES] = {
    [GRAL_OPENING] = N_("Opening: {player}, place units; d when you are done."),
    [GRAL_TURN] = N_("Turn {number}: {player}, propose a step or assign."),
    [GRAL_PLACING] = N_("Turn {number}: {player}, place units; d when you are done."),
    [GRAL_OBJECTION] = N_("Turn {number}: {player}, do you object?"),
    [GRAL_ANSWER] = N_("Turn {number}: {player}, do you insist or yield?"),
    [GRAL_GRAIL] = N_("Turn {number}: {player}, what happens to the grail?"),
    [GRAL_OVER] = "",
};

static void draw_status(const screen *screen, int y)
{
    const gral_open *open = &screen->view.open;
    attron(A_REVERSE);
    mvhline(y, 0, ' ', COLS);
    attroff(A_REVERSE);
    if (open->phase == GRAL_OVER) {
        draw_sentence(A_REVERSE | A_BOLD, y, 1, COLS - 1,
                      open->winner == GRAL_NOBODY ? _("The turn limit is reached: the game is a draw.")
                                                  : _("The game is over: {player} wins with {pawn}."),
                      "player", open->winner == GRAL_NOBODY ? "" : screen->names.seat[open->winner], "pawn",
                      open->winning_pawn < GRAL_PAWNS ? gral_pawn_id(open->winning_pawn) : "");
        return;
    }
    const bool rejected = open->phase == GRAL_TURN && !keys_may(screen, GRAL_ASSIGN);
    const char *sentence = !screen_is_asked(screen) ? open->phase == GRAL_OPENING
                                                          ? _("Opening: {player} is thinking …")
                                                          : _("Turn {number}: {player} is thinking …")
                           : rejected ? _("Turn {number}: {player}, that was rejected; propose something else.")
                                      : _(asking[open->phase]);
    draw_sentence(A_REVERSE | A_BOLD, y, 1, COLS - 1, sentence, "number", draw_number(open->turn).text, "player",
                  screen->names.seat[open->actor]);
}

/* The keys with their meaning, as many as there is room for. */
enum { OFFERS_MAX = 24 };
typedef struct offers {
    unsigned count;
    int end; /* of the last */
    struct offer {
        uint32_t key; /* what a click on it presses */
        int x, cells;
        char name[32], label[128];
    } offer[OFFERS_MAX];
} offers;

static void offer(offers *offers, uint32_t key, const char *name, const char *label)
{
    const int cells = cells_in(gral_span_of(name)) + 1 + cells_in(gral_span_of(label));
    if (offers->count == OFFERS_MAX || offers->end + cells > COLS)
        return;
    struct offer *offer = &offers->offer[offers->count++];
    offer->key = key;
    offer->x = offers->end;
    offer->cells = cells;
    snprintf(offer->name, sizeof offer->name, "%s", name);
    snprintf(offer->label, sizeof offer->label, "%s", label);
    offers->end += cells + 2;
}

static offers find_offers(const screen *screen)
{
    offers offers = {0};
    const bool proposing = screen_is_asked(screen) && screen->view.open.phase == GRAL_TURN;
    if (proposing)
        offer(&offers, '\n', _("arrows, Enter"), screen->chosen == GRAL_NO_PAWN ? _("choose") : _("propose"));
    if (proposing && screen->chosen != GRAL_NO_PAWN)
        offer(&offers, 'x', "x", _("uncover"));
    if (keys_is_placing(screen))
        offer(&offers, '\n', _("arrows, Enter"), _("place"));
    for (const screen_deed *deed = screen_deeds; deed->key != '\0'; deed++) {
        if (!keys_may(screen, (enum gral_verb)deed->verb))
            continue;
        char label[128];
        gral_text text = gral_text_in(label, sizeof label);
        words_fill(&text, _(deed->label), "points", draw_number(screen->options.least).text, NULL);
        offer(&offers, (uint32_t)deed->key, (char[]){deed->key, '\0'}, label);
    }
    if (screen_is_asked(screen))
        offer(&offers, ':', ":", _("command"));
    for (const screen_command *command = screen_commands; command->key != '\0'; command++)
        if (keys_offer(screen, (enum play_command)command->command))
            offer(&offers, (uint32_t)command->key, (char[]){command->key, '\0'}, _(command->label));
    return offers;
}

static void draw_keys(const screen *screen, int y)
{
    const offers offers = find_offers(screen);
    for (unsigned index = 0; index < offers.count; index++) {
        const struct offer *offer = &offers.offer[index];
        const int after = offer->x + draw_words(A_BOLD, y, offer->x, COLS - offer->x, offer->name);
        mvaddch(y, after, ':');
        draw_words(A_NORMAL, y, after + 1, COLS - after - 1, offer->label);
    }
}

/* --- what is where --- */

static screen_spot spot_among_keys(const screen *screen, int x)
{
    const offers offers = find_offers(screen);
    for (unsigned index = 0; index < offers.count; index++) {
        const struct offer *offer = &offers.offer[index];
        if (x >= offer->x && x < offer->x + offer->cells)
            return (screen_spot){SPOT_KEY, offer->key};
    }
    return (screen_spot){SPOT_NOTHING, 0};
}

screen_spot draw_spot_at(const screen *screen, int y, int x)
{
    const screen_layout layout = draw_layout(&play_game(screen->play)->settings);
    if (y == LINES - FOOT_LINES + 1)
        return spot_among_keys(screen, x);
    if (y >= layout.board_lines)
        return (screen_spot){SPOT_NOTHING, 0};
    return x >= layout.panel_x ? draw_spot_in_panel(screen, &layout, y, x) : draw_spot_on_board(screen, &layout, y, x);
}

static void draw_command(const screen *screen, int y)
{
    char draft[GRAL_ACTION_TEXT_MAX] = "";
    gral_text text = gral_text_in(draft, sizeof draft);
    const gral_action action = keys_draft(screen);
    if (action.verb != GRAL_NOTHING)
        gral_action_print(&text, action);
    else if (screen->chosen != GRAL_NO_PAWN)
        gral_text_add(&text, gral_pawn_id(screen->chosen));
    mvaddch(y, 0, '>');
    if (!screen->typing) {
        const int cells = draw_words(A_BOLD, y, 2, COLS - 2, draft);
        move(y, 2 + cells);
        return;
    }
    /* The end of a long command is what is being written. */
    const char *shown = screen->command;
    while (cells_in(gral_span_of(shown)) > COLS - 3 || (*shown & 0xc0) == 0x80)
        shown++;
    cells_put(y, 2, COLS - 2, gral_span_of(shown));
}

void draw_game(const screen *screen)
{
    const screen_layout layout = draw_layout(&play_game(screen->play)->settings);
    const int foot = LINES - FOOT_LINES;
    draw_board(screen, &layout);
    draw_panel(screen, &layout);
    draw_log(screen, draw_dispute(screen, layout.board_lines), foot - 1);
    draw_status(screen, foot);
    draw_keys(screen, foot + 1);
    draw_command(screen, foot + 2);
}
