/* Keys become actions and commands. A proposal or a placement is made step by step: arrows, Enter, Tab and x change a
 * draft, which the command line shows as it would be typed, and Enter does it. Whether it is allowed the rules say,
 * when it is done. */
#include "language.h"
#include "screen.h"

#include <curses.h>
#include <string.h>
#include <wchar.h>

/* A key means the first of its rows that may be done now. */
const screen_deed screen_deeds[] = {
    {'a', GRAL_ASSIGN, N_("assign")},
    {'d', GRAL_DONE, N_("done")},
    {'p', GRAL_PASS, N_("pass")},
    {'o', GRAL_OBJECT, N_("object with {points}")},
    {'c', GRAL_CLAIM, N_("insist with {points}")},
    {'y', GRAL_YIELD, N_("yield")},
    {'k', GRAL_KEEP, N_("keep")},
    {'d', GRAL_DROP, N_("put down")},
    {'l', GRAL_LEAVE, N_("leave")},
    {0},
};

const screen_command screen_commands[] = {
    {'?', PLAY_HELP, N_("help")},       {'h', PLAY_HINT, N_("hint")},
    {'u', PLAY_UNDO, N_("undo")},       {'q', PLAY_QUIT, N_("quit")},
    {'n', PLAY_NOTEPAD, N_("notepad")}, {'L', PLAY_LOG, N_("log")},
    {'r', PLAY_RULES, N_("rules")},     {0},
};

enum { ESCAPE = 27, CLEAR_LINE = 'U' - '@', DELETE = 127, BACKSPACE = '\b' };

bool keys_may(const screen *screen, enum gral_verb verb)
{
    return screen->options.verbs >> verb & 1 || screen->options.points_verb == verb;
}

bool keys_offer(const screen *screen, enum play_command command)
{
    const bool asked = screen_is_asked(screen);
    switch (command) {
    case PLAY_HINT:
        return asked;
    case PLAY_UNDO:
        return asked && play_is_drafting(screen->play);
    default:
        return asked || screen->view.open.phase == GRAL_OVER || command == PLAY_QUIT;
    }
}

static bool is_proposing(const screen *screen)
{
    return screen_is_asked(screen) && screen->view.open.phase == GRAL_TURN;
}

bool keys_is_placing(const screen *screen)
{
    return keys_may(screen, GRAL_DONE);
}

static bool is_disputing(const screen *screen)
{
    return screen->options.points_verb != GRAL_NOTHING;
}

gral_action keys_draft(const screen *screen)
{
    if (keys_is_placing(screen) && screen->options.units >> screen->unit & 1)
        return gral_place(gral_unit_value[screen->unit], screen->pawn);
    if (!is_proposing(screen) || screen->chosen == GRAL_NO_PAWN)
        return gral_say(GRAL_NOTHING);
    if (screen->cursor != screen->view.open.pawn[screen->chosen])
        return gral_step(screen->chosen, screen->cursor, screen->target);
    return screen->target == GRAL_NO_PAWN ? gral_say(GRAL_NOTHING) : gral_uncover(screen->chosen, screen->target);
}

static unsigned next_in(unsigned mask, unsigned size, unsigned from, unsigned step)
{
    unsigned index = from;
    do
        index = (index + step) % size;
    while (index != from && !(mask >> index & 1));
    return index;
}

static void point_at(screen *screen, unsigned pawn)
{
    screen->pawn = pawn;
    screen->cursor = screen->view.open.pawn[pawn];
}

/* A placement in the making stays on an initiate and a unit that there are. */
static void settle_placement(screen *screen)
{
    if (!keys_is_placing(screen))
        return;
    if (!(screen->options.units >> screen->unit & 1))
        screen->unit = next_in(screen->options.units, GRAL_UNIT_KINDS, screen->unit, 1);
    if (!(screen->options.pawns >> screen->pawn & 1))
        screen->pawn = next_in(screen->options.pawns, GRAL_PAWNS, screen->pawn, 1);
    point_at(screen, screen->pawn);
}

void keys_start_over(screen *screen)
{
    screen->chosen = screen->target = GRAL_NO_PAWN;
    screen->typing = false;
    screen->command[0] = '\0';
    settle_placement(screen);
}

/* --- choosing on the board --- */

/* The next initiate on the cursor's field after `pawn`, or GRAL_NO_PAWN after the last. */
static unsigned next_here(const screen *screen, unsigned pawn, unsigned except)
{
    for (pawn = pawn == GRAL_NO_PAWN ? 0 : pawn + 1; pawn < GRAL_PAWNS; pawn++)
        if (pawn != except && screen->view.open.pawn[pawn] == screen->cursor)
            return pawn;
    return GRAL_NO_PAWN;
}

