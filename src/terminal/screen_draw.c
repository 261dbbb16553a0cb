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
#include "language.h"
#include "screen.h"

#include <curses.h>
#include <string.h>

enum {
    FIELD_WIDTH = 9,      /* three initiates, or four in a crowd */
    FIELD_WIDTH_MAX = 21, /* the longest name of a field */
    FIELD_LINES = 2,
    FIELD_LINES_MAX = 6,
    TALL_SCREEN = 34, /* lines from which a field gets one more; and again after each ROW_LINES */
    ROW_LINES = 7,    /* a row of fields, and a little for the log */
    OWN_WIDTH = 7,    /* of the notepad: an initiate and the viewer's influence */
    RANGE_WIDTH_MAX = 14,
    RANGE_WIDTH = 7, /* 10–100 */
    UNIT_WIDTH = 4,
    UNITS_LINES = 3,
    FOOT_LINES = 3, /* status, keys, command */
    DISPUTE_LINES = 2,
    RECENT_EVENTS = 60
};

/* Colour pairs: the societies have 1 to 4. */
enum { GRAIL_COLOUR = GRAL_SOCIETIES + 1 };

static attr_t society_look(unsigned pawn)
{
    return (attr_t)COLOR_PAIR(pawn / 2 + 1);
}

static attr_t grail_look(void)
{
    return A_BOLD | (attr_t)COLOR_PAIR(GRAIL_COLOUR);
}

static int put_with(attr_t look, int y, int x, int room, const char *text)
{
    attron(look);
    const int cells = cells_put(y, x, room, gral_span_of(text));
    attroff(look);
    return cells;
}

/* A sentence with its gaps filled, on one line. */
#define write_line(look, y, x, room, ...)                                                                              \
    do {                                                                                                               \
        char buffer[WORDS_MAX];                                                                                        \
        gral_text words = gral_text_in(buffer, sizeof buffer);                                                         \
        words_fill(&words, __VA_ARGS__, NULL);                                                                         \
        put_with(look, y, x, room, buffer);                                                                            \
    } while (0)

typedef struct digits {
    char text[12];
} digits;

static digits number(unsigned value)
{
    digits digits;
    snprintf(digits.text, sizeof digits.text, "%u", value);
    return digits;
}

/* --- the board --- */

typedef struct layout {
    int field_width, field_lines;
    int board_width, board_lines;
    int panel_x, panel_width;
} layout;

static int lines_of_field(void)
{
    const int lines = LINES < TALL_SCREEN ? FIELD_LINES : FIELD_LINES + 1 + (LINES - TALL_SCREEN) / ROW_LINES;
    return lines < FIELD_LINES_MAX ? lines : FIELD_LINES_MAX;
}

static layout lay_out(const gral_settings *settings)
{
    const int columns = settings->columns, rows = settings->rows;
    const int spare = (COLS - SCREEN_COLUMNS) / 2 / columns;
    layout layout = {
        .field_width = FIELD_WIDTH + spare < FIELD_WIDTH_MAX ? FIELD_WIDTH + spare : FIELD_WIDTH_MAX,
        .field_lines = lines_of_field(),
    };
    layout.board_width = columns * (layout.field_width + 1) + 1;
    layout.board_lines = rows * (layout.field_lines + 1) + 1;
    layout.panel_x = layout.board_width + 1;
    layout.panel_width = COLS - layout.panel_x;
    return layout;
}

static void draw_grid(const layout *layout, int columns, int rows)
{
    const chtype joint[3][3] = {
        {ACS_ULCORNER, ACS_TTEE, ACS_URCORNER}, {ACS_LTEE, ACS_PLUS, ACS_RTEE}, {ACS_LLCORNER, ACS_BTEE, ACS_LRCORNER}};
    for (int row = 0; row <= rows; row++)
        mvhline(row * (layout->field_lines + 1), 0, ACS_HLINE, layout->board_width);
    for (int column = 0; column <= columns; column++)
        mvvline(0, column * (layout->field_width + 1), ACS_VLINE, layout->board_lines);
    for (int row = 0; row <= rows; row++)
        for (int column = 0; column <= columns; column++)
            mvaddch(row * (layout->field_lines + 1), column * (layout->field_width + 1),
                    joint[row == 0 ? 0 : 1 + (row == rows)][column == 0 ? 0 : 1 + (column == columns)]);
}

