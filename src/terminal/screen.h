/* The screen, in pieces: _terminal.c has curses, signals and keys, _pages.c frames and pages of text, _cells.c measures
 * and cuts text, _draw.c paints what the viewer may see, _keys.c makes actions and commands of what is pressed, and
 * screen.c has the commands and the way of a game.
 *
 * Every frame is painted whole from its state; nothing on the screen is remembered anywhere else. So a
 * change of size, or of the person who looks, needs no more than another frame. */
#ifndef GRAL_TERMINAL_SCREEN_H
#define GRAL_TERMINAL_SCREEN_H

#include "play.h"

enum { SCREEN_COLUMNS = 80, SCREEN_LINES = 24, SCREEN_COMMAND_MAX = 256 };

typedef struct screen {
    play *play;
    words_names names; /* cut so that they fit everywhere */
    unsigned viewer;   /* who is at the screen, or GRAL_SPECTATOR */
    gral_view view;    /* what the viewer knows … */
    gral_options options;
    unsigned cursor;            /* a field */
    unsigned chosen, target;    /* the initiates of the proposal in the making, or GRAL_NO_PAWN */
    unsigned unit, pawn;        /* of the placement in the making: a kind of unit, an initiate */
    uint8_t before[GRAL_PAWNS]; /* where each initiate stood before the newest move on the board */
    bool typing;
    char command[SCREEN_COMMAND_MAX];
    char notice[WORDS_MAX]; /* what is said beside the game until the next key */
    const char *page_title, *page_text;
    const char *page_yes; /* what `y` would do, or NULL */
    unsigned page_top;
    bool leaving;
} screen;

/* --- screen_cells.c --- */

/* Writes what fits in `room` cells and returns how many it took. What cannot be printed becomes a question mark. */
int cells_put(int y, int x, int room, gral_span text);
int cells_in(gral_span text);

/* A copy no wider than `room`, with an ellipsis where something is missing. */
void cells_cut(gral_text *copy, const char *text, int room);

/* A text as lines of at most `room` cells, broken between words; a paragraph's later lines are indented like its
 * first. Start with the whole text in `rest`. */
typedef struct cells_lines {
    const char *rest;
    int room;
    int indent; /* of the line that was given last */
    int hanging;
    bool inside; /* a paragraph */
} cells_lines;
bool cells_next_line(cells_lines *lines, gral_span *line);

/* --- screen_terminal.c --- */

/* What curses calls a key: a character, or with `special` one of its KEY_ codes. */
typedef struct screen_key {
    bool special;
    uint32_t code;
} screen_key;

/* False when curses does not know the terminal, or it cannot be painted on. Signals that end the program are held until
 * it is closed. */
bool screen_open(void);
void screen_close(void);

/* Waits for a key, for so long if `ms` is not negative. False when there is none; then the time is over, or `leaving`
 * says that somebody wants us to go. A change of size is a key too. */
bool screen_read_key(screen *screen, int ms, screen_key *key);

/* --- screen_pages.c --- */

typedef void screen_painter(const screen *screen);

void screen_paint(const screen *screen, screen_painter *draw);

/* Paints until a key is pressed that means something; false when it is time to leave. */
bool screen_ask_key(screen *screen, screen_painter *draw, screen_key *key);

bool screen_is_enter(screen_key key);

/* Shows a text until it is put away; true if somebody says yes to what it offers ("y: do this."; NULL for nothing). */
bool screen_ask_on_page(screen *screen, const char *title, const char *text, bool from_end, const char *yes);
void screen_show_page(screen *screen, const char *title, const char *text, bool from_end);

/* --- screen_draw.c --- */

/* The whole screen of a running game. */
void draw_game(const screen *screen);

/* What is painted there: a field, an initiate's row of the notepad, a kind of unit, or a key and its meaning. */
typedef struct screen_spot {
    enum { SPOT_NOTHING, SPOT_FIELD, SPOT_PAWN, SPOT_UNIT, SPOT_KEY } kind;
    uint32_t value;
} screen_spot;
screen_spot draw_spot_at(const screen *screen, int y, int x);

/* The notepad with all players, for a page. */
void draw_whole_notepad(gral_text *text, const screen *screen);

/* --- screen_keys.c --- */

typedef struct screen_deed {
    char key;
    uint8_t verb;
    const char *label;
} screen_deed;
extern const screen_deed screen_deeds[]; /* ended by a row without a key */

typedef struct screen_command {
    char key;
    uint8_t command; /* enum play_command */
    const char *label;
} screen_command;
extern const screen_command screen_commands[]; /* ended by a row without a key; the most wanted first */

/* Whether the viewer can do this now, is placing units, or can give this command. */
bool keys_may(const screen *screen, enum gral_verb verb);
bool keys_is_placing(const screen *screen);
bool keys_offer(const screen *screen, enum play_command command);

/* What Enter would do now; GRAL_NOTHING while something is missing. */
gral_action keys_draft(const screen *screen);

/* Forgets what was begun for another position or person. */
void keys_start_over(screen *screen);

void keys_take(screen *screen, screen_key key);

/* --- screen.c --- */

void screen_do(screen *screen, enum play_command command, const char *rest);
bool screen_act(screen *screen, gral_action action); /* false: it was refused, and a notice says why */
bool screen_is_asked(const screen *screen);

#endif