static void move_cursor(screen *screen, int right, int up)
{
    const gral_settings *settings = &play_game(screen->play)->settings;
    const int column = (int)screen->cursor % GRAL_COLUMNS + right, row = (int)screen->cursor / GRAL_COLUMNS + up;
    if (column < 0 || row < 0 || column >= settings->columns || row >= settings->rows)
        return;
    screen->cursor = (unsigned)(GRAL_COLUMNS * row + column);
    screen->target = GRAL_NO_PAWN;
}

static void choose_next(screen *screen)
{
    if (screen->chosen != GRAL_NO_PAWN && screen->view.open.pawn[screen->chosen] != screen->cursor)
        screen->chosen = GRAL_NO_PAWN;
    screen->chosen = next_here(screen, screen->chosen, GRAL_NO_PAWN);
    screen->target = GRAL_NO_PAWN;
}

static void enter_on_board(screen *screen)
{
    const gral_action draft = keys_draft(screen);
    if (draft.verb == GRAL_NOTHING)
        choose_next(screen);
    else
        screen_act(screen, draft);
}

static bool take_board_key(screen *screen, screen_key key)
{
    if (key.special || !is_proposing(screen))
        return false;
    switch (key.code) {
    case '\n':
    case '\r':
        enter_on_board(screen);
        return true;
    case '\t':
        choose_next(screen);
        return true;
    case 'x':
        if (screen->chosen != GRAL_NO_PAWN)
            screen->target = next_here(screen, screen->target, screen->chosen);
        return true;
    case ESCAPE:
        keys_start_over(screen);
        return true;
    default:
        return false;
    }
}

/* --- choosing a unit and an initiate --- */

static bool take_placing_key(screen *screen, screen_key key)
{
    static const char digits[GRAL_UNIT_KINDS + 1] = "054321"; /* in the order of the units: 0 is 10 */
    const char *digit = key.special || key.code == 0 || key.code > '9' ? NULL : strchr(digits, (int)key.code);
    if (!keys_is_placing(screen))
        return false;
    if (digit != NULL) {
        screen->unit = (unsigned)(digit - digits);
        return true;
    }
    switch (key.code) {
    case '\n':
    case '\r':
    case ' ':
        if (keys_draft(screen).verb != GRAL_NOTHING)
            screen_act(screen, keys_draft(screen));
        return true;
    case '\t':
        point_at(screen, next_in(screen->options.pawns, GRAL_PAWNS, screen->pawn, 1));
        return true;
    default:
        return false;
    }
}

static bool take_arrow(screen *screen, screen_key key)
{
    static const struct {
        uint32_t code;
        int right, up;
    } arrows[] = {{KEY_LEFT, -1, 0}, {KEY_RIGHT, 1, 0}, {KEY_UP, 0, 1}, {KEY_DOWN, 0, -1}};
    for (size_t index = 0; key.special && index < sizeof arrows / sizeof *arrows; index++) {
        if (arrows[index].code != key.code)
            continue;
        const int right = arrows[index].right, up = arrows[index].up;
        if (!keys_is_placing(screen))
            move_cursor(screen, right, up);
        else if (right != 0)
            screen->unit = (screen->unit + GRAL_UNIT_KINDS + (unsigned)right) % GRAL_UNIT_KINDS;
        else
            point_at(screen, next_in(screen->options.pawns, GRAL_PAWNS, screen->pawn, up > 0 ? GRAL_PAWNS - 1 : 1));
        return true;
    }
    return false;
}

/* --- the mouse --- */

static void click_field(screen *screen, unsigned field)
{
    if (!is_proposing(screen))
        return;
    if (screen->cursor != field)
        screen->target = GRAL_NO_PAWN;
    screen->cursor = field;
    enter_on_board(screen);
}

/* The first click chooses an initiate, the next one places the unit. */
static void click_pawn(screen *screen, unsigned pawn)
{
    if (!keys_is_placing(screen) || !(screen->options.pawns >> pawn & 1))
        return;
    if (screen->pawn == pawn && keys_draft(screen).verb != GRAL_NOTHING)
        screen_act(screen, keys_draft(screen));
    else
        point_at(screen, pawn);
}

static bool take_click(screen *screen, screen_key key)
{
    MEVENT event;
    if (!key.special || key.code != KEY_MOUSE)
        return false;
    if (getmouse(&event) != OK || !(event.bstate & BUTTON1_PRESSED))
        return true;
    const screen_spot spot = draw_spot_at(screen, event.y, event.x);
    switch (spot.kind) {
    case SPOT_FIELD:
        click_field(screen, spot.value);
        break;
    case SPOT_PAWN:
        click_pawn(screen, spot.value);
        break;
    case SPOT_UNIT:
        screen->unit = spot.value;
        break;
    case SPOT_KEY:
        keys_take(screen, (screen_key){false, spot.value});
        break;
    case SPOT_NOTHING:
        break;
    }
    return true;
}

