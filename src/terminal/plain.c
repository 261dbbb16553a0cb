/* The game as lines of text, for screen readers, pipes and plain taste.
 *
 * One seat at a time is at the screen, and everything printed is what that seat may know. When another person
 * must act, the curtain falls: on a terminal all that was shown is wiped, with the lines scrolled away, and the
 * next person says when he is there; in a pipe a line asks for it. Signals arrive only while a line is awaited,
 * so that nothing is cut in half; the game is on disk already. */
#include "language.h"
#include "picture.h"
#include "play.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

enum { RECAP = 6 };

typedef struct plain {
    play *play;
    unsigned viewer;            /* who is at the screen; GRAL_NOBODY at first */
    size_t told[UINT8_MAX + 1]; /* by seat: how many of the events it hears it has been told */
    bool terminal;
    bool leaving;
    char input[PLAY_LINE_MAX];
    size_t input_length;
    sigset_t usual_signals;
} plain;

#define say(...)                                                                                                       \
    do {                                                                                                               \
        char buffer[WORDS_MAX];                                                                                        \
        gral_text words = gral_text_in(buffer, sizeof buffer);                                                         \
        words_fill(&words, __VA_ARGS__, NULL);                                                                         \
        puts(buffer);                                                                                                  \
    } while (0)

/* --- input --- */

static volatile sig_atomic_t signalled;

static void note_signal(int number)
{
    signalled = number;
}

static void hold_signals(plain *plain)
{
    const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
    sigset_t held;
    sigemptyset(&held);
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        sigaction(numbers[index], &(struct sigaction){.sa_handler = note_signal}, NULL);
        sigaddset(&held, numbers[index]);
    }
    sigprocmask(SIG_BLOCK, &held, &plain->usual_signals);
}

/* More bytes from standard input; false at its end, and when a signal asks us to go. */
static bool read_more(plain *plain)
{
    fd_set input;
    FD_ZERO(&input);
    FD_SET(STDIN_FILENO, &input);
    if (signalled || pselect(STDIN_FILENO + 1, &input, NULL, NULL, NULL, &plain->usual_signals) < 0)
        return false;
    const ssize_t got = read(STDIN_FILENO, plain->input + plain->input_length,
                             sizeof plain->input - 1 - plain->input_length);
    if (got <= 0)
        return false;
    plain->input_length += (size_t)got;
    return true;
}

/* One line without its end. A last line without an end counts; one too long comes in pieces. */
static bool read_line(plain *plain, char line[PLAY_LINE_MAX])
{
    if (fflush(stdout) == EOF)
        return false; /* nobody reads any more */
    const char *end;
    while ((end = memchr(plain->input, '\n', plain->input_length)) == NULL &&
           plain->input_length < sizeof plain->input - 1 && read_more(plain))
        continue;
    if (signalled || plain->input_length == 0)
        return false;
    const size_t length = end != NULL ? (size_t)(end - plain->input) : plain->input_length;
    const size_t used = end != NULL ? length + 1 : length;
    memcpy(line, plain->input, length);
    line[length] = '\0';
    plain->input_length -= used;
    memmove(plain->input, plain->input + used, plain->input_length);
    return true;
}

/* --- telling --- */

static gral_view look(const plain *plain)
{
    gral_options options;
    return play_look(plain->play, plain->viewer, &options);
}

static void tell_news(plain *plain)
{
    if (plain->viewer == GRAL_NOBODY)
        return;
    const size_t heard = play_heard(plain->play, plain->viewer);
    for (size_t *told = &plain->told[plain->viewer]; *told < heard; ++*told) {
        const event event = play_event(plain->play, plain->viewer, *told);
        char buffer[WORDS_MAX];
        gral_text words = gral_text_in(buffer, sizeof buffer);
        words_event(&words, &plain->play->names, &event);
        fputs(buffer, stdout);
    }
    fflush(stdout);
}

/* What the game says about where it is kept. */
static void tell_by(const plain *plain, void (*tell)(const play *play, gral_text *text))
{
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    tell(plain->play, &words);
    puts(buffer);
}

static void tell_save_trouble(const plain *plain)
{
    if (plain->play->save_failed != NULL)
        tell_by(plain, play_tell_kept);
}

