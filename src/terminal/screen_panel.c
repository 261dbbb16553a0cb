/* Beside the board: the viewer's own sheet, the notepad, and the field under the cursor. */
#include "language.h"
#include "screen_draw.h"

enum {
    OWN_WIDTH = 7, /* of the notepad: an initiate and the viewer's influence */
    RANGE_WIDTH_MAX = 14,
    RANGE_WIDTH = 7, /* 10–100 */
    UNIT_WIDTH = 4,
    UNITS_LINES = 3
};

static int draw_units(const screen *screen, const screen_layout *layout, int y)
{
    const gral_sheet *sheet = &screen->view.sheet[screen->viewer];
    draw_sentence(A_BOLD, y, layout->panel_x, layout->panel_width, _("{player}: units to place"), "player",
                  screen->names.seat[screen->viewer]);
    for (unsigned kind = 0; kind < GRAL_UNIT_KINDS; kind++) {
        const bool selected = keys_is_placing(screen) && kind == screen->unit;
        const int x = layout->panel_x + UNIT_WIDTH * (int)kind;
        char unit[16];
        snprintf(unit, sizeof unit, selected ? "[%2u]" : " %2u ", gral_unit_value[kind]);
        draw_words(selected ? A_REVERSE : A_NORMAL, y + 1, x, UNIT_WIDTH, unit);
        snprintf(unit, sizeof unit, sheet->units[kind] > 0 ? "x%u" : " -", sheet->units[kind]);
        draw_words(A_DIM, y + 2, x + 1, UNIT_WIDTH, unit);
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
    draw_words(look, y, cells < width ? x + width - cells : x, width, text);
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
static void draw_missing(const screen *screen, const screen_layout *layout, int y, unsigned shown)
{
    const gral_open *open = &screen->view.open;
    const unsigned others = open->players - (screen->viewer < open->players ? 1u : 0u);
    if (shown < others)
        draw_sentence(A_DIM, y, layout->panel_x, layout->panel_width, _("+ {number} more (n: all)"), "number",
                      draw_number(others - shown).text);
}

static int draw_notepad(const screen *screen, const screen_layout *layout, int y)
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
            draw_words(A_REVERSE, line, layout->panel_x, 1, ">");
        draw_words(draw_look_of(pawn) | (selected ? A_REVERSE : A_NORMAL), line, layout->panel_x + 1, 2,
                   gral_pawn_id(pawn));
        if (open->bearer == pawn)
            draw_words(draw_look_of_grail(), line, layout->panel_x + 3, 1, "*");
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
static void draw_field(const screen *screen, const screen_layout *layout, int y)
{
    const gral_game *game = play_game(screen->play);
    const gral_open *open = &screen->view.open;
    char words[128];
    gral_text text = gral_text_in(words, sizeof words);
    gral_field_print(&text, screen->cursor);
    gral_text_add(&text, " ");
    gral_text_add(&text, _(gral_field_name(screen->cursor)));
    draw_headquarters(&text, game, screen->cursor);
    for (unsigned society = 0; society < GRAL_SOCIETIES; society++)
        if (game->settings.rules == GRAL_ORIGINAL && game->home[society] == screen->cursor) {
            gral_text_add(&text, ": ");
            gral_text_add(&text, screen->names.seat[game->settings.owner[society]]);
        }
    draw_words(A_BOLD, y++, layout->panel_x, layout->panel_width, words);

    int left = 0;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++)
        left += open->pawn[pawn] == screen->cursor;
    for (unsigned pawn = 0; pawn < GRAL_PAWNS; pawn++) {
        if (open->pawn[pawn] != screen->cursor)
            continue;
        if (y == layout->board_lines - 1 && left > 1) {
            snprintf(words, sizeof words, "+ %d", left);
            draw_words(A_NORMAL, y, layout->panel_x, layout->panel_width, words);
            return;
        }
        const int cells = draw_words(draw_look_of(pawn) | A_BOLD, y, layout->panel_x, 2, gral_pawn_id(pawn));
        draw_words(A_NORMAL, y++, layout->panel_x + cells + 1, layout->panel_width - cells - 1, gral_pawn_name(pawn));
        left--;
    }
}

void draw_panel(const screen *screen, const screen_layout *layout)
{
    int y = 0;
    if (screen->viewer < screen->view.open.players)
        y = draw_units(screen, layout, y);
    y = draw_notepad(screen, layout, y);
    draw_field(screen, layout, y + 1);
}

screen_spot draw_spot_in_panel(const screen *screen, const screen_layout *layout, int y, int x)
{
    const int units = screen->viewer < screen->view.open.players ? UNITS_LINES : 0;
    const int unit = (x - layout->panel_x) / UNIT_WIDTH, pawn = y - units - 1;
    if (y > 0 && y < units && unit < GRAL_UNIT_KINDS)
        return (screen_spot){SPOT_UNIT, (uint32_t)unit};
    if (y >= units && pawn >= 0 && pawn < GRAL_PAWNS)
        return (screen_spot){SPOT_PAWN, (uint32_t)pawn};
    return (screen_spot){SPOT_NOTHING, 0};
}
