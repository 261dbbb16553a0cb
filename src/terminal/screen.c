/* The game on a whole terminal, for people who see.
 *
 * One seat at a time is at the screen and everything painted is what that seat may know. When another person must
 * act a curtain wipes the screen; the next one's view is asked for only when he has lifted it. Signals, and a change
 * of size, arrive only while a key is awaited, so that nothing is cut in half; the game is on disk already. */
#include "screen.h"

#include "clock.h"
#include "language.h"

#include <curses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

enum { NAME_CELLS = 12, PACE_MS = 700, ESCAPE = 27, ESCAPE_MS = 30 };

/* --- the terminal --- */

static volatile sig_atomic_t signalled;
static sigset_t usual_signals;

static void note_signal(int number)
{
    signalled = number;
}

/* SIGWINCH is curses' own, and held like the others. */
static void hold_signals(void)
{
    const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGWINCH);
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        sigaction(numbers[index], &(struct sigaction){.sa_handler = note_signal}, NULL);
        sigaddset(&held, numbers[index]);
    }
    sigprocmask(SIG_BLOCK, &held, &usual_signals);
}

static void choose_colours(void)
{
    static const short colour[] = {COLOR_RED, COLOR_CYAN, COLOR_GREEN, COLOR_YELLOW, COLOR_MAGENTA};
    const char *unwanted = getenv("NO_COLOR");
    if (!has_colors() || (unwanted != NULL && unwanted[0] != '\0'))
        return;
    start_color();
    const short ground = use_default_colors() == OK ? -1 : COLOR_BLACK;
    for (short index = 0; index < (short)(sizeof colour / sizeof *colour); index++)
        init_pair((short)(index + 1), colour[index], ground);
}

/* False when curses does not know the terminal, or it cannot be painted on. */
static bool open_terminal(void)
{
    SCREEN *terminal = newterm(NULL, stdout, stdin);
    if (terminal == NULL)
        return false;
    if (tigetstr("cup") == NULL) {
        endwin();
        delscreen(terminal);
        return false;
    }
    choose_colours();
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(ESCAPE_MS);
    mousemask(BUTTON1_PRESSED, NULL);
    mouseinterval(0); /* a press is all we ask for */
    return true;
}

/* Not every terminal has a second screen to leave: so this one is left empty. */
static void close_terminal(void)
{
    clear();
    refresh();
    endwin();
    sigprocmask(SIG_SETMASK, &usual_signals, NULL);
}

static bool hung_up(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) > 0 && input.revents & (POLLHUP | POLLERR | POLLNVAL);
}

/* Waits for a key, for so long if `ms` is not negative. False when there is none; then the time is over, or `leaving`
 * says that somebody wants us to go. A change of size is a key too. */
static bool read_key(screen *screen, int ms, screen_key *key)
{
    for (bool waited = false;; waited = true) {
        wint_t code;
        const int kind = get_wch(&code);
        if (kind != ERR) {
            *key = (screen_key){.special = kind == KEY_CODE_YES, .code = code};
            return true;
        }
        if (waited && ms >= 0)
            return false;
        fd_set input;
        FD_ZERO(&input);
        FD_SET(STDIN_FILENO, &input);
        const struct timespec limit = {ms / 1000, ms % 1000 * 1000000L};
        if (!signalled)
            pselect(STDIN_FILENO + 1, &input, NULL, NULL, ms >= 0 ? &limit : NULL, &usual_signals);
        if (signalled || hung_up()) {
            screen->leaving = true;
            return false;
        }
    }
}

/* --- frames --- */

typedef void painter(const screen *screen);

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

static void paint(const screen *screen, painter *draw)
{
    erase();
    curs_set(screen->typing);
    if (is_too_small())
        draw_too_small();
    else
        draw(screen);
    refresh();
}

/* Paints until a key is pressed that means something; false when it is time to leave. */
static bool ask_key(screen *screen, painter *draw, screen_key *key)
{
    do {
        paint(screen, draw);
        if (!read_key(screen, -1, key))
            return false;
    } while ((key->special && key->code == KEY_RESIZE) || is_too_small());
    return true;
}

static bool is_enter(screen_key key)
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