static void prompt(plain *plain)
{
    gral_options options;
    const gral_view view = play_look(plain->play, plain->viewer, &options);
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_prompt(&words, &plain->play->names, &view, &options);
    printf("\n%s%s", buffer, plain->terminal ? "> " : "");
}

/* --- taking back, and the curtain --- */

static void refuse(enum gral_host_refusal refusal)
{
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_refusal(&words, refusal);
    fputs(buffer, stdout);
}

static void take_back(plain *plain, const char *rest)
{
    (void)rest;
    if (!play_take_back(plain->play)) {
        puts(_("Only placements can be undone, until you type done."));
        return;
    }
    plain->told[plain->viewer] = play_heard(plain->play, plain->viewer);
    puts(_("Your last action was undone."));
    tell_save_trouble(plain);
}

static void wipe(const plain *plain)
{
    if (plain->terminal)
        fputs("\033[H\033[2J\033[3J", stdout); /* also the lines that scrolled away */
}

static void draw_curtain(plain *plain, unsigned next)
{
    plain->viewer = next;
    if (plain->play->people == 1)
        return;
    wipe(plain);
    say(_("--- Hand over to {player}. ---"), "player", plain->play->names.seat[next]);
    if (!plain->terminal)
        return;
    say(_("{player}, press Enter when only you can see the screen."), "player", plain->play->names.seat[next]);
    char line[PLAY_LINE_MAX];
    plain->leaving = !read_line(plain, line);
}

/* --- commands --- */

static void show_board(plain *plain, const char *rest)
{
    (void)rest;
    const gral_view view = look(plain);
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_board(&words, &plain->play->names, play_game(plain->play), &view.open);
    fputs(buffer, stdout);
}

static void show_map(plain *plain, const char *rest)
{
    (void)rest;
    const gral_view view = look(plain);
    picture_board(stdout, play_game(plain->play), &view.open);
}

static void show_sheet(plain *plain, const char *rest)
{
    (void)rest;
    const gral_view view = look(plain);
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_sheet(&words, &view);
    fputs(buffer, stdout);
}

static void show_notepad(plain *plain, const char *rest)
{
    (void)rest;
    const gral_view view = look(plain);
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_notepad(&words, &plain->play->names, play_game(plain->play), &view);
    fputs(buffer, stdout);
}

static void show_log(plain *plain, const char *rest)
{
    if (rest[strspn(rest, "0123456789")] != '\0') {
        say(_("Write it like this: {example}"), "example", "log 10");
        return;
    }
    const size_t heard = play_heard(plain->play, plain->viewer), last = strtoul(rest, NULL, 10);
    plain->told[plain->viewer] = rest[0] != '\0' && last < heard ? heard - last : 0;
    tell_news(plain);
}