/* --- the command line --- */

static void add_to_command(screen *screen, uint32_t code)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    const size_t length = wcrtomb(bytes, (wchar_t)code, &state), used = strlen(screen->command);
    if (length == (size_t)-1 || code < ' ' || used + length >= sizeof screen->command)
        return;
    memcpy(screen->command + used, bytes, length);
    screen->command[used + length] = '\0';
}

static void shorten_command(screen *screen)
{
    size_t length = strlen(screen->command);
    while (length > 0 && (screen->command[--length] & 0xc0) == 0x80)
        continue;
    screen->command[length] = '\0';
}

static void obey(screen *screen)
{
    const play_typed typed = play_read(screen->command, (enum gral_phase)screen->view.open.phase);
    gral_text notice = gral_text_in(screen->notice, sizeof screen->notice);
    keys_start_over(screen);
    switch (typed.command) {
    case PLAY_NOTHING:
        break;
    case PLAY_ACTIONS:
        for (unsigned index = 0; index < typed.actions && screen_act(screen, typed.action[index]); index++)
            continue;
        break;
    case PLAY_UNKNOWN:
        gral_text_add(&notice, _("Unknown command. Type help to see what you can do."));
        break;
    case PLAY_AMBIGUOUS:
        gral_text_add(&notice, _("This could be one of several commands; type more of it."));
        break;
    case PLAY_MALFORMED:
        words_fill(&notice, _("Write it like this: {example}"), "example", typed.usage, NULL);
        break;
    default:
        screen_do(screen, typed.command, typed.rest);
    }
}

static void type(screen *screen, screen_key key)
{
    const uint32_t code = key.special && key.code == KEY_BACKSPACE ? BACKSPACE
                          : key.special && key.code == KEY_ENTER   ? '\n'
                                                                   : key.code;
    switch (code) {
    case '\n':
    case '\r':
        obey(screen);
        break;
    case BACKSPACE:
    case DELETE:
        screen->typing = screen->command[0] != '\0';
        shorten_command(screen);
        break;
    case CLEAR_LINE:
        screen->command[0] = '\0';
        break;
    case ESCAPE:
        screen->typing = false;
        screen->command[0] = '\0';
        break;
    default:
        if (!key.special)
            add_to_command(screen, code);
    }
}

/* A colon opens the command line. So does what can only be the beginning of a command: a letter that is no key, such
 * as that of an initiate or of `step`, or in a dispute a number. */
static bool opens_command(screen *screen, screen_key key)
{
    if (key.special)
        return false;
    const bool letter = (key.code >= 'A' && key.code <= 'Z') || (key.code >= 'a' && key.code <= 'z');
    const bool figure = key.code >= '0' && key.code <= '9' && is_disputing(screen);
    if (key.code != ':' && !letter && !figure)
        return false;
    screen->typing = true;
    screen->command[0] = '\0';
    if (key.code != ':')
        add_to_command(screen, key.code);
    return true;
}

/* --- all of them --- */

static bool take_deed(screen *screen, screen_key key)
{
    for (const screen_deed *deed = screen_deeds; deed->key != '\0'; deed++) {
        if (key.special || (uint32_t)deed->key != key.code || !keys_may(screen, (enum gral_verb)deed->verb))
            continue;
        gral_action action = gral_say((enum gral_verb)deed->verb);
        action.points = screen->options.points_verb == deed->verb ? screen->options.least : 0;
        screen_act(screen, action);
        return true;
    }
    return false;
}

static bool take_command(screen *screen, screen_key key)
{
    for (const screen_command *command = screen_commands; command->key != '\0'; command++) {
        if (key.special || (uint32_t)command->key != key.code)
            continue;
        screen_do(screen, (enum play_command)command->command, "");
        return true;
    }
    return false;
}

void keys_take(screen *screen, screen_key key)
{
    static bool (*const takers[])(struct screen *, screen_key) = {
        take_click, take_arrow, take_placing_key, take_board_key, take_deed, take_command, opens_command,
    };
    screen->notice[0] = '\0';
    if (key.special && key.code == KEY_ENTER)
        key = (screen_key){false, '\n'};
    if (screen->typing) {
        type(screen, key);
        return;
    }
    for (size_t index = 0; index < sizeof takers / sizeof *takers; index++)
        if (takers[index](screen, key))
            return;
}