/* Shows a text until it is put away; true if somebody says yes to what it offers ("y: do this."; NULL for nothing). */
static bool ask_on_page(screen *screen, const char *title, const char *text, bool from_end, const char *yes)
{
    screen->page_title = title;
    screen->page_text = text;
    screen->page_yes = yes;
    screen->page_top = from_end ? UINT32_MAX : 0;
    for (screen_key key; ask_key(screen, draw_page, &key);) {
        const unsigned end = last_top(screen), page = (unsigned)page_lines();
        unsigned *top = &screen->page_top;
        *top = *top < end ? *top : end;
        if (is_enter(key) || (!key.special && (key.code == 'q' || key.code == ESCAPE)))
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

static void show_page(screen *screen, const char *title, const char *text, bool from_end)
{
    ask_on_page(screen, title, text, from_end, NULL);
}

/* --- looking --- */

bool screen_is_asked(const screen *screen)
{
    return screen->view.open.actor == screen->viewer;
}

/* Before the newest action that moved somebody, or took him out of the game. */
static void find_move(screen *screen)
{
    const gral_open *open = &screen->view.open;
    memcpy(screen->before, open->pawn, sizeof screen->before);
    for (size_t index = play_heard(screen->play, screen->viewer); index > 0; index--) {
        const event event = play_event(screen->play, screen->viewer, index - 1);
        if (memcmp(event.before.pawn, event.after.pawn, sizeof screen->before) == 0)
            continue;
        memcpy(screen->before, event.before.pawn, sizeof screen->before);
        return;
    }
}

static void look(screen *screen)
{
    screen->view = play_look(screen->play, screen->viewer, &screen->options);
    find_move(screen);
    keys_start_over(screen);
}

static screen begin_screen(play *play, unsigned viewer)
{
    const gral_settings *settings = &play_game(play)->settings;
    screen screen = {.play = play, .viewer = viewer, .cursor = settings->grail};
    for (unsigned seat = 0; seat < settings->players; seat++) {
        gral_text name = gral_text_in(screen.names.seat[seat], sizeof screen.names.seat[seat]);
        cells_cut(&name, play->names.seat[seat], NAME_CELLS);
    }
    keys_start_over(&screen);
    return screen;
}

static void draw_curtain(const screen *screen)
{
    const char *const sentences[] = {_("--- Hand over to {player}. ---"),
                                     _("{player}, press Enter when only you can see the screen.")};
    const char *player = screen->play->names.seat[play_actor(screen->play)];
    for (int index = 0; index < 2; index++) {
        char words[WORDS_MAX];
        gral_text text = gral_text_in(words, sizeof words);
        words_fill(&text, sentences[index], "player", player, NULL);
        const int cells = cells_in(gral_span_of(words));
        cells_put(LINES / 2 - 1 + 2 * index, cells < COLS ? (COLS - cells) / 2 : 0, COLS, gral_span_of(words));
    }
}

/* Nothing of what the last person saw, chose or typed stays. */
static void hand_over(screen *screen)
{
    screen_key key;
    *screen = begin_screen(screen->play, GRAL_SPECTATOR);
    clear();
    flushinp();
    while (ask_key(screen, draw_curtain, &key) && !is_enter(key))
        continue;
    screen->viewer = play_actor(screen->play);
}

/* --- commands --- */

#define notify(screen, ...)                                                                                            \
    do {                                                                                                               \
        gral_text words = gral_text_in((screen)->notice, sizeof(screen)->notice);                                      \
        words_fill(&words, __VA_ARGS__, NULL);                                                                         \
    } while (0)

static void refuse(screen *screen, enum gral_host_refusal refusal)
{
    gral_text words = gral_text_in(screen->notice, sizeof screen->notice);
    words_refusal(&words, refusal);
}

static void tell_kept(screen *screen)
{
    gral_text words = gral_text_in(screen->notice, sizeof screen->notice);
    play_tell_kept(screen->play, &words);
}

static void tell_save_trouble(screen *screen)
{
    if (screen->play->save_failed != NULL)
        tell_kept(screen);
}

bool screen_act(screen *screen, gral_action action)
{
    const enum gral_host_refusal refusal = play_do(screen->play, screen->viewer, action);
    if (refusal != GRAL_ACCEPTED) {
        refuse(screen, refusal);
        return false;
    }
    look(screen);
    tell_save_trouble(screen);
    return true;
}

static void show_board(screen *screen, const char *rest)
{
    (void)rest;
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_board(&words, &screen->names, play_game(screen->play), &screen->view.open);
    show_page(screen, _("The board"), buffer, false);
}

/* R10.4 */
static void show_all_sheets(screen *screen)
{
    char buffer[2 * WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    const size_t heard = play_heard(screen->play, screen->viewer);
    const event last = play_event(screen->play, screen->viewer, heard - 1);
    words_event(&words, &screen->play->names, &last);
    gral_text_add(&words, "\n");
    words_final_sheets(&words, &screen->play->names, &screen->play->record, &screen->view);
    play_tell_parting(screen->play, &words);
    show_page(screen, _("The game is over."), buffer, false);
}

static void show_sheet(screen *screen, const char *rest)
{
    (void)rest;
    if (screen->view.open.phase == GRAL_OVER)
        show_all_sheets(screen);
    if (screen->viewer == GRAL_SPECTATOR)
        return;
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_sheet(&words, &screen->view);
    show_page(screen, _("Your influence sheet"), buffer, false);
}

static void show_notepad(screen *screen, const char *rest)
{
    (void)rest;
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    draw_whole_notepad(&words, screen);
    show_page(screen, _("What each player may hold, as far as is known:"), buffer, false);
}

static void show_log(screen *screen, const char *rest)
{
    (void)rest;
    char *log = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&log, &length);
    if (out == NULL) {
        refuse(screen, GRAL_HOST_MEMORY);
        return;
    }
    const size_t heard = play_heard(screen->play, screen->viewer);
    for (size_t index = 0; index < heard; index++) {
        const event event = play_event(screen->play, screen->viewer, index);
        char buffer[WORDS_MAX];
        gral_text words = gral_text_in(buffer, sizeof buffer);
        words_event(&words, &screen->names, &event);
        fputs(buffer, out);
    }
    if (fclose(out) == 0)
        show_page(screen, _("What has happened so far"), log, true);
    else
        refuse(screen, GRAL_HOST_MEMORY);
    free(log);
}

static void show_legal(screen *screen, const char *rest)
{
    (void)rest;
    char buffer[GRAL_STATE_TEXT_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    gral_options_print(&words, play_game(screen->play), &screen->view.open, &screen->options);
    show_page(screen, _("Everything you can do now"), buffer, false);
}

static void follow_hint(screen *screen, const gral_explanation *explanation)
{
    if (explanation->planned == 0)
        screen_act(screen, explanation->thought[0].action);
    for (unsigned index = 0; index < explanation->planned && screen_act(screen, explanation->plan[index]); index++)
        continue;
}

static void show_hint(screen *screen, const char *rest)
{
    (void)rest;
    gral_explanation explanation;
    notify(screen, _("Thinking about a hint …"));
    paint(screen, draw_game);
    screen->notice[0] = '\0';
    const enum gral_host_refusal refusal = play_hint(screen->play, screen->viewer, screen->play->clock, &explanation);
    if (refusal != GRAL_ACCEPTED) {
        refuse(screen, refusal);
        return;
    }
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_hint(&words, &screen->names, &explanation);
    if (ask_on_page(screen, _("Advice"), buffer, false, explanation.thoughts > 0 ? _("y: do this.") : NULL))
        follow_hint(screen, &explanation);
}

static void take_back(screen *screen, const char *rest)
{
    (void)rest;
    if (!play_take_back(screen->play)) {
        notify(screen, _("Only placements can be undone, until you type done."));
        return;
    }
    look(screen);
    notify(screen, _("Your last action was undone."));
    tell_save_trouble(screen);
}

static void save(screen *screen, const char *rest)
{
    const char *why = "";
    if (rest[0] == '\0')
        tell_kept(screen);
    else if (play_copy(screen->play, rest, &why))
        notify(screen, _("A copy of the game was saved in {path}"), "path", rest);
    else
        notify(screen, _("The game could not be saved in {path}: {reason}"), "path", rest, "reason", why);
}

static void show_rules(screen *screen, const char *rest)
{
    (void)rest;
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_rules(&words);
    show_page(screen, _("The rules in short"), buffer, false);
}

static const char *const key_help[] = {
    N_("Use the arrow keys to move on the board and Enter to choose an initiate; Enter again or Tab chooses the next "
       "one. Then go to a field in parentheses and press Enter to propose the step. x adds an uncovering, Esc starts "
       "over."),
    N_("To place units, choose the unit with left and right or a digit (0 for 10), and the initiate with up and down; "
       "Enter places it, d ends."),
    N_("a assigns. In a dispute p passes, o objects and c insists with the minimum, y yields; type a number to object "
       "or insist with more. k keeps the grail, d puts it down, l leaves it."),
    N_("With a mouse, click an initiate and then a field; a unit and then, twice, an initiate; or a key in the list."),
    N_("h gives a hint, u undoes, n shows the notepad, L the log, r the rules; q quits."),
    N_("Type a colon, or any letter that is not a key, to enter a command: step T1 a2, or just T1 a2; save shows where "
       "the game is saved. What Enter would do is shown there, too."),
};

static void show_help(screen *screen, const char *rest)
{
    (void)rest;
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    for (size_t index = 0; index < sizeof key_help / sizeof *key_help; index++) {
        gral_text_add(&words, _(key_help[index]));
        gral_text_add(&words, "\n");
    }
    gral_text_add(&words, "\n");
    play_help(&words);
    show_page(screen, _("Help"), buffer, false);
}

static void leave(screen *screen, const char *rest)
{
    (void)rest;
    screen_key key;
    notify(screen, screen->play->save_failed == NULL
                       ? _("Quit? The game is saved. Press q again to quit, any other key to continue.")
                       : _("Quit? The game is not saved. Press q again to quit, any other key to continue."));
    const bool sure = screen->view.open.phase == GRAL_OVER ||
                      (ask_key(screen, draw_game, &key) && !key.special && key.code == 'q');
    screen->leaving |= sure;
    screen->notice[0] = '\0';
}

/* The board is there already. */
static void do_nothing(screen *screen, const char *rest)
{
    (void)screen, (void)rest;
}

static void (*const answers[PLAY_COMMANDS])(screen *screen, const char *rest) = {
    [PLAY_BOARD] = show_board, [PLAY_MAP] = do_nothing,   [PLAY_SHEET] = show_sheet, [PLAY_NOTEPAD] = show_notepad,
    [PLAY_LOG] = show_log,     [PLAY_LEGAL] = show_legal, [PLAY_HINT] = show_hint,   [PLAY_UNDO] = take_back,
    [PLAY_SAVE] = save,        [PLAY_RULES] = show_rules, [PLAY_HELP] = show_help,   [PLAY_QUIT] = leave,
};

void screen_do(screen *screen, enum play_command command, const char *rest)
{
    answers[command](screen, rest);
}

/* --- the game from its beginning to its end --- */

/* Computers are quick and people read slowly. Whoever presses a key has read enough; it is kept for the next question,
 * where there will be one. */
static void pace(screen *screen)
{
    screen_key key;
    paint(screen, draw_game);
    if (!read_key(screen, PACE_MS, &key))
        return;
    if (!key.special && key.code == 'q')
        leave(screen, "");
    else if (screen->play->people > 0 && !(key.special && (key.code == KEY_RESIZE || key.code == KEY_MOUSE)))
        key.special ? ungetch((int)key.code) : unget_wch((wchar_t)key.code);
}

/* Single passes need no time to be read; and who is asked next has all the time he wants. */
static bool needs_time(const screen *screen, size_t known)
{
    const unsigned phase = screen->view.open.phase;
    if (screen_is_asked(screen) || phase == GRAL_OVER || play_heard(screen->play, screen->viewer) == known)
        return false;
    const event news = play_event(screen->play, screen->viewer, known);
    return news.action.verb != GRAL_PASS || phase != GRAL_OBJECTION;
}

/* Whether the newest action is the end of an assignment. */
static bool was_placed(const screen *screen)
{
    const size_t heard = play_heard(screen->play, screen->viewer);
    return heard > 0 && play_event(screen->play, screen->viewer, heard - 1).action.verb == GRAL_DONE;
}

static void let_computer_act(screen *screen)
{
    look(screen);
    paint(screen, draw_game);
    const size_t known = play_heard(screen->play, screen->viewer);
    const double start = clock_ms();
    screen->leaving |= play_step(screen->play) != GRAL_ACCEPTED;
    /* An assignment takes at least this long on the screen, which covers the thinking; else its length would tell how
     * many units are placed (R10.2). */
    const double left = start + PACE_MS - clock_ms();
    if (was_placed(screen) && left > 0)
        napms((int)left);
    look(screen);
    tell_save_trouble(screen);
    if (needs_time(screen, known))
        pace(screen);
}

static void ask_person(screen *screen)
{
    screen_key key;
    if (play_actor(screen->play) != screen->viewer)
        hand_over(screen);
    if (screen->leaving)
        return;
    look(screen);
    for (const unsigned viewer = screen->viewer; !screen->leaving && play_actor(screen->play) == viewer;)
        if (ask_key(screen, draw_game, &key))
            keys_take(screen, key);
}

/* All sheets are open, and the board stays to be looked at. */
static void show_end(screen *screen)
{
    screen->viewer = GRAL_SPECTATOR;
    look(screen);
    show_all_sheets(screen);
    for (screen_key key; !screen->leaving && ask_key(screen, draw_game, &key);)
        keys_take(screen, key);
}

static void part(const screen *screen)
{
    char words[2 * PATH_MAX];
    gral_text text = gral_text_in(words, sizeof words);
    play_tell_parting(screen->play, &text);
    puts(words);
}

static unsigned only_person(const play *play)
{
    unsigned seat = 0;
    while (play->player[seat] != NULL)
        seat++;
    return seat;
}

void play_on_screen(play *play)
{
    if (!open_terminal()) {
        play_plainly(play);
        return;
    }
    hold_signals();
    screen screen = begin_screen(play, play->people == 1 ? only_person(play) : GRAL_SPECTATOR);
    for (unsigned actor; !screen.leaving && (actor = play_actor(play)) != GRAL_NOBODY;)
        if (play->player[actor] != NULL)
            let_computer_act(&screen);
        else
            ask_person(&screen);
    if (!screen.leaving)
        show_end(&screen);
    close_terminal();
    part(&screen);
}