static void show_legal(plain *plain, const char *rest)
{
    (void)rest;
    gral_options options;
    const gral_view view = play_look(plain->play, plain->viewer, &options);
    char buffer[GRAL_STATE_TEXT_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    gral_options_print(&words, play_game(plain->play), &view.open, &options);
    fputs(buffer, stdout);
}

static void show_hint(plain *plain, const char *rest)
{
    (void)rest;
    gral_explanation explanation;
    /* Without a clock, so that the same question gets the same advice. */
    const enum gral_host_refusal refusal = play_hint(plain->play, plain->viewer, NULL, &explanation);
    if (refusal != GRAL_ACCEPTED) {
        refuse(refusal);
        return;
    }
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_hint(&words, &plain->play->names, &explanation);
    fputs(buffer, stdout);
}

static void save(plain *plain, const char *rest)
{
    const char *why = "";
    if (rest[0] == '\0')
        tell_by(plain, play_tell_kept);
    else if (play_copy(plain->play, rest, &why))
        say(_("A copy of the game was saved in {path}"), "path", rest);
    else
        say(_("The game could not be saved in {path}: {reason}"), "path", rest, "reason", why);
}

static void show_rules(plain *plain, const char *rest)
{
    (void)plain, (void)rest;
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_rules(&words);
    fputs(buffer, stdout);
}

static void show_help(plain *plain, const char *rest)
{
    (void)plain, (void)rest;
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    play_help(&words);
    fputs(buffer, stdout);
}

static void leave(plain *plain, const char *rest)
{
    (void)rest;
    plain->leaving = true;
}

static void act(plain *plain, const play_typed *typed)
{
    for (unsigned index = 0; index < typed->actions; index++) {
        const enum gral_host_refusal refusal = play_do(plain->play, plain->viewer, typed->action[index]);
        tell_news(plain);
        tell_save_trouble(plain);
        if (refusal == GRAL_ACCEPTED)
            continue;
        refuse(refusal);
        return;
    }
}

static void (*const answers[PLAY_COMMANDS])(plain *plain, const char *rest) = {
    [PLAY_BOARD] = show_board, [PLAY_MAP] = show_map,     [PLAY_SHEET] = show_sheet, [PLAY_NOTEPAD] = show_notepad,
    [PLAY_LOG] = show_log,     [PLAY_LEGAL] = show_legal, [PLAY_HINT] = show_hint,   [PLAY_UNDO] = take_back,
    [PLAY_SAVE] = save,        [PLAY_RULES] = show_rules, [PLAY_HELP] = show_help,   [PLAY_QUIT] = leave,
};

static void answer(plain *plain, const char *line)
{
    const gral_view view = look(plain);
    const play_typed typed = play_read(line, (enum gral_phase)view.open.phase);
    switch (typed.command) {
    case PLAY_NOTHING:
        break;
    case PLAY_ACTIONS:
        act(plain, &typed);
        break;
    case PLAY_UNKNOWN:
        puts(_("Unknown command. Type help to see what you can do."));
        break;
    case PLAY_AMBIGUOUS:
        puts(_("This could be one of several commands; type more of it."));
        break;
    case PLAY_MALFORMED:
        say(_("Write it like this: {example}"), "example", typed.usage);
        break;
    default:
        answers[typed.command](plain, typed.rest);
    }
}

/* --- the game from its beginning to its end --- */

static void greet(plain *plain)
{
    const play *play = plain->play;
    puts(_("The hunt for the grail. Type help to see what you can do."));
    for (unsigned seat = 0; seat < play_game(play)->settings.players; seat++) {
        char number[12];
        snprintf(number, sizeof number, "%u", seat + 1);
        say(play->player[seat] != NULL ? _("Seat {number}: {player} (computer: {kind})") : _("Seat {number}: {player}"),
            "number", number, "player", play->names.seat[seat], "kind", play->name[seat]);
    }
    tell_by(plain, play_tell_kept);
}

static void show_final_sheets(plain *plain)
{
    plain->viewer = GRAL_SPECTATOR;
    const gral_view view = look(plain);
    char buffer[WORDS_MAX];
    gral_text words = gral_text_in(buffer, sizeof buffer);
    words_final_sheets(&words, &plain->play->names, &plain->play->record, &view);
    printf("\n%s", buffer);
}

static void part(plain *plain)
{
    if (play_actor(plain->play) == GRAL_NOBODY)
        show_final_sheets(plain);
    else if (plain->play->people > 1)
        wipe(plain);
    tell_by(plain, play_tell_parting);
}

/* Trouble in saving it is told once, however many units were placed (R10.2). */
static void let_computer_act(plain *plain)
{
    const enum gral_host_refusal refusal = play_step(plain->play);
    if (refusal != GRAL_ACCEPTED) {
        refuse(refusal);
        plain->leaving = true;
    }
    tell_save_trouble(plain);
    tell_news(plain);
}

void play_plainly(play *play)
{
    plain plain = {
        .play = play,
        .viewer = play->people > 0 ? GRAL_NOBODY : GRAL_SPECTATOR,
        .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
    };
    hold_signals(&plain);
    greet(&plain);
    for (unsigned seat = 0; seat < play_game(play)->settings.players; seat++) {
        const size_t heard = play_heard(play, seat);
        plain.told[seat] = heard > RECAP ? heard - RECAP : 0;
    }
    for (unsigned actor; !plain.leaving && (actor = play_actor(play)) != GRAL_NOBODY;) {
        char line[PLAY_LINE_MAX];
        if (play->player[actor] != NULL) {
            let_computer_act(&plain);
            continue;
        }
        if (actor != plain.viewer)
            draw_curtain(&plain, actor);
        if (plain.leaving)
            continue;
        tell_news(&plain);
        prompt(&plain);
        if (read_line(&plain, line))
            answer(&plain, line);
        else
            plain.leaving = true;
    }
    part(&plain);
}
