/* The game on a whole terminal, for people who see.
 *
 * One seat at a time is at the screen and everything painted is what that seat may know. When another person must
 * act a curtain wipes the screen; the next one's view is asked for only when he has lifted it. Signals, and a change
 * of size, arrive only while a key is awaited, so that nothing is cut in half; the game is on disk already. */
#include "screen.h"

#include "clock.h"
#include "language.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_CELLS = 12, PACE_MS = 700 };

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
    while (screen_ask_key(screen, draw_curtain, &key) && !screen_is_enter(key))
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
    screen_show_page(screen, _("The board"), buffer, false);
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
    screen_show_page(screen, _("The game is over."), buffer, false);
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
    screen_show_page(screen, _("Your influence sheet"), buffer, false);
}

static void show_notepad(screen *screen, const char *rest)
{
    (void)rest;
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    draw_whole_notepad(&words, screen);
    screen_show_page(screen, _("What each player may hold, as far as is known:"), buffer, false);
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
        screen_show_page(screen, _("What has happened so far"), log, true);
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
    screen_show_page(screen, _("Everything you can do now"), buffer, false);
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
    screen_paint(screen, draw_game);
    screen->notice[0] = '\0';
    const enum gral_host_refusal refusal = play_hint(screen->play, screen->viewer, screen->play->clock, &explanation);
    if (refusal != GRAL_ACCEPTED) {
        refuse(screen, refusal);
        return;
    }
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_hint(&words, &screen->names, &explanation);
    if (screen_ask_on_page(screen, _("Advice"), buffer, false, explanation.thoughts > 0 ? _("y: do this.") : NULL))
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
    screen_show_page(screen, _("The rules in short"), buffer, false);
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
    screen_show_page(screen, _("Help"), buffer, false);
}

static void leave(screen *screen, const char *rest)
{
    (void)rest;
    screen_key key;
    notify(screen, screen->play->save_failed == NULL
                       ? _("Quit? The game is saved. Press q again to quit, any other key to continue.")
                       : _("Quit? The game is not saved. Press q again to quit, any other key to continue."));
    const bool sure = screen->view.open.phase == GRAL_OVER ||
                      (screen_ask_key(screen, draw_game, &key) && !key.special && key.code == 'q');
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
    screen_paint(screen, draw_game);
    if (!screen_read_key(screen, PACE_MS, &key))
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
    screen_paint(screen, draw_game);
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
        if (screen_ask_key(screen, draw_game, &key))
            keys_take(screen, key);
}

/* All sheets are open, and the board stays to be looked at. */
static void show_end(screen *screen)
{
    screen->viewer = GRAL_SPECTATOR;
    look(screen);
    show_all_sheets(screen);
    for (screen_key key; !screen->leaving && screen_ask_key(screen, draw_game, &key);)
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
    if (!screen_open()) {
        play_plainly(play);
        return;
    }
    screen screen = begin_screen(play, play->people == 1 ? only_person(play) : GRAL_SPECTATOR);
    for (unsigned actor; !screen.leaving && (actor = play_actor(play)) != GRAL_NOBODY;)
        if (play->player[actor] != NULL)
            let_computer_act(&screen);
        else
            ask_person(&screen);
    if (!screen.leaving)
        show_end(&screen);
    screen_close();
    part(&screen);
}