/* The headquarters on a field, e.g. "HQ T"; corners of small boards can have several. */
static void name_headquarters(gral_text *text, const gral_game *game, unsigned field)
{
    bool first = true;
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++) {
        if (game->home[society] != field)
            continue;
        gral_text_add(text, first ? " " : "");
        gral_text_add(text, first ? _("HQ ") : "");
        gral_text_add_bytes(text, gral_pawn_id(2 * society), 1);
        first = false;
    }
}

/* Where the chosen initiate can be sent, or one is proposed to go, is in round brackets. */
static bool is_target(const screen *screen, unsigned field)
{
    const gral_game *game = play_game(screen->play);
    const gral_action proposal = screen->view.open.proposal;
    if (proposal.verb == GRAL_STEP)
        return proposal.field == field;
    if (screen->chosen == GRAL_NO_PAWN)
        return false;
    const unsigned from = screen->view.open.pawn[screen->chosen];
    for (unsigned direction = 0; direction < GRAL_DIRECTIONS; direction++)
        if (screen->options.steps >> (4 * screen->chosen + direction) & 1 && game->neighbour[from][direction] == field)
            return true;
    return false;
}

static void draw_field_name(const screen *screen, const layout *layout, int y, int x, unsigned field)
{
    const gral_game *game = play_game(screen->play);
    const bool target = is_target(screen, field), cursor = screen->cursor == field;
    char label[64], home[16] = "";
    gral_text text = gral_text_in(label, sizeof label), after = gral_text_in(home, sizeof home);
    gral_text_add(&text, target ? "(" : "");
    gral_field_print(&text, field);
    gral_text_add(&text, target ? ")" : "");
    name_headquarters(&after, game, field);

    const int room = layout->field_width - cells_in(gral_span_of(label)) - cells_in(gral_span_of(home)) - 1;
    if (layout->field_width > FIELD_WIDTH && room > 3) {
        gral_text_add(&text, " ");
        cells_cut(&text, _(gral_field_name(field)), room);
    }
    gral_text_add(&text, home);
    put_with(cursor ? A_REVERSE : target || home[0] != '\0' ? A_BOLD : A_NORMAL, y, x, layout->field_width, label);
}

static void draw_pawn(const screen *screen, int y, int x, unsigned pawn)
{
    const gral_action draft = keys_draft(screen), proposal = screen->view.open.proposal;
    const bool meant = pawn == screen->chosen || pawn == draft.pawn || pawn == draft.target || pawn == proposal.pawn ||
                       pawn == proposal.target;
    const bool moved = screen->before[pawn] != screen->view.open.pawn[pawn];
    put_with(society_look(pawn) | A_BOLD |
                 (meant   ? A_REVERSE
                  : moved ? A_UNDERLINE
                          : A_NORMAL),
             y, x, 2, gral_pawn_id(pawn));
    if (screen->view.open.bearer == pawn)
        put_with(grail_look(), y, x + 2, 1, "*");
}

/* Whoever has just left the field, in small letters and where there is room. */
static int draw_ghosts(const screen *screen, const layout *layout, int y, int x, unsigned field, int shown)
{
    const int in_line = layout->field_width / 3;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (screen->before[pawn] != field || screen->view.open.pawn[pawn] == field)
            continue;
        if (shown >= in_line * layout->field_lines)
            return shown;
        char ghost[] = {(char)(gral_pawn_id(pawn)[0] - 'A' + 'a'), gral_pawn_id(pawn)[1], '\0'};
        put_with(A_DIM, y + shown / in_line, x + 3 * (shown % in_line), 2, ghost);
        shown++;
    }
    return shown;
}

static void draw_pawns_on(const screen *screen, const layout *layout, int y, int x, unsigned field)
{
    const gral_open *open = &screen->view.open;
    int count = 0, shown = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        count += open->pawn[pawn] == field;
    const bool crowd = count > layout->field_width / 3 * layout->field_lines;
    const int width = crowd ? 2 : 3, in_line = layout->field_width / width;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (open->pawn[pawn] != field)
            continue;
        draw_pawn(screen, y + shown / in_line, x + width * (shown % in_line), pawn);
        shown++;
    }
    if (!crowd)
        count = draw_ghosts(screen, layout, y, x, field, shown);
    if (open->bearer != GRAL_NO_PAWN || open->grail != field)
        return;
    const bool roomy = count <= in_line * (layout->field_lines - 1);
    const char *grail = roomy ? _("*grail") : "*";
    const int cells = cells_in(gral_span_of(grail));
    put_with(grail_look(), y + layout->field_lines - 1, x + layout->field_width - cells, cells, grail);
}

