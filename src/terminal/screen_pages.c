/* Frames, painted until a key is pressed, and pages of text to scroll in. */
#include "language.h"
#include "screen.h"

#include <curses.h>

enum { ESCAPE = 27 };

static bool is_too_small(void)
{
    return COLS < SCREEN_COLUMNS || LINES < SCREEN_LINES;
}

static void draw_too_small(void)
{
    const struct {
        const char *name;
        int value;
    } sizes[] = {{"columns", COLS}, {"lines", LINES}};
    char words[512], size[2][12];
    gral_text text = gral_text_in(words, sizeof words);
    for (size_t index = 0; index < 2; index++)
        snprintf(size[index], sizeof size[index], "%d", sizes[index].value);
    words_fill(&text, _("This window is {columns} × {lines}; the game needs 80 × 24. Enlarge it to continue."),
               sizes[0].name, size[0], sizes[1].name, size[1], NULL);
    cells_lines lines = {.rest = words, .room = COLS};
    gral_span line;
    for (int y = 0; y < LINES && cells_next_line(&lines, &line); y++)
        cells_put(y, 0, COLS, line);
}

void screen_paint(const screen *screen, screen_painter *draw)
{
    erase();
    curs_set(screen->typing);
    if (is_too_small())
        draw_too_small();
    else
        draw(screen);
    refresh();
}

bool screen_ask_key(screen *screen, screen_painter *draw, screen_key *key)
{
    do {
        screen_paint(screen, draw);
        if (!screen_read_key(screen, -1, key))
            return false;
    } while ((key->special && key->code == KEY_RESIZE) || is_too_small());
    return true;
}

bool screen_is_enter(screen_key key)
{
    return key.special ? key.code == KEY_ENTER : key.code == '\n' || key.code == '\r';
}

/* --- pages --- */

static int page_lines(void)
{
    return LINES - 2;
}

static unsigned count_page(const screen *screen)
{
    cells_lines lines = {.rest = screen->page_text, .room = COLS - 2};
    gral_span line;
    unsigned count = 0;
    while (cells_next_line(&lines, &line))
        count++;
    return count;
}

static unsigned last_top(const screen *screen)
{
    const unsigned count = count_page(screen), shown = (unsigned)page_lines();
    return count > shown ? count - shown : 0;
}

static void draw_page(const screen *screen)
{
    const unsigned end = last_top(screen), top = screen->page_top < end ? screen->page_top : end;
    attron(A_REVERSE);
    mvhline(0, 0, ' ', COLS);
    mvhline(LINES - 1, 0, ' ', COLS);
    cells_put(0, 1, COLS - 1, gral_span_of(screen->page_title));
    const int cells = screen->page_yes == NULL ? 0 : cells_put(LINES - 1, 1, COLS - 1, gral_span_of(screen->page_yes));
    cells_put(LINES - 1, 1 + cells + (cells > 0), COLS - 2 - cells,
              gral_span_of(end > 0 ? _("Arrows and Page Up/Down: scroll. Enter: back.") : _("Enter: back.")));
    attroff(A_REVERSE);
    cells_lines lines = {.rest = screen->page_text, .room = COLS - 2};
    gral_span line;
    for (unsigned index = 0; cells_next_line(&lines, &line); index++)
        if (index >= top && index < top + (unsigned)page_lines())
            cells_put(1 + (int)(index - top), 1 + lines.indent, COLS - 2 - lines.indent, line);
}

bool screen_ask_on_page(screen *screen, const char *title, const char *text, bool from_end, const char *yes)
{
    screen->page_title = title;
    screen->page_text = text;
    screen->page_yes = yes;
    screen->page_top = from_end ? UINT32_MAX : 0;
    for (screen_key key; screen_ask_key(screen, draw_page, &key);) {
        const unsigned end = last_top(screen), page = (unsigned)page_lines();
        unsigned *top = &screen->page_top;
        *top = *top < end ? *top : end;
        if (screen_is_enter(key) || (!key.special && (key.code == 'q' || key.code == ESCAPE)))
            break;
        if (yes != NULL && !key.special && key.code == 'y')
            return true;
        if (!key.special)
            *top += key.code == ' ' ? page : 0;
        else if (key.code == KEY_DOWN || key.code == KEY_NPAGE)
            *top += key.code == KEY_DOWN ? 1 : page;
        else if (key.code == KEY_UP || key.code == KEY_PPAGE)
            *top -= key.code == KEY_UP ? *top > 0 : *top < page ? *top : page;
        else if (key.code == KEY_HOME || key.code == KEY_END)
            *top = key.code == KEY_HOME ? 0 : end;
    }
    return false;
}

void screen_show_page(screen *screen, const char *title, const char *text, bool from_end)
{
    screen_ask_on_page(screen, title, text, from_end, NULL);
}
