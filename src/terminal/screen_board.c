/* The board: a grid of fields with their names, and who stands there. Each field gets as much room as the window has.
 */
#include "language.h"
#include "screen_draw.h"

enum {
    FIELD_WIDTH = 9,      /* three initiates, or four in a crowd */
    FIELD_WIDTH_MAX = 21, /* the longest name of a field */
    FIELD_LINES = 2,
    FIELD_LINES_MAX = 6,
    TALL_SCREEN = 34, /* lines from which a field gets one more; and again after each ROW_LINES */
    ROW_LINES = 7     /* a row of fields, and a little for the log */
};

static int lines_of_field(void)
{
    const int lines = LINES < TALL_SCREEN ? FIELD_LINES : FIELD_LINES + 1 + (LINES - TALL_SCREEN) / ROW_LINES;
    return lines < FIELD_LINES_MAX ? lines : FIELD_LINES_MAX;
}

screen_layout draw_layout(const gral_settings *settings)
{
    const int columns = settings->columns, rows = settings->rows;
    const int spare = (COLS - SCREEN_COLUMNS) / 2 / columns;
    screen_layout layout = {
        .field_width = FIELD_WIDTH + spare < FIELD_WIDTH_MAX ? FIELD_WIDTH + spare : FIELD_WIDTH_MAX,
        .field_lines = lines_of_field(),
    };
    layout.board_width = columns * (layout.field_width + 1) + 1;
    layout.board_lines = rows * (layout.field_lines + 1) + 1;
    layout.panel_x = layout.board_width + 1;
    layout.panel_width = COLS - layout.panel_x;
    return layout;
}

static void draw_grid(const screen_layout *layout, int columns, int rows)
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

void draw_headquarters(gral_text *text, const gral_game *game, unsigned field)
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

static void draw_field_name(const screen *screen, const screen_layout *layout, int y, int x, unsigned field)
{
    const gral_game *game = play_game(screen->play);
    const bool target = is_target(screen, field), cursor = screen->cursor == field;
    char label[64], home[16] = "";
    gral_text text = gral_text_in(label, sizeof label), after = gral_text_in(home, sizeof home);
    gral_text_add(&text, target ? "(" : "");
    gral_field_print(&text, field);
    gral_text_add(&text, target ? ")" : "");
    draw_headquarters(&after, game, field);

    const int room = layout->field_width - cells_in(gral_span_of(label)) - cells_in(gral_span_of(home)) - 1;
    if (layout->field_width > FIELD_WIDTH && room > 3) {
        gral_text_add(&text, " ");
        cells_cut(&text, _(gral_field_name(field)), room);
    }
    gral_text_add(&text, home);
    draw_words(cursor ? A_REVERSE : target || home[0] != '\0' ? A_BOLD : A_NORMAL, y, x, layout->field_width, label);
}

static void draw_pawn(const screen *screen, int y, int x, unsigned pawn)
{
    const gral_action draft = keys_draft(screen), proposal = screen->view.open.proposal;
    const bool meant = pawn == screen->chosen || pawn == draft.pawn || pawn == draft.target || pawn == proposal.pawn ||
                       pawn == proposal.target;
    const bool moved = screen->before[pawn] != screen->view.open.pawn[pawn];
    draw_words(draw_look_of(pawn) | A_BOLD |
                   (meant   ? A_REVERSE
                    : moved ? A_UNDERLINE
                            : A_NORMAL),
               y, x, 2, gral_pawn_id(pawn));
    if (screen->view.open.bearer == pawn)
        draw_words(draw_look_of_grail(), y, x + 2, 1, "*");
}

/* Whoever has just left the field, in small letters and where there is room. */
static int draw_ghosts(const screen *screen, const screen_layout *layout, int y, int x, unsigned field, int shown)
{
    const int in_line = layout->field_width / 3;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (screen->before[pawn] != field || screen->view.open.pawn[pawn] == field)
            continue;
        if (shown >= in_line * layout->field_lines)
            return shown;
        char ghost[] = {(char)(gral_pawn_id(pawn)[0] - 'A' + 'a'), gral_pawn_id(pawn)[1], '\0'};
        draw_words(A_DIM, y + shown / in_line, x + 3 * (shown % in_line), 2, ghost);
        shown++;
    }
    return shown;
}

static void draw_pawns_on(const screen *screen, const screen_layout *layout, int y, int x, unsigned field)
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
    draw_words(draw_look_of_grail(), y + layout->field_lines - 1, x + layout->field_width - cells, cells, grail);
}

static void draw_brackets(const screen_layout *layout, int y, int x)
{
    attron(A_BOLD);
    for (int line = 0; line < layout->field_lines; line++) {
        mvaddch(y + line, x - 1, '[');
        mvaddch(y + line, x + layout->field_width, ']');
    }
    attroff(A_BOLD);
}

void draw_board(const screen *screen, const screen_layout *layout)
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

screen_spot draw_spot_on_board(const screen *screen, const screen_layout *layout, int y, int x)
{
    const gral_settings *settings = &play_game(screen->play)->settings;
    const int row = settings->rows - 1 - y / (layout->field_lines + 1), column = x / (layout->field_width + 1);
    const bool between = x % (layout->field_width + 1) == 0;
    if (between || row < 0 || column >= settings->columns)
        return (screen_spot){SPOT_NOTHING, 0};
    return (screen_spot){SPOT_FIELD, (uint32_t)(GRAL_COLUMNS * row + column)};
}