static void draw_brackets(const layout *layout, int y, int x)
{
    attron(A_BOLD);
    for (int line = 0; line < layout->field_lines; line++) {
        mvaddch(y + line, x - 1, '[');
        mvaddch(y + line, x + layout->field_width, ']');
    }
    attroff(A_BOLD);
}

static void draw_board(const screen *screen, const layout *layout)
{
    const gral_settings *settings = &play_game(screen->play)->settings;
    draw_grid(layout, settings->columns, settings->rows);
    for (int row = 0; row < settings->rows; row++)
        for (int column = 0; column < settings->columns; column++) {
            const unsigned field = (unsigned)(GRAL_COLUMNS * row + column);
            const int y = (settings->rows - 1 - row) * (layout->field_lines + 1);
            const int x = column * (layout->field_width + 1) + 1;
            draw_field_name(screen, layout, y, x, field);
            draw_pawns_on(screen, layout, y + 1, x, field);
            if (field == screen->cursor)
                draw_brackets(layout, y + 1, x);
        }
}

/* --- the panel --- */

static int draw_units(const screen *screen, const layout *layout, int y)
{
    const gral_sheet *sheet = &screen->view.sheet[screen->viewer];
    write_line(A_BOLD, y, layout->panel_x, layout->panel_width, _("{player}: units to place"), "player",
               screen->names.seat[screen->viewer]);
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++) {
        const bool selected = keys_is_placing(screen) && kind == screen->unit;
        const int x = layout->panel_x + UNIT_WIDTH * (int)kind;
        char unit[16];
        snprintf(unit, sizeof unit, selected ? "[%2u]" : " %2u ", gral_unit_value[kind]);
        put_with(selected ? A_REVERSE : A_NORMAL, y + 1, x, UNIT_WIDTH, unit);
        snprintf(unit, sizeof unit, sheet->units[kind] > 0 ? "x%u" : " -", sheet->units[kind]);
        put_with(A_DIM, y + 2, x + 1, UNIT_WIDTH, unit);
    }
    return y + UNITS_LINES;
}

/* The players in the order of the notepad's columns, without the viewer. When there is no room for all, the one
 * whose turn it is comes first. */
static unsigned sort_players(const screen *screen, unsigned room, unsigned list[GRAL_PLAYERS_MAX])
{
    const gral_open *open = &screen->view.open;
    const unsigned others = open->players - (screen->viewer < open->players ? 1U : 0);
    const unsigned first = others <= room || open->active >= open->players ? 0 : open->active;
    unsigned count = 0;
    for (unsigned index = 0; index < open->players && count < room; index++)
        if ((first + index) % open->players != screen->viewer)
            list[count++] = (first + index) % open->players;
    return count;
}

static void describe_range(char range[16], const gral_open *open, gral_bounds bounds, unsigned pawn)
{
    if (!gral_on_board(open, pawn))
        snprintf(range, 16, "-");
    else if (bounds.least == bounds.most)
        snprintf(range, 16, "%u", bounds.least);
    else
        snprintf(range, 16, "%u-%u", bounds.least, bounds.most);
}

static void put_right(attr_t look, int y, int x, int width, const char *text)
{
    const int cells = cells_in(gral_span_of(text));
    put_with(look, y, cells < width ? x + width - cells : x, width, text);
}

/* A name; with its seat before it if only its beginning has room. */
static void head_column(gral_text *text, const screen *screen, unsigned seat, int room)
{
    if (cells_in(gral_span_of(screen->names.seat[seat])) > room) {
        gral_text_add_number(text, seat + 1);
        gral_text_add(text, " ");
    }
    gral_text_add(text, screen->names.seat[seat]);
}

/* Whose columns have no room, and how they can be seen. */
static void draw_missing(const screen *screen, const layout *layout, int y, unsigned shown)
{
    const gral_open *open = &screen->view.open;
    const unsigned others = open->players - (screen->viewer < open->players ? 1u : 0u);
    if (shown < others)
        write_line(A_DIM, y, layout->panel_x, layout->panel_width, _("+ {number} more (n: all)"), "number",
                   number(others - shown).text);
}

