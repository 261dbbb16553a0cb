/* What the files that paint the screen share; nobody else includes it. screen_draw.c has the whole frame,
 * screen_board.c the board, screen_panel.c what stands beside it. */
#ifndef GRAL_TERMINAL_SCREEN_DRAW_H
#define GRAL_TERMINAL_SCREEN_DRAW_H

#include "screen.h"

#include <curses.h>

/* Where everything is, at the size that the window has now. */
typedef struct screen_layout {
    int field_width, field_lines;
    int board_width, board_lines;
    int panel_x, panel_width;
} screen_layout;

/* --- screen_draw.c --- */

attr_t draw_look_of(unsigned pawn); /* the colour of its society */
attr_t draw_look_of_grail(void);

/* Returns how many cells it took. */
int draw_words(attr_t look, int y, int x, int room, const char *text);

/* A sentence with its gaps filled, on one line. */
#define draw_sentence(look, y, x, room, ...)                                                                           \
    do {                                                                                                               \
        char buffer[WORDS_MAX];                                                                                        \
        gral_text words = gral_text_in(buffer, sizeof buffer);                                                         \
        words_fill(&words, __VA_ARGS__, NULL);                                                                         \
        draw_words(look, y, x, room, buffer);                                                                          \
    } while (0)

typedef struct draw_digits {
    char text[12];
} draw_digits;
draw_digits draw_number(unsigned value);

/* --- screen_board.c --- */

screen_layout draw_layout(const gral_settings *settings);
void draw_board(const screen *screen, const screen_layout *layout);
screen_spot draw_spot_on_board(const screen *screen, const screen_layout *layout, int y, int x);

/* Whose headquarters is on a field, e.g. "HQ T"; corners of small boards can have several. */
void draw_headquarters(gral_text *text, const gral_game *game, unsigned field);

/* --- screen_panel.c --- */

void draw_panel(const screen *screen, const screen_layout *layout);
screen_spot draw_spot_in_panel(const screen *screen, const screen_layout *layout, int y, int x);

#endif
