/* Keys become actions and orders. A proposal or a placement is made step by step: arrows, Enter, Tab and x change a
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

const screen_order screen_orders[] = {
    {'?', PLAY_HELP, N_("help")},       {'h', PLAY_HINT, N_("hint")},
    {'u', PLAY_UNDO, N_("undo")},       {'q', PLAY_QUIT, N_("quit")},
    {'n', PLAY_NOTEPAD, N_("notepad")}, {'L', PLAY_LOG, N_("log")},
    {'r', PLAY_RULES, N_("rules")},     {0},
};

enum { ESCAPE = 27, CLEAR_LINE = 'U' - '@', DELETE = 127, BACKSPACE = '\b' };

bool keys_may(const client *client, enum gral_verb verb)
{
    return client->options.verbs >> verb & 1 || client->options.points_verb == verb;
}

bool keys_may_order(const client *client, enum play_order order)
{
    const bool asked = client_is_asked(client);
    switch (order) {
    case PLAY_HINT:
        return asked;
    case PLAY_UNDO:
        return asked && play_is_drafting(client->play);
    default:
        return asked || client->view.open.phase == GRAL_OVER || order == PLAY_QUIT;
    }
}

static bool is_proposing(const client *client)
{
    return client_is_asked(client) && client->view.open.phase == GRAL_TURN;
}

bool keys_is_placing(const client *client)
{
    return keys_may(client, GRAL_DONE);
}

static bool is_disputing(const client *client)
{
    return client->options.points_verb != GRAL_NOTHING;
}

gral_action keys_draft(const client *client)
{
    if (keys_is_placing(client) && client->options.units >> client->unit & 1)
        return gral_place(gral_unit_value[client->unit], client->pawn);
    if (!is_proposing(client) || client->chosen == GRAL_NO_PAWN)
        return gral_say(GRAL_NOTHING);
    if (client->cursor != client->view.open.pawn[client->chosen])
        return gral_step(client->chosen, client->cursor, client->target);
    return client->target == GRAL_NO_PAWN ? gral_say(GRAL_NOTHING) : gral_uncover(client->chosen, client->target);
}

static unsigned next_in(unsigned mask, unsigned size, unsigned from, unsigned step)
{
    unsigned index = from;
    do
        index = (index + step) % size;
    while (index != from && !(mask >> index & 1));
    return index;
}

static void point_at(client *client, unsigned pawn)
{
    client->pawn = pawn;
    client->cursor = client->view.open.pawn[pawn];
}

/* A placement in the making stays on an initiate and a unit that there are. */
static void settle_placement(client *client)
{
    if (!keys_is_placing(client))
        return;
    if (!(client->options.units >> client->unit & 1))
        client->unit = next_in(client->options.units, GRAL_UNIT_KINDS, client->unit, 1);
    if (!(client->options.pawns >> client->pawn & 1))
        client->pawn = next_in(client->options.pawns, GRAL_PAWNS, client->pawn, 1);
    point_at(client, client->pawn);
}

void keys_start_over(client *client)
{
    client->chosen = client->target = GRAL_NO_PAWN;
    client->typing = false;
    client->command[0] = '\0';
    settle_placement(client);
}

/* --- choosing on the board --- */

/* The next initiate on the cursor's field after `pawn`, or GRAL_NO_PAWN after the last. */
static unsigned next_here(const client *client, unsigned pawn, unsigned except)
{
    for (pawn = pawn == GRAL_NO_PAWN ? 0 : pawn + 1; pawn < GRAL_PAWNS; pawn++)
        if (pawn != except && client->view.open.pawn[pawn] == client->cursor)
            return pawn;
    return GRAL_NO_PAWN;
}

static void move_cursor(client *client, int right, int up)
{
    const gral_settings *settings = &play_game(client->play)->settings;
    const int column = (int)client->cursor % GRAL_COLUMNS + right, row = (int)client->cursor / GRAL_COLUMNS + up;
    if (column < 0 || row < 0 || column >= settings->columns || row >= settings->rows)
        return;
    client->cursor = (unsigned)(GRAL_COLUMNS * row + column);
    client->target = GRAL_NO_PAWN;
}