static int draw_notepad(const screen *screen, const layout *layout, int y)
{
    const gral_open *open = &screen->view.open;
    const bool seated = screen->viewer < open->players;
    unsigned player[GRAL_PLAYERS_MAX];
    const int room = layout->panel_width - OWN_WIDTH;
    const unsigned players = sort_players(screen, (unsigned)(room / RANGE_WIDTH), player);
    const int width = room / (int)players < RANGE_WIDTH_MAX ? room / (int)players : RANGE_WIDTH_MAX;
    gral_notepad notepad;
    gral_notepad_fill(play_game(screen->play), &screen->view, &notepad);

    attron(A_UNDERLINE);
    mvhline(y, layout->panel_x, ' ', OWN_WIDTH + width * (int)players);
    attroff(A_UNDERLINE);
    if (seated)
        put_right(A_UNDERLINE, y, layout->panel_x + OWN_WIDTH - 4, 4, _("me"));
    draw_missing(screen, layout, y + 1 + GRAL_PAWNS, players);
    for (unsigned index = 0; index < players; index++) {
        char head[64];
        gral_text text = gral_text_in(head, sizeof head);
        head_column(&text, screen, player[index], width - 1);
        put_right(A_UNDERLINE | (player[index] == open->active ? A_BOLD : A_NORMAL), y,
                  layout->panel_x + OWN_WIDTH + width * (int)index + 1, width - 1, head);
    }
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        const int line = y + 1 + (int)pawn;
        const bool selected = keys_is_placing(screen) && pawn == screen->pawn;
        char range[16];
        if (selected)
            put_with(A_REVERSE, line, layout->panel_x, 1, ">");
        put_with(society_look(pawn) | (selected ? A_REVERSE : A_NORMAL), line, layout->panel_x + 1, 2,
                 gral_pawn_id(pawn));
        if (open->bearer == pawn)
            put_with(grail_look(), line, layout->panel_x + 3, 1, "*");
        if (seated) {
            describe_range(range, open, notepad.bounds[screen->viewer][pawn], pawn);
            put_right(A_BOLD, line, layout->panel_x + OWN_WIDTH - 3, 3, range);
        }
        for (unsigned index = 0; index < players; index++) {
            describe_range(range, open, notepad.bounds[player[index]][pawn], pawn);
            put_right(A_NORMAL, line, layout->panel_x + OWN_WIDTH + width * (int)index, width, range);
        }
    }
    return y + 1 + GRAL_PAWNS;
}

void draw_whole_notepad(gral_text *text, const screen *screen)
{
    enum { NAME_WIDTH = 14, WIDTH = 8 };
    const gral_open *open = &screen->view.open;
    gral_notepad notepad;
    gral_notepad_fill(play_game(screen->play), &screen->view, &notepad);
    char cell[64];
    snprintf(cell, sizeof cell, "%*s", NAME_WIDTH, "");
    gral_text_add(text, cell);
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        snprintf(cell, sizeof cell, "%*s", WIDTH, gral_pawn_id(pawn));
        gral_text_add(text, cell);
    }
    gral_text_add(text, "\n");
    for (unsigned seat = 0; seat < open->players; seat++) {
        char head[64], range[16];
        gral_text name = gral_text_in(head, sizeof head);
        head_column(&name, screen, seat, NAME_WIDTH);
        gral_text_add(text, head);
        int gap = NAME_WIDTH - cells_in(gral_span_of(head));
        for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++, gap = 0) {
            describe_range(range, open, notepad.bounds[seat][pawn], pawn);
            snprintf(cell, sizeof cell, "%*s", WIDTH + gap, range);
            gral_text_add(text, cell);
        }
        gral_text_add(text, "\n");
    }
}

/* The field under the cursor: its name, whose headquarters it is, who is there. */
static void draw_field(const screen *screen, const layout *layout, int y)
{
    const gral_game *game = play_game(screen->play);
    const gral_open *open = &screen->view.open;
    char words[128];
    gral_text text = gral_text_in(words, sizeof words);
    gral_field_print(&text, screen->cursor);
    gral_text_add(&text, " ");
    gral_text_add(&text, _(gral_field_name(screen->cursor)));
    name_headquarters(&text, game, screen->cursor);
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++)
        if (game->settings.rules == GRAL_ORIGINAL && game->home[society] == screen->cursor) {
            gral_text_add(&text, ": ");
            gral_text_add(&text, screen->names.seat[game->settings.owner[society]]);
        }
    put_with(A_BOLD, y++, layout->panel_x, layout->panel_width, words);

    int left = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        left += open->pawn[pawn] == screen->cursor;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (open->pawn[pawn] != screen->cursor)
            continue;
        if (y == layout->board_lines - 1 && left > 1) {
            snprintf(words, sizeof words, "+ %d", left);
            put_with(A_NORMAL, y, layout->panel_x, layout->panel_width, words);
            return;
        }
        const int cells = put_with(society_look(pawn) | A_BOLD, y, layout->panel_x, 2, gral_pawn_id(pawn));
        put_with(A_NORMAL, y++, layout->panel_x + cells + 1, layout->panel_width - cells - 1, gral_pawn_name(pawn));
        left--;
    }
}

