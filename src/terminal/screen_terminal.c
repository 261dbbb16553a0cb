/* The terminal, through curses: opened and closed, its colours, its keys, and the signals that would end us. */
#include "screen.h"

#include <curses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <unistd.h>

enum { ESCAPE_MS = 30 };

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

bool screen_open(void)
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
    hold_signals();
    return true;
}

/* Not every terminal has a second screen to leave: so this one is left empty. */
void screen_close(void)
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

bool screen_read_key(screen *screen, int ms, screen_key *key)
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