static void choose_next(client *client)
{
    if (client->chosen != GRAL_NO_PAWN && client->view.open.pawn[client->chosen] != client->cursor)
        client->chosen = GRAL_NO_PAWN;
    client->chosen = next_here(client, client->chosen, GRAL_NO_PAWN);
    client->target = GRAL_NO_PAWN;
}

static void enter_on_board(client *client)
{
    const gral_action draft = keys_draft(client);
    if (draft.verb == GRAL_NOTHING)
        choose_next(client);
    else
        client_act(client, draft);
}

static bool take_board_key(client *client, screen_key key)
{
    if (key.special || !is_proposing(client))
        return false;
    switch (key.code) {
    case '\n':
    case '\r':
        enter_on_board(client);
        return true;
    case '\t':
        choose_next(client);
        return true;
    case 'x':
        if (client->chosen != GRAL_NO_PAWN)
            client->target = next_here(client, client->target, client->chosen);
        return true;
    case ESCAPE:
        keys_start_over(client);
        return true;
    default:
        return false;
    }
}

/* --- choosing a unit and an initiate --- */

static bool take_placing_key(client *client, screen_key key)
{
    static const char digits[GRAL_UNIT_KINDS + 1] = "054321"; /* in the order of the units: 0 is 10 */
    const char *digit = key.special || key.code == 0 || key.code > '9' ? NULL : strchr(digits, (int)key.code);
    if (!keys_is_placing(client))
        return false;
    if (digit != NULL) {
        client->unit = (unsigned)(digit - digits);
        return true;
    }
    switch (key.code) {
    case '\n':
    case '\r':
    case ' ':
        if (keys_draft(client).verb != GRAL_NOTHING)
            client_act(client, keys_draft(client));
        return true;
    case '\t':
        point_at(client, next_in(client->options.pawns, GRAL_PAWNS, client->pawn, 1));
        return true;
    default:
        return false;
    }
}

static bool take_arrow(client *client, screen_key key)
{
    static const struct {
        uint32_t code;
        int right, up;
    } arrows[] = {{KEY_LEFT, -1, 0}, {KEY_RIGHT, 1, 0}, {KEY_UP, 0, 1}, {KEY_DOWN, 0, -1}};
    for (size_t index = 0; key.special && index < sizeof arrows / sizeof *arrows; index++) {
        if (arrows[index].code != key.code)
            continue;
        const int right = arrows[index].right, up = arrows[index].up;
        if (!keys_is_placing(client))
            move_cursor(client, right, up);
        else if (right != 0)
            client->unit = (client->unit + GRAL_UNIT_KINDS + (unsigned)right) % GRAL_UNIT_KINDS;
        else
            point_at(client, next_in(client->options.pawns, GRAL_PAWNS, client->pawn, up > 0 ? GRAL_PAWNS - 1 : 1));
        return true;
    }
    return false;
}

/* --- the mouse --- */

static void click_field(client *client, unsigned field)
{
    if (!is_proposing(client))
        return;
    if (client->cursor != field)
        client->target = GRAL_NO_PAWN;
    client->cursor = field;
    enter_on_board(client);
}

/* The first click chooses an initiate, the next one places the unit. */
static void click_pawn(client *client, unsigned pawn)
{
    if (!keys_is_placing(client) || !(client->options.pawns >> pawn & 1))
        return;
    if (client->pawn == pawn && keys_draft(client).verb != GRAL_NOTHING)
        client_act(client, keys_draft(client));
    else
        point_at(client, pawn);
}

static bool take_click(client *client, screen_key key)
{
    MEVENT event;
    if (!key.special || key.code != KEY_MOUSE)
        return false;
    if (getmouse(&event) != OK || !(event.bstate & BUTTON1_PRESSED))
        return true;
    const screen_spot spot = draw_spot_at(client, event.y, event.x);
    switch (spot.kind) {
    case SPOT_FIELD:
        click_field(client, spot.value);
        break;
    case SPOT_PAWN:
        click_pawn(client, spot.value);
        break;
    case SPOT_UNIT:
        client->unit = spot.value;
        break;
    case SPOT_KEY:
        keys_take(client, (screen_key){false, spot.value});
        break;
    case SPOT_NOTHING:
        break;
    }
    return true;
}