static void draw_panel(const screen *screen, const layout *layout)
{
    int y = 0;
    if (screen->viewer < screen->view.open.players)
        y = draw_units(screen, layout, y);
    y = draw_notepad(screen, layout, y);
    draw_field(screen, layout, y + 1);
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
        words_fill(&text, _("Revealed so far: {points}."), "points", number(open->claim).text, NULL);
    }
    put_with(A_BOLD, y, 0, COLS, line);

    text = gral_text_in(line, sizeof line);
    if (open->objection > 0) {
        words_fill(&text, _("{player} objects with {points}."), "player", screen->names.seat[open->objector], "points",
                   number(open->objection).text, NULL);
        gral_text_add(&text, " ");
    }
    if (screen->viewer < open->players && open->phase != GRAL_GRAIL)
        words_fill(&text, what_suffices(screen), "held",
                   number(screen->view.sheet[screen->viewer].influence[open->proposal.pawn]).text, "pawn",
                   gral_pawn_id(open->proposal.pawn), "least", number(screen->options.least).text, NULL);
    put_with(A_NORMAL, y + 1, 0, COLS, line);
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
        write_line(A_REVERSE | A_BOLD, y, 1, COLS - 1,
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
    write_line(A_REVERSE | A_BOLD, y, 1, COLS - 1, sentence, "number", number(open->turn).text, "player",
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
        words_fill(&text, _(deed->label), "points", number(screen->options.least).text, NULL);
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
        const int after = offer->x + put_with(A_BOLD, y, offer->x, COLS - offer->x, offer->name);
        mvaddch(y, after, ':');
        put_with(A_NORMAL, y, after + 1, COLS - after - 1, offer->label);
    }
}

/* --- what is where --- */

static screen_spot spot_on_board(const screen *screen, const layout *layout, int y, int x)
{
    const gral_settings *settings = &play_game(screen->play)->settings;
    const int row = settings->rows - 1 - y / (layout->field_lines + 1), column = x / (layout->field_width + 1);
    const bool between = x % (layout->field_width + 1) == 0;
    if (between || row < 0 || column >= settings->columns)
        return (screen_spot){SPOT_NOTHING, 0};
    return (screen_spot){SPOT_FIELD, (uint32_t)(GRAL_COLUMNS * row + column)};
}

static screen_spot spot_in_panel(const screen *screen, const layout *layout, int y, int x)
{
    const int units = screen->viewer < screen->view.open.players ? UNITS_LINES : 0;
    const int unit = (x - layout->panel_x) / UNIT_WIDTH, pawn = y - units - 1;
    if (y > 0 && y < units && unit < GRAL_UNIT_KINDS)
        return (screen_spot){SPOT_UNIT, (uint32_t)unit};
    if (y >= units && pawn >= 0 && pawn < GRAL_PAWNS)
        return (screen_spot){SPOT_PAWN, (uint32_t)pawn};
    return (screen_spot){SPOT_NOTHING, 0};
}

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
    const layout layout = lay_out(&play_game(screen->play)->settings);
    if (y == LINES - FOOT_LINES + 1)
        return spot_among_keys(screen, x);
    if (y >= layout.board_lines)
        return (screen_spot){SPOT_NOTHING, 0};
    return x >= layout.panel_x ? spot_in_panel(screen, &layout, y, x) : spot_on_board(screen, &layout, y, x);
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
        const int cells = put_with(A_BOLD, y, 2, COLS - 2, draft);
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
    const layout layout = lay_out(&play_game(screen->play)->settings);
    const int foot = LINES - FOOT_LINES;
    draw_board(screen, &layout);
    draw_panel(screen, &layout);
    draw_log(screen, draw_dispute(screen, layout.board_lines), foot - 1);
    draw_status(screen, foot);
    draw_keys(screen, foot + 1);
    draw_command(screen, foot + 2);
}
