/* Text on a grid: how wide it is, where it is cut, where a line ends. Names and files come from outside, so any
 * bytes are taken; what is no printable character has one cell and shows as a question mark. */
#include "screen.h"

#include <curses.h>
#include <string.h>
#include <wchar.h>

typedef struct glyph {
    size_t bytes;
    int cells;
    bool printable;
} glyph;

static glyph first_glyph(gral_span text)
{
    wchar_t wide;
    mbstate_t state = {0};
    const size_t bytes = mbrtowc(&wide, text.bytes, text.length, &state);
    if (bytes == 0 || bytes > text.length)
        return (glyph){1, 1, false};
    const int cells = wcwidth(wide);
    return (glyph){bytes, cells < 0 ? 1 : cells, cells >= 0};
}

static gral_span after(gral_span text, size_t bytes)
{
    return (gral_span){text.bytes + bytes, text.length - bytes};
}

int cells_put(int y, int x, int room, gral_span text)
{
    int cells = 0;
    move(y, x);
    while (text.length > 0) {
        const glyph glyph = first_glyph(text);
        if (cells + glyph.cells > room)
            break;
        addnstr(glyph.printable ? text.bytes : "?", glyph.printable ? (int)glyph.bytes : 1);
        cells += glyph.cells;
        text = after(text, glyph.bytes);
    }
    return cells;
}

/* How many bytes fit in `room`; `cells` is what they take. */
static size_t fitting(gral_span text, int room, int *cells)
{
    const char *begin = text.bytes;
    *cells = 0;
    while (text.length > 0) {
        const glyph glyph = first_glyph(text);
        if (*cells + glyph.cells > room)
            break;
        *cells += glyph.cells;
        text = after(text, glyph.bytes);
    }
    return (size_t)(text.bytes - begin);
}

int cells_in(gral_span text)
{
    int cells;
    fitting(text, INT_MAX, &cells);
    return cells;
}

void cells_cut(gral_text *copy, const char *text, int room)
{
    int cells;
    const gral_span whole = gral_span_of(text);
    const bool fits = fitting(whole, room, &cells) == whole.length;
    gral_text_add_bytes(copy, text, fits ? whole.length : fitting(whole, room - 1, &cells));
    gral_text_add(copy, fits ? "" : "…");
}

bool cells_next_line(cells_lines *lines, gral_span *line)
{
    if (lines->rest[0] == '\0')
        return false;
    const gral_span paragraph = {lines->rest, strcspn(lines->rest, "\n")};
    if (!lines->inside)
        lines->hanging = (int)strspn(paragraph.bytes, " ");
    lines->indent = lines->inside ? lines->hanging : 0;

    int cells;
    size_t length = fitting(paragraph, lines->room - lines->indent, &cells);
    const bool whole = length == paragraph.length;
    if (!whole) {
        const size_t margin = lines->inside ? 0 : (size_t)lines->hanging;
        size_t space = length;
        while (space > margin && paragraph.bytes[space] != ' ')
            space--;
        if (space > margin)
            length = space;
        else if (length == 0)
            length = 1; /* not even one glyph has room: go on all the same */
    }
    *line = (gral_span){paragraph.bytes, length};
    lines->rest += length;
    lines->rest += whole ? *lines->rest == '\n' : strspn(lines->rest, " ");
    lines->inside = !whole;
    return true;
}