/* --- the command line --- */

static void add_to_command(client *client, uint32_t code)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    const size_t length = wcrtomb(bytes, (wchar_t)code, &state), used = strlen(client->command);
    if (length == (size_t)-1 || code < ' ' || used + length >= sizeof client->command)
        return;
    memcpy(client->command + used, bytes, length);
    client->command[used + length] = '\0';
}

static void shorten_command(client *client)
{
    size_t length = strlen(client->command);
    while (length > 0 && (client->command[--length] & 0xc0) == 0x80)
        continue;
    client->command[length] = '\0';
}

static void obey(client *client)
{
    const play_typed typed = play_read(client->command, (enum gral_phase)client->view.open.phase);
    gral_text notice = gral_text_in(client->notice, sizeof client->notice);
    keys_start_over(client);
    switch (typed.order) {
    case PLAY_NOTHING:
        break;
    case PLAY_ACTIONS:
        for (unsigned index = 0; index < typed.actions && client_act(client, typed.action[index]); index++)
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
        client_order(client, typed.order, typed.rest);
    }
}

static void type(client *client, screen_key key)
{
    const uint32_t code = key.special && key.code == KEY_BACKSPACE ? BACKSPACE
                          : key.special && key.code == KEY_ENTER   ? '\n'
                                                                   : key.code;
    switch (code) {
    case '\n':
    case '\r':
        obey(client);
        break;
    case BACKSPACE:
    case DELETE:
        client->typing = client->command[0] != '\0';
        shorten_command(client);
        break;
    case CLEAR_LINE:
        client->command[0] = '\0';
        break;
    case ESCAPE:
        client->typing = false;
        client->command[0] = '\0';
        break;
    default:
        if (!key.special)
            add_to_command(client, code);
    }
}

/* A colon opens the command line. So does what can only be the beginning of a command: a letter that is no key, such
 * as that of an initiate or of `step`, or in a dispute a number. */
static bool opens_command(client *client, screen_key key)
{
    if (key.special)
        return false;
    const bool letter = (key.code >= 'A' && key.code <= 'Z') || (key.code >= 'a' && key.code <= 'z');
    const bool figure = key.code >= '0' && key.code <= '9' && is_disputing(client);
    if (key.code != ':' && !letter && !figure)
        return false;
    client->typing = true;
    client->command[0] = '\0';
    if (key.code != ':')
        add_to_command(client, key.code);
    return true;
}

/* --- all of them --- */

static bool take_deed(client *client, screen_key key)
{
    for (const screen_deed *deed = screen_deeds; deed->key != '\0'; deed++) {
        if (key.special || (uint32_t)deed->key != key.code || !keys_may(client, (enum gral_verb)deed->verb))
            continue;
        gral_action action = gral_say((enum gral_verb)deed->verb);
        action.points = client->options.points_verb == deed->verb ? client->options.least : 0;
        client_act(client, action);
        return true;
    }
    return false;
}

static bool take_order(client *client, screen_key key)
{
    for (const screen_order *order = screen_orders; order->key != '\0'; order++) {
        if (key.special || (uint32_t)order->key != key.code)
            continue;
        client_order(client, (enum play_order)order->order, "");
        return true;
    }
    return false;
}

void keys_take(client *client, screen_key key)
{
    static bool (*const takers[])(struct client *, screen_key) = {
        take_click, take_arrow, take_placing_key, take_board_key, take_deed, take_order, opens_command,
    };
    client->notice[0] = '\0';
    if (key.special && key.code == KEY_ENTER)
        key = (screen_key){false, '\n'};
    if (client->typing) {
        type(client, key);
        return;
    }
    for (size_t index = 0; index < sizeof takers / sizeof *takers; index++)
        if (takers[index](client, key))
            return;
}
